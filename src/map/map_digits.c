/* Results as sums of digits of dims: the form of a dense layout. */
#include "map_internal.h"

#include "tsr_checked.h"

/* Write an atom as a digit of a dim; false: it is not a digit. */
static bool as_digit(tsr_digit *d, const tsr_atom *atom)
{
    if (atom->kind == TSR_ATOM_VAR) {
        *d = (tsr_digit){.k = 1, .dim = atom->var, .div = 1, .mod = 0};
        return true;
    }
    if (atom->kind != TSR_ATOM_FLOORDIV && atom->kind != TSR_ATOM_MOD)
        return false;
    const tsr_atom *inner = tsr_linear_as_atom(atom->x);
    if (!inner || !as_digit(d, inner))
        return false;
    const int64_t c = atom->c;
    if (atom->kind == TSR_ATOM_FLOORDIV) {
        /* ((x floordiv div) mod mod) floordiv c; if mod = 0, every c divides it */
        if (d->mod % c != 0 || !tsr_mul_i64(&d->div, d->div, c))
            return false;
        d->mod /= c;
        return true;
    }
    if (d->mod == 0 || d->mod % c == 0)
        d->mod = c;
    else if (c % d->mod != 0)
        return false;
    return true;
}

int tsr_map_result_digits(tsr_digit *digits, int max, int64_t *constant, const tsr_map *map, int r)
{
    const tsr_linear *x = map->results[r];
    if (x->n > max)
        return -1;
    *constant = x->c;
    for (int i = 0; i < x->n; i++) {
        if (!as_digit(&digits[i], x->t[i].atom) || map->vars[digits[i].dim].kind != TSR_VAR_DIM)
            return -1;
        digits[i].k = x->t[i].k;
    }
    return x->n;
}
