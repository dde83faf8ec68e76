/* Searches the XLA layout that has given digits: the notation for a layout from another source. It tries the
 * orders of the dims, and tiles whose sizes are divisors that occur in the digits; fewest tiles first. */
#include "xla_internal.h"

#include <string.h>

#include "tsr_checked.h"

enum { MAX_TRIES = 200000, MAX_CHOICES = TSR_XLA_MAX_EXPANDED + 2, ALL_ORDERS_RANK = 5, MOST_TILES = 2 };

typedef struct search {
    tsr_xla *xla; /* the layout under trial */
    int n;        /* number of wanted digits, without those of size 1 */
    tsr_xla_digit wanted[TSR_XLA_MAX_EXPANDED];
    int nchoices[TSR_XLA_MAX_RANK]; /* tile sizes to try for each dim */
    int64_t choices[TSR_XLA_MAX_RANK][MAX_CHOICES];
    int tries;
} search;

/* The digit with its extent computed and without a mod that has no effect. */
static tsr_xla_digit plain(tsr_xla_digit digit, const int64_t *dims)
{
    if (digit.dim >= 0) {
        const int64_t n = dims[digit.dim];
        digit.extent = n / digit.divisor + (n % digit.divisor != 0);
        if (digit.modulus > 0 && digit.extent > digit.modulus)
            digit.extent = digit.modulus;
        else
            digit.modulus = 0;
    }
    if (digit.dim < 0 || digit.extent <= 1)
        return (tsr_xla_digit){.dim = -1, .divisor = 1, .modulus = 1, .extent = 1, .size = digit.size};
    return digit;
}

static bool same_digit(const tsr_xla_digit *a, const tsr_xla_digit *b)
{
    return a->dim == b->dim && a->divisor == b->divisor && a->modulus == b->modulus && a->size == b->size;
}

/* Whether the layout under trial has the wanted digits. */
static bool fits(search *s)
{
    tsr_xla_digit digits[TSR_XLA_MAX_EXPANDED];
    int tile, n = 0;
    s->tries++;
    if (xla_derive(s->xla, &tile, NULL) != TSR_OK || !tsr_xla_digits(digits, s->xla))
        return false;
    for (int i = 0; i < s->xla->nexpanded; i++) {
        if (digits[i].size == 1)
            continue;
        const tsr_xla_digit digit = plain(digits[i], s->xla->dims);
        if (n == s->n || !same_digit(&digit, &s->wanted[n]))
            return false;
        n++;
    }
    return n == s->n;
}

static bool find_tiles(search *s, int ntiles);

/* Try all sizes of the last tile for dim i and the more minor dims. */
static bool find_sizes(search *s, int i, int ntiles)
{
    tsr_xla_tile *tile = &s->xla->tiles[s->xla->ntiles - 1];
    if (i == tile->rank)
        return find_tiles(s, ntiles - 1);
    const int d = s->xla->order[tile->rank - 1 - i];
    for (int c = 0; c < s->nchoices[d] && s->tries < MAX_TRIES; c++) {
        tile->t[i] = s->choices[d][c];
        if (i == 0 && tile->t[i] == 1) /* the tile without this dim is equivalent */
            continue;
        if (find_sizes(s, i + 1, ntiles))
            return true;
    }
    return false;
}

/* Try to fit with `ntiles` more tiles; a later tile cuts within the tile before it. */
static bool find_tiles(search *s, int ntiles)
{
    tsr_xla *xla = s->xla;
    if (ntiles == 0)
        return fits(s);
    const int most = xla->ntiles > 0 ? xla->tiles[xla->ntiles - 1].rank : xla->rank;
    tsr_xla_tile *tile = &xla->tiles[xla->ntiles++];
    for (tile->rank = 1; tile->rank <= most; tile->rank++)
        if (find_sizes(s, 0, ntiles))
            return true;
    xla->ntiles--;
    return false;
}

/* Try every order that begins with the current first i dims. */
static bool find_orders(search *s, int i, int ntiles)
{
    int *order = s->xla->order;
    if (i == s->xla->rank)
        return find_tiles(s, ntiles);
    for (int j = i; j < s->xla->rank && s->tries < MAX_TRIES; j++) {
        const int d = order[j];
        memmove(order + i + 1, order + i, (size_t)(j - i) * sizeof *order);
        order[i] = d;
        if (find_orders(s, i + 1, ntiles))
            return true;
        memmove(order + i, order + i + 1, (size_t)(j - i) * sizeof *order);
        order[j] = d;
    }
    return false;
}

/* Order the dims by their first occurrence among the digits, major to minor; dims without digits come
 * first. */
static void order_by_digits(search *s)
{
    bool seen[TSR_XLA_MAX_RANK] = {false};
    int order[TSR_XLA_MAX_RANK], n = 0;
    for (int i = 0; i < s->n; i++)
        if (s->wanted[i].dim >= 0 && !seen[s->wanted[i].dim]) {
            seen[s->wanted[i].dim] = true;
            order[n++] = s->wanted[i].dim;
        }
    for (int i = 0; i < n; i++)
        s->xla->order[i] = order[n - 1 - i];
    for (int d = s->xla->rank - 1; d >= 0; d--)
        if (!seen[d])
            s->xla->order[n++] = d;
}

static void add_choice(search *s, int d, int64_t t)
{
    for (int c = 0; c < s->nchoices[d]; c++)
        if (s->choices[d][c] == t)
            return;
    s->choices[d][s->nchoices[d]++] = t;
}

/* The tile sizes to try for dim d: 1, the ends of its digits, the whole dim, and sizes that only pad. */
static void choose_sizes(search *s, int d)
{
    int64_t all = 1;
    add_choice(s, d, 1);
    for (int i = 0; i < s->n; i++)
        if (s->wanted[i].dim == d) {
            add_choice(s, d, s->wanted[i].divisor);
            if (!tsr_mul_i64(&all, all, s->wanted[i].size))
                all = 1;
        } else if (s->wanted[i].dim < 0) {
            add_choice(s, d, s->wanted[i].size);
        }
    add_choice(s, d, all);
}

static bool find(search *s)
{
    order_by_digits(s);
    for (int d = 0; d < s->xla->rank; d++)
        choose_sizes(s, d);
    for (int ntiles = 0; ntiles <= MOST_TILES; ntiles++) {
        s->xla->ntiles = 0;
        if (s->xla->rank <= ALL_ORDERS_RANK ? find_orders(s, 0, ntiles) : find_tiles(s, ntiles))
            return true;
    }
    return false;
}

static tsr_status check_digits(const search *s, int n, const tsr_xla_digit *digits, tsr_error *err)
{
    if (n < 0 || n > TSR_XLA_MAX_EXPANDED)
        return tsr_fail(err, TSR_LIMIT, "a layout has at most %d digits, not %d", TSR_XLA_MAX_EXPANDED, n);
    for (int i = 0; i < n; i++)
        if (digits[i].dim >= s->xla->rank || digits[i].size < 1 ||
            (digits[i].dim >= 0 && (digits[i].divisor < 1 || digits[i].modulus < 0)))
            return tsr_fail(err, TSR_ARGUMENT,
                            "digit %d is not valid: dim %d, divisor %lld, modulus %lld, size %lld", i,
                            digits[i].dim, (long long)digits[i].divisor, (long long)digits[i].modulus,
                            (long long)digits[i].size);
    return TSR_OK;
}

tsr_status tsr_xla_from_digits(tsr_xla **out, const tsr_xla *shape, int n, const tsr_xla_digit *digits,
                               tsr_error *err)
{
    search s = {.n = 0};
    tsr_status status;
    *out = NULL;
    TSR_TRY(xla_need_dims(shape, err));
    TSR_TRY(xla_copy(&s.xla, shape, err));
    TSR_TRY_OUT(check_digits(&s, n, digits, err));
    for (int i = 0; i < n; i++)
        if (digits[i].size > 1)
            s.wanted[s.n++] = plain(digits[i], shape->dims);
    if (shape->nelems > 0 && find(&s)) {
        *out = s.xla;
        return TSR_OK;
    }
    status =
        tsr_fail(err, TSR_UNSUPPORTED, "no XLA layout with at most %d tiles has these digits", MOST_TILES);
out:
    tsr_xla_free(s.xla);
    return status;
}
