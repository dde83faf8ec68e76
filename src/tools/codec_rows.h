/* The options of codecs as rows of a tool's table of options. */
#ifndef TSR_CLI_CODEC_ROWS_H
#define TSR_CLI_CODEC_ROWS_H

#include "options.h"
#include "tsr_codec.h"

enum { TSR_CLI_MAX_ROWS = 80 };

/* The heading below which the rows of codecs stand; the tool has this row. */
#define TSR_CLI_CODEC_HEADING                    \
    {                                            \
        .help = "Options of single file formats" \
    }
/* As tsr_cli_parse, for a tool that also has the options of codecs: those of the output only where `writes`. The tool's set_more
 * sets them. */
int tsr_cli_parse_with_codecs(tsr_cli_operands *operands, const tsr_cli_tool *tool, bool writes,
                              void *settings, int argc, char *const *argv);

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
