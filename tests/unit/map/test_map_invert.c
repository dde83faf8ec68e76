/* Inversion: an inverse gives back every point of the domain; a map without inverse gives the reason. */
#include "tsr_test.h"

#include <inttypes.h>

#include "map_oracle.h"
#include "tsr_alloc.h"
#include "tsr_map.h"

/* inverse: canonical text, or NULL to check values only. */
static const struct {
    const char *map, *inverse;
} good[] = {
    {"() -> ()", "() -> ()"},
    {"(i) -> (i), domain: i in [0, 6]", "(d0) -> (d0), domain: d0 in [0, 6]"},
    {"(i, j, k) -> (k, i, j), domain: i in [0, 3], j in [0, 4], k in [0, 5]",
     "(d0, d1, d2) -> (d1, d2, d0), domain: d0 in [0, 5], d1 in [0, 3], d2 in [0, 4]"},
    {"(i) -> (-i + 8), domain: i in [0, 8]", "(d0) -> (-d0 + 8), domain: d0 in [0, 8]"},
    {"(i) -> (i * 7 + 3), domain: i in [0, 8]", "(d0) -> ((d0 - 3) floordiv 7), domain: d0 in [3, 59]"},
    {"(i) -> (i * -7 + 3), domain: i in [0, 8]", NULL},
    /* blocks, with ragged edges */
    {"(i, j) -> (i floordiv 2, j floordiv 3, i mod 2, j mod 3), domain: i in [0, 6], j in [0, 10]",
     "(d0, d1, d2, d3) -> (d0 * 2 + d2, d1 * 3 + d3), domain: d0 in [0, 3], d1 in [0, 3], d2 in [0, 1], d3 "
     "in [0, 2]"},
    {"(i, j, k) -> (i floordiv 4, j floordiv 4, k floordiv 4, i mod 4, j mod 4, k mod 4), domain: i in [0, "
     "8], j in "
     "[0, 3], k in [0, 4]",
     NULL},
    {"(i) -> (i floordiv 2, i mod 2)", NULL}, /* needs no bounds */
    /* redundant digits (Chou'20) */
    {"(i, j) -> (i floordiv 3, j floordiv 2, i, j), domain: i in [0, 6], j in [0, 6]", NULL},
    {"(i, j) -> (i, j, i floordiv 3, j floordiv 2, i mod 3), domain: i in [0, 6], j in [0, 6]", NULL},
    /* more than two digits, in several spellings */
    {"(i) -> (i floordiv 12, (i floordiv 3) mod 4, i mod 3), domain: i in [0, 99]",
     "(d0, d1, d2) -> (d0 * 12 + d1 * 3 + d2), domain: d0 in [0, 8], d1 in [0, 3], d2 in [0, 2]"},
    {"(i) -> (i floordiv 12, (i mod 12) floordiv 3, i mod 3), domain: i in [0, 99]", NULL},
    {"(i) -> ((i floordiv 4) floordiv 3, (i floordiv 4) mod 3, i mod 4), domain: i in [0, 99]", NULL},
    {"(i) -> (i floordiv 10, (i mod 10) floordiv 3, (i mod 10) mod 3), domain: i in [0, 99]", NULL},
    {"(i) -> (i mod 8), domain: i in [0, 7]", NULL},
    {"(i) -> (i mod 8), domain: i in [16, 22]", NULL},
    {"(i) -> (i mod 8, i floordiv 8), domain: i in [-30, 30]", NULL},
    {"(i) -> (i mod 4, (i floordiv 4) mod 3), domain: i in [0, 11]", NULL},
    {"(i) -> (i floordiv 2, i mod 4), domain: i in [0, 30]", NULL}, /* digits that overlap */
    {"(i) -> ((i floordiv 4) mod 2, i floordiv 8, i mod 2, i mod 4), domain: i in [0, 99]", NULL},
    /* linearised */
    {"(i, j) -> (i * 5 + j), domain: i in [0, 3], j in [0, 4]",
     "(d0) -> (d0 floordiv 5, d0 mod 5), domain: d0 in [0, 19]"},
    {"(i, j, k) -> (i * 20 + j * 4 + k), domain: i in [0, 6], j in [0, 4], k in [0, 3]",
     "(d0) -> (d0 floordiv 20, (d0 floordiv 4) mod 5, d0 mod 4), domain: d0 in [0, 139]"},
    {"(i, j, k) -> (k * 40 + i + j * 8), domain: i in [0, 6], j in [0, 4], k in [0, 3]", NULL},
    {"(i, j, k) -> (i * 23 + j * 5 + k), domain: i in [0, 6], j in [0, 3], k in [0, 3]",
     NULL}, /* with gaps */
    {"(i, j) -> (i * 5 - j), domain: i in [0, 3], j in [0, 4]", NULL},
    {"(i, j) -> (-i * 5 - j), domain: i in [-2, 3], j in [-4, 0]", NULL},
    {"(i, j) -> (i * 5 + j + 7), domain: i in [-2, 3], j in [-4, 0]", NULL},
    {"(i, j) -> (i * 10 + j * 2), domain: i in [0, 3], j in [0, 4]", NULL},
    /* stars, then tiles: what is blocked is itself a sum */
    {"(i, j) -> ((i * 5 + j) floordiv 8, (i * 5 + j) mod 8), domain: i in [0, 6], j in [0, 4]", NULL},
    {"(i, j, k) -> (k, (i * 5 + j) floordiv 3, (i * 5 + j) mod 3), domain: i in [0, 6], j in [0, 4], k in "
     "[0, 2]",
     NULL},
    {"(i, j) -> ((i floordiv 2) * 6 + j floordiv 3, (i mod 2) * 3 + j mod 3), domain: i in [0, 6], j in [0, "
     "16]",
     NULL},
    /* diagonals and skews */
    {"(i, j) -> (j - i, i), domain: i in [0, 3], j in [0, 4]",
     "(d0, d1) -> (d1, d0 + d1), domain: d0 in [-3, 4], d1 in [0, 3]"},
    {"(i, j) -> (j - i, j), domain: i in [0, 3], j in [0, 4]", NULL},
    {"(i, j) -> (i + j, i), domain: i in [0, 3], j in [0, 4]", NULL},
    {"(i, j) -> ((j - i) floordiv 2, i, (j - i) mod 2), domain: i in [0, 3], j in [0, 4]", NULL},
    {"(i, j) -> (j - 2 * i, i floordiv 2, i mod 2), domain: i in [0, 5], j in [0, 4]", NULL},
    {"(i, j) -> (i + 2 * (j floordiv 2), j, i mod 2), domain: i in [0, 5], j in [0, 4]", NULL},
    /* dims of size one, and no dims */
    {"(i, j) -> (j), domain: i in [3, 3], j in [0, 4]", "(d0) -> (3, d0), domain: d0 in [0, 4]"},
    {"(i, j) -> (j), domain: i in [0, -1], j in [0, 4]", NULL},
    /* a known digit from a constraint */
    {"(i) -> (i floordiv 7), domain: i in [3, 38], i mod 7 in [3, 3]", NULL},
    {"(i, j) -> (i floordiv 2, j), domain: i in [0, 9], j in [0, 9], i mod 2 - j mod 2 in [0, 0]", NULL},
    /* sizes at the edge of 64 bits */
    {"(i, j) -> (i * 2147483648 + j), domain: i in [0, 4294967294], j in [0, 2147483647]", NULL},
    {"(i) -> (i floordiv 4611686018427387904, i mod 4611686018427387904), domain: i in [0, "
     "9223372036854775806]",
     NULL},
};

static void check_inverse(const char *text, const tsr_map *map, const tsr_map *inverse)
{
    map_oracle oracle;
    map_box box;
    int64_t y[64], back[64];
    map_oracle_read(&oracle, text);
    map_box_init(&box, &oracle, 100000);
    while (map_box_next(&box)) {
        if (!map_oracle_inside(&oracle, box.x))
            continue;
        assert_ok(tsr_map_eval(y, map, box.x, err));
        assert_ok(tsr_map_eval(back, inverse, y, err));
        for (int v = 0; v < box.n; v++)
            if (back[v] != box.x[v])
                fail_msg("%s: dim %d of %" PRId64 " comes back as %" PRId64, text, v, box.x[v], back[v]);
    }
}

static void test_inverse_gives_back_every_point(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        tsr_map *map, *inverse;
        tsr_error err;
        assert_int_equal(tsr_map_parse(&map, good[i].map, &err), TSR_OK);
        if (tsr_map_invert(&inverse, map, &err) != TSR_OK)
            fail_msg("%s: %s", good[i].map, err.message);
        if (good[i].inverse) {
            tsr_text text = {0};
            tsr_map_print(&text, inverse);
            assert_string_equal(tsr_text_cstr(&text), good[i].inverse);
            tsr_text_clear(&text);
        }
        check_inverse(good[i].map, map, inverse);
        tsr_map_free(map);
        tsr_map_free(inverse);
    }
}

/* Tiled layouts as maps: ragged edges, merged dims (stars), tiles of tiles. */
static const struct {
    const char *map;
    int64_t sizes[8]; /* of the levels, 0 at the end */
} tilings[] = {
    /* [3,5] T(2,2) */
    {"(d0, d1) -> (d0 floordiv 2, d1 floordiv 2, d0 mod 2, d1 mod 2), domain: d0 in [0, 2], d1 in [0, 4]",
     {2, 3, 2, 2}},
    /* [2,7,8,11,10] T(*,*,2,*,3) */
    {"(d0, d1, d2, d3, d4) -> (((d0 * 7 + d1) * 8 + d2) floordiv 2, (d3 * 10 + d4) floordiv 3, ((d0 * 7 + "
     "d1) * 8 + d2) "
     "mod 2, (d3 * 10 + d4) mod 3), domain: d0 in [0, 1], d1 in [0, 6], d2 in [0, 7], d3 in [0, 10], d4 in "
     "[0, 9]",
     {56, 37, 2, 3}},
    /* [3,4,5,6] T(*,4,*,8)(2,4) */
    {"(d0, d1, d2, d3) -> ((d0 * 4 + d1) floordiv 4, (d2 * 6 + d3) floordiv 8, ((d0 * 4 + d1) mod 4) "
     "floordiv 2, ((d2 * 6 "
     "+ d3) mod 8) floordiv 4, ((d0 * 4 + d1) mod 4) mod 2, ((d2 * 6 + d3) mod 8) mod 4), domain: d0 in [0, "
     "2], d1 in [0, "
     "3], d2 in [0, 4], d3 in [0, 5]",
     {3, 4, 2, 2, 2, 4}},
    /* [4,6] T(2,3)(2,1,1) */
    {"(d0, d1) -> (d0 floordiv 2, (d1 floordiv 3) floordiv 2, (d0 mod 2) floordiv 1, (d1 mod 3) floordiv 1, "
     "(d1 floordiv "
     "3) mod 2, (d0 mod 2) mod 1, (d1 mod 3) mod 1), domain: d0 in [0, 3], d1 in [0, 5]",
     {2, 1, 2, 3, 2, 1, 1}},
};

static void test_tilings(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof tilings / sizeof tilings[0]; i++) {
        tsr_map *map, *inverse;
        assert_ok(tsr_map_parse(&map, tilings[i].map, err));
        for (int r = 0; r < tsr_map_nresults(map); r++) {
            const tsr_interval level = tsr_map_level_bounds(map, r);
            assert_int_equal(level.lo, 0);
            assert_int_equal(level.hi + 1, tilings[i].sizes[r]);
        }
        assert_ok(tsr_map_invert(&inverse, map, err));
        check_inverse(tilings[i].map, map, inverse);
        tsr_map_free(map);
        tsr_map_free(inverse);
    }
}

static const struct {
    const char *map, *part;
} bad[] = {
    {"(i) -> (i floordiv 3, i mod 2), domain: i in [0, 9]",
     "results `i floordiv 3` and `i mod 2` do not give back i"},
    {"(i) -> (i floordiv 2), domain: i in [0, 9]", "result `i floordiv 2` does not give back i"},
    {"(i) -> (i mod 8), domain: i in [0, 8]", "does not give back i"},
    {"(i) -> (i mod 8)", "does not give back i, since the size of that dim is unknown"},
    {"(i, j) -> (i), domain: i in [0, 9], j in [0, 9]", "no result contains j"},
    {"(i, j) -> (i + j), domain: i in [0, 9], j in [0, 9]", "result `i + j` does not give back i"},
    {"(i, j) -> (i * 9 + j), domain: i in [0, 9], j in [0, 9]", "does not give back i"},
    {"(i, j) -> (i * 9 + j), domain: i in [0, 9]", "does not give back i"},
    {"(i, j) -> (j - i, i floordiv 2), domain: i in [0, 9], j in [0, 9]",
     "results `-i + j` and `i floordiv 2`"},
    {"(i) -> (i floordiv 12, i mod 3), domain: i in [0, 99]", "do not give back i"},
    {"(i) -> (i floordiv 4, i floordiv 2), domain: i in [0, 99]", "do not give back i"},
    {"(i, j) -> ((i + j) floordiv 2, (i + j) mod 2), domain: i in [0, 9], j in [0, 9]", "do not give back i"},
    {"(row) -> (row floordiv 2), domain: row in [0, 9]", "`row floordiv 2`"},
    {"(i)[s] -> (i)", "symbols"},
};

static void test_what_does_not_invert_says_why(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        tsr_map *map, *inverse;
        tsr_error err = {0};
        assert_int_equal(tsr_map_parse(&map, bad[i].map, &err), TSR_OK);
        assert_int_equal(tsr_map_invert(&inverse, map, &err), TSR_UNSUPPORTED);
        assert_null(inverse);
        if (!strstr(err.message, bad[i].part))
            fail_msg("%s: %s", bad[i].map, err.message);
        tsr_map_free(map);
    }
}

/* The indexing maps of published operations: most of those without symbols have inverses. */
static void test_published_maps(void **state)
{
    (void)state;
    if (!tsr_test_shared())
        skip();
    char *file = tsr_test_slurp(tsr_test_path(tsr_test_shared(), "cases/xla-indexing-cases.tsv"), NULL);
    int nparsed = 0, nsymbols = 0, ninverted = 0, nrefused = 0;
    for (char *line = strchr(file, '\n') + 1, *next; *line; line = next) {
        next = line + strcspn(line, "\n");
        if (*next)
            *next++ = '\0';
        char *text = line;
        for (int f = 0; f < 9 && text; f++) {
            text = strchr(text, '\t');
            text += text != NULL;
        }
        if (!text)
            continue;
        text[strcspn(text, "\t")] = '\0';
        tsr_map *map, *inverse;
        tsr_error err = {0};
        if (tsr_map_parse(&map, text, &err) != TSR_OK) {
            if (getenv("TSR_VERBOSE"))
                print_message("%.5s: %s: %s\n", line, text, err.message);
            continue;
        }
        nparsed++;
        if (tsr_map_nvars(map) > tsr_map_ndims(map)) {
            nsymbols++;
        } else if (tsr_map_invert(&inverse, map, &err) == TSR_OK) {
            check_inverse(text, map, inverse);
            tsr_map_free(inverse);
            ninverted++;
        } else {
            nrefused++;
            if (getenv("TSR_VERBOSE"))
                print_message("%.5s: %s: %s\n", line, text, err.message);
        }
        tsr_map_free(map);
    }
    print_message("%d published maps: %d have symbols, %d inverted, %d refused\n", nparsed, nsymbols,
                  ninverted, nrefused);
    assert_true(ninverted >= 95);
    free(file);
}

#ifdef TSR_FAULTS
static void test_memory_running_out_while_inverting(void **state)
{
    (void)state;
    tsr_map *map;
    assert_ok(tsr_map_parse(
        &map,
        "(i, j, k, l) -> (i floordiv 12, (i floordiv 3) mod 4, i mod 3, j * 40 + k, l - j), domain: "
        "i in [0, 99], j in [0, 9], k in [0, 39], l in [0, 9]",
        err));
    tsr_faults faults = {0};
    while (tsr_faults_next(&faults)) {
        tsr_map *inverse;
        tsr_faults_arm(&faults);
        const tsr_status status = tsr_map_invert(&inverse, map, NULL);
        tsr_faults_end(&faults, status);
        tsr_map_free(inverse);
    }
    assert_true(faults.n > 5);
    tsr_map_free(map);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inverse_gives_back_every_point),     cmocka_unit_test(test_tilings),
        cmocka_unit_test(test_what_does_not_invert_says_why),      cmocka_unit_test(test_published_maps),
#ifdef TSR_FAULTS
        cmocka_unit_test(test_memory_running_out_while_inverting),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
