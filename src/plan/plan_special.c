/* The names and the lines of special loops (special.def). */
#include <string.h>

#include "tsr_plan.h"

static const struct {
    const char *name, *text;
} specials[TSR_NSPECIALS] = {
#define X(NAME, name, text) {#name, text},
#include "special.def"
#undef X
};

const char *tsr_special_name(tsr_special special)
{
    return specials[special].name;
}

tsr_special tsr_special_find(const char *name, size_t n)
{
    int k = 0;
    while (k < TSR_NSPECIALS && (strlen(specials[k].name) != n || memcmp(specials[k].name, name, n) != 0))
        k++;
    return (tsr_special)k;
}

uint32_t tsr_specials_missing(const char *text)
{
    uint32_t missing = 0;
    for (int k = 0; k < TSR_NSPECIALS; k++)
        if (!strstr(text, specials[k].text))
            missing |= UINT32_C(1) << k;
    return missing;
}
