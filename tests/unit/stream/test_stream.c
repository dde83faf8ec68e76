/* tsr_stream_pack against tsr_pack: the same arrays, byte by byte, or the same error, for all formats of level-layouts.json and
 * 500 random ones, in 3 to 50 buckets, by one process or by shards, by every rule for duplicates, for every kind of values. */
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stream_support.h"

#include "tsr_alloc.h"
#include "tsr_cells.h"
#include "stream_internal.h"
#include "tsr_memory.h"

typedef struct how {
    uint64_t bucket, step;
    int nshards; /* 0: one process */
    bool can_seek, knows;
    tsr_pack_options pack;
} how;

static uint64_t nbuckets_seen, nskipped, nsharded;

/* The folder of shards; tsr_test_path keeps a few paths only. */
static const char *shards_folder(void)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s", tsr_test_path(scratch(), "shards"));
    return path;
}

static void remove_shards(const char *folder)
{
    DIR *const dir = opendir(folder);
    for (const struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir))
        unlink(tsr_test_path(folder, e->d_name));
    if (dir)
        closedir(dir);
    rmdir(folder);
}

/* tsr_stream_pack in one call, or by shards in the sequence last, first, 1, 2..., one of them made twice, and a join. */
static tsr_status pack_stream(tsr_parts **parts, const tsr_coo *coo, const tsr_format *format, const how *h,
                              tsr_stream_stats *stats, tsr_error *err)
{
    tsr_stream_options options = {.pack = h->pack, .folder = scratch(), .bucket_nentries = h->bucket};
    tsr_status status = TSR_OK;
    *parts = NULL;
    if (h->nshards > 0) {
        options.folder = shards_folder();
        remove_shards(options.folder);
        assert_int_equal(mkdir(options.folder, 0700), 0);
        options.identity = "entries";
        options.nshards = h->nshards;
        nsharded++;
    }
    for (int i = 0; i <= h->nshards && h->nshards > 0 && status == TSR_OK; i++) {
        tsr_feed *const feed = read_coo(coo, h->step, true, h->knows);
        tsr_stream_stats one = {0};
        options.step = TSR_STREAM_SHARD;
        options.shard = (i + h->nshards - 1) % h->nshards;
        status = tsr_stream_pack(parts, feed, format, &options, &one, err);
        tsr_feed_close(feed);
        if (status == TSR_OK)
            assert_int_equal(one.was_done, i == h->nshards);
    }
    if (status != TSR_OK)
        return status;
    options.step = h->nshards > 0 ? TSR_STREAM_JOIN : TSR_STREAM_WHOLE;
    tsr_feed *const feed = read_coo(coo, h->step, h->can_seek || h->nshards > 0, h->knows);
    status = tsr_stream_pack(parts, feed, format, &options, stats, err);
    tsr_feed_close(feed);
    return status;
}

static void check(const tsr_coo *coo, const char *text, const how *h)
{
    tsr_format *format;
    tsr_tensor *want = NULL;
    tsr_parts *parts = NULL;
    tsr_coo *copy;
    tsr_error one = {0}, two = {0};
    tsr_stream_stats stats = {0};
    assert_ok(tsr_format_parse(&format, text, coo->order, coo->dims, err));
    assert_ok(tsr_coo_copy(&copy, coo, err));
    const tsr_status wanted = tsr_pack(&want, copy, format, &h->pack, NULL, &one);
    const tsr_status got = pack_stream(&parts, coo, format, h, &stats, &two);
    /* tsr_pack may refuse a narrow width for the sake of duplicates, before it finds other faults */
    const bool refused = wanted == TSR_RANGE && strstr(one.message, "do not fit");
    if (refused && got == TSR_OK)
        tsr_parts_free(parts);
    else if (!refused && got == TSR_UNSUPPORTED && wanted != TSR_UNSUPPORTED) {
        nskipped++; /* a level that is packed in memory only, or a pipe without the dims that the format needs */
    } else if (!refused) {
        if (got != wanted || strcmp(one.message, two.message) != 0)
            fail_msg("%s: '%s' instead of '%s'", text, two.message, one.message);
        if (got == TSR_OK) {
            must_be_same(parts, want, text);
            must_read_back(parts, want, text);
            nbuckets_seen += stats.nbuckets;
        }
    }
    tsr_tensor_free(want);
    tsr_format_free(format);
}

/* ---- the tests ---- */

/* Every case is made by shards: a slow test; else one of 12. */
static bool all_shards;

static void random_how(how *h, tsr_rng *rng, uint64_t n)
{
    *h = (how){.bucket = 1 + n / (3 + tsr_rng_below(rng, 48)),
               .step = 1 + tsr_rng_below(rng, 300),
               .can_seek = tsr_rng_below(rng, 4) != 0,
               .knows = tsr_rng_below(rng, 2) != 0,
               .nshards = tsr_rng_below(rng, all_shards ? 1 : 12) ? 0 : 1 + (int)tsr_rng_below(rng, 4),
               .pack = {.duplicates = rules[tsr_rng_below(rng, 5)],
                        .index_width = (tsr_index_width)tsr_rng_below(rng, 7),
                        .nthreads = 1 + (int)tsr_rng_below(rng, 3)}};
}

static void try_stream(const tsr_coo *coo, const char *format, tsr_rng *rng)
{
    how h;
    random_how(&h, rng, coo->nnz);
    check(coo, format, &h);
}

static void test_random_formats(void **state)
{
    (void)state;
    try_random_formats(try_stream, 17, 500, 700);
    assert_true(nbuckets_seen > 5000 && nsharded > 20);
    assert_true(nskipped < 50);
}

static void test_level_layouts(void **state)
{
    (void)state;
    try_level_layouts(try_stream, 3, 1);
}

/* One cell has most of the entries: its bucket cannot be cut, and is stored as it comes. */
static void test_heavy_cells(void **state)
{
    static const uint64_t dims[] = {50, 60};
    tsr_rng rng = {.s = 5};
    (void)state;
    for (int k = 0; k < 40; k++) {
        tsr_coo *const coo = random_coo(&rng, 2, dims, TSR_I64, 20000);
        for (uint64_t e = 0; e < coo->nnz; e++)
            if (tsr_rng_below(&rng, 10) < 9 && e != coo->nnz / 2)
                for (int m = 0; m < 2; m++)
                    tsr_array_set(&coo->crd[m], e, k % 4 < 2 ? 7 : tsr_rng_below(&rng, 2) + 7);
        how h;
        random_how(&h, &rng, 900);
        h.pack.duplicates = rules[k % 4];
        if (tsr_case_runs((uint64_t)k))
            check(coo, k % 4 == 3 ? "uq" : "ds", &h);
        tsr_coo_free(coo);
    }
}

/* Whole numbers and reals in one text: integers before the first real become f64. */
static void test_mixed_values(void **state)
{
    static const uint64_t dims[] = {30, 20};
    tsr_rng rng = {.s = 8};
    (void)state;
    for (int k = 0; k < 8; k++) {
        tsr_coo *coo;
        tsr_format *format;
        tsr_tensor *want;
        tsr_parts *parts;
        assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){2, dims}, TSR_F64, false, 500, err));
        for (uint64_t e = 0; e < coo->nnz; e++) {
            for (int m = 0; m < 2; m++)
                tsr_array_set(&coo->crd[m], e, e == 0 ? dims[m] - 1 : tsr_rng_below(&rng, dims[m]));
            ((double *)coo->values.data)[e] =
                (double)tsr_rng_below(&rng, 1 << 20) + (e >= 400 && k < 6 ? 0.25 : 0);
        }
        tsr_feed *const feed = read_coo(coo, 64, k % 2 == 0, k % 3 == 0);
        ((coo_feed *)feed)->nreal = k < 6 ? 400 : 500;
        feed->facts.integers = feed->facts.mixed = true;
        assert_ok(tsr_format_parse(&format, "ss:1,0", 2, NULL, err));
        const tsr_stream_options options = {.folder = scratch(), .bucket_nentries = 60};
        assert_ok(tsr_stream_pack(&parts, feed, format, &options, NULL, err));
        if (k >= 6)
            assert_ok(tsr_coo_retype(coo, TSR_I64, err));
        assert_ok(tsr_pack(&want, coo, format, NULL, NULL, err));
        must_be_same(parts, want, "mixed values");
        tsr_parts_free(parts);
        tsr_feed_close(feed);
        tsr_tensor_free(want);
        tsr_format_free(format);
    }
}

/* Entries in storage order are not spilled; a fall at the very end is noticed, and nothing of the try stays. */
static void test_sorted(void **state)
{
    static const uint64_t dims[] = {100, 100};
    (void)state;
    for (int k = 0; k < 4; k++) {
        tsr_coo *coo, *copy;
        tsr_format *format;
        tsr_tensor *want;
        tsr_parts *parts;
        tsr_stream_stats stats;
        assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){2, dims}, TSR_F64, false, 10000, err));
        for (uint64_t e = 0; e < coo->nnz; e++) {
            tsr_array_set(&coo->crd[0], e, e / 100);
            tsr_array_set(&coo->crd[1], e, e % 100);
            ((double *)coo->values.data)[e] = (double)e;
        }
        if (k % 2 == 1)
            tsr_array_set(&coo->crd[0], 9990, 3);
        assert_ok(tsr_coo_copy(&copy, coo, err));
        tsr_feed *const feed = read_coo(coo, 7, true, k < 2);
        assert_ok(tsr_format_parse(&format, "ds", 2, NULL, err));
        const tsr_stream_options options = {.folder = scratch(), .bucket_nentries = 500};
        assert_ok(tsr_stream_pack(&parts, feed, format, &options, &stats, err));
        assert_int_equal(stats.pack.was_sorted, k % 2 == 0);
        assert_int_equal(stats.nbuckets == 0, k % 2 == 0);
        assert_ok(tsr_pack(&want, copy, format, NULL, NULL, err));
        must_be_same(parts, want, "sorted");
        tsr_parts_free(parts);
        tsr_feed_close(feed);
        tsr_coo_free(coo);
        tsr_tensor_free(want);
        tsr_format_free(format);
    }
}

/* What the folder must hold for a join, and what is said about shards that do not belong together. */
static void test_shard_errors(void **state)
{
    static const uint64_t dims[] = {30, 20};
    tsr_rng rng = {.s = 11};
    tsr_format *format;
    tsr_parts *parts;
    tsr_stream_stats stats = {0};
    tsr_error error = {0};
    (void)state;
    const char *const folder = shards_folder();
    remove_shards(folder);
    assert_int_equal(mkdir(folder, 0700), 0);
    tsr_coo *const coo = random_coo(&rng, 2, dims, TSR_F64, 300);
    tsr_feed *const feed = read_coo(coo, 50, true, true), *const pipe = read_coo(coo, 50, false, true);
    assert_ok(tsr_format_parse(&format, "ds", 2, NULL, err));
    const tsr_stream_options join = {.folder = folder, .identity = "a", .step = TSR_STREAM_JOIN};
    tsr_stream_options shard = {.folder = folder, .identity = "a", .step = TSR_STREAM_SHARD, .nshards = 3};
    const struct {
        const char *identity;
        int shard, nshards; /* nshards 0: the join */
        bool pipe;
        const char *says; /* NULL: well */
    } rows[] = {
        {"a", 0, 0, false, "has no shards: run the command with --shard=0/N"},
        {"a", 0, 2, true, "cannot be cut into shards; convert it as a whole"},
        {"a", 1, 3, false, NULL},
        {"a", 1, 3, false, NULL},
        {"a", 2, 4, false, "are numbered from 0/3 to 2/3, not of 4"},
        {"b", 2, 3, false, "belong to another conversion, or the input has changed"},
        {"a", 0, 0, false, "has 1 of 3 shards: run the command with --shard=0/3 instead of --join, and with"},
        {"a", 0, 3, false, NULL},
        {"a", 0, 0, false, "has 2 of 3 shards: run the command with --shard=2/3 instead of --join"},
        {"a", 2, 3, false, NULL},
        {"b", 0, 0, false, "belong to another conversion, or the input has changed"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tsr_stream_options options = rows[i].nshards ? shard : join;
        options.identity = rows[i].identity;
        options.shard = rows[i].shard;
        options.nshards = rows[i].nshards;
        assert_int_equal(tsr_feed_seek(feed, 0, UINT64_MAX, NULL), TSR_OK);
        const tsr_status status =
            tsr_stream_pack(&parts, rows[i].pipe ? pipe : feed, format, &options, &stats, &error);
        assert_null(parts);
        if (status == TSR_OK ? rows[i].says != NULL : !rows[i].says || !strstr(error.message, rows[i].says))
            fail_msg("row %d: '%s'", (int)i, status == TSR_OK ? "" : error.message);
    }
    /* a bucket that was cut */
    assert_int_equal(truncate(tsr_test_path(folder, "shard0001-0000"), 40), 0);
    assert_int_equal(tsr_stream_pack(&parts, feed, format, &join, NULL, &error), TSR_CORRUPT);
    tsr_feed_close(feed);
    tsr_feed_close(pipe);
    tsr_format_free(format);
    tsr_coo_free(coo);
    remove_shards(folder);
}

/* The n-th allocation fails in a shard or in the join. */
static void test_shard_allocations(void **state)
{
    static const uint64_t dims[] = {20, 30, 10};
    const how h = {.bucket = 90, .step = 50, .nshards = 2, .pack.nthreads = 1};
    tsr_rng rng = {.s = 10};
    tsr_format *format;
    tsr_stream_stats stats;
    (void)state;
    if (tsr_alloc_live() < 0)
        skip();
    tsr_coo *const coo = random_coo(&rng, 3, dims, TSR_F64, 300);
    assert_ok(tsr_format_parse(&format, "dss:1,0,2", 3, NULL, err));
    tsr_faults faults = {0};
    while (tsr_faults_next(&faults)) {
        tsr_parts *parts;
        tsr_error err = {0};
        tsr_faults_arm(&faults);
        const tsr_status status = pack_stream(&parts, coo, format, &h, &stats, &err);
        tsr_faults_disarm(&faults);
        tsr_parts_free(parts);
        assert_true(status == TSR_OK || (faults.failed && err.message[0]));
    }
    remove_shards(shards_folder());
    tsr_format_free(format);
    tsr_coo_free(coo);
}

/* The n-th allocation fails: an error, no leak, and no file stays. */
static void test_allocations(void **state)
{
    static const uint64_t dims[] = {20, 30, 10};
    tsr_rng rng = {.s = 9};
    tsr_format *format;
    (void)state;
    if (tsr_alloc_live() < 0)
        skip();
    tsr_coo *const coo = random_coo(&rng, 3, dims, TSR_F64, 400);
    tsr_feed *const feed = read_coo(coo, 50, true, false);
    assert_ok(tsr_format_parse(&format, "dss:1,0,2", 3, NULL, err));
    const tsr_stream_options options = {.folder = scratch(), .bucket_nentries = 90, .pack.nthreads = 1};
    tsr_faults faults = {0};
    while (tsr_faults_next(&faults)) {
        tsr_parts *parts;
        tsr_error err = {0};
        assert_int_equal(tsr_feed_seek(feed, 0, UINT64_MAX, NULL), TSR_OK);
        tsr_faults_arm(&faults);
        const tsr_status status = tsr_stream_pack(&parts, feed, format, &options, NULL, &err);
        tsr_faults_disarm(&faults);
        if (status == TSR_OK)
            tsr_parts_free(parts);
        assert_true(status == TSR_OK || faults.failed);
        if (status != TSR_OK)
            assert_true(err.status == status && err.message[0]);
    }
    tsr_feed_close(feed);
    tsr_format_free(format);
    tsr_coo_free(coo);
}

static void write_text(const char *path, const char *text)
{
    FILE *const f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static tsr_status collect(tsr_coo **coo, const char *const *path, tsr_error *err)
{
    const tsr_read_options read = {.nthreads = 1};
    tsr_stream_inputs in = {.n = 3, .path = path, .along = 1, .read = &read};
    tsr_feed *feed;
    *coo = NULL;
    TSR_TRY(tsr_stream_files(&feed, &in, err));
    tsr_format_free(in.format);
    return tsr_stream_collect(coo, feed, NULL, err);
}

/* Several files as one feed, one of them with one triangle, and one that is read as a whole; the n-th allocation fails. */
static void test_files(void **state)
{
    static const char *const names[] = {"a.mtx", "b.mtx", "c.mtx"};
    static const char *const texts[] = {
        "%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n2 1 4\n3 3 5\n",
        "%%MatrixMarket matrix array real general\n3 2\n1\n2\n3\n4\n5\n6.5\n",
        "%%MatrixMarket matrix coordinate real general\n3 4 1\n1 4 7\n"};
    static const double cells[3][9] = {/* of each column */
                                       {0, 4, 0, 1, 4, 0, 0, 0, 7},
                                       {4, 0, 0, 2, 5, 0, 0, 0, 0},
                                       {0, 0, 5, 3, 6.5, 0, 0, 0, 0}};
    char paths[3][1024];
    const char *path[3];
    (void)state;
    for (int i = 0; i < 3; i++) {
        snprintf(paths[i], sizeof paths[i], "%s", tsr_test_path(scratch(), names[i]));
        write_text(paths[i], texts[i]);
        path[i] = paths[i];
    }
    tsr_faults faults = {0};
    tsr_coo *coo;
    while (tsr_faults_next(&faults)) {
        tsr_error err = {0};
        tsr_faults_arm(&faults);
        const tsr_status status = collect(&coo, path, &err);
        tsr_faults_disarm(&faults);
        tsr_coo_free(coo);
        assert_true(status == TSR_OK || (faults.failed && !coo && err.message[0]));
    }
    assert_ok(collect(&coo, path, err));
    assert_int_equal(coo->type, TSR_F64);
    assert_true(coo->order == 2 && coo->dims[0] == 3 && coo->dims[1] == 9);
    double sum = 0;
    for (uint64_t e = 0; e < coo->nnz; e++) {
        const double value = ((const double *)coo->values.data)[e];
        assert_true(cells[tsr_array_get(&coo->crd[0], e)][tsr_array_get(&coo->crd[1], e)] == value);
        sum += value;
    }
    assert_true(sum == 4 + 4 + 5 + 21.5 + 7);
    tsr_coo_free(coo);
    for (int i = 0; i < 3; i++)
        unlink(paths[i]);
}

/* The limit is too low for a part of the level arrays: the error spoke of entries for other ranks, where there are none. */
static void test_no_memory_for_part(void **state)
{
    stream_file file = {.fd = -1, .grows = true};
    unsigned char *const bytes = calloc(1 << 20, 1);
    tsr_error said = {0};
    (void)state;
    assert_non_null(bytes);
    assert_ok(stream_file_add(&file, bytes, 100, err));
    tsr_memory_set_limit(1 << 20); /* this process holds more */
    const tsr_status status = stream_file_add(&file, bytes, 1 << 20, &said);
    tsr_memory_set_limit(UINT64_MAX);
    assert_int_equal(status, TSR_NOMEM);
    assert_string_equal(
        said.message,
        "out of memory: cannot allocate a part of the entries: 2.10 MB, more than the 1.05 MB that "
        "the memory limit allows");
    assert_int_equal(file.nbuf, 100);
    stream_file_clear(&file);
    free(bytes);
}

int main(int argc, char **argv)
{
    all_shards = argc > 1 && strcmp(argv[1], "all") == 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_formats), cmocka_unit_test(test_level_layouts),
        cmocka_unit_test(test_heavy_cells),    cmocka_unit_test(test_mixed_values),
        cmocka_unit_test(test_sorted),         cmocka_unit_test(test_allocations),
        cmocka_unit_test(test_shard_errors),   cmocka_unit_test(test_shard_allocations),
        cmocka_unit_test(test_files),          cmocka_unit_test(test_no_memory_for_part),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    if (strcmp(scratch(), tsr_test_tmp()) != 0)
        rmdir(scratch());
    return failed;
}
