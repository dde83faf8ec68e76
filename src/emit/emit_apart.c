/* The body of a parallel loop as a function. gcc 12 forgets in a parallel region that arrays do not overlap (restrict) and
 * that a loop shall be unrolled; in a function it knows both. So a body with a loop that is marked TSR_IR_TWICE becomes a
 * function, whose parameters are the variables and arrays of the program that the body uses. */
#include <stdio.h>

#include "emit_internal.h"

/* What a body uses: by number, 1: uses, 2: declares. */
typedef struct uses {
    unsigned char *var, *array;    /* nvars, narrays elements */
    const tsr_ir_var **of_var;     /* nvars elements: the variables that are used */
    const tsr_ir_array **of_array; /* narrays elements */
    bool is_fit;                   /* the body allocates nothing */
} uses;

enum { USED = 1, DECLARED = 2 };

static void see_var(uses *u, const tsr_ir_var *var, unsigned how)
{
    if (!var)
        return;
    u->var[var->number] |= (unsigned char)how;
    u->of_var[var->number] = var;
}

static void see_array(uses *u, const tsr_ir_array *array, unsigned how)
{
    if (!array)
        return;
    u->array[array->number] |= (unsigned char)how;
    u->of_array[array->number] = array;
}

static void see_expr(uses *u, const tsr_ir_expr *x)
{
    if (!x)
        return;
    see_var(u, x->var, USED);
    see_array(u, x->array, USED);
    see_array(u, x->by, USED);
    for (int i = 0; i < 3; i++)
        see_expr(u, x->arg[i]);
}

static void see_block(uses *u, const emit *e, const tsr_ir_block *block)
{
    for (const tsr_ir_stmt *s = block->first; s; s = s->next) {
        if (emit_is_dead(e, s))
            continue;
        if (s->kind == TSR_IR_ARRAY && s->array->place != TSR_IR_LOCAL)
            u->is_fit = false;
        see_var(u, s->var, s->kind == TSR_IR_DECLARE || s->kind == TSR_IR_FOR ? DECLARED : USED);
        see_array(u, s->array, s->kind == TSR_IR_ARRAY ? DECLARED : USED);
        see_expr(u, s->index);
        see_expr(u, s->lo);
        see_expr(u, s->hi);
        see_expr(u, s->expr);
        for (int i = 0; i < TSR_IR_MAX_FROM; i++)
            see_array(u, s->from[i], USED);
        for (int i = 0; i < TSR_IR_MAX_RANGE; i++)
            see_expr(u, s->range[i]);
        see_block(u, e, &s->body);
        see_block(u, e, &s->other);
    }
}

static bool has_marked_loop(const tsr_ir_block *block)
{
    for (const tsr_ir_stmt *s = block->first; s; s = s->next)
        if (s->marks & TSR_IR_TWICE || has_marked_loop(&s->body) || has_marked_loop(&s->other))
            return true;
    return false;
}

/* What the body of the loop uses; false after a failure. */
static bool find_uses(uses *u, emit *e, const tsr_ir_stmt *loop)
{
    const size_t nvars = (size_t)e->ir->nvars, narrays = (size_t)e->ir->narrays;
    *u = (uses){.var = emit_alloc(e, nvars, 1),
                .array = emit_alloc(e, narrays, 1),
                .of_var = emit_alloc(e, nvars, sizeof(tsr_ir_var *)),
                .of_array = emit_alloc(e, narrays, sizeof(tsr_ir_array *)),
                .is_fit = true};
    if (e->status != TSR_OK)
        return false;
    see_block(u, e, &loop->body);
    return true;
}

bool emit_is_apart(emit *e, const tsr_ir_stmt *loop)
{
    uses u;
    return loop->marks & TSR_IR_PARALLEL && has_marked_loop(&loop->body) && find_uses(&u, e, loop) &&
           u.is_fit;
}

/* Append a parameter to the function's head, or an argument to the call. */
static void put_var(emit *e, bool is_head, const tsr_ir_var *var)
{
    if (is_head)
        tsr_text_addf(&e->line, "%s ", emit_c_type(e, var->type));
    tsr_text_add(&e->line, e->var_name[var->number]);
}

static void put_array(emit *e, bool is_head, const tsr_ir_array *a)
{
    if (is_head)
        tsr_text_addf(&e->line, "%s%s *restrict ", a->is_const ? "const " : "", emit_element_type(e, a));
    tsr_text_add(&e->line, e->array_name[a->number]);
}

/* Append all of them, the variables first. */
static void put_uses(emit *e, bool is_head, const uses *u)
{
    int n = 0;
    for (int i = 0; i < e->ir->nvars; i++)
        if (u->var[i] == USED) {
            tsr_text_add(&e->line, n++ ? ", " : "");
            put_var(e, is_head, u->of_var[i]);
        }
    for (int i = 0; i < e->ir->narrays; i++)
        if (u->array[i] == USED) {
            tsr_text_add(&e->line, n++ ? ", " : "");
            put_array(e, is_head, u->of_array[i]);
        }
}

void emit_apart(emit *e, const tsr_ir_stmt *loop)
{
    uses u;
    char wanted[240];
    if (++e->napart > 1)
        snprintf(wanted, sizeof wanted, "%.200s_part%d", e->name, e->napart);
    else
        snprintf(wanted, sizeof wanted, "%.200s_part", e->name);
    const char *const name = emit_new_name(e, wanted);
    if (!find_uses(&u, e, loop))
        return;
    emit_flush(e);
    e->depth++;
    tsr_text_addf(&e->line, "%s(", name);
    put_uses(e, false, &u);
    tsr_text_add(&e->line, ");");
    emit_flush(e);
    e->depth--;

    const tsr_text caller = e->body;
    const int depth = e->depth;
    e->body = (tsr_text){0};
    e->depth = 0;
    tsr_text_addf(&e->line, "%sstatic void %s(", e->options.entry ? "TSR_RT_APART " : "", name);
    put_uses(e, true, &u);
    tsr_text_add(&e->line, ")");
    emit_flush(e);
    tsr_text_add(&e->body, "{\n");
    e->depth = 1;
    emit_block(e, &loop->body);
    tsr_text_addf(&e->apart, "/* One iteration of a parallel loop. */\n%s}\n\n", tsr_text_cstr(&e->body));
    if (e->body.failed)
        emit_fail(e, TSR_NOMEM, "out of memory for a kernel's text");
    tsr_text_clear(&e->body);
    e->body = caller;
    e->depth = depth;
}

void emit_put_private(emit *e, const tsr_ir_stmt *loop)
{
    uses u;
    int n = 0;
    if (emit_is_apart(e, loop) || !find_uses(&u, e, loop))
        return;
    for (int i = 0; i < e->nheap; i++) {
        const int number = e->heap[i]->number;
        if (u.array[number] == USED)
            tsr_text_addf(&e->line, "%s%s", n++ ? ", " : " firstprivate(", e->array_name[number]);
    }
    tsr_text_add(&e->line, n ? ")" : "");
}
