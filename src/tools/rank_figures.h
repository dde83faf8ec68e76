/* What a tensor needs on several ranks of machines that need not exist, for tinfo --ranks and tbench scale. */
#ifndef TSR_CLI_RANK_FIGURES_H
#define TSR_CLI_RANK_FIGURES_H

#include <stdio.h>

#include "tsr_feed.h"
#include "tsr_grid.h"
#include "tsr_json.h"

/* What is assumed of each rank: a process with `cores` cores, disks and a network of its own, and files that all ranks share. */
typedef struct tsr_rank_machine {
    double cores;
    double read, write; /* bytes per second of the disk for temporary files */
    double file, files; /* bytes per second of shared files: of one rank, of all ranks together */
    double network;     /* bytes per second that a rank sends */
    /* seconds of one core: for an entry that is converted; for an entry and a column of MTTKRP */
    double convert, multiply;
} tsr_rank_machine;
extern const tsr_rank_machine tsr_rank_machine_default;
/* The help of the option --machine; "with --ranks: " may stand before it. */
#define TSR_RANK_MACHINE_HELP                                                                      \
    "what is assumed of each rank: cores, bytes per second of the disk (read, write), of shared "  \
    "files (file; files: of all ranks together) and of the network, nanoseconds of a core for an " \
    "entry (convert; multiply: for each column)"
/* Change the numbers that the text names: "cores=16,network=10G". TSR_ARGUMENT. */
tsr_status tsr_rank_machine_parse(tsr_rank_machine *machine, const char *text, tsr_error *err) TSR_NODISCARD;

enum { TSR_RANK_KERNELS = 3 }; /* SpMV by rows and by blocks, MTTKRP */
typedef struct tsr_rank_figures {
    const char *path;
    uint32_t nranks, ncolumns; /* --ranks, --rank */
    tsr_rank_machine machine;
    tsr_slices slices;
    /* of each kernel; counted[i]: volume[i] is counted, from a second pass over the entries; else it is expected */
    bool counted[TSR_RANK_KERNELS];
    tsr_volume volume[TSR_RANK_KERNELS];
    double entry_nbytes, record_nbytes; /* of one entry as coordinates, and on the way to another rank */
    uint64_t file_nbytes;               /* 0: unknown */
} tsr_rank_figures;

/* Read the entries of the feed and count them. They are read twice if the feed can rewind, nranks is given, and the
 * rows of the ranks can be counted (see tsr_volume_counter). A triangle of a symmetric matrix counts as the whole
 * matrix. */
tsr_status tsr_rank_figures_count(tsr_rank_figures *ranks, tsr_feed *feed, const tsr_observer *observer,
                                  tsr_error *err) TSR_NODISCARD;
/* The same of a tensor in memory. */
tsr_status tsr_rank_figures_count_data(tsr_rank_figures *ranks, const tsr_data *data,
                                       tsr_error *err) TSR_NODISCARD;
/* The seconds of a conversion by tconv, all steps one after the other. */
double tsr_rank_figures_conversion_s(const tsr_rank_figures *ranks);
/* A line with all assumptions, and the same as members of an open JSON object. */
void tsr_rank_machine_print(FILE *to, const tsr_rank_machine *machine);
void tsr_rank_machine_json(tsr_json *json, const tsr_rank_machine *machine);
/* A grid of ranks with n[m] chunks of mode m: "4 x 2 x 1" with by " x ", and an array "grid" of an open JSON object. */
enum { TSR_RANK_GRID_NBYTES = 256 };
const char *tsr_rank_grid_text(char buf[TSR_RANK_GRID_NBYTES], int order, const uint32_t *n, const char *by);
void tsr_rank_grid_json(tsr_json *json, int order, const uint32_t *n);
/* "3.5 ms" */
const char *tsr_rank_seconds_text(char buf[32], double s);
void tsr_rank_figures_clear(tsr_rank_figures *ranks);

/* Compute and print, in words, or as members of the open JSON object. */
tsr_status tsr_rank_figures_print(FILE *to, const tsr_rank_figures *ranks, tsr_error *err) TSR_NODISCARD;
tsr_status tsr_rank_figures_json(tsr_json *json, const tsr_rank_figures *ranks, tsr_error *err) TSR_NODISCARD;

#endif
