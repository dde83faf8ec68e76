/* Every expression that a sparse compiler must compute, each operand and the result in the formats that have letters, one or
 * two orders of the levels, and in formats drawn from all named ones: against the dense oracle, entries too. The rows of `failures` are those that the compiler of the
 * founding paper refuses or gets wrong, by the number of the report; "seen": without a report. 510 and 512, functions inside
 * another, are rows of test_kernels_notation.c.
 *
 *     test_kernels_facts            some combinations of formats, drawn, and those that the row names
 *     test_kernels_facts compiled   fewer, compiled
 *     test_kernels_facts all        for each pair of tensors of each row all pairs of formats
 *     test_kernels_facts random FIRST LAST    for each of these seeds new entries, in named formats */
#include "kernel_trial.h"
#include "random_format.h"
#include "tsr_test.h"

enum { MAX_FORMATS = 16, MOST = 60 };

typedef struct row {
    const char *name;
    const char *text;
    const char *
        sparse; /* names of the tensors that may be stored sparse, one letter each; the result's: may be, too */
    const char
        *formats; /* combinations to try besides, of all tensors by number: "csr s d; ss s s"; NULL: none */
    const char *schedule; /* NULL: automatic */
    uint64_t size;        /* of all variables; 0: a few, drawn */
    bool apart;           /* the entries of two operands never meet in their first modes */
} row;

#define ROW(n, t, s) .name = n, .text = t, .sparse = s
static const row expressions[] = {
    {ROW("spmv", "y(i) = A(i,j)*x(j)", "yAx")},
    {ROW("mattransmul", "y(i) = alpha*A(j,i)*x(j) + beta*z(i)", "yAxz")},
    {ROW("residual", "y(i) = b(i) - A(i,j)*x(j)", "ybAx")},
    {ROW("sddmm", "A(i,j) = B(i,j)*C(i,k)*D(k,j)", "ABCD")},
    {ROW("plus", "A(i,j) = B(i,j) + C(i,j)", "ABC")},
    {ROW("plus3", "A(i,j) = B(i,j) + C(i,j) + D(i,j)", "ABCD")},
    {ROW("plus3 order 3", "A(i,j,k) = B(i,j,k) + C(i,j,k) + D(i,j,k)", "ABCD")},
    {ROW("ttv", "A(i,j) = B(i,j,k)*c(k)", "ABc")},
    {ROW("ttv 1", "A(i,k) = B(i,j,k)*c(j)", "ABc")},
    {ROW("ttv 0", "A(j,k) = B(i,j,k)*c(i)", "ABc")},
    {ROW("ttm", "A(i,j,k) = B(i,j,l)*C(k,l)", "ABC")},
    {ROW("mttkrp", "A(i,j) = B(i,k,l)*C(k,j)*D(l,j)", "ABCD")},
    {ROW("mttkrp 1", "A(k,j) = B(i,k,l)*C(i,j)*D(l,j)", "ABCD")},
    {ROW("mttkrp 2", "A(l,j) = B(i,k,l)*C(i,j)*D(k,j)", "ABCD")},
    {ROW("innerprod", "a = B(i,j,k)*C(i,j,k)", "BC")},
    {ROW("multiply and add", "a(i) = b(i)*c(i) + d(i)", "abcd")},
    {ROW("add and multiply", "a(i) = (b(i) + c(i))*d(i)", "abcd")},
    {ROW("add a product", "a(i) = b(i) + c(i)*d(i)", "abcd")},
    {ROW("square of a matrix", "A(i,j) = B(i,k)*B(k,j)", "AB")},
    {ROW("block spmv", "A(i,j) = B(i,k,j,l)*C(k,l)", "ABC")},
    {ROW("negation", "a = -b", "")},
    {ROW("quotient", "a = b/c", "")},
    {ROW("product of scalars", "a = b*c", "")},
    {ROW("sum of scalars", "a = b + c", "")},
    {ROW("difference of scalars", "a = b - c", "")},
    {ROW("vector", "a(i) = -b(i)", "ab")},
    {ROW("vector times scalar", "a(i) = b(i)*c", "ab")},
    {ROW("vector times literal", "a(i) = 42.0*b(i)", "ab")},
    {ROW("vector times vector", "a(i) = b(i)*c(i)", "abc")},
    {ROW("vector plus", "a(i) = b(i) + c(i)", "abc")},
    {ROW("10,000 entries, which grow", "a(i) = b(i) + c(i)", "abc"), .size = 20000},
    {ROW("vector plus scalar", "a(i) = b(i) + c", "ab")},
    {ROW("vector minus", "a(i) = b(i) - c(i)", "abc")},
    {ROW("vector over vector", "a(i) = b(i)/c(i)", "ab")},
    {ROW("vector twice", "a(i) = b(i) + b(i)", "ab")},
    {ROW("vector squared", "a(i) = b(i)*b(i)", "ab")},
    {ROW("b*(c+d)", "a(i) = b(i)*(c(i) + d(i))", "abcd")},
    {ROW("(c+d)*b", "a(i) = (c(i) + d(i))*b(i)", "abcd")},
    {ROW("b+c+d*e", "a(i) = b(i) + c(i) + d(i)*e(i)", "abcde")},
    {ROW("(b+c+d)*e", "a(i) = (b(i) + c(i) + d(i))*e(i)", "abcde")},
    {ROW("b+c+d+e", "a(i) = b(i) + c(i) + d(i) + e(i)", "abcde")},
    {ROW("b*c*d", "a(i) = b(i)*c(i)*d(i)", "abcd")},
    {ROW("b+(c+d)", "a(i) = b(i) + (c(i) + d(i))", "abcd")},
    {ROW("b-c*d", "a(i) = b(i) - c(i)*d(i)", "abcd")},
    {ROW("dot", "a = b(i)*c(i)", "bc")},
    {ROW("sum", "a = B(i,j)", "B")},
    {ROW("row sums", "a(i) = B(i,j)", "aB")},
    {ROW("sum over a mode", "A(i,j) = T(i,j,k)", "AT")},
    {ROW("sum of all", "a = S(i,j,k)", "S")},
    {ROW("sums side by side", "s = b(i) + c(j)", "bc")},
    {ROW("product of sums", "s = b(i)*c(j)", "bc")},
    {ROW("product of three sums", "s = b(i)*c(j)*d(k)", "bcd")},
    {ROW("two dots", "s = b(i)*c(i) + d(j)*e(j)", "bcde")},
    {ROW("dot and sum", "s = b(i)*c(i) + d(i)*e(j)", "bcde")},
    {ROW("matrix", "A(i,j) = -B(i,j)", "AB")},
    {ROW("matrix transposed", "A(j,i) = -B(i,j)", "AB")},
    {ROW("matrix times matrix", "A(i,j) = B(i,j)*C(i,j)", "ABC")},
    {ROW("twice", "A(i,j) = 2.0*D(i,j)", "AD")},
    {ROW("scaled rows", "A(i,j) = b(i)*D(i,j)", "AbD")},
    {ROW("scaled columns", "A(i,j) = D(i,j)*b(j)", "AbD")},
    {ROW("scaled by a sum", "A(i,j) = (b(i) + c(i))*D(i,j)", "AbcD")},
    {ROW("scaled both", "A(i,j) = b(i)*D(i,j)*c(j)", "AbDc")},
    {ROW("scaled twice", "A(i,j) = b(i)*D(i,j)*c(i)", "AbDc")},
    {ROW("over columns", "A(i,j) = B(i,j)/c(j)", "AB")},
    {ROW("plus transposed", "A(i,j) = B(i,j) + C(j,i)", "ABC")},
    {ROW("broadcast rows", "A(i,j) = b(i)", "Ab")},
    {ROW("broadcast columns", "A(i,j) = b(j)", "Ab")},
    {ROW("literal plus", "a(i) = 1 + b(i)", "ab")},
    {ROW("trace", "a = A(i,i)", "A")},
    {ROW("diagonal", "y(i) = A(i,i)*x(i)",
         "yAx")}, /* stored rows without a diagonal entry were entries of y */
    {ROW("spmv csc", "y(j) = A(i,j)*x(i)", "yAx")},
    {ROW("spmv plus", "y(i) = B(i,j)*c(j) + d(i)", "yBcd")},
    {ROW("gemv", "y(i) = alpha*B(i,j)*c(j) + beta*d(i)", "yBcd")},
    {ROW("gemv with literals", "y(i) = 2.0*(B(i,j)*c(j)) + 3.0", "yBc")},
    {ROW("sum of matrices", "y(i) = alpha*(B(i,j) + C(i,j))*d(j)", "yBCd")},
    {ROW("two matrices", "y(i) = A(i,j)*B(i,j)*x(j)", "yABx")},
    /* the loops of one term walk A, those of the other merge */
    {ROW("walk and merge", "y(i) = A(i,j)*x(j) - B(i,j)*C(i,j)*z(j)", "ABC")},
    {ROW("walk and merge, by columns", "y(j) += 2*A(i,j)*x(i) + B(i,j)*C(j,i) + w(j)", "ABC")},
    {ROW("walk and merge, order 3", "Z(i,j) = B(i,j)*C(j,i) + A(i,j,k)*v(k)", "ABC")},
    {ROW("ell", "a(i) = B(j,i,k)*c(k)", "aBc")},
    {ROW("matmul", "A(i,j) = B(i,k)*C(k,j)", "ABC")},
    {ROW("B'B", "A(i,j) = B(k,i)*B(k,j)", "AB")},
    {ROW("column norms", "a(i) = B(j,i)*B(j,i)", "aB")},
    {ROW("tensor times", "A(i,j,k) = B(i,j,k)*C(i,j,k)", "ABC")},
    {ROW("tensor plus", "A(i,j,k) = B(i,j,k) + C(i,j,k)", "ABC")},
    {ROW("tensor times order 4", "A(i,j,k,l) = B(i,j,k,l)*C(i,j,k,l)", "ABC")},
    {ROW("tensor plus order 4", "A(i,j,k,l) = B(i,j,k,l) + C(i,j,k,l)", "ABC")},
    {ROW("two ttv", "A(i,j) = (B(i,j,k,l)*c(l))*d(k)", "ABcd")},
    {ROW("two ttv, the same vector", "A(i,j) = (B(i,j,k,l)*c(l))*c(k)", "ABc")},
    {ROW("ttm 1", "A(i,m,j) = B(i,m,l)*C(l,j)", "ABC")},
    {ROW("contraction", "a(i) = B(i,j,k)*C(j,k)", "aBC")},
    {ROW("mttkrp order 4", "A(i,j) = B(i,k,l,m)*C(k,j)*D(l,j)*E(m,j)", "ABCDE")},
    {ROW("mttkrp order 5", "A(i,j) = B(i,k,l,m,n)*C(k,j)*D(l,j)*E(m,j)*F(n,j)", "ABCDEF")},
    {ROW("scaled tensor", "A(m) = b(i)*D(i,j,m)*c(j)", "AbDc")},
    {ROW("kronecker", "A(i,j,k,l) = B(i,j)*C(k,l)", "ABC")},
    {ROW("XY", "Z(j,k,l,m) = X(i,j,k)*Y(i,l,m)", "ZXY")},
    {ROW("XY two", "Z(i,j,m,n) = X(i,j,k,l)*Y(m,n,k,l)", "ZXY")},
    {ROW("network", "A(i,j,n) = B(i,j,k,l)*C(k,l,m)*D(m,n)", "ABCD")},
    {ROW("cp", "a = X(i,j,k)*v(r)*B(i,r)*C(j,r)*D(k,r)", "XvBCD")},
    {ROW("weights", "a = v(i)*v(j)*B(i,j)*C(i,j)*D(i,j)", "vBCD")},
    {ROW("qcd", "a = z(i)*z(j)*z(k)*T(i,j)*T(i,k)", "zT")},
    {ROW("square, transposed", "A(j,i) = B(i,k)*C(k,j)", "ABC")},
    {ROW("three vectors and a tensor", "a = B(i,j,k)*c(i)*d(j)*e(k)", "Bcde")},
    {ROW("chain", "A(i,l) = B(i,j)*C(j,k)*D(k,l)", "ABCD")},
    /* refused: the prefetch of the rows of B took X's dense level */
    {ROW("rows at a diagonal above a dense level", "y(j) = B(j,i)*X(i,i,j)", "yBX"),
     .formats = "d ds sds; s ds sds; d ds sss"},
};

static const row failures[] = {
    {ROW("121, 277, 297, 307, 315, 325, 465, 537", "A(i,j) = B(i,k)*C(k,j)", "ABC"),
     .formats = "ds ds ds; ss ds ds; ds ss ds; ds ds ss; ss ss ss; ds ds:1,0 ds:1,0; ds dd ds; ds ds dd; ds "
                "ds ds:1,0"},
    {ROW("seen: all by columns, the last product overwrote", "A(i,j) = B(i,k)*C(k,j)", "ABC"),
     .formats = "ds:1,0 ds:1,0 ds:1,0; ss:1,0 ss:1,0 ss:1,0"},
    {ROW("561, 559, 471: several threads, sparse outer loops too", "A(i,j) = B(i,k)*C(k,j)", "ABC"),
     .formats = "ds ds ds; ss ss ss", .schedule = "assemble(append)"},
    {ROW("431, 566: precompute of a sparse result", "A(i,l) = B(i,j)*C(j,k)*D(k,l)", "ABCD"),
     .formats = "ds ds ds ds; ss ss ss ss", .schedule = "precompute(B,C)"},
    {ROW("431, 566: a workspace of the result", "A(i,j) = B(i,k)*C(k,j)", "ABC"),
     .formats = "ds ds ds; ss ss ss", .schedule = "workspace(j,dense)"},
    {ROW("297: A'A", "C(i,j) = A(k,i)*A(k,j)", "CA")},
    {ROW("297: A'DA", "C(i,j) = A(k,i)*D(k,l)*A(l,j)", "CAD")},
    {ROW("297: ABC", "D(i,l) = A(i,j)*B(j,k)*C(k,l)", "DABC")},
    {ROW("297: (A+B)(A+B+C)", "D(i,j) = (A(i,k) + B(i,k))*(A(k,j) + B(k,j) + C(k,j))", "DABC")},
    {ROW("297: (aA + B)'(bB' + C)", "D(i,j) = (a*A(k,i) + B(k,i))*(b*B(j,k) + C(k,j))", "DABC")},
    {ROW("308, 309, 558", "Z(j,k,l,m) += X(i,j,k)*Y(i,l,m)", "XY")},
    {ROW("146", "A(j,k) = G(i,j,k)*p(i)", "AGp")},
    {ROW("522", "A(i,j,k) = B(i,j,l)*C(k,l)", "ABC"), .formats = "sss sss ss; sss sss dd"},
    {ROW("214: nothing meets", "y(i) = A(j,i)*c(j)", "yAc"), .formats = "s ds s; s ss s; s ds:1,0 s",
     .apart = true},
    {ROW("215", "A(i,j) = B(i) + C(j)", "ABC")},
    {ROW("216", "A(i,j,k) = B(i,j,k) + C(i,j)", "ABC")},
    {ROW("199", "J(i,j) = A(i,j) + B(i,j,k)*x(k) + B(i,l,j)*x(l)", "JABx")},
    {ROW("279, 292, 564", "A(i,j) = B(i,j) + C(j,i)", "ABC"), .formats = "ds ds ds; ds ds ds:1,0"},
    {ROW("179: a copy in another order", "A(i,j) = B(i,j)", "AB"), .formats = "ds:1,0 ds; ds ds:1,0"},
    {ROW("199: B + B'", "A(i,j) = B(i,j) + B(j,i)", "AB"), .formats = "ds ds; ss ss"},
    {ROW("212", "A(k,i) = B(i,j)*C(j,k)", "ABC"), .formats = "dd dd dd"},
    {ROW("280", "A(i,k) = B(i,j)*C(j,k) + D(i,k)", "ABCD"), .formats = "ds ds:1,0 ds ds; dd ds:1,0 ds dd"},
    {ROW("86, 100, 210", "A(i,j) = 2*B(i,j)", "AB"), .formats = "sd ds; ds sd; sd ss"},
    {ROW("26", "a(i) = A(i,i)", "aA")},
    {ROW("306", "B(i,i) = a(i)", "Ba")},
    {ROW("SDDMM with both dense factors by rows", "A(i,j) = B(i,j)*C(i,k)*D(j,k)", "AB"),
     .formats = "ds ds dd dd"},
    {ROW("(B+C)*d", "y(i) = (B(i,j) + C(i,j))*d(j)", "yBCd")},
    {ROW("289: zeros of a dense operand", "A(i,j) = B(i,j)*c(i)", "ABc"), .formats = "ds ds d; ds dd s"},
    {ROW("289: the same in a sum", "a(i) = b(i) + c(i)", "abc"), .formats = "s s d"},
    {ROW("27, 45", "a(i) = b(i) + c(i)", "abc"), .formats = "d d s; d s d; s d s"},
    {ROW("103", "a(i) = b(i) + b(i)", "ab")},
    {ROW("coo reduced to one mode", "y(i) = A(i,j)",
         "yA")}, /* a coordinate was an entry as often as its row had entries */
};

/* The formats of a tensor of this order: all dense; where it may be sparse, those that have letters (of order 4 some; not those with a
 * singleton below unique coordinates, which store one entry for each), and further
 * orders of the levels. */
static int all_formats(char (*text)[24], int order, bool sparse)
{
    static const char *const full[6] = {"dense", "d", "dd", "ddd", "dddd", "ddddd"};
    static const char *const more[6][MAX_FORMATS] = {
        {NULL},
        {"s", "u"},
        {"ds", "sd", "ss", "du", "su", "uq", "ds:1,0", "ss:1,0"},
        {"sss", "dss", "sds", "ssd", "dds", "dsd", "sdd", "duq", "suq", "uqq", "uqs", "dss:2,0,1"},
        {"ssss", "dsss", "dsds:3,1,0,2", "uqqq", "dduq", "sdsd"},
        {"sssss", "uqqqq", "ddsss"}};
    int n = 0;
    strcpy(text[n++], full[order]);
    for (int k = 0; sparse && k < MAX_FORMATS && more[order][k]; k++)
        strcpy(text[n++], more[order][k]);
    return n;
}

static bool compiled;

typedef struct sample {
    tsr_notation *n;
    uint64_t size[TSR_NOTATION_MAX_VARS];
    dense tensors[TSR_NOTATION_MAX_TENSORS];
    char text[TSR_NOTATION_MAX_TENSORS][MAX_FORMATS][24];
    int nformats[TSR_NOTATION_MAX_TENSORS];
    tsr_rng rng;
    uint64_t ntried; /* combinations of formats */
} sample;

static void unite(sample *s, const tsr_expr *e)
{
    if (e->kind == TSR_EXPR_ACCESS) { /* a tensor that stands there twice has one shape */
        const tsr_expr *first = tsr_notation_access(s->n, e->tensor);
        for (int m = 0; m < e->nindices; m++) {
            uint64_t *a = &s->size[e->index[m]], *b = &s->size[first->index[m]];
            *a = *b = *a < *b ? *a : *b;
        }
    }
    if (e->a)
        unite(s, e->a);
    if (e->b)
        unite(s, e->b);
}

/* Small whole numbers, powers of 2 where something is divided by them. */
static void draw(sample *s, const row *r)
{
    const char *const sparse = r->sparse;
    const bool divides = strchr(s->n->text, '/') != NULL;
    for (int v = 0; v < s->n->nvars; v++)
        s->size[v] = r->size ? r->size : 2 + tsr_rng_below(&s->rng, s->n->nvars > 3 ? 2 : 4);
    for (int k = 0; k < 4; k++)
        unite(s, s->n->rhs);
    for (int t = 0; t < s->n->ntensors; t++) {
        const tsr_expr *e = tsr_notation_access(s->n, t);
        uint64_t dims[TSR_MAX_ORDER] = {0};
        for (int m = 0; m < e->nindices; m++)
            dims[m] = s->size[e->index[m]];
        dense *d = &s->tensors[t];
        const bool is_sparse = strstr(sparse, s->n->tensor[t].name) != NULL;
        dense_init(d, e->nindices, dims);
        s->nformats[t] = all_formats(s->text[t], e->nindices, is_sparse);
        for (uint64_t k = 0; k < d->n && t > 0; k++) {
            const uint64_t first = e->nindices > 0 ? k / (d->n / dims[0]) : 0;
            d->stored[k] = !is_sparse || tsr_rng_below(&s->rng, 2);
            d->stored[k] = d->stored[k] && !(r->apart && first % 2 != (uint64_t)t % 2);
            d->v[k] = !d->stored[k] ? 0
                      : divides     ? 1 << tsr_rng_below(&s->rng, 3)
                                    : (double)tsr_rng_below(&s->rng, 9) - 4;
        }
    }
}

static void try_formats(sample *s, const row *r, const char *const *format, tsr_kernel_engine engine)
{
    if (!tsr_case_runs(s->ntried++))
        return;
    const char *formats[TSR_NOTATION_MAX_TENSORS];
    const dense *operands[TSR_NOTATION_MAX_TENSORS];
    dense given[TSR_NOTATION_MAX_TENSORS], want;
    char what[2200];
    size_t n = (size_t)snprintf(what, sizeof what, "%s: %s", r->name, r->text);
    for (int t = 0; t < s->n->ntensors; t++) {
        formats[t] = format[t];
        n += (size_t)snprintf(what + n, sizeof what - n, "; %s: %.150s", s->n->tensor[t].name, formats[t]);
        given[t] = s->tensors[t];
        operands[t] = &given[t];
        if (t == 0)
            continue;
        tsr_tensor *tensor; /* as the format shows it: zeros are absent in some */
        dense_pack(&tensor, &s->tensors[t], formats[t], TSR_F64, NULL);
        dense_from_tensor(&given[t], tensor);
        tsr_tensor_free(tensor);
    }
    dense_copy(&want, &s->tensors[0]);
    dense_evaluate(&want, NULL, s->n, operands);
    const kernel_trial trial = {.what = what,
                                .notation = s->n,
                                .tensors = given,
                                .formats = formats,
                                .want = &want,
                                .has_entries = true,
                                .schedule = r->schedule,
                                .engine = engine};
    tsr_error why = {0};
    if (kernel_try(&trial, &why) != TSR_OK)
        fail_msg("%s: %s", what, why.message);
    dense_clear(&want);
    for (int t = 1; t < s->n->ntensors; t++)
        dense_clear(&given[t]);
}

/* The combinations that the row names. */
static void try_named(sample *s, const row *r, tsr_kernel_engine engine)
{
    char text[TSR_NOTATION_MAX_TENSORS][24];
    const char *format[TSR_NOTATION_MAX_TENSORS], *rest = r->formats ? r->formats : "";
    while (*rest) {
        for (int t = 0; t < s->n->ntensors; t++) {
            const size_t n = strcspn(rest, " ;");
            snprintf(text[t], sizeof text[t], "%.*s", (int)n, rest);
            rest += n + strspn(rest + n, " ;");
            format[t] = s->n->tensor[t].order ? text[t] : "dense";
        }
        try_formats(s, r, format, engine);
    }
}

/* A combination of formats; those of tensors with `fixed` >= 0 have this number, the others are drawn. */
static void try_drawn(sample *s, const row *r, const int *fixed, tsr_kernel_engine engine)
{
    const char *format[TSR_NOTATION_MAX_TENSORS];
    for (int t = 0; t < s->n->ntensors; t++)
        format[t] =
            s->text[t][fixed[t] >= 0 ? (uint64_t)fixed[t] : tsr_rng_below(&s->rng, (uint64_t)s->nformats[t])];
    try_formats(s, r, format, engine);
}

/* All formats of all tensors; of too many some, drawn. */
static void try_some(sample *s, const row *r, uint64_t most, tsr_kernel_engine engine)
{
    int fixed[TSR_NOTATION_MAX_TENSORS];
    uint64_t all = 1;
    for (int t = 0; t < s->n->ntensors; t++)
        all *= (uint64_t)s->nformats[t];
    for (uint64_t k = 0; k < (all < most ? all : most); k++) {
        uint64_t rest = k;
        for (int t = 0; t < s->n->ntensors; t++) {
            fixed[t] = all <= most ? (int)(rest % (uint64_t)s->nformats[t]) : -1;
            rest /= (uint64_t)s->nformats[t];
        }
        try_drawn(s, r, fixed, engine);
    }
}

/* All pairs of formats of each pair of tensors. */
static void try_pairs(sample *s, const row *r, tsr_kernel_engine engine)
{
    for (int a = 0; a < s->n->ntensors; a++)
        for (int b = a + 1; b < s->n->ntensors; b++)
            for (int k = 0; k < s->nformats[a] * s->nformats[b]; k++) {
                int fixed[TSR_NOTATION_MAX_TENSORS];
                for (int t = 0; t < s->n->ntensors; t++)
                    fixed[t] = t == a ? k % s->nformats[a] : t == b ? k / s->nformats[a] : -1;
                try_drawn(s, r, fixed, engine);
            }
}

/* Each tensor that may be sparse in any format, all of them in the same one now and then. */
static void try_named_formats(sample *s, int n, tsr_kernel_engine engine, const row *r)
{
    static char text[TSR_NOTATION_MAX_TENSORS][RANDOM_FORMAT_NBYTES];
    const char *format[TSR_NOTATION_MAX_TENSORS];
    for (int k = 0; k < n; k++) {
        const bool same = tsr_rng_below(&s->rng, 4) == 0;
        int first = -1;
        for (int t = 0; t < s->n->ntensors; t++) {
            const dense *const d = &s->tensors[t];
            format[t] = s->text[t][0];
            if (s->nformats[t] < 2 || d->order == 0)
                continue;
            random_format(text[t], &s->rng, d->order, d->dims, false);
            tsr_format *fits = NULL;
            const char *const common = first >= 0 && same ? text[first] : text[t];
            if (tsr_format_parse(&fits, common, d->order, d->dims, NULL) == TSR_OK)
                format[t] = common;
            else
                format[t] = text[t];
            tsr_format_free(fits);
            first = first < 0 ? t : first;
        }
        try_formats(s, r, format, engine);
    }
}

enum { PAIRS = -1 };

/* ndrawn: combinations of formats with letters to draw; PAIRS: all pairs. nnamed: of named formats. */
static void try_row(const row *r, uint64_t seed, int ndrawn, int nnamed)
{
    sample *s = calloc(1, sizeof *s);
    const tsr_kernel_engine engine = compiled ? TSR_ENGINE_JIT : TSR_ENGINE_INTERPRETER;
    assert_non_null(s);
    s->rng.s = seed;
    assert_ok(tsr_notation_parse(&s->n, r->text, err));
    draw(s, r);
    if (ndrawn)
        try_named(s, r, engine);
    if (!r->schedule && ndrawn > 0)
        try_some(s, r, (uint64_t)(r->size ? ndrawn / 8 : ndrawn), engine);
    else if (!r->schedule && ndrawn == PAIRS && !r->size)
        try_pairs(s, r, engine);
    if (!r->schedule && !r->size)
        try_named_formats(s, nnamed, engine, r);
    for (int t = 0; t < s->n->ntensors; t++)
        dense_clear(&s->tensors[t]);
    tsr_notation_free(s->n);
    free(s);
}

static void try_rows(const row *rows, size_t n, uint64_t seed, int ndrawn, int nnamed)
{
    for (size_t k = 0; k < n; k++)
        try_row(&rows[k], seed + k, ndrawn, nnamed);
}

enum {
    NEXPRESSIONS = sizeof expressions / sizeof *expressions,
    NFAILURES = sizeof failures / sizeof *failures
};

static void test_expressions(void **state)
{
    (void)state;
    try_rows(expressions, NEXPRESSIONS, 0, compiled ? 1 : 25, compiled ? 1 : 5);
}

static void test_failures_of_others(void **state)
{
    (void)state;
    try_rows(failures, NFAILURES, 1000, compiled ? 3 : MOST, compiled ? 1 : 5);
}

static void test_all(void **state)
{
    (void)state;
    try_rows(expressions, NEXPRESSIONS, 2000, PAIRS, 0);
    try_rows(failures, NFAILURES, 3000, PAIRS, 0);
}

static uint64_t first_seed, last_seed;

static void test_seeds(void **state)
{
    (void)state;
    for (uint64_t seed = first_seed; seed <= last_seed; seed++) {
        try_rows(expressions, NEXPRESSIONS, seed << 20, 0, 5);
        try_rows(failures, NFAILURES, (seed << 20) + 1000, 0, 5);
        print_message("seed %d\n", (int)seed);
    }
}

int main(int argc, char **argv)
{
    compiled = argc > 1 && strcmp(argv[1], "compiled") == 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expressions),
        cmocka_unit_test(test_failures_of_others),
    };
    const struct CMUnitTest all[] = {cmocka_unit_test(test_all)}, seeds[] = {cmocka_unit_test(test_seeds)};
    if (argc > 1 && strcmp(argv[1], "all") == 0)
        return cmocka_run_group_tests(all, NULL, NULL);
    if (argc > 3 && strcmp(argv[1], "random") == 0) {
        first_seed = strtoull(argv[2], NULL, 10);
        last_seed = strtoull(argv[3], NULL, 10);
        return cmocka_run_group_tests(seeds, NULL, NULL);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
