/* tsr_lower: emits the program of the plan twice (see lower_params.c), then lets the passes improve it. */
#include "lower_merge.h"
#include "lower_term.h"

#include <string.h>

#include "tsr_alloc.h"
#include "tsr_arena.h"
#include "tsr_passes.h"

/* " i x 16": a size that is a literal of the program, else the variable's name; so equal programs have the
 * same text, whatever the sizes of the tensors are. */
static void print_sizes(tsr_text *text, const lower_program *p, int t)
{
    const tsr_plan *const plan = p->plan;
    const tsr_notation *notation = plan->notation;
    const tsr_expr *access = tsr_notation_access(notation, t);
    const tsr_binding *const binding = p->operands[t].binding;
    const uint32_t in_map = tsr_format_sizes_in_map(binding->format, binding->dims);
    for (int m = 0; m < access->nindices; m++) {
        const int v = access->index[m];
        tsr_text_add(text, m ? " x " : " ");
        if (tsr_expr_window(access, m))
            tsr_text_addf(text, "(a window: %s)", notation->var[v]);
        else if (tsr_plan_has(plan->literal, v) || tsr_plan_has(in_map, m))
            tsr_text_add_u64(text, plan->size[v]);
        else
            tsr_text_add(text, notation->var[v]);
    }
}

/* Whether the blocks of a format divide the dims, so that the program does not need to skip padding. */
static bool has_whole_blocks(const tsr_binding *binding)
{
    if (binding->may_pad || tsr_format_is_permutation(binding->format, NULL))
        return false;
    for (int l = 0; l < binding->format->nlevels; l++)
        if (binding->format->levels[l].type->full)
            return true;
    return false;
}

/* The comment at the top of the program: the expression, and the formats and sizes that the program is
 * specialised for. */
static void print_header(tsr_text *text, const lower_program *p)
{
    const tsr_plan *const plan = p->plan;
    const tsr_notation *notation = plan->notation;
    tsr_notation_print(text, notation);
    if (plan->ring != &tsr_semirings[0])
        tsr_text_addf(text, ", + and * of the semiring %s", plan->ring->name);
    for (int t = 0; t < notation->ntensors; t++) {
        const tsr_plan_operand *operand = &p->operands[t];
        tsr_text_addf(text, "\n%s: %s", notation->tensor[t].name, tsr_type_name(operand->type));
        print_sizes(text, p, t);
        if (operand->binding->format->nlevels > 0) {
            tsr_text_add(text, ", ");
            tsr_format_print_name_for(text, operand->binding->format, operand->binding->dims);
        }
        if (has_whole_blocks(operand->binding))
            tsr_text_add(text, " without padding: its blocks divide the sizes");
        if (operand->iso)
            tsr_text_add(text, ", one value for all");
    }
    for (int v = 0; v < plan->nviews; v++) {
        const tsr_plan_view *view = &plan->view[v];
        if (!view->copy)
            continue;
        tsr_text_addf(text, "\n%s: %s converted to ", view->name, notation->tensor[view->tensor].name);
        tsr_format_print(text, view->copy);
    }
    if (p->options->values_only)
        tsr_text_addf(text,
                      "\nthe values alone: %s has the entries, and other entries are counted in `differs`",
                      notation->tensor[0].name);
    if (plan->sink == TSR_PLAN_ROWS && plan->converts) {
        tsr_text_addf(text, "\n%s is assembled as ", notation->tensor[0].name);
        tsr_format_print(text, plan->rows.assembled);
    }
}

static void emit_body(lower_program *p)
{
    static void (*const emit[])(merge_state *) = {[TSR_PLAN_DENSE] = merge_emit_dense,
                                                  [TSR_PLAN_ROWS] = merge_emit_rows,
                                                  [TSR_PLAN_LIST] = merge_emit_list,
                                                  [TSR_PLAN_CELLS] = merge_emit_cells};
    const tsr_plan *const plan = p->plan;
    merge_state *const s = tsr_calloc(1, sizeof *s);
    if (!s) {
        p->failed = true;
        return;
    }
    *s = (merge_state){.p = p, .ir = p->ir, .plan = plan};
    if (plan->sink == TSR_PLAN_ROWS && !p->is_integer)
        tsr_ir_round_products(s->ir);
    for (int i = 0; i < plan->nterms; i++)
        if (!plan->term[i].walks)
            lower_ask(p, plan->term[i].nest, NULL);
    lower_begin_seeking(p);
    if (plan->sink == TSR_PLAN_ROWS && p->options->values_only)
        merge_emit_values(s);
    else
        emit[plan->sink](s);
    tsr_free(s);
}

static tsr_status build(tsr_ir **out, lower_program *p, const char *name, tsr_error *err)
{
    tsr_text header = {0};
    tsr_ir_builder *ir = NULL;
    for (int pass = 0; pass < 2; pass++) {
        tsr_ir_builder_free(ir);
        ir = tsr_ir_builder_new(name);
        lower_declare_params(p, ir);
        emit_body(p);
    }
    if (!p->plan->schedule.scalar)
        tsr_ir_ask_vectors(ir, p->plan->schedule.vector_nbytes ? p->plan->schedule.vector_nbytes : 64);
    print_header(&header, p);
    tsr_status status = tsr_text_status(&header, err);
    if (status == TSR_OK && p->failed)
        status = tsr_fail(err, TSR_NOMEM, "out of memory: the parameters of a loop program");
    if (status == TSR_OK)
        status = tsr_ir_finish(out, ir, tsr_text_cstr(&header), err);
    else
        tsr_ir_builder_free(ir);
    tsr_text_clear(&header);
    return status;
}

/* The schedule completed by the choices made: it gives the same program again. */
static tsr_schedule chosen_schedule(const lower_program *p)
{
    const tsr_plan *const plan = p->plan;
    tsr_schedule schedule = plan->schedule;
    bool threads = false, differ = false;
    tsr_sharing sharing = TSR_SHARE_AUTO;
    for (int i = 0; i < plan->nterms; i++) {
        const tsr_plan_share *const share = tsr_plan_share_of(plan, &plan->term[i]);
        if (!share->cut)
            continue;
        differ = differ || (threads && share->sharing != sharing);
        sharing = share->sharing;
        threads = true;
    }
    schedule.serial = !threads;
    if (tsr_plan_walks(plan) && threads && !differ && schedule.sharing == TSR_SHARE_AUTO)
        schedule.sharing = sharing;
    if (!threads) {
        schedule.sharing = TSR_SHARE_AUTO;
        schedule.parallel_var = 0;
    }
    if (tsr_plan_walks(plan) && schedule.prefetch == 0)
        schedule.prefetch = plan->walk.ahead[TSR_FETCH_ROWS];
    if (p->lanes && schedule.lanes == 0)
        schedule.lanes = p->lanes;
    for (int v = 0; v < plan->notation->nvars; v++)
        schedule.literal[v] = tsr_plan_has(plan->literal, v);
    return schedule;
}

static tsr_status finish(tsr_lowered *lowered, lower_program *p, const char *name, tsr_error *err)
{
    const tsr_plan *const plan = p->plan;
    TSR_TRY(build(&lowered->ir, p, name ? name : "kernel", err));
    TSR_TRY(tsr_passes_run(lowered->ir, plan->schedule.without >> TSR_NSPECIALS, err));
    lowered->plain = lowered->ir->plain ? lowered->ir->plain : lowered->ir;
    tsr_arena arena = {0};
    tsr_param *param = tsr_arena_alloc(&arena, (size_t)(p->nparams + 1) * sizeof *param);
    lowered->memory = arena.chunks;
    if (!param)
        return tsr_fail(err, TSR_NOMEM, "out of memory: the parameters of a loop program");
    for (int i = 0; i < p->nparams; i++)
        param[i] = p->param[i].param;
    lowered->param = param;
    lowered->schedule = chosen_schedule(p);
    lowered->pattern_tensor = plan->walk.pattern_tensor;
    lowered->pattern_nlevels = plan->walk.pattern_nlevels;
    return TSR_OK;
}

tsr_status tsr_lower(tsr_lowered **out, const tsr_plan *plan, const tsr_plan_operand *operands,
                     const tsr_lower_options *options, tsr_error *err)
{
    lower_program p = {.plan = plan,
                       .operands = operands,
                       .options = options,
                       .type = operands[0].type,
                       .is_integer = tsr_type_class(operands[0].type) == 'I' ||
                                     tsr_type_class(operands[0].type) == 'U'};
    *out = NULL;
    tsr_lowered *lowered = tsr_calloc(1, sizeof *lowered);
    if (!lowered)
        return tsr_fail(err, TSR_NOMEM, "out of memory: a loop program");
    const tsr_status status = finish(lowered, &p, options->name, err);
    if (status == TSR_OK)
        *out = lowered;
    else
        tsr_lowered_free(lowered);
    tsr_free(p.param);
    return status;
}

void tsr_lowered_free(tsr_lowered *lowered)
{
    if (!lowered)
        return;
    tsr_arena arena = {.chunks = lowered->memory};
    tsr_ir_free(lowered->ir);
    tsr_arena_clear(&arena);
    tsr_free(lowered);
}
