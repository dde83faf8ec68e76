/* Turns loops into vectors: writes the program again, statement by statement, according to the plan. */
#include <stdio.h>
#include <string.h>

#include "ir_vector.h"

/* The vectors that sum up one scalar over the lanes of fit loops. */
typedef struct sums {
    int n[VECTOR_NSIZES]; /* number of vectors, by size; 0: none */
    const tsr_ir_expr *of[VECTOR_NSIZES][VECTOR_NSUMS];
} sums;

/* The place in a list of the index for the first lane. */
typedef struct list_place {
    const tsr_ir_array *array;
    const tsr_ir_expr *place;
} list_place;

typedef struct writer {
    vector_plan plan;
    tsr_arena arena;
    tsr_ir_builder *b;
    tsr_ir_copier copier;
    const tsr_ir_expr **var;    /* of the copier; NULL: not declared yet */
    const tsr_ir_array **array; /* of the copier; NULL: replaced by variables entirely */
    const tsr_ir_expr ***piece; /* by old number of an array that is replaced by variables: its pieces */
    const tsr_ir_array **old;   /* the array itself */
    int *fresh; /* depth of the statement before which its memory was updated; 0: not updated */
    int depth;
    sums **sum;       /* by old number of a scalar; NULL: no open sum */
    list_place *list; /* by old number of an index that a fit loop loads from a list */
    /* the piece of a fit loop being written */
    const tsr_ir_stmt *loop;
    int lanes, number;
    bool at_pieces; /* the loop runs over whole arrays of its length */
} writer;

static const tsr_ir_expr *copy(writer *w, const tsr_ir_expr *x)
{
    return tsr_ir_copy_expr(&w->copier, x);
}

/* ---- expressions ---- */

/* The variable that holds this piece of an array that the loop runs over, or NULL. */
static const tsr_ir_expr *piece_of(const writer *w, const tsr_ir_array *array, const tsr_ir_expr *index)
{
    const bool is_at = w->at_pieces && index->op == TSR_IR_VAR && index->var == w->loop->var;
    return is_at && w->piece[array->number] ? w->piece[array->number][w->number] : NULL;
}

/* A comparison of an index from a list, for values of this type. */
static const tsr_ir_expr *lanes_below(writer *w, const tsr_ir_var *list, const tsr_ir_expr *bound,
                                      tsr_type type)
{
    const tsr_ir_expr below = {
        .op = TSR_IR_BELOW, .type = {TSR_IR_IS_BOOL, type, w->lanes}, .by = w->list[list->number].array};
    return ir_lanes_by(w->b, &below, w->list[list->number].place, copy(w, bound));
}

/* x for the lanes of the piece; an invariant stays a scalar. */
static const tsr_ir_expr *in_lanes(writer *w, const tsr_ir_expr *x)
{
    if (x->op == TSR_IR_VAR || !vector_varies(&w->plan, x))
        return copy(w, x);
    const tsr_ir_type type = {x->type.kind, x->type.type, w->lanes};
    const tsr_ir_var *list;
    const tsr_ir_expr *bound;
    if (w->lanes > 1 && vector_is_pick(&w->plan, x, &list, &bound)) {
        const list_place *at = &w->list[list->number];
        const tsr_ir_expr pick = {
            .op = TSR_IR_PICK, .type = type, .array = w->array[x->array->number], .by = at->array};
        return ir_lanes_by(w->b, &pick, at->place, copy(w, bound));
    }
    if (x->op == TSR_IR_LOAD) {
        const tsr_ir_expr *piece = piece_of(w, x->array, x->arg[0]);
        return piece ? tsr_ir_convert(w->b, piece, type)
                     : ir_load(w->b, w->array[x->array->number], copy(w, x->arg[0]), type);
    }
    const tsr_ir_expr *arg[3] = {0};
    const bool below =
        w->lanes > 1 && x->op == TSR_IR_SELECT && vector_is_below(&w->plan, x->arg[0], &list, &bound);
    if (below)
        arg[0] = lanes_below(w, list, bound, x->type.type);
    for (int i = below; i < ir_op_nargs(x->op); i++)
        arg[i] = in_lanes(w, x->arg[i]);
    if (x->op == TSR_IR_CONVERT)
        return tsr_ir_convert(w->b, arg[0], type);
    if (x->op == TSR_IR_SELECT)
        return tsr_ir_select(w->b, arg[0], tsr_ir_splat(w->b, arg[1], w->lanes),
                             tsr_ir_splat(w->b, arg[2], w->lanes));
    return tsr_ir_op2(w->b, x->op, arg[0], arg[1]);
}

/* ---- one piece of a fit loop ---- */

static int size_of(int lanes)
{
    int size = 0;
    while (1 << size < lanes)
        size++;
    return size;
}

static void write_sum(writer *w, const tsr_ir_stmt *s)
{
    const sums *open = w->sum[s->var->number];
    const int size = size_of(w->lanes);
    const tsr_ir_expr *into =
        w->lanes > 1 && open ? open->of[size][w->number % open->n[size]] : w->var[s->var->number];
    tsr_ir_assign(w->b, into, in_lanes(w, s->expr), true);
}

static void write_lane_store(writer *w, const tsr_ir_stmt *s)
{
    const tsr_ir_expr *x = tsr_ir_splat(w->b, in_lanes(w, s->expr), w->lanes);
    const tsr_ir_expr *piece = piece_of(w, s->array, s->index);
    if (piece)
        tsr_ir_assign(w->b, piece, x, s->add);
    else
        tsr_ir_store(w->b, w->array[s->array->number], copy(w, s->index), x, s->add, false);
}

/* Write the body for iterations at .. at + lanes - 1. The first piece in its block declares the
 * invariants. */
static void write_piece(writer *w, const tsr_ir_expr *at, int lanes, int number, bool is_first)
{
    w->lanes = lanes;
    w->number = number;
    w->var[w->loop->var->number] = at;
    for (const tsr_ir_stmt *s = w->loop->body.first; s; s = s->next) {
        switch (s->kind) {
        case TSR_IR_DECLARE:
            if (w->plan.vary[s->var->number] == VARY_STEP)
                w->var[s->var->number] = copy(w, s->expr);
            else if (w->plan.vary[s->var->number] == VARY_LIST && lanes > 1)
                w->list[s->var->number] =
                    (list_place){w->array[s->expr->array->number], copy(w, s->expr->arg[0])};
            else if (w->plan.vary[s->var->number] == VARY_LIST)
                w->var[s->var->number] = tsr_ir_declare(w->b, s->var->name, copy(w, s->expr), false);
            else if (is_first || w->plan.vary[s->var->number] == VARY_VALUE)
                w->var[s->var->number] = tsr_ir_declare(w->b, s->var->name, in_lanes(w, s->expr), false);
            break;
        case TSR_IR_STORE:
            write_lane_store(w, s);
            break;
        case TSR_IR_ASSIGN:
            write_sum(w, s);
            break;
        case TSR_IR_PREFETCH:
            tsr_ir_prefetch(w->b, w->array[s->array->number], copy(w, s->index), s->write);
            break;
        default:
            if (is_first)
                tsr_ir_comment(w->b, "%s", s->text);
            break;
        }
    }
}

/* Write out n iterations from the literal `from` on. */
static void write_unrolled(writer *w, int64_t from, int64_t n)
{
    int lanes[VECTOR_MAX_PIECES];
    const int npieces = vector_pieces(&w->plan, n, lanes);
    for (int k = 0; k < npieces; from += lanes[k++])
        write_piece(w, tsr_ir_index(w->b, from), lanes[k], k, k == 0);
}

/* Write a loop with `npieces` whole vectors per round, for the n iterations from `from` on. */
static void write_rounds(writer *w, const tsr_ir_expr *from, const tsr_ir_expr *n, int npieces)
{
    const char *name = w->loop->var->name;
    const tsr_ir_expr *step = tsr_ir_index(w->b, (int64_t)npieces * w->plan.lanes);
    const tsr_ir_expr *rounds = tsr_ir_op2(w->b, TSR_IR_FLOORDIV, n, step);
    if (!rounds || ir_is_index(rounds, 0))
        return;
    char text[240];
    snprintf(text, sizeof text, "%.200s_round", name);
    const tsr_ir_expr *round = tsr_ir_for(w->b, text, tsr_ir_index(w->b, 0), rounds, 0);
    const tsr_ir_expr *at =
        tsr_ir_declare(w->b, name, tsr_ir_add(w->b, from, tsr_ir_mul(w->b, round, step)), false);
    for (int k = 0; k < npieces; k++)
        write_piece(w, tsr_ir_add(w->b, at, tsr_ir_index(w->b, (int64_t)k * w->plan.lanes)), w->plan.lanes, k,
                    k == 0);
    tsr_ir_end(w->b);
}

static bool has_sum(const tsr_ir_stmt *loop)
{
    for (const tsr_ir_stmt *s = loop->body.first; s; s = s->next)
        if (s->kind == TSR_IR_ASSIGN)
            return true;
    return false;
}

/* x, or a variable that holds x if x is more than a constant. */
static const tsr_ir_expr *hold(writer *w, const char *suffix, const tsr_ir_expr *x)
{
    if (!x || x->op == TSR_IR_INDEX || (x->op == TSR_IR_VAR && !x->var->is_mutable))
        return x;
    char text[240];
    snprintf(text, sizeof text, "%.200s_%s", w->loop->var->name, suffix);
    return tsr_ir_declare(w->b, text, x, false);
}

/* Write a loop of whole vectors (several per round for sums), and a loop of single iterations for the
 * rest. */
static void write_rolled(writer *w)
{
    tsr_ir_builder *b = w->b;
    const tsr_ir_expr *lo = hold(w, "begin", copy(w, w->loop->lo)),
                      *hi = hold(w, "end", copy(w, w->loop->hi)), *next = lo;
    const tsr_ir_expr *n =
        hold(w, "count", tsr_ir_op2(b, TSR_IR_MAX, tsr_ir_sub(b, hi, lo), tsr_ir_index(b, 0)));
    const tsr_ir_expr *left = n;
    for (int k = has_sum(w->loop) ? VECTOR_NSUMS : 1;; k = 1) {
        const tsr_ir_expr *step = tsr_ir_index(b, (int64_t)k * w->plan.lanes);
        write_rounds(w, next, left, k);
        left = tsr_ir_op2(b, TSR_IR_MOD, left, step);
        next = tsr_ir_add(b, lo, tsr_ir_mul(b, tsr_ir_op2(b, TSR_IR_FLOORDIV, n, step), step));
        if (k == 1)
            break;
        next = hold(w, "next", next);
    }
    if (!left || ir_is_index(left, 0))
        return;
    const tsr_ir_expr *r = tsr_ir_for(b, w->loop->var->name, next, hi, 0);
    write_piece(w, r, 1, 0, true);
    tsr_ir_end(b);
}

static void write_fit(writer *w, const tsr_ir_stmt *loop)
{
    const int64_t n = vector_unrolled(&w->plan, loop);
    w->loop = loop;
    w->at_pieces = n >= 0 && loop->lo->index == 0;
    if (n >= 0)
        write_unrolled(w, loop->lo->index, n);
    else
        write_rolled(w);
    w->loop = NULL;
    w->at_pieces = false;
}

/* ---- sums ---- */

/* A scalar whose vectors are opened before statement `at` and added up after it. */
typedef struct opened {
    struct opened *next;
    const tsr_ir_var *var;
} opened;

static void need_sums(writer *w, const tsr_ir_stmt *loop, sums *s)
{
    int lanes[VECTOR_MAX_PIECES], count[VECTOR_NSIZES] = {0};
    const int64_t n = vector_unrolled(&w->plan, loop);
    const int npieces = n >= 0 ? vector_pieces(&w->plan, n, lanes) : 0;
    for (int k = 0; k < npieces; k++)
        count[size_of(lanes[k])]++;
    if (n < 0)
        count[size_of(w->plan.lanes)] = VECTOR_NSUMS;
    for (int size = 1; size < VECTOR_NSIZES; size++) {
        const int most = count[size] < VECTOR_NSUMS ? count[size] : VECTOR_NSUMS;
        s->n[size] = most > s->n[size] ? most : s->n[size];
    }
}

/* Collect the scalars that fit loops in s (or s itself) add to, that are declared before `at`, and that `at`
 * only adds to. */
static void find_sums(writer *w, const tsr_ir_stmt *at, const tsr_ir_stmt *s, opened **list)
{
    if (s->kind == TSR_IR_FOR && vector_is_fit(&w->plan, s)) {
        for (const tsr_ir_stmt *a = s->body.first; a; a = a->next) {
            if (a->kind != TSR_IR_ASSIGN || !w->var[a->var->number] || vector_reads(at, at, a->var))
                continue;
            bool is_ours = !w->sum[a->var->number];
            for (const opened *o = *list; o; o = o->next)
                is_ours = is_ours || o->var == a->var;
            if (!is_ours)
                continue;
            if (!w->sum[a->var->number]) {
                opened *o = ir_alloc(w->b, sizeof *o);
                sums *sum = ir_alloc(w->b, sizeof *sum);
                if (!o || !sum)
                    return;
                *o = (opened){*list, a->var};
                *list = o;
                w->sum[a->var->number] = sum;
            }
            need_sums(w, s, w->sum[a->var->number]);
        }
        return;
    }
    for (const tsr_ir_stmt *c = s->body.first; c; c = c->next)
        find_sums(w, at, c, list);
    for (const tsr_ir_stmt *c = s->other.first; c; c = c->next)
        find_sums(w, at, c, list);
}

static void open_sums(writer *w, const opened *list)
{
    char text[240];
    for (; list; list = list->next) {
        sums *s = w->sum[list->var->number];
        snprintf(text, sizeof text, "%.200s_lanes", list->var->name);
        for (int size = VECTOR_NSIZES - 1; size > 0; size--)
            for (int k = 0; k < s->n[size]; k++) {
                const tsr_ir_type type = {TSR_IR_IS_VALUE, list->var->type.type, 1 << size};
                s->of[size][k] = tsr_ir_declare(w->b, text, tsr_ir_value(w->b, type, 0), true);
            }
    }
}

static const tsr_ir_expr *add_up(writer *w, const tsr_ir_expr *const *x, int n)
{
    return n == 1 ? x[0] : tsr_ir_add(w->b, add_up(w, x, n / 2), add_up(w, x + n / 2, n - n / 2));
}

static void close_sums(writer *w, const opened *list)
{
    for (; list; list = list->next) {
        const sums *s = w->sum[list->var->number];
        for (int size = VECTOR_NSIZES - 1; size > 0; size--)
            if (s->n[size])
                tsr_ir_assign(w->b, w->var[list->var->number],
                              tsr_ir_hsum(w->b, add_up(w, s->of[size], s->n[size])), true);
        w->sum[list->var->number] = NULL;
    }
}

/* ---- arrays in variables ---- */

static void write_array(writer *w, const tsr_ir_stmt *s)
{
    const tsr_ir_array *a = s->array;
    const unsigned char in_vars = w->plan.in_vars[a->number];
    tsr_ir_stmt memory = *s;
    memory.zeroed = s->zeroed && !in_vars;
    if (in_vars != 1)
        tsr_ir_copy_stmt(&w->copier, &memory);
    if (!in_vars)
        return;
    int lanes[VECTOR_MAX_PIECES];
    const int npieces = vector_pieces(&w->plan, a->length->index, lanes);
    const tsr_ir_expr **piece = tsr_arena_alloc(&w->arena, VECTOR_MAX_PIECES * sizeof *piece);
    if (!piece) {
        ir_fault(w->b, TSR_NOMEM, "out of memory to vectorize a loop program");
        return;
    }
    for (int k = 0; k < npieces; k++) {
        char text[240];
        const char last = a->name[strlen(a->name) - 1];
        snprintf(text, sizeof text, "%.200s%s%d", a->name, last >= '0' && last <= '9' ? "_" : "", k);
        const tsr_ir_type type = {TSR_IR_IS_VALUE, a->elem, lanes[k]};
        piece[k] = tsr_ir_declare(w->b, npieces == 1 ? a->name : text, tsr_ir_value(w->b, type, 0), true);
    }
    w->piece[a->number] = piece;
    w->old[a->number] = a;
}

/* Before s loads from arrays in variables, write these to their memory. */
static void write_back(writer *w, const tsr_ir_stmt *s)
{
    for (int number = 0; number < w->plan.ir->narrays; number++) {
        const tsr_ir_array *a = w->old[number];
        if (!a || !w->array[number] || w->fresh[number])
            continue;
        const int uses = vector_uses(&w->plan, s, a);
        if (!(uses & USE_ELSEWHERE) || uses & USE_STORE)
            continue;
        int lanes[VECTOR_MAX_PIECES];
        const int npieces = vector_pieces(&w->plan, a->length->index, lanes);
        int64_t at = 0;
        for (int k = 0; k < npieces; at += lanes[k++])
            tsr_ir_store(w->b, w->array[number], tsr_ir_index(w->b, at), w->piece[number][k], false, false);
        w->fresh[number] = w->depth;
    }
}

/* The memory of these arrays is not up to date after this statement. */
static void end_fresh(writer *w)
{
    for (int number = 0; number < w->plan.ir->narrays; number++)
        if (w->fresh[number] == w->depth)
            w->fresh[number] = 0;
}

/* ---- statements ---- */

/* A loop or an if, and the sums that it opens. */
static void write_compound(writer *w, const tsr_ir_stmt *s)
{
    opened *list = NULL;
    tsr_ir_stmt plain = *s;
    if (w->plan.nbytes)
        plain.marks &= ~(unsigned)TSR_IR_VECTOR;
    find_sums(w, s, s, &list);
    open_sums(w, list);
    w->depth++;
    if (s->kind == TSR_IR_FOR && vector_is_fit(&w->plan, s))
        write_fit(w, s);
    else
        tsr_ir_copy_stmt(&w->copier, &plain);
    w->depth--;
    close_sums(w, list);
}

/* A statement of a block. */
static void write_stmt(void *writer_, const tsr_ir_stmt *s)
{
    writer *const w = writer_;
    write_back(w, s);
    if (s->kind == TSR_IR_FOR || s->kind == TSR_IR_WHILE || s->kind == TSR_IR_IF)
        write_compound(w, s);
    else if (s->kind == TSR_IR_ARRAY)
        write_array(w, s);
    else
        tsr_ir_copy_stmt(&w->copier, s);
    end_fresh(w);
}

static void write_params(writer *w)
{
    const tsr_ir *ir = w->plan.ir;
    for (int i = 0; i < ir->nparams; i++) {
        const tsr_ir_param *p = &ir->param[i];
        if (p->var)
            w->var[p->var->number] = tsr_ir_index_param(w->b, p->var->name);
        else if (p->array->place == TSR_IR_OUTPUT)
            w->array[p->array->number] =
                tsr_ir_output_param(w->b, p->array->name, p->array->is_index, p->array->elem);
        else
            w->array[p->array->number] = tsr_ir_array_param(w->b, p->array->name, p->array->is_index,
                                                            p->array->elem, p->array->is_const, NULL);
    }
    for (int i = 0; i < ir->nparams; i++) {
        const tsr_ir_array *old = ir->param[i].array;
        if (old && old->length && old->place == TSR_IR_PARAM)
            ir_set_length(w->b, w->array[old->number], copy(w, old->length));
    }
}

/* Allocate the tables of the writer. */
static bool make_tables(writer *w)
{
    const size_t nvars = (size_t)w->plan.ir->nvars + 1, narrays = (size_t)w->plan.ir->narrays + 1;
    w->var = tsr_arena_alloc(&w->arena, nvars * sizeof *w->var);
    w->sum = tsr_arena_alloc(&w->arena, nvars * sizeof *w->sum);
    w->plan.vary = tsr_arena_alloc(&w->arena, nvars);
    w->list = tsr_arena_alloc(&w->arena, nvars * sizeof *w->list);
    w->array = tsr_arena_alloc(&w->arena, narrays * sizeof *w->array);
    w->piece = tsr_arena_alloc(&w->arena, narrays * sizeof *w->piece);
    w->old = tsr_arena_alloc(&w->arena, narrays * sizeof *w->old);
    w->fresh = tsr_arena_alloc(&w->arena, narrays * sizeof *w->fresh);
    w->plan.in_vars = tsr_arena_alloc(&w->arena, narrays);
    return w->var && w->list && w->sum && w->plan.vary && w->array && w->piece && w->old && w->fresh &&
           w->plan.in_vars;
}

tsr_status tsr_ir_vectorize(tsr_ir **out, const tsr_ir *ir, int nbytes, tsr_error *err)
{
    *out = NULL;
    if (nbytes != 0 && nbytes != 16 && nbytes != 32 && nbytes != 64)
        return tsr_fail(err, TSR_ARGUMENT, "the vector size must be 64, 32, 16 or 0 bytes, not %d", nbytes);
    writer w = {.plan = {.ir = ir, .nbytes = nbytes}};
    w.b = tsr_ir_builder_new(ir->name);
    tsr_status status = TSR_NOMEM;
    if (w.b && make_tables(&w)) {
        if (ir->rounds_products)
            tsr_ir_round_products(w.b);
        vector_make_plan(&w.plan);
        w.copier = (tsr_ir_copier){.b = w.b,
                                   .anew = true,
                                   .nvars = ir->nvars,
                                   .narrays = ir->narrays,
                                   .var = w.var,
                                   .array = w.array,
                                   .stmt = write_stmt,
                                   .arg = &w};
        write_params(&w);
        w.depth = 1;
        tsr_ir_copy_block(&w.copier, &ir->body);
        status = tsr_ir_finish(out, w.b, ir->header, err);
    } else {
        tsr_ir_builder_free(w.b);
        tsr_fail(err, status, "out of memory to vectorize loop program %s", ir->name);
    }
    tsr_arena_clear(&w.arena);
    return status;
}
