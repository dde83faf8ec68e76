/* What the shared rows set: see rows.h. */
#include "rows.h"

#include "tsr_memory.h"
#include "tsr_parallel.h"
#include "tsr_system.h"

tsr_status tsr_cli_set_threads(void *common, const char *value, tsr_error *err)
{
    return tsr_cli_parse_int(&((tsr_cli_common *)common)->nthreads, value, 1, TSR_MAX_THREADS, err);
}

tsr_status tsr_cli_set_memory(void *common, const char *value, tsr_error *err)
{
    enum { LEAST = 64 << 20 };
    uint64_t *const nbytes = &((tsr_cli_common *)common)->memory_nbytes;
    TSR_TRY(tsr_cli_parse_nbytes(nbytes, value, err));
    return *nbytes >= LEAST
               ? TSR_OK
               : tsr_fail(err, TSR_ARGUMENT, "'%s' is too little: at least 64M are needed", value);
}

void tsr_cli_limit_memory(const tsr_cli_common *common)
{
    if (common->memory_nbytes == 0)
        return;
    tsr_memory_set_limit(common->memory_nbytes);
    tsr_system_return_memory(); /* the limit is one on resident memory */
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
