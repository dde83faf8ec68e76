/* tbench gen: generates sparse tensors from a seed: stand-ins for datasets, siblings of files, patterns. */
#include <inttypes.h>
#include <string.h>

#include "bench_commands.h"
#include "bench_options.h"
#include "tsr_files.h"
#include "tsr_dataset.h"
#include "tsr_num.h"
#include "tsr_parallel.h"

typedef struct gen_settings {
    bench_data_settings data; /* first: see bench_options.h */
    const char *out, *like;
    uint64_t seed;
    bool stats;
} gen_settings;

/* ---- options ---- */

TSR_CLI_SET_TEXT(gen_settings, out, out)
TSR_CLI_SET_TEXT(gen_settings, like, like)

static tsr_status set_seed(void *s, const char *value, tsr_error *err)
{
    const char *const end = value + strlen(value);
    if (*value < '0' || *value > '9' || tsr_parse_u64(&((gen_settings *)s)->seed, value, end) != end)
        return tsr_fail(err, TSR_ARGUMENT, "'%s' is not a number of at most 64 bits", value);
    return TSR_OK;
}

TSR_CLI_SET_FLAG(gen_settings, stats, stats)

static void show_generators(const tsr_cli_tool *tool)
{
    (void)tool;
    for (const char *p = tsr_gen_help; *p;) {
        const int usage = (int)strcspn(p, "\t"), what = (int)strcspn(p + usage, "\n");
        printf("%-42.*s %.*s\n", usage, p, what - 1, p + usage + 1);
        p += usage + what + 1;
    }
}

static const tsr_cli_option options[] = {
    {.help = "What is generated"},
    {"like", 0, "FILE",
     "a sibling of this file: with its dims, entries, skew, fibers, runs and band, scaled by @SCALE",
     set_like, NULL},
    {"stats", 0, NULL,
     "with --like: only print the measured statistics, as the columns order to statistics of datasets.csv",
     set_stats, NULL},
    {"seed", 0, "N", "another tensor of the same kind (default 0)", set_seed, NULL},
    BENCH_OPTION_DATASETS,
    {"list-generators", 0, NULL, "list the generators that need no dataset", NULL, show_generators},
    {.help = "How"},
    TSR_CLI_ROW_OUTPUT("FILE",
                       "output file: .tns, or .mtx for a matrix; .gz after that compresses; - is standard "
                       "output, as .tns (default: a file with the name of the tensor in the current folder)",
                       set_out),
    TSR_CLI_ROW_THREADS,
    TSR_CLI_ROWS_END,
    {0},
};

static const tsr_cli_tool tool = {
    .name = "tbench gen",
    .usage = "NAME[@SCALE] [-o FILE]\n--like=FILE [@SCALE] [-o FILE]\nGENERATOR:KEY=VALUE,... [-o FILE]",
    .summary = "Generate a sparse tensor: a stand-in for a dataset, a sibling of a file, or a pattern. The "
               "same seed "
               "gives the same bytes on every machine; memory does not grow with the number of entries.",
    .notes =
        "tbench fetch --list names the datasets, tbench gen --list-generators the generators.\n"
        "All generators but matmul take values=real, count, binary or complex too.\n\n" TSR_EXIT_CODES_HELP,
    .options = options,
    .once = " output ",
    .max_operands = 1,
};

/* ---- the request ---- */

typedef struct gen_job {
    tsr_gen gen;
    tsr_text name;    /* for the default file name and the report */
    const char *kind; /* "stand-in (statistics estimated)" */
} gen_job;

static tsr_status plan_dataset(gen_job *job, const gen_settings *s, const char *text, tsr_error *err)
{
    static const char *const kinds[] = {[TSR_DATASET_ESTIMATED] = "stand-in, statistics estimated",
                                        [TSR_DATASET_PUBLISHED] =
                                            "stand-in, fibers as published, other statistics estimated",
                                        [TSR_DATASET_MEASURED] = "stand-in, statistics measured",
                                        [TSR_DATASET_EXACT] = "exact"};
    tsr_datasets *datasets;
    const tsr_dataset *row;
    tsr_text name = {0};
    uint64_t scale;
    TSR_TRY(bench_load_datasets(&datasets, s->data.datasets, err));
    tsr_status status = tsr_dataset_split(&name, &scale, text, err);
    if (status == TSR_OK)
        status = tsr_dataset_find(&row, datasets, tsr_text_cstr(&name), err);
    if (status == TSR_OK)
        status = tsr_dataset_gen(&job->gen, row, scale, err);
    if (status == TSR_OK)
        job->kind = kinds[row->statistics];
    tsr_text_clear(&name);
    tsr_datasets_free(datasets);
    return status;
}

static tsr_status plan_like(gen_job *job, const gen_settings *s, const char *scale_text,
                            tsr_cli_report *report, tsr_error *err)
{
    uint64_t scale = TSR_GEN_UNIT_SCALE;
    tsr_text rest = {0};
    if (scale_text) {
        TSR_TRY(tsr_dataset_split(&rest, &scale, scale_text, err));
        const bool bad = rest.nbytes > 0 || scale_text[0] != '@';
        tsr_text_clear(&rest);
        if (bad)
            return tsr_fail(err, TSR_ARGUMENT, "'%.100s' is not a scale such as @0.01", scale_text);
    }
    const char *const slash = strrchr(s->like, '/'), *const base = slash ? slash + 1 : s->like;
    job->gen.kind = TSR_GEN_RANDOM;
    job->kind = "stand-in, statistics measured";
    tsr_text_add_n(&job->name, base, strcspn(base, "."));
    tsr_text_addf(&job->name, "-like%s", scale_text ? scale_text : "");
    TSR_TRY(tsr_gen_measure(&job->gen.shape, s->like, s->data.common.nthreads, &report->observer, err));
    return s->stats ? TSR_OK : tsr_gen_shape_scale(&job->gen.shape, scale, err);
}

static tsr_status plan(gen_job *job, const gen_settings *s, const char *text, tsr_cli_report *report,
                       tsr_error *err)
{
    bool known;
    if (s->like)
        TSR_TRY(plan_like(job, s, text, report, err));
    if (s->like)
        return tsr_text_status(&job->name, err);
    tsr_text_add(&job->name, text);
    TSR_TRY(tsr_text_status(&job->name, err));
    TSR_TRY(tsr_gen_parse(&job->gen, &known, text, err));
    job->kind = "exact";
    if (known && job->gen.kind == TSR_GEN_RANDOM)
        job->kind = "random";
    return known ? TSR_OK : plan_dataset(job, s, text, err);
}

/* ---- generating ---- */

static void add_dims(tsr_text *text, const tsr_gen_shape *shape, const char *between)
{
    for (int m = 0; m < shape->order; m++)
        tsr_text_addf(text, "%s%" PRIu64, m ? between : "", shape->dims[m]);
}

static tsr_status make(const gen_job *job, const gen_settings *s, tsr_cli_report *report, tsr_error *err)
{
    const tsr_gen_shape *const shape = &job->gen.shape;
    tsr_text path = {0}, comment = {0}, dims = {0};
    uint64_t nbytes = 0;
    char size[32];
    if (s->out)
        tsr_text_add(&path, s->out);
    else
        tsr_gen_file_name(&path, job->name.s, shape);
    tsr_text_addf(&comment, "%s (%s), generated by Tessera with seed %" PRIu64, job->name.s, job->kind,
                  s->seed);
    add_dims(&dims, shape, " x ");
    const tsr_gen_options gen_options = {.seed = s->seed,
                                         .nthreads = s->data.common.nthreads,
                                         .comment = comment.s,
                                         .observer = &report->observer};
    tsr_status status = tsr_text_status(&path, err);
    if (status == TSR_OK)
        status = tsr_text_status(&comment, err);
    if (status == TSR_OK)
        status = tsr_gen_write(path.s, &job->gen, &gen_options, &nbytes, err);
    if (status == TSR_OK)
        tsr_cli_report_line(report, "%s (%s): %s, %" PRIu64 " entries -> %s, %s", job->name.s, job->kind,
                            tsr_text_cstr(&dims), shape->nnz, path.s, tsr_bytes_text(size, nbytes));
    tsr_text_clear(&path);
    tsr_text_clear(&comment);
    tsr_text_clear(&dims);
    return status;
}

int bench_cmd_gen(int argc, char **argv)
{
    gen_settings s = {0};
    tsr_cli_operands operands;
    tsr_cli_report report;
    tsr_error err = {0};
    gen_job job = {0};
    const int done = tsr_cli_parse(&operands, &tool, &s, argc, argv);
    if (done >= 0)
        return done;
    if (operands.n == 0 && !s.like)
        return tsr_cli_usage_error(
            &tool, "missing dataset or generator, such as nell-2@0.01 or uniform:dims=1000x1000,nnz=20000");
    if (s.stats && !s.like)
        return tsr_cli_usage_error(&tool, "--stats needs --like=FILE");
    tsr_cli_report_init(&report, tool.name, s.data.common.quiet);
    tsr_cli_report_progress(&report, &s.data.common.progress);
    tsr_status status = plan(&job, &s, operands.n ? operands.text[0] : NULL, &report, &err);
    if (status == TSR_OK && s.stats) {
        tsr_text row = {0};
        tsr_dataset_print_shape(&row, &job.gen.shape);
        status = tsr_text_status(&row, &err);
        printf("%s\n", tsr_text_cstr(&row));
        tsr_text_clear(&row);
    } else if (status == TSR_OK) {
        status = make(&job, &s, &report, &err);
    }
    tsr_text_clear(&job.name);
    tsr_cli_report_wipe(&report);
    return status == TSR_OK ? TSR_EXIT_OK : tsr_cli_report_error(&report, &err);
}
