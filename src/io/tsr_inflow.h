/* Bytes that come from elsewhere than a file, or go elsewhere: the caller's memory, functions of the caller. They pass once, from
 * the first to the last. */
#ifndef TSR_INFLOW_H
#define TSR_INFLOW_H

#include <stddef.h>
#include <stdint.h>

#include "tsr_error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tsr_inflow {
    const char *name; /* for messages and for its suffix; borrowed */
    uint64_t nbytes;  /* of all; 0: unknown */
    /* Store up to room > 0 of the next bytes; *n = 0 at the end. Called by one thread at a time, but not always the same. */
    tsr_status (*read)(size_t *n, void *out, size_t room, void *ctx, tsr_error *err);
    void *ctx;
} tsr_inflow;

typedef struct tsr_sink {
    /* Take all nbytes bytes. Called by one thread at a time. */
    tsr_status (*write)(const void *bytes, size_t nbytes, void *ctx, tsr_error *err);
    void *ctx;
} tsr_sink;

#ifdef __cplusplus
}
#endif
#endif
