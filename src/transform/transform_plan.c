/* Planning the transformations and carrying them out: see tsr_transforms.h. A plan is a list of actions; maps
 * that follow each other are composed and simplified into one action. */
#include "transform_plan.h"

#include <inttypes.h>

#include "tsr_transform.h"

tsr_status tsr_transforms_add(tsr_transforms *transforms, tsr_transform_kind kind, const char *text,
                              tsr_error *err)
{
    if (transforms->n == TSR_MAX_TRANSFORMS)
        return tsr_fail(err, TSR_LIMIT, "more than %d transformations are given", (int)TSR_MAX_TRANSFORMS);
    transforms->steps[transforms->n++] = (tsr_transform_step){kind, text};
    return TSR_OK;
}

const char *tsr_transforms_option(const tsr_transforms *transforms, int i)
{
    return transform_types[transforms->steps[i].kind].option;
}

tsr_status tsr_transform_kind_parse(tsr_transform_kind *out, const char *name, tsr_error *err)
{
    tsr_text names = {0};
    *out = TSR_TRANSFORM_TRANSPOSE;
    for (int k = 0; k <= TSR_TRANSFORM_MAP; k++) {
        if (strcmp(transform_types[k].option, name) == 0) {
            *out = (tsr_transform_kind)k;
            tsr_text_clear(&names);
            return TSR_OK;
        }
        tsr_text_addf(&names, "%s%s", k > 0 ? ", " : "", transform_types[k].option);
    }
    const tsr_status status =
        tsr_fail(err, TSR_ARGUMENT, "unknown transformation '%s' (known: %s)", name, tsr_text_cstr(&names));
    tsr_text_clear(&names);
    return status;
}

static tsr_status check_step(const tsr_transform_step *step, tsr_error *err)
{
    const transform_type *const type = &transform_types[step->kind];
    return type->check ? type->check(step->text, err) : TSR_OK;
}

tsr_status tsr_transforms_check(tsr_transform_job *job, tsr_error *err)
{
    for (int i = 0; i < job->transforms->n; i++) {
        const tsr_transform_step *const step = &job->transforms->steps[i];
        job->place = (tsr_transform_place){transform_types[step->kind].option, step->text};
        TSR_TRY(check_step(step, err));
    }
    job->place = (tsr_transform_place){0};
    return TSR_OK;
}

/* ---- the plan ---- */

static void clear_action(transform_action *action)
{
    tsr_map_free(action->map);
    tsr_free(action->table);
    tsr_coo_free(action->other);
    tsr_labels_free(action->labels);
}

tsr_status transform_plan_action(transform_plan *plan, const transform_action *action, tsr_error *err)
{
    if (plan->nactions == plan->capacity) {
        const int capacity = plan->capacity > 0 ? 2 * plan->capacity : 8;
        transform_action *const more = tsr_realloc(plan->actions, (size_t)capacity * sizeof *more);
        if (!more) {
            transform_action mine = *action;
            clear_action(&mine);
            return tsr_fail(err, TSR_NOMEM, "out of memory for a list of transformations");
        }
        plan->actions = more;
        plan->capacity = capacity;
    }
    plan->actions[plan->nactions++] = *action;
    return TSR_OK;
}

tsr_status transform_plan_flush(transform_plan *plan, tsr_error *err)
{
    if (!plan->map)
        return TSR_OK;
    transform_action action = {.kind = TRANSFORM_MOVE, .map = plan->map};
    memcpy(action.dims, plan->dims, sizeof action.dims);
    plan->map = NULL;
    return transform_plan_action(plan, &action, err);
}

/* *out = the map of the plan followed by `step`, simplified. */
static tsr_status join(tsr_map **out, const transform_plan *plan, const tsr_map *step, tsr_error *err)
{
    tsr_map *first = NULL, *composed = NULL;
    tsr_status status = TSR_OK;
    *out = NULL;
    if (!plan->map)
        TSR_TRY_OUT(tsr_map_identity(&first, transform_shape(plan), err));
    TSR_TRY_OUT(tsr_map_compose(&composed, step, plan->map ? plan->map : first, err));
    status = tsr_map_simplify(out, composed, err);
out:
    tsr_map_free(first);
    tsr_map_free(composed);
    return status;
}

tsr_status transform_plan_map(transform_plan *plan, tsr_map *step, int out_order, const uint64_t *out_dims,
                              tsr_error *err)
{
    tsr_map *joined = NULL;
    tsr_status status = TSR_OK;
    if (out_order > TSR_MAX_ORDER)
        TSR_TRY_OUT(tsr_fail(err, TSR_LIMIT, "the tensor would have %d modes, and at most %d are possible",
                             out_order, (int)TSR_MAX_ORDER));
    status = join(&joined, plan, step, err);
    if (plan->map && (status == TSR_LIMIT ||
                      status == TSR_UNSUPPORTED)) { /* one map would be too complex: make two passes */
        TSR_TRY_OUT(transform_plan_flush(plan, err));
        status = join(&joined, plan, step, err);
    }
    TSR_TRY_OUT(status);
    tsr_map_free(plan->map);
    plan->map = joined;
    plan->order = out_order;
    for (int m = 0; m < out_order; m++)
        plan->dims[m] = out_dims[m];
out:
    tsr_map_free(step);
    return status;
}

static tsr_status plan_steps(transform_plan *plan, tsr_error *err)
{
    tsr_transform_job *const job = plan->job;
    for (int i = 0; i < job->transforms->n; i++) {
        const tsr_transform_step *const step = &job->transforms->steps[i];
        const transform_type *const type = &transform_types[step->kind];
        job->place = (tsr_transform_place){type->option, step->text};
        if (plan->has_fill && !type->keeps_fill)
            return tsr_fail(err, TSR_UNSUPPORTED,
                            "absent entries of this tensor are not 0, and --%s would lose their value",
                            type->option);
        TSR_TRY(type->plan(plan, step->text, err));
    }
    job->place = (tsr_transform_place){0};
    return transform_plan_flush(plan, err);
}

/* ---- the passes ---- */

/* Pack and unpack, which sorts the entries and combines duplicates by `rule`. */
static tsr_status combine(tsr_coo **coo, const tsr_pack_options *pack, tsr_duplicates rule, tsr_error *err)
{
    tsr_format *format = NULL;
    tsr_tensor *packed = NULL;
    tsr_pack_options how = *pack;
    how.duplicates = rule;
    how.index_width = TSR_INDEX_NARROW;
    tsr_status status = tsr_format_coordinates(&format, (*coo)->order, rule == TSR_DUP_KEEP, err);
    TSR_TRY(status);
    tsr_coo *const used = *coo;
    *coo = NULL;
    status = tsr_pack(&packed, used, format, &how, NULL, err);
    if (status == TSR_OK)
        status = tsr_unpack(coo, packed, pack->nthreads, err);
    tsr_tensor_free(packed);
    tsr_format_free(format);
    return status;
}

/* Sort the entries so that those of one cell are neighbours, then take the smallest or largest. Without
 * modes all entries are in one cell. */
static tsr_status find_extremes(tsr_coo **coo, const tsr_pack_options *pack, const transform_action *action,
                                tsr_error *err)
{
    if ((*coo)->order > 0)
        TSR_TRY(combine(coo, pack, TSR_DUP_KEEP, err));
    return tsr_transform_extremes(*coo, action->largest, action->ncells, err);
}

static tsr_status act(tsr_transform_job *job, tsr_coo **coo, transform_action *action, tsr_error *err)
{
    const int nthreads = job->pack->nthreads;
    uint64_t ndropped = 0;
    if (tsr_labels_any(job->labels) || (job->labels && tsr_labels_any(action->labels)))
        TSR_TRY(transform_act_on_labels(job->labels, *coo, action, err));
    switch (action->kind) {
    case TRANSFORM_MOVE:
        TSR_TRY(tsr_transform(*coo, &ndropped, action->map, action->dims, nthreads, err));
        job->ndropped += ndropped;
        return TSR_OK;
    case TRANSFORM_TABLE:
        tsr_transform_mode(*coo, action->mode, action->table, nthreads);
        return TSR_OK;
    case TRANSFORM_APPEND:
        return tsr_transform_concat(*coo, action->other, action->mode, err);
    case TRANSFORM_EXTREME:
        return find_extremes(coo, job->pack, action, err);
    case TRANSFORM_COMBINE:
    default:
        return combine(coo, job->pack, action->rule, err);
    }
}

static void start_plan(transform_plan *plan, tsr_transform_job *job, const tsr_coo *like)
{
    *plan =
        (transform_plan){.job = job, .order = like->order, .type = like->type, .has_fill = like->has_fill};
    memcpy(plan->dims, like->dims, sizeof plan->dims);
}

static void clear_plan(transform_plan *plan)
{
    for (int i = 0; i < plan->nactions; i++)
        clear_action(&plan->actions[i]);
    tsr_free(plan->actions);
    tsr_map_free(plan->map);
}

tsr_status tsr_transforms_run(tsr_transform_job *job, tsr_coo **coo, tsr_error *err)
{
    transform_plan plan;
    start_plan(&plan, job, *coo);
    tsr_status status = plan_steps(&plan, err);
    const uint64_t nnz = (*coo)->nnz;
    job->nactions = plan.nactions;
    for (int i = 0; status == TSR_OK && i < plan.nactions; i++) {
        status = tsr_progress(job->pack->observer, "transform", nnz * (uint64_t)i,
                              nnz * (uint64_t)plan.nactions, err);
        if (status == TSR_OK)
            status = act(job, coo, &plan.actions[i], err);
        clear_action(&plan.actions[i]);
        plan.actions[i] = (transform_action){0};
    }
    clear_plan(&plan);
    return status;
}

/* ---- packed tensors ---- */

/* Give the tensor the modes of a permutation: `move` takes the modes that it has to those of a tensor of `dims`. */
static tsr_status relabel(tsr_tensor *tensor, const tsr_map *move, const uint64_t *dims, tsr_error *err)
{
    tsr_map *back = NULL, *map = NULL;
    tsr_format *format = NULL;
    tsr_binding *binding = NULL;
    tsr_status status;
    TSR_TRY_OUT(tsr_map_invert(&back, move, err));
    TSR_TRY_OUT(tsr_map_compose(&map, tensor->format->map, back, err));
    TSR_TRY_OUT(tsr_format_new(&format, map, tensor->format->levels, err));
    TSR_TRY_OUT(tsr_binding_new(&binding, format, dims, err));
    tsr_binding_free(tensor->binding);
    tsr_format_free(tensor->format);
    tensor->binding = binding;
    tensor->format = format;
    memcpy(tensor->dims, dims, (size_t)tensor->order * sizeof *dims);
    format = NULL;
out:
    tsr_map_free(back);
    tsr_map_free(map);
    tsr_format_free(format);
    return status;
}

/* Permute the names as the map permutes the modes. */
static void permute_labels(tsr_labels *labels, const tsr_map *move)
{
    int from[TSR_MAX_LEVELS];
    if (!labels || !tsr_map_is_permutation(move, from))
        return;
    const tsr_labels before = *labels;
    for (int r = 0; r < tsr_map_nresults(move); r++)
        labels->modes[r] = before.modes[from[r]];
}

bool tsr_transforms_permute(const tsr_transforms *transforms)
{
    for (int i = 0; i < transforms->n; i++)
        if (transforms->steps[i].kind != TSR_TRANSFORM_TRANSPOSE)
            return false;
    return true;
}

tsr_status tsr_transforms_relabel(bool *done, tsr_transform_job *job, tsr_tensor *tensor, tsr_error *err)
{
    transform_plan plan;
    const tsr_coo like = {.order = tensor->order, .type = tensor->type, .has_fill = tensor->has_fill};
    *done = false;
    if (!tsr_transforms_permute(job->transforms) || tensor->structure != TSR_GENERAL)
        return TSR_OK;
    start_plan(&plan, job, &like);
    memcpy(plan.dims, tensor->dims, sizeof plan.dims);
    tsr_status status = plan_steps(&plan, err);
    const transform_action *const move = plan.actions;
    if (status == TSR_OK && plan.nactions == 1 && move->kind == TRANSFORM_MOVE &&
        tsr_map_is_permutation(move->map, NULL)) {
        status = relabel(tensor, move->map, move->dims, err);
        *done = status == TSR_OK;
        if (*done)
            permute_labels(job->labels, move->map);
        job->nactions = 0;
    }
    clear_plan(&plan);
    return status;
}

/* ---- parts of a tensor ---- */

struct tsr_transform_pass {
    transform_plan plan;
};

static tsr_status check_parts(const transform_plan *plan, tsr_error *err)
{
    for (int i = 0; i < plan->nactions; i++)
        if (plan->actions[i].kind != TRANSFORM_MOVE && plan->actions[i].kind != TRANSFORM_TABLE)
            return tsr_fail(
                err, TSR_UNSUPPORTED,
                "a tensor larger than memory can be sliced, padded, permuted, reshaped and summed; "
                "concatenations, and reductions after which duplicates are not added, need it in memory");
    return TSR_OK;
}

tsr_status tsr_transform_pass_new(tsr_transform_pass **out, tsr_transform_job *job, const tsr_coo *like,
                                  tsr_error *err)
{
    *out = NULL;
    tsr_transform_pass *const pass = tsr_calloc(1, sizeof *pass);
    if (!pass)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    start_plan(&pass->plan, job, like);
    tsr_status status = plan_steps(&pass->plan, err);
    if (status == TSR_OK)
        status = check_parts(&pass->plan, err);
    job->nactions = pass->plan.nactions;
    if (status != TSR_OK) {
        tsr_transform_pass_free(pass);
        return status;
    }
    *out = pass;
    return TSR_OK;
}

int tsr_transform_pass_dims(uint64_t *dims, const tsr_transform_pass *pass)
{
    memcpy(dims, pass->plan.dims, sizeof pass->plan.dims);
    return pass->plan.order;
}

tsr_status tsr_transform_pass_apply(tsr_transform_pass *pass, tsr_coo **coo, tsr_error *err)
{
    for (int i = 0; i < pass->plan.nactions; i++)
        TSR_TRY(act(pass->plan.job, coo, &pass->plan.actions[i], err));
    return TSR_OK;
}

void tsr_transform_pass_free(tsr_transform_pass *pass)
{
    if (!pass)
        return;
    clear_plan(&pass->plan);
    tsr_free(pass);
}
