/* Rules: statements in, statements out, and for each rule a near miss that it leaves as it is. In a table every variable has the size
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
    int n;
    char name[MAX_STEPS][16], text[MAX_STEPS][200];
} recorder;

static tsr_status record(tsr_rules_maker *maker, const char **name, const tsr_rules_step *step,
                         tsr_error *err)
{
    recorder *const r = (recorder *)maker;
    char text[200] = "";
    if (r->n == MAX_STEPS)
        return tsr_fail(err, TSR_LIMIT, "too many steps");
    for (int v = 0; v < r->notation->nvars; v++)
        if (step->vars >> v & 1)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%c%s", *text ? ',' : '(',
                     r->notation->var[v]);
    snprintf(text + strlen(text), sizeof text - strlen(text), ") = %s", step->text);
    int k = 0;
    while (k < r->n && strcmp(r->text[k], text) != 0)
        k++;
    if (k == r->n) {
        snprintf(r->name[k], sizeof r->name[k], "T%d_", k + 1);
        memcpy(r->text[k], text, sizeof text);
        r->n++;
        maker->room--;
    }
    *name = r->name[k];
    return TSR_OK;
}

static const struct {
    const char *what, *expression, *left; /* the steps and what is left, or the error; NULL: no rule fits */
    const char *ring, *precompute;        /* NULL: plus-times; letters of operands */
    bool is_whole;
    bool is_full; /* no step can be made */
} table[] = {
    /* ---- chains ---- */
    {"chains: three sparse matrices", "A(i,l) = B(i,j)*C(j,k)*D(k,l)",
     .left = "T1_(i,k) = B(i,j)*C(j,k); A(i,l) = T1_(i,k)*D(k,l)"},
    {"chains: a vector is multiplied first", "y(i) = B(i,j)*C(j,k)*x(k)",
     .left = "T1_(j) = C(j,k)*x(k); y(i) = B(i,j)*T1_(j)"},
    {"chains: each term, and the same product once", "A(i,l) += B(i,j)*C(j,k)*D(k,l) - B(i,j)*C(j,k)*E(k,l)",
     .left = "T1_(i,k) = B(i,j)*C(j,k); A(i,l) += T1_(i,k)*D(k,l) - T1_(i,k)*E(k,l)"},
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
    recorder r = {.base = {.room = table[row].is_full ? 0 : MAX_STEPS, .make = record}};
    tsr_rules_statement s = {.is_whole = table[row].is_whole};
    uint64_t size[TSR_NOTATION_MAX_VARS];
    double nstored[TSR_NOTATION_MAX_TENSORS] = {0};
    tsr_notation *notation;
    tsr_text left = {0};
    *fits = false;
    TSR_TRY(tsr_semiring_parse(&s.ring, table[row].ring, err));
    TSR_TRY(tsr_notation_parse(&notation, table[row].expression, err));
    for (int v = 0; v < notation->nvars; v++)
        size[v] = SIZE;
    for (int t = 1; t < notation->ntensors; t++) {
        const char letter = notation->tensor[t].name[0];
        nstored[t] = isupper((unsigned char)letter) ? NSTORED : pow(SIZE, notation->tensor[t].order);
        s.sparse |= isupper((unsigned char)letter) ? UINT32_C(1) << t : 0;
        if (table[row].precompute && strchr(table[row].precompute, letter))
            s.precompute |= UINT32_C(1) << t;
    }
    s.notation = r.notation = notation;
    s.size = size;
    s.nstored = nstored;
    const tsr_status status = tsr_rules_rewrite(fits, &left, &s, &r.base, err);
    out[0] = '\0';
    for (int k = 0; k < r.n; k++)
        snprintf(out + strlen(out), nbytes - strlen(out), "%s%s; ", r.name[k], r.text[k]);
    snprintf(out + strlen(out), nbytes - strlen(out), "%s", tsr_text_cstr(&left));
    tsr_text_clear(&left);
    tsr_notation_free(notation);
    return status;
}

static void test_table(void **state)
{
    (void)state;
    for (size_t row = 0; row < sizeof table / sizeof *table; row++) {
        char out[1000];
        bool fits;
        tsr_error err = {0};
        const tsr_status status = rewrite(&fits, out, sizeof out, row, &err);
        const char *const got = status != TSR_OK ? err.message : fits ? out : "";
        if (strcmp(got, table[row].left ? table[row].left : "") != 0)
            print_error("%s: %s\n", table[row].what, table[row].expression);
        assert_string_equal(got, table[row].left ? table[row].left : "");
    }
}

static void test_memory(void **state)
{
    (void)state;
    for (size_t row = 0; row < sizeof table / sizeof *table; row++) {
        tsr_faults faults = {0};
        tsr_error err = {0};
        bool fits;
        char out[1000];
        if (rewrite(&fits, out, sizeof out, row, &err) != TSR_OK)
            continue;
        while (tsr_faults_next(&faults)) {
            tsr_faults_arm(&faults);
            tsr_faults_end(&faults, rewrite(&fits, out, sizeof out, row, NULL));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_table), cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
