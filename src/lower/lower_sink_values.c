/* The values of a sparse result that has its levels: loops as in a run, but nothing is appended or allocated.
 *
 * Where all variables of the result have loops around all terms, entries come in the order in which the result has them:
 * the cursor of a level stands at the next entry, and its coordinate is compared. Where a workspace collects a row, a
 * table has the place of each coordinate of the row, and contributions are added to the values themselves.
 *
 * Differences between the entries that the operands give and those of the result are counted: an entry that the result
 * lacks, is not stored, and an entry to which the operands contribute no value counts, too. Contributions to one entry are
 * added in the order of a run, so the values have the same bits.
 *
 * Writing the table costs as much as the contributions where rows are short. So a program may have a trail: the places of all
 * contributions in the order of a run, which one run stores and later ones follow. A run that follows compares the coordinate of each
 * contribution with that of its entry, and the number of contributions to each row. Where all agree, the rows have the contributions of the
 * run that stored the trail, coordinate by coordinate, and so the entries. Where one does not, the caller runs the program without it. */
#include "lower_merge.h"

enum {
    PIECES = 8,          /* for each thread, as pieces may differ in work; nothing is copied */
    TRAIL_LENGTH = 65536 /* of rows with a trail at most: places have 16 bits */
};

/* ---- differences ---- */

/* Count in `number` that x and y differ. */
static void count_unequal(merge_state *s, const tsr_ir_expr *number, const tsr_ir_expr *x,
                          const tsr_ir_expr *y)
{
    tsr_ir_assign(s->ir, number, tsr_ir_select(s->ir, OP(NE, x, y), INDEX(1), INDEX(0)), true);
}

static void notice_unequal(merge_state *s, const tsr_ir_expr *x, const tsr_ir_expr *y)
{
    count_unequal(s, s->meet.differs, x, y);
}

/* Count in `number` what the open if is not for, and close it. */
static void else_count(merge_state *s, const tsr_ir_expr *number)
{
    tsr_ir_else(s->ir);
    tsr_ir_assign(s->ir, number, INDEX(1), true);
    tsr_ir_end(s->ir);
}

void merge_meet(merge_state *s, int k, const tsr_ir_expr *crd, const tsr_ir_expr *value)
{
    const tsr_ir_expr *const at = s->out.cursor[k];
    tsr_ir_if(s->ir, OP(LT, at, s->meet.limit[k]));
    notice_unequal(s, tsr_ir_load_index(s->ir, s->out.crd[k], at), crd);
    if (value)
        tsr_ir_store(s->ir, s->out.values, at, value, false, false);
    tsr_ir_assign(s->ir, at, INDEX(1), true);
    else_count(s, s->meet.differs);
}

void merge_meet_position(merge_state *s, int k, const tsr_ir_expr *parent)
{
    notice_unequal(s, tsr_ir_load_index(s->ir, s->out.pos[k], parent), s->out.cursor[k]);
}

void merge_meet_row(merge_state *s, const tsr_ir_array *crd, const tsr_ir_array *values,
                    const tsr_ir_expr *from, const tsr_ir_expr *n)
{
    const int k = s->plan->nresult - 1;
    n = tsr_ir_declare(s->ir, "n", n, false);
    const tsr_ir_expr *const begin = tsr_ir_declare(s->ir, "begin", s->out.cursor[k], false);
    tsr_ir_if(s->ir, OP(LE, n, tsr_ir_sub(s->ir, s->meet.limit[k], begin)));
    const tsr_ir_expr *q = tsr_ir_for(s->ir, "q", INDEX(0), n, 0);
    tsr_ir_store(s->ir, s->out.values, tsr_ir_add(s->ir, begin, q),
                 tsr_ir_load_value(s->ir, values, tsr_ir_add(s->ir, from, q), lower_type(s->p)), false,
                 false);
    tsr_ir_end(s->ir);
    q = tsr_ir_for(s->ir, "q", INDEX(0), n, 0);
    notice_unequal(s, tsr_ir_load_index(s->ir, s->out.crd[k], tsr_ir_add(s->ir, begin, q)),
                   tsr_ir_load_index(s->ir, crd, tsr_ir_add(s->ir, from, q)));
    tsr_ir_end(s->ir);
    tsr_ir_assign(s->ir, s->out.cursor[k], n, true);
    else_count(s, s->meet.differs);
}

/* ---- rows with a workspace ---- */

/* Whether an entry may start at the value that changes no sum, so that all contributions are added alike. */
bool merge_has_neutral(const merge_state *s)
{
    const char class = tsr_type_class(s->p->type);
    return s->plan->ring == &tsr_semirings[0] && (class == 'R' || class == 'I' || class == 'U');
}

/* Whether a trail says more than the entries do: contributions to a row may have the same coordinate, and change nothing before they are
 * added. */
static bool leaves_trail(const merge_state *s)
{
    return s->p->options->has_trail && s->plan->nouter < s->plan->nresult && s->plan->nouter > 0 &&
           s->plan->nouter == s->plan->ndense && merge_has_neutral(s);
}

static void new_trail(merge_state *s)
{
    const int k = s->plan->nouter;
    if (!leaves_trail(s))
        return;
    s->meet.trail.way = lower_index_param(s->p, TSR_PARAM_TRAIL, -1, -1, -1);
    s->meet.trail.starts = lower_array_param(s->p, TSR_PARAM_STARTS, 0, k);
    s->meet.trail.places = lower_array_param(s->p, TSR_PARAM_PLACES, 0, k);
}

static const tsr_ir_expr *way_is(merge_state *s, tsr_trail_way way)
{
    return OP(EQ, s->meet.trail.way, INDEX(way));
}

static void new_table(merge_state *s, bool threaded)
{
    const int k = s->plan->nresult - 1;
    if (s->plan->nouter == s->plan->nresult)
        return;
    s->work.span = lower_size(s->p, s->plan->var[k]);
    s->meet.row.place =
        merge_new_table(s, s->work.span, s->p->operands[0].nbytes[TSR_LEVEL_POS][k], threaded);
    const tsr_ir_expr *const n = tsr_ir_mul(s->ir, s->work.span, lower_nthreads(s->p, threaded));
    s->meet.touched = tsr_ir_index_array_new(s->ir, "touched", TSR_U8, TSR_IR_HEAP, n, false);
}

/* Declare the positions of the row: none where the result lacks the coordinates of the loops around it. */
static void find_row(merge_state *s)
{
    const int k = s->plan->nouter;
    const tsr_ir_expr *parent = k > 0 ? s->out.respos[k - 1] : INDEX(0), *has[] = {NULL, NULL, NULL};
    if (k > s->plan->ndense) {
        parent = s->out.cursor[k - 1];
        has[0] = OP(LT, parent, s->meet.limit[k - 1]);
        has[1] = OP(EQ, tsr_ir_load_index(s->ir, s->out.crd[k - 1], parent), s->at[s->plan->var[k - 1]]);
    }
    s->meet.row.name = "row";
    merge_find_row(s, &s->meet.row, s->out.pos[k], parent, s->out.cursor[k], has);
}

static const tsr_ir_expr *touched_at(merge_state *s, const tsr_ir_expr *q)
{
    return merge_in_part(s, tsr_ir_sub(s->ir, q, s->meet.row.lo));
}

/* Write the places of the row into the table. */
static void begin_row(merge_state *s)
{
    const tsr_ir_expr *const q = merge_write_table(s, &s->meet.row, s->out.crd[s->plan->nouter]);
    tsr_ir_store(s->ir, s->out.values, q, merge_has_neutral(s) ? merge_neutral(s) : lower_absent(s->p), false,
                 false);
    tsr_ir_store(s->ir, s->meet.touched, touched_at(s, q), INDEX(0), false, false);
    tsr_ir_end(s->ir);
}

void merge_add_to_placed(merge_state *s, const tsr_ir_expr *key, const tsr_ir_expr *x)
{
    const tsr_ir_expr *found;
    tsr_ir_if(s->ir, merge_look_up(s, &s->meet.row, key, &found));
    const tsr_ir_expr *const q = tsr_ir_sub(s->ir, found, INDEX(1)), *const touched = touched_at(s, q);
    if (merge_has_neutral(s)) {
        tsr_ir_store(s->ir, s->out.values, q, x, true, false);
    } else {
        x = tsr_ir_declare(s->ir, "x", x, false);
        tsr_ir_if(s->ir, OP(NE, tsr_ir_load_index(s->ir, s->meet.touched, touched), INDEX(0)));
        lower_add_to(s->p, s->out.values, q, x);
        tsr_ir_else(s->ir);
        tsr_ir_store(s->ir, s->out.values, q, x, false, false);
        tsr_ir_end(s->ir);
    }
    tsr_ir_store(s->ir, s->meet.touched, touched, INDEX(1), false, false);
    if (s->meet.trail.way) {
        tsr_ir_if(s->ir, OP(LT, s->meet.trail.t, s->meet.trail.end));
        tsr_ir_store(s->ir, s->meet.trail.places, s->meet.trail.t, tsr_ir_sub(s->ir, q, s->meet.row.lo),
                     false, false);
        tsr_ir_end(s->ir);
        tsr_ir_assign(s->ir, s->meet.trail.t, INDEX(1), true);
    }
    else_count(s, s->meet.differs);
}

static void end_row(merge_state *s)
{
    const tsr_ir_expr *const q = tsr_ir_for(s->ir, "q", s->meet.row.lo, s->meet.row.hi, 0);
    notice_unequal(s, tsr_ir_load_index(s->ir, s->meet.touched, touched_at(s, q)), INDEX(1));
    tsr_ir_end(s->ir);
    tsr_ir_assign(s->ir, s->out.cursor[s->plan->nouter], s->meet.row.hi, false);
}

/* ---- rows with a trail ---- */

void merge_add_to_followed(merge_state *s, const tsr_ir_expr *key, const tsr_ir_expr *x)
{
    const tsr_ir_array *const crd = s->out.crd[s->plan->nresult - 1];
    tsr_ir_if(s->ir, OP(LT, s->meet.trail.t, s->meet.trail.end));
    const tsr_ir_expr *const place = tsr_ir_load_index(s->ir, s->meet.trail.places, s->meet.trail.t);
    const tsr_ir_expr *const q = tsr_ir_declare(s->ir, "at", tsr_ir_add(s->ir, s->meet.row.lo, place), false);
    count_unequal(s, s->meet.trail.missed, tsr_ir_load_index(s->ir, crd, q), key);
    tsr_ir_store(s->ir, s->out.values, q, x, true, false);
    tsr_ir_assign(s->ir, s->meet.trail.t, INDEX(1), true);
    else_count(s, s->meet.trail.missed);
}

/* The number of the row among those of the level: the positions of the dense level above. */
static const tsr_ir_expr *row_number(const merge_state *s)
{
    return s->out.respos[s->plan->nouter - 1];
}

static void notice_end(merge_state *s)
{
    count_unequal(s, s->meet.trail.missed, s->meet.trail.t, s->meet.trail.end);
}

/* Open an if for rows with a trail, add their contributions, and open the other branch: a row without one. */
static void follow_row(merge_state *s)
{
    const tsr_ir_expr *const next = tsr_ir_add(s->ir, row_number(s), INDEX(1));
    const tsr_ir_array *const starts = s->meet.trail.starts;
    s->meet.trail.t = tsr_ir_declare(s->ir, "t", INDEX(0), true);
    s->meet.trail.end = tsr_ir_declare(s->ir, "trail_end", INDEX(0), true);
    tsr_ir_if(s->ir, OP(LE, INDEX(TSR_TRAIL_WRITE), s->meet.trail.way));
    tsr_ir_assign(s->ir, s->meet.trail.t, tsr_ir_load_index(s->ir, starts, row_number(s)), false);
    tsr_ir_assign(s->ir, s->meet.trail.end, tsr_ir_load_index(s->ir, starts, next), false);
    tsr_ir_end(s->ir);
    tsr_ir_if(s->ir, OP(AND, way_is(s, TSR_TRAIL_FOLLOW), OP(LT, s->meet.trail.t, s->meet.trail.end)));
    const tsr_ir_expr *const q = tsr_ir_for(s->ir, "q", s->meet.row.lo, s->meet.row.hi, 0);
    tsr_ir_store(s->ir, s->out.values, q, merge_neutral(s), false, false);
    tsr_ir_end(s->ir);
    s->row.kind = MERGE_ROW_FOLLOWED;
    merge_terms(s);
    s->row.kind = MERGE_ROW_LISTED;
    notice_end(s);
    tsr_ir_assign(s->ir, s->out.cursor[s->plan->nouter], s->meet.row.hi, false);
    tsr_ir_else(s->ir);
}

/* A row that has no trail yet: count its contributions, or compare their number with what was counted. Closes the branch. */
static void leave_trail(merge_state *s)
{
    const tsr_ir_expr *const next = tsr_ir_add(s->ir, row_number(s), INDEX(1));
    const tsr_ir_expr *const length = tsr_ir_sub(s->ir, s->meet.row.hi, s->meet.row.lo);
    tsr_ir_if(s->ir, way_is(s, TSR_TRAIL_COUNT));
    tsr_ir_store(s->ir, s->meet.trail.starts, next,
                 tsr_ir_select(s->ir, OP(LE, length, INDEX(TRAIL_LENGTH)), s->meet.trail.t, INDEX(0)), false,
                 false);
    tsr_ir_end(s->ir);
    tsr_ir_if(s->ir, way_is(s, TSR_TRAIL_WRITE));
    tsr_ir_if(s->ir,
              OP(LT, tsr_ir_load_index(s->ir, s->meet.trail.starts, row_number(s)), s->meet.trail.end));
    notice_end(s);
    tsr_ir_close(s->ir, 3);
}

void merge_values_row(merge_state *s)
{
    const bool multiplies = merge_measures(s);
    find_row(s);
    if (s->meet.trail.way)
        follow_row(s);
    if (multiplies) {
        merge_measure_row(s);
        merge_multiply(s, s->plan->nouter);
        tsr_ir_else(s->ir);
    }
    begin_row(s);
    s->row.kind = MERGE_ROW_PLACED;
    merge_terms(s);
    s->row.kind = MERGE_ROW_LISTED;
    end_row(s);
    tsr_ir_close(s->ir, multiplies);
    if (s->meet.trail.way)
        leave_trail(s);
}

/* ---- the program ---- */

/* The first position of level k of the share that begins at coordinate `at` of the first level (NULL: the end of the
 * level, if is_end, else the begin); above: that of level k - 1. */
static const tsr_ir_expr *first_position(merge_state *s, int k, const tsr_ir_expr *at, bool is_end,
                                         const tsr_ir_expr *above)
{
    const int ndense = s->plan->ndense;
    const char *const name = is_end ? "limit" : "start";
    if (k > ndense)
        return tsr_ir_load_index(s->ir, s->out.pos[k], above);
    if (ndense == 0) {
        const tsr_ir_expr *const end = tsr_ir_load_index(s->ir, s->out.pos[0], INDEX(1));
        const tsr_ir_range all = {INDEX(0), end};
        return at ? merge_seek_array(s, name, all, at, s->out.crd[0]) : is_end ? end : INDEX(0);
    }
    const tsr_ir_expr *parent = at ? at : is_end ? lower_size(s->p, s->plan->var[0]) : INDEX(0);
    for (int d = 1; d < ndense; d++)
        parent = tsr_ir_mul(s->ir, parent, lower_size(s->p, s->plan->var[d]));
    return tsr_ir_load_index(s->ir, s->out.pos[k], parent);
}

static void start_cursors(merge_state *s)
{
    const tsr_plan *const plan = s->plan;
    const tsr_ir_expr *begin = NULL, *end = NULL;
    for (int k = plan->ndense; k < plan->nresult; k++) {
        begin = first_position(s, k, s->share.lo, false, begin);
        end = first_position(s, k, s->share.hi, true, end);
        s->meet.limit[k] = end = tsr_ir_declare(s->ir, "limit", end, false);
        begin = tsr_ir_declare(s->ir, "start", begin, false);
        char name[32] = "n0";
        name[1] = (char)('1' + k % 9);
        s->out.cursor[k] = tsr_ir_declare(s->ir, name, begin, true);
    }
}

/* Emit the loops over the share of a thread, or over a piece. */
static void emit_share(merge_state *s, bool threaded)
{
    const tsr_plan *const plan = s->plan;
    if (threaded)
        merge_open_pieces(s);
    merge_start_share(s, threaded ? &plan->share : NULL);
    start_cursors(s);
    merge_outer(s, 0);
    for (int k = plan->ndense; k < plan->nresult; k++)
        notice_unequal(s, s->out.cursor[k], s->meet.limit[k]);
    tsr_ir_close(s->ir, threaded);
}

void merge_emit_values(merge_state *s)
{
    const tsr_plan *const plan = s->plan;
    const bool threaded = plan->share.cut && plan->nouter > 0;
    const tsr_ir_array *const differs = lower_array_param(s->p, TSR_PARAM_DIFFERS, 0, -1);
    s->pass = MERGE_PASS_VALUES;
    for (int k = plan->ndense; k < plan->nresult; k++) {
        s->out.pos[k] = lower_array_param(s->p, TSR_PARAM_POS, 0, k);
        s->out.crd[k] = lower_array_param(s->p, TSR_PARAM_CRD, 0, k);
    }
    s->out.values = lower_array_param(s->p, TSR_PARAM_VALUES, 0, -1);
    new_table(s, threaded);
    new_trail(s);
    merge_new_united(s, threaded);
    merge_new_places(s, threaded);
    if (threaded)
        merge_new_pieces(s, tsr_ir_mul(s->ir, lower_nthreads(s->p, true), INDEX(PIECES)));
    lower_open_threads(s->p, &s->share.part, threaded);
    if (s->meet.row.place)
        s->work.first = s->meet.row.first =
            tsr_ir_declare(s->ir, "part", tsr_ir_mul(s->ir, s->work.span, s->share.part.t), false);
    s->meet.differs = tsr_ir_declare(s->ir, "differs", INDEX(0), true);
    if (s->meet.trail.way)
        s->meet.trail.missed = tsr_ir_declare(s->ir, "missed", INDEX(0), true);
    emit_share(s, threaded);
    const tsr_ir_expr *const number[] = {s->meet.differs, s->meet.trail.missed};
    for (int i = 0; i < 2 && number[i]; i++)
        tsr_ir_store(s->ir, differs, INDEX(i), tsr_ir_convert(s->ir, number[i], tsr_ir_value_type(TSR_I64)),
                     true, threaded);
    tsr_ir_close(s->ir, threaded);
}
