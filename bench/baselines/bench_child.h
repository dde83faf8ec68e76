/* Baselines that are programs. A child process takes a case, packs it, and then runs it on request, so that
 * its rounds take turns with those of Tessera and its answers can be checked. README.md describes the
 * protocol; drivers/bench_driver.h implements it for children written in C. */
#ifndef BENCH_CHILD_H
#define BENCH_CHILD_H

#include "bench_baseline.h"
#include "tsr_text.h"

/* Start argv (NULL-terminated; argv[0] is a path, or a name to search in $PATH) with two more arguments: the
 * file of the case, and the number of threads. Returns when the child has packed. *state is for the functions
 * below. TSR_UNSUPPORTED with the reason: there is no such program, it reports an error, dies, breaks the
 * protocol, or takes longer than `asked` allows. TSR_CANCELLED: Ctrl-C. */
tsr_status bench_child_start(void **state, bench_opened *opened, const char *const *argv, const bench_case *c,
                             const bench_asked *asked, tsr_error *err) TSR_NODISCARD;

/* The functions of a bench_baseline; `state` was made by bench_child_start. */
tsr_status bench_child_run(void *state, tsr_error *err); /* a hot run, unless `asked` is cold */
void bench_child_overwrite(void *state);
tsr_status bench_child_result(const double **cells, void *state, tsr_error *err);
tsr_status bench_child_entries(const tsr_coo **result, void *state, tsr_error *err);
double bench_child_said_ns(void *state); /* of one run: the mean */
void bench_child_close(void *state);     /* kills the child and all processes that it started */

/* Append the path of a file NAME with this text in the private folder of this command; an existing file is
 * kept. */
tsr_status bench_child_file(tsr_text *path, const bench_asked *asked, const char *name, const char *text,
                            tsr_error *err) TSR_NODISCARD;

/* The source of a program. */
typedef struct bench_source {
    const char *text; /* it may include "bench_driver.h" */
    bool is_cpp;
    const char *const
        *flags; /* NULL-terminated; they come after the source: -O3, -march=native, -I, libraries... */
} bench_source;
/* Append the path of the program that the C compiler of tkern ($TSR_CC, else cc) makes of the source, in the private folder of this
 * command. It is compiled once for the same text, headers, flags and compiler: tsr_jit_program keeps it in the cache of kernels.
 * TSR_UNSUPPORTED or TSR_ARGUMENT, with the compiler's first error, if it does not compile. */
tsr_status bench_child_program(tsr_text *path, const bench_asked *asked, const bench_source *source,
                               tsr_error *err) TSR_NODISCARD;

/* The files of drivers/, built in as text. */
typedef struct bench_driver_text {
    const char *name; /* "scipy.py" */
    const char *text;
} bench_driver_text;
extern const bench_driver_text bench_driver_texts[]; /* a NULL name ends the list */
/* The text of the file with that name; NULL: there is no such file. */
const char *bench_driver_find(const char *name);

#endif
