/* Signals: see signals.h. */
#include "signals.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/resource.h>
#include <time.h>

#include "tsr_interrupt.h"

enum { REPEAT_NS = 500000000 }; /* timeout(1) and terminals send a signal twice at once: both count as one */

typedef struct end_signal {
    int number;
    bool insists; /* a second signal of this kind ends the process at once */
    const char *words;
} end_signal;

static const end_signal ends[] = {
    {SIGINT, true, "interrupted"},
    {SIGTERM, true, "interrupted by SIGTERM"},
    {SIGQUIT, true, "interrupted by SIGQUIT"},
    {SIGHUP, false, "interrupted by SIGHUP: the terminal is gone"},
    {SIGALRM, false, "interrupted by SIGALRM"},
    {SIGXCPU, false, "interrupted by SIGXCPU: the limit of processor time (ulimit -t) is reached"},
    {SIGPIPE, false, NULL}, /* the reader of the output has closed it */
};
enum { NENDS = sizeof ends / sizeof *ends };

static atomic_int caught; /* the first signal, 0: none */
static atomic_llong caught_ns;
static atomic_bool direct;

static long long now_ns(void)
{
    struct timespec t = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (long long)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* End the process with the signal, without a core file. In a handler this takes effect when the handler
 * returns. */
static void die_by(int number)
{
    struct rlimit cores;
    if (getrlimit(RLIMIT_CORE, &cores) == 0) {
        cores.rlim_cur = 0;
        (void)setrlimit(RLIMIT_CORE, &cores);
    }
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigemptyset(&action.sa_mask);
    (void)sigaction(number, &action, NULL);
    (void)raise(number);
}

static bool insists(int number)
{
    for (int i = 0; i < NENDS; i++)
        if (ends[i].number == number)
            return ends[i].insists;
    return false;
}

static void on_signal(int number)
{
    int none = 0;
    const long long now = now_ns(),
                    /* 0: the first signal is still being handled, in another thread */
        first = atomic_load(&caught_ns);
    if (atomic_compare_exchange_strong(&caught, &none, number))
        atomic_store(&caught_ns, now);
    else if (insists(number) && first && now - first >= REPEAT_NS)
        die_by(number);
    if (atomic_load(&direct))
        die_by(number);
    tsr_interrupt();
}

static void set_handler(int number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler}, before; /* no SA_RESTART: waits must end */
    sigemptyset(&action.sa_mask);
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        (void)sigaction(number, &action, NULL);
}

void tsr_cli_signals_init(void)
{
    if (!tsr_interrupt_init())
        /* no descriptor is left: the default actions of the signals are better than a wait without end */
        return;
    for (int i = 0; i < NENDS; i++)
        set_handler(ends[i].number, on_signal);
    set_handler(SIGXFSZ, SIG_IGN);
}

bool tsr_cli_interrupted(void)
{
    return atomic_load(&caught) != 0;
}

int tsr_cli_interrupt_code(void)
{
    const int number = atomic_load(&caught);
    return 128 + (number ? number : SIGINT);
}

const char *tsr_cli_interrupt_words(void)
{
    const int number = atomic_load(&caught);
    for (int i = 0; i < NENDS; i++)
        if (ends[i].number == number)
            return ends[i].words;
    return "interrupted";
}

tsr_status tsr_cli_signals_direct(bool on, tsr_error *err)
{
    atomic_store(&direct, on);
    return on ? tsr_interrupt_check(err) : TSR_OK;
}

int tsr_cli_end(int code)
{
    const int number = atomic_load(&caught);
    if (number && code == 128 + number)
        die_by(number);
    return code;
}
