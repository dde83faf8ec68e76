/* Text input: the blocks of whole lines joined give the text, for any block size, number of threads and kind
 * of input (plain file, gzip, pipe). */
#include "tsr_test.h"

#include "tsr_alloc.h"
#include "tsr_input.h"
#include "tsr_parallel.h"

#include <math.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <zlib.h>

/* Texts with special line ends; `want` is the expected result if it differs from the text. */
static const struct {
    const char *name, *text, *want;
} texts[] = {
    {"empty", "", NULL},
    {"one byte", "x", "x\n"},
    {"one newline", "\n", NULL},
    {"newlines", "\n\n\n\n", NULL},
    {"two lines", "1 2\n3 4\n", NULL},
    {"no final newline", "1 2\n3 4", "1 2\n3 4\n"},
    {"CRLF is kept", "1 2\r\n3 4\r\n", NULL},
    {"CR only is one line", "1 2\r3 4\r", "1 2\r3 4\r\n"},
    {"byte order mark is kept", "\xef\xbb\xbf%%MatrixMarket\n", NULL},
    {"half a magic number", "\x1f", "\x1f\n"},
    {"not the magic number", "\x1f\x8c\n", NULL},
    {"one long line among short", "a\nb\ncccccccccccccccccccccccccccccccccccccccccccccccccccccc\nd\n", NULL},
};

/* Read all of `path` by blocks; check each block's shape. The caller frees. */
static char *read_all(size_t *n, const char *path, size_t block_nbytes)
{
    tsr_input *input;
    assert_ok(tsr_input_open(&input, path, block_nbytes, NULL, err));
    tsr_block block = {0};
    size_t room = 1;
    char *all = malloc(room);
    *n = 0;
    for (uint64_t index = 0;; index++) {
        assert_ok(tsr_input_next(&block, input, err));
        if (block.nbytes == 0)
            break;
        assert_int_equal(block.index, index);
        assert_int_equal(block.offset, *n);
        assert_int_equal(block.text[block.nbytes - 1], '\n');
        assert_true(block.capacity >= block.nbytes + TSR_INPUT_PADDING);
        for (int i = 0; i < TSR_INPUT_PADDING; i++)
            assert_int_equal(block.text[block.nbytes + (size_t)i], 0);
        if (*n + block.nbytes > room)
            all = realloc(all, room = 2 * (*n + block.nbytes));
        memcpy(all + *n, block.text, block.nbytes);
        *n += block.nbytes;
    }
    assert_ok(tsr_input_next(&block, input, err)); /* a further call stays at the end */
    assert_int_equal(block.nbytes, 0);
    tsr_block_clear(&block);
    tsr_input_free(input);
    return all;
}

static void check_reads(const char *path, size_t block_nbytes, const char *want, size_t nwant)
{
    size_t n;
    char *all = read_all(&n, path, block_nbytes);
    assert_int_equal(n, nwant);
    assert_memory_equal(all, want, n);
    free(all);
}

/* nbytes of lines of random lengths (most short, some long), the last one ended. The caller frees. */
static char *random_text(size_t nbytes, uint64_t seed)
{
    tsr_rng rng = {seed};
    char *text = malloc(nbytes + 1);
    size_t line = 0;
    for (size_t i = 0; i < nbytes; i++) {
        if (line == 0) {
            const uint64_t kind = tsr_rng_below(&rng, 100);
            line = (size_t)(kind == 0 ? tsr_rng_below(&rng, 5000) : tsr_rng_below(&rng, 40)) + 1;
        }
        text[i] = --line == 0 || i + 1 == nbytes ? '\n' : (char)('0' + tsr_rng_below(&rng, 10));
    }
    return text;
}

static void test_texts_at_every_block_size(void **state)
{
    (void)state;
    const char *path = tsr_test_path(tsr_test_tmp(), "text");
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const char *want = texts[i].want ? texts[i].want : texts[i].text;
        tsr_test_spit(path, texts[i].text, strlen(texts[i].text));
        for (size_t size = 0; size <= 70; size++)
            check_reads(path, size, want, strlen(want));
    }
}

static void test_whole_texts(void **state)
{
    (void)state;
    const char *path = tsr_test_path(tsr_test_tmp(), "text");
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const char *want = texts[i].want ? texts[i].want : texts[i].text;
        const size_t n = strlen(want);
        tsr_text text = {0};
        tsr_error said = {0};
        tsr_test_spit(path, texts[i].text, strlen(texts[i].text));
        tsr_text_add(&text, "before ");
        assert_ok(tsr_input_read(&text, path, n, err));
        assert_int_equal(text.nbytes, 7 + n);
        assert_memory_equal(text.s + 7, want, n);
        if (n > 0) {
            assert_int_equal(tsr_input_read(&text, path, n - 1, &said), TSR_LIMIT);
            assert_non_null(strstr(said.message, "the text is longer than the limit of "));
        }
        tsr_text_clear(&text);
    }
    tsr_text text = {0};
    assert_int_equal(tsr_input_read(&text, tsr_test_path(tsr_test_tmp(), "absent"), 9, NULL), TSR_IO);
    assert_int_equal(text.nbytes, 0);
}

static void test_random_text_at_random_block_sizes(void **state)
{
    (void)state;
    const char *path = tsr_test_path(tsr_test_tmp(), "random");
    tsr_rng rng = {1};
    const size_t nbytes = 300000;
    char *text = random_text(nbytes, 2);
    tsr_test_spit(path, text, nbytes);
    for (int i = 0; i < 40; i++)
        check_reads(path, (size_t)1 << tsr_rng_below(&rng, 20), text, nbytes);
    check_reads(path, 1, text, nbytes);
    check_reads(path, SIZE_MAX, text, nbytes);
    free(text);
}

static void test_nul_bytes_pass(void **state)
{
    (void)state;
    const char *path = tsr_test_path(tsr_test_tmp(), "nul");
    tsr_test_spit(path, "a\0b\n\0\n", 6);
    check_reads(path, 0, "a\0b\n\0\n", 6);
    check_reads(path, 1, "a\0b\n\0\n", 6);
}

static void test_peek_does_not_consume(void **state)
{
    (void)state;
    const char *path = tsr_test_path(tsr_test_tmp(), "peek");
    const size_t nbytes = 200000;
    char *text = random_text(nbytes, 3);
    tsr_test_spit(path, text, nbytes);
    tsr_input *input;
    tsr_block block = {0};
    const char *bytes;
    size_t n;
    assert_ok(tsr_input_open(&input, path, 1000, NULL, err));
    assert_int_equal(tsr_input_nbytes(input), nbytes);
    assert_int_equal(tsr_input_max_text_nbytes(input), nbytes);
    for (size_t want = 1; want <= 1 << 16; want *= 2) {
        assert_ok(tsr_input_peek(&bytes, &n, input, want, err));
        assert_int_equal(n, want);
        assert_memory_equal(bytes, text, n);
    }
    assert_ok(tsr_input_peek(&bytes, &n, input, nbytes, err));
    assert_int_equal(n, 1 << 16);
    size_t at = 0;
    for (;;) {
        assert_ok(tsr_input_next(&block, input, err));
        if (block.nbytes == 0)
            break;
        assert_memory_equal(block.text, text + at, block.nbytes);
        at += block.nbytes;
    }
    assert_int_equal(at, nbytes);
    assert_int_equal(tsr_input_nbytes_read(input), nbytes);
    assert_int_equal(tsr_input_peek(&bytes, &n, input, 1, NULL), TSR_ARGUMENT);
    tsr_block_clear(&block);
    tsr_input_free(input);
    free(text);
}

static void test_what_cannot_be_opened(void **state)
{
    (void)state;
    const struct {
        const char *path, *words;
    } cases[] = {
        {tsr_test_path(tsr_test_tmp(), "absent"), "cannot open: No such file or directory"},
        {tsr_test_path(tsr_test_tmp(), "absent/file"), "cannot open: No such file or directory"},
        {tsr_test_tmp(), "cannot read: Is a directory"},
        {"", "cannot open: No such file or directory"},
        {"/proc/self/mem", "cannot read after 0 bytes: Input/output error"}, /* address 0 is not mapped */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tsr_input *input;
        tsr_error err;
        if (strncmp(cases[i].path, "/proc/", 6) == 0 && access(cases[i].path, R_OK) != 0)
            continue;
        assert_int_equal(tsr_input_open(&input, cases[i].path, 0, NULL, &err), TSR_IO);
        assert_null(input);
        assert_string_equal(err.message, cases[i].words);
        assert_string_equal(err.path, cases[i].path);
    }
    if (geteuid() != 0) {
        const char *path = tsr_test_path(tsr_test_tmp(), "locked");
        tsr_input *input;
        tsr_error err;
        unlink(path);
        tsr_test_spit(path, "1\n", 2);
        chmod(path, 0);
        assert_int_equal(tsr_input_open(&input, path, 0, NULL, &err), TSR_IO);
        assert_string_equal(err.message, "cannot open: Permission denied");
    }
}

/* ---- gzip ---- */

typedef struct bytes {
    unsigned char s[1 << 16];
    size_t n;
} bytes;

/* What a gzip file of the tables below is made of; a case is a string of these letters:
 *   m member        s stored member    e empty member        n member with name, comment, extra field, header CRC
 *   c wrong CRC     l wrong length     h wrong header CRC    x unknown method
 *   r reserved flag                    b block of an invalid type
 *   0 zeros         g garbage          1 half a magic number */
static void add_member(bytes *out, char kind, const char *text)
{
    const size_t start = out->n;
    z_stream z = {0};
    gz_header header = {.name = (Bytef *)"a name",
                        .comment = (Bytef *)"a comment",
                        .extra = (Bytef *)"extra",
                        .extra_len = 5,
                        .extra_max = 5,
                        .hcrc = 1};
    assert_int_equal(deflateInit2(&z, kind == 's' ? 0 : 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    if (kind == 'n' || kind == 'h')
        assert_int_equal(deflateSetHeader(&z, &header), Z_OK);
    z.next_in = (Bytef *)text;
    z.avail_in = (unsigned)strlen(text);
    z.next_out = out->s + out->n;
    z.avail_out = (unsigned)(sizeof out->s - out->n);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    out->n = sizeof out->s - z.avail_out;
    deflateEnd(&z);
    if (kind == 'c')
        out->s[out->n - 8] ^= 1;
    else if (kind == 'l')
        out->s[out->n - 4] ^= 1;
    else if (kind == 'x')
        out->s[start + 2] = 7;
    else if (kind == 'r')
        out->s[start + 3] = 0x80;
    else if (kind == 'b')
        out->s[start + 10] |= 6;
    else if (kind == 'h')
        out->s[start + 10 + 2 + 5 + 7 + 10] ^= 1;
}

static void add_gzip(bytes *out, const char *parts, const char *text)
{
    out->n = 0;
    for (; *parts; parts++) {
        const char *plain = *parts == '0' ? "\0\0\0\0\0\0\0" : *parts == 'g' ? "garbage" : "\x1f";
        const size_t n = *parts == '1' ? 1 : 7;
        if (!strchr("0g1", *parts)) {
            add_member(out, *parts, *parts == 'e' ? "" : text);
        } else {
            memcpy(out->s + out->n, plain, n);
            out->n += n;
        }
    }
}

static const struct {
    const char *name, *parts;
    int ntexts; /* the text comes that many times */
    tsr_status status;
    const char *message; /* part of the error, or of the warning when status is TSR_OK; NULL: none */
} gzips[] = {
    {"one member", "m", 1, TSR_OK, NULL},
    {"stored", "s", 1, TSR_OK, NULL},
    {"header with everything", "n", 1, TSR_OK, NULL},
    {"members", "mmsnm", 5, TSR_OK, NULL},
    {"empty members", "emeeme", 2, TSR_OK, NULL},
    {"only an empty member", "e", 0, TSR_OK, NULL},
    {"padding", "m0", 1, TSR_OK, NULL},
    {"much padding", "mm000000", 2, TSR_OK, NULL},
    {"garbage", "mg", 1, TSR_OK, "from byte 45 on, are not gzip and were ignored"},
    {"garbage behind padding", "m0g", 1, TSR_OK, "from byte 52 on"},
    {"member behind padding", "m0m", 1, TSR_OK, "from byte 52 on"},
    {"half a magic number", "m1", 1, TSR_OK, "from byte 45 on"},
    {"wrong CRC", "c", 1, TSR_CORRUPT, "wrong checksum or length in gzip member 1, at byte "},
    {"wrong length", "l", 1, TSR_CORRUPT, "wrong checksum or length in gzip member 1, at byte "},
    {"wrong CRC later", "mec", 2, TSR_CORRUPT, "wrong checksum or length in gzip member 3, at byte "},
    {"unknown method", "x", 0, TSR_CORRUPT, "bad header in gzip member 1"},
    {"unknown method later", "mx", 1, TSR_CORRUPT, "bad header in gzip member 2"},
    {"wrong header CRC", "h", 0, TSR_CORRUPT, " in gzip member 1"},
    {"wrong header CRC later", "mh", 1, TSR_CORRUPT, " in gzip member 2"},
    {"reserved flag", "r", 0, TSR_CORRUPT, "bad header in gzip member 1"},
    {"invalid block", "b", 0, TSR_CORRUPT, "bad deflate data in gzip member 1"},
};

typedef struct heard {
    int n;
    tsr_error last;
} heard;

static void hear(void *ctx, const tsr_error *warning)
{
    heard *h = ctx;
    h->n++;
    h->last = *warning;
}

/* Read all of path: TSR_OK and the text, or the failure, which must be sticky. The caller frees *all. */
static tsr_status try_read_all(char **all, size_t *n, const char *path, size_t block_nbytes, heard *warnings,
                               tsr_error *err)
{
    const tsr_observer observer = {.ctx = warnings, .warn = hear};
    tsr_input *input;
    tsr_block block = {0};
    *all = calloc(1, 1);
    *n = 0;
    tsr_status status = tsr_input_open(&input, path, block_nbytes, &observer, err);
    if (status != TSR_OK)
        return status;
    while ((status = tsr_input_next(&block, input, err)) == TSR_OK && block.nbytes > 0) {
        *all = realloc(*all, *n + block.nbytes + 1);
        memcpy(*all + *n, block.text, block.nbytes + 1);
        *n += block.nbytes;
    }
    if (status != TSR_OK) {
        tsr_error again = {0};
        assert_int_equal(block.nbytes, 0);
        assert_int_equal(tsr_input_next(&block, input, &again), status);
        assert_string_equal(again.message, err->message);
        assert_int_equal(block.nbytes, 0);
    }
    tsr_block_clear(&block);
    tsr_input_free(input);
    return status;
}

static const char gzip_text[] = "1 2 3.5\n2 2 4.5\n3 1 5.5\n1 1 6.5\n";

static void check_gzip_case(size_t i, const char *path, size_t block_nbytes)
{
    char *all;
    size_t n;
    heard warnings = {0};
    tsr_error err = {0};
    const tsr_status status = try_read_all(&all, &n, path, block_nbytes, &warnings, &err);
    const char *message = status == TSR_OK ? warnings.last.message : err.message;
    if (status != gzips[i].status || (gzips[i].message && !strstr(message, gzips[i].message)))
        fail_msg("%s: status %d, \"%s\"", gzips[i].name, (int)status, message);
    assert_int_equal(warnings.n, status == TSR_OK && gzips[i].message);
    if (status == TSR_OK) {
        assert_int_equal(n, (size_t)gzips[i].ntexts * strlen(gzip_text));
        for (int k = 0; k < gzips[i].ntexts; k++)
            assert_memory_equal(all + (size_t)k * strlen(gzip_text), gzip_text, strlen(gzip_text));
    } else {
        assert_string_equal(err.path, strcmp(path, "-") == 0 ? "standard input" : path);
    }
    free(all);
}

static void test_gzip_cases(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 2, 3, 10, 32, 33, 64, 1000};
    static bytes gz;
    const char *path = tsr_test_path(tsr_test_tmp(), "named.mtx"); /* the content decides, not the name */
    for (size_t i = 0; i < sizeof gzips / sizeof gzips[0]; i++) {
        add_gzip(&gz, gzips[i].parts, gzip_text);
        tsr_test_spit(path, gz.s, gz.n);
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
            check_gzip_case(i, path, sizes[k]);
    }
    path = tsr_test_path(tsr_test_tmp(), "plain.mtx.gz");
    tsr_test_spit(path, gzip_text, strlen(gzip_text));
    check_reads(path, 0, gzip_text, strlen(gzip_text));
}

/* Run `body` with standard input fed by a child process in writes of `packet` bytes. With SOCK_SEQPACKET one
 * read(2) gives one packet (and drops the part that does not fit); with SOCK_STREAM it gives the available
 * bytes. */
static void with_stdin(int type, const void *in, size_t n, size_t packet, void (*body)(void *arg), void *arg)
{
    int fds[2];
    const int saved = dup(STDIN_FILENO);
    assert_int_equal(socketpair(AF_UNIX, type, 0, fds), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(fds[0]);
        for (size_t at = 0; at < n; at += packet)
            if (write(fds[1], (const char *)in + at, n - at < packet ? n - at : packet) < 0)
                break;
        _exit(0);
    }
    close(fds[1]);
    dup2(fds[0], STDIN_FILENO);
    close(fds[0]);
    body(arg);
    dup2(saved, STDIN_FILENO);
    close(saved);
    assert_int_equal(waitpid(child, NULL, 0), child);
}

static void check_gzip_case_on_stdin(void *arg)
{
    check_gzip_case(*(size_t *)arg, "-", 0);
}

static void test_gzip_in_packets_through_stdin(void **state)
{
    (void)state;
    static bytes gz;
    for (size_t i = 0; i < sizeof gzips / sizeof gzips[0]; i++)
        for (size_t packet = 1; packet < 50; packet = packet * 2 + 1) {
            add_gzip(&gz, gzips[i].parts, gzip_text);
            with_stdin(SOCK_SEQPACKET, gz.s, gz.n, packet, check_gzip_case_on_stdin, &i);
        }
}

typedef struct stdin_case {
    const char *text;
    size_t nbytes, block_nbytes;
} stdin_case;

static void check_stdin(void *arg)
{
    const stdin_case *c = arg;
    check_reads("-", c->block_nbytes, c->text, c->nbytes);
}

static void test_plain_text_through_stdin(void **state)
{
    (void)state;
    char *text = random_text(100000, 4);
    stdin_case cases[] = {{text, 100000, 0}, {text, 100000, 100}, {text, 100000, 1}, {"", 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (size_t packet = 13; packet < 100000; packet *= 9)
            with_stdin(SOCK_STREAM, cases[i].text, cases[i].nbytes, packet, check_stdin, &cases[i]);
    free(text);
}

static void ignore_signal(int number)
{
    (void)number;
}

/* A signal every millisecond while read(2) waits for a slow writer. */
static void test_interrupted_reads(void **state)
{
    (void)state;
    struct sigaction action = {.sa_handler = ignore_signal}, old; /* no SA_RESTART */
    const struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
    int fds[2];
    assert_int_equal(pipe(fds), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        for (int i = 0; i < 20; i++) {
            const struct timespec pause = {0, 5000000};
            nanosleep(&pause, NULL);
            if (write(fds[1], "1 2\n", 4) != 4)
                break;
        }
        _exit(0);
    }
    close(fds[1]);
    const int saved = dup(STDIN_FILENO);
    dup2(fds[0], STDIN_FILENO);
    close(fds[0]);
    sigaction(SIGALRM, &action, &old);
    setitimer(ITIMER_REAL, &often, NULL);
    size_t n;
    char *all = read_all(&n, "-", 0);
    setitimer(ITIMER_REAL, &never, NULL);
    sigaction(SIGALRM, &old, NULL);
    dup2(saved, STDIN_FILENO);
    close(saved);
    assert_int_equal(n, 80);
    free(all);
    assert_int_equal(waitpid(child, NULL, 0), child);
}

static void test_stdin_from_the_middle_of_a_file(void **state)
{
    (void)state;
    const char *path = tsr_test_path(tsr_test_tmp(), "middle");
    tsr_test_spit(path, "1\n2\n3\n", 6);
    const int saved = dup(STDIN_FILENO), fd = open(path, O_RDONLY);
    assert_true(fd >= 0 && lseek(fd, 2, SEEK_SET) == 2);
    dup2(fd, STDIN_FILENO);
    close(fd);
    tsr_input *input;
    tsr_block block = {0};
    assert_ok(tsr_input_open(&input, "-", 0, NULL, err));
    assert_int_equal(tsr_input_nbytes(input), 4);
    assert_ok(tsr_input_next(&block, input, err));
    assert_string_equal(block.text, "2\n3\n");
    tsr_block_clear(&block);
    tsr_input_free(input);
    assert_true(fcntl(STDIN_FILENO, F_GETFD) >= 0); /* standard input must stay open */
    dup2(saved, STDIN_FILENO);
    close(saved);
    tsr_input_free(NULL);
}

static void test_gzip_cut_at_every_byte(void **state)
{
    (void)state;
    static bytes gz;
    static const char *const parts[] = {"m", "s", "n", "e"};
    const char *path = tsr_test_path(tsr_test_tmp(), "cut.gz");
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        add_gzip(&gz, parts[i], gzip_text);
        for (size_t cut = 2; cut < gz.n; cut++) {
            char *all, want[100];
            size_t n;
            heard warnings = {0};
            tsr_error err = {0};
            tsr_test_spit(path, gz.s, cut);
            assert_int_equal(try_read_all(&all, &n, path, 10, &warnings, &err), TSR_CORRUPT);
            snprintf(want, sizeof want, "truncated gzip: the file ends at byte %zu, inside member 1", cut);
            assert_string_equal(err.message, want);
            free(all);
        }
    }
}

/* If any bit of a gzip file flips, wrong text is never accepted. */
static void test_gzip_with_every_bit_flipped(void **state)
{
    (void)state;
    static bytes gz;
    const char *path = tsr_test_path(tsr_test_tmp(), "flipped.gz");
    add_gzip(&gz, "nm", gzip_text);
    int nrefused = 0;
    for (size_t bit = 16; bit < 8 * gz.n; bit++) { /* the first 16 bits are the magic number */
        char *all;
        size_t n;
        heard warnings = {0};
        tsr_error err = {0};
        gz.s[bit / 8] ^= (unsigned char)(1 << bit % 8);
        tsr_test_spit(path, gz.s, gz.n);
        gz.s[bit / 8] ^= (unsigned char)(1 << bit % 8);
        const tsr_status status = try_read_all(&all, &n, path, 0, &warnings, &err);
        if (status == TSR_OK) {
            assert_int_equal(n, (warnings.n ? 1 : 2) * strlen(gzip_text));
            assert_memory_equal(all, gzip_text, strlen(gzip_text));
        } else {
            assert_int_equal(status, TSR_CORRUPT);
            nrefused++;
        }
        free(all);
    }
    assert_true(nrefused > (int)gz.n); /* of 8 n */
}

static void write_gzip(const char *path, const char *text, size_t n, size_t member)
{
    FILE *truncate = fopen(path, "wb");
    assert_non_null(truncate);
    fclose(truncate);
    for (size_t at = 0; at < n; at += member) {
        gzFile f = gzopen(path, "ab1");
        assert_non_null(f);
        const unsigned nbytes = (unsigned)(n - at < member ? n - at : member);
        assert_int_equal(gzwrite(f, text + at, nbytes), nbytes);
        assert_int_equal(gzclose(f), Z_OK);
    }
}

static void test_big_gzip_at_random_block_sizes(void **state)
{
    (void)state;
    const char *path = tsr_test_path(tsr_test_tmp(), "big.gz");
    const size_t nbytes = 3000000; /* compressed: several pieces of the file */
    char *text = random_text(nbytes, 5);
    tsr_rng rng = {6};
    static const size_t members[] = {3000000, 70001, 999};
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        write_gzip(path, text, nbytes, members[i]);
        for (int k = 0; k < 5; k++)
            check_reads(path, (size_t)1 << tsr_rng_below(&rng, 22), text, nbytes);
    }
    tsr_input *input;
    const char *head;
    size_t n;
    assert_ok(tsr_input_open(&input, path, 0, NULL, err));
    assert_true(tsr_input_is_gzip(input));
    assert_int_equal(tsr_input_max_text_nbytes(input), UINT64_MAX);
    assert_ok(tsr_input_peek(&head, &n, input, 1 << 16, err));
    assert_int_equal(n, 1 << 16);
    assert_memory_equal(head, text, n);
    tsr_input_free(input);
    free(text);
}

/* ---- threads, long lines, memory ---- */

typedef struct shared_read {
    tsr_input *input;
    char *text; /* blocks land at their offsets */
    atomic_uint_fast64_t nbytes, nblocks, index_sum;
    double total; /* bytes of the whole text, if they are known */
    atomic_int failures;
} shared_read;

static void read_in_thread(void *arg, int t, int nthreads)
{
    (void)t, (void)nthreads;
    shared_read *r = arg;
    tsr_block block = {0};
    for (;;) {
        if (tsr_input_next(&block, r->input, NULL) != TSR_OK) {
            atomic_fetch_add(&r->failures, 1);
            break;
        }
        if (block.nbytes == 0)
            break;
        memcpy(r->text + block.offset, block.text, block.nbytes);
        /* what was read ahead of inflation does not count: the rest of the text can be estimated from any block */
        const double share = (double)(block.offset + block.nbytes) / r->total;
        if (r->total > 0 && tsr_input_is_gzip(r->input) &&
            fabs((double)block.file_nbytes - share * (double)tsr_input_nbytes(r->input)) > 100000)
            atomic_fetch_add(&r->failures, 1);
        atomic_fetch_add(&r->nbytes, block.nbytes);
        atomic_fetch_add(&r->nblocks, 1);
        atomic_fetch_add(&r->index_sum, block.index);
    }
    tsr_block_clear(&block);
}

static void test_threads_share_an_input(void **state)
{
    (void)state;
    const size_t nbytes = 2000000;
    char *text = random_text(nbytes, 7);
    const char *paths[] = {tsr_test_path(tsr_test_tmp(), "shared"),
                           tsr_test_path(tsr_test_tmp(), "shared.gz")};
    tsr_test_spit(paths[0], text, nbytes);
    write_gzip(paths[1], text, nbytes, 300000);
    for (int i = 0; i < 2; i++)
        for (int nthreads = 1; nthreads <= 5; nthreads++) {
            shared_read r = {.text = calloc(nbytes, 1), .total = (double)nbytes};
            assert_ok(tsr_input_open(&r.input, paths[i], 10000, NULL, err));
            tsr_parallel(nthreads, read_in_thread, &r);
            assert_int_equal(r.failures, 0);
            assert_int_equal(r.nbytes, nbytes);
            assert_int_equal(r.index_sum, r.nblocks * (r.nblocks - 1) / 2);
            assert_memory_equal(r.text, text, nbytes);
            tsr_input_free(r.input);
            free(r.text);
        }
    assert_int_equal(truncate(paths[1], 100000), 0);
    shared_read r = {.text = calloc(nbytes, 1)};
    assert_ok(tsr_input_open(&r.input, paths[1], 10000, NULL, err));
    tsr_parallel(4, read_in_thread, &r);
    assert_int_equal(r.failures, 4); /* every thread gets the failure */
    tsr_input_free(r.input);
    free(r.text);
    free(text);
}

/* The longest line allowed is read; one byte more is refused, also when it hides in a small gzip. */
static void test_line_limit(void **state)
{
    (void)state;
    static const char head[] = "a short line\n";
    const char *path = tsr_test_path(tsr_test_tmp(), "long"), *gz = tsr_test_path(tsr_test_tmp(), "long.gz");
    for (int over = 0; over <= 1; over++) {
        const off_t end = (off_t)strlen(head) + TSR_INPUT_MAX_LINE + over;
        tsr_test_spit(path, head, strlen(head));
        assert_int_equal(truncate(path, end - 1), 0); /* a hole: NUL bytes */
        FILE *f = fopen(path, "ab");
        assert_non_null(f);
        fputc('\n', f);
        assert_int_equal(fclose(f), 0);
        char *all;
        size_t n;
        heard warnings = {0};
        tsr_error err = {0};
        const tsr_status status = try_read_all(&all, &n, path, 0, &warnings, &err);
        if (over) {
            assert_int_equal(status, TSR_LIMIT);
            assert_string_equal(err.message, "the line that begins at byte 13 of the text is longer than the "
                                             "limit of 67108864 bytes");
        } else {
            assert_int_equal(status, TSR_OK);
            assert_int_equal(n, end);
        }
        free(all);
    }
    gzFile f = gzopen(gz, "wb1");
    static const char zeros[1 << 20];
    for (int i = 0; i < 65; i++)
        gzwrite(f, zeros, sizeof zeros);
    gzclose(f);
    char *all;
    size_t n;
    heard warnings = {0};
    tsr_error err = {0};
    assert_int_equal(try_read_all(&all, &n, gz, 0, &warnings, &err), TSR_LIMIT);
    free(all);
    unlink(path);
}

static tsr_status read_with_peek(const char *path)
{
    tsr_input *input;
    tsr_block block = {0};
    const char *head;
    size_t n;
    tsr_error err = {0};
    tsr_status status = tsr_input_open(&input, path, 16, NULL, &err);
    if (status == TSR_OK)
        status = tsr_input_peek(&head, &n, input, 100, &err);
    if (status == TSR_OK)
        do
            status = tsr_input_next(&block, input, &err);
        while (status == TSR_OK && block.nbytes > 0);
    if (status != TSR_OK) {
        assert_int_equal(status, TSR_NOMEM);
        assert_non_null(strstr(err.message, "out of memory"));
    }
    tsr_block_clear(&block);
    tsr_input_free(input);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    if (tsr_alloc_live() < 0)
        skip();
    const char *paths[] = {tsr_test_path(tsr_test_tmp(), "oom"), tsr_test_path(tsr_test_tmp(), "oom.gz")};
    char *text = random_text(20000, 8);
    tsr_test_spit(paths[0], text, 20000);
    write_gzip(paths[1], text, 20000, 7000);
    free(text);
    for (int i = 0; i < 2; i++) {
        tsr_faults faults = {0};
        while (tsr_faults_next(&faults)) {
            tsr_faults_arm(&faults);
            const tsr_status status = read_with_peek(paths[i]);
            tsr_faults_end(&faults, status);
        }
        assert_true(faults.n > 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts_at_every_block_size),
        cmocka_unit_test(test_whole_texts),
        cmocka_unit_test(test_random_text_at_random_block_sizes),
        cmocka_unit_test(test_nul_bytes_pass),
        cmocka_unit_test(test_peek_does_not_consume),
        cmocka_unit_test(test_what_cannot_be_opened),
        cmocka_unit_test(test_plain_text_through_stdin),
        cmocka_unit_test(test_interrupted_reads),
        cmocka_unit_test(test_stdin_from_the_middle_of_a_file),
        cmocka_unit_test(test_gzip_cases),
        cmocka_unit_test(test_gzip_in_packets_through_stdin),
        cmocka_unit_test(test_gzip_cut_at_every_byte),
        cmocka_unit_test(test_gzip_with_every_bit_flipped),
        cmocka_unit_test(test_big_gzip_at_random_block_sizes),
        cmocka_unit_test(test_threads_share_an_input),
        cmocka_unit_test(test_line_limit),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
