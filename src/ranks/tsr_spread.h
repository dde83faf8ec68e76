/* A sparse tensor over ranks, for products with dense operands (SpMV, MTTKRP): a rank holds the entries of one block of
 * a grid (tsr_grid.h), renumbered so that coordinate q of mode m is number q of the slices of mode m in which the rank
 * has entries. A dense operand that has a row for each index of mode m is held in the same way: a rank has the rows
 * that its entries need, and one of the ranks that use a row owns it. Before a product the owners send rows to the
 * users (tsr_spread_fetch), and after it the users of the rows of the result send their parts to the owners, which add
 * them up (tsr_spread_add). Each row moves once for each rank that uses it and does not own it: the rows sent are those
 * that tsr_volume_count counts.
 *
 * All functions that take a tsr_spread_tensor are collective, as those of tsr_ranks are; an error of one rank is an
 * error of all ranks. */
#ifndef TSR_SPREAD_H
#define TSR_SPREAD_H

#include "tsr_feed.h"
#include "tsr_grid.h"
#include "tsr_ranks.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The rows of a mode on this rank. n: the number of ranks. A row with u users is owned by number (index mod u) of them. */
typedef struct tsr_spread_mode {
    uint64_t nrows; /* slices in which this rank has entries */
    uint64_t *row;  /* nrows: their indices, rising */
    /* n + 1: rows lend[lend_at[r]]... before lend_at[r + 1] are owned here and used by rank r */
    uint64_t *lend_at;
    uint64_t *lend;               /* rows of this rank, 0 to nrows - 1 */
    uint64_t *borrow_at, *borrow; /* the same for rows that are used here and owned by rank r */
    uint8_t *borrowed;            /* nrows: whether another rank owns the row */
} tsr_spread_mode;

typedef struct tsr_spread_tensor {
    const tsr_ranks *ranks; /* borrowed */
    int order;
    uint64_t dims[TSR_MAX_ORDER], nnz; /* of the whole tensor */
    tsr_grid grid;
    tsr_volume model; /* the rows that tsr_volume_model expects */
    tsr_coo *coo;     /* of this rank: f64, in no order; owned, and taken by the caller who sets it to NULL */
    tsr_spread_mode mode[TSR_MAX_ORDER];
    uint64_t ncolumns;            /* of tsr_spread_prepare */
    struct spread_parcel *parcel; /* order: rows on their way; owned */
    uint64_t max_nnz;             /* entries of the largest rank */
    uint64_t sent_nbytes;         /* by this rank: rows, since the beginning */
    uint64_t setup_nbytes; /* by this rank: entries, and which slices it uses, before the first product */
} tsr_spread_tensor;

/* Read the entries of the feed, and send them to their ranks. Each rank has a feed of the same input. A feed that can
 * be read only from its beginning is read by rank 0. Both triangles of a symmetric matrix are made. TSR_UNSUPPORTED:
 * complex values; a pipe, since entries are read twice. Other errors: those of the feed, TSR_NOMEM. */
tsr_status tsr_spread_new(tsr_spread_tensor **out, tsr_feed *feed, const tsr_ranks *ranks, tsr_grid_kind kind,
                          const tsr_observer *observer, tsr_error *err) TSR_NODISCARD;
/* The same without rows, for callers that move rows by themselves: the coordinates are those of the whole tensor. */
tsr_status tsr_spread_read(tsr_spread_tensor **out, tsr_feed *feed, const tsr_ranks *ranks,
                           tsr_grid_kind kind, const tsr_observer *observer, tsr_error *err) TSR_NODISCARD;
void tsr_spread_free(tsr_spread_tensor *spread);

/* Make room for rows of ncolumns > 0 elements on their way. Must be called before the functions below. */
tsr_status tsr_spread_prepare(tsr_spread_tensor *spread, uint64_t ncolumns, tsr_error *err) TSR_NODISCARD;
/* rows: nrows x ncolumns of a mode. Replace the rows that are borrowed by those of their owners. */
tsr_status tsr_spread_fetch(double *rows, tsr_spread_tensor *spread, int mode, tsr_error *err) TSR_NODISCARD;
/* Add the parts of other ranks to the rows that are owned here: first the part of this rank, then those of rank 0,
 * 1... */
tsr_status tsr_spread_add(double *rows, tsr_spread_tensor *spread, int mode, tsr_error *err) TSR_NODISCARD;
/* On rank 0: write all owned rows to `all`, dims[mode] x ncolumns, where rows without entries stay as they are. `all`
 * is NULL on the other ranks. */
tsr_status tsr_spread_collect(double *all, const double *rows, tsr_spread_tensor *spread, int mode,
                              tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
