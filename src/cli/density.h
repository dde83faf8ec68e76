/* How many entries of a tensor fall into each cell of a grid over two of its modes, and pictures of that. */
#ifndef TSR_CLI_DENSITY_H
#define TSR_CLI_DENSITY_H

#include <stdbool.h>
#include <stdio.h>

#include "tsr_coo.h"

typedef struct tsr_density {
    int mode[2];     /* down, across; -1: the tensor has no such mode */
    uint64_t dim[2]; /* their dims (1 where there is no mode), at least 1 */
    uint32_t n[2];   /* rows and columns of the grid, each at most its dim */
    uint64_t *count; /* n[0] * n[1] entries, row by row, owned */
    uint64_t max;    /* the largest count */
    uint64_t total;
} tsr_density;

/* Count into a grid of n[0] by n[1] cells (less where a dim is smaller). mode[1] = -1: one column, and so on.
 * Index i of a dim falls into cell floor(i * n / dim). */
tsr_status tsr_density_init(tsr_density *density, const tsr_coo *coo, const int mode[2], const uint32_t n[2],
                            tsr_error *err) TSR_NODISCARD;
void tsr_density_clear(tsr_density *density);
/* A count on the logarithmic scale that both pictures use: 0 for one entry, 1 for the largest count (1 also
 * where all cells hold one entry). */
double tsr_density_shade(const tsr_density *density, uint64_t count);

enum { TSR_DENSITY_LINES = 12, TSR_DENSITY_COLUMNS = 48 };
/* The picture in characters, framed, with the modes and dims named; blocks of Unicode where `utf8`. The grid
 * has at most TSR_DENSITY_COLUMNS columns. */
void tsr_density_print(FILE *to, const tsr_density *density, bool utf8);
/* The grid that suits such a picture of a tensor with these two dims. */
void tsr_density_grid(uint32_t n[2], const uint64_t dim[2]);

/* The picture as a PNG file of about 800 by 800 pixels with axes, ticks, a scale and `title` above. Written
 * whole or not at all. density's grid decides the size of the cells: see tsr_spy_grid. */
tsr_status tsr_spy_write(const char *path, const tsr_density *density, const char *title,
                         tsr_error *err) TSR_NODISCARD;
/* The grid that suits such a picture of a tensor with these two dims. */
void tsr_spy_grid(uint32_t n[2], const uint64_t dim[2]);

#endif
