/* tbench: measure the converter's steps on files. Every answer is checked before its time counts; candidates
 * take turns; each number can be kept as a JSON record. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench_ops.h"
#include "bench_relayout.h"
#include "bench_run.h"
#include "options.h"
#include "report.h"
#include "tsr_parallel.h"

/* A word of the command line: the op that is measured, and the limit that it is held against. */
typedef struct bench_command {
    const bench_op *op;
    const bench_op *limit;  /* the same bytes without our work; NULL: none */
    const char *out_suffix; /* of the file that is written; NULL: none */
} bench_command;

static const bench_command commands[] = {
    {&bench_op_read, &bench_op_read_limit, NULL},
    {&bench_op_pack, NULL, NULL},
    {&bench_op_unpack, NULL, NULL},
    {&bench_op_write, &bench_op_write_limit, ".h5"},
    {&bench_op_convert, NULL, ".h5"},
};
enum { NCOMMANDS = sizeof commands / sizeof *commands, MAX_THREAD_COUNTS = 8, MAX_CANDIDATES = 16 };

typedef struct bench_settings {
    uint64_t threads[MAX_THREAD_COUNTS];
    int nthreads; /* entries of threads */
    const char *format, *out, *json;
    int order, reps, deflate, time_limit_s;
} bench_settings;

/* ---- options ---- */

static tsr_status set_threads(void *s, const char *value, tsr_error *err)
{
    bench_settings *settings = s;
    return tsr_cli_parse_list(settings->threads, &settings->nthreads, value, MAX_THREAD_COUNTS,
                              TSR_MAX_THREADS, err);
}

static tsr_status set_format(void *s, const char *value, tsr_error *err)
{
    (void)err;
    ((bench_settings *)s)->format = value;
    return TSR_OK;
}

static tsr_status set_out(void *s, const char *value, tsr_error *err)
{
    (void)err;
    ((bench_settings *)s)->out = value;
    return TSR_OK;
}

static tsr_status set_json(void *s, const char *value, tsr_error *err)
{
    (void)err;
    ((bench_settings *)s)->json = value;
    return TSR_OK;
}

static tsr_status set_order(void *s, const char *value, tsr_error *err)
{
    static const char *const words[] = {"file", "shuffled", "sorted", NULL};
    return tsr_cli_parse_word(&((bench_settings *)s)->order, value, words, err);
}

static tsr_status set_reps(void *s, const char *value, tsr_error *err)
{
    return tsr_cli_parse_int(&((bench_settings *)s)->reps, value, 1, BENCH_MAX_REPS, err);
}

static tsr_status set_time_limit(void *s, const char *value, tsr_error *err)
{
    return tsr_cli_parse_int(&((bench_settings *)s)->time_limit_s, value, 1, 1000000, err);
}

static tsr_status set_deflate(void *s, const char *value, tsr_error *err)
{
    return tsr_cli_parse_int(&((bench_settings *)s)->deflate, value, 0, 9, err);
}

static const tsr_cli_option options[] = {
    {.help = "What is measured"},
    {"format", 'f', "FORMAT", "the storage format to pack into (default: the file's natural one)", set_format,
     NULL},
    {"order", 0, "ORDER", "the order in which entries reach the packer: file, shuffled or sorted", set_order,
     NULL},
    {"output", 'o', "FILE",
     "where write and convert write; its suffix chooses the file format (default: a "
     "temporary HDF5 file in the current folder). The file is removed at the end",
     set_out, NULL},
    {"deflate", 0, "LEVEL", "compress what is written: 1 to 9 (default 0: not)", set_deflate, NULL},
    {.help = "How"},
    {"threads", 'j', "N,...", "thread counts to compare (default: 1 and all)", set_threads, NULL},
    {"reps", 0, "N", "rounds that count (default 5)", set_reps, NULL},
    {"time-limit", 0, "SECONDS", "stop counting after this long per file", set_time_limit, NULL},
    {"json", 0, "FILE", "append one JSON record a line for every candidate, all samples kept", set_json,
     NULL},
    {"help", 'h', NULL, "print this help", NULL, tsr_cli_show_help},
    {"version", 'V', NULL, "print the version", NULL, tsr_cli_show_version},
    {0},
};

static const tsr_cli_tool tool = {
    .name = "tbench",
    .usage = "read|pack|unpack|write|convert FILE...\nrelayout [NAME]\nlist",
    .summary = "Measure the steps of the converter on files. Each answer is checked once before its time "
               "counts, candidates "
               "take turns, and the minimum and the median of the rounds are shown.",
    .notes = "Peak memory is what the first run added to the resident size, as a multiple of the coordinate\n"
             "form (one index per mode and one value, per entry).\n"
             "relayout moves dense tensors between pairs of layouts: all of a table, or those with NAME in\n"
             "their name.\n",
    .options = options,
    .max_operands = TSR_CLI_MAX_OPERANDS,
};

/* ---- one file ---- */

static const bench_command *find_command(const char *name)
{
    for (int i = 0; i < NCOMMANDS; i++)
        if (strcmp(commands[i].op->name, name) == 0)
            return &commands[i];
    return NULL;
}

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

static void print_row(const bench_candidate *c, const bench_job *job, uint64_t coo_nbytes, double first_min)
{
    char peak[32] = "-";
    if (c->peak_nbytes && coo_nbytes)
        snprintf(peak, sizeof peak, "%.2f", (double)c->peak_nbytes / (double)coo_nbytes);
    printf("  %-11s %7d %10.1f %10.1f %9.0f %9.1f %9s %8.2f\n", c->name, c->nthreads, c->ns.min / 1e6,
           c->ns.median / 1e6, job->nbytes ? (double)job->nbytes / c->ns.min * 1e3 : 0.0,
           job->nnz ? c->ns.min / (double)job->nnz : 0.0, peak, first_min / c->ns.min);
}

static tsr_status append_json(const bench_settings *s, const bench_command *command, const bench_candidate *c,
                              const bench_job *job, tsr_error *err)
{
    static const char *const order_words[] = {"file", "shuffled", "sorted"};
    json_t *samples = json_array();
    for (size_t i = 0; i < c->ns.n; i++)
        json_array_append_new(samples, json_real(c->samples_ns[i]));
    json_t *record = json_pack("{s:s,s:s,s:s,s:s?,s:s,s:i,s:i,s:I,s:I,s:I,s:f,s:f,s:f,s:f,s:o}", "benchmark",
                               command->op->name, "candidate", c->name, "file", job->path, "format",
                               s->format, "order", order_words[s->order], "deflate", s->deflate, "threads",
                               c->nthreads, "entries", (json_int_t)job->nnz, "bytes", (json_int_t)job->nbytes,
                               "peak_bytes", (json_int_t)c->peak_nbytes, "min_ns", c->ns.min, "median_ns",
                               c->ns.median, "q1_ns", c->ns.q1, "q3_ns", c->ns.q3, "samples_ns", samples);
    FILE *f = fopen(s->json, "a");
    int bad = !f || !record || json_dumpf(record, f, JSON_COMPACT) || fputc('\n', f) == EOF;
    json_decref(record);
    if (f)
        bad |= fclose(f);
    return bad ? tsr_fail_at(err, TSR_IO, s->json, 0, 0, "cannot append the record") : TSR_OK;
}

static tsr_status measure(const bench_settings *s, const bench_command *command, const char *path,
                          const char *out, bench_job *jobs, bench_candidate *candidates, tsr_error *err)
{
    tsr_coo *source = NULL;
    tsr_status status = TSR_OK;
    uint64_t coo_nbytes = 0;
    int n = 0;
    if (command->op->needs_source) {
        TSR_TRY(bench_read_source(&source, path, 0, err));
        TSR_TRY(bench_reorder(&source, (bench_order)s->order, err));
    }
    const bench_job job = {
        .path = path, .format = s->format, .out = out, .deflate = s->deflate, .source = source};
    for (int t = 0; t < s->nthreads && !status; t++, n++) {
        jobs[n] = job;
        jobs[n].nthreads = (int)s->threads[t];
        status = setup_candidate(&candidates[n], &jobs[n], command->op, err);
    }
    if (command->limit && !status) {
        jobs[n] = job;
        jobs[n].nthreads = 1;
        status = setup_candidate(&candidates[n], &jobs[n], command->limit, err);
        n++;
    }
    const bench_run_options run = {.reps = s->reps, .time_limit_s = s->time_limit_s};
    if (!status)
        status = bench_run(candidates, n, &run, err);
    if (!status) {
        const tsr_coo *coo = source ? source : jobs[0].coo;
        if (coo)
            coo_nbytes = tsr_coo_nbytes_for(coo->order, coo->dims, coo->type, coo->nnz);
        else if (jobs[0].tensor)
            coo_nbytes = tsr_coo_nbytes_for(jobs[0].tensor->order, jobs[0].tensor->dims, jobs[0].tensor->type,
                                            jobs[0].nnz);
        printf("%s %s%s%s, %" PRIu64 " entries\n", command->op->name, path, s->format ? " as " : "",
               s->format ? s->format : "", jobs[0].nnz);
        printf("  %-11s %7s %10s %10s %9s %9s %9s %8s\n", "candidate", "threads", "min ms", "median ms",
               "MB/s", "ns/entry", "peak/coo", "speed-up");
    }
    for (int i = 0; i < n && !status; i++) {
        if (!jobs[i].nnz)
            jobs[i].nnz = jobs[0].nnz;
        print_row(&candidates[i], &jobs[i], coo_nbytes, candidates[0].ns.min);
        if (s->json)
            status = append_json(s, command, &candidates[i], &jobs[i], err);
    }
    for (int i = 0; i < n; i++)
        bench_job_clear(&jobs[i]);
    tsr_coo_free(source);
    return status;
}

static tsr_status measure_file(const bench_settings *s, const bench_command *command, const char *path,
                               tsr_error *err)
{
    char temporary[64];
    const char *out = s->out;
    if (!out && command->out_suffix) {
        snprintf(temporary, sizeof temporary, "tbench-%ld%s", (long)getpid(), command->out_suffix);
        out = temporary;
    }
    bench_job *jobs = calloc(MAX_CANDIDATES, sizeof *jobs);
    bench_candidate *candidates = calloc(MAX_CANDIDATES, sizeof *candidates);
    const tsr_status status = jobs && candidates ? measure(s, command, path, out, jobs, candidates, err)
                                                 : tsr_fail(err, TSR_NOMEM, "out of memory");
    free(jobs);
    free(candidates);
    return status;
}

static int list(void)
{
    for (int i = 0; i < NCOMMANDS; i++)
        printf("%-8s  %s\n", commands[i].op->name, commands[i].op->summary);
    printf("%-8s  %s\n", "relayout", "dense tensors from one layout to another, in memory");
    return TSR_EXIT_OK;
}

static void default_threads(bench_settings *s)
{
    const int all = tsr_thread_count(0);
    if (s->nthreads)
        return;
    s->threads[s->nthreads++] = 1;
    if (all > 1)
        s->threads[s->nthreads++] = (uint64_t)all;
}

static int relayout(bench_settings *s, const tsr_cli_operands *operands)
{
    const bench_run_options run = {.reps = s->reps, .time_limit_s = s->time_limit_s};
    tsr_cli_report report;
    tsr_error err = {0};
    tsr_cli_report_init(&report, tool.name, false);
    default_threads(s);
    if (bench_relayout(operands->n > 1 ? operands->text[1] : NULL, s->threads, s->nthreads, &run, &err) !=
        TSR_OK)
        return tsr_cli_report_error(&report, &err);
    return TSR_EXIT_OK;
}

int main(int argc, char **argv)
{
    bench_settings settings = {.reps = 5};
    tsr_cli_operands operands;
    const int done = tsr_cli_parse(&operands, &tool, &settings, argc, argv);
    if (done >= 0)
        return done;
    if (operands.n == 1 && strcmp(operands.text[0], "list") == 0)
        return list();
    if (operands.n >= 1 && strcmp(operands.text[0], "relayout") == 0)
        return relayout(&settings, &operands);
    if (operands.n < 2)
        return tsr_cli_usage_error(&tool, "what to measure, and on which file?");
    const bench_command *command = find_command(operands.text[0]);
    if (!command)
        return tsr_cli_usage_error(&tool, "'%s' is nothing that can be measured; tbench list tells what is",
                                   operands.text[0]);
    default_threads(&settings);
    tsr_cli_report report;
    tsr_cli_report_init(&report, tool.name, false);
    for (int i = 1; i < operands.n; i++) {
        tsr_error err = {0};
        if (measure_file(&settings, command, operands.text[i], &err) != TSR_OK)
            return tsr_cli_report_error(&report, &err);
    }
    return TSR_EXIT_OK;
}
