/* The request to stop: see tsr_interrupt.h. Threads that compute look at a flag. Threads that wait poll a
 * pipe that holds one byte which is never read, so that a wait that begins after the request ends at once. */
#include "tsr_interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <unistd.h>

#include "tsr_system.h"

static atomic_bool requested;
static atomic_int wake_from = -1, wake_to = -1; /* the ends of the pipe */

bool tsr_interrupt_init(void)
{
    int fd[2];
    if (atomic_load(&wake_from) >= 0)
        return true;
    if (!tsr_system_pipe(fd))
        return false;
    for (int i = 0; i < 2; i++) { /* keep the numbers of closed standard streams free */
        const int raised = fd[i] > STDERR_FILENO ? fd[i] : fcntl(fd[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        if (raised != fd[i])
            (void)close(fd[i]);
        fd[i] = raised;
    }
    if (fd[0] < 0 || fd[1] < 0 || fcntl(fd[0], F_SETFL, O_NONBLOCK) != 0 ||
        fcntl(fd[1], F_SETFL, O_NONBLOCK) != 0) {
        for (int i = 0; i < 2; i++)
            if (fd[i] >= 0)
                (void)close(fd[i]);
        return false;
    }
    atomic_store(&wake_to, fd[1]);
    atomic_store(&wake_from, fd[0]);
    return true;
}

void tsr_interrupt(void)
{
    const int saved = errno, to = atomic_load(&wake_to);
    atomic_store(&requested, true);
    if (to >= 0) {
        const ssize_t n = write(to, "", 1); /* the pipe is full: the request was made before */
        (void)n;
    }
    errno = saved;
}

/* Of each thread: a call of the library is in one thread, and the threads that help it look at the scope that it hands on. */
static _Thread_local tsr_interrupt_scope here;

tsr_interrupt_scope tsr_interrupt_enter(tsr_interrupt_scope scope)
{
    const tsr_interrupt_scope before = here;
    here = scope;
    return before;
}

tsr_interrupt_scope tsr_interrupt_here(void)
{
    return here;
}

static bool is_asked(const tsr_interrupt_scope *scope)
{
    return scope->asked && scope->asked(scope->ctx);
}

bool tsr_interrupted_in(const tsr_interrupt_scope *scope)
{
    return atomic_load_explicit(&requested, memory_order_relaxed) || is_asked(scope);
}

bool tsr_interrupted(void)
{
    return tsr_interrupted_in(&here);
}

void tsr_interrupt_reset(void)
{
    char bytes[64];
    const int from = atomic_load(&wake_from);
    while (from >= 0 && read(from, bytes, sizeof bytes) > 0) {
    }
    atomic_store(&requested, false);
}

tsr_status tsr_interrupt_check(tsr_error *err)
{
    if (atomic_load_explicit(&requested, memory_order_relaxed))
        return tsr_fail(err, TSR_CANCELLED, "interrupted");
    return is_asked(&here) ? tsr_fail(err, TSR_CANCELLED, "cancelled") : TSR_OK;
}

int tsr_interrupt_fd(void)
{
    return atomic_load(&wake_from);
}

void tsr_interrupt_sleep(int ms)
{
    struct pollfd fd = {tsr_interrupt_fd(), POLLIN, 0};
    (void)poll(&fd, 1, ms); /* a signal may end it early: callers check again */
}
