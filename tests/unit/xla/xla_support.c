/* Helpers for the tests of XLA's layouts. */
#include "xla_support.h"

tsr_xla *xla_of(const char *text)
{
    tsr_xla *xla;
    tsr_error err = {0};
    if (tsr_xla_parse(&xla, text, &err) != TSR_OK) {
        print_error("%s: col %llu: %s\n", text, (unsigned long long)err.col, err.message);
        fail();
    }
    return xla;
}

const char *xla_take(tsr_text *text)
{
    static char ring[4][1 << 16];
    static int at;
    char *buf = ring[at++ % 4];
    assert_int_equal(tsr_text_status(text, NULL), TSR_OK);
    assert_true(text->nbytes < sizeof ring[0]);
    strcpy(buf, tsr_text_cstr(text));
    tsr_text_clear(text);
    return buf;
}

const char *xla_text(const tsr_xla *xla)
{
    tsr_text text = {0};
    tsr_xla_print(&text, xla);
    return xla_take(&text);
}

int xla_ints(int64_t *out, int n, const char *s)
{
    int k = 0;
    while (*s != '\0' && k < n) {
        char *end;
        if (*s < '0' || *s > '9') {
            s++;
            continue;
        }
        out[k++] = strtoll(s, &end, 10);
        s = end;
    }
    return k;
}

bool xla_next(int64_t *coords, const tsr_xla *xla)
{
    for (int d = xla->rank - 1; d >= 0; d--) {
        if (++coords[d] < xla->dims[d])
            return true;
        coords[d] = 0;
    }
    return false;
}

static void random_tile(tsr_text *text, tsr_rng *rng, int rank)
{
    for (int i = 0; i < rank; i++) {
        tsr_text_add(text, i == 0 ? "(" : ",");
        if (i < rank - 1 && tsr_rng_below(rng, 4) == 0)
            tsr_text_add(text, "*");
        else
            tsr_text_addf(text, "%d", (int)tsr_rng_below(rng, 4) + 1);
    }
    tsr_text_add(text, ")");
}

tsr_xla *xla_random(tsr_rng *rng)
{
    for (;;) {
        tsr_text text = {0};
        const int rank = (int)tsr_rng_below(rng, 5), ntiles = (int)tsr_rng_below(rng, 4);
        int order[4];
        tsr_text_add(&text, "f32[");
        for (int d = 0; d < rank; d++)
            tsr_text_addf(&text, "%s%d", d > 0 ? "," : "", (int)tsr_rng_below(rng, 6) + 1);
        tsr_text_add(&text, "]{");
        for (int d = 0; d < rank; d++) {
            const int j = (int)tsr_rng_below(rng, (uint64_t)d + 1);
            order[d] = order[j];
            order[j] = d;
        }
        for (int d = 0; d < rank; d++)
            tsr_text_addf(&text, "%s%d", d > 0 ? "," : "", order[d]);
        tsr_text_add(&text, ntiles > 0 ? ":T" : "");
        for (int k = 0; k < ntiles; k++)
            random_tile(&text, rng, (int)tsr_rng_below(rng, (uint64_t)rank + 2) + 1);
        if (tsr_rng_below(rng, 3) == 0)
            tsr_text_addf(&text, "%sL(%d)", ntiles > 0 ? "" : ":", (int)tsr_rng_below(rng, 7) + 1);
        tsr_text_add(&text, "}");
        tsr_xla *xla = xla_of(tsr_text_cstr(&text));
        tsr_text_clear(&text);
        if (xla->nslots <= 2000)
            return xla;
        tsr_xla_free(xla);
    }
}
