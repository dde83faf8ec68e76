/* Descriptions of the parameters of the function of a kernel: lengths, orders, meanings. */
#include <string.h>

#include "kernel_internal.h"
#include "tsr_text.h"

/* The format and the name of tensor t, which may be a copy that the plan makes. */
static const tsr_format *format_of(const char **name, const tsr_kernel *kernel, int t)
{
    const int ntensors = kernel->notation->ntensors;
    *name = t >= ntensors ? kernel->plan->view[t - ntensors].name : kernel->notation->tensor[t].name;
    return t >= ntensors ? kernel->plan->view[t - ntensors].copy : kernel->tensor[t].format;
}

/* Append "level 2 of A (j)". */
static void add_level(tsr_text *text, const tsr_kernel *kernel, const tsr_param *param)
{
    const char *name;
    const tsr_format *const format = format_of(&name, kernel, param->tensor);
    int perm[TSR_MAX_LEVELS];
    tsr_text_addf(text, "level %d of %s", param->level + 1, name);
    const int t = param->tensor < kernel->notation->ntensors
                      ? param->tensor
                      : kernel->plan->view[param->tensor - kernel->notation->ntensors].tensor;
    if (tsr_format_is_permutation(format, perm) && t >= 0)
        tsr_text_addf(
            text, " (%s)",
            kernel->notation->var[tsr_notation_access(kernel->notation, t)->index[perm[param->level]]]);
}

/* Append "i x j, the last index fastest". */
static void add_values(tsr_text *text, const tsr_kernel *kernel, const tsr_param *param)
{
    const char *name;
    const tsr_format *const format = format_of(&name, kernel, param->tensor);
    int perm[TSR_MAX_LEVELS];
    if (!tsr_format_is_dense(format)) {
        tsr_text_addf(text, "values of %s, one for each position of its last level, level %d", name,
                      format->nlevels);
        return;
    }
    tsr_text_addf(text, "values of %s: ", name);
    if (format->order == 0) {
        tsr_text_add(text, "1");
        return;
    }
    if (!tsr_format_is_permutation(format, perm)) {
        tsr_text_add(text, "stored as ");
        tsr_format_print_name(text, format);
        return;
    }
    const tsr_expr *const access = tsr_notation_access(kernel->notation, param->tensor);
    for (int l = 0; l < format->nlevels; l++) {
        tsr_text_add(text, l ? " x " : "");
        if (tsr_expr_window(access, perm[l]))
            tsr_text_add_u64(text, kernel->tensor[param->tensor].dims[perm[l]]);
        else
            tsr_text_add(text, kernel->notation->var[access->index[perm[l]]]);
    }
    tsr_text_add(text, format->nlevels > 1 ? " of them, the last index fastest" : " of them");
    if (tsr_format_has_pitch(format))
        tsr_text_add(text, ", with gaps");
}

static void add_output(tsr_text *text, const tsr_kernel *kernel, int i)
{
    const tsr_param *const param = &kernel->lowered->param[i];
    const size_t nbytes = tsr_type_nbytes(kernel->lowered->ir->param[i].array->elem);
    const char *const name = kernel->notation->tensor[0].name;
    const bool is_list = kernel->plan->sink == TSR_PLAN_LIST;
    tsr_text_add(text, "allocated by the function, free() it: ");
    if (param->role == TSR_PARAM_OUT_VALUES)
        tsr_text_addf(text, "%s of %s", is_list ? "contributions to the values" : "the values", name);
    else if (is_list)
        tsr_text_addf(text, "mode %d of their coordinates", param->level);
    else if (param->role == TSR_PARAM_OUT_BITS)
        tsr_text_addf(text, "the marks of level %d of %s, which tell what is stored", param->level + 1, name);
    else if (param->role == TSR_PARAM_OUT_CRD)
        tsr_text_addf(text, "coordinates of level %d of %s", param->level + 1, name);
    else
        tsr_text_addf(text,
                      "positions of level %d of %s, %s: the children of parent p are [pos[p], pos[p + 1])",
                      param->level + 1, name, nbytes == 4 ? "uint32_t; values wrap at 2^32" : "uint64_t");
}

/* An array of a level type that has more than pos and crd: the name says what it holds. */
static void add_array(tsr_text *text, const tsr_kernel *kernel, const tsr_param *param)
{
    const char *name;
    const tsr_format *const format = format_of(&name, kernel, param->tensor);
    const tsr_level_type *const type = format->levels[param->level].type;
    const tsr_level_array *const row =
        tsr_level_array_row(type, (tsr_level_role)(param->role - TSR_PARAM_POS));
    tsr_text_addf(text, "the array %s of ", row->name);
    add_level(text, kernel, param);
    tsr_text_addf(text, ", %s: %s", type->name, type->rule);
    if (row->content == TSR_HOLDS_WORDS)
        tsr_text_add(text, "; read as bytes, the lowest bit first");
}

/* An array of a level of an operand. */
static void add_level_array(tsr_text *text, const tsr_kernel *kernel, const tsr_param *param)
{
    const char *name;
    const bool is_crd = param->role == TSR_PARAM_CRD;
    const tsr_level_type *const type = format_of(&name, kernel, param->tensor)->levels[param->level].type;
    if (!is_crd && (param->role != TSR_PARAM_POS || type->assemble)) {
        add_array(text, kernel, param);
        return;
    }
    tsr_text_add(text, is_crd ? "coordinates of " : "positions of ");
    add_level(text, kernel, param);
    tsr_text_add(text, is_crd ? ", one for each position"
                              : ": the children of parent p are [pos[p], pos[p + 1]); parents + 1 of them");
}

static void add_param(tsr_text *text, const tsr_kernel *kernel, const tsr_param *param)
{
    static const char *const of_level[TSR_PARAM_NROLES] = {
        [TSR_PARAM_LEVEL_SIZE] = "the number of coordinates of ",
        [TSR_PARAM_PITCH] = "the number of positions for each parent in ",
        [TSR_PARAM_NPOS] = "the number of positions of ",
        [TSR_PARAM_LOW] = "the coordinate of the first position under each parent in "};
    const tsr_param_role role = param->role;
    if (of_level[role] && param->level >= 0) {
        tsr_text_add(text, of_level[role]);
        add_level(text, kernel, param);
    } else if (role == TSR_PARAM_NTHREADS) {
        tsr_text_add(text, "threads to use; 0 or less: as many as omp_get_max_threads() says");
    } else if (role == TSR_PARAM_SIZE) {
        tsr_text_addf(text, "size of %s: it goes from 0 to size - 1",
                      kernel->plan->notation->var[param->var]);
    } else if (role == TSR_PARAM_NPOS) { /* of the root */
        tsr_text_add(text, "1");
    } else if (role >= TSR_PARAM_POS && role < TSR_PARAM_VALUES) {
        add_level_array(text, kernel, param);
    } else if (role == TSR_PARAM_VALUES) {
        add_values(text, kernel, param);
    } else if (role == TSR_PARAM_DIFFERS) {
        tsr_text_addf(text,
                      "1 number, to which the differences between the entries of %s and those that the "
                      "operands give are "
                      "added: 0 before, and 0 after a good run",
                      kernel->notation->tensor[0].name);
    } else if (role >= TSR_PARAM_OUT_POS && role <= TSR_PARAM_OUT_VALUES) {
        add_output(text, kernel, (int)(param - kernel->lowered->param));
    } /* no text has those of trails */
}

int kernel_find_param(const tsr_kernel *kernel, tsr_param_role role)
{
    int i = kernel->lowered->ir->nparams - 1;
    while (i >= 0 && kernel->lowered->param[i].role != role)
        i--;
    return i;
}

tsr_status kernel_param_texts(char ***texts, char **buffer, int *threads, const tsr_kernel *kernel,
                              tsr_error *err)
{
    const int n = kernel->lowered->ir->nparams;
    tsr_text text = {0};
    *threads = 1 + kernel_find_param(kernel, TSR_PARAM_NTHREADS);
    *buffer = NULL;
    *texts = tsr_calloc((size_t)n + 1, sizeof **texts);
    for (int i = 0; i < n; i++) {
        add_param(&text, kernel, &kernel->lowered->param[i]);
        tsr_text_add(&text, "\n");
    }
    if (tsr_text_take(buffer, &text, err) != TSR_OK || !*texts) {
        tsr_free(*buffer);
        tsr_free(*texts);
        return tsr_fail(err, TSR_NOMEM, "out of memory for a kernel's text");
    }
    char *at = *buffer;
    for (int i = 0; i < n; i++) {
        (*texts)[i] = at;
        at += strcspn(at, "\n");
        *at++ = '\0';
    }
    return TSR_OK;
}
