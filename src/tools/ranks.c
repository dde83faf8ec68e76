/* Finding and loading the module of ranks: see ranks.h. */
#include "ranks.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tsr_text.h"

/* Whether this process is one of several that were started together. */
static bool is_rank(void)
{
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"};
    const char *const tasks = getenv("SLURM_NTASKS");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const char *const size = getenv(sizes[i]);
        if (size && atoi(size) > 1)
            return true;
    }
    return getenv("PMIX_RANK") && tasks && atoi(tasks) > 1;
}

static void *load_from(const char *folder, const char *path)
{
    tsr_text text = {0};
    tsr_text_addf(&text, "%s%s", folder, path);
    /* global: parts of MPI that are loaded later look for its symbols */
    void *const loaded =
        access(tsr_text_cstr(&text), R_OK) == 0 ? dlopen(text.s, RTLD_NOW | RTLD_GLOBAL) : NULL;
    tsr_text_clear(&text);
    return loaded;
}

/* The module of the build tree, of an installation that was moved, or of the installation. */
static void *load_module(void)
{
    char folder[PATH_MAX] = "";
    const ssize_t n = readlink("/proc/self/exe", folder, sizeof folder - 1);
    const char *const given = getenv("TESSERA_MPI");
    folder[n > 0 ? n : 0] = '\0';
    char *const slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    if (given && given[0])
        return load_from(given, "");
    void *loaded = load_from(folder, "/../mpi/tessera-mpi.so");
    if (!loaded) /* of tbench */
        loaded = load_from(folder, "/../src/mpi/tessera-mpi.so");
    if (!loaded)
        loaded = load_from(folder, "/../" TSR_LIBDIR "/tessera/tessera-mpi.so");
    return loaded ? loaded : load_from(TSR_FULL_LIBDIR, "/tessera/tessera-mpi.so");
}

tsr_status tsr_cli_ranks_open(tsr_cli_ranks *out, tsr_error *err)
{
    const char *const given = getenv("TESSERA_MPI");
    *out = (tsr_cli_ranks){0};
    if (!is_rank() || (given && strcmp(given, "off") == 0))
        return TSR_OK;
    out->loaded = load_module();
    out->module = out->loaded ? dlsym(out->loaded, TSR_RANKS_MODULE) : NULL;
    if (!out->module || out->module->version != TSR_RANKS_VERSION)
        return tsr_fail(
            err, TSR_UNSUPPORTED,
            "this process is one of several ranks (mpirun), but the module tessera-mpi.so is missing or of "
            "another version: install it, name it in TESSERA_MPI, or set TESSERA_MPI=off for processes "
            "that work alone");
    out->ranks = out->module->open(err);
    if (!out->ranks)
        return err ? err->status : TSR_IO;
    if (out->ranks->n == 1)
        tsr_cli_ranks_close(out);
    return TSR_OK;
}

bool tsr_cli_ranks_speaks(const tsr_cli_ranks *ranks)
{
    return !ranks->ranks || ranks->ranks->rank == 0;
}

void tsr_cli_ranks_close(tsr_cli_ranks *ranks)
{
    if (ranks->ranks)
        ranks->module->close(ranks->ranks);
    *ranks = (tsr_cli_ranks){0}; /* the module stays loaded: MPI may run threads */
}
