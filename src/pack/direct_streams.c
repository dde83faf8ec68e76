/* Entries into many streams: see direct_internal.h. */
#include "direct_internal.h"
#include "tsr_tile.h"

/* Places of a stream that are written together: their coordinates fill a cache line, their values whole lines. */
enum { GROUP = 16, LINE_NBYTES = 64 };

static size_t group_nbytes(const direct_streams *s)
{
    return GROUP * (sizeof(uint32_t) + s->to.width);
}

tsr_status direct_streams_init(direct_streams *s, tsr_error *err)
{
    void *memory;
    TSR_TRY(tsr_alloc_array(&memory, s->n, group_nbytes(s) + sizeof *s->written, 0, "sorting entries", err));
    s->buffer = memory;
    s->written = (uint32_t *)(void *)(s->buffer + s->n * group_nbytes(s));
    memcpy(s->written, s->next, s->n * sizeof *s->written);
    return TSR_OK;
}

void direct_streams_clear(direct_streams *s)
{
    tsr_free(s->buffer);
    s->buffer = NULL;
}

/* Write the places of the stream before `end`, which are in one group. */
static void flush(const direct_streams *s, size_t stream, uint32_t end)
{
    const uint32_t begin = s->written[stream], skip = begin % GROUP, n = end - begin;
    const size_t width = s->to.width;
    const unsigned char *const crd = s->buffer + stream * group_nbytes(s), *const values = crd + LINE_NBYTES;
    unsigned char *const to = s->to.values + begin * width;
    s->written[stream] = end;
    if (n < GROUP) {
        memcpy(s->to.crd + begin, crd + skip * sizeof *s->to.crd, n * sizeof *s->to.crd);
        if (width > 0)
            memcpy(to, values + skip * width, n * width);
        return;
    }
    tsr_stream_line(s->to.crd + begin, crd);
    for (size_t k = 0; k < GROUP * width; k += LINE_NBYTES)
        tsr_stream_line(to + k, values + k);
}

#define PUT(ctype, has_values)                                                \
    do {                                                                      \
        const ctype *restrict v = (const ctype *)(const void *)values;        \
        for (size_t i = 0; i < n; i++) {                                      \
            const uint32_t k = stream[i], place = next[k]++;                  \
            unsigned char *const own = s->buffer + k * nbytes;                \
            ((uint32_t *)(void *)own)[place % GROUP] = crd[i];                \
            if (has_values)                                                   \
                ((ctype *)(void *)(own + LINE_NBYTES))[place % GROUP] = v[i]; \
            if (place % GROUP == GROUP - 1)                                   \
                flush(s, k, place + 1);                                       \
        }                                                                     \
    } while (0)

void direct_streams_put(const direct_streams *s, const uint32_t *restrict stream,
                        const uint32_t *restrict crd, const unsigned char *values, size_t n)
{
    uint32_t *restrict next = s->next;
    const size_t nbytes = group_nbytes(s);
    if (s->to.width == 8)
        PUT(uint64_t, true);
    else if (s->to.width == 4)
        PUT(uint32_t, true);
    else
        PUT(uint8_t, false);
}

void direct_streams_end(const direct_streams *s)
{
    for (size_t k = 0; k < s->n; k++)
        if (s->next[k] > s->written[k])
            flush(s, k, s->next[k]);
    tsr_stream_end();
}
