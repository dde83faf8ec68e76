/* What the files of the module share. */
#ifndef CODEC_INTERNAL_H
#define CODEC_INTERNAL_H

#include "tsr_reader.h"

/* One use of a codec. */
typedef struct tsr_codec_call {
    const char *path;
    const tsr_codec *codec;          /* NULL: choose the codec by content */
    const tsr_read_options *options; /* NULL: all zero */
    /* What to do; options->input is an open input where the codec streams and the file was opened to choose
     * the codec. */
    tsr_status (*use)(void *out, const char *path, const tsr_codec *codec, const tsr_read_options *options,
                      tsr_error *err);
    void *out;
    tsr_input *opened; /* output: this input; the caller frees it, also after a failure */
} tsr_codec_call;

/* Choose the codec where the call does not name one, and use it. */
tsr_status tsr_codec_use(tsr_codec_call *call, tsr_error *err) TSR_NODISCARD;

#endif
