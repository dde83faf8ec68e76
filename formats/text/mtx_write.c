/* Writing MatrixMarket. See mtx.md for the rules. */
#include "mtx_internal.h"

#include <inttypes.h>

#include "text_writer.h"
#include "tsr_num.h"

/* The dense format whose values are column-major: "dd:1,0". */
static const char *column_major(int order)
{
    static const char *const text[TSR_MAX_ORDER + 1] = {
        "",
        "d",
        "dd:1,0",
        "ddd:2,1,0",
        "dddd:3,2,1,0",
        "ddddd:4,3,2,1,0",
        "dddddd:5,4,3,2,1,0",
        "ddddddd:6,5,4,3,2,1,0",
        "dddddddd:7,6,5,4,3,2,1,0",
        "ddddddddd:8,7,6,5,4,3,2,1,0",
        "dddddddddd:9,8,7,6,5,4,3,2,1,0",
        "ddddddddddd:10,9,8,7,6,5,4,3,2,1,0",
        "dddddddddddd:11,10,9,8,7,6,5,4,3,2,1,0",
        "ddddddddddddd:12,11,10,9,8,7,6,5,4,3,2,1,0",
        "dddddddddddddd:13,12,11,10,9,8,7,6,5,4,3,2,1,0",
        "ddddddddddddddd:14,13,12,11,10,9,8,7,6,5,4,3,2,1,0",
        "dddddddddddddddd:15,14,13,12,11,10,9,8,7,6,5,4,3,2,1,0",
    };
    return text[order];
}

/* Banner, comment and size line. words: the last words of the banner. */
static void add_head(tsr_text *head, tsr_shape shape, const char *const words[3], const char *comment)
{
    const int order = shape.ndims;
    tsr_text_addf(head, "%%%%MatrixMarket %s %s %s %s\n",
                  order == 2   ? "matrix"
                  : order == 1 ? "vector"
                               : "tensor",
                  words[0], words[1], words[2]);
    for (const char *line = comment; line;) { /* each line of the comment begins with '%' */
        const size_t n = strcspn(line, "\r\n");
        tsr_text_add(head, "% ");
        tsr_text_add_n(head, line, n);
        tsr_text_add(head, "\n");
        line = line[n] ? line + n + 1 : NULL;
    }
    for (int m = 0; m < order; m++) {
        tsr_text_add(head, m ? " " : "");
        tsr_text_add_u64(head, shape.dims[m]);
    }
}

tsr_status mtx_check(int order, tsr_type type, tsr_error *err)
{
    (void)type;
    return order == 0
               ? tsr_fail(err, TSR_UNSUPPORTED, "MatrixMarket does not support scalars: use tns or HDF5")
               : TSR_OK;
}

/* The symmetry of the banner, and the triangle that is written. */
static tsr_status find_symmetry(const char **symmetry, tsr_structure *lower, tsr_structure structure,
                                tsr_type type, tsr_error *err)
{
    const char type_class = tsr_type_class(type);
    *symmetry = "general";
    *lower = TSR_GENERAL;
    if (structure == TSR_SKEW_LOWER || structure == TSR_SKEW_UPPER) {
        if (type_class == 'P' || type_class == 'U')
            return tsr_fail(err, TSR_UNSUPPORTED, "MatrixMarket does not support skew-symmetric %s matrices",
                            mtx_field_name(type));
        *symmetry = "skew-symmetric";
        *lower = TSR_SKEW_LOWER;
    } else if (structure != TSR_GENERAL) {
        const bool hermitian = structure == TSR_HERMITIAN_LOWER || structure == TSR_HERMITIAN_UPPER;
        *symmetry = hermitian && type_class == 'C' ? "hermitian" : "symmetric";
        *lower = TSR_SYMMETRIC_LOWER;
    }
    return TSR_OK;
}

/* What the file cannot hold is refused; else the symmetry is found. */
static tsr_status start_write(const char **symmetry, tsr_structure *lower, const char *path,
                              const tsr_coo *coo, tsr_error *err)
{
    TSR_TRY(tsr_text_check_fill(coo, "mtx", err));
    tsr_status status = mtx_check(coo->order, coo->type, err);
    if (status == TSR_OK)
        status = find_symmetry(symmetry, lower, coo->structure, coo->type, err);
    if (status != TSR_OK)
        tsr_error_set_path(err, path);
    return status;
}

tsr_status mtx_write_coo(const char *path, const tsr_coo *coo, const tsr_write_options *options,
                         uint64_t *nbytes, tsr_error *err)
{
    static const tsr_write_options defaults = {0};
    options = options ? options : &defaults;
    const char *symmetry;
    tsr_structure lower;
    TSR_TRY(start_write(&symmetry, &lower, path, coo, err));
    tsr_text head = {0};
    add_head(&head, (tsr_shape){coo->order, coo->dims},
             (const char *[]){"coordinate", mtx_field_name(coo->type), symmetry}, options->comment);
    tsr_text_addf(&head, " %" PRIu64 "\n", coo->nnz);
    const tsr_entry_lines lines = {.coo = coo,
                                   .base = options->index_base < 0 ? 0 : 1,
                                   .has_values = tsr_type_class(coo->type) != 'P',
                                   .write = lower};
    const tsr_text_job job = tsr_entry_lines_job(&lines);
    const tsr_status status = tsr_text_write(path, &head, &job, options, nbytes, err);
    tsr_text_clear(&head);
    return status;
}

tsr_status mtx_write_entries(const char *path, tsr_feed *feed, const tsr_write_options *options,
                             uint64_t *nbytes, tsr_error *err)
{
    const tsr_facts *const facts = &feed->facts;
    tsr_coo like = {.order = facts->order,
                    .type = facts->type,
                    .structure = facts->structure,
                    .has_fill = facts->has_fill};
    tsr_entry_counts counts = {.nentries = facts->nnz};
    const char *symmetry;
    tsr_structure lower;
    memcpy(like.fill, facts->fill, sizeof like.fill);
    TSR_TRY(start_write(&symmetry, &lower, path, &like, err));
    if (!facts->has_nnz)
        TSR_TRY(tsr_entry_count(&counts, feed, err));
    tsr_text head = {0};
    const char *const words[3] = {"coordinate", mtx_field_name(facts->type), symmetry};
    add_head(&head, (tsr_shape){.ndims = facts->order, .dims = facts->dims}, words, options->comment);
    tsr_text_addf(&head, " %" PRIu64 "\n", counts.nentries);
    const tsr_entry_lines lines = {.head = &head,
                                   .base = options->index_base < 0 ? 0 : 1,
                                   .has_values = tsr_type_class(facts->type) != 'P',
                                   .write = lower};
    const tsr_status status = tsr_text_write_entries(path, feed, &lines, options, nbytes, err);
    tsr_text_clear(&head);
    return status;
}

/* Dense tensors with column-major values are written as arrays. */
bool mtx_takes_tensor(const tsr_tensor *tensor, const char **instead)
{
    int perm[TSR_MAX_LEVELS];
    *instead = NULL;
    if (tensor->order == 0 || tensor->type == TSR_PATTERN || tensor->structure != TSR_GENERAL ||
        !tsr_format_is_dense(tensor->format) || !tsr_format_is_permutation(tensor->format, perm))
        return false;
    bool reversed = true;
    for (int l = 0; l < tensor->order; l++)
        reversed = reversed && perm[l] == tensor->order - 1 - l;
    reversed = reversed && !tsr_format_has_pitch(tensor->format);
    if (!reversed)
        *instead = column_major(tensor->order);
    return reversed;
}

static tsr_status format_values(size_t *nbytes, char *buf, const void *ctx, uint64_t first, uint64_t n,
                                tsr_error *err)
{
    (void)err;
    const tsr_tensor *const t = ctx;
    const size_t step = t->iso ? 0 : t->values.width;
    const char *v = (const char *)t->values.data + first * step;
    char *p = buf;
    for (uint64_t i = 0; i < n; i++, v += step) {
        p += tsr_value_print(p, t->type, v);
        *p++ = '\n';
    }
    *nbytes = (size_t)(p - buf);
    return TSR_OK;
}

tsr_status mtx_write_tensor(const char *path, const tsr_tensor *tensor, const tsr_write_options *options,
                            uint64_t *nbytes, tsr_error *err)
{
    static const tsr_write_options defaults = {0};
    options = options ? options : &defaults;
    const char *instead;
    if (!mtx_takes_tensor(tensor, &instead))
        return tsr_fail_at(err, TSR_ARGUMENT, path, 0, 0,
                           "MatrixMarket arrays are dense and column-major: %s",
                           instead ? instead : "this tensor must be written as coordinates");
    tsr_text head = {0};
    add_head(&head, (tsr_shape){tensor->order, tensor->dims},
             (const char *[]){"array", mtx_field_name(tensor->type), "general"}, options->comment);
    tsr_text_add(&head, "\n");
    const tsr_text_job job = {
        .n = tensor->npos, .max_nbytes = TSR_VALUE_TEXT_NBYTES + 1, .ctx = tensor, .format = format_values};
    const tsr_status status = tsr_text_write(path, &head, &job, options, nbytes, err);
    tsr_text_clear(&head);
    return status;
}
