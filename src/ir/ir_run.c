/* The interpreter: a program is translated to a tape (ir_tape.h), and the tape is run. */
#include <inttypes.h>

#include "ir_tape.h"
#include "tsr_alloc.h"

typedef struct tape {
    const tsr_ir *ir;
    tsr_arena arena; /* memory of slots and local arrays */
    ir_insn *code;
    size_t n, capacity;
    void **slot; /* the slot of each variable */
    ir_memory *memory;
    const tsr_ir_stmt *stmt; /* the statement being translated */
    bool failed;             /* memory ran out */
} tape;

/* ---- translating to the tape ---- */

static void *new_slot(tape *t, size_t nbytes)
{
    void *p = tsr_arena_alloc(&t->arena, nbytes);
    t->failed = t->failed || !p;
    return p;
}

/* Append an instruction; returns its number. */
static int add_insn(tape *t, ir_insn in)
{
    in.stmt = t->stmt;
    if (t->n == t->capacity) {
        const size_t capacity = t->capacity ? 2 * t->capacity : 64;
        ir_insn *code = t->failed ? NULL : tsr_realloc(t->code, capacity * sizeof *code);
        if (!code) {
            t->failed = true;
            return 0;
        }
        t->code = code;
        t->capacity = capacity;
    }
    t->code[t->n] = in;
    return (int)t->n++;
}

/* Let the instruction jump to the next instruction. */
static void jump_here(tape *t, int insn)
{
    if (!t->failed)
        t->code[insn].jump = (int)t->n;
}

static size_t lane_nbytes(tsr_ir_type type)
{
    return type.kind == TSR_IR_IS_BOOL ? 1 : type.kind == TSR_IR_IS_INDEX ? 8 : tsr_type_nbytes(type.type);
}

static const void *constant(tape *t, const tsr_ir_expr *x, void *out)
{
    if (x->op == TSR_IR_VALUE) {
        const ir_insn in = {.out = out, .x = &x->value, .lanes = 1, .from = TSR_F64, .to = x->type.type};
        ir_run_convert(NULL, &in);
    } else if (x->type.kind == TSR_IR_IS_INDEX)
        *(int64_t *)out = x->index;
    else
        *(uint8_t *)out = x->index != 0;
    (void)t;
    return out;
}

static const void *write_expr(tape *t, const tsr_ir_expr *x, void *out);

static void write_load(tape *t, const tsr_ir_expr *x, void *out)
{
    const tsr_ir_array *array = x->array;
    const bool converts = !array->is_index && array->elem != x->type.type;
    ir_insn in = {.run = ir_load_handler(array, x->type.lanes),
                  .x = write_expr(t, x->arg[0], NULL),
                  .lanes = x->type.lanes,
                  .nbytes = tsr_type_nbytes(array->elem),
                  .memory = &t->memory[array->number]};
    in.out = converts ? new_slot(t, in.nbytes * (size_t)in.lanes) : out;
    add_insn(t, in);
    if (converts)
        add_insn(t, (ir_insn){.run = ir_run_convert,
                              .out = out,
                              .x = in.out,
                              .lanes = in.lanes,
                              .from = array->elem,
                              .to = x->type.type});
}

/* Append instructions that compute x into out (NULL: a new slot); returns where the value is. A variable and
 * a constant have a slot already. */
static void write_lanes_by(tape *t, const tsr_ir_expr *x, void *out)
{
    const void *place = write_expr(t, x->arg[0], NULL), *bound = write_expr(t, x->arg[1], NULL);
    ir_lists *lists = new_slot(t, sizeof *lists);
    if (t->failed)
        return;
    lists->from[0] = &t->memory[x->by->number];
    add_insn(t, (ir_insn){.run = ir_run_lanes_by,
                          .out = out,
                          .x = place,
                          .y = bound,
                          .z = lists,
                          .lanes = x->type.lanes,
                          .nbytes = lane_nbytes(x->type),
                          .memory = x->array ? &t->memory[x->array->number] : NULL});
}

static const void *write_expr(tape *t, const tsr_ir_expr *x, void *out)
{
    if (x->op == TSR_IR_VAR)
        return t->slot[x->var->number];
    if (!out)
        out = new_slot(t, lane_nbytes(x->type) * (size_t)x->type.lanes);
    if (t->failed)
        return NULL;
    if (x->op == TSR_IR_INDEX || x->op == TSR_IR_VALUE)
        return constant(t, x, new_slot(t, TSR_MAX_VALUE_NBYTES));
    if (x->op == TSR_IR_LOAD) {
        write_load(t, x, out);
        return out;
    }
    if (x->by) {
        write_lanes_by(t, x, out);
        return out;
    }
    const void *arg[3] = {0};
    for (int i = 0; i < ir_op_nargs(x->op); i++)
        arg[i] = write_expr(t, x->arg[i], NULL);
    const tsr_ir_type operand = x->arg[0]->type;
    ir_insn in = {.out = out, .x = arg[0], .y = arg[1], .z = arg[2], .lanes = x->type.lanes};
    if (x->op == TSR_IR_SELECT) {
        in.run = ir_run_select;
        in.nbytes = lane_nbytes(x->type);
        in.jump = operand.lanes;
    } else if (x->op == TSR_IR_CONVERT) {
        in.run = ir_run_convert;
        in.from = operand.kind == TSR_IR_IS_INDEX ? TSR_I64 : operand.type;
        in.to = x->type.type;
    } else if (x->op == TSR_IR_CALL) {
        in.run = ir_run_call;
        in.z = x->function;
    } else if (x->op == TSR_IR_SPLAT) {
        in.run = ir_run_splat;
        in.nbytes = lane_nbytes(x->type);
    } else if (operand.kind == TSR_IR_IS_VALUE) {
        in.run = ir_value_handler(x->op, operand.type);
        in.lanes = operand.lanes;
    } else {
        in.run = ir_index_handler(x->op);
    }
    add_insn(t, in);
    return out;
}

/* Append instructions that compute x into out, always. */
static void write_into(tape *t, const tsr_ir_expr *x, void *out)
{
    const void *at = write_expr(t, x, out);
    if (at != out)
        add_insn(t, (ir_insn){.run = ir_run_copy,
                              .out = out,
                              .x = at,
                              .lanes = x->type.lanes,
                              .nbytes = lane_nbytes(x->type)});
}

static void write_assign(tape *t, const tsr_ir_stmt *s)
{
    void *slot = t->slot[s->var->number];
    const tsr_ir_type type = s->var->type;
    if (!s->add) {
        write_into(t, s->expr, slot);
        return;
    }
    ir_handler *run =
        ir_is_value(type) ? ir_value_handler(TSR_IR_ADD, type.type) : ir_index_handler(TSR_IR_ADD);
    const void *x = write_expr(t, s->expr, NULL);
    add_insn(t, (ir_insn){.run = run, .out = slot, .x = slot, .y = x, .lanes = type.lanes});
}

static void write_store(tape *t, const tsr_ir_stmt *s)
{
    const int lanes = s->expr->type.lanes;
    const void *index = write_expr(t, s->index, NULL), *y = write_expr(t, s->expr, NULL);
    add_insn(t, (ir_insn){.run = ir_store_handler(s->array, lanes, s->add, s->atomic),
                          .x = index,
                          .y = y,
                          .lanes = lanes,
                          .nbytes = tsr_type_nbytes(s->array->elem),
                          .memory = &t->memory[s->array->number]});
}

static void write_array(tape *t, const tsr_ir_stmt *s)
{
    ir_memory *memory = &t->memory[s->array->number];
    ir_insn in = {.run = ir_run_local, .memory = memory, .nbytes = tsr_type_nbytes(s->array->elem)};
    if (s->array->place == TSR_IR_PART) {
        memory->whole = &t->memory[s->array->whole->number];
        in.run = ir_run_part;
        in.x = write_expr(t, s->index, NULL);
    } else if (s->array->place != TSR_IR_LOCAL) {
        in.run = ir_run_heap;
        in.x = write_expr(t, s->array->length, NULL);
    } else {
        memory->length = s->array->length->index;
        memory->data = new_slot(t, (size_t)memory->length * in.nbytes);
    }
    add_insn(t, in);
}

/* Mark the arrays that a parallel loop stores into but does not declare; mark 1: stored, 2: declared
 * inside. */
static void mark_stored(unsigned char *mark, const tsr_ir_block *block)
{
    for (const tsr_ir_stmt *s = block->first; s; s = s->next) {
        if (s->kind == TSR_IR_STORE || s->kind == TSR_IR_SORT || s->kind == TSR_IR_TAKE ||
            s->kind == TSR_IR_UNITE || s->kind == TSR_IR_INTERSECT || s->kind == TSR_IR_MULTIPLY)
            mark[s->array->number] |= 1;
        if (s->kind == TSR_IR_TAKE)
            mark[s->from[0]->number] |= 1;
        if (s->kind == TSR_IR_UNITE || s->kind == TSR_IR_INTERSECT || s->kind == TSR_IR_MULTIPLY)
            mark[s->from[4]->number] |= 1;
        for (int i = 7; i < 10 && s->kind == TSR_IR_MULTIPLY && s->from[i]; i++)
            mark[s->from[i]->number] |= 1;
        if (s->kind == TSR_IR_ARRAY)
            mark[s->array->number] |= 2;
        mark_stored(mark, &s->body);
        mark_stored(mark, &s->other);
    }
}

static ir_memory *const *stored_arrays(tape *t, const tsr_ir_block *body)
{
    const size_t n = (size_t)t->ir->narrays;
    ir_memory **list = new_slot(t, (n + 1) * sizeof(ir_memory *));
    unsigned char *mark = new_slot(t, n + 1);
    if (t->failed)
        return NULL;
    mark_stored(mark, body);
    size_t k = 0;
    for (size_t a = 0; a < n; a++)
        if (mark[a] == 1)
            list[k++] = &t->memory[a];
    return list;
}

static void write_block(tape *t, const tsr_ir_block *block);

/* The number of statements in one round of a loop, for the limit of steps. */
static size_t round_steps(const tsr_ir_block *block)
{
    size_t n = 1;
    for (const tsr_ir_stmt *s = block->first; s; s = s->next)
        n++;
    return n;
}

static void write_for(tape *t, const tsr_ir_stmt *s)
{
    const bool parallel = s->marks & TSR_IR_PARALLEL;
    void *i = t->slot[s->var->number] = new_slot(t, sizeof(int64_t)), *end = new_slot(t, sizeof(int64_t));
    write_into(t, s->lo, i);
    write_into(t, s->hi, end);
    if (s->marks & TSR_IR_TAKEN) {
        const int take = add_insn(
            t, (ir_insn){.run = ir_run_taken, .out = i, .x = end, .memory = &t->memory[s->array->number]});
        write_block(t, &s->body);
        t->stmt = s;
        add_insn(t, (ir_insn){.run = ir_run_jump, .jump = take, .nbytes = round_steps(&s->body)});
        jump_here(t, take);
        return;
    }
    ir_insn in = {.run = parallel ? ir_run_parallel : ir_run_for, .out = i, .x = end};
    if (parallel)
        in.y = stored_arrays(t, &s->body);
    const int top = add_insn(t, in);
    write_block(t, &s->body);
    t->stmt = s;
    in.run = parallel ? ir_run_next_parallel : ir_run_next;
    in.jump = top + 1;
    in.nbytes = round_steps(&s->body);
    add_insn(t, in);
    jump_here(t, top);
}

static void write_while(tape *t, const tsr_ir_stmt *s)
{
    const int top = (int)t->n;
    const void *condition = write_expr(t, s->expr, NULL);
    const int test = add_insn(t, (ir_insn){.run = ir_run_unless, .x = condition});
    write_block(t, &s->body);
    t->stmt = s;
    add_insn(t, (ir_insn){.run = ir_run_jump, .jump = top, .nbytes = round_steps(&s->body)});
    jump_here(t, test);
}

static void write_if(tape *t, const tsr_ir_stmt *s)
{
    const void *condition = write_expr(t, s->expr, NULL);
    const int test = add_insn(t, (ir_insn){.run = ir_run_unless, .x = condition});
    write_block(t, &s->body);
    t->stmt = s;
    if (!s->other.first) {
        jump_here(t, test);
        return;
    }
    const int skip = add_insn(t, (ir_insn){.run = ir_run_jump});
    jump_here(t, test);
    write_block(t, &s->other);
    jump_here(t, skip);
}

static void write_declare(tape *t, const tsr_ir_stmt *s)
{
    t->slot[s->var->number] = new_slot(t, lane_nbytes(s->var->type) * (size_t)s->var->type.lanes);
    write_into(t, s->expr, t->slot[s->var->number]);
}

static void write_sort(tape *t, const tsr_ir_stmt *s)
{
    const void *lo = write_expr(t, s->lo, NULL), *hi = write_expr(t, s->hi, NULL);
    add_insn(t, (ir_insn){.run = ir_run_sort,
                          .x = lo,
                          .y = hi,
                          .nbytes = tsr_type_nbytes(s->array->elem),
                          .memory = &t->memory[s->array->number]});
}

/* Append an instruction about an array, with up to two indices. */
static void write_plain(tape *t, const tsr_ir_stmt *s, ir_handler *run, const tsr_ir_expr *x,
                        const tsr_ir_expr *y)
{
    const void *at_x = x ? write_expr(t, x, NULL) : NULL, *at_y = y ? write_expr(t, y, NULL) : NULL;
    add_insn(t, (ir_insn){.run = run,
                          .x = at_x,
                          .y = at_y,
                          .nbytes = tsr_type_nbytes(s->array->elem),
                          .memory = &t->memory[s->array->number]});
}

/* Append an instruction with the lists and the ranges of the statement. */
static void write_lists(tape *t, const tsr_ir_stmt *s, ir_handler *run)
{
    ir_lists *const lists = new_slot(t, sizeof *lists);
    if (!lists)
        return;
    *lists = (ir_lists){0};
    for (int i = 0; i < TSR_IR_MAX_FROM; i++)
        lists->from[i] = s->from[i] ? &t->memory[s->from[i]->number] : NULL;
    for (int i = 0; i < TSR_IR_MAX_RANGE; i++)
        lists->range[i] = s->range[i] ? write_expr(t, s->range[i], NULL) : NULL;
    lists->index = s->index ? write_expr(t, s->index, NULL) : NULL;
    const void *const lo = s->lo ? write_expr(t, s->lo, NULL) : NULL;
    const void *const hi = s->hi ? write_expr(t, s->hi, NULL) : NULL;
    add_insn(t, (ir_insn){.run = run, .x = lo, .y = hi, .z = lists, .memory = &t->memory[s->array->number]});
}

static void write_take(tape *t, const tsr_ir_stmt *s)
{
    write_lists(t, s, ir_run_take);
}

static void write_shift(tape *t, const tsr_ir_stmt *s)
{
    write_lists(t, s, ir_run_shift);
}

static void write_match(tape *t, const tsr_ir_stmt *s)
{
    write_lists(t, s, ir_run_match);
}

static void write_unite(tape *t, const tsr_ir_stmt *s)
{
    write_lists(t, s, ir_run_unite);
}

static void write_intersect(tape *t, const tsr_ir_stmt *s)
{
    write_lists(t, s, ir_run_intersect);
}

static void write_multiply(tape *t, const tsr_ir_stmt *s)
{
    write_lists(t, s, ir_run_multiply);
}

static void write_parts(tape *t, const tsr_ir_stmt *s)
{
    write_plain(t, s, ir_run_parts, s->expr, s->lo);
}

static void write_reserve(tape *t, const tsr_ir_stmt *s)
{
    write_plain(t, s, ir_run_reserve, s->expr, NULL);
}

static void write_give(tape *t, const tsr_ir_stmt *s)
{
    const void *lo = write_expr(t, s->lo, NULL), *hi = write_expr(t, s->hi, NULL);
    const void *piece = write_expr(t, s->index, NULL);
    add_insn(t, (ir_insn){.run = ir_run_give,
                          .x = lo,
                          .y = hi,
                          .z = piece,
                          .nbytes = tsr_type_nbytes(s->array->elem),
                          .memory = &t->memory[s->array->number]});
}

static void write_join(tape *t, const tsr_ir_stmt *s)
{
    write_plain(t, s, ir_run_join, NULL, NULL);
}

static void write_trim(tape *t, const tsr_ir_stmt *s)
{
    write_plain(t, s, ir_run_trim, s->expr, NULL);
}

static void write_prefetch(tape *t, const tsr_ir_stmt *s)
{
    write_expr(t, s->index, NULL); /* only the loads of its index */
}

static void write_comment(tape *t, const tsr_ir_stmt *s)
{
    (void)t;
    (void)s;
}

static void write_stmt(tape *t, const tsr_ir_stmt *s)
{
    static void (*const write[TSR_IR_NSTMTS])(tape *, const tsr_ir_stmt *) = {
#define X(NAME, name, text) write_##name,
#include "stmts.def"
#undef X
    };
    write[s->kind](t, s);
}

static void write_block(tape *t, const tsr_ir_block *block)
{
    for (const tsr_ir_stmt *s = block->first; s && !t->failed; s = s->next) {
        t->stmt = s;
        write_stmt(t, s);
    }
}

/* Check that index parameters, which are sizes and numbers, are not negative. */
static tsr_status check_params(const tsr_ir *ir, const tsr_ir_arg *args, tsr_error *err)
{
    for (int i = 0; i < ir->nparams; i++)
        if (ir->param[i].var && args[i].n < 0)
            return tsr_fail(err, TSR_ARGUMENT,
                            "loop program %s: parameter %s is %" PRId64 ", but must be at least 0", ir->name,
                            ir->param[i].var->name, args[i].n);
    return TSR_OK;
}

static void write_params(tape *t, const tsr_ir_arg *args)
{
    const tsr_ir *ir = t->ir;
    for (int i = 0; i < ir->nparams; i++)
        if (ir->param[i].var) {
            int64_t *n = t->slot[ir->param[i].var->number] = new_slot(t, sizeof *n);
            if (n)
                *n = args[i].n;
        } else if (ir->param[i].array->place == TSR_IR_PARAM) {
            t->memory[ir->param[i].array->number] = (ir_memory){
                .array = ir->param[i].array, .data = args[i].data, .length = args[i].n > 0 ? args[i].n : -1};
        }
    for (int i = 0; i < ir->nparams; i++) {
        const tsr_ir_array *array = ir->param[i].array;
        if (array && array->length && array->place == TSR_IR_PARAM) {
            const void *n = write_expr(t, array->length, NULL);
            add_insn(t, (ir_insn){.run = ir_run_length, .x = n, .memory = &t->memory[array->number]});
        }
    }
}

static void name_arrays(tape *t, const tsr_ir_block *block)
{
    for (const tsr_ir_stmt *s = block->first; s; s = s->next) {
        if (s->kind == TSR_IR_ARRAY || s->kind == TSR_IR_JOIN)
            t->memory[s->array->number].array = s->array;
        name_arrays(t, &s->body);
        name_arrays(t, &s->other);
    }
}

static tsr_status write_tape(tape *t, const tsr_ir_arg *args, tsr_error *err)
{
    t->slot = new_slot(t, ((size_t)t->ir->nvars + 1) * sizeof(void *));
    t->memory = new_slot(t, ((size_t)t->ir->narrays + 1) * sizeof *t->memory);
    if (!t->failed) {
        name_arrays(t, &t->ir->body);
        write_params(t, args);
        write_block(t, &t->ir->body);
        add_insn(t, (ir_insn){.run = ir_run_end});
    }
    return t->failed ? tsr_fail(err, TSR_NOMEM, "out of memory to run loop program %s", t->ir->name) : TSR_OK;
}

/* Give allocated outputs to the caller on success; free all other memory. */
static void end_memory(const tsr_ir *ir, ir_memory *memory, const tsr_ir_arg *args, bool succeeded)
{
    for (int i = 0; i < ir->nparams; i++) {
        const tsr_ir_array *array = ir->param[i].array;
        if (!array || array->place != TSR_IR_OUTPUT || !succeeded)
            continue;
        *(tsr_ir_output *)args[i].data =
            (tsr_ir_output){memory[array->number].data, memory[array->number].length};
        memory[array->number].data = NULL;
    }
    for (int a = 0; memory && a < ir->narrays; a++) {
        tsr_free(memory[a].touched);
        for (int64_t k = 0; k < memory[a].npieces; k++)
            tsr_free(memory[a].pieces[k].data);
        tsr_free(memory[a].pieces);
        if (memory[a].array && memory[a].array->place != TSR_IR_PARAM &&
            memory[a].array->place != TSR_IR_LOCAL)
            tsr_free(memory[a].data);
    }
}

tsr_status tsr_ir_run(const tsr_ir *ir, const tsr_ir_arg *args, uint64_t max_steps, tsr_error *err)
{
    tape t = {.ir = ir};
    tsr_status status;
    TSR_TRY_OUT(check_params(ir, args, err));
    TSR_TRY_OUT(write_tape(&t, args, err));
    ir_machine m = {.ir = ir,
                    .code = t.code,
                    .memory = t.memory,
                    .max_steps = max_steps ? max_steps : UINT64_MAX,
                    .err = err};
    for (const ir_insn *in = t.code; in;)
        in = in->run(&m, in);
    status = m.status;
out:
    end_memory(ir, t.memory, args, status == TSR_OK);
    tsr_free(t.code);
    tsr_arena_clear(&t.arena);
    return status;
}
