/* Random storage formats: see random_format.h. */
#include "random_format.h"

static void permute(tsr_rng *rng, int *perm, int n)
{
    for (int i = 0; i < n; i++) {
        const int k = (int)tsr_rng_below(rng, (uint64_t)i + 1);
        perm[i] = perm[k];
        perm[k] = i;
    }
}

static void add_modes(tsr_text *text, tsr_rng *rng, int order)
{
    int perm[TSR_MAX_ORDER];
    permute(rng, perm, order);
    for (int m = 0; m < order; m++)
        tsr_text_addf(text, "%c%d", m ? ',' : ':', perm[m]);
}

/* name(params):modes; the format need not suit the order. */
static void add_named(tsr_text *text, tsr_rng *rng, int order)
{
    int n = 0;
    while (tsr_named_formats[n].name)
        n++;
    const tsr_named_format *named = &tsr_named_formats[tsr_rng_below(rng, (uint64_t)n)];
    tsr_text usage = {0}, summary = {0};
    tsr_named_format_describe(&usage, &summary, named);
    tsr_text_add(text, named->name);
    const char *params = strchr(tsr_text_cstr(&usage), '(');
    for (const char *p = params; p; p = strchr(p + 1, ','))
        tsr_text_addf(text, "%c%d", p == params ? '(' : ',', 1 + (int)tsr_rng_below(rng, 5));
    tsr_text_add(text, params ? ")" : "");
    tsr_text_clear(&usage);
    tsr_text_clear(&summary);
    if (tsr_rng_below(rng, 2))
        add_modes(text, rng, order);
}

static void add_letters(tsr_text *text, tsr_rng *rng, int order, bool dense)
{
    for (int m = 0; m < order; m++)
        tsr_text_add(text, dense || tsr_rng_below(rng, 2) ? "d" : "s");
    add_modes(text, rng, order);
}

/* Each mode plain or cut into blocks; level types at random, groups of nonunique levels and singletons too.
 */
static void add_blocked(tsr_text *text, tsr_rng *rng, int order, bool dense)
{
    char expr[2 * TSR_MAX_ORDER][32];
    int n = 0, perm[2 * TSR_MAX_ORDER];
    for (int m = 0; m < order; m++) {
        const int block = (int)tsr_rng_below(rng, 5);
        if (block == 0) {
            snprintf(expr[n++], sizeof *expr, "%c", 'a' + m);
            continue;
        }
        snprintf(expr[n++], sizeof *expr, "%c floordiv %d", 'a' + m, block);
        snprintf(expr[n++], sizeof *expr, "%c mod %d", 'a' + m, block);
    }
    permute(rng, perm, n);
    for (int m = 0; m < order; m++)
        tsr_text_addf(text, "%s%c", m ? ", " : "(", 'a' + m);
    tsr_text_add(text, ") -> (");
    bool in_group = false; /* the level above is nonunique */
    for (int l = 0; l < n; l++) {
        const bool last = l == n - 1;
        const char *type = dense || tsr_rng_below(rng, 2) ? "dense" : "compressed";
        if (in_group) {
            in_group = !last && tsr_rng_below(rng, 3) == 0;
            type = in_group ? "singleton(nonunique)" : "singleton";
        } else if (!dense && !last && tsr_rng_below(rng, 4) == 0) {
            in_group = true;
            type = "compressed(nonunique)";
        }
        tsr_text_addf(text, "%s%s : %s", l ? ", " : "", expr[perm[l]], type);
    }
    tsr_text_add(text, ")");
}

bool format_is_partial(const tsr_format *format)
{
    for (int l = 0; l < format->nlevels; l++)
        if (format->levels[l].type->is_partial)
            return true;
    return false;
}

/* Whether the format of that text holds only some patterns. */
static bool is_partial(const char *text, int order, const uint64_t *dims)
{
    tsr_format *format = NULL;
    const bool is = tsr_format_parse(&format, text, order, dims, NULL) == TSR_OK && format_is_partial(format);
    tsr_format_free(format);
    return is;
}

void random_format(char out[RANDOM_FORMAT_NBYTES], tsr_rng *rng, int order, const uint64_t *dims, bool dense)
{
    do
        random_partial_format(out, rng, order, dims, dense);
    while (is_partial(out, order, dims));
}

void random_partial_format(char out[RANDOM_FORMAT_NBYTES], tsr_rng *rng, int order, const uint64_t *dims,
                           bool dense)
{
    for (bool fits = false; !fits;) {
        tsr_text text = {0};
        switch (order ? tsr_rng_below(rng, 4) : 0) {
        case 0:
        case 1:
            add_named(&text, rng, order);
            break;
        case 2:
            add_letters(&text, rng, order, dense);
            break;
        default:
            add_blocked(&text, rng, order, dense);
        }
        tsr_format *format = NULL;
        fits = text.nbytes < RANDOM_FORMAT_NBYTES &&
               tsr_format_parse(&format, tsr_text_cstr(&text), order, dims, NULL) == TSR_OK &&
               (!dense || tsr_format_is_dense(format));
        if (fits)
            memcpy(out, text.s, text.nbytes + 1);
        tsr_format_free(format);
        tsr_text_clear(&text);
    }
}
