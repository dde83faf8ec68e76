/* Random statements of the whole notation against an oracle that works point by point on the tree as it is written: functions,
 * reductions, windows, strides, lists, coordinates as values, results that are added to, any formats, several types, schedules.
 * Stated ones, too, in formats that have letters and in others: those that a sparse compiler must compute beyond + and *.
 *
 *     test_kernels_notation                the rounds 0 to 599, and the stated statements
 *     test_kernels_notation FIRST LAST     these rounds, each told before it runs
 *     test_kernels_notation seconds N      rounds for so long
 *     test_kernels_notation stated N       each stated statement in N drawn combinations of formats */
#include <math.h>
#include <string.h>
#include <time.h>

#include "dense.h"
#include "random_format.h"
#include "random_schedule.h"
#include "tsr_kernel.h"
#include "tsr_test.h"

enum { MAX_OPERANDS = 6, ROUNDS = 600, EACH_COMPILED = 50 };

typedef struct world {
    tsr_rng rng;
    tsr_text text;
    int nvars, noperands, order[MAX_OPERANDS]; /* operands "A", "B"... */
    uint64_t size[4];
    uint64_t dims[MAX_OPERANDS][TSR_MAX_ORDER];
    tsr_notation *n;
    const char *semiring;
    bool has_letters;           /* formats are drawn from those with letters */
    bool must_run, is_f64;      /* not refused; all values are f64 */
    bool compiled;              /* by the C compiler; else interpreted */
    bool is_scheduled;          /* with items at random */
    bool is_mask[MAX_OPERANDS]; /* the operand needs a sparse format */
    char format[MAX_OPERANDS + 1][RANDOM_FORMAT_NBYTES];
    dense operand[MAX_OPERANDS + 1]; /* [0]: the result before */
    tsr_tensor *tensor[MAX_OPERANDS + 1];
    uint64_t at[TSR_NOTATION_MAX_VARS], extent[TSR_NOTATION_MAX_VARS];
} world;

static uint64_t below(world *w, uint64_t n)
{
    return tsr_rng_below(&w->rng, n);
}

/* ---- drawing a statement ---- */

/* A new operand over some of the variables, each once; now and then with windows, or as a mask. */
static void draw_access(world *w)
{
    if (w->noperands == MAX_OPERANDS) {
        tsr_text_add(&w->text, "2");
        return;
    }
    const int k = w->noperands++;
    w->is_mask[k] = below(w, 6) == 0;
    tsr_text_add(&w->text, w->is_mask[k] ? "!" : "");
    const int first = (int)below(w, (uint64_t)w->nvars),
              n = 1 + (int)below(w, (uint64_t)(w->nvars > 2 ? 3 : w->nvars));
    const bool reversed = below(w, 3) == 0;
    tsr_text_addf(&w->text, "%c(", 'A' + k);
    for (int m = 0; m < n; m++) {
        const int v = (first + (reversed ? n - 1 - m : m)) % w->nvars;
        const uint64_t size = w->size[v], from = below(w, 3), step = 1 + below(w, 3);
        w->dims[k][m] = size;
        tsr_text_addf(&w->text, "%s%c", m ? "," : "", 'i' + v);
        if (below(w, 5) == 0) {
            w->dims[k][m] = from + (size - 1) * step + 1 + below(w, below(w, 4) ? 2 : 16);
            tsr_text_addf(&w->text, "(%d,%d,%d)", (int)from, (int)(from + (size - 1) * step + 1), (int)step);
        } else if (below(w, 12) == 0) {
            tsr_text_add(&w->text, "({");
            for (uint64_t c = size; c > 0; c--)
                tsr_text_addf(&w->text, "%s%d", c == size ? "" : ",", (int)(2 * c - 1));
            tsr_text_add(&w->text, "})");
            w->dims[k][m] = 2 * size;
        }
    }
    tsr_text_add(&w->text, ")");
    w->order[k] = n;
}

static void draw_tree(world *w, int depth)
{
    static const char *const functions[] = {"min", "max", "lt",  "le", "eq",  "ne",
                                            "ge",  "gt",  "and", "or", "xor", "heaviside"};
    static const char *const unary[] = {"abs", "square", "not", "sign", "floor"};
    const uint64_t kind = depth <= 0 ? below(w, 2) : below(w, 12);
    if (kind <= 3) {
        draw_access(w);
    } else if (kind == 4) {
        tsr_text_addf(&w->text, "%d", (int)below(w, 3));
    } else if (kind == 5) {
        tsr_text_addf(&w->text, "%c", 'i' + (int)below(w, (uint64_t)w->nvars));
    } else if (kind <= 7) {
        const bool two = kind == 6;
        tsr_text_addf(&w->text, "%s(",
                      two ? functions[below(w, sizeof functions / sizeof *functions)]
                          : unary[below(w, sizeof unary / sizeof *unary)]);
        draw_tree(w, depth - 1);
        tsr_text_add(&w->text, two ? ", " : "");
        if (two)
            draw_tree(w, depth - 1);
        tsr_text_add(&w->text, ")");
    } else {
        static const char *const operators[] = {" + ", " - ", "*", "*"};
        tsr_text_add(&w->text, "(");
        draw_tree(w, depth - 1);
        tsr_text_add(&w->text, operators[kind - 8]);
        draw_tree(w, depth - 1);
        tsr_text_add(&w->text, ")");
    }
}

/* R(free variables) OP right side. With = and += a product of parts that are not sums, which a sum over a variable goes
 * through; with the others anything. */
static void draw_statement(world *w)
{
    static const char *const operators[] = {"=", "=", "+=", "min=", "max=", "*=", "or=", "and=", "xor="};
    const char *const how = operators[below(w, sizeof operators / sizeof *operators)];
    w->nvars = 1 + (int)below(w, 3);
    const int nfree = (int)below(w, (uint64_t)w->nvars + 1);
    for (int v = 0; v < w->nvars; v++)
        w->size[v] = 1 + below(w, 4);
    tsr_text_add(&w->text, "R");
    for (int v = 0; v < nfree; v++)
        tsr_text_addf(&w->text, "%s%c", v ? "," : "(", 'i' + v);
    tsr_text_addf(&w->text, "%s %s ", nfree ? ")" : "", how);
    draw_access(w);
    if (how[0] != '=' && how[0] != '+') {
        tsr_text_add(&w->text, below(w, 2) ? " + " : "*");
        draw_tree(w, 2);
        return;
    }
    for (uint64_t k = below(w, 3); k > 0; k--) {
        tsr_text_add(&w->text, "*");
        if (below(w, 2))
            draw_access(w);
        else if (below(w, 2)) {
            tsr_text_add(&w->text, "max(");
            draw_tree(w, 1);
            tsr_text_add(&w->text, ", ");
            draw_tree(w, 1);
            tsr_text_add(&w->text, ")");
        } else
            tsr_text_addf(&w->text, "%c", 'i' + (int)below(w, (uint64_t)w->nvars));
    }
}

/* ---- statements that are given ---- */

/* Statements over the operands A, B and C; a number in () is that of a report that the compiler of the founding paper gets it wrong. */
static const char *const stated[] = {
    "R min= A(i)",
    "R max= A(i,j)",
    "R(i) min= A(i,j)",
    "R(j) max= A(i,j)*B(j)",
    "R(i) *= A(i,j)",
    "R or= A(i,j)",
    "R(i) and= A(i,j)",
    "R(i) xor= A(i,j)",
    "R(i) or= and(A(i,j), B(j))", /* breadth-first search; its masks: vertices to visit, and visited ones */
    "R(i) or= C(i)*and(A(i,j), B(j))",
    "R(i) or= !C(i)*and(A(i,j), B(j))",
    "R(i,j) = xor(A(i,j), B(i,j))",
    "R(i,j) = xor(A(i,j), and(B(i,j), C(i,j)))", /* (510, 512) a function inside another */
    "R(i,j) = and(xor(A(i,j), B(i,j)), xor(B(i,j), C(i,j)))",
    "R(i,j) = not(A(i,j))",
    "R(i,j) = !A(i,j)*B(i,j)",
    "R(i,j) = min(A(i,j), B(j,i)) + max(A(i,j), C(i,j))",
    "R(i,j) = A(i,j)*(i*4 + j)",
    "R(i) = A(i,j)*j",
    "R(i,j) = A(i(2,4),j(2,4)) + B(i(4,6),j(4,6))",
    "R(i) = A(i(1,4))*B(i)",
    "R(i) = A(i(0,6,2)) + B(i(1,4))",
    "R(i) = A(i(1,9,3)) - B(i({4,0,2}))",
    "R(i,j) = A(i({3,1}),j)*B(i,j(1,3))",
    "R = A(i(1,4),j)*B(i,j(2,8,2))",
    "R(i,j) = A(i(1,3),k(0,4,2))*B(k(2,4),j)",
    "R(i) = A(i,j(0,8,2))*B(j)", /* children between the steps contribute, too, but nothing */
    "R(i) = -A(i,j(1,9,3))*B(j)",
    "R = A(i,j(3,9,2))",
    "R(i) = A(i,j(2,14,12))*B(j)", /* steps that are longer */
    "R(i) = A(i,j(30,32))*B(j)",   /* a window that is searched for in each row */
    "R(i,j) = A(i,j(30,32)) + B(i,j(25,31,3))",
    "R(i,j) = A(i,j(30,32))*B(i,j(25,31,3))*C(i,j)",
    "R(i,j) = A(i(1,9,3),j(0,7,3))*B(i,j(2,10,3)) + C(i,j)",
    "R(i,j) = A(i(1,4),k)*B(k,j(2,9,3))",
    "R(i) = A(i(1,4),i(2,5))*B(i)",
    "R(i,j) = max(A(i,j(1,8,3)), B(i(2,6),j))",
    "R(i(1,4)) = A(i)",
    "R(i(0,6,2),j(1,3)) = A(i,j) + B(j,i)",
    "R(i({3,0,4})) = A(i)*B(i)",
    "R(i) = A(i({4,0,4,2}))*B(i)", /* a coordinate twice */
    "R(i,j) = !A(i({3,1}),j)*B(i,j)",
    "R(i,j) = !!A(i({3,1}),j(0,6,2))*B(i,j) + C(i,j)",
    "R(i,j) = abs(A(i({3,1,0}),j) - 2)*B(i,j)",
    "R(i,k) = A(i({2,0}),j)*B(j({1,1,0}),k)*C(k,i)",
    "R(i({3,0}),j({1,2})) = A(i,k)*B(k,j({0,3}))",
    "R(i({5,2}),i) = A(i)*B(i)",
    "R(i) max= A(i({5,2,0}),j)*B(j)",
    "R(i({5,2,0})) max= A(i,j) + B(i,j)",
    "R(i) max= A(i({5,2,0}),j) - B(i,j)",
    "R(j) min= A(i,j) - C(j)*B(i,j)",
};

/* What the accesses in e say about the sizes of variables, or (with dims) the dims of operands. */
static void size_accesses(world *w, const tsr_expr *e, bool dims)
{
    if (!e)
        return;
    size_accesses(w, e->a, dims);
    size_accesses(w, e->b, dims);
    if (e->kind != TSR_EXPR_ACCESS || e->tensor == 0)
        return;
    const int k = w->n->tensor[e->tensor].name[0] - 'A';
    w->noperands = w->noperands > k + 1 ? w->noperands : k + 1;
    w->order[k] = e->nindices;
    w->is_mask[k] = w->is_mask[k] || e->mask == TSR_MASK_ABSENT;
    for (int m = 0; m < e->nindices; m++) {
        const tsr_mode_window *const win = tsr_expr_window(e, m);
        uint64_t *const size = &w->size[w->n->var[e->index[m]][0] - 'i'];
        if (win && !dims)
            *size = win->n;
        if (dims)
            w->dims[k][m] = win ? win->behind + below(w, 2) : *size;
    }
}

static void size_operands(world *w)
{
    const tsr_expr *const result = w->n->result;
    for (int v = 0; v < 4; v++)
        w->size[v] = 2 + below(w, 3);
    for (int m = 0; m < result->nindices; m++)
        if (tsr_expr_window(result, m))
            w->size[w->n->var[result->index[m]][0] - 'i'] = result->window[m].n;
    size_accesses(w, w->n->rhs, false);
    size_accesses(w, w->n->rhs, true);
}

/* A format for these dims: with letters, or any. */
static void draw_format(world *w, int t, int order, const uint64_t *dims, bool is_dense)
{
    static const char *const letters[3][9] = {
        {"dense"}, {"d", "s", "u"}, {"dd", "ds", "sd", "ss", "du", "su", "uq", "ds:1,0", "ss:1,0"}};
    static const uint64_t n[] = {1, 3, 9};
    const uint64_t first = t > 0 && w->is_mask[t - 1]; /* a mask is not dense */
    const bool may_pad = !first && !w->n->reduction;   /* min= is refused for a result with padding */
    if ((w->has_letters || (w->must_run && !may_pad)) && order <= 2)
        snprintf(w->format[t], sizeof w->format[t], "%s", letters[order][first + below(w, n[order] - first)]);
    else
        random_format(w->format[t], &w->rng, order, dims, is_dense);
}

/* ---- the oracle ---- */

typedef struct point {
    bool has, is_tensor; /* is_tensor: a tensor or a coordinate is in it */
    double value;
} point;

/* at: the coordinates that the access reads or writes at the point. */
static void place(uint64_t *at, const world *w, const tsr_expr *e)
{
    for (int m = 0; m < e->nindices; m++) {
        const tsr_mode_window *win = tsr_expr_window(e, m);
        const uint64_t c = w->at[e->index[m]];
        at[m] = !win ? c : win->list ? win->list[c] : win->first + c * win->step;
    }
}

static point evaluate(const world *w, const tsr_expr *e)
{
    point a = {0}, b = {0};
    if (e->kind == TSR_EXPR_NUMBER)
        return (point){true, false, e->number};
    if (e->kind == TSR_EXPR_VAR)
        return (point){true, true, (double)w->at[e->index[0]]};
    if (e->kind == TSR_EXPR_ACCESS) {
        const dense *d = &w->operand[w->n->tensor[e->tensor].name[0] - 'A' + 1];
        uint64_t at[TSR_MAX_ORDER];
        place(at, w, e);
        const uint64_t k = dense_offset(d, at);
        if (e->mask == TSR_MASK_ABSENT)
            return (point){!d->stored[k], true, 1};
        return (point){d->stored[k], true, e->mask == TSR_MASK_STORED ? 1 : creal(d->v[k])};
    }
    a = evaluate(w, e->a);
    if (e->b)
        b = evaluate(w, e->b);
    const bool tensors = a.is_tensor || b.is_tensor;
    switch (e->kind) {
    case TSR_EXPR_NEG:
        return (point){a.has, tensors, -a.value};
    case TSR_EXPR_ADD:
        return (point){a.has || b.has, tensors, (a.has ? a.value : 0) + (b.has ? b.value : 0)};
    case TSR_EXPR_SUB:
        return (point){a.has || b.has, tensors, (a.has ? a.value : 0) - (b.has ? b.value : 0)};
    case TSR_EXPR_MUL:
        return (point){a.has && b.has, tensors, a.value * b.value};
    default:
        break;
    }
    const tsr_function *f = e->function;
    const bool two = f->nargs == 2;
    const double x = a.has ? a.value : 0, y = two && b.has ? b.value : 0;
    const bool in_a = a.is_tensor && a.has, in_b = two && b.is_tensor && b.has;
    const bool all =
        (!a.is_tensor || a.has || !(f->needs & 1)) && (!two || !b.is_tensor || b.has || !(f->needs & 2));
    const double nothing = f->value(a.is_tensor ? 0 : x, two && !b.is_tensor ? y : 0);
    return (point){tensors ? (f->needs ? all : in_a || in_b) || nothing != 0 : true, tensors, f->value(x, y)};
}

static double combine(const world *w, double x, double y)
{
    const tsr_combine how = w->n->reduction ? w->n->reduction->add : TSR_COMBINE_ADD;
    switch (how) {
    case TSR_COMBINE_MIN:
        return x < y ? x : y;
    case TSR_COMBINE_MAX:
        return x > y ? x : y;
    case TSR_COMBINE_MUL:
        return x * y;
    case TSR_COMBINE_OR:
        return x != 0 || y != 0;
    case TSR_COMBINE_AND:
        return x != 0 && y != 0;
    case TSR_COMBINE_XOR:
        return (x != 0) != (y != 0);
    default:
        return x + y;
    }
}

/* The result's cells: what it held, combined with the right side at each point. */
static void oracle(world *w, dense *want)
{
    const tsr_expr *result = w->n->result;
    const bool logical = w->n->reduction && tsr_semiring_is_logical(w->n->reduction);
    const uint32_t vars = w->n->rhs->vars | result->vars;
    uint64_t npoints = 1;
    for (int v = 0; v < w->n->nvars; v++)
        npoints *= vars >> v & 1 ? w->extent[v] : 1;
    for (uint64_t k = 0; k < want->n && logical; k++)
        if (want->stored[k])
            want->v[k] = want->v[k] != 0;
    for (uint64_t p = 0; p < npoints; p++) {
        uint64_t rest = p, at[TSR_MAX_ORDER] = {0};
        for (int v = 0; v < w->n->nvars; v++) {
            w->at[v] = vars >> v & 1 ? rest % w->extent[v] : 0;
            rest /= vars >> v & 1 ? w->extent[v] : 1;
        }
        const point x = evaluate(w, w->n->rhs);
        place(at, w, result);
        const uint64_t k = dense_offset(want, at);
        if (!x.has)
            continue;
        const double value = logical ? x.value != 0 : x.value;
        want->v[k] = want->stored[k] ? combine(w, creal(want->v[k]), value) : value;
        want->stored[k] = true;
    }
}

/* ---- one round ---- */

static void draw_operand(world *w, int k, tsr_type type)
{
    dense drawn;
    dense_init(&drawn, w->order[k], w->dims[k]);
    for (uint64_t c = 0; c < drawn.n; c++) {
        drawn.stored[c] = below(w, 2);
        drawn.v[c] = drawn.stored[c] ? (double)below(w, 6) - 2 : 0;
    }
    const bool is_dense = below(w, 4) == 0 && !w->is_mask[k];
    draw_format(w, k + 1, w->order[k], w->dims[k], is_dense);
    dense_pack(&w->tensor[k + 1], &drawn, w->format[k + 1], type, NULL);
    dense_from_tensor(&w->operand[k + 1], w->tensor[k + 1]);
    if (tsr_format_is_dense(w->tensor[k + 1]->format)) /* each cell is an entry */
        for (uint64_t c = 0; c < drawn.n; c++)
            w->operand[k + 1].stored[c] = true;
    dense_clear(&drawn);
}

static void compare(const world *w, const tsr_tensor *got, const dense *want, const char *what)
{
    dense g;
    const double fill = w->n->reduction ? w->n->reduction->fill : 0;
    const bool is_dense = tsr_format_is_dense(got->format),
               exact = !is_dense && !tsr_format_has_dense_leaf(got->format);
    dense_from_tensor(&g, got);
    for (uint64_t k = 0; k < want->n; k++) {
        const double x = creal(g.v[k]);
        const double nothing = !is_dense || !isinf(fill) || got->type == TSR_F64 ? fill
                               : fill > 0                                        ? (double)INT64_MAX
                                                                                 : (double)INT64_MIN;
        const double y = want->stored[k] ? creal(want->v[k]) : is_dense ? nothing : 0;
        const bool rounds =
            fabs(y) >= 0x1p53 && fabs(x - y) <= 1e-12 * fabs(y); /* a product of many values */
        if ((x != y && !rounds && !(isnan(x) && isnan(y))) || (exact && g.stored[k] != want->stored[k]))
            fail_msg("%s: cell %d is %g%s instead of %g%s", what, (int)k, x, g.stored[k] ? "" : " (absent)",
                     y, want->stored[k] ? "" : " (absent)");
    }
    dense_clear(&g);
}

static void free_world(world *w)
{
    tsr_notation_free(w->n);
    tsr_text_clear(&w->text);
    free(w);
}

/* Draw the tensors and compare. name: of the round. */
static void try_world(world *w, const char *name, bool told)
{
    const tsr_type type = below(w, 3) || w->is_f64 ? TSR_F64 : TSR_I64;
    uint64_t dims[TSR_MAX_ORDER] = {0};
    for (int v = 0; v < w->n->nvars; v++)
        w->extent[v] = w->size[w->n->var[v][0] - 'i'];
    const tsr_expr *const result = w->n->result;
    for (int m = 0; m < result->nindices; m++)
        dims[m] = tsr_expr_window(result, m) ? result->window[m].behind : w->extent[result->index[m]];
    const bool is_dense = below(w, 2) || result->nindices == 0;
    draw_format(w, 0, result->nindices, dims, is_dense);
    for (int k = 0; k < w->noperands; k++)
        draw_operand(w, k, type);
    tsr_format *format;
    assert_ok(tsr_format_parse(&format, w->format[0], w->n->result->nindices, dims, err));
    tsr_kernel_tensor tensors[MAX_OPERANDS + 1] = {
        {.name = "R", .format = format, .dims = dims, .type = type}};
    const tsr_tensor *operands[MAX_OPERANDS];
    char names[MAX_OPERANDS][2], what[4000];
    size_t n = (size_t)snprintf(what, sizeof what, "%s: %s, %s; R: %s", name, w->n->text, tsr_type_name(type),
                                w->format[0]);
    for (int k = 0; k < w->noperands; k++) {
        names[k][0] = (char)('A' + k);
        names[k][1] = '\0';
        tensors[k + 1] = (tsr_kernel_tensor){.name = names[k], .tensor = w->tensor[k + 1]};
        operands[tsr_notation_find_tensor(w->n, names[k]) - 1] = w->tensor[k + 1];
        n += (size_t)snprintf(what + n, sizeof what - n, "; %s: %.160s", names[k], w->format[k + 1]);
    }
    char schedule[RANDOM_SCHEDULE_NBYTES] = "";
    tsr_rng rng = {w->rng.s}; /* of its own: the statements are as they were without schedules */
    const bool is_general = !w->is_scheduled || random_schedule(schedule, &rng, w->n);
    snprintf(what + n, sizeof what - n, "%s%s", *schedule ? "; schedule " : "", schedule);
    if (told)
        print_message("%s\n", what);
    static const char *const flags[] = {"-std=c11", "-fopenmp", "-fPIC", "-shared", "-w", "-O0", NULL};
    const tsr_kernel_options how = {.engine = w->compiled ? TSR_ENGINE_JIT : TSR_ENGINE_INTERPRETER,
                                    .nthreads = 2,
                                    .schedule = schedule,
                                    .flags = flags,
                                    .cache_dir = tsr_test_path(tsr_test_tmp(), "cache")};
    tsr_kernel *kernel = NULL;
    tsr_error why = {0};
    tsr_tensor *got = NULL;
    dense want;
    dense_init(&want, w->n->result->nindices, dims);
    tsr_status status = tsr_kernel_new(&kernel, w->n->text, tensors, w->noperands + 1, &how, &why);
    if (status != TSR_OK && *schedule) { /* perhaps because of an item that names what the statement lacks */
        tsr_kernel_options plain = how;
        const tsr_error refusal = why;
        plain.schedule = NULL;
        status = tsr_kernel_new(&kernel, w->n->text, tensors, w->noperands + 1, &plain, &why);
        if (status == TSR_OK && is_general)
            fail_msg("%s: the schedule is refused: %s", what, refusal.message);
    }
    if (status == TSR_OK)
        status = tsr_kernel_result(&got, kernel, operands, &why);
    static const int threads[] = {2, 3, 7};
    for (int time = 0; time < 2 && status == TSR_OK; time++) {
        status = tsr_kernel_run(kernel, got, operands, time ? threads[w->rng.s % 3] : 1, &why);
        if (status != TSR_OK)
            break;
        if (!w->n->accumulate) {
            dense_clear(&want);
            dense_init(&want, w->n->result->nindices, dims);
        }
        oracle(w, &want); /* with a reduction the second run goes on from the first */
        assert_ok(tsr_tensor_check(got, 1, err));
        compare(w, got, &want, what);
    }
    if (status != TSR_OK &&
        (w->must_run || (status != TSR_UNSUPPORTED && status != TSR_LIMIT && status != TSR_RANGE)))
        fail_msg("%s: %s", what, why.message);
    if (told && status != TSR_OK)
        print_message("    refused: %s\n", why.message);
    tsr_kernel_free(kernel);
    tsr_tensor_free(got);
    tsr_format_free(format);
    dense_clear(&want);
    for (int k = 0; k < w->noperands; k++) {
        dense_clear(&w->operand[k + 1]);
        tsr_tensor_free(w->tensor[k + 1]);
    }
    free_world(w);
}

static void one_round(uint64_t round, bool told)
{
    world *w = calloc(1, sizeof *w);
    char name[40];
    assert_non_null(w);
    w->rng.s = round;
    draw_statement(w);
    assert_ok(tsr_notation_parse(&w->n, tsr_text_cstr(&w->text), err));
    if (w->n->ntensors != w->noperands + 1) { /* a coordinate of a variable that no access has is a scalar */
        free_world(w);
        return;
    }
    snprintf(name, sizeof name, "round %d", (int)round);
    w->is_scheduled = true;
    w->compiled = round % EACH_COMPILED == 0;
    try_world(w, name, told);
}

static void try_stated(const char *text, uint64_t seed, bool is_f64, bool compiled)
{
    world *w = calloc(1, sizeof *w);
    char name[40];
    assert_non_null(w);
    w->rng.s = seed;
    w->has_letters = seed % 2 == 0;
    w->must_run = true;
    w->is_f64 = is_f64;
    w->compiled = compiled;
    tsr_text_add(&w->text, text);
    assert_ok(tsr_notation_parse(&w->n, text, err));
    size_operands(w);
    snprintf(name, sizeof name, "seed %d", (int)seed);
    try_world(w, name, false);
}

static uint64_t nstated = 8;

static void test_stated(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < sizeof stated / sizeof *stated; k++)
        for (uint64_t i = 0; i < nstated; i++)
            try_stated(stated[k], 1000 * k + i, false, false);
}

/* Windows are parts of loops, so they are compiled, too. */
static void test_windows_compiled(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < sizeof stated / sizeof *stated; k++)
        if (strpbrk(stated[k], "012345689")) /* the first coordinate of a window */
            try_stated(stated[k], 1000 * k + 500, false, true);
}

static void test_functions(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int nargs;
    } functions[] = {
#define X(NAME, name, nargs, needs, whole, exact, value) {name, nargs},
#include "functions.def"
#undef X
    };
    for (uint64_t k = 0; k < sizeof functions / sizeof *functions; k++)
        for (uint64_t i = 0; i < (nstated + 3) / 4; i++) {
            char text[80];
            snprintf(text, sizeof text, "R(i,j) = %s(A(i,j)%s)", functions[k].name,
                     functions[k].nargs == 2 ? ", B(i,j)" : "");
            try_stated(text, 100000 + 1000 * k + i, true, false);
        }
}

/* Blocks of a variable, whose size is known or only known at run time, give what the whole loop gives: where the loops walk one
 * operand, and where they merge two. */
static void check_blocks(tsr_tensor *const *tensor, bool merges, uint64_t rank)
{
    const tsr_kernel_tensor tensors[] = {{.name = "A", .tensor = tensor[0]},
                                         {.name = "x", .tensor = tensor[1]},
                                         {.name = "B", .tensor = tensor[2]}};
    const tsr_tensor *const operands[] = {tensor[0], tensor[merges ? 2 : 1], tensor[1]};
    const char *const expression = merges ? "y(i,r) = A(i,j)*B(i,j)*x(j,r)" : "y(i,r) = A(i,j)*x(j,r)";
    tsr_tensor *got[3];
    for (int way = 0; way < 3; way++) {
        const tsr_kernel_options how = {.engine = TSR_ENGINE_INTERPRETER,
                                        .schedule = way == 2 ? NULL : "block(r,13)",
                                        .nthreads = 2,
                                        .stand_in = way == 1 && !merges ? rank : 0};
        tsr_kernel *kernel;
        assert_ok(tsr_kernel_new(&kernel, expression, tensors, 2 + merges, &how, err));
        assert_ok(tsr_kernel_result(&got[way], kernel, operands, err));
        assert_ok(tsr_kernel_run(kernel, got[way], operands, 2, err));
        tsr_kernel_free(kernel);
    }
    for (int way = 0; way < 3; way++) {
        for (uint64_t q = 0; q < got[2]->values.n; q++)
            assert_true(((const double *)got[way]->values.data)[q] ==
                        ((const double *)got[2]->values.data)[q]);
        if (way < 2)
            tsr_tensor_free(got[way]);
    }
    tsr_tensor_free(got[2]);
}

static void test_open_blocks(void **state)
{
    (void)state;
    for (uint64_t rank = 1; rank < 40; rank += 1 + rank / 9) {
        const uint64_t dims[][2] = {{5, 6}, {6, rank}, {5, 6}};
        const char *const formats[] = {"csr", "dd", "csr"};
        tsr_tensor *tensor[3];
        dense drawn;
        for (int k = 0; k < 3; k++) {
            dense_init(&drawn, 2, dims[k]);
            for (uint64_t c = 0; c < drawn.n; c++) {
                drawn.stored[c] = k == 1 || c % 3 != (uint64_t)(k == 0);
                drawn.v[c] = (double)(c * 7 % 11) - 3;
            }
            dense_pack(&tensor[k], &drawn, formats[k], TSR_F64, NULL);
            dense_clear(&drawn);
        }
        check_blocks(tensor, false, rank);
        check_blocks(tensor, true, rank);
        for (int k = 0; k < 3; k++)
            tsr_tensor_free(tensor[k]);
    }
}

static uint64_t first_round, last_round = ROUNDS - 1;
static time_t end_time;
static bool told;

static void test_random_statements(void **state)
{
    (void)state;
    for (uint64_t round = first_round; end_time ? time(NULL) < end_time : round <= last_round; round++)
        if (tsr_case_runs(round))
            one_round(round, told);
}

int main(int argc, char **argv)
{
    if (argc > 2 && strcmp(argv[1], "seconds") == 0) {
        end_time = time(NULL) + atoi(argv[2]);
        first_round = 100000;
    } else if (argc > 2 && strcmp(argv[1], "stated") == 0) {
        nstated = strtoull(argv[2], NULL, 10);
        last_round = 0;
    } else if (argc > 2) {
        first_round = (uint64_t)atoi(argv[1]);
        last_round = (uint64_t)atoi(argv[2]);
        told = true;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_statements),
                                       cmocka_unit_test(test_stated), cmocka_unit_test(test_windows_compiled),
                                       cmocka_unit_test(test_functions), cmocka_unit_test(test_open_blocks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
