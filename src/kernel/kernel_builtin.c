/* Looking through the built-in kernels. */
#include "kernel_builtin.h"

#include <string.h>

tsr_rt_function *kernel_builtin_find(const char *key)
{
    for (const kernel_builtin *b = kernel_builtins; b->function; b++)
        if (strcmp(b->about.key, key) == 0)
            return b->function;
    return NULL;
}

const tsr_kernel_builtin *tsr_kernel_builtin_at(int i)
{
    if (i < 0)
        return NULL;
    for (const kernel_builtin *b = kernel_builtins; b->function; b++)
        if (i-- == 0)
            return &b->about;
    return NULL;
}
