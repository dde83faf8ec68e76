/* Lists of coordinates. An access with a list reads the tensor at coordinates that a matrix of the list selects: row k of the matrix has
 * one entry, at the coordinate number k of the list. So A(i({7,0}),j) is !!T1_(i,i_1)*A(i_1,j), a product that loops merge as any
 * other, and y(i({7,0})) = b(i) is y(i_1) = !!T1_(i_1,i)*b(i), whose matrix is transposed. A matrix of this kind also stands for
 * a window or a repeated index on the left where entries are added to those of a sparse result. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kernel_steps.h"
#include "tsr_text.h"

enum { DENSE_ROWS = 1 << 20 }; /* more rows than these, and than four for each entry, are stored as a list */

tsr_status kernel_check_list(const tsr_mode_window *w, const tsr_notation *notation, tsr_error *err)
{
    for (uint64_t i = 0; w && w->list && i < w->n; i++)
        for (uint64_t k = 0; k < i; k++)
            if (w->list[i] == w->list[k])
                return tsr_fail_at(err, TSR_UNSUPPORTED, NULL, 0, notation->result->col,
                                   "the list of coordinates of %s has %" PRIu64
                                   " twice: the entries of both would go to the same place",
                                   notation->tensor[0].name, w->list[i]);
    return TSR_OK;
}

/* Name the variable that goes through the coordinates of the tensor: "i_1". */
static void name_inner(kernel_step *step, const kernel_maker *m, int v)
{
    char made[KERNEL_STEP_MAX_NAME];
    int number = 0;
    do
        snprintf(made, sizeof made, "%.*s_%d", KERNEL_STEP_MAX_NAME - 16, m->kernel->original->var[v],
                 ++number);
    while (kernel_is_name_used(m->kernel, made));
    memcpy(step->inner, made, sizeof made);
}

uint64_t kernel_whole_dim(const kernel_maker *m, const tsr_expr *access, int k)
{
    const tsr_kernel_tensor *const given = kernel_given_for(m, access->tensor);
    const tsr_mode_window *const window = tsr_expr_window(access, k);
    const uint64_t *const dims = !given ? NULL : given->tensor ? given->tensor->dims : given->dims;
    return dims ? dims[k] : window ? window->behind : m->size[access->index[k]];
}

/* The step of the matrix of mode k of the access. */
static tsr_status make_list(kernel_step **out, const kernel_maker *m, const tsr_expr *access, int k)
{
    for (int s = 0; s < m->kernel->nsteps; s++) {
        *out = &m->kernel->step[s];
        if ((*out)->kind == KERNEL_STEP_LIST && (*out)->mode == k &&
            kernel_same_text(m->kernel, (*out)->expr, access))
            return TSR_OK;
    }
    if (!kernel_has_room(m->kernel))
        return tsr_fail(m->err, TSR_LIMIT,
                        "the expression has too many lists of coordinates: at most %d tensors and lists "
                        "together are supported",
                        TSR_NOTATION_MAX_TENSORS - 2);
    const int v = access->index[k];
    const uint64_t dims[2] = {m->size[v], kernel_whole_dim(m, access, k)};
    kernel_step *const step = *out = kernel_add_step(m->kernel);
    step->kind = KERNEL_STEP_LIST;
    step->expr = access;
    step->mode = k;
    step->turned = access == m->kernel->original->result && k == 0;
    step->type = TSR_PATTERN;
    step->order = 2;
    name_inner(step, m, v);
    for (int d = 0; d < 2; d++) {
        step->dims[d] = dims[d != step->turned];
        step->var[d] = d == step->turned ? v : -1;
    }
    const bool is_dense = step->dims[0] <= DENSE_ROWS || step->dims[0] / 4 <= dims[0];
    return tsr_format_nested(&step->format, 2, is_dense ? 1 : 0, NULL, m->err);
}

tsr_status kernel_make_lists(kernel_step **of, const kernel_maker *m, const tsr_expr *access, uint32_t modes)
{
    for (int k = 0; k < access->nindices; k++) {
        of[k] = NULL;
        if (modes >> k & 1)
            TSR_TRY(make_list(&of[k], m, access, k));
    }
    return TSR_OK;
}

void kernel_print_lists(tsr_text *text, kernel_step *const *of, const kernel_maker *m, const tsr_expr *access)
{
    for (int k = 0; k < access->nindices; k++) {
        if (!of[k])
            continue;
        tsr_text_add(text, "!!");
        kernel_step_print_access(text, of[k], m->kernel->original);
        tsr_text_add(text, "*");
    }
}

void kernel_print_listed(tsr_text *text, kernel_step *const *of, const kernel_maker *m,
                         const tsr_expr *access, const char *name)
{
    tsr_text_add(text, name);
    for (int k = 0; k < access->nindices; k++)
        tsr_text_addf(text, "%c%s", k ? ',' : '(',
                      of[k] ? of[k]->inner : m->kernel->original->var[access->index[k]]);
    tsr_text_add(text, access->nindices ? ")" : "");
}

void kernel_print_list_step(tsr_text *text, const kernel_step *step, const tsr_notation *notation)
{
    const tsr_mode_window *const w = tsr_expr_window(step->expr, step->mode);
    tsr_text_addf(text, ", the %s of %s in ",
                  !w        ? "places"
                  : w->list ? "list"
                            : "window",
                  notation->var[step->expr->index[step->mode]]);
    tsr_expr_print(text, notation, step->expr);
    tsr_text_add(text, "\n");
}

tsr_status kernel_step_list(tsr_tensor **out, const kernel_step *step, const kernel_step_input *in,
                            tsr_error *err)
{
    const tsr_mode_window *const w = tsr_expr_window(step->expr, step->mode);
    const uint64_t n = step->dims[step->turned];
    tsr_coo *coo = NULL;
    const tsr_status status = tsr_coo_new_sized(&coo, (tsr_shape){2, step->dims}, TSR_PATTERN, true, n, err);
    for (uint64_t k = 0; status == TSR_OK && k < n; k++) {
        tsr_array_set(&coo->crd[step->turned], k, k);
        tsr_array_set(&coo->crd[!step->turned], k, !w ? k : w->list ? w->list[k] : w->first + k * w->step);
    }
    if (status == TSR_OK)
        *(unsigned char *)coo->values.data = 1;
    return kernel_step_pack(out, step, coo, status, in->nthreads, err);
}
