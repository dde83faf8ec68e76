/* The parameters of a program.
 *
 * A program is emitted twice: the first time each parameter is declared at its first use; then the list of
 * used parameters is sorted into the order of the signature, and a second builder declares all of them before
 * the body. */
#include "lower_internal.h"

#include <stdio.h>
#include <stdlib.h>

#include "tsr_alloc.h"

static bool is_array(tsr_param_role role)
{
    return role >= TSR_PARAM_POS;
}

/* The name of a tensor of the notation, or of a copy. */
static const char *tensor_name(const lower_program *p, int t)
{
    const tsr_plan *const plan = p->plan;
    const int ntensors = plan->notation->ntensors;
    return t < ntensors ? plan->notation->tensor[t].name : plan->view[t - ntensors].name;
}

/* The array of a level that the parameter is, or NULL. */
static const tsr_level_array *array_row(const lower_program *p, tsr_param param)
{
    if (param.role < TSR_PARAM_POS || param.role >= TSR_PARAM_VALUES)
        return NULL;
    const tsr_format *format = p->operands[param.tensor].binding->format;
    const bool is_part = p->plan->storage.parts && param.tensor < p->plan->notation->ntensors;
    const tsr_level_type *const type = is_part && param.role == TSR_PARAM_BITS ? tsr_format_marks(format)
                                       : is_part                               ? tsr_level_of_list
                                                 : format->levels[param.level].type;
    return tsr_level_array_row(type, (tsr_level_role)(param.role - TSR_PARAM_POS));
}

/* The type of the elements of a level's array. Words of bits are read as bytes. */
static tsr_type array_type(const lower_program *p, tsr_param param)
{
    const tsr_level_array *const row = array_row(p, param);
    if (row && row->content == TSR_HOLDS_WORDS)
        return TSR_U8;
    return tsr_type_unsigned(
        (size_t)p->operands[param.tensor].nbytes[row ? param.role - TSR_PARAM_POS : 0][param.level]);
}

/* B2_pos: the levels are numbered from 1. */
static void param_name(char *buf, size_t n, const lower_program *p, tsr_param param)
{
    static const char *const names[TSR_PARAM_NROLES] = {[TSR_PARAM_NTHREADS] = "nthreads",
                                                        [TSR_PARAM_DIFFERS] = "differs",
                                                        [TSR_PARAM_TRAIL] = "trail",
                                                        [TSR_PARAM_STARTS] = "starts",
                                                        [TSR_PARAM_PLACES] = "places"};
    static const char *const endings[TSR_PARAM_NROLES] = {
        [TSR_PARAM_LEVEL_SIZE] = "size", [TSR_PARAM_PITCH] = "pitch", [TSR_PARAM_NPOS] = "npos",
        [TSR_PARAM_LOW] = "low",         [TSR_PARAM_OUT_POS] = "pos", [TSR_PARAM_OUT_CRD] = "crd",
        [TSR_PARAM_OUT_BITS] = "marks"};
    const tsr_level_array *const row = array_row(p, param);
    if (names[param.role])
        snprintf(buf, n, "%s", names[param.role]);
    else if (param.role == TSR_PARAM_SIZE)
        snprintf(buf, n, "%.200s_size", p->plan->notation->var[param.var]);
    else if (param.role == TSR_PARAM_VALUES || param.role == TSR_PARAM_OUT_VALUES)
        snprintf(buf, n, "%.200s", tensor_name(p, param.tensor));
    else
        snprintf(buf, n, "%.200s%d_%s", tensor_name(p, param.tensor), param.level + 1,
                 row ? row->name : endings[param.role]);
}

/* The type of the elements of an output. A program only stores positions, so they may wrap around, and 4 bytes are
 * enough where a parent has less than 2^32 children: tsr_array_unwrap finds out what they were. */
static tsr_type output_type(const lower_program *p, tsr_param param)
{
    if (param.role == TSR_PARAM_OUT_VALUES)
        return p->type;
    if (param.role == TSR_PARAM_OUT_BITS)
        return TSR_U8;
    const tsr_plan *const plan = p->plan;
    int k = 0;
    while (plan->sink == TSR_PLAN_ROWS && tsr_plan_level(plan, 0, k + 1) <= param.level)
        k++;
    const int var = plan->sink == TSR_PLAN_LIST ? plan->notation->result->index[param.level] : plan->var[k];
    if (param.role == TSR_PARAM_OUT_CRD && tsr_plan_nparts(plan, 0, k) > 1)
        return tsr_type_unsigned(tsr_crd_width(UINT64_C(1) << plan->storage.parts[0].nbits[param.level]));
    if (param.role == TSR_PARAM_OUT_CRD)
        return tsr_type_unsigned((size_t)tsr_plan_crd_nbytes(plan, &p->operands[0], var));
    const bool is_asked = !plan->converts && p->operands[0].nbytes[TSR_LEVEL_POS][param.level] == 4;
    return is_asked && plan->size[var] <= UINT32_MAX ? TSR_U32 : TSR_U64;
}

static void declare_param(lower_program *p, lower_param *row)
{
    char name[256];
    const tsr_param param = row->param;
    param_name(name, sizeof name, p, param);
    if (!is_array(param.role)) {
        row->expr = tsr_ir_index_param(p->ir, name);
        return;
    }
    const bool is_values = param.role == TSR_PARAM_VALUES || param.role == TSR_PARAM_OUT_VALUES;
    if (param.role >= TSR_PARAM_OUT_POS && param.role <= TSR_PARAM_OUT_VALUES) {
        row->array = tsr_ir_output_param(p->ir, name, !is_values, output_type(p, param));
        return;
    }
    const bool is_trail = param.role == TSR_PARAM_STARTS || param.role == TSR_PARAM_PLACES;
    const tsr_type type = param.role == TSR_PARAM_DIFFERS  ? TSR_I64
                          : param.role == TSR_PARAM_STARTS ? TSR_U64
                          : param.role == TSR_PARAM_PLACES ? TSR_U16
                          : is_values                      ? p->operands[param.tensor].type
                                                           : array_type(p, param);
    const bool is_index = !is_values && param.role != TSR_PARAM_DIFFERS;
    const bool is_const = is_values ? param.tensor != 0 : is_index && !is_trail;
    row->array = tsr_ir_array_param(p->ir, name, is_index, type, is_const, NULL);
}

static const lower_param *find_param(lower_program *p, tsr_param_role role, int tensor, int level, int var)
{
    static const lower_param none = {0};
    for (int i = 0; i < p->nparams; i++) {
        const tsr_param *q = &p->param[i].param;
        if (q->role == role && q->tensor == tensor && q->level == level && q->var == var)
            return &p->param[i];
    }
    if (p->nparams == p->capacity) {
        const int capacity = p->capacity ? 2 * p->capacity : 32;
        lower_param *grown = tsr_realloc(p->param, (size_t)capacity * sizeof *grown);
        if (!grown) {
            p->failed = true;
            return &none;
        }
        p->param = grown;
        p->capacity = capacity;
    }
    lower_param *row = &p->param[p->nparams++];
    *row = (lower_param){.param = {role, tensor, level, var}};
    declare_param(p, row);
    return row;
}

const tsr_ir_expr *lower_index_param(lower_program *p, tsr_param_role role, int tensor, int level, int var)
{
    return find_param(p, role, tensor, level, var)->expr;
}

const tsr_ir_array *lower_array_param(lower_program *p, tsr_param_role role, int tensor, int level)
{
    return find_param(p, role, tensor, level, -1)->array;
}

/* Order: numbers first; then arrays by tensor, the result first; within a tensor outer levels first, values
 * last. */
static int compare_params(const void *x, const void *y)
{
    const tsr_param *a = &((const lower_param *)x)->param, *b = &((const lower_param *)y)->param;
    const int key[][2] = {
        {is_array(a->role), is_array(b->role)},
        {is_array(a->role) ? 0 : (int)a->role, is_array(b->role) ? 0 : (int)b->role},
        {a->tensor, b->tensor},
        {a->role == TSR_PARAM_VALUES || a->role == TSR_PARAM_OUT_VALUES,
         b->role == TSR_PARAM_VALUES || b->role == TSR_PARAM_OUT_VALUES},
        {a->level, b->level},
        {a->var, b->var},
        {(int)a->role, (int)b->role},
    };
    for (size_t i = 0; i < sizeof key / sizeof key[0]; i++)
        if (key[i][0] != key[i][1])
            return key[i][0] < key[i][1] ? -1 : 1;
    return 0;
}

void lower_declare_params(lower_program *p, tsr_ir_builder *ir)
{
    p->ir = ir;
    if (p->nparams > 0)
        qsort(p->param, (size_t)p->nparams, sizeof *p->param, compare_params);
    for (int i = 0; i < p->nparams; i++)
        declare_param(p, &p->param[i]);
}

/* ---- sizes ---- */

const tsr_ir_expr *lower_size(lower_program *p, int var)
{
    if (tsr_plan_has(p->plan->literal, var))
        return tsr_ir_index(p->ir, (int64_t)p->plan->size[var]);
    return lower_index_param(p, TSR_PARAM_SIZE, -1, -1, var);
}

const tsr_ir_expr *lower_level_size(lower_program *p, int tensor, int level, int var)
{
    const uint64_t size = p->operands[tensor].binding->size[level];
    if (var >= 0 && p->plan->size[var] == size)
        return lower_size(p, var);
    if (size <= TSR_PLAN_LITERAL)
        return tsr_ir_index(p->ir, (int64_t)size);
    return lower_index_param(p, TSR_PARAM_LEVEL_SIZE, tensor, level, -1);
}

const tsr_ir_expr *lower_level_pitch(lower_program *p, int tensor, int level, int var)
{
    const tsr_binding *binding = p->operands[tensor].binding;
    if (binding->pitch[level] == binding->size[level])
        return lower_level_size(p, tensor, level, var);
    if (binding->pitch[level] <= TSR_PLAN_LITERAL)
        return tsr_ir_index(p->ir, (int64_t)binding->pitch[level]);
    return lower_index_param(p, TSR_PARAM_PITCH, tensor, level, -1);
}
