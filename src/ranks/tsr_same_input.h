/* Whether all ranks were given the same input and options, before they work on it together. */
#ifndef TSR_SAME_INPUT_H
#define TSR_SAME_INPUT_H

#include "tsr_ranks.h"

#ifdef __cplusplus
extern "C" {
#endif

/* FNV-1a of n bytes, continued from `hash`. */
#define TSR_RANKS_HASH_BEGIN UINT64_C(0xcbf29ce484222325)
uint64_t tsr_ranks_hash(uint64_t hash, const void *bytes, size_t n);
/* *other: the first rank whose number differs from that of rank 0; 0: there is none. */
tsr_status tsr_ranks_compare(int *other, uint64_t mine, const tsr_ranks *ranks, tsr_error *err) TSR_NODISCARD;
/* TSR_ARGUMENT, on all ranks, unless `path` names the same file on all: the same inode, size and time, or else the same bytes.
 * "-" is refused, since the system gives standard input to one rank. */
tsr_status tsr_ranks_same_input(const tsr_ranks *ranks, const char *path, tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
