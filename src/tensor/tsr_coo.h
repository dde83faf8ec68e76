/* Coordinates: a sparse tensor as one array of coordinates per mode and one array of values, in any order,
 * with duplicates allowed. Text codecs read and write coordinates, and packing starts from them. */
#ifndef TSR_COO_H
#define TSR_COO_H

#include "tsr_array.h"
#include "tsr_format.h"
#include "tsr_shape.h"
#include "tsr_type.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The stored part of a symmetric matrix; cells (i, j) with i >= j are the lower triangle. The names are
 * those of Binsparse. The mirror image of a value v is v, conj(v) (Hermitian) or -v (skew). */
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
    bool iso;         /* all entries have the same value: `values` has 1 element, even where nnz = 0 */
    tsr_array values; /* nnz elements (1 where iso) of tsr_type_nbytes(type) bytes */
    unsigned char fill[TSR_MAX_VALUE_NBYTES]; /* the value of absent cells where has_fill; aligned for a
                                                 value, since it follows an array */
    tsr_structure structure; /* not TSR_GENERAL: only one triangle of a tensor of order 2 is stored */
    bool has_fill;           /* absent cells are `fill`; false: 0 */
    bool
        repaired; /* the source says that the entries are sorted, one per cell, which is not so: to be sorted and merged */
    const char *natural; /* static text of the format that suits the source best ("dd:1,0"); NULL: none */
} tsr_coo;

/* Coordinates without entries (nnz = 0) of this shape; arrays have 0 elements. TSR_LIMIT, TSR_ARGUMENT:
 * invalid order, dim or type. TSR_NOMEM. */
tsr_status tsr_coo_new(tsr_coo **out, tsr_shape shape, tsr_type type, tsr_error *err) TSR_NODISCARD;
/* The same with arrays for nnz entries, whose contents are undefined. TSR_LIMIT where the arrays do not fit
 * into memory (tsr_memory.h). */
tsr_status tsr_coo_new_sized(tsr_coo **out, tsr_shape shape, tsr_type type, bool iso, uint64_t nnz,
                             tsr_error *err) TSR_NODISCARD;
void tsr_coo_free(tsr_coo *coo);
tsr_status tsr_coo_copy(tsr_coo **out, const tsr_coo *coo, tsr_error *err) TSR_NODISCARD;
/* Check lengths, widths, the range of all coordinates, and the triangle of the structure. TSR_CORRUPT with
 * the entry. nthreads 0: all. */
tsr_status tsr_coo_check(const tsr_coo *coo, int nthreads, tsr_error *err) TSR_NODISCARD;
/* The bytes of all arrays. */
uint64_t tsr_coo_nbytes(const tsr_coo *coo);
/* The bytes of coordinates with nnz entries: order * index bytes + value bytes, per entry. UINT64_MAX on
 * overflow. */
uint64_t tsr_coo_nbytes_for(tsr_shape shape, tsr_type type, uint64_t nnz);
/* Expand one stored triangle to the whole matrix, in place: the mirror image of an off-diagonal entry follows the entry, and
 * the structure becomes general. So the sequence is the same where the entries are expanded in parts. TSR_RANGE: a value of a skew-symmetric matrix cannot be
 * negated. TSR_LIMIT, TSR_NOMEM. */
tsr_status tsr_coo_expand(tsr_coo *coo, tsr_error *err) TSR_NODISCARD;
/* Whether the value is zero, of either sign. */
bool tsr_value_is_zero(tsr_type type, const void *v);
/* If the entries share one value, give each of them that value. TSR_NOMEM. */
tsr_status tsr_coo_repeat_value(tsr_coo *coo, tsr_error *err) TSR_NODISCARD;
/* Leave out the entries that are zero; returns their number. */
uint64_t tsr_coo_drop_zeros(tsr_coo *coo);
/* Convert the values to another type in place, by the rules of tsr_values_convert. */
tsr_status tsr_coo_retype(tsr_coo *coo, tsr_type type, tsr_error *err) TSR_NODISCARD;
/* The order of the entries. */
typedef struct tsr_coo_order {
    bool sorted;          /* entries never decrease */
    uint64_t nduplicates; /* entries equal to the entry before them (all duplicates where sorted) */
} tsr_coo_order;
/* The order of the entries by the modes perm[0], perm[1]... (NULL: 0, 1, 2...). Cost: one pass. */
tsr_coo_order tsr_coo_find_order(const tsr_coo *coo, const int *perm);
/* *same: whether a and b have the same dims, type, structure and fill, and the same entries as multisets,
 * with bit-identical values. Where they differ, err (may be NULL) describes the first difference. Memory:
 * sorted indices of both. */
tsr_status tsr_coo_same(bool *same, const tsr_coo *a, const tsr_coo *b, tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
