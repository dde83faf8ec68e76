/* The level types one by one: the table, filling by blocks and by shares, climbing back, deep checks. */
#include "tsr_test.h"

#include "tsr_level_walk.h"

static void test_types_are_found_by_name_and_letter(void **state)
{
    (void)state;
    static const struct {
        char letter;
        const tsr_level_type *type;
        bool nonunique;
    } rows[] = {
        {'d', &tsr_level_dense, false},
        {'s', &tsr_level_compressed, false},
        {'c', &tsr_level_compressed, false},
        {'u', &tsr_level_compressed, true},
        {'q', &tsr_level_singleton, false},
        {'x', NULL, false},
        {'\0', NULL, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bool nonunique = true;
        assert_ptr_equal(tsr_level_type_by_letter(rows[i].letter, &nonunique), rows[i].type);
        assert_int_equal(nonunique, rows[i].nonunique);
    }
    assert_ptr_equal(tsr_level_type_by_name("compressed(", 10), &tsr_level_compressed);
    assert_null(tsr_level_type_by_name("compressed", 9));
    assert_null(tsr_level_type_by_name("", 0));
    for (const tsr_level_type *const *t = tsr_level_types; *t; t++)
        assert_ptr_equal(tsr_level_type_by_name((*t)->name, strlen((*t)->name)), *t);
}

/* A compressed level of 300 parents with 2 children under each third parent, filled in `nshares` shares of
 * entries that start anywhere. */
enum { NPARENTS = 300, NENTRIES = 200, SIZE = 70000 };

static void fill_share(tsr_level *level, uint64_t from, uint64_t to)
{
    tsr_level_cursor cursor = {from, from ? (from - 1) / 2 * 3 : 0};
    for (uint64_t i = from; i < to; i += 7) {
        uint64_t coord[7], position[7];
        uint8_t lead[7];
        tsr_level_block block = {to - i < 7 ? to - i : 7, coord, lead, 1, position};
        for (uint64_t k = 0; k < block.n; k++) {
            const uint64_t e = i + k;
            position[k] = e / 2 * 3;
            lead[k] = e % 2 ? 1 : 0;
            coord[k] = 300 * (e % 2) + e;
        }
        const tsr_level_block before = block;
        assert_int_equal(level->type->fill(level, &cursor, &block), before.n);
        for (uint64_t k = 0; k < block.n; k++)
            assert_int_equal(position[k], i + k);
    }
    if (to == NENTRIES)
        level->type->finish(level, &cursor);
}

static void test_compressed_fills_in_any_shares(void **state)
{
    (void)state;
    for (size_t width = 1; width <= 8; width *= 2) {
        for (uint64_t border = 0; border <= NENTRIES; border++) {
            tsr_level level = {
                .type = &tsr_level_compressed, .size = SIZE, .nparents = NPARENTS, .npos = NENTRIES};
            assert_ok(tsr_array_init(&level.pos, NPARENTS + 1, width, 0, "pos", err));
            assert_ok(tsr_array_init(&level.crd, NENTRIES, width == 1 ? 2 : width, 0, "crd", err));
            tsr_array_set(&level.pos, 0, 0);
            fill_share(&level, border, NENTRIES); /* any order */
            fill_share(&level, 0, border);
            assert_ok(level.type->check(&level, 0, false, err));
            for (uint64_t p = 0; p <= NPARENTS; p++)
                assert_int_equal(tsr_array_get(&level.pos, p), (p + 2) / 3 * 2);
            uint64_t position[NENTRIES], coord[NENTRIES];
            for (uint64_t e = 0; e < NENTRIES; e++)
                position[e] = e;
            level.type->climb(&level, position, coord, NENTRIES);
            for (uint64_t e = 0; e < NENTRIES; e++) {
                assert_int_equal(position[e], e / 2 * 3);
                assert_int_equal(coord[e], 300 * (e % 2) + e);
            }
            tsr_level_clear(&level);
        }
    }
}

static void test_singleton_refuses_a_second_child(void **state)
{
    (void)state;
    tsr_level level = {.type = &tsr_level_singleton, .size = 9, .nparents = 3, .npos = 3};
    assert_ok(tsr_array_init(&level.crd, 3, 1, 0, "crd", err));
    const uint64_t coord[] = {4, 5, 6};
    const uint8_t lead[] = {0, 0, 1};
    uint64_t position[] = {0, 1, 1};
    tsr_level_cursor cursor = {0, 0};
    tsr_level_block block = {3, coord, lead, 1, position};
    assert_int_equal(level.type->fill(&level, &cursor, &block), 2);
    tsr_level_clear(&level);
}

static void test_dense_climbs_over_gaps(void **state)
{
    (void)state;
    for (uint64_t pitch = 5; pitch < 9; pitch++) {
        const tsr_level level = {
            .type = &tsr_level_dense, .size = 5, .pitch = pitch, .nparents = 100, .npos = 100 * pitch};
        uint64_t position[] = {0, 0, 1, 4, 5, 9, 10, 23, 24, 25, 499}, coord[11], want[11];
        memcpy(want, position, sizeof want);
        level.type->climb(&level, position, coord, 11);
        for (int i = 0; i < 11; i++) {
            assert_int_equal(coord[i], want[i] % pitch);
            assert_int_equal(position[i], want[i] / pitch);
        }
        uint64_t back[11];
        for (int i = 0; i < 11; i++)
            back[i] = position[i];
        tsr_level_cursor cursor = {0};
        tsr_level_block block = {.n = 11, .coord = coord, .position = back};
        tsr_level filled = level;
        assert_int_equal(level.type->fill(&filled, &cursor, &block), 11);
        assert_memory_equal(back, want, sizeof want);
        assert_int_equal(cursor.npos, 500);
        assert_int_equal(level.type->check(&level, 0, false, NULL), TSR_OK);
        filled.pitch = 4;
        assert_int_equal(level.type->check(&filled, 0, false, NULL), TSR_CORRUPT);
    }
    uint64_t npos;
    assert_true(tsr_level_dense.npos(&npos, 7, 6));
    assert_int_equal(npos, 42);
    assert_false(tsr_level_dense.npos(&npos, UINT64_C(1) << 40, UINT64_C(1) << 40));
}

/* Broken compressed levels, each with its sentence. */
static void test_check_names_the_fault(void **state)
{
    (void)state;
    static const struct {
        uint8_t pos[4], crd[3];
        uint64_t pos_n, crd_n, size;
        const char *message;
    } rows[] = {
        {{0, 1, 1, 3}, {0, 1, 2}, 4, 3, 3, NULL},
        {{1, 1, 1, 3}, {0, 1, 2}, 4, 3, 3, "level 2: pos[0] is 1, but must be 0"},
        {{0, 2, 1, 3}, {0, 1, 2}, 4, 3, 3, "level 2: pos[2] = 1 is less than the element before it, 2"},
        {{0, 1, 1, 4}, {0, 1, 2}, 4, 3, 3, "level 2: pos ends with 4 but there are 3 positions"},
        {{0, 1, 1, 3},
         {0, 1, 2},
         3,
         3,
         3,
         "level 2: pos has 3 elements for 3 parents, but needs one more than parents"},
        {{0, 1, 1, 3}, {0, 1, 2}, 4, 2, 3, "level 2: crd has 2 elements for 3 positions"},
        {{0, 1, 1, 3}, {0, 1, 2}, 4, 3, 2, "level 2: coordinate 2 at position 2 is outside [0, 2)"},
        {{0, 1, 1, 3},
         {0, 2, 2},
         4,
         3,
         3,
         "level 2: coordinate 2 at position 2 follows 2 under the same parent 2, but must be larger"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t pos[4], crd[3];
        memcpy(pos, rows[i].pos, sizeof pos);
        memcpy(crd, rows[i].crd, sizeof crd);
        const tsr_level level = {.type = &tsr_level_compressed,
                                 .size = rows[i].size,
                                 .nparents = 3,
                                 .npos = 3,
                                 .pos = {.data = pos, .n = rows[i].pos_n, .width = 1},
                                 .crd = {.data = crd, .n = rows[i].crd_n, .width = 1}};
        tsr_error err = {0};
        const tsr_status status = level.type->check(&level, 2, false, &err);
        assert_int_equal(status, rows[i].message ? TSR_CORRUPT : TSR_OK);
        if (rows[i].message)
            assert_string_equal(err.message, rows[i].message);
    }
}

/* Whether the coordinates of each parent rise strictly and are below size: one after the other. */
static bool rises(const tsr_level *level)
{
    for (uint64_t p = 0; p < level->nparents; p++)
        for (uint64_t i = tsr_array_get(&level->pos, p); i < tsr_array_get(&level->pos, p + 1); i++) {
            const uint64_t c = tsr_array_get(&level->crd, i);
            if (c >= level->size ||
                (i > tsr_array_get(&level->pos, p) && c <= tsr_array_get(&level->crd, i - 1)))
                return false;
        }
    return true;
}

/* Lists of 0 to 9 children, some with one coordinate changed: the whole arrays are compared at once, in blocks of 255. */
static void test_check_sees_each_fault(void **state)
{
    (void)state;
    enum { LISTS = 150, CHILDREN = 9, BOUND = 200, ROUNDS = 4000 };
    tsr_rng rng = {1};
    int nbad = 0;
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t pos_data[LISTS + 1], crd_data[LISTS * CHILDREN];
        const uint64_t width = UINT64_C(1) << tsr_rng_below(&rng, 4), full = tsr_rng_below(&rng, 4);
        uint64_t n = 0;
        tsr_level level = {.type = &tsr_level_compressed,
                           .size = BOUND,
                           .nparents = LISTS,
                           .pos = {.data = pos_data, .n = LISTS + 1, .width = width == 8 ? 8 : 4},
                           .crd = {.data = crd_data, .width = width}};
        tsr_array_set(&level.pos, 0, 0);
        for (uint64_t p = 0; p < LISTS; p++) {
            uint64_t c = tsr_rng_below(&rng, 100);
            for (uint64_t k = full ? tsr_rng_below(&rng, full * 3 + 1) : 0; k > 0;
                 k--, c += 1 + tsr_rng_below(&rng, 11))
                tsr_array_set(&level.crd, n++, c);
            tsr_array_set(&level.pos, p + 1, n);
        }
        level.npos = level.crd.n = n;
        if (n > 0 && round % 2)
            tsr_array_set(&level.crd, tsr_rng_below(&rng, n), tsr_rng_below(&rng, BOUND + 50));
        assert_int_equal(level.type->check(&level, 0, false, NULL), rises(&level) ? TSR_OK : TSR_CORRUPT);
        nbad += !rises(&level);
    }
    assert_true(nbad > ROUNDS / 10 && nbad < ROUNDS / 2);
}

/* A level of many coordinates that arrive in pieces: each fault is seen, wherever pieces, blocks and parents begin. */
static void test_watch_sees_each_fault(void **state)
{
    (void)state;
    enum { CHILDREN = 4, LISTS = 40000, ALL = LISTS * CHILDREN, ROUNDS = 60, BORDER = 1 << 16 };
    static uint32_t pos[LISTS + 1], crd[ALL];
    tsr_rng rng = {7};
    for (uint32_t p = 0; p <= LISTS; p++)
        pos[p] = p / 5 * 5 * CHILDREN +
                 (p % 5 > 1 ? 5 * CHILDREN : p % 5 * CHILDREN); /* of 1, 4 and three times 0 of 4 */
    pos[LISTS] = ALL;
    for (uint32_t e = 0; e < ALL; e++)
        crd[e] = e % (5 * CHILDREN);
    tsr_level level = {.type = &tsr_level_compressed,
                       .size = 5 * CHILDREN,
                       .nparents = LISTS,
                       .npos = ALL,
                       .pos = {.data = pos, .n = LISTS + 1, .width = 4},
                       .crd = {.data = crd, .n = ALL, .width = 4}};
    int nbad = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const uint64_t at = round == 0  ? 0
                            : round % 3 ? BORDER * (1 + tsr_rng_below(&rng, 2)) - 2 + tsr_rng_below(&rng, 4)
                                        : tsr_rng_below(&rng, ALL);
        const uint32_t was = crd[at];
        crd[at] = round == 0 ? was : (uint32_t)tsr_rng_below(&rng, 5 * CHILDREN + 1);
        tsr_level_watch watch;
        assert_true(tsr_level_watch_begin(&watch, &level));
        for (uint64_t n = 0; n < ALL && round % 4; n += 1 + tsr_rng_below(&rng, 40000))
            tsr_level_watch_see(&watch, n);
        assert_int_equal(tsr_level_watch_end(&watch), rises(&level));
        assert_int_equal(level.type->check(&level, 0, false, NULL), rises(&level) ? TSR_OK : TSR_CORRUPT);
        nbad += !rises(&level);
        crd[at] = was;
    }
    assert_true(nbad > ROUNDS / 4 && nbad < ROUNDS);
    pos[3]++;
    pos[2] += 2;
    tsr_level_watch watch;
    assert_false(tsr_level_watch_begin(&watch, &level));
}

/* ---- loop programs ---- */

typedef struct walk_row {
    const char *letters; /* the levels, outermost first */
    int rank;            /* pitch of the last level, if it is dense (0: a parameter) */
    bool clip;           /* the first level that can be clipped is, to [from, to) */
    const char *body;
} walk_row;

static tsr_level_walk walk_level(tsr_ir_builder *ir, const walk_row *row, int l, const tsr_ir_expr *parent)
{
    char name[20];
    bool nonunique;
    const tsr_level_type *type = tsr_level_type_by_letter(row->letters[l], &nonunique);
    const bool is_last = row->letters[l + 1] == '\0';
    tsr_level_walk walk = {.ir = ir, .crd_name = (const char *[]){"i", "j", "k"}[l], .nonunique = nonunique};
    walk.pos_name = (const char *[]){"pA1", "pA2", "pA3"}[l];
    walk.parent = parent;
    if (type->full) {
        snprintf(name, sizeof name, "A%d_size", l + 1);
        walk.size = is_last && row->rank ? tsr_ir_index(ir, row->rank) : tsr_ir_index_param(ir, name);
        walk.pitch = walk.size;
    }
    snprintf(name, sizeof name, "A%d_pos", l + 1);
    walk.array[TSR_LEVEL_POS] = tsr_level_array_row(type, TSR_LEVEL_POS)
                                    ? tsr_ir_array_param(ir, name, true, TSR_U32, true, NULL)
                                    : NULL;
    snprintf(name, sizeof name, "A%d_crd", l + 1);
    walk.array[TSR_LEVEL_CRD] = tsr_level_array_row(type, TSR_LEVEL_CRD)
                                    ? tsr_ir_array_param(ir, name, true, TSR_U32, true, NULL)
                                    : NULL;
    return walk;
}

static void test_levels_open_loops(void **state)
{
    (void)state;
    static const walk_row rows[] = {
        {"ds", 0, false,
         "  for i in [0, A1_size)\n"
         "    for pA2 in [A2_pos[i], A2_pos[i + 1])\n"
         "      let j: index = A2_crd[pA2]\n"
         "      y[pA2] = 1.0\n"
         "  let begin: index = A2_pos[n]\n"},
        {"ss", 0, true,
         "  for pA1 in [from, to)\n"
         "    let i: index = A1_crd[pA1]\n"
         "    for pA2 in [max(A2_pos[pA1], from), min(A2_pos[pA1 + 1], to))\n"
         "      let j: index = A2_crd[pA2]\n"
         "      y[pA2] = 1.0\n"
         "  let begin: index = A2_pos[n]\n"},
        {"uq", 0, false,
         "  for pA1 in [0, A1_pos[1])\n"
         "    let i: index = A1_crd[pA1]\n"
         "    let j: index = A2_crd[pA1]\n"
         "    y[pA1] = 1.0\n"
         "  let begin: index = n\n"},
        {"dsd", 8, false,
         "  for i in [0, A1_size)\n"
         "    for pA2 in [A2_pos[i], A2_pos[i + 1])\n"
         "      let j: index = A2_crd[pA2]\n"
         "      for k in [0, 8) vector\n"
         "        let pA3: index = pA2 * 8 + k\n"
         "        y[pA3] = 1.0\n"
         "  let begin: index = n * 8\n"},
        {"dd", 0, true,
         "  for i in [from, to)\n"
         "    for j in [from, to)\n"
         "      let pA2: index = i * A2_size + j\n"
         "      y[pA2] = 1.0\n"
         "  let begin: index = n * A2_size\n"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        tsr_ir_builder *ir = tsr_ir_builder_new("walk");
        const tsr_ir_expr *n = tsr_ir_index_param(ir, "n"), *from = tsr_ir_index_param(ir, "from"),
                          *to = tsr_ir_index_param(ir, "to"), *position = tsr_ir_index(ir, 0), *begin = NULL;
        const tsr_ir_array *y = tsr_ir_array_param(ir, "y", false, TSR_F64, false, NULL);
        int nloops = 0;
        for (int l = 0; rows[r].letters[l]; l++) {
            bool nonunique;
            const tsr_level_type *type = tsr_level_type_by_letter(rows[r].letters[l], &nonunique);
            tsr_level_walk walk = walk_level(ir, &rows[r], l, position);
            if (rows[r].clip) {
                walk.lo = from;
                walk.hi = to;
            }
            walk.marks = rows[r].rank && !rows[r].letters[l + 1] ? TSR_IR_VECTOR : 0;
            type->walker->open(&walk);
            nloops += walk.nblocks;
            position = walk.position;
            begin = type->walker->begin(&walk, n);
        }
        tsr_ir_store(ir, y, position, tsr_ir_value(ir, tsr_ir_value_type(TSR_F64), 1), false, false);
        while (nloops-- > 0)
            tsr_ir_end(ir);
        tsr_ir_declare(ir, "begin", begin, false);
        tsr_ir *program;
        assert_ok(tsr_ir_finish(&program, ir, "", err));
        tsr_text text = {0};
        tsr_ir_print(&text, program);
        assert_string_equal(strchr(tsr_text_cstr(&text), '\n') + 1, rows[r].body);
        tsr_text_clear(&text);
        tsr_ir_free(program);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types_are_found_by_name_and_letter),
        cmocka_unit_test(test_compressed_fills_in_any_shares),
        cmocka_unit_test(test_singleton_refuses_a_second_child),
        cmocka_unit_test(test_dense_climbs_over_gaps),
        cmocka_unit_test(test_check_names_the_fault),
        cmocka_unit_test(test_check_sees_each_fault),
        cmocka_unit_test(test_watch_sees_each_fault),
        cmocka_unit_test(test_levels_open_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
