/* Built without libcurl: nothing can be downloaded. */
#include "fetch_internal.h"

tsr_status fetch_run(fetch_download *d, tsr_error *err)
{
    d->again = false;
    return tsr_fail_at(err, TSR_UNSUPPORTED, d->url, 0, 0,
                       "cannot be downloaded: built without libcurl (Debian: libcurl4-openssl-dev)");
}
