/* The instructions of expressions, for every type, and of statements on whole lists. */
#include "ir_tape.h"

#include <complex.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tsr_bits.h"
#include "tsr_checked.h"
#include "tsr_half.h"

/* ---- values ---- */

/* out[l] = expr of p = x[l] and q = y[l], for each lane l. */
#define BINARY(name, T, R, expr)                                 \
    static const ir_insn *name(ir_machine *m, const ir_insn *in) \
    {                                                            \
        (void)m;                                                 \
        const T *x = in->x, *y = in->y;                          \
        R *out = in->out;                                        \
        for (int l = 0; l < in->lanes; l++) {                    \
            const T p = x[l], q = y[l];                          \
            out[l] = (R)(expr);                                  \
        }                                                        \
        return in + 1;                                           \
    }
#define UNARY(name, T, expr)                                     \
    static const ir_insn *name(ir_machine *m, const ir_insn *in) \
    {                                                            \
        (void)m;                                                 \
        const T *x = in->x;                                      \
        T *out = in->out;                                        \
        for (int l = 0; l < in->lanes; l++) {                    \
            const T p = x[l];                                    \
            out[l] = (T)(expr);                                  \
        }                                                        \
        return in + 1;                                           \
    }
/* Add the upper half of the lanes to the lower half until one lane is left. */
#define HSUM(name, T, expr)                                      \
    static const ir_insn *name(ir_machine *m, const ir_insn *in) \
    {                                                            \
        (void)m;                                                 \
        T t[64];                                                 \
        memcpy(t, in->x, (size_t)in->lanes * sizeof(T));         \
        for (int n = in->lanes / 2; n > 0; n /= 2)               \
            for (int l = 0; l < n; l++) {                        \
                const T p = t[l], q = t[l + n];                  \
                t[l] = (T)(expr);                                \
            }                                                    \
        memcpy(in->out, t, sizeof(T));                           \
        return in + 1;                                           \
    }
/* Integers wrap around, and x / 0 = 0. */
#define U(v) ((uint64_t)(v))
#define ALL(NAME, T, ADDED, SUBTRACTED, MULTIPLIED, DIVIDED, NEGATED) \
    BINARY(add_##NAME, T, T, ADDED)                                   \
    BINARY(sub_##NAME, T, T, SUBTRACTED)                              \
    BINARY(mul_##NAME, T, T, MULTIPLIED)                              \
    BINARY(div_##NAME, T, T, DIVIDED)                                 \
    UNARY(neg_##NAME, T, NEGATED)                                     \
    HSUM(hsum_##NAME, T, ADDED)                                       \
    BINARY(eq_##NAME, T, uint8_t, p == q)                             \
    BINARY(ne_##NAME, T, uint8_t, p != q)
#define ORDERED(NAME, T)                 \
    BINARY(lt_##NAME, T, uint8_t, p < q) \
    BINARY(le_##NAME, T, uint8_t, p <= q)
#define VALUES_R(NAME, T)                        \
    ALL(NAME, T, p + q, p - q, p * q, p / q, -p) \
    ORDERED(NAME, T)
/* mul_c128 and div_c128 of tsr_rt_values.h: C's own operators look for infinities, and each compiler divides in a way
 * of its own. */
#define COMPLEX(NAME, T)                                                                 \
    static T _Complex made_##NAME(T re, T im)                                            \
    {                                                                                    \
        const T part[2] = {re, im};                                                      \
        T _Complex z;                                                                    \
        memcpy(&z, part, sizeof z);                                                      \
        return z;                                                                        \
    }                                                                                    \
    static T _Complex product_##NAME(T _Complex p, T _Complex q)                         \
    {                                                                                    \
        const T a = (T)creal(p), b = (T)cimag(p), c = (T)creal(q), d = (T)cimag(q);      \
        return made_##NAME(a * c - b * d, a * d + b * c);                                \
    }                                                                                    \
    static T _Complex quotient_##NAME(T _Complex p, T _Complex q)                        \
    {                                                                                    \
        const T a = (T)creal(p), b = (T)cimag(p), c = (T)creal(q), d = (T)cimag(q);      \
        const T re = c < 0 ? -c : c, im = d < 0 ? -d : d;                                \
        if (re == 0 && im == 0)                                                          \
            return made_##NAME(a / (re * re), b / (re * re));                            \
        const T ratio = re >= im ? d / c : c / d;                                        \
        const T whole = re >= im ? c + d * ratio : c * ratio + d;                        \
        return re >= im ? made_##NAME((a + b * ratio) / whole, (b - a * ratio) / whole)  \
                        : made_##NAME((a * ratio + b) / whole, (b * ratio - a) / whole); \
    }
#define VALUES_C(NAME, T) \
    COMPLEX(NAME, T)      \
    ALL(NAME, T _Complex, p + q, p - q, product_##NAME(p, q), quotient_##NAME(p, q), -p)
#define VALUES_U(NAME, T)                                                             \
    ALL(NAME, T, U(p) + U(q), U(p) - U(q), U(p) * U(q), q == 0 ? 0 : p / q, 0 - U(p)) \
    ORDERED(NAME, T)
#define VALUES_I(NAME, T)                               \
    ALL(NAME, T, U(p) + U(q), U(p) - U(q), U(p) * U(q), \
        q == 0    ? 0                                   \
        : q == -1 ? 0 - U(p)                            \
                  : U(p / q),                           \
        0 - U(p))                                       \
    ORDERED(NAME, T)
#define VALUES_P(NAME, T)
#define VALUES_RH(NAME, T)
#define X(NAME, text, ctype, nbytes, class) VALUES_##class(NAME, ctype)
#include "types.def"
#undef X

#define TABLE_ALL(NAME)                                                                \
    [TSR_IR_ADD] = add_##NAME, [TSR_IR_SUB] = sub_##NAME, [TSR_IR_MUL] = mul_##NAME,   \
    [TSR_IR_DIV] = div_##NAME, [TSR_IR_NEG] = neg_##NAME, [TSR_IR_HSUM] = hsum_##NAME, \
    [TSR_IR_EQ] = eq_##NAME, [TSR_IR_NE] = ne_##NAME
#define TABLE_R(NAME) TABLE_ALL(NAME), [TSR_IR_LT] = lt_##NAME, [TSR_IR_LE] = le_##NAME
#define TABLE_I TABLE_R
#define TABLE_U TABLE_R
#define TABLE_C TABLE_ALL
#define TABLE_P(NAME) [0] = NULL
#define TABLE_RH(NAME) [0] = NULL

ir_handler *ir_value_handler(tsr_ir_op op, tsr_type type)
{
    static ir_handler *const table[TSR_NTYPES][TSR_IR_NOPS] = {
#define X(NAME, text, ctype, nbytes, class) [TSR_##NAME] = {TABLE_##class(NAME)},
#include "types.def"
#undef X
    };
    return table[type][op];
}

/* ---- conversion ---- */

/* A value of any type, converted to the widest type of its class. */
typedef struct wide {
    char type_class;
    int64_t i;
    uint64_t u;
    double r;
    double _Complex c;
} wide;

static wide widen(tsr_type type, const void *x, int l)
{
    wide w = {.type_class = tsr_type_class(type)};
    switch (type) {
#define WIDEN_R(T) w.r = (double)((const T *)x)[l]
#define WIDEN_I(T) w.i = ((const T *)x)[l]
#define WIDEN_U(T) w.u = ((const T *)x)[l]
#define WIDEN_C(T) w.c = ((const T _Complex *)x)[l]
#define WIDEN_P(T) w.u = ((const T *)x)[l] != 0
#define WIDEN_RH(T) w.r = T##_value(((const T *)x)[l])
#define X(NAME, text, ctype, nbytes, class) \
    case TSR_##NAME:                        \
        WIDEN_##class(ctype);               \
        break;
#include "types.def"
#undef X
    default:
        break;
    }
    return w;
}

/* (Reals that become integers were checked to fit.) */
static void narrow(tsr_type type, void *out, int l, const wide *w)
{
    switch (type) {
#define NARROW_R(T) ((T *)out)[l] = w->type_class == 'R' ? (T)w->r : w->type_class == 'I' ? (T)w->i : (T)w->u
#define NARROW_I NARROW_R
#define NARROW_U NARROW_R
#define NARROW_C(T)                                                    \
    ((T _Complex *)out)[l] = w->type_class == 'C'   ? (T _Complex)w->c \
                             : w->type_class == 'R' ? (T)w->r          \
                             : w->type_class == 'I' ? (T)w->i          \
                                                    : (T)w->u
#define NARROW_P(T) (void)w
#define NARROW_RH(T) (void)w /* only read */
#define X(NAME, text, ctype, nbytes, class) \
    case TSR_##NAME:                        \
        NARROW_##class(ctype);              \
        break;
#include "types.def"
#undef X
    default:
        break;
    }
}

static void convert_lanes(tsr_type to, void *out, tsr_type from, const void *x, int lanes)
{
    if (from == TSR_F32 && to == TSR_F64) { /* the most common conversion */
        for (int l = 0; l < lanes; l++)
            ((double *)out)[l] = (double)((const float *)x)[l];
        return;
    }
    for (int l = 0; l < lanes; l++) {
        const wide w = widen(from, x, l);
        narrow(to, out, l, &w);
    }
}

const ir_insn *ir_run_convert(ir_machine *m, const ir_insn *in)
{
    (void)m;
    convert_lanes(in->to, in->out, in->from, in->x, in->lanes);
    return in + 1;
}

const ir_insn *ir_run_splat(ir_machine *m, const ir_insn *in)
{
    (void)m;
    for (int l = 0; l < in->lanes; l++)
        memcpy((unsigned char *)in->out + (size_t)l * in->nbytes, in->x, in->nbytes);
    return in + 1;
}

/* x: booleans, in->jump of them (one, or one per lane); y and z have nbytes bytes per lane. */
const ir_insn *ir_run_select(ir_machine *m, const ir_insn *in)
{
    (void)m;
    const uint8_t *c = in->x;
    for (int l = 0; l < in->lanes; l++) {
        const size_t at = (size_t)l * in->nbytes;
        const unsigned char *from = c[in->jump > 1 ? l : 0] ? in->y : in->z;
        memcpy((unsigned char *)in->out + at, from + at, in->nbytes);
    }
    return in + 1;
}

const ir_insn *ir_run_call(ir_machine *m, const ir_insn *in)
{
    (void)m;
    const tsr_ir_function *const function = in->z;
    *(double *)in->out = function->value(*(const double *)in->x, *(const double *)in->y);
    return in + 1;
}

const ir_insn *ir_run_copy(ir_machine *m, const ir_insn *in)
{
    (void)m;
    memmove(in->out, in->x, (size_t)in->lanes * in->nbytes);
    return in + 1;
}

/* ---- indices and booleans ---- */

#define INDEX(name, test, expr, why)                                                            \
    static const ir_insn *name(ir_machine *m, const ir_insn *in)                                \
    {                                                                                           \
        const int64_t p = *(const int64_t *)in->x, q = *(const int64_t *)in->y;                 \
        int64_t r = 0;                                                                          \
        if (!(test))                                                                            \
            return ir_trap(m, in, TSR_CORRUPT, "%" PRId64 " %s %" PRId64 " " why, p, #name, q); \
        *(int64_t *)in->out = (expr);                                                           \
        return in + 1;                                                                          \
    }
#define OVERFLOWS "does not fit into 64 bits"

static bool subtract(int64_t *out, int64_t p, int64_t q)
{
    if (q < 0 ? p > INT64_MAX + q : p < INT64_MIN + q)
        return false;
    *out = p - q;
    return true;
}

static int64_t floor_mod(int64_t p, int64_t q)
{
    const int64_t r = p % q;
    return r < 0 ? r + q : r;
}

INDEX(plus, tsr_add_i64(&r, p, q), r, OVERFLOWS)
INDEX(minus, subtract(&r, p, q), r, OVERFLOWS)
INDEX(times, tsr_mul_i64(&r, p, q), r, OVERFLOWS)
INDEX(floordiv, q > 0, p / q - (p % q < 0) + r, "needs a positive divisor")
INDEX(mod, q > 0, floor_mod(p, q) + r, "needs a positive divisor")
INDEX(gather, p >= 0 && q >= 0, (int64_t)tsr_gather_u64((uint64_t)p, (uint64_t)q) + r,
      "needs bits that are not negative")
INDEX(mask, p >= 0 && q >= 0, (p & q) + r, "needs bits that are not negative")
BINARY(mix, int64_t, int64_t, (int64_t)((uint64_t)p *(uint64_t)q >> 2))
INDEX(bit, p >= 0 && q >= 0 && q < 63, (p >> q & 1) + r, "needs a bit from 0 to 62 of a number from 0 on")
BINARY(index_min, int64_t, int64_t, p < q ? p : q)
BINARY(index_max, int64_t, int64_t, p > q ? p : q)
BINARY(and, uint8_t, uint8_t, p &q)
BINARY(or, uint8_t, uint8_t, p | q)
UNARY(not, uint8_t, !p)

static const ir_insn *negate(ir_machine *m, const ir_insn *in)
{
    const int64_t p = *(const int64_t *)in->x;
    if (p == INT64_MIN)
        return ir_trap(m, in, TSR_CORRUPT, "-(%" PRId64 ") does not fit into 64 bits", p);
    *(int64_t *)in->out = -p;
    return in + 1;
}

ir_handler *ir_index_handler(tsr_ir_op op)
{
    static ir_handler *const table[TSR_IR_NOPS] = {
        [TSR_IR_ADD] = plus,      [TSR_IR_SUB] = minus,         [TSR_IR_MUL] = times,
        [TSR_IR_NEG] = negate,    [TSR_IR_FLOORDIV] = floordiv, [TSR_IR_MOD] = mod,
        [TSR_IR_MIN] = index_min, [TSR_IR_MAX] = index_max,     [TSR_IR_GATHER] = gather,
        [TSR_IR_EQ] = eq_I64,     [TSR_IR_NE] = ne_I64,         [TSR_IR_LT] = lt_I64,
        [TSR_IR_LE] = le_I64,     [TSR_IR_AND] = and,           [TSR_IR_OR] = or,
        [TSR_IR_NOT] = not,       [TSR_IR_BIT] = bit,           [TSR_IR_MASK] = mask,
        [TSR_IR_MIX] = mix,
    };
    return table[op];
}

/* ---- memory ---- */

/* How iterations of the parallel loop have accessed an element so far. */
enum { UNTOUCHED, READ_BY_ONE, READ_BY_MANY, OWNED, ADDED_BY_ONE, ADDED_BY_MANY };
enum { DOES_READ, DOES_WRITE, DOES_ADD /* atomically */ };

/* The state after this iteration does `what`; -1: two iterations race. */
static int touch(int state, bool same, int what)
{
    switch (state) {
    case UNTOUCHED:
        return what == DOES_READ ? READ_BY_ONE : what == DOES_WRITE ? OWNED : ADDED_BY_ONE;
    case READ_BY_ONE:
        return same ? (what == DOES_READ ? READ_BY_ONE : OWNED) : (what == DOES_READ ? READ_BY_MANY : -1);
    case READ_BY_MANY:
        return what == DOES_READ ? READ_BY_MANY : -1;
    case OWNED:
        return same ? OWNED : -1;
    case ADDED_BY_ONE:
        return same ? (what == DOES_ADD ? ADDED_BY_ONE : OWNED) : (what == DOES_ADD ? ADDED_BY_MANY : -1);
    default:
        return what == DOES_ADD ? ADDED_BY_MANY : -1;
    }
}

static bool races(const ir_machine *m, const ir_memory *memory, int64_t i, int lanes, int what)
{
    const uint32_t me = (uint32_t)m->iteration << 3;
    for (int l = 0; l < lanes; l++) {
        uint32_t *t = &memory->touched[i + l];
        const int state = touch((int)(*t & 7), (*t & ~UINT32_C(7)) == me, what);
        if (state < 0)
            return true;
        *t = me | (uint32_t)state;
    }
    return false;
}

/* The address of the (first) element with index *in->x; NULL after an error. */
static unsigned char *element(ir_machine *m, const ir_insn *in, int what)
{
    const ir_memory *memory = in->memory;
    const int64_t i = *(const int64_t *)in->x;
    if (i < 0 || (memory->length >= 0 && i > memory->length - in->lanes)) {
        if (in->lanes == 1)
            ir_trap(m, in, TSR_CORRUPT, "%s[%" PRId64 "] is outside its %" PRId64 " elements",
                    memory->array->name, i, memory->length);
        else
            ir_trap(m, in, TSR_CORRUPT, "%s[%" PRId64 " : %d] is outside its %" PRId64 " elements",
                    memory->array->name, i, in->lanes, memory->length);
        return NULL;
    }
    if (memory->touched && races(m, memory, i, in->lanes, what)) {
        ir_trap(m, in, TSR_CORRUPT, "%s[%" PRId64 "] is accessed by two iterations of a parallel loop",
                memory->array->name, i);
        return NULL;
    }
    return memory->data + (size_t)i * in->nbytes;
}

#define LOAD_INDEX(T)                                                                               \
    static const ir_insn *load_##T(ir_machine *m, const ir_insn *in)                                \
    {                                                                                               \
        const unsigned char *p = element(m, in, DOES_READ);                                         \
        if (!p)                                                                                     \
            return NULL;                                                                            \
        const uint64_t v = *(const T *)(const void *)p;                                             \
        if (v > INT64_MAX && v != UINT64_MAX) /* all bits set: padding, -1 */                       \
            return ir_trap(m, in, TSR_CORRUPT, "%s holds %" PRIu64 ", which does not fit an index", \
                           in->memory->array->name, v);                                             \
        *(int64_t *)in->out = (int64_t)v;                                                           \
        return in + 1;                                                                              \
    }
LOAD_INDEX(uint8_t)
LOAD_INDEX(uint16_t)
LOAD_INDEX(uint32_t)
LOAD_INDEX(uint64_t)

#define COPY(name, n)                                                    \
    static const ir_insn *load_##name(ir_machine *m, const ir_insn *in)  \
    {                                                                    \
        const unsigned char *p = element(m, in, DOES_READ);              \
        if (!p)                                                          \
            return NULL;                                                 \
        memcpy(in->out, p, n);                                           \
        return in + 1;                                                   \
    }                                                                    \
    static const ir_insn *store_##name(ir_machine *m, const ir_insn *in) \
    {                                                                    \
        unsigned char *p = element(m, in, DOES_WRITE);                   \
        if (!p)                                                          \
            return NULL;                                                 \
        memcpy(p, in->y, n);                                             \
        return in + 1;                                                   \
    }
COPY(4, 4)
COPY(8, 8)
COPY(n, (size_t)in->lanes * in->nbytes)

/* Add to an element: the element's address serves as the slot. */
static const ir_insn *add_to(ir_machine *m, const ir_insn *in, int what)
{
    unsigned char *p = element(m, in, what);
    if (!p)
        return NULL;
    const ir_insn sum = {.out = p, .x = p, .y = in->y, .lanes = in->lanes};
    ir_value_handler(TSR_IR_ADD, in->memory->array->elem)(m, &sum);
    return in + 1;
}

static const ir_insn *store_add(ir_machine *m, const ir_insn *in)
{
    return add_to(m, in, DOES_WRITE);
}

static const ir_insn *store_add_atomic(ir_machine *m, const ir_insn *in)
{
    return add_to(m, in, DOES_ADD);
}

/* ---- index arrays ---- */

#define STORE_INDEX(T, MAX)                                                                             \
    static const ir_insn *store_index_##T(ir_machine *m, const ir_insn *in)                             \
    {                                                                                                   \
        unsigned char *p = element(m, in, DOES_WRITE);                                                  \
        if (!p)                                                                                         \
            return NULL;                                                                                \
        const int64_t v = *(const int64_t *)in->y;                                                      \
        if (v < 0 || (uint64_t)v > MAX)                                                                 \
            return ir_trap(m, in, TSR_CORRUPT, "%s cannot store %" PRId64, in->memory->array->name, v); \
        *(T *)(void *)p = (T)v;                                                                         \
        return in + 1;                                                                                  \
    }                                                                                                   \
    static const ir_insn *add_index_##T(ir_machine *m, const ir_insn *in)                               \
    {                                                                                                   \
        unsigned char *p = element(m, in, DOES_WRITE);                                                  \
        if (!p)                                                                                         \
            return NULL;                                                                                \
        const int64_t v = *(const int64_t *)in->y;                                                      \
        int64_t sum;                                                                                    \
        if (!tsr_add_i64(&sum, (int64_t) * (T *)(void *)p, v) || sum < 0 || (uint64_t)sum > MAX)        \
            return ir_trap(m, in, TSR_CORRUPT, "%s cannot store that sum", in->memory->array->name);    \
        *(T *)(void *)p = (T)sum;                                                                       \
        return in + 1;                                                                                  \
    }                                                                                                   \
    static int compare_##T(const void *x, const void *y)                                                \
    {                                                                                                   \
        const T a = *(const T *)x, b = *(const T *)y;                                                   \
        return a < b ? -1 : a > b;                                                                      \
    }
STORE_INDEX(uint8_t, UINT8_MAX)
STORE_INDEX(uint16_t, UINT16_MAX)
STORE_INDEX(uint32_t, UINT32_MAX)
STORE_INDEX(uint64_t, INT64_MAX)

/* x, y: the range. */
const ir_insn *ir_run_sort(ir_machine *m, const ir_insn *in)
{
    const int64_t lo = *(const int64_t *)in->x, hi = *(const int64_t *)in->y;
    if (lo >= hi)
        return in + 1;
    if (lo < 0 || hi > in->memory->length)
        return ir_trap(m, in, TSR_CORRUPT, "%s[%" PRId64 ", %" PRId64 ") is outside its %" PRId64 " elements",
                       in->memory->array->name, lo, hi, in->memory->length);
    for (int64_t i = lo; in->memory->touched && i < hi; i++)
        if (races(m, in->memory, i, 1, DOES_WRITE))
            return ir_trap(m, in, TSR_CORRUPT,
                           "%s[%" PRId64 "] is accessed by two iterations of a parallel loop",
                           in->memory->array->name, i);
    qsort(in->memory->data + (size_t)lo * in->nbytes, (size_t)(hi - lo), in->nbytes,
          in->nbytes == 1   ? compare_uint8_t
          : in->nbytes == 2 ? compare_uint16_t
          : in->nbytes == 4 ? compare_uint32_t
                            : compare_uint64_t);
    return in + 1;
}

ir_handler *ir_load_handler(const tsr_ir_array *array, int lanes)
{
    const size_t nbytes = tsr_type_nbytes(array->elem);
    if (array->is_index)
        return nbytes == 1   ? load_uint8_t
               : nbytes == 2 ? load_uint16_t
               : nbytes == 4 ? load_uint32_t
                             : load_uint64_t;
    return lanes > 1 ? load_n : nbytes == 8 ? load_8 : nbytes == 4 ? load_4 : load_n;
}

ir_handler *ir_store_handler(const tsr_ir_array *array, int lanes, bool add, bool atomic)
{
    const size_t nbytes = tsr_type_nbytes(array->elem);
    if (array->is_index && add)
        return nbytes == 1   ? add_index_uint8_t
               : nbytes == 2 ? add_index_uint16_t
               : nbytes == 4 ? add_index_uint32_t
                             : add_index_uint64_t;
    if (array->is_index)
        return nbytes == 1   ? store_index_uint8_t
               : nbytes == 2 ? store_index_uint16_t
               : nbytes == 4 ? store_index_uint32_t
                             : store_index_uint64_t;
    if (add)
        return atomic ? store_add_atomic : store_add;
    return lanes > 1 ? store_n : nbytes == 8 ? store_8 : nbytes == 4 ? store_4 : store_n;
}
