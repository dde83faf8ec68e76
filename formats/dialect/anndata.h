/* AnnData in any container: the functions of codecs, see tsr_codec.h. */
#ifndef ANNDATA_H
#define ANNDATA_H

#include "tsr_codec.h"

bool tsr_anndata_takes_tensor(const tsr_tensor *tensor, const char **instead);
tsr_status tsr_anndata_check(int order, tsr_type type, tsr_error *err) TSR_NODISCARD;
tsr_status tsr_anndata_write(const char *path, const tsr_tensor *tensor, const tsr_write_options *options,
                             uint64_t *nbytes, tsr_error *err) TSR_NODISCARD;
tsr_status tsr_anndata_write_parts(const char *path, tsr_parts *parts, const tsr_write_options *options,
                                   uint64_t *nbytes, tsr_error *err) TSR_NODISCARD;

#endif
