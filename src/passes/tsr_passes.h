/* Passes improve a loop program. Each knows loads, loops and statements, never formats, and leaves the meaning as it is: the same
 * bits in the same outputs, except sums that lowering lets it add up in another order (lanes, vectors). A pass is one file and one row of passes.def; lowering writes the plain loops. */
#ifndef TSR_PASSES_H
#define TSR_PASSES_H

#include <stddef.h>

#include "tsr_error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tsr_pass {
#define X(NAME, name) TSR_PASS_##NAME,
#include "passes.def"
#undef X
    TSR_NPASSES
} tsr_pass;

struct tsr_ir;
/* Run all passes in order, without those whose bit, 1 << pass, is set, over the program, which they change in place. TSR_NOMEM;
 * TSR_ARGUMENT: the new program is wrong (a bug). After an error the program can only be freed. */
tsr_status tsr_passes_run(struct tsr_ir *ir, uint32_t without, tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
