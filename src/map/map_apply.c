/* Runs a plan: one plain loop per operation over a block of entries. Sums are added as unsigned numbers: they
 * may wrap on the way, but the plan guarantees that the final sum fits int64. */
#include <string.h>

#include "map_internal.h"
#include "map_tape.h"
#include "tsr_checked.h"

#define LOOP(expression)                  \
    do {                                  \
        for (size_t e = 0; e < n; e++)    \
            d[e] = (int64_t)(expression); \
        return;                           \
    } while (0)

/* Run an operation with one source. */
static void run_unary(const tsr_tape_op *op, int64_t *restrict d, const int64_t *restrict x, size_t n)
{
    const uint64_t k = (uint64_t)op->k[0], c = (uint64_t)op->c, magic = op->magic, bias = op->bias;
    const int64_t divisor = op->c;
    const int shift = op->shift;
    switch (op->code) {
    case TSR_TAPE_LINEAR1:
        LOOP(k * (uint64_t)x[e] + c);
    case TSR_TAPE_SHIFT:
        LOOP(x[e] >> shift);
    case TSR_TAPE_SHIFT_PLUS:
        LOOP((uint64_t)x[e] >> shift);
    case TSR_TAPE_MASK:
        LOOP((uint64_t)x[e] & c);
    case TSR_TAPE_DIV: {
        const uint64_t less = bias / c;
        LOOP((((uint64_t)x[e] + bias) * magic >> shift) - less);
    }
    case TSR_TAPE_MOD:
        LOOP((uint64_t)x[e] + bias - c * (((uint64_t)x[e] + bias) * magic >> shift));
    case TSR_TAPE_DIV_HIGH: {
        const uint64_t less = bias / c;
        LOOP((tsr_mulhi_u64((uint64_t)x[e] + bias, magic) >> shift) - less);
    }
    case TSR_TAPE_MOD_HIGH:
        LOOP((uint64_t)x[e] + bias - c * (tsr_mulhi_u64((uint64_t)x[e] + bias, magic) >> shift));
    case TSR_TAPE_DIV_PLAIN:
        LOOP(tsr_floordiv_i64(x[e], divisor));
    case TSR_TAPE_MOD_PLAIN:
        LOOP(tsr_floormod_i64(x[e], divisor));
    case TSR_TAPE_GATHER:
        tsr_bits_gather((uint64_t *)d, (const uint64_t *)x, &op->bits, n);
        return;
    case TSR_TAPE_SCATTER:
        tsr_bits_scatter((uint64_t *)d, (const uint64_t *)x, &op->bits, n);
        return;
    default:
        memcpy(d, x, n * sizeof *d);
    }
}

static void run_linear2(const tsr_tape_op *op, int64_t *restrict d, const int64_t *restrict x,
                        const int64_t *restrict y, size_t n)
{
    const uint64_t kx = (uint64_t)op->k[0], ky = (uint64_t)op->k[1], c = (uint64_t)op->c;
    if (kx == 1)
        LOOP((uint64_t)x[e] + ky * (uint64_t)y[e] + c);
    LOOP(kx * (uint64_t)x[e] + ky * (uint64_t)y[e] + c);
}

static void run_linear3(const tsr_tape_op *op, int64_t *restrict d, const int64_t *restrict x,
                        const int64_t *restrict y, const int64_t *restrict z, size_t n)
{
    const uint64_t kx = (uint64_t)op->k[0], ky = (uint64_t)op->k[1], kz = (uint64_t)op->k[2],
                   c = (uint64_t)op->c;
    if (kx == 1 && ky == 1 && kz == 1)
        LOOP((uint64_t)x[e] + (uint64_t)y[e] + (uint64_t)z[e] + c);
    if (kx == 1)
        LOOP((uint64_t)x[e] + ky * (uint64_t)y[e] + kz * (uint64_t)z[e] + c);
    LOOP(kx * (uint64_t)x[e] + ky * (uint64_t)y[e] + kz * (uint64_t)z[e] + c);
}

/* Run min, max or product. */
static void run_two(const tsr_tape_op *op, int64_t *restrict d, const int64_t *restrict x,
                    const int64_t *restrict y, size_t n)
{
    if (op->code == TSR_TAPE_MIN)
        LOOP(x[e] < y[e] ? x[e] : y[e]);
    if (op->code == TSR_TAPE_MAX)
        LOOP(x[e] > y[e] ? x[e] : y[e]);
    LOOP((uint64_t)x[e] * (uint64_t)y[e]);
}

/* The array for the value of operation `op` in this call. */
static int64_t *place(const tsr_tape_op *op, int64_t *const *out, int64_t *scratch)
{
    return op->home >= 0 && out[op->home] ? out[op->home] : scratch + (ptrdiff_t)op->slot * TSR_MAP_BLOCK;
}

void tsr_map_plan_apply(const tsr_map_plan *plan, int64_t *const *out, const int64_t *const *in, size_t n,
                        void *scratch)
{
    uint64_t wanted = 0;
    for (int r = 0; r < plan->nresults; r++)
        wanted |= out[r] ? UINT64_C(1) << r : 0;
    for (int i = 0; i < plan->nops; i++) {
        const tsr_tape_op *op = &plan->ops[i];
        if (!(op->wanted & wanted))
            continue;
        const int64_t *src[3] = {NULL};
        for (int s = 0; s < op->nsrc; s++)
            src[s] = op->src[s] < plan->nvars ? in[op->src[s]]
                                              : place(&plan->ops[op->src[s] - plan->nvars], out, scratch);
        int64_t *d = place(op, out, scratch);
        if (op->code == TSR_TAPE_CONST)
            for (size_t e = 0; e < n; e++)
                d[e] = op->c;
        else if (op->code == TSR_TAPE_LINEAR2)
            run_linear2(op, d, src[0], src[1], n);
        else if (op->code == TSR_TAPE_LINEAR3)
            run_linear3(op, d, src[0], src[1], src[2], n);
        else if (op->code == TSR_TAPE_MIN || op->code == TSR_TAPE_MAX || op->code == TSR_TAPE_PRODUCT)
            run_two(op, d, src[0], src[1], n);
        else
            run_unary(op, d, src[0], n);
    }
}

/* inside[e] &= whether x[e] is in `in`, which is not empty. The test is x - lo <= hi - lo on unsigned
 * numbers. */
static void check_interval(uint8_t *restrict inside, const int64_t *restrict x, tsr_interval in, size_t n)
{
    const uint64_t lo = (uint64_t)in.lo, width = (uint64_t)in.hi - lo;
    for (size_t e = 0; e < n; e++)
        inside[e] &= (uint64_t)x[e] - lo <= width;
}

void tsr_map_plan_inside(const tsr_map_plan *plan, uint8_t *inside, const int64_t *const *in, size_t n,
                         void *scratch)
{
    memset(inside, !plan->empty, n);
    if (plan->empty)
        return;
    for (int v = 0; v < plan->nvars; v++)
        if (plan->bounds[v].lo != INT64_MIN || plan->bounds[v].hi != INT64_MAX)
            check_interval(inside, in[v], plan->bounds[v], n);
    const tsr_map_plan *domain = plan->domain;
    if (!domain)
        return;
    int64_t *out[TSR_MAP_MAX_RESULTS], *next = scratch;
    for (int c = 0; c < domain->nresults; c++, next += TSR_MAP_BLOCK)
        out[c] = next;
    tsr_map_plan_apply(domain, out, in, n, next);
    for (int c = 0; c < domain->nresults; c++)
        check_interval(inside, out[c], plan->in[c], n);
}
