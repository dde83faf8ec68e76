/* Workspaces for rows that are long but have few entries: their memory grows with the contributions to a row, not with
 * the length of the row.
 *
 *   - HASHED: a table with open addressing has the value of each key (the coordinates of the row, as one number). A row
 *     uses the first 2^n places of the table, at least twice the number of its contributions, so that the table of a
 *     short row stays in the first cache. A key that is new is listed with its place; the list is sorted at the end of
 *     the row. Places are freed as the row is taken out, so that all are free between two rows.
 *   - RECORDED: each contribution is listed with the place of its value. The list is sorted at the end of the row, and
 *     the values of equal keys are summed in the order in which they were contributed.
 *
 * A listed number is key * 2^32 + place, so keys are below 2^31 (PLAN_MAX_KEYS). The length of both arrays is the number
 * of contributions to the longest row, which a pass over the operands finds first. */
#include "lower_merge.h"

enum {
    LEAST_PLACES = 16,
    SPREAD =
        0x4f1bbcd9, /* 2^31 divided by the golden ratio: consecutive keys fall far apart (Knuth, volume 3, 6.4) */
    SPREAD_BITS = 1 << 15 /* the lowest bits of the product depend on few bits of the key */
};
static const int64_t PLACES = INT64_C(1) << 32;

/* Declare the least power of two that is at least LEAST_PLACES and twice `n`, but not over four times the cells of a row. */
static const tsr_ir_expr *room_for(merge_state *s, const char *name, const tsr_ir_expr *n)
{
    const tsr_ir_expr *span = INDEX(1);
    for (int k = s->plan->nouter; k < s->plan->nresult; k++)
        span = tsr_ir_mul(s->ir, span, lower_size(s->p, s->plan->var[k]));
    const tsr_ir_expr *least = tsr_ir_mul(s->ir, OP(MIN, n, span), INDEX(2));
    least = tsr_ir_declare(s->ir, "twice", least, false);
    const tsr_ir_expr *room = tsr_ir_declare(s->ir, name, INDEX(LEAST_PLACES), true);
    tsr_ir_while(s->ir, OP(LT, room, least));
    tsr_ir_assign(s->ir, room, room, true);
    tsr_ir_end(s->ir);
    return room;
}

void merge_gauge(merge_state *s, bool threaded)
{
    const tsr_ir_array *rows =
        tsr_ir_index_array_new(s->ir, "rows", TSR_U64, TSR_IR_HEAP, s->share.part.nthreads, false);
    tsr_ir_comment(s->ir, "the most contributions to a row");
    s->row.gauging = true;
    lower_open_threads(s->p, &s->share.part, threaded);
    merge_start_share(s, threaded ? &s->plan->share : NULL);
    s->row.longest = tsr_ir_declare(s->ir, "longest", INDEX(1), true);
    merge_outer(s, 0);
    tsr_ir_store(s->ir, rows, s->share.part.t, s->row.longest, false, false);
    tsr_ir_close(s->ir, threaded);
    s->row.gauging = false;
    s->row.longest = tsr_ir_declare(s->ir, "longest", INDEX(1), true);
    const tsr_ir_expr *t = tsr_ir_for(s->ir, "t", INDEX(0), s->share.part.nthreads, 0);
    tsr_ir_assign(s->ir, s->row.longest, OP(MAX, s->row.longest, tsr_ir_load_index(s->ir, rows, t)), false);
    tsr_ir_end(s->ir);
}

void merge_new_keys(merge_state *s)
{
    const bool is_hashed = s->plan->rows.workspace == TSR_PLAN_WORKSPACE_HASH;
    s->work.span = is_hashed ? room_for(s, "room", s->row.longest) : s->row.longest;
    const tsr_ir_expr *n = tsr_ir_mul(s->ir, s->work.span, s->share.part.nthreads);
    s->work.array = tsr_ir_array_new(s->ir, "work", s->p->type, TSR_IR_HEAP, n, false);
    s->work.list = tsr_ir_index_array_new(s->ir, "list", TSR_U64, TSR_IR_HEAP, n, false);
    if (is_hashed)
        s->keys.table = tsr_ir_index_array_new(s->ir, "table", TSR_U32, TSR_IR_HEAP, n, true);
}

/* List the key with the place. */
static void list_key(merge_state *s, const tsr_ir_expr *key, const tsr_ir_expr *place)
{
    const tsr_ir_expr *number = tsr_ir_add(s->ir, tsr_ir_mul(s->ir, key, INDEX(PLACES)), place);
    tsr_ir_store(s->ir, s->work.list, merge_in_part(s, s->work.nlisted), number, false, false);
}

/* Declare the place of the key in the table, or the free place where it belongs. */
static const tsr_ir_expr *find_place(merge_state *s, const tsr_ir_expr *key)
{
    const tsr_ir_expr *spread = OP(FLOORDIV, tsr_ir_mul(s->ir, key, INDEX(SPREAD)), INDEX(SPREAD_BITS));
    const tsr_ir_expr *place = tsr_ir_declare(s->ir, "place", OP(MASK, spread, s->keys.mask), true);
    const tsr_ir_expr *there = tsr_ir_load_index(s->ir, s->keys.table, merge_in_part(s, place));
    const tsr_ir_expr *is_other = OP(NE, there, tsr_ir_add(s->ir, key, INDEX(1)));
    tsr_ir_while(s->ir, OP(AND, OP(NE, there, INDEX(0)), is_other));
    tsr_ir_assign(s->ir, place, OP(MASK, tsr_ir_add(s->ir, place, INDEX(1)), s->keys.mask), false);
    tsr_ir_end(s->ir);
    return place;
}

void merge_add_to_keys(merge_state *s, const tsr_ir_expr *key, const tsr_ir_expr *x)
{
    if (s->row.kind == MERGE_ROW_RECORDED) {
        list_key(s, key, s->work.nlisted);
        if (x)
            tsr_ir_store(s->ir, s->work.array, merge_in_part(s, s->work.nlisted), x, false, false);
        tsr_ir_assign(s->ir, s->work.nlisted, INDEX(1), true);
        return;
    }
    const tsr_ir_expr *place = find_place(s, key);
    const tsr_ir_expr *at = tsr_ir_declare(s->ir, "at", merge_in_part(s, place), false);
    merge_if_first(s, s->keys.table, at, x);
    tsr_ir_store(s->ir, s->keys.table, at, tsr_ir_add(s->ir, key, INDEX(1)), false, false);
    list_key(s, key, place);
    tsr_ir_assign(s->ir, s->work.nlisted, INDEX(1), true);
    tsr_ir_end(s->ir);
}

/* Append the keys of the sorted list. */
static void take_out(merge_state *s)
{
    const int last = s->plan->nresult - 1;
    const bool is_hashed = s->row.kind == MERGE_ROW_HASHED;
    if (!is_hashed || !s->plan->rows.unordered || s->plan->nouter + 1 < s->plan->nresult)
        tsr_ir_sort(s->ir, s->work.list, s->work.first, merge_in_part(s, s->work.nlisted));
    merge_reserve(s, last, s->work.nlisted);
    merge_begin_taking(s);
    const tsr_ir_expr *same = is_hashed ? NULL : tsr_ir_declare(s->ir, "last", INDEX(-1), true);
    const tsr_ir_expr *i = tsr_ir_for(s->ir, "i_row", INDEX(0), s->work.nlisted, 0);
    const tsr_ir_expr *number =
        tsr_ir_declare(s->ir, "number", tsr_ir_load_index(s->ir, s->work.list, merge_in_part(s, i)), false);
    const tsr_ir_expr *key = tsr_ir_declare(s->ir, "key", OP(FLOORDIV, number, INDEX(PLACES)), false);
    const tsr_ir_expr *at =
        tsr_ir_declare(s->ir, "at", merge_in_part(s, OP(MOD, number, INDEX(PLACES))), false);
    const tsr_ir_expr *x =
        s->pass == MERGE_PASS_COUNT ? NULL : tsr_ir_load_value(s->ir, s->work.array, at, lower_type(s->p));
    if (is_hashed) {
        tsr_ir_store(s->ir, s->keys.table, at, INDEX(0), false, false);
        merge_append_key(s, key, x);
    } else {
        tsr_ir_if(s->ir, tsr_ir_op2(s->ir, x ? TSR_IR_EQ : TSR_IR_NE, key, same));
        if (x) {
            lower_add_to(s->p, s->out.values, tsr_ir_sub(s->ir, s->out.cursor[last], INDEX(1)), x);
            tsr_ir_else(s->ir);
        }
        merge_append_key(s, key, x);
        tsr_ir_assign(s->ir, same, key, false);
        tsr_ir_end(s->ir);
    }
    tsr_ir_end(s->ir);
}

void merge_keys_row(merge_state *s)
{
    const bool is_hashed = s->plan->rows.workspace == TSR_PLAN_WORKSPACE_HASH;
    if (is_hashed) {
        const tsr_ir_expr *room = room_for(s, "row_room", s->row.most);
        s->keys.mask = tsr_ir_declare(s->ir, "mask", tsr_ir_sub(s->ir, room, INDEX(1)), false);
    }
    s->work.nlisted = tsr_ir_declare(s->ir, "n", INDEX(0), true);
    s->row.kind = is_hashed ? MERGE_ROW_HASHED : MERGE_ROW_RECORDED;
    merge_terms(s);
    take_out(s);
    s->row.kind = MERGE_ROW_LISTED;
}
