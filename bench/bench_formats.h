/* The storage formats that are compared: what --format says, or those that suit the kernel. */
#ifndef BENCH_FORMATS_H
#define BENCH_FORMATS_H

#include "bench_case.h"

enum { BENCH_MAX_FORMATS = 64 };

typedef struct bench_formats {
    int n;
    tsr_text text[BENCH_MAX_FORMATS]; /* as tsr_format_parse takes them */
} bench_formats;

/* Take "csf,coo,hicoo(128),csf:2,0,1" apart (commas inside parentheses, and those before a number, belong to
 * the format); NULL: those that suit a tensor of this order; "all": every named format. `csf` alone is put
 * into the order of modes that suits the case: those of the result first, then short ones first. TSR_LIMIT.
 */
tsr_status bench_formats_init(bench_formats *out, const char *text, const bench_case *c,
                              tsr_error *err) TSR_NODISCARD;
void bench_formats_clear(bench_formats *formats);

/* Append ":1,0,2", the order of the sparse operand's modes that suits the case: those of the result first,
 * then short ones first. Nothing where that is the modes' own. */
void bench_formats_add_modes(tsr_text *to, const bench_case *c);
/* These modes (order entries). */
void bench_formats_modes(int *modes, const bench_case *c);

/* The format of the result that goes with `format` of the sparse operand: NULL (dense) where the result has
 * not many more cells than entries; else with the operand's pattern, or as many of its levels as the result
 * has. TSR_UNSUPPORTED where there is no such format. */
tsr_status bench_result_format(tsr_format **out, const bench_case *c, const tsr_format *format,
                               tsr_error *err) TSR_NODISCARD;

#endif
