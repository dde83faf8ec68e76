/* What generated kernels assume of the machine: numbers that `tbench calibrate` derives from the caches and from
 * measurements, kept as a text. The numbers do not change what kernels compute. */
#ifndef TSR_TUNING_H
#define TSR_TUNING_H

#include <stdint.h>

#include "tsr_error.h"
#include "tsr_text.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All zero: the defaults. */
typedef struct tsr_tuning {
    /* rows of tensors larger than this are prefetched; 0: 32 kB, a first cache */
    uint64_t prefetch_nbytes;
    /* cache lines under way at a time, in [1, TSR_MAX_PREFETCH_LINES]; 0: 128 */
    uint64_t prefetch_lines;
} tsr_tuning;

enum { TSR_MAX_PREFETCH_LINES = 4096 };

/* Append the text: a comment, and one line "NAME: NUMBER" for each number; 0 is written as the default. */
void tsr_tuning_print(tsr_text *text, const tsr_tuning *tuning);
/* Read such a text. Lines that begin with '#' and empty lines are skipped; numbers that are not named keep their
 * defaults. TSR_SYNTAX with err->line: an unknown name, or a number outside its range. */
tsr_status tsr_tuning_parse(tsr_tuning *out, const char *text, tsr_error *err) TSR_NODISCARD;
/* The tuning with all defaults filled in. */
tsr_tuning tsr_tuning_complete(const tsr_tuning *tuning);

#ifdef __cplusplus
}
#endif
#endif
