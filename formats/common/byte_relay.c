/* Loading and taking in steps: see byte_relay.h. */
#include "byte_relay.h"

#include "turns.h"
#include "tsr_alloc.h"
#include "tsr_parallel.h"

enum { NROOMS = 2 };

typedef struct run {
    const tsr_relay *relay;
    uint64_t nsteps;
    size_t room_nbytes;
    char *rooms;             /* owned; one for each thread */
    pthread_mutex_t loading; /* held while a step is loaded; guards `next` */
    uint64_t next;           /* the step to load next */
    tsr_turns turns;         /* of the steps that are taken; the lock also guards what follows */
    tsr_error fault;
} run;

/* Load the next step. False: all steps are loaded. */
static bool load_next(uint64_t *k, uint64_t *n, tsr_status *status, run *r, void *room, tsr_error *err)
{
    const tsr_relay *const relay = r->relay;
    pthread_mutex_lock(&r->loading);
    *k = r->next;
    const bool more = *k < r->nsteps;
    if (more) {
        const uint64_t first = *k * relay->step, left = relay->total - first;
        *n = left < relay->step ? left : relay->step;
        *status = relay->load(room, relay->ctx, first, *n, err);
        r->next = *status == TSR_OK ? *k + 1 : r->nsteps;
    }
    pthread_mutex_unlock(&r->loading);
    return more;
}

static void run_thread(void *arg, int t, int nthreads)
{
    run *const r = arg;
    void *const room = r->rooms + (size_t)t * r->room_nbytes;
    uint64_t k, n;
    tsr_status status;
    tsr_error err = {0};
    (void)nthreads;
    for (bool goes_on = true; goes_on && load_next(&k, &n, &status, r, room, &err);) {
        pthread_mutex_lock(&r->turns.lock);
        goes_on = tsr_turns_wait(&r->turns, k);
        pthread_mutex_unlock(&r->turns.lock);
        if (!goes_on)
            break;
        if (status == TSR_OK)
            status = r->relay->take(r->relay->ctx, room, k * r->relay->step, n, &err);
        pthread_mutex_lock(&r->turns.lock);
        if (status == TSR_OK) {
            tsr_turns_pass(&r->turns);
        } else {
            r->fault = err;
            goes_on = false;
            tsr_turns_stop(&r->turns);
        }
        pthread_mutex_unlock(&r->turns.lock);
    }
}

tsr_status tsr_relay_run(const tsr_relay *relay, tsr_error *err)
{
    run r = {.relay = relay, .nsteps = relay->total / relay->step + (relay->total % relay->step != 0)};
    const uint64_t most = relay->step < relay->total ? relay->step : relay->total;
    const int nthreads = relay->nthreads > 1 && r.nsteps > 1 ? NROOMS : 1;
    void *rooms = NULL;
    r.room_nbytes = (size_t)most * relay->unit_nbytes;
    TSR_TRY(tsr_alloc_array(&rooms, r.room_nbytes, (size_t)nthreads, 0, "a part of an array", err));
    r.rooms = rooms;
    tsr_turns_init(&r.turns);
    pthread_mutex_init(&r.loading, NULL);
    tsr_parallel(nthreads, run_thread, &r);
    pthread_mutex_destroy(&r.loading);
    tsr_turns_clear(&r.turns);
    tsr_free(rooms);
    return tsr_fail_as(err, &r.fault);
}
