/* JSON of the tools: to streams, and the object of --json. */
#ifndef TSR_CLI_JSON_H
#define TSR_CLI_JSON_H

#include <stdio.h>

#include "tsr_json.h"

/* JSON that is written to a stream. */
tsr_json tsr_json_of_stream(FILE *to);

/* ---- the object of --json ---- */

typedef struct tsr_json_output {
    tsr_json json;
    char *bytes; /* what is written so far; NULL: it goes to standard output at once */
    size_t nbytes;
} tsr_json_output;

/* Begin one object. whole: it is printed when it is whole, after no failure; a file is written so in any case. */
tsr_status tsr_json_output_begin(tsr_json_output *output, const char *path, bool whole,
                                 tsr_error *err) TSR_NODISCARD;
/* End it: write it to the file `path` (NULL or "-": standard output) unless `status` is a failure. Returns `status`, or what
 * went wrong now. */
tsr_status tsr_json_output_end(tsr_json_output *output, const char *path, tsr_status status,
                               tsr_error *err) TSR_NODISCARD;

#endif
