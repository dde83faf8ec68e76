/* Kernels against the oracle at random: expressions, formats, sizes (1 and 0 too), types, widths, duplicates,
 * NaN and infinities, schedules. "compiled" on the command line: compiled, else interpreted (but for some).
 * "first last" before it: only these rounds, which may be any, each told before it runs. */
#include <limits.h>
#include <math.h>

#include "kernel_trial.h"
#include "random_format.h"

static bool compiled;
static int first_round = 0, last_round = INT_MAX;

enum {
    LINEAR = 1,  /* in its sparse operands: an entry may be stored in two parts */
    SAMPLED = 2, /* the result may have the pattern of the sparse operand */
    MERGED = 4,  /* the result may have any format */
};

static const struct {
    const char *text;
    const char *sparse; /* names of those that are stored sparse, a letter each */
    int flags;
} expressions[] = {
    /* matrices */
    {"y(i) = A(i,j)*x(j)", "A", LINEAR},
    {"y(j) = A(i,j)*x(i)", "A", LINEAR},
    {"y(i) = alpha*A(j,i)*x(j) + beta*z(i)", "A", LINEAR},
    {"r(i) = b(i) - A(i,j)*x(j)", "A", LINEAR},
    {"y(i) += 2*A(i,j)*x(j)*d(i)", "A", LINEAR},
    {"y(i) = c(i)*A(i,j)*x(j)*d(j)", "A", LINEAR},
    {"y(i) = A(i,j)*(x(j) - z(j))", "A", LINEAR},
    {"y(i) = A(i,j)*(x(j) + 1) + 3", "A", LINEAR},
    {"y(i) = A(i,j)*x(j) + B(j,i)*x(j)", "AB", LINEAR},
    {"Y(i,r) = A(i,j)*X(j,r)", "A", LINEAR},
    {"Y(r,i) = A(i,j)*X(r,j)", "A", LINEAR},
    {"Y(j,r) = A(i,j)*X(i,r)", "A", LINEAR},
    {"Y(i,r,s) = A(i,j)*X(r,j,s)", "A", LINEAR},
    {"A(i,k) = B(i,k)*C(i,j)*D(j,k)", "B", LINEAR | SAMPLED},
    {"A(i,k) = B(i,k)*C(i,r)*D(k,r)", "B", LINEAR | SAMPLED},
    {"A(i,k) = B(i,k)*(C(i,r)*D(k,r))", "B", LINEAR | SAMPLED},
    {"A(i,j) = 3*B(i,j)", "B", LINEAR | SAMPLED},
    {"A(i,j) = B(i,j)*c(j)*d(i)", "B", LINEAR | SAMPLED},
    {"A(j,i) = -B(i,j)", "B", LINEAR},
    {"A(i,j) += B(j,i)", "B", LINEAR},
    {"A(i,j) = B(i,j) + C(i,j)", "BC", LINEAR},
    {"A(i,j) = B(i,j) - C(j,i) + 2", "BC", LINEAR},
    {"a(i) = B(i,j)", "B", LINEAR},
    {"a(j) = B(i,j)", "B", LINEAR},
    {"a = B(i,j)", "B", LINEAR},
    {"a = B(i,j)*B(i,j)", "B", MERGED},
    {"a(j) = B(i,j)*B(i,j)", "B", MERGED},
    {"a = B(i,j)*C(j,i)", "B", LINEAR},
    {"a = x(i)*A(i,j)*z(j)", "A", LINEAR},
    {"a = B(i,i)", "B", LINEAR},
    {"a(i) = B(i,i)*c(i)", "B", LINEAR},
    {"A(i,i) = B(i,j)*c(j)", "B", LINEAR},
    {"a(i) = b(i)*(C(i,j) + d(i))", "C", LINEAR},
    {"A(i,j,k) = B(i,k) + c(j)", "B", LINEAR},
    /* one operand is walked, others are located where they stand in other formats */
    {"y(i) = A(i,j)*B(i,j)*x(j)", "AB", LINEAR},
    {"Y(i,r) = A(i,j)*B(j,i)*X(j,r)", "AB", LINEAR},
    {"A(i,j) = B(i,j)*C(i,j)*d(j)", "BC", LINEAR},
    {"y(i) = d(i)*A(i,j)*B(i,j)", "AB", LINEAR},
    {"a(k) = B(i,j,k)*C(k,i)*d(j)", "BC", LINEAR},
    {"a(i) = 2*A(i,j)*B(i,j)*C(j,i) - B(i,j)*x(j)", "ABC", LINEAR},
    /* vectors and scalars */
    {"a(i) = b(i)*c(i)", "b", LINEAR | SAMPLED},
    {"a = b(i)*c(i)", "b", LINEAR},
    {"a(i) = c(i) - b(i)", "b", LINEAR},
    {"A(i,j) = b(i)*c(j)", "b", LINEAR},
    {"A(i,j) = b(j)", "b", LINEAR},
    {"a = b*c - 2", "", 0},
    {"a(i) = 7", "", 0},
    /* order 3 and more */
    {"A(i,j) = B(i,j,k)*c(k)", "B", LINEAR},
    {"A(i,k) = B(i,j,k)*c(j)", "B", LINEAR},
    {"A(j,k) = B(i,j,k)*c(i)", "B", LINEAR},
    {"a(j) = B(i,j,k)*c(i)*d(k)", "B", LINEAR},
    {"A(i,j,r) = B(i,j,k)*C(k,r)", "B", LINEAR},
    {"A(i,r,k) = B(i,j,k)*C(j,r)", "B", LINEAR},
    {"A(r,j,k) = B(i,j,k)*C(r,i)", "B", LINEAR},
    {"A(i,r,s) = B(i,j,k)*C(j,r)*D(k,s)", "B", LINEAR},
    {"A(i,r) = B(i,j,k)*C(j,r)*D(k,r)", "B", LINEAR},
    {"A(j,r) = B(i,j,k)*C(i,r)*D(k,r)", "B", LINEAR},
    {"A(k,r) = B(i,j,k)*C(i,r)*D(j,r)", "B", LINEAR},
    {"A(k,r) += B(i,j,k)*C(i,r)*D(j,r)", "B", LINEAR},
    {"A(r,k) = B(i,j,k)*C(r,i)*D(r,j)", "B", LINEAR},
    {"A(i,j) = B(i,j,k)", "B", LINEAR},
    {"a(k) = B(i,j,k)", "B", LINEAR},
    {"a = B(i,j,k)*C(k,i,j)", "B", LINEAR},
    {"a = B(i,j,k)*B(i,j,k)", "B", MERGED},
    {"a(j) = B(i,j,i)", "B", LINEAR},
    {"a = B(i,j,k)*v(r)*C(i,r)*D(j,r)*E(k,r)", "B", LINEAR},
    {"A(i,j,k) = B(i,j,k)*C(i,r)*D(j,r)*E(k,r)", "B", LINEAR | SAMPLED},
    {"A(i,j,k) = B(k,i,j) - 2*C(j,k)", "B", LINEAR},
    {"A(i,r) = B(i,j,k,l)*C(j,r)*D(k,r)*E(l,r)", "B", LINEAR},
    {"A(k,r) = B(i,j,k,l)*C(i,r)*D(j,r)*E(l,r)", "B", LINEAR},
    {"A(l,r) = B(i,j,k,l,m)*C(i,r)*D(j,r)*E(k,r)*F(m,r)", "B", LINEAR},
    {"A(j,r) = B(i,j,k,l,m,n)*C(i,r)*D(k,r)*E(l,r)*F(m,r)*G(n,r)", "B", LINEAR},
    /* dense only */
    {"Y(i,r) = A(i,j)*X(j,r)", "", 0},
    {"A(i,j) = (b(i) + c(i))*D(i,j)/4", "", 0},
    {"A(i,j) = B(j,i)", "", 0},
    {"A(i,r) = B(i,j,k)*C(j,r)*D(k,r)", "", 0},
    /* several sparse operands, sparse results */
    {"a(i) = b(i)*c(i) - d(i)*e(i)", "bcde", MERGED},
    {"a(i) = (b(i) + c(i))*d(i)", "bcd", MERGED},
    {"a(i) = b(i) + c(i) + d(i) + e(i)", "bcde", MERGED},
    {"A(i,j) = B(i,j)*C(i,j)", "BC", MERGED},
    {"A(i,j) = B(i,j) + C(j,i)", "BC", MERGED},
    {"A(i,j) = B(i,k)*C(k,j)", "BC", MERGED},
    {"A(i,j) = B(i,k)*C(k,j) + D(i,j)", "BCD", MERGED},
    {"A(i,j) = M(i,j)*B(i,k)*C(k,j)", "MBC", MERGED},
    {"A(i,l) = B(i,j)*C(j,k)*D(k,l)", "BCD", MERGED},
    {"A(i,j) = B(i,j)*c(i) + 2*d(j)", "Bcd", MERGED},
    {"A(i,j) = b(i)*c(j)", "bc", MERGED},
    {"a = B(i,j)*C(i,j)", "BC", MERGED},
    {"y(i) = A(i,j)*x(j)", "Ax", MERGED},
    {"y(j) = A(i,j)*x(i)", "Ax", MERGED},
    {"a(i) = B(i,i)*c(i)", "Bc", MERGED},
    {"A(i,i) = B(i,j)*c(j)", "Bc", MERGED},
    {"A(i,j) = B(i,j,k)*c(k)", "Bc", MERGED},
    {"A(i,j,k) = B(i,j,k) - C(k,i,j)", "BC", MERGED},
    {"A(i,j,k) = B(i,j,l)*C(k,l)", "BC", MERGED},
    {"A(i,l) = B(i,j,k)*C(k,j,l)", "BC", MERGED},
    {"A(i,r) = B(i,j,k)*C(j,r)*D(k,r)", "BCD", MERGED},
    {"A(i,j) = B(i,j)", "B", MERGED},
    {"A(i,j) = b(i) + c(j)", "bc", MERGED},
    {"A(i,m) = B(i,j)*C(j,k)*D(k,l)*E(l,m)", "BCDE", MERGED}, /* a step of steps was refused */
    {"A(i,l) = B(i,j)*C(j,k)*D(k,l) + E(i,l)/4*F(i,l)", "BCDEF",
     MERGED}, /* beside a chain, *F was left out and /4 was *4 */
};

typedef enum regime {
    EXACT,   /* small integers in any type: the same whatever the order of summation */
    REAL,    /* any reals, within a bound */
    SPECIAL, /* positive reals, in a dense operand some infinities and NaN */
    NREGIMES
} regime;

/* One random trial, as it is put together. */
typedef struct draw {
    tsr_rng *rng;
    tsr_notation *notation;
    regime regime;
    uint32_t sparse; /* the set of tensors that are stored sparse */
    uint64_t size[TSR_NOTATION_MAX_VARS];
    dense tensors[TSR_NOTATION_MAX_TENSORS];
    char format[TSR_NOTATION_MAX_TENSORS][RANDOM_FORMAT_NBYTES];
    tsr_type types[TSR_NOTATION_MAX_TENSORS];
    tsr_pack_options pack[TSR_NOTATION_MAX_TENSORS];
} draw;

/* Mostly small; the more variables the smaller, so that the oracle ends soon. */
static void draw_sizes(draw *d)
{
    const uint64_t most = d->notation->nvars <= 2   ? 40
                          : d->notation->nvars == 3 ? 17
                          : d->notation->nvars <= 5 ? 6
                                                    : 3;
    for (int v = 0; v < d->notation->nvars; v++) {
        const uint64_t kind = tsr_rng_below(d->rng, 16);
        d->size[v] = kind == 0 ? 0 : kind <= 2 ? 1 : 1 + tsr_rng_below(d->rng, most);
    }
    if (tsr_rng_below(d->rng, 2)) /* all of them more than 0 */
        for (int v = 0; v < d->notation->nvars; v++)
            d->size[v] += d->size[v] == 0;
}

static double complex draw_value(const draw *d, bool is_unsigned, bool is_complex)
{
    if (d->regime == REAL)
        return 2 * tsr_rng_unit(d->rng) - 1;
    if (d->regime == SPECIAL)
        return 0.25 + tsr_rng_unit(d->rng);
    const double re = (double)tsr_rng_below(d->rng, 4) - (is_unsigned ? 0 : 1);
    const double im = is_complex ? (double)tsr_rng_below(d->rng, 3) - 1 : 0;
    return im == 0 ? re : re + im * I;
}

/* Tensor t's dims and values: a dense one has all, a sparse one some, often none in whole stretches. */
static void draw_tensor(draw *d, int t)
{
    const tsr_notation *n = d->notation;
    const tsr_expr *access = tsr_notation_access(n, t);
    uint64_t dims[TSR_MAX_ORDER] = {0};
    for (int k = 0; k < access->nindices; k++)
        dims[k] = d->size[access->index[k]];
    dense *x = &d->tensors[t];
    dense_init(x, access->nindices, dims);
    const char class = tsr_type_class(d->types[t]);
    const bool sparse = d->sparse >> t & 1;
    const uint64_t chance = tsr_rng_below(d->rng, 5), stretch = 1 + tsr_rng_below(d->rng, 9);
    bool here = true;
    for (uint64_t k = 0; k < x->n; k++) {
        if (k % stretch == 0)
            here = tsr_rng_below(d->rng, 3) > 0;
        x->stored[k] = !sparse || (here && tsr_rng_below(d->rng, 4) < chance);
        if (x->stored[k] && (t > 0 || n->accumulate))
            x->v[k] = class == 'P' ? 1 : draw_value(d, class == 'U', class == 'C');
    }
}

/* Some infinities and NaN in one dense operand. */
static void draw_specials(draw *d)
{
    for (int t = 1; t < d->notation->ntensors; t++) {
        dense *x = &d->tensors[t];
        if ((d->sparse >> t & 1) || x->n == 0)
            continue;
        for (uint64_t count = 1 + tsr_rng_below(d->rng, 3); count > 0; count--)
            x->v[tsr_rng_below(d->rng, x->n)] = tsr_rng_below(d->rng, 2) ? INFINITY : NAN;
        if (tsr_rng_below(d->rng, 3))
            return;
    }
}

static void draw_types(draw *d)
{
    static const tsr_type types[] = {TSR_F64, TSR_F32, TSR_I64, TSR_I32, TSR_C128,
                                     TSR_C64, TSR_U64, TSR_U32, TSR_F64};
    const bool minus = strchr(d->notation->text, '-') || strchr(d->notation->text, '/');
    const tsr_type type = types[tsr_rng_below(d->rng, d->regime == EXACT ? minus ? 6 : 9 : 2)];
    const bool pattern = d->regime == EXACT && tsr_rng_below(d->rng, 8) == 0;
    for (int t = 0; t < d->notation->ntensors; t++)
        d->types[t] = pattern && (d->sparse >> t & 1) ? TSR_PATTERN : type;
    if (strchr(d->notation->text, '/') && tsr_type_class(type) == 'I') /* integers divide otherwise */
        for (int t = 0; t < d->notation->ntensors; t++)
            d->types[t] = TSR_F64;
    for (int t = 1; t < d->notation->ntensors && tsr_type_class(d->types[0]) == 'R'; t++) {
        const uint64_t choice = d->rng->s >> 2 * t & 7; /* looked at, not drawn */
        d->types[t] = d->types[t] == TSR_PATTERN ? TSR_PATTERN
                      : choice == 0              ? TSR_F16
                      : choice == 1              ? TSR_BF16
                                                 : d->types[t];
    }
}

/* Whether tensor t's format has this property. */
static bool format_is(const draw *d, int t, bool (*property)(const tsr_format *format))
{
    tsr_format *format;
    assert_ok(tsr_format_parse(&format, d->format[t], d->tensors[t].order, d->tensors[t].dims, err));
    const bool is = property(format);
    tsr_format_free(format);
    return is;
}

/* A dense format where it must be, else any. With infinities about, not a dense one for what is sparse: its
 * zeros would count, and 0 * Inf is NaN or not by the order in which factors are multiplied. */
static void draw_format(draw *d, int t, bool all_dense)
{
    do
        random_format(d->format[t], d->rng, d->tensors[t].order, d->tensors[t].dims, all_dense);
    while (!all_dense && d->regime == SPECIAL && format_is(d, t, tsr_format_is_dense));
}

static void draw_formats(draw *d, int flags)
{
    const tsr_notation *n = d->notation;
    int pattern = 0; /* the sparse operand */
    for (int t = 1; t < n->ntensors; t++) {
        const bool sparse = d->sparse >> t & 1;
        draw_format(d, t, !sparse);
        static const tsr_index_width widths[] = {TSR_INDEX_NARROW, TSR_INDEX_INTEROP, TSR_INDEX_64};
        d->pack[t].index_width = widths[tsr_rng_below(d->rng, 3)];
        d->pack[t].nthreads = 1;
        pattern = sparse ? t : pattern;
    }
    draw_format(d, 0, true);
    if (!pattern)
        return;
    if ((flags & MERGED) && d->tensors[0].order > 0)
        draw_format(d, 0, false);
    if ((flags & SAMPLED) && tsr_rng_below(d->rng, 2))
        memcpy(d->format[0], d->format[pattern], sizeof *d->format);
    const bool keeps = format_is(d, pattern, tsr_format_keeps_duplicates);
    const char class = tsr_type_class(d->types[pattern]);
    if (keeps && (flags & (LINEAR | MERGED)) && d->regime == EXACT && class != 'P' && class != 'U')
        d->pack[pattern].duplicates = TSR_DUP_KEEP;
}

/* The operands as they are in their formats: what is absent there is absent for the oracle. */
static void take_from_formats(draw *d)
{
    for (int t = 1; t < d->notation->ntensors; t++) {
        tsr_tensor *tensor;
        dense_pack(&tensor, &d->tensors[t], d->format[t], d->types[t], NULL);
        dense_clear(&d->tensors[t]);
        dense_from_tensor(&d->tensors[t], tensor);
        tsr_tensor_free(tensor);
    }
}

/* Append one of the n forms; (A) is the result, (i) a variable. */
static void add_form(tsr_text *text, const draw *d, const char *const *forms, uint64_t n)
{
    const char *form = forms[tsr_rng_below(d->rng, n)];
    const size_t open = strcspn(form, "(") + (strchr(form, '(') != NULL);
    const char *name = form[open] == 'A' ? d->notation->tensor[0].name : "";
    if (form[open] == 'i' && d->notation->nvars == 0)
        return;
    if (form[open] == 'i')
        name = d->notation->var[tsr_rng_below(d->rng, (uint64_t)d->notation->nvars)];
    tsr_text_addf(text, "%s%.*s%s%s", text->nbytes ? ", " : "", (int)open, form, name,
                  form + open + (*name != '\0'));
}

/* A schedule, or nothing. It may be refused. */
static void draw_schedule(tsr_text *text, const draw *d)
{
    static const char *const sharing[] = {"serial", "exclusive(A)", "private(A)", "atomic(A)"};
    static const char *const loops[] = {"block(i,2)",     "block(i,3)", "unroll(i,2)",     "unroll(i,3)",
                                        "vectorize(i)",   "literal(i)", "prefetch(16)",    "prefetch(0)",
                                        "parallelize(i)", "plain",      "without(pieces)", "prefetch(1)",
                                        "width(16)",      "width(32)"};
    if (tsr_rng_below(d->rng, 2))
        add_form(text, d, sharing, sizeof sharing / sizeof *sharing);
    if (d->rng->s % 3 == 0) /* looked at, not drawn: what follows is as it was without this item */
        tsr_text_add(text, text->nbytes ? ", deterministic" : "deterministic");
    for (uint64_t n = tsr_rng_below(d->rng, 3); n > 0; n--)
        add_form(text, d, loops, sizeof loops / sizeof *loops);
}

/* "A(i,j) = ...; A: csr f64 of 3 x 4; ..." */
static void describe(tsr_text *text, const draw *d, const char *schedule, int round)
{
    tsr_text_addf(text, "round %d: %s", round, d->notation->text);
    for (int t = 0; t < d->notation->ntensors; t++) {
        tsr_text_addf(text, "; %s: %s %s%s", d->notation->tensor[t].name, d->format[t],
                      tsr_type_name(d->types[t]),
                      d->pack[t].duplicates == TSR_DUP_KEEP ? " with duplicates" : "");
        for (int m = 0; m < d->tensors[t].order; m++)
            tsr_text_addf(text, "%s%d", m ? " x " : " of ", (int)d->tensors[t].dims[m]);
    }
    if (schedule)
        tsr_text_addf(text, "; schedule %s", schedule);
}

static void try_draw(draw *d, int round, tsr_kernel_engine engine)
{
    dense want;
    double *magnitude = calloc(d->tensors[0].n + 1, sizeof *magnitude);
    assert_non_null(magnitude);
    const dense *operands[TSR_NOTATION_MAX_TENSORS];
    const char *formats[TSR_NOTATION_MAX_TENSORS];
    for (int t = 0; t < d->notation->ntensors; t++) {
        operands[t] = &d->tensors[t];
        formats[t] = d->format[t];
    }
    dense_copy(&want, &d->tensors[0]);
    dense_evaluate(&want, magnitude, d->notation, operands);
    tsr_text items = {0}, what = {0};
    draw_schedule(&items, d);
    const char *schedule = items.nbytes ? tsr_text_cstr(&items) : NULL;
    describe(&what, d, schedule, round);
    const kernel_trial trial = {
        .what = tsr_text_cstr(&what),
        .notation = d->notation,
        .tensors = d->tensors,
        .formats = formats,
        .want = &want,
        .magnitude = magnitude,
        .has_entries = true,
        .tolerance = d->regime == EXACT       ? 0
                     : d->types[0] == TSR_F32 ? 1e-5
                                              : 1e-13,
        .types = d->types,
        .pack = d->pack,
        .schedule = schedule,
        .engine = engine,
    };
    if (last_round < INT_MAX)
        print_message("%s\n", trial.what);
    tsr_error err = {0};
    const tsr_status status = kernel_try(&trial, &err);
    const bool refused = schedule && (status == TSR_ARGUMENT || status == TSR_UNSUPPORTED);
    if (status != TSR_OK && !refused)
        fail_msg("%s: %s", trial.what, err.message);
    tsr_text_clear(&what);
    tsr_text_clear(&items);
    dense_clear(&want);
    free(magnitude);
}

static void one_round(int round, int expression, tsr_kernel_engine engine)
{
    tsr_rng rng = {(uint64_t)round};
    draw *d = calloc(1, sizeof *d);
    assert_non_null(d);
    d->rng = &rng;
    assert_ok(tsr_notation_parse(&d->notation, expressions[expression].text, err));
    for (const char *name = expressions[expression].sparse; *name; name++)
        d->sparse |= UINT32_C(1) << tsr_notation_find_tensor(d->notation, (char[]){*name, '\0'});
    d->regime = (regime)tsr_rng_below(
        &rng, strstr(d->notation->text, " + ") || strstr(d->notation->text, " - ") ? SPECIAL : NREGIMES);
    draw_sizes(d);
    draw_types(d);
    for (int t = 0; t < d->notation->ntensors; t++)
        draw_tensor(d, t);
    if (d->regime == SPECIAL)
        draw_specials(d);
    draw_formats(d, expressions[expression].flags);
    take_from_formats(d);
    try_draw(d, round, engine);
    for (int t = 0; t < d->notation->ntensors; t++)
        dense_clear(&d->tensors[t]);
    tsr_notation_free(d->notation);
    free(d);
}

static void test_random(void **state)
{
    (void)state;
    enum { NEXPRESSIONS = sizeof expressions / sizeof *expressions };
    const int end = (compiled ? 3 : 10) * NEXPRESSIONS;
    for (int round = first_round; round <= last_round && (round < end || last_round < INT_MAX); round++)
        if (tsr_case_runs((uint64_t)round))
            one_round(round, round % NEXPRESSIONS,
                      compiled || round % 50 == 0 ? TSR_ENGINE_JIT : TSR_ENGINE_INTERPRETER);
}

/* Coordinates and positions at the limits of their widths. */
static const struct {
    uint64_t rows, columns, nnz;
} limits[] = {
    {3, 256, 255}, {3, 256, 256},    {3, 257, 257},     {256, 3, 256},
    {257, 2, 300}, {2, 65536, 1000}, {65537, 1, 65536},
};

static void test_widths_at_their_limits(void **state)
{
    (void)state;
    static const char *const formats[] = {"csr", "csc", "dcsr", "coo", "hicoo(256)", "linear", "alto"};
    tsr_rng rng = {11};
    tsr_notation *n;
    assert_ok(tsr_notation_parse(&n, "y(i) = A(i,j)*x(j)", err));
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        dense tensors[3], want;
        const uint64_t rows = limits[k].rows, columns = limits[k].columns, n_cells = rows * columns;
        dense_init(&tensors[0], 1, &rows);
        dense_init(&tensors[1], 2, (const uint64_t[]){rows, columns});
        dense_init(&tensors[2], 1, &columns);
        for (uint64_t e = 0; e < limits[k].nnz; e++) { /* the last cell first */
            uint64_t cell = n_cells - 1;
            while (tensors[1].stored[cell])
                cell = tsr_rng_below(&rng, n_cells);
            tensors[1].stored[cell] = true;
            tensors[1].v[cell] = (double)(1 + e % 5);
        }
        for (uint64_t j = 0; j < columns; j++) {
            tensors[2].stored[j] = true;
            tensors[2].v[j] = (double)(j % 7);
        }
        dense_copy(&want, &tensors[0]);
        dense_evaluate(&want, NULL, n, (const dense *const[]){NULL, &tensors[1], &tensors[2]});
        for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
            const char *texts[] = {"dense", formats[f], "dense"};
            const kernel_trial trial = {
                .what = formats[f],
                .notation = n,
                .tensors = tensors,
                .formats = texts,
                .want = &want,
                .engine = TSR_ENGINE_INTERPRETER,
            };
            tsr_error err = {0};
            if (kernel_try(&trial, &err) != TSR_OK)
                fail_msg("%s: %s", formats[f], err.message);
        }
        for (int t = 0; t < 3; t++)
            dense_clear(&tensors[t]);
        dense_clear(&want);
    }
    tsr_notation_free(n);
}

int main(int argc, char **argv)
{
    if (argc > 2) {
        first_round = atoi(argv[1]);
        last_round = atoi(argv[2]);
    }
    compiled = argc > 1 && strcmp(argv[argc - 1], "compiled") == 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_widths_at_their_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
