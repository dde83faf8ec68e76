/* See map_random.h. */
#include "map_random.h"

static int pick(tsr_rng *rng, int lo, int hi)
{
    return lo + (int)tsr_rng_below(rng, (uint64_t)(hi - lo + 1));
}

static void expression(tsr_text *text, tsr_rng *rng, int ndims, int depth)
{
    static const int constants[] = {1, 2, 2, 3, 4, 4, 5, 6, 8, 8, 12, 16, 24, 35};
    const int n = pick(rng, 1, 3);
    for (int i = 0; i < n; i++) {
        const int c = constants[tsr_rng_below(rng, sizeof constants / sizeof constants[0])];
        tsr_text_add(text, i == 0 ? (pick(rng, 0, 3) == 0 ? "-" : "") : pick(rng, 0, 2) == 0 ? " - " : " + ");
        const int what = depth == 0 ? pick(rng, 0, 2) : pick(rng, 0, 8);
        if (what == 0) {
            tsr_text_addf(text, "%d", pick(rng, 0, 40));
        } else if (what < 3) {
            tsr_text_addf(text, "d%d * %d", pick(rng, 0, ndims - 1), c);
        } else if (what == 8) {
            tsr_text_add(text, pick(rng, 0, 1) ? "min(" : "max(");
            expression(text, rng, ndims, depth - 1);
            tsr_text_add(text, ", ");
            expression(text, rng, ndims, depth - 1);
            tsr_text_addf(text, ndims < 3 || pick(rng, 0, 3) ? ") * %d" : ") * d0 * %d", c);
        } else {
            tsr_text_add(text, what == 7 ? "((" : "(");
            expression(text, rng, ndims, depth - 1);
            tsr_text_addf(text, what % 2 ? ") floordiv %d" : ") mod %d", c);
            if (what == 7)
                tsr_text_addf(text, ") * %d",
                              constants[tsr_rng_below(rng, sizeof constants / sizeof constants[0])]);
        }
    }
}

void map_random_of(tsr_text *text, tsr_rng *rng, int ndims, int nresults, bool constraints)
{
    tsr_text_add(text, "(");
    for (int d = 0; d < ndims; d++)
        tsr_text_addf(text, "%sd%d", d > 0 ? ", " : "", d);
    tsr_text_add(text, ") -> (");
    for (int r = 0; r < nresults; r++) {
        tsr_text_add(text, r > 0 ? ", " : "");
        expression(text, rng, ndims, 3);
    }
    tsr_text_add(text, "), domain: ");
    for (int d = 0; d < ndims; d++) {
        const int lo = pick(rng, 0, 2) == 0 ? pick(rng, -20, 5) : 0;
        tsr_text_addf(text, "d%d in [%d, %d], ", d, lo, lo + pick(rng, 0, ndims > 2 ? 12 : 35));
    }
    for (int c = constraints ? pick(rng, 0, 2) : 0; c > 0; c--) {
        const int lo = pick(rng, -20, 20);
        expression(text, rng, ndims, 2);
        tsr_text_addf(text, " in [%d, %d], ", lo, lo + pick(rng, 0, 40));
    }
}

void map_random(tsr_text *text, tsr_rng *rng)
{
    const int ndims = pick(rng, 1, 3);
    map_random_of(text, rng, ndims, pick(rng, 1, 4), pick(rng, 0, 1) == 1);
}
