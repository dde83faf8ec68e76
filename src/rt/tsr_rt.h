/* What a generated kernel may use besides C itself is in the headers of this folder, which are self-contained and are
 * pasted piece by piece into each kernel: here the entry point and the types of its arguments, which the library
 * uses too; operations on values in tsr_rt_values.h, arrays and outputs in tsr_rt_arrays.h, rows of sparse
 * operands in tsr_rt_rows.h.
 *
 * A piece begins with a line "piece NAME: description", which may list other pieces and headers that the
 * piece needs ("piece NAME (OTHER, <stdlib.h>): ..."), and ends before the next such line. The text before
 * the first piece of a file, and the piece "end", are never pasted. src/emit/pieces.def lists the pieces in the order
 * in which they are pasted. */
#ifndef TSR_RT_H
#define TSR_RT_H

#include <stdint.h>

/* piece TSR_RT_APART: A function that is not inlined into its callers, so that it is compiled once. */
#if defined(__GNUC__)
#define TSR_RT_APART __attribute__((noinline, unused))
#else
#define TSR_RT_APART
#endif

/* piece tsr_rt_entry (TSR_RT_APART, <stdint.h>): The uniform entry point: an argument is n for an index, else data. The
 * kernel is not inlined into it, since inlining would lose the restrict of its pointers. */
typedef struct tsr_rt_arg {
    int64_t n;
    void *data;
} tsr_rt_arg;
typedef int tsr_rt_function(const tsr_rt_arg *args);

/* piece tsr_rt_output (<stdint.h>): An array of n elements that the function allocates and the caller frees
 * with free(). */
#ifndef TSR_RT_OUTPUT
#define TSR_RT_OUTPUT
typedef struct tsr_rt_output {
    void *data;
    int64_t n;
} tsr_rt_output;
#endif

/* piece tsr_rt_limit (<stdint.h>): allows: asked before memory for n more elements of an output is taken, by any thread: 0 when
 * it may not be. reuse: a block from malloc that becomes this output's, so that the system need not make its pages again; NULL: there
 * is no block. room: the number of elements that are likely to be needed; afterwards, the number that the block has room for. copy: copies bytes of a piece to a block of
 * block_nbytes bytes, which the caller does not read soon. reuse and copy may be absent. */
typedef struct tsr_rt_limit {
    int (*allows)(struct tsr_rt_limit *limit, int64_t n, uint64_t element_nbytes);
    void *(*reuse)(struct tsr_rt_limit *limit, const void *output, int64_t *room, uint64_t element_nbytes);
    void (*copy)(struct tsr_rt_limit *limit, void *to, const void *from, uint64_t nbytes,
                 uint64_t block_nbytes);
} tsr_rt_limit;

/* piece end */
#endif
