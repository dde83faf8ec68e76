/* tinfo: look into a file. */
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "advice_print.h"
#include "codec_rows.h"
#include "commands.h"
#include "tsr_files.h"
#include "json.h"
#include "lists.h"
#include "options.h"
#include "report.h"
#include "tinfo.h"
#include "tinfo_as.h"
#include "tinfo_brief.h"
#include "rank_figures.h"
#include "tsr_shown.h"

typedef struct settings {
    tsr_cli_common common; /* first: see options.h */
    const char *in, *from, *spy, *as;
    bool brief, arrays, entries, check, exact;
    bool fibers, sizes, picture; /* parts that are asked for; none: all */
    bool modes_given;
    int modes[2];         /* of the pictures: down, across */
    int nranks, ncolumns; /* --ranks, --rank; 0: not given */
    tsr_cli_advise advise;
    bool machine_given;
    tsr_rank_machine machine;
    tsr_codec_given given; /* options of codecs */
    tsr_read_options read;
} settings;

/* ---- the command line ---- */

TSR_CLI_SET_FLAG(settings, brief, brief)
TSR_CLI_SET_FLAG(settings, arrays, arrays)
TSR_CLI_SET_FLAG(settings, entries, entries)
TSR_CLI_SET_FLAG(settings, check, check)
TSR_CLI_SET_FLAG(settings, exact, exact)
TSR_CLI_SET_FLAG(settings, fibers, fibers)
TSR_CLI_SET_FLAG(settings, sizes, sizes)
TSR_CLI_SET_FLAG(settings, picture, picture)
TSR_CLI_SET_TEXT(settings, as, as)
TSR_CLI_SET_BY(settings, from, from, tsr_cli_parse_codec)

/* The suffix decides: refuse a name that promises another kind of file (.h5). */
TSR_CLI_SET(spy)
{
    const char *const slash = strrchr(value, '/');
    const char *const dot = strrchr(slash ? slash + 1 : value, '.');
    ((settings *)to)->spy = value;
    if (!dot || strcmp(dot, ".png") == 0 || strcmp(dot, ".PNG") == 0 || strcmp(dot, ".svg") == 0)
        return TSR_OK;
    return tsr_fail(
        err, TSR_ARGUMENT,
        "the argument is the picture, a PNG or SVG file, but '%s' ends with %s: write --spy=OUT.png, and "
        "the input file besides",
        value, dot);
}

TSR_CLI_SET(modes)
{
    settings *const s = to;
    uint64_t modes[2];
    int n = 0;
    TSR_TRY(tsr_cli_parse_list(modes, &n, value, 2, TSR_MAX_ORDER - 1, err));
    if (n != 2 || modes[0] == modes[1])
        return tsr_fail(err, TSR_ARGUMENT, "'%s' is not a pair of different modes such as 0,2", value);
    s->modes_given = true;
    s->modes[0] = (int)modes[0];
    s->modes[1] = (int)modes[1];
    return TSR_OK;
}

TSR_CLI_SET(advise)
{
    ((settings *)to)->advise.kernels = value;
    return *value ? TSR_OK
                  : tsr_fail(err, TSR_ARGUMENT, "missing kernel: write --advise=spmv, or an expression");
}

TSR_CLI_SET_ADVISE(settings, advise)
TSR_CLI_SET_INT(settings, ranks, nranks, 1, TSR_GRID_MAX_RANKS)
TSR_CLI_SET_INT(settings, rank, ncolumns, 1, 1 << 20)

TSR_CLI_SET(machine)
{
    ((settings *)to)->machine_given = true;
    return tsr_rank_machine_parse(&((settings *)to)->machine, value, err);
}

TSR_CLI_SET_BY(settings, dims, read, tsr_cli_parse_dims)

static const tsr_cli_option options[] = {
    {.help = "What is printed"},
    {"brief", 0, NULL,
     "print only what the headers report, without reading entries: fast for a file of any size", set_brief,
     NULL},
    TSR_CLI_ROW_JSON("one JSON object instead of words"),
    {"arrays", 0, NULL, "with --json: print only the arrays of the levels and the values", set_arrays, NULL},
    {"entries", 0, NULL,
     "with --json --arrays: also each entry, its coordinates and its position in each level", set_entries,
     NULL},
    {"check", 0, NULL, "check every array from end to end and print ok", set_check, NULL},
    {"fibers", 0, NULL,
     "print only how the entries are spread over slices and fibers, exactly: the entries are sorted if the "
     "stored order does not show it",
     set_fibers, NULL},
    {"sizes", 0, NULL,
     "print only the memory that other formats would take, exactly: the entries are sorted if the stored "
     "order does not show it",
     set_sizes, NULL},
    {"picture", 0, NULL, "print only the picture in characters", set_picture, NULL},
    {"exact", 0, NULL, "print all parts exactly: the entries are sorted if necessary", set_exact, NULL},
    {"spy", 0, "FILE",
     "write a picture of where the entries are, with a logarithmic colour scale: PNG, or SVG if the name of "
     "FILE ends with .svg",
     set_spy, NULL},
    {"modes", 0, "M,N", "the modes that the pictures show, down and across (0,1)", set_modes, NULL},
    {"ranks", 0, "P",
     "print only what the tensor takes on P ranks: the grid, the memory, the balance, the rows that SpMV or "
     "MTTKRP exchange, and the time of a conversion. The entries are read once, and not kept",
     set_ranks, NULL},
    {"advise", 0, "KERNEL,...",
     "print only which storage format serves these kernels, with the reasons: names that tbench list has, "
     "such as "
     "mttkrp or ttv:0 (of mode 0), or one expression",
     set_advise, NULL},
    TSR_CLI_ROWS_ADVISE("with --advise: "),
    {"rank", 0, "R",
     "with --ranks: the columns of the dense operands (1 for a matrix, 16 for a tensor); with "
     "--advise: " TSR_CLI_RANK_HELP,
     set_rank, NULL},
    {"machine", 0, "NAME=NUMBER,...", "with --ranks: " TSR_RANK_MACHINE_HELP, set_machine, NULL},
    TSR_CLI_ROW_LIST_FORMATS,
    TSR_CLI_ROW_LIST_CODECS,

    {.help = "How FILE is read"},
    {"as", 0, "FORMAT",
     "look at the tensor as this storage format would hold it: it is packed in memory, and nothing is "
     "written",
     set_as, NULL},
    {"from", 0, "CODEC", "the file format of FILE; by default its content determines it", set_from, NULL},
    TSR_CLI_ROW_DIMS("", set_dims),

    TSR_CLI_CODEC_HEADING,

    {.help = "The run"},
    TSR_CLI_ROW_THREADS,
    TSR_CLI_ROW_MEMORY(
        ": a tensor that does not fit is refused with its size. --brief and --ranks read files of any size"),
    {"quiet", 'q', NULL, "print the facts and errors only: no warnings, no progress", tsr_cli_set_quiet,
     NULL},
    TSR_CLI_ROW_PROGRESS,
    TSR_CLI_ROW_HELP,
    TSR_CLI_ROW_VERSION,
    {0},
};

static tsr_status set_codec_option(void *to, const char *name, const char *value, tsr_error *err)
{
    settings *const s = to;
    return tsr_codec_give(&s->given, &(tsr_codec_settings){&s->read, NULL}, name, value, err);
}

static const tsr_cli_tool tool = {
    .name = "tinfo",
    .usage = "FILE [--brief] [--json [--arrays]] [--as=FORMAT] [--check] [--spy=OUT.png]",
    .summary = "Describe the sparse tensor in a file: dims, entries, density, value type, the order of the "
               "entries, the storage format, how the entries are spread, and the memory that other formats "
               "would take. FILE may be - (standard input) or file.h5:group.",
    .notes = "Examples:\n"
             "  tinfo out.h5\n"
             "  tinfo out.h5 --brief\n"
             "  tinfo in.mtx.gz --spy=in.png\n"
             "  tinfo out.h5 --json --arrays\n"
             "  tinfo in.mtx --as=csr --json --arrays\n\n" TSR_EXIT_CODES_HELP,
    .options = options,
    .set_more = set_codec_option,
    .max_operands = 1,
    .extra_operand = "tinfo describes one file",
};

/* ---- the steps ---- */

static tsr_status read_file(tsr_data *data, tsr_tensor_facts *info, const settings *s, tsr_error *err)
{
    const tsr_codec *codec = NULL;
    if (s->from)
        TSR_TRY(tsr_codec_by_name(&codec, s->from, err));
    info->file_nbytes = tsr_file_nbytes(s->in);
    tsr_read_options how = s->read;
    const bool looks = !s->spy && !s->fibers && !s->sizes && !s->picture;
    how.levels_only = !s->check && !s->arrays && !s->as && !s->advise.measure && !s->exact &&
                      !(looks && tsr_facts_want_values(info->file_nbytes));
    how.check = s->check;
    how.labels = !s->common.json;
    TSR_TRY(tsr_read(data, s->in, codec, &how, err));
    TSR_TRY(tsr_codec_check_given(&s->given, data->codec, NULL, "--", err));
    info->codec = data->codec->name;
    return TSR_OK;
}

/* The modes that pictures show; -1 where the tensor has none. */
static tsr_status choose_modes(int modes[2], const settings *s, int order, tsr_error *err)
{
    for (int a = 0; a < 2; a++) {
        modes[a] = s->modes_given ? s->modes[a] : a;
        if (s->modes_given && modes[a] >= order)
            return tsr_fail(err, TSR_ARGUMENT,
                            "--modes: mode %d does not exist: %s has %d modes, numbered from 0", modes[a],
                            s->in, order);
        if (modes[a] >= order)
            modes[a] = -1;
    }
    return TSR_OK;
}

/* An empty picture of two modes on the grid that `grid` thinks right for their dims. */
static tsr_status new_picture(tsr_density *density, const tsr_facts_head *head, const int modes[2],
                              void (*grid)(uint32_t n[2], const uint64_t dim[2]), tsr_error *err)
{
    uint32_t n[2];
    uint64_t dim[2];
    for (int a = 0; a < 2; a++)
        dim[a] = modes[a] >= 0 && head->dims[modes[a]] > 0 ? head->dims[modes[a]] : 1;
    grid(n, dim);
    return tsr_density_init(density, head->order, head->dims, modes, n, err);
}

static tsr_status draw_spy(const tsr_tensor_facts *info, const settings *s, tsr_error *err)
{
    const tsr_facts_head head = tsr_facts_head_of(info->data);
    const uint64_t nnz = info->survey.nnz;
    tsr_text title = {0};
    tsr_text_addf(&title, "%s\n", s->in);
    tsr_cli_add_dims(&title, head.order, head.dims);
    tsr_text_addf(&title, ", %llu nonzero%s", (unsigned long long)nnz, nnz == 1 ? "" : "s");
    tsr_status status = tsr_text_status(&title, err);
    if (status == TSR_OK)
        status = tsr_spy_write(s->spy, info->density, tsr_text_cstr(&title), err);
    tsr_text_clear(&title);
    return status;
}

static tsr_status print_info(const tsr_tensor_facts *info, const settings *s, tsr_error *err)
{
    if (s->common.json) {
        tsr_json_output out;
        TSR_TRY(tsr_json_output_begin(&out, s->common.json_path, false, err));
        tsr_facts_json(&out.json, info);
        return tsr_json_output_end(&out, s->common.json_path, TSR_OK, err);
    }
    setlocale(LC_CTYPE, ""); /* nothing but nl_langinfo looks at it */
    tsr_tinfo_print(stdout, info, strcmp(nl_langinfo(CODESET), "UTF-8") == 0);
    return TSR_OK;
}

/* Find out about the entries what the parts asked for need, and print it. */
static tsr_status survey_and_print(tsr_tensor_facts *info, const settings *s, tsr_error *err)
{
    const tsr_facts_head head = tsr_facts_head_of(info->data);
    const bool chosen = s->fibers || s->sizes || s->picture;
    const bool drawn = s->spy || (!s->common.json && head.order > 0 && (!chosen || s->picture));
    tsr_density density = {0};
    int modes[2];
    info->spreads = !s->spy && (!chosen || s->fibers);
    info->sizes = !s->spy && (!chosen || s->sizes);
    info->values = !s->spy && !chosen;
    TSR_TRY(choose_modes(modes, s, head.order, err));
    if (drawn)
        TSR_TRY(new_picture(&density, &head, modes, s->spy ? tsr_spy_grid : tsr_density_grid, err));
    const tsr_survey_options how = {.nthreads = s->common.nthreads,
                                    .spreads = info->spreads,
                                    .sizes = info->sizes,
                                    .values = info->values,
                                    .exact = s->exact || s->fibers || s->sizes,
                                    .density = drawn ? &density : NULL,
                                    .observer = s->read.observer};
    tsr_status status = tsr_survey_init(&info->survey, info->data->tensor, info->data->coo, &how, err);
    info->density = drawn && (s->spy || info->survey.nnz > 0) ? &density : NULL;
    if (status == TSR_OK && s->spy)
        status = draw_spy(info, s, err);
    else if (status == TSR_OK)
        status = print_info(info, s, err);
    tsr_density_clear(&density);
    tsr_survey_clear(&info->survey);
    return status;
}

/* --advise: which format. */
static tsr_status advise(const tsr_data *data, const tsr_thin *thin, const settings *s, tsr_error *err)
{
    enum { MOST = 12 };
    tsr_cli_advise ask = s->advise;
    tsr_advice advice;
    ask.rank = s->ncolumns;
    ask.nthreads = s->common.nthreads;
    ask.observer = s->read.observer;
    ask.path = s->in;
    ask.thin = thin;
    TSR_TRY(tsr_cli_advice(&advice, data, &ask, err));
    tsr_status status;
    if (s->common.json) {
        tsr_json_output out;
        TSR_TRY_OUT(tsr_json_output_begin(&out, s->common.json_path, false, err));
        tsr_advice_json(&out.json, &advice);
        status = tsr_json_output_end(&out, s->common.json_path, TSR_OK, err);
    } else
        status = tsr_cli_print_advice(stdout, &advice, MOST, err);
out:
    tsr_advice_clear(&advice);
    return status;
}

/* --advise of a file that is read in blocks; *done is false where it has to be read as a whole. */
static tsr_status advise_blocks(bool *done, const settings *s, tsr_error *err)
{
    const tsr_codec *codec = NULL;
    tsr_cli_blocks blocks;
    *done = false;
    if (!s->advise.kernels || s->advise.measure || s->as)
        return TSR_OK;
    if (s->from)
        TSR_TRY(tsr_codec_by_name(&codec, s->from, err));
    TSR_TRY(tsr_cli_read_blocks(&blocks, s->in, codec, &s->read, err));
    *done = blocks.found;
    const tsr_status status =
        *done ? advise(&(tsr_data){.coo = blocks.read.coo}, &blocks.thin, s, err) : TSR_OK;
    tsr_feed_blocks_clear(&blocks.read);
    return status;
}

static tsr_status run_brief(const settings *s, tsr_error *err)
{
    const tsr_codec *codec = NULL;
    tsr_brief brief;
    if (s->from)
        TSR_TRY(tsr_codec_by_name(&codec, s->from, err));
    if (s->common.json_path)
        TSR_TRY(tsr_check_output(s->common.json_path, s->in, err));
    TSR_TRY(tsr_describe(&brief, s->in, codec, &s->read, err));
    const uint64_t nbytes = tsr_file_nbytes(s->in);
    tsr_status status = TSR_OK;
    if (s->common.json) {
        tsr_json_output out;
        status = tsr_json_output_begin(&out, s->common.json_path, false, err);
        if (status == TSR_OK) {
            tsr_facts_brief_json(&out.json, &brief, s->in, nbytes);
            status = tsr_json_output_end(&out, s->common.json_path, TSR_OK, err);
        }
    } else {
        tsr_tinfo_brief_print(stdout, &brief, s->in, nbytes);
    }
    tsr_brief_clear(&brief);
    return status;
}

/* Count the slices of the file: run by run if the codec can read so, else from memory. */
static tsr_status count_slices(tsr_rank_figures *ranks, const settings *s, tsr_error *err)
{
    const tsr_codec *codec = NULL;
    tsr_feed *feed;
    if (s->from)
        TSR_TRY(tsr_codec_by_name(&codec, s->from, err));
    ranks->file_nbytes = tsr_file_nbytes(s->in);
    tsr_status status = tsr_feed_open(&feed, s->in, codec, &s->read, err);
    if (status == TSR_OK) {
        status = tsr_rank_figures_count(ranks, feed, s->read.observer, err);
        tsr_feed_close(feed);
    }
    if (status != TSR_UNSUPPORTED || strcmp(s->in, "-") == 0)
        return status;
    tsr_rank_figures_clear(ranks);
    tsr_data data = {0};
    tsr_tensor_facts info = {.path = s->in};
    status = read_file(&data, &info, s, err);
    if (status == TSR_OK)
        status = tsr_rank_figures_count_data(ranks, &data, err);
    tsr_data_clear(&data);
    return status;
}

static tsr_status run_ranks(const settings *s, tsr_error *err)
{
    tsr_rank_figures ranks = {.path = s->in,
                              .nranks = (uint32_t)s->nranks,
                              .ncolumns = (uint32_t)s->ncolumns,
                              .machine = s->machine};
    if (s->common.json_path)
        TSR_TRY(tsr_check_output(s->common.json_path, s->in, err));
    tsr_status status = count_slices(&ranks, s, err);
    if (status == TSR_OK && s->common.json) {
        tsr_json_output out;
        status = tsr_json_output_begin(&out, s->common.json_path, true, err);
        if (status == TSR_OK) {
            status = tsr_rank_figures_json(&out.json, &ranks, err);
            status = tsr_json_output_end(&out, s->common.json_path, status, err);
        }
    } else if (status == TSR_OK) {
        status = tsr_rank_figures_print(stdout, &ranks, err);
    }
    tsr_rank_figures_clear(&ranks);
    return status;
}

static tsr_status run(const settings *s, tsr_error *err)
{
    tsr_data data = {0};
    tsr_tensor_facts info = {.path = s->in, .data = &data};
    tsr_status status = TSR_OK;
    if (s->spy)
        TSR_TRY(tsr_check_output(s->spy, s->in, err));
    if (s->common.json_path)
        TSR_TRY(tsr_check_output(s->common.json_path, s->in, err));
    bool done;
    TSR_TRY_OUT(advise_blocks(&done, s, err));
    if (done)
        goto out;
    TSR_TRY_OUT(read_file(&data, &info, s, err));
    if (s->as)
        TSR_TRY_OUT(tsr_tinfo_as(&data, s->as, s->common.nthreads, err));
    if (s->check) {
        TSR_TRY_OUT(data.tensor ? tsr_tensor_check(data.tensor, s->common.nthreads, err)
                                : tsr_coo_check(data.coo, s->common.nthreads, err));
        char path[TSR_SHOWN_NBYTES];
        printf("%s: ok\n", tsr_show(path, s->in));
        if (!s->common.json && !s->spy)
            goto out;
    }
    if (s->arrays) {
        tsr_json_output arrays;
        TSR_TRY_OUT(tsr_json_output_begin(&arrays, s->common.json_path, false, err));
        tsr_facts_arrays(&arrays.json, &data);
        if (s->entries && data.tensor)
            status = tsr_facts_entries(&arrays.json, data.tensor, err);
        status = tsr_json_output_end(&arrays, s->common.json_path, status, err);
        goto out;
    }
    TSR_TRY_OUT(s->advise.kernels ? advise(&data, NULL, s, err) : survey_and_print(&info, s, err));
out:
    tsr_data_clear(&data);
    return status;
}

int tsr_cli_tinfo(int argc, char *const *argv)
{
    settings s = {.machine = tsr_rank_machine_default};
    tsr_cli_operands operands;
    const int done = tsr_cli_parse_with_codecs(&operands, &tool, false, &s, argc, argv);
    if (done >= 0)
        return tsr_cli_close_stdout(tool.name, done);
    if (operands.n == 0)
        return tsr_cli_usage_error(
            &tool, "missing input file: write tinfo FILE, where FILE may be - for standard input");
    if (s.arrays && !s.common.json)
        return tsr_cli_usage_error(&tool, "--arrays works with --json only: add --json");
    if (s.entries && !s.arrays)
        return tsr_cli_usage_error(&tool, "--entries works with --arrays only: add --json --arrays");
    if (s.as && (s.brief || s.nranks > 0))
        return tsr_cli_usage_error(&tool, "--as packs the tensor: leave --%s out",
                                   s.brief ? "brief" : "ranks");
    if (s.check && s.common.json)
        return tsr_cli_usage_error(&tool, "--check does not print JSON: leave --json out");
    if (s.brief && (s.arrays || s.check || s.exact || s.spy || s.fibers || s.sizes || s.picture))
        return tsr_cli_usage_error(
            &tool, "--brief reads the headers only, and --%s needs the entries: leave one of them out",
            s.arrays  ? "arrays"
            : s.check ? "check"
            : s.exact ? "exact"
                      : "spy");
    if (s.nranks > 0 &&
        (s.brief || s.arrays || s.check || s.exact || s.spy || s.fibers || s.sizes || s.picture))
        return tsr_cli_usage_error(&tool,
                                   "--ranks prints nothing but its own figures: leave the other parts out");
    if (s.nranks == 0 && ((s.ncolumns > 0 && !s.advise.kernels) || s.machine_given))
        return tsr_cli_usage_error(&tool, "--%s works with --ranks only: add --ranks=P",
                                   s.ncolumns > 0 ? "rank" : "machine");
    if (s.advise.kernels && (s.nranks > 0 || s.brief || s.arrays || s.check || s.exact || s.spy || s.fibers ||
                             s.sizes || s.picture))
        return tsr_cli_usage_error(&tool,
                                   "--advise prints nothing but the advice: leave the other parts out");
    if (!s.advise.kernels && (s.advise.nruns > 0 || s.advise.budget > 0 || s.advise.measure))
        return tsr_cli_usage_error(&tool, "--%s works with --advise only: add --advise=KERNEL",
                                   s.advise.measure     ? "measure"
                                   : s.advise.nruns > 0 ? "runs"
                                                        : "budget");
    s.in = operands.text[0];
    tsr_cli_limit_memory(&s.common);

    tsr_cli_report report;
    tsr_cli_report_init(&report, tool.name, s.common.quiet);
    tsr_cli_report_progress(&report, &s.common.progress);
    s.read.nthreads = s.common.nthreads;
    s.read.observer = &report.observer;
    tsr_error err = {0};
    int code = TSR_EXIT_OK;
    if ((s.nranks > 0 ? run_ranks : s.brief ? run_brief : run)(&s, &err) != TSR_OK)
        code = s.as && err.col > 0 && err.path[0] == '\0'
                   ? tsr_cli_report_text_error(&report, "as", s.as, &err) /* a fault in the format */
                   : tsr_cli_report_error(&report, &err);
    tsr_cli_report_wipe(&report);
    return tsr_cli_close_stdout(tool.name, code);
}
