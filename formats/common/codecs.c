/* The table of codecs, one for each name in TSR_CODECS (CMakeLists.txt). */
#include "tsr_codec.h"

#define X(name) extern const tsr_codec tsr_codec_##name;
#include "codecs.def"
#undef X

const tsr_codec *const tsr_codecs[] = {
#define X(name) &tsr_codec_##name,
#include "codecs.def"
#undef X
    NULL,
};
