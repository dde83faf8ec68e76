/* Programs that serve tensors of many dims.
 *
 * A lowered program takes the sizes as arguments, but lowering also looks at them: short dense variables become
 * literals, empty ones drop terms, sizes over 2^32 need wide coordinates, and plans compare costs. So a program for
 * any size is lowered for sizes that stand for others: kernel_open. Two tensors may share a program when all their
 * sizes have the same stand-ins.
 *
 *   - A size of 0, a size over 2^32, and one that the schedule makes a literal stand for themselves.
 *   - Without a plan: a size of at most 64 of a variable of dense tensors alone (the rank of factors) stands for
 *     itself; every other size is LARGE, and numbers of entries are unknown, except that lists are long or not.
 *   - With a plan: sizes of at most 64 stand for themselves, others for their order of magnitude (twice the power of 4 below
 *     them), and so do the numbers of children that the positions of a level have on average. So a tensor keeps its density, within
 *     a factor of four: it decides whether contributions meet in a cell of the result.
 *
 * A kernel that is made ahead of time (any_density) is lowered without knowing tensors: its LARGE sizes stand for all sizes up to 2^32
 * but 0, and numbers of entries are unknown.
 *
 * Only formats whose levels store whole coordinates without padding take part: in all others, padding and the maps
 * depend on the sizes. */
#include <math.h>
#include <string.h>

#include "kernel_steps.h"
#include "tsr_checked.h"

enum { LITERAL = 64 };
static const uint64_t LARGE = UINT64_C(1) << 20, WIDE = UINT64_C(1) << 32;

/* The number 2 * 4^k with 4^k <= x < 4^(k+1), k being an integer; 0 for 0. */
static double magnitude(double x)
{
    return x > 0 ? 2 * ldexp(1, 2 * (int)floor(log2(x) / 2)) : 0;
}

/* The magnitude of the children that a position of the level above level l has on average. */
static double children(const tsr_plan_operand *op, int l)
{
    const uint64_t nparents = l > 0 ? op->npos[l - 1] : 1;
    return nparents > 0 ? magnitude((double)op->npos[l] / (double)nparents) : 0;
}

/* Which levels below the first have long lists, as bits. */
static uint32_t long_lists(const tsr_plan_operand *op, const tsr_format *format)
{
    uint32_t levels = 0;
    for (int l = 1; l < format->nlevels; l++) {
        const bool is_long = op->npos[l - 1] > 0 && op->npos[l] / op->npos[l - 1] >= TSR_LONG_LIST;
        levels |= (uint32_t)(is_long && tsr_level_is_list(format->levels[l].type)) << l;
    }
    return levels;
}

enum {
    SHORT_LIST = 32,      /* elements: a cache line for each list is most of what it reads */
    MANY_BYTES = 4 << 20, /* more than stays in the second cache */
};

/* Which levels below the first have short lists of many bytes, with the values, as bits. */
static uint32_t short_lists(const tsr_plan_operand *op, const tsr_format *format)
{
    const int l = format->nlevels - 1;
    if (l < 1 || op->npos[l - 1] == 0 || !tsr_level_is_list(format->levels[l].type))
        return 0;
    const uint64_t each = op->npos[l] / op->npos[l - 1];
    const uint64_t width = (uint64_t)op->nbytes[TSR_LEVEL_CRD][l] + tsr_type_nbytes(op->type);
    return (uint32_t)(each > 1 && each < SHORT_LIST && op->npos[l] > MANY_BYTES / width) << l;
}

/* ---- which sizes stand for others ---- */

static bool is_open(const kernel_tensor *kt)
{
    if (!tsr_format_is_permutation(kt->format, NULL) || kt->binding->may_pad)
        return false;
    for (int l = 0; l < kt->format->nlevels; l++)
        if (kt->operand.pitch[l] != kt->binding->size[l] || kt->binding->pitch[l] != kt->binding->size[l])
            return false; /* also where the size is 0 */
    return true;
}

/* The variables that index tensors with a level that is not dense, as bits. */
static uint32_t sparse_vars(const tsr_kernel *kernel)
{
    uint32_t vars = 0;
    for (int t = 0; t < kernel->notation->ntensors; t++) {
        const tsr_expr *const access = tsr_notation_access(kernel->notation, t);
        for (int m = 0; !tsr_format_is_dense(kernel->tensor[t].format) && m < access->nindices; m++)
            vars |= (uint32_t)1 << access->index[m];
    }
    return vars;
}

static uint64_t stand_in(const tsr_kernel *kernel, int v, bool planned, uint32_t sparse)
{
    const uint64_t size = kernel->size[v];
    if (size == 0 || size > WIDE || kernel->schedule.literal[v] ||
        (size <= LITERAL && (planned || !(sparse >> v & 1))))
        return size;
    if (!planned)
        return LARGE;
    return (uint64_t)magnitude((double)size);
}

/* Whether each dim of tensor t is the size of its variable. */
static bool has_own_dims(const tsr_kernel *kernel, int t)
{
    const tsr_expr *const access = tsr_notation_access(kernel->notation, t);
    for (int m = 0; m < access->nindices; m++)
        if (kernel->tensor[t].dims[m] != kernel->size[access->index[m]])
            return false;
    return true;
}

static bool can_open(const tsr_kernel *kernel)
{
    if (!kernel_has_open_steps(kernel) || kernel->notation->result->has_step ||
        tsr_expr_has_window(kernel->notation->rhs, false) ||
        tsr_expr_has_window(kernel->notation->where, false))
        return false;
    for (int t = 0; t < kernel->notation->ntensors; t++)
        if (!is_open(&kernel->tensor[t]) || !has_own_dims(kernel, t))
            return false;
    return true;
}

void kernel_open_free(kernel_open *open)
{
    if (!open)
        return;
    for (int t = 0; t < TSR_NOTATION_MAX_TENSORS; t++)
        tsr_binding_free(open->binding[t]);
    tsr_free(open);
}

/* Whether the positions of a result with the stand-ins are few enough for a program. */
static bool result_fits(const tsr_binding *binding)
{
    uint64_t n = 1;
    for (int l = 0; l < binding->format->nlevels; l++)
        if (!tsr_mul_u64(&n, n, binding->pitch[l]) || n > INT64_MAX / TSR_MAX_VALUE_NBYTES)
            return false;
    return true;
}

/* Where the stand-ins of many variables make the result too large, the program is for the sizes that are given. */
tsr_status kernel_open_sizes(tsr_kernel *kernel, bool planned, tsr_error *err)
{
    kernel_open_free(kernel->open);
    kernel->open = NULL;
    if (!can_open(kernel))
        return TSR_OK;
    kernel_open *const open = tsr_calloc(1, sizeof *open);
    if (!open)
        return tsr_fail(err, TSR_NOMEM, "out of memory: a kernel");
    open->planned = planned;
    const uint32_t sparse = sparse_vars(kernel);
    for (int v = 0; v < kernel->notation->nvars; v++)
        open->size[v] = stand_in(kernel, v, planned, sparse);
    tsr_status status = TSR_OK;
    for (int t = 0; status == TSR_OK && t < kernel->notation->ntensors; t++) {
        uint64_t dims[TSR_MAX_ORDER] = {0};
        const tsr_expr *const access = tsr_notation_access(kernel->notation, t);
        for (int m = 0; m < access->nindices; m++)
            dims[m] = open->size[access->index[m]];
        status = tsr_binding_new(&open->binding[t], kernel->tensor[t].format, dims, err);
    }
    if (status == TSR_OK && result_fits(open->binding[0]))
        kernel->open = open;
    else
        kernel_open_free(open);
    return status;
}

/* Set the numbers of positions that follow from the stand-ins. */
static void stand_in_positions(tsr_plan_operand *op, const tsr_kernel *kernel, int t)
{
    const tsr_plan_operand *const of = &kernel->tensor[t].operand;
    const tsr_binding *const binding = kernel->open->binding[t];
    bool known = true;
    uint64_t npos = 1, above = 1;
    op->binding = binding;
    for (int l = 0; l < binding->format->nlevels; l++) {
        const tsr_level_type *const type = binding->format->levels[l].type;
        op->pitch[l] = binding->pitch[l];
        known = known && type->npos(&npos, npos, binding->pitch[l]) && npos != UINT64_MAX;
        if (known)
            above = npos;
        else if (kernel->open->planned && above > 0 && of->npos[l] > 0)
            above = (uint64_t)fmax(1, (double)above * children(of, l));
        else
            above = 0;
        op->npos[l] = above;
    }
    if (!known && !kernel->open->planned) {
        memset(op->npos, 0, sizeof op->npos);
        op->long_lists = long_lists(of, binding->format);
    }
}

tsr_plan_operand kernel_operand(const tsr_kernel *kernel, int t)
{
    const kernel_tensor *const kt = &kernel->tensor[t];
    tsr_plan_operand op = kt->operand;
    if (!kernel->how.any_density)
        op.short_lists = short_lists(&op, kt->format);
    if (kernel->open)
        stand_in_positions(&op, kernel, t);
    op.nstored = kt->format->nlevels > 0 ? op.npos[kt->format->nlevels - 1] : 0;
    if (kernel->storage)
        op.binding = kernel->storage->binding[t];
    else if (op.nstored > 0 && kt->filled < 1)
        op.nstored = 1 + (uint64_t)((double)op.nstored * kt->filled);
    return op;
}

/* ---- kernels that borrow a program ---- */

/* Whether the program of `base` serves tensor t of `kernel`. */
static bool serves_tensor(const tsr_kernel *base, const tsr_kernel *kernel, int t)
{
    const kernel_tensor *const a = &base->tensor[t], *const b = &kernel->tensor[t];
    if (!tsr_format_equal(a->format, b->format) || a->operand.type != b->operand.type ||
        a->operand.iso != b->operand.iso || !is_open(b) || !has_own_dims(kernel, t))
        return false;
    if (!base->how.any_density &&
        (long_lists(&a->operand, a->format) != long_lists(&b->operand, b->format) ||
         short_lists(&a->operand, a->format) != short_lists(&b->operand, b->format)))
        return false;
    for (int l = 0; l < b->format->nlevels; l++) {
        if (base->open->planned && !base->how.any_density &&
            children(&a->operand, l) != children(&b->operand, l))
            return false;
        for (int role = 0; role < TSR_LEVEL_NROLES; role++)
            if (a->operand.nbytes[role][l] != b->operand.nbytes[role][l])
                return false;
    }
    return true;
}

/* Whether the program of `base` serves the size of variable v in `kernel`. */
static bool serves_size(const tsr_kernel *base, const tsr_kernel *kernel, int v, uint32_t sparse)
{
    const uint64_t for_size = base->open->size[v], size = kernel->size[v];
    if (for_size == stand_in(kernel, v, base->open->planned, sparse))
        return true;
    return base->how.any_density && !base->schedule.literal[v] && for_size > LITERAL && for_size <= WIDE &&
           size > 0 && size <= WIDE;
}

static bool serves(const tsr_kernel *base, const tsr_kernel *kernel)
{
    const uint32_t sparse = sparse_vars(base);
    for (int v = 0; v < base->notation->nvars; v++)
        if (!serves_size(base, kernel, v, sparse))
            return false;
    for (int t = 0; t < base->notation->ntensors; t++)
        if (!serves_tensor(base, kernel, t))
            return false;
    return true;
}

/* Describe the tensors for which `kernel` borrows the program of `base`. */
static tsr_status describe_for(tsr_kernel *kernel, const tsr_kernel *base, tsr_kernel_tensor *given,
                               int ngiven, tsr_error *err)
{
    if (base->nsteps > 0) {
        kernel_maker m = {.kernel = kernel, .given = given, .ngiven = ngiven};
        TSR_TRY(kernel_rebind_steps(&m, base, err));
        ngiven = kernel_select_given(given, &m, kernel->notation, 0);
    }
    TSR_TRY(kernel_describe(kernel, given, ngiven, err));
    return serves(base, kernel)
               ? TSR_OK
               : tsr_fail(err, TSR_UNSUPPORTED, "the program of %s does not serve these tensors",
                          base->text.expression);
}

tsr_status tsr_kernel_rebind(tsr_kernel **out, const tsr_kernel *base, const tsr_kernel_tensor *tensors,
                             int ntensors, tsr_error *err)
{
    *out = NULL;
    if (!base->open)
        return tsr_fail(err, TSR_UNSUPPORTED, "%s was made for tensors of one size", base->text.expression);
    tsr_kernel *const kernel = tsr_malloc(sizeof *kernel);
    if (!kernel)
        return tsr_fail(err, TSR_NOMEM, "out of memory: a kernel");
    *kernel = *base;
    kernel->base = base;
    kernel->open = NULL;
    kernel->step = NULL;
    kernel->nsteps = 0;
    memset(kernel->tensor, 0, sizeof kernel->tensor);
    memset(kernel->copy, 0, sizeof kernel->copy);
    tsr_kernel_tensor *given;
    tsr_status status = kernel_take_given(&given, tensors, ntensors, err);
    if (status == TSR_OK)
        status = describe_for(kernel, base, given, ntensors, err);
    tsr_free(given);
    if (status == TSR_OK)
        *out = kernel;
    else
        tsr_kernel_free(kernel);
    return status;
}
