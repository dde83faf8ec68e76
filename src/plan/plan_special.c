/* The names and the lines of special loops (special.def). */
#include <string.h>

#include "tsr_plan.h"
#include "tsr_text.h"

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
    return (tsr_special)tsr_name_find(&specials->name, TSR_NSPECIALS, sizeof *specials, name, n);
}

uint32_t tsr_specials_missing(const char *text)
{
    uint32_t missing = 0;
    for (int k = 0; k < TSR_NSPECIALS; k++)
        if (!strstr(text, specials[k].text))
            missing |= UINT32_C(1) << k;
    return missing;
}
