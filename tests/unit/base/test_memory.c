/* Memory limits, from faked files of the system, and refusals before memory is taken. Earlier only the
 * physical memory of the machine was considered, so a run in a container was killed instead of refused. */
#define _XOPEN_SOURCE 700 /* nftw */
#define _DEFAULT_SOURCE   /* RLIMIT_DATA */
#include <ftw.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base_internal.h"
#include "tsr_alloc.h"
#include "tsr_machine.h"
#include "tsr_memory.h"
#include "tsr_system.h"
#include "tsr_test.h"

#define MB (UINT64_C(1000000))

/* Write a file below the root folder of a test, with the folders above it. */
static void put(const char *root, const char *path, const char *text)
{
    char full[512];
    snprintf(full, sizeof full, "%s%s", root, path);
    for (char *p = full + 1; (p = strchr(p, '/')) != NULL; p++) {
        *p = '\0';
        (void)mkdir(full, 0777);
        *p = '/';
    }
    tsr_test_spit(full, text, strlen(text));
}

static int drop(const char *path, const struct stat *status, int kind, struct FTW *at)
{
    (void)status, (void)kind, (void)at;
    return remove(path);
}

/* An empty folder. */
static const char *new_root(const char *name)
{
    const char *const root = tsr_test_path(tsr_test_tmp(), name);
    (void)nftw(root, drop, 8, FTW_DEPTH | FTW_PHYS);
    return root;
}

/* The rest of `limit` when `used` is in use: a thirty-second part is left for the overhead of the system. */
static uint64_t left(uint64_t limit, uint64_t used)
{
    return limit - used - (limit - used) / 32;
}

static void assert_room(const char *root, uint64_t nbytes, uint64_t limit_nbytes, const char *limit)
{
    tsr_memory_room room;
    tsr_memory_find_room_below(&room, root);
    assert_string_equal(room.limit, limit);
    assert_int_equal(room.limit_nbytes, limit_nbytes);
    assert_int_equal(room.nbytes, nbytes);
}

static void test_machine(void **state)
{
    if (!*tsr_system_path(TSR_SYSTEM_PAGES)) /* the system does not report what it has */
        skip();
    (void)state;
    const char *const root = new_root("machine");
    put(root, "/proc/meminfo", "MemTotal: 99 kB\nMemFree: 1 kB\nMemAvailable: 50000 kB\nSwapFree: 1000 kB\n");
    const uint64_t total = tsr_memory_nbytes();
    assert_room(root, left(total, total - 51000 * 1024), total, "this machine has");
    put(root, "/proc/meminfo", "MemTotal: 99 kB\n"); /* old systems */
    assert_room(root, left(total, 0), total, "this machine has");
    assert_room(new_root("absent"), left(total, 0), total, "this machine has");
}

static void test_version_2(void **state)
{
    if (!*tsr_system_path(TSR_SYSTEM_PAGES)) /* the system does not report what it has */
        skip();
    (void)state;
    const char *const root = new_root("v2");
    put(root, "/proc/self/cgroup", "0::/outer/inner\n");
    put(root, "/sys/fs/cgroup/outer/inner/memory.max", "max\n");
    put(root, "/sys/fs/cgroup/outer/inner/memory.current", "900000000\n");
    const uint64_t total = tsr_memory_nbytes();
    assert_room(root, left(total, 0), total, "this machine has");
    put(root, "/sys/fs/cgroup/outer/memory.max", "500000000\n");
    put(root, "/sys/fs/cgroup/outer/memory.current", "300000000\n");
    assert_room(root, left(500 * MB, 300 * MB), 500 * MB, "the control group allows");
    put(root, "/sys/fs/cgroup/outer/memory.stat",
        "anon 1\nactive_file 20000000\nfile 999\ninactive_file 30000000\n");
    assert_room(root, left(500 * MB, 250 * MB), 500 * MB, "the control group allows");
    put(root, "/sys/fs/cgroup/outer/inner/memory.max", "100000000\n"); /* the inner one is full */
    assert_room(root, 0, 100 * MB, "the control group allows");
}

/* In a container the path of the group is that of the host, and the mount point is the group itself. */
static void test_version_1_in_a_container(void **state)
{
    if (!*tsr_system_path(TSR_SYSTEM_PAGES)) /* the system does not report what it has */
        skip();
    (void)state;
    const char *const root = new_root("v1");
    put(root, "/proc/self/cgroup", "12:pids:/docker/1\n5:cpu,memory:/docker/1\n1:name=systemd:/\n0::/\n");
    put(root, "/sys/fs/cgroup/memory/memory.limit_in_bytes", "400000000\n");
    put(root, "/sys/fs/cgroup/memory/memory.usage_in_bytes", "200000000\n");
    put(root, "/sys/fs/cgroup/memory/memory.stat", "inactive_file 7\ntotal_inactive_file 50000000\n");
    assert_room(root, left(400 * MB, 150 * MB), 400 * MB, "the control group allows");
    put(root, "/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"); /* no limit */
    const uint64_t total = tsr_memory_nbytes();
    assert_room(root, left(total, 0), total, "this machine has");
}

static void test_odd_files(void **state)
{
    if (!*tsr_system_path(TSR_SYSTEM_PAGES)) /* the system does not report what it has */
        skip();
    (void)state;
    const char *const root = new_root("odd");
    const uint64_t total = tsr_memory_nbytes();
    put(root, "/sys/fs/cgroup/memory.max", "1\n");
    put(root, "/proc/self/cgroup", "::\n0:\n:memory\n0::/../..\nx\n7:memory,:relative\n7:memoryx:/\n");
    assert_room(root, left(total, 0), total, "this machine has");
    put(root, "/proc/self/cgroup", "0::/\n");
    assert_room(root, 0, 1, "the control group allows");
    put(root, "/proc/self/cgroup", "0::/gone/for/long"); /* the groups above it still count */
    assert_room(root, 0, 1, "the control group allows");
}

#ifdef TSR_FAULTS
/* If the use of a group is unknown, at least the blocks of this process count, written or not. */
static void test_blocks_count(void **state)
{
    if (!*tsr_system_path(TSR_SYSTEM_PAGES)) /* the system does not report what it has */
        skip();
    (void)state;
#ifdef TSR_TEST_SANITIZED
    skip(); /* the sanitizer's own memory counts, too */
#endif
    const char *const root = new_root("blocks");
    char words[TSR_MEMORY_WORDS_NBYTES], want[TSR_MEMORY_WORDS_NBYTES];
    put(root, "/proc/self/cgroup", "0::/\n");
    put(root, "/sys/fs/cgroup/memory.max", "400000000\n");
    assert_int_equal(setenv("TSR_MEMORY_ROOT", root, 1), 0);
    assert_true(tsr_memory_fits(3e8));
    void *const block = tsr_malloc(250 * MB);
    assert_non_null(block);
    assert_false(tsr_memory_fits(2e8));
    assert_null(tsr_malloc(200 * MB));
    assert_null(tsr_calloc(200, MB));
    assert_null(tsr_realloc(block, 450 * MB)); /* the block is unchanged */
    memset(block, 1, 250 * MB);
    assert_false(tsr_memory_fits(2e8));
    assert_true(tsr_memory_fits(5e7));
    tsr_error err = {0};
    void *array;
    assert_int_equal(tsr_alloc_array(&array, 200, MB, 0, "an array", &err), TSR_NOMEM);
    assert_non_null(strstr(err.message, "out of memory: cannot allocate an array: 200 MB, more than the 1"));
    assert_non_null(strstr(err.message, " MB left of the 400 MB that the control group allows"));
    assert_int_equal(tsr_memory_check(9e8, "a result", &err), TSR_LIMIT);
    assert_string_equal(err.message,
                        "a result needs 900 MB, more than the 400 MB that the control group allows");
    tsr_free(block);
    assert_true(tsr_memory_fits(3e8));
    /* A kernel's block was not counted when it was adopted, only when it was freed: less than nothing was held then,
     * and what the next block takes was not seen. */
    void *const adopted = malloc(250 * MB);
    assert_non_null(adopted);
    tsr_alloc_adopt(adopted);
    tsr_free(adopted);
    void *const next = tsr_malloc(250 * MB);
    assert_non_null(next);
    assert_false(tsr_memory_fits(2e8));
    tsr_free(next);
    tsr_alloc_hold(250 * MB); /* a kernel's memory */
    assert_false(tsr_memory_fits(2e8));
    tsr_alloc_release(250 * MB);
    assert_true(tsr_memory_fits(3e8));
    assert_int_equal(unsetenv("TSR_MEMORY_ROOT"), 0);
    snprintf(want, sizeof want, "8.00e+09 YB, more than the ");
    assert_memory_equal(tsr_memory_words(words, 8e33), want, strlen(want));
    assert_non_null(strstr(words, " that this machine has"));
}
#endif

/* The limits of the process itself, in a child. */
static int under_rlimits(void)
{
    const struct rlimit space = {2000 * MB, 2000 * MB}, data = {1000 * MB, 1000 * MB};
    tsr_memory_room room;
    if (setrlimit(RLIMIT_AS, &space) != 0)
        return 1;
    tsr_memory_find_room(&room);
    if (strcmp(room.limit, "ulimit -v allows") != 0 || room.limit_nbytes != 2000 * MB ||
        room.nbytes >= 2000 * MB || room.nbytes < 1000 * MB)
        return 2;
    if (setrlimit(RLIMIT_DATA, &data) != 0)
        return 3;
    tsr_memory_find_room(&room);
    if (strcmp(room.limit, "ulimit -d allows") != 0 || room.limit_nbytes != 1000 * MB)
        return 4;
    return tsr_malloc(1200 * MB) ? 5 : 0;
}

/* The limit of the process counts what is resident, libraries too. */
static void test_own_limit(void **state)
{
    tsr_memory_room before, room;
    (void)state;
    tsr_memory_find_room(&before);
    assert_int_equal(tsr_memory_limit(), UINT64_MAX);
    tsr_memory_set_limit(1 << 20); /* this process holds more */
    tsr_memory_find_room(&room);
    assert_int_equal(room.nbytes, 0);
    assert_int_equal(room.limit_nbytes, 1 << 20);
    assert_false(tsr_memory_fits(2 << 20));
    /* said "more than the 0 bytes left" */
    char words[TSR_MEMORY_WORDS_NBYTES];
    assert_string_equal(tsr_memory_words(words, 1e6),
                        "1.00 MB, but nothing is left of the 1.05 MB that the memory limit allows");
    tsr_memory_set_limit(UINT64_C(1) << 62);
    tsr_memory_find_room(&room);
    assert_int_equal(room.limit_nbytes, before.limit_nbytes);
    tsr_memory_set_limit(UINT64_MAX);
}

static void test_rlimits(void **state)
{
    if (!*tsr_system_path(TSR_SYSTEM_PAGES)) /* the system does not report what it has */
        skip();
    (void)state;
#ifdef TSR_TEST_SANITIZED
    skip(); /* the sanitizer's own address space is beyond any limit */
#endif
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(under_rlimits());
    int how = 0;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how));
    assert_int_equal(WEXITSTATUS(how), 0);
}

/* Whether the system was asked for large pages at this address; -1: it does not say. */
static int wants_large_pages(const void *block)
{
    char line[512];
    int wants = -1;
    bool inside = false;
    FILE *const maps = fopen("/proc/self/smaps", "r");
    while (maps && fgets(line, sizeof line, maps)) {
        unsigned long long first, end;
        if (sscanf(line, "%llx-%llx ", &first, &end) == 2)
            inside = (uintptr_t)block >= first && (uintptr_t)block < end;
        else if (inside && strncmp(line, "VmFlags:", 8) == 0)
            wants = strstr(line, " hg") != NULL;
    }
    if (maps)
        fclose(maps);
    return wants;
}

/* A block that was small and grows gets large pages as one that was large from the beginning: readers begin with small
 * arrays, and 4 million entries took 34,000 page faults. */
static void test_growing_block_gets_large_pages(void **state)
{
    enum { LARGE = 32 << 20 };
    (void)state;
    void *const large = tsr_malloc(LARGE), *grown = tsr_malloc(1000);
    assert_non_null(large);
    assert_non_null(grown);
    void *const moved = tsr_realloc(grown, LARGE);
    assert_non_null(moved);
    const char *const middle = (const char *)moved + LARGE / 2;
    assert_int_equal(wants_large_pages(middle), wants_large_pages((const char *)large + LARGE / 2));
    tsr_free(moved);
    tsr_free(large);
}

/* Its pages are moved, not copied, as without large pages. */
static void test_growing_large_block_is_not_copied(void **state)
{
    (void)state;
    assert_true(tsr_test_growth_faults(tsr_realloc, tsr_free) < tsr_test_growth_faults(realloc, free) + 1000);
}

/* A large block that is freed serves the next request of about its size; smaller ones make place for larger ones, and nothing stays. */
static void test_kept_blocks(void **state)
{
    if (!*tsr_system_path(TSR_SYSTEM_PAGES)) /* the system does not report what it has */
        skip();
    enum { LARGE = 8 << 20, SMALL = 1 << 20 };
    (void)state;
    tsr_alloc_keep(true);
    tsr_alloc_keep(true);
    unsigned char *const first = tsr_malloc(LARGE), *const second = tsr_malloc(2 * LARGE);
    assert_non_null(first);
    assert_non_null(second);
    first[LARGE - 1] = second[2 * LARGE - 1] = 1;
    tsr_free(second);
    tsr_free(first);
    unsigned char *const again = tsr_malloc(LARGE - SMALL); /* the smaller one of those that fit */
    assert_ptr_equal(again, first);
    unsigned char *const more = tsr_malloc(LARGE + SMALL); /* smaller than twice as large as wanted */
    assert_ptr_equal(more, second);
    tsr_free(again);
    unsigned char *const beyond = tsr_malloc(3 * LARGE); /* in place of the block that is kept */
    unsigned char *const small = tsr_malloc(SMALL);
    assert_non_null(beyond);
    assert_non_null(small);
    tsr_free(small);
    tsr_free(beyond);
    tsr_free(more);
    tsr_alloc_keep(false);
    unsigned char *const still = tsr_malloc(2 * LARGE);
    assert_ptr_equal(still, second);
    tsr_free(still);
    tsr_alloc_keep(false);
}

/* Blocks that are kept are given up before a limit is exceeded. */
static void test_kept_blocks_make_room(void **state)
{
    if (!*tsr_system_path(TSR_SYSTEM_PAGES)) /* the system does not report what it has */
        skip();
    enum { LARGE = 32 << 20 };
    (void)state;
#ifdef TSR_TEST_SANITIZED
    skip(); /* the sanitizer keeps what is freed */
#endif
    tsr_memory_room before, after;
    tsr_alloc_keep(true);
    unsigned char *const block = tsr_malloc(LARGE);
    assert_non_null(block);
    memset(block, 1, LARGE);
    tsr_memory_set_limit(160 << 20);
    tsr_memory_find_room(&before);
    tsr_free(block);
    tsr_memory_find_room(&after);
    assert_true(after.nbytes >= before.nbytes + LARGE / 2);          /* as if it were free */
    unsigned char *const all = tsr_malloc(after.nbytes - (4 << 20)); /* there is no place for both */
    assert_non_null(all);
    assert_null(tsr_malloc(LARGE));
    tsr_free(all);
    tsr_memory_set_limit(UINT64_MAX);
    tsr_alloc_keep(false);
}

/* The bytes of this process that the system may take back; 0 where it does not tell. */
static long long offered_nbytes(void)
{
    char line[512];
    long long kb, sum = 0;
    FILE *const maps = fopen("/proc/self/smaps", "r");
    while (maps && fgets(line, sizeof line, maps))
        sum += sscanf(line, "LazyFree: %lld", &kb) == 1 ? kb : 0;
    if (maps)
        fclose(maps);
    return sum << 10;
}

/* The system may take back what was freed first, not the 128 MiB that were freed last: offering pages and writing to them again took a
 * third of the time of a conversion. */
static void test_kept_blocks_are_offered_late(void **state)
{
    enum { LARGE = 80 << 20 };
    (void)state;
#ifdef TSR_TEST_SANITIZED
    skip(); /* the sanitizer keeps what is freed */
#endif
    unsigned char *const probe = malloc(LARGE);
    assert_non_null(probe);
    memset(probe, 1, LARGE);
    tsr_system_offer_memory(probe, LARGE);
    const bool tells = offered_nbytes() >= LARGE / 2;
    free(probe);
    if (!tells) /* a system without offers, or an emulated one */
        skip();
    tsr_alloc_keep(true);
    unsigned char *const first = tsr_malloc(LARGE), *const between = tsr_malloc(LARGE + LARGE / 8);
    assert_non_null(first);
    assert_non_null(between);
    memset(first, 1, LARGE);
    memset(between, 1, LARGE);
    tsr_free(first);
    assert_true(offered_nbytes() < LARGE / 2);
    tsr_free(between);
    assert_in_range(offered_nbytes(), LARGE / 2, LARGE + LARGE / 4);
    tsr_alloc_keep(false);
}

/* Up to a limit, what is freed serves later requests, the zeroed ones too; what is too much is freed at once. */
static void test_recycled_blocks(void **state)
{
    if (!*tsr_system_path(TSR_SYSTEM_PAGES)) /* the sizes of blocks are unknown */
        skip();
    enum { LARGE = 8 << 20 };
    (void)state;
    unsigned char *block = tsr_malloc(LARGE);
    assert_non_null(block);
    tsr_free(block);
    assert_int_equal(base_kept_nbytes(), 0); /* nobody recycles */
    tsr_alloc_recycle(true);
    tsr_alloc_set_recycled(2 * LARGE + LARGE / 2);
    unsigned char *all[3];
    for (int k = 0; k < 3; k++) {
        all[k] = tsr_malloc(LARGE);
        assert_non_null(all[k]);
        memset(all[k], k + 1, LARGE);
    }
    for (int k = 0; k < 3; k++)
        tsr_free(all[k]);
    assert_in_range(base_kept_nbytes(), 2 * LARGE, 2 * LARGE + 8192); /* the first one is freed */
    block = tsr_calloc(LARGE, 1);
    assert_true(block == all[1] || block == all[2]);
    for (int i = 0; i < LARGE; i++)
        assert_int_equal(block[i], 0);
    tsr_free(block);
    block = tsr_malloc(4 * LARGE); /* larger than all that may be kept */
    assert_non_null(block);
    tsr_free(block);
    assert_in_range(base_kept_nbytes(), 2 * LARGE, 2 * LARGE + 8192);
    tsr_alloc_set_recycled(0);
    assert_int_equal(base_kept_nbytes(), 0);
    tsr_alloc_set_recycled(TSR_RECYCLED_NBYTES);
    tsr_alloc_recycle(false);
}

/* A block of another module keeps room that was not written, which counts neither while the block is used nor while it is kept. */
static void test_spare_room(void **state)
{
    if (!*tsr_system_path(TSR_SYSTEM_PAGES)) /* the sizes of blocks are unknown */
        skip();
    enum { LARGE = 8 << 20, PART = 5 << 20 };
    uint64_t room;
    (void)state;
    const uint64_t before = base_held_nbytes();
    tsr_alloc_recycle(true);
    void *block = malloc(LARGE);
    assert_non_null(block);
    void *const first = block;
    tsr_alloc_adopt_part(&block, PART);
    assert_ptr_equal(block, first);
    assert_int_equal(base_held_nbytes() - before, PART);
    tsr_free(block);
    assert_int_equal(base_held_nbytes(), before);
    assert_int_equal(base_kept_nbytes(), PART);
    assert_null(tsr_alloc_take(&room, 2 * LARGE));
    assert_null(tsr_alloc_take(&room, LARGE / 2 + 8192)); /* coordinates do not take the block of values */
    if ((uintptr_t)first % 64 != 0) { /* it does not begin on a cache line, as a block of tsr_malloc does */
        block = tsr_malloc(LARGE);
        assert_non_null(block);
        assert_ptr_not_equal(block, first);
        assert_int_equal((uintptr_t)block % 64, 0);
        tsr_free(block);
    }
    block = tsr_alloc_take(&room, LARGE);
    assert_ptr_equal(block, first);
    assert_true(room >= LARGE);
    tsr_alloc_adopt_part(&block, PART);
    block = tsr_realloc(block, LARGE + PART); /* the spare room counts again */
    assert_non_null(block);
    assert_in_range(base_held_nbytes() - before, LARGE + PART, LARGE + PART + 8192);
    assert_true(tsr_alloc_give(block) >= LARGE + PART);
    assert_int_equal(base_held_nbytes(), before);
    free(block);
    block = malloc(LARGE);
    assert_non_null(block);
    tsr_alloc_adopt_part(&block, LARGE / 4); /* less than a third: the room is given back */
    assert_in_range(base_held_nbytes() - before, LARGE / 4, LARGE / 4 + 8192);
    tsr_free(block);
    tsr_alloc_recycle(false);
    assert_int_equal(base_held_nbytes(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_machine),
        cmocka_unit_test(test_version_2),
        cmocka_unit_test(test_version_1_in_a_container),
        cmocka_unit_test(test_odd_files),
        cmocka_unit_test(test_own_limit),
        cmocka_unit_test(test_rlimits),
        cmocka_unit_test(test_growing_block_gets_large_pages),
        cmocka_unit_test(test_growing_large_block_is_not_copied),
        cmocka_unit_test(test_kept_blocks),
        cmocka_unit_test(test_kept_blocks_make_room),
        cmocka_unit_test(test_kept_blocks_are_offered_late),
        cmocka_unit_test(test_recycled_blocks),
        cmocka_unit_test(test_spare_room),
#ifdef TSR_FAULTS
        cmocka_unit_test(test_blocks_count),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
