/* Programs: see tsr_process.h. Whatever tsr_process_run returns, the child has been waited for and all our
 * descriptors are closed. */
#include "tsr_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tsr_alloc.h"
#include "tsr_interrupt.h"
#include "tsr_machine.h"
#include "tsr_system.h"

extern char **environ; /* POSIX: declared by its users */

enum {
    OUTPUT_NBYTES = 1 << 20, /* bytes of output kept unless the options say otherwise */
    LOOK_MS = 50,            /* how often to check whether a child that writes nothing has ended */
    ROUND_NBYTES = 1 << 20,  /* bytes to read before the clock is checked again; a pipe holds 64 KiB */
};

/* One output of a child: the end of the pipe that we read, and the text that receives it. */
typedef struct stream {
    int fd;         /* -1 at the end of the output */
    int child_fd;   /* the end that the child writes to; -1 once the child has started */
    bool piped;     /* false: dropped */
    tsr_text *text; /* the parameter of tsr_process_run */
    uint64_t left;  /* how many more bytes are kept */
} stream;

typedef struct child {
    pid_t pid;
    bool ended;
    bool lost; /* other code waited for the child, so its exit status is lost */
    int wait_status;
    int in, in_child_fd; /* the two ends of its standard input; -1: empty input */
    stream stream[2];
} child;

static const child no_child = {.pid = -1,
                               .in = -1,
                               .in_child_fd = -1,
                               .stream = {{.fd = -1, .child_fd = -1}, {.fd = -1, .child_fd = -1}}};

/* Replace *fd by a descriptor above the standard ones, which the caller may have closed. */
static bool raise_fd(int *fd)
{
    if (*fd > STDERR_FILENO)
        return true;
    const int raised = fcntl(*fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    const int error = errno;
    (void)close(*fd);
    *fd = raised;
    errno = error;
    return raised >= 0;
}

static tsr_status open_stream(stream *s, tsr_error *err)
{
    int fd[2];
    if (!tsr_system_pipe(fd))
        return tsr_fail_errno(err, errno, NULL, "cannot make a pipe");
    s->fd = fd[0];
    s->child_fd = fd[1];
    if (!raise_fd(&s->fd) || !raise_fd(&s->child_fd) || fcntl(s->fd, F_SETFL, O_NONBLOCK) != 0)
        return tsr_fail_errno(err, errno, NULL, "cannot make a pipe");
    return TSR_OK;
}

static tsr_status open_input(child *c, tsr_error *err)
{
    int fd[2];
    if (!tsr_system_sockets(fd))
        return tsr_fail_errno(err, errno, NULL, "cannot make a pair of sockets");
    c->in = fd[0];
    c->in_child_fd = fd[1];
    if (!raise_fd(&c->in) || !raise_fd(&c->in_child_fd))
        return tsr_fail_errno(err, errno, NULL, "cannot make a pair of sockets");
    return TSR_OK;
}

static void close_fd(int *fd)
{
    if (*fd >= 0)
        (void)close(*fd);
    *fd = -1;
}

/* The environment of this process with the variables of `extra`. NULL if memory runs out. */
static char **make_environment(const char *const *extra)
{
    size_t n = 0, nextra = 0;
    while (environ && environ[n])
        n++;
    while (extra && extra[nextra])
        nextra++;
    char **env = tsr_calloc(n + nextra + 1, sizeof *env);
    if (!env)
        return NULL;
    for (size_t i = 0; i < n; i++)
        env[i] = environ[i];
    for (size_t e = 0; e < nextra; e++) {
        const size_t nname = strcspn(extra[e], "=") + 1;
        size_t i = 0;
        while (i < n && strncmp(env[i], extra[e], nname) != 0)
            i++;
        n += i == n;
        /* the parameter of posix_spawn lacks const, but posix_spawn does not change it */
        memcpy(&env[i], &extra[e], sizeof env[i]);
    }
    return env;
}

/* Plan what the child does before it becomes the program. Returns an errno, 0 on success. */
static int plan_files(posix_spawn_file_actions_t *files, const child *c)
{
    int error = c->in_child_fd >= 0
                    ? posix_spawn_file_actions_adddup2(files, c->in_child_fd, STDIN_FILENO)
                    : posix_spawn_file_actions_addopen(files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    for (int i = 0; i < 2 && !error; i++)
        error = c->stream[i].piped
                    ? posix_spawn_file_actions_adddup2(files, c->stream[i].child_fd, STDOUT_FILENO + i)
                    : posix_spawn_file_actions_addopen(files, STDOUT_FILENO + i, "/dev/null", O_WRONLY, 0);
    return error;
}

static int plan_attributes(posix_spawnattr_t *attributes)
{
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual); /* signals that this process may ignore get their default action back */
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGCHLD);
    sigaddset(&usual, SIGINT);
    sigaddset(&usual, SIGQUIT);
    sigaddset(&usual, SIGXFSZ);
    int error = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                                         POSIX_SPAWN_SETSIGDEF);
    if (!error)
        error = posix_spawnattr_setpgroup(attributes, 0);
    if (!error)
        error = posix_spawnattr_setsigmask(attributes, &none);
    return error ? error : posix_spawnattr_setsigdefault(attributes, &usual);
}

static int spawn(child *c, const char *const *argv, char **env)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&files);
    if (error)
        return error;
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        error = plan_files(&files, c);
        if (!error)
            error = plan_attributes(&attributes);
        char **args;
        memcpy(&args, &argv, sizeof args); /* the parameter lacks const, as above */
        if (!error)
            error = posix_spawn(&c->pid, argv[0], &files, &attributes, args, env);
        (void)posix_spawnattr_destroy(&attributes);
    }
    (void)posix_spawn_file_actions_destroy(&files);
    return error;
}

static tsr_status start(child *c, const char *const *argv, const char *const *extra, tsr_error *err)
{
    for (int i = 0; i < 2; i++)
        if (c->stream[i].piped)
            TSR_TRY(open_stream(&c->stream[i], err));
    char **env = make_environment(extra);
    if (!env)
        return tsr_fail(err, TSR_NOMEM, "out of memory for the environment of %s", argv[0]);
    const int error = spawn(c, argv, env);
    tsr_free(env);
    close_fd(&c->in_child_fd);
    for (int i = 0; i < 2; i++)
        close_fd(&c->stream[i].child_fd);
    if (error) {
        (void)tsr_fail_errno(err, error, NULL, "cannot start %s", argv[0]);
        if (err)
            err->status = TSR_UNSUPPORTED;
        return TSR_UNSUPPORTED;
    }
    return TSR_OK;
}

/* Read the available bytes, about `most` at most. */
static void read_stream(stream *s, size_t most)
{
    char bytes[1 << 14];
    for (size_t done = 0; s->fd >= 0 && done < most;) {
        const ssize_t n = read(s->fd, bytes, sizeof bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return;
        if (n <= 0) {
            close_fd(&s->fd);
            return;
        }
        const size_t kept = (uint64_t)n < s->left ? (size_t)n : (size_t)s->left;
        tsr_text_add_n(s->text, bytes, kept);
        s->left -= kept;
        done += (size_t)n;
    }
}

/* Check whether the child has ended; if `wait`, wait until it has. */
static void look(child *c, bool wait)
{
    pid_t got;
    do
        got = waitpid(c->pid, &c->wait_status, wait ? 0 : WNOHANG);
    while (got < 0 && errno == EINTR);
    c->ended = got != 0;
    c->lost = got < 0;
}

/* Sleep until an output has bytes, for at most `ms` milliseconds. */
static void wait_for_output(const child *c, int ms)
{
    struct pollfd fds[3] = {{tsr_interrupt_fd(), POLLIN, 0}};
    nfds_t n = 1;
    for (int i = 0; i < 2; i++)
        if (c->stream[i].fd >= 0)
            fds[n++] = (struct pollfd){c->stream[i].fd, POLLIN, 0};
    (void)poll(fds, n, ms); /* after an interrupt or an error the caller just checks earlier */
}

/* Whether the caller wants the child to end. */
static bool is_cancelled(const tsr_process_options *options)
{
    return tsr_interrupted() || tsr_progress(options->observer, options->phase, 0, 0, NULL) != TSR_OK;
}

/* Read and wait until the child has ended; kill it when its time is over (end->timed_out) or when the caller cancels, which is what the
 * function returns. */
static bool attend(tsr_process_end *end, child *c, const tsr_process_options *options)
{
    const uint64_t start_ns = tsr_now_ns(), timeout_ms = options->timeout_ms;
    int pause_ms = 0; /* pause between checks of a child whose outputs are closed: usually it ends at once */
    bool cancelled = false;
    while (!c->ended) {
        const uint64_t spent_ms = (tsr_now_ns() - start_ns) / 1000000u;
        end->timed_out = timeout_ms && spent_ms >= timeout_ms;
        cancelled = !end->timed_out && is_cancelled(options);
        if (end->timed_out || cancelled) {
            (void)kill(-c->pid, SIGKILL); /* the child was not waited for yet, so its number was not reused */
            look(c, true);
            break;
        }
        const bool open = c->stream[0].fd >= 0 || c->stream[1].fd >= 0;
        int ms = open ? LOOK_MS : pause_ms;
        if (timeout_ms && (uint64_t)ms > timeout_ms - spent_ms)
            ms = (int)(timeout_ms - spent_ms);
        wait_for_output(c, ms);
        if (!open)
            pause_ms = pause_ms < LOOK_MS ? pause_ms + 1 : LOOK_MS;
        for (int i = 0; i < 2; i++)
            read_stream(&c->stream[i], ROUND_NBYTES);
        look(c, false);
    }
    for (int i = 0; i < 2; i++)
        read_stream(&c->stream[i], ROUND_NBYTES);
    return cancelled;
}

static void set_end(tsr_process_end *end, int wait_status)
{
    if (WIFEXITED(wait_status))
        end->exit_code = WEXITSTATUS(wait_status);
    else
        end->signal = WTERMSIG(wait_status);
}

tsr_status tsr_process_run(tsr_process_end *end, tsr_text *out, tsr_text *errors, const char *const *argv,
                           const tsr_process_options *options, tsr_error *err)
{
    static const tsr_process_options defaults = {0};
    *end = (tsr_process_end){-1, 0, false};
    if (!options)
        options = &defaults;
    const uint64_t keep = options->output_nbytes ? options->output_nbytes : OUTPUT_NBYTES;
    child c = no_child;
    c.stream[0] = (stream){-1, -1, out != NULL, out, keep};
    c.stream[1] = (stream){-1, -1, errors != NULL, errors, keep};
    tsr_status status = start(&c, argv, options->env, err);
    const bool cancelled = status == TSR_OK && attend(end, &c, options);
    for (int i = 0; i < 2; i++) {
        close_fd(&c.stream[i].fd);
        close_fd(&c.stream[i].child_fd);
    }
    TSR_TRY(status);
    TSR_TRY(tsr_interrupt_check(err)); /* the request may be the reason why the child was killed */
    if (cancelled)
        return tsr_fail(err, TSR_CANCELLED, "cancelled during phase %s", options->phase);
    if (c.lost)
        return tsr_fail(err, TSR_IO,
                        "%s ended, but the exit status is lost since this program ignores SIGCHLD", argv[0]);
    set_end(end, c.wait_status);
    for (int i = 0; i < 2 && status == TSR_OK; i++)
        if (c.stream[i].text)
            status = tsr_text_status(c.stream[i].text, err);
    return status;
}

/* ---- programs that keep running ---- */

tsr_status tsr_process_start(tsr_process *process, const char *const *argv, const char *const *env,
                             tsr_error *err)
{
    child c = no_child;
    *process = (tsr_process){.in = -1, .out = -1, .errors = -1};
    c.stream[0].piped = c.stream[1].piped = true;
    tsr_status status = open_input(&c, err);
    if (status == TSR_OK)
        status = start(&c, argv, env, err);
    if (status != TSR_OK) {
        close_fd(&c.in);
        close_fd(&c.in_child_fd);
        for (int i = 0; i < 2; i++) {
            close_fd(&c.stream[i].fd);
            close_fd(&c.stream[i].child_fd);
        }
        return status;
    }
    *process = (tsr_process){c.pid, c.in, c.stream[0].fd, c.stream[1].fd};
    return TSR_OK;
}

tsr_status tsr_process_launch(tsr_process *process, const char *const *argv, const char *const *env,
                              tsr_error *err)
{
    child c = no_child;
    const tsr_status status = start(&c, argv, env, err);
    *process = (tsr_process){.pid = status == TSR_OK ? c.pid : 0, .in = -1, .out = -1, .errors = -1};
    return status;
}

/* The child is not waited for, so that its number and the number of its group are not reused. */
bool tsr_process_has_ended(const tsr_process *process)
{
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)process->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           info.si_pid == process->pid;
}

void tsr_process_stop(tsr_process_end *end, tsr_process *process, uint64_t grace_ms)
{
    tsr_process_end mine = {-1, 0, false};
    child c = no_child;
    close_fd(&process->in);
    if (process->pid > 0) {
        const uint64_t start_ns = tsr_now_ns();
        while (!tsr_process_has_ended(process) && tsr_now_ns() - start_ns < grace_ms * 1000000u)
            (void)poll(NULL, 0, 1);
        mine.timed_out = !tsr_process_has_ended(process);
        (void)kill(-process->pid, SIGKILL);
        c.pid = process->pid;
        look(&c, true);
        if (!c.lost)
            set_end(&mine, c.wait_status);
        process->pid = 0;
    }
    if (end)
        *end = mine;
}

void tsr_process_clear(tsr_process *process)
{
    close_fd(&process->out);
    close_fd(&process->errors);
}

/* ---- finding ---- */

static bool is_program(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISREG(s.st_mode) && access(path, X_OK) == 0;
}

tsr_status tsr_process_find(tsr_text *path, const char *name, tsr_error *err)
{
    if (strchr(name, '/')) {
        if (!is_program(name))
            return tsr_fail(err, TSR_UNSUPPORTED, "%s is not a program that can be run", name);
        tsr_text_add(path, name);
        return tsr_text_status(path, err);
    }
    const char *folders = getenv("PATH");
    if (!folders || !*folders)
        folders = "/usr/local/bin:/usr/bin:/bin";
    for (const char *p = folders; *name && *p; p += *p == ':') {
        const size_t n = strcspn(p, ":");
        tsr_text candidate = {0};
        tsr_text_add_n(&candidate, p, n);
        tsr_text_add(&candidate, "/");
        tsr_text_add(&candidate, name);
        const tsr_status status = tsr_text_status(&candidate, err);
        const bool found = status == TSR_OK && n > 0 && is_program(tsr_text_cstr(&candidate));
        if (found)
            tsr_text_add(path, tsr_text_cstr(&candidate));
        tsr_text_clear(&candidate);
        TSR_TRY(status);
        if (found)
            return tsr_text_status(path, err);
        p += n;
    }
    return tsr_fail(err, TSR_UNSUPPORTED, "no program \"%s\" in the folders of PATH", name);
}
