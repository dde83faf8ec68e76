/* Files: reading, writing, converting, describing. */
#include "door_test.h"

#include <sys/stat.h>

static const char mtx[] =
    "%%MatrixMarket matrix coordinate real general\n3 4 4\n3 4 4\n1 2 1\n1 3 2\n3 1 3\n";

/* Formats in which the matrix is read, written and read back. */
static const struct {
    const char *format, *file, *back; /* back: the format when the file is read as it is; NULL: coo */
} round_trips[] = {
    {"csr", "a.h5", "csr"},
    {"csc", "a.h5", "csc"},
    {"coo", "a.h5", "coo"},
    {"dcsr", "a.h5", "dcsr"},
    {"dense", "a.h5", "dense"},
    {"csr", "a.mtx", NULL},
    {"bcsr(2,2)", "a.h5", "bcsr(2,2)"},
    {"csr", "a.tns", NULL},
    {"csr", "a.mtx.gz", NULL},
    {"csr", "a.npz", "csr"},
    {"dcsc", "a.mtx", NULL},
    {NULL, "a.h5", "coo"},
};

static void test_files_hold_what_was_written(void **state)
{
    (void)state;
    write_file(scratch("in.mtx"), mtx);
    for (int i = 0; i < LENGTH(round_trips); i++) {
        const tessera_read_options as = {.size = sizeof as, .format = round_trips[i].format};
        const char *const out = scratch(round_trips[i].file);
        tessera_tensor *A, *B;
        uint64_t r[4], c[4], *list[] = {r, c};
        double v[4];
        remove(out);
        door_ok(tessera_read(&A, scratch("in.mtx"), &as, ctx));
        assert_string_equal(tessera_tensor_format(A), round_trips[i].format ? round_trips[i].format : "coo");
        door_ok(tessera_write(out, A, NULL, ctx));
        tessera_tensor_free(A);
        door_ok(tessera_read(&B, out, NULL, ctx));
        assert_string_equal(tessera_tensor_format(B), round_trips[i].back ? round_trips[i].back : "coo");
        const tessera_convert_options coo = {.size = sizeof coo, .format = "coo"};
        door_ok(tessera_convert(&A, B, &coo, ctx));
        tessera_tensor_free(B);
        door_ok(tessera_tensor_entries(list, v, A, ctx));
        assert_memory_equal(v, csr_values, sizeof v);
        for (int e = 0; e < 4; e++)
            assert_int_equal(c[e], csr_crd[e]);
        tessera_tensor_free(A);
    }
}

static const struct {
    const char *text, *words;
    tessera_status status;
    uint64_t line, column;
} broken[] = {
    {"%%MatrixMarket matrix coordinate real general\n3 4 1\n1 9 1\n",
     "index 9 of mode 1 is beyond its size 4", TESSERA_RANGE, 3, 0},
    {"%%MatrixMarket matrix coordinate real general\n3 4 1\n1 x 1\n", "x", TESSERA_SYNTAX, 3, 0},
    {"%%MatrixMarket matrix coordinate real general\n3 4 2\n1 1 1\n", "", TESSERA_SYNTAX, 0, 0},
    {"%%MatrixMarket matrix coordinate whole general\n3 4 1\n1 1 1\n", "whole", TESSERA_SYNTAX, 1, 0},
};

static void test_errors_have_a_place(void **state)
{
    (void)state;
    const char *const path = scratch("broken.mtx");
    for (int i = 0; i < LENGTH(broken); i++) {
        tessera_tensor *A;
        write_file(path, broken[i].text);
        const tessera_status status = tessera_read(&A, path, NULL, ctx);
        if (status == TESSERA_OK || !strstr(tessera_context_message(ctx), broken[i].words) ||
            (broken[i].line && tessera_context_line(ctx) != broken[i].line)) {
            print_error("row %d: %s: %s\n", i, tessera_status_text(status), tessera_context_text(ctx));
            fail();
        }
        assert_non_null(strstr(tessera_context_path(ctx), "broken.mtx"));
        assert_non_null(strstr(tessera_context_text(ctx), "broken.mtx:"));
        assert_null(A);
    }
}

static void test_wrong_calls_are_refused(void **state)
{
    (void)state;
    tessera_tensor *A = NULL, *B;
    char *json;
    const char *const in = scratch("in.mtx");
    write_file(in, mtx);
    tessera_read_options read = {.size = sizeof read, .codec = "mxt"};
    tessera_write_options write = {.size = sizeof write, .codec = "mtx", .header = "parti"};
    tessera_info_options info = {.size = sizeof info, .codec = "none"};
    door_fails(tessera_read(&B, "/nowhere/at/all.mtx", NULL, ctx), TESSERA_IO, "No such file");
    door_fails(tessera_read(&B, NULL, NULL, ctx), TESSERA_ARGUMENT, "missing path");
    door_fails(tessera_read(NULL, in, NULL, ctx), TESSERA_ARGUMENT, "missing result");
    door_fails(tessera_read(&B, in, &read, ctx), TESSERA_ARGUMENT, "mxt");
    read = (tessera_read_options){.size = sizeof read, .format = "csq"};
    door_fails(tessera_read(&B, in, &read, ctx), TESSERA_ARGUMENT, "");
    read = (tessera_read_options){.size = sizeof read, .norder = 2};
    door_fails(tessera_read(&B, in, &read, ctx), TESSERA_ARGUMENT, "missing dims");
    read = (tessera_read_options){.size = sizeof read, .norder = 2, .dims = (const uint64_t[]){3, 9}};
    assert_int_not_equal(tessera_read(&B, in, &read, ctx), TESSERA_OK);
    read = (tessera_read_options){.size = sizeof read, .has_type = 1, .type = (tessera_type)-5};
    door_fails(tessera_read(&B, in, &read, ctx), TESSERA_ARGUMENT, "-5 is not a value type");
    A = borrow_csr(ctx);
    door_fails(tessera_write(scratch("x.unknown"), A, NULL, ctx), TESSERA_ARGUMENT, "");
    door_fails(tessera_write(scratch("x.mtx"), A, &write, ctx), TESSERA_ARGUMENT, "header");
    write = (tessera_write_options){.size = sizeof write, .deflate = 10};
    door_fails(tessera_write(scratch("x.h5"), A, &write, ctx), TESSERA_ARGUMENT, "deflate level 10");
    write = (tessera_write_options){.size = sizeof write, .header = "long"};
    door_fails(tessera_write(scratch("x.tns"), A, &write, ctx), TESSERA_ARGUMENT, "unknown header 'long'");
    door_fails(tessera_write(NULL, A, NULL, ctx), TESSERA_ARGUMENT, "missing path");
    door_fails(tessera_write(scratch("x.mtx"), NULL, NULL, ctx), TESSERA_ARGUMENT, "missing tensor");
    door_fails(tessera_write("/nowhere/at/all.mtx", A, NULL, ctx), TESSERA_IO, "/nowhere/at");
    door_fails(tessera_convert_file(NULL, in, NULL, NULL, ctx), TESSERA_ARGUMENT, "missing output");
    door_fails(tessera_info(&json, in, &info, ctx), TESSERA_ARGUMENT, "none");
    door_fails(tessera_info(&json, NULL, NULL, ctx), TESSERA_ARGUMENT, "missing path");
    door_fails(tessera_list(&json, "everything", ctx), TESSERA_ARGUMENT, "unknown list");
    assert_null(json);
    tessera_tensor_free(A);
    struct stat st;
    assert_int_not_equal(stat(scratch("x.mtx"), &st), 0);
}

static void test_files_are_converted(void **state)
{
    (void)state;
    char text[256] = "";
    write_file(scratch("in.mtx"), mtx);
    tessera_read_options read = {.size = sizeof read};
    door_ok(tessera_convert_file(scratch("out.tns"), scratch("in.mtx"), NULL, NULL, ctx));
    FILE *f = fopen(scratch("out.tns"), "r");
    assert_non_null(f);
    assert_true(fread(text, 1, sizeof text - 1, f) > 0);
    fclose(f);
    assert_string_equal(text,
                        "3 4 4.0\n1 2 1.0\n1 3 2.0\n3 1 3.0\n"); /* as it stands in the file: not sorted */
    read.format = "csc";
    read.transform = "transpose=1,0";
    door_ok(tessera_convert_file(scratch("out.h5"), scratch("in.mtx"), &read, NULL, ctx));
    tessera_tensor *A;
    door_ok(tessera_read(&A, scratch("out.h5"), NULL, ctx));
    assert_string_equal(tessera_tensor_format(A), "csc");
    assert_int_equal(tessera_tensor_dims(A)[0], 4);
    tessera_tensor_free(A);
}

static void test_symmetry_and_bases(void **state)
{
    (void)state;
    tessera_tensor *A;
    tessera_read_options read = {.size = sizeof read, .keep_symmetry = 1};
    write_file(scratch("s.mtx"), "%%MatrixMarket matrix coordinate integer symmetric\n2 2 2\n1 1 5\n2 1 7\n");
    door_ok(tessera_read(&A, scratch("s.mtx"), &read, ctx));
    assert_int_equal(tessera_tensor_structure(A), TESSERA_SYMMETRIC_LOWER);
    assert_int_equal(tessera_tensor_nnz(A), 2);
    tessera_tensor_free(A);
    read = (tessera_read_options){.size = sizeof read, .format = "csr", .has_type = 1, .type = TESSERA_F32};
    door_ok(tessera_read(&A, scratch("s.mtx"), &read, ctx));
    assert_int_equal(tessera_tensor_nnz(A), 3);
    assert_int_equal(tessera_tensor_type(A), TESSERA_F32);
    tessera_tensor_free(A);
    write_file(scratch("z.tns"), "0 0 5\n1 2 7\n");
    read = (tessera_read_options){.size = sizeof read, .index_base = -1, .norder = 2, .dims = csr_dims};
    door_ok(tessera_read(&A, scratch("z.tns"), &read, ctx));
    assert_memory_equal(tessera_tensor_dims(A), csr_dims, sizeof csr_dims);
    tessera_tensor_free(A);
}

/* The names of mode m as one text, "r0 r1 r2"; "-": none. */
static const char *labels_of(const tessera_tensor *tensor, int m)
{
    static char out[200];
    uint64_t nbytes;
    const char *const text = tessera_tensor_labels(&nbytes, tensor, m);
    out[0] = '\0';
    for (uint64_t at = 0, i = 0; at < nbytes; at += strlen(text + at) + 1, i++) {
        assert_ptr_equal(tessera_tensor_label(tensor, m, i), text + at);
        snprintf(out + strlen(out), sizeof out - strlen(out), "%s%s", i ? " " : "", text + at);
    }
    return text ? out : "-";
}

/* Options of single file formats; those that the file's format lacks are refused. */
static void test_codec_options(void **state)
{
    static const char *const fields[] = {"separator=semicolon", "relabel", NULL};
    static const char *const wrong[] = {"mat-version=7.3", NULL}, *const unknown[] = {"colour=red", NULL};
    static const char *const zero[] = {"index-base=0", NULL};
    static const struct {
        const char *const *options;
        const char *file, *words; /* words: of the error; NULL: it is written */
    } rows[] = {
        {zero, "base.tns", NULL},
        {wrong, "a.mat", NULL},
        {wrong, "a.tns", "mat-version is for mat files, not for tns"},
        {unknown, "a.tns", "no file format has the option 'colour'"},
    };
    tessera_read_options read = {.size = sizeof read, .codec_options = fields};
    tessera_tensor *A;
    (void)state;
    write_file(scratch("names.csv"), "ann;x;1\nbob;y;2\n");
    door_ok(tessera_read(&A, scratch("names.csv"), &read, ctx));
    assert_string_equal(tessera_tensor_label(A, 0, 1), "bob");
    for (int i = 0; i < LENGTH(rows); i++) {
        const tessera_write_options write = {.size = sizeof write, .codec_options = rows[i].options};
        const tessera_status status = tessera_write(scratch(rows[i].file), A, &write, ctx);
        assert_int_equal(status, rows[i].words ? TESSERA_ARGUMENT : TESSERA_OK);
        if (rows[i].words)
            assert_non_null(strstr(tessera_context_message(ctx), rows[i].words));
    }
    tessera_tensor_free(A);
    read.codec_options = zero;
    door_ok(tessera_read(&A, scratch("base.tns"), &read, ctx));
    assert_int_equal(tessera_tensor_dims(A)[0], 2);
    tessera_tensor_free(A);
    read.codec_options = wrong; /* only the content shows that this is a .tns */
    assert_int_equal(tessera_read(&A, scratch("base.tns"), &read, ctx), TESSERA_ARGUMENT);
    read.codec_options = fields;
    assert_int_equal(tessera_read(&A, scratch("base.tns"), &read, ctx), TESSERA_ARGUMENT);
}

static void test_labels_go_with_their_indices(void **state)
{
    (void)state;
    static const char *const rows[] = {"r0", "r1", "r2"}, *const columns[] = {"c0", "c1", "", "c3"};
    static const struct {
        const char *format, *transform, *rows, *columns;
    } conversions[] = {
        {"csr", NULL, "r0 r1 r2", "c0 c1  c3"},
        {"csc", NULL, "r0 r1 r2", "c0 c1  c3"},
        {"bcsr(2,2)", NULL, "r0 r1 r2", "c0 c1  c3"},
        {NULL, "transpose=1,0", "c0 c1  c3", "r0 r1 r2"},
        {"coo", "slice=1:3,2:4", "r1 r2", " c3"},
        {"coo", "slice=1:3,1", "r1 r2", NULL}, /* of a slice without entries they once were lost */
        {"coo", "slice=1:,::-2", "r1 r2", "c3 c1"},
        {"csr", "slice=::2,:; reverse=0", "r2 r0", "c0 c1  c3"},
        {"d", "reduce=sum:0", "c0 c1  c3", NULL},
    };
    static const char *const files[] = {"labels.h5ad", "labels.h5"};
    const tessera_read_options csr = {.size = sizeof csr, .format = "csr"};
    tessera_tensor *A = borrow_csr(ctx), *B;
    assert_string_equal(labels_of(A, 0), "-");
    door_ok(tessera_tensor_set_labels(A, 0, rows, 3, ctx));
    assert_string_equal(labels_of(A, 0), "r0 r1 r2");
    assert_string_equal(labels_of(A, 1), "-");
    door_ok(tessera_tensor_set_labels(A, 1, columns, 4, ctx));
    for (int i = 0; i < LENGTH(conversions); i++) {
        const tessera_convert_options how = {
            .size = sizeof how, .format = conversions[i].format, .transform = conversions[i].transform};
        door_ok(tessera_convert(&B, A, &how, ctx));
        assert_string_equal(labels_of(B, 0), conversions[i].rows);
        assert_string_equal(labels_of(B, 1), conversions[i].columns ? conversions[i].columns : "-");
        tessera_tensor_free(B);
    }
    for (int i = 0; i < LENGTH(files); i++) {
        door_ok(tessera_write(scratch(files[i]), A, NULL, ctx));
        assert_int_equal(tessera_context_nwarnings(ctx), 0);
        door_ok(tessera_read(&B, scratch(files[i]), &csr, ctx));
        assert_string_equal(labels_of(B, 0), "r0 r1 r2");
        assert_string_equal(labels_of(B, 1), "c0 c1  c3");
        tessera_tensor_free(B);
    }
    door_ok(tessera_convert_file(scratch("again.h5"), scratch("labels.h5ad"), &csr, NULL, ctx));
    door_ok(tessera_read(&B, scratch("again.h5"), NULL, ctx));
    assert_string_equal(labels_of(B, 1), "c0 c1  c3");
    tessera_tensor_free(B);
    door_ok(tessera_write(scratch("labels.mtx"), A, NULL, ctx));
    assert_int_equal(tessera_context_nwarnings(ctx), 1);
    assert_non_null(
        strstr(tessera_context_warning(ctx, 0), "mtx files cannot store names of rows and columns"));
    door_ok(tessera_tensor_set_labels(A, 0, NULL, 0, ctx));
    assert_string_equal(labels_of(A, 0), "-");
    assert_string_equal(labels_of(A, 1), "c0 c1  c3");
    tessera_tensor_free(A);
}

static void test_wrong_labels_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "b", NULL};
    tessera_tensor *A = borrow_csr(ctx);
    door_fails(tessera_tensor_set_labels(NULL, 0, names, 3, ctx), TESSERA_ARGUMENT, "missing tensor");
    door_fails(tessera_tensor_set_labels(A, 2, names, 3, ctx), TESSERA_ARGUMENT, "mode 2 does not exist");
    door_fails(tessera_tensor_set_labels(A, -1, names, 3, ctx), TESSERA_ARGUMENT, "mode -1 does not exist");
    door_fails(tessera_tensor_set_labels(A, 0, names, 2, ctx), TESSERA_ARGUMENT,
               "2 labels for mode 0, whose size is 3");
    door_fails(tessera_tensor_set_labels(A, 0, names, 3, ctx), TESSERA_ARGUMENT, "label 2 is NULL");
    assert_null(tessera_tensor_labels(NULL, A, 0));
    assert_null(tessera_tensor_labels(NULL, A, 7));
    assert_null(tessera_tensor_labels(NULL, NULL, 0));
    assert_null(tessera_tensor_label(A, 0, 0));
    tessera_tensor_free(A);
}

static void test_files_are_described(void **state)
{
    (void)state;
    char *json;
    write_file(scratch("in.mtx"), mtx);
    tessera_info_options options = {.size = sizeof options, .brief = 1};
    door_ok(tessera_info(&json, scratch("in.mtx"), &options, ctx));
    assert_non_null(strstr(json, "\"codec\": \"mtx\""));
    assert_non_null(strstr(json, "\"dims\": [3, 4]"));
    tessera_text_free(json);
    options = (tessera_info_options){.size = sizeof options, .fibers = 1, .exact = 1};
    door_ok(tessera_info(&json, scratch("in.mtx"), &options, ctx));
    assert_non_null(strstr(json, "\"fibers\""));
    assert_null(strstr(json, "\"formats\""));
    tessera_text_free(json);
    static const char *const lists[][2] = {{"formats", "\"csr\""},    {"codecs", "\"suffixes\": [\".mtx\""},
                                           {"types", "\"f64\""},      {"kernels", "["},
                                           {"notations", "\"mlir\""}, {"semirings", "\"min-plus\""}};
    for (int i = 0; i < LENGTH(lists); i++) {
        door_ok(tessera_list(&json, lists[i][0], ctx));
        assert_non_null(strstr(json, lists[i][1]));
        tessera_text_free(json);
    }
}

/* A part of a file: rows, which csr has in one place, and columns. */
static void test_parts_are_read(void **state)
{
    (void)state;
    static const double want[3][2] = {{4, 3}, {0, 0}, {4, 3}};
    tessera_tensor *A, *B;
    const tessera_read_options csr = {.size = sizeof csr, .format = "csr"};
    write_file(scratch("in.mtx"), mtx);
    door_ok(tessera_read(&A, scratch("in.mtx"), &csr, ctx));
    const char *const path = scratch("parts.h5");
    door_ok(tessera_write(path, A, NULL, ctx));
    const tessera_read_options some = {.size = sizeof some, .select = "-1,0,-1; 3,0"};
    door_ok(tessera_read(&B, path, &some, ctx));
    door_ok(tessera_tensor_check(B, ctx));
    assert_string_equal(tessera_tensor_format(B), "csr");
    uint64_t row[4], column[4], *const crd[] = {row, column};
    double v[4];
    assert_int_equal(tessera_tensor_nnz(B), 4);
    door_ok(tessera_tensor_entries(crd, v, B, ctx));
    for (int e = 0; e < 4; e++)
        assert_true(v[e] == want[row[e]][column[e]]);
    tessera_tensor_free(B);
    const tessera_read_options wrong = {.size = sizeof wrong, .select = "0; 0; 0"};
    assert_int_equal(tessera_read(&B, path, &wrong, ctx), TESSERA_ARGUMENT);
    assert_null(B);
    tessera_tensor_free(A);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files_hold_what_was_written),
        cmocka_unit_test(test_errors_have_a_place),
        cmocka_unit_test(test_wrong_calls_are_refused),
        cmocka_unit_test(test_files_are_converted),
        cmocka_unit_test(test_symmetry_and_bases),
        cmocka_unit_test(test_files_are_described),
        cmocka_unit_test(test_codec_options),
        cmocka_unit_test(test_parts_are_read),
        cmocka_unit_test(test_labels_go_with_their_indices),
        cmocka_unit_test(test_wrong_labels_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
