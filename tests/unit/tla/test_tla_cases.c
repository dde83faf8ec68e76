/* The known answers of cases/cute-cases.tsv, row by row: the TLA document, CuTe's documents and tests. */
#include "tsr_test.h"

#include <ctype.h>

#include "tsr_alloc.h"
#include "tsr_tla.h"

enum { MAX_PARTS = 4, MAX_FIELDS = 5, PART_NBYTES = 256 };

/* One row: its input split at " ; " into parts, each after a word ("shape", "coord", ...). */
typedef struct row {
    char word[MAX_PARTS][32], part[MAX_PARTS][PART_NBYTES];
    int nparts;
    const char *op, *input;
    tsr_arena arena;
    tsr_text answer;
    tsr_error err;
} row;

static tsr_status read_layout(tsr_tla *out, row *r, int i)
{
    return tsr_tla_parse(out, &r->arena, r->part[i], &r->err);
}

static tsr_status read_tuple(const tsr_tuple **out, row *r, int i)
{
    return tsr_tuple_parse(out, &r->arena, r->part[i], &r->err);
}

static tsr_status read_tiler(const tsr_tiler **out, row *r, int i)
{
    return tsr_tiler_parse(out, &r->arena, r->part[i], &r->err);
}

static bool is_layout(const char *text)
{
    return strchr(text, ':') != NULL;
}

static tsr_status answer_layout(row *r, tsr_status status, const tsr_tla *layout)
{
    if (status == TSR_OK)
        tsr_tla_print(&r->answer, layout);
    return status;
}

static tsr_status answer_tuple(row *r, tsr_status status, const tsr_tuple *const *tuple)
{
    if (status == TSR_OK)
        tsr_tuple_print(&r->answer, *tuple);
    return status;
}

static tsr_status answer_int(row *r, tsr_status status, const int64_t *v)
{
    if (status == TSR_OK)
        tsr_text_add_i64(&r->answer, *v);
    return status;
}

/* ---- the operations ---- */

/* The numbers of the printed grid, with slashes between rows. */
static tsr_status run_table(row *r)
{
    tsr_tla layout;
    tsr_text grid = {0};
    TSR_TRY(read_layout(&layout, r, 0));
    TSR_TRY(tsr_tla_print_2d(&grid, &layout, &r->err));
    char *line = strtok(grid.s, "\n");
    for (int i = 0; line; line = strtok(NULL, "\n")) {
        char *cell = strchr(line, '|');
        if (!cell)
            continue;
        tsr_text_add(&r->answer, i++ > 0 ? " / " : "");
        for (int j = 0; cell[1] != '\0'; j++) {
            char *end;
            tsr_text_add(&r->answer, j > 0 ? " " : "");
            tsr_text_add_i64(&r->answer, strtoll(cell + 1, &end, 10));
            cell = strchr(end, '|');
            assert_non_null(cell);
        }
    }
    tsr_text_clear(&grid);
    return TSR_OK;
}

static tsr_status run_print_1d(row *r)
{
    tsr_tla layout;
    TSR_TRY(read_layout(&layout, r, 0));
    return tsr_tla_print_1d(&r->answer, &layout, &r->err);
}

static tsr_status run_print(row *r)
{
    tsr_tla layout;
    return answer_layout(r, read_layout(&layout, r, 0), &layout);
}

static tsr_status run_offset(row *r)
{
    tsr_tla layout;
    const tsr_tuple *coord, *shape;
    int64_t v;
    const int at = is_layout(r->part[0]) ? 0 : 1;
    TSR_TRY(read_tuple(&coord, r, 1 - at));
    if (is_layout(r->part[at])) {
        TSR_TRY(read_layout(&layout, r, at));
        return answer_int(r, tsr_tla_offset(&v, &layout, coord, &r->err), &v);
    }
    TSR_TRY(read_tuple(&shape, r, at));
    return answer_int(r, tsr_crd2idx(&v, coord, shape, &r->err), &v);
}

static tsr_status run_idx2crd(row *r)
{
    const tsr_tuple *coord, *shape, *out;
    TSR_TRY(read_tuple(&coord, r, 0));
    TSR_TRY(read_tuple(&shape, r, 1));
    return answer_tuple(r, tsr_idx2crd(&out, &r->arena, coord, shape, &r->err), &out);
}

static tsr_status run_increment(row *r)
{
    const tsr_tuple *coord, *shape, *out;
    TSR_TRY(read_tuple(&coord, r, 0));
    TSR_TRY(read_tuple(&shape, r, 1));
    return answer_tuple(r, tsr_crd_increment(&out, &r->arena, coord, shape, &r->err), &out);
}

static tsr_status run_coalesce(row *r)
{
    tsr_tla layout, out;
    const tsr_tuple *profile = NULL;
    TSR_TRY(read_layout(&layout, r, 0));
    if (r->nparts > 1)
        TSR_TRY(read_tuple(&profile, r, 1));
    return answer_layout(r, tsr_tla_coalesce(&out, &r->arena, &layout, profile, &r->err), &out);
}

static tsr_status run_composition(row *r)
{
    tsr_tla layout, out;
    const tsr_tiler *tiler;
    TSR_TRY(read_layout(&layout, r, 0));
    TSR_TRY(read_tiler(&tiler, r, 1));
    return answer_layout(r, tsr_tla_compose(&out, &r->arena, &layout, tiler, &r->err), &out);
}

/* A shape's size, or a layout's. */
static tsr_status read_size(int64_t *out, row *r, int i)
{
    tsr_tla layout;
    const tsr_tuple *shape;
    if (is_layout(r->part[i])) {
        TSR_TRY(read_layout(&layout, r, i));
        *out = tsr_tla_size(&layout);
        return TSR_OK;
    }
    TSR_TRY(read_tuple(&shape, r, i));
    return tsr_tuple_size(out, shape, &r->err);
}

static tsr_status run_complement(row *r)
{
    tsr_tla layout, out;
    int64_t cosize = 1;
    TSR_TRY(read_layout(&layout, r, 0));
    if (r->nparts > 1)
        TSR_TRY(read_size(&cosize, r, 1));
    return answer_layout(r, tsr_tla_complement(&out, &r->arena, &layout, cosize, &r->err), &out);
}

static tsr_status run_size(row *r)
{
    int64_t v;
    return answer_int(r, read_size(&v, r, 0), &v);
}

static tsr_status run_cosize(row *r)
{
    tsr_tla layout;
    TSR_TRY(read_layout(&layout, r, 0));
    const int64_t v = tsr_tla_cosize(&layout);
    return answer_int(r, TSR_OK, &v);
}

static tsr_status run_inverse(row *r)
{
    tsr_tla layout, out;
    TSR_TRY(read_layout(&layout, r, 0));
    const bool right = strcmp(r->op, "right_inverse") == 0;
    return answer_layout(
        r, (right ? tsr_tla_right_inverse : tsr_tla_left_inverse)(&out, &r->arena, &layout, &r->err), &out);
}

/* "logical_divide", "zipped_product", ... */
static tsr_status run_form(row *r)
{
    static const struct {
        const char *prefix;
        tsr_tla_form form;
    } forms[] = {{"logical_", TSR_TLA_LOGICAL},
                 {"zipped_", TSR_TLA_ZIPPED},
                 {"tiled_", TSR_TLA_TILED},
                 {"flat_", TSR_TLA_FLAT}};
    tsr_tla layout, out;
    const tsr_tiler *tiler;
    size_t i = 0;
    while (strncmp(r->op, forms[i].prefix, strlen(forms[i].prefix)) != 0)
        i++;
    TSR_TRY(read_layout(&layout, r, 0));
    TSR_TRY(read_tiler(&tiler, r, 1));
    const bool divides = strstr(r->op, "divide") != NULL;
    return answer_layout(
        r,
        (divides ? tsr_tla_divide : tsr_tla_product)(&out, &r->arena, &layout, tiler, forms[i].form, &r->err),
        &out);
}

static tsr_status run_beside(row *r)
{
    tsr_tla block, tiler, out;
    TSR_TRY(read_layout(&block, r, 0));
    TSR_TRY(read_layout(&tiler, r, 1));
    const bool raked = strcmp(r->op, "raked_product") == 0;
    return answer_layout(
        r,
        (raked ? tsr_tla_raked_product : tsr_tla_blocked_product)(&out, &r->arena, &block, &tiler, &r->err),
        &out);
}

static tsr_status run_tile_to_shape(row *r)
{
    tsr_tla block, out;
    const tsr_tuple *shape, *order = NULL;
    TSR_TRY(read_layout(&block, r, 0));
    TSR_TRY(read_tuple(&shape, r, 1));
    if (r->nparts > 2)
        TSR_TRY(read_tuple(&order, r, 2));
    return answer_layout(r, tsr_tla_tile_to_shape(&out, &r->arena, &block, shape, order, &r->err), &out);
}

static tsr_status run_shape_div(row *r)
{
    const tsr_tuple *a, *b, *out;
    TSR_TRY(read_tuple(&a, r, 0));
    TSR_TRY(read_tuple(&b, r, 1));
    return answer_tuple(r, tsr_shape_div(&out, &r->arena, a, b, &r->err), &out);
}

static tsr_status run_shape_mod(row *r)
{
    const tsr_tuple *a, *out;
    int64_t n;
    TSR_TRY(read_tuple(&a, r, 0));
    TSR_TRY(read_size(&n, r, 1));
    return answer_tuple(r, tsr_shape_mod(&out, &r->arena, a, n, &r->err), &out);
}

static tsr_status run_ceil_div(row *r)
{
    const tsr_tuple *a, *out;
    const tsr_tiler *b;
    TSR_TRY(read_tuple(&a, r, 0));
    TSR_TRY(read_tiler(&b, r, 1));
    return answer_tuple(r, tsr_shape_ceil_div(&out, &r->arena, a, b, &r->err), &out);
}

static tsr_status run_compatible(row *r)
{
    const tsr_tuple *a, *b;
    TSR_TRY(read_tuple(&a, r, 0));
    TSR_TRY(read_tuple(&b, r, 1));
    tsr_text_add(&r->answer, tsr_tuple_compatible(a, b) ? "yes" : "no");
    return TSR_OK;
}

static tsr_status run_make_layout(row *r)
{
    const tsr_tuple *shape;
    tsr_tla out;
    assert_string_equal(r->word[0], "LayoutLeft");
    TSR_TRY(read_tuple(&shape, r, 0));
    return answer_layout(r, tsr_tla_make_left(&out, &r->arena, shape, &r->err), &out);
}

static tsr_status run_modes(row *r)
{
    tsr_tla layout[2], out;
    const char *text = r->part[r->nparts - 1], *word = r->word[r->nparts - 1];
    int v[4] = {0}, n = 0, first, last;
    TSR_TRY(read_layout(&layout[0], r, 0));
    if (strcmp(word, "concat") == 0) {
        TSR_TRY(read_layout(&layout[1], r, 1));
        return answer_layout(r, tsr_tla_concat(&out, &r->arena, 2, layout, &r->err), &out);
    }
    if (sscanf(text, "%d..%d", &first, &last) == 2) {
        if (strcmp(word, "group") == 0)
            return answer_layout(r, tsr_tla_group(&out, &r->arena, &layout[0], first, last, &r->err), &out);
        assert_string_equal(word, "take");
        for (int i = first; i < last; i++)
            v[n++] = i;
        return answer_layout(r, tsr_tla_select(&out, &r->arena, &layout[0], n, v, &r->err), &out);
    }
    n = sscanf(text, "%d,%d", &v[0], &v[1]);
    if (strcmp(word, "mode") == 0)
        return answer_layout(r, tsr_tla_mode(&out, &layout[0], n, v, &r->err), &out);
    assert_string_equal(word, "select");
    return answer_layout(r, tsr_tla_select(&out, &r->arena, &layout[0], n, v, &r->err), &out);
}

static tsr_status run_flatten(row *r)
{
    tsr_tla layout, flat;
    const tsr_tuple *tuple, *out;
    if (is_layout(r->part[0])) {
        TSR_TRY(read_layout(&layout, r, 0));
        return answer_layout(r, tsr_tla_flatten(&flat, &r->arena, &layout, &r->err), &flat);
    }
    TSR_TRY(read_tuple(&tuple, r, 0));
    return answer_tuple(r, tsr_tuple_flatten(&out, &r->arena, tuple, &r->err), &out);
}

static tsr_status run_product_each(row *r)
{
    const tsr_tuple *tuple, *out;
    TSR_TRY(read_tuple(&tuple, r, 0));
    return answer_tuple(r, tsr_tuple_product_each(&out, &r->arena, tuple, &r->err), &out);
}

/* "MakeLayout<16-bit,zN>" of "32 x 48"; the answers do not show the origin. */
static tsr_status run_make_fractal(row *r)
{
    int bits;
    char name[3];
    long long rows, cols;
    int64_t block_rows, block_cols;
    tsr_tla_fractal fractal;
    tsr_tla out;
    assert_int_equal(sscanf(r->op, "MakeLayout<%d-bit,%2s>", &bits, name), 2);
    assert_int_equal(sscanf(r->input, "%lld x %lld", &rows, &cols), 2);
    TSR_TRY(tsr_tla_fractal_parse(&fractal, name, &r->err));
    TSR_TRY(tsr_tla_fractal_block(&block_rows, &block_cols, fractal, bits, &r->err));
    TSR_TRY(tsr_tla_make_fractal(&out, &r->arena, fractal, (int64_t[]){rows, cols},
                                 (int64_t[]){block_rows, block_cols}, &r->err));
    assert_int_equal(tsr_tla_dim(&out, 0), rows);
    assert_int_equal(tsr_tla_dim(&out, 1), cols);
    assert_int_equal(tsr_tla_cosize(&out), tsr_tla_size(&out));
    out.origin = NULL;
    return answer_layout(r, TSR_OK, &out);
}

static tsr_status run_make_tile(row *r)
{
    tsr_tla layout, out;
    const tsr_tuple *tile;
    TSR_TRY(read_layout(&layout, r, 0));
    TSR_TRY(read_tuple(&tile, r, 1));
    return answer_layout(r, tsr_tla_make_tile(&out, &r->arena, &layout, tile, &r->err), &out);
}

static tsr_status run_tile_view(row *r)
{
    char layout_text[64], origin_text[64], text[160], tile_text[64], at_text[64];
    tsr_tla layout;
    tsr_tla_view view;
    const tsr_tuple *tile, *at;
    assert_int_equal(sscanf(r->input, "%63s origin %63s ; tile %63s ; at element %63s", layout_text,
                            origin_text, tile_text, at_text),
                     4);
    snprintf(text, sizeof text, "%s@%s", layout_text, origin_text);
    TSR_TRY(tsr_tla_parse(&layout, &r->arena, text, &r->err));
    TSR_TRY(tsr_tuple_parse(&tile, &r->arena, tile_text, &r->err));
    TSR_TRY(tsr_tuple_parse(&at, &r->arena, at_text, &r->err));
    TSR_TRY(tsr_tla_tile_view(&view, &r->arena, &layout, tile, at, &r->err));
    assert_int_equal(view.offset, 6 * 16 + 10);
    assert_true(tsr_tuple_equal(view.layout.stride, layout.stride));
    tsr_text_add(&r->answer, "shape ");
    tsr_tuple_print(&r->answer, view.layout.shape);
    tsr_text_add(&r->answer, ", stride kept, origin ");
    tsr_tuple_print(&r->answer, view.layout.origin);
    return TSR_OK;
}

static tsr_status run_tile_start(row *r)
{
    char coord_text[64], tile_text[64];
    const tsr_tuple *coord, *tile, *out;
    assert_int_equal(sscanf(r->input, "tile coord %63s tile shape %63s", coord_text, tile_text), 2);
    coord_text[strlen(coord_text) - 1] = '\0'; /* the comma */
    TSR_TRY(tsr_tuple_parse(&coord, &r->arena, coord_text, &r->err));
    TSR_TRY(tsr_tuple_parse(&tile, &r->arena, tile_text, &r->err));
    tsr_text_add(&r->answer, "element coord ");
    return answer_tuple(r, tsr_tla_tile_start(&out, &r->arena, tile, coord, &r->err), &out);
}

static const struct {
    const char *op; /* all of it, or a prefix when it ends with '*' */
    tsr_status (*run)(row *r);
} operations[] = {
    {"table", run_table},
    {"print2D", run_table},
    {"print1D", run_print_1d},
    {"print", run_print},
    {"crd2offset", run_offset},
    {"crd2idx", run_offset},
    {"layout_eval", run_offset},
    {"offset nZ*", run_offset},
    {"idx2crd", run_idx2crd},
    {"increment_coord", run_increment},
    {"coalesce", run_coalesce},
    {"composition", run_composition},
    {"complement", run_complement},
    {"size", run_size},
    {"tuple_product", run_size},
    {"cosize", run_cosize},
    {"right_inverse", run_inverse},
    {"left_inverse", run_inverse},
    {"blocked_product", run_beside},
    {"raked_product", run_beside},
    {"logical_*", run_form},
    {"zipped_*", run_form},
    {"tiled_*", run_form},
    {"flat_*", run_form},
    {"tile_to_shape", run_tile_to_shape},
    {"shape_div", run_shape_div},
    {"shape_div_stride", run_shape_div},
    {"shape_mod", run_shape_mod},
    {"ceil_div", run_ceil_div},
    {"compatible", run_compatible},
    {"make_layout", run_make_layout},
    {"modes", run_modes},
    {"flatten", run_flatten},
    {"tuple_product_each", run_product_each},
    {"MakeLayout<*", run_make_fractal},
    {"MakeLayoutTile", run_make_tile},
    {"GetTileLayout", run_tile_view},
    {"TileView", run_tile_start},
};

/* ---- rows ---- */

static void split_parts(row *r)
{
    const char *p = r->input;
    while (*p != '\0' && r->nparts < MAX_PARTS) {
        const char *end = strstr(p, " ; ");
        const size_t all = end ? (size_t)(end - p) : strlen(p);
        size_t n = 0;
        while (n < all && (isalpha((unsigned char)p[n]) || (n > 0 && p[n] == '_')))
            n++;
        snprintf(r->word[r->nparts], sizeof r->word[0], "%.*s", (int)n, p);
        n += n < all && p[n] == ' ';
        snprintf(r->part[r->nparts++], PART_NBYTES, "%.*s", (int)(all - n), p + n);
        p += all + (end ? 3 : 0);
    }
}

static tsr_status run(row *r)
{
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
        const char *op = operations[i].op;
        const size_t n = strlen(op);
        if (op[n - 1] == '*' ? strncmp(op, r->op, n - 1) == 0 : strcmp(op, r->op) == 0)
            return operations[i].run(r);
    }
    return tsr_fail(&r->err, TSR_UNSUPPORTED, "the test knows no operation '%s'", r->op);
}

/* Complements without a size come from two sources that treat the last mode, of size 1, differently: CuTe's
 * tests keep it with its stride, pycute drops it. Coalesced, the layouts are the same. */
static bool is_same_coalesced(row *r, const char *expected)
{
    const char *texts[2] = {tsr_text_cstr(&r->answer), expected};
    tsr_text printed[2] = {{0}, {0}};
    for (int i = 0; i < 2; i++) {
        tsr_tla layout, flat, simple;
        assert_ok(tsr_tla_parse(&layout, &r->arena, texts[i], err));
        assert_ok(tsr_tla_concat(&flat, &r->arena, 1, &layout, err)); /* so that 1:n is merged, too */
        assert_ok(tsr_tla_coalesce(&simple, &r->arena, &flat, NULL, err));
        tsr_tla_print(&printed[i], &simple);
    }
    const bool same = strcmp(tsr_text_cstr(&printed[0]), tsr_text_cstr(&printed[1])) == 0;
    tsr_text_clear(&printed[0]);
    tsr_text_clear(&printed[1]);
    return same;
}

/* Whether the row has the expected answer; prints the row if not. */
static bool check_row(char *const field[])
{
    row r = {.op = field[3], .input = field[4]};
    const char *expected = field[5];
    split_parts(&r);
    const tsr_status status = run(&r);
    const char *answer = tsr_text_cstr(&r.answer);
    bool ok;
    if (strstr(expected, "ERROR") != NULL)
        ok = status != TSR_OK && r.err.message[0] != '\0' && strstr(r.err.message, "knows no") == NULL;
    else
        ok = status == TSR_OK &&
             (strcmp(answer, expected) == 0 ||
              (strcmp(r.op, "complement") == 0 && r.nparts == 1 && is_same_coalesced(&r, expected)));
    if (!ok)
        print_error("%s: %s %s: expected %s, got %s (%s)\n", field[0], r.op, r.input, expected, answer,
                    r.err.message);
    tsr_text_clear(&r.answer);
    tsr_arena_clear(&r.arena);
    return ok;
}

static void test_cases(void **state)
{
    (void)state;
    if (!tsr_test_shared())
        skip();
    size_t nbytes;
    char *text = tsr_test_slurp(tsr_test_path(tsr_test_shared(), "cases/cute-cases.tsv"), &nbytes);
    int nrows = 0, nbad = 0;
    for (char *line = text, *next; line && *line != '\0'; line = next) {
        char *field[MAX_FIELDS + 1] = {line};
        int n = 1;
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        for (char *p = line; *p != '\0'; p++)
            if (*p == '\t') {
                *p = '\0';
                if (n <= MAX_FIELDS)
                    field[n++] = p + 1;
            }
        if (n <= MAX_FIELDS || strcmp(field[0], "id") == 0)
            continue;
        nrows++;
        nbad += !check_row(field);
    }
    free(text);
    assert_int_equal(nbad, 0);
    assert_true(nrows >= 276);
    assert_true(tsr_alloc_live() <= 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
