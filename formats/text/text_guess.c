/* Guessing the format of a text by its first lines: see text_guess.h. */
#include "text_guess.h"

#include "tsr_num.h"

enum { MAX_LINES = 1000, MAX_FIRST = 4 };

/* Statistics of the first lines. */
typedef struct sight {
    int ntokens;                      /* tokens of the first line that is more than a comment */
    int nwhole;                       /* leading whole numbers of that line, at most MAX_FIRST */
    int64_t first[MAX_FIRST];         /* nwhole numbers */
    int64_t nlines;                   /* lines after it, including blank ones */
    int64_t ndata;                    /* lines after it with numbers */
    int min_tokens, max_tokens;       /* tokens per data line */
    int64_t ntokens_all;              /* tokens of all data lines */
    bool whole;                       /* all numbers of data lines are whole and >= 0 */
    uint64_t max;                     /* the largest of them */
    bool has_pairs;                   /* the first two numbers of each data line are whole */
    uint64_t max_index[2], min_index; /* of these two numbers */
    bool ended;                       /* the end of the text was reached */
} sight;

/* A whole number with a sign. */
static bool parse_whole(int64_t *out, const char *p, const char *end)
{
    uint64_t v;
    const bool minus = p < end && *p == '-';
    if (tsr_parse_u64(&v, p + minus, end) != end || v > INT64_MAX)
        return false;
    *out = minus ? -(int64_t)v : (int64_t)v;
    return true;
}

static void see_first(sight *s, const char *p, const char *end)
{
    const char *token, *token_end;
    s->ntokens = tsr_count_tokens(p, end);
    while (s->nwhole < MAX_FIRST && tsr_next_token(&token, &token_end, &p, end) &&
           parse_whole(&s->first[s->nwhole], token, token_end))
        s->nwhole++;
}

static void see_line(sight *s, const char *p, const char *end)
{
    const char *token, *token_end;
    int n = 0;
    for (; tsr_next_token(&token, &token_end, &p, end); n++) {
        uint64_t v = 0;
        const bool whole = tsr_parse_u64(&v, token, token_end) == token_end;
        s->whole = s->whole && whole;
        s->max = whole && v > s->max ? v : s->max;
        if (n >= 2)
            continue;
        s->has_pairs = s->has_pairs && whole;
        s->max_index[n] = v > s->max_index[n] ? v : s->max_index[n];
        s->min_index = v < s->min_index ? v : s->min_index;
    }
    s->has_pairs = s->has_pairs && n >= 2;
    s->min_tokens = s->ndata == 0 || n < s->min_tokens ? n : s->min_tokens;
    s->max_tokens = n > s->max_tokens ? n : s->max_tokens;
    s->ntokens_all += n;
    s->ndata++;
}

static tsr_status look(sight *s, tsr_lines *lines, const char *comments, tsr_error *err)
{
    *s = (sight){.whole = true, .has_pairs = true, .min_index = UINT64_MAX};
    while (s->nlines < MAX_LINES) {
        const char *p, *end;
        TSR_TRY(tsr_lines_next(&p, &end, lines, err));
        s->ended = p == NULL;
        if (!p)
            break;
        const char *text = p, *text_end = end;
        tsr_line_strip(&text, &text_end, "");
        tsr_line_strip(&p, &end, comments);
        const bool comment = p == end && text < text_end;
        if (s->ntokens == 0) {
            if (p < end)
                see_first(s, p, end);
            continue;
        }
        if (p < end)
            see_line(s, p, end);
        s->nlines += !comment;
    }
    return TSR_OK;
}

/* Whether the number of data lines is n, or can still become n where the end was not reached. */
static bool count_fits(const sight *s, int64_t n)
{
    return s->ended ? s->ndata == n : s->ndata <= n;
}

/* Whether all data lines have n numbers, and the first two are indices into a matrix with the sizes in the
 * first line. */
static bool are_entries(const sight *s, int n)
{
    if (s->ndata == 0 || s->min_tokens != n || s->max_tokens != n || !s->has_pairs || s->first[0] < 0 ||
        s->first[1] < 0)
        return false;
    const uint64_t last = s->min_index == 0 ? 1 : 0; /* sizes n: indices end at n - 1, or at n */
    return s->max_index[0] + last <= (uint64_t)s->first[0] && s->max_index[1] + last <= (uint64_t)s->first[1];
}

static bool is_metis(const sight *s)
{
    const int n = s->ntokens;
    if (n < 2 || n > 4 || s->nwhole != n || s->first[0] < 1 || s->first[1] < 1 || !s->whole || s->ndata == 0)
        return false;
    const int64_t nvertices = s->first[0], nedges = s->first[1];
    if (s->ndata > nvertices || (s->ended && s->nlines < nvertices))
        return false;
    if (n > 2 && s->min_tokens == n && s->max_tokens == n)
        return false;              /* lines like the first line: entries */
    if (n > 2 && s->first[2] != 0) /* with weights */
        return s->min_tokens != s->max_tokens;
    if (s->max > (uint64_t)nvertices)
        return false;
    return s->ended ? s->ntokens_all == 2 * nedges || s->ntokens_all == nedges
                    : s->min_tokens != s->max_tokens && s->ntokens_all <= 2 * nedges;
}

static bool is_cholmod(const sight *s)
{
    return s->ntokens == 4 && s->nwhole == 4 && s->first[3] >= -1 && s->first[3] <= 1 &&
           count_fits(s, s->first[2]) && (are_entries(s, 2) || are_entries(s, 3) || are_entries(s, 4));
}

tsr_status tsr_guess_text(tsr_guess *out, tsr_lines *lines, const char *comments, tsr_error *err)
{
    sight s;
    *out = TSR_GUESS_ENTRIES;
    tsr_lines_mark(lines);
    const tsr_status status = look(&s, lines, comments, err);
    tsr_lines_back(lines);
    TSR_TRY(status);
    if (is_metis(&s))
        *out = TSR_GUESS_METIS;
    else if (is_cholmod(&s))
        *out = TSR_GUESS_CHOLMOD;
    else if (s.ntokens == 3 && s.nwhole == 3 && s.min_index == 0 && count_fits(&s, s.first[2]) &&
             (are_entries(&s, 2) || are_entries(&s, 3) || are_entries(&s, 4)))
        *out = TSR_GUESS_SIZES_0;
    else if (s.ntokens == 3 && s.nwhole == 3 && count_fits(&s, s.first[2]) &&
             (are_entries(&s, 2) || are_entries(&s, 4)))
        *out = TSR_GUESS_SIZES;
    else if (s.ntokens == 2 && s.nwhole == 2 && s.first[1] >= 0 && s.whole &&
             (s.ndata == 0 || (s.min_tokens == 2 && s.max_tokens == 2)))
        *out = TSR_GUESS_PAIRS;
    return TSR_OK;
}
