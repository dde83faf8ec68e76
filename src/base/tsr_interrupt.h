/* Ending the waits of the library from outside, from a signal handler above all: reads from pipes, opening a
 * FIFO, the compiler of kernels, the interpreter. Each then returns TSR_CANCELLED with everything undone.
 *
 * Signals belong to the process, so this is the one request that the whole process shares. The library never
 * asks by itself and installs no handler: programs do. */
#ifndef TSR_INTERRUPT_H
#define TSR_INTERRUPT_H

#include <stdbool.h>

#include "tsr_error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Once, before a handler calls tsr_interrupt: without it a wait is ended only when the signal arrives in the
 * thread that waits, and after the wait has begun. false: no pipe can be had. */
bool tsr_interrupt_init(void);
/* Ask all waits, now and later, to end. May be called in a signal handler and from any thread. */
void tsr_interrupt(void);
bool tsr_interrupted(void);
/* Take the request back, when no other thread uses the library. */
void tsr_interrupt_reset(void);
/* TSR_CANCELLED, "interrupted", when it was asked for; else TSR_OK. */
tsr_status tsr_interrupt_check(tsr_error *err) TSR_NODISCARD;
/* For poll(2): a descriptor that is readable from the request on; -1 before tsr_interrupt_init. */
int tsr_interrupt_fd(void);
/* Wait until the request or until `ms` have passed. */
void tsr_interrupt_sleep(int ms);

#ifdef __cplusplus
}
#endif
#endif
