/* The end of a dry run in memory: the size of the file that would be written. */
#include <string.h>

#include "conversion_internal.h"
#include "tsr_write.h"

/* The null device takes every write, so a codec that writes to a stream makes all bytes of its file. */
static const char nowhere[] = "/dev/null";
enum { GZIP_LEVEL = 6 }; /* of names that end in .gz, where --deflate does not say another */

static bool ends_in_gz(const char *path)
{
    const size_t n = strlen(path);
    return n > 3 && strcmp(path + n - 3, ".gz") == 0;
}

tsr_status tsr_conversion_measure(tsr_conversion *j, tsr_error *err)
{
    const tsr_conversion_settings *const s = j->s;
    const tsr_data *const data = &j->data;
    const tsr_codec *const to = j->to;
    tsr_write_options write = s->write;
    tsr_error fault = {0};
    TSR_TRY(tsr_conversion_check_labels(s->labels, data->labels, err));
    if (tsr_labels_any(data->labels) && !to->has_labels && !s->labels)
        tsr_warn_dropped_labels(write.observer, s->out, to);
    j->dry.counted = true;
    j->out_nbytes = data->tensor ? tsr_tensor_nbytes(data->tensor) : tsr_coo_nbytes(data->coo);
    if (!to->streams)
        return TSR_OK;
    write.labels = data->labels;
    if (ends_in_gz(s->out) && write.deflate == 0)
        write.deflate = GZIP_LEVEL;
    const tsr_status status = data->tensor
                                  ? to->write_tensor(nowhere, data->tensor, &write, &j->out_nbytes, &fault)
                                  : to->write_coo(nowhere, data->coo, &write, &j->out_nbytes, &fault);
    j->dry.exact = status == TSR_OK;
    if (status == TSR_OK)
        return TSR_OK;
    *err = fault;
    if (strcmp(err->path, nowhere) == 0)
        err->path[0] = '\0';
    tsr_error_set_path(err, s->out);
    return status;
}
