/* Keys: the storage coordinates of an entry as one string of bits, cut into a bucket number and planes. */
#include "pack_internal.h"
#include "tsr_clones.h"

/* Cut the string of bits into pieces: a piece is a run of bits of one level in one slot. */
static void cut_pieces(pack_key *key, int nlevels)
{
    int slot = -1, slot_left = key->nbucket_bits; /* bits of the slot that are still free */
    key->npieces = 0;
    for (int l = 0; l < nlevels; l++)
        for (int left = key->nbits[l]; left > 0;) {
            while (slot_left == 0)
                slot_left = key->plane_nbits[++slot];
            const int n = left < slot_left ? left : slot_left;
            left -= n;
            slot_left -= n;
            key->pieces[key->npieces++] = (pack_piece){.level = l,
                                                       .slot = slot,
                                                       .level_shift = left,
                                                       .slot_shift = slot_left,
                                                       .mask = UINT64_MAX >> (64 - n)};
        }
}

void pack_key_init(pack_key *key, int nlevels, const uint64_t *used, int max_bucket_bits)
{
    key->total = 0;
    for (int l = 0; l < nlevels; l++)
        key->total += key->nbits[l] = tsr_bit_length(used[l]);
    key->nbucket_bits = key->total < max_bucket_bits ? key->total : max_bucket_bits;
    key->nplanes = 0;
    for (int left = key->total - key->nbucket_bits; left > 0; left -= 64) {
        const int p = key->nplanes++;
        key->plane_nbits[p] = left < 64 ? left : 64;
        key->plane_width[p] = left <= 32 ? 4 : 8;
    }
    cut_pieces(key, nlevels);
}

#define ENCODE(ctype)                                                                              \
    do {                                                                                           \
        const ctype *restrict c = (const ctype *)coords[piece->level].data;                        \
        for (size_t i = 0; i < n; i++)                                                             \
            out[i] |= (((uint64_t)c[i] >> piece->level_shift) & piece->mask) << piece->slot_shift; \
    } while (0)

TSR_CLONES void pack_key_encode(uint64_t *restrict out, const pack_key *key, int slot,
                                const pack_coords *coords, size_t n)
{
    memset(out, 0, n * sizeof *out);
    for (int k = 0; k < key->npieces; k++) {
        const pack_piece *piece = &key->pieces[k];
        if (piece->slot != slot)
            continue;
        if (coords[piece->level].width == 4)
            ENCODE(uint32_t);
        else
            ENCODE(uint64_t);
    }
}

/* The bucket that holds entry e. */
static uint64_t find_bucket(const pack_job *job, uint64_t e)
{
    const uint64_t *bucket = job->records.bucket;
    uint64_t lo = 0, hi = UINT64_C(1) << job->key.nbucket_bits; /* bucket[lo] <= e < bucket[hi] */
    while (hi - lo > 1) {
        const uint64_t mid = lo + (hi - lo) / 2;
        if (bucket[mid] <= e)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

/* The first level at which two different bucket numbers differ. */
static uint8_t bucket_lead(const pack_key *key, uint64_t a, uint64_t b)
{
    int k = 0;
    while ((a ^ b) >> key->pieces[k].slot_shift == 0)
        k++;
    return (uint8_t)key->pieces[k].level;
}

/* For two neighbouring pieces of a plane: keys differ at the upper piece, at the lower one, or below
 * both. */
#define PLANE_LEAD(ctype)                                                 \
    do {                                                                  \
        const ctype *restrict a = (const ctype *)plane->data + first;     \
        const ctype *restrict b = a - 1;                                  \
        const ctype most = (ctype)((ctype)1 << upper->slot_shift);        \
        const ctype least = (ctype)((ctype)1 << lower->slot_shift);       \
        for (size_t i = first == 0; i < n; i++) {                         \
            const ctype x = a[i] ^ b[i];                                  \
            const uint8_t differ = x >= most ? upper_level : lower_level; \
            lead[i] = x >= least ? differ : lead[i];                      \
        }                                                                 \
    } while (0)

TSR_CLONES static void plane_lead(uint8_t *restrict lead, const tsr_array *plane, const pack_piece *upper,
                                  const pack_piece *lower, uint64_t first, size_t n)
{
    const uint8_t upper_level = (uint8_t)upper->level, lower_level = (uint8_t)lower->level;
    if (plane->width == 4)
        PLANE_LEAD(uint32_t);
    else
        PLANE_LEAD(uint64_t);
}

void pack_key_lead(const pack_job *job, pack_rows *rows, uint64_t first, size_t n)
{
    const pack_key *key = &job->key;
    uint8_t *lead = rows->lead;
    memset(lead, job->duplicate_lead, n);
    for (int k = key->npieces - 1; k >= 0 && key->pieces[k].slot >= 0;) {
        const pack_piece *lower = &key->pieces[k--];
        const bool pair = k >= 0 && key->pieces[k].slot == lower->slot;
        const pack_piece *upper = pair ? &key->pieces[k--] : lower;
        plane_lead(lead, &job->records.plane[lower->slot], upper, lower, first, n);
    }
    const uint64_t *bucket = job->records.bucket;
    uint64_t before = find_bucket(job, first > 0 ? first - 1 : 0);
    for (uint64_t b = before + 1; bucket[b] < first + n; b++) {
        if (bucket[b] == bucket[b + 1])
            continue; /* empty */
        lead[bucket[b] - first] = bucket_lead(key, before, b);
        before = b;
    }
    if (first == 0)
        lead[0] = 0;
}

#define DECODE(ctype)                                                                              \
    do {                                                                                           \
        const ctype *restrict a = (const ctype *)plane->data + first;                              \
        for (size_t i = 0; i < n; i++)                                                             \
            out[i] |= (((uint64_t)a[i] >> piece->slot_shift) & piece->mask) << piece->level_shift; \
    } while (0)

TSR_CLONES static void decode_plane(uint64_t *restrict out, const tsr_array *plane, const pack_piece *piece,
                                    uint64_t first, size_t n)
{
    if (plane->width == 4)
        DECODE(uint32_t);
    else
        DECODE(uint64_t);
}

static void decode_bucket(uint64_t *restrict out, const pack_job *job, const pack_piece *piece,
                          uint64_t first, size_t n)
{
    const uint64_t *bucket = job->records.bucket;
    uint64_t b = find_bucket(job, first);
    for (size_t i = 0; i < n; b++) {
        const uint64_t left = bucket[b + 1] - (first + i);
        const size_t end = left < n - i ? i + (size_t)left : n;
        const uint64_t bits = ((b >> piece->slot_shift) & piece->mask) << piece->level_shift;
        for (; i < end; i++)
            out[i] |= bits;
    }
}

void pack_key_decode(const pack_job *job, uint64_t *const *level, uint64_t first, size_t n)
{
    for (int l = 0; l < job->nlevels; l++)
        memset(level[l], 0, n * sizeof *level[l]);
    for (int k = 0; k < job->key.npieces; k++) {
        const pack_piece *piece = &job->key.pieces[k];
        uint64_t *out = level[piece->level];
        if (piece->slot < 0)
            decode_bucket(out, job, piece, first, n);
        else
            decode_plane(out, &job->records.plane[piece->slot], piece, first, n);
    }
}
