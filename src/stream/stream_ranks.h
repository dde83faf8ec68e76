/* The share of a rank, and the tensor that the pieces of all ranks are. */
#ifndef STREAM_RANKS_H
#define STREAM_RANKS_H

#include "stream_job.h"

/* stream_ranks.c: read a part of the input, find cuts between the shares, send each entry to its rank, fill the piece. */
tsr_status stream_ranks_run(tsr_parts **out, stream_job *j, tsr_error *err) TSR_NODISCARD;

/* stream_cuts.c: which rank an entry belongs to. */
typedef struct stream_cuts {
    stream_splitters fine; /* many small buckets */
    uint16_t *owner;       /* fine.n + 1: the rank of a bucket; rising */
} stream_cuts;
/* list: the entries that this rank has read, stored in its folder. Shares differ by a few percent at most, as far as equal keys, which
 * stay together, allow it. */
tsr_status stream_cuts_find(stream_cuts *cuts, stream_job *j, const stream_list *list,
                            tsr_error *err) TSR_NODISCARD;
void stream_cuts_clear(stream_cuts *cuts);

/* stream_pieces.c: the pieces of all ranks as one tensor; ends the fill of the job. */
tsr_status stream_pieces_join(tsr_parts **out, stream_job *j, tsr_error *err) TSR_NODISCARD;

#endif
