/* From text to functions: real compilers, broken ones, the cache, running out of memory. */
#define _GNU_SOURCE /* dladdr */
#include "jit_support.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tsr_alloc.h"
#include "tsr_process.h"
#include "tsr_system.h"

static const char *const plain_flags[] = {"-std=c11", "-O1", "-fPIC", "-shared", "-w", NULL};

static tsr_jit *load(const char *text, const tsr_jit_options *options, tsr_jit_stats *stats)
{
    tsr_jit *jit;
    assert_ok(tsr_jit_load(&jit, text, options, stats, NULL, err));
    return jit;
}

/* ---- hash ---- */

static void test_hash(void **state)
{
    (void)state;
    static const struct {
        const char *text, *key;
    } cases[] = {
        {"", "69dd497cadf91c08e587d3dff9e92ed0"},
        {"a", "79696ca6e9e977e02a5ccc7815c85b96"},
        {"int f(void);\n", "b74d50f0b84d5dbc172a7681c62b8a99"},
    };
    char key[TSR_JIT_KEY_NBYTES], seen[4096][TSR_JIT_KEY_NBYTES];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tsr_jit_hash(key, cases[i].text, strlen(cases[i].text));
        assert_string_equal(key, cases[i].key);
    }
    /* runs of zeros of each length, and single bits, all differ, in each half */
    static const char zeros[1024];
    char bits[256] = {0};
    int n = 0;
    for (size_t i = 0; i < sizeof zeros; i++)
        tsr_jit_hash(seen[n++], zeros, i);
    for (size_t i = 0; i < 8 * sizeof bits; i++) {
        bits[i / 8] = (char)(1 << i % 8);
        tsr_jit_hash(seen[n++], bits, sizeof bits);
        bits[i / 8] = 0;
    }
    for (int half = 0; half < 2; half++)
        for (int i = 0; i < n; i++)
            for (int k = 0; k < i; k++)
                assert_true(memcmp(seen[i] + 16 * half, seen[k] + 16 * half, 16) != 0);
}

/* ---- a real compiler ---- */

static void test_load(void **state)
{
    (void)state;
    const char *cache = jit_fresh_folder("cache");
    const tsr_jit_options options = {.cache_dir = cache};
    tsr_jit_stats cold, warm;
    tsr_jit *a = load(jit_answer_text(42), &options, &cold), *b = load(jit_answer_text(42), &options, &warm);
    assert_int_equal(jit_answer(a), 42);
    assert_int_equal(jit_answer(b), 42);
    assert_false(cold.from_cache);
    assert_true(cold.compile_ns > 0);
    assert_true(warm.from_cache);
    assert_int_equal(warm.compile_ns, 0);
    assert_null(tsr_jit_find(a, "question"));
    assert_null(tsr_jit_find(a, "malloc")); /* a function, but not one of the text */
    tsr_jit_free(a);
    assert_int_equal(jit_answer(b), 42);
    tsr_jit *c = load(jit_answer_text(43), &options, NULL);
    assert_int_equal(jit_answer(c), 43);
    assert_int_equal(jit_answer(b), 42);
    tsr_jit_free(b);
    tsr_jit_free(c);
    tsr_jit_free(NULL);
    struct stat s;
    assert_int_equal(stat(cache, &s), 0);
    assert_int_equal(s.st_mode & 0777, 0700);
    assert_int_equal(jit_count_files(cache, ".so"), 2);
    assert_int_equal(jit_count_files(cache, ".c"), 2);
    assert_int_equal(jit_count_files(cache, ".version"), 1);
    assert_int_equal(jit_count_files(cache, ".tessera-"), 0);
    /* other flags give another kernel */
    const char *const other[] = {"-O0", "-fPIC", "-shared", NULL};
    a = load(jit_answer_text(42), &(tsr_jit_options){.cache_dir = cache, .flags = other}, &cold);
    assert_false(cold.from_cache);
    tsr_jit_free(a);
    assert_int_equal(jit_count_files(cache, ".so"), 3);
}

/* The default flags: threads, vectors, and the rules of IEEE 754 for NaN, infinities and signed zeros. */
static void test_default_flags(void **state)
{
    (void)state;
    static const char text[] =
        "#include <stdint.h>\n"
        "void sum(double *out, const double *x, int64_t n);\n"
        "void sum(double *out, const double *x, int64_t n)\n{\n"
        "    double s = 0;\n"
        "#pragma omp parallel for reduction(+ : s) num_threads(3)\n"
        "    for (int64_t i = 0; i < n; i++)\n        s += x[i];\n    *out = s;\n}\n"
        "int is_nan(double x);\nint is_nan(double x)\n{\n    return x != x;\n}\n"
        "double one_by(double x);\ndouble one_by(double x)\n{\n    return 1 / (x + 0.0);\n}\n"
        "double zero_times(double x);\ndouble zero_times(double x)\n{\n    return x * 0;\n}\n";
    tsr_jit *jit = load(text, &(tsr_jit_options){.no_cache = true}, NULL);
    void (*sum)(double *, const double *, int64_t) =
        (void (*)(double *, const double *, int64_t))tsr_jit_find(jit, "sum");
    int (*is_nan)(double) = (int (*)(double))tsr_jit_find(jit, "is_nan");
    double (*one_by)(double) = (double (*)(double))tsr_jit_find(jit, "one_by");
    double (*zero_times)(double) = (double (*)(double))tsr_jit_find(jit, "zero_times");
    double x[1000], s;
    for (int i = 0; i < 1000; i++)
        x[i] = i;
    sum(&s, x, 1000);
    assert_true(s == 499500);
    assert_true(is_nan(zero_times(one_by(0.0))));
    assert_true(one_by(-0.0) > 1e308);
    tsr_jit_free(jit);
}

/* Another compiler with another OpenMP library, whose threads still exist when the kernels are freed. */
static void test_clang(void **state)
{
    (void)state;
    static const char *const names[] = {"clang-16", "clang"};
    static const char text[] = "int answer(void);\nint answer(void)\n{\n    int n = 0;\n"
                               "#pragma omp parallel for reduction(+ : n) num_threads(3)\n"
                               "    for (int i = 0; i < 100; i++)\n        n += i;\n    return n;\n}\n";
#ifdef TSR_TEST_SANITIZED
    skip(); /* the leak check crashes because of clang's OpenMP threads, with or without our code */
#endif
    const char *cache = jit_fresh_folder("clang");
    tsr_text path = {0};
    const char *name = NULL;
    for (size_t i = 0; i < 2 && !name; i++)
        name = tsr_process_find(&path, names[i], NULL) == TSR_OK ? names[i] : NULL;
    tsr_text_clear(&path);
    if (!name)
        skip();
    for (int i = 0; i < 20; i++) {
        tsr_jit_stats stats;
        tsr_jit *jit, *other = load(text, &(tsr_jit_options){.cache_dir = cache}, NULL);
        tsr_error fault = {0};
        if (tsr_jit_load(&jit, text, &(tsr_jit_options){.compiler = name, .cache_dir = cache}, &stats, NULL,
                         &fault) != TSR_OK) {
            assert_non_null(strstr(fault.message, "lacks its OpenMP library"));
            tsr_jit_free(other);
            skip();
        }
        assert_int_equal(stats.from_cache, i > 0);
        assert_int_equal(jit_answer(jit), 4950);
        assert_int_equal(jit_answer(other), 4950);
        tsr_jit_free(i % 2 ? jit : other);
        tsr_jit_free(i % 2 ? other : jit);
    }
}

static void test_no_cache(void **state)
{
    (void)state;
    const char *cache = jit_fresh_folder("nocache");
    tsr_jit_stats stats;
    for (int i = 0; i < 2; i++) {
        tsr_jit *jit =
            load(jit_answer_text(7), &(tsr_jit_options){.cache_dir = cache, .no_cache = true}, &stats);
        assert_false(stats.from_cache);
        assert_int_equal(jit_answer(jit), 7);
        tsr_jit_free(jit);
    }
    assert_int_not_equal(access(cache, F_OK), 0);
}

/* ---- broken texts and compilers ---- */

/* A fake compiler finds the name of the object after -o. */
#define OBJECT "while [ \"$1\" != -o ]; do shift; done; object=$2;"

typedef struct refusal {
    const char *name; /* name of the compiler; with `script` the name of the script */
    const char *script;
    const char *text;
    tsr_status status;
    uint64_t line, col;
    const char *words; /* part of the message */
    const char *log;   /* part of the log */
} refusal;

static const refusal refusals[] = {
    {"cc", NULL, "int f(void)\n{\n    return x;\n}\n", TSR_ARGUMENT, 3, 12, "'x' undeclared", "return x;"},
    {"cc", NULL, "#error no way\n", TSR_ARGUMENT, 1, 2, "no way", "no way"},
    {"cc", NULL, "int f(void);\nint g(void)\n{\n    return f();\n}\n", TSR_ARGUMENT, 0, 0,
     "undefined symbol: f", ""},
    {"cc", NULL, "#include <no/such/header.h>\n", TSR_UNSUPPORTED, 0, 0, "no/such/header.h", "header"},
    {"no-such-compiler", NULL, "", TSR_UNSUPPORTED, 0, 0, "\"no-such-compiler\"", ""},
    {"/no/such/compiler", NULL, "", TSR_UNSUPPORTED, 0, 0, "/no/such/compiler", ""},
    {"/dev/null", NULL, "", TSR_UNSUPPORTED, 0, 0, "/dev/null", ""},
    {"silent", "exit 3", "", TSR_UNSUPPORTED, 0, 0, "failed (exit code 3, no message)", ""},
    {"noisy", "echo 'noise 1' >&2; echo 'noise 2' >&2; echo 'cc: error: bad day' >&2; exit 1", "",
     TSR_UNSUPPORTED, 0, 0, "bad day", "noise 1\nnoise 2\ncc: error: bad day\n"},
    {"lies", "exit 0", "", TSR_UNSUPPORTED, 0, 0, "wrote no file", ""},
    {"junk", OBJECT "echo junk >\"$object\"", "", TSR_UNSUPPORTED, 0, 0, "cannot be loaded: file too short",
     ""},
    {"dies", "kill -11 $$", "", TSR_UNSUPPORTED, 0, 0, "ended by signal 11", ""},
    {"slow", "[ \"$1\" = --version ] && exit; sleep 30", "", TSR_LIMIT, 0, 0, "took longer than 0.2 s", ""},
    {"endless", "[ \"$1\" = --version ] && exit; while :; do echo noise; done", "", TSR_LIMIT, 0, 0,
     "took longer", "noise\n"},
    {"full", "echo 'ld: final link failed: No space left on device' >&2; exit 1", "", TSR_IO, 0, 0,
     "cannot write: ld: final link failed: No space left", ""},
    {"noomp",
     "echo '/usr/bin/ld: cannot find -lomp: No such file or directory' >&2\n"
     "echo 'clang: error: linker command failed with exit code 1' >&2; exit 1",
     "", TSR_UNSUPPORTED, 0, 0,
     "lacks its OpenMP library (libomp for clang, libgomp for gcc): /usr/bin/ld: cannot find -lomp",
     "linker"},
    {"nolibc",
     "echo '/usr/lib/gcc/x86_64-linux-gnu/12/include/stdint.h:9:16: fatal error: stdint.h: No such file or "
     "directory' >&2; exit 1",
     "", TSR_UNSUPPORTED, 0, 0,
     "lacks the headers of the C library (Debian: libc6-dev, libc6-dev-...-cross): /usr/lib/gcc", "stdint"},
    {"nocrt", "echo '/usr/bin/ld: cannot find crti.o: No such file or directory' >&2; exit 1", "",
     TSR_UNSUPPORTED, 0, 0,
     "lacks the headers of the C library (Debian: libc6-dev, libc6-dev-...-cross): /usr/bin/ld: cannot find "
     "crti.o",
     "crti"},
    {"elsewhere",
     "echo \"$1:7:3: warning: odd\" >&2; echo \"$1:8:4: error: odder\" >&2; echo \"$1:9:1: error: oddest\" "
     ">&2; exit 1",
     "", TSR_ARGUMENT, 8, 4, "odder",
     "kernel.c:7:3: warning: odd\nkernel.c:8:4: error: odder\nkernel.c:9:1: error: oddest\n"},
    {"lines", "yes no | head -c 1000000 >&2; exit 1", "", TSR_UNSUPPORTED, 0, 0, "exit code 1: no", "no\n"},
    {"bytes", "head -c 3000000 /dev/zero >&2; exit 1", "", TSR_UNSUPPORTED, 0, 0, "exit code 1", ""},
};

static void test_refusals(void **state)
{
    (void)state;
    for (int cached = 0; cached < 2; cached++)
        for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
            const refusal *r = &refusals[i];
            const char *cache = jit_fresh_folder("refusals");
            const tsr_jit_options options = {.compiler = r->script ? jit_script(r->name, r->script) : r->name,
                                             .flags = plain_flags,
                                             .cache_dir = cache,
                                             .no_cache = !cached,
                                             .timeout_ms = r->status == TSR_LIMIT ? 200 : 0};
            tsr_jit *jit;
            tsr_text log = {0};
            tsr_error fault = {0};
            tsr_jit_stats stats = {0};
            const time_t start = time(NULL);
            const tsr_status status = tsr_jit_load(&jit, r->text, &options, &stats, &log, &fault);
            /* the time to read its output must not be quadratic */
            assert_true(difftime(time(NULL), start) < 20);
            if (status != r->status || !strstr(fault.message, r->words))
                print_error("%s: status %d, %s\n", r->name, (int)status, fault.message);
            assert_int_equal(status, r->status);
            assert_int_equal(fault.status, r->status);
            assert_non_null(strstr(fault.message, r->words));
            assert_int_equal(fault.line, r->line);
            assert_int_equal(fault.col, r->col);
            assert_non_null(strstr(tsr_text_cstr(&log), r->log));
            assert_null(strstr(tsr_text_cstr(&log), ".tessera-")); /* no names of temporary files */
            assert_null(jit);
            tsr_text_clear(&log);
            assert_int_equal(jit_count_files(cache, ".so"), 0);
            assert_int_equal(jit_count_files(cache, ".tessera-"), 0);
        }
}

/* Messages of a successful compiler are not shown. */
static void test_noise(void **state)
{
    (void)state;
    const tsr_jit_options options = {
        .compiler = jit_script("chatter", "echo out; echo \"$1:1:1: warning: hm\" >&2; exec cc \"$@\""),
        .flags = plain_flags,
        .cache_dir = jit_fresh_folder("noise")};
    tsr_jit *jit;
    tsr_text log = {0};
    assert_ok(tsr_jit_load(&jit, jit_answer_text(1), &options, NULL, &log, err));
    assert_int_equal(log.nbytes, 0);
    tsr_jit_free(jit);
}

/* TSR_CC may contain arguments; options->compiler may not. */
static void test_environment(void **state)
{
    (void)state;
    static const char *const good[] = {"cc", "  cc  -DUNUSED=1 ", " ", ""};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        setenv("TSR_CC", good[i], 1);
        tsr_jit_free(
            load(jit_answer_text(2), &(tsr_jit_options){.flags = plain_flags, .no_cache = true}, NULL));
    }
    setenv("TSR_CC", "cc -DANSWER=5", 1);
    tsr_jit *jit = load("int answer(void);\nint answer(void)\n{\n    return ANSWER;\n}\n",
                        &(tsr_jit_options){.cache_dir = jit_fresh_folder("environment")}, NULL);
    assert_int_equal(jit_answer(jit), 5);
    tsr_jit_free(jit);
    tsr_error err = {0};
    setenv("TSR_CC", "no-such-compiler -O1", 1);
    assert_int_equal(tsr_jit_load(&jit, "", &(tsr_jit_options){.no_cache = true}, NULL, NULL, &err),
                     TSR_UNSUPPORTED);
    assert_string_equal(
        err.message,
        "no C compiler: no program \"no-such-compiler\" in the folders of PATH; it comes from TSR_CC");
    unsetenv("TSR_CC");
    char *const path = strdup(getenv("PATH"));
    setenv("PATH", "/nonexistent", 1);
    assert_int_equal(tsr_jit_load(&jit, "", &(tsr_jit_options){.no_cache = true}, NULL, NULL, &err),
                     TSR_UNSUPPORTED);
    setenv("PATH", path, 1);
    free(path);
    assert_string_equal(err.message, "no C compiler: no program \"cc\" in the folders of PATH; install one "
                                     "(Debian package gcc), or set TSR_CC to another compiler");
    assert_int_equal(tsr_jit_load(&jit, "", &(tsr_jit_options){.compiler = "cc -O1"}, NULL, NULL, &err),
                     TSR_UNSUPPORTED);
}

/* ---- the cache ---- */

/* The version is asked for once, and again if the compiler's file changes; another version gives another
 * key. */
static void test_version(void **state)
{
    (void)state;
    const char *cache = jit_fresh_folder("version"), *count = jit_path(tsr_test_tmp(), "count");
    char lines[2000];
    const char *compiler = NULL;
    static const struct {
        const char *version;
        bool from_cache;
        size_t nasked; /* bytes of the file `count` */
    } steps[] = {{"1", false, 1}, {"1", true, 1}, {"2 (longer)", false, 2}, {"2 (longer)", true, 2}};
    remove(count);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        if (i == 0 || strcmp(steps[i].version, steps[i - 1].version) != 0) {
            snprintf(
                lines, sizeof lines,
                "[ \"$1\" = --version ] && { printf x >>'%s'; echo 'version %s'; exit; }\nexec cc \"$@\"",
                count, steps[i].version);
            compiler = jit_script("versioned", lines);
        }
        tsr_jit_stats stats;
        tsr_jit_free(load(jit_answer_text(3),
                          &(tsr_jit_options){.compiler = compiler, .flags = plain_flags, .cache_dir = cache},
                          &stats));
        assert_int_equal(stats.from_cache, steps[i].from_cache);
        size_t n;
        free(tsr_test_slurp(count, &n));
        assert_int_equal(n, steps[i].nasked);
    }
}

/* The path of the first file in the folder whose name ends with `end`. */
static const char *find_file(const char *folder, const char *end)
{
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    const char *path = NULL;
    for (const struct dirent *e = readdir(dir); e && !path; e = readdir(dir)) {
        const size_t n = strlen(e->d_name), nend = strlen(end);
        if (n > nend && strcmp(e->d_name + n - nend, end) == 0)
            path = jit_path(folder, e->d_name);
    }
    closedir(dir);
    assert_non_null(path);
    return path;
}

/* Whatever damage the files of a pair have, the answer is right, and the pair is valid again afterwards. */
static void test_damage(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        const char *command; /* $f is the file */
    } cases[] = {
        {".so", "rm \"$f\""},
        {".c", "rm \"$f\""},
        {".so", ": >\"$f\""},
        {".c", ": >\"$f\""},
        {".so", "head -c 5000 \"$f\" >\"$f.x\"; chmod 600 \"$f.x\"; mv \"$f.x\" \"$f\""},
        {".so", "echo more >>\"$f\""},
        {".so", "printf X | dd of=\"$f\" bs=1 seek=4000 conv=notrunc 2>/dev/null"},
        {".c", "echo more >>\"$f\""},
        {".c", "sed -i s/answer/anster/ \"$f\""}, /* simulates two texts with the same key */
        {".c", "sed -i 's/\"-O1\"/\"-O2\"/' \"$f\""},
        {".version", "rm \"$f\""},
        {".so", "rm \"$f\"; mkdir \"$f\""},
    };
    const char *cache = jit_fresh_folder("damage");
    const tsr_jit_options options = {.flags = plain_flags, .cache_dir = cache};
    tsr_jit_free(load(jit_answer_text(11), &options, NULL));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char command[3000];
        snprintf(command, sizeof command, "f='%s'; %s", find_file(cache, cases[i].file), cases[i].command);
        assert_int_equal(system(command), 0);
        tsr_jit_stats stats;
        tsr_jit *jit;
        const tsr_status status = tsr_jit_load(&jit, jit_answer_text(11), &options, &stats, NULL, NULL);
        assert_int_equal(status, TSR_OK);
        assert_int_equal(jit_answer(jit), 11);
        if (strstr(cases[i].command, "mkdir")) { /* a folder in place of the file is left alone */
            assert_int_equal(stats.cache_fault.status, TSR_IO);
            tsr_jit_free(jit);
            break;
        }
        assert_int_equal(stats.from_cache, strcmp(cases[i].file, ".version") == 0);
        tsr_jit_free(jit);
        jit = load(jit_answer_text(11), &options, &stats);
        assert_true(stats.from_cache);
        assert_int_equal(jit_answer(jit), 11);
        tsr_jit_free(jit);
    }
}

/* Folders and files that other users could have made or changed are not used, and the reason is reported: the
 * kernel is compiled without the cache. */
static void test_ownership(void **state)
{
    (void)state;
    static const struct {
        const char *command; /* $d is the folder of the cache, with one pair in it */
        const char *words;
        bool root; /* only root can do that */
    } cases[] = {
        {"chmod 770 \"$d\"", "is writable by other users", false},
        {"chmod 702 \"$d\"", "is writable by other users", false},
        {"mv \"$d\" \"$d.real\"; ln -s \"$d.real\" \"$d\"; chmod 770 \"$d.real\"", "writable by other users",
         false},
        {"chmod 777 \"$d/..\"", "is writable by other users", false},
        {"chown 12345 \"$d/..\"", "another user", true},
        {"mv \"$d\" \"$d.real\"; ln -s \"$d.real\" \"$d\"; chown -h 12345 \"$d\"",
         "a link that belongs to another user", true},
        {"rm -r \"$d\"; ln -s nowhere \"$d\"", "cannot examine", false},
        {"rm -r \"$d\"; : >\"$d\"", "is not a folder", false},
        {"chmod 660 \"$d\"/*.so", "is writable by other users", false},
        {"chmod 606 \"$d\"/*.c", "is writable by other users", false},
        {"chmod 622 \"$d\"/*.version", "is writable by other users", false},
        {"f=$(echo \"$d\"/*.so); mv \"$f\" \"$d/x\"; ln -s x \"$f\"", "symbolic link", false},
        {"f=$(echo \"$d\"/*.so); rm \"$f\"; mkfifo \"$f\"", "not a regular file", false},
        {"chown 12345 \"$d\"", "another user", true},
        {"chown 12345 \"$d\"/*.so", "another user", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (cases[i].root && geteuid() != 0)
            continue;
        const char *above = jit_fresh_folder("owned");
        chmod(above, 0700);
        const char *cache = tsr_test_path(above, "cache");
        const tsr_jit_options options = {.flags = plain_flags, .cache_dir = cache};
        tsr_jit_free(load(jit_answer_text(12), &options, NULL));
        char command[3000];
        snprintf(command, sizeof command, "d='%s'; %s", cache, cases[i].command);
        assert_int_equal(system(command), 0);
        tsr_jit *jit;
        tsr_jit_stats stats;
        assert_ok(tsr_jit_load(&jit, jit_answer_text(12), &options, &stats, NULL, err));
        if (stats.cache_fault.status != TSR_IO || !strstr(stats.cache_fault.message, cases[i].words))
            print_error("%s: %d, %s\n", cases[i].command, (int)stats.cache_fault.status,
                        stats.cache_fault.message);
        assert_false(stats.from_cache);
        assert_int_equal(jit_answer(jit), 12);
        assert_int_equal(stats.cache_fault.status, TSR_IO);
        assert_non_null(strstr(stats.cache_fault.message, cases[i].words));
        tsr_jit_free(jit);
    }
    assert_int_equal(system("true"), 0);
}

/* A folder may be reached through a link; and the loaded file is the compared one, by its descriptor: two
 * objects with the same descriptor number are distinguished, and a file that replaces the object in between
 * is not run. */
static void test_checked_is_loaded(void **state)
{
    if (!*tsr_system_path(TSR_SYSTEM_PAGES)) /* open files have no paths here */
        skip();
    (void)state;
    const char *real = jit_fresh_folder("linked"), *cache = jit_fresh_folder("link");
    const tsr_jit_options options = {.flags = plain_flags, .cache_dir = cache};
    tsr_jit_stats stats;
    tsr_jit *jit[2];
    assert_int_equal(mkdir(real, 0700), 0);
    assert_int_equal(symlink(real, cache), 0);
    for (int k = 0; k < 2; k++)
        tsr_jit_free(load(jit_answer_text(41 + k), &options, NULL));
    assert_int_equal(jit_count_files(real, ".so"), 2);
    for (int k = 0; k < 2; k++) {
        Dl_info info;
        jit[k] = load(jit_answer_text(41 + k), &options, &stats);
        assert_true(stats.from_cache);
        assert_int_equal(stats.cache_fault.status, TSR_OK);
        const tsr_jit_function answer = tsr_jit_find(jit[k], "answer");
        void *place;
        memcpy(&place, &answer, sizeof place);
        assert_int_not_equal(dladdr(place, &info), 0);
        assert_int_equal(strncmp(info.dli_fname, "/proc/self/fd/", 14), 0);
    }
    for (int k = 0; k < 2; k++) {
        assert_int_equal(jit_answer(jit[k]), 41 + k);
        tsr_jit_free(jit[k]);
    }
}

/* If there is no usable cache, kernels are loaded all the same. */
static void test_no_room(void **state)
{
    (void)state;
    char *const tmp = strdup(tsr_test_tmp());
    static const char *const places[] = {"/proc/tessera", "/dev/null/tessera", "/nonexistent\n/x/"};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (i == 2 && geteuid() == 0)
            continue; /* root may create that */
        tsr_jit_stats stats;
        tsr_jit *jit = load(jit_answer_text(13),
                            &(tsr_jit_options){.flags = plain_flags, .cache_dir = places[i]}, &stats);
        assert_false(stats.from_cache);
        assert_int_equal(jit_answer(jit), 13);
        tsr_jit_free(jit);
    }
    /* the same with the environment: nothing set, a relative path (which is ignored), an empty home */
    char *const home = strdup(getenv("HOME") ? getenv("HOME") : "/");
    unsetenv("HOME");
    setenv("XDG_CACHE_HOME", "relative", 1);
    tsr_jit_stats stats;
    for (int i = 0; i < 2; i++) {
        tsr_jit_free(load(jit_answer_text(13), &(tsr_jit_options){.flags = plain_flags}, &stats));
        assert_false(stats.from_cache);
        setenv("HOME", "", 1);
    }
    assert_int_not_equal(access("relative", F_OK), 0);
    /* $XDG_CACHE_HOME/tessera, and $HOME/.cache/tessera, with the folders above created */
    static const char *const made[] = {"xdg/deep/tessera", "home/.cache/tessera"};
    setenv("XDG_CACHE_HOME", tsr_test_path(tmp, "xdg/deep"), 1);
    setenv("HOME", tsr_test_path(tmp, "home"), 1);
    jit_fresh_folder("xdg");
    jit_fresh_folder("home");
    for (int i = 0; i < 2; i++) {
        tsr_jit_free(load(jit_answer_text(13), &(tsr_jit_options){.flags = plain_flags}, &stats));
        assert_int_equal(jit_count_files(tsr_test_path(tmp, made[i]), ".so"), 1);
        unsetenv("XDG_CACHE_HOME");
    }
    setenv("HOME", home, 1);
    free(home);
    free(tmp);
}

/* A read-only cache: existing kernels are used, new ones are compiled in another folder. */
static void test_read_only(void **state)
{
    (void)state;
    if (geteuid() == 0)
        skip(); /* root may write anywhere */
    const char *cache = jit_fresh_folder("readonly");
    const tsr_jit_options options = {.flags = plain_flags, .cache_dir = cache};
    tsr_jit_stats stats;
    tsr_jit_free(load(jit_answer_text(14), &options, NULL));
    chmod(cache, 0500);
    tsr_jit_free(load(jit_answer_text(14), &options, &stats));
    assert_true(stats.from_cache);
    tsr_jit *jit = load(jit_answer_text(15), &options, &stats);
    assert_int_equal(jit_answer(jit), 15);
    assert_false(stats.from_cache);
    tsr_jit_free(jit);
    chmod(cache, 0700);
    assert_int_equal(jit_count_files(cache, ".so"), 1);
}

/* ---- size limit and list ---- */

typedef struct seen {
    int n, stop_after;
    char lines[16][64];
    uint64_t nbytes[16];
} seen;

static bool see(void *arg, const tsr_jit_entry *entry)
{
    seen *s = arg;
    assert_int_equal(strspn(entry->key, "0123456789abcdef"), 32);
    assert_true(entry->nbytes > 1000);
    assert_true(entry->used_s > 1600000000);
    s->nbytes[s->n] = entry->nbytes;
    snprintf(s->lines[s->n++], sizeof s->lines[0], "%s", entry->first_line);
    return s->n != s->stop_after;
}

/* Wait longer than a tick of the clock of files. */
static void pause_a_tick(void)
{
    nanosleep(&(struct timespec){0, 10000000}, NULL);
}

static void test_eviction(void **state)
{
    (void)state;
    const char *cache = jit_fresh_folder("eviction");
    tsr_jit_options options = {.flags = plain_flags, .cache_dir = cache};
    seen s = {0};
    tsr_jit *first = load(jit_answer_text(1), &options, NULL);
    assert_ok(tsr_jit_list(&options, see, &s, err));
    assert_int_equal(s.n, 1);
    options.cache_max_nbytes = 3 * s.nbytes[0] + 1000;
    for (int v = 2; v <= 3; v++) {
        pause_a_tick();
        tsr_jit_free(load(jit_answer_text(v), &options, NULL));
    }
    pause_a_tick();
    tsr_jit_free(load(jit_answer_text(1), &options, NULL)); /* used again: 2 is now the oldest */
    pause_a_tick();
    tsr_jit_free(load(jit_answer_text(4), &options, NULL));
    s = (seen){0};
    assert_ok(tsr_jit_list(&options, see, &s, err));
    assert_int_equal(s.n, 3);
    assert_string_equal(s.lines[0], "/* the answer 4 */");
    assert_string_equal(s.lines[1], "/* the answer 1 */");
    assert_string_equal(s.lines[2], "/* the answer 3 */");
    s = (seen){.stop_after = 2};
    assert_ok(tsr_jit_list(&options, see, &s, err));
    assert_int_equal(s.n, 2);
    /* a limit too small for any kernel: a loaded one stays usable */
    options.cache_max_nbytes = 1;
    tsr_jit *last = load(jit_answer_text(5), &options, NULL);
    s = (seen){0};
    assert_ok(tsr_jit_list(&options, see, &s, err));
    assert_int_equal(s.n, 0);
    assert_int_equal(jit_count_files(cache, ".c"), 0);
    assert_int_equal(jit_answer(first), 1);
    assert_int_equal(jit_answer(last), 5);
    tsr_jit_free(first);
    tsr_jit_free(last);
}

static void test_clear(void **state)
{
    (void)state;
    const char *cache = jit_fresh_folder("clear");
    const tsr_jit_options options = {.flags = plain_flags, .cache_dir = cache};
    seen s = {0};
    assert_ok(tsr_jit_list(&options, see, &s, err)); /* no cache yet, and listing does not create one */
    assert_ok(tsr_jit_clear(&options, err));
    assert_int_equal(s.n, 0);
    assert_int_not_equal(access(cache, F_OK), 0);
    tsr_jit *jit = load(jit_answer_text(21), &options, NULL);
    tsr_test_spit(tsr_test_path(cache, "precious.txt"), "x", 1);
    assert_ok(tsr_jit_clear(&options, err));
    assert_ok(tsr_jit_list(&options, see, &s, err));
    assert_int_equal(s.n, 0);
    assert_int_equal(jit_count_files(cache, ""), 1); /* not a file of the cache: stays */
    assert_int_equal(jit_answer(jit), 21);
    tsr_jit_free(jit);
    tsr_jit_stats stats;
    tsr_jit_free(load(jit_answer_text(21), &options, &stats));
    assert_false(stats.from_cache);
    /* a folder that cannot be trusted is neither listed nor emptied */
    chmod(cache, 0777);
    assert_int_equal(tsr_jit_list(&options, see, &s, NULL), TSR_IO);
    assert_int_equal(tsr_jit_clear(&options, NULL), TSR_IO);
    assert_int_equal(jit_count_files(cache, ".so"), 1);
}

/* Temporary folders of dead processes are removed with the next kernel; young and locked ones stay. */
static void test_left_behind(void **state)
{
    (void)state;
    const char *cache = jit_fresh_folder("left");
    const tsr_jit_options options = {.flags = plain_flags, .cache_dir = cache};
    tsr_jit_free(load(jit_answer_text(31), &options, NULL));
    char command[3000];
    snprintf(command, sizeof command,
             "cd '%s' && mkdir -p .tessera-aaaaaa/sub/deep .tessera-bbbbbb .tessera-cccccc other && "
             "touch .tessera-aaaaaa/kernel.c .tessera-aaaaaa/sub/deep/x other/x && "
             "ln -s ../other .tessera-aaaaaa/link && ln -s other .tessera-dddddd && "
             "touch -d '1 hour ago' .tessera-aaaaaa .tessera-cccccc other",
             cache);
    assert_int_equal(system(command), 0);
    const int held = open(tsr_test_path(cache, ".tessera-cccccc"), O_RDONLY | O_DIRECTORY);
    assert_int_equal(flock(held, LOCK_EX | LOCK_NB), 0);
    tsr_jit_free(load(jit_answer_text(32), &options, NULL));
    assert_int_not_equal(access(tsr_test_path(cache, ".tessera-aaaaaa"), F_OK), 0);
    assert_int_equal(access(tsr_test_path(cache, ".tessera-bbbbbb"), F_OK), 0);
    assert_int_equal(access(tsr_test_path(cache, ".tessera-cccccc"), F_OK), 0);
    assert_int_equal(access(tsr_test_path(cache, "other/x"), F_OK), 0);
    close(held);
}

/* ---- running out of memory ---- */

static void test_out_of_memory(void **state)
{
    (void)state;
    const int64_t before = tsr_alloc_live();
    if (before < 0)
        skip();
    /* a compiler that ends at once, since the object is prepared */
    const char *cache = jit_fresh_folder("memory"), *object = jit_path(tsr_test_tmp(), "ready.so");
    char lines[3000];
    snprintf(lines, sizeof lines, "echo '%s' | sed 's/@/\\n/g' >'%s.c'; cc -fPIC -shared -o '%s' '%s.c'",
             "int answer(void) { return 41@; }", object, object, object);
    assert_int_equal(system(lines), 0);
    snprintf(lines, sizeof lines,
             "[ \"$1\" = --version ] && { echo fake; exit; }\n" OBJECT "cp '%s' \"$object\"", object);
    const char *compiler = jit_script("ready", lines);
    for (int warm = 0; warm < 2; warm++) {
        tsr_faults faults = {0};
        while (tsr_faults_next(&faults)) {
            if (!warm)
                jit_fresh_folder("memory");
            const tsr_jit_options options = {.compiler = compiler, .cache_dir = cache};
            tsr_jit *jit;
            tsr_jit_stats stats;
            tsr_text log = {0};
            seen s = {0};
            tsr_faults_arm(&faults);
            tsr_status status = tsr_jit_load(&jit, jit_answer_text(41), &options, &stats, &log, NULL);
            if (status == TSR_OK)
                status = tsr_jit_list(&options, see, &s, NULL);
            tsr_faults_end(&faults, status);
            if (jit)
                assert_int_equal(jit_answer(jit), 41);
            tsr_jit_free(jit);
            tsr_text_clear(&log);
            assert_int_equal(jit_count_files(cache, ".tessera-"), 0);
            if (!faults.failed) {
                assert_int_equal(stats.from_cache, warm);
                assert_int_equal(s.n, 1);
            }
        }
    }
}

int main(void)
{
    unsetenv("TSR_CC");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hash),          cmocka_unit_test(test_load),
        cmocka_unit_test(test_default_flags), cmocka_unit_test(test_clang),
        cmocka_unit_test(test_no_cache),      cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_noise),         cmocka_unit_test(test_environment),
        cmocka_unit_test(test_version),       cmocka_unit_test(test_damage),
        cmocka_unit_test(test_ownership),     cmocka_unit_test(test_checked_is_loaded),
        cmocka_unit_test(test_no_room),       cmocka_unit_test(test_read_only),
        cmocka_unit_test(test_eviction),      cmocka_unit_test(test_clear),
        cmocka_unit_test(test_left_behind),   cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
