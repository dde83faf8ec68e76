/* The parts of a fetch that need no network: SHA-256, the tar reader, unpacking. */
#include <unistd.h>

#include <zlib.h>

#include "fetch_internal.h"
#include "tar_reader.h"
#include "tsr_test.h"

/* ---- SHA-256 ---- */

static void test_sha256(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int times;
        const char *want;
    } cases[] = {
        /* FIPS 180-4's examples (NIST, "SHA-256 examples") */
        {"", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sha256 s;
        char got[SHA256_TEXT_NBYTES];
        sha256_init(&s);
        for (int k = 0; k < cases[i].times; k++)
            sha256_add(&s, cases[i].text, strlen(cases[i].text));
        sha256_text(got, &s);
        assert_string_equal(got, cases[i].want);
    }
}

/* However a text is cut, its digest is the same. */
static void test_sha256_cuts(void **state)
{
    (void)state;
    tsr_rng rng = {1};
    char text[300];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)tsr_rng_next(&rng);
    for (size_t n = 0; n <= sizeof text; n++) {
        sha256 whole, parts;
        char a[SHA256_TEXT_NBYTES], b[SHA256_TEXT_NBYTES];
        sha256_init(&whole);
        sha256_init(&parts);
        sha256_add(&whole, text, n);
        for (size_t at = 0, step; at < n; at += step) {
            step = (size_t)tsr_rng_below(&rng, n - at) + 1;
            sha256_add(&parts, text + at, step);
        }
        sha256_text(a, &whole);
        sha256_text(b, &parts);
        assert_string_equal(a, b);
    }
}

/* ---- tar ---- */

enum { ROOM = 64 * 512 };

typedef struct archive {
    char bytes[ROOM];
    size_t n, at;   /* bytes; read so far */
    char out[ROOM]; /* what was extracted */
    size_t nout;
} archive;

static tsr_status read_archive(void *ctx, size_t *got, void *out, size_t n, tsr_error *err)
{
    (void)err;
    archive *const a = ctx;
    *got = n < a->n - a->at ? n : a->n - a->at;
    memcpy(out, a->bytes + a->at, *got);
    a->at += *got;
    return TSR_OK;
}

static tsr_status write_out(void *ctx, const void *bytes, size_t n, tsr_error *err)
{
    archive *const a = ctx;
    if (n > ROOM - a->nout)
        return tsr_fail(err, TSR_LIMIT, "too much");
    memcpy(a->out + a->nout, bytes, n);
    a->nout += n;
    return TSR_OK;
}

static void set_sum(char *h)
{
    unsigned sum = 0;
    memset(h + 148, ' ', 8);
    for (int i = 0; i < 512; i++)
        sum += (unsigned char)h[i];
    snprintf(h + 148, 8, "%06o", sum);
}

static void add_entry(archive *a, char kind, const char *name, const char *text)
{
    char *const h = a->bytes + a->n;
    const size_t n = strlen(text);
    memset(h, 0, 512);
    snprintf(h, 100, "%s", name);
    snprintf(h + 124, 12, "%011o", (unsigned)n);
    h[156] = kind;
    memcpy(h + 257, "ustar", 6);
    set_sum(h);
    memset(h + 512, 0, (n + 511) / 512 * 512);
    memcpy(h + 512, text, n);
    a->n += 512 + (n + 511) / 512 * 512;
}

static void end_archive(archive *a)
{
    memset(a->bytes + a->n, 0, 1024);
    a->n += 1024;
}

static tsr_status extract(archive *a, bool *found, const char *name, tsr_error *err)
{
    const tar_io io = {.ctx = a, .read = read_archive, .write = write_out};
    a->at = a->nout = 0;
    return tar_extract(found, &io, name, "x.tar.gz", err);
}

static void test_tar(void **state)
{
    (void)state;
    static archive a;
    bool found;
    static char big[2000];
    memset(big, 'b', sizeof big - 1);
    a.n = 0;
    add_entry(&a, '5', "cant/", "");
    add_entry(&a, '0', "cant/cant_b.mtx", "another");
    add_entry(&a, '2', "cant/cant.mtx", ""); /* a link of that name */
    add_entry(&a, '0', "cant/xcant.mtx", "longer");
    add_entry(&a, '0', "../../cant.mtx", "yes"); /* the name is only compared */
    add_entry(&a, '0', "cant/cant.mtx", "second");
    add_entry(&a, 'L', "././@LongLink", "some/folder/long.mtx");
    add_entry(&a, '0', "cut.mtx", big);
    add_entry(&a, 'x', "pax", "11 foo=bar\n26 path=a/b/c/pax.mtx\n\n");
    add_entry(&a, '0', "cut.mtx", "by pax");
    add_entry(&a, '0', "empty", "");
    end_archive(&a);
    static const struct {
        const char *name, *text;
    } cases[] = {
        {"cant.mtx", "yes"}, {"long.mtx", big}, {"pax.mtx", "by pax"}, {"empty", ""}, {"xcant.mtx", "longer"},
        {"none.mtx", NULL},  {"cut.mtx", NULL}, {"cant", NULL},        {"", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_ok(extract(&a, &found, cases[i].name, err));
        assert_int_equal(found, cases[i].text != NULL);
        if (found) {
            assert_int_equal(a.nout, strlen(cases[i].text));
            assert_memory_equal(a.out, cases[i].text, a.nout);
        }
    }
}

static void test_broken_tar(void **state)
{
    (void)state;
    static const struct {
        const char *field; /* put at */
        int at;
        const char *sentence;
        tsr_status status;
        int no_sum;
    } cases[] = {
        {"x", 0, "a header with a bad checksum ends at byte 512 of the tar archive", TSR_CORRUPT, 1},
        {"00000009999", 124, "a header with a bad size ends at byte 512 of the tar archive", TSR_CORRUPT, 0},
        {"77777777777", 124, "unexpected end at byte 2048 of the tar archive", TSR_CORRUPT, 0},
        {"\x80\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f", 124,
         "a header with a bad size ends at byte 512 of the tar archive", TSR_CORRUPT, 0},
        {"L", 156, "unexpected end at byte 2048 of the tar archive", TSR_CORRUPT, 0},
    };
    static archive a;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool found;
        tsr_error err = {0};
        a.n = 0;
        add_entry(&a, '0', "a/a.mtx", "text");
        end_archive(&a);
        memcpy(a.bytes + cases[i].at, cases[i].field, strlen(cases[i].field));
        if (!cases[i].no_sum)
            set_sum(a.bytes);
        if (cases[i].at == 156)
            a.n = 2048; /* after the long name there is nothing but the end */
        const tsr_status status = extract(&a, &found, "a.mtx", &err);
        if (cases[i].at == 156) { /* zeros end the archive */
            assert_true(status == TSR_OK && !found);
            continue;
        }
        assert_int_equal(status, cases[i].status);
        assert_string_equal(err.message, cases[i].sentence);
    }
}

/* Whatever is done to an archive, and wherever it ends: an answer or an error. */
static void test_damaged_tar(void **state)
{
    (void)state;
    static archive good, a;
    tsr_rng rng = {4};
    good.n = 0;
    add_entry(&good, 'L', "././@LongLink", "a/very/long.mtx");
    add_entry(&good, '0', "x", "text of it");
    add_entry(&good, 'x', "pax", "20 path=a/pax.mtx\n");
    add_entry(&good, '0', "y", "more");
    end_archive(&good);
    for (int i = 0; i < 20000; i++) {
        bool found;
        tsr_error err = {0};
        a = good;
        for (uint64_t k = tsr_rng_below(&rng, 4); k > 0; k--) {
            const size_t header = 512 * (size_t)tsr_rng_below(&rng, a.n / 512);
            a.bytes[header + tsr_rng_below(&rng, 512)] = (char)tsr_rng_next(&rng);
            if (tsr_rng_below(&rng, 2))
                set_sum(a.bytes + header);
        }
        if (tsr_rng_below(&rng, 3) == 0)
            a.n = (size_t)tsr_rng_below(&rng, a.n + 1);
        if (extract(&a, &found, "pax.mtx", &err) != TSR_OK)
            assert_true(err.message[0] != '\0');
    }
}

/* ---- unpacking ---- */

static void spit_gzip(const char *path, const void *bytes, size_t n)
{
    gzFile f = gzopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(gzwrite(f, bytes, (unsigned)n), (int)n);
    assert_int_equal(gzclose(f), Z_OK);
}

static void test_unpack(void **state)
{
    (void)state;
    static const char text[] = "1 1 1.5\n2 2 2.5\n";
    const char *gz = tsr_test_path(tsr_test_tmp(), "u.gz"), *plain = tsr_test_path(tsr_test_tmp(), "u.tns");
    const char *tar = tsr_test_path(tsr_test_tmp(), "u.tar.gz"),
               *out = tsr_test_path(tsr_test_tmp(), "u.out");
    static archive a;
    size_t n;
    a.n = 0;
    add_entry(&a, '0', "u/u.mtx", text);
    end_archive(&a);
    spit_gzip(gz, text, sizeof text - 1);
    spit_gzip(tar, a.bytes, a.n);
    tsr_test_spit(plain, text, sizeof text - 1);
    const struct {
        const char *from, *url, *name;
        uint64_t max_nbytes;
        const char *sentence; /* NULL: it unpacks */
    } cases[] = {
        {gz, "http://x/u.tns.gz", "u.tns", 1000, NULL},
        {gz, "http://x/u.tns.gz?a=b.zip", "u.tns", 1000, NULL},
        {tar, "http://x/u.tar.gz", "u.mtx", 1000, NULL},
        {tar, "http://x/u.tgz", "u.mtx", 1000, NULL},
        {plain, "http://x/u.tns", "u.tns", 1000, NULL},
        {plain, "http://x/u.tns.gz", "u.tns", 1000, "the download is not a gzip file"},
        {plain, "http://x/u.tar.gz", "u.mtx", 1000, "the download is not a gzip file"},
        {tar, "http://x/u.tar.gz", "v.mtx", 1000, "the archive holds no file v.mtx"},
        {gz, "http://x/u.tns.gz", "u.tns", 10,
         "it unpacks to more than 10 bytes, far more than the table's entries take"},
        {gz, "http://x/u.tar.gz", "u.mtx", 1000, "unexpected end at byte 16 of the tar archive"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tsr_error failure = {0};
        (void)unlink(out);
        const tsr_status status =
            fetch_unpack(&(fetch_archive){cases[i].from, cases[i].url, cases[i].name, cases[i].max_nbytes},
                         out, NULL, &failure);
        if (cases[i].sentence) {
            assert_true(status != TSR_OK);
            assert_string_equal(failure.message, cases[i].sentence);
            assert_int_not_equal(access(out, F_OK), 0);
            continue;
        }
        assert_int_equal(status, TSR_OK);
        char *got = tsr_test_slurp(out, &n);
        assert_int_equal(n, sizeof text - 1);
        assert_memory_equal(got, text, n);
        free(got);
    }
}

/* A gzip file that is cut anywhere, or has a byte changed in its checksum, is refused. */
static void test_cut_gzip(void **state)
{
    (void)state;
    const char *gz = tsr_test_path(tsr_test_tmp(), "cut.gz"), *out = tsr_test_path(tsr_test_tmp(), "cut.out");
    char text[2000];
    size_t n;
    tsr_rng rng = {9};
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)('0' + tsr_rng_below(&rng, 10));
    spit_gzip(gz, text, sizeof text);
    char *bytes = tsr_test_slurp(gz, &n);
    for (size_t keep = 1; keep < n; keep += keep < 30 || keep > n - 30 ? 1 : 17) {
        tsr_test_spit(gz, bytes, keep);
        assert_int_equal(fetch_unpack(&(fetch_archive){gz, "http://x/cut.gz", "cut", 10000}, out, NULL, NULL),
                         TSR_CORRUPT);
    }
    bytes[n - 6] ^= 1; /* of the CRC */
    tsr_test_spit(gz, bytes, n);
    assert_int_equal(fetch_unpack(&(fetch_archive){gz, "http://x/cut.gz", "cut", 10000}, out, NULL, NULL),
                     TSR_CORRUPT);
    assert_int_not_equal(access(out, F_OK), 0);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sha256),     cmocka_unit_test(test_sha256_cuts), cmocka_unit_test(test_tar),
        cmocka_unit_test(test_broken_tar), cmocka_unit_test(test_damaged_tar), cmocka_unit_test(test_unpack),
        cmocka_unit_test(test_cut_gzip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
