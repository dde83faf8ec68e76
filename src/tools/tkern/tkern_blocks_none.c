/* Without files that are read in parts: --memory is refused. */
#include "tkern.h"

tsr_status tsr_tkern_blocks_open(tsr_tkern *t, tsr_error *err)
{
    return t->s->common.memory_nbytes == 0
               ? TSR_OK
               : tsr_fail(err, TSR_UNSUPPORTED, "--memory: this program does not read files in blocks");
}

int tsr_tkern_blocks_operand(const tsr_tkern *t)
{
    (void)t;
    return 0;
}

uint64_t tsr_tkern_blocks_count(const tsr_tkern *t)
{
    (void)t;
    return 0;
}

uint64_t tsr_tkern_blocks_nnz(const tsr_tkern *t)
{
    (void)t;
    return 0;
}

const char *tsr_tkern_statement(tsr_tkern *t)
{
    return t->s->expression;
}

tsr_status tsr_tkern_blocks_first(tsr_tkern *t, tsr_error *err)
{
    (void)t;
    (void)err;
    return TSR_OK;
}

tsr_status tsr_tkern_blocks_run(tsr_tkern *t, tsr_error *err)
{
    (void)t;
    (void)err;
    return TSR_OK;
}

void tsr_tkern_blocks_close(tsr_tkern *t)
{
    (void)t;
}

tsr_status tsr_tkern_count(tsr_tkern *t, tsr_status (*make)(tsr_tkern *t, tsr_error *err), tsr_error *err)
{
    (void)t, (void)make;
    return tsr_fail(err, TSR_UNSUPPORTED, "--part=nnz counts by blocks, which this build has not");
}
