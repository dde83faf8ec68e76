/* Counting the slices, and the figures that follow from them: see rank_figures.h. */
#include "rank_figures.h"

#include <math.h>
#include <string.h>

#include "lists.h"
#include "options.h"
#include "table.h"
#include "tsr_num.h"
#include "tsr_shown.h"
#include "tsr_stream.h"
#include "tsr_text.h"

/* ---- the machine ---- */

/* 16 cores, a disk, 100 Gbit/s, and a parallel file system; the processor times are those of docs/scale.md and docs/kernels.md. */
const tsr_rank_machine tsr_rank_machine_default = {.cores = 16,
                                                   .read = 3e9,
                                                   .write = 2e9,
                                                   .file = 2e9,
                                                   .files = 100e9,
                                                   .network = 12.5e9,
                                                   .convert = 390e-9,
                                                   .multiply = 0.275e-9};

/* The numbers that have a name, and how the user writes them. */
typedef enum number_unit { CORES, SIZE, NANOSECONDS } number_unit;
static const struct {
    const char *name;
    size_t offset;
    number_unit unit;
} numbers[] = {
    {"cores", offsetof(tsr_rank_machine, cores), CORES},
    {"read", offsetof(tsr_rank_machine, read), SIZE},
    {"write", offsetof(tsr_rank_machine, write), SIZE},
    {"file", offsetof(tsr_rank_machine, file), SIZE},
    {"files", offsetof(tsr_rank_machine, files), SIZE},
    {"network", offsetof(tsr_rank_machine, network), SIZE},
    {"convert", offsetof(tsr_rank_machine, convert), NANOSECONDS},
    {"multiply", offsetof(tsr_rank_machine, multiply), NANOSECONDS},
};
enum { NNUMBERS = sizeof numbers / sizeof *numbers };

static double number_at(const tsr_rank_machine *machine, int i)
{
    double v;
    memcpy(&v, (const char *)machine + numbers[i].offset, sizeof v);
    return v;
}

static tsr_status parse_number(double *out, const char *text, number_unit unit, tsr_error *err)
{
    if (unit == CORES) {
        int cores;
        TSR_TRY(tsr_cli_parse_int(&cores, text, 1, 1 << 20, err));
        *out = cores;
        return TSR_OK;
    }
    if (unit == SIZE) {
        uint64_t nbytes;
        TSR_TRY(tsr_cli_parse_nbytes(&nbytes, text, err));
        *out = (double)nbytes;
        return TSR_OK;
    }
    const char *const end = text + strlen(text);
    double v;
    if (*text == '\0' || tsr_parse_f64(&v, text, end) != end || !(v > 0 && v < 1e9))
        return tsr_fail(err, TSR_ARGUMENT, "'%s' is not a number of nanoseconds", text);
    *out = v * 1e-9;
    return TSR_OK;
}

static tsr_status parse_pair(tsr_rank_machine *machine, const char *pair, tsr_error *err)
{
    const size_t n = strcspn(pair, "=");
    const size_t row = tsr_name_find(&numbers[0].name, NNUMBERS, sizeof *numbers, pair, n);
    if (row < NNUMBERS && pair[n] == '=') {
        double v = 0;
        TSR_TRY(parse_number(&v, pair + n + 1, numbers[row].unit, err));
        memcpy((char *)machine + numbers[row].offset, &v, sizeof v);
        return TSR_OK;
    }
    tsr_text names = {0};
    for (int i = 0; i < NNUMBERS; i++)
        tsr_text_addf(&names, "%s%s", i == 0 ? "" : i + 1 < NNUMBERS ? ", " : " or ", numbers[i].name);
    const tsr_status status =
        tsr_fail(err, TSR_ARGUMENT, "'%s' is not NAME=NUMBER, where NAME is %s", pair, tsr_text_cstr(&names));
    tsr_text_clear(&names);
    return status;
}

tsr_status tsr_rank_machine_parse(tsr_rank_machine *machine, const char *text, tsr_error *err)
{
    for (const char *p = text;; p++) {
        char pair[64];
        const size_t n = strcspn(p, ",");
        if (n >= sizeof pair)
            return tsr_fail(err, TSR_ARGUMENT, "'%.60s...' is not NAME=NUMBER", p);
        memcpy(pair, p, n);
        pair[n] = '\0';
        TSR_TRY(parse_pair(machine, pair, err));
        p += n;
        if (*p == '\0')
            return TSR_OK;
    }
}

/* ---- counting ---- */

enum { CHUNK = 1 << 14 }; /* entries for which tconv chooses the widths of a record */

static tsr_status check_order(int order, tsr_error *err)
{
    return order >= 2
               ? TSR_OK
               : tsr_fail(err, TSR_ARGUMENT,
                          "--ranks needs a matrix or a tensor of more modes, and this one has %d", order);
}

/* The kernels on their grids: SpMV by rows and by blocks, MTTKRP by blocks. */
static const struct {
    bool of_matrices;
    const char *kernel;
    tsr_grid_kind kind;
} kinds[TSR_RANK_KERNELS] = {
    {true, "spmv", TSR_GRID_ROWS}, {true, "spmv", TSR_GRID_MEDIUM}, {false, "mttkrp", TSR_GRID_MEDIUM}};

/* The counters of the entries: the slices in the first pass; in the second pass the rows of the kernels, if not
 * NULL. */
typedef struct tally {
    tsr_slices *slices; /* NULL: the second pass */
    tsr_grid grid[TSR_RANK_KERNELS];
    tsr_volume_counter *counter[TSR_RANK_KERNELS];
    const tsr_rank_figures *ranks;
} tally;

static tsr_status tally_add(tally *to, uint64_t n, const uint64_t *const *crd, tsr_error *err)
{
    if (to->slices)
        return tsr_slices_add(to->slices, n, crd, err);
    for (int m = 0; m < to->ranks->slices.order; m++)
        for (uint64_t i = 0; i < n; i++)
            if (crd[m][i] >= to->ranks->slices.dims[m])
                return tsr_fail(err, TSR_CORRUPT, "the input has changed while it was read");
    for (int k = 0; k < TSR_RANK_KERNELS; k++)
        if (to->counter[k])
            tsr_volume_counter_add(to->counter[k], n, crd);
    return TSR_OK;
}

/* The second pass. *useful: a kernel can be counted. */
static tsr_status tally_begin(tally *to, bool *useful, const tsr_rank_figures *ranks, tsr_error *err)
{
    to->slices = NULL;
    to->ranks = ranks;
    *useful = false;
    for (int k = 0; k < TSR_RANK_KERNELS && ranks->nranks > 0; k++) {
        if (kinds[k].of_matrices != (ranks->slices.order == 2))
            continue;
        TSR_TRY(tsr_grid_init(&to->grid[k], &ranks->slices, ranks->nranks, kinds[k].kind, err));
        const tsr_status status = tsr_volume_counter_new(&to->counter[k], &to->grid[k], &ranks->slices, err);
        if (status != TSR_LIMIT) /* after TSR_LIMIT the rows are expected */
            TSR_TRY(status);
        *useful = *useful || status == TSR_OK;
    }
    return TSR_OK;
}

/* Take the numbers of a pass that succeeded, and free everything. */
static void tally_end(tally *to, tsr_rank_figures *ranks, tsr_status status)
{
    for (int k = 0; k < TSR_RANK_KERNELS; k++) {
        ranks->counted[k] = to->counter[k] && status == TSR_OK;
        if (ranks->counted[k])
            tsr_volume_counter_end(&ranks->volume[k], to->counter[k]);
        tsr_volume_counter_free(to->counter[k]);
        tsr_grid_clear(&to->grid[k]);
    }
}

/* Count entries, and the cells on the other side of the diagonal. */
static tsr_status add_entries(tally *to, uint64_t n, const uint64_t *const *crd, bool mirrored,
                              tsr_error *err)
{
    uint64_t row[256], column[256];
    const uint64_t *const mirror[2] = {row, column};
    uint64_t m = 0;
    TSR_TRY(tally_add(to, n, crd, err));
    for (uint64_t i = 0; i < n && mirrored; i++) {
        if (crd[0][i] != crd[1][i]) {
            row[m] = crd[1][i];
            column[m++] = crd[0][i];
        }
        if (m == sizeof row / sizeof *row || i + 1 == n) {
            TSR_TRY(tally_add(to, m, mirror, err));
            m = 0;
        }
    }
    return TSR_OK;
}

/* The bytes of entries [first, first + n) of a run in the records in which tconv sends them. */
static double records_nbytes(const tsr_run *run, const tsr_facts *facts, uint64_t first, uint64_t n)
{
    size_t nbytes = 0;
    for (int m = 0; m < facts->order; m++) {
        uint64_t all = 0;
        for (uint64_t i = first; i < first + n; i++)
            all |= run->crd[m][i];
        nbytes += tsr_width_for(all);
    }
    const size_t width = tsr_type_nbytes(run->type);
    if (!facts->iso)
        nbytes += tsr_stream_value_width(run->type, (const unsigned char *)run->values + first * width, n);
    return (double)nbytes * (double)n;
}

static void finish_sizes(tsr_rank_figures *ranks, double records, uint64_t nread, size_t value_nbytes)
{
    ranks->record_nbytes = nread > 0 ? records / (double)nread : 0;
    ranks->entry_nbytes = (double)value_nbytes;
    for (int m = 0; m < ranks->slices.order; m++)
        ranks->entry_nbytes +=
            (double)tsr_width_for(ranks->slices.dims[m] > 0 ? ranks->slices.dims[m] - 1 : 0);
}

static tsr_status count_again(tsr_rank_figures *ranks, tsr_feed *feed, const tsr_observer *observer,
                              tsr_error *err)
{
    tally to = {.slices = NULL};
    bool more;
    tsr_status status = tally_begin(&to, &more, ranks, err);
    if (status == TSR_OK && more)
        status = tsr_feed_seek(feed, 0, UINT64_MAX, err);
    while (status == TSR_OK && more) {
        tsr_run run;
        TSR_TRY_OUT(tsr_feed_next(&run, feed, err));
        TSR_TRY_OUT(add_entries(&to, run.n, run.crd, feed->facts.structure != TSR_GENERAL, err));
        TSR_TRY_OUT(tsr_progress(observer, "count rows", feed->place, feed->length, err));
        more = run.n > 0;
    }
out:
    tally_end(&to, ranks, status);
    return status;
}

tsr_status tsr_rank_figures_count(tsr_rank_figures *ranks, tsr_feed *feed, const tsr_observer *observer,
                                  tsr_error *err)
{
    const tsr_facts *const facts = &feed->facts;
    tally to = {.slices = &ranks->slices};
    double records = 0;
    uint64_t nread = 0;
    TSR_TRY(check_order(facts->order, err));
    TSR_TRY(tsr_slices_init(&ranks->slices, facts->order, facts->has_dims ? facts->dims : NULL, err));
    for (tsr_run run;;) {
        TSR_TRY(tsr_feed_next(&run, feed, err));
        if (run.n == 0)
            break;
        TSR_TRY(add_entries(&to, run.n, run.crd, facts->structure != TSR_GENERAL, err));
        for (uint64_t first = 0; first < run.n; first += CHUNK)
            records += records_nbytes(&run, facts, first, run.n - first < CHUNK ? run.n - first : CHUNK);
        nread += run.n;
        TSR_TRY(tsr_progress(observer, "read", feed->place, feed->length, err));
    }
    finish_sizes(ranks, records, nread, facts->iso ? 0 : tsr_type_nbytes(facts->type));
    return feed->can_rewind ? count_again(ranks, feed, observer, err) : TSR_OK;
}

typedef struct walking {
    tally *to;
    bool mirrored;
    tsr_status status;
    tsr_error *err;
} walking;

static bool take_block(void *arg, int t, const tsr_cell_block *block)
{
    walking *const w = arg;
    (void)t;
    w->status = add_entries(w->to, block->n, block->crd, w->mirrored, w->err);
    return w->status == TSR_OK;
}

static tsr_status walk(tally *to, const tsr_data *data, tsr_error *err)
{
    walking w = {.to = to, .mirrored = tsr_data_structure(data) != TSR_GENERAL, .err = err};
    tsr_cells *cells;
    TSR_TRY(tsr_cells_new(&cells, data->tensor, data->coo, 1, err));
    const tsr_status status = tsr_cells_walk(cells, take_block, &w, err);
    tsr_cells_free(cells);
    return status == TSR_OK ? w.status : status;
}

tsr_status tsr_rank_figures_count_data(tsr_rank_figures *ranks, const tsr_data *data, tsr_error *err)
{
    const bool iso = data->coo ? data->coo->iso : data->tensor->iso;
    const size_t value = iso ? 0 : tsr_type_nbytes(data->coo ? data->coo->type : data->tensor->type);
    tally to = {.slices = &ranks->slices};
    bool again;
    TSR_TRY(check_order(tsr_data_order(data), err));
    TSR_TRY(tsr_slices_init(&ranks->slices, tsr_data_order(data), tsr_data_dims(data), err));
    tsr_status status = walk(&to, data, err);
    finish_sizes(ranks, 0, 0, value);
    ranks->record_nbytes = ranks->entry_nbytes;
    if (status == TSR_OK)
        status = tally_begin(&to, &again, ranks, err);
    if (status == TSR_OK && again)
        status = walk(&to, data, err);
    tally_end(&to, ranks, status);
    return status;
}

void tsr_rank_figures_clear(tsr_rank_figures *ranks)
{
    tsr_slices_clear(&ranks->slices);
}

/* ---- figures ---- */

/* A kernel on a grid. */
typedef struct kernel_figures {
    const char *kernel;
    uint32_t ncolumns;
    tsr_grid grid;
    bool counted; /* else expected */
    tsr_volume volume;
    double mean_nnz, balance;           /* balance: the largest share divided by the mean */
    double entries_nbytes, rows_nbytes; /* memory of a rank: of the largest share; of the mean */
    double moved, moved_nbytes;         /* rows of one product, of all ranks together */
    double compute_s, exchange_s;
} kernel_figures;

static tsr_status find_kernel(kernel_figures *k, const tsr_rank_figures *ranks, int kind, tsr_error *err)
{
    const double p = ranks->nranks, row = 8.0 * k->ncolumns;
    double used = 0;
    TSR_TRY(tsr_grid_init(&k->grid, &ranks->slices, ranks->nranks, kinds[kind].kind, err));
    k->counted = ranks->counted[kind];
    if (k->counted)
        k->volume = ranks->volume[kind];
    else
        TSR_TRY(tsr_volume_model(&k->volume, &k->grid, &ranks->slices, err));
    k->mean_nnz = (double)ranks->slices.nnz / p;
    k->balance = k->mean_nnz > 0 ? k->volume.max_nnz / k->mean_nnz : 1;
    k->entries_nbytes = k->volume.max_nnz * ranks->entry_nbytes;
    for (int m = 0; m < k->grid.order; m++) {
        used += k->volume.mode[m].used;
        k->moved += k->volume.mode[m].moved;
    }
    k->rows_nbytes = used / p * row;
    k->moved_nbytes = k->moved * row;
    k->compute_s = k->volume.max_nnz * k->ncolumns * ranks->machine.multiply / ranks->machine.cores;
    k->exchange_s = k->moved_nbytes / p / ranks->machine.network;
    return TSR_OK;
}

/* Call `take` for each kernel. */
static tsr_status for_kernels(const tsr_rank_figures *ranks, void (*take)(void *to, const kernel_figures *k),
                              void *to, tsr_error *err)
{
    tsr_status status = TSR_OK;
    for (int i = 0; i < TSR_RANK_KERNELS && status == TSR_OK; i++) {
        if (kinds[i].of_matrices != (ranks->slices.order == 2))
            continue;
        const uint32_t usual = ranks->slices.order == 2 ? 1 : 16;
        kernel_figures k = {.kernel =
                                ranks->ncolumns > 0 && ranks->slices.order == 2 ? "spmm" : kinds[i].kernel,
                            .ncolumns = ranks->ncolumns ? ranks->ncolumns : usual};
        status = find_kernel(&k, ranks, i, err);
        /* blocks of whole rows are those of the kernel by rows, which was shown before */
        const bool again =
            kinds[i].of_matrices && kinds[i].kind == TSR_GRID_MEDIUM && k.grid.n[0] == ranks->nranks;
        if (status == TSR_OK && !again)
            take(to, &k);
        tsr_grid_clear(&k.grid);
    }
    return status;
}

/* A step of a conversion by tconv, after the step before. */
typedef struct step_figures {
    const char *step;
    double nbytes, seconds; /* of all ranks together */
} step_figures;
enum { NSTEPS = 6 };

static double shared(const tsr_rank_figures *ranks, double nbytes)
{
    const double all = ranks->nranks * ranks->machine.file;
    return nbytes / (all < ranks->machine.files ? all : ranks->machine.files);
}

/* See docs/scale.md#bytes: a rank writes its part of the entries twice, before and after the exchange, and the arrays. */
static void find_steps(step_figures steps[NSTEPS], const tsr_rank_figures *ranks)
{
    const tsr_rank_machine *const machine = &ranks->machine;
    const double p = ranks->nranks, n = (double)ranks->slices.nnz, text = (double)ranks->file_nbytes,
                 records = n * ranks->record_nbytes, out = n * ranks->entry_nbytes,
                 temporary = (p > 1 ? 2 : 1) * records + out, sent = records * (p - 1) / p;
    const step_figures all[NSTEPS] = {
        {"read the file", text, shared(ranks, text)},
        {"parse, sort, pack", 0, n * machine->convert / (p * machine->cores)},
        {"write temporary files", temporary, temporary / p / machine->write},
        {"read temporary files", temporary, temporary / p / machine->read},
        {"send to other ranks", sent, sent / p / machine->network},
        {"write the output", out, shared(ranks, out)},
    };
    memcpy(steps, all, sizeof all);
}

double tsr_rank_figures_conversion_s(const tsr_rank_figures *ranks)
{
    step_figures steps[NSTEPS];
    double sum = 0;
    find_steps(steps, ranks);
    for (int i = 0; i < NSTEPS; i++)
        sum += steps[i].seconds;
    return sum;
}

/* ---- words ---- */

const char *tsr_rank_grid_text(char buf[TSR_RANK_GRID_NBYTES], int order, const uint32_t *n, const char *by)
{
    size_t at = 0;
    buf[0] = '\0';
    for (int m = 0; m < order && at < TSR_RANK_GRID_NBYTES; m++)
        at += (size_t)snprintf(buf + at, TSR_RANK_GRID_NBYTES - at, "%s%u", m ? by : "", (unsigned)n[m]);
    return buf;
}

void tsr_rank_grid_json(tsr_json *json, int order, const uint32_t *n)
{
    tsr_json_open(json, "grid", '[', true);
    for (int m = 0; m < order; m++)
        tsr_json_u64(json, NULL, n[m]);
    tsr_json_close(json, ']');
}

const char *tsr_rank_seconds_text(char buf[32], double s)
{
    if (s < 1e-3)
        snprintf(buf, 32, "%.3g us", s * 1e6);
    else if (s < 1)
        snprintf(buf, 32, "%.3g ms", s * 1e3);
    else
        snprintf(buf, 32, "%.3g s", s);
    return buf;
}

static const char *count_text(char buf[32], double n)
{
    snprintf(buf, 32, n < 1e15 ? "%.0f" : "%.4g", n);
    return buf;
}

static void print_rows(FILE *to, const kernel_figures *k, const tsr_slices *slices)
{
    static const char *const head[] = {"mode",       "slices",  "chunks",     "rows on a rank",
                                       "rows moved", "at most", "bytes moved"};
    char text[32];
    tsr_cli_table table = {0};
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        tsr_cli_table_cell(&table, "%s", head[i]);
    tsr_cli_table_end_row(&table);
    for (int m = 0; m < k->grid.order; m++) {
        const tsr_volume_mode *const mode = &k->volume.mode[m];
        tsr_cli_table_cell(&table, "%d", m);
        tsr_cli_table_cell(&table, "%llu", (unsigned long long)slices->dims[m]);
        tsr_cli_table_cell(&table, "%u", (unsigned)k->grid.n[m]);
        tsr_cli_table_cell(&table, "%s", count_text(text, mode->used / k->grid.nranks));
        tsr_cli_table_cell(&table, "%s", count_text(text, mode->moved));
        tsr_cli_table_cell(&table, "%s", count_text(text, mode->bound));
        tsr_cli_table_cell(&table, "%s", tsr_bytes_text_f(text, mode->moved * 8 * k->ncolumns));
        tsr_cli_table_end_row(&table);
    }
    tsr_cli_table_print(to, &table, "r");
}

typedef struct printing {
    FILE *to;
    const tsr_rank_figures *ranks;
} printing;

static void print_kernel(void *arg, const kernel_figures *k)
{
    const printing *const p = arg;
    char a[32], b[32], grid[TSR_RANK_GRID_NBYTES];
    fprintf(p->to, "\n%s, %u column%s of f64, on a grid of %s ranks; rows and balance are %s\n", k->kernel,
            (unsigned)k->ncolumns, k->ncolumns == 1 ? "" : "s",
            tsr_rank_grid_text(grid, k->grid.order, k->grid.n, " x "),
            k->counted ? "counted" : "those expected for uniformly random entries");
    print_rows(p->to, k, &p->ranks->slices);
    fprintf(p->to, "balance     the largest rank has %s entries, %.3f times the mean\n",
            count_text(a, k->volume.max_nnz), k->balance);
    fprintf(p->to, "memory      of a rank: %s for entries, ", tsr_bytes_text_f(a, k->entries_nbytes));
    fprintf(p->to, "%s for rows\n", tsr_bytes_text_f(a, k->rows_nbytes));
    fprintf(p->to, "one product %s of computing, %s of sending %s\n", tsr_rank_seconds_text(a, k->compute_s),
            tsr_rank_seconds_text(b, k->exchange_s), tsr_bytes_text_f((char[32]){0}, k->moved_nbytes));
}

static void print_conversion(FILE *to, const tsr_rank_figures *ranks)
{
    step_figures steps[NSTEPS];
    char text[32];
    tsr_cli_table table = {0};
    find_steps(steps, ranks);
    for (int i = 0; i < NSTEPS; i++) {
        tsr_cli_table_cell(&table, "%s", steps[i].step);
        tsr_cli_table_cell(&table, "%s", steps[i].nbytes > 0 ? tsr_bytes_text_f(text, steps[i].nbytes) : "");
        tsr_cli_table_cell(&table, "%s", tsr_rank_seconds_text(text, steps[i].seconds));
        tsr_cli_table_end_row(&table);
    }
    tsr_cli_table_cell(&table, "together");
    tsr_cli_table_cell(&table, "%s", "");
    tsr_cli_table_cell(&table, "%s", tsr_rank_seconds_text(text, tsr_rank_figures_conversion_s(ranks)));
    tsr_cli_table_end_row(&table);
    fputs("\nconversion by tconv: bytes of all ranks, one step after the other\n", to);
    tsr_cli_table_print(to, &table, "lrr");
}

/* The memory that a rank needs for its share in one piece, entries and their order, at most 2 GiB a processor: a larger share is
 * packed piece by piece. For each processor, in MiB. */
static uint64_t processor_mb(const tsr_rank_figures *ranks)
{
    enum { LEAST_MB = 64, MOST_MB = 2048 };
    const double nbytes =
        ranks->record_nbytes > ranks->entry_nbytes ? ranks->record_nbytes : ranks->entry_nbytes;
    const double share = 3 * nbytes * (double)ranks->slices.nnz / ranks->nranks / (1 << 20);
    const double mb = ceil((LEAST_MB + share) / ranks->machine.cores / LEAST_MB) * LEAST_MB;
    return mb < MOST_MB ? (uint64_t)mb : MOST_MB;
}

/* "sbatch ...": the conversion as a job of Slurm. A name that a shell would not take as it is is left to the user. */
static void add_job(tsr_text *text, const tsr_rank_figures *ranks)
{
    const char *const plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._/,+=:@-";
    const bool is_plain = ranks->path[0] != '-' && ranks->path[strspn(ranks->path, plain)] == '\0';
    tsr_text_addf(
        text,
        "sbatch --ntasks=%u --cpus-per-task=%.0f --mem-per-cpu=%lluM --wrap='srun --mpi=pmix tconv %s "
        "--format=%s -o OUT'",
        (unsigned)ranks->nranks, ranks->machine.cores, (unsigned long long)processor_mb(ranks),
        is_plain ? ranks->path : "IN", ranks->slices.order == 2 ? "csr" : "csf");
}

static void print_job(FILE *to, const tsr_rank_figures *ranks)
{
    tsr_text text = {0};
    add_job(&text, ranks);
    fprintf(to, "as a job of Slurm: %s\n", tsr_text_cstr(&text));
    tsr_text_clear(&text);
}

void tsr_rank_machine_print(FILE *to, const tsr_rank_machine *machine)
{
    char text[32];
    fputs("assumed (--machine): ", to);
    for (int i = 0; i < NNUMBERS; i++) {
        const double v = number_at(machine, i);
        fprintf(to, "%s%s ", i ? ", " : "", numbers[i].name);
        if (numbers[i].unit == CORES)
            fprintf(to, "%.0f", v);
        else if (numbers[i].unit == SIZE)
            fprintf(to, "%s/s", tsr_bytes_text_f(text, v));
        else
            fprintf(to, "%.4g ns", v * 1e9);
    }
    fputc('\n', to);
}

tsr_status tsr_rank_figures_print(FILE *to, const tsr_rank_figures *ranks, tsr_error *err)
{
    printing p = {to, ranks};
    char path[TSR_SHOWN_NBYTES];
    tsr_text dims = {0};
    tsr_cli_add_dims(&dims, ranks->slices.order, ranks->slices.dims);
    fprintf(to, "%s: %s, %llu nonzeros, on %u rank%s\n", tsr_show(path, ranks->path), tsr_text_cstr(&dims),
            (unsigned long long)ranks->slices.nnz, (unsigned)ranks->nranks, ranks->nranks == 1 ? "" : "s");
    tsr_text_clear(&dims);
    TSR_TRY(for_kernels(ranks, print_kernel, &p, err));
    print_conversion(to, ranks);
    print_job(to, ranks);
    fputc('\n', to);
    tsr_rank_machine_print(to, &ranks->machine);
    return TSR_OK;
}

/* ---- JSON ---- */

static void put_kernel(void *arg, const kernel_figures *k)
{
    tsr_json *const json = arg;
    tsr_json_open(json, NULL, '{', false);
    tsr_json_string(json, "kernel", k->kernel);
    tsr_json_u64(json, "columns", k->ncolumns);
    tsr_rank_grid_json(json, k->grid.order, k->grid.n);
    tsr_json_bool(json, "counted", k->counted);
    tsr_json_f64(json, "mean_nnz", k->mean_nnz);
    tsr_json_f64(json, "max_nnz", k->volume.max_nnz);
    tsr_json_f64(json, "entries_bytes", k->entries_nbytes);
    tsr_json_f64(json, "rows_bytes", k->rows_nbytes);
    tsr_json_open(json, "modes", '[', false);
    for (int m = 0; m < k->grid.order; m++) {
        tsr_json_open(json, NULL, '{', true);
        tsr_json_f64(json, "rows_used", k->volume.mode[m].used);
        tsr_json_f64(json, "rows_moved", k->volume.mode[m].moved);
        tsr_json_f64(json, "rows_bound", k->volume.mode[m].bound);
        tsr_json_close(json, '}');
    }
    tsr_json_close(json, ']');
    tsr_json_f64(json, "moved_bytes", k->moved_nbytes);
    tsr_json_f64(json, "compute_s", k->compute_s);
    tsr_json_f64(json, "exchange_s", k->exchange_s);
    tsr_json_close(json, '}');
}

void tsr_rank_machine_json(tsr_json *json, const tsr_rank_machine *machine)
{
    tsr_json_open(json, "assumed", '{', true);
    for (int i = 0; i < NNUMBERS; i++)
        tsr_json_f64(json, numbers[i].name, number_at(machine, i));
    tsr_json_close(json, '}');
}

tsr_status tsr_rank_figures_json(tsr_json *json, const tsr_rank_figures *ranks, tsr_error *err)
{
    step_figures steps[NSTEPS];
    tsr_json_string(json, "file", ranks->path);
    tsr_json_dims(json, "dims", ranks->slices.order, ranks->slices.dims);
    tsr_json_u64(json, "nnz", ranks->slices.nnz);
    tsr_json_u64(json, "ranks", ranks->nranks);
    tsr_json_open(json, "kernels", '[', false);
    TSR_TRY(for_kernels(ranks, put_kernel, json, err));
    tsr_json_close(json, ']');
    tsr_json_open(json, "conversion", '[', false);
    find_steps(steps, ranks);
    for (int i = 0; i < NSTEPS; i++) {
        tsr_json_open(json, NULL, '{', true);
        tsr_json_string(json, "step", steps[i].step);
        tsr_json_f64(json, "bytes", steps[i].nbytes);
        tsr_json_f64(json, "seconds", steps[i].seconds);
        tsr_json_close(json, '}');
    }
    tsr_json_close(json, ']');
    tsr_rank_machine_json(json, &ranks->machine);
    tsr_text job = {0};
    add_job(&job, ranks);
    tsr_json_string(json, "job", tsr_text_cstr(&job));
    tsr_text_clear(&job);
    return TSR_OK;
}
