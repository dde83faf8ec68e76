/* Baselines that are programs: see bench_child.h. After its first failure a child is ended, and nothing more
 * is sent to it. */
#include "bench_child.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench_clock.h"
#include "report.h"
#include "tsr_alloc.h"
#include "tsr_jit.h"
#include "tsr_process.h"

#define MAX_CELLS 1e15
#define CASE_MAGIC UINT64_C(0x5445535345524131)
enum {
    WITHIN_MS = 600000,
    LOOK_MS = 100,   /* how often to check for Ctrl-C */
    GRACE_MS = 1000, /* time for a child to end by itself after it closed its output */
    LINE_NBYTES = 512,
    TAIL_NBYTES = 2048, /* bytes of its standard error that are kept */
};

typedef struct bench_child {
    tsr_process process;
    bool cold;
    const char *doing; /* "packed", "ran": its current work, for error messages */
    uint64_t within_ms;
    double ncells; /* cells of the result */
    int result_order;
    uint64_t result_dims[TSR_NOTATION_MAX_ORDER];
    double *cells;          /* ncells values; NULL until they are needed */
    tsr_coo *entries;       /* entries of a sparse result; NULL until they are needed */
    double ns;              /* time of the last run, as the child reports it */
    char line[LINE_NBYTES]; /* its last answer */
    char tail[TAIL_NBYTES]; /* the end of its standard error */
    size_t ntail;
    tsr_error failure; /* status not TSR_OK: the child was ended for this reason */
} bench_child;

/* ---- the case, as a file ---- */

static bool put(FILE *to, const void *bytes, size_t n)
{
    return n == 0 || fwrite(bytes, 1, n, to) == n;
}

static bool put_words(FILE *to, const uint64_t *words, int n)
{
    return put(to, words, (size_t)n * sizeof *words);
}

static bool put_coordinates(FILE *to, const tsr_array *crd, uint64_t nnz)
{
    int64_t block[4096];
    for (uint64_t done = 0; done < nnz;) {
        uint64_t n = 0;
        for (; n < sizeof block / sizeof *block && done < nnz; n++, done++)
            block[n] = (int64_t)tsr_array_get(crd, done);
        if (tsr_cli_interrupted() || !put(to, block, n * sizeof *block))
            return false;
    }
    return true;
}

static bool put_values(FILE *to, const tsr_coo *coo)
{
    const double *const values = coo->values.data;
    if (!coo->iso)
        return put(to, values, coo->nnz * sizeof *values);
    for (uint64_t n = 0; n < coo->nnz; n++)
        if (!put(to, values, sizeof *values))
            return false;
    return true;
}

static bool put_dense(FILE *to, const bench_case *c)
{
    for (int t = 1; t < c->notation->ntensors; t++) {
        if (!c->operand[t])
            continue;
        const tsr_expr *const access = tsr_notation_access(c->notation, t);
        uint64_t head[1 + TSR_NOTATION_MAX_ORDER] = {(uint64_t)access->nindices}, n = 1;
        for (int m = 0; m < access->nindices; m++)
            n *= head[1 + m] = c->size[access->index[m]];
        if (!put_words(to, head, 1 + access->nindices) ||
            !put(to, c->operand[t]->values.data, n * sizeof(double)))
            return false;
    }
    return true;
}

static uint64_t count_others(const bench_case *c)
{
    uint64_t n = 0;
    for (int t = 1; t < c->notation->ntensors; t++)
        n += c->siblings[t] != NULL;
    return n;
}

/* Further sparse operands. */
static bool put_others(FILE *to, const bench_case *c)
{
    const uint64_t n = count_others(c);
    bool ok = put_words(to, &n, 1);
    for (int t = 1; t < c->notation->ntensors; t++) {
        const tsr_coo *const coo = c->siblings[t];
        if (!coo)
            continue;
        const uint64_t head[] = {(uint64_t)coo->order, coo->nnz};
        ok = ok && put_words(to, head, 2) && put_words(to, coo->dims, coo->order);
        for (int m = 0; m < coo->order && ok; m++)
            ok = put_coordinates(to, &coo->crd[m], coo->nnz);
        ok = ok && put_values(to, coo);
    }
    return ok;
}

static uint64_t count_dense(const bench_case *c)
{
    uint64_t n = 0;
    for (int t = 1; t < c->notation->ntensors; t++)
        n += c->operand[t] != NULL;
    return n;
}

static bool put_case(FILE *to, const bench_case *c)
{
    const tsr_coo *const coo = c->coo;
    const uint64_t result_order = (uint64_t)c->notation->result->nindices;
    const uint64_t head[] = {CASE_MAGIC,
                             (uint64_t)coo->order,
                             coo->nnz,
                             count_dense(c),
                             c->mode < 0 ? UINT64_MAX : (uint64_t)c->mode,
                             (uint64_t)c->rank,
                             c->ncells < 0x1p64 ? (uint64_t)c->ncells : UINT64_MAX};
    bool ok = put_words(to, head, sizeof head / sizeof *head) && put_words(to, coo->dims, coo->order) &&
              put_words(to, &result_order, 1) && put_words(to, c->result_dims, (int)result_order);
    for (int m = 0; m < coo->order && ok; m++)
        ok = put_coordinates(to, &coo->crd[m], coo->nnz);
    return ok && put_values(to, coo) && put_dense(to, c) && put_others(to, c);
}

static tsr_status write_case(const char *path, const bench_case *c, tsr_error *err)
{
    FILE *const to = fopen(path, "wb");
    if (!to)
        return tsr_fail_errno(err, errno, path, "cannot write");
    bool ok = put_case(to, c);
    const int error = errno;
    ok &= fclose(to) == 0;
    if (tsr_cli_interrupted())
        return tsr_fail(err, TSR_CANCELLED, "interrupted");
    return ok ? TSR_OK : tsr_fail_errno(err, error ? error : errno, path, "cannot write");
}

/* ---- reading ---- */

/* Read the available part of its standard error; only the end is kept. */
static void take_errors(bench_child *child)
{
    char bytes[TAIL_NBYTES];
    for (int i = 0; i < 32 && child->process.errors >= 0; i++) {
        const ssize_t got = read(child->process.errors, bytes, sizeof bytes);
        if (got < 0)
            return;
        if (got == 0) {
            (void)close(child->process.errors);
            child->process.errors = -1;
            return;
        }
        const size_t n = (size_t)got, room = sizeof child->tail - child->ntail;
        const size_t dropped = n > room ? n - room : 0;
        memmove(child->tail, child->tail + dropped, child->ntail - dropped);
        child->ntail -= dropped;
        memcpy(child->tail + child->ntail, bytes, n);
        child->ntail += n;
    }
}

/* Copy n bytes of text, cut if there is no room, with unprintable characters replaced by blanks. */
static void copy_clean(char *out, size_t room, const char *text, size_t n)
{
    size_t i = 0;
    for (; i < n && i + 1 < room; i++)
        out[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : ' ';
    out[i] = '\0';
}

/* The last line of its standard error that is not blank, after ": "; "" if there is none. */
static void last_words(char out[LINE_NBYTES], const bench_child *child)
{
    size_t end = child->ntail;
    while (end > 0 && strchr(" \t\r\n", child->tail[end - 1]))
        end--;
    size_t start = end;
    while (start > 0 && child->tail[start - 1] != '\n')
        start--;
    snprintf(out, LINE_NBYTES, "%s", start < end ? ": " : "");
    copy_clean(out + strlen(out), LINE_NBYTES - 2, child->tail + start, end - start);
}

/* It closed its output: report the reason. */
static tsr_status tell_death(bench_child *child)
{
    char words[LINE_NBYTES];
    tsr_process_end end;
    tsr_process_stop(&end, &child->process, GRACE_MS);
    take_errors(child);
    last_words(words, child);
    if (end.timed_out)
        return tsr_fail(&child->failure, TSR_UNSUPPORTED, "its program closed its output while it %s%s",
                        child->doing, words);
    if (end.signal)
        return tsr_fail(&child->failure, TSR_UNSUPPORTED, "its program was ended by signal %d while it %s%s",
                        end.signal, child->doing, words);
    return tsr_fail(&child->failure, TSR_UNSUPPORTED, "its program ended with exit code %d while it %s%s",
                    end.exit_code, child->doing, words);
}

static tsr_status tell_lateness(bench_child *child)
{
    tsr_process_stop(NULL, &child->process, 0);
    return tsr_fail(&child->failure, TSR_UNSUPPORTED,
                    "its program took longer than %.3g s and was stopped while it %s",
                    (double)child->within_ms / 1000, child->doing);
}

static tsr_status tell_nonsense(bench_child *child, size_t n, const char *wanted)
{
    char said[64];
    tsr_process_stop(NULL, &child->process, 0);
    copy_clean(said, sizeof said, child->line, n);
    return tsr_fail(&child->failure, TSR_UNSUPPORTED, "its program answered \"%s\" where \"%s\" was expected",
                    said, wanted);
}

/* Read some bytes of its answer, at most `room`. */
static tsr_status hear(size_t *n, bench_child *child, void *out, size_t room, uint64_t start_ns)
{
    for (;;) {
        take_errors(child);
        const ssize_t got = read(child->process.out, out, room);
        if (got > 0) {
            *n = (size_t)got;
            return TSR_OK;
        }
        if (got == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR))
            return tell_death(child);
        if (tsr_cli_interrupted()) {
            tsr_process_stop(NULL, &child->process, 0);
            return tsr_fail(&child->failure, TSR_CANCELLED, "interrupted");
        }
        const uint64_t spent_ms = (bench_now_ns() - start_ns) / 1000000u;
        if (spent_ms >= child->within_ms)
            return tell_lateness(child);
        const uint64_t left_ms = child->within_ms - spent_ms;
        struct pollfd fds[] = {{child->process.out, POLLIN, 0}, {child->process.errors, POLLIN, 0}};
        (void)poll(fds, 2, left_ms < LOOK_MS ? (int)left_ms : LOOK_MS);
    }
}

/* Read one line, and check that nothing follows it. wanted: the expected answer, for the error message. */
static tsr_status hear_line(bench_child *child, const char *wanted)
{
    const uint64_t start_ns = bench_now_ns();
    for (size_t have = 0;;) {
        size_t n;
        TSR_TRY(hear(&n, child, child->line + have, sizeof child->line - have, start_ns));
        have += n;
        char *const end = memchr(child->line, '\n', have);
        if (!end && have < sizeof child->line)
            continue;
        if (!end || end + 1 < child->line + have)
            return tell_nonsense(child, have, wanted);
        *end = '\0';
        return TSR_OK;
    }
}

/* ---- requests ---- */

static tsr_status repeat_failure(const bench_child *child, tsr_error *err)
{
    if (err)
        *err = child->failure;
    return child->failure.status;
}

/* Send a command and read the line of the answer; *rest is the text after `word`. */
static tsr_status ask(const char **rest, bench_child *child, char command, const char *word,
                      const char *wanted)
{
    TSR_TRY(child->failure.status);
    if (command && send(child->process.in, &command, 1, MSG_NOSIGNAL) != 1)
        return tell_death(child);
    TSR_TRY(hear_line(child, wanted));
    const size_t n = strlen(word);
    if (strncmp(child->line, "error ", 6) == 0) {
        char sentence[LINE_NBYTES];
        tsr_process_stop(NULL, &child->process, 0);
        copy_clean(sentence, sizeof sentence, child->line + 6, strlen(child->line + 6));
        return tsr_fail(&child->failure, TSR_UNSUPPORTED, "%s", sentence);
    }
    if (strncmp(child->line, word, n) != 0)
        return tell_nonsense(child, strlen(child->line), wanted);
    *rest = child->line + n;
    return TSR_OK;
}

/* Take " 123": a blank and a number below 10^18. */
static bool take_number(uint64_t *v, const char **p)
{
    const char *q = *p;
    if (*q++ != ' ' || *q < '0' || *q > '9')
        return false;
    for (*v = 0; *q >= '0' && *q <= '9'; q++) {
        if (*v >= UINT64_C(100000000000000000))
            return false;
        *v = *v * 10 + (uint64_t)(*q - '0');
    }
    *p = q;
    return true;
}

static tsr_status take_case(bench_child *child, bench_opened *opened)
{
    static const char wanted[] = "ready PACK_NS NBYTES VERSION";
    const char *rest;
    uint64_t pack_ns, nbytes;
    child->doing = "packed";
    TSR_TRY(ask(&rest, child, '\0', "ready", wanted));
    if (!take_number(&pack_ns, &rest) || !take_number(&nbytes, &rest) || (*rest && *rest != ' '))
        return tell_nonsense(child, strlen(child->line), wanted);
    opened->pack_ns = (double)pack_ns;
    opened->nbytes = nbytes;
    rest += strspn(rest, " ");
    copy_clean(opened->version, sizeof opened->version, rest, strlen(rest));
    return TSR_OK;
}

tsr_status bench_child_run(void *state, tsr_error *err)
{
    static const char wanted[] = "ran NS";
    bench_child *const child = state;
    const char *rest;
    uint64_t ns;
    child->doing = "ran";
    if (ask(&rest, child, child->cold ? 'c' : 'r', "ran", wanted) != TSR_OK)
        return repeat_failure(child, err);
    if (!take_number(&ns, &rest) || *rest) {
        (void)tell_nonsense(child, strlen(child->line), wanted);
        return repeat_failure(child, err);
    }
    child->ns = (double)ns;
    return TSR_OK;
}

void bench_child_overwrite(void *state)
{
    bench_child *const child = state;
    const char *rest;
    child->doing = "overwrote its result";
    if (ask(&rest, child, 'o', "done", "done") == TSR_OK && *rest)
        (void)tell_nonsense(child, strlen(child->line), "done");
}

double bench_child_said_ns(void *state)
{
    return ((bench_child *)state)->ns;
}

/* Read nbytes of raw answer to a command ('\0': more of the answer to the last command). */
static tsr_status hear_raw(bench_child *child, char command, void *out, uint64_t nbytes)
{
    const uint64_t start_ns = bench_now_ns();
    child->doing = "sent its result";
    TSR_TRY(child->failure.status);
    if (command && send(child->process.in, &command, 1, MSG_NOSIGNAL) != 1)
        return tell_death(child);
    for (uint64_t done = 0; done < nbytes;) {
        size_t n;
        TSR_TRY(hear(&n, child, (char *)out + done, nbytes - done, start_ns));
        done += n;
    }
    return TSR_OK;
}

tsr_status bench_child_result(const double **cells, void *state, tsr_error *err)
{
    bench_child *const child = state;
    void *block;
    *cells = NULL;
    if (!child->cells && child->ncells > MAX_CELLS)
        return tsr_fail(err, TSR_LIMIT, "the result would have %.3g cells", child->ncells);
    if (!child->cells) {
        TSR_TRY(tsr_alloc_array(&block, (uint64_t)child->ncells, sizeof(double), 0,
                                "the result of a baseline", err));
        child->cells = block;
    }
    if (hear_raw(child, 'w', child->cells, (uint64_t)child->ncells * sizeof(double)) != TSR_OK)
        return repeat_failure(child, err);
    *cells = child->cells;
    return TSR_OK;
}

/* Read the coordinates of mode m. */
static tsr_status hear_coordinates(tsr_coo *coo, int m, bench_child *child)
{
    uint64_t block[4096];
    for (uint64_t done = 0; done < coo->nnz;) {
        const uint64_t room = sizeof block / sizeof *block, left = coo->nnz - done,
                       n = left < room ? left : room;
        TSR_TRY(hear_raw(child, '\0', block, n * sizeof *block));
        for (uint64_t i = 0; i < n; i++, done++) {
            if (block[i] >= coo->dims[m]) {
                tsr_process_stop(NULL, &child->process, 0);
                return tsr_fail(&child->failure, TSR_UNSUPPORTED,
                                "the result of its program has an entry at %" PRId64 " of a mode of %" PRIu64,
                                (int64_t)block[i], coo->dims[m]);
            }
            tsr_array_set(&coo->crd[m], done, block[i]);
        }
    }
    return TSR_OK;
}

static tsr_status hear_entries(tsr_coo *coo, bench_child *child)
{
    for (int m = 0; m < coo->order; m++)
        TSR_TRY(hear_coordinates(coo, m, child));
    return hear_raw(child, '\0', coo->values.data, coo->nnz * sizeof(double));
}

tsr_status bench_child_entries(const tsr_coo **result, void *state, tsr_error *err)
{
    bench_child *const child = state;
    uint64_t n;
    *result = NULL;
    if (hear_raw(child, 's', &n, sizeof n) != TSR_OK)
        return repeat_failure(child, err);
    if (n == UINT64_MAX)
        return TSR_OK;
    if ((double)n > child->ncells) {
        tsr_process_stop(NULL, &child->process, 0);
        (void)tsr_fail(&child->failure, TSR_UNSUPPORTED,
                       "the result of its program has %" PRIu64 " entries, more than its %.4g cells", n,
                       child->ncells);
        return repeat_failure(child, err);
    }
    tsr_coo_free(child->entries);
    TSR_TRY(tsr_coo_new_sized(&child->entries, (tsr_shape){child->result_order, child->result_dims}, TSR_F64,
                              false, n, err));
    if (hear_entries(child->entries, child) != TSR_OK)
        return repeat_failure(child, err);
    *result = child->entries;
    return TSR_OK;
}

/* ---- starting and ending ---- */

void bench_child_close(void *state)
{
    bench_child *const child = state;
    if (!child)
        return;
    tsr_process_stop(NULL, &child->process, 0);
    tsr_process_clear(&child->process);
    tsr_free(child->cells);
    tsr_coo_free(child->entries);
    tsr_free(child);
}

static tsr_status ensure_folder(const bench_asked *asked, tsr_error *err)
{
    return asked->folder->path.nbytes ? TSR_OK : tsr_folder_new_temporary(asked->folder, err);
}

/* Start the program: argv with the path of the program in place of its name, the two additional arguments,
 * and the environment. */
static tsr_status start(bench_child *child, const char *const *argv, const char *path, int nthreads,
                        tsr_error *err)
{
    static const char *const counts[] = {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"};
    enum { MAX_ARGS = 30, NCOUNTS = sizeof counts / sizeof *counts };
    char count[16], environment[NCOUNTS][40];
    /* KMP_BLOCKTIME: LLVM's OpenMP library would busy-wait for 200 ms, into the turn of the next candidate */
    const char *args[MAX_ARGS + 3] = {NULL}, *env[NCOUNTS + 5] = {"OMP_PROC_BIND=close", "OMP_PLACES=cores",
                                                                  "KMP_BLOCKTIME=10"};
    tsr_text program = {0};
    size_t n = 0;
    for (; argv[n]; n++) {
        if (n == MAX_ARGS)
            return tsr_fail(err, TSR_LIMIT, "a program can have at most %d arguments", MAX_ARGS);
        args[n] = argv[n];
    }
    snprintf(count, sizeof count, "%d", nthreads);
    args[n] = path;
    args[n + 1] = count;
    for (int i = 0; i < NCOUNTS; i++) {
        snprintf(environment[i], sizeof environment[i], "%s=%d", counts[i], nthreads);
        env[3 + i] = environment[i];
    }
    if (!getenv("GLIBC_TUNABLES")) /* large pages, for which Tessera asks, too */
        env[3 + NCOUNTS] = "GLIBC_TUNABLES=glibc.malloc.hugetlb=1";
    tsr_status status = tsr_process_find(&program, argv[0], err);
    args[0] = tsr_text_cstr(&program);
    if (status == TSR_OK)
        status = tsr_process_start(&child->process, args, env, err);
    tsr_text_clear(&program);
    return status;
}

/* Start the child on a case. The file of the case is removed before this returns: a child that is ready has
 * read it. */
static tsr_status start_on_case(bench_child *child, bench_opened *opened, const char *const *argv,
                                const bench_case *c, const bench_asked *asked, tsr_error *err)
{
    tsr_text path = {0};
    tsr_text_addf(&path, "%s/case", tsr_text_cstr(&asked->folder->path));
    tsr_status status = tsr_text_status(&path, err);
    if (status == TSR_OK)
        status = write_case(path.s, c, err);
    if (status == TSR_OK)
        status = start(child, argv, path.s, asked->nthreads, err);
    if (status == TSR_OK && take_case(child, opened) != TSR_OK)
        status = repeat_failure(child, err);
    if (path.s)
        (void)unlink(path.s);
    tsr_text_clear(&path);
    return status;
}

tsr_status bench_child_start(void **state, bench_opened *opened, const char *const *argv, const bench_case *c,
                             const bench_asked *asked, tsr_error *err)
{
    void *block;
    *state = NULL;
    if (c->type != TSR_F64)
        return tsr_fail(err, TSR_UNSUPPORTED, "it takes only values of f64");
    TSR_TRY(ensure_folder(asked, err));
    TSR_TRY(tsr_alloc_array(&block, 1, sizeof(bench_child), 1, "a baseline", err));
    bench_child *const child = block;
    child->process = (tsr_process){.in = -1, .out = -1, .errors = -1};
    child->within_ms = asked->answer_within ? asked->answer_within : WITHIN_MS;
    child->cold = asked->cold;
    child->ncells = c->ncells;
    child->result_order = c->notation->result->nindices;
    memcpy(child->result_dims, c->result_dims, sizeof child->result_dims);
    const tsr_status status = start_on_case(child, opened, argv, c, asked, err);
    if (status == TSR_OK)
        *state = child;
    else
        bench_child_close(child);
    return status;
}

/* ---- programs ---- */

const char *bench_driver_find(const char *name)
{
    for (int i = 0; bench_driver_texts[i].name; i++)
        if (strcmp(bench_driver_texts[i].name, name) == 0)
            return bench_driver_texts[i].text;
    return NULL;
}

tsr_status bench_child_file(tsr_text *path, const bench_asked *asked, const char *name, const char *text,
                            tsr_error *err)
{
    TSR_TRY(ensure_folder(asked, err));
    const size_t before = path->nbytes;
    tsr_text_addf(path, "%s/%s", tsr_text_cstr(&asked->folder->path), name);
    TSR_TRY(tsr_text_status(path, err));
    const char *const file = path->s + before;
    FILE *const to = fopen(file, "wx");
    if (!to)
        return errno == EEXIST ? TSR_OK : tsr_fail_errno(err, errno, file, "cannot write");
    bool ok = put(to, text, strlen(text));
    ok &= fclose(to) == 0;
    return ok ? TSR_OK : tsr_fail_errno(err, errno, file, "cannot write");
}

/* The source with the text of bench_driver.h in place of its #include, so that it is whole. */
static tsr_status make_whole(tsr_text *whole, const char *source, tsr_error *err)
{
    static const char line[] = "#include \"bench_driver.h\"\n";
    const char *const at = strstr(source, line);
    if (at) {
        tsr_text_add_n(whole, source, (size_t)(at - source));
        tsr_text_add(whole, bench_driver_find("bench_driver.h"));
    }
    tsr_text_add(whole, at ? at + strlen(line) : source);
    return tsr_text_status(whole, err);
}

tsr_status bench_child_program(tsr_text *path, const bench_asked *asked, const bench_source *source,
                               tsr_error *err)
{
    char key[TSR_JIT_KEY_NBYTES];
    tsr_text whole = {0}, how = {0};
    const size_t before = path->nbytes;
    tsr_status status;
    TSR_TRY(ensure_folder(asked, err));
    TSR_TRY_OUT(make_whole(&whole, source->text, err));
    for (size_t i = 0; source->flags[i]; i++)
        tsr_text_addf(&how, "%s\n", source->flags[i]);
    tsr_text_add(&how, tsr_text_cstr(&whole));
    TSR_TRY_OUT(tsr_text_status(&how, err));
    tsr_jit_hash(key, how.s, how.nbytes);
    const char *const folder = tsr_text_cstr(&asked->folder->path);
    tsr_text_addf(path, "%s/%s", folder, key);
    TSR_TRY_OUT(tsr_text_status(path, err));
    if (access(path->s + before, X_OK) != 0)
        status =
            tsr_jit_program(folder, key, whole.s,
                            &(tsr_jit_options){.flags = source->flags, .is_cpp = source->is_cpp}, NULL, err);
out:
    tsr_text_clear(&whole);
    tsr_text_clear(&how);
    return status;
}
