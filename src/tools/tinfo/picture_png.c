/* A picture as a PNG file: see picture_png.h. libpng compresses it in memory; the file is then written like any
 * other output. */
#include "picture_png.h"

#include <png.h>

#include "tsr_alloc.h"
#include "tsr_output.h"

tsr_status tsr_png_write(const char *path, int width, int height, const unsigned char *rgb, tsr_error *err)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)width,
                       .height = (png_uint_32)height,
                       .format = PNG_FORMAT_RGB};
    png_alloc_size_t nbytes = PNG_IMAGE_PNG_SIZE_MAX(image);
    void *bytes = NULL;
    TSR_TRY(tsr_alloc_array(&bytes, nbytes, 1, 0, "the picture", err));
    tsr_status status = TSR_OK;
    tsr_output *output = NULL;
    const tsr_output_options plain = {.gzip_level = -1};
    if (!png_image_write_to_memory(&image, bytes, &nbytes, 0, rgb, 0, NULL))
        TSR_TRY_OUT(tsr_fail_at(err, TSR_IO, path, 0, 0, "libpng: %s", image.message));
    TSR_TRY_OUT(tsr_output_open(&output, path, &plain, err));
    TSR_TRY_OUT(tsr_output_write(output, bytes, nbytes, err));
    TSR_TRY_OUT(tsr_output_commit(output, err));
out:
    tsr_output_free(output);
    tsr_free(bytes);
    return status;
}
