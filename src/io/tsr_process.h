/* Running programs: from an argument vector (never through a shell), with captured output and a time
 * limit. */
#ifndef TSR_PROCESS_H
#define TSR_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tsr_error.h"
#include "tsr_observer.h"
#include "tsr_text.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tsr_process_options {
    /* "NAME=VALUE"...: added to the environment of the program, replacing variables of the same name;
     * NULL-terminated, or NULL */
    const char *const *env;
    uint64_t output_nbytes; /* bytes kept of each output, the rest is read and dropped; 0: 1 MiB */
    /* after that the program and all processes that it started are killed; 0: no limit */
    uint64_t timeout_ms;
    const tsr_observer *observer; /* asked again and again, with `phase`, whether to go on; may be NULL */
    const char *phase;
} tsr_process_options;

typedef struct tsr_process_end {
    int exit_code; /* 0..255; -1 when a signal ended it */
    int signal;    /* the signal that ended it; 0: none */
    bool timed_out;
} tsr_process_end;

/* Run argv[0] (a path: see tsr_process_find) with argv, NULL-terminated, in a process group of its own, and
 * wait for its end. Its standard input is empty. Its standard output and standard error are appended to *out
 * and *errors (which may be the same text; NULL: dropped). Processes that it leaves running in the background
 * are not waited for. After tsr_interrupt, or when the observer cancels, the program and all processes that it started are killed:
 * TSR_CANCELLED. TSR_UNSUPPORTED: it cannot be started; TSR_IO: the system refuses a pipe, or its exit status
 * is lost (the caller ignores SIGCHLD); TSR_NOMEM. options may be NULL. */
tsr_status tsr_process_run(tsr_process_end *end, tsr_text *out, tsr_text *errors, const char *const *argv,
                           const tsr_process_options *options, tsr_error *err) TSR_NODISCARD;

/* A running program that the caller talks with. */
typedef struct tsr_process {
    int pid;         /* 0: not started, or stopped */
    int in;          /* a socket to the standard input of the program: send with MSG_NOSIGNAL; -1: closed */
    int out, errors; /* non-blocking pipes from its standard output and standard error */
} tsr_process;

/* Start a program as tsr_process_run does; `env` is that of tsr_process_options. It runs until
 * tsr_process_stop. Errors as tsr_process_run. */
tsr_status tsr_process_start(tsr_process *process, const char *const *argv, const char *const *env,
                             tsr_error *err) TSR_NODISCARD;
/* The same for a program that the caller does not talk with: its input is empty, its outputs are dropped. */
tsr_status tsr_process_launch(tsr_process *process, const char *const *argv, const char *const *env,
                              tsr_error *err) TSR_NODISCARD;
/* Whether the program has ended; tsr_process_stop then says how. */
bool tsr_process_has_ended(const tsr_process *process);
/* Wait up to grace_ms for the end of the program, then kill it and all processes that it started. Closes all
 * descriptors except `out` and `errors`, so that the rest of its output can still be read. end may be NULL;
 * end->timed_out: it was killed. */
void tsr_process_stop(tsr_process_end *end, tsr_process *process, uint64_t grace_ms);
/* Close `out` and `errors` as well. */
void tsr_process_clear(tsr_process *process);

/* Append the path of the program `name`: the name itself if it contains a '/', else the first executable file
 * of that name in the folders of $PATH (empty parts of $PATH, which mean the working folder, are skipped).
 * TSR_UNSUPPORTED when there is no such file. */
tsr_status tsr_process_find(tsr_text *path, const char *name, tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
