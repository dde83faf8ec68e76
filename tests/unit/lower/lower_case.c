/* See lower_case.h. */
#include "lower_case.h"

#include <inttypes.h>
#include <math.h>

/* ---- the text of a case ---- */

/* What stands after "name:" (or "name=") in a list of words separated by spaces; false: nothing does. */
static bool find_word(char *out, size_t nbytes, const char *list, const char *name, char separator)
{
    const size_t n = strlen(name);
    for (const char *p = list ? list : ""; *p;) {
        while (*p == ' ')
            p++;
        const char *end = p + strcspn(p, ";");
        if (separator == '=')
            end = p + strcspn(p, " ");
        if (strncmp(p, name, n) == 0 && p[n] == separator) {
            snprintf(out, nbytes, "%.*s", (int)(end - p - (ptrdiff_t)n - 1), p + n + 1);
            return true;
        }
        p = *end ? end + 1 : end;
    }
    return false;
}

static void tensor_dims(uint64_t *dims, const lower_case_program *p, int t)
{
    const tsr_expr *access = tsr_notation_access(p->notation, t);
    for (int m = 0; m < access->nindices; m++)
        dims[m] = p->size[access->index[m]];
}

void lower_case_set_up(lower_case_program *p, const lower_case *c)
{
    char word[1100];
    memset(p, 0, sizeof *p);
    assert_ok(tsr_notation_parse(&p->notation, c->expression, err));
    p->ntensors = p->notation->ntensors;
    for (int v = 0; v < p->notation->nvars; v++) {
        p->size[v] =
            find_word(word, sizeof word, c->sizes, p->notation->var[v], '=') ? strtoull(word, NULL, 10) : 5;
    }
    for (int t = 0; t < p->ntensors; t++) {
        uint64_t dims[TSR_MAX_ORDER];
        const int order = p->notation->tensor[t].order;
        tensor_dims(dims, p, t);
        if (!find_word(word, sizeof word, c->formats, p->notation->tensor[t].name, ':')) {
            memset(word, 'd', (size_t)order);
            strcpy(word + order, order == 0 ? "() -> ()" : "");
        }
        assert_ok(tsr_format_parse(&p->format[t], word, order, dims, err));
        assert_ok(tsr_binding_new(&p->binding[t], p->format[t], dims, err));
        tsr_plan_operand *op = &p->operand[t];
        op->binding = p->binding[t];
        op->type = c->type;
        if (find_word(word, sizeof word, c->types, p->notation->tensor[t].name, ':'))
            assert_ok(tsr_type_parse(&op->type, word, err));
        for (int l = 0; l < p->format[t]->nlevels; l++) {
            for (int role = 0; role < TSR_LEVEL_NROLES; role++)
                op->nbytes[role][l] =
                    tsr_level_has(p->format[t]->levels[l].type, (tsr_level_role)role) ? 4 : 0;
            op->pitch[l] = p->binding[t]->pitch[l];
        }
    }
    assert_ok(tsr_schedule_parse(&p->schedule, c->schedule, p->notation, err));
}

void lower_case_clear(lower_case_program *p)
{
    tsr_lowered_free(p->lowered);
    for (int t = 0; t < p->ntensors; t++) {
        tsr_tensor_free(p->tensor[t]);
        tsr_binding_free(p->binding[t]);
        tsr_format_free(p->format[t]);
    }
    tsr_notation_free(p->notation);
}

tsr_status lower_case_make(tsr_lowered **out, tsr_text *text, const lower_case_program *p,
                           const tsr_plan_request *how, tsr_error *err)
{
    tsr_plan_operand operands[TSR_NOTATION_MAX_TENSORS] = {{0}};
    tsr_plan_request request = *how;
    tsr_plan *plan;
    for (int t = 0; t < p->ntensors; t++) {
        operands[t] = p->operand[t];
        operands[t].copy_nbytes = 4;
    }
    request.notation = p->notation;
    request.operands = operands;
    request.size = p->size;
    *out = NULL;
    TSR_TRY(tsr_plan_new(&plan, &request, err));
    tsr_status status = TSR_OK;
    if (!tsr_plan_walks(plan))
        status = tsr_fail(err, TSR_UNSUPPORTED, "the plan merges: %s", plan->why);
    if (status == TSR_OK)
        status = tsr_lower(out, plan, p->operand, &(tsr_lower_options){.name = NULL}, err);
    if (status == TSR_OK && text) {
        tsr_plan_print(text, plan);
        status = tsr_text_status(text, err);
    }
    tsr_plan_free(plan);
    return status;
}

void lower_case_lower(lower_case_program *p, const lower_case *c)
{
    lower_case_set_up(p, c);
    assert_ok(lower_case_make(
        &p->lowered, NULL, p,
        &(tsr_plan_request){.schedule = &p->schedule, .nthreads = c->planned ? c->planned : 2}, err));
}

/* ---- tensors ---- */

/* With infinities all values are positive: a sum that cancels before it is multiplied by an infinity is no
 * NaN, as the sum of the products would be. */
static double random_value(tsr_rng *rng, const lower_case *c, tsr_type type, bool is_dense)
{
    if (c->has_inf && is_dense && tsr_rng_below(rng, c->inf_odds ? c->inf_odds : 3) == 0)
        return tsr_rng_below(rng, 3) == 0 ? NAN : INFINITY;
    const char class = tsr_type_class(type);
    const double small = (double)(tsr_rng_below(rng, 7) + 1);
    if (type == TSR_PATTERN)
        return 1;
    return class == 'U' || c->has_inf || tsr_rng_below(rng, 2) ? small : -small;
}

static void make_operand(lower_case_program *p, dense *d, int t, const lower_case *c, tsr_rng *rng)
{
    uint64_t dims[TSR_MAX_ORDER];
    const bool is_dense = tsr_format_is_dense(p->format[t]);
    const double density = c->density > 0 ? c->density : 0.3;
    dense full;
    tsr_text text = {0};
    tensor_dims(dims, p, t);
    dense_init(&full, p->format[t]->order, dims);
    for (uint64_t k = 0; k < full.n; k++) {
        full.stored[k] = is_dense || tsr_rng_unit(rng) < density;
        if (full.stored[k])
            full.v[k] = c->is_iso && !is_dense ? 3 : random_value(rng, c, p->operand[t].type, is_dense);
    }
    tsr_format_print_long(&text, p->format[t]);
    dense_pack(&p->tensor[t], &full, tsr_text_cstr(&text), p->operand[t].type, NULL);
    tsr_text_clear(&text);
    dense_clear(&full);
    tsr_tensor *tensor = p->tensor[t];
    if (c->is_iso && !is_dense && !tsr_format_has_dense_leaf(p->format[t])) {
        tensor->iso = true;
        if (tensor->values.n == 0) {
            tsr_array_clear(&tensor->values);
            assert_ok(
                tsr_array_init(&tensor->values, 1, tsr_type_nbytes(p->operand[t].type), 1, "a value", err));
        }
        tensor->values.n = 1;
    }
    dense_from_tensor(d, tensor);
    tsr_plan_operand *op = &p->operand[t];
    op->iso = tensor->iso;
    for (int l = 0; l < tensor->nlevels; l++) {
        for (int role = 0; role < TSR_LEVEL_NROLES; role++)
            op->nbytes[role][l] =
                (uint8_t)tsr_level_array_at(&tensor->levels[l], (tsr_level_role)role)->width;
        op->pitch[l] = tensor->levels[l].pitch;
        op->npos[l] = c->known ? tensor->levels[l].npos : 0;
    }
}

static void copy_array(tsr_array *to, const tsr_array *from)
{
    if (!from->data)
        return;
    assert_ok(tsr_array_init(to, from->n, from->width, 0, "a level", err));
    memcpy(to->data, from->data, from->n * from->width);
}

/* The result: the pattern's levels, and dense ones. */
static void make_result(lower_case_program *p)
{
    uint64_t dims[TSR_MAX_ORDER], npos = 1;
    tensor_dims(dims, p, 0);
    assert_ok(tsr_tensor_new(&p->tensor[0], p->format[0], dims, p->operand[0].type, err));
    tsr_tensor *result = p->tensor[0];
    for (int l = 0; l < result->nlevels; l++) {
        tsr_level *level = &result->levels[l];
        if (l < p->lowered->pattern_nlevels) {
            const tsr_level *from = &p->tensor[p->lowered->pattern_tensor]->levels[l];
            level->nparents = from->nparents;
            level->npos = from->npos;
            level->pitch = from->pitch;
            copy_array(&level->pos, &from->pos);
            copy_array(&level->crd, &from->crd);
        } else {
            level->nparents = npos;
            level->npos = npos * level->pitch;
        }
        npos = level->npos;
    }
    result->npos = npos;
    assert_ok(tsr_array_init(&result->values, npos, tsr_type_nbytes(p->operand[0].type), 1, "values", err));
}

/* ---- running ---- */

static void run(const lower_case_program *p, const tsr_ir *ir, int nthreads, const char *what)
{
    tsr_ir_arg args[256];
    assert_true(ir->nparams <= 256);
    for (int i = 0; i < ir->nparams; i++) {
        const tsr_param *param = &p->lowered->param[i];
        const tsr_tensor *tensor = param->tensor >= 0 ? p->tensor[param->tensor] : NULL;
        const tsr_level *level = param->level >= 0 ? &tensor->levels[param->level] : NULL;
        const tsr_array *array = NULL;
        uint64_t n = 0;
        switch (param->role) {
        case TSR_PARAM_NTHREADS:
            n = (uint64_t)nthreads;
            break;
        case TSR_PARAM_SIZE:
            n = p->size[param->var];
            break;
        case TSR_PARAM_LEVEL_SIZE:
            n = level->size;
            break;
        case TSR_PARAM_PITCH:
            n = level->pitch;
            break;
        case TSR_PARAM_NPOS:
            n = level ? level->npos : 1;
            break;
        case TSR_PARAM_LOW:
            n = level->low;
            break;
        case TSR_PARAM_VALUES:
            array = &tensor->values;
            break;
        default:
            array = tsr_level_array_at(level, (tsr_level_role)(param->role - TSR_PARAM_POS));
            break;
        }
        args[i] = (tsr_ir_arg){.n = (int64_t)(array ? array->n : n), .data = array ? array->data : NULL};
    }
    tsr_error err = {0};
    if (tsr_ir_run(ir, args, 0, &err) != TSR_OK) {
        tsr_text text = {0};
        tsr_ir_print(&text, ir);
        print_error("%s: %s\n%s\n", what, err.message, tsr_text_cstr(&text));
        fail();
    }
}

/* The results of runs with 1, 2, 3 and 7 threads against the oracle's. */
static void check_runs(lower_case_program *p, const dense *want, const double *magnitude, const char *what)
{
    static const int threads[] = {1, 2, 3, 7};
    const double tolerance = p->operand[0].type == TSR_F32 || p->operand[0].type == TSR_C64 ? 1e-5 : 1e-13;
    tsr_tensor *result = p->tensor[0];
    for (int k = 0; k < 8; k++) {
        char name[1600];
        dense got;
        snprintf(name, sizeof name, "%s, %d threads, %s", what, threads[k / 2], k % 2 ? "vectors" : "plain");
        unsigned char *bytes = result->values.data;
        memset(bytes, 0, tsr_array_nbytes(&result->values));
        if (!p->notation->accumulate && tsr_format_is_dense(p->format[0]) && !p->binding[0]->may_pad)
            memset(bytes, 77, tsr_array_nbytes(&result->values)); /* must be overwritten */
        run(p, k % 2 ? p->lowered->ir : p->lowered->plain, threads[k / 2], name);
        dense_from_tensor(&got, result);
        dense_compare(&got, want, magnitude, tolerance, name);
        dense_clear(&got);
    }
}

bool lower_case_run(const lower_case *c, tsr_error *err_out)
{
    lower_case_program p;
    dense operand[TSR_NOTATION_MAX_TENSORS], want;
    const dense *operands[TSR_NOTATION_MAX_TENSORS] = {NULL};
    tsr_rng rng = {c->seed + 1};
    uint64_t dims[TSR_MAX_ORDER];
    char what[1400];
    snprintf(what, sizeof what, "%s, %s, %s, %s, seed %" PRIu64, c->expression, c->formats ? c->formats : "",
             c->sizes ? c->sizes : "", c->schedule ? c->schedule : "", c->seed);
    lower_case_set_up(&p, c);
    for (int t = 1; t < p.ntensors; t++) {
        make_operand(&p, &operand[t], t, c, &rng);
        operands[t] = &operand[t];
    }
    const tsr_status status = lower_case_make(
        &p.lowered, NULL, &p,
        &(tsr_plan_request){.schedule = &p.schedule, .nthreads = c->planned ? c->planned : 2}, err_out);
    if (status != TSR_OK && status != TSR_UNSUPPORTED && status != TSR_ARGUMENT) {
        print_error("%s: %s\n", what, err_out->message);
        fail();
    }
    if (status == TSR_OK) {
        make_result(&p);
        tensor_dims(dims, &p, 0);
        dense_init(&want, p.format[0]->order, dims);
        double *magnitude = calloc(want.n + 1, sizeof *magnitude);
        dense_evaluate(&want, magnitude, p.notation, operands);
        check_runs(&p, &want, magnitude, what);
        free(magnitude);
        dense_clear(&want);
    }
    for (int t = 1; t < p.ntensors; t++)
        dense_clear(&operand[t]);
    lower_case_clear(&p);
    return status == TSR_OK;
}
