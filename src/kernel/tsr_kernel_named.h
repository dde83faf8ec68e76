/* The kernels that have names (bench/kernels), as expressions for a tensor of some order. */
#ifndef TSR_KERNEL_NAMED_H
#define TSR_KERNEL_NAMED_H

#include "tsr_notation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Modes of a tensor that has index variables of its own in a kernel; the variable r belongs to the kernel. */
enum { TSR_MAX_NAMED_ORDER = 8 };

/* Whether the kernel has one form for each mode of its tensor. *is_default: it has the form of this mode if no mode is given: mttkrp
 * that of each mode, the others that of the last mode. */
bool tsr_kernel_has_mode(bool *is_default, const char *name, int order, int mode);
/* Append the expression of the named kernel for a tensor of this order and, if the kernel has modes, for this mode.
 * TSR_ARGUMENT: an unknown name. TSR_UNSUPPORTED: the kernel does not take tensors of this order. */
tsr_status tsr_kernel_expression(tsr_text *text, const char *name, int order, int mode,
                                 tsr_error *err) TSR_NODISCARD;

/* Kernels as users list them: "mttkrp,spmv" (all forms that are the default), "ttv:0" (the form of mode 0), or one expression
 * "y(i) = A(i,j) * x(j)". */
enum { TSR_MAX_NAMED_KERNELS = 16 };
typedef struct tsr_named_kernels {
    int n;
    tsr_notation *notation[TSR_MAX_NAMED_KERNELS]; /* owned */
} tsr_named_kernels;
/* For a tensor of this order. TSR_ARGUMENT, TSR_UNSUPPORTED, TSR_LIMIT, and the errors of tsr_notation_parse. Clear it also after a
 * failure. */
tsr_status tsr_named_kernels_init(tsr_named_kernels *list, const char *text, int order,
                                  tsr_error *err) TSR_NODISCARD;
void tsr_named_kernels_clear(tsr_named_kernels *list);

#ifdef __cplusplus
}
#endif
#endif
