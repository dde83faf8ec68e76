/* Several instructions: the ways from one instruction to another are the compositions of the maps of single
 * operations along all paths, each kept once. */
#include "hlo_internal.h"

#include <string.h>

#include "tsr_alloc.h"

/* The ways that lead to the outputs of one instruction. */
typedef struct reached {
    int noutputs;
    tsr_hlo_indexing *ways; /* one set for each output */
} reached;

/* Instructions [first, end) of one computation. */
typedef struct walk {
    hlo_work *work;
    int first, n, computation;
    reached *at; /* n entries */
} walk;

static void clear_walk(walk *w)
{
    for (int i = 0; w->at && i < w->n; i++) {
        for (int k = 0; w->at[i].ways && k < w->at[i].noutputs; k++)
            tsr_hlo_indexing_clear(&w->at[i].ways[k]);
        tsr_free(w->at[i].ways);
    }
    tsr_free(w->at);
    w->at = NULL;
}

static tsr_status begin_walk(walk *w, hlo_work *work, int a, int b, tsr_error *err)
{
    void *block;
    const hlo_instruction *in = work->hlo->instructions;
    *w = (walk){.work = work, .first = a, .n = b - a + 1, .computation = in[a].computation};
    TSR_TRY(tsr_alloc_array(&block, (uint64_t)w->n, sizeof *w->at, 1, "the ways between instructions", err));
    w->at = block;
    work->budget -= w->n / 1024; /* visiting very many instructions costs work, too */
    return TSR_OK;
}

/* The set of output `output` of instruction i; the first call creates it. */
static tsr_status ways_at(tsr_hlo_indexing **out, walk *w, int i, int output, tsr_error *err)
{
    reached *at = &w->at[i - w->first];
    if (!at->ways) {
        void *block;
        at->noutputs = w->work->hlo->instructions[i].noutputs;
        TSR_TRY(tsr_alloc_array(&block, (uint64_t)at->noutputs, sizeof *at->ways, 1,
                                "the ways between instructions", err));
        at->ways = block;
    }
    *out = &at->ways[output];
    return TSR_OK;
}

static tsr_status start(walk *w, int i, int output, tsr_error *err)
{
    const hlo_shape *shape = &w->work->hlo->instructions[i].shapes[output];
    tsr_hlo_indexing *set;
    tsr_map *map;
    TSR_TRY(ways_at(&set, w, i, output, err));
    TSR_TRY(tsr_map_identity(&map, hlo_dims(shape), err));
    return hlo_take_map(set, map, err);
}

/* Add every step after every way to `to`. */
static tsr_status take_all(tsr_hlo_indexing *to, walk *w, const tsr_hlo_indexing *steps,
                           const tsr_hlo_indexing *ways, tsr_error *err)
{
    for (int a = 0; a < steps->n; a++)
        for (int b = 0; b < ways->n; b++) {
            tsr_hlo_index way;
            TSR_TRY(hlo_compose(&way, w->work, &steps->index[a], &ways->index[b], err));
            TSR_TRY(hlo_take(to, &way, err));
        }
    return TSR_OK;
}

/* The output of operand j that the instruction reads: get-tuple-element selects one, all other instructions
 * read output 0. */
static tsr_status operand_output(int *out, const hlo_instruction *in, const hlo_instruction *operand,
                                 tsr_error *err)
{
    int64_t index = 0;
    if (strcmp(in->opcode, "get-tuple-element") == 0)
        TSR_TRY(hlo_int(&index, 0, in, "index", err));
    if (index >= operand->noutputs)
        return tsr_fail(err, TSR_ARGUMENT, "'%.40s' takes member %lld of '%.40s', which has %d members",
                        in->name, (long long)index, operand->name, operand->noutputs);
    *out = (int)index;
    return TSR_OK;
}

/* Compose the maps of one operation with the ways that reach one end of it, and add the compositions to the
 * other end. */
static tsr_status step(walk *w, int i, tsr_map_direction direction, int output, int j, tsr_error *err)
{
    const hlo_instruction *in = &w->work->hlo->instructions[i];
    const int operand = in->operands[j];
    const bool back = direction == TSR_OUTPUT_TO_INPUT;
    int member = 0;
    tsr_hlo_indexing *from, *to, steps = {0};
    TSR_TRY(operand_output(&member, in, &w->work->hlo->instructions[operand], err));
    TSR_TRY(ways_at(back ? &from : &to, w, i, output, err));
    TSR_TRY(ways_at(back ? &to : &from, w, operand, member, err));
    if (from->n == 0)
        return TSR_OK;
    if (w->work->budget-- <= 0)
        return tsr_fail(err, TSR_LIMIT, "the analysis needs more than %d compositions of maps", HLO_BUDGET);
    tsr_status status = hlo_indexing_of(&steps, w->work, (tsr_hlo_edge){i, output, j}, direction, err);
    if (status == TSR_OK)
        status = take_all(to, w, &steps, from, err);
    tsr_hlo_indexing_clear(&steps);
    return status;
}

static tsr_status step_all(walk *w, int i, tsr_map_direction direction, tsr_error *err)
{
    const hlo_instruction *in = &w->work->hlo->instructions[i];
    if (in->computation != w->computation)
        return TSR_OK;
    if (direction == TSR_OUTPUT_TO_INPUT && !w->at[i - w->first].ways)
        return TSR_OK; /* no way leads here */
    for (int k = 0; k < in->noutputs; k++)
        for (int j = 0; j < in->noperands; j++)
            if (in->operands[j] >= w->first)
                TSR_TRY(step(w, i, direction, k, j, err));
    return TSR_OK;
}

/* Move the set of an output out of the walk. If it has several ways, all are simplified, so that each is
 * there once. */
static tsr_status arrive(tsr_hlo_indexing *out, walk *w, int i, int output, tsr_error *err)
{
    tsr_hlo_indexing *set;
    tsr_status status = TSR_OK;
    TSR_TRY(ways_at(&set, w, i, output, err));
    for (int k = 0; status == TSR_OK && k < set->n; k++) {
        if (set->n > 1)
            status = hlo_tidy(&set->index[k], err);
        if (status == TSR_OK)
            status = hlo_take(out, &set->index[k], err);
    }
    if (status != TSR_OK)
        tsr_hlo_indexing_clear(out);
    return status;
}

/* The ways from output `output` of instruction `from` back to output 0 of `to`. */
static tsr_status reads(tsr_hlo_indexing *out, hlo_work *work, int from, int output, int to, tsr_error *err)
{
    walk w;
    tsr_status status;
    *out = (tsr_hlo_indexing){0};
    TSR_TRY(begin_walk(&w, work, to, from, err));
    TSR_TRY_OUT(start(&w, from, output, err));
    for (int i = from; i > to; i--)
        TSR_TRY_OUT(step_all(&w, i, TSR_OUTPUT_TO_INPUT, err));
    TSR_TRY_OUT(arrive(out, &w, to, 0, err));
out:
    clear_walk(&w);
    return status;
}

static tsr_status writes(tsr_hlo_indexing *out, hlo_work *work, int from, int to, int output, tsr_error *err)
{
    walk w;
    tsr_status status;
    *out = (tsr_hlo_indexing){0};
    TSR_TRY(begin_walk(&w, work, from, to, err));
    TSR_TRY_OUT(start(&w, from, 0, err));
    for (int i = from + 1; i <= to; i++)
        TSR_TRY_OUT(step_all(&w, i, TSR_INPUT_TO_OUTPUT, err));
    TSR_TRY_OUT(arrive(out, &w, to, output, err));
out:
    clear_walk(&w);
    return status;
}

/* ---- fusion ---- */

/* The number of a parameter; -1 for other instructions. */
static int parameter_number(const hlo_instruction *in)
{
    int number = 0;
    if (strcmp(in->opcode, "parameter") != 0 || in->literal_nbytes == 0)
        return -1;
    for (size_t i = 0; i < in->literal_nbytes; i++) {
        if (in->literal[i] < '0' || in->literal[i] > '9' || number > HLO_MAX_OPERANDS)
            return -1;
        number = number * 10 + (in->literal[i] - '0');
    }
    return number;
}

/* The computation that is called, or -1. Only earlier computations are found, so no computation calls
 * itself. */
static int find_called(const hlo_query *q)
{
    const tsr_hlo *hlo = q->work->hlo;
    const hlo_attribute *a = hlo_attribute_of(q->in, "calls");
    if (!a)
        a = hlo_attribute_of(q->in, "to_apply");
    if (!a)
        return -1;
    const size_t percent = *a->value == '%';
    const int c = hlo_find_computation(hlo, a->value + percent, a->value_nbytes - percent);
    return c >= 0 && hlo->computations[c].end <= q->in - hlo->instructions ? c : -1;
}

/* The instruction that is parameter `number` of a computation, or -1. */
static int find_parameter(const tsr_hlo *hlo, int computation, int number)
{
    const hlo_computation *c = &hlo->computations[computation];
    for (int i = c->first; i < c->end; i++)
        if (hlo->instructions[i].computation == computation &&
            parameter_number(&hlo->instructions[i]) == number)
            return i;
    return -1;
}

/* Replace runtime symbols that are read from a parameter of the fused computation by symbols that are read
 * from the operand. */
static void lift_runtime(tsr_hlo_indexing *set, const hlo_query *q, int computation)
{
    const tsr_hlo *hlo = q->work->hlo;
    for (int i = 0; i < set->n; i++)
        for (int r = 0; r < set->index[i].nruntime; r++) {
            int *from = &set->index[i].runtime[r].instruction;
            const int number = parameter_number(&hlo->instructions[*from]);
            if (hlo->instructions[*from].computation == computation && number >= 0 &&
                number < q->in->noperands)
                *from = q->in->operands[number];
        }
}

tsr_status hlo_fusion(tsr_hlo_indexing *set, const hlo_query *q, tsr_error *err)
{
    const tsr_hlo *hlo = q->work->hlo;
    const int computation = find_called(q);
    if (computation < 0)
        return hlo_take_unknown(set, q->in, "of a computation that does not exist", err);
    const int root = hlo->computations[computation].root;
    const int parameter = find_parameter(hlo, computation, q->operand);
    if (parameter < 0) /* the computation does not read it */
        return TSR_OK;
    const hlo_instruction *made = &hlo->instructions[root], *given = &hlo->instructions[parameter];
    if (q->output >= made->noutputs || made->shapes[q->output].rank != q->out->rank || given->noutputs != 1 ||
        !q->arg || given->shapes[0].rank != q->arg->rank ||
        memcmp(made->shapes[q->output].dims, q->out->dims, (size_t)q->out->rank * sizeof(uint64_t)) != 0 ||
        memcmp(given->shapes[0].dims, q->arg->dims, (size_t)q->arg->rank * sizeof(uint64_t)) != 0)
        return tsr_fail(
            err, TSR_ARGUMENT,
            "the shape of output %d or operand %d of '%.40s' differs from the computation that it calls",
            q->output, q->operand, q->in->name);
    if (root < parameter)
        return TSR_OK;
    tsr_hlo_indexing ways;
    if (q->direction == TSR_OUTPUT_TO_INPUT)
        TSR_TRY(reads(&ways, q->work, root, q->output, parameter, err));
    else
        TSR_TRY(writes(&ways, q->work, parameter, root, q->output, err));
    lift_runtime(&ways, q, computation);
    tsr_status status = TSR_OK;
    for (int i = 0; status == TSR_OK && i < ways.n; i++)
        status = hlo_take(set, &ways.index[i], err);
    tsr_hlo_indexing_clear(&ways);
    return status;
}

/* ---- public functions ---- */

static tsr_status check_path(const tsr_hlo *hlo, int before, int behind, int output, tsr_error *err)
{
    const int n = hlo->ninstructions;
    if (before < 0 || behind < 0 || before >= n || behind >= n)
        return tsr_fail(err, TSR_ARGUMENT,
                        "there are %d instructions, so instruction %d or %d does not exist", n, before,
                        behind);
    const hlo_instruction *a = &hlo->instructions[before], *b = &hlo->instructions[behind];
    if (a->computation != b->computation || before > behind)
        return tsr_fail(err, TSR_ARGUMENT, "'%.40s' does not come before '%.40s' in the same computation",
                        a->name, b->name);
    if (a->noutputs < 1 || output < 0 || output >= b->noutputs)
        return tsr_fail(err, TSR_ARGUMENT, "'%.40s' has %d outputs, '%.40s' has %d, so there is no output %d",
                        a->name, a->noutputs, b->name, b->noutputs, output);
    return TSR_OK;
}

tsr_status tsr_hlo_reads(tsr_hlo_indexing *out, const tsr_hlo *hlo, int from, int output, int to,
                         tsr_error *err)
{
    hlo_work work = {.hlo = hlo, .budget = HLO_BUDGET};
    *out = (tsr_hlo_indexing){0};
    TSR_TRY(check_path(hlo, to, from, output, err));
    return reads(out, &work, from, output, to, err);
}

tsr_status tsr_hlo_writes(tsr_hlo_indexing *out, const tsr_hlo *hlo, int from, int to, int output,
                          tsr_error *err)
{
    hlo_work work = {.hlo = hlo, .budget = HLO_BUDGET};
    *out = (tsr_hlo_indexing){0};
    TSR_TRY(check_path(hlo, from, to, output, err));
    return writes(out, &work, from, to, output, err);
}
