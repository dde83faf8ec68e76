/* The deep check: hand-built tensors pass, and every way of damaging one is refused or leaves a tensor that a
 * slow check of the definition finds sound. Its sentences are in test_tensor_cases.c. */
#include "given.h"
#include "tsr_alloc.h"
#include "tsr_test.h"

/* ---- the definition, slowly ---- */

/* Storage coordinates of position p of level l into c[0..l]. The arrays were tested to be walkable. */
static void coordinates_of(uint64_t *c, const tsr_tensor *t, int l, uint64_t p)
{
    for (; l >= 0; l--) {
        const tsr_level *level = &t->levels[l];
        if (level->type == &tsr_level_dense) {
            c[l] = p % level->pitch;
            p /= level->pitch;
            continue;
        }
        c[l] = tsr_array_get(&level->crd, p);
        if (level->type == &tsr_level_singleton)
            continue;
        uint64_t parent = 0;
        while (tsr_array_get(&level->pos, parent + 1) <= p)
            parent++;
        p = parent;
    }
}

static int compare(const uint64_t *a, const uint64_t *b, int n)
{
    for (int k = 0; k < n; k++)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}

/* True when some coordinates of the tensor are stored at the storage coordinates c; in[] gets them. */
static bool has_source(uint64_t *in, const tsr_tensor *t, const int64_t *base, const uint64_t *c)
{
    uint64_t total = 1;
    for (int m = 0; m < t->order; m++)
        total *= t->dims[m];
    for (uint64_t k = 0; k < total; k++) {
        int64_t d[3], s[GIVEN_MAX_NLEVELS];
        uint64_t rest = k;
        bool hit = true;
        for (int m = 0; m < t->order; m++) {
            in[m] = rest % t->dims[m];
            d[m] = (int64_t)in[m];
            rest /= t->dims[m];
        }
        assert_int_equal(tsr_map_eval(s, t->format->map, d, NULL), TSR_OK);
        for (int l = 0; l < t->nlevels; l++)
            hit = hit && s[l] - base[l] == (int64_t)c[l];
        if (hit)
            return true;
    }
    return false;
}

static bool walkable(const tsr_tensor *t)
{
    for (int l = 0; l < t->nlevels; l++) {
        const tsr_level *level = &t->levels[l];
        for (uint64_t k = 0; level->crd.data && k < level->crd.n; k++)
            if (tsr_array_get(&level->crd, k) >= level->size)
                return false;
        if (!level->pos.data)
            continue;
        if (tsr_array_get(&level->pos, 0) != 0 || tsr_array_get(&level->pos, level->nparents) != level->npos)
            return false;
        for (uint64_t k = 0; k < level->nparents; k++)
            if (tsr_array_get(&level->pos, k) > tsr_array_get(&level->pos, k + 1))
                return false;
    }
    return true;
}

/* Lengths are not damaged where this is asked. */
static bool is_sound(const tsr_tensor *t)
{
    if (!walkable(t))
        return false;
    uint64_t c[GIVEN_MAX_NLEVELS], before[GIVEN_MAX_NLEVELS], d[3];
    for (int l = 0; l < t->nlevels; l++) {
        const uint8_t cut = tsr_format_cut(t->format, l);
        if (cut != l && cut != UINT8_MAX)
            continue; /* inside a group: tuples end further down */
        for (uint64_t p = 0; p < t->levels[l].npos; p++) {
            coordinates_of(c, t, l, p);
            if (p > 0 && compare(before, c, l + 1) >= (cut == UINT8_MAX && l == t->nlevels - 1 ? 1 : 0) &&
                !(cut == UINT8_MAX && l < t->nlevels - 1))
                return false;
            memcpy(before, c, sizeof c);
        }
    }
    tsr_binding *binding = NULL;
    assert_ok(tsr_binding_new(&binding, t->format, t->dims, err));
    int64_t base[TSR_MAX_LEVELS];
    memcpy(base, binding->base, sizeof base);
    tsr_binding_free(binding);
    for (uint64_t p = 0; p < t->npos; p++) {
        const double v = t->type == TSR_F64 ? ((double *)t->values.data)[t->iso ? 0 : p] : 1;
        if (tsr_format_has_dense_leaf(t->format) && memcmp(&v, t->fill, sizeof v) == 0)
            continue;
        coordinates_of(c, t, t->nlevels - 1, p);
        if (!has_source(d, t, base, c))
            return false;
        if (t->structure != TSR_GENERAL && (t->structure % 2 ? d[0] < d[1] : d[0] > d[1]))
            return false;
    }
    return true;
}

/* ---- sound tensors ---- */

static const given givens[] = {
    {"scalar", 0, {0}, {NONE}, {NONE}, 1, {7}, GIVEN_PLAIN},
    {"s", 1, {9}, {{2, {0, 3}}}, {{3, {1, 5, 8}}}, 3, {1, 2, 3}, GIVEN_PLAIN},
    {"s", 1, {0}, {{2, {0, 0}}}, {{0, {0}}}, 0, {0}, GIVEN_PLAIN},
    {"coodup", 1, {9}, {{2, {0, 4}}}, {{4, {1, 1, 5, 5}}}, 4, {1, 2, 3, 4}, GIVEN_PLAIN},
    {"csr",
     2,
     {4, 5},
     {NONE, {5, {0, 2, 2, 5, 6}}},
     {NONE, {6, {0, 4, 1, 2, 3, 0}}},
     6,
     {1, 2, 3, 4, 5, 6},
     GIVEN_PLAIN},
    {"csc",
     2,
     {4, 5},
     {NONE, {6, {0, 2, 3, 3, 4, 4}}},
     {NONE, {4, {0, 3, 1, 2}}},
     1,
     {1},
     TSR_GENERAL,
     true,
     TSR_PATTERN,
     0},
    {"csr", 2, {0, 5}, {NONE, {1, {0}}}, {NONE, {0, {0}}}, 0, {0}, GIVEN_PLAIN},
    {"csr",
     2,
     {4, 4},
     {NONE, {5, {0, 1, 2, 4, 5}}},
     {NONE, {5, {0, 1, 0, 2, 2}}},
     5,
     {1, 2, 3, 4, 5},
     TSR_SYMMETRIC_LOWER,
     false,
     TSR_F64,
     0},
    {"dcsr",
     2,
     {6, 5},
     {{2, {0, 2}}, {3, {0, 1, 3}}},
     {{2, {1, 4}}, {3, {4, 0, 2}}},
     3,
     {1, 2, 3},
     GIVEN_PLAIN},
    {"crow", 2, {6, 3}, {{2, {0, 2}}}, {{2, {1, 4}}}, 6, {1, 0, 2, 0, 3, 0}, GIVEN_PLAIN},
    {"dd", 2, {3, 3}, {NONE}, {NONE}, 9, {1, 2, 3, 0, 5, 6, 0, 0, 7}, TSR_SYMMETRIC_UPPER, false, TSR_F64, 0},
    {"dd", 2, {2, 3}, {NONE}, {NONE}, 6, {1, 0, 1, 0, 0, 1}, TSR_GENERAL, false, TSR_PATTERN, 0},
    {"csf",
     3,
     {3, 4, 5},
     {{2, {0, 2}}, {3, {0, 2, 3}}, {4, {0, 2, 3, 5}}},
     {{2, {0, 2}}, {3, {1, 3, 1}}, {5, {0, 4, 2, 1, 3}}},
     5,
     {1, 2, 3, 4, 5},
     GIVEN_PLAIN},
    {"csf:2,0,1",
     3,
     {4, 5, 3},
     {{2, {0, 2}}, {3, {0, 2, 3}}, {4, {0, 2, 3, 5}}},
     {{2, {0, 2}}, {3, {1, 3, 1}}, {5, {0, 4, 2, 1, 3}}},
     5,
     {1, 2, 3, 4, 5},
     GIVEN_PLAIN},
    {"coo",
     2,
     {4, 5},
     {{2, {0, 5}}},
     {{5, {0, 0, 2, 2, 3}}, {5, {1, 4, 0, 3, 0}}},
     5,
     {1, 2, 3, 4, 5},
     GIVEN_PLAIN},
    {"coo",
     3,
     {4, 5, 3},
     {{2, {0, 5}}},
     {{5, {0, 0, 0, 2, 3}}, {5, {1, 1, 4, 3, 0}}, {5, {0, 2, 0, 1, 2}}},
     5,
     {1, 2, 3, 4, 5},
     GIVEN_PLAIN},
    {"coodup",
     2,
     {4, 5},
     {{2, {0, 5}}},
     {{5, {0, 0, 2, 2, 3}}, {5, {1, 1, 0, 3, 0}}},
     5,
     {1, 2, 3, 4, 5},
     GIVEN_PLAIN},
    {"duq",
     3,
     {3, 4, 5},
     {NONE, {4, {0, 2, 2, 5}}},
     {NONE, {5, {1, 1, 0, 0, 3}}, {5, {0, 4, 2, 3, 1}}},
     5,
     {1, 2, 3, 4, 5},
     GIVEN_PLAIN},
    {"sq", 2, {4, 5}, {{2, {0, 3}}}, {{3, {0, 2, 3}}, {3, {4, 4, 0}}}, 3, {1, 2, 3}, GIVEN_PLAIN},
    /* 5 x 5 in blocks of 2 x 3: the last row of blocks has one row, the last column two columns */
    {"bcsr(2,3)",
     2,
     {5, 5},
     {NONE, {4, {0, 1, 2, 3}}},
     {NONE, {3, {0, 1, 1}}},
     18,
     {1, 2, 0, 0, 0, 3, 4, 5, 0, 0, 6, 0, 7, 8, 0, 0, 0, 0},
     GIVEN_PLAIN},
    {"bcsr(2,3)",
     2,
     {5, 5},
     {NONE, {4, {0, 0, 1, 2}}},
     {NONE, {2, {1, 1}}},
     12,
     {4, 5, 9, 9, 6, 9, 7, 8, 9, 9, 9, 9},
     TSR_GENERAL,
     false,
     TSR_F64,
     9},
    {"hicoo(4)",
     2,
     {6, 6},
     {{2, {0, 3}}, NONE, {4, {0, 2, 3, 5}}},
     {{3, {0, 0, 1}}, {3, {0, 1, 1}}, {5, {0, 3, 2, 0, 1}}, {5, {3, 0, 1, 0, 1}}},
     5,
     {1, 2, 3, 4, 5},
     GIVEN_PLAIN},
    {"(i, j) -> (j - i : compressed, i : compressed)",
     2,
     {3, 4},
     {{2, {0, 2}}, {3, {0, 2, 3}}},
     {{2, {1, 5}}, {3, {1, 2, 0}}},
     3,
     {1, 2, 3},
     GIVEN_PLAIN},
    /* pitches: of the last level, of the first, of blocks, of a level over sparse ones */
    {"(i, j) -> (i : dense, j : dense(pitch = 4))",
     2,
     {2, 3},
     {NONE},
     {NONE},
     8,
     {1, 2, 3, 0, 4, 0, 6, 0},
     GIVEN_PLAIN},
    {"(i, j) -> (j : dense(pitch = 4), i : dense(pitch = 3))",
     2,
     {3, 3},
     {NONE},
     {NONE},
     12,
     {1, 2, 3, 9, 5, 6, 9, 9, 7, 9, 9, 9},
     TSR_SYMMETRIC_LOWER,
     false,
     TSR_F64,
     9},
    {"(i, j) -> (i floordiv 2 : dense(pitch = 3), j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : "
     "dense(pitch = 3))",
     2,
     {3, 3},
     {NONE, {4, {0, 1, 2, 2}}},
     {NONE, {2, {0, 1}}},
     12,
     {1, 2, 0, 3, 4, 0, 5, 0, 0, 0, 0, 0},
     GIVEN_PLAIN},
    {"(i, j) -> (i : dense(pitch = 6), j : compressed)",
     2,
     {4, 5},
     {NONE, {7, {0, 2, 2, 5, 6, 6, 6}}},
     {NONE, {6, {0, 4, 1, 2, 3, 0}}},
     6,
     {1, 2, 3, 4, 5, 6},
     GIVEN_PLAIN},
    {"(i, j) -> (j - i : dense(pitch = 7), i : dense)",
     2,
     {2, 3},
     {NONE},
     {NONE},
     14,
     {0, 4, 1, 5, 2, 6, 3, 0, 0, 0, 0, 0, 0, 0},
     GIVEN_PLAIN},
};
enum { NGIVENS = sizeof givens / sizeof *givens };

static void test_sound_tensors_pass(void **state)
{
    (void)state;
    for (int k = 0; k < NGIVENS; k++)
        for (size_t width = 1; width <= 8; width *= 2) {
            tsr_tensor *t = given_build(&givens[k], width);
            tsr_error why = {0};
            if (tsr_tensor_check(t, 2, &why) != TSR_OK)
                fail_msg("%s (number %d): %s", givens[k].format, k, why.message);
            assert_true(is_sound(t));
            uint64_t nbytes = t->values.n * t->values.width;
            for (int l = 0; l < t->nlevels; l++)
                nbytes += (t->levels[l].pos.n + t->levels[l].crd.n) * width;
            assert_int_equal(tsr_tensor_nbytes(t), nbytes);
            tsr_tensor_free(t);
        }
}

/* ---- damage ---- */

static int nrefused, nsound;

/* Entry k of `array` becomes v: refused, or sound. */
static void damage_entry(tsr_tensor *t, tsr_array *array, uint64_t k, uint64_t v, const char *format)
{
    const uint64_t keep = tsr_array_get(array, k);
    if (array->width < 8 && v >> (8 * array->width))
        return;
    tsr_array_set(array, k, v);
    tsr_error why = {0};
    const tsr_status status = tsr_tensor_check(t, 2, &why);
    const bool sound = is_sound(t);
    if (status != (sound ? TSR_OK : TSR_CORRUPT))
        fail_msg("%s: entry %d becomes %d: status %d (%s), but it is %s", format, (int)k, (int)v, (int)status,
                 why.message, sound ? "sound" : "unsound");
    nrefused += !sound;
    nsound += sound && v != keep;
    tsr_array_set(array, k, keep);
}

static void test_damaged_entries(void **state)
{
    (void)state;
    nrefused = nsound = 0;
    for (int g = 0; g < NGIVENS; g++)
        for (size_t width = 1; width <= 8; width *= 8) {
            tsr_tensor *t = given_build(&givens[g], width);
            for (int l = 0; l < t->nlevels; l++) {
                tsr_array *const arrays[] = {&t->levels[l].pos, &t->levels[l].crd};
                for (int a = 0; a < 2; a++)
                    for (uint64_t k = 0; arrays[a]->data && k < arrays[a]->n; k++) {
                        for (uint64_t v = 0; v < 9; v++)
                            damage_entry(t, arrays[a], k, v, givens[g].format);
                        damage_entry(t, arrays[a], k, 255, givens[g].format);
                        damage_entry(t, arrays[a], k, UINT64_MAX, givens[g].format);
                        damage_entry(t, arrays[a], k, UINT64_C(1) << 32, givens[g].format);
                    }
            }
            for (uint64_t k = 0; t->type == TSR_F64 && k < t->values.n; k++) {
                double *v = (double *)t->values.data + k, keep = *v;
                const double tries[] = {0.0, -0.0, 3, 9};
                for (int n = 0; n < 4; n++) {
                    *v = tries[n];
                    assert_int_equal(tsr_tensor_check(t, 2, NULL), is_sound(t) ? TSR_OK : TSR_CORRUPT);
                }
                *v = keep;
            }
            assert_ok(tsr_tensor_check(t, 1, err));
            tsr_tensor_free(t);
        }
    assert_true(nrefused > 1000 && nsound > 20);
}

/* The check refuses the tensor now, with a sentence. */
static void assert_refused(const tsr_tensor *t, const char *what, int l)
{
    tsr_error why = {0};
    const tsr_status status = tsr_tensor_check(t, 1, &why);
    if (status == TSR_OK || why.message[0] == '\0')
        fail_msg("%s of level %d is not refused", what, l);
}

static void damage_count(const tsr_tensor *t, uint64_t *count, const char *what, int l)
{
    const uint64_t keep = *count, tries[] = {0, keep - 1, keep + 1, keep + 1000, UINT64_MAX, UINT64_MAX / 8};
    for (size_t k = 0; k < sizeof tries / sizeof *tries; k++) {
        *count = tries[k];
        if (tries[k] != keep)
            assert_refused(t, what, l);
    }
    *count = keep;
}

static void damage_array(const tsr_tensor *t, tsr_array *array, const char *what, int l)
{
    const tsr_array keep = *array;
    damage_count(t, &array->n, what, l);
    for (size_t width = 0; width <= 16; width++)
        if (width != 1 && width != 2 && width != 4 && width != 8) {
            array->width = width;
            assert_refused(t, what, l);
        }
    array->width = keep.width;
    array->data = NULL;
    assert_refused(t, what, l);
    *array = keep;
}

static void test_damaged_lengths(void **state)
{
    (void)state;
    for (int g = 0; g < NGIVENS; g++) {
        tsr_tensor *t = given_build(&givens[g], 4);
        for (int l = 0; l < t->nlevels; l++) {
            tsr_level *level = &t->levels[l];
            damage_count(t, &level->size, "size", l);
            damage_count(t, &level->pitch, "pitch", l);
            damage_count(t, &level->nparents, "nparents", l);
            damage_count(t, &level->npos, "npos", l);
            tsr_array *const arrays[] = {&level->pos, &level->crd};
            for (int a = 0; a < 2; a++) {
                if (arrays[a]->data) {
                    damage_array(t, arrays[a], a ? "crd" : "pos", l);
                    continue;
                }
                arrays[a]->data = t->values.data; /* an array where none belongs */
                arrays[a]->n = 1;
                arrays[a]->width = 4;
                assert_refused(t, a ? "crd" : "pos", l);
                *arrays[a] = (tsr_array){0};
            }
            const tsr_level_type *type = level->type;
            for (const tsr_level_type *const *other = tsr_level_types; *other; other++) {
                level->type = *other;
                if (*other != type)
                    assert_refused(t, "type", l);
            }
            level->type = NULL;
            assert_refused(t, "type", l);
            level->type = type;
            level->nonunique = !level->nonunique;
            assert_refused(t, "nonunique", l);
            level->nonunique = !level->nonunique;
        }
        damage_count(t, &t->npos, "npos of the tensor", -1);
        const tsr_array keep = t->values;
        damage_count(t, &t->values.n, "values", -1);
        t->values.width++;
        assert_refused(t, "width of values", -1);
        t->values = keep;
        t->values.data = NULL;
        assert_refused(t, "values", -1);
        t->values = keep;
        if (t->values.n != 1) {
            t->iso = !t->iso;
            assert_refused(t, "iso", -1);
            t->iso = !t->iso;
        }
        t->order++;
        assert_refused(t, "order", -1);
        t->order--;
        t->nlevels++;
        assert_refused(t, "nlevels", -1);
        t->nlevels--;
        t->type = TSR_NTYPES;
        assert_refused(t, "type", -1);
        t->type = givens[g].type;
        t->structure = (tsr_structure)7;
        assert_refused(t, "structure", -1);
        t->structure = givens[g].structure;
        for (int m = 0; m < t->order; m++)
            if (strcmp(givens[g].format, "s") != 0 || t->dims[m] != 0) {
                t->dims[m] = UINT64_MAX;
                assert_refused(t, "dims", m);
                t->dims[m] = givens[g].dims[m];
            }
        assert_ok(tsr_tensor_check(t, 1, err));
        tsr_tensor_free(t);
    }
}

#ifdef TSR_FAULTS
static void test_no_memory(void **state)
{
    (void)state;
    const uint64_t dims[] = {5, 5};
    tsr_format *format = NULL;
    assert_ok(tsr_format_parse(&format, "bcsr(2,3)", 2, dims, err));
    tsr_tensor *sound = given_build(&givens[19], 4);
    assert_string_equal(givens[19].format, "bcsr(2,3)");
    tsr_faults faults = {0};
    while (tsr_faults_next(&faults)) {
        tsr_tensor *t = NULL;
        tsr_faults_arm(&faults);
        tsr_status status = tsr_tensor_new(&t, format, dims, TSR_F64, NULL);
        if (status == TSR_OK)
            status = tsr_tensor_check(sound, 2, NULL);
        tsr_faults_end(&faults, status);
        tsr_tensor_free(t);
    }
    tsr_tensor_free(sound);
    tsr_format_free(format);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound_tensors_pass),
        cmocka_unit_test(test_damaged_entries),
        cmocka_unit_test(test_damaged_lengths),
#ifdef TSR_FAULTS
        cmocka_unit_test(test_no_memory),
#endif
    };
    return cmocka_run_group_tests_name("tensor", tests, NULL, NULL);
}
