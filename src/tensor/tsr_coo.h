/* Coordinates: a sparse tensor as one array per mode and one of values, in any order, duplicates allowed.
 * What text codecs read and write, and what packing starts from. */
#ifndef TSR_COO_H
#define TSR_COO_H

#include "tsr_array.h"
#include "tsr_format.h"
#include "tsr_type.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which part of a symmetric matrix is stored; coordinates (i, j) with i >= j are the lower triangle. Names
 * are Binsparse's. Hermitian and skew: the other half is conj(v), -v. */
typedef enum tsr_structure {
    TSR_GENERAL,
    TSR_SYMMETRIC_LOWER,
    TSR_SYMMETRIC_UPPER,
    TSR_HERMITIAN_LOWER,
    TSR_HERMITIAN_UPPER,
    TSR_SKEW_LOWER,
    TSR_SKEW_UPPER,
} tsr_structure;
/* "general", "symmetric_lower", ..., "skew_symmetric_upper". */
const char *tsr_structure_name(tsr_structure structure);

typedef struct tsr_coo {
    int order;                    /* 0..TSR_MAX_ORDER modes */
    uint64_t dims[TSR_MAX_ORDER]; /* order entries, each <= INT64_MAX; coordinates are in [0, dim) */
    uint64_t nnz;                 /* entries, duplicates counted */
    tsr_array crd[TSR_MAX_ORDER]; /* order arrays of nnz entries, width 4 (dim <= 2^32) or 8, 0-based */
    tsr_type type;
    bool iso;         /* all entries have the same value: values has 1 entry (also when nnz = 0) */
    tsr_array values; /* nnz entries (1 when iso) of tsr_type_nbytes(type) */
    unsigned char fill[TSR_MAX_VALUE_NBYTES]; /* absent entries are this when has_fill (behind an array, and
                                                 so aligned for a value) */
    tsr_structure structure; /* TSR_GENERAL unless only one triangle of an order-2 tensor is stored */
    bool has_fill;           /* absent entries are `fill` instead of 0 */
    const char *natural; /* text of the format that suits the source best ("dd:1,0"), static; NULL: none */
} tsr_coo;

/* An empty coo (nnz = 0) of these dims: arrays present with 0 entries. */
tsr_status tsr_coo_new(tsr_coo **out, int order, const uint64_t *dims, tsr_type type,
                       tsr_error *err) TSR_NODISCARD;
/* Allocate arrays for nnz entries (contents undefined; width by dim). TSR_LIMIT when all of them do not fit
 * (tsr_memory.h). */
tsr_status tsr_coo_new_sized(tsr_coo **out, int order, const uint64_t *dims, tsr_type type, bool iso,
                             uint64_t nnz, tsr_error *err) TSR_NODISCARD;
void tsr_coo_free(tsr_coo *coo);
tsr_status tsr_coo_copy(tsr_coo **out, const tsr_coo *coo, tsr_error *err) TSR_NODISCARD;
/* Deep check: lengths, widths, every coordinate in range, structure's triangle. TSR_CORRUPT with the entry.
 */
tsr_status tsr_coo_check(const tsr_coo *coo, int nthreads, tsr_error *err) TSR_NODISCARD;
/* Bytes of its arrays. */
uint64_t tsr_coo_nbytes(const tsr_coo *coo);
/* Bytes that the coordinate form of `nnz` entries takes: order * index bytes + value bytes, per entry. */
uint64_t tsr_coo_nbytes_for(int order, const uint64_t *dims, tsr_type type, uint64_t nnz);
/* Replace one stored triangle by the whole matrix, in place: each off-diagonal entry is followed by its
 * mirror image at the end of the arrays; structure becomes general. TSR_RANGE when a skew value cannot be
 * negated. */
tsr_status tsr_coo_expand(tsr_coo *coo, tsr_error *err) TSR_NODISCARD;
/* Convert the values to another type in place (tsr_values_convert's rules). */
tsr_status tsr_coo_retype(tsr_coo *coo, tsr_type type, tsr_error *err) TSR_NODISCARD;
/* How the entries are ordered with respect to the modes in order perm (NULL: 0, 1, 2...): looked up by one
 * pass. */
typedef struct tsr_coo_order {
    bool sorted;          /* not falling */
    uint64_t nduplicates; /* entries equal to the one before (all duplicates when sorted) */
} tsr_coo_order;
tsr_coo_order tsr_coo_find_order(const tsr_coo *coo, const int *perm);
/* Same dims, type, structure, and the same entries as multisets with bit-identical values (both get sorted
 * copies). *same tells; when false and err is not NULL, err holds a sentence with the first difference. */
tsr_status tsr_coo_same(bool *same, const tsr_coo *a, const tsr_coo *b, tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
