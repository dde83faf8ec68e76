/* Entries of a text in pieces, for codecs that open a file to read it so (tsr_reader.h). A codec reads the
 * header as tsr_entries_read needs it; then each piece is a block of lines. One block for each thread is in
 * memory. */
#ifndef TEXT_PIECES_H
#define TEXT_PIECES_H

#include "text_reader.h"
#include "tsr_reader.h"

/* Facts about all entries, for the codec at the end. */
typedef struct tsr_text_totals {
    uint64_t nnz;
    uint64_t max[TSR_MAX_ORDER];  /* the largest coordinate of each mode */
    uint64_t rest[TSR_MAX_ORDER]; /* the same without the first entry */
    bool has_zero;                /* a coordinate is 0 */
    uint64_t nextra, nmirrored;   /* see tsr_entry_block */
} tsr_text_totals;

/* What a codec fills before it calls tsr_text_pieces_open. */
typedef struct tsr_text_pieces {
    tsr_lines lines;          /* open, at the first entry */
    tsr_entries entries;      /* columns, has_nnz, nnz as for tsr_entries_read */
    tsr_read_options options; /* a copy */
    bool has_type;            /* convert the values to `type` */
    tsr_type type;
    bool square; /* both modes get the larger of the dims */
    void *head;  /* of the codec; owned, freed with tsr_free */
    /* Called after the last piece, to warn or refuse; may be NULL. */
    tsr_status (*finish)(const struct tsr_text_pieces *pieces, const tsr_text_totals *totals, tsr_error *err);
} tsr_text_pieces;

/* A new one with the file open and the options copied; free it with tsr_text_pieces_open or
 * tsr_text_pieces_free. */
tsr_status tsr_text_pieces_new(tsr_text_pieces **out, const char *path, const tsr_read_options *options,
                               tsr_error *err) TSR_NODISCARD;
void tsr_text_pieces_free(tsr_text_pieces *pieces);
/* Make a source of the pieces, which it owns also after a failure, and fill the info. */
tsr_status tsr_text_pieces_open(tsr_reader_source *out, tsr_reader_info *info, tsr_text_pieces *pieces,
                                tsr_error *err) TSR_NODISCARD;

#endif
