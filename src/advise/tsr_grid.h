/* A tensor that is distributed over several ranks by the medium-grained method (Smith and Karypis, "A
 * medium-grained algorithm for distributed sparse tensor factorization", 2016): a grid of n[0] x n[1] x ... ranks,
 * where mode m is cut into n[m] chunks of slices with about equal numbers of entries. A rank holds the entries of one
 * block. Row i of the dense factor of mode m is used by the ranks that have an entry with index i; one of these ranks
 * owns it. A kernel gets the rows of the factors that it reads from their owners and sends the partial rows of its
 * result to their owners: each row moves once for each rank that uses it and does not own it.
 *
 * The numbers of rows that move are expected from the numbers of entries in the slices alone (tsr_volume_model), or
 * counted (tsr_volume_count). */
#ifndef TSR_GRID_H
#define TSR_GRID_H

#include "tsr_cells.h"
#include "tsr_observer.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TSR_GRID_MAX_RANKS = 1 << 20 };

/* The number of entries in each slice of each mode. */
typedef struct tsr_slices {
    int order;
    bool grows; /* the dims become the largest indices + 1 */
    uint64_t dims[TSR_MAX_ORDER];
    uint64_t room[TSR_MAX_ORDER];   /* elements of count[m], at least dims[m] */
    uint64_t *count[TSR_MAX_ORDER]; /* owned */
    uint64_t nnz;
} tsr_slices;

/* Begin with no entries. dims NULL: the dims are found from the entries. TSR_LIMIT or TSR_NOMEM: 8 bytes for each index
 * do not fit. */
tsr_status tsr_slices_init(tsr_slices *slices, int order, const uint64_t *dims, tsr_error *err) TSR_NODISCARD;
/* Count n entries with these coordinates, which are below the dims where these are given. */
tsr_status tsr_slices_add(tsr_slices *slices, uint64_t n, const uint64_t *const *crd,
                          tsr_error *err) TSR_NODISCARD;
/* Set the dims, which are at least the dims before. */
tsr_status tsr_slices_widen(tsr_slices *slices, const uint64_t *dims, tsr_error *err) TSR_NODISCARD;
void tsr_slices_clear(tsr_slices *slices);

/* How a grid is chosen. */
typedef enum tsr_grid_kind {
    TSR_GRID_MEDIUM, /* prime factors of the number of ranks, largest first, each to the mode with the most indices in a chunk */
    TSR_GRID_ROWS /* all ranks along mode 0 */
} tsr_grid_kind;

typedef struct tsr_grid {
    int order;
    uint32_t nranks;
    uint32_t n[TSR_MAX_ORDER];    /* chunks of each mode; the product is nranks */
    uint64_t *cut[TSR_MAX_ORDER]; /* n[m] + 1 elements: chunk c is the slices [cut[c], cut[c + 1]); owned */
} tsr_grid;

/* Choose the grid and cut the modes. nranks: 1 to TSR_GRID_MAX_RANKS. TSR_NOMEM. */
tsr_status tsr_grid_init(tsr_grid *grid, const tsr_slices *slices, uint32_t nranks, tsr_grid_kind kind,
                         tsr_error *err) TSR_NODISCARD;
void tsr_grid_clear(tsr_grid *grid);
/* The rank of an entry, found mode by mode, from 0 on: `rank` is the result for the mode before m, `slice` the index of the entry
 * in mode m. */
uint32_t tsr_grid_rank(const tsr_grid *grid, uint32_t rank, int m, uint64_t slice);

/* The rows of one mode. */
typedef struct tsr_volume_mode {
    /* the sum of lambda over the slices, lambda: the number of ranks that have an entry of the slice */
    double used;
    double moved; /* the sum of lambda - 1 over the slices with entries */
    double bound; /* the most that `moved` can be: each rank of a layer uses all slices of its chunk */
} tsr_volume_mode;

/* What the ranks hold and exchange. */
typedef struct tsr_volume {
    int order;
    tsr_volume_mode mode[TSR_MAX_ORDER];
    double max_nnz; /* entries of the largest rank */
    /* the most rows, of all modes, that one rank sends or receives; 0: unknown (of the model) */
    double max_moved;
} tsr_volume;

/* Expect the rows from the numbers of entries in the slices: as if the entries of a slice were spread over the ranks of
 * a layer at random, by the sizes of the chunks of the other modes. Cost: O(indices + distinct slice sizes * ranks).
 * TSR_NOMEM. */
tsr_status tsr_volume_model(tsr_volume *volume, const tsr_grid *grid, const tsr_slices *slices,
                            tsr_error *err) TSR_NODISCARD;
/* Count the rows from the entries of the tensor or of the coo (exactly one is not NULL); `slices` has counted these
 * entries. The row of a slice belongs to one of the ranks that use it: with lambda ranks, to number (slice mod lambda)
 * of them. Memory: 4 bytes for each entry and 8 for each index of the longest mode. TSR_NOMEM, TSR_CANCELLED. */
tsr_status tsr_volume_count(tsr_volume *volume, const tsr_grid *grid, const tsr_slices *slices,
                            const tsr_tensor *tensor, const tsr_coo *coo, tsr_error *err) TSR_NODISCARD;

/* The same from entries that are read a second time, in any pieces. Memory: one bit for each slice and each rank of a
 * layer of the mode. TSR_LIMIT: the bits take more than a gigabyte, or more than the memory that is left. TSR_NOMEM.
 * grid and slices are borrowed. */
typedef struct tsr_volume_counter tsr_volume_counter;
tsr_status tsr_volume_counter_new(tsr_volume_counter **out, const tsr_grid *grid, const tsr_slices *slices,
                                  tsr_error *err) TSR_NODISCARD;
/* Count n entries with these coordinates, which are below the dims of the slices. */
void tsr_volume_counter_add(tsr_volume_counter *counter, uint64_t n, const uint64_t *const *crd);
/* Set the volume; called once, after all entries. */
void tsr_volume_counter_end(tsr_volume *volume, tsr_volume_counter *counter);
void tsr_volume_counter_free(tsr_volume_counter *counter);

#ifdef __cplusplus
}
#endif
#endif
