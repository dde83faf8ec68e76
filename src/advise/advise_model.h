/* The parts of the advisor: what a kernel does with each entry (entry_shape.c), what that takes on a format (model.c). */
#ifndef ADVISE_MODEL_H
#define ADVISE_MODEL_H

#include "advise_candidates.h"
#include "advise_visit.h"

enum { ADVISE_MAX_ACCESSES = TSR_NOTATION_MAX_TENSORS };

/* A kernel, seen from one entry of the sparse tensor. */
typedef struct advise_shape {
    int sparse; /* number of the tensor in the notation */
    /* Dense tensors that are read or written at coordinates of the entry; access 0 is the result. */
    int naccesses;
    advise_access access[ADVISE_MAX_ACCESSES];
    bool has_sparse_result; /* the result has the pattern of the entries */
    double
        nproducts; /* pairs of entries that meet where the sparse tensor stands in two places; 0: it stands in one */
} advise_shape;

/* rank: the size of variables that the sparse tensor does not have. per_row: bytes of a slice of the sparse tensor, on average,
 * where it stands in a second place. samples: borrowed. Clear it also after a failure. TSR_UNSUPPORTED: the largest operand does not have
 * `order` modes. TSR_NOMEM. */
tsr_status advise_shape_init(advise_shape *out, const tsr_notation *notation, const tsr_samples *samples,
                             tsr_type type, uint64_t rank, tsr_error *err) TSR_NODISCARD;
void advise_shape_clear(advise_shape *shape);

/* A kernel, and the loop that runs it on a format. */
typedef struct advise_kernel {
    int number; /* in the advice */
    const advise_shape *shape;
    const advise_loop *loop;
} advise_kernel;

/* Add to the row what one run of the kernel takes on the format of the visit, and set row->kernel_ns[number]. TSR_NOMEM. */
tsr_status advise_model_run(tsr_advice_row *row, advise_visit *visit, const advise_kernel *kernel,
                            const tsr_costs *costs, int nthreads, tsr_error *err) TSR_NODISCARD;
/* The time to pack the entries into the format of the visit. */
double advise_model_pack(const advise_visit *visit, const tsr_costs *costs, int nthreads);

#endif
