/* Random schedules, as text. */
#ifndef RANDOM_SCHEDULE_H
#define RANDOM_SCHEDULE_H

#include "tsr_notation.h"
#include "tsr_test.h"

enum { RANDOM_SCHEDULE_NBYTES = 400 };

/* One to three items, separated by commas. True: each of them goes with every statement, so that none may be refused; false: some name
 * loops, operands or results in a way that the statement may lack. */
bool random_schedule(char text[RANDOM_SCHEDULE_NBYTES], tsr_rng *rng, const tsr_notation *notation);

#endif
