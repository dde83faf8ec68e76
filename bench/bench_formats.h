/* The storage formats that are compared: what --format says, or those that suit the kernel. */
#ifndef BENCH_FORMATS_H
#define BENCH_FORMATS_H

#include "bench_case.h"

enum { BENCH_MAX_FORMATS = 64 };

typedef struct bench_formats {
    int n;
    tsr_text text[BENCH_MAX_FORMATS]; /* in a form that tsr_format_parse accepts */
} bench_formats;

/* Split "csf,coo,hicoo(128),csf:2,0,1" (commas inside parentheses, and those before a number, belong to a
 * format). NULL: formats that suit a tensor of this order; "all": every named format. For `csf` alone the
 * order of modes that suits the case is added: first the modes of the result, then short ones first.
 * TSR_LIMIT. */
tsr_status bench_formats_init(bench_formats *out, const char *text, const bench_case *c,
                              tsr_error *err) TSR_NODISCARD;
/* The end of the format that begins at s, in such a list. */
const char *bench_format_end(const char *s);
void bench_formats_clear(bench_formats *formats);

/* Columns of the blocks of csbc that are measured: 256 kB of a vector of f64. */
enum { BENCH_CSBC_COLUMNS = 1 << 15 };
/* The rows of these blocks, 2^11 to 2^16: the largest number for which the parts of both vectors that belong to a block have at most
 * nbytes (tsr_tuning.block_nbytes), with at least four blocks of a matrix of nrows rows for each thread. */
uint64_t bench_csbc_rows(uint64_t nrows, uint64_t nbytes, int nthreads);

/* The width of the strips that are measured, 2^8 to 2^14 and at most the size of the mode that is cut: the rows of a strip, of
 * row_nbytes, take at most half of nbytes (tsr_tuning.block_nbytes), but a strip of a tensor with nnz entries has at least about
 * three entries for each row of the first mode, six if row_nbytes is at most 128. dims: the sizes of the first mode and of the one that is cut. */
uint64_t bench_strip_width(const uint64_t *dims, uint64_t nnz, double row_nbytes, uint64_t nbytes);

/* The width of the strips of tiled CSF that are measured, 2^8 to 2^11: the rows of a strip, of row_nbytes, take at most a sixteenth
 * of nbytes (tsr_tuning.block_nbytes), or the width is 2^8. */
uint64_t bench_tile_width(double row_nbytes, uint64_t nbytes);

/* The same order of modes as numbers (order entries). */
void bench_formats_modes(int *modes, const bench_case *c);

/* The format of the result for an operand in `format`: NULL (dense) if the result does not have many more
 * cells than the operand has entries; else a sparse format with the pattern of the operand, or with as many
 * of its levels as the result has modes. TSR_UNSUPPORTED if there is no such format. */
tsr_status bench_result_format(tsr_format **out, const bench_case *c, const tsr_format *format,
                               tsr_error *err) TSR_NODISCARD;

#endif
