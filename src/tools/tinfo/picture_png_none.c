/* A build without libpng (TSR_WITH_PNG=OFF): see picture_png.h. */
#include "picture_png.h"

tsr_status tsr_png_write(const char *path, int width, int height, const unsigned char *rgb, tsr_error *err)
{
    (void)width, (void)height, (void)rgb;
    return tsr_fail_at(err, TSR_UNSUPPORTED, path, 0, 0,
                       "this build of Tessera cannot write PNG: give a name that ends with .svg");
}
