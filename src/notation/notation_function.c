/* The functions of the notation. */
#include <math.h>
#include <string.h>

#include "notation_internal.h"

#define X(NAME, text, nargs, both, whole, value)   \
    static double value_##NAME(double x, double y) \
    {                                              \
        (void)y;                                   \
        return (value);                            \
    }
#include "functions.def"
#undef X

static const tsr_function functions[] = {
#define X(NAME, text, nargs, both, whole, value) {text, nargs, both, whole, value_##NAME, #value},
#include "functions.def"
#undef X
};

const tsr_function *notation_find_function(const char *s, size_t n)
{
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
        if (strlen(functions[k].name) == n && memcmp(functions[k].name, s, n) == 0)
            return &functions[k];
    return NULL;
}
