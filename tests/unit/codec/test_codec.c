/* Finding codecs by name, suffix and content, and reading through them. */
#include "tsr_test.h"

#include <unistd.h>

#include "tsr_codec.h"

static const char basic[] = "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 2\n";

static void test_names(void **state)
{
    (void)state;
    for (int i = 0; tsr_codecs[i]; i++) {
        const tsr_codec *codec;
        assert_ok(tsr_codec_by_name(&codec, tsr_codecs[i]->name, err));
        assert_ptr_equal(codec, tsr_codecs[i]);
        assert_true(strlen(codec->summary) > 0);
        assert_non_null(codec->suffixes[0]);
    }
    const tsr_codec *none;
    tsr_error err;
    assert_int_equal(tsr_codec_by_name(&none, "xls", &err), TSR_ARGUMENT);
    assert_null(none);
    assert_non_null(strstr(err.message, "'xls'"));
    assert_non_null(strstr(err.message, "binsparse, mtx"));
}

static void test_suffixes(void **state)
{
    (void)state;
    static const struct {
        const char *path, *name;
    } cases[] = {
        {"a.mtx", "mtx"},
        {"dir.tns/a.mtx", "mtx"},
        {"a.tns", "tns"},
        {"A.MTX", "mtx"},
        {"a.ttx", "mtx"},
        {"a.mtx.gz", "mtx"},
        {"a.TNS.GZ", "tns"},
        {"a.tns:odd.mtx", "mtx"},
        {"a.h5", "binsparse"},
        {"a.h5:group", "binsparse"},
        {"a.h5:in/a/group", "binsparse"},
        {"x:y/a.h5:g:h", "binsparse"},
        {"a.b.mtx", "mtx"},
        {"mtx", NULL},
        {".mtx", NULL},
        {"dir/.mtx", NULL},
        {"a.gz", NULL},
        {"a.foo", NULL},
        {"a.csv.gz", "csv"},
        {"a.10x.h5", "10x"},
        {"a.mtx/b", NULL},
        {"-", NULL},
        {"", NULL},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const tsr_codec *codec;
        tsr_error err = {0};
        const tsr_status status = tsr_codec_by_suffix(&codec, cases[c].path, &err);
        if (cases[c].name ? !codec || strcmp(codec->name, cases[c].name) != 0
                          : codec || status != TSR_ARGUMENT)
            fail_msg("'%s' is taken for %s", cases[c].path, codec ? codec->name : "nothing");
    }
    const tsr_codec *codec;
    tsr_error err = {0};
    assert_int_equal(tsr_codec_by_suffix(&codec, "-", &err), TSR_ARGUMENT);
    assert_non_null(strstr(err.message, "--to"));
    assert_int_equal(tsr_codec_by_suffix(&codec, "a.foo", &err), TSR_ARGUMENT);
    assert_non_null(strstr(err.message, ".mtx"));
    assert_string_equal(err.path, "a.foo");
}

static void test_content(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *codec; /* NULL: none */
    } cases[] = {
        {"a.mtx", "%%MatrixMarket matrix", "mtx"},
        {"wrong.tns", "%%MatrixMarket matrix", "mtx"}, /* a magic beats the suffix */
        {"noname", " %matrixmarket x", "mtx"},
        {"noname", "# c\n\n1 2 3.5\n", "tns"},
        {"noname", "1 2 3.5", "tns"},
        {"noname", "sptensor\n3\n", "tns"},
        {"a.mtx", "1 2 3\n", "mtx"}, /* likely content does not: a file without its banner is not a tns */
        {"a.tns", "", "tns"},
        {"noname", "", NULL},
        {"noname", "# only a comment\n", NULL},
        {"noname", "Hello\n", NULL},
        {"noname", "1,2,3\n", "csv"},
        {"noname", "a,b,c\n", NULL},
        {"noname.mtx", "\x93NUMPY\1", "npy"},
        {"noname", "%%MatrixMarketing x\n", NULL},
        {"noname.h5", "\x89HDF\r\n\x1a\n", "binsparse"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const char *const path = tsr_test_path(tsr_test_tmp(), cases[c].name);
        const tsr_codec *codec;
        tsr_error err = {0};
        tsr_test_spit(path, cases[c].text, strlen(cases[c].text));
        const tsr_status status = tsr_codec_by_content(&codec, path, &err);
        if (cases[c].codec ? !codec || strcmp(codec->name, cases[c].codec) != 0
                           : codec || status != TSR_UNSUPPORTED || strcmp(err.path, path) != 0)
            fail_msg("case %zu is taken for %s", c, codec ? codec->name : "nothing");
        remove(path);
    }
}

static void test_missing_files(void **state)
{
    (void)state;
    const tsr_codec *codec;
    tsr_data data;
    tsr_error err = {0};
    assert_int_equal(tsr_codec_by_content(&codec, "/no/such.mtx", &err), TSR_IO);
    assert_null(codec);
    assert_int_equal(tsr_read(&data, "/no/such.mtx", NULL, NULL, &err), TSR_IO);
    assert_null(data.coo);
    assert_null(data.tensor);
    assert_string_equal(err.path, "/no/such.mtx");
    assert_int_equal(tsr_read(&data, tsr_test_tmp(), NULL, NULL, &err), TSR_IO);
}

/* A pipe can be read once only: what was peeked at must not be lost. */
static void test_pipes_and_standard_input(void **state)
{
    (void)state;
    int fd[2];
    assert_int_equal(pipe(fd), 0);
    const int stdin_copy = dup(0);
    assert_int_equal(dup2(fd[0], 0), 0);
    for (int c = 0; c < 3; c++) {
        static const char *const paths[] = {"-", "/dev/stdin", "-"};
        tsr_data data;
        const tsr_codec *codec = NULL;
        if (c == 2)
            assert_int_equal(tsr_codec_by_name(&codec, "mtx", NULL), TSR_OK);
        if (c > 0) { /* a new pipe: the one before has ended */
            assert_int_equal(pipe(fd), 0);
            assert_int_equal(dup2(fd[0], 0), 0);
        }
        assert_int_equal(write(fd[1], basic, sizeof basic - 1), sizeof basic - 1);
        close(fd[1]);
        close(fd[0]);
        assert_ok(tsr_read(&data, paths[c], codec, NULL, err));
        assert_int_equal(data.coo->nnz, 1);
        tsr_data_clear(&data);
    }
    dup2(stdin_copy, 0);
    close(stdin_copy);
}

static void test_reading_through_the_wrong_codec(void **state)
{
    (void)state;
    const char *const path = tsr_test_path(tsr_test_tmp(), "basic.mtx");
    const tsr_codec *codec;
    tsr_data data;
    tsr_error err = {0};
    tsr_test_spit(path, basic, sizeof basic - 1);
    assert_int_equal(tsr_codec_by_name(&codec, "tns", NULL), TSR_OK);
    assert_int_equal(tsr_read(&data, path, codec, NULL, &err), TSR_SYNTAX);
    assert_int_equal(tsr_codec_by_name(&codec, "binsparse", NULL), TSR_OK);
    assert_int_not_equal(tsr_read(&data, path, codec, NULL, &err), TSR_OK);
    assert_null(data.coo);
    tsr_read_options options = {0};
    assert_int_equal(tsr_input_open(&options.input, path, 0, NULL, NULL), TSR_OK);
    assert_int_equal(tsr_read(&data, path, codec, &options, &err), TSR_UNSUPPORTED);
    tsr_input_free(options.input);
}

/* Names end with a byte 0: such a byte inside a name was compared beyond the end of other names. */
static void test_name_with_byte_0(void **state)
{
    static const char text[] = "a\0b,x,1\na\0c,x,2\n";
    const char *const path = tsr_test_path(tsr_test_tmp(), "byte0.csv");
    const tsr_read_options options = {.relabel = TSR_RELABEL_EACH};
    tsr_data data = {0};
    tsr_error err = {0};
    (void)state;
    tsr_test_spit(path, text, sizeof text - 1);
    assert_int_equal(tsr_read(&data, path, NULL, &options, &err), TSR_SYNTAX);
    assert_non_null(strstr(err.message, "byte 0"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_suffixes),
        cmocka_unit_test(test_content),
        cmocka_unit_test(test_missing_files),
        cmocka_unit_test(test_pipes_and_standard_input),
        cmocka_unit_test(test_reading_through_the_wrong_codec),
        cmocka_unit_test(test_name_with_byte_0),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
