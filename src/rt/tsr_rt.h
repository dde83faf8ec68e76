/* All that a generated kernel may use besides C itself. Self-contained; pasted into each kernel, in pieces: a
 * piece begins with a line "/" "* piece NAME: what it is *" "/" and goes to the next piece; emit pastes those
 * that are used. It is also included by the library, which calls kernels through the entry point. */
#ifndef TSR_RT_H
#define TSR_RT_H

#include <stdint.h>

/* The uniform entry point: argument i is n for an index and data for an array. */
typedef struct tsr_rt_arg {
    int64_t n;
    void *data;
} tsr_rt_arg;
typedef int tsr_rt_function(const tsr_rt_arg *args);

#endif
