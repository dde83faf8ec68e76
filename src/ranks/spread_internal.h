/* Declarations that the files of src/ranks share. */
#ifndef SPREAD_INTERNAL_H
#define SPREAD_INTERNAL_H

#include "tsr_spread.h"

/* spread_entries.c: the grid, the entries of this rank with their coordinates in the whole tensor. */
tsr_status spread_read(tsr_spread_tensor *s, tsr_feed *feed, tsr_grid_kind kind, const tsr_observer *observer,
                       tsr_error *err) TSR_NODISCARD;
/* spread_rows.c: the rows of a mode, and the coordinates as rows. */
tsr_status spread_find_rows(tsr_spread_tensor *s, int mode, tsr_error *err) TSR_NODISCARD;
void spread_parcels_free(tsr_spread_tensor *s);
/* The chunk of the mode that the block of a rank lies in. */
uint32_t spread_chunk_of(const tsr_grid *grid, int rank, int mode);

/* Bytes for every rank and from every rank, side by side. */
typedef struct spread_mail {
    void *memory;
    const void **from;
    void **to;
    uint64_t *sent, *got; /* bytes */
} spread_mail;
tsr_status spread_mail_new(spread_mail *mail, int nranks, tsr_error *err) TSR_NODISCARD;
/* Exchange the bytes; *nbytes grows by the number of bytes that go to other ranks. */
tsr_status spread_mail_exchange(spread_mail *mail, const tsr_ranks *ranks, uint64_t *nbytes,
                                tsr_error *err) TSR_NODISCARD;
void spread_mail_clear(spread_mail *mail);

#endif
