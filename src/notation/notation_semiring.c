/* The semirings that the notation's + and * may stand for. */
#include <math.h>
#include <string.h>

#include "tsr_notation.h"
#include "tsr_suggest.h"

const tsr_semiring tsr_semirings[] = {
    {"plus-times", TSR_COMBINE_ADD, TSR_COMBINE_MUL, 0},
    {"min-plus", TSR_COMBINE_MIN, TSR_COMBINE_ADD, (double)INFINITY},
    {"max-plus", TSR_COMBINE_MAX, TSR_COMBINE_ADD, -(double)INFINITY},
    {"max-times", TSR_COMBINE_MAX, TSR_COMBINE_MUL, -(double)INFINITY},
    {"min-max", TSR_COMBINE_MIN, TSR_COMBINE_MAX, (double)INFINITY},
    {"or-and", TSR_COMBINE_OR, TSR_COMBINE_AND, 0},
    {0},
};

tsr_status tsr_semiring_parse(const tsr_semiring **out, const char *name, tsr_error *err)
{
    *out = &tsr_semirings[0];
    for (const tsr_semiring *ring = tsr_semirings; name && ring->name; ring++) {
        size_t n = 0; /* '_' does for '-' */
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
