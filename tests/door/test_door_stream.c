/* Reading from memory and through functions, writing through functions: every kind of file, and functions that lie. */
#include "door_test.h"

/* ---- the caller's functions ---- */

typedef struct bytes {
    unsigned char *data;
    size_t n, room;
} bytes;

static int append(void *user, const void *more, size_t n)
{
    bytes *const b = user;
    assert_true(n > 0);
    if (b->n + n > b->room) {
        b->room = 2 * (b->n + n);
        b->data = realloc(b->data, b->room);
        assert_non_null(b->data);
    }
    memcpy(b->data + b->n, more, n);
    b->n += n;
    return 0;
}

enum fault { HONEST, FAILS, BOASTS, CANCELS };

/* A function that reads `from`, at most `step` bytes at a time, and then does what `fault` says. */
typedef struct giver {
    const bytes *from;
    size_t step;
    enum fault fault;
    uint64_t after; /* bytes before the fault */
    uint64_t at;
    int ncalls;
} giver;

static int64_t give(void *user, uint64_t offset, void *out, size_t room)
{
    giver *const g = user;
    assert_true(room > 0);
    assert_true(offset == g->at); /* in sequence */
    g->ncalls++;
    if (g->fault != HONEST && offset >= g->after) {
        if (g->fault == CANCELS)
            tessera_context_cancel(ctx);
        return g->fault == BOASTS ? (int64_t)room + 1 : g->fault == FAILS ? -1 : 0;
    }
    size_t n = g->from->n - (size_t)offset;
    n = n < room ? n : room;
    n = n < g->step ? n : g->step;
    memcpy(out, g->from->data + offset, n);
    g->at += n;
    return (int64_t)n;
}

static void load(bytes *b, const char *path)
{
    unsigned char block[4096];
    FILE *const f = fopen(path, "rb");
    assert_non_null(f);
    b->n = 0;
    for (size_t n; (n = fread(block, 1, sizeof block, f)) > 0;)
        append(b, block, n);
    fclose(f);
}

/* A matrix of n x n with about 3 n entries. */
static tessera_tensor *make(uint64_t n)
{
    const uint64_t dims[2] = {n, n};
    uint64_t *const i = malloc(2 * n * sizeof *i), *const j = malloc(2 * n * sizeof *j);
    double *const v = malloc(2 * n * sizeof *v);
    for (uint64_t k = 0; k < 2 * n; k++) {
        i[k] = k % n;
        j[k] = (k * 7 + k / n) % n;
        v[k] = (double)k + 0.5;
    }
    const tessera_array crd[2] = {{.data = i, .n = 2 * n, .type = TESSERA_U64},
                                  {.data = j, .n = 2 * n, .type = TESSERA_U64}};
    const tessera_entries entries = {.size = sizeof entries,
                                     .order = 2,
                                     .dims = dims,
                                     .nnz = 2 * n,
                                     .crd = crd,
                                     .values = {.data = v, .n = 2 * n, .type = TESSERA_F64}};
    const tessera_pack_options csr = {.size = sizeof csr, .format = "csr"};
    tessera_tensor *A = NULL;
    door_ok(tessera_pack(&A, &entries, &csr, ctx));
    free(i);
    free(j);
    free(v);
    return A;
}

static void same(const tessera_tensor *A, const tessera_tensor *B)
{
    const uint64_t n = tessera_tensor_nnz(A);
    assert_int_equal(tessera_tensor_nnz(B), n);
    uint64_t *crd[4];
    double *const a = malloc((size_t)n * sizeof *a), *const b = malloc((size_t)n * sizeof *b);
    for (int m = 0; m < 4; m++)
        crd[m] = malloc((size_t)n * sizeof *crd[m]);
    door_ok(tessera_tensor_entries((uint64_t *const[]){crd[0], crd[1]}, a, A, ctx));
    door_ok(tessera_tensor_entries((uint64_t *const[]){crd[2], crd[3]}, b, B, ctx));
    assert_memory_equal(a, b, (size_t)n * sizeof *a);
    for (int m = 0; m < 2; m++)
        assert_memory_equal(crd[m], crd[m + 2], (size_t)n * sizeof *crd[m]);
    for (int m = 0; m < 4; m++)
        free(crd[m]);
    free(a);
    free(b);
}

/* ---- every kind of file ---- */

static const char *const names[] = {"x.mtx",  "x.mtx.gz", "x.tns",      "x.tns.gz", "x.csv", "x.npz", "x.h5",
                                    "x.h5ad", "x.mat",    "x.zarr.zip", "x.rds",    "x.bin", "x.smtx"};

/* Written through a function, the bytes are those of the file; read from memory and through functions, they are the tensor. */
static void test_every_kind(void **state)
{
    (void)state;
    static const size_t steps[] = {1000000000, 1000};
    const tessera_read_options csr = {.size = sizeof csr, .format = "csr"};
    int done = 0;
    tessera_tensor *const A = make(3000); /* more than the bytes that tell the kind */
    for (int k = 0; k < LENGTH(names); k++) {
        bytes file = {0}, out = {0};
        tessera_tensor *B;
        const char *const path = scratch(names[k]);
        const tessera_status written = tessera_write(path, A, NULL, ctx);
        const tessera_sink sink = {.size = sizeof sink, .write = append, .user = &out, .name = names[k]};
        assert_int_equal(tessera_write_sink(&sink, A, NULL, ctx), written);
        if (written != TESSERA_OK)
            continue; /* a build without that library */
        load(&file, path);
        if (file.n != out.n) /* files with the time in them have one length */
            fail_msg("%s: %zu bytes, %zu through a function", names[k], file.n, out.n);
        tessera_source source = {.size = sizeof source, .data = out.data, .nbytes = out.n, .name = names[k]};
        door_ok(tessera_read_source(&B, &source, &csr, ctx));
        same(A, B);
        tessera_tensor_free(B);
        for (int s = 0; s < 4; s++) {
            giver g = {.from = &out, .step = steps[s % 2]};
            source = (tessera_source){.size = sizeof source, .read = give, .user = &g, .name = names[k]};
            source.nbytes = s < 2 ? 0 : out.n;
            door_ok(tessera_read_source(&B, &source, &csr, ctx));
            same(A, B);
            tessera_tensor_free(B);
            assert_int_equal(g.at, out.n);
        }
        free(file.data);
        free(out.data);
        done++;
    }
    assert_true(done >= 5);
    tessera_tensor_free(A);
}

/* ---- names ---- */

static void test_names_and_objects(void **state)
{
    (void)state;
    tessera_tensor *A = make(10), *B;
    bytes out = {0};
    tessera_sink sink = {.size = sizeof sink, .write = append, .user = &out};
    door_fails(tessera_write_sink(&sink, A, NULL, ctx), TESSERA_ARGUMENT, "suffix");
    const tessera_write_options mtx = {.size = sizeof mtx, .codec = "mtx"};
    door_ok(tessera_write_sink(&sink, A, &mtx, ctx));
    tessera_source source = {.size = sizeof source, .data = out.data, .nbytes = out.n};
    door_ok(tessera_read_source(&B, &source, NULL, ctx)); /* by content */
    same(A, B);
    tessera_tensor_free(B);
    source.nbytes = out.n - 8; /* inside the last line but one */
    source.name = "half.mtx";
    assert_int_not_equal(tessera_read_source(&B, &source, NULL, ctx), TESSERA_OK);
    assert_null(B);
    assert_string_equal(tessera_context_path(ctx), "half.mtx");
    const char junk[] = "PK\3\4 not an archive";
    source =
        (tessera_source){.size = sizeof source, .data = junk, .nbytes = sizeof junk, .name = "dir/junk.npz"};
    assert_int_not_equal(tessera_read_source(&B, &source, NULL, ctx), TESSERA_OK);
    assert_null(strstr(tessera_context_text(ctx), "tessera-")); /* not the temporary file */
    assert_non_null(strstr(tessera_context_text(ctx), "dir/junk.npz"));
    source = (tessera_source){.size = sizeof source, .data = "", .nbytes = 0, .name = "empty.mtx"};
    assert_int_not_equal(tessera_read_source(&B, &source, NULL, ctx), TESSERA_OK);
    free(out.data);
    tessera_tensor_free(A);
}

static void test_wrong_calls(void **state)
{
    (void)state;
    tessera_tensor *A = make(3), *B;
    const tessera_source nothing = {.size = sizeof nothing};
    const tessera_source both = {.size = sizeof both, .data = "x", .nbytes = 1, .read = give};
    const tessera_sink no_function = {.size = sizeof no_function, .name = "x.mtx"};
    bytes out = {0};
    const tessera_sink folder = {.size = sizeof folder, .write = append, .user = &out, .name = "x.zarr"};
    door_fails(tessera_read_source(&B, NULL, NULL, ctx), TESSERA_ARGUMENT, "source");
    door_fails(tessera_read_source(&B, &nothing, NULL, ctx), TESSERA_ARGUMENT, "neither");
    door_fails(tessera_read_source(&B, &both, NULL, ctx), TESSERA_ARGUMENT, "one of them");
    door_fails(tessera_write_sink(&no_function, A, NULL, ctx), TESSERA_ARGUMENT, "function");
    door_fails(tessera_write_sink(NULL, A, NULL, ctx), TESSERA_ARGUMENT, "sink");
    const tessera_status refused = tessera_write_sink(&folder, A, NULL, ctx);
    assert_true(refused == TESSERA_UNSUPPORTED ||
                refused == TESSERA_ARGUMENT); /* without HDF5, no such kind */
    assert_int_equal(out.n, 0);
    tessera_tensor_free(A);
}

/* ---- functions that fail or lie ---- */

static void try_faults(const char *name, const tessera_tensor *A)
{
    static const char *const words[] = {"", "cannot read after", "says that it read", "cancelled"};
    bytes out = {0};
    tessera_tensor *B;
    const tessera_sink sink = {.size = sizeof sink, .write = append, .user = &out, .name = name};
    if (tessera_write_sink(&sink, A, NULL, ctx) != TESSERA_OK)
        return;
    for (int fault = FAILS; fault <= CANCELS; fault++)
        for (uint64_t after = 0; after <= out.n; after += out.n / 3) {
            giver g = {.from = &out, .step = 5000, .fault = (enum fault)fault, .after = after};
            const tessera_source source = {.size = sizeof source, .read = give, .user = &g, .name = name};
            door_fails(tessera_read_source(&B, &source, NULL, ctx),
                       fault == CANCELS ? TESSERA_CANCELLED : TESSERA_IO, words[fault]);
            assert_null(B);
            tessera_context_reset(ctx);
        }
    static const int lies[] = {-1, 1, 1000};
    for (int k = 0; k < LENGTH(lies); k++) {
        giver g = {.from = &out, .step = 5000};
        const tessera_source source = {.size = sizeof source,
                                       .read = give,
                                       .user = &g,
                                       .nbytes = (uint64_t)((int64_t)out.n + lies[k]),
                                       .name = name};
        door_fails(tessera_read_source(&B, &source, NULL, ctx), TESSERA_IO, "announced");
        assert_null(B);
    }
    free(out.data);
}

static void test_functions_that_lie(void **state)
{
    (void)state;
    tessera_tensor *const A = make(4000);
    try_faults("x.mtx", A);
    try_faults("x.tns.gz", A);
    try_faults("x.npz", A);
    try_faults("x.h5", A);
    tessera_tensor_free(A);
}

/* ---- functions that give any byte ---- */

/* As `give`, but at any place; g->at counts the bytes. */
static int64_t give_any(void *user, uint64_t offset, void *out, size_t room)
{
    giver *const g = user;
    const uint64_t asked = g->at;
    g->at = offset;
    if (g->fault != HONEST && asked < g->after) { /* not yet */
        const giver all = *g;
        g->fault = HONEST;
        const int64_t n = give(g, offset, out, room);
        g->fault = all.fault;
        g->at = asked + (uint64_t)n;
        return n;
    }
    g->after = 0;
    const int64_t n = give(g, offset, out, room);
    g->at = asked + (n > 0 ? (uint64_t)n : 0);
    return n;
}

static tessera_source any_place(giver *g, const char *name)
{
    return (tessera_source){.size = sizeof(tessera_source),
                            .read = give_any,
                            .user = g,
                            .nbytes = g->from->n,
                            .name = name,
                            .random = 1};
}

/* Of HDF5 and archives only what is read is asked for, each byte once; of other kinds all. */
static void test_any_place(void **state)
{
    (void)state;
    static const char *const kinds[] = {"x.h5", "x.npz", "x.mtx.gz"};
    const tessera_read_options part = {.size = sizeof part, .select = "70:90; :", .format = "csr"},
                               csr = {.size = sizeof csr, .format = "csr"};
    tessera_tensor *const A = make(200000);
    for (int k = 0; k < LENGTH(kinds); k++) {
        bytes out = {0};
        tessera_tensor *B;
        const tessera_sink sink = {.size = sizeof sink, .write = append, .user = &out, .name = kinds[k]};
        if (tessera_write_sink(&sink, A, NULL, ctx) != TESSERA_OK)
            continue;
        giver g = {.from = &out, .step = 100000};
        tessera_source source = any_place(&g, kinds[k]);
        door_ok(tessera_read_source(&B, &source, &csr, ctx));
        same(A, B);
        tessera_tensor_free(B);
        assert_true(g.at <= out.n);
        g.at = 0;
        door_ok(tessera_read_source(&B, &source, &part, ctx));
        assert_int_equal(tessera_tensor_nnz(B), 40);
        tessera_tensor_free(B);
        if (k < 2)
            assert_true(out.n > 2000000 && g.at < out.n / 10);
        free(out.data);
    }
    tessera_tensor_free(A);
}

static void test_any_place_faults(void **state)
{
    (void)state;
    static const char *const words[] = {"ends after", "cannot read after", "says that it read", "cancelled"};
    tessera_tensor *const A = make(20000), *B;
    bytes out = {0};
    const tessera_sink sink = {.size = sizeof sink, .write = append, .user = &out, .name = "x.h5"};
    if (tessera_write_sink(&sink, A, NULL, ctx) != TESSERA_OK)
        skip();
    for (int fault = FAILS; fault <= CANCELS; fault++)
        for (uint64_t after = 0; after < out.n; after += 1 + out.n / 5) {
            giver g = {.from = &out, .step = 5000, .fault = (enum fault)fault, .after = after};
            const tessera_source source = any_place(&g, "x.h5");
            door_fails(tessera_read_source(&B, &source, NULL, ctx),
                       fault == CANCELS ? TESSERA_CANCELLED : TESSERA_IO, words[fault]);
            assert_null(B);
            assert_null(strstr(tessera_context_text(ctx), "tessera-")); /* not the temporary file */
            tessera_context_reset(ctx);
        }
    giver g = {.from = &out, .step = 5000};
    tessera_source source = any_place(&g, "x.h5");
    source.nbytes -= 1000; /* a file that has grown: HDF5 knows its own end */
    assert_int_not_equal(tessera_read_source(&B, &source, NULL, ctx), TESSERA_OK);
    source.nbytes = 0;
    door_fails(tessera_read_source(&B, &source, NULL, ctx), TESSERA_ARGUMENT, "number of bytes");
    free(out.data);
    tessera_tensor_free(A);
}

/* Files of a folder on the disk, until the fault comes in the n-th call. */
typedef struct shelf {
    const char *folder;
    enum fault fault;
    int ncalls, after;
    size_t step;
} shelf;

static int64_t give_member(void *user, const char *member, uint64_t offset, void *out, size_t room)
{
    shelf *const s = user;
    char path[4096];
    assert_true(room > 0);
    if (s->fault != HONEST && s->ncalls++ >= s->after) {
        if (s->fault == CANCELS)
            tessera_context_cancel(ctx);
        return s->fault == BOASTS ? (int64_t)room + 1 : s->fault == FAILS ? -1 : 0;
    }
    snprintf(path, sizeof path, "%s/%s", s->folder, member);
    FILE *const f = fopen(path, "rb");
    if (!f)
        return -2;
    assert_int_equal(fseek(f, (long)offset, SEEK_SET), 0);
    const size_t n = fread(out, 1, room < s->step ? room : s->step, f);
    fclose(f);
    return (int64_t)n;
}

static void test_folder(void **state)
{
    (void)state;
    static const char *const words[] = {"", "cannot read '", "says that it read", "cancelled"};
    const tessera_info_options brief = {.size = sizeof brief, .brief = 1};
    tessera_tensor *const A = make(2000), *B;
    char folder[4096], *json, *expected;
    snprintf(folder, sizeof folder, "%s", scratch("x.zarr"));
    if (tessera_write(folder, A, NULL, ctx) != TESSERA_OK) /* a build without Zarr */
        skip();
    shelf s = {.folder = folder, .step = 3000};
    tessera_source source = {
        .size = sizeof source, .get = give_member, .user = &s, .name = folder, .object = "X"};
    door_ok(tessera_read_source(&B, &source, NULL, ctx));
    same(A, B);
    tessera_tensor_free(B);
    for (int fault = FAILS; fault <= CANCELS; fault++)
        for (int after = 0; after < 20; after += 4) {
            s = (shelf){.folder = folder, .step = 3000, .fault = (enum fault)fault, .after = after};
            door_fails(tessera_read_source(&B, &source, NULL, ctx),
                       fault == CANCELS ? TESSERA_CANCELLED : TESSERA_IO, words[fault]);
            assert_null(B);
            tessera_context_reset(ctx);
        }
    s = (shelf){.folder = folder, .step = 100};
    source.object = NULL;
    door_ok(tessera_info_source(&json, &source, &brief, ctx));
    door_ok(tessera_info(&expected, folder, &brief, ctx));
    assert_string_equal(json, expected);
    tessera_text_free(json);
    tessera_text_free(expected);
    s.folder = "/nowhere";
    door_fails(tessera_info_source(&json, &source, &brief, ctx), TESSERA_UNSUPPORTED, "without a Zarr group");
    assert_null(json);
    source.data = "x";
    door_fails(tessera_read_source(&B, &source, NULL, ctx), TESSERA_ARGUMENT, "one of them");
    tessera_tensor_free(A);
}

/* Fails, or asks to cancel, after some bytes. */
typedef struct taker {
    uint64_t n, after;
    int cancels;
} taker;

static int take(void *user, const void *more, size_t n)
{
    taker *const t = user;
    (void)more;
    t->n += n;
    if (t->n <= t->after)
        return 0;
    if (t->cancels)
        tessera_context_cancel(ctx);
    return !t->cancels;
}

static void test_functions_that_do_not_take(void **state)
{
    (void)state;
    static const char *const kinds[] = {"x.mtx", "x.tns.gz", "x.npz"};
    tessera_tensor *const A = make(200000);
    for (int k = 0; k < LENGTH(kinds); k++)
        for (int cancels = 0; cancels < 2; cancels++)
            for (uint64_t after = 0; after <= 1000000; after += 1000000) {
                taker t = {.after = after, .cancels = cancels};
                const tessera_sink sink = {.size = sizeof sink, .write = take, .user = &t, .name = kinds[k]};
                door_fails(tessera_write_sink(&sink, A, NULL, ctx), cancels ? TESSERA_CANCELLED : TESSERA_IO,
                           cancels ? "cancelled" : "cannot write after");
                tessera_context_reset(ctx);
            }
    tessera_tensor_free(A);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind),  cmocka_unit_test(test_names_and_objects),
        cmocka_unit_test(test_wrong_calls), cmocka_unit_test(test_functions_that_lie),
        cmocka_unit_test(test_any_place),   cmocka_unit_test(test_any_place_faults),
        cmocka_unit_test(test_folder),      cmocka_unit_test(test_functions_that_do_not_take),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
