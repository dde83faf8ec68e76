/* How a tool ends after a signal: it stops its work, removes incomplete files, and ends with that same
 * signal, so that a shell sees 128 + the signal's number and a loop in a script ends on Ctrl-C, too. */
#ifndef TSR_CLI_SIGNALS_H
#define TSR_CLI_SIGNALS_H

#include <stdbool.h>

#include "tsr_error.h"

/* From now on INT, TERM, HUP, QUIT, ALRM, XCPU and PIPE interrupt the library (tsr_interrupt.h), and a file
 * that exceeds its size limit (XFSZ) is a failed write. INT, TERM or QUIT half a second or more after the
 * first signal end the process at once. Signals that the caller ignores (nohup) stay ignored. */
void tsr_cli_signals_init(void);
/* Whether a signal has arrived. */
bool tsr_cli_interrupted(void);
/* 128 + the number of the signal; 130 if something else cancelled the run. */
int tsr_cli_interrupt_code(void);
/* The text for a message: "interrupted", "interrupted by SIGTERM"; NULL if the tool should end without a
 * message (PIPE). */
const char *tsr_cli_interrupt_words(void);
/* While on, a signal ends the process at once. For work that cannot be interrupted, such as a compiled
 * kernel, while there are no files to remove. TSR_CANCELLED if it is turned on after a signal has arrived. */
tsr_status tsr_cli_signals_direct(bool on, tsr_error *err) TSR_NODISCARD;
/* Call this at the end of main: it ends the process with the signal that interrupted the tool; without a
 * signal it returns `code`. */
int tsr_cli_end(int code);

#endif
