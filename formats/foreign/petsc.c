/* PETSc's binary files: a matrix (AIJ) or a vector. See binary.md. */
#include "array_parts.h"
#include "file_bytes.h"
#include "held_arrays.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tsr_brief.h"
#include "tsr_checked.h"
#include "tsr_output.h"

enum { MAT = 1211216, VEC = 1211214, IS = 1211218 };

static bool is_class(int64_t id)
{
    return id == MAT || id == VEC || id == IS;
}

/* The big-endian integer of `width` bytes at p. */
static int64_t big(const unsigned char *p, size_t width)
{
    uint64_t v = 0;
    for (size_t i = 0; i < width; i++)
        v = v << 8 | p[i];
    return width == 4 ? (int32_t)(uint32_t)v : (int64_t)v;
}

static int petsc_probe(const tsr_probe *probe)
{
    const unsigned char *const h = probe->head;
    if (probe->n < 8)
        return 0;
    const unsigned char reversed[4] = {h[3], h[2], h[1], h[0]};
    return is_class(big(h, 4)) || is_class(big(h, 8)) || is_class(big(reversed, 4)) ? 95 : 0;
}

/* Read the class of the first object. *width: the bytes of the integers in the file. */
static tsr_status read_class(int64_t *class, size_t *width, tsr_file *file, tsr_error *err)
{
    unsigned char raw[8];
    *width = 4;
    TSR_TRY(tsr_bytes_take(&file->bytes, raw, 4, err));
    *class = big(raw, 4);
    if (*class == 0) {
        *width = 8;
        TSR_TRY(tsr_bytes_take(&file->bytes, raw + 4, 4, err));
        *class = big(raw + 4, 4);
    }
    const unsigned char reversed[4] = {raw[3], raw[2], raw[1], raw[0]};
    if (is_class(big(reversed, 4)))
        return tsr_fail(
            err, TSR_UNSUPPORTED,
            "is a little-endian PETSc file, which is not supported: PETSc writes big-endian files");
    if (*class == IS)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "has an index set (IS) of PETSc: matrices and vectors are supported");
    return is_class(*class) ? TSR_OK
                            : tsr_fail(err, TSR_SYNTAX,
                                       "is not a PETSc file: it does not begin with a class number of PETSc");
}

/* Whether an object of PETSc begins after `skip` bytes. */
static bool object_follows(const tsr_file *file, uint64_t skip)
{
    unsigned char raw[8] = {0};
    const size_t n = tsr_file_peek(raw, 8, file, skip);
    return n == 8 && (is_class(big(raw, 4)) || is_class(big(raw, 8)));
}

/* Find the type of n values that follow after `skip` bytes, since the file does not store the type: the values end at
 * the end of the file, or at another object. *more: other objects follow. */
static tsr_status find_type(tsr_type *type, bool *more, const tsr_file *file, uint64_t skip, uint64_t n,
                            tsr_error *err)
{
    static const tsr_type types[] = {TSR_F64, TSR_C128, TSR_F32};
    const uint64_t left = file->bytes.left - skip;
    *type = TSR_F64;
    *more = false;
    if (n == 0)
        return TSR_OK;
    for (int i = 0; i < 3; i++) {
        const uint64_t width = tsr_type_nbytes(types[i]);
        *type = types[i];
        *more = left / n >= width && object_follows(file, skip + n * width);
        if (*more || (left / n == width && left % n == 0))
            return TSR_OK;
    }
    return tsr_fail(err, TSR_CORRUPT,
                    "the header says %" PRIu64 " values, but %" PRIu64
                    " bytes follow, which is not 4, 8 or 16 bytes for each value",
                    n, left);
}

/* Two floats of 4 bytes look like one float of 8 bytes: the user determines which they are. */
static tsr_type chosen_type(tsr_type type, const tsr_read_options *options)
{
    return type == TSR_F64 && options->has_type && options->type == TSR_C64 ? TSR_C64 : type;
}

static void warn_of_others(bool more, const tsr_read_options *options)
{
    if (more)
        tsr_warn(options->observer, NULL, 0, "the file has several objects: only the first is read");
}

static tsr_status read_values(tsr_numbers *out, tsr_file *file, uint64_t n, const tsr_read_options *options,
                              tsr_error *err)
{
    tsr_type type;
    bool more;
    out->name = "values";
    TSR_TRY(find_type(&type, &more, file, 0, n, err));
    TSR_TRY(tsr_file_numbers(out, file, chosen_type(type, options), n, true, err));
    warn_of_others(more, options);
    return TSR_OK;
}

static tsr_status check_size(int64_t n, const char *what, tsr_error *err)
{
    return n >= 0 ? TSR_OK : tsr_fail(err, TSR_CORRUPT, "the header says %" PRId64 " %s", n, what);
}

/* Make pointers from the lengths of the rows. */
static tsr_status sum_up(tsr_numbers *pointers, const tsr_numbers *lengths, uint64_t nnz, tsr_error *err)
{
    uint64_t sum = 0;
    pointers->name = "row lengths";
    pointers->type = TSR_U64;
    TSR_TRY(tsr_array_init(&pointers->array, lengths->array.n + 1, nnz <= UINT32_MAX ? 4 : 8, 1, "pointers",
                           err));
    if (nnz <= UINT32_MAX)
        pointers->type = TSR_U32;
    for (uint64_t i = 0; i < lengths->array.n; i++) {
        const uint64_t length = tsr_array_get(&lengths->array, i);
        if (length > nnz - sum)
            return tsr_fail(
                err, TSR_CORRUPT,
                "the header says %" PRIu64 " entries, but the rows up to row %" PRIu64 " have more", nnz, i);
        sum += length;
        tsr_array_set(&pointers->array, i + 1, sum);
    }
    return TSR_OK;
}

/* Read the sizes of a matrix: rows, columns, entries. *dense: all cells are stored (-1 entries). */
static tsr_status read_sizes(uint64_t size[3], bool *dense, tsr_file *file, size_t width, tsr_error *err)
{
    static const char *const what[] = {"rows", "columns", "entries"};
    int64_t n[3] = {0};
    for (int i = 0; i < 3; i++)
        TSR_TRY(tsr_file_integer(&n[i], file, width, true, err));
    *dense = n[2] == -1;
    for (int i = 0; i < (*dense ? 2 : 3); i++) {
        TSR_TRY(check_size(n[i], what[i], err));
        size[i] = (uint64_t)n[i];
    }
    if (*dense && !tsr_mul_u64(&size[2], size[0], size[1]))
        return tsr_fail(err, TSR_CORRUPT, "the header says %" PRIu64 " x %" PRIu64 " cells", size[0],
                        size[1]);
    return TSR_OK;
}

/* A dense matrix in the native format: the cells, row by row. */
static tsr_status read_dense(tsr_data *out, tsr_file *file, const uint64_t size[3],
                             const tsr_read_options *options, tsr_error *err)
{
    tsr_arrays in = {.order = 2, .dims = {size[0], size[1]}};
    const tsr_status status = read_values(&in.values, file, size[2], options, err);
    if (status == TSR_OK)
        return tsr_arrays_dense(out, &in, options, err);
    tsr_arrays_clear(&in);
    return status;
}

static tsr_status read_matrix(tsr_data *out, tsr_file *file, size_t width, const tsr_read_options *options,
                              tsr_error *err)
{
    const tsr_type type = width == 4 ? TSR_I32 : TSR_I64;
    uint64_t size[3];
    tsr_arrays in = {.order = 2};
    tsr_numbers lengths = {.name = "row lengths"};
    tsr_status status;
    bool dense;
    TSR_TRY(read_sizes(size, &dense, file, width, err));
    if (dense)
        return read_dense(out, file, size, options, err);
    const uint64_t nnz = size[2];
    memcpy(in.dims, size, 2 * sizeof *size);
    in.crd[0].name = "columns";
    TSR_TRY_OUT(tsr_file_numbers(&lengths, file, type, in.dims[0], true, err));
    TSR_TRY_OUT(tsr_numbers_to_indices(&lengths, 0, err));
    TSR_TRY_OUT(sum_up(&in.pointers, &lengths, nnz, err));
    TSR_TRY_OUT(tsr_file_numbers(&in.crd[0], file, type, nnz, true, err));
    TSR_TRY_OUT(read_values(&in.values, file, nnz, options, err));
    status = tsr_arrays_compressed(out, &in, options, err);
out:
    tsr_array_clear(&lengths.array);
    tsr_arrays_clear(&in);
    return status;
}

static tsr_status read_vector(tsr_data *out, tsr_file *file, size_t width, const tsr_read_options *options,
                              tsr_error *err)
{
    int64_t n;
    tsr_arrays in = {.order = 1};
    TSR_TRY(tsr_file_integer(&n, file, width, true, err));
    TSR_TRY(check_size(n, "values", err));
    in.dims[0] = (uint64_t)n;
    const tsr_status status = read_values(&in.values, file, (uint64_t)n, options, err);
    if (status == TSR_OK)
        return tsr_arrays_dense(out, &in, options, err);
    tsr_arrays_clear(&in);
    return status;
}

static tsr_status petsc_read(tsr_data *out, const char *path, const tsr_read_options *options, tsr_error *err)
{
    tsr_file file;
    int64_t class = 0;
    size_t width = 4;
    tsr_status status = tsr_file_open(&file, path, err);
    if (status == TSR_OK)
        status = read_class(&class, &width, &file, err);
    if (status == TSR_OK)
        status = class == MAT ? read_matrix(out, &file, width, options, err)
                              : read_vector(out, &file, width, options, err);
    tsr_file_close(&file);
    return status;
}

/* What the header of the first object says; the file is behind it. */
typedef struct object {
    int order;
    bool dense;       /* all cells, and no arrays of indices */
    size_t width;     /* bytes of an integer */
    uint64_t size[3]; /* rows, columns, values */
    uint64_t values;  /* bytes from here to the values */
    tsr_type type;
    bool more; /* other objects follow */
} object;

static tsr_status read_head(object *out, tsr_file *file, const tsr_read_options *options, tsr_error *err)
{
    int64_t class = 0, n = 0;
    uint64_t used = 0;
    *out = (object){.dense = true, .order = 1};
    TSR_TRY(read_class(&class, &out->width, file, err));
    if (class == MAT) {
        out->order = 2;
        TSR_TRY(read_sizes(out->size, &out->dense, file, out->width, err));
    } else {
        TSR_TRY(tsr_file_integer(&n, file, out->width, true, err));
        TSR_TRY(check_size(n, "values", err));
        out->size[0] = out->size[2] = (uint64_t)n;
    }
    const uint64_t left = file->bytes.left;
    if (!out->dense && (!tsr_add_u64(&used, out->size[0], out->size[2]) || used > left / out->width))
        return tsr_fail(err, TSR_CORRUPT,
                        "the header says %" PRIu64 " rows and %" PRIu64 " entries, but %" PRIu64
                        " bytes follow",
                        out->size[0], out->size[2], left);
    out->values = used * out->width;
    TSR_TRY(find_type(&out->type, &out->more, file, out->values, out->size[2], err));
    out->type = chosen_type(out->type, options);
    return TSR_OK;
}

/* Fill in what the header of the first object says. */
static tsr_status describe_open(tsr_brief_tensor *to, tsr_file *file, const tsr_read_options *options,
                                tsr_error *err)
{
    object o;
    TSR_TRY(read_head(&o, file, options, err));
    to->order = o.order;
    to->has_dims = to->has_nnz = true;
    memcpy(to->dims, o.size, (size_t)to->order * sizeof *o.size);
    to->nnz = o.size[2];
    snprintf(to->type, sizeof to->type, "%s", tsr_type_name(o.type));
    return !o.dense ? tsr_format_nested(&to->format, 2, 1, NULL, err)
                    : tsr_format_dense(&to->format, to->order, (const int[]){0, 1}, err);
}

static tsr_status petsc_describe(tsr_brief *out, const char *path, const tsr_read_options *options,
                                 tsr_error *err)
{
    tsr_file file;
    tsr_status status = tsr_file_open(&file, path, err);
    tsr_brief_tensor *const tensor = status == TSR_OK ? tsr_brief_add(out, "") : NULL;
    if (status == TSR_OK)
        status =
            tensor ? describe_open(tensor, &file, options, err) : tsr_fail(err, TSR_NOMEM, "out of memory");
    tsr_file_close(&file);
    return status;
}

/* ---- in parts ---- */

enum { STEP = 1 << 13 }; /* numbers that are read or written at once */

typedef struct petsc_parts {
    object o;
    tsr_file file;     /* behind the header */
    uint64_t row, sum; /* the entries of the rows before `row` */
    int64_t lengths[STEP];
    uint64_t first, n; /* the rows whose lengths are there */
} petsc_parts;

/* out: n numbers that begin `skip` bytes behind the header. */
static tsr_status read_at(void *out, const petsc_parts *p, uint64_t skip, tsr_type type, uint64_t n,
                          tsr_error *err)
{
    tsr_numbers to = {.type = type, .array = {.data = out, .n = n, .width = tsr_type_nbytes(type)}};
    return tsr_file_part(&to, &p->file, skip, true, err);
}

static tsr_status load_lengths(petsc_parts *p, tsr_error *err)
{
    const uint64_t left = p->o.size[0] - p->row;
    int32_t narrow[STEP];
    p->first = p->row;
    p->n = left < STEP ? left : STEP;
    if (p->o.width == 8)
        return read_at(p->lengths, p, p->row * 8, TSR_I64, p->n, err);
    TSR_TRY(read_at(narrow, p, p->row * 4, TSR_I32, p->n, err));
    for (uint64_t i = 0; i < p->n; i++)
        p->lengths[i] = narrow[i];
    return TSR_OK;
}

static tsr_status add_row(petsc_parts *p, tsr_error *err)
{
    if (p->row - p->first >= p->n)
        TSR_TRY(load_lengths(p, err));
    const int64_t length = p->lengths[p->row++ - p->first];
    if (length < 0 || (uint64_t)length > p->o.size[2] - p->sum)
        return tsr_fail(err, TSR_CORRUPT, "the lengths of the rows are wrong");
    p->sum += (uint64_t)length;
    return TSR_OK;
}

/* Pointers [first, first + n), n > 0, from the lengths of the rows, which are summed again where the calls go back. */
static tsr_status read_pointers(void *out, petsc_parts *p, uint64_t first, uint64_t n, tsr_error *err)
{
    tsr_array to = {.data = out, .n = n, .width = p->o.size[2] <= UINT32_MAX ? 4 : 8};
    if (first < p->row)
        p->row = p->sum = p->n = 0;
    for (;;) {
        if (p->row >= first)
            tsr_array_set(&to, p->row - first, p->sum);
        if (p->row == first + n - 1)
            return TSR_OK;
        TSR_TRY(add_row(p, err));
    }
}

static tsr_status read_part(void *out, void *ctx, int k, uint64_t first, uint64_t n, tsr_error *err)
{
    petsc_parts *const p = ctx;
    const object *const o = &p->o;
    if (k == 0 && !o->dense)
        return n == 0 ? TSR_OK : read_pointers(out, p, first, n, err);
    if (k == 1)
        return read_at(out, p, (o->size[0] + first) * o->width, o->width == 4 ? TSR_I32 : TSR_I64, n, err);
    return read_at(out, p, o->values + first * tsr_type_nbytes(o->type), o->type, n, err);
}

static void close_parts(void *ctx)
{
    petsc_parts *const p = ctx;
    tsr_file_close(&p->file);
    tsr_free(p);
}

static tsr_status petsc_feed(tsr_feed **out, const char *path, const tsr_read_options *options,
                             tsr_error *err)
{
    petsc_parts *const p = tsr_calloc(1, sizeof *p);
    *out = NULL;
    if (!p)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    const object *const o = &p->o;
    tsr_status status = tsr_file_open(&p->file, path, err);
    if (status == TSR_OK)
        status = read_head(&p->o, &p->file, options, err);
    if (status == TSR_CORRUPT) /* reading the whole says more */
        status = tsr_arrays_only_whole(err);
    if (status != TSR_OK) {
        close_parts(p);
        return status;
    }
    const bool more = o->more;
    const tsr_type index = o->width == 4 ? TSR_I32 : TSR_I64;
    tsr_array_parts in = {.order = o->order,
                          .dims = {o->size[0], o->size[1]},
                          .slices = !o->dense,
                          .dense = o->dense,
                          .ctx = p,
                          .read = read_part,
                          .close = close_parts};
    if (!o->dense) {
        in.arrays[0] =
            (tsr_part_array){"row lengths", o->size[2] <= UINT32_MAX ? TSR_U32 : TSR_U64, o->size[0] + 1};
        in.arrays[1] = (tsr_part_array){"columns", index, o->size[2]};
    }
    in.arrays[o->dense ? 0 : 2] = (tsr_part_array){"values", o->type, o->size[2]};
    status = tsr_feed_of_arrays(out, &in, options, err);
    warn_of_others(status == TSR_OK && more, options);
    return status;
}

/* ---- writing ---- */

static bool petsc_takes_tensor(const tsr_tensor *tensor, const char **instead)
{
    int perm[TSR_MAX_LEVELS], ndense;
    const tsr_format *const f = tensor->format;
    *instead = tensor->order == 1 ? "d" : "csr";
    if (tensor->order == 1)
        return tsr_format_is_dense(f) && tsr_format_is_permutation(f, perm) && !tsr_format_has_pitch(f);
    return tensor->order == 2 && !tensor->has_fill && tensor->structure == TSR_GENERAL &&
           tsr_format_is_permutation(f, perm) && perm[0] == 0 && !tsr_format_has_pitch(f) &&
           tsr_format_is_nested(f, &ndense) && ndense == 1;
}

static tsr_status petsc_check(int order, tsr_type type, tsr_error *err)
{
    (void)type;
    return order == 1 || order == 2
               ? TSR_OK
               : tsr_fail(
                     err, TSR_UNSUPPORTED,
                     "cannot write a tensor of %d modes to a PETSc file: matrices and vectors are supported",
                     order);
}

/* Write up to STEP numbers in big-endian order; they are swapped in place. */
static tsr_status put_numbers(tsr_output *output, void *data, tsr_type type, uint64_t n, tsr_error *err)
{
    tsr_numbers numbers = {.type = type, .array = {.data = data, .n = n, .width = tsr_type_nbytes(type)}};
    if (tsr_must_swap(true))
        tsr_numbers_swap(&numbers);
    return tsr_output_write(output, data, n * numbers.array.width, err);
}

static tsr_status put_integer(tsr_output *output, uint64_t v, size_t width, tsr_error *err)
{
    unsigned char raw[8];
    for (size_t i = 0; i < width; i++)
        raw[width - 1 - i] = (unsigned char)(v >> 8 * i);
    return tsr_output_write(output, raw, width, err);
}

/* Write the lengths of the rows from their pointers. */
static tsr_status put_lengths(tsr_output *output, const tsr_held *held, size_t width, tsr_error *err)
{
    uint64_t pos[STEP + 1];
    union {
        uint32_t narrow[STEP];
        uint64_t wide[STEP];
    } lengths;
    const uint64_t nrows = held->tensor->dims[0];
    for (uint64_t i = 0; i < nrows; i += STEP) {
        const uint64_t n = nrows - i < STEP ? nrows - i : STEP;
        const tsr_part_range range = {.part = TSR_PART_POS, .level = 1, .first = i, .n = n + 1};
        TSR_TRY(tsr_held_indices(pos, held, &range, sizeof *pos, err));
        for (uint64_t k = 0; k < n; k++) {
            if (width == 4)
                lengths.narrow[k] = (uint32_t)(pos[k + 1] - pos[k]);
            else
                lengths.wide[k] = pos[k + 1] - pos[k];
        }
        TSR_TRY(put_numbers(output, &lengths, width == 4 ? TSR_I32 : TSR_I64, n, err));
    }
    return TSR_OK;
}

static tsr_status put_columns(tsr_output *output, const tsr_held *held, size_t width, tsr_error *err)
{
    uint64_t room[STEP];
    const uint64_t nnz = held->tensor->npos;
    for (uint64_t i = 0; i < nnz; i += STEP) {
        const tsr_part_range range = {
            .part = TSR_PART_CRD, .level = 1, .first = i, .n = nnz - i < STEP ? nnz - i : STEP};
        TSR_TRY(tsr_held_indices(room, held, &range, width, err));
        TSR_TRY(put_numbers(output, room, width == 4 ? TSR_I32 : TSR_I64, range.n, err));
    }
    return TSR_OK;
}

/* Write the values as f64, or complex values as c128: the types of the usual builds of PETSc. */
static tsr_status put_values(tsr_output *output, const tsr_held *held, tsr_error *err)
{
    enum { FEW = STEP / 2 };
    const tsr_tensor *const tensor = held->tensor;
    const tsr_type type = tsr_type_class(tensor->type) == 'C' ? TSR_C128 : TSR_F64;
    _Alignas(16) unsigned char stored[FEW * TSR_MAX_VALUE_NBYTES], piece[FEW * 16];
    for (uint64_t i = 0; i < tensor->npos; i += FEW) {
        const uint64_t n = tensor->npos - i < FEW ? tensor->npos - i : FEW;
        TSR_TRY(tsr_held_values(stored, held, i, n, err));
        TSR_TRY(tsr_values_convert(piece, type, stored, tensor->type, n, err));
        TSR_TRY(tsr_check_exact(type == TSR_F64 ? (const double *)(const void *)piece : NULL,
                                &(tsr_array){.data = stored, .n = n, .width = tensor->values.width},
                                tensor->type, "PETSc files have", err));
        TSR_TRY(put_numbers(output, piece, type, n, err));
    }
    return TSR_OK;
}

/* Write the object: a matrix, or a vector, which has all values and no arrays of indices. */
static tsr_status write_object(const char *path, const tsr_held *held, const tsr_write_options *options,
                               uint64_t *nbytes, tsr_error *err)
{
    const tsr_tensor *const tensor = held->tensor;
    const tsr_output_options plain = {.gzip_level = -1, .nthreads = options ? options->nthreads : 0};
    const bool vector = tensor->order == 1;
    const uint64_t most = vector || tensor->dims[0] > tensor->dims[1] ? tensor->dims[0] : tensor->dims[1];
    const size_t width = most <= INT32_MAX && tensor->npos <= INT32_MAX ? 4 : 8;
    const uint64_t head[4] = {vector ? VEC : MAT, tensor->dims[0], vector ? 0 : tensor->dims[1],
                              tensor->npos};
    tsr_output *output = NULL;
    tsr_status status;
    const char *instead;
    if (!petsc_takes_tensor(tensor, &instead))
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "cannot write this format to a PETSc file: csr without a fill value, and a "
                        "dense vector, are supported");
    TSR_TRY_OUT(tsr_output_open(&output, path, &plain, err));
    for (int i = 0; i < (vector ? 2 : 4); i++)
        TSR_TRY_OUT(put_integer(output, head[i], width, err));
    if (!vector) {
        TSR_TRY_OUT(put_lengths(output, held, width, err));
        TSR_TRY_OUT(put_columns(output, held, width, err));
    }
    TSR_TRY_OUT(put_values(output, held, err));
    TSR_TRY_OUT(tsr_output_commit(output, err));
    if (nbytes)
        *nbytes = tsr_output_nbytes(output);
out:
    tsr_output_free(output);
    return status;
}

static tsr_status petsc_write_tensor(const char *path, const tsr_tensor *tensor,
                                     const tsr_write_options *options, uint64_t *nbytes, tsr_error *err)
{
    return write_object(path, &(tsr_held){.tensor = tensor}, options, nbytes, err);
}

static tsr_status petsc_write_parts(const char *path, tsr_parts *parts, const tsr_write_options *options,
                                    uint64_t *nbytes, tsr_error *err)
{
    return write_object(path, &(tsr_held){parts->tensor, parts}, options, nbytes, err);
}

static const char *const suffixes[] = {".petsc", NULL};

const tsr_codec tsr_codec_petsc = {
    .name = "petsc",
    .summary = "PETSc binary: a matrix or a vector, integers of 4 or 8 bytes",
    .suffixes = suffixes,
    .probe = petsc_probe,
    .read = petsc_read,
    .feed = petsc_feed,
    .describe = petsc_describe,
    .takes_tensor = petsc_takes_tensor,
    .check = petsc_check,
    .write_tensor = petsc_write_tensor,
    .write_parts = petsc_write_parts,
};
