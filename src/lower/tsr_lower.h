/* Lowering makes the loop program of a plan (tsr_plan.h). A file lower_sink_NAME.c writes the body of a program, for what is done with
 * the values; lower_row_NAME.c a row of a sparse result; lower_share.c and lower_cut.c threads and their shares; lower_merge_NAME.c
 * loops that merge; lower_term.c and the files beside it the visit of all loops, and those that walk.
 *
 * Loops that walk: each additive term is a loop nest of its own that adds to the result. The driver of a term is its sparse
 * operand (or, where all operands are dense and one of them is tiled, the tiled operand with the most
 * variables). The outer loops of the nest are the storage levels of the driver, in storage order; the inverse
 * map rebuilds a logical coordinate at the level where it becomes known; padding is skipped. The inner loops
 * are over the variables that the driver does not have. Each factor is multiplied in the outermost loop where
 * it is known: prefix products above the level where the result's place is known, sums of inner products
 * below (distributivity; Smith and Karypis, "SPLATT", 2015).
 *
 * Zeros. An entry that a sparse operand does not store is absent: it is not multiplied, so 0 * Inf does not
 * make a NaN. An entry +0 or -0 in a dense block below a sparse level is absent, too, since padding and
 * absent entries are stored as zeros there. All entries of a dense operand count.
 *
 * The result is dense, in any format with dense levels only (or a scalar), or has all or the first few of
 * the driver's levels, followed by dense levels. */
#ifndef TSR_LOWER_H
#define TSR_LOWER_H

#include "tsr_ir.h"
#include "tsr_plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The meaning of a parameter of the program. */
typedef enum tsr_param_role {
    TSR_PARAM_NTHREADS,   /* number of threads */
    TSR_PARAM_SIZE,       /* size of variable `var` */
    TSR_PARAM_LEVEL_SIZE, /* size of level `level` of tensor `tensor` */
    TSR_PARAM_PITCH,      /* pitch of that level: positions per parent */
    TSR_PARAM_NPOS,       /* number of positions of that level (-1: the root, which has 1) */
    TSR_PARAM_LOW,        /* the coordinate of its first position (tsr_level.low) */
    TSR_PARAM_TRAIL,      /* what a program for values alone does with the two arrays: a tsr_trail_way */
    TSR_PARAM_POS,        /* arrays of that level: TSR_PARAM_POS + tsr_level_role */
    TSR_PARAM_CRD,
    TSR_PARAM_PERM,
    TSR_PARAM_BITS,
    TSR_PARAM_START,
    TSR_PARAM_END,
    TSR_PARAM_VALUES,  /* values of tensor `tensor` */
    TSR_PARAM_OUT_POS, /* arrays that the program allocates, of level `level` of the assembled format */
    TSR_PARAM_OUT_CRD, /* (of a list: of mode `level`) */
    TSR_PARAM_OUT_BITS,
    TSR_PARAM_OUT_VALUES,
    TSR_PARAM_DIFFERS, /* one i64, to which a program for values alone adds the number of differences that it notices
                         between the entries of the result and those that the operands give; with a trail a second one: the number of
                         contributions or rows that are not those of the trail */
    TSR_PARAM_STARTS, /* u64: where the trail of each row of level `level` of the result begins, and the end of the last */
    TSR_PARAM_PLACES, /* the trail, u16: for each contribution, in the order of a run, the number of its entry in its row */
    TSR_PARAM_NROLES
} tsr_param_role;

typedef enum tsr_trail_way {
    TSR_TRAIL_NONE,
    TSR_TRAIL_COUNT, /* starts[row + 1] becomes the number of contributions to the row; 0: the row gets no trail */
    TSR_TRAIL_WRITE, /* the places of these contributions are stored */
    TSR_TRAIL_FOLLOW /* contributions go to these places; each coordinate is compared with that of the entry */
} tsr_trail_way;

typedef struct tsr_param {
    tsr_param_role role;
    int tensor, level, var; /* as the role needs them, else -1 */
} tsr_param;

typedef struct tsr_lowered {
    tsr_ir *ir;             /* with vectors, if the schedule has them */
    const tsr_ir *plain;    /* the same program without vectors, or `ir` itself: the source of portable C */
    const tsr_param *param; /* ir->nparams entries */
    tsr_schedule schedule;  /* the given one, completed by the choices made */
    int pattern_tensor;     /* the tensor whose outer levels the result shares; -1: none */
    int pattern_nlevels;    /* the number of these levels */
    struct tsr_arena_chunk *memory;
} tsr_lowered;

typedef struct tsr_lower_options {
    const char *name; /* of the function; NULL: "kernel" */
    bool
        values_only; /* of a plan that tsr_plan_has_values: compute values into a result that has its levels */
    bool has_trail;  /* with values_only: the program has a trail, where its rows need one */
    bool signed_index; /* the C text may have arrays of indices with signed elements */
} tsr_lower_options;

/* Write the program of the plan, which must outlive the call; free it with tsr_lowered_free. operands: the tensors of the
 * notation, the result first, then one for each view of a plan that merges (those of views that are not copies are ignored);
 * the tensor number of a parameter is an index into this array. Types of index outputs: pos is TSR_U64; crd is TSR_U32, or
 * TSR_U64 where the size is over 2^32. TSR_UNSUPPORTED: err names the term, format or schedule item that cannot be
 * lowered, and the reason. TSR_ARGUMENT: a number that the result type cannot hold. TSR_LIMIT, TSR_NOMEM. */
tsr_status tsr_lower(tsr_lowered **out, const tsr_plan *plan, const tsr_plan_operand *operands,
                     const tsr_lower_options *options, tsr_error *err) TSR_NODISCARD;
void tsr_lowered_free(tsr_lowered *lowered);

/* ---- conversions (TSR_WITH_FUSION) ---- */

/* One of the tensors of a conversion. */
typedef struct tsr_lower_side {
    const char *name;
    const tsr_format *
        format; /* as tsr_lower_can_convert says; of the source: NULL: a list of entries in any order, in which an entry may
                                 occur several times, with an array of the coordinates of each mode */
    tsr_type type;
    uint8_t nbytes[TSR_LEVEL_NROLES]
                  [TSR_MAX_LEVELS]; /* of the arrays of each level; of a list: of each mode */
} tsr_lower_side;
typedef struct tsr_lower_conversion {
    tsr_lower_side to, from;
    bool
        is_cast; /* both have the format, any one, and differ in the type or in widths: the result shares all other arrays */
    bool
        is_exact; /* of a cast: integers over 2^53 do not become doubles, and doubles over it do not become integers */
    bool threads; /* threads share the work: the program has TSR_PARAM_NTHREADS, as its first parameter */
} tsr_lower_conversion;

/* Whether a program can convert to the format: it has full levels, and lists and coordinates in order, of a map without differences; and from
 * it: dense levels, then one list or more, or coordinates, where each level is one mode. NULL: a list. */
bool tsr_lower_can_convert(const tsr_format *format);
bool tsr_lower_can_convert_from(const tsr_format *format);
/* Write the program of a conversion, which sorts by counting; free it with tsr_lowered_free. Its parameters: TSR_PARAM_SIZE is the size
 * of mode `var`; TSR_PARAM_NPOS the number of entries of the source; tensor 0 is the result, tensor 1 the source; the values of both are
 * left out where those of the result are a pattern. Values of equal coordinates of a list are added. A cast of which values may not be numbers of the type has one more output, of the role
 * TSR_PARAM_DIFFERS: its length is 0 if all of them are. TSR_NOMEM. */
tsr_status tsr_lower_convert(tsr_lowered **out, const tsr_lower_conversion *of, const char *name,
                             const char *header, tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
