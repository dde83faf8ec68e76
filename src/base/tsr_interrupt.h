/* Ending the waits of the library from outside, mostly from a signal handler: reads from pipes, opening a
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
/* A descriptor for poll(2) that becomes readable with the request; -1 before tsr_interrupt_init. */
int tsr_interrupt_fd(void);
/* Wait until a request comes or `ms` milliseconds have passed. */
void tsr_interrupt_sleep(int ms);

#ifdef __cplusplus
}
#endif
#endif
