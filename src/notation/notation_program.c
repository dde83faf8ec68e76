/* Several statements: "T(i,k) = A(i,j)*X(j,k); y(i) = T(i,k)*T(i,k)". A definition, "A(i,j) : i + j", is none of them: its formula
 * replaces the accesses behind it. Each statement has a notation of its own; the notation of all
 * together has the result of the last one, the tensors that no statement makes as operands, and as its right side the product
 * of their accesses, which tells names, orders and sizes, and not what is computed. */
#include <inttypes.h>
#include <string.h>

#include "notation_internal.h"

typedef struct program {
    const char *text;
    tsr_error *err;
    int n;
    /* owned; each text has blanks in place of the statements before, so that columns count in the whole text */
    tsr_notation *of[TSR_NOTATION_MAX_STATEMENTS];
    int ndefinitions;
    tsr_notation *definition[TSR_NOTATION_MAX_STATEMENTS]; /* owned */
} program;

static const char *made_by(const program *p, int k)
{
    return p->of[k]->tensor[0].name;
}

/* Parse the n bytes at `begin` as one more statement or definition. */
static tsr_status add_statement(program *p, const char *begin, size_t n, const tsr_function_list *functions)
{
    tsr_text text = {0};
    const bool defines = notation_begins_definition(begin);
    int *const count = defines ? &p->ndefinitions : &p->n;
    if (*count == TSR_NOTATION_MAX_STATEMENTS)
        return tsr_fail_at(p->err, TSR_LIMIT, NULL, 0, (uint64_t)(begin - p->text) + 1, "more than %d %s",
                           TSR_NOTATION_MAX_STATEMENTS, defines ? "formulas" : "statements");
    if (strspn(begin, " \t\r\n") >= n)
        return tsr_fail_at(p->err, TSR_SYNTAX, NULL, 0, (uint64_t)(begin - p->text) + 1,
                           "missing statement: ';' stands between statements");
    for (const char *s = p->text; s < begin; s++)
        tsr_text_add_n(&text, " ", 1);
    tsr_text_add_n(&text, begin, n);
    const notation_given given = {functions, p->ndefinitions, p->definition, defines};
    tsr_status status = tsr_text_status(&text, p->err);
    if (status == TSR_OK)
        status = notation_parse_given(defines ? &p->definition[*count] : &p->of[*count], tsr_text_cstr(&text),
                                      &given, p->err);
    tsr_text_clear(&text);
    if (status == TSR_OK)
        ++*count;
    return status;
}

/* The statement before `end` that makes a tensor of this name; -1: there is none. */
static int maker_of(const program *p, const char *name, int end)
{
    for (int k = 0; k < end; k++)
        if (strcmp(made_by(p, k), name) == 0)
            return k;
    return -1;
}

/* Check what statement k makes: once, before it is read, and for a statement behind it. */
static tsr_status check_made(const program *p, int k)
{
    const tsr_notation *const own = p->of[k];
    const char *const name = made_by(p, k);
    const uint64_t col = own->result->col;
    bool is_read = k == p->n - 1;
    if (maker_of(p, name, k) >= 0)
        return tsr_fail_at(p->err, TSR_ARGUMENT, NULL, 0, col,
                           "statement %d makes '%s' already: give this result another name",
                           maker_of(p, name, k) + 1, name);
    for (int other = 0; other < p->n; other++) {
        const int t = tsr_notation_find_tensor(p->of[other], name);
        if (t > 0 && other < k)
            return tsr_fail_at(p->err, TSR_ARGUMENT, NULL, 0, p->of[other]->tensor[t].col,
                               "'%s' is read before statement %d makes it: put that statement first", name,
                               k + 1);
        is_read = is_read || t > 0;
    }
    if (!is_read)
        return tsr_fail_at(
            p->err, TSR_ARGUMENT, NULL, 0, col,
            "no statement behind this one reads '%s': leave this statement out, or put it last", name);
    if (k < p->n - 1 && own->accumulate && !own->reduction)
        return tsr_fail_at(p->err, TSR_ARGUMENT, NULL, 0, col,
                           "'%s' has no values before this statement to which += adds: use =", name);
    if (k < p->n - 1 && tsr_expr_has_window(own->result, false))
        return tsr_fail_at(p->err, TSR_UNSUPPORTED, NULL, 0, col,
                           "only the result of the last statement may have a window, not '%s'", name);
    return TSR_OK;
}

/* Check that tensor t of statement k has as many indices as in the statements before, and that no name is both a tensor and an index. */
static tsr_status check_tensor(const program *p, int k, int t)
{
    const tsr_notation_tensor *const tensor = &p->of[k]->tensor[t];
    for (int other = 0; other < p->n; other++) {
        const int found = tsr_notation_find_tensor(p->of[other], tensor->name);
        const int var = tsr_notation_find_var(p->of[other], tensor->name);
        if (var >= 0)
            return tsr_fail_at(p->err, TSR_ARGUMENT, NULL, 0, p->of[other]->var_col[var],
                               "'%s' is a tensor in statement %d and cannot also be an index variable",
                               tensor->name, k + 1);
        if (found >= 0 && other < k && p->of[other]->tensor[found].order != tensor->order)
            return tsr_fail_at(p->err, TSR_ARGUMENT, NULL, 0, tensor->col,
                               "'%s' has %d indices here but %d in statement %d", tensor->name, tensor->order,
                               p->of[other]->tensor[found].order, other + 1);
    }
    return TSR_OK;
}

static tsr_status check_all(const program *p)
{
    for (int k = 0; k < p->n; k++) {
        for (int t = 0; t < p->of[k]->ntensors; t++)
            TSR_TRY(check_tensor(p, k, t));
        TSR_TRY(check_made(p, k));
    }
    return TSR_OK;
}

/* Append the accesses of operands in e, a part of statement k, unless they are there. */
static void add_accesses(tsr_text *text, const program *p, int k, const tsr_expr *e)
{
    if (!e)
        return;
    if (e->kind == TSR_EXPR_ACCESS && maker_of(p, p->of[k]->tensor[e->tensor].name, p->n) < 0) {
        tsr_text access = {0};
        tsr_text_addf(&access, "*%.*s*", (int)(e->end - e->col), p->of[k]->text + e->col - 1);
        if (access.failed || text->failed)
            text->failed = true;
        else if (!strstr(tsr_text_cstr(text), tsr_text_cstr(&access)))
            tsr_text_add(text, tsr_text_cstr(&access) + 1);
        tsr_text_clear(&access);
    }
    add_accesses(text, p, k, e->a);
    add_accesses(text, p, k, e->b);
}

/* *out: the notation of all statements together, without them. */
static tsr_status parse_together(tsr_notation **out, const program *p, const tsr_function_list *functions)
{
    tsr_text text = {0};
    const tsr_notation *const last = p->of[p->n - 1];
    tsr_expr_print(&text, last, last->result);
    tsr_text_add(&text, " = *");
    const size_t begin = text.nbytes;
    for (int k = 0; k < p->n; k++) {
        add_accesses(&text, p, k, p->of[k]->rhs);
        add_accesses(&text, p, k, p->of[k]->where);
    }
    tsr_text_add(&text, text.nbytes == begin ? "1*" : "");
    tsr_status status = tsr_text_status(&text, p->err);
    if (status == TSR_OK) {
        text.s[begin - 1] = ' ';
        text.s[--text.nbytes] = '\0';
        status = tsr_notation_parse_with(out, tsr_text_cstr(&text), functions, p->err);
    }
    if (status != TSR_OK && p->err)
        p->err->col = 0; /* the column would be in a text that the caller has not written */
    tsr_text_clear(&text);
    return status;
}

/* Give the notation of all together the statements, which it owns. */
static tsr_status take_statements(tsr_notation *to, program *p)
{
    tsr_notation **const list = tsr_arena_alloc(to->arena, sizeof p->of);
    if (!list)
        return tsr_fail(p->err, TSR_NOMEM, "out of memory: statements");
    const tsr_notation *const last = p->of[p->n - 1];
    memcpy(list, p->of, sizeof p->of);
    to->statement = list;
    to->nstatements = p->n;
    to->accumulate = last->accumulate;
    to->reduction = last->reduction;
    to->is_truth = last->is_truth;
    to->selection = last->selection;
    to->where =
        last->where; /* its variables are those of the result, which have the same numbers; tensors have others */
    p->n = 0;
    return TSR_OK;
}

static tsr_status make_program(tsr_notation **out, program *p, const tsr_function_list *functions)
{
    TSR_TRY(check_all(p));
    TSR_TRY(parse_together(out, p, functions));
    const tsr_status status = take_statements(*out, p);
    if (status != TSR_OK)
        tsr_notation_free(*out);
    return status;
}

tsr_status tsr_program_parse(tsr_notation **out, const char *text, const tsr_function_list *functions,
                             tsr_error *err)
{
    program p = {.text = text, .err = err};
    tsr_notation *together = NULL;
    tsr_status status = TSR_OK;
    *out = NULL;
    if (!strchr(text, ';') || strlen(text) > TSR_NOTATION_MAX_NBYTES)
        return tsr_notation_parse_with(out, text, functions, err);
    for (const char *s = text; s && status == TSR_OK; s = s[strcspn(s, ";")] ? s + strcspn(s, ";") + 1 : NULL)
        status = add_statement(&p, s, strcspn(s, ";"), functions);
    if (status == TSR_OK && p.n == 0)
        status = tsr_fail(err, TSR_SYNTAX, "missing statement: there are only formulas, which store nothing");
    if (status == TSR_OK && p.n == 1 && p.ndefinitions > 0)
        together = p.of[--p.n];
    if (status == TSR_OK && !together)
        status = make_program(&together, &p, functions);
    if (status == TSR_OK)
        *out = together;
    for (int k = 0; k < p.n; k++)
        tsr_notation_free(p.of[k]);
    for (int k = 0; k < p.ndefinitions; k++)
        tsr_notation_free(p.definition[k]);
    return status;
}
