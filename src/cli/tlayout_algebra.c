/* tlayout's commands on TLA and CuTe layouts: making them, their algebra, tuples. */
#include <string.h>

#include "tlayout.h"

static tsr_status say_tla(tsr_tlayout *t, const tsr_tla *layout, tsr_error *err)
{
    tsr_text text = {0};
    tsr_tla_print(&text, layout);
    return tsr_tlayout_say(t, "layout", &text, err);
}

static tsr_status say_tuple(tsr_tlayout *t, const tsr_tuple *tuple, tsr_error *err)
{
    tsr_text text = {0};
    tsr_tuple_print(&text, tuple);
    return tsr_tlayout_say(t, "tuple", &text, err);
}

#define RUN(name) static tsr_status run_##name(tsr_tlayout *t, int n, const char *const *word, tsr_error *err)

/* ---- a layout gives a layout ---- */

#define RUN_UNARY(name, call)                                \
    RUN(name)                                                \
    {                                                        \
        tsr_tla a, out;                                      \
        (void)n;                                             \
        TSR_TRY(tsr_tlayout_parse_tla(&a, t, word[0], err)); \
        TSR_TRY(call(&out, &t->arena, &a, err));             \
        return say_tla(t, &out, err);                        \
    }

RUN_UNARY(flatten, tsr_tla_flatten)
RUN_UNARY(right_inverse, tsr_tla_right_inverse)
RUN_UNARY(left_inverse, tsr_tla_left_inverse)

RUN(coalesce)
{
    tsr_tla a, out;
    const tsr_tuple *profile = NULL;
    TSR_TRY(tsr_tlayout_parse_tla(&a, t, word[0], err));
    if (n > 1)
        TSR_TRY(tsr_tlayout_parse_tuple(&profile, t, word[1], err));
    TSR_TRY(tsr_tla_coalesce(&out, &t->arena, &a, profile, err));
    return say_tla(t, &out, err);
}

RUN(complement)
{
    tsr_tla a, out;
    int64_t cosize = 1;
    TSR_TRY(tsr_tlayout_parse_tla(&a, t, word[0], err));
    if (n > 1)
        TSR_TRY(tsr_tlayout_parse_i64(&cosize, "COSIZE", word[1], err));
    if (cosize < 1)
        return tsr_fail(err, TSR_ARGUMENT, "COSIZE is at least 1, not %lld", (long long)cosize);
    TSR_TRY(tsr_tla_complement(&out, &t->arena, &a, cosize, err));
    return say_tla(t, &out, err);
}

/* ---- a layout and a tiler ---- */

RUN(composition)
{
    tsr_tla a, out;
    const tsr_tiler *b = NULL;
    (void)n;
    TSR_TRY(tsr_tlayout_parse_tla(&a, t, word[0], err));
    TSR_TRY(tsr_tlayout_parse_tiler(&b, t, word[1], err));
    TSR_TRY(tsr_tla_compose(&out, &t->arena, &a, b, err));
    return say_tla(t, &out, err);
}

#define RUN_TILED(name, call, form)                            \
    RUN(name)                                                  \
    {                                                          \
        tsr_tla a, out;                                        \
        const tsr_tiler *b = NULL;                             \
        (void)n;                                               \
        TSR_TRY(tsr_tlayout_parse_tla(&a, t, word[0], err));   \
        TSR_TRY(tsr_tlayout_parse_tiler(&b, t, word[1], err)); \
        TSR_TRY(call(&out, &t->arena, &a, b, form, err));      \
        return say_tla(t, &out, err);                          \
    }

RUN_TILED(divide, tsr_tla_divide, TSR_TLA_LOGICAL)
RUN_TILED(zipped_divide, tsr_tla_divide, TSR_TLA_ZIPPED)
RUN_TILED(tiled_divide, tsr_tla_divide, TSR_TLA_TILED)
RUN_TILED(flat_divide, tsr_tla_divide, TSR_TLA_FLAT)
RUN_TILED(product, tsr_tla_product, TSR_TLA_LOGICAL)
RUN_TILED(zipped_product, tsr_tla_product, TSR_TLA_ZIPPED)
RUN_TILED(tiled_product, tsr_tla_product, TSR_TLA_TILED)
RUN_TILED(flat_product, tsr_tla_product, TSR_TLA_FLAT)

#define RUN_PAIR(name, call)                                 \
    RUN(name)                                                \
    {                                                        \
        tsr_tla a, b, out;                                   \
        (void)n;                                             \
        TSR_TRY(tsr_tlayout_parse_tla(&a, t, word[0], err)); \
        TSR_TRY(tsr_tlayout_parse_tla(&b, t, word[1], err)); \
        TSR_TRY(call(&out, &t->arena, &a, &b, err));         \
        return say_tla(t, &out, err);                        \
    }

RUN_PAIR(blocked_product, tsr_tla_blocked_product)
RUN_PAIR(raked_product, tsr_tla_raked_product)

RUN(tile_to_shape)
{
    tsr_tla a, out;
    const tsr_tuple *shape = NULL, *order = NULL;
    TSR_TRY(tsr_tlayout_parse_tla(&a, t, word[0], err));
    TSR_TRY(tsr_tlayout_parse_tuple(&shape, t, word[1], err));
    if (n > 2)
        TSR_TRY(tsr_tlayout_parse_tuple(&order, t, word[2], err));
    TSR_TRY(tsr_tla_tile_to_shape(&out, &t->arena, &a, shape, order, err));
    return say_tla(t, &out, err);
}

/* The tile as a layout; with AT, the view of the tile that begins there, and the offset of its first element.
 */
RUN(tile)
{
    tsr_tla a, out;
    const tsr_tuple *tile = NULL, *at = NULL;
    int64_t offset;
    TSR_TRY(tsr_tlayout_parse_tla(&a, t, word[0], err));
    TSR_TRY(tsr_tlayout_parse_tuple(&tile, t, word[1], err));
    if (n < 3) {
        TSR_TRY(tsr_tla_make_tile(&out, &t->arena, &a, tile, err));
        return say_tla(t, &out, err);
    }
    TSR_TRY(tsr_tlayout_parse_tuple(&at, t, word[2], err));
    TSR_TRY(tsr_tla_tile_view(&out, &offset, &t->arena, &a, tile, at, err));
    TSR_TRY(say_tla(t, &out, err));
    tsr_tlayout_say_i64(t, "offset", offset);
    return TSR_OK;
}

/* ---- making ---- */

#define RUN_MAKE(name, call)                                       \
    RUN(name)                                                      \
    {                                                              \
        tsr_tla out;                                               \
        const tsr_tuple *shape = NULL;                             \
        (void)n;                                                   \
        TSR_TRY(tsr_tlayout_parse_tuple(&shape, t, word[0], err)); \
        TSR_TRY(call(&out, &t->arena, shape, err));                \
        return say_tla(t, &out, err);                              \
    }

RUN_MAKE(column_major, tsr_tla_make_left)
RUN_MAKE(row_major, tsr_tla_make_right)

RUN(fractal)
{
    static const char *const names[] = {"ROWS", "COLS", "R", "C"};
    tsr_tla_fractal fractal;
    tsr_tla out;
    int64_t v[4];
    TSR_TRY(tsr_tla_fractal_parse(&fractal, word[0], err));
    for (int i = 0; i + 1 < n; i++)
        TSR_TRY(tsr_tlayout_parse_i64(&v[i], names[i], word[i + 1], err));
    if (n == 4)
        return tsr_fail(err, TSR_ARGUMENT, "a block has both R and C");
    if (n == 3) {
        if (!t->type)
            return tsr_fail(err, TSR_ARGUMENT, "give the block, R and C, or --type, which tells it");
        TSR_TRY(tsr_tla_fractal_block(&v[2], &v[3], fractal, (int)tsr_xla_type_nbits(t->type), err));
    }
    TSR_TRY(tsr_tla_make_fractal(&out, &t->arena, fractal, v[0], v[1], v[2], v[3], err));
    return say_tla(t, &out, err);
}

/* ---- tuples ---- */

RUN(mode)
{
    tsr_tla a, out;
    int64_t path[TSR_TLA_MAX_DEPTH];
    int index[TSR_TLA_MAX_DEPTH], npath = 0;
    (void)n;
    TSR_TRY(tsr_tlayout_parse_tla(&a, t, word[0], err));
    TSR_TRY(tsr_tlayout_parse_point(path, &npath, TSR_TLA_MAX_DEPTH, word[1], err));
    for (int i = 0; i < npath; i++) {
        if (path[i] < 0 || path[i] >= TSR_TLA_MAX_LEAVES)
            return tsr_fail(err, TSR_ARGUMENT, "there is no mode %lld", (long long)path[i]);
        index[i] = (int)path[i];
    }
    TSR_TRY(tsr_tla_mode(&out, &a, npath, index, err));
    return say_tla(t, &out, err);
}

RUN(idx2crd)
{
    const tsr_tuple *coord = NULL, *shape = NULL, *out = NULL;
    (void)n;
    TSR_TRY(tsr_tlayout_parse_tuple(&coord, t, word[0], err));
    TSR_TRY(tsr_tlayout_parse_tuple(&shape, t, word[1], err));
    TSR_TRY(tsr_idx2crd(&out, &t->arena, coord, shape, err));
    return say_tuple(t, out, err);
}

RUN(crd2idx)
{
    const tsr_tuple *coord = NULL, *shape = NULL;
    int64_t index;
    (void)n;
    TSR_TRY(tsr_tlayout_parse_tuple(&coord, t, word[0], err));
    TSR_TRY(tsr_tlayout_parse_tuple(&shape, t, word[1], err));
    TSR_TRY(tsr_crd2idx(&index, coord, shape, err));
    tsr_tlayout_say_i64(t, "index", index);
    return TSR_OK;
}

const tsr_tlayout_command tsr_tlayout_algebra_commands[] = {
    {"row_major", "SHAPE", "the compact layout of a shape, the last mode the fastest", 1, 1, run_row_major},
    {"column_major", "SHAPE", "the compact layout of a shape, the first mode the fastest", 1, 1,
     run_column_major},
    {"fractal", "KIND ROWS COLS [R C]",
     "a matrix in blocks of R x C: zN, nZ, zZ or nN; without R and C --type tells them", 3, 5, run_fractal},
    {"tile", "LAYOUT TILE [AT]", "a tile of the layout; the view of the one that begins at AT", 2, 3,
     run_tile},
    {"mode", "LAYOUT PATH", "a mode by its path, such as 1,0", 2, 2, run_mode},
    {"flatten", "LAYOUT", "without nesting", 1, 1, run_flatten},
    {"coalesce", "LAYOUT [PROFILE]", "the same function with as few modes as can be", 1, 2, run_coalesce},
    {"composition", "A TILER", "A after TILER", 2, 2, run_composition},
    {"complement", "LAYOUT [COSIZE]", "the layout of the offsets that LAYOUT leaves out", 1, 2,
     run_complement},
    {"right_inverse", "LAYOUT", "R with LAYOUT(R(k)) = k", 1, 1, run_right_inverse},
    {"left_inverse", "LAYOUT", "L with L(LAYOUT(c)) = c", 1, 1, run_left_inverse},
    {"divide", "LAYOUT TILER", "logical divide: ((T0,R0),(T1,R1))", 2, 2, run_divide},
    {"zipped_divide", "LAYOUT TILER", "((T0,T1),(R0,R1))", 2, 2, run_zipped_divide},
    {"tiled_divide", "LAYOUT TILER", "((T0,T1),R0,R1)", 2, 2, run_tiled_divide},
    {"flat_divide", "LAYOUT TILER", "(T0,T1,R0,R1)", 2, 2, run_flat_divide},
    {"product", "LAYOUT TILER", "logical product: LAYOUT repeated as TILER says", 2, 2, run_product},
    {"zipped_product", "LAYOUT TILER", "((A0,A1),(T0,T1))", 2, 2, run_zipped_product},
    {"tiled_product", "LAYOUT TILER", "((A0,A1),T0,T1)", 2, 2, run_tiled_product},
    {"flat_product", "LAYOUT TILER", "(A0,A1,T0,T1)", 2, 2, run_flat_product},
    {"blocked_product", "BLOCK LAYOUT", "blocks side by side: ((B0,T0),(B1,T1))", 2, 2, run_blocked_product},
    {"raked_product", "BLOCK LAYOUT", "blocks raked through each other: ((T0,B0),(T1,B1))", 2, 2,
     run_raked_product},
    {"tile_to_shape", "BLOCK SHAPE [ORDER]", "the block repeated to fill a shape", 2, 3, run_tile_to_shape},
    {"crd2idx", "COORD SHAPE", "the linear index of a coordinate within a shape", 2, 2, run_crd2idx},
    {"idx2crd", "INDEX SHAPE", "the coordinate of a linear index within a shape", 2, 2, run_idx2crd},
    {0},
};
