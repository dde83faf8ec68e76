/* Options that commands of tbench share: see bench_options.h. */
#include "bench_options.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench_clock.h"
#include "tsr_codec.h"
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

tsr_status bench_set_decide(void *settings, const char *value, tsr_error *err)
{
    return tsr_cli_parse_int(&((bench_settings *)settings)->decide_s, value, 1, 1000000, err);
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

/* "--json FILE", when the argument was not optional: FILE came as an operand. */
static void take_json_path(bench_settings *settings, const tsr_cli_tool *tool, tsr_cli_operands *operands)
{
    for (int i = 0; i < operands->n; i++) {
        const char *const text = operands->text[i];
        const size_t n = strlen(text);
        if (n < 5 || strcmp(text + n - 5, ".json") != 0)
            continue;
        settings->common.json_path = text;
        operands->n--;
        memmove(&operands->text[i], &operands->text[i + 1],
                (size_t)(operands->n - i) * sizeof operands->text[0]);
        tsr_cli_note_renamed(tool, settings, "--json FILE", "--json=FILE");
        return;
    }
}

void bench_settings_finish(bench_settings *settings, const tsr_cli_tool *tool, tsr_cli_operands *operands)
{
    const int all = tsr_thread_count(0);
    if (settings->common.json && !settings->common.json_path)
        take_json_path(settings, tool, operands);
    if (settings->common.json && !settings->common.json_path)
        settings->common.json_path = "-";
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
    const bool lines = report && !report->terminal && report->asked;
    if (!report || report->quiet || (!report->terminal && !lines) || now < report->next_draw)
        return;
    char text[256];
    va_start(args, format);
    tsr_show_format(text, sizeof text, format, args);
    va_end(args);
    fprintf(stderr, lines ? "tbench: %s\n" : "\r%s\033[K", text);
    fflush(stderr);
    report->drawn = !lines;
    report->next_draw = now + (lines ? report->line_seconds : 0.2);
}

/* Show "pass 2 of 3, csf, round 3 of 5", a few times per second. */
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
        .decide_until_ns = settings->decide_until_ns,
        .cold = settings->cold,
        .quick = settings->quick,
        .progress = on_sample,
        .ctx = (void *)settings,
    };
}

/* What is printed goes to standard error. */
static tsr_status keep_stdout(bench_settings *settings, tsr_error *err)
{
    fflush(stdout);
    settings->stdout_fd = fcntl(STDOUT_FILENO, F_DUPFD, STDERR_FILENO + 1);
    if (settings->stdout_fd < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return tsr_fail_errno(err, errno, NULL, "standard output");
    return TSR_OK;
}

static void restore_stdout(bench_settings *settings)
{
    if (settings->stdout_fd <= 0)
        return;
    fflush(stdout);
    dup2(settings->stdout_fd, STDOUT_FILENO);
    close(settings->stdout_fd);
    settings->stdout_fd = 0;
}

tsr_status bench_start(bench_record *record, bench_settings *settings, int argc, char *const *argv,
                       tsr_error *err)
{
    tsr_cli_limit_memory(&settings->common);
    if (settings->decide_s)
        settings->decide_until_ns = bench_now_ns() + (uint64_t)settings->decide_s * 1000000000;
    TSR_TRY(bench_record_init(record, settings->common.json_path, argc, argv, err));
    if (settings->common.json_path && strcmp(settings->common.json_path, "-") == 0)
        TSR_TRY(keep_stdout(settings, err));
    if (!settings->quick)
        bench_record_want_roofs(record, settings->threads, settings->nthreads);
    return TSR_OK;
}

void bench_warn_busy(bench_settings *settings, const bench_record *record)
{
    uint32_t n = 0, ndisturbed = 0;
    char load[64] = "";
    for (uint32_t i = 0; i < record->nrows; i++)
        for (uint32_t k = 0; k < record->rows[i].nsamples && bench_row_is_tessera(&record->rows[i]); k++) {
            ndisturbed += record->rows[i].disturbed && record->rows[i].disturbed[k];
            n++;
        }
    if (settings->quick || settings->warned || 10 * (uint64_t)ndisturbed <= n)
        return;
    settings->warned = true;
    if (bench_load() >= 0)
        snprintf(load, sizeof load, " (load %.1f on %d processors)", bench_load(), record->machine.ncpus);
    tsr_cli_report_line(
        settings->report,
        "tbench: warning: the machine is busy: other processes disturbed %.0f%% of the samples%s; "
        "intervals are narrower when it is quiet",
        100.0 * ndisturbed / n, load);
}

int bench_finish(bench_record *record, bench_settings *settings, tsr_status status, const tsr_error *err)
{
    tsr_cli_report *const report = settings->report;
    tsr_error write_err = {0};
    restore_stdout(settings);
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

bool bench_has_suffix(const char *text)
{
    const tsr_codec *codec;
    return !strchr(text, ':') && !strchr(text, '@') && tsr_codec_by_suffix(&codec, text, NULL) == TSR_OK;
}

tsr_status bench_tensor_find(bench_tensor *out, const char *text, const tsr_datasets *datasets,
                             tsr_cli_report *report, tsr_error *err)
{
    enum { SEED = 1, MAX_GENERATED = 200000000 };
    const tsr_resolve_options how = {.seed = SEED, .max_nnz = MAX_GENERATED, .observer = &report->observer};
    const char *const slash = strrchr(text, '/');
    *out = (bench_tensor){.path = text, .dataset = {.name = slash ? slash + 1 : text}};
    if (access(text, F_OK) == 0)
        return TSR_OK;
    if (slash || bench_has_suffix(text))
        return tsr_fail_at(err, TSR_IO, text, 0, 0, "the file does not exist");
    TSR_TRY(tsr_dataset_resolve(&out->found, datasets, text, &how, err));
    out->path = tsr_text_cstr(&out->found.path);
    out->dataset.name = tsr_text_cstr(&out->found.name);
    out->dataset.stand_in = out->found.kind == TSR_DATASET_STANDIN;
    out->dataset.seed = out->found.kind == TSR_DATASET_REAL ? 0 : SEED;
    return TSR_OK;
}

void bench_tensor_size(bench_tensor *tensor, const tsr_coo *coo)
{
    bench_dataset *const d = &tensor->dataset;
    d->order = coo->order;
    d->nnz = coo->nnz;
    memcpy(d->dims, coo->dims, (size_t)coo->order * sizeof *coo->dims);
}

void bench_tensor_clear(bench_tensor *tensor)
{
    tsr_resolved_clear(&tensor->found);
}

tsr_status bench_load_datasets(tsr_datasets **out, const char *path, tsr_error *err)
{
    return tsr_datasets_load(out, path ? path : getenv("TSR_DATASETS"), err);
}
