/* The tape to which a map is compiled (map_tape.c), and which is run (map_apply.c). */
#ifndef TSR_MAP_TAPE_H
#define TSR_MAP_TAPE_H

#include "map_internal.h"
#include "tsr_bits.h"

/* The value that one operation computes for each entry, from sources x, y, z. */
typedef enum tsr_tape_code {
    TSR_TAPE_CONST,      /* c */
    TSR_TAPE_COPY,       /* x */
    TSR_TAPE_LINEAR1,    /* k0*x + c */
    TSR_TAPE_LINEAR2,    /* k0*x + k1*y + c */
    TSR_TAPE_LINEAR3,    /* k0*x + k1*y + k2*z + c */
    TSR_TAPE_MIN,        /* min(x, y) */
    TSR_TAPE_MAX,        /* max(x, y) */
    TSR_TAPE_PRODUCT,    /* x * y */
    TSR_TAPE_SHIFT,      /* x >> shift, rounding down */
    TSR_TAPE_SHIFT_PLUS, /* the same for x >= 0, with a cheaper instruction */
    TSR_TAPE_MASK,       /* x & c */
    TSR_TAPE_DIV,        /* with u = x + bias >= 0: (u * magic >> shift) - bias / c */
    TSR_TAPE_MOD,        /* u - c * (u * magic >> shift) */
    TSR_TAPE_DIV_HIGH,   /* the same two with the upper 64 bits of u * magic */
    TSR_TAPE_MOD_HIGH,
    TSR_TAPE_GATHER,    /* the bits of x at the ones of `bits`, moved together */
    TSR_TAPE_SCATTER,   /* the bits of x moved to the ones of `bits` */
    TSR_TAPE_DIV_PLAIN, /* x / c rounded down, with the division instruction */
    TSR_TAPE_MOD_PLAIN
} tsr_tape_code;

/* Operands are numbered: first the variables of the map, then the values of the operations. */
typedef struct tsr_tape_op {
    tsr_tape_code code;
    int nsrc, src[3];
    int64_t k[3], c;
    uint64_t magic, bias;
    int shift;
    tsr_bits bits;
    int home; /* the result into whose array the value is written, or -1 */
    /* the slot of scratch for the value if `home` is -1 or that result is not wanted; -1: no later operation
     * reads the value */
    int slot;
    uint64_t wanted; /* bit r: result r depends on the value */
} tsr_tape_op;

struct tsr_map_plan {
    int nvars, nresults, nops, nslots;
    tsr_tape_op *ops;                      /* nops; operation i makes operand nvars + i */
    int alias[TSR_MAP_MAX_RESULTS];        /* nresults entries: see tsr_map_plan_alias */
    bool empty;                            /* the domain has no points */
    tsr_interval bounds[TSR_MAP_MAX_VARS]; /* nvars entries */
    /* a plan whose results are the expressions of the constraints; NULL: no constraints */
    tsr_map_plan *domain;
    /* the intervals that the constraints require, one per result of `domain` */
    tsr_interval in[TSR_MAP_MAX_RESULTS];
};

#endif
