/* Reading kernel tests: see kernel_case.h. */
#include "kernel_case.h"

#include <dirent.h>
#include <jansson.h>

#include "tsr_test.h"

static char *copy_of(const char *s)
{
    char *copy = malloc(strlen(s) + 1);
    assert_non_null(copy);
    return strcpy(copy, s);
}

const char *kernel_case_format(const kernel_case *c, int r, int t)
{
    const char *format = c->format[r][t];
    return format && *format ? format : c->tensors[t].order ? "dense" : "scalar";
}

void kernel_case_operands(const dense **operands, const kernel_case *c)
{
    for (int t = 0; t < c->notation->ntensors; t++)
        operands[t] = t ? &c->tensors[t] : NULL;
}

void kernel_case_clear(kernel_case *c)
{
    for (int t = 0; t < c->notation->ntensors; t++)
        dense_clear(&c->tensors[t]);
    for (int r = 0; r < c->nrows; r++)
        for (int t = 0; t < c->notation->ntensors; t++)
            free(c->format[r][t]);
    dense_clear(&c->want);
    tsr_notation_free(c->notation);
    *c = (kernel_case){0};
}

/* The result's `before` is zeros when none was given. */
static void finish(kernel_case *c)
{
    if (!c->tensors[0].v)
        dense_init(&c->tensors[0], c->want.order, c->want.dims);
    for (int t = 0; t < c->notation->ntensors; t++)
        if (!c->tensors[t].v)
            fail_msg("%s: tensor %s is not given", c->name, c->notation->tensor[t].name);
    if (!c->want.v || c->nrows == 0)
        fail_msg("%s: no result or no formats", c->name);
}

/* ---- files ---- */

typedef struct reader {
    kernel_case *c;
    dense *into;      /* what the numbers of the lines that follow belong to */
    bool coordinates; /* each line is an entry */
    uint64_t nvalues; /* read into it so far */
    int line;
} reader;

static void wrong(const reader *r, const char *why)
{
    fail_msg("%s, line %d: %s", r->c->name, r->line, why);
}

static char *skip_blanks(char *s)
{
    return s + strspn(s, " \t");
}

/* "NAME dim dim...": the tensor. */
static void read_head(reader *r, char *s, bool want)
{
    char *name = skip_blanks(s), *end = name + strcspn(name, " \t");
    uint64_t dims[TSR_MAX_ORDER];
    int order = 0;
    char *rest = *end ? end + 1 : end;
    *end = '\0';
    const int t = tsr_notation_find_tensor(r->c->notation, name);
    if (t < 0)
        wrong(r, "no such tensor");
    for (rest = skip_blanks(rest); *rest; rest = skip_blanks(rest))
        dims[order++] = strtoull(rest, &rest, 10);
    if (order != r->c->notation->tensor[t].order || (want && t != 0))
        wrong(r, "other indices than in the expression");
    r->into = want ? &r->c->want : &r->c->tensors[t];
    if (r->into->v)
        wrong(r, "given twice");
    dense_init(r->into, order, dims);
    r->nvalues = 0;
}

static void read_entry(reader *r, char *s)
{
    uint64_t at[TSR_MAX_ORDER];
    for (int m = 0; m < r->into->order; m++) {
        at[m] = strtoull(s, &s, 10);
        if (at[m] >= r->into->dims[m])
            wrong(r, "a coordinate outside");
    }
    const uint64_t k = dense_offset(r->into, at);
    r->into->v[k] += strtod(s, &s);
    r->into->stored[k] = true;
    if (*skip_blanks(s))
        wrong(r, "more numbers than modes and a value");
}

static void read_values(reader *r, char *s)
{
    for (s = skip_blanks(s); *s; s = skip_blanks(s)) {
        char *end;
        if (r->nvalues == r->into->n)
            wrong(r, "too many values");
        r->into->v[r->nvalues] = strtod(s, &end);
        r->into->stored[r->nvalues++] = true;
        if (end == s)
            wrong(r, "not a number");
        s = end;
    }
}

/* "NAME: format; NAME: format" */
static void read_formats(reader *r, char *s)
{
    kernel_case *c = r->c;
    assert_true(c->nrows < KERNEL_CASE_MAX_ROWS);
    for (char *item = strtok(s, ";"); item; item = strtok(NULL, ";")) {
        char *name = skip_blanks(item), *colon = strchr(name, ':');
        if (!colon)
            wrong(r, "expected NAME: format");
        *colon = '\0';
        const int t = tsr_notation_find_tensor(c->notation, name);
        if (t < 0 || c->format[c->nrows][t])
            wrong(r, "no such tensor, or twice");
        c->format[c->nrows][t] = copy_of(skip_blanks(colon + 1));
    }
    c->nrows++;
    r->into = NULL;
}

static char *after(char *line, const char *word)
{
    const size_t n = strlen(word);
    return strncmp(line, word, n) == 0 && (line[n] == ' ' || line[n] == '\0') ? line + n : NULL;
}

static void check_complete(const reader *r)
{
    if (r->into && !r->coordinates && r->nvalues != r->into->n)
        wrong(r, "too few values before this line");
}

static void read_line(reader *r, char *line)
{
    char *rest;
    if (!r->c->notation)
        assert_ok(tsr_notation_parse(&r->c->notation, line, err));
    else if ((rest = after(line, "entries")) || (rest = after(line, "values")) ||
             (rest = after(line, "before")) || (rest = after(line, "result"))) {
        check_complete(r);
        r->coordinates = *line == 'e';
        read_head(r, rest, *line == 'r');
    } else if ((rest = after(line, "formats"))) {
        check_complete(r);
        read_formats(r, rest);
    } else if (!r->into)
        wrong(r, "expected entries, values, before, result or formats");
    else if (r->coordinates)
        read_entry(r, line);
    else
        read_values(r, line);
}

void kernel_case_read(kernel_case *c, const char *path)
{
    const char *slash = strrchr(path, '/');
    *c = (kernel_case){0};
    snprintf(c->name, sizeof c->name, "%s", slash ? slash + 1 : path);
    reader r = {.c = c};
    char *text = tsr_test_slurp(path, NULL);
    for (char *line = text, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        r.line++;
        line[strcspn(line, "#")] = '\0';
        line = skip_blanks(line);
        for (size_t n = strlen(line); n && line[n - 1] == ' '; n--)
            line[n - 1] = '\0';
        if (*line)
            read_line(&r, line);
    }
    free(text);
    check_complete(&r);
    finish(c);
}

static int is_case(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot && strcmp(dot, ".kernel-test") == 0;
}

int kernel_cases_of_folder(const char *folder, void (*visit)(void *arg, const kernel_case *c), void *arg)
{
    struct dirent **entries;
    const int n = scandir(folder, &entries, is_case, alphasort);
    for (int k = 0; k < n; k++) {
        kernel_case c;
        kernel_case_read(&c, tsr_test_path(folder, entries[k]->d_name));
        visit(arg, &c);
        kernel_case_clear(&c);
        free(entries[k]);
    }
    if (n >= 0)
        free(entries);
    return n;
}

/* ---- expressions.json ---- */

/* Dims, and entries [[coordinates], value]. */
static void from_json(dense *d, const json_t *dims, const json_t *entries)
{
    uint64_t size[TSR_MAX_ORDER];
    for (size_t m = 0; m < json_array_size(dims); m++)
        size[m] = (uint64_t)json_integer_value(json_array_get(dims, m));
    dense_init(d, (int)json_array_size(dims), size);
    for (size_t e = 0; e < json_array_size(entries); e++) {
        const json_t *entry = json_array_get(entries, e), *crd = json_array_get(entry, 0);
        uint64_t at[TSR_MAX_ORDER];
        for (size_t m = 0; m < json_array_size(crd); m++)
            at[m] = (uint64_t)json_integer_value(json_array_get(crd, m));
        const uint64_t k = dense_offset(d, at);
        d->v[k] = json_number_value(json_array_get(entry, 1));
        d->stored[k] = true;
    }
}

static void case_from_json(kernel_case *c, const json_t *row)
{
    *c = (kernel_case){0};
    snprintf(c->name, sizeof c->name, "%s", json_string_value(json_object_get(row, "id")));
    assert_ok(tsr_notation_parse(&c->notation, json_string_value(json_object_get(row, "expr")), err));
    for (int t = 1; t < c->notation->ntensors; t++) {
        const json_t *operand =
            json_object_get(json_object_get(row, "operands"), c->notation->tensor[t].name);
        from_json(&c->tensors[t], json_object_get(operand, "dims"), json_object_get(operand, "entries"));
    }
    from_json(&c->want, json_object_get(row, "result_dims"), json_object_get(row, "result"));
    /* A row of formats: the result's, then the operands' in the order in which they are given. */
    const json_t *formats = json_object_get(row, "formats");
    c->nrows = (int)json_array_size(formats);
    assert_in_range(c->nrows, 1, KERNEL_CASE_MAX_ROWS);
    for (int r = 0; r < c->nrows; r++) {
        const json_t *texts = json_array_get(formats, (size_t)r);
        assert_int_equal(json_array_size(texts), c->notation->ntensors);
        c->format[r][0] = copy_of(json_string_value(json_array_get(texts, 0)));
        const char *name;
        json_t *operand;
        size_t k = 1;
        json_object_foreach(json_object_get(row, "operands"), name, operand)
        {
            const int t = tsr_notation_find_tensor(c->notation, name);
            assert_in_range(t, 1, c->notation->ntensors - 1);
            c->format[r][t] = copy_of(json_string_value(json_array_get(texts, k++)));
        }
    }
    finish(c);
}

int kernel_cases_shared(void (*visit)(void *arg, const kernel_case *c), void *arg)
{
    if (!tsr_test_shared())
        skip();
    json_error_t fault;
    json_t *rows = json_load_file(tsr_test_path(tsr_test_shared(), "cases/expressions.json"),
                                  JSON_REJECT_DUPLICATES, &fault);
    assert_non_null(rows);
    const size_t n = json_array_size(rows);
    for (size_t k = 0; k < n; k++) {
        kernel_case c;
        case_from_json(&c, json_array_get(rows, k));
        visit(arg, &c);
        kernel_case_clear(&c);
    }
    json_decref(rows);
    return (int)n;
}
