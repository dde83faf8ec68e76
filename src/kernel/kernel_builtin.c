/* Finding built-in kernels. */
#include "kernel_builtin.h"

#include <string.h>

#include "tsr_cpu.h"
#include "tsr_kernel_file.h"

/* The function that was compiled for the best level that this processor supports. */
static tsr_rt_function *best(const kernel_builtin *b)
{
    const int level = tsr_cpu_level();
    int p = level >= 4 ? KERNEL_X86_64_V4 : level >= 3 ? KERNEL_X86_64_V3 : KERNEL_ANY;
    while (!b->function[p])
        p--;
    return b->function[p];
}

tsr_rt_function *kernel_builtin_find(const char *key)
{
    for (const kernel_builtin *b = kernel_builtins; b->function[KERNEL_ANY]; b++)
        if (strcmp(b->about.key, key) == 0)
            return best(b);
    return NULL;
}

tsr_rt_function *kernel_made_find(const char **name, const tsr_kernel_options *options, const char *key)
{
    for (int i = 0; i < options->nmade; i++) {
        const tsr_kernel_builtin *const about = &options->made[i].about;
        if (!about->key || strcmp(about->key, key) != 0)
            continue;
        *name = about->name;
        return (tsr_rt_function *)options->made[i].function;
    }
    return NULL;
}

tsr_status tsr_kernel_made_new(tsr_kernel **out, const tsr_kernel_made *rows, int nrows, int row,
                               tsr_error *err)
{
    const tsr_kernel_builtin *const a = &rows[row].about;
    const tsr_kernel_file file = {.name = a->name,
                                  .expression = a->expression,
                                  .formats = {1, {a->formats}},
                                  .types = {1, {a->type}},
                                  .index = {1, {a->index}},
                                  .sizes = {1, {a->sizes}},
                                  .schedules = {1, {a->schedule}}};
    const tsr_kernel_options how = {
        .engine = TSR_ENGINE_BUILTIN, .made = rows, .nmade = nrows, .any_size = true, .any_density = true};
    tsr_error why = {0};
    tsr_status status = tsr_kernel_file_new(out, &file, 0, &how, &why);
    if (status == TSR_OK && !tsr_kernel_get_info(*out)->made) { /* the library has such a kernel */
        tsr_kernel_free(*out);
        *out = NULL;
        status = TSR_UNSUPPORTED;
    }
    if (status == TSR_UNSUPPORTED)
        return tsr_fail(
            err, status,
            "the kernel %s was made by another version of Tessera, so it is not used: make its C file "
            "again",
            a->name);
    if (status != TSR_OK && err)
        *err = why;
    return status;
}

const tsr_kernel_builtin *tsr_kernel_builtin_at(int i)
{
    if (i < 0)
        return NULL;
    for (const kernel_builtin *b = kernel_builtins; b->function[KERNEL_ANY]; b++)
        if (i-- == 0)
            return &b->about;
    return NULL;
}
