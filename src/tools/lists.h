/* Lists that the tools print: all formats, all codecs, and dims. */
#ifndef TSR_CLI_LISTS_H
#define TSR_CLI_LISTS_H

#include "rows.h"
#include "tsr_codec.h"
#include "tsr_text.h"

/* The `show` of --list-formats and --list-codecs. */
void tsr_cli_show_formats(const tsr_cli_tool *tool);
void tsr_cli_show_codecs(const tsr_cli_tool *tool);
#define TSR_CLI_ROW_LIST_FORMATS                                                                       \
    {                                                                                                  \
        "list-formats", 0, NULL, "list the named storage formats and stop", NULL, tsr_cli_show_formats \
    }
#define TSR_CLI_ROW_LIST_CODECS                                                             \
    {                                                                                       \
        "list-codecs", 0, NULL, "list the file formats and stop", NULL, tsr_cli_show_codecs \
    }
/* Keep the name of a codec, which must be one. */
tsr_status tsr_cli_parse_codec(const char **out, const char *text, tsr_error *err) TSR_NODISCARD;
/* The dims that the input does not contain. */
tsr_status tsr_cli_parse_dims(tsr_read_options *read, const char *text, tsr_error *err) TSR_NODISCARD;
/* Append "4 x 5 x 6"; "scalar" for order 0. */
void tsr_cli_add_dims(tsr_text *text, int order, const uint64_t *dims);

#endif
