/* Functions that the user defines: NAME(x) = EXPRESSION or NAME(x,y) = EXPRESSION, in C, and the arguments at which
 * they are 0. The functions are compiled once, so that the interpreter and steps can call them; the C text of a kernel has
 * the expressions themselves. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "kernel_internal.h"
#include "tsr_alloc.h"

enum { MAX_NAME_NBYTES = 40, MAX_TEXT_NBYTES = 4000, MAX_DEFINED = 16 };

struct tsr_functions {
    tsr_function_list list;
    tsr_function function[MAX_DEFINED];
    char *text[MAX_DEFINED][2]; /* owned: the name and the expression */
    tsr_jit *jit;
};

const tsr_function_list *tsr_functions_list(const tsr_functions *functions)
{
    return functions ? &functions->list : NULL;
}

void tsr_functions_free(tsr_functions *functions)
{
    if (!functions)
        return;
    for (int k = 0; k < functions->list.n; k++) {
        tsr_free(functions->text[k][0]);
        tsr_free(functions->text[k][1]);
    }
    tsr_jit_free(functions->jit);
    tsr_free(functions);
}

/* ---- reading a definition ---- */

typedef struct reader {
    const char *text, *at;
    tsr_error *err;
} reader;

static void skip_blanks(reader *r)
{
    while (*r->at == ' ' || *r->at == '\t')
        r->at++;
}

static bool take(reader *r, const char *word)
{
    skip_blanks(r);
    const size_t n = strlen(word);
    if (strncmp(r->at, word, n) != 0)
        return false;
    r->at += n;
    skip_blanks(r);
    return true;
}

static tsr_status expected(const reader *r, const char *what)
{
    return tsr_fail_at(
        r->err, TSR_SYNTAX, NULL, 0, (uint64_t)(r->at - r->text) + 1,
        "expected %s: a function is defined as 'NAME(x) = EXPRESSION' or 'NAME(x,y) = EXPRESSION', and "
        "'; zero at x=0' may follow",
        what);
}

static char *copy_part(const char *s, size_t n)
{
    char *const out = tsr_malloc(n + 1);
    if (out) {
        memcpy(out, s, n);
        out[n] = '\0';
    }
    return out;
}

/* The name, and the arguments in parentheses. */
static tsr_status read_head(tsr_function *f, char **name, reader *r)
{
    size_t n = 0;
    skip_blanks(r);
    while (isalpha((unsigned char)r->at[n]) || r->at[n] == '_' || (n > 0 && isdigit((unsigned char)r->at[n])))
        n++;
    if (n == 0 || n > MAX_NAME_NBYTES)
        return expected(r, "a name of at most 40 letters, digits and '_'");
    *name = copy_part(r->at, n);
    if (!*name)
        return tsr_fail(r->err, TSR_NOMEM, "out of memory: a function");
    r->at += n;
    if (!take(r, "(") || !take(r, "x"))
        return expected(r, "'(x)' or '(x,y)'");
    f->nargs = 1;
    if (take(r, ",")) {
        if (!take(r, "y"))
            return expected(r, "'y', the second argument");
        f->nargs = 2;
    }
    if (!take(r, ")") || !take(r, "="))
        return expected(r, "')' and '=' after the arguments");
    return TSR_OK;
}

/* The expression, up to a ';' or the end. Parentheses must agree, so that the expression cannot end the text around. */
static tsr_status read_expression(char **text, reader *r)
{
    const size_t n = strcspn(r->at, ";");
    int depth = 0;
    for (size_t i = 0; i < n; i++) {
        if (strchr("{}#\"'\\@$`", r->at[i]) || (unsigned char)r->at[i] < ' ') {
            r->at += i;
            return expected(r, "a C expression of x and y without braces, quotes, '#' and line ends");
        }
        depth += (r->at[i] == '(') - (r->at[i] == ')');
        if (depth < 0 || (i + 1 < n && (memcmp(r->at + i, "/*", 2) == 0 || memcmp(r->at + i, "//", 2) == 0)))
            break;
    }
    if (depth != 0 || n == strspn(r->at, " \t") || strstr(r->at, "/*") || strstr(r->at, "//"))
        return expected(r, "a C expression with equally many '(' and ')', without comments");
    if (n > MAX_TEXT_NBYTES)
        return tsr_fail(r->err, TSR_LIMIT, "an expression of %zu bytes: at most %d are allowed", n,
                        MAX_TEXT_NBYTES);
    *text = copy_part(r->at, n);
    r->at += n;
    return *text ? TSR_OK : tsr_fail(r->err, TSR_NOMEM, "out of memory: a function");
}

/* [; zero at x=0 [, y=0]] */
static tsr_status read_zeros(tsr_function *f, reader *r)
{
    if (*r->at == '\0')
        return TSR_OK;
    if (!take(r, ";") || !take(r, "zero") || !take(r, "at"))
        return expected(r, "'; zero at x=0', '; zero at y=0' or '; zero at x=0, y=0'");
    do {
        const bool is_x = take(r, "x");
        if (!is_x && (f->nargs < 2 || !take(r, "y")))
            return expected(r, "an argument of the function");
        f->needs |= is_x ? 1 : 2;
        if (!take(r, "=") || !take(r, "0"))
            return expected(r, "'=0'");
    } while (take(r, ","));
    return *r->at ? expected(r, "',' or the end of the zeros") : TSR_OK;
}

static tsr_status read_function(tsr_functions *functions, const char *text, tsr_error *err)
{
    const int k = functions->list.n;
    tsr_function *const f = &functions->function[k];
    reader r = {text, text, err};
    if (k == MAX_DEFINED)
        return tsr_fail(err, TSR_LIMIT, "more than %d functions", MAX_DEFINED);
    functions->list.n++;
    TSR_TRY(read_head(f, &functions->text[k][0], &r));
    TSR_TRY(read_expression(&functions->text[k][1], &r));
    TSR_TRY(read_zeros(f, &r));
    f->name = functions->text[k][0];
    f->text = functions->text[k][1];
    bool known = tsr_function_is_known(f->name);
    for (int i = 0; i < k; i++)
        known = known || strcmp(functions->function[i].name, f->name) == 0;
    return known ? tsr_fail(err, TSR_ARGUMENT, "the function %s exists: use another name", f->name) : TSR_OK;
}

/* ---- compiling ---- */

static tsr_status compile(tsr_functions *functions, const tsr_kernel_options *options, tsr_error *err)
{
    const tsr_jit_options how = kernel_jit_options(options);
    tsr_text text = {0};
    tsr_error why = {0};
    tsr_text_add(&text, "#include <math.h>\n");
    for (int k = 0; k < functions->list.n; k++)
        tsr_text_addf(&text,
                      "double tsr_defined_%d(double x, double y);\n"
                      "double tsr_defined_%d(double x, double y)\n{\n    (void)y;\n    return %s;\n}\n",
                      k, k, functions->function[k].text);
    tsr_status status = tsr_text_status(&text, err);
    if (status == TSR_OK) {
        status = tsr_jit_load(&functions->jit, tsr_text_cstr(&text), &how, NULL, NULL, &why);
        if (status != TSR_OK)
            tsr_fail(err, status,
                     status == TSR_ARGUMENT ? "a function is not a C expression of x and y: %s"
                                            : "a defined function needs the C compiler, and %s",
                     why.message);
    }
    tsr_text_clear(&text);
    for (int k = 0; k < functions->list.n && status == TSR_OK; k++) {
        char name[40];
        snprintf(name, sizeof name, "tsr_defined_%d", k);
        functions->function[k].value = (double (*)(double, double))tsr_jit_find(functions->jit, name);
        if (!functions->function[k].value)
            status =
                tsr_fail(err, TSR_CORRUPT, "the compiled functions lack %s", functions->function[k].name);
    }
    return status;
}

/* Try the stated zeros at a few arguments. */
static tsr_status check_zeros(const tsr_function *f, tsr_error *err)
{
    static const double samples[] = {0, 1, -1, 0.5, -2.75, 1e10, -1e-10};
    for (int k = 0; k < f->nargs; k++)
        for (size_t i = 0; (f->needs >> k & 1) && i < sizeof samples / sizeof *samples; i++) {
            const double x = k == 0 ? 0 : samples[i], y = k == 0 ? samples[i] : 0, value = f->value(x, y);
            if (value != 0)
                return tsr_fail(
                    err, TSR_ARGUMENT,
                    "%s is not 0 at %c=0: %s(%g, %g) is %g; leave out this zero, or mend the expression",
                    f->name, 'x' + k, f->name, x, y, value);
        }
    return TSR_OK;
}

/* Say which of several definitions an error is about. */
static tsr_status name_definition(const char *text, tsr_status status, tsr_error *err)
{
    char message[sizeof err->message];
    if (!err)
        return status;
    const uint64_t column = err->col;
    snprintf(message, sizeof message, "%s", err->message);
    tsr_fail(err, status, "%s, in '%s'", message, text);
    err->col = column;
    return status;
}

tsr_status tsr_functions_new(tsr_functions **out, const char *const *texts, int ntexts,
                             const tsr_kernel_options *options, tsr_error *err)
{
    static const tsr_kernel_options defaults;
    *out = NULL;
    tsr_functions *const functions = tsr_calloc(1, sizeof *functions);
    if (!functions)
        return tsr_fail(err, TSR_NOMEM, "out of memory: a function");
    functions->list.function = functions->function;
    tsr_status status = TSR_OK;
    for (int k = 0; k < ntexts && status == TSR_OK; k++) {
        status = read_function(functions, texts[k], err);
        if (status != TSR_OK && ntexts > 1)
            status = name_definition(texts[k], status, err);
    }
    if (status == TSR_OK && ntexts > 0)
        status = compile(functions, options ? options : &defaults, err);
    for (int k = 0; k < functions->list.n && status == TSR_OK; k++)
        status = check_zeros(&functions->function[k], err);
    if (status == TSR_OK)
        *out = functions;
    else
        tsr_functions_free(functions);
    return status;
}
