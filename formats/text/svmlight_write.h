/* Writing svmlight: see svmlight_write.c. */
#ifndef SVMLIGHT_WRITE_H
#define SVMLIGHT_WRITE_H

#include "tsr_codec.h"

/* The functions of the codec: csr without a fill value and without complex values. */
bool tsr_svmlight_takes_tensor(const tsr_tensor *tensor, const char **instead);
tsr_status tsr_svmlight_check(int order, tsr_type type, tsr_error *err) TSR_NODISCARD;
tsr_status tsr_svmlight_write(const char *path, const tsr_tensor *tensor, const tsr_write_options *options,
                              uint64_t *nbytes, tsr_error *err) TSR_NODISCARD;

#endif
