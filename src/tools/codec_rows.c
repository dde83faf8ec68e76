/* The options of codecs as rows of a tool's table: see codec_rows.h. */
#include "codec_rows.h"

#include <string.h>

/* A tool whose table has the options of codecs, too. */
typedef struct codec_tool {
    tsr_cli_tool tool;
    tsr_cli_option rows[TSR_CLI_MAX_ROWS];
    tsr_text help; /* the descriptions of the rows of codecs */
} codec_tool;

static bool is_mark(const tsr_cli_option *row)
{
    static const tsr_cli_option mark = TSR_CLI_CODEC_HEADING;
    return !row->name && row->help && strcmp(row->help, mark.help) == 0;
}

/* Append the rows of codecs. The descriptions go to out->help; row k begins at begins[k]. */
static int add_codec_rows(codec_tool *out, int n, bool writes, size_t *begins)
{
    size_t i = 0;
    for (const tsr_codec_option *o; (o = tsr_codec_next_option(&i)) && n + 2 < TSR_CLI_MAX_ROWS;) {
        if (o->writes && !writes)
            continue;
        begins[n] = out->help.nbytes;
        tsr_codec_option_owners(&out->help, o);
        tsr_text_addf(&out->help, ": %s", o->help);
        tsr_text_add_n(&out->help, "", 1);
        out->rows[n++] = (tsr_cli_option){.name = o->name, .arg = o->arg};
    }
    return n;
}

/* Make a copy of the tool that has the options of codecs. out->tool is valid as long as *out is not moved.
 * TSR_NOMEM. */
static tsr_status add_codecs(codec_tool *out, const tsr_cli_tool *tool, bool writes, tsr_error *err)
{
    size_t begins[TSR_CLI_MAX_ROWS];
    int n = 0, first = 0, last = 0;
    *out = (codec_tool){.tool = *tool};
    for (const tsr_cli_option *o = tool->options; (o->name || o->help) && n + 1 < TSR_CLI_MAX_ROWS; o++) {
        out->rows[n++] = *o;
        if (!is_mark(o))
            continue;
        first = n;
        last = n = add_codec_rows(out, n, writes, begins);
    }
    TSR_TRY(tsr_text_status(&out->help, err));
    for (int k = first; k < last; k++) /* the text does not move any more */
        out->rows[k].help = out->help.s + begins[k];
    out->rows[n] = (tsr_cli_option){.name = NULL};
    out->tool.options = out->rows;
    return TSR_OK;
}

int tsr_cli_parse_with_codecs(tsr_cli_operands *operands, const tsr_cli_tool *tool, bool writes,
                              void *settings, int argc, char *const *argv)
{
    codec_tool own;
    if (add_codecs(&own, tool, writes, NULL) != TSR_OK)
        own.tool.options = tool->options; /* without memory, the run ends soon */
    const int done = tsr_cli_parse(operands, &own.tool, settings, argc, argv);
    tsr_text_clear(&own.help);
    return done;
}
