/* Writing R's .rds (XDR, version 2, which every R since 2.3 reads): dgCMatrix, dgRMatrix, dgTMatrix, and ngCMatrix... for a pattern. A
 * matrix of csc with more than 2^31 - 1 entries, more than R's package Matrix can have, becomes a list of matrices with consecutive
 * columns. See rds.md. */
#include "rds.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file_bytes.h"
#include "held_arrays.h"
#include "tsr_output.h"

enum {
    CHAR = 9,
    SYMBOL = 1,
    PAIR = 2,
    INTEGER = 13,
    REAL = 14,
    STRINGS = 16,
    LIST = 19,
    S4 = 25,
    NIL = 254,
    IS_OBJECT = 0x100,
    HAS_ATTRIBUTES = 0x200,
    HAS_TAG = 0x400,
    IS_S4 = 0x10000,
    IS_ASCII = 0x40000,
    IS_UTF8 = 0x8000,
    STEP = 1 << 13 /* numbers that are written at once */
};

typedef struct writing {
    tsr_output *output;
    tsr_held held;
    const tsr_labels *labels;
    bool list;     /* coordinates: slots i and j */
    int major;     /* otherwise: the mode of the slices */
    uint64_t base; /* the first entry of the matrix, and of the columns of a part */
    tsr_error *err;
} writing;

/* ---- formats ---- */

/* Which arrays the tensor has; false: not such a matrix. */
static bool tell(bool *list, int *major, const tsr_tensor *tensor)
{
    int perm[TSR_MAX_LEVELS], ndense;
    const tsr_format *const f = tensor->format;
    *list = false;
    *major = 0;
    if (tensor->order != 2 || tensor->has_fill || tensor->structure != TSR_GENERAL ||
        !tsr_format_is_permutation(f, perm) || tsr_format_has_pitch(f))
        return false;
    *major = perm[0];
    *list = perm[0] == 0 && tsr_format_is_coordinates(f);
    return *list || (tsr_format_is_nested(f, &ndense) && ndense == 1);
}

bool tsr_rds_takes_tensor(const tsr_tensor *tensor, const char **instead)
{
    bool list;
    int major;
    *instead = "csc";
    return tell(&list, &major, tensor);
}

tsr_status tsr_rds_check(int order, tsr_type type, tsr_error *err)
{
    if (order != 2)
        return tsr_fail(
            err, TSR_UNSUPPORTED,
            "cannot write a tensor of %d modes to .rds, which has matrices: make a matrix with --unfold",
            order);
    if (tsr_type_class(type) == 'C')
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "cannot write complex values to .rds: R's package Matrix has none");
    return TSR_OK;
}

/* ---- numbers and texts ---- */

static tsr_status put_int(writing *w, uint32_t v)
{
    const unsigned char raw[4] = {(unsigned char)(v >> 24), (unsigned char)(v >> 16), (unsigned char)(v >> 8),
                                  (unsigned char)v};
    return tsr_output_write(w->output, raw, sizeof raw, w->err);
}

static tsr_status put_char(writing *w, const char *text)
{
    const size_t n = strlen(text);
    bool ascii = true;
    for (size_t i = 0; i < n; i++)
        ascii = ascii && (unsigned char)text[i] < 128;
    TSR_TRY(put_int(w, CHAR | (ascii ? IS_ASCII : IS_UTF8)));
    TSR_TRY(put_int(w, (uint32_t)n));
    return tsr_output_write(w->output, text, n, w->err);
}

/* Begin a pair of a list of attributes. */
static tsr_status put_tag(writing *w, const char *name)
{
    TSR_TRY(put_int(w, PAIR | HAS_TAG));
    TSR_TRY(put_int(w, SYMBOL));
    return put_char(w, name);
}

static tsr_status put_length(writing *w, uint32_t kind, uint64_t n)
{
    TSR_TRY(put_int(w, kind));
    return put_int(w, (uint32_t)n);
}

/* Write numbers in big-endian order; they are swapped in place. */
static tsr_status put_numbers(writing *w, void *data, tsr_type type, uint64_t n)
{
    tsr_numbers numbers = {.type = type, .array = {.data = data, .n = n, .width = tsr_type_nbytes(type)}};
    if (tsr_must_swap(true))
        tsr_numbers_swap(&numbers);
    return tsr_output_write(w->output, data, n * numbers.array.width, w->err);
}

/* A slot of n indices; those of pos from `first` on, less the first one. */
static tsr_status put_indices(writing *w, const char *name, tsr_part part, int level, uint64_t first,
                              uint64_t n)
{
    uint64_t room[STEP];
    uint32_t narrow[STEP];
    uint64_t least = 0;
    TSR_TRY(put_tag(w, name));
    TSR_TRY(put_length(w, INTEGER, n));
    for (uint64_t i = 0; i < n; i += STEP) {
        const tsr_part_range range = {
            .part = part, .level = level, .first = first + i, .n = n - i < STEP ? n - i : STEP};
        TSR_TRY(tsr_held_indices(room, &w->held, &range, sizeof *room, w->err));
        least = i == 0 && part == TSR_PART_POS ? room[0] : least;
        for (uint64_t k = 0; k < range.n; k++)
            narrow[k] = (uint32_t)(room[k] - least);
        TSR_TRY(put_numbers(w, narrow, TSR_I32, range.n));
    }
    return TSR_OK;
}

static tsr_status put_values(writing *w, uint64_t first, uint64_t n)
{
    const tsr_tensor *const tensor = w->held.tensor;
    _Alignas(16) unsigned char stored[STEP * TSR_MAX_VALUE_NBYTES];
    double piece[STEP];
    TSR_TRY(put_tag(w, "x"));
    TSR_TRY(put_length(w, REAL, n));
    for (uint64_t i = 0; i < n; i += STEP) {
        const uint64_t step = n - i < STEP ? n - i : STEP;
        TSR_TRY(tsr_held_values(stored, &w->held, first + i, step, w->err));
        TSR_TRY(tsr_values_convert(piece, TSR_F64, stored, tensor->type, step, w->err));
        TSR_TRY(tsr_check_exact(piece, &(tsr_array){.data = stored, .n = step, .width = tensor->values.width},
                                tensor->type, ".rds files have", w->err));
        TSR_TRY(put_numbers(w, piece, TSR_F64, step));
    }
    return TSR_OK;
}

/* The names of n indices of a mode from `first` on, or NULL. */
static tsr_status put_names(writing *w, int mode, uint64_t first, uint64_t n)
{
    const tsr_names *const names = tsr_labels_of(w->labels, mode, w->held.tensor->dims[mode]);
    if (!names)
        return put_int(w, NIL);
    TSR_TRY(put_length(w, STRINGS, n));
    for (uint64_t i = 0; i < n; i++)
        TSR_TRY(put_char(w, tsr_names_get(names, first + i)));
    return TSR_OK;
}

/* ---- a matrix ---- */

/* Slices [first, first + n) of the matrix, with entries [from, from + nnz). */
typedef struct part {
    uint64_t first, n, from, nnz;
} part;

static tsr_status put_arrays(writing *w, const part *p)
{
    if (w->list) {
        TSR_TRY(put_indices(w, "i", TSR_PART_CRD, 0, 0, p->nnz));
        return put_indices(w, "j", TSR_PART_CRD, 1, 0, p->nnz);
    }
    TSR_TRY(put_indices(w, w->major ? "i" : "j", TSR_PART_CRD, 1, p->from, p->nnz));
    return put_indices(w, "p", TSR_PART_POS, 1, p->first, p->n + 1);
}

/* The slot Dim, of two integers. */
static tsr_status put_dims(writing *w, const uint64_t *dims)
{
    TSR_TRY(put_tag(w, "Dim"));
    TSR_TRY(put_length(w, INTEGER, 2));
    TSR_TRY(put_int(w, (uint32_t)dims[0]));
    return put_int(w, (uint32_t)dims[1]);
}

static tsr_status put_class(writing *w, const char *class)
{
    TSR_TRY(put_tag(w, "class"));
    TSR_TRY(put_length(w, STRINGS | HAS_ATTRIBUTES, 1));
    TSR_TRY(put_char(w, class));
    TSR_TRY(put_tag(w, "package"));
    TSR_TRY(put_length(w, STRINGS, 1));
    TSR_TRY(put_char(w, "Matrix"));
    return put_int(w, NIL);
}

static tsr_status put_matrix(writing *w, const part *p)
{
    const tsr_tensor *const tensor = w->held.tensor;
    const bool pattern = tensor->type == TSR_PATTERN;
    uint64_t dims[2] = {tensor->dims[0], tensor->dims[1]};
    char class[10];
    snprintf(class, sizeof class, "%cg%cMatrix", pattern ? 'n' : 'd', w->list ? 'T' : w->major ? 'C' : 'R');
    if (!w->list)
        dims[w->major] = p->n;
    TSR_TRY(put_int(w, S4 | IS_OBJECT | HAS_ATTRIBUTES | IS_S4));
    TSR_TRY(put_arrays(w, p));
    TSR_TRY(put_dims(w, dims));
    TSR_TRY(put_tag(w, "Dimnames"));
    TSR_TRY(put_length(w, LIST, 2));
    for (int m = 0; m < 2; m++)
        TSR_TRY(put_names(w, m, !w->list && m == w->major ? p->first : 0, dims[m]));
    if (!pattern)
        TSR_TRY(put_values(w, p->from, p->nnz));
    TSR_TRY(put_tag(w, "factors"));
    TSR_TRY(put_length(w, LIST, 0));
    TSR_TRY(put_class(w, class));
    return put_int(w, NIL);
}

/* ---- several matrices ---- */

/* Entries that a matrix may have; tests make it small. */
static uint64_t most_entries(void)
{
#ifdef TSR_FAULTS
    const char *const text = getenv("TSR_RDS_MOST");
    const uint64_t most = text ? strtoull(text, NULL, 10) : 0;
    if (most > 0 && most < INT32_MAX)
        return most;
#endif
    return INT32_MAX;
}

static tsr_status position(uint64_t *out, writing *w, uint64_t slice)
{
    const tsr_part_range range = {.part = TSR_PART_POS, .level = 1, .first = slice, .n = 1};
    return tsr_held_indices(out, &w->held, &range, sizeof *out, w->err);
}

/* The next part: as many slices as have at most `most` entries. */
static tsr_status next_part(part *p, writing *w, uint64_t most)
{
    const uint64_t nslices = w->held.tensor->dims[w->major];
    uint64_t low = p->first + p->n, high = nslices, at;
    *p = (part){.first = low};
    TSR_TRY(position(&p->from, w, low));
    while (low < high) { /* the last slice that ends within */
        const uint64_t middle = high - (high - low) / 2;
        TSR_TRY(position(&at, w, middle));
        if (at - p->from <= most)
            low = middle;
        else
            high = middle - 1;
    }
    p->n = low - p->first;
    TSR_TRY(position(&at, w, low));
    p->nnz = at - p->from;
    return p->n > 0
               ? TSR_OK
               : tsr_fail(w->err, TSR_LIMIT, "column %" PRIu64 " has more entries than R supports", p->first);
}

/* A list of matrices with consecutive columns, named counts.1, counts.2..., as the layers of Seurat. */
static tsr_status put_list(writing *w, uint64_t most)
{
    const uint64_t nslices = w->held.tensor->dims[w->major];
    uint64_t nparts = 0;
    char name[32];
    for (part p = {.n = 0}; p.first + p.n < nslices; nparts++)
        TSR_TRY(next_part(&p, w, most));
    TSR_TRY(put_length(w, LIST | HAS_ATTRIBUTES, nparts));
    for (part p = {.n = 0}; p.first + p.n < nslices;) {
        TSR_TRY(next_part(&p, w, most));
        TSR_TRY(put_matrix(w, &p));
    }
    TSR_TRY(put_tag(w, "names"));
    TSR_TRY(put_length(w, STRINGS, nparts));
    for (uint64_t i = 1; i <= nparts; i++) {
        snprintf(name, sizeof name, "counts.%" PRIu64, i);
        TSR_TRY(put_char(w, name));
    }
    return put_int(w, NIL);
}

static tsr_status put_file(writing *w, const char *path, const tsr_write_options *options)
{
    static const unsigned char head[] = {'X', '\n', 0, 0, 0, 2, 0, 4, 2, 0, 0, 2, 3, 0};
    const tsr_tensor *const tensor = w->held.tensor;
    const uint64_t most = most_entries();
    const part all = {.n = tensor->dims[w->major], .nnz = tensor->npos};
    for (int m = 0; m < 2; m++)
        if (tensor->dims[m] > INT32_MAX)
            return tsr_fail(w->err, TSR_LIMIT,
                            "R's matrices have at most 2^31 - 1 rows and columns, not %" PRIu64,
                            tensor->dims[m]);
    TSR_TRY(tsr_output_write(w->output, head, sizeof head, w->err));
    if (tensor->npos <= most)
        return put_matrix(w, &all);
    if (w->list || w->major == 0)
        return tsr_fail(w->err, TSR_LIMIT,
                        "R's matrices have at most 2^31 - 1 entries, not %" PRIu64
                        ": use --format=csc, which is written as a list of matrices",
                        tensor->npos);
    tsr_warn(options->observer, path, 0,
             "%" PRIu64 " entries are more than R's matrices can have: a list of matrices is written, with "
             "consecutive columns",
             tensor->npos);
    return put_list(w, most);
}

static tsr_status write_held(const char *path, const tsr_held *held, const tsr_write_options *options,
                             uint64_t *nbytes, tsr_error *err)
{
    static const tsr_write_options none;
    const tsr_write_options *const o = options ? options : &none;
    const tsr_output_options gzip = {.gzip_level = o->deflate ? o->deflate : 6, .nthreads = o->nthreads};
    writing w = {.held = *held, .labels = o->labels, .err = err};
    if (!tell(&w.list, &w.major, held->tensor))
        return tsr_fail(
            err, TSR_UNSUPPORTED,
            "cannot write this format to .rds: coo, csr and csc without a fill value are supported");
    const char *object;
    char *const file = tsr_path_split(&object, path);
    tsr_status status = file ? TSR_OK : tsr_fail(err, TSR_NOMEM, "out of memory");
    if (status == TSR_OK && object)
        status =
            tsr_fail(err, TSR_UNSUPPORTED, "cannot write an object of an .rds file: leave ':%s' out", object);
    if (status == TSR_OK)
        status = tsr_output_open(&w.output, file, &gzip, err);
    if (status == TSR_OK)
        status = put_file(&w, path, o);
    if (status == TSR_OK)
        status = tsr_output_commit(w.output, err);
    if (status == TSR_OK && nbytes)
        *nbytes = tsr_output_nbytes(w.output);
    tsr_output_free(w.output);
    tsr_free(file);
    return status;
}

tsr_status tsr_rds_write_tensor(const char *path, const tsr_tensor *tensor, const tsr_write_options *options,
                                uint64_t *nbytes, tsr_error *err)
{
    return write_held(path, &(tsr_held){.tensor = tensor}, options, nbytes, err);
}

tsr_status tsr_rds_write_parts(const char *path, tsr_parts *parts, const tsr_write_options *options,
                               uint64_t *nbytes, tsr_error *err)
{
    return write_held(path, &(tsr_held){parts->tensor, parts}, options, nbytes, err);
}
