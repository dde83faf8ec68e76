/* The ending of a row of a sparse result: entries that do not meet the condition are left out, then those that are not among
 * the first n of an order.
 *
 * The row stands behind all others in the arrays of the thread, from element `begin` to the cursor of the last level. Both steps
 * move entries to its begin and set the cursor back. A selection makes a heap of the first n entries, in which no entry comes
 * after the one at the root, and replaces the root by each further entry that comes before it. What is left is
 * sorted by the coordinates, as a heap too.
 *
 * A long row with many entries is taken out of the workspace in parts, which the first cache holds. Marks of elements that are left
 * out are cleared before the marks are read, in a loop that the C compiler can turn into one of vectors: so these elements are never
 * entries of the row. Once the heap has n entries, a part has those elements alone that come before the root. */
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

/* Whether the condition of the statement holds for the value x at the coordinates of s->at. */
static const tsr_ir_expr *meets(merge_state *s, const tsr_ir_expr *x)
{
    const tsr_expr *const where = s->plan->notation->where;
    const bool whole = s->p->is_integer && tsr_type_nbytes(s->p->type) == 8 &&
                       is_exact(s, where, tsr_type_class(s->p->type) == 'U');
    lower_reader from = {.type = whole ? lower_type(s->p) : tsr_ir_value_type(TSR_F64),
                         .at = s->at,
                         .of_numbers = true,
                         .read = read_entry};
    from.arg = (void *)(uintptr_t)tsr_ir_convert(s->ir, x, from.type);
    return lower_holds(s->p, &from, where);
}

static void filter(merge_state *s, const row *r)
{
    const int last = s->plan->nresult - 1, v = s->plan->var[last];
    const tsr_ir_expr *const at = s->at[v];
    const tsr_ir_expr *const to = tsr_ir_declare(s->ir, "kept", r->begin, true);
    const tsr_ir_expr *const q = tsr_ir_for(s->ir, "q", r->begin, s->out.cursor[last], 0);
    s->at[v] = tsr_ir_declare(s->ir, s->plan->notation->var[v], tsr_ir_load_index(s->ir, r->crd, q), false);
    const tsr_ir_expr *const x =
        tsr_ir_declare(s->ir, "x", tsr_ir_load_value(s->ir, s->out.values, q, lower_type(s->p)), false);
    tsr_ir_store(s->ir, r->crd, to, s->at[v], false, false);
    tsr_ir_store(s->ir, s->out.values, to, x, false, false);
    tsr_ir_assign(s->ir, to, tsr_ir_select(s->ir, meets(s, x), INDEX(1), INDEX(0)), true);
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
    tsr_ir_close(s->ir, 2);
    const entry raised = load(s, r, child);
    tsr_ir_if(s->ir, follows(s, raised, moved, by_crd));
    store(s, r, hole, raised);
    tsr_ir_assign(s->ir, hole, child, false);
    tsr_ir_assign(s->ir, child, tsr_ir_add(s->ir, tsr_ir_mul(s->ir, INDEX(2), hole), INDEX(1)), false);
    tsr_ir_else(s->ir);
    tsr_ir_assign(s->ir, child, n, false);
    tsr_ir_close(s->ir, 2);
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

/* If the row has more than n entries, leave the first n of the order, as a heap; is_heap (NULL: no): whether they are one already,
 * which is set. Without is_heap they are sorted by their coordinates then. */
static void select_first(merge_state *s, const row *r, const tsr_ir_expr *is_heap)
{
    const tsr_ir_expr *const n = INDEX((int64_t)s->plan->notation->selection.n);
    const tsr_ir_expr *const cursor = s->out.cursor[s->plan->nresult - 1];
    const tsr_ir_expr *const m = tsr_ir_declare(s->ir, "m", tsr_ir_sub(s->ir, cursor, r->begin), false);
    tsr_ir_if(s->ir, OP(LT, n, m));
    if (is_heap)
        tsr_ir_if(s->ir, OP(EQ, is_heap, INDEX(0)));
    heap(s, r, n, false);
    if (is_heap) {
        tsr_ir_assign(s->ir, is_heap, INDEX(1), false);
        tsr_ir_end(s->ir);
    }
    const tsr_ir_expr *const k = tsr_ir_for(s->ir, "k", n, m, 0);
    const entry next = load(s, r, k), root = load(s, r, INDEX(0));
    tsr_ir_if(s->ir, follows(s, root, next, false));
    store(s, r, INDEX(0), next);
    sift(s, r, INDEX(0), n, false);
    tsr_ir_close(s->ir, 2);
    tsr_ir_assign(s->ir, cursor, tsr_ir_add(s->ir, r->begin, n), false);
    if (!is_heap)
        sort(s, r, n);
    tsr_ir_end(s->ir);
}

/* ---- long rows ---- */

enum { PART = 2048, DENSITY = 4 };

bool merge_ends_parts(const merge_state *s)
{
    return s->out.begin && s->pass == MERGE_PASS_APPEND && s->plan->rows.marks && s->row.begin &&
           s->plan->nouter + 1 == s->plan->nresult && s->plan->storage.nblock == 0;
}

/* Clear the marks of elements [lo, hi) that the ending leaves out. root: the value that others must precede; NULL: there is none. */
static void clear_marks(merge_state *s, tsr_ir_range part, const tsr_ir_expr *root)
{
    const int v = s->plan->var[s->plan->nresult - 1];
    const tsr_ir_expr *const at = s->at[v];
    s->at[v] = tsr_ir_for(s->ir, s->plan->notation->var[v], part.lo, part.hi, 0);
    const tsr_ir_expr *const element = merge_in_part(s, s->at[v]);
    const tsr_ir_expr *const x =
        tsr_ir_declare(s->ir, "x", tsr_ir_load_value(s->ir, s->work.array, element, lower_type(s->p)), false);
    const tsr_ir_expr *const stays = root ? precedes(s, x, root) : meets(s, x);
    const tsr_ir_expr *const mark = tsr_ir_load_index(s->ir, s->work.mark, element);
    tsr_ir_store(s->ir, s->work.mark, element,
                 tsr_ir_mul(s->ir, mark, tsr_ir_select(s->ir, stays, INDEX(1), INDEX(0))), false, false);
    tsr_ir_end(s->ir);
    s->at[v] = at;
}

void merge_end_in_parts(merge_state *s)
{
    const tsr_notation *const notation = s->plan->notation;
    const int k = s->plan->nresult - 1;
    const tsr_ir_expr *const span = tsr_ir_sub(s->ir, s->row.end, s->row.begin);
    const tsr_ir_expr *const many = OP(LE, span, tsr_ir_mul(s->ir, s->row.most, INDEX(DENSITY)));
    const row r = {s->out.crd[merge_result_level(s, k)], s->out.begin};
    tsr_ir_if(s->ir, OP(AND, OP(LT, INDEX(PART), span), many));
    s->row.kind = MERGE_ROW_MARKED;
    merge_terms(s);
    s->row.kind = MERGE_ROW_LISTED;
    const tsr_ir_expr *const is_heap =
        notation->selection.n > 0 ? tsr_ir_declare(s->ir, "is_heap", INDEX(0), true) : NULL;
    const tsr_ir_expr *const nparts = OP(FLOORDIV, tsr_ir_add(s->ir, span, INDEX(PART - 1)), INDEX(PART));
    const tsr_ir_expr *const number = tsr_ir_for(s->ir, "part", INDEX(0), nparts, 0);
    const tsr_ir_expr *const lo = tsr_ir_declare(
        s->ir, "lo", tsr_ir_add(s->ir, s->row.begin, tsr_ir_mul(s->ir, number, INDEX(PART))), false);
    const tsr_ir_expr *const hi =
        tsr_ir_declare(s->ir, "hi", OP(MIN, tsr_ir_add(s->ir, lo, INDEX(PART)), s->row.end), false);
    const tsr_ir_range part = {lo, hi};
    if (notation->where)
        clear_marks(s, part, NULL);
    if (is_heap) {
        tsr_ir_if(s->ir, OP(NE, is_heap, INDEX(0)));
        clear_marks(s, part, load(s, &r, INDEX(0)).x);
        tsr_ir_end(s->ir);
    }
    merge_take_marked(s, part, true);
    if (is_heap)
        select_first(s, &r, is_heap);
    tsr_ir_end(s->ir);
    if (is_heap) {
        tsr_ir_if(s->ir, OP(NE, is_heap, INDEX(0)));
        sort(s, &r, INDEX((int64_t)notation->selection.n));
        tsr_ir_end(s->ir);
    }
    tsr_ir_assign(s->ir, s->out.begin, s->out.cursor[k], false); /* nothing is left to end */
    tsr_ir_else(s->ir);
}

/* ---- rows ---- */

/* Before the entries of a row at the last level k: the place of the first one; NULL: there is no row, or no ending. */
static const tsr_ir_expr *begin_row(merge_state *s, int k)
{
    const bool ends = k + 1 == s->plan->nresult && tsr_notation_has_ending(s->plan->notation);
    return ends && !s->row.gauging ? tsr_ir_declare(s->ir, "begin", s->out.cursor[k], true) : NULL;
}

/* Leave out entries of the row that begins there. */
static void end_row(merge_state *s, int k, const tsr_ir_expr *begin)
{
    const tsr_notation *const notation = s->plan->notation;
    if (!begin)
        return;
    const row r = {s->out.crd[merge_result_level(s, k)], begin};
    if (notation->where)
        filter(s, &r);
    if (notation->selection.n > 0)
        select_first(s, &r, NULL);
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
    const tsr_ir_expr *const begin = s->out.begin = begin_row(s, k);
    merge_outer_loop(s, k);
    end_row(s, k, begin);
}
