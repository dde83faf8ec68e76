/* Names of types, and names of variables, which must differ from words of C and from names that the text
 * defines. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "emit_internal.h"

/* Words of C11, macros of headers that the text may include, and functions that the text calls. */
static const char *const reserved[] = {
    "auto",     "break",      "case",    "char",     "const",    "continue", "default",  "do",
    "double",   "else",       "enum",    "extern",   "float",    "for",      "goto",     "if",
    "inline",   "int",        "long",    "register", "restrict", "return",   "short",    "signed",
    "sizeof",   "static",     "struct",  "switch",   "typedef",  "union",    "unsigned", "void",
    "volatile", "while",      "bool",    "true",     "false",    "asm",      "typeof",   "I",
    "complex",  "imaginary",  "NULL",    "INFINITY", "NAN",      "size_t",   "creal",    "crealf",
    "cimag",    "cimagf",     "malloc",  "calloc",   "free",     "linux",    "unix",     "i386",
    "main",     "tsr_rt_arg", "realloc", "memcpy",   "madvise",  "limit",    "wide8",    "wide16",
};

/* Further macros that these headers may define. */
static const char *const macros[] = {"BIG_ENDIAN", "BYTE_ORDER", "LITTLE_ENDIAN",   "MAXFLOAT",
                                     "MB_CUR_MAX", "NFDBITS",    "PDP_ENDIAN",      "RAND_MAX",
                                     "WCONTINUED", "WEXITED",    "WNOHANG",         "WNOWAIT",
                                     "WSTOPPED",   "WUNTRACED",  "math_errhandling"};

/* Prefixes of the other macros of these headers. */
static const char *const reserved_prefixes[] = {"INT",   "UINT", "SIZE_", "PTRDIFF_", "SIG_ATOMIC_", "WCHAR_",
                                                "WINT_", "FP_",  "M_",    "MATH_",    "EXIT_",       "HUGE_",
                                                "SNAN",  "FD_",  "wide_", "WIDE_"};

static const char *const elem_types[TSR_NTYPES] = {
    [TSR_F64] = "double",      [TSR_F32] = "float",          [TSR_I8] = "int8_t",
    [TSR_I16] = "int16_t",     [TSR_I32] = "int32_t",        [TSR_I64] = "int64_t",
    [TSR_U8] = "uint8_t",      [TSR_U16] = "uint16_t",       [TSR_U32] = "uint32_t",
    [TSR_U64] = "uint64_t",    [TSR_C64] = "float _Complex", [TSR_C128] = "double _Complex",
    [TSR_PATTERN] = "uint8_t", [TSR_F16] = "uint16_t",       [TSR_BF16] = "uint16_t",
};

const char *emit_c_elem(tsr_type type)
{
    return elem_types[type];
}

/* Whether the array is a parameter, which the caller names. */
static bool is_param(const emit *e, const tsr_ir_array *a)
{
    for (int i = 0; i < e->ir->nparams; i++)
        if (e->ir->param[i].array == a)
            return true;
    return false;
}

const char *emit_element_type(emit *e, const tsr_ir_array *a)
{
    static const tsr_type with_sign[TSR_NTYPES] = {
        [TSR_U8] = TSR_I8, [TSR_U16] = TSR_I16, [TSR_U32] = TSR_I32, [TSR_U64] = TSR_I64};
    if (!a->is_index)
        return emit_c_type(e, tsr_ir_value_type(a->elem));
    return emit_c_elem(e->options.signed_index && with_sign[a->elem] && is_param(e, a) ? with_sign[a->elem]
                                                                                       : a->elem);
}

static bool has_reserved_prefix(const char *name)
{
    for (size_t i = 0; i < sizeof reserved_prefixes / sizeof *reserved_prefixes; i++)
        if (strncmp(name, reserved_prefixes[i], strlen(reserved_prefixes[i])) == 0)
            return true;
    return false;
}

/* Whether the name belongs to C, to a header of C, or to a piece: "while", "size_t", "INT64_MIN". */
static bool is_word(const char *name)
{
    const size_t nchars = strlen(name);
    if ((nchars > 2 && strcmp(name + nchars - 2, "_t") == 0) || has_reserved_prefix(name))
        return true;
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (strcmp(name, reserved[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof macros / sizeof *macros; i++)
        if (strcmp(name, macros[i]) == 0)
            return true;
    for (int i = 0; i < EMIT_NPIECES; i++)
        if (strcmp(name, emit_piece_names[i]) == 0)
            return true;
    return name[0] == '_' && (name[1] == '_' || isupper((unsigned char)name[1]));
}

/* Whether the name may be the name of a vector type or of a helper: "f64x8", "sum_f64x8". */
static bool is_of_type(const char *name)
{
    const char *tail = strrchr(name, '_');
    const bool has_tail = tail;
    tail = tail ? tail + 1 : name;
    for (int t = 0; t < TSR_NTYPES; t++) {
        const size_t n = strlen(tsr_type_name((tsr_type)t));
        if (t != TSR_PATTERN && strncmp(tail, tsr_type_name((tsr_type)t), n) == 0 &&
            ((tail[n] == 0 && has_tail) || (tail[n] == 'x' && isdigit((unsigned char)tail[n + 1]))))
            return true;
    }
    return false;
}

bool tsr_emit_is_name(const char *name)
{
    return !is_word(name) && !is_of_type(name);
}

static bool is_reserved(const emit *e, const char *name)
{
    return strcmp(name, e->name) == 0 || !tsr_emit_is_name(name);
}

static bool is_taken(const emit *e, const char *name)
{
    for (int i = 0; i < e->ir->nvars; i++)
        if (e->var_name[i] && strcmp(e->var_name[i], name) == 0)
            return true;
    for (int i = 0; i < e->ir->narrays; i++)
        if (e->array_name[i] && strcmp(e->array_name[i], name) == 0)
            return true;
    for (int i = 0; i < e->nbounds; i++)
        if (strcmp(e->bound[i], name) == 0)
            return true;
    for (int i = 0; i < e->nsearches; i++)
        if (strcmp(e->search[i].name, name) == 0)
            return true;
    return false;
}

const char *emit_new_name(emit *e, const char *name)
{
    const size_t n = strlen(name);
    char *s = emit_alloc(e, n + 24, 1);
    if (!s)
        return "";
    const char *prefix = name[0] == '_' ? "v" : has_reserved_prefix(name) ? "v_" : "";
    snprintf(s, n + 24, "%s%s", prefix, name);
    for (int k = 2; is_reserved(e, s) || is_taken(e, s); k++)
        snprintf(s, n + 24, "%s%s_%d", prefix, name, k);
    return s;
}

/* Record the names of all variables and arrays that a block declares. */
static void collect(emit *e, const tsr_ir_block *block)
{
    for (const tsr_ir_stmt *s = block->first; s; s = s->next) {
        if (s->kind == TSR_IR_DECLARE || s->kind == TSR_IR_FOR)
            e->var_name[s->var->number] = s->var->name;
        if (s->kind == TSR_IR_ARRAY)
            e->array_name[s->array->number] = s->array->name;
        collect(e, &s->body);
        collect(e, &s->other);
    }
}

void emit_choose_names(emit *e)
{
    for (int i = 0; i < e->ir->nparams; i++) {
        const tsr_ir_param p = e->ir->param[i];
        if (p.var)
            e->var_name[p.var->number] = p.var->name;
        else
            e->array_name[p.array->number] = p.array->name;
    }
    collect(e, &e->ir->body);
    for (int i = 0; i < e->ir->nvars; i++)
        if (e->var_name[i] && is_reserved(e, e->var_name[i]))
            e->var_name[i] = emit_new_name(e, e->var_name[i]);
    for (int i = 0; i < e->ir->narrays; i++)
        if (e->array_name[i] && is_reserved(e, e->array_name[i]))
            e->array_name[i] = emit_new_name(e, e->array_name[i]);
}

bool emit_is_identifier(const char *name)
{
    if (!name || !(isalpha((unsigned char)name[0]) || name[0] == '_'))
        return false;
    for (const char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_')
            return false;
    return !is_word(name);
}

int emit_log2_lanes(int lanes)
{
    int k = 0;
    while (k < EMIT_MAX_LANES_LOG2 && lanes > 1 << k)
        k++;
    return k;
}

const char *emit_type_name(emit *e, tsr_ir_type type)
{
    char *s = emit_alloc(e, 24, 1);
    if (!s)
        return "";
    if (type.lanes == 1)
        snprintf(s, 24, "%s", tsr_type_name(type.type));
    else
        snprintf(s, 24, "%sx%d", tsr_type_name(type.type), type.lanes);
    return s;
}

tsr_type emit_unsigned_of(tsr_type type)
{
    static const tsr_type unsigned_of[TSR_NTYPES] = {
        [TSR_I8] = TSR_U8, [TSR_I16] = TSR_U16, [TSR_I32] = TSR_U32, [TSR_I64] = TSR_U64};
    return tsr_type_class(type) == 'I' ? unsigned_of[type] : type;
}

tsr_ir_type emit_mask_type(tsr_ir_type type)
{
    const size_t n = tsr_type_nbytes(type.type);
    const tsr_type t = n == 1 ? TSR_I8 : n == 2 ? TSR_I16 : n == 4 ? TSR_I32 : TSR_I64;
    return (tsr_ir_type){TSR_IR_IS_VALUE, t, type.lanes};
}

const char *emit_c_type(emit *e, tsr_ir_type type)
{
    if (type.kind == TSR_IR_IS_INDEX)
        return "int64_t";
    if (type.kind == TSR_IR_IS_BOOL && type.lanes > 1)
        return emit_c_type(e, emit_mask_type(type));
    if (type.kind == TSR_IR_IS_BOOL) {
        e->uses_bool = true;
        return "bool";
    }
    if (type.lanes == 1) {
        e->uses_complex |= tsr_type_class(type.type) == 'C';
        return emit_c_elem(type.type);
    }
    const int k = emit_log2_lanes(type.lanes);
    if (tsr_type_class(type.type) == 'C' || type.lanes != 1 << k) {
        emit_fail(e, TSR_UNSUPPORTED, "vectors of %d values of type %s are not supported in C", type.lanes,
                  tsr_type_name(type.type));
        return "";
    }
    e->vector[type.type][k] = true;
    return emit_type_name(e, type);
}
