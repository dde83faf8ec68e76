/* Expressions and statements that the walkers of level types share: see tsr_level_walk.h. */
#include "tsr_level_walk.h"

#include <stdio.h>

const tsr_ir_expr *tsr_level_begin_uniform(const tsr_level_walk *walk, const tsr_ir_expr *p)
{
    return tsr_ir_mul(walk->ir, p, walk->pitch);
}

const tsr_ir_expr *tsr_level_load(const tsr_level_walk *walk, tsr_level_role role, const tsr_ir_expr *p)
{
    const bool is_first = role == TSR_LEVEL_POS && p && p->op == TSR_IR_INDEX && p->index == 0;
    return is_first ? p : tsr_ir_load_index(walk->ir, walk->array[role], p);
}

const tsr_ir_expr *tsr_level_begin_pos(const tsr_level_walk *walk, const tsr_ir_expr *p)
{
    return tsr_level_load(walk, TSR_LEVEL_POS, p);
}

void tsr_level_for_positions(tsr_level_walk *walk, const tsr_ir_expr *lo, const tsr_ir_expr *hi)
{
    if (walk->lo)
        lo = tsr_ir_op2(walk->ir, TSR_IR_MAX, lo, walk->lo);
    if (walk->hi)
        hi = tsr_ir_op2(walk->ir, TSR_IR_MIN, hi, walk->hi);
    walk->position = tsr_ir_for(walk->ir, walk->pos_name, lo, hi, walk->marks);
}

void tsr_level_for_uniform(tsr_level_walk *walk)
{
    const tsr_ir_expr *const lo = tsr_level_begin_uniform(walk, walk->parent);
    tsr_level_for_positions(walk, lo, tsr_ir_add(walk->ir, lo, walk->pitch));
}

const tsr_ir_expr *tsr_level_slot(const tsr_level_walk *walk, const tsr_ir_expr *q)
{
    return tsr_ir_add(walk->ir, tsr_ir_mul(walk->ir, q, walk->nparents), walk->parent);
}

const tsr_ir_expr *tsr_level_for_slots(tsr_level_walk *walk, const tsr_ir_expr *n)
{
    char name[TSR_LEVEL_NAME_NBYTES];
    walk->nblocks = 1;
    return tsr_level_slot(walk, tsr_ir_for(walk->ir, tsr_level_part_name(name, walk, "slot"),
                                           tsr_ir_index(walk->ir, 0), n, walk->marks));
}

/* A search in the elements of an array that rise. */
typedef struct rising {
    tsr_level_walk *walk;
    tsr_level_role role;
    tsr_level_place place; /* of element q; NULL: q */
} rising;

/* Element q; padding is larger than each coordinate. */
static const tsr_ir_expr *rising_at(tsr_ir_builder *ir, void *arg, const tsr_ir_expr *q)
{
    const rising *const r = arg;
    const tsr_level_walk *const walk = r->walk;
    const tsr_ir_array *const array = walk->array[r->role];
    const tsr_ir_expr *const c = tsr_ir_load_index(ir, array, r->place ? r->place(walk, q) : q);
    if (!walk->has_padding || (!walk->signed_index && array->elem != TSR_U64))
        return c;
    return tsr_ir_select(ir, tsr_ir_op2(ir, TSR_IR_LT, c, tsr_ir_index(ir, 0)), walk->size, c); /* -1 */
}

const tsr_ir_expr *tsr_level_search(tsr_level_walk *walk, tsr_level_role role, tsr_ir_range in,
                                    const tsr_ir_expr *least)
{
    return tsr_ir_search(walk->ir, walk->pos_name, in, least, rising_at, &(rising){walk, role, NULL});
}

void tsr_level_find_among(tsr_level_walk *walk, tsr_ir_range in, const tsr_ir_expr *coordinate,
                          tsr_level_place place)
{
    tsr_ir_builder *ir = walk->ir;
    rising r = {walk, TSR_LEVEL_CRD, place};
    char name[TSR_LEVEL_NAME_NBYTES];
    in.hi = tsr_level_name(walk, "last", in.hi);
    walk->position = tsr_ir_search(ir, walk->pos_name, in, coordinate, rising_at, &r);
    tsr_ir_if(ir, tsr_ir_op2(ir, TSR_IR_LT, walk->position, in.hi));
    tsr_ir_if(ir, tsr_ir_op2(ir, TSR_IR_EQ, rising_at(ir, &r, walk->position), coordinate));
    walk->nblocks += 2;
    walk->lo = walk->hi = NULL;
    if (place)
        walk->position = place(walk, walk->position);
    if (!walk->nonunique)
        return;
    walk->lo = walk->position;
    walk->hi = tsr_ir_search(ir, tsr_level_part_name(name, walk, "end"), (tsr_ir_range){walk->lo, in.hi},
                             tsr_ir_add(ir, coordinate, tsr_ir_index(ir, 1)), rising_at, &r);
}

void tsr_level_find_in_uniform(tsr_level_walk *walk, const tsr_ir_expr *coordinate)
{
    const tsr_ir_expr *const lo = tsr_level_name(walk, "begin", tsr_level_begin_uniform(walk, walk->parent));
    tsr_level_find_among(walk, (tsr_ir_range){lo, tsr_ir_add(walk->ir, lo, walk->pitch)}, coordinate, NULL);
}

void tsr_level_find_by_steps(tsr_level_walk *walk, const tsr_ir_expr *first, const tsr_ir_expr *n,
                             const tsr_ir_expr *coordinate, tsr_level_place next)
{
    tsr_ir_builder *ir = walk->ir;
    char name[TSR_LEVEL_NAME_NBYTES];
    const tsr_ir_expr *const zero = tsr_ir_index(ir, 0), *const none = tsr_ir_index(ir, -1);
    const tsr_ir_expr *const at = tsr_ir_declare(ir, tsr_level_part_name(name, walk, "step"), first, true);
    const tsr_ir_expr *const left = tsr_ir_declare(ir, tsr_level_part_name(name, walk, "left"), n, true);
    walk->position = tsr_ir_declare(ir, walk->pos_name, none, true);
    tsr_ir_while(ir, tsr_ir_op2(ir, TSR_IR_LT, zero, left));
    const tsr_ir_expr *const c =
        tsr_level_name(walk, "crd", tsr_ir_load_index(ir, walk->array[TSR_LEVEL_CRD], at));
    const tsr_ir_expr *const is_there = tsr_ir_op2(ir, TSR_IR_EQ, c, coordinate);
    const tsr_ir_expr *is_end = is_there;
    if (walk->has_padding)
        is_end =
            tsr_ir_op2(ir, TSR_IR_OR, tsr_ir_op2(ir, TSR_IR_OR, is_there, tsr_ir_op2(ir, TSR_IR_LT, c, zero)),
                       tsr_ir_op2(ir, TSR_IR_LE, walk->size, c));
    tsr_ir_assign(ir, walk->position, tsr_ir_select(ir, is_there, at, none), false);
    tsr_ir_assign(ir, left, tsr_ir_select(ir, is_end, zero, tsr_ir_sub(ir, left, tsr_ir_index(ir, 1))),
                  false);
    tsr_ir_assign(ir, at, next(walk, at), false);
    tsr_ir_end(ir);
    tsr_ir_if(ir, tsr_ir_op2(ir, TSR_IR_LE, zero, walk->position));
    walk->nblocks++;
}

void tsr_level_load_crd(tsr_level_walk *walk)
{
    walk->coordinate =
        tsr_ir_declare(walk->ir, walk->crd_name,
                       tsr_ir_load_index(walk->ir, walk->array[TSR_LEVEL_CRD], walk->position), false);
}

void tsr_level_skip_padding(tsr_level_walk *walk)
{
    tsr_ir_builder *ir = walk->ir;
    tsr_level_load_crd(walk);
    const tsr_ir_expr *stored = tsr_ir_op2(ir, TSR_IR_LT, walk->coordinate, walk->size);
    const bool is_minus =
        walk->signed_index || walk->array[TSR_LEVEL_CRD]->elem == TSR_U64; /* padding is -1 there */
    if (is_minus)
        stored = tsr_ir_op2(ir, TSR_IR_AND, tsr_ir_op2(ir, TSR_IR_LE, tsr_ir_index(ir, 0), walk->coordinate),
                            stored);
    if (!walk->selects) {
        tsr_ir_if(ir, stored);
        walk->nblocks++;
        return;
    }
    walk->stored = stored;
    walk->coordinate =
        tsr_ir_op2(ir, TSR_IR_MIN, walk->coordinate, tsr_ir_sub(ir, walk->size, tsr_ir_index(ir, 1)));
    if (is_minus)
        walk->coordinate = tsr_ir_op2(ir, TSR_IR_MAX, walk->coordinate, tsr_ir_index(ir, 0));
}

const char *tsr_level_part_name(char name[TSR_LEVEL_NAME_NBYTES], const tsr_level_walk *walk,
                                const char *part)
{
    snprintf(name, TSR_LEVEL_NAME_NBYTES, "%.200s_%s", walk->pos_name, part);
    return name;
}

const tsr_ir_expr *tsr_level_name(tsr_level_walk *walk, const char *part, const tsr_ir_expr *x)
{
    char name[TSR_LEVEL_NAME_NBYTES];
    if (!x || x->op == TSR_IR_VAR || x->op == TSR_IR_INDEX)
        return x;
    return tsr_ir_declare(walk->ir, tsr_level_part_name(name, walk, part), x, false);
}
