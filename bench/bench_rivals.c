/* The baselines that the user asks for: see bench_rivals.h. */
#include "bench_rivals.h"

#include <string.h>

#include "tsr_suggest.h"

const bench_chosen_baseline *bench_rivals_find(const bench_rivals *rivals, const bench_baseline *baseline)
{
    for (int i = 0; i < rivals->n; i++)
        if (rivals->chosen[i].baseline == baseline)
            return &rivals->chosen[i];
    return NULL;
}

tsr_status bench_rivals_add(bench_rivals *rivals, const bench_baseline *baseline, const char *path,
                            tsr_error *err)
{
    for (int i = 0; i < rivals->n; i++)
        if (rivals->chosen[i].baseline == baseline) {
            rivals->chosen[i].path = path ? path : rivals->chosen[i].path;
            return TSR_OK;
        }
    if (rivals->n == BENCH_MAX_BASELINES)
        return tsr_fail(err, TSR_LIMIT, "there are more than %d baselines; name fewer", BENCH_MAX_BASELINES);
    rivals->chosen[rivals->n++] = (bench_chosen_baseline){baseline, path};
    return TSR_OK;
}

static tsr_status unknown_baseline(const char *name, size_t n, tsr_error *err)
{
    tsr_suggest suggest;
    tsr_suggest_begin(&suggest, name, n);
    for (int i = 0; bench_baselines[i]; i++)
        tsr_suggest_offer(&suggest, bench_baselines[i]->name);
    return tsr_suggest_fail(&suggest, TSR_ARGUMENT, 0, "baseline", err);
}

tsr_status bench_rivals_parse(bench_rivals *rivals, const char *text, tsr_error *err)
{
    const char *const equals = strchr(text, '=');
    const size_t n = equals ? (size_t)(equals - text) : strlen(text);
    const bench_baseline *const baseline = bench_baseline_find(text, n);
    if (!baseline)
        return unknown_baseline(text, n, err);
    if (equals && !baseline->path_is)
        return tsr_fail(err, TSR_ARGUMENT, "%s is built in and takes no path", baseline->name);
    return bench_rivals_add(rivals, baseline, equals ? equals + 1 : NULL, err);
}
