/* Rules: statements in, statements out, and for each rule near misses that it leaves as they are. In a table every variable has the size
 * 1000, tensors whose names are upper-case letters are sparse, with 5000 entries each, others are dense. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tsr_rules.h"
#include "tsr_test.h"

enum { SIZE = 1000, NSTORED = 5000, MAX_STEPS = 8 };

/* Makes steps as text alone. */
typedef struct recorder {
    tsr_rules_maker base; /* must be the first member */
    const tsr_notation *notation;
    tsr_type type; /* of a step that has no other */
    int n;
    char name[MAX_STEPS][16], inner[MAX_STEPS][16], text[1000];
} recorder;

static tsr_status record(tsr_rules_maker *maker, tsr_rules_made *made, const tsr_rules_step *step,
                         tsr_error *err)
{
    static const char *const kinds[] = {"", "old ", "list ", "band "};
    recorder *const r = (recorder *)maker;
    char vars[100] = "";
    if (r->n == MAX_STEPS)
        return tsr_fail(err, TSR_LIMIT, "too many steps");
    const int k = r->n++;
    for (int v = 0; v < r->notation->nvars; v++)
        if (step->vars >> v & 1)
            snprintf(vars + strlen(vars), sizeof vars - strlen(vars), "%c%s", *vars ? ',' : '(',
                     r->notation->var[v]);
    snprintf(r->name[k], sizeof r->name[k], "T%d_", k + 1);
    snprintf(r->inner[k], sizeof r->inner[k], "v%d", k + 1);
    snprintf(r->text + strlen(r->text), sizeof r->text - strlen(r->text), "%s%s%s%s %s= %s%s; ",
             kinds[step->kind], r->name[k], vars, *vars ? ")" : "", step->how, step->text,
             step->becomes != TSR_NTYPES ? tsr_type_name(step->becomes)
             : step->needs_doubles       ? " doubles"
                                         : "");
    *made = (tsr_rules_made){r->name[k], r->inner[k], step->type != TSR_NTYPES ? step->type : r->type};
    return TSR_OK;
}

static const struct {
    const char *what, *expression, *left; /* the steps and what is left, or the error; NULL: no rule fits */
    const char *ring, *precompute;        /* NULL: plus-times; letters of operands */
    tsr_type type;                        /* of all tensors; 0: f64 */
    bool is_whole;
    bool is_full; /* no step can be made */
} table[] = {
    /* ---- old ---- */
    {"old: an addition", "Y(i) += A(i)*B(i)", .left = "old T1_ = ; Y(i) = T1_(i) + (A(i)*B(i))"},
    {"old: a minimum", "Y(i) min= A(i)*B(i)", .left = "old T1_ = ; Y(i) = T1_(i) + (A(i)*B(i))"},
    {"near miss: a dense result", "y(i) += A(i)*B(i)", .left = NULL},
    {"near miss: another assignment", "Y(i) = A(i)*B(i)", .left = NULL},
    /* ---- places ---- */
    {"places: of a dense result", "p(i) argmax(j)= A(i,j)",
     .left = "T1_(i,j) top(1)= A(i,j)pattern; p(i) = T1_(i,j)*(j + 1) - 1"},
    {"places: of a sparse result, by absolute values", "P(i) argmin(j, abs)= A(i,j) + B(i,j)",
     .left = "T1_(i,j) bottom(1, abs)= A(i,j) + B(i,j)pattern; P(i) = T1_(i,j)*j"},
    {"near miss: a selection", "Y(i,j) top(1)= A(i,j)", .left = NULL},
    /* ---- conditions ---- */
    {"conditions: parts of sparse operands", "Y(i) = A(i,j) where Y > b(i) and B(i) > 2 and not(C(i))",
     .left = "T1_(i) = gt(B(i), 2)pattern; T2_(i) = not(not(C(i)))pattern; Y(i) = !!T1_(i)*!T2_(i)*(A(i,j)) "
             "where gt(Y, b(i))"},
    {"conditions: a sparse vector beside the entry", "Y(i) = A(i,j) where Y > 2*B(i)",
     .left = "T1_(i) = B(i); Y(i) = A(i,j) where gt(Y, (2*T1_(i)))"},
    {"conditions: a sparse matrix beside the entry", "Y(i,j) = A(i,j) where Y > B(i,j)",
     .left = "the sparse B is compared with more than numbers, and rows of it are not searched: give it a "
             "dense format, or join its own comparison to the rest by `and`"},
    {"near miss: dense operands", "Y(i) = A(i,j) where Y > b(i)", .left = NULL},
    /* ---- lists ---- */
    {"lists: of the result", "y(i({7,0}),j) = A(i,j)",
     .left = "list T1_ = y(i({7,0}),j); y(v1,j) = !!T1_(v1,i)*(A(i,j))"},
    {"lists: a window of a sparse result that is added to", "Y(i,j(0,3)) += A(i,j)",
     .left = "old T1_ = ; list T2_ = Y(i,j(0,3)); Y(i,v2) = T1_(i,v2) + !!T2_(j,v2)*(A(i,j))"},
    {"lists: a diagonal that is added to", "Y(i,i) += A(i)",
     .left = "old T1_ = ; list T2_ = Y(i,i); Y(i,v2) = T1_(i,v2) + !!T2_(i,v2)*(A(i))"},
    {"near miss: a window", "y(i(1,5)) = A(i)", .left = NULL},
    {"near miss: a diagonal", "Y(i,i) = A(i)", .left = NULL},
    {"near miss: a coordinate twice", "y(i({1,1})) = A(i)",
     .left = "the list of coordinates of y has 1 twice: the entries of both would go to the same place"},
    /* ---- reductions ---- */
    {"reductions: a sum", "Y(i) max= A(i,j) + b(j)",
     .left = "old T1_ = ; T2_(i,j) = A(i,j) + b(j); Y(i) = T1_(i) + (T2_(i,j))"},
    {"near miss: a dense result", "y(i) max= A(i,j) + b(j)", .left = NULL},
    {"near miss: a product", "y(i) max= -A(i,j)*b(j)", .left = NULL},
    {"near miss: +=", "y(i) += A(i,j) + b(j)", .left = NULL},
    /* ---- parts: functions ---- */
    {"functions: a variable is missing", "y(i) = exp(A(i,j))*x(k)*B(k)",
     .left = "T1_(i,j) = exp(A(i,j)); y(i) = T1_(i,j)*x(k)*B(k)"},
    {"functions: of one type they stay", "y(i) = exp(A(i,j))*x(j)", .left = NULL},
    {"functions: of integers, with an argument", "y(i) = exp(A(i) + B(i))*c(i)",
     .left = "T1_(i) = A(i) + B(i) doubles; T2_(i) = exp(T1_(i))f64; y(i) = T2_(i)*c(i)", .type = TSR_I64},
    {"functions: integers compute the least themselves", "y(i) = min(A(i), B(i))*c(i)", .left = NULL,
     .type = TSR_I64},
    {"near miss: another semiring", "y(i) = abs(A(i,j))*x(j)", .left = NULL, .ring = "min-plus"},
    {"functions: another semiring, which computes the argument", "y(i) = abs(A(i,j) + x(j))",
     .left = "T1_(i,j) = A(i,j) + x(j) doubles; T2_(i,j) = abs(T1_(i,j))f64; y(i) = T2_(i,j)",
     .ring = "min-plus"},
    {"functions: the same one once", "y(i) = sin(A(i,j)) + sin(A(i,j))*b(i,k)*c(k)",
     .left = "T1_(i,j) = sin(A(i,j)); y(i) = T1_(i,j) + T1_(i,j)*b(i,k)*c(k)"},
    {"functions: no value of them is complex", "y(i) = exp(A(i))*c(i)",
     .left = "the function exp takes real or integer values, not c128", .type = TSR_C128},
    {"near miss: no room", "y(i) = exp(A(i,j))*x(k)*B(k)",
     .left = "the expression has 1 functions and windows, and 4 tensors: at most 30 together are supported",
     .is_full = true},
    /* ---- parts: sums ---- */
    {"sums: a divisor", "y(i) = a(i)/(B(i) + 1)", .left = "T1_(i) = B(i) + 1; y(i) = a(i)/T1_(i)"},
    {"sums: a semiring that does not distribute", "y(i) = a(i)*(B(i) + c(i))",
     .left = "T1_(i) = B(i) + c(i); y(i) = a(i)*T1_(i)", .ring = "plus-max"},
    {"near miss: a dense divisor", "y(i) = A(i)/(b(i) + 1)", .left = NULL},
    {"near miss: a factor", "y(i) = a(i)*(B(i) + c(i))", .left = NULL},
    /* ---- parts: lists ---- */
    {"lists: a factor", "y(i) = A(i({7,0}),j)*x(j)",
     .left = "list T1_ = A(i({7,0}),j); y(i) = (!!T1_(i,v1)*A(v1,j))*x(j)"},
    {"lists: a mask", "Y(i) = !!A(i({7,0}))*B(i)",
     .left = "list T1_ = !!A(i({7,0})); Y(i) = !!T1_(i,v1)*!!A(v1)*B(i)"},
    {"lists: of a dense tensor", "y(i) = a(i({7,0}))*B(i)",
     .left = "list T1_ = a(i({7,0})); T2_(i) = !!T1_(i,v1)*a(v1); y(i) = T2_(i)*B(i)"},
    {"near miss: a window of an operand", "y(i) = A(i(0,8,2),j)*x(j)", .left = NULL},
    /* ---- parts: bands ---- */
    {"bands: an interval of each row", "y(i) = tril(i,j)*x(j)",
     .left = "band T1_(i,j) = tril(i,j); y(i) = T1_(i,j)*x(j)"},
    {"near miss: a condition on the entries of a tensor", "Y(i,j) = 2*triu(i,j,1)*A(i,j)", .left = NULL},
    {"near miss: in one of the terms", "Y(i,j) = A(i,j)*band(i,j,-1,2) + B(i,j)", .left = NULL},
    {"near miss: in all terms of a sum", "Y(i,j) = (A(i,j) - B(i,j))*eye(i,j)", .left = NULL},
    {"near miss: most products of a matrix are in it", "Y(i,j) = A(i,k)*B(k,j)*tril(i,j)", .left = NULL},
    {"bands: of few diagonals, of a product", "Y(i,j) = A(i,k)*B(k,j)*eye(i,j)",
     .left = "band T1_(i,j) = eye(i,j); Y(i,j) = A(i,k)*B(k,j)*T1_(i,j)"},
    {"bands: a term lacks a tensor", "Y(i,j) = (A(i,j) - a(i,j))*eye(i,j)",
     .left = "band T1_(i,j) = eye(i,j); Y(i,j) = (A(i,j) - a(i,j))*T1_(i,j)"},
    {"bands: not a condition on a dense tensor", "Y(i,j) = a(i,j)*eye(i,j)",
     .left = "band T1_(i,j) = eye(i,j); Y(i,j) = a(i,j)*T1_(i,j)"},
    /* ---- chains ---- */
    {"chains: three sparse matrices", "A(i,l) = B(i,j)*C(j,k)*D(k,l)",
     .left = "T1_(i,k) = B(i,j)*C(j,k); A(i,l) = T1_(i,k)*D(k,l)"},
    {"chains: a vector is multiplied first", "y(i) = B(i,j)*C(j,k)*x(k)",
     .left = "T1_(j) = C(j,k)*x(k); y(i) = B(i,j)*T1_(j)"},
    {"chains: each term, and the same product once", "A(i,l) = B(i,j)*C(j,k)*D(k,l) - B(i,j)*C(j,k)*E(k,l)",
     .left = "T1_(i,k) = B(i,j)*C(j,k); A(i,l) = T1_(i,k)*D(k,l) - T1_(i,k)*E(k,l)"},
    {"chains: a condition stays", "A(i,l) = B(i,j)*C(j,k)*D(k,l) where A > 2",
     .left = "T1_(i,k) = B(i,j)*C(j,k); A(i,l) = T1_(i,k)*D(k,l) where gt(A, 2)"},
    {"chains: four", "A(i,m) = B(i,j)*C(j,k)*D(k,l)*E(l,m)",
     .left = "T1_(i,k) = B(i,j)*C(j,k); T2_(m,k) = D(k,l)*E(l,m); A(i,m) = T1_(i,k)*T2_(m,k)"},
    {"near miss: two factors", "A(i,k) = B(i,j)*C(j,k)", .left = NULL},
    {"near miss: one sparse operand", "A(i,l) = B(i,j)*c(j,k)*d(k,l)", .left = NULL},
    {"near miss: no variable is summed", "A(i,j) = B(i,j)*C(i,j)*D(i,j)", .left = NULL},
    {"near miss: all nests would have as many loops", "A(i,r) = B(i,j,k)*C(j,r)*D(k,r)", .left = NULL},
    {"near miss: a quotient", "A(i,l) = B(i,j)*C(j,k)/d(k,l)", .left = NULL},
    {"near miss: products that must keep their order", "A(i,l) = B(i,j)*C(j,k)*D(k,l)", .ring = "min-first"},
    {"near miss: the schedule is about the loops of all", "A(i,l) = B(i,j)*C(j,k)*D(k,l)", .is_whole = true},
    {"near miss: no room for a tensor", "A(i,l) = B(i,j)*C(j,k)*D(k,l)", .is_full = true},
    /* ---- precompute ---- */
    {"precompute: two of three", "A(i,l) = B(i,j)*C(j,k)*D(k,l)",
     .left = "T1_(l,j) = C(j,k)*D(k,l); A(i,l) = B(i,j)*T1_(l,j)", .precompute = "CD"},
    {"precompute: dense ones, too", "y(i) = A(i,j)*x(j)*z(j)",
     .left = "T1_(j) = x(j)*z(j); y(i) = A(i,j)*T1_(j)", .precompute = "xz"},
    {"near miss: no product has both", "A(i,j) = B(i,j) + C(i,j)",
     .left = "precompute: no product of the expression has all of these operands: name the factors of one "
             "product",
     .precompute = "BC"},
    {"near miss: a semiring with an order", "A(i,k) = B(i,j)*C(j,k)*D(k,i)",
     .left = "precompute: products of the semiring min-first cannot be computed in another order",
     .ring = "min-first", .precompute = "BC"},
    {"near miss: the product is a number", "a = B(i,j)*C(i,j)*D(k,l)",
     .left = "precompute: the product of these operands is a number, without variables: leave it out",
     .precompute = "BC"},
    {"near miss: no room", "A(i,l) = B(i,j)*C(j,k)*D(k,l)",
     .left = "precompute: more than 30 tensors, together with the products that are computed first",
     .precompute = "BC", .is_full = true},
};

/* What the rules make of a row: the steps and what is left, or the error. */
static tsr_status rewrite(bool *fits, char *out, size_t nbytes, size_t row, tsr_error *err)
{
    const tsr_type given = table[row].type ? table[row].type : TSR_F64;
    recorder r = {.base = {.room = table[row].is_full ? 0 : MAX_STEPS, .make = record}, .type = given};
    tsr_rules_statement s = {.is_whole = table[row].is_whole, .semiring = table[row].ring};
    uint64_t size[TSR_NOTATION_MAX_VARS];
    tsr_type type[TSR_NOTATION_MAX_TENSORS];
    double nstored[TSR_NOTATION_MAX_TENSORS] = {0};
    tsr_notation *notation;
    tsr_text left = {0};
    *fits = false;
    TSR_TRY(tsr_semiring_parse(&s.ring, table[row].ring, err));
    TSR_TRY(tsr_notation_parse(&notation, table[row].expression, err));
    s.ring = notation->reduction ? notation->reduction : s.ring;
    for (int v = 0; v < notation->nvars; v++)
        size[v] = SIZE;
    for (int t = 0; t < notation->ntensors; t++) {
        const char letter = notation->tensor[t].name[0];
        nstored[t] = isupper((unsigned char)letter) ? NSTORED : pow(SIZE, notation->tensor[t].order);
        type[t] = given;
        s.sparse |= isupper((unsigned char)letter) ? UINT32_C(1) << t : 0;
        if (t > 0 && table[row].precompute && strchr(table[row].precompute, letter))
            s.precompute |= UINT32_C(1) << t;
    }
    s.notation = r.notation = notation;
    s.type = type;
    s.size = size;
    s.nstored = nstored;
    tsr_status status = tsr_rules_rewrite(fits, &left, TSR_RULES_NEEDED, &s, &r.base, err);
    if (status == TSR_OK && !*fits)
        status = tsr_rules_rewrite(fits, &left, TSR_RULES_CHOSEN, &s, &r.base, err);
    snprintf(out, nbytes, "%s%s", r.text, tsr_text_cstr(&left));
    tsr_text_clear(&left);
    tsr_notation_free(notation);
    return status;
}

static void test_table(void **state)
{
    int nwrong = 0;
    (void)state;
    for (size_t row = 0; row < sizeof table / sizeof *table; row++) {
        const char *const wanted = table[row].left ? table[row].left : "";
        char out[1000];
        bool fits;
        tsr_error err = {0};
        const tsr_status status = rewrite(&fits, out, sizeof out, row, &err);
        const char *const got = status != TSR_OK ? err.message : fits ? out : "";
        if (strcmp(got, wanted) == 0)
            continue;
        print_error("%s: %s\n  wanted %s\n  got    %s\n", table[row].what, table[row].expression, wanted,
                    got);
        nwrong++;
    }
    assert_int_equal(nwrong, 0);
}

/* Terms with functions of sparse operands. */
static const struct {
    const char *expression, *terms; /* one after the other; or the error */
} regions[] = {
    {"y(i) = max(B(i), C(i))",
     "max(B(i), C(i))*!!B(i)*!!C(i)+max(0, C(i))*!B(i)*!!C(i)+max(B(i), 0)*!!B(i)*!C(i)"},
    {"y(i) = min(B(i), c(i))*D(i)", "min(B(i), c(i))*D(i)*!!B(i)+min(0, c(i))*D(i)*!B(i)"},
    {"y(i) = exp(B(i))", "exp(B(i))*!!B(i)+exp(0)*!B(i)"}, /* it is not 0 where B is */
    {"y(i) = sqrt(B(i)*C(i)) - abs(B(i) + C(i))",
     "sqrt(B(i)*C(i))*!!B(i)*!!C(i)-abs(B(i) + "
     "C(i))*!!B(i)*!!C(i)-abs(C(i))*!B(i)*!!C(i)-abs(B(i))*!!B(i)*!C(i)"},
    /* the mask leaves no entry where B has none, and neither does the factor */
    {"y(i) = !!B(i)*exp(B(i) - c(i))", "!!B(i)*exp(B(i) - c(i))*!!B(i)"},
    {"y(i) = B(i)*exp(B(i))", "B(i)*exp(B(i))*!!B(i)"},
    {"y(i) = !B(i)*exp(B(i))", "!B(i)*exp(0)*!B(i)"},
    {"y(i) = !C(i)*abs(B(i))", "!C(i)*abs(B(i))*!!B(i)"},
    {"y(i) = B(i)*C(i)", "B(i)*C(i)"},                 /* near miss: no function */
    {"y(i) = max(c(i), 2)*B(i)", "max(c(i), 2)*B(i)"}, /* near miss: not of a sparse operand */
    {"y(i) = abs(A(i)+B(i)+C(i)+D(i)+E(i)+F(i)+G(i)+H(i)+I(i))",
     "functions of more than 8 sparse tensors in one term: compute a part first, in an expression of its "
     "own"},
};

static tsr_status split_calls(char *out, size_t nbytes, size_t row, tsr_error *err)
{
    tsr_notation *notation;
    tsr_terms *terms = NULL;
    tsr_text text = {0};
    uint32_t sparse = 0;
    TSR_TRY(tsr_notation_parse(&notation, regions[row].expression, err));
    for (int t = 1; t < notation->ntensors; t++)
        sparse |= isupper((unsigned char)notation->tensor[t].name[0]) ? UINT32_C(1) << t : 0;
    tsr_status status = tsr_notation_terms(&terms, notation, sparse, err);
    if (status == TSR_OK)
        status = tsr_rules_split_calls(terms, notation, sparse, err);
    for (int i = 0; status == TSR_OK && i < terms->nterms; i++) {
        tsr_text_add(&text, terms->term[i].negative ? "-" : i > 0 ? "+" : "");
        for (int f = 0; f < terms->term[i].nfactors; f++) {
            tsr_text_add(&text, f > 0 ? "*" : "");
            tsr_expr_print_factor(&text, notation, terms->term[i].factor[f].expr);
        }
    }
    if (status == TSR_OK)
        status = tsr_text_status(&text, err);
    snprintf(out, nbytes, "%s", tsr_text_cstr(&text));
    tsr_text_clear(&text);
    tsr_terms_free(terms);
    tsr_notation_free(notation);
    return status;
}

static void test_regions(void **state)
{
    int nwrong = 0;
    (void)state;
    for (size_t row = 0; row < sizeof regions / sizeof *regions; row++) {
        char out[1000];
        tsr_error err = {0};
        const char *const got = split_calls(out, sizeof out, row, &err) == TSR_OK ? out : err.message;
        if (strcmp(got, regions[row].terms) == 0)
            continue;
        print_error("%s\n  wanted %s\n  got    %s\n", regions[row].expression, regions[row].terms, got);
        nwrong++;
    }
    assert_int_equal(nwrong, 0);
}

/* The work of a row of one of the two tables. */
static tsr_status run_row(size_t row, tsr_error *err)
{
    const size_t nrows = sizeof table / sizeof *table;
    char out[1000];
    bool fits;
    return row < nrows ? rewrite(&fits, out, sizeof out, row, err)
                       : split_calls(out, sizeof out, row - nrows, err);
}

static void test_memory(void **state)
{
    const size_t nrows = sizeof table / sizeof *table + sizeof regions / sizeof *regions;
    (void)state;
    for (size_t row = 0; row < nrows; row++) {
        tsr_faults faults = {0};
        tsr_error err = {0};
        if (run_row(row, &err) != TSR_OK)
            continue;
        while (tsr_faults_next(&faults)) {
            tsr_faults_arm(&faults);
            tsr_faults_end(&faults, run_row(row, NULL));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_table), cmocka_unit_test(test_regions),
                                       cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
