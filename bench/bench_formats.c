/* The storage formats to compare: see bench_formats.h. */
#include "bench_formats.h"

#include <string.h>

#include "tsr_advice.h"
#include "tsr_kernel.h"
#include "tsr_pack.h"

/* ---- choosing the formats ---- */

/* The modes of the sparse operand: first those of the result in its order, then the others, short ones
 * first. */
static void suitable_modes(int *modes, const bench_case *c)
{
    const tsr_expr *const access = tsr_notation_access(c->notation, c->sparse);
    const int nfree = c->notation->nfree;
    for (int n = 0; n < access->nindices; n++) {
        int at = n;
        for (; at > 0; at--) {
            const int mine = access->index[n], other = access->index[modes[at - 1]];
            const bool before = mine < nfree || other < nfree ? mine < other : c->size[mine] < c->size[other];
            if (!before)
                break;
            modes[at] = modes[at - 1];
        }
        modes[at] = n;
    }
}

void bench_formats_modes(int *modes, const bench_case *c)
{
    suitable_modes(modes, c);
}

/* Append ":1,0,2", the modes of a format. */
static void print_modes(tsr_text *to, const int *modes, int n)
{
    for (int m = 0; m < n; m++)
        tsr_text_addf(to, "%c%d", m == 0 ? ':' : ',', modes[m]);
}

/* Append ":1,0,2", the order of the sparse operand's modes that suits the case: first the modes of the
 * result, then short ones first. Appends nothing if that is 0,1,2.... */
static void add_modes(tsr_text *to, const bench_case *c)
{
    int modes[TSR_NOTATION_MAX_ORDER];
    bool natural = true;
    suitable_modes(modes, c);
    for (int m = 0; m < c->coo->order; m++)
        natural &= modes[m] == m;
    if (!natural)
        print_modes(to, modes, c->coo->order);
}

static tsr_status add(bench_formats *formats, const bench_case *c, const char *text, size_t nbytes,
                      tsr_error *err)
{
    if (formats->n == BENCH_MAX_FORMATS)
        return tsr_fail(err, TSR_LIMIT, "there are more than %d formats to compare", BENCH_MAX_FORMATS);
    tsr_text *const to = &formats->text[formats->n++];
    tsr_text_add_n(to, text, nbytes);
    if (nbytes == 3 && strncmp(text, "csf", 3) == 0)
        add_modes(to, c);
    return tsr_text_status(to, err);
}

/* Named formats with parameters that have no defaults, as --format=all takes them. */
static const struct {
    const char *name, *text;
} with_parameters[] = {{"bcsr", "bcsr(2,2)"},   {"bcsrc", "bcsrc(2,2)"}, {"bcsc", "bcsc(2,2)"},
                       {"bcscc", "bcscc(2,2)"}, {"dbcsr", "dbcsr(2,2)"}, {"dbcsc", "dbcsc(2,2)"},
                       {"bcsf", "bcsf(2)"},     {"csb", "csb(4096)"},    {"csbc", "csbc(2048,32768)"},
                       {"bdia", "bdia(256)"},   {"bvec", "bvec(4)"},     {"tiled", "tiled(8,8)"},
                       {"nn", "nn(8,8)"},       {"nz", "nz(8,8)"},       {"zn", "zn(8,8)"}};

static tsr_status add_all(bench_formats *formats, const bench_case *c, tsr_error *err)
{
    for (const tsr_named_format *named = tsr_named_formats; named->name; named++) {
        tsr_format *format = NULL;
        const char *text = named->name;
        for (size_t i = 0; i < sizeof with_parameters / sizeof *with_parameters; i++)
            if (strcmp(with_parameters[i].name, text) == 0)
                text = with_parameters[i].text;
        if (strcmp(text, "coodup") == 0 || /* coodup is coo that may have duplicates */
            tsr_format_parse(&format, text, c->coo->order, c->coo->dims, NULL) != TSR_OK)
            continue;
        const double bound = tsr_pack_nbytes_bound(format, c->coo->dims, c->type, c->coo->nnz, TSR_INDEX_32);
        tsr_format_free(format);
        if (bound <= 64.0 * (double)tsr_coo_nbytes(c->coo))
            TSR_TRY(add(formats, c, text, strlen(text), err));
    }
    return TSR_OK;
}

const char *bench_format_end(const char *s)
{
    int depth = 0;
    for (; *s; s++) {
        depth += (*s == '(' || *s == '<' || *s == '{' || *s == '[') -
                 (*s == ')' || *s == '}' || *s == ']' || (*s == '>' && s[-1] != '-'));
        if (*s == ',' && depth <= 0 && !(s[1] >= '0' && s[1] <= '9'))
            break;
    }
    return s;
}

/* Whether the result is not assembled, and does not have many more cells than there are entries. */
static bool has_dense_result(const bench_case *c)
{
    if (c->assembles)
        return false;
    return c->ncells <= 16.0 * (double)c->coo->nnz || c->ncells <= 1 << 20;
}

/* Add the formats of a list, "coo,csf:0,1,2". */
static tsr_status add_list(bench_formats *formats, const bench_case *c, const char *text, tsr_error *err)
{
    for (const char *s = text; *s;) {
        const char *const end = bench_format_end(s);
        if (end > s)
            TSR_TRY(add(formats, c, s, (size_t)(end - s), err));
        s = *end ? end + 1 : end;
    }
    return TSR_OK;
}

/* ---- proposals ---- */

/* Whether a format of the list is the same. */
static bool has_format(const bench_formats *formats, const bench_case *c, const char *text)
{
    tsr_format *mine, *other;
    bool same = false;
    if (tsr_format_parse(&mine, text, c->coo->order, c->coo->dims, NULL) != TSR_OK)
        return false;
    for (int f = 0; f < formats->n && !same; f++)
        if (tsr_format_parse(&other, tsr_text_cstr(&formats->text[f]), c->coo->order, c->coo->dims, NULL) ==
            TSR_OK) {
            same = tsr_format_equal(mine, other);
            tsr_format_free(other);
        }
    tsr_format_free(mine);
    return same;
}

/* Whether an earlier row of the advice has the same name: bcsr(2,2) and bcsr(4,4). */
static bool is_second(const tsr_advice *advice, int row)
{
    const char *const name = advice->row[row].format;
    const size_t n = strcspn(name, "(:");
    for (int k = 0; k < row; k++)
        if (strcspn(advice->row[k].format, "(:") == n && memcmp(advice->row[k].format, name, n) == 0)
            return true;
    return false;
}

/* Add the formats that the advisor predicts to be the fastest, one of each name. */
static tsr_status add_best(bench_formats *formats, const bench_case *c, const tsr_advice *advice,
                           tsr_error *err)
{
    enum { MOST = 6 };
    static const double far = 2.5; /* times the best one: not worth to measure */
    for (int k = 0, n = 0; k < advice->nrows && n < MOST; k++) {
        const tsr_advice_row *const row = &advice->row[k];
        if (row->run_ns > far * advice->row[0].run_ns)
            break;
        if (is_second(advice, k))
            continue;
        n++;
        if (!has_format(formats, c, row->format))
            TSR_TRY(add(formats, c, row->format, strlen(row->format), err));
    }
    return TSR_OK;
}

/* Add what the advisor proposes for many runs with all threads. */
static tsr_status add_advised(bench_formats *formats, const bench_case *c, tsr_error *err)
{
    tsr_tuning tuning;
    tsr_advice advice;
    TSR_TRY(tsr_tuning_load(&tuning, err));
    const tsr_costs costs = tsr_costs_of_machine(&tuning);
    const tsr_advice_question question = {
        .coo = c->coo, .kernels = (const tsr_notation *const[]){c->notation}, .nkernels = 1};
    const tsr_advice_options how = {.nruns = 1e6, .rank = (uint64_t)c->rank, .costs = &costs};
    TSR_TRY(tsr_advice_init(&advice, &question, &how, err));
    const tsr_status status = add_best(formats, c, &advice, err);
    tsr_advice_clear(&advice);
    return status;
}

/* Add the references, then what the advisor proposes. The first, to which the others are compared, needs no packing if it can run:
 * coordinates. A sparse result with fewer modes takes its pattern from a tree: few formats can have it. */
static tsr_status add_suitable(bench_formats *formats, const bench_case *c, tsr_error *err)
{
    if (c->joins)
        return add_list(formats, c, c->coo->order == 2 ? "csr,csc,dcsr" : "csf", err);
    if (c->coo->order < 2)
        return add_list(formats, c, "cvec,dvec", err);
    const bool is_contracted =
        c->assembles || (bench_kernel_has_modes(c->kernel) && !bench_kernel_takes_all_modes(c->kernel));
    if (c->coo->order > 2 && is_contracted && !has_dense_result(c))
        return add_list(formats, c, c->coo->order == 3 ? "csf,dss" : "csf", err);
    TSR_TRY(add_list(formats, c, c->coo->order == 2 ? "coo,csr" : "coo,csf", err));
    return add_advised(formats, c, err);
}

tsr_status bench_formats_init(bench_formats *out, const char *text, const bench_case *c, tsr_error *err)
{
    *out = (bench_formats){0};
    if (!text)
        return add_suitable(out, c, err);
    if (strcmp(text, "all") == 0)
        return add_all(out, c, err);
    TSR_TRY(add_list(out, c, text, err));
    return out->n ? TSR_OK : tsr_fail(err, TSR_ARGUMENT, "--format=%s contains no format", text);
}

void bench_formats_clear(bench_formats *formats)
{
    for (int i = 0; i < formats->n; i++)
        tsr_text_clear(&formats->text[i]);
    *formats = (bench_formats){0};
}

/* ---- the format of the result ---- */

tsr_status bench_result_format(tsr_format **out, const bench_case *c, const tsr_format *format,
                               tsr_error *err)
{
    const tsr_expr *const result = c->notation->result, *const access =
                                                            tsr_notation_access(c->notation, c->sparse);
    int perm[TSR_MAX_ORDER], modes[TSR_MAX_ORDER], n = 0;
    tsr_level_spec levels[TSR_MAX_ORDER];
    *out = NULL;
    if (c->joins) {
        if (result->nindices == access->nindices)
            return tsr_format_copy(out, format, err);
        if (result->nindices == 0 || !c->kernel->formats) /* a number, or the user's own: dense */
            return TSR_OK;
        return bench_case_format(out, c, 0, c->result_dims, err);
    }
    if (has_dense_result(c))
        return TSR_OK;
    if (result->nindices == access->nindices &&
        memcmp(result->index, access->index, (size_t)result->nindices * sizeof *result->index) == 0)
        return tsr_format_copy(out, format, err);
    if (tsr_format_is_permutation(format, perm))
        for (int l = 0; l < format->nlevels; l++) {
            const int m = tsr_expr_mode(result, access->index[perm[l]]);
            if (m < 0)
                break;
            if (format->levels[l].nonunique || format->levels[l].type->branchless) {
                n = 0;
                break;
            }
            levels[n] = format->levels[l];
            modes[n++] = m;
        }
    for (int m = 0; m < result->nindices; m++)
        if (tsr_expr_mode(access, result->index[m]) < 0) {
            levels[n] = (tsr_level_spec){.type = tsr_level_of_cells};
            modes[n++] = m;
        }
    if (n != result->nindices)
        return tsr_fail(err, TSR_UNSUPPORTED, "the result would be sparse, but no operand has its pattern");
    return tsr_format_permuted(out, n, levels, modes, err);
}
