/* Sparse operands that are located: the loops walk another operand, and these are searched for its coordinates, level by level. A cell
 * that they do not store is absent in the product, so the loops skip it. */
#include "lower_merge.h"
#include "lower_term.h"

#include <string.h>

/* Write the position of each coordinate of the tensor's first level, which has all coordinates in an order of its own. */
static const tsr_ir_array *invert(lower_program *p, int tensor)
{
    const bool threaded = !tsr_plan_is_serial(p->plan);
    const tsr_plan_operand *const operand = &p->operands[tensor];
    lower_walk w;
    lower_part part;
    lower_walk_tensor(&w, p, tensor, 0, -1);
    const tsr_ir_array *const place =
        tsr_ir_index_array_new(p->ir, "place", operand->nbytes[TSR_LEVEL_PERM][0] > 4 ? TSR_U64 : TSR_U32,
                               TSR_IR_HEAP, w.walk.size, false);
    lower_open_threads(p, &part, threaded);
    const tsr_ir_range own = lower_cut(p, &part, w.pos, w.walk.size);
    w.walk.parent = tsr_ir_index(p->ir, 0);
    w.walk.lo = own.lo;
    w.walk.hi = own.hi;
    operand->binding->format->levels[0].type->walker->open(&w.walk);
    tsr_ir_store(p->ir, place, w.walk.coordinate, w.walk.position, false, false);
    for (int i = 0; i < w.walk.nblocks + threaded; i++)
        tsr_ir_end(p->ir);
    return place;
}

void lower_begin_seeking(lower_program *p)
{
    memset(p->place, 0, sizeof p->place);
    for (int i = 0; i < p->plan->nterms; i++) {
        const tsr_nest *const nest = p->plan->term[i].nest;
        for (int f = 0; f < nest->nfactors; f++) {
            const tsr_expr *const e = nest->factor[f].expr;
            if (nest->factor[f].is_located && e->kind == TSR_EXPR_ACCESS && !p->place[e->tensor] &&
                p->operands[e->tensor].binding->format->levels[0].type->has_all)
                p->place[e->tensor] = invert(p, e->tensor);
        }
    }
}

/* Find the position of the access. Returns the number of blocks that were opened. */
static int find(lower_state *s, const tsr_expr *access, const tsr_ir_expr **position)
{
    lower_program *const p = s->p;
    const tsr_format *const format = p->operands[access->tensor].binding->format;
    const tsr_ir_expr *lo = NULL, *hi = NULL;
    int nblocks = 0;
    *position = tsr_ir_index(s->ir, 0);
    for (int l = 0; l < format->nlevels; l++) {
        int var;
        const tsr_ir_expr *const crd = lower_level_crd(p, access, l, s->at, &var);
        lower_walk w;
        lower_walk_tensor(&w, p, access->tensor, l, var);
        w.walk.parent = *position;
        w.walk.lo = lo;
        w.walk.hi = hi;
        if (l == 0 && p->place[access->tensor])
            w.walk.position = tsr_ir_load_index(s->ir, p->place[access->tensor], crd);
        else
            format->levels[l].type->walker->find(&w.walk, tsr_level_name(&w.walk, "crd", crd));
        *position = tsr_level_name(&w.walk, "at", w.walk.position);
        lo = w.walk.lo;
        hi = w.walk.hi;
        nblocks += w.walk.nblocks;
    }
    return nblocks;
}

int lower_seek(lower_state *s, int d)
{
    const tsr_nest *const nest = s->term;
    int nblocks = 0;
    if (s->merge)
        s->merge->found = s->found;
    for (int i = 0; i < nest->nfactors; i++) {
        const tsr_nest_factor *const f = &nest->factor[i];
        if (!f->is_located || f->depth != d)
            continue;
        if (d == nest->nlevels && nest->skips_zeros && nblocks == 0) { /* most of a block may be absent */
            tsr_ir_if(s->ir, tsr_ir_op2(s->ir, TSR_IR_NE, lower_driver_value(s), lower_number(s->p, 0)));
            nblocks++;
        }
        s->found[i] = NULL;
        if (f->expr->kind == TSR_EXPR_BAND) {
            const tsr_ir_expr *const in = lower_in_band(s->p, f->expr, s->at);
            if (in)
                tsr_ir_if(s->ir, in);
            nblocks += in != NULL;
            continue;
        }
        for (int k = 0; k < i && !s->found[i]; k++)
            if (nest->factor[k].is_located && nest->factor[k].expr->kind == TSR_EXPR_ACCESS &&
                tsr_expr_same_access(nest->factor[k].expr, f->expr))
                s->found[i] = s->found[k];
        if (s->found[i])
            continue;
        nblocks += find(s, f->expr, &s->found[i]);
        if (!tsr_format_has_dense_leaf(s->p->operands[f->expr->tensor].binding->format))
            continue;
        const tsr_ir_expr *const value = lower_load(s->p, f->expr->tensor, s->found[i], lower_type(s->p));
        tsr_ir_if(s->ir, tsr_ir_op2(s->ir, TSR_IR_NE, value, lower_number(s->p, 0)));
        nblocks++;
    }
    return nblocks;
}
