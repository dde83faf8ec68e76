/* The hash of a text: 128 bits. It distinguishes texts that differ by chance, but not texts that were made to
 * collide; so a caller that finds a file by its hash must still compare the text. */
#include "tsr_jit.h"

/* The last step of splitmix64: each bit of z changes each bit of the result with probability 1/2. */
static uint64_t finish(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Two hashes of every byte: FNV-1a (with the published 64-bit offset basis and prime), and a variant with a
 * rotation and the golden ratio as the prime; at the end each is mixed with the other and with the length. */
void tsr_jit_hash(char key[TSR_JIT_KEY_NBYTES], const char *bytes, size_t n)
{
    static const char digits[] = "0123456789abcdef";
    uint64_t a = UINT64_C(0xcbf29ce484222325), b = UINT64_C(0x9e3779b97f4a7c15);
    for (size_t i = 0; i < n; i++) {
        const uint64_t byte = (unsigned char)bytes[i];
        a = (a ^ byte) * UINT64_C(0x100000001b3);
        b = (((b << 23) | (b >> 41)) ^ byte) * UINT64_C(0x9e3779b97f4a7c15);
    }
    const uint64_t lane[2] = {finish(a + finish(b) + n), finish(b + finish(a ^ n))};
    for (int i = 0; i < 32; i++)
        key[i] = digits[lane[i / 16] >> (60 - 4 * (i % 16)) & 15];
    key[32] = '\0';
}
