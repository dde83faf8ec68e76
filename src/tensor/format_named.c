/* Named formats. Words in the text of a .fmt file (grammar: formats/storage/README.md) are replaced, which
 * gives a long form, and the long form is parsed. So each long form can be a named format. */
#include "format_internal.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>

#include "tsr_checked.h"

typedef struct span {
    const char *s;
    size_t n;
} span;

/* The parts of a .fmt file; spans point into its text. */
typedef struct format_template {
    const char *name;
    span summary;
    span also;    /* names that other software uses, separated by commas */
    span format;  /* long form of a fixed order; n = 0: `levels` is set instead */
    span levels;  /* items that repeat over the modes */
    bool falling; /* the modes are counted from the last */
    int nparams;
    span params[FORMAT_MAX_PARAMS];
    int64_t defaults[FORMAT_MAX_PARAMS]; /* 0: no default */
} format_template;

static bool span_is(span a, const char *word)
{
    return tsr_name_is(word, a.s, a.n);
}

static span trim(const char *s, const char *end)
{
    while (s < end && (*s == ' ' || *s == '\t' || *s == '\n'))
        s++;
    while (end > s && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\n'))
        end--;
    return (span){s, (size_t)(end - s)};
}

/* name [= default] {, name [= default]} */
static bool read_params(format_template *t, span value)
{
    const char *p = value.s, *end = value.s + value.n;
    while (p < end) {
        p = format_skip_blanks(p);
        const char *stop = format_word_end(p);
        if (stop == p || t->nparams == FORMAT_MAX_PARAMS)
            return false;
        t->params[t->nparams] = (span){p, (size_t)(stop - p)};
        p = format_skip_blanks(stop);
        int64_t number = 0;
        if (p < end && *p == '=')
            for (p = format_skip_blanks(p + 1); p < end && *p >= '0' && *p <= '9'; p++)
                number = number * 10 + (*p - '0');
        t->defaults[t->nparams++] = number;
        p = format_skip_blanks(p);
        if (p < end && *p++ != ',')
            return false;
    }
    return true;
}

static bool read_entry(format_template *t, span key, span value)
{
    if (span_is(key, "summary"))
        t->summary = value;
    else if (span_is(key, "also"))
        t->also = value;
    else if (span_is(key, "format"))
        t->format = value;
    else if (span_is(key, "levels"))
        t->levels = value;
    else if (span_is(key, "modes"))
        t->falling = span_is(value, "falling");
    else
        return span_is(key, "params") && read_params(t, value);
    return true;
}

/* Parse lines `key: value`. A line that begins with a blank continues the line before; '#' begins a comment
 * line. */
static tsr_status read_template(format_template *t, const tsr_named_format *named, tsr_error *err)
{
    *t = (format_template){.name = named->name};
    for (const char *p = named->text; *p;) {
        const char *end = strchr(p, '\n');
        end = end ? end + 1 : p + strlen(p);
        if (*p == '#' || *p == '\n') {
            p = end;
            continue;
        }
        while (*end == ' ' || *end == '\t') {
            const char *next = strchr(end, '\n');
            end = next ? next + 1 : end + strlen(end);
        }
        const char *colon = memchr(p, ':', (size_t)(end - p));
        if (!colon || !read_entry(t, trim(p, colon), trim(colon + 1, end)))
            return tsr_fail(err, TSR_ARGUMENT, "%s.fmt: unknown line '%.*s'", named->name,
                            (int)trim(p, end).n, p);
        p = end;
    }
    if ((t->format.n == 0) == (t->levels.n == 0))
        return tsr_fail(err, TSR_ARGUMENT, "%s.fmt: exactly one of format: and levels: is needed",
                        named->name);
    return TSR_OK;
}

/* Whether two words of n characters are equal, whatever their case. */
static bool same_word(const char *a, const char *b, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (tolower((unsigned char)a[k]) != tolower((unsigned char)b[k]))
            return false;
    return true;
}

/* Whether a name of n characters is in the list, whose names are separated by commas. */
static bool is_listed(span list, const char *name, size_t n)
{
    const char *const end = list.n > 0 ? list.s + list.n : list.s;
    for (const char *p = list.s; p < end; p++) {
        const char *stop = format_word_end(p);
        if ((size_t)(stop - p) == n && n > 0 && same_word(p, name, n))
            return true;
        p = stop;
    }
    return false;
}

/* Whether other software has this name for the format. */
static bool is_also(const tsr_named_format *named, const char *name, size_t n)
{
    format_template t;
    return read_template(&t, named, NULL) == TSR_OK && is_listed(t.also, name, n);
}

size_t format_find_other(const char **sentence, const char *name, size_t n)
{
    for (const char *p = tsr_other_formats->text, *end; p && *p; p = *end ? end + 1 : end) {
        end = strchr(p, '\n');
        end = end ? end : p + strlen(p);
        const char *colon = memchr(p, ':', (size_t)(end - p));
        if (*p == '#' || !colon || !is_listed((span){p, (size_t)(colon - p)}, name, n))
            continue;
        const span found = trim(colon + 1, end);
        *sentence = found.s;
        return found.n;
    }
    return 0;
}

const tsr_named_format *format_find_named(const char *name, size_t n)
{
    for (const tsr_named_format *named = tsr_named_formats; named->name; named++)
        if (tsr_name_is(named->name, name, n))
            return named;
    for (const tsr_named_format *named = tsr_named_formats; named->name; named++)
        if ((strlen(named->name) == n && same_word(named->name, name, n)) || is_also(named, name, n))
            return named;
    return NULL;
}

/* The names in the parentheses at the beginning of a template of fixed order; returns the text after
 * them. */
static const char *read_names(span *names, int *nnames, const format_template *t)
{
    const char *p = t->format.s + 1;
    for (*nnames = 0; *p && *p != ')' && *nnames < TSR_MAX_ORDER;) {
        const char *end = format_word_end(p);
        if (end > p) {
            names[(*nnames)++] = (span){p, (size_t)(end - p)};
            p = end;
        } else
            p++;
    }
    return p + (*p == ')');
}

static int template_order(const format_template *t)
{
    span names[TSR_MAX_ORDER];
    int n;
    if (t->format.n == 0)
        return -1;
    read_names(names, &n, t);
    return n;
}

int format_named_order(const tsr_named_format *named)
{
    format_template t;
    return read_template(&t, named, NULL) == TSR_OK ? template_order(&t) : -1;
}

void tsr_named_format_describe(tsr_text *usage, tsr_text *summary, const tsr_named_format *named)
{
    format_template t;
    if (read_template(&t, named, NULL) != TSR_OK)
        return;
    tsr_text_add(usage, t.name);
    for (int k = 0; k < t.nparams; k++) {
        tsr_text_addf(usage, "%s%.*s", k ? "," : "(", (int)t.params[k].n, t.params[k].s);
        if (t.defaults[k])
            tsr_text_addf(usage, "=%" PRId64, t.defaults[k]);
    }
    tsr_text_add(usage, t.nparams ? ")" : "");
    tsr_text_add_n(summary, t.summary.s, t.summary.n);
}

/* ---- from template to long form ---- */

typedef struct expansion {
    const format_template *t;
    const format_request *request;
    tsr_text text; /* the long form so far */
} expansion;

/* The number of the parameter with this name; nparams of the template: there is none. */
static int find_param(const expansion *x, span word)
{
    int k = 0;
    while (k < x->t->nparams && !(x->t->params[k].n == word.n && !memcmp(x->t->params[k].s, word.s, word.n)))
        k++;
    return k;
}

/* Append [p, end), with parameters replaced by their values and the word m by d<mode>. */
static void copy_replaced(expansion *x, const char *p, const char *end, int mode)
{
    while (p < end) {
        const char *stop = format_word_end(p);
        if (stop == p) {
            tsr_text_add_n(&x->text, p++, 1);
            continue;
        }
        const span word = {p, (size_t)(stop - p)};
        const int k = find_param(x, word);
        if (k < x->t->nparams)
            tsr_text_add_i64(&x->text, x->request->params[k]);
        else if (mode >= 0 && span_is(word, "m"))
            tsr_text_addf(&x->text, "d%d", mode);
        else
            tsr_text_add_n(&x->text, p, word.n);
        p = stop;
    }
}

/* Expand a template of fixed order; its k-th name is mode modes[k] of the tensor. */
static void expand_fixed(expansion *x)
{
    span names[TSR_MAX_ORDER];
    int n;
    const char *rest = read_names(names, &n, x->t);
    const int *modes = x->request->modes;
    tsr_text_add(&x->text, "(");
    for (int m = 0; m < n; m++) {
        int k = 0;
        while (modes && modes[k] != m)
            k++;
        tsr_text_add(&x->text, m ? ", " : "");
        tsr_text_add_n(&x->text, names[modes ? k : m].s, names[modes ? k : m].n);
    }
    tsr_text_add(&x->text, ")");
    copy_replaced(x, rest, x->t->format.s + x->t->format.n, -1);
}

/* The mode of the tensor with number k in a repeating template. */
static int nth_mode(const expansion *x, int k)
{
    const int at = x->t->falling ? x->request->order - 1 - k : k;
    return x->request->modes ? x->request->modes[at] : at;
}

/* Append the row-major number of a cell: the sum of d * product of the dims of the modes after it; nth_mode
 * 0 varies slowest. */
static tsr_status expand_linear(expansion *x, tsr_error *err)
{
    const int order = x->request->order;
    const uint64_t *dims = x->request->dims;
    uint64_t stride[TSR_MAX_ORDER], total = 1;
    char tuple[TSR_MAX_ORDER * 24] = "";
    if (!dims)
        return tsr_fail(err, TSR_ARGUMENT, "%s depends on the dims, which are unknown here", x->t->name);
    for (int k = order - 1; k >= 0; k--) {
        const uint64_t dim = dims[nth_mode(x, k)];
        stride[k] = total;
        if (tsr_mul_u64(&total, total, dim ? dim : 1) && total <= INT64_MAX)
            continue;
        for (int m = 0, at = 0; m < order; m++)
            at += snprintf(tuple + at, sizeof tuple - (size_t)at, "%s%" PRIu64, m ? " x " : "", dims[m]);
        return tsr_fail(err, TSR_LIMIT, "%s of %s has more than 2^63 - 1 cells", x->t->name, tuple);
    }
    for (int k = 0; k < order; k++)
        tsr_text_addf(&x->text, "%sd%d * %" PRIu64, k ? " + " : "", nth_mode(x, k), stride[k]);
    if (order == 0)
        tsr_text_add(&x->text, "0");
    return TSR_OK;
}

/* The words for the parts of a key that interleaves bits. */
static const struct {
    const char *word;
    format_key_part part;
} key_words[] = {{"interleave", FORMAT_KEY_WHOLE}, {"upper", FORMAT_KEY_UPPER}, {"lower", FORMAT_KEY_LOWER}};
enum { NKEY_WORDS = sizeof key_words / sizeof *key_words };

/* The index of the word in key_words, or NKEY_WORDS. */
static int find_key_word(span word)
{
    int k = 0;
    while (k < NKEY_WORDS && !span_is(word, key_words[k].word))
        k++;
    return k;
}

/* Expand `interleave : level`, `upper : level` or `lower : level`; `rest` is the text after the word, which may begin with the
 * parameter that is the size of a box. */
static tsr_status expand_key(expansion *x, int k, span rest, bool *first, tsr_error *err)
{
    tsr_text key = {0};
    bool applies;
    const char *const p = format_skip_blanks(rest.s), *const end = format_word_end(p);
    const int param = find_param(x, (span){p, (size_t)(end - p)});
    const int64_t box = param < x->t->nparams ? x->request->params[param] : 0;
    if (param < x->t->nparams)
        rest = (span){end, rest.n - (size_t)(end - rest.s)};
    tsr_status status = format_add_interleaved(&key, &applies, x->request, key_words[k].part, box, err);
    if (status == TSR_OK)
        status = tsr_text_status(&key, err);
    if (status == TSR_OK && applies) {
        tsr_text_add(&x->text, *first ? "" : ", ");
        tsr_text_add(&x->text, tsr_text_cstr(&key));
        copy_replaced(x, rest.s, rest.s + rest.n, -1);
        *first = false;
    }
    tsr_text_clear(&key);
    return status;
}

/* Expand one item: `quantifier m-expression : level`, `linear : level`, or a part of an interleaved key. */
static tsr_status expand_item(expansion *x, span item, bool *first, tsr_error *err)
{
    const int n = x->request->order;
    const char *end = item.s + item.n, *rest = format_word_end(item.s);
    const span word = {item.s, (size_t)(rest - item.s)};
    int lo = 0, hi = n; /* the item applies to modes number [lo, hi) */
    const int key = find_key_word(word);
    if (key < NKEY_WORDS)
        return expand_key(x, key, (span){rest, (size_t)(end - rest)}, first, err);
    if (span_is(word, "linear")) {
        tsr_text_add(&x->text, *first ? "" : ", ");
        *first = false;
        TSR_TRY(expand_linear(x, err));
        copy_replaced(x, rest, end, -1);
        return TSR_OK;
    }
    if (span_is(word, "only"))
        hi = n == 1;
    else if (span_is(word, "first"))
        hi = n >= 2;
    else if (span_is(word, "second")) {
        lo = 1;
        hi = n < 2 ? n : 2;
    } else if (span_is(word, "middle")) {
        lo = 1;
        hi = n - 1;
    } else if (span_is(word, "inner")) {
        lo = 2;
        hi = n - 1;
    } else if (span_is(word, "last"))
        lo = n >= 2 ? n - 1 : n;
    else if (span_is(word, "end"))
        lo = n >= 3 ? n - 1 : n;
    else if (!span_is(word, "each"))
        return tsr_fail(err, TSR_ARGUMENT,
                        "%s.fmt: unknown word '%.*s': expected each, only, first, second, middle, inner, "
                        "last, end, linear, interleave, upper or lower",
                        x->t->name, (int)word.n, word.s);
    for (int k = lo; k < hi; k++) {
        tsr_text_add(&x->text, *first ? "" : ", ");
        *first = false;
        copy_replaced(x, format_skip_blanks(rest), end, nth_mode(x, k));
    }
    return TSR_OK;
}

/* Expand a repeating template. Items are separated by commas outside parentheses. */
static tsr_status expand_repeating(expansion *x, tsr_error *err)
{
    tsr_text_add(&x->text, "(");
    for (int m = 0; m < x->request->order; m++)
        tsr_text_addf(&x->text, "%sd%d", m ? ", " : "", m);
    tsr_text_add(&x->text, ") -> (");
    const char *p = x->t->levels.s, *end = p + x->t->levels.n;
    bool first = true;
    while (p < end) {
        const char *start = p;
        for (int depth = 0; p < end && (*p != ',' || depth > 0); p++)
            depth += (*p == '(') - (*p == ')');
        TSR_TRY(expand_item(x, trim(start, p), &first, err));
        p += p < end;
    }
    tsr_text_add(&x->text, ")");
    return TSR_OK;
}

/* Complete the given parameters by the defaults. */
static tsr_status fill_params(format_request *request, const format_template *t, tsr_error *err)
{
    const int given = request->nparams;
    bool enough = given <= t->nparams;
    for (int k = given; k < t->nparams; k++) {
        request->params[k] = t->defaults[k];
        enough = enough && t->defaults[k] > 0;
    }
    if (enough)
        return TSR_OK;
    tsr_text usage = {0}, summary = {0};
    tsr_named_format_describe(&usage, &summary, request->named);
    const tsr_status status = tsr_fail_at(
        err, TSR_ARGUMENT, NULL, 0, request->col, "%s has %d parameter%s, but %d %s given: use %s", t->name,
        t->nparams, t->nparams == 1 ? "" : "s", given, given == 1 ? "is" : "are", tsr_text_cstr(&usage));
    tsr_text_clear(&usage);
    tsr_text_clear(&summary);
    return status;
}

tsr_status format_from_named(tsr_format **out, const format_request *request, tsr_error *err)
{
    *out = NULL;
    format_template t;
    TSR_TRY(read_template(&t, request->named, err));
    if (request->order < 0)
        return tsr_fail(err, TSR_ARGUMENT,
                        "%s supports any number of modes: list them in storage order, as in %s:0,1,2", t.name,
                        t.name);
    if (request->order > TSR_MAX_ORDER)
        return tsr_fail(err, TSR_LIMIT, "a format of %d modes: at most %d are supported", request->order,
                        TSR_MAX_ORDER);
    format_request filled = *request;
    TSR_TRY(fill_params(&filled, &t, err));
    expansion x = {.t = &t, .request = &filled};
    tsr_status status = TSR_OK;
    if (t.format.n > 0)
        expand_fixed(&x);
    else
        status = expand_repeating(&x, err);
    if (status == TSR_OK)
        status = tsr_text_status(&x.text, err);
    if (status == TSR_OK) {
        status = format_parse_long(out, tsr_text_cstr(&x.text), request->order, err);
        if (status != TSR_OK && err)
            err->col = request->col; /* the column must not refer to the expanded text */
    }
    tsr_text_clear(&x.text);
    return status;
}

/* ---- from format to name ---- */

/* The different numbers in the long form of a format: the candidates for parameters. Returns their
 * number. */
static int collect_numbers(int64_t *numbers, int capacity, const char *text)
{
    int n = 0;
    for (const char *p = text; *p;) {
        const char *stop = format_word_end(p);
        if (stop > p) {
            p = stop;
            continue;
        }
        if (*p < '0' || *p > '9') {
            p++;
            continue;
        }
        int64_t v = 0;
        for (; *p >= '0' && *p <= '9'; p++)
            if (!tsr_mul_i64(&v, v, 10) || !tsr_add_i64(&v, v, *p - '0'))
                v = 0;
        int k = 0;
        while (k < n && numbers[k] != v)
            k++;
        if (k == n && n < capacity && v > 0)
            numbers[n++] = v;
    }
    return n;
}

/* A search for the named format and the parameters that give `format`. */
typedef struct search {
    const tsr_format *format;
    const uint64_t *dims; /* NULL: unknown */
    int64_t numbers[TSR_MAX_LEVELS];
    int nnumbers;
    bool failed;           /* out of memory */
    uint32_t sizes_in_map; /* of the found name: bit m: the map depends on the dim of mode m */
} search;

static bool matches(search *s, const format_request *request)
{
    tsr_format *made;
    const tsr_status status = format_from_named(&made, request, NULL);
    s->failed = s->failed || status == TSR_NOMEM;
    const bool equal = status == TSR_OK && tsr_format_equal(made, s->format);
    tsr_format_free(made);
    return equal;
}

/* Try all values for the parameters from `at` on. */
static bool search_params(search *s, format_request *request, int at, int nparams)
{
    if (at == nparams) {
        request->nparams = nparams;
        return matches(s, request);
    }
    for (int k = 0; k < s->nnumbers && !s->failed; k++) {
        request->params[at] = s->numbers[k];
        if (search_params(s, request, at + 1, nparams))
            return true;
    }
    return false;
}

/* The modes, as bits, whose dims the map of the template depends on: for a row-major number all modes except
 * the slowest, for an interleaved key all modes. */
static uint32_t modes_of_sizes(const format_template *t, const format_request *request)
{
    const expansion x = {.t = t, .request = request};
    uint32_t modes = 0;
    if (t->levels.n == 0)
        return 0;
    for (const char *p = t->levels.s, *end = p + t->levels.n; p < end;) {
        const char *const stop = format_word_end(p);
        const span word = {p, (size_t)(stop - p)};
        const bool is_linear = span_is(word, "linear");
        for (int k = is_linear; k < request->order && (is_linear || find_key_word(word) < NKEY_WORDS); k++)
            modes |= UINT32_C(1) << nth_mode(&x, k);
        p = stop > p ? stop : p + 1;
    }
    return modes;
}

/* Whether the template names the types of all levels of the format: no other one can match. */
static bool has_types(const format_template *t, const tsr_format *format)
{
    for (int l = 0; l < format->nlevels; l++)
        if (!strstr(t->format.n ? t->format.s : t->levels.s, format->levels[l].type->name))
            return false;
    return true;
}

/* Print the matching name. Names of fixed order come first (csr before csf), and among these names without
 * parameters. */
static bool search_name(tsr_text *text, search *s)
{
    for (int pass = 0; pass < 4 && !s->failed; pass++)
        for (const tsr_named_format *named = tsr_named_formats; named->name && !s->failed; named++) {
            format_template t;
            format_request request = {.named = named, .order = s->format->order, .dims = s->dims};
            if (read_template(&t, named, NULL) != TSR_OK)
                continue;
            const int order = template_order(&t);
            if (pass != 2 * (order < 0) + (t.nparams > 0) || (order >= 0 && order != s->format->order) ||
                !has_types(&t, s->format) || !search_params(s, &request, 0, t.nparams))
                continue;
            s->sizes_in_map = modes_of_sizes(&t, &request);
            tsr_text_add(text, t.name);
            for (int k = 0; k < t.nparams; k++)
                tsr_text_addf(text, "%s%" PRId64, k ? "," : "(", request.params[k]);
            tsr_text_add(text, t.nparams ? ")" : "");
            return true;
        }
    return false;
}

/* The format with the same levels and the modes in order 0, 1...: its name is the first part of
 * "csf:2,0,1". */
static tsr_status with_modes_in_order(tsr_format **out, const tsr_format *format, tsr_error *err)
{
    format_draft draft = {.order = format->order, .nlevels = format->nlevels};
    memcpy(draft.levels, format->levels, sizeof draft.levels);
    *out = NULL;
    TSR_TRY(tsr_map_builder_new(&draft.builder, draft.order, NULL, err));
    for (int l = 0; l < draft.nlevels; l++)
        draft.results[l] = tsr_map_build_var(draft.builder, l);
    return format_finish(out, &draft, err);
}

void tsr_format_print_name(tsr_text *text, const tsr_format *format)
{
    tsr_format_print_name_for(text, format, NULL);
}

void tsr_format_print_name_for(tsr_text *text, const tsr_format *format, const uint64_t *dims)
{
    search s = {.format = format, .dims = dims};
    tsr_text numbers = {0};
    tsr_format_print_long(&numbers, format);
    s.nnumbers = collect_numbers(s.numbers, TSR_MAX_LEVELS, tsr_text_cstr(&numbers));
    s.failed = numbers.failed;
    tsr_text_clear(&numbers);
    if (search_name(text, &s))
        return;
    int perm[TSR_MAP_MAX_RESULTS];
    tsr_format *plain = NULL;
    if (!s.failed && tsr_format_is_permutation(format, perm)) {
        s.failed = with_modes_in_order(&plain, format, NULL) != TSR_OK;
        s.format = plain;
        if (plain && search_name(text, &s)) {
            for (int l = 0; l < format->order; l++)
                tsr_text_addf(text, "%c%d", l ? ',' : ':', perm[l]);
            tsr_format_free(plain);
            return;
        }
        tsr_format_free(plain);
    }
    if (s.failed)
        text->failed = true;
    else
        tsr_format_print(text, format);
}

uint32_t tsr_format_sizes_in_map(const tsr_format *format, const uint64_t *dims)
{
    search s = {.format = format, .dims = dims};
    tsr_text name = {0};
    if (tsr_format_is_permutation(format, NULL))
        return 0;
    (void)search_name(&name, &s);
    tsr_text_clear(&name);
    return s.sizes_in_map;
}

static tsr_status print_name(tsr_text *text, const tsr_format *format, const uint64_t *dims, tsr_error *err)
{
    tsr_format_print_name_for(text, format, dims);
    return tsr_text_status(text, err);
}

const tsr_format_notation tsr_format_name = {
    .name = "name",
    .example = "bcsr(2,3)",
    .claims = format_claims_word,
    .parse = format_parse_word,
    .print = print_name,
};
