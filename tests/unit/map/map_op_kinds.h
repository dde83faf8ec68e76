/* Operations by their definitions: random small cases, and the operand coordinates that each output
 * coordinate reads. */
#ifndef MAP_OP_KINDS_H
#define MAP_OP_KINDS_H

#include "tsr_map_ops.h"
#include "tsr_test.h"

enum { MAP_OP_MAX = 6 }; /* dims of a case */

/* One operation with everything that its definition needs. */
typedef struct op_case {
    int n, nout, nrt;
    uint64_t dims[MAP_OP_MAX], out[MAP_OP_MAX],
        rt[MAP_OP_MAX]; /* rt: how many values each runtime offset has */
    int perm[MAP_OP_MAX], axis;
    bool flags[MAP_OP_MAX];
    tsr_slice slices[MAP_OP_MAX];
    tsr_padding pads[MAP_OP_MAX];
    tsr_index_window windows[MAP_OP_MAX];
    uint64_t before, total, sizes[MAP_OP_MAX];
    tsr_dot dot;
    int dot_lists[4][MAP_OP_MAX], side;
    uint64_t left[MAP_OP_MAX], right[MAP_OP_MAX];
    tsr_convolution conv;
    uint64_t kernel[MAP_OP_MAX];
    int spatial[3][MAP_OP_MAX];
} op_case;

typedef struct op_kind {
    const char *name;
    void (*choose)(op_case *c, tsr_rng *rng);
    tsr_status (*map)(tsr_map **out, uint64_t *out_dims, tsr_map_direction direction, const op_case *c,
                      tsr_error *err);
    bool (*reads)(const op_case *c, const int64_t *o, const int64_t *i, const int64_t *rt);
    bool one_way;   /* output to input only */
    bool may_leave; /* results outside the operand have no meaning */
    bool any_shape; /* the case sets the shape of the output */
} op_kind;

enum { MAP_OP_NKINDS = 16 };
extern const op_kind map_op_kinds[MAP_OP_NKINDS];

#endif
