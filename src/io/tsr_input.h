/* Text input at the speed of the disk or of inflation: blocks of whole lines from a plain file, from a gzip
 * file (recognised by its magic number; all members, with checksums checked) or from standard input.
 *
 * Several threads may call tsr_input_next at once; each call gets the next block. One call at a time reads and inflates,
 * and goes on with that for calls of other threads, so that one thread inflates block k + 1 while another thread parses
 * block k. */
#ifndef TSR_INPUT_H
#define TSR_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tsr_inflow.h"
#include "tsr_observer.h"
#include "tsr_text.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tsr_input tsr_input;

enum {
    TSR_INPUT_PADDING = 64,       /* zero bytes that can be read after the text of a block */
    TSR_INPUT_MAX_LINE = 1 << 26, /* a longer line is refused with TSR_LIMIT */
};

typedef struct tsr_block {
    /* nbytes of text that end with '\n' (which is added when the last line of the input lacks it), then
     * TSR_INPUT_PADDING zero bytes; owned by the block, reused by the next call */
    char *text;
    size_t nbytes;        /* 0 at the end of the input */
    size_t capacity;      /* allocated bytes of `text` */
    uint64_t index;       /* 0, 1, 2, ... in input order */
    uint64_t offset;      /* offset of text[0] in the uncompressed input */
    uint64_t file_nbytes; /* bytes of the file up to the end of this block, about */
} tsr_block;              /* start with {0}; free with tsr_block_clear */

/* Open `path` ("-": standard input). A block has about `block_nbytes` bytes of text (0: a good default).
 * observer (may be NULL) gets warnings (garbage after the last gzip member), from the thread that calls
 * tsr_input_next, and must outlive the input. TSR_IO with the system's text when `path` cannot be opened or
 * is a folder. */
tsr_status tsr_input_open(tsr_input **out, const char *path, size_t block_nbytes,
                          const tsr_observer *observer, tsr_error *err) TSR_NODISCARD;
/* The same for bytes that are not a file. `bytes` is copied; its name must outlive the input. TSR_NOMEM, and what `read` returns. */
tsr_status tsr_input_open_inflow(tsr_input **out, const tsr_inflow *bytes, size_t block_nbytes,
                                 const tsr_observer *observer, tsr_error *err) TSR_NODISCARD;
/* Whether the input is a file, which can be opened once more by its name. */
bool tsr_input_is_file(const tsr_input *input);
/* The first bytes of the (uncompressed) input, without consuming them: *n <= want, less only when the input
 * is shorter. `want` is at most 64 KiB. The bytes are borrowed until the first tsr_input_next; a call after
 * that is a TSR_ARGUMENT. */
tsr_status tsr_input_peek(const char **bytes, size_t *n, tsr_input *input, size_t want,
                          tsr_error *err) TSR_NODISCARD;
/* The next block of whole lines; block->nbytes = 0 at the end. TSR_IO (read error), TSR_CORRUPT (truncated
 * gzip, bad checksum, bad data), TSR_LIMIT (line too long). After a failure every later call fails the same
 * way. */
tsr_status tsr_input_next(tsr_block *block, tsr_input *input, tsr_error *err) TSR_NODISCARD;
void tsr_block_clear(tsr_block *block);
/* From now on a block may end after a blank (space, tab, CR) as well as after a newline: for texts of few, long lines. Before the
 * first block. */
void tsr_input_cut_words(tsr_input *input);

/* Whether tsr_input_seek works: the input is a plain regular file, opened by its name. */
bool tsr_input_can_seek(const tsr_input *input);
/* Go to the first line that begins at byte `first` or after it; the input ends before the first line that begins at
 * byte `end` or after it. So [0, a), [a, b)... give each line once. Later blocks have the offsets of the whole file, and
 * their index begins at 0 again. Clears the failure of an earlier call. No other thread may use the input meanwhile.
 * TSR_UNSUPPORTED where the input cannot seek; TSR_IO. */
tsr_status tsr_input_seek(tsr_input *input, uint64_t first, uint64_t end, tsr_error *err) TSR_NODISCARD;

/* The size of the file in bytes (compressed, if it is compressed), and the number of bytes read so far; 0
 * when unknown (a pipe). */
uint64_t tsr_input_nbytes(const tsr_input *input);
uint64_t tsr_input_nbytes_read(const tsr_input *input);
bool tsr_input_is_gzip(const tsr_input *input);
/* An upper bound of the length of the uncompressed text in bytes: the size of the file for a plain file,
 * UINT64_MAX when unknown (gzip, a pipe). Readers check the counts in a header against it before they
 * allocate. */
uint64_t tsr_input_max_text_nbytes(const tsr_input *input);
void tsr_input_free(tsr_input *input);

/* Append the whole text of the file `path` ("-": standard input). TSR_LIMIT when it has more than max_nbytes
 * bytes; other errors as tsr_input_open and tsr_input_next. */
tsr_status tsr_input_read(tsr_text *text, const char *path, uint64_t max_nbytes,
                          tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
