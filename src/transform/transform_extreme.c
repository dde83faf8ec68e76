/* tsr_transform_extremes: the smallest or largest value of each run of equal coordinates. */
#include "tsr_transform.h"
#include "tsr_half.h"

/* Whether entries a and b have the same coordinates. */
static bool same_place(const tsr_coo *coo, uint64_t a, uint64_t b)
{
    for (int m = 0; m < coo->order; m++)
        if (tsr_array_get(&coo->crd[m], a) != tsr_array_get(&coo->crd[m], b))
            return false;
    return true;
}

/* *to = v if v is beyond *to or NaN; a NaN in *to stays, as in NumPy. */
#define FOLD(ctype)                                              \
    do {                                                         \
        ctype *const acc = to;                                   \
        const ctype v = *(const ctype *)from;                    \
        const bool beyond = largest ? v > *acc : v < *acc;       \
        if (*acc == *acc && (beyond || v != v)) /* NaN != NaN */ \
            *acc = v;                                            \
    } while (0)

/* *to = the smaller (larger) of *to and *from. */
static void fold(tsr_type type, void *to, const void *from, bool largest)
{
    switch (type) {
#define FOLD_R(ctype) FOLD(ctype)
#define FOLD_I(ctype) FOLD(ctype)
#define FOLD_U(ctype) FOLD(ctype)
#define FOLD_C(ctype) FOLD(ctype)
#define FOLD_P(ctype) FOLD(ctype)
#define FOLD_RH(ctype)                                                                         \
    do {                                                                                       \
        const double a = ctype##_value(*(ctype *)to), v = ctype##_value(*(const ctype *)from); \
        const bool beyond = largest ? v > a : v < a;                                           \
        if (a == a && (beyond || v != v))                                                      \
            *(ctype *)to = *(const ctype *)from;                                               \
    } while (0)
#define X(name, text, ctype, nbytes, class) \
    case TSR_##name:                        \
        FOLD_##class(ctype);                \
        break;
#include "types.def"
#undef X
    default:
        break;
    }
}

tsr_status tsr_transform_extremes(tsr_coo *coo, bool largest, uint64_t ncells, tsr_error *err)
{
    static const double zero[2]; /* these bytes are the value 0 of every type */
    const char class = tsr_type_class(coo->type);
    if (class == 'C' || class == 'P')
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "cannot find the smallest or largest of values of type %s: they have no order",
                        tsr_type_name(coo->type));
    TSR_TRY(tsr_coo_repeat_value(coo, err));
    unsigned char *const values = coo->values.data;
    const size_t width = coo->values.width;
    uint64_t n = 0;
    for (uint64_t first = 0, e; first < coo->nnz; first = e) {
        for (int m = 0; m < coo->order; m++)
            tsr_array_set(&coo->crd[m], n, tsr_array_get(&coo->crd[m], first));
        memmove(values + n * width, values + first * width, width);
        for (e = first + 1; e < coo->nnz && same_place(coo, n, e); e++)
            fold(coo->type, values + n * width, values + e * width, largest);
        if (e - first < ncells)
            fold(coo->type, values + n * width, zero, largest);
        n++;
    }
    coo->nnz = coo->values.n = n;
    for (int m = 0; m < coo->order; m++)
        coo->crd[m].n = n;
    coo->natural = NULL;
    return TSR_OK;
}
