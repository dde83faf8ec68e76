/* Advice as words and as JSON: see tsr_advice.h. */
#include <math.h>
#include <string.h>

#include "tsr_advice.h"

static const struct {
    const char *name, *unit, *words;
} costs[TSR_NCOSTS] = {
#define COST(NAME, name, member, unit, words) {name, unit, words},
#include "costs.def"
#undef COST
};

/* The amount in its unit: lines as MB, numbers as millions. */
static double in_units(int cost, double amount)
{
    return strcmp(costs[cost].unit, "MB") == 0 ? amount * 64e-6 : amount * 1e-6;
}

static void add_number(tsr_text *text, double x)
{
    tsr_text_addf(text, x >= 100 ? "%.0f" : x >= 10 ? "%.3g" : "%.2g", x);
}

static void add_term(tsr_text *text, const tsr_advice_row *row, int cost)
{
    add_number(text, row->ns[cost] / 1e6);
    tsr_text_add(text, " ms ");
    add_number(text, in_units(cost, row->amount[cost]));
    tsr_text_addf(text, " %s %s", costs[cost].unit, costs[cost].words);
}

void tsr_advice_terms(tsr_text *text, const tsr_advice *advice, const tsr_advice_row *row)
{
    int first = 0, second = -1;
    (void)advice;
    for (int c = 1; c < TSR_NCOSTS; c++)
        first = row->ns[c] > row->ns[first] ? c : first;
    for (int c = 0; c < TSR_NCOSTS; c++)
        second = c != first && (second < 0 || row->ns[c] > row->ns[second]) ? c : second;
    add_term(text, row, first);
    if (row->ns[second] > 0) {
        tsr_text_add(text, " + ");
        add_term(text, row, second);
    }
}

/* ---- the sentence ---- */

/* The row that costs least for that number of runs. */
static int winner(const tsr_advice *a, double nruns)
{
    int best = 0;
    for (int k = 1; k < a->nrows; k++)
        if (a->row[k].pack_ns + nruns * a->row[k].run_ns < a->row[best].pack_ns + nruns * a->row[best].run_ns)
            best = k;
    return best;
}

/* The runs after which row `a` has cost no more than row `b`; infinity: never. */
static double pays_after(const tsr_advice_row *a, const tsr_advice_row *b)
{
    if (a->pack_ns <= b->pack_ns)
        return 0;
    return a->run_ns < b->run_ns ? ceil((a->pack_ns - b->pack_ns) / (b->run_ns - a->run_ns)) : INFINITY;
}

static void add_runs(tsr_text *text, double n)
{
    tsr_text_addf(text, "%.0f run%s", n, n == 1 ? "" : "s");
}

/* What another number of threads would change. */
static void add_threads(tsr_text *text, const tsr_advice *a, const tsr_advice_row *chosen)
{
    const tsr_advice_row *best = chosen;
    for (int k = 0; k < a->nrows; k++)
        if (a->row[k].pack_ns + a->nruns * a->row[k].other_ns < best->pack_ns + a->nruns * best->other_ns)
            best = &a->row[k];
    if (chosen->other_ns > 1.05 * best->other_ns)
        tsr_text_addf(text, " With %d thread%s %s is best: a run is %.2f times as fast as with %s.",
                      a->other_nthreads, a->other_nthreads == 1 ? "" : "s", best->format,
                      chosen->other_ns / best->other_ns, chosen->format);
}

/* Whether the row has a name alone: the modes in their order, and no number. */
static bool is_plain(const tsr_advice_row *row)
{
    return row->format[strcspn(row->format, "(:")] == '\0';
}

/* What orders of levels, or of the bits of keys, gain beside the fixed order: of the loop of the chosen row, and of keys. same_name: of
 * csf:1,0,2 beside csf, not beside another format with this loop. */
static void add_orders(tsr_text *text, const tsr_advice *a, const char *loop, bool same_name)
{
    const tsr_advice_row *plain = NULL, *best = NULL;
    for (int k = 0; k < a->nrows; k++) {
        const tsr_advice_row *const row = &a->row[k];
        if (strcmp(row->loop, loop) != 0)
            continue;
        plain = is_plain(row) && (!plain || row->run_ns < plain->run_ns) ? row : plain;
        best = !best || row->run_ns < best->run_ns ? row : best;
    }
    const bool fits =
        plain && (!same_name || strncmp(plain->format, best->format, strlen(plain->format)) == 0);
    if (fits && plain != best && plain->run_ns > 1.05 * best->run_ns)
        tsr_text_addf(text, " The order counts: a run with %s is %.2f times as fast as with %s.",
                      best->format, plain->run_ns / best->run_ns, plain->format);
}

/* What other numbers of runs would change, or less memory. */
static void add_changes(tsr_text *text, const tsr_advice *a, const tsr_advice_row *chosen)
{
    const tsr_advice_row *const last = &a->row[winner(a, 1e9)], *small = chosen;
    const double after = pays_after(last, chosen);
    if (last != chosen && isfinite(after) && chosen->run_ns > 1.05 * last->run_ns) {
        tsr_text_addf(text, " From ");
        add_runs(text, after);
        tsr_text_addf(text, " on, %s costs less: a run is %.2f times as fast.", last->format,
                      chosen->run_ns / last->run_ns);
    }
    for (int k = 0; k < a->nrows; k++)
        small = a->row[k].nbytes < small->nbytes ? &a->row[k] : small;
    if (small->nbytes < 0.8 * chosen->nbytes)
        tsr_text_addf(text,
                      " If memory is short: %s takes %.2f of the bytes, and a run takes %.2f times as long.",
                      small->format, small->nbytes / chosen->nbytes, small->run_ns / chosen->run_ns);
}

static void add_ties(tsr_text *text, const tsr_advice *a)
{
    int n = 0;
    for (int k = 0; k < a->nrows; k++)
        if (k != a->chosen && a->row[k].is_tied && n++ < 3)
            tsr_text_addf(text, "%s%s", n == 1 ? " Too close to tell apart: " : ", ", a->row[k].format);
    if (n > 0)
        tsr_text_add(text, n > 3 ? " and more." : ".");
}

/* What few different values, or another type of values, would change. */
static void add_values(tsr_text *text, const tsr_advice *a, const tsr_advice_row *chosen)
{
    enum { FEW = 256 }; /* numbers of a byte */
    const tsr_value_facts *const values = &a->values;
    char value[TSR_VALUE_TEXT_NBYTES];
    const bool few = values->is_exact && chosen->value_nbytes > 0;
    if (few && values->ndifferent == 1) {
        const int n = (int)tsr_value_print(value, a->type, values->first);
        const bool is_one = n == 1 && *value == '1';
        tsr_text_addf(text, " All values are %.*s: a pattern (--type=pattern)%s%.*s takes %.2f of the bytes.",
                      n, value, is_one ? "" : ", of which results are multiplied by ", is_one ? 0 : n, value,
                      chosen->pattern_nbytes / chosen->nbytes);
        return;
    }
    if (values->narrowest != a->type)
        tsr_text_addf(text, " All values are exact as %s, with %.3g of the bytes of values.",
                      tsr_type_name(values->narrowest),
                      (double)tsr_type_nbytes(values->narrowest) / (double)tsr_type_nbytes(a->type));
    if (few && values->ndifferent <= FEW && (double)a->nnz > 64 * values->ndifferent &&
        tsr_type_nbytes(values->narrowest) > 1)
        tsr_text_addf(
            text,
            " There are %.0f different values: numbers of a byte in their place would leave %.2f of "
            "the bytes, but no format stores a table of values.",
            values->ndifferent,
            1 - chosen->value_nbytes / chosen->nbytes * (1 - 1 / (double)tsr_type_nbytes(a->type)));
}

/* The sentence after measurements, which says how right the predictions were. */
static void measured_sentence(tsr_text *text, const tsr_advice *a)
{
    const tsr_advice_row *const chosen = &a->row[a->chosen], *const source =
                                                                 a->source < 0 || a->source == a->chosen
                                                                     ? NULL
                                                                     : &a->row[a->source];
    int n = 0;
    double low = INFINITY, high = 0;
    for (int k = 0; k < a->nrows; k++) {
        const double ratio = a->row[k].measured_ns / a->row[k].run_ns;
        if (a->row[k].measured_ns <= 0)
            continue;
        n++;
        low = fmin(low, ratio);
        high = fmax(high, ratio);
    }
    tsr_text_addf(text, "%s %s: of %d measured format%s it costs the least for ",
                  chosen->is_source ? "Keep" : "Choose", chosen->format, n, n == 1 ? "" : "s");
    add_runs(text, a->nruns);
    if (source && source->measured_ns > 0) {
        const double saved = source->measured_ns - chosen->measured_ns;
        tsr_text_addf(text, "; a run is %.2f times as fast as with %s",
                      source->measured_ns / chosen->measured_ns, source->format);
        if (saved > 0) {
            tsr_text_addf(text, ", and packing (%.1f ms) pays after ", chosen->measured_pack_ns / 1e6);
            add_runs(text, ceil(chosen->measured_pack_ns / saved));
        }
    }
    tsr_text_addf(text, ". Measured runs take %.2f to %.2f times what was predicted.", low, high);
}

void tsr_advice_sentence(tsr_text *text, const tsr_advice *a)
{
    if (a->chosen < 0) {
        tsr_text_add(text, "No format of the list suits this tensor.");
        return;
    }
    if (a->is_measured) {
        measured_sentence(text, a);
        return;
    }
    const tsr_advice_row *const chosen = &a->row[a->chosen], *const source =
                                                                 a->source < 0 ? NULL : &a->row[a->source];
    if (chosen->is_source)
        tsr_text_addf(text, "Keep %s: ", chosen->format);
    else
        tsr_text_addf(text, "Choose %s: ", chosen->format);
    if (chosen->is_source && a->knows_runs)
        tsr_text_addf(text, "with %.0f run%s no other format costs clearly less.", a->nruns,
                      a->nruns == 1 ? "" : "s");
    else if (chosen->is_source)
        tsr_text_addf(text, "packing another format does not pay within %.0f runs.", a->nruns);
    else if (source) {
        tsr_text_addf(text, "a run is %.2f times as fast as with %s, and packing (%.1f ms) pays after ",
                      source->run_ns / chosen->run_ns, source->format, chosen->pack_ns / 1e6);
        add_runs(text, pays_after(chosen, source));
        tsr_text_add(text, ".");
    } else
        tsr_text_addf(text, "the least time for %.0f run%s.", a->nruns, a->nruns == 1 ? "" : "s");
    add_changes(text, a, chosen);
    add_threads(text, a, chosen);
    if (strcmp(chosen->loop, "interleaved") != 0)
        add_orders(text, a, chosen->loop, true);
    add_orders(text, a, "interleaved", false);
    add_ties(text, a);
    add_values(text, a, chosen);
}

/* ---- JSON ---- */

static void row_json(tsr_json *json, const tsr_advice *a, const tsr_advice_row *row)
{
    tsr_text most = {0};
    tsr_advice_terms(&most, a, row);
    tsr_json_open(json, NULL, '{', true);
    tsr_json_string(json, "format", row->format);
    tsr_json_string(json, "most", tsr_text_cstr(&most));
    tsr_text_clear(&most);
    tsr_json_bool(json, "source", row->is_source);
    tsr_json_string(json, "loop", row->loop);
    tsr_json_f64(json, "bytes", row->nbytes);
    tsr_json_f64(json, "value_bytes", row->value_nbytes);
    tsr_json_f64(json, "pack_ns", row->pack_ns);
    tsr_json_f64(json, "run_ns", row->run_ns);
    if (row->measured_ns > 0) {
        tsr_json_f64(json, "measured_pack_ns", row->measured_pack_ns);
        tsr_json_f64(json, "measured_run_ns", row->measured_ns);
    }
    tsr_json_f64(json, "error", row->error);
    tsr_json_f64(json, "other_run_ns", row->other_ns);
    tsr_json_bool(json, "tied", row->is_tied);
    tsr_json_open(json, "kernels_ns", '[', true);
    for (int k = 0; k < a->nkernels; k++)
        tsr_json_f64(json, NULL, row->kernel_ns[k]);
    tsr_json_close(json, ']');
    tsr_json_open(json, "terms", '{', true);
    for (int c = 0; c < TSR_NCOSTS; c++) {
        if (row->amount[c] == 0)
            continue;
        tsr_json_open(json, costs[c].name, '{', true);
        tsr_json_f64(json, "amount", row->amount[c]);
        tsr_json_f64(json, "ns", row->ns[c]);
        tsr_json_close(json, '}');
    }
    tsr_json_close(json, '}');
    tsr_json_close(json, '}');
}

void tsr_value_facts_json(tsr_json *json, const tsr_value_facts *values)
{
    if (values->ndifferent > 0)
        tsr_json_f64(json, "different_values", values->ndifferent);
    else
        tsr_json_null(json, "different_values");
    tsr_json_bool(json, "different_values_exact", values->is_exact);
}

void tsr_advice_json(tsr_json *json, const tsr_advice *a)
{
    tsr_text sentence = {0};
    tsr_advice_sentence(&sentence, a);
    tsr_json_string(json, "chosen", a->chosen < 0 ? "" : a->row[a->chosen].format);
    tsr_json_string(json, "sentence", tsr_text_cstr(&sentence));
    tsr_text_clear(&sentence);
    tsr_json_u64(json, "threads", (uint64_t)a->nthreads);
    tsr_json_u64(json, "other_threads", (uint64_t)a->other_nthreads);
    if (a->knows_runs)
        tsr_json_f64(json, "nruns", a->nruns);
    else
        tsr_json_null(json, "nruns");
    tsr_json_string(json, "costs", a->costs.source);
    tsr_json_u64(json, "nnz", a->nnz);
    tsr_json_u64(json, "entries_read", a->nread);
    tsr_json_string(json, "values", tsr_type_name(a->type));
    tsr_json_string(json, "exact_values", tsr_type_name(a->values.narrowest));
    tsr_value_facts_json(json, &a->values);
    tsr_json_open(json, "kernels", '[', false);
    for (int k = 0; k < a->nkernels; k++)
        tsr_json_string(json, NULL, a->kernel[k]);
    tsr_json_close(json, ']');
    tsr_json_open(json, "rows", '[', false);
    for (int k = 0; k < a->nrows; k++)
        row_json(json, a, &a->row[k]);
    tsr_json_close(json, ']');
}
