/* Layouts of any notation, one a line, one or two. What parses prints as text that parses back to the same
 * offsets; elements have the offset that they were found at; a layout is equal to what it is converted into;
 * and of two layouts that differ, the coordinate that is named has the offsets that are named. */
#include "tsr_fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "tsr_format.h"
#include "tsr_layout.h"

enum { MAX_SIZE = 512 }; /* larger layouts are only made, not walked through */

static bool is_small(const tsr_layout *layout)
{
    int64_t n = 1;
    for (int d = 0; d < layout->rank; d++) {
        n *= layout->dims[d];
        if (layout->dims[d] > MAX_SIZE || n > MAX_SIZE)
            return false;
    }
    return layout->span <= MAX_SIZE;
}

static void check_elements(const tsr_layout *layout)
{
    int64_t coord[TSR_MAP_MAX_VARS], offset;
    bool padding;
    for (int64_t at = 0; at < layout->span; at++) {
        if (tsr_layout_element(coord, &padding, layout, at, NULL) != TSR_OK || padding)
            continue;
        TSR_FUZZ_MUST(tsr_layout_offset(&offset, layout, coord, NULL) == TSR_OK && offset == at);
    }
}

static void check_same(const tsr_layout *layout, const char *text)
{
    tsr_layout *other = NULL;
    tsr_layout_difference difference;
    TSR_FUZZ_MUST(tsr_layout_parse(&other, text, NULL, NULL) == TSR_OK);
    TSR_FUZZ_MUST(tsr_layout_same(&difference, layout, other, NULL) == TSR_OK);
    TSR_FUZZ_MUST(difference.verdict == TSR_LAYOUT_SAME);
    tsr_layout_free(other);
}

/* The offset of each element is its position in the format, unless there is none. */
static void check_format(const tsr_layout *layout, const char *text)
{
    tsr_format *format = NULL;
    tsr_binding *binding = NULL;
    uint64_t dims[TSR_MAP_MAX_VARS];
    int64_t coord[TSR_MAP_MAX_VARS], result[TSR_MAX_LEVELS];
    bool padding;
    for (int d = 0; d < layout->rank; d++)
        dims[d] = (uint64_t)layout->dims[d];
    if (layout->rank > TSR_MAX_ORDER || tsr_format_parse(&format, text, layout->rank, dims, NULL) != TSR_OK)
        return;
    TSR_FUZZ_MUST(tsr_binding_new(&binding, format, dims, NULL) == TSR_OK);
    for (int64_t at = 0; at < layout->span; at++) {
        int64_t position = 0;
        if (tsr_layout_element(coord, &padding, layout, at, NULL) != TSR_OK || padding)
            continue;
        TSR_FUZZ_MUST(tsr_map_eval(result, binding->forward, coord, NULL) == TSR_OK);
        for (int l = 0; l < format->nlevels; l++)
            position = position * (int64_t)binding->pitch[l] + result[l] - binding->base[l];
        TSR_FUZZ_MUST(position == at);
    }
    tsr_binding_free(binding);
    tsr_format_free(format);
}

static void check_conversions(const tsr_layout *layout)
{
    tsr_text text = {0};
    tsr_layout_print(&text, layout);
    check_same(layout, tsr_text_cstr(&text));
    tsr_text_clear(&text);
    if (layout->kind == TSR_LAYOUT_XLA) {
        tsr_arena arena = {0};
        tsr_tla tla;
        if (tsr_xla_to_tla(&tla, &arena, layout->xla, NULL) == TSR_OK) {
            tsr_tla_print(&text, &tla);
            check_same(layout, tsr_text_cstr(&text));
        }
        tsr_arena_clear(&arena);
    } else if (layout->kind == TSR_LAYOUT_TLA) {
        tsr_xla *xla = NULL;
        if (tsr_tla_to_xla(&xla, &layout->tla, NULL, NULL) == TSR_OK) {
            tsr_xla_print(&text, xla);
            check_same(layout, tsr_text_cstr(&text));
        }
        tsr_xla_free(xla);
    }
    tsr_text_clear(&text);
    if (tsr_layout_print_format(&text, layout, NULL) == TSR_OK)
        check_format(layout, tsr_text_cstr(&text));
    tsr_text_clear(&text);
}

static void check_pair(const tsr_layout *a, const tsr_layout *b)
{
    tsr_layout_difference d;
    int64_t offset[2];
    TSR_FUZZ_MUST(tsr_layout_same(&d, a, b, NULL) == TSR_OK);
    if (d.verdict != TSR_LAYOUT_OTHER_OFFSET)
        return;
    TSR_FUZZ_MUST(tsr_layout_offset(&offset[0], a, d.coord, NULL) == TSR_OK && offset[0] == d.offset[0]);
    TSR_FUZZ_MUST(tsr_layout_offset(&offset[1], b, d.coord, NULL) == TSR_OK && offset[1] == d.offset[1]);
    TSR_FUZZ_MUST(offset[0] != offset[1]);
}

static tsr_layout *parse(const char *text)
{
    tsr_layout *layout = NULL;
    tsr_error err = {0};
    const tsr_status status = tsr_layout_parse(&layout, text, NULL, &err);
    TSR_FUZZ_MUST((status == TSR_OK) == (layout != NULL));
    TSR_FUZZ_MUST(status == TSR_OK || (err.status == status && err.message[0] != '\0'));
    return layout;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes)
{
    char *const text = tsr_fuzz_text(data, nbytes);
    char *second = strchr(text, '\n');
    if (second)
        *second++ = '\0';
    tsr_layout *const a = parse(text);
    tsr_layout *const b = second ? parse(second) : NULL;
    if (a && is_small(a)) {
        check_elements(a);
        check_conversions(a);
        if (b && is_small(b))
            check_pair(a, b);
    }
    tsr_layout_free(a);
    tsr_layout_free(b);
    free(text);
    return 0;
}
