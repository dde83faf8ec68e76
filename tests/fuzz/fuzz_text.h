/* What fuzz_mtx, fuzz_tns and fuzz_edges share. */
#ifndef FUZZ_TEXT_H
#define FUZZ_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Read the bytes with the codec, in one block on one thread and in small blocks on several: the result or the
 * fault must be the same; what was read must pass its check, and what is written of it must read back equal.
 * The number of bytes chooses options, threads and the size of the blocks. */
int tsr_fuzz_text_codec(const char *codec_name, const uint8_t *data, size_t nbytes);

#endif
