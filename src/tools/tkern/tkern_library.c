/* --emit=library: kernels made ahead of time. EXPR, each --statement and each kernel of --kernels=FILE become texts of the form of kernel
 * files (tsr_kernel_file.h); each variant of each text is one function. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "tkern.h"
#include "tsr_input.h"
#include "tsr_kernel_library.h"
#include "tsr_memory.h"
#include "tsr_output.h"

enum { MAX_FILE_NBYTES = 1 << 20, MAX_NAME = 200 };

/* ---- one text ---- */

/* Change what cannot be in a name of C to '_'. */
static void make_name(char *name)
{
    for (char *c = name; *c; c++)
        *c = isalnum((unsigned char)*c) ? *c : '_';
}

/* Add all variants of the text of a kernel file; `label` is what errors name. */
static tsr_status add_text(tsr_kernel_library *library, const char *name, const char *label, const char *text,
                           tsr_error *err)
{
    tsr_kernel_file *file;
    tsr_text whole = {0};
    char function[MAX_NAME + 32];
    tsr_text_add(&whole, text);
    if (!strstr(text, "summary:"))
        tsr_text_addf(&whole, "\nsummary: %s\n", name);
    tsr_status status = tsr_text_status(&whole, err);
    if (status == TSR_OK)
        status = tsr_kernel_file_parse(&file, label, tsr_text_cstr(&whole), err);
    tsr_text_clear(&whole);
    TSR_TRY(status);
    const int n = tsr_kernel_file_nvariants(file);
    for (int v = 0; status == TSR_OK && v < n; v++) {
        snprintf(function, sizeof function, n > 1 ? "%s_%d" : "%s", name, v);
        status = tsr_kernel_library_add(library, file, v, function, err);
    }
    tsr_kernel_file_free(file);
    return status;
}

/* ---- the command line ---- */

/* Append the lines for --type, --index, --dims and --schedule. */
static tsr_status add_common(tsr_text *text, const tsr_tkern_settings *s, tsr_error *err)
{
    static const int widths[] = {0, 1, 2, 4, 8, 0}; /* by tsr_cli_index_word */
    if (s->has_type)
        tsr_text_addf(text, "\ntypes: %s", tsr_type_name(s->type));
    if (widths[s->index] > 0)
        tsr_text_addf(text, "\nindex: %d", widths[s->index]);
    else if (s->index != 0)
        return tsr_fail(err, TSR_ARGUMENT, "--index: use 8, 16, 32 or 64 bits with --emit=library");
    for (int i = 0; i < s->dims.n; i++) {
        const char *item = s->dims.text[i];
        tsr_text_add(text, i == 0 ? "\nsizes: " : " ");
        for (; *item; item++)
            tsr_text_addf(text, "%c", *item == ':' ? '=' : *item == ',' ? ' ' : *item);
    }
    if (s->schedule)
        tsr_text_addf(text, "\nschedule: %s", s->schedule);
    return TSR_OK;
}

/* The place behind "NAME:" at the beginning of a statement, and the name; NULL: the statement has no name. */
static const char *skip_name(char name[MAX_NAME], const char *statement)
{
    size_t n = 0;
    while (isalnum((unsigned char)statement[n]) || statement[n] == '_')
        n++;
    if (n == 0 || n >= MAX_NAME || statement[n] != ':')
        return NULL;
    memcpy(name, statement, n);
    name[n] = '\0';
    return statement + n + 1;
}

/* Add the kernel of "NAME: EXPR; T:FORMAT; ...". */
static tsr_status add_statement(tsr_kernel_library *library, const tsr_tkern_settings *s,
                                const char *statement, tsr_error *err)
{
    char name[MAX_NAME + 32];
    tsr_text text = {0};
    const char *expression = skip_name(name, statement);
    if (!expression) {
        expression = statement;
        snprintf(name, sizeof name, "%.*s_%d", MAX_NAME, library->name, library->n);
    }
    const size_t n = strcspn(expression, ";");
    tsr_text_add(&text, "expression: ");
    tsr_text_add_n(&text, expression, n);
    tsr_text_addf(&text, "\nformats: %s", expression[n] ? expression + n + 1 : "");
    tsr_status status = add_common(&text, s, err);
    if (status == TSR_OK)
        status = tsr_text_status(&text, err);
    if (status == TSR_OK)
        status = add_text(library, name, statement, tsr_text_cstr(&text), err);
    tsr_text_clear(&text);
    return status;
}

/* Add EXPR with the formats of --format. */
static tsr_status add_expression(tsr_kernel_library *library, const tsr_tkern_settings *s, tsr_error *err)
{
    tsr_text text = {0};
    if (s->name)
        tsr_text_addf(&text, "%s: ", s->name);
    tsr_text_add(&text, s->expression);
    for (int i = 0; i < s->formats.n; i++)
        tsr_text_addf(&text, "; %s", s->formats.text[i]);
    tsr_status status = tsr_text_status(&text, err);
    if (status == TSR_OK)
        status = add_statement(library, s, tsr_text_cstr(&text), err);
    tsr_text_clear(&text);
    return status;
}

/* ---- files ---- */

/* The line after this one. */
static char *next_line(char *line)
{
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

/* Whether a line is neither blank nor a comment. */
static bool says_something(char *text)
{
    while (*text == '#' || (*text && text[strspn(text, " \t\r")] == '\n'))
        text = next_line(text);
    return text[strspn(text, " \t\r\n")] != '\0';
}

/* Add the kernels of a file: each begins with a line "kernel: NAME", and a file without such a line is one kernel with the file's name. */
static tsr_status add_file(tsr_kernel_library *library, const char *path, tsr_error *err)
{
    tsr_text text = {0};
    char name[MAX_NAME];
    const char *const slash = strrchr(path, '/'), *const base = slash ? slash + 1 : path;
    tsr_status status = tsr_input_read(&text, path, MAX_FILE_NBYTES, err);
    if (status == TSR_OK)
        status = tsr_text_status(&text, err);
    if (status != TSR_OK) {
        tsr_text_clear(&text);
        return status;
    }
    snprintf(name, sizeof name, "%.*s", (int)strcspn(base, "."), base);
    tsr_text_add(&text, "\nkernel:\n"); /* so that each kernel ends before such a line */
    char *begin = text.failed ? (char[]){""} : text.s;
    for (char *line = begin; status == TSR_OK && *line; line = next_line(line)) {
        if (strncmp(line, "kernel:", 7) != 0)
            continue;
        *line = '\0';
        make_name(name);
        if (says_something(begin))
            status = add_text(library, name, path, begin, err);
        begin = next_line(line + 1);
        line++;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(line + 6, "\r\n"),
                 line + 6 + strspn(line + 6, " \t"));
        name[strcspn(name, " \t\r\n")] = '\0';
    }
    tsr_text_clear(&text);
    return status;
}

/* ---- output ---- */

/* The path of -o NAME.c, checked. */
static tsr_status output_path(const char **path, const tsr_tkern_settings *s, tsr_error *err)
{
    const char *const out = s->outputs.n == 1 ? s->outputs.text[0] : "", *const dot = strrchr(out, '.');
    if (!dot || strcmp(dot, ".c") != 0 || strlen(out) >= MAX_NAME)
        return tsr_fail(err, TSR_ARGUMENT, "--emit=library writes NAME.c and NAME.h: use -o NAME.c");
    if (!s->expression && s->statements.n == 0 && s->kernels.n == 0)
        return tsr_fail(
            err, TSR_ARGUMENT,
            "--emit=library needs kernels: give an expression, --statement=TEXT or --kernels=FILE");
    *path = out;
    return TSR_OK;
}

static tsr_status write(const tsr_kernel_library *library, const char *path, tsr_error *err)
{
    tsr_text c = {0}, h = {0};
    char header[MAX_NAME];
    snprintf(header, sizeof header, "%.*sh", (int)strlen(path) - 1, path);
    tsr_status status = tsr_kernel_library_print(&c, &h, library, err);
    if (status == TSR_OK)
        status = tsr_output_text(path, &c, err);
    if (status == TSR_OK)
        status = tsr_output_text(header, &h, err);
    tsr_text_clear(&c);
    tsr_text_clear(&h);
    return status;
}

static tsr_status add_all(tsr_kernel_library *library, const tsr_tkern_settings *s, tsr_error *err)
{
    if (s->expression)
        TSR_TRY(add_expression(library, s, err));
    for (int i = 0; i < s->statements.n; i++)
        TSR_TRY(add_statement(library, s, s->statements.text[i], err));
    for (int i = 0; i < s->kernels.n; i++)
        TSR_TRY(add_file(library, s->kernels.text[i], err));
    return TSR_OK;
}

tsr_status tsr_tkern_library(const tsr_tkern_settings *s, tsr_error *err)
{
    const char *path = NULL;
    char name[MAX_NAME];
    TSR_TRY(output_path(&path, s, err));
    const char *const slash = strrchr(path, '/'), *const base = slash ? slash + 1 : path;
    snprintf(name, sizeof name, "%.*s", (int)strlen(base) - 2, base);
    make_name(name);
    tsr_kernel_library library = {.name = name, .target = s->target};
    tsr_status status = add_all(&library, s, err);
    if (status == TSR_OK)
        status = write(&library, path, err);
    if (status == TSR_OK && s->target && s->check)
        status = tsr_tkern_compile(path, s->target, err);
    tsr_kernel_library_clear(&library);
    return status;
}
