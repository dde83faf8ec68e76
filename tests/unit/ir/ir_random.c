#include "ir_random.h"

#include "ir_programs.h"

#define I(c) tsr_ir_index(g->b, c)

/* The state of the generator. */
typedef struct generator {
    tsr_ir_builder *b;
    tsr_rng *rng;
    tsr_ir_type type;
    const tsr_ir_expr *n;
    const tsr_ir_array *read[2], *index, *written[2];
    const tsr_ir_array *row[4]; /* local arrays, of length rank */
    int nrows;
    int64_t rank;
    const tsr_ir_expr *sum[3]; /* mutable scalars */
    int nsums;
    const tsr_ir_expr *outer; /* an index below 8 */
    int depth, nstmts;
} generator;

static bool chance(generator *g, int percent)
{
    return (int)tsr_rng_below(g->rng, 100) < percent;
}

static const tsr_ir_expr *constant(generator *g)
{
    return tsr_ir_value(g->b, g->type, (double)tsr_rng_below(g->rng, 3));
}

/* An index that contains no loop variable. */
static const tsr_ir_expr *invariant_index(generator *g)
{
    switch (tsr_rng_below(g->rng, 4)) {
    case 0:
        return I((int64_t)tsr_rng_below(g->rng, 9));
    case 1:
        return tsr_ir_mul(g->b, g->outer, I((int64_t)tsr_rng_below(g->rng, 20)));
    case 2:
        return tsr_ir_load_index(g->b, g->index, g->outer);
    default:
        return tsr_ir_add(g->b, g->outer, I(3));
    }
}

static const tsr_ir_array *any_read(generator *g)
{
    return g->read[tsr_rng_below(g->rng, 2)];
}

/* A leaf that depends on r (NULL: on no variable). */
static const tsr_ir_expr *leaf(generator *g, const tsr_ir_expr *r)
{
    if (!r || chance(g, 20))
        return chance(g, 40) ? constant(g)
                             : tsr_ir_load_value(g->b, any_read(g), invariant_index(g), g->type);
    if (g->nrows && chance(g, 1))
        return tsr_ir_load_value(g->b, g->row[tsr_rng_below(g->rng, (uint64_t)g->nrows)],
                                 tsr_ir_op2(g->b, TSR_IR_MIN, r, I(g->rank - 1)), g->type);
    return tsr_ir_load_value(g->b, any_read(g), tsr_ir_add(g->b, invariant_index(g), r), g->type);
}

/* The same of a row at exactly r. */
static const tsr_ir_expr *row_leaf(generator *g, const tsr_ir_expr *r)
{
    if (g->nrows && r && chance(g, 60))
        return tsr_ir_load_value(g->b, g->row[tsr_rng_below(g->rng, (uint64_t)g->nrows)], r, g->type);
    return leaf(g, r);
}

static const tsr_ir_expr *value(generator *g, const tsr_ir_expr *r, bool is_row, int depth)
{
    if (depth == 0 || chance(g, 30))
        return is_row ? row_leaf(g, r) : leaf(g, r);
    const tsr_ir_expr *x = value(g, r, is_row, depth - 1), *y = value(g, r, is_row, depth - 1);
    switch (tsr_rng_below(g->rng, 6)) {
    case 0:
    case 1:
        return tsr_ir_add(g->b, x, y);
    case 2:
        return tsr_ir_sub(g->b, x, constant(g));
    case 3:
        return tsr_ir_select(
            g->b, tsr_ir_op2(g->b, chance(g, 50) ? TSR_IR_NE : TSR_IR_EQ, leaf(g, r), constant(g)), x, y);
    case 4:
        return tsr_ir_op2(g->b, TSR_IR_NEG, x, NULL);
    default:
        return tsr_ir_mul(g->b, leaf(g, r), leaf(g, NULL));
    }
}

/* The body of a loop over r, marked VECTOR: it stores at r only, and does not read those elements
 * elsewhere. */
static void vector_body(generator *g, const tsr_ir_expr *r, bool is_row)
{
    tsr_ir_builder *b = g->b;
    const int nrows = g->nrows;
    g->nrows = is_row ? nrows : 0;
    const tsr_ir_expr *at = tsr_ir_add(b, invariant_index(g), r);
    if (chance(g, 30))
        at = tsr_ir_declare(b, "at", at, false);
    const tsr_ir_expr *v = value(g, r, is_row, 2);
    if (chance(g, 50))
        v = tsr_ir_declare(b, "v", v, false);
    if (chance(g, 20))
        tsr_ir_prefetch(b, any_read(g), at, false);
    bool wrote = false;
    if (g->nrows && chance(g, 60)) {
        tsr_ir_store(b, g->row[tsr_rng_below(g->rng, (uint64_t)g->nrows)], r, v, chance(g, 70), false);
        wrote = true;
    }
    if (g->nsums && chance(g, 50)) {
        tsr_ir_assign(b, g->sum[tsr_rng_below(g->rng, (uint64_t)g->nsums)], is_row ? value(g, r, true, 1) : v,
                      true);
        wrote = true;
    }
    if (!wrote || chance(g, 30)) {
        const bool atomic = chance(g, 5);
        const tsr_ir_array *y = g->written[tsr_rng_below(g->rng, 2)];
        tsr_ir_store(b, y, at, v, atomic || chance(g, 80), atomic);
    }
    g->nrows = nrows;
}

static void vector_loop(generator *g)
{
    tsr_ir_builder *b = g->b;
    const tsr_ir_expr *lo = I(0), *hi = I(g->rank);
    const bool is_row = g->nrows > 0 && chance(g, 75);
    if (!is_row) {
        lo = chance(g, 60) ? lo : chance(g, 50) ? I((int64_t)tsr_rng_below(g->rng, 9)) : invariant_index(g);
        hi = chance(g, 40)   ? g->n
             : chance(g, 20) ? I((int64_t)tsr_rng_below(g->rng, 3000))
                             : I((int64_t)tsr_rng_below(g->rng, 80));
    }
    const tsr_ir_expr *r = tsr_ir_for(b, "r", lo, hi, TSR_IR_VECTOR);
    vector_body(g, r, is_row);
    tsr_ir_end(b);
}

static void block(generator *g);

/* A statement that cannot become vectors, and that may read rows and sums. */
static void scalar_stmt(generator *g)
{
    tsr_ir_builder *b = g->b;
    if (g->nsums && chance(g, 50)) {
        const tsr_ir_expr *s = g->sum[tsr_rng_below(g->rng, (uint64_t)g->nsums)];
        switch (tsr_rng_below(g->rng, 3)) {
        case 0:
            tsr_ir_store(b, g->written[0], invariant_index(g), s, true, false);
            break;
        case 1:
            tsr_ir_assign(b, s, value(g, NULL, false, 1), true);
            break;
        default:
            tsr_ir_assign(b, s, constant(g), false);
            break;
        }
    } else if (g->nrows && chance(g, 40)) {
        const tsr_ir_array *row = g->row[tsr_rng_below(g->rng, (uint64_t)g->nrows)];
        const tsr_ir_expr *at = I((int64_t)tsr_rng_below(g->rng, (uint64_t)g->rank));
        if (chance(g, 4))
            tsr_ir_store(b, row, at, constant(g), true, false);
        else
            tsr_ir_store(b, g->written[1], invariant_index(g), tsr_ir_load_value(b, row, at, g->type), true,
                         false);
    } else {
        tsr_ir_store(b, g->written[1], invariant_index(g), value(g, NULL, false, 2), true, false);
    }
}

static void nested(generator *g)
{
    tsr_ir_builder *b = g->b;
    const generator before = *g;
    if (chance(g, 25)) {
        tsr_ir_if(b, tsr_ir_op2(b, TSR_IR_LT, g->outer, I(3)));
        block(g);
        if (chance(g, 40)) {
            g->nrows = before.nrows;
            g->nsums = before.nsums;
            tsr_ir_else(b);
            block(g);
        }
    } else {
        g->outer = tsr_ir_for(b, "p", I(0), I(1 + (int64_t)tsr_rng_below(g->rng, 4)), 0);
        block(g);
    }
    tsr_ir_end(b);
    g->outer = before.outer;
    g->nrows = before.nrows;
    g->nsums = before.nsums;
}

static void block(generator *g)
{
    g->depth++;
    const int n = 2 + (int)tsr_rng_below(g->rng, 4);
    for (int i = 0; i < n; i++) {
        if (g->nrows < 4 && chance(g, 25))
            g->row[g->nrows++] = tsr_ir_array_new(g->b, "row", g->type.type, TSR_IR_LOCAL, I(g->rank), true);
        if (g->nsums < 3 && chance(g, 25))
            g->sum[g->nsums++] = tsr_ir_declare(g->b, "sum", constant(g), true);
        if (g->depth < 4 && chance(g, 30))
            nested(g);
        else if (chance(g, 70))
            vector_loop(g);
        else
            scalar_stmt(g);
    }
    g->depth--;
}

/* Small whole numbers, so that sums of floats are exact. */
static void fill(random_program *p, tsr_rng *rng, int a)
{
    double *v = malloc(RANDOM_LENGTH * sizeof *v);
    for (int i = 0; i < RANDOM_LENGTH; i++)
        v[i] = (double)tsr_rng_below(rng, a == 2 ? 8 : 3);
    p->data[a] = calloc(RANDOM_LENGTH, tsr_type_nbytes(p->elem[a]));
    assert_ok(tsr_values_convert(p->data[a], p->elem[a], v, TSR_F64, RANDOM_LENGTH, err));
    free(v);
}

void random_program_new(random_program *p, tsr_rng *rng)
{
    static const tsr_type types[] = {TSR_F64, TSR_F64, TSR_F32, TSR_F32, TSR_I32,
                                     TSR_I64, TSR_U8,  TSR_I16, TSR_C128};
    p->type = types[tsr_rng_below(rng, sizeof types / sizeof types[0])];
    const bool is_real = tsr_type_class(p->type) == 'R';
    for (int a = 0; a < RANDOM_NARRAYS; a++)
        p->elem[a] = p->type;
    if (is_real && tsr_rng_below(rng, 3) == 0)
        p->elem[0] = p->elem[3] = TSR_F32;
    if (tsr_rng_below(rng, 6) == 0)
        p->elem[1] = tsr_rng_below(rng, 2) ? TSR_PATTERN : TSR_U8;
    p->elem[2] = TSR_U16;
    p->n = (int64_t)tsr_rng_below(rng, 150);
    generator g = {.b = tsr_ir_builder_new("random"), .rng = rng, .type = tsr_ir_value_type(p->type)};
    g.rank = 1 + (int64_t)tsr_rng_below(rng, tsr_rng_below(rng, 5) ? 40 : 400);
    g.n = tsr_ir_index_param(g.b, "n");
    const tsr_ir_expr *length = tsr_ir_index(g.b, RANDOM_LENGTH);
    g.read[0] = tsr_ir_array_param(g.b, "x", false, p->elem[0], true, length);
    g.read[1] = tsr_ir_array_param(g.b, "z", false, p->elem[1], true, length);
    g.index = tsr_ir_array_param(g.b, "k", true, p->elem[2], true, length);
    g.written[0] = tsr_ir_array_param(g.b, "y", false, p->elem[3], false, length);
    g.written[1] = tsr_ir_array_param(g.b, "w", false, p->elem[4], false, length);
    g.outer = tsr_ir_index(g.b, 1);
    if (tsr_rng_below(rng, 4) == 0) {
        g.outer = tsr_ir_for(g.b, "t", tsr_ir_index(g.b, 0), tsr_ir_index(g.b, 1), TSR_IR_PARALLEL);
        block(&g);
        tsr_ir_end(g.b);
    } else {
        block(&g);
    }
    p->ir = program_finish(g.b, "");
    for (int a = 0; a < RANDOM_NARRAYS; a++)
        fill(p, rng, a);
}

void random_program_run(const random_program *p, const tsr_ir *ir, double *out)
{
    tsr_ir_arg args[1 + RANDOM_NARRAYS] = {{.n = p->n}};
    for (int a = 0; a < RANDOM_NARRAYS; a++) {
        const size_t nbytes = RANDOM_LENGTH * tsr_type_nbytes(p->elem[a]);
        args[1 + a].data = malloc(nbytes);
        memcpy(args[1 + a].data, p->data[a], nbytes);
    }
    assert_ok(tsr_ir_run(ir, args, 0, err));
    for (int y = 0; y < 2; y++) {
        const tsr_type elem = p->elem[3 + y];
        assert_ok(
            tsr_values_convert(out + y * RANDOM_LENGTH, TSR_F64, args[4 + y].data, elem, RANDOM_LENGTH, err));
    }
    for (int a = 0; a < RANDOM_NARRAYS; a++)
        free(args[1 + a].data);
}

void random_program_free(random_program *p)
{
    tsr_ir_free(p->ir);
    for (int a = 0; a < RANDOM_NARRAYS; a++)
        free(p->data[a]);
}
