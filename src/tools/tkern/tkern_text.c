/* The texts of a kernel, printed or written to files. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <sys/utsname.h>

#include "tkern.h"
#include "tsr_folder.h"
#include "tsr_input.h"
#include "tsr_jit.h"
#include "tsr_output.h"

/* The text of a kernel for any size must not contain the number that stands for unknown sizes. */
static tsr_status check_general(const tsr_tkern *t, const char *text, tsr_error *err)
{
    char number[24];
    snprintf(number, sizeof number, "%" PRIu64, t->stand_in_size);
    if (!t->stand_in || !strstr(text, number))
        return TSR_OK;
    int v = 0;
    while (!(t->stand_in >> v & 1))
        v++;
    return tsr_fail(err, TSR_ARGUMENT, "the C text depends on an unknown size: use --dims=%s:SIZE",
                    t->notation->var[v]);
}

/* Append one of the texts of the kernel; unknown sizes are written as "any". TSR_ARGUMENT if the text
 * depends on an unknown size. */
static tsr_status add_text(tsr_text *out, const tsr_tkern *t, tsr_kernel_text what, tsr_error *err)
{
    const size_t start = out->nbytes;
    TSR_TRY(tsr_kernel_print(out, t->kernel, what, err));
    return check_general(t, tsr_text_cstr(out) + start, err);
}

static tsr_status write_file(const char *path, const tsr_tkern *t, tsr_kernel_text what, tsr_error *err)
{
    tsr_text text = {0};
    tsr_status status = add_text(&text, t, what, err);
    if (status == TSR_OK)
        status = tsr_output_text(path, &text, err);
    tsr_text_clear(&text);
    return status;
}

/* The text in which the runtime is where --runtime asks for it. */
static tsr_kernel_text with_runtime(const tsr_tkern *t, tsr_kernel_text what)
{
    if (!t->s->runtime_header || (what != TSR_KERNEL_C && what != TSR_KERNEL_C11))
        return what;
    return what == TSR_KERNEL_C ? TSR_KERNEL_C_SHORT : TSR_KERNEL_C11_SHORT;
}

/* The files of a kernel: the C text, tessera_rt.h beside it, the header; NULL where a file is not asked for. */
typedef struct files {
    const char *c, *runtime, *header;
} files;

static tsr_status write_files(const tsr_tkern *t, const files *f, tsr_error *err)
{
    if (f->runtime && f->header && strcmp(f->runtime, f->header) == 0)
        return tsr_fail(err, TSR_ARGUMENT,
                        "%s would be both the header of the kernel and the file that "
                        "--runtime=header writes: use another name",
                        f->header);
    TSR_TRY(write_file(f->c, t, with_runtime(t, t->s->vectors ? TSR_KERNEL_C : TSR_KERNEL_C11), err));
    if (f->runtime)
        TSR_TRY(write_file(f->runtime, t, TSR_KERNEL_RUNTIME, err));
    return f->header ? write_file(f->header, t, TSR_KERNEL_HEADER, err) : TSR_OK;
}

tsr_status tsr_tkern_write(const tsr_tkern *t, tsr_error *err)
{
    const tsr_tkern_settings *const s = t->s;
    const char *const slash = strrchr(t->c_path, '/');
    tsr_text runtime = {0}, header = {0};
    tsr_text_add_n(&runtime, t->c_path, slash ? (size_t)(slash + 1 - t->c_path) : 0);
    tsr_text_add(&runtime, "tessera_rt.h");
    tsr_text_add_n(&header, t->c_path, (size_t)(strrchr(t->c_path, '.') - t->c_path));
    tsr_text_add(&header, ".h");
    tsr_status status = tsr_text_status(&runtime, err);
    if (status == TSR_OK)
        status = tsr_text_status(&header, err);
    const files f = {.c = t->c_path,
                     .runtime = s->runtime_header ? tsr_text_cstr(&runtime) : NULL,
                     .header = s->header_path ? s->header_path
                               : s->header    ? tsr_text_cstr(&header)
                                              : NULL};
    if (status == TSR_OK)
        status = write_files(t, &f, err);
    tsr_text_clear(&runtime);
    tsr_text_clear(&header);
    return status;
}

tsr_status tsr_tkern_emit(const tsr_tkern *t, tsr_error *err)
{
    tsr_text text = {0};
    const tsr_status status = add_text(&text, t, with_runtime(t, t->s->emit), err);
    if (status == TSR_OK && t->json)
        tsr_json_string(t->json, "text", tsr_text_cstr(&text));
    else if (status == TSR_OK)
        fputs(tsr_text_cstr(&text), stdout);
    tsr_text_clear(&text);
    return status;
}

/* The name of the compiler for the target: NULL, the usual one, where this machine has such a processor. */
static const char *compiler_for(char *buf, size_t n, const tsr_emit_target *target)
{
    struct utsname machine;
    if (uname(&machine) == 0 && strcmp(machine.machine, target->arch) == 0)
        return NULL;
    snprintf(buf, n, "%s-linux-gnu-gcc", target->arch);
    return buf;
}

tsr_status tsr_tkern_compile(const char *path, const tsr_emit_target *target, tsr_error *err)
{
    enum { MAX_NBYTES = 1 << 28 };
    char name[64];
    tsr_text text = {0}, folder_of = {0};
    tsr_folder folder = {.fd = -1};
    const char *const slash = strrchr(path, '/');
    tsr_text_add_n(&folder_of, slash ? path : ".", slash ? (size_t)(slash + 1 - path) : 1);
    tsr_status status = tsr_input_read(&text, path, MAX_NBYTES, err);
    if (status == TSR_OK)
        status = tsr_text_status(&folder_of, err);
    /* -w: warnings are the compiler's taste; -DTESSERA_ALONE: the header of Tessera may be elsewhere */
    const char *const flags[] = {"-std=c11",
                                 "-O1",
                                 target->flag,
                                 "-fopenmp",
                                 "-c",
                                 "-w",
                                 "-DTESSERA_ALONE",
                                 "-I",
                                 tsr_text_cstr(&folder_of),
                                 NULL};
    const tsr_jit_options how = {
        .compiler = compiler_for(name, sizeof name, target), .flags = flags, .no_cache = true};
    if (status == TSR_OK)
        status = tsr_folder_new_temporary(&folder, err);
    if (status == TSR_OK)
        status =
            tsr_jit_program(tsr_text_cstr(&folder.path), "kernel.o", tsr_text_cstr(&text), &how, NULL, err);
    if (status == TSR_ARGUMENT) /* not an error of the command line */
        status = err->status = TSR_UNSUPPORTED;
    tsr_folder_remove(&folder);
    tsr_text_clear(&text);
    tsr_text_clear(&folder_of);
    return status;
}
