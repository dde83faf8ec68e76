/* Sparse matrices of R's package Matrix: names of classes, and writing them. See rds.md. */
#ifndef RDS_H
#define RDS_H

#include "tsr_codec.h"

/* See takes_tensor, check, write_tensor, write_parts in tsr_codec.h. */
bool tsr_rds_takes_tensor(const tsr_tensor *tensor, const char **instead);
tsr_status tsr_rds_check(int order, tsr_type type, tsr_error *err) TSR_NODISCARD;
tsr_status tsr_rds_write_tensor(const char *path, const tsr_tensor *tensor, const tsr_write_options *options,
                                uint64_t *nbytes, tsr_error *err) TSR_NODISCARD;
tsr_status tsr_rds_write_parts(const char *path, tsr_parts *parts, const tsr_write_options *options,
                               uint64_t *nbytes, tsr_error *err) TSR_NODISCARD;

#endif
