/* Builders beside a plain list of what was added: the same entries in the same sequence, whatever the memory, the kinds of arrays, the threads,
 * and what failed on the way. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "tsr_builder.h"
#include "tsr_pack.h"
#include "tsr_stream.h"
#include "tsr_test.h"

enum { MAX_ADDED = 60000, ORDER = 3 };

/* ---- the list ---- */

typedef struct added {
    uint64_t piece, number, crd[ORDER];
    double value;
} added;

typedef struct list {
    added *entry; /* n */
    size_t n;
} list;

static int by_piece(const void *left, const void *right)
{
    const added *const a = left, *const b = right;
    if (a->piece != b->piece)
        return a->piece < b->piece ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static double value_at(const tsr_coo *coo, uint64_t e)
{
    double value = 1;
    if (coo->type != TSR_PATTERN)
        assert_ok(tsr_values_convert(&value, TSR_F64, (const char *)coo->values.data + e * coo->values.width,
                                     coo->type, 1, err));
    return value;
}

/* The builder has these entries, in the sequence of their pieces. */
static void check_entries(list *all, tsr_builder *b, const tsr_builder_options *o)
{
    tsr_coo *coo;
    uint64_t max[ORDER] = {0};
    qsort(all->entry, all->n, sizeof *all->entry, by_piece);
    assert_int_equal(tsr_builder_nentries(b), all->n);
    assert_ok(tsr_builder_take(&coo, b, 3, err));
    assert_int_equal(coo->nnz, all->n);
    for (size_t e = 0; e < all->n; e++) {
        for (int m = 0; m < o->order; m++) {
            const uint64_t crd = all->entry[e].crd[m];
            if (tsr_array_get(&coo->crd[m], e) != crd)
                fail_msg("entry %zu of %zu, mode %d", e, all->n, m);
            max[m] = crd > max[m] ? crd : max[m];
        }
        assert_true(value_at(coo, coo->iso ? 0 : e) == all->entry[e].value);
    }
    for (int m = 0; m < o->order; m++)
        assert_int_equal(coo->dims[m], o->dims[m] ? o->dims[m] : all->n ? max[m] + 1 : 0);
    tsr_coo_free(coo);
}

/* ---- random calls ---- */

static void store_crd(void *out, tsr_type type, size_t i, uint64_t v)
{
    tsr_array array = {.data = out, .n = MAX_ADDED, .width = tsr_type_nbytes(type)};
    tsr_array_set(&array, i, v);
}

/* Random entries of a call. */
typedef struct call {
    uint64_t crd[ORDER][1200];
    double values[1200];
    tsr_builder_column column[ORDER];
    tsr_builder_entries entries;
} call;

static void make_call(call *c, tsr_rng *rng, const tsr_builder_options *o, uint64_t n)
{
    static const tsr_type crd_types[] = {TSR_I8, TSR_I16, TSR_I32, TSR_I64,
                                         TSR_U8, TSR_U16, TSR_U32, TSR_U64};
    static const tsr_type value_types[] = {TSR_F64, TSR_F32, TSR_I8, TSR_I64};
    const bool pattern = o->type == TSR_PATTERN;
    const tsr_type type = pattern ? TSR_PATTERN : value_types[tsr_rng_below(rng, 4)];
    c->entries = (tsr_builder_entries){
        .n = n, .crd = c->column, .values = c->values, .type = type, .iso = tsr_rng_below(rng, 5) == 0};
    for (int m = 0; m < o->order; m++)
        c->column[m] = (tsr_builder_column){c->crd[m], crd_types[tsr_rng_below(rng, 8)]};
    for (uint64_t i = 0; i < n; i++) {
        for (int m = 0; m < o->order; m++) /* below 128, or any number where the type has room */
            store_crd(c->crd[m], c->column[m].type, i,
                      tsr_rng_below(rng, tsr_type_nbytes(c->column[m].type) < 4 ? 100 : 100 + 50000));
        const int8_t v = (int8_t)tsr_rng_below(rng, 100);
        assert_ok(
            tsr_values_convert((char *)c->values + i * tsr_type_nbytes(type), type, &v, TSR_I8, 1, err));
    }
}

/* Note the entries of a call. */
static void note(list *all, const call *c, const tsr_builder_options *o, uint64_t piece)
{
    for (uint64_t i = 0; i < c->entries.n; i++) {
        added *const a = &all->entry[all->n];
        *a = (added){.piece = piece, .number = all->n, .value = 1};
        for (int m = 0; m < o->order; m++) {
            const tsr_array from = {.data = (void *)(uintptr_t)c->column[m].data,
                                    .n = c->entries.n,
                                    .width = tsr_type_nbytes(c->column[m].type)};
            a->crd[m] = tsr_array_get(&from, i);
        }
        if (o->type != TSR_PATTERN)
            assert_ok(tsr_values_convert(&a->value, TSR_F64,
                                         (const char *)c->values +
                                             (c->entries.iso ? 0 : i) * tsr_type_nbytes(c->entries.type),
                                         c->entries.type, 1, err));
        all->n++;
    }
}

static void add_one(tsr_builder *b, list *all, tsr_rng *rng, const tsr_builder_options *o, uint64_t piece)
{
    const int8_t small = (int8_t)tsr_rng_below(rng, 100);
    unsigned char value[TSR_MAX_VALUE_NBYTES];
    added *const a = &all->entry[all->n];
    *a = (added){.piece = piece, .number = all->n, .value = o->type == TSR_PATTERN ? 1 : small};
    for (int m = 0; m < o->order; m++)
        a->crd[m] = tsr_rng_below(rng, 50000);
    assert_ok(tsr_values_convert(value, o->type, &small, TSR_I8, 1, err));
    assert_ok(tsr_builder_add_one(b, piece, a->crd, o->type == TSR_PATTERN ? NULL : value, err));
    all->n++;
}

static void run_case(tsr_rng *rng, call *c, list *all)
{
    static const tsr_type types[] = {TSR_F64, TSR_F32, TSR_I8, TSR_I32, TSR_C128, TSR_PATTERN, TSR_F16};
    static const uint64_t limits[] = {0, 3000, 30000, 300000};
    const tsr_builder_options o = {
        .order = 1 + (int)tsr_rng_below(rng, ORDER),
        .dims = {tsr_rng_below(rng, 2) ? 60000 : 0, tsr_rng_below(rng, 2) ? (uint64_t)1 << 40 : 0, 50100},
        .type = types[tsr_rng_below(rng, 7)],
        .memory_nbytes = limits[tsr_rng_below(rng, 4)],
        .temp = tsr_test_tmp()};
    const uint64_t npieces = tsr_rng_below(rng, 2) ? 1 : 5;
    tsr_builder *b;
    assert_ok(tsr_builder_new(&b, &o, err));
    for (int round = 0; round < 2; round++) {
        all->n = 0;
        for (uint64_t left = 1 + tsr_rng_below(rng, 20); left-- > 0;) {
            const uint64_t piece = tsr_rng_below(rng, npieces), n = tsr_rng_below(rng, 1000);
            if (tsr_rng_below(rng, 3) == 0) {
                for (uint64_t k = 0; k < n / 10; k++)
                    add_one(b, all, rng, &o, piece);
                continue;
            }
            make_call(c, rng, &o, n);
            assert_ok(tsr_builder_add(b, piece, &c->entries, err));
            note(all, c, &o, piece);
        }
        assert_true(o.memory_nbytes == 0 ? tsr_builder_spilled(b) == 0 : tsr_builder_nbytes(b) < 400000);
        check_entries(all, b, &o);
        check_entries(all, b, &o); /* they stay */
        tsr_builder_clear(b);
        assert_int_equal(tsr_builder_nentries(b) + tsr_builder_nbytes(b) + tsr_builder_spilled(b), 0);
    }
    tsr_builder_free(b);
}

static list new_list(size_t n)
{
    const list all = {.entry = calloc(n, sizeof *all.entry)};
    assert_non_null(all.entry);
    return all;
}

static void test_entries_come_back_in_sequence(void **state)
{
    (void)state;
    tsr_rng rng = {11};
    list all = new_list(MAX_ADDED + 1200);
    call *const c = calloc(1, sizeof *c);
    assert_non_null(c);
    for (int k = 0; k < 300; k++)
        run_case(&rng, c, &all);
    free(c);
    free(all.entry);
}

/* ---- packed ---- */

/* The stream of entries in files makes the tensor of entries in memory. */
static void test_files_make_the_same_tensor(void **state)
{
    (void)state;
    static const char *const formats[] = {"csr", "csc", "dcsr", "coo"};
    tsr_rng rng = {5};
    for (int f = 0; f < 4; f++) {
        tsr_tensor *made[2];
        for (int k = 0; k < 2; k++) {
            const tsr_builder_options o = {
                .order = 2, .dims = {100, 80}, .memory_nbytes = k ? 20000 : 0, .temp = tsr_test_tmp()};
            tsr_builder *b;
            tsr_format *format;
            rng.s = (uint64_t)f;
            assert_ok(tsr_builder_new(&b, &o, err));
            for (int i = 0; i < 6000; i++) {
                const uint64_t crd[] = {tsr_rng_below(&rng, 100), tsr_rng_below(&rng, 80)};
                const double value = tsr_rng_unit(&rng);
                assert_ok(tsr_builder_add_one(b, 0, crd, &value, err));
            }
            assert_ok(tsr_format_parse(&format, formats[f], 2, o.dims, err));
            if (k == 0) {
                tsr_coo *coo;
                assert_ok(tsr_builder_take(&coo, b, 1, err));
                assert_ok(tsr_pack(&made[k], coo, format, NULL, NULL, err));
            } else {
                tsr_feed *feed;
                tsr_parts *parts;
                assert_ok(tsr_builder_feed(&feed, b, err));
                const tsr_stream_options how = {.folder = tsr_builder_folder(b), .bucket_nentries = 500};
                assert_ok(tsr_stream_pack(&parts, feed, format, &how, NULL, err));
                assert_ok(tsr_stream_load(&made[k], parts, 0, err));
                tsr_feed_close(feed);
            }
            tsr_format_free(format);
            tsr_builder_free(b);
        }
        for (int l = 0; l < 2; l++) {
            assert_true(tsr_array_equal(&made[0]->levels[l].pos, &made[1]->levels[l].pos, 1));
            assert_true(tsr_array_equal(&made[0]->levels[l].crd, &made[1]->levels[l].crd, 1));
        }
        assert_int_equal(made[0]->values.n, made[1]->values.n);
        assert_memory_equal(made[0]->values.data, made[1]->values.data, made[0]->values.n * 8);
        tsr_tensor_free(made[0]);
        tsr_tensor_free(made[1]);
    }
}

/* ---- threads ---- */

enum { NPIECES = 60, EACH = 300, NTHREADS = 7 };

typedef struct team {
    tsr_builder *b;
    atomic_int next;
    bool numbers; /* each piece has its number; else all have 0 */
} team;

static void add_piece(tsr_builder *b, uint64_t number, uint64_t piece)
{
    uint64_t crd[2][EACH];
    double values[EACH];
    const tsr_builder_column column[] = {{crd[0], TSR_U64}, {crd[1], TSR_U64}};
    const tsr_builder_entries entries = {.n = EACH, .crd = column, .values = values, .type = TSR_F64};
    for (uint64_t i = 0; i < EACH; i++) {
        crd[0][i] = number, crd[1][i] = i;
        values[i] = (double)(number * EACH + i);
    }
    if (number % 3 > 0)
        assert_ok(tsr_builder_add(b, piece, &entries, err));
    for (uint64_t i = 0; i < EACH && number % 3 == 0; i++)
        assert_ok(tsr_builder_add_one(b, piece, (uint64_t[]){number, i}, &values[i], err));
}

static void *work(void *arg)
{
    team *const t = arg;
    for (int k; (k = atomic_fetch_add(&t->next, 1)) < NPIECES;) {
        add_piece(t->b, (uint64_t)k, t->numbers ? (uint64_t)k : 0);
        assert_true(tsr_builder_nentries(t->b) <= (NPIECES + 2) * EACH && tsr_builder_nbytes(t->b) < 1 << 24);
    }
    return NULL;
}

/* Threads add pieces between two that this thread adds. Returns all entries. */
static tsr_coo *build(int nthreads, bool numbers, uint64_t memory_nbytes)
{
    const tsr_builder_options o = {
        .order = 2, .dims = {NPIECES + 2, EACH}, .memory_nbytes = memory_nbytes, .temp = tsr_test_tmp()};
    team t = {.numbers = numbers};
    pthread_t thread[NTHREADS];
    tsr_coo *coo;
    assert_ok(tsr_builder_new(&t.b, &o, err));
    add_piece(t.b, NPIECES, 0);
    for (int i = 0; i < nthreads; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, work, &t), 0);
    for (int i = 0; i < nthreads; i++)
        assert_int_equal(pthread_join(thread[i], NULL), 0);
    add_piece(t.b, NPIECES + 1, numbers ? NPIECES : 0);
    assert_int_equal(tsr_builder_nentries(t.b), (NPIECES + 2) * EACH);
    assert_true((tsr_builder_spilled(t.b) > 0) == (memory_nbytes > 0));
    assert_ok(tsr_builder_take(&coo, t.b, 2, err));
    tsr_builder_free(t.b);
    return coo;
}

static void test_numbered_pieces_are_in_sequence(void **state)
{
    (void)state;
    static const uint64_t limits[] = {0, 100000};
    for (int nthreads = 1; nthreads <= NTHREADS; nthreads += 2)
        for (int k = 0; k < 2; k++) {
            tsr_coo *const coo = build(nthreads, true, limits[k]);
            for (uint64_t e = 0; e < coo->nnz; e++) {
                /* the piece of this thread has number 0, and was added before the other one of that number */
                const uint64_t row = e < EACH                    ? NPIECES
                                     : e >= (NPIECES + 1) * EACH ? NPIECES + 1
                                                                 : e / EACH - 1;
                assert_int_equal(tsr_array_get(&coo->crd[0], e), row);
                assert_int_equal(tsr_array_get(&coo->crd[1], e), e % EACH);
                assert_true(((double *)coo->values.data)[e] == (double)(row * EACH + e % EACH));
            }
            tsr_coo_free(coo);
        }
}

/* Calls that do not overlap are in sequence; those of one thread never do. */
static void test_calls_are_in_sequence(void **state)
{
    (void)state;
    static const uint64_t limits[] = {0, 100000};
    for (int k = 0; k < 2; k++) {
        tsr_coo *const coo = build(NTHREADS, false, limits[k]);
        uint64_t seen[NPIECES + 2] = {0};
        for (uint64_t e = 0; e < coo->nnz; e++) {
            const uint64_t row = tsr_array_get(&coo->crd[0], e);
            assert_int_equal(tsr_array_get(&coo->crd[1], e), seen[row]);
            seen[row]++;
            assert_true(row != NPIECES || e < EACH);
            assert_true(row != NPIECES + 1 || e >= coo->nnz - EACH);
        }
        tsr_coo_free(coo);
    }
}

/* ---- failures ---- */

/* What is refused leaves the builder as it was. */
static void test_wrong_entries_are_refused(void **state)
{
    (void)state;
    static const int32_t good[] = {0, 1, 2, 3}, negative[] = {0, 1, -1, 3}, large[] = {0, 1, 2, 10};
    static const int8_t small_negative[] = {0, -128, 0, 0};
    static const uint64_t huge[] = {0, 0, 0, UINT64_MAX}, big[] = {0, (uint64_t)INT64_MAX, 0, 0};
    static const double halves[] = {1, 2, 3, 4.5};
    static const int16_t many[] = {1, 2, 3, 400};
    static const struct {
        tsr_builder_column rows, columns;
        const void *values;
        tsr_type type;
        tsr_status status;
        const char *words;
    } cases[] = {
        {{negative, TSR_I32},
         {good, TSR_I32},
         many,
         TSR_I16,
         TSR_CORRUPT,
         "entry 2: coordinate -1 of mode 0 is negative"},
        {{good, TSR_I32},
         {large, TSR_I32},
         many,
         TSR_I16,
         TSR_CORRUPT,
         "entry 3: coordinate 10 of mode 1 is beyond its dim 10"},
        {{good, TSR_I32},
         {small_negative, TSR_I8},
         many,
         TSR_I16,
         TSR_CORRUPT,
         "entry 1: coordinate -128 of mode 1 is negative"},
        {{good, TSR_I32},
         {huge, TSR_U64},
         many,
         TSR_I16,
         TSR_CORRUPT,
         "coordinate 18446744073709551615 of mode 1 is beyond its dim 10"},
        {{huge, TSR_I64}, {good, TSR_I32}, many, TSR_I16, TSR_CORRUPT, "coordinate -1 of mode 0 is negative"},
        {{big, TSR_I64},
         {good, TSR_I32},
         many,
         TSR_I16,
         TSR_CORRUPT,
         "coordinate 9223372036854775807 of mode 0"},
        {{good, TSR_I32}, {good, TSR_I32}, many, TSR_I16, TSR_RANGE, "400"},
        {{good, TSR_I32}, {good, TSR_I32}, halves, TSR_F64, TSR_RANGE, "4.5"},
    };
    for (int room = 0; room < 2; room++) { /* in the first block, and where a new one is needed */
        const tsr_builder_options o = {.order = 2, .dims = {0, 10}, .type = TSR_I8};
        tsr_builder *b;
        assert_ok(tsr_builder_new(&b, &o, err));
        for (int k = 0; k < (room ? 254 : 10); k++)
            assert_ok(tsr_builder_add_one(b, 0, (uint64_t[]){7, 7}, &(int8_t){1}, err));
        for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
            const tsr_builder_column column[] = {cases[i].rows, cases[i].columns};
            const tsr_builder_entries entries = {
                .n = 4, .crd = column, .values = cases[i].values, .type = cases[i].type};
            tsr_error err = {0};
            assert_int_equal(tsr_builder_add(b, 0, &entries, &err), cases[i].status);
            if (!strstr(err.message, cases[i].words))
                fail_msg("case %d: %s", i, err.message);
            assert_int_equal(tsr_builder_nentries(b), room ? 254 : 10);
        }
        tsr_error err = {0};
        assert_int_equal(tsr_builder_add_one(b, 0, (uint64_t[]){0, 10}, &(int8_t){1}, &err), TSR_CORRUPT);
        assert_non_null(strstr(err.message, "beyond its dim 10"));
        tsr_coo *coo;
        assert_int_equal(tsr_builder_take(&coo, b, 1, &err), TSR_OK);
        assert_int_equal(coo->nnz, room ? 254 : 10);
        assert_int_equal(coo->dims[0], 8); /* refused coordinates do not make it grow */
        tsr_coo_free(coo);
        tsr_builder_free(b);
    }
}

/* A call that spills, in a folder or on a disk without room, can be made again. */
static tsr_status fill(tsr_builder *b, list *all, const tsr_builder_options *o, call *c, tsr_error *err)
{
    tsr_rng rng = {3};
    const int ncalls =
        o->memory_nbytes < 100000 ? 8 : 60; /* with more memory, a spill is written in several steps */
    for (int k = 0; k < ncalls; k++) {
        make_call(c, &rng, o, 700);
        const uint64_t before = tsr_builder_nentries(b);
        tsr_status status = TSR_OK;
        if (all->n < (size_t)(k + 1) * 700) {
            status = tsr_builder_add(b, 0, &c->entries, err);
            if (status == TSR_OK)
                note(all, c, o, 0);
        }
        assert_int_equal(tsr_builder_nentries(b), status == TSR_OK ? all->n : before);
        TSR_TRY(status);
    }
    return TSR_OK;
}

static void test_memory_runs_out(void **state)
{
    (void)state;
    const tsr_builder_options o = {
        .order = 2, .dims = {0, 60000}, .memory_nbytes = 40000, .temp = tsr_test_tmp()};
    list all = new_list(MAX_ADDED);
    call *const c = calloc(1, sizeof *c);
    tsr_faults faults = {0};
    assert_non_null(c);
    while (tsr_faults_next(&faults)) {
        tsr_builder *b = NULL;
        tsr_coo *coo = NULL;
        tsr_feed *feed = NULL;
        all.n = 0;
        tsr_faults_arm(&faults);
        tsr_status status = tsr_builder_new(&b, &o, NULL);
        if (status == TSR_OK)
            status = fill(b, &all, &o, c, NULL);
        if (status == TSR_OK)
            status = tsr_builder_take(&coo, b, 1, NULL);
        if (status == TSR_OK)
            status = tsr_builder_feed(&feed, b, NULL);
        tsr_faults_end(&faults, status);
        tsr_feed_close(feed);
        tsr_coo_free(coo);
        if (b) {
            assert_ok(fill(b, &all, &o, c, err)); /* what is missing */
            assert_true(tsr_builder_spilled(b) > 0);
            check_entries(&all, b, &o);
        }
        tsr_builder_free(b);
    }
    free(c);
    free(all.entry);
}

/* Files cannot grow beyond some bytes, for a while. Returns how often that made a call fail. */
static int fill_full_disks(uint64_t memory_nbytes, list *all, call *c)
{
    const tsr_builder_options o = {
        .order = 3, .dims = {0, 60000, 60000}, .memory_nbytes = memory_nbytes, .temp = tsr_test_tmp()};
    struct rlimit old;
    int failures = 0;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    for (rlim_t part = 0; part < 40; part++) {
        const rlim_t most = part * memory_nbytes / 26;
        tsr_builder *b;
        tsr_error err = {0};
        all->n = 0;
        assert_int_equal(tsr_builder_new(&b, &o, &err), TSR_OK);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){most, old.rlim_max}), 0);
        const tsr_status status = fill(b, all, &o, c, &err);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
        if (status != TSR_OK) {
            assert_int_equal(status, TSR_IO);
            assert_non_null(strstr(err.message, "temporary file"));
            failures++;
        }
        assert_int_equal(fill(b, all, &o, c, &err), TSR_OK);
        check_entries(all, b, &o);
        tsr_builder_free(b);
    }
    return failures;
}

static void test_the_disk_is_full(void **state)
{
    (void)state;
    list all = new_list(MAX_ADDED);
    call *const c = calloc(1, sizeof *c);
    assert_non_null(c);
    assert_true(fill_full_disks(40000, &all, c) > 10);
    assert_true(fill_full_disks(800000, &all, c) > 10);
    const tsr_builder_options nowhere = {.order = 1, .memory_nbytes = 4000, .temp = "/nonexistent/folder"};
    tsr_builder *b;
    tsr_error err = {0};
    all.n = 0;
    assert_int_equal(tsr_builder_new(&b, &nowhere, &err), TSR_OK);
    assert_int_equal(fill(b, &all, &nowhere, c, &err), TSR_IO);
    check_entries(&all, b, &nowhere);
    tsr_builder_free(b);
    free(c);
    free(all.entry);
}

/* One call that is larger than all memory for entries, twice: the first time the disk is full in the middle of it. */
static void test_large_call(void **state)
{
    (void)state;
    enum { N = 50000 };
    const tsr_builder_options o = {
        .order = 2, .dims = {N, N}, .memory_nbytes = 100000, .temp = tsr_test_tmp()};
    uint32_t *const crd = calloc(N, sizeof *crd);
    double *const values = calloc(N, sizeof *values);
    struct rlimit old;
    tsr_builder *b;
    tsr_error err = {0};
    assert_true(crd && values);
    for (uint32_t i = 0; i < N; i++)
        crd[i] = i, values[i] = i + 0.1;
    const tsr_builder_column column[] = {{crd, TSR_U32}, {crd, TSR_U32}};
    const tsr_builder_entries entries = {.n = N, .crd = column, .values = values, .type = TSR_F64};
    assert_int_equal(tsr_builder_new(&b, &o, &err), TSR_OK);
    for (uint64_t i = 0; i < 1000; i++)
        assert_int_equal(tsr_builder_add_one(b, 1, (uint64_t[]){i, i}, &(double){5}, &err), TSR_OK);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){200000, old.rlim_max}), 0);
    assert_int_equal(tsr_builder_add(b, 0, &entries, &err), TSR_IO);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_int_equal(tsr_builder_nentries(b), 1000);
    assert_int_equal(tsr_builder_add(b, 0, &entries, &err), TSR_OK);
    assert_true(tsr_builder_nbytes(b) <= 25000 + 12000);
    tsr_coo *coo;
    assert_int_equal(tsr_builder_take(&coo, b, 1, &err), TSR_OK);
    assert_int_equal(coo->nnz, N + 1000);
    for (uint32_t e = 0; e < N + 1000; e++) {
        assert_int_equal(tsr_array_get(&coo->crd[1], e), e < N ? e : e - N);
        assert_true(((double *)coo->values.data)[e] == (e < N ? e + 0.1 : 5));
    }
    tsr_coo_free(coo);
    tsr_builder_free(b);
    free(crd);
    free(values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entries_come_back_in_sequence),
        cmocka_unit_test(test_files_make_the_same_tensor),
        cmocka_unit_test(test_numbered_pieces_are_in_sequence),
        cmocka_unit_test(test_calls_are_in_sequence),
        cmocka_unit_test(test_wrong_entries_are_refused),
        cmocka_unit_test(test_memory_runs_out),
        cmocka_unit_test(test_the_disk_is_full),
        cmocka_unit_test(test_large_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
