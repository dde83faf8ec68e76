/* The terms inside the loops around all terms. */
#include "lower_merge.h"
#include "lower_term.h"

int merge_all_accesses(int *list, const merge_state *s, int *nterms)
{
    int n = 0;
    *nterms = 0;
    for (int i = 0; i < s->plan->nterms; i++) {
        const tsr_plan_term *term = &s->plan->term[i];
        *nterms += !term->empty;
        for (int k = 0; k < term->naccesses && !term->empty; k++) {
            bool seen = false;
            for (int j = 0; j < n; j++)
                seen = seen || list[j] == term->access[k];
            if (!seen)
                list[n++] = term->access[k];
        }
    }
    return n;
}

bool merge_some_term_is_free(const merge_state *s, int v)
{
    for (int i = 0; i < s->plan->nterms; i++) {
        const tsr_plan_term *term = &s->plan->term[i];
        bool walks = false;
        for (int k = 0; k < term->naccesses; k++)
            walks = walks || (s->plan->access[term->access[k]].expr->vars >> v & 1);
        if (!walks && !term->empty)
            return true;
    }
    return false;
}

void merge_terms(merge_state *s)
{
    for (int i = 0; i < s->plan->nterms; i++) {
        const tsr_plan_term *term = &s->plan->term[i];
        if (term->empty)
            continue;
        const tsr_ir_expr *guard = NULL;
        for (int k = 0; k < term->naccesses; k++) {
            const tsr_ir_expr *has = s->access[term->access[k]].has;
            bool seen = !has;
            for (int j = 0; j < k; j++)
                seen = seen || s->access[term->access[j]].has == has;
            if (!seen)
                guard = guard ? OP(AND, guard, has) : has;
        }
        for (int k = 0; k < term->nmasks; k++) {
            const merge_access *mask = &s->access[term->mask[k]];
            if (mask->depth < s->plan->view[s->plan->access[term->mask[k]].view].nlevels)
                continue; /* the loops of the term open the other levels */
            const tsr_ir_expr *free = OP(NOT, mask->has, NULL);
            guard = guard ? OP(AND, guard, free) : free;
        }
        if (guard)
            tsr_ir_if(s->ir, guard);
        lower_emit_merged(s, term);
        if (guard)
            tsr_ir_end(s->ir);
    }
}
