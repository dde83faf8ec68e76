/* Statements in storage coordinates: which levels of the tensors store the same expressions of the variables, and the formats of these
 * levels. The rule `storage` (rule_storage.c) says when the statement can be one over these expressions, and writes it.
 *
 * The dense levels below the last list of a tensor are then blocks (plan_block.c). Nonunique levels and the singleton levels below them
 * (coordinates) are one level of the statement, with one variable for all of their expressions: the coordinate of such a compound level
 * has the bits of all of them (tsr_plan_parts). Lists of keys (the number of the cell) and of parts of coordinates are levels like
 * others, if all accesses have all of them. Where all sparse tensors mark their entries among all cells (bitmaps), all levels of a tensor
 * are one: the coordinate is the number of the cell, and marks are merged word by word (lower_sink_cells.c).
 * An expression without variables (i mod 1) is a variable of size 1 of its own. Cells that are padding are zeros, which are absent in blocks. */
#include <string.h>

#include "kernel_internal.h"
#include "tsr_checked.h"
#include "tsr_rules.h"

enum { MAX_BITS = 61 /* of the coordinate of a level: one number behind the last one has a sign bit of 0 */ };

/* A statement under construction. */
typedef struct maker {
    const tsr_kernel *kernel;
    const tsr_notation *notation;
    kernel_storage *to;
    tsr_rules_levels
        levels; /* level l of an access is the levels [first[l], first[l + 1]) of its tensor, see tsr_plan_parts */
    int level[TSR_NOTATION_MAX_VARS],
        in[TSR_NOTATION_MAX_VARS]; /* where it stood first: a level of an access */
    const tsr_level_type *marks; /* of all sparse tensors, whose cells have numbers; NULL: they have lists */
    bool fails;                  /* there is no such statement */
    tsr_error *err;
} maker;

static const tsr_binding *binding_of(const maker *m, int a)
{
    return m->kernel->tensor[m->levels.access[a].expr->tensor].binding;
}

static const uint8_t *first_of(const maker *m, int a)
{
    return m->to->parts[m->levels.access[a].expr->tensor].first;
}

/* ---- formats ---- */

/* The number of levels from level l on that the statement has as one; 0: loops cannot merge level l, or the last of these levels may
 * repeat a coordinate, so that an entry has no place of its own (coodup; also strips of a matrix, whose last level is followed by
 * others only from three modes on). */
static int count_parts(const tsr_format *format, int l)
{
    const tsr_level_spec *const level = &format->levels[l];
    int n = 1;
    if (level->param != 0)
        return 0;
    if (level->type->full || (l == 0 && tsr_level_is_rootless(level->type)))
        return !level->nonunique;
    if (!tsr_level_is_list(level->type))
        return 0;
    while (level[n - 1].nonunique && l + n < format->nlevels && level[n].type == tsr_level_of_tuple &&
           level[n].param == 0)
        n++;
    return level[n - 1].nonunique ? 0 : n;
}

/* The levels that the statement has of tensor t. Returns their number; -1: loops cannot merge them. */
static int find_parts(maker *m, int t)
{
    const tsr_format *const format = m->kernel->tensor[t].format;
    const tsr_binding *const binding = m->kernel->tensor[t].binding;
    tsr_plan_parts *const parts = &m->to->parts[t];
    int n = 0, nbits = 0;
    if (m->marks) {
        m->to->has_parts = true;
        parts->first[format->nlevels > 0] = (uint8_t)format->nlevels;
        return format->nlevels == 0 || tsr_format_is_dense(format) || tsr_format_marks(format) == m->marks
                   ? format->nlevels > 0
                   : -1;
    }
    for (int l = 0; l < format->nlevels; n++) {
        const int nparts = count_parts(format, l);
        parts->first[n] = (uint8_t)l;
        if (nparts == 0)
            return -1;
        m->to->has_parts =
            m->to->has_parts || nparts > 1 ||
            !(format->levels[l].type->full || tsr_level_has(format->levels[l].type, TSR_LEVEL_POS));
        nbits = 0;
        for (int k = l; k < l + nparts && nparts > 1; k++) {
            parts->nbits[k] = 0;
            while (nbits <= MAX_BITS && (binding->size[k] > 0 ? binding->size[k] - 1 : 0) >> parts->nbits[k])
                parts->nbits[k]++, nbits++;
        }
        if (nbits > MAX_BITS)
            return -1;
        l += nparts;
    }
    parts->first[n] = (uint8_t)format->nlevels;
    parts->rootless = n > 0 && tsr_level_is_rootless(format->levels[0].type);
    return n;
}

/* Whether loops can merge the tensor, whose levels they can merge. */
static bool can_merge(const kernel_tensor *kt)
{
    const tsr_format *const format = kt->format;
    const bool sparse = !tsr_format_is_dense(format);
    return !tsr_format_has_pitch(format) &&
           !(sparse && tsr_format_has_dense_leaf(format) && kt->operand.iso) && !kt->binding->empty;
}

/* The number of coordinates of level l of the statement; 0 where cells have no numbers of 63 bits, and where there are none. */
static uint64_t level_size(const maker *m, int t, int l)
{
    const tsr_plan_parts *const parts = &m->to->parts[t];
    const uint64_t *const size = m->kernel->tensor[t].binding->size;
    uint64_t n = size[parts->first[l]];
    for (int k = parts->first[l] + 1; k < parts->first[l + 1]; k++)
        if (!m->marks)
            n <<= parts->nbits[k];
        else if (!tsr_mul_u64(&n, n, size[k]) || n > INT64_MAX)
            return 0;
    return n;
}

/* The format of the statement's levels of the tensor, whose modes are these levels. */
static tsr_status make_format(maker *m, int t, int nlevels)
{
    const kernel_tensor *const kt = &m->kernel->tensor[t];
    tsr_text text = {0}, right = {0};
    uint64_t dims[TSR_MAX_LEVELS] = {0};
    for (int l = 0; l < nlevels; l++) {
        const tsr_level_type *const type =
            kt->format->levels[m->marks ? kt->format->nlevels - 1 : m->to->parts[t].first[l]].type;
        tsr_text_addf(&text, "%sd%d", l ? ", " : "(", l);
        tsr_text_addf(&right, "%sd%d : %s", l ? ", " : "(", l,
                      tsr_level_is_rootless(type) ? tsr_level_of_list->name : type->name);
        dims[l] = level_size(m, t, l);
    }
    tsr_text_addf(&text, ") -> %s)", tsr_text_cstr(&right));
    tsr_status status = tsr_text_status(&text, m->err);
    if (status == TSR_OK && nlevels == 0)
        status = tsr_format_copy(&m->to->format[t], kt->format, m->err);
    else if (status == TSR_OK)
        status = tsr_format_parse(&m->to->format[t], tsr_text_cstr(&text), nlevels, dims, m->err);
    if (status == TSR_OK)
        status = tsr_binding_new(&m->to->binding[t], m->to->format[t], dims, m->err);
    tsr_text_clear(&text);
    tsr_text_clear(&right);
    return status;
}

/* ---- variables ---- */

/* Add the expressions of level l of access number a as a variable. */
static void add_var(maker *m, int a, int l)
{
    const tsr_expr *const from = m->levels.access[a].expr;
    const tsr_binding *const binding = binding_of(m, a);
    const int v = m->levels.nvars, first = first_of(m, a)[l], nparts = first_of(m, a)[l + 1] - first;
    uint64_t modes = 0;
    tsr_digit digit;
    int64_t constant;
    if (v == TSR_NOTATION_MAX_VARS) {
        m->fails = true;
        return;
    }
    for (int k = 0; k < nparts; k++)
        modes |= tsr_map_result_vars(binding->forward, first + k);
    for (int k = 0; k < from->nindices; k++)
        if (modes >> k & 1)
            m->levels.of[v] |= UINT32_C(1) << from->index[k];
    const bool plain = nparts == 1 &&
                       tsr_map_result_digits(&digit, 1, &constant, binding->forward, first) == 1 &&
                       constant == 0 && digit.k == 1 && digit.div == 1 && digit.mod == 0;
    m->levels.plain |= (uint32_t)plain << v;
    m->level[v] = l;
    m->in[v] = a;
    m->to->size[v] = level_size(m, from->tensor, l);
    m->fails = m->fails || (m->marks && m->to->size[v] == 0) || m->to->size[v] >> MAX_BITS;
    m->levels.nvars++;
}

/* *same: whether level l of access number a has the expressions of variable v. */
static tsr_status is_var(bool *same, const maker *m, int a, int l, int v)
{
    const int b = m->in[v], from = first_of(m, a)[l], n = first_of(m, a)[l + 1] - from,
              to = first_of(m, b)[m->level[v]];
    *same = first_of(m, b)[m->level[v] + 1] - to == n;
    for (int k = 0; k < n && *same; k++) {
        const tsr_map_named_result x = {.map = binding_of(m, a)->forward,
                                        .result = from + k,
                                        .name = m->levels.access[a].expr->index},
                                   y = {.map = binding_of(m, b)->forward,
                                        .result = to + k,
                                        .name = m->levels.access[b].expr->index};
        TSR_TRY(tsr_map_result_same(same, &x, &y, m->err));
    }
    return TSR_OK;
}

/* Whether level l of access number a has the ranges of variable v, whose expressions it has. */
static bool has_ranges(const maker *m, int a, int l, int v)
{
    const int b = m->in[v];
    const tsr_binding *const mine = binding_of(m, a), *const theirs = binding_of(m, b);
    for (int k = first_of(m, a)[l], to = first_of(m, b)[m->level[v]]; k < first_of(m, a)[l + 1]; k++, to++)
        if (mine->base[k] != theirs->base[to] || mine->size[k] != theirs->size[to])
            return false;
    return true;
}

/* Find the variable of each level of the access. */
static tsr_status add_access(maker *m, const tsr_expr *e)
{
    const int a = m->levels.naccesses;
    if (a == TSR_RULES_MAX_ACCESSES) {
        m->fails = true;
        return TSR_OK;
    }
    const int n = find_parts(m, e->tensor);
    m->levels.naccesses++;
    m->levels.access[a].expr = e;
    m->levels.access[a].nlevels = n;
    m->fails = m->fails || n < 0 || n > TSR_MAX_ORDER || !can_merge(&m->kernel->tensor[e->tensor]);
    const uint8_t *const first = first_of(m, a);
    for (int l = 0; l < n && !m->fails; l++) {
        bool same = false;
        const bool is_constant = first[l + 1] == first[l] + 1 &&
                                 tsr_map_result_vars(binding_of(m, a)->forward, first[l]) == 0; /* i mod 1 */
        int v = is_constant ? m->levels.nvars : 0;
        for (; v < m->levels.nvars && !same; v += !same)
            TSR_TRY(is_var(&same, m, a, l, v));
        if (!same)
            add_var(m, a, l);
        else
            m->fails = m->fails || !has_ranges(m, a, l, v);
        m->levels.access[a].var[l] = v;
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

/* ---- the statement ---- */

/* Whether the values of a tensor are blocks. */
static bool has_blocks(const maker *m)
{
    bool has = false;
    for (int t = 0; t < m->notation->ntensors; t++) {
        const tsr_format *const format = m->kernel->tensor[t].format;
        has = has || (tsr_format_has_dense_leaf(format) && !tsr_format_is_dense(format));
    }
    return has;
}

/* Parse the statement, and number the sizes as its variables. */
static tsr_status take_statement(maker *m, const tsr_text *text)
{
    const tsr_status status = tsr_notation_parse(&m->to->notation, tsr_text_cstr(text), NULL);
    if (status == TSR_NOMEM)
        return tsr_fail(m->err, TSR_NOMEM, "out of memory: a kernel");
    if (status != TSR_OK) { /* a limit */
        m->fails = true;
        return TSR_OK;
    }
    uint64_t size[TSR_NOTATION_MAX_VARS] = {0};
    for (int v = 0; v < m->levels.nvars; v++) {
        const int k = tsr_notation_find_var(m->to->notation, m->levels.name[v]);
        if (k >= 0)
            size[k] = m->to->size[v];
    }
    memcpy(m->to->size, size, sizeof size);
    return TSR_OK;
}

/* Let the rule write the statement. */
static tsr_status make_notation(maker *m)
{
    tsr_rules_statement of = {.notation = m->notation, .ring = m->kernel->ring, .levels = &m->levels};
    tsr_text text = {0};
    bool fits = false;
    m->levels.is_other = m->to->has_parts || has_blocks(m);
    m->levels.terms = m->kernel->plan->terms;
    for (int t = 0; t < m->notation->ntensors; t++)
        of.sparse |= (uint32_t)!tsr_format_is_dense(m->kernel->tensor[t].format) << t;
    tsr_status status = tsr_rules_rewrite(&fits, &text, TSR_RULES_STORED, &of, NULL, m->err);
    m->fails = m->fails || !fits;
    if (status == TSR_OK && fits)
        status = take_statement(m, &text);
    tsr_text_clear(&text);
    return status;
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

/* The number of levels that the statement has of tensor t. */
static int levels_of(const maker *m, int t)
{
    int a = 0;
    while (m->levels.access[a].expr->tensor != t)
        a++;
    return m->levels.access[a].nlevels;
}

static tsr_status make(maker *m)
{
    TSR_TRY(add_access(m, m->notation->result));
    TSR_TRY(add_accesses(m, m->notation->rhs));
    if (!m->fails)
        TSR_TRY(make_notation(m));
    for (int t = 0; t < m->notation->ntensors && !m->fails; t++)
        TSR_TRY(make_format(m, t, levels_of(m, t)));
    return TSR_OK;
}

/* Whether zeros may stand for absent entries, and be told from other values by one comparison. */
static bool is_plain(const tsr_kernel *kernel)
{
    return kernel->ring == &tsr_semirings[0] && !kernel->notation->rhs->has_mask &&
           tsr_type_class(kernel->tensor[0].operand.type) != 'C';
}

tsr_status kernel_make_storage(kernel_storage **out, const tsr_kernel *kernel, tsr_error *err)
{
    const tsr_notation *const notation = kernel->notation;
    tsr_schedule about = kernel->schedule;
    about.sharing = TSR_SHARE_AUTO; /* it goes with loops over any variables */
    *out = NULL;
    if (kernel->open || kernel->original || tsr_notation_has_ending(notation) || notation->rhs->has_step ||
        notation->result->has_step || tsr_schedule_names_parts(&about))
        return TSR_OK;
    maker *const m = tsr_calloc(1, sizeof *m);
    kernel_storage *const storage = tsr_calloc(1, sizeof *storage);
    tsr_status status = m && storage ? TSR_OK : tsr_fail(err, TSR_NOMEM, "out of memory: a kernel");
    if (status == TSR_OK) {
        m->marks = tsr_format_marks(kernel->tensor[0].format);
        m->kernel = kernel;
        m->notation = notation;
        m->to = storage;
        m->err = err;
        status = make(m);
    }
    if (status == TSR_OK && !m->fails && (!has_blocks(m) || is_plain(kernel)))
        *out = storage;
    else
        kernel_storage_free(storage);
    tsr_free(m);
    return status;
}
