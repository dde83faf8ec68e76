/* Lowering makes the loop program of a plan (tsr_plan.h).
 *
 * Plans that walk: each additive term is a loop nest of its own that adds to the result. The driver of a term is its sparse
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
 * the driver's levels, followed by dense levels.
 *
 * Plans that merge: lower_merge.c and the files beside it. */
#ifndef TSR_LOWER_H
#define TSR_LOWER_H

#include "tsr_ir.h"
#include "tsr_notation.h"
#include "tsr_plan.h"
#include "tsr_tensor.h"
#include "tsr_tuning.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The properties of one tensor of the notation that the program depends on. */
typedef struct tsr_lower_operand {
    const tsr_binding *binding; /* format and dims; borrowed */
    tsr_type type;
    bool iso; /* one value for all positions */
    /* bytes per element of each array of each level; 0: the level does not have it */
    uint8_t nbytes[TSR_LEVEL_NROLES][TSR_MAX_LEVELS];
    uint64_t pitch[TSR_MAX_LEVELS]; /* of dense levels: positions per parent */
    uint64_t npos[TSR_MAX_LEVELS];  /* positions per level, for the schedule; 0: unknown */
} tsr_lower_operand;

enum { TSR_SCHEDULE_FORMAT = 48 /* bytes of the text of a format in a schedule */ };

/* How to run the program; all zero: automatic. The text form has items separated by ',', each NAME or
 * NAME(arguments); schedule.def lists them. An item that cannot be followed is refused: vectorize, block and
 * unroll of a variable that only levels bind, and exclusive where threads would touch the same elements. docs/kernels.md describes the automatic rules. */
typedef struct tsr_schedule {
    bool serial, deterministic, scalar;
    bool plain;               /* serial and scalar, prefetch and lanes < 0, no special rows */
    uint32_t without;         /* bit p: pass p (tsr_passes.h) is left out */
    uint32_t without_special; /* special loops that are left out, a set (tsr_plan.h) */
    tsr_sharing sharing;
    int parallel_var; /* variable + 1; 0: automatic */
    int vector_var;   /* variable + 1; 0: automatic */
    uint32_t literal; /* bit v: the size of variable v is a literal (besides the automatic ones) */
    uint32_t block[TSR_NOTATION_MAX_VARS];  /* 0: not blocked */
    uint32_t unroll[TSR_NOTATION_MAX_VARS]; /* 0: automatic */
    int prefetch;                           /* 0: automatic; < 0: do not prefetch; > 0: the distance */
    int lanes; /* bytes of the sums in which the entries of a list are added up; 0: automatic; < 0: one sum */
    int vector_nbytes; /* 0: 64 */
    /* of programs of a plan alone: */
    uint8_t norder;
    uint8_t order[TSR_NOTATION_MAX_VARS]; /* reorder: norder variables, the outermost loop first */
    tsr_plan_workspace workspace;         /* workspace: where the contributions to a sparse result go */
    uint32_t workspace_vars;              /* bit v: the workspace spans variable v */
    uint8_t walk[TSR_NOTATION_MAX_VARS];  /* tsr_plan_walk of each variable */
    tsr_plan_assembly assembly;
    /* of kernels: */
    char convert[TSR_NOTATION_MAX_TENSORS]
                [TSR_SCHEDULE_FORMAT]; /* the format that each operand is converted to; "": the
                                                                  * automatic choice */
    bool precomputes;    /* whether the schedule determines which operands are multiplied first: */
    uint32_t precompute; /* bit t: operand t; 0: one nest has all operands */
} tsr_schedule;

/* Parse the text form; NULL or "" is automatic. TSR_SYNTAX or TSR_ARGUMENT with err->col; TSR_ARGUMENT
 * without col for items that exclude each other. */
tsr_status tsr_schedule_parse(tsr_schedule *schedule, const char *text, const tsr_notation *notation,
                              tsr_error *err) TSR_NODISCARD;
/* Append the text form, which parses back to the same schedule. */
void tsr_schedule_print(tsr_text *text, const tsr_schedule *schedule, const tsr_notation *notation);

/* Add to the schedule what the text of a plan (tsr_lower_graph) says. TSR_UNSUPPORTED for terms that no schedule asks for. */
tsr_status tsr_schedule_read_plan(tsr_schedule *schedule, const char *text, const tsr_notation *notation,
                                  tsr_error *err) TSR_NODISCARD;
/* Add how the text of a plan differs from that of the nearest plan in special loops: those that it lacks are left out, and
 * prefetches have the distance that it says. */
void tsr_schedule_read_specials(tsr_schedule *schedule, const char *text, const char *nearest);
/* Whether an item is about a loop, an operand or the result, not about the whole program. */
bool tsr_schedule_names_parts(const tsr_schedule *schedule);

/* Item k of the list of all items, schedule.def; NULL: there are k items. */
typedef struct tsr_schedule_item {
    const char *example, *help; /* "block(r,16)"; one sentence without a capital and a full stop */
} tsr_schedule_item;
const tsr_schedule_item *tsr_schedule_item_at(int k);

/* The meaning of a parameter of the program. */
typedef enum tsr_param_role {
    TSR_PARAM_NTHREADS,   /* number of threads */
    TSR_PARAM_SIZE,       /* size of variable `var` */
    TSR_PARAM_LEVEL_SIZE, /* size of level `level` of tensor `tensor` */
    TSR_PARAM_PITCH,      /* pitch of that level: positions per parent */
    TSR_PARAM_NPOS,       /* number of positions of that level (-1: the root, which has 1) */
    TSR_PARAM_LOW,        /* the coordinate of its first position (tsr_level.low) */
    TSR_PARAM_POS,        /* arrays of that level: TSR_PARAM_POS + tsr_level_role */
    TSR_PARAM_CRD,
    TSR_PARAM_PERM,
    TSR_PARAM_BITS,
    TSR_PARAM_START,
    TSR_PARAM_END,
    TSR_PARAM_VALUES,  /* values of tensor `tensor` */
    TSR_PARAM_OUT_POS, /* arrays that the program allocates, of level `level` of the assembled format */
    TSR_PARAM_OUT_CRD, /* (of a list: of mode `level`) */
    TSR_PARAM_OUT_VALUES,
    TSR_PARAM_DIFFERS /* one i64, to which a program for values alone adds the number of differences that it notices
                         between the entries of the result and those that the operands give */
} tsr_param_role;

typedef struct tsr_param {
    tsr_param_role role;
    int tensor, level, var; /* as the role needs them, else -1 */
} tsr_param;

typedef struct tsr_lowered {
    tsr_ir *ir;             /* vectorised according to the schedule */
    tsr_ir *plain;          /* the same program without vectors: the source of portable C */
    const tsr_param *param; /* ir->nparams entries */
    tsr_schedule schedule;  /* the given one, completed by the choices made */
    int pattern_tensor;     /* the tensor whose outer levels the result shares; -1: none */
    int pattern_nlevels;    /* the number of these levels */
    struct tsr_arena_chunk *memory;
} tsr_lowered;

typedef struct tsr_lower_options {
    const tsr_schedule *schedule; /* NULL: automatic */
    int nthreads;     /* the automatic schedule is chosen for this number (0: 1); the program takes the actual
                         number at run time */
    const char *name; /* of the function; NULL: "kernel" */
    const tsr_tuning *tuning; /* NULL: the defaults */
    bool
        values_only; /* of a plan that tsr_plan_has_values: compute values into a result that has its levels */
    bool signed_index; /* the C text may have arrays of indices with signed elements */
    uint64_t
        stand_in; /* variables of this size have a size that is known only at run time, in blocks too; 0: none */
} tsr_lower_options;

/* Write the program of the plan, which must outlive the call; free it with tsr_lowered_free. operands: the tensors of the
 * notation, the result first, then one for each view of a plan that merges (those of views that are not copies are ignored);
 * the tensor number of a parameter is an index into this array. Types of index outputs: pos is TSR_U64; crd is TSR_U32, or
 * TSR_U64 where the size is over 2^32. TSR_UNSUPPORTED: err names the term, format or schedule item that cannot be
 * lowered, and the reason. TSR_ARGUMENT: a number that the result type cannot hold. TSR_LIMIT, TSR_NOMEM. */
tsr_status tsr_lower(tsr_lowered **out, const tsr_plan *plan, const tsr_lower_operand *operands,
                     const tsr_lower_options *options, tsr_error *err) TSR_NODISCARD;
void tsr_lowered_free(tsr_lowered *lowered);
/* Append the plan as text. Of a plan that walks: for each term the driver, the loops from the outermost to the innermost with
 * the coordinates, products and sums at each depth, and how threads share the term. Errors as in tsr_lower. */
tsr_status tsr_lower_graph(tsr_text *text, const tsr_plan *plan, const tsr_lower_operand *operands,
                           const tsr_lower_options *options, tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
