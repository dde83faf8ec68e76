/* Writing Rutherford-Boeing: the functions of the codec that write (see tsr_codec.h). */
#ifndef RB_WRITE_H
#define RB_WRITE_H

#include "tsr_codec.h"

bool tsr_rb_takes_tensor(const tsr_tensor *tensor, const char **instead);
tsr_status tsr_rb_check(int order, tsr_type type, tsr_error *err) TSR_NODISCARD;
tsr_status tsr_rb_write(const char *path, const tsr_tensor *tensor, const tsr_write_options *options,
                        uint64_t *nbytes, tsr_error *err) TSR_NODISCARD;

#endif
