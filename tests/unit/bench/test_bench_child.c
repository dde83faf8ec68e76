/* Children that answer right, and children that do not: each error gives a message, and none hangs. */
#include "tsr_test.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "bench_child.h"
#include "report.h"
#include "tsr_coo.h"
#include "tsr_jit.h"
#include "tsr_process.h"

typedef struct fixture {
    tsr_coo *coo;
    bench_kernel kernel;
    bench_case c;
    tsr_folder folder;
} fixture;

static int setup(void **state)
{
    static const uint64_t dims[] = {4, 3}, at[][2] = {{2, 1}, {0, 0}, {3, 2}, {0, 2}, {2, 1}};
    fixture *const f = calloc(1, sizeof *f);
    assert_ok(tsr_coo_new_sized(&f->coo, (tsr_shape){2, dims}, TSR_F64, false, 5, err));
    for (uint64_t n = 0; n < 5; n++) {
        for (int m = 0; m < 2; m++)
            tsr_array_set(&f->coo->crd[m], n, at[n][m]);
        ((double *)f->coo->values.data)[n] = (double)n + 0.5;
    }
    assert_true(bench_kernel_find(&f->kernel, "spmv"));
    assert_ok(bench_case_init(&f->c, &f->kernel, f->coo, -1, 16, err));
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    fixture *const f = *state;
    bench_case_clear(&f->c);
    tsr_coo_free(f->coo);
    tsr_folder_remove(&f->folder);
    free(f);
    return 0;
}

static int count_fds(void)
{
    int n = 0;
    for (int fd = 0; fd < 256; fd++)
        n += fcntl(fd, F_GETFD) >= 0;
    return n;
}

/* ---- children that fail ---- */

#define READ "dd bs=1 count=1 >/dev/null 2>&1;"
#define READY "echo ready 0 0;" READ

typedef enum step { START, RUN, RESULT } step;

typedef struct failing {
    const char *script;
    step at;
    const char *sentence; /* the message, or its beginning */
} failing;

static const failing failings[] = {
    /* ends early */
    {"exit 3", START, "its program ended with exit code 3 while it packed"},
    {"echo one >&2; echo the last words >&2; echo >&2; exit 1", START,
     "its program ended with exit code 1 while it packed: the last words"},
    {"head -c 100000 /dev/zero | tr '\\0' x >&2; echo >&2; echo end >&2; exit 1", START,
     "its program ended with exit code 1 while it packed: end"},
    {"kill -SEGV $$", START, "its program was ended by signal 11 while it packed"},
    {"exec >&-; sleep 60", START, "its program closed its output while it packed"},
    {READY "exit 4", RUN, "its program ended with exit code 4 while it ran"},
    {READY "kill -9 $$", RUN, "its program was ended by signal 9 while it ran"},
    {"echo ready 0 0; exec <&-; exit 5", RUN, "its program ended with exit code 5 while it ran"},
    {READY "echo ran 1; exit 0", RESULT, "its program ended with exit code 0 while it sent its result"},
    {READY "echo ran 1;" READ "printf 1234567", RESULT,
     "its program ended with exit code 0 while it sent its result"},
    /* reports an error */
    {"echo error there is no such library; read x", START, "there is no such library"},
    {READY "printf 'error of\\033 a run\\n'; read x", RUN, "of  a run"},
    /* answers something else */
    {"echo hello; read x", START,
     "its program answered \"hello\" where \"ready PACK_NS NBYTES VERSION\" was expected"},
    {"echo ready; read x", START, "its program answered \"ready\""},
    {"echo ready 1; read x", START, "its program answered \"ready 1\""},
    {"echo ready -1 2; read x", START, "its program answered \"ready -1 2\""},
    {"echo ready 1e5 2; read x", START, "its program answered \"ready 1e5 2\""},
    {"echo ready 9999999999999999999 0; read x", START,
     "its program answered \"ready 9999999999999999999 0\""},
    {"printf 'ready 1 2\\nran 5\\n'; read x", START, "its program answered \"ready 1 2 ran 5 \""},
    {"head -c 100000 /dev/zero; read x", START, "its program answered \"    "},
    {READY "echo done; read x", RUN, "its program answered \"done\" where \"ran NS\" was expected"},
    {READY "echo ran; read x", RUN, "its program answered \"ran\""},
    {READY "echo ran 5 6; read x", RUN, "its program answered \"ran 5 6\""},
    {READY "echo ran -5; read x", RUN, "its program answered \"ran -5\""},
    /* does not answer */
    {"exec sleep 60", START, "its program took longer than 0.3 s and was stopped while it packed"},
    {"while :; do echo noise >&2; done", START,
     "its program took longer than 0.3 s and was stopped while it packed"},
    {"printf 'ready 0'; exec sleep 60", START,
     "its program took longer than 0.3 s and was stopped while it packed"},
    {"trap '' TERM INT HUP;" READY "(sleep 60); sleep 60", RUN,
     "its program took longer than 0.3 s and was stopped while it ran"},
};

static tsr_status play(const fixture *f, const failing *row, tsr_error *err)
{
    fixture *const mine = (fixture *)(uintptr_t)f;
    const bench_asked asked = {.nthreads = 1, .folder = &mine->folder, .answer_within = 300};
    const char *const argv[] = {"sh", "-c", row->script, NULL};
    bench_opened opened = {0};
    const double *cells;
    void *child;
    tsr_status status = bench_child_start(&child, &opened, argv, &f->c, &asked, err);
    if ((status == TSR_OK) != (row->at > START))
        fail_msg("%s\nsays at its start \"%s\"", row->script, err->message);
    if (status != TSR_OK)
        return status;
    status = bench_child_run(child, err);
    if ((status == TSR_OK) != (row->at > RUN))
        fail_msg("%s\nsays when it runs \"%s\"", row->script, err->message);
    if (status == TSR_OK)
        status = bench_child_result(&cells, child, err);
    /* the same error again, at once */
    tsr_error again = {0};
    bench_child_overwrite(child);
    assert_int_equal(bench_child_run(child, &again), status);
    assert_string_equal(again.message, err->message);
    bench_child_close(child);
    return status;
}

static void test_failings(void **state)
{
    fixture *const f = *state;
    int before = 0;
    for (size_t i = 0; i < sizeof failings / sizeof *failings; i++) {
        const failing *const row = &failings[i];
        tsr_error fault = {0};
        const tsr_status status = play(f, row, &fault);
        if (status != TSR_UNSUPPORTED || strncmp(fault.message, row->sentence, strlen(row->sentence)) != 0)
            fail_msg("%s\nsays \"%s\"\nnot  \"%s\"", row->script, fault.message, row->sentence);
        assert_int_not_equal(access(tsr_test_path(tsr_text_cstr(&f->folder.path), "case"), F_OK), 0);
        if (i == 0)
            before = count_fds();
    }
    assert_int_equal(count_fds(), before);
}

static void test_missing(void **state)
{
    fixture *const f = *state;
    const bench_asked asked = {.nthreads = 1, .folder = &f->folder};
    static const char *const names[] = {"no-such-program-anywhere", "/nonexistent/program"};
    for (int i = 0; i < 2; i++) {
        bench_opened opened = {0};
        tsr_error err = {0};
        void *child;
        assert_int_equal(
            bench_child_start(&child, &opened, (const char *[]){names[i], NULL}, &f->c, &asked, &err),
            TSR_UNSUPPORTED);
        assert_non_null(strstr(err.message, names[i]));
        assert_null(child);
    }
}

/* The environment and the files of a child, and that all of them are removed. */
static void test_surroundings(void **state)
{
    fixture *const f = *state;
    const bench_asked asked = {.nthreads = 3, .folder = &f->folder};
    const char *const mark = tsr_test_path(tsr_test_tmp(), "survivor");
    char script[1400];
    snprintf(script, sizeof script,
             "rm -f '%s'; (sleep 0.5; touch '%s') & echo \"ready $OMP_NUM_THREADS $(wc -c <$1) $2 "
             "$OPENBLAS_NUM_THREADS $OMP_PROC_BIND $OMP_PLACES\"; read x",
             mark, mark);
    bench_opened opened = {0};
    void *child;
    assert_ok(bench_child_start(&child, &opened, (const char *[]){"sh", "-c", script, "sh", NULL}, &f->c,
                                &asked, err));
    assert_true(opened.pack_ns == 3);
    /* head, dims, result's order and dims, two modes and values of 5, a vector of 3, and the number of further sparse
     * operands */
    assert_int_equal(opened.nbytes, 8 * (7 + 2 + 1 + 1 + 3 * 5 + 2 + 3 + 1));
    assert_string_equal(opened.version, "3 3 close cores");
    struct stat s;
    assert_int_equal(stat(tsr_text_cstr(&f->folder.path), &s), 0);
    assert_int_equal(s.st_mode & 0777, 0700);
    bench_child_close(child);
    nanosleep(&(struct timespec){0, 700000000}, NULL);
    assert_int_not_equal(access(mark, F_OK), 0);
}

/* A child is told whether its runs are timed one by one. */
static void test_cold(void **state)
{
    fixture *const f = *state;
    for (int cold = 0; cold < 2; cold++) {
        const bench_asked asked = {.nthreads = 1, .cold = cold, .folder = &f->folder};
        bench_opened opened = {0};
        tsr_error fault = {0};
        void *child;
        assert_ok(bench_child_start(
            &child, &opened,
            (const char *[]){"sh", "-c", "echo ready 0 0; echo error $(dd bs=1 count=1 2>/dev/null)", NULL},
            &f->c, &asked, err));
        assert_int_equal(bench_child_run(child, &fault), TSR_UNSUPPORTED);
        assert_string_equal(fault.message, cold ? "c" : "r");
        bench_child_close(child);
    }
}

/* ---- children in C ---- */

/* y(i) = A(i,j) * x(j), in several ways. */
static const char spmv_source[] =
    "#include \"bench_driver.h\"\n"
    "static bench_driver_case *a;\n"
    "static double *y;\n"
    "static void *open_case(bench_driver_ready *ready, bench_driver_case *c, int nthreads)\n"
    "{\n"
    "    printf(\"a library's noise\\n\");\n"
    "    if (c->order != 2 || c->ndense != 1 || c->result_order != 1 || c->result_dims[0] != c->dims[0] ||\n"
    "        c->mode != BENCH_DRIVER_NO_MODE || c->rank != 0 || c->dense[0].dims[0] != c->dims[1] ||\n"
    "        nthreads != 2)\n"
    "        bench_driver_fail(\"the case is %llu x %llu\", (unsigned long long)c->dims[0],\n"
    "                          (unsigned long long)c->dims[1]);\n"
    "    a = c;\n"
    "    y = bench_driver_alloc(c->ncells + 1, sizeof *y);\n"
    "    *ready = (bench_driver_ready){5e9, 77, \"1.2 of it\"};\n"
    "    return a;\n"
    "}\n"
    "static void prepare(void *state)\n"
    "{\n"
    "    (void)state;\n"
    "    fflush(stdout);\n"
    "}\n"
    "static void run(void *state)\n"
    "{\n"
    "    (void)state;\n"
    "#ifdef DIES\n"
    "    abort();\n"
    "#endif\n"
    "#ifndef LEAVES\n"
    "    for (uint64_t i = 0; i < a->ncells; i++)\n"
    "        y[i] = 0;\n"
    "    for (uint64_t n = 0; n < a->nnz; n++)\n"
    "        y[a->crd[0][n]] += a->values[n] * a->dense[0].values[a->crd[1][n]];\n"
    "#endif\n"
    "#ifdef WRONG\n"
    "    y[1] += 1;\n"
    "#endif\n"
    "    nanosleep(&(struct timespec){0, 1000000}, NULL);\n"
    "}\n"
    "static void overwrite(void *state)\n"
    "{\n"
    "    (void)state;\n"
    "    memset(y, 0xff, a->ncells * sizeof *y);\n"
    "}\n"
    "static const double *result(void *state)\n"
    "{\n"
    "    (void)state;\n"
    "    return y;\n"
    "}\n"
    "#ifdef SPARSE\n"
    "static int64_t row[5] = {0, 1, 2, SPARSE}, *rows[] = {row};\n"
    "static void entries(bench_driver_entries *out, void *state)\n"
    "{\n"
    "    (void)state;\n"
    "    *out = (bench_driver_entries){SPARSE == 4 ? 5 : 4, rows, y};\n"
    "}\n"
    "#else\n"
    "#define entries NULL\n"
    "#endif\n"
    "int main(int argc, char **argv)\n"
    "{\n"
    "    const bench_driver driver = {open_case, prepare, run, overwrite, result, entries};\n"
    "    return bench_driver_main(argc, argv, &driver);\n"
    "}\n";

static const struct {
    const char *flag;
    tsr_status run, check;
    const char *sentence;
} drivers[] = {
    {"-DRIGHT", TSR_OK, TSR_OK, NULL},
    {"-DLEAVES", TSR_OK, TSR_CORRUPT, "cell 0 of the result is -nan"},
    {"-DWRONG", TSR_OK, TSR_CORRUPT, "cell 1 of the result is 1, but should be 0"},
    {"-DDIES", TSR_UNSUPPORTED, TSR_OK, "ended by signal 6 while it ran"},
};

static void test_drivers(void **state)
{
    fixture *const f = *state;
    const bench_asked asked = {.nthreads = 2, .folder = &f->folder};
    for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++) {
        const char *const flags[] = {"-std=c11", "-O1", drivers[i].flag, "-Wall", "-Wextra", "-Werror", NULL};
        bench_opened opened = {0};
        tsr_text path = {0};
        tsr_error fault = {0};
        const double *cells;
        void *child;
        assert_ok(
            bench_child_program(&path, &asked, &(bench_source){.text = spmv_source, .flags = flags}, err));
        assert_ok(bench_child_start(&child, &opened, (const char *[]){tsr_text_cstr(&path), NULL}, &f->c,
                                    &asked, err));
        assert_true(opened.pack_ns == 5e9 && opened.nbytes == 77);
        assert_string_equal(opened.version, "1.2 of it");
        for (int round = 0; round < 3 && fault.status == TSR_OK; round++) {
            bench_child_overwrite(child);
            assert_int_equal(bench_child_run(child, &fault), drivers[i].run);
            if (drivers[i].run != TSR_OK)
                break;
            assert_true(bench_child_said_ns(child) >= 1e6 && bench_child_said_ns(child) < 5e9);
            assert_ok(bench_child_result(&cells, child, err));
            assert_int_equal(bench_answer_check_dense(f->c.answer, cells, &fault), drivers[i].check);
        }
        if (drivers[i].sentence && !strstr(fault.message, drivers[i].sentence))
            fail_msg("%s says \"%s\"", drivers[i].flag, fault.message);
        bench_child_close(child);
        tsr_text_clear(&path);
    }
}

/* y as the entries of rows 0, 1, 2 and SPARSE. */
static const struct {
    const char *flag;
    tsr_status entries, check;
    const char *sentence;
} sparse[] = {
    {"-DSPARSE=3", TSR_OK, TSR_OK, NULL},
    {"-DSPARSE=1", TSR_OK, TSR_CORRUPT, "cell 1 of the result is"},
    {"-DSPARSE=4", TSR_UNSUPPORTED, TSR_OK, "has 5 entries, more than its 4 cells"},
    {"-DSPARSE=5", TSR_UNSUPPORTED, TSR_OK, "has an entry at 5 of a mode of 4"},
    {"-DSPARSE=-1", TSR_UNSUPPORTED, TSR_OK, "has an entry at -1 of a mode of 4"},
    {"-DDENSE", TSR_OK, TSR_OK, NULL},
};

static void test_sparse(void **state)
{
    fixture *const f = *state;
    const bench_asked asked = {.nthreads = 2, .folder = &f->folder};
    for (size_t i = 0; i < sizeof sparse / sizeof *sparse; i++) {
        const char *const flags[] = {"-std=c11", sparse[i].flag, NULL};
        bench_opened opened = {0};
        tsr_text path = {0};
        tsr_error fault = {0};
        const tsr_coo *coo;
        void *child;
        assert_ok(
            bench_child_program(&path, &asked, &(bench_source){.text = spmv_source, .flags = flags}, err));
        assert_ok(bench_child_start(&child, &opened, (const char *[]){tsr_text_cstr(&path), NULL}, &f->c,
                                    &asked, err));
        assert_ok(bench_child_run(child, err));
        assert_int_equal(bench_child_entries(&coo, child, &fault), sparse[i].entries);
        assert_int_equal(coo != NULL,
                         strncmp(sparse[i].flag, "-DSPARSE", 8) == 0 && sparse[i].entries == TSR_OK);
        if (coo)
            assert_int_equal(bench_answer_check_entries(f->c.answer, coo, &fault), sparse[i].check);
        if (sparse[i].sentence && !strstr(fault.message, sparse[i].sentence))
            fail_msg("%s says \"%s\"", sparse[i].flag, fault.message);
        bench_child_close(child);
        tsr_text_clear(&path);
    }
}

/* A program is compiled once for the same text and flags; an error of the compiler is reported. */
static void test_programs(void **state)
{
    fixture *const f = *state;
    const bench_asked asked = {.nthreads = 1, .folder = &f->folder};
    static const char *const flags[] = {"-O0", NULL}, *const others[] = {"-O1", NULL},
                             *const missing[] = {"-lno-such-library", NULL};
    static const char source[] = "#include \"bench_driver.h\"\nint main(void) { return 0; }\n";
    tsr_text path[3] = {{0}};
    struct stat before, after;
    tsr_error fault = {0};
    assert_ok(bench_child_program(&path[0], &asked, &(bench_source){.text = source, .flags = flags}, err));
    assert_int_equal(stat(tsr_text_cstr(&path[0]), &before), 0);
    assert_ok(bench_child_program(&path[1], &asked, &(bench_source){.text = source, .flags = flags}, err));
    assert_string_equal(tsr_text_cstr(&path[0]), tsr_text_cstr(&path[1]));
    assert_int_equal(stat(tsr_text_cstr(&path[1]), &after), 0);
    assert_int_equal(before.st_ino, after.st_ino);
    assert_ok(bench_child_program(&path[2], &asked, &(bench_source){.text = source, .flags = others}, err));
    assert_string_not_equal(tsr_text_cstr(&path[0]), tsr_text_cstr(&path[2]));
    for (int i = 0; i < 3; i++)
        tsr_text_clear(&path[i]);
    assert_int_equal(
        bench_child_program(&path[0], &asked,
                            &(bench_source){.text = "int main(void) { return nothing; }", .flags = flags},
                            &fault),
        TSR_ARGUMENT);
    assert_non_null(strstr(fault.message, "nothing"));
    tsr_text_clear(&path[0]);
    assert_int_equal(
        bench_child_program(&path[0], &asked, &(bench_source){.text = source, .flags = missing}, &fault),
        TSR_UNSUPPORTED);
    assert_non_null(strstr(fault.message, "no-such-library"));
    tsr_text_clear(&path[0]);
}

static void write_header(const char *folder, int code)
{
    FILE *const to = fopen(tsr_test_path(folder, "code.h"), "w");
    assert_non_null(to);
    fprintf(to, "enum { CODE = %d };\n", code);
    assert_int_equal(fclose(to), 0);
}

static bool count_program(void *n, const tsr_jit_entry *entry)
{
    *(int *)n += strcmp(entry->first_line, "/* of test_cached */") == 0;
    return true;
}

/* What a command makes of the source in a private folder of its own. */
static int run_once(const bench_source *source)
{
    tsr_folder folder = {0};
    const bench_asked asked = {.nthreads = 1, .folder = &folder};
    tsr_text path = {0};
    tsr_process_end end;
    assert_ok(bench_child_program(&path, &asked, source, err));
    assert_ok(tsr_process_run(&end, NULL, NULL, (const char *[]){tsr_text_cstr(&path), NULL}, NULL, err));
    tsr_text_clear(&path);
    tsr_folder_remove(&folder);
    return end.exit_code;
}

/* The next command takes the program from the cache, unless a header has changed; a cache that cannot be used does not matter. */
static void test_cached(void **state)
{
    tsr_folder headers = {0};
    tsr_text include = {0};
    int n = 0;
    (void)state;
    assert_ok(tsr_folder_new_temporary(&headers, err));
    const char *const folder = tsr_text_cstr(&headers.path);
    tsr_text_addf(&include, "-I%s", folder);
    const char *const flags[] = {"-O0", tsr_text_cstr(&include), "-lstdc++", NULL};
    const bench_source source = {
        .text =
            "/* of test_cached */\n#include \"code.h\"\nint main(void) { return static_cast<int>(CODE); }\n",
        .is_cpp = true,
        .flags = flags};
    for (int round = 0; round < 4; round++) {
        write_header(folder, 1 + round / 2);
        assert_int_equal(run_once(&source), 1 + round / 2);
        n = 0;
        assert_ok(tsr_jit_list(NULL, count_program, &n, err));
        assert_int_equal(n, 1 + round / 2);
    }
    tsr_text cache = {0};
    tsr_jit_add_cache_folder(&cache);
    assert_int_equal(chmod(tsr_text_cstr(&cache), 0777), 0);
    assert_int_equal(run_once(&source), 2);
    assert_int_equal(chmod(tsr_text_cstr(&cache), 0700), 0);
    tsr_text_clear(&cache);
    tsr_text_clear(&include);
    tsr_folder_remove(&headers);
}

/* Ctrl-C ends a child during its work. The last test, since the flag stays set. */
static void test_interrupted(void **state)
{
    fixture *const f = *state;
    const bench_asked asked = {.nthreads = 1, .folder = &f->folder};
    tsr_cli_report report;
    bench_opened opened = {0};
    tsr_error fault = {0};
    void *child;
    tsr_cli_report_init(&report, "test", true);
    assert_ok(bench_child_start(&child, &opened,
                                (const char *[]){"sh", "-c", READY "kill -INT $PPID; sleep 60", NULL}, &f->c,
                                &asked, err));
    const double start = tsr_cli_now();
    assert_int_equal(bench_child_run(child, &fault), TSR_CANCELLED);
    assert_true(tsr_cli_now() - start < 10);
    bench_child_close(child);
    assert_int_equal(bench_child_start(&child, &opened, (const char *[]){"sh", "-c", "sleep 60", NULL}, &f->c,
                                       &asked, &fault),
                     TSR_CANCELLED);
}

static tsr_folder cache;

static int make_cache(void **state)
{
    (void)state;
    assert_ok(tsr_folder_new_temporary(&cache, err));
    return setenv("XDG_CACHE_HOME", tsr_text_cstr(&cache.path), 1);
}

static int remove_cache(void **state)
{
    (void)state;
    tsr_folder_remove(&cache);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_failings, setup, teardown),
        cmocka_unit_test_setup_teardown(test_missing, setup, teardown),
        cmocka_unit_test_setup_teardown(test_surroundings, setup, teardown),
        cmocka_unit_test_setup_teardown(test_cold, setup, teardown),
        cmocka_unit_test_setup_teardown(test_drivers, setup, teardown),
        cmocka_unit_test_setup_teardown(test_sparse, setup, teardown),
        cmocka_unit_test_setup_teardown(test_programs, setup, teardown),
        cmocka_unit_test(test_cached),
        cmocka_unit_test_setup_teardown(test_interrupted, setup, teardown),
    };
    return cmocka_run_group_tests(tests, make_cache, remove_cache);
}
