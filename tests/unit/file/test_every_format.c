/* From coordinates to a file and back, bit for bit, through every format there is room to try: all mode
 * orders and dense/compressed mixtures of orders 1 to 5, random ones of orders 6 to 16, and random blocks.
 * `slow` tries them all, else a sample. */
#include "oracle.h"
#include "tsr_test.h"

#include "tsr_codec.h"
#include "tsr_pack.h"

static bool slow;

/* Coordinates -> format -> file -> format -> coordinates. */
static void round_trip(const tsr_codec *codec, const char *text, const tsr_coo *coo)
{
    const char *path = tsr_test_path(tsr_test_tmp(), "format.h5");
    tsr_format *format = NULL;
    tsr_tensor *tensor = NULL;
    tsr_data data = {0};
    tsr_coo *back = NULL, *want = coo_copy(coo);
    assert_ok(tsr_format_parse(&format, text, coo->order, coo->dims, err));
    const tsr_pack_options options = {.nthreads = 1, .duplicates = TSR_DUP_ERROR};
    assert_ok(tsr_pack(&tensor, coo_copy(coo), format, &options, NULL, err));
    assert_ok(codec->write_tensor(path, tensor, NULL, NULL, err));
    assert_ok(codec->read(&data, path, NULL, err));
    assert_non_null(data.tensor);
    if (!tsr_format_equal(data.tensor->format, format))
        fail_msg("%s: reads back in another format", text);
    assert_ok(tsr_unpack(&back, data.tensor, 1, err));
    coo_sort(want, format);
    if (tsr_format_has_dense_leaf(format))
        coo_drop_fill(want);
    coo_must_equal(want, back, text);
    tsr_coo_free(want);
    tsr_coo_free(back);
    tsr_data_clear(&data);
    tsr_tensor_free(tensor);
    tsr_format_free(format);
}

static const tsr_codec *binsparse(void)
{
    const tsr_codec *codec = NULL;
    assert_ok(tsr_codec_by_name(&codec, "binsparse", err));
    return codec;
}

static void swap(int *a, int *b)
{
    const int t = *a;
    *a = *b;
    *b = t;
}

/* The next permutation in dictionary order; false after the last. */
static bool next_permutation(int *p, int n)
{
    int i = n - 2, j = n - 1;
    while (i >= 0 && p[i] > p[i + 1])
        i--;
    if (i < 0)
        return false;
    while (p[j] < p[i])
        j--;
    swap(&p[i], &p[j]);
    for (int a = i + 1, b = n - 1; a < b; a++, b--)
        swap(&p[a], &p[b]);
    return true;
}

static void short_text(char *text, int order, unsigned kinds, const int *modes)
{
    for (int l = 0; l < order; l++)
        *text++ = kinds >> l & 1 ? 's' : 'd';
    for (int l = 0; l < order; l++)
        text += sprintf(text, "%c%d", l ? ',' : ':', modes[l]);
}

static void test_all_of_orders_1_to_5(void **state)
{
    (void)state;
    static const uint64_t dims[] = {4, 3, 5, 2, 3};
    const tsr_codec *codec = binsparse();
    unsigned tried = 0;
    for (int order = 1; order <= 5; order++) {
        unsigned permutation = 0;
        tsr_rng rng = {(uint64_t)order};
        int modes[] = {0, 1, 2, 3, 4};
        do {
            for (unsigned kinds = 0; kinds < 1u << order; kinds++) {
                char text[64];
                short_text(text, order, kinds, modes);
                if (order > 3 && !slow && tsr_rng_below(&rng, 23))
                    continue;
                /* The order of modes and the types of levels are stored apart from each other: of order 5, each
                 * order of modes meets a fourth of the types, and all types in four of them. */
                if (order == 5 && slow && (kinds + permutation) % 4)
                    continue;
                tsr_coo *coo = coo_random(&rng, (tsr_shape){order, dims}, TSR_F64, 12, true, false);
                round_trip(codec, text, coo);
                tsr_coo_free(coo);
                tried++;
            }
            permutation++;
        } while (next_permutation(modes, order));
    }
    assert_true(slow ? tried == 2 + 2 * 4 + 6 * 8 + 24 * 16 + 120 * 8 : tried > 150);
}

static void test_random_of_orders_6_to_16(void **state)
{
    (void)state;
    const tsr_codec *codec = binsparse();
    tsr_rng rng = {616};
    for (int round = 0; round < (slow ? 1000 : 60); round++) {
        const int order = 6 + (int)tsr_rng_below(&rng, 11);
        uint64_t dims[TSR_MAX_ORDER], cells = 1;
        int modes[TSR_MAX_ORDER];
        unsigned kinds = 0;
        for (int m = 0; m < order; m++) {
            const uint64_t r = tsr_rng_below(&rng, (uint64_t)m + 1);
            modes[m] = modes[r];
            modes[r] = m;
        }
        for (int l = 0; l < order; l++) { /* dense levels are short, compressed ones as long as they like */
            const bool dense = tsr_rng_below(&rng, 2) && cells < 2000;
            dims[modes[l]] = dense ? 1 + tsr_rng_below(&rng, 3)
                                   : 1 + (tsr_rng_next(&rng) >> (2 + tsr_rng_below(&rng, 60)));
            cells *= dense ? dims[modes[l]] : 1;
            kinds |= dense ? 0 : 1u << l;
        }
        char text[128];
        short_text(text, order, kinds, modes);
        tsr_coo *coo = coo_random(&rng, (tsr_shape){order, dims}, TSR_I64, 20, true, false);
        round_trip(codec, text, coo);
        tsr_coo_free(coo);
    }
}

/* Every mode cut in two or three by random divisors; the pieces in random order, outer before inner, some
 * dense ones with a pitch. */
static void test_random_blocks(void **state)
{
    (void)state;
    const tsr_codec *codec = binsparse();
    tsr_rng rng = {7};
    for (int round = 0; round < (slow ? 1000 : 60); round++) {
        const int order = 1 + (int)tsr_rng_below(&rng, 4);
        uint64_t dims[4];
        int piece[4] = {0}, npieces[4], left = 0, a[4], b[4];
        char text[1024], *p = text;
        for (int m = 0; m < order; m++) {
            dims[m] = 1 + tsr_rng_below(&rng, 40);
            npieces[m] = 1 + (int)tsr_rng_below(&rng, 3);
            a[m] = 2 + (int)tsr_rng_below(&rng, 4);
            b[m] = 2 + (int)tsr_rng_below(&rng, 3);
            left += npieces[m];
        }
        p += sprintf(p, "(");
        for (int m = 0; m < order; m++)
            p += sprintf(p, "%sm%d", m ? ", " : "", m);
        p += sprintf(p, ") -> (");
        for (bool first = true; left > 0; first = false, left--) {
            int m = (int)tsr_rng_below(&rng, (uint64_t)order);
            while (piece[m] == npieces[m])
                m = (m + 1) % order;
            const int k = piece[m]++, n = npieces[m];
            uint64_t size = dims[m];
            p += sprintf(p, "%s", first ? "" : ", ");
            if (n == 1)
                p += sprintf(p, "m%d", m);
            else if (k == 0)
                p += sprintf(p, "m%d floordiv %d", m, n == 3 ? a[m] * b[m] : a[m]);
            else if (k == 1 && n == 3)
                p += sprintf(p, "(m%d floordiv %d) mod %d", m, a[m], b[m]);
            else
                p += sprintf(p, "m%d mod %d", m, a[m]);
            if (n > 1)
                size = k == 0 ? (size - 1) / (uint64_t)(n == 3 ? a[m] * b[m] : a[m]) + 1
                              : (uint64_t)(k == 1 && n == 3 ? b[m] : a[m]);
            if (tsr_rng_below(&rng, 2))
                p += sprintf(p, " : compressed");
            else if (tsr_rng_below(&rng, 3))
                p += sprintf(p, " : dense");
            else
                p += sprintf(p, " : dense(pitch = %d)", (int)(size + tsr_rng_below(&rng, 3)));
        }
        sprintf(p, ")");
        tsr_coo *coo = coo_random(&rng, (tsr_shape){order, dims}, TSR_F32, 25, true, false);
        round_trip(codec, text, coo);
        tsr_coo_free(coo);
    }
}

int main(int argc, char **argv)
{
    slow = argc > 1 && strcmp(argv[1], "slow") == 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_of_orders_1_to_5),
        cmocka_unit_test(test_random_of_orders_6_to_16),
        cmocka_unit_test(test_random_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
