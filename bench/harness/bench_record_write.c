/* Makes and writes records: see bench_record.h. One row per line, so that diff can compare two records. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_clock.h"
#include "bench_record_internal.h"
#include "bench_rows.h"
#include "tsr_alloc.h"
#include "tsr_output.h"
#include "tsr_text.h"
#include "tsr_type.h"

/* ---- making ---- */

/* The roof for nthreads threads, or NULL. */
static const bench_roof *find_roof(const bench_record *record, int nthreads)
{
    for (int i = 0; i < record->nroofs; i++)
        if (record->roofs[i].nthreads == nthreads)
            return &record->roofs[i];
    return NULL;
}

/* Measure the roofs that are wanted, once. */
static void measure_roofs(bench_record *record)
{
    if (record->nroofs > 0 || record->nwanted == 0)
        return;
    record->nroofs = record->nwanted;
    bench_roof_measure(record->roofs, record->roof_threads, record->nroofs);
}

/* Bytes of a value of the type with that name; 8 if there is no such type. */
static int value_nbytes(const char *type)
{
    return type && strcmp(type, "f32") == 0 ? 4 : 8;
}

void bench_row_derive(const bench_record *record, bench_row *row)
{
    const bench_roof *const roof = find_roof(record, row->nthreads);
    memset(&row->ns, 0, sizeof row->ns);
    row->gb_s = row->gflop_s = row->roof_share = 0;
    row->least = (bench_least){0};
    row->noisy = false;
    if (!row->nsamples)
        return;
    const bench_samples all = bench_row_samples(row);
    row->ns = bench_calm_stats_of(&all);
    row->ns.n = row->nsamples;
    row->least = bench_least_of(&all);
    row->gb_s = row->moved_nbytes / row->ns.median;
    row->gflop_s = row->flops / row->ns.median;
    row->noisy = row->least.apart > BENCH_MAX_APART || row->least.n < 3;
    if (roof)
        row->roof_share =
            bench_roof_ns(roof, row->moved_nbytes, row->flops, value_nbytes(row->type)) / row->ns.median;
}

bool bench_row_is_tessera(const bench_row *row)
{
    return strcmp(row->candidate, BENCH_TESSERA) == 0;
}

bench_samples bench_row_samples(const bench_row *row)
{
    return (bench_samples){
        .ns = row->samples_ns, .n = row->nsamples, .disturbed = row->disturbed, .passes = &row->passes};
}

tsr_status bench_record_push(bench_record *record, const bench_row *row, tsr_error *err)
{
    if (record->nrows == BENCH_MAX_ROWS)
        return tsr_fail(err, TSR_LIMIT, "more than %d rows", BENCH_MAX_ROWS);
    if (record->nrows == record->capacity) {
        const uint32_t capacity = record->capacity ? 2 * record->capacity : 64;
        bench_row *const rows = tsr_realloc(record->rows, capacity * sizeof *rows);
        if (!rows)
            return tsr_fail(err, TSR_NOMEM, "out of memory for %u rows", (unsigned)capacity);
        record->rows = rows;
        record->capacity = capacity;
    }
    record->rows[record->nrows++] = *row;
    return TSR_OK;
}

/* Replace *s by a copy in the arena. */
static bool keep(tsr_arena *arena, const char **s)
{
    if (!*s)
        return true;
    *s = tsr_arena_strndup(arena, *s, strlen(*s));
    return *s != NULL;
}

/* Replace all texts of the row. */
static bool keep_texts(tsr_arena *arena, bench_row *row)
{
    bool kept = keep(arena, &row->dataset.name);
#define X(kind, type, name, key, most)
#define TEXT(name, key) kept = kept && keep(arena, &row->name);
#include "bench_row.def"
#undef X
    return kept;
}

/* Write the file of a growing record every few seconds. */
static tsr_status write_sometimes(bench_record *record, tsr_error *err)
{
    const bool is_file = record->path && strcmp(record->path, "-") != 0;
    return is_file && bench_now_ns() - record->written_ns > 2000000000u ? bench_record_write(record, err)
                                                                        : TSR_OK;
}

/* Append a copy of the samples of one pass to a row. */
static tsr_status append_samples(bench_record *record, bench_row *to, const bench_row *from, tsr_error *err)
{
    const uint32_t had = to->nsamples, n = had + from->nsamples;
    if (n > BENCH_MAX_SAMPLES || to->passes.n == BENCH_MAX_PASSES)
        return tsr_fail(err, TSR_LIMIT, "more than %d samples or %d passes", BENCH_MAX_SAMPLES,
                        BENCH_MAX_PASSES);
    double *const samples = tsr_arena_alloc(&record->arena, (n + 1) * sizeof *samples);
    bool *const disturbed = tsr_arena_alloc(&record->arena, (n + 1) * sizeof *disturbed);
    if (!samples || !disturbed)
        return tsr_fail(err, TSR_NOMEM, "out of memory for the samples of a row");
    for (uint32_t i = 0; i < n; i++) {
        const bench_row *const row = i < had ? to : from;
        const uint32_t k = i < had ? i : i - had;
        samples[i] = row->samples_ns[k];
        disturbed[i] = row->disturbed && row->disturbed[k];
    }
    to->passes.nsamples[to->passes.n++] = from->nsamples;
    to->samples_ns = samples;
    to->disturbed = disturbed;
    to->nsamples = n;
    return TSR_OK;
}

tsr_status bench_record_add(bench_record *record, const bench_row *row, tsr_error *err)
{
    bench_row copy = *row;
    if (!row->kernel || !row->candidate || row->nsamples > BENCH_MAX_SAMPLES ||
        row->dataset.order > BENCH_MAX_ORDER)
        return tsr_fail(err, TSR_ARGUMENT, "a row needs a kernel, a candidate and at most %d samples",
                        BENCH_MAX_SAMPLES);
    if (!keep_texts(&record->arena, &copy))
        return tsr_fail(err, TSR_NOMEM, "out of memory for a row of the record");
    copy.nsamples = 0;
    copy.passes.n = 0;
    TSR_TRY(append_samples(record, &copy, row, err));
    if (row->passes.n)
        copy.passes = row->passes;
    if (row->nsamples)
        measure_roofs(record);
    bench_row_derive(record, &copy);
    TSR_TRY(bench_record_push(record, &copy, err));
    return write_sometimes(record, err);
}

/* The row with the results of bench_run. */
static bench_row with_candidate(const bench_row *row, const bench_candidate *candidate)
{
    bench_row r = *row;
    if (!r.candidate)
        r.candidate = candidate->name;
    r.nthreads = candidate->nthreads;
    r.nsamples = (uint32_t)candidate->ns.n;
    r.samples_ns = candidate->samples_ns;
    r.nloops = candidate->nloops;
    r.peak_nbytes = candidate->peak_nbytes;
    r.disturbed = candidate->disturbed;
    r.checked = candidate->check != NULL;
    if (r.reference && r.nsamples)
        r.speedup = candidate->speedup;
    return r;
}

tsr_status bench_record_add_candidate(bench_record *record, const bench_row *row,
                                      const bench_candidate *candidate, tsr_error *err)
{
    const bench_row r = with_candidate(row, candidate);
    return bench_record_add(record, &r, err);
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Replace *to by a copy of the text, unless they are equal. */
static bool keep_other(bench_record *record, const char **to, const char *text)
{
    if (!text || same_text(*to, text))
        return true;
    *to = text;
    return keep(&record->arena, to);
}

tsr_status bench_record_join(bench_record *record, uint32_t k, const bench_row *row,
                             const bench_candidate *candidate, tsr_error *err)
{
    bench_row from = candidate ? with_candidate(row, candidate) : *row;
    bench_row *const to = k < record->nrows ? &record->rows[k] : NULL;
    if (!to || bench_row_compare(to, &from) != 0)
        return tsr_fail(err, TSR_ARGUMENT, "row %u of the record measures something else", (unsigned)k);
    TSR_TRY(append_samples(record, to, &from, err));
    if (from.pack_ns > 0 && (to->pack_ns <= 0 || from.pack_ns < to->pack_ns))
        to->pack_ns = from.pack_ns;
    if (from.peak_nbytes > to->peak_nbytes)
        to->peak_nbytes = from.peak_nbytes;
    if (from.nloops)
        to->nloops = from.nloops;
    to->checked |= from.checked;
    if (!keep_other(record, &to->note, from.note) || !keep_other(record, &to->reference, from.reference))
        return tsr_fail(err, TSR_NOMEM, "out of memory for a row of the record");
    bench_row_derive(record, to);
    return write_sometimes(record, err);
}

void bench_record_speedup(bench_record *record, uint32_t k, uint32_t reference)
{
    const bench_ratio speedup = bench_rows_ratio(&record->rows[reference], &record->rows[k]);
    if (speedup.ratio > 0)
        record->rows[k].speedup = speedup;
}

void bench_record_noise(bench_record *record, const bench_noise *noise)
{
    if (noise->spread > record->noise.spread)
        record->noise.spread = noise->spread;
    const double now = noise->repeat.ratio > 1 ? noise->repeat.ratio : 1 / noise->repeat.ratio;
    const double was =
        record->noise.repeat.ratio > 1 ? record->noise.repeat.ratio : 1 / record->noise.repeat.ratio;
    if (noise->repeat.ratio > 0 && (record->noise.repeat.ratio <= 0 || now > was))
        record->noise.repeat = noise->repeat;
}

/* Of a path only the last part is recorded: folders are private and do not matter. */
static size_t keep_argument(char *out, size_t nbytes, const char *argument)
{
    const char *const equals = strrchr(argument, '='), *const value = equals ? equals + 1 : argument;
    const char *const slash = *value == '/' ? strrchr(value, '/') : NULL;
    return slash ? (size_t)snprintf(out, nbytes, " %.*s...%s", (int)(value - argument), argument, slash)
                 : (size_t)snprintf(out, nbytes, " %s", argument);
}

static void keep_command(bench_record *record, int argc, char *const *argv)
{
    size_t at = (size_t)snprintf(record->command, sizeof record->command, "tbench");
    for (int i = 0; i < argc && at < sizeof record->command; i++)
        at += keep_argument(record->command + at, sizeof record->command - at, argv[i]);
}

tsr_status bench_record_init(bench_record *record, const char *path, int argc, char *const *argv,
                             tsr_error *err)
{
    memset(record, 0, sizeof *record);
    record->path = path;
    bench_machine_init(&record->machine);
    keep_command(record, argc, argv);
    if (path && strcmp(path, "-") != 0) { /* test whether the path can be written */
        tsr_tempfile *temp;
        TSR_TRY(tsr_tempfile_new(&temp, path, err));
        tsr_tempfile_free(temp);
    }
    record->written_ns = bench_now_ns();
    return TSR_OK;
}

void bench_record_want_roofs(bench_record *record, const uint64_t *threads, int n)
{
    record->roof_threads = threads;
    record->nwanted = n < BENCH_MAX_ROOFS ? n : BENCH_MAX_ROOFS;
}

void bench_record_clear(bench_record *record)
{
    tsr_free(record->rows);
    tsr_arena_clear(&record->arena);
    memset(record, 0, sizeof *record);
}

/* ---- writing ---- */

static json_t *text_or_null(const char *s)
{
    json_t *const text = s ? json_string(s) : NULL;
    return s && !text ? json_string("(not UTF-8)") : s ? text : json_null();
}

/* A number rounded to a millionth, far below the noise of measurements: records are kept and contain many
 * numbers. */
static json_t *rounded(double v)
{
    if (v >= 1e5 && v < 1e15)
        return json_integer((json_int_t)(v + 0.5));
    char text[32];
    snprintf(text, sizeof text, "%.6g", v);
    return json_real(strtod(text, NULL));
}

static json_t *number_or_null(double v)
{
    return v > 0 && v < 1e300 ? rounded(v) : json_null();
}

static json_t *count_or_null(uint64_t v)
{
    return v && v <= INT64_MAX ? json_integer((json_int_t)v) : json_null();
}

/* Add "key": value; a failure is detected at the end, when the object has fewer fields than `want`. */
static void put(json_t *object, const char *key, json_t *value)
{
    (void)json_object_set_new(object, key, value);
}

static json_t *ratio_json(const bench_ratio *ratio)
{
    if (!(ratio->ratio > 0))
        return json_null();
    json_t *const object = json_object();
    put(object, "value", rounded(ratio->ratio));
    put(object, "lo", number_or_null(ratio->lo));
    put(object, "hi", number_or_null(ratio->hi));
    return object;
}

static json_t *machine_json(const bench_machine *m)
{
    json_t *const object = json_object();
#define X(field) put(object, #field, text_or_null(m->field));
    BENCH_MACHINE_TEXTS(X)
#undef X
    put(object, "memory_bytes", count_or_null(m->memory_nbytes));
    put(object, "cpus", json_integer(m->ncpus));
    return object;
}

static json_t *roof_json(const bench_roof *roof)
{
    json_t *const object = json_object();
    put(object, "threads", json_integer(roof->nthreads));
    put(object, "triad_bytes_s", number_or_null(roof->triad));
    put(object, "gather_s", number_or_null(roof->gather));
    put(object, "fma_f64_flop_s", number_or_null(roof->fma_f64));
    put(object, "fma_f32_flop_s", number_or_null(roof->fma_f32));
    return object;
}

static json_t *dataset_json(const bench_dataset *d)
{
    if (!d->name)
        return json_null();
    json_t *const object = json_object(), *const dims = json_array();
    for (int i = 0; i < d->order; i++)
        (void)json_array_append_new(dims, json_integer((json_int_t)(d->dims[i] & INT64_MAX)));
    put(object, "name", text_or_null(d->name));
    put(object, "dims", dims);
    put(object, "nnz", json_integer((json_int_t)(d->nnz & INT64_MAX)));
    put(object, "stand_in", json_boolean(d->stand_in));
    put(object, "seed", json_integer((json_int_t)(d->seed & INT64_MAX)));
    return object;
}

static json_t *stats_json(const bench_stats *stats)
{
    if (!stats->n)
        return json_null();
    json_t *const object = json_object();
    put(object, "min_ns", rounded(stats->min));
    put(object, "q1_ns", rounded(stats->q1));
    put(object, "median_ns", rounded(stats->median));
    put(object, "q3_ns", rounded(stats->q3));
    put(object, "max_ns", rounded(stats->max));
    return object;
}

static json_t *passes_json(const bench_passes *passes)
{
    json_t *const array = json_array();
    for (uint32_t p = 0; p < passes->n; p++)
        (void)json_array_append_new(array, json_integer(passes->nsamples[p]));
    return array;
}

/* The indices of the disturbed samples. */
static json_t *disturbed_json(const bench_row *r)
{
    json_t *const array = json_array();
    for (uint32_t i = 0; i < r->nsamples; i++)
        if (r->disturbed && r->disturbed[i])
            (void)json_array_append_new(array, json_integer(i));
    return array;
}

/* How a field of each kind is written. */
#define JSON_TEXT text_or_null
#define JSON_INT(v) count_or_null((uint64_t)(v))
#define JSON_THREADS json_integer
#define JSON_MODE(v) (r->has_mode ? json_integer(v) : json_null())
#define JSON_COUNT count_or_null
#define JSON_NUMBER number_or_null
#define JSON_FLAG json_boolean
#define JSON_DATASET(v) dataset_json(&(v))
#define JSON_RATIO(v) ratio_json(&(v))
#define JSON_MADE number_or_null
#define JSON_MADE_FLAG json_boolean
#define JSON_STATS(v) stats_json(&(v))

static json_t *row_json(const bench_row *r)
{
    json_t *const object = json_object(), *const samples = json_array();
    for (uint32_t i = 0; i < r->nsamples; i++)
        (void)json_array_append_new(samples, rounded(r->samples_ns[i]));
#define X(kind, type, name, key, most) put(object, key, JSON_##kind(r->name));
#include "bench_row.def"
#undef X
    put(object, "pass_samples", passes_json(&r->passes));
    put(object, "disturbed", disturbed_json(r));
    put(object, "samples_ns", samples);
    return object;
}

/* Append one value on one line, and free it. */
static void add_json(tsr_text *text, json_t *value)
{
    char *const s =
        value ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(10)) : NULL;
    if (s)
        tsr_text_add(text, s);
    else
        text->failed = true;
    free(s);
    json_decref(value);
}

static void add_field(tsr_text *text, const char *key, json_t *value)
{
    tsr_text_addf(text, " \"%s\": ", key);
    add_json(text, value);
    tsr_text_add(text, ",\n");
}

static void record_text(tsr_text *text, const bench_record *record)
{
    json_t *const roofs = json_array(), *const noise = json_object();
    for (int i = 0; i < record->nroofs; i++)
        (void)json_array_append_new(roofs, roof_json(&record->roofs[i]));
    put(noise, "spread", number_or_null(record->noise.spread));
    put(noise, "repeat", ratio_json(&record->noise.repeat));
    tsr_text_add(text, "{\n");
    add_field(text, "schema", json_string("tessera-bench"));
    add_field(text, "version", json_integer(BENCH_RECORD_VERSION));
    add_field(text, "command", text_or_null(record->command));
    add_field(text, "interrupted", json_boolean(record->interrupted));
    add_field(text, "machine", machine_json(&record->machine));
    add_field(text, "roofs", roofs);
    add_field(text, "noise", noise);
    tsr_text_add(text, " \"rows\": [");
    for (uint32_t i = 0; i < record->nrows; i++) {
        tsr_text_add(text, i ? ",\n  " : "\n  ");
        add_json(text, row_json(&record->rows[i]));
    }
    tsr_text_add(text, "\n ]\n}\n");
}

tsr_status bench_record_write(bench_record *record, tsr_error *err)
{
    if (!record->path)
        return TSR_OK;
    tsr_text text = {0};
    record_text(&text, record);
    const tsr_status status = tsr_output_text(record->path, &text, err);
    tsr_text_clear(&text);
    record->written_ns = bench_now_ns();
    return status;
}
