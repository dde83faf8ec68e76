/* Programs: started by an argument vector (never by a shell), with their output caught and a limit on their
 * time. */
#ifndef TSR_PROCESS_H
#define TSR_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tsr_error.h"
#include "tsr_text.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tsr_process_options {
    const char *const *env; /* "NAME=VALUE"...: added to the program's environment, or in the place of what
                               has that name; NULL-terminated, or NULL */
    uint64_t output_nbytes; /* kept of each output, the rest is read and dropped; 0: 1 MiB */
    uint64_t timeout_ms;    /* after that it is killed with all that it started; 0: never */
} tsr_process_options;

typedef struct tsr_process_end {
    int exit_code; /* 0..255; -1 when it did not exit by itself */
    int signal;    /* the signal that ended it, else 0 */
    bool timed_out;
} tsr_process_end;

/* Run argv[0] (a path: see tsr_process_find) with argv, NULL-terminated, in a process group of its own and
 * wait for its end. Its standard input is empty. What it writes to standard output and standard error is
 * appended to *out and *errors (may be one text; NULL: dropped). What it started and left running in the
 * background is not waited for. After tsr_interrupt it is killed with all that it started:
 * TSR_CANCELLED. TSR_UNSUPPORTED: cannot be started; TSR_IO: the system refuses a pipe, or
 * somebody else took its end (SIGCHLD is ignored); TSR_NOMEM. options may be NULL. */
tsr_status tsr_process_run(tsr_process_end *end, tsr_text *out, tsr_text *errors, const char *const *argv,
                           const tsr_process_options *options, tsr_error *err) TSR_NODISCARD;

/* A program that one talks with. */
typedef struct tsr_process {
    int pid;         /* 0: none, or stopped */
    int in;          /* a socket to its standard input: send with MSG_NOSIGNAL; -1: closed */
    int out, errors; /* pipes from its outputs, which do not block */
} tsr_process;

/* Start it as tsr_process_run does, `env` being that of its options; it goes on until tsr_process_stop.
 * Statuses as there. */
tsr_status tsr_process_start(tsr_process *process, const char *const *argv, const char *const *env,
                             tsr_error *err) TSR_NODISCARD;
/* Wait for its end for up to grace_ms, then kill it with all that it started; all is closed but `out` and
 * `errors`, in which what it wrote can still be read. end may be NULL; timed_out: it was killed. */
void tsr_process_stop(tsr_process_end *end, tsr_process *process, uint64_t grace_ms);
/* Close the outputs as well. */
void tsr_process_clear(tsr_process *process);

/* Append the path of the program `name`: itself when it has a '/' in it, else the first executable file of
 * that name in the folders of $PATH (empty ones, which mean the working folder, are passed over).
 * TSR_UNSUPPORTED when there is none. */
tsr_status tsr_process_find(tsr_text *path, const char *name, tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
