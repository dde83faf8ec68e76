/* The density picture as a PNG or SVG file: see picture.h. All parts are drawn on a canvas, which is an array of
 * RGB bytes for PNG and a text for SVG; the file is then written like any other output. */
#include "picture.h"

#include <math.h>
#include <string.h>

#include "font.h"
#include "picture_png.h"
#include "tsr_output.h"
#include "tsr_text.h"

/* In pixels. The longer side of the plot has PLOT pixels; the rest is room for axes, scale and title. */
enum {
    PLOT = 640,
    PLOT_MIN = 200,
    LEFT = 110,
    TOP = 88,
    BOTTOM = 78,
    RIGHT = 150,
    TEXT = 2, /* pixels per dot of the font */
    ADVANCE = TSR_FONT_ADVANCE * TEXT,
    LINE = TSR_FONT_HEIGHT * TEXT,
    TICK = 6,
    MIN_WIDTH = 520,
    BAR_WIDTH = 22,
    GAP_FROM = 5,
};

typedef struct colour {
    unsigned char r, g, b;
} colour;

static const colour black = {0, 0, 0}, grey = {150, 150, 150};

typedef struct canvas {
    int width, height;
    unsigned char *rgb; /* width * height * 3; NULL: the picture is the text `svg` */
    tsr_text svg;
} canvas;

/* ---- drawing ---- */

static void fill(canvas *on, int x, int y, int width, int height, colour c)
{
    if (!on->rgb) {
        tsr_text_addf(&on->svg, "<path fill=\"#%02x%02x%02x\" d=\"M%d %dh%dv%dh-%dz\"/>\n", c.r, c.g, c.b, x,
                      y, width, height, width);
        return;
    }
    for (int j = y < 0 ? 0 : y; j < y + height && j < on->height; j++) {
        for (int i = x < 0 ? 0 : x; i < x + width && i < on->width; i++) {
            unsigned char *const at = on->rgb + ((size_t)j * (size_t)on->width + (size_t)i) * 3;
            at[0] = c.r;
            at[1] = c.g;
            at[2] = c.b;
        }
    }
}

static int text_width(size_t n)
{
    return (int)n * ADVANCE - TEXT;
}

static void write_text(canvas *on, int x, int y, const char *text, size_t n, bool up)
{
    tsr_text *const svg = &on->svg;
    if (up)
        tsr_text_addf(svg, "<text transform=\"translate(%d %d) rotate(-90)\" textLength=\"%d\">", x + LINE, y,
                      text_width(n));
    else
        tsr_text_addf(svg, "<text x=\"%d\" y=\"%d\" textLength=\"%d\">", x, y + LINE, text_width(n));
    for (size_t k = 0; k < n; k++) {
        if (text[k] == '&' || text[k] == '<' || text[k] == '>')
            tsr_text_addf(svg, "&#%d;", text[k]);
        else
            tsr_text_addf(svg, "%c", text[k] >= ' ' && text[k] < 127 ? text[k] : '?');
    }
    tsr_text_add(svg, "</text>\n");
}

/* n characters with their top left corner at (x, y); `up`: turned left, so that the text runs upwards from
 * (x, y) as its top left corner. */
static void draw_text(canvas *on, int x, int y, const char *text, size_t n, bool up)
{
    if (!on->rgb) {
        write_text(on, x, y, text, n, up);
        return;
    }
    for (size_t k = 0; k < n; k++) {
        const unsigned char *const rows = tsr_font_glyph(text[k]);
        for (int row = 0; row < TSR_FONT_HEIGHT; row++) {
            for (int col = 0; col < TSR_FONT_WIDTH; col++) {
                if (!(rows[row] >> (TSR_FONT_WIDTH - 1 - col) & 1))
                    continue;
                const int along = (int)k * ADVANCE + col * TEXT, across = row * TEXT;
                if (up)
                    fill(on, x + across, y - along - TEXT, TEXT, TEXT, black);
                else
                    fill(on, x + along, y + across, TEXT, TEXT, black);
            }
        }
    }
}

/* The colour scale: t = 0 orange, over red and violet to nearly black at t = 1. */
static colour scale_colour(double t)
{
    static const double stops[][3] = {
        {250, 165, 40}, {232, 85, 35}, {180, 30, 85}, {100, 15, 110}, {15, 5, 45}};
    enum { NSTOPS = sizeof stops / sizeof stops[0] };
    const double at = t * (NSTOPS - 1);
    const int i = at >= NSTOPS - 1 ? NSTOPS - 2 : (int)at;
    const double f = at - i;
    unsigned char rgb[3];
    for (int k = 0; k < 3; k++)
        rgb[k] = (unsigned char)(stops[i][k] + f * (stops[i + 1][k] - stops[i][k]) + 0.5);
    return (colour){rgb[0], rgb[1], rgb[2]};
}

/* ---- layout ---- */

/* Pixels that the plot may take along both axes. */
static void plot_room(int room[2], const uint64_t dim[2])
{
    const uint64_t longer = dim[0] > dim[1] ? dim[0] : dim[1];
    for (int a = 0; a < 2; a++) {
        const double exact = PLOT * ((double)dim[a] / (double)longer);
        room[a] = exact < PLOT_MIN ? PLOT_MIN : (int)exact;
    }
}

void tsr_spy_grid(uint32_t n[2], const uint64_t dim[2])
{
    int room[2];
    plot_room(room, dim);
    for (int a = 0; a < 2; a++) /* one pixel per coordinate if they fit, else cells of two by two pixels */
        n[a] = dim[a] <= (uint64_t)room[a] ? (uint32_t)dim[a] : (uint32_t)room[a] / 2;
}

/* The step of ticks: 1, 2 or 5 times a power of ten, such that about `most` of them cover dim. */
static uint64_t tick_step(uint64_t dim, int most)
{
    static const uint64_t steps[] = {1, 2, 5};
    for (uint64_t power = 1;; power *= 10) {
        for (int k = 0; k < 3; k++) {
            if (power > UINT64_MAX / 100 || dim / (steps[k] * power) < (uint64_t)most)
                return steps[k] * power;
        }
    }
}

/* Ticks and the mode's name along axis a (0: down the left side, 1: along the bottom). */
static void draw_axis(canvas *on, const tsr_density *density, int a, const int plot[2])
{
    if (density->mode[a] < 0)
        return;
    char text[64];
    const uint64_t dim = density->dim[a];
    const int digits = snprintf(text, sizeof text, "%llu", (unsigned long long)dim);
    const int each = a == 0 ? 3 * LINE : (digits + 2) * ADVANCE;
    const int most = plot[a] / each < 2 ? 2 : plot[a] / each;
    const uint64_t step = tick_step(dim, most);
    for (uint64_t i = 0; i < dim; i += step) {
        const int at = (int)(((double)i + 0.5) / (double)dim * plot[a]);
        int n = snprintf(text, sizeof text, "%llu", (unsigned long long)i);
        if (a == 1 && n > 10)
            n = snprintf(text, sizeof text, "%.2g", (double)i);
        if (a == 0) {
            if (n * ADVANCE > LEFT - 2 * TICK - LINE - 8)
                n = snprintf(text, sizeof text, "%.0e", (double)i);
            fill(on, LEFT - TICK, TOP + at, TICK, 1, black);
            draw_text(on, LEFT - TICK - 4 - text_width((size_t)n), TOP + at - LINE / 2, text, (size_t)n,
                      false);
        } else {
            fill(on, LEFT + at, TOP + plot[0], 1, TICK, black);
            draw_text(on, LEFT + at - text_width((size_t)n) / 2, TOP + plot[0] + TICK + 4, text, (size_t)n,
                      false);
        }
        if (dim - i <= step)
            break; /* i + step could overflow */
    }
    const int n = snprintf(text, sizeof text, "mode %d (%llu)", density->mode[a], (unsigned long long)dim);
    const int width = text_width((size_t)n);
    if (a == 0) {
        const int y = TOP + (plot[0] + width) / 2;
        draw_text(on, 6, y > on->height - 4 ? on->height - 4 : y, text, (size_t)n, true);
    } else {
        const int x = LEFT + (plot[1] - width) / 2;
        draw_text(on, x < 4 ? 4 : x, on->height - LINE - 12, text, (size_t)n, false);
    }
}

/* The colour scale at the right, with the counts 1, 10, 100... and the largest. */
static void draw_scale(canvas *on, const tsr_density *density, const int plot[2])
{
    static const char label[] = "entries";
    const int x = LEFT + plot[1] + 30;
    const int height = plot[0] < 300 ? plot[0] : 300;
    const int bottom = TOP + height - 1;
    if (density->max <= 1)
        return;
    for (int y = 0; y < height; y++)
        fill(on, x, bottom - y, BAR_WIDTH, 1, scale_colour((double)y / (height - 1)));
    char text[32];
    int free = 0; /* ticks from here on do not touch the one below */
    for (double v = 1; v < (double)density->max; v *= 10) {
        const int y = (int)(tsr_density_shade(density, (uint64_t)v) * (height - 1));
        if (y < free || (v > 1 && height - 1 - y < LINE + 2))
            continue;
        const int n = snprintf(text, sizeof text, v < 1e5 ? "%.0f" : "%.0e", v);
        fill(on, x + BAR_WIDTH, bottom - y, 4, 1, black);
        draw_text(on, x + BAR_WIDTH + 8, bottom - y - LINE / 2, text, (size_t)n, false);
        free = y + LINE + 2;
    }
    const int n = snprintf(text, sizeof text, density->max < 100000 ? "%.0f" : "%.1e", (double)density->max);
    fill(on, x + BAR_WIDTH, TOP, 4, 1, black);
    draw_text(on, x + BAR_WIDTH + 8, TOP - LINE / 2, text, (size_t)n, false);
    draw_text(on, x, TOP - LINE - 14, label, sizeof label - 1, false);
}

static void draw_cells(canvas *on, const tsr_density *density, const int plot[2])
{
    const int cell[2] = {plot[0] / (int)density->n[0], plot[1] / (int)density->n[1]};
    const int gap = cell[0] > GAP_FROM && cell[1] > GAP_FROM; /* large cells get a border */
    const int ncols = (int)density->n[1];
    for (int r = 0; r < (int)density->n[0]; r++) {
        const uint64_t *const counts = density->count + (size_t)r * density->n[1];
        for (int c = 0, end; c < ncols; c = end) {
            for (end = c + 1;
                 !gap && end < ncols && counts[end] == counts[c];) /* equal cells are one rectangle */
                end++;
            if (counts[c] > 0)
                fill(on, LEFT + c * cell[1], TOP + r * cell[0], (end - c) * cell[1] - gap, cell[0] - gap,
                     scale_colour(tsr_density_shade(density, counts[c])));
        }
    }
    fill(on, LEFT - 1, TOP - 1, plot[1] + 2, 1, grey);
    fill(on, LEFT - 1, TOP + plot[0], plot[1] + 2, 1, grey);
    fill(on, LEFT - 1, TOP - 1, 1, plot[0] + 2, grey);
    fill(on, LEFT + plot[1], TOP - 1, 1, plot[0] + 2, grey);
}

/* Lines above the plot; a line that is too long loses its beginning. */
static void draw_title(canvas *on, const char *title)
{
    const size_t fits = (size_t)((on->width - 24) / ADVANCE);
    int y = 12;
    for (const char *line = title; *line && y < TOP - LINE; y += LINE + 8) {
        const size_t n = strcspn(line, "\n");
        if (n <= fits) {
            draw_text(on, 12, y, line, n, false);
        } else {
            draw_text(on, 12, y, "...", 3, false);
            draw_text(on, 12 + 3 * ADVANCE, y, line + n - (fits - 3), fits - 3, false);
        }
        line += n + (line[n] == '\n');
    }
}

/* ---- the file ---- */

static tsr_status save_svg(const char *path, const canvas *picture, tsr_error *err)
{
    const tsr_output_options plain = {.gzip_level = -1};
    tsr_output *output = NULL;
    tsr_status status = tsr_text_status(&picture->svg, err);
    if (status == TSR_OK)
        status = tsr_output_open(&output, path, &plain, err);
    if (status == TSR_OK)
        status = tsr_output_write(output, tsr_text_cstr(&picture->svg), picture->svg.nbytes, err);
    if (status == TSR_OK)
        status = tsr_output_commit(output, err);
    tsr_output_free(output);
    return status;
}

static void draw(canvas *on, const tsr_density *density, const int plot[2], const char *title)
{
    draw_title(on, title);
    draw_cells(on, density, plot);
    draw_axis(on, density, 0, plot);
    draw_axis(on, density, 1, plot);
    draw_scale(on, density, plot);
}

bool tsr_spy_is_svg(const char *path)
{
    const char *const dot = strrchr(path, '.');
    return dot && strcmp(dot, ".svg") == 0;
}

tsr_status tsr_spy_write(const char *path, const tsr_density *density, const char *title, tsr_error *err)
{
    int plot[2];
    plot_room(plot, density->dim);
    for (int a = 0; a < 2; a++)
        plot[a] -= plot[a] % (int)density->n[a]; /* whole pixels per cell */
    const int width = LEFT + plot[1] + RIGHT;
    canvas picture = {.width = width < MIN_WIDTH ? MIN_WIDTH : width, .height = TOP + plot[0] + BOTTOM};
    tsr_status status;
    if (tsr_spy_is_svg(path)) {
        tsr_text_addf(
            &picture.svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
            "font-family=\"monospace\" font-size=\"18\">\n<rect width=\"%d\" height=\"%d\" "
            "fill=\"#fff\"/>\n",
            picture.width, picture.height, picture.width, picture.height, picture.width, picture.height);
        draw(&picture, density, plot, title);
        tsr_text_add(&picture.svg, "</svg>\n");
        status = save_svg(path, &picture, err);
        tsr_text_clear(&picture.svg);
        return status;
    }
    void *rgb = NULL;
    const uint64_t nbytes = (uint64_t)picture.width * (uint64_t)picture.height * 3;
    TSR_TRY(tsr_alloc_array(&rgb, nbytes, 1, 0, "the picture", err));
    memset(rgb, 0xff, nbytes);
    picture.rgb = rgb;
    draw(&picture, density, plot, title);
    status = tsr_png_write(path, picture.width, picture.height, picture.rgb, err);
    tsr_free(rgb);
    return status;
}
