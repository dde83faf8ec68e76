/* tinfo --ranks: what a tensor takes on several ranks, for machines that are not there. */
#ifndef TSR_CLI_TINFO_RANKS_H
#define TSR_CLI_TINFO_RANKS_H

#include <stdio.h>

#include "tsr_feed.h"
#include "tsr_grid.h"
#include "tsr_json.h"

/* What is assumed of each rank: a process with `cores` cores, disks and a network of its own, and files that all ranks share. */
typedef struct tsr_tinfo_machine {
    double cores;
    double read, write; /* bytes per second of the disk for temporary files */
    double file, files; /* bytes per second of shared files: of one rank, of all ranks together */
    double network;     /* bytes per second that a rank sends */
    double convert,
        multiply; /* seconds of one core: for an entry that is converted; for an entry and a column of MTTKRP */
} tsr_tinfo_machine;
extern const tsr_tinfo_machine tsr_tinfo_machine_default;
/* Change what the text names: "cores=16,network=10G". TSR_ARGUMENT. */
tsr_status tsr_tinfo_machine_parse(tsr_tinfo_machine *machine, const char *text,
                                   tsr_error *err) TSR_NODISCARD;

typedef struct tsr_tinfo_ranks {
    const char *path;
    uint32_t nranks, ncolumns; /* --ranks, --rank */
    tsr_tinfo_machine machine;
    tsr_slices slices;
    double entry_nbytes, record_nbytes; /* of one entry as coordinates, and on the way to another rank */
    uint64_t file_nbytes;               /* 0: unknown */
} tsr_tinfo_ranks;

/* Read the entries of the feed and count. A triangle of a symmetric matrix counts as the whole matrix. */
tsr_status tsr_tinfo_ranks_count(tsr_tinfo_ranks *ranks, tsr_feed *feed, const tsr_observer *observer,
                                 tsr_error *err) TSR_NODISCARD;
/* The same of a tensor in memory. */
tsr_status tsr_tinfo_ranks_count_data(tsr_tinfo_ranks *ranks, const tsr_data *data,
                                      tsr_error *err) TSR_NODISCARD;
void tsr_tinfo_ranks_clear(tsr_tinfo_ranks *ranks);

/* Compute and print, in words, or as members of the open JSON object. */
tsr_status tsr_tinfo_ranks_print(FILE *to, const tsr_tinfo_ranks *ranks, tsr_error *err) TSR_NODISCARD;
tsr_status tsr_tinfo_ranks_json(tsr_json *json, const tsr_tinfo_ranks *ranks, tsr_error *err) TSR_NODISCARD;

#endif
