/* --labels: the names of the indices as text files, one for each mode. */
#include <stdio.h>
#include <string.h>

#include "tconv.h"
#include "tsr_output.h"

/* Write the names, one a line. */
static tsr_status write_names(const char *path, const tsr_names *names, tsr_error *err)
{
    tsr_output *output = NULL;
    const tsr_output_options how = {.gzip_level = 0};
    tsr_status status = tsr_output_open(&output, path, &how, err);
    for (uint64_t i = 0; i < names->n && status == TSR_OK; i++) {
        const char *const name = tsr_names_get(names, i);
        status = strchr(name, '\n') ? tsr_fail_at(err, TSR_UNSUPPORTED, path, 0, 0,
                                                  "a name has a newline, which a list of lines cannot hold")
                                    : tsr_output_write(output, name, strlen(name), err);
        if (status == TSR_OK)
            status = tsr_output_write(output, "\n", 1, err);
    }
    if (status == TSR_OK)
        status = tsr_output_commit(output, err);
    tsr_output_free(output);
    return status;
}

tsr_status tsr_tconv_write_labels(const char *prefix, const tsr_labels *labels, tsr_error *err)
{
    char path[4096];
    if (!tsr_labels_any(labels))
        return tsr_fail(err, TSR_ARGUMENT, "--labels: the input has no names of rows and columns");
    for (int m = 0; m < TSR_MAX_ORDER; m++) {
        if (labels->modes[m].n == 0)
            continue;
        if (snprintf(path, sizeof path, "%s.%d.map", prefix, m) >= (int)sizeof path)
            return tsr_fail(err, TSR_ARGUMENT, "--labels: the name is too long");
        TSR_TRY(write_names(path, &labels->modes[m], err));
    }
    return TSR_OK;
}
