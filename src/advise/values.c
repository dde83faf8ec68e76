/* advise_look_at_values: see advise_internal.h. Different values are counted by what their bits are. A set holds a hash of each value, which
 * no other value of up to eight bytes has. When the set is full, it drops the hashes whose next bit from the top is 1, and takes no more of
 * these: then it has each value with the same chance, 2^-level. So the set of some threads together is the set of one thread. */
#include <string.h>

#include "advise_internal.h"
#include "tsr_alloc.h"
#include "tsr_parallel.h"

enum { MOST = 1 << 15, NSLOTS = 1 << 16, EACH = 1 << 16 /* values that are worth a thread */ };

typedef struct set {
    uint64_t *slot; /* NSLOTS hashes, 0: empty */
    uint64_t n;     /* hashes, with that of has_zero */
    int level;      /* only hashes with `level` zeros at the top are in the set */
    bool has_zero;  /* the hash 0 is in the set */
} set;

typedef struct looking {
    const tsr_array *values;
    set *sets; /* of each thread */
} looking;

static inline uint64_t mix(uint64_t x)
{
    x = (x ^ UINT64_C(0x6a09e667f3bcc909)) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 32) * UINT64_C(0xbf58476d1ce4e5b9);
    return x ^ x >> 29;
}

/* The bits of value i; of 16 bytes both halves together. */
static inline uint64_t bits_of(const tsr_array *values, uint64_t i)
{
    uint64_t half[2];
    if (values->width <= sizeof *half)
        return tsr_array_get(values, i);
    memcpy(half, (const char *)values->data + i * sizeof half, sizeof half);
    return mix(half[0]) + half[1];
}

static void add(set *s, uint64_t hash);

/* Drop half of the hashes. */
static void raise_level(set *s)
{
    const set before = *s;
    uint64_t kept[MOST + 1], n = 0;
    s->level++;
    for (uint64_t i = 0; i < NSLOTS; i++) {
        if (before.slot[i] && before.slot[i] >> (64 - s->level) == 0)
            kept[n++] = before.slot[i];
        s->slot[i] = 0;
    }
    s->n = before.has_zero;
    for (uint64_t i = 0; i < n; i++)
        add(s, kept[i]);
}

static void add(set *s, uint64_t hash)
{
    if (s->level > 0 && hash >> (64 - s->level))
        return;
    if (hash == 0) {
        s->n += !s->has_zero;
        s->has_zero = true;
        return;
    }
    uint64_t at = hash & (NSLOTS - 1);
    while (s->slot[at] && s->slot[at] != hash)
        at = (at + 1) & (NSLOTS - 1);
    if (s->slot[at])
        return;
    s->slot[at] = hash;
    if (++s->n > MOST)
        raise_level(s);
}

static void add_part(void *arg, int t, int nthreads)
{
    const looking *const a = arg;
    const uint64_t first = tsr_cut(a->values->n, t, nthreads), end = tsr_cut(a->values->n, t + 1, nthreads);
    uint64_t before = 0;
    for (uint64_t i = first; i < end; i++) {
        const uint64_t bits = bits_of(a->values, i);
        if (i == first || bits != before)
            add(&a->sets[t], mix(bits));
        before = bits;
    }
}

static void add_set(set *to, const set *from)
{
    while (to->level < from->level)
        raise_level(to);
    if (from->has_zero)
        add(to, 0);
    for (uint64_t i = 0; i < NSLOTS; i++)
        if (from->slot[i])
            add(to, from->slot[i]);
}

static tsr_status count(tsr_value_facts *out, const tsr_array *values, int nthreads, tsr_error *err)
{
    set sets[TSR_MAX_THREADS];
    const uint64_t worth = values->n / EACH + 1;
    const int n = (uint64_t)nthreads < worth ? nthreads : (int)worth;
    void *block;
    TSR_TRY(tsr_alloc_array(&block, (uint64_t)n * NSLOTS, sizeof(uint64_t), 1, "different values", err));
    for (int t = 0; t < n; t++)
        sets[t] = (set){.slot = (uint64_t *)block + (size_t)t * NSLOTS};
    tsr_parallel(n, add_part, &(looking){values, sets});
    for (int t = 1; t < n; t++)
        add_set(&sets[0], &sets[t]);
    out->is_exact = sets[0].level == 0;
    for (out->ndifferent = (double)sets[0].n; sets[0].level > 0; sets[0].level--)
        out->ndifferent *= 2;
    tsr_free(block);
    return TSR_OK;
}

tsr_status advise_look_at_values(tsr_value_facts *out, const tsr_array *values, tsr_type type, int nthreads,
                                 tsr_error *err)
{
    const int n = tsr_thread_count(nthreads);
    *out = (tsr_value_facts){.narrowest = type};
    if (type == TSR_PATTERN || !values->data || values->n == 0 || values->width != tsr_type_nbytes(type))
        return TSR_OK;
    TSR_TRY(count(out, values, n, err));
    memcpy(out->first, values->data, values->width);
    out->narrowest = advise_narrowest(values, type, n);
    return TSR_OK;
}
