/* Results as sums of digits of dims: the form of a dense layout. Where all digits are powers of two, they are
 * moves of bits: the form of a key that interleaves the bits of coordinates. */
#include "map_internal.h"

#include "tsr_checked.h"

bool tsr_atom_as_digit(tsr_digit *d, const tsr_atom *atom)
{
    if (atom->kind == TSR_ATOM_VAR) {
        *d = (tsr_digit){.k = 1, .dim = atom->var, .div = 1, .mod = 0};
        return true;
    }
    if (atom->kind != TSR_ATOM_FLOORDIV && atom->kind != TSR_ATOM_MOD)
        return false;
    const tsr_atom *inner = tsr_linear_as_atom(atom->x);
    if (!inner || !tsr_atom_as_digit(d, inner))
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
        if (!tsr_atom_as_digit(&digits[i], x->t[i].atom) || map->vars[digits[i].dim].kind != TSR_VAR_DIM)
            return -1;
        digits[i].k = x->t[i].k;
    }
    return x->n;
}

/* ---- digits that are bits ---- */

/* A run of n bits that moves from bit `from` of a variable to bit `to`. */
typedef struct bit_run {
    int from, to, n;
} bit_run;

static bool is_power_of_two(int64_t v)
{
    return v > 0 && (v & (v - 1)) == 0;
}

/* The number of the highest one of v > 0. */
static int highest(int64_t v)
{
    int n = 0;
    while (v >>= 1)
        n++;
    return n;
}

/* Write term t as a run of bits of its variable, which must not be negative. */
static bool as_run(bit_run *run, const tsr_map_term *t, const tsr_digit *d, const tsr_var *vars)
{
    const tsr_interval in = vars[d->dim].bounds;
    if (in.lo < 0 || in.hi <= 0 || in.hi == INT64_MAX || !is_power_of_two(t->k) || !is_power_of_two(d->div) ||
        (d->mod != 0 && !is_power_of_two(d->mod)))
        return false;
    run->from = highest(d->div);
    run->to = highest(t->k);
    run->n = highest(in.hi) + 1 - run->from; /* the bits up to the highest one of the variable */
    if (d->mod != 0 && highest(d->mod) < run->n)
        run->n = highest(d->mod);
    return run->n > 0 && run->to + run->n <= 63;
}

static uint64_t ones(int n)
{
    return ((uint64_t)1 << n) - 1;
}

bool tsr_linear_moves_bits(tsr_bit_move *move, int *nterms, const tsr_linear *x, int var, const tsr_var *vars)
{
    bit_run runs[64];
    int n = 0;
    for (int i = 0; i < x->n; i++) {
        tsr_digit d;
        if (!tsr_atom_as_digit(&d, x->t[i].atom) || d.dim != var)
            continue;
        bit_run run;
        if (n == 64 || !as_run(&run, &x->t[i], &d, vars))
            return false;
        int at = n++;
        for (; at > 0 && runs[at - 1].from > run.from; at--)
            runs[at] = runs[at - 1];
        runs[at] = run;
    }
    *move = (tsr_bit_move){.var = var};
    for (int i = 0; i < n; i++) {
        if (i > 0 &&
            (runs[i - 1].from + runs[i - 1].n > runs[i].from || runs[i - 1].to + runs[i - 1].n > runs[i].to))
            return false;
        move->from |= ones(runs[i].n) << runs[i].from;
        move->to |= ones(runs[i].n) << runs[i].to;
    }
    *nterms = n;
    return n > 0;
}

int tsr_map_result_moves(tsr_bit_move *moves, int max, const tsr_map *map, int r)
{
    const tsr_linear *x = map->results[r];
    uint64_t seen = 0, to = 0;
    int n = 0;
    if (x->c != 0)
        return -1;
    for (int i = 0; i < x->n; i++) {
        tsr_digit d;
        int nterms;
        if (!tsr_atom_as_digit(&d, x->t[i].atom))
            return -1;
        if (seen >> d.dim & 1)
            continue;
        seen |= UINT64_C(1) << d.dim;
        if (n == max || !tsr_linear_moves_bits(&moves[n], &nterms, x, d.dim, map->vars) || (moves[n].to & to))
            return -1;
        to |= moves[n++].to;
    }
    return n;
}
