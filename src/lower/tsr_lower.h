/* Lowering: index notation, a format per tensor and a schedule become one loop program.
 *
 * Each additive term is a loop nest of its own that adds to the result. Its driver is its sparse operand (or,
 * where all are dense, the one with the most variables): the nest's outer loops are the driver's storage
 * levels, in storage order; a logical coordinate is rebuilt by the inverse map at the level where it becomes
 * known; padding is skipped. Inside stand the loops over variables that the driver does not have. Factors are
 * multiplied as far out as they are known: prefix products above the level where the result's place is known,
 * sums of inner products below (distributivity; Smith and Karypis, "SPLATT", 2015).
 *
 * Zeros. An entry that a sparse operand does not store is absent: nothing is multiplied with it, so 0 * Inf
 * makes no NaN. Neither is an entry of a dense block under a sparse level that is +0 or -0: there padding and
 * absence are zeros. All entries of an all-dense operand count.
 *
 * The result is dense in any all-dense format (or a scalar), or has the driver's outer levels, all of them or
 * the first few, and dense levels below. Other sparse results, and terms with two sparse operands, are
 * TSR_UNSUPPORTED for tsr_lower; tsr_lower_plan writes them as a plan says. */
#ifndef TSR_LOWER_H
#define TSR_LOWER_H

#include "tsr_ir.h"
#include "tsr_notation.h"
#include "tsr_plan.h"
#include "tsr_tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One tensor of the notation, as far as the program depends on it. */
typedef struct tsr_lower_operand {
    const tsr_binding *binding; /* format and dims; borrowed */
    tsr_type type;
    bool iso;                           /* one value for all positions */
    uint8_t pos_nbytes[TSR_MAX_LEVELS]; /* widths of the level's arrays; 0: it has none */
    uint8_t crd_nbytes[TSR_MAX_LEVELS];
    uint64_t pitch[TSR_MAX_LEVELS]; /* of dense levels: positions per parent */
    uint64_t npos[TSR_MAX_LEVELS];  /* positions per level, for the schedule; all 0: unknown */
} tsr_lower_operand;

/* The number of threads that a deterministic program is planned for, and of the copies of the result that it
 * makes, whatever the number of threads. */
enum { TSR_DETERMINISTIC_NTHREADS = 12 };

/* What threads do to a result that several of them may touch. */
typedef enum tsr_sharing {
    TSR_SHARE_AUTO,
    TSR_SHARE_EXCLUSIVE, /* each element belongs to one thread: work is cut where the result's coordinate
                            changes */
    TSR_SHARE_PRIVATE,   /* a copy per thread; the touched intervals are added up at the end */
    TSR_SHARE_ATOMIC
} tsr_sharing;

/* How to run it. All zero: automatic. Text: items separated by ',', each NAME or NAME(arguments):
 *     serial                   no threads
 *     deterministic            the same bits for any number of threads: work is cut into a fixed number of
 * shares exclusive(A) private(A) atomic(A)      A the result vectorize(r)             the innermost loop is
 * the one over r;   scalar: no vectors at all width(32)                vectors of 16, 32 or 64 bytes
 *     block(r,16)              the loop over r in blocks of 16: the whole nest runs once per block
 *     unroll(r,4)              the loop over r by 4
 *     prefetch(16)             distance in positions of the innermost level, 0: none
 *     literal(r)               the size of r is written into the program (automatic: short dense variables)
 *     parallelize(i)           which loop is cut over threads: the outermost that binds i
 * What cannot be done is refused: vectorize, block and unroll of a variable that only levels bind, threads
 * that would touch the same elements of an exclusive result. docs/kernels.md tells the automatic rules. */
typedef struct tsr_schedule {
    bool serial, deterministic, scalar;
    tsr_sharing sharing;
    int parallel_var; /* variable + 1; 0: automatic */
    int vector_var;   /* variable + 1; 0: automatic */
    uint32_t literal; /* bit v: the size of variable v is a literal (besides the automatic ones) */
    uint32_t block[TSR_NOTATION_MAX_VARS];  /* 0: not blocked */
    uint32_t unroll[TSR_NOTATION_MAX_VARS]; /* 0: automatic */
    int prefetch;                           /* 0: automatic; < 0: none; else the distance */
    int vector_nbytes;                      /* 0: 64 */
} tsr_schedule;

/* Parse; text may be NULL or "" for automatic. TSR_SYNTAX, TSR_ARGUMENT with err->col. */
tsr_status tsr_schedule_parse(tsr_schedule *schedule, const char *text, const tsr_notation *notation,
                              tsr_error *err) TSR_NODISCARD;
/* Append the text form: what it prints parses back to the same schedule. */
void tsr_schedule_print(tsr_text *text, const tsr_schedule *schedule, const tsr_notation *notation);

/* What a parameter of the program stands for. */
typedef enum tsr_param_role {
    TSR_PARAM_NTHREADS,
    TSR_PARAM_SIZE,       /* size of variable `var` */
    TSR_PARAM_LEVEL_SIZE, /* size of level `level` of tensor `tensor` */
    TSR_PARAM_PITCH,
    TSR_PARAM_NPOS, /* positions of level `level` (-1: the root's, 1) */
    TSR_PARAM_POS,  /* arrays */
    TSR_PARAM_CRD,
    TSR_PARAM_VALUES,
    TSR_PARAM_OUT_POS, /* arrays that the program allocates: of level `level` of what is assembled (of a plan
                          whose sink is a list: crd of mode `level`) */
    TSR_PARAM_OUT_CRD,
    TSR_PARAM_OUT_VALUES
} tsr_param_role;

typedef struct tsr_param {
    tsr_param_role role;
    int tensor, level, var;
} tsr_param;

typedef struct tsr_lowered {
    tsr_ir *ir;             /* vectorised as the schedule says */
    tsr_ir *plain;          /* the same without vectors: what portable C is made from */
    const tsr_param *param; /* ir->nparams entries */
    tsr_schedule schedule;  /* what was chosen */
    int pattern_tensor;     /* the tensor whose outer levels the result shares, or -1: dense */
    int pattern_nlevels;    /* how many of them */
    struct tsr_arena_chunk *memory;
} tsr_lowered;

/* operands: notation->ntensors of them, the result first. size: of each variable (tsr_notation_sizes).
 * nthreads is what the automatic schedule plans for; the program takes the number at run time. name: of the
 * function (NULL: "kernel"). TSR_UNSUPPORTED says which term or format cannot be lowered, and why. */
tsr_status tsr_lower(tsr_lowered **out, const tsr_notation *notation, const tsr_lower_operand *operands,
                     const uint64_t *size, const tsr_schedule *schedule, int nthreads, const char *name,
                     tsr_error *err) TSR_NODISCARD;
/* The program of a plan. operands: the notation's tensors, then one for each view of the plan, of which those
 * of copies count; tensor numbers of parameters are numbers in it. Of the schedule only `serial` and `scalar`
 * are followed. Index entries of outputs: TSR_U64 for pos; for crd TSR_U32, or TSR_U64 where the size is over
 * 2^32. */
tsr_status tsr_lower_plan(tsr_lowered **out, const tsr_plan *plan, const tsr_lower_operand *operands,
                          const tsr_schedule *schedule, int nthreads, const char *name,
                          tsr_error *err) TSR_NODISCARD;
void tsr_lowered_free(tsr_lowered *lowered);
/* Append the iteration graph as text: per term its driver, its loops from the outside in with what is known,
 * used and summed there, and how the result is shared between threads. */
tsr_status tsr_lower_graph(tsr_text *text, const tsr_notation *notation, const tsr_lower_operand *operands,
                           const uint64_t *size, const tsr_schedule *schedule, int nthreads,
                           tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
