/* Random small TLA layouts, and a slow, simple computation of their offsets. */
#ifndef TLA_RANDOM_H
#define TLA_RANDOM_H

#include "tsr_test.h"
#include "tsr_tla.h"

typedef enum tla_kind {
    TLA_COMPACT, /* strides of a dense array, leaves in any order: a bijection onto [0, size) */
    TLA_GAPS,    /* the same with gaps of whole multiples: storable */
    TLA_ANY      /* any strides, including 0 */
} tla_kind;

/* 1 to 4 leaves of sizes 1..5, nested at random. */
tsr_tla tla_random(tsr_arena *arena, tsr_rng *rng, tla_kind kind);
/* The offset of linear coordinate c; the last leaf goes on past its size. */
int64_t tla_oracle(const tsr_tla *layout, int64_t c);
/* The layout's text in a static ring of buffers. */
const char *tla_text(const tsr_tla *layout);

/* The offsets of all coordinates (malloc), sorted. */
int64_t *tla_sorted_offsets(const tsr_tla *layout);
/* True when no two coordinates have one offset. */
bool tla_is_injective(const tsr_tla *layout);

#endif
