/* tlayout LAYOUT ...: facts about one layout; and the commands on layouts of any notation. */
#include <stdio.h>
#include <string.h>

#include "tlayout.h"
#include "tsr_format.h"

enum { TABLE_MAX = 1 << 16, SMALL_TABLE = 40 * 20 };

/* ---- tables ---- */

/* Elements, or more than TABLE_MAX. */
static int64_t count_elements(const tsr_layout *layout)
{
    int64_t n = 1;
    for (int d = 0; d < layout->rank; d++) {
        if (layout->dims[d] == 0)
            return 0;
        n = layout->dims[d] > TABLE_MAX ? TABLE_MAX + 1 : n * layout->dims[d];
        if (n > TABLE_MAX)
            return TABLE_MAX + 1;
    }
    return n;
}

/* Walk the coordinates in row-major order; false after the last. */
static bool next_coord(int64_t *coord, const tsr_layout *layout)
{
    for (int d = layout->rank - 1; d >= 0; d--) {
        if (++coord[d] < layout->dims[d])
            return true;
        coord[d] = 0;
    }
    return false;
}

static tsr_status check_cells(const tsr_layout *layout, tsr_error *err)
{
    if (count_elements(layout) > TABLE_MAX)
        return tsr_fail(err, TSR_LIMIT,
                        "the layout has more than %d elements, too many for a table: ask for single "
                        "elements, such as 2,3",
                        TABLE_MAX);
    return TSR_OK;
}

/* The table of a map: a row for each index of all dims but the last, '.' outside the domain. */
static void add_map_table(tsr_text *text, const tsr_layout *layout)
{
    int64_t coord[TSR_MAP_MAX_VARS] = {0}, offset;
    char cell[32];
    const int width =
        snprintf(cell, sizeof cell, "%lld", (long long)(layout->span > 0 ? layout->span - 1 : 0));
    const int last = layout->rank - 1;
    if (count_elements(layout) == 0)
        return;
    do {
        const bool starts = last < 0 || coord[last] == 0;
        if (tsr_layout_offset(&offset, layout, coord, NULL) == TSR_OK)
            tsr_text_addf(text, starts ? "%*lld" : " %*lld", width, (long long)offset);
        else
            tsr_text_addf(text, starts ? "%*s" : " %*s", width, ".");
        if (last < 0 || coord[last] == layout->dims[last] - 1)
            tsr_text_add(text, "\n");
    } while (next_coord(coord, layout));
}

static tsr_status add_table(tsr_text *text, const tsr_layout *layout, tsr_error *err)
{
    TSR_TRY(check_cells(layout, err));
    if (layout->kind == TSR_LAYOUT_XLA)
        return tsr_xla_table(text, layout->xla, err);
    if (layout->kind == TSR_LAYOUT_TLA && (layout->rank == 1 || layout->rank == 2))
        return tsr_tla_print_2d(text, &layout->tla, err);
    add_map_table(text, layout);
    return TSR_OK;
}

/* The offsets as nested arrays; null outside the domain. */
static void json_table(tsr_tlayout *t, const char *key, const tsr_layout *layout, int d, int64_t *coord)
{
    int64_t offset;
    if (d == layout->rank) {
        if (tsr_layout_offset(&offset, layout, coord, NULL) == TSR_OK)
            tsr_json_i64(&t->out.json, key, offset);
        else
            tsr_json_null(&t->out.json, key);
        return;
    }
    tsr_json_open(&t->out.json, key, '[', d == layout->rank - 1);
    for (coord[d] = 0; coord[d] < layout->dims[d]; coord[d]++)
        json_table(t, NULL, layout, d + 1, coord);
    coord[d] = 0;
    tsr_json_close(&t->out.json, ']');
}

static tsr_status say_table(tsr_tlayout *t, const tsr_layout *layout, tsr_error *err)
{
    int64_t coord[TSR_MAP_MAX_VARS] = {0};
    TSR_TRY(check_cells(layout, err));
    if (t->json) {
        if (layout->rank > TSR_JSON_MAX_DEPTH - 4)
            return tsr_fail(err, TSR_LIMIT, "a table in JSON has at most %d dims", TSR_JSON_MAX_DEPTH - 4);
        json_table(t, "table", layout, 0, coord);
        return TSR_OK;
    }
    tsr_text text = {0};
    const tsr_status status = add_table(&text, layout, err);
    if (status == TSR_OK)
        return tsr_tlayout_say(t, "table", &text, err);
    tsr_text_clear(&text);
    return status;
}

/* ---- sizes ---- */

typedef struct sizes {
    double nelems;          /* the size may exceed 64 bits if strides are 0 */
    int64_t nslots, nbytes; /* nbytes -1: the type is not known */
} sizes;

static void measure(sizes *s, const tsr_tlayout *t, const tsr_layout *layout)
{
    s->nelems = 1;
    for (int d = 0; d < layout->rank; d++)
        s->nelems *= (double)layout->dims[d];
    s->nslots = layout->span;
    s->nbytes = -1;
    const int64_t nbits = t->type ? tsr_xla_type_nbits(t->type) : 0;
    if (layout->kind == TSR_LAYOUT_XLA) {
        if (tsr_xla_nbytes(&s->nbytes, layout->xla, NULL) != TSR_OK)
            s->nbytes = -1;
    } else if (nbits > 0 && s->nslots <= INT64_MAX / nbits - 7) {
        s->nbytes = (s->nslots * nbits + 7) / 8;
    }
}

static tsr_status say_size(tsr_tlayout *t, const tsr_layout *layout, tsr_error *err)
{
    sizes s;
    tsr_text text = {0};
    measure(&s, t, layout);
    if (t->json) {
        tsr_json_f64(&t->out.json, "elements", s.nelems);
        tsr_json_i64(&t->out.json, "slots", s.nslots);
        if (s.nbytes >= 0)
            tsr_json_i64(&t->out.json, "bytes", s.nbytes);
        return TSR_OK;
    }
    tsr_text_addf(&text, "%.0f element%s in %lld slot%s", s.nelems, s.nelems == 1 ? "" : "s",
                  (long long)s.nslots, s.nslots == 1 ? "" : "s");
    if (s.nbytes >= 0)
        tsr_text_addf(&text, ", %lld byte%s", (long long)s.nbytes, s.nbytes == 1 ? "" : "s");
    return tsr_tlayout_say(t, "size", &text, err);
}

/* ---- points ---- */

/* A coordinate as the notation writes it: TLA's may be nested, or one integer for all. */
static tsr_status find_offset(int64_t *offset, tsr_tlayout *t, const tsr_layout *layout, const char *word,
                              tsr_error *err)
{
    int64_t coord[TSR_MAP_MAX_VARS];
    int n = 0;
    if (layout->kind == TSR_LAYOUT_TLA && (strchr(word, '(') || !strchr(word, ','))) {
        const tsr_tuple *tuple = NULL;
        TSR_TRY(tsr_tlayout_parse_tuple(&tuple, t, word, err));
        return tsr_tla_offset(offset, &layout->tla, tuple, err);
    }
    if (layout->kind == TSR_LAYOUT_SWIZZLED && (strchr(word, '(') || !strchr(word, ','))) {
        const tsr_tuple *tuple = NULL;
        TSR_TRY(tsr_tlayout_parse_tuple(&tuple, t, word, err));
        TSR_TRY(tsr_tla_offset(offset, &layout->swizzled.layout, tuple, err));
        *offset = tsr_swizzle_apply(&layout->swizzled.swizzle, layout->swizzled.offset + *offset);
        return TSR_OK;
    }
    TSR_TRY(tsr_tlayout_parse_point(coord, &n, layout->rank, word, err));
    if (n != layout->rank)
        return tsr_fail(err, TSR_ARGUMENT, "the layout has %d dims, '%s' has %d", layout->rank, word, n);
    return tsr_layout_offset(offset, layout, coord, err);
}

static tsr_status say_point(void *to, tsr_tlayout *t, const char *word, tsr_error *err)
{
    int64_t offset;
    TSR_TRY(find_offset(&offset, t, to, word, err));
    tsr_tlayout_say_i64(t, t->many ? NULL : "offset", offset);
    return TSR_OK;
}

static tsr_status say_element(tsr_tlayout *t, const tsr_layout *layout, tsr_error *err)
{
    int64_t offset, coord[TSR_MAP_MAX_VARS];
    bool padding;
    tsr_text text = {0};
    TSR_TRY(tsr_tlayout_parse_i64(&offset, "--inverse", t->inverse, err));
    TSR_TRY(tsr_layout_element(coord, &padding, layout, offset, err));
    if (t->json) {
        tsr_json_bool(&t->out.json, "padding", padding);
        if (!padding)
            tsr_tlayout_json_list(t, "element", layout->rank, coord);
        return TSR_OK;
    }
    if (padding)
        tsr_text_add(&text, "padding");
    else
        tsr_tlayout_add_point(&text, layout->rank, coord);
    return tsr_tlayout_say(t, "element", &text, err);
}

static tsr_status say_order(tsr_tlayout *t, const tsr_layout *layout, tsr_error *err)
{
    int64_t coord[TSR_MAP_MAX_VARS];
    bool padding;
    tsr_text text = {0};
    if (layout->span > TABLE_MAX)
        return tsr_fail(
            err, TSR_LIMIT,
            "the layout has more than %d slots, too many to print: use --inverse=N for single ones",
            TABLE_MAX);
    if (layout->kind == TSR_LAYOUT_XLA && !t->json) {
        const tsr_status status = tsr_xla_print_order(&text, layout->xla, 0, layout->span, err);
        if (status == TSR_OK)
            return tsr_tlayout_say(t, "order", &text, err);
        tsr_text_clear(&text);
        return status;
    }
    if (t->json)
        tsr_json_open(&t->out.json, "order", '[', true);
    for (int64_t offset = 0; offset < layout->span; offset++) {
        const tsr_status status = tsr_layout_element(coord, &padding, layout, offset, err);
        if (status != TSR_OK) {
            tsr_text_clear(&text);
            return status;
        }
        if (t->json) {
            if (padding)
                tsr_json_null(&t->out.json, NULL);
            else
                tsr_tlayout_json_list(t, NULL, layout->rank, coord);
            continue;
        }
        tsr_text_add(&text, offset > 0 ? " " : "");
        if (padding)
            tsr_text_add(&text, "pad");
        else
            tsr_tlayout_add_point(&text, layout->rank, coord);
    }
    if (!t->json)
        return tsr_tlayout_say(t, "order", &text, err);
    tsr_json_close(&t->out.json, ']');
    return TSR_OK;
}

static tsr_status say_steps(tsr_tlayout *t, const tsr_layout *layout, tsr_error *err)
{
    tsr_text text = {0};
    if (layout->kind != TSR_LAYOUT_XLA)
        return tsr_fail(err, TSR_ARGUMENT,
                        "--steps shows the tiling of XLA layouts, and this is not an XLA layout");
    const tsr_status status = tsr_xla_print_steps(&text, layout->xla, err);
    if (status == TSR_OK)
        return tsr_tlayout_say(t, "steps", &text, err);
    tsr_text_clear(&text);
    return status;
}

static tsr_status say_map(tsr_tlayout *t, const tsr_layout *layout, tsr_error *err)
{
    tsr_text text = {0};
    tsr_map_show(&text, layout->offset);
    return tsr_tlayout_say(t, "map", &text, err);
}

/* ---- the description of a layout ---- */

static tsr_status describe(tsr_tlayout *t, const tsr_layout *layout, tsr_error *err)
{
    static const char *const notations[] = {"xla", "tla", "map", "swizzled"};
    tsr_text text = {0};
    tsr_layout_print(&text, layout);
    TSR_TRY(tsr_tlayout_say(t, "layout", &text, err));
    if (t->json) {
        tsr_json_string(&t->out.json, "notation", notations[layout->kind]);
        tsr_tlayout_json_list(t, "dims", layout->rank, layout->dims);
        if (layout->kind == TSR_LAYOUT_XLA)
            tsr_json_bool(&t->out.json, "linear", tsr_xla_is_linear(layout->xla));
    }
    TSR_TRY(say_size(t, layout, err));
    TSR_TRY(say_map(t, layout, err));
    const int64_t n = count_elements(layout);
    if (t->json || n == 0 || n > SMALL_TABLE || layout->rank == 0 || layout->dims[layout->rank - 1] > 40)
        return TSR_OK;
    putchar('\n');
    return say_table(t, layout, err);
}

static tsr_status answer(tsr_tlayout *t, tsr_layout *layout, int n, const char *const *coord, tsr_error *err)
{
    if (t->part && !t->svg)
        return tsr_fail(err, TSR_ARGUMENT,
                        "--cells is the part of the layout that --svg draws: add --svg=FILE");
    if (n > 0)
        return tsr_tlayout_each_point(t, &(tsr_tlayout_points){"offsets", n, coord}, say_point, layout, err);
    const bool asked = t->inverse || t->table || t->size || t->map || t->order || t->steps || t->svg;
    if (!asked)
        return describe(t, layout, err);
    if (t->inverse)
        TSR_TRY(say_element(t, layout, err));
    if (t->size)
        TSR_TRY(say_size(t, layout, err));
    if (t->map)
        TSR_TRY(say_map(t, layout, err));
    if (t->steps)
        TSR_TRY(say_steps(t, layout, err));
    if (t->order)
        TSR_TRY(say_order(t, layout, err));
    if (t->table)
        TSR_TRY(say_table(t, layout, err));
    return t->svg ? tsr_tlayout_draw(t->svg, layout, t->part, err) : TSR_OK;
}

tsr_status tsr_tlayout_show(tsr_tlayout *t, int n, const char *const *word, tsr_error *err)
{
    tsr_layout *layout = NULL;
    TSR_TRY(tsr_tlayout_parse_layout(&layout, t, word[0], err));
    const tsr_status status = answer(t, layout, n - 1, word + 1, err);
    tsr_layout_free(layout);
    return status;
}

/* ---- equal ---- */

static tsr_status say_difference(tsr_tlayout *t, const tsr_layout_difference *d, const tsr_layout *a,
                                 const tsr_layout *b, tsr_error *err)
{
    const bool same = d->verdict == TSR_LAYOUT_SAME;
    tsr_text text = {0};
    t->code = same ? TSR_EXIT_OK : TSR_EXIT_INPUT;
    if (t->json) {
        tsr_json_bool(&t->out.json, "equal", same);
        if (d->verdict == TSR_LAYOUT_OTHER_OFFSET || d->verdict == TSR_LAYOUT_OTHER_DOMAIN)
            tsr_tlayout_json_list(t, "first", a->rank, d->coord);
        if (d->verdict == TSR_LAYOUT_OTHER_OFFSET)
            tsr_tlayout_json_list(t, "offsets", 2, d->offset);
        return TSR_OK;
    }
    switch (d->verdict) {
    case TSR_LAYOUT_SAME:
        tsr_text_add(&text, "equal");
        if (a->span != b->span)
            tsr_text_addf(&text, ", but the first takes %lld slots, the second %lld", (long long)a->span,
                          (long long)b->span);
        break;
    case TSR_LAYOUT_OTHER_RANK:
        tsr_text_addf(&text, "differ: the first has %d dims, the second %d", a->rank, b->rank);
        break;
    case TSR_LAYOUT_OTHER_DIM:
        tsr_text_addf(&text, "differ: dim %d is %lld in the first, %lld in the second", d->dim,
                      (long long)a->dims[d->dim], (long long)b->dims[d->dim]);
        break;
    default:
        tsr_text_add(&text, "differ at ");
        tsr_tlayout_add_point(&text, a->rank, d->coord);
        if (d->verdict == TSR_LAYOUT_OTHER_OFFSET)
            tsr_text_addf(&text, ": %lld and %lld", (long long)d->offset[0], (long long)d->offset[1]);
        else
            tsr_text_add(&text, ", which is in the domain of one only");
    }
    return tsr_tlayout_say(t, "verdict", &text, err);
}

/* Two maps, on their domains, result by result. */
static tsr_status equal_maps(tsr_tlayout *t, const char *const *word, tsr_error *err)
{
    tsr_map *a = NULL, *b = NULL;
    int64_t point[TSR_MAP_MAX_VARS];
    bool same = false;
    tsr_text text = {0};
    tsr_status status = TSR_OK;
    TSR_TRY_OUT(tsr_tlayout_parse_map(&a, t, word[0], err));
    TSR_TRY_OUT(tsr_tlayout_parse_map(&b, t, word[1], err));
    TSR_TRY_OUT(tsr_map_same(&same, point, a, b, err));
    t->code = same ? TSR_EXIT_OK : TSR_EXIT_INPUT;
    if (t->json) {
        tsr_json_bool(&t->out.json, "equal", same);
        if (!same)
            tsr_tlayout_json_list(t, "first", tsr_map_nvars(a), point);
        goto out;
    }
    tsr_text_add(&text, same ? "equal" : "differ at ");
    if (!same)
        tsr_tlayout_add_point(&text, tsr_map_nvars(a), point);
    TSR_TRY_OUT(tsr_tlayout_say(t, "verdict", &text, err));
out:
    tsr_map_free(a);
    tsr_map_free(b);
    return status;
}

static tsr_status run_equal(tsr_tlayout *t, int n, const char *const *word, tsr_error *err)
{
    tsr_layout *a = NULL, *b = NULL;
    tsr_layout_difference difference;
    (void)n;
    if (tsr_layout_kind_of(word[0]) == TSR_LAYOUT_MAP && tsr_layout_kind_of(word[1]) == TSR_LAYOUT_MAP)
        return equal_maps(t, word, err);
    tsr_status status = tsr_tlayout_parse_layout(&a, t, word[0], err);
    if (status == TSR_OK)
        status = tsr_tlayout_parse_layout(&b, t, word[1], err);
    if (status == TSR_OK)
        status = tsr_layout_same(&difference, a, b, err);
    if (status == TSR_OK)
        status = say_difference(t, &difference, a, b, err);
    tsr_layout_free(a);
    tsr_layout_free(b);
    return status;
}

/* ---- convert ---- */

/* Parse the storage format in the text; dims: those of --dims. */
static tsr_status parse_format(tsr_format **out, uint64_t *dims, tsr_tlayout *t, const char *text,
                               tsr_error *err)
{
    for (int d = 0; d < t->ndims; d++)
        dims[d] = (uint64_t)t->dims[d];
    return tsr_tlayout_in_text(
        t, text, tsr_format_parse(out, text, t->ndims > 0 ? t->ndims : -1, t->ndims > 0 ? dims : NULL, err));
}

/* Write a storage format in another notation of formats. */
static tsr_status convert_format(tsr_tlayout *t, const tsr_format_notation *to, const char *word,
                                 tsr_error *err)
{
    uint64_t dims[TSR_XLA_MAX_RANK];
    tsr_format *format = NULL;
    tsr_text text = {0};
    TSR_TRY(parse_format(&format, dims, t, word, err));
    tsr_status status = to->print(&text, format, t->ndims > 0 ? dims : NULL, err);
    if (status == TSR_OK)
        status = tsr_tlayout_say(t, t->to, &text, err);
    tsr_text_clear(&text);
    tsr_format_free(format);
    return status;
}

/* Whether the text is a storage format with sparse levels, and so not a layout. */
static bool is_sparse_format(const tsr_tlayout *t, const char *word)
{
    tsr_tlayout ignored = *t;
    uint64_t dims[TSR_XLA_MAX_RANK];
    tsr_format *format = NULL;
    const bool sparse =
        parse_format(&format, dims, &ignored, word, NULL) == TSR_OK && !tsr_format_is_dense(format);
    tsr_format_free(format);
    return sparse;
}

static tsr_status run_convert(tsr_tlayout *t, int n, const char *const *word, tsr_error *err)
{
    tsr_layout *layout = NULL;
    tsr_text text = {0};
    (void)n;
    if (!t->to)
        return tsr_fail(err, TSR_ARGUMENT,
                        "missing notation: use --to=NOTATION, such as --to=mlir or --to=name");
    const tsr_format_notation *const to =
        tsr_format_notation_by_name(strcmp(t->to, "format") == 0 ? "long" : t->to);
    const bool of_layouts =
        strcmp(t->to, "xla") == 0 || strcmp(t->to, "tla") == 0 || strcmp(t->to, "format") == 0;
    if (to && (!of_layouts || is_sparse_format(t, word[0])))
        return convert_format(t, to, word[0], err);
    TSR_TRY(tsr_tlayout_parse_layout(&layout, t, word[0], err));
    tsr_status status = TSR_OK;
    if (strcmp(t->to, "map") == 0)
        tsr_map_print(&text, layout->offset); /* also for a map of several levels */
    else
        status = tsr_layout_print_as(&text, layout, t->to, t->type, err);
    if (status == TSR_OK)
        status = tsr_tlayout_say(t, t->to, &text, err);
    tsr_text_clear(&text);
    tsr_layout_free(layout);
    return status;
}

/* ---- XLA's named formats ---- */

static tsr_status list_named(tsr_tlayout *t, tsr_error *err)
{
    int n = 0;
    const tsr_xla_named *const named = tsr_xla_named_list(&n);
    tsr_text text = {0};
    if (t->json)
        tsr_json_open(&t->out.json, "formats", '[', false);
    for (int i = 0; i < n; i++) {
        if (t->json) {
            tsr_json_open(&t->out.json, NULL, '{', true);
            tsr_json_string(&t->out.json, "name", named[i].name);
            tsr_json_string(&t->out.json, "tiles", named[i].tiles);
            tsr_json_close(&t->out.json, '}');
        } else {
            tsr_text_addf(&text, "%-12s %-16s %s\n", named[i].name, named[i].tiles, named[i].words);
        }
    }
    if (!t->json)
        return tsr_tlayout_say(t, "formats", &text, err);
    tsr_json_close(&t->out.json, ']');
    return TSR_OK;
}

static tsr_status run_tpu(tsr_tlayout *t, int n, const char *const *word, tsr_error *err)
{
    tsr_layout *layout = NULL;
    tsr_xla *xla = NULL;
    tsr_text text = {0};
    const tsr_xla_named *chosen = NULL;
    tsr_status status = TSR_OK;
    if (n == 0)
        return list_named(t, err);
    TSR_TRY(tsr_tlayout_parse_layout(&layout, t, word[0], err));
    if (layout->kind != TSR_LAYOUT_XLA)
        TSR_TRY_OUT(tsr_fail(err, TSR_ARGUMENT, "tpu takes an XLA layout such as f32[3,300]"));
    if (n < 2)
        TSR_TRY_OUT(tsr_xla_choose(&chosen, layout->xla, err));
    TSR_TRY_OUT(tsr_xla_apply_named(&xla, layout->xla, chosen ? chosen->name : word[1], err));
    if (chosen && t->json)
        tsr_json_string(&t->out.json, "name", chosen->name);
    tsr_xla_print(&text, xla);
    TSR_TRY_OUT(tsr_tlayout_say(t, "layout", &text, err));
out:
    tsr_text_clear(&text);
    tsr_xla_free(xla);
    tsr_layout_free(layout);
    return status;
}

/* The commands that write an XLA shape as another shape of the same bytes. */
static tsr_status run_same_bytes(tsr_tlayout *t, int n, const char *const *word, tsr_error *err)
{
    tsr_layout *layout = NULL;
    tsr_xla *xla = NULL;
    tsr_text text = {0};
    tsr_status status = TSR_OK;
    (void)n;
    TSR_TRY(tsr_tlayout_parse_layout(&layout, t, word[0], err));
    if (layout->kind != TSR_LAYOUT_XLA)
        TSR_TRY_OUT(tsr_fail(err, TSR_ARGUMENT, "%s takes an XLA layout such as f32[3,5]{1,0:T(2,2)}",
                             t->command->name));
    TSR_TRY_OUT((strcmp(t->command->name, "combine") == 0 ? tsr_xla_combine
                                                          : tsr_xla_physical)(&xla, layout->xla, err));
    tsr_xla_print(&text, xla);
    TSR_TRY_OUT(tsr_tlayout_say(t, "layout", &text, err));
out:
    tsr_xla_free(xla);
    tsr_layout_free(layout);
    return status;
}

/* Mosaic's tiles with strides: the strides of the expanded dims, and with --dims how many dims are contiguous. */
static tsr_status run_tiled(tsr_tlayout *t, int n, const char *const *word, tsr_error *err)
{
    tsr_tpu_tiled tiled;
    int64_t strides[TSR_XLA_MAX_EXPANDED];
    int nstrides, ncontiguous = 0;
    tsr_text text = {0};
    (void)n;
    TSR_TRY(tsr_tlayout_in_text(t, word[0], tsr_tpu_tiled_parse(&tiled, word[0], err)));
    TSR_TRY(tsr_tpu_tiled_expanded_strides(strides, &nstrides, &tiled, err));
    if (t->ndims > 0)
        TSR_TRY(tsr_tpu_tiled_contiguous_dims(&ncontiguous, &tiled, t->ndims, t->dims, err));
    tsr_tpu_tiled_print(&text, &tiled);
    TSR_TRY(tsr_tlayout_say(t, "layout", &text, err));
    if (t->json) {
        tsr_tlayout_json_list(t, "strides", nstrides, strides); /* -1: unknown */
        if (t->ndims > 0)
            tsr_json_i64(&t->out.json, "contiguous_dims", ncontiguous);
        return TSR_OK;
    }
    tsr_text_add(&text, "strides");
    for (int k = 0; k < nstrides; k++)
        if (strides[k] == TSR_TPU_UNKNOWN)
            tsr_text_add(&text, " ?");
        else
            tsr_text_addf(&text, " %lld", (long long)strides[k]);
    if (t->ndims > 0)
        tsr_text_addf(&text, "\ncontiguous: the tiles of the last %d dim%s", ncontiguous,
                      ncontiguous == 1 ? "" : "s");
    return tsr_tlayout_say(t, "strides", &text, err);
}

const tsr_tlayout_command tsr_tlayout_layout_commands[] = {
    {"equal", "A B",
     "prove that two layouts or maps are equal, or print the first coordinate where they differ", 2, 2,
     run_equal},
    {"convert", "--to=NOTATION LAYOUT", "write the layout, or the storage format, in another notation", 1, 1,
     run_convert},
    {"tpu", "[LAYOUT [NAME]]",
     "the layout in the TPU format for its dims and type, or in the named format; alone: the names", 0, 2,
     run_tpu},
    {"physical", "LAYOUT", "the shape without tiles that has the bytes of an XLA layout", 1, 1,
     run_same_bytes},
    {"combine", "LAYOUT", "the XLA layout with the dims folded that a star in its first tile folds", 1, 1,
     run_same_bytes},
    {"tpu_tiled", "TILED",
     "tiles with strides, #tpu.tiled<(8,128),[2,1]>: the strides in elements; with --dims, the dims whose "
     "tiles are contiguous",
     1, 1, run_tiled},
    {0},
};
