/* CRC-32C (Castagnoli, polynomial 0x1EDC6F41, reflected): of chunks of Zarr, of records of TensorFlow. */
#ifndef CRC32C_H
#define CRC32C_H

#include <stdint.h>

uint32_t tsr_crc32c(const unsigned char *p, uint64_t n);

#endif
