/* Labels that follow the entries through an action: see transform_plan.h. */
#include "transform_plan.h"

#include <string.h>

enum { NO_MODE = -1, MANY_MODES = -2 };

/* How the labels of a tensor move by a map: result r takes the names of mode from[r]. */
typedef struct moving {
    const tsr_map *map;
    const tsr_coo *coo;                  /* before the move */
    int64_t base[TSR_MAX_ORDER];         /* a cell inside the domain of the map, */
    int64_t base_results[TSR_MAX_ORDER]; /* and where it moves */
    int nresults, from[TSR_MAX_ORDER];
} moving;

/* Whether the map drops the base; else its results are known. */
static bool is_base(moving *mv)
{
    bool inside = false;
    return tsr_map_inside(&inside, mv->map, mv->base, NULL) == TSR_OK && inside &&
           tsr_map_eval(mv->base_results, mv->map, mv->base, NULL) == TSR_OK;
}

/* Find a cell that the map does not drop: a corner of the domain, whose constraints (every second index) begin at one of them, or an
 * entry. */
static bool find_base(moving *mv)
{
    enum { MAX_CORNERS = 256 };
    const int order = mv->coo->order;
    for (unsigned corner = 0; corner < MAX_CORNERS && corner < 1u << order; corner++) {
        for (int m = 0; m < order; m++) {
            const tsr_interval in = tsr_map_var_bounds(mv->map, m);
            const int64_t last = (int64_t)mv->coo->dims[m] - 1;
            mv->base[m] = corner >> m & 1 ? (in.hi < last ? in.hi : last) : in.lo > 0 ? in.lo : 0;
        }
        if (is_base(mv))
            return true;
    }
    for (uint64_t e = 0; e < mv->coo->nnz; e++) {
        for (int m = 0; m < order; m++)
            mv->base[m] = (int64_t)tsr_array_get(&mv->coo->crd[m], e);
        if (is_base(mv))
            return true;
    }
    return false;
}

/* Move index x of mode m, with the base in the other modes; false: the map drops it. */
static bool move_index(int64_t *results, const moving *mv, int m, uint64_t x)
{
    int64_t at[TSR_MAX_ORDER];
    bool inside = false;
    memcpy(at, mv->base, sizeof at);
    at[m] = (int64_t)x;
    return tsr_map_inside(&inside, mv->map, at, NULL) == TSR_OK && inside &&
           tsr_map_eval(results, mv->map, at, NULL) == TSR_OK;
}

/* Mark the results that change with index x of mode m. */
static void see_index(bool *varies, const moving *mv, int m, uint64_t x)
{
    int64_t results[TSR_MAX_ORDER];
    if (!move_index(results, mv, m, x))
        return;
    for (int r = 0; r < mv->nresults; r++)
        varies[r] = varies[r] || results[r] != mv->base_results[r];
}

/* A result with one index depends on no mode. Where one such result and one mode without a result are left, they belong
 * together; of more it is not known which. */
static void match_rest(moving *mv, const uint64_t *dims)
{
    int nmodes = 0, nresults = 0, mode = 0, result = 0;
    for (int m = 0; m < mv->coo->order; m++) {
        bool taken = false;
        for (int r = 0; r < mv->nresults; r++)
            taken = taken || mv->from[r] == m || mv->from[r] == MANY_MODES;
        nmodes += !taken;
        mode = taken ? mode : m;
    }
    for (int r = 0; r < mv->nresults; r++)
        if (mv->from[r] == NO_MODE && dims[r] == 1) {
            nresults++;
            result = r;
        }
    if (nmodes == 1 && nresults == 1)
        mv->from[result] = mode;
}

/* Find for each result the one mode that it depends on. Of modes without names, which may be huge, only the ends are
 * looked at. */
static void find_modes(moving *mv, const tsr_labels *labels)
{
    enum { ENDS = 2048 };
    for (int r = 0; r < mv->nresults; r++)
        mv->from[r] = NO_MODE;
    for (int m = 0; m < mv->coo->order; m++) {
        const uint64_t dim = mv->coo->dims[m];
        const uint64_t n = dim > 2 * ENDS && !tsr_labels_of(labels, m, dim) ? ENDS : dim;
        bool varies[TSR_MAX_ORDER] = {false};
        for (uint64_t x = 0; x < n; x++)
            see_index(varies, mv, m, x);
        for (uint64_t x = n < dim ? dim - ENDS : dim; x < dim; x++)
            see_index(varies, mv, m, x);
        for (int r = 0; r < mv->nresults; r++)
            if (varies[r])
                mv->from[r] = mv->from[r] == NO_MODE ? m : MANY_MODES;
    }
}

/* The names of result r, which has `dim` indices. Two names at one index: the result has no names. */
static tsr_status move_names(tsr_names *out, const moving *mv, int r, uint64_t dim, const tsr_names *names,
                             tsr_error *err)
{
    int64_t results[TSR_MAX_ORDER];
    const int m = mv->from[r];
    void *memory = NULL;
    tsr_status status = TSR_OK;
    bool clash = false;
    TSR_TRY(tsr_alloc_array(&memory, dim, sizeof(uint64_t), 0, "labels", err));
    uint64_t *const index = memory;
    memset(index, 0xff, dim * sizeof *index);
    for (uint64_t x = 0; x < names->n && !clash; x++) {
        if (!move_index(results, mv, m, x) || results[r] < 0 || (uint64_t)results[r] >= dim)
            continue;
        clash = index[results[r]] != UINT64_MAX;
        index[results[r]] = x;
    }
    if (!clash)
        status = tsr_names_take(out, names, index, dim, err);
    tsr_free(memory);
    return status;
}

static tsr_status move(tsr_labels *labels, const tsr_coo *coo, const transform_action *action, tsr_error *err)
{
    tsr_labels before = *labels;
    moving mv = {.map = action->map, .coo = coo, .nresults = tsr_map_nresults(action->map)};
    tsr_status status = TSR_OK;
    memset(labels, 0, sizeof *labels);
    if (find_base(&mv)) {
        find_modes(&mv, &before);
        match_rest(&mv, action->dims);
        for (int r = 0; r < mv.nresults && status == TSR_OK; r++)
            if (mv.from[r] >= 0 && tsr_labels_of(&before, mv.from[r], coo->dims[mv.from[r]]))
                status =
                    move_names(&labels->modes[r], &mv, r, action->dims[r], &before.modes[mv.from[r]], err);
    }
    for (int m = 0; m < TSR_MAX_ORDER; m++)
        tsr_names_clear(&before.modes[m]);
    return status;
}

/* Name x moves to index table[x]. */
static tsr_status permute(tsr_names *names, const uint64_t *table, tsr_error *err)
{
    void *memory = NULL;
    tsr_names moved = {.n = 0};
    TSR_TRY(tsr_alloc_array(&memory, names->n, sizeof(uint64_t), 0, "labels", err));
    uint64_t *const index = memory;
    for (uint64_t x = 0; x < names->n; x++)
        index[table[x]] = x;
    const tsr_status status = tsr_names_take(&moved, names, index, names->n, err);
    tsr_free(memory);
    if (status == TSR_OK) {
        tsr_names_clear(names);
        *names = moved;
    }
    return status;
}

/* Append the names of the other tensor; indices without a name get an empty one. */
static tsr_status append(tsr_names *names, uint64_t dim, const tsr_names *other, uint64_t other_dim,
                         tsr_error *err)
{
    if (names->n != dim && (!other || other->n != other_dim)) {
        tsr_names_clear(names);
        return TSR_OK;
    }
    for (uint64_t i = names->n; i < dim; i++)
        TSR_TRY(tsr_names_add(names, "", 0, err));
    for (uint64_t i = 0; i < other_dim; i++) {
        const char *const name = other && other->n == other_dim ? tsr_names_get(other, i) : "";
        TSR_TRY(tsr_names_add(names, name, strlen(name), err));
    }
    return TSR_OK;
}

tsr_status transform_act_on_labels(tsr_labels *labels, const tsr_coo *coo, const transform_action *action,
                                   tsr_error *err)
{
    const int m = action->mode;
    switch (action->kind) {
    case TRANSFORM_MOVE:
        return move(labels, coo, action, err);
    case TRANSFORM_TABLE:
        return tsr_labels_of(labels, m, coo->dims[m]) ? permute(&labels->modes[m], action->table, err)
                                                      : TSR_OK;
    case TRANSFORM_APPEND:
        return append(&labels->modes[m], coo->dims[m], action->labels ? &action->labels->modes[m] : NULL,
                      action->other->dims[m], err);
    default: /* the cells stay */
        return TSR_OK;
    }
}
