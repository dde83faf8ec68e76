/* --check: the result of the kernel compared with the interpreter and with the dense oracle. */
#include <stdio.h>
#include <string.h>

#include "tkern.h"
#include "tsr_pack.h"

/* Print the outcome; returns whether it is equal. */
static bool tell(const tsr_tkern *t, const char *against, const tsr_comparison *c)
{
    const char *const who = strcmp(against, "oracle") == 0 ? "dense oracle" : against;
    if (t->json)
        tsr_tkern_json_comparison(t, against, c, NULL);
    else if (c->whole)
        printf("check %s: %llu of %llu values differ\n", who, (unsigned long long)c->ndifferent,
               (unsigned long long)c->n);
    else
        printf("check %s: %s, largest difference %.2g of %.3g (%.0e allowed)\n", who,
               c->same ? "equal" : "DIFFERENT", c->difference, c->largest, c->tolerance);
    return c->same;
}

/* Print why the oracle did not compute. */
static void tell_why(const tsr_tkern *t, const char *why)
{
    if (t->json)
        tsr_tkern_json_comparison(t, "oracle", NULL, why);
    else
        printf("check dense oracle: %s\n", why);
}

tsr_status tsr_tkern_copy(tsr_tensor **out, const tsr_tensor *tensor, int nthreads, tsr_error *err)
{
    const tsr_pack_options how = {.nthreads = nthreads};
    tsr_coo *coo;
    *out = NULL;
    TSR_TRY(tsr_unpack(&coo, tensor, nthreads, err));
    return tsr_pack(out, coo, tensor->format, &how, NULL, err);
}

/* A new result that holds the values that the result of the kernel had before the run. */
static tsr_status result_before(tsr_tensor **out, const tsr_kernel *kernel, const tsr_tkern *t,
                                tsr_error *err)
{
    TSR_TRY(tsr_kernel_result(out, kernel, t->operands, err));
    if (t->before && !tsr_format_is_dense(t->before->format)) {
        tsr_tensor_free(*out);
        return tsr_tkern_copy(out, t->before, t->s->common.nthreads, err);
    }
    if (t->before)
        memcpy((*out)->values.data, t->before->values.data, tsr_array_nbytes(&(*out)->values));
    return TSR_OK;
}

static tsr_status check_interpreter(bool *same, const tsr_tkern *t, const tsr_tensor *computed,
                                    tsr_error *err)
{
    tsr_kernel_tensor tensors[TSR_NOTATION_MAX_TENSORS];
    const tsr_kernel_options options = {.engine = TSR_ENGINE_INTERPRETER,
                                        .schedule = t->s->schedule,
                                        .semiring = t->s->semiring,
                                        .functions = t->functions,
                                        .nthreads = t->s->common.nthreads};
    for (int i = 0; i < t->notation->ntensors; i++)
        tensors[i] =
            (tsr_kernel_tensor){.name = t->tensor[i].name, .tensor = i > 0 ? t->operands[i - 1] : computed};
    tsr_kernel *kernel = NULL;
    tsr_tensor *result = NULL;
    tsr_comparison c;
    tsr_status status = TSR_OK;
    TSR_TRY_OUT(tsr_kernel_new(&kernel, t->s->expression, tensors, t->notation->ntensors, &options, err));
    TSR_TRY_OUT(result_before(&result, kernel, t, err));
    TSR_TRY_OUT(tsr_kernel_run(kernel, result, t->operands, t->s->common.nthreads, err));
    if (result->values.n != computed->values.n) {
        if (t->json)
            tsr_tkern_json_comparison(t, "interpreter", NULL, "the numbers of entries differ");
        else
            printf("the interpreter's result has %llu entries, and not %llu\n",
                   (unsigned long long)result->values.n, (unsigned long long)computed->values.n);
        *same = false;
        goto out;
    }
    TSR_TRY_OUT(tsr_compare_values(&c, computed, result, err));
    *same = tell(t, "interpreter", &c);
out:
    tsr_kernel_free(kernel);
    tsr_tensor_free(result);
    return status;
}

static tsr_status check_oracle(bool *same, const tsr_tkern *t, const tsr_tensor *computed, tsr_error *err)
{
    const tsr_oracle_case wanted = {.notation = t->notation,
                                    .size = t->size,
                                    .operands = t->operands,
                                    .before = t->before,
                                    .nthreads = t->s->common.nthreads};
    tsr_comparison c;
    bool fits;
    TSR_TRY(tsr_oracle_compare(&c, &fits, &wanted, computed, err));
    if (fits)
        *same = tell(t, "oracle", &c);
    else
        tell_why(t, "too large for it");
    return TSR_OK;
}

/* Whether the expression has a function, or a coordinate as a value. */
static bool computes_more(const tsr_expr *e)
{
    return e && (e->kind == TSR_EXPR_CALL || e->kind == TSR_EXPR_VAR || e->has_band || computes_more(e->a) ||
                 computes_more(e->b));
}

tsr_status tsr_tkern_check(bool *same, const tsr_tkern *t, tsr_error *err)
{
    tsr_tensor *computed = NULL;
    bool first = true, second = true;
    tsr_status status = TSR_OK;
    /* The kernel runs again here, because timed runs of += have added several times. */
    TSR_TRY_OUT(result_before(&computed, t->kernel, t, err));
    TSR_TRY_OUT(tsr_tkern_run(t, computed, err));
    TSR_TRY_OUT(check_interpreter(&first, t, computed, err));
    if (t->notation->nstatements > 0)
        tell_why(t, "not for several statements");
    else if (t->s->semiring || t->notation->is_truth || t->notation->reduction ||
             tsr_notation_has_ending(t->notation) || t->notation->selection.gives_place ||
             computes_more(t->notation->rhs)) /* the oracle adds and multiplies */
        tell_why(t, "not for semirings, other reductions than +=, endings and functions");
    else
        TSR_TRY_OUT(check_oracle(&second, t, computed, err));
    *same = first && second;
out:
    tsr_tensor_free(computed);
    return status;
}
