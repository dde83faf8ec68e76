/* Observers: see tsr_observer.h. */
#include "tsr_observer.h"

#include "tsr_shown.h"

void tsr_warn(const tsr_observer *observer, const char *path, uint64_t line, const char *format, ...)
{
    if (!observer || !observer->warn)
        return;
    tsr_error warning;
    char sentence[sizeof warning.message];
    va_list args;
    va_start(args, format);
    tsr_show_format(sentence, sizeof sentence, format, args);
    va_end(args);
    tsr_fail_at(&warning, TSR_OK, path, line, 0, "%s", sentence);
    observer->warn(observer->ctx, &warning);
}

tsr_status tsr_progress(const tsr_observer *observer, const char *phase, uint64_t done, uint64_t total,
                        tsr_error *err)
{
    if (!observer || !observer->progress || observer->progress(observer->ctx, phase, done, total))
        return TSR_OK;
    return tsr_fail(err, TSR_CANCELLED, "cancelled during phase %s", phase);
}
