/* The C code that a generated kernel may use besides C itself. Self-contained; pasted piece by piece into
 * each kernel.
 *
 * A piece begins with a line "piece NAME: description", which may list other pieces and headers that the
 * piece needs ("piece NAME (OTHER, <stdlib.h>): ..."), and ends before the next such line. The text before
 * the first piece, and the piece "end", are never pasted. A piece whose name ends in a type, such as _i32, is
 * the model for all types of its kind: emit makes add_i8 from add_i32 by replacing i32, int32_t and uint32_t
 * by i8, int8_t and uint8_t. Such a piece computes in uint64_t.
 *
 * The library includes this file only for the entry point; TSR_RT_ALL asks for the rest. */
#ifndef TSR_RT_H
#define TSR_RT_H

#include <stdint.h>

#ifdef TSR_RT_ALL
#include <complex.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#endif

/* piece tsr_rt_entry (<stdint.h>): The uniform entry point: an argument is n for an index, else data. The
 * kernel is not inlined into it, since inlining would lose the restrict of its pointers. */
#if defined(__GNUC__)
#define TSR_RT_APART __attribute__((noinline))
#else
#define TSR_RT_APART
#endif
typedef struct tsr_rt_arg {
    int64_t n;
    void *data;
} tsr_rt_arg;
typedef int tsr_rt_function(const tsr_rt_arg *args);

/* piece tsr_rt_output (<stdint.h>): An array of n elements that the function allocates and the caller frees
 * with free(). */
#ifndef TSR_RT_OUTPUT
#define TSR_RT_OUTPUT
typedef struct tsr_rt_output {
    void *data;
    int64_t n;
} tsr_rt_output;
#endif

/* piece tsr_rt_limit (<stdint.h>): Asked before memory for n more elements of an output is taken, by any thread:
 * 0 when it may not be. */
typedef struct tsr_rt_limit {
    int (*allows)(struct tsr_rt_limit *limit, int64_t n, uint64_t element_nbytes);
} tsr_rt_limit;

/* piece end */
#ifdef TSR_RT_ALL

/* piece PREFETCH: A hint that the element will be read soon; the address need not be valid. */
#if defined(__GNUC__)
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define PREFETCH(address) ((void)(address))
#endif

/* piece PREFETCH_WRITE: A hint that the element will be written soon; the address need not be valid. */
#if defined(__GNUC__)
#define PREFETCH_WRITE(address) __builtin_prefetch(address, 1)
#else
#define PREFETCH_WRITE(address) ((void)(address))
#endif

/* piece LOAD: The vector of type T that begins at an element; only the element needs to be aligned. */
#define LOAD(T, address) (*(const T *)(address))

/* piece min_i64 */
static inline int64_t min_i64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* piece max_i64 */
static inline int64_t max_i64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* piece floordiv_i64: a / b, rounded down; b > 0. */
static inline int64_t floordiv_i64(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* piece mod_i64: a modulo b, in [0, b); b > 0. */
static inline int64_t mod_i64(int64_t a, int64_t b)
{
    const int64_t r = a % b;
    return r < 0 ? r + b : r;
}

/* piece gather_i64: The bits of x at the ones of the mask, moved together; x >= 0. Processors with BMI2 do this in
 * one instruction (those of the first two Zen generations slowly). Elsewhere bits move in six steps, by 1, 2, 4...
 * 32 places; which bits move in a step depends on the mask alone, so for a constant mask the steps are shifts and
 * masks. */
static inline int64_t gather_i64(int64_t x, uint64_t mask)
{
#if defined(__BMI2__) && defined(__x86_64__) && !defined(__znver1__) && !defined(__znver2__)
    return (int64_t)__builtin_ia32_pext_di((uint64_t)x, mask);
#else
    uint64_t v = (uint64_t)x & mask, zeros = ~mask << 1;
    for (int s = 0; s < 6; s++) {
        uint64_t odd = zeros ^ zeros << 1;
        odd ^= odd << 2;
        odd ^= odd << 4;
        odd ^= odd << 8;
        odd ^= odd << 16;
        odd ^= odd << 32;
        const uint64_t move = odd & mask;
        v = (v & ~move) | (v & move) >> (1 << s);
        mask = (mask ^ move) | move >> (1 << s);
        zeros &= ~odd;
    }
    return (int64_t)v;
#endif
}

/* piece large_pages: Ask for large pages where a block is large: fewer page faults. */
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
    const uintptr_t step = 65536, begin = ((uintptr_t)block + step - 1) / step * step;
    const uintptr_t end = ((uintptr_t)block + nbytes) / step * step;
    if (nbytes >= 4194304)
        (void)madvise((void *)begin, end - begin, 14); /* MADV_HUGEPAGE */
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

/* piece free_parts (tsr_rt_parts, <stdlib.h>): Free an output that was not joined. */
static inline void free_parts(tsr_rt_parts *p)
{
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

/* piece grow_part (tsr_rt_parts, grow_block, take_spare): Give the part room for n elements or more; NULL when there is no
 * memory. */
static inline void *grow_part(tsr_rt_parts *p, tsr_rt_part *part, int64_t n)
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

/* piece place_pieces (tsr_rt_parts, wait_for, grow_block): For the thread that has locked the output: find the place of all pieces
 * that were given and have none, and make room for them. Returns the first piece after them; -1: no memory. */
static inline int64_t place_pieces(tsr_rt_parts *p)
{
    const int64_t first = p->next;
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
#pragma omp atomic write seq_cst
    p->next = k;
    return k;
}

/* piece copy_pieces (tsr_rt_parts, add_spare, <string.h>): Copy pieces [first, end) to the block of the output. The block of
 * piece `own` goes to `part`. */
static inline void copy_pieces(tsr_rt_parts *p, int64_t first, int64_t end, int64_t own, tsr_rt_part *part)
{
    const size_t nbytes = p->element_nbytes;
    char *const block = p->block; /* stays as it is until these pieces are copied */
    for (int64_t k = first; k < end; k++) {
        tsr_rt_piece *const q = &p->piece[k];
        if (q->n > 0)
            memcpy(block + (size_t)q->at * nbytes, (const char *)q->block.data + (size_t)q->from * nbytes,
                   (size_t)q->n * nbytes);
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

/* piece give_part (tsr_rt_parts, wait_for, place_pieces, copy_pieces): Elements [from, to) of the part, whose block is `data`, are
 * piece number `piece`, and the part is empty again. The thread that gives the first piece without a place copies it and the
 * pieces after it that were given already. 0 when this or another thread got no memory. */
static inline int give_part(tsr_rt_parts *p, tsr_rt_part *part, int64_t piece, void *data, int64_t from,
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

/* piece join_parts (tsr_rt_parts, free_parts, <stddef.h>, <stdint.h>, <stdlib.h>): All pieces one after the other, *total elements. The
 * parts are freed. NULL when a piece is missing, because there was no memory. */
static inline void *join_parts(int64_t *total, tsr_rt_parts *p)
{
    void *block = NULL;
    if (p->next == p->npieces && !*p->failed) /* give back the room that was not needed */
        block = realloc(p->block, (p->n > 0 ? (size_t)p->n : 1) * p->element_nbytes);
    if (block)
        p->block = NULL;
    *total = p->n;
    free_parts(p);
    return block;
}

/* piece sort_u32 (<stddef.h>): Put a[0..n) into rising order: few of them by counting for each how many come
 * before it, more by their bytes from the lowest on, many after cutting them in two. */
static inline void sort_u32(uint32_t *a, int64_t n)
{
    enum { LANES = 64 / sizeof(uint32_t), FEW = 96, MANY = 2048 };
    uint32_t copy[MANY];
    if (n <= 1)
        return;
    if (n <= FEW) {
        typedef uint32_t keys __attribute__((vector_size(64)));
        keys lane, block[(FEW + LANES - 1) / LANES], rank[(FEW + LANES - 1) / LANES];
        const int64_t nblocks = (n + LANES - 1) / LANES;
        for (int64_t u = 0; u < LANES; u++)
            lane[u] = (uint32_t)u;
        for (int64_t b = 0; b < nblocks; b++) {
            keys key = {0};
            for (int64_t u = 0; u < LANES; u++)
                key[u] = a[b * LANES + u < n ? b * LANES + u : n - 1];
            block[b] = key | (keys)(lane + (uint32_t)(b * LANES) >= (uint32_t)n);
        }
        for (int64_t b = 0; b < nblocks; b++) {
            const keys key = block[b];
            keys less = {0};
            for (int64_t c = 0; c < b; c++)
                for (int64_t u = 0; u < LANES; u++)
                    less -= (keys)(block[c][u] <= key);
            for (int64_t u = 0; u < LANES; u++)
                less -= (keys)((block[b][u] < key) | ((block[b][u] == key) & ((uint32_t)u < lane)));
            for (int64_t c = b + 1; c < nblocks; c++)
                for (int64_t u = 0; u < LANES; u++)
                    less -= (keys)(block[c][u] < key);
            rank[b] = less;
        }
        for (int64_t i = 0; i < n; i++)
            a[rank[i / LANES][i % LANES]] = block[i / LANES][i % LANES];
    } else if (n <= MANY) {
        uint32_t *from = a, *to = copy, differ = 0;
        for (int64_t i = 1; i < n; i++)
            differ |= a[i] ^ a[0];
        for (size_t shift = 0; shift < 8 * sizeof *a; shift += 8) {
            int64_t at[257] = {0};
            if (!(differ >> shift & 255))
                continue;
            for (int64_t i = 0; i < n; i++)
                at[(from[i] >> shift & 255) + 1]++;
            for (int k = 1; k < 256; k++)
                at[k] += at[k - 1];
            for (int64_t i = 0; i < n; i++)
                to[at[from[i] >> shift & 255]++] = from[i];
            uint32_t *const swap = from;
            from = to;
            to = swap;
        }
        for (int64_t i = 0; from != a && i < n; i++)
            a[i] = copy[i];
    } else {
        const uint32_t x = a[0], y = a[n / 2], z = a[n - 1];
        const uint32_t middle = x < y ? (y < z ? y : x < z ? z : x) : (x < z ? x : y < z ? z : y);
        int64_t i = 0, j = n - 1;
        for (;; i++, j--) {
            while (a[i] < middle)
                i++;
            while (middle < a[j])
                j--;
            if (i >= j)
                break;
            const uint32_t swap = a[i];
            a[i] = a[j];
            a[j] = swap;
        }
        sort_u32(a, j + 1);
        sort_u32(a + j + 1, n - j - 1);
    }
}

/* piece take_u32 (<stddef.h>, <string.h>): The numbers i - base of the marks in [lo, hi) that are set, into list, in
 * rising order; these marks are cleared. Returns how many. Up to 16 elements of list after them are undefined. */
#if defined(__AVX512BW__)
#include <immintrin.h>
#endif
static inline int64_t take_u32(uint32_t *list, uint8_t *mark, int64_t lo, int64_t hi, int64_t base)
{
    int64_t n = 0;
#if defined(__AVX512BW__)
    const __m512i lane = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    for (; lo < hi && sizeof *list == 4; lo += 64) {
        const __mmask64 inside = hi - lo < 64 ? ((__mmask64)1 << (hi - lo)) - 1 : ~(__mmask64)0;
        const __m512i marks = _mm512_maskz_loadu_epi8(inside, mark + lo);
        const __mmask64 set = _mm512_test_epi8_mask(marks, marks);
        if (!set)
            continue;
        _mm512_mask_storeu_epi8(mark + lo, inside, _mm512_setzero_si512());
        for (int k = 0; k < 64; k += 16) {
            const __mmask16 part = (__mmask16)(set >> k);
            const __m512i number = _mm512_add_epi32(lane, _mm512_set1_epi32((int)(lo - base + k)));
            _mm512_storeu_si512(list + n, _mm512_maskz_compress_epi32(part, number));
            n += __builtin_popcount(part);
        }
    }
#endif
    for (; lo < hi; lo += 8) {
        const int64_t end = hi - lo < 8 ? hi - lo : 8;
        uint64_t any = 0;
        memcpy(&any, mark + lo, (size_t)end);
        for (int64_t i = 0; any && i < end; i++) {
            list[n] = (uint32_t)(lo - base + i);
            n += mark[lo + i];
        }
        memset(mark + lo, 0, (size_t)end);
    }
    return n;
}

/* piece seek_u32: The first place in a[lo..n), which rises, with an element of at least `least`; n when there is
 * none. The steps double, so a place near lo is found fast. */
static inline int64_t seek_u32(const uint32_t *a, int64_t lo, int64_t n, uint32_t least)
{
    int64_t step = 1;
    for (; step <= n - lo && a[lo + step - 1] < least; step *= 2)
        lo += step;
    int64_t hi = step <= n - lo ? lo + step - 1 : n;
    while (lo < hi) {
        const int64_t middle = lo + (hi - lo) / 2;
        if (least <= a[middle])
            hi = middle;
        else
            lo = middle + 1;
    }
    return lo;
}

/* piece put_places: list[0], list[1]... = first + the numbers of the bits that are set; 16 elements are written. */
#if defined(__AVX512BW__)
#include <immintrin.h>
static inline void put_places(uint64_t *list, unsigned set, int64_t first)
{
    const __m512i lane = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const __m512i number = _mm512_maskz_compress_epi32((__mmask16)set, lane), base = _mm512_set1_epi64(first);
    const __m512i low = _mm512_cvtepu32_epi64(_mm512_castsi512_si256(number));
    const __m512i high = _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(number, 1));
    _mm512_storeu_si512(list, _mm512_add_epi64(low, base));
    _mm512_storeu_si512(list + 8, _mm512_add_epi64(high, base));
}
#endif

/* piece equal_lanes: The lanes of x that are equal to a lane of y. */
#if defined(__AVX512BW__)
static inline __mmask16 equal_lanes(__m512i x, __m512i y)
{
    __mmask16 equal = 0;
    for (int u = 0; u < 16; u++) {
        const __m512i one = _mm512_permutexvar_epi32(_mm512_set1_epi32(u), y);
        equal = _kor_mask16(equal, _mm512_cmpeq_epi32_mask(x, one));
    }
    return equal;
}
#endif

/* piece bits_of_u32: Bit a[k] - first set for each of the n elements of a, which rise; n: 1 to 16, a[n - 1] - first: at
 * most 63. */
#if defined(__AVX512BW__) && defined(__BMI2__)
#include <immintrin.h>
static inline uint64_t bits_of_u32(const uint32_t *a, int64_t n, uint32_t first)
{
    const __mmask16 inside = (__mmask16)(65535 >> (16 - n));
    if ((int64_t)(a[n - 1] - a[0]) == n - 1) /* neighbours, as in a band */
        return (uint64_t)inside << (a[0] - first);
    const __m512i place =
        _mm512_sub_epi32(_mm512_maskz_loadu_epi32(inside, a), _mm512_set1_epi32((int)first));
    const __m512i low = _mm512_cvtepu32_epi64(_mm512_castsi512_si256(place));
    const __m512i high = _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(place, 1));
    const __m512i one = _mm512_set1_epi64(1);
    return (uint64_t)_mm512_reduce_or_epi64(
        _mm512_or_si512(_mm512_maskz_sllv_epi64((__mmask8)inside, one, low),
                        _mm512_maskz_sllv_epi64((__mmask8)(inside >> 8), one, high)));
}
#endif

/* piece match_u32 (seek_u32, put_places, equal_lanes, bits_of_u32): Find the pairs of equal elements of a[i..m) and b[j..n), both rising. found[0]: the number
 * of pairs, at most `most`; found[1], found[2]: the places where the search stopped; then
 * the places of the pairs in a, and from 3 + most on those in b. Blocks of 16 elements are compared all with all, and
 * long stretches of one list alone are skipped. */
static inline void match_u32(uint64_t *found, int64_t most, const uint32_t *a, int64_t i, int64_t m,
                             const uint32_t *b, int64_t j, int64_t n)
{
    int64_t k = 0;
    while (i < m && j < n && k + 16 <= most) {
        const int64_t i_end = m - i > 16 ? i + 16 : m, j_end = n - j > 16 ? j + 16 : n;
        const uint32_t a_top = a[i_end - 1], b_top = b[j_end - 1];
        if (a_top < b[j]) {
            i = seek_u32(a, i_end, m, b[j]);
            continue;
        }
        if (b_top < a[i]) {
            j = seek_u32(b, j_end, n, a[i]);
            continue;
        }
#if defined(__AVX512BW__)
        if (sizeof *a == 4) {
            const __mmask16 in_a = (__mmask16)(65535 >> (16 - (i_end - i)));
            const __mmask16 in_b = (__mmask16)(65535 >> (16 - (j_end - j)));
            /* lanes beyond a list repeat its last element */
            const __m512i x_top = _mm512_set1_epi32((int)a_top), y_top = _mm512_set1_epi32((int)b_top);
            const __m512i x = _mm512_mask_loadu_epi32(x_top, in_a, a + i);
            const __m512i y = _mm512_mask_loadu_epi32(y_top, in_b, b + j);
            __mmask16 equal_a = _mm512_mask_cmpeq_epi32_mask(in_a, x, y), equal_b;
            const uint32_t first = a[i] < b[j] ? a[i] : b[j], last = a_top > b_top ? a_top : b_top;
            if (in_a == in_b && equal_a == in_a) {
                equal_b = in_b;
#if defined(__BMI2__)
            } else if (last - first < 64) {
                const uint64_t p = bits_of_u32(a + i, i_end - i, first);
                const uint64_t q = bits_of_u32(b + j, j_end - j, first);
                equal_a = (__mmask16)_pext_u64(p & q, p);
                equal_b = (__mmask16)_pext_u64(p & q, q);
#endif
            } else {
                equal_a = in_a & equal_lanes(x, y);
                equal_b = equal_a ? in_b & equal_lanes(y, x) : 0;
            }
            if (equal_a) {
                put_places(found + 3 + k, equal_a, i);
                put_places(found + 3 + most + k, equal_b, j);
                k += __builtin_popcount(equal_a);
            }
            i += __builtin_popcount(_mm512_mask_cmple_epu32_mask(in_a, x, y_top));
            j += __builtin_popcount(_mm512_mask_cmple_epu32_mask(in_b, y, x_top));
            continue;
        }
#endif
        while (i < i_end && j < j_end) {
            const uint32_t x = a[i], y = b[j];
            found[3 + k] = (uint64_t)i;
            found[3 + most + k] = (uint64_t)j;
            k += x == y;
            i += x <= y;
            j += y <= x;
        }
    }
    found[0] = (uint64_t)k;
    found[1] = (uint64_t)i;
    found[2] = (uint64_t)j;
}

/* piece unite_few_u32 (bits_of_u32): The union of a[0..m) and b[0..n), which rise, at most 16 elements each: bit k of
 * at[0] is set where a has element k of the union, bit k of at[1] where b has. Returns the number of its elements. */
#if defined(__AVX512BW__) && defined(__BMI2__)
static inline int64_t unite_few_u32(unsigned *at, const uint32_t *a, int64_t m, const uint32_t *b, int64_t n)
{
    const __mmask16 inside = (__mmask16)(65535 >> (16 - m));
    at[0] = inside;
    at[1] = (unsigned)(65535 >> (16 - n));
    if (m == 0 || n == 0)
        return m + n;
    const uint32_t first = a[0] < b[0] ? a[0] : b[0], last = a[m - 1] > b[n - 1] ? a[m - 1] : b[n - 1];
    if (last - first < 64) {
        const uint64_t x = bits_of_u32(a, m, first), y = bits_of_u32(b, n, first);
        at[0] = (unsigned)_pext_u64(x, x | y);
        at[1] = (unsigned)_pext_u64(y, x | y);
        return __builtin_popcountll(x | y);
    }
    const __m512i x = _mm512_mask_loadu_epi32(_mm512_set1_epi32(-1), inside, a);
    unsigned in_b = 0, only_b = 0, more = 0;
    for (int64_t k = 0; k < n; k++) {
        const __m512i y = _mm512_set1_epi32((int)b[k]);
        const unsigned less = _mm512_cmplt_epu32_mask(x, y),
                       equal = _mm512_mask_cmpeq_epi32_mask(inside, x, y);
        const unsigned bit = 1u << (unsigned)(__builtin_popcount(less) + (int)more);
        in_b |= bit;
        only_b |= equal ? 0 : bit;
        more += !equal;
    }
    at[0] = (unsigned)(((uint64_t)1 << (m + more)) - 1) & ~only_b;
    at[1] = in_b;
    return m + more;
}
#endif

/* piece unite_u32 (unite_few_u32): The sum of two sparse rows, x at a[i..m) and y at b[j..n), which rise. crd: the
 * coordinates of both, each once, in rising order; sum: the values there. Returns the number of them. With AVX-512
 * up to 16 elements of both rows are united at once, since branches would be predicted right only half of the time. */
static inline int64_t unite_u32(uint32_t *crd, double *sum, const uint32_t *a, const double *x, int64_t i,
                                int64_t m, const uint32_t *b, const double *y, int64_t j, int64_t n)
{
    int64_t k = 0;
#if defined(__AVX512BW__) && defined(__BMI2__)
    while (sizeof *a == 4 && i < m && j < n) {
        const int64_t i_end = m - i > 16 ? i + 16 : m, j_end = n - j > 16 ? j + 16 : n;
        int64_t na = i_end - i, nb = j_end - j;
        if (i_end < m || j_end < n) { /* elements beyond the last one read of the other row must wait */
            const uint32_t a_top = i_end < m ? a[i_end - 1] : (uint32_t)-1,
                           b_top = j_end < n ? b[j_end - 1] : (uint32_t)-1;
            const uint32_t top = a_top < b_top ? a_top : b_top;
            const __m512i bound = _mm512_set1_epi32((int)top);
            const __mmask16 in_a = (__mmask16)(65535 >> (16 - na)), in_b = (__mmask16)(65535 >> (16 - nb));
            na = __builtin_popcount(
                _mm512_mask_cmple_epu32_mask(in_a, _mm512_maskz_loadu_epi32(in_a, a + i), bound));
            nb = __builtin_popcount(
                _mm512_mask_cmple_epu32_mask(in_b, _mm512_maskz_loadu_epi32(in_b, b + j), bound));
        }
        unsigned at[2];
        const int64_t count = unite_few_u32(at, a + i, na, b + j, nb);
        for (int64_t l = 0; l < count; l += 16) {
            const __mmask16 here = (__mmask16)(65535 >> (count - l < 16 ? 16 - (count - l) : 0));
            const __mmask16 by_a = (__mmask16)(at[0] >> l), by_b = (__mmask16)(at[1] >> l);
            const unsigned before = (1u << l) - 1;
            const __m512i c =
                _mm512_maskz_expandloadu_epi32(by_a, a + i + __builtin_popcount(at[0] & before));
            const __m512i d =
                _mm512_mask_expandloadu_epi32(c, by_b, b + j + __builtin_popcount(at[1] & before));
            _mm512_mask_storeu_epi32(crd + k + l, here, d);
        }
        for (int64_t l = 0, s = i, t = j; l < count; l += 8) {
            const __mmask8 here = (__mmask8)(255 >> (count - l < 8 ? 8 - (count - l) : 0));
            const __mmask8 by_a = (__mmask8)(at[0] >> l), by_b = (__mmask8)(at[1] >> l);
            const __m512d u = _mm512_maskz_expandloadu_pd(by_a, x + s);
            const __m512d v = _mm512_mask_expandloadu_pd(u, by_b, y + t);
            _mm512_mask_storeu_pd(sum + k + l, here, _mm512_mask_add_pd(v, by_a & by_b, u, v));
            s += __builtin_popcount(by_a);
            t += __builtin_popcount(by_b);
        }
        i += na;
        j += nb;
        k += count;
    }
#endif
    while (i < m && j < n) {
        const uint32_t c = a[i], d = b[j];
        const double each[3] = {x[i], x[i] + y[j], y[j]};
        crd[k] = c < d ? c : d;
        sum[k++] = each[(c >= d) + (d < c)];
        i += c <= d;
        j += d <= c;
    }
    for (; i < m; i++) {
        crd[k] = a[i];
        sum[k++] = x[i];
    }
    for (; j < n; j++) {
        crd[k] = b[j];
        sum[k++] = y[j];
    }
    return k;
}

/* piece multiply_u32 (bits_of_u32): The product of the sparse row x at a[lo..hi) and a sparse matrix, whose row k has the
 * values y at b[pos[k]..pos[k + 1]), which rise and are in [first, end), of at most 32. crd: the coordinates of the product, in rising
 * order; sum: the values there. Returns the number of them. */
static inline int64_t multiply_u32(uint32_t *crd, double *sum, int64_t first, int64_t end, const uint32_t *a,
                                   const double *x, int64_t lo, int64_t hi, const uint32_t *pos,
                                   const uint32_t *b, const double *y)
{
    int64_t n = 0;
#if defined(__AVX512BW__) && defined(__BMI2__)
    if (sizeof *a == 4) { /* the products are added in registers, 8 coordinates in each */
        __m512d w0 = _mm512_set1_pd(-0.0), w1 = w0, w2 = w0, w3 = w0;
        const __m512i lane = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
        uint64_t all = 0;
        for (int64_t q = lo; q < hi; q++) {
            const __m512d scale = _mm512_set1_pd(x[q]);
            for (int64_t p = (int64_t)pos[a[q]], p_end = (int64_t)pos[a[q] + 1]; p < p_end; p += 16) {
                const uint64_t bits = bits_of_u32(b + p, p_end - p < 16 ? p_end - p : 16, (uint32_t)first);
                const __mmask8 m0 = (__mmask8)bits, m1 = (__mmask8)(bits >> 8), m2 = (__mmask8)(bits >> 16),
                               m3 = (__mmask8)(bits >> 24);
                const double *const v = y + p, *const v1 = v + __builtin_popcount(m0);
                all |= bits;
                w0 = _mm512_mask3_fmadd_pd(scale, _mm512_maskz_expandloadu_pd(m0, v), w0, m0);
                w1 = _mm512_mask3_fmadd_pd(scale, _mm512_maskz_expandloadu_pd(m1, v1), w1, m1);
                if (end - first <= 16)
                    continue;
                const double *const v2 = v1 + __builtin_popcount(m1), *const v3 = v2 + __builtin_popcount(m2);
                w2 = _mm512_mask3_fmadd_pd(scale, _mm512_maskz_expandloadu_pd(m2, v2), w2, m2);
                w3 = _mm512_mask3_fmadd_pd(scale, _mm512_maskz_expandloadu_pd(m3, v3), w3, m3);
            }
        }
        const __m512d w[4] = {w0, w1, w2, w3};
        for (int g = 0; g < 4; g++, all >>= 8) {
            const unsigned set = (unsigned)(all & 255), count = (unsigned)__builtin_popcount(set);
            const __mmask8 here = (__mmask8)((1u << count) - 1);
            const __m512i at = _mm512_add_epi32(lane, _mm512_set1_epi32((int)first + 8 * g));
            _mm512_mask_storeu_epi32(crd + n, here, _mm512_maskz_compress_epi32((__mmask16)set, at));
            _mm512_mask_storeu_pd(sum + n, here, _mm512_maskz_compress_pd((__mmask8)set, w[g]));
            n += count;
        }
        return n;
    }
#endif
    double each[32];
    int has[32] = {0};
    for (int k = 0; k < 32; k++)
        each[k] = -0.0;
    for (int64_t q = lo; q < hi; q++)
        for (int64_t p = (int64_t)pos[a[q]], p_end = (int64_t)pos[a[q] + 1]; p < p_end; p++) {
            each[(int64_t)b[p] - first] += x[q] * y[p];
            has[(int64_t)b[p] - first] = 1;
        }
    for (int64_t k = 0; k < end - first; k++)
        if (has[k]) {
            crd[n] = (uint32_t)(first + k);
            sum[n++] = each[k];
        }
    return n;
}

/* piece add_i32: a + b, wrapping around. */
static inline int32_t add_i32(int32_t a, int32_t b)
{
    return (int32_t)((uint64_t)a + (uint64_t)b);
}

/* piece sub_i32: a - b, wrapping around. */
static inline int32_t sub_i32(int32_t a, int32_t b)
{
    return (int32_t)((uint64_t)a - (uint64_t)b);
}

/* piece mul_i32: a * b, wrapping around. */
static inline int32_t mul_i32(int32_t a, int32_t b)
{
    return (int32_t)((uint64_t)a * (uint64_t)b);
}

/* piece neg_i32: -a, wrapping around. */
static inline int32_t neg_i32(int32_t a)
{
    return (int32_t)(0 - (uint64_t)a);
}

/* piece div_i32: a / b, wrapping around; 0 for b = 0. */
static inline int32_t div_i32(int32_t a, int32_t b)
{
    if (b == 0)
        return 0;
    if (b == -1)
        return (int32_t)(0 - (uint64_t)a);
    return (int32_t)(a / b);
}

/* piece div_u32: a / b; 0 for b = 0. */
static inline uint32_t div_u32(uint32_t a, uint32_t b)
{
    if (b == 0)
        return 0;
    return (uint32_t)(a / b);
}

/* piece atomic_add_i32: *sum += a, wrapping around, while other threads do the same. */
static inline void atomic_add_i32(int32_t *sum, int32_t a)
{
    uint32_t *const bits = (uint32_t *)sum;
#pragma omp atomic
    *bits += (uint32_t)a;
}

/* piece make_c128 (<complex.h>): re + im * i, for any parts. */
static inline double _Complex make_c128(double re, double im)
{
    const union {
        double part[2];
        double _Complex value;
    } z = {{re, im}};
    return z.value;
}

/* piece mul_c128 (make_c128): a * b by the plain formula: C's own operator also handles infinities, which
 * makes it slow. */
static inline double _Complex mul_c128(double _Complex a, double _Complex b)
{
    const double re = creal(a) * creal(b) - cimag(a) * cimag(b);
    const double im = creal(a) * cimag(b) + cimag(a) * creal(b);
    return make_c128(re, im);
}

/* piece div_c128 (make_c128): a / b by Smith's formula ("Algorithm 116: complex division", 1962), which does not
 * overflow where the result does not; each part of a / 0 is that part of a, divided by +0. */
static inline double _Complex div_c128(double _Complex a, double _Complex b)
{
    const double re = creal(b) < 0 ? -creal(b) : creal(b), im = cimag(b) < 0 ? -cimag(b) : cimag(b);
    if (re == 0 && im == 0)
        return make_c128(creal(a) / (re * re), cimag(a) / (re * re)); /* 0, not -0 */
    if (re >= im) {
        const double ratio = cimag(b) / creal(b), whole = creal(b) + cimag(b) * ratio;
        return make_c128((creal(a) + cimag(a) * ratio) / whole, (cimag(a) - creal(a) * ratio) / whole);
    }
    const double ratio = creal(b) / cimag(b), whole = creal(b) * ratio + cimag(b);
    return make_c128((creal(a) * ratio + cimag(a)) / whole, (cimag(a) * ratio - creal(a)) / whole);
}

/* piece atomic_add_c128 (<complex.h>): *sum += z, part by part, while other threads do the same. */
static inline void atomic_add_c128(double _Complex *sum, double _Complex z)
{
    double *const part = (double *)sum;
#pragma omp atomic
    part[0] += creal(z);
#pragma omp atomic
    part[1] += cimag(z);
}

/* piece end */
#endif
#endif
