/* Statements about lists, as calls of pieces: the marks that are set, the equal elements of two lists, the positions of pieces, the sum
 * of two rows, the product of a row and a matrix. */
#include <inttypes.h>

#include "emit_internal.h"

/* Append the text and flush the line. */
static void put(emit *e, const char *s)
{
    tsr_text_add(&e->line, s);
    emit_flush(e);
}

/* Append the address of an element, cast if the caller's array has signed elements. */
static void unsigned_address(emit *e, const tsr_ir_array *a, const tsr_ir_expr *index)
{
    if (e->options.signed_index && a->is_index)
        tsr_text_addf(&e->line, "(const %s *)", emit_c_elem(a->elem));
    emit_address(e, a, index);
}

static void arguments(emit *e, const tsr_ir_expr *const *x, int n)
{
    for (int i = 0; i < n; i++) {
        tsr_text_add(&e->line, ", ");
        emit_expr(e, x[i], PREC_SELECT);
    }
}

/* The array whose only element the statement sets to the number of elements that it appends; NULL: none. */
static const tsr_ir_array *number_of(const tsr_ir_stmt *s)
{
    if (s->kind == TSR_IR_TAKE)
        return s->from[1];
    return s->kind == TSR_IR_UNITE || s->kind == TSR_IR_INTERSECT || s->kind == TSR_IR_MULTIPLY ? s->from[5]
                                                                                                : NULL;
}

void emit_find_numbers(emit *e, const tsr_ir_block *block)
{
    const tsr_ir_array *declared = NULL; /* by the statement before, with one element */
    for (const tsr_ir_stmt *s = block->first; s; s = s->next) {
        const tsr_ir_array *const number = number_of(s);
        if (s->array && s->kind != TSR_IR_ARRAY)
            e->is_number[s->array->number] = false;
        for (int i = 0; i < TSR_IR_MAX_FROM; i++)
            if (s->from[i])
                e->is_number[s->from[i]->number] = s->from[i] == number && number == declared;
        const bool is_one = s->kind == TSR_IR_ARRAY && s->array->place == TSR_IR_LOCAL &&
                            s->array->is_index && s->array->length->index == 1;
        declared = is_one ? s->array : NULL;
        emit_find_numbers(e, &s->body);
        emit_find_numbers(e, &s->other);
    }
}

/* Begin the statement: what the number is assigned to. */
static void put_number(emit *e, const tsr_ir_stmt *s)
{
    const int number = number_of(s)->number;
    tsr_text_addf(&e->line, e->is_number[number] ? "const int64_t %s = " : "%s[0] = (uint64_t)",
                  e->array_name[number]);
}

const tsr_ir_stmt *emit_take(emit *e, const tsr_ir_stmt *s)
{
    emit_use(e, EMIT_take_u32, tsr_ir_value_type(s->array->elem));
    put_number(e, s);
    tsr_text_addf(&e->line, "take_%s(", tsr_type_name(s->array->elem));
    emit_address(e, s->array, s->index);
    tsr_text_addf(&e->line, ", %s", e->array_name[s->from[0]->number]);
    arguments(e, (const tsr_ir_expr *const[]){s->lo, s->hi, s->range[0]}, 3);
    put(e, ");");
    return s;
}

const tsr_ir_stmt *emit_shift(emit *e, const tsr_ir_stmt *s)
{
    emit_use(e, EMIT_shift_positions_u32, tsr_ir_value_type(s->array->elem));
    tsr_text_addf(&e->line, "shift_positions_%s(", tsr_type_name(s->array->elem));
    if (e->options.signed_index)
        tsr_text_addf(&e->line, "(%s *)", emit_c_elem(s->array->elem));
    tsr_text_addf(&e->line, "%s, ", e->array_name[s->array->number]);
    emit_address(e, s->from[0], s->range[0]);
    tsr_text_add(&e->line, ", ");
    emit_address(e, s->from[0], s->range[1]);
    arguments(e, s->range + 2, 2);
    arguments(e, &s->expr, 1);
    put(e, ");");
    return s;
}

const tsr_ir_stmt *emit_match(emit *e, const tsr_ir_stmt *s)
{
    const tsr_ir_expr zero = {.op = TSR_IR_INDEX, .type = s->range[0]->type};
    emit_use(e, EMIT_match_u32, tsr_ir_value_type(s->from[0]->elem));
    tsr_text_addf(&e->line, "match_%s(%s, %" PRId64 ", ", tsr_type_name(s->from[0]->elem),
                  e->array_name[s->array->number], (s->array->length->index - 3) / 2);
    unsigned_address(e, s->from[0], &zero);
    arguments(e, s->range, 2);
    tsr_text_add(&e->line, ", ");
    unsigned_address(e, s->from[1], &zero);
    arguments(e, s->range + 2, 2);
    put(e, ");");
    return s;
}

/* The cast of an array of signed integers to the unsigned ones that wrap around; else nothing. */
static void put_wrapping(emit *e, tsr_type type, bool is_const)
{
    if (tsr_type_class(type) == 'I')
        tsr_text_addf(&e->line, "(%s%s *)", is_const ? "const " : "", emit_c_elem(emit_unsigned_of(type)));
}

/* Begin the call of a piece that appends to two lists and returns the number of elements appended. */
static void put_appends(emit *e, const tsr_ir_stmt *s, const char *piece)
{
    put_number(e, s);
    tsr_text_addf(&e->line, "%s_%s(", piece, tsr_type_name(s->array->elem));
    emit_address(e, s->array, s->index);
    tsr_text_add(&e->line, ", ");
    put_wrapping(e, s->from[4]->elem, false);
    emit_address(e, s->from[4], s->index);
}

/* An argument: the address of the first element of an array of coordinates. */
static void put_list(emit *e, const tsr_ir_stmt *s, int from)
{
    const tsr_ir_expr zero = {.op = TSR_IR_INDEX, .type = s->index->type};
    tsr_text_add(&e->line, ", ");
    unsigned_address(e, s->from[from], &zero);
}

/* The pieces that unite and intersect rows of such values, and the first parts of their names. */
typedef struct row_piece {
    emit_piece piece;
    const char *name;
} row_piece;

static const row_piece *row_piece_of(tsr_ir_stmt_kind kind, tsr_type type)
{
    static const row_piece pieces[2][4] = {{{EMIT_unite_u32, "unite"},
                                            {EMIT_unite_f32_u32, "unite_f32"},
                                            {EMIT_unite_w32_u32, "unite_w32"},
                                            {EMIT_unite_w64_u32, "unite_w64"}},
                                           {{EMIT_intersect_u32, "intersect"},
                                            {EMIT_intersect_f32_u32, "intersect_f32"},
                                            {EMIT_intersect_w32_u32, "intersect_w32"},
                                            {EMIT_intersect_w64_u32, "intersect_w64"}}};
    const bool is_real = tsr_type_class(type) == 'R', is_narrow = tsr_type_nbytes(type) == 4;
    return &pieces[kind == TSR_IR_INTERSECT][is_real ? is_narrow : 3 - is_narrow];
}

/* An argument: the factor of a row; NULL: 1. */
static void put_factor(emit *e, const tsr_ir_expr *x)
{
    tsr_text_add(&e->line, ", ");
    if (!x) {
        tsr_text_add(&e->line, "1");
        return;
    }
    if (tsr_type_class(x->type.type) == 'I')
        tsr_text_addf(&e->line, "(%s)", emit_c_elem(emit_unsigned_of(x->type.type)));
    emit_expr(e, x, PREC_PREFIX);
}

const tsr_ir_stmt *emit_unite(emit *e, const tsr_ir_stmt *s)
{
    const tsr_type type = s->from[4]->elem;
    const row_piece *const row = row_piece_of(s->kind, type);
    emit_use(e, row->piece, tsr_ir_value_type(s->array->elem));
    put_appends(e, s, row->name);
    for (int i = 0; i < 2; i++) {
        put_list(e, s, i);
        tsr_text_add(&e->line, ", ");
        put_wrapping(e, type, true);
        tsr_text_add(&e->line, e->array_name[s->from[2 + i]->number]);
        arguments(e, s->range + 2 * i, 2);
        if (s->kind == TSR_IR_UNITE)
            put_factor(e, s->range[4 + i]);
    }
    put(e, ");");
    return s;
}

const tsr_ir_stmt *emit_multiply(emit *e, const tsr_ir_stmt *s)
{
    const bool is_narrow = !s->from[7];
    emit_use(e, is_narrow ? EMIT_multiply_narrow_u32 : EMIT_multiply_u32, tsr_ir_value_type(s->array->elem));
    if (!is_narrow)
        emit_use(e, EMIT_sort_u32, tsr_ir_value_type(TSR_U32));
    put_appends(e, s, is_narrow ? "multiply_narrow" : "multiply");
    arguments(e, s->range + 2, 2);
    put_list(e, s, 0);
    tsr_text_addf(&e->line, ", %s", e->array_name[s->from[2]->number]);
    arguments(e, s->range, 2);
    put_list(e, s, 6);
    put_list(e, s, 1);
    tsr_text_addf(&e->line, ", %s", e->array_name[s->from[3]->number]);
    if (!is_narrow)
        arguments(e, s->range + 5, 1);
    for (int i = 7; i < 10 && !is_narrow; i++) {
        tsr_text_add(&e->line, ", ");
        emit_address(e, s->from[i], s->range[4]);
    }
    if (!is_narrow)
        arguments(e, s->range + 6, 2);
    put(e, ");");
    return s;
}
