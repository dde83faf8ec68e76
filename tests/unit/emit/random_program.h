/* Random loop programs that never fault: all operations of a value type, every kind of statement. What a
 * program does follows from the seed alone. */
#ifndef RANDOM_PROGRAM_H
#define RANDOM_PROGRAM_H

#include "tsr_ir.h"
#include "tsr_test.h"

enum {
    RANDOM_LENGTH = 96, /* elements of each array */
    RANDOM_NPARAMS = 11
};

typedef struct random_program {
    tsr_type type;
    bool vectors;
    tsr_ir *ir;
} random_program;

/* Build the program called `name`; the caller frees its ir. */
random_program random_program_new(const char *name, tsr_type type, bool vectors, uint64_t seed);

/* Arguments: arrays are allocated and filled, the same for the same seed. */
typedef struct random_args {
    tsr_ir_arg arg[RANDOM_NPARAMS];
    size_t nbytes[RANDOM_NPARAMS]; /* of arrays; 0: an index */
    tsr_ir_output output[RANDOM_NPARAMS];
} random_args;
void random_args_init(random_args *args, const random_program *p, uint64_t seed);
void random_args_free(random_args *args);
/* Whether all arrays hold the same values (NaNs of whatever bits are the same). Prints the first difference.
 */
bool random_args_same(const random_program *p, const random_args *a, const random_args *b);

#endif
