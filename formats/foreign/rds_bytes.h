/* The bytes of an .rds file, decompressed: plain, gzip, bzip2 or xz, told by the first bytes. */
#ifndef RDS_BYTES_H
#define RDS_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tsr_error.h"

typedef struct tsr_r_bytes tsr_r_bytes;

/* TSR_IO; TSR_UNSUPPORTED: this build has no library for the compressor. */
tsr_status tsr_r_bytes_open(tsr_r_bytes **out, const char *path, tsr_error *err) TSR_NODISCARD;
/* Read the next n bytes. TSR_CORRUPT: the file ends before, or does not decompress. */
tsr_status tsr_r_bytes_take(tsr_r_bytes *bytes, void *out, size_t n, tsr_error *err) TSR_NODISCARD;
/* Pass over the next n bytes. TSR_CORRUPT, as reading them. */
tsr_status tsr_r_bytes_skip(tsr_r_bytes *bytes, uint64_t n, tsr_error *err) TSR_NODISCARD;
/* The number of bytes that were read or passed over. */
uint64_t tsr_r_bytes_place(const tsr_r_bytes *bytes);
void tsr_r_bytes_close(tsr_r_bytes *bytes);
/* Whether the numbers of the file, which are big-endian, must be swapped. */
bool tsr_r_must_swap(void);

#endif
