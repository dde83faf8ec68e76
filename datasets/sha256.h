/* SHA-256 (FIPS 180-4), plain: it is fed at the speed of a download. */
#ifndef SHA256_H
#define SHA256_H

#include <stddef.h>
#include <stdint.h>

typedef struct sha256 {
    uint32_t h[8];
    uint64_t nbytes;
    unsigned char block[64]; /* nbytes % 64 of it wait */
} sha256;

enum { SHA256_TEXT_NBYTES = 65 };

void sha256_init(sha256 *s);
void sha256_add(sha256 *s, const void *bytes, size_t n);
/* The digest as 64 hexadecimal digits and a NUL; s is used up. */
void sha256_text(char text[SHA256_TEXT_NBYTES], sha256 *s);

#endif
