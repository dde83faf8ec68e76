/* C code for outputs that are joined from parts. Each part is a block of memory that grows, and belongs to
 * one thread. A thread that gets no memory goes to the end of the loop and does not hand over its parts;
 * join_parts finds that they are missing. */
#include <stdio.h>

#include "emit_internal.h"

static const tsr_ir_type no_type = {TSR_IR_IS_INDEX, TSR_F64, 1};

static const char *name_after(emit *e, const tsr_ir_array *array, const char *tail)
{
    char name[240];
    snprintf(name, sizeof name, "%.200s%s", e->array_name[array->number], tail);
    return emit_new_name(e, name);
}

void emit_free_parts(emit *e, const tsr_ir_array *output)
{
    emit_use(e, EMIT_free_parts, no_type);
    tsr_text_addf(&e->line, "free_parts(%s, ", e->parts_name[output->number]);
    emit_expr(e, e->nparts[output->number], PREC_SELECT);
    tsr_text_add(&e->line, ");");
}

/* Emit "if (!name) { free all; return 1; }". */
static void check(emit *e, const char *name)
{
    tsr_text_addf(&e->line, e->nheap ? "if (!%s) {" : "if (!%s)", name);
    emit_flush(e);
    e->depth++;
    emit_give_up(e);
    e->depth--;
    if (e->nheap) {
        tsr_text_add(&e->line, "}");
        emit_flush(e);
    }
}

const tsr_ir_stmt *emit_parts(emit *e, const tsr_ir_stmt *s)
{
    const int number = s->array->number;
    const char *const name = name_after(e, s->array, "_parts");
    emit_use(e, EMIT_new_parts, no_type);
    tsr_text_addf(&e->line, "tsr_rt_part *const %s = new_parts(", name);
    emit_expr(e, s->expr, PREC_SELECT);
    tsr_text_add(&e->line, ");");
    emit_flush(e);
    check(e, name);
    e->parts_name[number] = name;
    e->nparts[number] = s->expr;
    e->heap[e->nheap++] = s->array;
    return s;
}

/* Append "parts[t]" for the part. */
static void put_number(emit *e, const tsr_ir_array *part, const tsr_ir_expr *number)
{
    tsr_text_addf(&e->line, "%s[", e->parts_name[part->whole->number]);
    emit_expr(e, number, PREC_ANY);
    tsr_text_add(&e->line, "]");
}

const tsr_ir_stmt *emit_part(emit *e, const tsr_ir_stmt *s)
{
    const tsr_ir_array *const part = s->array;
    const char *const name = e->array_name[part->number];
    e->room_name[part->number] = name_after(e, part, "_room");
    e->parts_name[part->number] = name_after(e, part, "_of");
    emit_use(e, EMIT_tsr_rt_part, no_type);
    tsr_text_addf(&e->line, "tsr_rt_part *const %s = &", e->parts_name[part->number]);
    put_number(e, part, s->index);
    tsr_text_add(&e->line, ";");
    emit_flush(e);
    tsr_text_addf(&e->line, "%s *restrict %s = NULL;", emit_element_type(e, part), name);
    emit_flush(e);
    tsr_text_addf(&e->line, "int64_t %s = 0;", e->room_name[part->number]);
    emit_flush(e);
    return s;
}

const tsr_ir_stmt *emit_reserve(emit *e, const tsr_ir_stmt *s)
{
    const tsr_ir_array *const part = s->array;
    const char *const name = e->array_name[part->number], *const room = e->room_name[part->number];
    emit_use(e, EMIT_grow_part, no_type);
    tsr_text_addf(&e->line, "if (%s < ", room);
    emit_expr(e, s->expr, PREC_ADD);
    tsr_text_add(&e->line, ") {");
    emit_flush(e);
    e->depth++;
    tsr_text_addf(&e->line, "%s = ", name);
    if (e->options.cxx)
        tsr_text_addf(&e->line, "(%s *)", emit_element_type(e, part));
    tsr_text_addf(&e->line, "grow_part(%s, &%s, ", e->parts_name[part->number], room);
    emit_expr(e, s->expr, PREC_SELECT);
    tsr_text_addf(&e->line, ", sizeof *%s, %s);", name, e->has_limit ? "limit" : "NULL");
    emit_flush(e);
    if (e->next_part) {
        tsr_text_addf(&e->line, "if (!%s)", name);
        emit_flush(e);
        tsr_text_add(&e->line, "    ");
        if (e->options.cxx)
            tsr_text_add(&e->line, "return;");
        else
            tsr_text_addf(&e->line, "goto %s;", e->next_part);
        emit_flush(e);
    } else {
        check(e, name);
    }
    e->depth--;
    tsr_text_add(&e->line, "}");
    emit_flush(e);
    return s;
}

const tsr_ir_stmt *emit_give(emit *e, const tsr_ir_stmt *s)
{
    const tsr_ir_array *const part = s->array;
    const char *const of = e->parts_name[part->number];
    tsr_text_addf(&e->line, "%s->from = ", of);
    emit_expr(e, s->lo, PREC_SELECT);
    tsr_text_add(&e->line, ";");
    emit_flush(e);
    tsr_text_addf(&e->line, "%s->to = ", of);
    emit_expr(e, s->hi, PREC_SELECT);
    tsr_text_add(&e->line, ";");
    emit_flush(e);
    return s;
}

const tsr_ir_stmt *emit_join(emit *e, const tsr_ir_stmt *s)
{
    const tsr_ir_array *const output = s->array;
    const char *const name = e->array_name[output->number];
    int kept = 0;
    emit_use(e, EMIT_join_parts, no_type);
    tsr_text_addf(&e->line, "%s *restrict const %s = ", emit_element_type(e, output), name);
    if (e->options.cxx)
        tsr_text_addf(&e->line, "(%s *)", emit_element_type(e, output));
    tsr_text_addf(&e->line, "join_parts(&%s_out->n, %s, ", name, e->parts_name[output->number]);
    emit_expr(e, e->nparts[output->number], PREC_SELECT);
    tsr_text_addf(&e->line, ", sizeof *%s, %s);", name, e->has_limit ? "limit" : "NULL");
    emit_flush(e);
    e->nparts[output->number] = NULL;
    for (int i = 0; i < e->nheap; i++)
        if (e->heap[i] != output)
            e->heap[kept++] = e->heap[i];
    e->nheap = kept;
    check(e, name);
    e->heap[e->nheap++] = output;
    return s;
}

bool emit_fills_parts(const tsr_ir_block *block)
{
    for (const tsr_ir_stmt *s = block->first; s; s = s->next)
        if (s->kind == TSR_IR_ARRAY && s->array->place == TSR_IR_PART)
            return true;
    return false;
}
