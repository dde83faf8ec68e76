/* tbench calibrate: measures what generated kernels assume of the machine, and keeps it in the user's cache folder. */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "bench_commands.h"
#include "bench_random.h"
#include "calibrate_costs.h"
#include "options.h"
#include "report.h"
#include "rows.h"
#include "tsr_alloc.h"
#include "tsr_folder.h"
#include "tsr_kernel.h"
#include "tsr_machine.h"
#include "tsr_output.h"
#include "tsr_shown.h"

enum {
    ROW = 16, /* doubles of a row: two lines of 64 bytes */
    ROW_LINES = 2,
    MAX_TABLE = 128 << 20, /* bytes of the table of rows, at most */
    NROWS_READ = 1 << 19,  /* rows that one run reads */
    NTURNS = 3,
    NREPEATS = 3,     /* a number is kept only if all repetitions find it */
    FIRST_LINES = 16, /* the fewest lines under way that are tried; then twice as many */
    NTRIED = 6,
};
static const double pays =
    0.9; /* the default is kept unless another number takes less than this part of its time */

typedef struct calibrate_settings {
    tsr_cli_common common; /* first: see options.h */
    const char *output;
    bool dry;
} calibrate_settings;

static tsr_status set_output(void *settings, const char *value, tsr_error *err)
{
    ((calibrate_settings *)settings)->output = value;
    return *value ? TSR_OK : tsr_fail(err, TSR_ARGUMENT, "missing file name: give --output=FILE");
}

TSR_CLI_SET_FLAG(calibrate_settings, dry, dry)

static const tsr_cli_option options[] = {
    {.help = "Options"},
    {"output", 'o', "FILE",
     "where the numbers are kept (default: $TSR_TUNING, else tuning in the cache folder of kernels)",
     set_output, NULL},
    {"print", 0, NULL, "measure and print the numbers, and write no file", set_dry, NULL},
    {"quiet", 'q', NULL, "print errors only", tsr_cli_set_quiet, NULL},
    TSR_CLI_ROW_HELP,
    TSR_CLI_ROW_VERSION,
    {0},
};

static const tsr_cli_tool tool = {
    .name = "tbench calibrate",
    .usage = "[OPTION]...",
    .summary = "Measure for a few seconds what generated kernels assume of this machine, and keep the "
               "numbers for tkern and tbench: the size from which rows of tensors are prefetched, the "
               "number of cache lines to fetch at the same time, and the cost of atomic additions and "
               "of new pages compared with private copies; and what streams, entries, rows and misses of "
               "caches cost, for the advisor (tinfo --advise). A number that varies between repetitions, as "
               "on a busy machine, stays the default. The other numbers follow from the sizes of "
               "caches, with and without this command. The results of kernels do not change, only their "
               "speed. To return to the numbers that follow from caches, remove the file.",
    .notes = TSR_EXIT_CODES_HELP,
    .options = options,
};

/* ---- measuring ---- */

typedef struct rows {
    double *table;
    uint32_t *at; /* NROWS_READ: the rows in the order of reading */
    double sum;   /* of what was read, so that the reads are not left out */
} rows;

/* Rows of a table of nbytes at random. */
static tsr_status make_rows(rows *r, uint64_t nbytes, tsr_error *err)
{
    const uint64_t n = (nbytes < MAX_TABLE ? nbytes : MAX_TABLE) / (ROW * sizeof *r->table);
    r->table = tsr_malloc(n * ROW * sizeof *r->table);
    r->at = tsr_malloc(NROWS_READ * sizeof *r->at);
    if (!r->table || !r->at)
        return tsr_fail(err, TSR_NOMEM, "out of memory: a table of %" PRIu64 " rows", n);
    for (uint64_t i = 0; i < n * ROW; i++)
        r->table[i] = (double)(i % 7);
    uint64_t state = 1;
    for (int i = 0; i < NROWS_READ; i++)
        r->at[i] = (uint32_t)((bench_random(&state) >> 33) % n);
    return TSR_OK;
}

/* Read all rows, each prefetched `distance` rows before, or not at all (0); returns nanoseconds. */
static uint64_t read_rows(rows *r, int distance)
{
    double sum[ROW] = {0};
    const uint64_t start = tsr_now_ns();
    for (int i = 0; i < NROWS_READ; i++) {
        const double *const row = &r->table[(uint64_t)r->at[i] * ROW];
        if (distance > 0) {
            const int later = i + distance < NROWS_READ ? i + distance : i;
            const double *const ahead = &r->table[(uint64_t)r->at[later] * ROW];
            __builtin_prefetch(ahead);
            __builtin_prefetch(ahead + ROW / ROW_LINES);
        }
        for (int k = 0; k < ROW; k++)
            sum[k] += row[k];
    }
    const uint64_t ns = tsr_now_ns() - start;
    for (int k = 0; k < ROW; k++)
        r->sum += sum[k];
    return ns;
}

/* Whether prefetching rows of this table does not pay. */
static bool is_near(rows *r)
{
    uint64_t with = UINT64_MAX, without = UINT64_MAX;
    for (int turn = 0; turn < NTURNS; turn++) {
        uint64_t ns = read_rows(r, 2 * FIRST_LINES / ROW_LINES);
        with = ns < with ? ns : with;
        ns = read_rows(r, 0);
        without = ns < without ? ns : without;
    }
    return pays * (double)without <= (double)with;
}

/* The number of lines under way that is fastest, if that pays beside the default. */
static uint64_t best_lines(rows *r)
{
    uint64_t least[NTRIED], usual = 0;
    int best = 0;
    for (int k = 0; k < NTRIED; k++)
        least[k] = UINT64_MAX;
    for (int turn = 0; turn < NTURNS; turn++)
        for (int k = 0; k < NTRIED; k++) {
            const uint64_t ns = read_rows(r, (FIRST_LINES << k) / ROW_LINES);
            least[k] = ns < least[k] ? ns : least[k];
        }
    const uint64_t lines = tsr_tuning_complete(NULL).prefetch_lines;
    for (int k = 0; k < NTRIED; k++) {
        best = least[k] < least[best] ? k : best;
        usual = lines == (uint64_t)FIRST_LINES << k ? least[k] : usual;
    }
    return (double)least[best] < pays * (double)usual ? (uint64_t)FIRST_LINES << best : lines;
}

/* The number of lines that all repetitions find; else the default, and *varies is set. */
static uint64_t agreed_lines(bool *varies, rows *r)
{
    const uint64_t first = best_lines(r);
    for (int k = 1; k < NREPEATS; k++)
        *varies = *varies || best_lines(r) != first;
    return *varies ? tsr_tuning_complete(NULL).prefetch_lines : first;
}

/* Whether all repetitions find rows near; if only some do, *varies is set. */
static bool agreed_near(bool *varies, rows *r)
{
    int nnear = 0;
    for (int k = 0; k < NREPEATS; k++)
        nnear += is_near(r);
    *varies = nnear > 0 && nnear < NREPEATS;
    return nnear == NREPEATS;
}

/* ---- what atomic additions and copies cost ---- */

/* The nanoseconds of additions to elements of the table at random, plain or as the atomic additions of kernels. */
static uint64_t add_to_rows(rows *r, bool is_atomic)
{
    const uint64_t start = tsr_now_ns();
    for (int i = 0; i < NROWS_READ; i++) {
        double *const x = &r->table[(uint64_t)r->at[i] * ROW];
        if (is_atomic) {
#pragma omp atomic
            *x += 1;
        } else
            *x += 1;
    }
    const uint64_t ns = tsr_now_ns() - start;
    r->sum += r->table[(uint64_t)r->at[0] * ROW];
    return ns;
}

/* The nanoseconds of clearing a copy of n elements and of adding it to the first n elements of the table. */
static uint64_t use_copy(rows *r, double *copy, uint64_t n)
{
    const uint64_t start = tsr_now_ns();
    for (uint64_t i = 0; i < n; i++)
        copy[i] = 0;
    for (uint64_t i = 0; i < n; i++)
        r->table[i] += copy[i];
    return tsr_now_ns() - start;
}

typedef struct costs {
    double atomic, page; /* as tsr_tuning has them */
} costs;

/* Measure both once. The table has at least COPY elements. */
static tsr_status measure_costs(costs *out, rows *r, tsr_error *err)
{
    enum { COPY = 1 << 16, NEW = 8 << 20 };
    uint64_t plain = UINT64_MAX, atomic = UINT64_MAX, used = UINT64_MAX, new = UINT64_MAX;
    for (int turn = 0; turn < NTURNS; turn++) {
        double *const copy = tsr_malloc(NEW * sizeof *copy);
        if (!copy)
            return tsr_fail(err, TSR_NOMEM, "out of memory: a copy of %d elements", (int)NEW);
        uint64_t ns = use_copy(r, copy, COPY); /* of these elements alone the pages are new once */
        ns = use_copy(r, copy, COPY);
        used = ns < used ? ns : used;
        const uint64_t start = tsr_now_ns();
        memset(copy + COPY, 0, (NEW - COPY) * sizeof *copy);
        ns = tsr_now_ns() - start;
        new = ns < new ? ns : new;
        tsr_free(copy);
        ns = add_to_rows(r, false);
        plain = ns < plain ? ns : plain;
        ns = add_to_rows(r, true);
        atomic = ns < atomic ? ns : atomic;
    }
    const double element = (double)(used ? used : 1) / COPY;
    out->atomic = (double)(atomic > plain ? atomic - plain : 0) / NROWS_READ / element;
    out->page = (double)new / (NEW - COPY) / element;
    return TSR_OK;
}

/* The middle one of NREPEATS numbers, from 1 to 1000, or 0 if they lie further than a factor of 1.5 from each other. */
static uint64_t agreed(const double *x)
{
    const double least = fmin(fmin(x[0], x[1]), x[2]), most = fmax(fmax(x[0], x[1]), x[2]);
    const double middle = x[0] + x[1] + x[2] - least - most;
    _Static_assert(NREPEATS == 3, "the middle of three");
    return most > 1.5 * least ? 0 : middle < 1 ? 1 : middle > 1000 ? 1000 : (uint64_t)(middle + 0.5);
}

static void clear_rows(rows *r)
{
    tsr_free(r->table);
    tsr_free(r->at);
    *r = (rows){0};
}

/* Numbers that differ between repetitions. */
typedef struct varying {
    bool lines, nbytes, atomic, page;
} varying;

/* What atomic additions and new pages cost, with a table in the second cache. */
static tsr_status measure_sharing(tsr_tuning *out, varying *varies, rows *r, tsr_error *err)
{
    double atomic[NREPEATS], page[NREPEATS];
    for (int k = 0; k < NREPEATS; k++) {
        costs c = {0};
        TSR_TRY(measure_costs(&c, r, err));
        atomic[k] = c.atomic;
        page[k] = c.page;
    }
    const uint64_t atomic_cost = agreed(atomic), page_cost = agreed(page);
    varies->atomic = atomic_cost == 0;
    varies->page = page_cost == 0;
    out->atomic_cost = atomic_cost ? atomic_cost : out->atomic_cost;
    out->page_cost = page_cost ? page_cost : out->page_cost;
    return TSR_OK;
}

/* Lines: with a table that does not fit the second cache. Bytes: with the part of that cache that needs no prefetch by
 * default. */
static tsr_status measure(tsr_tuning *out, varying *varies, tsr_error *err)
{
    const uint64_t second = tsr_cache_nbytes(2);
    rows r = {0};
    *out = tsr_tuning_of_machine();
    tsr_status status = make_rows(&r, 32 * (second ? second : UINT64_C(1) << 20), err);
    if (status == TSR_OK)
        out->prefetch_lines = agreed_lines(&varies->lines, &r);
    clear_rows(&r);
    if (status == TSR_OK)
        status = make_rows(&r, second > 1 << 20 ? second / 2 : 1 << 19, err);
    if (status == TSR_OK)
        status = measure_sharing(out, varies, &r, err);
    clear_rows(&r);
    if (status == TSR_OK && out->prefetch_nbytes > tsr_tuning_complete(NULL).prefetch_nbytes) {
        status = make_rows(&r, out->prefetch_nbytes, err);
        if (status == TSR_OK && !agreed_near(&varies->nbytes, &r) && !varies->nbytes)
            out->prefetch_nbytes = tsr_tuning_complete(NULL).prefetch_nbytes;
        clear_rows(&r);
    }
    return status == TSR_OK ? bench_calibrate_costs(out, err) : status;
}

/* ---- keeping ---- */

/* Make the folder of the file, which is the cache folder, where it is missing. */
static void make_folder(const char *path)
{
    tsr_text folder = {0};
    tsr_text_add(&folder, path);
    if (!folder.failed)
        tsr_folder_make_above(folder.s); /* writing reports what is wrong */
    tsr_text_clear(&folder);
}

static tsr_status keep(const char *path, const tsr_text *text, tsr_error *err)
{
    make_folder(path);
    return tsr_output_text(path, text, err);
}

/* Measure, print and keep. */
static tsr_status calibrate(const calibrate_settings *s, const char *path, tsr_error *err)
{
    tsr_tuning tuning;
    tsr_text text = {0};
    char shown[TSR_SHOWN_NBYTES];
    varying varies = {0};
    TSR_TRY(measure(&tuning, &varies, err));
    tsr_tuning_print(&text, &tuning);
    tsr_status status = tsr_text_status(&text, err);
    if (status == TSR_OK && !s->dry)
        status = keep(path, &text, err);
    if (status == TSR_OK && !s->common.quiet) {
        fputs(text.s, stdout);
        const struct {
            bool varies;
            const char *name;
        } said[] = {{varies.lines, "prefetch-lines"},
                    {varies.nbytes, "prefetch-bytes"},
                    {varies.atomic, "atomic-cost"},
                    {varies.page, "page-cost"}};
        for (size_t k = 0; k < sizeof said / sizeof *said; k++)
            if (said[k].varies)
                printf("%s varied between repetitions: the default is kept\n", said[k].name);
        if (!s->dry)
            printf("kept in %s\n", tsr_show(shown, path));
    }
    tsr_text_clear(&text);
    return status;
}

int bench_cmd_calibrate(int argc, char **argv)
{
    calibrate_settings settings = {0};
    tsr_cli_operands operands;
    tsr_cli_report report;
    tsr_error err = {0};
    tsr_text path = {0};
    const int done = tsr_cli_parse(&operands, &tool, &settings, argc, argv);
    if (done >= 0)
        return done;
    tsr_cli_report_init(&report, tool.name, settings.common.quiet);
    if (settings.output)
        tsr_text_add(&path, settings.output);
    else
        tsr_tuning_path(&path);
    tsr_status status = tsr_text_status(&path, &err);
    if (status == TSR_OK && path.nbytes == 0 && !settings.dry)
        status = tsr_fail(&err, TSR_ARGUMENT,
                          "no cache folder for the numbers is known: use --output=FILE, or set TSR_TUNING to "
                          "the name of a file");
    if (status == TSR_OK)
        status = calibrate(&settings, tsr_text_cstr(&path), &err);
    tsr_text_clear(&path);
    return status == TSR_OK ? TSR_EXIT_OK : tsr_cli_report_error(&report, &err);
}
