/* Programs: output, exit status, time limits, processes that they leave behind. */
#include "tsr_test.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tsr_alloc.h"
#include "tsr_process.h"

static const char *const sh = "/bin/sh";

static int count_fds(void)
{
    int n = 0;
    for (int fd = 0; fd < 256; fd++)
        n += fcntl(fd, F_GETFD) >= 0;
    return n;
}

/* ---- ends and outputs ---- */

typedef struct run_case {
    const char *script;
    const char *out, *errors;
    int exit_code, signal;
} run_case;

static const run_case run_cases[] = {
    {"exit 0", "", "", 0, 0},
    {"exit 255", "", "", 255, 0},
    {"echo one; echo two >&2; exit 3", "one\n", "two\n", 3, 0},
    {"kill -9 $$", "", "", -1, SIGKILL},
    {"echo before; kill -TERM $$", "before\n", "", -1, SIGTERM},
    {"cat", "", "", 0, 0},                               /* standard input is empty */
    {"exec >&- 2>&-; sleep 0.03; exit 4", "", "", 4, 0}, /* outputs closed long before the end */
    {"echo $ADDED-$CHANGED", "new-changed\n", "", 0, 0}, /* environment */
    {"sleep 5 & echo started", "started\n", "", 0, 0},   /* a background program holds the outputs */
    {"read pid name state parent group rest </proc/$$/stat; [ $group = $$ ] && echo own", "own\n", "", 0, 0},
    {"head -c 300000 /dev/zero | tr '\\0' x | wc -c | tr -d ' '", "300000\n", "", 0, 0},
};

static void test_runs(void **state)
{
    (void)state;
    static const char *const env[] = {"ADDED=new", "CHANGED=changed", NULL};
    setenv("CHANGED", "old", 1);
    const int before = count_fds();
    for (size_t i = 0; i < sizeof run_cases / sizeof run_cases[0]; i++) {
        const run_case *c = &run_cases[i];
        for (uint64_t timeout_ms = 0; timeout_ms <= 20000; timeout_ms += 20000) {
            tsr_text out = {0}, errors = {0};
            tsr_process_end end;
            assert_ok(tsr_process_run(&end, &out, &errors, (const char *[]){sh, "-c", c->script, NULL},
                                      &(tsr_process_options){.env = env, .timeout_ms = timeout_ms}, err));
            assert_string_equal(tsr_text_cstr(&out), c->out);
            assert_string_equal(tsr_text_cstr(&errors), c->errors);
            assert_int_equal(end.exit_code, c->exit_code);
            assert_int_equal(end.signal, c->signal);
            assert_false(end.timed_out);
            tsr_text_clear(&out);
            tsr_text_clear(&errors);
        }
    }
    assert_int_equal(count_fds(), before);
}

static void test_outputs(void **state)
{
    (void)state;
    tsr_text out = {0};
    tsr_process_end end;
    const char *const lots[] = {sh, "-c", "head -c 300000 /dev/zero | tr '\\0' x; echo err >&2; exit 7",
                                NULL};
    assert_ok(tsr_process_run(&end, &out, NULL, lots, NULL, err));
    assert_int_equal(out.nbytes, 300000);
    tsr_text_clear(&out);
    /* output above the limit is dropped, and the program still runs to its end */
    assert_ok(tsr_process_run(&end, &out, NULL, lots, &(tsr_process_options){.output_nbytes = 1000}, err));
    assert_int_equal(out.nbytes, 1000);
    assert_int_equal(end.exit_code, 7);
    tsr_text_clear(&out);
    /* both outputs to one text; both dropped */
    assert_ok(tsr_process_run(&end, &out, &out,
                              (const char *[]){sh, "-c", "echo a; sleep 0.02; echo b >&2", NULL}, NULL, err));
    assert_string_equal(tsr_text_cstr(&out), "a\nb\n");
    tsr_text_clear(&out);
    assert_ok(tsr_process_run(&end, NULL, NULL, lots, NULL, err));
    assert_int_equal(end.exit_code, 7);
}

/* The descriptors of the program are right if ours are closed. */
static void test_closed_outputs(void **state)
{
    (void)state;
    const int saved[3] = {dup(0), dup(1), dup(2)};
    for (int fd = 0; fd < 3; fd++)
        close(fd);
    tsr_text out = {0}, errors = {0};
    tsr_process_end end;
    const tsr_status status = tsr_process_run(
        &end, &out, &errors, (const char *[]){sh, "-c", "echo one; echo two >&2", NULL}, NULL, NULL);
    for (int fd = 0; fd < 3; fd++) {
        dup2(saved[fd], fd);
        close(saved[fd]);
    }
    assert_int_equal(status, TSR_OK);
    assert_string_equal(tsr_text_cstr(&out), "one\n");
    assert_string_equal(tsr_text_cstr(&errors), "two\n");
    tsr_text_clear(&out);
    tsr_text_clear(&errors);
}

/* ---- time limits ---- */

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void test_timeouts(void **state)
{
    (void)state;
    static const char *const scripts[] = {
        "sleep 30",                                   /* silent */
        "while :; do echo noise; done",               /* never silent */
        "exec >&- 2>&-; sleep 30",                    /* outputs closed */
        "trap '' TERM INT HUP; (sleep 30); sleep 30", /* ignores signals, with a child */
    };
    const int before = count_fds();
    for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
        tsr_text out = {0};
        tsr_process_end end;
        const double start = seconds();
        assert_ok(tsr_process_run(&end, &out, &out, (const char *[]){sh, "-c", scripts[i], NULL},
                                  &(tsr_process_options){.timeout_ms = 100}, err));
        assert_true(end.timed_out);
        assert_int_equal(end.signal, SIGKILL);
        assert_true(seconds() - start < 10);
        tsr_text_clear(&out);
    }
    assert_int_equal(count_fds(), before);
    /* processes that it started are killed, too */
    const char *mark = tsr_test_path(tsr_test_tmp(), "survivor");
    char script[1400];
    snprintf(script, sizeof script, "rm -f '%s'; (sleep 0.5; touch '%s') & sleep 30", mark, mark);
    tsr_process_end end;
    assert_ok(tsr_process_run(&end, NULL, NULL, (const char *[]){sh, "-c", script, NULL},
                              &(tsr_process_options){.timeout_ms = 100}, err));
    nanosleep(&(struct timespec){0, 700000000}, NULL);
    assert_int_not_equal(access(mark, F_OK), 0);
}

/* ---- programs that cannot be started ---- */

static void test_failures(void **state)
{
    (void)state;
    const char *plain = tsr_test_path(tsr_test_tmp(), "plain"), *text = tsr_test_path(tsr_test_tmp(), "text");
    tsr_test_spit(plain, "exit 0\n", 7);
    tsr_test_spit(text, "no program\n", 11);
    chmod(text, 0700);
    const char *const missing[] = {"/nonexistent/program", plain, text, tsr_test_tmp()};
    const int before = count_fds();
    for (size_t i = 0; i < sizeof missing / sizeof missing[0]; i++) {
        tsr_process_end end;
        tsr_error err = {0};
        tsr_text out = {0};
        assert_int_equal(tsr_process_run(&end, &out, &out, (const char *[]){missing[i], NULL}, NULL, &err),
                         TSR_UNSUPPORTED);
        assert_int_equal(err.status, TSR_UNSUPPORTED);
        assert_non_null(strstr(err.message, missing[i]));
        tsr_text_clear(&out);
    }
    assert_int_equal(count_fds(), before);
    /* if SIGCHLD is ignored the exit status is lost */
    signal(SIGCHLD, SIG_IGN);
    tsr_process_end end;
    const tsr_status status =
        tsr_process_run(&end, NULL, NULL, (const char *[]){sh, "-c", "exit 3", NULL}, NULL, NULL);
    signal(SIGCHLD, SIG_DFL);
    assert_int_equal(status, TSR_IO);
}

static void test_find(void **state)
{
    (void)state;
    tsr_text path = {0};
    char *const old = strdup(getenv("PATH"));
    assert_ok(tsr_process_find(&path, "sh", err));
    assert_int_equal(access(tsr_text_cstr(&path), X_OK), 0);
    tsr_text_clear(&path);
    assert_ok(tsr_process_find(&path, sh, err));
    assert_string_equal(tsr_text_cstr(&path), sh);
    tsr_text_clear(&path);
    /* folders, and files that cannot be run, do not count; neither does the working folder */
    const char *tmp = tsr_test_tmp();
    (void)mkdir(tsr_test_path(tmp, "prog"), 0700);
    tsr_test_spit(tsr_test_path(tmp, "prog2"), "", 0);
    tsr_test_spit(tsr_test_path(tmp, "prog3"), "#!/bin/sh\n", 10);
    chmod(tsr_test_path(tmp, "prog3"), 0700);
    setenv("PATH", tsr_test_path("/nonexistent:", tmp), 1);
    char here[1024];
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(tmp), 0);
    static const char *const missing[] = {"prog", "prog2", "", "x/prog3"};
    for (size_t i = 0; i < sizeof missing / sizeof missing[0]; i++)
        assert_int_equal(tsr_process_find(&path, missing[i], NULL), TSR_UNSUPPORTED);
    setenv("PATH", "", 1);
    assert_ok(tsr_process_find(&path, "sh", err)); /* the usual folders */
    tsr_text_clear(&path);
    setenv("PATH", ":/nonexistent:", 1);
    tsr_error fault = {0};
    assert_int_equal(tsr_process_find(&path, "prog3", &fault), TSR_UNSUPPORTED);
    assert_string_equal(fault.message, "no program \"prog3\" in the folders of PATH");
    setenv("PATH", tmp, 1);
    assert_ok(tsr_process_find(&path, "prog3", err));
    assert_string_equal(tsr_text_cstr(&path), tsr_test_path(tmp, "prog3"));
    tsr_text_clear(&path);
    assert_int_equal(chdir(here), 0);
    setenv("PATH", old, 1);
    free(old);
}

static void test_out_of_memory(void **state)
{
    (void)state;
    const int fds = count_fds();
    tsr_faults faults = {0};
    while (tsr_faults_next(&faults)) {
        tsr_text path = {0}, out = {0};
        tsr_process_end end;
        tsr_faults_arm(&faults);
        tsr_status status = tsr_process_find(&path, "sh", NULL);
        if (status == TSR_OK)
            status = tsr_process_run(
                &end, &out, &out,
                (const char *[]){tsr_text_cstr(&path), "-c", "echo one two; printf %5000d 1 >&2", NULL}, NULL,
                NULL);
        tsr_faults_end(&faults, status);
        tsr_text_clear(&path);
        tsr_text_clear(&out);
        assert_int_equal(count_fds(), fds);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs),           cmocka_unit_test(test_outputs),
        cmocka_unit_test(test_closed_outputs), cmocka_unit_test(test_timeouts),
        cmocka_unit_test(test_failures),       cmocka_unit_test(test_find),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
