/* libtessera-core has no file formats: see tsr_codec.h. */
#include "tsr_codec.h"

const tsr_codec *const tsr_codecs[] = {NULL};

tsr_status tsr_read(tsr_data *out, const char *path, const tsr_codec *codec, const tsr_read_options *options,
                    tsr_error *err)
{
    (void)codec, (void)options;
    *out = (tsr_data){.coo = NULL};
    return tsr_fail_at(err, TSR_UNSUPPORTED, path, 0, 0, "libtessera-core reads no files: use libtessera");
}
