/* direct_streams.h: entries in streams with any first places, put by several writers at a time, stand where a plain scatter puts
 * them, and nothing is written before, between or after their places. */
#include "tsr_test.h"

#include "direct_internal.h"

enum { NWRITERS = 2, MAX_STREAMS = 40, MAX_ENTRIES = 5000, BLOCK = 300 };

typedef struct entries {
    size_t n, nstreams;
    uint32_t stream[MAX_ENTRIES], crd[MAX_ENTRIES], place[MAX_ENTRIES];
    uint64_t value[MAX_ENTRIES];
    uint32_t begin[NWRITERS][MAX_STREAMS];
} entries;

/* Writer w has a half of the entries; its places in a stream follow those of the writer before. */
static void draw(entries *e, tsr_rng *rng)
{
    uint32_t next[MAX_STREAMS], at = (uint32_t)tsr_rng_below(rng, 20);
    e->n = tsr_rng_below(rng, MAX_ENTRIES);
    e->nstreams = 1 + tsr_rng_below(rng, MAX_STREAMS);
    for (size_t i = 0; i < e->n; i++) {
        e->stream[i] = (uint32_t)tsr_rng_below(rng, 1 + tsr_rng_below(rng, e->nstreams));
        e->crd[i] = (uint32_t)tsr_rng_below(rng, 1000);
        e->value[i] = tsr_rng_below(rng, 1000) + 1;
    }
    for (size_t k = 0; k < e->nstreams; k++) {
        next[k] = at;
        for (int w = 0; w < NWRITERS; w++) {
            e->begin[w][k] = at;
            for (size_t i = e->n * (size_t)w / NWRITERS; i < e->n * ((size_t)w + 1) / NWRITERS; i++)
                at += e->stream[i] == k;
        }
        at += (uint32_t)tsr_rng_below(rng, 3); /* a gap */
    }
    for (size_t i = 0; i < e->n; i++)
        e->place[i] = next[e->stream[i]]++;
}

static void put_all(const entries *e, direct_target to, const unsigned char *values)
{
    direct_streams s[NWRITERS];
    uint32_t next[NWRITERS][MAX_STREAMS];
    size_t at[NWRITERS], end[NWRITERS];
    memcpy(next, e->begin, sizeof next);
    for (int w = 0; w < NWRITERS; w++) {
        s[w] = (direct_streams){.to = to, .n = e->nstreams, .next = next[w]};
        assert_ok(direct_streams_init(&s[w], err));
        at[w] = e->n * (size_t)w / NWRITERS;
        end[w] = e->n * ((size_t)w + 1) / NWRITERS;
    }
    for (bool more = true; more;) {
        more = false;
        for (int w = 0; w < NWRITERS; w++) {
            const size_t n = end[w] - at[w] < BLOCK ? end[w] - at[w] : BLOCK;
            direct_streams_put(&s[w], e->stream + at[w], e->crd + at[w], values + at[w] * to.width, n);
            at[w] += n;
            more = more || n > 0;
        }
    }
    for (int w = NWRITERS - 1; w >= 0; w--) {
        direct_streams_end(&s[w]);
        direct_streams_clear(&s[w]);
    }
}

static void test_streams_are_scattered(void **state)
{
    (void)state;
    enum { NPLACES = MAX_ENTRIES + 200 };
    static const size_t widths[] = {8, 4, 0};
    static entries e;
    static uint32_t want[NPLACES];
    static unsigned char want_values[NPLACES * 8], values[MAX_ENTRIES * 8];
    tsr_rng rng = {91};
    tsr_array crd, got;
    assert_ok(tsr_array_init(&crd, NPLACES, 4, 0, "coordinates", err));
    assert_ok(tsr_array_init(&got, NPLACES, 8, 0, "values", err));
    for (int k = 0; k < 120; k++) {
        const size_t width = widths[k % 3];
        draw(&e, &rng);
        memset(want, 0xee, sizeof want);
        memset(want_values, 0xee, sizeof want_values);
        memset(crd.data, 0xee, sizeof want);
        memset(got.data, 0xee, sizeof want_values);
        for (size_t i = 0; i < e.n; i++) {
            memcpy(values + i * width, &e.value[i], width);
            want[e.place[i]] = e.crd[i];
            memcpy(want_values + e.place[i] * width, &e.value[i], width);
        }
        put_all(&e, (direct_target){crd.data, got.data, width, true}, values);
        assert_memory_equal(crd.data, want, sizeof want);
        assert_memory_equal(got.data, want_values, sizeof want_values);
    }
    tsr_array_clear(&crd);
    tsr_array_clear(&got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_streams_are_scattered)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
