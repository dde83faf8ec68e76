/* Helpers for the tests of XLA's layouts. */
#ifndef XLA_SUPPORT_H
#define XLA_SUPPORT_H

#include "tsr_test.h"

#include "tsr_xla.h"

/* Parse, or fail the test with the message of the error; the caller frees. */
tsr_xla *xla_of(const char *text);
/* The canonical text, in a static ring of 4 buffers. */
const char *xla_text(const tsr_xla *xla);
/* The text appended by a builder, moved into the same ring; *text is cleared. */
const char *xla_take(tsr_text *text);
/* The integers in `s`, whatever text separates them: returns their number, at most n. */
int xla_ints(int64_t *out, int n, const char *s);
/* A random layout with small dims (at most 2000 slots): any order, up to 3 tiles, stars, tail. */
tsr_xla *xla_random(tsr_rng *rng);
/* Next element in row-major order; false after the last. Start with zeros. */
bool xla_next(int64_t *coords, const tsr_xla *xla);

#endif
