/* tbench scale: simulates a kernel on up to 1,000 ranks. Which entries and rows each rank has, and which rows move, is counted
 * entry by entry; seconds are these counts divided by what is assumed of a machine. */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "bench_commands.h"
#include "bench_options.h"
#include "tsr_files.h"
#include "json.h"
#include "rank_figures.h"
#include "table.h"
#include "tsr_pack.h"
#include "tsr_shown.h"

enum { MAX_COUNTS = 16, MAX_RANKS = 1000, SEED = 1 };
#define MAX_GENERATED (UINT64_C(1) << 28)

/* What is simulated. */
typedef struct scale_input {
    tsr_data data;
    tsr_text name;
    uint64_t file_nbytes;
} scale_input;

typedef struct scale_settings {
    bench_data_settings data; /* first: see bench_options.h */
    uint64_t ranks[MAX_COUNTS];
    int nranks, ncolumns;
    bool rows;
    tsr_rank_machine machine;
} scale_settings;

/* ---- options ---- */

static tsr_status set_ranks(void *to, const char *value, tsr_error *err)
{
    scale_settings *const s = to;
    TSR_TRY(tsr_cli_parse_list(s->ranks, &s->nranks, value, MAX_COUNTS, MAX_RANKS, err));
    for (int i = 0; i < s->nranks; i++)
        if (s->ranks[i] == 0)
            return tsr_fail(err, TSR_ARGUMENT, "0 ranks cannot be simulated: use 1 to %d", MAX_RANKS);
    return TSR_OK;
}

TSR_CLI_SET_INT(scale_settings, rank, ncolumns, 1, 1 << 20)
TSR_CLI_SET_FLAG(scale_settings, rows, rows)
TSR_CLI_SET_BY(scale_settings, machine, machine, tsr_rank_machine_parse)

static const tsr_cli_option options[] = {
    {.help = "What is simulated"},
    {"ranks", 0, "P,...", "numbers of ranks, 1 to 1000 (default: 1,4,16,64,256,1000)", set_ranks, NULL},
    {"rank", 0, "R", "columns of the dense operands (default: 1 for a matrix, 16 for a tensor)", set_rank,
     NULL},
    {"rows", 0, NULL,
     "each rank has whole slices of mode 0, instead of blocks of the medium-grained distribution", set_rows,
     NULL},
    {"machine", 0, "NAME=NUMBER,...", TSR_RANK_MACHINE_HELP, set_machine, NULL},
    BENCH_OPTION_DATASETS,
    {.help = "How"},
    TSR_CLI_ROW_THREADS,
    TSR_CLI_ROW_MEMORY(": a tensor that does not fit is refused with its size"),
    TSR_CLI_ROW_JSON("one JSON object instead of a table"),
    TSR_CLI_ROWS_END,
    {0},
};

static const tsr_cli_tool tool = {
    .name = "tbench scale",
    .usage = "FILE|DATASET|GENERATOR [--ranks=P,...] [--rank=R] [--machine=NAME=NUMBER,...]",
    .summary =
        "Simulate SpMV (of a matrix) or MTTKRP (of a tensor) on several ranks. The entries and rows of each "
        "rank and the rows that move are counted from the entries; seconds follow from the counts and "
        "the assumptions that are printed.",
    .notes = "Examples:\n"
             "  tbench scale nell-2@0.1 --ranks=16,256,1000\n"
             "  tbench scale in.tns --rank=32 --machine=cores=48,network=25G\n\n" TSR_EXIT_CODES_HELP,
    .options = options,
    .max_operands = 1,
};

/* ---- the entries ---- */

/* Read the entries of a file, with both triangles. */
static tsr_status read_entries(scale_input *in, const char *path, const scale_settings *s,
                               tsr_cli_report *report, tsr_error *err)
{
    const tsr_read_options how = {.nthreads = s->data.common.nthreads, .observer = &report->observer};
    tsr_data *const data = &in->data;
    in->file_nbytes = tsr_file_nbytes(path);
    TSR_TRY(tsr_read(data, path, NULL, &how, err));
    if (data->tensor) {
        TSR_TRY(tsr_unpack(&data->coo, data->tensor, s->data.common.nthreads, err));
        tsr_tensor_free(data->tensor);
        data->tensor = NULL;
    }
    return tsr_coo_expand(data->coo, err);
}

/* The file of that name, or a dataset or generator. */
static tsr_status find_entries(scale_input *in, const char *text, const scale_settings *s,
                               tsr_cli_report *report, tsr_error *err)
{
    const tsr_resolve_options how = {.seed = SEED, .max_nnz = MAX_GENERATED, .observer = &report->observer};
    tsr_datasets *datasets;
    tsr_resolved found = {0};
    if (access(text, F_OK) == 0 || strchr(text, '/') || bench_has_suffix(text)) {
        tsr_text_add(&in->name, text);
        return read_entries(in, text, s, report, err);
    }
    TSR_TRY(bench_load_datasets(&datasets, s->data.datasets, err));
    tsr_status status = tsr_dataset_resolve(&found, datasets, text, &how, err);
    if (status == TSR_OK) {
        tsr_text_addf(&in->name, "%s%s", tsr_text_cstr(&found.name),
                      found.kind == TSR_DATASET_STANDIN ? " (stand-in)" : "");
        status = read_entries(in, tsr_text_cstr(&found.path), s, report, err);
    }
    tsr_resolved_clear(&found);
    tsr_datasets_free(datasets);
    return status;
}

/* ---- the simulation ---- */

/* One number of ranks. */
typedef struct scale_row {
    uint32_t nranks, n[TSR_MAX_ORDER];
    double balance;                /* the largest share divided by the mean */
    double moved, modelled, bound; /* rows of all modes, of all ranks together */
    double most;                   /* rows that one rank sends or receives */
    double nbytes;                 /* moved */
    double compute_s, exchange_s, convert_s;
} scale_row;

static tsr_status simulate(scale_row *row, tsr_rank_figures *figures, const tsr_coo *coo,
                           const scale_settings *s, tsr_error *err)
{
    const tsr_slices *const slices = &figures->slices;
    const tsr_rank_machine *const machine = &s->machine;
    const double row_nbytes = 8.0 * figures->ncolumns, mean = (double)slices->nnz / row->nranks;
    tsr_grid grid;
    tsr_volume counted, model;
    tsr_status status =
        tsr_grid_init(&grid, slices, row->nranks, s->rows ? TSR_GRID_ROWS : TSR_GRID_MEDIUM, err);
    if (status == TSR_OK)
        status = tsr_volume_model(&model, &grid, slices, err);
    if (status == TSR_OK)
        status = tsr_volume_count(&counted, &grid, slices, NULL, coo, err);
    for (int m = 0; m < slices->order && status == TSR_OK; m++) {
        row->n[m] = grid.n[m];
        row->moved += counted.mode[m].moved;
        row->modelled += model.mode[m].moved;
        row->bound += counted.mode[m].bound;
    }
    tsr_grid_clear(&grid);
    TSR_TRY(status);
    figures->nranks = row->nranks;
    row->balance = mean > 0 ? counted.max_nnz / mean : 1;
    row->most = counted.max_moved;
    row->nbytes = row->moved * row_nbytes;
    row->compute_s = counted.max_nnz * figures->ncolumns * machine->multiply / machine->cores;
    row->exchange_s = row->most * row_nbytes / machine->network;
    row->convert_s = tsr_rank_figures_conversion_s(figures);
    return TSR_OK;
}

/* ---- output ---- */

static const char *kernel_name(const tsr_rank_figures *figures)
{
    return figures->slices.order > 2 ? "mttkrp" : figures->ncolumns > 1 ? "spmm" : "spmv";
}

static void print_head(const tsr_rank_figures *figures)
{
    char shown[TSR_SHOWN_NBYTES];
    printf("%s in any mode, %s, ", kernel_name(figures), tsr_show(shown, figures->path));
    for (int m = 0; m < figures->slices.order; m++)
        printf("%s%" PRIu64, m ? " x " : "", figures->slices.dims[m]);
    printf(", %" PRIu64 " entries, %u column%s of f64\n", figures->slices.nnz, (unsigned)figures->ncolumns,
           figures->ncolumns == 1 ? "" : "s");
}

static void add_row(tsr_cli_table *table, const scale_row *row, int order, double alone_s)
{
    char text[32], grid[TSR_RANK_GRID_NBYTES];
    const double s = row->compute_s + row->exchange_s;
    tsr_cli_table_cell(table, "%u", (unsigned)row->nranks);
    tsr_cli_table_cell(table, "%s", tsr_rank_grid_text(grid, order, row->n, "x"));
    tsr_cli_table_cell(table, "%.3f", row->balance);
    tsr_cli_table_cell(table, "%.0f", row->moved);
    if (row->moved > 0)
        tsr_cli_table_cell(table, "%+.1f%%", 100 * (row->modelled / row->moved - 1));
    else
        tsr_cli_table_cell(table, "%s", "");
    tsr_cli_table_cell(table, "%.0f", row->most);
    tsr_cli_table_cell(table, "%s", tsr_bytes_text_f(text, row->nbytes));
    tsr_cli_table_cell(table, "%s", tsr_rank_seconds_text(text, row->compute_s));
    tsr_cli_table_cell(table, "%s", tsr_rank_seconds_text(text, row->exchange_s));
    tsr_cli_table_cell(table, "%.3g", s > 0 ? alone_s / s : 1);
    tsr_cli_table_cell(table, "%s", tsr_rank_seconds_text(text, row->convert_s));
    tsr_cli_table_end_row(table);
}

static void print_table(const scale_row *rows, int n, const tsr_rank_figures *figures)
{
    static const char *const head[] = {"ranks",    "grid",           "balance",   "rows moved",
                                       "model",    "most of a rank", "bytes",     "compute",
                                       "exchange", "speed-up",       "conversion"};
    const double alone_s =
        (double)figures->slices.nnz * figures->ncolumns * figures->machine.multiply / figures->machine.cores;
    tsr_cli_table table = {0};
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        tsr_cli_table_cell(&table, "%s", head[i]);
    tsr_cli_table_end_row(&table);
    for (int i = 0; i < n; i++)
        add_row(&table, &rows[i], figures->slices.order, alone_s);
    tsr_cli_table_print(stdout, &table, "rl");
    puts("balance: the largest share of the entries divided by the mean. model: expected for uniformly "
         "random entries, against "
         "the "
         "rows counted\n"
         "seconds: counts divided by what is assumed; exchange: of the rank that sends or receives the most; "
         "not measured");
    tsr_rank_machine_print(stdout, &figures->machine);
}

static void put_row(tsr_json *json, const scale_row *row, int order)
{
    tsr_json_open(json, NULL, '{', true);
    tsr_json_u64(json, "ranks", row->nranks);
    tsr_rank_grid_json(json, order, row->n);
    tsr_json_f64(json, "balance", row->balance);
    tsr_json_f64(json, "rows_moved", row->moved);
    tsr_json_f64(json, "rows_modelled", row->modelled);
    tsr_json_f64(json, "rows_bound", row->bound);
    tsr_json_f64(json, "rows_of_busiest_rank", row->most);
    tsr_json_f64(json, "moved_bytes", row->nbytes);
    tsr_json_f64(json, "compute_s", row->compute_s);
    tsr_json_f64(json, "exchange_s", row->exchange_s);
    tsr_json_f64(json, "conversion_s", row->convert_s);
    tsr_json_close(json, '}');
}

static tsr_status write_json(const scale_row *rows, int n, const tsr_rank_figures *figures, const char *path,
                             tsr_error *err)
{
    tsr_json_output out;
    TSR_TRY(tsr_json_output_begin(&out, path, true, err));
    tsr_json *const json = &out.json;
    tsr_json_string(json, "tensor", figures->path);
    tsr_json_string(json, "kernel", kernel_name(figures));
    tsr_json_u64(json, "columns", figures->ncolumns);
    tsr_json_dims(json, "dims", figures->slices.order, figures->slices.dims);
    tsr_json_u64(json, "nnz", figures->slices.nnz);
    tsr_json_open(json, "runs", '[', false);
    for (int i = 0; i < n; i++)
        put_row(json, &rows[i], figures->slices.order);
    tsr_json_close(json, ']');
    tsr_rank_machine_json(json, &figures->machine);
    return tsr_json_output_end(&out, path, TSR_OK, err);
}

static tsr_status run(const scale_settings *s, const char *text, tsr_cli_report *report, tsr_error *err)
{
    scale_row rows[MAX_COUNTS] = {0};
    scale_input in = {0};
    tsr_rank_figures figures = {.ncolumns = (uint32_t)s->ncolumns, .machine = s->machine};
    tsr_status status = find_entries(&in, text, s, report, err);
    if (status == TSR_OK)
        status = tsr_rank_figures_count_data(&figures, &in.data, err);
    figures.file_nbytes = in.file_nbytes;
    figures.path = tsr_text_cstr(&in.name);
    if (figures.ncolumns == 0)
        figures.ncolumns = figures.slices.order > 2 ? 16 : 1;
    for (int i = 0; i < s->nranks && status == TSR_OK; i++) {
        rows[i].nranks = (uint32_t)s->ranks[i];
        status = tsr_progress(&report->observer, "ranks", (uint64_t)i, (uint64_t)s->nranks, err);
        if (status == TSR_OK)
            status = simulate(&rows[i], &figures, in.data.coo, s, err);
    }
    tsr_cli_report_wipe(report);
    if (status == TSR_OK && s->data.common.json)
        status = write_json(rows, s->nranks, &figures, s->data.common.json_path, err);
    else if (status == TSR_OK) {
        print_head(&figures);
        print_table(rows, s->nranks, &figures);
    }
    tsr_rank_figures_clear(&figures);
    tsr_text_clear(&in.name);
    tsr_data_clear(&in.data);
    return status;
}

int bench_cmd_scale(int argc, char **argv)
{
    scale_settings s = {.ranks = {1, 4, 16, 64, 256, 1000}, .nranks = 6, .machine = tsr_rank_machine_default};
    tsr_cli_operands operands;
    tsr_cli_report report;
    tsr_error err = {0};
    const int done = tsr_cli_parse(&operands, &tool, &s, argc, argv);
    if (done >= 0)
        return done;
    if (operands.n == 0)
        return tsr_cli_usage_error(&tool, "missing tensor: name a file, a dataset or a generator");
    tsr_cli_limit_memory(&s.data.common);
    tsr_cli_report_init(&report, tool.name, s.data.common.quiet);
    tsr_cli_report_progress(&report, &s.data.common.progress);
    const tsr_status status = run(&s, operands.text[0], &report, &err);
    return status == TSR_OK ? TSR_EXIT_OK : tsr_cli_report_error(&report, &err);
}
