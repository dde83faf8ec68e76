/* The table of the kernels that are compiled into the library. gen_kernels writes it when the library is
 * built; gen_kernels itself is linked with an empty table. */
#ifndef KERNEL_BUILTIN_H
#define KERNEL_BUILTIN_H

#include "tsr_kernel.h"
#include "tsr_rt.h"

/* Each kernel is compiled for all processors, and once more for x86-64-v3 and v4 where the compiler supports
 * them. */
typedef enum kernel_processor {
    KERNEL_ANY,
    KERNEL_X86_64_V3,
    KERNEL_X86_64_V4,
    KERNEL_NPROCESSORS
} kernel_processor;

typedef struct kernel_builtin {
    tsr_kernel_builtin about;
    tsr_rt_function *function[KERNEL_NPROCESSORS]; /* NULL: not compiled for this processor */
} kernel_builtin;

/* All built-in kernels; the end is a row without functions. */
extern const kernel_builtin kernel_builtins[];

/* The function that was compiled from the text with this hash (tsr_jit_hash), for the best level that this
 * processor supports; NULL where there is not such a kernel. */
tsr_rt_function *kernel_builtin_find(const char *key);

/* The function of options->made that was compiled from this text, and its name; NULL: there is not such a function. */
tsr_rt_function *kernel_made_find(const char **name, const tsr_kernel_options *options, const char *key);

#endif
