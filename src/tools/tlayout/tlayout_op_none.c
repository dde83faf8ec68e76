/* A build without HLO text (TSR_WITH_HLO=OFF): see tlayout.h. */
#include "tlayout.h"

static tsr_status run_op(tsr_tlayout *t, int n, const char *const *word, tsr_error *err)
{
    (void)t, (void)n, (void)word;
    return tsr_fail(err, TSR_UNSUPPORTED, "this build of Tessera does not read HLO text");
}

const tsr_tlayout_command tsr_tlayout_op_commands[] = {
    {"op", "HLO [NAME]", "not in this build: it reads HLO text", 1, 2, run_op},
    {0},
};
