/* The instructions of statements: loops, arrays, parts of outputs; and the errors of all instructions. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ir_tape.h"
#include "tsr_alloc.h"
#include "tsr_interrupt.h"

enum { MAX_WATCHED = 1 << 26 }; /* limit of the elements of a watched array: 4 bytes each */

/* ---- errors ---- */

const ir_insn *ir_trap(ir_machine *m, const ir_insn *in, tsr_status status, const char *format, ...)
{
    char why[256];
    tsr_text text = {0};
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    if (in->stmt)
        ir_print_head(&text, in->stmt);
    else
        tsr_text_add(&text, "the parameters");
    m->status =
        tsr_fail(m->err, status, "loop program %s: %s, in: %.160s", m->ir->name, why, tsr_text_cstr(&text));
    tsr_text_clear(&text);
    return NULL;
}

/* ---- instructions of statements ---- */

static const ir_insn *count_steps(ir_machine *m, const ir_insn *in, const ir_insn *next)
{
    enum { LOOK_STEPS = 1 << 10 };
    const uint64_t before = m->nsteps;
    m->nsteps += in->nbytes;
    if ((before ^ m->nsteps) >= LOOK_STEPS && tsr_interrupted()) {
        m->status = tsr_interrupt_check(m->err);
        return NULL;
    }
    return m->nsteps <= m->max_steps
               ? next
               : ir_trap(m, in, TSR_CANCELLED, "stopped after %" PRIu64 " statements", m->max_steps);
}

const ir_insn *ir_run_end(ir_machine *m, const ir_insn *in)
{
    (void)m;
    (void)in;
    return NULL;
}

const ir_insn *ir_run_unless(ir_machine *m, const ir_insn *in)
{
    return *(const uint8_t *)in->x ? in + 1 : m->code + in->jump;
}

const ir_insn *ir_run_jump(ir_machine *m, const ir_insn *in)
{
    return count_steps(m, in, m->code + in->jump);
}

/* FOR. out: the variable, x: its upper bound. */
const ir_insn *ir_run_for(ir_machine *m, const ir_insn *in)
{
    return *(const int64_t *)in->out < *(const int64_t *)in->x ? in + 1 : m->code + in->jump;
}

const ir_insn *ir_run_next(ir_machine *m, const ir_insn *in)
{
    int64_t *i = in->out;
    if (++*i >= *(const int64_t *)in->x)
        return in + 1;
    return count_steps(m, in, m->code + in->jump);
}

/* TAKEN. out: the variable, x: its upper bound, memory: the next number. */
const ir_insn *ir_run_taken(ir_machine *m, const ir_insn *in)
{
    uint64_t *const next = (uint64_t *)(void *)in->memory->data;
    if (in->memory->length != 1 || *next > INT64_MAX)
        return ir_trap(m, in, TSR_CORRUPT, "%s does not hold the next number of a loop",
                       in->memory->array->name);
    /* each iteration of a parallel loop takes some numbers, so that races between iterations are seen */
    const double n = (double)*(const int64_t *)in->x,
                 end = m->niterations > 1 && m->iteration + 1 < m->niterations
                           ? n * (double)(m->iteration + 1) / (double)m->niterations
                           : n;
    if ((double)*next >= end)
        return m->code + in->jump;
    *(int64_t *)in->out = (int64_t)(*next)++;
    return in + 1;
}

/* PARALLEL. y: the arrays that the loop stores into, NULL-terminated. Arrays are not watched if the loop has
 * too many iterations to number, or if watching would need much memory. */
const ir_insn *ir_run_parallel(ir_machine *m, const ir_insn *in)
{
    const int64_t lo = *(const int64_t *)in->out, hi = *(const int64_t *)in->x;
    if (lo >= hi)
        return m->code + in->jump;
    m->first = lo;
    m->iteration = 0;
    m->niterations = hi - lo;
    const uint64_t niterations = (uint64_t)hi - (uint64_t)lo;
    for (ir_memory *const *p = in->y; *p && niterations > 1 && niterations < 1u << 28; p++) {
        if ((*p)->length <= 0 || (*p)->length > MAX_WATCHED)
            continue;
        (*p)->touched = tsr_calloc((size_t)(*p)->length, sizeof *(*p)->touched);
        if (!(*p)->touched)
            return ir_trap(m, in, TSR_NOMEM, "out of memory to watch %" PRId64 " elements of %s",
                           (*p)->length, (*p)->array->name);
    }
    return in + 1;
}

const ir_insn *ir_run_next_parallel(ir_machine *m, const ir_insn *in)
{
    int64_t *i = in->out;
    if (++*i < *(const int64_t *)in->x) {
        m->iteration = *i - m->first;
        return count_steps(m, in, m->code + in->jump);
    }
    m->niterations = 0;
    for (ir_memory *const *p = in->y; *p; p++) {
        tsr_free((*p)->touched);
        (*p)->touched = NULL;
    }
    return in + 1;
}

static void fill(ir_memory *memory, const ir_insn *in)
{
    memset(memory->data, in->stmt->zeroed ? 0 : 0xFF, (size_t)memory->length * in->nbytes);
}

const ir_insn *ir_run_local(ir_machine *m, const ir_insn *in)
{
    (void)m;
    fill(in->memory, in);
    return in + 1;
}

const ir_insn *ir_run_heap(ir_machine *m, const ir_insn *in)
{
    ir_memory *memory = in->memory;
    memory->length = *(const int64_t *)in->x;
    if (memory->length < 0)
        return ir_trap(m, in, TSR_CORRUPT, "%" PRId64 " elements", memory->length);
    tsr_error why = {0};
    void *data;
    if (tsr_alloc_array(&data, (uint64_t)memory->length, in->nbytes, in->stmt->zeroed, "array", &why) !=
        TSR_OK)
        return ir_trap(m, in, TSR_NOMEM, "%s", why.message);
    memory->data = data;
    if (!in->stmt->zeroed)
        fill(memory, in);
    return in + 1;
}

/* ---- parts of outputs ---- */

const ir_insn *ir_run_parts(ir_machine *m, const ir_insn *in)
{
    ir_memory *const memory = in->memory;
    tsr_error why = {0};
    void *block;
    const int64_t n = *(const int64_t *)in->y;
    memory->nparts = *(const int64_t *)in->x;
    if (n < 0 || memory->nparts < 0)
        return ir_trap(m, in, TSR_CORRUPT, "%" PRId64 " pieces from %" PRId64 " parts", n, memory->nparts);
    if (tsr_alloc_array(&block, (uint64_t)n, sizeof *memory->pieces, 1, "pieces", &why) != TSR_OK)
        return ir_trap(m, in, TSR_NOMEM, "%s", why.message);
    memory->pieces = block;
    memory->npieces = n;
    for (int64_t k = 0; k < n; k++)
        memory->pieces[k].n = -1;
    return in + 1;
}

const ir_insn *ir_run_part(ir_machine *m, const ir_insn *in)
{
    ir_memory *const memory = in->memory;
    const int64_t number = *(const int64_t *)in->x;
    if (number < 0 || number >= memory->whole->nparts)
        return ir_trap(m, in, TSR_CORRUPT, "part %" PRId64 " of %" PRId64 " is not there", number,
                       memory->whole->nparts);
    tsr_free(memory->data);
    memory->data = NULL;
    memory->length = 0;
    return in + 1;
}

/* Allocate exactly the requested elements, so that a store beyond them is detected. */
const ir_insn *ir_run_reserve(ir_machine *m, const ir_insn *in)
{
    ir_memory *const memory = in->memory;
    const int64_t n = *(const int64_t *)in->x, before = memory->length;
    if (n <= before)
        return in + 1;
    if ((uint64_t)n > PTRDIFF_MAX / in->nbytes)
        return ir_trap(m, in, TSR_NOMEM, "%" PRId64 " elements", n);
    unsigned char *const data = tsr_realloc(memory->data, (size_t)n * in->nbytes);
    if (!data)
        return ir_trap(m, in, TSR_NOMEM, "out of memory: %" PRId64 " elements", n);
    memset(data + (size_t)before * in->nbytes, 0xFF, (size_t)(n - before) * in->nbytes);
    memory->data = data;
    memory->length = n;
    return in + 1;
}

/* z: the number of the piece. */
const ir_insn *ir_run_give(ir_machine *m, const ir_insn *in)
{
    ir_memory *const memory = in->memory;
    const int64_t lo = *(const int64_t *)in->x, hi = *(const int64_t *)in->y,
                  number = *(const int64_t *)in->z;
    if (lo < 0 || lo > hi || hi > memory->length)
        return ir_trap(m, in, TSR_CORRUPT, "elements [%" PRId64 ", %" PRId64 ") of %" PRId64, lo, hi,
                       memory->length);
    if (number < 0 || number >= memory->whole->npieces || memory->whole->pieces[number].n >= 0)
        return ir_trap(m, in, TSR_CORRUPT,
                       "piece %" PRId64 " of %" PRId64 " is not there, or was given before", number,
                       memory->whole->npieces);
    if (lo > 0)
        memmove(memory->data, memory->data + (size_t)lo * in->nbytes, (size_t)(hi - lo) * in->nbytes);
    memory->whole->pieces[number] = (ir_piece){memory->data, hi - lo};
    memory->data = NULL;
    memory->length = 0;
    return in + 1;
}

const ir_insn *ir_run_join(ir_machine *m, const ir_insn *in)
{
    ir_memory *const memory = in->memory;
    uint64_t n = 0;
    for (int64_t k = 0; k < memory->npieces; k++) {
        if (memory->pieces[k].n < 0)
            return ir_trap(m, in, TSR_CORRUPT, "piece %" PRId64 " was not given", k);
        n += (uint64_t)memory->pieces[k].n;
    }
    tsr_error why = {0};
    void *block;
    if (tsr_alloc_array(&block, n, in->nbytes, 0, "array", &why) != TSR_OK)
        return ir_trap(m, in, TSR_NOMEM, "%s", why.message);
    memory->data = block;
    memory->length = (int64_t)n;
    size_t at = 0;
    for (int64_t k = 0; k < memory->npieces; k++) {
        const size_t nbytes = (size_t)memory->pieces[k].n * in->nbytes;
        if (nbytes > 0)
            memcpy(memory->data + at, memory->pieces[k].data, nbytes);
        at += nbytes;
        tsr_free(memory->pieces[k].data);
        memory->pieces[k].data = NULL;
    }
    return in + 1;
}

const ir_insn *ir_run_trim(ir_machine *m, const ir_insn *in)
{
    ir_memory *const memory = in->memory;
    const int64_t n = *(const int64_t *)in->x;
    if (n < 0 || n > memory->length)
        return ir_trap(m, in, TSR_CORRUPT, "%" PRId64 " elements of %" PRId64, n, memory->length);
    memory->length = n;
    return in + 1;
}

/* Set the length of a parameter. */
const ir_insn *ir_run_length(ir_machine *m, const ir_insn *in)
{
    ir_memory *memory = in->memory;
    memory->length = *(const int64_t *)in->x;
    if (memory->length < 0 || (memory->length > 0 && !memory->data))
        return ir_trap(m, in, TSR_ARGUMENT, "%s has %" PRId64 " elements%s", memory->array->name,
                       memory->length, memory->length > 0 ? " but no data" : "");
    return in + 1;
}
