/* Sets of index maps with their runtime symbols and replica maps, and their composition. All maps of one
 * tsr_hlo_index have the same variables: those of index->map. */
#include "hlo_internal.h"

#include <stdio.h>
#include <string.h>

#include "tsr_alloc.h"

void hlo_index_clear(tsr_hlo_index *index)
{
    tsr_map_free(index->map);
    tsr_map_free(index->replica);
    for (int r = 0; index->runtime && r < index->nruntime; r++)
        tsr_map_free(index->runtime[r].map);
    tsr_free(index->runtime);
    *index = (tsr_hlo_index){0};
}

void tsr_hlo_indexing_clear(tsr_hlo_indexing *indexing)
{
    for (int i = 0; i < indexing->n; i++)
        hlo_index_clear(&indexing->index[i]);
    tsr_free(indexing->index);
    *indexing = (tsr_hlo_indexing){0};
}

static bool same_map(const tsr_map *a, const tsr_map *b)
{
    return a && b ? tsr_map_equal(a, b) : a == b;
}

static bool same_index(const tsr_hlo_index *a, const tsr_hlo_index *b)
{
    if (!same_map(a->map, b->map) || !same_map(a->replica, b->replica) || a->nruntime != b->nruntime ||
        strcmp(a->why, b->why) != 0)
        return false;
    for (int r = 0; r < a->nruntime; r++)
        if (a->runtime[r].instruction != b->runtime[r].instruction ||
            !same_map(a->runtime[r].map, b->runtime[r].map))
            return false;
    return true;
}

tsr_status hlo_take(tsr_hlo_indexing *set, tsr_hlo_index *index, tsr_error *err)
{
    const size_t n = (size_t)set->n;
    for (int i = 0; i < set->n; i++)
        if (same_index(&set->index[i], index)) {
            hlo_index_clear(index);
            return TSR_OK;
        }
    tsr_status status = TSR_OK;
    if (set->n == HLO_MAX_WAYS)
        status = tsr_fail(err, TSR_LIMIT, "a tensor is read in more than %d ways", HLO_MAX_WAYS);
    if (status == TSR_OK && (n & (n - 1)) == 0) { /* full: the capacity is n rounded up to a power of two */
        tsr_hlo_index *grown = tsr_realloc(set->index, (n ? n * 2 : 1) * sizeof *grown);
        if (grown)
            set->index = grown;
        else
            status = tsr_fail(err, TSR_NOMEM, "out of memory for index maps");
    }
    if (status != TSR_OK) {
        hlo_index_clear(index);
        return status;
    }
    set->index[set->n++] = *index;
    *index = (tsr_hlo_index){0};
    return TSR_OK;
}

tsr_status hlo_take_map(tsr_hlo_indexing *set, tsr_map *map, tsr_error *err)
{
    tsr_hlo_index index = {.map = map};
    return hlo_take(set, &index, err);
}

tsr_status hlo_take_unknown(tsr_hlo_indexing *set, const hlo_instruction *in, const char *words,
                            tsr_error *err)
{
    tsr_hlo_index index = {0};
    snprintf(index.why, sizeof index.why, "%.40s: %s", in->opcode, words);
    return hlo_take(set, &index, err);
}

static tsr_status new_runtime(tsr_hlo_runtime **out, int n, tsr_error *err)
{
    void *block;
    *out = NULL;
    if (n == 0)
        return TSR_OK;
    TSR_TRY(tsr_alloc_array(&block, (uint64_t)n, sizeof **out, 1, "runtime symbols", err));
    *out = block;
    return TSR_OK;
}

tsr_status hlo_copy(tsr_hlo_index *out, const tsr_hlo_index *index, tsr_error *err)
{
    tsr_status status;
    *out = (tsr_hlo_index){.nruntime = index->nruntime};
    memcpy(out->why, index->why, sizeof out->why);
    TSR_TRY_OUT(new_runtime(&out->runtime, index->nruntime, err));
    if (index->map)
        TSR_TRY_OUT(tsr_map_copy(&out->map, index->map, err));
    if (index->replica)
        TSR_TRY_OUT(tsr_map_copy(&out->replica, index->replica, err));
    for (int r = 0; r < index->nruntime; r++) {
        out->runtime[r].instruction = index->runtime[r].instruction;
        TSR_TRY_OUT(tsr_map_copy(&out->runtime[r].map, index->runtime[r].map, err));
    }
    return TSR_OK;
out:
    hlo_index_clear(out);
    return status;
}

/* ---- changing every map of an index ---- */

typedef tsr_status change(tsr_map **out, const tsr_map *map, void *arg, tsr_error *err);

static tsr_status change_map(tsr_map **map, change *f, void *arg, tsr_error *err)
{
    tsr_map *old = *map;
    if (!old)
        return TSR_OK;
    const tsr_status status = f(map, old, arg, err);
    tsr_map_free(old);
    return status;
}

static tsr_status change_all(tsr_hlo_index *index, change *f, void *arg, tsr_error *err)
{
    TSR_TRY(change_map(&index->map, f, arg, err));
    TSR_TRY(change_map(&index->replica, f, arg, err));
    for (int r = 0; r < index->nruntime; r++)
        TSR_TRY(change_map(&index->runtime[r].map, f, arg, err));
    return TSR_OK;
}

static tsr_status simplified(tsr_map **out, const tsr_map *map, void *arg, tsr_error *err)
{
    (void)arg;
    return tsr_map_simplify(out, map, err);
}

static tsr_status kept(tsr_map **out, const tsr_map *map, void *arg, tsr_error *err)
{
    return tsr_map_keep(out, map, arg, err);
}

typedef struct substitution {
    int var;
    tsr_map *value;
} substitution;

static tsr_status substituted(tsr_map **out, const tsr_map *map, void *arg, tsr_error *err)
{
    const substitution *s = arg;
    return tsr_map_substitute(out, map, s->var, s->value, err);
}

static void forget_runtime(tsr_hlo_index *index, int r)
{
    tsr_map_free(index->runtime[r].map);
    index->nruntime--;
    memmove(index->runtime + r, index->runtime + r + 1,
            (size_t)(index->nruntime - r) * sizeof *index->runtime);
}

/* ---- unused symbols ---- */

static bool uses(const tsr_map *map, int var)
{
    return map && tsr_map_uses(map, var);
}

/* Drop the symbols that nothing uses: neither the map, nor the replica map, nor the map of a runtime symbol
 * that stays. */
static tsr_status drop_unused(tsr_hlo_index *index, tsr_error *err)
{
    bool keep[TSR_MAP_MAX_VARS];
    const int n = tsr_map_nvars(index->map), first = n - index->nruntime;
    bool changed = true, all = true;
    for (int v = 0; v < n; v++)
        keep[v] = v < tsr_map_ndims(index->map) ||
                  tsr_map_var_bounds(index->map, v).lo > tsr_map_var_bounds(index->map, v).hi ||
                  uses(index->map, v) || uses(index->replica, v);
    while (changed) {
        changed = false;
        for (int r = 0; r < index->nruntime; r++)
            for (int v = 0; keep[first + r] && v < n; v++)
                if (!keep[v] && uses(index->runtime[r].map, v))
                    keep[v] = changed = true;
    }
    for (int r = index->nruntime - 1; r >= 0; r--)
        if (!keep[first + r])
            forget_runtime(index, r);
    for (int v = 0; v < n; v++)
        all &= keep[v];
    return all ? TSR_OK : change_all(index, kept, keep, err);
}

/* ---- runtime symbols with known values ---- */

static bool is(const hlo_instruction *in, const char *opcode)
{
    return strcmp(in->opcode, opcode) == 0;
}

/* Whether the operation only moves the values of its first operand. */
static bool moves(const hlo_instruction *in)
{
    static const char *const opcodes[] = {"bitcast", "broadcast", "copy",  "convert",
                                          "reshape", "reverse",   "slice", "transpose"};
    for (size_t i = 0; i < sizeof opcodes / sizeof opcodes[0]; i++)
        if (in->noperands == 1 && is(in, opcodes[i]))
            return true;
    return false;
}

/* A map with the variables of `like` and one result: the constant c, or result r of `like`. */
static tsr_status value_of(tsr_map **out, const tsr_map *like, bool constant, int64_t c, int r,
                           tsr_error *err)
{
    tsr_map_builder *builder;
    tsr_map *value;
    const int none[1] = {0};
    *out = NULL;
    TSR_TRY(tsr_map_builder_new(&builder, constant ? 0 : tsr_map_nresults(like), NULL, err));
    const tsr_linear *x = constant ? tsr_map_build_const(builder, c) : tsr_map_build_var(builder, r);
    TSR_TRY(tsr_map_build_finish(&value, builder, 1, &x, err));
    const tsr_status status =
        constant ? tsr_map_embed(out, value, like, none, err) : tsr_map_compose(out, value, like, err);
    tsr_map_free(value);
    return status;
}

/* The value of runtime symbol r, if it is read from a constant or an iota, possibly moved; else *out is
 * NULL. */
static tsr_status find_value(tsr_map **out, hlo_work *work, const tsr_hlo_runtime *runtime, tsr_error *err)
{
    const tsr_hlo *hlo = work->hlo;
    int i = runtime->instruction;
    tsr_map *at;
    int64_t c;
    *out = NULL;
    TSR_TRY(tsr_map_copy(&at, runtime->map, err));
    tsr_status status = TSR_OK;
    while (status == TSR_OK && moves(&hlo->instructions[i])) {
        tsr_hlo_indexing step = {0};
        status = hlo_indexing_of(&step, work, (tsr_hlo_edge){i, 0, 0}, TSR_OUTPUT_TO_INPUT, err);
        if (status == TSR_OK && (step.n != 1 || !step.index[0].map)) {
            tsr_hlo_indexing_clear(&step);
            break;
        }
        if (status == TSR_OK) {
            tsr_map *old = at;
            status = tsr_map_compose(&at, step.index[0].map, old, err);
            tsr_map_free(old);
            i = hlo->instructions[i].operands[0];
        }
        tsr_hlo_indexing_clear(&step);
    }
    const hlo_instruction *in = &hlo->instructions[i];
    if (status == TSR_OK && hlo_integer(&c, in)) {
        status = value_of(out, at, true, c, 0, err);
    } else if (status == TSR_OK && is(in, "iota") && tsr_map_nvars(at) == tsr_map_nvars(runtime->map)) {
        int dims[TSR_XLA_MAX_RANK] = {0}, n;
        int64_t dim;
        status = hlo_dim_list(dims, &n, in->shapes[0].rank, in, "dimensions", err);
        if (status == TSR_OK && n > 1)
            status = tsr_fail(err, TSR_ARGUMENT, "dimensions of '%.40s' has more than 1 number", in->name);
        if (status == TSR_OK)
            status = hlo_int(&dim, dims[0], in, "iota_dimension", err);
        if (status == TSR_OK && dim < in->shapes[0].rank)
            status = value_of(out, at, false, 0, (int)dim, err);
    }
    tsr_map_free(at);
    return status;
}

/* Replace runtime symbols by their values where these are known. */
static tsr_status resolve(bool *any, tsr_hlo_index *index, hlo_work *work, tsr_error *err)
{
    *any = false;
    for (int r = 0; r < index->nruntime; r++) {
        substitution s = {.var = tsr_map_nvars(index->map) - index->nruntime + r};
        TSR_TRY(find_value(&s.value, work, &index->runtime[r], err));
        if (!s.value)
            continue;
        /* XLA clamps offsets that would lead outside, so a value that may be clamped stays a symbol */
        const tsr_interval have = tsr_map_result_bounds(s.value, 0);
        const tsr_interval may = tsr_map_var_bounds(index->map, s.var);
        tsr_status status = TSR_OK;
        if (!tsr_map_uses(s.value, s.var) && have.lo >= may.lo && have.hi <= may.hi) {
            *any = true;
            forget_runtime(index, r);
            status = change_all(index, substituted, &s, err);
            r--;
        }
        tsr_map_free(s.value);
        TSR_TRY(status);
    }
    return TSR_OK;
}

tsr_status hlo_tidy(tsr_hlo_index *index, tsr_error *err)
{
    if (!index->map)
        return TSR_OK;
    TSR_TRY(change_all(index, simplified, NULL, err));
    return drop_unused(index, err);
}

tsr_status hlo_refine(tsr_hlo_index *index, hlo_work *work, tsr_error *err)
{
    bool any;
    TSR_TRY(resolve(&any, index, work, err));
    return any ? hlo_tidy(index, err) : TSR_OK;
}

/* ---- composing ---- */

static int nranges(const tsr_hlo_index *index)
{
    return tsr_map_nvars(index->map) - tsr_map_ndims(index->map) - index->nruntime;
}

/* The variables of `inner` in the composition, which are ordered: dims, ranges of outer, ranges of inner,
 * runtime symbols of outer, of inner. */
static void place_inner(int *at, const tsr_hlo_index *outer, const tsr_hlo_index *inner)
{
    const int n = tsr_map_nvars(inner->map), ndims = tsr_map_ndims(inner->map);
    for (int v = 0; v < n; v++)
        at[v] = v + (v >= ndims ? nranges(outer) : 0) + (v >= n - inner->nruntime ? outer->nruntime : 0);
}

static tsr_status compose_parts(tsr_hlo_index *out, const tsr_hlo_index *outer, const tsr_hlo_index *inner,
                                tsr_error *err)
{
    int at[TSR_MAP_MAX_VARS];
    TSR_TRY(tsr_map_compose(&out->map, outer->map, inner->map, err));
    place_inner(at, outer, inner);
    TSR_TRY(new_runtime(&out->runtime, outer->nruntime + inner->nruntime, err));
    out->nruntime = outer->nruntime + inner->nruntime;
    for (int r = 0; r < out->nruntime; r++) {
        const bool mine = r < outer->nruntime;
        const tsr_hlo_runtime *from = mine ? &outer->runtime[r] : &inner->runtime[r - outer->nruntime];
        out->runtime[r].instruction = from->instruction;
        TSR_TRY(mine ? tsr_map_compose(&out->runtime[r].map, from->map, inner->map, err)
                     : tsr_map_embed(&out->runtime[r].map, from->map, out->map, at, err));
    }
    if (outer->replica)
        return tsr_map_compose(&out->replica, outer->replica, inner->map, err);
    if (inner->replica)
        return tsr_map_embed(&out->replica, inner->replica, out->map, at, err);
    return TSR_OK;
}

/* Whether inner is the identity on a box that contains all dims of outer, so that outer after inner is
 * outer. */
static bool is_start(const tsr_hlo_index *outer, const tsr_hlo_index *inner)
{
    int perm[TSR_MAP_MAX_VARS];
    const int n = tsr_map_ndims(inner->map);
    if (inner->replica || tsr_map_nvars(inner->map) != n || tsr_map_nresults(inner->map) != n ||
        tsr_map_is_constrained(inner->map) || !tsr_map_is_permutation(inner->map, perm))
        return false;
    for (int d = 0; d < n; d++) {
        const tsr_interval box = tsr_map_var_bounds(inner->map, d), in = tsr_map_var_bounds(outer->map, d);
        if (perm[d] != d || in.lo < box.lo || in.hi > box.hi)
            return false;
    }
    return true;
}

tsr_status hlo_compose(tsr_hlo_index *out, hlo_work *work, const tsr_hlo_index *outer,
                       const tsr_hlo_index *inner, tsr_error *err)
{
    *out = (tsr_hlo_index){0};
    if (work->budget-- <= 0)
        return tsr_fail(err, TSR_LIMIT, "the analysis needs more than %d compositions of maps", HLO_BUDGET);
    if (!outer->map || !inner->map) { /* unknown indexing stays unknown */
        memcpy(out->why, !inner->map ? inner->why : outer->why, sizeof out->why);
        return TSR_OK;
    }
    if (outer->replica && inner->replica) {
        snprintf(out->why, sizeof out->why, "all-gather: of an all-gather");
        return TSR_OK;
    }
    tsr_status status;
    bool any;
    if (is_start(outer,
                 inner)) { /* the map of the operation itself, including symbols that have only one value */
        TSR_TRY(hlo_copy(out, outer, err));
        TSR_TRY_OUT(hlo_refine(out, work, err));
        return TSR_OK;
    }
    TSR_TRY_OUT(compose_parts(out, outer, inner, err));
    TSR_TRY_OUT(resolve(&any, out, work, err));
    TSR_TRY_OUT(hlo_tidy(out, err));
    return TSR_OK;
out:
    hlo_index_clear(out);
    return status;
}

/* ---- text ---- */

/* Print the results alone, [d0, 0]; nothing if there are none. */
static void print_place(tsr_text *text, const tsr_map *map)
{
    for (int r = 0; r < tsr_map_nresults(map); r++) {
        tsr_text_add(text, r == 0 ? "[" : ", ");
        tsr_map_print_result(text, map, r, NULL);
    }
    tsr_text_add(text, tsr_map_nresults(map) > 0 ? "]" : "");
}

void tsr_hlo_print_index(tsr_text *text, const tsr_hlo *hlo, const tsr_hlo_index *index)
{
    if (!index->map) {
        tsr_text_addf(text, "unknown indexing (%s)", index->why);
        return;
    }
    tsr_map_show(text, index->map);
    for (int r = 0; r < index->nruntime; r++) {
        tsr_text_addf(text, "\nrt%d = %s", r, tsr_hlo_name(hlo, index->runtime[r].instruction));
        print_place(text, index->runtime[r].map);
    }
    if (index->replica) {
        tsr_text_add(text, "\nreplica");
        print_place(text, index->replica);
    }
}
