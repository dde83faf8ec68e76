/* Kernels made ahead of time: one C file and its header for several kernels. The functions of kernels with dense results can be called
 * directly. The table NAME_kernels, of all kernels, is what programs give to tessera_context_add_kernels. */
#ifndef TSR_KERNEL_LIBRARY_H
#define TSR_KERNEL_LIBRARY_H

#include "tsr_kernel_file.h"
#include "tsr_text.h"

/* Set `name` and leave the rest zero. */
typedef struct tsr_kernel_library {
    const char *name; /* of the files without the suffixes, and of the table: NAME_kernels */
    const struct tsr_emit_target *target; /* the processor that it is for (tsr_emit.h); NULL: any */
    tsr_text functions, declarations, rows;
    int n, ntexts; /* rows of the table; texts in `functions` */
} tsr_kernel_library;

/* Add variant v of the kernel file, as the function `name`; a kernel of several steps has a row for each of them. The sizes that the
 * variant does not give are any. TSR_UNSUPPORTED: it has a step without a program; else errors as in tsr_kernel_file_new. */
tsr_status tsr_kernel_library_add(tsr_kernel_library *library, const tsr_kernel_file *file, int v,
                                  const char *name, tsr_error *err) TSR_NODISCARD;
/* Append the texts NAME.c and NAME.h. */
tsr_status tsr_kernel_library_print(tsr_text *c, tsr_text *h, const tsr_kernel_library *library,
                                    tsr_error *err) TSR_NODISCARD;
void tsr_kernel_library_clear(tsr_kernel_library *library);

#endif
