/* What Slurm's environment says: shares of the work, processors, memory. */
#include <stdlib.h>
#include <string.h>

#include "tsr_test.h"
#include "tsr_memory.h"
#include "tsr_parallel.h"
#include "tsr_machine.h"

static const char *const names[] = {
    "SLURM_JOB_ID",           "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_STEP",
    "SLURM_ARRAY_TASK_COUNT", "SLURM_STEP_ID",       "SLURM_STEP_NUM_TASKS", "SLURM_PROCID",
    "SLURM_CPUS_PER_TASK",    "SLURM_MEM_PER_CPU",   "SLURM_MEM_PER_NODE",   "SLURM_STEP_TASKS_PER_NODE",
    "SLURM_NODEID",           "OMP_NUM_THREADS"};

/* Set the environment of a job: pairs of a name without SLURM_ and a value, up to NULL. */
static void job(const char *const *pairs)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unsetenv(names[i]);
    for (; *pairs; pairs += 2) {
        char name[64];
        snprintf(name, sizeof name, "SLURM_%s", pairs[0]);
        setenv(name, pairs[1], 1);
    }
}
#define JOB(...) job((const char *const[]){__VA_ARGS__, NULL})

static void expect_part(int part, int nparts)
{
    tsr_error err = {0};
    int at = -1, n = -1;
    assert_int_equal(tsr_scheduler_part(&at, &n, 100, &err), TSR_OK);
    assert_int_equal(at, part);
    assert_int_equal(n, nparts);
}

static void expect_no_part(const char *words)
{
    tsr_error err = {0};
    int at, n;
    assert_int_equal(tsr_scheduler_part(&at, &n, 100, &err), TSR_ARGUMENT);
    assert_non_null(strstr(err.message, words));
}

static void test_parts(void **state)
{
    (void)state;
    JOB("JOB_ID", "7", "ARRAY_TASK_ID", "7", "ARRAY_TASK_MIN", "3", "ARRAY_TASK_STEP", "2",
        "ARRAY_TASK_COUNT", "3");
    expect_part(2, 3);
    JOB("JOB_ID", "7", "STEP_ID", "0", "STEP_NUM_TASKS", "4", "PROCID", "3");
    expect_part(3, 4);
    JOB("JOB_ID", "7", "ARRAY_TASK_ID", "1", "ARRAY_TASK_MIN", "0", "ARRAY_TASK_COUNT", "3", "STEP_ID", "0",
        "STEP_NUM_TASKS", "4", "PROCID", "3");
    expect_part(7, 12);
    JOB("JOB_ID", "7", "ARRAY_TASK_ID", "0", "ARRAY_TASK_MIN", "0", "ARRAY_TASK_COUNT", "60", "STEP_ID", "0",
        "STEP_NUM_TASKS", "2", "PROCID", "0");
    expect_no_part("120 together");
}

static void test_no_parts(void **state)
{
    (void)state;
    JOB("ARRAY_TASK_ID", "1", "ARRAY_TASK_MIN", "0", "ARRAY_TASK_COUNT", "3"); /* of no job */
    expect_no_part("no task");
    JOB("JOB_ID", "7", "PROCID", "0", "STEP_NUM_TASKS", "1"); /* a batch script */
    expect_no_part("no task");
    JOB("JOB_ID", "7", "ARRAY_TASK_ID", "9", "ARRAY_TASK_MIN", "0", "ARRAY_TASK_COUNT", "3");
    expect_no_part("no task");
    JOB("JOB_ID", "7", "ARRAY_TASK_ID", "1x", "ARRAY_TASK_MIN", "0", "ARRAY_TASK_COUNT", "3");
    expect_no_part("no task");
    JOB("JOB_ID", "7", "ARRAY_TASK_ID", "99999999999999999999", "ARRAY_TASK_MIN", "0", "ARRAY_TASK_COUNT",
        "3");
    expect_no_part("no task");
}

static void test_processors(void **state)
{
    (void)state;
    JOB("JOB_ID", "7");
    const int all = tsr_thread_count(0);
    assert_int_equal(tsr_scheduler_threads(), 0);
    JOB("JOB_ID", "7", "CPUS_PER_TASK", "1");
    assert_int_equal(tsr_thread_count(0), 1);
    assert_int_equal(tsr_thread_count(3), 3); /* asked for */
    JOB("JOB_ID", "7", "CPUS_PER_TASK", "1000");
    assert_int_equal(tsr_thread_count(0), all);
    JOB("CPUS_PER_TASK", "1"); /* of no job */
    assert_int_equal(tsr_thread_count(0), all);
}

static void test_memory(void **state)
{
    const uint64_t mb = UINT64_C(1) << 20;
    tsr_memory_room room;
    (void)state;
    JOB("JOB_ID", "7", "MEM_PER_NODE", "0");
    assert_true(tsr_scheduler_memory() == UINT64_MAX);
    JOB("JOB_ID", "7", "MEM_PER_CPU", "100", "CPUS_PER_TASK", "3");
    assert_int_equal(tsr_scheduler_memory(), 300 * mb);
    JOB("JOB_ID", "7", "MEM_PER_NODE", "600");
    assert_int_equal(tsr_scheduler_memory(), 600 * mb);
    JOB("JOB_ID", "7", "MEM_PER_NODE", "600", "STEP_TASKS_PER_NODE", "2(x3),4,1(x2)", "NODEID", "2");
    assert_int_equal(tsr_scheduler_memory(), 300 * mb);
    JOB("JOB_ID", "7", "MEM_PER_NODE", "600", "STEP_TASKS_PER_NODE", "2(x3),4,1(x2)", "NODEID", "3");
    assert_int_equal(tsr_scheduler_memory(), 150 * mb);
    JOB("JOB_ID", "7", "MEM_PER_NODE", "600", "STEP_TASKS_PER_NODE", "2(x3),4,1(x2)", "NODEID", "6");
    assert_int_equal(tsr_scheduler_memory(), 600 * mb); /* no such node */
    JOB("JOB_ID", "7", "MEM_PER_NODE", "600", "STEP_TASKS_PER_NODE", "2(x");
    assert_int_equal(tsr_scheduler_memory(), 600 * mb);
    JOB("JOB_ID", "7", "MEM_PER_CPU", "40");
    tsr_memory_find_room(&room);
    assert_int_equal(room.limit_nbytes, 40 * mb);
    assert_string_equal(room.limit, "the Slurm job gives a task");
    assert_true(room.nbytes < 40 * mb || tsr_memory_resident() == 0); /* 0: the system does not tell it */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_no_parts),
        cmocka_unit_test(test_processors),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
