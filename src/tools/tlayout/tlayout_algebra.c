/* The commands of tlayout on TLA and CuTe layouts: construction, algebra, tuples. */
#include <stdio.h>
#include <string.h>

#include "tlayout.h"

static tsr_status say_tla(tsr_tlayout *t, const tsr_tla *layout, tsr_error *err)
{
    tsr_text text = {0};
    tsr_tla_print(&text, layout);
    return tsr_tlayout_say(t, "layout", &text, err);
}

static tsr_status say_swizzled(tsr_tlayout *t, const tsr_swizzled *layout, tsr_error *err)
{
    tsr_text text = {0};
    tsr_swizzled_print(&text, layout);
    return tsr_tlayout_say(t, "layout", &text, err);
}

static tsr_status say_tuple(tsr_tlayout *t, const tsr_tuple *tuple, tsr_error *err)
{
    tsr_text text = {0};
    tsr_tuple_print(&text, tuple);
    return tsr_tlayout_say(t, "tuple", &text, err);
}

#define RUN(name) static tsr_status run_##name(tsr_tlayout *t, int n, const char *const *word, tsr_error *err)

/* ---- operations: operands of one kind in, a layout or a tuple out ---- */

/* The function of one of these kinds, the others NULL. */
typedef struct operation {
    const char *name;
    tsr_status (*of_layout)(tsr_tla *out, tsr_arena *arena, const tsr_tla *layout, tsr_error *err);
    tsr_status (*of_layouts)(tsr_tla *out, tsr_arena *arena, const tsr_tla *a, const tsr_tla *b,
                             tsr_error *err);
    tsr_status (*of_tiler)(tsr_tla *out, tsr_arena *arena, const tsr_tla *layout, const tsr_tiler *tiler,
                           tsr_error *err);
    tsr_status (*in_form)(tsr_tla *out, tsr_arena *arena, const tsr_tla *layout, const tsr_tiler *tiler,
                          tsr_tla_form form, tsr_error *err);
    tsr_tla_form form; /* with in_form */
    tsr_status (*of_shape)(tsr_tla *out, tsr_arena *arena, const tsr_tuple *shape, tsr_error *err);
    tsr_status (*of_tuples)(const tsr_tuple **out, tsr_arena *arena, const tsr_tuple *a, const tsr_tuple *b,
                            tsr_error *err);
} operation;

static const operation operations[] = {
    {.name = "row_major", .of_shape = tsr_tla_make_right},
    {.name = "column_major", .of_shape = tsr_tla_make_left},
    {.name = "flatten", .of_layout = tsr_tla_flatten},
    {.name = "right_inverse", .of_layout = tsr_tla_right_inverse},
    {.name = "left_inverse", .of_layout = tsr_tla_left_inverse},
    {.name = "blocked_product", .of_layouts = tsr_tla_blocked_product},
    {.name = "raked_product", .of_layouts = tsr_tla_raked_product},
    {.name = "composition", .of_tiler = tsr_tla_compose},
    {.name = "divide", .in_form = tsr_tla_divide, .form = TSR_TLA_LOGICAL},
    {.name = "logical_divide", .in_form = tsr_tla_divide, .form = TSR_TLA_LOGICAL},
    {.name = "zipped_divide", .in_form = tsr_tla_divide, .form = TSR_TLA_ZIPPED},
    {.name = "tiled_divide", .in_form = tsr_tla_divide, .form = TSR_TLA_TILED},
    {.name = "flat_divide", .in_form = tsr_tla_divide, .form = TSR_TLA_FLAT},
    {.name = "product", .in_form = tsr_tla_product, .form = TSR_TLA_LOGICAL},
    {.name = "logical_product", .in_form = tsr_tla_product, .form = TSR_TLA_LOGICAL},
    {.name = "zipped_product", .in_form = tsr_tla_product, .form = TSR_TLA_ZIPPED},
    {.name = "tiled_product", .in_form = tsr_tla_product, .form = TSR_TLA_TILED},
    {.name = "flat_product", .in_form = tsr_tla_product, .form = TSR_TLA_FLAT},
    {.name = "shape_div", .of_tuples = tsr_shape_div},
    {.name = "idx2crd", .of_tuples = tsr_idx2crd},
    {.name = "increment", .of_tuples = tsr_crd_increment},
    {.name = "tile_start", .of_tuples = tsr_tla_tile_start},
    {0},
};

static tsr_status parse_tuples(const tsr_tuple **a, const tsr_tuple **b, tsr_tlayout *t,
                               const char *const *word, tsr_error *err)
{
    TSR_TRY(tsr_tlayout_parse_tuple(a, t, word[0], err));
    return tsr_tlayout_parse_tuple(b, t, word[1], err);
}

/* The operation with a layout first. */
static tsr_status operate_on_layout(tsr_tlayout *t, const operation *o, const char *const *word,
                                    tsr_error *err)
{
    tsr_tla a, b, out;
    const tsr_tiler *tiler = NULL;
    tsr_swizzled swizzled = {0};
    /* the swizzle comes after the layout, so it stays where the operation is a function before the layout */
    const bool keeps = (o->of_tiler || o->in_form == tsr_tla_divide) && tsr_swizzled_begins(word[0]);
    if (keeps)
        TSR_TRY(tsr_tlayout_in_text(t, word[0], tsr_swizzled_parse(&swizzled, &t->arena, word[0], err)));
    else
        TSR_TRY(tsr_tlayout_parse_tla(&swizzled.layout, t, word[0], err));
    a = swizzled.layout;
    if (o->of_layouts)
        TSR_TRY(tsr_tlayout_parse_tla(&b, t, word[1], err));
    else if (!o->of_layout)
        TSR_TRY(tsr_tlayout_parse_tiler(&tiler, t, word[1], err));
    TSR_TRY(o->of_layout    ? o->of_layout(&out, &t->arena, &a, err)
            : o->of_layouts ? o->of_layouts(&out, &t->arena, &a, &b, err)
            : o->of_tiler   ? o->of_tiler(&out, &t->arena, &a, tiler, err)
                            : o->in_form(&out, &t->arena, &a, tiler, o->form, err));
    swizzled.layout = out;
    return keeps ? say_swizzled(t, &swizzled, err) : say_tla(t, &out, err);
}

/* The command t->command is an operation. */
RUN(operation)
{
    const operation *o = operations;
    const tsr_tuple *a = NULL, *b = NULL, *tuple = NULL;
    tsr_tla out;
    (void)n;
    while (strcmp(o->name, t->command->name) != 0)
        o++;
    if (!o->of_shape && !o->of_tuples)
        return operate_on_layout(t, o, word, err);
    if (o->of_tuples) {
        TSR_TRY(parse_tuples(&a, &b, t, word, err));
        TSR_TRY(o->of_tuples(&tuple, &t->arena, a, b, err));
        return say_tuple(t, tuple, err);
    }
    TSR_TRY(tsr_tlayout_parse_tuple(&a, t, word[0], err));
    TSR_TRY(o->of_shape(&out, &t->arena, a, err));
    return say_tla(t, &out, err);
}

/* ---- operations with operands of their own ---- */

RUN(coalesce)
{
    tsr_tla a, out;
    const tsr_tuple *profile = NULL;
    TSR_TRY(tsr_tlayout_parse_tla(&a, t, word[0], err));
    if (n > 1)
        TSR_TRY(tsr_tlayout_parse_tuple(&profile, t, word[1], err));
    TSR_TRY(tsr_tla_coalesce(&out, &t->arena, &a, profile, err));
    return say_tla(t, &out, err);
}

/* COSIZE: an integer, a shape (its size) or a layout (its cosize). */
static tsr_status parse_cosize(int64_t *cosize, tsr_tlayout *t, const char *text, tsr_error *err)
{
    const tsr_tuple *shape = NULL;
    tsr_tla layout;
    if (strchr(text, ':')) {
        TSR_TRY(tsr_tlayout_parse_tla(&layout, t, text, err));
        *cosize = tsr_tla_cosize(&layout);
        return TSR_OK;
    }
    if (text[0] == '-')
        return tsr_tlayout_parse_i64(cosize, "COSIZE", text, err);
    TSR_TRY(tsr_tlayout_parse_tuple(&shape, t, text, err));
    return tsr_tuple_size(cosize, shape, err);
}

RUN(complement)
{
    tsr_tla a, out;
    int64_t cosize = 1;
    TSR_TRY(tsr_tlayout_parse_tla(&a, t, word[0], err));
    if (n > 1)
        TSR_TRY(parse_cosize(&cosize, t, word[1], err));
    if (cosize < 1)
        return tsr_fail(err, TSR_ARGUMENT, "COSIZE is %lld, but must be at least 1", (long long)cosize);
    TSR_TRY(tsr_tla_complement(&out, &t->arena, &a, cosize, err));
    return say_tla(t, &out, err);
}

RUN(tile_to_shape)
{
    tsr_tla a, out;
    const tsr_tuple *shape = NULL, *order = NULL;
    TSR_TRY(tsr_tlayout_parse_tla(&a, t, word[0], err));
    TSR_TRY(tsr_tlayout_parse_tuple(&shape, t, word[1], err));
    if (n > 2)
        TSR_TRY(tsr_tlayout_parse_tuple(&order, t, word[2], err));
    TSR_TRY(tsr_tla_tile_to_shape(&out, &t->arena, &a, shape, order, err));
    return say_tla(t, &out, err);
}

/* The tile as a layout; with AT, the view of the tile that begins there, and the offset of its first element.
 */
RUN(tile)
{
    tsr_tla a, out;
    tsr_tla_view view;
    const tsr_tuple *tile = NULL, *at = NULL;
    TSR_TRY(tsr_tlayout_parse_tla(&a, t, word[0], err));
    TSR_TRY(tsr_tlayout_parse_tuple(&tile, t, word[1], err));
    if (n < 3) {
        TSR_TRY(tsr_tla_make_tile(&out, &t->arena, &a, tile, err));
        return say_tla(t, &out, err);
    }
    TSR_TRY(tsr_tlayout_parse_tuple(&at, t, word[2], err));
    TSR_TRY(tsr_tla_tile_view(&view, &t->arena, &a, tile, at, err));
    TSR_TRY(say_tla(t, &view.layout, err));
    tsr_tlayout_say_i64(t, "offset", view.offset);
    return TSR_OK;
}

RUN(fractal)
{
    static const char *const names[] = {"ROWS", "COLS", "R", "C"};
    tsr_tla_fractal fractal;
    tsr_tla out;
    int64_t v[4];
    TSR_TRY(tsr_tla_fractal_parse(&fractal, word[0], err));
    for (int i = 0; i + 1 < n; i++)
        TSR_TRY(tsr_tlayout_parse_i64(&v[i], names[i], word[i + 1], err));
    if (n == 4)
        return tsr_fail(err, TSR_ARGUMENT, "R is given without C: give both, or --type");
    if (n == 3) {
        if (!t->type && fractal != TSR_TLA_L0C)
            return tsr_fail(err, TSR_ARGUMENT,
                            "missing block: give R and C, or --type=TYPE, which determines them");
        TSR_TRY(tsr_tla_fractal_block(&v[2], &v[3], fractal, t->type ? (int)tsr_xla_type_nbits(t->type) : 0,
                                      err));
    }
    TSR_TRY(tsr_tla_make_fractal(&out, &t->arena, fractal, v, v + 2, err));
    return say_tla(t, &out, err);
}

/* ---- tuples ---- */

RUN(mode)
{
    tsr_tla a, out;
    int64_t path[TSR_TLA_MAX_DEPTH];
    int index[TSR_TLA_MAX_DEPTH], npath = 0;
    (void)n;
    TSR_TRY(tsr_tlayout_parse_tla(&a, t, word[0], err));
    TSR_TRY(tsr_tlayout_parse_point(path, &npath, TSR_TLA_MAX_DEPTH, word[1], err));
    for (int i = 0; i < npath; i++) {
        if (path[i] < 0 || path[i] >= TSR_TLA_MAX_LEAVES)
            return tsr_fail(err, TSR_ARGUMENT, "mode %lld does not exist", (long long)path[i]);
        index[i] = (int)path[i];
    }
    TSR_TRY(tsr_tla_mode(&out, &a, npath, index, err));
    return say_tla(t, &out, err);
}

/* The number of a mode, 0 to 63; the library checks it against the layout. */
static tsr_status parse_mode(int *mode, const char *what, const char *text, tsr_error *err)
{
    int64_t v;
    TSR_TRY(tsr_tlayout_parse_i64(&v, what, text, err));
    if (v < 0 || v > TSR_TLA_MAX_LEAVES)
        return tsr_fail(err, TSR_ARGUMENT, "%s: %lld is not a mode: modes are 0 to %d", what, (long long)v,
                        TSR_TLA_MAX_LEAVES - 1);
    *mode = (int)v;
    return TSR_OK;
}

RUN(select)
{
    tsr_tla a, out;
    int64_t list[TSR_TLA_MAX_LEAVES];
    int modes[TSR_TLA_MAX_LEAVES], nmodes = 0;
    (void)n;
    TSR_TRY(tsr_tlayout_parse_tla(&a, t, word[0], err));
    TSR_TRY(tsr_tlayout_parse_point(list, &nmodes, TSR_TLA_MAX_LEAVES, word[1], err));
    for (int i = 0; i < nmodes; i++)
        modes[i] = list[i] < 0 || list[i] >= TSR_TLA_MAX_LEAVES ? -1 : (int)list[i];
    TSR_TRY(tsr_tla_select(&out, &t->arena, &a, nmodes, modes, err));
    return say_tla(t, &out, err);
}

RUN(take)
{
    tsr_tla a, out;
    int modes[TSR_TLA_MAX_LEAVES], first = 0, last = 0;
    (void)n;
    TSR_TRY(tsr_tlayout_parse_tla(&a, t, word[0], err));
    TSR_TRY(parse_mode(&first, "FIRST", word[1], err));
    TSR_TRY(parse_mode(&last, "LAST", word[2], err));
    if (first >= last || last > tsr_tla_rank(&a))
        return tsr_fail(err, TSR_ARGUMENT, "modes [%d, %d) of a layout of rank %d: give FIRST < LAST <= %d",
                        first, last, tsr_tla_rank(&a), tsr_tla_rank(&a));
    for (int m = first; m < last; m++)
        modes[m - first] = m;
    TSR_TRY(tsr_tla_select(&out, &t->arena, &a, last - first, modes, err));
    return say_tla(t, &out, err);
}

RUN(group)
{
    tsr_tla a, out;
    int first = 0, last = 0;
    (void)n;
    TSR_TRY(tsr_tlayout_parse_tla(&a, t, word[0], err));
    TSR_TRY(parse_mode(&first, "FIRST", word[1], err));
    TSR_TRY(parse_mode(&last, "LAST", word[2], err));
    TSR_TRY(tsr_tla_group(&out, &t->arena, &a, first, last, err));
    return say_tla(t, &out, err);
}

RUN(ceil_div)
{
    const tsr_tuple *shape = NULL, *out = NULL;
    const tsr_tiler *tiler = NULL;
    (void)n;
    TSR_TRY(tsr_tlayout_parse_tuple(&shape, t, word[0], err));
    TSR_TRY(tsr_tlayout_parse_tiler(&tiler, t, word[1], err));
    TSR_TRY(tsr_shape_ceil_div(&out, &t->arena, shape, tiler, err));
    return say_tuple(t, out, err);
}

RUN(shape_mod)
{
    const tsr_tuple *shape = NULL, *out = NULL;
    int64_t count;
    (void)n;
    TSR_TRY(tsr_tlayout_parse_tuple(&shape, t, word[0], err));
    TSR_TRY(tsr_tlayout_parse_i64(&count, "N", word[1], err));
    TSR_TRY(tsr_shape_mod(&out, &t->arena, shape, count, err));
    return say_tuple(t, out, err);
}

RUN(product_each)
{
    const tsr_tuple *shape = NULL, *out = NULL;
    (void)n;
    TSR_TRY(tsr_tlayout_parse_tuple(&shape, t, word[0], err));
    TSR_TRY(tsr_tuple_product_each(&out, &t->arena, shape, err));
    return say_tuple(t, out, err);
}

RUN(offsets)
{
    tsr_tla a;
    tsr_text text = {0};
    (void)n;
    TSR_TRY(tsr_tlayout_parse_tla(&a, t, word[0], err));
    const tsr_status status = tsr_tla_print_1d(&text, &a, err);
    if (status == TSR_OK)
        return tsr_tlayout_say(t, "offsets", &text, err);
    tsr_text_clear(&text);
    return status;
}

/* ---- thread-value layouts ---- */

/* who[i]: the number t * nvalues + v of the first thread and value at place i of the shape, or -1. */
static tsr_status place_values(int64_t *who, int64_t nplaces, const tsr_tla *layout, const int64_t *n,
                               tsr_error *err)
{
    for (int64_t i = 0; i < nplaces; i++)
        who[i] = -1;
    for (int64_t t = 0; t < n[0]; t++)
        for (int64_t v = 0; v < n[1]; v++) {
            const int64_t at = tsr_tla_offset_at(layout, (int64_t[]){t, v});
            if (at >= nplaces)
                return tsr_fail(
                    err, TSR_RANGE,
                    "value %lld of thread %lld is at %lld, outside the shape, which has %lld places",
                    (long long)v, (long long)t, (long long)at, (long long)nplaces);
            who[at] = who[at] < 0 ? t * n[1] + v : who[at];
        }
    return TSR_OK;
}

/* The places as a table of nrows rows; the first mode of the shape counts rows. */
static tsr_status say_values(tsr_tlayout *t, const int64_t *who, int64_t nplaces, int64_t nrows,
                             int64_t nvalues, tsr_error *err)
{
    char cell[64];
    tsr_text text = {0};
    if (t->json)
        tsr_json_open(&t->out.json, "thread_values", '[', false);
    for (int64_t i = 0; i < nrows; i++) {
        if (t->json)
            tsr_json_open(&t->out.json, NULL, '[', true);
        for (int64_t at = i; at < nplaces; at += nrows) {
            const int64_t pair[2] = {who[at] / nvalues, who[at] % nvalues};
            snprintf(cell, sizeof cell, who[at] < 0 ? "." : "T%lldV%lld", (long long)pair[0],
                     (long long)pair[1]);
            if (!t->json)
                tsr_text_addf(&text, at + nrows < nplaces ? "%-8s" : "%s\n", cell);
            else if (who[at] < 0)
                tsr_json_null(&t->out.json, NULL);
            else
                tsr_tlayout_json_list(t, NULL, 2, pair);
        }
        if (t->json)
            tsr_json_close(&t->out.json, ']');
    }
    if (!t->json)
        return tsr_tlayout_say(t, "thread_values", &text, err);
    tsr_json_close(&t->out.json, ']');
    return TSR_OK;
}

RUN(thread_values)
{
    enum { MAX_PLACES = 1 << 16 };
    tsr_tla a, mode;
    const tsr_tuple *shape = NULL, *sizes = NULL;
    int64_t count[2], nplaces;
    (void)n;
    TSR_TRY(tsr_tlayout_parse_tla(&a, t, word[0], err));
    TSR_TRY(tsr_tlayout_parse_tuple(&shape, t, word[1], err));
    if (tsr_tla_rank(&a) != 2)
        return tsr_fail(err, TSR_ARGUMENT, "the layout has %d modes, but must have two: threads and values",
                        tsr_tla_rank(&a));
    for (int m = 0; m < 2; m++) {
        TSR_TRY(tsr_tla_mode(&mode, &a, 1, &m, err));
        count[m] = tsr_tla_size(&mode);
    }
    TSR_TRY(tsr_tuple_product_each(&sizes, &t->arena, shape, err));
    TSR_TRY(tsr_tuple_size(&nplaces, shape, err));
    if (nplaces < 1 || nplaces > MAX_PLACES || tsr_tla_size(&a) > MAX_PLACES)
        return tsr_fail(err, TSR_LIMIT,
                        "%lld values of threads at %lld places: a table has 1 to %d places and values",
                        (long long)tsr_tla_size(&a), (long long)nplaces, MAX_PLACES);
    int64_t *const who = tsr_arena_alloc(&t->arena, (size_t)nplaces * sizeof *who);
    if (!who)
        return tsr_fail(err, TSR_NOMEM, "out of memory for the table");
    TSR_TRY(place_values(who, nplaces, &a, count, err));
    const int64_t nrows = sizes->n > 1 ? sizes->x[0]->v : 1;
    return t->svg ? tsr_tlayout_draw_values(
                        t->svg, &(tsr_tlayout_values){word[0], who, nplaces, nrows, count[1]}, err)
                  : say_values(t, who, nplaces, nrows, count[1], err);
}

/* A number that describes a layout. */
RUN(number)
{
    tsr_tla a;
    (void)n;
    const char *const what = t->command->name;
    TSR_TRY(tsr_tlayout_parse_tla(&a, t, word[0], err));
    tsr_tlayout_say_i64(t, what,
                        strcmp(what, "rank") == 0    ? tsr_tla_rank(&a)
                        : strcmp(what, "depth") == 0 ? tsr_tla_depth(&a)
                        : strcmp(what, "size") == 0  ? tsr_tla_size(&a)
                                                     : tsr_tla_cosize(&a));
    return TSR_OK;
}

/* The layout whose modes are the operands. */
RUN(concat)
{
    tsr_tla parts[TSR_TLA_MAX_LEAVES], out;
    for (int i = 0; i < n; i++)
        TSR_TRY(tsr_tlayout_parse_tla(&parts[i], t, word[i], err));
    TSR_TRY(tsr_tla_concat(&out, &t->arena, n, parts, err));
    return say_tla(t, &out, err);
}

/* Whether two tuples are compatible, or congruent. */
RUN(relation)
{
    const tsr_tuple *a = NULL, *b = NULL;
    (void)n;
    const char *const what = t->command->name;
    TSR_TRY(parse_tuples(&a, &b, t, word, err));
    const bool yes = strcmp(what, "congruent") == 0 ? tsr_tuple_congruent(a, b) : tsr_tuple_compatible(a, b);
    t->code = yes ? TSR_EXIT_OK : TSR_EXIT_INPUT;
    if (t->json)
        tsr_json_bool(&t->out.json, what, yes);
    else
        printf("%s%s\n", yes ? "" : "not ", what);
    return TSR_OK;
}

RUN(crd2idx)
{
    const tsr_tuple *coord = NULL, *shape = NULL;
    int64_t index;
    (void)n;
    TSR_TRY(parse_tuples(&coord, &shape, t, word, err));
    TSR_TRY(tsr_crd2idx(&index, coord, shape, err));
    tsr_tlayout_say_i64(t, "index", index);
    return TSR_OK;
}

const tsr_tlayout_command tsr_tlayout_algebra_commands[] = {
    {"row_major", "SHAPE", "the compact layout of a shape, the last mode the fastest", 1, 1, run_operation},
    {"column_major", "SHAPE", "the compact layout of a shape, the first mode the fastest", 1, 1,
     run_operation},
    {"fractal", "KIND ROWS COLS [R C]",
     "a matrix in blocks of R x C: zN, nZ, zZ or nN; without R and C --type determines them; L0C: zN in 16 x "
     "16",
     3, 5, run_fractal},
    {"tile", "LAYOUT TILE [AT]", "a tile of the layout; with AT, the view of the tile that begins at AT", 2,
     3, run_tile},
    {"tile_start", "TILE COORD", "the first coordinate of tile number COORD: each COORD times its TILE", 2, 2,
     run_operation},
    {"offsets", "LAYOUT", "the offsets of all linear coordinates, the first mode the fastest", 1, 1,
     run_offsets},
    {"thread_values", "LAYOUT SHAPE [--svg=FILE]",
     "the thread and the value at each place of SHAPE, for a layout (threads, values) such as those of "
     "CuTe's "
     "MMA atoms",
     2, 2, run_thread_values},
    {"depth", "LAYOUT", "how deep the modes are nested: 0 for 4:1, 1 for (2,3):(1,2)", 1, 1, run_number},
    {"rank", "LAYOUT", "the number of modes", 1, 1, run_number},
    {"size", "LAYOUT", "the number of coordinates", 1, 1, run_number},
    {"cosize", "LAYOUT", "the largest offset + 1", 1, 1, run_number},
    {"mode", "LAYOUT PATH", "a mode by its path, such as 1,0", 2, 2, run_mode},
    {"select", "LAYOUT MODES", "the layout of these modes, such as 0,2", 2, 2, run_select},
    {"take", "LAYOUT FIRST LAST", "the layout of the modes FIRST to LAST - 1", 3, 3, run_take},
    {"group", "LAYOUT FIRST LAST", "join the modes FIRST to LAST - 1 into one", 3, 3, run_group},
    {"concat", "LAYOUT...", "the layout whose modes are these layouts", 1, TSR_TLA_MAX_LEAVES, run_concat},
    {"flatten", "LAYOUT", "the layout without nesting", 1, 1, run_operation},
    {"coalesce", "LAYOUT [PROFILE]", "the same function with as few modes as possible", 1, 2, run_coalesce},
    {"composition", "A TILER", "A applied after TILER", 2, 2, run_operation},
    {"complement", "LAYOUT [COSIZE]",
     "the layout of the offsets that LAYOUT leaves out, up to COSIZE: an integer, a shape or a layout", 1, 2,
     run_complement},
    {"right_inverse", "LAYOUT", "R with LAYOUT(R(k)) = k", 1, 1, run_operation},
    {"left_inverse", "LAYOUT", "L with L(LAYOUT(c)) = c", 1, 1, run_operation},
    {"divide", "LAYOUT TILER", "logical divide: ((T0,R0),(T1,R1))", 2, 2, run_operation},
    {"logical_divide", "LAYOUT TILER", "the name of divide in CuTe", 2, 2, run_operation},
    {"zipped_divide", "LAYOUT TILER", "((T0,T1),(R0,R1))", 2, 2, run_operation},
    {"tiled_divide", "LAYOUT TILER", "((T0,T1),R0,R1)", 2, 2, run_operation},
    {"flat_divide", "LAYOUT TILER", "(T0,T1,R0,R1)", 2, 2, run_operation},
    {"product", "LAYOUT TILER", "logical product: LAYOUT repeated by TILER", 2, 2, run_operation},
    {"logical_product", "LAYOUT TILER", "the name of product in CuTe", 2, 2, run_operation},
    {"zipped_product", "LAYOUT TILER", "((A0,A1),(T0,T1))", 2, 2, run_operation},
    {"tiled_product", "LAYOUT TILER", "((A0,A1),T0,T1)", 2, 2, run_operation},
    {"flat_product", "LAYOUT TILER", "(A0,A1,T0,T1)", 2, 2, run_operation},
    {"blocked_product", "BLOCK LAYOUT", "blocks side by side: ((B0,T0),(B1,T1))", 2, 2, run_operation},
    {"raked_product", "BLOCK LAYOUT", "blocks interleaved: ((T0,B0),(T1,B1))", 2, 2, run_operation},
    {"tile_to_shape", "BLOCK SHAPE [ORDER]",
     "the block repeated to cover a shape, rounded up to whole blocks", 2, 3, run_tile_to_shape},
    {"shape_div", "A B", "a shape divided by a shape or an integer, exactly", 2, 2, run_operation},
    {"ceil_div", "SHAPE TILER", "a shape divided by a tiler or an integer, rounded up", 2, 2, run_ceil_div},
    {"shape_mod", "SHAPE N", "the shape of the first N coordinates of a shape", 2, 2, run_shape_mod},
    {"product_each", "SHAPE", "the size of each mode of a shape", 1, 1, run_product_each},
    {"compatible", "A B", "whether every coordinate of shape A is one of shape B; exit code 1 when not", 2, 2,
     run_relation},
    {"congruent", "A B", "whether two tuples have the same structure; exit code 1 when not", 2, 2,
     run_relation},
    {"crd2idx", "COORD SHAPE", "the linear index of a coordinate within a shape", 2, 2, run_crd2idx},
    {"idx2crd", "INDEX SHAPE", "the coordinate of a linear index within a shape", 2, 2, run_operation},
    {"increment", "COORD SHAPE", "the next coordinate within a shape, the first mode the fastest", 2, 2,
     run_operation},
    {0},
};
