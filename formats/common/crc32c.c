/* Checksums: see crc32c.h. */
#include "crc32c.h"

/* Four bits at a time. */
uint32_t tsr_crc32c(const unsigned char *p, uint64_t n)
{
    static const uint32_t table[16] = {0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1, 0x417b1dbc, 0x5125dad3,
                                       0x61c69362, 0x7198540d, 0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9,
                                       0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75};
    uint32_t crc = UINT32_MAX;
    for (uint64_t i = 0; i < n; i++) {
        crc = crc >> 4 ^ table[(crc ^ p[i]) & 15];
        crc = crc >> 4 ^ table[(crc ^ p[i] >> 4) & 15];
    }
    return ~crc;
}
