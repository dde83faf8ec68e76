/* The semirings: meanings of + and * in the notation. */
#include <math.h>
#include <string.h>

#include "notation_internal.h"
#include "tsr_suggest.h"
#include "tsr_text.h"

const tsr_semiring tsr_semirings[] = {
    {"plus-times", TSR_COMBINE_ADD, TSR_COMBINE_MUL, 0, true, true},
    {"min-plus", TSR_COMBINE_MIN, TSR_COMBINE_ADD, (double)INFINITY, true, true},
    {"max-plus", TSR_COMBINE_MAX, TSR_COMBINE_ADD, -(double)INFINITY, true, true},
    {"min-times", TSR_COMBINE_MIN, TSR_COMBINE_MUL, (double)INFINITY, false, true},
    {"max-times", TSR_COMBINE_MAX, TSR_COMBINE_MUL, -(double)INFINITY, false, true},
    {"min-max", TSR_COMBINE_MIN, TSR_COMBINE_MAX, (double)INFINITY, true, true},
    {"max-min", TSR_COMBINE_MAX, TSR_COMBINE_MIN, -(double)INFINITY, true, true},
    {"or-and", TSR_COMBINE_OR, TSR_COMBINE_AND, 0, true, true},
    {"xor-and", TSR_COMBINE_XOR, TSR_COMBINE_AND, 0, true, true},
    {"plus-min", TSR_COMBINE_ADD, TSR_COMBINE_MIN, 0, false, true},
    {"plus-max", TSR_COMBINE_ADD, TSR_COMBINE_MAX, 0, false, true},
    {"plus-first", TSR_COMBINE_ADD, TSR_COMBINE_FIRST, 0, false, false},
    {"plus-second", TSR_COMBINE_ADD, TSR_COMBINE_SECOND, 0, false, false},
    {"plus-pair", TSR_COMBINE_ADD, TSR_COMBINE_PAIR, 0, false, true},
    {"min-first", TSR_COMBINE_MIN, TSR_COMBINE_FIRST, (double)INFINITY, true, false},
    {"min-second", TSR_COMBINE_MIN, TSR_COMBINE_SECOND, (double)INFINITY, true, false},
    {"max-first", TSR_COMBINE_MAX, TSR_COMBINE_FIRST, -(double)INFINITY, true, false},
    {"max-second", TSR_COMBINE_MAX, TSR_COMBINE_SECOND, -(double)INFINITY, true, false},
    {0},
};

/* What stands in front of the '=' of a reduction; the product is the ordinary one. */
static const tsr_semiring reductions[] = {
    {"min", TSR_COMBINE_MIN, TSR_COMBINE_MUL, (double)INFINITY, false, true},
    {"max", TSR_COMBINE_MAX, TSR_COMBINE_MUL, -(double)INFINITY, false, true},
    {"or", TSR_COMBINE_OR, TSR_COMBINE_MUL, 0, false, true},
    {"and", TSR_COMBINE_AND, TSR_COMBINE_MUL, 1, false, true},
    {"xor", TSR_COMBINE_XOR, TSR_COMBINE_MUL, 0, false, true},
    {"*", TSR_COMBINE_MUL, TSR_COMBINE_MUL, 1, false, true},
};

const tsr_semiring *notation_find_reduction(const char *s, size_t n)
{
    const size_t nrows = sizeof reductions / sizeof *reductions;
    const size_t k = tsr_name_find(&reductions->name, nrows, sizeof *reductions, s, n);
    return k < nrows ? &reductions[k] : NULL;
}

bool tsr_semiring_is_reduction(const tsr_semiring *ring)
{
    return notation_find_reduction(ring->name, strlen(ring->name)) == ring;
}

tsr_status tsr_semiring_parse(const tsr_semiring **out, const char *name, tsr_error *err)
{
    *out = &tsr_semirings[0];
    for (const tsr_semiring *ring = tsr_semirings; name && ring->name; ring++) {
        size_t n = 0; /* '_' is accepted for '-' */
        while (ring->name[n] && (name[n] == ring->name[n] || (name[n] == '_' && ring->name[n] == '-')))
            n++;
        if (!ring->name[n] && !name[n]) {
            *out = ring;
            return TSR_OK;
        }
    }
    if (!name)
        return TSR_OK;
    tsr_suggest suggest;
    tsr_suggest_begin(&suggest, name, strlen(name));
    for (const tsr_semiring *ring = tsr_semirings; ring->name; ring++)
        tsr_suggest_offer(&suggest, ring->name);
    return tsr_suggest_fail(&suggest, TSR_ARGUMENT, 0, "semiring", err);
}
