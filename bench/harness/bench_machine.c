/* Describes the machine: see bench_machine.h. Where files or calls are missing the description is
 * "unknown". */
#include "bench_machine.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "bench_commit.h"
#include "bench_pin.h"
#include "tsr_alloc.h"
#include "tsr_cpu.h"
#include "tsr_jit.h"
#include "tsr_machine.h"
#include "tsr_parallel.h"
#include "tsr_system.h"
#include "tsr_version.h"

#if !defined(BENCH_COMPILER) || !defined(BENCH_FLAGS)
#error "BENCH_COMPILER and BENCH_FLAGS come from the build"
#endif

/* Copy the value of the first line "KEY : value" of the description of the processors; false if there is none. */
static int cpuinfo(char *out, const char *key)
{
    FILE *const f = fopen(tsr_system_path(TSR_SYSTEM_PROCESSORS), "r");
    char line[512];
    int found = 0;
    while (f && !found && fgets(line, sizeof line, f)) {
        const char *const colon = strchr(line, ':');
        if (!colon || strncmp(line, key, strlen(key)) != 0)
            continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(out, BENCH_TEXT_NBYTES, "%.200s", colon + 1 + strspn(colon + 1, " \t"));
        found = 1;
    }
    if (f)
        fclose(f);
    return found;
}

static void caches_text(char *out)
{
    static const char *const names[] = {"", "L1d", "L2", "L3", "L4"};
    size_t at = 0;
    snprintf(out, BENCH_TEXT_NBYTES, "unknown");
    for (int level = 1; level <= 4; level++) {
        char size[32];
        const uint64_t nbytes = tsr_cache_nbytes(level);
        if (nbytes)
            at += (size_t)snprintf(out + at, BENCH_TEXT_NBYTES - at, "%s%s %s", at ? ", " : "", names[level],
                                   tsr_bytes_text(size, nbytes));
    }
}

static void flags_text(char *out, const char *const *flags)
{
    size_t at = 0;
    out[0] = '\0';
    for (int i = 0; flags[i] && at < BENCH_TEXT_NBYTES; i++)
        at += (size_t)snprintf(out + at, BENCH_TEXT_NBYTES - at, "%s%s", i ? " " : "", flags[i]);
}

void bench_machine_init(bench_machine *machine)
{
    bench_machine *const m = machine;
    struct utsname name;
    bench_cpus cpus;
    memset(m, 0, sizeof *m);
    const int has_name = uname(&name) >= 0;
    if (!cpuinfo(m->cpu, "model name") && !cpuinfo(m->cpu, "Model"))
        snprintf(m->cpu, sizeof m->cpu, "unknown");
    if (has_name)
        snprintf(m->kernel, sizeof m->kernel, "%.100s %.100s", name.sysname, name.release);
    if (tsr_cpu_level() > 0)
        snprintf(m->arch, sizeof m->arch, "%.100s, level %d", has_name ? name.machine : "x86_64",
                 tsr_cpu_level());
    else
        snprintf(m->arch, sizeof m->arch, "%.100s", has_name ? name.machine : "unknown");
    caches_text(m->caches);
    snprintf(m->compiler, sizeof m->compiler, "%s", BENCH_COMPILER);
    snprintf(m->flags, sizeof m->flags, "%s", BENCH_FLAGS);
    flags_text(m->jit_flags, tsr_jit_default_flags);
    snprintf(m->version, sizeof m->version, "Tessera %s", tsr_version());
    snprintf(m->commit, sizeof m->commit, "%s", BENCH_COMMIT);
    bench_cpus_init(&cpus);
    bench_cpus_text(m->pinning, sizeof m->pinning, &cpus);
    const time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc))
        strftime(m->started, sizeof m->started, "%Y-%m-%dT%H:%M:%SZ", &utc);
    const uint64_t memory = tsr_memory_nbytes();
    m->memory_nbytes = memory == UINT64_MAX ? 0 : memory;
    m->ncpus = tsr_thread_count(0);
}
