/* The canonical text of XLA's layouts, with the properties in XLA's order. */
#include "xla_internal.h"

#include <string.h>

void xla_print_tile(tsr_text *text, const tsr_xla_tile *tile)
{
    for (int i = 0; i < tile->rank; i++) {
        tsr_text_add(text, i > 0 ? "," : "(");
        if (tile->t[i] == TSR_XLA_STAR)
            tsr_text_add(text, "*");
        else
            tsr_text_add_i64(text, tile->t[i]);
    }
    tsr_text_add(text, ")");
}

void xla_print_dims(tsr_text *text, const char *type, int n, const int64_t *size, const bool *dynamic)
{
    tsr_text_add(text, type);
    tsr_text_add(text, "[");
    for (int i = 0; i < n; i++) {
        tsr_text_add(text, i > 0 ? "," : "");
        tsr_text_add(text, dynamic && dynamic[i] ? "<=" : "");
        tsr_text_add_i64(text, size[i]);
    }
    tsr_text_add(text, "]");
}

/* Begin a property; a colon comes before the first one. */
static void begin(tsr_text *text, bool *colon, const char *name)
{
    tsr_text_add(text, *colon ? "" : ":");
    tsr_text_add(text, name);
    *colon = true;
}

static void print_number(tsr_text *text, bool *colon, const char *name, int64_t n, int64_t standard)
{
    if (n == standard)
        return;
    begin(text, colon, name);
    tsr_text_addf(text, "(%lld)", (long long)n);
}

static void print_words(tsr_text *text, bool *colon, const char *name, const char *open, const char *words,
                        const char *close)
{
    if (!words || *words == '\0')
        return;
    begin(text, colon, name);
    tsr_text_add(text, open);
    tsr_text_add(text, words);
    tsr_text_add(text, close);
}

/* Append ":T(2,2)E(4)", or nothing. */
static void print_properties(tsr_text *text, const tsr_xla *xla)
{
    bool colon = false;
    print_words(text, &colon, "D", "(", xla->levels, ")");
    if (xla->ntiles > 0)
        begin(text, &colon, "T");
    for (int k = 0; k < xla->ntiles; k++)
        xla_print_tile(text, &xla->tiles[k]);
    print_number(text, &colon, "L", xla->tail, 1);
    print_words(text, &colon, "#", "(", xla->index_type, ")");
    print_words(text, &colon, "*", "(", xla->pointer_type, ")");
    print_number(text, &colon, "E", xla->element_nbits, 0);
    print_number(text, &colon, "S", xla->memory_space, 0);
    print_words(text, &colon, "SC", "", xla->splits, "");
    print_words(text, &colon, "P", "(", xla->physical, ")");
    print_number(text, &colon, "M", xla->metadata_nbytes, 0);
}

void tsr_xla_print(tsr_text *text, const tsr_xla *xla)
{
    tsr_text properties = {0};
    print_properties(&properties, xla);
    text->failed |= properties.failed;
    if (xla->has_dims)
        xla_print_dims(text, xla->type, xla->rank, xla->dims, xla->dynamic);
    if (!xla->has_dims || xla->rank > 0 || properties.nbytes > 0) {
        tsr_text_add(text, "{");
        for (int i = 0; i < xla->rank; i++)
            tsr_text_addf(text, i > 0 ? ",%d" : "%d", xla->order[i]);
        tsr_text_add(text, tsr_text_cstr(&properties));
        tsr_text_add(text, "}");
    }
    tsr_text_clear(&properties);
}
