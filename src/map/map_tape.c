/* Compiles a map to a tape: each distinct sum and digit once, with operands before the operations that use
 * them. */
#include <string.h>

#include "map_internal.h"
#include "map_tape.h"
#include "tsr_alloc.h"
#include "tsr_bits.h"
#include "tsr_checked.h"

static const char *const NOT_BOUNDED =
    "a value of the map may leave 64 bits: narrow the bounds of its variables";

typedef struct compiler {
    const tsr_map *map;
    tsr_map_plan *plan;
    int capacity;   /* capacity of plan->ops */
    int *linear_at; /* by id of the linear form: operand + 1, or 0 */
    int *atom_at;   /* by id of the atom: the same */
    tsr_status status;
    tsr_error *err;
} compiler;

static int fail(compiler *cc, tsr_status status, const char *why)
{
    if (cc->status == TSR_OK)
        cc->status = tsr_fail(cc->err, status, "%s", why);
    return 0;
}

/* Append an operation; returns its operand, or 0 after a failure (see cc->status). */
static int emit(compiler *cc, const tsr_tape_op *op)
{
    tsr_map_plan *plan = cc->plan;
    if (cc->status != TSR_OK)
        return 0;
    if (plan->nops == cc->capacity) {
        const int capacity = cc->capacity ? cc->capacity * 2 : 16;
        tsr_tape_op *ops = tsr_realloc(plan->ops, (size_t)capacity * sizeof *ops);
        if (!ops)
            return fail(cc, TSR_NOMEM, "out of memory for the plan of a map");
        plan->ops = ops;
        cc->capacity = capacity;
    }
    plan->ops[plan->nops] = *op;
    plan->ops[plan->nops].home = plan->ops[plan->nops].slot = -1;
    return plan->nvars + plan->nops++;
}

/* ---- division by a constant ---- */

/* ceil(2^s / c) for s < 128, if that is below 2^64. */
static uint64_t reciprocal(int s, uint64_t c)
{
    uint64_t q = 0, rest = 0;
    for (int bit = s; bit >= 0; bit--) {
        rest = rest * 2 + (bit == s);
        q *= 2;
        if (rest >= c) {
            rest -= c;
            q++;
        }
    }
    return q + (rest > 0);
}

/* Division of x in `in` by c >= 3, not a power of two, by multiplication (Granlund and Montgomery, "Division
 * by invariant integers using multiplication", 1994): with u = x + bias in [0, 2^n), c <= 2^l and magic =
 * ceil(2^s / c), s >= n + l, the error (magic * c - 2^s) * u / 2^s is below 1, so floor(u / c) = floor(u *
 * magic / 2^s). */
static void choose_division(tsr_tape_op *op, tsr_interval in, int64_t c, bool mod)
{
    op->c = c;
    op->code = mod ? TSR_TAPE_MOD_PLAIN : TSR_TAPE_DIV_PLAIN;
    if (in.lo < 0) {
        int64_t bias;
        if (in.lo == INT64_MIN || !tsr_mul_i64(&bias, -tsr_floordiv_i64(in.lo, c), c) ||
            !tsr_add_i64(&in.hi, in.hi, bias))
            return;
        op->bias = (uint64_t)bias;
    }
    const uint64_t max = (uint64_t)in.hi;
    uint64_t unused;
    int s = tsr_bit_length(max) + tsr_bit_length((uint64_t)c - 1);
    if (s < 64) {
        op->magic = reciprocal(s, (uint64_t)c);
        op->shift = s;
        if (tsr_mul_u64(&unused, op->magic, max)) {
            op->code = mod ? TSR_TAPE_MOD : TSR_TAPE_DIV;
            return;
        }
        s = 64;
    }
    op->magic = reciprocal(s, (uint64_t)c);
    op->shift = s - 64;
    op->code = mod ? TSR_TAPE_MOD_HIGH : TSR_TAPE_DIV_HIGH;
}

static int compile_linear(compiler *cc, const tsr_linear *x);

static int emit_division(compiler *cc, const tsr_atom *atom)
{
    tsr_tape_op op = {.nsrc = 1, .src = {compile_linear(cc, atom->x)}};
    tsr_interval in = tsr_interval_of(atom->x, cc->map->vars, false);
    if (tsr_interval_is_empty(in))
        in = (tsr_interval){0, 0};
    const bool mod = atom->kind == TSR_ATOM_MOD;
    if ((atom->c & (atom->c - 1)) != 0) {
        choose_division(&op, in, atom->c, mod);
    } else if (mod) {
        op.code = TSR_TAPE_MASK;
        op.c = atom->c - 1;
    } else {
        op.code = in.lo >= 0 ? TSR_TAPE_SHIFT_PLUS : TSR_TAPE_SHIFT;
        op.shift = tsr_bit_length((uint64_t)atom->c) - 1;
    }
    return emit(cc, &op);
}

/* x mod c as x - c * (x floordiv c), if that quotient was computed already; else 0. */
static int emit_mod_of_quotient(compiler *cc, const tsr_atom *atom)
{
    const tsr_atom *quotient = tsr_pool_find_floordiv(&cc->map->pool, atom->x, atom->c);
    if ((atom->c & (atom->c - 1)) == 0 || !quotient || !cc->atom_at[quotient->node.id])
        return 0;
    const tsr_tape_op op = {.code = TSR_TAPE_LINEAR2,
                            .nsrc = 2,
                            .src = {compile_linear(cc, atom->x), cc->atom_at[quotient->node.id] - 1},
                            .k = {1, -atom->c}};
    return emit(cc, &op);
}

/* ---- expressions ---- */

/* min, max and product. */
static int emit_two(compiler *cc, const tsr_atom *atom)
{
    const tsr_interval in = tsr_interval_of_atom(atom, cc->map->vars, false);
    if (atom->kind == TSR_ATOM_PRODUCT && !tsr_interval_is_empty(in) && !tsr_interval_is_bounded(in))
        return fail(cc, TSR_LIMIT, NOT_BOUNDED);
    const tsr_tape_op op = {.code = atom->kind == TSR_ATOM_MIN   ? TSR_TAPE_MIN
                                    : atom->kind == TSR_ATOM_MAX ? TSR_TAPE_MAX
                                                                 : TSR_TAPE_PRODUCT,
                            .nsrc = 2,
                            .src = {compile_linear(cc, atom->x), compile_linear(cc, atom->y)}};
    return emit(cc, &op);
}

static int compile_atom(compiler *cc, const tsr_atom *atom)
{
    if (atom->kind == TSR_ATOM_VAR)
        return atom->var;
    if (!cc->atom_at[atom->node.id]) {
        int at = atom->kind == TSR_ATOM_MOD ? emit_mod_of_quotient(cc, atom) : 0;
        if (atom->y)
            at = emit_two(cc, atom);
        else if (atom->kind == TSR_ATOM_COUNTER)
            at = fail(cc, TSR_UNSUPPORTED, "a map with a counter cannot be applied to entries one by one");
        else if (at == 0)
            at = emit_division(cc, atom);
        cc->atom_at[atom->node.id] = at + 1;
    }
    return cc->atom_at[atom->node.id] - 1;
}

/* A sum under construction: up to three terms k * operand and a constant, which one operation adds. */
typedef struct partial {
    int n, src[3];
    int64_t k[3], c;
} partial;

/* Add up the terms so far; the sum becomes the only term. */
static int add_up(compiler *cc, partial *sum)
{
    static const tsr_tape_code codes[] = {TSR_TAPE_CONST, TSR_TAPE_LINEAR1, TSR_TAPE_LINEAR2,
                                          TSR_TAPE_LINEAR3};
    const tsr_tape_op op = {.code = codes[sum->n],
                            .nsrc = sum->n,
                            .src = {sum->src[0], sum->src[1], sum->src[2]},
                            .k = {sum->k[0], sum->k[1], sum->k[2]},
                            .c = sum->c};
    const int at = emit(cc, &op);
    *sum = (partial){.n = 1, .src = {at}, .k = {1}};
    return at;
}

/* A term with coefficient 1 comes first: the loop for it needs no multiplication. */
static void add_term(compiler *cc, partial *sum, int64_t k, int src)
{
    if (sum->n == 3)
        (void)add_up(cc, sum);
    const int at = k == 1 && sum->n > 0 ? 0 : sum->n;
    sum->src[sum->n] = sum->src[at];
    sum->k[sum->n++] = sum->k[at];
    sum->src[at] = src;
    sum->k[at] = k;
}

static bool is_low_ones(uint64_t mask)
{
    return (mask & (mask + 1)) == 0;
}

/* The operation for bits that move: gather (which also cuts off higher bits), scatter, or both. */
static int emit_move(compiler *cc, const tsr_bit_move *move)
{
    int at = move->var;
    if (!is_low_ones(move->from) || is_low_ones(move->to)) {
        tsr_tape_op op = {.code = TSR_TAPE_GATHER, .nsrc = 1, .src = {at}};
        tsr_bits_init(&op.bits, move->from);
        at = emit(cc, &op);
    }
    if (!is_low_ones(move->to)) {
        tsr_tape_op op = {.code = TSR_TAPE_SCATTER, .nsrc = 1, .src = {at}};
        tsr_bits_init(&op.bits, move->to);
        at = emit(cc, &op);
    }
    return at;
}

/* Add the moves of at least three runs of bits; returns their variables, as bits. Fewer runs are cheaper by
 * shifts and masks. */
static uint64_t add_moves(compiler *cc, partial *sum, const tsr_linear *x)
{
    uint64_t seen = 0, moved = 0;
    for (int i = 0; i < x->n && x->n >= 3; i++) {
        tsr_digit d;
        tsr_bit_move move;
        int nterms;
        if (!tsr_atom_as_digit(&d, x->t[i].atom) || seen >> d.dim & 1)
            continue;
        seen |= UINT64_C(1) << d.dim;
        if (!tsr_linear_moves_bits(&move, &nterms, x, d.dim, cc->map->vars) || nterms < 3)
            continue;
        moved |= UINT64_C(1) << d.dim;
        add_term(cc, sum, 1, emit_move(cc, &move));
    }
    return moved;
}

/* Sums may wrap on the way (the arithmetic is unsigned), but the final sum fits int64. */
static int compile_sum(compiler *cc, const tsr_linear *x)
{
    const tsr_interval in = tsr_interval_of(x, cc->map->vars, false);
    if (!tsr_interval_is_bounded(in))
        return fail(cc, TSR_LIMIT, NOT_BOUNDED);
    partial sum = {.c = x->c};
    const uint64_t moved = add_moves(cc, &sum, x);
    for (int i = 0; i < x->n; i++) {
        tsr_digit d;
        if (!moved || !tsr_atom_as_digit(&d, x->t[i].atom) || !(moved >> d.dim & 1))
            add_term(cc, &sum, x->t[i].k, compile_atom(cc, x->t[i].atom));
    }
    const bool is_one = sum.n == 1 && sum.k[0] == 1 && sum.c == 0;
    return is_one ? sum.src[0] : add_up(cc, &sum);
}

static int compile_linear(compiler *cc, const tsr_linear *x)
{
    const tsr_atom *atom = tsr_linear_as_atom(x);
    if (atom)
        return compile_atom(cc, atom);
    if (!cc->linear_at[x->node.id]) {
        const tsr_tape_op constant = {.code = TSR_TAPE_CONST, .c = x->c};
        cc->linear_at[x->node.id] = 1 + (x->n == 0 ? emit(cc, &constant) : compile_sum(cc, x));
    }
    return cc->linear_at[x->node.id] - 1;
}

static void compile_results(compiler *cc)
{
    tsr_map_plan *plan = cc->plan;
    for (int r = 0; r < plan->nresults; r++) {
        int at = compile_linear(cc, cc->map->results[r]);
        if (cc->status != TSR_OK)
            return;
        plan->alias[r] = at < plan->nvars ? at : -1;
        if (at < plan->nvars || plan->ops[at - plan->nvars].home >= 0) {
            const tsr_tape_op copy = {.code = TSR_TAPE_COPY, .nsrc = 1, .src = {at}};
            at = emit(cc, &copy);
        }
        if (cc->status == TSR_OK)
            plan->ops[at - plan->nvars].home = r;
    }
}

/* ---- which results need an operation, and where its value is stored ---- */

static void mark_wanted(tsr_map_plan *plan)
{
    for (int i = plan->nops - 1; i >= 0; i--) {
        tsr_tape_op *op = &plan->ops[i];
        if (op->home >= 0)
            op->wanted |= UINT64_C(1) << op->home;
        for (int s = 0; s < op->nsrc; s++)
            if (op->src[s] >= plan->nvars)
                plan->ops[op->src[s] - plan->nvars].wanted |= op->wanted;
    }
}

/* Assign slots of scratch. A slot is reused after the last operation that reads it, but not by that operation
 * itself. */
static tsr_status assign_slots(tsr_map_plan *plan, tsr_error *err)
{
    void *last_of, *free_of;
    TSR_TRY(tsr_alloc_array(&last_of, (uint64_t)plan->nops, sizeof(int), 1, "the plan of a map", err));
    const tsr_status status =
        tsr_alloc_array(&free_of, (uint64_t)plan->nops, sizeof(int), 1, "the plan of a map", err);
    int *last = last_of, *free_slots = free_of, nfree = 0; /* last[i]: the last op that reads op i */
    for (int i = 0; i < plan->nops; i++)
        for (int s = 0; s < plan->ops[i].nsrc; s++)
            if (plan->ops[i].src[s] >= plan->nvars)
                last[plan->ops[i].src[s] - plan->nvars] = i;
    for (int i = 0; status == TSR_OK && i < plan->nops; i++) {
        tsr_tape_op *op = &plan->ops[i];
        if (last[i] > 0)
            op->slot = nfree > 0 ? free_slots[--nfree] : plan->nslots++;
        for (int s = 0; s < op->nsrc; s++) {
            const int j = op->src[s] - plan->nvars;
            if (j >= 0 && last[j] == i) {
                last[j] = -1; /* free it once, also if the operation reads it twice */
                free_slots[nfree++] = plan->ops[j].slot;
            }
        }
    }
    tsr_free(last_of);
    tsr_free(free_of);
    return status;
}

static tsr_status compile(compiler *cc)
{
    const tsr_pool *pool = &cc->map->pool;
    void *p;
    TSR_TRY(tsr_alloc_array(&p, (uint64_t)pool->linears.n, sizeof(int), 1, "the plan of a map", cc->err));
    cc->linear_at = p;
    TSR_TRY(tsr_alloc_array(&p, (uint64_t)pool->atoms.n, sizeof(int), 1, "the plan of a map", cc->err));
    cc->atom_at = p;
    compile_results(cc);
    TSR_TRY(cc->status);
    mark_wanted(cc->plan);
    return assign_slots(cc->plan, cc->err);
}

/* The plan of the results, without the domain. */
static tsr_status new_plan(tsr_map_plan **out, const tsr_map *map, tsr_error *err)
{
    *out = tsr_calloc(1, sizeof **out);
    if (!*out)
        return tsr_fail(err, TSR_NOMEM, "out of memory for the plan of a map");
    (*out)->nvars = map->nvars;
    (*out)->nresults = map->nresults;
    compiler cc = {.map = map, .plan = *out, .err = err};
    const tsr_status status = compile(&cc);
    tsr_free(cc.linear_at);
    tsr_free(cc.atom_at);
    if (status != TSR_OK) {
        tsr_map_plan_free(*out);
        *out = NULL;
    }
    return status;
}

/* Add what tsr_map_plan_inside needs. */
static tsr_status plan_domain(tsr_map_plan *plan, const tsr_map *map, tsr_error *err)
{
    plan->empty = tsr_map_is_known_empty(map);
    for (int v = 0; v < map->nvars; v++)
        plan->bounds[v] = map->vars[v].bounds;
    if (map->nconstraints == 0 || plan->empty)
        return TSR_OK;
    if (map->nconstraints > TSR_MAP_MAX_RESULTS)
        return tsr_fail(err, TSR_LIMIT, "a map that is applied may have at most %d constraints, not %d",
                        TSR_MAP_MAX_RESULTS, map->nconstraints);
    tsr_map *constraints = tsr_calloc(1, sizeof *constraints); /* a view that shares the pool */
    if (!constraints)
        return tsr_fail(err, TSR_NOMEM, "out of memory for the plan of a map");
    *constraints = *map;
    constraints->nresults = map->nconstraints;
    for (int c = 0; c < map->nconstraints; c++) {
        constraints->results[c] = map->constraints[c].x;
        plan->in[c] = map->constraints[c].in;
    }
    const tsr_status status = new_plan(&plan->domain, constraints, err);
    tsr_free(constraints);
    return status;
}

tsr_status tsr_map_plan_new(tsr_map_plan **out, const tsr_map *map, tsr_error *err)
{
    TSR_TRY(new_plan(out, map, err));
    const tsr_status status = plan_domain(*out, map, err);
    if (status != TSR_OK) {
        tsr_map_plan_free(*out);
        *out = NULL;
    }
    return status;
}

void tsr_map_plan_free(tsr_map_plan *plan)
{
    if (!plan)
        return;
    tsr_map_plan_free(plan->domain);
    tsr_free(plan->ops);
    tsr_free(plan);
}

size_t tsr_map_plan_scratch_nbytes(const tsr_map_plan *plan)
{
    int nslots = plan->nslots;
    if (plan->domain && plan->domain->nresults + plan->domain->nslots > nslots)
        nslots = plan->domain->nresults + plan->domain->nslots;
    return (size_t)nslots * TSR_MAP_BLOCK * sizeof(int64_t);
}

int tsr_map_plan_alias(const tsr_map_plan *plan, int r)
{
    return plan->alias[r];
}
