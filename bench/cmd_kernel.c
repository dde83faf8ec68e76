/* tbench KERNEL and tbench EXPRESSION: which format suits which kernel on which tensor. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench_commands.h"
#include "bench_contest.h"
#include "bench_ranks.h"
#include "bench_suite.h"
#include "schedule_text.h"
#include "tsr_codec.h"
#include "tsr_pack.h"

enum { MAX_RANKS = 8 };

typedef struct kernel_settings {
    bench_settings how; /* first: see bench_options.h */
    const char *formats, *schedule;
    bool all_modes, deterministic, over_ranks;
    uint64_t modes[TSR_MAX_ORDER], ranks[MAX_RANKS];
    int nmodes, nranks;    /* nmodes 0: the default of the kernel */
    tsr_type type, stored; /* of the values; as which Tessera stores those of sparse operands */
    bench_chosen baselines;
} kernel_settings;

/* ---- options ---- */

TSR_CLI_SET_TEXT(kernel_settings, formats, formats)
TSR_CLI_SET_TEXT(kernel_settings, schedule, schedule)
TSR_CLI_SET_FLAG(kernel_settings, deterministic, deterministic)
TSR_CLI_SET_FLAG(kernel_settings, over_ranks, over_ranks)

static tsr_status set_modes(void *settings, const char *value, tsr_error *err)
{
    kernel_settings *const s = settings;
    s->all_modes = strcmp(value, "all") == 0;
    return s->all_modes
               ? TSR_OK
               : tsr_cli_parse_list(s->modes, &s->nmodes, value, TSR_MAX_ORDER, TSR_MAX_ORDER - 1, err);
}

static tsr_status set_rank(void *settings, const char *value, tsr_error *err)
{
    kernel_settings *const s = settings;
    TSR_TRY(tsr_cli_parse_list(s->ranks, &s->nranks, value, MAX_RANKS, 1 << 20, err));
    for (int i = 0; i < s->nranks; i++)
        if (s->ranks[i] == 0)
            return tsr_fail(err, TSR_ARGUMENT, "the rank must be at least 1");
    return TSR_OK;
}

static tsr_status set_type(void *s, const char *value, tsr_error *err)
{
    static const char *const words[] = {"f64", "f32", "f16", "bf16", NULL};
    int word;
    TSR_TRY(tsr_cli_parse_word(&word, value, words, err));
    static const tsr_type types[] = {TSR_F64, TSR_F32, TSR_F16, TSR_BF16};
    ((kernel_settings *)s)->stored = types[word];
    ((kernel_settings *)s)->type = word == 0 ? TSR_F64 : TSR_F32;
    return TSR_OK;
}

TSR_CLI_SET_INT(kernel_settings, passes, how.passes, 1, BENCH_MAX_PASSES)

static tsr_status set_memory(void *settings, const char *value, tsr_error *err)
{
    kernel_settings *const s = settings;
    TSR_TRY(tsr_cli_set_memory(&s->how.common, value, err));
    return bench_chosen_add(&s->baselines, &bench_in_file, value, err);
}

static tsr_status set_baselines(void *settings, const char *value, tsr_error *err)
{
    (void)value;
    for (int i = 0; bench_baselines[i]; i++)
        TSR_TRY(bench_chosen_add(&((kernel_settings *)settings)->baselines, bench_baselines[i], NULL, err));
    return TSR_OK;
}

TSR_CLI_SET_BY(kernel_settings, baseline, baselines, bench_chosen_parse)

static const tsr_cli_option options[] = {
    {.help = "What is measured"},
    TSR_CLI_ROW_FORMAT(
        "FORMAT,...",
        "the storage formats to compare, of which the first is the reference; all: every named format "
        "(default: coordinates, csr or csf, and the best of tinfo --advise). csf without modes gets the "
        "order that suits the mode",
        set_formats),
    {"modes", 'm', "M,...",
     "modes of mttkrp, ttv, ttm, from 0, or all (default: all for mttkrp, the last for the others)",
     set_modes, NULL},
    {"rank", 'r', "N,...", "sizes of the index variables that only dense operands have: r (default 16)",
     set_rank, NULL},
    {"ranks", 0, NULL,
     "under mpirun -n P: one product over P ranks (spmv, spmm, mttkrp, ttv of a matrix and their like), with "
     "the bytes "
     "that the ranks send",
     set_over_ranks, NULL},
    {"type", 't', "TYPE",
     "value type of all tensors: f64 (default) or f32; f16 or bf16: of the sparse operands, all others are "
     "f32",
     set_type, NULL},
    TSR_CLI_ROW_SCHEDULE(set_schedule),
    TSR_CLI_ROW_DETERMINISTIC(set_deterministic),
    {"baselines", 0, NULL, "also measure every baseline of tbench list that takes the kernel", set_baselines,
     NULL},
    {"passes", 0, "N",
     "run everything N times, each time with newly packed tensors, and join the samples, so that they cover "
     "slow changes of the machine (default 1)",
     set_passes, NULL},
    {"baseline", 0, "NAME", "also measure this baseline; NAME=PATH gives the path of its program",
     set_baseline, NULL},
    {"memory", 0, "SIZE",
     "also measure the tensor in its file, which each run reads block by block, as tkern --memory=SIZE does "
     "(4G, 500M; at least 64M): row `file`",
     set_memory, NULL},
    BENCH_OPTIONS_HOW,
    {0},
};

static const tsr_cli_tool tool = {
    .name = "tbench",
    .usage = "KERNEL [FILE|DATASET]... [OPTION]...\nEXPRESSION FILE|DATASET... [OPTION]...",
    .summary = "Find out which storage format suits this kernel on this tensor on this machine. Packs the "
               "tensor into each format, checks each answer against one computed from the entries, and "
               "measures the formats in turns. A dataset is a name, name@scale or generator as for tbench "
               "gen. Without any: the suite of the kernel.",
    .notes =
        "speed-up: the median of the reference over that of the row, and its 95% interval. If the "
        "interval\ncontains 1 the two are tied; unsteady: the interval spans more than a factor of 2. "
        "pays: for how\nmany runs the format certainly costs less than the reference, packing and running "
        "together; tied:\npacking is dearer, and runs are not measurably faster. GB/s counts each array "
        "once. roof: the share\nof the time that memory and processor need at least; >100%: the data come "
        "from the caches, not\nfrom memory. ~ marks a row whose fastest run was not repeated within 10%. "
        "The sparse operand of\nan expression is the first with the most modes; the others are dense, "
        "generated from a seed.\nAn expression may be several statements, and have all that tkern takes "
        "but += and its like: the\nanswer of what is no sum of products is the interpreter's, by plain "
        "loops over lists, on one thread.\n",
    .options = options,
    .max_operands = TSR_CLI_MAX_OPERANDS,
};

/* ---- one tensor ---- */

static tsr_status read_entries(tsr_coo **out, const kernel_settings *s, bench_contest *contest,
                               const char *path, tsr_error *err)
{
    const tsr_read_options how = {.has_type = true, .type = s->stored};
    tsr_data data = {0};
    *out = NULL;
    bench_settings_show(contest->report, "reading %s", path);
    TSR_TRY(tsr_read(&data, path, NULL, &how, err));
    tsr_status status = TSR_OK;
    if (data.tensor)
        status = tsr_unpack(&data.coo, data.tensor, 0, err);
    if (status == TSR_OK)
        status = tsr_coo_expand(data.coo, err);
    if (status == TSR_OK) /* baselines compute with the rounded values, too */
        status = tsr_coo_retype(data.coo, s->type, err);
    if (status == TSR_OK && data.coo->has_fill)
        status = tsr_fail_at(err, TSR_UNSUPPORTED, path, 0, 0,
                             "the kernels of tbench need absent entries to be 0");
    if (status == TSR_OK && data.coo->nnz == 0)
        status = tsr_fail_at(err, TSR_UNSUPPORTED, path, 0, 0,
                             "the file has no entries, so there is nothing to measure");
    if (status == TSR_OK) {
        *out = data.coo;
        data.coo = NULL;
    }
    tsr_data_clear(&data);
    return status;
}

/* Measure all ranks of one mode. */
static tsr_status measure_mode(const kernel_settings *s, bench_contest *contest, const bench_kernel *kernel,
                               const tsr_coo *coo, int mode, tsr_error *err)
{
    bench_packs *packs = NULL;
    tsr_status status = TSR_OK;
    for (int r = 0; r < s->nranks && status == TSR_OK; r++) {
        bench_case c;
        bench_settings_show(contest->report, "computing the right answer");
        status = bench_case_init(&c, kernel, coo, mode, (int)s->ranks[r], err);
        if (status != TSR_OK)
            break;
        if (!packs)
            status = bench_packs_init(&packs, contest, &c, err);
        if (status == TSR_OK)
            status = bench_contest_case(contest, &c, packs, err);
        const bool has_rank = c.rank > 0;
        bench_case_clear(&c);
        if (!has_rank)
            break;
    }
    bench_packs_free(packs);
    return status;
}

static tsr_status measure_modes(const kernel_settings *s, bench_contest *contest, const bench_kernel *kernel,
                                const tsr_coo *coo, tsr_error *err)
{
    if (!bench_kernel_has_modes(kernel))
        return measure_mode(s, contest, kernel, coo, -1, err);
    const bool all = s->all_modes || (s->nmodes == 0 && bench_kernel_takes_all_modes(kernel));
    for (int m = 0; m < coo->order; m++) {
        bool wanted = all || (s->nmodes == 0 && m == coo->order - 1);
        for (int i = 0; i < s->nmodes && !all; i++)
            wanted |= s->modes[i] == (uint64_t)m;
        if (wanted)
            TSR_TRY(measure_mode(s, contest, kernel, coo, m, err));
    }
    for (int i = 0; i < s->nmodes; i++)
        if (s->modes[i] >= (uint64_t)coo->order)
            return tsr_fail(err, TSR_ARGUMENT, "--modes: %s has %d modes, so there is no mode %" PRIu64,
                            contest->dataset.name, coo->order, s->modes[i]);
    return TSR_OK;
}

static tsr_status measure_tensor(const kernel_settings *s, bench_contest *contest, const bench_kernel *kernel,
                                 const tsr_datasets *datasets, const char *text, tsr_error *err)
{
    bench_tensor tensor;
    tsr_coo *coo = NULL;
    tsr_status status = bench_tensor_find(&tensor, text, datasets, contest->report, err);
    if (status == TSR_OK)
        status = read_entries(&coo, s, contest, tensor.path, err);
    if (status == TSR_OK) {
        bench_tensor_size(&tensor, coo);
        contest->dataset = tensor.dataset;
        contest->path = tensor.path;
        status = measure_modes(s, contest, kernel, coo, err);
    }
    tsr_coo_free(coo);
    bench_tensor_clear(&tensor);
    return status;
}

/* Measure the named tensors, or the suite of the kernel. */
static tsr_status measure_all(const kernel_settings *s, bench_contest *contest, const bench_kernel *kernel,
                              const tsr_cli_operands *operands, tsr_error *err)
{
    char line[BENCH_SUITE_LINE_NBYTES];
    tsr_datasets *datasets;
    TSR_TRY(bench_load_datasets(&datasets, NULL, err));
    tsr_status status = TSR_OK;
    for (int i = 0; i < operands->n && status == TSR_OK; i++)
        status = measure_tensor(s, contest, kernel, datasets, operands->text[i], err);
    for (int i = 0; operands->n == 0 && status == TSR_OK && bench_suite_at(line, kernel->name, i); i++)
        status = measure_tensor(s, contest, kernel, datasets, line, err);
    tsr_datasets_free(datasets);
    return status;
}

/* --ranks: what it cannot be combined with, and the run. Returns the exit code. */
static int run_over_ranks(const kernel_settings *s, const bench_kernel *kernel,
                          const tsr_cli_operands *operands)
{
    const struct {
        bool given;
        const char *option;
    } refused[] = {{s->type != TSR_F64, "type=f32"},
                   {s->baselines.n > 0, "baseline"},
                   {s->how.passes > 1, "passes"},
                   {s->how.cold, "cold"}};
    tsr_text schedule = {0};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (refused[i].given)
            return tsr_cli_usage_error(&tool, "--ranks and --%s cannot be combined", refused[i].option);
    if (operands->n < 1)
        return tsr_cli_usage_error(&tool, "missing tensor: name a file or a dataset for --ranks");
    const bench_ranks_settings settings = {
        .how = &s->how,
        .kernel = kernel,
        .formats = s->formats,
        .schedule = tsr_cli_schedule(&schedule, kernel->schedule, s->deterministic),
        .modes = s->modes,
        .columns = s->ranks,
        .nmodes = s->nmodes,
        .ncolumns = s->nranks,
        .tool = &tool};
    const int code = bench_over_ranks(&settings, operands);
    tsr_text_clear(&schedule);
    return code;
}

int bench_cmd_kernel(int argc, char **argv)
{
    kernel_settings settings = {
        .how = {.reps = 5, .time_limit_s = 5, .passes = 1}, .type = TSR_F64, .stored = TSR_F64};
    tsr_cli_operands operands;
    tsr_cli_report report;
    bench_record record = {0};
    bench_kernel kernel;
    char line[BENCH_SUITE_LINE_NBYTES];
    tsr_error err = {0};
    const int done = tsr_cli_parse(&operands, &tool, &settings, argc, argv);
    if (done >= 0)
        return done;
    bench_settings_finish(&settings.how, &tool, &operands);
    if (!bench_kernel_find(&kernel, argv[0]))
        return tsr_cli_usage_error(&tool, "unknown kernel '%s': tbench list names the kernels", argv[0]);
    if (operands.n < 1 && !bench_suite_at(line, kernel.name, 0))
        return tsr_cli_usage_error(
            &tool, "missing tensor: %s has no suite of tensors, so name a file, a dataset or a generator",
            argv[0]);
    const int reps = settings.how.decide_s && settings.how.reps < BENCH_DECIDE_REPS ? BENCH_DECIDE_REPS
                                                                                    : settings.how.reps;
    if (settings.how.passes * reps > BENCH_MAX_SAMPLES)
        return tsr_cli_usage_error(&tool, "%d passes of %d rounds are more than %d samples",
                                   settings.how.passes, reps, BENCH_MAX_SAMPLES);
    if (settings.schedule)
        kernel.schedule = settings.schedule;
    if (settings.nranks == 0)
        settings.ranks[settings.nranks++] = 16;
    if (settings.over_ranks)
        return run_over_ranks(&settings, &kernel, &operands);
    tsr_cli_report_init(&report, tool.name, settings.how.common.quiet);
    tsr_cli_report_progress(&report, &settings.how.common.progress);
    settings.how.report = &report;
    bench_contest contest = {.how = &settings.how,
                             .report = &report,
                             .record = &record,
                             .formats = settings.formats,
                             .stored = settings.stored,
                             .baselines = &settings.baselines};
    tsr_text schedule = {0};
    contest.schedule = tsr_cli_schedule(&schedule, kernel.schedule, settings.deterministic);
    tsr_status status = tsr_text_status(&schedule, &err);
    if (status == TSR_OK)
        status = bench_start(&record, &settings.how, argc, argv, &err);
    for (int pass = 1; pass <= settings.how.passes && status == TSR_OK; pass++) {
        settings.how.pass = pass;
        bench_contest_pass(&contest, pass == settings.how.passes);
        status = measure_all(&settings, &contest, &kernel, &operands, &err);
    }
    tsr_cli_report_wipe(&report);
    bench_contest_clear(&contest);
    tsr_text_clear(&schedule);
    const int code = bench_finish(&record, &settings.how, status, &err);
    return code == TSR_EXIT_OK && (contest.wrong || contest.nothing || contest.refused) ? TSR_EXIT_INPUT
                                                                                        : code;
}
