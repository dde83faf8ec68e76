/* Lists: see lists.h. */
#include "lists.h"

#include <string.h>

#include "tsr_codec.h"
#include "tsr_version.h"

void tsr_cli_add_dims(tsr_text *text, int order, const uint64_t *dims)
{
    if (order == 0)
        tsr_text_add(text, "scalar");
    for (int m = 0; m < order; m++) {
        if (m > 0)
            tsr_text_add(text, " x ");
        tsr_text_addf(text, "%llu", (unsigned long long)dims[m]);
    }
}

void tsr_cli_show_formats(const tsr_cli_tool *tool)
{
    (void)tool;
    enum { INDENT = 18, WIDTH = 96 };
    for (const tsr_named_format *f = tsr_named_formats; f->name; f++) {
        tsr_text usage = {0}, summary = {0};
        tsr_named_format_describe(&usage, &summary, f);
        int col = (int)usage.nbytes;
        fputs(tsr_text_cstr(&usage), stdout);
        if (col >= INDENT) {
            fputc('\n', stdout);
            col = 0;
        }
        tsr_cli_print_wrapped(stdout, tsr_text_cstr(&summary), col, INDENT, WIDTH);
        tsr_text_clear(&usage);
        tsr_text_clear(&summary);
    }
    fputs("\n"
          "After a name, ':' and the modes in storage order: csf:2,0,1.\n"
          "Short form, a letter a level: d dense, s compressed, u compressed nonunique, q singleton: "
          "dss:2,0,1.\n"
          "Long form: '(i, j) -> (i floordiv 2 : dense, j : compressed, i mod 2 : dense)'.\n",
          stdout);
}

void tsr_cli_show_codecs(const tsr_cli_tool *tool)
{
    (void)tool;
    for (const tsr_codec *const *c = tsr_codecs; *c; c++) {
        const bool writes = (*c)->write_coo || (*c)->write_tensor;
        const char *const can = (*c)->read && writes ? "read, write" : writes ? "write" : "read";
        printf("%-10s %-12s", (*c)->name, can);
        for (const char *const *s = (*c)->suffixes; s && *s; s++)
            printf(" %s", *s);
        printf("\n           %s\n", (*c)->summary);
    }
    if (tsr_left_out()[0] != '\0')
        printf("This build is without %s: a file that needs such a part is refused.\n", tsr_left_out());
}

tsr_status tsr_cli_parse_codec(const char **out, const char *text, tsr_error *err)
{
    const tsr_codec *codec = NULL;
    *out = text;
    return tsr_codec_by_name(&codec, text, err);
}

tsr_status tsr_cli_parse_dims(tsr_read_options *read, const char *text, tsr_error *err)
{
    return tsr_cli_parse_list(read->shape, &read->shape_order, text, TSR_MAX_ORDER, INT64_MAX, err);
}
