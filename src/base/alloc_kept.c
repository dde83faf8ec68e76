/* Large blocks that were freed and are kept for later requests: see tsr_alloc_keep and tsr_alloc_recycle (tsr_alloc.h). The system takes longer
 * to make a page than a program to fill it. Blocks that are kept count as free memory (tsr_memory.h), and the system may take back their pages
 * (tsr_system_offer_memory): what a kept block holds is lost. Offering pages, and writing to them again, takes a third of the time of a
 * conversion, so the blocks that were freed last are not offered, as malloc does not offer what it keeps. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base_internal.h"
#include "tsr_alloc.h"
#include "tsr_memory.h"
#include "tsr_system.h"

#if defined(__SANITIZE_ADDRESS__)
#define KEPT_POISONED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define KEPT_POISONED 1
#endif
#endif
#ifdef KEPT_POISONED
#include <sanitizer/asan_interface.h>
#define POISON(block, nbytes) ASAN_POISON_MEMORY_REGION(block, nbytes)
#define UNPOISON(block, nbytes) ASAN_UNPOISON_MEMORY_REGION(block, nbytes)
#else
#define POISON(block, nbytes) (void)(block)
#define UNPOISON(block, nbytes) (void)(block)
#endif

/* malloc itself keeps blocks that are smaller. */
enum { KEPT_NBYTES = 1 << 20, MAX_KEPT = 32, LINE_NBYTES = 64, HELD_NBYTES = 128 << 20 /* not offered */ };

/* The blocks in the order in which they were freed. A global variable, since blocks are taken and freed by all modules. Who finds
 * the lock taken does without kept blocks: after fork() it may stay locked. */
static struct {
    pthread_mutex_t lock;
    atomic_int nusers, nrecyclers; /* without a limit, and with `most` */
    atomic_ullong most, nbytes;
    int n;
    struct {
        void *block;
        uint64_t nbytes, room; /* the part that was written, and all */
        bool offered;
    } of[MAX_KEPT];
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER, .most = TSR_RECYCLED_NBYTES};

uint64_t base_kept_nbytes(void)
{
    return atomic_load(&kept.nbytes);
}

/* The bytes that may be kept. */
static uint64_t most(void)
{
    if (atomic_load(&kept.nusers) > 0)
        return UINT64_MAX;
    return atomic_load(&kept.nrecyclers) > 0 ? atomic_load(&kept.most) : 0;
}

/* Under the lock: take block k out. */
static void *take(int k)
{
    void *const block = kept.of[k].block;
    UNPOISON(block, kept.of[k].room);
    atomic_fetch_sub(&kept.nbytes, kept.of[k].nbytes);
    kept.n--;
    memmove(&kept.of[k], &kept.of[k + 1], (size_t)(kept.n - k) * sizeof *kept.of);
    return block;
}

/* Under the lock: free blocks, those that were freed first, until nblocks of them and nbytes are left at most. */
static void shrink(int nblocks, uint64_t nbytes)
{
    while (kept.n > 0 && (kept.n > nblocks || atomic_load(&kept.nbytes) > nbytes))
        free(take(0));
}

static void shrink_to_most(void)
{
    pthread_mutex_lock(&kept.lock);
    shrink(MAX_KEPT, most());
    pthread_mutex_unlock(&kept.lock);
}

void tsr_alloc_keep(bool keep)
{
    atomic_fetch_add(&kept.nusers, keep ? 1 : -1);
    if (!keep)
        shrink_to_most();
}

void tsr_alloc_recycle(bool keep)
{
    atomic_fetch_add(&kept.nrecyclers, keep ? 1 : -1);
    if (!keep)
        shrink_to_most();
}

void tsr_alloc_set_recycled(uint64_t nbytes)
{
    atomic_store(&kept.most, nbytes);
    shrink_to_most();
}

bool base_keeps(uint64_t nbytes)
{
    return nbytes >= KEPT_NBYTES && nbytes <= most();
}

/* Under the lock: offer the pages of all blocks but those that were freed last, of HELD_NBYTES together. */
static void offer_older(void)
{
    uint64_t held = 0;
    for (int k = kept.n - 1; k >= 0; k--) {
        held += kept.of[k].room;
        if (held <= HELD_NBYTES || kept.of[k].offered)
            continue;
        tsr_system_offer_memory(kept.of[k].block, kept.of[k].room);
        kept.of[k].offered = true;
    }
}

bool base_kept_add(void *block, uint64_t nbytes)
{
    const uint64_t room = base_room_nbytes(block);
    if (!base_keeps(nbytes))
        return false;
#ifdef TSR_FAULTS
    memset(block, 0xa5, nbytes); /* who reads a block after it is freed finds this */
#endif
    if (pthread_mutex_trylock(&kept.lock) != 0)
        return false;
    shrink(MAX_KEPT - 1, most() - nbytes);
    POISON(block, room);
    kept.of[kept.n].block = block;
    kept.of[kept.n].nbytes = nbytes;
    kept.of[kept.n].offered = false;
    kept.of[kept.n++].room = room;
    atomic_fetch_add(&kept.nbytes, nbytes);
    offer_older();
    pthread_mutex_unlock(&kept.lock);
    return true;
}

/* Under the lock: the smallest block of nbytes to nbytes + more whose address is a multiple of `alignment`, or -1. below: the largest block
 * of fewer bytes, or -1. */
static int find(int *below, uint64_t nbytes, uint64_t more, uintptr_t alignment)
{
    int best = -1;
    uint64_t best_nbytes = 0, below_nbytes = 0;
    *below = -1;
    for (int k = 0; k < kept.n; k++) {
        const uint64_t size = kept.of[k].room;
        const bool suits =
            size >= nbytes && size - nbytes <= more && (uintptr_t)kept.of[k].block % alignment == 0;
        if (suits && (best < 0 || size < best_nbytes)) {
            best = k;
            best_nbytes = size;
        }
        if (size < nbytes && (*below < 0 || size > below_nbytes)) {
            *below = k;
            below_nbytes = size;
        }
    }
    return best;
}

/* Where a request finds only smaller blocks and there is no limit, the largest of them is freed, so that the blocks that are kept grow to
 * the sizes that are wanted. */
void *base_kept_take(size_t nbytes)
{
    void *block = NULL;
    int below;
    if (nbytes < KEPT_NBYTES || base_kept_nbytes() == 0 || pthread_mutex_trylock(&kept.lock) != 0)
        return NULL;
    const int best = find(&below, nbytes, nbytes, LINE_NBYTES);
    if (best >= 0)
        block = take(best);
    else if (below >= 0 && atomic_load(&kept.nusers) > 0)
        free(take(below));
    pthread_mutex_unlock(&kept.lock);
    return block;
}

void *tsr_alloc_take(uint64_t *nbytes, uint64_t wish)
{
    void *block = NULL;
    int below;
    *nbytes = 0;
    if (wish < KEPT_NBYTES || base_kept_nbytes() == 0 || pthread_mutex_trylock(&kept.lock) != 0)
        return NULL;
    /* With twice as many bytes the coordinates of a result (4 bytes) would take the block of the values before (8 bytes), and give
     * back what they do not need, so that the values would find no block. A smaller block would grow: moving its pages takes longer than
     * making them. */
    const int k = find(&below, wish, wish / 2, 1);
    if (k >= 0) {
        *nbytes = kept.of[k].room;
        block = take(k);
    }
    pthread_mutex_unlock(&kept.lock);
    return block;
}

void base_kept_make_room(size_t nbytes)
{
    const uint64_t now = base_kept_nbytes();
    if (now == 0 || nbytes < KEPT_NBYTES || tsr_memory_fits((double)nbytes + (double)now))
        return;
    pthread_mutex_lock(&kept.lock);
    shrink(0, 0);
    pthread_mutex_unlock(&kept.lock);
}
