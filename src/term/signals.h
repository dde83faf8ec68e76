/* What a tool does when a signal asks it to end: it stops what it does, removes what is not whole, and ends
 * by that same signal, so a shell sees 128 + its number and a loop of a script ends on Ctrl-C too. */
#ifndef TSR_CLI_SIGNALS_H
#define TSR_CLI_SIGNALS_H

#include <stdbool.h>

#include "tsr_error.h"

/* From here on INT, TERM, HUP, QUIT, ALRM, XCPU and PIPE interrupt the library (tsr_interrupt.h), and a file
 * that becomes larger than its limit (XFSZ) is a failed write. INT, TERM or QUIT half a second or more after
 * the first end the process at once. What the caller ignores (nohup) stays ignored. */
void tsr_cli_signals_init(void);
/* Whether a signal has come. */
bool tsr_cli_interrupted(void);
/* 128 + the signal's number; 130 when something else cancelled the run. */
int tsr_cli_interrupt_code(void);
/* What to say about it: "interrupted", "interrupted by SIGTERM"; NULL when silence is better (PIPE). */
const char *tsr_cli_interrupt_words(void);
/* While on, a signal ends the process at once. For work that cannot be stopped, a compiled kernel, while
 * there is nothing to remove. TSR_CANCELLED when it is turned on and a signal
 * has come already. */
tsr_status tsr_cli_signals_direct(bool on, tsr_error *err) TSR_NODISCARD;
/* At the end of main: end by the signal that came when the tool was interrupted, else return `code`. */
int tsr_cli_end(int code);

#endif
