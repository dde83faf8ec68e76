/* Rows of blocks with few entries: the number of an entry's block is how many smaller columns of blocks the row of blocks has.
 * All pairs of entries are compared, without branches: where most blocks have one entry, branches that were predicted wrongly
 * make a merge of the rows four times as slow. */
#include "direct_internal.h"
#include "tsr_clones.h"

enum { FEW = 8, SOME = 16, MORE = 24, MANY = DIRECT_SHORT };

/* number[i] = the number of different numbers below lane[i]. Returns how many different ones there are. */
static inline uint32_t number_lanes(uint32_t *restrict number, const int32_t *restrict lane, uint32_t n)
{
    const uint32_t sum = n <= FEW    ? direct_compare(number, lane, n, n, FEW)
                         : n <= SOME ? direct_compare(number, lane, n, n, SOME)
                         : n <= MORE ? direct_compare(number, lane, n, n, MORE)
                                     : direct_compare(number, lane, n, n, MANY);
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
