/* The transformations: from the text of each option to a map. Each one does what the NumPy function of the
 * same name does to the tensor written out in full. */
#include <inttypes.h>

#include "transform_plan.h"
#include "tsr_checked.h"
#include "tsr_num.h"
#include "tsr_suggest.h"

/* ---- modes: transpose, reverse, unfold ---- */

static tsr_status check_modes(const char *text, tsr_error *err)
{
    transform_items items;
    return transform_items_parse(&items, text, text, 1, false, err);
}

/* The modes that `text` lists, and flags of them. */
static tsr_status list_modes(int *n, bool *flags, int *modes, const char *text, int order, tsr_error *err)
{
    transform_items items;
    TSR_TRY(transform_items_parse(&items, text, text, 1, false, err));
    *n = items.n;
    return transform_items_modes(flags, modes, &items, order, err);
}

static tsr_status follow_transpose(transform_plan *plan, const int *perm, tsr_error *err)
{
    tsr_map *map;
    uint64_t dims[TSR_MAX_ORDER];
    TSR_TRY(tsr_map_transpose(&map, dims, TSR_INPUT_TO_OUTPUT, transform_shape(plan), perm, err));
    return transform_plan_map(plan, map, plan->order, dims, err);
}

static tsr_status plan_transpose(transform_plan *plan, const char *text, tsr_error *err)
{
    int n, perm[TSR_MAX_ORDER];
    bool flags[TSR_MAX_ORDER];
    TSR_TRY(list_modes(&n, flags, perm, text, plan->order, err));
    if (n != plan->order)
        return tsr_fail_at(err, TSR_ARGUMENT, NULL, 0, strlen(text) + 1,
                           "%d modes are listed, but the tensor has %d: list each mode once", n, plan->order);
    return follow_transpose(plan, perm, err);
}

static tsr_status follow_reverse(transform_plan *plan, const bool *flags, tsr_error *err)
{
    tsr_map *map;
    TSR_TRY(tsr_map_reverse(&map, transform_shape(plan), flags, err));
    return transform_plan_map(plan, map, plan->order, plan->dims, err);
}

static tsr_status plan_reverse(transform_plan *plan, const char *text, tsr_error *err)
{
    int n;
    bool flags[TSR_MAX_ORDER];
    TSR_TRY(list_modes(&n, flags, NULL, text, plan->order, err));
    return follow_reverse(plan, flags, err);
}

static tsr_status follow_reshape(transform_plan *plan, int out_order, const uint64_t *dims, tsr_error *err)
{
    tsr_map *map;
    TSR_TRY(
        tsr_map_reshape(&map, TSR_INPUT_TO_OUTPUT, transform_shape(plan), (tsr_shape){out_order, dims}, err));
    return transform_plan_map(plan, map, out_order, dims, err);
}

/* The product of dims; TSR_LIMIT if it exceeds 2^63 - 1. */
static tsr_status product(uint64_t *out, const uint64_t *dims, int n, const char *what, tsr_error *err)
{
    *out = 1;
    for (int m = 0; m < n; m++)
        if (dims[m] == 0)
            *out = 0;
    for (int m = 0; m < n && *out != 0; m++)
        if (!tsr_mul_u64(out, *out, dims[m]) || *out > INT64_MAX)
            return tsr_fail(err, TSR_LIMIT, "%s would be more than 2^63 - 1", what);
    return TSR_OK;
}

/* The listed modes, joined, become the rows; the remaining modes, in their order, the columns. */
static tsr_status plan_unfold(transform_plan *plan, const char *text, tsr_error *err)
{
    int n, perm[TSR_MAX_ORDER];
    bool flags[TSR_MAX_ORDER];
    uint64_t dims[2];
    const int order = plan->order;
    TSR_TRY(list_modes(&n, flags, perm, text, order, err));
    const int nrows = n;
    for (int m = 0; m < order; m++)
        if (!flags[m])
            perm[n++] = m;
    TSR_TRY(follow_transpose(plan, perm, err));
    TSR_TRY(product(&dims[0], plan->dims, nrows, "the number of rows", err));
    TSR_TRY(product(&dims[1], plan->dims + nrows, order - nrows, "the number of columns", err));
    return follow_reshape(plan, 2, dims, err);
}

/* ---- reshape ---- */

static tsr_status plan_reshape(transform_plan *plan, const char *text, tsr_error *err)
{
    transform_items items;
    uint64_t dims[TSR_MAX_ORDER], known = 1, all;
    int open = -1;
    TSR_TRY(transform_items_parse(&items, text, text, 1, false, err));
    for (int i = 0; i < items.n; i++) {
        const transform_item *const item = &items.item[i];
        dims[i] = (uint64_t)item->part[0];
        if (item->part[0] == -1 && open < 0)
            open = i;
        else if (item->part[0] < 0)
            return tsr_fail_at(err, TSR_ARGUMENT, NULL, 0, item->col,
                               item->part[0] == -1
                                   ? "-1 stands for the dim that is computed, and can be given once only"
                                   : "a dim cannot be negative, except -1, which is computed");
        else if (!tsr_mul_u64(&known, known, dims[i]) && open >= 0)
            return tsr_fail_at(err, TSR_LIMIT, NULL, 0, item->col,
                               "the product of the dims is more than 2^64");
    }
    if (open >= 0) {
        TSR_TRY(product(&all, plan->dims, plan->order, "the number of cells", err));
        if (known == 0 || all % known != 0)
            return tsr_fail_at(err, TSR_ARGUMENT, NULL, 0, items.item[open].col,
                               "no dim in the place of -1 gives %" PRIu64
                               " cells: the other dims give %" PRIu64,
                               all, known);
        dims[open] = all / known;
    }
    return follow_reshape(plan, items.n, dims, err);
}

/* ---- slice ---- */

static tsr_status check_slice(const char *text, tsr_error *err)
{
    transform_items items;
    TSR_TRY(transform_items_parse(&items, text, text, 3, true, err));
    int nopen = 0;
    for (int i = 0; i < items.n; i++) {
        const transform_item *const item = &items.item[i];
        nopen += item->nparts == 0;
        if (nopen > 1)
            return tsr_fail_at(err, TSR_SYNTAX, NULL, 0, item->col, "'...' can be given once only");
        if (item->nparts == 3 && item->has[2] && item->part[2] == 0)
            return tsr_fail_at(err, TSR_SYNTAX, NULL, 0, item->col, "the step of a slice cannot be 0");
    }
    return TSR_OK;
}

/* A bound of a slice as Python clips it: negative ones count from the end, then into [lo, hi]. */
static int64_t clip(int64_t v, int64_t size, int64_t lo, int64_t hi)
{
    v = v < 0 ? v + size : v;
    return v < lo ? lo : v > hi ? hi : v;
}

/* The indices that the Python slice start:stop:step picks from `size` indices, as a slice with a positive
 * step, which may then be reversed. */
static void slice_of_item(tsr_slice *slice, bool *reversed, const transform_item *item, uint64_t dim)
{
    const int64_t size = (int64_t)dim;
    int64_t step = item->nparts > 2 && item->has[2] ? item->part[2] : 1;
    step = step == INT64_MIN ? -INT64_MAX : step;
    const bool down = step < 0;
    const int64_t lo = down ? -1 : 0, hi = down ? size - 1 : size;
    int64_t start = down ? hi : lo, stop = down ? lo : hi;
    if (item->has[0])
        start = clip(item->part[0], size, lo, hi);
    if (item->nparts > 1 && item->has[1])
        stop = clip(item->part[1], size, lo, hi);
    *reversed = down;
    *slice = (tsr_slice){.stride = 1};
    if (down ? stop >= start : start >= stop)
        return; /* empty */
    const uint64_t stride = (uint64_t)(down ? -step : step),
                   span = (uint64_t)(down ? start - stop : stop - start);
    const uint64_t n = (span - 1) / stride + 1, reach = (n - 1) * stride;
    const uint64_t first = down ? (uint64_t)start - reach : (uint64_t)start;
    *slice = (tsr_slice){.start = first, .limit = first + reach + 1, .stride = stride};
}

/* A plain number picks one index and removes the mode. */
static tsr_status slice_of_index(tsr_slice *slice, const transform_item *item, int mode, uint64_t dim,
                                 tsr_error *err)
{
    const int64_t size = (int64_t)dim, i = item->part[0];
    if (i < -size || i >= size)
        return tsr_fail_at(err, TSR_ARGUMENT, NULL, 0, item->col,
                           "index %" PRId64 " is outside mode %d, whose size is %" PRIu64, i, mode, dim);
    slice->start = (uint64_t)(i < 0 ? i + size : i);
    slice->limit = slice->start + 1;
    slice->stride = 1;
    return TSR_OK;
}

static tsr_status follow_reduce(transform_plan *plan, const bool *reduced, tsr_error *err)
{
    tsr_map *map;
    uint64_t dims[TSR_MAX_ORDER];
    TSR_TRY(tsr_map_reduce(&map, dims, TSR_INPUT_TO_OUTPUT, transform_shape(plan), reduced, err));
    return transform_plan_map(plan, map, tsr_map_nresults(map), dims, err);
}

static tsr_status plan_slice(transform_plan *plan, const char *text, tsr_error *err)
{
    transform_items items;
    tsr_slice slices[TSR_MAX_ORDER];
    bool reversed[TSR_MAX_ORDER] = {false}, gone[TSR_MAX_ORDER] = {false};
    uint64_t dims[TSR_MAX_ORDER];
    TSR_TRY(transform_items_parse(&items, text, text, 3, true, err));
    int given = 0, m = 0;
    for (int i = 0; i < items.n; i++)
        given += items.item[i].nparts > 0;
    if (given > plan->order)
        return tsr_fail_at(err, TSR_ARGUMENT, NULL, 0, items.item[items.n - 1].col,
                           "%d modes are sliced, but the tensor has %d", given, plan->order);
    for (int i = 0; i < items.n || m < plan->order; i++) {
        const transform_item *const item = i < items.n ? &items.item[i] : NULL;
        if (item && item->nparts == 1) {
            gone[m] = true;
            TSR_TRY(slice_of_index(&slices[m], item, m, plan->dims[m], err));
            m++;
        } else if (item && item->nparts > 1) {
            slice_of_item(&slices[m], &reversed[m], item, plan->dims[m]);
            m++;
        } else { /* "...", or the end, which acts as "...": all modes that the slices do not mention stay whole */
            for (int left = plan->order - given; left > 0; left--, m++)
                slices[m] = (tsr_slice){0, plan->dims[m], 1};
            given = plan->order;
        }
    }
    tsr_map *map;
    TSR_TRY(tsr_map_slice(&map, dims, TSR_INPUT_TO_OUTPUT, transform_shape(plan), slices, err));
    TSR_TRY(transform_plan_map(plan, map, plan->order, dims, err));
    TSR_TRY(follow_reverse(plan, reversed, err));
    return follow_reduce(plan, gone, err);
}

/* ---- pad ---- */

static tsr_status check_pad(const char *text, tsr_error *err)
{
    transform_items items;
    TSR_TRY(transform_items_parse(&items, text, text, 3, false, err));
    for (int i = 0; i < items.n; i++)
        if (items.item[i].nparts == 3 && items.item[i].part[2] < 0)
            return tsr_fail_at(err, TSR_SYNTAX, NULL, 0, items.item[i].col,
                               "the number of cells between neighbours cannot be negative");
    return TSR_OK;
}

static tsr_status plan_pad(transform_plan *plan, const char *text, tsr_error *err)
{
    transform_items items;
    tsr_padding paddings[TSR_MAX_ORDER];
    uint64_t dims[TSR_MAX_ORDER];
    TSR_TRY(transform_items_parse(&items, text, text, 3, false, err));
    if (items.n != 1 && items.n != plan->order)
        return tsr_fail_at(err, TSR_ARGUMENT, NULL, 0, items.item[items.n - 1].col,
                           "%d modes are padded, but the tensor has %d (one item alone is for all modes)",
                           items.n, plan->order);
    for (int m = 0; m < plan->order; m++) {
        const transform_item *const item = &items.item[items.n == 1 ? 0 : m];
        paddings[m].low = item->part[0];
        paddings[m].high = item->part[item->nparts > 1];
        paddings[m].interior = item->nparts > 2 ? (uint64_t)item->part[2] : 0;
    }
    tsr_map *map;
    TSR_TRY(tsr_map_pad(&map, dims, TSR_INPUT_TO_OUTPUT, transform_shape(plan), paddings, err));
    return transform_plan_map(plan, map, plan->order, dims, err);
}

/* ---- reduce ---- */

static const char *const reductions[] = {"sum", "min", "max"};
enum { SUM, MIN, MAX, NREDUCTIONS };

/* "sum:0,2": the reduction, and the text after the colon, or NULL. */
static tsr_status split_reduce(int *reduction, const char **list, const char *text, tsr_error *err)
{
    const size_t n = strcspn(text, ":");
    *list = text[n] ? text + n + 1 : NULL;
    for (*reduction = 0; *reduction < NREDUCTIONS; ++*reduction)
        if (strlen(reductions[*reduction]) == n && strncmp(text, reductions[*reduction], n) == 0)
            return TSR_OK;
    tsr_suggest suggest;
    tsr_suggest_begin(&suggest, text, n);
    for (int i = 0; i < NREDUCTIONS; i++)
        tsr_suggest_offer(&suggest, reductions[i]);
    return tsr_suggest_fail(&suggest, TSR_SYNTAX, 1, "reduction", err);
}

static tsr_status check_reduce(const char *text, tsr_error *err)
{
    const char *list;
    int reduction;
    transform_items items;
    TSR_TRY(split_reduce(&reduction, &list, text, err));
    return list ? transform_items_parse(&items, text, list, 1, false, err) : TSR_OK;
}

static tsr_status plan_combine(transform_plan *plan, tsr_duplicates rule, tsr_error *err)
{
    const transform_action action = {.kind = TRANSFORM_COMBINE, .rule = rule};
    TSR_TRY(transform_plan_flush(plan, err));
    return transform_plan_action(plan, &action, err);
}

/* The smallest or largest value along the modes; absent entries count as 0. */
static tsr_status plan_extreme(transform_plan *plan, const bool *reduced, bool largest, tsr_error *err)
{
    transform_action action = {.kind = TRANSFORM_EXTREME, .largest = largest, .ncells = 1};
    const tsr_duplicates rule = plan->job->pack->duplicates;
    const char class = tsr_type_class(plan->type);
    if (class == 'C' || class == 'P')
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "values of type %s have no order, so no smallest or largest one",
                        tsr_type_name(plan->type));
    for (int m = 0; m < plan->order; m++) {
        if (reduced[m] && plan->dims[m] == 0)
            return tsr_fail(err, TSR_ARGUMENT, "mode %d has size 0, so no smallest or largest value", m);
        if (reduced[m] && !tsr_mul_u64(&action.ncells, action.ncells, plan->dims[m]))
            action.ncells = UINT64_MAX; /* more than the number of entries can be */
    }
    TSR_TRY(plan_combine(plan, rule == TSR_DUP_KEEP ? TSR_DUP_SUM : rule, err));
    TSR_TRY(follow_reduce(plan, reduced, err));
    TSR_TRY(transform_plan_flush(plan, err));
    return transform_plan_action(plan, &action, err);
}

/* If duplicates are added anyway, a sum is only a map: sums of sums are sums. */
static tsr_status plan_sum(transform_plan *plan, const bool *reduced, tsr_error *err)
{
    const tsr_duplicates rule = plan->job->pack->duplicates;
    if (rule == TSR_DUP_SUM) {
        plan->job->may_meet = true;
        return follow_reduce(plan, reduced, err);
    }
    if (rule != TSR_DUP_KEEP)
        TSR_TRY(plan_combine(plan, rule, err));
    TSR_TRY(follow_reduce(plan, reduced, err));
    return plan_combine(plan, TSR_DUP_SUM, err);
}

static tsr_status plan_reduce(transform_plan *plan, const char *text, tsr_error *err)
{
    const char *list;
    int reduction;
    transform_items items = {0};
    bool reduced[TSR_MAX_ORDER];
    TSR_TRY(split_reduce(&reduction, &list, text, err));
    if (list)
        TSR_TRY(transform_items_parse(&items, text, list, 1, false, err));
    TSR_TRY(transform_items_modes(reduced, NULL, &items, plan->order, err));
    for (int m = 0; !list && m < plan->order; m++)
        reduced[m] = true;
    return reduction == SUM ? plan_sum(plan, reduced, err)
                            : plan_extreme(plan, reduced, reduction == MAX, err);
}

/* ---- tables and other files ---- */

/* "FILE:MODE": the name of the file as a new text, and the number of the mode; items->n = 0 if no mode is
 * given. */
static tsr_status split_permute(char **path, transform_items *mode, const char *text, tsr_error *err)
{
    const char *colon = strrchr(text, ':');
    const char *const number = colon ? colon + 1 + (colon[1] == '-') : text;
    if (colon && (*number == '\0' || number[strspn(number, "0123456789")] != '\0'))
        colon = NULL; /* the colon is a part of the name */
    *path = NULL;
    mode->n = 0;
    if (colon)
        TSR_TRY(transform_items_parse(mode, text, colon + 1, 1, false, err));
    *path = tsr_strdup(text);
    if (!*path)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    if (colon)
        (*path)[colon - text] = '\0';
    return TSR_OK;
}

/* The plan gets a copy of the table. */
static tsr_status plan_table(transform_plan *plan, const uint64_t *table, int mode, tsr_error *err)
{
    transform_action action = {.kind = TRANSFORM_TABLE, .mode = mode};
    const uint64_t n = plan->dims[mode];
    void *copy;
    TSR_TRY(tsr_alloc_array(&copy, n, sizeof *table, 0, "a table of indices", err));
    memcpy(copy, table, (size_t)n * sizeof *table);
    action.table = copy;
    return transform_plan_action(plan, &action, err);
}

static tsr_status plan_permute(transform_plan *plan, const char *text, tsr_error *err)
{
    char *path;
    transform_items items;
    uint64_t *table = NULL;
    int mode = 0;
    tsr_status status = TSR_OK;
    TSR_TRY(split_permute(&path, &items, text, err));
    if (items.n > 0)
        TSR_TRY_OUT(transform_item_mode(&mode, &items.item[0], plan->order, err));
    for (int m = 1; items.n == 0 && m < plan->order; m++)
        if (plan->dims[m] != plan->dims[0])
            TSR_TRY_OUT(tsr_fail(err, TSR_ARGUMENT,
                                 "one list cannot permute modes of %" PRIu64 " and %" PRIu64
                                 ": FILE:MODE permutes one mode",
                                 plan->dims[0], plan->dims[m]));
    TSR_TRY_OUT(transform_plan_flush(plan, err));
    if (plan->order > 0)
        TSR_TRY_OUT(transform_read_table(&table, path, plan->dims[mode], err));
    for (int m = 0; m < plan->order; m++)
        if (items.n == 0 || m == mode)
            TSR_TRY_OUT(plan_table(plan, table, m, err));
out:
    tsr_free(table);
    tsr_free(path);
    return status;
}

/* "FILE,MODE": the name of the file as a new text, and the mode. */
static tsr_status split_concat(char **path, transform_items *axis, const char *text, tsr_error *err)
{
    const char *const comma = strrchr(text, ',');
    *path = NULL;
    if (!comma)
        return tsr_fail_at(err, TSR_SYNTAX, NULL, 0, strlen(text) + 1,
                           "missing mode: write FILE,MODE to append along a mode, such as FILE,0");
    TSR_TRY(transform_items_parse(axis, text, comma + 1, 1, false, err));
    *path = tsr_strdup(text);
    if (!*path)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    (*path)[comma - text] = '\0';
    return TSR_OK;
}

static tsr_status check_concat(const char *text, tsr_error *err)
{
    char *path;
    transform_items axis;
    TSR_TRY(split_concat(&path, &axis, text, err));
    tsr_free(path);
    return TSR_OK;
}

/* The tensor of the file as coordinates, both triangles of a symmetric matrix. */
static tsr_status read_other(transform_action *out, const char *path, const transform_plan *plan,
                             tsr_error *err)
{
    tsr_read_options read = *plan->job->read;
    tsr_data data = {0};
    tsr_status status = TSR_OK;
    if (strcmp(path, "-") == 0 && strcmp(plan->job->in, "-") == 0)
        return tsr_fail(err, TSR_ARGUMENT,
                        "standard input can be read once only: name a file for one of the tensors");
    read.shape_order = 0;
    TSR_TRY_OUT(tsr_read(&data, path, NULL, &read, err));
    if (data.tensor)
        TSR_TRY_OUT(tsr_unpack(&data.coo, data.tensor, read.nthreads, err));
    if (data.coo->structure != TSR_GENERAL)
        TSR_TRY_OUT(tsr_coo_expand(data.coo, err));
    out->other = data.coo;
    out->labels = data.labels;
    data.coo = NULL;
    data.labels = NULL;
out:
    tsr_data_clear(&data);
    return status;
}

static tsr_status plan_other(transform_plan *plan, const char *path, const transform_item *axis,
                             tsr_error *err)
{
    transform_action action = {.kind = TRANSFORM_APPEND};
    uint64_t total = 0;
    TSR_TRY(transform_item_mode(&action.mode, axis, plan->order, err));
    TSR_TRY(transform_plan_flush(plan, err));
    TSR_TRY(read_other(&action, path, plan, err));
    const tsr_coo *const other = action.other;
    tsr_status status = TSR_OK;
    if (other->order != plan->order)
        TSR_TRY_OUT(tsr_fail_at(err, TSR_ARGUMENT, path, 0, 0,
                                "has %d modes, but the tensor that it is appended to has %d", other->order,
                                plan->order));
    for (int m = 0; m < plan->order; m++)
        if (m != action.mode && other->dims[m] != plan->dims[m])
            TSR_TRY_OUT(tsr_fail_at(err, TSR_ARGUMENT, path, 0, 0,
                                    "has size %" PRIu64
                                    " in mode %d, but the tensor that it is appended to has %" PRIu64,
                                    other->dims[m], m, plan->dims[m]));
    if (other->type != plan->type)
        TSR_TRY_OUT(tsr_fail_at(
            err, TSR_ARGUMENT, path, 0, 0,
            "holds %s, but the tensor that it is appended to holds %s: --type=TYPE reads both as one type",
            tsr_type_name(other->type), tsr_type_name(plan->type)));
    if (other->has_fill)
        TSR_TRY_OUT(tsr_fail_at(err, TSR_UNSUPPORTED, path, 0, 0, "absent entries are not 0"));
    if (!tsr_add_u64(&total, plan->dims[action.mode], other->dims[action.mode]) || total > INT64_MAX)
        TSR_TRY_OUT(tsr_fail_at(err, TSR_LIMIT, path, 0, 0, "the dim would be more than 2^63 - 1"));
    plan->dims[action.mode] = total;
    return transform_plan_action(plan, &action, err);
out:
    tsr_coo_free(action.other);
    tsr_labels_free(action.labels);
    return status;
}

static tsr_status plan_concat(transform_plan *plan, const char *text, tsr_error *err)
{
    char *path;
    transform_items axis;
    TSR_TRY(split_concat(&path, &axis, text, err));
    const tsr_status status = plan_other(plan, path, &axis.item[0], err);
    tsr_free(path);
    return status;
}

/* ---- any map ---- */

static tsr_status check_map(const char *text, tsr_error *err)
{
    tsr_map *map;
    TSR_TRY(tsr_map_parse(&map, text, err));
    tsr_status status = TSR_OK;
    if (tsr_map_nvars(map) != tsr_map_ndims(map))
        status = tsr_fail(err, TSR_UNSUPPORTED,
                          "the map has symbols, so it does not determine where an entry goes");
    else if (tsr_map_nresults(map) > TSR_MAX_ORDER)
        status = tsr_fail(err, TSR_LIMIT, "the tensor would have %d modes, and at most %d are possible",
                          tsr_map_nresults(map), (int)TSR_MAX_ORDER);
    tsr_map_free(map);
    return status;
}

/* The size of a result of the map, from the bounds of the dims. Constraints do not narrow it, so that the
 * size does not depend on how much the library can deduce from them. */
static tsr_status dim_of_result(uint64_t *dim, const tsr_map *map, int r, tsr_error *err)
{
    const tsr_interval in = tsr_map_result_bounds(map, r);
    *dim = 0;
    if (in.lo > in.hi || in.hi < 0)
        return TSR_OK;
    if (in.hi == INT64_MAX)
        return tsr_fail(err, TSR_LIMIT, "dim %d would be more than 2^63 - 1", r);
    *dim = (uint64_t)in.hi + 1;
    return TSR_OK;
}

static tsr_status plan_any_map(transform_plan *plan, const char *text, tsr_error *err)
{
    tsr_map *map = NULL, *all = NULL, *bound = NULL, *inverse = NULL;
    uint64_t dims[TSR_MAX_ORDER];
    bool negative = false;
    tsr_status status = TSR_OK;
    TSR_TRY_OUT(tsr_map_parse(&map, text, err));
    if (tsr_map_ndims(map) != plan->order)
        TSR_TRY_OUT(tsr_fail(err, TSR_ARGUMENT, "the map has %d dims, but the tensor has %d modes",
                             tsr_map_ndims(map), plan->order));
    TSR_TRY_OUT(tsr_map_identity(&all, transform_shape(plan), err));
    TSR_TRY_OUT(tsr_map_compose(&bound, map, all, err));
    const int n = tsr_map_nresults(bound);
    for (int r = 0; r < n; r++) {
        TSR_TRY_OUT(dim_of_result(&dims[r], bound, r, err));
        negative = negative || tsr_map_result_bounds(bound, r).lo < 0;
    }
    if (tsr_map_invert(&inverse, bound, NULL) != TSR_OK)
        plan->job->may_meet = true;
    tsr_map *const step = bound;
    bound = NULL;
    TSR_TRY_OUT(transform_plan_map(plan, step, n, dims, err));
    if (negative) /* an entry that moves there is an error; without this, a later step would drop it */
        status = transform_plan_flush(plan, err);
out:
    tsr_map_free(map);
    tsr_map_free(all);
    tsr_map_free(bound);
    tsr_map_free(inverse);
    return status;
}

const transform_type transform_types[] = {
    [TSR_TRANSFORM_TRANSPOSE] = {"transpose", check_modes, plan_transpose, true},
    [TSR_TRANSFORM_SLICE] = {"slice", check_slice, plan_slice, true},
    [TSR_TRANSFORM_REVERSE] = {"reverse", check_modes, plan_reverse, true},
    [TSR_TRANSFORM_PAD] = {"pad", check_pad, plan_pad, false},
    [TSR_TRANSFORM_RESHAPE] = {"reshape", check_modes, plan_reshape, true},
    [TSR_TRANSFORM_UNFOLD] = {"unfold", check_modes, plan_unfold, true},
    [TSR_TRANSFORM_REDUCE] = {"reduce", check_reduce, plan_reduce, false},
    [TSR_TRANSFORM_PERMUTE] = {"permute-by", NULL, plan_permute, true},
    [TSR_TRANSFORM_CONCAT] = {"concat", check_concat, plan_concat, false},
    [TSR_TRANSFORM_MAP] = {"map", check_map, plan_any_map, false},
};
