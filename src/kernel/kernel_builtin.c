/* Finding built-in kernels. */
#include "kernel_builtin.h"

#include <string.h>

#include "tsr_cpu.h"

/* The function that was compiled for the best level that this processor supports. */
static tsr_rt_function *best(const kernel_builtin *b)
{
    const int level = tsr_cpu_level();
    if (level >= 4 && b->function[KERNEL_X86_64_V4])
        return b->function[KERNEL_X86_64_V4];
    if (level >= 3 && b->function[KERNEL_X86_64_V3])
        return b->function[KERNEL_X86_64_V3];
    return b->function[KERNEL_ANY];
}

tsr_rt_function *kernel_builtin_find(const char *key)
{
    for (const kernel_builtin *b = kernel_builtins; b->function[KERNEL_ANY]; b++)
        if (strcmp(b->about.key, key) == 0)
            return best(b);
    return NULL;
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
