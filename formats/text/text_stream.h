/* Feeds (tsr_feed.h) of text whose lines are entries. */
#ifndef TEXT_STREAM_H
#define TEXT_STREAM_H

#include "text_reader.h"
#include "tsr_feed.h"

/* What was counted when the whole input was read. */
typedef struct tsr_text_counts {
    uint64_t nentries, nextra, nmirrored; /* see tsr_entry_block */
    /* All entries except the first are inside `size`, which the first line may mean, and size[order] is their number. */
    bool first_is_size;
} tsr_text_counts;

/* What a codec knows when it has read the header. */
typedef struct tsr_text_plan {
    tsr_columns columns; /* as tsr_entries has them */
    bool has_nnz;
    uint64_t nnz;
    bool has_type; /* the values are converted to this type */
    tsr_type type;
    bool has_size; /* the first entry, with its value, may mean these order + 1 numbers instead */
    uint64_t size[TSR_MAX_ORDER + 1];
    uint64_t first_line; /* the line of the first entry */
    /* Called when the whole input was read, for warnings; may be NULL. */
    tsr_status (*finish)(const tsr_text_counts *counts, const struct tsr_text_plan *plan, const char *path,
                         const tsr_read_options *options, tsr_error *err);
} tsr_text_plan;

/* A feed of the entries that follow in `lines`, which the feed takes over, on failure, too. The path and the
 * observer are borrowed. */
tsr_status tsr_text_stream_open(tsr_feed **out, tsr_lines *lines, const tsr_text_plan *plan,
                                const tsr_read_options *options, tsr_error *err) TSR_NODISCARD;

#endif
