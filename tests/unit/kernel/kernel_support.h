/* Tensors and kernels for tests, in short. */
#ifndef KERNEL_SUPPORT_H
#define KERNEL_SUPPORT_H

#include "tsr_kernel.h"
#include "tsr_pack.h"
#include "tsr_test.h"

/* A tensor in `format`, of `dims` ("3,4"; "" for a scalar), with the entries of `text`: coordinates and value
 * each, with ';' between entries: "0 1 2.5; 2 3 -1". */
tsr_tensor *kernel_tensor_of(const char *format, tsr_type type, const char *dims, const char *text);
/* A dense vector 1, 2, 3, ... of n doubles. */
tsr_tensor *kernel_counting(uint64_t n);
/* Options for an engine, with a cache folder inside the test's scratch folder. */
tsr_kernel_options kernel_options_for(tsr_kernel_engine engine);
/* A result's values as text: "3 0 1.5". */
const char *kernel_values(const tsr_tensor *tensor);

#endif
