/* Statements in storage coordinates: operands are merged where they are stored.
 *
 * `storage` accepts a statement whose tensors store the same expressions of its variables in their levels, such as i floordiv 4 and
 * i mod 4 for bcsr(4,4). It is the same over these expressions as variables: C(i,j) = A(i,j) + B(i,j) becomes
 * C(i1,j1,i2,j2) = A(i1,j1,i2,j2) + B(i1,j1,i2,j2), and no map is left. This holds
 *   - if each expression has one variable, and all accesses with this variable have the same expressions of it: they determine it,
 *     so equal storage coordinates are equal coordinates;
 *   - or if all accesses have all of the expressions, in which case the whole coordinates are equal (diagonals: j - i).
 * Each variable of which expressions store parts must be one of a sparse operand in each term: cells that are padding are absent there.
 * A statement that stays the same, over plain coordinates, is left as it is: copies may pay, which there are none of here. */
#include <stdio.h>
#include <string.h>

#include "rules_internal.h"

/* The expressions that the access has; of: those with this variable; -1: all. */
static uint32_t stored_in(const tsr_rules_levels *levels, int a, int of)
{
    uint32_t set = 0;
    for (int l = 0; l < levels->access[a].nlevels; l++) {
        const int v = levels->access[a].var[l];
        if (of < 0 || (levels->of[v] >> of & 1))
            set |= UINT32_C(1) << v;
    }
    return set;
}

/* Whether all accesses have all expressions that have variables. */
static bool has_all(const tsr_rules_levels *levels)
{
    bool all = true;
    uint32_t mapped = 0;
    for (int v = 0; v < levels->nvars; v++)
        mapped |= levels->of[v] ? UINT32_C(1) << v : 0;
    for (int a = 0; a < levels->naccesses; a++)
        all = all && (levels->access[a].nlevels == 0 || (stored_in(levels, a, -1) & mapped) == mapped);
    return all;
}

/* Whether equal storage coordinates are equal coordinates. */
static bool determines(const rewriting *r, const tsr_rules_levels *levels)
{
    bool separable = true;
    for (int v = 0; v < levels->nvars; v++)
        separable = separable && !(levels->of[v] & (levels->of[v] - 1));
    if (!separable)
        return has_all(levels);
    for (int i = 0; i < r->notation->nvars; i++) {
        uint32_t first = 0;
        for (int a = 0; a < levels->naccesses; a++) {
            const uint32_t set = stored_in(levels, a, i);
            if (set && first && set != first)
                return false;
            first = first ? first : set;
        }
    }
    return true;
}

/* Whether each term is absent in padding: a sparse operand has each variable of which an expression stores a part. */
static bool skips_padding(const rewriting *r, const tsr_rules_levels *levels)
{
    uint32_t mapped = 0;
    const uint32_t free = tsr_notation_free_vars(r->notation);
    for (int v = 0; v < levels->nvars; v++)
        mapped |= levels->plain >> v & 1 ? 0 : levels->of[v];
    for (int i = 0; i < levels->terms->nterms; i++) {
        const tsr_term *const term = &levels->terms->term[i];
        uint32_t covered = 0;
        for (int f = 0; f < term->nfactors; f++) {
            const tsr_expr *const e = term->factor[f].expr;
            if (e->kind == TSR_EXPR_ACCESS && !term->factor[f].inverse && e->mask != TSR_MASK_ABSENT &&
                r->of->sparse >> e->tensor & 1)
                covered |= e->vars;
        }
        if ((term->vars | free) & mapped & ~covered)
            return false;
    }
    return true;
}

/* Whether an access has one variable twice. */
static bool has_diagonal(const tsr_rules_levels *levels)
{
    bool has = false;
    for (int a = 0; a < levels->naccesses; a++) {
        const tsr_expr *const e = levels->access[a].expr;
        uint32_t seen = 0;
        for (int k = 0; k < e->nindices; k++) {
            has = has || (seen >> e->index[k] & 1);
            seen |= UINT32_C(1) << e->index[k];
        }
    }
    return has;
}

static bool is_used(const rewriting *r, const tsr_rules_levels *levels, int n, const char *name)
{
    for (int v = 0; v < n; v++)
        if (strcmp(levels->name[v], name) == 0)
            return true;
    return tsr_notation_find_var(r->notation, name) >= 0 || tsr_notation_find_tensor(r->notation, name) >= 0;
}

/* Name variable v after those of the expression: "i1", "ij2". */
static void name_var(const rewriting *r, tsr_rules_levels *levels, int v)
{
    char stem[TSR_RULES_NAME] = "", made[TSR_RULES_NAME];
    if (!levels->of[v])
        snprintf(stem, sizeof stem, "one");
    for (int k = 0; k < r->notation->nvars; k++)
        if (levels->of[v] >> k & 1)
            snprintf(stem + strlen(stem), sizeof stem - strlen(stem), "%.6s", r->notation->var[k]);
    stem[TSR_RULES_NAME - 8] = '\0';
    for (int number = 1; !(levels->plain >> v & 1); number++) {
        snprintf(made, sizeof made, "%.20s%d", stem, number);
        if (!is_used(r, levels, v, made)) {
            memcpy(levels->name[v], made, sizeof made);
            return;
        }
    }
    snprintf(levels->name[v], sizeof levels->name[v], "%.30s", stem);
}

static void print_access(rewriting *r, const tsr_rules_levels *levels, int a)
{
    tsr_text_add(&r->right, r->notation->tensor[levels->access[a].expr->tensor].name);
    for (int l = 0; l < levels->access[a].nlevels; l++)
        tsr_text_addf(&r->right, "%c%s", l ? ',' : '(', levels->name[levels->access[a].var[l]]);
    tsr_text_add(&r->right, levels->access[a].nlevels ? ")" : "");
}

tsr_status rule_storage(bool *fits, rewriting *r)
{
    tsr_rules_levels *const levels = r->of->levels;
    const tsr_notation *const notation = r->notation;
    const bool is_plain = levels->plain == (uint32_t)((UINT64_C(1) << levels->nvars) - 1);
    if (levels->nvars > TSR_NOTATION_MAX_ORDER || has_diagonal(levels) || !determines(r, levels) ||
        !skips_padding(r, levels) || !(levels->is_other || (!is_plain && has_all(levels))))
        return TSR_OK;
    uint32_t at = notation->rhs_col;
    for (int v = 0; v < levels->nvars; v++)
        name_var(r, levels, v);
    print_access(r, levels, 0);
    tsr_text_add(&r->right, notation->accumulate ? " += " : " = ");
    for (int a = 1; a < levels->naccesses; a++) {
        tsr_text_add_n(&r->right, notation->text + at - 1, levels->access[a].expr->col - at);
        print_access(r, levels, a);
        at = levels->access[a].expr->end;
    }
    tsr_text_add(&r->right, notation->text + at - 1);
    r->is_all = true;
    *fits = true;
    return TSR_OK;
}
