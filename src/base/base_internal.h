/* What the files of base share: the counts of memory, and the blocks that are kept. */
#ifndef BASE_INTERNAL_H
#define BASE_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The sum of the bytes of all live blocks of tsr_alloc.h that are large enough to be counted (64 kB and
 * more); 0 where the system does not report the size of a block. */
uint64_t base_held_nbytes(void);
/* The bytes that a block of malloc has room for; 0 if they are not counted. */
uint64_t base_room_nbytes(void *block);

/* Blocks that were freed, but are kept (tsr_alloc_keep, tsr_alloc_recycle): see alloc_kept.c. */
uint64_t base_kept_nbytes(void);
/* Whether a block with room for nbytes would be kept. */
bool base_keeps(uint64_t nbytes);
/* Keep a block of which nbytes were written that is being freed. False: the caller frees it. */
bool base_kept_add(void *block, uint64_t nbytes);
/* A kept block with room for nbytes, and not for more than twice as many; or NULL. */
void *base_kept_take(size_t nbytes);
/* Before nbytes are allocated: free all kept blocks if there is no room for both. */
void base_kept_make_room(size_t nbytes);

#endif
