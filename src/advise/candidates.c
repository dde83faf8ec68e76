/* advise_candidates_init: see advise_candidates.h. */
#include "advise_candidates.h"

#include <inttypes.h>
#include <string.h>

#include "tsr_alloc.h"

const advise_loop advise_loops[] = {
#define LOOP(name, entry, fiber, vector, miss, row_miss, update, chain, break_, error) \
    {#name, entry, fiber, vector, miss, row_miss, update, chain, break_, error},
#include "loops.def"
#undef LOOP
};
enum { NLOOPS = sizeof advise_loops / sizeof *advise_loops, NWORDS = 4, WORD_NBYTES = 80, ALL_OF = 3 };

/* A row of the list: its four words. */
typedef struct row {
    char word[NWORDS][WORD_NBYTES];
} row;
enum { FORMAT, MODES, LOOP, ORDERS };

/* Read the row that begins at s; return where the next one begins, NULL at the end of the list. */
static const char *read_row(row *out, const char *s)
{
    while (*s == '#' || *s == '\n')
        s += strcspn(s, "\n"), s += *s == '\n';
    if (!*s)
        return NULL;
    for (int w = 0; w < NWORDS; w++) {
        const size_t n = strcspn(s, " \n");
        memcpy(out->word[w], s, n < WORD_NBYTES ? n : WORD_NBYTES - 1);
        out->word[w][n < WORD_NBYTES ? n : WORD_NBYTES - 1] = '\0';
        s += n;
        s += strspn(s, " ");
    }
    return s + strcspn(s, "\n");
}

static int loop_of(const char *name)
{
    int k = 0;
    while (k < NLOOPS - 1 && strcmp(advise_loops[k].name, name) != 0)
        k++;
    return k;
}

/* ---- one format ---- */

/* Add a format unless it is there; formats that do not suit the dims are left out. */
static tsr_status add_format(advise_candidates *c, const char *text, int loop, const advise_wish *wish,
                             tsr_error *err)
{
    tsr_format *format;
    tsr_text name = {0};
    if (c->n == ADVISE_MAX_CANDIDATES)
        return TSR_OK;
    const tsr_status parsed = tsr_format_parse(&format, text, wish->order, wish->dims, NULL);
    if (parsed != TSR_OK)
        return parsed == TSR_NOMEM ? tsr_fail(err, TSR_NOMEM, "out of memory for formats") : TSR_OK;
    for (int k = 0; k < c->n; k++)
        if (tsr_format_equal(c->format[k], format)) {
            tsr_format_free(format);
            return TSR_OK;
        }
    tsr_format_print_name_for(&name, format, wish->dims);
    c->format[c->n] = format;
    c->loop[c->n] = loop;
    c->text[c->n++] = tsr_strdup(*tsr_text_cstr(&name) == '(' ? text : tsr_text_cstr(&name));
    const bool failed = name.failed || !c->text[c->n - 1];
    tsr_text_clear(&name);
    return failed ? tsr_fail(err, TSR_NOMEM, "out of memory for names of formats") : TSR_OK;
}

/* Append `text` for a tensor whose modes come in this order: "rows" is the size of the first mode, "duq+" is duqq for four
 * modes. */
static void spell(tsr_text *to, const char *text, const int *modes, const advise_wish *wish)
{
    const size_t n = strlen(text);
    const char *const rows = strstr(text, "rows");
    bool natural = true;
    if (rows)
        tsr_text_addf(to, "%.*s%" PRIu64 "%s", (int)(rows - text), text, wish->dims[modes[0]],
                      rows + strlen("rows"));
    else if (n > 1 && text[n - 1] == '+')
        for (int m = 0; m < wish->order; m++)
            tsr_text_add_n(to, &text[m < (int)n - 2 ? m : (int)n - 2], 1);
    else
        tsr_text_add(to, text);
    for (int m = 0; m < wish->order; m++)
        natural = natural && modes[m] == m;
    for (int m = 0; !natural && m < wish->order; m++)
        tsr_text_addf(to, "%c%d", m == 0 ? ':' : ',', modes[m]);
}

/* ---- orders of the modes ---- */

/* Sort the modes by their places (NULL: all the same), then by their sizes. */
static void sort_modes(int *modes, const advise_wish *wish, const int *place, bool long_first)
{
    for (int n = 0; n < wish->order; n++) {
        int at = n;
        for (; at > 0; at--) {
            const int before = modes[at - 1];
            const uint64_t mine = wish->dims[n], its = wish->dims[before];
            if (place && place[n] != place[before] ? place[n] > place[before]
                : long_first                       ? mine <= its
                                                   : mine >= its)
                break;
            modes[at] = before;
        }
        modes[at] = n;
    }
}

static void swap(int *modes, int i, int j)
{
    const int t = modes[i];
    modes[i] = modes[j];
    modes[j] = t;
}

/* The next order in the lexicographic order of all orders; false after the last one. */
static bool next_order(int *modes, int n)
{
    int i = n - 2, j = n - 1;
    while (i >= 0 && modes[i] > modes[i + 1])
        i--;
    if (i < 0)
        return false;
    while (modes[j] < modes[i])
        j--;
    swap(modes, i, j);
    for (int a = i + 1, b = n - 1; a < b; a++, b--)
        swap(modes, a, b);
    return true;
}

static tsr_status add_order(advise_candidates *c, const row *r, const char *text, const int *modes,
                            const advise_wish *wish, tsr_error *err)
{
    tsr_text to = {0};
    spell(&to, text, modes, wish);
    tsr_status status = tsr_text_status(&to, err);
    if (status == TSR_OK)
        status = add_format(c, to.s, loop_of(r->word[LOOP]), wish, err);
    tsr_text_clear(&to);
    return status;
}

static tsr_status add_orders(advise_candidates *c, const row *r, const char *text, const advise_wish *wish,
                             tsr_error *err)
{
    const char *const orders = r->word[ORDERS];
    const bool every = strcmp(orders, "all") == 0 && wish->order <= ALL_OF,
               most = strcmp(orders, "all") == 0 && !every, both = most || strcmp(orders, "both") == 0;
    int modes[TSR_MAX_ORDER];
    for (int m = 0; m < wish->order; m++)
        modes[m] = m;
    if (every || both || strcmp(orders, "natural") == 0)
        TSR_TRY(add_order(c, r, text, modes, wish, err));
    while (every && next_order(modes, wish->order))
        TSR_TRY(add_order(c, r, text, modes, wish, err));
    for (int k = 0; k < wish->nkernels && (both || strcmp(orders, "result") == 0); k++) {
        sort_modes(modes, wish, wish->place[k], false);
        TSR_TRY(add_order(c, r, text, modes, wish, err));
    }
    for (int is_long = 0; is_long < 2; is_long++)
        if (most || strcmp(orders, is_long ? "long" : "short") == 0) {
            sort_modes(modes, wish, NULL, is_long);
            TSR_TRY(add_order(c, r, text, modes, wish, err));
        }
    return TSR_OK;
}

/* ---- the list ---- */

static bool takes_order(const row *r, int order)
{
    const char *const modes = r->word[MODES];
    return strcmp(modes, "any") == 0 ? order > 1 : strcmp(modes, "2") == 0 ? order == 2 : order > 2;
}

/* Add a row: a|b|c in its format is each of these numbers. */
static tsr_status add_row(advise_candidates *c, const row *r, const advise_wish *wish, tsr_error *err)
{
    const char *const text = r->word[FORMAT], *const open = strchr(text, '(');
    const size_t n = open ? strcspn(open, ",)") : 0;
    const char *choice = open ? open + 1 : NULL;
    if (!open || !memchr(open, '|', n))
        return add_orders(c, r, text, wish, err);
    while (choice < open + n) {
        char one[WORD_NBYTES];
        const size_t length = strcspn(choice, "|,)");
        const size_t head = (size_t)(open + 1 - text);
        memcpy(one, text, head);
        memcpy(one + head, choice, length);
        memcpy(one + head + length, open + n, strlen(open + n) + 1);
        TSR_TRY(add_orders(c, r, one, wish, err));
        choice += length + 1;
    }
    return TSR_OK;
}

static tsr_status add_list(advise_candidates *c, const advise_wish *wish, tsr_error *err)
{
    row r;
    for (const char *s = tsr_advised_formats[0].text; s && (s = read_row(&r, s)) != NULL;)
        if (takes_order(&r, wish->order))
            TSR_TRY(add_row(c, &r, wish, err));
    return TSR_OK;
}

/* The class of the loop over a format: that of the row of the list with the same name. */
static int loop_of_format(const char *text)
{
    row r;
    const size_t n = strcspn(text, "(:");
    for (const char *s = tsr_advised_formats[0].text; s && (s = read_row(&r, s)) != NULL;)
        if (strcspn(r.word[FORMAT], "(+") == n && memcmp(r.word[FORMAT], text, n) == 0)
            return loop_of(r.word[LOOP]);
    return 0;
}

static tsr_status add_given(advise_candidates *c, const advise_wish *wish, const char *formats,
                            tsr_error *err)
{
    const char *const end = strchr(formats, '\n') ? "\n" : " ";
    for (const char *s = formats; *s;) {
        const size_t n = strcspn(s, end);
        tsr_text text = {0};
        tsr_text_add_n(&text, s, n);
        tsr_status status = tsr_text_status(&text, err);
        if (status == TSR_OK && n > 0)
            status = add_format(c, text.s, loop_of_format(text.s), wish, err);
        tsr_text_clear(&text);
        TSR_TRY(status);
        s += n + (s[n] != '\0');
    }
    return TSR_OK;
}

tsr_status advise_candidates_init(advise_candidates *out, const advise_wish *wish, const char *formats,
                                  const tsr_format *own, tsr_error *err)
{
    tsr_text name = {0};
    *out = (advise_candidates){0};
    if (own)
        tsr_format_print_name_for(&name, own, wish->dims);
    tsr_status status = tsr_text_status(&name, err);
    if (status == TSR_OK && own)
        status = add_format(out, name.s, loop_of_format(name.s), wish, err);
    tsr_text_clear(&name);
    TSR_TRY(status);
    return formats ? add_given(out, wish, formats, err) : add_list(out, wish, err);
}

void advise_candidates_clear(advise_candidates *candidates)
{
    for (int k = 0; k < candidates->n; k++) {
        tsr_free(candidates->text[k]);
        tsr_format_free(candidates->format[k]);
    }
    *candidates = (advise_candidates){0};
}
