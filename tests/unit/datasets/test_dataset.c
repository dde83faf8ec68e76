/* The table of datasets, and the way from a name to a file. */
#include <sys/stat.h>
#include <unistd.h>

#include "tsr_alloc.h"
#include "tsr_dataset.h"
#include "tsr_test.h"

#define HEAD "name,suite,order,dims,nnz,values,skew,fiber,run,band,statistics,url,sha256,licence,note\n"
#define TAIL "estimated,http://x/y.tns.gz,,none,\n"

static void test_broken_tables(void **state)
{
    (void)state;
    static const struct {
        const char *text, *sentence;
        uint64_t line;
        tsr_status status;
    } cases[] = {
        {"", "a row has 15 fields, this one 1", 1, TSR_SYNTAX},
        {"name,suite\n", "a row has 15 fields, this one 2", 1, TSR_SYNTAX},
        {"name,suite,order,dims,nnz,values,skew,fibre,run,band,statistics,url,sha256,licence,note\n",
         "column 8 is 'fiber', found 'fibre'", 1, TSR_SYNTAX},
        {HEAD "a,s,2,3x4,5,real,,,,,estimated,http://x,,none\n", "a row has 15 fields, this one 14", 2,
         TSR_SYNTAX},
        {HEAD "a,s,2,3x4,5,real,,,,,estimated,http://x,,none,,\n", "a row has 15 fields, this one more", 2,
         TSR_SYNTAX},
        {HEAD "\n", "a row has 15 fields, this one 1", 2, TSR_SYNTAX},
        {HEAD "\"a,s,2\n", "a quote is not closed", 2, TSR_SYNTAX},
        {HEAD "\"a\"b,s,2,3x4,5,real,,,,," TAIL, "a comma must follow a closing quote", 2, TSR_SYNTAX},
        {HEAD "../a,s,2,3x4,5,real,,,,," TAIL,
         "a name is up to 100 letters, digits and _-. and begins with none of -., found '../a'", 2,
         TSR_SYNTAX},
        {HEAD ",s,2,3x4,5,real,,,,," TAIL,
         "a name is up to 100 letters, digits and _-. and begins with none of -., found ''", 2, TSR_SYNTAX},
        {HEAD "a,s,17,3x4,5,real,,,,," TAIL, "expected an order of 1 to 16, found '17'", 2, TSR_SYNTAX},
        {HEAD "a,s,3,3x4,5,real,,,,," TAIL,
         "expected one dim for each mode, with 'x' between them, found '3x4'", 2, TSR_SYNTAX},
        {HEAD "a,s,2,3x4x5,5,real,,,,," TAIL,
         "expected one dim for each mode, with 'x' between them, found '3x4x5'", 2, TSR_SYNTAX},
        {HEAD "a,s,2,3x99999999999999999999,5,real,,,,," TAIL,
         "expected one dim for each mode, with 'x' between them, found '3x99999999999999999999'", 2,
         TSR_SYNTAX},
        {HEAD "a,s,2,3x4,many,real,,,,," TAIL, "expected a number of entries, found 'many'", 2, TSR_SYNTAX},
        {HEAD "a,s,2,3x4,13,real,,,,," TAIL, "13 entries do not fit into 12 cells", 2, TSR_RANGE},
        {HEAD "a,s,2,3x4,0,real,,,,," TAIL, "0 entries: 1 to 8589934591 can be generated", 2, TSR_RANGE},
        {HEAD "a,s,2,3x4,5,odd,,,,," TAIL, "values are real, count, binary or complex, found 'odd'", 2,
         TSR_SYNTAX},
        {HEAD "a,s,2,3x4,5,real,1,,,," TAIL,
         "expected an exponent per mode with ';' between them as skew, found '1'", 2, TSR_SYNTAX},
        {HEAD "a,s,2,3x4,5,real,1;5,,,," TAIL, "a skew is at most 4, found '1;5'", 2, TSR_SYNTAX},
        {HEAD "a,s,2,3x4,5,real,,2,,," TAIL,
         "expected a mean for each prefix of 2 to order - 1 coordinates as fiber, found '2'", 2, TSR_SYNTAX},
        {HEAD "a,s,3,3x4x5,5,real,,0.5,,," TAIL, "a fiber has a mean of 1 entry or more, not of 0.500", 2,
         TSR_RANGE},
        {HEAD "a,s,4,3x4x5x6,5,real,,2;3,,," TAIL,
         "entries per prefix of 3 coordinates cannot be more than of 2 coordinates", 2, TSR_RANGE},
        {HEAD "a,s,2,3x4,5,real,,,0.5,," TAIL, "a run has a mean length of 1 to 2147483647", 2, TSR_RANGE},
        {HEAD "a,s,2,3x4,5,real,,,,1.5," TAIL, "a band is a part of a dim, 0 to 1", 2, TSR_RANGE},
        {HEAD "a,s,2,3x4,5,real,,,,-1," TAIL, "expected a part of a dim as band, found '-1'", 2, TSR_SYNTAX},
        {HEAD "a,s,2,3x4,5,real,,,,,guessed,http://x,,none,\n",
         "statistics are estimated, published, measured or exact, found 'guessed'", 2, TSR_SYNTAX},
        {HEAD "a,s,2,3x4,5,real,,,,,measured,file:///etc/passwd,,none,\n",
         "a url begins with https:// or http://, found 'file:///etc/passwd'", 2, TSR_SYNTAX},
        {HEAD "a,s,2,3x4,5,real,,,,,measured,http://x,ABC,none,\n",
         "a sha256 is 64 hexadecimal digits in lower case, or nothing, found 'ABC'", 2, TSR_SYNTAX},
        {HEAD "a,s,2,3x4,5,real,,,,," TAIL "a,s,2,3x4,5,real,,,,," TAIL,
         "a name stands in one row only, found 'a'", 3, TSR_SYNTAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tsr_datasets *datasets;
        tsr_error err = {0};
        const tsr_status status =
            tsr_datasets_parse(&datasets, cases[i].text, strlen(cases[i].text), "t.csv", &err);
        if (status != cases[i].status || strcmp(err.message, cases[i].sentence) != 0 ||
            err.line != cases[i].line)
            fail_msg("case %zu: line %d: %s", i, (int)err.line, err.message);
        assert_null(datasets);
        assert_string_equal(err.path, "t.csv");
    }
    tsr_datasets *datasets;
    assert_int_equal(tsr_datasets_parse(&datasets, HEAD "a\0b", sizeof HEAD + 2, "t.csv", NULL), TSR_SYNTAX);
}

static void test_good_table(void **state)
{
    (void)state;
    /* Quotes, CRLF, no newline at the end. */
    static const char text[] =
        HEAD "a-1,\"s;t\",3,3x4x5,6,count,0.5;1;1.25,2.5,1.5,0.25,measured,https://x/a.tar.gz,"
             "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef,\"a, \"\"b\"\"\",note\r\n"
             "b,,1,9,9,binary,,,,,exact,http://x,,\"\",\"\"";
    tsr_datasets *datasets;
    const tsr_dataset *row;
    assert_ok(tsr_datasets_parse(&datasets, text, strlen(text), "t.csv", err));
    assert_int_equal(datasets->n, 2);
    assert_ok(tsr_dataset_find(&row, datasets, "a-1", err));
    assert_true(row->shape.order == 3 && row->shape.dims[2] == 5 && row->shape.nnz == 6);
    assert_true(row->shape.skew[0] == 500 && row->shape.skew[2] == 1250);
    assert_true(row->shape.has_fiber && row->shape.fiber[1] == 2500 && row->shape.run == 1500);
    assert_true(row->shape.band == 250000 && row->statistics == TSR_DATASET_MEASURED);
    assert_string_equal(row->licence, "a, \"b\"");
    assert_string_equal(row->note, "note");
    assert_true(tsr_dataset_is_in(row, "t") && tsr_dataset_is_in(row, "s") && !tsr_dataset_is_in(row, "s;t"));
    tsr_text shape = {0};
    tsr_dataset_print_shape(&shape, &row->shape);
    assert_string_equal(shape.s, "3,3x4x5,6,count,0.5;1;1.25,2.5,1.5,0.25,measured");
    tsr_text_clear(&shape);
    assert_ok(tsr_dataset_find(&row, datasets, "b", err));
    assert_string_equal(row->note, "");
    tsr_datasets_free(datasets);
}

/* No row of ours is damaged, whatever a byte of it becomes. */
static void test_damaged_tables(void **state)
{
    (void)state;
    static const char good[] = HEAD "a,s,3,3x4x5,6,real,1;1;1,2,1,0.5," TAIL "\"b\",s,2,3x4,6,real,,,,," TAIL;
    static const char bytes[] = ",\"\n\r;x.9-@";
    tsr_rng rng = {5};
    for (int i = 0; i < 20000; i++) {
        char text[sizeof good];
        size_t n = sizeof good - 1;
        memcpy(text, good, sizeof good);
        for (uint64_t k = 0; k <= tsr_rng_below(&rng, 4); k++)
            text[tsr_rng_below(&rng, n)] = bytes[tsr_rng_below(&rng, sizeof bytes)]; /* the NUL too */
        if (tsr_rng_below(&rng, 4) == 0)
            n = (size_t)tsr_rng_below(&rng, n);
        char *copy = malloc(n + 1); /* so that a read beyond its end is seen */
        assert_non_null(copy);
        memcpy(copy, text, n);
        tsr_datasets *datasets;
        tsr_error err = {0};
        if (tsr_datasets_parse(&datasets, copy, n, "t.csv", &err) == TSR_OK)
            assert_true(datasets->n <= 3);
        else
            assert_true(datasets == NULL && err.message[0]);
        tsr_datasets_free(datasets);
        free(copy);
    }
}

static void test_out_of_memory(void **state)
{
    (void)state;
    if (tsr_alloc_live() < 0)
        skip();
    tsr_faults faults = {0};
    while (tsr_faults_next(&faults)) {
        tsr_datasets *datasets;
        tsr_faults_arm(&faults);
        const tsr_status status = tsr_datasets_load(&datasets, NULL, NULL);
        tsr_faults_end(&faults, status);
        tsr_datasets_free(datasets);
    }
}

/* ---- names ---- */

static void test_names(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name;
        uint64_t scale; /* 0: refused */
    } cases[] = {
        {"nell-2", "nell-2", 1000000000},
        {"nell-2@0.01", "nell-2", 10000000},
        {"nell-2@2", "nell-2", 2000000000},
        {"a@b@.5", "a@b", 500000000},
        {"nell-2@", NULL, 0},
        {"nell-2@0", NULL, 0},
        {"nell-2@1e-3", NULL, 0},
        {"nell-2@-1", NULL, 0},
        {"nell-2@0.0000000001", NULL, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tsr_text name = {0};
        uint64_t scale;
        const tsr_status status = tsr_dataset_split(&name, &scale, cases[i].text, NULL);
        assert_int_equal(status, cases[i].scale ? TSR_OK : TSR_ARGUMENT);
        if (cases[i].scale) {
            assert_string_equal(tsr_text_cstr(&name), cases[i].name);
            assert_true(scale == cases[i].scale);
        }
        tsr_text_clear(&name);
    }
}

static void test_find(void **state)
{
    (void)state;
    tsr_datasets *datasets;
    const tsr_dataset *row;
    tsr_error failure = {0};
    assert_ok(tsr_datasets_load(&datasets, NULL, err));
    assert_ok(tsr_dataset_find(&row, datasets, "nell-2", err));
    assert_true(row->shape.nnz == 76879419 && row->shape.dims[2] == 28818 &&
                tsr_dataset_is_in(row, "frostt"));
    assert_ok(tsr_dataset_find(&row, datasets, "cant", err));
    assert_true(tsr_dataset_is_in(row, "spmv") && tsr_dataset_is_in(row, "conversion"));
    assert_int_equal(tsr_dataset_find(&row, datasets, "nell", &failure), TSR_ARGUMENT);
    assert_null(row);
    assert_string_equal(failure.message, "unknown dataset 'nell'; did you mean nell-1 or nell-2?");
    assert_int_equal(tsr_dataset_find(&row, datasets, "?", &failure), TSR_ARGUMENT);
    assert_string_equal(failure.message,
                        "unknown dataset '?'; tbench fetch --list names those that are known");
    tsr_datasets_free(datasets);
}

static void test_data_folder(void **state)
{
    (void)state;
    static const struct {
        const char *data, *xdg, *home, *folder;
    } cases[] = {
        {"/d", "/x", "/h", "/d"},
        {NULL, "/x", "/h", "/x/tessera"},
        {"", "relative", "/h", "/h/.local/share/tessera"},
        {NULL, NULL, "/h", "/h/.local/share/tessera"},
        {NULL, NULL, NULL, NULL},
    };
    static const char *const names[] = {"TSR_DATA", "XDG_DATA_HOME", "HOME"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const values[] = {cases[i].data, cases[i].xdg, cases[i].home};
        for (int k = 0; k < 3; k++)
            assert_int_equal(values[k] ? setenv(names[k], values[k], 1) : unsetenv(names[k]), 0);
        tsr_text folder = {0};
        assert_int_equal(tsr_data_folder(&folder, NULL), cases[i].folder ? TSR_OK : TSR_ARGUMENT);
        if (cases[i].folder)
            assert_string_equal(folder.s, cases[i].folder);
        tsr_text_clear(&folder);
    }
}

/* ---- files ---- */

typedef struct resolve_case {
    const char *text;
    tsr_dataset_kind kind;
    uint64_t nnz;
} resolve_case;

static void test_resolve(void **state)
{
    (void)state;
    static const resolve_case cases[] = {
        {"nell-2@0.0001", TSR_DATASET_STANDIN, 7688},
        {"cant@0.001", TSR_DATASET_STANDIN, 4007},
        {"conf5_4-8x8-05@0.001", TSR_DATASET_STANDIN, 1917},
        {"matmul_4-4-3", TSR_DATASET_GENERATED, 48}, /* a row of the table */
        {"matmul_4-4-2", TSR_DATASET_GENERATED, 32}, /* none */
        {"banded:n=100,width=3", TSR_DATASET_GENERATED, 298},
    };
    tsr_datasets *datasets;
    char folder[600];
    snprintf(folder, sizeof folder, "%s/resolve.%ld/a/b", tsr_test_tmp(), (long)getpid());
    const tsr_resolve_options options = {.folder = folder, .seed = 1}, other = {.folder = folder, .seed = 2};
    assert_ok(tsr_datasets_load(&datasets, NULL, err));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tsr_resolved first = {0}, again = {0}, another = {0};
        struct stat a, b;
        assert_ok(tsr_dataset_resolve(&first, datasets, cases[i].text, &options, err));
        assert_int_equal(stat(first.path.s, &a), 0);
        assert_true(first.kind == cases[i].kind && first.nnz == cases[i].nnz);
        assert_string_equal(first.name.s, cases[i].text);
        assert_ok(tsr_dataset_resolve(&again, datasets, cases[i].text, &options, err));
        assert_string_equal(first.path.s, again.path.s);
        assert_int_equal(stat(again.path.s, &b), 0);
        assert_true(a.st_ino == b.st_ino); /* not made anew */
        assert_ok(tsr_dataset_resolve(&another, datasets, cases[i].text, &other, err));
        assert_string_not_equal(first.path.s, another.path.s);
        tsr_resolved_clear(&first);
        tsr_resolved_clear(&again);
        tsr_resolved_clear(&another);
    }
    tsr_datasets_free(datasets);
}

static void test_resolve_real(void **state)
{
    (void)state;
    tsr_datasets *datasets;
    tsr_resolved resolved = {0};
    tsr_error failure = {0};
    const tsr_resolve_options options = {.folder = tsr_test_tmp(), .max_nnz = 1000};
    assert_ok(tsr_datasets_load(&datasets, NULL, err));
    const char *path = tsr_test_path(tsr_test_tmp(), "nell-2.tns");
    (void)unlink(path);
    assert_int_equal(tsr_dataset_resolve(&resolved, datasets, "nell-2", &options, &failure), TSR_LIMIT);
    assert_non_null(
        strstr(failure.message, "76879419 entries, more than 1000: fetch it, or ask for a smaller one"));
    tsr_test_spit(path, "1 1 1 1\n", 8);
    assert_ok(tsr_dataset_resolve(&resolved, datasets, "nell-2", &options, err));
    assert_int_equal(resolved.kind, TSR_DATASET_REAL);
    assert_string_equal(resolved.path.s, path);
    assert_ok(tsr_dataset_resolve(&resolved, datasets, "nell-2@0.000001", &options, err));
    assert_int_equal(resolved.kind, TSR_DATASET_STANDIN);
    assert_int_equal(tsr_dataset_resolve(&resolved, datasets, "matmul_2-2-2@0.5", &options, &failure),
                     TSR_ARGUMENT);
    assert_int_equal(tsr_dataset_resolve(&resolved, datasets, "nothing", &options, &failure), TSR_ARGUMENT);
    assert_null(resolved.path.s);
    tsr_datasets_free(datasets);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_broken_tables),  cmocka_unit_test(test_good_table),
        cmocka_unit_test(test_damaged_tables), cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_names),          cmocka_unit_test(test_find),
        cmocka_unit_test(test_data_folder),    cmocka_unit_test(test_resolve),
        cmocka_unit_test(test_resolve_real),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
