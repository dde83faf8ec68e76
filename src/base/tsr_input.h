/* Text input at the speed of the disk or of inflation: blocks of whole lines from a plain file, a gzip file
 * (recognised by its magic number, all members, checksums verified) or standard input.
 *
 * Several threads may call tsr_input_next at once; each gets the next block. Reading and inflating happen
 * inside that call under a lock, so one thread inflates block k + 1 while another parses block k. */
#ifndef TSR_INPUT_H
#define TSR_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tsr_observer.h"
#include "tsr_text.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tsr_input tsr_input;

enum {
    TSR_INPUT_PADDING = 64,       /* zero bytes readable after a block's text */
    TSR_INPUT_MAX_LINE = 1 << 26, /* a longer line is refused: TSR_LIMIT */
};

typedef struct tsr_block {
    char *text;      /* nbytes of text that end with '\n' (added when the input lacks its last), then
                        TSR_INPUT_PADDING zero bytes; owned by the block, reused by the next call */
    size_t nbytes;   /* 0 at the end of the input */
    size_t capacity; /* of text */
    uint64_t index;  /* 0, 1, 2, ... in input order */
    uint64_t offset; /* of text[0] in the uncompressed input */
} tsr_block;         /* {0} to begin with; tsr_block_clear at the end */

/* Open `path` ("-": standard input). `block_nbytes` is how much text a block aims at (0: a good default).
 * observer (may be NULL) hears warnings (garbage behind the last gzip member), from the thread that calls
 * tsr_input_next, and must outlive the input. TSR_IO with the system's words when it cannot be opened, or is
 * a folder. */
tsr_status tsr_input_open(tsr_input **out, const char *path, size_t block_nbytes,
                          const tsr_observer *observer, tsr_error *err) TSR_NODISCARD;
/* The first bytes of the (uncompressed) input without consuming them: *n <= want, fewer only when the input
 * is shorter. Borrowed until the first tsr_input_next, after which it is a TSR_ARGUMENT. At most 64 KiB. */
tsr_status tsr_input_peek(const char **bytes, size_t *n, tsr_input *input, size_t want,
                          tsr_error *err) TSR_NODISCARD;
/* The next block of whole lines. TSR_IO (read fault), TSR_CORRUPT (truncated gzip, bad checksum, bad data),
 * TSR_LIMIT (line too long). After a failure every later call fails the same way. */
tsr_status tsr_input_next(tsr_block *block, tsr_input *input, tsr_error *err) TSR_NODISCARD;
void tsr_block_clear(tsr_block *block);

/* Bytes of the file (compressed size when it is) and how many were read so far; 0 when unknown (a pipe). */
uint64_t tsr_input_nbytes(const tsr_input *input);
uint64_t tsr_input_nbytes_read(const tsr_input *input);
bool tsr_input_is_gzip(const tsr_input *input);
/* An upper bound of the uncompressed text's length from what is known now: the file size for a plain file,
 * UINT64_MAX when unknown (gzip, a pipe). For checking a header's counts before they are believed. */
uint64_t tsr_input_max_text_nbytes(const tsr_input *input);
/* As given to tsr_input_open; "standard input" for "-". */
const char *tsr_input_path(const tsr_input *input);
void tsr_input_free(tsr_input *input);

/* Append all of the text of the file `path` ("-": standard input). TSR_LIMIT when it has more than
 * max_nbytes; else as tsr_input_open and tsr_input_next fail. */
tsr_status tsr_input_read(tsr_text *text, const char *path, uint64_t max_nbytes,
                          tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
