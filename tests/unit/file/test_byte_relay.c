/* Relays: steps that two threads load and take by turns. */
#include "tsr_test.h"

#include "byte_relay.h"

typedef struct relayed {
    uint64_t load_fails, take_fails; /* at this unit; UINT64_MAX: never */
    uint64_t next;                   /* the unit to take next */
} relayed;

static tsr_status load_units(void *room, void *ctx, uint64_t first, uint64_t n, tsr_error *err)
{
    const relayed *const r = ctx;
    if (r->load_fails >= first && r->load_fails < first + n)
        return tsr_fail(err, TSR_CORRUPT, "loading fails");
    for (uint64_t i = 0; i < n; i++)
        ((uint32_t *)room)[i] = (uint32_t)(first + i);
    return TSR_OK;
}

static tsr_status take_units(void *ctx, const void *data, uint64_t first, uint64_t n, tsr_error *err)
{
    relayed *const r = ctx;
    if (r->take_fails >= first && r->take_fails < first + n)
        return tsr_fail(err, TSR_IO, "taking fails");
    for (uint64_t i = 0; i < n; i++)
        assert_int_equal(((const uint32_t *)data)[i], r->next++);
    return TSR_OK;
}

/* Every unit is loaded and taken once, in order; the first error ends it. */
static void test_relay(void **state)
{
    static const struct {
        uint64_t total, step, load_fails, take_fails;
        const char *message;
    } cases[] = {
        {0, 7, UINT64_MAX, UINT64_MAX, ""},       {5, 7, UINT64_MAX, UINT64_MAX, ""},
        {700, 7, UINT64_MAX, UINT64_MAX, ""},     {701, 7, UINT64_MAX, UINT64_MAX, ""},
        {700, 7, 0, UINT64_MAX, "loading fails"}, {700, 7, 699, UINT64_MAX, "loading fails"},
        {700, 7, UINT64_MAX, 0, "taking fails"},  {700, 7, 300, 293, "taking fails"},
        {700, 7, 300, 300, "loading fails"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int nthreads = 1; nthreads <= 2; nthreads++) {
            relayed r = {cases[i].load_fails, cases[i].take_fails, 0};
            tsr_error why = {0};
            const tsr_relay relay = {.total = cases[i].total,
                                     .step = cases[i].step,
                                     .unit_nbytes = sizeof(uint32_t),
                                     .nthreads = nthreads,
                                     .ctx = &r,
                                     .load = load_units,
                                     .take = take_units};
            const tsr_status status = tsr_relay_run(&relay, &why);
            assert_string_equal(why.message, cases[i].message);
            assert_int_equal(status == TSR_OK, cases[i].message[0] == '\0');
            if (status == TSR_OK)
                assert_int_equal(r.next, cases[i].total);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_relay)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
