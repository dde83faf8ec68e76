/* C code for outputs that are joined from pieces, which threads append to parts: blocks of memory that grow. A thread
 * that gets no memory, or finds that another thread got none, goes to the end of the loop; join_parts finds that
 * pieces are missing. */
#include <stdio.h>

#include "emit_internal.h"

static const tsr_ir_type no_type = {TSR_IR_IS_INDEX, TSR_F64, 1};

static const char *name_after(emit *e, const tsr_ir_array *array, const char *tail)
{
    char name[240];
    snprintf(name, sizeof name, "%.200s%s", e->array_name[array->number], tail);
    return emit_new_name(e, name);
}

const tsr_ir_stmt *emit_parts(emit *e, const tsr_ir_stmt *s)
{
    const int number = s->array->number;
    const char *const name = e->parts_name[number];
    emit_use(e, EMIT_new_parts, no_type);
    tsr_text_addf(&e->line, "%s = new_parts(", name);
    emit_expr(e, s->expr, PREC_SELECT);
    tsr_text_add(&e->line, ", ");
    emit_expr(e, s->lo, PREC_SELECT);
    tsr_text_add(&e->line, ", ");
    emit_expr(e, s->hi, PREC_SELECT);
    tsr_text_addf(&e->line, ", sizeof(%s), %s, &%s);", emit_element_type(e, s->array),
                  e->has_limit ? "limit" : "NULL", e->failed_name);
    emit_flush(e);
    emit_check_later(e, name);
    if (e->has_limit) {
        emit_check_memory(e, NULL);
        emit_use(e, EMIT_reuse_parts, no_type);
        tsr_text_addf(&e->line, "reuse_parts(%s, %s_out);", name, e->array_name[number]);
        emit_flush(e);
    }
    return s;
}

const tsr_ir_stmt *emit_part(emit *e, const tsr_ir_stmt *s)
{
    const tsr_ir_array *const part = s->array;
    const char *const name = e->array_name[part->number];
    e->parts_name[part->number] = name_after(e, part, "_of");
    tsr_text_addf(&e->line, "tsr_rt_part *const %s = &%s->part[", e->parts_name[part->number],
                  e->parts_name[part->whole->number]);
    emit_expr(e, s->index, PREC_ANY);
    tsr_text_add(&e->line, "];");
    emit_flush(e);
    tsr_text_addf(&e->line, "%s *restrict %s = ", emit_element_type(e, part), name);
    if (e->options.cxx)
        tsr_text_addf(&e->line, "(%s *)", emit_element_type(e, part));
    tsr_text_addf(&e->line, "%s->data;", e->parts_name[part->number]);
    emit_flush(e);
    return s;
}

/* Emit a statement that leaves the loop of the threads, or gives up if there is no such loop. */
static void leave(emit *e)
{
    e->depth++;
    if (!e->next_part) {
        emit_give_up(e);
    } else {
        if (e->options.cxx)
            tsr_text_add(&e->line, "return;");
        else
            tsr_text_addf(&e->line, "goto %s;", e->next_part);
        emit_flush(e);
    }
    e->depth--;
}

/* Make room in an output that is stored where it stays. */
static const tsr_ir_stmt *reserve_output(emit *e, const tsr_ir_stmt *s)
{
    const char *const name = e->array_name[s->array->number], *const room = e->room_name[s->array->number];
    const emit_piece piece = e->has_limit ? EMIT_grow_output : EMIT_grow_array;
    emit_use(e, piece, no_type);
    tsr_text_addf(&e->line, "if (%s < ", room);
    emit_expr(e, s->expr, PREC_ADD);
    tsr_text_addf(&e->line, " && !(%s = ", name);
    if (e->options.cxx)
        tsr_text_addf(&e->line, "(%s *)", emit_element_type(e, s->array));
    tsr_text_addf(&e->line, "%s(%s, &%s, ", emit_piece_names[piece], name, room);
    emit_expr(e, s->expr, PREC_SELECT);
    tsr_text_addf(&e->line, ", sizeof *%s%s)))", name, e->has_limit ? ", limit" : "");
    emit_flush(e);
    leave(e);
    return s;
}

const tsr_ir_stmt *emit_reserve(emit *e, const tsr_ir_stmt *s)
{
    if (s->array->place == TSR_IR_OUTPUT)
        return reserve_output(e, s);
    const tsr_ir_array *const part = s->array;
    const char *const name = e->array_name[part->number], *const of = e->parts_name[part->number];
    emit_use(e, EMIT_grow_part, no_type);
    tsr_text_addf(&e->line, "if (%s->room < ", of);
    emit_expr(e, s->expr, PREC_ADD);
    tsr_text_addf(&e->line, " && !(%s = ", name);
    if (e->options.cxx)
        tsr_text_addf(&e->line, "(%s *)", emit_element_type(e, part));
    tsr_text_addf(&e->line, "grow_part(%s, %s, ", e->parts_name[part->whole->number], of);
    emit_expr(e, s->expr, PREC_SELECT);
    tsr_text_add(&e->line, ")))");
    emit_flush(e);
    leave(e);
    return s;
}

const tsr_ir_stmt *emit_give(emit *e, const tsr_ir_stmt *s)
{
    const tsr_ir_array *const part = s->array;
    emit_use(e, EMIT_give_part, no_type);
    tsr_text_addf(&e->line, "if (!give_part(%s, %s", e->parts_name[part->whole->number],
                  e->parts_name[part->number]);
    tsr_text_add(&e->line, ", ");
    emit_expr(e, s->index, PREC_SELECT);
    tsr_text_addf(&e->line, ", %s, ", e->array_name[part->number]);
    emit_expr(e, s->lo, PREC_SELECT);
    tsr_text_add(&e->line, ", ");
    emit_expr(e, s->hi, PREC_SELECT);
    tsr_text_add(&e->line, "))");
    emit_flush(e);
    leave(e);
    return s;
}

const tsr_ir_stmt *emit_join(emit *e, const tsr_ir_stmt *s)
{
    const tsr_ir_array *const output = s->array;
    const char *const name = e->array_name[output->number];
    emit_use(e, EMIT_join_parts, no_type);
    tsr_text_addf(&e->line, "%s = ", name);
    if (e->options.cxx)
        tsr_text_addf(&e->line, "(%s *)", emit_element_type(e, output));
    tsr_text_addf(&e->line, "join_parts(&%s_out->n, &%s);", name, e->parts_name[output->number]);
    emit_flush(e);
    emit_check_later(e, name);
    return s;
}

const tsr_ir_stmt *emit_trim(emit *e, const tsr_ir_stmt *s)
{
    const char *const name = e->array_name[s->array->number];
    if (!e->has_limit)
        return s; /* the caller learns the length at the end */
    tsr_text_addf(&e->line, "%s_out->n = ", name);
    emit_expr(e, s->expr, PREC_SELECT);
    tsr_text_add(&e->line, ";");
    emit_flush(e);
    emit_use(e, EMIT_trim_array, no_type);
    tsr_text_addf(&e->line, "%s = trim_array(%s, %s_out->n, sizeof *%s);", name, name, name, name);
    emit_flush(e);
    return s;
}

bool emit_fills_parts(const tsr_ir_block *block)
{
    for (const tsr_ir_stmt *s = block->first; s; s = s->next)
        if (s->kind == TSR_IR_ARRAY && s->array->place == TSR_IR_PART)
            return true;
    return false;
}

void emit_part_body(emit *e, const tsr_ir_stmt *s, const char *name)
{
    char label[100];
    if (e->nends++ > 0) /* labels belong to the whole function */
        snprintf(label, sizeof label, "end_of_%.80s%d", name, e->nends);
    else
        snprintf(label, sizeof label, "end_of_%.80s", name);
    e->next_part = emit_new_name(e, label);
    tsr_text_add(&e->line, " {");
    emit_flush(e);
    e->depth++;
    if (e->options.cxx) { /* where a goto cannot jump over declarations */
        tsr_text_add(&e->line, "[&]() {");
        emit_flush(e);
        e->depth++;
    }
    emit_block(e, &s->body);
    if (e->options.cxx) {
        e->depth--;
        tsr_text_add(&e->line, "}();");
        emit_flush(e);
    }
    e->depth--;
    if (!e->options.cxx) {
        tsr_text_addf(&e->line, "%s:;", e->next_part);
        emit_flush(e);
    }
    e->next_part = NULL;
}
