/* The deep check of a packed tensor: code that walks a tensor may rely on everything checked here. The
 * length of an array is checked before its elements are read, so arrays from a hostile file are safe. The
 * checks, in this order:
 *
 *   head    order, dims, type, structure; the levels are those of the format, with sizes that follow from
 *           the dims
 *   levels  array lengths that follow from level to level, and the rules of each level type
 *           (tsr_level_type.check)
 *   groups  the tuples of a nonunique level and the singletons below it rise under each parent (strictly
 *           where the group has a unique end)
 *   values  one per position, with the width of the type; patterns are 0 or 1
 *   cells   entries are in the triangle of the structure, and padding holds only fill */
#include <inttypes.h>

#include "cells_internal.h"
#include "tsr_clones.h"
#include "tensor_internal.h"
#include "tsr_parallel.h"

enum { BLOCK = TSR_LEVEL_BLOCK, SERIAL_BELOW = 1 << 16 };

/* ---- head and levels ---- */

static tsr_status check_head(const tsr_tensor *tensor, const tsr_binding *binding, tsr_error *err)
{
    const tsr_format *format = tensor->format;
    if (tensor->order != format->order || tensor->nlevels != format->nlevels)
        return tsr_fail(err, TSR_CORRUPT,
                        "the tensor has %d modes and %d levels, but the format has %d and %d", tensor->order,
                        tensor->nlevels, format->order, format->nlevels);
    TSR_TRY(tsr_structure_check(tensor->structure, tensor->order, tensor->dims, err));
    for (int l = 0; l < tensor->nlevels; l++) {
        const tsr_level *level = &tensor->levels[l];
        if (level->type != format->levels[l].type || level->nonunique != format->levels[l].nonunique)
            return tsr_fail(err, TSR_CORRUPT, "level %d is %s%s, but the format has %s%s", l,
                            level->type ? level->type->name : "nothing",
                            level->nonunique ? "(nonunique)" : "", format->levels[l].type->name,
                            format->levels[l].nonunique ? "(nonunique)" : "");
        if (level->size != binding->size[l])
            return tsr_fail(err, TSR_CORRUPT, "level %d has size %" PRIu64 ", but the dims need %" PRIu64, l,
                            level->size, binding->size[l]);
        if (level->param != format->levels[l].param || level->base != binding->base[l])
            return tsr_fail(err, TSR_CORRUPT, "level %d has another parameter or base than the format", l);
        if (!level->type->assemble && level->pitch != binding->pitch[l])
            return tsr_fail(err, TSR_CORRUPT, "level %d has pitch %" PRIu64 ", but the format needs %" PRIu64,
                            l, level->pitch, binding->pitch[l]);
    }
    return TSR_OK;
}

/* TSR_CORRUPT unless the numbers of parents and positions of level l are consistent and the level has only
 * the arrays of its type. */
static tsr_status check_lengths(const tsr_level *level, int l, uint64_t nparents, tsr_error *err)
{
    const tsr_level_type *type = level->type;
    if (level->nparents != nparents)
        return tsr_fail(err, TSR_CORRUPT,
                        "level %d has %" PRIu64 " parents, but the level above has %" PRIu64 " positions", l,
                        level->nparents, nparents);
    static const char *const role_names[TSR_LEVEL_NROLES] = {"pos", "crd", "perm", "bits", "start", "end"};
    for (int role = 0; role < TSR_LEVEL_NROLES; role++)
        if (!tsr_level_array_row(type, (tsr_level_role)role) &&
            tsr_level_array_at(level, (tsr_level_role)role)->data)
            return tsr_fail(err, TSR_CORRUPT, "level %d is %s, which must not have %s", l, type->name,
                            role_names[role]);
    uint64_t npos;
    if (!type->npos(&npos, nparents, level->pitch))
        return tsr_fail(err, TSR_CORRUPT,
                        "level %d: %" PRIu64 " parents with %" PRIu64 " positions each are more than 2^64", l,
                        nparents, level->pitch);
    if (npos != UINT64_MAX && npos != level->npos)
        return tsr_fail(err, TSR_CORRUPT, "level %d has %" PRIu64 " positions, but needs %" PRIu64, l,
                        level->npos, npos);
    return TSR_OK;
}

static bool in_group(const tsr_tensor *tensor, int l)
{
    return tensor->levels[l].nonunique || (l > 0 && tensor->levels[l - 1].nonunique);
}

static tsr_status check_levels(const tsr_tensor *tensor, uint32_t watched, tsr_error *err)
{
    uint64_t nparents = 1;
    for (int l = 0; l < tensor->nlevels; l++) {
        const tsr_level *level = &tensor->levels[l];
        TSR_TRY(check_lengths(level, l, nparents, err));
        if (!(watched >> l & 1))
            TSR_TRY(level->type->check(level, l, in_group(tensor, l), err));
        nparents = level->npos;
    }
    if (tensor->npos != nparents)
        return tsr_fail(err, TSR_CORRUPT,
                        "the tensor has %" PRIu64 " positions, but the last level has %" PRIu64, tensor->npos,
                        nparents);
    return TSR_OK;
}

/* ---- groups ---- */

typedef struct group_job {
    const tsr_tensor *tensor;
    int head, tail;                /* the first and the last level of the group */
    bool unique;                   /* the last level is unique */
    uint64_t bad[TSR_MAX_THREADS]; /* the first position of each share that is out of order; UINT64_MAX:
                                      none */
} group_job;

/* cmp[k] = sign(crd[first + k] - crd[first + k - 1]) where cmp[k] is still 0; first >= 1. */
static void compare_with_before(int8_t *restrict cmp, const tsr_array *crd, uint64_t first, size_t n)
{
    uint64_t x[BLOCK + 1];
    tsr_array_load(x, crd, first - 1, n + 1);
    for (size_t k = 0; k < n; k++) {
        const int8_t sign = (int8_t)((x[k + 1] > x[k]) - (x[k + 1] < x[k]));
        cmp[k] = cmp[k] ? cmp[k] : sign;
    }
}

/* Whether the pairs (row[k], column[k]) of 4 bytes, from k = first - 1 >= 0 on, rise n times; equal neighbours rise if `repeats`. */
TSR_CLONES static bool pairs_rise(const uint32_t *row, const uint32_t *column, uint64_t first, size_t n,
                                  bool repeats)
{
    const uint32_t *const r = row + first - 1, *const c = column + first - 1;
    uint32_t bad = 0, same = 0;
    for (size_t k = 0; k < n; k++) {
        bad |= (r[k + 1] < r[k]) | ((r[k + 1] == r[k]) & (c[k + 1] < c[k]));
        same |= (r[k + 1] == r[k]) & (c[k + 1] == c[k]);
    }
    return !bad && (repeats || !same);
}

/* Whether tuples of two levels rise, in a block in which no parent's tuples begin. Most blocks are of this kind. */
static bool is_plain_block(const group_job *job, uint64_t parent, uint64_t first, size_t n)
{
    const tsr_level *const head = &job->tensor->levels[job->head], *const next = head + 1;
    return job->tail == job->head + 1 && head->crd.width == 4 && next->crd.width == 4 &&
           (parent == head->pos.n || tsr_array_get(&head->pos, parent) >= first + n) &&
           pairs_rise(head->crd.data, next->crd.data, first, n, !job->unique);
}

static void check_group_share(void *arg, int t, int nthreads)
{
    group_job *job = arg;
    const tsr_level *head = &job->tensor->levels[job->head];
    const uint64_t lo = tsr_cut(head->npos, t, nthreads), hi = tsr_cut(head->npos, t + 1, nthreads);
    uint64_t parent = tsr_array_seek(&head->pos, 0, head->pos.n, lo);
    int8_t cmp[BLOCK];
    job->bad[t] = UINT64_MAX;
    for (uint64_t first = lo ? lo : 1; first < hi; first += BLOCK) {
        const size_t n = hi - first < BLOCK ? (size_t)(hi - first) : BLOCK;
        if (is_plain_block(job, parent, first, n))
            continue;
        memset(cmp, 0, n);
        for (int l = job->head; l <= job->tail; l++)
            compare_with_before(cmp, &job->tensor->levels[l].crd, first, n);
        for (; parent < head->pos.n; parent++) { /* the first tuple of a parent has no tuple before it */
            const uint64_t start = tsr_array_get(&head->pos, parent);
            if (start >= first + n)
                break;
            if (start >= first)
                cmp[start - first] = 1;
        }
        for (size_t k = 0; k < n; k++)
            if (cmp[k] < 0 || (cmp[k] == 0 && job->unique)) {
                job->bad[t] = first + k;
                return;
            }
    }
}

static tsr_status check_group(group_job *job, int nthreads, tsr_error *err)
{
    const tsr_level *head = &job->tensor->levels[job->head];
    const int n = head->npos < SERIAL_BELOW ? 1 : nthreads;
    tsr_parallel(n, check_group_share, job);
    for (int t = 0; t < n; t++) {
        if (job->bad[t] == UINT64_MAX)
            continue;
        uint64_t now[TSR_MAX_LEVELS], before[TSR_MAX_LEVELS];
        char now_text[TSR_TUPLE_NBYTES], before_text[TSR_TUPLE_NBYTES];
        const int nlevels = job->tail - job->head + 1;
        for (int k = 0; k < nlevels; k++) {
            const tsr_array *crd = &job->tensor->levels[job->head + k].crd;
            now[k] = tsr_array_get(crd, job->bad[t]);
            before[k] = tsr_array_get(crd, job->bad[t] - 1);
        }
        return tsr_fail(err, TSR_CORRUPT,
                        "levels %d to %d: coordinates (%s) at position %" PRIu64
                        " follow (%s) under the same parent, but must be %s",
                        job->head, job->tail, tsr_tuple_text(now_text, now, nlevels), job->bad[t],
                        tsr_tuple_text(before_text, before, nlevels),
                        job->unique ? "larger" : "larger or equal");
    }
    return TSR_OK;
}

static tsr_status check_groups(const tsr_tensor *tensor, int nthreads, tsr_error *err)
{
    for (int l = 0; l < tensor->nlevels; l++) {
        if (!tensor->levels[l].nonunique)
            continue;
        group_job job = {.tensor = tensor, .head = l, .tail = l};
        while (job.tail + 1 < tensor->nlevels && tensor->levels[job.tail].nonunique)
            job.tail++;
        job.unique = !tensor->levels[job.tail].nonunique;
        TSR_TRY(check_group(&job, nthreads, err));
        l = job.tail;
    }
    return TSR_OK;
}

/* ---- values ---- */

static tsr_status check_values(const tsr_tensor *tensor, tsr_error *err)
{
    const tsr_array *values = &tensor->values;
    const bool dense_leaf = tsr_format_has_dense_leaf(tensor->format);
    const uint64_t want = tensor->iso ? 1 : tensor->npos;
    if (!values->data || values->n != want)
        return tsr_fail(err, TSR_CORRUPT, "the tensor has %" PRIu64 " values for %" PRIu64 " positions%s",
                        values->data ? values->n : 0, tensor->npos,
                        tensor->iso ? " that share one value" : "");
    if (values->width != tsr_type_nbytes(tensor->type))
        return tsr_fail(err, TSR_CORRUPT, "values have %zu bytes, but type %s has %zu", values->width,
                        tsr_type_name(tensor->type), tsr_type_nbytes(tensor->type));
    if (tensor->type != TSR_PATTERN)
        return TSR_OK;
    if (tensor->iso == dense_leaf)
        return tsr_fail(err, TSR_CORRUPT,
                        dense_leaf
                            ? "a pattern whose last level is dense needs a byte for each position"
                            : "a pattern whose last level is not dense needs one value for all positions");
    const unsigned char *bytes = values->data;
    for (uint64_t p = 0; p < values->n; p++)
        if (bytes[p] > 1 || (!dense_leaf && bytes[p] != 1))
            return tsr_fail(err, TSR_CORRUPT, "pattern: position %" PRIu64 " holds %d, but must hold %s", p,
                            bytes[p], dense_leaf ? "0 or 1" : "1");
    return TSR_OK;
}

/* ---- cells: the coordinates of each position ---- */

typedef struct cell_job {
    const tsr_tensor *tensor;
    cell_climber walker;
    cell_rows *blocks;             /* one for each thread */
    uint64_t bad[TSR_MAX_THREADS]; /* the first invalid position of each share; UINT64_MAX: none */
} cell_job;

/* TSR_CORRUPT where the k-th cell of the block, a stored entry, is invalid. */
static tsr_status check_cell(const tsr_tensor *tensor, const cell_rows *block, size_t k, tsr_error *err)
{
    const uint64_t position = block->leaf[k];
    char text[TSR_TUPLE_NBYTES];
    uint64_t v[TSR_MAX_LEVELS];
    if (!block->image[k]) {
        cell_storage(v, tensor, position);
        return tsr_fail(err, TSR_CORRUPT,
                        "position %" PRIu64
                        " with storage coordinates (%s) holds a value, but is outside the tensor",
                        position, tsr_tuple_text(text, v, tensor->nlevels));
    }
    if (tensor->structure == TSR_GENERAL)
        return TSR_OK;
    v[0] = block->mode[0][k];
    v[1] = block->mode[1][k];
    if (!tsr_structure_stores(tensor->structure, v[0], v[1]))
        return tsr_fail(err, TSR_CORRUPT,
                        "position %" PRIu64 " at (%s) is outside the triangle that %s stores", position,
                        tsr_tuple_text(text, v, 2), tsr_structure_name(tensor->structure));
    const char *value =
        (const char *)tensor->values.data + (tensor->iso ? 0 : position) * tensor->values.width;
    if (v[0] == v[1] && tsr_structure_is_skew(tensor->structure) && !tsr_value_is_zero(tensor->type, value))
        return tsr_fail(err, TSR_CORRUPT,
                        "position %" PRIu64
                        " at (%s) is on the diagonal of a skew-symmetric matrix, but is not 0",
                        position, tsr_tuple_text(text, v, 2));
    return TSR_OK;
}

static void check_cell_share(void *arg, int t, int nthreads)
{
    cell_job *job = arg;
    const tsr_tensor *tensor = job->tensor;
    const uint64_t lo = tsr_cut(tensor->npos, t, nthreads), hi = tsr_cut(tensor->npos, t + 1, nthreads);
    cell_rows *const block = &job->blocks[t];
    job->bad[t] = UINT64_MAX;
    for (cell_cursor cursor = {.first = lo, .end = hi}; cursor.first < hi;) {
        const size_t n = cell_rows_next(block, tensor, &cursor);
        if (n == 0 || (cell_rows_climb(block, &job->walker, n) && tensor->structure == TSR_GENERAL))
            continue;
        for (size_t k = 0; k < n; k++)
            if (check_cell(tensor, block, k, NULL) != TSR_OK) {
                job->bad[t] = block->leaf[k];
                return;
            }
    }
}

static tsr_status run_cell_job(cell_job *job, int nthreads, tsr_error *err)
{
    tsr_parallel(nthreads, check_cell_share, job);
    for (int t = 0; t < nthreads; t++)
        if (job->bad[t] != UINT64_MAX) {
            job->blocks[0].leaf[0] = job->bad[t];
            (void)cell_rows_climb(&job->blocks[0], &job->walker, 1);
            return check_cell(job->tensor, &job->blocks[0], 0, err);
        }
    return TSR_OK;
}

static tsr_status walk_cells(const tsr_tensor *tensor, int nthreads, tsr_error *err)
{
    cell_job job = {.tensor = tensor};
    void *blocks = NULL;
    tsr_status status = cell_climber_init(&job.walker, tensor, err);
    if (status == TSR_OK)
        status =
            tsr_alloc_array(&blocks, (uint64_t)nthreads, sizeof *job.blocks, 1, "blocks of coordinates", err);
    job.blocks = blocks;
    for (int t = 0; t < nthreads && status == TSR_OK; t++)
        status = cell_rows_init(&job.blocks[t], &job.walker, tensor->order, err);
    if (status == TSR_OK)
        status = run_cell_job(&job, nthreads, err);
    for (int t = 0; job.blocks && t < nthreads; t++)
        cell_rows_clear(&job.blocks[t]);
    tsr_free(blocks);
    cell_climber_clear(&job.walker);
    return status;
}

static tsr_status check_cells(const tsr_tensor *tensor, int nthreads, tsr_error *err)
{
    const bool may_pad = tensor->binding->may_pad;
    if ((tensor->structure == TSR_GENERAL && !may_pad) || tensor->npos == 0)
        return TSR_OK;
    if (tensor->iso && tsr_format_has_dense_leaf(tensor->format) && tensor->npos > 1) {
        /* the number of positions is not bounded by an array here, so they are not walked */
        if (!cell_is_stored(tensor, 0))
            return TSR_OK;
        return tsr_fail(
            err, TSR_CORRUPT,
            "all %" PRIu64
            " positions of a dense last level share a value that is not the fill, but some of them %s",
            tensor->npos, may_pad ? "are padding" : "are outside the stored triangle");
    }
    return walk_cells(tensor, tensor->npos < SERIAL_BELOW ? 1 : nthreads, err);
}

/* TSR_CORRUPT unless the binding belongs to this format and these dims. */
static tsr_status check_binding(const tsr_tensor *tensor, tsr_error *err)
{
    const tsr_binding *const binding = tensor->binding;
    bool same = binding && binding->format == tensor->format;
    for (int m = 0; same && m < tensor->order; m++)
        same = binding->dims[m] == tensor->dims[m];
    return same ? TSR_OK
                : tsr_fail(err, TSR_CORRUPT,
                           "the binding of the tensor belongs to another format or other dims");
}

tsr_status tsr_tensor_check(const tsr_tensor *tensor, int nthreads, tsr_error *err)
{
    return tsr_tensor_check_rest(tensor, 0, nthreads, err);
}

tsr_status tsr_tensor_check_rest(const tsr_tensor *tensor, uint32_t watched, int nthreads, tsr_error *err)
{
    if (!tensor->format || !tensor->format->map)
        return tsr_fail(err, TSR_CORRUPT, "the tensor does not have a format");
    if (tensor->order != tensor->format->order)
        return tsr_fail(err, TSR_CORRUPT, "the tensor has %d modes, but the format has %d", tensor->order,
                        tensor->format->order);
    TSR_TRY(tsr_shape_check(tensor->order, tensor->dims, tensor->type, err));
    TSR_TRY(check_binding(tensor, err));
    const int n = tsr_thread_count(nthreads);
    TSR_TRY(check_head(tensor, tensor->binding, err));
    TSR_TRY(check_levels(tensor, watched, err));
    TSR_TRY(check_values(tensor, err));
    TSR_TRY(check_groups(tensor, n, err));
    return check_cells(tensor, n, err);
}
