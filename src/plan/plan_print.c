/* The text form of plans: a line for each decision, in the same words where loops walk and where they merge. plan_nest_print.c has
 * the lines of loops that walk levels. */
#include <inttypes.h>

#include "plan_state.h"

static void print_vars(tsr_text *text, const tsr_plan *plan, const int *var, int n)
{
    for (int k = 0; k < n; k++)
        tsr_text_addf(text, "%s%s", k ? ", " : "", plan->notation->var[var[k]]);
}

static const char *access_name(const tsr_plan *plan, int a)
{
    return plan->view[plan->access[a].view].name;
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

/* The coordinates of the window of v, which a loop over v does not leave. */
static void print_window(tsr_text *text, const tsr_expr *access, int v)
{
    for (int m = 0; m < access->nindices; m++) {
        const tsr_mode_window *const w = access->index[m] == v ? tsr_expr_window(access, m) : NULL;
        if (w)
            tsr_text_addf(text, " from %" PRIu64 " to %" PRIu64, w->first, w->behind - 1);
        if (w && w->step > 1)
            tsr_text_addf(text, " in steps of %" PRIu64, w->step);
    }
}

/* The variables among these whose loops the schedule cuts into blocks. */
void plan_print_blocks(tsr_text *text, const tsr_plan *plan, uint32_t vars)
{
    for (int v = 0; v < plan->notation->nvars; v++)
        if (tsr_plan_has(vars, v) && plan->schedule.block[v])
            tsr_text_addf(text, "  blocks: %" PRIu32 " coordinates of %s at a time\n",
                          plan->schedule.block[v], plan->notation->var[v]);
}

/* Which operands the loop over v walks in the term. */
static void print_walked(tsr_text *text, const tsr_plan *plan, const tsr_plan_term *term, int k)
{
    const int v = term->order[k], located = tsr_plan_located(plan, term, k);
    int n = 0, walked[TSR_NOTATION_MAX_FACTORS];
    for (int a = 0; a < term->naccesses; a++) {
        const tsr_plan_access *access = &plan->access[term->access[a]];
        const int l = plan_level_of(plan, term->access[a], v);
        if (l < 0 || plan->view[access->view].full[l] || term->access[a] == located)
            continue;
        walked[n] = term->access[a];
        tsr_text_addf(text, "%s%s", n++ ? " and " : " in ", plan->view[access->view].name);
        print_window(text, access->expr, v);
    }
    tsr_text_add(text, n == 0 ? " over its range"
                       : n == 2 && tsr_plan_gallops(plan, v, walked[0], walked[1])
                           ? plan_walk_text(TSR_PLAN_WALK_GALLOP)
                       : n > 1 ? plan_walk_text(TSR_PLAN_WALK_MERGE)
                               : "");
    for (int a = 0; a < term->naccesses; a++) {
        const tsr_plan_view *const view = &plan->view[plan->access[term->access[a]].view];
        const tsr_expr *const expr = plan->access[term->access[a]].expr;
        if (view->marks && plan->sink != TSR_PLAN_CELLS && expr->index[view->mode[view->nlevels - 1]] == v)
            tsr_text_addf(text, ", looked up in %s", view->name);
    }
    if (located >= 0)
        tsr_text_addf(text, "%s of %s, which stays the same in the loop around",
                      plan_walk_text(TSR_PLAN_WALK_LOCATE), plan->view[plan->access[located].view].name);
    const char *before = ", prefetches: rows of ";
    for (int i = 0; i < term->naccesses; i++) {
        if (!(term->fetch[k].rows >> i & 1))
            continue;
        tsr_text_addf(text, "%s%s", before, access_name(plan, term->access[i]));
        before = ", ";
    }
    if (term->fetch[k].rows)
        tsr_text_addf(text, ", %d positions ahead", term->fetch[k].ahead);
    for (int a = 0; a < term->nmasks; a++) {
        const tsr_plan_access *access = &plan->access[term->mask[a]];
        const int last = plan->view[access->view].mode[plan->view[access->view].nlevels - 1];
        if (access->expr->index[last] == v)
            tsr_text_addf(text, ", where %s has no entry (%s)", plan->view[access->view].name,
                          tsr_plan_mask_located(plan, term, k, term->mask[a]) ? "looked up in a table"
                                                                              : "searched");
    }
}

/* What the parts of a loop have in equal numbers. before: what comes before such words. */
static void print_work(tsr_text *text, const tsr_plan *plan, const tsr_plan_work *work, const char *before)
{
    if (work->products)
        tsr_text_addf(text, "%s of equal numbers of products", before);
    else if (work->list >= 0)
        tsr_text_addf(text, "%s of equal numbers of entries of %s", before, access_name(plan, work->list));
    else if (work->nentries > 0)
        for (int k = 0; k < work->nentries; k++)
            tsr_text_addf(text, "%s%s%s",
                          k == 0                    ? before
                          : k + 1 == work->nentries ? " and "
                                                    : ", ",
                          k == 0 ? " of equal numbers of entries of " : "",
                          access_name(plan, work->entries[k]));
}

void plan_print_share(tsr_text *text, const tsr_plan *plan, const tsr_plan_share *share, int driver)
{
    static const char *const parts[] = {[TSR_CUT_POSITIONS] = "positions", [TSR_CUT_ACROSS] = "coordinates"};
    tsr_text_add(text, "  threads: ");
    if (share->cut == TSR_CUT_NOTHING) {
        tsr_text_add(text, "one\n");
        return;
    }
    if (share->cut == TSR_CUT_LOOP) {
        tsr_text_addf(text, "%s is cut", plan->notation->var[share->var]);
        print_work(text, plan, &share->work, " into parts");
    } else if (share->cut == TSR_CUT_WINDOWS) {
        tsr_text_add(text, "the coordinates of the windows are cut");
    } else {
        tsr_text_addf(text, "%s of level %d of %s are cut", parts[share->cut], share->level + 1,
                      plan->notation->tensor[driver].name);
    }
    if (share->nshares > 0)
        tsr_text_addf(text, " into %d shares", share->nshares);
    tsr_text_addf(text, "%s, %s is %s\n", share->key ? " where the coordinate changes" : "",
                  plan->notation->tensor[0].name, plan_sharing_words[share->sharing]);
}

/* Whether e has the value of the access. */
static bool has_value(const tsr_expr *e, const tsr_expr *access)
{
    if (e && e->kind == TSR_EXPR_ACCESS)
        return e->mask == TSR_MASK_NONE && tsr_expr_same_access(e, access);
    return e && (has_value(e->a, access) || has_value(e->b, access));
}

/* Whether a factor of the term has the value of the access. */
static bool is_read(const tsr_term *term, const tsr_expr *access)
{
    bool is = false;
    for (int f = 0; f < term->nfactors; f++)
        is = is || has_value(term->factor[f].expr, access);
    return is;
}

/* The loops of a term that merges. */
static void print_loops(tsr_text *text, const tsr_plan *plan, const tsr_plan_term *term)
{
    const int first = plan->nouter;
    uint32_t ranges = 0;
    for (int k = first; k < term->nvars; k++)
        ranges |= (uint32_t)tsr_plan_is_range(plan, term, term->order[k]) << term->order[k];
    if (plan->sink == TSR_PLAN_DENSE && first == 0)
        plan_print_share(text, plan, &term->nest->share, -1);
    plan_print_blocks(text, plan, ranges);
    for (int k = first; k < term->nvars; k++) {
        plan_indent(text, k - first + 1);
        tsr_text_addf(text, "for %s", plan->notation->var[term->order[k]]);
        print_walked(text, plan, term, k);
        tsr_text_add(text, "\n");
    }
    if (term->nblock > 0) {
        plan_indent(text, term->nvars - first + 1);
        tsr_text_add(text, "for ");
        print_vars(text, plan, term->block, term->nblock);
        tsr_text_add(text, " in the blocks\n");
    }
}

static void print_term(tsr_text *text, const tsr_plan *plan, int i)
{
    const tsr_plan_term *const term = &plan->term[i];
    bool is_first = true;
    tsr_text_addf(text, "term %d: %s", i + 1, term->term->negative ? "-" : "");
    for (int f = 0; f < term->term->nfactors; f++) {
        const tsr_factor *const factor = &term->term->factor[f];
        if (factor->expr->mask == TSR_MASK_STORED && is_read(term->term, factor->expr))
            continue; /* the loops say that */
        tsr_text_add(text, factor->inverse ? (is_first ? "1 / " : " / ") : is_first ? "" : " * ");
        is_first = false;
        tsr_expr_print_factor(text, plan->notation, factor->expr);
    }
    tsr_text_add(text, "\n");
    if (term->walks)
        plan_print_nest(text, plan, term->nest);
    else
        print_loops(text, plan, term);
}

/* How rows are computed without the workspace, or besides it. */
static void print_rows(tsr_text *text, const tsr_plan *plan)
{
    const tsr_plan_rows *const rows = &plan->rows;
    if (rows->nsummed > 0) {
        tsr_text_add(text, "rows of ");
        for (int k = 0; k < rows->nsummed; k++)
            tsr_text_addf(text, "%s%s",
                          k == 0                   ? ""
                          : k + 1 == rows->nsummed ? " and "
                                                   : ", ",
                          access_name(plan, plan->term[rows->summed[k]].access[0]));
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
                      access_name(plan, access[0]), access_name(plan, access[1]));
    }
    if (rows->multiplies)
        tsr_text_addf(text, "a row of few columns is computed without a workspace: a row of %s times %s\n",
                      access_name(plan, rows->row), access_name(plan, rows->matrix));
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
        tsr_text_add(text, "threads: one\n");
    else if (plan->sink == TSR_PLAN_LIST)
        tsr_text_addf(text, "threads: the outermost loop of each term is cut, %s is exclusive\n", name);
    else {
        tsr_text_addf(text, "threads: %s is cut into pieces", plan->notation->var[plan->var[0]]);
        print_work(text, plan, &plan->share.work, "");
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
        tsr_text_addf(text, plan->share.cut ? "threads: %s is cut, %s is exclusive\n" : "threads: one\n",
                      plan->notation->var[0], name);
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
    for (int i = 0; i < plan->nterms; i++)
        print_term(text, plan, i);
}
