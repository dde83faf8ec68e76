/* Finds the compiler, its version, and the processor to compile for. */
#include "jit_internal.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "tsr_alloc.h"
#include "tsr_process.h"
#include "tsr_system.h"

enum {
    VERSION_TIMEOUT_MS = 10000,
    VERSION_NBYTES = 4096, /* bytes of the output of --version that are used */
    CPUINFO_NBYTES = 8192, /* the paragraph of the first processor has about 1500 */
};

/* Split the command at its spaces if it may contain arguments. */
static tsr_status split(jit_compiler *compiler, const char *command, bool at_spaces, tsr_error *err)
{
    tsr_text_add(&compiler->words, command);
    TSR_TRY(tsr_text_status(&compiler->words, err));
    const size_t most = compiler->words.nbytes / 2 + 2; /* words are separated by spaces */
    compiler->argv = tsr_calloc(most, sizeof *compiler->argv);
    if (!compiler->argv)
        return tsr_fail(err, TSR_NOMEM, "out of memory for the arguments of the compiler");
    if (!at_spaces) {
        compiler->argv[compiler->nargs++] = tsr_text_cstr(&compiler->words);
        return TSR_OK;
    }
    for (char *p = compiler->words.s; p && *p;) {
        p += strspn(p, " \t\n");
        if (!*p)
            break;
        compiler->argv[compiler->nargs++] = p;
        p += strcspn(p, " \t\n");
        if (*p)
            *p++ = '\0';
    }
    return TSR_OK;
}

static tsr_status init(jit_compiler *compiler, const tsr_jit_options *options, tsr_error *err)
{
    const char *given = options->compiler, *environment = given ? NULL : getenv("TSR_CC");
    if (environment && !environment[strspn(environment, " \t\n")])
        environment = NULL;
    TSR_TRY(split(compiler, given ? given : environment ? environment : "cc", environment != NULL, err));
    tsr_error fault = {0};
    const tsr_status status = tsr_process_find(&compiler->path, compiler->argv[0], &fault);
    if (status == TSR_UNSUPPORTED)
        return tsr_fail(err, status, "no C compiler: %s%s", fault.message,
                        given ? ""
                        : environment
                            ? "; it comes from TSR_CC"
                            : "; install one (Debian package gcc), or set TSR_CC to another compiler");
    if (status != TSR_OK)
        return tsr_fail(err, status, "%s", fault.message);
    compiler->argv[0] = tsr_text_cstr(&compiler->path);
    return TSR_OK;
}

tsr_status tsr_jit_compiler_init(jit_compiler *compiler, const tsr_jit_options *options, tsr_error *err)
{
    *compiler = (jit_compiler){0};
    const tsr_status status = init(compiler, options, err);
    if (status != TSR_OK)
        tsr_jit_compiler_clear(compiler);
    return status;
}

void tsr_jit_compiler_clear(jit_compiler *compiler)
{
    tsr_free(compiler->argv);
    tsr_text_clear(&compiler->words);
    tsr_text_clear(&compiler->path);
    *compiler = (jit_compiler){0};
}

/* ---- its version ---- */

/* Append "SIZE bytes, changed at S.NS" for the file of the program. */
static void add_stat(tsr_text *text, const jit_compiler *compiler)
{
    struct stat s;
    if (stat(compiler->argv[0], &s) != 0)
        return;
    const struct timespec changed = tsr_system_changed(&s);
    tsr_text_addf(text, "%lld bytes, changed at %lld.%09ld", (long long)s.st_size, (long long)changed.tv_sec,
                  changed.tv_nsec);
}

tsr_status tsr_jit_compiler_version_name(char name[JIT_VERSION_NAME_NBYTES], const jit_compiler *compiler,
                                         tsr_error *err)
{
    tsr_text text = {0};
    for (size_t i = 0; i < compiler->nargs; i++)
        tsr_text_addf(&text, "%s\n", compiler->argv[i]);
    add_stat(&text, compiler);
    const tsr_status status = tsr_text_status(&text, err);
    tsr_jit_hash(name, tsr_text_cstr(&text), text.nbytes);
    memcpy(name + TSR_JIT_KEY_NBYTES - 1, ".version", sizeof ".version");
    tsr_text_clear(&text);
    return status;
}

tsr_status tsr_jit_compiler_version(tsr_text *version, const jit_compiler *compiler, tsr_error *err)
{
    static const char *const env[] = {"LC_ALL=C", NULL};
    const tsr_process_options options = {
        .env = env, .output_nbytes = VERSION_NBYTES, .timeout_ms = VERSION_TIMEOUT_MS};
    const char **argv = tsr_calloc(compiler->nargs + 2, sizeof *argv);
    if (!argv)
        return tsr_fail(err, TSR_NOMEM, "out of memory for the arguments of the compiler");
    memcpy(argv, compiler->argv, compiler->nargs * sizeof *argv);
    argv[compiler->nargs] = "--version";
    tsr_process_end end;
    tsr_text said = {0};
    const tsr_status status = tsr_process_run(&end, &said, NULL, argv, &options, err);
    tsr_free(argv);
    const size_t nline = strcspn(tsr_text_cstr(&said), "\n");
    if (status == TSR_OK && end.exit_code == 0 && nline > 0)
        tsr_text_add_n(version, said.s, nline);
    else
        add_stat(version, compiler);
    tsr_text_clear(&said);
    return status == TSR_OK ? tsr_text_status(version, err) : status;
}

/* ---- the processor ---- */

/* The value of the line "name : value" of cpuinfo at p, or NULL if the line has another name. */
static const char *value_of(const char *p, const char *name)
{
    const size_t n = strlen(name);
    if (strncmp(p, name, n) != 0)
        return NULL;
    p += n + strspn(p + n, " \t");
    return *p == ':' ? p + 1 + strspn(p + 1, " \t") : NULL;
}

/* Append the lines of the first processor that determine which code it can run, on any architecture of
 * Linux. */
static void add_features(tsr_text *name, tsr_text *features, const char *cpuinfo)
{
    static const char *const names[] = {
        "vendor_id", "cpu family", "model",       "model name",       "flags",
        "Features",  "CPU part",   "CPU variant", "CPU architecture", "CPU implementer",
        "cpu",       "isa",        "uarch",       "machine",          "cpu revision"};
    for (const char *p = cpuinfo; *p && *p != '\n'; p += strcspn(p, "\n"), p += *p == '\n')
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
            const char *value = value_of(p, names[i]);
            if (!value)
                continue;
            tsr_text_add_n(features, p, strcspn(p, "\n"));
            tsr_text_add(features, "\n");
            if (strcmp(names[i], "model name") == 0)
                tsr_text_add_n(name, value, strcspn(value, "\n"));
        }
}

tsr_status tsr_jit_processor(tsr_text *text, tsr_error *err)
{
    char cpuinfo[CPUINFO_NBYTES];
    size_t n = 0;
    const int fd = open(tsr_system_path(TSR_SYSTEM_PROCESSORS), O_RDONLY | O_CLOEXEC);
    for (ssize_t got = 1; fd >= 0 && got > 0 && n<sizeof cpuinfo - 1; n += got> 0 ? (size_t)got : 0)
        got = read(fd, cpuinfo + n, sizeof cpuinfo - 1 - n);
    if (fd >= 0)
        (void)close(fd);
    cpuinfo[n] = '\0';
    struct utsname system = {0};
    (void)uname(&system);
    tsr_text name = {0}, features = {0};
    add_features(&name, &features, cpuinfo);
    if (!features.nbytes) /* at least distinguish this computer from others */
        tsr_text_add(&features, system.nodename);
    char key[TSR_JIT_KEY_NBYTES];
    tsr_jit_hash(key, tsr_text_cstr(&features), features.nbytes);
    tsr_text_addf(text, "%s %s, features %s", system.machine, tsr_text_cstr(&name), key);
    const bool failed = name.failed || features.failed;
    tsr_text_clear(&name);
    tsr_text_clear(&features);
    if (failed)
        return tsr_fail(err, TSR_NOMEM, "out of memory for the description of the processor");
    return tsr_text_status(text, err);
}
