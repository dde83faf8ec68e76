/* Short rows in order: the place of an entry in a row is the number of smaller coordinates in the row. All pairs of a
 * row are compared, without branches: for rows of 8 entries, an insertion sort loses more time by branches that were
 * predicted wrongly than all of the comparisons take. */
#include "direct_internal.h"
#include "tsr_clones.h"

enum { FEW = 8, SOME = 16, MANY = DIRECT_SHORT };

/* direct_compare of the coordinates; the lanes from n on are greater than all of them. The sum is n (n - 1) / 2 where the
 * coordinates differ. */
static inline uint32_t rank_lanes(uint32_t *restrict rank, const uint32_t *restrict crd, uint32_t n,
                                  uint32_t nlanes)
{
    int32_t lane[MANY];
    memcpy(lane, crd, nlanes * sizeof *lane);
    for (uint32_t i = 0; i < nlanes; i++)
        lane[i] = i < n ? lane[i] : INT32_MAX;
    return direct_compare(rank, lane, nlanes, n, nlanes);
}

static inline uint32_t rank_row(uint32_t *restrict rank, const uint32_t *restrict crd, uint32_t n)
{
    return n <= FEW    ? rank_lanes(rank, crd, n, FEW)
           : n <= SOME ? rank_lanes(rank, crd, n, SOME)
                       : rank_lanes(rank, crd, n, MANY);
}

#define SORT(ctype)                                                                        \
    do {                                                                                   \
        const ctype *restrict v = (const ctype *)(const void *)rows->values;               \
        ctype *restrict to = (ctype *)(void *)rows->to_values;                             \
        for (uint64_t k = 0, begin = 0; k < rows->nrows; begin = rows->end[k++]) {         \
            const uint64_t n = rows->end[k] - begin;                                       \
            uint32_t rank[MANY];                                                           \
            if (n > MANY || rank_row(rank, crd + begin, (uint32_t)n) != n * (n - 1) / 2) { \
                memcpy(to_crd + begin, crd + begin, n * sizeof *crd);                      \
                memcpy(to + begin, v + begin, n * sizeof *to);                             \
                all = false;                                                               \
                continue;                                                                  \
            }                                                                              \
            for (uint64_t i = 0; i < n; i++) {                                             \
                to_crd[begin + rank[i]] = crd[begin + i];                                  \
                to[begin + rank[i]] = v[begin + i];                                        \
            }                                                                              \
        }                                                                                  \
    } while (0)

TSR_CLONES bool direct_sort_short(const direct_short *rows)
{
    const uint32_t *restrict crd = rows->crd;
    uint32_t *restrict to_crd = rows->to_crd;
    bool all = true;
    if (rows->width == 8)
        SORT(uint64_t);
    else
        SORT(uint32_t);
    return all;
}
