/* What the shared rows set: see rows.h. */
#define _GNU_SOURCE /* mallopt */
#include "rows.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "tsr_memory.h"
#include "tsr_parallel.h"

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
#ifdef __GLIBC__
    /* freed blocks go back to the system at once: the limit is one on resident memory */
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 17);
    (void)mallopt(M_TRIM_THRESHOLD, 1 << 17);
#endif
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
