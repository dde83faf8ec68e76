/* Writing .npz: see npz_write.c, and takes_tensor, write_tensor and write_parts in tsr_codec.h. */
#ifndef NPZ_H
#define NPZ_H

#include "tsr_codec.h"

bool tsr_npz_takes_tensor(const tsr_tensor *tensor, const char **instead);
tsr_status tsr_npz_write(const char *path, const tsr_tensor *tensor, const tsr_write_options *options,
                         uint64_t *nbytes, tsr_error *err) TSR_NODISCARD;
tsr_status tsr_npz_write_parts(const char *path, tsr_parts *parts, const tsr_write_options *options,
                               uint64_t *nbytes, tsr_error *err) TSR_NODISCARD;

#endif
