/* The packed tensor: a format, the arrays of its levels, and one value per position of the last level.
 * Conversion produces packed tensors, and kernels compute with them. */
#ifndef TSR_TENSOR_H
#define TSR_TENSOR_H

#include "tsr_coo.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a tensor keeps between two calls that compute its values: where the contributions to each row go. It says nothing of what the
 * tensor holds: the code that reads it checks it. */
typedef struct tsr_trail {
    int way;     /* what the next call does with it: tsr_trail_way */
    int nmissed; /* how often it was wrong */
    tsr_array pos, starts,
        places; /* owned: a copy of the positions of the rows; parameters of the program, see tsr_param_role */
} tsr_trail;

typedef struct tsr_tensor {
    tsr_format *format;           /* owned */
    tsr_binding *binding;         /* of format and dims; owned */
    int order;                    /* number of modes */
    uint64_t dims[TSR_MAX_ORDER]; /* of each mode */
    tsr_type type;
    tsr_structure structure;
    int nlevels;                      /* = format->nlevels */
    tsr_level levels[TSR_MAX_LEVELS]; /* outermost first */
    uint64_t npos;                    /* positions of the last level (1 where nlevels = 0) */
    bool iso;                         /* one value for all positions */
    tsr_array values; /* npos elements (1 where iso) of tsr_type_nbytes(type) bytes. Type pattern: iso, or,
                         where the last level is dense, a byte per position, 1 = stored */
    unsigned char fill[TSR_MAX_VALUE_NBYTES]; /* the value of absent cells and padding where has_fill;
                                                 aligned
                                                 for a value, since it follows an array */
    bool has_fill;                            /* false: the fill is 0 */
    /* The number of this tensor and of its views; each new tensor has another one. The index arrays of a tensor stay as they are. */
    uint64_t number;
    /* The first like_nlevels levels are those of the tensor with this number: copies, or compared. 0: of none. */
    uint64_t like;
    int like_nlevels;
    tsr_trail *trail; /* owned; NULL: none. Copies and views have none */
} tsr_tensor;

/* A tensor with this format, which is copied, and these dims: level sizes are set, and arrays are empty. A
 * packer or a reader fills them. Errors: those of tsr_binding_new; TSR_ARGUMENT: invalid type. */
tsr_status tsr_tensor_new(tsr_tensor **out, const tsr_format *format, const uint64_t *dims, tsr_type type,
                          tsr_error *err) TSR_NODISCARD;
/* The same with the format and the dims of a binding, which is shared and not made anew. TSR_NOMEM. */
tsr_status tsr_tensor_new_bound(tsr_tensor **out, const tsr_binding *binding, tsr_type type,
                                tsr_error *err) TSR_NODISCARD;
void tsr_tensor_free(tsr_tensor *tensor);
/* Free the arrays of the trail; NULL: nothing happens. */
void tsr_trail_clear(tsr_trail *trail);
/* Check everything that data from outside can violate: array lengths and widths; pos rises from 0;
 * coordinates are in range, in order and unique (tuples in groups); the number of values; the triangle of the
 * structure; padding holds only fill. TSR_CORRUPT with level and position. Cost: one pass over all arrays on
 * nthreads threads (0: all). */
tsr_status tsr_tensor_check(const tsr_tensor *tensor, int nthreads, tsr_error *err) TSR_NODISCARD;
/* The same without the arrays of some levels: bit l of `watched` says that tsr_level_watch_end found level l right. */
tsr_status tsr_tensor_check_rest(const tsr_tensor *tensor, uint32_t watched, int nthreads,
                                 tsr_error *err) TSR_NODISCARD;
/* Make a tensor that borrows all arrays of another one, which must live longer and stay as it is. TSR_NOMEM. */
tsr_status tsr_tensor_view(tsr_tensor **out, const tsr_tensor *tensor, tsr_error *err) TSR_NODISCARD;
/* Make borrowed arrays copies that the tensor owns, on nthreads threads (0: all). TSR_NOMEM: some may be copies already. */
tsr_status tsr_tensor_own(tsr_tensor *tensor, int nthreads, tsr_error *err) TSR_NODISCARD;
/* Drop the values: the type is pattern then. TSR_UNSUPPORTED: a last level whose values tell which positions are entries; TSR_NOMEM. */
tsr_status tsr_tensor_drop_values(tsr_tensor *tensor, tsr_error *err) TSR_NODISCARD;
/* Convert the values of a tensor without a fill, by the rules of tsr_values_convert. TSR_RANGE: one does not fit, and all are as before; TSR_NOMEM. */
tsr_status tsr_tensor_retype(tsr_tensor *tensor, tsr_type type, tsr_error *err) TSR_NODISCARD;
/* The result of a statement with `|=`, whose values are 1, or 0 where the format has positions without entries, becomes a pattern: the
 * values are dropped, or where they tell which positions are entries, bytes. TSR_NOMEM. */
tsr_status tsr_tensor_make_pattern(tsr_tensor *tensor, tsr_error *err) TSR_NODISCARD;
/* The bytes of all arrays. */
uint64_t tsr_tensor_nbytes(const tsr_tensor *tensor);
/* The bytes of its arrays that tsr_tensor_free frees: without borrowed arrays. */
uint64_t tsr_tensor_owned_nbytes(const tsr_tensor *tensor);

#ifdef __cplusplus
}
#endif
#endif
