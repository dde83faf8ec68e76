/* Index notation as text: parsing and printing, errors with their places and messages, and sizes of
 * variables. */
#include "tsr_test.h"

#include <float.h>
#include <inttypes.h>

#include <jansson.h>

#include "tsr_alloc.h"
#include "tsr_notation.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static void print_of(char *buf, size_t n, const tsr_notation *notation)
{
    tsr_text text = {0};
    tsr_notation_print(&text, notation);
    assert_int_equal(tsr_text_status(&text, NULL), TSR_OK);
    assert_true(text.nbytes < n);
    memcpy(buf, tsr_text_cstr(&text), text.nbytes + 1);
    tsr_text_clear(&text);
}

/* ---- valid texts ---- */

static const struct {
    const char *text, *canonical;
} good[] = {
    {"a=b", "a = b"},
    {"a()=b()", "a = b"},
    {" a\t= b\r\n", "a = b"},
    {"a += b", "a += b"},
    {"a(i) min=b(i,j)", "a(i) min= b(i,j)"},
    {"a or= b(i)", "a or= b(i)"},
    {"a *= b(i)", "a *= b(i)"},
    {"min = max + b", "min = max + b"},
    {"a(i) = i*b(i)", "a(i) = i*b(i)"},
    {"a = j*b(j)", "a = j*b(j)"},
    {"A(i,j) = B(i,j)*(i*m + j)", "A(i,j) = B(i,j)*(i*m + j)"},
    {"a(i) = b(i(2,8)) + c(i( 2, 14 ,2))", "a(i) = b(i(2,8)) + c(i(2,13,2))"},
    {"a(i(0,3)) = b(i({7,0,3}))", "a(i(0,3)) = b(i({7,0,3}))"},
    {"a = exp(b(i))*xor(b(i),not(c(i)))", "a = exp(b(i))*xor(b(i), not(c(i)))"},
    {"a(i) = ! M( i )*-b(i)", "a(i) = !M(i)*-b(i)"},
    {"a(i) = max(!M(i(2,4)), b(i))", "a(i) = max(!M(i(2,4)), b(i))"},
    {"a+=-b", "a += -b"},
    {"A(i,j)|=B(i,k)&C(k,j)|D(i,j)", "A(i,j) |= B(i,k)*C(k,j) + D(i,j)"},
    {"A(i,j) |= (B(i,j)>2)&C(i,j) where j>i", "A(i,j) |= gt(B(i,j), 2)*C(i,j) where gt(j, i)"},
    {"a(i) = b(i)<=2 and not(c(i)) or d(i)", "a(i) = or(and(le(b(i), 2), not(c(i))), d(i))"},
    {"a(i) = b(i)>0 ? c(i) : d(i)>0?1:2", "a(i) = gt(b(i), 0) ? c(i) : gt(d(i), 0) ? 1 : 2"},
    {"a(i) = 2*(b(i)?0:1)", "a(i) = 2*(b(i) ? 0 : 1)"},
    {"a(i) = (b(i)?1:2) ? 3 : 0", "a(i) = (b(i) ? 1 : 2) ? 3 : 0"},
    {"A(i,j) = i == j ? 2 : 1", "A(i,j) = eq(i, j) ? 2 : 1"},
    {"A(i,j) = i + j > 3 ? 2 : 0", "A(i,j) = gt(i + j, 3) ? 2 : 0"},
    {"a = 1", "a = 1"},
    {"A(i,r)=B(i,j,k)*C(j,r)*D(k,r)", "A(i,r) = B(i,j,k)*C(j,r)*D(k,r)"},
    {"A (\ni , r\n) = B( i,j , k ) * C(j,r)\n * D(k,r)", "A(i,r) = B(i,j,k)*C(j,r)*D(k,r)"},
    {"_y_1(row_2, _) = Mat_3(row_2, _)", "_y_1(row_2,_) = Mat_3(row_2,_)"},
    {"a = inf + nan", "a = inf + nan"},
    {"y(i) = alpha*A(j,i)*x(j)+beta*z(i)", "y(i) = alpha*A(j,i)*x(j) + beta*z(i)"},
    {"a = B(i,i)", "a = B(i,i)"},
    {"A(i,i) = b(i)", "A(i,i) = b(i)"},
    /* parentheses are kept only where they matter */
    {"a = (b)", "a = b"},
    {"a = ((b + c)) + d", "a = b + c + d"},
    {"a = b + (c + d)", "a = b + (c + d)"},
    {"a = b - (c - d)", "a = b - (c - d)"},
    {"a = (b - c) - d", "a = b - c - d"},
    {"a = b + (c * d)", "a = b + c*d"},
    {"a = (b + c) * d", "a = (b + c)*d"},
    {"a = b * (c * d)", "a = b*(c*d)"},
    {"a = b / (c / d) / e", "a = b/(c/d)/e"},
    {"a = (b / c) * d", "a = b/c*d"},
    {"a = -b", "a = -b"},
    {"a = - - -b", "a = ---b"},
    {"a = b - -c", "a = b - -c"},
    {"a = b * -c / -d", "a = b*-c/-d"},
    {"a = -b * c", "a = -b*c"},
    {"a = -(b * c)", "a = -(b*c)"},
    {"a = (-b) * c", "a = -b*c"},
    {"a = -(b + c)", "a = -(b + c)"},
    {"a = -(-b)", "a = --b"},
    /* functions; without '(' their names are tensors */
    {"a(i) = max ( b(i)-c , -(2) )*abs(b(i))", "a(i) = max(b(i) - c, -2)*abs(b(i))"},
    {"a = max + min*or", "a = max + min*or"},
    {"a(i) = lt(min(b(i),(c)),eq(b(i),2))", "a(i) = lt(min(b(i), c), eq(b(i), 2))"},
    /* bands */
    {"y(i) = band ( i , j , -1 , 002 )*x(j)", "y(i) = band(i,j,-1,2)*x(j)"},
    {"y(i) = eye(i,j)*x(j) - eye(j,i,-3)*(tril(i,j,0) + triu(i,j,2))",
     "y(i) = eye(i,j)*x(j) - eye(j,i,-3)*(tril(i,j) + triu(i,j,2))"},
    {"y(i) = band(i,j,1,1)*max(tril(i,j,-1), x(j))", "y(i) = eye(i,j,1)*max(tril(i,j,-1), x(j))"},
    {"y(i) = eye + tril*x(i)", "y(i) = eye + tril*x(i)"},
    /* endings */
    {"C(i,j) top ( 10 )= A(i,k)*B(j,k)", "C(i,j) top(10)= A(i,k)*B(j,k)"},
    {"C(i,j)bottom(3,abs)=A(i,j)", "C(i,j) bottom(3, abs)= A(i,j)"},
    {"C(i,j) = A(i,j) where abs(C)>1e-8", "C(i,j) = A(i,j) where gt(abs(C), 1e-8)"},
    {"C(i,j) = A(i,j) where abs(C(i,j)) > T(i)*t and M(j,i)",
     "C(i,j) = A(i,j) where and(gt(abs(C), T(i)*t), M(j,i))"},
    {"C(i,j) += A(i,j) where j<i+1 and C!=0 or C(i,j)==-2",
     "C(i,j) += A(i,j) where or(and(lt(j, i + 1), ne(C, 0)), eq(C, -2))"},
    {"C(i,j) top(1)= A(i,j) where C>=0 and (j<=i or i)",
     "C(i,j) top(1)= A(i,j) where and(ge(C, 0), or(le(j, i), i))"},
    {"p(i) argmax ( j )= A(i,k)*B(j,k)", "p(i) argmax(j)= A(i,k)*B(j,k)"},
    {"p argmin(i,abs)=argmax(i)", "p argmin(i, abs)= argmax(i)"},
    {"a(i) = !!b(i)*c(i)", "a(i) = !!b(i)*c(i)"},
    {"top(i) = where(i)*bottom where top > 2", "top(i) = where(i)*bottom where gt(top, 2)"},
    /* numbers are printed as written */
    {"a = 0 + 007 + 010 + 1. + .5 + 1.e3 + 1e-3 + 1E+3 + .5e3 + 1.25E-2",
     "a = 0 + 007 + 010 + 1. + .5 + 1.e3 + 1e-3 + 1E+3 + .5e3 + 1.25E-2"},
    {"a = 1e-3-1e+3+1", "a = 1e-3 - 1e+3 + 1"},
    {"a = 2.-.5", "a = 2. - .5"},
    {"a = 5e-324 + 1.7976931348623157e308", "a = 5e-324 + 1.7976931348623157e308"},
    {"a = 0e999 + 0.000e-999", "a = 0e999 + 0.000e-999"},
};

/* ---- several statements ---- */

static const struct {
    const char *text, *canonical; /* NULL: refused */
    uint64_t col;                 /* of the error */
    tsr_status status;
} programs[] = {
    {"T(i,k)=A(i,j)*X(j,k);y(i) = T(i,k)", "T(i,k) = A(i,j)*X(j,k); y(i) = T(i,k)", 0, TSR_OK},
    {"m max= b(i);\n a(i) += !!b(i)*(b(i)-m) where a>0",
     "m max= b(i); a(i) += !!b(i)*(b(i) - m) where gt(a, 0)", 0, TSR_OK},
    {"a(i) = b(i)", "a(i) = b(i)", 0, TSR_OK},
    {"T = 2; y = T*T", "T = 2; y = T*T", 0, TSR_OK},
    /* a choice by the difference of two indices, which is 0 somewhere, is a sum of bands */
    {"A(i,j) = i==j ? 1 : 0", "A(i,j) = eye(i,j)", 0, TSR_OK},
    {"A(i,j) = i==j ? 4 : abs(i-j)==1 ? -1 : 0", "A(i,j) = -1*eye(i,j,-1) + 4*eye(i,j) + -1*eye(i,j,1)", 0,
     TSR_OK},
    {"A(i,j) = (2*j - 2*i > 3) ? 0 : i", "A(i,j) = i*tril(i,j,1)", 0, TSR_OK},
    {"A(i,j) = j == i + .5 ? 1 : 0", "A(i,j) = eye(i,j,9007199254740991)", 0, TSR_OK}, /* it never holds */
    {"A(i,j) = j >= i and i > 2 ? 1 : 0", "A(i,j) = (gt(i, 2) ? 1 : 0)*triu(i,j)", 0, TSR_OK},
    {"A(p,q):p==q?2:q-p==1?p:0; y(i)=A(i,j)*x(j)", "y(i) = (2*eye(i,j) + i*eye(i,j,1))*x(j)", 0, TSR_OK},
    {"c : 2; A(i,j) : c*i; y(i) = A(i,i)*x(i) + c", "y(i) = 2*i*x(i) + 2", 0, TSR_OK},
    {"A(i,j) : i <= j ? 3 : 0; y(i) = A(i,i)", "y(i) = 3*1", 0, TSR_OK},
    {"A(i,j) : x(i); y(i) = A(i,j)", NULL, 10, TSR_ARGUMENT},
    {"A(i,j) : i; A(i,j) = x(i)*x(j)", NULL, 13, TSR_ARGUMENT},
    {"A(i,i) : i; y(i) = A(i,i)", NULL, 1, TSR_ARGUMENT},
    {"A(i,j) : i; y(i) = A(i)", NULL, 20, TSR_ARGUMENT},
    {"A(i,j) : i; y(i) = A(i,j(0,2))", NULL, 20, TSR_ARGUMENT},
    {"A(i,j) : i; y(i) = !A(i,j)*x(i)", NULL, 21, TSR_ARGUMENT},
    {"A(i,j) : i + ; y(i) = A(i,j)", NULL, 13, TSR_SYNTAX},
    {"A(i,j) : i;", NULL, 12, TSR_SYNTAX},
    {"A(i,j) : i; B(i) : 1", NULL, 0, TSR_SYNTAX},
    {"T(i) = b(i);", NULL, 13, TSR_SYNTAX},
    {"; T(i) = b(i)", NULL, 1, TSR_SYNTAX},
    {"T(i) = b(i); y(i) = T(i)*", NULL, 26, TSR_SYNTAX},
    {"T(i) = b(i); y(i) = b(i)", NULL, 1, TSR_ARGUMENT},
    {"T(i) = b(i); T(i) = T(i)", NULL, 21, TSR_ARGUMENT},
    {"T(i) = b(i); s = T(i); T(i) = s*b(i)", NULL, 24, TSR_ARGUMENT},
    {"y(i) = T(i); T(i) = y(i)", NULL, 8, TSR_ARGUMENT},
    {"T(i) = b(i); y(i) = T(i,j)*b(j)", NULL, 21, TSR_ARGUMENT},
    {"T(i) = b(i); y(i) = T(i)*A(i,j); z = A(i)*y(i)", NULL, 38, TSR_ARGUMENT},
    {"T(i) = b(i); y(T) = c(T)", NULL, 16, TSR_ARGUMENT},
    {"T(i) += b(i); y(i) = T(i)", NULL, 1, TSR_ARGUMENT},
    {"T(i(2,8)) = b(i); y(i) = T(i)", NULL, 1, TSR_UNSUPPORTED},
};

static void test_programs(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(programs); i++) {
        tsr_notation *notation;
        tsr_error why = {0};
        char text[512];
        const tsr_status status = tsr_program_parse(&notation, programs[i].text, NULL, &why);
        if (status != programs[i].status || why.col != programs[i].col)
            fail_msg("%s: status %d, column %d: %s", programs[i].text, (int)status, (int)why.col,
                     why.message);
        if (status != TSR_OK)
            continue;
        print_of(text, sizeof text, notation);
        assert_string_equal(text, programs[i].canonical);
        tsr_notation_free(notation);
    }
    tsr_notation *notation;
    assert_ok(tsr_program_parse(&notation, "T(i,k) = A(i,j)*X(j,k); y(i) = !M(i)*T(i,k)*c(k)", NULL, err));
    assert_int_equal(notation->nstatements, 2);
    assert_int_equal(notation->ntensors, 5); /* y, A, X, M, c: T is not an operand */
    assert_string_equal(notation->tensor[0].name, "y");
    assert_int_equal(tsr_notation_find_tensor(notation, "T"), -1);
    assert_int_equal(tsr_notation_find_tensor(notation, "M"), 3);
    tsr_notation_free(notation);
}

static void test_what_parses_prints_canonically(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(good); i++) {
        tsr_notation *notation, *again;
        char text[512], text_again[512];
        assert_ok(tsr_notation_parse(&notation, good[i].text, err));
        assert_string_equal(notation->text, good[i].text);
        print_of(text, sizeof text, notation);
        assert_string_equal(text, good[i].canonical);
        assert_ok(tsr_notation_parse(&again, text, err));
        print_of(text_again, sizeof text_again, again);
        assert_string_equal(text_again, text);
        tsr_notation_free(notation);
        tsr_notation_free(again);
    }
}

/* Every public part of a parsed statement. */
static void test_parts(void **state)
{
    (void)state;
    tsr_notation *n;
    assert_ok(tsr_notation_parse(&n, "A(i,r) += 2.50 * B(k,i,k)*c - C(k,\n r)", err));
    assert_true(n->accumulate);
    assert_int_equal(n->ntensors, 4);
    static const struct {
        const char *name;
        int order;
        uint32_t col;
    } tensors[] = {{"A", 2, 1}, {"B", 3, 18}, {"c", 0, 27}, {"C", 2, 31}};
    for (int t = 0; t < 4; t++) {
        assert_string_equal(n->tensor[t].name, tensors[t].name);
        assert_int_equal(n->tensor[t].order, tensors[t].order);
        assert_int_equal(n->tensor[t].col, tensors[t].col);
        assert_int_equal(tsr_notation_find_tensor(n, tensors[t].name), t);
        assert_int_equal(tsr_notation_find_var(n, tensors[t].name), -1);
        assert_int_equal(tsr_notation_access(n, t)->col, tensors[t].col);
    }
    static const char *const vars[] = {"i", "r", "k"};
    static const uint32_t var_cols[] = {3, 5, 20};
    assert_int_equal(n->nvars, 3);
    assert_int_equal(n->nfree, 2);
    for (int v = 0; v < 3; v++) {
        assert_string_equal(n->var[v], vars[v]);
        assert_int_equal(n->var_col[v], var_cols[v]);
        assert_int_equal(tsr_notation_find_var(n, vars[v]), v);
    }
    const tsr_expr *sub = n->rhs, *by_c = sub->a, *by_b = by_c->a;
    assert_int_equal(sub->kind, TSR_EXPR_SUB);
    assert_int_equal(sub->col, 29);
    assert_int_equal(sub->height, 3);
    assert_int_equal(sub->tensors, 14);
    assert_int_equal(sub->vars, 7);
    assert_int_equal(sub->common, 4);
    assert_int_equal(by_c->kind, TSR_EXPR_MUL);
    assert_int_equal(by_c->b->nindices, 0);
    assert_int_equal(by_b->a->kind, TSR_EXPR_NUMBER);
    assert_true(by_b->a->number == 2.5);
    assert_string_equal(by_b->a->spelling, "2.50");
    static const int indices[] = {2, 0, 2};
    assert_memory_equal(by_b->b->index, indices, sizeof indices);
    tsr_notation_free(n);
    tsr_notation_free(NULL);
}

static const struct {
    const char *text;
    double value;
} numbers[] = {
    {"1", 1},
    {"1.", 1},
    {".5", 0.5},
    {"0.1", 0.1},
    {"1.e3", 1000},
    {"1e3", 1000},
    {"1E+03", 1000},
    {"010", 10}, /* not octal */
    {"1e-3", 1e-3},
    {"123456789012345678901234567890", 123456789012345678901234567890.0},
    {"1.7976931348623157e308", DBL_MAX},
    {"1.7976931348623158e308", DBL_MAX}, /* nearer to DBL_MAX than to 2^1024 */
    {"2.2250738585072014e-308", DBL_MIN},
    {"2.2250738585072011e-308", 2.2250738585072011e-308}, /* subnormal */
    {"5e-324", 4.9406564584124654e-324},
    {"3e-324", 4.9406564584124654e-324},
    {"0", 0},
    {"0.0e-400", 0},
};

static void test_numbers(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(numbers); i++) {
        char text[64];
        tsr_notation *n;
        snprintf(text, sizeof text, "a=%s", numbers[i].text);
        assert_ok(tsr_notation_parse(&n, text, err));
        assert_int_equal(n->rhs->kind, TSR_EXPR_NUMBER);
        assert_true(n->rhs->number == numbers[i].value);
        tsr_notation_free(n);
    }
}

/* ---- invalid texts ---- */

#define A8 "aaaaaaaa"

static const struct {
    const char *text;
    tsr_status status;
} bad[] = {
    {"", TSR_SYNTAX},
    {" \n ", TSR_SYNTAX},
    {"a", TSR_SYNTAX},
    {"3 = b", TSR_SYNTAX},
    {"-a = b", TSR_SYNTAX},
    {"a b", TSR_SYNTAX},
    {"a = !b", TSR_SYNTAX},
    {"a(i) top= b(i)", TSR_SYNTAX},
    {"a(i) top()= b(i)", TSR_SYNTAX},
    {"a(i) top(0)= b(i)", TSR_RANGE},
    {"a(i) top(1.5)= b(i)", TSR_RANGE},
    {"a(i) top(1000001)= b(i)", TSR_RANGE},
    {"a(i) top(2,min)= b(i)", TSR_SYNTAX},
    {"a(i) top(2,abs= b(i)", TSR_SYNTAX},
    {"a(i) top(2) b(i)", TSR_SYNTAX},
    {"a(i) = eye(i)", TSR_SYNTAX},
    {"a(i) = eye(i,2)", TSR_SYNTAX},
    {"a(i) = eye(i,j,k)", TSR_SYNTAX},
    {"a(i) = eye(i,j,1,2)", TSR_SYNTAX},
    {"a(i) = band(i,j)", TSR_SYNTAX},
    {"a(i) = band(i,j,1)", TSR_SYNTAX},
    {"a(i) = tril(i,i)", TSR_ARGUMENT},
    {"a(i) = tril(i,a)", TSR_ARGUMENT},
    {"a(i) = band(i,j,2,-1)", TSR_ARGUMENT},
    {"a(i) = triu(i,j,1.5)", TSR_RANGE},
    {"a(i) = triu(i,j,1e300)", TSR_RANGE},
    {"a(i) = !eye(i,j)", TSR_SYNTAX},
    {"a(i) = b(i) & c(i)", TSR_ARGUMENT},
    {"a(i) = b(i) | c(i)", TSR_ARGUMENT},
    {"a(i) |= b(i) > 2", TSR_SYNTAX},
    {"a(i) |= (b(i) + 1 > 2)", TSR_UNSUPPORTED},
    {"a(i) |= (b(i) & c(i) > 2)", TSR_ARGUMENT},
    {"a(i) = b(i) ? 1", TSR_SYNTAX},
    {"a(i) = ((b(i) ? 1 : 2) > c(i)) ? 3 : 4", TSR_UNSUPPORTED},
    {"a(i) = b(i) ? : 1", TSR_SYNTAX},
    {"a(i) = b(i) : 1", TSR_SYNTAX},
    {"a(i) = 1 < b(i) < 2", TSR_SYNTAX},
    {"a(i) argmax= b(i,j)", TSR_SYNTAX},
    {"a(i) argmax(2)= b(i,j)", TSR_SYNTAX},
    {"a(i) argmax(j,min)= b(i,j)", TSR_SYNTAX},
    {"a(i) argmax(j,abs= b(i,j)", TSR_SYNTAX},
    {"a(i) argmax(j) b(i,j)", TSR_SYNTAX},
    {"a(i) argmax(i)= b(i,j)", TSR_ARGUMENT},
    {"a(i) argmax(a)= b(i,j)", TSR_ARGUMENT},
    {"a(i,i) argmax(j)= b(i,j)", TSR_ARGUMENT},
    {"a(i(2,8)) argmin(j)= b(i,j)", TSR_ARGUMENT},
    {"a(i) argmin(j)= b(i,j) where a > 2", TSR_UNSUPPORTED},
    {"a(i) += b(i) where", TSR_SYNTAX},
    {"a(i) = b(i)*c(k) where k > 2", TSR_ARGUMENT},
    {"a(i) = b(i)*c(k) where d(i,k) > 2", TSR_ARGUMENT},
    {"a(i) = b(i) where b(i,i) > 2", TSR_ARGUMENT},
    {"a(i) = b(i) where !a(i)", TSR_UNSUPPORTED},
    {"a(i) = b(i) where !!b(i)", TSR_UNSUPPORTED},
    {"A(i,j) = B(i,j) where tril(i,j)", TSR_UNSUPPORTED},
    {"a(i) = b(i) where a(j) > 2", TSR_ARGUMENT},
    {"A(i,j) = B(i,j) where A(j,i) > 2", TSR_ARGUMENT},
    {"a(i) = b(i) where a(i(0,2)) > 2", TSR_ARGUMENT},
    {"a(i) = b(i) where (a > 2", TSR_SYNTAX},
    {"a(i) = b(i) where a > 2 > 1", TSR_SYNTAX},
    {"a(i) = b(i) where a = 2", TSR_SYNTAX},
    {"a = b where a > 2", TSR_ARGUMENT},
    {"a top(2)= b(i)", TSR_ARGUMENT},
    {"a(i,i) top(2)= b(i)", TSR_ARGUMENT},
    {"a(i(2,8)) = b(i) where a > 2", TSR_ARGUMENT},
    {"a = !2", TSR_SYNTAX},
    {"a(i) = !(b(i))", TSR_SYNTAX},
    {"a(i) = !max(b(i), 2)", TSR_SYNTAX},
    {"a(i) = !!!b(i)", TSR_SYNTAX},
    {"a(i) = b(i); c(i) = b(i)", TSR_SYNTAX},
    {"a = ", TSR_SYNTAX},
    {"a == b", TSR_SYNTAX},
    {"a -= b", TSR_SYNTAX},
    {"a + = b", TSR_SYNTAX},
    {"a := b", TSR_SYNTAX},
    {"a = b = c", TSR_SYNTAX},
    {"a = b += c", TSR_SYNTAX},
    {"a = +b", TSR_SYNTAX},
    {"a = b + * c", TSR_SYNTAX},
    {"a = b c", TSR_SYNTAX},
    {"a = b;", TSR_SYNTAX},
    {"a = b)", TSR_SYNTAX},
    {"a = (b", TSR_SYNTAX},
    {"a = (b + (c * d)\n", TSR_SYNTAX},
    {"a = ()", TSR_SYNTAX},
    {"a = b(i)(j)", TSR_SYNTAX},
    {"a(i = b", TSR_SYNTAX},
    {"a(i) = b(i", TSR_SYNTAX},
    {"a(i) = b(i,)", TSR_SYNTAX},
    {"a(i) = b(,i)", TSR_SYNTAX},
    {"a(i) = b(i j)", TSR_SYNTAX},
    {"a(i) = b(i+1)", TSR_SYNTAX},
    {"a(i) = b(2)", TSR_SYNTAX},
    {"a(i) = b[i]", TSR_SYNTAX},
    {"a(i) = b(i)^2", TSR_SYNTAX},
    {"a(i) = b(i) \xc3\x97 c(i)", TSR_SYNTAX}, /* a multiplication sign */
    {"\tx(i)\n\t= \xce\xb1*y(i)", TSR_SYNTAX}, /* a Greek letter */
    {"a = b \x01", TSR_SYNTAX},
    {"a = .", TSR_SYNTAX},
    {"a = b.c", TSR_SYNTAX},
    /* numbers */
    {"a = 1e", TSR_SYNTAX},
    {"a = 1e+", TSR_SYNTAX},
    {"a = 2*1.5e-*b", TSR_SYNTAX},
    {"a = 0x10", TSR_SYNTAX},
    {"a = 1_000", TSR_SYNTAX},
    {"a = 1.5f", TSR_SYNTAX},
    {"a = 10L", TSR_SYNTAX},
    {"a = 1d3", TSR_SYNTAX},
    {"a = 2b", TSR_SYNTAX},
    {"a = 1.2.3", TSR_SYNTAX},
    {"a = 1e400", TSR_RANGE},
    {"a = 1e-400", TSR_RANGE},
    {"a = 0.00001e-400", TSR_RANGE},
    /* names */
    {"a(i) = a(i) + b(i)", TSR_ARGUMENT},
    {"a(i) = B(i,j)*c(j) + B(i)", TSR_ARGUMENT},
    {"a(i) = B(i)*B", TSR_ARGUMENT},
    {"a(i) = B*B(i)", TSR_ARGUMENT},
    {"a(i) = i*b(j)*j(k)", TSR_ARGUMENT},
    {"a(i) mean= b(i,j)", TSR_SYNTAX},
    {"a(i) min + b(i,j)", TSR_SYNTAX},
    {"a(i) = b(i(4,2))", TSR_ARGUMENT},
    {"a(i) = b(i(0,4,0))", TSR_ARGUMENT},
    {"a(i) = b(i(0.5,4))", TSR_RANGE},
    {"a(i) = b(i(2))", TSR_SYNTAX},
    {"a(i) = b(i({}))", TSR_SYNTAX},
    {"a(i) = b(i({1,2))", TSR_SYNTAX},
    {"a(i) = b(i)*c(b)", TSR_ARGUMENT},
    {"a(a) = b", TSR_ARGUMENT},
    {"a(i) = b(a)", TSR_ARGUMENT},
    {"a = " A8 A8 A8 A8 A8 A8 "(i)*" A8 A8 A8 A8 A8 A8, TSR_ARGUMENT},
    /* limits */
    {"a = b(i0,i1,i2,i3,i4,i5,i6,i7,i8,i9,i10,i11,i12,i13,i14,i15,i16)", TSR_LIMIT},
    {"a = "
     "b(i0,i1,i2,i3,i4,i5,i6,i7,i8,i9)*c(j0,j1,j2,j3,j4,j5,j6,j7,j8,j9)*d(k0,k1,k2,k3,k4,k5,k6,k7,k8,k9)\n"
     "  * e(l0,l1,l2)",
     TSR_LIMIT},
    {"a = c0+c1+c2+c3+c4+c5+c6+c7+c8+c9+d0+d1+d2+d3+d4+d5+d6+d7+d8+d9+e0+e1+e2+e3+e4+e5+e6+e7+e8+e9+f0+f1",
     TSR_LIMIT},
};

/* "$ text", the message, the line and the caret, of each row of `bad`. */
/* Append the line of `at` with a caret below it; a control character becomes one '?'. */
static void add_caret(tsr_text *text, const char *source, const char *at)
{
    const char *first = at, *end = at + strcspn(at, "\r\n");
    while (first > source && first[-1] != '\n')
        first--;
    tsr_text_add(text, "  ");
    for (const char *p = first; p < end; p++)
        tsr_text_add_n(text, (unsigned char)*p < ' ' && *p != '\t' ? "?" : p, 1);
    tsr_text_add(text, "\n  ");
    for (const char *p = first; p < at; p++)
        if (((unsigned char)*p & 0xc0) != 0x80)
            tsr_text_add(text, *p == '\t' ? "\t" : " ");
    tsr_text_add(text, "^\n");
}

static void refusals(tsr_text *text)
{
    for (size_t i = 0; i < LENGTH(bad); i++) {
        tsr_notation *n = (tsr_notation *)bad; /* so that the test sees that it is set to NULL */
        tsr_error err = {0};
        const tsr_status status = tsr_notation_parse(&n, bad[i].text, &err);
        if (status != bad[i].status)
            print_error("%s: %s\n", bad[i].text, err.message);
        assert_int_equal(status, bad[i].status);
        assert_int_equal(err.status, status);
        assert_null(n);
        assert_int_equal(err.line, 0);
        assert_in_range(err.col, 1, strlen(bad[i].text) + 1);
        tsr_text_addf(text, "%s, column %" PRIu64 ": %s\n", tsr_status_words(status), err.col, err.message);
        add_caret(text, bad[i].text, bad[i].text + err.col - 1);
    }
    assert_int_equal(tsr_text_status(text, NULL), TSR_OK);
}

/* After an intended change: run the test, check its output, and copy notation-errors.out from its folder. */
static void test_what_is_refused(void **state)
{
    (void)state;
    tsr_text text = {0};
    refusals(&text);
    tsr_test_golden("notation-errors.out", tsr_text_cstr(&text));
    tsr_text_clear(&text);
}

/* `before`, n times `repeated`, `after`: parses or is refused, without a stack overflow. */
static const struct {
    const char *before, *repeated, *after;
    int n;
    tsr_status status;
} deep[] = {
    {"a = ", "(", "b", 1000000, TSR_LIMIT},
    {"a = ", "-", "b", 1000000, TSR_LIMIT},
    {"a = ", "-(", "b", 500000, TSR_LIMIT},
    {"a = b(", "(", "b", 500000, TSR_SYNTAX},
    {"a = ", "-", "b", TSR_NOTATION_MAX_NESTING, TSR_OK},
    {"a = ", "-", "b", TSR_NOTATION_MAX_NESTING + 1, TSR_LIMIT},
    {"a = ", "(b)+", "b", 1000, TSR_OK},
    {"a = ", "-b+", "b", 1000, TSR_OK},
    {"a = b", "+b", "", TSR_NOTATION_MAX_HEIGHT, TSR_OK},
    {"a = b", "+b", "", TSR_NOTATION_MAX_HEIGHT + 1, TSR_LIMIT},
    {"a = b", "*b", "", 100000, TSR_LIMIT},
    {"a = ", " ", "b", TSR_NOTATION_MAX_NBYTES - 5, TSR_OK},
    {"a = ", " ", "b", TSR_NOTATION_MAX_NBYTES - 4, TSR_LIMIT},
    {"a = ", "1", "", 100000, TSR_RANGE},
    {"a = .", "1", "", 100000, TSR_OK},
    {"a = ", "b", "", 100000, TSR_OK},
};

static void test_depth(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(deep); i++) {
        tsr_text text = {0};
        tsr_text_add(&text, deep[i].before);
        for (int k = 0; k < deep[i].n; k++)
            tsr_text_add(&text, deep[i].repeated);
        tsr_text_add(&text, deep[i].after);
        tsr_notation *n;
        tsr_error err = {0};
        const tsr_status status = tsr_notation_parse(&n, tsr_text_cstr(&text), &err);
        if (status != deep[i].status)
            print_error("row %zu: %s\n", i, err.message);
        assert_int_equal(status, deep[i].status);
        if (status == TSR_OK) {
            tsr_text printed = {0};
            tsr_notation_print(&printed, n);
            assert_int_equal(tsr_text_status(&printed, NULL), TSR_OK);
            tsr_text_clear(&printed);
        }
        tsr_notation_free(n);
        tsr_text_clear(&text);
    }
}

/* ---- sizes ---- */

enum {
    NONE = 99,
    ZERO = 98
}; /* as the first dim of a tensor: its dims are unknown; as a size that is given: 0 */

static const struct {
    const char *text;
    uint64_t dims[4][4]; /* of each tensor, the result first */
    uint64_t given[4];   /* of each variable */
    tsr_status status;
    uint64_t col;
    uint64_t size[4]; /* of each variable */
    const char *message;
} sized[] = {
    {"a(i) = B(i,j)*c(j)", {{NONE}, {3, 4}, {4}}, {0}, TSR_OK, 0, {3, 4}, NULL},
    {"a(i) = B(i,j)*c(j)", {{3}, {NONE}, {4}}, {0}, TSR_OK, 0, {3, 4}, NULL},
    {"a(i) = B(i,j)*c(j)", {{NONE}, {NONE}, {NONE}}, {5, 6}, TSR_OK, 0, {5, 6}, NULL},
    {"a(i) = B(i,j)*c(j)", {{3}, {3, 4}, {4}}, {3, 4}, TSR_OK, 0, {3, 4}, NULL},
    {"a(i) = B(i,j)*c(j)", {{0}, {0, 4}, {4}}, {0}, TSR_OK, 0, {0, 4}, NULL},
    {"a = b", {{NONE}, {NONE}}, {0}, TSR_OK, 0, {0}, NULL},
    {"A(i,j) = b(j)", {{NONE}, {3}}, {2}, TSR_OK, 0, {2, 3}, NULL},
    {"a(i) = B(i,j)*C(j)",
     {{NONE}, {3, 9184}, {9000}},
     {0},
     TSR_ARGUMENT,
     15,
     {0},
     "j is 9184 in B but 9000 in C"},
    {"A(i,j) = b(j)", {{NONE}, {3}}, {ZERO}, TSR_OK, 0, {0, 3}, NULL},
    {"A(i,j) = b(j)", {{NONE}, {3}}, {2, ZERO}, TSR_ARGUMENT, 10, {0}, "j is given as 0 but is 3 in b"},
    {"a(i) = B(i,j)*C(j)", {{4}, {3, 2}, {2}}, {0}, TSR_ARGUMENT, 8, {0}, "i is 4 in a but 3 in B"},
    {"a(i) = B(i,j)*C(j)",
     {{NONE}, {3, 2}, {2}},
     {0, 7},
     TSR_ARGUMENT,
     8,
     {0},
     "j is given as 7 but is 2 in B"},
    {"a = B(i,i)", {{NONE}, {3, 4}}, {0}, TSR_ARGUMENT, 5, {0}, "i is 3 in mode 0 of B but 4 in mode 1"},
    {"a = B(i,j)*B(j,i)",
     {{NONE}, {3, 4}},
     {0},
     TSR_ARGUMENT,
     12,
     {0},
     "j is 4 in mode 1 of B but 3 in mode 0"},
    {"a = B(i,j)*0", {{NONE}, {0, 4}}, {1}, TSR_ARGUMENT, 5, {0}, "i is given as 1 but is 0 in B"},
    {"A(i,j) = b(j)",
     {{NONE}, {3}},
     {0},
     TSR_ARGUMENT,
     3,
     {0},
     "the size of i is unknown: no tensor with known dims has it as an index"},
    {"a = b(i)*-(c(i) + d(k))/2",
     {{NONE}, {3}, {3}, {NONE}},
     {0},
     TSR_ARGUMENT,
     21,
     {0},
     "the size of k is unknown: no tensor with known dims has it as an index"},
};

static void test_sizes(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(sized); i++) {
        tsr_notation *n;
        assert_ok(tsr_notation_parse(&n, sized[i].text, err));
        const uint64_t *dims[4];
        for (int t = 0; t < n->ntensors; t++)
            dims[t] = sized[i].dims[t][0] == NONE ? NULL : sized[i].dims[t];
        uint64_t size[TSR_NOTATION_MAX_VARS];
        tsr_error err = {0};
        uint64_t given[TSR_NOTATION_MAX_VARS];
        for (int v = 0; v < n->nvars; v++)
            given[v] = sized[i].given[v] == 0      ? TSR_NOTATION_UNKNOWN
                       : sized[i].given[v] == ZERO ? 0
                                                   : sized[i].given[v];
        const tsr_status status = tsr_notation_sizes(size, n, dims, given, &err);
        assert_int_equal(status, sized[i].status);
        for (int v = 0; status == TSR_OK && v < n->nvars; v++)
            assert_int_equal(size[v], sized[i].size[v]);
        if (status != TSR_OK) {
            assert_string_equal(err.message, sized[i].message);
            assert_int_equal(err.col, sized[i].col);
        }
        tsr_notation_free(n);
    }
}

/* ---- known answers, memory ---- */

static void test_shared_expressions(void **state)
{
    (void)state;
    if (!tsr_test_shared())
        skip();
    json_error_t fault;
    json_t *cases = json_load_file(tsr_test_path(tsr_test_shared(), "cases/expressions.json"),
                                   JSON_REJECT_DUPLICATES, &fault);
    assert_non_null(cases);
    size_t i;
    json_t *row;
    json_array_foreach(cases, i, row)
    {
        tsr_notation *n, *again;
        char text[256], text_again[256];
        assert_ok(tsr_notation_parse(&n, json_string_value(json_object_get(row, "expr")), err));
        assert_int_equal(n->ntensors, json_object_size(json_object_get(row, "operands")) + 1);
        assert_int_equal(n->result->nindices, json_array_size(json_object_get(row, "result_dims")));
        for (int t = 1; t < n->ntensors; t++) {
            json_t *operand = json_object_get(json_object_get(row, "operands"), n->tensor[t].name);
            assert_int_equal(n->tensor[t].order, json_array_size(json_object_get(operand, "dims")));
        }
        print_of(text, sizeof text, n);
        assert_ok(tsr_notation_parse(&again, text, err));
        print_of(text_again, sizeof text_again, again);
        assert_string_equal(text_again, text);
        tsr_notation_free(n);
        tsr_notation_free(again);
    }
    assert_true(i > 30);
    json_decref(cases);
}

/* Whichever allocation fails: TSR_NOMEM, and no block is left. */
static void test_memory_fails(void **state)
{
    (void)state;
    const int64_t before = tsr_alloc_live();
    if (before < 0)
        skip(); /* not built with TSR_FAULTS */
    tsr_text text = {0};
    tsr_text_add(&text, "a = b(i)*(c(i) + e(i) - 2)");
    for (int k = 0; k < 100; k++)
        tsr_text_add(&text, " + b(i)*-(c(i) - d)");
    tsr_faults faults = {0};
    while (tsr_faults_next(&faults)) {
        tsr_notation *notation = NULL;
        tsr_terms *terms = NULL;
        tsr_faults_arm(&faults);
        tsr_status status = tsr_notation_parse(&notation, tsr_text_cstr(&text), NULL);
        if (status == TSR_OK)
            status = tsr_notation_terms(&terms, notation, 4, NULL);
        tsr_faults_end(&faults, status);
        assert_true((status == TSR_OK) == (terms != NULL));
        tsr_terms_free(terms);
        tsr_notation_free(notation);
    }
    assert_true(faults.n > 10);
    tsr_text_clear(&text);
    assert_int_equal(tsr_alloc_live(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_parses_prints_canonically),
        cmocka_unit_test(test_programs),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_shared_expressions),
        cmocka_unit_test(test_memory_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
