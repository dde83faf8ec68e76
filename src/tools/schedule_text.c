/* See schedule_text.h. */
#include "schedule_text.h"

#include <string.h>

const char *tsr_cli_schedule(tsr_text *text, const char *given, bool deterministic)
{
    if (!deterministic)
        return given;
    tsr_text_add(text, "deterministic");
    if (given && given[strspn(given, " \t\r\n")] != '\0')
        tsr_text_addf(text, ", %s", given);
    return tsr_text_cstr(text);
}
