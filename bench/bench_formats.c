/* The storage formats to compare: see bench_formats.h. */
#include "bench_formats.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench_fill.h"
#include "tsr_kernel.h"
#include "tsr_pack.h"
#include "tsr_parallel.h"

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

/* Add a format with one letter per mode, for the first, the second and all other modes: "duq", "duqq" for d,
 * u, q. */
static tsr_status add_levels(bench_formats *formats, const bench_case *c, const char *letters, bool suitable,
                             tsr_error *err)
{
    tsr_text text = {0};
    for (int m = 0; m < c->coo->order; m++)
        tsr_text_add_n(&text, &letters[m < 2 ? m : 2], 1);
    if (suitable)
        add_modes(&text, c);
    const tsr_status status = add(formats, c, tsr_text_cstr(&text), text.nbytes, err);
    tsr_text_clear(&text);
    return status;
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

/* Add the csf whose first mode is at the root, which is used for all modes, if another order suits this
 * mode. */
static tsr_status add_natural(bench_formats *formats, const bench_case *c, tsr_error *err)
{
    tsr_text text = {0};
    tsr_text_add(&text, "csf");
    for (int m = 0; m < c->coo->order; m++)
        tsr_text_addf(&text, "%c%d", m == 0 ? ':' : ',', m);
    bool is_there = false;
    for (int f = 0; f < formats->n; f++)
        is_there |= strcmp(tsr_text_cstr(&formats->text[f]), "csf") == 0;
    const tsr_status status = is_there ? TSR_OK : add(formats, c, tsr_text_cstr(&text), text.nbytes, err);
    tsr_text_clear(&text);
    return status;
}

/* Add a format, and the same with the mode of the result first, if it is not: threads then share rows of the result. */
static tsr_status add_both(bench_formats *formats, const bench_case *c, const char *text, tsr_error *err)
{
    tsr_text turned = {0};
    const size_t nbytes = strlen(text);
    tsr_text_add_n(&turned, text, nbytes);
    add_modes(&turned, c);
    tsr_status status = tsr_text_status(&turned, err);
    if (status == TSR_OK)
        status = add(formats, c, text, nbytes, err);
    if (status == TSR_OK && turned.nbytes > nbytes)
        status = add(formats, c, turned.s, turned.nbytes, err);
    tsr_text_clear(&turned);
    return status;
}

/* Add blocks of diagonals, and square blocks of the best size, row by row and column by column, if the matrix fills them so
 * well that a kernel between vectors, which is limited by memory, reads an eighth less than from csr. */
static tsr_status add_blocks(bench_formats *formats, const bench_case *c, tsr_error *err)
{
    static const int sizes[] = {8, 6, 4, 3, 2};
    char text[32];
    int best = 0;
    double least = 0.875 * (double)(tsr_type_nbytes(c->type) + sizeof(uint32_t));
    if (!isinf(bench_fill_bdia(c->coo, 256, least)))
        TSR_TRY(add_both(formats, c, "bdia(256)", err));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const double nbytes = bench_fill_bcsr(c->coo, (uint64_t)sizes[i], least);
        if (nbytes < least) {
            least = nbytes;
            best = sizes[i];
        }
    }
    if (best == 0)
        return TSR_OK;
    snprintf(text, sizeof text, "bcsr(%d,%d)", best, best);
    TSR_TRY(add(formats, c, text, strlen(text), err));
    snprintf(text, sizeof text, "bcsrc(%d,%d)", best, best);
    return add_both(formats, c, text, err);
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

uint64_t bench_csbc_rows(uint64_t nrows, uint64_t nbytes, int nthreads)
{
    enum { LEAST = 1 << 11, MOST = 1 << 16, BLOCKS_PER_THREAD = 4 };
    const double room = (double)nbytes / sizeof(double) - BENCH_CSBC_COLUMNS;
    uint64_t rows = LEAST;
    while (rows < MOST && 2.0 * (double)rows <= room &&
           2 * rows <= nrows / ((uint64_t)nthreads * BLOCKS_PER_THREAD))
        rows *= 2;
    return rows;
}

/* Add csbc with blocks that suit the second cache of this machine. With a rank, each coordinate stands for that many
 * values, and the smallest block is taken. */
static tsr_status add_csbc(bench_formats *formats, const bench_case *c, tsr_error *err)
{
    char text[48];
    tsr_tuning tuning;
    TSR_TRY(tsr_tuning_load(&tuning, err));
    const uint64_t nbytes = c->rank == 0 ? tsr_tuning_complete(&tuning).block_nbytes : 0;
    snprintf(text, sizeof text, "csbc(%d,%d)",
             (int)bench_csbc_rows(c->coo->dims[0], nbytes, tsr_thread_count(0)), (int)BENCH_CSBC_COLUMNS);
    return c->rank == 0 ? add_both(formats, c, text, err) : add(formats, c, text, strlen(text), err);
}

/* Add slices of rows that are sorted by length, if few slots are padding: in windows, so that rows keep near their
 * neighbours, or all rows together. The mode of the result comes first, so that the kernel takes a lane for each row. */
static tsr_status add_slices(bench_formats *formats, const bench_case *c, tsr_error *err)
{
    enum { LANES = 8, WINDOW = 4096 };
    int modes[TSR_NOTATION_MAX_ORDER];
    suitable_modes(modes, c);
    const uint64_t nrows = c->coo->dims[modes[0]];
    tsr_text text = {0};
    if (bench_fill_sell(c->coo, modes[0], LANES, WINDOW) <= 1.05)
        tsr_text_addf(&text, "sell(%d,%d)", (int)LANES, (int)WINDOW);
    else if (bench_fill_sell(c->coo, modes[0], LANES, nrows) <= 1.125)
        tsr_text_addf(&text, "sell(%d,%" PRIu64 ")", (int)LANES, nrows);
    else
        return TSR_OK;
    add_modes(&text, c);
    tsr_status status = tsr_text_status(&text, err);
    if (status == TSR_OK)
        status = add(formats, c, text.s, text.nbytes, err);
    tsr_text_clear(&text);
    return status;
}

/* Entries of a row of the first mode: MTTKRP of a tensor with 20 for each row, rank 32, EPYC: 4 strips 21 ms, 8 strips 26 ms.
 * Kernels with rows of at most 128 bytes add up neighbours with the same row where there are six: uniform, 30,000 x 20,000 x
 * 5,000, 1 M entries, rank 16, one thread: 10 strips of 2048 with 3.4 for each row 4.0, 4.4 and 4.3 ms, 5 strips 4.0, 4.0 and 4.2. */
uint64_t bench_strip_width(const uint64_t *dims, uint64_t nnz, double row_nbytes, uint64_t nbytes)
{
    enum { LEAST = 1 << 8, MOST = 1 << 14, ENTRIES = 3, SHORT_ENTRIES = 6, SHORT_NBYTES = 128 };
    const int entries = row_nbytes <= SHORT_NBYTES ? SHORT_ENTRIES : ENTRIES;
    const double least = entries * (double)dims[0] * (double)dims[1];
    uint64_t width = LEAST;
    while (width < MOST && 2 * width <= dims[1] &&
           (4 * (double)width * row_nbytes <= (double)nbytes || (double)width * (double)nnz < least))
        width *= 2;
    return width;
}

/* The modes of the sparse operand, long ones first or last. */
static void modes_by_size(int *modes, const bench_case *c, bool long_first)
{
    const uint64_t *const dims = c->coo->dims;
    for (int n = 0; n < c->coo->order; n++) {
        int at = n;
        for (; at > 0 && (long_first ? dims[n] > dims[modes[at - 1]] : dims[n] < dims[modes[at - 1]]); at--)
            modes[at] = modes[at - 1];
        modes[at] = n;
    }
}

/* Add NAME(width) with the modes in this order. */
static tsr_status add_cut(bench_formats *formats, const bench_case *c, const char *name, uint64_t width,
                          const int *modes, tsr_error *err)
{
    tsr_text text = {0};
    tsr_text_addf(&text, "%s(%" PRIu64 ")", name, width);
    print_modes(&text, modes, c->coo->order);
    tsr_status status = tsr_text_status(&text, err);
    if (status == TSR_OK)
        status = add(formats, c, text.s, text.nbytes, err);
    tsr_text_clear(&text);
    return status;
}

/* The bytes of a row of a dense operand. */
static double row_nbytes(const bench_case *c)
{
    return (double)(c->rank ? c->rank : 1) * sizeof(double);
}

/* Add strips, one copy for all modes: the longest mode first, then the mode that is cut. */
static tsr_status add_strips(bench_formats *formats, const bench_case *c, tsr_error *err)
{
    tsr_tuning tuning;
    int modes[TSR_MAX_ORDER];
    TSR_TRY(tsr_tuning_load(&tuning, err));
    modes_by_size(modes, c, true);
    const uint64_t dims[] = {c->coo->dims[modes[0]], c->coo->dims[modes[1]]};
    const uint64_t width =
        bench_strip_width(dims, c->coo->nnz, row_nbytes(c), tsr_tuning_complete(&tuning).block_nbytes);
    return add_cut(formats, c, "strips", width, modes, err);
}

uint64_t bench_tile_width(double row_nbytes, uint64_t nbytes)
{
    enum { LEAST = 1 << 8, MOST = 1 << 11, PARTS = 16 };
    uint64_t width = LEAST;
    while (width < MOST && 2 * (double)width * row_nbytes <= (double)nbytes / PARTS)
        width *= 2;
    return width;
}

/* Add tiled CSF, one copy for all modes: the longest mode last, which is cut. Fibers that are shorter than FIBER in a strip cost
 * more than the rows save that are in the first cache: MTTKRP of the stand-ins of nell-2 and enron, EPYC. */
static tsr_status add_tiles(bench_formats *formats, const bench_case *c, tsr_error *err)
{
    enum { FIBER = 8 };
    tsr_tuning tuning;
    int modes[TSR_MAX_ORDER];
    TSR_TRY(tsr_tuning_load(&tuning, err));
    modes_by_size(modes, c, false);
    const uint64_t width = bench_tile_width(row_nbytes(c), tsr_tuning_complete(&tuning).block_nbytes);
    if (2 * width > c->coo->dims[modes[c->coo->order - 1]] || bench_fill_tcsf(c->coo, modes, width) < FIBER)
        return TSR_OK;
    return add_cut(formats, c, "tcsf", width, modes, err);
}

/* Add the formats that suit the case. The first, the reference, needs no packing if it can run: coordinates.
 * A sparse result with fewer modes takes its pattern from a tree. */
static tsr_status add_suitable(bench_formats *formats, const bench_case *c, tsr_error *err)
{
    if (c->joins)
        return add_list(formats, c, c->coo->order == 2 ? "csr,csc,dcsr" : "csf", err);
    const bool has_modes = bench_kernel_has_modes(c->kernel),
               is_mttkrp = has_modes && bench_kernel_takes_all_modes(c->kernel);
    if (c->coo->order < 2)
        return add_list(formats, c, "cvec,dvec", err);
    if (c->coo->order == 2) {
        TSR_TRY(add_list(formats, c, "coo,csr,csc,dcsr,hicoo(128)", err));
        TSR_TRY(add_csbc(formats, c, err));
        if (c->rank == 0 && has_dense_result(c))
            TSR_TRY(add_slices(formats, c, err));
        return c->rank == 0 ? add_blocks(formats, c, err) : TSR_OK;
    }
    const bool is_contracted = c->assembles || (has_modes && !is_mttkrp),
               needs_tree = is_contracted && !has_dense_result(c);
    TSR_TRY(add_list(formats, c, needs_tree ? "csf" : "coo,csf,hicoo(128)", err));
    if (is_mttkrp) { /* one copy for all modes */
        TSR_TRY(add_list(formats, c, "alto", err));
        TSR_TRY(add_strips(formats, c, err));
        TSR_TRY(add_tiles(formats, c, err));
    }
    if (is_contracted)
        TSR_TRY(add_levels(formats, c, "dss", false, err));
    if (needs_tree)
        return TSR_OK;
    TSR_TRY(add_levels(formats, c, "duq", true, err)); /* dense rows of coordinates */
    return is_mttkrp ? add_natural(formats, c, err) : TSR_OK;
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
        return result->nindices == 0 ? TSR_OK : bench_case_format(out, c, 0, c->result_dims, err);
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
