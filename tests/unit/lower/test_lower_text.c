/* The texts of lowering: graphs and programs against golden files (TSR_UPDATE=1 in the environment writes
 * them anew), schedules there and back. */
#include <inttypes.h>

#include "lower_case.h"
#include "tsr_alloc.h"

static const struct {
    const char *name, *expression, *formats, *schedule;
} golden[] = {
    {"spmv", "y(i) = A(i,j) * x(j)", "A:ds", NULL},
    {"spmv_transposed", "y(j) = alpha * A(i,j) * x(i) + beta * z(j)", "A:ds", "atomic(y)"},
    {"spmv_blocked", "y(i) = A(i,j) * x(j)", "A:bcsr(2,3)", NULL},
    {"spmv_diagonals", "y(i) = A(i,j) * x(j)", "A:bdia", NULL},
    {"spmm", "Y(i,r) = A(i,j) * X(j,r)", "A:ds", NULL},
    {"mttkrp", "A(i,r) = B(i,j,k) * C(j,r) * D(k,r)", "B:sss", NULL},
    {"mttkrp_last", "A(k,r) = B(i,j,k) * C(i,r) * D(j,r)", "B:sss", NULL},
    {"mttkrp_coo", "A(j,r) = B(i,j,k) * C(i,r) * D(k,r)", "B:uqq", "parallelize(i), private(A)"},
    {"sddmm", "Y(i,j) = B(i,j) * C(i,k) * D(j,k)", "B:ds; Y:ds", NULL},
    {"ttv", "Y(i,j) = B(i,j,k) * x(k)", "B:sss; Y:ss", NULL},
    {"inner", "a = B(i,j,k) * C(i,j,k)", "B:sss", NULL},
    {"matmul", "Y(i,j) = A(i,k) * B(k,j)", "", NULL},
    {"linear", "y(i) = A(i,j) * x(j)", "A:linear", NULL},
    {"spmv_slices", "y(i) = A(i,j) * x(j)", "A:sell(8,64)", NULL},
    {"spmv_slices_scaled", "y(j) = a * A(i,j) * x(i)", "A:sell(16,64):1,0", "serial"},
    {"spmv_slots", "y(i) = A(i,j) * x(j)", "A:ellc", NULL},
    {"spmv_windows", "y(i) = A(i,j) * x(j)", "A:dia", NULL},
    {"spmm_windows", "Y(i,r) = A(i,j) * X(j,r)", "A:dia", NULL},
    {"spmv_lists", "y(i) = A(i,j) * x(j)", "A:csbc(1000,500)", "prefetch(32)"},
    {"spmv_lanes", "y(i) = A(i,j) * x(j)", "A:csr", "lanes(64)"},
    {"spmv_lanes_max", "y(i) max= A(i,j) * x(j)", "A:csr", "lanes(64)"},
    {"spmv_band", "y(i) = A(i,j) * x(j)", "A:band", NULL},
    {"spmv_groups", "y(i) = A(i,j) * x(j)", "A:nm(2,4)", NULL},
    {"mttkrp_strips", "A(i,r) = B(i,j,k) * C(j,r) * D(k,r)", "B:strips", NULL},
    {"mttkrp_key", "A(j,r) = B(i,j,k) * C(i,r) * D(k,r)", "B:alto", NULL},
};

static tsr_status lower_case_graph(tsr_text *text, const lower_case_program *p,
                                   const tsr_plan_request *options, tsr_error *err)
{
    tsr_lowered *lowered;
    const tsr_status status = lower_case_make(&lowered, text, p, options, err);
    tsr_lowered_free(lowered);
    return status;
}

/* The schedule that was chosen gives the same program. */
static void check_chosen(const lower_case_program *p)
{
    tsr_lowered *again;
    tsr_text first = {0}, second = {0};
    assert_ok(lower_case_make(&again, NULL, p,
                              &(tsr_plan_request){.schedule = &p->lowered->schedule, .nthreads = 2}, err));
    tsr_ir_print(&first, p->lowered->plain);
    tsr_ir_print(&second, again->plain);
    assert_string_equal(tsr_text_cstr(&first), tsr_text_cstr(&second));
    tsr_text_clear(&first);
    tsr_text_clear(&second);
    tsr_lowered_free(again);
}

static void test_golden(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof golden / sizeof golden[0]; i++) {
        const lower_case c = {.expression = golden[i].expression,
                              .formats = golden[i].formats,
                              .schedule = golden[i].schedule,
                              .sizes = "i=100001 j=60001 k=2001 r=16"};
        lower_case_program p;
        tsr_text text = {0};
        lower_case_lower(&p, &c);
        assert_ok(
            lower_case_graph(&text, &p, &(tsr_plan_request){.schedule = &p.schedule, .nthreads = 2}, err));
        tsr_text_add(&text, "\n");
        tsr_ir_print(&text, p.lowered->plain);
        char name[80];
        snprintf(name, sizeof name, "lower/%s.txt", golden[i].name);
        tsr_test_golden(name, tsr_text_cstr(&text));
        tsr_text_clear(&text);
        check_chosen(&p);
        lower_case_clear(&p);
    }
}

/* Results of more positions than 2^31 are indexed by 64 bits; those that no index holds are refused. */
static void test_huge(void **state)
{
    (void)state;
    tsr_error err = {0};
    lower_case_program p;
    lower_case_lower(
        &p, &(lower_case){.expression = "Y(i,j) = A(i,j)", .formats = "A:ss", .sizes = "i=100000 j=100000"});
    lower_case_clear(&p);
    lower_case_set_up(&p, &(lower_case){.expression = "Y(i,j) = A(i,j)",
                                        .formats = "A:ss",
                                        .sizes = "i=2147483648 j=2147483648"});
    assert_int_equal(lower_case_make(&p.lowered, NULL, &p,
                                     &(tsr_plan_request){.schedule = &p.schedule, .nthreads = 2}, &err),
                     TSR_LIMIT);
    assert_non_null(strstr(err.message, "2^59 positions"));
    lower_case_clear(&p);
}

/* Copies for each thread or atomic additions: what all threads touch is weighed, as far as the format tells it. The driver
 * counts as 2^20 entries. */
static const struct {
    const char *expression, *formats, *sizes;
    int nthreads;
    const char *sharing;
} weighed[] = {
    {"A(i,r) = B(i,j,k) * C(j,r) * D(k,r)", "B:alto", "i=30001 j=20001 k=3001 r=16", 2, "private"},
    {"A(i,r) = B(i,j,k) * C(j,r) * D(k,r)", "B:alto", "i=30001 j=20001 k=3001 r=16", 32, "private"},
    {"A(i,r) = B(i,j,k) * C(j,r) * D(k,r)", "B:alto", "i=30001 j=20001 k=3001 r=16", 256, "atomic"},
    {"A(k,r) = B(i,j,k) * C(i,r) * D(j,r)", "B:alto", "i=30001 j=20001 k=20001 r=16", 32, "private"},
    {"A(j,r) = B(i,j,k) * C(i,r) * D(k,r)", "B:uqq", "i=30001 j=30001 k=3001 r=16", 32, "atomic"},
    {"A(j,r) = B(i,j,k) * C(i,r) * D(k,r)", "B:uqq", "i=30001 j=3001 k=3001 r=16", 32, "private"},
    {"A(j,r) = B(i,j,k) * C(i,r) * D(k,r)", "B:strips(4096)", "i=30001 j=60001 k=3001 r=16", 16, "private"},
    {"A(j,r) = B(i,j,k) * C(i,r) * D(k,r)", "B:strips(4096)", "i=30001 j=60001 k=3001 r=16", 256, "atomic"},
};

static void test_weighed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof weighed / sizeof weighed[0]; i++) {
        const lower_case c = {
            .expression = weighed[i].expression, .formats = weighed[i].formats, .sizes = weighed[i].sizes};
        const tsr_plan_request options = {.nthreads = weighed[i].nthreads};
        lower_case_program p;
        tsr_text text = {0};
        char expected[32];
        lower_case_set_up(&p, &c);
        assert_ok(lower_case_graph(&text, &p, &options, err));
        snprintf(expected, sizeof expected, ", A is %s\n", weighed[i].sharing);
        if (!strstr(tsr_text_cstr(&text), expected))
            fail_msg("%s, %d threads:\n%s", c.formats, weighed[i].nthreads, tsr_text_cstr(&text));
        tsr_text_clear(&text);
        lower_case_clear(&p);
    }
}

/* The numbers of positions of an operand with n entries, in levels that are dense or have a position for each entry. */
static void set_entries(tsr_plan_operand *operand, uint64_t n)
{
    for (int l = 0; l < operand->binding->format->nlevels; l++)
        operand->npos[l] = operand->binding->format->levels[l].type->full ? operand->binding->size[l] : n;
}

/* Contributions of entries that follow each other with the same row of the result are added up before, where rows are short and
 * six entries or more have the same row on average; fewer, longer rows and unknown numbers of entries: each is added to it. */
static const struct {
    const char *expression, *formats, *sizes;
    uint64_t nentries;
    bool sums;
} runs[] = {
    {"A(i,r) = B(i,j,k) * C(j,r) * D(k,r)", "B:uqq", "i=3001 j=2001 k=301 r=16", 18006, true},
    {"A(i,r) = B(i,j,k) * C(j,r) * D(k,r)", "B:uqq", "i=3001 j=2001 k=301 r=16", 18005, false},
    {"A(i,r) = B(i,j,k) * C(j,r) * D(k,r)", "B:uqq", "i=3001 j=2001 k=301 r=17", 30010, false},
    {"A(i,r) = B(i,j,k) * C(j,r) * D(k,r)", "B:uqq", "i=3001 j=2001 k=301 r=64", 96031, false},
    {"A(i,r) = B(i,j,k) * C(j,r) * D(k,r)", "B:uqq", "i=3001 j=2001 k=301 r=64", 96032, true},
    {"A(i,r) = B(i,j,k) * C(j,r) * D(k,r)", "B:uqq", "i=3001 j=2001 k=301 r=65", 96032, false},
    {"A(i,r) = B(i,j,k) * C(j,r) * D(k,r)", "B:uqq", "i=3001 j=2001 k=301 r=16", 0, false},
    {"A(i,r) = B(i,j,k) * C(j,r) * D(k,r)", "B:strips(1024)", "i=3001 j=2001 k=301 r=16", 36012, true},
    {"A(i,r) = B(i,j,k) * C(j,r) * D(k,r)", "B:strips(1024)", "i=3001 j=2001 k=301 r=16", 36011, false},
    {"A(j,r) = B(i,j,k) * C(i,r) * D(k,r)", "B:strips(1024)", "i=3001 j=2001 k=301 r=16", 36012, false},
    {"A(j,r) = B(i,j,k) * C(i,r) * D(k,r)", "B:uqq", "i=3001 j=2001 k=301 r=16", 30010, false},
    {"A(i,r) = B(i,j,k) * C(j,r) * D(k,r)", "B:csf", "i=3001 j=2001 k=301 r=16", 30010, false},
};

static void test_runs(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        const lower_case c = {
            .expression = runs[i].expression, .formats = runs[i].formats, .sizes = runs[i].sizes};
        lower_case_program p;
        tsr_text text = {0};
        lower_case_set_up(&p, &c);
        set_entries(&p.operand[1], runs[i].nentries);
        assert_ok(lower_case_graph(&text, &p, &(tsr_plan_request){.nthreads = 2}, err));
        if (!strstr(tsr_text_cstr(&text), " for all neighbours with the same i to A\n") == runs[i].sums)
            fail_msg("%s, %s, %" PRIu64 " entries:\n%s", c.expression, c.formats, runs[i].nentries,
                     tsr_text_cstr(&text));
        tsr_text_clear(&text);
        lower_case_clear(&p);
    }
}

typedef struct prefetch_row {
    const char *sizes;
    uint64_t cached_lines;
    bool prefetched;
    uint64_t cached_nbytes;
} prefetch_row;

/* The program of the case for 40,000 entries contains the text, or does not. */
static void assert_contains(const lower_case *c, const tsr_tuning *tuning, const char *part, bool contains)
{
    lower_case_program p;
    tsr_lowered *lowered;
    tsr_text text = {0};
    lower_case_set_up(&p, c);
    set_entries(&p.operand[1], 40000);
    assert_ok(lower_case_make(&lowered, NULL, &p, &(tsr_plan_request){.nthreads = 1, .tuning = tuning}, err));
    tsr_ir_print(&text, lowered->plain);
    if (!strstr(tsr_text_cstr(&text), part) == contains)
        fail_msg("%s, %s, %" PRIu64 " lines:\n%s", c->formats, c->sizes, tuning->cached_lines,
                 tsr_text_cstr(&text));
    tsr_text_clear(&text);
    tsr_lowered_free(lowered);
    lower_case_clear(&p);
}

/* Whether rows of the factor C are prefetched. */
static void assert_prefetch(const char *formats, uint64_t prefetch_nbytes, const prefetch_row *row)
{
    const tsr_tuning tuning = {.prefetch_nbytes = prefetch_nbytes,
                               .cached_lines = row->cached_lines,
                               .cached_nbytes = row->cached_nbytes};
    const lower_case c = {
        .expression = "A(j,r) = B(i,j,k) * C(i,r) * D(k,r)", .formats = formats, .sizes = row->sizes};
    assert_contains(&c, &tuning, "prefetch C[", row->prefetched);
}

/* Coordinates and values are prefetched beside jumps, 12 bytes for each entry, if they leave the cache. */
static void test_streams(void **state)
{
    static const lower_case c = {
        .expression = "y(i) = A(i,j) * x(j)", .formats = "A:sell(8,64)", .sizes = "i=5000 j=5000"};
    (void)state;
    assert_contains(&c, &(tsr_tuning){.prefetch_nbytes = 479999}, "prefetch A[pA2_place + 128]", true);
    assert_contains(&c, &(tsr_tuning){.prefetch_nbytes = 480000}, "prefetch", false);
    /* lists of entries are visited in groups, unless the values of the result lie in the order of the entries */
    static const lower_case lists[] = {
        {.expression = "y(i) = A(i,j) * x(j)", .formats = "A:csb(500)", .sizes = "i=5000 j=5000"},
        {.expression = "Y(i,j) = A(i,j) * x(j)",
         .formats = "A:csb(500); Y:csb(500)",
         .sizes = "i=5000 j=5000"}};
    for (size_t i = 0; i < 2; i++)
        assert_contains(&lists[i], &(tsr_tuning){.prefetch_nbytes = 32768}, "for group in", i == 0);
}

/* Rows of 64 entries and more are added up in lanes. */
static void test_lanes(void **state)
{
    static const lower_case c[] = {
        {.expression = "y(i) = A(i,j) * x(j)", .formats = "A:csr", .sizes = "i=625 j=5000"},
        {.expression = "y(i) = A(i,j) * x(j)", .formats = "A:csr", .sizes = "i=626 j=5000"},
        {.expression = "y(i) = A(i,j) * z(i,j)", .formats = "A:csr", .sizes = "i=625 j=5000"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof c / sizeof c[0]; i++)
        assert_contains(&c[i], &(tsr_tuning){0}, "lanes[lane] += A[pA2] * x[min(j, j_size - 1)]", i == 0);
}

/* A row that stays for several entries is not prefetched, unless it is long and the first cache small; a short one stays there
 * if it has an entry, and all rows have at most half of cached-bytes. */
static void test_stays(void **state)
{
    static const prefetch_row rows[] = {
        {"i=3001 j=2001 k=301 r=16", 128, false, 0},
        {"i=3001 j=2001 k=301 r=16", 85, false, 0},
        {"i=3001 j=2001 k=301 r=32", 128, false, 0},
        {"i=3001 j=2001 k=301 r=32", 85, true, 0},
        {"i=9001 j=2001 k=301 r=16", 128, true, 0},
        {"i=9001 j=2001 k=301 r=16", 85, false, 0},
        {"i=9001 j=2001 k=301 r=16", 85, false, 2 * 9001 * 128},
        {"i=9001 j=2001 k=301 r=16", 85, true, 2 * 9001 * 128 - 1},
        {"i=20000 j=2001 k=301 r=16", 85, false, 0},
        {"i=20001 j=2001 k=301 r=16", 85, true, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_prefetch("B:strips(1024)", 32768, &rows[i]);
}

/* With a small first cache, more bytes of rows are near if these are short. */
static void test_near(void **state)
{
    static const prefetch_row rows[] = {
        {"i=1000 j=2001 k=301 r=16", 128, false, 0}, {"i=1001 j=2001 k=301 r=16", 128, true, 0},
        {"i=1666 j=2001 k=301 r=16", 85, false, 0},  {"i=1667 j=2001 k=301 r=16", 85, true, 0},
        {"i=500 j=2001 k=301 r=32", 85, false, 0},   {"i=501 j=2001 k=301 r=32", 85, true, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_prefetch("B:alto", 128000, &rows[i]);
}

/* The rows of a strip are near if each of them is used again in the strip, though not in each fiber. */
static void test_near_in_strips(void **state)
{
    static const prefetch_row inside = {"i=40000 j=2001 k=301 r=16", 128, false, 0},
                              larger = {"i=40000 j=2001 k=301 r=16", 128, true, 0},
                              rare = {"i=40100 j=2001 k=301 r=16", 128, true, 0};
    (void)state;
    assert_prefetch("B:tcsf(100):1,2,0", 100 * 128, &inside);
    assert_prefetch("B:tcsf(100):1,2,0", 100 * 128 - 1, &larger);
    assert_prefetch("B:tcsf(100):1,2,0", 100 * 128, &rare);
    /* blocks: rows of the other mode pass by at each entry */
    assert_contains(&(lower_case){.expression = "Y(i,r) = A(i,j) * X(j,r)",
                                  .formats = "A:csbc(100,100)",
                                  .sizes = "i=40000 j=40000 r=16"},
                    &(tsr_tuning){.prefetch_nbytes = 100 * 128, .cached_lines = 128}, "prefetch for write Y[",
                    true);
}

/* Padding is left out where a dense level makes it, and nothing is asked of entries. */
static const struct {
    const char *format, *sizes;
    bool clipped, skipped;
} paddings[] = {
    {"ds", "i=7 j=9", false, false},
    {"csb(4)", "i=7 j=9", false, false},
    {"csbc(4,2)", "i=7 j=9", false, false},
    {"hicoo(4)", "i=7 j=9", false, false},
    {"linear", "i=7 j=9", false, false},
    {"alto", "i=7 j=9", false, false},
    {"(i, j) -> (j - i : dense, i : compressed)", "i=7 j=9", false, false},
    {"(i, j) -> (2 * i + 3 : compressed, j : compressed)", "i=7 j=9", false, false},
    {"(i, j) -> (i floordiv 4 : compressed, i : compressed, j : compressed)", "i=7 j=9", false, false},
    {"bcsr(2,3)", "i=8 j=9", false, false},
    {"bcsr(2,3)", "i=7 j=9", true, false},
    {"bcsr(2,4)", "i=8 j=9", true, false},
    {"bdia(4)", "i=8 j=8", true, false},
    {"(i, j) -> (i floordiv 4 : dense, i mod 4 : dense, j : compressed)", "i=7 j=9", true, false},
    {"(i, j) -> (j - i : dense, i : dense)", "i=7 j=9", true, false},
    {"(i, j) -> (i + j : dense, i : dense)", "i=7 j=9", false, true},
};

static void test_paddings(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof paddings / sizeof paddings[0]; i++) {
        char formats[200];
        snprintf(formats, sizeof formats, "A:%s", paddings[i].format);
        const lower_case c = {
            .expression = "y(i) = A(i,j) * x(j)", .formats = formats, .sizes = paddings[i].sizes};
        lower_case_program p;
        tsr_text text = {0};
        lower_case_lower(&p, &c);
        assert_ok(
            lower_case_graph(&text, &p, &(tsr_plan_request){.schedule = &p.schedule, .nthreads = 1}, err));
        if (!strstr(tsr_text_cstr(&text), ", clipped") == paddings[i].clipped ||
            !strstr(tsr_text_cstr(&text), ", padding skipped") == paddings[i].skipped)
            fail_msg("%s, %s:\n%s", paddings[i].format, paddings[i].sizes, tsr_text_cstr(&text));
        tsr_text_clear(&text);
        lower_case_clear(&p);
    }
}

/* What prints parses back, and prints the same. */
static const struct {
    const char *text, *printed; /* NULL: as text */
} schedules[] = {
    {"", NULL},
    {"serial", NULL},
    {"serial, scalar", NULL},
    {"  scalar ,serial ", "serial, scalar"},
    {"plain", NULL},
    {"plain, prefetch(8)", NULL},
    {"serial,scalar,plain,prefetch(0)", "plain"},
    {"without(pieces),without(flags)", "without(flags), without(pieces)"},
    {"exclusive(A)", NULL},
    {"private(A), prefetch(8)", NULL},
    {"prefetch(8), lanes(0)", "lanes(0), prefetch(8)"},
    {"rows(4), stream(16), usual, prefetch(8)", "usual, prefetch(8), stream(16), rows(4)"},
    {"only(lanes, ways)", "only(lanes,ways)"},
    {"only(none)", "only(none)"},
    {"plain, only(runs,groups,lanes,slots,windows,ways,columns)",
     "plain, without(prefetches), without(unite)"},
    {"listed(0), marked(8)", "marked(8), listed(0)"},
    {"piece(100)", NULL},
    {"atomic ( A )", "atomic(A)"},
    {"parallelize(i), atomic(A)", NULL},
    {"parallelize(i), block(r,16), literal(r), vectorize(r), width(32), prefetch(0)", NULL},
    {"unroll(j,4),block(r,8),unroll(r,2)", "block(r,8), unroll(r,2), unroll(j,4)"},
};

/* Faults, with the column and a part of the sentence. */
static const struct {
    const char *text;
    uint64_t col;
    const char *sentence;
} faults[] = {
    {"fast", 1, "unknown schedule item 'fast' (known: plain, "},
    {"serial scalar", 8, "','"},
    {"serial,", 8, "missing schedule item (known: plain, "},
    {"block(r)", 8, "','"},
    {"block(r,0)", 1, "the block size must be positive"},
    {"serial, lanes(8)", 9, "lanes take 16, 32, 64 or 128 bytes, or 0"},
    {"block(r,99999999999)", 9, "number"},
    {"serial, listed(1025)", 9, "at most 1024 contributions"},
    {"block(q,4)", 7, "unknown index variable 'q'"},
    {"private(B)", 9, "unknown result 'B' (known: A)"},
    {"precompute(B,B)", 14, "names B twice"},
    {"only(lanes,ways,lane)", 17, "did you mean lanes"},
    {"without(flag)", 9, "did you mean flags"},
    {"workspace(j,dense)", 11, "j is summed over"},
    {"workspace(r)", 11, "unknown workspace 'r' (known: dense"},
    {"private(A), atomic(A)", 13, "only one"},
    {"prefetch(x)", 10, "number"},
    {"unroll(r,65)", 1, "1 to 64"},
    {"width(24)", 1, "16, 32 or 64"},
    {"vectorize", 10, "'('"},
    {"vectorize(r", 12, "')'"},
    {"serial, private(A)", 0, "serial excludes"},
    {"scalar, vectorize(r)", 0, "exclude"},
};

static void test_schedules(void **state)
{
    (void)state;
    tsr_notation *n;
    assert_ok(tsr_notation_parse(&n, "A(i,r) = B(i,j) * C(j,r)", err));
    for (size_t i = 0; i < sizeof schedules / sizeof schedules[0]; i++) {
        tsr_schedule schedule;
        tsr_text text = {0};
        assert_ok(tsr_schedule_parse(&schedule, schedules[i].text, n, err));
        tsr_schedule_print(&text, &schedule, n, n);
        assert_string_equal(tsr_text_cstr(&text),
                            schedules[i].printed ? schedules[i].printed : schedules[i].text);
        tsr_text_clear(&text);
    }
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        tsr_schedule schedule;
        tsr_error err = {0};
        if (tsr_schedule_parse(&schedule, faults[i].text, n, &err) == TSR_OK ||
            !strstr(err.message, faults[i].sentence) || err.col != faults[i].col)
            fail_msg("%s: column %d, %s", faults[i].text, (int)err.col, err.message);
    }
    tsr_notation_free(n);
}

/* Whichever allocation fails, there is an error, and nothing is left. */
static void test_out_of_memory(void **state)
{
    (void)state;
    static const char *const expressions[] = {"A(i,r) = alpha * B(i,j,k) * C(j,r) * D(k,r)",
                                              "A(k,r) = B(i,j,k) * C(i,r) * D(j,r) - E(k,r)"};
    static const char *const formats[] = {"B:sss", "B:bcsf(2)", "B:linear"};
    for (size_t e = 0; e < 6; e++) {
        const lower_case c = {.expression = expressions[e / 3],
                              .formats = formats[e % 3],
                              .sizes = "i=100001 j=60001 k=2001 r=16"};
        lower_case_program p;
        lower_case_lower(&p, &c);
        tsr_faults memory = {0};
        while (tsr_faults_next(&memory)) {
            tsr_lowered *lowered;
            tsr_text text = {0};
            tsr_faults_arm(&memory);
            tsr_status status = lower_case_make(
                &lowered, NULL, &p, &(tsr_plan_request){.schedule = &p.schedule, .nthreads = 2}, NULL);
            tsr_lowered_free(lowered);
            if (status == TSR_OK)
                status = lower_case_graph(&text, &p,
                                          &(tsr_plan_request){.schedule = &p.schedule, .nthreads = 2}, NULL);
            tsr_text_clear(&text);
            tsr_faults_end(&memory, status);
        }
        lower_case_clear(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),         cmocka_unit_test(test_huge),
        cmocka_unit_test(test_weighed),        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_stays),          cmocka_unit_test(test_near),
        cmocka_unit_test(test_near_in_strips), cmocka_unit_test(test_streams),
        cmocka_unit_test(test_lanes),          cmocka_unit_test(test_paddings),
        cmocka_unit_test(test_schedules),      cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
