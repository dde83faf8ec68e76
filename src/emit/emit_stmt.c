/* Statements of a loop program as lines of C. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "emit_internal.h"

/* Statements of other files. */
#define put_parts emit_parts
#define put_reserve emit_reserve
#define put_give emit_give
#define put_join emit_join
#define put_trim emit_trim
#define put_take emit_take
#define put_shift emit_shift
#define put_match emit_match
#define put_unite emit_unite
#define put_intersect emit_unite
#define put_multiply emit_multiply

/* ---- lines ---- */

static void indent(tsr_text *out, int columns)
{
    for (int i = 0; i < columns; i++)
        tsr_text_add(out, " ");
}

/* A place to break a line: `at` is the index of a blank; the text after it moves to column `align` of the
 * statement, or is indented where align is 0. */
typedef struct line_break {
    size_t at, align;
} line_break;

/* The place to break s, of which n characters fit: after the last comma, else the last operator, inside the
 * outermost parentheses that have one; after an '=' only where there is no other place. at = 0: s cannot be
 * broken. */
static line_break find_break(const char *s, size_t n)
{
    enum { MAX_DEPTH = 64 };
    size_t start[MAX_DEPTH + 1] = {
        0}; /* by depth, the first character inside the parentheses; at depth 0 of the right side */
    line_break best = {0};
    int depth = 0, best_depth = 1 << 20;
    for (size_t k = 0; k < n && s[k] && depth < MAX_DEPTH; k++) {
        if (strchr("([{", s[k]))
            start[++depth] = k + 1;
        if (strchr(")]}", s[k]) && depth > 0)
            depth--;
        if (s[k] != ' ' || k == 0 || !strchr(",;+-*/%?:&|<>=", s[k - 1]))
            continue;
        const bool is_assignment =
            depth == 0 && strchr("=", s[k - 1]) && (k < 2 || !strchr("=!<>", s[k - 2]));
        if (is_assignment)
            start[0] = k + 1;
        const int here = is_assignment ? 1 << 10 : 2 * depth + !strchr(",;", s[k - 1]);
        if (here <= best_depth) {
            best = (line_break){k, is_assignment ? 0 : start[depth]};
            best_depth = here;
        }
    }
    return best;
}

void emit_flush(emit *e)
{
    const char *s = tsr_text_cstr(&e->line);
    int columns = s[0] == '#' ? 0 : 4 * e->depth;
    indent(&e->body, columns);
    for (int more = 4; s[0] != '#' && strlen(s) > (size_t)(EMIT_COLUMNS - columns); more = 0) {
        const line_break b = find_break(s, (size_t)(EMIT_COLUMNS - columns) + 1);
        if (b.at == 0)
            break;
        tsr_text_add_n(&e->body, s, b.at);
        tsr_text_add(&e->body, "\n");
        s += b.at + 1;
        columns += b.align > 0 && b.align < 50 ? (int)b.align : more;
        columns = columns > EMIT_COLUMNS - 40 ? EMIT_COLUMNS - 40 : columns;
        indent(&e->body, columns);
    }
    tsr_text_add(&e->body, s);
    tsr_text_add(&e->body, "\n");
    e->line.nbytes = 0;
    if (e->line.s)
        e->line.s[0] = 0;
}

static void put(emit *e, const char *s)
{
    tsr_text_add(&e->line, s);
    emit_flush(e);
}

/* Append one line of a comment, broken at blanks; comment marks in it are separated by a blank, so that they
 * do not end the comment. */
static void comment_line(tsr_text *out, int columns, const char *s, size_t n)
{
    const size_t fit = (size_t)(EMIT_COLUMNS - columns - 3);
    while (n > fit) {
        size_t k = fit;
        while (k > 0 && s[k] != ' ')
            k--;
        if (k == 0)
            break;
        comment_line(out, columns, s, k);
        tsr_text_add(out, "\n");
        indent(out, columns);
        tsr_text_add(out, " * ");
        s += k + 1;
        n -= k + 1;
    }
    for (size_t k = 0; k < n; k++) {
        tsr_text_add_n(out, s + k, 1);
        if (k + 1 < n && ((s[k] == '*' && s[k + 1] == '/') || (s[k] == '/' && s[k + 1] == '*')))
            tsr_text_add(out, " ");
    }
}

void emit_comment(tsr_text *out, int columns, const char *text)
{
    indent(out, columns);
    tsr_text_add(out, "/* ");
    for (const char *s = text;; s++) {
        const size_t n = strcspn(s, "\n");
        comment_line(out, columns, s, n);
        s += n;
        if (*s == 0 || s[strspn(s, "\n")] == 0)
            break;
        tsr_text_add(out, "\n");
        indent(out, columns);
        tsr_text_add(out, s[1] == '\n' ? " *" : " * ");
    }
    tsr_text_add(out, " */\n");
}

/* ---- variables and arrays ---- */

static void initial(emit *e, const tsr_ir_expr *x)
{
    if (x->type.lanes > 1 && emit_is_zero(x))
        tsr_text_add(&e->line, "{0}");
    else
        emit_expr(e, x, PREC_SELECT);
}

/* If the statement after s declares an index, too, and both fit into a short line, write it into the line of s; returns
 * the last statement that was written. */
static const tsr_ir_stmt *put_second(emit *e, const tsr_ir_stmt *s)
{
    enum { SHORT = 64 };
    emit_search search;
    const size_t before = e->line.nbytes;
    const tsr_ir_stmt *t = s->next;
    if (!t || t->kind != TSR_IR_DECLARE || s->var->type.kind != TSR_IR_IS_INDEX ||
        t->var->type.kind != TSR_IR_IS_INDEX || t->var->is_mutable != s->var->is_mutable ||
        emit_is_dead(e, t) || s->expr->op != t->expr->op || s->expr->op != TSR_IR_LOAD ||
        emit_find_search(&search, e, t))
        return s;
    tsr_text_addf(&e->line, ", %s = ", e->var_name[t->var->number]);
    initial(e, t->expr);
    if (e->line.nbytes <= SHORT)
        return t;
    e->line.nbytes = before;
    e->line.s[before] = 0;
    return s;
}

/* Write the declaration s, and those after it of the same type that start at zero, too, in one line: f64x8 a
 * = {0}, b = {0}; returns the last statement that was written. */
static const tsr_ir_stmt *put_declare(emit *e, const tsr_ir_stmt *s)
{
    const tsr_ir_stmt *const first = s;
    tsr_text_addf(&e->line, "%s%s %s = ", s->var->is_mutable ? "" : "const ", emit_c_type(e, s->var->type),
                  e->var_name[s->var->number]);
    initial(e, s->expr);
    s = put_second(e, s);
    if (s != first) {
        put(e, ";");
        return s;
    }
    for (const tsr_ir_stmt *t = s->next; emit_is_zero(s->expr) && t && t->kind == TSR_IR_DECLARE;
         t = t->next) {
        if (emit_is_dead(e, t) || !emit_is_zero(t->expr) || t->var->type.type != s->var->type.type ||
            t->var->type.lanes != s->var->type.lanes || t->var->is_mutable != s->var->is_mutable)
            break;
        tsr_text_addf(&e->line, ", %s = ", e->var_name[t->var->number]);
        initial(e, t->expr);
        s = t;
    }
    put(e, ";");
    return s;
}

/* Append the text that follows an assigned variable or element: " = x", " += x" or " -= x". */
static void put_taken(emit *e, const tsr_ir_expr *target, const tsr_ir_expr *x, bool add)
{
    const bool subtract = add && x->op == TSR_IR_NEG;
    x = subtract ? x->arg[0] : x;
    if (add && emit_wraps(target->type)) {
        const tsr_ir_op op = subtract ? TSR_IR_SUB : TSR_IR_ADD;
        const tsr_ir_expr sum = {.op = op, .type = target->type, .arg = {target, x}};
        tsr_text_add(&e->line, " = ");
        emit_expr(e, &sum, PREC_SELECT);
    } else if (add) {
        tsr_text_add(&e->line, subtract ? " -= " : " += ");
        emit_typed(e, x, PREC_SELECT);
    } else {
        tsr_text_add(&e->line, " = ");
        emit_expr(e, x, PREC_SELECT);
    }
}

/* Whether x is 1 where a condition holds, else 0, as the condition is in C. */
static bool is_one_or_none(const tsr_ir_expr *x)
{
    return x->op == TSR_IR_SELECT && x->type.kind == TSR_IR_IS_INDEX && x->arg[1]->op == TSR_IR_INDEX &&
           x->arg[1]->index == 1 && x->arg[2]->op == TSR_IR_INDEX && x->arg[2]->index == 0;
}

static const tsr_ir_stmt *put_assign(emit *e, const tsr_ir_stmt *s)
{
    const tsr_ir_expr var = {.op = TSR_IR_VAR, .type = s->var->type, .var = s->var};
    tsr_text_add(&e->line, e->var_name[s->var->number]);
    if (s->add && s->expr->op == TSR_IR_INDEX && s->expr->index == 1) {
        tsr_text_add(&e->line, "++");
    } else if (s->add && is_one_or_none(s->expr)) {
        tsr_text_add(&e->line, " += ");
        emit_expr(e, s->expr->arg[0], PREC_SELECT);
    } else
        put_taken(e, &var, s->expr, s->add);
    put(e, ";");
    emit_forget(e, s->var);
    return s;
}

static void atomic_add(emit *e, const tsr_ir_stmt *s)
{
    const char c = tsr_type_class(s->array->elem);
    if (c == 'C' || c == 'I') {
        emit_use(e, c == 'C' ? EMIT_atomic_add_c128 : EMIT_atomic_add_i32, tsr_ir_value_type(s->array->elem));
        tsr_text_addf(&e->line, "atomic_add_%s(", tsr_type_name(s->array->elem));
        emit_address(e, s->array, s->index);
        tsr_text_add(&e->line, ", ");
        emit_expr(e, s->expr, PREC_SELECT);
        put(e, ");");
        return;
    }
    const bool subtract = s->expr->op == TSR_IR_NEG;
    put(e, "#pragma omp atomic");
    tsr_text_addf(&e->line, "%s[", e->array_name[s->array->number]);
    emit_expr(e, s->index, PREC_ANY);
    tsr_text_add(&e->line, subtract ? "] -= " : "] += ");
    emit_typed(e, subtract ? s->expr->arg[0] : s->expr, PREC_SELECT);
    put(e, ";");
}

/* Assign to an element of an array of indices: a[i] = (uint32_t)x. */
static void store_index(emit *e, const tsr_ir_stmt *s)
{
    const tsr_ir_expr element = {
        .op = TSR_IR_LOAD, .type = s->expr->type, .arg = {s->index}, .array = s->array};
    const tsr_ir_expr sum = {.op = TSR_IR_ADD, .type = s->expr->type, .arg = {&element, s->expr}};
    tsr_text_addf(&e->line, "%s[", e->array_name[s->array->number]);
    emit_expr(e, s->index, PREC_ANY);
    if (!s->add && s->expr->op == TSR_IR_INDEX) {
        tsr_text_addf(&e->line, "] = %" PRId64 ";", s->expr->index);
        emit_flush(e);
        return;
    }
    tsr_text_addf(&e->line, "] = (%s)", emit_c_elem(s->array->elem));
    tsr_text_add(&e->line, s->add ? "(" : "");
    emit_expr(e, s->add ? &sum : s->expr, s->add ? PREC_ANY : PREC_PREFIX);
    put(e, s->add ? ");" : ";");
}

static const tsr_ir_stmt *put_store(emit *e, const tsr_ir_stmt *s)
{
    const tsr_ir_type type = {TSR_IR_IS_VALUE, s->array->elem, s->expr->type.lanes};
    if (s->array->is_index || s->atomic) {
        s->atomic ? atomic_add(e, s) : store_index(e, s);
        return s;
    }
    if (type.lanes > 1) {
        tsr_text_addf(&e->line, "*(%s *)", emit_c_type(e, type));
        emit_address(e, s->array, s->index);
    } else {
        tsr_text_addf(&e->line, "%s[", e->array_name[s->array->number]);
        emit_expr(e, s->index, PREC_ANY);
        tsr_text_add(&e->line, "]");
    }
    const tsr_ir_expr element = {.op = TSR_IR_LOAD, .type = type, .arg = {s->index}, .array = s->array};
    put_taken(e, &element, s->expr, s->add);
    put(e, ";");
    return s;
}

static void declare_local(emit *e, const tsr_ir_stmt *s)
{
    const tsr_ir_array *a = s->array;
    if (e->is_number[a->number])
        return;
    const bool is_long = (uint64_t)a->length->index * tsr_type_nbytes(a->elem) >= 32;
    tsr_text_addf(&e->line, "%s%s %s[", is_long ? "_Alignas(64) " : "", emit_element_type(e, a),
                  e->array_name[a->number]);
    emit_expr(e, a->length, PREC_ANY);
    put(e, s->zeroed ? "] = {0};" : "];");
}

/* Emit a call that asks the limit whether an array may be allocated: an output, whose length the caller knows, or a
 * heap array. */
static void ask(emit *e, const char *name, const tsr_ir_array *a)
{
    tsr_text_add(&e->line, "if (!limit->allows(limit, ");
    if (a->place == TSR_IR_OUTPUT)
        tsr_text_addf(&e->line, "%s_out->n", name);
    else
        emit_expr(e, a->length, PREC_ANY);
    tsr_text_addf(&e->line, ", sizeof(%s)))", emit_element_type(e, a));
    emit_flush(e);
    e->depth++;
    emit_give_up(e);
    e->depth--;
}

/* Whether the program computes the length in a loop, so that the caller does not know it before the run. */
static bool is_computed(const tsr_ir_expr *length)
{
    return length && ((length->op == TSR_IR_VAR && length->var->is_mutable) || is_computed(length->arg[0]) ||
                      is_computed(length->arg[1]));
}

/* Declare an array. The length of an output is passed to the caller before it is allocated. */
static const tsr_ir_stmt *put_array(emit *e, const tsr_ir_stmt *s)
{
    const tsr_ir_array *a = s->array;
    const char *name = e->array_name[a->number];
    if (a->place == TSR_IR_PART)
        return emit_part(e, s);
    const bool is_output = a->place == TSR_IR_OUTPUT, may_reuse = is_output && e->has_limit && !s->zeroed;
    const emit_piece piece = may_reuse ? EMIT_new_output : s->zeroed ? EMIT_new_zeros : EMIT_new_array;
    if (a->place == TSR_IR_LOCAL) {
        declare_local(e, s);
        return s;
    }
    emit_use(e, piece, (tsr_ir_type){TSR_IR_IS_INDEX, TSR_F64, 1});
    const bool is_told = is_output && !e->length[a->number];
    if (is_told) {
        tsr_text_addf(&e->line, "%s_out->n = ", name);
        emit_expr(e, a->length, PREC_SELECT);
        put(e, ";");
    }
    if (e->has_limit && !may_reuse && (is_output || is_computed(a->length)))
        ask(e, name, a);
    tsr_text_addf(&e->line, "%s = ", name);
    if (e->options.cxx)
        tsr_text_addf(&e->line, "(%s *)", emit_element_type(e, a));
    tsr_text_addf(&e->line, "%s(", emit_piece_names[piece]);
    if (is_told)
        tsr_text_addf(&e->line, may_reuse ? "%s_out" : "%s_out->n", name);
    else
        emit_expr(e, a->length, PREC_ANY);
    tsr_text_addf(&e->line, ", sizeof *%s%s);", name, may_reuse ? ", limit" : "");
    emit_flush(e);
    emit_check_later(e, name);
    if (e->room_name[a->number]) {
        tsr_text_addf(&e->line, "int64_t %s = ", e->room_name[a->number]);
        emit_expr(e, a->length, PREC_SELECT);
        put(e, ";");
    }
    return s;
}

static const tsr_ir_stmt *put_sort(emit *e, const tsr_ir_stmt *s)
{
    const bool plain = e->options.scalar;
    emit_use(e, plain ? EMIT_sort_list_u32 : EMIT_sort_u32, tsr_ir_value_type(s->array->elem));
    tsr_text_addf(&e->line, "%s_%s(", plain ? "sort_list" : "sort", tsr_type_name(s->array->elem));
    emit_address(e, s->array, s->lo);
    tsr_text_add(&e->line, ", ");
    const tsr_ir_expr zero = {.op = TSR_IR_INDEX, .type = s->lo->type};
    const tsr_ir_expr n = {.op = TSR_IR_SUB, .type = s->lo->type, .arg = {s->hi, s->lo}};
    emit_expr(e, s->lo->op == zero.op && s->lo->index == 0 ? s->hi : &n, PREC_SELECT);
    put(e, ");");
    return s;
}

static const tsr_ir_stmt *put_prefetch(emit *e, const tsr_ir_stmt *s)
{
    if (e->in_vector) /* compilers do not vectorise loops with a prefetch */
        return s;
    emit_use(e, s->write ? EMIT_PREFETCH_WRITE : EMIT_PREFETCH, (tsr_ir_type){TSR_IR_IS_INDEX, TSR_F64, 1});
    tsr_text_add(&e->line, s->write ? "PREFETCH_WRITE(" : "PREFETCH(");
    emit_address(e, s->array, s->index);
    put(e, ");");
    return s;
}

static const tsr_ir_stmt *put_comment(emit *e, const tsr_ir_stmt *s)
{
    emit_comment(&e->body, 4 * e->depth, s->text);
    return s;
}

/* ---- blocks ---- */

static const tsr_ir_stmt *next_live(const emit *e, const tsr_ir_stmt *s)
{
    while (s && emit_is_dead(e, s))
        s = s->next;
    return s;
}

/* Whether the block is a single line, which does not need braces. */
static bool is_simple(const emit *e, const tsr_ir_block *block)
{
    const tsr_ir_stmt *s = next_live(e, block->first);
    return s && !next_live(e, s->next) &&
           (s->kind == TSR_IR_ASSIGN || s->kind == TSR_IR_PREFETCH ||
            (s->kind == TSR_IR_STORE && !s->atomic));
}

/* The line so far is the head of a statement: end the line, with an opening brace if `braced`, and append
 * the body. */
static void body(emit *e, const tsr_ir_block *block, bool braced)
{
    put(e, braced ? " {" : "");
    e->depth++;
    emit_block(e, block);
    e->depth--;
}

static void if_chain(emit *e, const tsr_ir_stmt *s)
{
    const tsr_ir_stmt *other = next_live(e, s->other.first);
    const bool chains = other && other->kind == TSR_IR_IF && !next_live(e, other->next);
    const bool braced = !is_simple(e, &s->body) || (other && !chains && !is_simple(e, &s->other));
    const int nfacts = e->nfacts;
    tsr_text_add(&e->line, "if (");
    emit_expr(e, s->expr, PREC_ANY);
    tsr_text_add(&e->line, ")");
    emit_learn(e, s->expr);
    body(e, &s->body, braced);
    e->nfacts = nfacts;
    if (other) {
        tsr_text_add(&e->line, braced ? "} else" : "else");
        if (chains) {
            tsr_text_add(&e->line, " ");
            if_chain(e, other);
            return;
        }
        body(e, &s->other, braced);
    }
    if (braced)
        put(e, "}");
}

static const tsr_ir_stmt *put_while(emit *e, const tsr_ir_stmt *s)
{
    const bool braced = !is_simple(e, &s->body);
    const int nfacts = e->nfacts;
    emit_forget_assigned(e, &s->body);
    tsr_text_add(&e->line, "while (");
    emit_expr(e, s->expr, PREC_ANY);
    tsr_text_add(&e->line, ")");
    emit_learn(e, s->expr);
    body(e, &s->body, braced);
    e->nfacts = nfacts;
    if (braced)
        put(e, "}");
    return s;
}

static const tsr_ir_stmt *put_if(emit *e, const tsr_ir_stmt *s)
{
    if_chain(e, s);
    return s;
}

/* Whether the bound of a loop is short and cheap enough to be evaluated in the loop's head in each
 * iteration. */
static bool is_light(const tsr_ir_expr *x)
{
    if (!x)
        return true;
    if (x->op == TSR_IR_FLOORDIV || x->op == TSR_IR_MOD || x->op == TSR_IR_MIN || x->op == TSR_IR_MAX ||
        x->op == TSR_IR_GATHER || x->op == TSR_IR_SELECT)
        return false;
    if (x->op == TSR_IR_LOAD && x->arg[0]->op == TSR_IR_LOAD)
        return false;
    return is_light(x->arg[0]) && is_light(x->arg[1]);
}

/* Scalars declared outside a loop to which the loop adds. */
enum { MAX_REDUCTIONS = 16, SHORT_LOOP = 64 };
typedef struct reductions {
    const tsr_ir_var *var[MAX_REDUCTIONS];
    int n;
} reductions;

static bool add_reduction(reductions *r, const tsr_ir_var *var, const tsr_ir_block *loop)
{
    for (const tsr_ir_stmt *s = loop->first; s; s = s->next)
        if (s->kind == TSR_IR_DECLARE && s->var == var)
            return true; /* starts anew in every iteration */
    for (int i = 0; i < r->n; i++)
        if (r->var[i] == var)
            return true;
    const char c = tsr_type_class(var->type.type);
    if (r->n == MAX_REDUCTIONS || var->type.kind != TSR_IR_IS_VALUE || (c != 'R' && c != 'C'))
        return false;
    r->var[r->n++] = var;
    return true;
}

/* Collect them; false when `omp simd` cannot say what the loop does: inner loops, atomics, sums of integers
 * (which wrap around). */
static bool find_reductions(const emit *e, reductions *r, const tsr_ir_block *block, const tsr_ir_block *loop)
{
    for (const tsr_ir_stmt *s = block->first; s; s = s->next) {
        if ((s->kind == TSR_IR_STORE && s->atomic) || s->kind == TSR_IR_WHILE || s->kind == TSR_IR_FOR)
            return false;
        if (s->kind == TSR_IR_ASSIGN && s->add && !emit_is_dead(e, s) && !add_reduction(r, s->var, loop))
            return false;
        if (!find_reductions(e, r, &s->body, loop) || !find_reductions(e, r, &s->other, loop))
            return false;
    }
    return true;
}

/* The iterations of a short loop of known length; 0: another loop. */
static int64_t short_length(const tsr_ir_stmt *s)
{
    const bool known = s->lo->op == TSR_IR_INDEX && s->lo->index == 0 && s->hi->op == TSR_IR_INDEX;
    return known && s->hi->index <= SHORT_LOOP ? s->hi->index : 0;
}

static bool loads_half(const tsr_ir_expr *x)
{
    return x && ((x->op == TSR_IR_LOAD && !x->array->is_index && tsr_type_is_half(x->array->elem)) ||
                 loads_half(x->arg[0]) || loads_half(x->arg[1]) || loads_half(x->arg[2]));
}

/* Whether each step of the loop adds a number of 16 bits to a sum, and does nothing else. Such loops are written out four steps at a time:
 * numbers take two instructions more than those of 32 bits, and would else arrive no faster (csr times a vector: 10 to 20%). */
static bool sums_halves(const tsr_ir_stmt *loop)
{
    bool found = false;
    for (const tsr_ir_stmt *s = loop->body.first; s; s = s->next) {
        if (s->kind != TSR_IR_DECLARE && (s->kind != TSR_IR_ASSIGN || !s->add))
            return false;
        found = found || loads_half(s->expr);
    }
    return found;
}

/* A short loop is written out, so that sums stay in registers: gcc leaves them in memory where it makes vectors of the loop first
 * (-O3 -fopenmp) and where it writes out no loop unasked (-O2), and takes up to six times the time. */
static void pragma_of(emit *e, const tsr_ir_stmt *s)
{
    reductions r = {.n = 0};
    if (s->marks & TSR_IR_PARALLEL) {
        e->uses_threads = true;
        tsr_text_add(&e->line, "#pragma omp parallel for schedule(static, 1)");
        if (s->lo->op == TSR_IR_INDEX && s->lo->index == 0 && s->hi->op == TSR_IR_VAR && s->hi->var->is_param)
            tsr_text_addf(&e->line, " num_threads((int)%s)", e->var_name[s->hi->var->number]);
        emit_put_private(e, s);
        emit_flush(e);
    } else if ((s->marks & TSR_IR_VECTOR) && find_reductions(e, &r, &s->body, &s->body)) {
        if (r.n == 0 && short_length(s) > 0) {
            tsr_text_addf(&e->line, "#pragma GCC unroll %" PRId64, short_length(s));
            emit_flush(e);
            return;
        }
        tsr_text_add(&e->line, "#pragma omp simd");
        for (int i = 0; i < r.n; i++)
            tsr_text_addf(&e->line, "%s%s", i ? ", " : " reduction(+ : ", e->var_name[r.var[i]->number]);
        put(e, r.n ? ")" : "");
    } else if (sums_halves(s)) {
        put(e, "#pragma GCC unroll 4");
    }
}

/* The name of a new variable for the loop's upper bound; NULL where the bound itself can be in the loop's
 * head. */
static const char *bound_name(emit *e, const tsr_ir_stmt *s)
{
    if (is_light(s->hi) && emit_is_invariant(s->hi, s))
        return NULL;
    const char *name = e->var_name[s->var->number];
    const size_t n = strlen(name) + 5;
    char *wanted = emit_alloc(e, n, 1);
    if (!wanted)
        return "";
    snprintf(wanted, n, "%s_end", name);
    const char *bound = emit_new_name(e, wanted);
    e->bound[e->nbounds++] = bound;
    return bound;
}

/* Append the head of the loop: from the first value on, while below the end, which the head declares if `declares`. */
static void put_head(emit *e, const tsr_ir_stmt *s, const char *end, bool declares)
{
    const char *const name = e->var_name[s->var->number];
    char next[300] = "";
    if (s->marks & TSR_IR_TAKEN) {
        emit_use(e, EMIT_next_number, (tsr_ir_type){TSR_IR_IS_INDEX, TSR_F64, 1});
        snprintf(next, sizeof next, "next_number(%.200s)", e->array_name[s->array->number]);
    }
    tsr_text_addf(&e->line, "for (int64_t %s = %s", name, next);
    if (!next[0])
        emit_expr(e, s->lo, PREC_SELECT);
    if (declares) {
        tsr_text_addf(&e->line, ", %s = ", end);
        emit_expr(e, s->hi, PREC_SELECT);
    }
    tsr_text_addf(&e->line, "; %s < ", name);
    if (end)
        tsr_text_add(&e->line, end);
    else
        emit_expr(e, s->hi, PREC_ADD);
    if (next[0])
        tsr_text_addf(&e->line, "; %s = %s)", name, next);
    else
        tsr_text_addf(&e->line, "; %s++)", name);
}

static const tsr_ir_stmt *put_for(emit *e, const tsr_ir_stmt *s)
{
    const char *name = e->var_name[s->var->number];
    const bool braced = !is_simple(e, &s->body);
    const int nfacts = e->nfacts;
    const char *end = bound_name(e, s);
    /* OpenMP allows only one variable in the head */
    const bool before = end && (s->marks & (TSR_IR_PARALLEL | TSR_IR_VECTOR));
    if (before) {
        tsr_text_addf(&e->line, "const int64_t %s = ", end);
        emit_expr(e, s->hi, PREC_SELECT);
        put(e, ";");
    }
    pragma_of(e, s);
    put_head(e, s, end, end && !before);
    emit_forget_assigned(e, &s->body);
    const bool in_vector = e->in_vector;
    e->in_vector = in_vector || (s->marks & TSR_IR_VECTOR);
    const bool fills_parts = s->marks & TSR_IR_PARALLEL && emit_fills_parts(&s->body);
    if (fills_parts)
        emit_part_body(e, s, name);
    else
        body(e, &s->body, braced);
    e->in_vector = in_vector;
    e->nfacts = nfacts;
    if (braced)
        put(e, "}");
    if (end && !before)
        e->nbounds--;
    return s;
}

/* Write the statement, and perhaps statements after it; returns the last one that was written. */
static const tsr_ir_stmt *statement(emit *e, const tsr_ir_stmt *s)
{
    static const tsr_ir_stmt *(*const put_stmt[TSR_IR_NSTMTS])(emit *, const tsr_ir_stmt *) = {
#define X(NAME, name, text) put_##name,
#include "stmts.def"
#undef X
    };
    emit_search search;
    emit_check_memory(e, s);
    if (emit_find_search(&search, e, s) && emit_put_search(e, &search))
        return search.loop;
    return put_stmt[s->kind](e, s);
}

void emit_block(emit *e, const tsr_ir_block *block)
{
    const int nbounds = e->nbounds;
    const tsr_ir_stmt *previous = NULL;
    for (const tsr_ir_stmt *s = next_live(e, block->first); s; s = next_live(e, s->next)) {
        const bool is_part = s->kind == TSR_IR_COMMENT || (s->kind == TSR_IR_FOR && e->depth == 1);
        if (previous && is_part && previous->kind != TSR_IR_COMMENT)
            tsr_text_add(&e->body, "\n");
        previous = s;
        s = statement(e, s);
    }
    emit_check_memory(e, NULL);
    e->nbounds = nbounds;
}
