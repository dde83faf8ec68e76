/* Programs from lowering, interpreted, against the oracle. */
#include "lower_case.h"

#include <inttypes.h>
#include <string.h>

enum { NRANDOM = 2000 };

static const char sizes[] = "i=13 j=9 k=6 l=4 m=3 r=5 s=3";

/* All of these can be lowered. Formats are separated by ';'. */
static const struct {
    const char *expression, *formats;
} cases[] = {
    /* matrix times vector */
    {"y(i) = A(i,j) * x(j)", "A:ds"},
    {"y(i) = A(i,j) * x(j)", "A:ss"},
    {"y(i) = A(i,j) * x(j)", "A:uq"},
    {"y(i) = A(i,j) * x(j)", "A:ds:1,0"},
    {"y(j) = A(i,j) * x(i)", "A:ds"},
    {"y(i) += A(i,j) * x(j)", "A:ds"},
    {"y(i) = alpha * A(j,i) * x(j) + beta * z(i)", "A:ds"},
    {"y(i) = b(i) - A(i,j) * x(j)", "A:ds"},
    {"y(i) = -A(i,j) * x(j)", "A:ss"},
    {"y(i) = A(i,j) * x(j) / d(i)", "A:ds"},
    {"y(i) = 2.5 * A(i,j) * x(j)", "A:sd"},
    /* matrix times matrix, and others */
    {"Y(i,r) = A(i,j) * X(j,r)", "A:ds"},
    {"Y(i,r) = A(i,j) * X(j,r)", "A:ds:1,0"},
    {"Y(i,r) = A(i,j) * X(j,r)", "A:uq; Y:dd:1,0"},
    {"Y(i,j) = A(i,k) * B(k,j)", ""},
    {"Y(i,j) = A(i,k) * B(j,k)", ""},
    {"Y(i,j) = A(k,i) * B(k,j)", ""},
    {"a = x(i) * y(i)", ""},
    {"y(i) = x(i) / z(i) + 1", ""},
    {"y(i,j) = x(i)", ""},
    {"a = A(i,j)", "A:ds"},
    {"a = A(i,j) * A(i,j)", "A:ds"},
    {"a = A(i,j) * B(i,j)", "A:uq"},
    {"a = 2 * b * c", ""},
    {"y(i) = x(i) * A(i,j)", ""},
    {"Y(i,k) = X(i,k) * A(i,j)", "X:tiled(2,3)"},
    {"Y(i,r) = A(i,j,k) * C(j,r) * D(k,r)", "D:(a, b) -> (a floordiv 3 : dense, b : dense, a mod 3 : dense)"},
    {"y(i) = A(i,i)", "A:ds"},
    {"y(i) = A(i,i)", "A:sd"},
    {"y(i) = A(i,i)", "A:dd"},
    {"Y(i,i) = A(i,j)", "A:ds"},
    {"y(i) = A(i,j)", "A:ss"},
    {"y(j) = A(i,j)", "A:ss"},
    {"y(i,r) = A(i,j)", "A:ds"},
    /* tensors */
    {"Y(i,j) = B(i,j,k) * x(k)", "B:sss"},
    {"Y(i,k) = B(i,j,k) * x(j)", "B:sss"},
    {"Y(j,k) = B(i,j,k) * x(i)", "B:sss"},
    {"Y(i,j,r) = B(i,j,k) * X(k,r)", "B:sss"},
    {"Y(i,r,k) = B(i,j,k) * X(j,r)", "B:uqq"},
    {"A(i,r) = B(i,j,k) * C(j,r) * D(k,r)", "B:sss"},
    {"A(i,r) = B(i,j,k) * C(j,r) * D(k,r)", "B:dss"},
    {"A(j,r) = B(i,j,k) * C(i,r) * D(k,r)", "B:sss"},
    {"A(k,r) = B(i,j,k) * C(i,r) * D(j,r)", "B:sss"},
    {"A(i,r) = B(i,j,k) * C(j,r) * D(k,r)", "B:uqq"},
    {"A(i,r) = B(i,j,k) * C(j,r) * D(k,r)", "B:sss:2,1,0"},
    {"A(i,r) = alpha * B(i,j,k) * C(j,r) * D(k,r)", "B:sss:1,0,2"},
    {"A(i,r) = B(i,j,k,l) * C(j,r) * D(k,r) * E(l,r)", "B:ssss"},
    {"A(k,r) = B(i,j,k,l) * C(i,r) * D(j,r) * E(l,r)", "B:ssss"},
    {"A(l,r) = B(i,j,k,l) * C(i,r) * D(j,r) * E(k,r)", "B:ssss"},
    {"A(i,r) = B(i,j,k,l,m) * C(j,r) * D(k,r) * E(l,r) * F(m,r)", "B:sssss"},
    {"A(i,r,s) = B(i,j,k) * C(j,r) * D(k,s)", "B:sss"},
    {"a = B(i,j,k) * C(i,r) * D(j,r) * E(k,r)", "B:sss"},
    {"y(i) = B(i,j) * C(i,r) * D(j,r)", "B:ds"},
    /* results with the pattern of an operand */
    {"Y(i,j) = B(i,j) * C(i,k) * D(k,j)", "B:ds; Y:ds"},
    {"Y(i,j) = B(i,j) * C(i,k) * D(j,k)", "B:ds; Y:ds"},
    {"Y(i,j) = B(i,j) * C(i,k) * D(k,j)", "B:uq; Y:uq"},
    {"Y(i,j) = B(i,j,k) * x(k)", "B:sss; Y:ss"},
    {"Y(i,j,r) = B(i,j,k) * X(k,r)", "B:sss; Y:ssd"},
    {"Y(i,j) = 2 * B(i,j)", "B:ds; Y:ds"},
    {"Y(i,j) = B(i,j) / d(i)", "B:ds; Y:ds"},
    {"Y(i,j) = B(i,j) * x(j) - 3 * B(i,j)", "B:ss; Y:ss"},
    {"y(i) = b(i) * b(i)", "b:s; y:s"},
    {"Y(i) = B(i,j) * x(j)", "B:ss; Y:s"},
};

/* The formats of each order that all cases of that order go through; dims: a table of sizes for i, j, k, l.
 */
static const char *const formats1[] = {"d",       "s",    "u",    "(i) -> (i : dense(pitch = 16))",
                                       "bvec(3)", "cvec", "dvec", NULL};
static const char *const formats2[] = {
    "dd",
    "dd:1,0",
    "ds",
    "ds:1,0",
    "sd",
    "sd:1,0",
    "ss",
    "ss:1,0",
    "uq",
    "uq:1,0",
    "coodup",
    "bcsr(2,3)",
    "bcsc(2,3)",
    "bcsr(3,3)",
    "dbcsr(2,2)",
    "csb(4)",
    "csbc(4,3)",
    "bdia(4)",
    "hicoo(4)",
    "linear",
    "alto",
    "tiled(2,3)",
    "nn(2,3)",
    "nz(2,3)",
    "zn(4,2)",
    "crow",
    "ccol",
    "(i, j) -> (j - i : dense, i : dense)",
    "(i, j) -> (j - i : compressed, i : dense)",
    "(i, j) -> (i + j : dense, j : compressed)",
    "(i, j) -> (j - i : compressed, i : compressed)",
    "(i, j) -> (i + j : compressed(nonunique), j : singleton)",
    "(i, j) -> (2 * i + 3 : compressed, j : compressed)",
    "(i, j) -> (j - i : compressed(nonunique), i floordiv 4 : singleton(nonunique), i mod 4 : singleton)",
    "(i, j) -> (i floordiv 3 : compressed, j - i : dense, i mod 3 : compressed)",
    "(i, j) -> ((i floordiv 2) mod 2 + (j floordiv 2) mod 2 * 2 + (i floordiv 4) mod 8 * 4 + j floordiv 4 * "
    "32 : "
    "compressed(nonunique), i mod 2 * 2 + j mod 2 : singleton)",
    "(i, j) -> (i : dense(pitch = 17), j : dense)",
    "(i, j) -> (i mod 4 : dense, i floordiv 4 : compressed, j : compressed)",
    "(i, j) -> (i floordiv 2 : dense, j floordiv 3 : compressed, i mod 2 : dense(pitch = 4), j mod 3 : "
    "dense)",
    NULL};
static const char *const formats3[] = {
    "ddd",
    "ddd:2,0,1",
    "sss",
    "sss:2,0,1",
    "dss:1,0,2",
    "ssd",
    "sds",
    "dds",
    "uqq",
    "uqq:2,1,0",
    "csf",
    "bcsf(2)",
    "hicoo(2)",
    "linear",
    "alto",
    "coodup",
    "suq",
    "duq",
    "(i, j, k) -> (i floordiv 3 : compressed, j : dense, i mod 3 : compressed, k : compressed)",
    NULL};
static const char *const formats4[] = {"dddd",    "ssss",   "ssss:3,1,0,2", "uqqq", "dsss", "hicoo(2)",
                                       "bcsf(2)", "linear", "alto",         "ssuq", NULL};
static const char *const *const formats[] = {NULL, formats1, formats2, formats3, formats4};

/* {0} stands for the tensor with all formats, B. */
static const struct {
    int order;
    const char *expression;
} format_cases[] = {
    {1, "a = B(i) * x(i)"},
    {1, "y(i) = B(i) * x(i)"},
    {1, "y(i) = 2 * B(i) + x(i)"},
    {1, "a = alpha * B(i)"},
    {1, "Y(i,r) = B(i) * x(r)"},
    {2, "y(i) = B(i,j) * x(j)"},
    {2, "y(j) = alpha * B(i,j) * x(i) + beta * y0(j)"},
    {2, "Y(i,r) = B(i,j) * X(j,r)"},
    {2, "Y(r,i) = B(i,j) * X(r,j)"},
    {2, "a = B(i,j)"},
    {2, "y(i) = B(i,j) * C(i,r) * D(j,r)"},
    {2, "Y(i,j) = B(i,j) * C(i,k) * D(k,j)"},
    {2, "y(i) = z(i) - B(i,j) * x(j) / d(i)"},
    {3, "A(i,r) = B(i,j,k) * C(j,r) * D(k,r)"},
    {3, "A(j,r) = B(i,j,k) * C(i,r) * D(k,r)"},
    {3, "A(k,r) = B(i,j,k) * C(i,r) * D(j,r)"},
    {3, "Y(i,k) = B(i,j,k) * x(j)"},
    {3, "Y(i,r,k) = B(i,j,k) * X(j,r)"},
    {3, "a = B(i,j,k) * C(i,j,k)"},
    {3, "y(j) = B(i,j,k)"},
    {4, "A(j,r) = B(i,j,k,l) * C(i,r) * D(k,r) * E(l,r)"},
    {4, "Y(i,l) = B(i,j,k,l) * X(j,k)"},
};

static void test_formats(void **state)
{
    (void)state;
    static const char *const dims[] = {"i=13 j=9 k=6 l=4 r=3", "i=4 j=6 k=7 l=3 r=17", "i=1 j=1 k=2 l=1 r=2",
                                       "i=0 j=3 k=2 l=2"};
    for (size_t i = 0; i < sizeof format_cases / sizeof format_cases[0]; i++)
        for (const char *const *f = formats[format_cases[i].order]; *f; f++)
            for (uint64_t seed = 0; seed < 4; seed++) {
                if (!tsr_case_runs(i + seed))
                    continue;
                char text[300];
                tsr_error err = {0};
                snprintf(text, sizeof text, "B:%s", *f);
                const lower_case c = {.expression = format_cases[i].expression,
                                      .formats = text,
                                      .sizes = dims[seed],
                                      .seed = seed,
                                      .has_inf = seed % 2};
                if (!lower_case_run(&c, &err))
                    fail_msg("%s, %s: %s", c.expression, text, err.message);
            }
}

/* Dense variables that are too long for local arrays. */
static const struct {
    const char *expression, *formats, *sizes;
} long_cases[] = {
    {"Y(i,r) = A(i,j) * X(j,r)", "A:ds", "i=3 j=4 r=1500"},
    {"Y(i,r) = A(j,i) * X(j,r)", "A:ds", "i=3 j=4 r=1500"},
    {"A(i,r) = B(i,j,k) * C(j,r) * D(k,r)", "B:sss", "i=3 j=4 k=3 r=1100"},
    {"A(j,r) = alpha * B(i,j,k) * C(i,r) * D(k,r)", "B:sss", "i=3 j=4 k=3 r=1100"},
    {"A(k,r) = B(i,j,k) * C(i,r) * D(j,r)", "B:sss", "i=3 j=4 k=3 r=1100"},
    {"A(k,r) = B(i,j,k) * C(i,r) * D(j,r)", "B:sss", "i=3 j=4 k=3 r=300"},
    {"Y(i,j) = B(i,j) * C(i,k) * D(k,j)", "B:ds; Y:ds", "i=3 j=4 k=1500"},
    {"y(i) = B(i,j) * C(i,k) * D(j,k)", "B:ds", "i=3 j=4 k=1500"},
    {"y(i) = B(i,j) * C(i,k) * D(j,k)", "B:bcsr(2,2)", "i=3 j=4 k=1500"},
    {"A(i,r,s) = B(i,j,k) * C(j,r) * D(k,s)", "B:sss", "i=3 j=4 k=3 r=60 s=50"},
    {"A(i,r) = B(i,j,k) * C(j,r,s) * D(k,s)", "B:sss", "i=3 j=4 k=3 r=60 s=50"},
    {"a = B(i,j,k) * C(i,r) * D(j,r) * E(k,r)", "B:sss", "i=3 j=4 k=3 r=1100"},
    {"A(i,r) = B(i,j,k) * C(j,r) * D(k,r)", "B:bcsf(2)", "i=3 j=4 k=3 r=1024"},
    {"a = D(j,r) * B(i,j,k) * C(i,r) * E(k,r)", "D:ss", "i=3 j=4 k=1100 r=3"},
    {"a = D(j,r) * B(i,j,k) * C(i,r) * E(k,r)", "D:ss", "i=3 j=4 k=0 r=3"},
    /* long rows of blocks */
    {"y(i) = A(i,j) * x(j)", "A:bdia(100)", "i=230 j=211"},
    {"y(i) += 2 * A(i,j) * x(j)", "A:bdia(100)", "i=150 j=211"},
    {"y(j) = A(i,j) * x(i)", "A:bdia(100)", "i=230 j=60"},
    {"y(i) = A(i,j) * x(j)", "A:bdia(100); y:(i) -> (i mod 3 : dense, i floordiv 3 : dense)", "i=230 j=211"},
    {"y(i) = A(i,j) * x(j)", "A:ccol", "i=150 j=9"},
    {"Y(i,r) = A(i,j) * X(j,r)", "A:bdia(100)", "i=150 j=140 r=3"},
    {"Y(i,j) = A(i,j)", "A:bdia(100)", "i=150 j=140"},
    {"y(i) = A(i,j) * x(j)", "A:(i, j) -> (i floordiv 70 : dense, j : compressed, i mod 70 : dense)",
     "i=150 j=14"},
    {"y(i) = A(i,i) * x(i)", "A:bdia(100)", "i=150 j=150"},
    /* lanes: whole slices and a shorter last one, slots of blocks and of the rows that are left, few rows */
    {"y(i) = A(i,j) * x(j)", "A:sell(8,64)", "i=150 j=40"},
    {"y(i) += 2 * A(i,j) * x(j)", "A:sell(5,10)", "i=93 j=40"},
    {"y(i) = A(i,j) * x(j)", "A:sell(16,64)", "i=150 j=40"},
    {"y(i) = A(i,j) * x(j)", "A:sell(8,1000)", "i=160 j=40"},
    {"y(i) += A(i,j) * x(j)", "A:sell(24,96)", "i=200 j=40"},
    {"y(j) = A(i,j) * x(i)", "A:sell(8,64):1,0", "i=40 j=150"},
    {"y(j) = a * A(i,j) * x(i) + b * z(j)", "A:sell(8,64):1,0", "i=4 j=150"},
    {"y(i) = 2 * a * A(i,j) * x(j) * b", "A:ellc", "i=150 j=4"},
    {"y(i) = A(i,j) * x(j) * z(j)", "A:(i, j) -> (i : dense, j : chunked(4))", "i=31 j=7"},
    {"y(j) = A(i,j) * x(i)", "A:sell(8,64)", "i=150 j=40"},
    {"y(i) = c(i) * A(i,j) * x(j)", "A:sell(8,64)", "i=70 j=40"},
    {"y(i) = A(i,j) * x(j)", "A:(i, j) -> (i : squeezed, j : strided)", "i=90 j=40"},
    {"y(i) = A(i,j) * x(j)", "A:ellc", "i=150 j=40"},
    {"y(i) = -A(i,j) * x(j) + z(i)", "A:ellc", "i=77 j=3"},
    {"Y(i,r) = A(i,j) * X(j,r)", "A:sell(8,64)", "i=70 j=40 r=5"},
    {"y(i) = A(i,j) * x(j)", "A:ellc", "i=0 j=3"},
    {"y(i) = A(i,j) * x(j)", "A:sell(8,64)", "i=20 j=0"},
    /* coordinates of a dense level below dense ones are cut: of the rows of strips, of blocks of columns */
    {"A(i,r) = B(i,j,k) * C(j,r) * D(k,r)", "B:strips(3)", "i=300 j=7 k=5 r=4"},
    {"A(i,r) += 2 * B(i,j,k) * C(j,r) * D(k,r) / e(j)", "B:strips(3)", "i=129 j=7 k=5 r=4"},
    {"A(j,r) = B(i,j,k) * C(i,r) * D(k,r)", "B:strips(3)", "i=300 j=7 k=5 r=4"},
    {"A(k,r) = B(i,j,k) * C(i,r) * D(j,r)", "B:strips(3)", "i=300 j=7 k=5 r=4"},
    {"A(i,r) = B(i,j,k) * C(j,r) * D(k,r)",
     "B:(i, j, k) -> (j floordiv 3 : dense, i : dense, j mod 3 : compressed(nonunique), k : singleton)",
     "i=300 j=7 k=5 r=4"},
    {"Y(j,r) = A(i,j) * X(i,r)", "A:(i, j) -> (i floordiv 4 : dense, j : dense, i mod 4 : dense)",
     "i=11 j=150 r=3"},
    {"y(j) = A(i,j) * x(i)",
     "A:(i, j) -> (i floordiv 4 : dense, j floordiv 2 : dense, j mod 2 : compressed(nonunique), i mod 4 : "
     "singleton)",
     "i=11 j=601"},
    {"y(i) = A(i,i) * x(i)", "A:(i, j) -> (i floordiv 64 : dense, j : dense, i mod 64 : compressed)",
     "i=140 j=140"},
    {"Y(i,j) = B(i,j,k) * x(k)", "B:strips(3)", "i=300 j=7 k=5"},
    {"Y(i,k) = B(i,j,k) * x(j)", "B:strips(3)", "i=300 j=7 k=5"},
    {"A(i,r) = B(i,j,k) * C(j,r) * D(k,r)", "B:tcsf(3)", "i=30 j=7 k=50 r=4"},
    {"A(j,r) = B(i,j,k) * C(i,r) * D(k,r)", "B:tcsf(3)", "i=30 j=7 k=50 r=4"},
    {"A(k,r) = B(i,j,k) * C(i,r) * D(j,r)", "B:tcsf(3):1,0,2", "i=30 j=7 k=50 r=4"},
    {"y(i) = A(i,j) * x(j)", "A:tcsf(3)", "i=30 j=50"},
    /* windows, intervals, groups */
    {"y(i) = A(i,j) * x(j)", "A:dia", "i=2100 j=3"},
    {"Y(i,r) = A(i,j) * X(j,r)", "A:dia", "i=150 j=40 r=20"},
    {"Y(i,r) = A(i,j) * X(j,r)", "A:dia", "i=40 j=7 r=70"},
    {"Y(i,r) = A(i,j) * X(j,r)", "A:dia", "i=1100 j=3 r=2"},
    {"Y(i,r) += 2 * A(i,j) * X(j,r)", "A:dia", "i=150 j=40 r=20"},
    {"Y(r,i) = A(i,j) * X(j,r)", "A:dia", "i=150 j=40 r=20"},
    {"Y(i,r,s) = A(i,j) * X(j,r) * Z(s)", "A:dia", "i=150 j=40 r=5 s=4"},
    {"Y(i,r) = A(i,j) * X(j,r) + 3 * B(i,j) * X(j,r)", "A:dia; B:dia", "i=150 j=40 r=20"},
    {"Y(i,r) = A(i,j) * X(j,r)", "A:dia; Y:(i, r) -> (i mod 3 : dense, i floordiv 3 : dense, r : dense)",
     "i=150 j=40 r=20"},
    {"y(j) += A(i,j) * x(i)", "A:(i, j) -> (i : squeezed, j : dense)", "i=4 j=4200"},
    {"y(i) = A(i,j) * x(j)", "A:band", "i=90 j=70"},
    {"y(j) = A(i,j) * x(i)", "A:band", "i=90 j=70"},
    {"y(i) = A(i,j) * x(j)", "A:bandr", "i=40 j=90"},
    {"y(i) = A(i,j) * x(j)", "A:sband", "i=40 j=90"},
    {"y(i) = A(i,j) * x(j)", "A:diap", "i=90 j=70"},
    {"y(i) = A(i,j) * x(j)", "A:diac", "i=90 j=70"},
    {"y(i) = A(i,j) * x(j)", "A:nm(4,4)", "i=40 j=90"},
};

static void test_long(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof long_cases / sizeof long_cases[0]; i++)
        for (uint64_t seed = 0; seed < 2; seed++) {
            tsr_error err = {0};
            const lower_case c = {.expression = long_cases[i].expression,
                                  .formats = long_cases[i].formats,
                                  .sizes = long_cases[i].sizes,
                                  .seed = seed,
                                  .has_inf = seed == 1};
            if (!lower_case_run(&c, &err))
                fail_msg("%s: %s", c.expression, err.message);
        }
}

/* Runs of equal coordinates are added up before they are added to the row of the result: in lists that store a coordinate for
 * each entry, as long as the numbers of positions are known; coordinates whose runs threads share, and blocks. */
static const struct {
    const char *expression, *formats, *schedule;
} runs[] = {
    {"A(i,r) = B(i,j,k) * C(j,r) * D(k,r)", "B:uqq", NULL},
    {"A(i,r) += 2 * B(i,j,k) * C(j,r) * D(k,r) / e(i)", "B:uqq", NULL},
    {"A(i,r) = B(i,j,k) * C(j,r) * D(k,r)", "B:strips(16)", NULL},
    {"A(i,r) = F(i,r) - B(i,j,k) * C(j,r) * D(k,r)", "B:strips(16)", "deterministic"},
    {"A(i,r) = B(i,j,k) * C(j,r) * D(k,r)", "B:strips(16)", "atomic(A)"},
    {"A(i,r) = B(i,j,k) * C(j,r) * D(k,r)", "B:uqq", "private(A), block(r,3)"},
    {"A(i,r) = B(i,j,k) * C(j,r) * D(k,r)", "B:uqq", "private(A), deterministic"},
    {"A(i,r) = B(i,j,k) * C(j,r) * D(k,s) * E(s,r)", "B:uqq", NULL},
    {"Y(i,r) = A(i,j) * X(j,r)", "A:coo", "scalar"},
    {"Y(j,r) = A(i,j) * X(i,r)", "A:coo:1,0", NULL},
};

static void test_runs(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++)
        for (uint64_t seed = 0; seed < 4; seed++) {
            if (!tsr_case_runs(i + seed))
                continue;
            tsr_error err = {0};
            const lower_case c = {.expression = runs[i].expression,
                                  .formats = runs[i].formats,
                                  .schedule = runs[i].schedule,
                                  .sizes = "i=40 j=60 k=30 r=4 s=3",
                                  .density = 0.2,
                                  .seed = seed,
                                  .has_inf = seed % 2 == 1,
                                  .known = true};
            if (!lower_case_run(&c, &err))
                fail_msg("%s, %s: %s", c.expression, c.formats, err.message);
        }
}

/* Results in other formats than row by row. */
static const char *const results[] = {"Y:dd:1,0",
                                      "Y:tiled(2,3)",
                                      "Y:zn(4,2)",
                                      "Y:(i, j) -> (i : dense, j : dense(pitch = 20))",
                                      "Y:(i, j) -> (j - i : dense, i : dense)",
                                      NULL};

static void test_results(void **state)
{
    (void)state;
    static const char *const expressions[] = {"Y(i,r) = A(i,j) * X(j,r)", "Y(r,j) = A(i,j) * X(i,r)",
                                              "Y(i,j) = A(i,j)", "Y(i,r) = X(i,j) * Z(j,r)",
                                              "Y(i,i) = A(i,j)"};
    for (size_t i = 0; i < sizeof expressions / sizeof expressions[0]; i++)
        for (const char *const *f = results; *f; f++) {
            char text[200];
            tsr_error err = {0};
            snprintf(text, sizeof text, "%s; A:ds; X:dd:1,0", *f);
            const lower_case c = {.expression = expressions[i], .formats = text, .sizes = sizes};
            if (!lower_case_run(&c, &err))
                fail_msg("%s, %s: %s", c.expression, text, err.message);
        }
}

/* Every item of a schedule does what it says and changes no answer; NULL: it is TSR_UNSUPPORTED. */
static const struct {
    const char *expression, *formats, *schedule;
    bool refused;
} schedule_cases[] = {
    {"y(i) = A(i,j) * x(j)", "A:ds", "serial", false},
    {"y(i) = A(i,j) * x(j)", "A:ds", "exclusive(y)", false},
    {"y(i) = A(i,j) * x(j)", "A:ds", "private(y)", false},
    {"y(i) = A(i,j) * x(j)", "A:ds", "atomic(y)", false},
    {"y(i) = A(i,j) * x(j)", "A:ds", "parallelize(i)", false},
    {"y(i) = A(i,j) * x(j)", "A:ds", "parallelize(j), private(y)", false},
    {"y(i) = A(i,j) * x(j)", "A:ds", "parallelize(j), atomic(y)", false},
    {"y(i) = A(i,j) * x(j)", "A:ds", "parallelize(j), exclusive(y)", true},
    {"y(i) = alpha * A(i,j) * x(j)", "A:ds", "parallelize(j), private(y)", false},
    {"y(i) = alpha * A(i,j) * x(j)", "A:bcsr(2,3)", "parallelize(j), private(y)", false},
    {"y(i) = A(i,j) * x(j)", "A:ds:1,0", "exclusive(y)", true},
    {"y(i) = A(i,j) * x(j)", "A:ds:1,0", "atomic(y)", false},
    {"y(i) = A(i,j) * x(j)", "A:ds:1,0", "private(y), scalar", false},
    {"y(i) = A(i,j) * x(j)", "A:uq", "atomic(y)", false},
    {"y(i) += A(i,j) * x(j)", "A:uq", "private(y)", false},
    {"y(i) = A(i,j) * x(j)", "A:uq", "exclusive(y)", false},
    {"y(i) = A(i,j) * x(j)", "A:coodup", "exclusive(y)", false},
    {"y(i) = A(i,j) * x(j)", "A:linear", "exclusive(y)", false},
    {"y(j) = A(i,j) * x(i)", "A:linear", "exclusive(y)", true},
    {"A(k,r) = B(i,j,k) * C(i,r) * D(j,r)", "B:strips(3)", "exclusive(A)", true},
    {"y(i) = alpha * A(i,j) * x(j)", "A:hicoo(4)", "exclusive(y)", false},
    {"Y(i,j) = A(i,j) * B(i,j)", "A:uq", "exclusive(Y)", false},
    {"Y(i,j) = B(i,j,k) * x(k)", "B:uqq", "exclusive(Y)", false},
    {"Y(j,k) = B(i,j,k) * x(i)", "B:uqq", "exclusive(Y)", true},
    {"Y(i,r) = A(i,j) * X(j,r)", "A:ds", "block(r,2)", false},
    {"Y(i,r) = A(i,j) * X(j,r)", "A:ds", "block(r,16), unroll(r,2)", false},
    {"Y(i,r) = A(i,j) * X(j,r)", "A:ds", "unroll(r,3), width(16)", false},
    {"Y(i,r) = A(i,j) * X(j,r)", "A:ds:1,0", "atomic(Y)", false},
    {"Y(i,r) = A(i,j) * X(j,r)", "A:zn(1,1)", "atomic(Y)", false},
    {"Y(i,r) = A(i,j) * X(j,r)", "A:zn(1,1)", "private(Y)", false},
    {"Y(i,r) = A(i,j) * X(j,r)", "A:nz(2,3)", "parallelize(i), private(Y)", false},
    {"Y(i,r) = A(i,j) * X(j,r)", "A:nz(2,3)", "parallelize(j), atomic(Y)", false},
    {"y(i) = alpha * A(i,j) * x(j)", "A:nz(2,3)", "private(y)", false},
    {"y(i) = alpha * A(i,j) * x(j)", "A:nz(2,3)", "serial", false},
    {"Y(i,r) = A(i,j) * X(j,r)", "A:ds", "vectorize(r)", false},
    {"Y(i,r) = A(i,j) * X(j,r)", "A:ds", "parallelize(r)", true},
    {"Y(i,r) = A(i,j) * X(j,r)", "A:ds", "block(i,4)", true},
    {"Y(i,r) = A(i,j) * X(j,r)", "A:ds", "unroll(j,4)", true},
    {"y(i) = A(i,j) * x(j)", "A:ds", "vectorize(j)", true},
    {"Y(i,j) = A(i,k) * B(k,j)", "", "vectorize(k)", false},
    {"Y(i,j) = A(i,k) * B(k,j)", "", "parallelize(j)", false},
    {"Y(i,j) = A(i,k) * B(k,j)", "", "parallelize(k), private(Y)", false},
    {"Y(i,j) = A(i,k) * B(k,j)", "", "parallelize(i), unroll(k,4)", false},
    {"Y(i,j) = A(i,k) * B(k,j)", "", "block(k,4), block(j,5), parallelize(i)", false},
    {"Y(i,j) = A(i,k) * B(k,j)", "", "block(i,4), parallelize(i)", false},
    {"Y(i,j) = A(i,k) * B(k,j)", "", "block(j,4), unroll(j,3), parallelize(j)", false},
    {"Y(i,j) = A(i,k) * B(k,j)", "", "block(k,4), parallelize(k)", false},
    {"y(i) = A(i,k) * x(k)", "", "block(k,4)", false},
    {"y(i) = A(i,k) * x(k)", "", "block(i,5), block(k,4), serial", false},
    {"y(i) += A(i,k) * x(k)", "", "block(k,4), serial", false},
    {"y(i) = A(i,k) * x(k)", "A:tiled(2,3)", "serial", false},
    {"Y(i,k) = A(i,k) * x(r)", "", "block(r,2)", false},
    {"y(i) = B(i,j) * C(j,r)", "B:ds", "block(r,2)", false},
    {"y(i) = z(i) + B(i,j) * C(j,r)", "B:ds", "block(r,2)", false},
    {"Y(i,j) = B(i,j) * C(i,r) * D(j,r)", "B:ds; Y:ds", "block(r,2)", false},
    {"Y(i,j) = B(i,j) * C(i,r) * D(j,r)", "B:ds; Y:ds", "block(r,2), private(Y)", false},
    {"a = x(i) * y(i)", "", "block(i,4), parallelize(i)", false},
    {"Y(i,j) = A(i,k) * B(k,j)", "", "parallelize(k), exclusive(Y)", true},
    {"a = x(i) * y(i)", "", "parallelize(i), exclusive(a)", true},
    {"a = x(i) * y(i)", "", "parallelize(i)", false},
    {"a = x(i) * y(i)", "", "parallelize(i), atomic(a)", false},
    {"a = A(i,j) * A(i,j)", "A:ss", "parallelize(j)", false},
    {"a = A(i,j) * A(i,j)", "A:ss", "parallelize(j), atomic(a)", false},
    {"A(i,r) = B(i,j,k) * C(j,r) * D(k,r)", "B:sss", "prefetch(4)", false},
    {"y(i) = A(i,j) * x(j)", "A:csbc(7,5)", "prefetch(9)", false},
    /* dense levels of size 1, below the level of j, have no coordinates to load */
    {"Y(i,r) = A(i,j) * X(j,r)", "A:bcsr(1,1)", "prefetch(4)", false},
    {"y(i) = A(i,j) * x(j)", "A:csbc(150,16)", "prefetch(3), private(y)", false},
    {"y(i) = alpha * A(j,i) * x(j) + beta * z(i)", "A:csb(16)", "prefetch(1000), private(y)", false},
    {"y(i) = alpha * A(j,i) * x(j) + beta * z(i)", "A:coo", "prefetch(1)", false},
    {"y(i) += A(i,j) * x(j)", "A:coo", "prefetch(2)", false},
    {"y(i) = A(i,j) * x(j)", "A:sell(8,16)", "prefetch(2)", false},
    {"A(i,r) = B(i,j,k) * C(j,r) * D(k,r)", "B:sss", "prefetch(0), serial", false},
    {"y(i) = A(i,j) * x(j)", "A:ds", "lanes(16)", false},
    {"y(i) = alpha * A(j,i) * x(j) + beta * z(i)", "A:ds:1,0", "lanes(32), serial", false},
    {"a = A(i,j) * A(i,j)", "A:ss", "lanes(64)", false},
    {"A(i,r) = B(i,j,k) * C(j,r) * D(k,r)", "B:sss", "parallelize(k), private(A)", false},
    {"A(i,r) = B(i,j,k) * C(j,r) * D(k,r)", "B:dss", "parallelize(j), atomic(A)", false},
    {"A(k,r) = B(i,j,k) * C(i,r) * D(j,r)", "B:sss", "parallelize(j), atomic(A)", false},
    {"A(k,r) = B(i,j,k) * C(i,r) * D(j,r)", "B:sss", "block(r,3), private(A)", false},
    {"A(k,r) = alpha * B(i,j,k) * C(i,r) * D(j,r)", "B:dds", "parallelize(k), private(A)", false},
    {"A(j,r) = B(i,j,k) * C(i,r) * D(k,r)", "B:hicoo(4)", "private(A)", false},
    {"A(j,r) = B(i,j,k) * C(i,r) * D(k,r)", "B:bcsf(2)", "parallelize(i), atomic(A)", false},
    {"A(j,r) = B(i,j,k) * C(i,r) * D(k,r)", "B:bcsf(2)", "parallelize(j), private(A)", false},
    {"Y(i,j) = B(i,j) * C(i,k) * D(k,j)", "B:ds; Y:ds", "parallelize(j)", false},
    {"Y(i,j) = B(i,j) * C(i,k) * D(k,j)", "B:ds; Y:ds", "private(Y)", false},
    {"Y(i,j) = B(i,j,k) * x(k)", "B:sss; Y:ss", "parallelize(k), private(Y)", false},
    {"Y(i,j) = B(i,j,k) * x(k)", "B:sss; Y:ss", "parallelize(j), exclusive(Y)", false},
    {"Y(i,j,r) = B(i,j,k) * X(k,r)", "B:sss; Y:ssd", "parallelize(k), atomic(Y)", false},
    {"y(i) = alpha * A(j,i) * x(j) + beta * z(i)", "A:ds", "atomic(y)", false},
};

static void test_schedules(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof schedule_cases / sizeof schedule_cases[0]; i++)
        for (uint64_t seed = 0; seed < 6; seed++) {
            if (!tsr_case_runs(i + seed))
                continue;
            tsr_error err = {0};
            const lower_case c = {.expression = schedule_cases[i].expression,
                                  .formats = schedule_cases[i].formats,
                                  .schedule = schedule_cases[i].schedule,
                                  .sizes = seed == 3 ? "i=200 j=20 k=10 r=19" : sizes,
                                  .density = seed == 2   ? 1e-9
                                             : seed == 3 ? 0.02
                                                         : 0.3,
                                  .seed = seed,
                                  .has_inf = seed == 1 || seed > 3,
                                  .inf_odds = seed > 3 ? 40 : 0,
                                  .known = seed % 2};
            if (lower_case_run(&c, &err) == schedule_cases[i].refused)
                fail_msg("%s, %s: %s", c.expression, c.schedule, err.message);
        }
}

/* Private copies that are cleared and added up only where a share touches the result: found by the positions of a first dense
 * level, by the first and last child of each parent, by all coordinates, by keys; with and without rests (blocks). */
static void test_touched(void **state)
{
    static const struct {
        const char *expression, *formats;
    } touched[] = {
        {"y(j) = A(i,j) * x(i)", "A:csr"},
        {"y(j) += A(i,j) * x(i)", "A:dcsr"},
        {"y(j) = A(i,j) * x(i)", "A:(i, j) -> (j : dense, i : compressed)"},
        {"y(j) = A(i,j) * x(i) + z(j)", "A:uq"},
        {"Y(j,r) = A(i,j) * X(i,r)", "A:coo"},
        {"Y(r,j) = A(i,j) * X(i,r)", "A:coo"},
        {"y(i) = A(i,j) * x(j)", "A:bcsr(2,3)"},
        {"y(j) = A(i,j) * x(i)", "A:bcsr(2,3)"},
        {"y(j) = A(i,j) * x(i)",
         "A:(i, j) -> (i : dense, j floordiv 16 : compressed, j mod 16 : compressed)"},
        {"y(j) = A(i,j) * x(i)", "A:ellc"},
        {"A(j,r) = B(i,j,k) * C(i,r) * D(k,r)", "B:hicoo(4)"},
        {"A(k,r) = B(i,j,k) * C(i,r) * D(j,r)", "B:hicoo(4)"},
        {"A(j,r) = B(i,j,k) * C(i,r) * D(k,r)", "B:alto"},
        {"A(k,r) += B(i,j,k) * C(i,r) * D(j,r)", "B:alto"},
        {"A(j,r) = B(i,j,k) * C(i,r) * D(k,r)", "B:strips(16)"},
        {"A(k,r) = B(i,j,k) * C(i,r) * D(j,r)", "B:csf"},
        {"Y(j,k) = B(i,j,k) * x(i)", "B:csf"},
        {"y(j) = A(i,j) * x(i)", "A:hash"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof touched / sizeof *touched; i++)
        for (uint64_t seed = 0; seed < 4; seed++) {
            tsr_error err = {0};
            tsr_text schedule = {0};
            tsr_text_addf(&schedule, "private(%c)%s", touched[i].expression[0],
                          seed % 2 ? ", deterministic" : "");
            const lower_case c = {.expression = touched[i].expression,
                                  .formats = touched[i].formats,
                                  .schedule = tsr_text_cstr(&schedule),
                                  .sizes = strchr(touched[i].expression, 'k') ? "i=24 j=70 k=66 r=4"
                                                                              : "i=30 j=270 r=4",
                                  .density = seed == 2  ? 1e-9
                                             : seed < 2 ? 0.0003
                                                        : 0.02,
                                  .seed = seed,
                                  .known = seed != 3};
            if (!lower_case_run(&c, &err))
                fail_msg("%s, %s: %s", c.expression, c.formats, err.message);
            tsr_text_clear(&schedule);
        }
}

/* Append "name(a)" or, with n > 0, "name(a,n)". */
static void add_item(tsr_text *text, const char *name, const char *a, uint64_t n)
{
    tsr_text_addf(text, "%s%s(%s", text->nbytes ? ", " : "", name, a);
    if (n > 0)
        tsr_text_addf(text, "%s%" PRIu64, *a ? "," : "", n);
    tsr_text_add(text, ")");
}

/* A schedule of items drawn for the expression, which need not make sense together. */
static void random_schedule(tsr_text *text, const char *expression, tsr_rng *rng)
{
    static const char *const sharing[] = {"exclusive", "private", "atomic"};
    tsr_notation *notation;
    assert_ok(tsr_notation_parse(&notation, expression, err));
    const char *const *var = notation->var;
    const uint64_t nvars = (uint64_t)notation->nvars;
    if (tsr_rng_below(rng, 2) == 0)
        add_item(text, sharing[tsr_rng_below(rng, 3)], notation->tensor[0].name, 0);
    if (tsr_rng_below(rng, 3) == 0 && nvars > 0)
        add_item(text, "parallelize", var[tsr_rng_below(rng, nvars)], 0);
    for (uint64_t v = 0; v < nvars; v++) {
        if (tsr_rng_below(rng, 4) == 0)
            add_item(text, "block", var[v], 1 + tsr_rng_below(rng, 8));
        if (tsr_rng_below(rng, 4) == 0)
            add_item(text, "unroll", var[v], 1 + tsr_rng_below(rng, 5));
        if (tsr_rng_below(rng, 4) == 0)
            add_item(text, "literal", var[v], 0);
    }
    if (tsr_rng_below(rng, 4) == 0 && nvars > 0)
        add_item(text, "vectorize", var[tsr_rng_below(rng, nvars)], 0);
    if (tsr_rng_below(rng, 4) == 0)
        add_item(text, "prefetch", "", 1 + tsr_rng_below(rng, 6));
    if (tsr_rng_below(rng, 4) == 0)
        add_item(text, "lanes", "", (uint64_t)16 << tsr_rng_below(rng, 4));
    tsr_notation_free(notation);
}

/* Whatever items meet, the answer is right or the schedule refused. */
static void test_random_schedules(void **state)
{
    (void)state;
    tsr_rng rng = {20};
    int nrun = 0;
    for (int k = 0; k < NRANDOM; k++) {
        const size_t i = tsr_rng_below(&rng, sizeof cases / sizeof cases[0]);
        tsr_text text = {0};
        tsr_error err = {0};
        random_schedule(&text, cases[i].expression, &rng);
        const lower_case c = {.expression = cases[i].expression,
                              .formats = cases[i].formats,
                              .schedule = tsr_text_cstr(&text),
                              .sizes = k % 3 ? sizes : "i=40 j=11 k=7 r=19",
                              .density = k % 5 ? 0.3 : 0.02,
                              .seed = (uint64_t)k,
                              .has_inf = k % 2,
                              .inf_odds = k % 4 == 1 ? 40 : 0,
                              .known = k % 4 > 1};
        nrun += lower_case_run(&c, &err);
        tsr_text_clear(&text);
    }
    assert_true(nrun > NRANDOM / 8);
}

/* Value types, also mixed. */
static void test_types(void **state)
{
    (void)state;
    static const char *const types[] = {
        "A:f32; x:f32; y:f32",    "A:i32; x:i32; y:i32", "A:u8; x:u8; y:i16",   "A:i64; x:i16; y:i64",
        "A:c128; x:c128; y:c128", "A:c64; x:f32; y:c64", "A:pattern; x:f64",    "A:pattern; x:pattern; y:i32",
        "A:f32; x:f64; y:f64",    "A:i8; x:f64; y:f64",  "A:u64; x:f32; y:f32", "A:f64; x:i32; y:c128"};
    static const char *const expressions[] = {"y(i) = A(i,j) * x(j)", "y(j) = 2 * A(i,j) * x(i)",
                                              "y(i) = A(i,j) - x(i)", "y(i) = A(i,j) * A(i,j)", "y = A(i,j)"};
    static const char *const storage[] = {"ds", "uq", "bcsr(2,3)", "dd"};
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++)
        for (size_t e = 0; e < sizeof expressions / sizeof expressions[0]; e++)
            for (uint64_t seed = 0; seed < 4; seed++) {
                char text[100];
                tsr_error err = {0};
                snprintf(text, sizeof text, "A:%s", storage[seed]);
                const lower_case c = {.expression = expressions[e],
                                      .formats = text,
                                      .types = types[t],
                                      .sizes = sizes,
                                      .seed = seed,
                                      .is_iso = e % 2};
                if (!lower_case_run(&c, &err))
                    fail_msg("%s, %s, %s: %s", c.expression, text, types[t], err.message);
            }
}

/* What loops that walk cannot compute, and what no program computes, and the sentence that says why. */
static const struct {
    const char *expression, *formats, *types, *sentence;
} refused[] = {
    {"y(i) = A(i,j) * x(j)", "A:ds; x:s", NULL, "two different sparse operands"},
    {"Y(i,j) = A(i,j) * B(i,j)", "A:ss; B:ss", NULL, "two different sparse operands"},
    {"y(i) = A(i,j) * A(i,j)", "A:coodup", NULL, "keeps duplicates"},
    {"Y(i,j) = A(i,j) + x(i)", "A:ds; Y:ds", NULL, "a term without a sparse operand"},
    {"y(i) = x(i)", "y:s", NULL, "a term without a sparse operand"},
    {"Y(i,j) = A(i,j)", "A:ds; Y:ss", NULL, "outer levels"},
    {"y(j) = A(i,j)", "A:ss; y:s", NULL, "outer levels"},
    {"y(i) = A(i,j) / A(i,j)", "A:ds", NULL, "divided by a sparse operand"},
    {"y(i) = A(i,j) * x(j)", "A:ds", "y:pattern", "pattern"},
    {"y(i) = A(i,j) * x(j)", "A:ds", "y:f32; A:c64", "cannot hold"},
    {"y(i) = A(i,j) * x(j)", "A:ds", "y:i32; A:f32; x:i32", "cannot hold"},
    {"y(i) = 0.5 * A(i,j)", "A:ds", "y:i32; A:i32", "0.5"},
};

static void test_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        tsr_error err = {0};
        const lower_case c = {.expression = refused[i].expression,
                              .formats = refused[i].formats,
                              .types = refused[i].types,
                              .sizes = "i=5 j=5"};
        if (lower_case_run(&c, &err))
            fail_msg("%s: not refused", c.expression);
        if (!strstr(err.message, refused[i].sentence))
            fail_msg("%s: %s", c.expression, err.message);
    }
}

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (uint64_t seed = 0; seed < 8; seed++) {
            if (!tsr_case_runs(i + seed))
                continue;
            static const char *const other_sizes[] = {"i=1 j=1 k=1 r=1", "i=0", "j=0", "k=0", "r=0"};
            tsr_error err = {0};
            lower_case c = {.expression = cases[i].expression, .formats = cases[i].formats};
            c.sizes = seed < 3 ? sizes : other_sizes[seed - 3];
            c.has_inf = seed > 3; /* a sum of nothing is not multiplied */
            c.seed = seed;
            c.density = seed == 2 ? 1e-9 : 0.3;
            /* a sum over nothing has no entries, so a result with the levels of an operand is made by a plan */
            const bool sums_nothing = seed > 3 && (strstr(c.formats, "Y:") || strstr(c.formats, "y:"));
            if (!lower_case_run(&c, &err) && !(sums_nothing && err.status == TSR_UNSUPPORTED)) {
                print_error("%s: %s\n", c.expression, err.message);
                fail();
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),   cmocka_unit_test(test_formats),          cmocka_unit_test(test_long),
        cmocka_unit_test(test_results), cmocka_unit_test(test_schedules),        cmocka_unit_test(test_types),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_random_schedules), cmocka_unit_test(test_runs),
        cmocka_unit_test(test_touched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
