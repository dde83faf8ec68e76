/* The suites of bench/suites, built in: the tensors on which a kernel is measured if the user names none. */
#ifndef BENCH_SUITE_H
#define BENCH_SUITE_H

#include <stddef.h>

typedef struct bench_suite_text {
    const char *name; /* name of its file, without .suite; NULL: the end of the list */
    const char *text;
} bench_suite_text;
extern const bench_suite_text bench_suite_texts[];

enum { BENCH_SUITE_LINE_NBYTES = 256 };

/* Write tensor number i of the kernel's suite to `line`; 0 if there are no more tensors, or no suite. */
int bench_suite_at(char line[BENCH_SUITE_LINE_NBYTES], const char *kernel, int i);

#endif
