/* Kernels by name, and cases: see bench_case.h. */
#include "bench_case.h"
#include "bench_random.h"

#include <ctype.h>
#include <string.h>

#include "tkern.h"
#include "tsr_alloc.h"
#include "tsr_kernel_named.h"

/* ---- expressions ---- */

static bench_kernel from_builtin(const tsr_kernel_builtin *b)
{
    bench_kernel kernel = {
        .name = b->name, .summary = b->summary, .expression = b->expression, .formats = b->formats};
    if (strstr(b->schedule, "assemble("))
        kernel.schedule = b->schedule;
    return kernel;
}

bool bench_kernel_at(bench_kernel *out, int i)
{
    static const bench_kernel statements[] = {
#define X(name_, way_, summary_, expression_, formats_) \
    {.name = #name_,                                    \
     .summary = summary_,                               \
     .expression = expression_,                         \
     .formats = formats_,                               \
     .way = BENCH_WAY_##way_,                           \
     .is_statement = true},
#include "bench_statements.def"
#undef X
    };
    const char *last = "";
    const tsr_kernel_builtin *b;
    for (int k = 0; (b = tsr_kernel_builtin_at(k)) != NULL; k++) {
        if (strcmp(last, b->name) == 0)
            continue;
        last = b->name;
        if (i-- == 0) {
            *out = from_builtin(b);
            return true;
        }
    }
    if (i >= (int)(sizeof statements / sizeof *statements))
        return false;
    *out = statements[i];
    return true;
}

bool bench_kernel_find(bench_kernel *out, const char *text)
{
    if (strchr(text, '=')) {
        *out = (bench_kernel){.name = "expression", .expression = text};
        return true;
    }
    for (int i = 0; bench_kernel_at(out, i); i++)
        if (strcmp(out->name, text) == 0)
            return true;
    return false;
}

bool bench_kernel_has_modes(const bench_kernel *kernel)
{
    bool is_default;
    return tsr_kernel_has_mode(&is_default, kernel->name, 1, 0);
}

bool bench_kernel_takes_all_modes(const bench_kernel *kernel)
{
    bool is_default;
    return tsr_kernel_has_mode(&is_default, kernel->name, 2, 0) && is_default;
}

tsr_status bench_kernel_print(tsr_text *text, const bench_kernel *kernel, int order, int mode, tsr_error *err)
{
    if (kernel->is_statement || kernel->formats == NULL) { /* a row of the table, or the user's own */
        tsr_text_add(text, kernel->expression);
        return tsr_text_status(text, err);
    }
    return tsr_kernel_expression(text, kernel->name, order, mode, err);
}

/* ---- cases ---- */

/* The format that the kernel's file gives to the tensor of this name, up to a ';' or the end; NULL: the file does not name
 * the tensor. */
static const char *find_format(const char *formats, const char *name)
{
    const size_t n = strlen(name);
    for (const char *s = formats; s && *s; s += strcspn(s, ";"), s += *s == ';') {
        while (isspace((unsigned char)*s))
            s++;
        if (strncmp(s, name, n) == 0 && s[n] == ':')
            return s + n + 1;
    }
    return NULL;
}

/* Whether tensor t stores entries at the places of coo (make_sibling). */
static bool is_sibling(const bench_case *c, int t)
{
    return t != c->sparse && tsr_notation_access(c->notation, t)->nindices == c->coo->order &&
           find_format(c->kernel->formats, c->notation->tensor[t].name);
}

/* Find the sizes of all variables: those of the sparse operand and of its siblings from
 * its dims, `rank` for the others. */
static tsr_status find_sizes(bench_case *c, int rank, tsr_error *err)
{
    const tsr_notation *const notation = c->notation;
    const uint32_t own = tsr_notation_tensor_vars(notation, c->sparse);
    const uint64_t *dims[TSR_NOTATION_MAX_TENSORS] = {NULL};
    uint64_t given[TSR_NOTATION_MAX_VARS];
    uint32_t sized = 0;
    dims[c->sparse] = c->coo->dims;
    for (int t = 1; t < notation->ntensors; t++)
        for (int m = 0; m < c->coo->order && is_sibling(c, t); m++) {
            const int v = tsr_notation_access(notation, t)->index[m];
            given[v] = c->coo->dims[m];
            sized |= UINT32_C(1) << v;
        }
    for (int v = 0; v < notation->nvars; v++)
        if (own >> v & 1)
            given[v] = TSR_NOTATION_UNKNOWN;
        else if (!(sized >> v & 1))
            given[v] = (uint64_t)(c->rank = rank);
    TSR_TRY(tsr_notation_sizes(c->size, notation, dims, given, err));
    c->ncells = 1;
    for (int m = 0; m < notation->result->nindices; m++) {
        c->result_dims[m] = c->size[notation->result->index[m]];
        c->ncells *= (double)c->result_dims[m];
    }
    return TSR_OK;
}

tsr_status bench_case_format(tsr_format **out, const bench_case *c, int t, const uint64_t *dims,
                             tsr_error *err)
{
    const tsr_notation_tensor *const tensor = &c->notation->tensor[t];
    const char *const given = find_format(c->kernel->formats, tensor->name);
    tsr_text text = {0};
    *out = NULL;
    if (!given)
        return tsr_fail(err, TSR_UNSUPPORTED, "the kernel %s names no format for %s", c->kernel->name,
                        tensor->name);
    tsr_text_add_n(&text, given, strcspn(given, ";"));
    tsr_status status = tsr_text_status(&text, err);
    if (status == TSR_OK)
        status = tsr_format_parse(out, tsr_text_cstr(&text), tensor->order, dims, err);
    tsr_text_clear(&text);
    return status;
}

/* The entries of another sparse operand: half of the places of coo, and for each other place one half of the last dim away. A place
 * and its partner stay or swap together, so that no place occurs twice. */
static tsr_status make_sibling(bench_case *c, int t, tsr_error *err)
{
    const int last = c->coo->order - 1;
    const uint64_t half = c->coo->dims[last] / 2;
    for (int m = 0; m <= last; m++)
        if (c->size[tsr_notation_access(c->notation, t)->index[m]] != c->coo->dims[m])
            return tsr_fail(
                err, TSR_UNSUPPORTED,
                "%s has the places of %s, which must have equal sizes for that: give a square one",
                c->notation->tensor[t].name, c->notation->tensor[c->sparse].name);
    TSR_TRY(tsr_coo_copy(&c->siblings[t], c->coo, err));
    c->entries[t] = c->siblings[t];
    for (uint64_t n = 0; n < c->coo->nnz; n++) {
        const uint64_t at = tsr_array_get(&c->coo->crd[last], n);
        if (at >= 2 * half)
            continue; /* the last place of an odd dim */
        uint64_t hash = bench_mix((uint64_t)t << 32 ^ at % half);
        for (int m = 0; m < last; m++)
            hash = bench_mix(hash ^ tsr_array_get(&c->coo->crd[m], n));
        if (hash & 1)
            tsr_array_set(&c->siblings[t]->crd[last], n, at < half ? at + half : at - half);
    }
    return TSR_OK;
}

/* The entries of a sparse matrix with other modes than the tensor: about a quarter of the cells, values in
 * [1, 2). */
static tsr_status make_sparse_matrix(bench_case *c, int t, const uint64_t *dims, tsr_error *err)
{
    uint64_t n = 0;
    const uint64_t seed = (uint64_t)t << 60,
                   ncells = dims[0] * dims[1]; /* dims are those of tensors in memory */
    for (uint64_t cell = 0; cell < ncells; cell++)
        n += bench_mix(seed + cell) % 4 == 0;
    TSR_TRY(tsr_coo_new_sized(&c->siblings[t], (tsr_shape){2, dims}, c->type, false, n, err));
    n = 0;
    for (uint64_t cell = 0; cell < ncells; cell++) {
        const uint64_t bits = bench_mix(seed + cell);
        const double x = 1 + (double)(bits >> 40) * 0x1p-24;
        if (bits % 4 != 0)
            continue;
        tsr_array_set(&c->siblings[t]->crd[0], n, cell / dims[1]);
        tsr_array_set(&c->siblings[t]->crd[1], n, cell % dims[1]);
        if (c->type == TSR_F32)
            ((float *)c->siblings[t]->values.data)[n++] = (float)x;
        else
            ((double *)c->siblings[t]->values.data)[n++] = x;
    }
    c->entries[t] = c->siblings[t];
    return TSR_OK;
}

/* How often the tensor stands in e with other indices than in its first place. */
static int count_others(const tsr_notation *notation, const tsr_expr *e, int t)
{
    if (!e)
        return 0;
    int n = count_others(notation, e->a, t) + count_others(notation, e->b, t);
    if (e->kind == TSR_EXPR_ACCESS && e->tensor == t)
        n += memcmp(e->index, tsr_notation_access(notation, t)->index, sizeof e->index) != 0;
    return n;
}

static tsr_status make_operands(bench_case *c, tsr_error *err)
{
    c->entries[c->sparse] = c->coo;
    c->joins = count_others(c->notation, c->notation->rhs, c->sparse) > 0;
    for (int t = 1; t < c->notation->ntensors; t++) {
        uint64_t dims[TSR_NOTATION_MAX_ORDER];
        const tsr_expr *const access = tsr_notation_access(c->notation, t);
        tsr_format *format;
        if (t == c->sparse)
            continue;
        const bool is_sparse = find_format(c->kernel->formats, c->notation->tensor[t].name) != NULL;
        if (is_sibling(c, t)) {
            c->joins = true;
            TSR_TRY(make_sibling(c, t, err));
            continue;
        }
        for (int m = 0; m < access->nindices; m++)
            dims[m] = c->size[access->index[m]];
        if (access->nindices == 2 && is_sparse) {
            c->joins = true;
            TSR_TRY(make_sparse_matrix(c, t, dims, err));
            continue;
        }
        TSR_TRY(tsr_format_dense(&format, access->nindices, NULL, err));
        const tsr_status status = tsr_tkern_generate(
            &c->operand[t], &(tsr_tkern_random){c->notation->tensor[t].name, format, dims, c->type, 42}, 0,
            err);
        tsr_format_free(format);
        TSR_TRY(status);
    }
    return TSR_OK;
}

/* Whether each run assembles the result. The schedule counts for a kernel whose file gives the result a format. */
static bool assembles(const bench_case *c)
{
    const bench_kernel *const kernel = c->kernel;
    const bool is_sparse = find_format(kernel->formats, c->notation->tensor[0].name) != NULL;
    return c->joins || (is_sparse && kernel->schedule && strstr(kernel->schedule, "assemble("));
}

bool bench_case_makes_results(const bench_case *c)
{
    return c->assembles && c->notation->result->nindices > 0 && c->kernel->way == BENCH_WAY_RUN;
}

static tsr_status init(bench_case *c, const tsr_coo *coo, int rank, tsr_error *err)
{
    const bench_kernel *const kernel = c->kernel;
    tsr_text text = {0};
    tsr_status status = bench_kernel_print(&text, kernel, coo->order, c->mode < 0 ? 0 : c->mode, err);
    if (status == TSR_OK)
        status = tsr_program_parse(&c->notation, tsr_text_cstr(&text), NULL, err);
    if (status == TSR_OK && !(c->text = tsr_strdup(tsr_text_cstr(&text))))
        status = tsr_fail(err, TSR_NOMEM, "out of memory: an expression");
    tsr_text_clear(&text);
    TSR_TRY(status);
    if (c->notation->accumulate)
        return tsr_fail(err, TSR_UNSUPPORTED, "an expression with += depends on its own result: write =");
    if (c->notation->ntensors < 2)
        return tsr_fail(err, TSR_UNSUPPORTED, "the expression has no operand");
    c->sparse = tsr_notation_largest(c->notation);
    if (c->notation->tensor[c->sparse].order != coo->order)
        return tsr_fail(err, TSR_UNSUPPORTED, "%s takes a tensor of %d mode%s as %s, but this one has %d",
                        kernel->name, c->notation->tensor[c->sparse].order,
                        c->notation->tensor[c->sparse].order == 1 ? "" : "s",
                        c->notation->tensor[c->sparse].name, coo->order);
    TSR_TRY(find_sizes(c, rank, err));
    TSR_TRY(make_operands(c, err));
    c->assembles = assembles(c);
    return bench_answer_new(&c->answer, c, err);
}

tsr_status bench_case_init(bench_case *c, const bench_kernel *kernel, const tsr_coo *coo, int mode, int rank,
                           tsr_error *err)
{
    *c = (bench_case){.kernel = kernel, .coo = coo, .type = coo->type, .mode = mode};
    const tsr_status status = init(c, coo, rank, err);
    if (status != TSR_OK)
        bench_case_clear(c);
    return status;
}

void bench_case_clear(bench_case *c)
{
    for (int t = 0; t < TSR_NOTATION_MAX_TENSORS; t++)
        tsr_tensor_free(c->operand[t]), tsr_coo_free(c->siblings[t]);
    bench_answer_free(c->answer);
    tsr_notation_free(c->notation);
    tsr_free(c->text);
    *c = (bench_case){0};
}
