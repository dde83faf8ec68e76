/* Views: whether a term reads a tensor as it is given, or a copy of it in sorted levels. */
#include <stdio.h>
#include <string.h>

#include "plan_state.h"

bool plan_is_sparse(const plan_state *s, int tensor)
{
    return !tsr_format_is_dense(s->operands[tensor].binding->format);
}

double plan_nstored(const plan_state *s, int tensor)
{
    const tsr_binding *binding = s->operands[tensor].binding;
    double cells = 1, longest = 1;
    for (int m = 0; m < binding->format->order; m++) {
        cells *= (double)binding->dims[m];
        longest = (double)binding->dims[m] > longest ? (double)binding->dims[m] : longest;
    }
    if (!plan_is_sparse(s, tensor))
        return cells;
    const double guess = s->operands[tensor].nstored ? (double)s->operands[tensor].nstored : 8 * longest;
    return guess < cells ? guess : cells;
}

int plan_level_of(const tsr_plan *plan, int a, int v)
{
    const int n = plan_view_of(plan, a)->nlevels;
    int l = 0;
    while (l < n && plan_level_var(plan, a, l) != v)
        l++;
    return l < n ? l : -1;
}

int plan_list_of(const tsr_plan *plan, int a, int v)
{
    const int l = plan_level_of(plan, a, v);
    return l >= 0 && !plan_view_of(plan, a)->full[l] ? l : -1;
}

double plan_ncells(const tsr_plan *plan, const int *var, int n)
{
    double cells = 1;
    for (int k = 0; k < n; k++)
        cells *= (double)plan->size[var[k]];
    return cells;
}

bool plan_has_sorted_levels(const plan_state *s, const tsr_format *format, int *perm, const char **why)
{
    const tsr_level_type *const marks = tsr_format_marks(format);
    const char *reason;
    if (!why)
        why = &reason;
    *why = "a level of it does not store exactly one mode";
    if (!tsr_format_is_permutation(format, perm))
        return false;
    for (int l = 0; l < format->nlevels; l++) {
        const tsr_level_spec *level = &format->levels[l];
        *why = "a level of it is not sorted, or stores coordinates more than once";
        if (!level->type->full && !(marks && l + 1 == format->nlevels) &&
            (!tsr_level_lists(level->type) || level->nonunique))
            return false;
    }
    *why = "it has a dense level below a sparse level, so stored zeros stand for absent entries";
    return s->request->in_storage || !tsr_format_has_dense_leaf(format);
}

/* Whether the levels of the format are nested in the order of the loops. perm: the mode of each level. */
static bool follows_loops(const tsr_format *format, const int *perm, const tsr_expr *access,
                          const plan_rank *rank)
{
    for (int l = 1; l < format->nlevels; l++)
        if (rank->of[access->index[perm[l]]] < rank->of[access->index[perm[l - 1]]])
            return false;
    return true;
}

static bool walks_alone(const plan_state *s, const plan_rank *rank, int v, int nested);

/* Whether loops can walk the tensor of the access as it is given; else *why. perm: the mode of each level. nested: how many answers
 * about levels in any order depend on this one; the second of these is no. */
static bool is_given(const plan_state *s, const tsr_expr *access, const plan_rank *rank, int nested,
                     int *perm, const char **why)
{
    const tsr_format *const format = s->operands[access->tensor].binding->format;
    if (!plan_has_sorted_levels(s, format, perm, why))
        return false;
    *why = "its storage order differs from the order of the loops";
    if (!follows_loops(format, perm, access, rank))
        return false;
    if (!tsr_format_is_unordered(format))
        return true;
    const int last = perm[format->nlevels - 1];
    *why = "its rows may be in any order, and a loop needs their coordinates in order";
    return nested < 2 && access->mask != TSR_MASK_ABSENT /* it is searched */ &&
           !tsr_expr_window(access, last) && walks_alone(s, rank, access->index[last], nested + 1);
}

/* The number of levels in the expression over which the loop over v walks, or searches; nested: see is_given. */
static int count_walked(const plan_state *s, const tsr_expr *e, const plan_rank *rank, int v, int nested)
{
    int perm[TSR_MAX_LEVELS], n = 0;
    const char *why;
    if (!e)
        return 0;
    if (e->kind != TSR_EXPR_ACCESS)
        return count_walked(s, e->a, rank, v, nested) + count_walked(s, e->b, rank, v, nested);
    if (!plan_is_sparse(s, e->tensor))
        return 0;
    const tsr_level_spec *const level = s->operands[e->tensor].binding->format->levels;
    const bool by_level = e->mask != TSR_MASK_ABSENT && is_given(s, e, rank, nested, perm, &why);
    for (int k = 0; k < e->nindices; k++) /* by_level: k is a level, else a mode */
        n += by_level ? e->index[perm[k]] == v && !level[k].type->full : e->index[k] == v;
    return n;
}

/* Whether the loop over v is not around all terms, nor shared by threads, and walks one level, so that it can follow
 * coordinates in any order. */
static bool walks_alone(const plan_state *s, const plan_rank *rank, int v, int nested)
{
    int n = 0;
    for (int f = 0; f < rank->term->nfactors; f++)
        n += count_walked(s, rank->term->factor[f].expr, rank, v, nested);
    return n == 1 && rank->of[v] > 0 && rank->of[v] >= rank->nouter;
}

bool plan_is_concordant(const plan_state *s, const tsr_expr *access, const plan_rank *rank, const char **why)
{
    const char *reason;
    int perm[TSR_MAX_LEVELS];
    return is_given(s, access, rank, 0, perm, why ? why : &reason);
}

/* mode[0..nindices): the modes of the access, sorted by the rank of their variables. */
static void sort_modes(int *mode, const tsr_expr *access, const plan_rank *rank)
{
    for (int m = 0; m < access->nindices; m++) {
        int k = m;
        for (; k > 0 && rank->of[access->index[mode[k - 1]]] > rank->of[access->index[m]]; k--)
            mode[k] = mode[k - 1];
        mode[k] = m;
    }
}

/* The format of a copy: sorted levels in the order of the modes, the first one dense where that is not too
 * long. */
static tsr_status copy_format(tsr_format **out, plan_state *s, const tsr_expr *access, const int *mode)
{
    const tsr_binding *binding = s->operands[access->tensor].binding;
    const int n = access->nindices;
    const double first = (double)binding->dims[mode[0]], nstored = plan_nstored(s, access->tensor);
    const bool is_dense = n > 1 && (first <= PLAN_DENSE_LEVEL || first <= 4 * nstored);
    return tsr_format_nested(out, n, is_dense ? 1 : 0, mode, s->err);
}

/* Whether the view reads the tensor in the same way: as given, or (is_copy) with levels in the order
 * mode[]. */
static bool same_view(const tsr_plan_view *view, int tensor, bool is_copy, const int *mode)
{
    if (view->tensor != tensor || (view->copy != NULL) != is_copy)
        return false;
    for (int l = 0; is_copy && l < view->nlevels; l++)
        if (view->mode[l] != mode[l])
            return false;
    return true;
}

/* Name the copy after the tensor and the variables of its levels: "B_ji". */
static void name_copy(const plan_state *s, tsr_plan_view *view, const tsr_expr *access)
{
    const tsr_notation *notation = s->plan->notation;
    size_t n =
        (size_t)snprintf(view->name, sizeof view->name, "%.20s_", notation->tensor[access->tensor].name);
    for (int l = 0; l < view->nlevels && n + 5 < sizeof view->name; l++)
        n += (size_t)snprintf(view->name + n, sizeof view->name - n, "%.4s",
                              notation->var[access->index[view->mode[l]]]);
}

/* Bytes of an element that an array of indices of this width has in a program. */
static uint8_t index_nbytes(uint8_t nbytes)
{
    return nbytes == 1 || nbytes == 2 || nbytes == 4 ? nbytes : 8;
}

static tsr_status add_view(int *out, plan_state *s, const tsr_expr *access, const plan_rank *rank)
{
    tsr_plan *plan = s->plan;
    const char *why = NULL;
    const tsr_format *const asked = s->request->convert ? s->request->convert[access->tensor] : NULL;
    bool is_copy = !plan_is_concordant(s, access, rank, &why);
    int mode[TSR_MAX_LEVELS];
    if (is_copy && asked)
        return tsr_fail(
            s->err, TSR_UNSUPPORTED,
            "the schedule asks for convert(%s,%s), but the loops cannot walk %s in that format: %s "
            "(--emit=graph shows the loops, reorder(...) changes their order)",
            plan->notation->tensor[access->tensor].name, plan->schedule.convert[access->tensor],
            plan->notation->tensor[access->tensor].name, why);
    if (asked) {
        is_copy = true;
        why = "the schedule asks for it";
        tsr_format_is_permutation(asked, mode);
    } else if (is_copy)
        sort_modes(mode, access, rank);
    else
        tsr_format_is_permutation(s->operands[access->tensor].binding->format, mode);
    for (*out = 0; *out < plan->nviews; ++*out)
        if (same_view(&plan->view[*out], access->tensor, is_copy, mode))
            return TSR_OK;
    if (plan->nviews == TSR_PLAN_MAX_VIEWS)
        return tsr_fail(s->err, TSR_LIMIT,
                        "the expression reads its operands in more than %d different storage orders",
                        TSR_PLAN_MAX_VIEWS);
    tsr_plan_view *view = &plan->view[plan->nviews];
    *view =
        (tsr_plan_view){.tensor = access->tensor, .nlevels = access->nindices, .why = is_copy ? why : NULL};
    memcpy(view->mode, mode, sizeof view->mode);
    const tsr_format *format = s->operands[access->tensor].binding->format;
    if (is_copy) {
        if (asked)
            TSR_TRY(tsr_format_copy(&view->copy, asked, s->err));
        else
            TSR_TRY(copy_format(&view->copy, s, access, mode));
        format = view->copy;
        name_copy(s, view, access);
    } else {
        snprintf(view->name, sizeof view->name, "%.60s", plan->notation->tensor[access->tensor].name);
    }
    const tsr_plan_operand *const operand = &s->operands[access->tensor];
    view->marks = tsr_format_marks(format);
    for (int l = 0; l < view->nlevels; l++) {
        const int of = tsr_plan_level(plan, access->tensor, l);
        view->type[l] = format->levels[l].type;
        view->full[l] = view->type[l]->full || view->marks;
        view->pos_nbytes[l] =
            index_nbytes(view->copy ? operand->copy_nbytes : operand->nbytes[TSR_LEVEL_POS][of]);
        view->crd_nbytes[l] =
            index_nbytes(view->copy ? operand->copy_nbytes : operand->nbytes[TSR_LEVEL_CRD][of]);
    }
    view->unordered = tsr_format_is_unordered(format);
    plan->nviews++;
    return TSR_OK;
}

tsr_status plan_use_access(int *out, plan_state *s, const tsr_expr *access, const plan_rank *rank)
{
    tsr_plan *plan = s->plan;
    int view = 0;
    TSR_TRY(add_view(&view, s, access, rank));
    for (*out = 0; *out < plan->naccesses; ++*out) {
        const tsr_plan_access *other = &plan->access[*out];
        const bool same_use = (other->expr->mask == TSR_MASK_ABSENT) == (access->mask == TSR_MASK_ABSENT);
        if (other->view == view && same_use && tsr_expr_same_access(other->expr, access))
            return TSR_OK;
    }
    if (plan->naccesses == TSR_PLAN_MAX_ACCESSES)
        return tsr_fail(s->err, TSR_LIMIT,
                        "the expression has more than %d different accesses to sparse operands",
                        TSR_PLAN_MAX_ACCESSES);
    plan->access[plan->naccesses++] = (tsr_plan_access){view, access};
    return TSR_OK;
}
