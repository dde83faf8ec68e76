/* tinfo --advise of a file that is too large to be read as a whole: see advice_print.h. */
#include <string.h>

#include "advice_print.h"
#include "tsr_files.h"

tsr_status tsr_cli_read_blocks(tsr_cli_blocks *out, const char *path, const tsr_codec *codec,
                               const tsr_read_options *options, tsr_error *err)
{
    tsr_feed *feed;
    *out = (tsr_cli_blocks){.found = false};
    if (strcmp(path, "-") == 0 || tsr_file_nbytes(path) < TSR_CLI_WHOLE_NNZ)
        return TSR_OK;
    tsr_status status = tsr_feed_open(&feed, path, codec, options, err);
    if (status == TSR_OK && feed->length > TSR_CLI_WHOLE_NNZ) {
        status = tsr_feed_read_blocks(&out->read, feed, TSR_CLI_NBLOCKS, TSR_CLI_BLOCK_NNZ, err);
        out->found = status == TSR_OK;
    }
    tsr_feed_close(feed);
    out->thin = (tsr_thin){out->read.mode, out->read.nslices, out->read.nnz, out->read.format};
    return status == TSR_UNSUPPORTED ? TSR_OK : status;
}
