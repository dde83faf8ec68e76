/* The picture of a tiled array as text: the slot of each element, and the borders of the tiles. */
#include "xla_internal.h"

#include <string.h>

#include "tsr_alloc.h"
#include "tsr_checked.h"

tsr_status tsr_xla_padded_dims(int64_t *padded, const tsr_xla *xla, tsr_error *err)
{
    xla_dims dims;
    xla_cut cut;
    TSR_TRY(xla_need_offsets(xla, err));
    memcpy(padded, xla->dims, (size_t)xla->rank * sizeof *padded);
    if (xla->ntiles == 0)
        return TSR_OK;
    xla_physical_dims(&dims, xla);
    xla_cut_of(&cut, dims.n, &xla->tiles[0]);
    for (int g = 0; g < cut.ngroups; g++) {
        const int i = cut.first[g] - cut.front;
        if (i < 0 || cut.first[g + 1] != cut.first[g] + 1)
            continue;
        const int64_t n = dims.size[i], t = cut.t[g];
        if (!tsr_mul_i64(&padded[xla->order[xla->rank - 1 - i]], n / t + (n % t != 0), t))
            return tsr_fail(err, TSR_LIMIT, "a padded dim has more than 2^63-1 elements");
    }
    return TSR_OK;
}

tsr_status tsr_xla_tile_index(int64_t *index, const tsr_xla *xla, int k, const int64_t *coords,
                              tsr_error *err)
{
    int64_t at[TSR_XLA_MAX_EXPANDED], padded[TSR_XLA_MAX_RANK];
    xla_dims dims, before;
    xla_cut cut;
    *index = 0;
    TSR_TRY(tsr_xla_padded_dims(padded, xla, err));
    if (k < 0 || k >= xla->ntiles)
        return tsr_fail(err, TSR_RANGE, "tile %d does not exist: the layout has %d tiles", k, xla->ntiles);
    for (int d = 0; d < xla->rank; d++)
        if (coords[d] < 0 || coords[d] >= padded[d])
            return tsr_fail(err, TSR_RANGE, "coordinate %lld of dim %d is outside [0, %lld)",
                            (long long)coords[d], d, (long long)padded[d]);
    xla_physical_dims(&dims, xla);
    for (int i = 0; i < xla->rank; i++)
        at[i] = coords[xla->order[xla->rank - 1 - i]];
    for (int j = 0; j <= k; j++) {
        before = dims;
        xla_tile_coords(at, &before, &xla->tiles[j]);
        TSR_TRY(xla_tile_dims(&dims, &xla->tiles[j], err));
    }
    xla_cut_of(&cut, before.n, &xla->tiles[k]);
    for (int i = 0; i < cut.kept + cut.ngroups; i++)
        *index = *index * dims.size[i] + at[i];
    return TSR_OK;
}

/* The border between two elements: 1 if they are in different first tiles, 2 if only in different later
 * tiles, 0 for no border. Both are inside the padded dims. */
static int border(const tsr_xla *xla, const int64_t *a, const int64_t *b)
{
    for (int k = 0; k < xla->ntiles; k++) {
        int64_t ta, tb;
        if (tsr_xla_tile_index(&ta, xla, k, a, NULL) == TSR_OK &&
            tsr_xla_tile_index(&tb, xla, k, b, NULL) == TSR_OK && ta != tb)
            return k == 0 ? 1 : 2;
    }
    return 0;
}

/* One table: the plane of the last two dims (or the row of the only dim, or the only element). */
typedef struct plane {
    const tsr_xla *xla;
    int64_t coords[TSR_XLA_MAX_RANK]; /* coordinates in the leading dims */
    int64_t nrows, ncols;
    int width;  /* width of a cell */
    char *gaps; /* ncols flags: whether some row has a border before the column */
} plane;

static void place(int64_t *coords, const plane *p, int64_t row, int64_t col)
{
    memcpy(coords, p->coords, sizeof p->coords);
    if (p->xla->rank >= 2)
        coords[p->xla->rank - 2] = row;
    if (p->xla->rank >= 1)
        coords[p->xla->rank - 1] = col;
}

static int border_before_col(const plane *p, int64_t row, int64_t col)
{
    int64_t a[TSR_XLA_MAX_RANK], b[TSR_XLA_MAX_RANK];
    place(a, p, row, col - 1);
    place(b, p, row, col);
    return border(p->xla, a, b);
}

static int border_before_row(const plane *p, int64_t row, int64_t col)
{
    int64_t a[TSR_XLA_MAX_RANK], b[TSR_XLA_MAX_RANK];
    place(a, p, row - 1, col);
    place(b, p, row, col);
    return border(p->xla, a, b);
}

static void print_cell(tsr_text *text, const plane *p, int64_t row, int64_t col)
{
    int64_t coords[TSR_XLA_MAX_RANK], slot;
    place(coords, p, row, col);
    if (tsr_xla_linear(&slot, p->xla, coords, NULL) == TSR_OK)
        tsr_text_addf(text, "%*lld", p->width, (long long)slot);
    else
        tsr_text_addf(text, "%*s", p->width, ".");
}

static void print_row(tsr_text *text, const plane *p, int64_t row)
{
    static const char *const bars[] = {"   ", " | ", " : "};
    for (int64_t col = 0; col < p->ncols; col++) {
        if (col > 0)
            tsr_text_add(text, p->gaps[col] ? bars[border_before_col(p, row, col)] : " ");
        print_cell(text, p, row, col);
    }
    tsr_text_add(text, "\n");
}

static void add_chars(tsr_text *text, char c, int n)
{
    for (int i = 0; i < n; i++)
        tsr_text_add_n(text, &c, 1);
}

/* Print the line above a row, if a tile begins there in some column. */
static void print_rule(tsr_text *text, const plane *p, int64_t row)
{
    static const char line[] = {' ', '-', '.'};
    bool any = false;
    for (int64_t col = 0; col < p->ncols && !any; col++)
        any = border_before_row(p, row, col) != 0;
    for (int64_t col = 0; col < p->ncols && any; col++) {
        const char c = line[border_before_row(p, row, col)];
        if (col > 0 && p->gaps[col]) {
            const int beside = border_before_col(p, row, col);
            tsr_text_addf(text, "%c%c%c", c, beside == 1 ? '+' : c, c);
        } else if (col > 0) {
            add_chars(text, c, 1);
        }
        add_chars(text, c, p->width);
    }
    tsr_text_add(text, any ? "\n" : "");
}

static void print_plane(tsr_text *text, plane *p)
{
    for (int64_t col = 1; col < p->ncols; col++) {
        p->gaps[col] = 0;
        for (int64_t row = 0; row < p->nrows && !p->gaps[col]; row++)
            p->gaps[col] = border_before_col(p, row, col) != 0;
    }
    for (int64_t row = 0; row < p->nrows && !text->failed; row++) {
        if (row > 0)
            print_rule(text, p, row);
        print_row(text, p, row);
    }
}

/* Print "d0 = 1, d1 = 0" above the table of an index of the leading dims. */
static void print_heading(tsr_text *text, const plane *p, bool first)
{
    if (p->xla->rank <= 2)
        return;
    tsr_text_add(text, first ? "" : "\n");
    for (int d = 0; d < p->xla->rank - 2; d++)
        tsr_text_addf(text, d > 0 ? ", d%d = %lld" : "d%d = %lld", d, (long long)p->coords[d]);
    tsr_text_add(text, "\n");
}

/* Go to the next index of the leading dims; false after the last. */
static bool next_plane(plane *p)
{
    for (int d = p->xla->rank - 3; d >= 0; d--) {
        if (++p->coords[d] < p->xla->dims[d])
            return true;
        p->coords[d] = 0;
    }
    return false;
}

/* The number of cells of all tables, or more than TSR_XLA_MAX_CELLS. */
static int64_t count_cells(const plane *p)
{
    int64_t n;
    if (p->xla->nelems == 0)
        return 0;
    if (!tsr_mul_i64(&n, p->nrows, p->ncols))
        return INT64_MAX;
    for (int d = 0; d < p->xla->rank - 2; d++)
        if (!tsr_mul_i64(&n, n, p->xla->dims[d]))
            return INT64_MAX;
    return n;
}

tsr_status tsr_xla_table(tsr_text *text, const tsr_xla *xla, tsr_error *err)
{
    plane p = {.xla = xla, .nrows = 1, .ncols = 1};
    int64_t padded[TSR_XLA_MAX_RANK];
    TSR_TRY(tsr_xla_padded_dims(padded, xla, err));
    if (xla->rank >= 2)
        p.nrows = padded[xla->rank - 2];
    if (xla->rank >= 1)
        p.ncols = padded[xla->rank - 1];
    const int64_t ncells = count_cells(&p);
    if (ncells > TSR_XLA_MAX_CELLS)
        return tsr_fail(err, TSR_LIMIT, "a table has at most %d cells", TSR_XLA_MAX_CELLS);
    if (ncells == 0)
        return TSR_OK;
    void *gaps;
    TSR_TRY(tsr_alloc_array(&gaps, (uint64_t)p.ncols, 1, 1, "the columns of a table", err));
    p.gaps = gaps;
    for (int64_t n = xla->nslots - 1; n > 0 || p.width == 0; n /= 10)
        p.width++;
    bool first = true;
    do {
        print_heading(text, &p, first);
        first = false;
        print_plane(text, &p);
    } while (!text->failed && next_plane(&p));
    tsr_free(gaps);
    return tsr_text_status(text, err);
}
