/* Pieces of generated kernels that allocate: arrays, and outputs that threads join from parts. */
#ifndef TSR_RT_ARRAYS_H
#define TSR_RT_ARRAYS_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tsr_rt.h"

/* piece all_threads (<stdint.h>): n threads; where n is below 1, as many as OpenMP takes. */
#ifdef _OPENMP
#ifdef __cplusplus
extern "C" int omp_get_max_threads(void);
#else
int omp_get_max_threads(void);
#endif
#endif
static inline int64_t all_threads(int64_t n)
{
#ifdef _OPENMP
    return n < 1 ? omp_get_max_threads() : n;
#else
    return n < 1 ? 1 : n;
#endif
}

/* piece large_pages: Ask for large pages where a block is large: fewer page faults. The advice is for all pages of
 * the block: with a page of it without advice, realloc could not move the pages, and would copy. */
#if defined(__linux__)
#ifdef __cplusplus
extern "C" int madvise(void *begin, size_t nbytes, int advice);
#else
int madvise(void *begin, size_t nbytes, int advice);
#endif
#endif
static inline void large_pages(void *block, size_t nbytes)
{
#if defined(__linux__)
    const uintptr_t address = (uintptr_t)block;
    int refused = nbytes >= 4194304; /* where pages are larger, the advice for small ones is refused */
    for (uintptr_t page = 4096; refused && page <= 65536; page *= 16) {
        const uintptr_t begin = address / page * page, end = (address + nbytes + page - 1) / page * page;
        refused = madvise((void *)begin, end - begin, 14) != 0; /* MADV_HUGEPAGE */
    }
#else
    (void)block, (void)nbytes;
#endif
}

/* piece new_array (large_pages, <stddef.h>, <stdlib.h>): An array of n elements that begins on a cache line, in
 * large pages where it is large; NULL when there is no memory for it. */
static inline void *new_array(int64_t n, size_t element_nbytes)
{
    const uint64_t count = n > 0 ? (uint64_t)n : 1;
    if (count > (PTRDIFF_MAX - 64) / element_nbytes)
        return NULL;
    const size_t nbytes = ((size_t)count * element_nbytes + 63) / 64 * 64;
    void *const block = aligned_alloc(64, nbytes);
    if (block)
        large_pages(block, nbytes);
    return block;
}

/* piece new_zeros (<stddef.h>, <stdlib.h>): An array of n zeros; NULL when there is no memory for it. */
static inline void *new_zeros(int64_t n, size_t element_nbytes)
{
    const uint64_t count = n > 0 ? (uint64_t)n : 1;
    return count > PTRDIFF_MAX / element_nbytes ? NULL : calloc((size_t)count, element_nbytes);
}

/* piece grow_array (<stddef.h>, <stdint.h>, <stdlib.h>): The block, which has room for *room elements, with room for n or more, and for twice
 * as many as before. NULL when there is no memory; the block is freed then. */
static inline void *grow_array(void *block, int64_t *room, int64_t n, size_t element_nbytes)
{
    const int64_t twice = *room < PTRDIFF_MAX / 4 ? 2 * *room : *room, now = n > twice ? n : twice;
    void *const grown =
        (uint64_t)now > PTRDIFF_MAX / element_nbytes ? NULL : realloc(block, (size_t)now * element_nbytes);
    if (!grown)
        free(block);
    *room = now;
    return grown;
}

/* piece trim_array (<stddef.h>, <stdint.h>, <stdlib.h>): The block, which keeps n elements. */
static inline void *trim_array(void *block, int64_t n, size_t element_nbytes)
{
    void *const trimmed = realloc(block, (n > 0 ? (size_t)n : 1) * element_nbytes);
    return trimmed ? trimmed : block;
}

/* piece tsr_rt_part (<stdint.h>): The block to which a thread appends, with room for a number of elements. */
typedef struct tsr_rt_part {
    void *data;
    int64_t room;
} tsr_rt_part;

/* piece tsr_rt_piece (tsr_rt_part, <stdint.h>): Elements [from, from + n) of a block, which become elements at, at + 1... of an
 * output. */
typedef struct tsr_rt_piece {
    tsr_rt_part block; /* NULL: not given, or used again */
    int64_t from, n, at;
    int64_t is_given;
    int64_t next_spare; /* after the elements were copied */
} tsr_rt_piece;

/* piece tsr_rt_parts (tsr_rt_part, tsr_rt_piece, tsr_rt_limit, <stddef.h>, <stdint.h>): An output that is joined from pieces, which
 * threads append to parts: to a block of memory for each thread. A finished piece is copied to the block of the output, behind
 * the pieces before it; so the block is written once, by all threads. */
typedef struct tsr_rt_parts {
    tsr_rt_part *part;   /* nparts elements */
    tsr_rt_piece *piece; /* npieces elements */
    int64_t nparts, npieces;
    int64_t is_locked; /* 1: a thread reads and changes next, block, n, room */
    int64_t next,
        ncopied;   /* the first piece without a place in the output; the number of pieces that were copied */
    int64_t spare; /* 1 + the first piece whose block can be used again; 0: there is no such piece */
    char *block;   /* of the output: n elements, with room for more */
    int64_t n, room, about; /* about: the room that is likely to do */
    size_t element_nbytes;
    tsr_rt_limit *limit; /* asked before memory is taken; NULL: no limit */
    int64_t
        *failed; /* 1: a thread did not get memory, so a piece of this or another output will be missing */
} tsr_rt_parts;

/* piece new_parts (tsr_rt_parts, <stdlib.h>): An output of npieces pieces, which are given from nparts parts; NULL when there is
 * no memory. */
static inline tsr_rt_parts *new_parts(int64_t nparts, int64_t npieces, int64_t about, size_t element_nbytes,
                                      tsr_rt_limit *limit, int64_t *failed)
{
    tsr_rt_parts *const p = (tsr_rt_parts *)calloc(1, sizeof *p + (size_t)nparts * sizeof(tsr_rt_part));
    if (!p)
        return NULL;
    p->part = (tsr_rt_part *)(p + 1);
    p->piece = (tsr_rt_piece *)calloc((size_t)npieces + 1, sizeof *p->piece);
    if (!p->piece) {
        free(p);
        return NULL;
    }
    p->nparts = nparts;
    p->npieces = npieces;
    p->about = about;
    p->element_nbytes = element_nbytes;
    p->limit = limit;
    p->failed = failed;
    return p;
}

/* piece reuse_block (tsr_rt_limit, <stddef.h>, <stdint.h>): A block that becomes this output's, which is likely to need room for
 * `wish` elements, and the elements it has room for; NULL and 0: there is no block. */
static inline void *reuse_block(const void *output, int64_t *room, int64_t wish, size_t element_nbytes,
                                tsr_rt_limit *limit)
{
    *room = limit->reuse ? wish : 0;
    return limit->reuse ? limit->reuse(limit, output, room, element_nbytes) : NULL;
}

/* piece new_output (tsr_rt_output, reuse_block, new_array, <stddef.h>, <stdlib.h>): The array of an output, whose length is known;
 * NULL when there is no memory for it. */
static inline void *new_output(const tsr_rt_output *output, size_t element_nbytes, tsr_rt_limit *limit)
{
    const int64_t n = output->n > 0 ? output->n : 1;
    int64_t room;
    void *const block = reuse_block(output, &room, n, element_nbytes, limit);
    if (block && room >= n)
        return block;
    void *grown = NULL;
    if ((uint64_t)n <= PTRDIFF_MAX / element_nbytes && limit->allows(limit, n - room, element_nbytes))
        grown = block ? realloc(block, (size_t)n * element_nbytes) : new_array(n, element_nbytes);
    if (!grown)
        free(block);
    return grown;
}

/* piece reuse_parts (tsr_rt_parts, reuse_block): The block of the output, before any piece is given. A single piece is made where
 * it stays. */
static inline void reuse_parts(tsr_rt_parts *p, const void *output)
{
    int64_t room;
    void *const block = reuse_block(output, &room, p->about, p->element_nbytes, p->limit);
    if (p->npieces == 1) {
        p->part[0].data = block;
        p->part[0].room = room;
    } else {
        p->block = (char *)block;
        p->room = room;
    }
}

/* piece free_parts (tsr_rt_parts, <stdlib.h>): Free an output that was not joined; nothing for NULL. */
static inline void free_parts(tsr_rt_parts *p)
{
    if (!p)
        return;
    for (int64_t t = 0; t < p->nparts; t++)
        free(p->part[t].data);
    for (int64_t k = 0; k < p->npieces; k++)
        free(p->piece[k].block.data);
    free(p->piece);
    free(p->block);
    free(p);
}

/* piece next_number (<stdint.h>): The next number, which no other thread gets. */
static inline int64_t next_number(uint64_t *next)
{
    uint64_t number;
#pragma omp atomic capture
    number = (*next)++;
    return (int64_t)number;
}

/* piece wait_for (<stdint.h>): Wait until *number is at least `least`, which other threads raise; 0 when a thread has failed. */
#if defined(__unix__)
#ifdef __cplusplus
extern "C" int sched_yield(void);
#else
int sched_yield(void);
#endif
#endif
static inline int wait_for(const int64_t *number, int64_t least, const int64_t *failed)
{
    for (int n = 0;; n++) {
        int64_t now, stop;
#pragma omp atomic read seq_cst
        now = *number;
#pragma omp atomic read seq_cst
        stop = *failed;
        if (now >= least || stop)
            return !stop;
#if defined(__unix__)
        if (n >= 100)
            (void)sched_yield(); /* there may be more threads than processors */
#endif
    }
}

/* piece grow_block (tsr_rt_limit, large_pages, <stddef.h>, <stdlib.h>): The block, which has room for *room elements, with room
 * for n or more: for `wish` elements if this is allowed, else for an eighth more than n. NULL when there is no memory. */
static inline void *grow_block(void *block, int64_t *room, int64_t n, int64_t wish, size_t element_nbytes,
                               tsr_rt_limit *limit)
{
    const int64_t before = *room;
    int64_t now = wish > n ? wish : n;
    for (int attempt = 0; attempt < 2; attempt++, now = n + n / 8) {
        if ((uint64_t)now > PTRDIFF_MAX / element_nbytes ||
            (limit && !limit->allows(limit, now - before, element_nbytes)))
            continue;
        void *const grown = realloc(block, (size_t)now * element_nbytes);
        if (!grown)
            continue;
        large_pages(grown, (size_t)now * element_nbytes);
        *room = now;
        return grown;
    }
    return NULL;
}

/* piece grow_output (grow_block, <stddef.h>, <stdint.h>, <stdlib.h>): As grow_block, for twice as many elements as before if this is
 * allowed; the block is freed when there is no memory. */
static inline void *grow_output(void *block, int64_t *room, int64_t n, size_t element_nbytes,
                                tsr_rt_limit *limit)
{
    const int64_t twice = *room < PTRDIFF_MAX / 4 ? 2 * *room : *room;
    void *const grown = grow_block(block, room, n, twice > 64 ? twice : 64, element_nbytes, limit);
    if (!grown)
        free(block);
    return grown;
}

/* piece add_spare (tsr_rt_parts): The block of piece k, which was copied, can be used again. */
static inline void add_spare(tsr_rt_parts *p, int64_t k)
{
#pragma omp critical(tsr_rt_spare)
    {
        p->piece[k].next_spare = p->spare;
        p->spare = k + 1;
    }
}

/* piece take_spare (tsr_rt_parts): The block of a piece that was copied, or one without room. */
static inline tsr_rt_part take_spare(tsr_rt_parts *p)
{
    tsr_rt_part part = {NULL, 0};
#pragma omp critical(tsr_rt_spare)
    {
        if (p->spare > 0) {
            tsr_rt_piece *const q = &p->piece[p->spare - 1];
            part = q->block;
            q->block.data = NULL;
            p->spare = q->next_spare;
        }
    }
    return part;
}

/* piece grow_part (TSR_RT_APART, tsr_rt_parts, grow_block, take_spare): Give the part room for n elements or more; NULL when there is no
 * memory. */
TSR_RT_APART static void *grow_part(tsr_rt_parts *p, tsr_rt_part *part, int64_t n)
{
    if (!part->data)
        *part = take_spare(p);
    if (part->room >= n)
        return part->data;
    const int64_t twice = part->room < PTRDIFF_MAX / 4 ? 2 * part->room : part->room;
    void *const block =
        grow_block(part->data, &part->room, n, twice > 64 ? twice : 64, p->element_nbytes, p->limit);
    if (block) {
        part->data = block;
    } else {
#pragma omp atomic write seq_cst
        *p->failed = 1;
    }
    return block;
}

/* piece touch_pages (<stddef.h>, <stdint.h>): Write to each large page that begins in bytes [from, to) of the block: the
 * system makes the page now, for one thread. Where several threads first write to a page at the same time, each of them clears a
 * large page, and all but one are thrown away. */
static inline void touch_pages(char *block, size_t from, size_t to)
{
    enum { PAGE = 1 << 21 };
    const size_t skew = (size_t)((uintptr_t)block % PAGE); /* byte `from` is byte from + skew of a page */
    for (size_t at = (from + skew + PAGE - 1) / PAGE * PAGE - skew; at < to; at += PAGE)
        *(volatile char *)(block + at) = 0;
}

/* piece place_pieces (tsr_rt_parts, wait_for, grow_block, touch_pages): For the thread that has locked the output: find the place of all pieces
 * that were given and have none, and make room for them. Returns the first piece after them; -1: no memory. */
static inline int64_t place_pieces(tsr_rt_parts *p)
{
    const int64_t first = p->next, n = p->n;
    int64_t k = first, is_given = 1;
    for (; k < p->npieces; k++) {
#pragma omp atomic read seq_cst
        is_given = p->piece[k].is_given;
        if (!is_given)
            break;
        p->piece[k].at = p->n;
        p->n += p->piece[k].n;
    }
    if (p->n > p->room) {
        const int64_t twice = p->room < PTRDIFF_MAX / 4 ? 2 * p->room : p->room;
        void *block = NULL;
        if (wait_for(&p->ncopied, first, p->failed)) /* no other thread uses the block */
            block = grow_block(p->block, &p->room, p->n, p->about > p->n ? p->about : twice,
                               p->element_nbytes, p->limit);
        if (!block)
            return -1;
        p->block = (char *)block;
    }
    touch_pages(p->block, (size_t)n * p->element_nbytes, (size_t)p->n * p->element_nbytes);
#pragma omp atomic write seq_cst
    p->next = k;
    return k;
}

/* piece copy_piece (tsr_rt_parts, <stddef.h>, <string.h>): Copy a piece to its place in the block of the output. */
static inline void copy_piece(const tsr_rt_parts *p, const tsr_rt_piece *piece)
{
    const size_t nbytes = p->element_nbytes;
    char *const to = p->block + (size_t)piece->at * nbytes;
    const char *const from = (const char *)piece->block.data + (size_t)piece->from * nbytes;
    if (p->limit && p->limit->copy)
        p->limit->copy(p->limit, to, from, (size_t)piece->n * nbytes, (size_t)p->room * nbytes);
    else
        memcpy(to, from, (size_t)piece->n * nbytes);
}

/* piece copy_pieces (tsr_rt_parts, copy_piece, add_spare): Copy pieces [first, end) to the block of the output. The block of
 * piece `own` goes to `part`. */
static inline void copy_pieces(tsr_rt_parts *p, int64_t first, int64_t end, int64_t own, tsr_rt_part *part)
{
    for (int64_t k = first; k < end; k++) {
        tsr_rt_piece *const q = &p->piece[k];
        if (q->n > 0) /* the block stays as it is until these pieces are copied */
            copy_piece(p, q);
        if (k == own) {
            *part = q->block;
            q->block.data = NULL;
        } else if (q->block.data) {
            add_spare(p, k);
        }
#pragma omp atomic update seq_cst
        p->ncopied += 1;
    }
}

/* piece give_part (TSR_RT_APART, tsr_rt_parts, wait_for, place_pieces, copy_pieces): Elements [from, to) of the part, whose block is `data`, are
 * piece number `piece`, and the part is empty again. The thread that gives the first piece without a place copies it and the
 * pieces after it that were given already. 0 when this or another thread got no memory. */
TSR_RT_APART static int give_part(tsr_rt_parts *p, tsr_rt_part *part, int64_t piece, void *data, int64_t from,
                                  int64_t to)
{
    enum { AHEAD = 8 }; /* early pieces for each thread, at most: they take memory besides the result */
    tsr_rt_piece *const given = &p->piece[piece];
    if (p->npieces == 1 && from == 0) { /* the block of the part becomes the block of the output */
        p->block = (char *)(part->data ? data : NULL);
        p->n = to;
        p->next = 1;
        part->data = NULL;
        part->room = 0;
        return 1;
    }
    if (!wait_for(&p->next, piece - AHEAD * p->nparts, p->failed))
        return 0;
    given->block.data = part->data ? data : NULL; /* the block before may belong to another thread */
    given->block.room = part->room;
    given->from = from;
    given->n = to - from;
    part->data = NULL;
    part->room = 0;
    int64_t is_given = 1;
#pragma omp atomic write seq_cst
    given->is_given = 1;
    while (is_given) {
        int64_t was_locked;
#pragma omp atomic capture seq_cst
        {
            was_locked = p->is_locked;
            p->is_locked = 1;
        }
        if (was_locked) /* by a thread that looks for more pieces afterwards */
            return 1;
        const int64_t first = p->next, end = place_pieces(p);
#pragma omp atomic write seq_cst
        p->is_locked = 0;
        if (end < 0) {
#pragma omp atomic write seq_cst
            *p->failed = 1;
            return 0;
        }
        if (first < end)
            copy_pieces(p, first, end, piece, part);
        if (end == p->npieces)
            return 1;
#pragma omp atomic read seq_cst
        is_given = p->piece[end].is_given;
    }
    return 1;
}

/* piece join_parts (TSR_RT_APART, tsr_rt_parts, free_parts, <stddef.h>, <stdint.h>, <stdlib.h>): All pieces one after the other, *total elements. The
 * parts are freed, and *parts is NULL. NULL when a piece is missing, because there was no memory. Room that was not needed is given
 * back, by the caller where it gave a limit. */
TSR_RT_APART static void *join_parts(int64_t *total, tsr_rt_parts **parts)
{
    tsr_rt_parts *const p = *parts;
    void *block = NULL;
    if (p->next == p->npieces && !*p->failed)
        block = p->limit && p->block ? p->block
                                     : realloc(p->block, (p->n > 0 ? (size_t)p->n : 1) * p->element_nbytes);
    if (block)
        p->block = NULL;
    *total = p->n;
    free_parts(p);
    *parts = NULL;
    return block;
}

/* piece shift_positions_u32 (TSR_RT_APART, <stdint.h>): pos has the positions of n pieces of an output, each counted from the
 * begin of its piece. The numbers of the entries of the pieces become those of the pieces before, and these are added to
 * elements factor * begin[p] + 1 to factor * begin[p + 1] of pos, for each piece p. */
TSR_RT_APART static void shift_positions_u32(uint32_t *pos, uint64_t *number, const uint64_t *begin,
                                             int64_t n, int64_t factor, int64_t nthreads)
{
    (void)nthreads;
    uint64_t total = 0;
    for (int64_t p = 0; p < n; p++) {
        const uint64_t own = number[p];
        number[p] = total;
        total += own;
    }
    number[n] = total;
#pragma omp parallel for schedule(static) num_threads((int)nthreads)
    for (int64_t p = 0; p < n; p++)
        for (int64_t q = factor * (int64_t)begin[p], end = factor * (int64_t)begin[p + 1]; q < end; q++)
            pos[q + 1] = (uint32_t)(pos[q + 1] + number[p]);
}

/* piece end */
#endif
