/* A picture as a PNG file. */
#ifndef TSR_CLI_PICTURE_PNG_H
#define TSR_CLI_PICTURE_PNG_H

#include "tsr_error.h"

/* Write the file, whole or not at all. rgb: width * height * 3 bytes, row by row. TSR_UNSUPPORTED in a build
 * without libpng. */
tsr_status tsr_png_write(const char *path, int width, int height, const unsigned char *rgb,
                         tsr_error *err) TSR_NODISCARD;

#endif
