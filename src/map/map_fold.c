/* Takes a result apart bottom-up, for callers that write it in another language. */
#include "map_internal.h"

static const void *fold_linear(const tsr_linear *x, const tsr_map_fold *fold);

static const void *fold_atom(const tsr_atom *atom, const tsr_map_fold *fold)
{
    static const char operation[] = {
        [TSR_ATOM_FLOORDIV] = '/', [TSR_ATOM_MOD] = '%',     [TSR_ATOM_MIN] = '<',
        [TSR_ATOM_MAX] = '>',      [TSR_ATOM_PRODUCT] = '*',
    };
    if (atom->kind == TSR_ATOM_VAR)
        return fold->var(fold->arg, atom->var);
    if (atom->kind == TSR_ATOM_COUNTER)
        return NULL;
    const void *x = fold_linear(atom->x, fold);
    const void *y = atom->y ? fold_linear(atom->y, fold) : fold->constant(fold->arg, atom->c);
    return x && y ? fold->apply(fold->arg, operation[atom->kind], x, y) : NULL;
}

/* The terms in order, then the constant. */
static const void *fold_linear(const tsr_linear *x, const tsr_map_fold *fold)
{
    const void *sum = NULL;
    for (int i = 0; i < x->n; i++) {
        const int64_t k = x->t[i].k, times = sum && k < 0 ? -k : k;
        const void *t = fold_atom(x->t[i].atom, fold);
        if (t && times != 1)
            t = fold->apply(fold->arg, '*', t, fold->constant(fold->arg, times));
        if (!t)
            return NULL;
        sum = sum ? fold->apply(fold->arg, k < 0 ? '-' : '+', sum, t) : t;
    }
    if (!sum)
        return fold->constant(fold->arg, x->c);
    if (x->c == 0)
        return sum;
    return fold->apply(fold->arg, x->c < 0 ? '-' : '+', sum,
                       fold->constant(fold->arg, x->c < 0 ? -x->c : x->c));
}

const void *tsr_map_fold_result(const tsr_map *map, int r, const tsr_map_fold *fold)
{
    return fold_linear(map->results[r], fold);
}
