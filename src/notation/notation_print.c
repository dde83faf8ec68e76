/* Prints notation as text. */
#include "notation_internal.h"

#include <inttypes.h>
#include <string.h>

/* The precedence of each kind, and the text between its operands. */
static const struct {
    int rank;
    const char *sign;
} kinds[] = {
    [TSR_EXPR_ADD] = {1, " + "},   [TSR_EXPR_SUB] = {1, " - "}, [TSR_EXPR_MUL] = {2, "*"},
    [TSR_EXPR_DIV] = {2, "/"},     [TSR_EXPR_NEG] = {3, "-"},   [TSR_EXPR_NUMBER] = {4, NULL},
    [TSR_EXPR_ACCESS] = {4, NULL}, [TSR_EXPR_CALL] = {4, NULL}, [TSR_EXPR_VAR] = {4, NULL},
    [TSR_EXPR_BAND] = {4, NULL},
};

static void print_ranked(tsr_text *text, const tsr_notation *notation, const tsr_expr *expr, int rank);

static void print_call(tsr_text *text, const tsr_notation *notation, const tsr_expr *call)
{
    tsr_text_addf(text, "%s(", call->function->name);
    print_ranked(text, notation, call->a, 0);
    if (call->b) {
        tsr_text_add(text, ", ");
        print_ranked(text, notation, call->b, 0);
    }
    tsr_text_add(text, ")");
}

/* "(2,8)", "(2,8,3)" or "({7,0})". */
static void print_window(tsr_text *text, const tsr_mode_window *window)
{
    tsr_text_add(text, "(");
    for (uint64_t k = 0; window->list && k < window->n; k++)
        tsr_text_addf(text, "%s%" PRIu64, k ? "," : "{", window->list[k]);
    if (window->list)
        tsr_text_add(text, "}");
    else
        tsr_text_addf(text, "%" PRIu64 ",%" PRIu64, window->first, window->behind);
    if (!window->list && window->step > 1)
        tsr_text_addf(text, ",%" PRIu64, window->step);
    tsr_text_add(text, ")");
}

static void print_access(tsr_text *text, const tsr_notation *notation, const tsr_expr *access)
{
    tsr_text_add(text, access->mask == TSR_MASK_ABSENT ? "!" : access->mask == TSR_MASK_STORED ? "!!" : "");
    tsr_text_add(text, notation->tensor[access->tensor].name);
    for (int k = 0; k < access->nindices; k++) {
        tsr_text_add(text, k ? "," : "(");
        tsr_text_add(text, notation->var[access->index[k]]);
        if (tsr_expr_window(access, k))
            print_window(text, tsr_expr_window(access, k));
    }
    if (access->nindices)
        tsr_text_add(text, ")");
}

/* cond ? first : second */
static void print_choice(tsr_text *text, const tsr_notation *notation, const tsr_expr *choice)
{
    const tsr_expr *part[3];
    (void)notation_take_choice(&part[0], &part[1], &part[2], choice);
    for (int k = 0; k < 3; k++) {
        tsr_text_add(text, k == 0 ? "" : k == 1 ? " ? " : " : ");
        if (part[k])
            print_ranked(text, notation, part[k], k == 0 ? 1 : 0);
        else
            tsr_text_add(text, "0");
    }
}

/* Print in parentheses if the precedence is lower than `rank`. */
static void print_ranked(tsr_text *text, const tsr_notation *notation, const tsr_expr *expr, int rank)
{
    const tsr_expr *part;
    const bool is_choice = notation_take_choice(&part, &part, &part, expr);
    const int own = is_choice ? 0 : kinds[expr->kind].rank;
    if (own < rank)
        tsr_text_add(text, "(");
    if (is_choice)
        print_choice(text, notation, expr);
    else if (expr->kind == TSR_EXPR_NUMBER)
        tsr_text_add(text, expr->spelling);
    else if (expr->kind == TSR_EXPR_ACCESS)
        print_access(text, notation, expr);
    else if (expr->kind == TSR_EXPR_VAR)
        tsr_text_add(text, notation->var[expr->index[0]]);
    else if (expr->kind == TSR_EXPR_BAND)
        notation_print_band(text, notation, expr);
    else if (expr->kind == TSR_EXPR_CALL)
        print_call(text, notation, expr);
    else {
        if (expr->b)
            print_ranked(text, notation, expr->a, own);
        tsr_text_add(text, kinds[expr->kind].sign);
        print_ranked(text, notation, expr->b ? expr->b : expr->a, expr->b ? own + 1 : own);
    }
    if (own < rank)
        tsr_text_add(text, ")");
}

void tsr_expr_print(tsr_text *text, const tsr_notation *notation, const tsr_expr *expr)
{
    print_ranked(text, notation, expr, 0);
}

void tsr_expr_print_factor(tsr_text *text, const tsr_notation *notation, const tsr_expr *expr)
{
    print_ranked(text, notation, expr, kinds[TSR_EXPR_NEG].rank);
}

void tsr_notation_print_assignment(tsr_text *text, const tsr_notation *notation)
{
    const tsr_selection *const s = &notation->selection;
    if (notation->reduction)
        tsr_text_addf(text, " %s= ", notation->reduction->name);
    else if (s->gives_place)
        tsr_text_addf(text, " %s(%s%s)= ", s->least ? "argmin" : "argmax", notation->var[s->var],
                      s->by_abs ? ", abs" : "");
    else if (s->n > 0)
        tsr_text_addf(text, " %s(%" PRIu64 "%s)= ", s->least ? "bottom" : "top", s->n,
                      s->by_abs ? ", abs" : "");
    else
        tsr_text_add(text, notation->is_truth ? " |= " : notation->accumulate ? " += " : " = ");
}

void tsr_notation_print_where(tsr_text *text, const tsr_notation *notation)
{
    if (!notation->where)
        return;
    tsr_text_add(text, " where ");
    tsr_expr_print(text, notation, notation->where);
}

void tsr_notation_print(tsr_text *text, const tsr_notation *notation)
{
    for (int k = 0; k < notation->nstatements; k++) {
        tsr_text_add(text, k > 0 ? "; " : "");
        tsr_notation_print(text, notation->statement[k]);
    }
    if (notation->nstatements > 0)
        return;
    tsr_expr_print(text, notation, notation->result);
    tsr_notation_print_assignment(text, notation);
    tsr_expr_print(text, notation, notation->rhs);
    tsr_notation_print_where(text, notation);
}
