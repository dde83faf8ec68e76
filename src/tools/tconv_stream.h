/* Shared by the files of tconv for tensors larger than memory: tconv_stream.c converts, tconv_folder.c keeps the folder of temporary
 * files. */
#ifndef TSR_TCONV_STREAM_H
#define TSR_TCONV_STREAM_H

#include "tconv.h"
#include "tsr_folder.h"
#include "tsr_stream.h"

/* What happens to the entries on their way: symmetric matrices are expanded, then the transformations. */
typedef struct tsr_tconv_way {
    tsr_tconv_job *j;
    tsr_transform_pass *pass;
    tsr_stream_change change;
    bool expands;
} tsr_tconv_way;

/* A conversion. */
typedef struct tsr_tconv_conversion {
    tsr_tconv_job *j;
    tsr_tconv_way way;
    tsr_feed *feed;
    tsr_labels *labels;      /* names of the indices, or NULL */
    tsr_write_options write; /* with the labels */
    tsr_format *own;         /* of the input, where it was packed and its entries change */
    tsr_format *format;      /* NULL: the entries are written in the order in which they come */
    tsr_parts *parts;
    tsr_folder folder;
    bool shared; /* ranks have packed it together */
    bool joined; /* the folder was left by a join that was killed after its output was complete */
    tsr_ranks_stats share;
    tsr_text identity; /* empty: the run cannot be continued */
} tsr_tconv_conversion;

/* Describe the conversion in one line, which decides about its temporary files: a run continues only one with the same line. A run
 * that reads standard input, which has no name, size and time, has an empty line, and is not continued. */
tsr_status tsr_tconv_identify(tsr_tconv_conversion *c, tsr_error *err) TSR_NODISCARD;
/* Make the folder for temporary files, or take over the one that an earlier run has left. */
tsr_status tsr_tconv_make_folder(tsr_tconv_conversion *c, tsr_error *err) TSR_NODISCARD;
/* Remove the folder, or leave it for --resume after SIGTERM. Shards stay until they are joined. */
void tsr_tconv_end_folder(tsr_tconv_conversion *c, tsr_status status);
/* Whether the mark of a join that was killed after its output was complete belongs to this conversion. */
bool tsr_tconv_was_joined(const tsr_tconv_conversion *c);
/* The mark of a conversion that is not cut into shards: the join does all of it. */
bool tsr_tconv_is_whole(const tsr_tconv_conversion *c);
void tsr_tconv_mark_whole(const tsr_tconv_conversion *c);

#endif
