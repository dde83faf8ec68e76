/* Compares candidates (formats and baselines) on one case: packs, checks, measures, prints, records. */
#ifndef BENCH_CONTEST_H
#define BENCH_CONTEST_H

#include "bench_formats.h"
#include "bench_options.h"
#include "bench_packs.h"
#include "bench_pages.h"
#include "bench_chosen.h"
#include "bench_table.h"

/* The state that is shared by the cases of a command. */
typedef struct bench_contest {
    bench_settings *how;
    tsr_cli_report *report;
    bench_record *record;
    const char *formats; /* of --format, or NULL */
    tsr_type
        stored; /* the type in which Tessera stores the sparse operands: that of the case, or f16 or bf16 */
    const char *schedule;
    const bench_chosen *baselines;
    const char *path;      /* path of the file with the entries */
    bench_dataset dataset; /* the dataset of the entries */
    bool wrong;            /* some answer was wrong */
    bool nothing;          /* in some case no format was measured */
    bool refused;          /* a format of `formats` was not measured for lack of memory */
    uint32_t row;          /* the next row of the record in this pass */
    bench_pages pages;
    bench_remarks remarks;  /* remarks below the tables of this pass */
    bench_remarks failures; /* remarks of all passes on standard error */
    tsr_folder folder;      /* folder for the programs of baselines: see bench_child.h */
} bench_contest;

/* Begin a pass over all cases: the first one, or one whose samples are added to the rows of the earlier
 * passes. */
void bench_contest_pass(bench_contest *contest, bool last);
/* Print the tables that were not printed yet, remove the folder of programs, free everything. */
void bench_contest_clear(bench_contest *contest);

/* Measure the case with each thread count, print a table and the choice (in the last pass; see
 * bench_pages.h), and add rows to the record, or samples to its rows. A format that has no kernel, a wrong
 * answer or not enough memory is a line below the first table that lacks it; a case without any measured
 * format is a line on standard error. Formats that do not fit into memory beside the others are measured one
 * by one, after the others are freed; those are packed again when they are needed. On TSR_CANCELLED the rows
 * measured so far are printed and recorded. */
tsr_status bench_contest_case(bench_contest *contest, const bench_case *c, bench_packs *packs,
                              tsr_error *err) TSR_NODISCARD;

#endif
