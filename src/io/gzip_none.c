/* A build without gzip (TSR_WITH_GZIP=OFF): compressed input and output are refused. See io_internal.h. */
#include "io_internal.h"

tsr_status tsr_gunzip_new(tsr_gunzip **out, tsr_source *source, const void *head, size_t nhead,
                          const tsr_observer *observer, tsr_error *err)
{
    (void)head, (void)nhead, (void)observer;
    *out = NULL;
    return tsr_fail_at(err, TSR_UNSUPPORTED, source->path, 0, 0,
                       "this build of Tessera cannot read gzip: decompress the file first");
}

void tsr_gunzip_free(tsr_gunzip *gunzip)
{
    (void)gunzip;
}

uint64_t tsr_gunzip_nbytes(const tsr_gunzip *gunzip)
{
    (void)gunzip;
    return 0;
}

tsr_status tsr_gunzip_read(size_t *n, tsr_gunzip *gunzip, void *out, size_t room, tsr_error *err)
{
    (void)gunzip, (void)out, (void)room;
    *n = 0;
    return tsr_fail(err, TSR_UNSUPPORTED, "this build of Tessera cannot read gzip");
}

bool tsr_deflate_available(void)
{
    return false;
}

tsr_deflate *tsr_deflate_new(int level)
{
    (void)level;
    return NULL;
}

size_t tsr_deflate_bound(tsr_deflate *d, size_t nbytes)
{
    (void)d, (void)nbytes;
    return 0;
}

size_t tsr_deflate_run(tsr_deflate *d, void *out, size_t room, const void *in, size_t nbytes)
{
    (void)d, (void)out, (void)room, (void)in, (void)nbytes;
    return 0;
}

void tsr_deflate_free(tsr_deflate *d)
{
    (void)d;
}
