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

/* Replace the numbers of the entries of n pieces by those of the pieces before; false after an error. */
static bool add_up(ir_machine *m, const ir_insn *in, ir_memory *numbers, int64_t at, int64_t n)
{
    int64_t total = 0;
    for (int64_t p = 0; p < n; p++) {
        int64_t own;
        if (!load(&own, m, in, numbers, at + p) || !store(m, in, numbers, at + p, total))
            return false;
        total += own;
    }
    return store(m, in, numbers, at + n, total);
}

const ir_insn *ir_run_shift(ir_machine *m, const ir_insn *in)
{
    const ir_lists *const lists = in->z;
    ir_memory *const numbers = lists->from[0];
    const int64_t at = *(const int64_t *)lists->range[0], begins = *(const int64_t *)lists->range[1],
                  n = *(const int64_t *)lists->range[2], factor = *(const int64_t *)lists->range[3];
    if (!add_up(m, in, numbers, at, n))
        return NULL;
    for (int64_t p = 0; p < n; p++) {
        int64_t before, lo, hi, x;
        if (!load(&before, m, in, numbers, at + p) || !load(&lo, m, in, numbers, begins + p) ||
            !load(&hi, m, in, numbers, begins + p + 1))
            return NULL;
        for (int64_t q = factor * lo + 1; q <= factor * hi; q++)
            if (!load(&x, m, in, in->memory, q) || !store(m, in, in->memory, q, x + before))
                return NULL;
    }
    return in + 1;
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

/* Load the values at the two places `at`, of rows whose coordinates crd are equal, or of one of them; combine both by `op`; and
 * append the coordinate and the value as element `to`. False after an error. */
static bool append_pair(ir_machine *m, const ir_insn *in, const int64_t *at, const int64_t *crd, tsr_ir_op op,
                        int64_t to)
{
    const ir_lists *const lists = in->z;
    const tsr_type type = lists->from[4]->array->elem;
    const int64_t least = crd[0] < crd[1] ? crd[0] : crd[1];
    uint64_t x[2];
    for (int k = 0; k < 2; k++)
        if (crd[k] == least && !load_times(&x[k], m, in, lists->from[2 + k], at[k], lists->range[4 + k]))
            return false;
    ir_insn one = {.out = &x[0], .x = &x[0], .y = &x[1], .lanes = 1, .nbytes = tsr_type_nbytes(type)};
    if (crd[0] == crd[1])
        ir_value_handler(op, type)(m, &one);
    one = (ir_insn){.x = &to,
                    .y = &x[crd[0] == least ? 0 : 1],
                    .lanes = 1,
                    .nbytes = tsr_type_nbytes(type),
                    .memory = lists->from[4],
                    .stmt = in->stmt};
    return store(m, in, in->memory, to, least) &&
           ir_store_handler(lists->from[4]->array, 1, false, false)(m, &one) != NULL;
}

/* Walk two rows in step; op: what combines the values of a coordinate that both have; common: other coordinates are left out. */
static const ir_insn *run_pair(ir_machine *m, const ir_insn *in, tsr_ir_op op, bool common)
{
    const ir_lists *const lists = in->z;
    int64_t at[2], end[2], n = 0;
    const int64_t first = *(const int64_t *)lists->index;
    for (int k = 0; k < 2; k++) {
        at[k] = *(const int64_t *)lists->range[2 * k];
        end[k] = *(const int64_t *)lists->range[2 * k + 1];
    }
    while (common ? at[0] < end[0] && at[1] < end[1] : at[0] < end[0] || at[1] < end[1]) {
        int64_t crd[2] = {INT64_MAX, INT64_MAX};
        for (int k = 0; k < 2; k++)
            if (at[k] < end[k] && !load(&crd[k], m, in, lists->from[k], at[k]))
                return NULL;
        if ((!common || crd[0] == crd[1]) && !append_pair(m, in, at, crd, op, first + n++))
            return NULL;
        at[0] += crd[0] <= crd[1];
        at[1] += crd[1] <= crd[0];
    }
    return store(m, in, lists->from[5], 0, n) ? in + 1 : NULL;
}

const ir_insn *ir_run_unite(ir_machine *m, const ir_insn *in)
{
    return run_pair(m, in, TSR_IR_ADD, false);
}

const ir_insn *ir_run_intersect(ir_machine *m, const ir_insn *in)
{
    return run_pair(m, in, TSR_IR_MUL, true);
}

/* The sums of the products of a row: in arrays, or from element `base` on in the workspace of the statement;
 * first: the first coordinate of the range. */
typedef struct row_sums {
    double sum[TSR_IR_NARROW];
    bool has[TSR_IR_NARROW];
    int64_t first, base;
} row_sums;

/* Add a product at coordinate c; false after an error. */
static bool add_product(row_sums *row, ir_machine *m, const ir_insn *in, int64_t c, double x)
{
    const ir_lists *const lists = in->z;
    double sum;
    if (!lists->from[7]) {
        row->sum[c - row->first] += x;
        row->has[c - row->first] = true;
        return true;
    }
    return load_f64(&sum, m, in, lists->from[7], row->base + c) &&
           store_f64(m, in, lists->from[7], row->base + c, sum + x) &&
           store(m, in, lists->from[8], row->base + c, 1);
}

/* *has: whether coordinate c has a sum, which becomes *sum and is cleared; false after an error. */
static bool take_sum(bool *has, double *sum, const row_sums *row, ir_machine *m, const ir_insn *in, int64_t c)
{
    const ir_lists *const lists = in->z;
    int64_t mark;
    if (!lists->from[7]) {
        *has = row->has[c - row->first];
        *sum = row->sum[c - row->first];
        return true;
    }
    if (!load(&mark, m, in, lists->from[8], row->base + c) ||
        !load_f64(sum, m, in, lists->from[7], row->base + c))
        return false;
    *has = mark != 0;
    return !mark || (store(m, in, lists->from[8], row->base + c, 0) &&
                     store_f64(m, in, lists->from[7], row->base + c, -0.0));
}

/* Add the products of element q of the row; false after an error. */
static bool multiply_one(row_sums *row, ir_machine *m, const ir_insn *in, int64_t q)
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
        if (c < first || c >= end || (!lists->from[7] && end - first > TSR_IR_NARROW))
            return ir_trap(m, in, TSR_CORRUPT,
                           "the coordinate %" PRId64 " of a product is not in [%" PRId64 ", %" PRId64 ")", c,
                           first, end) != NULL;
        if (!add_product(row, m, in, c, x * y))
            return false;
    }
    return true;
}

const ir_insn *ir_run_multiply(ir_machine *m, const ir_insn *in)
{
    const ir_lists *const lists = in->z;
    const int64_t hi = *(const int64_t *)lists->range[1], first = *(const int64_t *)lists->range[2],
                  end = *(const int64_t *)lists->range[3], at = *(const int64_t *)lists->index;
    row_sums row = {.first = first, .base = lists->range[4] ? *(const int64_t *)lists->range[4] : 0};
    int64_t n = 0;
    for (int i = 0; i < TSR_IR_NARROW; i++)
        row.sum[i] = -0.0; /* -0.0 + x = x for all x */
    for (int64_t q = *(const int64_t *)lists->range[0]; q < hi; q++)
        if (!multiply_one(&row, m, in, q))
            return NULL;
    for (int64_t c = first; c < end; c++) {
        bool has;
        double sum;
        if (!take_sum(&has, &sum, &row, m, in, c))
            return NULL;
        if (has && (!store(m, in, in->memory, at + n, c) || !store_f64(m, in, lists->from[4], at + n++, sum)))
            return NULL;
    }
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
