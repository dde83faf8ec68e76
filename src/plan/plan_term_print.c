/* The lines of a term in the text of a plan: threads, special loops, the loops from the outside in, what each of them makes known,
 * and what is multiplied and added inside. */
#include <inttypes.h>
#include <stdio.h>

#include "plan_state.h"

static void indent(tsr_text *text, int depth)
{
    for (int i = 0; i < depth; i++)
        tsr_text_add(text, "  ");
}

static const char *result_name(const tsr_plan *plan)
{
    return plan->notation->tensor[0].name;
}

void plan_print_word(tsr_text *text, int k, int n, const char *word)
{
    tsr_text_addf(text, "%s%s", k == 0 ? "" : k + 1 == n ? " and " : ", ", word);
}

/* ---- threads ---- */

void plan_print_work(tsr_text *text, const tsr_plan *plan, const tsr_plan_work *work, const char *before)
{
    if (work->products)
        tsr_text_addf(text, "%s of equal numbers of products", before);
    else if (work->list >= 0)
        tsr_text_addf(text, "%s of equal numbers of entries of %s", before,
                      plan_access_name(plan, work->list));
    else if (work->nentries > 0)
        tsr_text_addf(text, "%s of equal numbers of entries of ", before);
    for (int k = 0; k < work->nentries && !work->products && work->list < 0; k++)
        plan_print_word(text, k, work->nentries, plan_access_name(plan, work->entries[k]));
}

void plan_print_one(tsr_text *text, const tsr_plan *plan)
{
    const tsr_schedule *const schedule = &plan->schedule;
    const bool has_items = schedule->sharing || schedule->parallel_var;
    tsr_text_add(text, "threads: one");
    if (has_items && plan->target.nthreads == 1) {
        const tsr_schedule about = {.sharing = schedule->sharing, .parallel_var = schedule->parallel_var};
        tsr_text_add(text, ", without effect: ");
        tsr_schedule_print(text, &about, plan->notation, plan->notation);
    }
    tsr_text_add(text, "\n");
}

void plan_print_share(tsr_text *text, const tsr_plan *plan, const tsr_plan_share *share, int driver)
{
    static const char *const parts[] = {[TSR_CUT_POSITIONS] = "positions", [TSR_CUT_ACROSS] = "coordinates"};
    tsr_text_add(text, "  ");
    if (share->cut == TSR_CUT_NOTHING) {
        plan_print_one(text, plan);
        return;
    }
    tsr_text_add(text, "threads: ");
    if (share->cut == TSR_CUT_LOOP) {
        tsr_text_addf(text, "%s is cut", plan->notation->var[share->var]);
        plan_print_work(text, plan, &share->work, " into parts");
    } else if (share->cut == TSR_CUT_WINDOWS) {
        tsr_text_add(text, "the coordinates of the windows are cut");
    } else {
        tsr_text_addf(text, "%s of level %d of %s are cut", parts[share->cut], share->level + 1,
                      plan->notation->tensor[driver].name);
    }
    if (share->nshares > 0)
        tsr_text_addf(text, " into %d shares", share->nshares);
    tsr_text_addf(text, "%s, %s is %s\n", share->key ? " where the coordinate changes" : "",
                  result_name(plan), plan_sharing_words[share->sharing]);
}

/* ---- loops ---- */

/* "for j in ", "for A2 in ": the loop over variable v; v < 0: over the coordinates of level l, which are not those of one variable. */
static void begin_loop(tsr_text *text, const tsr_plan *plan, int v, const char *name, int l, int depth)
{
    indent(text, depth);
    if (v >= 0)
        tsr_text_addf(text, "for %s in ", plan->notation->var[v]);
    else
        tsr_text_addf(text, "for %s%d in ", name, l + 1);
}

/* "[0, 16)": the whole range of the variable. */
static void print_range(tsr_text *text, const tsr_plan *plan, int v)
{
    const tsr_plan_target *const target = &plan->target;
    const uint64_t size = plan->size[v];
    if (size && (size == target->stand_in || (target->open && size > TSR_PLAN_LITERAL)))
        tsr_text_addf(text, "[0, size of %s)", plan->notation->var[v]);
    else
        tsr_text_addf(text, "[0, %" PRIu64 ")", size);
}

/* "level 2 of A from 3 to 5": the loop does not leave the window of mode m; m < 0: there is not one. */
static void print_part(tsr_text *text, const char *name, int l, const tsr_expr *access, int m)
{
    const tsr_mode_window *const w = m >= 0 ? tsr_expr_window(access, m) : NULL;
    tsr_text_addf(text, "level %d of %s", l + 1, name);
    if (w)
        tsr_text_addf(text, " from %" PRIu64 " to %" PRIu64, w->first, w->behind - 1);
    if (w && w->step > 1)
        tsr_text_addf(text, " in steps of %" PRIu64, w->step);
}

/* A loop over the whole range of each of these n variables, below each other; returns the depth inside. */
static int print_ranges(tsr_text *text, const tsr_plan *plan, const int *var, int n, int depth)
{
    for (int k = 0; k < n; k++) {
        begin_loop(text, plan, var[k], NULL, 0, depth + k);
        print_range(text, plan, var[k]);
        tsr_text_add(text, "\n");
    }
    return depth + n;
}

/* The variables among these whose loops the schedule cuts into blocks. */
static void print_blocks(tsr_text *text, const tsr_plan *plan, uint32_t vars)
{
    for (int v = 0; v < plan->notation->nvars; v++)
        if (tsr_plan_has(vars, v) && plan->schedule.block[v])
            tsr_text_addf(text, "  blocks: %" PRIu32 " coordinates of %s at a time\n",
                          plan->schedule.block[v], plan->notation->var[v]);
}

/* ---- values ---- */

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
    int f = 0;
    while (f < term->nfactors && !has_value(term->factor[f].expr, access))
        f++;
    return f < term->nfactors;
}

/* The factors that are multiplied at depth d, or all of them (ALL); without those that only say where entries are, if the loops say that.
 * Returns whether there are any. text NULL: do not print them. */
enum { ALL = -1 };
static bool print_factors(tsr_text *text, const tsr_plan *plan, const tsr_nest *nest, int d)
{
    bool any = false;
    for (int i = 0; i < nest->nfactors; i++) {
        const tsr_nest_factor *const f = &nest->factor[i];
        if ((d != ALL && f->at != d) || (f->expr->mask == TSR_MASK_STORED && is_read(nest->term, f->expr)) ||
            (f->is_located && f->expr->kind == TSR_EXPR_BAND))
            continue;
        if (text) {
            tsr_text_add(text, f->inverse ? (any ? " / " : "1 / ") : any ? " * " : "");
            tsr_expr_print_factor(text, plan->notation, f->expr);
        }
        any = true;
    }
    return any;
}

/* Whether factors are multiplied at a depth below d. */
static bool has_product(const tsr_plan *plan, const tsr_nest *nest, int d)
{
    bool has = false;
    for (int i = 0; i < d; i++)
        has = has || print_factors(NULL, plan, nest, i);
    return has;
}

static void print_axes(tsr_text *text, const tsr_plan *plan, const tsr_nest *nest, uint64_t axes)
{
    const char *between = "";
    for (int i = 0; i < TSR_NEST_MAX_AXES; i++) {
        const int v = (i + TSR_NEST_LEVEL_AXIS) % TSR_NEST_MAX_AXES; /* levels first */
        if (!tsr_plan_has(axes, v))
            continue;
        tsr_text_add(text, between);
        if (v < TSR_NEST_LEVEL_AXIS)
            tsr_text_add(text, plan->notation->var[v]);
        else
            tsr_text_addf(text, "%s%d", plan->notation->tensor[nest->driver].name,
                          v - TSR_NEST_LEVEL_AXIS + 1);
        between = ", ";
    }
}

/* What becomes of the sum of the lines below depth d. */
static void print_sum(tsr_text *text, const tsr_plan *plan, const tsr_nest *nest, int d)
{
    const bool is_stored = d == nest->sink.store,
               subtracts = nest->term->negative && !tsr_nest_negates_inside(plan, nest);
    const bool above = is_stored && has_product(plan, nest, d), has = print_factors(NULL, plan, nest, d);
    tsr_text_add(text, !is_stored ? "" : subtracts ? "subtract " : "add ");
    tsr_text_add(text, "the sum of the lines below");
    if (is_stored && nest->sink.run > 0)
        tsr_text_addf(text, " for all neighbours with the same %s",
                      plan->notation->var[nest->mode[nest->level[nest->sink.run - 1].mode].var]);
    tsr_text_add(text, above ? ", times the product so far" : "");
    tsr_text_add(text, !has ? "" : above ? " and " : ", times ");
    print_factors(text, plan, nest, d);
    if (is_stored)
        tsr_text_addf(text, "%s %s %s", above || has ? "," : "", subtracts ? "from" : "to",
                      result_name(plan));
    tsr_text_add(text, "\n");
}

/* The loops over dense variables inside the others, and over those of blocks; then what is added there. */
static void print_leaf(tsr_text *text, const tsr_plan *plan, const tsr_plan_term *term)
{
    const tsr_nest *const nest = term->nest;
    const tsr_semiring *const reduction = plan->notation->reduction;
    const int d = nest->nlevels;
    const bool is_stored = d == nest->sink.store,
               is_point =
                   plan->sink == TSR_PLAN_DENSE && plan->nouter > 0, /* of a sum that is reduced later */
        negates = tsr_nest_negates_inside(plan, nest) && !is_point;
    int var[TSR_NOTATION_MAX_VARS] = {0}, n = 0;
    for (int i = 0; i < plan->notation->nvars; i++) {
        const int v = !is_stored ? i : i < nest->sink.norder ? nest->sink.order[i] : -1;
        if (v >= 0 && v < TSR_NEST_LEVEL_AXIS &&
            (is_stored || (tsr_plan_has(nest->sum, v) && nest->sum_depth[v] == d)))
            var[n++] = v;
    }
    const int depth = print_ranges(text, plan, var, n, d + 1);
    indent(text, print_ranges(text, plan, term->block, term->nblock, depth));
    tsr_text_addf(text, "%s %s= %s", is_stored && !is_point ? result_name(plan) : "sum",
                  is_stored && nest->term->negative && !negates ? "-"
                  : reduction && !is_point                      ? reduction->name
                                                                : "+",
                  negates ? "-" : "");
    const bool above = is_stored && has_product(plan, nest, d), has = print_factors(NULL, plan, nest, d);
    tsr_text_add(text, above && has ? "(the product so far) * "
                       : above      ? "the product so far"
                       : has        ? ""
                                    : "1");
    print_factors(text, plan, nest, d);
    tsr_text_add(text, nest->skips_zeros ? ", unless the entry is 0\n" : "\n");
}

/* The operands that are located at depth d. */
static void print_located(tsr_text *text, const tsr_plan *plan, const tsr_nest *nest, int d)
{
    for (int i = 0; i < nest->nfactors; i++) {
        const tsr_nest_factor *const f = &nest->factor[i];
        if (!f->is_located || f->depth != d)
            continue;
        indent(text, d + 1);
        if (f->expr->kind == TSR_EXPR_BAND) {
            tsr_text_add(text, "skip what is not in ");
            tsr_expr_print(text, plan->notation, f->expr);
            tsr_text_add(text, "\n");
            continue;
        }
        const tsr_binding *const binding = plan->walk.operand[f->expr->tensor].binding;
        tsr_text_add(text, "locate ");
        tsr_expr_print(text, plan->notation, f->expr);
        tsr_text_add(text, " by search in ");
        tsr_format_print_name_for(text, binding->format, binding->dims);
        tsr_text_add(text, ", skip what it does not store\n");
    }
}

/* The products and sums at depth d. */
static void print_depth(tsr_text *text, const tsr_plan *plan, const tsr_plan_term *term, int d)
{
    const tsr_nest *const nest = term->nest;
    print_located(text, plan, nest, d);
    const bool has = print_factors(NULL, plan, nest, d);
    if (d == nest->nlevels) {
        print_leaf(text, plan, term);
    } else if (d < nest->sink.store && has) {
        indent(text, d + 1);
        tsr_text_add(text, "multiply by ");
        print_factors(text, plan, nest, d);
        tsr_text_add(text, "\n");
    } else if (d == nest->sink.store || (d > nest->sink.store && has)) {
        indent(text, d + 1);
        tsr_text_add(text, nest->carried[d] ? "for each " : "");
        print_axes(text, plan, nest, nest->carried[d]);
        tsr_text_add(text, nest->carried[d] ? ": " : "");
        print_sum(text, plan, nest, d);
    }
}

/* ---- loops that merge ---- */

/* The levels that loop k of the term goes through, and how they meet. Returns the access whose entries it looks up in a table; -1:
 * there is none. */
static int print_merged(tsr_text *text, const tsr_plan *plan, const tsr_plan_term *term, int k)
{
    const int v = term->order[k], located = tsr_plan_located(plan, term, k);
    int walked[TSR_NOTATION_MAX_FACTORS], n = 0;
    for (int i = 0; i < term->naccesses; i++) {
        const int a = term->access[i], l = plan_list_of(plan, a, v);
        if (l < 0 || a == located)
            continue;
        const tsr_plan_view *const view = plan_view_of(plan, a);
        tsr_text_add(text, n > 0 ? " and " : "");
        print_part(text, view->name, l, plan->access[a].expr, view->mode[l]);
        walked[n++] = a;
    }
    if (n == 0)
        print_range(text, plan, v);
    if (n == 1)
        tsr_text_addf(text, ", %s",
                      plan_view_of(plan, walked[0])->type[plan_list_of(plan, walked[0], v)]->name);
    if (located >= 0 || n > 1)
        tsr_text_add(text, plan_walk_text(located >= 0 ? TSR_PLAN_WALK_LOCATE
                                          : n == 2 && tsr_plan_gallops(plan, v, walked[0], walked[1])
                                              ? TSR_PLAN_WALK_GALLOP
                                              : TSR_PLAN_WALK_MERGE));
    return located;
}

/* Whether the last level of the access is over v. */
static bool ends_over(const tsr_plan *plan, int a, int v)
{
    return plan_level_var(plan, a, plan_view_of(plan, a)->nlevels - 1) == v;
}

/* Loop l inside those around all terms, and what it looks up besides and leaves out. */
static void print_met(tsr_text *text, const tsr_plan *plan, const tsr_plan_term *term, int l)
{
    const int k = plan->nouter + l, v = term->order[k];
    begin_loop(text, plan, v, NULL, 0, l + 1);
    const int located = print_merged(text, plan, term, k);
    for (int i = 0; i < term->naccesses; i++) {
        const int a = term->access[i];
        const tsr_plan_view *const view = plan_view_of(plan, a);
        for (int n = plan_level_of(plan, a, v) + 1; n > 0 && n < view->nlevels; n++)
            if (plan_level_var(plan, a, n) == v && !view->full[n])
                tsr_text_addf(text, ", again in level %d of %s", n + 1, view->name);
    }
    if (located >= 0)
        tsr_text_addf(text, " of %s, which stays the same in the loop around",
                      plan_access_name(plan, located));
    for (int i = 0; i < term->naccesses; i++)
        if (plan_view_of(plan, term->access[i])->marks && plan->sink != TSR_PLAN_CELLS &&
            ends_over(plan, term->access[i], v))
            tsr_text_addf(text, ", looked up in %s", plan_access_name(plan, term->access[i]));
    for (int i = 0; i < term->nmasks; i++)
        if (ends_over(plan, term->mask[i], v))
            tsr_text_addf(text, ", where %s has no entry (%s)", plan_access_name(plan, term->mask[i]),
                          tsr_plan_mask_located(plan, term, k, term->mask[i]) ? "looked up in a table"
                                                                              : "searched");
    tsr_text_add(text, "\n");
}

/* ---- loops that walk ---- */

/* Mode m in terms of the coordinates of levels of the driver. */
static void print_coordinate(tsr_text *text, const tsr_plan *plan, const tsr_nest *term, int m)
{
    const tsr_binding *const binding = plan->walk.operand[term->driver].binding;
    char names[TSR_MAX_LEVELS][300];
    const char *name[TSR_MAX_LEVELS];
    tsr_bit_move move[TSR_PLAN_MOVES];
    for (int k = 0; k < term->nlevels; k++) { /* programs count coordinates from 0 on */
        const uint64_t shift = 0 - (uint64_t)binding->base[k];
        snprintf(names[k], sizeof names[k], shift ? "(%.200s%d - %" PRIu64 ")" : "%.200s%d",
                 plan->notation->tensor[term->driver].name, k + 1, shift);
        name[k] = names[k];
    }
    const int n = tsr_plan_gathers(move, binding->inverse, m);
    if (n == 0)
        tsr_map_print_result(text, binding->inverse, m, name);
    for (int i = 0; i < n; i++)
        tsr_text_addf(text, "%sbits 0x%" PRIx64 " of %s", i ? " and " : "", move[i].from, name[move[i].var]);
}

/* The loop over level l, and the variables that become known in it. */
static void print_level(tsr_text *text, const tsr_plan *plan, const tsr_nest *term, int l)
{
    const tsr_level_spec *const spec = &plan->walk.operand[term->driver].binding->format->levels[l];
    const int own = term->level[l].mode;
    const bool has_own = own >= 0 && term->mode[own].binds && term->mode[own].depth == l + 1;
    const char *const name = plan->notation->tensor[term->driver].name;
    const char *between = ": ";
    begin_loop(text, plan, has_own ? term->mode[own].var : -1, name, l, l + 1);
    print_part(text, name, l, term->access, -1);
    tsr_text_addf(text, ", %s%s", spec->type->name, spec->nonunique ? "(nonunique)" : "");
    for (int m = 0; m < term->access->nindices; m++) {
        const tsr_nest_mode *mode = &term->mode[m];
        if (mode->depth != l + 1)
            continue;
        if (m != own || !has_own) {
            tsr_text_addf(text, "%s%s%s", between, plan->notation->var[mode->var],
                          mode->binds ? "" : " again");
            between = ", ";
        }
        if (m != own) {
            tsr_text_add(text, " = ");
            print_coordinate(text, plan, term, m);
        }
        if (mode->low || mode->high)
            tsr_text_add(text, mode->clips >= 0 ? ", clipped" : ", padding skipped");
    }
    tsr_text_add(text, "\n");
}

/* The tensors of which rows or entries are prefetched, each once. */
static void print_prefetches(tsr_text *text, const tsr_plan *plan, const tsr_nest *nest)
{
    static const char *const kinds[] = {
        [TSR_FETCH_ROWS] = "rows", [TSR_FETCH_SPARSE_ROWS] = "sparse rows", [TSR_FETCH_ENTRIES] = "entries"};
    bool has_places = false;
    for (int i = 0; i < nest->nfetches; i++) {
        const tsr_nest_fetch *const f = &nest->fetch[i];
        const int t = f->tensor, view = t - plan->notation->ntensors;
        bool is_said = f->kind == TSR_FETCH_ENTRIES && t == 0;
        has_places = has_places || is_said;
        for (int k = 0; k < i; k++)
            is_said = is_said || nest->fetch[k].tensor == t;
        if (is_said)
            continue;
        tsr_text_addf(text, i ? ", " : "  prefetches: %s of ", kinds[f->kind]);
        tsr_text_add(text, view >= 0 ? plan->view[view].name : plan->notation->tensor[t].name);
    }
    if (nest->nfetches)
        tsr_text_addf(text, ", %d positions ahead", plan->walk.ahead[nest->fetch[0].kind]);
    if (has_places)
        tsr_text_addf(text, ", places of %s half as far", result_name(plan));
    tsr_text_add(text, nest->nfetches ? "\n" : "");
}

/* The special loops, a line each. */
static void print_specials(tsr_text *text, const tsr_plan *plan, const tsr_nest *term)
{
    const tsr_nest_special *const special = &term->special;
    const char *const driver = plan->notation->tensor[term->driver].name;
    for (int l = 0; l < term->nlevels; l++) {
        if (special->groups >> l & 1)
            tsr_text_addf(text, "  groups: %d positions of level %d of %s at a time\n", TSR_NEST_GROUP, l + 1,
                          driver);
        if (special->lanes >> l & 1)
            tsr_text_addf(text, "  lanes: the positions of level %d of %s are added up in sums of %d bytes\n",
                          l + 1, driver, special->lanes_nbytes);
    }
    if (special->slots)
        tsr_text_addf(text, "  slots: %" PRIu64 " positions of level 1 of %s side by side\n", special->slots,
                      driver);
}

/* The lines of a term that say what is not a loop of its own. */
static void print_ways(tsr_text *text, const tsr_plan *plan, const tsr_plan_term *term)
{
    const tsr_nest *const nest = term->nest;
    uint32_t ranges = 0;
    for (int v = 0; v < plan->notation->nvars; v++)
        ranges |= (uint32_t)tsr_plan_is_range(plan, term, v) << v;
    if (nest->special.window)
        tsr_text_addf(text, "  windows: %" PRIu64 " coordinates of level %d of %s at a time\n",
                      nest->special.window_size, nest->special.window + 1,
                      plan->notation->tensor[nest->driver].name);
    if (plan->sink == TSR_PLAN_DENSE && plan->nouter == 0)
        plan_print_share(text, plan, &nest->share, nest->driver);
    print_blocks(text, plan, ranges);
    if (nest->driver >= 0) {
        tsr_expr access = *nest->access;
        access.mask = TSR_MASK_NONE;
        tsr_text_add(text, "  driver: ");
        tsr_expr_print(text, plan->notation, &access);
        tsr_text_add(text, ", ");
        const tsr_binding *binding = plan->walk.operand[nest->driver].binding;
        tsr_format_print_name_for(text, binding->format, binding->dims);
        tsr_text_add(text, "\n");
        print_specials(text, plan, nest);
    }
    print_prefetches(text, plan, nest);
}

void plan_print_term(tsr_text *text, const tsr_plan *plan, int i)
{
    const tsr_plan_term *const term = &plan->term[i];
    tsr_text_addf(text, "term %d: %s", i + 1, term->term->negative ? "-" : "");
    print_factors(text, plan, term->nest, ALL);
    tsr_text_add(text, "\n");
    print_ways(text, plan, term);
    print_depth(text, plan, term, 0);
    for (int l = 0; l < term->nest->nlevels; l++) {
        if (term->walks)
            print_level(text, plan, term->nest, l);
        else
            print_met(text, plan, term, l);
        print_depth(text, plan, term, l + 1);
    }
}
