/* The examples of XLA's document "Indexing analysis" (xla-indexing-maps), one operation and several. */
#include "tsr_test.h"

#include "hlo_support.h"

#define O2I TSR_OUTPUT_TO_INPUT
#define I2O TSR_INPUT_TO_OUTPUT

/* ---- single operations: the document's sections ---- */

/* direction, output, operand (O2I), or operand, output (I2O), and the map. */
static const struct {
    const char *name, *hlo;
    struct {
        tsr_map_direction direction;
        int first, second;
        const char *map;
    } ways[8];
} examples[] = {
    {.name = "Elementwise",
     .hlo = "p0 = f32[10, 20] parameter(0)\n"
            "p1 = f32[10, 20] parameter(1)\n"
            "output = f32[10, 20] add(p0, p1)\n",
     .ways = {{O2I, 0, 0, "(d0, d1) -> (d0, d1), domain: d0 in [0, 9], d1 in [0, 19]"},
              {I2O, 0, 0, "(d0, d1) -> (d0, d1), domain: d0 in [0, 9], d1 in [0, 19]"}}},
    {.name = "Broadcast",
     .hlo = "p0 = f32[20] parameter(0)\n"
            "bc0 = f32[10, 20, 30] broadcast(p0), dimensions={1}\n",
     .ways = {{O2I, 0, 0, "(d0, d1, d2) -> (d1), domain: d0 in [0, 9], d1 in [0, 19], d2 in [0, 29]"},
              {I2O, 0, 0,
               "(d0)[s0, s1] -> (s0, d0, s1), domain: d0 in [0, 19], s0 in [0, 9], s1 in [0, 29]"}}},
    {.name = "Iota",
     .hlo = "iota = f32[2,4] iota(), dimensions={1}\n",
     .ways = {{O2I, 0, 0, "(d0, d1) -> (), domain: d0 in [0, 1], d1 in [0, 3]"},
              {I2O, 0, 0, "()[s0, s1] -> (s0, s1), domain: s0 in [0, 1], s1 in [0, 3]"}}},
    {.name = "DynamicSlice",
     .hlo = "src = s32[2, 2, 258] parameter(0)\n"
            "of1 = s32[] parameter(1)\n"
            "of2 = s32[] parameter(2)\n"
            "of3 = s32[] parameter(3)\n"
            "ds = dynamic-slice(s32[2,2,258] src, s32[] of1, s32[] of2, s32[] of3), dynamic_slice_sizes={1, "
            "2, 32}\n",
     .ways = {{O2I, 0, 0,
               "(d0, d1, d2){rt0, rt1, rt2} -> (d0 + rt0, d1 + rt1, d2 + rt2), domain: d0 in [0, 0], d1 in "
               "[0, 1], d2 in [0, 31], rt0 in [0, 1], rt1 in [0, 0], rt2 in [0, 226]"},
              {O2I, 0, 1, "(d0, d1, d2) -> (), domain: d0 in [0, 0], d1 in [0, 1], d2 in [0, 31]"},
              {O2I, 0, 2, "(d0, d1, d2) -> (), domain: d0 in [0, 0], d1 in [0, 1], d2 in [0, 31]"},
              {O2I, 0, 3, "(d0, d1, d2) -> (), domain: d0 in [0, 0], d1 in [0, 1], d2 in [0, 31]"}}},
    {.name = "DynamicUpdateSlice",
     .hlo = "src = s32[20,30] parameter(0)\n"
            "upd = s32[5,10] parameter(1)\n"
            "of1 = s32[] parameter(2)\n"
            "of2 = s32[] parameter(3)\n"
            "dus = s32[20,30] dynamic-update-slice( s32[20,30] src, s32[5,10] upd, s32[] of1, s32[] of2)\n",
     .ways = {{O2I, 0, 0, "(d0, d1) -> (d0, d1), domain: d0 in [0, 19], d1 in [0, 29]"},
              {O2I, 0, 1,
               "(d0, d1){rt0, rt1} -> (d0 - rt0, d1 - rt1), domain: d0 in [0, 19], d1 in [0, 29], rt0 in [0, "
               "15], rt1 in [0, 20]"},
              {O2I, 0, 2, "(d0, d1) -> (), domain: d0 in [0, 19], d1 in [0, 29]"},
              {O2I, 0, 3, "(d0, d1) -> (), domain: d0 in [0, 19], d1 in [0, 29]"}}},
    {.name = "Gather",
     .hlo = "operand = f32[33,76,70] parameter(0)\n"
            "indices = s32[1806,2] parameter(1)\n"
            "gather = f32[1806,7,8,4] gather(operand, indices), offset_dims={1,2,3}, "
            "collapsed_slice_dims={}, start_index_map={0,1}, index_vector_dim=1, slice_sizes={7,8,4}\n",
     .ways = {{O2I, 0, 0,
               "(d0, d1, d2, d3){rt0, rt1} -> (d1 + rt0, d2 + rt1, d3), domain: d0 in [0, 1805], d1 in [0, "
               "6], d2 in [0, 7], d3 in [0, 3], rt0 in [0, 26], rt1 in [0, 68]"},
              {O2I, 0, 1,
               "(d0, d1, d2, d3)[s0] -> (d0, s0), domain: d0 in [0, 1805], d1 in [0, 6], d2 in [0, 7], d3 in "
               "[0, 3], s0 in [0, 1]"}}},
    {.name = "Transpose",
     .hlo = "p0 = f32[3, 12288, 6, 128] parameter(0)\n"
            "transpose = f32[3, 6, 128, 12288] transpose(p0), dimensions={0, 2, 3, 1}\n",
     .ways = {{O2I, 0, 0,
               "(d0, d1, d2, d3) -> (d0, d3, d1, d2), domain: d0 in [0, 2], d1 in [0, 5], d2 in [0, 127], d3 "
               "in [0, 12287]"},
              {I2O, 0, 0,
               "(d0, d1, d2, d3) -> (d0, d2, d3, d1), domain: d0 in [0, 2], d1 in [0, 12287], d2 in [0, 5], "
               "d3 in [0, 127]"}}},
    {.name = "Reverse",
     .hlo = "p0 = f32[1, 17, 9, 9] parameter(0)\n"
            "reverse = f32[1, 17, 9, 9] reverse(p0), dimensions={1, 2}\n",
     .ways = {{O2I, 0, 0,
               "(d0, d1, d2, d3) -> (d0, -d1 + 16, -d2 + 8, d3), domain: d0 in [0, 0], d1 in [0, 16], d2 in "
               "[0, 8], d3 in [0, 8]"},
              {I2O, 0, 0,
               "(d0, d1, d2, d3) -> (d0, -d1 + 16, -d2 + 8, d3), domain: d0 in [0, 0], d1 in [0, 16], d2 in "
               "[0, 8], d3 in [0, 8]"}}},
    {.name = "(Variadic)Reduce",
     .hlo = "p0 = f32[256,10] parameter(0)\n"
            "p0_init = f32[] constant(-inf)\n"
            "p1 = s32[256,10] parameter(1)\n"
            "p1_init = s32[] constant(0)\n"
            "out = (f32[10], s32[10]) reduce(p0, p1, p0_init, p1_init), dimensions={0}, to_apply=max\n",
     .ways = {{O2I, 0, 0, "(d0)[s0] -> (s0, d0), domain: d0 in [0, 9], s0 in [0, 255]"},
              {O2I, 0, 2, "(d0) -> (), domain: d0 in [0, 9]"},
              {O2I, 0, 3, "(d0) -> (), domain: d0 in [0, 9]"},
              {I2O, 0, 0, "(d0, d1) -> (d1), domain: d0 in [0, 255], d1 in [0, 9]"},
              {I2O, 2, 0, "()[s0] -> (s0), domain: s0 in [0, 9]"}}},
    {.name = "Slice",
     .hlo = "p0 = f32[10, 20, 50] parameter(0)\n"
            "slice = f32[5, 3, 25] slice(f32[10, 20, 50] p0), slice={[5:10:1], [3:20:7], [0:50:2]}\n",
     .ways =
         {{O2I, 0, 0,
           "(d0, d1, d2) -> (d0 + 5, d1 * 7 + 3, d2 * 2), domain: d0 in [0, 4], d1 in [0, 2], d2 in [0, 24]"},
          {I2O, 0, 0,
           "(d0, d1, d2) -> (d0 - 5, (d1 - 3) floordiv 7, d2 floordiv 2), domain: d0 in [5, 9], d1 in [3, "
           "17], d2 in [0, 48], (d1 - 3) mod 7 in [0, 0], d2 mod 2 in [0, 0]"}}},
    {.name = "Collapse shape",
     .hlo = "p0 = f32[4,8] parameter(0)\n"
            "reshape = f32[32] reshape(p0)\n",
     .ways = {{O2I, 0, 0, "(d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [0, 31]"},
              {I2O, 0, 0, "(d0, d1) -> (d0 * 8 + d1), domain: d0 in [0, 3], d1 in [0, 7]"}}},
    {.name = "Expand shape",
     .hlo = "p0 = f32[32] parameter(0)\n"
            "reshape = f32[4, 8] reshape(p0)\n",
     .ways = {{O2I, 0, 0, "(d0, d1) -> (d0 * 8 + d1), domain: d0 in [0, 3], d1 in [0, 7]"},
              {I2O, 0, 0, "(d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [0, 31]"}}},
    {.name = "Example 1: Linearization-delinearization.",
     .hlo = "p0 = f32[4,8] parameter(0)\n"
            "reshape = f32[2, 4, 4] reshape(p0)\n",
     .ways = {{O2I, 0, 0,
               "(d0, d1, d2) -> (d0 * 2 + d1 floordiv 2, d2 + (d1 mod 2) * 4), domain: d0 in [0, 1], d1 in "
               "[0, 3], d2 in [0, 3]"},
              {I2O, 0, 0,
               "(d0, d1) -> (d0 floordiv 2, d1 floordiv 4 + (d0 mod 2) * 2, d1 mod 4), domain: d0 in [0, 3], "
               "d1 in [0, 7]"}}},
    {.name = "Example 2: Expanded and collapsed subshapes",
     .hlo = "p0 = f32[4, 8, 12] parameter(0)\n"
            "reshape = f32[32, 3, 4] reshape(p0)\n",
     .ways = {{O2I, 0, 0,
               "(d0, d1, d2) -> (d0 floordiv 8, d0 mod 8, d1 * 4 + d2), domain: d0 in [0, 31], d1 in [0, 2], "
               "d2 in [0, 3]"},
              {I2O, 0, 0,
               "(d0, d1, d2) -> (d0 * 8 + d1, d2 floordiv 4, d2 mod 4), domain: d0 in [0, 3], d1 in [0, 7], "
               "d2 in [0, 11]"}}},
    {.name = "Concatenate",
     .hlo = "p0 = f32[2, 5, 7] parameter(0)\n"
            "p1 = f32[2, 11, 7] parameter(1)\n"
            "p2 = f32[2, 17, 7] parameter(2)\n"
            "ROOT output = f32[2, 33, 7] concatenate(f32[2, 5, 7] p0, f32[2, 11, 7] p1, f32[2, 17, 7] p2), "
            "dimensions={1}\n",
     .ways = {{O2I, 0, 0, "(d0, d1, d2) -> (d0, d1, d2), domain: d0 in [0, 1], d1 in [0, 4], d2 in [0, 6]"},
              {O2I, 0, 1,
               "(d0, d1, d2) -> (d0, d1 - 5, d2), domain: d0 in [0, 1], d1 in [5, 15], d2 in [0, 6]"},
              {O2I, 0, 2,
               "(d0, d1, d2) -> (d0, d1 - 16, d2), domain: d0 in [0, 1], d1 in [16, 32], d2 in [0, 6]"},
              {I2O, 0, 0, "(d0, d1, d2) -> (d0, d1, d2), domain: d0 in [0, 1], d1 in [0, 4], d2 in [0, 6]"},
              {I2O, 1, 0,
               "(d0, d1, d2) -> (d0, d1 + 5, d2), domain: d0 in [0, 1], d1 in [0, 10], d2 in [0, 6]"},
              {I2O, 2, 0,
               "(d0, d1, d2) -> (d0, d1 + 16, d2), domain: d0 in [0, 1], d1 in [0, 16], d2 in [0, 6]"}}},
    {.name = "Dot",
     .hlo = "p0 = f32[4, 128, 256] parameter(0)\n"
            "p1 = f32[4, 256, 64] parameter(1)\n"
            "output = f32[4, 128, 64] dot(p0, p1), lhs_batch_dims={0}, rhs_batch_dims={0}, "
            "lhs_contracting_dims={2}, rhs_contracting_dims={1}\n",
     .ways = {{O2I, 0, 0,
               "(d0, d1, d2)[s0] -> (d0, d1, s0), domain: d0 in [0, 3], d1 in [0, 127], d2 in [0, 63], s0 in "
               "[0, 255]"},
              {O2I, 0, 1,
               "(d0, d1, d2)[s0] -> (d0, s0, d2), domain: d0 in [0, 3], d1 in [0, 127], d2 in [0, 63], s0 in "
               "[0, 255]"},
              {I2O, 0, 0,
               "(d0, d1, d2)[s0] -> (d0, d1, s0), domain: d0 in [0, 3], d1 in [0, 127], d2 in [0, 255], s0 "
               "in [0, 63]"},
              {I2O, 1, 0,
               "(d0, d1, d2)[s0] -> (d0, s0, d2), domain: d0 in [0, 3], d1 in [0, 255], d2 in [0, 63], s0 in "
               "[0, 127]"}}},
    {.name = "Pad",
     .hlo = "p0 = f32[4, 4] parameter(0)\n"
            "p1 = f32[] parameter(1)\n"
            "pad = f32[12, 16] pad(p0, p1), padding=1_4_1x4_8_0\n",
     .ways = {{O2I, 0, 0,
               "(d0, d1) -> ((d0 - 1) floordiv 2, d1 - 4), domain: d0 in [1, 7], d1 in [4, 7], (d0 - 1) mod "
               "2 in [0, 0]"},
              {O2I, 0, 1, "(d0, d1) -> (), domain: d0 in [0, 11], d1 in [0, 15]"}}},
    {.name = "ReduceWindow",
     .hlo = "c_inf = f32[] constant(-inf)\n"
            "p0 = f32[1024, 514] parameter(0)\n"
            "outpu = f32[1024, 3] reduce-window(p0, c_inf), window={size=1x512 pad=0_0x0_0}, to_apply=max\n",
     .ways = {{O2I, 0, 0,
               "(d0, d1)[s0] -> (d0, d1 + s0), domain: d0 in [0, 1023], d1 in [0, 2], s0 in [0, 511]"},
              {O2I, 0, 1, "(d0, d1) -> (), domain: d0 in [0, 1023], d1 in [0, 2]"}}},
};

static tsr_hlo *parse(const char *text)
{
    tsr_hlo *hlo;
    assert_ok(tsr_hlo_parse(&hlo, text, err));
    return hlo;
}

static void test_document(void **state)
{
    (void)state;
    int nbad = 0;
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        tsr_hlo *hlo = parse(examples[i].hlo);
        for (int k = 0; k < 8 && examples[i].ways[k].map; k++) {
            const int root = tsr_hlo_root(hlo), a = examples[i].ways[k].first, b = examples[i].ways[k].second;
            tsr_hlo_indexing ways;
            if (examples[i].ways[k].direction == O2I)
                assert_ok(tsr_hlo_output_to_input(&ways, hlo, (tsr_hlo_edge){root, a, b}, false, err));
            else
                assert_ok(tsr_hlo_input_to_output(&ways, hlo, (tsr_hlo_edge){root, b, a}, false, err));
            if (ways.n != 1 || !hlo_has_way(&ways, examples[i].ways[k].map)) {
                hlo_report(hlo, &ways, examples[i].name, examples[i].ways[k].map);
                nbad++;
            }
            tsr_hlo_indexing_clear(&ways);
        }
        tsr_hlo_free(hlo);
    }
    assert_int_equal(nbad, 0);
}

/* ---- several operations ---- */

static const char softmax[] =
    "softmax { p0 = f32[2,65,125]{2,1,0} parameter(0)\n"
    "  bitcast0 = f32[65,2,125]{2,1,0} bitcast(p0)\n"
    "  neg_inf = f32[] constant(-inf)\n"
    "  reduce0 = f32[2,65]{1,0} reduce(p0, neg_inf), dimensions={2}, to_apply=max\n"
    "  bitcast1 = f32[130]{0} bitcast(reduce0)\n"
    "  bcast1 = f32[130,125]{1,0} broadcast(bitcast1), dimensions={0}\n"
    "  bitcast2 = f32[65,2,125]{2,1,0} bitcast(bcast1)\n"
    "  subtract0 = f32[65,2,125]{2,1,0} subtract(bitcast0, bitcast2)\n"
    "  exponential0 = f32[65,2,125]{2,1,0} exponential(subtract0)\n"
    "  zero = f32[] constant(0)\n"
    "  reduce2 = f32[65,2]{1,0} reduce(exponential0, zero), dimensions={2}, to_apply=add\n"
    "  bitcast6 = f32[130]{0} bitcast(reduce2)\n"
    "  bcast3 = f32[130,125]{1,0} broadcast(bitcast6), dimensions={0}\n"
    "  bitcast7 = f32[65,2,125]{2,1,0} bitcast(bcast3)\n"
    "  divide = f32[65,2,125]{2,1,0} divide(exponential0, bitcast7)\n"
    "  ROOT bitcast8 = f32[2,65,125]{2,1,0} bitcast(divide) }\n"
    "ENTRY e { p0 = f32[2,65,125]{2,1,0} parameter(0)\n"
    "  ROOT fusion = f32[2,65,125]{2,1,0} fusion(p0), kind=kLoop, calls=softmax }\n";

/* Exactly these ways from the root to the instruction `to`, or (NULL) to operand 0 of a fusion. */
static const struct {
    const char *name, *hlo, *to;
    const char *ways[4];
} fusions[] = {
    {"p0 + transpose(p0)",
     "f { p0 = f32[1000, 1000] parameter(0)\n"
     "  transpose_p0 = f32[1000, 1000]{0, 1} transpose(p0), dimensions={1, 0}\n"
     "  ROOT a0 = f32[1000, 1000] add(p0, transpose_p0) }",
     "p0",
     {"(d0, d1) -> (d0, d1), domain: d0 in [0, 999], d1 in [0, 999]",
      "(d0, d1) -> (d1, d0), domain: d0 in [0, 999], d1 in [0, 999]"}},
    {"two transposes that are the same",
     "f { p0 = f32[20, 10, 50] parameter(0)\n"
     "  lhs_transpose_1 = f32[10, 20, 50] transpose(p0), dimensions={1, 0, 2}\n"
     "  lhs_e = f32[10, 20, 50] exponential(lhs_transpose_1)\n"
     "  lhs_transpose_2 = f32[10, 50, 20] transpose(lhs_e), dimensions={0, 2, 1}\n"
     "  rhs_transpose_1 = f32[50, 10, 20] transpose(p0), dimensions={2, 1, 0}\n"
     "  rhs_log = f32[50, 10, 20] exponential(rhs_transpose_1)\n"
     "  rhs_transpose_2 = f32[10, 50, 20] transpose(rhs_log), dimensions={1, 0, 2}\n"
     "  ROOT add = f32[10, 50, 20] add(lhs_transpose_2, rhs_transpose_2) }",
     "p0",
     {"(d0, d1, d2) -> (d2, d0, d1), domain: d0 in [0, 9], d1 in [0, 49], d2 in [0, 19]"}},
    {"reshapes that cancel",
     "p0 = f32[10, 10, 10] parameter(0)\n"
     "reshape1 = f32[50, 20] reshape(p0)\n"
     "reshape2 = f32[10, 10, 10] reshape(reshape1)\n",
     "p0",
     {"(d0, d1, d2) -> (d0, d1, d2), domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]"}},
    {"softmax",
     softmax,
     NULL,
     {"(d0, d1, d2)[s0] -> (d0, d1, s0), domain: d0 in [0, 1], d1 in [0, 64], d2 in [0, 124], s0 in [0, 124]",
      "(d0, d1, d2) -> (d0, d1, d2), domain: d0 in [0, 1], d1 in [0, 64], d2 in [0, 124]"}},
};

static void test_fusions(void **state)
{
    (void)state;
    int nbad = 0;
    for (size_t i = 0; i < sizeof fusions / sizeof fusions[0]; i++) {
        tsr_hlo *hlo = parse(fusions[i].hlo);
        const int root = tsr_hlo_root(hlo);
        tsr_hlo_indexing ways;
        int n = 0;
        if (fusions[i].to)
            assert_ok(tsr_hlo_reads(&ways, hlo, root, 0, tsr_hlo_find(hlo, fusions[i].to), err));
        else
            assert_ok(tsr_hlo_output_to_input(&ways, hlo, (tsr_hlo_edge){root, 0, 0}, false, err));
        for (; n < 4 && fusions[i].ways[n]; n++)
            if (!hlo_has_way(&ways, fusions[i].ways[n])) {
                hlo_report(hlo, &ways, fusions[i].name, fusions[i].ways[n]);
                nbad++;
            }
        if (ways.n != n) {
            hlo_report(hlo, &ways, fusions[i].name, "other ways only");
            nbad++;
        }
        tsr_hlo_indexing_clear(&ways);
        tsr_hlo_free(hlo);
    }
    assert_int_equal(nbad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_document), cmocka_unit_test(test_fusions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
