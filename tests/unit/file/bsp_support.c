/* See bsp_support.h. */
#include "bsp_support.h"

tsr_coo *bsp_coo(int order, const uint64_t *dims, tsr_type type, const char *entries)
{
    enum { MAX = 4096 };
    static double number[MAX];
    size_t n = 0;
    for (char *end; n < MAX; n++, entries = end) {
        number[n] = strtod(entries, &end);
        if (end == entries)
            break;
    }
    const size_t each = (size_t)order + 1;
    assert_int_equal(n % each, 0);
    tsr_coo *coo;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){order, dims}, type, type == TSR_PATTERN, n / each, err));
    for (uint64_t e = 0; e < coo->nnz; e++) {
        for (int m = 0; m < order; m++)
            tsr_array_set(&coo->crd[m], e, (uint64_t)number[e * each + (size_t)m]);
        if (type == TSR_PATTERN)
            continue;
        const double v[2] = {number[e * each + (size_t)order], -0.5};
        const tsr_type from = tsr_type_class(type) == 'C' ? TSR_C128 : TSR_F64;
        assert_ok(
            tsr_values_convert((char *)coo->values.data + e * coo->values.width, type, v, from, 1, err));
    }
    if (type == TSR_PATTERN)
        tsr_array_set(&coo->values, 0, 1);
    return coo;
}

tsr_coo *bsp_random(tsr_rng *rng, int order, const uint64_t *dims, tsr_type type, uint64_t n)
{
    uint64_t cells = 1;
    for (int m = 0; m < order; m++)
        cells *= dims[m];
    bool *taken = calloc(cells + 1, 1);
    assert_non_null(taken);
    uint64_t ntaken = 0;
    for (uint64_t i = 0; cells > 0 && i < n; i++) {
        const uint64_t c = tsr_rng_below(rng, cells);
        ntaken += !taken[c];
        taken[c] = true;
    }
    tsr_coo *coo;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){order, dims}, type, type == TSR_PATTERN, ntaken, err));
    uint64_t e = 0;
    for (uint64_t c = 0; c < cells; c++) {
        if (!taken[c])
            continue;
        uint64_t rest = c;
        for (int m = order - 1; m >= 0; rest /= dims[m], m--)
            tsr_array_set(&coo->crd[m], e, rest % dims[m]);
        e++;
    }
    for (uint64_t i = 0; i < coo->values.n * coo->values.width; i++) /* any bits are a value, and none is 0 */
        ((unsigned char *)coo->values.data)[i] = (unsigned char)(1 + tsr_rng_below(rng, 100));
    if (type == TSR_PATTERN)
        tsr_array_set(&coo->values, 0, 1);
    free(taken);
    return coo;
}

/* ---- packing ---- */

typedef struct entry {
    uint64_t coord[TSR_MAX_LEVELS];
    uint64_t index, position;
    int lead; /* the first level that differs from the entry before */
} entry;

static int compare_entries(const void *x, const void *y)
{
    const entry *a = x, *b = y;
    for (int l = 0; l < TSR_MAX_LEVELS; l++)
        if (a->coord[l] != b->coord[l])
            return a->coord[l] < b->coord[l] ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

static entry *storage_order(const tsr_coo *coo, const tsr_tensor *tensor)
{
    entry *entries = calloc((size_t)coo->nnz + 1, sizeof *entries);
    assert_non_null(entries);
    tsr_binding *binding;
    assert_ok(tsr_binding_new(&binding, tensor->format, coo->dims, err));
    for (uint64_t e = 0; e < coo->nnz; e++) {
        int64_t in[TSR_MAX_ORDER], out[TSR_MAX_LEVELS];
        for (int m = 0; m < coo->order; m++)
            in[m] = (int64_t)tsr_array_get(&coo->crd[m], e);
        assert_ok(tsr_map_eval(out, binding->forward, in, err));
        for (int l = 0; l < tensor->nlevels; l++)
            entries[e].coord[l] = (uint64_t)(out[l] - binding->base[l]);
        entries[e].index = e;
    }
    tsr_binding_free(binding);
    qsort(entries, (size_t)coo->nnz, sizeof *entries, compare_entries);
    for (uint64_t e = 1; e < coo->nnz; e++)
        while (entries[e].lead < tensor->nlevels &&
               entries[e].coord[entries[e].lead] == entries[e - 1].coord[entries[e].lead])
            entries[e].lead++;
    return entries;
}

static void pack_level(tsr_tensor *tensor, int l, entry *entries, uint64_t n, size_t width)
{
    tsr_level *level = &tensor->levels[l];
    level->nparents = tensor->npos;
    if (level->type == &tsr_level_dense) {
        level->npos = level->nparents * level->pitch;
        for (uint64_t e = 0; e < n; e++)
            entries[e].position = entries[e].position * level->pitch + entries[e].coord[l];
    } else if (level->type == &tsr_level_singleton) {
        level->npos = level->nparents;
        assert_ok(tsr_array_init(&level->crd, level->npos, width, 1, "test", err));
        for (uint64_t e = 0; e < n; e++)
            tsr_array_set(&level->crd, entries[e].position, entries[e].coord[l]);
    } else {
        const int cut = tsr_format_cut(tensor->format, l);
        level->npos = 0;
        for (uint64_t e = 0; e < n; e++)
            level->npos += e == 0 || entries[e].lead <= cut;
        assert_ok(tsr_array_init(&level->pos, level->nparents + 1, width, 1, "test", err));
        assert_ok(tsr_array_init(&level->crd, level->npos, width, 1, "test", err));
        uint64_t q = 0, p = 0;
        for (uint64_t e = 0; e < n; e++) {
            if (e == 0 || entries[e].lead <= cut) {
                for (; p < entries[e].position; p++)
                    tsr_array_set(&level->pos, p + 1, q);
                tsr_array_set(&level->crd, q++, entries[e].coord[l]);
            }
            entries[e].position = q - 1;
        }
        for (; p < level->nparents; p++)
            tsr_array_set(&level->pos, p + 1, q);
    }
    tensor->npos = level->npos;
}

tsr_tensor *bsp_pack(const char *format_text, const tsr_coo *coo, size_t width)
{
    tsr_format *format;
    tsr_tensor *tensor;
    assert_ok(tsr_format_parse(&format, format_text, coo->order, coo->dims, err));
    assert_ok(tsr_tensor_new(&tensor, format, coo->dims, coo->type, err));
    entry *entries = storage_order(coo, tensor);
    for (int l = 0; l < tensor->nlevels; l++)
        pack_level(tensor, l, entries, coo->nnz, width ? width : 4);
    const bool dense = tsr_format_has_dense_leaf(format);
    tensor->iso = coo->iso && !dense;
    tensor->structure = coo->structure;
    tensor->has_fill = coo->has_fill;
    memcpy(tensor->fill, coo->fill, sizeof tensor->fill);
    const size_t nbytes = coo->values.width;
    assert_ok(tsr_array_init(&tensor->values, tensor->iso ? 1 : tensor->npos, nbytes, 1, "test", err));
    char *values = tensor->values.data;
    for (uint64_t p = 0; coo->has_fill && p < tensor->values.n; p++)
        memcpy(values + p * nbytes, coo->fill, nbytes);
    for (uint64_t e = 0; e < coo->nnz; e++)
        memcpy(values + (tensor->iso ? 0 : entries[e].position * nbytes),
               (char *)coo->values.data + (coo->iso ? 0 : entries[e].index * nbytes), nbytes);
    if (tensor->iso)
        memcpy(values, coo->values.data, nbytes);
    free(entries);
    tsr_format_free(format);
    return tensor;
}

/* ---- unpacking ---- */

/* The logical coordinates of position q; false for padding. */
static bool locate(int64_t *logical, const tsr_tensor *tensor, const tsr_binding *binding, uint64_t q)
{
    int64_t storage[TSR_MAX_LEVELS], again[TSR_MAX_LEVELS];
    for (int l = tensor->nlevels - 1; l >= 0; l--) {
        const tsr_level *level = &tensor->levels[l];
        uint64_t c;
        if (level->type == &tsr_level_dense) {
            c = q % level->pitch;
            q /= level->pitch;
            if (c >= level->size)
                return false;
        } else {
            c = tsr_array_get(&level->crd, q);
            uint64_t p = 0;
            while (level->type == &tsr_level_compressed && tsr_array_get(&level->pos, p + 1) <= q)
                p++;
            q = level->type == &tsr_level_compressed ? p : q;
        }
        storage[l] = (int64_t)c + binding->base[l];
    }
    assert_ok(tsr_map_eval(logical, binding->inverse, storage, err));
    for (int m = 0; m < tensor->order; m++)
        if (logical[m] < 0 || (uint64_t)logical[m] >= tensor->dims[m])
            return false;
    assert_ok(tsr_map_eval(again, binding->forward, logical, err));
    return memcmp(again, storage, (size_t)tensor->nlevels * sizeof *again) == 0;
}

tsr_coo *bsp_unpack(const tsr_tensor *tensor)
{
    tsr_binding *binding;
    tsr_coo *coo;
    assert_ok(tsr_binding_new(&binding, tensor->format, tensor->dims, err));
    const bool dense = tsr_format_has_dense_leaf(tensor->format);
    const bool iso = tensor->iso || tensor->type == TSR_PATTERN;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){tensor->order, tensor->dims}, tensor->type, iso,
                                tensor->npos, err));
    const size_t nbytes = tensor->values.width;
    coo->structure = tensor->structure;
    uint64_t e = 0;
    for (uint64_t q = 0; q < tensor->npos; q++) {
        const char *v = (char *)tensor->values.data + (tensor->iso ? 0 : q * nbytes);
        int64_t logical[TSR_MAX_ORDER];
        if ((dense && memcmp(v, tensor->fill, nbytes) == 0) || !locate(logical, tensor, binding, q))
            continue;
        for (int m = 0; m < tensor->order; m++)
            tsr_array_set(&coo->crd[m], e, (uint64_t)logical[m]);
        if (!iso)
            memcpy((char *)coo->values.data + e * nbytes, v, nbytes);
        e++;
    }
    coo->nnz = e;
    for (int m = 0; m < tensor->order; m++)
        coo->crd[m].n = e;
    coo->values.n = iso ? 1 : e;
    if (iso && tensor->type == TSR_PATTERN)
        tsr_array_set(&coo->values, 0, 1);
    else if (iso)
        memcpy(coo->values.data, tensor->values.data, nbytes);
    tsr_binding_free(binding);
    return coo;
}

/* ---- comparing ---- */

static void assert_arrays(const char *what, int l, const tsr_array *a, const tsr_array *b)
{
    if ((a->data == NULL) != (b->data == NULL) || a->n != b->n || a->width != b->width)
        fail_msg("%s of level %d: %llu x %zu against %llu x %zu", what, l, (unsigned long long)a->n, a->width,
                 (unsigned long long)b->n, b->width);
    if (a->data && memcmp(a->data, b->data, (size_t)(a->n * a->width)) != 0)
        fail_msg("%s of level %d differ", what, l);
}

void bsp_assert_same(const tsr_tensor *a, const tsr_tensor *b)
{
    assert_true(tsr_format_equal(a->format, b->format));
    assert_int_equal(a->order, b->order);
    assert_memory_equal(a->dims, b->dims, sizeof a->dims);
    assert_int_equal(a->type, b->type);
    assert_int_equal(a->structure, b->structure);
    assert_int_equal(a->nlevels, b->nlevels);
    assert_int_equal(a->npos, b->npos);
    assert_int_equal(a->iso, b->iso);
    assert_int_equal(a->has_fill, b->has_fill);
    assert_memory_equal(a->fill, b->fill, sizeof a->fill);
    for (int l = 0; l < a->nlevels; l++) {
        const tsr_level *x = &a->levels[l], *y = &b->levels[l];
        assert_ptr_equal(x->type, y->type);
        assert_int_equal(x->nonunique, y->nonunique);
        assert_int_equal(x->size, y->size);
        assert_int_equal(x->nparents, y->nparents);
        assert_int_equal(x->npos, y->npos);
        if (l == 0 && x->pos.data) { /* the root's pointers are not in the file: their width is free */
            assert_int_equal(tsr_array_get(&x->pos, 1), tsr_array_get(&y->pos, 1));
            assert_int_equal(tsr_array_get(&y->pos, 0), 0);
        } else
            assert_arrays("pointers", l, &x->pos, &y->pos);
        assert_arrays("coordinates", l, &x->crd, &y->crd);
    }
    assert_arrays("values", -1, &a->values, &b->values);
}

void bsp_assert_entries(const tsr_coo *a, const tsr_coo *b)
{
    bool same = false;
    tsr_error e = {0};
    if (tsr_coo_same(&same, a, b, &e) != TSR_OK || !same)
        fail_msg("entries differ: %s", e.message);
}

void bsp_write(const char *path, const tsr_tensor *tensor, int deflate, int nthreads)
{
    const tsr_write_options o = {.deflate = deflate, .nthreads = nthreads};
    assert_ok(tsr_codec_binsparse.write_tensor(path, tensor, &o, NULL, err));
}

tsr_tensor *bsp_read(const char *path)
{
    tsr_data data;
    const tsr_read_options o = {.nthreads = 2};
    assert_ok(tsr_codec_binsparse.read(&data, path, &o, err));
    assert_null(data.coo);
    assert_non_null(data.tensor);
    return data.tensor;
}
