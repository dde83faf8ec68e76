/* Value types: see tsr_type.h. Code for each type comes from types.def: case TSR_<name> runs the macro of its
 * class letter (VERB_R, VERB_I, ...) with its C type. */
#include "tsr_type.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tsr_half.h"
#include "tsr_num.h"
#include "tsr_suggest.h"

static const struct {
    const char *name;
    uint8_t nbytes;
    char class;
} types[] = {
#define X(name, text, ctype, nbytes, class) {text, nbytes, #class[0]},
#include "types.def"
#undef X
};

size_t tsr_type_nbytes(tsr_type type)
{
    return type < TSR_NTYPES ? types[type].nbytes : 0;
}

tsr_type tsr_type_unsigned(size_t nbytes)
{
    return nbytes == 1 ? TSR_U8 : nbytes == 2 ? TSR_U16 : nbytes == 4 ? TSR_U32 : TSR_U64;
}

const char *tsr_type_name(tsr_type type)
{
    return type < TSR_NTYPES ? types[type].name : "?";
}

char tsr_type_class(tsr_type type)
{
    return type < TSR_NTYPES ? types[type].class : '?';
}

bool tsr_type_is_half(tsr_type type)
{
    return type == TSR_F16 || type == TSR_BF16;
}

bool tsr_type_is_word(tsr_type type)
{
    const char class = tsr_type_class(type);
    const size_t nbytes = tsr_type_nbytes(type);
    return (class == 'R' || class == 'I' || class == 'U') && (nbytes == 4 || nbytes == 8);
}

/* Names of value types in NumPy and C: the name of Tessera is suggested for them. */
static const struct {
    const char *name;
    tsr_type type;
} other_names[] = {
    {"float64", TSR_F64},   {"double", TSR_F64},      {"float32", TSR_F32},  {"float", TSR_F32},
    {"int8", TSR_I8},       {"int16", TSR_I16},       {"int32", TSR_I32},    {"int64", TSR_I64},
    {"uint8", TSR_U8},      {"uint16", TSR_U16},      {"uint32", TSR_U32},   {"uint64", TSR_U64},
    {"complex64", TSR_C64}, {"complex128", TSR_C128}, {"bool", TSR_PATTERN}, {"float16", TSR_F16},
    {"half", TSR_F16},      {"bfloat16", TSR_BF16},
};

tsr_status tsr_type_parse(tsr_type *out, const char *text, tsr_error *err)
{
    *out = TSR_F64;
    for (tsr_type type = 0; type < TSR_NTYPES; type++)
        if (strcmp(text, types[type].name) == 0) {
            *out = type;
            return TSR_OK;
        }
    tsr_suggest suggest;
    tsr_suggest_begin(&suggest, text, strlen(text));
    for (tsr_type type = 0; type < TSR_NTYPES; type++)
        tsr_suggest_offer(&suggest, types[type].name);
    for (size_t i = 0; i < sizeof other_names / sizeof *other_names; i++)
        tsr_suggest_alias(&suggest, other_names[i].name, types[other_names[i].type].name);
    return tsr_suggest_fail(&suggest, TSR_ARGUMENT, 0, "value type", err);
}

bool tsr_value_add(tsr_type type, void *acc, const void *v)
{
    switch (type) {
#define ADD_R(ctype)               \
    {                              \
        ctype a, b;                \
        memcpy(&a, acc, sizeof a); \
        memcpy(&b, v, sizeof b);   \
        a += b;                    \
        memcpy(acc, &a, sizeof a); \
        return true;               \
    }
#define ADD_I(ctype)                                         \
    {                                                        \
        ctype a, b;                                          \
        memcpy(&a, acc, sizeof a);                           \
        memcpy(&b, v, sizeof b);                             \
        const bool fits = !__builtin_add_overflow(a, b, &a); \
        memcpy(acc, &a, sizeof a);                           \
        return fits;                                         \
    }
#define ADD_U ADD_I
#define ADD_C(ctype)              \
    {                             \
        ctype a[2], b[2];         \
        memcpy(a, acc, sizeof a); \
        memcpy(b, v, sizeof b);   \
        a[0] += b[0];             \
        a[1] += b[1];             \
        memcpy(acc, a, sizeof a); \
        return true;              \
    }
#define ADD_P(ctype)       \
    {                      \
        *(ctype *)acc = 1; \
        return true;       \
    }
#define ADD_RH(ctype)                                        \
    {                                                        \
        ctype a, b;                                          \
        memcpy(&a, acc, sizeof a);                           \
        memcpy(&b, v, sizeof b);                             \
        a = ctype##_of(ctype##_value(a) + ctype##_value(b)); \
        memcpy(acc, &a, sizeof a);                           \
        return true;                                         \
    }
#define X(name, text, ctype, nbytes, class) \
    case TSR_##name:                        \
        ADD_##class(ctype)
#include "types.def"
#undef X
    case TSR_NTYPES:
        break;
    }
    return false;
}

bool tsr_value_negate(tsr_type type, void *v)
{
    switch (type) {
#define NEGATE_R(ctype)          \
    {                            \
        ctype a;                 \
        memcpy(&a, v, sizeof a); \
        a = -a;                  \
        memcpy(v, &a, sizeof a); \
        return true;             \
    }
#define NEGATE_I(ctype)                              \
    {                                                \
        ctype a;                                     \
        memcpy(&a, v, sizeof a);                     \
        if (__builtin_sub_overflow((ctype)0, a, &a)) \
            return false;                            \
        memcpy(v, &a, sizeof a);                     \
        return true;                                 \
    }
#define NEGATE_U NEGATE_I /* only 0 can be negated */
#define NEGATE_C(ctype)         \
    {                           \
        ctype a[2];             \
        memcpy(a, v, sizeof a); \
        a[0] = -a[0];           \
        a[1] = -a[1];           \
        memcpy(v, a, sizeof a); \
        return true;            \
    }
#define NEGATE_P(ctype) return false;
#define NEGATE_RH(ctype)         \
    {                            \
        ctype a;                 \
        memcpy(&a, v, sizeof a); \
        a.bits ^= 0x8000;        \
        memcpy(v, &a, sizeof a); \
        return true;             \
    }
#define X(name, text, ctype, nbytes, class) \
    case TSR_##name:                        \
        NEGATE_##class(ctype)
#include "types.def"
#undef X
    case TSR_NTYPES:
        break;
    }
    return false;
}

void tsr_value_conjugate(tsr_type type, void *v)
{
    if (tsr_type_class(type) == 'C')
        tsr_value_negate(tsr_type_nbytes(type) == 16 ? TSR_F64 : TSR_F32,
                         (char *)v + tsr_type_nbytes(type) / 2);
}

/* Values are converted through the widest type of the source's class, one batch at a time. */
enum { BATCH = 256 };

typedef union wide {
    int64_t i[BATCH];
    uint64_t u[BATCH]; /* also for pattern, whose values are 1 */
    double r[BATCH];
    double c[BATCH][2];
} wide;

static void widen(wide *w, const void *src, tsr_type from, size_t n)
{
    switch (from) {
#define WIDEN_R(ctype)             \
    for (size_t i = 0; i < n; i++) \
        w->r[i] = (double)((const ctype *)src)[i];
#define WIDEN_I(ctype)             \
    for (size_t i = 0; i < n; i++) \
        w->i[i] = ((const ctype *)src)[i];
#define WIDEN_U(ctype)             \
    for (size_t i = 0; i < n; i++) \
        w->u[i] = ((const ctype *)src)[i];
#define WIDEN_C(ctype)                 \
    for (size_t i = 0; i < 2 * n; i++) \
        w->c[i / 2][i % 2] = (double)((const ctype *)src)[i];
#define WIDEN_P(ctype)             \
    for (size_t i = 0; i < n; i++) \
        w->u[i] = 1;
#define WIDEN_RH(ctype)            \
    for (size_t i = 0; i < n; i++) \
        w->r[i] = ctype##_value(((const ctype *)src)[i]);
#define X(name, text, ctype, nbytes, class) \
    case TSR_##name:                        \
        WIDEN_##class(ctype) break;
#include "types.def"
#undef X
    case TSR_NTYPES:
        break;
    }
}

/* 2^(value bits of ctype): an upper bound, exclusive, of its values. */
#define LIMIT(ctype) ((double)((uint64_t)1 << (8 * sizeof(ctype) - 1)) * ((ctype)-1 < 1 ? 1 : 2))

static inline bool is_integer(double v, double min, double limit)
{
    return v >= min && v < limit && v == trunc(v);
}

#define STORE(ctype, condition, value)          \
    {                                           \
        for (size_t i = 0; i < n; i++) {        \
            if (!(condition))                   \
                return i;                       \
            ((ctype *)dst)[i] = (ctype)(value); \
        }                                       \
        return n;                               \
    }
#define NARROW_R(ctype)                           \
    if (class == 'R')                             \
        STORE(ctype, true, w->r[i])               \
    else if (class == 'I')                        \
        STORE(ctype, true, w->i[i])               \
    else if (class == 'C')                        \
        STORE(ctype, w->c[i][1] == 0, w->c[i][0]) \
    else                                          \
        STORE(ctype, true, w->u[i])
#define NARROW_I(ctype)                                                                                  \
    if (class == 'R')                                                                                    \
        STORE(ctype, is_integer(w->r[i], -LIMIT(ctype), LIMIT(ctype)), w->r[i])                          \
    else if (class == 'I')                                                                               \
        STORE(ctype, (ctype)w->i[i] == w->i[i], w->i[i])                                                 \
    else if (class == 'C')                                                                               \
        STORE(ctype, w->c[i][1] == 0 && is_integer(w->c[i][0], -LIMIT(ctype), LIMIT(ctype)), w->c[i][0]) \
    else                                                                                                 \
        STORE(ctype, w->u[i] <= INT64_MAX && (ctype)w->u[i] == (int64_t)w->u[i], w->u[i])
#define NARROW_U(ctype)                                                                      \
    if (class == 'R')                                                                        \
        STORE(ctype, is_integer(w->r[i], 0, LIMIT(ctype)), w->r[i])                          \
    else if (class == 'I')                                                                   \
        STORE(ctype, w->i[i] >= 0 && (ctype)w->i[i] == (uint64_t)w->i[i], w->i[i])           \
    else if (class == 'C')                                                                   \
        STORE(ctype, w->c[i][1] == 0 && is_integer(w->c[i][0], 0, LIMIT(ctype)), w->c[i][0]) \
    else                                                                                     \
        STORE(ctype, (ctype)w->u[i] == w->u[i], w->u[i])
#define NARROW_C(ctype)                                                   \
    for (size_t i = 0; i < n; i++) {                                      \
        ((ctype *)dst)[2 * i] = class == 'R'   ? (ctype)w->r[i]           \
                                : class == 'I' ? (ctype)w->i[i]           \
                                : class == 'C' ? (ctype)w->c[i][0]        \
                                               : (ctype)w->u[i];          \
        ((ctype *)dst)[2 * i + 1] = class == 'C' ? (ctype)w->c[i][1] : 0; \
    }                                                                     \
    return n;
#define NARROW_P(ctype) \
    memset(dst, 1, n);  \
    return n;
#define NARROW_RH(ctype)                                                \
    for (size_t i = 0; i < n; i++) {                                    \
        const double v = class == 'R'   ? w->r[i]                       \
                         : class == 'I' ? (double)w->i[i]               \
                         : class == 'C' ? w->c[i][0]                    \
                                        : (double)w->u[i];              \
        const ctype half = ctype##_of(v);                               \
        const bool overflows = isinf(ctype##_value(half)) && !isinf(v); \
        if (overflows || (class == 'C' && !(w->c[i][1] == 0)))          \
            return i;                                                   \
        ((ctype *)dst)[i] = half;                                       \
    }                                                                   \
    return n;
/* Store values of class `class` as type `to`; returns how many values fit before the first that does not. */
static size_t narrow(void *dst, tsr_type to, const wide *w, char class, size_t n)
{
    switch (to) {
#define X(name, text, ctype, nbytes, class) \
    case TSR_##name:                        \
        NARROW_##class(ctype)
#include "types.def"
#undef X
    case TSR_NTYPES:
        break;
    }
    return n;
}

/* The error for value number `at` of n, which does not fit. */
static tsr_status does_not_fit(const void *value, tsr_type from, tsr_type to, uint64_t at, uint64_t n,
                               tsr_error *err)
{
    char text[TSR_VALUE_TEXT_NBYTES + 1];
    text[tsr_value_print(text, from, value)] = '\0';
    return tsr_fail(err, TSR_RANGE, "value %s (number %" PRIu64 " of %" PRIu64 ") does not fit %s", text,
                    at + 1, n, tsr_type_name(to));
}

tsr_status tsr_values_convert(void *dst, tsr_type to, const void *src, tsr_type from, uint64_t n,
                              tsr_error *err)
{
    const size_t to_nbytes = tsr_type_nbytes(to), from_nbytes = tsr_type_nbytes(from);
    if (n > 0 && to == from && tsr_type_class(to) != 'P') {
        memcpy(dst, src, n * to_nbytes);
        return TSR_OK;
    }
    wide w;
    for (uint64_t first = 0; first < n; first += BATCH) {
        const size_t batch = n - first < BATCH ? (size_t)(n - first) : BATCH;
        widen(&w, (const char *)src + first * from_nbytes, from, batch);
        const size_t nstored = narrow((char *)dst + first * to_nbytes, to, &w, tsr_type_class(from), batch);
        if (nstored < batch)
            return does_not_fit((const char *)src + (first + nstored) * from_nbytes, from, to,
                                first + nstored, n, err);
    }
    return TSR_OK;
}

/* Whether a value of one type may not fit the other. */
static bool may_not_fit(tsr_type to, tsr_type from)
{
    const char class = tsr_type_class(to);
    return class == 'I' || class == 'U' || (class == 'R' && tsr_type_class(from) == 'C') ||
           tsr_type_is_half(to);
}

static tsr_status check_fit(const tsr_array *values, tsr_type to, tsr_type from, tsr_error *err)
{
    _Alignas(16) unsigned char block[BATCH * TSR_MAX_VALUE_NBYTES];
    wide w;
    for (uint64_t first = 0; first < values->n; first += BATCH) {
        const size_t batch = values->n - first < BATCH ? (size_t)(values->n - first) : BATCH;
        const char *const src = (const char *)values->data + first * values->width;
        widen(&w, src, from, batch);
        const size_t nstored = narrow(block, to, &w, tsr_type_class(from), batch);
        if (nstored < batch)
            return does_not_fit(src + nstored * values->width, from, to, first + nstored, values->n, err);
    }
    return TSR_OK;
}

/* Make an array that the caller owns. */
static tsr_status convert_borrowed(tsr_array *values, tsr_type to, tsr_type from, tsr_error *err)
{
    tsr_array own;
    TSR_TRY(tsr_array_init(&own, values->n, tsr_type_nbytes(to), 0, "the converted values", err));
    const tsr_status status = tsr_values_convert(own.data, to, values->data, from, values->n, err);
    if (status == TSR_OK)
        *values = own;
    else
        tsr_array_clear(&own);
    return status;
}

tsr_status tsr_values_retype(tsr_array *values, tsr_type to, tsr_type from, tsr_error *err)
{
    const size_t to_nbytes = tsr_type_nbytes(to), from_nbytes = values->width;
    const uint64_t n = values->n, nbatches = n / BATCH + (n % BATCH != 0);
    wide w;
    if (to == from)
        return TSR_OK;
    if (values->borrowed)
        return convert_borrowed(values, to, from, err);
    if (may_not_fit(to, from))
        TSR_TRY(check_fit(values, to, from, err));
    if (to_nbytes > from_nbytes)
        TSR_TRY(tsr_array_resize(values, n, to_nbytes, "the converted values", err));
    for (uint64_t k = 0; k < nbatches;
         k++) { /* from the end where values grow, so that none is overwritten */
        const uint64_t first = (to_nbytes > from_nbytes ? nbatches - 1 - k : k) * BATCH;
        const size_t batch = n - first < BATCH ? (size_t)(n - first) : BATCH;
        widen(&w, (const char *)values->data + first * from_nbytes, from, batch);
        (void)narrow((char *)values->data + first * to_nbytes, to, &w, tsr_type_class(from), batch);
    }
    return to_nbytes < from_nbytes ? tsr_array_resize(values, n, to_nbytes, "the converted values", err)
                                   : TSR_OK;
}

size_t tsr_value_print(char *buf, tsr_type type, const void *v)
{
    _Alignas(16) char value[TSR_MAX_VALUE_NBYTES] = {0};
    memcpy(value, v, tsr_type_nbytes(type));
    wide w;
    w.c[0][0] = w.c[0][1] = 0;
    widen(&w, value, type, 1);
    const bool single = type == TSR_F32 || type == TSR_C64 || tsr_type_is_half(type);
    size_t n = 0;
    switch (tsr_type_class(type)) {
    case 'R':
        return single ? tsr_print_f32(buf, (float)w.r[0]) : tsr_print_f64(buf, w.r[0]);
    case 'I':
        return tsr_print_i64(buf, w.i[0]);
    case 'C':
        n = single ? tsr_print_f32(buf, (float)w.c[0][0]) : tsr_print_f64(buf, w.c[0][0]);
        buf[n++] = ' ';
        return n + (single ? tsr_print_f32(buf + n, (float)w.c[0][1]) : tsr_print_f64(buf + n, w.c[0][1]));
    default:
        return tsr_print_u64(buf, w.u[0]);
    }
}

tsr_type tsr_type_common(tsr_type a, tsr_type b)
{
    a = tsr_type_is_half(a) ? TSR_F32 : a;
    b = tsr_type_is_half(b) ? TSR_F32 : b;
    if (a == b || b == TSR_PATTERN)
        return a;
    if (a == TSR_PATTERN)
        return b;
    static const tsr_type by_width[4][4] = {/* by bytes of a component: 1, 2, 4, 8 */
                                            {TSR_U8, TSR_U16, TSR_U32, TSR_U64},
                                            {TSR_I8, TSR_I16, TSR_I32, TSR_I64},
                                            {TSR_F32, TSR_F32, TSR_F32, TSR_F64},
                                            {TSR_C64, TSR_C64, TSR_C64, TSR_C128}};
    static const char classes[] = "UIRC";
    const int ca = (int)(strchr(classes, tsr_type_class(a)) - classes);
    const int cb = (int)(strchr(classes, tsr_type_class(b)) - classes);
    size_t na = tsr_type_nbytes(a) / (ca == 3 ? 2 : 1), nb = tsr_type_nbytes(b) / (cb == 3 ? 2 : 1);
    if (ca < 2 && cb >= 2 && na == 4)
        na = 8;
    if (cb < 2 && ca >= 2 && nb == 4)
        nb = 8;
    const size_t n = na > nb ? na : nb;
    return by_width[ca > cb ? ca : cb][n == 8 ? 3 : n == 4 ? 2 : n == 2 ? 1 : 0];
}

bool tsr_type_is_double(tsr_type type)
{
    const char class = tsr_type_class(type);
    return class == 'R' || class == 'P' || (class != 'C' && tsr_type_nbytes(type) <= 4);
}
