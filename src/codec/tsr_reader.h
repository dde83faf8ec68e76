/* Reading a file in pieces: entries in blocks, in the order of the file, for tensors that are larger than
 * memory. A reader that is `bounded` holds a few blocks of text, or the pointers of a matrix and a few blocks
 * of the other arrays. Where a codec cannot read in pieces, the reader reads the whole tensor when it is
 * opened, and gives pieces of that.
 *
 *     tsr_reader *reader;
 *     tsr_piece piece;
 *     TSR_TRY(tsr_reader_open(&reader, path, NULL, &options, err));
 *     while ((status = tsr_reader_next(&piece, reader, err)) == TSR_OK && piece.n > 0)
 *         use(&piece);
 *     dims = tsr_reader_about(reader)->dims;
 *     tsr_reader_free(reader);
 *
 * All pieces together are the entries that tsr_read gives (before symmetry is expanded), in the same order. */
#ifndef TSR_READER_H
#define TSR_READER_H

#include "tsr_codec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is known of the tensor. */
struct tsr_reader_info {
    const tsr_codec *codec;
    bool bounded; /* memory does not grow with the number of entries */
    int order;
    bool has_dims;                /* the dims are known; after the last piece always */
    uint64_t dims[TSR_MAX_ORDER]; /* every coordinate of a piece is below them where has_dims */
    bool has_nnz;                 /* the number of entries is known; after the last piece always */
    uint64_t nnz;
    tsr_type type; /* of the values; see tsr_piece.type */
    tsr_structure structure;
    bool has_fill;
    unsigned char fill[TSR_MAX_VALUE_NBYTES];
};

/* Some entries; borrowed until the next call for the reader. */
typedef struct tsr_piece {
    uint64_t n;                         /* entries; 0 after the last one */
    const uint64_t *crd[TSR_MAX_ORDER]; /* n coordinates for each mode, from 0 on */
    bool iso;                           /* all entries have the value values[0] */
    const void *values;                 /* n values (iso: one) */
    /* The type of these values: that of the reader, except for a text whose values are integers up to some
     * entry. There the pieces have i64 first and f64 later, and after the last piece the type of the reader
     * is i64 if no value was real, else f64 (then convert the pieces of i64, as tsr_read does). */
    tsr_type type;
} tsr_piece;

typedef struct tsr_reader tsr_reader;

/* Open `path` with the codec, or with the one found by content when codec is NULL. options may be NULL: all
 * zero. Errors: those of tsr_read. */
tsr_status tsr_reader_open(tsr_reader **out, const char *path, const tsr_codec *codec,
                           const tsr_read_options *options, tsr_error *err) TSR_NODISCARD;
/* What is known of the tensor so far; borrowed. */
const tsr_reader_info *tsr_reader_about(const tsr_reader *reader);
/* The next entries; out->n = 0 after the last one. Errors: those of tsr_read; after a failure every later
 * call fails the same way. */
tsr_status tsr_reader_next(tsr_piece *out, tsr_reader *reader, tsr_error *err) TSR_NODISCARD;
/* Close the file and free the reader. NULL is fine. */
void tsr_reader_free(tsr_reader *reader);

/* ---- for codecs ---- */

/* What tsr_codec.open makes: `next` and `close` get `state`. `next` may change the info (dims, nnz, type) with
 * the last piece. A codec that cannot read this file in pieces leaves the source empty, if it has not read anything
 * from options->input. */
struct tsr_reader_source {
    void *state;
    tsr_status (*next)(tsr_piece *out, tsr_reader_info *info, void *state, tsr_error *err);
    void (*close)(void *state);
    tsr_data whole; /* instead of these: the tensor, which the codec could not read in pieces */
};

#ifdef __cplusplus
}
#endif
#endif
