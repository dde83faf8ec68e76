/* HLO texts: parsing and its errors, errors of operations that do not fit together, chains of operations,
 * runtime symbols, and failing allocations. */
#include "tsr_test.h"

#include "hlo_support.h"
#include "tsr_alloc.h"

static tsr_hlo *parse(const char *text)
{
    tsr_hlo *hlo;
    assert_ok(tsr_hlo_parse(&hlo, text, err));
    return hlo;
}

static void expect_index(const tsr_hlo *hlo, const tsr_hlo_index *index, const char *want)
{
    tsr_text text = {0};
    tsr_hlo_print_index(&text, hlo, index);
    assert_string_equal(tsr_text_cstr(&text), want);
    tsr_text_clear(&text);
}

/* ---- parsing ---- */

static void test_reading(void **state)
{
    (void)state;
    tsr_hlo *hlo = parse("HloModule m, entry_computation_layout={(f32[4]{0})->f32[4]{0}}\n"
                         "// a line\n"
                         "%add (a: f32[], b: f32[]) -> f32[] {\n"
                         "  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n"
                         "  ROOT %sum.1 = f32[] add(%a, %b), metadata={op_name=\"x}y\" source_line=3}\n}\n"
                         "ENTRY %main (p: f32[4]) -> f32[] { /* comment */\n"
                         "  %p = f32[4]{0} parameter(0)\n  %zero = f32[] constant(0)\n"
                         "  %r-1 = f32[] reduce(f32[4]{0} %p, f32[] %zero), dimensions={0}, to_apply=%add\n"
                         "  ROOT %2 = f32[] negate(%r-1)\n}\n");
    uint64_t dims[16];
    assert_int_equal(tsr_hlo_ninstructions(hlo), 7);
    assert_int_equal(tsr_hlo_root(hlo), 6);
    assert_string_equal(tsr_hlo_name(hlo, 6), "2");
    assert_string_equal(tsr_hlo_opcode(hlo, 5), "reduce");
    assert_int_equal(tsr_hlo_noperands(hlo, 5), 2);
    assert_int_equal(tsr_hlo_operand(hlo, 5, 1), 4);
    assert_int_equal(tsr_hlo_noutputs(hlo, 5), 1);
    assert_int_equal(tsr_hlo_dims(dims, hlo, 3, 0), 1);
    assert_int_equal(dims[0], 4);
    assert_int_equal(tsr_hlo_find(hlo, "sum.1"), 2);
    assert_int_equal(tsr_hlo_find(hlo, "sum"), -1);
    tsr_hlo_free(hlo);
    /* without braces: the last instruction, or ROOT, even if there are computations */
    hlo = parse(
        "x = f32[2] parameter(0);; ROOT y = f32[2] abs(x) f { z = f32[] parameter(0) } w = f32[2] abs(y)");
    assert_string_equal(tsr_hlo_name(hlo, tsr_hlo_root(hlo)), "y");
    tsr_hlo_free(hlo);
    hlo = parse("ROOT = f32[] parameter(0) ENTRY = f32[] abs(ROOT)");
    assert_string_equal(tsr_hlo_name(hlo, tsr_hlo_root(hlo)), "ENTRY");
    tsr_hlo_free(hlo);
    hlo = parse("f { z = f32[] parameter(0) } g { z = f32[] parameter(0) a = f32[] abs(z) }");
    assert_string_equal(tsr_hlo_name(hlo, tsr_hlo_root(hlo)), "a");
    tsr_hlo_free(hlo);
}

static const struct {
    const char *text;
    tsr_status status;
    uint64_t line, col;
    const char *message;
} refused[] = {
    {"", TSR_SYNTAX, 1, 1, "expected an instruction, but the text ends"},
    {" \n // only this", TSR_SYNTAX, 2, 14, "expected an instruction, but the text ends"},
    {"p", TSR_SYNTAX, 1, 2,
     "expected '=' after the name of an instruction, or '{' after that of a computation, but the text ends"},
    {"p =", TSR_SYNTAX, 1, 4, "expected an operation, but the text ends"},
    {"p = f32[4]", TSR_SYNTAX, 1, 11, "expected an operation, but the text ends"},
    {"p = f32[4] parameter", TSR_SYNTAX, 1, 21, "expected '(' after an operation, but the text ends"},
    {"p = f32[4] parameter(0", TSR_SYNTAX, 1, 21, "this '(' is not closed"},
    {"p = f33[4] parameter(0)", TSR_SYNTAX, 1, 5,
     "unknown type 'f33' (known: pred, s8, u8, bf16, f32, c64, ...)"},
    {"a = f32[] parameter(0)\n b = f32[4,x] abs(a)", TSR_SYNTAX, 2, 12, NULL},
    {"p = f32[4] parameter(0)\nq = f32[4] abs(r)", TSR_SYNTAX, 2, 16,
     "unknown instruction 'r': it must be defined before its use"},
    {"p = f32[4] abs(p)", TSR_SYNTAX, 1, 16, "unknown instruction 'p': it must be defined before its use"},
    {"p = f32[4] parameter(0) p = f32[4] parameter(1)", TSR_SYNTAX, 1, 25, "there are two instructions 'p'"},
    {"ROOT p = f32[4] parameter(0) ROOT q = f32[4] abs(p)", TSR_SYNTAX, 1, 35,
     "a computation can have only one ROOT"},
    {"p = f32[4] parameter(0) q = abs(p)", TSR_SYNTAX, 1, 29, "expected the shape of 'q', not 'abs'"},
    {"p = ((f32[4]), f32[]) parameter(0)", TSR_UNSUPPORTED, 1, 6, "a tuple inside a tuple is not supported"},
    {"p = (f32[4] f32[]) parameter(0)", TSR_SYNTAX, 1, 13, "expected ',' or ')' after a shape, not 'f32'"},
    {"p = f32[4] parameter(0), x", TSR_SYNTAX, 1, 27,
     "expected '=' after the name of an attribute, but the text ends"},
    {"p = f32[4] parameter(0), x=", TSR_SYNTAX, 1, 28,
     "expected the value of an attribute, but the text ends"},
    {"p = f32[4] parameter(0), x={1", TSR_SYNTAX, 1, 28, "this '{' is not closed"},
    {"f { p = f32[4] parameter(0)", TSR_SYNTAX, 1, 28, "expected an instruction, but the text ends"},
    {"f { }", TSR_SYNTAX, 1, 1, "computation 'f' has no instructions"},
    {"f (a -> f32[] { }", TSR_SYNTAX, 1, 3, "this '(' is not closed"},
    {"p = f32[4] parameter(0) q = f32[4] abs(p p)", TSR_SYNTAX, 1, 42,
     "expected ',' or ')' after an operand, not 'p'"},
};

static void test_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        tsr_hlo *hlo;
        tsr_error err = {0};
        assert_int_equal(tsr_hlo_parse(&hlo, refused[i].text, &err), refused[i].status);
        assert_null(hlo);
        if (refused[i].message)
            assert_string_equal(err.message, refused[i].message);
        if (err.line != refused[i].line || err.col != refused[i].col)
            fail_msg("'%s': line %d col %d", refused[i].text, (int)err.line, (int)err.col);
    }
}

/* ---- operations that do not fit together ---- */

/* The last instruction; operands a f32[4,6], b f32[4], i s32[2], c f32[]. */
static const struct {
    const char *instruction;
    int operand;
    const char *message;
} unfit[] = {
    {"f32[4,6] add(a, b)", 1, "the shape of 'x' (add) does not follow from its operands"},
    {"f32[6,4] transpose(a), dimensions={0,0}", 0, "dimensions of 'x' names dim 0 twice"},
    {"f32[6,4] transpose(a), dimensions={1}", 0, "'x' permutes 1 dims, but its operand has 2"},
    {"f32[6,4] transpose(a), dimensions={1,2}", 0,
     "dimensions of 'x' names dim 2, but there are only 2 dims"},
    {"f32[6,4] transpose(a), dimensions={1,0", 0, NULL},
    {"f32[4,6] transpose(a), dimensions={1,0}", 0,
     "the shape of 'x' (transpose) does not follow from its operands"},
    {"f32[4,6] transpose(a), dimensions=1_0", 0, "dimensions of 'x' must be a list like {1, 0}, not '1_0'"},
    {"f32[2,6] slice(a), slice={[0:2]}", 0,
     "slice of 'x' must have a [start:limit:stride] for each dim, not '{[0:2]}'"},
    {"f32[2,6] slice(a)", 0, "'x' (slice) has no slice"},
    {"f32[2,7] slice(a), slice={[0:2], [0:7]}", 0, "the slice [0:7] does not lie inside dim 1 of 6"},
    {"f32[5] pad(b, c), padding=1", 0,
     "padding of 'x' must have low_high_interior for each dim, separated by x, not '1'"},
    {"f32[5] pad(b, b), padding=1_0", 1, "operand 1 of 'x' (pad) must be a scalar"},
    {"f32[24] reshape(a, a)", 0, "'x' (reshape) cannot have 2 operands"},
    {"f32[5] reshape(a)", 0,
     "a reshape keeps the number of cells, but [5] and [4, 6] have different numbers of cells"},
    {"f32[9] concatenate(b, b), dimensions={0}", 1,
     "the shape of 'x' (concatenate) does not follow from its operands"},
    {"f32[8] concatenate(b, b)", 1, "'x' (concatenate) needs dimensions={dim}"},
    {"f32[4] reduce(a, c, c), dimensions={1}", 0, "'x' (reduce) cannot have 3 operands"},
    {"f32[4] reduce(a), dimensions={1}", 0, "'x' (reduce) cannot have 1 operands"},
    {"f32[6] dot(b, a), lhs_contracting_dims={0}", 0,
     "'x' pairs 0 batch dims with 0, and 1 contracted dims with 0"},
    {"f32[4] reduce-window(b, c), window={size=2x2}", 0, NULL},
    {"f32[3] reduce-window(b, c), window={size=2 what=3}", 0, NULL},
    {"f32[4] convolution(a, b), window={}, dim_labels=b0f_i0o->b0f", 0,
     "'x' (convolution) needs two operands with the same number of dims, at least 2"},
    {"f32[4,6] convolution(a, a), dim_labels=bf_io", 0,
     "dim_labels of 'x' must be like b01f_i01o->b01f, with a letter or digit for each dim, not 'bf_io'"},
    {"f32[2] dynamic-slice(b, b), dynamic_slice_sizes={2}", 0,
     "'x' (dynamic-slice) needs a scalar offset for each of 1 dims"},
    {"f32[5] dynamic-slice(b, c), dynamic_slice_sizes={5}", 0, "a block of 5 does not fit into dim 0 of 4"},
    {"f32[2] gather(b, i), slice_sizes={1}", 0, NULL},
    {"f32[4] get-tuple-element(b), index=1", 0,
     "'x' takes member 1 of a tuple, but no such member has its shape"},
    {"f32[8,7] all-gather(a), dimensions={0}", 0,
     "the shape of 'x' (all-gather) does not follow from its operands"},
    {"f32[7,6] all-gather(a), dimensions={0}", 0, "the output of 'x' is not a whole number of operands"},
};

static void test_unfit(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof unfit / sizeof unfit[0]; i++) {
        char text[400];
        tsr_hlo *hlo;
        tsr_hlo_indexing ways;
        tsr_error err = {0};
        snprintf(text, sizeof text,
                 "a = f32[4,6] parameter(0) b = f32[4] parameter(1) i = s32[2] parameter(2) c = f32[] "
                 "parameter(3) x = %s",
                 unfit[i].instruction);
        tsr_status status = tsr_hlo_parse(&hlo, text, &err);
        if (status == TSR_OK)
            status = tsr_hlo_output_to_input(&ways, hlo, (tsr_hlo_edge){4, 0, unfit[i].operand}, false, &err);
        if (status == TSR_OK)
            fail_msg("not refused: %s", unfit[i].instruction);
        if (unfit[i].message)
            assert_string_equal(err.message, unfit[i].message);
        tsr_hlo_free(hlo);
    }
}

/* ---- chains ---- */

/* Exactly these ways from the root to an instruction, or from it to the root. */
static const struct {
    const char *name, *hlo, *at;
    bool forward;
    const char *ways[4];
} chains[] = {
    {"what a reduction of a broadcast runs over and does not read",
     "p0 = f32[15, 20] parameter(0) ; c = f32[] constant(0) ;\n"
     "b = f32[15, 32, 20, 64] broadcast(p0), dimensions={0, 2}\n"
     "ROOT r = f32[15, 64] reduce(b, c), dimensions={1, 2}, to_apply=max",
     "p0",
     false,
     {"(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 14], d1 in [0, 63], s0 in [0, 19]"}},
    {"a member of a tuple",
     "p0 = f32[4] parameter(0) p1 = f32[6] parameter(1)\n"
     "n = f32[6] negate(p1) t = (f32[4], f32[6]) tuple(p0, n) g = f32[6] get-tuple-element(t), index=1\n"
     "ROOT r = f32[6] reverse(g), dimensions={0}",
     "p1",
     false,
     {"(d0) -> (-d0 + 5), domain: d0 in [0, 5]"}},
    {"the other member is not read",
     "p0 = f32[4] parameter(0) p1 = f32[6] parameter(1)\n"
     "t = (f32[4], f32[6]) tuple(p0, p1) ROOT g = f32[6] get-tuple-element(t), index=1",
     "p0",
     false,
     {NULL}},
    {"what is read for it",
     "p0 = f32[10] parameter(0) s = f32[5] slice(p0), slice={[0:10:2]} ROOT r = f32[5] reverse(s), "
     "dimensions={0}",
     "p0",
     true,
     {"(d0) -> (-(d0 floordiv 2) + 4), domain: d0 in [0, 8], d0 mod 2 in [0, 0]"}},
    {"unknown stays unknown",
     "p0 = f32[4,4] parameter(0) t = f32[4,4] cholesky(p0) ROOT a = f32[4,4] add(t, p0)",
     "p0",
     false,
     {"unknown indexing", "(d0, d1) -> (d0, d1), domain: d0 in [0, 3], d1 in [0, 3]"}},
    {"nested fusions",
     "f { p = f32[6] parameter(0) ROOT r = f32[6] reverse(p), dimensions={0} }\n"
     "g { p = f32[6] parameter(0) a = f32[6] fusion(p), kind=kLoop, calls=f ROOT b = f32[6] fusion(a), "
     "kind=kLoop, calls=%f }\n"
     "p = f32[6] parameter(0) ROOT c = f32[6] fusion(p), kind=kLoop, calls=g",
     "p",
     false,
     {"(d0) -> (d0), domain: d0 in [0, 5]"}},
    {"a computation that calls itself",
     "p = f32[6] parameter(0) q = f32[6] fusion(p), calls=f f { p = f32[6] parameter(0) ROOT r = f32[6] "
     "fusion(p), calls=f } ROOT r = f32[6] fusion(q), calls=f",
     "p",
     false,
     {"unknown indexing"}},
    {"scan",
     "p = f32[6,2] parameter(0) c = f32[2] parameter(1) s = (f32[6,2], f32[2]) scan(p, c), dimensions={0}, "
     "num_carries=1 ROOT r = f32[6,2] get-tuple-element(s), index=0",
     "p",
     false,
     {"(d0, d1)[s0] -> (s0, d1), domain: d0 in [0, 5], d1 in [0, 1], s0 in [0, 5], d0 - s0 in [0, 5]"}},
    {"the last carry",
     "p = f32[6,2] parameter(0) c = f32[2] parameter(1) s = (f32[6,2], f32[2]) scan(p, c), dimensions={0}, "
     "num_carries=1 ROOT r = f32[2] get-tuple-element(s), index=1",
     "p",
     false,
     {"(d0)[s0] -> (s0, d0), domain: d0 in [0, 1], s0 in [0, 5]"}},
};

static void test_chains(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof chains / sizeof chains[0]; i++) {
        tsr_hlo *hlo = parse(chains[i].hlo);
        const int root = tsr_hlo_root(hlo), at = tsr_hlo_find(hlo, chains[i].at);
        int there = at; /* of the root's computation */
        tsr_hlo_indexing ways;
        int n = 0;
        for (int k = 0; k < tsr_hlo_ninstructions(hlo); k++)
            if (strcmp(tsr_hlo_name(hlo, k), chains[i].at) == 0 &&
                tsr_hlo_reads(&ways, hlo, root, 0, k, NULL) == TSR_OK) {
                there = k;
                tsr_hlo_indexing_clear(&ways);
            }
        if (chains[i].forward)
            assert_ok(tsr_hlo_writes(&ways, hlo, there, root, 0, err));
        else
            assert_ok(tsr_hlo_reads(&ways, hlo, root, 0, there, err));
        bool good = true;
        for (; n < 4 && chains[i].ways[n]; n++)
            good &= hlo_has_way(&ways, chains[i].ways[n]);
        if (!good || ways.n != n) {
            hlo_report(hlo, &ways, chains[i].name, n > 0 ? chains[i].ways[0] : "none");
            fail();
        }
        tsr_hlo_indexing_clear(&ways);
        tsr_hlo_free(hlo);
    }
}

/* ---- runtime symbols ---- */

static void test_runtime(void **state)
{
    (void)state;
    tsr_hlo_indexing ways;
    /* through a reduction: the offset is read once for all s0; the one along dim 1 can only be 0 */
    tsr_hlo *hlo = parse("p = f32[9,4] parameter(0) i = s32[] parameter(1) z = s32[] constant(0) k = f32[] "
                         "constant(0)\n"
                         "d = f32[5,4] dynamic-slice(p, i, z), dynamic_slice_sizes={5,4}\n"
                         "ROOT r = f32[5] reduce(d, k), dimensions={1}");
    assert_ok(tsr_hlo_reads(&ways, hlo, 5, 0, 0, err));
    assert_int_equal(ways.n, 1);
    expect_index(hlo, &ways.index[0],
                 "(d0)[s0]{rt0} -> (d0 + rt0, s0), domain: d0 in [0, 4], s0 in [0, 3], rt0 in [0, 4]\n"
                 "rt0 = i");
    tsr_hlo_indexing_clear(&ways);
    tsr_hlo_free(hlo);
    /* starts that are a moved iota are known; starts that would be clamped are not */
    hlo = parse("p = f32[9] parameter(0) i = s32[2,4] iota(), iota_dimension=1 t = s32[4,2] transpose(i), "
                "dimensions={1,0} s = s32[4,1] slice(t), slice={[0:4],[1:2]}\n"
                "ROOT g = f32[4,6] gather(p, s), offset_dims={1}, collapsed_slice_dims={}, "
                "start_index_map={0}, index_vector_dim=1, slice_sizes={6}");
    assert_ok(tsr_hlo_output_to_input(&ways, hlo, (tsr_hlo_edge){4, 0, 0}, false, err));
    expect_index(hlo, &ways.index[0], "(d0, d1) -> (d0 + d1), domain: d0 in [0, 3], d1 in [0, 5]");
    tsr_hlo_indexing_clear(&ways);
    tsr_hlo_free(hlo);
    hlo = parse("p = f32[8] parameter(0) s = s32[4] iota(), dimensions={0} c = s32[] constant(7)\n"
                "g = f32[4,6] gather(p, s), offset_dims={1}, collapsed_slice_dims={}, start_index_map={0}, "
                "index_vector_dim=1, slice_sizes={6}\n"
                "ROOT d = f32[2] dynamic-slice(p, c), dynamic_slice_sizes={2}");
    assert_ok(tsr_hlo_output_to_input(&ways, hlo, (tsr_hlo_edge){3, 0, 0}, false, err));
    assert_int_equal(ways.index[0].nruntime, 1);
    tsr_hlo_indexing_clear(&ways);
    assert_ok(tsr_hlo_output_to_input(&ways, hlo, (tsr_hlo_edge){4, 0, 0}, false, err));
    assert_int_equal(ways.index[0].nruntime, 1);
    tsr_hlo_indexing_clear(&ways);
    tsr_hlo_free(hlo);
}

/* Names that are far apart double the ways with each step: the analysis stops with an error instead of
 * running forever. */
static void test_too_much(void **state)
{
    (void)state;
    tsr_text text = {0};
    tsr_hlo *hlo;
    tsr_hlo_indexing ways;
    tsr_error err = {0};
    tsr_text_add(&text, "x0 = f32[4096] parameter(0)\n");
    for (int i = 0, n = 4096; i < 11; i++) { /* x[k] + x[k + 2^i] */
        const int step = 1 << i, next = n - step;
        tsr_text_addf(&text, "a%d = f32[%d] slice(x%d), slice={[0:%d]}\n", i, next, i, next);
        tsr_text_addf(&text, "b%d = f32[%d] slice(x%d), slice={[%d:%d]}\n", i, next, i, step, n);
        tsr_text_addf(&text, "x%d = f32[%d] add(a%d, b%d)\n", i + 1, next, i, i);
        n = next;
    }
    hlo = parse(tsr_text_cstr(&text));
    assert_int_equal(tsr_hlo_reads(&ways, hlo, tsr_hlo_root(hlo), 0, 0, &err), TSR_LIMIT);
    assert_int_equal(ways.n, 0);
    assert_string_equal(err.message, "a tensor is read in more than 256 ways");
    tsr_hlo_free(hlo);
    tsr_text_clear(&text);
}

static void test_memory_running_out(void **state)
{
    (void)state;
    if (tsr_alloc_live() < 0)
        skip();
    static const char text[] =
        "f { p = f32[9,4] parameter(0) i = s32[] parameter(1) z = s32[] constant(0)\n"
        "d = f32[5,4] dynamic-slice(p, i, z), dynamic_slice_sizes={5,4}\n"
        "b = f32[20] bitcast(d) v = f32[20] reverse(b), dimensions={0} ROOT a = f32[20] add(b, v) }\n"
        "p = f32[9,4] parameter(0) s = s32[3,1] parameter(1) c = s32[] constant(1)\n"
        "u = f32[20] fusion(p, c), calls=f g = f32[40] all-gather(u), dimensions={0}\n"
        "ROOT h = f32[3,2] gather(g, s), offset_dims={1}, collapsed_slice_dims={}, start_index_map={0}, "
        "index_vector_dim=1, slice_sizes={2}";
    tsr_faults faults = {0};
    while (tsr_faults_next(&faults)) {
        tsr_hlo *hlo;
        tsr_hlo_indexing ways = {0}, back = {0};
        tsr_faults_arm(&faults);
        tsr_status status = tsr_hlo_parse(&hlo, text, NULL);
        if (status == TSR_OK)
            status = tsr_hlo_reads(&ways, hlo, tsr_hlo_root(hlo), 0, tsr_hlo_find(hlo, "u") - 3, NULL);
        if (status == TSR_OK)
            status =
                tsr_hlo_input_to_output(&back, hlo, (tsr_hlo_edge){tsr_hlo_find(hlo, "u"), 0, 0}, true, NULL);
        tsr_faults_end(&faults, status);
        if (!faults.failed) {
            assert_int_equal(ways.n, 2);
            assert_int_equal(back.n, 2);
        }
        tsr_hlo_indexing_clear(&ways);
        tsr_hlo_indexing_clear(&back);
        tsr_hlo_free(hlo);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reading),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_unfit),
        cmocka_unit_test(test_chains),
        cmocka_unit_test(test_runtime),
        cmocka_unit_test(test_too_much),
        cmocka_unit_test(test_memory_running_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
