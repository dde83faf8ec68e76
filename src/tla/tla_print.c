/* Prints tuples, layouts and tilers; the text parses back. */
#include "tla_internal.h"

#include <string.h>

void tsr_tuple_print(tsr_text *text, const tsr_tuple *tuple)
{
    if (tuple->kind != TSR_TUPLE_LIST) {
        if (tuple->kind == TSR_TUPLE_ANY || tuple->is_static)
            tsr_text_add(text, "_");
        if (tuple->kind == TSR_TUPLE_INT)
            tsr_text_add_i64(text, tuple->v);
        return;
    }
    tsr_text_add(text, "(");
    for (int i = 0; i < tuple->n; i++) {
        tsr_text_add(text, i > 0 ? "," : "");
        tsr_tuple_print(text, tuple->x[i]);
    }
    tsr_text_add(text, ")");
}

void tsr_tla_print(tsr_text *text, const tsr_tla *layout)
{
    tsr_tuple_print(text, layout->shape);
    tsr_text_add(text, ":");
    tsr_tuple_print(text, layout->stride);
    if (layout->origin) {
        tsr_text_add(text, "@");
        tsr_tuple_print(text, layout->origin);
    }
}

void tsr_tiler_print(tsr_text *text, const tsr_tiler *tiler)
{
    if (tiler->kind == TSR_TILER_ANY) {
        tsr_text_add(text, "_");
    } else if (tiler->kind == TSR_TILER_LAYOUT) {
        tsr_tla_print(text, &tiler->layout);
    } else {
        tsr_text_add(text, "[");
        for (int i = 0; i < tiler->n; i++) {
            tsr_text_add(text, i > 0 ? ";" : "");
            tsr_tiler_print(text, tiler->x[i]);
        }
        tsr_text_add(text, "]");
    }
}

/* Copy the text into buf, cut if it is too long, and clear the text. */
static const char *show(char *buf, tsr_text *text)
{
    const size_t room = TSR_TUPLE_SHOWN_NBYTES - 1, n = text->nbytes < room ? text->nbytes : room;
    memcpy(buf, tsr_text_cstr(text), n);
    if (n < text->nbytes)
        memcpy(buf + n - 3, "...", 3);
    buf[n] = '\0';
    tsr_text_clear(text);
    return buf;
}

const char *tsr_tuple_show(char *buf, const tsr_tuple *tuple)
{
    tsr_text text = {0};
    tsr_tuple_print(&text, tuple);
    return show(buf, &text);
}

const char *tsr_tla_show(char *buf, const tsr_tla *layout)
{
    tsr_text text = {0};
    tsr_tla_print(&text, layout);
    return show(buf, &text);
}
