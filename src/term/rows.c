/* What the shared rows set: see rows.h. */
#include "rows.h"

#include "tsr_parallel.h"

tsr_status tsr_cli_set_threads(void *common, const char *value, tsr_error *err)
{
    return tsr_cli_parse_int(&((tsr_cli_common *)common)->nthreads, value, 1, TSR_MAX_THREADS, err);
}

tsr_status tsr_cli_set_quiet(void *common, const char *value, tsr_error *err)
{
    (void)value, (void)err;
    ((tsr_cli_common *)common)->quiet = true;
    return TSR_OK;
}

tsr_status tsr_cli_set_progress(void *common, const char *value, tsr_error *err)
{
    return tsr_cli_parse_progress(&((tsr_cli_common *)common)->progress, value, err);
}

tsr_status tsr_cli_set_json(void *common, const char *value, tsr_error *err)
{
    tsr_cli_common *const c = common;
    (void)err;
    c->json = true;
    c->json_path = value;
    return TSR_OK;
}
