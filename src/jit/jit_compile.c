/* Runs the compiler, and turns its messages into one sentence if it fails. */
#include "jit_internal.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tsr_alloc.h"

enum { MAX_MESSAGES_NBYTES = 1 << 20 };

/* The rules of IEEE 754 for NaN, infinities and signed zeros hold: no -ffast-math and no part of it that
 * changes values, except contraction to fused multiply-adds. Kernels do not use errno or the flags of the
 * floating-point unit. No warnings: a program wrote the text. */
const char *const tsr_jit_default_flags[] = {
    "-std=c11",     "-O3",
#if defined(__powerpc__)
    "-mcpu=native",
#elif !defined(__riscv)
    "-march=native",
#endif
    "-fopenmp",     "-fPIC", "-shared", "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=fast",
    "-w",           "-pipe", NULL,
};

/* ---- messages of the compiler ---- */

/* Append the output without the path of the folder: "kernel.c:3:5: error: ...". */
static void add_messages(tsr_text *out, const tsr_text *said, const tsr_folder *folder)
{
    const char *p = tsr_text_cstr(said), *path = tsr_text_cstr(&folder->path);
    for (const char *found = strstr(p, path); found; found = strstr(p, path)) {
        tsr_text_add_n(out, p, (size_t)(found - p));
        p = found + folder->path.nbytes;
        p += *p == '/';
    }
    tsr_text_add(out, p);
}

/* A message: its start and end in its line, and the place in the text (0: unknown). */
typedef struct message {
    int weight; /* of several messages, the first with the highest weight is reported */
    const char *start, *end;
    uint64_t line, col;
} message;

static bool holds(const char *start, const char *end, const char *word)
{
    const size_t n = strlen(word);
    while ((size_t)(end - start) >= n && strncmp(start, word, n) != 0)
        start++;
    return (size_t)(end - start) >= n;
}

/* Skip "kernel.c:LINE:COL: " at m->start and store the place. */
static void take_place(message *m)
{
    const size_t n = strlen(JIT_SOURCE_NAME);
    if (strncmp(m->start, JIT_SOURCE_NAME ":", n + 1) != 0)
        return;
    char *p;
    const uint64_t line = strtoull(m->start + n + 1, &p, 10);
    if (*p != ':' || line == 0)
        return;
    m->line = line;
    m->col = strtoull(p + 1, &p, 10);
    m->start = p + strspn(p, ": ");
}

static message read_line(const char *start, const char *end)
{
    static const char *const kinds[] = {"fatal error: ", "error: "};
    message m = {.weight = start < end, .start = start, .end = end};
    take_place(&m);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const size_t n = strlen(kinds[i]);
        if ((size_t)(m.end - m.start) > n && strncmp(m.start, kinds[i], n) == 0) {
            m.start += n;
            m.weight = m.line ? 4 : 2;
            return m;
        }
    }
    m.line = m.col = 0; /* the place is in another file */
    if (holds(m.start, m.end, "cannot find ") || holds(m.start, m.end, "undefined "))
        m.weight = 3; /* a message of the linker; the compiler itself only says that the linker failed */
    else if (holds(m.start, m.end, "error: "))
        m.weight = 2;
    return m;
}

static message find_message(const char *text)
{
    message best = {.weight = 0, .start = "", .end = ""};
    best.end = best.start;
    for (const char *p = text; *p;) {
        const char *end = p + strcspn(p, "\n");
        const message m = read_line(p, end);
        if (m.weight > best.weight)
            best = m;
        p = end + (*end == '\n');
    }
    return best;
}

/* The error for a compiler that ended with an exit code other than 0. */
static tsr_status refuse(const char *text, const jit_compiler *compiler, int exit_code, tsr_error *err)
{
    static const char *const openmp[] = {"-lomp", "-lgomp", "-liomp5", "libgomp.spec", "omp.h", "fopenmp"};
    static const char *const system[] = {"No space left on device", "Disk quota exceeded",
                                         "Read-only file system", "Permission denied"};
    static const char *const headers[] = {
        "stdint.h: No such file", "stdint.h' file not found", "libc-header-start.h: No such file",
        "cannot find crti.o",     "cannot find Scrt1.o",      "cannot find -lc:"};
    const message m = find_message(text);
    const int n = m.end - m.start < 300 ? (int)(m.end - m.start) : 300;
    const char *path = compiler->argv[0];
    for (size_t i = 0; i < sizeof system / sizeof system[0]; i++)
        if (strstr(text, system[i]))
            return tsr_fail(err, TSR_IO, "the compiler %s cannot write: %.*s", path, n, m.start);
    for (size_t i = 0; i < sizeof openmp / sizeof openmp[0]; i++)
        if (holds(m.start, m.end, openmp[i]))
            return tsr_fail(
                err, TSR_UNSUPPORTED,
                "the compiler %s lacks its OpenMP library (libomp for clang, libgomp for gcc): %.*s", path, n,
                m.start);
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        if (strstr(text, headers[i]))
            return tsr_fail(err, TSR_UNSUPPORTED,
                            "the compiler %s lacks the headers of the C library (Debian: libc6-dev, "
                            "libc6-dev-...-cross): %.*s",
                            path, n, m.start);
    if (m.line && !holds(m.start, m.end, ": No such file") && !holds(m.start, m.end, "file not found"))
        return tsr_fail_at(err, TSR_ARGUMENT, JIT_SOURCE_NAME, m.line, m.col,
                           "the compiler %s rejects the text: %.*s", path, n, m.start);
    return tsr_fail(err, TSR_UNSUPPORTED,
                    n ? "the compiler %s failed with exit code %d: %.*s"
                      : "the compiler %s failed (exit code %d, no message)%.*s",
                    path, exit_code, n, m.start);
}

/* ---- running it ---- */

/* The command: argv has the arguments, env what is added to the environment. */
typedef struct command {
    tsr_text source, object, temporary; /* paths, and the variable TMPDIR */
    const char **argv;
    const char *env[3];
} command;

static void command_clear(command *c)
{
    tsr_text_clear(&c->source);
    tsr_text_clear(&c->object);
    tsr_text_clear(&c->temporary);
    tsr_free(c->argv);
}

/* compiler TEXT FLAGS -o OBJECT, where TEXT and OBJECT are files in the folder: libraries among the flags come after the text that needs
 * them. Writes the text. Clear the command, on failure, too. */
static tsr_status command_init(command *c, const tsr_folder *folder, const jit_job *job, tsr_error *err)
{
    const jit_source *const source = &job->source;
    const jit_compiler *const compiler = source->compiler;
    const char *const path = tsr_text_cstr(&folder->path);
    size_t nflags = 0, n = 0;
    *c = (command){.argv = NULL};
    TSR_TRY(tsr_jit_file_write(folder->fd, JIT_SOURCE_NAME, source->text, strlen(source->text), false, err));
    while (source->flags[nflags])
        nflags++;
    tsr_text_addf(&c->source, "%s/%s", path, JIT_SOURCE_NAME);
    tsr_text_addf(&c->object, "%s/%s", path, job->object_name);
    tsr_text_addf(&c->temporary, "TMPDIR=%s", path);
    const char **const argv = c->argv = tsr_calloc(compiler->nargs + nflags + 6, sizeof *argv);
    if (!argv || c->source.failed || c->object.failed || c->temporary.failed)
        return tsr_fail(err, TSR_NOMEM, "out of memory for the arguments of the compiler");
    for (size_t i = 0; i < compiler->nargs; i++)
        argv[n++] = compiler->argv[i];
    if (source->is_cpp)
        argv[n++] = "-xc++";
    argv[n++] = tsr_text_cstr(&c->source);
    if (source->is_cpp) /* what follows is known by its suffix */
        argv[n++] = "-xnone";
    for (size_t i = 0; i < nflags; i++)
        argv[n++] = source->flags[i];
    argv[n++] = "-o";
    argv[n++] = tsr_text_cstr(&c->object);
    c->env[0] = "LC_ALL=C";
    c->env[1] = tsr_text_cstr(&c->temporary);
    return TSR_OK;
}

static tsr_status judge(const tsr_process_end *end, const char *messages, const tsr_folder *folder,
                        const jit_job *job, tsr_error *err)
{
    const char *path = job->source.compiler->argv[0];
    if (end->timed_out)
        return tsr_fail(err, TSR_LIMIT, "the compiler %s took longer than %.3g s and was stopped", path,
                        (double)job->timeout_ms / 1000);
    if (end->signal)
        return tsr_fail(err, TSR_UNSUPPORTED, "the compiler %s was ended by signal %d", path, end->signal);
    if (end->exit_code != 0)
        return refuse(messages, job->source.compiler, end->exit_code, err);
    struct stat s;
    if (fstatat(folder->fd, job->object_name, &s, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(s.st_mode))
        return tsr_fail(err, TSR_UNSUPPORTED, "the compiler %s reported success but wrote no file", path);
    return TSR_OK;
}

tsr_status tsr_jit_compile(const tsr_folder *folder, const jit_job *job, tsr_text *log, tsr_error *err)
{
    tsr_text said = {0}, messages = {0};
    command c;
    tsr_status status = command_init(&c, folder, job, err);
    if (status == TSR_OK) {
        const tsr_process_options options = {c.env, MAX_MESSAGES_NBYTES, job->timeout_ms, job->observer,
                                             "compile"};
        tsr_process_end end;
        status = tsr_process_run(&end, &said, &said, c.argv, &options, err);
        if (status == TSR_OK) {
            add_messages(&messages, &said, folder);
            status = tsr_text_status(&messages, err);
        }
        if (status == TSR_OK)
            status = judge(&end, tsr_text_cstr(&messages), folder, job, err);
        if (status != TSR_OK)
            tsr_text_add(log, tsr_text_cstr(&messages));
    }
    command_clear(&c);
    tsr_text_clear(&said);
    tsr_text_clear(&messages);
    return status;
}

tsr_status tsr_jit_launch(tsr_process *process, const tsr_folder *folder, const jit_job *job, tsr_error *err)
{
    command c;
    tsr_status status = command_init(&c, folder, job, err);
    if (status == TSR_OK)
        status = tsr_process_launch(process, c.argv, c.env, err);
    command_clear(&c);
    return status;
}
