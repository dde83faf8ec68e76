/* Prints a program as text, for readers and golden tests. */
#include <inttypes.h>
#include <string.h>

#include "ir_internal.h"
#include "tsr_num.h"

/* The precedence of operations; an operand of lower precedence is printed in parentheses. */
enum { BIND_OR = 1, BIND_AND, BIND_COMPARE, BIND_ADD, BIND_MUL, BIND_PREFIX, BIND_ATOM };

static int binding(const tsr_ir_expr *x)
{
    switch (x->op) {
    case TSR_IR_OR:
        return BIND_OR;
    case TSR_IR_AND:
        return BIND_AND;
    case TSR_IR_EQ:
    case TSR_IR_NE:
    case TSR_IR_LT:
    case TSR_IR_LE:
        return BIND_COMPARE;
    case TSR_IR_ADD:
    case TSR_IR_SUB:
        return BIND_ADD;
    case TSR_IR_MUL:
    case TSR_IR_DIV:
    case TSR_IR_FLOORDIV:
    case TSR_IR_MOD:
    case TSR_IR_BIT:
        return BIND_MUL;
    case TSR_IR_NEG:
    case TSR_IR_NOT:
        return BIND_PREFIX;
    case TSR_IR_INDEX:
        return x->index < 0 ? BIND_PREFIX : BIND_ATOM;
    case TSR_IR_VALUE:
        return x->value < 0 ? BIND_PREFIX : BIND_ATOM;
    default:
        return BIND_ATOM;
    }
}

static void print_expr(tsr_text *text, const tsr_ir_expr *x, int least);

static void print_type(tsr_text *text, tsr_ir_type type)
{
    char buf[32];
    tsr_text_add(text, ir_type_text(buf, type));
}

static void print_constant(tsr_text *text, const tsr_ir_expr *x)
{
    if (x->op == TSR_IR_INDEX) {
        if (x->type.kind == TSR_IR_IS_BOOL)
            tsr_text_add(text, x->index ? "true" : "false");
        else
            tsr_text_add_i64(text, x->index);
        return;
    }
    char buf[TSR_F64_NBYTES + 1];
    const size_t n = tsr_print_f64(buf, x->value);
    buf[n] = '\0'; /* for strcspn */
    tsr_text_add_n(text, buf, n);
    const char type_class = tsr_type_class(x->type.type);
    if ((type_class == 'R' || type_class == 'C') && strcspn(buf, ".ein") >= n)
        tsr_text_add(text, ".0");
}

static void print_element(tsr_text *text, const tsr_ir_array *array, const tsr_ir_expr *index, int lanes)
{
    tsr_text_addf(text, "%s[", array->name);
    print_expr(text, index, 0);
    if (lanes > 1)
        tsr_text_addf(text, " : %d", lanes);
    tsr_text_add(text, "]");
}

static void print_load(tsr_text *text, const tsr_ir_expr *x)
{
    const bool converts = !x->array->is_index && x->array->elem != x->type.type;
    if (converts) {
        print_type(text, x->type);
        tsr_text_add(text, "(");
    }
    print_element(text, x->array, x->arg[0], x->type.lanes);
    if (converts)
        tsr_text_add(text, ")");
}

static void print_call(tsr_text *text, const tsr_ir_expr *x)
{
    if (x->op == TSR_IR_CONVERT || x->op == TSR_IR_SPLAT)
        print_type(text, x->type);
    else
        tsr_text_add(text, x->op == TSR_IR_CALL ? x->function->name : ir_op_text(x->op));
    if (x->by) { /* pick(x, crd, place, last), below(crd, place, n) */
        tsr_text_addf(text, "(%s%s%s, ", x->array ? x->array->name : "", x->array ? ", " : "", x->by->name);
        print_expr(text, x->arg[0], 0);
        tsr_text_add(text, ", ");
        print_expr(text, x->arg[1], 0);
        tsr_text_add(text, ")");
        return;
    }
    const int n = x->op == TSR_IR_CALL ? x->function->nargs : ir_op_nargs(x->op);
    for (int i = 0; i < n; i++) {
        tsr_text_add(text, i == 0 ? "(" : ", ");
        print_expr(text, x->arg[i], 0);
    }
    tsr_text_add(text, ")");
}

/* Print x, in parentheses if its precedence is lower than `least`. */
static void print_expr(tsr_text *text, const tsr_ir_expr *x, int least)
{
    const int bind = binding(x);
    if (bind < least)
        tsr_text_add(text, "(");
    if (x->op == TSR_IR_INDEX || x->op == TSR_IR_VALUE)
        print_constant(text, x);
    else if (x->op == TSR_IR_VAR)
        tsr_text_add(text, x->var->name);
    else if (x->op == TSR_IR_LOAD)
        print_load(text, x);
    else if (bind == BIND_ATOM)
        print_call(text, x);
    else if (bind == BIND_PREFIX) {
        tsr_text_addf(text, x->op == TSR_IR_NOT ? "%s " : "%s", ir_op_text(x->op));
        print_expr(text, x->arg[0], BIND_PREFIX);
    } else { /* + and * of values are not associative: only the left operand needs no parentheses */
        const bool is_logic = x->op == TSR_IR_AND || x->op == TSR_IR_OR;
        print_expr(text, x->arg[0], bind + (bind == BIND_COMPARE));
        tsr_text_addf(text, " %s ", ir_op_text(x->op));
        print_expr(text, x->arg[1], is_logic ? bind : bind + 1);
    }
    if (bind < least)
        tsr_text_add(text, ")");
}

static void print_block(tsr_text *text, const tsr_ir_block *block, int indent);

static void print_indent(tsr_text *text, int indent)
{
    for (int i = 0; i < indent; i++)
        tsr_text_add(text, "  ");
}

static void print_lines(tsr_text *text, const char *lines, int indent)
{
    for (const char *p = lines; *p;) {
        const size_t n = strcspn(p, "\n");
        print_indent(text, indent);
        tsr_text_add(text, n ? "# " : "#");
        tsr_text_add_n(text, p, n);
        tsr_text_add(text, "\n");
        p += n + (p[n] == '\n');
    }
}

static void print_array_decl(tsr_text *text, const tsr_ir_array *array, bool with_length)
{
    tsr_text_addf(text, "%s: ", array->name);
    if (array->is_const)
        tsr_text_add(text, "const ");
    tsr_text_add(text, tsr_type_name(array->elem));
    if (array->is_index)
        tsr_text_add(text, " index");
    tsr_text_add(text, "[");
    if (array->length && with_length)
        print_expr(text, array->length, 0);
    tsr_text_add(text, "]");
}

static void print_for(tsr_text *text, const tsr_ir_stmt *s)
{
    static const char *const marks[] = {"parallel",  "vector",   "unroll", "taken",
                                        "in groups", "in lanes", "in runs"};
    tsr_text_addf(text, "for %s in [", s->var->name);
    print_expr(text, s->lo, 0);
    tsr_text_add(text, ", ");
    print_expr(text, s->hi, 0);
    tsr_text_add(text, ")");
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (s->marks & 1u << i)
            tsr_text_addf(text, " %s", marks[i]);
    if (s->each)
        tsr_text_addf(text, " of %" PRId64, s->each);
    if (s->marks & TSR_IR_TAKEN)
        tsr_text_addf(text, " from %s", s->array->name);
}

static void print_declare(tsr_text *text, const tsr_ir_stmt *s)
{
    tsr_text_addf(text, "%s %s: ", s->var->is_mutable ? "var" : "let", s->var->name);
    print_type(text, s->var->type);
    tsr_text_add(text, " = ");
    print_expr(text, s->expr, 0);
}

static void print_assign(tsr_text *text, const tsr_ir_stmt *s)
{
    tsr_text_addf(text, "%s %s ", s->var->name, s->add ? "+=" : "=");
    print_expr(text, s->expr, 0);
}

static void print_store(tsr_text *text, const tsr_ir_stmt *s)
{
    print_element(text, s->array, s->index, s->expr->type.lanes);
    tsr_text_addf(text, " %s%s ", s->add ? "+=" : "=", s->atomic ? " atomic" : "");
    print_expr(text, s->expr, 0);
}

static void print_if(tsr_text *text, const tsr_ir_stmt *s)
{
    tsr_text_add(text, "if ");
    print_expr(text, s->expr, 0);
}

static void print_while(tsr_text *text, const tsr_ir_stmt *s)
{
    tsr_text_add(text, "while ");
    print_expr(text, s->expr, 0);
}

static void print_parts(tsr_text *text, const tsr_ir_stmt *s)
{
    tsr_text_addf(text, "parts %s: ", s->array->name);
    print_expr(text, s->expr, 0);
    tsr_text_add(text, ", pieces ");
    print_expr(text, s->lo, 0);
    tsr_text_add(text, ", about ");
    print_expr(text, s->hi, 0);
}

static void print_reserve(tsr_text *text, const tsr_ir_stmt *s)
{
    tsr_text_addf(text, "reserve %s: ", s->array->name);
    print_expr(text, s->expr, 0);
    tsr_text_add(text, s->is_enough ? ", enough" : "");
}

static void print_give(tsr_text *text, const tsr_ir_stmt *s)
{
    tsr_text_addf(text, "give %s[", s->array->name);
    print_expr(text, s->lo, 0);
    tsr_text_add(text, ", ");
    print_expr(text, s->hi, 0);
    tsr_text_add(text, ") as ");
    print_expr(text, s->index, 0);
}

static void print_join(tsr_text *text, const tsr_ir_stmt *s)
{
    tsr_text_addf(text, "join %s", s->array->name);
}

static void print_trim(tsr_text *text, const tsr_ir_stmt *s)
{
    tsr_text_addf(text, "trim %s: ", s->array->name);
    print_expr(text, s->expr, 0);
}

static void print_array(tsr_text *text, const tsr_ir_stmt *s)
{
    static const char *const places[] = {
        [TSR_IR_LOCAL] = "local ", [TSR_IR_HEAP] = "heap ", [TSR_IR_OUTPUT] = "output "};
    if (s->array->place == TSR_IR_PART) {
        tsr_text_addf(text, "part %s: %s[", s->array->name, s->array->whole->name);
        print_expr(text, s->index, 0);
        tsr_text_add(text, "]");
        return;
    }
    tsr_text_add(text, s->array->place == TSR_IR_PARAM ? "?" : places[s->array->place]);
    print_array_decl(text, s->array, true);
    tsr_text_add(text, s->zeroed ? " = 0" : "");
}

static void print_sort(tsr_text *text, const tsr_ir_stmt *s)
{
    tsr_text_addf(text, "sort %s[", s->array->name);
    print_expr(text, s->lo, 0);
    tsr_text_add(text, ", ");
    print_expr(text, s->hi, 0);
    tsr_text_add(text, ")");
}

static void print_range(tsr_text *text, const char *name, const tsr_ir_expr *lo, const tsr_ir_expr *hi)
{
    tsr_text_addf(text, "%s[", name);
    print_expr(text, lo, 0);
    tsr_text_add(text, ", ");
    print_expr(text, hi, 0);
    tsr_text_add(text, ")");
}

static void print_take(tsr_text *text, const tsr_ir_stmt *s)
{
    tsr_text_addf(text, "take %s[", s->array->name);
    print_expr(text, s->index, 0);
    tsr_text_add(text, "...]: ");
    print_range(text, s->from[0]->name, s->lo, s->hi);
    tsr_text_add(text, " - ");
    print_expr(text, s->range[0], 0);
    tsr_text_addf(text, ", %s", s->from[1]->name);
}

static void print_shift(tsr_text *text, const tsr_ir_stmt *s)
{
    tsr_text_addf(text, "shift %s by %s[", s->array->name, s->from[0]->name);
    print_expr(text, s->range[0], 0);
    tsr_text_add(text, "...] from ");
    print_expr(text, s->range[3], 0);
    tsr_text_addf(text, " * %s[", s->from[0]->name);
    print_expr(text, s->range[1], 0);
    tsr_text_add(text, "...], pieces ");
    print_expr(text, s->range[2], 0);
    tsr_text_add(text, ", threads ");
    print_expr(text, s->expr, 0);
}

static void print_match(tsr_text *text, const tsr_ir_stmt *s)
{
    tsr_text_addf(text, "match %s: ", s->array->name);
    print_range(text, s->from[0]->name, s->range[0], s->range[1]);
    tsr_text_add(text, ", ");
    print_range(text, s->from[1]->name, s->range[2], s->range[3]);
}

static void print_unite(tsr_text *text, const tsr_ir_stmt *s)
{
    tsr_text_addf(text, "%s %s, %s[", s->kind == TSR_IR_UNITE ? "unite" : "intersect", s->array->name,
                  s->from[4]->name);
    print_expr(text, s->index, 0);
    tsr_text_add(text, "...]: ");
    for (int i = 0; i < 2; i++) {
        print_range(text, s->from[i]->name, s->range[2 * i], s->range[2 * i + 1]);
        tsr_text_addf(text, " of %s", s->from[2 + i]->name);
        if (s->range[4 + i]) {
            tsr_text_add(text, " * ");
            print_expr(text, s->range[4 + i], 0);
        }
        tsr_text_add(text, ", ");
    }
    tsr_text_add(text, s->from[5]->name);
}

static void print_intersect(tsr_text *text, const tsr_ir_stmt *s)
{
    print_unite(text, s);
}

static void print_multiply(tsr_text *text, const tsr_ir_stmt *s)
{
    tsr_text_addf(text, "multiply %s, %s[", s->array->name, s->from[4]->name);
    print_expr(text, s->index, 0);
    tsr_text_add(text, "...] in ");
    print_range(text, "", s->range[2], s->range[3]);
    tsr_text_add(text, ": ");
    print_range(text, s->from[0]->name, s->range[0], s->range[1]);
    tsr_text_addf(text, " of %s, %s, %s of %s, %s", s->from[2]->name, s->from[6]->name, s->from[1]->name,
                  s->from[3]->name, s->from[5]->name);
    if (!s->from[7])
        return;
    tsr_text_addf(text, " by %s, %s, %s [", s->from[7]->name, s->from[8]->name, s->from[9]->name);
    print_expr(text, s->range[4], 0);
    tsr_text_add(text, "...], at most ");
    print_expr(text, s->range[5], 0);
    tsr_text_add(text, ", marked ");
    print_expr(text, s->range[6], 0);
    tsr_text_add(text, ", listed ");
    print_expr(text, s->range[7], 0);
}

static void print_prefetch(tsr_text *text, const tsr_ir_stmt *s)
{
    tsr_text_add(text, s->write ? "prefetch for write " : "prefetch ");
    print_element(text, s->array, s->index, 1);
}

static void print_comment(tsr_text *text, const tsr_ir_stmt *s)
{
    (void)text; /* printed by print_stmt, on lines of its own */
    (void)s;
}

void ir_print_head(tsr_text *text, const tsr_ir_stmt *s)
{
    static void (*const print[TSR_IR_NSTMTS])(tsr_text *, const tsr_ir_stmt *) = {
#define X(NAME, name, text) print_##name,
#include "stmts.def"
#undef X
    };
    print[s->kind](text, s);
}

static void print_stmt(tsr_text *text, const tsr_ir_stmt *s, int indent)
{
    if (s->kind == TSR_IR_COMMENT) {
        print_lines(text, s->text, indent);
        return;
    }
    print_indent(text, indent);
    ir_print_head(text, s);
    tsr_text_add(text, "\n");
    print_block(text, &s->body, indent + 1);
    if (s->other.first) {
        print_indent(text, indent);
        tsr_text_add(text, "else\n");
        print_block(text, &s->other, indent + 1);
    }
}

static void print_block(tsr_text *text, const tsr_ir_block *block, int indent)
{
    for (const tsr_ir_stmt *s = block->first; s; s = s->next)
        print_stmt(text, s, indent);
}

void tsr_ir_print(tsr_text *text, const tsr_ir *ir)
{
    print_lines(text, ir->header, 0);
    tsr_text_addf(text, "%s(", ir->name);
    for (int i = 0; i < ir->nparams; i++) {
        tsr_text_add(text, i ? ", " : "");
        if (ir->param[i].var)
            tsr_text_add(text, ir->param[i].var->name);
        else if (ir->param[i].array->place == TSR_IR_OUTPUT) {
            tsr_text_add(text, "output ");
            print_array_decl(text, ir->param[i].array, false);
        } else
            print_array_decl(text, ir->param[i].array, true);
    }
    tsr_text_add(text, ")\n");
    for (const tsr_ir_fetch *f = ir->fetch; f; f = f->next) {
        tsr_text_addf(text, "  ask for %s", f->array->name);
        if (f->beside)
            tsr_text_addf(text, " and %s", f->beside->name);
        if (f->list)
            tsr_text_addf(text, " by %s, %d lines", f->list->name, f->nlines);
        tsr_text_addf(text, ", %d ahead%s%s\n", f->ahead, f->each ? " in each step" : "",
                      f->write ? ", for write" : "");
    }
    print_block(text, &ir->body, 1);
}
