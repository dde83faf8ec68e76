/* A second implementation of map texts, independent of src/map: it stores the text and evaluates it for each
 * point. It assumes that the text is well formed. */
#ifndef MAP_ORACLE_H
#define MAP_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

#include "tsr_map.h"

typedef struct map_oracle {
    int nvars, ndims, nresults, nconstraints;
    char names[64][24];
    int64_t lo[64], hi[64];  /* bounds of the variables; INT64_MIN, INT64_MAX: unbounded */
    const char *results[64]; /* into the text */
    const char *constraints[32];
    int64_t con_lo[32], con_hi[32];
} map_oracle;

/* The text must outlive the oracle. */
void map_oracle_read(map_oracle *oracle, const char *text);
int64_t map_oracle_result(const map_oracle *oracle, int r, const int64_t *vars);
/* Whether the point is in the domain: bounds and constraints. */
bool map_oracle_inside(const map_oracle *oracle, const int64_t *vars);

/* Walk the points of the box [lo, hi] of n variables: all points if there are at most `max`, else a seeded
 * sample of that size. */
typedef struct map_box {
    int n;
    int64_t lo[64], hi[64];
    uint64_t max, count, seed;
    bool all;
    int64_t x[64]; /* the point */
} map_box;
/* The box of the oracle's bounds; variables without bounds get [-20, 20]. */
void map_box_init(map_box *box, const map_oracle *oracle, uint64_t max);
/* Go to the next (first: to the first) point; false at the end. */
bool map_box_next(map_box *box);

/* The text of a map; the caller frees. */
char *map_text_of(const tsr_map *map);
/* Fail the test unless the maps of these texts have the same domain inside the box of `a` and the same values
 * there; compares at most MAP_MAX_POINTS points. */
enum { MAP_MAX_POINTS = 2000 };
void map_check_same(const char *a, const char *b, const char *about);

#endif
