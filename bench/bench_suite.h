/* The suites of bench/suites, built in: tensors that a kernel is measured on when none is named. */
#ifndef BENCH_SUITE_H
#define BENCH_SUITE_H

#include <stddef.h>

typedef struct bench_suite_text {
    const char *name; /* of its file, without .suite; NULL: the end */
    const char *text;
} bench_suite_text;
extern const bench_suite_text bench_suite_texts[];

enum { BENCH_SUITE_LINE_NBYTES = 256 };

/* Tensor number i of the kernel's suite, into line; 0 when it has no more, or no suite. */
int bench_suite_at(char line[BENCH_SUITE_LINE_NBYTES], const char *kernel, int i);

#endif
