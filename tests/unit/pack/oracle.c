/* A packer that is slow and obvious: see oracle.h. */
#include "oracle.h"

typedef struct entry {
    uint64_t c[TSR_MAX_LEVELS]; /* storage coordinates */
    uint64_t index;             /* in the input */
    unsigned char value[TSR_MAX_VALUE_NBYTES];
} entry;

static void *must(void *p)
{
    assert_non_null(p);
    return p;
}

/* ---- entries in storage coordinates, sorted ---- */

static int by_coordinates(const entry *a, const entry *b)
{
    for (int l = 0; l < TSR_MAX_LEVELS; l++)
        if (a->c[l] != b->c[l])
            return a->c[l] < b->c[l] ? -1 : 1;
    return 0;
}

static int by_all(const void *x, const void *y)
{
    const entry *a = *(const entry *const *)x, *b = *(const entry *const *)y;
    const int order = by_coordinates(a, b);
    return order ? order : a->index < b->index ? -1 : a->index > b->index;
}

/* The entries in storage order, duplicates in input order; the caller frees. */
static entry *sort_entries(entry *entries, uint64_t n)
{
    const entry **pointers = must(malloc((n + 1) * sizeof *pointers));
    entry *sorted = must(malloc((n + 1) * sizeof *sorted));
    for (uint64_t e = 0; e < n; e++)
        pointers[e] = &entries[e];
    qsort(pointers, n, sizeof *pointers, by_all);
    for (uint64_t e = 0; e < n; e++)
        sorted[e] = *pointers[e];
    free(pointers);
    free(entries);
    return sorted;
}

static entry *take_entries(const tsr_coo *coo, const tsr_format *format)
{
    tsr_binding *binding;
    assert_ok(tsr_binding_new(&binding, format, coo->dims, err));
    entry *entries = must(calloc(coo->nnz + 1, sizeof *entries));
    const size_t width = tsr_type_nbytes(coo->type);
    for (uint64_t e = 0; e < coo->nnz; e++) {
        int64_t mode[TSR_MAX_ORDER] = {0}, result[TSR_MAP_MAX_RESULTS];
        for (int m = 0; m < coo->order; m++)
            mode[m] = (int64_t)tsr_array_get(&coo->crd[m], e);
        assert_ok(tsr_map_eval(result, binding->forward, mode, err));
        for (int l = 0; l < format->nlevels; l++)
            entries[e].c[l] = (uint64_t)(result[l] - binding->base[l]);
        entries[e].index = e;
        memcpy(entries[e].value, (const unsigned char *)coo->values.data + (coo->iso ? 0 : e * width), width);
    }
    tsr_binding_free(binding);
    return entries;
}

/* Merge equal entries; returns how many are left. */
static uint64_t merge(oracle *o, entry *entries, uint64_t n, tsr_type type, tsr_duplicates policy)
{
    uint64_t kept = 0;
    for (uint64_t e = 0; e < n; e++) {
        entry *last = kept > 0 ? &entries[kept - 1] : NULL;
        const bool duplicate = last && by_coordinates(last, &entries[e]) == 0;
        o->nduplicates += duplicate;
        if (!duplicate || policy == TSR_DUP_KEEP)
            entries[kept++] = entries[e];
        else if (policy == TSR_DUP_ERROR)
            o->status = TSR_DUPLICATE;
        else if (policy == TSR_DUP_LAST)
            memcpy(last->value, entries[e].value, sizeof last->value);
        else if (policy == TSR_DUP_SUM && !tsr_value_add(type, last->value, entries[e].value))
            o->status = TSR_RANGE;
    }
    return kept;
}

/* ---- levels ---- */

/* Does entry e open a position at level l that entry e-1 has not? Positions stand for the tuple of all
 * coordinates down to the end of l's group; in a group without a unique end for a single entry. */
static bool opens(const entry *entries, uint64_t e, const tsr_format *format, int l)
{
    int end = l;
    while (end < format->nlevels && format->levels[end].nonunique)
        end++;
    if (e == 0 || end == format->nlevels)
        return true;
    for (int k = 0; k <= end; k++)
        if (entries[e].c[k] != entries[e - 1].c[k])
            return true;
    return false;
}

/* Compressed: new positions one after the other, and in pos how many each parent has. position[e]: in: the
 * parent; out: the position. */
static void build_compressed(oracle_level *level, const entry *entries, uint64_t n, const tsr_format *format,
                             int l, uint64_t *position)
{
    level->pos = must(calloc(level->nparents + 1, sizeof(uint64_t)));
    level->crd = must(calloc(n + 1, sizeof(uint64_t)));
    for (uint64_t e = 0; e < n; e++) {
        if (opens(entries, e, format, l)) {
            level->crd[level->npos++] = entries[e].c[l];
            level->pos[position[e] + 1]++;
        }
        position[e] = level->npos - 1;
    }
    for (uint64_t p = 0; p < level->nparents; p++)
        level->pos[p + 1] += level->pos[p];
}

static void build_levels(oracle *o, const entry *entries, uint64_t n, const tsr_format *format,
                         const uint64_t *size, uint64_t *position)
{
    uint64_t nparents = 1;
    for (int l = 0; l < format->nlevels; l++) {
        oracle_level *level = &o->levels[l];
        level->nparents = nparents;
        if (strcmp(format->levels[l].type->name, "dense") == 0) {
            const uint64_t asked = format->levels[l].pitch, pitch = asked && size[l] ? asked : size[l];
            level->npos = nparents * pitch;
            for (uint64_t e = 0; e < n; e++)
                position[e] = position[e] * pitch + entries[e].c[l];
        } else if (strcmp(format->levels[l].type->name, "compressed") == 0) {
            build_compressed(level, entries, n, format, l, position);
        } else {
            level->npos = nparents;
            level->crd = must(malloc((nparents + 1) * sizeof(uint64_t)));
            for (uint64_t e = 0; e < n; e++) {
                const bool second = e > 0 && position[e] == position[e - 1];
                if (second && level->crd[position[e]] != entries[e].c[l])
                    o->status = TSR_ARGUMENT;
                level->crd[position[e]] = entries[e].c[l];
            }
        }
        nparents = level->npos;
    }
    o->npos = nparents;
}

/* entries: o->nstored of them, at these positions. */
static void build_values(oracle *o, const tsr_coo *coo, const tsr_format *format, const entry *entries,
                         const uint64_t *position, tsr_duplicates policy)
{
    const uint64_t n = o->nstored;
    const size_t width = tsr_type_nbytes(coo->type);
    const bool dense = tsr_format_has_dense_leaf(format);
    const bool summed = policy == TSR_DUP_SUM && o->nduplicates > 0 && coo->type != TSR_PATTERN;
    if (coo->iso && !dense && !summed) {
        o->nvalues = 1;
        o->values = must(calloc(1, width));
        if (format->nlevels > 0 || coo->nnz > 0)
            memcpy(o->values, coo->values.data, width);
        return;
    }
    o->nvalues = o->npos;
    o->values = must(calloc(o->npos + 1, width));
    if (coo->has_fill)
        for (uint64_t p = 0; p < o->npos; p++)
            memcpy(o->values + p * width, coo->fill, width);
    for (uint64_t e = 0; e < n; e++)
        memcpy(o->values + position[e] * width, entries[e].value, width);
}

void oracle_pack(oracle *o, const tsr_coo *coo, const tsr_format *format, tsr_duplicates policy)
{
    memset(o, 0, sizeof *o);
    if (policy == TSR_DUP_KEEP && !tsr_format_keeps_duplicates(format)) {
        o->status = TSR_ARGUMENT;
        return;
    }
    tsr_binding *binding;
    assert_ok(tsr_binding_new(&binding, format, coo->dims, err));
    entry *entries = take_entries(coo, format);
    o->was_sorted = true;
    for (uint64_t e = 1; e < coo->nnz; e++)
        o->was_sorted = o->was_sorted && by_coordinates(&entries[e - 1], &entries[e]) <= 0;
    entries = sort_entries(entries, coo->nnz);
    o->nstored = merge(o, entries, coo->nnz, coo->type, policy);
    uint64_t *position = must(calloc(coo->nnz + 1, sizeof *position));
    build_levels(o, entries, o->nstored, format, binding->size, position);
    build_values(o, coo, format, entries, position, policy);
    free(position);
    free(entries);
    tsr_binding_free(binding);
}

void oracle_clear(oracle *o)
{
    for (int l = 0; l < TSR_MAX_LEVELS; l++) {
        free(o->levels[l].pos);
        free(o->levels[l].crd);
    }
    free(o->values);
    memset(o, 0, sizeof *o);
}

/* ---- comparing ---- */

static size_t width_of(tsr_index_width policy, uint64_t max)
{
    switch (policy) {
    case TSR_INDEX_NARROW:
        return max < 256 ? 1 : max < 65536 ? 2 : max <= 4294967295 ? 4 : 8;
    case TSR_INDEX_INTEROP:
        return max <= 2147483647 ? 4 : 8;
    case TSR_INDEX_8:
        return 1;
    case TSR_INDEX_16:
        return 2;
    case TSR_INDEX_32:
        return 4;
    default:
        return 8;
    }
}

/* want: n elements of `width` bytes; NULL: no array. where: for the message. */
static void compare_array(const uint64_t *want, uint64_t n, size_t width, const tsr_array *have,
                          const char *where)
{
    if (!want) {
        if (have->data)
            fail_msg("%s: there is an array", where);
        return;
    }
    if (!have->data || have->n != n || have->width != width)
        fail_msg("%s has %d entries of %d bytes instead of %d of %d", where, (int)have->n, (int)have->width,
                 (int)n, (int)width);
    for (uint64_t i = 0; i < n; i++)
        if (tsr_array_get(have, i) != want[i])
            fail_msg("%s[%d] is %d instead of %d", where, (int)i, (int)tsr_array_get(have, i), (int)want[i]);
}

void oracle_compare(const oracle *o, const tsr_tensor *tensor, tsr_index_width policy, const char *what)
{
    for (int l = 0; l < tensor->nlevels; l++) {
        const tsr_level *level = &tensor->levels[l];
        const oracle_level *want = &o->levels[l];
        if (level->npos != want->npos || level->nparents != want->nparents)
            fail_msg("%s: level %d has %d positions under %d instead of %d under %d", what, l,
                     (int)level->npos, (int)level->nparents, (int)want->npos, (int)want->nparents);
        char where[200];
        snprintf(where, sizeof where, "%.150s: level %d: pos", what, l);
        compare_array(want->pos, want->nparents + 1, width_of(policy, want->npos), &level->pos, where);
        snprintf(where, sizeof where, "%.150s: level %d: crd", what, l);
        compare_array(want->crd, want->npos, width_of(policy, level->size ? level->size - 1 : 0), &level->crd,
                      where);
    }
    const size_t width = tsr_type_nbytes(tensor->type);
    assert_int_equal(tensor->npos, o->npos);
    assert_int_equal(tensor->values.width, width);
    if (tensor->values.n != o->nvalues)
        fail_msg("%s: %d values instead of %d", what, (int)tensor->values.n, (int)o->nvalues);
    if (memcmp(tensor->values.data, o->values, o->nvalues * width) != 0)
        fail_msg("%s: values differ", what);
    assert_int_equal(tensor->iso, o->nvalues == 1 && tensor->iso);
}

/* ---- coordinates ---- */

bool cancel_after(void *ctx, const char *phase, uint64_t done, uint64_t total)
{
    int *calls_left = ctx;
    assert_string_equal(phase, "pack");
    assert_true(done <= total);
    return (*calls_left)-- > 0;
}

tsr_coo *coo_copy(const tsr_coo *coo)
{
    tsr_coo *copy;
    assert_ok(tsr_coo_copy(&copy, coo, err));
    return copy;
}

/* Keep entries for which keep[e]. */
static void coo_filter(tsr_coo *coo, const bool *keep)
{
    uint64_t n = 0;
    const size_t width = coo->values.width;
    unsigned char *values = coo->values.data;
    for (uint64_t e = 0; e < coo->nnz; e++) {
        if (!keep[e])
            continue;
        for (int m = 0; m < coo->order; m++)
            tsr_array_set(&coo->crd[m], n, tsr_array_get(&coo->crd[m], e));
        if (!coo->iso)
            memmove(values + n * width, values + e * width, width);
        n++;
    }
    for (int m = 0; m < coo->order; m++)
        coo->crd[m].n = n;
    if (!coo->iso)
        coo->values.n = n;
    coo->nnz = n;
}

static tsr_format *all_compressed(int order)
{
    char letters[TSR_MAX_ORDER + 1] = "ssssssssssssssss";
    letters[order] = '\0';
    tsr_format *format;
    assert_ok(tsr_format_parse(&format, letters, order, NULL, err));
    return format;
}

static void drop_duplicates(tsr_coo *coo)
{
    bool *keep = must(calloc(coo->nnz + 1, sizeof *keep));
    if (coo->order == 0) {
        keep[0] = true;
    } else {
        tsr_format *format = all_compressed(coo->order);
        entry *entries = sort_entries(take_entries(coo, format), coo->nnz);
        for (uint64_t e = 0; e < coo->nnz; e++)
            keep[entries[e].index] = e == 0 || by_coordinates(&entries[e - 1], &entries[e]) != 0;
        free(entries);
        tsr_format_free(format);
    }
    coo_filter(coo, keep);
    free(keep);
}

tsr_coo *coo_random(tsr_rng *rng, tsr_shape shape, tsr_type type, uint64_t nnz, bool distinct, bool small)
{
    tsr_coo *coo;
    assert_ok(tsr_coo_new_sized(&coo, shape, type, type == TSR_PATTERN, nnz, err));
    for (uint64_t e = 0; e < nnz; e++)
        for (int m = 0; m < shape.ndims; m++)
            tsr_array_set(&coo->crd[m], e, tsr_rng_below(rng, shape.dims[m]));
    unsigned char *bytes = coo->values.data;
    const size_t width = coo->values.width, nbytes = coo->values.n * width;
    for (size_t i = 0; i < nbytes; i++)
        bytes[i] = (unsigned char)tsr_rng_next(rng);
    for (uint64_t e = 0; small && e < coo->values.n; e++) {
        const double one = (double)tsr_rng_below(rng, 5) - (tsr_type_class(type) == 'U' ? 0 : 2);
        assert_ok(tsr_values_convert(bytes + e * width, type, &one, TSR_F64, 1, err));
    }
    if (type == TSR_PATTERN)
        bytes[0] = 1;
    if (distinct)
        drop_duplicates(coo);
    return coo;
}

void coo_sort(tsr_coo *coo, const tsr_format *format)
{
    entry *entries = sort_entries(take_entries(coo, format), coo->nnz);
    tsr_coo *copy = coo_copy(coo);
    const size_t width = coo->values.width;
    for (uint64_t e = 0; e < coo->nnz; e++) {
        for (int m = 0; m < coo->order; m++)
            tsr_array_set(&coo->crd[m], e, tsr_array_get(&copy->crd[m], entries[e].index));
        if (!coo->iso)
            memcpy((unsigned char *)coo->values.data + e * width, entries[e].value, width);
    }
    tsr_coo_free(copy);
    free(entries);
}

void coo_drop_fill(tsr_coo *coo)
{
    static const unsigned char zero[TSR_MAX_VALUE_NBYTES];
    const unsigned char *fill = coo->has_fill ? coo->fill : zero;
    const size_t width = coo->values.width;
    bool *keep = must(calloc(coo->nnz + 1, sizeof *keep));
    for (uint64_t e = 0; e < coo->nnz; e++)
        keep[e] = memcmp((unsigned char *)coo->values.data + (coo->iso ? 0 : e * width), fill, width) != 0;
    coo_filter(coo, keep);
    free(keep);
}

static bool same_array(const tsr_array *a, const tsr_array *b)
{
    return a->n == b->n && a->width == b->width && memcmp(a->data, b->data, a->n * a->width) == 0;
}

void coo_must_equal(const tsr_coo *a, const tsr_coo *b, const char *what)
{
    if (a->nnz != b->nnz || a->order != b->order || a->type != b->type)
        fail_msg("%s: %d entries instead of %d", what, (int)b->nnz, (int)a->nnz);
    for (int m = 0; m < a->order; m++)
        if (a->dims[m] != b->dims[m] || !same_array(&a->crd[m], &b->crd[m]))
            fail_msg("%s: coordinates of mode %d differ", what, m);
    if (a->iso == b->iso) {
        if (!same_array(&a->values, &b->values))
            fail_msg("%s: values differ", what);
        return;
    }
    const size_t width = a->values.width;
    for (uint64_t e = 0; e < a->nnz; e++)
        if (memcmp((unsigned char *)a->values.data + (a->iso ? 0 : e * width),
                   (unsigned char *)b->values.data + (b->iso ? 0 : e * width), width) != 0)
            fail_msg("%s: values differ", what);
}
