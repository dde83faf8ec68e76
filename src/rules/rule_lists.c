/* Lists of coordinates. An access with a list reads the tensor at coordinates that a matrix of the list selects: row k of the matrix
 * has one entry, at the coordinate number k of the list. So A(i({7,0}),j) is !!T1_(i,i_1)*A(i_1,j), a product that loops merge as any
 * other (the rule `parts` finds them).
 *
 * `lists` accepts a result at the coordinates of lists: y(i({7,0})) = b(i) becomes y(i_1) = !!T1_(i_1,i)*(b(i)), whose matrix is
 * transposed. A matrix of this kind also stands for a window beside a list; and for a window or a repeated index on the left where
 * entries are added to those of a sparse result, or summed in another semiring than plus-times. */
#include <inttypes.h>

#include "rules_internal.h"

/* Check that the list of the mode has no coordinate twice. */
static tsr_status check_list(const rewriting *r, const tsr_expr *access, int mode)
{
    const tsr_mode_window *const w = tsr_expr_window(access, mode);
    for (uint64_t i = 0; w && w->list && i < w->n; i++)
        for (uint64_t k = 0; k < i; k++)
            if (w->list[i] == w->list[k])
                return tsr_fail_at(r->err, TSR_UNSUPPORTED, NULL, 0, access->col,
                                   "the list of coordinates of %s has %" PRIu64
                                   " twice: the entries of both would go to the same place",
                                   r->notation->tensor[access->tensor].name, w->list[i]);
    return TSR_OK;
}

tsr_status rule_make_lists(const tsr_rules_made **list, rewriting *r, const tsr_expr *access, uint32_t modes)
{
    for (int k = 0; k < access->nindices; k++) {
        tsr_rules_step step = rule_step(0, NULL);
        tsr_text text = {0};
        list[k] = NULL;
        if (!(modes >> k & 1))
            continue;
        step.kind = TSR_RULES_LIST;
        step.type = TSR_PATTERN;
        step.expr = access;
        step.mode = k;
        tsr_expr_print(&text, r->notation, access);
        TSR_TRY(rule_make(&list[k], r, &step, &text));
    }
    return TSR_OK;
}

void rule_print_lists(tsr_text *text, const rewriting *r, const tsr_rules_made *const *list,
                      const tsr_expr *access)
{
    for (int k = 0; k < access->nindices; k++) {
        if (!list[k])
            continue;
        const char *const var = r->notation->var[access->index[k]];
        const bool turned = access == r->notation->result && k == 0;
        tsr_text_addf(text, "!!%s(%s,%s)*", list[k]->name, turned ? list[k]->inner : var,
                      turned ? var : list[k]->inner);
    }
}

void rule_print_listed(tsr_text *text, const rewriting *r, const tsr_rules_made *const *list,
                       const tsr_expr *access, const char *name)
{
    tsr_text_add(text, name);
    for (int k = 0; k < access->nindices; k++)
        tsr_text_addf(text, "%c%s", k ? ',' : '(',
                      list[k] ? list[k]->inner : r->notation->var[access->index[k]]);
    tsr_text_add(text, access->nindices ? ")" : "");
}

uint32_t rule_windows_of(const tsr_expr *access)
{
    uint32_t modes = 0;
    for (int k = 0; k < access->nindices; k++)
        modes |= tsr_expr_window(access, k) ? UINT32_C(1) << k : 0;
    return modes;
}

/* Whether entries of a sparse result on a diagonal are added to others, or summed in another semiring than plus-times. */
static bool sets_diagonal(const rewriting *r)
{
    return (r->of->sparse & 1) && (r->notation->accumulate || r->of->ring != &tsr_semirings[0]);
}

/* The modes of the result whose coordinates come from a matrix. */
static uint32_t selected_modes(const rewriting *r)
{
    const tsr_expr *const result = r->notation->result;
    uint32_t modes = rule_adds(r) || tsr_expr_has_window(result, true) ? rule_windows_of(result) : 0;
    for (int k = 0; k < result->nindices && sets_diagonal(r); k++)
        if (tsr_expr_mode(result, result->index[k]) < k)
            modes |= UINT32_C(1) << k;
    return modes;
}

tsr_status rule_lists(bool *fits, rewriting *r)
{
    const tsr_notation *const notation = r->notation;
    const uint32_t modes = selected_modes(r);
    if (!modes)
        return TSR_OK;
    for (int k = 0; k < notation->result->nindices; k++)
        if (modes >> k & 1)
            TSR_TRY(check_list(r, notation->result, k));
    *fits = true;
    return rule_make_lists(r->list, r, notation->result, modes);
}
