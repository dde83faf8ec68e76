/* Dense operands that have no file: values from a seed. */
#include <string.h>

#include "tkern.h"
#include "tsr_checked.h"
#include "tsr_memory.h"
#include "tsr_pack.h"
#include "tsr_parallel.h"

typedef struct job {
    tsr_type type;
    uint64_t n, seed;
    void *values; /* n */
} job;

/* 64 well mixed bits for place i (the output function of splitmix64; Steele, Lea and Flood, 2014). */
static uint64_t mix(uint64_t seed, uint64_t i)
{
    uint64_t z = seed + (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* In (0, 1], a multiple of 2^-24: exact in both widths. */
static double unit(uint64_t bits)
{
    return (double)((bits >> 40) + 1) * 0x1p-24;
}

static void fill(void *arg, int t, int nthreads)
{
    const job *const j = arg;
    const uint64_t lo = tsr_cut(j->n, t, nthreads), hi = tsr_cut(j->n, t + 1, nthreads);
    const char class = tsr_type_class(j->type);
    const size_t nbytes = tsr_type_nbytes(j->type);
    for (uint64_t i = lo; i < hi; i++) {
        unsigned char *const to = (unsigned char *)j->values + i * nbytes;
        const uint64_t bits = mix(j->seed, i);
        const double d[2] = {unit(bits), unit(bits << 24)};
        const float f[2] = {(float)d[0], (float)d[1]};
        const uint64_t whole = 1 + bits % 9;
        if (tsr_type_is_half(j->type)) /* never too large */
            (void)!tsr_values_convert(to, j->type, d, TSR_F64, 1, NULL);
        else if (class == 'R')
            memcpy(to, nbytes == 8 ? (const void *)d : f, nbytes);
        else if (class == 'C')
            memcpy(to, nbytes == 16 ? (const void *)d : f, nbytes);
        else
            tsr_array_set(&(tsr_array){.data = to, .n = 1, .width = nbytes}, 0, whole);
    }
}

/* The values in row-major order and, if the wanted format is another one, in that format too. */
static tsr_status check_size(const tsr_tkern_random *want, const tsr_format *plain, tsr_error *err)
{
    double nbytes = tsr_pack_nbytes_bound(plain, want->dims, want->type, 0, TSR_INDEX_64);
    if (!tsr_format_equal(plain, want->format))
        nbytes += tsr_pack_nbytes_bound(want->format, want->dims, want->type, 0, TSR_INDEX_64);
    return tsr_memory_check(nbytes, want->name, err);
}

tsr_status tsr_cli_dense_tensor(tsr_tensor **out, tsr_shape shape, tsr_type type, tsr_error *err)
{
    tsr_format *plain;
    tsr_tensor *tensor = NULL;
    *out = NULL;
    TSR_TRY(tsr_format_dense(&plain, shape.ndims, NULL, err));
    tsr_status status = tsr_tensor_new(&tensor, plain, shape.dims, type, err);
    tsr_format_free(plain);
    TSR_TRY(status);
    for (int l = 0; l < tensor->nlevels; l++) {
        tsr_level *const level = &tensor->levels[l];
        level->nparents = tensor->npos;
        if (!tsr_mul_u64(&tensor->npos, tensor->npos, level->pitch))
            status = tsr_fail(err, TSR_LIMIT, "a dense operand has more than 2^64 cells");
        level->npos = tensor->npos;
    }
    if (status == TSR_OK)
        status = tsr_array_init(&tensor->values, tensor->npos, tsr_type_nbytes(type), 0,
                                "values of an operand", err);
    if (status == TSR_OK)
        *out = tensor;
    else
        tsr_tensor_free(tensor);
    return status;
}

/* The seed of a tensor. */
static uint64_t seed_of(const char *name, uint64_t seed)
{
    for (const char *p = name; *p; p++)
        seed = mix(seed, (unsigned char)*p);
    return seed;
}

void tsr_tkern_random_cells(double *out, const tsr_tkern_cells *cells)
{
    const uint64_t seed = seed_of(cells->name, cells->seed);
    for (uint64_t i = 0; i < cells->n; i++)
        out[i] = unit(mix(seed, cells->first + i));
}

static tsr_status generate_plain(tsr_tensor **out, const tsr_tkern_random *want, int nthreads, tsr_error *err)
{
    TSR_TRY(tsr_cli_dense_tensor(out, (tsr_shape){want->format->order, want->dims}, want->type, err));
    const uint64_t n = (*out)->npos;
    job j = {
        .type = want->type, .n = n, .seed = seed_of(want->name, want->seed), .values = (*out)->values.data};
    tsr_parallel(n < 100000 ? 1 : tsr_thread_count(nthreads), fill, &j);
    return TSR_OK;
}

tsr_status tsr_tkern_generate(tsr_tensor **out, const tsr_tkern_random *want, int nthreads, tsr_error *err)
{
    *out = NULL;
    tsr_format *plain;
    tsr_tensor *tensor = NULL;
    TSR_TRY(tsr_format_dense(&plain, want->format->order, NULL, err));
    tsr_status status = check_size(want, plain, err);
    if (status == TSR_OK)
        status = generate_plain(&tensor, want, nthreads, err);
    if (status == TSR_OK && !tsr_format_equal(plain, want->format)) {
        const tsr_pack_options how = {.nthreads = nthreads};
        status = tsr_convert(out, tensor, want->format, &how, NULL, err);
    } else if (status == TSR_OK) {
        *out = tensor;
    }
    tsr_format_free(plain);
    return status;
}
