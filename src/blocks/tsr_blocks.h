/* Kernels over an operand that is larger than memory: its file is read block by block, and each block's part of the statement is added to
 * the result, while the next block is read.
 *
 *     TSR_TRY(tsr_blocks_open(&blocks, "big.h5", NULL, &read, err));
 *     TSR_TRY(tsr_blocks_statement(&text, blocks, notation, a, err));   "Y(i,k) += A(i,j)*X(j,k)"
 *     TSR_TRY(tsr_blocks_first(&block, blocks, nbytes, err));           the operand for which the kernel is made
 *     ... tsr_kernel_new of the text, tsr_kernel_result ...
 *     TSR_TRY(tsr_blocks_run(blocks, &run, err));
 *
 * A block is a tensor of the dims of the operand that has only some of its entries: slices of the outermost level of a packed tensor that
 * is a permutation of its modes; of any other file, entries in the order of the file, as lists. */
#ifndef TSR_BLOCKS_H
#define TSR_BLOCKS_H

#include "tsr_feed.h"
#include "tsr_kernel.h"
#include "tsr_notation.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tsr_blocks tsr_blocks;

/* Open the file; codec NULL: by content. A text is read once before, since only its end tells the dims and the type. Errors: those of
 * tsr_feed_open; TSR_UNSUPPORTED: the file is read only as a whole, or has a fill value. */
tsr_status tsr_blocks_open(tsr_blocks **out, const char *path, const tsr_codec *codec,
                           const tsr_read_options *options, tsr_error *err) TSR_NODISCARD;
void tsr_blocks_free(tsr_blocks *blocks);
/* order, dims and type of the tensor in the file. */
const tsr_facts *tsr_blocks_about(const tsr_blocks *blocks);

/* Append the statement that adds a block's part to the result, where tensor t is in the file. TSR_UNSUPPORTED with the reason where the
 * result is not the sum (or the other reduction) of what blocks give; err->col. */
tsr_status tsr_blocks_statement(tsr_text *text, const tsr_blocks *blocks, const tsr_notation *notation, int t,
                                tsr_error *err) TSR_NODISCARD;
/* Read the first block. All blocks have about nbytes bytes at most, and the same format and widths of arrays. *block is borrowed until
 * tsr_blocks_run. TSR_LIMIT: one slice is larger. */
tsr_status tsr_blocks_first(const tsr_tensor **block, tsr_blocks *blocks, uint64_t nbytes,
                            tsr_error *err) TSR_NODISCARD;

typedef struct tsr_blocks_run_options {
    const tsr_kernel *kernel; /* of the statement */
    tsr_tensor *result;
    const tsr_tensor **operands; /* of the kernel; operands[in_file] is replaced by each block */
    int in_file;
    int nthreads;
    const tsr_observer *observer; /* phase "read", in bytes of the arrays, or entries */
} tsr_blocks_run_options;
/* Add all blocks to the result. Errors: those of reading and of tsr_kernel_run; the result is then not complete. */
tsr_status tsr_blocks_run(tsr_blocks *blocks, const tsr_blocks_run_options *run,
                          tsr_error *err) TSR_NODISCARD;
/* The number of blocks that were read. */
uint64_t tsr_blocks_count(const tsr_blocks *blocks);
/* Bytes for a block where `left` bytes may be taken. */
uint64_t tsr_blocks_nbytes(uint64_t left);

/* How many entries a sparse result has. */
typedef struct tsr_blocks_counter {
    const tsr_notation *notation;
    const tsr_tensor *const *operands; /* of the notation */
    int nthreads;
    /* *nnz: the number of entries of the result for these operands, which have the dims of the whole ones except for the first mode */
    tsr_status (*count)(uint64_t *nnz, void *arg, const tsr_tensor *const *operands, tsr_error *err);
    void *arg;
} tsr_blocks_counter;
/* *nnz: the sum of what count() says about blocks of rows of operands in memory; about the whole operands where the statement or a format
 * cannot be cut by rows. Memory: the result of a block, and of a block each operand that is cut. Errors: those of count, TSR_NOMEM. */
tsr_status tsr_blocks_count_entries(uint64_t *nnz, const tsr_blocks_counter *c, tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
