/* The ranks of an MPI run: a tool that mpirun has started loads the module tessera-mpi.so. */
#ifndef TSR_CLI_RANKS_H
#define TSR_CLI_RANKS_H

#include <stdbool.h>

#include "mpi_ranks.h"
#include "report.h"

typedef struct tsr_cli_ranks {
    const tsr_ranks *ranks; /* NULL: this process works alone */
    const tsr_ranks_module *module;
    void *loaded;
} tsr_cli_ranks;

/* Start the run where the process is one of several ranks, unless TESSERA_MPI=off. TSR_UNSUPPORTED: it is, and there is no module.
 * TSR_ARGUMENT, on all ranks: their command lines differ, or their versions of Tessera. */
tsr_status tsr_cli_ranks_open(tsr_cli_ranks *out, int argc, char *const *argv, tsr_error *err) TSR_NODISCARD;
void tsr_cli_ranks_close(tsr_cli_ranks *ranks);
/* Whether this process speaks to the user. */
bool tsr_cli_ranks_speaks(const tsr_cli_ranks *ranks);
/* After tsr_cli_ranks_open failed: report the error, once where all ranks have it, and close. Returns the exit code. */
int tsr_cli_ranks_refuse(tsr_cli_ranks *ranks, tsr_cli_report *report, const tsr_error *err);

#endif
