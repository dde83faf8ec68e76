/* Ranks (tsr_ranks.h) that are threads of a test, which meet at barriers. */
#ifndef TEAM_H
#define TEAM_H

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "tsr_ranks.h"

enum { TEAM_MAX_RANKS = 16 };

typedef struct team_letter {
    const void *const *send;
    const uint64_t *nbytes;
} team_letter;

typedef struct team {
    pthread_barrier_t barrier;
    const void *given[TEAM_MAX_RANKS];
    team_letter letters[TEAM_MAX_RANKS];
} team;

typedef struct team_member {
    tsr_ranks base; /* first */
    team *team;
    tsr_error errors[TEAM_MAX_RANKS];
} team_member;

static inline void team_meet(team *t)
{
    pthread_barrier_wait(&t->barrier);
}

static inline tsr_status team_gather(void *out, const void *mine, size_t nbytes, void *ctx, tsr_error *err)
{
    team_member *const m = ctx;
    (void)err;
    m->team->given[m->base.rank] = mine;
    team_meet(m->team);
    for (int r = 0; r < m->base.n; r++)
        memcpy((char *)out + (size_t)r * nbytes, m->team->given[r], nbytes);
    team_meet(m->team);
    return TSR_OK;
}

static inline tsr_status team_sum(uint64_t *numbers, size_t count, void *ctx, tsr_error *err)
{
    team_member *const m = ctx;
    (void)err;
    uint64_t *const sum = calloc(count + 1, sizeof *sum);
    m->team->given[m->base.rank] = numbers;
    team_meet(m->team);
    for (int r = 0; r < m->base.n; r++)
        for (size_t i = 0; i < count; i++)
            sum[i] += ((const uint64_t *)m->team->given[r])[i];
    team_meet(m->team);
    memcpy(numbers, sum, count * sizeof *sum);
    free(sum);
    return TSR_OK;
}

static inline tsr_status team_exchange(void *const *recv, const uint64_t *recv_nbytes,
                                       const void *const *send, const uint64_t *send_nbytes, void *ctx,
                                       tsr_error *err)
{
    team_member *const m = ctx;
    tsr_status status = TSR_OK;
    m->team->letters[m->base.rank] = (team_letter){send, send_nbytes};
    team_meet(m->team);
    for (int r = 0; r < m->base.n; r++) {
        const team_letter *const l = &m->team->letters[r];
        if (l->nbytes[m->base.rank] != recv_nbytes[r])
            status = tsr_fail(err, TSR_CORRUPT, "lengths of messages differ");
        else if (recv_nbytes[r] > 0)
            memcpy(recv[r], l->send[m->base.rank], recv_nbytes[r]);
    }
    team_meet(m->team);
    return status;
}

static inline void team_init(team *t, int n)
{
    pthread_barrier_init(&t->barrier, NULL, (unsigned)n);
}

/* Make m rank k of n. */
static inline void team_join(team_member *m, team *t, int k, int n)
{
    m->team = t;
    m->base = (tsr_ranks){.version = TSR_RANKS_VERSION,
                          .rank = k,
                          .n = n,
                          .nlocal = n,
                          .errors = m->errors,
                          .ctx = m,
                          .gather = team_gather,
                          .sum = team_sum,
                          .exchange = team_exchange};
}

static inline void team_clear(team *t)
{
    pthread_barrier_destroy(&t->barrier);
}

#endif
