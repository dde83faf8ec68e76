/* What the generators share: where entries go. */
#ifndef GEN_INTERNAL_H
#define GEN_INTERNAL_H

#include "gen_fixed.h"
#include "tsr_gen.h"
#include "tsr_output.h"
#include "tsr_shape.h"

/* Entries in, lines of text out. */
typedef struct gen_sink {
    tsr_output *output;
    char *text; /* GEN_SINK_NBYTES, of which nbytes wait */
    size_t nbytes;
    tsr_gen_values values;
    bool has_values; /* else indices only */
    const tsr_observer *observer;
    uint64_t done, total; /* entries */
} gen_sink;

/* n entries with the same first coordinates (0-based) and these last ones, in order. Values come from
 * rng. */
tsr_status gen_sink_fiber(gen_sink *sink, tsr_shape prefix, const uint32_t *last, size_t n, gen_rng *rng,
                          tsr_error *err) TSR_NODISCARD;

/* The cells [first, end) of row i of a matrix. */
tsr_status gen_sink_range(gen_sink *sink, uint64_t i, uint64_t first, uint64_t end, gen_rng *rng,
                          tsr_error *err) TSR_NODISCARD;

/* All entries of a shape, or of an exact pattern. */
tsr_status gen_tree(gen_sink *sink, const tsr_gen_shape *shape, uint64_t seed, tsr_error *err) TSR_NODISCARD;
tsr_status gen_pattern(gen_sink *sink, const tsr_gen *gen, uint64_t seed, tsr_error *err) TSR_NODISCARD;
tsr_status gen_stencil(gen_sink *sink, const tsr_gen *gen, uint64_t seed, tsr_error *err) TSR_NODISCARD;
tsr_status gen_arrow(gen_sink *sink, const tsr_gen *gen, uint64_t seed, tsr_error *err) TSR_NODISCARD;
tsr_status gen_rmat(gen_sink *sink, const tsr_gen *gen, uint64_t seed, tsr_error *err) TSR_NODISCARD;
/* The number of entries of a stencil; UINT64_MAX where that is too large. */
uint64_t gen_stencil_nnz(const tsr_gen *gen);

/* Sort a[0..n), and drop what is equal: returns how many are left. spare has room for n. */
void gen_sort(uint32_t *a, size_t n, uint32_t *spare);
size_t gen_unique(uint32_t *a, size_t n);
/* Append to the n different sorted numbers a[0..n) of [lo, hi) `more` others, evenly spread over those that
 * are not there; n + more <= hi - lo. */
void gen_fill(uint32_t *a, size_t n, size_t more, uint64_t lo, uint64_t hi);

/* a * b, or UINT64_MAX where that is too large. */
static inline uint64_t gen_saturating_mul(uint64_t a, uint64_t b)
{
    return a != 0 && b > UINT64_MAX / a ? UINT64_MAX : a * b;
}

#endif
