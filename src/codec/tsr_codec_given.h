/* Which options of codecs a user has given, to refuse those that the file formats in question lack. */
#ifndef TSR_CODEC_GIVEN_H
#define TSR_CODEC_GIVEN_H

#include "tsr_codec.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TSR_MAX_CODEC_GIVEN = 32 };

/* {0}: none. */
typedef struct tsr_codec_given {
    const tsr_codec_option *options[TSR_MAX_CODEC_GIVEN];
    int n;
} tsr_codec_given;

/* Set the option, and record that it was given. Errors: those of tsr_codec_set_option. */
tsr_status tsr_codec_give(tsr_codec_given *given, const tsr_codec_settings *to, const char *name,
                          const char *value, tsr_error *err) TSR_NODISCARD;
/* TSR_ARGUMENT where an option was given that neither codec has. Either codec may be NULL, which means that it is not
 * known: options that concern the output only are not checked without OUT, all other options not without IN. `mark`
 * stands before the name of the option in the error: "--". */
tsr_status tsr_codec_check_given(const tsr_codec_given *given, const tsr_codec *in, const tsr_codec *out,
                                 const char *mark, tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
