/* Tables of offsets: one line, or the grid of the TLA document. */
#include "tla_internal.h"

/* Append the offset at a coordinate, right-aligned in `width`; `.` for padding. */
static void add_cell(tsr_text *text, const tsr_tla *layout, const int64_t *coord, int width)
{
    for (int m = 0; m < tsr_tla_rank(layout); m++)
        if (coord[m] >= tsr_tla_dim(layout, m)) {
            tsr_text_addf(text, "%*s", width, ".");
            return;
        }
    tsr_text_addf(text, "%*lld", width, (long long)tsr_tla_offset_at(layout, coord));
}

static tsr_status check_cells(const tsr_tla *layout, tsr_error *err)
{
    const int64_t size = tsr_tla_size(layout);
    if (size > TSR_TLA_TABLE_MAX)
        return tsr_fail(err, TSR_LIMIT, "a table has at most %d cells, not %lld", TSR_TLA_TABLE_MAX,
                        (long long)size);
    return TSR_OK;
}

tsr_status tsr_tla_print_1d(tsr_text *text, const tsr_tla *layout, tsr_error *err)
{
    const int rank = tsr_tla_rank(layout);
    TSR_TRY(check_cells(layout, err));
    const int64_t size = tsr_tla_size(layout);
    int64_t coord[TSR_TLA_MAX_LEAVES];
    for (int64_t i = 0; i < size; i++) {
        int64_t rest = i;
        for (int m = 0; m < rank; m++) {
            const int64_t n = tsr_tuple_size_of(tsr_tuple_at(layout->shape, m));
            coord[m] = rest % n;
            rest /= n;
        }
        tsr_text_add(text, i > 0 ? " " : "");
        add_cell(text, layout, coord, 1);
    }
    return tsr_text_status(text, err);
}

static int count_digits(int64_t v)
{
    int n = 1;
    for (; v >= 10; v /= 10)
        n++;
    return n;
}

static void add_rule(tsr_text *text, int64_t ncols, int label_width, int width)
{
    tsr_text_addf(text, "%*s", label_width + 2, "");
    for (int64_t j = 0; j < ncols; j++) {
        tsr_text_add(text, "+");
        for (int i = 0; i < width + 2; i++)
            tsr_text_add(text, "-");
    }
    tsr_text_add(text, "+\n");
}

tsr_status tsr_tla_print_2d(tsr_text *text, const tsr_tla *layout, tsr_error *err)
{
    const int rank = tsr_tla_rank(layout);
    TSR_TRY(check_cells(layout, err));
    if (rank < 1 || rank > 2)
        return tsr_fail(err, TSR_ARGUMENT,
                        "only a layout of rank 1 or 2 can be printed as a table, not one of rank %d", rank);
    const int64_t nrows = rank == 1 ? 1 : tsr_tuple_size_of(tsr_tuple_at(layout->shape, 0));
    const int64_t ncols = tsr_tuple_size_of(tsr_tuple_at(layout->shape, rank - 1));
    const int column = count_digits(ncols - 1), row = count_digits(nrows - 1);
    const int cell = count_digits(tsr_tla_cosize(layout)), width = cell > column ? cell : column;
    const int label_width = row > 2 ? row : 2;
    tsr_text_addf(text, "%*s", label_width + 2, "");
    for (int64_t j = 0; j < ncols; j++)
        tsr_text_addf(text, "  %*lld ", width, (long long)j);
    tsr_text_add(text, "\n");
    for (int64_t i = 0; i < nrows; i++) {
        add_rule(text, ncols, label_width, width);
        tsr_text_addf(text, "%*lld  ", label_width, (long long)i);
        for (int64_t j = 0; j < ncols; j++) {
            const int64_t coord[2] = {rank == 1 ? j : i, j};
            tsr_text_add(text, "| ");
            add_cell(text, layout, coord, width);
            tsr_text_add(text, " ");
        }
        tsr_text_add(text, "|\n");
    }
    add_rule(text, ncols, label_width, width);
    return tsr_text_status(text, err);
}
