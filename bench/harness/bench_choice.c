/* The choice of a format: see bench_choice.h. */
#include "bench_choice.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench_label.h"
#include "bench_rows.h"

const bench_often bench_oftens[BENCH_NOFTEN] = {{"1 run", 1}, {"10", 10}, {"100", 100}, {"10,000", 10000}};

/* ---- costs ---- */

double bench_break_even(bench_cost format, bench_cost reference)
{
    if (format.run > reference.run)
        return INFINITY;
    if (format.pack <= reference.pack)
        return 0;
    if (format.run == reference.run)
        return INFINITY;
    return ceil((format.pack - reference.pack) / (reference.run - format.run));
}

double bench_cheap_until(bench_cost format, bench_cost reference)
{
    if (format.run <= reference.run)
        return INFINITY;
    return format.pack < reference.pack ? floor((reference.pack - format.pack) / (format.run - reference.run))
                                        : 0;
}

/* ---- the relation of a row to the reference ---- */

bench_ratio bench_median_ratio(const bench_row *a, const bench_row *b)
{
    const bench_ratio shared = bench_rows_ratio(a, b);
    const double ratio = a->ns.median / b->ns.median;
    if (!(shared.ratio > 0))
        return (bench_ratio){ratio, 0, INFINITY};
    return (bench_ratio){ratio, fmin(shared.lo, ratio), fmax(shared.hi, ratio)};
}

static bench_relation relation_of(const bench_ratio *speedup)
{
    return isinf(speedup->hi) ? BENCH_UNSURE
           : speedup->lo > 1  ? BENCH_QUICKER
           : speedup->hi < 1  ? BENCH_BEHIND
                              : BENCH_TIED;
}

static bench_standing stand(const bench_row *row, const bench_row *reference)
{
    bench_standing s = {.relation = BENCH_UNMEASURED, .speedup = row->speedup, .pays = NAN};
    if (!row->nsamples || !reference)
        return s;
    s.run_ns = s.cost_ns = row->ns.median;
    if (row == reference) {
        s.relation = BENCH_REFERENCE;
        s.speedup = (bench_ratio){1, 1, 1};
        return s;
    }
    s.speedup = bench_median_ratio(reference, row);
    s.relation = relation_of(&s.speedup);
    if (s.relation == BENCH_TIED || s.relation == BENCH_UNSURE)
        s.run_ns = fmax(s.run_ns, reference->ns.median);
    s.cost_ns = bench_cost_ns(row->ns.median, reference->ns.median, &s.speedup);
    if (s.relation == BENCH_UNSURE || !(row->pack_ns > 0))
        return s;
    const bench_cost mine = {row->pack_ns, s.cost_ns}, its = {reference->pack_ns, reference->ns.median};
    s.pays = bench_break_even(mine, its);
    s.until = isinf(s.pays) && mine.run > its.run ? bench_cheap_until(mine, its) : 0;
    return s;
}

/* ---- the choice ---- */

static bool is_called(const bench_row *row, const char *name)
{
    char label[BENCH_LABEL_NBYTES];
    return strcmp(bench_candidate_label(label, row), name) == 0 || strcmp(row->candidate, name) == 0 ||
           (row->format && strcmp(row->format, name) == 0);
}

static bool can_be_chosen(const bench_row *row)
{
    return row->nsamples && bench_row_is_tessera(row);
}

static size_t find_reference(const bench_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n && rows[i].reference; k++)
            if (can_be_chosen(&rows[k]) && is_called(&rows[k], rows[i].reference))
                return k;
    for (size_t i = 0; i < n; i++)
        if (can_be_chosen(&rows[i]))
            return i;
    return n;
}

static size_t cheapest(const bench_standing *standings, const bench_row *rows, size_t n, double nruns)
{
    size_t best = n;
    double least = INFINITY;
    for (size_t i = 0; i < n; i++) {
        const double cost = rows[i].pack_ns + nruns * standings[i].cost_ns;
        if (can_be_chosen(&rows[i]) && cost < least) {
            least = cost;
            best = i;
        }
    }
    return best;
}

/* The row with the least run_ns; of several the reference, then the one with the least median, then the
 * first. */
static size_t quickest(const bench_standing *standings, const bench_row *rows, size_t n, size_t reference)
{
    size_t best = reference < n && can_be_chosen(&rows[reference]) ? reference : n;
    for (size_t i = 0; i < n; i++)
        if (can_be_chosen(&rows[i]) && (best == n || standings[i].run_ns < standings[best].run_ns))
            best = i;
    return best;
}

static void find_tied(bench_choice *c, const bench_standing *standings, const bench_row *rows)
{
    for (size_t i = 0; i < c->n && c->ntied < BENCH_MAX_TIED; i++) {
        if (i == c->best || !can_be_chosen(&rows[i]) || standings[i].relation == BENCH_UNSURE)
            continue;
        const bool is_tied = c->best == c->reference
                                 ? standings[i].relation == BENCH_TIED
                                 : standings[i].relation == BENCH_QUICKER &&
                                       bench_median_ratio(&rows[i], &rows[c->best]).lo <= 1;
        if (is_tied)
            c->tied[c->ntied++] = i;
    }
}

static void choose(bench_choice *c, bench_standing *standings, const bench_row *rows)
{
    size_t ntessera = 0, nunsure = 0;
    for (size_t i = 0; i < c->n; i++) {
        standings[i] = stand(&rows[i], c->reference < c->n ? &rows[c->reference] : NULL);
        ntessera += can_be_chosen(&rows[i]);
        nunsure += standings[i].relation == BENCH_UNSURE;
    }
    c->best = quickest(standings, rows, c->n, c->reference);
    c->nformats = ntessera;
    c->is_sure = ntessera > 1 && nunsure == 0;
    for (int o = 0; o < BENCH_NOFTEN; o++)
        c->winner[o] = cheapest(standings, rows, c->n, bench_oftens[o].nruns);
    if (c->best < c->n)
        find_tied(c, standings, rows);
}

void bench_choose(bench_choice *choice, bench_standing *standings, const bench_row *rows, size_t n)
{
    *choice = (bench_choice){.n = n, .reference = find_reference(rows, n)};
    choose(choice, standings, rows);
}

/* ---- as text ---- */

char *bench_pays_label(char *buf, const bench_standing *s)
{
    char runs[BENCH_LABEL_NBYTES];
    buf[0] = '\0';
    if (s->pays == 0)
        snprintf(buf, BENCH_LABEL_NBYTES, "always");
    else if (isfinite(s->pays))
        snprintf(buf, BENCH_LABEL_NBYTES, "from %.40s", bench_runs_label(runs, s->pays));
    else if (s->until > 0)
        snprintf(buf, BENCH_LABEL_NBYTES, "until %.40s", bench_runs_label(runs, s->until));
    else if (isinf(s->pays))
        snprintf(buf, BENCH_LABEL_NBYTES, s->relation == BENCH_TIED ? "tied" : "never");
    return buf;
}

const char *bench_none_label(const bench_choice *choice)
{
    return choice->nformats < 2 ? "one format was measured"
           : choice->is_sure    ? "none is faster"
                                : "too few samples to compare formats";
}

/* Append a name in a sentence; a long name is cut. */
static void add_name(tsr_text *text, const bench_row *row)
{
    enum { LONGEST = 40 };
    char label[BENCH_LABEL_NBYTES];
    bench_candidate_label(label, row);
    tsr_text_addf(text, strlen(label) > LONGEST ? "%.*s..." : "%.*s", LONGEST, label);
}

static void add_payment(tsr_text *text, const bench_standing *s)
{
    char label[BENCH_LABEL_NBYTES];
    if (isnan(s->pays))
        return;
    if (s->pays == 0)
        tsr_text_add(text, " and packs at least as fast");
    else
        tsr_text_addf(text, "; packing pays after %s run%s", bench_runs_label(label, s->pays),
                      s->pays == 1 ? "" : "s");
}

static void add_tied(tsr_text *text, const bench_choice *c, const bench_row *rows)
{
    enum { MOST = 4 };
    const size_t ntold = c->ntied > MOST ? MOST - 1 : c->ntied;
    if (!c->ntied)
        return;
    tsr_text_add(text, " ");
    for (size_t i = 0; i < ntold; i++) {
        tsr_text_add(text, i == 0 ? "" : i + 1 == c->ntied ? " and " : ", ");
        add_name(text, &rows[c->tied[i]]);
    }
    if (ntold < c->ntied)
        tsr_text_addf(text, " and %zu more", c->ntied - ntold);
    tsr_text_addf(text, " %s not measurably slower or faster.", c->ntied == 1 ? "is" : "are");
}

void bench_choice_sentence(tsr_text *text, const bench_choice *choice, const bench_standing *standings,
                           const bench_row *rows)
{
    char label[BENCH_LABEL_NBYTES];
    if (choice->nformats < 2)
        return;
    if (!choice->is_sure) {
        tsr_text_add(text, "Too few samples to compare formats: at least three rounds are needed.");
        return;
    }
    if (choice->best == choice->reference) {
        tsr_text_add(text, "No format is measurably faster than ");
        add_name(text, &rows[choice->reference]);
        tsr_text_add(text, ".");
    } else {
        const bench_standing *const s = &standings[choice->best];
        add_name(text, &rows[choice->best]);
        if (bench_ratio_is_unsteady(&s->speedup))
            tsr_text_addf(text, " runs at least %.2f times as fast as ", s->speedup.lo);
        else
            tsr_text_addf(text, " runs %s times as fast as ", bench_ratio_label(label, &s->speedup, " to "));
        add_name(text, &rows[choice->reference]);
        add_payment(text, s);
        tsr_text_add(text, ".");
    }
    add_tied(text, choice, rows);
}
