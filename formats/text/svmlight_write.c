/* Writing svmlight: a row a line, the label 0 and "index:value" for each entry. See texts.md. */
#include "held_arrays.h"
#include "svmlight_write.h"

#include "text_writer.h"
#include "tsr_num.h"

/* The text is a sequence of items of bounded length: row r begins at item pos[r] + r with the label, then its entries follow. The
 * line of the row before ends with it, and that of the last row with one more item. */
typedef struct writing {
    const tsr_tensor *tensor;
    uint64_t nrows, base;
} writing;

static uint64_t begin_of(const writing *w, uint64_t row)
{
    return tsr_array_get(&w->tensor->levels[1].pos, row) + row;
}

/* The row that item i belongs to. */
static uint64_t row_of(const writing *w, uint64_t i)
{
    uint64_t low = 0, high = w->nrows; /* begin_of(low) <= i < begin_of(high), or high is the end */
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (begin_of(w, middle) <= i)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static char *add_entry(char *to, const writing *w, uint64_t e)
{
    const tsr_tensor *const t = w->tensor;
    const char *const values = t->values.data;
    *to++ = ' ';
    to += tsr_print_u64(to, tsr_array_get(&t->levels[1].crd, e) + w->base);
    *to++ = ':';
    if (t->type != TSR_PATTERN)
        return to + tsr_value_print(to, t->type, values + (t->iso ? 0 : e * t->values.width));
    *to++ = '1';
    return to;
}

static tsr_status format_items(size_t *nbytes, char *buf, const void *ctx, uint64_t first, uint64_t n,
                               tsr_error *err)
{
    const writing *const w = ctx;
    char *to = buf;
    uint64_t row = row_of(w, first);
    (void)err;
    for (uint64_t i = first; i < first + n; i++) {
        if (row + 1 <= w->nrows && i >= begin_of(w, row + 1))
            row++;
        if (i != begin_of(w, row)) {
            to = add_entry(to, w, i - row - 1);
            continue;
        }
        if (row > 0)
            *to++ = '\n';
        if (row < w->nrows)
            *to++ = '0';
    }
    *nbytes = (size_t)(to - buf);
    return TSR_OK;
}

bool tsr_svmlight_takes_tensor(const tsr_tensor *tensor, const char **instead)
{
    int perm[TSR_MAX_LEVELS], ndense;
    const tsr_format *const f = tensor->format;
    *instead = "csr";
    return tensor->order == 2 && !tensor->has_fill && tensor->structure == TSR_GENERAL &&
           tsr_format_is_permutation(f, perm) && !tsr_format_has_pitch(f) && perm[0] == 0 &&
           tsr_format_is_nested(f, &ndense) && ndense == 1;
}

tsr_status tsr_svmlight_check(int order, tsr_type type, tsr_error *err)
{
    if (order != 2)
        return tsr_fail(
            err, TSR_UNSUPPORTED,
            "cannot write a tensor of %d modes to svmlight, which has matrices: make a matrix with "
            "--unfold",
            order);
    return tsr_type_class(type) == 'C' ? tsr_fail(err, TSR_UNSUPPORTED, "svmlight has no complex values")
                                       : TSR_OK;
}

tsr_status tsr_svmlight_write(const char *path, const tsr_tensor *tensor, const tsr_write_options *options,
                              uint64_t *nbytes, tsr_error *err)
{
    enum { MOST_NBYTES = 4 + TSR_U64_NBYTES + TSR_VALUE_TEXT_NBYTES };
    static const tsr_write_options none;
    const tsr_text head = {0};
    const char *instead;
    options = options ? options : &none;
    if (tensor->has_fill || !tsr_svmlight_takes_tensor(tensor, &instead))
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "cannot write this tensor to svmlight: csr without a fill value is supported");
    TSR_TRY(tsr_check_exact(NULL, &tensor->values, tensor->type, "svmlight has", err));
    const writing w = {.tensor = tensor, .nrows = tensor->dims[0], .base = options->index_base < 0 ? 0 : 1};
    const tsr_text_job job = {.n = w.nrows ? begin_of(&w, w.nrows) + 1 : 0,
                              .max_nbytes = MOST_NBYTES,
                              .ctx = &w,
                              .format = format_items};
    if (w.nrows > 0)
        tsr_warn(options->observer, path, 0,
                 "svmlight needs a label in each row: 0 is written, and indices count from %d", (int)w.base);
    return tsr_text_write(path, &head, &job, options, nbytes, err);
}
