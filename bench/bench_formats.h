/* The storage formats that are compared: what --format says, or what the advisor proposes. */
#ifndef BENCH_FORMATS_H
#define BENCH_FORMATS_H

#include "bench_case.h"

enum { BENCH_MAX_FORMATS = 64 };

typedef struct bench_formats {
    int n;
    tsr_text text[BENCH_MAX_FORMATS]; /* in a form that tsr_format_parse accepts */
} bench_formats;

/* Split "csf,coo,hicoo(128),csf:2,0,1" (commas inside parentheses, and those before a number, belong to a
 * format). NULL: coordinates, csr or csf, and the formats
 * that the advisor predicts to be the fastest (tsr_advice.h); "all": every named format. For `csf` alone the
 * order of modes that suits the case is added: first the modes of the result, then short ones first.
 * TSR_LIMIT. */
tsr_status bench_formats_init(bench_formats *out, const char *text, const bench_case *c,
                              tsr_error *err) TSR_NODISCARD;
/* The end of the format that begins at s, in such a list. */
const char *bench_format_end(const char *s);
void bench_formats_clear(bench_formats *formats);

/* The order of modes that suits the case as numbers (order entries). */
void bench_formats_modes(int *modes, const bench_case *c);

/* The format of the result for an operand in `format`: NULL (dense) if the result does not have many more
 * cells than the operand has entries; else a sparse format with the pattern of the operand, or with as many
 * of its levels as the result has modes. TSR_UNSUPPORTED if there is no such format. */
tsr_status bench_result_format(tsr_format **out, const bench_case *c, const tsr_format *format,
                               tsr_error *err) TSR_NODISCARD;

#endif
