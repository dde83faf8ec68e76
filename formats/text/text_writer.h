/* Support for text writers: lines are formatted on all threads and written in order. */
#ifndef TSR_TEXT_WRITER_H
#define TSR_TEXT_WRITER_H

#include "tsr_codec.h"
#include "tsr_output.h"
#include "tsr_feed.h"

/* n items, each of which becomes at most max_nbytes of text. */
typedef struct tsr_text_job {
    uint64_t n;
    size_t max_nbytes;
    const void *ctx;
    /* Write the text of items [first, first + n) to buf and its length to *nbytes. Called from several
     * threads. */
    tsr_status (*format)(size_t *nbytes, char *buf, const void *ctx, uint64_t first, uint64_t n,
                         tsr_error *err);
} tsr_text_job;

/* How entries are written as lines "i j k value". */
typedef struct tsr_entry_lines {
    const tsr_coo *coo;
    const tsr_text *head; /* tsr_text_write_entries: what stands before the lines */
    uint64_t base;        /* the first index: 1 or 0 */
    bool has_values;      /* false: indices only */
    bool mark_reals;      /* whole reals are written "3.0", so that they are read back as reals */
    tsr_structure write;  /* for a coo that stores a triangle: general: each entry is followed by its mirror
                          * image; *_lower: entries of an upper triangle are mirrored */
} tsr_entry_lines;

/* The job that writes these lines; `lines` is borrowed and must outlive the job. */
tsr_text_job tsr_entry_lines_job(const tsr_entry_lines *lines);

/* Whether the entries determine the dims: the largest coordinate of each mode is dim - 1. */
bool tsr_entries_tell_dims(const tsr_coo *coo);
/* Warn that a file without dims loses these, and what to do: "use --dims when the file is read". */
void tsr_warn_lost_dims(const char *path, tsr_shape shape, const char *advice,
                        const tsr_write_options *options);

/* Write a file with the head and the items of the job, whole or not at all. The bytes do not depend on
 * options->nthreads. *nbytes (may be NULL): bytes of the file. */
tsr_status tsr_text_write(const char *path, const tsr_text *head, const tsr_text_job *job,
                          const tsr_write_options *options, uint64_t *nbytes, tsr_error *err) TSR_NODISCARD;

/* What a pass over the entries of a feed finds. */
typedef struct tsr_entry_counts {
    uint64_t nentries, ndiagonal; /* ndiagonal: entries (i, i) of a matrix */
    uint64_t max[TSR_MAX_ORDER];  /* largest coordinates */
} tsr_entry_counts;
/* Count, and go back to the beginning. */
tsr_status tsr_entry_count(tsr_entry_counts *counts, tsr_feed *feed, tsr_error *err) TSR_NODISCARD;
/* The same as tsr_text_write for the entries of a feed, whose runs have the final type. lines->coo is not used. */
tsr_status tsr_text_write_entries(const char *path, tsr_feed *feed, const tsr_entry_lines *lines,
                                  const tsr_write_options *options, uint64_t *nbytes,
                                  tsr_error *err) TSR_NODISCARD;

/* TSR_UNSUPPORTED where the fill is not 0, which text formats cannot express. */
tsr_status tsr_text_check_fill(const tsr_coo *coo, const char *codec, tsr_error *err) TSR_NODISCARD;

#endif
