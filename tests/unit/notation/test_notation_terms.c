/* The right side as a sum of terms, for given sets of sparse tensors. */
#include "tsr_test.h"

#include "tsr_notation.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

/* Append the terms as text: "b(i)*c(i,j) over j; -b(i)/(c + 2)". */
static void print_terms(tsr_text *text, const tsr_notation *n, const tsr_terms *terms)
{
    for (int k = 0; k < terms->nterms; k++) {
        const tsr_term *term = &terms->term[k];
        tsr_text_add(text, k ? "; " : "");
        tsr_text_add(text, term->negative ? "-" : "");
        for (int f = 0; f < term->nfactors; f++) {
            const tsr_factor *factor = &term->factor[f];
            const bool whole = factor->expr->a != NULL;
            tsr_text_add(text, factor->inverse ? "/" : f ? "*" : "");
            tsr_text_add(text, whole ? "(" : "");
            tsr_expr_print(text, n, factor->expr);
            tsr_text_add(text, whole ? ")" : "");
        }
        const char *before = " over ";
        for (int v = 0; v < n->nvars; v++)
            if (term->sum >> v & 1) {
                tsr_text_add(text, before);
                tsr_text_add(text, n->var[v]);
                before = ",";
            }
    }
}

static const struct {
    const char *text;
    const char *sparse; /* names, one letter each */
    const char *terms;
} split[] = {
    {"a = b", "", "b"},
    {"a = -b", "", "-b"},
    {"a = 2", "", "2"},
    {"a = b(i) + c", "", "b(i) over i; c"},
    {"a = b - (c - d)", "", "b; -c; d"},
    {"a = -(b - -c)", "", "-b; -c"},
    {"a(i) = B(i,j)*c(j)", "B", "B(i,j)*c(j) over j"},
    {"a(i) = b(i) - A*B(i,j)*x(j)", "B", "b(i); -A*B(i,j)*x(j) over j"},
    {"a = B(i,i)", "B", "B(i,i) over i"},
    /* signs and quotients */
    {"a = -b*-c*-d", "", "-b*c*d"},
    {"a = b/c*d", "", "b/c*d"},
    {"a = b/(c*d)", "", "b/c/d"},
    {"a = b/(c/d)", "", "b/c*d"},
    {"a = b/-c", "", "-b/c"},
    {"a = 1/b(i)", "", "1/b(i) over i"},
    {"a = b/(c + 2)", "", "b/(c + 2)"},
    {"a = b/(c/(d + 2))", "d", "b/c*d; b/c*2"},
    /* dense sums stay whole if every part is summed over the same variables */
    {"A(i,j) = (b(i) + c(i))*D(i,j)", "", "(b(i) + c(i))*D(i,j)"},
    {"a = b(i)*(c(i) + 2)", "", "b(i)*(c(i) + 2) over i"},
    {"a(i) = B(i,j)*(x(j) + 1)", "B", "B(i,j)*(x(j) + 1) over j"},
    {"a = (b(i) + c(i))*(d(i) - e(i))", "", "(b(i) + c(i))*(d(i) - e(i)) over i"},
    {"a = (b(i) + c(i))/(d(i) + 2)", "", "(b(i) + c(i))/(d(i) + 2) over i"},
    {"a = (1 + 2)*b", "", "(1 + 2)*b"},
    {"a = b(i)*(c(i) - d*(c(i) + 3))", "", "b(i)*(c(i) - d*(c(i) + 3)) over i"},
    /* otherwise not */
    {"a(i) = b(i)*(c(i,j) + d(i))", "", "b(i)*c(i,j) over j; b(i)*d(i)"},
    {"a = 2*(b(i) + c)", "", "2*b(i) over i; 2*c"},
    {"a = (b(i) + c(j))*(d(i) + e(j))", "",
     "b(i)*d(i) over i; b(i)*e(j) over i,j; c(j)*d(i) over i,j; c(j)*e(j) over j"},
    {"a = (b(i) + c)*(d(i) + e(i))", "", "(b(i) + c)*(d(i) + e(i)) over i"},
    {"a = 2*(b(i)*(c(j) + 1) + d)", "", "2*b(i)*c(j) over i,j; 2*b(i)*1 over i; 2*d"},
    {"a = (b(i) + 1)/c", "", "b(i)/c over i; 1/c"},
    {"a = (b(i) + c)*(d(i) + e)", "", "b(i)*(d(i) + e) over i; c*d(i) over i; c*e"},
    {"a = (b(i) + c)/d(i)", "", "(b(i) + c)/d(i) over i"},
    /* sparse sums are multiplied out */
    {"a(i) = (b(i) + c(i))*d(i)", "", "(b(i) + c(i))*d(i)"},
    {"a(i) = (b(i) + c(i))*d(i)", "d", "(b(i) + c(i))*d(i)"},
    {"a(i) = (b(i) + c(i))*d(i)", "b", "b(i)*d(i); c(i)*d(i)"},
    {"a(i) = d(i)*(b(i) - (c(i) - 2))/e", "b", "d(i)*b(i)/e; -d(i)*c(i)/e; d(i)*2/e"},
    {"a(i) = -((b(i) + c(i))*(d(i) + e(i)))", "c", "-b(i)*(d(i) + e(i)); -c(i)*(d(i) + e(i))"},
    {"a(i) = (b(i) + c(i))*(d(i) + e(i))", "bd", "b(i)*d(i); b(i)*e(i); c(i)*d(i); c(i)*e(i)"},
    {"a(i) = 2*-(3*(b(i) + c(i)) + d(i))", "b", "-2*3*b(i); -2*3*c(i); -2*d(i)"},
    {"a = 2.0*(B(i,k)*c(k))+3.0", "B", "2.0*B(i,k)*c(k) over i,k; 3.0"},
};

static uint32_t set_of(const tsr_notation *n, const char *names)
{
    uint32_t set = 0;
    for (; *names; names++) {
        const int t = tsr_notation_find_tensor(n, (char[]){*names, '\0'});
        assert_true(t > 0);
        set |= UINT32_C(1) << t;
    }
    return set;
}

static void test_terms(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(split); i++) {
        tsr_notation *n;
        tsr_terms *terms;
        assert_ok(tsr_notation_parse(&n, split[i].text, err));
        assert_ok(tsr_notation_terms(&terms, n, set_of(n, split[i].sparse), err));
        tsr_text text = {0};
        print_terms(&text, n, terms);
        assert_string_equal(tsr_text_cstr(&text), split[i].terms);
        for (int k = 0; k < terms->nterms; k++) {
            const tsr_term *term = &terms->term[k];
            uint32_t vars = 0, tensors = 0;
            for (int f = 0; f < term->nfactors; f++) {
                vars |= term->factor[f].expr->vars;
                tensors |= term->factor[f].expr->tensors;
            }
            assert_int_equal(term->vars, vars);
            assert_int_equal(term->tensors, tensors);
            assert_int_equal(term->sum, vars >> n->nfree << n->nfree);
        }
        tsr_text_clear(&text);
        tsr_terms_free(terms);
        tsr_notation_free(n);
    }
    tsr_terms_free(NULL);
}

#define X4(x) x x x x
#define X16(x) X4(x) X4(x) X4(x) X4(x)
#define X64(x) X16(x) X16(x) X16(x) X16(x)

static const struct {
    const char *text, *sparse;
    tsr_status status;
    uint64_t col;
    const char *message;
} refused[] = {
    {"a(i) = b(i)/(2 + c(i))", "c", TSR_UNSUPPORTED, 16,
     "division by a sum that contains the sparse tensor c is not supported"},
    {"a = 1/(b(i) + 1)", "", TSR_UNSUPPORTED, 13,
     "division by a sum is not supported if some of its parts are summed over i and others are not"},
    {"a(i) = b(i)/(c(i,j) + d(i,k)*(c(i,j) + 2))", "", TSR_UNSUPPORTED, 21,
     "division by a sum is not supported if some of its parts are summed over j and others are not"},
    {"a = b" X64("*b"), "", TSR_LIMIT, 133, "more than 64 factors in one term"},
    {"a = (b + c)" X16("*(b + c)"), "b", TSR_LIMIT, 0, "more than 256 terms when multiplied out"},
    {"a = b" X64("+b+b+b+b"), "", TSR_LIMIT, 516, "more than 256 terms when multiplied out"},
    {"a = c" X16("*(b" X4("+b+b+b+b") ")"), "b", TSR_LIMIT, 0, "more than 256 terms when multiplied out"},
};

static void test_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(refused); i++) {
        tsr_notation *n;
        tsr_terms *terms;
        assert_ok(tsr_notation_parse(&n, refused[i].text, err));
        tsr_error err = {0};
        assert_int_equal(tsr_notation_terms(&terms, n, set_of(n, refused[i].sparse), &err),
                         refused[i].status);
        assert_null(terms);
        assert_string_equal(err.message, refused[i].message);
        if (refused[i].col)
            assert_int_equal(err.col, refused[i].col);
        assert_in_range(err.col, 1, strlen(refused[i].text));
        tsr_notation_free(n);
    }
}

/* The largest number of terms is accepted. */
static void test_most_terms(void **state)
{
    (void)state;
    tsr_notation *n;
    tsr_terms *terms;
    assert_ok(tsr_notation_parse(&n, "a = (b+c)*(b+c)*(b+c)*(b+c)*(b+c)*(b+c)*(b+c)*(b+c)", err));
    assert_ok(tsr_notation_terms(&terms, n, 2, err));
    assert_int_equal(terms->nterms, TSR_NOTATION_MAX_TERMS);
    tsr_terms_free(terms);
    tsr_notation_free(n);
    assert_ok(tsr_notation_parse(&n, "a = b*b" X4(X4("*b*b*b")) "*b*b*b*b*b*b*b*b*b*b*b*b*b*b", err));
    assert_ok(tsr_notation_terms(&terms, n, 0, err));
    assert_int_equal(terms->term[0].nfactors, TSR_NOTATION_MAX_FACTORS);
    tsr_terms_free(terms);
    tsr_notation_free(n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_terms),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_most_terms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
