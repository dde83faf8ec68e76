/* TLA layouts: the first line is a layout, the second, when there is one, a tiler. What parses prints as text
 * that parses back equal; coalescing keeps the function, inverses and complements obey their laws, storable
 * layouts give back coordinates, and what is composed computes one after the other. */
#include "tsr_fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "tsr_tla.h"

enum { MAX_SIZE = 512 }; /* larger layouts are only made, not walked through */

static bool is_small(const tsr_tla *layout)
{
    return tsr_tla_size(layout) <= MAX_SIZE;
}

/* The offset of linear coordinate c < size. */
static int64_t offset_of(tsr_arena *arena, const tsr_tla *layout, int64_t c)
{
    const tsr_tuple *coord;
    int64_t offset;
    TSR_FUZZ_MUST(tsr_tuple_int(&coord, arena, c, NULL) == TSR_OK);
    TSR_FUZZ_MUST(tsr_tla_offset(&offset, layout, coord, NULL) == TSR_OK);
    return offset;
}

static void check_print(tsr_arena *arena, const tsr_tla *layout)
{
    tsr_text text = {0};
    tsr_tla back;
    tsr_tla_print(&text, layout);
    TSR_FUZZ_MUST(tsr_text_status(&text, NULL) == TSR_OK);
    TSR_FUZZ_MUST(tsr_tla_parse(&back, arena, tsr_text_cstr(&text), NULL) == TSR_OK);
    TSR_FUZZ_MUST(tsr_tla_equal(layout, &back));
    tsr_text_clear(&text);
}

static void check_coalesce(tsr_arena *arena, const tsr_tla *layout)
{
    tsr_tla simple;
    TSR_FUZZ_MUST(tsr_tla_coalesce(&simple, arena, layout, NULL, NULL) == TSR_OK);
    check_print(arena, &simple);
    TSR_FUZZ_MUST(tsr_tla_size(&simple) == tsr_tla_size(layout));
    TSR_FUZZ_MUST(tsr_tla_cosize(&simple) == tsr_tla_cosize(layout));
    if (is_small(layout))
        for (int64_t c = 0; c < tsr_tla_size(layout); c++)
            TSR_FUZZ_MUST(offset_of(arena, layout, c) == offset_of(arena, &simple, c));
}

static void check_inverses(tsr_arena *arena, const tsr_tla *layout)
{
    tsr_tla inverse, parts[2] = {*layout}, both;
    if (tsr_tla_right_inverse(&inverse, arena, layout, NULL) == TSR_OK && is_small(&inverse))
        for (int64_t k = 0; k < tsr_tla_size(&inverse); k++)
            TSR_FUZZ_MUST(offset_of(arena, layout, offset_of(arena, &inverse, k)) == k);
    if (tsr_tla_left_inverse(&inverse, arena, layout, NULL) == TSR_OK && is_small(layout))
        for (int64_t c = 0; c < tsr_tla_size(layout); c++) {
            const int64_t offset = offset_of(arena, layout, c);
            TSR_FUZZ_MUST(offset_of(arena, layout, offset_of(arena, &inverse, offset)) == offset);
        }
    if (tsr_tla_complement(&parts[1], arena, layout, 1000, NULL) == TSR_OK &&
        tsr_tla_concat(&both, arena, 2, parts, NULL) == TSR_OK)
        check_print(arena, &both);
}

static void check_levels(tsr_arena *arena, const tsr_tla *layout)
{
    int64_t coord[TSR_TLA_MAX_LEAVES];
    tsr_tla_levels levels;
    tsr_map *map;
    if (tsr_tla_to_map(&map, layout, NULL) == TSR_OK)
        tsr_map_free(map);
    if (tsr_tla_to_levels(&levels, layout, NULL) != TSR_OK)
        return;
    if (tsr_tla_levels_map(&map, &levels, NULL) == TSR_OK)
        tsr_map_free(map);
    if (is_small(layout) && !layout->origin)
        for (int64_t c = 0; c < tsr_tla_size(layout); c++) {
            const int64_t offset = offset_of(arena, layout, c);
            TSR_FUZZ_MUST(tsr_tla_levels_coord(coord, &levels, offset));
            TSR_FUZZ_MUST(tsr_tla_offset_at(layout, coord) == offset);
        }
}

static void check_tiler(tsr_arena *arena, const tsr_tla *layout, const char *text)
{
    const tsr_tiler *tiler;
    tsr_tla result;
    if (tsr_tiler_parse(&tiler, arena, text, NULL) != TSR_OK)
        return;
    if (tsr_tla_compose(&result, arena, layout, tiler, NULL) == TSR_OK) {
        check_print(arena, &result);
        if (tiler->kind == TSR_TILER_LAYOUT && is_small(&result) &&
            tsr_tla_cosize(&tiler->layout) <= tsr_tla_size(layout))
            for (int64_t c = 0; c < tsr_tla_size(&result); c++)
                TSR_FUZZ_MUST(offset_of(arena, &result, c) ==
                              offset_of(arena, layout, offset_of(arena, &tiler->layout, c)));
    }
    for (tsr_tla_form form = TSR_TLA_LOGICAL; form <= TSR_TLA_FLAT; form++) {
        if (tsr_tla_divide(&result, arena, layout, tiler, form, NULL) == TSR_OK)
            check_print(arena, &result);
        if (tsr_tla_product(&result, arena, layout, tiler, form, NULL) == TSR_OK)
            check_print(arena, &result);
    }
    if (tiler->kind != TSR_TILER_LAYOUT)
        return;
    if (tsr_tla_blocked_product(&result, arena, layout, &tiler->layout, NULL) == TSR_OK)
        check_print(arena, &result);
    if (tsr_tla_raked_product(&result, arena, layout, &tiler->layout, NULL) == TSR_OK)
        check_print(arena, &result);
    if (tsr_tla_tile_to_shape(&result, arena, layout, tiler->layout.shape, NULL, NULL) == TSR_OK)
        check_print(arena, &result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes)
{
    char *const text = tsr_fuzz_text(data, nbytes);
    char *second = strchr(text, '\n');
    if (second)
        *second++ = '\0';
    tsr_arena arena = {0};
    tsr_tla layout;
    tsr_error err = {0};
    const tsr_status status = tsr_tla_parse(&layout, &arena, text, &err);
    if (status != TSR_OK) {
        TSR_FUZZ_MUST(!layout.shape && err.status == status && err.message[0] != '\0');
        TSR_FUZZ_MUST(err.col <= nbytes + 1);
    } else {
        check_print(&arena, &layout);
        check_coalesce(&arena, &layout);
        check_inverses(&arena, &layout);
        check_levels(&arena, &layout);
        if (second)
            check_tiler(&arena, &layout, second);
    }
    tsr_arena_clear(&arena);
    free(text);
    return 0;
}
