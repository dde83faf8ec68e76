/* JSON to streams and files: see json.h. */
#include "json.h"

#include <stdlib.h>
#include <string.h>

#include "tsr_output.h"

static void put_stream(void *to, const char *s, size_t n)
{
    fwrite(s, 1, n, to); /* closing the stream reports a failure */
}

tsr_json tsr_json_of_stream(FILE *to)
{
    return (tsr_json){.put = put_stream, .to = to};
}

/* ---- the object of --json ---- */

static bool to_stdout(const char *path)
{
    return !path || strcmp(path, "-") == 0;
}

tsr_status tsr_json_output_begin(tsr_json_output *output, const char *path, bool whole, tsr_error *err)
{
    *output = (tsr_json_output){.json = tsr_json_of_stream(stdout)};
    if (whole || !to_stdout(path))
        output->json.to = open_memstream(&output->bytes, &output->nbytes);
    if (!output->json.to)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    tsr_json_open(&output->json, NULL, '{', false);
    return TSR_OK;
}

static tsr_status write_file(const char *path, const tsr_json_output *output, tsr_error *err)
{
    tsr_output *file = NULL;
    const tsr_output_options plain = {.gzip_level = -1};
    TSR_TRY(tsr_output_open(&file, path, &plain, err));
    tsr_status status = tsr_output_write(file, output->bytes, output->nbytes, err);
    if (status == TSR_OK)
        status = tsr_output_commit(file, err);
    tsr_output_free(file);
    return status;
}

tsr_status tsr_json_output_end(tsr_json_output *output, const char *path, tsr_status status, tsr_error *err)
{
    tsr_json_close(&output->json, '}');
    if (output->json.to == stdout)
        return status;
    if (fclose(output->json.to) != 0 && status == TSR_OK)
        status = tsr_fail(err, TSR_NOMEM, "out of memory");
    if (status == TSR_OK && to_stdout(path))
        fwrite(output->bytes, 1, output->nbytes, stdout);
    else if (status == TSR_OK)
        status = write_file(path, output, err);
    free(output->bytes);
    return status;
}
