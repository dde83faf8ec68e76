/* What a module of ranks gives to the tools, which find it by this name. */
#ifndef MPI_RANKS_H
#define MPI_RANKS_H

#include "tsr_ranks.h"

typedef struct tsr_ranks_module {
    int version; /* TSR_RANKS_VERSION */
    /* Start the run: NULL after an error. Once for each process. */
    const tsr_ranks *(*open)(tsr_error *err);
    void (*close)(const tsr_ranks *ranks);
    void (*abort)(int code); /* end all ranks */
} tsr_ranks_module;

#define TSR_RANKS_MODULE "tsr_ranks_module_mpi"
#if defined(__GNUC__)
__attribute__((visibility("default"))) /* the only name of the module that others see */
#endif
extern const tsr_ranks_module tsr_ranks_module_mpi;

#endif
