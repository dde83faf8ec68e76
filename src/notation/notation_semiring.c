/* The semirings: meanings of + and * in the notation. */
#include <math.h>
#include <string.h>

#include "notation_internal.h"
#include "tsr_suggest.h"

const tsr_semiring tsr_semirings[] = {
    {"plus-times", TSR_COMBINE_ADD, TSR_COMBINE_MUL, 0},
    {"min-plus", TSR_COMBINE_MIN, TSR_COMBINE_ADD, (double)INFINITY},
    {"max-plus", TSR_COMBINE_MAX, TSR_COMBINE_ADD, -(double)INFINITY},
    {"min-times", TSR_COMBINE_MIN, TSR_COMBINE_MUL, (double)INFINITY},
    {"max-times", TSR_COMBINE_MAX, TSR_COMBINE_MUL, -(double)INFINITY},
    {"min-max", TSR_COMBINE_MIN, TSR_COMBINE_MAX, (double)INFINITY},
    {"max-min", TSR_COMBINE_MAX, TSR_COMBINE_MIN, -(double)INFINITY},
    {"or-and", TSR_COMBINE_OR, TSR_COMBINE_AND, 0},
    {"xor-and", TSR_COMBINE_XOR, TSR_COMBINE_AND, 0},
    {"plus-min", TSR_COMBINE_ADD, TSR_COMBINE_MIN, 0},
    {"plus-max", TSR_COMBINE_ADD, TSR_COMBINE_MAX, 0},
    {"plus-first", TSR_COMBINE_ADD, TSR_COMBINE_FIRST, 0},
    {"plus-second", TSR_COMBINE_ADD, TSR_COMBINE_SECOND, 0},
    {"plus-pair", TSR_COMBINE_ADD, TSR_COMBINE_PAIR, 0},
    {"min-first", TSR_COMBINE_MIN, TSR_COMBINE_FIRST, (double)INFINITY},
    {"min-second", TSR_COMBINE_MIN, TSR_COMBINE_SECOND, (double)INFINITY},
    {"max-first", TSR_COMBINE_MAX, TSR_COMBINE_FIRST, -(double)INFINITY},
    {"max-second", TSR_COMBINE_MAX, TSR_COMBINE_SECOND, -(double)INFINITY},
    {0},
};

/* What stands in front of the '=' of a reduction; the product is the ordinary one. */
static const tsr_semiring reductions[] = {
    {"min", TSR_COMBINE_MIN, TSR_COMBINE_MUL, (double)INFINITY},
    {"max", TSR_COMBINE_MAX, TSR_COMBINE_MUL, -(double)INFINITY},
    {"or", TSR_COMBINE_OR, TSR_COMBINE_MUL, 0},
    {"and", TSR_COMBINE_AND, TSR_COMBINE_MUL, 1},
    {"xor", TSR_COMBINE_XOR, TSR_COMBINE_MUL, 0},
    {"*", TSR_COMBINE_MUL, TSR_COMBINE_MUL, 1},
};

const tsr_semiring *notation_find_reduction(const char *s, size_t n)
{
    for (size_t k = 0; k < sizeof reductions / sizeof *reductions; k++)
        if (strlen(reductions[k].name) == n && memcmp(reductions[k].name, s, n) == 0)
            return &reductions[k];
    return NULL;
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
