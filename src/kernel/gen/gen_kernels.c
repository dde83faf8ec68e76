/* gen_kernels FOLDER NAME.kernel=N...: write the built-in kernels into FOLDER. For each of the N variants of
 * a .kernel file it writes the C text NAME_V.c, V in [0, N), and for all of them the table builtin_table.c.
 * It does not touch a file whose text stays the same, so that the build does not compile it again. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_internal.h"
#include "tsr_kernel_file.h"

static int complain(const char *what, const tsr_error *err)
{
    char text[1200];
    fprintf(stderr, "gen_kernels: %s: %s\n", what, tsr_error_text(text, sizeof text, err));
    return 1;
}

/* The whole file, to be freed with free; NULL when it cannot be read. */
static char *slurp(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    long size = -1;
    if (f && fseek(f, 0, SEEK_END) == 0 && (size = ftell(f)) >= 0 && fseek(f, 0, SEEK_SET) == 0)
        text = malloc((size_t)size + 1);
    *n = text ? fread(text, 1, (size_t)size, f) : 0;
    if (f)
        fclose(f);
    if (text)
        text[*n] = '\0';
    return text;
}

static int write_text(const char *folder, const char *name, const tsr_text *text)
{
    char path[2000];
    size_t n;
    if (text->failed || snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) {
        fprintf(stderr, "gen_kernels: %s: out of memory\n", name);
        return 1;
    }
    char *old = slurp(path, &n);
    const int same = old && n == text->nbytes && memcmp(old, text->s, n) == 0;
    free(old);
    if (same)
        return 0;
    FILE *f = fopen(path, "wb");
    int bad = !f || fwrite(text->s, 1, text->nbytes, f) != text->nbytes;
    bad |= f && fclose(f) != 0;
    if (bad)
        fprintf(stderr, "gen_kernels: cannot write %s\n", path);
    return bad;
}

/* The kernel's name as a part of names in C: "tensor_add". */
static const char *c_name(char *buf, size_t n, const tsr_kernel_file *file)
{
    snprintf(buf, n, "%s", file->name);
    for (char *c = buf; *c; c++)
        *c = isalnum((unsigned char)*c) ? *c : '_';
    return buf;
}

/* Append a row of the table, and the declarations that the row needs. */
static void add_row(tsr_text *declarations, tsr_text *rows, const tsr_kernel_file *file, int v,
                    const char *key)
{
    static const char *const processors[] = {"any", "v3", "v4"};
    const tsr_kernel_variant variant = tsr_kernel_file_variant(file, v);
    char buf[200];
    const char *const own = c_name(buf, sizeof buf, file);
    const char *const strings[] = {
        key,          file->name,    file->summary, file->expression, variant.formats,
        variant.type, variant.index, variant.sizes, variant.schedule};
    for (int p = 0; p < 3; p++)
        tsr_text_addf(declarations, "extern tsr_rt_function tsr_builtin_%s_%s_%d;\n", processors[p], own, v);
    tsr_text_add(rows, "    {{");
    for (size_t i = 0; i < sizeof strings / sizeof strings[0]; i++) {
        tsr_text_add(rows, i ? ", " : "");
        tsr_text_add_c_string(rows, strings[i]);
    }
    tsr_text_addf(rows,
                  "},\n     {tsr_builtin_any_%s_%d, V3(tsr_builtin_v3_%s_%d), V4(tsr_builtin_v4_%s_%d)}},\n",
                  own, v, own, v, own, v);
}

/* Write the text with macros before it that give the entry point a different name in each variant. */
static int write_variant(const char *folder, const tsr_kernel_file *file, int v, const tsr_text *text)
{
    tsr_text whole = {0};
    char name[300], buf[200];
    const char *const own = c_name(buf, sizeof buf, file);
    snprintf(name, sizeof name, "%s_%d.c", file->name, v);
    tsr_text_addf(&whole, "#if defined(TSR_BUILTIN_V4)\n#define tsr_rt_entry tsr_builtin_v4_%s_%d\n", own, v);
    tsr_text_addf(&whole, "#elif defined(TSR_BUILTIN_V3)\n#define tsr_rt_entry tsr_builtin_v3_%s_%d\n", own,
                  v);
    tsr_text_addf(&whole, "#else\n#define tsr_rt_entry tsr_builtin_any_%s_%d\n#endif\n", own, v);
    tsr_text_add(&whole, tsr_text_cstr(text));
    const int bad = write_text(folder, name, &whole);
    tsr_text_clear(&whole);
    return bad;
}

static int make_variant(tsr_text *declarations, tsr_text *rows, const char *folder,
                        const tsr_kernel_file *file, int v)
{
    const tsr_kernel_options options = {.engine = TSR_ENGINE_INTERPRETER};
    tsr_error err = {0};
    tsr_kernel *kernel;
    tsr_text text = {0};
    char what[400], key[TSR_JIT_KEY_NBYTES];
    snprintf(what, sizeof what, "%s, variant %d", file->name, v);
    tsr_status status = tsr_kernel_file_new(&kernel, file, v, &options, &err);
    if (status == TSR_OK)
        status = kernel_entry_text(&text, kernel, &err);
    int bad = status != TSR_OK ? complain(what, &err) : write_variant(folder, file, v, &text);
    if (!bad) {
        tsr_jit_hash(key, tsr_text_cstr(&text), text.nbytes);
        add_row(declarations, rows, file, v, key);
    }
    tsr_text_clear(&text);
    tsr_kernel_free(kernel);
    return bad;
}

/* argument: PATH=N */
static int make_file(tsr_text *declarations, tsr_text *rows, const char *folder, const char *argument)
{
    char name[200], path[2000];
    const char *equal = strrchr(argument, '=');
    snprintf(path, sizeof path, "%.*s", equal ? (int)(equal - argument) : 0, argument);
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(base, "."), base);
    size_t n;
    char *text = slurp(path, &n);
    tsr_kernel_file *file = NULL;
    tsr_error err = {0};
    if (!text) {
        fprintf(stderr, "gen_kernels: cannot read %s\n", path);
        return 1;
    }
    int bad = tsr_kernel_file_parse(&file, name, text, &err) != TSR_OK ? complain(path, &err) : 0;
    if (!bad && tsr_kernel_file_nvariants(file) != atoi(equal + 1)) {
        fprintf(stderr, "gen_kernels: %s has %d variants, the build counts %s\n", path,
                tsr_kernel_file_nvariants(file), equal + 1);
        bad = 1;
    }
    for (int v = 0; !bad && v < tsr_kernel_file_nvariants(file); v++)
        bad = make_variant(declarations, rows, folder, file, v);
    tsr_kernel_file_free(file);
    free(text);
    return bad;
}

int main(int argc, char **argv)
{
    tsr_text declarations = {0}, rows = {0}, table = {0};
    int bad = argc < 2;
    for (int i = 2; i < argc && !bad; i++)
        bad = make_file(&declarations, &rows, argv[1], argv[i]);
    tsr_text_add(
        &table,
        "/* Generated from bench/kernels by gen_kernels. */\n#include \"kernel_builtin.h\"\n\n"
        "#ifdef TSR_BUILTIN_V3\n#define V3(function) function\n#else\n#define V3(function) 0\n#endif\n"
        "#ifdef TSR_BUILTIN_V4\n#define V4(function) function\n#else\n#define V4(function) 0\n#endif\n\n");
    tsr_text_add(&table, tsr_text_cstr(&declarations));
    tsr_text_addf(&table, "\nconst kernel_builtin kernel_builtins[] = {\n%s    {{0}, {0}},\n};\n",
                  tsr_text_cstr(&rows));
    table.failed |= declarations.failed || rows.failed;
    bad = bad || write_text(argv[1], "builtin_table.c", &table);
    tsr_text_clear(&declarations);
    tsr_text_clear(&rows);
    tsr_text_clear(&table);
    return bad;
}
