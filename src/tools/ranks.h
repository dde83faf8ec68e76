/* The ranks of an MPI run: a tool that mpirun has started loads the module tessera-mpi.so. */
#ifndef TSR_CLI_RANKS_H
#define TSR_CLI_RANKS_H

#include <stdbool.h>

#include "mpi_ranks.h"

typedef struct tsr_cli_ranks {
    const tsr_ranks *ranks; /* NULL: this process works alone */
    const tsr_ranks_module *module;
    void *loaded;
} tsr_cli_ranks;

/* Start the run where the process is one of several ranks, unless TESSERA_MPI=off. TSR_UNSUPPORTED: it is, and there is no module. */
tsr_status tsr_cli_ranks_open(tsr_cli_ranks *out, tsr_error *err) TSR_NODISCARD;
void tsr_cli_ranks_close(tsr_cli_ranks *ranks);
/* Whether this process speaks to the user. */
bool tsr_cli_ranks_speaks(const tsr_cli_ranks *ranks);

#endif
