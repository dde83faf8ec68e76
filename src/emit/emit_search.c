/* Binary searches (tsr_ir_search) become functions, so that the kernel calls them instead of repeating the
 * loop. */
#include <stdio.h>
#include <string.h>

#include "emit_internal.h"

enum { MAX_FREE = 16 };

/* The arrays and variables that the searched function reads in addition to its argument; they do not
 * change. */
typedef struct free_names {
    const tsr_ir_array *array[MAX_FREE];
    const tsr_ir_var *var[MAX_FREE];
    int narrays, nvars;
} free_names;

static bool is_var(const tsr_ir_expr *x, const tsr_ir_var *var)
{
    return x && x->op == TSR_IR_VAR && x->var == var;
}

static bool is_number(const tsr_ir_expr *x, int64_t c)
{
    return x && x->op == TSR_IR_INDEX && x->index == c;
}

/* The number of reads of the variable in x. */
static int count_in(const tsr_ir_expr *x, const tsr_ir_var *var)
{
    int n = 0;
    for (int i = 0; x && i < 3; i++)
        n += count_in(x->arg[i], var);
    return n + (x && x->var == var);
}

/* The number of reads of the variable and assignments to it in the block, without statements that are left
 * out. */
static int count_uses(const emit *e, const tsr_ir_block *block, const tsr_ir_var *var)
{
    int n = 0;
    for (const tsr_ir_stmt *s = block->first; s; s = s->next) {
        if (emit_is_dead(e, s))
            continue;
        n += count_in(s->expr, var) + count_in(s->index, var) + count_in(s->lo, var) + count_in(s->hi, var);
        for (int i = 0; i < TSR_IR_MAX_RANGE; i++)
            n += count_in(s->range[i], var);
        n += s->kind == TSR_IR_ASSIGN && s->var == var;
        n += s->kind == TSR_IR_ARRAY && count_in(s->array->length, var);
        n += count_uses(e, &s->body, var) + count_uses(e, &s->other, var);
    }
    return n;
}

static int count_assignments(const tsr_ir_block *block, const tsr_ir_var *var)
{
    int n = 0;
    for (const tsr_ir_stmt *s = block->first; s; s = s->next)
        n += (s->kind == TSR_IR_ASSIGN && s->var == var) + count_assignments(&s->body, var) +
             count_assignments(&s->other, var);
    return n;
}

/* The only statement of a block, or NULL. */
static const tsr_ir_stmt *only(const tsr_ir_block *block)
{
    return block->first && !block->first->next ? block->first : NULL;
}

static bool is_assignment(const tsr_ir_stmt *s, const tsr_ir_var *var)
{
    return s && s->kind == TSR_IR_ASSIGN && !s->add && s->var == var;
}

static bool is_index(const tsr_ir_stmt *s)
{
    return s && s->kind == TSR_IR_DECLARE && s->var->type.kind == TSR_IR_IS_INDEX;
}

/* Whether the statements from s on are those that tsr_ir_search makes, beginning with `first = lo`, and
 * `end` is not used elsewhere. */
static bool match(emit_search *out, const emit *e, const tsr_ir_stmt *s)
{
    const tsr_ir_stmt *first = s, *end = s->next;
    if (!is_index(first) || !is_index(end) || !end->next || end->next->kind != TSR_IR_WHILE)
        return false;
    const tsr_ir_stmt *loop = end->next, *middle = loop->body.first;
    const tsr_ir_expr *c = loop->expr;
    if (c->op != TSR_IR_LT || !is_var(c->arg[0], first->var) || !is_var(c->arg[1], end->var) ||
        !is_index(middle) || !middle->next || middle->next->kind != TSR_IR_IF || middle->next->next)
        return false;
    const tsr_ir_expr *m = middle->expr, *half = m->op == TSR_IR_ADD ? m->arg[1] : NULL;
    const tsr_ir_expr *range = half && half->op == TSR_IR_FLOORDIV ? half->arg[0] : NULL;
    if (!range || !is_var(m->arg[0], first->var) || !is_number(half->arg[1], 2) || range->op != TSR_IR_SUB ||
        !is_var(range->arg[0], end->var) || !is_var(range->arg[1], first->var))
        return false;
    const tsr_ir_stmt *branch = middle->next, *down = only(&branch->body), *up = only(&branch->other);
    if (branch->expr->op != TSR_IR_LE || !is_assignment(down, end->var) || !is_var(down->expr, middle->var) ||
        !is_assignment(up, first->var) || up->expr->op != TSR_IR_ADD ||
        !is_var(up->expr->arg[0], middle->var) || !is_number(up->expr->arg[1], 1))
        return false;
    *out = (emit_search){.first = first,
                         .loop = loop,
                         .middle = middle->var,
                         .lo = first->expr,
                         .hi = end->expr,
                         .target = branch->expr->arg[0],
                         .there = branch->expr->arg[1]};
    const tsr_ir_stmt *const after = loop->next; /* the position is assigned, and not used otherwise */
    if (is_assignment(after, after ? after->var : NULL) && is_var(after->expr, first->var) &&
        count_uses(e, &e->ir->body, first->var) == 5) {
        out->into = after->var;
        out->loop = after;
    }
    const tsr_ir_op op = out->target->op;
    return (op == TSR_IR_VAR || op == TSR_IR_INDEX) && !is_var(out->target, middle->var) &&
           !is_var(out->target, first->var) && !is_var(out->target, end->var) &&
           count_in(out->there, first->var) + count_in(out->there, end->var) +
                   count_in(end->expr, first->var) ==
               0 &&
           count_uses(e, &e->ir->body, end->var) == 3 && count_assignments(&e->ir->body, first->var) == 1;
}

bool emit_find_search(emit_search *out, const emit *e, const tsr_ir_stmt *s)
{
    if (match(out, e, s))
        return true;
    /* the target may be a variable that is declared just before, for this search alone */
    if (!is_index(s) || s->var->is_mutable || !s->next || !match(out, e, s->next) ||
        !is_var(out->target, s->var) || count_uses(e, &e->ir->body, s->var) != 1)
        return false;
    out->target = s->expr;
    return true;
}

/* Collect the arrays and variables that x reads; false where there are too many, or one that may change. */
static bool collect(free_names *f, const tsr_ir_expr *x, const tsr_ir_var *middle)
{
    if (!x)
        return true;
    if (!collect(f, x->arg[0], middle) || !collect(f, x->arg[1], middle) || !collect(f, x->arg[2], middle))
        return false;
    if (x->op == TSR_IR_VAR && x->var != middle) {
        int i = 0;
        while (i < f->nvars && f->var[i] != x->var)
            i++;
        if (i == MAX_FREE || x->type.kind != TSR_IR_IS_INDEX)
            return false;
        f->var[i] = x->var;
        f->nvars += i == f->nvars;
    }
    if (x->op == TSR_IR_LOAD) {
        int i = 0;
        while (i < f->narrays && f->array[i] != x->array)
            i++;
        if (i == MAX_FREE || !x->array->is_index)
            return false;
        f->array[i] = x->array;
        f->narrays += i == f->narrays;
    }
    return true;
}

/* Whether the name is one of the search function's own variables. */
static bool is_ours(const char *name)
{
    return strcmp(name, "lo") == 0 || strcmp(name, "hi") == 0 || strcmp(name, "target") == 0 ||
           strcmp(name, "middle") == 0;
}

static const char head[] = "static int64_t first_pos(";

/* Append a parameter to the line, after a line break where it does not fit; *column: the column where it
 * ends. */
static void put_param(emit *e, size_t *column, const char *before, const char *name, const char *after)
{
    const size_t n = strlen(before) + strlen(name) + strlen(after);
    if (*column + n > EMIT_COLUMNS + 1) {
        e->line.nbytes--; /* drop the blank after the comma */
        tsr_text_addf(&e->line, "\n%*s", (int)strlen(head), "");
        *column = strlen(head);
    }
    *column += n;
    tsr_text_addf(&e->line, "%s%s%s", before, name, after);
}

/* Append the function's text, from the parameters on, to the line. */
static void put_function(emit *e, const emit_search *s, const free_names *f)
{
    size_t column = strlen(head);
    tsr_text_add(&e->line, "(");
    for (int i = 0; i < f->narrays; i++) {
        char before[40];
        snprintf(before, sizeof before, "const %s *", emit_element_type(e, f->array[i]));
        put_param(e, &column, before, e->array_name[f->array[i]->number], ", ");
    }
    for (int i = 0; i < f->nvars; i++)
        put_param(e, &column, "int64_t ", e->var_name[f->var[i]->number], ", ");
    put_param(e, &column, "int64_t ", "lo", ", ");
    put_param(e, &column, "int64_t ", "hi", ", ");
    put_param(e, &column, "int64_t ", "target", ")");
    tsr_text_add(&e->line, "\n{\n    while (lo < hi) {\n        const int64_t middle = lo + (hi - lo) / 2;\n"
                           "        if (target <= ");
    const char *name = e->var_name[s->middle->number];
    e->var_name[s->middle->number] = "middle";
    emit_expr(e, s->there, PREC_ADD);
    e->var_name[s->middle->number] = name;
    tsr_text_add(&e->line, ")\n            hi = middle;\n        else\n            lo = middle + 1;\n    }\n"
                           "    return lo;\n}\n\n");
}

/* The name of the search function: an existing function with the same text, or a new one; NULL: there are
 * too many. */
static const char *function_of(emit *e, const emit_search *s, const free_names *f)
{
    tsr_text before = e->line;
    e->line = (tsr_text){0};
    put_function(e, s, f);
    const char *name = NULL;
    for (int i = 0; i < e->nsearches && !name; i++)
        if (strcmp(e->search[i].text, tsr_text_cstr(&e->line)) == 0)
            name = e->search[i].name;
    if (!name && e->nsearches < EMIT_MAX_SEARCHES) {
        char *text = emit_alloc(e, e->line.nbytes + 1, 1);
        name = emit_new_name(e, "first_pos");
        if (text && e->status == TSR_OK) {
            memcpy(text, tsr_text_cstr(&e->line), e->line.nbytes + 1);
            e->search[e->nsearches++] = (emit_search_function){name, text};
        }
    }
    if (e->line.failed)
        emit_fail(e, TSR_NOMEM, "out of memory for a kernel's text");
    tsr_text_clear(&e->line);
    e->line = before;
    return name;
}

bool emit_put_search(emit *e, const emit_search *s)
{
    free_names f = {.narrays = 0};
    if (!collect(&f, s->there, s->middle))
        return false;
    for (int i = 0; i < f.narrays; i++)
        if (is_ours(e->array_name[f.array[i]->number]))
            return false;
    for (int i = 0; i < f.nvars; i++)
        if (is_ours(e->var_name[f.var[i]->number]))
            return false;
    const char *name = function_of(e, s, &f);
    if (!name)
        return false;
    if (s->into)
        tsr_text_addf(&e->line, "%s = ", e->var_name[s->into->number]);
    else if (count_uses(e, &e->ir->body, s->first->var) > 4) /* the position is used after the search, too */
        tsr_text_addf(&e->line, "const int64_t %s = ", e->var_name[s->first->var->number]);
    else
        tsr_text_add(&e->line, "(void)");
    tsr_text_addf(&e->line, "%s(", name);
    for (int i = 0; i < f.narrays; i++)
        tsr_text_addf(&e->line, "%s, ", e->array_name[f.array[i]->number]);
    for (int i = 0; i < f.nvars; i++)
        tsr_text_addf(&e->line, "%s, ", e->var_name[f.var[i]->number]);
    emit_expr(e, s->lo, PREC_SELECT);
    tsr_text_add(&e->line, ", ");
    emit_expr(e, s->hi, PREC_SELECT);
    tsr_text_add(&e->line, ", ");
    emit_expr(e, s->target, PREC_SELECT);
    tsr_text_add(&e->line, ");");
    emit_flush(e);
    return true;
}

void emit_put_searches(const emit *e, tsr_text *out)
{
    if (e->nsearches)
        tsr_text_add(
            out,
            "/* The first position in [lo, hi) at which the searched sequence, which never decreases, is at\n"
            " * least the target; hi where there is none. */\n");
    for (int i = 0; i < e->nsearches; i++)
        tsr_text_addf(out, "static int64_t %s%s", e->search[i].name, e->search[i].text);
}
