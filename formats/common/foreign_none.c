/* A build for texts only (TSR_WITH_CONTAINERS=OFF) recognises the containers that it cannot read, by their first bytes. */
#include <string.h>

#include "tsr_codec.h"

static bool begins(const tsr_probe *probe, const char *with, size_t n)
{
    return probe->n >= n && memcmp(probe->head, with, n) == 0;
}

static bool is_hdf5(const tsr_probe *probe)
{
    return begins(probe, "\211HDF\r\n\032\n", 8);
}

static bool is_zip(const tsr_probe *probe)
{
    return begins(probe, "PK\003\004", 4);
}

static const char advice[] = "this build of Tessera is without CONTAINERS (TSR_WITH_CONTAINERS=OFF)";

const tsr_foreign tsr_foreign_kinds[] = {
    {.name = "an HDF5 file", .advice = advice, .claims = is_hdf5},
    {.name = "a zip archive", .advice = advice, .claims = is_zip},
    {.name = NULL},
};
