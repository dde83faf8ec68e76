/* MatrixMarket (.mtx, .ttx): reading the entries, and the codec. See mtx.md for the rules. */
#include <inttypes.h>
#include <stdio.h>

#include "codec_options.h"
#include "mtx_internal.h"
#include "text_pieces.h"
#include "text_stream.h"
#include "tsr_checked.h"
#include "tsr_num.h"

/* --- Entries -------------------------------------------------------------------------------------------- */

/* The type that values are parsed as. *own: the options, with the type of the file where the user does not
 * give one. *integers: whole numbers are parsed as i64, so that they stay exact. */
static tsr_type parse_type(tsr_read_options *own, bool *integers, const mtx_header *h,
                           const tsr_read_options *options)
{
    *own = *options;
    *integers = false;
    if (!h->has_type || options->has_type || (h->type == TSR_PATTERN && h->is_bool))
        return tsr_parse_type(h->type, options);
    own->has_type = true;
    own->type = h->as;
    if (h->type == TSR_PATTERN || h->type == TSR_C128)
        return tsr_parse_type(h->type, own);
    if (h->as == TSR_U64)
        return TSR_U64;
    *integers = tsr_type_class(h->as) == 'I' || tsr_type_class(h->as) == 'U';
    return tsr_parse_type(TSR_F64, own);
}

/* TSR_RANGE unless all values of a bool tensor are 0 or 1. *ones: all are 1. */
static tsr_status check_bool(bool *ones, const tsr_array *values, const tsr_lines *lines, tsr_error *err)
{
    *ones = true;
    for (uint64_t e = 0; e < values->n; e++) {
        const uint64_t v = tsr_array_get(values, e);
        if (v > 1)
            return tsr_fail_at(err, TSR_RANGE, lines->path, 0, 0,
                               "the file says GraphBLAS type bool, but a value is %" PRIu64, v);
        *ones = *ones && v == 1;
    }
    return TSR_OK;
}

/* What follows the header of a file of coordinates. *own: see parse_type. */
static void set_entries(tsr_entries *entries, tsr_read_options *own, const mtx_header *h,
                        const tsr_read_options *options)
{
    bool integers;
    const tsr_type type = parse_type(own, &integers, h, options);
    *entries = (tsr_entries){.columns = {.order = h->order,
                                         .base = options->index_base < 0 ? 0 : 1,
                                         .has_dims = true,
                                         .type = type,
                                         .integers = integers,
                                         .ignore_extra = h->type == TSR_PATTERN,
                                         .comments = mtx_comment_chars,
                                         .structure = h->structure},
                             .has_nnz = true,
                             .nnz = h->nnz};
    memcpy(entries->columns.dims, h->dims, sizeof h->dims);
}

static void warn_entries(uint64_t nextra, uint64_t nmirrored, uint64_t nnz, const tsr_lines *lines,
                         const tsr_read_options *options)
{
    if (nextra)
        tsr_warn(options->observer, lines->path, 0,
                 "the field is pattern, so the values of %" PRIu64 " entries are ignored", nextra);
    if (nmirrored)
        tsr_warn(options->observer, lines->path, 0,
                 "%" PRIu64 " of %" PRIu64
                 " entries of a symmetric matrix are above the diagonal: they are taken "
                 "as their mirror images below it",
                 nmirrored, nnz);
}

/* Whether the values of a bool tensor are bytes, which become a pattern if all of them are 1. */
static bool has_bytes(const mtx_header *h, const tsr_read_options *options)
{
    return h->is_bool && !options->has_type && h->type != TSR_PATTERN;
}

static tsr_status read_coordinates(tsr_data *out, const mtx_header *h, tsr_lines *lines,
                                   const tsr_read_options *options, tsr_error *err)
{
    tsr_read_options own;
    tsr_entries entries;
    bool ones = false;
    set_entries(&entries, &own, h, options);
    TSR_TRY(tsr_entries_read(&entries, lines, options, err));
    warn_entries(entries.nextra, entries.nmirrored, entries.nnz, lines, options);
    TSR_TRY(tsr_entries_to_coo(&out->coo, &entries, err));
    if (own.has_type)
        TSR_TRY(tsr_coo_retype(out->coo, own.type, err));
    if (!has_bytes(h, options))
        return TSR_OK;
    TSR_TRY(check_bool(&ones, &out->coo->values, lines, err));
    return ones ? tsr_coo_retype(out->coo, TSR_PATTERN, err) : TSR_OK;
}

static tsr_status warn_pieces(const tsr_text_pieces *pieces, const tsr_text_totals *totals, tsr_error *err)
{
    (void)err;
    warn_entries(totals->nextra, totals->nmirrored, totals->nnz, &pieces->lines, &pieces->options);
    return TSR_OK;
}

/* Replace the values of a lower triangle, by columns, by those of the whole n x n matrix, column-major. */
static tsr_status expand_array(tsr_array *values, const mtx_header *h, tsr_type type, tsr_error *err)
{
    const uint64_t n = h->dims[0];
    const size_t size = values->width;
    const bool skew = h->structure == TSR_SKEW_LOWER;
    tsr_array whole;
    TSR_TRY(tsr_array_init(&whole, n * n, size, 1, "the values of a symmetric array", err));
    const char *v = values->data;
    tsr_status status = TSR_OK;
    for (uint64_t j = 0; j < n && status == TSR_OK; j++)
        for (uint64_t i = skew ? j + 1 : j; i < n; i++, v += size) {
            char *const lower = (char *)whole.data + (j * n + i) * size;
            char *const upper = (char *)whole.data + (i * n + j) * size;
            memcpy(upper, v, size);
            if (h->structure == TSR_HERMITIAN_LOWER)
                tsr_value_conjugate(type, upper);
            if (skew && !tsr_value_negate(type, upper)) {
                status = tsr_fail(err, TSR_RANGE, "a value of a skew-symmetric array cannot be negated");
                break;
            }
            memcpy(lower, v, size); /* last, since on the diagonal both are the same element, and the value
                                     * must stay unchanged */
        }
    tsr_array_clear(status == TSR_OK ? values : &whole);
    if (status == TSR_OK)
        *values = whole;
    return status;
}

/* *out: the lower triangle of a symmetric array as coordinates. The values are moved. */
static tsr_status keep_triangle(tsr_coo **out, const mtx_header *h, tsr_type type, tsr_array *values,
                                tsr_error *err)
{
    const uint64_t n = h->dims[0];
    const bool skew = h->structure == TSR_SKEW_LOWER;
    TSR_TRY(tsr_coo_new_sized(out, (tsr_shape){2, h->dims}, type, false, values->n, err));
    tsr_coo *const coo = *out;
    uint64_t e = 0;
    for (uint64_t j = 0; j < n; j++)
        for (uint64_t i = skew ? j + 1 : j; i < n; i++, e++) {
            tsr_array_set(&coo->crd[0], e, i);
            tsr_array_set(&coo->crd[1], e, j);
        }
    tsr_array_clear(&coo->values);
    coo->values = *values;
    *values = (tsr_array){0};
    coo->nnz = e;
    coo->structure = h->structure;
    return TSR_OK;
}

/* The dense format whose values are column-major. */
static tsr_status by_columns(tsr_format **out, int order, tsr_error *err)
{
    int modes[TSR_MAX_ORDER];
    for (int l = 0; l < order; l++)
        modes[l] = order - 1 - l;
    return tsr_format_dense(out, order, modes, err);
}

/* *out: a tensor of dense levels with these values, which are moved. */
static tsr_status make_dense(tsr_tensor **out, const mtx_header *h, tsr_type type, tsr_array *values,
                             tsr_error *err)
{
    tsr_format *format;
    TSR_TRY(by_columns(&format, h->order, err));
    const tsr_status status = tsr_tensor_new(out, format, h->dims, type, err);
    tsr_format_free(format);
    TSR_TRY(status);
    tsr_tensor *const t = *out;
    uint64_t npos = 1;
    for (int l = 0; l < t->nlevels; l++) {
        t->levels[l].nparents = npos;
        npos *= t->levels[l].size; /* does not overflow: see count_array */
        t->levels[l].npos = npos;
    }
    t->npos = npos;
    t->values = tsr_array_take(values);
    return TSR_OK;
}

static tsr_status read_array(tsr_data *out, const mtx_header *h, tsr_lines *lines,
                             const tsr_read_options *options, tsr_error *err)
{
    tsr_read_options own;
    bool integers, ones;
    const tsr_type parsed = parse_type(&own, &integers, h, options);
    tsr_entries entries = {
        .columns = {.has_dims = true, .type = parsed, .integers = integers, .comments = mtx_comment_chars},
        .has_nnz = true,
        .nnz = h->nnz};
    TSR_TRY(tsr_entries_read(&entries, lines, options, err));
    tsr_type type = entries.type;
    tsr_status status = TSR_OK;
    const bool keeps = options->keep_triangle && h->structure != TSR_GENERAL;
    if (h->structure != TSR_GENERAL && !keeps)
        status = expand_array(&entries.values, h, type, err);
    if (status == TSR_OK && own.has_type)
        status = tsr_values_retype(&entries.values, own.type, type, err);
    if (status == TSR_OK && own.has_type)
        type = own.type;
    if (status == TSR_OK && h->is_bool && !options->has_type)
        status = check_bool(&ones, &entries.values, lines, err);
    if (status == TSR_OK)
        status = keeps ? keep_triangle(&out->coo, h, type, &entries.values, err)
                       : make_dense(&out->tensor, h, type, &entries.values, err);
    tsr_entries_clear(&entries);
    return status;
}

/* Read what follows the header. */
static tsr_status read_rest(tsr_data *out, const mtx_header *h, tsr_lines *lines,
                            const tsr_read_options *options, tsr_error *err)
{
    return h->array ? read_array(out, h, lines, options, err) : read_coordinates(out, h, lines, options, err);
}

static tsr_status mtx_read(tsr_data *out, const char *path, const tsr_read_options *options, tsr_error *err)
{
    tsr_lines lines;
    mtx_header h;
    tsr_status status;
    TSR_TRY(tsr_lines_open(&lines, path, options, err));
    TSR_TRY_OUT(mtx_read_header(&h, &lines, options, err));
    status = read_rest(out, &h, &lines, options, err);
out:
    tsr_lines_clear(&lines);
    return status;
}

/* Arrays, and values of which only all together tell the type, are read at once. */
static tsr_status mtx_open(tsr_reader_source *out, tsr_reader_info *info, const char *path,
                           const tsr_read_options *options, tsr_error *err)
{
    tsr_text_pieces *pieces;
    mtx_header h = {0};
    tsr_read_options own;
    TSR_TRY(tsr_text_pieces_new(&pieces, path, options, err));
    tsr_status status = mtx_read_header(&h, &pieces->lines, options, err);
    const bool whole = h.array || has_bytes(&h, options);
    if (status == TSR_OK && whole)
        status = read_rest(&out->whole, &h, &pieces->lines, options, err);
    if (status != TSR_OK)
        tsr_data_clear(&out->whole);
    if (status != TSR_OK || whole) {
        tsr_text_pieces_free(pieces);
        return status;
    }
    set_entries(&pieces->entries, &own, &h, options);
    pieces->has_type = own.has_type;
    pieces->type = own.type;
    pieces->finish = warn_pieces;
    return tsr_text_pieces_open(out, info, pieces, err);
}

static tsr_status finish_stream(const tsr_text_counts *counts, const tsr_text_plan *plan, const char *path,
                                const tsr_read_options *options, tsr_error *err)
{
    const tsr_lines lines = {.path = path};
    (void)plan, (void)err;
    warn_entries(counts->nextra, counts->nmirrored, counts->nentries, &lines, options);
    return TSR_OK;
}

static tsr_status open_stream(tsr_feed **out, tsr_lines *lines, const tsr_read_options *options,
                              tsr_error *err)
{
    mtx_header h;
    tsr_read_options own;
    tsr_entries entries;
    TSR_TRY(mtx_read_header(&h, lines, options, err));
    if (h.array || has_bytes(&h, options))
        return tsr_fail_at(err, TSR_UNSUPPORTED, lines->path, 0, 0, "%s are not read in runs",
                           h.array ? "arrays" : "values of GraphBLAS type bool");
    set_entries(&entries, &own, &h, options);
    const tsr_text_plan plan = {.columns = entries.columns,
                                .has_nnz = true,
                                .nnz = h.nnz,
                                .has_type = own.has_type,
                                .type = own.type,
                                .finish = finish_stream};
    return tsr_text_stream_open(out, lines, &plan, options, err);
}

static tsr_status mtx_feed(tsr_feed **out, const char *path, const tsr_read_options *options, tsr_error *err)
{
    tsr_lines lines;
    *out = NULL;
    TSR_TRY(tsr_lines_open(&lines, path, options, err));
    const tsr_status status = open_stream(out, &lines, options, err);
    tsr_lines_clear(&lines);
    return status;
}

/* The banner and the size line determine everything except the entries. */
static tsr_status mtx_describe(tsr_brief *out, const char *path, const tsr_read_options *options,
                               tsr_error *err)
{
    tsr_lines lines;
    mtx_header h;
    tsr_status status;
    TSR_TRY_OUT(tsr_lines_describe(&lines, out, path, options, err));
    TSR_TRY_OUT(mtx_read_header(&h, &lines, options, err));
    tsr_brief_tensor *const tensor = tsr_brief_add(out, "");
    if (!tensor) {
        status = tsr_fail(err, TSR_NOMEM, "out of memory");
        goto out;
    }
    tensor->order = h.order;
    tensor->has_dims = tensor->has_nnz = true;
    memcpy(tensor->dims, h.dims, sizeof h.dims);
    tensor->nnz = h.nnz;
    tensor->structure = h.structure;
    snprintf(tensor->type, sizeof tensor->type, "%s",
             tsr_type_name(h.has_type && !(h.is_bool && h.type == TSR_PATTERN) ? h.as : h.type));
    if (h.array)
        status = by_columns(&tensor->format, h.order, err);
out:
    tsr_lines_clear(&lines);
    return status;
}

static int mtx_probe(const tsr_probe *probe)
{
    const unsigned char *const head = probe->head;
    const size_t n = probe->n;
    const char *const p = (const char *)head;
    return n > 0 && mtx_skip_banner(p, p + n) ? 100 : 0;
}

static const char *const suffixes[] = {".mtx", ".ttx", ".mm", NULL};

static const tsr_codec_option *const options[] = {&tsr_option_index_base, NULL};

const tsr_codec tsr_codec_mtx = {
    .name = "mtx",
    .summary = "MatrixMarket: matrices, vectors and tensors as coordinates or arrays",
    .suffixes = suffixes,
    .options = options,
    .streams = true,
    .probe = mtx_probe,
    .read = mtx_read,
    .open = mtx_open,
    .feed = mtx_feed,
    .describe = mtx_describe,
    .takes_tensor = mtx_takes_tensor,
    .check = mtx_check,
    .write_coo = mtx_write_coo,
    .write_entries = mtx_write_entries,
    .write_tensor = mtx_write_tensor,
};
