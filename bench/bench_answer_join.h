/* Terms in which several sparse operands meet, from their entries alone. */
#ifndef BENCH_ANSWER_JOIN_H
#define BENCH_ANSWER_JOIN_H

#include "bench_case.h"

/* Takes what is added to a cell of the result, whose number is taken modulo 2^64. */
typedef struct bench_join_sink {
    void (*add)(void *arg, uint64_t cell, double value);
    void *arg;
} bench_join_sink;

/* Give all products of entries that agree on the variables which they share. The term's factors are sparse operands and
 * numbers, and the result has no variable that they do not have: else TSR_UNSUPPORTED. TSR_NOMEM. */
tsr_status bench_join(const bench_join_sink *sink, const bench_case *c, const tsr_term *term,
                      tsr_error *err) TSR_NODISCARD;

#endif
