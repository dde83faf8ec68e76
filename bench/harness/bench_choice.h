/* The choice of a format: the one rule for the table on the terminal, report.md, the page and README.
 *
 * A run counts with its median. The speed-up of a format is the median of the reference over the median of
 * the format (so a reader can divide the two columns), with the 95% interval of the rounds in which both ran.
 * If that interval contains 1 the two are tied: the samples cannot tell them apart, and the format counts as
 * not faster than the reference; wherever costs are compared, it runs as slowly as the interval allows. Everything else follows from these times and from the packing times: from
 * how many runs on, or up to how many runs, a format is cheaper than the reference, and which format is the
 * cheapest for 1, 10, 100 and 10,000 runs. So the format that is called the cheapest for n runs pays for n
 * runs, and a format whose runs are not faster never pays for dearer packing. */
#ifndef BENCH_CHOICE_H
#define BENCH_CHOICE_H

#include "bench_record.h"
#include "tsr_text.h"

/* ---- costs ---- */

/* The cost of `pack` once, and of `run` for each run of the kernel, in the same unit. */
typedef struct bench_cost {
    double pack, run;
} bench_cost;

/* The number of runs after which the format has cost no more than the reference: the smallest n >= 0 such
 * that pack + n * run <= pack' + n * run' from n on. 0: from the start; infinity: never. */
double bench_break_even(bench_cost format, bench_cost reference);
/* The number of runs up to which a format with slower runs costs less, because its packing is cheaper: the
 * largest n with pack + n * run <= pack' + n * run'. 0: it never costs less; infinity: its runs are not
 * slower. */
double bench_cheap_until(bench_cost format, bench_cost reference);

/* ---- the relation of a row to the reference ---- */

typedef enum bench_relation {
    BENCH_UNMEASURED, /* the row or the reference has no samples */
    BENCH_REFERENCE,  /* the row is the reference */
    BENCH_UNSURE,     /* fewer than three rounds in which both ran: too few to decide */
    BENCH_TIED,       /* the interval of the speed-up contains 1 */
    BENCH_QUICKER,
    BENCH_BEHIND,
} bench_relation;

typedef struct bench_standing {
    bench_relation relation;
    /* the median of the reference over that of the row; without a reference the speed-up in the record */
    bench_ratio speedup;
    /* the time that counts for a run: the median; if tied or unsure, at least that of the reference */
    double run_ns;
    /* the same where costs are compared; if tied the slow end of the interval, so that a tie never costs less
     * because of its runs, and packing that is a little cheaper does not win 10,000 runs */
    double cost_ns;
    /* bench_break_even; NAN: unmeasured, unsure, the reference itself, or packing was not timed */
    double pays;
    double until; /* bench_cheap_until if pays is infinity; else 0 */
} bench_standing;

/* median of a / median of b, and the 95% interval of the rounds in which both ran (the interval is widened to
 * contain the quotient); without such rounds the interval is 0 to infinity. Both rows have samples. */
bench_ratio bench_median_ratio(const bench_row *a, const bench_row *b);

/* ---- the choice ---- */

enum { BENCH_NOFTEN = 4, BENCH_MAX_TIED = 16 };

/* The numbers of runs of the choice: "1 run" 1, "10" 10, "100" 100, "10,000" 10000. */
typedef struct bench_often {
    const char *text;
    double nruns;
} bench_often;
extern const bench_often bench_oftens[BENCH_NOFTEN];

/* A choice, by row numbers. Only rows of Tessera are chosen, since the storage forms of baselines cannot be
 * used. */
typedef struct bench_choice {
    size_t n;
    size_t reference; /* n if no row of Tessera was measured; then all fields below are n or 0 */
    size_t best; /* the fastest of those that are certainly faster than the reference, else the reference */
    size_t winner[BENCH_NOFTEN]; /* the cheapest row for bench_often[i] runs */
    size_t tied[BENCH_MAX_TIED]; /* rows of Tessera whose times cannot be told apart from those of `best` */
    size_t ntied;
    size_t nformats; /* rows of Tessera with samples */
    bool is_sure;    /* there are at least two rows of Tessera, and no row is unsure */
} bench_choice;

/* Choose among rows[0..n), which belong to one case, and compute the standing of each row (standings[0..n)).
 * The reference is the row of Tessera that the field `reference` of the rows names, else the first row of
 * Tessera that was measured. */
void bench_choose(bench_choice *choice, bench_standing *standings, const bench_row *rows, size_t n);

/* ---- as text ---- */

/* When a format is cheaper than the reference, packing and runs together: "always", "from 12" runs on, "until
 * 12" runs, "never", "tied" (runs are not measurably faster, and packing is dearer); "" if pays is NAN.
 * Written to buf of BENCH_LABEL_NBYTES. */
char *bench_pays_label(char *buf, const bench_standing *standing);

/* What stands where no format is the best: "none is faster", "one format was measured", or "too few samples to
 * compare formats". */
const char *bench_none_label(const bench_choice *choice);

/* Append "csf runs 1.70 (1.62 to 1.81) times as fast as coo; packing pays after 4 runs. hicoo(128) is
 * not measurably slower or faster.", or a sentence for other outcomes; nothing if there is only one format. */
void bench_choice_sentence(tsr_text *text, const bench_choice *choice, const bench_standing *standings,
                           const bench_row *rows);

#endif
