/* Building, folding and printing of loop programs; errors of use; failing allocations. */
#include "tsr_test.h"

#include "ir_programs.h"
#include "tsr_alloc.h"

#define I(c) tsr_ir_index(b, c)

static void test_programs_print(void **state)
{
    (void)state;
    static const char spmv[] =
        "# y(i) = A(i,j)*x(j)\n"
        "# A: csr\n"
        "spmv(nthreads, i_size, j_size, A2_npos, A2_pos: const u32 index[i_size + 1], "
        "A2_crd: const u16 index[A2_npos], A: const f64[A2_npos], x: const f64[j_size], y: f64[i_size])\n"
        "  for t in [0, nthreads) parallel\n"
        "    # the rows of this thread: as many entries as the others have\n"
        "    let lo_target: index = A2_npos * t floordiv nthreads\n"
        "    var lo: index = 0\n"
        "    var lo_end: index = i_size\n"
        "    while lo < lo_end\n"
        "      let middle: index = lo + (lo_end - lo) floordiv 2\n"
        "      if lo_target <= A2_pos[middle]\n"
        "        lo_end = middle\n"
        "      else\n"
        "        lo = middle + 1\n"
        "    let hi_target: index = A2_npos * (t + 1) floordiv nthreads\n"
        "    var hi: index = 0\n"
        "    var hi_end: index = i_size\n"
        "    while hi < hi_end\n"
        "      let middle: index = hi + (hi_end - hi) floordiv 2\n"
        "      if hi_target <= A2_pos[middle]\n"
        "        hi_end = middle\n"
        "      else\n"
        "        hi = middle + 1\n"
        "    for i in [lo, hi)\n"
        "      var sum: f64 = 0.0\n"
        "      for pA2 in [A2_pos[i], A2_pos[i + 1])\n"
        "        let j: index = A2_crd[pA2]\n"
        "        sum += A[pA2] * x[j]\n"
        "      y[i] = sum\n";
    tsr_ir_builder *b = tsr_ir_builder_new("spmv");
    program_spmv(b);
    tsr_ir *ir = program_finish(b, "y(i) = A(i,j)*x(j)\nA: csr");
    char *text = program_text(ir);
    assert_string_equal(text, spmv);
    free(text);
    assert_int_equal(ir->nparams, 9);
    assert_string_equal(ir->param[8].array->name, "y");
    tsr_ir_free(ir);

    static const char mttkrp[] =
        "mttkrp(i_size, j_size, k_size, B1_npos, B2_npos, B3_npos, B1_crd: const u32 index[B1_npos], "
        "B2_pos: const u32 index[B1_npos + 1], B2_crd: const u32 index[B2_npos], "
        "B3_pos: const u32 index[B2_npos + 1], B3_crd: const u16 index[B3_npos], B: const f32[B3_npos], "
        "C: const f32[j_size * 10], D: const f32[k_size * 10], A: f32[i_size * 10])\n"
        "  for pB1 in [0, B1_npos)\n"
        "    let i: index = B1_crd[pB1]\n"
        "    local row: f64[10] = 0\n"
        "    for pB2 in [B2_pos[pB1], B2_pos[pB1 + 1])\n"
        "      let j: index = B2_crd[pB2]\n"
        "      local fiber: f64[10] = 0\n"
        "      for pB3 in [B3_pos[pB2], B3_pos[pB2 + 1])\n"
        "        prefetch D[B3_crd[pB3] * 10]\n"
        "        let k: index = B3_crd[pB3]\n"
        "        let v: f64 = f64(B[pB3])\n"
        "        for r in [0, 10) vector\n"
        "          fiber[r] += v * f64(D[k * 10 + r])\n"
        "      for r in [0, 10) vector\n"
        "        row[r] += fiber[r] * f64(C[j * 10 + r])\n"
        "    for r in [0, 10) vector\n"
        "      A[i * 10 + r] = f32(row[r])\n";
    b = tsr_ir_builder_new("mttkrp");
    program_mttkrp(b, 10, TSR_F32, TSR_F64);
    ir = program_finish(b, NULL);
    text = program_text(ir);
    assert_string_equal(text, mttkrp);
    free(text);
    tsr_ir_free(ir);
}

/* Expressions of small programs, by hand in reverse Polish: x y z are index parameters; u v are loads of f64;
 * numbers are index constants, 1. and 2. values; T and F are booleans. Operations by their text, "neg" for
 * unary minus. */
static const tsr_ir_expr *polish(tsr_ir_builder *b, const char *text, const tsr_ir_expr *const *xyz,
                                 const tsr_ir_expr *const *uv)
{
    const tsr_ir_type f64 = tsr_ir_value_type(TSR_F64);
    const tsr_ir_expr *stack[20];
    int n = 0;
    char word[20];
    for (int used; sscanf(text, "%19s%n", word, &used) == 1; text += used) {
        const size_t end = strlen(word) - 1;
        if (word[0] >= 'x' && word[0] <= 'z')
            stack[n++] = xyz[word[0] - 'x'];
        else if (word[0] == 'u' || word[0] == 'v')
            stack[n++] = uv[word[0] - 'u'];
        else if (word[0] == 'T' || word[0] == 'F')
            stack[n++] = tsr_ir_bool(b, word[0] == 'T');
        else if (word[end] == '.')
            stack[n++] = tsr_ir_value(b, f64, atof(word));
        else if (word[end] >= '0' && word[end] <= '9')
            stack[n++] = I(strtoll(word, NULL, 10));
        else if (strcmp(word, "select") == 0) {
            n -= 2;
            stack[n - 1] = tsr_ir_select(b, stack[n - 1], stack[n], stack[n + 1]);
        } else if (strcmp(word, "neg") == 0)
            stack[n - 1] = tsr_ir_op2(b, TSR_IR_NEG, stack[n - 1], NULL);
        else {
            static const char *const names[] = {
#define X(name, text, nargs, kind) text,
#include "ops.def"
#undef X
            };
            int op = 0;
            while (strcmp(names[op], word) != 0)
                op++;
            if (op != TSR_IR_NOT)
                n--;
            stack[n - 1] = tsr_ir_op2(b, (tsr_ir_op)op, stack[n - 1], op == TSR_IR_NOT ? NULL : stack[n]);
        }
    }
    assert_int_equal(n, 1);
    return stack[0];
}

/* `text` built and printed, as the only statement of a program; the caller frees. NULL: it cannot be built,
 * and *err has the reason. */
static char *built(const char *polish_text, tsr_error *err)
{
    tsr_ir_builder *b = tsr_ir_builder_new("f");
    const tsr_ir_expr *xyz[] = {tsr_ir_index_param(b, "x"), tsr_ir_index_param(b, "y"),
                                tsr_ir_index_param(b, "z")};
    const tsr_ir_array *a = tsr_ir_array_param(b, "a", false, TSR_F64, true, NULL);
    const tsr_ir_type f64 = tsr_ir_value_type(TSR_F64);
    const tsr_ir_expr *uv[] = {tsr_ir_load_value(b, a, I(0), f64), tsr_ir_load_value(b, a, I(1), f64)};
    tsr_ir_declare(b, "it", polish(b, polish_text, xyz, uv), false);
    tsr_ir *ir;
    if (tsr_ir_finish(&ir, b, "", err) != TSR_OK)
        return NULL;
    char *text = program_text(ir);
    tsr_ir_free(ir);
    char *it = strstr(text, " = ") + 3;
    it[strlen(it) - 1] = '\0';
    memmove(text, it, strlen(it) + 1);
    return text;
}

static void test_folding(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"x 0 +", "x"},
        {"0 x +", "x"},
        {"x 1 *", "x"},
        {"1 x *", "x"},
        {"0 x *", "0"},
        {"x 0 *", "0"},
        {"x 2 + 3 +", "x + 5"},
        {"x 2 + 3 -", "x - 1"},
        {"x 2 - 2 +", "x"},
        {"3 x +", "x + 3"},
        {"3 x -", "3 - x"},
        {"x -3 +", "x - 3"},
        {"x x -", "0"},
        {"x y -", "x - y"},
        {"x 4 * 8 *", "x * 32"},
        {"8 x 4 * *", "x * 32"},
        {"x x min", "x"},
        {"x y min", "min(x, y)"},
        {"3 4 max", "4"},
        {"-7 2 floordiv", "-4"},
        {"-7 2 mod", "1"},
        {"7 0 floordiv", "7 floordiv 0"},
        {"7 -2 mod", "7 mod -2"},
        {"x 1 floordiv", "x"},
        {"x 21 gather", "gather(x, 21)"},
        {"x 0 gather", "0"},
        {"52 21 gather", "6"},
        {"-1 21 gather", "gather(-1, 21)"},
        {"x 7 mask", "mask(x, 7)"},
        {"x 0 mask", "0"},
        {"x y mask", "mask(x, y)"},
        {"52 21 mask", "20"},
        {"-1 21 mask", "mask(-1, 21)"},
        {"x 1 mod", "0"},
        {"x 2 floordiv 3 mod", "x floordiv 2 mod 3"},
        {"x y 2 * mod", "x mod (y * 2)"},
        {"x neg neg", "x"},
        {"x neg y -", "-x - y"},
        {"9223372036854775807 1 +", "9223372036854775807 + 1"},
        {"x 9223372036854775807 + 1 +", "x + 9223372036854775807 + 1"},
        {"4611686018427387904 2 *", "4611686018427387904 * 2"},
        {"1 2 <", "true"},
        {"2 2 <", "false"},
        {"x x ==", "true"},
        {"x x <", "false"},
        {"x x <=", "true"},
        {"x x !=", "false"},
        {"x y < T and", "x < y"},
        {"T x y < and", "x < y"},
        {"x y < F and", "false"},
        {"x y < T or", "true"},
        {"x y < not not", "x < y"},
        {"x y < y z == and x z != or", "x < y and y == z or x != z"},
        {"x y < y z == or x z != and", "(x < y or y == z) and x != z"},
        {"T not", "false"},
        {"x y < x y select", "select(x < y, x, y)"},
        {"T u v select", "a[0]"},
        {"u 1. *", "a[0]"},
        {"1. u *", "a[0]"},
        {"u 0. *", "a[0] * 0.0"},
        {"u 0. +", "a[0] + 0.0"},
        {"2. 2. *", "2.0 * 2.0"},
        {"u u -", "a[0] - a[0]"},
        {"u v u + +", "a[0] + (a[1] + a[0])"},
        {"u v + u +", "a[0] + a[1] + a[0]"},
        {"u v u * -", "a[0] - a[1] * a[0]"},
        {"u v - u *", "(a[0] - a[1]) * a[0]"},
        {"u v == u neg v < or", "a[0] == a[1] or -a[0] < a[1]"},
        {"x y + z *", "(x + y) * z"},
        {"x y z - -", "x - (y - z)"},
        {"u v < x y < ==", NULL},
        {"u v <", "a[0] < a[1]"},
        {"x u +", NULL},
        {"u v mod", NULL},
        {"x y /", NULL},
        {"x not", NULL},
        {"x y < neg", NULL},
        {"x u v select", NULL},
        {"x y < x v select", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tsr_error err = {0};
        char *text = built(rows[i][0], &err);
        if (text && rows[i][1])
            assert_string_equal(text, rows[i][1]);
        else if (text || rows[i][1])
            fail_msg("%s: %s %s", rows[i][0], text ? text : "", err.message);
        else
            assert_int_equal(err.status, TSR_ARGUMENT);
        free(text);
    }
}

/* Each misuse is one error, which tsr_ir_finish returns. */
static void misuse_end(tsr_ir_builder *b)
{
    tsr_ir_end(b);
}
static void misuse_open(tsr_ir_builder *b)
{
    tsr_ir_if(b, tsr_ir_bool(b, true));
}
static void misuse_else(tsr_ir_builder *b)
{
    tsr_ir_for(b, "i", I(0), I(1), 0);
    tsr_ir_else(b);
    tsr_ir_end(b);
}
static void misuse_second_else(tsr_ir_builder *b)
{
    tsr_ir_if(b, tsr_ir_bool(b, true));
    tsr_ir_else(b);
    tsr_ir_else(b);
    tsr_ir_end(b);
}
static void misuse_missing(tsr_ir_builder *b)
{
    tsr_ir_declare(b, "x", NULL, false);
}
static void misuse_operand(tsr_ir_builder *b)
{
    tsr_ir_add(b, I(1), NULL);
}
static void misuse_name(tsr_ir_builder *b)
{
    tsr_ir_declare(b, "2x", I(1), false);
}
static void misuse_constant(tsr_ir_builder *b)
{
    tsr_ir_assign(b, tsr_ir_declare(b, "x", I(1), false), I(2), false);
}
static void misuse_scope(tsr_ir_builder *b)
{
    const tsr_ir_expr *i = tsr_ir_for(b, "i", I(0), I(1), 0);
    tsr_ir_end(b);
    tsr_ir_declare(b, "x", i, false);
}
static void misuse_type(tsr_ir_builder *b)
{
    const tsr_ir_expr *x = tsr_ir_declare(b, "x", I(1), true);
    tsr_ir_assign(b, x, tsr_ir_value(b, tsr_ir_value_type(TSR_F64), 1), false);
}
static void misuse_const_array(tsr_ir_builder *b)
{
    const tsr_ir_array *a = tsr_ir_array_param(b, "a", false, TSR_F64, true, NULL);
    tsr_ir_store(b, a, I(0), tsr_ir_value(b, tsr_ir_value_type(TSR_F64), 1), false, false);
}
static void misuse_index_value(tsr_ir_builder *b)
{
    const tsr_ir_array *a = tsr_ir_index_array_new(b, "a", TSR_U8, TSR_IR_LOCAL, I(4), true);
    tsr_ir_store(b, a, I(0), tsr_ir_value(b, tsr_ir_value_type(TSR_F64), 1), false, false);
}
static void misuse_index_type(tsr_ir_builder *b)
{
    tsr_ir_index_array_new(b, "a", TSR_F64, TSR_IR_LOCAL, I(4), true);
}
static void misuse_sort(tsr_ir_builder *b)
{
    tsr_ir_sort(b, tsr_ir_array_param(b, "a", true, TSR_U8, true, NULL), I(0), I(1));
}
static const tsr_ir_array *indices(tsr_ir_builder *b, tsr_type elem, int n)
{
    return tsr_ir_index_array_new(b, "a", elem, TSR_IR_LOCAL, I(n), true);
}
static void misuse_match(tsr_ir_builder *b)
{
    const tsr_ir_array *x = indices(b, TSR_U8, 4);
    tsr_ir_match(b, indices(b, TSR_U64, 9), x, x, (const tsr_ir_expr *const[]){I(0), I(1), I(0), I(1)});
}
static void misuse_match_types(tsr_ir_builder *b)
{
    const tsr_ir_array *x = indices(b, TSR_U8, 4), *y = indices(b, TSR_U16, 4);
    tsr_ir_match(b, indices(b, TSR_U64, 67), x, y, (const tsr_ir_expr *const[]){I(0), I(1), I(0), I(1)});
}
static void misuse_take(tsr_ir_builder *b)
{
    const tsr_ir_array *list = indices(b, TSR_U8, 4), *marks = indices(b, TSR_U16, 4);
    tsr_ir_take(b, list, I(0), marks, (const tsr_ir_expr *const[]){I(0), I(1)}, I(0));
}
static void misuse_take_same(tsr_ir_builder *b)
{
    const tsr_ir_array *x = indices(b, TSR_U8, 4);
    tsr_ir_take(b, x, I(0), x, (const tsr_ir_expr *const[]){I(0), I(1)}, I(0));
}
static void misuse_unite(tsr_ir_builder *b)
{
    const tsr_ir_array *x = indices(b, TSR_U32, 4), *y = indices(b, TSR_U16, 4);
    const tsr_ir_array *v = tsr_ir_array_new(b, "v", TSR_F64, TSR_IR_LOCAL, I(4), true);
    tsr_ir_unite(b, x, I(0), (const tsr_ir_array *const[]){y, y, v, v, v},
                 (const tsr_ir_expr *const[6]){I(0), I(1), I(0), I(1)});
}
static void misuse_unite_types(tsr_ir_builder *b)
{
    const tsr_ir_array *x = indices(b, TSR_U32, 4);
    const tsr_ir_array *v = tsr_ir_array_new(b, "v", TSR_F32, TSR_IR_LOCAL, I(4), true);
    const tsr_ir_array *w = tsr_ir_array_new(b, "w", TSR_F64, TSR_IR_LOCAL, I(4), true);
    tsr_ir_unite(b, x, I(0), (const tsr_ir_array *const[]){x, x, v, v, w},
                 (const tsr_ir_expr *const[6]){I(0), I(1), I(0), I(1)});
}
static void misuse_unite_same(tsr_ir_builder *b)
{
    const tsr_ir_array *x = indices(b, TSR_U32, 4);
    const tsr_ir_array *v = tsr_ir_array_new(b, "v", TSR_F64, TSR_IR_LOCAL, I(4), true);
    tsr_ir_unite(b, x, I(0), (const tsr_ir_array *const[]){x, x, v, v, v},
                 (const tsr_ir_expr *const[6]){I(0), I(1), I(0), I(1)});
}
static void misuse_unite_small(tsr_ir_builder *b)
{
    const tsr_ir_array *list = indices(b, TSR_U32, 4), *x = indices(b, TSR_U32, 4);
    const tsr_ir_array *v = tsr_ir_array_new(b, "v", TSR_I16, TSR_IR_LOCAL, I(4), true);
    const tsr_ir_array *sum = tsr_ir_array_new(b, "sum", TSR_I16, TSR_IR_LOCAL, I(4), true);
    tsr_ir_unite(b, list, I(0), (const tsr_ir_array *const[]){x, x, v, v, sum},
                 (const tsr_ir_expr *const[6]){I(0), I(1), I(0), I(1)});
}
static void misuse_unite_factor(tsr_ir_builder *b)
{
    const tsr_ir_array *list = indices(b, TSR_U32, 4), *x = indices(b, TSR_U32, 4);
    const tsr_ir_array *v = tsr_ir_array_new(b, "v", TSR_F32, TSR_IR_LOCAL, I(4), true);
    const tsr_ir_array *sum = tsr_ir_array_new(b, "sum", TSR_F32, TSR_IR_LOCAL, I(4), true);
    tsr_ir_unite(b, list, I(0), (const tsr_ir_array *const[]){x, x, v, v, sum},
                 (const tsr_ir_expr *const[6]){I(0), I(1), I(0), I(1), NULL, I(2)});
}
static void misuse_intersect(tsr_ir_builder *b)
{
    const tsr_ir_array *list = indices(b, TSR_U32, 4), *x = indices(b, TSR_U32, 4);
    const tsr_ir_array *v = tsr_ir_array_new(b, "v", TSR_I16, TSR_IR_LOCAL, I(4), true);
    const tsr_ir_array *product = tsr_ir_array_new(b, "product", TSR_I16, TSR_IR_LOCAL, I(4), true);
    tsr_ir_intersect(b, list, I(0), (const tsr_ir_array *const[]){x, x, v, v, product},
                     (const tsr_ir_expr *const[4]){I(0), I(1), I(0), I(1)});
}
static void misuse_join(tsr_ir_builder *b)
{
    tsr_ir_join(b, tsr_ir_output_param(b, "a", true, TSR_U8));
}
static void misuse_parts(tsr_ir_builder *b)
{
    const tsr_ir_array *a = tsr_ir_output_param(b, "a", true, TSR_U8);
    tsr_ir_parts(b, a, &(tsr_ir_extent){I(1), I(1), I(0)});
    tsr_ir_parts(b, a, &(tsr_ir_extent){I(1), I(1), I(0)});
}
static void misuse_part(tsr_ir_builder *b)
{
    tsr_ir_part_new(b, tsr_ir_output_param(b, "a", true, TSR_U8), I(0));
}
static void misuse_part_in_block(tsr_ir_builder *b)
{
    const tsr_ir_array *a = tsr_ir_output_param(b, "a", true, TSR_U8);
    tsr_ir_parts(b, a, &(tsr_ir_extent){I(1), I(1), I(0)});
    tsr_ir_if(b, tsr_ir_bool(b, true));
    tsr_ir_part_new(b, a, I(0));
    tsr_ir_end(b);
}
static void misuse_reserve(tsr_ir_builder *b)
{
    tsr_ir_reserve(b, tsr_ir_index_array_new(b, "a", TSR_U8, TSR_IR_LOCAL, I(4), true), I(5));
}
static void misuse_give_in_block(tsr_ir_builder *b)
{
    const tsr_ir_array *a = tsr_ir_output_param(b, "a", true, TSR_U8);
    tsr_ir_parts(b, a, &(tsr_ir_extent){I(1), I(1), I(0)});
    const tsr_ir_array *part = tsr_ir_part_new(b, a, I(0));
    tsr_ir_if(b, tsr_ir_bool(b, true));
    tsr_ir_give(b, part, I(0), I(0), I(0));
    tsr_ir_end(b);
}
static void misuse_taken(tsr_ir_builder *b)
{
    tsr_ir_for_taken(b, "i", tsr_ir_index_array_new(b, "a", TSR_U8, TSR_IR_HEAP, I(1), true), I(4));
    tsr_ir_end(b);
}
static void misuse_taken_in_block(tsr_ir_builder *b)
{
    const tsr_ir_array *a = tsr_ir_index_array_new(b, "a", TSR_U64, TSR_IR_HEAP, I(1), true);
    tsr_ir_if(b, tsr_ir_bool(b, true));
    tsr_ir_for_taken(b, "i", a, I(4));
    tsr_ir_end(b);
    tsr_ir_end(b);
}
static void misuse_not_joined(tsr_ir_builder *b)
{
    const tsr_ir_array *a = tsr_ir_output_param(b, "a", true, TSR_U8);
    tsr_ir_parts(b, a, &(tsr_ir_extent){I(1), I(1), I(0)});
}
static void misuse_output_unseen(tsr_ir_builder *b)
{
    const tsr_ir_array *a = tsr_ir_output_param(b, "a", true, TSR_U8);
    tsr_ir_store(b, a, I(0), I(1), false, false);
    tsr_ir_output_new(b, a, I(1), false);
}
static void misuse_output_missing(tsr_ir_builder *b)
{
    tsr_ir_output_param(b, "a", true, TSR_U8);
    tsr_ir_comment(b, "nothing");
}
static void misuse_output_twice(tsr_ir_builder *b)
{
    const tsr_ir_array *a = tsr_ir_output_param(b, "a", false, TSR_F64);
    tsr_ir_output_new(b, a, I(1), false);
    tsr_ir_output_new(b, a, I(1), false);
}
static void misuse_index_array(tsr_ir_builder *b)
{
    const tsr_ir_array *a = tsr_ir_array_param(b, "a", true, TSR_U8, true, NULL);
    tsr_ir_declare(b, "x", tsr_ir_load_value(b, a, I(0), tsr_ir_value_type(TSR_F64)), false);
}
static void misuse_atomic(tsr_ir_builder *b)
{
    const tsr_ir_array *a = tsr_ir_array_param(b, "a", false, TSR_F64, false, NULL);
    tsr_ir_store(b, a, I(0), tsr_ir_value(b, tsr_ir_value_type(TSR_F64), 1), false, true);
}
static void misuse_parallel(tsr_ir_builder *b)
{
    tsr_ir_for(b, "i", I(0), I(1), TSR_IR_PARALLEL);
    tsr_ir_for(b, "j", I(0), I(1), TSR_IR_PARALLEL);
    tsr_ir_end(b);
    tsr_ir_end(b);
}
static void misuse_shared(tsr_ir_builder *b)
{
    const tsr_ir_expr *x = tsr_ir_declare(b, "x", I(1), true);
    const tsr_ir_expr *i = tsr_ir_for(b, "i", I(0), I(1), TSR_IR_PARALLEL);
    tsr_ir_assign(b, x, i, true);
    tsr_ir_end(b);
}
static void misuse_heap(tsr_ir_builder *b)
{
    tsr_ir_for(b, "i", I(0), I(1), 0);
    tsr_ir_array_new(b, "a", TSR_F64, TSR_IR_HEAP, I(4), true);
    tsr_ir_end(b);
}
static void misuse_local(tsr_ir_builder *b)
{
    tsr_ir_array_new(b, "a", TSR_F64, TSR_IR_LOCAL, tsr_ir_index_param(b, "n"), true);
}
static void misuse_huge_local(tsr_ir_builder *b)
{
    tsr_ir_array_new(b, "a", TSR_F64, TSR_IR_LOCAL, I(1 << 20), true);
}
static void misuse_complex(tsr_ir_builder *b)
{
    const tsr_ir_expr *c = tsr_ir_value(b, tsr_ir_value_type(TSR_C64), 1);
    tsr_ir_convert(b, c, tsr_ir_value_type(TSR_F64));
}
static void misuse_value(tsr_ir_builder *b)
{
    tsr_ir_value(b, tsr_ir_value_type(TSR_U8), 256);
}
static void misuse_length(tsr_ir_builder *b)
{
    const tsr_ir_array *n = tsr_ir_array_param(b, "n", true, TSR_U8, true, NULL);
    tsr_ir_array_param(b, "a", false, TSR_F64, true, tsr_ir_load_index(b, n, I(0)));
}
static void misuse_nesting(tsr_ir_builder *b)
{
    for (int i = 0; i < 300; i++)
        tsr_ir_if(b, tsr_ir_bool(b, true));
    for (int i = 0; i < 300; i++)
        tsr_ir_end(b);
}
static void misuse_depth(tsr_ir_builder *b)
{
    const tsr_ir_expr *x = tsr_ir_index_param(b, "x");
    for (int i = 0; i < 3000; i++)
        x = tsr_ir_op2(b, TSR_IR_MOD, x, I(7 + i));
}
static void misuse_without_bound(tsr_ir_builder *b)
{
    tsr_ir_for(b, "i", NULL, I(1), 0);
    tsr_ir_end(b);
}
static void misuse_without_arrays(tsr_ir_builder *b)
{
    const tsr_ir_array *a = tsr_ir_index_array_new(b, "a", TSR_U32, TSR_IR_LOCAL, I(4), true);
    tsr_ir_unite(b, a, I(0), (const tsr_ir_array *[5]){0}, (const tsr_ir_expr *[6]){0});
}
static void misuse_without_positions(tsr_ir_builder *b)
{
    tsr_ir_multiply(b, NULL, I(0), (const tsr_ir_array *[9]){0}, (const tsr_ir_expr *[8]){0});
}
static void misuse_double(tsr_ir_builder *b)
{
    const tsr_ir_expr *x = tsr_ir_index_param(b, "x");
    for (int i = 0; i < 100; i++)
        x = tsr_ir_mul(b, x, x);
}

static void test_misuse_is_told(void **state)
{
    (void)state;
    static const struct {
        void (*build)(tsr_ir_builder *b);
        const char *message;
    } rows[] = {
        {misuse_end, "the end of a block that was not opened"},
        {misuse_open, "a block of the program is not closed"},
        {misuse_else, "an else without an if"},
        {misuse_second_else, "an else without an if"},
        {misuse_missing, "the value of a declaration is missing"},
        {misuse_operand, "an operand is missing"},
        {misuse_without_bound, "loop program f, statement 1 (i): an expression is missing"},
        {misuse_without_arrays,
         "loop program f, statement 3 (a): an array that does not belong to this program"},
        {misuse_without_positions,
         "loop program f, statement 2 (product of rows): an array that does not belong to this program"},
        {misuse_name, "'2x' is not a valid name"},
        {misuse_constant, "an assignment to something that is not a mutable variable"},
        {misuse_scope, "loop program f, statement 2 (x): variable 'i' is not declared here"},
        {misuse_type, "loop program f, statement 2 (x): f64 where index is needed"},
        {misuse_const_array, "loop program f, statement 1 (a): array 'a' is only read"},
        {misuse_index_array, "'a' cannot be loaded as f64"},
        {misuse_index_value, "loop program f, statement 2 (a): array 'a' stores values of another type"},
        {misuse_index_type, "array 'a' cannot hold f64"},
        {misuse_sort, "loop program f, statement 1 (a): array 'a' is not a writable array of indices"},
        {misuse_match,
         "loop program f, statement 3 (a2): the array 'a2' of a match must be local, of at least "
         "67 elements u64"},
        {misuse_match_types, "loop program f, statement 4 (a3): the lists of a match must be other arrays of "
                             "indices, of the same type"},
        {misuse_take, "loop program f, statement 4 (a): the marks of a take must be u8, and the count u64"},
        {misuse_take_same, "loop program f, statement 3 (a): the arrays of a take must differ"},
        {misuse_unite,
         "loop program f, statement 5 (a): the lists of a union must be arrays of indices, of the "
         "type of the result"},
        {misuse_unite_types, "loop program f, statement 5 (a): the values of a union must be f64"},
        {misuse_unite_small,
         "loop program f, statement 6 (a): a union adds real numbers and integers of 4 or 8 bytes, not i16"},
        {misuse_unite_factor, "loop program f, statement 6 (a): index where f32 is needed"},
        {misuse_unite_same, "loop program f, statement 4 (a): the arrays of a union must differ"},
        {misuse_intersect, "loop program f, statement 6 (a): an intersection multiplies real numbers and "
                           "integers of 4 or 8 bytes, not i16"},
        {misuse_join, "loop program f, statement 1 (a): 'a' does not consist of parts"},
        {misuse_parts, "loop program f, statement 2 (a): 'a' cannot consist of parts"},
        {misuse_part, "loop program f, statement 1 (a_part): 'a' does not consist of parts"},
        {misuse_part_in_block, "loop program f, statement 3 (a_part): part 'a_part' is declared in a block"},
        {misuse_reserve, "loop program f, statement 2 (a): array 'a' is not a part"},
        {misuse_give_in_block, "loop program f, statement 4 (a_part): part 'a_part' is given in a block"},
        {misuse_taken, "loop program f, statement 2 (i): 'a' does not hold the next number of a loop"},
        {misuse_taken_in_block,
         "loop program f, statement 3 (i): a loop whose numbers are taken is in a block, or has other marks"},
        {misuse_not_joined, "loop program f, statement 1 (a): output 'a' is not allocated"},
        {misuse_output_unseen, "loop program f, statement 1 (a): array 'a' is not declared here"},
        {misuse_output_missing, "loop program f, statement 1 (comment): output 'a' is not allocated"},
        {misuse_output_twice, "'a' is not an output, or is allocated twice"},
        {misuse_atomic, "loop program f, statement 1 (a): an atomic store must be a sum with one lane"},
        {misuse_parallel, "loop program f, statement 2 (j): a parallel loop inside another parallel loop"},
        {misuse_shared,
         "loop program f, statement 3 (x): 'x' is declared outside the parallel loop that assigns to it"},
        {misuse_heap, "loop program f, statement 2 (a): heap array 'a' is declared in a block"},
        {misuse_local,
         "loop program f, statement 1 (a): local array 'a' must have a literal length of 1 to 131072"},
        {misuse_huge_local,
         "loop program f, statement 1 (a): local array 'a' must have a literal length of 1 to 131072"},
        {misuse_complex, "'convert' cannot combine c64 and f64"},
        {misuse_value, "256 is not representable in u8"},
        {misuse_length,
         "loop program f, statement 0 (parameters): the length of 'a' is loaded from an array"},
        {misuse_nesting, "blocks are nested more than 200 deep"},
        {misuse_depth, "an expression has too many operations: 2003, nested 1001 deep"},
        {misuse_double, "an expression has too many operations: 2097151, nested 20 deep"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tsr_ir_builder *b = tsr_ir_builder_new("f");
        rows[i].build(b);
        tsr_ir *ir;
        tsr_error err = {0};
        assert_int_not_equal(tsr_ir_finish(&ir, b, "", &err), TSR_OK);
        assert_null(ir);
        assert_string_equal(err.message, rows[i].message);
    }
}

static void test_names_are_made_different(void **state)
{
    (void)state;
    tsr_ir_builder *b = tsr_ir_builder_new("f");
    tsr_ir_declare(b, "f", I(0), false); /* the name of the function */
    tsr_ir_for(b, "r", I(0), I(1), 0);
    tsr_ir_for(b, "r", I(0), I(1), 0); /* visible: another name */
    tsr_ir_declare(b, "r", I(0), false);
    tsr_ir_declare(b, "r2", I(0), false);
    tsr_ir_end(b);
    tsr_ir_end(b);
    tsr_ir_for(b, "r", I(0), I(1), 0); /* not visible any more */
    tsr_ir_end(b);
    tsr_ir_index_param(b, "r"); /* a name of the whole program */
    tsr_ir_array_new(b, "r3", TSR_F64, TSR_IR_HEAP, I(1), false);
    tsr_ir *ir = program_finish(b, "");
    char *text = program_text(ir);
    assert_string_equal(text, "f(r4)\n"
                              "  let f2: index = 0\n"
                              "  for r in [0, 1)\n"
                              "    for r2 in [0, 1)\n"
                              "      let r3: index = 0\n"
                              "      let r2_2: index = 0\n"
                              "  for r in [0, 1)\n"
                              "  heap r3_2: f64[1]\n");
    free(text);
    tsr_ir_free(ir);
}

static void test_vectors(void **state)
{
    (void)state;
    const tsr_ir_type f64 = tsr_ir_value_type(TSR_F64), f64x8 = {TSR_IR_IS_VALUE, TSR_F64, 8};
    tsr_ir_builder *b = tsr_ir_builder_new("f");
    const tsr_ir_array *a = tsr_ir_array_param(b, "a", false, TSR_F32, true, NULL),
                       *y = tsr_ir_array_param(b, "y", false, TSR_F64, false, NULL);
    const tsr_ir_expr *v = tsr_ir_declare(b, "v", tsr_ir_load_value(b, a, I(0), f64), false);
    const tsr_ir_expr *sum = tsr_ir_declare(b, "sum", tsr_ir_value(b, f64x8, 0), true);
    const tsr_ir_expr *x = tsr_ir_load_value(b, a, I(8), f64x8);
    tsr_ir_assign(b, sum, tsr_ir_mul(b, v, x), true);
    tsr_ir_assign(b, sum, v, true);
    const tsr_ir_expr *zero = tsr_ir_value(b, f64, 0);
    tsr_ir_store(b, y, I(0), tsr_ir_select(b, tsr_ir_op2(b, TSR_IR_NE, x, zero), x, zero), true, false);
    tsr_ir_store(b, y, I(0), tsr_ir_hsum(b, sum), true, true);
    tsr_ir *ir = program_finish(b, "");
    char *text = program_text(ir);
    assert_string_equal(text,
                        "f(a: const f32[], y: f64[])\n"
                        "  let v: f64 = f64(a[0])\n"
                        "  var sum: f64x8 = f64x8(0.0)\n"
                        "  sum += f64x8(v) * f64x8(a[8 : 8])\n"
                        "  sum += f64x8(v)\n"
                        "  y[0 : 8] += select(f64x8(a[8 : 8]) != f64x8(0.0), f64x8(a[8 : 8]), f64x8(0.0))\n"
                        "  y[0] += atomic hsum(sum)\n");
    free(text);
    tsr_ir_free(ir);
}

static void build_all(tsr_ir_builder *b, int which)
{
    if (which == 0)
        program_spmv(b);
    else
        program_mttkrp(b, 16, TSR_F64, TSR_F64);
}

static void test_no_memory_at_any_point(void **state)
{
    (void)state;
    for (int which = 0; which < 2; which++) {
        tsr_faults faults = {0};
        while (tsr_faults_next(&faults)) {
            tsr_ir *ir = NULL;
            tsr_error err = {0};
            tsr_faults_arm(&faults);
            tsr_ir_builder *b = tsr_ir_builder_new("f");
            build_all(b, which);
            const tsr_status status = tsr_ir_finish(&ir, b, "A header.", &err);
            tsr_faults_end(&faults, status);
            assert_true((status == TSR_OK) == (ir != NULL));
            tsr_ir_free(ir);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_programs_print), cmocka_unit_test(test_folding),
        cmocka_unit_test(test_misuse_is_told), cmocka_unit_test(test_names_are_made_different),
        cmocka_unit_test(test_vectors),        cmocka_unit_test(test_no_memory_at_any_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
