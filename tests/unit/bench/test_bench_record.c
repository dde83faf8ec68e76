/* Records: what was written reads back; the reader checks everything. */
#include <math.h>
#include <sys/stat.h>

#include "bench_record.h"
#include "tsr_alloc.h"
#include "tsr_test.h"

static const double samples[] = {3e6, 1e6, 2e6, 2.5e6, 98765.4321};

static const bool disturbed[] = {false, false, true, false, true};

static bench_row full_row(void)
{
    return (bench_row){
        .kernel = "mttkrp",
        .expression = "A(i,r) = B(i,j,k) * C(j,r) * D(k,r)",
        .dataset = {.name = "nell-2 \"\\\xc3\xa4",
                    .order = 3,
                    .dims = {1, 2, UINT64_C(1) << 62},
                    .nnz = 76879419,
                    .stand_in = true,
                    .seed = 42},
        .has_mode = true,
        .mode = 0,
        .rank = 16,
        .type = "f64",
        .nthreads = 2,
        .cold = true,
        .candidate = "tessera",
        .format = "csf",
        .memory = BENCH_NEW,
        .schedule = "automatic",
        .engine = "jit",
        .version = "0.1.0",
        .nbytes = 12345,
        .pack_ns = 1.5e9,
        .predicted_ns = 2.5e6,
        .predicted_pack_ns = 1.25e9,
        .moved_nbytes = 4e6,
        .flops = 1e6,
        .peak_nbytes = 77,
        .nloops = 3,
        .nsamples = 5,
        .samples_ns = samples,
        .disturbed = disturbed,
        .reference = "coo",
        .speedup = {2, 1.5, INFINITY},
        .checked = true,
        .note = "a note",
    };
}

static void make(bench_record *record, const char *path)
{
    char *const argv[] = {"mttkrp", "--rank=16", NULL};
    assert_ok(bench_record_init(record, path, 2, argv, err));
    record->nroofs = 1;
    record->roofs[0] = (bench_roof){.nthreads = 2, .triad = 4e9, .gather = 1e8, .fma_f64 = 1e12};
    bench_record_noise(record, &(bench_noise){.spread = 0.02, .repeat = {0.97, 0.95, 1.01}});
    bench_record_noise(record, &(bench_noise){.spread = 0.01, .repeat = {1.02, 1, 1.05}});
    const bench_row row = full_row(),
                    absent = {.kernel = "spmv", .candidate = "librsb", .note = "not installed"};
    assert_ok(bench_record_add(record, &row, err));
    assert_ok(bench_record_add(record, &absent, err));
}

static void test_round_trip(void **state)
{
    (void)state;
    const char *const path = tsr_test_path(tsr_test_tmp(), "round.json");
    bench_record record, back;
    make(&record, path);
    assert_ok(bench_record_write(&record, err));
    assert_ok(bench_record_read(&back, path, err));
    assert_memory_equal(&back.machine, &record.machine,
                        offsetof(bench_machine, ncpus)); /* no padding before it */
    assert_int_equal(back.machine.ncpus, record.machine.ncpus);
    assert_string_equal(back.command, "tbench mttkrp --rank=16");
    assert_int_equal(back.roofs[0].nthreads, 2);
    assert_true(back.roofs[0].triad == 4e9 && back.roofs[0].gather == 1e8);
    assert_true(back.roofs[0].fma_f64 == 1e12 && back.roofs[0].fma_f32 == 0);
    assert_true(back.noise.spread == 0.02 && back.noise.repeat.ratio == 0.97 && back.noise.repeat.hi == 1.01);
    assert_int_equal(back.nrows, 2);
    const bench_row *const r = &back.rows[0], was = full_row();
    assert_string_equal(r->kernel, was.kernel);
    assert_string_equal(r->expression, was.expression);
    assert_string_equal(r->dataset.name, was.dataset.name);
    assert_memory_equal(r->dataset.dims, was.dataset.dims, sizeof was.dataset.dims);
    assert_true(r->dataset.order == 3 && r->dataset.nnz == 76879419 && r->dataset.stand_in &&
                r->dataset.seed == 42);
    assert_true(r->has_mode && r->mode == 0 && r->rank == 16 && r->nthreads == 2 && r->cold);
    assert_true(r->nbytes == 12345 && r->pack_ns == 1.5e9 && r->moved_nbytes == 4e6 && r->flops == 1e6);
    assert_true(r->predicted_ns == 2.5e6 && r->predicted_pack_ns == 1.25e9);
    assert_true(r->peak_nbytes == 77 && r->nloops == 3 && r->checked && r->noisy);
    assert_true(r->speedup.ratio == 2 && r->speedup.lo == 1.5 && isinf(r->speedup.hi));
    assert_string_equal(r->note, "a note");
    assert_string_equal(r->memory, BENCH_NEW);
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) /* to a millionth */
        assert_true(fabs(r->samples_ns[i] - samples[i]) <= 1e-6 * samples[i]);
    assert_memory_equal(r->disturbed, disturbed, sizeof disturbed);
    /* statistics of the undisturbed samples */
    assert_true(r->ns.n == 5 && r->ns.median == 2.5e6 && r->ns.min == 1e6);
    assert_true(r->least.n == 3 && r->least.ns == 1e6 && r->least.apart == 1.5);
    assert_true(r->roof_share == 0.4); /* 4 MB at 4 GB/s are 1 ms, and it took 2.5 */
    assert_true(back.rows[1].nsamples == 0 && !back.rows[1].has_mode && !back.rows[1].dataset.name &&
                !back.rows[1].memory);
    bench_record_clear(&back);
    bench_record_clear(&record);
}

/* Two more passes, in the second of which one candidate did not run: samples are in order of passes, and the
 * speed-up uses the rounds in which both ran. */
static void test_passes(void **state)
{
    (void)state;
    const char *const path = tsr_test_path(tsr_test_tmp(), "passes.json");
    static const double first[] = {2e6, 2e6, 2e6}, second[] = {4e6, 4e6}, third[] = {1e6, 1e6, 1e6};
    bench_record record = {.path = path}, back;
    bench_row coo = {.kernel = "k", .candidate = "coo", .nthreads = 1, .pack_ns = 3, .reference = "coo"},
              csr = {.kernel = "k", .candidate = "csr", .nthreads = 1, .pack_ns = 3, .reference = "coo"};
    const struct {
        const double *coo, *csr;
        uint32_t ncoo, ncsr;
    } passes[] = {{first, third, 3, 3}, {second, NULL, 2, 0}, {third, second, 3, 2}, {third, first, 3, 3}};
    for (int p = 0; p < 4; p++) {
        coo.samples_ns = passes[p].coo;
        coo.nsamples = passes[p].ncoo;
        csr.samples_ns = passes[p].csr;
        csr.nsamples = passes[p].ncsr;
        csr.pack_ns = p == 1 ? 0 : 5 - p;
        csr.note = p == 1 ? "it refused" : NULL;
        assert_ok(p ? bench_record_join(&record, 0, &coo, NULL, err) : bench_record_add(&record, &coo, err));
        assert_ok(p ? bench_record_join(&record, 1, &csr, NULL, err) : bench_record_add(&record, &csr, err));
        bench_record_speedup(&record, 1, 0);
    }
    tsr_error other = {0};
    assert_int_equal(bench_record_join(&record, 1, &coo, NULL, &other), TSR_ARGUMENT);
    assert_int_equal(bench_record_join(&record, 2, &coo, NULL, &other), TSR_ARGUMENT);
    assert_ok(bench_record_write(&record, err));
    assert_ok(bench_record_read(&back, path, err));
    const bench_row *const r = &back.rows[1];
    static const double joined[] = {1e6, 1e6, 1e6, 4e6, 4e6, 2e6, 2e6, 2e6};
    assert_int_equal(r->nsamples, 8);
    assert_memory_equal(r->samples_ns, joined, sizeof joined);
    const bench_passes four = {.n = 4, .nsamples = {3, 0, 2, 3}};
    assert_memory_equal(&r->passes, &four, sizeof four);
    assert_true(r->pack_ns == 2);
    assert_string_equal(r->note, "it refused");
    assert_int_equal(back.rows[0].nsamples, 11);
    /* 2, 2, 2, 1, 1, 1 over 1, 1, 1, 2, 2, 2 */
    assert_true(r->speedup.ratio == 1 && r->speedup.lo == 0.5 && r->speedup.hi == 2);
    bench_record_clear(&back);
    bench_record_clear(&record);
}

/* An unwritable path is detected before the measurement. */
static void test_unwritable(void **state)
{
    (void)state;
    bench_record record;
    tsr_error err = {0};
    assert_int_equal(bench_record_init(&record, "no-such-folder/r.json", 0, NULL, &err), TSR_IO);
}

/* ---- hostile files ---- */

#define HEAD "{\"schema\":\"tessera-bench\",\"version\":1,\"machine\":{},"
#define ROW HEAD "\"rows\":[{\"kernel\":\"k\",\"candidate\":\"c\","

static const struct {
    const char *text;
    tsr_status status;
    const char *message;
} bad[] = {
    {"", TSR_SYNTAX, "is not JSON: '[' or '{' expected near end of file"},
    {"{", TSR_SYNTAX, "is not JSON: string or '}' expected near end of file"},
    {"[]", TSR_UNSUPPORTED, "is not a record of tbench"},
    {"{}", TSR_UNSUPPORTED, "is not a record of tbench"},
    {"{\"schema\":1}", TSR_UNSUPPORTED, "is not a record of tbench"},
    {"{\"schema\":\"tessera-bench\",\"schema\":\"tessera-bench\"}", TSR_SYNTAX,
     "is not JSON: duplicate object key"},
    {"{\"schema\":\"tessera-bench\",\"version\":7}", TSR_UNSUPPORTED,
     "this record has version 7, but this tbench reads version 1 only"},
    {"{\"schema\":\"tessera-bench\",\"version\":1}", TSR_CORRUPT, "the field machine must be an object"},
    {"{\"schema\":\"tessera-bench\",\"version\":1,\"machine\":{\"cpu\":3}}", TSR_CORRUPT,
     "the field machine.cpu must be a text of one line and at most 4096 bytes"},
    {HEAD "\"rows\":{}}", TSR_CORRUPT, "the field rows must be a list of at most 1000000"},
    {HEAD "\"roofs\":[1,2,3,4,5,6,7,8,9],\"rows\":[]}", TSR_CORRUPT,
     "the field roofs must be a list of at most 8"},
    {HEAD "\"noise\":[],\"rows\":[]}", TSR_CORRUPT, "the field noise must be an object"},
    {HEAD "\"rows\":[{\"kernel\":\"k\"}]}", TSR_CORRUPT, "the field rows[0].candidate must be present"},
    {HEAD "\"rows\":[7]}", TSR_CORRUPT, "the field rows[0]. must be an object"},
    {ROW "\"samples_ns\":[1,0]}]}", TSR_CORRUPT,
     "the field rows[0].samples_ns must be a list of numbers above 0"},
    {ROW "\"samples_ns\":[\"1\"]}]}", TSR_CORRUPT,
     "the field rows[0].samples_ns must be a list of numbers above 0"},
    {ROW "\"samples_ns\":5}]}", TSR_CORRUPT, "the field rows[0].samples_ns must be a list of at most 1000"},
#define PASSES "the field rows[0].pass_samples must be a list of at most 32 counts that sum up to the samples"
    {ROW "\"samples_ns\":[1,2],\"pass_samples\":[1,2]}]}", TSR_CORRUPT, PASSES},
    {ROW "\"samples_ns\":[1,2],\"pass_samples\":[]}]}", TSR_CORRUPT, PASSES},
    {ROW "\"samples_ns\":[1,2],\"pass_samples\":2}]}", TSR_CORRUPT, PASSES},
    {ROW "\"samples_ns\":[1,2],\"pass_samples\":[3,-1]}]}", TSR_CORRUPT, PASSES},
    {ROW "\"pass_samples\":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]}]}",
     TSR_CORRUPT, PASSES},
    {ROW "\"samples_ns\":[1,2],\"disturbed\":[2]}]}", TSR_CORRUPT,
     "the field rows[0].disturbed must be a list of numbers of samples"},
    {ROW "\"samples_ns\":[1,2],\"disturbed\":[true]}]}", TSR_CORRUPT,
     "the field rows[0].disturbed must be a list of numbers of samples"},
    {ROW "\"disturbed\":0}]}", TSR_CORRUPT,
     "the field rows[0].disturbed must be a list of numbers of samples"},
    {ROW "\"mode\":16}]}", TSR_CORRUPT, "the field rows[0].mode must be a whole number in its range"},
    {ROW "\"mode\":-1}]}", TSR_CORRUPT, "the field rows[0].mode must be a whole number in its range"},
    {ROW "\"rank\":1.5}]}", TSR_CORRUPT, "the field rows[0].rank must be a whole number in its range"},
    {ROW "\"threads\":4294967296}]}", TSR_CORRUPT,
     "the field rows[0].threads must be a whole number in its range"},
    {ROW "\"cold\":1}]}", TSR_CORRUPT, "the field rows[0].cold must be true or false"},
    {ROW "\"pack_ns\":-5}]}", TSR_CORRUPT, "the field rows[0].pack_ns must be a number above 0"},
    {ROW "\"note\":\"a\\nb\"}]}", TSR_CORRUPT,
     "the field rows[0].note must be a text of one line and at most 4096 bytes"},
    {ROW "\"note\":\"\\u001b[2J\"}]}", TSR_CORRUPT,
     "the field rows[0].note must be a text of one line and at most 4096 bytes"},
    {ROW "\"speedup\":{\"value\":2,\"lo\":3,\"hi\":4}}]}", TSR_CORRUPT,
     "the field rows[0].speedup must be inside its interval"},
    {ROW "\"dataset\":{\"dims\":[1]}}]}", TSR_CORRUPT, "the field rows[0].dataset.name must be present"},
    {ROW "\"dataset\":{\"name\":\"d\",\"dims\":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]}}]}", TSR_CORRUPT,
     "the field rows[0].dataset.dims must be a list of at most 16"},
    {ROW "\"dataset\":{\"name\":\"d\",\"dims\":[-1]}}]}", TSR_CORRUPT,
     "the field rows[0].dataset.dims must be a list of whole numbers"},
};

static void test_hostile(void **state)
{
    (void)state;
    const char *const path = tsr_test_path(tsr_test_tmp(), "bad.json");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        bench_record record;
        tsr_error err = {0};
        tsr_test_spit(path, bad[i].text, strlen(bad[i].text));
        assert_int_equal(bench_record_read(&record, path, &err), bad[i].status);
        if (strncmp(err.message, bad[i].message, strlen(bad[i].message)) != 0)
            assert_string_equal(err.message, bad[i].message);
        assert_string_equal(err.path, path);
    }
    bench_record record;
    tsr_error err = {0};
    assert_int_equal(bench_record_read(&record, "no-such-file.json", &err), TSR_IO);
}

/* Any change of any bytes is read or refused; never a crash (also under sanitizers). */
static void test_mutations(void **state)
{
    (void)state;
    const char *const path = tsr_test_path(tsr_test_tmp(), "mutated.json");
    bench_record record;
    size_t n;
    make(&record, path);
    assert_ok(bench_record_write(&record, err));
    bench_record_clear(&record);
    char *const text = tsr_test_slurp(path, &n), *const copy = malloc(n);
    assert_non_null(copy);
    tsr_rng rng = {11};
    int nread = 0;
    for (int trial = 0; trial < 500; trial++) {
        memcpy(copy, text, n);
        const uint64_t nchanges = 1 + tsr_rng_below(&rng, 3);
        for (uint64_t k = 0; k < nchanges; k++)
            copy[tsr_rng_below(&rng, n)] = "\0-0919ez\"{}[],:\xff"[tsr_rng_below(&rng, 17)];
        tsr_test_spit(path, copy, trial % 5 == 0 ? tsr_rng_below(&rng, n) : n);
        const tsr_status status = bench_record_read(&record, path, NULL);
        nread += status == TSR_OK;
        if (status == TSR_OK)
            bench_record_clear(&record);
    }
    assert_in_range(nread, 1, 499);
    free(copy);
    free(text);
}

/* Failing allocations are reported, and no memory is left. */
static void test_faults(void **state)
{
    (void)state;
    const char *const path = tsr_test_path(tsr_test_tmp(), "faults.json");
    bench_record record;
    if (tsr_alloc_live() < 0)
        skip();
    make(&record, path);
    assert_ok(bench_record_write(&record, err));
    bench_record_clear(&record);
    tsr_faults faults = {0};
    while (tsr_faults_next(&faults)) {
        tsr_faults_arm(&faults);
        const tsr_status status = bench_record_read(&record, path, NULL);
        tsr_faults_end(&faults, status);
        if (status == TSR_OK)
            bench_record_clear(&record);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_passes),
        cmocka_unit_test(test_unwritable), cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_mutations),  cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
