/* Parsing kernel files, and making the kernels of their variants. */
#include "tsr_kernel_file.h"

#include <stddef.h>
#include <string.h>

#include "tsr_alloc.h"
#include "tsr_arena.h"
#include "tsr_notation.h"
#include "tsr_num.h"
#include "tsr_text.h"

enum {
    LARGE = 1 << 20, /* stands for a size that is not given; too large for a literal */
    NTHREADS = 2,    /* any number except 1 gives the same program */
};

static const char blanks[] = " \t\r";

/* ---- parsing ---- */

typedef struct parser {
    tsr_kernel_file *file;
    tsr_arena arena;
    uint64_t line;
    tsr_error *err;
} parser;

/* *out: the text [start, end) without blanks around it, in the arena. */
static tsr_status copy(const char **out, parser *p, const char *start, const char *end)
{
    while (start < end && strchr(blanks, *start))
        start++;
    while (end > start && strchr(blanks, end[-1]))
        end--;
    *out = tsr_arena_strndup(&p->arena, start, (size_t)(end - start));
    return *out ? TSR_OK : tsr_fail(p->err, TSR_NOMEM, "out of memory: a kernel file");
}

static tsr_status add_item(parser *p, tsr_kernel_list *list, const char *start, const char *end)
{
    if (list->n == TSR_KERNEL_FILE_MAX)
        return tsr_fail_at(p->err, TSR_LIMIT, p->file->name, p->line, 0, "a key has more than %d choices",
                           TSR_KERNEL_FILE_MAX);
    return copy(&list->text[list->n++], p, start, end);
}

static tsr_status add_words(parser *p, tsr_kernel_list *list, const char *value)
{
    for (const char *w = value + strspn(value, blanks); *w; w += strspn(w, blanks)) {
        const char *end = w + strcspn(w, blanks);
        TSR_TRY(add_item(p, list, w, end));
        w = end;
    }
    return TSR_OK;
}

static tsr_status set_once(parser *p, const char **out, const char *key, const char *value)
{
    if (*out)
        return tsr_fail_at(p->err, TSR_SYNTAX, p->file->name, p->line, 0,
                           "the key %s occurs twice: write it once", key);
    return copy(out, p, value, value + strlen(value));
}

/* The keys whose values are choices: where they are in a tsr_kernel_file, whether each word is one, and the choice if there is none. */
static const struct {
    const char *key;
    size_t list;
    bool is_words;
    const char *usual;
} choices[] = {{"formats", offsetof(tsr_kernel_file, formats), false, ""},
               {"types", offsetof(tsr_kernel_file, types), true, "f64"},
               {"index", offsetof(tsr_kernel_file, index), true, "4"},
               {"sizes", offsetof(tsr_kernel_file, sizes), false, ""},
               {"schedule", offsetof(tsr_kernel_file, schedules), false, "automatic"}};
enum { NCHOICES = sizeof choices / sizeof *choices };

static tsr_kernel_list *choices_of(tsr_kernel_file *file, size_t k)
{
    return (tsr_kernel_list *)(void *)((char *)file + choices[k].list);
}

/* Parse one line with its continuation lines. */
static tsr_status parse_entry(parser *p, const char *entry)
{
    const char *const colon = strchr(entry, ':'), *const value = colon ? colon + 1 : "";
    const size_t n = colon ? (size_t)(colon - entry) : 0;
    const size_t k = tsr_name_find(&choices->key, NCHOICES, sizeof *choices, entry, n);
    if (tsr_name_is("summary", entry, n))
        return set_once(p, &p->file->summary, "summary", value);
    if (tsr_name_is("expression", entry, n))
        return set_once(p, &p->file->expression, "expression", value);
    if (k == NCHOICES)
        return tsr_fail_at(
            p->err, TSR_SYNTAX, p->file->name, p->line, 0,
            "expected a line \"key: value\"; the keys are summary, expression, formats, types, index, sizes, "
            "schedule");
    return choices[k].is_words ? add_words(p, choices_of(p->file, k), value)
                               : add_item(p, choices_of(p->file, k), value, value + strlen(value));
}

/* Cut the text into entries. An entry is a line joined with the lines after it that begin with a blank. */
static tsr_status parse_text(parser *p, const char *text)
{
    char *copied = tsr_arena_strndup(&p->arena, text, strlen(text));
    if (!copied)
        return tsr_fail(p->err, TSR_NOMEM, "out of memory: a kernel file");
    uint64_t next_line = 1;
    for (char *s = copied; *s;) {
        p->line = next_line;
        char *end = s;
        for (;;) {
            end += strcspn(end, "\n");
            next_line++;
            if (*end && s[0] != '#' && (end[1] == ' ' || end[1] == '\t'))
                *end = ' ';
            else
                break;
        }
        char *after = end + (*end == '\n');
        *end = '\0';
        if (s[0] != '#' && s[strspn(s, blanks)])
            TSR_TRY(parse_entry(p, s));
        s = after;
    }
    return TSR_OK;
}

static tsr_status parse(parser *p, const char *name, const char *text)
{
    p->file = tsr_arena_alloc(&p->arena, sizeof *p->file);
    if (!p->file)
        return tsr_fail(p->err, TSR_NOMEM, "out of memory: a kernel file");
    TSR_TRY(copy(&p->file->name, p, name, name + strlen(name)));
    TSR_TRY(parse_text(p, text));
    if (!p->file->expression || !p->file->summary)
        return tsr_fail_at(p->err, TSR_SYNTAX, name, 0, 0, "the key %s is missing",
                           p->file->expression ? "summary" : "expression");
    for (size_t k = 0; k < NCHOICES; k++) {
        tsr_kernel_list *const list = choices_of(p->file, k);
        if (list->n == 0)
            list->text[list->n++] = choices[k].usual;
    }
    return TSR_OK;
}

tsr_status tsr_kernel_file_parse(tsr_kernel_file **out, const char *name, const char *text, tsr_error *err)
{
    parser p = {.err = err};
    *out = NULL;
    const tsr_status status = parse(&p, name, text);
    if (status == TSR_OK) {
        p.file->memory = p.arena.chunks;
        *out = p.file;
    } else {
        tsr_arena_clear(&p.arena);
    }
    return status;
}

void tsr_kernel_file_free(tsr_kernel_file *file)
{
    if (!file)
        return;
    tsr_arena arena = {.chunks = file->memory};
    tsr_arena_clear(&arena);
}

/* ---- variants ---- */

int tsr_kernel_file_nvariants(const tsr_kernel_file *file)
{
    return file->formats.n * file->types.n * file->index.n * file->sizes.n * file->schedules.n;
}

/* Item (*v mod n) of a list of n items; *v becomes *v div n. */
static const char *take(const tsr_kernel_list *list, int *v)
{
    const char *text = list->text[*v % list->n];
    *v /= list->n;
    return text;
}

tsr_kernel_variant tsr_kernel_file_variant(const tsr_kernel_file *file, int v)
{
    tsr_kernel_variant variant;
    variant.schedule = take(&file->schedules, &v);
    variant.sizes = take(&file->sizes, &v);
    variant.index = take(&file->index, &v);
    variant.type = take(&file->types, &v);
    variant.formats = take(&file->formats, &v);
    return variant;
}

/* ---- making kernels ---- */

typedef struct maker {
    const tsr_kernel_file *file;
    const tsr_notation *notation;
    tsr_kernel_variant variant;
    uint64_t size[TSR_NOTATION_MAX_VARS];
    uint64_t dims[TSR_NOTATION_MAX_TENSORS][TSR_NOTATION_MAX_ORDER];
    tsr_format *format[TSR_NOTATION_MAX_TENSORS]; /* owned */
    tsr_kernel_tensor tensor[TSR_NOTATION_MAX_TENSORS];
} maker;

/* Copy the name before `mark` in [*s, end), without blanks around it, and move *s behind `mark`. False:
 * `mark` is missing, or the name is too long. */
static bool take_name(char name[64], const char **s, const char *end, char mark)
{
    const char *start = *s + strspn(*s, blanks), *stop = memchr(start, mark, (size_t)(end - start));
    if (start >= end || !stop)
        return false;
    *s = stop + 1;
    while (stop > start && strchr(blanks, stop[-1]))
        stop--;
    if (stop - start >= 64)
        return false;
    memcpy(name, start, (size_t)(stop - start));
    name[stop - start] = '\0';
    return true;
}

/* "r=16 s=4" */
static tsr_status read_sizes(maker *m, tsr_error *err)
{
    for (int v = 0; v < m->notation->nvars; v++)
        m->size[v] = LARGE;
    for (int t = 0; t < m->notation->ntensors; t++) {
        const tsr_expr *const access = tsr_notation_access(m->notation, t);
        for (int i = 0; i < access->nindices; i++)
            if (tsr_expr_window(access, i))
                m->size[access->index[i]] = tsr_expr_window(access, i)->n;
    }
    const char *s = m->variant.sizes, *end = s + strlen(s);
    while (s[strspn(s, blanks)]) {
        char name[64];
        uint64_t n;
        const bool named = take_name(name, &s, end, '=');
        const int v = named ? tsr_notation_find_var(m->notation, name) : -1;
        s = v >= 0 ? tsr_parse_u64(&n, s, end) : NULL;
        if (!s || n == 0)
            return tsr_fail_at(
                err, TSR_SYNTAX, m->file->name, 0, 0,
                "expected sizes VARIABLE=NUMBER with variables of the expression, found \"%s\"",
                m->variant.sizes);
        m->size[v] = n;
    }
    return TSR_OK;
}

/* "B:csf:1,0,2; D:dd" */
static tsr_status read_formats(maker *m, tsr_error *err)
{
    const char *s = m->variant.formats;
    while (s[strspn(s, blanks)]) {
        const size_t n = strcspn(s, ";");
        const char *end = s + n;
        char name[64], text[512];
        const int t = take_name(name, &s, end, ':') ? tsr_notation_find_tensor(m->notation, name) : -1;
        if (t < 0 || m->format[t] || end - s >= (ptrdiff_t)sizeof text)
            return tsr_fail_at(err, TSR_SYNTAX, m->file->name, 0, 0,
                               "expected formats TENSOR:FORMAT, with each tensor of the expression at most "
                               "once, found \"%s\"",
                               m->variant.formats);
        memcpy(text, s, (size_t)(end - s));
        text[end - s] = '\0';
        TSR_TRY(tsr_format_parse(&m->format[t], text, m->notation->tensor[t].order, m->dims[t], err));
        s = end + (*end == ';');
    }
    return TSR_OK;
}

static tsr_status describe(maker *m, tsr_error *err)
{
    tsr_type type;
    uint64_t nbytes;
    const char *index = m->variant.index;
    TSR_TRY(read_sizes(m, err));
    for (int t = 0; t < m->notation->ntensors; t++) {
        const tsr_expr *const access = tsr_notation_access(m->notation, t);
        for (int i = 0; i < access->nindices; i++) {
            const tsr_mode_window *const w = tsr_expr_window(access, i);
            m->dims[t][i] = !w ? m->size[access->index[i]] : w->behind > LARGE ? w->behind : LARGE;
        }
    }
    TSR_TRY(read_formats(m, err));
    TSR_TRY(tsr_type_parse(&type, m->variant.type, err));
    const char *const end = index + strlen(index);
    if (tsr_parse_u64(&nbytes, index, end) != end || nbytes > 8)
        return tsr_fail_at(err, TSR_SYNTAX, m->file->name, 0, 0,
                           "index must be 1, 2, 4 or 8 bytes, not \"%s\"", index);
    for (int t = 0; t < m->notation->ntensors; t++)
        m->tensor[t] = (tsr_kernel_tensor){.name = m->notation->tensor[t].name,
                                           .format = m->format[t],
                                           .dims = m->dims[t],
                                           .type = type,
                                           .index_nbytes = (uint8_t)nbytes};
    return TSR_OK;
}

tsr_status tsr_kernel_file_new(tsr_kernel **out, const tsr_kernel_file *file, int v,
                               const tsr_kernel_options *options, tsr_error *err)
{
    tsr_kernel_options how = options ? *options : (tsr_kernel_options){0};
    tsr_notation *notation;
    *out = NULL;
    TSR_TRY(tsr_notation_parse(&notation, file->expression, err));
    maker m = {.file = file, .notation = notation, .variant = tsr_kernel_file_variant(file, v)};
    how.schedule = strcmp(m.variant.schedule, "automatic") == 0 ? NULL : m.variant.schedule;
    how.nthreads = NTHREADS;
    tsr_status status = describe(&m, err);
    if (status == TSR_OK)
        status = tsr_kernel_new(out, file->expression, m.tensor, notation->ntensors, &how, err);
    for (int t = 0; t < notation->ntensors; t++)
        tsr_format_free(m.format[t]);
    tsr_notation_free(notation);
    return status;
}
