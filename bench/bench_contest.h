/* Formats (and baselines) against each other on one case: packed, checked, measured, shown, recorded. */
#ifndef BENCH_CONTEST_H
#define BENCH_CONTEST_H

#include "bench_baseline.h"
#include "bench_formats.h"
#include "bench_options.h"
#include "bench_packs.h"
#include "bench_pages.h"
#include "bench_table.h"

enum { BENCH_MAX_BASELINES = 16 };

/* A baseline that is asked for. */
typedef struct bench_rival {
    const bench_baseline *baseline;
    const char *path; /* of its program, or NULL */
} bench_rival;

/* What stays the same over the cases of a run. */
typedef struct bench_contest {
    const bench_settings *how;
    tsr_cli_report *report;
    bench_record *record;
    const char *formats; /* of --format, or NULL */
    const char *schedule;
    int nrivals;
    bench_rival rivals[BENCH_MAX_BASELINES];
    const char *path;      /* of the file that they are from */
    bench_dataset dataset; /* whose entries they are */
    bool wrong;            /* an answer was wrong */
    bool nothing;          /* there was a case of which no format was measured */
    bool refused;          /* a format of `formats` could not be had: memory */
    uint32_t row;          /* of the record: the next one's in this pass */
    bench_pages pages;
    bench_remarks remarks;  /* of this pass, in its tables */
    bench_remarks failures; /* of all passes, on standard error */
    tsr_folder folder;      /* of programs that run beside ours: bench_child.h */
} bench_contest;

/* A pass over all cases begins: the first, or one whose rows join those of the passes before. */
void bench_contest_pass(bench_contest *contest, bool last);
/* At the end: print the tables that were not printed yet, remove the folder of programs, free all. */
void bench_contest_clear(bench_contest *contest);

/* Measure the case for each thread count, print a table and the winners (in the last pass; see
 * bench_pages.h), add rows to the record or join them. A format that has no kernel, or a wrong answer, is a
 * line below the first table that lacks it, as is one that there is no memory for; a case without any format
 * is a line on standard error. Late formats are measured one by one when those before are dropped, which are
 * packed again when they are wanted. On TSR_CANCELLED what was measured is shown and recorded. */
tsr_status bench_contest_case(bench_contest *contest, const bench_case *c, bench_packs *packs,
                              tsr_error *err) TSR_NODISCARD;

#endif
