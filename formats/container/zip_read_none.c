/* A build without libzip (TSR_WITH_ZIP=OFF): archives are written, not read. See zip_io.h. */
#include "tsr_version.h"
#include "zip_io.h"

tsr_status tsr_zip_open(tsr_zip **out, const char *path, tsr_error *err)
{
    (void)path;
    *out = NULL;
    return tsr_fail_without("ZIP", err);
}

tsr_status tsr_zip_open_again(tsr_zip **out, const tsr_zip *zip, tsr_error *err)
{
    (void)zip;
    *out = NULL;
    return tsr_fail_without("ZIP", err);
}

/* No archive is ever open: what follows is not reached. */
void tsr_zip_free(tsr_zip *zip)
{
    (void)zip;
}

const char *tsr_zip_path(const tsr_zip *zip)
{
    (void)zip;
    return "";
}

void tsr_zip_set_threads(tsr_zip *zip, int nthreads)
{
    (void)zip, (void)nthreads;
}

uint64_t tsr_zip_count(const tsr_zip *zip)
{
    (void)zip;
    return 0;
}

const char *tsr_zip_name(const tsr_zip *zip, uint64_t i)
{
    (void)zip, (void)i;
    return "";
}

uint64_t tsr_zip_find(const tsr_zip *zip, const char *name)
{
    (void)zip, (void)name;
    return UINT64_MAX;
}

const char *tsr_zip_method(const tsr_zip *zip, uint64_t i)
{
    (void)zip, (void)i;
    return "?";
}

tsr_status tsr_zip_begin(tsr_bytes *bytes, tsr_zip *zip, uint64_t i, tsr_error *err)
{
    (void)bytes, (void)zip, (void)i;
    return tsr_fail_without("ZIP", err);
}

bool tsr_zip_pass(tsr_bytes *bytes, uint64_t n)
{
    (void)bytes, (void)n;
    return false;
}

tsr_status tsr_zip_end(tsr_bytes *bytes, tsr_error *err)
{
    (void)bytes;
    return tsr_fail_without("ZIP", err);
}

void tsr_zip_drop(tsr_bytes *bytes)
{
    (void)bytes;
}
