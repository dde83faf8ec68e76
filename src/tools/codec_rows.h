/* The options of codecs as rows of a tool's table of options. */
#ifndef TSR_CLI_CODEC_ROWS_H
#define TSR_CLI_CODEC_ROWS_H

#include "options.h"
#include "tsr_codec.h"

enum { TSR_CLI_MAX_ROWS = 80 };

/* A tool whose table has the options of codecs, too. */
typedef struct tsr_cli_codec_tool {
    tsr_cli_tool tool;
    tsr_cli_option rows[TSR_CLI_MAX_ROWS];
    tsr_text help; /* the descriptions of the rows of codecs */
} tsr_cli_codec_tool;

/* The heading below which the rows of codecs stand; the tool has this row. */
#define TSR_CLI_CODEC_HEADING                    \
    {                                            \
        .help = "Options of single file formats" \
    }
/* A copy of the tool that has the options of codecs: those of the output only where `writes`. The tool's set_more sets
 * them. out->tool is used while *out stays where it is. TSR_NOMEM. */
tsr_status tsr_cli_codec_tool_init(tsr_cli_codec_tool *out, const tsr_cli_tool *tool, bool writes,
                                   tsr_error *err) TSR_NODISCARD;
void tsr_cli_codec_tool_clear(tsr_cli_codec_tool *tool);

/* Keeps which options of codecs were given. */
typedef struct tsr_cli_given {
    const tsr_codec_option *options[TSR_CLI_MAX_ROWS];
    int n;
} tsr_cli_given;
/* Set the option and keep it. */
tsr_status tsr_cli_set_codec_option(tsr_cli_given *given, const tsr_codec_settings *to, const char *name,
                                    const char *value, tsr_error *err) TSR_NODISCARD;
/* TSR_ARGUMENT where an option was given that neither codec has. Either may be NULL: not known. */
tsr_status tsr_cli_check_given(const tsr_cli_given *given, const tsr_codec *in, const tsr_codec *out,
                               tsr_error *err) TSR_NODISCARD;

#endif
