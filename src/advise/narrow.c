/* advise_narrowest: see advise_internal.h. Each thread reads a part of the values, and goes on to a wider type where one does not fit: what
 * the narrower types hold, the wider ones hold, too. */
#include <string.h>

#include "advise_internal.h"
#include "tsr_clones.h"
#include "tsr_parallel.h"

/* Types whose values another type may hold, and that type: PAIR(from, its C type, to, its C type, numbers of a value). */
#define PAIRS                             \
    PAIR(F64, double, F32, float, 1)      \
    PAIR(C128, double, C64, float, 2)     \
    PAIR(I16, int16_t, I8, int8_t, 1)     \
    PAIR(I32, int32_t, I8, int8_t, 1)     \
    PAIR(I32, int32_t, I16, int16_t, 1)   \
    PAIR(I64, int64_t, I8, int8_t, 1)     \
    PAIR(I64, int64_t, I16, int16_t, 1)   \
    PAIR(I64, int64_t, I32, int32_t, 1)   \
    PAIR(U16, uint16_t, U8, uint8_t, 1)   \
    PAIR(U32, uint32_t, U8, uint8_t, 1)   \
    PAIR(U32, uint32_t, U16, uint16_t, 1) \
    PAIR(U64, uint64_t, U8, uint8_t, 1)   \
    PAIR(U64, uint64_t, U16, uint16_t, 1) \
    PAIR(U64, uint64_t, U32, uint32_t, 1)

#define PAIR(from, wide, to, narrow, per)                          \
    TSR_CLONES static bool from##_as_##to(const void *p, size_t n) \
    {                                                              \
        const wide *const v = p;                                   \
        unsigned differ = 0;                                       \
        for (size_t i = 0; i < (per)*n; i++)                       \
            differ |= (wide)(narrow)v[i] != v[i];                  \
        return differ == 0;                                        \
    }
PAIRS
#undef PAIR

static const struct {
    tsr_type from, to;
    bool (*fits)(const void *values, size_t n);
} ways[] = {
#define PAIR(from, wide, to, narrow, per) {TSR_##from, TSR_##to, from##_as_##to},
    PAIRS
#undef PAIR
};
enum { NWAYS = sizeof ways / sizeof *ways, BLOCK = 4096 };

typedef struct narrowing {
    const char *values;
    tsr_type type;
    uint64_t n;
    int way
        [TSR_MAX_THREADS]; /* the first one that fits all values of the part; the number after those of the type: there is none */
} narrowing;

static void narrow_part(void *arg, int t, int nthreads)
{
    narrowing *const a = arg;
    const size_t nbytes = tsr_type_nbytes(a->type);
    const uint64_t end = tsr_cut(a->n, t + 1, nthreads);
    int *const way = &a->way[t];
    while (*way < NWAYS && ways[*way].from != a->type)
        ++*way;
    for (uint64_t first = tsr_cut(a->n, t, nthreads); first < end; first += BLOCK) {
        const size_t n = end - first < BLOCK ? (size_t)(end - first) : BLOCK;
        while (*way < NWAYS && ways[*way].from == a->type && !ways[*way].fits(a->values + first * nbytes, n))
            ++*way;
        if (*way == NWAYS || ways[*way].from != a->type)
            return;
    }
}

tsr_type advise_narrowest(const tsr_array *values, tsr_type type, int nthreads)
{
    narrowing a = {.values = values->data, .type = type, .n = values->n};
    int widest = 0;
    if (!values->data || values->n == 0 || values->width != tsr_type_nbytes(type))
        return type;
    tsr_parallel(nthreads, narrow_part, &a);
    for (int t = 0; t < nthreads; t++)
        widest = a.way[t] > widest ? a.way[t] : widest;
    return widest < NWAYS && ways[widest].from == type ? ways[widest].to : type;
}
