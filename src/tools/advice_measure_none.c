/* --measure in a build without the clock of tbench, as that for the browser, which has no file that is too large for advice either: see
 * advice_print.h. */
#include "advice_print.h"

tsr_status tsr_cli_measure_advice(tsr_advice *advice, const tsr_data *data, const tsr_cli_advise *ask,
                                  tsr_error *err)
{
    (void)advice, (void)data, (void)ask;
    return tsr_fail(err, TSR_UNSUPPORTED, "this build cannot measure: leave --measure out");
}

tsr_status tsr_cli_read_blocks(tsr_cli_blocks *out, const char *path, const tsr_codec *codec,
                               const tsr_read_options *options, tsr_error *err)
{
    (void)path, (void)codec, (void)options, (void)err;
    *out = (tsr_cli_blocks){.found = false};
    return TSR_OK;
}

tsr_status tsr_cli_append_errors(const tsr_advice *advice, const tsr_data *data, const tsr_cli_advise *ask,
                                 tsr_error *err)
{
    (void)advice, (void)data, (void)ask, (void)err;
    return TSR_OK;
}
