/* How the library talks to its caller: it never prints. Every field may be NULL. Only one thread calls at a
 * time, but not always the thread of the caller. */
#ifndef TSR_OBSERVER_H
#define TSR_OBSERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "tsr_error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tsr_observer {
    void *ctx; /* passed to each call */
    /* Something that is not an error but that the user should see once (status, path, line, message). */
    void (*warn)(void *ctx, const tsr_error *warning);
    /* `done` of `total` in the named phase: bytes of a file in "read" and "write", entries in "pack" and
     * "transform"; total = 0 means unknown. Called a few times a second at most. Return false to cancel: then
     * the library function undoes its work and returns TSR_CANCELLED. */
    bool (*progress)(void *ctx, const char *phase, uint64_t done, uint64_t total);
} tsr_observer;

/* Call a function of an observer; the observer and the function may be NULL. */
void tsr_warn(const tsr_observer *observer, const char *path, uint64_t line, const char *format, ...)
    TSR_PRINTF(4, 5);
tsr_status tsr_progress(const tsr_observer *observer, const char *phase, uint64_t done, uint64_t total,
                        tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
