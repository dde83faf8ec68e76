/* Arrays of numbers of one width: see tsr_array.h. */
#include "tsr_array.h"

#include <stdatomic.h>

#include "tsr_clones.h"
#include "tsr_parallel.h"
#include "tsr_tile.h"

enum { SURVEY_BLOCK = 255 }; /* elements whose falls fit any width */

#define LOAD(ctype)                                                     \
    do {                                                                \
        const ctype *restrict src = (const ctype *)array->data + first; \
        for (uint64_t i = 0; i < n; i++)                                \
            out[i] = src[i];                                            \
    } while (0)

#define STORE(ctype)                                        \
    do {                                                    \
        ctype *restrict dst = (ctype *)array->data + first; \
        for (uint64_t i = 0; i < n; i++)                    \
            dst[i] = (ctype)in[i];                          \
    } while (0)

TSR_CLONES void tsr_array_load(uint64_t *out, const tsr_array *array, uint64_t first, uint64_t n)
{
    switch (array->width) {
    case 1:
        LOAD(uint8_t);
        break;
    case 2:
        LOAD(uint16_t);
        break;
    case 4:
        LOAD(uint32_t);
        break;
    default:
        LOAD(uint64_t);
        break;
    }
}

TSR_CLONES void tsr_array_store(tsr_array *array, uint64_t first, const uint64_t *in, uint64_t n)
{
    switch (array->width) {
    case 1:
        STORE(uint8_t);
        break;
    case 2:
        STORE(uint16_t);
        break;
    case 4:
        STORE(uint32_t);
        break;
    default:
        STORE(uint64_t);
        break;
    }
}

typedef struct wide {
    uint64_t w[2];
} wide;

#define GATHER(ctype)                      \
    do {                                   \
        const ctype *restrict from = src;  \
        ctype *restrict to = dst;          \
        for (size_t k = 0; k < n; k++)     \
            to[k] = from[index[k] & mask]; \
    } while (0)

TSR_CLONES void tsr_array_gather(void *dst, const void *src, size_t width, const uint64_t *restrict index,
                                 uint64_t mask, size_t n)
{
    switch (width) {
    case 1:
        GATHER(uint8_t);
        break;
    case 2:
        GATHER(uint16_t);
        break;
    case 4:
        GATHER(uint32_t);
        break;
    case 8:
        GATHER(uint64_t);
        break;
    default:
        GATHER(wide);
        break;
    }
}

#define SCATTER(ctype)                    \
    do {                                  \
        const ctype *restrict from = src; \
        ctype *restrict to = dst;         \
        for (size_t k = 0; k < n; k++)    \
            to[index[k]] = from[k];       \
    } while (0)

TSR_CLONES void tsr_array_scatter(void *dst, const void *src, size_t width, const uint64_t *restrict index,
                                  size_t n)
{
    switch (width) {
    case 1:
        SCATTER(uint8_t);
        break;
    case 2:
        SCATTER(uint16_t);
        break;
    case 4:
        SCATTER(uint32_t);
        break;
    case 8:
        SCATTER(uint64_t);
        break;
    default:
        SCATTER(wide);
        break;
    }
}

size_t tsr_width_for(uint64_t max)
{
    return max <= UINT8_MAX ? 1 : max <= UINT16_MAX ? 2 : max <= UINT32_MAX ? 4 : 8;
}

enum { STEP = 1024 };

void tsr_array_copy(tsr_array *to, uint64_t at, const tsr_array *from, uint64_t first, uint64_t end)
{
    uint64_t block[STEP];
    if (to->width == from->width && first < end) {
        memcpy((char *)to->data + at * to->width, (const char *)from->data + first * from->width,
               (end - first) * to->width);
        return;
    }
    for (uint64_t n; first < end; first += n, at += n) {
        n = end - first < STEP ? end - first : STEP;
        tsr_array_load(block, from, first, n);
        tsr_array_store(to, at, block, n);
    }
}

typedef struct comparison {
    const tsr_array *a, *b;
    atomic_bool differs;
} comparison;

static void compare_share(void *arg, int t, int nthreads)
{
    comparison *const c = arg;
    const tsr_array *const a = c->a, *const b = c->b;
    const uint64_t end = tsr_cut(a->n, t + 1, nthreads);
    const size_t width = a->width;
    uint64_t x[STEP], y[STEP];
    enum { SAME_WIDTH = 1 << 16 };
    const uint64_t step = width == b->width ? SAME_WIDTH : STEP;
    bool same = true;
    for (uint64_t first = tsr_cut(a->n, t, nthreads), n; first < end && same; first += n) {
        n = end - first < step ? end - first : step;
        if (width == b->width) {
            same = memcmp((const char *)a->data + first * width, (const char *)b->data + first * width,
                          (size_t)n * width) == 0;
        } else {
            tsr_array_load(x, a, first, n);
            tsr_array_load(y, b, first, n);
            same = memcmp(x, y, (size_t)n * sizeof *x) == 0;
        }
        if (c->differs)
            return;
    }
    if (!same)
        c->differs = true;
}

bool tsr_array_equal(const tsr_array *a, const tsr_array *b, int nthreads)
{
    enum { EACH = 1 << 16 }; /* a further thread pays from this number of elements on */
    comparison c = {.a = a, .b = b};
    if (a->n != b->n || (a->data == b->data && a->width == b->width) || a->n == 0)
        return a->n == b->n;
    const int most = tsr_thread_count(nthreads);
    tsr_parallel(a->n / EACH < (uint64_t)most ? (int)(a->n / EACH) + 1 : most, compare_share, &c);
    return !c.differs;
}

/* Blocks, so that falls are counted in as many bits as elements have. */
#define SURVEY(ctype)                                                                \
    do {                                                                             \
        const ctype *restrict x = (const ctype *)array->data;                        \
        ctype most = 0;                                                              \
        for (uint64_t at = first; at < end;) {                                       \
            const uint64_t stop = end - at < SURVEY_BLOCK ? end : at + SURVEY_BLOCK; \
            ctype falls = at > first && x[at] <= x[at - 1];                          \
            most = x[at] > most ? x[at] : most;                                      \
            for (uint64_t i = at + 1; i < stop; i++) {                               \
                most = x[i] > most ? x[i] : most;                                    \
                falls = (ctype)(falls + (x[i] <= x[i - 1]));                         \
            }                                                                        \
            *nfalls += falls;                                                        \
            at = stop;                                                               \
        }                                                                            \
        *max = most;                                                                 \
    } while (0)

TSR_CLONES void tsr_array_survey(uint64_t *max, uint64_t *nfalls, const tsr_array *array, uint64_t first,
                                 uint64_t end)
{
    *nfalls = 0;
    switch (array->width) {
    case 1:
        SURVEY(uint8_t);
        break;
    case 2:
        SURVEY(uint16_t);
        break;
    case 4:
        SURVEY(uint32_t);
        break;
    default:
        SURVEY(uint64_t);
        break;
    }
}

uint64_t tsr_array_seek(const tsr_array *array, uint64_t lo, uint64_t hi, uint64_t v)
{
    while (lo < hi) {
        const uint64_t mid = lo + (hi - lo) / 2;
        if (tsr_array_get(array, mid) < v)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

typedef struct byte_copy {
    unsigned char *to;
    const unsigned char *from;
    uint64_t nbytes;
} byte_copy;

/* What the last cache does not hold is written past it: else each line of the copy is read, too. */
static void copy_bytes_share(void *arg, int t, int nthreads)
{
    enum { STREAMED_NBYTES = 16 << 20 };
    const byte_copy *const c = arg;
    const uint64_t first = tsr_cut(c->nbytes, t, nthreads), n = tsr_cut(c->nbytes, t + 1, nthreads) - first;
    if (c->nbytes < STREAMED_NBYTES) {
        memcpy(c->to + first, c->from + first, n);
        return;
    }
    tsr_stream_rows(c->to + first, 0, c->from + first, 0, 1, n);
    tsr_stream_end();
}

/* Put a copy of the first bytes of a borrowed array into a block for n elements of `width` bytes. */
static tsr_status copy_borrowed(tsr_array *array, uint64_t n, size_t width, int nthreads, const char *what,
                                tsr_error *err)
{
    enum { EACH_NBYTES = 1 << 20 }; /* a further thread pays from this number of bytes on */
    tsr_array own;
    TSR_TRY(tsr_array_init(&own, n, width, 0, what, err));
    const uint64_t have = tsr_array_nbytes(array), want = tsr_array_nbytes(&own);
    byte_copy c = {own.data, array->data, have < want ? have : want};
    const uint64_t most = c.nbytes / EACH_NBYTES + 1;
    if (have > 0)
        tsr_parallel(most < (uint64_t)nthreads ? (int)most : nthreads, copy_bytes_share, &c);
    *array = own;
    return TSR_OK;
}

tsr_status tsr_array_own(tsr_array *array, int nthreads, const char *what, tsr_error *err)
{
    return array->borrowed && array->data ? copy_borrowed(array, array->n, array->width, nthreads, what, err)
                                          : TSR_OK;
}

tsr_status tsr_array_resize(tsr_array *array, uint64_t n, size_t width, const char *what, tsr_error *err)
{
    if (array->borrowed)
        return copy_borrowed(array, n, width, 1, what, err);
    const bool shrinks = array->data && n <= array->n && width <= array->width;
    const tsr_status status = tsr_realloc_array(&array->data, n, width, what, shrinks ? NULL : err);
    if (status != TSR_OK && !shrinks)
        return status;
    array->n = n;
    array->width = width;
    return TSR_OK;
}

tsr_status tsr_array_set_width(tsr_array *array, size_t width, const char *what, tsr_error *err)
{
    const uint64_t n = array->n, nsteps = n / STEP + (n % STEP != 0);
    const bool grows = width > array->width;
    if (width == array->width)
        return TSR_OK;
    TSR_TRY(tsr_array_own(array, 1, what, err));
    tsr_array from = *array;
    if (grows)
        TSR_TRY(tsr_array_resize(array, n, width, what, err));
    from.data = array->data;
    array->width = width;
    for (uint64_t k = 0; k < nsteps;
         k++) { /* from the end where elements grow, so that none is overwritten */
        const uint64_t first = (grows ? nsteps - 1 - k : k) * STEP;
        tsr_array_copy(array, first, &from, first, n - first < STEP ? n : first + STEP);
    }
    return grows ? TSR_OK : tsr_array_resize(array, n, width, what, err);
}

tsr_status tsr_array_unwrap(tsr_array *array, const char *what, tsr_error *err)
{
    const size_t width = array->width;
    if (width == 8)
        return TSR_OK;
    TSR_TRY(tsr_array_set_width(array, 8, what, err));
    uint64_t *const x = array->data;
    for (uint64_t k = 1; k < array->n; k++) /* the element before is right, so the step is, too */
        x[k] = x[k - 1] + ((x[k] - x[k - 1]) & (UINT64_MAX >> (64 - 8 * width)));
    return TSR_OK;
}
