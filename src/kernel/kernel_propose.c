/* The sparse format that a result could have: sorted levels of its own, or the outer levels of a sparse operand
 * with dense levels below. */
#include <string.h>

#include "kernel_internal.h"

/* An expression, and for each of its tensors what is given about it. */
typedef struct question {
    const tsr_kernel_question *asked;
    tsr_notation *notation;
    tsr_terms *terms; /* of one statement; NULL: they are refused, and tsr_kernel_new reports why */
    tsr_kernel_tensor given[TSR_NOTATION_MAX_TENSORS]; /* complete; without a name: nothing is given */
} question;

/* The format of an operand; NULL: dense. */
static const tsr_format *format_of(const question *q, int t)
{
    const tsr_format *const format = q->given[t].format;
    return format && !tsr_format_is_dense(format) ? format : NULL;
}

/* The operands that are sparse. */
static uint32_t sparse_operands(const question *q)
{
    uint32_t sparse = 0;
    for (int t = 1; t < q->notation->ntensors; t++)
        sparse |= (uint32_t)(format_of(q, t) != NULL) << t;
    return sparse;
}

static tsr_status ask(question *q, const tsr_kernel_question *asked, tsr_error *err)
{
    *q = (question){.asked = asked};
    TSR_TRY(tsr_program_parse(&q->notation, asked->expression, tsr_functions_list(asked->functions), err));
    for (int i = 0; i < asked->ntensors; i++) {
        const char *const name = asked->tensors[i].name;
        const int t = name ? tsr_notation_find_tensor(q->notation, name) : -1;
        if (t >= 0)
            q->given[t] = kernel_complete(asked->tensors[i]);
    }
    if (q->notation->nstatements > 0 ||
        tsr_notation_terms(&q->terms, q->notation, sparse_operands(q), NULL) != TSR_OK)
        q->terms = NULL;
    return TSR_OK;
}

static void forget(question *q)
{
    tsr_terms_free(q->terms);
    tsr_notation_free(q->notation);
}

/* The size of a variable; 0 where no tensor tells it. */
static uint64_t size_of(const question *q, int v)
{
    for (int t = 1; t < q->notation->ntensors; t++) {
        const uint64_t *const dims = q->given[t].dims;
        const int mode = tsr_expr_mode(tsr_notation_access(q->notation, t), v);
        if (dims && mode >= 0)
            return dims[mode];
    }
    return 0;
}

/* The variables of a factor that has entries at some of their coordinates alone: of a band, or of a sparse operand; else none. */
static uint32_t bound_by(const question *q, const tsr_expr *e)
{
    const bool is_sparse =
        e->kind == TSR_EXPR_ACCESS && e->mask != TSR_MASK_ABSENT && format_of(q, e->tensor);
    return is_sparse || e->kind == TSR_EXPR_BAND ? e->vars : 0;
}

/* ---- a pattern of its own ---- */

/* Whether each term has a sparse operand with each variable of the result, and some term has two sparse
 * operands, or there are two terms. *nstored: the positions of the largest operand, 0 if none is given. */
static bool has_own_pattern(const question *q, uint64_t *nstored)
{
    const tsr_terms *const terms = q->terms;
    int most = 0;
    *nstored = 0;
    for (int i = 0; i < terms->nterms; i++) {
        uint32_t bound = 0;
        int n = 0;
        for (int f = 0; f < terms->term[i].nfactors; f++) {
            const tsr_expr *const e = terms->term[i].factor[f].expr;
            const tsr_tensor *const tensor =
                e->kind == TSR_EXPR_ACCESS && bound_by(q, e) ? q->given[e->tensor].tensor : NULL;
            bound |= bound_by(q, e);
            n += e->kind == TSR_EXPR_BAND ? 2 : bound_by(q, e) != 0;
            *nstored = tensor && tensor->npos > *nstored ? tensor->npos : *nstored;
        }
        if (tsr_notation_free_vars(q->notation) & ~bound)
            return false;
        most = n > most ? n : most;
    }
    return most > 1 || terms->nterms > 1;
}

/* The format of a result with a pattern of its own; NULL: it does not have one. */
static tsr_status own_format(tsr_format **out, const question *q, tsr_error *err)
{
    enum { MAX_ROWS = 1 << 22 };
    uint64_t nstored = 0;
    const tsr_expr *const result = q->notation->result;
    const int n = result->nindices;
    const bool ends = tsr_notation_has_ending(q->notation); /* which leaves out entries */
    const bool own = !ends && n >= 2 && n == q->notation->nfree && !q->notation->accumulate && q->terms &&
                     has_own_pattern(q, &nstored);
    const uint64_t nrows = own || ends ? size_of(q, result->index[0]) : 0;
    *out = NULL;
    if (!own && !ends)
        return TSR_OK;
    return tsr_format_nested(out, n, n > 1 && (nrows <= MAX_ROWS || nrows / 4 <= nstored) ? 1 : 0, NULL, err);
}

/* ---- the pattern of an operand ---- */

/* A format for the entries of operand t: the levels of the operand down to the first one whose variable the result does not have;
 * sorted: lists of the modes of the result that the operand has. The other modes are dense. *out is NULL where there is no such format;
 * so it is for lists where the first level of the operand is dense: then it has rows without entries, and so would the result. */
static void format_like(tsr_format **out, const question *q, int t, bool sorted)
{
    const tsr_format *const format = format_of(q, t);
    const tsr_expr *const result = q->notation->result, *const access = tsr_notation_access(q->notation, t);
    int perm[TSR_MAX_LEVELS], modes[TSR_MAX_ORDER], n = 0;
    uint32_t taken = 0;
    tsr_level_spec levels[TSR_MAX_ORDER];
    *out = NULL;
    if (sorted && format->levels[0].type->full)
        return;
    for (int m = 0; sorted && m < result->nindices; m++)
        if (tsr_expr_mode(access, result->index[m]) >= 0) {
            levels[n] = (tsr_level_spec){.type = tsr_level_of_list};
            modes[n++] = m;
            taken |= UINT32_C(1) << m;
        }
    for (int l = 0; !sorted && tsr_format_is_permutation(format, perm) && l < format->nlevels; l++) {
        const int m = tsr_expr_mode(result, access->index[perm[l]]);
        if (m < 0)
            break;
        if (taken >> m & 1)
            return;
        levels[n] = format->levels[l];
        modes[n++] = m;
        taken |= UINT32_C(1) << m;
    }
    for (int m = 0; m < result->nindices; m++)
        if (!(taken >> m & 1)) {
            levels[n] = (tsr_level_spec){.type = tsr_level_of_cells};
            modes[n++] = m;
        }
    if (tsr_format_permuted(out, n, levels, modes, NULL) != TSR_OK)
        *out = NULL;
}

/* Whether the kernel can be made with a result of this format. */
static bool can_have(const question *q, const tsr_format *format)
{
    const tsr_kernel_options how = {.engine = TSR_ENGINE_INTERPRETER, .functions = q->asked->functions};
    tsr_kernel_tensor with[TSR_NOTATION_MAX_TENSORS];
    tsr_kernel *kernel = NULL;
    int n = 0;
    with[n++] = (tsr_kernel_tensor){.name = q->notation->tensor[0].name,
                                    .format = format,
                                    .dims = q->given[0].dims,
                                    .type = q->given[0].name ? q->given[0].type : TSR_NTYPES};
    for (int t = 1; t < q->notation->ntensors; t++)
        if (q->given[t].name)
            with[n++] = q->given[t];
    const bool can = !tsr_format_is_dense(format) &&
                     tsr_kernel_new(&kernel, q->asked->expression, with, n, &how, NULL) == TSR_OK;
    tsr_kernel_free(kernel);
    return can;
}

/* Whether a term is present in all cells of the result, as 1 is in A(i,j) + 1: no sparse operand has one of its variables. */
static bool fills_result(const question *q)
{
    bool fills = false;
    for (int i = 0; q->terms && i < q->terms->nterms && !fills; i++) {
        const tsr_term *const term = &q->terms->term[i];
        fills = q->notation->nfree > 0;
        for (int f = 0; f < term->nfactors && fills; f++)
            fills = !(bound_by(q, term->factor[f].expr) & tsr_notation_free_vars(q->notation));
    }
    return fills;
}

tsr_status tsr_kernel_propose_pattern(tsr_format **out, const char **operand,
                                      const tsr_kernel_question *asked, tsr_error *err)
{
    question q;
    *out = NULL;
    TSR_TRY(ask(&q, asked, err));
    const bool fills = q.notation->nstatements > 0 || fills_result(&q);
    for (int t = 1; t < q.notation->ntensors && !*out && !fills; t++) {
        const bool is_mask = tsr_notation_access(q.notation, t)->mask == TSR_MASK_ABSENT;
        for (int way = 0; way < 2 && !*out && !is_mask && format_of(&q, t); way++) {
            tsr_format *format;
            format_like(&format, &q, t, way == 1);
            if (format && can_have(&q, format)) {
                *out = format;
                *operand = q.given[t].name;
            } else {
                tsr_format_free(format);
            }
        }
    }
    forget(&q);
    return TSR_OK;
}

/* ---- the choice ---- */

/* Whether a dense result has many cells, and far more than a sparse one can have values: the positions of the largest operand, times
 * the sizes of the result's variables that the operand lacks. */
static bool is_far_larger(const question *q)
{
    const double many = 1 << 24, far = 16;
    const tsr_expr *const result = q->notation->result;
    double ncells = 1, most = 0;
    for (int m = 0; m < result->nindices; m++)
        ncells *= (double)size_of(q, result->index[m]);
    for (int t = 1; t < q->notation->ntensors; t++) {
        if (!format_of(q, t))
            continue;
        if (!q->given[t].tensor)
            return false;
        double n = (double)q->given[t].tensor->npos;
        for (int m = 0; m < result->nindices; m++)
            if (tsr_expr_mode(tsr_notation_access(q->notation, t), result->index[m]) < 0)
                n *= (double)size_of(q, result->index[m]);
        most = n > most ? n : most;
    }
    return ncells > many && most > 0 && ncells > far * most;
}

tsr_status tsr_kernel_propose_format(tsr_format **out, const tsr_kernel_question *asked, tsr_error *err)
{
    question q;
    const char *operand;
    TSR_TRY(ask(&q, asked, err));
    const bool is_one = q.notation->nstatements == 0;
    const tsr_status status =
        is_one ? own_format(out, &q, err) : kernel_propose_program(out, q.notation, asked, err);
    const bool is_sparse = status == TSR_OK && is_one && !*out && q.notation->result->nindices >= 2 &&
                           !q.notation->accumulate && is_far_larger(&q);
    forget(&q);
    return is_sparse ? tsr_kernel_propose_pattern(out, &operand, asked, err) : status;
}
