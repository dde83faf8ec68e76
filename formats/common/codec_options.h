/* The options that codecs list: see tsr_codec_option. */
#ifndef CODEC_OPTIONS_H
#define CODEC_OPTIONS_H

#include "tsr_codec.h"

extern const tsr_codec_option tsr_option_index_base, tsr_option_no_values, tsr_option_header,
    tsr_option_columns, tsr_option_separator, tsr_option_relabel, tsr_option_mat_version,
    tsr_option_zarr_version, tsr_option_zarr_shards, tsr_option_chunks;

#endif
