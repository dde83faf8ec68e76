/* The text form of plans: a line for each decision, in the same words where loops walk and where they merge. plan_term_print.c has
 * the lines of a term. */
#include <inttypes.h>

#include "plan_state.h"

static void print_vars(tsr_text *text, const tsr_plan *plan, const int *var, int n)
{
    for (int k = 0; k < n; k++)
        tsr_text_addf(text, "%s%s", k ? ", " : "", plan->notation->var[var[k]]);
}

const char *plan_access_name(const tsr_plan *plan, int a)
{
    return plan_view_of(plan, a)->name;
}

static void print_views(tsr_text *text, const tsr_plan *plan)
{
    for (int v = 0; v < plan->nviews; v++) {
        const tsr_plan_view *view = &plan->view[v];
        if (!view->copy)
            continue;
        tsr_text_addf(text, "convert %s to ", plan->notation->tensor[view->tensor].name);
        tsr_format_print(text, view->copy);
        tsr_text_addf(text, " as %s: %s\n", view->name, view->why);
    }
}

/* How rows are computed without the workspace, or besides it. */
static void print_rows(tsr_text *text, const tsr_plan *plan)
{
    const tsr_plan_rows *const rows = &plan->rows;
    if (rows->nsummed > 0) {
        tsr_text_add(text, "rows of ");
        for (int k = 0; k < rows->nsummed; k++)
            plan_print_word(text, k, rows->nsummed,
                            plan_access_name(plan, plan->term[rows->summed[k]].access[0]));
        if (rows->lists)
            tsr_text_addf(
                text, " are merged, but sorted where they have at most %" PRId64 " contributions together",
                rows->listed);
        tsr_text_add(text, rows->lists          ? "\n"
                           : !rows->unites      ? " are merged\n"
                           : rows->nsummed == 2 ? " are added without branches\n"
                                                : " are added without branches, one after the other\n");
    }
    if (rows->nsummed == 0 && (rows->lists || (rows->marks && !rows->is_forced))) {
        tsr_text_add(text, "each row is measured before:");
        if (rows->marks)
            tsr_text_addf(text, " marked if it has at most %" PRId64 " columns for each contribution%s",
                          rows->marked, rows->lists ? ", else" : "");
        if (rows->lists)
            tsr_text_addf(text, " listed if it has at most %" PRId64 " contributions", rows->listed);
        tsr_text_add(text, "\n");
    }
    if (rows->intersects) {
        const int *const access = plan->term[rows->summed[0]].access;
        tsr_text_addf(text, "rows of %s and %s are multiplied without branches\n",
                      plan_access_name(plan, access[0]), plan_access_name(plan, access[1]));
    }
    if (rows->multiplies)
        tsr_text_addf(text, "a row of few columns is computed without a workspace: a row of %s times %s\n",
                      plan_access_name(plan, rows->row), plan_access_name(plan, rows->matrix));
}

const char *tsr_plan_workspace_text(tsr_plan_workspace workspace, bool any_order)
{
    static const char *const unordered[] = {
        [TSR_PLAN_WORKSPACE_AUTO] = "appended in the order in which coordinates occur first",
        [TSR_PLAN_WORKSPACE_DENSE] = "whose coordinates are listed",
        [TSR_PLAN_WORKSPACE_HASH] = "a hash table, whose coordinates are listed"};
    static const char *const kinds[] = {
        [TSR_PLAN_WORKSPACE_AUTO] = "taken out in order of the coordinates",
        [TSR_PLAN_WORKSPACE_DENSE] = "whose coordinates are listed and sorted",
        [TSR_PLAN_WORKSPACE_BITMAP] = "whose marks are read in order of the coordinates",
        [TSR_PLAN_WORKSPACE_HASH] = "a hash table, whose coordinates are listed and sorted",
        [TSR_PLAN_WORKSPACE_LIST] = "a list of all contributions, which is sorted and summed"};
    const bool has_other = any_order && (size_t)workspace < sizeof unordered / sizeof *unordered;
    return has_other && unordered[workspace] ? unordered[workspace] : kinds[workspace];
}

/* How threads share the loops around all terms, or those of a list. */
static void print_pieces(tsr_text *text, const tsr_plan *plan)
{
    const char *const name = plan->notation->tensor[0].name;
    if (plan->sink == TSR_PLAN_LIST ? tsr_plan_is_serial(plan) : !plan->share.cut)
        plan_print_one(text, plan);
    else if (plan->sink == TSR_PLAN_LIST)
        tsr_text_addf(text, "threads: the outermost loop of each term is cut, %s is exclusive\n", name);
    else if (plan->rows.meets) {
        tsr_text_add(text, "threads: the outermost loop of each term is cut");
        if (plan->share.nshares > 0)
            tsr_text_addf(text, " into %d shares", plan->share.nshares);
        tsr_text_addf(text, ", %s is private: workspaces are added up in pieces of %s\n", name,
                      plan->notation->var[plan->var[0]]);
    } else {
        tsr_text_addf(text, "threads: %s is cut into pieces", plan->notation->var[plan->var[0]]);
        plan_print_work(text, plan, &plan->share.work, "");
        if (tsr_plan_has_pieces(plan))
            tsr_text_addf(text, ", about %" PRId64 " entries each", plan->rows.piece);
        tsr_text_addf(text, ", %s is exclusive\n", name);
    }
}

/* The loops around all terms. */
static void print_outer(tsr_text *text, const tsr_plan *plan)
{
    tsr_text_add(text, "around all terms: for ");
    print_vars(text, plan, plan->var, plan->nouter);
    tsr_text_add(text, plan->nterms > 1 ? ", where one of the terms has entries" : "");
    for (int k = 0; k < plan->nouter; k++)
        if (plan->schedule.walk[plan->var[k]] == TSR_PLAN_WALK_MERGE)
            tsr_text_addf(text, "; %s is merged step by step", plan->notation->var[plan->var[k]]);
    tsr_text_add(text, "\n");
}

/* The operand whose outer levels the result has; false: there is none. */
static bool print_pattern(tsr_text *text, const tsr_plan *plan)
{
    if (plan->walk.pattern_tensor < 0)
        return false;
    tsr_text_addf(text, "%s has %d level%s of %s\n", plan->notation->tensor[0].name,
                  plan->walk.pattern_nlevels, plan->walk.pattern_nlevels == 1 ? "" : "s",
                  plan->notation->tensor[plan->walk.pattern_tensor].name);
    return true;
}

static void print_dense(tsr_text *text, const tsr_plan *plan)
{
    const char *const name = plan->notation->tensor[0].name;
    if (plan->nouter == 0) {
        if (!print_pattern(text, plan))
            tsr_text_addf(text, "each term is added to %s, which is dense\n", name);
        return;
    }
    print_outer(text, plan);
    tsr_text_addf(text, "the terms are added at each point, and the sum is reduced to %s, which is dense\n",
                  name);
    print_rows(text, plan);
    plan_print_share(text, plan, &plan->share, -1);
}

static void print_sink(tsr_text *text, const tsr_plan *plan)
{
    const char *name = plan->notation->tensor[0].name;
    if (plan->sink == TSR_PLAN_DENSE) {
        print_dense(text, plan);
        return;
    }
    if (plan->sink == TSR_PLAN_CELLS) {
        tsr_text_addf(text, "each cell of %s has a mark, and marks are combined %s\n", name,
                      plan->storage.marks->arrays[0].content == TSR_HOLDS_WORDS ? "8 at a time"
                                                                                : "one by one");
        if (plan->share.cut)
            tsr_text_addf(text, "threads: %s is cut, %s is exclusive\n", plan->notation->var[0], name);
        else
            plan_print_one(text, plan);
        return;
    }
    if (plan->sink == TSR_PLAN_LIST) {
        tsr_text_addf(
            text, "contributions are listed with their coordinates; then sorted, summed and packed as %s\n",
            name);
        print_pieces(text, plan);
        return;
    }
    if (plan->nouter > 0)
        print_outer(text, plan);
    if (plan->nouter < plan->nresult) {
        tsr_text_add(text, "workspace over ");
        print_vars(text, plan, plan->var + plan->nouter, plan->nresult - plan->nouter);
        const bool any_order = plan->rows.unordered && plan->nouter + 1 == plan->nresult;
        tsr_text_addf(text, ", %s\n", tsr_plan_workspace_text(plan->rows.workspace, any_order));
    }
    print_rows(text, plan);
    if (plan->storage.nblock > 0) {
        tsr_text_addf(text, "each entry of %s is a block over ", name);
        print_vars(text, plan, plan->storage.block, plan->storage.nblock);
        tsr_text_add(text, "\n");
    }
    plan_print_ending(text, plan);
    if (tsr_expr_has_window(plan->notation->result, false)) {
        tsr_text_add(text, "entries are stored at their places in ");
        tsr_expr_print(text, plan->notation, plan->notation->result);
        tsr_text_add(text, "\n");
    }
    tsr_text_addf(text, "%s is assembled as ", name);
    if (plan->rows.unordered)
        tsr_format_print_name(text, plan->rows.assembled);
    else
        tsr_format_print(text, plan->rows.assembled);
    tsr_text_add(text, plan->rows.two_pass ? ", in two passes: entries are counted, then stored"
                                           : ", in one pass: the parts of the threads are joined");
    tsr_text_add(text, plan->converts ? "; then converted\n" : "\n");
    print_pieces(text, plan);
}

/* What the schedule asks of the whole program, which shows in no loop. */
static void print_program(tsr_text *text, const tsr_plan *plan)
{
    const size_t begin = text->nbytes;
    tsr_schedule about = {0};
    tsr_schedule_take_program(&about, &plan->schedule);
    tsr_text_add(text, "program: ");
    const size_t items = text->nbytes;
    tsr_schedule_print(text, &about, plan->notation, plan->notation);
    if (text->nbytes > items)
        tsr_text_add(text, "\n");
    else
        tsr_text_cut(text, begin);
}

void tsr_plan_print(tsr_text *text, const tsr_plan *plan)
{
    if (tsr_plan_walks(plan)) {
        tsr_notation_print(text, plan->notation);
        tsr_text_add(text, "\n");
        print_pattern(text, plan);
    } else {
        tsr_text_addf(text, "the loops merge: %s\n", plan->why);
        if (plan->storage.is_on) {
            tsr_text_add(text, "in storage coordinates: ");
            tsr_notation_print(text, plan->notation);
            tsr_text_add(text, "\n");
        }
        print_views(text, plan);
        print_sink(text, plan);
    }
    print_program(text, plan);
    for (int i = 0; i < plan->nterms; i++)
        plan_print_term(text, plan, i);
}
