/* A build without jansson (TSR_WITH_JANSSON=OFF): stores of Zarr, whose metadata are JSON, are recognised and refused. See container.h. */
#include <string.h>
#include <sys/stat.h>

#include "container.h"
#include "tsr_version.h"

static bool claims(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool ends_with(const char *s, const char *tail)
{
    const size_t n = strlen(s), t = strlen(tail);
    return n >= t && strcmp(s + n - t, tail) == 0;
}

static bool claims_name(const char *path)
{
    return ends_with(path, ".zarr") || ends_with(path, ".zarr.zip");
}

static tsr_status open_none(tsr_container **out, const char *path, tsr_error *err)
{
    (void)path;
    *out = NULL;
    return tsr_fail_without("JANSSON", err);
}

static tsr_status write_none(const char *path, const tsr_filling *what, const tsr_write_options *options,
                             uint64_t *nbytes, tsr_error *err)
{
    (void)path, (void)what, (void)options, (void)nbytes;
    return tsr_fail_without("JANSSON", err);
}

/* No such container is ever open, so that all else is missing. */
const tsr_container_type tsr_container_zarr = {.name = "Zarr",
                                               .word = "array",
                                               .claims = claims,
                                               .claims_name = claims_name,
                                               .open = open_none,
                                               .write = write_none};
