/* tbench read, pack, unpack, write, convert, rows, build: measures the steps of the converter on files. Every answer is
 * checked before its time counts; candidates take turns. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench_commands.h"
#include "bench_ops.h"
#include "bench_pairs.h"
#include "bench_options.h"
#include "bench_record.h"
#include "bench_suite.h"
#include "codec_rows.h"
#include "tsr_alloc.h"
#include "tsr_shown.h"

/* The op to measure, and the op that shows the limit for it. */
typedef struct ops_command {
    const bench_op *op;
    const bench_op *
        limit; /* on one thread, beside it: the same bytes without Tessera's work, or what would be done without the op; NULL: none */
    const char *out_suffix; /* suffix of the file to write; NULL: none */
} ops_command;

static const ops_command commands[] = {
    {&bench_op_read, &bench_op_read_limit, NULL},
    {&bench_op_pack, NULL, NULL},
    {&bench_op_unpack, NULL, NULL},
    {&bench_op_write, &bench_op_write_limit, ".h5"},
    {&bench_op_convert, NULL, ".h5"},
    {&bench_op_rows, &bench_op_read, NULL},
    {&bench_op_build, &bench_op_pack, NULL},
};
enum { NCOMMANDS = sizeof commands / sizeof *commands, MAX_CANDIDATES = BENCH_MAX_THREAD_COUNTS + 1 };

typedef struct ops_settings {
    bench_settings how; /* first: see bench_options.h */
    const char *format, *out, *pairs;
    bench_chosen baselines;
    int order;
    tsr_read_options read;
    tsr_write_options write;
    tsr_codec_given given; /* options of codecs */
} ops_settings;

/* ---- options ---- */

TSR_CLI_SET_TEXT(ops_settings, format, format)
TSR_CLI_SET_TEXT(ops_settings, out, out)

static tsr_status set_pairs(void *s, const char *value, tsr_error *err)
{
    ((ops_settings *)s)->pairs = value;
    return bench_pairs_check(value, err);
}

TSR_CLI_SET_BY(ops_settings, baseline, baselines, bench_chosen_parse)

static tsr_status set_order(void *s, const char *value, tsr_error *err)
{
    static const char *const words[] = {"file", "shuffled", "sorted", NULL};
    return tsr_cli_parse_word(&((ops_settings *)s)->order, value, words, err);
}

TSR_CLI_SET_INT(ops_settings, deflate, write.deflate, 0, 9)

static tsr_status set_codec_option(void *to, const char *name, const char *value, tsr_error *err)
{
    ops_settings *const s = to;
    return tsr_codec_give(&s->given, &(tsr_codec_settings){&s->read, &s->write}, name, value, err);
}

static const tsr_cli_option options[] = {
    {.help = "What is measured"},
    TSR_CLI_ROW_FORMAT("FORMAT", "the storage format to pack into (default: the natural format of the file)",
                       set_format),
    {"order", 0, "ORDER", "the order in which entries reach the packer: file, shuffled or sorted", set_order,
     NULL},
    TSR_CLI_ROW_OUTPUT("FILE",
                       "where write and convert write; the suffix chooses the file format (default: a "
                       "temporary HDF5 file in the current folder). The file is removed at the end",
                       set_out),
    {"pairs", 0, "FROM:TO,...",
     "convert: measure packed tensors from one storage format to another, in memory, with the source kept "
     "(beside the libraries that have the same conversion) and consumed. FILE may be a dataset here, as for "
     "kernels; without any: a suite",
     set_pairs, NULL},
    {"baseline", 0, "NAME",
     "with --pairs: also measure this baseline; NAME=PATH gives the path of its program", set_baseline, NULL},
    {"deflate", 0, "LEVEL", "compress the output: 1 to 9 (default 0: no compression)", set_deflate, NULL},
    TSR_CLI_CODEC_HEADING,
    BENCH_OPTIONS_HOW,
    {0},
};

static const tsr_cli_tool tool = {
    .name = "tbench",
    .usage = "read|pack|unpack|write|convert|rows|build FILE... [OPTION]...",
    .summary = "Measure the steps of the converter on files. Each answer is checked once before its time "
               "counts, candidates take turns, and the minimum and the median of the rounds are printed.",
    .notes = "Peak memory is what the first run added to the resident size, as a multiple of the "
             "coordinate\nform (one index per mode and one value, per entry). ~ marks a row whose least time "
             "was not\nreproduced within a tenth.\n",
    .options = options,
    .set_more = set_codec_option,
    .max_operands = TSR_CLI_MAX_OPERANDS,
};

/* The state that is shared by the files of a command. */
typedef struct ops_run {
    const ops_settings *settings;
    const ops_command *command;
    tsr_cli_report *report;
    bench_record *record; /* NULL: no record */
} ops_run;

/* ---- one file ---- */

static tsr_status setup_candidate(bench_candidate *c, bench_job *job, const bench_op *op, tsr_error *err)
{
    *c = (bench_candidate){.name = op->name,
                           .nthreads = job->nthreads,
                           .ctx = job,
                           .prepare = op->prepare,
                           .run = op->run,
                           .check = op->check};
    return op->setup ? op->setup(job, err) : TSR_OK;
}

static void print_row(const bench_candidate *c, const bench_job *job, uint64_t coo_nbytes)
{
    char peak[32] = "-";
    if (c->peak_nbytes && coo_nbytes)
        snprintf(peak, sizeof peak, "%.2f", (double)c->peak_nbytes / (double)coo_nbytes);
    printf("  %-11s %7d %10.1f %10.1f %9.0f %9.1f %9s %8.2f%s\n", c->name, c->nthreads, c->ns.min / 1e6,
           c->ns.median / 1e6, job->nbytes ? (double)job->nbytes / c->ns.min * 1e3 : 0.0,
           job->nnz ? c->ns.min / (double)job->nnz : 0.0, peak, c->speedup.ratio, c->noisy ? " ~" : "");
}

static tsr_status keep_row(const ops_run *run, const bench_candidate *c, const bench_job *job,
                           const tsr_coo *coo, tsr_error *err)
{
    static const char *const order_words[] = {NULL, "shuffled", "sorted"};
    const char *const slash = strrchr(job->path, '/');
    bench_row row = {
        .kernel = run->command->op->name,
        .dataset = {.name = slash ? slash + 1 : job->path, .nnz = job->nnz},
        .format = run->settings->format,
        .schedule = order_words[run->settings->order],
        .moved_nbytes = (double)job->nbytes,
        .reference = run->command->op->name,
        .cold = run->settings->how.cold,
    };
    if (coo) {
        row.type = tsr_type_name(coo->type);
        row.dataset.order = coo->order;
        memcpy(row.dataset.dims, coo->dims, (size_t)coo->order * sizeof *coo->dims);
    }
    return bench_record_add_candidate(run->record, &row, c, err);
}

/* The bytes of the entries in coordinate form. */
static uint64_t coo_nbytes_of(const bench_job *job, const tsr_coo *coo)
{
    const tsr_tensor *const t = job->tensor;
    if (coo)
        return tsr_coo_nbytes_for((tsr_shape){coo->order, coo->dims}, coo->type, coo->nnz);
    return t ? tsr_coo_nbytes_for((tsr_shape){t->order, t->dims}, t->type, job->nnz) : 0;
}

static tsr_status print_and_keep(const ops_run *run, const bench_candidate *candidates, bench_job *jobs,
                                 int n, tsr_error *err)
{
    const char *const format = run->settings->format;
    const tsr_coo *const coo = jobs[0].source ? jobs[0].source : jobs[0].coo;
    const uint64_t coo_nbytes = coo_nbytes_of(&jobs[0], coo);
    char path[TSR_SHOWN_NBYTES];
    printf("%s %s%s%s, %" PRIu64 " entries\n", run->command->op->name, tsr_show(path, jobs[0].path),
           format ? " as " : "", format ? format : "", jobs[0].nnz);
    printf("  %-11s %7s %10s %10s %9s %9s %9s %8s\n", "candidate", "threads", "min ms", "median ms", "MB/s",
           "ns/entry", "peak/coo", "speed-up");
    for (int i = 0; i < n; i++) {
        if (!jobs[i].nnz)
            jobs[i].nnz = jobs[0].nnz;
        print_row(&candidates[i], &jobs[i], coo_nbytes);
        if (run->record)
            TSR_TRY(keep_row(run, &candidates[i], &jobs[i], coo, err));
    }
    return TSR_OK;
}

static tsr_status measure(const ops_run *run, bench_job job, bench_job *jobs, bench_candidate *candidates,
                          tsr_error *err)
{
    const ops_command *const command = run->command;
    const bench_settings *const how = &run->settings->how;
    const bool has_limit =
        command->limit && (command->limit != &bench_op_read_limit || bench_is_plain_file(job.path));
    bench_run_options rounds = bench_settings_run(how);
    bench_noise noise;
    tsr_coo *source = NULL;
    tsr_status status = TSR_OK;
    int n = 0;
    if (command->op->needs_source) {
        TSR_TRY(bench_read_source(&source, job.path, job.read, err));
        status = bench_reorder(&source, (bench_order)run->settings->order, err);
    }
    job.source = source;
    for (int t = 0; t < how->nthreads + has_limit && status == TSR_OK; t++, n++) {
        const bool is_limit = t == how->nthreads;
        jobs[n] = job;
        jobs[n].nthreads = is_limit ? 1 : (int)how->threads[t];
        status = setup_candidate(&candidates[n], &jobs[n], is_limit ? command->limit : command->op, err);
    }
    rounds.once = true; /* files are large: run the reference only once per round */
    if (status == TSR_OK)
        status = bench_run(&noise, candidates, n, &rounds, err);
    if (status == TSR_OK && run->record)
        bench_record_noise(run->record, &noise);
    if (status == TSR_OK || (status == TSR_CANCELLED && candidates[0].ns.n)) {
        const tsr_status kept = print_and_keep(run, candidates, jobs, n, status == TSR_OK ? err : NULL);
        status = status == TSR_OK ? kept : status;
    }
    for (int i = 0; i < n; i++)
        bench_job_clear(&jobs[i]);
    tsr_coo_free(source);
    return status;
}

/* Refuse options that neither the file format of the input nor that of the output has. */
static tsr_status check_options(const ops_settings *s, const bench_job *job, tsr_error *err)
{
    const tsr_codec *in = NULL, *out = NULL;
    if (s->given.n == 0)
        return TSR_OK;
    TSR_TRY(tsr_codec_by_content(&in, job->path, err));
    if (job->out)
        TSR_TRY(tsr_codec_by_suffix(&out, job->out, err));
    return tsr_codec_check_given(&s->given, in, out ? out : in, "--", err);
}

static tsr_status measure_file(const ops_run *run, const char *path, tsr_error *err)
{
    char temporary[64];
    bench_job job = {.path = path,
                     .format = run->settings->format,
                     .out = run->settings->out,
                     .read = &run->settings->read,
                     .write = &run->settings->write};
    if (!job.out && run->command->out_suffix) {
        snprintf(temporary, sizeof temporary, "tbench-%ld%s", (long)getpid(), run->command->out_suffix);
        job.out = temporary;
    }
    TSR_TRY(check_options(run->settings, &job, err));
    bench_job *jobs = tsr_calloc(MAX_CANDIDATES, sizeof *jobs);
    bench_candidate *candidates = tsr_calloc(MAX_CANDIDATES, sizeof *candidates);
    const tsr_status status = jobs && candidates ? measure(run, job, jobs, candidates, err)
                                                 : tsr_fail(err, TSR_NOMEM, "out of memory");
    tsr_free(jobs);
    tsr_free(candidates);
    return status;
}

/* Measure the pairs on the named tensors, or on the suite. */
static tsr_status measure_pairs(const bench_pairs *pairs, const tsr_cli_operands *operands, tsr_error *err)
{
    char line[BENCH_SUITE_LINE_NBYTES];
    tsr_datasets *datasets;
    TSR_TRY(bench_load_datasets(&datasets, NULL, err));
    tsr_status status = TSR_OK;
    for (int i = 0; i < operands->n && status == TSR_OK; i++)
        status = bench_pairs_measure(pairs, datasets, operands->text[i], err);
    for (int i = 0; operands->n == 0 && status == TSR_OK && bench_suite_at(line, "convert", i); i++)
        status = bench_pairs_measure(pairs, datasets, line, err);
    tsr_datasets_free(datasets);
    return status;
}

int bench_cmd_ops(int argc, char **argv)
{
    ops_settings settings = {.how = {.reps = 5}};
    tsr_cli_operands operands;
    tsr_cli_report report;
    bench_record record = {0};
    ops_run run = {.settings = &settings, .report = &report};
    tsr_error err = {0};
    for (int i = 0; i < NCOMMANDS; i++)
        if (strcmp(commands[i].op->name, argv[0]) == 0)
            run.command = &commands[i];
    const int done = tsr_cli_parse_with_codecs(&operands, &tool, true, &settings, argc, argv);
    if (done >= 0)
        return done;
    bench_settings_finish(&settings.how, &tool, &operands);
    if (settings.pairs && run.command->op != &bench_op_convert)
        return tsr_cli_usage_error(&tool, "--pairs is for tbench convert");
    if (settings.baselines.n > 0 && !settings.pairs)
        return tsr_cli_usage_error(&tool, "--baseline is for tbench convert with --pairs");
    if (operands.n < 1 && !settings.pairs)
        return tsr_cli_usage_error(&tool, "missing file: write tbench %s FILE", argv[0]);
    tsr_cli_report_init(&report, tool.name, settings.how.common.quiet);
    tsr_cli_report_progress(&report, &settings.how.common.progress);
    settings.how.report = &report;
    tsr_status status = TSR_OK;
    if (settings.how.common.json) {
        status = bench_start(&record, &settings.how, argc, argv, &err);
        run.record = &record;
    }
    const bench_pairs pairs = {.text = settings.pairs,
                               .baselines = &settings.baselines,
                               .how = &settings.how,
                               .report = &report,
                               .record = run.record};
    if (settings.pairs && status == TSR_OK)
        status = measure_pairs(&pairs, &operands, &err);
    for (int i = 0; i < operands.n && status == TSR_OK && !settings.pairs; i++)
        status = measure_file(&run, operands.text[i], &err);
    return bench_finish(&record, &settings.how, status, &err);
}
