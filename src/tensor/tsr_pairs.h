/* Two tensors side by side: the cells where one of them stores an entry, with the values of both, block by block. A function of two
 * values that a caller has, in any language, then runs over arrays that stay in the cache, and no function needs a kernel of its own. */
#ifndef TSR_PAIRS_H
#define TSR_PAIRS_H

#include "tsr_tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which cells are wanted, as a set of bits; 0: all. */
enum { TSR_PAIRS_LEFT = 2, TSR_PAIRS_RIGHT = 4, TSR_PAIRS_BOTH = 8 };

/* One of the two tensors: where its next entry is. */
typedef struct tsr_pairs_side {
    const tsr_array *pos, *crd;
    const void *values;
    size_t nbytes; /* of a value: 1, 2, 4, 8 or 16 */
    bool iso;      /* one value for all entries */
    const void *fill;
    uint64_t at;  /* the next entry */
    uint64_t end; /* of the entries of this row */
} tsr_pairs_side;

/* The walk, and the arrays that it fills. A row is what one parent of the compressed level holds: a row of csr, a column of csc. */
typedef struct tsr_pairs {
    tsr_pairs_side side[2];
    uint64_t nrows, row; /* all rows; the one where the walk stands */
    uint64_t first;      /* the row where it stood before this block */
    uint64_t capacity;   /* entries of a block at most: room in values */
    void *pos;           /* nrows + 1 elements, which rows that are done have */
    void *crd;           /* an element for each entry of both tensors */
    void *values[2];     /* of this block, in the types of the tensors */
    bool wide;           /* pos and crd have 8 bytes an element, else 4 */
    int wanted;          /* TSR_PAIRS_...; 0: all */
    uint64_t n;          /* entries of this block; 0 after the last one */
    uint64_t total;      /* entries of all blocks before this one */
} tsr_pairs;

/* Set side, nrows and n; the caller sets the other fields, 0 for the place where the walk begins. Both tensors have one format, of full
 * levels and then a compressed one, and the same dims, else TSR_UNSUPPORTED or TSR_ARGUMENT. */
tsr_status tsr_pairs_init(tsr_pairs *pairs, const tsr_tensor *left, const tsr_tensor *right,
                          tsr_error *err) TSR_NODISCARD;
/* Go on with the next block. Index arrays are trusted. */
void tsr_pairs_next(tsr_pairs *pairs);
/* Take the entries k of this block with kept[k] = 0 out of crd and pos; n is then the number of those that stay. */
void tsr_pairs_keep(tsr_pairs *pairs, const unsigned char *kept);

#ifdef __cplusplus
}
#endif
#endif
