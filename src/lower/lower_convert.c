/* The program of a conversion: entries that are in dense levels and lists, in coordinates, or in a list in any order, go into a format of
 * full levels, lists and coordinates, of any map. A list of the numbers of the entries is sorted by the coordinates in one level after the
 * other, the innermost first, each time by counting, which keeps the order of equal coordinates; then the levels are built one by one:
 * node[q] is the position of the entry q of the sorted list in the level before. Threads share the entries in equal parts; in each part
 * they count the keys for themselves. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lower_internal.h"
#include "tsr_alloc.h"
#include "tsr_arena.h"

enum { MAX_PARAMS = 5 + 5 * TSR_MAX_LEVELS, KEYS = 65536 };

typedef struct conversion {
    tsr_ir_builder *ir;
    const tsr_lower_conversion *of;
    int order;
    int from[TSR_MAX_LEVELS]; /* the mode of each level of the source */
    int nfrom;   /* its dense levels; < 0: each entry has all coordinates, in a list or below each other */
    int nsorted; /* levels of the result by whose coordinates the entries are sorted */
    tsr_param param[MAX_PARAMS];
    int nparams;
    const tsr_ir_expr *dim[TSR_MAX_ORDER], *n; /* of each mode; the number of entries */
    const tsr_ir_expr *nthreads;               /* NULL: one thread does all */
    const tsr_ir_array *pos[2][TSR_MAX_LEVELS], *crd[2][TSR_MAX_LEVELS],
        *values[2];                             /* of the result, of the source */
    const tsr_ir_array *of_mode[TSR_MAX_ORDER]; /* the coordinates of the entries */
    const tsr_ir_expr *npos[TSR_MAX_LEVELS];    /* of the source, where a parameter says it */
    const tsr_ir_array *number, *node; /* the sorted numbers of the entries, NULL: 0, 1...; their positions */
} conversion;

#define INDEX(c) tsr_ir_index(s->ir, (c))
#define OP(op, x, y) tsr_ir_op2(s->ir, TSR_IR_##op, (x), (y))
#define LOAD(array, at) tsr_ir_load_index(s->ir, (array), (at))

/* ---- parameters ---- */

static void note(conversion *s, tsr_param_role role, int tensor, int level, int var)
{
    s->param[s->nparams++] = (tsr_param){.role = role, .tensor = tensor, .level = level, .var = var};
}

/* Add the array of a level of the result (tensor 0) or of the source (1); level -1: the values. */
static const tsr_ir_array *add_array(conversion *s, int tensor, tsr_level_role as, int level)
{
    static const char *const ending[] = {[TSR_LEVEL_POS] = "pos", [TSR_LEVEL_CRD] = "crd"};
    char name[256];
    const bool is_index = level >= 0;
    const tsr_lower_side *const side = tensor == 0 ? &s->of->to : &s->of->from;
    const tsr_type type = is_index ? tsr_type_unsigned(side->nbytes[as][level]) : side->type;
    const tsr_param_role values = tensor == 0 ? TSR_PARAM_OUT_VALUES : TSR_PARAM_VALUES;
    const tsr_param_role first = tensor == 0 ? TSR_PARAM_OUT_POS : TSR_PARAM_POS;
    snprintf(name, sizeof name, is_index ? "%.200s%d_%s" : "%.200s", side->name, level + 1, ending[as]);
    note(s, is_index ? (tsr_param_role)((int)first + (int)as) : values, tensor, level, -1);
    return tensor == 0 ? tsr_ir_output_param(s->ir, name, is_index, type)
                       : tsr_ir_array_param(s->ir, name, is_index, type, true, NULL);
}

static void add_threads(conversion *s)
{
    if (!s->of->threads)
        return;
    note(s, TSR_PARAM_NTHREADS, -1, -1, -1);
    s->nthreads = tsr_ir_index_param(s->ir, "nthreads");
}

static void add_params(conversion *s)
{
    const tsr_lower_conversion *const of = s->of;
    char name[64];
    add_threads(s);
    for (int m = 0; m < s->order; m++) {
        snprintf(name, sizeof name, "dim%d", m);
        note(s, TSR_PARAM_SIZE, -1, -1, m);
        s->dim[m] = tsr_ir_index_param(s->ir, name);
    }
    note(s, TSR_PARAM_NPOS, 1, of->from.format ? s->order - 1 : 0, -1);
    s->n = tsr_ir_index_param(s->ir, "nentries");
    for (int l = 0; l < of->to.format->nlevels; l++) {
        if (tsr_level_has(of->to.format->levels[l].type, TSR_LEVEL_POS))
            s->pos[0][l] = add_array(s, 0, TSR_LEVEL_POS, l);
        if (tsr_level_has(of->to.format->levels[l].type, TSR_LEVEL_CRD))
            s->crd[0][l] = add_array(s, 0, TSR_LEVEL_CRD, l);
    }
    if (of->to.type != TSR_PATTERN)
        s->values[0] = add_array(s, 0, TSR_LEVEL_POS, -1);
    for (int l = s->nfrom < 0 ? 0 : s->nfrom; l < s->order; l++) {
        if (s->nfrom >= 0)
            s->pos[1][l] = add_array(s, 1, TSR_LEVEL_POS, l);
        s->crd[1][l] = add_array(s, 1, TSR_LEVEL_CRD, l);
    }
    if (of->to.type != TSR_PATTERN)
        s->values[1] = add_array(s, 1, TSR_LEVEL_POS, -1);
}

/* ---- shares ---- */

/* Open the loop over [0, n), of which each thread has a part; *t: the number of the thread. Returns the variable. */
static const tsr_ir_expr *open_shared(const conversion *s, const char *name, const tsr_ir_expr *n,
                                      const tsr_ir_expr **t)
{
    *t = INDEX(0);
    if (!s->nthreads)
        return tsr_ir_for(s->ir, name, INDEX(0), n, 0);
    *t = tsr_ir_for(s->ir, "t", INDEX(0), s->nthreads, TSR_IR_PARALLEL);
    const tsr_ir_expr *const next = tsr_ir_add(s->ir, *t, INDEX(1));
    const tsr_ir_expr *const lo = OP(FLOORDIV, tsr_ir_mul(s->ir, n, *t), s->nthreads);
    const tsr_ir_expr *const hi = OP(FLOORDIV, tsr_ir_mul(s->ir, n, next), s->nthreads);
    return tsr_ir_for(s->ir, name, lo, hi, 0);
}

static void close_shared(const conversion *s)
{
    tsr_ir_end(s->ir);
    if (s->nthreads)
        tsr_ir_end(s->ir);
}

/* ---- the entries ---- */

/* Whether the coordinates in the levels `first` and after of the result rise where those in the levels before are equal. */
static bool is_sorted_from(const conversion *s, int first)
{
    const tsr_format *const to = s->of->to.format;
    int mode[TSR_MAX_LEVELS];
    uint32_t before = 0;
    int behind = first;
    while (behind < to->nlevels && to->levels[behind].type->full)
        behind++;
    if (behind == to->nlevels)
        return true; /* the places in a block do not depend on the order */
    if (s->nfrom < 0 || !tsr_format_is_permutation(to, mode))
        return false;
    for (int l = 0; l < first; l++)
        before |= UINT32_C(1) << mode[l];
    for (int l = 0; l < s->order; l++)
        if (!(before >> s->from[l] & 1) && s->from[l] != mode[first++])
            return false;
    return first == s->order;
}

/* The coordinate of entry e in level l of the result. */
static const tsr_ir_expr *coordinate(const conversion *s, int l, const tsr_ir_expr *e)
{
    const tsr_map *const map = s->of->to.format->map;
    const tsr_ir_expr *mode[TSR_MAX_ORDER];
    for (int m = 0; m < s->order; m++)
        mode[m] = tsr_map_result_vars(map, l) >> m & 1 ? LOAD(s->of_mode[m], e) : INDEX(0);
    return lower_fold_map(s->ir, map, l, mode);
}

/* The size of level l of the result. */
static const tsr_ir_expr *size_of(const conversion *s, int l)
{
    const tsr_ir_expr *last[TSR_MAX_ORDER];
    for (int m = 0; m < s->order; m++)
        last[m] = tsr_ir_sub(s->ir, s->dim[m], INDEX(1));
    return tsr_ir_add(s->ir, lower_fold_map_last(s->ir, s->of->to.format->map, l, last), INDEX(1));
}

/* Set of_mode: the coordinates of the levels of the source that are not one for each entry are written to arrays. */
static void find_coordinates(conversion *s)
{
    const tsr_ir_expr *crd[TSR_MAX_LEVELS], *p = INDEX(0), *t;
    const int n = s->order;
    for (int l = 0; l < n; l++) {
        const bool is_stored = s->nfrom < 0 || l == n - 1;
        char name[64];
        snprintf(name, sizeof name, "crd%d", s->from[l]);
        s->of_mode[s->from[l]] =
            is_stored ? s->crd[1][l] : tsr_ir_index_array_new(s->ir, name, TSR_U64, TSR_IR_HEAP, s->n, false);
    }
    if (s->nfrom < 0 || n == 1)
        return;
    for (int l = 0; l < n; l++) {
        const bool is_dense = l < s->nfrom;
        const tsr_ir_expr *const lo = is_dense ? INDEX(0) : LOAD(s->pos[1][l], p);
        const tsr_ir_expr *const hi =
            is_dense ? s->dim[s->from[l]] : LOAD(s->pos[1][l], tsr_ir_add(s->ir, p, INDEX(1)));
        const bool is_shared = l == 0 && is_dense;
        const tsr_ir_expr *const at =
            is_shared ? open_shared(s, "c", hi, &t) : tsr_ir_for(s->ir, is_dense ? "c" : "p", lo, hi, 0);
        crd[l] = is_dense ? at : LOAD(s->crd[1][l], at);
        if (!is_dense && l < n - 1)
            crd[l] = tsr_ir_declare(s->ir, "c", crd[l], false);
        p = is_dense ? tsr_ir_add(s->ir, tsr_ir_mul(s->ir, p, hi), at) : at;
    }
    for (int l = 0; l < n - 1; l++)
        tsr_ir_store(s->ir, s->of_mode[s->from[l]], p, crd[l], false, false);
    for (int l = 1; l < n; l++)
        tsr_ir_end(s->ir);
    if (s->nfrom > 0)
        close_shared(s);
    else
        tsr_ir_end(s->ir);
}

/* The number of the entry at place q of the sorted list. */
static const tsr_ir_expr *entry_at(const conversion *s, const tsr_ir_expr *q)
{
    return s->number ? tsr_ir_declare(s->ir, "e", LOAD(s->number, q), false) : q;
}

/* Sort the numbers by the coordinates in level l, 16 bits at a time. */
static void sort_by(const conversion *s, int l, const tsr_ir_array *other, const tsr_ir_array *count)
{
    const tsr_ir_expr *const size = tsr_ir_declare(s->ir, "size", size_of(s, l), false);
    const tsr_ir_expr *const unit = tsr_ir_declare(s->ir, "unit", INDEX(1), true);
    const tsr_ir_expr *const nparts = s->nthreads ? s->nthreads : INDEX(1), *q, *t, *at;
    tsr_ir_comment(s->ir, "sort by the coordinates in level %d", l + 1);
    tsr_ir_while(s->ir, OP(LT, unit, OP(MIN, size, INDEX(INT64_C(1) << 62))));
    q = open_shared(s, "k", tsr_ir_mul(s->ir, nparts, INDEX(KEYS)), &t);
    tsr_ir_store(s->ir, count, q, INDEX(0), false, false);
    close_shared(s);
    for (int pass = 0; pass < 2; pass++) { /* count the keys; then move the numbers */
        q = open_shared(s, "q", s->n, &t);
        const tsr_ir_expr *const e = entry_at(s, q);
        at = OP(MASK, OP(FLOORDIV, coordinate(s, l, e), unit), INDEX(KEYS - 1));
        at = tsr_ir_declare(s->ir, "k", tsr_ir_add(s->ir, tsr_ir_mul(s->ir, t, INDEX(KEYS)), at), false);
        if (pass > 0)
            tsr_ir_store(s->ir, other, LOAD(count, at), e, false, false);
        tsr_ir_store(s->ir, count, at, INDEX(1), true, false);
        close_shared(s);
        if (pass > 0)
            break;
        const tsr_ir_expr *const total = tsr_ir_declare(s->ir, "total", INDEX(0), true);
        q = tsr_ir_for(s->ir, "k", INDEX(0), OP(MIN, size, INDEX(KEYS)), 0);
        t = tsr_ir_for(s->ir, "t", INDEX(0), nparts, 0);
        at = tsr_ir_declare(s->ir, "at", tsr_ir_add(s->ir, tsr_ir_mul(s->ir, t, INDEX(KEYS)), q), false);
        const tsr_ir_expr *const n = tsr_ir_declare(s->ir, "n", LOAD(count, at), false);
        tsr_ir_store(s->ir, count, at, total, false, false);
        tsr_ir_assign(s->ir, total, n, true);
        tsr_ir_end(s->ir);
        tsr_ir_end(s->ir);
    }
    q = open_shared(s, "q", s->n, &t);
    tsr_ir_store(s->ir, s->number, q, LOAD(other, q), false, false);
    close_shared(s);
    tsr_ir_assign(s->ir, unit, tsr_ir_mul(s->ir, OP(MIN, unit, INDEX(INT64_C(1) << 46)), INDEX(KEYS)), false);
    tsr_ir_end(s->ir);
}

static void sort_entries(conversion *s)
{
    if (s->nsorted == 0)
        return;
    s->number = tsr_ir_index_array_new(s->ir, "number", TSR_U64, TSR_IR_HEAP, s->n, false);
    const tsr_ir_array *const other =
        tsr_ir_index_array_new(s->ir, "other", TSR_U64, TSR_IR_HEAP, s->n, false);
    const tsr_ir_array *const count =
        tsr_ir_index_array_new(s->ir, "count", TSR_U64, TSR_IR_HEAP,
                               tsr_ir_mul(s->ir, s->nthreads ? s->nthreads : INDEX(1), INDEX(KEYS)), false);
    const tsr_ir_expr *t, *const q = open_shared(s, "q", s->n, &t);
    tsr_ir_store(s->ir, s->number, q, q, false, false);
    close_shared(s);
    for (int l = s->nsorted - 1; l >= 0; l--)
        sort_by(s, l, other, count);
}

/* ---- the levels ---- */

/* The level behind those whose positions are the ones of the list in level l: coordinates below it. */
static int behind_group(const conversion *s, int l)
{
    const tsr_format *const to = s->of->to.format;
    for (l++; l < to->nlevels && to->levels[l].type->branchless;)
        l++;
    return l;
}

/* Whether each entry has a position of its own in level l: it is in the last group, and no entry occurs twice. */
static bool is_own(const conversion *s, int l)
{
    return s->nfrom >= 0 && behind_group(s, l) == s->of->to.format->nlevels;
}

/* Set node[q] to the positions in the list of level l, where an entry has that of the one before if both have the same parent and
 * the same coordinates in the group; returns their number. */
static const tsr_ir_expr *find_positions(const conversion *s, int l)
{
    const tsr_ir_expr *const n = tsr_ir_declare(s->ir, "n", INDEX(0), true);
    const tsr_ir_expr *const parent = tsr_ir_declare(s->ir, "parent", INDEX(-1), true);
    const tsr_ir_expr *last[TSR_MAX_LEVELS], *c[TSR_MAX_LEVELS];
    const int behind = behind_group(s, l);
    for (int k = l; k < behind; k++)
        last[k] = tsr_ir_declare(s->ir, "last", INDEX(0), true);
    const tsr_ir_expr *const q = tsr_ir_for(s->ir, "q", INDEX(0), s->n, 0);
    const tsr_ir_expr *const e = entry_at(s, q);
    const tsr_ir_expr *const p = l == 0 ? INDEX(0) : tsr_ir_declare(s->ir, "p", LOAD(s->node, q), false);
    const tsr_ir_expr *differs = OP(NE, p, parent);
    for (int k = l; k < behind; k++) {
        c[k] = tsr_ir_declare(s->ir, "c", coordinate(s, k, e), false);
        differs = OP(OR, differs, OP(NE, c[k], last[k]));
    }
    tsr_ir_if(s->ir, differs);
    tsr_ir_store(s->ir, s->pos[0][l], tsr_ir_add(s->ir, p, INDEX(1)), INDEX(1), true, false);
    tsr_ir_assign(s->ir, n, INDEX(1), true);
    tsr_ir_assign(s->ir, parent, p, false);
    for (int k = l; k < behind; k++)
        tsr_ir_assign(s->ir, last[k], c[k], false);
    tsr_ir_end(s->ir);
    tsr_ir_store(s->ir, s->node, q, tsr_ir_sub(s->ir, n, INDEX(1)), false, false);
    tsr_ir_end(s->ir);
    return tsr_ir_declare(s->ir, "npos", n, false);
}

/* Build the list of level l below nparents positions; returns the number of its positions. */
static const tsr_ir_expr *build_list(const conversion *s, int l, const tsr_ir_expr *nparents)
{
    const tsr_ir_array *const pos = s->pos[0][l];
    const tsr_ir_expr *npos = s->n, *q, *t;
    tsr_ir_output_new(s->ir, pos, tsr_ir_add(s->ir, nparents, INDEX(1)), true);
    if (!is_own(s, l))
        npos = find_positions(s, l);
    for (int k = l; k < behind_group(s, l); k++)
        tsr_ir_output_new(s->ir, s->crd[0][k], npos, false);
    q = open_shared(s, "q", s->n, &t);
    const tsr_ir_expr *const next = tsr_ir_add(s->ir, q, INDEX(1)), *const e = entry_at(s, q);
    for (int k = l; k < behind_group(s, l); k++)
        tsr_ir_store(s->ir, s->crd[0][k], is_own(s, l) ? q : LOAD(s->node, q), coordinate(s, k, e), false,
                     false);
    if (is_own(s, l)) { /* the last entry of each parent says where its list ends */
        const tsr_ir_expr *const p = l == 0 ? INDEX(0) : tsr_ir_declare(s->ir, "p", LOAD(s->node, q), false);
        const tsr_ir_expr *const behind = OP(MIN, next, tsr_ir_sub(s->ir, s->n, INDEX(1)));
        const tsr_ir_expr *const is_last = OP(EQ, next, s->n);
        tsr_ir_if(s->ir, l == 0 ? is_last : OP(OR, is_last, OP(NE, LOAD(s->node, behind), p)));
        tsr_ir_store(s->ir, pos, tsr_ir_add(s->ir, p, INDEX(1)), next, false, false);
        tsr_ir_end(s->ir);
    }
    close_shared(s);
    q = tsr_ir_for(s->ir, "p", INDEX(0), nparents, 0);
    const tsr_ir_expr *const after = tsr_ir_add(s->ir, q, INDEX(1));
    const tsr_ir_expr *const all = is_own(s, l) ? OP(MAX, LOAD(pos, q), LOAD(pos, after))
                                                : tsr_ir_add(s->ir, LOAD(pos, q), LOAD(pos, after));
    tsr_ir_store(s->ir, pos, after, all, false, false);
    tsr_ir_end(s->ir);
    return npos;
}

/* Go through the full level l. */
static void pass_dense(const conversion *s, int l, const tsr_ir_expr *size)
{
    const tsr_ir_expr *t, *const q = open_shared(s, "q", s->n, &t);
    const tsr_ir_expr *const c = coordinate(s, l, entry_at(s, q));
    const tsr_ir_expr *const p = l == 0 ? INDEX(0) : tsr_ir_mul(s->ir, LOAD(s->node, q), size);
    tsr_ir_store(s->ir, s->node, q, tsr_ir_add(s->ir, p, c), false, false);
    close_shared(s);
}

static void build_values(const conversion *s, const tsr_ir_expr *npos)
{
    const tsr_format *const to = s->of->to.format;
    const bool adds = s->nfrom < 0, has_blocks = to->levels[to->nlevels - 1].type->full;
    if (!s->values[0])
        return;
    tsr_ir_output_new(s->ir, s->values[0], npos, adds || has_blocks);
    const tsr_ir_expr *t, *const q = adds ? tsr_ir_for(s->ir, "q", INDEX(0), s->n, 0)
                                          : open_shared(s, "q", s->n, &t);
    const tsr_ir_expr *const x =
        tsr_ir_load_value(s->ir, s->values[1], entry_at(s, q), tsr_ir_value_type(s->of->to.type));
    tsr_ir_store(s->ir, s->values[0], adds || has_blocks ? LOAD(s->node, q) : q, x, adds, false);
    if (adds)
        tsr_ir_end(s->ir);
    else
        close_shared(s);
}

static void convert(conversion *s)
{
    const tsr_ir_expr *npos = INDEX(1);
    add_params(s);
    find_coordinates(s);
    sort_entries(s);
    s->node = tsr_ir_index_array_new(s->ir, "node", TSR_U64, TSR_IR_HEAP, s->n, false);
    for (int l = 0; l < s->of->to.format->nlevels; l++)
        if (s->pos[0][l]) {
            npos = build_list(s, l, npos);
        } else if (!s->crd[0][l]) {
            const tsr_ir_expr *const size = tsr_ir_declare(s->ir, "size", size_of(s, l), false);
            npos = tsr_ir_declare(s->ir, "npos", tsr_ir_mul(s->ir, npos, size), false);
            pass_dense(s, l, size);
        }
    build_values(s, npos);
}

/* ---- other types and widths ---- */

/* The number of positions of the level, a parameter; -1: the root. */
static const tsr_ir_expr *npositions(conversion *s, int level)
{
    char name[64];
    if (level < 0)
        return INDEX(1);
    if (!s->npos[level]) {
        snprintf(name, sizeof name, "npos%d", level + 1);
        note(s, TSR_PARAM_NPOS, 1, level, -1);
        s->npos[level] = tsr_ir_index_param(s->ir, name);
    }
    return s->npos[level];
}

/* Copy an array of n elements in another width. */
static void copy_array(conversion *s, tsr_level_role role, int level, const tsr_ir_expr *n)
{
    const tsr_ir_array *const to = add_array(s, 0, role, level), *const from = add_array(s, 1, role, level);
    const tsr_ir_expr *t;
    tsr_ir_output_new(s->ir, to, n, false);
    const tsr_ir_expr *const q = open_shared(s, "q", n, &t);
    tsr_ir_store(s->ir, to, q, LOAD(from, q), false, false);
    close_shared(s);
}

/* Whether values may be refused: reals become integers, or integers of 64 bits doubles that must be exact. */
static bool checks_values(const tsr_lower_conversion *of)
{
    const char from = tsr_type_class(of->from.type), to = tsr_type_class(of->to.type);
    const bool is_whole = from == 'I' || from == 'U';
    return is_whole ? of->is_exact && to == 'R' && tsr_type_nbytes(of->from.type) == 8
                    : to == 'I' || to == 'U';
}

/* x, a value of the source, in the type of the result; where it is not a number of it, 0, and refused[t] counts. */
static const tsr_ir_expr *checked_value(const conversion *s, const tsr_ir_expr *x,
                                        const tsr_ir_array *refused, const tsr_ir_expr *t)
{
    const tsr_type to = s->of->to.type;
    const tsr_ir_type from = x->type;
    const bool has_sign = tsr_type_class(to) != 'U' && tsr_type_class(from.type) != 'U';
    const bool becomes_whole = tsr_type_class(to) != 'R';
    const double top = becomes_whole ? ldexp(1, 8 * (int)tsr_type_nbytes(to) - has_sign) : 0;
    const double limit = s->of->is_exact && !(top > 0 && top < 0x1p53) ? 0x1p53 : 0; /* else top */
    const tsr_ir_expr *ok =
        limit > 0 ? OP(LE, x, tsr_ir_value(s->ir, from, limit)) : OP(LT, x, tsr_ir_value(s->ir, from, top));
    if (tsr_type_class(from.type) != 'U') {
        const double low = !has_sign ? 0 : limit > 0 ? -limit : -top;
        ok = OP(AND, ok, OP(LE, tsr_ir_value(s->ir, from, low), x));
    }
    ok = tsr_ir_declare(s->ir, "fits", ok, false);
    x = tsr_ir_select(s->ir, ok, x, tsr_ir_value(s->ir, from, 0));
    x = tsr_ir_declare(s->ir, "x", x, false);
    const tsr_ir_expr *const y =
        tsr_ir_declare(s->ir, "y", tsr_ir_convert(s->ir, x, tsr_ir_value_type(to)), false);
    const tsr_ir_expr *fails = tsr_ir_op2(s->ir, TSR_IR_NOT, ok, NULL);
    if (becomes_whole)
        fails = OP(OR, fails, OP(NE, tsr_ir_convert(s->ir, y, from), x));
    tsr_ir_if(s->ir, fails);
    tsr_ir_store(s->ir, refused, t, INDEX(1), true, false);
    tsr_ir_end(s->ir);
    return y;
}

/* Copy n values in the type of the result, each of which is a number of it. */
static void copy_checked(conversion *s, const tsr_ir_array *to, const tsr_ir_array *from,
                         const tsr_ir_expr *n)
{
    const tsr_ir_expr *const nparts = s->nthreads ? s->nthreads : INDEX(1), *t;
    char name[256];
    snprintf(name, sizeof name, "%.200s_refused", s->of->to.name);
    note(s, TSR_PARAM_DIFFERS, 0, -1, -1);
    const tsr_ir_array *const refused = tsr_ir_output_param(s->ir, name, true, TSR_U64);
    const tsr_ir_array *const count =
        tsr_ir_index_array_new(s->ir, "count", TSR_U64, TSR_IR_HEAP, nparts, true);
    const tsr_ir_expr *const q = open_shared(s, "q", n, &t);
    const tsr_ir_expr *const v = tsr_ir_load_value(s->ir, from, q, tsr_ir_value_type(s->of->from.type));
    const tsr_ir_expr *const x = checked_value(s, tsr_ir_declare(s->ir, "v", v, false), count, t);
    tsr_ir_store(s->ir, to, q, x, false, false);
    close_shared(s);
    const tsr_ir_expr *const all = tsr_ir_declare(s->ir, "all", INDEX(0), true);
    t = tsr_ir_for(s->ir, "t", INDEX(0), nparts, 0);
    tsr_ir_assign(s->ir, all, LOAD(count, t), true);
    tsr_ir_end(s->ir);
    tsr_ir_output_new(s->ir, refused, OP(MIN, all, INDEX(1)), false);
}

/* Copy n values in the type of the result. */
static void copy_values(conversion *s, const tsr_ir_expr *n)
{
    const tsr_ir_array *const to = add_array(s, 0, TSR_LEVEL_POS, -1);
    const tsr_ir_array *const from = add_array(s, 1, TSR_LEVEL_POS, -1);
    const tsr_ir_expr *t;
    tsr_ir_output_new(s->ir, to, n, false);
    if (checks_values(s->of)) {
        copy_checked(s, to, from, n);
        return;
    }
    const tsr_ir_expr *const q = open_shared(s, "q", n, &t);
    tsr_ir_store(s->ir, to, q, tsr_ir_load_value(s->ir, from, q, tsr_ir_value_type(s->of->to.type)), false,
                 false);
    close_shared(s);
}

/* Copy the arrays that have another width or type in the result, which shares all others. Positions that may not fit are copied
 * together with the values, whose number tells. */
static void cast(conversion *s)
{
    const tsr_lower_side *const to = &s->of->to, *const from = &s->of->from;
    const tsr_format *const format = to->format;
    bool narrows = false;
    add_threads(s);
    for (int l = 0; l < format->nlevels; l++)
        for (const tsr_level_array *row = format->levels[l].type->arrays;
             row < format->levels[l].type->arrays + TSR_LEVEL_NROLES && row->name; row++) {
            const uint8_t width = to->nbytes[row->role][l];
            if (width == from->nbytes[row->role][l])
                continue;
            narrows = narrows || (row->role == TSR_LEVEL_POS && width < from->nbytes[row->role][l]);
            const bool is_per_parent = row->length != TSR_PER_POSITION;
            const tsr_ir_expr *const n = npositions(s, l - is_per_parent);
            copy_array(s, row->role, l,
                       row->length == TSR_PER_PARENT_AND_ONE ? tsr_ir_add(s->ir, n, INDEX(1)) : n);
        }
    if (to->type != TSR_PATTERN && (to->type != from->type || narrows))
        copy_values(s, npositions(s, format->nlevels - 1));
}

bool tsr_lower_can_convert_from(const tsr_format *format)
{
    int ndense;
    return !format || (tsr_format_is_permutation(format, NULL) &&
                       (tsr_format_is_nested(format, &ndense) || tsr_format_is_coordinates(format)));
}

bool tsr_lower_can_convert(const tsr_format *format)
{
    bool has_list = false;
    for (int l = 0; l < format->nlevels; l++) {
        const tsr_level_type *const type = format->levels[l].type;
        const bool is_list = tsr_level_is_list(type);
        if (!(type->full || is_list || type->branchless) || !lower_can_fold(format->map, l))
            return false;
        has_list = has_list || is_list;
    }
    return has_list && !tsr_format_has_pitch(format);
}

tsr_status tsr_lower_convert(tsr_lowered **out, const tsr_lower_conversion *of, const char *name,
                             const char *header, tsr_error *err)
{
    conversion s = {.of = of, .order = of->to.format->order, .nfrom = -1, .ir = tsr_ir_builder_new(name)};
    tsr_arena arena = {0};
    *out = tsr_calloc(1, sizeof **out);
    tsr_param *const param = tsr_arena_alloc(&arena, sizeof s.param);
    for (int m = 0; m < s.order; m++)
        s.from[m] = m;
    if (of->from.format) {
        tsr_format_is_permutation(of->from.format, s.from);
        if (!tsr_format_is_nested(of->from.format, &s.nfrom))
            s.nfrom = -1;
    }
    while (!is_sorted_from(&s, s.nsorted))
        s.nsorted++;
    if (of->is_cast)
        cast(&s);
    else
        convert(&s);
    if (!*out || !param) {
        tsr_ir_builder_free(s.ir);
        tsr_arena_clear(&arena);
        tsr_free(*out);
        *out = NULL;
        return tsr_fail(err, TSR_NOMEM, "out of memory: a loop program");
    }
    memcpy(param, s.param, sizeof s.param);
    **out = (tsr_lowered){.param = param,
                          .pattern_tensor = of->is_cast ? 1 : -1,
                          .pattern_nlevels = of->is_cast ? of->to.format->nlevels : 0,
                          .memory = arena.chunks};
    const tsr_status status = tsr_ir_finish(&(*out)->ir, s.ir, header, err);
    (*out)->plain = (*out)->ir;
    if (status != TSR_OK) {
        tsr_lowered_free(*out);
        *out = NULL;
    }
    return status;
}
