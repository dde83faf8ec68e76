/* The text around the function: before it includes, types and macros, behind it the functions that it calls: the used pieces
 * of src/rt, adapted to the types that the function uses. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "emit_internal.h"

/* The text of the headers of src/rt, one after the other, embedded at build time. */
extern const char emit_rt_text[];

const char *const emit_piece_names[EMIT_NPIECES] = {
#define X(name) #name,
#include "pieces.def"
#undef X
};

const char *const emit_c_headers[EMIT_NHEADERS] = {"<complex.h>", "<math.h>",   "<stdbool.h>", "<stddef.h>",
                                                   "<stdint.h>",  "<stdlib.h>", "<string.h>"};
enum { COMPLEX_H, MATH_H, STDBOOL_H, STDDEF_H, STDINT_H, STDLIB_H };

static const char mark[] = "/* piece ";

/* One piece in that text, "piece NAME (NEEDS): WHAT" and the lines after it: the names in "(...)", the
 * description, and the body. */
typedef struct piece {
    const char *needs, *what, *body;
    size_t nneeds, nwhat, nbody;
} piece;

/* The first line at s or after it that begins with `mark`; the end of the text where there is none. */
static const char *next_piece(const char *s)
{
    const char *p = strstr(s, mark);
    while (p && p != emit_rt_text && p[-1] != '\n')
        p = strstr(p + 1, mark);
    return p ? p : s + strlen(s);
}

/* A piece that is a model with values of another type than double. */
typedef struct variant {
    const char *name, *model, *value;
} variant;

static const variant variants[] = {{"unite_f32_u32", "unite_u32", "float"},
                                   {"unite_w32_u32", "unite_u32", "uint32_t"},
                                   {"unite_w64_u32", "unite_u32", "uint64_t"},
                                   {"intersect_f32_u32", "intersect_u32", "float"},
                                   {"intersect_w32_u32", "intersect_u32", "uint32_t"},
                                   {"intersect_w64_u32", "intersect_u32", "uint64_t"}};

/* NULL: the piece has a text of its own. */
static const variant *variant_of(const char *name)
{
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
        if (strcmp(variants[i].name, name) == 0)
            return &variants[i];
    return NULL;
}

static bool find_piece(piece *out, const char *name)
{
    const variant *const other = variant_of(name);
    if (other)
        name = other->model;
    const size_t n = strlen(name);
    for (const char *s = next_piece(emit_rt_text); *s; s = next_piece(s + 1)) {
        const char *p = s + sizeof mark - 1;
        if (strncmp(p, name, n) != 0 || !strchr(" :", p[n]))
            continue;
        const char *end = strstr(p, "*/");
        const char *colon = strchr(p, ':');
        *out = (piece){.what = colon && colon < end ? colon + 2 : end, .body = end + 3};
        out->nwhat = colon && colon < end ? (size_t)(end - 1 - out->what) : 0;
        out->nbody = (size_t)(next_piece(end) - out->body);
        const char *open = strchr(p, '(');
        if (open && open < out->what) {
            out->needs = open + 1;
            out->nneeds = strcspn(open + 1, ")");
        }
        return true;
    }
    return false;
}

/* ---- models ---- */

/* A word of a model and the word that replaces it. */
typedef struct word {
    const char *from, *to;
} word;

static void put_word(tsr_text *out, const char *s, size_t n, const word *words, const char *model_type,
                     const char *type_name)
{
    for (; words->from; words++)
        if (strlen(words->from) == n && strncmp(words->from, s, n) == 0) {
            tsr_text_add(out, words->to);
            return;
        }
    const size_t m = strlen(model_type);
    if (n > m + 1 && s[n - m - 1] == '_' && strncmp(s + n - m, model_type, m) == 0) {
        tsr_text_add_n(out, s, n - m);
        tsr_text_add(out, type_name);
    } else {
        tsr_text_add_n(out, s, n);
    }
}

const char *emit_model_type(const char *name)
{
    static const char *const types[] = {"i32", "u32", "c128"};
    const char *tail = strrchr(name, '_');
    for (int i = 0; tail && i < 3; i++)
        if (strcmp(tail + 1, types[i]) == 0)
            return types[i];
    return NULL;
}

/* Append the body of a model, adapted to the type, and to the values of a variant. */
static void put_model(emit *e, tsr_text *out, const piece *p, const char *name, tsr_ir_type type)
{
    const char *const model_type = emit_model_type(name);
    const variant *const other = variant_of(name);
    char function[40] = "";
    const tsr_ir_type bits = {TSR_IR_IS_VALUE, emit_unsigned_of(type.type), type.lanes};
    const tsr_ir_type wide = {TSR_IR_IS_VALUE, type.lanes == 1 ? TSR_U64 : bits.type, type.lanes};
    const word integers[] = {{"int32_t", emit_c_type(e, type)},       {"uint32_t", emit_c_type(e, bits)},
                             {"uint64_t", emit_c_type(e, wide)},      {other ? other->model : NULL, function},
                             {"double", other ? other->value : NULL}, {0}};
    const word complexes[] = {{"double", "float"}, {"creal", "crealf"}, {"cimag", "cimagf"}, {0}};
    const word none[] = {{0}};
    const word *words = model_type[0] != 'c' ? integers : type.type == TSR_C64 ? complexes : none;
    const char *type_name = emit_type_name(e, type);
    snprintf(function, sizeof function, "%.*s%s", (int)(strlen(name) - strlen(model_type)), name, type_name);
    const char *s = p->body, *end = p->body + p->nbody;
    while (s < end) {
        size_t n = 0;
        while (s + n < end && (isalnum((unsigned char)s[n]) || s[n] == '_'))
            n++;
        if (n)
            put_word(out, s, n, words, model_type, type_name);
        else
            tsr_text_add_n(out, s, n = 1);
        s += n;
    }
}

/* ---- used pieces ---- */

/* Mark the pieces and headers that a piece needs. In pieces.def a piece follows the pieces that it needs. */
static void mark_needs(emit *e, int number, bool *header)
{
    piece p;
    if (!find_piece(&p, emit_piece_names[number])) {
        emit_fail(e, TSR_ARGUMENT, "unknown piece '%s': no header of src/rt defines it",
                  emit_piece_names[number]);
        return;
    }
    for (int h = 0; h < EMIT_NHEADERS; h++)
        for (size_t k = 0; k < p.nneeds; k++)
            header[h] |= strncmp(p.needs + k, emit_c_headers[h], strlen(emit_c_headers[h])) == 0;
    for (int other = 0; other < number; other++) {
        const size_t n = strlen(emit_piece_names[other]);
        for (size_t k = 0; k + n <= p.nneeds; k++)
            if (strncmp(p.needs + k, emit_piece_names[other], n) == 0)
                for (int t = 0; t < TSR_NTYPES; t++)
                    for (int l = 0; l <= EMIT_MAX_LANES_LOG2; l++)
                        e->piece[other][t][l] |= e->piece[number][t][l];
    }
}

static bool any(emit_type_set set)
{
    for (int t = 0; t < TSR_NTYPES; t++)
        for (int l = 0; l <= EMIT_MAX_LANES_LOG2; l++)
            if (set[t][l])
                return true;
    return false;
}

static tsr_ir_type vector_type(int type, int lanes_log2)
{
    return (tsr_ir_type){TSR_IR_IS_VALUE, (tsr_type)type, 1 << lanes_log2};
}

/* The sum of a vector needs the halves' types and additions. */
static void mark_halves(emit *e)
{
    for (int t = 0; t < TSR_NTYPES; t++)
        for (int l = EMIT_MAX_LANES_LOG2; l > 0; l--) {
            if (!e->sum[t][l])
                continue;
            if (l > 1) {
                e->sum[t][l - 1] = true;
                emit_c_type(e, vector_type(t, l - 1));
            }
            if (emit_wraps(vector_type(t, l - 1)))
                emit_use(e, EMIT_add_i32, vector_type(t, l - 1));
        }
}

/* ---- text ---- */

static void put_sum(emit *e, tsr_text *out, int t, int l)
{
    const tsr_ir_type half = vector_type(t, l - 1);
    const char *elem = emit_c_elem((tsr_type)t), *type = emit_type_name(e, vector_type(t, l));
    const char *half_name = emit_type_name(e, half);
    tsr_text_addf(out, "static inline %s sum_%s(%s v)\n{\n", elem, type, type);
    if (l > 1)
        tsr_text_addf(out, "    const %s *half = (const %s *)&v;\n", half_name, half_name);
    const char *from = l > 1 ? "half" : "v";
    tsr_text_add(out, "    return ");
    if (l > 1)
        tsr_text_addf(out, "sum_%s(", half_name);
    if (emit_wraps(half))
        tsr_text_addf(out, "add_%s(%s[0], %s[1])", half_name, from, from);
    else
        tsr_text_addf(out, "%s[0] + %s[1]", from, from);
    tsr_text_add(out, l > 1 ? ");\n}\n\n" : ";\n}\n\n");
}

static void put_select(emit *e, tsr_text *out, int t, int l)
{
    const char *type = emit_type_name(e, vector_type(t, l));
    const char *mask = emit_type_name(e, emit_mask_type(vector_type(t, l)));
    tsr_text_addf(out,
                  "static inline %s select_%s(%s mask, %s a, %s b)\n{\n"
                  "    return (%s)((mask & (%s)a) | (~mask & (%s)b));\n}\n\n",
                  type, type, mask, type, type, type, mask, mask);
}

/* Written without a loop over lanes: gcc 12 -O2 compiles such a loop wrongly where a and b are the same
 * variable. */
static void put_divide(emit *e, tsr_text *out, int t, int l)
{
    const char *type = emit_type_name(e, vector_type(t, l));
    tsr_text_addf(out, "static inline %s div_%s(%s a, %s b)\n{\n", type, type, type, type);
    if (tsr_type_class((tsr_type)t) == 'U') {
        tsr_text_addf(out, "    const %s zero = (%s)(b == 0);\n    return (a / (b - zero)) & ~zero;\n}\n\n",
                      type, type);
        return;
    }
    const char *bits = emit_type_name(e, vector_type((int)emit_unsigned_of((tsr_type)t), l));
    tsr_text_addf(out,
                  "    const %s zero = (%s)(b == 0), minus = (%s)(b == -1);\n"
                  "    const %s quotient = (%s)(a / (b - zero - minus - minus));\n"
                  "    return (%s)(((quotient ^ (%s)minus) - (%s)minus) & ~(%s)zero);\n}\n\n",
                  type, type, type, bits, bits, type, bits, bits, bits);
}

/* The lanes of consecutive elements. The processor's instruction for f16, where there is one for this number of lanes; else as
 * f32_of_f16. */
static void put_half(emit *e, tsr_text *out, int t, int l)
{
    static const char *const instruction[EMIT_MAX_LANES_LOG2 + 1] = {
        [3] = "#ifdef __F16C__\n    typedef short i16x8_ __attribute__((vector_size(16)));\n"
              "    return (f32x8)__builtin_ia32_vcvtph2ps256((i16x8_)LOAD(u16x8, half));\n#endif\n",
        [4] = "#ifdef __AVX512F__\n    typedef short i16x16_ __attribute__((vector_size(32)));\n"
              "    return (f32x16)__builtin_ia32_vcvtph2ps512_mask((i16x16_)LOAD(u16x16, half), (f32x16){0}, "
              "-1, 4);\n"
              "#endif\n"};
    const char *type = emit_type_name(e, vector_type(TSR_F32, l)),
               *bits = emit_type_name(e, vector_type(TSR_U32, l));
    const char *halves = emit_type_name(e, vector_type(TSR_U16, l));
    tsr_text_addf(out, "static inline %s %s_of_%s(const uint16_t *half)\n{\n", type, type,
                  tsr_type_name((tsr_type)t));
    if (t == TSR_BF16) {
        tsr_text_addf(out, "    return (%s)(__builtin_convertvector(LOAD(%s, half), %s) << 16);\n}\n\n", type,
                      halves, bits);
        return;
    }
    tsr_text_add(out, instruction[l] ? instruction[l] : "");
    tsr_text_addf(out,
                  "    const %s h = __builtin_convertvector(LOAD(%s, half), %s), rest = h & 0x7fffu;\n"
                  "    const %s small = (%s)(__builtin_convertvector(rest, %s) * 0x1p-24f), few = (%s)(rest "
                  "< 0x400u);\n"
                  "    const %s most = (%s)(rest >= 0x7c00u) & (112u << 23);\n"
                  "    const %s large = (rest << 13) + most + (112u << 23);\n"
                  "    return (%s)((h >> 15) << 31 | (small & few) | (large & ~few));\n}\n\n",
                  bits, halves, bits, bits, bits, type, bits, bits, bits, bits, type);
}

static void put_vector_helpers(emit *e, tsr_text *out, emit_type_set set, const char *what,
                               void (*put)(emit *, tsr_text *, int, int))
{
    if (!any(set))
        return;
    tsr_text_addf(out, "/* %s */\n", what);
    for (int t = 0; t < TSR_NTYPES; t++)
        for (int l = 1; l <= EMIT_MAX_LANES_LOG2; l++)
            if (set[t][l])
                put(e, out, t, l);
}

static void put_vector_types(emit *e, tsr_text *out)
{
    if (!any(e->vector))
        return;
    tsr_text_add(out, "/* Vectors, in memory aligned as their elements. */\n");
    for (int t = 0; t < TSR_NTYPES; t++)
        for (int l = 1; l <= EMIT_MAX_LANES_LOG2; l++)
            if (e->vector[t][l]) {
                const size_t nbytes = tsr_type_nbytes((tsr_type)t);
                tsr_text_addf(
                    out, "typedef %s %s __attribute__((vector_size(%zu), aligned(%zu), may_alias));\n",
                    emit_c_elem((tsr_type)t), emit_type_name(e, vector_type(t, l)), nbytes << l, nbytes);
            }
    bool passes = any(e->half) || any(e->sum) || any(e->select) || any(e->divide);
    for (int i = 0; i < EMIT_NLISTS; i++)
        passes |= any(e->pick[i]) || any(e->below[i]);
    for (int i = 0; i < EMIT_NPIECES; i++)
        for (int t = 0; t < TSR_NTYPES; t++)
            for (int l = 1; l <= EMIT_MAX_LANES_LOG2; l++)
                passes |= e->piece[i][t][l];
    if (passes)
        tsr_text_add(out,
                     "/* Only functions of this file take them: how they are passed does not matter. */\n"
                     "#pragma GCC diagnostic ignored \"-Wpsabi\"\n");
    tsr_text_add(out, "\n");
}

void emit_put_piece(const emit *e, tsr_text *out, emit_piece which)
{
    piece p;
    (void)e;
    if (!find_piece(&p, emit_piece_names[which]))
        return;
    tsr_text_add(out, "/* ");
    tsr_text_add_n(out, p.what, p.nwhat);
    tsr_text_add(out, " */\n");
    tsr_text_add_n(out, p.body, p.nbody);
}

/* Whether a piece is a function, which stands behind the kernel; a type or a macro stands before it. */
static bool is_function(const piece *p)
{
    const char *const at = strstr(p->body, "static ");
    return at && at < p->body + p->nbody;
}

/* Append a piece, for all types for which it is used, unless nothing of it is left. */
static void put_piece(emit *e, tsr_text *out, emit_piece number, const piece *p)
{
    tsr_text body = {0}, left = {0};
    const bool is_model = emit_model_type(emit_piece_names[number]);
    if (!is_model)
        tsr_text_add_n(&body, p->body, p->nbody);
    for (int t = 0; t < TSR_NTYPES && is_model; t++)
        for (int l = 0; l <= EMIT_MAX_LANES_LOG2; l++)
            if (e->piece[number][t][l])
                put_model(e, &body, p, emit_piece_names[number], vector_type(t, l));
    emit_keep_lines(e, &left, tsr_text_cstr(&body), body.nbytes);
    const char *const text = tsr_text_cstr(&left);
    if (p->nwhat && text[strspn(text, "\n")]) {
        tsr_text_add(out, "/* ");
        tsr_text_add_n(out, p->what, p->nwhat);
        tsr_text_add(out, " */\n");
    }
    if (text[strspn(text, "\n")])
        tsr_text_add(out, text);
    out->failed |= body.failed || left.failed;
    tsr_text_clear(&body);
    tsr_text_clear(&left);
}

/* Append the used pieces that are functions, or those that are not. */
static void put_pieces(emit *e, tsr_text *out, bool functions)
{
    for (int i = 0; i < EMIT_NPIECES; i++) {
        piece p = {0};
        if (any(e->piece[i]) && find_piece(&p, emit_piece_names[i]) && is_function(&p) == functions)
            put_piece(e, out, (emit_piece)i, &p);
    }
}

void emit_put_pieces(emit *e, tsr_text *out)
{
    for (int i = 0; i < EMIT_NPIECES; i++) {
        piece p = {0};
        if (any(e->piece[i]) && find_piece(&p, emit_piece_names[i]))
            put_piece(e, out, (emit_piece)i, &p);
    }
}

/* Define the functions that the kernel calls. */
static void put_functions(const emit *e, tsr_text *out)
{
    for (int k = 0; k < e->nfunctions; k++) {
        const tsr_ir_function *const f = e->function[k];
        tsr_text_addf(out, "static inline double %s(double x%s)\n{\n    return %s;\n}\n\n",
                      e->function_name[k], f->nargs > 1 ? ", double y" : "", f->text);
    }
}

void emit_find_needs(emit *e)
{
    bool *const header = e->uses_header;
    mark_halves(e);
    for (int i = 0; i < EMIT_NPIECES && e->options.short_text; i++)
        for (int t = 0; t < TSR_NTYPES; t++)
            e->piece[i][t][0] = false; /* tessera_rt.h has it */
    for (int i = EMIT_NPIECES - 1; i >= 0; i--)
        if (any(e->piece[i]))
            mark_needs(e, i, header);
    header[COMPLEX_H] |= e->uses_complex;
    header[MATH_H] |= e->uses_math;
    header[STDBOOL_H] |= e->uses_bool;
    header[STDINT_H] = true;
    header[STDLIB_H] |= e->uses_null;
}

/* Whether x adds a product, which a processor may do without rounding the product. */
static bool has_sum_of_product(const tsr_ir_expr *x)
{
    if (!x)
        return false;
    for (int i = 0; i < 2 && (x->op == TSR_IR_ADD || x->op == TSR_IR_SUB); i++)
        if (x->type.kind == TSR_IR_IS_VALUE && x->arg[i]->op == TSR_IR_MUL)
            return true;
    return has_sum_of_product(x->arg[0]) || has_sum_of_product(x->arg[1]) || has_sum_of_product(x->arg[2]);
}

bool emit_adds_products(const tsr_ir_block *block)
{
    for (const tsr_ir_stmt *s = block->first; s; s = s->next) {
        const bool adds = s->add && s->expr->type.kind == TSR_IR_IS_VALUE && s->expr->op != TSR_IR_VAR &&
                          s->expr->op != TSR_IR_LOAD;
        if (adds || s->kind == TSR_IR_UNITE || s->kind == TSR_IR_MULTIPLY || has_sum_of_product(s->expr) ||
            emit_adds_products(&s->body) || emit_adds_products(&s->other))
            return true;
    }
    return false;
}

void emit_prelude(emit *e, tsr_text *out)
{
    const tsr_emit_options *const options = &e->options;
    for (int h = 0; h < EMIT_NHEADERS; h++)
        if (e->uses_header[h])
            tsr_text_addf(out, "#include %s\n", emit_c_headers[h]);
    if (options->cxx)
        tsr_text_add(out,
                     "\n#ifdef __cplusplus\n#define restrict __restrict\n#define _Alignas alignas\n#endif\n");
    if (options->has_header)
        tsr_text_addf(out, "\n#include \"%s.h\"\n", e->name);
    if (e->rounds)
        tsr_text_add(out,
                     "\n/* Products are rounded before they are added: the same bits in whichever way a row "
                     "is computed. */\n#if defined(__clang__)\n#pragma clang fp contract(off)\n"
                     "#elif defined(__GNUC__)\n#pragma GCC optimize(\"fp-contract=off\")\n#endif\n");
    if (options->short_text)
        tsr_text_addf(out, "\n%s#include \"tessera_rt.h\"\n",
                      options->scalar ? "#define TSR_RT_SCALAR /* use no AVX-512 */\n" : "");
    tsr_text_add(out, "\n");
    put_vector_types(e, out);
    put_pieces(e, out, false);
}

void emit_put_runtime(emit *e, tsr_text *out)
{
    put_functions(e, out);
    put_pieces(e, out, true);
    put_vector_helpers(e, out, e->sum, "The sum of all lanes, by halves.", put_sum);
    put_vector_helpers(e, out, e->half, "Lanes of reals in 16 bits.", put_half);
    put_vector_helpers(e, out, e->select, "Lane by lane, a where the mask is set, else b.", put_select);
    emit_put_lanes(e, out);
    put_vector_helpers(e, out, e->divide, "Lane by lane, a / b, wrapping around; 0 for b = 0.", put_divide);
}

/* Whether the text has the name, of n characters, as a word. */
static bool has_word(const char *text, const char *name, size_t n)
{
    for (const char *p = strchr(text, name[0]); p; p = strchr(p + 1, name[0])) {
        const bool begins = p == text || (!isalnum((unsigned char)p[-1]) && p[-1] != '_');
        if (begins && strncmp(p, name, n) == 0 && !isalnum((unsigned char)p[n]) && p[n] != '_')
            return true;
    }
    return false;
}

void emit_put_prototypes(tsr_text *out, const char *functions, const char *const callers[2])
{
    bool any_yet = false;
    for (const char *line = functions; *line; line += strcspn(line, "\n") + (strchr(line, '\n') != NULL)) {
        if (strncmp(line, "static ", 7) != 0 && strncmp(line, "TSR_RT_APART ", 13) != 0)
            continue;
        const char *const open = strchr(line, '('), *const end = strstr(line, "\n{\n"), *name = open;
        if (!open || !end)
            return; /* the text is cut off: memory ran out */
        while (name > line && (isalnum((unsigned char)name[-1]) || name[-1] == '_'))
            name--;
        if (!has_word(callers[0], name, (size_t)(open - name)) &&
            !has_word(callers[1], name, (size_t)(open - name)))
            continue;
        if (!any_yet)
            tsr_text_add(out, "/* The kernel calls these functions, which follow it. */\n");
        any_yet = true;
        tsr_text_add_n(out, line, (size_t)(end - line));
        tsr_text_add(out, ";\n");
    }
    tsr_text_add(out, any_yet ? "\n" : "");
}
