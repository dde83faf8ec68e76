/* Statements in storage coordinates: operands are merged where they are stored. Where the tensors of a statement store the same
 * expressions of its variables in their levels, such as i floordiv 4 and i mod 4 for bcsr(4,4), it is planned over these expressions as
 * variables: C(i,j) = A(i,j) + B(i,j) becomes C(i1,j1,i2,j2) = A(i1,j1,i2,j2) + B(i1,j1,i2,j2), and no map is left. This holds
 *   - if each expression has one variable, and all accesses with this variable have the same expressions of it: they determine it,
 *     so equal storage coordinates are equal coordinates;
 *   - or if all accesses have all of the expressions, in which case the whole coordinates are equal (diagonals: j - i).
 * Each variable of which expressions store parts must be one of a sparse operand in each term: cells that are padding are absent there.
 * A statement that stays the same, over plain coordinates, is left as it is: copies may pay, which there are none of here.
 *
 * The dense levels below the last list of a tensor are then blocks (plan_block.c). Nonunique levels and the singleton levels below them
 * (coordinates) are one level of the statement, with one variable for all of their expressions: the coordinate of such a compound level
 * has the bits of all of them (tsr_plan_parts). Lists of keys (the number of the cell) and of parts of coordinates are levels like
 * others, if all accesses have all of them. Where all sparse tensors mark their entries among all cells (bitmaps), all levels of a tensor
 * are one: the coordinate is the number of the cell, and marks are merged word by word (lower_sink_cells.c).
 * An expression without variables (i mod 1) is a variable of size 1 of its own. Cells that are padding are zeros, which are absent in blocks. */
#include <stdio.h>
#include <string.h>

#include "kernel_internal.h"
#include "tsr_bits.h"
#include "tsr_checked.h"

enum {
    MAX_BITS = 61, /* of the coordinate of a level: one number behind the last one has a sign bit of 0 */
    MAX_ACCESSES = 64,
    NAME_NBYTES = 40
};

/* A statement under construction. */
typedef struct maker {
    const tsr_kernel *kernel;
    const tsr_notation *notation;
    kernel_storage *to;
    const tsr_level_type *marks; /* of all sparse tensors, whose cells have numbers; NULL: they have lists */
    int nvars;                   /* different expressions */
    struct {
        uint32_t of;       /* bit i: the expression has variable i of the notation */
        bool plain;        /* it is a variable */
        int access, level; /* where it stood first */
        char name[NAME_NBYTES];
    } var[TSR_NOTATION_MAX_VARS];
    int naccesses;
    struct {
        const tsr_expr *expr;
        int nlevels,
            var[TSR_NOTATION_MAX_VARS]; /* the expression of each level, which is the levels [first[l], first[l + 1])
                                                    of the tensor: see tsr_plan_parts */
    } access[MAX_ACCESSES];             /* the result first, then in the order of the text */
    bool fails;                         /* there is no such statement */
    tsr_error *err;
} maker;

static const tsr_binding *binding_of(const maker *m, int a)
{
    return m->kernel->tensor[m->access[a].expr->tensor].binding;
}

static const uint8_t *first_of(const maker *m, int a)
{
    return m->to->parts[m->access[a].expr->tensor].first;
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
            parts->nbits[k] = (uint8_t)tsr_bit_length(binding->size[k] > 0 ? binding->size[k] - 1 : 0);
            nbits += parts->nbits[k];
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
    tsr_level_spec levels[TSR_MAX_LEVELS];
    uint64_t dims[TSR_MAX_LEVELS] = {0};
    for (int l = 0; l < nlevels; l++) {
        const tsr_level_type *const type =
            kt->format->levels[m->marks ? kt->format->nlevels - 1 : m->to->parts[t].first[l]].type;
        levels[l] = (tsr_level_spec){.type = tsr_level_is_rootless(type) ? tsr_level_of_list : type};
        dims[l] = level_size(m, t, l);
    }
    TSR_TRY(tsr_format_permuted(&m->to->format[t], nlevels, levels, NULL, m->err));
    return tsr_binding_new(&m->to->binding[t], m->to->format[t], dims, m->err);
}

/* ---- variables ---- */

/* Add the expressions of level l of access number a as a variable. */
static void add_var(maker *m, int a, int l)
{
    const tsr_expr *const from = m->access[a].expr;
    const tsr_binding *const binding = binding_of(m, a);
    const int v = m->nvars, first = first_of(m, a)[l], nparts = first_of(m, a)[l + 1] - first;
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
            m->var[v].of |= UINT32_C(1) << from->index[k];
    m->var[v].plain = nparts == 1 &&
                      tsr_map_result_digits(&digit, 1, &constant, binding->forward, first) == 1 &&
                      constant == 0 && digit.k == 1 && digit.div == 1 && digit.mod == 0;
    m->var[v].level = l;
    m->var[v].access = a;
    m->to->size[v] = level_size(m, from->tensor, l);
    m->fails = m->fails || (m->marks && m->to->size[v] == 0) || m->to->size[v] >> MAX_BITS;
    m->nvars++;
}

/* *same: whether level l of access number a has the expressions of variable v. */
static tsr_status is_var(bool *same, const maker *m, int a, int l, int v)
{
    const int b = m->var[v].access, from = first_of(m, a)[l], n = first_of(m, a)[l + 1] - from,
              to = first_of(m, b)[m->var[v].level];
    *same = first_of(m, b)[m->var[v].level + 1] - to == n;
    for (int k = 0; k < n && *same; k++) {
        const tsr_map_named_result x = {.map = binding_of(m, a)->forward,
                                        .result = from + k,
                                        .name = m->access[a].expr->index},
                                   y = {.map = binding_of(m, b)->forward,
                                        .result = to + k,
                                        .name = m->access[b].expr->index};
        TSR_TRY(tsr_map_result_same(same, &x, &y, m->err));
    }
    return TSR_OK;
}

/* Whether level l of access number a has the ranges of variable v, whose expressions it has. */
static bool has_ranges(const maker *m, int a, int l, int v)
{
    const int b = m->var[v].access;
    const tsr_binding *const mine = binding_of(m, a), *const theirs = binding_of(m, b);
    for (int k = first_of(m, a)[l], to = first_of(m, b)[m->var[v].level]; k < first_of(m, a)[l + 1];
         k++, to++)
        if (mine->base[k] != theirs->base[to] || mine->size[k] != theirs->size[to])
            return false;
    return true;
}

/* Find the variable of each level of the access. */
static tsr_status add_access(maker *m, const tsr_expr *e)
{
    const int a = m->naccesses;
    if (a == MAX_ACCESSES) {
        m->fails = true;
        return TSR_OK;
    }
    const int n = find_parts(m, e->tensor);
    m->naccesses++;
    m->access[a].expr = e;
    m->access[a].nlevels = n;
    m->fails = m->fails || n < 0 || n > TSR_MAX_ORDER || !can_merge(&m->kernel->tensor[e->tensor]);
    const uint8_t *const first = first_of(m, a);
    for (int l = 0; l < n && !m->fails; l++) {
        bool same = false;
        const bool is_constant = first[l + 1] == first[l] + 1 &&
                                 tsr_map_result_vars(binding_of(m, a)->forward, first[l]) == 0; /* i mod 1 */
        int v = is_constant ? m->nvars : 0;
        for (; v < m->nvars && !same; v += !same)
            TSR_TRY(is_var(&same, m, a, l, v));
        if (!same)
            add_var(m, a, l);
        else
            m->fails = m->fails || !has_ranges(m, a, l, v);
        m->access[a].var[l] = v;
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

/* ---- whether there is such a statement ---- */

static bool is_sparse(const maker *m, int t)
{
    return !tsr_format_is_dense(m->kernel->tensor[t].format);
}

/* The expressions that the access has; of: those with this variable; -1: all. */
static uint32_t stored_in(const maker *m, int a, int of)
{
    uint32_t set = 0;
    for (int l = 0; l < m->access[a].nlevels; l++) {
        const int v = m->access[a].var[l];
        if (of < 0 || (m->var[v].of >> of & 1))
            set |= UINT32_C(1) << v;
    }
    return set;
}

/* Whether all accesses have all expressions that have variables. */
static bool has_all(const maker *m)
{
    bool all = true;
    uint32_t mapped = 0;
    for (int v = 0; v < m->nvars; v++)
        mapped |= m->var[v].of ? UINT32_C(1) << v : 0;
    for (int a = 0; a < m->naccesses; a++)
        all = all && (m->access[a].nlevels == 0 || (stored_in(m, a, -1) & mapped) == mapped);
    return all;
}

/* Whether equal storage coordinates are equal coordinates. */
static bool determines(const maker *m)
{
    for (int v = 0; v < m->nvars; v++)
        if (m->var[v].of & (m->var[v].of - 1))
            return has_all(m);
    for (int i = 0; i < m->notation->nvars; i++) {
        uint32_t first = 0;
        for (int a = 0; a < m->naccesses; a++) {
            const uint32_t set = stored_in(m, a, i);
            if (set && first && set != first)
                return false;
            first = first ? first : set;
        }
    }
    return true;
}

/* Whether each term is absent in padding: a sparse operand has each variable of which an expression stores a part. */
static bool skips_padding(const maker *m)
{
    const tsr_terms *const terms = m->kernel->plan->terms;
    const uint32_t free = tsr_notation_free_vars(m->notation);
    uint32_t mapped = 0;
    for (int v = 0; v < m->nvars; v++)
        mapped |= m->var[v].plain ? 0 : m->var[v].of;
    for (int i = 0; i < terms->nterms; i++) {
        const tsr_term *const term = &terms->term[i];
        uint32_t covered = 0;
        for (int f = 0; f < term->nfactors; f++) {
            const tsr_expr *const e = term->factor[f].expr;
            if (e->kind == TSR_EXPR_ACCESS && !term->factor[f].inverse && e->mask != TSR_MASK_ABSENT &&
                is_sparse(m, e->tensor))
                covered |= e->vars;
        }
        if ((term->vars | free) & mapped & ~covered)
            return false;
    }
    return true;
}

/* Whether the values of a tensor are blocks. */
static bool has_blocks(const maker *m)
{
    bool has = false;
    for (int t = 0; t < m->notation->ntensors; t++)
        has = has || (is_sparse(m, t) && tsr_format_has_dense_leaf(m->kernel->tensor[t].format));
    return has;
}

static bool is_possible(const maker *m)
{
    bool is_plain = true;
    for (int v = 0; v < m->nvars; v++)
        is_plain = is_plain && m->var[v].plain;
    for (int a = 0; a < m->naccesses; a++)
        for (int k = 0; k < m->access[a].expr->nindices; k++)
            if (tsr_expr_mode(m->access[a].expr, m->access[a].expr->index[k]) < k)
                return false; /* it has one variable twice */
    return m->nvars <= TSR_NOTATION_MAX_ORDER && determines(m) && skips_padding(m) &&
           (m->to->has_parts || has_blocks(m) || (!is_plain && has_all(m)));
}

/* ---- the statement ---- */

static bool is_used(const maker *m, int n, const char *name)
{
    for (int v = 0; v < n; v++)
        if (strcmp(m->var[v].name, name) == 0)
            return true;
    return tsr_notation_find_var(m->notation, name) >= 0 || tsr_notation_find_tensor(m->notation, name) >= 0;
}

/* Name variable v after those of the expression: "i1", "ij2". */
static void name_var(maker *m, int v)
{
    char stem[NAME_NBYTES] = "", *const name = m->var[v].name;
    if (!m->var[v].of)
        snprintf(stem, sizeof stem, "one");
    for (int k = 0; k < m->notation->nvars; k++)
        if (m->var[v].of >> k & 1)
            snprintf(stem + strlen(stem), sizeof stem - strlen(stem), "%.6s", m->notation->var[k]);
    snprintf(name, NAME_NBYTES, "%.30s", stem);
    for (int number = 1; !m->var[v].plain && (number == 1 || is_used(m, v, name)); number++)
        snprintf(name, NAME_NBYTES, "%.20s%d", stem, number);
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
    for (int v = 0; v < m->nvars; v++) {
        const int k = tsr_notation_find_var(m->to->notation, m->var[v].name);
        if (k >= 0)
            size[k] = m->to->size[v];
    }
    memcpy(m->to->size, size, sizeof size);
    return TSR_OK;
}

static void print_access(tsr_text *text, const maker *m, int a)
{
    const int n = m->access[a].nlevels;
    tsr_text_add(text, m->notation->tensor[m->access[a].expr->tensor].name);
    for (int l = 0; l < n; l++)
        tsr_text_addf(text, "%c%s%s", l ? ',' : '(', m->var[m->access[a].var[l]].name, l == n - 1 ? ")" : "");
}

/* Write the statement over the expressions. */
static tsr_status make_notation(maker *m)
{
    const tsr_notation *const notation = m->notation;
    uint32_t at = notation->rhs_col;
    tsr_text text = {0};
    for (int v = 0; v < m->nvars; v++)
        name_var(m, v);
    print_access(&text, m, 0);
    tsr_text_add(&text, notation->accumulate ? " += " : " = ");
    for (int a = 1; a < m->naccesses; a++) {
        tsr_text_add_n(&text, notation->text + at - 1, m->access[a].expr->col - at);
        print_access(&text, m, a);
        at = m->access[a].expr->end;
    }
    tsr_text_add(&text, notation->text + at - 1);
    tsr_status status = tsr_text_status(&text, m->err);
    if (status == TSR_OK)
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

static tsr_status make(maker *m)
{
    TSR_TRY(add_access(m, m->notation->result));
    TSR_TRY(add_accesses(m, m->notation->rhs));
    m->fails = m->fails || !is_possible(m);
    if (!m->fails)
        TSR_TRY(make_notation(m));
    for (int t = 0; t < m->notation->ntensors && !m->fails; t++) {
        int a = 0;
        while (m->access[a].expr->tensor != t)
            a++;
        TSR_TRY(make_format(m, t, m->access[a].nlevels));
    }
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
    kernel_storage *const storage = tsr_calloc(1, sizeof *storage);
    if (!storage)
        return tsr_fail(err, TSR_NOMEM, "out of memory: a kernel");
    maker m = {.kernel = kernel,
               .notation = notation,
               .to = storage,
               .marks = tsr_format_marks(kernel->tensor[0].format),
               .err = err};
    const tsr_status status = make(&m);
    if (status == TSR_OK && !m.fails && (!has_blocks(&m) || is_plain(kernel)))
        *out = storage;
    else
        kernel_storage_free(storage);
    return status;
}
