/* How the rows of a sparse result are computed: the sink ROWS.
 *
 * Summed: a row is the sum of one row of each term. Two rows are merged without flags. If all of them are stored values, each
 * with a factor that is the same in the whole row, two rows are added by one statement without branches (TSR_IR_UNITE), and more
 * than two one after the other. A row that is the product of two rows of stored values is computed by one statement, too
 * (TSR_IR_INTERSECT).
 *
 * Measured: the workspace spans one variable, and each row is measured before it is computed. Rows of contributions that
 * lie close together are marked, rows of few contributions are listed, and all others go to the workspace (lower_row.c).
 * Where the entries of a row may be in any order, rows of very few contributions are listed, too, and no other row is sorted: a
 * contribution is added to the entry that a table has for its coordinate in this row, or appended.
 * A row of a product of two matrices of stored f64 with few columns between the first and the last one is computed
 * by one statement (TSR_IR_MULTIPLY). */
#include "plan_state.h"

enum {
    MAX_CELLS =
        1
        << 23, /* of the workspaces of all threads, which are filled at the beginning; and of the sums of rows */
    MAX_MEASURED = 4, /* terms: their loops are written four times */
    /* Marks read for each contribution, at most. Reading 24 marks and jumping in a range of that length costs as much as listing
     * and sorting one contribution: 2.5 to 3.9 ns on an EPYC, for ranges of 4,000 and 16,000. */
    MARKED = 24,
    /* Places of values, at least; more where listed numbers then have 32 bits. */
    LEAST_PLACES = 128,
    PIECE =
        1
        << 15, /* entries: with 12 bytes each, a fifth of the second cache of common processors, whose first cache is 32
                      * KiB; cutting a piece off takes a hundredth of the time of computing it */
    STAND_IN =
        4, /* a size of the plan may stand for sizes that are up to 4 times as large (kernel_sizes.c) */
    /* Contributions to a row in any order that is listed all the same, at most. Sorting that many costs less than the table of the
     * other rows, one miss of the first cache for each contribution, and sort_u32 sorts them in registers. */
    VERY_FEW = 32,
    /* Entries of two rows that are sorted instead of merged, at most: one vector of them. */
    SORTED_PAIR = 16
};

int tsr_plan_crd_nbytes(const tsr_plan *plan, const tsr_plan_operand *result, int v)
{
    const int m = tsr_expr_mode(plan->notation->result, v);
    const bool has_window = m >= 0 && tsr_expr_window(plan->notation->result, m);
    return (int)tsr_crd_width(has_window ? result->binding->dims[m] : plan->size[v]);
}

static int result_nbytes(const plan_state *s, int v)
{
    return tsr_plan_crd_nbytes(s->plan, &s->operands[0], v);
}

/* Whether the values that the access reads have the result's type, and one is stored for each position. */
static bool has_plain_values(const plan_state *s, int a)
{
    const tsr_plan_view *const view = &s->plan->view[s->plan->access[a].view];
    const tsr_plan_operand *const operand = &s->operands[view->tensor];
    return operand->type == s->operands[0].type && (view->copy || !operand->iso);
}

/* Whether pos (if asked for) and crd of level l of the access have elements of n bytes. */
static bool has_width(const plan_state *s, int a, int l, bool pos, int n)
{
    const tsr_plan_view *const view = &s->plan->view[s->plan->access[a].view];
    return view->crd_nbytes[l] == n && (!pos || view->pos_nbytes[l] == n);
}

/* Whether the factor is an access itself, and the term is multiplied by it. */
static bool is_plain_factor(const tsr_factor *factor)
{
    return !factor->inverse && factor->expr->kind == TSR_EXPR_ACCESS && factor->expr->mask == TSR_MASK_NONE;
}

/* Whether the product is that of f64 values with the + and * of numbers. */
static bool is_f64(const plan_state *s)
{
    return s->operands[0].type == TSR_F64 && s->plan->ring == &tsr_semirings[0];
}

/* The variable of level l of the access. */
static int level_var(const tsr_plan *plan, int a, int l)
{
    const tsr_plan_access *const access = &plan->access[a];
    return access->expr->index[plan->view[access->view].mode[l]];
}

/* ---- sums of rows ---- */

/* Whether the last level of the access, blocks apart, is compressed and over v, and all others are dense and over other variables. */
static bool ends_in_rows(const tsr_plan *plan, int a, int v)
{
    const tsr_plan_view *const view = &plan->view[plan->access[a].view];
    int nlevels = view->nlevels;
    while (nlevels > 0 && (plan->storage.blocks >> level_var(plan, a, nlevels - 1) & 1))
        nlevels--;
    for (int l = 0; l < nlevels; l++) {
        const bool is_last = l + 1 == nlevels;
        if (is_last && tsr_expr_window(plan->access[a].expr, view->mode[l]))
            return false;
        if (view->full[l] == is_last || (level_var(plan, a, l) == v) != is_last)
            return false;
    }
    return nlevels > 0;
}

/* Set rows->summed if the result is a sum of rows that can be merged without flags: each of two terms or more has one sparse
 * operand of its own. */
static void find_sum(tsr_plan_rows *rows, const plan_state *s)
{
    const tsr_plan *const plan = s->plan;
    int n = 0;
    for (int i = 0; i < plan->nterms; i++) {
        const tsr_plan_term *const term = &plan->term[i];
        if (term->empty)
            continue;
        if (n == TSR_PLAN_MAX_SUMMED || term->naccesses != 1 || tsr_plan_filters(term) ||
            term->nvars != plan->nouter || !ends_in_rows(plan, term->access[0], tsr_plan_last(plan)))
            return;
        for (int k = 0; k < n; k++)
            if (plan->term[rows->summed[k]].access[0] == term->access[0])
                return;
        rows->summed[n++] = i;
    }
    rows->nsummed = n >= 2 ? n : 0;
}

/* Whether the factor is a number, a coordinate or a value of a dense tensor, and the same for all coordinates of variable v. */
static bool is_constant_factor(const tsr_factor *factor, int v)
{
    const tsr_expr *const e = factor->expr;
    if (factor->inverse)
        return false;
    return e->kind == TSR_EXPR_NUMBER || (e->kind == TSR_EXPR_VAR && e->index[0] != v) ||
           (e->kind == TSR_EXPR_ACCESS && e->mask == TSR_MASK_NONE && tsr_expr_mode(e, v) < 0);
}

int tsr_plan_united_nbytes(const tsr_plan *plan)
{
    const tsr_plan_view *const view =
        &plan->view[plan->access[plan->term[plan->rows.summed[0]].access[0]].view];
    return view->crd_nbytes[view->nlevels - 1];
}

int tsr_plan_scaled(const tsr_plan *plan, const tsr_plan_term *term)
{
    const tsr_term *const of = term->term;
    const int v = tsr_plan_last(plan), last = of->nfactors - 1;
    const tsr_expr *const access = plan->access[term->access[0]].expr;
    const int place = last > 0 && tsr_expr_same_access(of->factor[last].expr, access) ? last : 0;
    if (!is_plain_factor(&of->factor[place]) || !tsr_expr_same_access(of->factor[place].expr, access) ||
        (place == 0 && last > 1))
        return -1; /* (x * a) * b is rounded otherwise than x * (a * b) */
    for (int f = 0; f <= last; f++)
        if (f != place && !is_constant_factor(&of->factor[f], v))
            return -1;
    return place;
}

/* Whether the rows of the sum are those of operands as they are stored, with coordinates as wide as those of the result; where the sum
 * is reduced, as wide as those of the first row. */
static bool can_unite(const tsr_plan_rows *rows, const plan_state *s)
{
    const tsr_plan *const plan = s->plan;
    const bool is_reduced = plan->sink == TSR_PLAN_DENSE;
    const int v = tsr_plan_last(plan),
              width = is_reduced ? tsr_plan_united_nbytes(plan) : result_nbytes(s, v);
    if (plan->rows.two_pass || plan->storage.parts || !tsr_type_is_word(s->operands[0].type) ||
        (is_reduced ? tsr_semiring_is_logical(plan->ring) : plan->ring != &tsr_semirings[0]) ||
        ((is_reduced || rows->nsummed > 2) &&
         (double)plan->size[v] * plan->target.nthreads > (double)MAX_CELLS))
        return false;
    for (int k = 0; k < rows->nsummed; k++) {
        const tsr_plan_term *const term = &plan->term[rows->summed[k]];
        const int a = term->access[0], last = plan->view[plan->access[a].view].nlevels - 1;
        if (tsr_plan_scaled(plan, term) < 0 || !has_plain_values(s, a) ||
            !has_width(s, a, last, false, width))
            return false;
    }
    return true;
}

/* The only term that is not empty; NULL: there are several such terms, or none. */
static const tsr_plan_term *single_term(const tsr_plan *plan)
{
    const tsr_plan_term *found = NULL;
    for (int i = 0; i < plan->nterms; i++) {
        if (plan->term[i].empty)
            continue;
        if (found)
            return NULL;
        found = &plan->term[i];
    }
    return found;
}

/* Set rows->intersects if each row is the product of two rows of operands as they are stored, with coordinates as wide as those
 * of the result. */
static void find_intersection(tsr_plan_rows *rows, const plan_state *s)
{
    const tsr_plan *const plan = s->plan;
    const int v = plan->var[plan->nresult - 1];
    const tsr_plan_term *const term = single_term(plan);
    if (!term || plan->schedule.plain || plan->schedule.walk[v] != TSR_PLAN_WALK_AUTO || rows->two_pass ||
        plan->storage.parts || plan->ring != &tsr_semirings[0] || !tsr_type_is_word(s->operands[0].type) ||
        term->naccesses != 2 || tsr_plan_filters(term) || term->nvars != plan->nouter ||
        term->term->nfactors != 2 || term->term->negative)
        return;
    for (int k = 0; k < 2; k++) {
        const int a = term->access[k], last = plan->view[plan->access[a].view].nlevels - 1;
        const tsr_factor *const factor = &term->term->factor[k];
        if (!is_plain_factor(factor) || !tsr_expr_same_access(factor->expr, plan->access[a].expr) ||
            !ends_in_rows(plan, a, v) || !has_plain_values(s, a) ||
            !has_width(s, a, last, false, result_nbytes(s, v)))
            return;
    }
    rows->intersects = tsr_plan_gallops(plan, v, term->access[0], term->access[1]);
    rows->summed[0] = (int)(term - plan->term);
}

/* ---- rows that are measured ---- */

/* Whether rows may have more than one way: they have one variable, the sum of doubles or integers, and the innermost
 * loop of each term is over this variable. */
static bool may_choose(const plan_state *s)
{
    const tsr_plan *const plan = s->plan;
    const char class = tsr_type_class(s->operands[0].type);
    int nterms = 0;
    if (plan->nresult - plan->nouter != 1 || plan->nouter == 0 || plan->rows.two_pass ||
        plan->ring != &tsr_semirings[0] || (class != 'R' && class != 'I' && class != 'U'))
        return false;
    for (int i = 0; i < plan->nterms; i++) {
        const tsr_plan_term *const term = &plan->term[i];
        if (term->empty)
            continue;
        nterms++;
        for (int k = 1; k < term->nvars; k++)
            if (tsr_plan_located(plan, term, k) >= 0)
                return false;
        if (term->nvars <= plan->nouter || term->order[term->nvars - 1] != plan->var[plan->nouter])
            return false;
    }
    return nterms <= MAX_MEASURED || plan->rows.workspace == TSR_PLAN_WORKSPACE_BITMAP;
}

/* Set row and matrix if a row of the result is the product of a row of one matrix and another matrix: A(i,k)*B(k,j), with
 * compressed rows, where the loops over k and j are inside those around all terms. */
static void find_product(tsr_plan_rows *rows, const plan_state *s)
{
    const tsr_plan *const plan = s->plan;
    const tsr_plan_term *const term = single_term(plan);
    rows->multiplies = false;
    if (!term || !is_f64(s) || term->naccesses != 2 || tsr_plan_filters(term) || term->term->nfactors != 2 ||
        term->term->negative || term->nvars != plan->nouter + 2)
        return;
    const int k = term->order[term->nvars - 2], j = term->order[term->nvars - 1];
    const int n = result_nbytes(s, plan->var[plan->nresult - 1]);
    for (int f = 0; f < 2; f++)
        if (!is_plain_factor(&term->term->factor[f]) || !has_plain_values(s, term->access[f]) ||
            tsr_expr_has_window(plan->access[term->access[f]].expr, false) ||
            plan->view[plan->access[term->access[f]].view].nlevels != 2)
            return;
    const int first = plan_place(plan->var, plan->nouter, level_var(plan, term->access[0], 0)) >= 0 ? 0 : 1;
    const int row = term->access[first], matrix = term->access[1 - first];
    const tsr_plan_view *const of_row = &plan->view[plan->access[row].view];
    const tsr_plan_view *const of_matrix = &plan->view[plan->access[matrix].view];
    const int place = plan_place(plan->var, plan->nouter, level_var(plan, row, 0));
    /* where the result has a dense level, a compressed one may lack its coordinate */
    if (place < 0 || (!of_row->full[0] && place < plan->ndense) || of_row->full[1] || !of_matrix->full[0] ||
        of_matrix->full[1] || level_var(plan, row, 1) != k || level_var(plan, matrix, 0) != k ||
        level_var(plan, matrix, 1) != j || !has_width(s, row, 1, false, n) ||
        !has_width(s, matrix, 1, true, n))
        return;
    rows->multiplies = true;
    rows->row = row;
    rows->matrix = matrix;
}

/* Set the numbers of contributions that decide between the ways of a row, as the schedule asks; listed: at most that many otherwise.
 * There are as many places of values as let listed numbers have 32 bits. */
static void choose_numbers(tsr_plan_rows *rows, const plan_state *s, int64_t listed)
{
    const tsr_schedule *const schedule = &s->plan->schedule;
    const double size = (double)s->plan->size[s->plan->var[s->plan->nresult - 1]] * STAND_IN;
    rows->places = TSR_PLAN_LISTED;
    while (rows->places > LEAST_PLACES && size * (double)rows->places > 0x1p32)
        rows->places /= 2;
    rows->marked = schedule->ways.marked ? schedule->ways.marked : MARKED;
    rows->listed = schedule->ways.listed   ? schedule->ways.listed
                   : listed < rows->places ? listed
                                           : rows->places;
    rows->marks = rows->marks && (rows->marked > 0 || rows->workspace == TSR_PLAN_WORKSPACE_BITMAP);
    rows->lists = rows->lists && rows->listed > 0;
    while (rows->places < rows->listed)
        rows->places *= 2;
    rows->wide = size * (double)rows->places > 0x1p32;
}

static void choose_ways(tsr_plan_rows *rows, const plan_state *s)
{
    const tsr_plan *const plan = s->plan;
    const bool is_keyed =
        plan->rows.workspace == TSR_PLAN_WORKSPACE_HASH || plan->rows.workspace == TSR_PLAN_WORKSPACE_LIST;
    rows->appends = plan->rows.unordered && plan->rows.workspace == TSR_PLAN_WORKSPACE_AUTO && may_choose(s);
    if (may_choose(s) && !rows->appends) {
        const double ncells = (double)plan->size[plan->var[plan->nouter]] * plan->target.nthreads;
        rows->marks =
            !is_keyed && plan->rows.workspace != TSR_PLAN_WORKSPACE_DENSE && ncells <= (double)MAX_CELLS;
        rows->lists = !plan->rows.is_forced && (is_keyed || rows->marks);
        if (plan_leaves_out(plan, TSR_SPECIAL_WAYS) && plan->rows.workspace != TSR_PLAN_WORKSPACE_BITMAP)
            rows->marks = rows->lists = false;
    }
    rows->lists = rows->lists || rows->appends;
    choose_numbers(rows, s, rows->appends ? VERY_FEW : TSR_PLAN_LISTED);
    rows->measures = rows->marks || rows->lists || is_keyed;
    if ((rows->marks || rows->appends) && plan->rows.workspace != TSR_PLAN_WORKSPACE_BITMAP &&
        !plan_leaves_out(plan, TSR_SPECIAL_COLUMNS))
        find_product(rows, s);
    rows->is_whole = rows->multiplies && rows->marks && rows->lists && !rows->appends &&
                     !plan->view[plan->access[rows->matrix].view].unordered &&
                     result_nbytes(s, plan->var[plan->nouter]) == sizeof(uint32_t);
    if (rows->is_whole &&
        !plan->schedule.ways.listed) /* the statement has numbers of 32 bits for each range that fits */
        rows->listed = TSR_PLAN_LISTED;
}

bool plan_can_meet(const plan_state *s, tsr_plan_workspace workspace, double ncells)
{
    const tsr_plan *const plan = s->plan;
    return (workspace == TSR_PLAN_WORKSPACE_AUTO || workspace == TSR_PLAN_WORKSPACE_BITMAP) &&
           plan->storage.nblock == 0 && !plan->storage.parts && plan->notation->selection.n == 0 &&
           plan->schedule.assembly != TSR_PLAN_ASSEMBLY_TWO_PASS &&
           plan->schedule.sharing != TSR_SHARE_EXCLUSIVE &&
           (!plan->schedule.plain || workspace == TSR_PLAN_WORKSPACE_BITMAP) &&
           ncells * s->nthreads <= (double)PLAN_MAX_CELLS;
}

bool plan_marks_pay(double contributions, double ncells)
{
    return contributions * MARKED >= ncells;
}

/* Where nothing stands around all terms: whether the whole result is marked. */
static bool marks_whole(const plan_state *s)
{
    const tsr_plan *const plan = s->plan;
    double ncells = 1, contributions = 0;
    for (int k = 0; k < plan->nresult; k++)
        ncells *= (double)plan->size[plan->var[k]];
    for (int i = 0; i < plan->nterms; i++)
        contributions += (plan->term[i].contributions + plan->term[i].most_contributions) / 2;
    return plan->nouter == 0 && plan->nresult > 0 && plan_can_meet(s, plan->rows.workspace, ncells) &&
           (plan->rows.workspace == TSR_PLAN_WORKSPACE_BITMAP ||
            plan->schedule.sharing == TSR_SHARE_PRIVATE || plan_marks_pay(contributions, ncells));
}

bool tsr_plan_has_values(const tsr_plan *plan)
{
    const bool is_keyed =
        plan->rows.workspace == TSR_PLAN_WORKSPACE_HASH || plan->rows.workspace == TSR_PLAN_WORKSPACE_LIST;
    return plan->sink == TSR_PLAN_ROWS && !tsr_notation_has_ending(plan->notation) && !plan->converts &&
           !plan->storage.is_on && !tsr_expr_has_window(plan->notation->result, false) &&
           plan->ndense < plan->nresult &&
           (plan->nouter == plan->nresult || (plan->nouter + 1 == plan->nresult && !is_keyed));
}

/* Whether each value of the blocks of the summed terms goes to another value of a block of the result. */
static bool sums_blocks(const tsr_plan_rows *rows, const tsr_plan *plan)
{
    for (int k = 0; k < rows->nsummed; k++) {
        const tsr_plan_term *const term = &plan->term[rows->summed[k]];
        for (int b = 0; b < term->nblock; b++)
            if (!(plan->notation->result->vars >> term->block[b] & 1) && plan->size[term->block[b]] != 1)
                return false;
    }
    return true;
}

tsr_status plan_choose_rows(plan_state *s)
{
    tsr_plan *const plan = s->plan;
    tsr_plan_rows *const rows = &plan->rows;
    if (plan->sink == TSR_PLAN_DENSE && plan->nouter > 0) {
        find_sum(rows, s);
        rows->unites = rows->nsummed > 0 && !plan->schedule.plain &&
                       !plan_leaves_out(plan, TSR_SPECIAL_UNITE) && can_unite(rows, s);
        rows->nsummed = rows->unites ? rows->nsummed : 0;
    }
    if (plan->sink != TSR_PLAN_ROWS)
        return TSR_OK;
    rows->piece = plan->schedule.ways.piece > 0 ? plan->schedule.ways.piece : PIECE;
    if (plan->nresult > 0)
        choose_numbers(rows, s, SORTED_PAIR);
    rows->meets = marks_whole(s);
    if (rows->meets) {
        rows->workspace = TSR_PLAN_WORKSPACE_BITMAP;
        return TSR_OK;
    }
    if (plan->storage.nblock > 0) {
        if (plan->nouter == plan->nresult && plan->nresult > plan->ndense)
            find_sum(rows, s);
        rows->nsummed = rows->nsummed == 2 && sums_blocks(rows, plan) ? 2 : 0;
        return TSR_OK;
    }
    if (plan->nouter < plan->nresult &&
        (!plan->schedule.plain || plan->rows.workspace == TSR_PLAN_WORKSPACE_BITMAP))
        choose_ways(rows, s);
    else if (plan->nouter < plan->nresult)
        return TSR_OK;
    else if (plan->nresult > plan->ndense) {
        find_sum(rows, s);
        const bool without = plan_leaves_out(plan, TSR_SPECIAL_UNITE);
        rows->unites = rows->nsummed > 0 && !plan->schedule.plain && !without && can_unite(rows, s);
        if (!without)
            find_intersection(rows, s);
        if (rows->nsummed > 2 && !rows->unites)
            rows->nsummed = 0;
        rows->lists = rows->nsummed > 0 && !rows->unites && !plan->schedule.plain && !plan->storage.parts;
        rows->lists = rows->lists && rows->listed > 0;
    }
    if (plan->rows.workspace == TSR_PLAN_WORKSPACE_BITMAP && !rows->marks)
        return tsr_fail(
            s->err, TSR_UNSUPPORTED,
            "the schedule asks for a workspace of marks (bitmap), which needs assemble(append), the "
            "semiring plus-times, real or integer values, and the innermost loop of each term over "
            "the workspace's variable: leave it out");
    return TSR_OK;
}
