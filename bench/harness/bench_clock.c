/* Time and memory: see bench_clock.h. */
#include "bench_clock.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "tsr_system.h"

uint64_t bench_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

double bench_load(void)
{
    double load = -1;
    FILE *const f = fopen(tsr_system_path(TSR_SYSTEM_LOAD), "r");
    if (!f)
        return -1;
    if (fscanf(f, "%lf", &load) != 1)
        load = -1;
    fclose(f);
    return load;
}

/* The second number of a thread's schedstat: time on a run queue. The name of a thread is its number. */
static uint64_t thread_waited_ns(const char *name)
{
    char path[64];
    uint64_t ran = 0, waited = 0;
    if (name[0] == '.')
        return 0;
    snprintf(path, sizeof path, "%s/%.20s/schedstat", tsr_system_path(TSR_SYSTEM_THREADS), name);
    FILE *const f = fopen(path, "r");
    if (!f)
        return 0;
    if (fscanf(f, "%" SCNu64 " %" SCNu64, &ran, &waited) != 2)
        waited = 0;
    fclose(f);
    return waited;
}

uint64_t bench_waited_ns(void)
{
#ifdef TSR_FAULTS
    const char *const faked = getenv("TSR_BENCH_WAITS"); /* all: all the time; none: never */
    if (faked)
        return strcmp(faked, "all") == 0 ? bench_now_ns() : 0;
#endif
    DIR *const dir = opendir(tsr_system_path(TSR_SYSTEM_THREADS));
    const struct dirent *entry;
    uint64_t sum = 0;
    if (!dir)
        return 0;
    while ((entry = readdir(dir)) != NULL)
        sum += thread_waited_ns(entry->d_name);
    closedir(dir);
    return sum;
}

int bench_reset_peak(void)
{
    FILE *f = fopen(tsr_system_path(TSR_SYSTEM_CLEAR), "w");
    if (!f)
        return 0;
    const int ok = fputs("5", f) >= 0;
    return fclose(f) == 0 && ok;
}

/* The number of kB after `key` in the state of this process, as bytes. */
static uint64_t status_nbytes(const char *key)
{
    FILE *f = fopen(tsr_system_path(TSR_SYSTEM_STATUS), "r");
    if (!f)
        return 0;
    char line[256];
    unsigned long long kb = 0;
    while (fgets(line, sizeof line, f))
        if (strncmp(line, key, strlen(key)) == 0 && sscanf(line + strlen(key), "%llu", &kb) == 1)
            break;
    fclose(f);
    return kb * 1024;
}

uint64_t bench_peak_nbytes(void)
{
    return status_nbytes("VmHWM:");
}

uint64_t bench_resident_nbytes(void)
{
    return status_nbytes("VmRSS:");
}
