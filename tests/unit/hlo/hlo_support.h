/* Compares index maps as functions. */
#ifndef HLO_SUPPORT_H
#define HLO_SUPPORT_H

#include "tsr_hlo.h"
#include "tsr_test.h"

/* Whether the point is in the map's domain. */
bool hlo_is_inside(const tsr_map *map, const int64_t *x);
/* Whether two maps are the same: equal when simplified without unused symbols; else with the same domain and
 * the same results at every point of their boxes, or at a sample of points if there are very many. */
bool hlo_same_map(const tsr_map *a, const tsr_map *b);
/* The same for a text, which may also be KNOWN EMPTY or `unknown indexing`. */
bool hlo_same_text(const tsr_hlo_index *index, const char *text);
/* Whether one of the ways equals the text. */
bool hlo_has_way(const tsr_hlo_indexing *ways, const char *text);
/* Print the expected text and all ways. */
void hlo_report(const tsr_hlo *hlo, const tsr_hlo_indexing *ways, const char *what, const char *want);

#endif
