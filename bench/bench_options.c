/* Options that commands of tbench share: see bench_options.h. */
#include "bench_options.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench_clock.h"
#include "tsr_parallel.h"
#include "tsr_shown.h"

tsr_status bench_set_threads(void *settings, const char *value, tsr_error *err)
{
    bench_settings *const s = settings;
    TSR_TRY(
        tsr_cli_parse_list(s->threads, &s->nthreads, value, BENCH_MAX_THREAD_COUNTS, TSR_MAX_THREADS, err));
    for (int i = 0; i < s->nthreads; i++)
        if (s->threads[i] == 0)
            s->threads[i] = (uint64_t)tsr_thread_count(0);
    return TSR_OK;
}

tsr_status bench_set_reps(void *settings, const char *value, tsr_error *err)
{
    return tsr_cli_parse_int(&((bench_settings *)settings)->reps, value, 1, BENCH_MAX_REPS, err);
}

tsr_status bench_set_time_limit(void *settings, const char *value, tsr_error *err)
{
    return tsr_cli_parse_int(&((bench_settings *)settings)->time_limit_s, value, 1, 1000000, err);
}

tsr_status bench_set_cold(void *settings, const char *value, tsr_error *err)
{
    (void)value;
    (void)err;
    ((bench_settings *)settings)->cold = true;
    return TSR_OK;
}

tsr_status bench_set_quick(void *settings, const char *value, tsr_error *err)
{
    (void)value;
    (void)err;
    ((bench_settings *)settings)->quick = true;
    return TSR_OK;
}

tsr_status bench_set_json(void *settings, const char *value, tsr_error *err)
{
    (void)err;
    ((bench_settings *)settings)->json = value;
    return TSR_OK;
}

void bench_settings_finish(bench_settings *settings)
{
    const int all = tsr_thread_count(0);
    if (settings->nthreads)
        return;
    settings->threads[settings->nthreads++] = 1;
    if (all > 1)
        settings->threads[settings->nthreads++] = (uint64_t)all;
}

void bench_settings_show(tsr_cli_report *report, const char *format, ...)
{
    const double now = tsr_cli_now();
    va_list args;
    if (!report || report->quiet || !report->terminal || now < report->next_draw)
        return;
    char text[256];
    va_start(args, format);
    tsr_show_format(text, sizeof text, format, args);
    va_end(args);
    fprintf(stderr, "\r%s\033[K", text);
    fflush(stderr);
    report->drawn = true;
    report->next_draw = now + 0.2;
}

/* "pass 2 of 3, csf, round 3 of 5", a few times a second. */
static bool on_sample(void *ctx, const char *name, int round, int reps)
{
    const bench_settings *const s = ctx;
    char pass[40] = "";
    if (s->passes > 1)
        snprintf(pass, sizeof pass, "pass %d of %d, ", s->pass, s->passes);
    if (round == 0)
        bench_settings_show(s->report, "%s%s, first round", pass, name);
    else
        bench_settings_show(s->report, "%s%s, round %d of %d", pass, name, round, reps);
    return !tsr_cli_interrupted();
}

bench_run_options bench_settings_run(const bench_settings *settings)
{
    return (bench_run_options){
        .reps = settings->reps,
        .time_limit_s = settings->time_limit_s,
        .cold = settings->cold,
        .quick = settings->quick,
        .progress = on_sample,
        .ctx = (void *)settings,
    };
}

tsr_status bench_start(bench_record *record, const bench_settings *settings, int argc, char *const *argv,
                       tsr_error *err)
{
    TSR_TRY(bench_record_init(record, settings->json, argc, argv, err));
    if (!settings->quick)
        bench_record_measure_roofs(record, settings->threads, settings->nthreads);
    return TSR_OK;
}

void bench_warn_busy(const bench_settings *settings, const bench_record *record)
{
    uint32_t n = 0, ndisturbed = 0;
    char load[64] = "";
    for (uint32_t i = 0; i < record->nrows; i++)
        for (uint32_t k = 0; k < record->rows[i].nsamples && bench_row_is_ours(&record->rows[i]); k++) {
            ndisturbed += record->rows[i].disturbed && record->rows[i].disturbed[k];
            n++;
        }
    if (settings->quick || 10 * (uint64_t)ndisturbed <= n)
        return;
    if (bench_load() >= 0)
        snprintf(load, sizeof load, " (load %.1f on %d processors)", bench_load(), record->machine.ncpus);
    tsr_cli_report_line(
        settings->report,
        "tbench: warning: the machine is busy: other processes disturbed %.0f%% of the samples%s; "
        "intervals are narrower when it is quiet",
        100.0 * ndisturbed / n, load);
}

int bench_finish(bench_record *record, tsr_cli_report *report, tsr_status status, const tsr_error *err)
{
    tsr_error write_err = {0};
    tsr_cli_report_wipe(report);
    record->interrupted = status != TSR_OK;
    if (record->path && bench_record_write(record, &write_err) != TSR_OK && status == TSR_OK) {
        status = write_err.status;
        err = &write_err;
    }
    bench_record_clear(record);
    return status == TSR_OK ? TSR_EXIT_OK : tsr_cli_report_error(report, err);
}

/* ---- which datasets ---- */

tsr_status bench_set_datasets(void *settings, const char *value, tsr_error *err)
{
    (void)err;
    ((bench_data_settings *)settings)->datasets = value;
    return TSR_OK;
}

tsr_status bench_set_quiet(void *settings, const char *value, tsr_error *err)
{
    (void)value, (void)err;
    ((bench_data_settings *)settings)->quiet = true;
    return TSR_OK;
}

tsr_status bench_set_progress(void *settings, const char *value, tsr_error *err)
{
    return tsr_cli_parse_progress(&((bench_data_settings *)settings)->progress, value, err);
}

tsr_status bench_load_datasets(tsr_datasets **out, const char *path, tsr_error *err)
{
    return tsr_datasets_load(out, path ? path : getenv("TSR_DATASETS"), err);
}
