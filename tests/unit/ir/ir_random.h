/* Random loop programs that obey the rules of VECTOR, for comparing transformations of programs. */
#ifndef IR_RANDOM_H
#define IR_RANDOM_H

#include "tsr_ir.h"
#include "tsr_test.h"

enum { RANDOM_LENGTH = 4096, RANDOM_NARRAYS = 5 };

/* A program and its data. Parameters: n, then the arrays. */
typedef struct random_program {
    tsr_ir *ir;
    tsr_type type; /* type of its computations */
    int64_t n;
    /* of the arrays: two that are read, an index array, two that are written */
    tsr_type elem[RANDOM_NARRAYS];
    void *data[RANDOM_NARRAYS]; /* RANDOM_LENGTH elements each, malloc; indices are below 8 */
} random_program;

void random_program_new(random_program *p, tsr_rng *rng);
/* Run `ir`, which has the parameters of p, on a copy of the data; the two written arrays are appended to out
 * (2 * RANDOM_LENGTH values as double). Fails the test if it cannot run. */
void random_program_run(const random_program *p, const tsr_ir *ir, double *out);
void random_program_free(random_program *p);

#endif
