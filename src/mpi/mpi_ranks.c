/* Ranks of an MPI run (tsr_ranks.h): a module that the tools load when they find themselves under mpirun, so that neither they nor
 * the library are linked with MPI. MPI counts in int: longer messages go in rounds. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpi_ranks.h"

/* The bytes of a rank in a round: the counts and displacements of all ranks together fit int. */
enum { MAX_ROUND_NBYTES = 1 << 30 };

typedef struct world {
    tsr_ranks base; /* first */
    uint64_t round_nbytes;
    int *counts; /* 4 * n: lengths and displacements of what is sent and received */
} world;

/* The module is linked with nothing of Tessera. */
static tsr_status fail(tsr_error *err, tsr_status status, const char *what, const char *more)
{
    if (err) {
        *err = (tsr_error){.status = status};
        snprintf(err->message, sizeof err->message, "%s%s", what, more);
    }
    return status;
}

static tsr_status check(int code, tsr_error *err)
{
    char text[MPI_MAX_ERROR_STRING + 1] = "";
    int n = 0;
    if (code == MPI_SUCCESS)
        return TSR_OK;
    (void)MPI_Error_string(code, text, &n);
    return fail(err, TSR_IO, "MPI: ", text);
}

static tsr_status mpi_gather(void *out, const void *mine, size_t nbytes, void *ctx, tsr_error *err)
{
    (void)ctx;
    return check(MPI_Allgather(mine, (int)nbytes, MPI_BYTE, out, (int)nbytes, MPI_BYTE, MPI_COMM_WORLD), err);
}

static tsr_status mpi_sum(uint64_t *numbers, size_t count, void *ctx, tsr_error *err)
{
    (void)ctx;
    for (size_t i = 0; i < count; i += MAX_ROUND_NBYTES) {
        const size_t n = count - i < MAX_ROUND_NBYTES ? count - i : MAX_ROUND_NBYTES;
        TSR_TRY(check(MPI_Allreduce(MPI_IN_PLACE, numbers + i, (int)n, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD),
                      err));
    }
    return TSR_OK;
}

static uint64_t part_of(uint64_t nbytes, uint64_t first, uint64_t most)
{
    return first >= nbytes ? 0 : nbytes - first < most ? nbytes - first : most;
}

/* Bytes of all ranks side by side, from `first` on. Returns how many. */
static size_t lay_out(int *counts, int *displs, const uint64_t *nbytes, const world *w, uint64_t first)
{
    size_t at = 0;
    for (int r = 0; r < w->base.n; r++) {
        counts[r] = (int)part_of(nbytes[r], first, w->round_nbytes);
        displs[r] = (int)at;
        at += (size_t)counts[r];
    }
    return at;
}

/* What an exchange moves: see tsr_ranks.exchange. */
typedef struct letters {
    void *const *recv;
    const uint64_t *recv_nbytes;
    const void *const *send;
    const uint64_t *send_nbytes;
} letters;

static tsr_status exchange_round(const letters *x, const world *w, uint64_t first, tsr_error *err)
{
    const int n = w->base.n;
    int *const out = w->counts, *const out_at = out + n, *const in = out_at + n, *const in_at = in + n;
    const size_t nout = lay_out(out, out_at, x->send_nbytes, w, first),
                 nin = lay_out(in, in_at, x->recv_nbytes, w, first);
    unsigned char *const from = malloc(nout + 1), *const to = malloc(nin + 1);
    tsr_status status = from && to ? TSR_OK : fail(err, TSR_NOMEM, "out of memory: messages of ranks", "");
    for (int r = 0; r < n && status == TSR_OK; r++)
        if (out[r] > 0)
            memcpy(from + out_at[r], (const unsigned char *)x->send[r] + first, (size_t)out[r]);
    if (status == TSR_OK)
        status =
            check(MPI_Alltoallv(from, out, out_at, MPI_BYTE, to, in, in_at, MPI_BYTE, MPI_COMM_WORLD), err);
    for (int r = 0; r < n && status == TSR_OK; r++)
        if (in[r] > 0)
            memcpy((unsigned char *)x->recv[r] + first, to + in_at[r], (size_t)in[r]);
    free(from);
    free(to);
    return status;
}

static tsr_status mpi_exchange(void *const *recv, const uint64_t *recv_nbytes, const void *const *send,
                               const uint64_t *send_nbytes, void *ctx, tsr_error *err)
{
    const world *const w = ctx;
    const letters x = {recv, recv_nbytes, send, send_nbytes};
    uint64_t longest = 0;
    for (int r = 0; r < w->base.n; r++)
        longest = send_nbytes[r] > longest ? send_nbytes[r] : longest;
    TSR_TRY(check(MPI_Allreduce(MPI_IN_PLACE, &longest, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD), err));
    for (uint64_t first = 0; first < longest; first += w->round_nbytes) {
        const tsr_status status = exchange_round(&x, w, first, err);
        if (status != TSR_OK) /* the others are inside a collective call */
            MPI_Abort(MPI_COMM_WORLD, 3);
    }
    return TSR_OK;
}

static int count_local(void)
{
    MPI_Comm local;
    int n = 1;
    if (MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &local) == MPI_SUCCESS) {
        MPI_Comm_size(local, &n);
        MPI_Comm_free(&local);
    }
    return n;
}

static const tsr_ranks *mpi_open(tsr_error *err)
{
    int provided, ready = 0;
    world *const w = calloc(1, sizeof *w);
    if (!w) {
        (void)fail(err, TSR_NOMEM, "out of memory", "");
        return NULL;
    }
    if (MPI_Initialized(&ready) != MPI_SUCCESS ||
        (!ready && MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS)) {
        (void)fail(err, TSR_IO, "MPI cannot be started", "");
        free(w);
        return NULL;
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    w->base = (tsr_ranks){.version = TSR_RANKS_VERSION,
                          .ctx = w,
                          .gather = mpi_gather,
                          .sum = mpi_sum,
                          .exchange = mpi_exchange};
    MPI_Comm_rank(MPI_COMM_WORLD, &w->base.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &w->base.n);
    w->base.nlocal = count_local();
    w->round_nbytes = MAX_ROUND_NBYTES / (uint64_t)w->base.n;
    const char *const round = getenv("TESSERA_MPI_ROUND"); /* for tests: bytes of a message */
    if (round && strtoull(round, NULL, 10) > 0 && strtoull(round, NULL, 10) < w->round_nbytes)
        w->round_nbytes = strtoull(round, NULL, 10);
    w->counts = malloc(4 * (size_t)w->base.n * sizeof *w->counts);
    w->base.errors = malloc((size_t)w->base.n * sizeof *w->base.errors);
    if (w->counts && w->base.errors)
        return &w->base;
    (void)fail(err, TSR_NOMEM, "out of memory", "");
    MPI_Abort(MPI_COMM_WORLD, 3);
    return NULL;
}

static void mpi_close(const tsr_ranks *ranks)
{
    world *const w = ranks->ctx;
    free(w->counts);
    free(w->base.errors);
    free(w);
    MPI_Finalize();
}

static void mpi_abort(int code)
{
    MPI_Abort(MPI_COMM_WORLD, code);
}

const tsr_ranks_module tsr_ranks_module_mpi = {
    .version = TSR_RANKS_VERSION, .open = mpi_open, .close = mpi_close, .abort = mpi_abort};
