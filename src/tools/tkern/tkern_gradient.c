/* --grad: the expression of a run becomes the gradient with respect to an operand, and the options about tensors that only the
 * expression or another gradient has are left out. */
#include <string.h>

#include "tkern.h"

/* Whether `name`, n bytes, is one of the tensors or variables, or the derivative of a tensor. */
static bool has_name(const tsr_notation *notation, const char *name, size_t n, bool derivative)
{
    const size_t skipped = derivative ? 1 : 0;
    if (n <= skipped || (derivative && *name != 'd'))
        return false;
    for (int t = 0; t < notation->ntensors; t++)
        if (strlen(notation->tensor[t].name) == n - skipped &&
            memcmp(notation->tensor[t].name, name + skipped, n - skipped) == 0)
            return true;
    for (int v = 0; v < notation->nvars && !derivative; v++)
        if (strlen(notation->var[v]) == n && memcmp(notation->var[v], name, n) == 0)
            return true;
    return false;
}

/* Keep the items about names that the gradient has, and those that are wrong. */
static void keep_items(tsr_tkern_items *items, const tsr_notation *gradient, const tsr_notation *given)
{
    int n = 0;
    for (int i = 0; i < items->n; i++) {
        const char *const item = items->text[i];
        const size_t length = strcspn(item, ":=");
        const bool is_other = has_name(given, item, length, false) || has_name(given, item, length, true);
        if (!is_other || has_name(gradient, item, length, false))
            items->text[n++] = item;
    }
    items->n = n;
}

/* Give the gradient the format that the options give to the operand, unless they give it one. format: keeps the text. */
static void add_format(tsr_tkern_settings *to, tsr_text *format, const char *operand,
                       const tsr_tkern_settings *s)
{
    const size_t n = strlen(operand);
    const char *found = NULL;
    for (int i = 0; i < s->formats.n; i++) {
        const char *const item = s->formats.text[i];
        if (*item == 'd' && strncmp(item + 1, operand, n) == 0 && item[n + 1] == ':')
            return;
        if (strncmp(item, operand, n) == 0 && item[n] == ':')
            found = item + n + 1;
    }
    tsr_text_addf(format, "d%s:%s", operand, found ? found : "");
    if (found && to->formats.n < TSR_TKERN_MAX_ITEMS && !format->failed)
        to->formats.text[to->formats.n++] = tsr_text_cstr(format);
}

tsr_status tsr_tkern_gradient(tsr_tkern_settings *to, tsr_text *expression, tsr_text *format,
                              const char *operand, const tsr_tkern_settings *s, tsr_error *err)
{
    tsr_notation *given, *gradient = NULL;
    *to = *s;
    TSR_TRY(tsr_program_parse(&given, s->expression, NULL, err));
    tsr_status status = tsr_notation_gradient(expression, given, operand, err);
    if (status == TSR_OK)
        status = tsr_program_parse(&gradient, tsr_text_cstr(expression), NULL, err);
    if (status == TSR_OK) {
        tsr_tkern_items *const lists[] = {&to->formats, &to->inputs, &to->dims, &to->outputs, &to->scalars};
        for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
            keep_items(lists[k], gradient, given);
        add_format(to, format, operand, s);
        to->expression = tsr_text_cstr(expression);
    }
    tsr_notation_free(gradient);
    tsr_notation_free(given);
    return status;
}
