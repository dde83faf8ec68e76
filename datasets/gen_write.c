/* Entries become lines of a .tns or .mtx file. */
#include <inttypes.h>
#include <string.h>

#include "gen_internal.h"
#include "tsr_alloc.h"
#include "tsr_num.h"
#include "tsr_text.h"

enum {
    SINK_NBYTES = 1 << 20,
    MAX_LINE = TSR_MAX_ORDER * 11 + 32, /* ten digits and a blank an index; two values */
};

const char *const tsr_gen_values_names[] = {
#define X(name, text) text,
    TSR_GEN_VALUES(X)
#undef X
        NULL};

static tsr_status flush(gen_sink *sink, tsr_error *err)
{
    TSR_TRY(tsr_output_write(sink->output, sink->text, sink->nbytes, err));
    sink->nbytes = 0;
    return tsr_progress(sink->observer, "generate", sink->done, sink->total, err);
}

static size_t print_index(char *p, uint64_t v)
{
    char digits[TSR_U64_NBYTES];
    size_t n = 0, at = sizeof digits;
    do
        digits[--at] = (char)('0' + v % 10);
    while ((v /= 10) > 0);
    n = sizeof digits - at;
    memcpy(p, digits + at, n);
    return n;
}

/* "0.25", "-0.917": a number of thousandths, never 0. */
static size_t print_real(char *p, uint64_t random)
{
    char *const begin = p;
    uint64_t v = 1 + (random >> 32) * 999 / (UINT64_C(1) << 32);
    if (random & 1)
        *p++ = '-';
    *p++ = '0';
    *p++ = '.';
    for (uint64_t unit = 100; v > 0; unit /= 10) {
        *p++ = (char)('0' + v / unit);
        v %= unit;
    }
    return (size_t)(p - begin);
}

static size_t print_count(char *p, uint64_t random)
{
    uint64_t v = 1;
    for (; random & 1; random >>= 1)
        v++;
    return print_index(p, v);
}

static size_t print_value(char *p, tsr_gen_values values, gen_rng *rng)
{
    size_t n;
    switch (values) {
    case TSR_GEN_COUNT:
        return print_count(p, gen_next(rng));
    case TSR_GEN_BINARY:
        *p = '1';
        return 1;
    case TSR_GEN_COMPLEX:
        n = print_real(p, gen_next(rng));
        p[n++] = ' ';
        return n + print_real(p + n, gen_next(rng));
    default:
        return print_real(p, gen_next(rng));
    }
}

tsr_status gen_sink_fiber(gen_sink *sink, tsr_shape prefix, const uint32_t *last, size_t n, gen_rng *rng,
                          tsr_error *err)
{
    char head[MAX_LINE];
    size_t nhead = 0;
    for (int m = 0; m < prefix.ndims; m++) {
        nhead += print_index(head + nhead, prefix.dims[m] + 1);
        head[nhead++] = ' ';
    }
    for (size_t i = 0; i < n; i++) {
        if (sink->nbytes > SINK_NBYTES - MAX_LINE) {
            sink->done += i;
            const tsr_status status = flush(sink, err);
            sink->done -= i;
            TSR_TRY(status);
        }
        char *const line = sink->text + sink->nbytes;
        memcpy(line, head, nhead);
        size_t at = nhead + print_index(line + nhead, (uint64_t)last[i] + 1);
        if (sink->has_values) {
            line[at++] = ' ';
            at += print_value(line + at, sink->values, rng);
        }
        line[at++] = '\n';
        sink->nbytes += at;
    }
    sink->done += n;
    return TSR_OK;
}

/* ---- the file ---- */

static bool ends_with(const char *s, size_t n, const char *suffix)
{
    const size_t m = strlen(suffix);
    return n >= m && memcmp(s + n - m, suffix, m) == 0;
}

/* Whether the path is of a .mtx file, else it is .tns. */
static tsr_status find_suffix(bool *mtx, const char *path, tsr_error *err)
{
    size_t n = strlen(path);
    *mtx = false;
    if (strcmp(path, "-") == 0)
        return TSR_OK;
    if (ends_with(path, n, ".gz"))
        n -= 3;
    *mtx = ends_with(path, n, ".mtx");
    if (!*mtx && !ends_with(path, n, ".tns"))
        return tsr_fail_at(err, TSR_ARGUMENT, path, 0, 0,
                           "generated tensors are written as .tns or .mtx (.gz behind it compresses)");
    return TSR_OK;
}

static tsr_status check_file(bool mtx, const char *path, const tsr_gen_shape *shape, tsr_error *err)
{
    if (mtx && shape->order != 2)
        return tsr_fail_at(err, TSR_ARGUMENT, path, 0, 0,
                           "a .mtx file holds a matrix, not a tensor of %d modes", shape->order);
    if (!mtx && shape->values == TSR_GEN_COMPLEX)
        return tsr_fail_at(err, TSR_UNSUPPORTED, path, 0, 0,
                           "a .tns file cannot hold complex values: write .mtx");
    return TSR_OK;
}

static tsr_status write_mtx_head(gen_sink *sink, const tsr_gen_shape *shape, const char *comment,
                                 tsr_error *err)
{
    static const char *const field[] = {"real", "integer", "pattern", "complex"};
    tsr_text text = {0};
    tsr_text_addf(&text, "%%%%MatrixMarket matrix coordinate %s general\n", field[shape->values]);
    if (comment)
        tsr_text_addf(&text, "%% %s\n", comment);
    tsr_text_addf(&text, "%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", shape->dims[0], shape->dims[1], shape->nnz);
    tsr_status status = tsr_text_status(&text, err);
    if (status == TSR_OK)
        status = tsr_output_write(sink->output, text.s, text.nbytes, err);
    tsr_text_clear(&text);
    sink->has_values = shape->values != TSR_GEN_BINARY;
    return status;
}

static tsr_status write_all(gen_sink *sink, const tsr_gen *gen, uint64_t seed, tsr_error *err)
{
    TSR_TRY(gen->kind == TSR_GEN_RANDOM ? gen_tree(sink, &gen->shape, seed, err)
                                        : gen_pattern(sink, gen, seed, err));
    TSR_TRY(flush(sink, err));
    return tsr_output_commit(sink->output, err);
}

tsr_status tsr_gen_write(const char *path, const tsr_gen *gen, const tsr_gen_options *options,
                         uint64_t *nbytes, tsr_error *err)
{
    static const tsr_gen_options defaults = {0};
    options = options ? options : &defaults;
    gen_sink sink = {.values = gen->shape.values,
                     .has_values = true,
                     .observer = options->observer,
                     .total = gen->shape.nnz};
    const tsr_output_options output = {.nthreads = options->nthreads};
    bool mtx;
    TSR_TRY(tsr_gen_shape_check(&gen->shape, err));
    TSR_TRY(find_suffix(&mtx, path, err));
    TSR_TRY(check_file(mtx, path, &gen->shape, err));
    void *text;
    TSR_TRY(tsr_alloc_array(&text, SINK_NBYTES, 1, 0, "generated text", err));
    sink.text = text;
    tsr_status status = tsr_output_open(&sink.output, path, &output, err);
    if (status == TSR_OK && mtx)
        status = write_mtx_head(&sink, &gen->shape, options->comment, err);
    if (status == TSR_OK)
        status = write_all(&sink, gen, options->seed, err);
    if (status == TSR_OK && nbytes)
        *nbytes = tsr_output_nbytes(sink.output);
    tsr_output_free(sink.output);
    tsr_free(sink.text);
    return status;
}

void tsr_gen_file_name(tsr_text *file, const char *text, const tsr_gen_shape *shape)
{
    enum { MAX_NAME = 100 };
    for (const char *p = text; *p && p - text < MAX_NAME; p++)
        tsr_text_add_n(file, strchr(":,=/", *p) ? "-" : p, 1);
    tsr_text_add(file, shape->order == 2 ? ".mtx" : ".tns");
}
