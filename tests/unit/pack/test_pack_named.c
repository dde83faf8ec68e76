/* Every named format, with random parameters, modes and ragged sizes (empty ones too): what is packed passes
 * the deep check, and unpacks to the same entries. */
#include "random_format.h"
#include "tsr_test.h"

#include "tsr_alloc.h"
#include "tsr_pack.h"

enum { MAX_MODES = 4, MAX_ENTRIES = 60, ROUNDS = 25 };

/* name(params):modes, at random. */
static void random_text(tsr_text *text, const tsr_named_format *named, int order, tsr_rng *rng)
{
    tsr_text usage = {0}, summary = {0};
    tsr_named_format_describe(&usage, &summary, named);
    tsr_text_add(text, named->name);
    const char *params = strchr(usage.s, '(');
    const bool is_power = strcmp(named->name, "keys") == 0; /* of two: its boxes */
    for (const char *p = params; p; p = strchr(p + 1, ',')) {
        const int number = is_power ? 1 << tsr_rng_below(rng, 4) : 1 + (int)tsr_rng_below(rng, 6);
        tsr_text_addf(text, "%c%d", p == params ? '(' : ',', number);
    }
    tsr_text_add(text, params ? ")" : "");
    tsr_text_clear(&usage);
    tsr_text_clear(&summary);
    int modes[MAX_MODES] = {0, 1, 2, 3};
    for (int m = order - 1; m > 0; m--) {
        const int k = (int)tsr_rng_below(rng, (uint64_t)m + 1), t = modes[m];
        modes[m] = modes[k];
        modes[k] = t;
    }
    for (int m = 0; m < order; m++)
        tsr_text_addf(text, "%c%d", m ? ',' : ':', modes[m]);
}

/* Two copies of some random entries, no two at the same coordinates, in no order. */
static void random_entries(tsr_coo **a, tsr_coo **b, int order, const uint64_t *dims, tsr_rng *rng)
{
    uint64_t cells = 1;
    for (int m = 0; m < order; m++)
        cells *= dims[m];
    /* each cell is taken with a chance that is drawn anew, so that some tensors are full */
    const uint64_t chance = 1 + tsr_rng_below(rng, 4), most = cells < MAX_ENTRIES ? cells : MAX_ENTRIES;
    uint64_t taken[MAX_ENTRIES], n = 0;
    for (uint64_t cell = cells > MAX_ENTRIES ? tsr_rng_below(rng, cells - MAX_ENTRIES) : 0;
         cell < cells && n < most; cell++)
        if (order == 0 || tsr_rng_below(rng, 4) < chance)
            taken[n++] = cell;
    assert_ok(tsr_coo_new_sized(a, (tsr_shape){order, dims}, TSR_F64, false, n, err));
    assert_ok(tsr_coo_new_sized(b, (tsr_shape){order, dims}, TSR_F64, false, n, err));
    for (uint64_t e = 0; e < n; e++) {
        const uint64_t k = e + tsr_rng_below(rng, n - e);
        uint64_t cell = taken[k];
        taken[k] = taken[e];
        for (int m = 0; m < order; m++) {
            tsr_array_set(&(*a)->crd[m], e, cell % dims[m]);
            tsr_array_set(&(*b)->crd[m], e, cell % dims[m]);
            cell /= dims[m];
        }
        ((double *)(*a)->values.data)[e] = ((double *)(*b)->values.data)[e] = (double)(e + 1) / 8;
    }
}

static void round_trip(const char *text, int order, const uint64_t *dims, tsr_rng *rng)
{
    tsr_format *format = NULL;
    tsr_coo *given = NULL, *kept = NULL, *back = NULL;
    tsr_tensor *tensor = NULL;
    bool same = false;
    assert_ok(tsr_format_parse(&format, text, order, dims, err));
    random_entries(&given, &kept, order, dims, rng);
    const tsr_pack_options options = {.nthreads = 1,
                                      .index_width = tsr_rng_below(rng, 2) ? TSR_INDEX_NARROW : TSR_INDEX_64};
    assert_ok(tsr_pack(&tensor, given, format, &options, NULL, err));
    assert_ok(tsr_tensor_check(tensor, 1, err));
    assert_ok(tsr_unpack(&back, tensor, 1, err));
    assert_ok(tsr_coo_same(&same, kept, back, err));
    if (!same)
        fail_msg("%s: other entries come back", text);
    tsr_coo_free(kept);
    tsr_coo_free(back);
    tsr_tensor_free(tensor);
    tsr_format_free(format);
}

static void test_named_formats(void **state)
{
    (void)state;
    tsr_rng rng = {2026};
    for (const tsr_named_format *named = tsr_named_formats; named->name; named++) {
        int orders = 0;
        for (int order = 0; order <= MAX_MODES; order++) {
            const uint64_t some[MAX_MODES] = {2, 2, 2, 2};
            tsr_text text = {0};
            tsr_format *format = NULL;
            random_text(&text, named, order, &rng);
            const bool parses = tsr_format_parse(&format, tsr_text_cstr(&text), order, some, NULL) == TSR_OK;
            const bool fits = parses && !format_is_partial(format);
            orders += parses && !fits;
            tsr_format_free(format);
            tsr_text_clear(&text);
            orders += fits;
            for (int round = 0; fits && round < ROUNDS; round++) {
                uint64_t dims[MAX_MODES];
                for (int m = 0; m < order; m++)
                    dims[m] = tsr_rng_below(&rng, 12) == 0 ? 0 : 1 + tsr_rng_below(&rng, 13);
                random_text(&text, named, order, &rng);
                round_trip(tsr_text_cstr(&text), order, dims, &rng);
                tsr_text_clear(&text);
            }
        }
        assert_true(orders > 0);
    }
}

/* Long forms that no name covers: diagonals, redundant levels, three digits of a mode, shifted modes. */
static void test_long_forms(void **state)
{
    (void)state;
    static const char *const forms[] = {
        "(i, j) -> (j - i : compressed, i : compressed)",
        "(i, j) -> (j - i : compressed, i : dense)",
        "(i, j) -> (i + j : dense, j : compressed)",
        "(i, j) -> (i floordiv 2 : compressed, i : dense, j : dense)",
        "(i, j) -> (i floordiv 6 : dense, j : compressed, (i floordiv 2) mod 3 : dense, i mod 2 : "
        "compressed)",
        "(i, j) -> (i - 3 : compressed, j + 2 : dense)",
        "(i, j) -> (j floordiv 4 : compressed(nonunique), i floordiv 3 : singleton, j mod 4 : dense, i mod 3 "
        ": dense)",
    };
    tsr_rng rng = {4};
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++)
        for (int round = 0; round < 4 * ROUNDS; round++) {
            const uint64_t dims[] = {1 + tsr_rng_below(&rng, 15), 1 + tsr_rng_below(&rng, 15)};
            round_trip(forms[k], 2, dims, &rng);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_named_formats),
        cmocka_unit_test(test_long_forms),
    };
    return cmocka_run_group_tests_name("pack named", tests, NULL, NULL);
}
