/* Short rows, without branches: all pairs of the entries of a row are compared. Where branches would be predicted wrongly, this takes
 * less time than they lose: for rows of 8 entries, an insertion sort is slower; where most blocks have one entry, a merge of the
 * rows of a block is four times as slow. */
#include "direct_internal.h"
#include "tsr_clones.h"

enum { FEW = 8, SOME = 16, MORE = 24, MANY = DIRECT_SHORT };

/* less[i] = the number of the first ncompared lanes that are less than lane i, for nlanes lanes, without branches; the lanes from n
 * on may be greater than all others. Returns the sum of less[0..n). */
static inline uint32_t compare(uint32_t *restrict less, const int32_t *restrict lane, uint32_t ncompared,
                               uint32_t n, uint32_t nlanes)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < nlanes; i++)
        less[i] = 0;
    for (uint32_t j = 0; j < ncompared; j++)
        for (uint32_t i = 0; i < nlanes; i++)
            less[i] += lane[j] < lane[i];
    for (uint32_t i = 0; i < nlanes; i++)
        sum += i < n ? less[i] : 0;
    return sum;
}

/* ---- rows into order: the place of an entry is the number of smaller coordinates ---- */

/* compare of the coordinates; the lanes from n on are greater than all of them. The sum is n (n - 1) / 2 where the
 * coordinates differ. */
static inline uint32_t rank_lanes(uint32_t *restrict rank, const uint32_t *restrict crd, uint32_t n,
                                  uint32_t nlanes)
{
    int32_t lane[MANY];
    memcpy(lane, crd, nlanes * sizeof *lane);
    for (uint32_t i = 0; i < nlanes; i++)
        lane[i] = i < n ? lane[i] : INT32_MAX;
    return compare(rank, lane, nlanes, n, nlanes);
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

/* ---- blocks: the number of the block of an entry is the number of smaller columns of blocks ---- */

/* number[i] = the number of different numbers below lane[i]. Returns how many different ones there are. */
static inline uint32_t number_lanes(uint32_t *restrict number, const int32_t *restrict lane, uint32_t n)
{
    const uint32_t sum = n <= FEW    ? compare(number, lane, n, n, FEW)
                         : n <= SOME ? compare(number, lane, n, n, SOME)
                         : n <= MORE ? compare(number, lane, n, n, MORE)
                                     : compare(number, lane, n, n, MANY);
    uint32_t bits = 0;
    if (sum == n * (n - 1) / 2)
        return n;
    for (uint32_t i = 0; i < n; i++) /* equal lanes have the same number of smaller ones */
        bits |= UINT32_C(1) << number[i];
    for (uint32_t i = 0; i < n; i++)
        number[i] = (uint32_t)__builtin_popcount(bits & ((UINT32_C(1) << number[i]) - 1));
    return (uint32_t)__builtin_popcount(bits);
}

/* column[i] = the column of the block of entry i; of the lanes from n on: greater than all. */
static inline void load_columns(int32_t *restrict column, const direct_few *f)
{
    for (uint32_t i = 0; i < MANY; i++)
        column[i] = INT32_MAX;
    if (f->shift >= 0)
        for (uint32_t i = 0; i < f->n; i++)
            column[i] = (int32_t)(f->crd[i] >> f->shift);
    else
        for (uint32_t i = 0; i < f->n; i++)
            column[i] = (int32_t)(f->crd[i] / f->width);
}

TSR_CLONES uint32_t direct_few_count(const direct_few *f)
{
    int32_t column[MANY];
    uint32_t number[MANY];
    load_columns(column, f);
    return number_lanes(number, column, f->n);
}

TSR_CLONES uint32_t direct_few_place(uint32_t *restrict place, uint64_t *restrict block, const direct_few *f)
{
    int32_t column[MANY];
    uint32_t number[MANY], row[MANY];
    load_columns(column, f);
    const uint32_t count = number_lanes(number, column, f->n);
    for (uint32_t i = 0; i < MANY; i++)
        row[i] = 0;
    for (uint32_t r = 1; r < f->nrows; r++)
        for (uint32_t i = 0; i < MANY; i++)
            row[i] += i >= f->begin[r];
    for (uint32_t i = 0; i < f->n; i++) {
        const uint32_t c = (uint32_t)column[i];
        block[number[i]] = c;
        place[i] = number[i] * f->area + row[i] * f->row_step + (f->crd[i] - c * f->width) * f->column_step;
    }
    return count;
}
