/* The order of loops with the least estimated cost.
 *
 * A tensor with n entries has at most min(n, number of cells) different prefixes of its coordinates in some
 * of its modes; entries are assumed to be spread evenly. A loop over a variable that one sparse operand
 * stores at that place runs over the children of that operand's position. Where several sparse operands have
 * the variable, the loop walks all of them, and its body runs for the coordinates that all of them store.
 * Where no sparse operand has it, the loop runs over the whole range. Of two lists, one that stays the same in the loop around
 * is written into a table instead (plan_locate.c), and the loop walks the other. The cost is the sum of the steps of all loops. */
#include <string.h>

#include <math.h>

#include "plan_state.h"

enum { MAX_NODES = 20000 }; /* the search stops after this number of nodes and takes the best order so far */

#define COPY_COST 24.0 /* steps of converting, per entry */
#define TRANSPOSE_COST 6.0
#define UNPACK_COST 40.0
#define FACTOR_COST 0.5 /* steps of one factor, per contribution */
#define TABLE_COST 2.0  /* steps of an element of a table, which is written and cleared */
#define STRIDE_COST \
    1.0 /* steps of a dense element whose neighbours in the innermost loop are not its neighbours in memory */

typedef struct search {
    const plan_state *s;
    const tsr_term *term;
    const tsr_expr *access[TSR_NOTATION_MAX_FACTORS]; /* naccesses sparse factors */
    double nstored[TSR_NOTATION_MAX_FACTORS];         /* entries of each of these */
    int naccesses;
    const tsr_expr *mask[TSR_NOTATION_MAX_FACTORS]; /* nmasks complements, which no loop walks */
    int nmasks;
    uint64_t located; /* bit f: factor f is searched for at the coordinates of the others */
    uint32_t vars;    /* bit v: variable v gets a loop */
    plan_rank rank;   /* of the variables in `now` */
    plan_order now, *best;
    int nnodes;                             /* visited */
    double runs[TSR_NOTATION_MAX_VARS + 1]; /* how often the body of the first k loops of `now` runs */
} search;

/* The estimated number of different coordinates that the access has in the modes of these variables. */
static double nprefixes(const search *q, int a, uint32_t vars)
{
    const tsr_expr *access = q->access[a];
    double cells = 1;
    for (uint32_t seen = 0, m = 0; m < (uint32_t)access->nindices; m++) {
        const int v = access->index[m];
        if ((vars >> v & 1) && !(seen >> v & 1))
            cells *= (double)q->s->plan->size[v];
        seen |= UINT32_C(1) << v;
    }
    const double n = cells < q->nstored[a] ? cells : q->nstored[a];
    return n < 1 ? 1 : n;
}

/* Whether the loops over `before` and v follow the storage order, whose level l stores v. */
static bool follows(const tsr_expr *access, const int *perm, int nlevels, int l, uint32_t before)
{
    for (int k = 0; k < nlevels; k++)
        if (k != l && (before >> access->index[perm[k]] & 1) != (k < l))
            return false;
    return true;
}

/* Whether the level of the access that stores v will be dense, so that positions are computed: determined by
 * the tensor's format, and where a copy is read, true for a first level that is not too long. */
static bool is_located(const search *q, int a, int v, uint32_t before)
{
    const tsr_expr *access = q->access[a];
    const tsr_format *format = q->s->operands[access->tensor].binding->format;
    int perm[TSR_MAX_LEVELS];
    const bool is_first = !(access->vars & before);
    if (plan_has_sorted_levels(q->s, format, perm, NULL)) {
        int l = 0;
        while (l < format->nlevels - 1 && access->index[perm[l]] != v)
            l++;
        if (follows(access, perm, format->nlevels, l, before))
            return format->levels[l].type->full || tsr_format_marks(format);
    }
    return is_first && access->nindices > 1 && q->s->plan->size[v] <= PLAN_DENSE_LEVEL;
}

/* The number of the first loop of `now` that a table may stand in front of: where the result is sparse, the first that is not over a
 * variable of it. Loops that begin with another variable collect the whole result, which costs more than a table saves. */
static int first_of_tables(const search *q)
{
    int k = 0;
    if (!plan_is_sparse(q->s, 0))
        return 0;
    while (k < q->now.nvars && q->now.var[k] < q->s->plan->notation->nfree)
        k++;
    return k > 0 ? k : q->now.nvars;
}

/* The access whose list over v is written into a table in front of the last loop of `now`; -1: there is none (tsr_plan_located). */
static int find_table(const search *q, int v, uint32_t before)
{
    const tsr_plan *const plan = q->s->plan;
    int found = -1, nwalked = 0, nlast = 0;
    if (q->now.nvars - 1 < first_of_tables(q) || plan->schedule.walk[v] == TSR_PLAN_WALK_MERGE ||
        plan->schedule.walk[v] == TSR_PLAN_WALK_GALLOP ||
        (double)plan->size[v] * plan->target.nthreads > (double)PLAN_MAX_PLACES)
        return -1;
    const int last = q->now.var[q->now.nvars - 1];
    for (int a = 0; a < q->naccesses; a++) {
        const uint32_t vars = q->access[a]->vars;
        if (!(vars >> v & 1) || is_located(q, a, v, before))
            continue;
        nwalked++;
        nlast += (int)(vars >> last & 1);
        if (!(vars >> last & 1) && (vars & before))
            found = a;
    }
    return nwalked == 2 && nlast == 1 ? found : -1;
}

/* The steps of the loop over v inside those of `now`, which are over `before`; *inside: how often its body runs. */
static double loop_cost(const search *q, int v, uint32_t before, double *inside)
{
    const double n = q->runs[q->now.nvars];
    const double size = (double)q->s->plan->size[v];
    double steps = 0, survivors = size, table = 0;
    int nwalked = 0;
    const int in_table = find_table(q, v, before);
    for (int a = 0; a < q->naccesses; a++) {
        if (!(q->access[a]->vars >> v & 1))
            continue;
        const double children = nprefixes(q, a, before | UINT32_C(1) << v) / nprefixes(q, a, before);
        const bool walked = a != in_table && !is_located(q, a, v, before);
        survivors *= size > 0 ? children / size : 0;
        steps += walked ? children : 0;
        nwalked += walked;
        if (a == in_table)
            table = TABLE_COST * children * q->runs[q->now.nvars - 1];
    }
    *inside = n * survivors;
    return table + n * (nwalked ? 1 + steps : size);
}

/* The cost of the conversions that this order needs, where a tensor of sorted levels and another one take these steps per entry;
 * infinite if the schedule asks for a format that does not fit the order. */
static double copies_cost(const search *q, double of_sorted, double of_other)
{
    const tsr_format *const *const asked = q->s->request->convert;
    double cost = 0;
    for (int a = 0; a < q->naccesses + q->nmasks; a++) {
        const tsr_expr *const e = a < q->naccesses ? q->access[a] : q->mask[a - q->naccesses];
        const tsr_format *const format = q->s->operands[e->tensor].binding->format;
        int perm[TSR_MAX_LEVELS];
        if (plan_is_concordant(q->s, e, &q->rank, NULL))
            continue;
        if (q->s->request->in_storage || (asked && asked[e->tensor]))
            return (double)INFINITY;
        cost += (plan_has_sorted_levels(q->s, format, perm, NULL) ? of_sorted : of_other) *
                plan_nstored(q->s, e->tensor);
    }
    return cost;
}

/* How often the innermost body runs where operands store the same coordinates as far as they can: each loop runs for those of the operand
 * that has the fewest. */
static double most_contributions(const search *q)
{
    double n = 1;
    uint32_t before = 0;
    for (int k = 0; k < q->now.nvars; k++) {
        const uint32_t with = before | UINT32_C(1) << q->now.var[k];
        double least = (double)q->s->plan->size[q->now.var[k]];
        for (int a = 0; a < q->naccesses; a++) {
            const double children = nprefixes(q, a, with) / nprefixes(q, a, before);
            if ((q->access[a]->vars >> q->now.var[k] & 1) && children < least)
                least = children;
        }
        n *= least;
        before = with;
    }
    return n;
}

/* Whether the innermost loop goes through the dense tensor of the access in steps. */
static bool is_strided(const search *q, const tsr_expr *access)
{
    const tsr_format *const format = q->s->operands[access->tensor].binding->format;
    int perm[TSR_MAX_LEVELS];
    if (q->now.nvars <= 1)
        return false;
    const int v = q->now.var[q->now.nvars - 1], last = access->nindices - 1;
    return (access->vars >> v & 1) && !plan_is_sparse(q->s, access->tensor) &&
           tsr_format_is_permutation(format, perm) && access->index[perm[last]] != v;
}

/* The number of dense accesses in e that the innermost loop goes through in steps. */
static int count_strided(const search *q, const tsr_expr *e)
{
    return !e ? 0
              : count_strided(q, e->a) + count_strided(q, e->b) +
                    (e->kind == TSR_EXPR_ACCESS && is_strided(q, e));
}

/* The cost of going through dense tensors in steps, where the innermost body runs n times. */
static double stride_cost(const search *q, double n)
{
    int nstrided = count_strided(q, q->s->plan->notation->result);
    for (int i = 0; i < q->term->nfactors; i++)
        nstrided += count_strided(q, q->term->factor[i].expr);
    return STRIDE_COST * nstrided * n;
}

/* Take the order `now`, whose loops have this cost, if it is the cheapest one so far. */
static void take(search *q, double cost)
{
    double n = q->runs[q->now.nvars], part = 1;
    cost += n * plan_seek_cost(q->s, q->term, q->located, &part);
    n *= part;
    cost += n * (1 + FACTOR_COST * q->term->nfactors) + stride_cost(q, n);
    const double copies = copies_cost(q, COPY_COST, COPY_COST);
    if ((q->best->nvars >= 0 && cost + copies >= q->best->cost) || !isfinite(copies))
        return;
    *q->best = q->now;
    q->best->cost = cost + copies;
    q->best->copies = copies_cost(q, TRANSPOSE_COST, UNPACK_COST); /* as measured */
    q->best->loops = cost;
    q->best->contributions = n;
    q->best->most_contributions = most_contributions(q);
}

/* Whether the schedule lets the loop over v stand inside loops over `used` and no other. */
static bool may_follow(const search *q, int v, uint32_t used)
{
    const tsr_schedule *const schedule = &q->s->plan->schedule;
    bool missing = false;
    const int first = schedule->parallel_var - 1, last = schedule->vector_var - 1;
    if (used == 0 && first >= 0 && (q->vars >> first & 1) && v != first)
        return false;
    if (v == last && (used | UINT32_C(1) << v) != q->vars)
        return false;
    int n;
    const uint8_t *const order = plan_asked_order(&n, q->s->plan, q->term);
    for (int k = 0; k < n; k++) {
        if (order[k] == v)
            return !missing;
        missing = missing || ((q->vars & ~used) >> order[k] & 1);
    }
    return true;
}

/* Open the loop over v inside those of `now`, which are over `before`; returns the steps of the loop. */
static double open_loop(search *q, int v, uint32_t before)
{
    double inside;
    const double steps = loop_cost(q, v, before, &inside);
    q->rank.of[v] = q->now.nvars;
    q->now.var[q->now.nvars++] = v;
    q->runs[q->now.nvars] = inside;
    return steps;
}

/* Try all orders that begin with q->now. used: the variables of these loops; cost: the steps of these loops. */
static void extend(search *q, uint32_t used, double cost)
{
    if (q->best->nvars >= 0 && (cost >= q->best->cost || ++q->nnodes > MAX_NODES))
        return;
    if (used == q->vars) {
        take(q, cost);
        return;
    }
    for (int v = 0; v < q->s->plan->notation->nvars; v++) {
        if (!((q->vars & ~used) >> v & 1) || !may_follow(q, v, used))
            continue;
        const double steps = open_loop(q, v, used);
        extend(q, used | UINT32_C(1) << v, cost + steps);
        q->now.nvars--;
    }
}

/* List the sparse accesses in a factor. */
static void list_accesses(search *q, const tsr_expr *e)
{
    if (!e)
        return;
    list_accesses(q, e->a);
    list_accesses(q, e->b);
    if (e->kind != TSR_EXPR_ACCESS || !plan_is_sparse(q->s, e->tensor))
        return;
    if (e->mask == TSR_MASK_ABSENT) {
        if (q->nmasks < TSR_NOTATION_MAX_FACTORS)
            q->mask[q->nmasks++] = e;
        return;
    }
    if (q->naccesses == TSR_NOTATION_MAX_FACTORS)
        return;
    q->nstored[q->naccesses] = plan_nstored(q->s, e->tensor);
    for (int m = 0; m < e->nindices; m++) {
        const tsr_mode_window *const w = tsr_expr_window(e, m);
        if (w)
            q->nstored[q->naccesses] *= (double)w->n / (double)q->s->operands[e->tensor].binding->dims[m];
    }
    q->access[q->naccesses++] = e;
}

void plan_find_order(plan_order *best, const plan_state *s, const tsr_term *term, const int *prefix,
                     int nprefix)
{
    const tsr_notation *notation = s->plan->notation;
    search q = {.s = s, .term = term, .best = best, .rank = {.term = term, .nouter = nprefix}, .runs = {1}};
    q.vars = (term->vars | tsr_notation_free_vars(notation)) & ~s->plan->storage.blocks;
    for (int v = 0; v < notation->nvars; v++)
        q.rank.of[v] = TSR_NOTATION_MAX_VARS;
    q.located = s->plan->term[term - s->plan->terms->term].located;
    for (int i = 0; i < term->nfactors; i++)
        if (!tsr_plan_has(q.located, i))
            list_accesses(&q, term->factor[i].expr);
    uint32_t used = 0;
    double cost = 0;
    *best = (plan_order){.nvars = -1, .cost = (double)INFINITY};
    for (int k = 0; k < nprefix; k++)
        q.vars |= UINT32_C(1) << prefix[k];
    for (int k = 0; k < nprefix; k++) {
        if (!may_follow(&q, prefix[k], used))
            return;
        cost += open_loop(&q, prefix[k], used);
        used |= UINT32_C(1) << prefix[k];
    }
    extend(&q, used, cost);
}
