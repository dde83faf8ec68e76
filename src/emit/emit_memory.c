/* The memory that the function owns: heap arrays, outputs until the caller has them, parts of outputs. All of it is declared at the
 * top of the function, as NULL, and freed in one place, behind the label `fail`, which every statement jumps to that gets
 * no memory. In C++, where a goto cannot jump over declarations, a lambda of that name takes the place of the label. */
#include "emit_internal.h"

#include <stdio.h>

static bool is_owned(const tsr_ir_stmt *s)
{
    return s->kind == TSR_IR_PARTS ||
           (s->kind == TSR_IR_ARRAY && (s->array->place == TSR_IR_HEAP || s->array->place == TSR_IR_OUTPUT));
}

/* Name the room of the outputs that grow in the block, and find those that are trimmed. */
static void find_rooms(emit *e, const tsr_ir_block *block)
{
    char name[240];
    for (const tsr_ir_stmt *s = block->first; s; s = s->next) {
        if (s->kind == TSR_IR_TRIM && !e->has_limit)
            e->length[s->array->number] = s->expr;
        if (s->kind == TSR_IR_RESERVE && s->array->place == TSR_IR_OUTPUT &&
            !e->room_name[s->array->number]) {
            snprintf(name, sizeof name, "%.200s_room", e->array_name[s->array->number]);
            e->room_name[s->array->number] = emit_new_name(e, name);
        }
        find_rooms(e, &s->body);
        find_rooms(e, &s->other);
    }
}

/* Whether x depends on parameters alone, which do not change. */
static bool is_known(const tsr_ir_expr *x)
{
    return !x || ((!x->var || x->var->is_param) && !x->array && is_known(x->arg[0]) && is_known(x->arg[1]) &&
                  is_known(x->arg[2]));
}

void emit_find_memory(emit *e)
{
    char name[240];
    find_rooms(e, &e->ir->body);
    for (const tsr_ir_stmt *s = e->ir->body.first; s; s = s->next) {
        if (!is_owned(s) || emit_is_dead(e, s))
            continue;
        e->heap[e->nheap++] = s->array;
        if (s->array->place == TSR_IR_OUTPUT && s->array->length && !e->has_limit &&
            !e->length[s->array->number] && is_known(s->array->length))
            e->length[s->array->number] = s->array->length;
        if (s->kind != TSR_IR_PARTS)
            continue;
        snprintf(name, sizeof name, "%.200s_parts", e->array_name[s->array->number]);
        e->parts_name[s->array->number] = emit_new_name(e, name);
        if (!e->failed_name)
            e->failed_name = emit_new_name(e, "failed");
    }
    if (e->nheap)
        e->fail_name = emit_new_name(e, "fail");
}

/* Append the text and flush the line. */
static void put(emit *e, const char *text)
{
    tsr_text_add(&e->line, text);
    emit_flush(e);
}

/* Free an array, and the parts of an output. */
static void put_free(emit *e, const tsr_ir_array *a)
{
    tsr_text_addf(&e->line, "free(%s);", e->array_name[a->number]);
    emit_flush(e);
    if (e->parts_name[a->number]) {
        emit_use(e, EMIT_free_parts, (tsr_ir_type){TSR_IR_IS_INDEX, TSR_F64, 1});
        tsr_text_addf(&e->line, "free_parts(%s);", e->parts_name[a->number]);
        emit_flush(e);
    }
}

/* Free everything, and return 1. */
static void put_failure(emit *e)
{
    for (int i = e->nheap - 1; i >= 0; i--)
        put_free(e, e->heap[i]);
    put(e, "return 1;");
}

/* Declare the arrays of one type in one line. */
static void declare_arrays(emit *e)
{
    for (int i = 0; i < e->nheap; i++) {
        const char *const type = emit_element_type(e, e->heap[i]);
        bool seen = false;
        for (int k = 0; k < i; k++)
            seen = seen || emit_element_type(e, e->heap[k]) == type;
        if (seen)
            continue;
        tsr_text_addf(&e->line, "%s ", type);
        for (int k = i; k < e->nheap; k++)
            if (emit_element_type(e, e->heap[k]) == type)
                tsr_text_addf(&e->line, "%s*restrict %s = NULL", k > i ? ", " : "",
                              e->array_name[e->heap[k]->number]);
        put(e, ";");
    }
}

static void declare_parts(emit *e)
{
    bool any = false;
    for (int i = 0; i < e->nheap; i++) {
        const char *const name = e->parts_name[e->heap[i]->number];
        if (name)
            tsr_text_addf(&e->line, "%s*%s = NULL", any ? ", " : "tsr_rt_parts ", name);
        any = any || name;
    }
    if (!any)
        return;
    put(e, ";");
    tsr_text_addf(&e->line, "int64_t %s = 0;", e->failed_name);
    emit_flush(e);
}

void emit_declare_memory(emit *e)
{
    e->uses_null = e->nheap > 0;
    declare_arrays(e);
    declare_parts(e);
    if (!e->nheap || !e->options.cxx)
        return;
    tsr_text_addf(&e->line, "const auto %s = [&]() {", e->fail_name);
    emit_flush(e);
    e->depth++;
    put_failure(e);
    e->depth--;
    put(e, "};");
}

void emit_give_up(emit *e)
{
    tsr_text_addf(&e->line, e->options.cxx ? "return %s();" : "goto %s;", e->fail_name);
    emit_flush(e);
}

void emit_check_later(emit *e, const char *name)
{
    e->unchecked[e->nunchecked++] = name;
}

/* Whether x reads nothing but arrays of the caller that stay as they are. */
static bool reads_parameters(const tsr_ir_expr *x)
{
    return !x || ((!x->array || (x->array->place == TSR_IR_PARAM && x->array->is_const)) && !x->by &&
                  reads_parameters(x->arg[0]) && reads_parameters(x->arg[1]) && reads_parameters(x->arg[2]));
}

void emit_check_memory(emit *e, const tsr_ir_stmt *next)
{
    const bool waits = next && (is_owned(next) || next->kind == TSR_IR_JOIN ||
                                (next->kind == TSR_IR_DECLARE && reads_parameters(next->expr)));
    if (!e->nunchecked || waits)
        return;
    for (int i = 0; i < e->nunchecked; i++)
        tsr_text_addf(&e->line, "%s!%s", i ? " || " : "if (", e->unchecked[i]);
    put(e, ")");
    e->nunchecked = 0;
    e->depth++;
    emit_give_up(e);
    e->depth--;
}

void emit_end_memory(emit *e)
{
    for (int i = 0; i < e->nheap; i++)
        if (e->heap[i]->place == TSR_IR_OUTPUT) {
            const char *const name = e->array_name[e->heap[i]->number];
            const tsr_ir_expr *const n = e->length[e->heap[i]->number];
            if (n)
                tsr_text_addf(&e->line, e->options.cxx ? "*%s_out = {%s, " : "*%s_out = (tsr_rt_output){%s, ",
                              name, name);
            else
                tsr_text_addf(&e->line, "%s_out->data = %s;", name, name);
            if (n) {
                emit_expr(e, n, PREC_SELECT);
                tsr_text_add(&e->line, "};");
            }
            emit_flush(e);
        }
    for (int i = e->nheap - 1; i >= 0; i--)
        if (e->heap[i]->place != TSR_IR_OUTPUT)
            put_free(e, e->heap[i]);
    put(e, "return 0;");
    if (!e->nheap || e->options.cxx)
        return;
    e->depth--;
    tsr_text_addf(&e->line, "%s:", e->fail_name);
    emit_flush(e);
    e->depth++;
    put_failure(e);
}
