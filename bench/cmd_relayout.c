/* tbench relayout: measures the conversion of a dense tensor between two layouts, beside a loop that visits
 * every element and beside memcpy of the same bytes. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench_commands.h"
#include "bench_random.h"
#include "bench_options.h"
#include "tsr_alloc.h"
#include "tsr_parallel.h"
#include "tsr_relayout.h"

/* One row of the table: from `from` to `to`. The strides for the naive loop are computed before. */
typedef struct relayout_case {
    const char *name;
    int order;
    uint64_t dims[TSR_MAX_ORDER];
    const char *from, *to;
    int nbits;
} relayout_case;

#define TILES_8_128 \
    "(i, j) -> (i floordiv 8 : dense, j floordiv 128 : dense, i mod 8 : dense, j mod 128 : dense)"
#define TILES_16_BIT                                                                                      \
    "(i, j) -> (i floordiv 8 : dense, j floordiv 128 : dense, (i floordiv 2) mod 4 : dense, j mod 128 : " \
    "dense, i mod 2 : dense)"
#define TILES_8_BIT                                                                                      \
    "(i, j) -> (i floordiv 8 : dense, j floordiv 128 : dense, (i floordiv 4) mod 2 : dense, j mod 128 :" \
    " dense, i mod 4 : dense)"
#define ZN_16 "(i, j) -> (j floordiv 16 : dense, i floordiv 16 : dense, i mod 16 : dense, j mod 16 : dense)"
#define PITCH_8208 "(i, j) -> (i : dense, j : dense(pitch = 8208))"

static const relayout_case cases[] = {
    {"rows to columns, f64", 2, {4096, 4096}, "dd", "dd:1,0", 64},
    {"columns to rows, f64", 2, {4096, 4096}, "dd:1,0", "dd", 64},
    {"rows to columns, ragged f64", 2, {4097, 4099}, "dd", "dd:1,0", 64},
    {"rows to columns, f32", 2, {4096, 8192}, "dd", "dd:1,0", 32},
    {"rows to columns, 2 bytes", 2, {8192, 8192}, "dd", "dd:1,0", 16},
    {"rows to columns, 1 byte", 2, {8192, 16384}, "dd", "dd:1,0", 8},
    {"rows to columns, odd 1 byte", 2, {8256, 16576}, "dd", "dd:1,0", 8},
    {"rows to columns, 16 bytes", 2, {2048, 4096}, "dd", "dd:1,0", 128},
    {"rows to columns, 4 bits", 2, {16384, 16384}, "dd", "dd:1,0", 4},
    {"rows to columns, odd 4 bits", 2, {16512, 16768}, "dd", "dd:1,0", 4},
    {"rows to columns, 1 bit", 2, {32768, 32768}, "dd", "dd:1,0", 1},
    {"rows to columns, odd 1 bit", 2, {33280, 34304}, "dd", "dd:1,0", 1},
    {"rows to rows of pitch 8208, f32", 2, {4096, 8192}, "dd", PITCH_8208, 32},
    {"rows of pitch 8208 to columns, f32", 2, {4096, 8192}, PITCH_8208, "dd:1,0", 32},
    {"rows to T(8,128), f32", 2, {4096, 8192}, "dd", TILES_8_128, 32},
    {"T(8,128) to rows, f32", 2, {4096, 8192}, TILES_8_128, "dd", 32},
    {"rows to T(8,128), ragged f32", 2, {4097, 8195}, "dd", TILES_8_128, 32},
    {"rows to T(8,128)(2,1), bf16", 2, {8192, 8192}, "dd", TILES_16_BIT, 16},
    {"T(8,128)(2,1) to rows, bf16", 2, {8192, 8192}, TILES_16_BIT, "dd", 16},
    {"rows to T(8,128)(4,1), 1 byte", 2, {8192, 16384}, "dd", TILES_8_BIT, 8},
    {"rows to zN 16x16, 2 bytes", 2, {8192, 8192}, "dd", ZN_16, 16},
    {"zN 16x16 to rows, 2 bytes", 2, {8192, 8192}, ZN_16, "dd", 16},
    {"columns to zN 16x16, 2 bytes", 2, {8192, 8192}, "dd:1,0", ZN_16, 16},
    {"(0,1,2) to (2,1,0), f32", 3, {256, 512, 256}, "ddd", "ddd:2,1,0", 32},
    {"(0,1,2) to (1,0,2), f32", 3, {256, 512, 256}, "ddd", "ddd:1,0,2", 32},
    {"(0,1,2) to (0,2,1), f32", 3, {512, 512, 128}, "ddd", "ddd:0,2,1", 32},
    {"(0,1,2) to (1,2,0), f32", 3, {3, 2896, 3862}, "ddd", "ddd:1,2,0", 32},
};
enum { NCASES = sizeof cases / sizeof *cases, MAX_CANDIDATES = 10 };

/* The data of one row, shared by its candidates. */
typedef struct relayout_data {
    const relayout_case *row;
    tsr_format *to_format, *from_format;
    tsr_binding *to_binding, *from_binding;
    tsr_relayout *relayout;
    void *from, *to;
    uint64_t to_nbytes, from_nbytes;
} relayout_data;

typedef struct relayout_work {
    relayout_data *data;
    int nthreads;
} relayout_work;

/* ---- candidates ---- */

static tsr_status run_tessera(void *ctx, tsr_error *err)
{
    const relayout_work *w = ctx;
    const relayout_data *d = w->data;
    return tsr_relayout_run(d->relayout, &(tsr_relayout_copy){.to = d->to, .from = d->from}, w->nthreads,
                            err);
}

static void copy_part(void *arg, int t, int nthreads)
{
    const relayout_data *d = arg;
    const uint64_t n = d->to_nbytes < d->from_nbytes ? d->to_nbytes : d->from_nbytes;
    const uint64_t first = tsr_cut(n, t, nthreads), end = tsr_cut(n, t + 1, nthreads);
    memcpy((char *)d->to + first, (const char *)d->from + first, end - first);
}

static tsr_status run_memcpy(void *ctx, tsr_error *err)
{
    const relayout_work *w = ctx;
    (void)err;
    tsr_parallel(w->nthreads, copy_part, w->data);
    return TSR_OK;
}

/* Tabulate the positions of the coordinates of one mode, for a layout whose digits do not mix modes. */
static tsr_status tabulate(uint64_t *table, const tsr_binding *binding, int mode, tsr_error *err)
{
    for (uint64_t x = 0; x < binding->dims[mode]; x++) {
        int64_t at[TSR_MAX_ORDER] = {0}, result[TSR_MAX_LEVELS];
        at[mode] = (int64_t)x;
        TSR_TRY(tsr_map_eval(result, binding->forward, at, err));
        uint64_t p = 0;
        for (int l = 0; l < binding->format->nlevels; l++)
            p = p * binding->pitch[l] + (uint64_t)result[l];
        table[x] = p;
    }
    return TSR_OK;
}

static void move_bits(unsigned char *to, uint64_t to_at, const unsigned char *from, uint64_t from_at,
                      unsigned nbits)
{
    const uint64_t t = to_at * nbits, f = from_at * nbits;
    const unsigned mask = (1u << nbits) - 1;
    to[t / 8] = (unsigned char)((to[t / 8] & ~(mask << t % 8)) | (from[f / 8] >> f % 8 & mask) << t % 8);
}

#define LOOP(move)                                                       \
    for (uint64_t i = 0; i < n[0]; i++)                                  \
        for (uint64_t j = 0; j < n[1]; j++) {                            \
            const uint64_t p = t[0][i] + t[1][j], q = f[0][i] + f[1][j]; \
            for (uint64_t k = 0; k < n[2]; k++) {                        \
                const uint64_t a = p + t[2][k], b = q + f[2][k];         \
                move;                                                    \
            }                                                            \
        }

/* Visit every element in the order of the modes, and look up its two positions. */
static void loop(const relayout_data *d, const uint64_t *n, uint64_t *const *t, uint64_t *const *f)
{
    const void *from = d->from;
    void *to = d->to;
    switch (d->row->nbits) {
    case 8:
        LOOP(((uint8_t *)to)[a] = ((const uint8_t *)from)[b])
        break;
    case 16:
        LOOP(((uint16_t *)to)[a] = ((const uint16_t *)from)[b])
        break;
    case 32:
        LOOP(((uint32_t *)to)[a] = ((const uint32_t *)from)[b])
        break;
    case 64:
        LOOP(((uint64_t *)to)[a] = ((const uint64_t *)from)[b])
        break;
    case 128:
        LOOP(memcpy((char *)to + 16 * a, (const char *)from + 16 * b, 16))
        break;
    default:
        LOOP(move_bits(to, a, from, b, (unsigned)d->row->nbits))
    }
}

static tsr_status run_naive(void *ctx, tsr_error *err)
{
    const relayout_work *w = ctx;
    const relayout_data *d = w->data;
    uint64_t n[3] = {1, 1, 1}, *t[3] = {NULL}, *f[3] = {NULL};
    tsr_status status = TSR_OK;
    const int first = 3 - d->row->order;
    for (int m = 0; m < 3 && status == TSR_OK; m++) {
        void *p;
        n[m] = m < first ? 1 : d->row->dims[m - first];
        TSR_TRY_OUT(tsr_alloc_array(&p, n[m], sizeof **t, 1, "a table", err));
        t[m] = p;
        TSR_TRY_OUT(tsr_alloc_array(&p, n[m], sizeof **f, 1, "a table", err));
        f[m] = p;
        if (m < first)
            continue;
        TSR_TRY_OUT(tabulate(t[m], d->to_binding, m - first, err));
        TSR_TRY_OUT(tabulate(f[m], d->from_binding, m - first, err));
    }
    loop(d, n, t, f);
out:
    for (int m = 0; m < 3; m++) {
        tsr_free(t[m]);
        tsr_free(f[m]);
    }
    return status;
}

/* Compare Tessera's answer with that of the naive loop. */
static tsr_status check_tessera(void *ctx, tsr_error *err)
{
    relayout_work *w = ctx;
    relayout_data *d = w->data;
    void *answer = d->to;
    tsr_status status = tsr_alloc_array(&d->to, d->to_nbytes, 1, 1, "the checked answer", err);
    if (status == TSR_OK)
        status = run_naive(w, err);
    if (status == TSR_OK && memcmp(answer, d->to, d->to_nbytes) != 0)
        status = tsr_fail(err, TSR_CORRUPT, "relayout of \"%s\" is wrong", d->row->name);
    tsr_free(d->to);
    d->to = answer;
    return status;
}

/* ---- one row ---- */

static void clear_data(relayout_data *d)
{
    tsr_free(d->from);
    tsr_free(d->to);
    tsr_relayout_free(d->relayout);
    tsr_binding_free(d->to_binding);
    tsr_binding_free(d->from_binding);
    tsr_format_free(d->to_format);
    tsr_format_free(d->from_format);
}

static tsr_status make_data(relayout_data *d, const relayout_case *row, tsr_error *err)
{
    d->row = row;
    TSR_TRY(tsr_format_parse(&d->to_format, row->to, row->order, row->dims, err));
    TSR_TRY(tsr_format_parse(&d->from_format, row->from, row->order, row->dims, err));
    TSR_TRY(tsr_binding_new(&d->to_binding, d->to_format, row->dims, err));
    TSR_TRY(tsr_binding_new(&d->from_binding, d->from_format, row->dims, err));
    const tsr_dense_layout to = {.binding = d->to_binding}, from = {.binding = d->from_binding};
    TSR_TRY(tsr_relayout_new(&d->relayout, &to, &from, row->nbits, err));
    d->to_nbytes = tsr_relayout_nbytes(d->relayout, tsr_relayout_to_npos(d->relayout));
    d->from_nbytes = tsr_relayout_nbytes(d->relayout, tsr_relayout_from_npos(d->relayout));
    TSR_TRY(tsr_alloc_array(&d->to, d->to_nbytes, 1, 1, "the target", err));
    TSR_TRY(tsr_alloc_array(&d->from, d->from_nbytes, 1, 0, "the source", err));
    uint64_t x = 1;
    for (uint64_t i = 0; i < d->from_nbytes; i++)
        ((unsigned char *)d->from)[i] = (unsigned char)bench_random(&x);
    return TSR_OK;
}

/* GB/s counts bytes read plus bytes written. */
static void print_row(const bench_candidate *c, const relayout_data *d, bool is_first, double memcpy_ns)
{
    const double nbytes = (double)(d->to_nbytes + d->from_nbytes);
    printf("%-30s %-10s %2d %9.2f %9.2f %7.2f", is_first ? d->row->name : "", c->name, c->nthreads,
           c->ns.min / 1e6, c->ns.median / 1e6, nbytes / c->ns.min);
    if (c->run == run_tessera)
        printf(" %8.0f%%", 100 * memcpy_ns / c->ns.min);
    printf("%s\n", c->noisy ? " ~" : "");
}

static tsr_status keep_row(bench_record *record, const bench_candidate *c, const relayout_data *d,
                           tsr_error *err)
{
    bench_row row = {.kernel = "relayout",
                     .dataset = {.name = d->row->name, .order = d->row->order},
                     .moved_nbytes = (double)(d->to_nbytes + d->from_nbytes),
                     .nbytes = d->to_nbytes,
                     .reference = BENCH_TESSERA};
    memcpy(row.dataset.dims, d->row->dims, sizeof row.dataset.dims);
    return bench_record_add_candidate(record, &row, c, err);
}

static tsr_status run_row(const relayout_case *row, const uint64_t *threads, int nthreads,
                          const bench_run_options *options, bench_record *record, tsr_error *err)
{
    static bench_candidate candidates[MAX_CANDIDATES]; /* too large for the stack */
    relayout_work works[MAX_CANDIDATES];
    relayout_data data = {0};
    bench_noise noise;
    int n = 0;
    tsr_status status = make_data(&data, row, err);
    for (int i = 0; i < nthreads && n + 2 < MAX_CANDIDATES; i++) {
        works[n] = works[n + 1] = (relayout_work){&data, (int)threads[i]};
        candidates[n] = (bench_candidate){.name = BENCH_TESSERA,
                                          .nthreads = (int)threads[i],
                                          .ctx = &works[n],
                                          .run = run_tessera,
                                          .check = check_tessera};
        candidates[n + 1] = (bench_candidate){
            .name = "memcpy", .nthreads = (int)threads[i], .ctx = &works[n + 1], .run = run_memcpy};
        n += 2;
    }
    works[n] = (relayout_work){&data, 1};
    candidates[n] =
        (bench_candidate){.name = "naive loop", .nthreads = 1, .ctx = &works[n], .run = run_naive};
    n++;
    if (status == TSR_OK)
        status = bench_run(&noise, candidates, n, options, err);
    for (int i = 0; i < n && status == TSR_OK; i++) {
        print_row(&candidates[i], &data, i == 0, i + 1 < n ? candidates[i + 1].ns.min : 0);
        if (record)
            status = keep_row(record, &candidates[i], &data, err);
    }
    if (record && status == TSR_OK)
        bench_record_noise(record, &noise);
    clear_data(&data);
    return status;
}

static tsr_status run_rows(const char *pattern, const bench_settings *settings, bench_record *record,
                           tsr_error *err)
{
    const bench_run_options run = bench_settings_run(settings);
    int nrows = 0;
    printf("%-30s %-10s %2s %9s %9s %7s %9s\n", "layouts", "candidate", "t", "min ms", "median ms", "GB/s",
           "of memcpy");
    for (int i = 0; i < NCASES; i++) {
        if (pattern && !strstr(cases[i].name, pattern))
            continue;
        TSR_TRY(run_row(&cases[i], settings->threads, settings->nthreads, &run, record, err));
        nrows++;
    }
    return nrows
               ? TSR_OK
               : tsr_fail(
                     err, TSR_ARGUMENT,
                     "no pair of layouts has \"%s\" in its name: tbench relayout without a word measures all",
                     pattern);
}

static const tsr_cli_option options[] = {BENCH_OPTIONS_HOW, {0}};

static const tsr_cli_tool tool = {
    .name = "tbench",
    .usage = "relayout [NAME] [OPTION]...",
    .summary = "Move dense tensors between pairs of layouts: all pairs of a table, or those with NAME in "
               "their name. "
               "The line memcpy copies the same bytes, which is the limit.",
    .notes = "",
    .options = options,
    .max_operands = 2, /* NAME, and the FILE of "--json FILE" */
};

int bench_cmd_relayout(int argc, char **argv)
{
    bench_settings settings = {.reps = 5};
    tsr_cli_operands operands;
    tsr_cli_report report;
    bench_record record = {0};
    tsr_error err = {0};
    tsr_status status = TSR_OK;
    const int done = tsr_cli_parse(&operands, &tool, &settings, argc, argv);
    if (done >= 0)
        return done;
    bench_settings_finish(&settings, &tool, &operands);
    if (operands.n > 1)
        return tsr_cli_usage_error(&tool, "unexpected argument '%s'", operands.text[1]);
    tsr_cli_report_init(&report, tool.name, settings.common.quiet);
    tsr_cli_report_progress(&report, &settings.common.progress);
    settings.report = &report;
    if (settings.common.json)
        status = bench_start(&record, &settings, argc, argv, &err);
    if (status == TSR_OK)
        status = run_rows(operands.n ? operands.text[0] : NULL, &settings,
                          settings.common.json ? &record : NULL, &err);
    return bench_finish(&record, &settings, status, &err);
}
