/* What the Binsparse tests share: a packer and an unpacker that are slow, obvious and not the library's. */
#ifndef BSP_SUPPORT_H
#define BSP_SUPPORT_H

#include "tsr_test.h"

#include "tsr_codec.h"

extern const tsr_codec tsr_codec_binsparse;

/* Coordinates from text: entry after entry "i j k value", separated by blanks or newlines. */
tsr_coo *bsp_coo(int order, const uint64_t *dims, tsr_type type, const char *entries);
/* n random entries without duplicates (fewer when the box is small). */
tsr_coo *bsp_random(tsr_rng *rng, int order, const uint64_t *dims, tsr_type type, uint64_t n);
/* Pack into a format given as text; `width` of the level arrays: 0: 4 bytes, 1, 2, 4, 8: exactly these. The
 * coo stays. */
tsr_tensor *bsp_pack(const char *format, const tsr_coo *coo, size_t width);
/* All positions that are not padding, absent or equal to the fill under a dense leaf. */
tsr_coo *bsp_unpack(const tsr_tensor *tensor);

/* The same format, sizes, arrays and values, bit for bit; fails the test with what differs. */
void bsp_assert_same(const tsr_tensor *a, const tsr_tensor *b);
/* The same entries, whatever their order. */
void bsp_assert_entries(const tsr_coo *a, const tsr_coo *b);

/* Write, or fail the test. */
void bsp_write(const char *path, const tsr_tensor *tensor, int deflate, int nthreads);
/* Read, or fail the test. */
tsr_tensor *bsp_read(const char *path);

#endif
