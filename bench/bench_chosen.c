/* The baselines that the user asks for: see bench_chosen.h. */
#include "bench_chosen.h"

#include <string.h>

#include "tsr_suggest.h"

/* The row of the baseline, or the number of rows. */
static int find_row(const bench_chosen *baselines, const bench_baseline *baseline)
{
    int i = 0;
    while (i < baselines->n && baselines->chosen[i].baseline != baseline)
        i++;
    return i;
}

const bench_chosen_baseline *bench_chosen_find(const bench_chosen *baselines, const bench_baseline *baseline)
{
    const int i = find_row(baselines, baseline);
    return i < baselines->n ? &baselines->chosen[i] : NULL;
}

tsr_status bench_chosen_add(bench_chosen *baselines, const bench_baseline *baseline, const char *path,
                            tsr_error *err)
{
    const int i = find_row(baselines, baseline);
    if (i < baselines->n) {
        baselines->chosen[i].path = path ? path : baselines->chosen[i].path;
        return TSR_OK;
    }
    if (baselines->n == BENCH_MAX_BASELINES)
        return tsr_fail(err, TSR_LIMIT, "there are more than %d baselines; name fewer", BENCH_MAX_BASELINES);
    baselines->chosen[baselines->n++] = (bench_chosen_baseline){baseline, path};
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

tsr_status bench_chosen_parse(bench_chosen *baselines, const char *text, tsr_error *err)
{
    const char *const equals = strchr(text, '=');
    const size_t n = equals ? (size_t)(equals - text) : strlen(text);
    const bench_baseline *const baseline = bench_baseline_find(text, n);
    if (!baseline)
        return unknown_baseline(text, n, err);
    if (equals && !baseline->path_is)
        return tsr_fail(err, TSR_ARGUMENT, "%s takes no path", baseline->name);
    return bench_chosen_add(baselines, baseline, equals ? equals + 1 : NULL, err);
}
