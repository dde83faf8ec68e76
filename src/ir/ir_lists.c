/* The interpreter's statements about lists: the marks that are set, the equal elements of two lists, and their union. */
#include <inttypes.h>

#include "ir_tape.h"

/* memory[i], an index; false after an error. */
static bool load(int64_t *out, ir_machine *m, const ir_insn *in, ir_memory *memory, int64_t i)
{
    const ir_insn one = {.out = out,
                         .x = &i,
                         .lanes = 1,
                         .nbytes = tsr_type_nbytes(memory->array->elem),
                         .memory = memory,
                         .stmt = in->stmt};
    return ir_load_handler(memory->array, 1)(m, &one) != NULL;
}

/* memory[i] = x; false after an error. */
static bool store(ir_machine *m, const ir_insn *in, ir_memory *memory, int64_t i, int64_t x)
{
    const ir_insn one = {.x = &i,
                         .y = &x,
                         .lanes = 1,
                         .nbytes = tsr_type_nbytes(memory->array->elem),
                         .memory = memory,
                         .stmt = in->stmt};
    return ir_store_handler(memory->array, 1, false, false)(m, &one) != NULL;
}

const ir_insn *ir_run_take(ir_machine *m, const ir_insn *in)
{
    const ir_lists *const lists = in->z;
    const int64_t hi = *(const int64_t *)in->y, base = *(const int64_t *)lists->range[0],
                  at = *(const int64_t *)lists->index;
    int64_t n = 0;
    for (int64_t i = *(const int64_t *)in->x; i < hi; i++) {
        int64_t mark;
        if (!load(&mark, m, in, lists->from[0], i))
            return NULL;
        if (mark && (!store(m, in, lists->from[0], i, 0) || !store(m, in, in->memory, at + n++, i - base)))
            return NULL;
    }
    return store(m, in, lists->from[1], 0, n) ? in + 1 : NULL;
}

const ir_insn *ir_run_match(ir_machine *m, const ir_insn *in)
{
    const ir_lists *const lists = in->z;
    int64_t i = *(const int64_t *)lists->range[0], j = *(const int64_t *)lists->range[2], n = 0;
    const int64_t i_end = *(const int64_t *)lists->range[1], j_end = *(const int64_t *)lists->range[3];
    const int64_t most = (in->memory->length - 3) / 2;
    while (i < i_end && j < j_end && n < most) {
        int64_t x, y;
        if (!load(&x, m, in, lists->from[0], i) || !load(&y, m, in, lists->from[1], j))
            return NULL;
        if (x == y && (!store(m, in, in->memory, 3 + n, i) || !store(m, in, in->memory, 3 + most + n, j)))
            return NULL;
        n += x == y;
        i += x <= y;
        j += y <= x;
    }
    return store(m, in, in->memory, 0, n) && store(m, in, in->memory, 1, i) && store(m, in, in->memory, 2, j)
               ? in + 1
               : NULL;
}

/* *x = memory[i], a double; false after an error. */
static bool load_f64(double *x, ir_machine *m, const ir_insn *in, ir_memory *memory, int64_t i)
{
    const ir_insn one = {
        .out = x, .x = &i, .lanes = 1, .nbytes = sizeof *x, .memory = memory, .stmt = in->stmt};
    return ir_load_handler(memory->array, 1)(m, &one) != NULL;
}

static bool store_f64(ir_machine *m, const ir_insn *in, ir_memory *memory, int64_t i, double x)
{
    const ir_insn one = {
        .x = &i, .y = &x, .lanes = 1, .nbytes = sizeof x, .memory = memory, .stmt = in->stmt};
    return ir_store_handler(memory->array, 1, false, false)(m, &one) != NULL;
}

/* *out = memory[i] * factor, of the type of the memory; factor may be NULL: 1. False after an error. */
static bool load_times(uint64_t *out, ir_machine *m, const ir_insn *in, ir_memory *memory, int64_t i,
                       const void *factor)
{
    const tsr_type type = memory->array->elem;
    ir_insn one = {
        .out = out, .x = &i, .lanes = 1, .nbytes = tsr_type_nbytes(type), .memory = memory, .stmt = in->stmt};
    if (!ir_load_handler(memory->array, 1)(m, &one))
        return false;
    one.x = out;
    one.y = factor;
    return !factor || ir_value_handler(TSR_IR_MUL, type)(m, &one) != NULL;
}

const ir_insn *ir_run_unite(ir_machine *m, const ir_insn *in)
{
    const ir_lists *const lists = in->z;
    const tsr_type type = lists->from[4]->array->elem;
    int64_t at[2], end[2], n = 0;
    const int64_t first = *(const int64_t *)lists->index;
    for (int k = 0; k < 2; k++) {
        at[k] = *(const int64_t *)lists->range[2 * k];
        end[k] = *(const int64_t *)lists->range[2 * k + 1];
    }
    for (; at[0] < end[0] || at[1] < end[1]; n++) {
        int64_t crd[2] = {INT64_MAX, INT64_MAX};
        uint64_t x[2];
        for (int k = 0; k < 2; k++)
            if (at[k] < end[k] && !load(&crd[k], m, in, lists->from[k], at[k]))
                return NULL;
        const int64_t least = crd[0] < crd[1] ? crd[0] : crd[1];
        for (int k = 0; k < 2; k++)
            if (at[k] < end[k] && crd[k] == least &&
                !load_times(&x[k], m, in, lists->from[2 + k], at[k]++, lists->range[4 + k]))
                return NULL;
        ir_insn one = {.out = &x[0], .x = &x[0], .y = &x[1], .lanes = 1, .nbytes = tsr_type_nbytes(type)};
        if (crd[0] == crd[1])
            ir_value_handler(TSR_IR_ADD, type)(m, &one);
        const int64_t to = first + n;
        one = (ir_insn){.x = &to,
                        .y = &x[crd[0] == least ? 0 : 1],
                        .lanes = 1,
                        .nbytes = tsr_type_nbytes(type),
                        .memory = lists->from[4],
                        .stmt = in->stmt};
        if (!store(m, in, in->memory, to, least) ||
            !ir_store_handler(lists->from[4]->array, 1, false, false)(m, &one))
            return NULL;
    }
    return store(m, in, lists->from[5], 0, n) ? in + 1 : NULL;
}

/* Add the products of element q of the row to sum[0..span) and set has[]; false after an error. */
static bool multiply_one(double *sum, bool *has, ir_machine *m, const ir_insn *in, int64_t q)
{
    const ir_lists *const lists = in->z;
    const int64_t first = *(const int64_t *)lists->range[2], end = *(const int64_t *)lists->range[3];
    int64_t k, lo, hi, c;
    double x, y;
    if (!load(&k, m, in, lists->from[0], q) || !load_f64(&x, m, in, lists->from[2], q) ||
        !load(&lo, m, in, lists->from[6], k) || !load(&hi, m, in, lists->from[6], k + 1))
        return false;
    for (int64_t p = lo; p < hi; p++) {
        if (!load(&c, m, in, lists->from[1], p) || !load_f64(&y, m, in, lists->from[3], p))
            return false;
        if (c < first || c >= end || end - first > TSR_IR_NARROW)
            return ir_trap(m, in, TSR_CORRUPT,
                           "the coordinate %" PRId64 " of a product is not in [%" PRId64 ", %" PRId64 ")", c,
                           first, end) != NULL;
        sum[c - first] += x * y;
        has[c - first] = true;
    }
    return true;
}

const ir_insn *ir_run_multiply(ir_machine *m, const ir_insn *in)
{
    const ir_lists *const lists = in->z;
    const int64_t hi = *(const int64_t *)lists->range[1], first = *(const int64_t *)lists->range[2],
                  at = *(const int64_t *)lists->index;
    double sum[TSR_IR_NARROW];
    bool has[TSR_IR_NARROW] = {false};
    int64_t n = 0;
    for (int i = 0; i < TSR_IR_NARROW; i++)
        sum[i] = -0.0; /* -0.0 + x = x for all x */
    for (int64_t q = *(const int64_t *)lists->range[0]; q < hi; q++)
        if (!multiply_one(sum, has, m, in, q))
            return NULL;
    for (int i = 0; i < TSR_IR_NARROW; i++)
        if (has[i] && (!store(m, in, in->memory, at + n, first + i) ||
                       !store_f64(m, in, lists->from[4], at + n++, sum[i])))
            return NULL;
    return store(m, in, lists->from[5], 0, n) ? in + 1 : NULL;
}

/* Element i of the values as they are. */
static bool pick(void *out, ir_machine *m, const ir_insn *in, int64_t i)
{
    const ir_insn one = {.run = NULL,
                         .out = out,
                         .x = &i,
                         .lanes = 1,
                         .nbytes = in->nbytes,
                         .memory = in->memory,
                         .stmt = in->stmt};
    return ir_load_handler(in->memory->array, 1)(m, &one) != NULL;
}

const ir_insn *ir_run_lanes_by(ir_machine *m, const ir_insn *in)
{
    ir_memory *const by = ((const ir_lists *)in->z)->from[0];
    const int64_t place = *(const int64_t *)in->x, bound = *(const int64_t *)in->y;
    for (int l = 0; l < in->lanes; l++) {
        int64_t c;
        if (!load(&c, m, in, by, place + l))
            return NULL;
        if (!in->memory)
            ((uint8_t *)in->out)[l] = c < bound;
        else if (!pick((unsigned char *)in->out + (size_t)l * in->nbytes, m, in, c < bound ? c : bound))
            return NULL;
    }
    return in + 1;
}
