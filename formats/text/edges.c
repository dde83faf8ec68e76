/* Edge lists of graphs (SNAP, KONECT, .el). See edges.md for the rules. */
#include <inttypes.h>
#include <stdio.h>

#include "codec_options.h"
#include "text_pieces.h"
#include "text_reader.h"
#include "tsr_num.h"

static const char comment_chars[] = "#%";

enum { MAX_HEAD_LINES = 64 }; /* comment lines that are examined */

/* The information in the comments before the first edge. */
typedef struct head {
    bool konect, snap; /* the file comes from this collection */
    bool symmetric;    /* KONECT "sym": each edge is listed once, in one direction */
    bool bipartite;    /* KONECT "bip": rows and columns are different sets of vertices */
    bool undirected;   /* SNAP "Undirected graph" */
    bool networkx;     /* networkx writes {} after each edge, and here without attributes in it */
    bool has_sizes;    /* KONECT's second line gives the sizes: */
    uint64_t sizes[2];
} head;

static bool is_token(const char *p, const char *end, const char *word)
{
    return tsr_name_is(word, p, (size_t)(end - p));
}

static bool contains(const char *p, const char *end, const char *words)
{
    const size_t n = strlen(words);
    for (; (size_t)(end - p) >= n; p++)
        if (memcmp(p, words, n) == 0)
            return true;
    return false;
}

/* "% sym unweighted", "% bip posweighted": the first line of KONECT's files. */
static bool see_konect(head *h, const char *p, const char *end)
{
    static const char *const weights[] = {"unweighted",    "positive",    "posweighted",
                                          "signed",        "multisigned", "weighted",
                                          "multiweighted", "dynamic",     "multiposweighted"};
    const char *token, *token_end;
    if (p == end || *p++ != '%' || !tsr_next_token(&token, &token_end, &p, end))
        return false;
    const bool sym = is_token(token, token_end, "sym"), bip = is_token(token, token_end, "bip");
    if ((!sym && !bip && !is_token(token, token_end, "asym")) || !tsr_next_token(&token, &token_end, &p, end))
        return false;
    for (size_t i = 0; i < sizeof weights / sizeof weights[0]; i++)
        if (is_token(token, token_end, weights[i])) {
            h->konect = true;
            h->symmetric = sym;
            h->bipartite = bip;
        }
    return h->konect;
}

/* "% 78 34 34": edges, rows and columns, KONECT's second line. */
static void see_sizes(head *h, const char *p, const char *end)
{
    const char *token, *token_end;
    uint64_t n[3];
    if (p == end || *p++ != '%' || tsr_count_tokens(p, end) != 3)
        return;
    for (int i = 0; i < 3 && tsr_next_token(&token, &token_end, &p, end); i++)
        if (tsr_parse_u64(&n[i], token, token_end) != token_end || n[i] > INT64_MAX)
            return;
    h->has_sizes = true;
    h->sizes[0] = n[1];
    h->sizes[1] = n[2];
}

/* Examine the i-th line of comments. */
static void see_comment(head *h, const char *p, const char *end, int i)
{
    while (end > p && (end[-1] == '\r' || tsr_is_blank(end[-1])))
        end--;
    while (p < end && tsr_is_blank(*p))
        p++;
    if (i == 0 && see_konect(h, p, end))
        return;
    if (i == 1 && h->konect)
        see_sizes(h, p, end);
    if (p == end || *p != '#')
        return;
    h->snap = h->snap || contains(p, end, "FromNodeId") ||
              (contains(p, end, "Nodes:") && contains(p, end, "Edges:"));
    h->undirected = h->undirected || contains(p, end, "Undirected graph");
}

/* "0 1 {}": an edge as networkx.write_edgelist writes it. The attributes of an edge are a dictionary of Python, which
 * is not read. */
static tsr_status see_attributes(head *h, const char *p, const char *end, const tsr_lines *lines,
                                 tsr_error *err)
{
    const char *token = p, *token_end = p;
    for (int i = 0; i < 3; i++)
        if (!tsr_next_token(&token, &token_end, &p, end))
            return TSR_OK;
    h->networkx = is_token(token, token_end, "{}");
    if (*token != '{' || h->networkx)
        return TSR_OK;
    return tsr_fail_at(err, TSR_UNSUPPORTED, lines->path, lines->line, tsr_lines_col(lines, token),
                       "edges have attributes as networkx writes them: save the graph with "
                       "networkx.write_weighted_edgelist");
}

/* Read the comments and go back to the beginning of the text. *ncolumns: the number of words in the first
 * line after the comments, 0 where there is none. */
static tsr_status read_head(head *h, int *ncolumns, tsr_lines *lines, tsr_error *err)
{
    *h = (head){0};
    *ncolumns = 0;
    tsr_lines_mark(lines);
    for (int i = 0;; i++) {
        const char *p, *end;
        TSR_TRY(tsr_lines_next(&p, &end, lines, err));
        if (!p)
            break;
        if (i < MAX_HEAD_LINES)
            see_comment(h, p, end, i);
        tsr_line_strip(&p, &end, comment_chars);
        *ncolumns = tsr_count_tokens(p, end);
        if (*ncolumns > 0) {
            TSR_TRY(see_attributes(h, p, end, lines, err));
            break;
        }
    }
    tsr_lines_back(lines);
    return TSR_OK;
}

/* Set the columns: two vertices, a weight where there is a third number; further columns are ignored. */
static tsr_status set_columns(tsr_entries *entries, const head *h, int ncolumns, const tsr_lines *lines,
                              const tsr_read_options *options, tsr_error *err)
{
    tsr_columns *const c = &entries->columns;
    if (ncolumns == 1)
        return tsr_fail_at(err, TSR_SYNTAX, lines->path, 0, 0,
                           "expected an edge (two vertices, and perhaps a weight), found one word");
    if (ncolumns == 0 && !h->has_sizes && options->shape_order <= 0)
        return tsr_fail_at(
            err, TSR_SYNTAX, lines->path, lines->line, 0,
            "the file does not contain edges, so the number of vertices is unknown: use --dims");
    const bool pattern = ncolumns <= 2 || options->no_values || h->networkx;
    const tsr_type type = pattern ? TSR_PATTERN : tsr_parse_type(TSR_F64, options);
    *c = (tsr_columns){.order = 2,
                       .base = options->index_base ? options->index_base > 0 : h->konect,
                       .type = type,
                       .integers = type == TSR_F64 && !(options->has_type && options->type == TSR_F64),
                       .ignore_extra = h->konect || ncolumns > (pattern ? 2 : 3),
                       .comments = comment_chars,
                       .structure = h->symmetric ? TSR_SYMMETRIC_LOWER : TSR_GENERAL};
    if (h->has_sizes) {
        const uint64_t square = h->sizes[0] > h->sizes[1] ? h->sizes[0] : h->sizes[1];
        c->has_dims = true;
        c->dims[0] = h->bipartite ? h->sizes[0] : square;
        c->dims[1] = h->bipartite ? h->sizes[1] : square;
    }
    TSR_TRY(tsr_lines_check_shape(lines, options, 2, c->has_dims ? c->dims : NULL, err));
    if (options->shape_order > 0) {
        c->has_dims = true;
        memcpy(c->dims, options->shape, 2 * sizeof *c->dims);
    }
    return TSR_OK;
}

/* Rows and columns are the same set of vertices: set both dims to the larger one, and give the coordinates
 * the width that it needs. */
static tsr_status make_square(tsr_entries *entries, tsr_error *err)
{
    uint64_t *const dims = entries->columns.dims;
    dims[0] = dims[1] = dims[0] > dims[1] ? dims[0] : dims[1];
    for (int m = 0; m < 2; m++) {
        tsr_array *const crd = &entries->crd[m];
        if (crd->width < tsr_crd_width(dims[m]))
            TSR_TRY(tsr_array_set_width(crd, 8, "the coordinates of one mode", err));
    }
    return TSR_OK;
}

/* Warn about choices where the file could have another meaning. */
static void warn_choices(const head *h, bool has_zero, const tsr_lines *lines,
                         const tsr_read_options *options)
{
    if (h->undirected && !h->symmetric)
        tsr_warn(options->observer, lines->path, 0,
                 "the file says that the graph is undirected, but each edge is read in one direction only, "
                 "as it is "
                 "written");
    if (options->index_base == 0 && !h->konect && !has_zero)
        tsr_warn(options->observer, lines->path, 0,
                 "vertices are numbered from 0, but vertex 0 does not have an edge: use --index-base=1 to "
                 "number from 1, or "
                 "--index-base=0 to hide this warning");
}

static tsr_status edges_read(tsr_data *out, const char *path, const tsr_read_options *options, tsr_error *err)
{
    tsr_lines lines;
    tsr_entries entries = {0};
    head h;
    int ncolumns;
    tsr_status status;
    TSR_TRY(tsr_lines_open(&lines, path, options, err));
    TSR_TRY_OUT(read_head(&h, &ncolumns, &lines, err));
    TSR_TRY_OUT(set_columns(&entries, &h, ncolumns, &lines, options, err));
    const bool square = !entries.columns.has_dims && !h.bipartite;
    TSR_TRY_OUT(tsr_entries_read(&entries, &lines, options, err));
    warn_choices(&h, entries.nnz == 0 || tsr_entries_have_zero(&entries), &lines, options);
    if (square)
        status = make_square(&entries, err);
    if (status == TSR_OK)
        status = tsr_entries_to_coo(&out->coo, &entries, err);
    if (status == TSR_OK && options->has_type)
        status = tsr_coo_retype(out->coo, options->type, err);
out:
    tsr_entries_clear(&entries);
    tsr_lines_clear(&lines);
    return status;
}

static tsr_status warn_pieces(const tsr_text_pieces *pieces, const tsr_text_totals *totals, tsr_error *err)
{
    (void)err;
    warn_choices(pieces->head, totals->nnz == 0 || totals->has_zero, &pieces->lines, &pieces->options);
    return TSR_OK;
}

static tsr_status edges_open(tsr_reader_source *out, tsr_reader_info *info, const char *path,
                             const tsr_read_options *options, tsr_error *err)
{
    tsr_text_pieces *pieces;
    int ncolumns = 0;
    TSR_TRY(tsr_text_pieces_new(&pieces, path, options, err));
    head *const h = pieces->head = tsr_calloc(1, sizeof *h);
    tsr_status status = h ? TSR_OK : tsr_fail(err, TSR_NOMEM, "out of memory");
    if (status == TSR_OK)
        status = read_head(h, &ncolumns, &pieces->lines, err);
    if (status == TSR_OK)
        status = set_columns(&pieces->entries, h, ncolumns, &pieces->lines, options, err);
    if (status != TSR_OK) {
        tsr_text_pieces_free(pieces);
        return status;
    }
    pieces->square = !pieces->entries.columns.has_dims && !h->bipartite;
    pieces->has_type = options->has_type;
    pieces->type = options->type;
    pieces->finish = warn_pieces;
    return tsr_text_pieces_open(out, info, pieces, err);
}

static tsr_status edges_describe(tsr_brief *out, const char *path, const tsr_read_options *options,
                                 tsr_error *err)
{
    tsr_lines lines;
    tsr_entries entries = {0};
    head h;
    int ncolumns;
    tsr_status status;
    TSR_TRY_OUT(tsr_lines_describe(&lines, out, path, options, err));
    TSR_TRY_OUT(read_head(&h, &ncolumns, &lines, err));
    TSR_TRY_OUT(set_columns(&entries, &h, ncolumns, &lines, options, err));
    tsr_brief_tensor *const tensor = tsr_brief_add(out, "");
    if (!tensor) {
        status = tsr_fail(err, TSR_NOMEM, "out of memory");
        goto out;
    }
    tensor->order = 2;
    tensor->has_dims = entries.columns.has_dims;
    memcpy(tensor->dims, entries.columns.dims, sizeof tensor->dims);
    tensor->structure = entries.columns.structure;
    if (entries.columns.type == TSR_PATTERN)
        snprintf(tensor->type, sizeof tensor->type, "%s", tsr_type_name(TSR_PATTERN));
out:
    tsr_lines_clear(&lines);
    return status;
}

/* 95 where the comments are those of KONECT or SNAP. */
static int edges_probe(const tsr_probe *probe)
{
    const unsigned char *const text = probe->head;
    const size_t n = probe->n;
    const char *p = (const char *)text, *const end = p + n;
    head h = {0};
    for (int i = 0; p < end && i < MAX_HEAD_LINES; i++) {
        const char *const newline = memchr(p, '\n', (size_t)(end - p));
        see_comment(&h, p, newline ? newline : end, i);
        if (h.konect || h.snap)
            return 95;
        p = newline ? newline + 1 : end;
    }
    return 0;
}

static const char *const suffixes[] = {".edges", ".el", ".wel", ".edgelist", NULL};

static const tsr_codec_option *const options[] = {&tsr_option_index_base, &tsr_option_no_values, NULL};

const tsr_codec tsr_codec_edges = {
    .name = "edges",
    .summary = "edges of a graph, one per line: two vertices and an optional weight (SNAP, KONECT)",
    .suffixes = suffixes,
    .options = options,
    .streams = true,
    .probe = edges_probe,
    .read = edges_read,
    .open = edges_open,
    .describe = edges_describe,
};
