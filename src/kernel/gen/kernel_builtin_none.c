/* No built-in kernels. */
#include "kernel_builtin.h"

const kernel_builtin kernel_builtins[] = {{{0}, {0}}};
