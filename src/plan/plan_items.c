/* Schedule items about loops and rows: which of them a plan can follow. Only loops over the whole range of a variable are cut into blocks,
 * unrolled or made vectors: where the loops merge, no sparse operand of the term has the variable; where they walk, the walked
 * operand does not have it. */
#include "plan_state.h"

bool tsr_plan_is_range(const tsr_plan *plan, const tsr_plan_term *term, int v)
{
    if (term->walks || tsr_plan_has(term->nest->dense, v))
        return tsr_plan_has(term->nest->dense, v);
    for (int k = 0; k < term->naccesses; k++)
        if (plan->access[term->access[k]].expr->vars >> v & 1)
            return false;
    return plan_place(term->order, term->nvars, v) >= 0;
}

/* Whether an operand of the term has marks, which leave coordinates out. */
static bool looks_up(const tsr_plan *plan, const tsr_plan_term *term)
{
    bool does = false;
    for (int k = 0; k < term->naccesses; k++)
        does = does || plan_view_of(plan, term->access[k])->marks;
    return does;
}

bool tsr_plan_is_row(const tsr_plan *plan, const tsr_plan_term *term)
{
    const tsr_expr *const result = plan->notation->result;
    const int v = term->order[term->nvars - 1], last = result->nindices - 1;
    return plan->sink == TSR_PLAN_DENSE && plan->ring == &tsr_semirings[0] && !tsr_plan_filters(term) &&
           !looks_up(plan, term) && last >= 0 && result->index[last] == v &&
           tsr_expr_mode(result, v) == last && !plan->schedule.scalar &&
           tsr_plan_share_of(plan, term)->sharing != TSR_SHARE_ATOMIC;
}

/* An operand that has the variable, whose levels are walked; NULL: none. */
static const char *walked_name(const tsr_plan *plan, int v)
{
    for (int a = 0; a < plan->naccesses; a++)
        if (plan->access[a].expr->vars >> v & 1)
            return plan->notation->tensor[plan_view_of(plan, a)->tensor].name;
    for (int i = 0; i < plan->nterms; i++)
        if (plan->term[i].walked && plan->term[i].walked->vars >> v & 1)
            return plan->notation->tensor[plan->term[i].walked->tensor].name;
    return NULL;
}

/* TSR_UNSUPPORTED if no term has a loop over the whole range of v inside the loops around all terms. what: the item. */
static tsr_status check_range(const tsr_plan *plan, const char *what, int v, tsr_error *err)
{
    const char *const var = plan->notation->var[v], *const walked = walked_name(plan, v);
    const bool is_outer = plan_place(plan->var, plan->nouter, v) >= 0;
    if (is_outer && plan->sink == TSR_PLAN_DENSE)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "%s(%s): the terms are added at each point before the sum is reduced, so the loop "
                        "over %s stays whole: leave "
                        "it out",
                        what, var, var);
    if (is_outer)
        return tsr_fail(
            err, TSR_UNSUPPORTED,
            "%s(%s): the entries of %s are made in the order of %s, so its loop stays whole: use another "
            "variable, or leave it out",
            what, var, plan->notation->tensor[0].name, var);
    for (int i = 0; i < plan->nterms; i++)
        if (plan->term[i].empty || tsr_plan_is_range(plan, &plan->term[i], v))
            return TSR_OK;
    return tsr_fail(
        err, TSR_UNSUPPORTED,
        "%s(%s): the loops over %s walk stored entries of %s: use a variable that has a loop over all of "
        "its coordinates",
        what, var, var, walked ? walked : plan->notation->tensor[0].name);
}

/* Vectors are for the last mode of a dense result. */
static tsr_status check_vector(const tsr_plan *plan, tsr_error *err)
{
    const int v = plan->schedule.vector_var - 1;
    TSR_TRY(check_range(plan, "vectorize", v, err));
    for (int i = 0; i < plan->nterms; i++) {
        const tsr_plan_term *const term = &plan->term[i];
        if (!term->walks && !term->empty && tsr_plan_is_range(plan, term, v) &&
            (term->order[term->nvars - 1] != v || !tsr_plan_is_row(plan, term)))
            return tsr_fail(
                err, TSR_UNSUPPORTED,
                "vectorize(%s): vectors need a dense result whose last mode is %s, sums of plus-times, and "
                "threads that do not add atomically: leave it out",
                plan->notation->var[v], plan->notation->var[v]);
    }
    return TSR_OK;
}

bool tsr_plan_has_pieces(const tsr_plan *plan)
{
    return plan->sink == TSR_PLAN_ROWS && plan->share.cut && !plan->rows.two_pass;
}

/* The items that set a number of some loops. */
static tsr_status check_numbers(const tsr_plan *plan, tsr_error *err)
{
    const tsr_schedule_ways none = {0}, *const ways =
                                            plan->schedule.ways.usual ? &none : &plan->schedule.ways;
    const bool has_rows = plan->sink == TSR_PLAN_ROWS;
    bool has_lanes = false;
    for (int i = 0; i < plan->nterms; i++)
        has_lanes = has_lanes || plan->term[i].nest->special.lanes;
    const struct {
        const char *item;
        int number; /* <= 0: it is not asked for */
        bool has;
        const char *what;
    } asked[] = {{"piece", ways->piece, tsr_plan_has_pieces(plan), "makes pieces that threads join"},
                 {"marked", ways->marked, has_rows && plan->rows.marks && plan->rows.measures, "marks rows"},
                 {"listed", ways->listed, has_rows && plan->rows.lists, "lists rows"},
                 {"lanes", plan->schedule.lanes, has_lanes, "adds up the entries of one list alone"}};
    for (size_t k = 0; k < sizeof asked / sizeof *asked; k++)
        if (asked[k].number > 0 && !asked[k].has)
            return tsr_fail(err, TSR_UNSUPPORTED, "%s(%d): no loop of this statement %s: leave it out",
                            asked[k].item, asked[k].number, asked[k].what);
    return TSR_OK;
}

/* TSR_UNSUPPORTED if no term walks the operand, and the schedule asks for that. */
static tsr_status check_walk(const tsr_plan *plan, int t, tsr_error *err)
{
    bool walks = !plan_asks_walk(plan, t);
    for (int i = 0; i < plan->nterms; i++) {
        const tsr_nest *const nest = plan->term[i].nest;
        walks = walks || (plan->term[i].walks && plan->term[i].walked && plan->term[i].walked->tensor == t);
        for (int f = 0; f < nest->nfactors; f++)
            walks = walks || (nest->factor[f].is_located && nest->factor[f].expr->tensor == t);
    }
    const char *const name = plan->notation->tensor[t].name;
    return walks ? TSR_OK
                 : tsr_fail(err, TSR_UNSUPPORTED,
                            "walk(%s): no term of this statement walks %s beside what the schedule asks for: "
                            "leave it out",
                            name, name);
}

tsr_status plan_check_items(const tsr_plan *plan, tsr_error *err)
{
    const tsr_schedule *const schedule = &plan->schedule;
    for (int t = 1; t < plan->notation->ntensors; t++)
        TSR_TRY(check_walk(plan, t, err));
    TSR_TRY(check_numbers(plan, err));
    for (int v = 0; v < plan->notation->nvars; v++) {
        TSR_TRY(schedule->block[v] ? check_range(plan, "block", v, err) : TSR_OK);
        TSR_TRY(schedule->unroll[v] ? check_range(plan, "unroll", v, err) : TSR_OK);
    }
    return schedule->vector_var ? check_vector(plan, err) : TSR_OK;
}
