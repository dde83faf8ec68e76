/* FROSTT text (.tns) and its variants. See tns.md for the rules. */
#include <inttypes.h>
#include <stdio.h>

#include "codec_options.h"
#include "text_guess.h"
#include "text_pieces.h"
#include "text_reader.h"
#include "text_stream.h"
#include "text_writer.h"
#include "tsr_num.h"

static const char comment_chars[] = "#%;";

/* The contents of the header. */
typedef struct header {
    int order;
    bool has_dims, has_nnz;
    uint64_t dims[TSR_MAX_ORDER];
    uint64_t nnz;
    bool may_be_size;                 /* there is no header, and line `first_line` may be a size line of */
    uint64_t size[TSR_MAX_ORDER + 1]; /* order + 1 whole numbers */
    uint64_t first_line;
} header;

/* One data line of the head, with its leading whole numbers. */
typedef struct head_line {
    int ntokens;
    int nwhole; /* leading tokens that are whole numbers, at most TSR_MAX_ORDER + 1 */
    uint64_t whole[TSR_MAX_ORDER + 1];
    uint64_t line;
} head_line;

static void scan_head_line(head_line *out, const char *p, const char *end, uint64_t line)
{
    const char *token, *token_end;
    *out = (head_line){.ntokens = tsr_count_tokens(p, end), .line = line};
    while (out->nwhole <= TSR_MAX_ORDER && tsr_next_token(&token, &token_end, &p, end) &&
           tsr_parse_u64(&out->whole[out->nwhole], token, token_end) == token_end)
        out->nwhole++;
}

/* Whether the line is n whole numbers. */
static bool is_whole_line(const head_line *l, uint64_t n)
{
    return l->ntokens >= 1 && (uint64_t)l->ntokens == n && l->nwhole == l->ntokens;
}

static bool contains(const char *p, const char *end, const char *words)
{
    const size_t n = strlen(words);
    for (; (size_t)(end - p) >= n; p++)
        if (memcmp(p, words, n) == 0)
            return true;
    return false;
}

/* --- Headers -------------------------------------------------------------------------------------------- */

static tsr_status check_order(uint64_t order, const tsr_lines *lines, tsr_error *err)
{
    if (order >= 1 && order <= TSR_MAX_ORDER)
        return TSR_OK;
    return tsr_fail_at(err, order ? TSR_LIMIT : TSR_SYNTAX, lines->path, lines->line, 0,
                       "the tensor has %" PRIu64 " modes; 1 to %d are supported", order, TSR_MAX_ORDER);
}

/* The next data line must be `n` whole numbers that fit 63 bits. */
static tsr_status read_whole_line(uint64_t *out, int n, const char *what, tsr_lines *lines, tsr_error *err)
{
    const char *p, *end;
    head_line l;
    TSR_TRY(tsr_lines_next_data(&p, &end, lines, comment_chars, err));
    if (!p)
        return tsr_fail_at(err, TSR_SYNTAX, lines->path, lines->line, 0, "the file ends before the %s", what);
    const uint64_t col = tsr_lines_col(lines, p);
    scan_head_line(&l, p, end, lines->line);
    if (!is_whole_line(&l, (uint64_t)n))
        return tsr_fail_at(err, TSR_SYNTAX, lines->path, lines->line, col,
                           "expected the %s (%d whole number%s)", what, n, n == 1 ? "" : "s");
    for (int i = 0; i < n; i++) {
        if (l.whole[i] > INT64_MAX)
            return tsr_fail_at(err, TSR_RANGE, lines->path, lines->line, col,
                               "%" PRIu64 " in the %s does not fit 63 bits", l.whole[i], what);
        out[i] = l.whole[i];
    }
    return TSR_OK;
}

/* "sptensor", order, dims, nnz: MATLAB Tensor Toolbox and pyttb. */
static tsr_status read_sptensor(header *h, tsr_lines *lines, tsr_error *err)
{
    uint64_t order;
    TSR_TRY(read_whole_line(&order, 1, "number of modes", lines, err));
    TSR_TRY(check_order(order, lines, err));
    h->order = (int)order;
    TSR_TRY(read_whole_line(h->dims, h->order, "sizes", lines, err));
    TSR_TRY(read_whole_line(&h->nnz, 1, "number of entries", lines, err));
    h->has_dims = h->has_nnz = true;
    return TSR_OK;
}

/* The variant of the file, determined by the first three data lines. */
typedef enum variant {
    PLAIN,      /* entries only */
    ORDER_DIMS, /* order / dims: ParTI, HiParTI, PASTA */
    EXTENDED    /* order nnz / dims: extended FROSTT */
} variant;

static variant find_variant(const head_line *l, int nlines, bool announced, bool no_values)
{
    const uint64_t order = l[0].nwhole ? l[0].whole[0] : 0;
    const bool dims_follow = nlines > 1 && is_whole_line(&l[1], order);
    /* whether the third line can be an entry of this order */
    const bool entries_fit = nlines < 3 || (uint64_t)l[2].ntokens == order + !no_values;
    if (is_whole_line(&l[0], 1) && dims_follow && !(no_values && order == 1))
        return ORDER_DIMS;
    if (!is_whole_line(&l[0], 2) || !dims_follow)
        return PLAIN;
    /* two numbers on each of two lines could be two entries of order 1 (or 2 without values), too */
    if (l[1].ntokens == 2)
        return announced || (nlines == 3 && entries_fit && l[2].ntokens != 2) ? EXTENDED : PLAIN;
    return EXTENDED;
}

/* Read a header that begins with a word, or report the error. */
static tsr_status read_named(header *h, const char *p, const char *end, tsr_lines *lines, tsr_error *err)
{
    const char *token, *token_end;
    char quoted[TSR_TOKEN_NBYTES];
    if (end - p == 8 && memcmp(p, "sptensor", 8) == 0)
        return read_sptensor(h, lines, err);
    const bool commas = memchr(p, ',', (size_t)(end - p)) != NULL;
    tsr_next_token(&token, &token_end, &p, end);
    tsr_token_text(quoted, token, token_end);
    if (commas)
        return tsr_fail_at(err, TSR_SYNTAX, lines->path, lines->line, tsr_lines_col(lines, token),
                           "numbers must be separated by blanks, not commas, found '%s'", quoted);
    return tsr_fail_at(err, TSR_SYNTAX, lines->path, lines->line, tsr_lines_col(lines, token),
                       "expected an entry (indices and a value) or a header, found '%s'", quoted);
}

/* Whether the line begins like a number and does not contain commas (the parser of entries checks the rest),
 * or is a single value such as inf or nan. */
static bool looks_numeric(const char *p, const char *end)
{
    double value;
    return tsr_parse_f64(&value, p, end) == end ||
           (((*p >= '0' && *p <= '9') || *p == '+' || *p == '-' || *p == '.') &&
            !memchr(p, ',', (size_t)(end - p)));
}

/* --- Ambiguous texts
 * ------------------------------------------------------------------------------------ */

/* TSR_UNSUPPORTED for an ambiguous text where tns was chosen by content only. */
static tsr_status refuse_guess(const tsr_lines *lines, uint64_t line, tsr_guess guess, tsr_error *err)
{
    static const char *const words[] = {
        [TSR_GUESS_PAIRS] =
            "two whole numbers per line can be the edges of a graph or a vector (index and value): "
            "use --from=edges or --from=tns",
        [TSR_GUESS_SIZES] =
            "rows, columns and a count, then that many entries, look like MatrixMarket without "
            "its banner: use --from=mtx",
        [TSR_GUESS_SIZES_0] =
            "rows, columns and a count, then that many entries from 0, look like triplets of "
            "SPOOLES or CHOLMOD: use --from=mtx --index-base=0",
        [TSR_GUESS_CHOLMOD] =
            "rows, columns, a count and a symmetry (stype), then that many triplets, look like a "
            "CHOLMOD file, which is not supported: write them as MatrixMarket, or use "
            "--from=tns if these are entries of a tensor",
        [TSR_GUESS_METIS] = "this looks like a METIS graph (vertices and edges, then the neighbours of each "
                            "vertex), which is not supported: write it as a list of edges, or use --from=tns",
    };
    return tsr_fail_at(err, TSR_UNSUPPORTED, lines->path, line, 0, "%s", words[guess]);
}

/* Set up a file without a header, and check whether the text is ambiguous. */
static tsr_status start_plain(header *h, const head_line *l, int nlines, tsr_lines *lines,
                              const tsr_read_options *options, tsr_error *err)
{
    if (options->choice != TSR_CHOSEN_BY_NAME && !options->no_values) {
        tsr_guess guess;
        TSR_TRY(tsr_guess_text(&guess, lines, comment_chars, err));
        const bool vector = guess == TSR_GUESS_PAIRS && options->shape_order == 1;
        if (guess != TSR_GUESS_ENTRIES && !vector && options->choice == TSR_CHOSEN_BY_CONTENT)
            return refuse_guess(lines, l->line, guess, err);
        if (guess == TSR_GUESS_PAIRS && !vector)
            tsr_warn(options->observer, lines->path, l->line,
                     "two whole numbers per line are read as index and value of a vector: use --from=edges "
                     "to read the "
                     "edges of a graph, or --from=tns to hide this warning");
        h->may_be_size = is_whole_line(l, (uint64_t)l->ntokens);
    }
    h->order = l->ntokens - !options->no_values;
    if (h->order == 0 && nlines > 1)
        return tsr_fail_at(err, TSR_SYNTAX, lines->path, l->line, 0,
                           "expected an entry (indices and a value) or a header, found one number");
    if (h->order > TSR_MAX_ORDER) {
        lines->line = l->line;
        return check_order((uint64_t)h->order, lines, err);
    }
    h->first_line = l->line;
    h->may_be_size = h->may_be_size && h->order > 0;
    if (h->may_be_size)
        memcpy(h->size, l->whole, sizeof h->size);
    return TSR_OK;
}

/* Whether the first entry, read as sizes and a count, agrees with all other entries: then the text can be
 * MatrixMarket without its banner. rest: the largest coordinates of the other entries. */
static bool first_is_size(const header *h, uint64_t nnz, const uint64_t *rest, uint64_t base)
{
    if (!h->may_be_size || nnz == 0 || h->size[h->order] != nnz - 1)
        return false;
    for (int m = 0; m < h->order; m++)
        if (nnz > 1 && rest[m] + base > h->size[m])
            return false;
    return true;
}

/* The first line can be a size line: refuse the file or warn. */
static tsr_status tell_size(const char *path, uint64_t first_line, const tsr_read_options *options,
                            tsr_error *err)
{
    if (options->choice == TSR_CHOSEN_BY_CONTENT)
        return tsr_fail_at(
            err, TSR_UNSUPPORTED, path, first_line, 0,
            "this line can be an entry or a size line (the sizes and the number of entries that "
            "follow): use --from=tns for an entry, --from=mtx for MatrixMarket without a banner");
    tsr_warn(
        options->observer, path, first_line,
        "this line is read as an entry, but can be a size line (the sizes and the number of entries that "
        "follow): use --from=mtx for a size line, or --from=tns to hide this warning");
    return TSR_OK;
}

static tsr_status judge_first(const header *h, bool is_size, const tsr_lines *lines,
                              const tsr_read_options *options, tsr_error *err)
{
    return is_size ? tell_size(lines->path, h->first_line, options, err) : TSR_OK;
}

/* The first three data lines, with the blank lines and comments between them, are kept until the variant is
 * known, up to this number of bytes: 400 kB of gzip can hold 400 MB of blank lines. */
enum { MAX_HEAD_NBYTES = 4 << 20 };

static tsr_status read_header(header *h, tsr_lines *lines, const tsr_read_options *options, tsr_error *err)
{
    head_line l[3];
    int nlines = 0;
    bool announced = false;
    *h = (header){0};
    tsr_lines_mark(lines);
    while (nlines < 3) {
        const char *p, *end;
        TSR_TRY(tsr_lines_next(&p, &end, lines, err));
        if (!p)
            break;
        if (lines->line == 1 && contains(p, end, "%%MatrixMarket"))
            return tsr_fail_at(err, TSR_SYNTAX, lines->path, 1, 1,
                               "this is a MatrixMarket file: read it as mtx");
        if (nlines == 0 && contains(p, end, "extended FROSTT"))
            announced = true;
        tsr_line_strip(&p, &end, comment_chars);
        if (p == end) {
            if (nlines == 0)
                tsr_lines_mark(lines);
            else if (tsr_lines_marked_nbytes(lines) > MAX_HEAD_NBYTES)
                break; /* the lines so far determine the variant, as at the end of the file */
            continue;
        }
        if (nlines == 0 && !looks_numeric(p, end))
            return read_named(h, p, end, lines, err);
        scan_head_line(&l[nlines++], p, end, lines->line);
    }
    tsr_lines_back(lines);
    if (nlines == 0) {
        if (options->shape_order <= 0)
            return tsr_fail_at(err, TSR_SYNTAX, lines->path, lines->line, 0,
                               "the file does not contain entries or a header, so the number of modes is "
                               "unknown: use --dims");
        h->order = options->shape_order;
        return TSR_OK;
    }
    uint64_t first[2] = {0, 0};
    switch (find_variant(l, nlines, announced, options->no_values)) {
    case ORDER_DIMS:
        TSR_TRY(read_whole_line(first, 1, "number of modes", lines, err));
        h->order = (int)first[0];
        break;
    case EXTENDED:
        TSR_TRY(read_whole_line(first, 2, "number of modes and of entries", lines, err));
        h->order = (int)first[0];
        h->nnz = first[1];
        h->has_nnz = true;
        break;
    default:
        return start_plain(h, &l[0], nlines, lines, options, err);
    }
    TSR_TRY(check_order((uint64_t)h->order, lines, err));
    h->has_dims = true;
    return read_whole_line(h->dims, h->order, "sizes", lines, err);
}

/* Check the given shape against the header, and use it. */
static tsr_status apply_shape(header *h, const tsr_lines *lines, const tsr_read_options *options,
                              tsr_error *err)
{
    TSR_TRY(tsr_lines_check_shape(lines, options, h->order, h->has_dims ? h->dims : NULL, err));
    if (options->shape_order <= 0)
        return TSR_OK;
    memcpy(h->dims, options->shape, (size_t)h->order * sizeof *h->dims);
    h->has_dims = true;
    return TSR_OK;
}

/* --- Reading -------------------------------------------------------------------------------------------- */

static tsr_type value_type(const tsr_read_options *options, bool *integers)
{
    *integers = false;
    if (options->no_values)
        return TSR_PATTERN;
    if (options->has_type && options->type == TSR_U64)
        return TSR_U64; /* the only exact way to read integers over 2^63 */
    const tsr_type type = tsr_parse_type(TSR_F64, options);
    *integers = type == TSR_F64 && !(options->has_type && options->type == TSR_F64);
    return type;
}

/* What follows the header. */
static void set_entries(tsr_entries *entries, const header *h, const tsr_read_options *options)
{
    bool integers;
    const tsr_type type = value_type(options, &integers);
    *entries = (tsr_entries){.columns = {.order = h->order,
                                         .base = options->index_base < 0 ? 0 : 1,
                                         .has_dims = h->has_dims,
                                         .type = type,
                                         .integers = integers,
                                         .comments = comment_chars},
                             .has_nnz = h->has_nnz,
                             .nnz = h->nnz};
    if (h->order == 0) { /* a scalar is a single number */
        entries->has_nnz = true;
        entries->nnz = 1;
    }
    memcpy(entries->columns.dims, h->dims, sizeof h->dims);
}

/* The largest coordinates of all entries but the first. */
static void find_rest(uint64_t *rest, const header *h, const tsr_entries *entries)
{
    for (int m = 0; m < h->order; m++) {
        rest[m] = 0;
        for (uint64_t e = 1; h->size[h->order] == entries->nnz - 1 && e < entries->nnz; e++) {
            const uint64_t at = tsr_array_get(&entries->crd[m], e);
            rest[m] = at > rest[m] ? at : rest[m];
        }
    }
}

static tsr_status read_entries(tsr_coo **out, const header *h, tsr_lines *lines,
                               const tsr_read_options *options, tsr_error *err)
{
    tsr_entries entries;
    uint64_t rest[TSR_MAX_ORDER] = {0};
    set_entries(&entries, h, options);
    TSR_TRY(tsr_entries_read(&entries, lines, options, err));
    if (h->may_be_size)
        find_rest(rest, h, &entries);
    const bool is_size = first_is_size(h, entries.nnz, rest, entries.columns.base);
    const tsr_status status = judge_first(h, is_size, lines, options, err);
    if (status != TSR_OK)
        tsr_entries_clear(&entries);
    TSR_TRY(status);
    TSR_TRY(tsr_entries_to_coo(out, &entries, err));
    return options->has_type ? tsr_coo_retype(*out, options->type, err) : TSR_OK;
}

static tsr_status tns_read(tsr_data *out, const char *path, const tsr_read_options *options, tsr_error *err)
{
    tsr_lines lines;
    header h;
    tsr_status status;
    TSR_TRY(tsr_lines_open(&lines, path, options, err));
    TSR_TRY_OUT(read_header(&h, &lines, options, err));
    TSR_TRY_OUT(apply_shape(&h, &lines, options, err));
    status = read_entries(&out->coo, &h, &lines, options, err);
out:
    tsr_lines_clear(&lines);
    return status;
}

static tsr_status judge_pieces(const tsr_text_pieces *pieces, const tsr_text_totals *totals, tsr_error *err)
{
    const header *const h = pieces->head;
    const bool is_size = first_is_size(h, totals->nnz, totals->rest, pieces->entries.columns.base);
    return judge_first(h, is_size, &pieces->lines, &pieces->options, err);
}

static tsr_status tns_open(tsr_reader_source *out, tsr_reader_info *info, const char *path,
                           const tsr_read_options *options, tsr_error *err)
{
    tsr_text_pieces *pieces;
    TSR_TRY(tsr_text_pieces_new(&pieces, path, options, err));
    header *const h = pieces->head = tsr_calloc(1, sizeof *h);
    tsr_status status = h ? TSR_OK : tsr_fail(err, TSR_NOMEM, "out of memory");
    if (status == TSR_OK)
        status = read_header(h, &pieces->lines, options, err);
    if (status == TSR_OK)
        status = apply_shape(h, &pieces->lines, options, err);
    if (status != TSR_OK) {
        tsr_text_pieces_free(pieces);
        return status;
    }
    set_entries(&pieces->entries, h, options);
    pieces->has_type = options->has_type;
    pieces->type = options->type;
    pieces->finish = judge_pieces;
    return tsr_text_pieces_open(out, info, pieces, err);
}

static tsr_status finish_stream(const tsr_text_counts *counts, const tsr_text_plan *plan, const char *path,
                                const tsr_read_options *options, tsr_error *err)
{
    return counts->first_is_size ? tell_size(path, plan->first_line, options, err) : TSR_OK;
}

static tsr_status open_stream(tsr_feed **out, tsr_lines *lines, const tsr_read_options *options,
                              tsr_error *err)
{
    header h;
    TSR_TRY(read_header(&h, lines, options, err));
    TSR_TRY(apply_shape(&h, lines, options, err));
    if (h.order == 0)
        return tsr_fail_at(err, TSR_UNSUPPORTED, lines->path, 0, 0, "a scalar is not read in runs");
    tsr_entries entries;
    set_entries(&entries, &h, options);
    tsr_text_plan plan = {.columns = entries.columns,
                          .has_nnz = h.has_nnz,
                          .nnz = h.nnz,
                          .has_type = options->has_type,
                          .type = options->type,
                          .has_size = h.may_be_size,
                          .first_line = h.first_line,
                          .finish = finish_stream};
    memcpy(plan.size, h.size, sizeof h.size);
    return tsr_text_stream_open(out, lines, &plan, options, err);
}

static tsr_status tns_feed(tsr_feed **out, const char *path, const tsr_read_options *options, tsr_error *err)
{
    tsr_lines lines;
    *out = NULL;
    TSR_TRY(tsr_lines_open(&lines, path, options, err));
    const tsr_status status = open_stream(out, &lines, options, err);
    tsr_lines_clear(&lines);
    return status;
}

/* Describe a file by its header; the type of values depends on the entries and is not reported. */
static tsr_status tns_describe(tsr_brief *out, const char *path, const tsr_read_options *options,
                               tsr_error *err)
{
    tsr_lines lines;
    header h;
    tsr_status status;
    TSR_TRY_OUT(tsr_lines_describe(&lines, out, path, options, err));
    TSR_TRY_OUT(read_header(&h, &lines, options, err));
    TSR_TRY_OUT(apply_shape(&h, &lines, options, err));
    tsr_brief_tensor *const tensor = tsr_brief_add(out, "");
    if (!tensor) {
        status = tsr_fail(err, TSR_NOMEM, "out of memory");
        goto out;
    }
    tensor->order = h.order;
    tensor->has_dims = h.has_dims;
    memcpy(tensor->dims, h.dims, sizeof h.dims);
    tensor->has_nnz = h.has_nnz;
    tensor->nnz = h.nnz;
    if (options->no_values)
        snprintf(tensor->type, sizeof tensor->type, "%s", tsr_type_name(TSR_PATTERN));
out:
    tsr_lines_clear(&lines);
    return status;
}

/* --- Writing -------------------------------------------------------------------------------------------- */

/* What a header can contain. */
typedef struct written {
    int order;
    const uint64_t *dims;
    uint64_t nnz;    /* entries of the tensor */
    uint64_t nlines; /* entry lines: an entry off the diagonal of a symmetric matrix makes two */
    bool tells_dims; /* the entries determine the dims */
} written;

static void add_dims(tsr_text *text, const written *w, char separator, char end)
{
    for (int m = 0; m < w->order; m++)
        tsr_text_addf(text, "%" PRIu64 "%c", w->dims[m], m + 1 < w->order ? separator : end);
}

/* The header to write. FROSTT files do not have a header, and SPLATT and TACO would read it as entries. So a
 * header is written only on request, or where the tensor does not have entries. */
static tsr_header choose_header(const char *path, const written *w, const tsr_write_options *options)
{
    if (w->order == 0 || (options->header != TSR_HEADER_AUTO && options->header != TSR_HEADER_NONE))
        return w->order == 0 ? TSR_HEADER_NONE : options->header;
    if (w->tells_dims)
        return TSR_HEADER_NONE;
    if (w->nnz == 0 && options->header == TSR_HEADER_AUTO) {
        tsr_warn(
            options->observer, path, 0,
            "without entries the dims need the header of extended FROSTT, which SPLATT and TACO cannot read");
        return TSR_HEADER_EXTENDED;
    }
    tsr_warn_lost_dims(
        path, (tsr_shape){w->order, w->dims},
        "use --header=extended or --header=parti to write them, or --dims when the file is read", options);
    return TSR_HEADER_NONE;
}

static void add_head(tsr_text *head, const written *w, tsr_header kind)
{
    if (kind == TSR_HEADER_EXTENDED)
        tsr_text_addf(head, "# extended FROSTT format\n%d %" PRIu64 "\n", w->order, w->nlines);
    else if (kind == TSR_HEADER_PARTI)
        tsr_text_addf(head, "%d\n", w->order);
    else
        return;
    add_dims(head, w, ' ', '\n');
}

/* The number of entry lines: an entry off the diagonal of a symmetric matrix makes two lines. */
static uint64_t count_lines(const tsr_coo *coo)
{
    uint64_t n = coo->nnz;
    if (coo->structure != TSR_GENERAL)
        for (uint64_t i = 0; i < coo->nnz; i++)
            n += tsr_array_get(&coo->crd[0], i) != tsr_array_get(&coo->crd[1], i);
    return n;
}

static tsr_status tns_check(int order, tsr_type type, tsr_error *err)
{
    (void)order;
    return tsr_type_class(type) == 'C'
               ? tsr_fail(err, TSR_UNSUPPORTED, "tns files do not support complex values: use mtx or HDF5")
               : TSR_OK;
}

static tsr_status tns_write_coo(const char *path, const tsr_coo *coo, const tsr_write_options *options,
                                uint64_t *nbytes, tsr_error *err)
{
    static const tsr_write_options defaults = {0};
    options = options ? options : &defaults;
    TSR_TRY(tsr_text_check_fill(coo, "tns", err));
    const tsr_status able = tns_check(coo->order, coo->type, err);
    tsr_error_set_path(able == TSR_OK ? NULL : err, path);
    TSR_TRY(able);
    if (coo->order == 0 && coo->nnz > 1)
        return tsr_fail_at(err, TSR_UNSUPPORTED, path, 0, 0,
                           "tns files do not support a scalar with several values");
    const written w = {.order = coo->order,
                       .dims = coo->dims,
                       .nnz = coo->nnz,
                       .nlines = count_lines(coo),
                       .tells_dims = tsr_entries_tell_dims(coo)};
    tsr_text head = {0};
    add_head(&head, &w, choose_header(path, &w, options));
    if (coo->order == 0 && coo->nnz == 0) /* a scalar is its value, also where that is 0 and no entry */
        tsr_text_add(&head, tsr_type_class(coo->type) == 'R' ? "0.0\n" : "0\n");
    const tsr_entry_lines lines = {.coo = coo,
                                   .base = options->index_base < 0 ? 0 : 1,
                                   .has_values = true,
                                   .mark_reals = true,
                                   .write = TSR_GENERAL};
    const tsr_text_job job = tsr_entry_lines_job(&lines);
    const tsr_status status = tsr_text_write(path, &head, &job, options, nbytes, err);
    tsr_text_clear(&head);
    return status;
}

/* Whether the largest coordinates are those of the dims: see tsr_entries_tell_dims. */
static bool reach_dims(const tsr_entry_counts *counts, const tsr_facts *facts)
{
    bool tells = counts->nentries > 0;
    for (int m = 0; m < facts->order; m++) {
        bool reached = counts->max[m] + 1 == facts->dims[m];
        if (facts->structure != TSR_GENERAL)
            reached = counts->max[0] + 1 == facts->dims[m] || counts->max[1] + 1 == facts->dims[m];
        tells = tells && reached;
    }
    return tells;
}

static tsr_status tns_write_entries(const char *path, tsr_feed *feed, const tsr_write_options *options,
                                    uint64_t *nbytes, tsr_error *err)
{
    const tsr_facts *const facts = &feed->facts;
    tsr_coo like = {.type = facts->type, .has_fill = facts->has_fill};
    tsr_entry_counts counts;
    memcpy(like.fill, facts->fill, sizeof like.fill);
    TSR_TRY(tsr_text_check_fill(&like, "tns", err));
    const tsr_status able = tns_check(facts->order, facts->type, err);
    tsr_error_set_path(able == TSR_OK ? NULL : err, path);
    TSR_TRY(able);
    TSR_TRY(tsr_entry_count(&counts, feed, err));
    const uint64_t twice = facts->structure == TSR_GENERAL ? 0 : counts.nentries - counts.ndiagonal;
    const written w = {.order = facts->order,
                       .dims = facts->dims,
                       .nnz = counts.nentries,
                       .nlines = counts.nentries + twice,
                       .tells_dims = reach_dims(&counts, facts)};
    tsr_text head = {0};
    add_head(&head, &w, choose_header(path, &w, options));
    const tsr_entry_lines lines = {.head = &head,
                                   .base = options->index_base < 0 ? 0 : 1,
                                   .has_values = true,
                                   .mark_reals = true,
                                   .write = TSR_GENERAL};
    const tsr_status status = tsr_text_write_entries(path, feed, &lines, options, nbytes, err);
    tsr_text_clear(&head);
    return status;
}

/* 50 where the first line that is not a comment is numbers only; 95 where it is "sptensor". */
static int tns_probe(const tsr_probe *probe)
{
    const unsigned char *const head = probe->head;
    const size_t n = probe->n;
    const char *line = (const char *)head, *const all = line + n;
    while (line < all) {
        const char *const newline = memchr(line, '\n', (size_t)(all - line));
        const char *p = line, *end = newline ? newline : all, *token, *token_end;
        tsr_line_strip(&p, &end, comment_chars);
        line = newline ? newline + 1 : all;
        if (p == end)
            continue;
        if (end - p == 8 && memcmp(p, "sptensor", 8) == 0)
            return 95;
        double v;
        while (tsr_next_token(&token, &token_end, &p, end))
            if (tsr_parse_f64(&v, token, token_end) != token_end)
                return 0;
        return 50;
    }
    return 0;
}

static const char *const suffixes[] = {".tns", ".frostt", NULL};

static const tsr_codec_option *const options[] = {&tsr_option_index_base, &tsr_option_no_values,
                                                  &tsr_option_header, NULL};

const tsr_codec tsr_codec_tns = {
    .name = "tns",
    .summary = "FROSTT text: one entry per line, indices and a value; also with the headers of ParTI, MLIR, "
               "Tensor Toolbox",
    .suffixes = suffixes,
    .options = options,
    .streams = true,
    .has_header = true,
    .probe = tns_probe,
    .read = tns_read,
    .open = tns_open,
    .feed = tns_feed,
    .describe = tns_describe,
    .check = tns_check,
    .write_coo = tns_write_coo,
    .write_entries = tns_write_entries,
};
