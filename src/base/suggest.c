/* Unknown words: see tsr_suggest.h. */
#include "tsr_suggest.h"

#include <string.h>

enum { MAX_NAME = 64 }; /* longer words are never near */

/* The letter that represents all letters that count as equal. */
static char folded(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c == '_' ? '-' : c;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Slips (insert, delete, replace, swap of neighbours) between a[0..na) and b[0..nb), na and nb < MAX_NAME. */
static int count_slips(const char *a, size_t na, const char *b, size_t nb)
{
    int d[MAX_NAME][MAX_NAME];
    for (size_t i = 0; i <= na; i++)
        for (size_t j = 0; j <= nb; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = (int)(i + j);
                continue;
            }
            const char x = folded(a[i - 1]), y = folded(b[j - 1]);
            const int one = least(d[i - 1][j], d[i][j - 1]) + 1;
            d[i][j] = least(d[i - 1][j - 1] + (x != y), one);
            if (i > 1 && j > 1 && x == folded(b[j - 2]) && folded(a[i - 2]) == y)
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[na][nb];
}

/* The number of slips after which the n characters can still be recognised; 0 for a number. */
static int allowed_slips(const char *s, size_t n)
{
    const bool number = n > 0 && s[0] >= '0' && s[0] <= '9';
    return n < 2 || number ? 0 : n < 5 ? 1 : 2;
}

static bool begins(const char *a, size_t na, const char *b, size_t nb)
{
    size_t i = 0;
    while (i < na && i < nb && folded(a[i]) == folded(b[i]))
        i++;
    return i == na && na >= 2;
}

void tsr_suggest_begin(tsr_suggest *suggest, const char *given, size_t ngiven)
{
    *suggest = (tsr_suggest){.given = given, .ngiven = ngiven, .nslips = allowed_slips(given, ngiven) + 1};
}

void tsr_suggest_offer(tsr_suggest *suggest, const char *word)
{
    const size_t n = strlen(word);
    tsr_text_add(&suggest->known, suggest->known.nbytes ? ", " : "");
    tsr_text_add(&suggest->known, word);
    if (n >= MAX_NAME || suggest->ngiven >= MAX_NAME)
        return;
    int nslips = count_slips(suggest->given, suggest->ngiven, word, n);
    if (nslips > 1 && begins(suggest->given, suggest->ngiven, word, n))
        nslips = 1;
    if (nslips > suggest->nslips || nslips > allowed_slips(suggest->given, suggest->ngiven))
        return;
    if (nslips < suggest->nslips)
        suggest->nnear = 0;
    suggest->nslips = nslips;
    if (suggest->nnear < TSR_SUGGEST_MAX_NEAR)
        suggest->near[suggest->nnear] = word;
    suggest->nnear++;
}

void tsr_suggest_alias(tsr_suggest *suggest, const char *alias, const char *word)
{
    const size_t n = strlen(alias);
    if (n != suggest->ngiven || !begins(suggest->given, n, alias, n))
        return;
    suggest->nslips = 0;
    suggest->nnear = 1;
    suggest->near[0] = word;
}

void tsr_suggest_print(tsr_text *text, const tsr_suggest *suggest, const char *dashes)
{
    const int n = suggest->nnear;
    if (n > TSR_SUGGEST_MAX_NEAR)
        return;
    for (int i = 0; i < n; i++)
        tsr_text_addf(text, "%s%s%s",
                      i == 0       ? "; did you mean "
                      : i == n - 1 ? " or "
                                   : ", ",
                      dashes, suggest->near[i]);
    tsr_text_add(text, n > 0 ? "?" : "");
}

void tsr_suggest_clear(tsr_suggest *suggest)
{
    tsr_text_clear(&suggest->known);
}

tsr_status tsr_suggest_fail(tsr_suggest *suggest, tsr_status status, size_t col, const char *what,
                            tsr_error *err)
{
    tsr_text tail = {0};
    tsr_suggest_print(&tail, suggest, "");
    if (tail.nbytes == 0)
        tsr_text_addf(&tail, " (known: %s)", tsr_text_cstr(&suggest->known));
    if (suggest->ngiven == 0)
        (void)tsr_fail_at(err, status, NULL, 0, col, "missing %s%s", what, tsr_text_cstr(&tail));
    else
        (void)tsr_fail_at(err, status, NULL, 0, col, "unknown %s '%.*s'%s", what,
                          (int)(suggest->ngiven > 40 ? 40 : suggest->ngiven), suggest->given,
                          tsr_text_cstr(&tail));
    tsr_text_clear(&tail);
    tsr_suggest_clear(suggest);
    return status;
}

tsr_status tsr_suggest_fail_words(tsr_status status, const char *what, const char *given,
                                  const char *const *words, tsr_error *err)
{
    tsr_suggest suggest;
    tsr_suggest_begin(&suggest, given, strlen(given));
    for (int i = 0; words[i]; i++)
        tsr_suggest_offer(&suggest, words[i]);
    return tsr_suggest_fail(&suggest, status, 0, what, err);
}
