/* Reads records: see bench_record.h. */
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "bench_record_internal.h"
#include "tsr_alloc.h"
#include "tsr_input.h"
#include "tsr_text.h"

enum { MAX_STRING = 4096, MAX_NBYTES = 1 << 30 };

/* The place of the reader, for error messages: "rows[3].samples_ns". */
typedef struct reader {
    bench_record *record;
    const char *path;
    int64_t row;        /* -1: not inside the rows */
    const char *inside; /* "dataset." or "" */
    tsr_error *err;
} reader;

static tsr_status corrupt(const reader *r, const char *key, const char *what)
{
    char row[32] = "";
    if (r->row >= 0)
        snprintf(row, sizeof row, "rows[%lld].", (long long)r->row);
    return tsr_fail_at(r->err, TSR_CORRUPT, r->path, 0, 0, "the field %s%s%s must be %s", row, r->inside, key,
                       what);
}

/* ---- fields: an absent or null field means unknown ---- */

static json_t *field(const json_t *object, const char *key)
{
    json_t *const v = json_object_get(object, key);
    return json_is_null(v) ? NULL : v;
}

/* Whether s can be printed in tables: it has no control characters. */
static bool is_plain(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)s[i] < ' ' || s[i] == 0x7f)
            return false;
    return true;
}

static tsr_status get_text(const char **out, const reader *r, const json_t *object, const char *key)
{
    const json_t *const v = field(object, key);
    *out = NULL;
    if (!v)
        return TSR_OK;
    const size_t n = json_string_length(v);
    if (!json_is_string(v) || n > MAX_STRING || !is_plain(json_string_value(v), n))
        return corrupt(r, key, "a text of one line and at most 4096 bytes");
    *out = tsr_arena_strndup(&r->record->arena, json_string_value(v), n);
    return *out ? TSR_OK : tsr_fail(r->err, TSR_NOMEM, "out of memory for a text of the record");
}

static tsr_status get_line(char *out, const reader *r, const json_t *object, const char *key)
{
    const char *s;
    TSR_TRY(get_text(&s, r, object, key));
    snprintf(out, BENCH_TEXT_NBYTES, "%s", s ? s : "");
    return TSR_OK;
}

static tsr_status get_count(uint64_t *out, const reader *r, const json_t *object, const char *key,
                            uint64_t max)
{
    const json_t *const v = field(object, key);
    *out = 0;
    if (!v)
        return TSR_OK;
    if (!json_is_integer(v) || json_integer_value(v) < 0 || (uint64_t)json_integer_value(v) > max)
        return corrupt(r, key, "a whole number in its range");
    *out = (uint64_t)json_integer_value(v);
    return TSR_OK;
}

static tsr_status get_int(int *out, const reader *r, const json_t *object, const char *key, int max)
{
    uint64_t v;
    TSR_TRY(get_count(&v, r, object, key, (uint64_t)max));
    *out = (int)v;
    return TSR_OK;
}

static bool is_positive(const json_t *v)
{
    const double x = json_number_value(v);
    return json_is_number(v) && isfinite(x) && x > 0;
}

static tsr_status get_number(double *out, const reader *r, const json_t *object, const char *key)
{
    const json_t *const v = field(object, key);
    *out = 0;
    if (v && !is_positive(v))
        return corrupt(r, key, "a number above 0");
    if (v)
        *out = json_number_value(v);
    return TSR_OK;
}

static tsr_status get_bool(bool *out, const reader *r, const json_t *object, const char *key)
{
    const json_t *const v = field(object, key);
    if (v && !json_is_boolean(v))
        return corrupt(r, key, "true or false");
    *out = json_is_true(v);
    return TSR_OK;
}

static tsr_status get_ratio(bench_ratio *out, reader *r, const json_t *object, const char *key)
{
    const json_t *const v = field(object, key);
    *out = (bench_ratio){0};
    if (!v)
        return TSR_OK;
    if (!json_is_object(v))
        return corrupt(r, key, "an object");
    TSR_TRY(get_number(&out->ratio, r, v, "value"));
    TSR_TRY(get_number(&out->lo, r, v, "lo"));
    TSR_TRY(get_number(&out->hi, r, v, "hi"));
    if (out->hi <= 0)
        out->hi = INFINITY;
    return out->lo <= out->ratio && out->ratio <= out->hi ? TSR_OK : corrupt(r, key, "inside its interval");
}

/* ---- parts of a record ---- */

static tsr_status read_machine(reader *r, const json_t *root)
{
    bench_machine *const m = &r->record->machine;
    const json_t *const object = field(root, "machine");
    if (!json_is_object(object))
        return corrupt(r, "machine", "an object");
    r->inside = "machine.";
#define X(name) TSR_TRY(get_line(m->name, r, object, #name));
    BENCH_MACHINE_TEXTS(X)
#undef X
    TSR_TRY(get_count(&m->memory_nbytes, r, object, "memory_bytes", INT64_MAX));
    TSR_TRY(get_int(&m->ncpus, r, object, "cpus", 1 << 20));
    r->inside = "";
    return TSR_OK;
}

static tsr_status read_roofs(reader *r, const json_t *root)
{
    const json_t *const roofs = field(root, "roofs");
    if (roofs && (!json_is_array(roofs) || json_array_size(roofs) > BENCH_MAX_ROOFS))
        return corrupt(r, "roofs", "a list of at most 8");
    r->inside = "roofs.";
    for (size_t i = 0; i < json_array_size(roofs); i++) {
        const json_t *const v = json_array_get(roofs, i);
        bench_roof *const roof = &r->record->roofs[r->record->nroofs++];
        if (!json_is_object(v))
            return corrupt(r, "", "a list of objects");
        TSR_TRY(get_int(&roof->nthreads, r, v, "threads", 1 << 20));
        TSR_TRY(get_number(&roof->triad, r, v, "triad_bytes_s"));
        TSR_TRY(get_number(&roof->gather, r, v, "gather_s"));
        TSR_TRY(get_number(&roof->fma_f64, r, v, "fma_f64_flop_s"));
        TSR_TRY(get_number(&roof->fma_f32, r, v, "fma_f32_flop_s"));
    }
    r->inside = "";
    return TSR_OK;
}

static tsr_status read_dataset(reader *r, bench_dataset *d, const json_t *row)
{
    const json_t *const object = field(row, "dataset");
    if (!object)
        return TSR_OK;
    if (!json_is_object(object))
        return corrupt(r, "dataset", "an object");
    r->inside = "dataset.";
    const json_t *const dims = field(object, "dims");
    TSR_TRY(get_text(&d->name, r, object, "name"));
    if (!d->name)
        return corrupt(r, "name", "present");
    if (dims && (!json_is_array(dims) || json_array_size(dims) > BENCH_MAX_ORDER))
        return corrupt(r, "dims", "a list of at most 16");
    d->order = (int)json_array_size(dims);
    for (int i = 0; i < d->order; i++) {
        const json_t *const v = json_array_get(dims, (size_t)i);
        if (!json_is_integer(v) || json_integer_value(v) < 0)
            return corrupt(r, "dims", "a list of whole numbers");
        d->dims[i] = (uint64_t)json_integer_value(v);
    }
    TSR_TRY(get_count(&d->nnz, r, object, "nnz", INT64_MAX));
    TSR_TRY(get_bool(&d->stand_in, r, object, "stand_in"));
    TSR_TRY(get_count(&d->seed, r, object, "seed", INT64_MAX));
    r->inside = "";
    return TSR_OK;
}

static tsr_status read_samples(reader *r, bench_row *row, const json_t *object)
{
    const json_t *const samples = field(object, "samples_ns");
    if (samples && (!json_is_array(samples) || json_array_size(samples) > BENCH_MAX_SAMPLES))
        return corrupt(r, "samples_ns", "a list of at most 1000");
    row->nsamples = (uint32_t)json_array_size(samples);
    double *const ns = tsr_arena_alloc(&r->record->arena, (row->nsamples + 1) * sizeof *ns);
    if (!ns)
        return tsr_fail(r->err, TSR_NOMEM, "out of memory for the samples of the record");
    for (uint32_t i = 0; i < row->nsamples; i++) {
        const json_t *const v = json_array_get(samples, i);
        if (!is_positive(v))
            return corrupt(r, "samples_ns", "a list of numbers above 0");
        ns[i] = json_number_value(v);
    }
    row->samples_ns = ns;
    return TSR_OK;
}

static tsr_status read_disturbed(const reader *r, bench_row *row, const json_t *object)
{
    static const char what[] = "a list of numbers of samples";
    const json_t *const list = field(object, "disturbed");
    bool *const disturbed = tsr_arena_alloc(&r->record->arena, row->nsamples + 1);
    if (!disturbed)
        return tsr_fail(r->err, TSR_NOMEM, "out of memory for the samples of the record");
    memset(disturbed, 0, row->nsamples + 1);
    row->disturbed = disturbed;
    if (list && !json_is_array(list))
        return corrupt(r, "disturbed", what);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *const v = json_array_get(list, i);
        if (!json_is_integer(v) || json_integer_value(v) < 0 || json_integer_value(v) >= row->nsamples)
            return corrupt(r, "disturbed", what);
        disturbed[json_integer_value(v)] = true;
    }
    return TSR_OK;
}

/* A missing field means one pass, as in records before there were several. */
static tsr_status read_passes(const reader *r, bench_row *row, const json_t *object)
{
    static const char what[] = "a list of at most 32 counts that sum up to the samples";
    const json_t *const passes = field(object, "pass_samples");
    uint64_t sum = 0;
    row->passes = (bench_passes){.n = 1, .nsamples = {row->nsamples}};
    if (!passes)
        return TSR_OK;
    row->passes.n = (uint32_t)json_array_size(passes);
    if (!json_is_array(passes) || json_array_size(passes) < 1 || json_array_size(passes) > BENCH_MAX_PASSES)
        return corrupt(r, "pass_samples", what);
    for (uint32_t p = 0; p < row->passes.n; p++) {
        const json_t *const v = json_array_get(passes, p);
        if (!json_is_integer(v) || json_integer_value(v) < 0 || json_integer_value(v) > BENCH_MAX_SAMPLES)
            return corrupt(r, "pass_samples", what);
        row->passes.nsamples[p] = (uint32_t)json_integer_value(v);
        sum += row->passes.nsamples[p];
    }
    return sum == row->nsamples ? TSR_OK : corrupt(r, "pass_samples", what);
}

/* How a field of each kind is read. */
#define READ_TEXT(name, key, most) get_text(&row.name, r, object, key)
#define READ_INT(name, key, most) get_int(&row.name, r, object, key, most)
#define READ_THREADS READ_INT
#define READ_MODE READ_INT
#define READ_COUNT(name, key, most) get_count(&row.name, r, object, key, most)
#define READ_NUMBER(name, key, most) get_number(&row.name, r, object, key)
#define READ_FLAG(name, key, most) get_bool(&row.name, r, object, key)
#define READ_DATASET(name, key, most) read_dataset(r, &row.name, object)
#define READ_RATIO(name, key, most) get_ratio(&row.name, r, object, key)
#define READ_MADE(name, key, most) TSR_OK
#define READ_MADE_FLAG READ_MADE
#define READ_STATS READ_MADE

static tsr_status read_row(reader *r, const json_t *object)
{
    bench_row row = {0};
    if (!json_is_object(object))
        return corrupt(r, "", "an object");
#define X(kind, type, name, key, most) TSR_TRY(READ_##kind(name, key, most));
#include "bench_row.def"
#undef X
    if (!row.kernel || !row.candidate)
        return corrupt(r, row.kernel ? "candidate" : "kernel", "present");
    row.has_mode = field(object, "mode") != NULL;
    TSR_TRY(read_samples(r, &row, object));
    TSR_TRY(read_disturbed(r, &row, object));
    TSR_TRY(read_passes(r, &row, object));
    bench_row_derive(r->record, &row);
    return bench_record_push(r->record, &row, r->err);
}

static tsr_status read_root(reader *r, const json_t *root)
{
    const char *const schema = json_string_value(json_object_get(root, "schema"));
    int version;
    if (!schema || strcmp(schema, "tessera-bench") != 0)
        return tsr_fail_at(r->err, TSR_UNSUPPORTED, r->path, 0, 0,
                           "is not a record of tbench (tbench KERNEL --json=FILE writes one)");
    TSR_TRY(get_int(&version, r, root, "version", INT32_MAX));
    if (version != BENCH_RECORD_VERSION)
        return tsr_fail_at(r->err, TSR_UNSUPPORTED, r->path, 0, 0,
                           "this record has version %d, but this tbench reads version %d only", version,
                           BENCH_RECORD_VERSION);
    TSR_TRY(get_line(r->record->command, r, root, "command"));
    TSR_TRY(get_bool(&r->record->interrupted, r, root, "interrupted"));
    TSR_TRY(read_machine(r, root));
    TSR_TRY(read_roofs(r, root));
    const json_t *const noise = field(root, "noise"), *const rows = field(root, "rows");
    if (noise && !json_is_object(noise))
        return corrupt(r, "noise", "an object");
    TSR_TRY(get_number(&r->record->noise.spread, r, noise, "spread"));
    TSR_TRY(get_ratio(&r->record->noise.repeat, r, noise, "repeat"));
    if (!json_is_array(rows) || json_array_size(rows) > BENCH_MAX_ROWS)
        return corrupt(r, "rows", "a list of at most 1000000");
    for (size_t i = 0; i < json_array_size(rows); i++) {
        r->row = (int64_t)i;
        TSR_TRY(read_row(r, json_array_get(rows, i)));
    }
    return TSR_OK;
}

tsr_status bench_record_read(bench_record *record, const char *path, tsr_error *err)
{
    tsr_text text = {0};
    memset(record, 0, sizeof *record);
    tsr_status status = tsr_input_read(&text, path, MAX_NBYTES, err);
    if (status == TSR_OK) {
        json_error_t fault;
        json_t *const root = json_loadb(tsr_text_cstr(&text), text.nbytes, JSON_REJECT_DUPLICATES, &fault);
        reader r = {.record = record, .path = path, .row = -1, .inside = "", .err = err};
        status =
            root ? read_root(&r, root)
                 : tsr_fail_at(err, TSR_SYNTAX, path, fault.line > 0 ? (uint64_t)fault.line : 0,
                               fault.column > 0 ? (uint64_t)fault.column : 0, "is not JSON: %s", fault.text);
        json_decref(root);
    }
    tsr_text_clear(&text);
    if (status != TSR_OK)
        bench_record_clear(record);
    return status;
}
