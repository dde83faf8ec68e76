/* Random map texts: bounded variables, nested floordiv and mod, constraints; the same seed gives the same
 * texts. */
#ifndef MAP_RANDOM_H
#define MAP_RANDOM_H

#include <stdbool.h>

#include "tsr_test.h"
#include "tsr_text.h"

/* Append a map of 1 to 3 dims with bounds inside [-40, 40] and 1 to 4 results. */
void map_random(tsr_text *text, tsr_rng *rng);
/* Append a map of `ndims` dims with `nresults` results. constraints: some are added. */
void map_random_of(tsr_text *text, tsr_rng *rng, int ndims, int nresults, bool constraints);

#endif
