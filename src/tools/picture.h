/* Pictures of the density of a tensor: in characters, and as a PNG or SVG file. */
#ifndef TSR_CLI_PICTURE_H
#define TSR_CLI_PICTURE_H

#include <stdio.h>

#include "tsr_density.h"

/* A count on the logarithmic scale that both pictures use: 0 for one entry, 1 for the largest count (1 also
 * where all cells hold one entry). */
double tsr_density_shade(const tsr_density *density, uint64_t count);

enum { TSR_DENSITY_LINES = 12, TSR_DENSITY_COLUMNS = 48 };
/* The picture in characters, framed, with the modes and dims named; blocks of Unicode where `utf8`. The grid
 * has at most TSR_DENSITY_COLUMNS columns. */
void tsr_density_print(FILE *to, const tsr_density *density, bool utf8);
/* The grid that suits such a picture of a tensor with these two dims. */
void tsr_density_grid(uint32_t n[2], const uint64_t dim[2]);

/* The picture as an SVG file if the name ends with .svg, else as PNG, of about 800 by 800 pixels with axes, ticks, a scale and `title` above. Written
 * whole or not at all. density's grid decides the size of the cells: see tsr_spy_grid. */
tsr_status tsr_spy_write(const char *path, const tsr_density *density, const char *title,
                         tsr_error *err) TSR_NODISCARD;
/* Whether tsr_spy_write writes this file as SVG. */
bool tsr_spy_is_svg(const char *path);
/* The grid that suits such a picture of a tensor with these two dims. */
void tsr_spy_grid(uint32_t n[2], const uint64_t dim[2]);

#endif
