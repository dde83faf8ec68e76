/* Bytes that are loaded and taken in steps, by turns of two threads: while one takes a step, the other one loads the next. */
#ifndef BYTE_RELAY_H
#define BYTE_RELAY_H

#include <stddef.h>
#include <stdint.h>

#include "tsr_error.h"

typedef struct tsr_relay {
    uint64_t total, step; /* units, in all and of a step */
    size_t unit_nbytes;
    int nthreads; /* 1: both functions are called by the calling thread only */
    void *ctx;
    /* room: units [first, first + n). Never called for two steps at once. */
    tsr_status (*load)(void *room, void *ctx, uint64_t first, uint64_t n, tsr_error *err);
    /* Take the units. Called for one step after the other, in order. */
    tsr_status (*take)(void *ctx, const void *data, uint64_t first, uint64_t n, tsr_error *err);
} tsr_relay;

/* Load and take all units. Memory: two steps. The error of the first step that fails ends the run. TSR_NOMEM. */
tsr_status tsr_relay_run(const tsr_relay *relay, tsr_error *err) TSR_NODISCARD;

#endif
