/* Pictures in characters: see picture.h. */
#include "picture.h"

#include <math.h>
#include <string.h>

double tsr_density_shade(const tsr_density *density, uint64_t count)
{
    return density->max > 1 ? log((double)count) / log((double)density->max) : 1;
}

void tsr_density_print(FILE *to, const tsr_density *density, bool utf8)
{
    static const char *const ascii[] = {".", ":", "+", "#"};
    static const char *const blocks[] = {"\u2591", "\u2592", "\u2593", "\u2588"};
    const char *const *const ramp = utf8 ? blocks : ascii;
    const int wide =
        2 * density->n[1] <= TSR_DENSITY_COLUMNS ? 2 : 1; /* characters are twice as high as wide */
    char frame[TSR_DENSITY_COLUMNS + 1];
    memset(frame, '-', sizeof frame);

    fprintf(to, "mode %d down (%llu)", density->mode[0], (unsigned long long)density->dim[0]);
    if (density->mode[1] >= 0)
        fprintf(to, ", mode %d across (%llu)", density->mode[1], (unsigned long long)density->dim[1]);
    fprintf(to, "\n+%.*s+\n", wide * (int)density->n[1], frame);
    for (uint32_t r = 0; r < density->n[0]; r++) {
        fputc('|', to);
        for (uint32_t c = 0; c < density->n[1]; c++) {
            const uint64_t count = density->count[(size_t)r * density->n[1] + c];
            const int shade = (int)(tsr_density_shade(density, count ? count : 1) * 3.999);
            for (int k = 0; k < wide; k++)
                fputs(count ? ramp[shade] : " ", to);
        }
        fputs("|\n", to);
    }
    fprintf(to, "+%.*s+", wide * (int)density->n[1], frame);
    if (density->max > 1)
        fprintf(to, " %s 1 to %s %llu entries in a cell", ramp[0], ramp[3], (unsigned long long)density->max);
    fputc('\n', to);
}

void tsr_density_grid(uint32_t n[2], const uint64_t dim[2])
{
    const double across = 2.0 * TSR_DENSITY_LINES * ((double)dim[1] / (double)dim[0]);
    n[0] = TSR_DENSITY_LINES;
    n[1] = across < TSR_DENSITY_LINES     ? TSR_DENSITY_LINES
           : across > TSR_DENSITY_COLUMNS ? TSR_DENSITY_COLUMNS
                                          : (uint32_t)across;
    if (2 * dim[1] <= TSR_DENSITY_COLUMNS)
        n[1] = (uint32_t)dim[1];
}
