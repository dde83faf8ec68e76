/* Gzip compression of one piece of a text by libdeflate: see io_internal.h. */
#include "io_internal.h"

#include <libdeflate.h>

bool tsr_deflate_available(void)
{
    return true;
}

tsr_deflate *tsr_deflate_new(int level)
{
    return (tsr_deflate *)libdeflate_alloc_compressor(level);
}

size_t tsr_deflate_bound(tsr_deflate *d, size_t nbytes)
{
    return libdeflate_gzip_compress_bound((struct libdeflate_compressor *)d, nbytes);
}

size_t tsr_deflate_run(tsr_deflate *d, void *out, size_t room, const void *in, size_t nbytes)
{
    return libdeflate_gzip_compress((struct libdeflate_compressor *)d, in, nbytes, out, room);
}

void tsr_deflate_free(tsr_deflate *d)
{
    if (d)
        libdeflate_free_compressor((struct libdeflate_compressor *)d);
}
