/* Bytes of level arrays on their way to their files, past the cache of the system, by a thread of its own: see stream_internal.h.
 * Two sets of windows take turns: one is filled while the other one is written. */
#include <unistd.h>

#include "stream_internal.h"
#include "tsr_output.h"
#include "tsr_system.h"

enum { NSETS = 2, NOT_OPENED = -2 };

typedef struct set {
    void *memory;
    uint64_t room;
    stream_window window[STREAM_MAX_WINDOWS];
    int n;
    bool full; /* to be written */
} set;

struct stream_writer {
    uint64_t most_nbytes;           /* of a set */
    int direct[STREAM_MAX_WINDOWS]; /* -1: the file cannot be written so */
    set set[NSETS];
    int next; /* the set that is filled next, or is being filled */
    pthread_t thread;
    pthread_mutex_t lock; /* of what follows, and of `full` */
    pthread_cond_t changed;
    bool ends;
    tsr_error err; /* the first one; nothing is written after it */
};

static tsr_status write_set(const stream_writer *w, const set *s, tsr_error *err)
{
    for (int i = 0; i < s->n; i++) {
        const stream_window *const window = &s->window[i];
        if (window->nbytes > 0)
            TSR_TRY(stream_file_put_direct(&window->file, w->direct[i], window->first, window->bytes,
                                           (size_t)window->nbytes, err));
    }
    return TSR_OK;
}

static void *write_sets(void *arg)
{
    stream_writer *const w = arg;
    pthread_mutex_lock(&w->lock);
    for (int k = 0;; k = (k + 1) % NSETS) {
        set *const s = &w->set[k];
        while (!s->full && !w->ends)
            pthread_cond_wait(&w->changed, &w->lock);
        if (!s->full)
            break;
        if (w->err.status == TSR_OK) {
            tsr_error err = {0};
            pthread_mutex_unlock(&w->lock);
            (void)write_set(w, s, &err);
            pthread_mutex_lock(&w->lock);
            w->err = err;
        }
        s->full = false;
        pthread_cond_broadcast(&w->changed);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

stream_writer *stream_writer_new(uint64_t most_nbytes)
{
    stream_writer *const w = tsr_calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->most_nbytes = most_nbytes / NSETS;
    for (int i = 0; i < STREAM_MAX_WINDOWS; i++)
        w->direct[i] = NOT_OPENED;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->changed, NULL);
    if (pthread_create(&w->thread, NULL, write_sets, w) == 0)
        return w;
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
    tsr_free(w);
    return NULL;
}

/* Wait until the sets [first, end) are written. */
static tsr_status wait_for(stream_writer *w, int first, int end, tsr_error *err)
{
    pthread_mutex_lock(&w->lock);
    for (int k = first; k < end; k++)
        while (w->set[k].full)
            pthread_cond_wait(&w->changed, &w->lock);
    const tsr_status status = tsr_fail_as(err, &w->err);
    pthread_mutex_unlock(&w->lock);
    return status;
}

/* The bytes that a window takes, with those before it. */
static uint64_t window_nbytes(const stream_window *window)
{
    const uint64_t n = window->first % TSR_DIRECT_NBYTES + window->nbytes;
    return (n + TSR_DIRECT_NBYTES - 1) / TSR_DIRECT_NBYTES * TSR_DIRECT_NBYTES;
}

static bool make_room(const stream_writer *w, set *s, uint64_t nbytes)
{
    if (nbytes <= s->room)
        return true;
    tsr_free(s->memory);
    s->room = 0;
    s->memory = nbytes <= w->most_nbytes ? tsr_malloc((size_t)nbytes) : NULL;
    s->room = s->memory ? nbytes : 0;
    return s->memory != NULL;
}

tsr_status stream_writer_take(bool *fits, stream_writer *w, stream_window *window, int n, tsr_error *err)
{
    set *const s = &w->set[w->next];
    uint64_t nbytes = TSR_DIRECT_NBYTES;
    *fits = false;
    TSR_TRY(wait_for(w, w->next, w->next + 1, err));
    for (int i = 0; i < n; i++) {
        if (window[i].nbytes == 0)
            continue;
        if (w->direct[i] == NOT_OPENED)
            w->direct[i] = tsr_system_open_direct(window[i].file.path.s);
        if (w->direct[i] < 0)
            return TSR_OK;
        nbytes += window_nbytes(&window[i]);
    }
    if (!make_room(w, s, nbytes))
        return TSR_OK;
    unsigned char *next = (unsigned char *)s->memory + (size_t)(-(uintptr_t)s->memory % TSR_DIRECT_NBYTES);
    for (int i = 0; i < n; i++) {
        window[i].bytes = next + window[i].first % TSR_DIRECT_NBYTES;
        next += window[i].nbytes > 0 ? window_nbytes(&window[i]) : 0;
        s->window[i] = window[i];
    }
    s->n = n;
    *fits = true;
    return TSR_OK;
}

void stream_writer_put(stream_writer *w)
{
    pthread_mutex_lock(&w->lock);
    w->set[w->next].full = true;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
    w->next = (w->next + 1) % NSETS;
}

tsr_status stream_writer_wait(stream_writer *w, tsr_error *err)
{
    return w ? wait_for(w, 0, NSETS, err) : TSR_OK;
}

void stream_writer_free(stream_writer *w)
{
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    w->ends = true;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
    for (int i = 0; i < STREAM_MAX_WINDOWS; i++)
        if (w->direct[i] >= 0)
            (void)close(w->direct[i]);
    for (int k = 0; k < NSETS; k++)
        tsr_free(w->set[k].memory);
    tsr_free(w);
}
