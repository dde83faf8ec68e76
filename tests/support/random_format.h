/* Random storage formats, as text. */
#ifndef RANDOM_FORMAT_H
#define RANDOM_FORMAT_H

#include "tsr_format.h"
#include "tsr_test.h"

enum { RANDOM_FORMAT_NBYTES = 1024 };

/* A format that parses for these dims: a named one with random parameters and modes, level letters, or modes cut
 * into blocks with levels in random order. dense: dense levels only; otherwise levels of all types. */
void random_format(char text[RANDOM_FORMAT_NBYTES], tsr_rng *rng, int order, const uint64_t *dims,
                   bool dense);
/* The same, or a format that holds only some patterns of entries: packing refuses others. */
void random_partial_format(char out[RANDOM_FORMAT_NBYTES], tsr_rng *rng, int order, const uint64_t *dims,
                           bool dense);
/* Whether the format holds only some patterns (structured, jagged, one triangle), so that packing may be refused. */
bool format_is_partial(const tsr_format *format);

#endif
