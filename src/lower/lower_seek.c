/* Sparse operands that are located: the loops walk another operand, and these are searched for its coordinates, level by level. A cell
 * that they do not store is absent in the product, so the loops skip it. */
#include "lower_merge.h"
#include "lower_term.h"

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
