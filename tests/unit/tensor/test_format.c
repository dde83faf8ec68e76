/* Formats: text forms, rules, names, what can be asked. Mostly tables. */
#include "tsr_test.h"

#include "tsr_alloc.h"
#include "tsr_format.h"

static const char *printed(tsr_text *text, void (*print)(tsr_text *, const tsr_format *),
                           const tsr_format *format)
{
    tsr_text_clear(text);
    print(text, format);
    assert_int_equal(tsr_text_status(text, NULL), TSR_OK);
    return tsr_text_cstr(text);
}

/* Every text form of `format` parses back to an equal format. */
static void assert_round_trip(const tsr_format *format)
{
    void (*const prints[])(tsr_text *, const tsr_format *) = {tsr_format_print, tsr_format_print_long,
                                                              tsr_format_print_name};
    tsr_text text = {0};
    for (size_t k = 0; k < 3; k++) {
        tsr_format *back = NULL;
        printed(&text, prints[k], format);
        assert_ok(tsr_format_parse(&back, tsr_text_cstr(&text), format->order, NULL, err));
        if (!tsr_format_equal(format, back))
            fail_msg("'%s' parses to another format", tsr_text_cstr(&text));
        tsr_format_free(back);
    }
    tsr_text_clear(&text);
}

typedef struct form {
    const char *text;
    int order;
    const char *print, *name, *print_long;
} form;

static const form forms[] = {
    /* short */
    {"d", -1, "d", "dvec", "(i) -> (i : dense)"},
    {"s", -1, "s", "cvec", "(i) -> (i : compressed)"},
    {"c:0", -1, "s", "cvec", "(i) -> (i : compressed)"},
    {"u", -1, "u", "coodup", "(i) -> (i : compressed(nonunique))"},
    {"ds", -1, "ds", "csr", "(i, j) -> (i : dense, j : compressed)"},
    {" ds : 1 , 0 ", 2, "ds:1,0", "csc", "(i, j) -> (j : dense, i : compressed)"},
    {"dc:0,1", 2, "ds", "csr", "(i, j) -> (i : dense, j : compressed)"},
    /* names that other software uses, and level types with parameters */
    {"CSR", 2, "ds", "csr", "(i, j) -> (i : dense, j : compressed)"},
    {"MATSEQAIJ", 2, "ds", "csr", "(i, j) -> (i : dense, j : compressed)"},
    {"cusparse_format_csc", 2, "ds:1,0", "csc", "(i, j) -> (j : dense, i : compressed)"},
    {"aij", 2, "ds", "csr", "(i, j) -> (i : dense, j : compressed)"},
    {"csc_matrix", 2, "ds:1,0", "csc", "(i, j) -> (j : dense, i : compressed)"},
    {"BSR(2,3)", 2,
     "(i, j) -> (i floordiv 2 : dense, j floordiv 3 : compressed, i mod 2 : dense, j mod 3 : dense)",
     "bcsr(2,3)",
     "(i, j) -> (i floordiv 2 : dense, j floordiv 3 : compressed, i mod 2 : dense, j mod 3 : dense)"},
    {"sliced_ell(4)", 2, "(i, j) -> (i : permuted(1), j : chunked(4))", "sell(4,1)",
     "(i, j) -> (i : permuted(1), j : chunked(4))"},
    {"GxB_BITMAP", 2, "(i, j) -> (i : dense, j : bytes)", "bytemap", "(i, j) -> (i : dense, j : bytes)"},
    {"nm(2,4)", 2, "(i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured(2))", "nm(2,4)",
     "(i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured(2))"},
    {"ss", 2, "ss", "dcsr", "(i, j) -> (i : compressed, j : compressed)"},
    {"ss:1,0", 2, "ss:1,0", "dcsc", "(i, j) -> (j : compressed, i : compressed)"},
    {"sd", 2, "sd", "crow", "(i, j) -> (i : compressed, j : dense)"},
    {"sd:1,0", 2, "sd:1,0", "ccol", "(i, j) -> (j : compressed, i : dense)"},
    {"dd", 2, "dd", "dense", "(i, j) -> (i : dense, j : dense)"},
    {"dd:1,0", 2, "dd:1,0", "densec", "(i, j) -> (j : dense, i : dense)"},
    {"uq", 2, "uq", "coo", "(i, j) -> (i : compressed(nonunique), j : singleton)"},
    {"sq", 2, "sq", "sq", "(i, j) -> (i : compressed, j : singleton)"},
    {"uqq", 3, "uqq", "coo",
     "(i, j, k) -> (i : compressed(nonunique), j : singleton(nonunique), k : singleton)"},
    {"sqq", 3, "sqq", "sqq", "(i, j, k) -> (i : compressed, j : singleton, k : singleton)"},
    {"duq", 3, "duq", "duq", "(i, j, k) -> (i : dense, j : compressed(nonunique), k : singleton)"},
    {"dsc", 3, "dss", "dss", "(i, j, k) -> (i : dense, j : compressed, k : compressed)"},
    {"dss:2,0,1", 3, "dss:2,0,1", "dss:2,0,1", "(i, j, k) -> (k : dense, i : compressed, j : compressed)"},
    {"sss:2,0,1", 3, "sss:2,0,1", "csf:2,0,1",
     "(i, j, k) -> (k : compressed, i : compressed, j : compressed)"},
    {"ddddd", 5, "ddddd", "dense",
     "(d0, d1, d2, d3, d4) -> (d0 : dense, d1 : dense, d2 : dense, d3 : dense, d4 : dense)"},
    /* a name wins where its modes fit, letters elsewhere */
    {"csc", 2, "ds:1,0", "csc", "(i, j) -> (j : dense, i : compressed)"},
    {"csc", -1, "ds:1,0", "csc", "(i, j) -> (j : dense, i : compressed)"},
    {"csc", 3, "sss", "csf", "(i, j, k) -> (i : compressed, j : compressed, k : compressed)"},
    {"csc:2,1,0", -1, "sss:2,1,0", "csf:2,1,0",
     "(i, j, k) -> (k : compressed, j : compressed, i : compressed)"},
    {"dcsc", 4, "dsss", "dsss",
     "(i, j, k, l) -> (i : dense, j : compressed, k : compressed, l : compressed)"},
    /* named */
    {"scalar", 0, "() -> ()", "scalar", "() -> ()"},
    {"coo", 0, "() -> ()", "scalar", "() -> ()"},
    {"csr:1,0", 2, "ds:1,0", "csc", "(i, j) -> (j : dense, i : compressed)"},
    {"coo:1,0", -1, "uq:1,0", "cooc", "(i, j) -> (j : compressed(nonunique), i : singleton)"},
    {"cooc", 3, "uqq:2,1,0", "cooc",
     "(i, j, k) -> (k : compressed(nonunique), j : singleton(nonunique), i : singleton)"},
    {"coodup", 2, "(i, j) -> (i : compressed(nonunique), j : singleton(nonunique))", "coodup",
     "(i, j) -> (i : compressed(nonunique), j : singleton(nonunique))"},
    {"coo:2,0,1", 3, "uqq:2,0,1", "coo:2,0,1",
     "(i, j, k) -> (k : compressed(nonunique), i : singleton(nonunique), j : singleton)"},
    {"bcsr(2, 3)", 2,
     "(i, j) -> (i floordiv 2 : dense, j floordiv 3 : compressed, i mod 2 : dense, j mod 3 : dense)",
     "bcsr(2,3)",
     "(i, j) -> (i floordiv 2 : dense, j floordiv 3 : compressed, i mod 2 : dense, j mod 3 : dense)"},
    {"bcsr(2,3):1,0", 2,
     "(i, j) -> (j floordiv 2 : dense, i floordiv 3 : compressed, j mod 2 : dense, i mod 3 : dense)",
     "bcscc(3,2)",
     "(i, j) -> (j floordiv 2 : dense, i floordiv 3 : compressed, j mod 2 : dense, i mod 3 : dense)"},
    {"hicoo", 2,
     "(i, j) -> (i floordiv 128 : compressed(nonunique), j floordiv 128 : singleton, i mod 128 : "
     "compressed(nonunique), j mod 128 : singleton)",
     "hicoo(128)",
     "(i, j) -> (i floordiv 128 : compressed(nonunique), j floordiv 128 : singleton, i mod 128 : "
     "compressed(nonunique), j mod 128 : singleton)"},
    {"hicoo(4):1,0", 2,
     "(i, j) -> (j floordiv 4 : compressed(nonunique), i floordiv 4 : singleton, j mod 4 : "
     "compressed(nonunique), i mod 4 : singleton)",
     "(i, j) -> (j floordiv 4 : compressed(nonunique), i floordiv 4 : singleton, j mod 4 : "
     "compressed(nonunique), i mod 4 : singleton)",
     "(i, j) -> (j floordiv 4 : compressed(nonunique), i floordiv 4 : singleton, j mod 4 : "
     "compressed(nonunique), i mod 4 : singleton)"},
    /* long */
    {"(row,col)->(row:dense,col:compressed)", 2, "ds", "csr", "(i, j) -> (i : dense, j : compressed)"},
    {"() -> ()", -1, "() -> ()", "scalar", "() -> ()"},
    {"(a, b) -> (b : compressed ( nonunique ), a : singleton)", -1, "uq:1,0", "cooc",
     "(i, j) -> (j : compressed(nonunique), i : singleton)"},
    {"(i, j, k) -> (i floordiv 4 : dense, k floordiv 8 : compressed, j : compressed, i mod 4 : dense, k mod "
     "8 "
     ": dense)",
     3,
     "(i, j, k) -> (i floordiv 4 : dense, k floordiv 8 : compressed, j : compressed, i mod 4 : dense, k mod "
     "8 "
     ": dense)",
     "(i, j, k) -> (i floordiv 4 : dense, k floordiv 8 : compressed, j : compressed, i mod 4 : dense, k mod "
     "8 "
     ": dense)",
     "(i, j, k) -> (i floordiv 4 : dense, k floordiv 8 : compressed, j : compressed, i mod 4 : dense, k mod "
     "8 "
     ": dense)"},
    {"(i, j) -> (j - i : compressed, i : compressed)", 2, "(i, j) -> (-i + j : compressed, i : compressed)",
     "(i, j) -> (-i + j : compressed, i : compressed)", "(i, j) -> (-i + j : compressed, i : compressed)"},
    {"(a,b)->(a:dense,b:dense(pitch=0008))", 2, "(i, j) -> (i : dense, j : dense(pitch = 8))",
     "(i, j) -> (i : dense, j : dense(pitch = 8))", "(i, j) -> (i : dense, j : dense(pitch = 8))"},
    {"(i, j) -> (j : dense ( pitch = 9223372036854775807 ), i : compressed)", 2,
     "(i, j) -> (j : dense(pitch = 9223372036854775807), i : compressed)",
     "(i, j) -> (j : dense(pitch = 9223372036854775807), i : compressed)",
     "(i, j) -> (j : dense(pitch = 9223372036854775807), i : compressed)"},
};

static void test_forms(void **state)
{
    (void)state;
    tsr_text text = {0};
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        tsr_format *format = NULL;
        assert_ok(tsr_format_parse(&format, forms[k].text, forms[k].order, NULL, err));
        assert_string_equal(printed(&text, tsr_format_print, format), forms[k].print);
        assert_string_equal(printed(&text, tsr_format_print_long, format), forms[k].print_long);
        assert_string_equal(printed(&text, tsr_format_print_name, format), forms[k].name);
        assert_round_trip(format);
        tsr_format *copy = NULL;
        assert_ok(tsr_format_copy(&copy, format, err));
        assert_true(tsr_format_equal(copy, format));
        tsr_format_free(copy);
        tsr_format_free(format);
    }
    tsr_text_clear(&text);
}

typedef struct fault {
    const char *text;
    int order;
    tsr_status status;
    uint64_t col;
    const char *says;
} fault;

#define ENCODING(entries) "#sparse_tensor.encoding<{ " entries " }>"
#define CSR "map = (d0, d1) -> (d0 : dense, d1 : compressed)"

static const fault faults[] = {
    {"", 2, TSR_SYNTAX, 1, "expected a format"},
    {"  ", 2, TSR_SYNTAX, 3, "the text ends"},
    {"7", 2, TSR_SYNTAX, 1, "not '7'"},
    {"dx", 2, TSR_ARGUMENT, 1, "unknown storage format 'dx': use level letters"},
    {" foo", 2, TSR_ARGUMENT, 2, "unknown storage format 'foo'; did you mean coo?"},
    {"HYB", 2, TSR_ARGUMENT, 1, "the storage format 'HYB' is not here: HYB is two tensors"},
    {"mergecsr", 2, TSR_ARGUMENT, 1, "share them without one: use csr"},
    {"lil_array:1,0", 2, TSR_ARGUMENT, 1, "but a packed tensor does not: use csr"},
    {"cocktail(3)", 2, TSR_ARGUMENT, 1, "use csr, or a file for each part"},
    {"dss", 2, TSR_ARGUMENT, 1, "'dss' has 3 levels, but the tensor has 2 modes"},
    {"ds:1,0,2", -1, TSR_ARGUMENT, 1, "2 levels, but the tensor has 3 modes"},
    {"ds:1,0,2", 2, TSR_ARGUMENT, 4, "the format has 3 modes, but the tensor has 2"},
    {"ds:1", 2, TSR_ARGUMENT, 4, "the format has 1 modes, but the tensor has 2"},
    {"ds:1,1", 2, TSR_ARGUMENT, 4, "mode 1 occurs twice"},
    {"ds:0,2", 2, TSR_ARGUMENT, 4, "mode 2 does not exist: there are 2 modes"},
    {"ds:0,16", 2, TSR_ARGUMENT, 6, "expected a mode from 0 to 15, not 16"},
    {"ds:0,99999999999999999999", 2, TSR_ARGUMENT, 6, "from 0 to 15"},
    {"ds:", 2, TSR_SYNTAX, 4, "expected a mode, but the text ends"},
    {"ds:0,", 2, TSR_SYNTAX, 6, "expected a mode"},
    {"ds:-1,0", 2, TSR_SYNTAX, 4, "expected a mode, not '-'"},
    {"ds:+1,0", 2, TSR_SYNTAX, 4, "expected a mode, not '+'"},
    {"ds:0,1 x", 2, TSR_SYNTAX, 8, "expected the end of the format, not 'x'"},
    {"ds(2)", 2, TSR_ARGUMENT, 1, "unknown storage format 'ds': use level letters"},
    {"ddddddddddddddddd", -1, TSR_LIMIT, 1, "17 levels"},
    {"q", -1, TSR_ARGUMENT, 1, "level 0 is singleton: it needs a compressed or singleton level above"},
    {"dq", 2, TSR_ARGUMENT, 2, "level 1 is singleton"},
    {"ud", 2, TSR_ARGUMENT, 1, "only a singleton level can be below a nonunique level"},
    {"us", 2, TSR_ARGUMENT, 1, "level 0 is compressed(nonunique)"},
    {"csr", 3, TSR_ARGUMENT, 1, "csr is for matrices; this tensor has 3 modes"},
    {"dcsc", 3, TSR_ARGUMENT, 1, "dcsc is for matrices; this tensor has 3 modes"},
    {"scalar", 1, TSR_ARGUMENT, 1, "scalar is for scalars; this tensor has 1 mode"},
    {"coo", -1, TSR_ARGUMENT, 0, "as in coo:0,1,2"},
    {"coo", 17, TSR_LIMIT, 0, "at most 16"},
    {"coo(3)", 2, TSR_ARGUMENT, 5, "coo has 0 parameters, but 1 is given: use coo"},
    {"bell", 2, TSR_ARGUMENT, 0, "bell has 1 parameter, but 0 are given: use bell(b)"},
    {"bcsr", 2, TSR_ARGUMENT, 0, "bcsr has 2 parameters, but 0 are given: use bcsr(r,c)"},
    {"bcsr(2)", 2, TSR_ARGUMENT, 6, "1 is given: use bcsr(r,c)"},
    {"bcsr(2,0)", 2, TSR_ARGUMENT, 8, "expected a parameter from 1"},
    {"bcsr(2,9223372036854775808)", 2, TSR_ARGUMENT, 8, "to 9223372036854775807, not 9223372036854775808"},
    {"bcsr(2,x)", 2, TSR_SYNTAX, 8, "expected a parameter, not 'x'"},
    {"bcsr(2,3", 2, TSR_SYNTAX, 9, "expected ',' or ')'"},
    {"hicoo(1,2)", 2, TSR_ARGUMENT, 7, "hicoo(b=128)"},
    {"bcsr(1,2,3,4,5,6,7,8,9)", 2, TSR_ARGUMENT, 22, "more than 8 numbers"},
    {"linear", 2, TSR_ARGUMENT, 0, "depends on the dims"},
    /* long */
    {"(i, j)", 2, TSR_SYNTAX, 7, "expected '->'"},
    {"(i, j -> (i : dense)", 2, TSR_SYNTAX, 7, "expected ',' or ')', not '-'"},
    {"(i, i) -> (i : dense)", 2, TSR_SYNTAX, 5, "two modes have the same name 'i'"},
    {"(i, 2) -> (i : dense)", 2, TSR_SYNTAX, 5, "expected the name of a mode, not '2'"},
    {"(i, j) -> (i : dense)", 3, TSR_ARGUMENT, 1, "the format has 2 modes, but the tensor has 3"},
    {"(i, j) -> (i : dense, j)", 2, TSR_SYNTAX, 24, "expected ':' and a level type, not ')'"},
    {"(i, j) -> (i : dense, j : compresed)", 2, TSR_SYNTAX, 27,
     "unknown level type 'compresed'; did you mean compressed?"},
    {"(i, j) -> (i : dense, j : )", 2, TSR_SYNTAX, 27, "expected a level type, not ')'"},
    {"(i, j) -> (i : dense, j : delta)", 2, TSR_UNSUPPORTED, 27, "level type 'delta' is not supported"},
    {"(i, j) -> (i : batch, j : compressed)", 2, TSR_UNSUPPORTED, 16, "supported: dense, compressed"},
    {"(i, j) -> (i : dense, j : structured[2, 4])", 2, TSR_UNSUPPORTED, 27, "structured"},
    {"(i, j) -> (i : dense, j : compressed(soa))", 2, TSR_UNSUPPORTED, 38, "'soa' is not supported"},
    {"(i, j) -> (i : dense, j : compressed(nonordered))", 2, TSR_UNSUPPORTED, 38, "'nonordered'"},
    {"(i, j) -> (i : dense, j : compressed(nonuniqe))", 2, TSR_SYNTAX, 38, "not 'nonuniqe'"},
    {"(i, j) -> (i : dense, j : compressed())", 2, TSR_SYNTAX, 38, "level property"},
    {"(i, j) -> (i : dense, j : dense(pitch))", 2, TSR_SYNTAX, 38, "expected '=' and the pitch, not ')'"},
    {"(i, j) -> (i : dense, j : dense(pitch = ))", 2, TSR_SYNTAX, 41, "expected a pitch, not ')'"},
    {"(i, j) -> (i : dense, j : dense(pitch = -4))", 2, TSR_SYNTAX, 41, "expected a pitch, not '-'"},
    {"(i, j) -> (i : dense, j : dense(pitch = 0))", 2, TSR_ARGUMENT, 41, "must be 1 to 2^63 - 1, not 0"},
    {"(i, j) -> (i : dense, j : dense(pitch = 9223372036854775808))", 2, TSR_ARGUMENT, 41,
     "must be 1 to 2^63 - 1, not 9223372036854775808"},
    {"(i, j) -> (i : dense, j : dense(pitch = 99999999999999999999))", 2, TSR_ARGUMENT, 41,
     "the pitch must be"},
    {"(i, j) -> (i : dense, j : dense(pitch = 4 5))", 2, TSR_SYNTAX, 43, "expected ',' or ')', not '5'"},
    {"(i, j) -> (i : dense, j : dense(pitches = 4))", 2, TSR_SYNTAX, 33, "not 'pitches'"},
    {"(i, j) -> (i : dense, j : dense(pitch = 4, pitch = 5))", 2, TSR_SYNTAX, 44, "pitch occurs twice"},
    {"(i, j) -> (i : dense, j : compressed(pitch = 4))", 2, TSR_ARGUMENT, 27,
     "only a dense level has a pitch"},
    {"(i, j) -> (i : dense(nonunique), j : dense)", 2, TSR_ARGUMENT, 16, "cannot be nonunique"},
    {"(i, j) -> (i : compressed, j : singleton(nonunique))", 2, TSR_ARGUMENT, 32, "below a nonunique level"},
    {"(i, j) -> (i : dense, j : compressed) x", 2, TSR_SYNTAX, 39, "the end of the format, not 'x'"},
    {"(i, j) -> (i : dense, j : compressed", 2, TSR_SYNTAX, 37, "expected ',' or ')', but the text ends"},
    {"(i, j) -> (i : dense)", 2, TSR_ARGUMENT, 0, "mode 1 (j) is not stored in any level"},
    {"(i, j) -> (i : dense, j - j : dense)", 2, TSR_ARGUMENT, 0, "mode 1 (j)"},
    {"(i) -> ()", 1, TSR_ARGUMENT, 0, "mode 0 (i)"},
    {"(i, j)[s] -> (i : dense, j : dense)", 2, TSR_UNSUPPORTED, 7, "symbols"},
    {"(i, j) -> (i : dense, k : dense)", 2, TSR_SYNTAX, 23, "'k'"},
    {"(i, j) -> (i : dense, j floordiv 0 : dense)", 2, TSR_UNSUPPORTED, 34, "other than 0"},
    {"(i, j) -> (i : dense, j * i * j : dense)", 2, TSR_UNSUPPORTED, 29, "constant"},
    {"(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q) -> (a : dense)", -1, TSR_LIMIT, 34, "more than 16 modes"},
    {"(i) -> "
     "(i:dense,i:dense,i:dense,i:dense,i:dense,i:dense,i:dense,i:dense,i:dense,i:dense,i:dense,i:dense,"
     "i:dense,i:dense,i:dense,i:dense,i:dense,i:dense,i:dense,i:dense,i:dense,i:dense,i:dense,i:dense,i:"
     "dense,"
     "i:dense,i:dense,i:dense,i:dense,i:dense,i:dense,i:dense,i:dense)",
     1, TSR_LIMIT, 265, "more than 32 levels"},
    /* MLIR's */
    {"#", 2, TSR_SYNTAX, 2, "expected 'sparse_tensor.encoding', but the text ends"},
    {"#CSR", 2, TSR_SYNTAX, 2, "expected 'sparse_tensor.encoding', not 'CSR'"},
    {"#CSR = csr", 2, TSR_SYNTAX, 8, "expected '#sparse_tensor.encoding', not 'csr'"},
    {"#sparse_tensor.encoding<map>", 2, TSR_SYNTAX, 25, "expected '{', not 'map'"},
    {"#sparse_tensor.encoding<{ }>", 2, TSR_SYNTAX, 0, "the encoding does not have a map"},
    {"#sparse_tensor.encoding<{ " CSR, 2, TSR_SYNTAX, 74, "expected ',' or '}', but the text ends"},
    {"#sparse_tensor.encoding<{ " CSR " }", 2, TSR_SYNTAX, 76, "expected '>'"},
    {ENCODING(CSR) " x", 2, TSR_SYNTAX, 78, "the end of the format, not 'x'"},
    {ENCODING(CSR ", " CSR), 2, TSR_SYNTAX, 76, "map occurs twice"},
    {ENCODING(CSR), 3, TSR_ARGUMENT, 33, "the format has 2 modes, but the tensor has 3"},
    {ENCODING("posWidth = 32, posWidth = 32"), 2, TSR_SYNTAX, 42, "posWidth occurs twice"},
    {ENCODING("posWidth = 33"), 2, TSR_ARGUMENT, 38, "the width must be 0, 8, 16, 32 or 64, not 33"},
    {ENCODING("crdWidth = -8"), 2, TSR_SYNTAX, 38, "expected a width"},
    {ENCODING("crdWidth = 99999999999999999999"), 2, TSR_ARGUMENT, 38, "the width must be"},
    {ENCODING("crd = 8"), 2, TSR_SYNTAX, 27, "expected map, posWidth, crdWidth or implicitVal, not 'crd'"},
    {ENCODING("explicitVal = 1.0 : f64"), 2, TSR_UNSUPPORTED, 27, "explicit value"},
    {ENCODING("implicitVal = 1.0 : f64"), 2, TSR_UNSUPPORTED, 41, "implicit value other than 0"},
    {ENCODING("dimLevelType = [ \"dense\", \"compressed\" ]"), 2, TSR_UNSUPPORTED, 27,
     "write map = (d0, d1)"},
    {ENCODING("lvlTypes = [ \"dense\" ]"), 2, TSR_UNSUPPORTED, 27, "lvlTypes belongs to an older version"},
    {ENCODING("map = (d0, d1) -> (d0 : dense, d1 : compressed(high))"), 2, TSR_UNSUPPORTED, 74, "'high'"},
    {ENCODING("map = (d0, d1) -> (d0 : dense, d1 : compressed(soa))"), 2, TSR_SYNTAX, 74, "not 'soa'"},
    {ENCODING("map = (d0, d1) -> (d0 : compressed(nonunique, nonordered), d1 : singleton)"), 2,
     TSR_UNSUPPORTED, 73, "nonordered is supported for compressed levels of unique coordinates only"},
    {ENCODING("map = (d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(nonordered))"), 2,
     TSR_UNSUPPORTED, 89, "nonordered"},
    {ENCODING("map = (d0, d1) -> (d0 : compressed(nonordered), d1 : compressed)"), 2, TSR_ARGUMENT, 80,
     "not in"},
    {ENCODING("map = (d0, d1) -> (d0 : batch, d1 : compressed)"), 2, TSR_UNSUPPORTED, 51, "'batch'"},
    {ENCODING("map = (d0, d1) -> (d0 : dense, d1 : block2_4)"), 2, TSR_UNSUPPORTED, 63, "'block2_4'"},
    {ENCODING("map = [s0](d0) -> (d0 : dense)"), 1, TSR_UNSUPPORTED, 33, "symbols"},
    {ENCODING("map = (d0 : #sparse_tensor<slice(1, 4, 1)>) -> (d0 : dense)"), 1, TSR_UNSUPPORTED, 37,
     "slices"},
    {ENCODING("map = {l0} (d0, d1) -> (l0 = d0 : dense, l1 = d1 : dense)"), 2, TSR_SYNTAX, 68,
     "level 1 has the name 'l1'"},
    {ENCODING("map = {l0, l1} (d0) -> (l0 = d0 : dense)"), 1, TSR_SYNTAX, 33,
     "2 levels are declared, but 1 follow"},
    {ENCODING("map = {l0, l0} (d0) -> (l0 = d0 : dense)"), 1, TSR_SYNTAX, 38,
     "two levels have the same name 'l0'"},
    {ENCODING("map = (d0 = (l0) -> (d0 : dense)"), 1, TSR_SYNTAX, 62,
     "expected ',' or ')', but the text ends"},
};

static void test_faults(void **state)
{
    (void)state;
    int bad = 0;
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
        tsr_error err = {0};
        tsr_format *format = (tsr_format *)&err;
        const tsr_status status = tsr_format_parse(&format, faults[k].text, faults[k].order, NULL, &err);
        if (status != faults[k].status || err.status != status || err.col != faults[k].col ||
            !strstr(err.message, faults[k].says)) {
            print_error("'%s': status %d, column %d: %s\n", faults[k].text, (int)status, (int)err.col,
                        err.message);
            bad++;
        }
        assert_null(format);
    }
    assert_int_equal(bad, 0);
}

/* next permutation in lexicographic order; false after the last. */
static int next_perm(int *p, int n)
{
    int i = n - 2, j = n - 1;
    while (i >= 0 && p[i] > p[i + 1])
        i--;
    if (i < 0)
        return 0;
    while (p[j] < p[i])
        j--;
    int t = p[i];
    p[i] = p[j];
    p[j] = t;
    for (i++, j = n - 1; i < j; i++, j--) {
        t = p[i];
        p[i] = p[j];
        p[j] = t;
    }
    return 1;
}

static void test_all_short_forms(void **state)
{
    (void)state;
    int count = 0;
    for (int n = 1; n <= 4; n++)
        for (unsigned kinds = 0; kinds < 1u << n; kinds++) {
            int perm[4] = {0, 1, 2, 3};
            do {
                char text[32], *p = text;
                int identity = 1, found[TSR_MAP_MAX_RESULTS];
                for (int l = 0; l < n; l++) {
                    *p++ = kinds >> l & 1 ? 's' : 'd';
                    identity &= perm[l] == l;
                }
                *p = '\0';
                for (int l = 0; !identity && l < n; l++)
                    p += sprintf(p, "%c%d", l ? ',' : ':', perm[l]);
                tsr_format *format = NULL;
                tsr_text out = {0};
                assert_ok(tsr_format_parse(&format, text, -1, NULL, err));
                assert_string_equal(printed(&out, tsr_format_print, format), text);
                assert_true(tsr_format_is_permutation(format, found));
                for (int l = 0; l < n; l++) {
                    assert_int_equal(found[l], perm[l]);
                    assert_ptr_equal(format->levels[l].type,
                                     kinds >> l & 1 ? &tsr_level_compressed : &tsr_level_dense);
                }
                assert_int_equal(tsr_format_is_dense(format), kinds == 0);
                assert_int_equal(tsr_format_has_dense_leaf(format), !(kinds >> (n - 1) & 1));
                if (n < 4)
                    assert_round_trip(format);
                tsr_text_clear(&out);
                tsr_format_free(format);
                count++;
            } while (next_perm(perm, n));
        }
    assert_int_equal(count, 2 + 8 + 48 + 384);
}

/* Each named format, for each order that it has and some parameters: parses, has a summary, and its name is
 * found again. */
static void test_named_formats(void **state)
{
    (void)state;
    int seen = 0;
    for (const tsr_named_format *named = tsr_named_formats; named->name; named++) {
        tsr_text usage = {0}, summary = {0}, text = {0};
        tsr_named_format_describe(&usage, &summary, named);
        assert_true(summary.nbytes > 0 && usage.nbytes >= strlen(named->name));
        /* the print of a short form never reads as a name */
        assert_true(strspn(named->name, "dsuq") < strlen(named->name));
        int orders = 0;
        const int nparams = !strchr(usage.s, '(') ? 0 : strchr(usage.s, ',') ? 2 : 1;
        tsr_text_addf(&text, "%s%s", named->name, nparams == 2 ? "(5,7)" : nparams == 1 ? "(8)" : "");
        for (int order = 0; order <= 5; order++) {
            const uint64_t dims[] = {30, 20, 15, 11, 9};
            tsr_format *format = NULL;
            bool needs_dims = false;
            if (strspn(named->name, "dscuq") == strlen(named->name) && (int)strlen(named->name) == order)
                continue; /* level letters here */
            if (tsr_format_parse(&format, tsr_text_cstr(&text), order, NULL, NULL) != TSR_OK) {
                if (strcmp(named->name, "linear") != 0 && strcmp(named->name, "alto") != 0 &&
                    strcmp(named->name, "keys") != 0)
                    continue;
                needs_dims = true;
                assert_ok(tsr_format_parse(&format, tsr_text_cstr(&text), order, dims, err));
            }
            orders++;
            assert_round_trip(format);
            tsr_binding *binding = NULL;
            assert_ok(tsr_binding_new(&binding, format, dims, err));
            tsr_binding_free(binding);
            if (!needs_dims && (nparams == 2 || (nparams == 1 && order > 2))) {
                tsr_text name = {0};
                assert_string_equal(printed(&name, tsr_format_print_name, format), tsr_text_cstr(&text));
                tsr_text_clear(&name);
            }
            tsr_format_free(format);
        }
        if (orders != 1 && orders != 6)
            fail_msg("%s parses for %d orders", named->name, orders);
        tsr_text_clear(&usage);
        tsr_text_clear(&summary);
        tsr_text_clear(&text);
        seen++;
    }
    assert_true(seen >= 20);
}

static void test_linear(void **state)
{
    (void)state;
    const uint64_t dims[] = {3, 4, 5}, huge[] = {UINT64_C(1) << 32, UINT64_C(1) << 31},
                   most[] = {UINT64_C(1) << 32, (UINT64_C(1) << 31) - 1}, none[] = {0, 7};
    tsr_format *format = NULL;
    tsr_text text = {0};
    assert_ok(tsr_format_parse(&format, "linear", 3, dims, err));
    assert_string_equal(printed(&text, tsr_format_print_long, format),
                        "(i, j, k) -> (i * 20 + j * 5 + k : compressed)");
    const uint64_t others[] = {3, 4, 6};
    tsr_text_clear(&text);
    tsr_format_print_name_for(&text, format, dims);
    assert_string_equal(tsr_text_cstr(&text), "linear");
    tsr_text_clear(&text);
    tsr_format_print_name_for(&text, format, others);
    assert_string_equal(tsr_text_cstr(&text), "(i, j, k) -> (i * 20 + j * 5 + k : compressed)");
    tsr_text_clear(&text);
    tsr_format_print_name(&text, format);
    assert_string_equal(tsr_text_cstr(&text), "(i, j, k) -> (i * 20 + j * 5 + k : compressed)");
    tsr_format_free(format);
    assert_ok(tsr_format_parse(&format, "linear:2,0,1", 3, dims, err));
    assert_string_equal(printed(&text, tsr_format_print_long, format),
                        "(i, j, k) -> (i * 4 + j + k * 12 : compressed)");
    tsr_format_free(format);
    assert_ok(tsr_format_parse(&format, "linear", 2, most, err));
    tsr_format_free(format);
    assert_ok(tsr_format_parse(&format, "linear", 2, none, err));
    tsr_format_free(format);
    tsr_error err = {0};
    assert_int_equal(tsr_format_parse(&format, "linear", 2, huge, &err), TSR_LIMIT);
    assert_non_null(strstr(err.message, "linear of 4294967296 x 2147483648"));
    assert_null(format);
    tsr_text_clear(&text);
}

/* ---- MLIR's encodings ---- */

static const struct {
    const char *text, *print;
    int order, pos_nbits, crd_nbits;
} encodings[] = {
    {ENCODING(CSR), "ds", 2, 0, 0},
    {"  #sparse_tensor . encoding<{}>", NULL, 2, 0, 0},
    {"#CSR = " ENCODING(CSR), "ds", -1, 0, 0},
    {"#sparse_tensor.encoding<{map=(d0,d1)->(d0:dense,d1:compressed),posWidth=32,crdWidth=32}>", "ds", 2, 32,
     32},
    {ENCODING("\n  posWidth = 64,\n  " CSR ",\n  crdWidth = 8,\n"), "ds", 2, 64, 8},
    {ENCODING(CSR ", posWidth = 0, crdWidth = 0"), "ds", 2, 0, 0},
    {ENCODING(CSR ", implicitVal = 0.0 : f64"), "ds", 2, 0, 0},
    {ENCODING(CSR ", implicitVal = 0"), "ds", 2, 0, 0},
    {ENCODING("map = (d0, d1) -> (d1 : dense, d0 : compressed)"), "ds:1,0", 2, 0, 0},
    {ENCODING("map = (i, j) -> (i : compressed(nonunique), j : singleton)"), "uq", 2, 0, 0},
    {ENCODING("map = (i, j) -> (i : compressed(nonunique), j : singleton(soa))"), "uq", 2, 0, 0},
    {ENCODING("map = (i, j) -> (i : dense, j : compressed(nonordered))"),
     "(i, j) -> (i : dense, j : unordered)", 2, 0, 0},
    {ENCODING("map = (i, j) -> (j : compressed, i : compressed(nonordered))"),
     "(i, j) -> (j : compressed, i : unordered)", 2, 0, 0},
    {ENCODING(
         "map = (i, j, k) -> (i : compressed(nonunique), j : singleton(nonunique, soa), k : singleton(soa))"),
     "uqq", 3, 0, 0},
    {ENCODING("map = {l0, l1} (d0, d1) -> (l0 = d0 : dense, l1 = d1 : compressed)"), "ds", 2, 0, 0},
    {ENCODING("map = {l0, l1} (d0 = l0, d1 = l1) -> (l0 = d0 : dense, l1 = d1 : compressed)"), "ds", 2, 0, 0},
    {ENCODING("map = (d0, d1) -> (l0 = d0 : dense, l1 = d1 : compressed)"), "ds", 2, 0, 0},
    {ENCODING(
         "map = {l0, l1, l2, l3} (d0 = l0 * 2 + l2, d1 = (l1 * 3) + l3) -> (l0 = d0 floordiv 2 : dense, l1 = "
         "d1 floordiv 3 : compressed, l2 = d0 mod 2 : dense, l3 = d1 mod 3 : dense)"),
     "(i, j) -> (i floordiv 2 : dense, j floordiv 3 : compressed, i mod 2 : dense, j mod 3 : dense)", 2, 0,
     0},
    {ENCODING("map = (d0) -> (d0 : dense(pitch = 8))"), "(i) -> (i : dense(pitch = 8))", 1, 0, 0},
};

static void test_encodings(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof encodings / sizeof *encodings; k++) {
        tsr_format *format = NULL;
        tsr_format_widths asked;
        tsr_text text = {0};
        tsr_error why = {0};
        const tsr_format_hints hints = {.order = encodings[k].order};
        const tsr_status status = tsr_format_parse_for(&format, &asked, encodings[k].text, &hints, &why);
        if ((status == TSR_OK) != (encodings[k].print != NULL))
            fail_msg("'%s': %s", encodings[k].text, why.message);
        if (!format)
            continue;
        assert_string_equal(printed(&text, tsr_format_print, format), encodings[k].print);
        assert_int_equal(asked.pos_nbits, encodings[k].pos_nbits);
        assert_int_equal(asked.crd_nbits, encodings[k].crd_nbits);
        tsr_format_free(format);
        const bool widths = asked.pos_nbits || asked.crd_nbits;
        assert_int_equal(tsr_format_parse(&format, encodings[k].text, encodings[k].order, NULL, &why),
                         widths ? TSR_UNSUPPORTED : TSR_OK);
        assert_true(widths == (format == NULL));
        tsr_format_free(format);
        tsr_text_clear(&text);
    }
}

typedef struct group {
    const char *text;
    int order;
    bool keeps;
    uint8_t cut[8];
} group;

static const group groups[] = {
    {"ds", 2, false, {0, 1}},
    {"coo", 2, false, {1, 1}},
    {"coo", 3, false, {2, 2, 2}},
    {"coodup", 1, true, {255}},
    {"coodup", 3, true, {255, 255, 255}},
    {"duq", 3, false, {0, 2, 2}},
    {"sq", 2, false, {0, 1}},
    {"hicoo", 3, false, {2, 2, 2, 5, 5, 5}},
    {"csb(8)", 2, false, {0, 1, 3, 3}},
    {"csbc(8,4)", 2, false, {0, 1, 3, 3}},
};

static void test_groups(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof groups / sizeof *groups; k++) {
        tsr_format *format = NULL;
        assert_ok(tsr_format_parse(&format, groups[k].text, groups[k].order, NULL, err));
        assert_int_equal(tsr_format_keeps_duplicates(format), groups[k].keeps);
        for (int l = 0; l < format->nlevels; l++)
            assert_int_equal(tsr_format_cut(format, l), groups[k].cut[l]);
        tsr_format_free(format);
    }
}

typedef struct bound {
    const char *text;
    int order;
    uint64_t dims[3];
    uint64_t size[6];
    int64_t base[6];
    bool may_pad;
} bound;

static const bound bounds[] = {
    {"scalar", 0, {0}, {0}, {0}, false},
    {"ds:1,0", 2, {3, 4}, {4, 3}, {0}, false},
    {"ds", 2, {INT64_MAX, INT64_MAX}, {INT64_MAX, INT64_MAX}, {0}, false},
    {"ds", 2, {0, 4}, {0, 4}, {0}, false},
    {"bcsr(2,3)", 2, {4, 6}, {2, 2, 2, 3}, {0}, false},
    {"bcsr(2,3)", 2, {5, 7}, {3, 3, 2, 3}, {0}, true},
    {"bcsr(2,3)", 2, {1, 1}, {1, 1, 2, 3}, {0}, true},
    {"bcsr(2,3)", 2, {0, 7}, {0, 3, 2, 3}, {0}, false},
    {"bcsr(1,1)", 2, {5, 7}, {5, 7, 1, 1}, {0}, false},
    {"hicoo(4)", 2, {9, 4}, {3, 1, 4, 4}, {0}, true},
    {"linear", 3, {3, 4, 5}, {60}, {0}, false},
    {"alto", 3, {4, 4, 2}, {32}, {0}, false},
    {"alto", 3, {3, 4, 5}, {96}, {0}, true},
    {"(i, j) -> (j - i : compressed, i : compressed)", 2, {3, 4}, {6, 3}, {-2, 0}, true},
    {"(i) -> (i + 5 : dense)", 1, {3}, {8}, {0}, true},
    {"(i) -> (i - 5 : dense)", 1, {3}, {3}, {-5}, false},
    {"(i) -> (i - 5 : dense(pitch = 3))", 1, {3}, {3}, {-5}, false},
    {"(i) -> (i - 5 : dense(pitch = 4))", 1, {3}, {3}, {-5}, true},
    {"(i, j) -> (i : dense(pitch = 4), j : compressed)", 2, {3, 5}, {3, 5}, {0}, true},
    {"(i, j) -> (i : dense, j : dense(pitch = 8))", 2, {3, 0}, {3, 0}, {0}, false},
};

static void test_binding(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof bounds / sizeof *bounds; k++) {
        tsr_format *format = NULL;
        tsr_binding *binding = NULL;
        assert_ok(tsr_format_parse(&format, bounds[k].text, bounds[k].order, bounds[k].dims, err));
        assert_ok(tsr_binding_new(&binding, format, bounds[k].dims, err));
        for (int l = 0; l < format->nlevels; l++)
            if (binding->size[l] != bounds[k].size[l] || binding->base[l] != bounds[k].base[l])
                fail_msg("'%s': level %d has size %llu and base %lld", bounds[k].text, l,
                         (unsigned long long)binding->size[l], (long long)binding->base[l]);
        if (binding->may_pad != bounds[k].may_pad)
            fail_msg("'%s': may_pad is %d", bounds[k].text, binding->may_pad);
        tsr_binding_free(binding);
        tsr_format_free(format);
    }
}

typedef struct unbound {
    const char *text;
    int order;
    uint64_t dims[3];
    tsr_status status;
} unbound;

static const unbound unbounds[] = {
    {"ds", 2, {UINT64_MAX, 1}, TSR_LIMIT},
    {"(i, j) -> (i : dense, j : dense(pitch = 8))", 2, {3, 9}, TSR_ARGUMENT},
    {"hicoo", 1, {INT64_MAX}, TSR_LIMIT}, /* could be packed, not unpacked */
    {"(i) -> (i floordiv 3 : dense, i mod 2 : dense)", 1, {9}, TSR_UNSUPPORTED},
    {"(i) -> (i floordiv 2 : compressed)", 1, {9}, TSR_UNSUPPORTED},
    {"(i, j) -> (i + j : compressed)", 2, {9, 9}, TSR_UNSUPPORTED},
    {"(i) -> (i * 4 : compressed)", 1, {INT64_MAX}, TSR_LIMIT},
};

static void test_binding_refused(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof unbounds / sizeof *unbounds; k++) {
        tsr_error why = {0};
        tsr_format *format = NULL;
        const tsr_status status =
            tsr_format_parse(&format, unbounds[k].text, unbounds[k].order, unbounds[k].dims, &why);
        if (status != unbounds[k].status || why.message[0] == '\0')
            fail_msg("'%s': status %d: %s", unbounds[k].text, (int)status, why.message);
        assert_null(format);
        assert_ok(tsr_format_parse(&format, unbounds[k].text, unbounds[k].order, NULL, err));
        tsr_format_free(format);
    }
}

#ifdef TSR_FAULTS
/* Parsing, printing and binding with the n-th allocation failing: an error each time, and nothing left. */
static void test_no_memory(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "ds:1,0", "hicoo(8)", "csc", "linear", "alto", "(i, j) -> (i : dense, j : dense)", "bcsr(2,3):1,0"};
    const uint64_t dims[] = {9, 8};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        tsr_faults memory = {0};
        while (tsr_faults_next(&memory)) {
            tsr_error err = {0};
            tsr_format *format = NULL, *copy = NULL;
            tsr_text text = {0};
            tsr_faults_arm(&memory);
            tsr_status status = tsr_format_parse(&format, texts[k], 2, dims, &err);
            if (status == TSR_OK)
                status = tsr_format_copy(&copy, format, &err);
            if (status == TSR_OK) {
                tsr_format_print_name(&text, copy);
                status = tsr_text_status(&text, &err);
            }
            tsr_faults_end(&memory, status);
            tsr_text_clear(&text);
            tsr_format_free(copy);
            tsr_format_free(format);
        }
    }
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),           cmocka_unit_test(test_faults),
        cmocka_unit_test(test_encodings),       cmocka_unit_test(test_all_short_forms),
        cmocka_unit_test(test_named_formats),   cmocka_unit_test(test_linear),
        cmocka_unit_test(test_groups),          cmocka_unit_test(test_binding),
        cmocka_unit_test(test_binding_refused),
#ifdef TSR_FAULTS
        cmocka_unit_test(test_no_memory),
#endif
    };
    return cmocka_run_group_tests_name("format", tests, NULL, NULL);
}
