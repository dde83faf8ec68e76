/* The options of codecs as rows of a tool's table of options. */
#ifndef TSR_CLI_CODEC_ROWS_H
#define TSR_CLI_CODEC_ROWS_H

#include "options.h"
#include "tsr_codec_given.h"

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

#endif
