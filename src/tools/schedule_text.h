/* --deterministic beside --schedule. */
#ifndef SCHEDULE_TEXT_H
#define SCHEDULE_TEXT_H

#include <stdbool.h>

#include "tsr_text.h"

/* The schedule as given (NULL: none), with the item `deterministic` before it when that is asked for. `text`
 * holds what is returned and is cleared by the caller; a text that ran out of memory is the caller's to ask.
 */
const char *tsr_cli_schedule(tsr_text *text, const char *given, bool deterministic);

#endif
