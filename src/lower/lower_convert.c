/* The program of a conversion: entries that are in dense levels and lists of one order, or in a list in any order, go into those of
 * another order. A list of the numbers of the entries is sorted by one mode after the other, the innermost level first, each time by counting,
 * which keeps the order of equal coordinates; then the levels are built one by one: node[q] is the position of the entry q of the sorted list in
 * the level before. Threads share the entries in equal parts; in each part they count the keys for themselves. */
#include <stdio.h>
#include <string.h>

#include "lower_internal.h"
#include "tsr_alloc.h"
#include "tsr_arena.h"

enum { MAX_PARAMS = 3 + 5 * TSR_MAX_ORDER, KEYS = 65536 };

typedef struct conversion {
    tsr_ir_builder *ir;
    const tsr_lower_conversion *of;
    int order;
    int from[TSR_MAX_LEVELS], to[TSR_MAX_LEVELS]; /* the mode of each level */
    int nfrom, nto;                               /* dense levels of both; nfrom < 0: a list */
    int nsorted;                                  /* levels by whose modes the entries are sorted */
    tsr_param param[MAX_PARAMS];
    int nparams;
    const tsr_ir_expr *dim[TSR_MAX_ORDER], *n; /* of each mode; the number of entries */
    const tsr_ir_expr *nthreads;               /* NULL: one thread does all */
    const tsr_ir_array *pos[2][TSR_MAX_LEVELS], *crd[2][TSR_MAX_LEVELS],
        *values[2];                             /* of the result, of the source */
    const tsr_ir_array *of_mode[TSR_MAX_ORDER]; /* the coordinates of the entries */
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

static const tsr_ir_array *add_array(conversion *s, tsr_param_role role, int tensor, int level,
                                     const char *ending, size_t nbytes)
{
    char name[256];
    const bool is_index = nbytes > 0;
    const tsr_lower_side *const side = tensor == 0 ? &s->of->to : &s->of->from;
    const tsr_type type = is_index ? tsr_type_unsigned(nbytes) : side->type;
    snprintf(name, sizeof name, is_index ? "%.200s%d_%s" : "%.200s", side->name, level + 1, ending);
    note(s, role, tensor, level, -1);
    return tensor == 0 ? tsr_ir_output_param(s->ir, name, is_index, type)
                       : tsr_ir_array_param(s->ir, name, is_index, type, true, NULL);
}

static void add_params(conversion *s)
{
    const tsr_lower_conversion *const of = s->of;
    char name[64];
    if (of->threads) {
        note(s, TSR_PARAM_NTHREADS, -1, -1, -1);
        s->nthreads = tsr_ir_index_param(s->ir, "nthreads");
    }
    for (int m = 0; m < s->order; m++) {
        snprintf(name, sizeof name, "dim%d", m);
        note(s, TSR_PARAM_SIZE, -1, -1, m);
        s->dim[m] = tsr_ir_index_param(s->ir, name);
    }
    note(s, TSR_PARAM_NPOS, 1, of->from.format ? s->order - 1 : 0, -1);
    s->n = tsr_ir_index_param(s->ir, "nentries");
    for (int l = s->nto; l < s->order; l++) {
        s->pos[0][l] = add_array(s, TSR_PARAM_OUT_POS, 0, l, "pos", of->to.pos_nbytes[l]);
        s->crd[0][l] = add_array(s, TSR_PARAM_OUT_CRD, 0, l, "crd", of->to.crd_nbytes[l]);
    }
    if (of->to.type != TSR_PATTERN)
        s->values[0] = add_array(s, TSR_PARAM_OUT_VALUES, 0, -1, "", 0);
    for (int l = s->nfrom < 0 ? 0 : s->nfrom; l < s->order; l++) {
        if (s->nfrom >= 0)
            s->pos[1][l] = add_array(s, TSR_PARAM_POS, 1, l, "pos", of->from.pos_nbytes[l]);
        s->crd[1][l] = add_array(s, TSR_PARAM_CRD, 1, l, "crd", of->from.crd_nbytes[l]);
    }
    if (of->to.type != TSR_PATTERN)
        s->values[1] = add_array(s, TSR_PARAM_VALUES, 1, -1, "", 0);
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

/* Whether the coordinates of the levels `first` and after of the result rise where those of the levels before are equal. */
static bool is_sorted_from(const conversion *s, int first)
{
    uint32_t before = 0;
    for (int l = 0; l < first; l++)
        before |= UINT32_C(1) << s->to[l];
    for (int l = 0; l < s->order && s->nfrom >= 0; l++)
        if (!(before >> s->from[l] & 1) && s->from[l] != s->to[first++])
            return false;
    return first == s->order;
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

/* Sort the numbers by the coordinates of the mode, 16 bits at a time. */
static void sort_by(const conversion *s, int mode, const tsr_ir_array *other, const tsr_ir_array *count)
{
    const tsr_ir_array *const crd = s->of_mode[mode];
    const tsr_ir_expr *const unit = tsr_ir_declare(s->ir, "unit", INDEX(1), true);
    const tsr_ir_expr *const nparts = s->nthreads ? s->nthreads : INDEX(1), *q, *t, *at;
    tsr_ir_comment(s->ir, "sort by mode %d", mode);
    tsr_ir_while(s->ir, OP(LT, unit, OP(MIN, s->dim[mode], INDEX(INT64_C(1) << 62))));
    q = open_shared(s, "k", tsr_ir_mul(s->ir, nparts, INDEX(KEYS)), &t);
    tsr_ir_store(s->ir, count, q, INDEX(0), false, false);
    close_shared(s);
    for (int pass = 0; pass < 2; pass++) { /* count the keys; then move the numbers */
        q = open_shared(s, "q", s->n, &t);
        const tsr_ir_expr *const e = entry_at(s, q);
        at = OP(MASK, OP(FLOORDIV, LOAD(crd, e), unit), INDEX(KEYS - 1));
        at = tsr_ir_declare(s->ir, "k", tsr_ir_add(s->ir, tsr_ir_mul(s->ir, t, INDEX(KEYS)), at), false);
        if (pass > 0)
            tsr_ir_store(s->ir, other, LOAD(count, at), e, false, false);
        tsr_ir_store(s->ir, count, at, INDEX(1), true, false);
        close_shared(s);
        if (pass > 0)
            break;
        const tsr_ir_expr *const total = tsr_ir_declare(s->ir, "total", INDEX(0), true);
        q = tsr_ir_for(s->ir, "k", INDEX(0), OP(MIN, s->dim[mode], INDEX(KEYS)), 0);
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
        sort_by(s, s->to[l], other, count);
}

/* ---- the levels ---- */

/* Whether each entry has a position of its own in level l: it is the last one, and no entry occurs twice. */
static bool is_own(const conversion *s, int l)
{
    return l == s->order - 1 && s->nfrom >= 0;
}

/* Set node[q] to the positions in the list of level l, where an entry has that of the one before if both have the same parent and
 * coordinate; returns their number. */
static const tsr_ir_expr *find_positions(const conversion *s, int l)
{
    const tsr_ir_expr *const n = tsr_ir_declare(s->ir, "n", INDEX(0), true);
    const tsr_ir_expr *const parent = tsr_ir_declare(s->ir, "parent", INDEX(-1), true);
    const tsr_ir_expr *const last = tsr_ir_declare(s->ir, "last", INDEX(0), true);
    const tsr_ir_expr *const q = tsr_ir_for(s->ir, "q", INDEX(0), s->n, 0);
    const tsr_ir_expr *const c =
        tsr_ir_declare(s->ir, "c", LOAD(s->of_mode[s->to[l]], entry_at(s, q)), false);
    const tsr_ir_expr *const p = l == 0 ? INDEX(0) : tsr_ir_declare(s->ir, "p", LOAD(s->node, q), false);
    tsr_ir_if(s->ir, OP(OR, OP(NE, p, parent), OP(NE, c, last)));
    tsr_ir_store(s->ir, s->pos[0][l], tsr_ir_add(s->ir, p, INDEX(1)), INDEX(1), true, false);
    tsr_ir_assign(s->ir, n, INDEX(1), true);
    tsr_ir_assign(s->ir, parent, p, false);
    tsr_ir_assign(s->ir, last, c, false);
    tsr_ir_end(s->ir);
    tsr_ir_store(s->ir, s->node, q, tsr_ir_sub(s->ir, n, INDEX(1)), false, false);
    tsr_ir_end(s->ir);
    return tsr_ir_declare(s->ir, "npos", n, false);
}

/* Build the list of level l below nparents positions; returns the number of its positions. */
static const tsr_ir_expr *build_list(const conversion *s, int l, const tsr_ir_expr *nparents)
{
    const tsr_ir_array *const pos = s->pos[0][l], *const crd = s->crd[0][l];
    const tsr_ir_expr *npos = s->n, *q, *t;
    tsr_ir_output_new(s->ir, pos, tsr_ir_add(s->ir, nparents, INDEX(1)), true);
    if (!is_own(s, l))
        npos = find_positions(s, l);
    tsr_ir_output_new(s->ir, crd, npos, false);
    q = open_shared(s, "q", s->n, &t);
    const tsr_ir_expr *const next = tsr_ir_add(s->ir, q, INDEX(1));
    const tsr_ir_expr *const c = LOAD(s->of_mode[s->to[l]], entry_at(s, q));
    tsr_ir_store(s->ir, crd, is_own(s, l) ? q : LOAD(s->node, q), c, false, false);
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

/* Go through the dense level l. */
static void pass_dense(const conversion *s, int l)
{
    const tsr_ir_expr *t, *const q = open_shared(s, "q", s->n, &t);
    const tsr_ir_expr *const c = LOAD(s->of_mode[s->to[l]], entry_at(s, q));
    const tsr_ir_expr *const p = l == 0 ? INDEX(0) : tsr_ir_mul(s->ir, LOAD(s->node, q), s->dim[s->to[l]]);
    tsr_ir_store(s->ir, s->node, q, tsr_ir_add(s->ir, p, c), false, false);
    close_shared(s);
}

static void build_values(const conversion *s, const tsr_ir_expr *npos)
{
    const bool adds = s->nfrom < 0;
    if (!s->values[0])
        return;
    tsr_ir_output_new(s->ir, s->values[0], npos, adds);
    const tsr_ir_expr *t, *const q = adds ? tsr_ir_for(s->ir, "q", INDEX(0), s->n, 0)
                                          : open_shared(s, "q", s->n, &t);
    const tsr_ir_expr *const x =
        tsr_ir_load_value(s->ir, s->values[1], entry_at(s, q), tsr_ir_value_type(s->of->to.type));
    tsr_ir_store(s->ir, s->values[0], adds ? LOAD(s->node, q) : q, x, adds, false);
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
    for (int l = 0; l < s->order; l++)
        if (l >= s->nto) {
            npos = build_list(s, l, npos);
        } else {
            npos = tsr_ir_mul(s->ir, npos, s->dim[s->to[l]]);
            pass_dense(s, l);
        }
    build_values(s, npos);
}

bool tsr_lower_can_convert(const tsr_format *format)
{
    int ndense;
    return tsr_format_is_permutation(format, NULL) && tsr_format_is_nested(format, &ndense) &&
           ndense < format->nlevels;
}

tsr_status tsr_lower_convert(tsr_lowered **out, const tsr_lower_conversion *of, const char *name,
                             const char *header, tsr_error *err)
{
    conversion s = {.of = of, .order = of->to.format->order, .nfrom = -1, .ir = tsr_ir_builder_new(name)};
    tsr_arena arena = {0};
    *out = tsr_calloc(1, sizeof **out);
    tsr_param *const param = tsr_arena_alloc(&arena, sizeof s.param);
    tsr_format_is_permutation(of->to.format, s.to);
    tsr_format_is_nested(of->to.format, &s.nto);
    for (int m = 0; m < s.order; m++)
        s.from[m] = m;
    if (of->from.format) {
        tsr_format_is_permutation(of->from.format, s.from);
        tsr_format_is_nested(of->from.format, &s.nfrom);
    }
    while (s.nsorted < s.order && !is_sorted_from(&s, s.nsorted))
        s.nsorted++;
    convert(&s);
    if (!*out || !param) {
        tsr_ir_builder_free(s.ir);
        tsr_arena_clear(&arena);
        tsr_free(*out);
        *out = NULL;
        return tsr_fail(err, TSR_NOMEM, "out of memory: a loop program");
    }
    memcpy(param, s.param, sizeof s.param);
    **out = (tsr_lowered){.param = param, .pattern_tensor = -1, .memory = arena.chunks};
    const tsr_status status = tsr_ir_finish(&(*out)->ir, s.ir, header, err);
    (*out)->plain = (*out)->ir;
    if (status != TSR_OK) {
        tsr_lowered_free(*out);
        *out = NULL;
    }
    return status;
}
