/* Statements in storage coordinates: operands are merged where they are stored.
 *
 * Where the levels of all tensors of a statement store the same expressions of its variables, such as i floordiv 4 and i mod 4 for
 * bcsr(4,4), the statement is the same over these expressions as variables: C(i,j) = A(i,j) + B(i,j) becomes
 * C(i1,j1,i2,j2) = A(i1,j1,i2,j2) + B(i1,j1,i2,j2), and no map is left. The dense levels below the last list of a tensor are then
 * blocks (plan_block.c). This holds
 *   - if each expression has one variable, and all accesses with this variable have the same expressions of it: they determine
 *     it, so equal storage coordinates are equal coordinates;
 *   - or if all accesses have all of the expressions, in which case the whole coordinates are equal (diagonals: j - i).
 * An expression without variables (i mod 1) is a variable of size 1 of its own. Cells that are padding are zeros, which are absent in blocks. */
#include <stdio.h>
#include <string.h>

#include "kernel_internal.h"

enum { MAX_ACCESSES = 64, MAX_NAME = 40 };

/* An access, and the variable of each of its levels. */
typedef struct access {
    const tsr_expr *expr;
    int nlevels, var[TSR_MAX_LEVELS];
} access;

/* A statement under construction. */
typedef struct maker {
    const tsr_kernel *kernel;
    const tsr_notation *notation;
    kernel_storage *to;
    int naccesses;
    access access[MAX_ACCESSES]; /* the result first, then in the order of the text */
    int nvars;
    char name[TSR_NOTATION_MAX_VARS][MAX_NAME];
    uint32_t of[TSR_NOTATION_MAX_VARS]; /* the variables of the statement that each expression has */
    bool plain[TSR_NOTATION_MAX_VARS];  /* the expression is a variable */
    int level[TSR_NOTATION_MAX_VARS],
        in[TSR_NOTATION_MAX_VARS]; /* where it stood first: a level of an access */
    int64_t base[TSR_NOTATION_MAX_VARS];
    bool fails; /* there is no such statement */
    tsr_error *err;
} maker;

static const tsr_binding *binding_of(const maker *m, const access *a)
{
    return m->kernel->tensor[a->expr->tensor].binding;
}

/* ---- formats ---- */

/* Whether loops can merge the levels: dense ones, lists, and dense ones. */
static bool has_merged_levels(const kernel_tensor *kt)
{
    const tsr_format *const format = kt->format;
    bool sparse = false;
    for (int l = 0; l < format->nlevels; l++) {
        const tsr_level_spec *const level = &format->levels[l];
        if (level->nonunique || level->param != 0 || !(level->type->full || tsr_level_is_list(level->type)))
            return false;
        sparse = sparse || !level->type->full;
    }
    return !tsr_format_has_pitch(format) &&
           !(sparse && tsr_format_has_dense_leaf(format) && kt->operand.iso) && !kt->binding->empty;
}

/* The format whose levels are those of the tensor, and whose modes are its levels. */
static tsr_status make_format(maker *m, int t)
{
    const kernel_tensor *const kt = &m->kernel->tensor[t];
    tsr_text text = {0}, right = {0};
    for (int l = 0; l < kt->format->nlevels; l++) {
        tsr_text_addf(&text, "%sd%d", l ? ", " : "(", l);
        tsr_text_addf(&right, "%sd%d : %s", l ? ", " : "(", l, kt->format->levels[l].type->name);
    }
    tsr_text_addf(&text, ") -> %s)", tsr_text_cstr(&right));
    tsr_status status = tsr_text_status(&text, m->err);
    if (status == TSR_OK && kt->format->nlevels == 0)
        status = tsr_format_copy(&m->to->format[t], kt->format, m->err);
    else if (status == TSR_OK)
        status = tsr_format_parse(&m->to->format[t], tsr_text_cstr(&text), kt->format->nlevels,
                                  kt->binding->size, m->err);
    if (status == TSR_OK)
        status = tsr_binding_new(&m->to->binding[t], m->to->format[t], kt->binding->size, m->err);
    tsr_text_clear(&text);
    tsr_text_clear(&right);
    return status;
}

/* ---- variables ---- */

static bool is_used(const maker *m, const char *name)
{
    for (int v = 0; v < m->nvars; v++)
        if (strcmp(m->name[v], name) == 0)
            return true;
    return tsr_notation_find_var(m->notation, name) >= 0 || tsr_notation_find_tensor(m->notation, name) >= 0;
}

/* Name the variable after those of the expression: "i1", "ij2". */
static void name_var(maker *m, int v)
{
    char stem[MAX_NAME] = "", made[MAX_NAME];
    if (!m->of[v])
        snprintf(stem, sizeof stem, "one");
    for (int k = 0; k < m->notation->nvars; k++)
        if (m->of[v] >> k & 1)
            snprintf(stem + strlen(stem), sizeof stem - strlen(stem), "%.6s", m->notation->var[k]);
    stem[MAX_NAME - 8] = '\0';
    for (int number = 1; !m->plain[v]; number++) {
        snprintf(made, sizeof made, "%.20s%d", stem, number);
        if (!is_used(m, made)) {
            memcpy(m->name[v], made, sizeof made);
            return;
        }
    }
    snprintf(m->name[v], sizeof m->name[v], "%.30s", stem);
}

/* Add the expression of level l of access number a as a variable. */
static void add_var(maker *m, int a, int l)
{
    const access *const from = &m->access[a];
    const tsr_binding *const binding = binding_of(m, from);
    const int v = m->nvars;
    const uint64_t modes = tsr_map_result_vars(binding->forward, l);
    tsr_digit digit;
    int64_t constant;
    if (v == TSR_NOTATION_MAX_VARS) {
        m->fails = true;
        return;
    }
    m->of[v] = 0;
    for (int k = 0; k < from->expr->nindices; k++)
        if (modes >> k & 1)
            m->of[v] |= UINT32_C(1) << from->expr->index[k];
    m->plain[v] = tsr_map_result_digits(&digit, 1, &constant, binding->forward, l) == 1 && constant == 0 &&
                  digit.k == 1 && digit.div == 1 && digit.mod == 0;
    m->level[v] = l;
    m->in[v] = a;
    m->base[v] = binding->base[l];
    m->to->size[v] = binding->size[l];
    name_var(m, v);
    m->nvars++;
}

/* Find the variable of each level of the access. */
static tsr_status add_access(maker *m, const tsr_expr *e)
{
    if (m->naccesses == MAX_ACCESSES) {
        m->fails = true;
        return TSR_OK;
    }
    const int number = m->naccesses++;
    access *const a = &m->access[number];
    *a = (access){.expr = e};
    const tsr_binding *const binding = binding_of(m, a);
    a->nlevels = binding->format->nlevels;
    uint32_t seen = 0;
    for (int k = 0; k < e->nindices; k++) {
        m->fails = m->fails || (seen >> e->index[k] & 1); /* a diagonal */
        seen |= UINT32_C(1) << e->index[k];
    }
    m->fails = m->fails || !has_merged_levels(&m->kernel->tensor[e->tensor]);
    for (int l = 0; l < a->nlevels && !m->fails; l++) {
        const tsr_map_named_result mine = {.map = binding->forward, .result = l, .name = e->index};
        bool same = false;
        int v = 0;
        const bool is_constant = tsr_map_result_vars(binding->forward, l) == 0; /* i mod 1 */
        for (v = is_constant ? m->nvars : 0; v < m->nvars && !same; v += !same) {
            const access *const other = &m->access[m->in[v]];
            const tsr_map_named_result its = {
                .map = binding_of(m, other)->forward, .result = m->level[v], .name = other->expr->index};
            TSR_TRY(tsr_map_result_same(&same, &mine, &its, m->err));
        }
        if (!same)
            add_var(m, number, l);
        else
            m->fails = m->fails || m->base[v] != binding->base[l] || m->to->size[v] != binding->size[l];
        a->var[l] = v;
    }
    return TSR_OK;
}

static tsr_status add_accesses(maker *m, const tsr_expr *e)
{
    if (!e || m->fails)
        return TSR_OK;
    if (e->kind == TSR_EXPR_ACCESS)
        return add_access(m, e);
    TSR_TRY(add_accesses(m, e->a));
    return add_accesses(m, e->b);
}

/* The variables of the access whose expressions have variable `of` of the statement; -1: any. */
static uint32_t vars_of(const maker *m, const access *a, int of)
{
    uint32_t set = 0;
    for (int l = 0; l < a->nlevels; l++)
        if (of < 0 || (m->of[a->var[l]] >> of & 1))
            set |= UINT32_C(1) << a->var[l];
    return set;
}

/* Whether equal storage coordinates are equal coordinates: see the top of this file. */
static bool determines(const maker *m)
{
    bool separable = true, all = true;
    uint32_t mapped = 0; /* the expressions that have variables */
    for (int v = 0; v < m->nvars; v++)
        mapped |= m->of[v] ? UINT32_C(1) << v : 0;
    for (int v = 0; v < m->nvars; v++)
        separable = separable && !(m->of[v] & (m->of[v] - 1));
    for (int a = 0; a < m->naccesses; a++)
        all = all && (m->access[a].nlevels == 0 || (vars_of(m, &m->access[a], -1) & mapped) == mapped);
    if (!separable)
        return all;
    for (int i = 0; i < m->notation->nvars; i++) {
        uint32_t first = 0;
        for (int a = 0; a < m->naccesses; a++) {
            const uint32_t set = vars_of(m, &m->access[a], i);
            if (set && first && set != first)
                return false;
            first = first ? first : set;
        }
    }
    return true;
}

/* Whether each term is absent in padding: a sparse operand has each variable that does not stand alone in the levels. */
static bool skips_padding(const maker *m)
{
    uint32_t mapped = 0;
    for (int v = 0; v < m->nvars; v++)
        mapped |= m->plain[v] ? 0 : m->of[v];
    for (int i = 0; i < m->kernel->plan->nterms; i++) {
        const tsr_term *const term = m->kernel->plan->term[i].term;
        uint32_t covered = 0;
        for (int f = 0; f < term->nfactors; f++) {
            const tsr_expr *const e = term->factor[f].expr;
            if (e->kind == TSR_EXPR_ACCESS && !term->factor[f].inverse &&
                !tsr_format_is_dense(m->kernel->tensor[e->tensor].format))
                covered |= e->vars;
        }
        const uint32_t free = (uint32_t)((UINT64_C(1) << m->notation->nfree) - 1);
        if ((term->vars | free) & mapped & ~covered)
            return false;
    }
    return true;
}

/* ---- the statement ---- */

static void print_access(tsr_text *text, const maker *m, const access *a)
{
    tsr_text_add(text, m->notation->tensor[a->expr->tensor].name);
    for (int l = 0; l < a->nlevels; l++)
        tsr_text_addf(text, "%c%s", l ? ',' : '(', m->name[a->var[l]]);
    tsr_text_add(text, a->nlevels ? ")" : "");
}

static tsr_status make_notation(maker *m)
{
    const tsr_notation *const notation = m->notation;
    tsr_text text = {0};
    uint32_t at = notation->rhs_col;
    print_access(&text, m, &m->access[0]);
    tsr_text_add(&text, notation->accumulate ? " += " : " = ");
    for (int a = 1; a < m->naccesses; a++) {
        tsr_text_add_n(&text, notation->text + at - 1, m->access[a].expr->col - at);
        print_access(&text, m, &m->access[a]);
        at = m->access[a].expr->end;
    }
    tsr_text_add(&text, notation->text + at - 1);
    tsr_status status = tsr_text_status(&text, m->err);
    if (status == TSR_OK)
        status = tsr_notation_parse(&m->to->notation, tsr_text_cstr(&text), NULL);
    tsr_text_clear(&text);
    if (status != TSR_OK && status != TSR_NOMEM) { /* a limit */
        m->fails = true;
        return TSR_OK;
    }
    if (status != TSR_OK)
        return tsr_fail(m->err, TSR_NOMEM, "out of memory: a kernel");
    uint64_t size[TSR_NOTATION_MAX_VARS] = {0}; /* by the variables of the new notation */
    for (int v = 0; v < m->nvars; v++) {
        const int k = tsr_notation_find_var(m->to->notation, m->name[v]);
        if (k >= 0)
            size[k] = m->to->size[v];
    }
    memcpy(m->to->size, size, sizeof size);
    return TSR_OK;
}

void kernel_storage_free(kernel_storage *storage)
{
    if (!storage)
        return;
    for (int t = 0; t < TSR_NOTATION_MAX_TENSORS; t++) {
        tsr_binding_free(storage->binding[t]);
        tsr_format_free(storage->format[t]);
    }
    tsr_notation_free(storage->notation);
    tsr_free(storage);
}

static tsr_status make(maker *m)
{
    TSR_TRY(add_access(m, m->notation->result));
    TSR_TRY(add_accesses(m, m->notation->rhs));
    m->fails = m->fails || m->nvars > TSR_NOTATION_MAX_ORDER || !determines(m) || !skips_padding(m);
    for (int a = 0; a < m->naccesses && !m->fails; a++)
        m->fails = m->access[a].nlevels > TSR_MAX_ORDER;
    if (m->fails)
        return TSR_OK;
    TSR_TRY(make_notation(m));
    for (int t = 0; t < m->notation->ntensors && !m->fails; t++)
        TSR_TRY(make_format(m, t));
    return TSR_OK;
}

tsr_status kernel_make_storage(kernel_storage **out, const tsr_kernel *kernel, tsr_error *err)
{
    const tsr_notation *const notation = kernel->notation;
    *out = NULL;
    if (notation->nvars > notation->nfree && notation->nfree > 0)
        return TSR_OK; /* a product of blocks multiplies all of their padding: slower where blocks have few entries */
    if (kernel->open || kernel->original || kernel->ring != &tsr_semirings[0] || notation->rhs->has_step ||
        notation->rhs->has_mask || notation->result->has_step ||
        tsr_type_class(kernel->tensor[0].operand.type) == 'C' || tsr_schedule_names_parts(&kernel->schedule))
        return TSR_OK;
    maker *const m = tsr_calloc(1, sizeof *m);
    kernel_storage *const storage = tsr_calloc(1, sizeof *storage);
    tsr_status status = m && storage ? TSR_OK : tsr_fail(err, TSR_NOMEM, "out of memory: a kernel");
    if (status == TSR_OK) {
        m->kernel = kernel;
        m->notation = notation;
        m->to = storage;
        m->err = err;
        status = make(m);
    }
    if (status == TSR_OK && !m->fails)
        *out = storage;
    else
        kernel_storage_free(storage);
    tsr_free(m);
    return status;
}
