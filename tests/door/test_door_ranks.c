/* Reading a file by several ranks, which are threads here, as functions of the caller connect them. */
#include <pthread.h>

#include "door_test.h"

enum { MAX_RANKS = 5, NROWS = 40, NCOLUMNS = 30 };

/* ---- ranks that are threads ---- */

typedef struct team {
    pthread_barrier_t barrier;
    const void *given[MAX_RANKS];
    void *const *letters[MAX_RANKS];
    int n;
} team;

typedef struct member {
    team *team;
    int rank, grid;
    const char *path;
    tessera_read_options options;
    tessera_status status;
    tessera_tensor *out;
    uint64_t cuts[MAX_RANKS + 1];
    char text[256];
} member;

static int gather(void *user, void *out, const void *mine, size_t nbytes)
{
    const member *const m = user;
    m->team->given[m->rank] = mine;
    pthread_barrier_wait(&m->team->barrier);
    for (int r = 0; r < m->team->n; r++)
        memcpy((char *)out + (size_t)r * nbytes, m->team->given[r], nbytes);
    pthread_barrier_wait(&m->team->barrier);
    return 0;
}

static int sum(void *user, uint64_t *numbers, size_t count)
{
    const member *const m = user;
    uint64_t *const all = malloc((size_t)m->team->n * count * sizeof *all + 1);
    assert_non_null(all);
    gather(user, all, numbers, count * sizeof *all);
    for (size_t i = 0; i < count; i++) {
        numbers[i] = 0;
        for (int r = 0; r < m->team->n; r++)
            numbers[i] += all[(size_t)r * count + i];
    }
    free(all);
    return 0;
}

static int exchange(void *user, void *const *recv, const uint64_t *recv_nbytes, const void *const *send,
                    const uint64_t *send_nbytes)
{
    const member *const m = user;
    (void)send_nbytes;
    m->team->given[m->rank] = send;
    pthread_barrier_wait(&m->team->barrier);
    for (int r = 0; r < m->team->n; r++)
        if (recv_nbytes[r] > 0)
            memcpy(recv[r], ((const void *const *)m->team->given[r])[m->rank], recv_nbytes[r]);
    pthread_barrier_wait(&m->team->barrier);
    return 0;
}

static void *work(void *arg)
{
    member *const m = arg;
    tessera_context *const own = tessera_context_new();
    const tessera_ranks ranks = {.size = sizeof ranks,
                                 .rank = m->rank,
                                 .n = m->team->n,
                                 .grid = m->grid,
                                 .user = m,
                                 .gather = gather,
                                 .sum = sum,
                                 .exchange = exchange};
    tessera_context_set_threads(own, 1);
    m->status = tessera_read_ranks(&m->out, m->cuts, m->path, &m->options, &ranks, own);
    snprintf(m->text, sizeof m->text, "%s", tessera_context_text(own));
    tessera_context_free(own);
    return NULL;
}

/* Read `path` by n ranks; the last one has its own path where `other` is not NULL. */
static void read_together(member *all, int n, const char *path, const char *other, int grid)
{
    team t = {.n = n};
    pthread_t thread[MAX_RANKS];
    pthread_barrier_init(&t.barrier, NULL, (unsigned)n);
    for (int r = 0; r < n; r++) {
        all[r] = (member){.team = &t, .rank = r, .grid = grid, .path = other && r == n - 1 ? other : path};
        all[r].options = (tessera_read_options){.size = sizeof all[r].options, .format = "coo"};
        assert_int_equal(pthread_create(&thread[r], NULL, work, &all[r]), 0);
    }
    for (int r = 0; r < n; r++)
        pthread_join(thread[r], NULL);
    pthread_barrier_destroy(&t.barrier);
}

/* ---- tests ---- */

/* Cell (i, j) has the value 100 i + j where (i j) mod 3 is 1. */
static void write_cells(const char *path)
{
    FILE *const f = fopen(path, "w");
    int nnz = 0;
    assert_non_null(f);
    for (int i = 0; i < NROWS; i++)
        for (int j = 0; j < NCOLUMNS; j++)
            nnz += i * j % 3 == 1;
    fprintf(f, "%%%%MatrixMarket matrix coordinate integer general\n%d %d %d\n", NROWS, NCOLUMNS, nnz);
    for (int j = 0; j < NCOLUMNS; j++)
        for (int i = 0; i < NROWS; i++)
            if (i * j % 3 == 1)
                fprintf(f, "%d %d %d\n", i + 1, j + 1, 100 * i + j);
    fclose(f);
}

/* Mark the cells of a rank's tensor, whose values are right. Returns its number of entries. */
static uint64_t mark(unsigned char *seen, const member *m)
{
    tessera_array array[4]; /* pos, crd, crd, values */
    for (int k = 0; k < 4; k++)
        door_ok(tessera_tensor_array(&array[k], m->out, k, ctx));
    const uint64_t n = array[3].n;
    assert_true(array[1].type == TESSERA_I32 || array[1].type == TESSERA_U32);
    assert_int_equal(array[3].type, TESSERA_F64);
    for (uint64_t e = 0; e < n; e++) {
        const int i = ((const int32_t *)array[1].data)[e], j = ((const int32_t *)array[2].data)[e];
        assert_true(((const double *)array[3].data)[e] == 100 * i + j);
        assert_int_equal(seen[i * NCOLUMNS + j]++, 0);
        assert_true(m->grid || ((uint64_t)i >= m->cuts[m->rank] && (uint64_t)i < m->cuts[m->rank + 1]));
    }
    return n;
}

static void test_each_entry_once(void **state)
{
    (void)state;
    ctx = tessera_context_new();
    char path[4096];
    snprintf(path, sizeof path, "%s", scratch("ranks.mtx"));
    write_cells(path);
    for (int n = 1; n <= MAX_RANKS; n++)
        for (int grid = 0; grid < 2; grid++) {
            unsigned char seen[NROWS * NCOLUMNS] = {0};
            member all[MAX_RANKS];
            uint64_t nnz = 0, most = 0;
            read_together(all, n, path, NULL, grid);
            for (int r = 0; r < n; r++) {
                assert_int_equal(all[r].status, TESSERA_OK);
                const uint64_t own = mark(seen, &all[r]);
                nnz += own;
                most = own > most ? own : most;
                tessera_tensor_free(all[r].out);
            }
            for (int c = 0; c < NROWS * NCOLUMNS; c++)
                assert_int_equal(seen[c], c / NCOLUMNS * (c % NCOLUMNS) % 3 == 1);
            assert_true(most <= nnz / (uint64_t)n + 2 * NCOLUMNS); /* about equal numbers */
        }
    tessera_context_free(ctx);
}

static void test_an_error_of_one_is_that_of_all(void **state)
{
    (void)state;
    char good[4096], other[4096];
    snprintf(good, sizeof good, "%s", scratch("ranks.mtx"));
    snprintf(other, sizeof other, "%s", scratch("other.mtx"));
    write_cells(good);
    write_file(other, "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 5\n");
    const char *const paths[] = {scratch("absent.mtx"), other};
    const char *const words[] = {"absent.mtx", "another file of this name"};
    for (int k = 0; k < LENGTH(paths); k++) {
        member all[3];
        read_together(all, 3, good, paths[k], 0);
        for (int r = 0; r < 3; r++) {
            assert_int_not_equal(all[r].status, TESSERA_OK);
            assert_int_equal(all[r].status, all[0].status);
            assert_null(all[r].out);
            assert_non_null(strstr(all[r].text, words[k]));
        }
    }
}

static int fails(void *user, uint64_t *numbers, size_t count)
{
    (void)user, (void)numbers, (void)count;
    return -1;
}

static void test_wrong_arguments(void **state)
{
    (void)state;
    ctx = tessera_context_new();
    char path[4096];
    snprintf(path, sizeof path, "%s", scratch("ranks.mtx"));
    write_cells(path);
    team t = {.n = 1};
    member alone = {.team = &t};
    tessera_tensor *A = NULL;
    const tessera_ranks good = {
        .size = sizeof good, .n = 1, .user = &alone, .gather = gather, .sum = sum, .exchange = exchange};
    tessera_ranks bad[] = {good, good, good, good, good, good};
    pthread_barrier_init(&t.barrier, NULL, 1);
    bad[0].n = 0, bad[1].rank = 1, bad[2].gather = NULL, bad[3].exchange = NULL, bad[4].size = 3,
    bad[5].rank = -1;
    const char *const words[] = {"rank 0 of 0",      "rank 1 of 1",   "missing function",
                                 "missing function", "tessera_ranks", "rank -1"};
    for (int k = 0; k < LENGTH(bad); k++)
        door_fails(tessera_read_ranks(&A, NULL, path, NULL, &bad[k], ctx), TESSERA_ARGUMENT, words[k]);
    door_fails(tessera_read_ranks(NULL, NULL, path, NULL, &good, ctx), TESSERA_ARGUMENT, "missing");
    door_fails(tessera_read_ranks(&A, NULL, NULL, NULL, &good, ctx), TESSERA_ARGUMENT, "missing path");
    door_fails(tessera_read_ranks(&A, NULL, path, NULL, NULL, ctx), TESSERA_ARGUMENT, "missing ranks");
    door_fails(tessera_read_ranks(&A, NULL, "-", NULL, &good, ctx), TESSERA_ARGUMENT, "standard input");
    tessera_ranks broken = good;
    broken.sum = fails;
    door_fails(tessera_read_ranks(&A, NULL, path, NULL, &broken, ctx), TESSERA_IO, "cannot exchange bytes");
    const tessera_read_options part = {.size = sizeof part, .select = "0:2; :"};
    door_fails(tessera_read_ranks(&A, NULL, path, &part, &good, ctx), TESSERA_UNSUPPORTED, "leave out");
    const tessera_read_options zero = {.size = sizeof zero, .format = "csr"};
    door_ok(tessera_read_ranks(&A, NULL, path, &zero, &good, NULL));
    tessera_tensor_free(A);
    pthread_barrier_destroy(&t.barrier);
    tessera_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_entry_once),
                                       cmocka_unit_test(test_an_error_of_one_is_that_of_all),
                                       cmocka_unit_test(test_wrong_arguments)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
