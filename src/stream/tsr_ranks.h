/* Processes that work on one tensor together, each with memory of its own (the ranks of an MPI run): what the library asks of
 * them. The library knows no MPI; src/mpi makes ranks of it, in a module of its own that the tools load. All functions are
 * collective: every rank calls them, in the same sequence. They return the same status on all ranks only where that is said. */
#ifndef TSR_RANKS_H
#define TSR_RANKS_H

#include <stddef.h>
#include <stdint.h>

#include "tsr_error.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TSR_RANKS_VERSION = 1 };

typedef struct tsr_ranks {
    int version;       /* TSR_RANKS_VERSION: the module and the program were built from the same header */
    int rank, n;       /* this process: 0 <= rank < n */
    int nlocal;        /* ranks on this machine, which share its memory */
    tsr_error *errors; /* n: room for tsr_ranks_agree */
    void *ctx;
    /* out: n times nbytes: what rank 0, 1... gave as `mine`. */
    tsr_status (*gather)(void *out, const void *mine, size_t nbytes, void *ctx, tsr_error *err);
    /* Replace each number by the sum over the ranks. */
    tsr_status (*sum)(uint64_t *numbers, size_t count, void *ctx, tsr_error *err);
    /* Send send_nbytes[r] bytes at send[r] to rank r, and receive recv_nbytes[r] bytes from rank r at recv[r]; any lengths. */
    tsr_status (*exchange)(void *const *recv, const uint64_t *recv_nbytes, const void *const *send,
                           const uint64_t *send_nbytes, void *ctx, tsr_error *err);
} tsr_ranks;

/* What a rank did. */
typedef struct tsr_ranks_stats {
    uint64_t nentries;        /* of its share */
    uint64_t sent_nbytes;     /* entries, to other ranks */
    uint64_t received_nbytes; /* entries, from all ranks */
    uint64_t moved;           /* entries that were sent to other ranks */
    uint64_t written_nbytes;  /* of its part of the output */
    int rounds;               /* in which the cuts between the shares were looked for */
} tsr_ranks_stats;

/* The error of the lowest rank that failed becomes that of all: TSR_OK where all have TSR_OK. */
tsr_status tsr_ranks_agree(const tsr_ranks *ranks, tsr_status status, tsr_error *err) TSR_NODISCARD;
/* What the ranks give as `mine`, rank 0 first: *out has n times nbytes; free it with tsr_free (NULL after a failure). what: the
 * memory's use, for the error. A rank without memory fails on all. */
tsr_status tsr_ranks_gather(void **out, const void *mine, size_t nbytes, const tsr_ranks *ranks,
                            const char *what, tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
