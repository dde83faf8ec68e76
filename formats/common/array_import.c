/* From the arrays of other software to a tensor: see array_import.h. */
#include "array_import.h"

#include <inttypes.h>
#include <string.h>

#include "array_repair.h"
#include "array_spell.h"
#include "tsr_checked.h"
#include "tsr_clones.h"
#include "tsr_memory.h"
#include "tsr_parallel.h"

void tsr_arrays_clear(tsr_arrays *in)
{
    tsr_array_clear(&in->values.array);
    tsr_array_clear(&in->pointers.array);
    for (int m = 0; m < TSR_MAX_ORDER; m++)
        tsr_array_clear(&in->crd[m].array);
}

/* ---- numbers ---- */

#define FIND_BELOW(ctype, low)                                                \
    do {                                                                      \
        const ctype *v = array->data;                                         \
        for (uint64_t i = 0; i < array->n; i += BLOCK) {                      \
            const uint64_t end = array->n - i < BLOCK ? array->n : i + BLOCK; \
            ctype least = INT8_MAX;                                           \
            for (uint64_t j = i; j < end; j++)                                \
                least = v[j] < least ? v[j] : least;                          \
            for (uint64_t j = i; least < (low) && j < end; j++)               \
                if (v[j] < (low))                                             \
                    return j;                                                 \
        }                                                                     \
    } while (0)

/* The first element less than `low` (0 or 1); the length of the array if no element is. */
static uint64_t find_below(const tsr_array *array, tsr_type type, uint64_t low)
{
    enum { BLOCK = 4096 };
    switch (type) {
    case TSR_I8:
        FIND_BELOW(int8_t, (int)low);
        break;
    case TSR_I16:
        FIND_BELOW(int16_t, (int)low);
        break;
    case TSR_I32:
        FIND_BELOW(int32_t, (int)low);
        break;
    case TSR_I64:
        FIND_BELOW(int64_t, (int)low);
        break;
    default:
        for (uint64_t i = 0; low > 0 && i < array->n; i++)
            if (tsr_array_get(array, i) < low)
                return i;
        break;
    }
    return array->n;
}

uint64_t tsr_indices_rebase(tsr_array *array, tsr_type type, uint64_t base)
{
    const uint64_t at = find_below(array, type, base);
    for (uint64_t i = 0; base > 0 && at == array->n && i < array->n; i++)
        tsr_array_set(array, i, tsr_array_get(array, i) - base);
    return at;
}

/* The indices of most slices rise, so that the last one is the largest: only where they do not, all are compared with the dim. The
 * loops run without branches. */
#define LOOK(ctype)                                                              \
    do {                                                                         \
        const ctype *const v = indices->data;                                    \
        ctype falls = 0, any = 0;                                                \
        for (uint64_t q = first + 1; q < end; q++)                               \
            falls |= (ctype)(v[q - 1] >= v[q]);                                  \
        for (uint64_t q = falls || first == end ? first : end - 1; q < end; q++) \
            any |= (ctype)(v[q] >= dim);                                         \
        *beyond = end;                                                           \
        for (uint64_t q = first; any && q < end; q++)                            \
            if (v[q] >= dim) {                                                   \
                *beyond = q;                                                     \
                break;                                                           \
            }                                                                    \
        return !falls;                                                           \
    } while (0)

TSR_CLONES bool tsr_indices_look(uint64_t *beyond, const tsr_array *indices, uint64_t first, uint64_t end,
                                 uint64_t dim)
{
    switch (indices->width) {
    case 1:
        LOOK(uint8_t);
    case 2:
        LOOK(uint16_t);
    case 4:
        LOOK(uint32_t);
    default:
        LOOK(uint64_t);
    }
}

/* Change floating-point indices, as programs in MATLAB and R store them, to 64-bit integers. */
static tsr_status make_integers(tsr_numbers *numbers, tsr_error *err)
{
    tsr_error why = {0};
    const tsr_status status = tsr_values_retype(&numbers->array, TSR_I64, numbers->type, &why);
    if (status == TSR_RANGE)
        return tsr_fail(err, TSR_CORRUPT, "array '%s' has indices that are not integers", numbers->name);
    if (status != TSR_OK)
        return tsr_fail(err, status, "%s", why.message);
    numbers->type = TSR_I64;
    return TSR_OK;
}

tsr_status tsr_numbers_to_indices(tsr_numbers *numbers, uint64_t base, tsr_error *err)
{
    const char class = tsr_type_class(numbers->type);
    if (class == 'R')
        TSR_TRY(make_integers(numbers, err));
    else if (class != 'I' && class != 'U')
        return tsr_fail(err, TSR_CORRUPT, "array '%s' has %s values where indices are expected",
                        numbers->name, tsr_type_name(numbers->type));
    const tsr_array *const array = &numbers->array;
    const uint64_t at = tsr_indices_rebase(&numbers->array, numbers->type, base);
    if (at < array->n && tsr_array_get(array, at) != 0)
        return tsr_fail(err, TSR_CORRUPT, "array '%s' has a negative value at %" PRIu64, numbers->name, at);
    if (at < array->n)
        return tsr_fail(err, TSR_CORRUPT, "array '%s' has 0 at %" PRIu64 ", but the indices count from 1",
                        numbers->name, at);
    return TSR_OK;
}

tsr_status tsr_numbers_to_dims(uint64_t *dims, const tsr_numbers *numbers, int order, tsr_error *err)
{
    int64_t wide[TSR_MAX_ORDER];
    const tsr_status status =
        numbers->array.n == (uint64_t)order && order <= TSR_MAX_ORDER
            ? tsr_values_convert(wide, TSR_I64, numbers->array.data, numbers->type, (uint64_t)order, NULL)
            : TSR_CORRUPT;
    for (int m = 0; status == TSR_OK && m < order; m++) {
        if (wide[m] < 0)
            return tsr_fail(err, TSR_CORRUPT, "array '%s' has the dimension %" PRId64, numbers->name,
                            wide[m]);
        dims[m] = (uint64_t)wide[m];
    }
    return status == TSR_OK
               ? TSR_OK
               : tsr_fail(err, TSR_CORRUPT, "array '%s' must have %d dimensions", numbers->name, order);
}

void tsr_numbers_swap(tsr_numbers *numbers)
{
    unsigned char *bytes = numbers->array.data;
    const size_t parts = tsr_type_class(numbers->type) == 'C' ? 2 : 1;
    const size_t width = numbers->array.width / parts;
    for (uint64_t i = 0; width > 1 && i < numbers->array.n * parts; i++, bytes += width)
        for (size_t k = 0; k < width / 2; k++) {
            const unsigned char b = bytes[k];
            bytes[k] = bytes[width - 1 - k];
            bytes[width - 1 - k] = b;
        }
}

tsr_status tsr_indices_as(const void **out, tsr_array *copy, const tsr_array *from, size_t width,
                          tsr_error *err)
{
    *copy = (tsr_array){0};
    *out = from->data;
    if (from->width == width)
        return TSR_OK;
    TSR_TRY(tsr_array_init(copy, from->n, width, 0, "a copy of the indices", err));
    tsr_array_copy(copy, 0, from, 0, from->n);
    *out = copy->data;
    return TSR_OK;
}

/* ---- shapes and values ---- */

tsr_status tsr_arrays_check_shape(const tsr_read_options *o, int order, const uint64_t *dims, tsr_error *err)
{
    if (o->shape_order > 0 && o->shape_order != order)
        return tsr_fail(err, TSR_ARGUMENT, "the tensor has %d modes, but %d dims were given", order,
                        o->shape_order);
    for (int m = 0; m < o->shape_order; m++)
        if (o->shape[m] != dims[m])
            return tsr_fail(err, TSR_ARGUMENT,
                            "dim %d of the tensor is %" PRIu64 ", but %" PRIu64 " was given", m, dims[m],
                            o->shape[m]);
    return TSR_OK;
}

static tsr_status check_dims(const tsr_arrays *in, const tsr_read_options *options, tsr_error *err)
{
    if (in->order < 0 || in->order > TSR_MAX_ORDER)
        return tsr_fail(err, TSR_LIMIT, "the tensor has %d modes: at most %d are supported", in->order,
                        TSR_MAX_ORDER);
    for (int m = 0; m < in->order; m++)
        if (in->dims[m] > INT64_MAX)
            return tsr_fail(err, TSR_LIMIT, "dim %d is %" PRIu64 ": at most 2^63 - 1 is supported", m,
                            in->dims[m]);
    return tsr_arrays_check_shape(options, in->order, in->dims, err);
}

static tsr_status check_length(const tsr_numbers *numbers, uint64_t expected, tsr_error *err)
{
    if (!numbers->array.data)
        return tsr_fail(err, TSR_CORRUPT, "array '%s' is missing", numbers->name ? numbers->name : "?");
    if (numbers->array.n != expected)
        return tsr_fail(err, TSR_CORRUPT, "array '%s' has %" PRIu64 " values where %" PRIu64 " are expected",
                        numbers->name, numbers->array.n, expected);
    return TSR_OK;
}

tsr_status tsr_arrays_make_pattern(tsr_arrays *in, tsr_error *err)
{
    tsr_array_clear(&in->values.array);
    in->values.type = TSR_PATTERN;
    in->iso = true;
    in->has_fill = false;
    TSR_TRY(tsr_array_init(&in->values.array, 1, 1, 1, "values", err));
    tsr_array_set(&in->values.array, 0, 1);
    return TSR_OK;
}

/* Change bytes 0 and 1 to a pattern if all are 1. */
static tsr_status settle_boolean(tsr_arrays *in, bool all_cells, tsr_error *err)
{
    const uint8_t *const byte = in->values.array.data;
    bool ones = true;
    for (uint64_t i = 0; i < in->values.array.n; i++) {
        if (byte[i] > 1)
            return tsr_fail(err, TSR_CORRUPT,
                            "array '%s' must have truth values (0 or 1), but has %u at %" PRIu64,
                            in->values.name, byte[i], i);
        ones = ones && byte[i] == 1;
    }
    in->values.type = TSR_U8;
    return ones && !all_cells && !in->has_fill ? tsr_arrays_make_pattern(in, err) : TSR_OK;
}

/* Convert the values to the type that the user wants. all_cells: there is a value for each cell. */
static tsr_status settle_values(tsr_arrays *in, const tsr_read_options *options, bool all_cells,
                                tsr_error *err)
{
    static const unsigned char zero[TSR_MAX_VALUE_NBYTES];
    in->has_fill = in->has_fill && memcmp(in->fill, zero, sizeof zero) != 0;
    if (in->boolean)
        TSR_TRY(settle_boolean(in, all_cells, err));
    if (!options->has_type || options->type == in->values.type)
        return TSR_OK;
    if (options->type == TSR_PATTERN && all_cells)
        return tsr_fail(
            err, TSR_UNSUPPORTED,
            "cannot read a dense array as a pattern: read it with its type, and convert it afterwards");
    if (options->type == TSR_PATTERN)
        return tsr_arrays_make_pattern(in, err);
    _Alignas(16) unsigned char fill[TSR_MAX_VALUE_NBYTES] = {0};
    if (in->has_fill)
        TSR_TRY(tsr_values_convert(fill, options->type, in->fill, in->values.type, 1, err));
    memcpy(in->fill, fill, sizeof fill);
    TSR_TRY(tsr_values_retype(&in->values.array, options->type, in->values.type, err));
    in->values.type = options->type;
    return TSR_OK;
}

/* ---- making the tensor ---- */

/* Make a tensor of the format with the values; the caller fills the levels. */
static tsr_status new_tensor(tsr_tensor **out, tsr_arrays *in, tsr_format *format, tsr_error *err)
{
    TSR_TRY(tsr_tensor_new(out, format, in->dims, in->values.type, err));
    tsr_array_clear(&(*out)->values);
    (*out)->values = tsr_array_take(&in->values.array);
    (*out)->iso = in->iso;
    (*out)->structure = in->structure;
    (*out)->has_fill = in->has_fill;
    memcpy((*out)->fill, in->fill, sizeof in->fill);
    return TSR_OK;
}

static void fill_dense(tsr_tensor *tensor, int l, uint64_t nparents)
{
    tsr_level *const level = &tensor->levels[l];
    level->nparents = nparents;
    level->npos = nparents * level->pitch;
    tensor->npos = level->npos;
}

static void fill_compressed(tsr_tensor *tensor, int l, tsr_arrays *in)
{
    tsr_level *const level = &tensor->levels[l];
    level->nparents = in->pointers.array.n - 1;
    level->npos = in->crd[0].array.n;
    tsr_array_clear(&level->pos);
    tsr_array_clear(&level->crd);
    level->pos = tsr_array_take(&in->pointers.array);
    level->crd = tsr_array_take(&in->crd[0].array);
    tensor->npos = level->npos;
}

/* ---- coordinates ---- */

/* Check the coordinates of one mode against the dim, and give them the width of a coo. */
static tsr_status take_mode(tsr_array *to, tsr_numbers *from, uint64_t dim, tsr_error *err)
{
    enum { STEP = 1024 };
    uint64_t block[STEP];
    for (uint64_t first = 0; first < from->array.n; first += STEP) {
        const size_t n = from->array.n - first < STEP ? (size_t)(from->array.n - first) : STEP;
        tsr_array_load(block, &from->array, first, n);
        for (size_t i = 0; i < n; i++)
            if (block[i] >= dim)
                return tsr_fail(err, TSR_CORRUPT,
                                "array '%s' has %" PRIu64 " at %" PRIu64 ", but the dim is %" PRIu64,
                                from->name, block[i], first + i, dim);
    }
    TSR_TRY(tsr_array_set_width(&from->array, to->width, "an array of coordinates", err));
    tsr_array_clear(to);
    *to = tsr_array_take(&from->array);
    return TSR_OK;
}

static tsr_status read_coordinates(tsr_coo **out, tsr_arrays *in, const tsr_read_options *options,
                                   tsr_error *err)
{
    tsr_coo *coo = NULL;
    tsr_status status;
    const uint64_t nnz = in->order > 0 ? in->crd[0].array.n : in->values.array.n;
    TSR_TRY(check_dims(in, options, err));
    for (int m = 0; m < in->order; m++)
        TSR_TRY(check_length(&in->crd[m], nnz, err));
    TSR_TRY(check_length(&in->values, in->iso ? 1 : nnz, err));
    TSR_TRY(tsr_coo_new(&coo, (tsr_shape){in->order, in->dims}, TSR_F64, err));
    for (int m = 0; m < in->order; m++) {
        TSR_TRY_OUT(tsr_numbers_to_indices(&in->crd[m], in->base, err));
        TSR_TRY_OUT(take_mode(&coo->crd[m], &in->crd[m], in->dims[m], err));
    }
    TSR_TRY_OUT(settle_values(in, options, false, err));
    tsr_array_clear(&coo->values);
    coo->nnz = nnz;
    coo->type = in->values.type;
    coo->iso = in->iso;
    coo->values = tsr_array_take(&in->values.array);
    coo->structure = in->structure;
    coo->has_fill = in->has_fill;
    memcpy(coo->fill, in->fill, sizeof in->fill);
    if (in->structure != TSR_GENERAL)
        TSR_TRY_OUT(tsr_coo_check(coo, tsr_thread_count(options->nthreads), err));
    *out = coo;
    return TSR_OK;
out:
    tsr_coo_free(coo);
    return status;
}

tsr_status tsr_arrays_coordinates(tsr_data *out, tsr_arrays *in, const tsr_read_options *options,
                                  tsr_error *err)
{
    const tsr_status status = read_coordinates(&out->coo, in, options, err);
    tsr_arrays_clear(in);
    return status;
}

/* ---- slices ---- */

/* Check that the pointers never fall, begin with 0 and end with nnz. */
static tsr_status check_pointers(const tsr_numbers *pointers, uint64_t nnz, tsr_error *err)
{
    const tsr_array *const p = &pointers->array;
    uint64_t last = tsr_array_get(p, 0);
    if (last != 0)
        return tsr_fail(err, TSR_CORRUPT, "array '%s' begins with %" PRIu64 " instead of 0", pointers->name,
                        last);
    for (uint64_t i = 1; i < p->n; i++) {
        const uint64_t next = tsr_array_get(p, i);
        if (next < last)
            return tsr_fail(
                err, TSR_CORRUPT, "array '%s' falls from %" PRIu64 " to %" PRIu64 " at %" PRIu64 "%s",
                pointers->name, last, next, i,
                p->width <= 4 && nnz > INT32_MAX
                    ? ": the file was written with pointers that are too small for the number of entries"
                    : "");
        last = next;
    }
    if (last != nnz)
        return tsr_fail(err, TSR_CORRUPT,
                        "array '%s' ends with %" PRIu64 ", but there are %" PRIu64 " entries", pointers->name,
                        last, nnz);
    return TSR_OK;
}

/* The check of the indices of all slices, on several threads. */
typedef struct scan {
    const tsr_array *pointers, *indices;
    uint64_t dim;
    uint64_t fault[TSR_MAX_THREADS]; /* the first index out of range; UINT64_MAX: all are in range */
    bool rises[TSR_MAX_THREADS];     /* the indices of each slice rise */
} scan;

/* The first slice of thread t: all threads have about the same number of entries. */
static uint64_t first_slice(const scan *s, int t, int nthreads)
{
    if (t == 0 || t == nthreads)
        return t ? s->pointers->n - 1 : 0;
    return tsr_array_seek(s->pointers, 0, s->pointers->n, tsr_cut(s->indices->n, t, nthreads));
}

static void scan_part(void *arg, int t, int nthreads)
{
    scan *const s = arg;
    const uint64_t last = first_slice(s, t + 1, nthreads);
    s->fault[t] = UINT64_MAX;
    s->rises[t] = true;
    for (uint64_t i = first_slice(s, t, nthreads); i < last; i++) {
        const uint64_t begin = tsr_array_get(s->pointers, i), end = tsr_array_get(s->pointers, i + 1);
        uint64_t beyond;
        s->rises[t] = tsr_indices_look(&beyond, s->indices, begin, end, s->dim) && s->rises[t];
        if (beyond < end) {
            s->fault[t] = beyond;
            return;
        }
    }
}

/* Whether negative indices, taken as unsigned numbers, are beyond the dim, so that the scan finds them. */
static bool scan_finds_negative(const tsr_numbers *indices, uint64_t base, uint64_t dim)
{
    const char class = tsr_type_class(indices->type);
    return base == 0 &&
           (class == 'U' || (class == 'I' && dim <= (uint64_t)1 << (8 * indices->array.width - 1)));
}

static tsr_status check_slices_once(bool *rises, tsr_arrays *in, uint64_t nslices, uint64_t dim,
                                    const tsr_read_options *options, tsr_error *err)
{
    const uint64_t nnz = in->crd[0].array.n;
    TSR_TRY(check_length(&in->pointers, nslices + 1, err)); /* a dim is below 2^63 */
    TSR_TRY(check_length(&in->crd[0], nnz, err));
    TSR_TRY(tsr_numbers_to_indices(&in->pointers, in->base, err));
    if (!scan_finds_negative(&in->crd[0], in->base, dim))
        TSR_TRY(tsr_numbers_to_indices(&in->crd[0], in->base, err));
    TSR_TRY(check_pointers(&in->pointers, nnz, err));
    scan s = {.pointers = &in->pointers.array, .indices = &in->crd[0].array, .dim = dim};
    const int nthreads = nnz > 1 << 16 ? tsr_thread_count(options->nthreads) : 1;
    tsr_parallel(nthreads, scan_part, &s);
    *rises = true;
    for (int t = 0; t < nthreads; t++) {
        if (s.fault[t] != UINT64_MAX) {
            TSR_TRY(tsr_numbers_to_indices(&in->crd[0], in->base, err)); /* the first negative one, if any */
            return tsr_fail(err, TSR_CORRUPT,
                            "array '%s' has %" PRIu64 " at %" PRIu64 ", but the dim is %" PRIu64,
                            in->crd[0].name, tsr_array_get(s.indices, s.fault[t]), s.fault[t], dim);
        }
        *rises = *rises && s.rises[t];
    }
    return TSR_OK;
}

/* Check the pointers and the indices of nslices slices, after repairing them if the user wants that. *rises: the indices
 * of each slice rise. The error says whether a repair is possible. */
static tsr_status check_slices(bool *rises, tsr_arrays *in, uint64_t nslices, uint64_t dim,
                               const tsr_read_options *options, tsr_error *err)
{
    tsr_error why = {0};
    if (options->repair)
        TSR_TRY(tsr_arrays_mend(in, dim, options, err));
    const tsr_status status = check_slices_once(rises, in, nslices, dim, options, &why);
    const char *const hint = status == TSR_CORRUPT && !options->repair ? tsr_arrays_diagnose(in, dim) : NULL;
    if (status != TSR_OK && hint)
        return tsr_fail(err, status, "%s: %s", why.message, hint);
    if (status != TSR_OK && err)
        *err = why;
    if (status == TSR_OK && !*rises && (options->repair || options->check))
        tsr_warn(options->observer, NULL, 0,
                 options->repair ? "repaired: the indices of array '%s' do not rise in each slice: the "
                                   "entries are sorted, and "
                                   "those of one cell are combined (see --duplicates)"
                                 : "the indices of array '%s' do not rise in each slice, which not all "
                                   "programs read: tconv --repair sorts "
                                   "the entries, and combines those of one cell",
                 in->crd[0].name);
    return status;
}

static tsr_status read_slices(tsr_data *out, tsr_arrays *in, const tsr_read_options *options, tsr_error *err)
{
    tsr_format *format = NULL;
    bool rises = false;
    TSR_TRY(check_dims(in, options, err));
    TSR_TRY(check_slices(&rises, in, in->dims[in->major], in->dims[1 - in->major], options, err));
    TSR_TRY(check_length(&in->values, in->iso ? 1 : in->crd[0].array.n, err));
    if (!rises || in->structure != TSR_GENERAL) {
        TSR_TRY(tsr_arrays_spell_slices(in, err));
        TSR_TRY(read_coordinates(&out->coo, in, options, err));
        out->coo->repaired = options->repair && !rises;
        if (options->repair)
            out->coo->natural = in->major == 0 ? "csr" : "csc";
        return TSR_OK;
    }
    TSR_TRY(settle_values(in, options, false, err));
    TSR_TRY(tsr_format_nested(&format, 2, 1, (const int[]){in->major, 1 - in->major}, err));
    const tsr_status status = new_tensor(&out->tensor, in, format, err);
    tsr_format_free(format);
    TSR_TRY(status);
    fill_dense(out->tensor, 0, 1);
    fill_compressed(out->tensor, 1, in);
    return TSR_OK;
}

tsr_status tsr_arrays_compressed(tsr_data *out, tsr_arrays *in, const tsr_read_options *options,
                                 tsr_error *err)
{
    const tsr_status status = read_slices(out, in, options, err);
    tsr_arrays_clear(in);
    return status;
}

/* ---- grouped modes ---- */

static tsr_status read_grouped(tsr_data *out, tsr_arrays *in, const tsr_read_options *options, tsr_error *err)
{
    tsr_grouping g;
    bool rises;
    TSR_TRY(check_dims(in, options, err));
    TSR_TRY(tsr_arrays_group(&g, in, err));
    TSR_TRY(check_slices(&rises, in, g.ncells[0], g.ncells[1], options, err));
    TSR_TRY(check_length(&in->values, in->iso ? 1 : in->crd[0].array.n, err));
    TSR_TRY(tsr_arrays_spell_grouped(in, &g, err));
    return read_coordinates(&out->coo, in, options, err);
}

tsr_status tsr_arrays_grouped(tsr_data *out, tsr_arrays *in, const tsr_read_options *options, tsr_error *err)
{
    const tsr_status status = read_grouped(out, in, options, err);
    tsr_arrays_clear(in);
    return status;
}

/* ---- blocks ---- */

/* The format bcsr(R,C), in which the values have the order of the file: (i floordiv R : dense, j floordiv C
 * : compressed, i mod R : dense, j mod C : dense). */
static tsr_status new_blocked(tsr_data *out, tsr_arrays *in, tsr_error *err)
{
    tsr_format *format = NULL;
    tsr_text text = {0};
    tsr_text_addf(&text, "bcsr(%" PRIu64 ",%" PRIu64 ")", in->block[0], in->block[1]);
    tsr_status status = tsr_text_status(&text, err);
    if (status == TSR_OK)
        status = tsr_format_parse(&format, text.s, 2, in->dims, err);
    if (status == TSR_OK)
        status = new_tensor(&out->tensor, in, format, err);
    if (status == TSR_OK) {
        fill_dense(out->tensor, 0, 1);
        fill_compressed(out->tensor, 1, in);
        fill_dense(out->tensor, 2, out->tensor->npos);
        fill_dense(out->tensor, 3, out->tensor->npos);
    }
    tsr_format_free(format);
    tsr_text_clear(&text);
    return status;
}

static tsr_status read_blocks(tsr_data *out, tsr_arrays *in, const tsr_read_options *options, tsr_error *err)
{
    const uint64_t rows = in->block[0], columns = in->block[1];
    uint64_t ncells, each;
    bool rises = false;
    TSR_TRY(check_dims(in, options, err));
    if (rows == 0 || columns == 0 || in->dims[0] % rows != 0 || in->dims[1] % columns != 0)
        return tsr_fail(err, TSR_CORRUPT,
                        "blocks of %" PRIu64 " x %" PRIu64 " do not tile a matrix of %" PRIu64 " x %" PRIu64,
                        rows, columns, in->dims[0], in->dims[1]);
    TSR_TRY(check_slices(&rises, in, in->dims[0] / rows, in->dims[1] / columns, options, err));
    if (!tsr_mul_u64(&each, rows, columns) || !tsr_mul_u64(&ncells, each, in->crd[0].array.n))
        ncells = UINT64_MAX;
    TSR_TRY(check_length(&in->values, ncells, err));
    if (!rises) {
        TSR_TRY(tsr_arrays_spell_blocks(in, err));
        return read_coordinates(&out->coo, in, options, err);
    }
    TSR_TRY(settle_values(in, options, true, err));
    return new_blocked(out, in, err);
}

tsr_status tsr_arrays_blocks(tsr_data *out, tsr_arrays *in, const tsr_read_options *options, tsr_error *err)
{
    const tsr_status status = read_blocks(out, in, options, err);
    tsr_arrays_clear(in);
    return status;
}

/* ---- dense ---- */

static tsr_status read_dense(tsr_data *out, tsr_arrays *in, const tsr_read_options *options, tsr_error *err)
{
    int modes[TSR_MAX_ORDER];
    uint64_t ncells = 1;
    tsr_format *format = NULL;
    TSR_TRY(check_dims(in, options, err));
    for (int m = 0; m < in->order; m++) {
        if (!tsr_mul_u64(&ncells, ncells, in->dims[m]))
            return tsr_fail(err, TSR_CORRUPT, "the array has more than 2^64 cells");
        modes[m] = in->fortran ? in->order - 1 - m : m;
    }
    TSR_TRY(check_length(&in->values, ncells, err));
    TSR_TRY(settle_values(in, options, in->order > 0, err));
    TSR_TRY(tsr_format_dense(&format, in->order, modes, err));
    const tsr_status status = new_tensor(&out->tensor, in, format, err);
    tsr_format_free(format);
    TSR_TRY(status);
    out->tensor->npos = 1;
    for (int l = 0; l < in->order; l++)
        fill_dense(out->tensor, l, out->tensor->npos);
    return TSR_OK;
}

tsr_status tsr_arrays_dense(tsr_data *out, tsr_arrays *in, const tsr_read_options *options, tsr_error *err)
{
    const tsr_status status = read_dense(out, in, options, err);
    tsr_arrays_clear(in);
    return status;
}
