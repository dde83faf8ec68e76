/* Test helpers: see tsr_test.h. */
#define _XOPEN_SOURCE 700 /* getrusage */
#include "tsr_test.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "tsr_alloc.h"

/* A number of the environment; 1 where it is not given. */
static int64_t step_of(const char *name)
{
    const char *text = getenv(name);
    const int64_t step = text ? atoll(text) : 1;
    return step > 1 ? step : 1;
}

static int64_t day(void)
{
    return time(NULL) / 86400;
}

int64_t tsr_faults_after(int64_t n)
{
    const int64_t step = step_of("TSR_FAULTS_STEP");
    if (n < 16)
        return n + 1;
    return n + (n == 16 ? 1 + day() % step : step);
}

bool tsr_case_runs(uint64_t k)
{
    const int64_t step = step_of("TSR_CASES_STEP");
    return k % (uint64_t)step == (uint64_t)(day() % step);
}

bool tsr_faults_next(tsr_faults *faults)
{
    const int64_t live = tsr_alloc_live();
    if (live < 0)
        skip(); /* built without TSR_FAULTS */
    if (!faults->begun) {
        faults->begun = true;
        faults->live = live;
        return true;
    }
    if (live != faults->live)
        fail_msg("allocation %lld fails: %lld blocks are left", (long long)faults->n,
                 (long long)(live - faults->live));
    if (!faults->failed)
        return false;
    faults->n = tsr_faults_after(faults->n);
    assert_true(faults->n < 100000);
    return true;
}

void tsr_faults_arm(tsr_faults *faults)
{
    tsr_alloc_fail_at(faults->n);
}

void tsr_faults_disarm(tsr_faults *faults)
{
    faults->failed = tsr_alloc_failed();
    tsr_alloc_fail_at(-1);
}

void tsr_faults_end(tsr_faults *faults, tsr_status status)
{
    tsr_faults_disarm(faults);
    if (status != (faults->failed ? TSR_NOMEM : TSR_OK))
        fail_msg("allocation %lld fails: status %d", (long long)faults->n, (int)status);
}

const char *tsr_test_shared(void)
{
    const char *dir = getenv("TSR_SHARED");
    return dir && *dir ? dir : NULL;
}

const char *tsr_test_files(void)
{
    const char *dir = getenv("TSR_FILES");
    return dir && *dir ? dir : "tests/files";
}

int64_t tsr_test_growth_faults(void *(*grow)(void *block, size_t nbytes), void (*release)(void *block))
{
    enum { NBYTES = 40 << 20 }; /* malloc maps blocks of over 32 MB, and realloc moves mapped pages */
    struct rusage before, after;
    void *const block = grow(NULL, NBYTES);
    assert_non_null(block);
    memset(block, 1, NBYTES);
    getrusage(RUSAGE_SELF, &before);
    char *const grown = grow(block, 2 * (size_t)NBYTES);
    getrusage(RUSAGE_SELF, &after);
    assert_non_null(grown);
    assert_int_equal(grown[NBYTES - 1], 1);
    release(grown);
    return after.ru_minflt - before.ru_minflt;
}

const char *tsr_test_tmp(void)
{
    const char *dir = getenv("TSR_TMP");
    return dir && *dir ? dir : "/tmp";
}

const char *tsr_test_path(const char *folder, const char *name)
{
    static char ring[8][1024];
    static unsigned next;
    char path[sizeof ring[0]]; /* folder may lie in the ring */
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return strcpy(ring[next++ % 8], path);
}

char *tsr_test_slurp(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        fail_msg("cannot open %s", path);
    fseek(f, 0, SEEK_END);
    const long size = ftell(f);
    rewind(f);
    char *bytes = malloc((size_t)size + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, (size_t)size, f), size);
    fclose(f);
    bytes[size] = '\0';
    if (n)
        *n = (size_t)size;
    return bytes;
}

void tsr_test_spit(const char *path, const void *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");
    if (!f)
        fail_msg("cannot write %s", path);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

void tsr_test_golden(const char *name, const char *text)
{
    const char *path = tsr_test_path(tsr_test_path(tsr_test_files(), "../golden"), name);
    if (getenv("TSR_UPDATE"))
        tsr_test_spit(path, text, strlen(text));
    char *expected = tsr_test_slurp(path, NULL);
    if (strcmp(expected, text) != 0)
        print_error("%s differs; now it is:\n%s", path, text);
    assert_string_equal(expected, text);
    free(expected);
}

uint64_t tsr_rng_next(tsr_rng *rng)
{
    uint64_t z = (rng->s += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint64_t tsr_rng_below(tsr_rng *rng, uint64_t n)
{
    return tsr_rng_next(rng) % n;
}

double tsr_rng_unit(tsr_rng *rng)
{
    return (double)(tsr_rng_next(rng) >> 11) * 0x1p-53;
}
