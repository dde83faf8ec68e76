/* Baselines that are programs of their own. A child process takes a case in, packs it, and then runs it when
 * it is asked, so that its rounds interleave with ours and its answers come back to be checked. README.md has
 * the protocol; drivers/bench_driver.h is the side of a child written in C. */
#ifndef BENCH_CHILD_H
#define BENCH_CHILD_H

#include "bench_baseline.h"
#include "tsr_text.h"

/* Start argv (NULL-terminated; argv[0] a path, or a name that is looked for in $PATH) with two arguments
 * more: the file of the case, and the number of threads. Returns when it has packed. *state is for the
 * functions below. TSR_UNSUPPORTED, with a sentence: there is no such program, it says an error, dies,
 * answers otherwise than the protocol has it, or takes longer than `asked` allows. TSR_CANCELLED: Ctrl-C. */
tsr_status bench_child_start(void **state, bench_opened *opened, const char *const *argv, const bench_case *c,
                             const bench_asked *asked, tsr_error *err) TSR_NODISCARD;

/* The functions of a bench_baseline; `state` is what bench_child_start made. */
tsr_status bench_child_run(void *state, tsr_error *err); /* hot, unless `asked` is cold */
void bench_child_overwrite(void *state);
tsr_status bench_child_result(const double **cells, void *state, tsr_error *err);
tsr_status bench_child_entries(const tsr_coo **result, void *state, tsr_error *err);
double bench_child_said_ns(void *state); /* of one run: the mean */
void bench_child_close(void *state);     /* kills it, with all that it started */

/* Append the path of a file NAME with this text in the run's private folder; one that is there stays. */
tsr_status bench_child_file(tsr_text *path, const bench_asked *asked, const char *name, const char *text,
                            tsr_error *err) TSR_NODISCARD;

/* Append the path of the program that the C compiler of tkern ($TSR_CC, else cc) makes of one C source in the
 * run's private folder; made once a run for the same text and flags. `flags`, NULL-terminated, stand behind
 * the source: -O3, -march=native, -I and libraries are the caller's. The source may include "bench_driver.h".
 * What the compiler refuses is TSR_UNSUPPORTED or TSR_ARGUMENT, with its first complaint. */
tsr_status bench_child_program(tsr_text *path, const bench_asked *asked, const char *source,
                               const char *const *flags, tsr_error *err) TSR_NODISCARD;

/* The files of drivers/, as texts of the program. */
typedef struct bench_driver_text {
    const char *name; /* "scipy.py" */
    const char *text;
} bench_driver_text;
extern const bench_driver_text bench_driver_texts[]; /* NULL name at the end */
/* The text of the file of that name; NULL: there is none. */
const char *bench_driver_find(const char *name);

#endif
