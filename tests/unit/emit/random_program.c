/* Random loop programs. */
#include <math.h>

#include "random_maker.h"

static bool same_type(tsr_ir_type a, tsr_ir_type b)
{
    return a.kind == b.kind && a.lanes == b.lanes && (a.kind != TSR_IR_IS_VALUE || a.type == b.type);
}

/* A variable of the type, or NULL. */
static const tsr_ir_expr *pick_var(maker *m, tsr_ir_type type, bool to_assign)
{
    const int first = to_assign ? m->frozen : 0;
    for (int tries = 0; tries < 8 && m->nvars > first; tries++) {
        const int i = first + below(m, m->nvars - first);
        if (same_type(m->var[i]->type, type) && (!to_assign || m->is_mutable[i]))
            return m->var[i];
    }
    return NULL;
}

static const tsr_ir_type index_type = {TSR_IR_IS_INDEX, TSR_F64, 1};
static const tsr_ir_type bool_type = {TSR_IR_IS_BOOL, TSR_F64, 1};

/* ---- expressions ---- */

static const tsr_ir_expr *make_index(maker *m, int depth);

const tsr_ir_expr *random_place(maker *m, int n, int depth)
{
    return op2(m, TSR_IR_MOD, make_index(m, depth), tsr_ir_index(m->b, n));
}

static const tsr_ir_expr *make_bool(maker *m, int depth);

static const tsr_ir_expr *make_index(maker *m, int depth)
{
    const int what = depth > 0 ? below(m, 12) : below(m, 3);
    const tsr_ir_expr *var;
    switch (what) {
    case 0:
        return tsr_ir_index(m->b, below(m, 9) - 2);
    case 1:
    case 2:
        var = pick_var(m, index_type, false);
        return var ? var : tsr_ir_index(m->b, below(m, 1000));
    case 3:
    case 4:
        return tsr_ir_load_index(m->b,
                                 m->order && below(m, 3) == 0 ? m->order : m->array[INDEX8 + below(m, 4)],
                                 random_place(m, RANDOM_LENGTH, depth - 1));
    case 5:
        return op2(m, below(m, 2) ? TSR_IR_MIN : TSR_IR_MAX, make_index(m, depth - 1),
                   make_index(m, depth - 1));
    case 6:
        return op2(m, below(m, 2) ? TSR_IR_FLOORDIV : TSR_IR_MOD, make_index(m, depth - 1),
                   tsr_ir_index(m->b, 1 + below(m, 7)));
    case 7: /* kept small: a product of two remainders */
        return op2(m, TSR_IR_MUL, random_place(m, 50, depth - 1), random_place(m, 50, depth - 1));
    case 8:
        return tsr_ir_select(m->b, make_bool(m, depth - 1), make_index(m, depth - 1),
                             make_index(m, depth - 1));
    case 9:
        return op2(m, TSR_IR_NEG, make_index(m, depth - 1), NULL);
    default:
        return op2(m, below(m, 2) ? TSR_IR_ADD : TSR_IR_SUB, make_index(m, depth - 1),
                   make_index(m, depth - 1));
    }
}

static const tsr_ir_expr *make_value(maker *m, int lanes, int depth);

static const tsr_ir_op comparisons[] = {TSR_IR_EQ, TSR_IR_NE, TSR_IR_LT, TSR_IR_LE};

/* A comparison of values: lanes booleans. */
static const tsr_ir_expr *make_comparison(maker *m, int lanes, int depth)
{
    const int n = tsr_type_class(m->type) == 'C' ? 2 : 4;
    return op2(m, comparisons[below(m, n)], make_value(m, lanes, depth), make_value(m, lanes, depth));
}

static const tsr_ir_expr *make_bool(maker *m, int depth)
{
    const tsr_ir_expr *var;
    switch (depth > 0 ? below(m, 7) : 0) {
    case 0:
        var = pick_var(m, bool_type, false);
        return var ? var : op2(m, TSR_IR_LT, make_index(m, 0), make_index(m, 0));
    case 1:
    case 2:
        return op2(m, comparisons[below(m, 4)], make_index(m, depth - 1), make_index(m, depth - 1));
    case 3:
        return make_comparison(m, 1, depth - 1);
    case 4:
        return op2(m, TSR_IR_NOT, make_bool(m, depth - 1), NULL);
    default:
        return op2(m, below(m, 2) ? TSR_IR_AND : TSR_IR_OR, make_bool(m, depth - 1), make_bool(m, depth - 1));
    }
}

/* lanes booleans of several comparisons. */
static const tsr_ir_expr *make_mask(maker *m, int lanes, int depth)
{
    switch (depth > 0 ? below(m, 5) : 0) {
    case 0:
    case 1:
        return make_comparison(m, lanes, depth - 1);
    case 2:
        return op2(m, TSR_IR_NOT, make_mask(m, lanes, depth - 1), NULL);
    default:
        return op2(m, below(m, 2) ? TSR_IR_AND : TSR_IR_OR, make_mask(m, lanes, depth - 1),
                   make_mask(m, lanes, depth - 1));
    }
}

/* 2, 4, ... so that a vector has at most 64 bytes. */
static int pick_lanes(maker *m)
{
    int most = 0;
    while (2 << most < 64 / (int)tsr_type_nbytes(m->type))
        most++;
    return 2 << below(m, most + 1);
}

static const tsr_ir_expr *make_load(maker *m, int lanes, int depth)
{
    const tsr_ir_type type = {TSR_IR_IS_VALUE, m->type, lanes};
    const int which = below(m, 5);
    if (which == 0 && m->local && lanes <= 16)
        return tsr_ir_load_value(m->b, m->local, random_place(m, 17 - lanes, depth), type);
    if (which == 1 && m->heap)
        return tsr_ir_load_value(m->b, m->heap, random_place(m, RANDOM_LENGTH + 1 - lanes, depth), type);
    /* in a parallel loop only what no thread writes to */
    const int array = which == 2 ? OTHER : which == 3 && !m->in_parallel ? SUM : GIVEN;
    return tsr_ir_load_value(m->b, m->array[array], random_place(m, RANDOM_LENGTH + 1 - lanes, depth), type);
}

static const tsr_ir_expr *make_value(maker *m, int lanes, int depth)
{
    static const tsr_ir_op ops[] = {TSR_IR_ADD, TSR_IR_SUB, TSR_IR_MUL, TSR_IR_DIV};
    const tsr_ir_type type = {TSR_IR_IS_VALUE, m->type, lanes};
    const tsr_ir_expr *var = pick_var(m, type, false), *condition;
    switch (depth > 0 ? below(m, 12) : below(m, 3)) {
    case 0:
        return tsr_ir_value(m->b, type,
                            tsr_type_class(m->type) == 'R' ? below(m, 90) / 8.0 - 2 : below(m, 90));
    case 1:
        return var ? var : make_load(m, lanes, 0);
    case 2:
        return make_load(m, lanes, depth - 1 > 0 ? depth - 1 : 0);
    case 3:
        return op2(m, TSR_IR_NEG, make_value(m, lanes, depth - 1), NULL);
    case 4:
        condition = lanes > 1 && below(m, 2) ? make_mask(m, lanes, depth - 1) : make_bool(m, depth - 1);
        return tsr_ir_select(m->b, condition, make_value(m, lanes, depth - 1),
                             make_value(m, lanes, depth - 1));
    case 5:
        return tsr_ir_splat(m->b, tsr_ir_convert(m->b, make_index(m, depth - 1), tsr_ir_value_type(m->type)),
                            lanes);
    case 6:
        if (lanes > 1)
            return op2(m, ops[below(m, 4)], make_value(m, lanes, depth - 1), make_value(m, 1, depth - 1));
        if (m->vectors)
            return tsr_ir_hsum(m->b, make_value(m, pick_lanes(m), depth - 1));
        return make_value(m, 1, depth - 1);
    default:
        return op2(m, ops[below(m, 4)], make_value(m, lanes, depth - 1), make_value(m, lanes, depth - 1));
    }
}

/* ---- statements ---- */

static void keep(maker *m, const tsr_ir_expr *var, bool is_mutable)
{
    if (m->nvars < MAX_VARS) {
        m->var[m->nvars] = var;
        m->is_mutable[m->nvars++] = is_mutable;
    }
}

static int lanes_now(maker *m)
{
    return m->vectors && below(m, 2) ? pick_lanes(m) : 1;
}

static void make_declaration(maker *m)
{
    const bool is_mutable = below(m, 2);
    const int what = below(m, 4);
    const tsr_ir_expr *x = what == 0   ? make_index(m, 3)
                           : what == 1 ? make_bool(m, 2)
                                       : make_value(m, lanes_now(m), 3);
    /* an index that may be assigned stays small */
    if (what == 0 && is_mutable)
        x = op2(m, TSR_IR_MOD, x, tsr_ir_index(m->b, 1000));
    keep(m, tsr_ir_declare(m->b, what == 0 ? "i" : what == 1 ? "is" : "v", x, is_mutable), is_mutable);
}

static void make_assignment(maker *m)
{
    const int lanes = lanes_now(m);
    const tsr_ir_type type = {TSR_IR_IS_VALUE, m->type, lanes};
    const tsr_ir_expr *var = below(m, 3) ? pick_var(m, type, true) : pick_var(m, index_type, true);
    if (var && var->type.kind == TSR_IR_IS_INDEX)
        tsr_ir_assign(m->b, var, op2(m, TSR_IR_MOD, make_index(m, 2), tsr_ir_index(m->b, 1000)), false);
    else if (var)
        tsr_ir_assign(m->b, var, make_value(m, lanes, 3), below(m, 2));
}

/* thread: NULL, or the parallel loop's variable: a store then goes to eight elements of its own. */
static void make_store(maker *m, const tsr_ir_expr *thread)
{
    const int lanes = lanes_now(m);
    if (thread) {
        const tsr_ir_expr *at =
            op2(m, TSR_IR_ADD, op2(m, TSR_IR_MUL, thread, tsr_ir_index(m->b, 8)), random_place(m, 8, 1));
        tsr_ir_store(m->b, m->array[SUM], at, make_value(m, 1, 3), below(m, 2), false);
    } else if (below(m, 3) == 0 && m->local && lanes <= 16) {
        tsr_ir_store(m->b, m->local, random_place(m, 17 - lanes, 2), make_value(m, lanes, 3), below(m, 2),
                     false);
    } else if (below(m, 3) == 0 && m->heap) {
        tsr_ir_store(m->b, m->heap, random_place(m, RANDOM_LENGTH + 1 - lanes, 2), make_value(m, lanes, 3),
                     below(m, 2), false);
    } else {
        const bool add = below(m, 2);
        tsr_ir_store(m->b, m->array[SUM], random_place(m, RANDOM_LENGTH + 1 - lanes, 2),
                     make_value(m, lanes, 3), add, add && lanes == 1 && below(m, 2));
    }
}

/* Store into the array of indices, or sort a part of it. */
static void make_order(maker *m)
{
    tsr_ir_builder *b = m->b;
    if (below(m, 3)) {
        const bool add = below(m, 4) == 0; /* of 0, so that it fits */
        tsr_ir_store(b, m->order, random_place(m, RANDOM_LENGTH, 2),
                     add ? tsr_ir_index(b, 0) : random_place(m, 256, 2), add, false);
    } else {
        const tsr_ir_expr *lo = below(m, 2) ? tsr_ir_index(b, 0) : random_place(m, 20, 1);
        tsr_ir_sort(b, m->order, lo, random_place(m, RANDOM_LENGTH + 1, 1));
    }
}

static void make_block(maker *m, int nstmts, int depth, const tsr_ir_expr *thread);

static void make_loop(maker *m, int depth, const tsr_ir_expr *thread)
{
    const int nvars = m->nvars;
    if (below(m, 3)) {
        const tsr_ir_expr *lo = random_place(m, 3, 1);
        keep(m, tsr_ir_for(m->b, "k", lo, op2(m, TSR_IR_ADD, lo, random_place(m, 4, 1)), 0), false);
        make_block(m, 2, depth - 1, thread);
    } else {
        const tsr_ir_expr *count = tsr_ir_declare(m->b, "count", tsr_ir_index(m->b, 0), true);
        tsr_ir_while(m->b,
                     op2(m, TSR_IR_AND, op2(m, TSR_IR_LT, count, tsr_ir_index(m->b, 3)), make_bool(m, 1)));
        make_block(m, 2, depth - 1, thread);
        tsr_ir_assign(m->b, count, tsr_ir_index(m->b, 1), true);
    }
    tsr_ir_end(m->b);
    m->nvars = nvars;
}

static const tsr_ir_expr *position(tsr_ir_builder *b, void *arg, const tsr_ir_expr *q)
{
    return tsr_ir_op2(b, TSR_IR_MUL, q, arg);
}

/* A loop that `omp simd` may run in any order: sums of whole numbers, which are exact. */
static void make_sum(maker *m)
{
    const tsr_ir_type type = tsr_ir_value_type(m->type);
    const char c = tsr_type_class(m->type);
    if ((c == 'R' || c == 'C') && (m->other == TSR_I32 || m->other == TSR_U64))
        return; /* too large to be added exactly */
    const tsr_ir_expr *sum = tsr_ir_declare(m->b, "sum", tsr_ir_value(m->b, type, 0), true);
    const tsr_ir_expr *r =
        tsr_ir_for(m->b, "r", tsr_ir_index(m->b, 0), random_place(m, 40, 1), TSR_IR_VECTOR);
    tsr_ir_assign(m->b, sum, tsr_ir_load_value(m->b, m->array[OTHER], r, type), true);
    tsr_ir_end(m->b);
    keep(m, sum, false);
}

/* A loop over elements of the local array, each by itself. */
static void make_elements(maker *m)
{
    const tsr_ir_type type = tsr_ir_value_type(m->type);
    if (!m->local)
        return;
    const tsr_ir_expr *factor = tsr_ir_declare(m->b, "factor", make_value(m, 1, 1), false);
    const tsr_ir_expr *base = tsr_ir_declare(m->b, "base", random_place(m, 60, 1), false);
    const tsr_ir_expr *n = below(m, 2) ? tsr_ir_index(m->b, 1 + below(m, 16)) : random_place(m, 17, 1);
    const tsr_ir_expr *r = tsr_ir_for(m->b, "r", tsr_ir_index(m->b, 0), n, TSR_IR_VECTOR);
    const tsr_ir_array *from = m->array[below(m, 2) ? GIVEN : OTHER];
    const tsr_ir_expr *x = tsr_ir_load_value(m->b, from, op2(m, TSR_IR_ADD, base, r), type);
    const tsr_ir_expr *y = tsr_ir_load_value(m->b, m->local, r, type);
    if (below(m, 2))
        x = tsr_ir_select(m->b, op2(m, TSR_IR_NE, x, tsr_ir_value(m->b, type, 0)),
                          op2(m, TSR_IR_MUL, x, factor), y);
    tsr_ir_store(m->b, m->local, r, op2(m, below(m, 2) ? TSR_IR_ADD : TSR_IR_MUL, x, y), below(m, 2), false);
    tsr_ir_end(m->b);
}

static void make_statement(maker *m, int depth, const tsr_ir_expr *thread)
{
    const int nvars = m->nvars;
    switch (below(m, depth > 0 ? 12 : 7)) {
    case 0:
    case 1:
        make_declaration(m);
        break;
    case 2:
        make_assignment(m);
        break;
    case 3:
    case 4:
    case 5:
        make_store(m, thread);
        break;
    case 6:
        if (m->order && below(m, 2))
            make_order(m);
        else if (below(m, 2))
            tsr_ir_prefetch(m->b, m->array[below(m, 2) ? GIVEN : OTHER], make_index(m, 2), false);
        else
            tsr_ir_comment(m->b, "statement %d", below(m, 100));
        break;
    case 7:
    case 8:
        make_loop(m, depth, thread);
        break;
    case 9:
        if (below(m, 2))
            make_sum(m);
        else
            make_elements(m);
        break;
    case 10:
        keep(m,
             tsr_ir_search(
                 m->b, "place", (tsr_ir_range){random_place(m, 10, 1), tsr_ir_index(m->b, 20 + below(m, 50))},
                 make_index(m, 1), position, (void *)(uintptr_t)tsr_ir_index(m->b, 1 + below(m, 4))),
             false);
        break;
    default:
        tsr_ir_if(m->b, make_bool(m, 3));
        make_block(m, 2, depth - 1, thread);
        m->nvars = nvars;
        if (below(m, 2)) {
            tsr_ir_else(m->b);
            make_block(m, 1 + below(m, 2), depth - 1, thread);
            m->nvars = nvars;
        }
        tsr_ir_end(m->b);
        break;
    }
}

static void make_block(maker *m, int nstmts, int depth, const tsr_ir_expr *thread)
{
    for (int i = 0; i < nstmts; i++)
        make_statement(m, depth, thread);
}

static void make_parallel(maker *m, const tsr_ir_expr *nthreads)
{
    const int nvars = m->nvars;
    const tsr_ir_array *heap = m->heap;
    const tsr_ir_array *local = m->local, *order = m->order;
    m->heap = m->local = m->order = NULL;
    m->frozen = nvars;
    m->in_parallel = true;
    const tsr_ir_expr *t = tsr_ir_for(m->b, "t", tsr_ir_index(m->b, 0), nthreads, TSR_IR_PARALLEL);
    keep(m, t, false);
    m->local = tsr_ir_array_new(m->b, "part", m->type, TSR_IR_LOCAL, tsr_ir_index(m->b, 16), true);
    make_block(m, 6, 2, t);
    tsr_ir_end(m->b);
    m->in_parallel = false;
    m->frozen = 0;
    m->nvars = nvars;
    m->heap = heap;
    m->local = local;
    m->order = order;
}

/* The outputs: the order's first n elements, sorted, and the elements of `sums` that they name. */
static void make_outputs(maker *m, const tsr_ir_expr *n)
{
    tsr_ir_builder *b = m->b;
    const tsr_ir_type type = tsr_ir_value_type(m->type);
    tsr_ir_output_new(b, m->array[OUT_INDEX], n, below(m, 2));
    tsr_ir_output_new(b, m->array[OUT_VALUE], n, true);
    const tsr_ir_expr *q = tsr_ir_for(b, "q", tsr_ir_index(b, 0), n, 0);
    tsr_ir_store(b, m->array[OUT_INDEX], q, tsr_ir_load_index(b, m->order, q), false, false);
    tsr_ir_end(b);
    tsr_ir_sort(b, m->array[OUT_INDEX], tsr_ir_index(b, 0), n);
    q = tsr_ir_for(b, "q", tsr_ir_index(b, 0), n, 0);
    const tsr_ir_expr *at =
        op2(m, TSR_IR_MOD, tsr_ir_load_index(b, m->array[OUT_INDEX], q), tsr_ir_index(b, RANDOM_LENGTH));
    tsr_ir_store(b, m->array[OUT_VALUE], q, tsr_ir_load_value(b, m->array[SUM], at, type), false, false);
    tsr_ir_end(b);
}

/* A type that converts to `type`. */
static tsr_type pick_other(maker *m)
{
    const char c = tsr_type_class(m->type);
    static const tsr_type integers[] = {TSR_PATTERN, TSR_I8, TSR_U16, TSR_I32, TSR_U64};
    if (c == 'I' || c == 'U' || below(m, 2))
        return integers[below(m, 5)];
    return m->type == TSR_F64 || m->type == TSR_C128 ? TSR_F32 : TSR_F64;
}

random_program random_program_new(const char *name, tsr_type type, bool vectors, uint64_t seed)
{
    static const tsr_type widths[] = {TSR_U8, TSR_U16, TSR_U32, TSR_U64};
    maker made = {.b = tsr_ir_builder_new(name), .rng = {seed}, .type = type, .vectors = vectors}, *m = &made;
    m->other = pick_other(m);
    const tsr_ir_expr *n = tsr_ir_index_param(m->b, "n"), *length = tsr_ir_index(m->b, RANDOM_LENGTH);
    keep(m, n, false);
    keep(m, tsr_ir_index_param(m->b, "m"), false);
    m->array[SUM] = tsr_ir_array_param(m->b, "sums", false, type, false, length);
    m->array[GIVEN] = tsr_ir_array_param(m->b, "given", false, type, true, length);
    m->array[OTHER] = tsr_ir_array_param(m->b, "other", false, m->other, true, length);
    for (int i = 0; i < 4; i++)
        m->array[INDEX8 + i] = tsr_ir_array_param(m->b, "crd", true, widths[i], true, length);
    m->array[OUT_INDEX] = tsr_ir_output_param(m->b, "A_crd", true, widths[below(m, 4)]);
    m->array[OUT_VALUE] = tsr_ir_output_param(m->b, "A", false, type);
    m->heap = tsr_ir_array_new(m->b, "scratch", type, TSR_IR_HEAP, length, true);
    m->order = tsr_ir_index_array_new(m->b, "order", widths[below(m, 4)], TSR_IR_HEAP, length, true);
    m->local = tsr_ir_array_new(m->b, "local", type, TSR_IR_LOCAL, tsr_ir_index(m->b, 16), true);
    make_block(m, 8, 3, NULL);
    make_parallel(m, n);
    make_block(m, 8, 3, NULL);
    random_lists(m);
    make_outputs(m, n);
    random_program p = {.type = type, .vectors = vectors};
    assert_ok(tsr_ir_finish(&p.ir, m->b, "A random program", err));
    if (vectors) { /* and those that loops become */
        tsr_ir *ir = p.ir;
        assert_ok(tsr_ir_vectorize(&p.ir, ir, 64, err));
        tsr_ir_free(ir);
    }
    return p;
}

/* ---- arguments ---- */

static void fill(void *data, const tsr_ir_array *a, tsr_rng *rng)
{
    for (int i = 0; i < RANDOM_LENGTH; i++) {
        const size_t n = tsr_type_nbytes(a->elem);
        uint8_t *at = (uint8_t *)data + (size_t)i * n;
        const uint64_t bits = tsr_rng_next(rng);
        const double values[] = {floor(tsr_rng_unit(rng) * 200) / 4 - 10, (double)(bits % 7)};
        if (a->is_index) {
            const uint64_t small = bits % RANDOM_LENGTH;
            memcpy(at, &small, n); /* little endian, as all tests */
        } else if (a->elem == TSR_PATTERN) {
            *at = bits & 1;
        } else if (tsr_type_class(a->elem) == 'I' || tsr_type_class(a->elem) == 'U') {
            const uint64_t v = bits & (1 << 20) ? bits : bits % 5;
            memcpy(at, &v, n);
        } else if (a->elem == TSR_F64 || a->elem == TSR_C128) {
            memcpy(at, values, n);
        } else {
            const float f[] = {(float)values[0], (float)values[1]};
            memcpy(at, f, n);
        }
    }
}

void random_args_init(random_args *args, const random_program *p, uint64_t seed)
{
    memset(args, 0, sizeof *args);
    tsr_rng rng = {seed};
    for (int i = 0; i < p->ir->nparams; i++) {
        const tsr_ir_array *a = p->ir->param[i].array;
        if (a && a->place == TSR_IR_OUTPUT) {
            args->arg[i].data = &args->output[i];
            continue;
        }
        if (!a) {
            args->arg[i].n = 1 + (int64_t)tsr_rng_below(&rng, 8);
            continue;
        }
        args->nbytes[i] = RANDOM_LENGTH * tsr_type_nbytes(a->elem);
        args->arg[i].n = RANDOM_LENGTH;
        args->arg[i].data = malloc(args->nbytes[i]);
        assert_non_null(args->arg[i].data);
        fill(args->arg[i].data, a, &rng);
    }
}

void random_args_free(random_args *args)
{
    for (int i = 0; i < RANDOM_NPARAMS; i++) {
        if (args->nbytes[i])
            free(args->arg[i].data);
        free(args->output[i].data); /* of the library where it was built with faults: a block of malloc too */
    }
}

/* Component k of a value. */
static double part(tsr_type type, const uint8_t *v, int k)
{
    double d = 0;
    float f = 0;
    if (tsr_type_nbytes(type) / (tsr_type_class(type) == 'C' ? 2 : 1) == 8) {
        memcpy(&d, v + 8 * k, 8);
        return d;
    }
    memcpy(&f, v + 4 * k, 4);
    return f;
}

/* Whether two values are the same: bit for bit, but for what NaNs hold. */
static bool same_value(tsr_type type, const uint8_t *x, const uint8_t *y)
{
    const char c = tsr_type_class(type);
    const size_t nparts = c == 'C' ? 2 : 1, nbytes = tsr_type_nbytes(type) / nparts;
    for (size_t k = 0; k < nparts; k++) {
        if (memcmp(x + k * nbytes, y + k * nbytes, nbytes) == 0)
            continue;
        if ((c != 'R' && c != 'C') || !isnan(part(type, x, (int)k)) || !isnan(part(type, y, (int)k)))
            return false;
    }
    return true;
}

static bool same_values(tsr_type type, const void *x, const void *y, int64_t n)
{
    const size_t nbytes = tsr_type_nbytes(type);
    for (int64_t k = 0; k < n; k++) {
        const uint8_t *p = (const uint8_t *)x + (size_t)k * nbytes,
                      *q = (const uint8_t *)y + (size_t)k * nbytes;
        if (!same_value(type, p, q)) {
            char s[TSR_VALUE_TEXT_NBYTES], t[TSR_VALUE_TEXT_NBYTES];
            const int ns = (int)tsr_value_print(s, type, p), nt = (int)tsr_value_print(t, type, q);
            print_error("element %lld: %.*s or %.*s\n", (long long)k, ns, s, nt, t);
            return false;
        }
    }
    return true;
}

bool random_args_same(const random_program *p, const random_args *a, const random_args *b)
{
    for (int i = OUT_INDEX; i <= OUT_VALUE; i++) {
        const tsr_ir_output *x = &a->output[i], *y = &b->output[i];
        if (x->n != y->n || !same_values(p->ir->param[i].array->elem, x->data, y->data, x->n)) {
            print_error("output %d: %lld or %lld elements\n", i, (long long)x->n, (long long)y->n);
            return false;
        }
    }
    return same_values(p->type, a->arg[SUM].data, b->arg[SUM].data, RANDOM_LENGTH);
}
