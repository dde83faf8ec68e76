/* Ending the waits of the library, and long work, from outside, mostly from a signal handler: reads from pipes, opening a
 * FIFO, the compiler of kernels, the interpreter. Each of them then returns TSR_CANCELLED and undoes what it
 * did.
 *
 * Signals belong to the process, so the whole process shares this one request. The library never makes the
 * request and installs no signal handler: programs do. */
#ifndef TSR_INTERRUPT_H
#define TSR_INTERRUPT_H

#include <stdbool.h>

#include "tsr_error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Call this once, before a signal handler can call tsr_interrupt. Without it a wait ends only when the signal
 * arrives in the waiting thread after the wait has begun. False: the system gives no pipe. */
bool tsr_interrupt_init(void);
/* Ask all waits, now and later, to end. May be called from a signal handler and from any thread. */
void tsr_interrupt(void);
bool tsr_interrupted(void);
/* Take the request back. No other thread may use the library at that time. */
void tsr_interrupt_reset(void);
/* TSR_CANCELLED, "interrupted", after a request; else TSR_OK. */
tsr_status tsr_interrupt_check(tsr_error *err) TSR_NODISCARD;
/* A request of one caller, such as that of a context: it counts as the one above in the threads that have entered it. {NULL}: there
 * is none. */
typedef struct tsr_interrupt_scope {
    bool (*asked)(void *ctx);
    void *ctx;
} tsr_interrupt_scope;
/* Enter a scope in this thread. Returns the one before, to be entered again at the end. */
tsr_interrupt_scope tsr_interrupt_enter(tsr_interrupt_scope scope);
/* The scope of this thread, for others that work for it (tsr_parallel hands it on). */
tsr_interrupt_scope tsr_interrupt_here(void);
/* Whether the process or this scope is asked to end. */
bool tsr_interrupted_in(const tsr_interrupt_scope *scope);
/* A descriptor for poll(2) that becomes readable with the request; -1 before tsr_interrupt_init. */
int tsr_interrupt_fd(void);
/* Wait until a request comes or `ms` milliseconds have passed. */
void tsr_interrupt_sleep(int ms);

#ifdef __cplusplus
}
#endif
#endif
