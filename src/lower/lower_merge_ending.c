/* The ending of a row of a sparse result: entries that do not meet the condition are left out, then those that are not among
 * the first n of an order.
 *
 * The row stands behind all others in the arrays of the thread, from element `begin` to the cursor of the last level. Both steps
 * move entries to its begin and set the cursor back. A selection makes a heap of the first n entries, in which no entry comes
 * after the one at the root, and replaces the root by each further entry that comes before it. What is left is
 * sorted by the coordinates, as a heap too. */
#include <math.h>

#include "lower_merge.h"

/* ---- the condition ----
 * It is computed with doubles; with the integers of the result where doubles do not hold them, and integers give the same. */

/* Whether integers of 64 bits compute the condition as it is written. */
static bool is_exact(const merge_state *s, const tsr_expr *e, bool is_unsigned)
{
    if (!e)
        return true;
    if (e->kind == TSR_EXPR_NUMBER)
        return e->number == floor(e->number) && e->number < 0x1p53;
    if (e->kind == TSR_EXPR_CALL && !e->function->exact)
        return false;
    if (e->kind == TSR_EXPR_ACCESS && e->tensor > 0) {
        const char class = tsr_type_class(s->p->operands[e->tensor].type);
        return class == 'P' || class == (is_unsigned ? 'U' : 'I');
    }
    const bool may_be_negative = e->kind == TSR_EXPR_NEG || e->kind == TSR_EXPR_SUB;
    return e->kind != TSR_EXPR_DIV && !(is_unsigned && may_be_negative) && is_exact(s, e->a, is_unsigned) &&
           is_exact(s, e->b, is_unsigned);
}

/* The value of the entry that is read: the only operand of a condition that is the result. */
static const tsr_ir_expr *read_entry(void *arg, const tsr_expr *e)
{
    return e->tensor > 0 ? NULL : arg;
}

/* The entries of a row: `begin` is the first one of them, and `crd` has their coordinates. */
typedef struct row {
    const tsr_ir_array *crd;
    const tsr_ir_expr *begin;
} row;

static void filter(merge_state *s, const row *r, const tsr_expr *where)
{
    const int last = s->plan->nresult - 1, v = s->plan->var[last];
    const tsr_ir_expr *const at = s->at[v];
    const bool whole = s->p->is_integer && tsr_type_nbytes(s->p->type) == 8 &&
                       is_exact(s, where, tsr_type_class(s->p->type) == 'U');
    lower_reader from = {.type = whole ? lower_type(s->p) : tsr_ir_value_type(TSR_F64),
                         .at = s->at,
                         .of_numbers = true,
                         .read = read_entry};
    const tsr_ir_expr *const to = tsr_ir_declare(s->ir, "kept", r->begin, true);
    const tsr_ir_expr *const q = tsr_ir_for(s->ir, "q", r->begin, s->out.cursor[last], 0);
    s->at[v] = tsr_ir_declare(s->ir, s->plan->notation->var[v], tsr_ir_load_index(s->ir, r->crd, q), false);
    const tsr_ir_expr *const x =
        tsr_ir_declare(s->ir, "x", tsr_ir_load_value(s->ir, s->out.values, q, lower_type(s->p)), false);
    from.arg = (void *)(uintptr_t)tsr_ir_convert(s->ir, x, from.type);
    tsr_ir_store(s->ir, r->crd, to, s->at[v], false, false);
    tsr_ir_store(s->ir, s->out.values, to, x, false, false);
    tsr_ir_assign(s->ir, to, tsr_ir_select(s->ir, lower_holds(s->p, &from, where), INDEX(1), INDEX(0)), true);
    tsr_ir_end(s->ir);
    s->at[v] = at;
    tsr_ir_assign(s->ir, s->out.cursor[last], to, false);
}

/* ---- the selection ---- */

typedef struct entry {
    const tsr_ir_expr *x, *crd;
} entry;

/* The entry number k of the row. */
static entry load(merge_state *s, const row *r, const tsr_ir_expr *k)
{
    const tsr_ir_expr *const q = tsr_ir_add(s->ir, r->begin, k);
    return (entry){
        tsr_ir_declare(s->ir, "x", tsr_ir_load_value(s->ir, s->out.values, q, lower_type(s->p)), false),
        tsr_ir_declare(s->ir, "c", tsr_ir_load_index(s->ir, r->crd, q), false)};
}

static void store(merge_state *s, const row *r, const tsr_ir_expr *k, entry e)
{
    const tsr_ir_expr *const q = tsr_ir_add(s->ir, r->begin, k);
    tsr_ir_store(s->ir, s->out.values, q, e.x, false, false);
    tsr_ir_store(s->ir, r->crd, q, e.crd, false, false);
}

/* Whether value x comes before y, whatever their coordinates are. */
static const tsr_ir_expr *precedes(merge_state *s, const tsr_ir_expr *x, const tsr_ir_expr *y)
{
    const tsr_selection *const selection = &s->plan->notation->selection;
    const char class = tsr_type_class(s->p->type);
    const bool negates = selection->by_abs && class != 'U';
    const tsr_ir_expr *const zero = lower_number(s->p, 0);
    const tsr_ir_expr *const is_number = OP(EQ, x, x), *const is_nan = OP(NE, y, y);
    if (negates) { /* - |x|, which all types of integers hold */
        x = tsr_ir_select(s->ir, OP(LT, zero, x), OP(NEG, x, NULL), x);
        y = tsr_ir_select(s->ir, OP(LT, zero, y), OP(NEG, y, NULL), y);
    }
    const tsr_ir_expr *const less = selection->least == negates ? OP(LT, y, x) : OP(LT, x, y);
    return class == 'R' ? OP(OR, less, OP(AND, is_number, is_nan)) : less;
}

/* Whether entry a comes after b: in the order of the selection, or of the coordinates. */
static const tsr_ir_expr *follows(merge_state *s, entry a, entry b, bool by_crd)
{
    const tsr_ir_expr *const behind = OP(LT, b.crd, a.crd);
    if (by_crd)
        return behind;
    return OP(OR, precedes(s, b.x, a.x), OP(AND, behind, OP(NOT, precedes(s, a.x, b.x), NULL)));
}

/* Move entry number `root` of a heap of n entries down, until no child of it comes after it. */
static void sift(merge_state *s, const row *r, const tsr_ir_expr *root, const tsr_ir_expr *n, bool by_crd)
{
    const tsr_ir_expr *const hole = tsr_ir_declare(s->ir, "hole", root, true);
    const entry moved = load(s, r, root);
    const tsr_ir_expr *const first = tsr_ir_add(s->ir, tsr_ir_mul(s->ir, INDEX(2), root), INDEX(1));
    const tsr_ir_expr *const child = tsr_ir_declare(s->ir, "child", first, true);
    tsr_ir_while(s->ir, OP(LT, child, n));
    const tsr_ir_expr *const other =
        tsr_ir_declare(s->ir, "other", tsr_ir_add(s->ir, child, INDEX(1)), false);
    tsr_ir_if(s->ir, OP(LT, other, n));
    const entry left = load(s, r, child), right = load(s, r, other);
    tsr_ir_if(s->ir, follows(s, right, left, by_crd));
    tsr_ir_assign(s->ir, child, other, false);
    tsr_ir_end(s->ir);
    tsr_ir_end(s->ir);
    const entry raised = load(s, r, child);
    tsr_ir_if(s->ir, follows(s, raised, moved, by_crd));
    store(s, r, hole, raised);
    tsr_ir_assign(s->ir, hole, child, false);
    tsr_ir_assign(s->ir, child, tsr_ir_add(s->ir, tsr_ir_mul(s->ir, INDEX(2), hole), INDEX(1)), false);
    tsr_ir_else(s->ir);
    tsr_ir_assign(s->ir, child, n, false);
    tsr_ir_end(s->ir);
    tsr_ir_end(s->ir);
    store(s, r, hole, moved);
}

/* Make a heap of the first n entries. */
static void heap(merge_state *s, const row *r, const tsr_ir_expr *n, bool by_crd)
{
    const tsr_ir_expr *const half = OP(FLOORDIV, n, INDEX(2));
    const tsr_ir_expr *const k = tsr_ir_for(s->ir, "k", INDEX(0), half, 0);
    const tsr_ir_expr *const root =
        tsr_ir_declare(s->ir, "root", tsr_ir_sub(s->ir, tsr_ir_sub(s->ir, half, INDEX(1)), k), false);
    sift(s, r, root, n, by_crd);
    tsr_ir_end(s->ir);
}

/* Sort the first n entries by their coordinates. */
static void sort(merge_state *s, const row *r, const tsr_ir_expr *n)
{
    heap(s, r, n, true);
    const tsr_ir_expr *const k = tsr_ir_for(s->ir, "k", INDEX(1), n, 0);
    const tsr_ir_expr *const last = tsr_ir_declare(s->ir, "last", tsr_ir_sub(s->ir, n, k), false);
    const entry greatest = load(s, r, INDEX(0)), other = load(s, r, last);
    store(s, r, INDEX(0), other);
    store(s, r, last, greatest);
    sift(s, r, INDEX(0), last, true);
    tsr_ir_end(s->ir);
}

static void select_first(merge_state *s, const row *r)
{
    const tsr_ir_expr *const n = INDEX((int64_t)s->plan->notation->selection.n);
    const tsr_ir_expr *const cursor = s->out.cursor[s->plan->nresult - 1];
    const tsr_ir_expr *const m = tsr_ir_declare(s->ir, "m", tsr_ir_sub(s->ir, cursor, r->begin), false);
    tsr_ir_if(s->ir, OP(LT, n, m));
    heap(s, r, n, false);
    const tsr_ir_expr *const k = tsr_ir_for(s->ir, "k", n, m, 0);
    const entry next = load(s, r, k), root = load(s, r, INDEX(0));
    tsr_ir_if(s->ir, follows(s, root, next, false));
    store(s, r, INDEX(0), next);
    sift(s, r, INDEX(0), n, false);
    tsr_ir_end(s->ir);
    tsr_ir_end(s->ir);
    tsr_ir_assign(s->ir, cursor, tsr_ir_add(s->ir, r->begin, n), false);
    sort(s, r, n);
    tsr_ir_end(s->ir);
}

/* ---- rows ---- */

/* Before the entries of a row at the last level k: the place of the first one; NULL: there is no row, or no ending. */
static const tsr_ir_expr *begin_row(merge_state *s, int k)
{
    const bool ends = k + 1 == s->plan->nresult && tsr_notation_has_ending(s->plan->notation);
    return ends && !s->row.gauging ? tsr_ir_declare(s->ir, "begin", s->out.cursor[k], false) : NULL;
}

/* Leave out entries of the row that begins there. */
static void end_row(merge_state *s, int k, const tsr_ir_expr *begin)
{
    const tsr_notation *const notation = s->plan->notation;
    if (!begin)
        return;
    const row r = {s->out.crd[merge_result_level(s, k)], begin};
    if (notation->where)
        filter(s, &r, notation->where);
    if (notation->selection.n > 0)
        select_first(s, &r);
}

const tsr_ir_expr *merge_about(merge_state *s, const tsr_ir_expr *n)
{
    const tsr_selection *const selection = &s->plan->notation->selection;
    if (!n || selection->n == 0 || s->plan->nresult < 2)
        return n;
    const tsr_ir_expr *const nrows = OP(MIN, n, lower_size(s->p, s->plan->var[s->plan->nresult - 2]));
    return OP(MIN, n, tsr_ir_mul(s->ir, nrows, INDEX((int64_t)selection->n)));
}

void merge_outer(merge_state *s, int k)
{
    const tsr_ir_expr *const begin = begin_row(s, k);
    merge_outer_loop(s, k);
    end_row(s, k, begin);
}
