/* One C file for several kernels. Each kernel is a text of its own (kernel_entry_text) that defines what it needs at file scope: types,
 * macros, functions. These names get the number of the kernel, so that the texts can stand one after the other. */
#include "tsr_kernel_library.h"

#include <ctype.h>
#include <string.h>

#include "kernel_steps.h"
#include "tsr_emit.h"
#include "tsr_version.h"

enum { MAX_NAMES = 256 };

/* Names of a text: where each begins in the text, and its length. */
typedef struct names {
    int n;
    const char *at[MAX_NAMES];
    size_t nbytes[MAX_NAMES];
} names;

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static void add_name(names *list, const char *at, size_t n)
{
    for (int i = 0; i < list->n; i++)
        if (list->nbytes[i] == n && memcmp(list->at[i], at, n) == 0)
            return;
    if (n > 0 && list->n < MAX_NAMES) {
        list->at[list->n] = at;
        list->nbytes[list->n++] = n;
    }
}

/* Add the word that ends before `end`, which may have blanks before it. */
static void add_name_before(names *list, const char *line, const char *end)
{
    while (end > line && !is_word(end[-1]))
        end--;
    const char *at = end;
    while (at > line && is_word(at[-1]))
        at--;
    add_name(list, at, (size_t)(end - at));
}

static bool begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

/* Find what a line of n characters defines at file scope. */
static void find_name(names *list, const char *line, size_t n)
{
    const char *const end = line + n;
    const char *const paren = memchr(line, '(', n), *const attribute = strstr(line, " __attribute__");
    if (begins(line, "#define ")) {
        const char *const at = line + 8;
        size_t len = 0;
        while (is_word(at[len]))
            len++;
        add_name(list, at, len);
    } else if (begins(line, "static ") || begins(line, "TSR_RT_APART static ") ||
               begins(line, "WIDE_FUNCTION ")) {
        add_name_before(list, line, paren ? paren : end);
    } else if (begins(line, "WIDE_") && paren) { /* a macro that defines the function it names first */
        size_t len = 0;
        while (is_word(paren[1 + len]))
            len++;
        add_name(list, paren + 1, len);
    } else if (begins(line, "typedef ")) {
        add_name_before(list, line, attribute && attribute < end ? attribute : paren ? paren : end);
    } else if (begins(line, "} ")) {
        add_name_before(list, line, end);
    }
}

/* The number of the name that the word at s, of n characters, is; -1: it is none of them. */
static int find_word(const names *list, const char *s, size_t n)
{
    for (int i = 0; i < list->n; i++)
        if (list->nbytes[i] == n && memcmp(list->at[i], s, n) == 0)
            return i;
    return -1;
}

/* Append the text, in which each name that it defines at file scope ends with "_K". */
static tsr_status add_numbered(tsr_text *out, const char *text, int k, tsr_error *err)
{
    names list = {0};
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
        find_name(&list, line, strcspn(line, "\n"));
        if (line[strcspn(line, "\n")] == '\0')
            break;
    }
    if (list.n == MAX_NAMES)
        return tsr_fail(err, TSR_LIMIT, "a kernel defines more than %d names", MAX_NAMES);
    for (const char *s = text; *s;) {
        size_t n = 0;
        while (is_word(s[n]))
            n++;
        const bool ends = n > 0 && find_word(&list, s, n) >= 0;
        tsr_text_add_n(out, s, n > 0 ? n : 1);
        if (ends)
            tsr_text_addf(out, "_%d", k);
        s += n > 0 ? n : 1;
    }
    return TSR_OK;
}

/* A variant of a kernel file, whose kernel computes `whole`. */
typedef struct added {
    const tsr_kernel_file *file;
    int v;
    const char *whole;
} added;

/* Append the row of the table. */
static void add_row(tsr_kernel_library *library, const added *of, const char *key, const char *name)
{
    const tsr_kernel_variant variant = tsr_kernel_file_variant(of->file, of->v);
    const char *const strings[] = {key,          name,          of->whole,     variant.formats,
                                   variant.type, variant.index, variant.sizes, variant.schedule};
    tsr_text_add(&library->rows, "    {sizeof(tessera_made_kernel), ");
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) {
        tsr_text_add_c_string(&library->rows, strings[i]);
        tsr_text_add(&library->rows, i % 3 == 2 ? ",\n     " : ", ");
    }
    tsr_text_addf(&library->rows, "(void (*)(void))tsr_rt_entry_%d},\n", library->ntexts);
}

/* The options of all texts: the program for tensors of any size and density. */
static tsr_status make(tsr_kernel **out, const tsr_kernel_file *file, int v, const char *name, tsr_error *err)
{
    const tsr_kernel_options how = {
        .engine = TSR_ENGINE_INTERPRETER, .any_size = true, .any_density = true, .name = name};
    TSR_TRY(tsr_kernel_file_new(out, file, v, &how, err));
    if (!(*out)->original || (*out)->open)
        return TSR_OK;
    tsr_fail(err, TSR_UNSUPPORTED,
             "%s is computed by a program for one size: give each step that tkern --emit=plan shows as a "
             "kernel of its own",
             (*out)->text.expression);
    tsr_kernel_free(*out);
    *out = NULL;
    return TSR_UNSUPPORTED;
}

/* Append a text, and clear it, with the options of the compiler as before. */
static tsr_status add_text(tsr_kernel_library *library, tsr_text *text, tsr_status status, tsr_error *err)
{
    tsr_text_add(&library->functions,
                 "\n#if defined(__GNUC__) && !defined(__clang__)\n#pragma GCC push_options\n#endif\n");
    if (status == TSR_OK)
        status = tsr_text_status(text, err);
    if (status == TSR_OK)
        status = add_numbered(&library->functions, tsr_text_cstr(text), library->ntexts++, err);
    tsr_text_add(&library->functions,
                 "#if defined(__GNUC__) && !defined(__clang__)\n#pragma GCC pop_options\n#endif\n");
    tsr_text_clear(text);
    return status;
}

/* Add the text of the program and, unless it is a step or its result is sparse, the declaration of its function. */
static tsr_status add_program(tsr_kernel_library *library, const tsr_kernel *kernel, bool is_step,
                              tsr_error *err)
{
    char **texts, *buffer;
    int threads;
    tsr_text text = {0};
    TSR_TRY(kernel_param_texts(&texts, &buffer, &threads, kernel, err));
    const tsr_emit_options how = {.entry = true,
                                  .visible = true,
                                  .is_part = is_step,
                                  .param = (const char *const *)texts,
                                  .threads = threads,
                                  .scalar = kernel->schedule.scalar,
                                  .target = library->target};
    tsr_status status = tsr_emit_c(&text, kernel->lowered->ir, &how, err);
    if (status == TSR_OK && !is_step && !kernel_has_outputs(kernel))
        status = tsr_emit_header(&library->declarations, kernel->lowered->plain, &how, err);
    status = add_text(library, &text, status, err);
    tsr_text_add(&library->declarations, is_step ? "" : "\n");
    tsr_free(texts);
    tsr_free(buffer);
    return status;
}

/* Add the function that runs all steps, which other programs can call, unless its result is sparse. */
static tsr_status add_whole(tsr_kernel_library *library, const tsr_kernel *kernel, tsr_error *err)
{
    const tsr_emit_options how = {.scalar = kernel->schedule.scalar, .target = library->target};
    tsr_text text = {0};
    if (kernel_has_outputs(kernel))
        return TSR_OK;
    tsr_status status = kernel_print_several(&text, kernel, TSR_KERNEL_C, &how, err);
    if (status == TSR_OK)
        status = kernel_print_several(&library->declarations, kernel, TSR_KERNEL_HEADER, &how, err);
    tsr_text_add(&library->declarations, "\n");
    return add_text(library, &text, status, err);
}

/* A kernel twice, as the names of functions are in the key: the hash of the text that the library makes at run time, whose function
 * has the name `kernel`. */
typedef struct twice {
    const tsr_kernel *keyed, *named;
} twice;

/* Add a row and a text for each step, and for the kernel itself. */
static tsr_status add_rows(tsr_kernel_library *library, const added *of, twice kernel, const char *name,
                           tsr_error *err)
{
    char key[TSR_JIT_KEY_NBYTES];
    tsr_text text = {0};
    for (int k = 0; k < kernel.keyed->nsteps; k++) {
        if (!kernel.keyed->step[k].own)
            continue; /* a matrix of the statement, which each run makes */
        const twice step = {kernel.keyed->step[k].own, kernel.named->step[k].own};
        tsr_text own = {0};
        tsr_text_addf(&own, "%s_%d", name, k + 1);
        const tsr_status status = add_rows(library, of, step, tsr_text_cstr(&own), err);
        tsr_text_clear(&own);
        TSR_TRY(status);
    }
    tsr_status status = kernel_entry_text(&text, kernel.keyed, err);
    if (status == TSR_OK)
        tsr_jit_hash(key, tsr_text_cstr(&text), text.nbytes);
    tsr_text_clear(&text);
    const bool is_step =
        kernel_computes_steps(kernel.named) || strcmp(kernel.named->text.expression, of->whole) != 0;
    add_row(library, of, key, name);
    library->n++;
    return status == TSR_OK ? add_program(library, kernel.named, is_step, err) : status;
}

/* TSR_ARGUMENT: a kernel of the library has this name. */
static tsr_status check_new(const tsr_kernel_library *library, const char *name, tsr_error *err)
{
    tsr_text row = {0};
    tsr_text_addf(&row, ", \"%s\", \"", name);
    const bool is_known = strstr(tsr_text_cstr(&library->rows), tsr_text_cstr(&row)) != NULL;
    tsr_text_clear(&row);
    return is_known
               ? tsr_fail(err, TSR_ARGUMENT, "two kernels have the name %s: give one of them another", name)
               : TSR_OK;
}

tsr_status tsr_kernel_library_add(tsr_kernel_library *library, const tsr_kernel_file *file, int v,
                                  const char *name, tsr_error *err)
{
    tsr_kernel *keyed = NULL, *named = NULL;
    TSR_TRY(check_new(library, name, err));
    tsr_status status = make(&keyed, file, v, NULL, err);
    if (status == TSR_OK)
        status = make(&named, file, v, name, err);
    if (status == TSR_OK)
        status =
            add_rows(library, &(added){file, v, keyed->text.expression}, (twice){keyed, named}, name, err);
    if (status == TSR_OK && kernel_computes_steps(named))
        status = add_whole(library, named, err);
    tsr_kernel_free(keyed);
    tsr_kernel_free(named);
    return status;
}

tsr_status tsr_kernel_library_print(tsr_text *c, tsr_text *h, const tsr_kernel_library *library,
                                    tsr_error *err)
{
    const char *const name = library->name;
    tsr_text_addf(c,
                  "/* Kernels made by tkern --emit=library of Tessera %s; %s.h declares them.\n"
                  " * Compile with: cc -O3 %s -fopenmp -c %s.c\n"
                  " * Without the header of Tessera: -DTESSERA_ALONE leaves the table %s_kernels out. */\n"
                  "#include \"%s.h\"\n",
                  tsr_version(), name, library->target ? library->target->flag : "-march=native", name, name,
                  name);
    tsr_text_add(c, tsr_text_cstr(&library->functions));
    tsr_text_addf(c, "\n#ifndef TESSERA_ALONE\nconst tessera_made_kernel %s_kernels[%d] = {\n%s};\n#endif\n",
                  name, library->n, tsr_text_cstr(&library->rows));
    tsr_text_addf(
        h,
        "/* Kernels made by tkern --emit=library of Tessera %s. Functions can be called directly. The table "
        "%s_kernels has\n"
        " * all kernels: tessera_context_add_kernels(ctx, %s_kernels, %d) lets tessera_kernel_new find them, "
        "without a\n"
        " * compiler. -DTESSERA_ALONE leaves the table out. */\n#ifndef TESSERA_ALONE\n#include "
        "<tessera/tessera.h>\n"
        "#ifdef __cplusplus\nextern \"C\" {\n#endif\nextern const tessera_made_kernel %s_kernels[%d];\n"
        "#ifdef __cplusplus\n}\n#endif\n#endif\n\n",
        tsr_version(), name, name, library->n, name, library->n);
    tsr_text_add(h, tsr_text_cstr(&library->declarations));
    c->failed |= library->functions.failed || library->rows.failed;
    h->failed |= library->declarations.failed;
    TSR_TRY(tsr_text_status(c, err));
    return tsr_text_status(h, err);
}

void tsr_kernel_library_clear(tsr_kernel_library *library)
{
    tsr_text_clear(&library->functions);
    tsr_text_clear(&library->declarations);
    tsr_text_clear(&library->rows);
}
