/* The tape to which a map is compiled (map_tape.c), and which is run (map_apply.c). */
#ifndef TSR_MAP_TAPE_H
#define TSR_MAP_TAPE_H

#include "map_internal.h"

/* What one operation computes for each entry, from sources x, y, z. */
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
    TSR_TAPE_SHIFT_PLUS, /* the same for x >= 0, which takes a cheaper instruction */
    TSR_TAPE_MASK,       /* x & c */
    TSR_TAPE_DIV,        /* with u = x + bias >= 0: (u * magic >> shift) - bias / c */
    TSR_TAPE_MOD,        /* u - c * (u * magic >> shift) */
    TSR_TAPE_DIV_HIGH,   /* these two with the upper 64 bits of u * magic */
    TSR_TAPE_MOD_HIGH,
    TSR_TAPE_DIV_PLAIN, /* x / c rounded down, by the processor's division */
    TSR_TAPE_MOD_PLAIN
} tsr_tape_code;

/* Operands are numbered: first the map's variables, then the values that operations make. */
typedef struct tsr_tape_op {
    tsr_tape_code code;
    int nsrc, src[3];
    int64_t k[3], c;
    uint64_t magic, bias;
    int shift;
    int home;        /* the result whose array it writes, or -1 */
    int slot;        /* of scratch, when it has no home or its home is not wanted; -1: no later op reads it */
    uint64_t wanted; /* bit r: result r depends on it */
} tsr_tape_op;

struct tsr_map_plan {
    int nvars, nresults, nops, nslots;
    tsr_tape_op *ops;                      /* nops; operation i makes operand nvars + i */
    int alias[TSR_MAP_MAX_RESULTS];        /* nresults: see tsr_map_plan_alias */
    bool empty;                            /* the domain has no point */
    tsr_interval bounds[TSR_MAP_MAX_VARS]; /* nvars */
    tsr_map_plan *domain;                  /* the constraints' expressions as results, or NULL: none */
    tsr_interval in[TSR_MAP_MAX_RESULTS];  /* where these have to be, as many */
};

#endif
