/* tsr_interrupt ends waits in all threads, and waits that begin later; after the request is taken back
 * everything works as before. */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tsr_input.h"
#include "tsr_interrupt.h"
#include "tsr_machine.h"
#include "tsr_output.h"
#include "tsr_process.h"
#include "tsr_test.h"

enum { PATIENCE_S = 30 };
static const char *fifo;

static tsr_status read_fifo(tsr_error *err)
{
    tsr_input *input;
    TSR_TRY(tsr_input_open(&input, fifo, 0, NULL, err)); /* reads the first bytes */
    tsr_input_free(input);
    return TSR_OK;
}

static tsr_status write_fifo(tsr_error *err)
{
    tsr_output *output;
    TSR_TRY(tsr_output_open(&output, fifo, NULL, err));
    tsr_output_free(output);
    return TSR_OK;
}

/* A FIFO with a reader that does not read. */
static tsr_status fill_fifo(tsr_error *err)
{
    static char bytes[1 << 20];
    const int reader = open(fifo, O_RDONLY | O_NONBLOCK);
    tsr_output *output;
    tsr_status status = tsr_output_open(&output, fifo, NULL, err);
    for (int i = 0; i < 4 && status == TSR_OK; i++)
        status = tsr_output_write(output, bytes, sizeof bytes, err);
    tsr_output_free(output);
    close(reader);
    return status;
}

static tsr_status run_program(tsr_error *err)
{
    static const char *const argv[] = {"/bin/sleep", "600", NULL};
    tsr_process_end end;
    return tsr_process_run(&end, NULL, NULL, argv, NULL, err);
}

typedef struct work {
    tsr_status (*wait)(tsr_error *err);
    tsr_status status;
    tsr_error err;
} work;

static void *run_work(void *arg)
{
    work *w = arg;
    w->status = w->wait(&w->err);
    return NULL;
}

/* Wait in a thread; the request comes before or during the wait. */
static void check_wait(tsr_status (*wait)(tsr_error *err), bool before)
{
    work w = {.wait = wait};
    pthread_t thread;
    const uint64_t start = tsr_now_ns();
    if (before)
        tsr_interrupt();
    assert_int_equal(pthread_create(&thread, NULL, run_work, &w), 0);
    if (!before) {
        nanosleep(&(struct timespec){0, 100000000}, NULL);
        assert_int_equal(w.status, TSR_OK); /* still there */
        tsr_interrupt();
    }
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(w.status, TSR_CANCELLED);
    assert_string_equal(w.err.message, "interrupted");
    assert_true(tsr_now_ns() - start < (uint64_t)PATIENCE_S * 1000000000);
    tsr_interrupt_reset();
    assert_false(tsr_interrupted());
}

static void test_waits(void **state)
{
    (void)state;
    static tsr_status (*const waits[])(tsr_error *) = {read_fifo, write_fifo, fill_fifo, run_program};
    fifo = tsr_test_path(tsr_test_tmp(), "fifo");
    (void)unlink(fifo);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_true(tsr_interrupt_init());
    assert_true(tsr_interrupt_init()); /* once more is fine */
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
        check_wait(waits[i], false);
        check_wait(waits[i], true);
    }
}

/* Several requests count as one; after the request is taken back, reading works again. */
static void test_reset(void **state)
{
    (void)state;
    const char *path = tsr_test_path(tsr_test_tmp(), "text");
    tsr_text text = {0};
    tsr_test_spit(path, "text\n", 5);
    for (int i = 0; i < 100000; i++)
        tsr_interrupt();
    assert_true(tsr_interrupted());
    assert_int_equal(tsr_interrupt_check(NULL), TSR_CANCELLED);
    tsr_interrupt_reset();
    assert_ok(tsr_interrupt_check(err));
    assert_ok(tsr_input_read(&text, path, 100, err));
    assert_string_equal(tsr_text_cstr(&text), "text\n");
    tsr_text_clear(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_waits),
        cmocka_unit_test(test_reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
