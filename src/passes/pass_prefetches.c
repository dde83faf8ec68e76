/* Memory that a loop will use some steps later is prefetched, where the program asks for it (tsr_ir_fetch).
 *
 *     for p in [lo, hi)                     for p in [lo, hi)
 *       let j: index = crd[p]                 let j: index = crd[p]
 *       for r in [0, 16)             ->       let ahead: index = min(p + 64, last)
 *         y[r] += C[j * 16 + r]               prefetch C[crd[ahead] * 16]
 *                                             prefetch C[crd[ahead] * 16 + 8]
 *                                             for r in [0, 16)
 *                                               y[r] += C[j * 16 + r]
 *
 * The place of the first access whose place depends on crd[p] is computed anew for the later position: variables that follow from
 * p are replaced by what they are declared as, and a loop inside by its first step. Where the place is itself an element of a list,
 * as in x[pos[crd[p]]], that element is prefetched from twice the distance. If another loop over the same range stood before in the
 * same step of a loop, it has fetched such rows already.
 *
 * An array that is read in order is prefetched once for a loop, as a rule of literal length, or else in each step. */
#include "passes_internal.h"
#include "tsr_checked.h"

enum {
    LINE_NBYTES = 64,
    MOST_LINES = 8,     /* of an array that is read in order, for one loop */
    MOST_LITERAL = 256, /* the steps of such a loop */
    MOST_SEEN = 64,
    MOST_DONE = 32
};

typedef struct seen {
    const tsr_ir_fetch *fetch;
    const tsr_ir_stmt *loop;
    int depth; /* of the block that has the loop */
} seen;

typedef struct pass {
    tsr_ir *ir;
    int depth, nseen;
    seen seen[MOST_SEEN];
} pass;

/* A block, or the body of a loop, in which places are computed for another position. */
typedef struct site {
    tsr_ir *ir;
    const tsr_ir_block *block;
    const tsr_ir_var *position;
    const tsr_ir_expr *later; /* instead of the position */
    const tsr_ir_array *list; /* NULL: places depend on the position itself */
    bool depends;             /* a place that was moved depends on the list */
    bool is_open;             /* and on a loop inside of unknown length */
    int64_t nelements;        /* the product of the lengths of the other loops inside */
    bool enters;              /* look for accesses in loops inside, too */
} site;

/* The literal number of steps of a loop; 0: it is not known. */
static int64_t length_of(const tsr_ir_stmt *loop)
{
    const tsr_ir_expr *const lo = loop->lo, *const hi = loop->hi;
    if (lo->op == TSR_IR_INDEX && hi->op == TSR_IR_INDEX)
        return hi->index > lo->index ? hi->index - lo->index : 0;
    return hi->op == TSR_IR_ADD && hi->arg[1]->op == TSR_IR_INDEX && pass_is_same(hi->arg[0], lo)
               ? hi->arg[1]->index
               : 0;
}

static const tsr_ir_stmt *declaration(const tsr_ir_block *block, const tsr_ir_var *var)
{
    for (const tsr_ir_stmt *s = block->first; s; s = s->next) {
        if (s->var == var && (s->kind == TSR_IR_DECLARE || s->kind == TSR_IR_FOR))
            return s;
        const tsr_ir_stmt *const inner = declaration(&s->body, var);
        if (inner)
            return inner;
        const tsr_ir_stmt *const other = declaration(&s->other, var);
        if (other)
            return other;
    }
    return NULL;
}

/* Whether x is list[p]. */
static bool is_at(const tsr_ir_expr *x, const tsr_ir_array *list, const tsr_ir_var *p)
{
    return x->op == TSR_IR_LOAD && x->array == list && x->arg[0]->op == TSR_IR_VAR && x->arg[0]->var == p;
}

static const tsr_ir_expr *move(void *arg, const tsr_ir_expr *x);

static const tsr_ir_expr *copy_moved(site *s, const tsr_ir_expr *x)
{
    const tsr_ir_copier copier = {.b = s->ir->builder, .edit = move, .arg = s};
    return tsr_ir_copy_expr(&copier, x);
}

static const tsr_ir_expr *move(void *arg, const tsr_ir_expr *x)
{
    site *const s = arg;
    s->depends = s->depends || (s->list && is_at(x, s->list, s->position));
    if (x->op != TSR_IR_VAR)
        return NULL;
    if (x->var == s->position) {
        s->depends = s->depends || !s->list;
        return s->later;
    }
    const tsr_ir_stmt *const of = declaration(s->block, x->var);
    if (!of)
        return x;
    if (of->kind == TSR_IR_DECLARE)
        return copy_moved(s, of->expr);
    const int64_t n = length_of(of);
    s->is_open = s->is_open || n == 0 || !tsr_mul_i64(&s->nelements, s->nelements, n);
    return copy_moved(s, of->lo);
}

/* The place for the later position; NULL: it does not depend on the position as it should. */
static const tsr_ir_expr *moved(site *s, const tsr_ir_expr *place)
{
    s->depends = s->is_open = false;
    s->nelements = 1;
    const tsr_ir_expr *const there = copy_moved(s, place);
    return s->depends ? there : NULL;
}

/* The place of an access of the array in x that can be moved; NULL: there is none. */
static const tsr_ir_expr *place_in(site *s, const tsr_ir_expr *x, const tsr_ir_array *array)
{
    if (!x)
        return NULL;
    if (x->op == TSR_IR_LOAD && x->array == array && moved(s, x->arg[0]))
        return x->arg[0];
    const tsr_ir_expr *place = NULL;
    for (int i = 0; i < 3 && !place; i++)
        place = place_in(s, x->arg[i], array);
    return place;
}

/* The same for the statements from s on. */
static const tsr_ir_expr *find_place(site *at, const tsr_ir_stmt *s, const tsr_ir_array *array)
{
    const tsr_ir_expr *place = NULL;
    for (; s && !place; s = s->next) {
        if (s->kind == TSR_IR_STORE && s->array == array && moved(at, s->index))
            return s->index;
        const tsr_ir_expr *const own[] = {s->expr, s->kind == TSR_IR_PREFETCH ? NULL : s->index, s->lo,
                                          s->hi};
        for (int i = 0; i < 4 && !place; i++)
            place = place_in(at, own[i], array);
        const bool stays = s->kind == TSR_IR_FOR || !at->position->is_mutable; /* the position, in the loop */
        if (!place && (s->kind == TSR_IR_IF || (at->enters && stays)))
            place = find_place(at, s->body.first, array);
        if (!place)
            place = find_place(at, s->other.first, array);
    }
    return place;
}

static const tsr_ir_expr *index_of(const site *s, int64_t c)
{
    return tsr_ir_index(s->ir->builder, c);
}

static int64_t lines_of(const tsr_ir_array *array, int64_t nelements)
{
    const int64_t step = LINE_NBYTES / (int64_t)tsr_type_nbytes(array->elem);
    return nelements / step + (nelements % step > 0);
}

static void fetch_lines(const site *s, const tsr_ir_fetch *f, const tsr_ir_expr *place, int64_t n)
{
    const int64_t step = LINE_NBYTES / (int64_t)tsr_type_nbytes(f->array->elem);
    for (int64_t k = 0; k < n; k++)
        tsr_ir_prefetch(s->ir->builder, f->array, tsr_ir_add(s->ir->builder, place, index_of(s, k * step)),
                        f->write);
}

/* ---- places that depend on lists ---- */

static const tsr_ir_expr *position_ahead(const site *s, const tsr_ir_expr *p, const tsr_ir_fetch *f,
                                         int64_t ahead)
{
    tsr_ir_builder *const b = s->ir->builder;
    return tsr_ir_op2(b, TSR_IR_MIN, tsr_ir_add(b, p, index_of(s, ahead)), f->last);
}

/* Prefetch what f asks for at the place, from the later position; and, from twice as far, the element that is the place. *ahead: that
 * position, where it has a name already; it gets one where it is read several times, as where the next fetch `shares` it. */
static void fetch_ahead(site *s, const tsr_ir_fetch *f, const tsr_ir_expr *p, const tsr_ir_expr *place,
                        const tsr_ir_expr **ahead, bool shares)
{
    tsr_ir_builder *const b = s->ir->builder;
    s->later = p;
    (void)moved(s, place);
    const int64_t n = s->is_open ? f->nlines : lines_of(f->array, s->nelements);
    s->later = *ahead ? *ahead : position_ahead(s, p, f, f->ahead);
    if (!*ahead && (shares || f->beside || (n > 1 && f->nlines > 1)))
        s->later = *ahead = tsr_ir_declare(b, "ahead", s->later, false);
    const tsr_ir_expr *there = moved(s, place);
    if (there && there->op == TSR_IR_LOAD && there->array != f->list) {
        const tsr_ir_expr *const near = s->later;
        s->later = position_ahead(s, p, f, 2 * (int64_t)f->ahead);
        const tsr_ir_expr *const far = moved(s, place);
        s->later = near;
        if (far)
            tsr_ir_prefetch(b, far->array, far->arg[0], false);
        there = tsr_ir_declare(b, "row_ahead", there, false);
    }
    fetch_lines(s, f, there, n < f->nlines ? n : f->nlines);
    if (f->beside)
        tsr_ir_prefetch(b, f->beside, there, f->write);
}

/* The position p of the element list[p] that x loads, of a list that is asked for; NULL: there is none. */
static const tsr_ir_expr *position_in(const tsr_ir *ir, const tsr_ir_expr *x)
{
    if (!x)
        return NULL;
    if (x->op == TSR_IR_LOAD && x->arg[0]->op == TSR_IR_VAR)
        for (const tsr_ir_fetch *f = ir->fetch; f; f = f->next)
            if (f->list == x->array)
                return x->arg[0];
    const tsr_ir_expr *found = NULL;
    for (int i = 0; i < 3 && !found; i++)
        found = position_in(ir, x->arg[i]);
    return found;
}

/* The same for a declaration s. */
static const tsr_ir_expr *position_of(const tsr_ir *ir, const tsr_ir_stmt *s)
{
    return s && s->kind == TSR_IR_DECLARE ? position_in(ir, s->expr) : NULL;
}

/* Whether s declares an index that needs no element but those of lists at p. */
static bool is_coordinate(const tsr_ir *ir, const tsr_ir_stmt *s, const tsr_ir_var *p)
{
    const tsr_ir_expr *const at = position_of(ir, s);
    return s->kind == TSR_IR_DECLARE && s->var->type.kind == TSR_IR_IS_INDEX &&
           (at ? at->var == p : !tsr_ir_loads(s->expr));
}

/* Whether a loop over the same range, in the same step of a loop around, has fetched what f asks for; else remember this loop. */
static bool was_fetched(pass *p, const tsr_ir_fetch *f, const tsr_ir_stmt *loop)
{
    if (p->depth <= 2)
        return false; /* there is no loop around */
    for (int i = 0; i < p->nseen; i++)
        if (p->seen[i].fetch == f && pass_is_same(p->seen[i].loop->lo, loop->lo) &&
            pass_is_same(p->seen[i].loop->hi, loop->hi))
            return true;
    if (p->nseen < MOST_SEEN)
        p->seen[p->nseen++] = (seen){f, loop, p->depth - 1};
    return false;
}

typedef struct done {
    int n;
    const tsr_ir_array *array[MOST_DONE];
} done;

static bool is_done(const done *d, const tsr_ir_array *array)
{
    for (int i = 0; i < d->n; i++)
        if (d->array[i] == array)
            return true;
    return d->n == MOST_DONE;
}

/* Where statement s of the block loads an element list[p]: prefetch what depends on p, after the coordinates that follow. loop: the
 * loop whose body is the block, or NULL. d: the arrays for which that has been done in the block. */
static tsr_status fetch_by(pass *p, tsr_ir_block *block, tsr_ir_stmt *s, const tsr_ir_stmt *loop, done *d,
                           tsr_error *err)
{
    const tsr_ir_expr *const at = position_of(p->ir, s);
    if (!at)
        return TSR_OK;
    const tsr_ir_fetch *found[MOST_DONE];
    const tsr_ir_expr *place[MOST_DONE + 1], *ahead = NULL;
    int n = 0;
    while (s->next && is_coordinate(p->ir, s->next, at->var))
        s = s->next;
    tsr_ir_begin_insert(p->ir, block, s);
    site here = {.ir = p->ir, .block = block, .position = at->var, .enters = true};
    for (const tsr_ir_fetch *f = p->ir->fetch; f; f = f->next) {
        here.later = at;
        here.list = f->list;
        place[n] = f->list && !is_done(d, f->array) ? find_place(&here, block->first, f->array) : NULL;
        if (!place[n])
            continue;
        d->array[d->n++] = f->array;
        if (!(f->beside && loop && loop->var == at->var && was_fetched(p, f, loop)))
            found[n++] = f;
    }
    for (int k = 0; k < n; k++) {
        here.list = found[k]->list;
        ahead = k > 0 && found[k]->ahead == found[k - 1]->ahead ? ahead : NULL;
        fetch_ahead(&here, found[k], at, place[k], &ahead,
                    k + 1 < n && found[k]->ahead == found[k + 1]->ahead);
    }
    return tsr_ir_end_insert(p->ir, err);
}

/* ---- arrays that are read in order ---- */

/* Prefetch before the loop, which follows the statement `before` in the block; or (each) in each step of it. */
static tsr_status fetch_streams(pass *p, tsr_ir_block *block, tsr_ir_stmt *before, tsr_ir_stmt *loop,
                                bool each, tsr_error *err)
{
    tsr_ir_builder *const b = p->ir->builder;
    const int64_t n = length_of(loop);
    const bool is_literal = n > 0 && n <= MOST_LITERAL;
    site here = {.ir = p->ir, .block = &loop->body, .position = loop->var};
    here.later = each ? tsr_ir_read(b, loop->var) : loop->lo;
    tsr_ir_begin_insert(p->ir, each ? &loop->body : block, each ? NULL : before);
    for (const tsr_ir_fetch *f = p->ir->fetch; f && here.later; f = f->next) {
        const bool fits = !f->list && f->each == each && (f->once || each != is_literal);
        const tsr_ir_expr *place = fits ? find_place(&here, loop->body.first, f->array) : NULL;
        if (!place)
            continue;
        place = tsr_ir_add(b, moved(&here, place), index_of(&here, f->ahead));
        const int64_t lines = is_literal ? lines_of(f->array, n) : 1;
        fetch_lines(&here, f, place, lines < MOST_LINES ? lines : MOST_LINES);
    }
    return tsr_ir_end_insert(p->ir, err);
}

static tsr_status visit_block(pass *p, tsr_ir_block *block, const tsr_ir_stmt *loop, tsr_error *err)
{
    done d = {.n = 0};
    p->depth++;
    for (tsr_ir_stmt *before = NULL, *s = block->first; s; before = s, s = s->next) {
        TSR_TRY(fetch_by(p, block, s, loop, &d, err));
        TSR_TRY(visit_block(p, &s->body, s->kind == TSR_IR_IF ? NULL : s, err));
        TSR_TRY(visit_block(p, &s->other, NULL, err));
        if (s->kind == TSR_IR_FOR)
            for (int each = 0; each < 2; each++)
                TSR_TRY(fetch_streams(p, block, before, s, each, err));
    }
    p->depth--;
    while (p->nseen > 0 && p->seen[p->nseen - 1].depth > p->depth)
        p->nseen--;
    return TSR_OK;
}

tsr_status pass_prefetches(tsr_ir *ir, tsr_error *err)
{
    pass p = {.ir = ir};
    if (ir->fetch)
        TSR_TRY(visit_block(&p, &ir->body, NULL, err));
    ir->fetch = NULL;
    return TSR_OK;
}
