/* Which format to choose: the one rule behind the table on the terminal, report.md, the page and README.
 *
 * A run counts by its median. The speed-up of a format is the reference's median over its own (so a reader
 * can divide the two columns), with the 95% interval of the rounds in which both ran. Where that interval
 * holds 1 the two are tied: the samples do not tell them apart, and the format counts as no faster than the
 * reference. All that is said afterwards follows from these times and from packing alone: from how many runs
 * on, or until how many, a format is cheaper than the reference, and which one is cheapest for 1, 10, 100 and
 * 10,000 runs. So the format that is named cheapest for n runs pays for n runs, and one whose runs are not
 * faster never pays for dearer packing. */
#ifndef BENCH_CHOICE_H
#define BENCH_CHOICE_H

#include "bench_record.h"
#include "tsr_text.h"

/* ---- what it costs ---- */

/* `pack` once, then `run` for each run of the kernel, in the same unit. */
typedef struct bench_cost {
    double pack, run;
} bench_cost;

/* After how many runs the format has cost no more than the reference: the smallest n >= 0 with
 * pack + n * run <= pack' + n * run', where that then stays so. 0: from the start; infinity: never. */
double bench_break_even(bench_cost format, bench_cost reference);
/* Up to how many runs a format whose runs are slower costs less, because packing is cheaper: the largest n
 * with pack + n * run <= pack' + n * run'. 0: it never does; infinity: its runs are not slower. */
double bench_cheap_until(bench_cost format, bench_cost reference);

/* ---- how a row stands to the reference ---- */

typedef enum bench_relation {
    BENCH_UNMEASURED, /* the row, or the reference, has no samples */
    BENCH_REFERENCE,  /* it is the reference */
    BENCH_UNSURE,     /* fewer than three rounds in which both ran: nothing can be said */
    BENCH_TIED,       /* the interval of the speed-up holds 1 */
    BENCH_QUICKER,
    BENCH_BEHIND,
} bench_relation;

typedef struct bench_standing {
    bench_relation relation;
    bench_ratio speedup; /* the reference's median over the row's; without a reference what the record says */
    double run_ns; /* what a run counts: the median; where they are tied or unsure at least the reference's */
    double pays;   /* bench_break_even; NAN: unmeasured, unsure, the reference itself, or packing not timed */
    double until;  /* bench_cheap_until, where pays is infinity; else 0 */
} bench_standing;

/* The quotient a's median / b's, and the 95% interval of the rounds in which both ran, which holds it;
 * without such rounds 0 to infinity. Both have samples. */
bench_ratio bench_median_ratio(const bench_row *a, const bench_row *b);

/* ---- the choice ---- */

enum { BENCH_NOFTEN = 4, BENCH_MAX_TIED = 16 };

/* "1 run" 1, "10" 10, "100" 100, "10,000" 10000. */
typedef struct bench_often {
    const char *text;
    double nruns;
} bench_often;
extern const bench_often bench_oftens[BENCH_NOFTEN];

/* Rows are told by their number. Only rows of ours are chosen: forms of other programs cannot be. */
typedef struct bench_choice {
    size_t n;
    size_t reference;            /* n: no row of ours was measured, and all below is n or 0 */
    size_t best;                 /* the quickest of those that are surely quicker than the reference, else the
                                    reference */
    size_t winner[BENCH_NOFTEN]; /* the cheapest for so many runs */
    size_t tied[BENCH_MAX_TIED]; /* of ours, whose runs cannot be told from the best's */
    size_t ntied;
    bool is_sure; /* there are two rows of ours or more, and no row is unsure */
} bench_choice;

/* The choice among rows[0..n), which are of one case, and how each row stands (standings[0..n)).
 * The reference is the row of ours that `reference` of the rows names, else the first of ours that was
 * measured. */
void bench_choose(bench_choice *choice, bench_standing *standings, const bench_row *rows, size_t n);

/* ---- in words ---- */

/* When a format is cheaper than the reference, packing and running together: "always", "from 12" runs on,
 * "until 12" runs, "never", "tied" (runs are not faster within the noise, and packing is dearer); "" where
 * pays is NAN. Into buf of BENCH_LABEL_NBYTES. */
char *bench_pays_label(char *buf, const bench_standing *standing);

/* Append "csf runs 1.70 (1.62 to 1.81) times as fast as coo; packing pays after 4 runs. hicoo(128) runs as
 * fast within the noise." or what else there is to say; nothing when there is one format alone. */
void bench_choice_sentence(tsr_text *text, const bench_choice *choice, const bench_standing *standings,
                           const bench_row *rows);

#endif
