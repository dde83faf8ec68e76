/* Builds programs: the builder, names, parameters, statements and blocks. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "ir_internal.h"
#include "tsr_alloc.h"

/* ---- the builder ---- */

void *ir_fault(tsr_ir_builder *b, tsr_status status, const char *format, ...)
{
    if (b && b->fault == TSR_OK) {
        va_list args;
        va_start(args, format);
        vsnprintf(b->why, sizeof b->why, format, args);
        va_end(args);
        b->fault = status;
    }
    return NULL;
}

void *ir_alloc(tsr_ir_builder *b, size_t nbytes)
{
    void *p = tsr_arena_alloc(&b->arena, nbytes);
    return p ? p : ir_fault(b, TSR_NOMEM, "out of memory for a loop program");
}

static bool works(const tsr_ir_builder *b)
{
    return b && b->fault == TSR_OK;
}

static bool open_block(tsr_ir_builder *b, tsr_ir_stmt *stmt, tsr_ir_block *block)
{
    const int depth = b->frame ? b->frame->depth + 1 : 0;
    if (depth > IR_MAX_NESTING) {
        ir_fault(b, TSR_LIMIT, "blocks are nested more than %d deep", IR_MAX_NESTING);
        return false;
    }
    ir_frame *frame = ir_alloc(b, sizeof *frame);
    if (!frame)
        return false;
    *frame = (ir_frame){.up = b->frame, .stmt = stmt, .block = block, .depth = depth};
    b->frame = frame;
    return true;
}

static void end_names(ir_frame *frame)
{
    for (ir_name *name = frame->names; name; name = name->other)
        name->is_live = false;
    frame->names = NULL;
}

tsr_ir_builder *tsr_ir_builder_new(const char *name)
{
    tsr_ir_builder *b = tsr_calloc(1, sizeof *b);
    if (!b)
        return NULL;
    b->params_end = &b->params;
    b->ir = ir_alloc(b, sizeof *b->ir);
    if (b->ir && open_block(b, NULL, &b->ir->body)) {
        b->ir->builder = b;
        b->ir->name = ir_new_name(b, name, true);
    }
    return b;
}

void tsr_ir_builder_free(tsr_ir_builder *b)
{
    if (!b)
        return;
    tsr_arena_clear(&b->arena);
    tsr_free(b);
}

static tsr_status finish(tsr_ir_builder *b, const char *header, tsr_error *err)
{
    if (!b)
        return tsr_fail(err, TSR_NOMEM, "out of memory for a loop program");
    if (works(b) && b->frame->up)
        ir_fault(b, TSR_ARGUMENT, "a block of the program is not closed");
    tsr_ir *ir = b->ir;
    tsr_ir_param *param = works(b) ? ir_alloc(b, (size_t)(ir->nparams + 1) * sizeof *param) : NULL;
    header = header ? header : "";
    if (works(b)) {
        int i = 0;
        for (const ir_param_node *p = b->params; p; p = p->next)
            param[i++] = p->param;
        ir->param = param;
        ir->header = tsr_arena_strndup(&b->arena, header, strlen(header));
        if (!ir->header)
            ir_fault(b, TSR_NOMEM, "out of memory for a loop program");
    }
    if (!works(b))
        return tsr_fail(err, b->fault, "%s", b->why);
    return tsr_ir_verify(ir, err);
}

tsr_status tsr_ir_finish(tsr_ir **out, tsr_ir_builder *b, const char *header, tsr_error *err)
{
    const tsr_status status = finish(b, header, err);
    *out = status == TSR_OK ? b->ir : NULL;
    if (status != TSR_OK)
        tsr_ir_builder_free(b);
    return status;
}

void tsr_ir_round_products(tsr_ir_builder *b)
{
    if (works(b))
        b->ir->rounds_products = true;
}

void tsr_ir_free(tsr_ir *ir)
{
    if (!ir)
        return;
    tsr_ir_builder *const own = ir->builder; /* the memory of both programs may have each other's struct */
    tsr_ir_free(ir->plain);
    tsr_ir_builder_free(own);
}

void tsr_ir_exchange(tsr_ir *x, tsr_ir *y)
{
    const tsr_ir kept = *x;
    *x = *y;
    *y = kept;
    x->builder->ir = x;
    y->builder->ir = y;
}

void tsr_ir_ask_vectors(tsr_ir_builder *b, int nbytes)
{
    if (works(b))
        b->ir->vector_nbytes = nbytes;
}

/* ---- names ---- */

static ir_name *find_name(const tsr_ir_builder *b, const char *text, size_t *bucket)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (const char *p = text; *p; p++)
        hash = (hash ^ (unsigned char)*p) * 16777619u;
    *bucket = hash % IR_NBUCKETS;
    ir_name *name = b->bucket[*bucket];
    while (name && strcmp(name->text, text) != 0)
        name = name->next;
    return name;
}

static bool is_name(const char *s)
{
    if (!isalpha((unsigned char)*s) && *s != '_')
        return false;
    while (isalnum((unsigned char)*s) || *s == '_')
        s++;
    return *s == '\0';
}

const char *ir_new_name(tsr_ir_builder *b, const char *name, bool is_forever)
{
    if (!name || !is_name(name) || strlen(name) > 200)
        return ir_fault(b, TSR_ARGUMENT, "'%.200s' is not a valid name", name ? name : "(null)");
    char text[240];
    const size_t n = strlen(name);
    snprintf(text, sizeof text, "%s", name);
    size_t bucket;
    ir_name *found;
    for (int k = 2;
         (found = find_name(b, text, &bucket)) && (is_forever || found->is_live || found->is_forever); k++)
        snprintf(text, sizeof text, "%s%s%d", name, isdigit((unsigned char)name[n - 1]) ? "_" : "", k);
    if (!found) {
        char *copy = tsr_arena_strndup(&b->arena, text, strlen(text));
        found = copy ? ir_alloc(b, sizeof *found) : NULL;
        if (!found)
            return ir_fault(b, TSR_NOMEM, "out of memory for a loop program");
        *found = (ir_name){.next = b->bucket[bucket], .text = copy};
        b->bucket[bucket] = found;
    }
    found->is_live = true;
    found->is_forever = is_forever;
    if (!is_forever) {
        found->other = b->frame->names;
        b->frame->names = found;
    }
    return found->text;
}

/* ---- parameters ---- */

static void add_param(tsr_ir_builder *b, tsr_ir_param param)
{
    ir_param_node *node = ir_alloc(b, sizeof *node);
    if (!node)
        return;
    node->param = param;
    *b->params_end = node;
    b->params_end = &node->next;
    b->ir->nparams++;
}

static const tsr_ir_var *new_var(tsr_ir_builder *b, const char *name, tsr_ir_type type, bool is_param,
                                 bool is_mutable)
{
    const char *text = works(b) ? ir_new_name(b, name, is_param) : NULL;
    tsr_ir_var *var = text ? ir_alloc(b, sizeof *var) : NULL;
    if (var)
        *var = (tsr_ir_var){text, type, is_param, is_mutable, b->ir->nvars++};
    return var;
}

const tsr_ir_var *ir_copy_var(tsr_ir_builder *b, const tsr_ir_var *var, bool is_new_name)
{
    if (is_new_name || !works(b))
        return new_var(b, var->name, var->type, false, var->is_mutable);
    tsr_ir_var *const copy = ir_alloc(b, sizeof *copy);
    if (copy) {
        *copy = *var;
        copy->number = b->ir->nvars++;
    }
    return copy;
}

static const tsr_ir_array *new_array(tsr_ir_builder *b, tsr_ir_array array)
{
    if (!works(b))
        return NULL;
    const char elem_class = tsr_type_class(array.elem);
    if ((unsigned)array.elem >= TSR_NTYPES || (array.is_index && elem_class != 'U'))
        return ir_fault(b, TSR_ARGUMENT, "array '%s' cannot hold %s", array.name, tsr_type_name(array.elem));
    array.name = ir_new_name(b, array.name, array.place != TSR_IR_LOCAL);
    tsr_ir_array *a = array.name ? ir_alloc(b, sizeof *a) : NULL;
    if (a) {
        *a = array;
        a->number = b->ir->narrays++;
    }
    return a;
}

const tsr_ir_expr *tsr_ir_index_param(tsr_ir_builder *b, const char *name)
{
    const tsr_ir_var *var = new_var(b, name, ir_index_type, true, false);
    if (var)
        add_param(b, (tsr_ir_param){.var = var});
    return tsr_ir_read(b, var);
}

const tsr_ir_array *tsr_ir_array_param(tsr_ir_builder *b, const char *name, bool is_index, tsr_type elem,
                                       bool is_const, const tsr_ir_expr *length)
{
    const tsr_ir_array *array = new_array(b, (tsr_ir_array){.name = name,
                                                            .is_index = is_index,
                                                            .elem = elem,
                                                            .is_const = is_const,
                                                            .place = TSR_IR_PARAM,
                                                            .length = length});
    if (array)
        add_param(b, (tsr_ir_param){.array = array});
    return array;
}

const tsr_ir_array *tsr_ir_output_param(tsr_ir_builder *b, const char *name, bool is_index, tsr_type elem)
{
    const tsr_ir_array *array = new_array(
        b, (tsr_ir_array){.name = name, .is_index = is_index, .elem = elem, .place = TSR_IR_OUTPUT});
    if (array)
        add_param(b, (tsr_ir_param){.array = array});
    return array;
}

void ir_set_length(tsr_ir_builder *b, const tsr_ir_array *array, const tsr_ir_expr *length)
{
    if (works(b) && array && length)
        ((tsr_ir_array *)(uintptr_t)array)->length = length; /* an output, made by tsr_ir_output_param */
}

/* ---- statements ---- */

/* Add a copy of *s to the innermost block. */
static tsr_ir_stmt *add_stmt(tsr_ir_builder *b, const tsr_ir_stmt *s)
{
    if (!works(b))
        return NULL;
    tsr_ir_stmt *copy = ir_alloc(b, sizeof *copy);
    if (!copy)
        return NULL;
    *copy = *s;
    tsr_ir_block *block = b->frame->block;
    if (block->last)
        block->last->next = copy;
    else
        block->first = copy;
    block->last = copy;
    return copy;
}

/* Whether the object that a statement needs is given. If it is NULL although the builder has not failed, the
 * caller made an error. */
static bool needs(tsr_ir_builder *b, const void *thing, const char *what)
{
    if (works(b) && !thing)
        ir_fault(b, TSR_ARGUMENT, "%s is missing", what);
    return works(b);
}

const tsr_ir_expr *tsr_ir_declare(tsr_ir_builder *b, const char *name, const tsr_ir_expr *x, bool is_mutable)
{
    if (!needs(b, x, "the value of a declaration"))
        return NULL;
    const tsr_ir_var *var = new_var(b, name, x->type, false, is_mutable);
    if (!var)
        return NULL;
    add_stmt(b, &(tsr_ir_stmt){.kind = TSR_IR_DECLARE, .var = var, .expr = x});
    return tsr_ir_read(b, var);
}

void tsr_ir_assign(tsr_ir_builder *b, const tsr_ir_expr *var, const tsr_ir_expr *x, bool add)
{
    if (!needs(b, var, "the variable of an assignment") || !needs(b, x, "the value of an assignment"))
        return;
    if (var->op != TSR_IR_VAR || !var->var->is_mutable)
        ir_fault(b, TSR_ARGUMENT, "an assignment to something that is not a mutable variable");
    if (ir_is_value(x->type) && ir_is_value(var->type) && x->type.lanes == 1)
        x = tsr_ir_splat(b, x, var->type.lanes);
    if (add || !x || x->op != TSR_IR_VAR || x->var != var->var) /* v = v needs no statement */
        add_stmt(b, &(tsr_ir_stmt){.kind = TSR_IR_ASSIGN, .add = add, .var = var->var, .expr = x});
}

void tsr_ir_store(tsr_ir_builder *b, const tsr_ir_array *array, const tsr_ir_expr *index,
                  const tsr_ir_expr *x, bool add, bool atomic)
{
    if (!needs(b, array, "the array of a store") || !needs(b, index, "the index of a store") ||
        !needs(b, x, "the value of a store"))
        return;
    const tsr_ir_type elem = {TSR_IR_IS_VALUE, array->elem, x->type.lanes};
    if (!array->is_index && array->elem < TSR_PATTERN && ir_is_value(x->type))
        x = tsr_ir_convert(b, x, elem);
    add_stmt(
        b,
        &(tsr_ir_stmt){
            .kind = TSR_IR_STORE, .add = add, .atomic = atomic, .array = array, .index = index, .expr = x});
}

static const tsr_ir_array *declare_array(tsr_ir_builder *b, tsr_ir_array array, bool zeroed)
{
    if (!needs(b, array.length, "the length of an array"))
        return NULL;
    if (array.place == TSR_IR_LOCAL && ir_is_index(array.length, 0))
        array.length = tsr_ir_index(b, 1);
    const tsr_ir_array *a = new_array(b, array);
    if (a)
        add_stmt(b, &(tsr_ir_stmt){.kind = TSR_IR_ARRAY, .array = a, .zeroed = zeroed});
    return a;
}

const tsr_ir_array *ir_same_array(tsr_ir_builder *b, const tsr_ir_array *array, bool zeroed)
{
    tsr_ir_array *const copy = works(b) ? ir_alloc(b, sizeof *copy) : NULL;
    if (copy) {
        *copy = *array;
        copy->number = b->ir->narrays++;
        add_stmt(b, &(tsr_ir_stmt){.kind = TSR_IR_ARRAY, .array = copy, .zeroed = zeroed});
    }
    return copy;
}

const tsr_ir_array *tsr_ir_array_new(tsr_ir_builder *b, const char *name, tsr_type elem, tsr_ir_place place,
                                     const tsr_ir_expr *n, bool zeroed)
{
    return declare_array(b, (tsr_ir_array){.name = name, .elem = elem, .place = place, .length = n}, zeroed);
}

const tsr_ir_array *tsr_ir_index_array_new(tsr_ir_builder *b, const char *name, tsr_type elem,
                                           tsr_ir_place place, const tsr_ir_expr *n, bool zeroed)
{
    return declare_array(
        b, (tsr_ir_array){.name = name, .is_index = true, .elem = elem, .place = place, .length = n}, zeroed);
}

void tsr_ir_output_new(tsr_ir_builder *b, const tsr_ir_array *output, const tsr_ir_expr *n, bool zeroed)
{
    if (!needs(b, output, "the array of an output") || !needs(b, n, "the length of an output"))
        return;
    if (output->place != TSR_IR_OUTPUT || output->length) {
        ir_fault(b, TSR_ARGUMENT, "'%s' is not an output, or is allocated twice", output->name);
        return;
    }
    ir_set_length(b, output, n);
    add_stmt(b, &(tsr_ir_stmt){.kind = TSR_IR_ARRAY, .array = output, .zeroed = zeroed});
}

void tsr_ir_parts(tsr_ir_builder *b, const tsr_ir_array *output, const tsr_ir_extent *extent)
{
    add_stmt(b, &(tsr_ir_stmt){.kind = TSR_IR_PARTS,
                               .array = output,
                               .expr = extent->nparts,
                               .lo = extent->npieces,
                               .hi = extent->about});
}

const tsr_ir_array *tsr_ir_part_new(tsr_ir_builder *b, const tsr_ir_array *output, const tsr_ir_expr *t)
{
    char name[240];
    if (!needs(b, output, "the output of a part") || !needs(b, t, "the number of a part"))
        return NULL;
    snprintf(name, sizeof name, "%.200s_part", output->name);
    const tsr_ir_array *part = new_array(b, (tsr_ir_array){.name = name,
                                                           .is_index = output->is_index,
                                                           .elem = output->elem,
                                                           .place = TSR_IR_PART,
                                                           .whole = output});
    if (part)
        add_stmt(b, &(tsr_ir_stmt){.kind = TSR_IR_ARRAY, .array = part, .index = t});
    return part;
}

void tsr_ir_reserve(tsr_ir_builder *b, const tsr_ir_array *part, const tsr_ir_expr *n)
{
    add_stmt(b, &(tsr_ir_stmt){.kind = TSR_IR_RESERVE, .array = part, .expr = n});
}

void tsr_ir_reserve_all(tsr_ir_builder *b, const tsr_ir_array *part, const tsr_ir_expr *n)
{
    add_stmt(b, &(tsr_ir_stmt){.kind = TSR_IR_RESERVE, .array = part, .expr = n, .is_enough = true});
}

void tsr_ir_give(tsr_ir_builder *b, const tsr_ir_array *part, const tsr_ir_expr *lo, const tsr_ir_expr *hi,
                 const tsr_ir_expr *piece)
{
    add_stmt(b, &(tsr_ir_stmt){.kind = TSR_IR_GIVE, .array = part, .lo = lo, .hi = hi, .index = piece});
}

void tsr_ir_join(tsr_ir_builder *b, const tsr_ir_array *output)
{
    add_stmt(b, &(tsr_ir_stmt){.kind = TSR_IR_JOIN, .array = output});
}

void tsr_ir_shift(tsr_ir_builder *b, const tsr_ir_array *positions, const tsr_ir_array *numbers,
                  const tsr_ir_expr *const range[4], const tsr_ir_expr *nthreads)
{
    add_stmt(b, &(tsr_ir_stmt){.kind = TSR_IR_SHIFT,
                               .array = positions,
                               .from = {numbers},
                               .range = {range[0], range[1], range[2], range[3]},
                               .expr = nthreads});
}

void tsr_ir_sort(tsr_ir_builder *b, const tsr_ir_array *array, const tsr_ir_expr *lo, const tsr_ir_expr *hi)
{
    add_stmt(b, &(tsr_ir_stmt){.kind = TSR_IR_SORT, .array = array, .lo = lo, .hi = hi});
}

/* Declare a count, which the statement sets, and return it. */
static const tsr_ir_expr *add_counting(tsr_ir_builder *b, const char *name, int count, tsr_ir_stmt s)
{
    s.from[count] = tsr_ir_index_array_new(b, name, TSR_U64, TSR_IR_LOCAL, tsr_ir_index(b, 1), false);
    add_stmt(b, &s);
    return tsr_ir_load_index(b, s.from[count], tsr_ir_index(b, 0));
}

const tsr_ir_expr *tsr_ir_take(tsr_ir_builder *b, const tsr_ir_array *list, const tsr_ir_expr *at,
                               const tsr_ir_array *marks, const tsr_ir_expr *const range[2],
                               const tsr_ir_expr *base)
{
    return add_counting(b, "taken", 1,
                        (tsr_ir_stmt){.kind = TSR_IR_TAKE,
                                      .array = list,
                                      .index = at,
                                      .lo = range[0],
                                      .hi = range[1],
                                      .from = {marks},
                                      .range = {base}});
}

const tsr_ir_expr *tsr_ir_unite(tsr_ir_builder *b, const tsr_ir_array *list, const tsr_ir_expr *at,
                                const tsr_ir_array *const from[5], const tsr_ir_expr *const range[6])
{
    tsr_ir_stmt s = {.kind = TSR_IR_UNITE, .array = list, .index = at};
    memcpy(s.from, from, 5 * sizeof *from);
    memcpy(s.range, range, 6 * sizeof *range);
    return add_counting(b, "appended", 5, s);
}

const tsr_ir_expr *tsr_ir_intersect(tsr_ir_builder *b, const tsr_ir_array *list, const tsr_ir_expr *at,
                                    const tsr_ir_array *const from[5], const tsr_ir_expr *const range[4])
{
    tsr_ir_stmt s = {.kind = TSR_IR_INTERSECT, .array = list, .index = at};
    memcpy(s.from, from, 5 * sizeof *from);
    memcpy(s.range, range, 4 * sizeof *range);
    return add_counting(b, "appended", 5, s);
}

const tsr_ir_expr *tsr_ir_multiply(tsr_ir_builder *b, const tsr_ir_array *list, const tsr_ir_expr *at,
                                   const tsr_ir_array *const from[9], const tsr_ir_expr *const range[8])
{
    tsr_ir_stmt s = {.kind = TSR_IR_MULTIPLY, .array = list, .index = at};
    memcpy(s.from, from, 5 * sizeof *from);
    memcpy(s.from + 6, from + 5, 4 * sizeof *from);
    memcpy(s.range, range, 8 * sizeof *range);
    return add_counting(b, "appended", 5, s);
}

void tsr_ir_match(tsr_ir_builder *b, const tsr_ir_array *found, const tsr_ir_array *x, const tsr_ir_array *y,
                  const tsr_ir_expr *const range[4])
{
    add_stmt(b, &(tsr_ir_stmt){.kind = TSR_IR_MATCH,
                               .array = found,
                               .from = {x, y},
                               .range = {range[0], range[1], range[2], range[3]}});
}

void tsr_ir_prefetch(tsr_ir_builder *b, const tsr_ir_array *array, const tsr_ir_expr *index, bool write)
{
    add_stmt(b, &(tsr_ir_stmt){.kind = TSR_IR_PREFETCH, .array = array, .index = index, .write = write});
}

void tsr_ir_ask(tsr_ir_builder *b, const tsr_ir_fetch *fetch)
{
    if (!needs(b, fetch->array, "the array of a prefetch"))
        return;
    const tsr_ir_fetch **end = &b->ir->fetch;
    for (; *end; end = (const tsr_ir_fetch **)(uintptr_t) & (*end)->next)
        if ((*end)->array == fetch->array && (*end)->list == fetch->list)
            return;
    tsr_ir_fetch *const own = ir_alloc(b, sizeof *own);
    if (!own)
        return;
    *own = *fetch;
    own->next = NULL;
    *end = own;
}

void tsr_ir_comment(tsr_ir_builder *b, const char *format, ...)
{
    if (!works(b))
        return;
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int n = vsnprintf(NULL, 0, format, args);
    char *text = n >= 0 ? ir_alloc(b, (size_t)n + 1) : NULL;
    if (text) {
        vsnprintf(text, (size_t)n + 1, format, again);
        add_stmt(b, &(tsr_ir_stmt){.kind = TSR_IR_COMMENT, .text = text});
    }
    va_end(again);
    va_end(args);
}

/* ---- blocks ---- */

tsr_ir_stmt *ir_add_stmt(tsr_ir_builder *b, const tsr_ir_stmt *s, bool opens)
{
    tsr_ir_stmt *copy = add_stmt(b, s);
    return copy && (!opens || open_block(b, copy, &copy->body)) ? copy : NULL;
}

static const tsr_ir_expr *open_loop(tsr_ir_builder *b, const char *name, const tsr_ir_stmt *s)
{
    tsr_ir_stmt *loop = ir_add_stmt(b, s, true);
    if (!loop)
        return NULL;
    loop->var = new_var(b, name, ir_index_type, false, false);
    return tsr_ir_read(b, loop->var);
}

const tsr_ir_expr *tsr_ir_for(tsr_ir_builder *b, const char *name, const tsr_ir_expr *lo,
                              const tsr_ir_expr *hi, unsigned marks)
{
    return open_loop(b, name, &(tsr_ir_stmt){.kind = TSR_IR_FOR, .marks = marks, .lo = lo, .hi = hi});
}

const tsr_ir_expr *tsr_ir_for_taken(tsr_ir_builder *b, const char *name, const tsr_ir_array *next,
                                    const tsr_ir_expr *n)
{
    return open_loop(
        b, name,
        &(tsr_ir_stmt){
            .kind = TSR_IR_FOR, .marks = TSR_IR_TAKEN, .array = next, .lo = tsr_ir_index(b, 0), .hi = n});
}

void tsr_ir_ask_loop(tsr_ir_builder *b, tsr_ir_mark mark, int64_t each, const tsr_ir_expr *last)
{
    tsr_ir_stmt *const loop = works(b) ? b->frame->stmt : NULL;
    if (!needs(b, loop, "the loop of a mark"))
        return;
    loop->marks |= mark;
    loop->each = each;
    loop->index = last;
}

void tsr_ir_while(tsr_ir_builder *b, const tsr_ir_expr *condition)
{
    ir_add_stmt(b, &(tsr_ir_stmt){.kind = TSR_IR_WHILE, .expr = condition}, true);
}

void tsr_ir_if(tsr_ir_builder *b, const tsr_ir_expr *condition)
{
    ir_add_stmt(b, &(tsr_ir_stmt){.kind = TSR_IR_IF, .expr = condition}, true);
}

void tsr_ir_else(tsr_ir_builder *b)
{
    if (!works(b))
        return;
    ir_frame *frame = b->frame;
    if (!frame->stmt || frame->stmt->kind != TSR_IR_IF || frame->block != &frame->stmt->body) {
        ir_fault(b, TSR_ARGUMENT, "an else without an if");
        return;
    }
    end_names(frame);
    frame->block = &frame->stmt->other;
}

void tsr_ir_end(tsr_ir_builder *b)
{
    tsr_ir_close(b, 1);
}

void tsr_ir_close(tsr_ir_builder *b, int n)
{
    for (; n > 0 && works(b); n--) {
        if (!b->frame->up) {
            ir_fault(b, TSR_ARGUMENT, "the end of a block that was not opened");
            return;
        }
        end_names(b->frame);
        b->frame = b->frame->up;
    }
}

/* Take the names that statements in `into` must not have: those that the blocks around it declare, and all inside. Returns whether `into`
 * is the block, or inside it; is_inside: the block is inside `into`. */
static bool take_names(tsr_ir_builder *b, const tsr_ir_block *block, const tsr_ir_block *into, bool is_inside)
{
    bool takes = is_inside || block == into;
    for (const tsr_ir_stmt *s = block->first; s; s = s->next) {
        const bool in_body = take_names(b, &s->body, into, is_inside || block == into);
        takes = take_names(b, &s->other, into, is_inside || block == into) || in_body || takes;
    }
    for (const tsr_ir_stmt *s = block->first; s && takes; s = s->next) {
        size_t bucket;
        const bool is_array = s->kind == TSR_IR_ARRAY;
        ir_name *const name = is_array || s->kind == TSR_IR_DECLARE || s->kind == TSR_IR_FOR
                                  ? find_name(b, is_array ? s->array->name : s->var->name, &bucket)
                                  : NULL;
        if (!name || name->is_live || name->is_forever)
            continue;
        name->is_live = true;
        name->other = b->frame->names;
        b->frame->names = name;
    }
    return takes;
}

void tsr_ir_begin_insert(tsr_ir *ir, tsr_ir_block *into, tsr_ir_stmt *after)
{
    tsr_ir_builder *const b = ir->builder;
    tsr_ir_block *const list = works(b) ? ir_alloc(b, sizeof *list) : NULL;
    if (!list || !open_block(b, NULL, list))
        return;
    *list = (tsr_ir_block){0};
    b->frame->into = into;
    b->frame->after = after;
    (void)take_names(b, &ir->body, into, false);
}

tsr_status tsr_ir_end_insert(tsr_ir *ir, tsr_error *err)
{
    tsr_ir_builder *const b = ir->builder;
    if (!works(b))
        return tsr_fail(err, b->fault, "%s", b->why);
    const ir_frame *const f = b->frame;
    tsr_ir_stmt **const place = f->after ? &f->after->next : &f->into->first;
    if (f->block->first) {
        f->block->last->next = *place;
        if (!*place)
            f->into->last = f->block->last;
        *place = f->block->first;
    }
    end_names(b->frame);
    b->frame = f->up;
    return TSR_OK;
}

/* ---- search ---- */

/* name = lo;  end = hi
 * while (name < end) { middle = name + (end - name) floordiv 2
 *     if (f(middle) >= target) end = middle  else name = middle + 1 }
 * Invariant: f < target on [lo, name), f >= target on [end, hi). */
const tsr_ir_expr *tsr_ir_search(tsr_ir_builder *b, const char *name, tsr_ir_range in,
                                 const tsr_ir_expr *target, tsr_ir_function_of f, void *arg)
{
    if (!needs(b, name, "the name of a search"))
        return NULL;
    char text[240];
    snprintf(text, sizeof text, "%.200s_target", name);
    if (target && target->op != TSR_IR_INDEX && target->op != TSR_IR_VAR)
        target = tsr_ir_declare(b, text, target, false);
    const tsr_ir_expr *first = tsr_ir_declare(b, name, in.lo, true);
    snprintf(text, sizeof text, "%.200s_end", name);
    const tsr_ir_expr *end = tsr_ir_declare(b, text, in.hi, true);
    tsr_ir_while(b, tsr_ir_op2(b, TSR_IR_LT, first, end));
    const tsr_ir_expr *half = tsr_ir_op2(b, TSR_IR_FLOORDIV, tsr_ir_sub(b, end, first), tsr_ir_index(b, 2));
    const tsr_ir_expr *middle = tsr_ir_declare(b, "middle", tsr_ir_add(b, first, half), false);
    const tsr_ir_expr *there = middle ? f(b, arg, middle) : NULL;
    tsr_ir_if(b, tsr_ir_op2(b, TSR_IR_LE, target, there));
    tsr_ir_assign(b, end, middle, false);
    tsr_ir_else(b);
    tsr_ir_assign(b, first, tsr_ir_add(b, middle, tsr_ir_index(b, 1)), false);
    tsr_ir_end(b);
    tsr_ir_end(b);
    return first;
}
