/* What the TLA files share: the leaves of layouts as a flat list, and constructors that keep the marks of
 * static integers. */
#ifndef TLA_INTERNAL_H
#define TLA_INTERNAL_H

#include "tsr_tla.h"

/* ---- tuples ---- */

/* The same as tsr_tuple_int, with the mark. */
tsr_status tsr_tuple_leaf(const tsr_tuple **out, tsr_arena *arena, int64_t v, bool is_static, tsr_error *err);
/* The tuple `_`. */
tsr_status tsr_tuple_any(const tsr_tuple **out, tsr_arena *arena, tsr_error *err);
/* Entry i; an integer is its own entry 0. */
const tsr_tuple *tsr_tuple_at(const tsr_tuple *tuple, int i);
/* The product of all leaves of a tuple; the caller knows that it fits. */
int64_t tsr_tuple_size_of(const tsr_tuple *tuple);
/* Whether all leaves are static integers. */
bool tsr_tuple_is_static(const tsr_tuple *tuple);

enum { TSR_TUPLE_SHOWN_NBYTES = 120 };
/* Write the text of a tuple for an error, cut with "..." if long, into buf; returns buf. */
const char *tsr_tuple_show(char *buf, const tsr_tuple *tuple);
/* The same for a layout. */
const char *tsr_tla_show(char *buf, const tsr_tla *layout);

/* TSR_RANGE unless c is a linear coordinate of the shape. */
tsr_status tsr_crd_check(int64_t c, const tsr_tuple *shape, tsr_error *err);
/* Fail because the structures of the coordinate and the shape do not match. */
tsr_status tsr_crd_unfit(const tsr_tuple *coord, const tsr_tuple *shape, tsr_error *err);

/* ---- layouts ---- */

/* Mode i, without origin; if the shape is an integer, the layout is its own mode 0. */
tsr_tla tsr_tla_at(const tsr_tla *layout, int i);

/* A leaf of a layout: shape:stride. */
typedef struct tsr_tla_leaf {
    int64_t shape, stride;
    bool is_static; /* both integers are static */
} tsr_tla_leaf;

/* A layout without nesting: its leaves, the fastest first. There is room for one more leaf than a layout has,
 * for the last mode of a complement. */
typedef struct tsr_tla_flat {
    int n;
    tsr_tla_leaf leaf[TSR_TLA_MAX_LEAVES + 1];
} tsr_tla_flat;

void tsr_tla_leaves(tsr_tla_flat *flat, const tsr_tla *layout);
/* Merge neighbouring leaves that continue each other and drop leaves of size 1 (keep_last: but not the last
 * leaf), in place; if no leaf is left, the result is one leaf 1:0. */
void tsr_tla_flat_coalesce(tsr_tla_flat *flat, bool keep_last);
/* A layout from one leaf; from a list: its only leaf, or the tuple of its leaves. */
tsr_status tsr_tla_from_leaf(tsr_tla *out, tsr_arena *arena, tsr_tla_leaf leaf, tsr_error *err);
tsr_status tsr_tla_from_flat(tsr_tla *out, tsr_arena *arena, const tsr_tla_flat *flat, tsr_error *err);

/* a after the layout b, with the structure of b. */
tsr_status tsr_tla_compose_whole(tsr_tla *out, tsr_arena *arena, const tsr_tla *a, const tsr_tla *b,
                                 tsr_error *err);

/* Apply the operation to each mode with its tiler from a list; modes beyond the end of the list stay as they
 * are. */
typedef tsr_status tsr_tla_operation(tsr_tla *out, tsr_arena *arena, const tsr_tla *layout,
                                     const tsr_tiler *tiler, tsr_error *err);
tsr_status tsr_tla_by_mode(tsr_tla *out, tsr_arena *arena, const tsr_tla *layout, const tsr_tiler *list,
                           tsr_tla_operation *operation, tsr_error *err);

#endif
