/* Random schedules: see random_schedule.h. */
#include "random_schedule.h"

/* Items that go with every statement; of each row at most one item is drawn. */
static const char *const general[][8] = {
    {"serial"},
    {"plain", "scalar", "width(16)", "width(32)", "width(64)"},
    {"deterministic"},
    {"precompute(none)"},
    {"prefetch(0)", "prefetch(1)", "prefetch(2)", "prefetch(16)"},
    {"lanes(0)"},
    {"without(flags)", "without(pieces)", "without(prefetches)", "without(unite)", "without(hoist)"},
    {"without(runs)", "without(room)", "without(groups)", "without(ways)"},
    {"without(lanes)", "without(slots)", "without(windows)", "without(columns)"},
};

/* %v: a variable, each time another one; %R: the result; %T: an operand. */
static const char *const special[] = {
    "workspace(%v,dense)",
    "workspace(%v,bitmap)",
    "workspace(%v,hash)",
    "workspace(%v,list)",
    "workspace(hash)",
    "workspace(list)",
    "workspace(dense)",
    "assemble(two-pass)",
    "assemble(append)",
    "merge(%v)",
    "gallop(%v)",
    "locate(%v)",
    "convert(%T,csr)",
    "convert(%T,csc)",
    "convert(%T,coo)",
    "convert(%T,csf)",
    "precompute(%T,%T)",
    "reorder(%v,%v)",
    "reorder(%v,%v,%v)",
    "block(%v,2)",
    "block(%v,3)",
    "unroll(%v,2)",
    "unroll(%v,3)",
    "parallelize(%v)",
    "vectorize(%v)",
    "private(%R)",
    "exclusive(%R)",
    "atomic(%R)",
    "literal(%v)",
    "lanes(64)",
    "marked(16)",
    "marked(0)",
    "listed(4)",
    "listed(0)",
    "piece(8)",
    "width(32)",
};

static bool expand(tsr_text *text, const char *form, tsr_rng *rng, const tsr_notation *n)
{
    int v = n->nvars ? (int)tsr_rng_below(rng, (uint64_t)n->nvars) : 0, nused = 0;
    for (const char *p = form; *p; p++) {
        if (*p != '%') {
            tsr_text_addf(text, "%c", *p);
            continue;
        }
        p++;
        if (*p == 'v' && nused++ == n->nvars)
            return false;
        if (*p == 'T' && n->ntensors < 2)
            return false;
        const int t = *p == 'T' ? 1 + (int)tsr_rng_below(rng, (uint64_t)n->ntensors - 1) : 0;
        tsr_text_add(text, *p == 'v' ? n->var[v++ % n->nvars] : n->tensor[t].name);
    }
    return true;
}

bool random_schedule(char text[RANDOM_SCHEDULE_NBYTES], tsr_rng *rng, const tsr_notation *notation)
{
    enum { NGENERAL = sizeof general / sizeof *general, NSPECIAL = sizeof special / sizeof *special };
    const bool is_general = tsr_rng_below(rng, 5) < 2;
    bool used[NGENERAL] = {false};
    tsr_text items = {0};
    for (uint64_t left = 1 + tsr_rng_below(rng, 3); left > 0; left--) {
        tsr_text item = {0};
        bool is_whole = true;
        if (is_general || tsr_rng_below(rng, 5) < 2) {
            const uint64_t row = tsr_rng_below(rng, NGENERAL);
            int n = 0;
            while (n < 8 && general[row][n])
                n++;
            is_whole = !used[row];
            used[row] = true;
            tsr_text_add(&item, general[row][tsr_rng_below(rng, (uint64_t)n)]);
        } else {
            is_whole = expand(&item, special[tsr_rng_below(rng, NSPECIAL)], rng, notation);
        }
        if (is_whole)
            tsr_text_addf(&items, "%s%s", items.nbytes ? ", " : "", tsr_text_cstr(&item));
        tsr_text_clear(&item);
    }
    snprintf(text, RANDOM_SCHEDULE_NBYTES, "%s", tsr_text_cstr(&items));
    tsr_text_clear(&items);
    return is_general;
}
