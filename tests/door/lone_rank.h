/* The only rank of a run, for tests of tessera_read_ranks. */
#ifndef LONE_RANK_H
#define LONE_RANK_H

#include <string.h>

#include <tessera/tessera.h>

static int lone_gather(void *user, void *out, const void *mine, size_t nbytes)
{
    (void)user;
    memcpy(out, mine, nbytes);
    return 0;
}

static int lone_sum(void *user, uint64_t *numbers, size_t count)
{
    (void)user, (void)numbers, (void)count;
    return 0;
}

static int lone_exchange(void *user, void *const *recv, const uint64_t *recv_nbytes, const void *const *send,
                         const uint64_t *send_nbytes)
{
    (void)user, (void)send_nbytes;
    if (recv_nbytes[0] > 0)
        memcpy(recv[0], send[0], recv_nbytes[0]);
    return 0;
}

static const tessera_ranks lone_rank = {
    .size = sizeof(tessera_ranks), .n = 1, .gather = lone_gather, .sum = lone_sum, .exchange = lone_exchange};

#endif
