/* The functions of the notation. */
#include <math.h>
#include <string.h>

#include "notation_internal.h"
#include "tsr_suggest.h"

#define X(NAME, text, nargs, needs, whole, exact, value) \
    static double value_##NAME(double x, double y)       \
    {                                                    \
        (void)y;                                         \
        return (value);                                  \
    }
#include "functions.def"
#undef X

static const tsr_function functions[] = {
#define X(NAME, text, nargs, needs, whole, exact, value) \
    {text, nargs, needs, whole, TSR_EXACT_##exact, value_##NAME, #value},
#include "functions.def"
#include "tsr_text.h"
#undef X
};

static const tsr_function *find_in(const tsr_function *list, size_t nlist, const char *s, size_t n)
{
    const size_t k = nlist > 0 ? tsr_name_find(&list->name, nlist, sizeof *list, s, n) : 0;
    return k < nlist ? &list[k] : NULL;
}

bool tsr_function_is_known(const char *name)
{
    return find_in(functions, sizeof functions / sizeof *functions, name, strlen(name));
}

bool notation_takes_third(const tsr_function *function)
{
    return function->value == value_UNIFORM;
}

const tsr_function *notation_find_function(const notation_parser *parser, const char *s, size_t n)
{
    const tsr_function_list *const more = parser->functions;
    const tsr_function *const found = find_in(functions, sizeof functions / sizeof *functions, s, n);
    return found || !more ? found : find_in(more->function, (size_t)more->n, s, n);
}

tsr_status notation_unknown_function(const notation_parser *parser, const char *name, uint32_t col)
{
    const tsr_function_list *const more = parser->functions;
    tsr_suggest suggest;
    tsr_suggest_begin(&suggest, name, strlen(name));
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
        tsr_suggest_offer(&suggest, functions[k].name);
    for (int k = 0; more && k < more->n; k++)
        tsr_suggest_offer(&suggest, more->function[k].name);
    return tsr_suggest_fail(&suggest, TSR_SYNTAX, col, "function", parser->err);
}
