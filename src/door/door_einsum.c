/* Subscripts as in NumPy's einsum, "ij,j->i", as index notation: R(i) = A(i,j) * B(j). */
#include <string.h>

#include "door_kernel.h"

enum { LETTERS = 26, MAX_OPERANDS = LETTERS };

typedef struct subscripts {
    const char *begin[MAX_OPERANDS + 1]; /* of each operand, and of the result at the end */
    int n[MAX_OPERANDS + 1];             /* letters */
    int noperands;
    char alone[2 * LETTERS + 1]; /* the result that is left out: letters that occur once, in order */
} subscripts;

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static tsr_status unexpected(const char *text, const char *at, tsr_error *err)
{
    const uint64_t col = (uint64_t)(at - text) + 1;
    return tsr_fail_expected(err, 1, col, "a letter, ',' or '->' in subscripts such as ij,j->i", at,
                             *at != '\0');
}

/* The letters that occur once, in alphabetical order, capitals first: the result where it is left out. */
static void find_alone(subscripts *s)
{
    int n = 0;
    for (char c = 'A'; c <= 'z'; c++) {
        int count = 0;
        for (int t = 0; t < s->noperands && is_letter(c); t++)
            for (int i = 0; i < s->n[t]; i++)
                count += s->begin[t][i] == c;
        if (count == 1)
            s->alone[n++] = c;
    }
    s->begin[s->noperands] = s->alone;
    s->n[s->noperands] = n;
}

/* The letters of the result are those of operands, each once. */
static tsr_status check_result(const subscripts *s, const char *text, tsr_error *err)
{
    const char *const result = s->begin[s->noperands];
    for (int i = 0; i < s->n[s->noperands]; i++) {
        bool found = false;
        for (int t = 0; t < s->noperands; t++)
            found = found || memchr(s->begin[t], result[i], (size_t)s->n[t]);
        if (!found || memchr(result, result[i], (size_t)i))
            return tsr_fail_at(err, TSR_ARGUMENT, NULL, 0, (uint64_t)(result + i - text) + 1,
                               found ? "the result has the letter '%c' twice"
                                     : "no operand has the letter '%c' of the result",
                               result[i]);
    }
    return TSR_OK;
}

static tsr_status parse(subscripts *s, const char *text, tsr_error *err)
{
    const char *p = text;
    bool arrow = false;
    for (int t = 0;; t++) {
        if (t > MAX_OPERANDS)
            return tsr_fail(err, TSR_LIMIT, "more than %d operands", (int)MAX_OPERANDS);
        p += strspn(p, " ");
        s->begin[t] = p;
        while (is_letter(*p))
            p++;
        s->n[t] = (int)(p - s->begin[t]);
        if (s->n[t] > TSR_MAX_ORDER)
            return tsr_fail(err, TSR_LIMIT, "operand %d has %d letters, but a tensor has at most %d modes", t,
                            s->n[t], (int)TSR_MAX_ORDER);
        p += strspn(p, " ");
        s->noperands = arrow ? t : t + 1;
        if (arrow && *p)
            return unexpected(text, p, err);
        if (!*p)
            break;
        if (*p == ',')
            p++;
        else if (p[0] == '-' && p[1] == '>') {
            arrow = true;
            p += 2;
        } else
            return unexpected(text, p, err);
    }
    if (arrow)
        return check_result(s, text, err);
    find_alone(s);
    return TSR_OK;
}

/* A variable for each letter: names of tensors are capitals, and names of functions have several letters. */
static void add_access(tsr_text *text, char name, const char *letters, int n)
{
    tsr_text_add_n(text, &name, 1);
    for (int i = 0; i < n; i++) {
        tsr_text_add(text, i == 0 ? "(" : ",");
        if (letters[i] >= 'A' && letters[i] <= 'Z') {
            const char lower = (char)(letters[i] - 'A' + 'a');
            tsr_text_add_n(text, &lower, 1);
            tsr_text_add(text, "_");
        } else {
            tsr_text_add_n(text, &letters[i], 1);
        }
    }
    tsr_text_add(text, n > 0 ? ")" : "");
}

/* A, B, C..., without R, which is the result. */
static char name_of(int t)
{
    const char name = (char)('A' + t);
    return name < 'R' ? name : (char)(name + 1);
}

static tsr_status translate(tsr_text *text, const char *given, tsr_error *err)
{
    subscripts s = {0};
    TSR_TRY(parse(&s, given, err));
    if (s.noperands > MAX_OPERANDS - 1)
        return tsr_fail(err, TSR_LIMIT, "more than %d operands", MAX_OPERANDS - 1);
    add_access(text, 'R', s.begin[s.noperands], s.n[s.noperands]);
    tsr_text_add(text, " = ");
    for (int t = 0; t < s.noperands; t++) {
        tsr_text_add(text, t > 0 ? "*" : "");
        add_access(text, name_of(t), s.begin[t], s.n[t]);
    }
    return tsr_text_status(text, err);
}

tessera_status tessera_einsum(tessera_kernel **out, const char *given, const tessera_kernel_options *options,
                              tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    tsr_text text = {0};
    tsr_status status = TSR_OK;
    TSR_TRY_OUT(door_need(out, "result", call.err));
    *out = NULL;
    TSR_TRY_OUT(door_need(given, "subscripts", call.err));
    TSR_TRY_OUT(translate(&text, given, call.err));
    status = door_kernel_new(out, tsr_text_cstr(&text), options, &call);
    if (status != TSR_OK && call.err)
        call.err->col = 0; /* a column of the translation, which the caller has not written */
out:
    tsr_text_clear(&text);
    return door_end(&call, status);
}
