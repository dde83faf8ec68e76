/* Kernels by name: see tsr_kernel_named.h. */
#include "tsr_kernel_named.h"

#include <string.h>

#include "tsr_kernel.h"
#include "tsr_num.h"
#include "tsr_suggest.h"

/* Kernels whose expression depends on the order of the tensor. In the text %m is the variable of the mode, %a the variables of all modes,
 * %o those of the others, with a comma before an r behind them, and %p a factor for each of the others. */
static const struct {
    const char *name, *text;
    int least; /* modes */
    bool has_modes, all_modes;
} families[] = {{"mttkrp", "A(%m,r) = B(%a)%p", 2, true, true},
                {"ttv", "A(%o) = B(%a) * c(%m)", 1, true, false},
                {"ttm", "A(%or) = B(%a) * C(%m,r)", 1, true, false},
                {"innerprod", "a = B(%a) * C(%a)", 1, false, false}};
enum { NFAMILIES = sizeof families / sizeof *families };

/* The row of the kernel; NFAMILIES: its expression is as written. */
static int find_family(const char *name)
{
    int k = 0;
    while (k < NFAMILIES && strcmp(families[k].name, name) != 0)
        k++;
    return k;
}

bool tsr_kernel_has_mode(bool *is_default, const char *name, int order, int mode)
{
    const int k = find_family(name);
    if (k == NFAMILIES || !families[k].has_modes || mode >= order)
        return false;
    *is_default = families[k].all_modes || mode == order - 1;
    return true;
}

static void print_family(tsr_text *text, const char *form, int order, int mode)
{
    static const char vars[] = "ijklmnop";
    for (; *form; form++) {
        if (*form != '%') {
            tsr_text_add_n(text, form, 1);
            continue;
        }
        const char what = *++form;
        int n = 0;
        for (int m = 0; m < order; m++) {
            if (what == 'm' ? m != mode : what != 'a' && m == mode)
                continue;
            if (what == 'p')
                tsr_text_addf(text, " * %c(%c,r)", 'C' + n, vars[m]);
            else
                tsr_text_addf(text, "%s%c", n > 0 ? "," : "", vars[m]);
            n++;
        }
        tsr_text_add(text, n > 0 && form[1] == 'r' ? "," : "");
    }
}

/* The kernels of bench/kernels; src/kernel/CMakeLists.txt makes the rows. */
static const struct {
    const char *name, *expression;
} standard[] = {
#include "kernel_names.inc"
};
enum { NSTANDARD = sizeof standard / sizeof *standard };

static const char *find_standard(const char *name)
{
    for (int i = 0; i < NSTANDARD; i++)
        if (strcmp(standard[i].name, name) == 0)
            return standard[i].expression;
    return NULL;
}

static tsr_status unknown_kernel(const char *name, tsr_error *err)
{
    tsr_suggest suggest;
    tsr_suggest_begin(&suggest, name, strlen(name));
    for (int i = 0; i < NSTANDARD; i++)
        tsr_suggest_offer(&suggest, standard[i].name);
    return tsr_suggest_fail(&suggest, TSR_ARGUMENT, 0, "kernel", err);
}

tsr_status tsr_kernel_expression(tsr_text *text, const char *name, int order, int mode, tsr_error *err)
{
    const int k = find_family(name);
    const char *const expression = k == NFAMILIES ? find_standard(name) : NULL;
    if (k == NFAMILIES && !expression)
        return unknown_kernel(name, err);
    if (expression)
        tsr_text_add(text, expression);
    else if (order < families[k].least || order > TSR_MAX_NAMED_ORDER)
        return tsr_fail(err, TSR_UNSUPPORTED, "%s takes tensors of %d to %d modes, but this one has %d", name,
                        families[k].least, TSR_MAX_NAMED_ORDER, order);
    else
        print_family(text, families[k].text, order, mode);
    return tsr_text_status(text, err);
}

/* ---- lists ---- */

static tsr_status add_expression(tsr_named_kernels *list, const char *text, tsr_error *err)
{
    if (list->n == TSR_MAX_NAMED_KERNELS)
        return tsr_fail(err, TSR_LIMIT, "there are more than %d kernels", TSR_MAX_NAMED_KERNELS);
    TSR_TRY(tsr_notation_parse(&list->notation[list->n], text, err));
    list->n++;
    return TSR_OK;
}

static tsr_status add_form(tsr_named_kernels *list, const char *name, int order, int mode, tsr_error *err)
{
    tsr_text text = {0};
    tsr_status status = tsr_kernel_expression(&text, name, order, mode, err);
    if (status == TSR_OK)
        status = add_expression(list, text.s, err);
    tsr_text_clear(&text);
    return status;
}

/* Add the kernel "ttv" or "ttv:0". */
static tsr_status add_named(tsr_named_kernels *list, char *name, int order, tsr_error *err)
{
    char *const colon = strchr(name, ':');
    uint64_t mode = 0;
    bool is_default, has_modes = false;
    if (colon) {
        *colon = '\0';
        const char *const end = tsr_parse_u64(&mode, colon + 1, colon + 1 + strlen(colon + 1));
        if (!end || *end || !tsr_kernel_has_mode(&is_default, name, order, (int)(mode < 99 ? mode : 99)))
            return tsr_fail(err, TSR_ARGUMENT, "%s:%s is not a kernel and a mode of a tensor with %d modes",
                            name, colon + 1, order);
        return add_form(list, name, order, (int)mode, err);
    }
    for (int m = 0; m < order; m++)
        if (tsr_kernel_has_mode(&is_default, name, order, m)) {
            has_modes = true;
            if (is_default)
                TSR_TRY(add_form(list, name, order, m, err));
        }
    return has_modes ? TSR_OK : add_form(list, name, order, 0, err);
}

tsr_status tsr_named_kernels_init(tsr_named_kernels *list, const char *text, int order, tsr_error *err)
{
    enum { NAME_NBYTES = 64 };
    *list = (tsr_named_kernels){0};
    if (strchr(text, '='))
        return add_expression(list, text, err);
    for (const char *s = text;; s++) {
        char name[NAME_NBYTES];
        const size_t n = strcspn(s, ",");
        if (n == 0 || n >= NAME_NBYTES)
            return tsr_fail(
                err, TSR_ARGUMENT,
                "'%s' is not a list of kernels such as mttkrp,spmv, and not an expression with '='", text);
        memcpy(name, s, n);
        name[n] = '\0';
        TSR_TRY(add_named(list, name, order, err));
        s += n;
        if (!*s)
            return TSR_OK;
    }
}

void tsr_named_kernels_clear(tsr_named_kernels *list)
{
    for (int k = 0; k < list->n; k++)
        tsr_notation_free(list->notation[k]);
    *list = (tsr_named_kernels){0};
}
