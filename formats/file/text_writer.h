/* What the text writers share: lines formatted on all threads, written in order. */
#ifndef TSR_TEXT_WRITER_H
#define TSR_TEXT_WRITER_H

#include "tsr_codec.h"
#include "tsr_output.h"

/* n items, each of which becomes at most max_nbytes of text. */
typedef struct tsr_text_job {
    uint64_t n;
    size_t max_nbytes;
    const void *ctx;
    /* The text of items [first, first + n) into buf; *nbytes tells its length. Called from several threads.
     */
    tsr_status (*format)(size_t *nbytes, char *buf, const void *ctx, uint64_t first, uint64_t n,
                         tsr_error *err);
} tsr_text_job;

/* How the entries of a coo become lines "i j k value". */
typedef struct tsr_entry_lines {
    const tsr_coo *coo;
    uint64_t base;       /* the first index: 1 or 0 */
    bool has_values;     /* else indices only */
    bool mark_reals;     /* integral reals are written "3.0", so that they read back as reals */
    tsr_structure write; /* general: the mirror image of each entry follows it; *_lower: entries of an upper
                            triangle are mirrored. Other than coo->structure only for symmetric ones */
} tsr_entry_lines;

/* The job that writes these lines (which must outlive it). */
tsr_text_job tsr_entry_lines_job(const tsr_entry_lines *lines);

/* Write the head and the job's items, whole or not at all. The bytes do not depend on options->nthreads.
 * *nbytes (may be NULL): bytes of the file. */
tsr_status tsr_text_write(const char *path, const tsr_text *head, const tsr_text_job *job,
                          const tsr_write_options *options, uint64_t *nbytes, tsr_error *err) TSR_NODISCARD;

/* TSR_UNSUPPORTED when absent entries are not 0, which no text format can say. */
tsr_status tsr_text_check_fill(const tsr_coo *coo, const char *codec, tsr_error *err) TSR_NODISCARD;

#endif
