/* The lines of a term that walks: special loops, and what is multiplied and added at each depth. */
#include <inttypes.h>

#include <stdio.h>

#include "plan_state.h"

void plan_indent(tsr_text *text, int depth)
{
    for (int i = 0; i < depth; i++)
        tsr_text_add(text, "  ");
}

static void print_axes(tsr_text *text, const tsr_plan *plan, const tsr_nest *term, uint64_t axes)
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
            tsr_text_addf(text, "%s%d", plan->notation->tensor[term->driver].name,
                          v - TSR_NEST_LEVEL_AXIS + 1);
        between = ", ";
    }
}

static void print_factors(tsr_text *text, const tsr_plan *plan, const tsr_nest *term, int d)
{
    const char *between = "";
    for (int i = 0; i < term->nfactors; i++) {
        const tsr_nest_factor *f = &term->factor[i];
        if (f->at != d)
            continue;
        tsr_text_addf(text, "%s%s", between, f->inverse ? "1/" : "");
        tsr_expr_print_factor(text, plan->notation, f->expr);
        between = " * ";
    }
}

static bool has_factors(const tsr_nest *term, int d)
{
    for (int i = 0; i < term->nfactors; i++)
        if (term->factor[i].at == d)
            return true;
    return false;
}

/* The loops over dense variables at depth d, one line each. */
static int print_dense_loops(tsr_text *text, const tsr_plan *plan, const tsr_nest *term, int d, int depth)
{
    int n = 0;
    for (int i = 0; i < plan->notation->nvars; i++) {
        const int v = d == term->sink.store ? (i < term->sink.norder ? term->sink.order[i] : -1) : i;
        if (v < 0 || v >= TSR_NEST_LEVEL_AXIS ||
            (d != term->sink.store && !(tsr_plan_has(term->sum, v) && term->sum_depth[v] == d)))
            continue;
        plan_indent(text, depth + n++);
        if (plan->target.stand_in && plan->size[v] == plan->target.stand_in)
            tsr_text_addf(text, "for %s in [0, size of %s)", plan->notation->var[v], plan->notation->var[v]);
        else
            tsr_text_addf(text, "for %s in [0, %" PRIu64 ")", plan->notation->var[v], plan->size[v]);
        tsr_text_add(text, tsr_plan_has(term->sum, v) ? ": summed\n" : "\n");
    }
    return n;
}

/* What becomes of the sum of the lines below depth d. */
static void print_sum(tsr_text *text, const tsr_plan *plan, const tsr_nest *term, int d)
{
    const bool is_stored = d == term->sink.store,
               subtracts = term->term->negative && !tsr_nest_negates_inside(plan, term);
    bool above = false;
    for (int i = 0; i < d && is_stored; i++)
        above = above || has_factors(term, i);
    tsr_text_add(text, !is_stored ? "" : subtracts ? "subtract " : "add ");
    tsr_text_add(text, "the sum of the lines below");
    if (is_stored && term->sink.run > 0)
        tsr_text_addf(text, " for all neighbours with the same %s",
                      plan->notation->var[term->mode[term->level[term->sink.run - 1].mode].var]);
    if (above)
        tsr_text_add(text, ", times the product so far");
    if (has_factors(term, d)) {
        tsr_text_add(text, above ? " and " : ", times ");
        print_factors(text, plan, term, d);
    }
    if (is_stored)
        tsr_text_addf(text, "%s %s %s", above || has_factors(term, d) ? "," : "", subtracts ? "from" : "to",
                      plan->notation->tensor[0].name);
    tsr_text_add(text, "\n");
}

/* The products, sums and loops at depth d of the driver. */
static void print_depth(tsr_text *text, const tsr_plan *plan, const tsr_nest *term, int d)
{
    const char *result = plan->notation->tensor[0].name;
    const int depth = d + 1;
    const bool is_leaf = d == term->nlevels;
    if (d < term->sink.store && has_factors(term, d)) {
        plan_indent(text, depth);
        tsr_text_add(text, "multiply by ");
        print_factors(text, plan, term, d);
        tsr_text_add(text, "\n");
    }
    if (d >= term->sink.store && !is_leaf && (d == term->sink.store || has_factors(term, d))) {
        plan_indent(text, depth);
        if (term->carried[d]) {
            tsr_text_add(text, "for each ");
            print_axes(text, plan, term, term->carried[d]);
            tsr_text_add(text, ": ");
        }
        print_sum(text, plan, term, d);
    }
    if (!is_leaf)
        return;
    const int n = print_dense_loops(text, plan, term, d, depth);
    plan_indent(text, depth + n);
    const bool negates = tsr_nest_negates_inside(plan, term);
    tsr_text_addf(
        text, "%s %s %s", d == term->sink.store ? result : "sum",
        d == term->sink.store && term->term->negative && !negates ? "-=" : "+=", negates ? "-" : "");
    bool above = false; /* factors that were multiplied before */
    for (int i = 0; i < d && d == term->sink.store; i++)
        above = above || has_factors(term, i);
    if (above)
        tsr_text_add(text, has_factors(term, d) ? "(the product so far) * " : "the product so far");
    if (has_factors(term, d))
        print_factors(text, plan, term, d);
    else if (!above)
        tsr_text_add(text, "1");
    if (term->skips_zeros)
        tsr_text_add(text, ", unless the entry is 0");
    tsr_text_add(text, "\n");
}

/* Mode m in terms of the coordinates of levels, which have these names. */
static void print_coordinate(tsr_text *text, const tsr_map *inverse, int m, const char *const *name)
{
    tsr_bit_move move[TSR_PLAN_MOVES];
    const int n = tsr_plan_gathers(move, inverse, m);
    if (n == 0)
        tsr_map_print_result(text, inverse, m, name);
    for (int i = 0; i < n; i++)
        tsr_text_addf(text, "%sbits 0x%" PRIx64 " of %s", i ? " and " : "", move[i].from, name[move[i].var]);
}

static void print_level(tsr_text *text, const tsr_plan *plan, const tsr_nest *term, int l)
{
    const tsr_binding *binding = plan->walk.operand[term->driver].binding;
    const tsr_level_spec *spec = &binding->format->levels[l];
    const char *between = ": ";
    plan_indent(text, l + 1);
    tsr_text_addf(text, "level %d of %s, %s%s", l + 1, plan->notation->tensor[term->driver].name,
                  spec->type->name, spec->nonunique ? "(nonunique)" : "");
    for (int m = 0; m < term->access->nindices; m++) {
        const tsr_nest_mode *mode = &term->mode[m];
        if (mode->depth != l + 1)
            continue;
        tsr_text_addf(text, "%s%s%s", between, plan->notation->var[mode->var], mode->binds ? "" : " again");
        between = ", ";
        if (term->level[l].mode != m) {
            char names[TSR_MAX_LEVELS][300];
            const char *name[TSR_MAX_LEVELS];
            for (int k = 0; k < term->nlevels; k++) { /* programs count coordinates from 0 on */
                const uint64_t shift = 0 - (uint64_t)binding->base[k];
                snprintf(names[k], sizeof names[k], shift ? "(%.200s%d - %" PRIu64 ")" : "%.200s%d",
                         plan->notation->tensor[term->driver].name, k + 1, shift);
                name[k] = names[k];
            }
            tsr_text_add(text, " = ");
            print_coordinate(text, binding->inverse, m, name);
        }
        if (mode->low || mode->high)
            tsr_text_add(text, mode->clips >= 0 ? ", clipped" : ", padding skipped");
    }
    tsr_text_add(text, "\n");
}

/* Append the name of level l of the term's driver. */
static void print_level_name(tsr_text *text, const tsr_plan *plan, const tsr_nest *term, int l)
{
    tsr_text_addf(text, "level %d of %s", l + 1, plan->notation->tensor[term->driver].name);
}

/* The operands whose rows are prefetched, each once, in the order of the notation. */
static void print_prefetches(tsr_text *text, const tsr_plan *plan, const tsr_nest *term)
{
    const tsr_nest_special *const special = &term->special;
    uint64_t factors = 0;
    const char *between = "rows of ";
    for (int d = 0; d <= term->nlevels; d++)
        factors |= special->fetched[d];
    if (!factors && !special->fetches_result && !special->streams)
        return;
    tsr_text_add(text, "  prefetches: ");
    for (int t = 0; t < plan->notation->ntensors; t++) {
        bool has = t == 0 && special->fetches_result;
        for (int i = 0; i < term->nfactors; i++)
            has = has || (factors >> i & 1 && term->factor[i].expr->tensor == t);
        if (!has)
            continue;
        tsr_text_addf(text, "%s%s", between, plan->notation->tensor[t].name);
        between = ", ";
    }
    if (special->streams)
        tsr_text_addf(text, "entries of %s", plan->notation->tensor[term->driver].name);
    tsr_text_addf(text, ", %d positions ahead", special->streams ? special->streams_ahead : special->ahead);
    if (special->places)
        tsr_text_addf(text, ", places of %s half as far", plan->notation->tensor[0].name);
    tsr_text_add(text, "\n");
}

/* The special loops, a line each. */
static void print_specials(tsr_text *text, const tsr_plan *plan, const tsr_nest *term)
{
    const tsr_nest_special *const special = &term->special;
    for (int l = 0; l < term->nlevels; l++) {
        if (special->groups >> l & 1) {
            tsr_text_addf(text, "  groups: %d positions of ", TSR_NEST_GROUP);
            print_level_name(text, plan, term, l);
            tsr_text_add(text, " at a time\n");
        }
        if (special->lanes >> l & 1) {
            tsr_text_add(text, "  lanes: the positions of ");
            print_level_name(text, plan, term, l);
            tsr_text_addf(text, " are added up in sums of %d bytes\n", special->lanes_nbytes);
        }
    }
    if (special->slots) {
        tsr_text_addf(text, "  slots: %" PRIu64 " positions of ", special->slots);
        print_level_name(text, plan, term, 0);
        tsr_text_add(text, " side by side\n");
    }
    print_prefetches(text, plan, term);
}

void plan_print_nest(tsr_text *text, const tsr_plan *plan, const tsr_nest *term)
{
    if (term->special.window)
        tsr_text_addf(text, "  windows: %" PRIu64 " coordinates of level %d of %s at a time\n",
                      term->special.window_size, term->special.window + 1,
                      plan->notation->tensor[term->driver].name);
    plan_print_share(text, plan, &term->share, term->driver);
    plan_print_blocks(text, plan, term->dense);
    if (term->driver >= 0) {
        tsr_text_add(text, "  driver: ");
        tsr_expr_print(text, plan->notation, term->access);
        tsr_text_add(text, ", ");
        const tsr_binding *binding = plan->walk.operand[term->driver].binding;
        tsr_format_print_name_for(text, binding->format, binding->dims);
        tsr_text_add(text, "\n");
        print_specials(text, plan, term);
    }
    print_depth(text, plan, term, 0);
    for (int l = 0; l < term->nlevels; l++) {
        print_level(text, plan, term, l);
        print_depth(text, plan, term, l + 1);
    }
}
