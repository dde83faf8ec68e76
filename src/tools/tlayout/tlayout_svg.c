/* The picture of a layout: the array as the XLA and TLA documents draw it, tiles in colours, the offset in
 * each cell, padding white; beside it the memory, a row for each tile, with the element in each slot; below, a legend. And the
 * picture of a thread-value layout. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "signals.h"
#include "tlayout.h"
#include "tsr_alloc.h"
#include "tsr_num.h"
#include "tsr_output.h"

/* A wider picture is scaled down; texts keep their size, those of cells are left out, and one of several lines has its number. */
enum { MAX_WIDTH = 2000 };
enum { MAX_CELLS = 1 << 14, CELL = 36, GAP = 48, MARGIN = 28, HEAD = 40, LEGEND = 26, NCOLOURS = 8 };

/* Light colours, different for neighbouring tiles. */
static const char *const colours[NCOLOURS] = {"#9ecae1", "#fdd0a2", "#a1d99b", "#dadaeb",
                                              "#fcbba1", "#c7e9c0", "#fee391", "#bdd7e7"};

typedef struct picture {
    const tsr_layout *layout;
    tsr_text *svg;
    int64_t padded[TSR_MAP_MAX_VARS]; /* dims in whole tiles */
    int64_t block[TSR_MAP_MAX_VARS];  /* TLA: a mode's digits but the last */
    /* the part that is drawn: the coordinates [from[d], to[d]) of the padded array */
    int64_t from[TSR_MAP_MAX_VARS], to[TSR_MAP_MAX_VARS];
    bool part;                     /* not the whole array */
    int64_t nplanes, nrows, ncols; /* of the part: a plane for each index of the leading dims */
    int64_t row_slots;             /* slots in a row of the memory */
    int64_t *rows, nrows_memory;   /* the rows of the memory that are drawn, ascending */
    double unit;                   /* 1; in a picture that is scaled down, what has the size of 1 then */
} picture;

/* ---- positions ---- */

static tsr_status measure_tiles(picture *p, tsr_error *err)
{
    const tsr_layout *const l = p->layout;
    for (int d = 0; d < l->rank; d++) {
        p->padded[d] = l->dims[d];
        p->block[d] = l->dims[d] > 0 ? l->dims[d] : 1;
    }
    if (l->kind == TSR_LAYOUT_XLA)
        return tsr_xla_padded_dims(p->padded, l->xla, err);
    if (l->kind != TSR_LAYOUT_TLA)
        return TSR_OK;
    for (int m = 0; m < l->rank; m++) {
        const tsr_tuple *const shape =
            l->tla.shape->kind == TSR_TUPLE_LIST ? l->tla.shape->x[m] : l->tla.shape;
        TSR_TRY(tsr_tuple_size(&p->padded[m], shape, err));
        if (shape->kind == TSR_TUPLE_LIST && shape->n > 1) {
            int64_t last;
            TSR_TRY(tsr_tuple_size(&last, shape->x[shape->n - 1], err));
            p->block[m] = p->padded[m] / last;
        } else {
            p->block[m] = p->padded[m];
        }
    }
    return TSR_OK;
}

/* Number of the tile that holds a place, for its colour. */
static int64_t tile_of(const picture *p, const int64_t *coord)
{
    const tsr_layout *const l = p->layout;
    int64_t tile = 0;
    if (l->kind == TSR_LAYOUT_XLA) {
        if (l->xla->ntiles > 0 && tsr_xla_tile_index(&tile, l->xla, 0, coord, NULL) == TSR_OK)
            return tile;
        return 0;
    }
    for (int d = 0; d < l->rank; d++)
        tile = tile * ((p->padded[d] + p->block[d] - 1) / p->block[d]) + coord[d] / p->block[d];
    return tile;
}

static const char *colour_of(const picture *p, const int64_t *coord)
{
    int64_t tile = tile_of(p, coord), offset;
    if (p->layout->kind == TSR_LAYOUT_SWIZZLED &&
        tsr_layout_offset(&offset, p->layout, coord, NULL) == TSR_OK)
        return colours[offset % p->row_slots % NCOLOURS];
    return colours[(tile + 3 * (tile / NCOLOURS)) %
                   NCOLOURS]; /* so that rows of 8 tiles do not make stripes */
}

/* Whether two places are in different tiles of a level after the first. */
static bool in_other_subtile(const picture *p, const int64_t *a, const int64_t *b)
{
    const tsr_layout *const l = p->layout;
    if (l->kind != TSR_LAYOUT_XLA)
        return false;
    for (int k = 1; k < l->xla->ntiles; k++) {
        int64_t ta, tb;
        if (tsr_xla_tile_index(&ta, l->xla, k, a, NULL) == TSR_OK &&
            tsr_xla_tile_index(&tb, l->xla, k, b, NULL) == TSR_OK && ta != tb)
            return true;
    }
    return false;
}

static void place(int64_t *coord, const picture *p, int64_t plane, int64_t row, int64_t col)
{
    const int rank = p->layout->rank;
    if (rank >= 1)
        coord[rank - 1] = p->from[rank - 1] + col;
    if (rank >= 2)
        coord[rank - 2] = p->from[rank - 2] + row;
    for (int d = rank - 3; d >= 0; d--) {
        coord[d] = p->from[d] + plane % (p->to[d] - p->from[d]);
        plane /= p->to[d] - p->from[d];
    }
}

/* n * x, at most MAX_CELLS: an array without elements may have dims and tiles of any size. */
static int64_t times(int64_t n, int64_t x)
{
    return x <= 1 ? n : n > MAX_CELLS / x ? MAX_CELLS : n * x;
}

/* Whether the array is scaled down, with the memory below it. */
static bool is_wide(const picture *p)
{
    return p->ncols * CELL > MAX_WIDTH;
}

/* The slots of one row of the memory: those of one tile, or the last dim if there are no tiles. */
static int64_t slots_of_row(const picture *p)
{
    const tsr_layout *const l = p->layout;
    int64_t n = 1;
    if (l->kind == TSR_LAYOUT_XLA && l->xla->ntiles > 0) {
        for (int i = 0; i < l->xla->tiles[0].rank; i++)
            n = times(n, l->xla->tiles[0].t[i]);
    } else if (l->kind == TSR_LAYOUT_XLA && l->rank > 0) {
        n = l->dims[l->xla->order[0]];
    } else {
        for (int d = 0; d < l->rank; d++)
            n = times(n, p->block[d]);
        if (n >= l->span)
            n = p->ncols;
    }
    const int64_t most = is_wide(p) ? p->ncols : 32;
    return n < 1 ? 1 : n > most ? most : n;
}

/* What the colours and lines of this picture mean. */
static void add_legend(tsr_text *text, const picture *p, bool has_memory)
{
    const tsr_layout *const l = p->layout;
    const bool xla = l->kind == TSR_LAYOUT_XLA, tiled = !xla || l->xla->ntiles > 0;
    tsr_text_add(text, !has_memory  ? "offsets"
                       : is_wide(p) ? "above: the array; below: the memory"
                                    : "left: offsets; right: the memory, by elements");
    if (l->kind == TSR_LAYOUT_SWIZZLED)
        tsr_text_addf(text, "; colour: offset mod %lld", (long long)p->row_slots);
    else if (tiled && p->nplanes * p->nrows * p->ncols > 1)
        tsr_text_add(text, "; colours, thick lines: tiles");
    if (xla && l->xla->ntiles > 1)
        tsr_text_add(text, "; red: tiles within tiles");
    if (xla)
        tsr_text_add(text, "; white: padding");
}

/* Set the part: the whole, or that of the text FIRST:END,... with a range for each dim. */
static tsr_status choose_part(picture *p, const char *text, tsr_error *err)
{
    const int rank = p->layout->rank;
    const char *at = text;
    memcpy(p->to, p->padded, sizeof p->to);
    p->part = text != NULL;
    for (int d = 0; text && d < rank; d++) {
        const char *const end = at + strlen(at);
        at = tsr_parse_i64(&p->from[d], at, end);
        at = at && *at == ':' ? tsr_parse_i64(&p->to[d], at + 1, end) : NULL;
        if (!at || *at != (d + 1 < rank ? ',' : '\0'))
            return tsr_fail(err, TSR_ARGUMENT,
                            "--cells: '%s' is not a range for each of the %d dims, such as 0:8,0:16", text,
                            rank);
        if (p->from[d] < 0 || p->from[d] >= p->to[d] || p->to[d] > p->padded[d])
            return tsr_fail(err, TSR_ARGUMENT, "--cells: %lld:%lld is not a part of dim %d, which is 0:%lld",
                            (long long)p->from[d], (long long)p->to[d], d, (long long)p->padded[d]);
        at++;
    }
    return TSR_OK;
}

static tsr_status count_places(picture *p, tsr_error *err)
{
    const int rank = p->layout->rank;
    p->nplanes = p->nrows = p->ncols = 1;
    double cells = 1;
    for (int d = 0; d < rank; d++)
        cells *= (double)(p->to[d] - p->from[d]);
    if (cells > MAX_CELLS || (!p->part && p->layout->span > MAX_CELLS))
        return tsr_fail(err, TSR_LIMIT,
                        "the layout has more than %d cells, too many for a picture: draw a part, such as "
                        "--cells=0:8,0:16",
                        MAX_CELLS);
    for (int d = 0; d < rank; d++)
        *(d == rank - 1 ? &p->ncols : d == rank - 2 ? &p->nrows : &p->nplanes) *= p->to[d] - p->from[d];
    p->row_slots = slots_of_row(p);
    return TSR_OK;
}

/* List the row of the memory in which each element of the part lies; returns the number of elements. */
static int64_t list_rows_of_part(int64_t *rows, const picture *p)
{
    int64_t coord[TSR_MAP_MAX_VARS] = {0}, n = 0, offset;
    for (int64_t plane = 0; plane < p->nplanes; plane++)
        for (int64_t i = 0; i < p->nrows; i++)
            for (int64_t j = 0; j < p->ncols; j++) {
                place(coord, p, plane, i, j);
                if (tsr_layout_offset(&offset, p->layout, coord, NULL) == TSR_OK)
                    rows[n++] = offset / p->row_slots;
            }
    return n;
}

static int compare_rows(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* List the rows of the memory: all, or those in which an element of the part lies. */
static tsr_status choose_rows(picture *p, tsr_error *err)
{
    void *rows = NULL;
    const int64_t nall = (p->layout->span + p->row_slots - 1) / p->row_slots;
    const int64_t room = p->part ? p->nplanes * p->nrows * p->ncols : nall;
    TSR_TRY(tsr_alloc_array(&rows, (uint64_t)room, sizeof *p->rows, 1, "the picture", err));
    p->rows = rows;
    if (!p->part) {
        while (p->nrows_memory < nall) {
            p->rows[p->nrows_memory] = p->nrows_memory;
            p->nrows_memory++;
        }
        return TSR_OK;
    }
    const int64_t n = list_rows_of_part(p->rows, p);
    qsort(p->rows, (size_t)n, sizeof *p->rows, compare_rows);
    for (int64_t i = 0; i < n; i++)
        if (i == 0 || p->rows[i] != p->rows[p->nrows_memory - 1])
            p->rows[p->nrows_memory++] = p->rows[i]; /* behind i, or at it */
    return TSR_OK;
}

/* ---- drawing ---- */

static void draw_rect(const picture *p, double x, double y, const char *fill)
{
    tsr_text_addf(p->svg, "<rect x=\"%g\" y=\"%g\" width=\"%d\" height=\"%d\" fill=\"%s\"/>\n", x, y, CELL,
                  CELL, fill);
}

static void draw_text(const picture *p, double x, double y, const char *class, const char *text)
{
    tsr_text_addf(p->svg, "<text x=\"%g\" y=\"%g\" class=\"%s\">%s</text>\n", x, y, class, text);
}

static void draw_line(const picture *p, double x1, double y1, double x2, double y2, const char *class)
{
    tsr_text_addf(p->svg, "<path d=\"M%g %gL%g %g\" class=\"%s\"/>\n", x1, y1, x2, y2, class);
}

/* The text in a cell of the array: the offset, or nothing for padding. */
static void draw_cell(const picture *p, double x, double y, const int64_t *coord)
{
    char text[32];
    int64_t offset;
    if (tsr_layout_offset(&offset, p->layout, coord, NULL) != TSR_OK) {
        draw_rect(p, x, y, "#ffffff");
        return;
    }
    draw_rect(p, x, y, colour_of(p, coord));
    snprintf(text, sizeof text, "%lld", (long long)offset);
    if (p->unit == 1)
        draw_text(p, x + CELL / 2.0, y + CELL / 2.0 + 5, "n", text);
}

/* The class of the line between two neighbours: a tile's border, a later tile's, or none. */
static const char *border_class(const picture *p, const int64_t *a, const int64_t *b)
{
    if (tile_of(p, a) != tile_of(p, b))
        return "t";
    return in_other_subtile(p, a, b) ? "s" : "";
}

static void draw_borders(const picture *p, int64_t plane, double x0, double y0, const char *class)
{
    int64_t a[TSR_MAP_MAX_VARS] = {0}, b[TSR_MAP_MAX_VARS] = {0};
    for (int64_t i = 0; i < p->nrows; i++) {
        for (int64_t j = 0; j < p->ncols; j++) {
            const double x = x0 + (double)j * CELL, y = y0 + (double)i * CELL;
            place(b, p, plane, i, j);
            place(a, p, plane, i, j - 1);
            if (j > 0 && strcmp(border_class(p, a, b), class) == 0)
                draw_line(p, x, y, x, y + CELL, class);
            place(a, p, plane, i - 1, j);
            if (i > 0 && strcmp(border_class(p, a, b), class) == 0)
                draw_line(p, x, y, x + CELL, y, class);
        }
    }
}

/* Write the leading coordinates of a plane above its corner. */
static void draw_lead(const picture *p, const int64_t *coord, double x0, double y0)
{
    tsr_text lead = {0};
    if (p->layout->rank <= 2)
        return;
    tsr_tlayout_add_point(&lead, p->layout->rank - 2, coord);
    tsr_text_add(&lead, ":");
    draw_text(p, x0 - 12 * p->unit, y0 - 6 * p->unit, "a", tsr_text_cstr(&lead));
    tsr_text_clear(&lead);
}

/* One of how many rows and columns has its number beside it: a power of 2, so that numbers do not meet. */
static int64_t lines_with_numbers(const picture *p)
{
    int64_t n = 1;
    while ((double)n < p->unit)
        n *= 2;
    return n;
}

static void draw_plane(const picture *p, int64_t plane, double x0, double y0)
{
    int64_t coord[TSR_MAP_MAX_VARS] = {0};
    char text[32];
    for (int64_t i = 0; i < p->nrows; i++)
        for (int64_t j = 0; j < p->ncols; j++) {
            place(coord, p, plane, i, j);
            draw_cell(p, x0 + (double)j * CELL, y0 + (double)i * CELL, coord);
        }
    place(coord, p, plane, 0, 0);
    draw_lead(p, coord, x0, y0);
    for (int64_t j = 1; j < p->ncols; j++)
        draw_line(p, x0 + (double)j * CELL, y0, x0 + (double)j * CELL, y0 + (double)p->nrows * CELL, "g");
    for (int64_t i = 1; i < p->nrows; i++)
        draw_line(p, x0, y0 + (double)i * CELL, x0 + (double)p->ncols * CELL, y0 + (double)i * CELL, "g");
    draw_borders(p, plane, x0, y0, "s"); /* the strongest lines last */
    draw_borders(p, plane, x0, y0, "t");
    tsr_text_addf(p->svg, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" class=\"t\"/>\n", x0, y0,
                  (double)p->ncols * CELL, (double)p->nrows * CELL);
    const int64_t step = lines_with_numbers(p);
    for (int64_t j = 0; j < p->ncols; j += step) {
        snprintf(text, sizeof text, "%lld",
                 (long long)(j + p->from[p->layout->rank > 0 ? p->layout->rank - 1 : 0]));
        draw_text(p, x0 + ((double)j + 0.5) * CELL, y0 - 6 * p->unit, "a", text);
    }
    for (int64_t i = 0; i < p->nrows && p->layout->rank > 1; i += step) {
        snprintf(text, sizeof text, "%lld", (long long)(i + p->from[p->layout->rank - 2]));
        draw_text(p, x0 - 12 * p->unit, y0 + ((double)i + 0.5) * CELL + 4 * p->unit, "a", text);
    }
}

/* The memory: slot by slot, the element in each. */
static void draw_memory(const picture *p, double x0, double y0)
{
    int64_t coord[TSR_MAP_MAX_VARS] = {0};
    bool padding;
    for (int64_t k = 0; k < p->nrows_memory * p->row_slots; k++) {
        const int64_t slot = p->rows[k / p->row_slots] * p->row_slots + k % p->row_slots;
        const double x = x0 + (double)(k % p->row_slots) * CELL, y = y0 + (double)(k / p->row_slots) * CELL;
        if (slot >= p->layout->span)
            break;
        tsr_text text = {0};
        if (tsr_layout_element(coord, &padding, p->layout, slot, NULL) != TSR_OK || padding) {
            draw_rect(p, x, y, "#ffffff");
        } else {
            tsr_tlayout_add_point(&text, p->layout->rank, coord);
            draw_rect(p, x, y, colour_of(p, coord));
            if (p->unit == 1)
                draw_text(p, x + CELL / 2.0, y + CELL / 2.0 + 4, "c", tsr_text_cstr(&text));
            tsr_text_clear(&text);
        }
        tsr_text_addf(p->svg, "<rect x=\"%g\" y=\"%g\" width=\"%d\" height=\"%d\" class=\"g\"/>\n", x, y,
                      CELL, CELL);
        if (slot % p->row_slots == 0 && k / p->row_slots % lines_with_numbers(p) == 0) {
            char number[32];
            snprintf(number, sizeof number, "%lld", (long long)slot);
            draw_text(p, x0 - 14 * p->unit, y + CELL / 2.0 + 4 * p->unit, "a", number);
        }
    }
}

static void add_style(tsr_text *svg, double unit)
{
    tsr_text_addf(
        svg,
        "<style>text{font-family:Helvetica,Arial,sans-serif;text-anchor:middle;fill:#222}"
        ".n{font-size:14px}.c{font-size:11px}.a{font-size:%gpx;fill:#777}.h{font-size:%gpx;text-anchor:start}"
        ".l{font-size:%gpx;text-anchor:start;fill:#555}"
        ".g{stroke:#fff;stroke-width:1;fill:none}rect.g{stroke:#999}path.g{stroke:#bbb}"
        ".s{stroke:#d62728;stroke-width:2;fill:none}.t{stroke:#222;stroke-width:2.5;fill:none}</style>\n",
        11 * unit, 14 * unit, 11 * unit);
}

static void add_escaped(tsr_text *svg, const char *text)
{
    for (const char *p = text; *p; p++) {
        if (*p == '&' || *p == '<' || *p == '>')
            tsr_text_add(svg, *p == '&' ? "&amp;" : *p == '<' ? "&lt;" : "&gt;");
        else
            tsr_text_add_n(svg, p, 1);
    }
}

/* Begin a picture of this size without title and legend: the title above, the legend below. */
static void begin(const picture *p, const char *title, const char *legend, double w, double h)
{
    const double u = p->unit, title_w = 8 * u * (double)strlen(title),
                 legend_w = 6 * u * (double)strlen(legend);
    const double words = 8 * u + (title_w > legend_w ? title_w : legend_w);
    const double width = words > w ? words : w, height = h + LEGEND * u;
    tsr_text_addf(
        p->svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" viewBox=\"0 0 %g %g\">\n",
        width / u, height / u, width, height);
    add_style(p->svg, u);
    tsr_text_addf(p->svg,
                  "<rect width=\"%g\" height=\"%g\" fill=\"#fff\"/>\n<text x=\"%g\" y=\"%g\" class=\"h\">",
                  width, height, 8 * u, 18 * u);
    add_escaped(p->svg, title);
    tsr_text_addf(p->svg, "</text>\n<text x=\"%g\" y=\"%g\" class=\"l\">%s</text>\n", 8 * u, height - 10 * u,
                  legend);
}

static tsr_status save(const char *path, tsr_text *svg, tsr_error *err)
{
    tsr_output *output = NULL;
    const tsr_output_options plain = {.gzip_level = -1};
    tsr_status status = TSR_OK;
    TSR_TRY_OUT(tsr_text_status(svg, err));
    TSR_TRY_OUT(tsr_cli_signals_direct(false, err)); /* there is a file to remove */
    TSR_TRY_OUT(tsr_output_open(&output, path, &plain, err));
    TSR_TRY_OUT(tsr_output_write(output, svg->s, svg->nbytes, err));
    TSR_TRY_OUT(tsr_output_commit(output, err));
out:
    tsr_output_free(output);
    if (status == TSR_OK)
        status = tsr_cli_signals_direct(true, err);
    tsr_text_clear(svg);
    return status;
}

static void draw_all(picture *p)
{
    const tsr_layout *const l = p->layout;
    tsr_text title = {0}, legend = {0};
    tsr_error ignored;
    int64_t coord[TSR_MAP_MAX_VARS];
    bool padding;
    const bool invertible =
        l->span > 0 && l->rank <= 3 && tsr_layout_element(coord, &padding, l, 0, &ignored) == TSR_OK;
    const double array_w = (double)p->ncols * CELL, row_w = invertible ? (double)p->row_slots * CELL : 0;
    const bool below = is_wide(p);
    const double u = p->unit = below ? (array_w > row_w ? array_w : row_w) / MAX_WIDTH : 1,
                 margin = MARGIN * u;
    const double plane_h = (double)p->nrows * CELL + margin, array_h = plane_h * (double)p->nplanes;
    const double memory_h = invertible ? (double)p->nrows_memory * CELL + margin : 0;
    const double memory_x = below ? margin : margin + array_w + GAP + margin;
    const double top = HEAD * u + margin / 2, memory_y = below ? top + array_h : top;
    const double w = !invertible || (below && array_w > row_w) ? margin + array_w : memory_x + row_w;
    const double h = below ? array_h + memory_h : array_h > memory_h ? array_h : memory_h;
    tsr_layout_print(&title, l);
    add_legend(&legend, p, invertible);
    begin(p, l->kind == TSR_LAYOUT_MAP ? "index map" : tsr_text_cstr(&title), tsr_text_cstr(&legend),
          w + 12 * u, HEAD * u + h);
    for (int64_t plane = 0; plane < p->nplanes; plane++)
        draw_plane(p, plane, margin, top + (double)plane * plane_h);
    if (invertible)
        draw_memory(p, memory_x, memory_y);
    tsr_text_add(p->svg, "</svg>\n");
    tsr_text_clear(&title);
    tsr_text_clear(&legend);
}

tsr_status tsr_tlayout_draw(const char *path, const tsr_layout *layout, const char *part, tsr_error *err)
{
    tsr_text svg = {0};
    picture p = {.layout = layout, .svg = &svg};
    TSR_TRY(measure_tiles(&p, err));
    TSR_TRY(choose_part(&p, part, err));
    TSR_TRY(count_places(&p, err));
    TSR_TRY(choose_rows(&p, err));
    draw_all(&p);
    tsr_free(p.rows);
    return save(path, &svg, err);
}

/* ---- thread-value layouts ---- */

/* The place (i, j) of a thread-value layout: the thread above its value. */
static void draw_value(const picture *p, int64_t i, int64_t j, int64_t thread, int64_t value)
{
    char text[32];
    const double x = MARGIN + (double)j * CELL, y = HEAD + MARGIN / 2.0 + (double)i * CELL;
    draw_rect(p, x, y, thread < 0 ? "#ffffff" : colours[(thread + 3 * (thread / NCOLOURS)) % NCOLOURS]);
    tsr_text_addf(p->svg, "<rect x=\"%g\" y=\"%g\" width=\"%d\" height=\"%d\" class=\"g\"/>\n", x, y, CELL,
                  CELL);
    if (thread < 0)
        return;
    snprintf(text, sizeof text, "T%lld", (long long)thread);
    draw_text(p, x + CELL / 2.0, y + 16, "c", text);
    snprintf(text, sizeof text, "V%lld", (long long)value);
    draw_text(p, x + CELL / 2.0, y + 29, "c", text);
}

tsr_status tsr_tlayout_draw_values(const char *path, const tsr_tlayout_values *of, tsr_error *err)
{
    tsr_text svg = {0};
    const picture p = {.svg = &svg, .unit = 1};
    const int64_t ncols = of->nplaces / of->nrows;
    char text[32];
    if (of->nplaces > MAX_CELLS)
        return tsr_fail(err, TSR_LIMIT, "the shape has more than %d places, too many for a picture",
                        MAX_CELLS);
    begin(&p, of->title, "places of the shape: thread T, its value V; colours by thread; white: no value",
          MARGIN + (double)ncols * CELL + 12, HEAD + MARGIN + (double)of->nrows * CELL);
    for (int64_t i = 0; i < of->nrows; i++) {
        for (int64_t j = 0; j < ncols; j++) {
            const int64_t who = of->who[i + j * of->nrows];
            draw_value(&p, i, j, who < 0 ? -1 : who / of->nvalues, who % of->nvalues);
        }
        snprintf(text, sizeof text, "%lld", (long long)i);
        draw_text(&p, MARGIN - 12, HEAD + MARGIN / 2.0 + ((double)i + 0.5) * CELL + 4, "a", text);
    }
    for (int64_t j = 0; j < ncols; j++) {
        snprintf(text, sizeof text, "%lld", (long long)j);
        draw_text(&p, MARGIN + ((double)j + 0.5) * CELL, HEAD + MARGIN / 2.0 - 6, "a", text);
    }
    tsr_text_add(&svg, "</svg>\n");
    return save(path, &svg, err);
}
