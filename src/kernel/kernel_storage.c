/* Statements in storage coordinates: operands are merged where they are stored.
 *
 * Where the levels of all tensors of a statement store the same expressions of its variables, such as i floordiv 4 and i mod 4 for
 * bcsr(4,4), the statement is the same over these expressions as variables: C(i,j) = A(i,j) + B(i,j) becomes
 * C(i1,j1,i2,j2) = A(i1,j1,i2,j2) + B(i1,j1,i2,j2), and no map is left. The dense levels below the last list of a tensor are then
 * blocks (plan_block.c). This holds
 *   - if each expression has one variable, and all accesses with this variable have the same expressions of it: they determine
 *     it, so equal storage coordinates are equal coordinates;
 *   - or if all accesses have all of the expressions, in which case the whole coordinates are equal (diagonals: j - i).
 * Nonunique levels and the singleton levels below them (coordinates) are one level of the statement, with one variable for all of
 * their expressions: the coordinate of such a compound level has the bits of all of them (tsr_plan_parts).
 * Lists of keys (the number of the cell) and of parts of coordinates are levels like others, if all accesses have all of them.
 * Where all sparse tensors mark their entries among all cells (bitmaps), all levels of a tensor are one: the coordinate is the number of the
 * cell, and marks are merged word by word (lower_merge_cells.c).
 * An expression without variables (i mod 1) is a variable of size 1 of its own. Cells that are padding are zeros, which are absent in blocks. */
#include <stdio.h>
#include <string.h>

#include "kernel_internal.h"
#include "tsr_checked.h"

enum {
    MAX_ACCESSES = 64,
    MAX_NAME = 40,
    MAX_BITS = 61 /* of the coordinate of a level: one number behind the last one has a sign bit of 0 */
};

/* An access, and the variable of each level that the statement has of it: the tensor's levels [first[l], first[l + 1]). */
typedef struct access {
    const tsr_expr *expr;
    int nlevels, var[TSR_MAX_LEVELS];
    const uint8_t *first;
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
    const tsr_level_type *marks; /* of all sparse tensors, whose cells have numbers; NULL: they have lists */
    bool fails;                  /* there is no such statement */
    tsr_error *err;
} maker;

static const tsr_binding *binding_of(const maker *m, const access *a)
{
    return m->kernel->tensor[a->expr->tensor].binding;
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

/* Add the expressions of level l of access number a as a variable. */
static void add_var(maker *m, int a, int l)
{
    const access *const from = &m->access[a];
    const tsr_binding *const binding = binding_of(m, from);
    const int v = m->nvars, first = from->first[l], nparts = from->first[l + 1] - first;
    uint64_t modes = 0;
    tsr_digit digit;
    int64_t constant;
    if (v == TSR_NOTATION_MAX_VARS) {
        m->fails = true;
        return;
    }
    for (int k = 0; k < nparts; k++)
        modes |= tsr_map_result_vars(binding->forward, first + k);
    m->of[v] = 0;
    for (int k = 0; k < from->expr->nindices; k++)
        if (modes >> k & 1)
            m->of[v] |= UINT32_C(1) << from->expr->index[k];
    m->plain[v] = nparts == 1 && tsr_map_result_digits(&digit, 1, &constant, binding->forward, first) == 1 &&
                  constant == 0 && digit.k == 1 && digit.div == 1 && digit.mod == 0;
    m->level[v] = l;
    m->in[v] = a;
    m->to->size[v] = level_size(m, from->expr->tensor, l);
    m->fails = m->fails || (m->marks && m->to->size[v] == 0) || m->to->size[v] >> MAX_BITS;
    name_var(m, v);
    m->nvars++;
}

/* *same: whether level l of the access has the expressions of variable v. */
static tsr_status is_var(bool *same, const maker *m, const access *a, int l, int v)
{
    const access *const other = &m->access[m->in[v]];
    const tsr_binding *const mine = binding_of(m, a), *const theirs = binding_of(m, other);
    const int from = a->first[l], n = a->first[l + 1] - from, to = other->first[m->level[v]];
    *same = other->first[m->level[v] + 1] - to == n;
    for (int k = 0; k < n && *same; k++) {
        const tsr_map_named_result x = {.map = mine->forward, .result = from + k, .name = a->expr->index},
                                   y = {.map = theirs->forward, .result = to + k, .name = other->expr->index};
        TSR_TRY(tsr_map_result_same(same, &x, &y, m->err));
    }
    return TSR_OK;
}

/* Whether level l of the access has the ranges of variable v, whose expressions it has. */
static bool has_ranges(const maker *m, const access *a, int l, int v)
{
    const access *const other = &m->access[m->in[v]];
    const tsr_binding *const mine = binding_of(m, a), *const theirs = binding_of(m, other);
    for (int k = a->first[l], to = other->first[m->level[v]]; k < a->first[l + 1]; k++, to++)
        if (mine->base[k] != theirs->base[to] || mine->size[k] != theirs->size[to])
            return false;
    return true;
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
    a->nlevels = find_parts(m, e->tensor);
    a->first = m->to->parts[e->tensor].first;
    uint32_t seen = 0;
    for (int k = 0; k < e->nindices; k++) {
        m->fails = m->fails || (seen >> e->index[k] & 1); /* a diagonal */
        seen |= UINT32_C(1) << e->index[k];
    }
    m->fails = m->fails || a->nlevels < 0 || !can_merge(&m->kernel->tensor[e->tensor]);
    for (int l = 0; l < a->nlevels && !m->fails; l++) {
        bool same = false;
        int v = 0;
        const bool is_constant = a->first[l + 1] == a->first[l] + 1 &&
                                 tsr_map_result_vars(binding->forward, a->first[l]) == 0; /* i mod 1 */
        for (v = is_constant ? m->nvars : 0; v < m->nvars && !same; v += !same)
            TSR_TRY(is_var(&same, m, a, l, v));
        if (!same)
            add_var(m, number, l);
        else
            m->fails = m->fails || !has_ranges(m, a, l, v);
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

/* Whether all accesses have all expressions that have variables. */
static bool has_all(const maker *m)
{
    bool all = true;
    uint32_t mapped = 0;
    for (int v = 0; v < m->nvars; v++)
        mapped |= m->of[v] ? UINT32_C(1) << v : 0;
    for (int a = 0; a < m->naccesses; a++)
        all = all && (m->access[a].nlevels == 0 || (vars_of(m, &m->access[a], -1) & mapped) == mapped);
    return all;
}

/* Whether equal storage coordinates are equal coordinates: see the top of this file. */
static bool determines(const maker *m)
{
    bool separable = true;
    for (int v = 0; v < m->nvars; v++)
        separable = separable && !(m->of[v] & (m->of[v] - 1));
    if (!separable)
        return has_all(m);
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
            if (e->kind == TSR_EXPR_ACCESS && !term->factor[f].inverse && e->mask != TSR_MASK_ABSENT &&
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

/* The number of levels that the statement has of tensor t. */
static int levels_of(const maker *m, int t)
{
    int a = 0;
    while (m->access[a].expr->tensor != t)
        a++;
    return m->access[a].nlevels;
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
        TSR_TRY(make_format(m, t, levels_of(m, t)));
    return TSR_OK;
}

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

/* Whether the statement is another one than the given one: its tensors have compound levels or blocks, or all of them have the same keys or
 * parts of coordinates. Else copies may pay, which there are none of in storage coordinates. */
static bool is_new(const maker *m)
{
    bool plain = true;
    for (int v = 0; v < m->nvars; v++)
        plain = plain && m->plain[v];
    return m->to->has_parts || has_blocks(m) || (!plain && has_all(m));
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
    *out = NULL;
    if (kernel->open || kernel->original || tsr_notation_has_ending(notation) || notation->rhs->has_step ||
        notation->result->has_step || tsr_schedule_names_parts(&kernel->schedule))
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
    if (status == TSR_OK && !m->fails && is_new(m) && (!has_blocks(m) || is_plain(kernel)))
        *out = storage;
    else
        kernel_storage_free(storage);
    tsr_free(m);
    return status;
}
