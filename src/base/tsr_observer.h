/* How the library talks to whoever called it: it never prints. Every field may be NULL. Calls come from one
 * thread at a time, but not always the caller's. */
#ifndef TSR_OBSERVER_H
#define TSR_OBSERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "tsr_error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tsr_observer {
    void *ctx; /* handed to each call */
    /* Something that is not an error but that the user should hear once (status, path, line, message). */
    void (*warn)(void *ctx, const tsr_error *warning);
    /* `done` of `total` (bytes of a file in "read" and "write", entries in "pack" and "transform"; total 0 =
     * unknown) in the named phase. Called a few times a second at the most. Return false to cancel:
     * TSR_CANCELLED, all undone. */
    bool (*progress)(void *ctx, const char *phase, uint64_t done, uint64_t total);
} tsr_observer;

/* Convenience for NULL observers and NULL fields. */
void tsr_warn(const tsr_observer *observer, const char *path, uint64_t line, const char *format, ...)
    TSR_PRINTF(4, 5);
tsr_status tsr_progress(const tsr_observer *observer, const char *phase, uint64_t done, uint64_t total,
                        tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
