/* The options --schedule and --deterministic, joined into one schedule. */
#ifndef SCHEDULE_TEXT_H
#define SCHEDULE_TEXT_H

#include <stdbool.h>

#include "tsr_text.h"

/* The given schedule (NULL: none), preceded by the item `deterministic` if `deterministic` is set. The
 * returned text lies in `text`, which the caller clears and whose status the caller checks
 * (tsr_text_status). */
const char *tsr_cli_schedule(tsr_text *text, const char *given, bool deterministic);

#endif
