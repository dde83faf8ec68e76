/* Where the bytes of the members of a ZIP archive are: the end record, the directory (also those of ZIP64), the local
 * headers; APPNOTE.TXT of PKWARE, 4.3. Sizes are taken from the directory only. */
#define _FILE_OFFSET_BITS 64
#include "zip_io.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "tsr_alloc.h"
#include "tsr_fetched.h"

enum {
    END_NBYTES = 22,
    LOCATOR_NBYTES = 20,
    END64_NBYTES = 56,
    ENTRY_NBYTES = 46,
    LOCAL_NBYTES = 30,
    MAX_COMMENT = 65535,
    MAX_DIRECTORY = 1 << 26
};

static uint64_t get(const unsigned char *p, int nbytes)
{
    uint64_t v = 0;
    for (int i = nbytes; i > 0; i--)
        v = v << 8 | p[i - 1];
    return v;
}

bool tsr_zip_read_at(int fd, void *out, uint64_t offset, uint64_t n)
{
    enum { MOST = 1 << 30 };
    tsr_fetched *const fetched = tsr_fetched_find(fd);
    if (fetched && !tsr_fetched_need(fetched, offset, n)) {
        errno = EIO;
        return false;
    }
    for (char *to = out; n > 0;) {
        const ssize_t got = pread(fd, to, n < MOST ? (size_t)n : MOST, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            errno = got == 0 ? 0 : errno;
            return false;
        }
        to += got;
        offset += (uint64_t)got;
        n -= (uint64_t)got;
    }
    return true;
}

typedef struct directory {
    uint64_t at, nbytes, count;
} directory;

/* The directory by the end record of ZIP64, whose locator is at `at`. */
static bool find_directory64(directory *d, int fd, uint64_t at, uint64_t file_nbytes)
{
    unsigned char locator[LOCATOR_NBYTES], end[END64_NBYTES];
    if (!tsr_zip_read_at(fd, locator, at, sizeof locator) || memcmp(locator, "PK\6\7", 4) != 0)
        return false;
    const uint64_t place = get(locator + 8, 8);
    if (file_nbytes < sizeof end || place > file_nbytes - sizeof end ||
        !tsr_zip_read_at(fd, end, place, sizeof end) || memcmp(end, "PK\6\6", 4) != 0)
        return false;
    *d = (directory){get(end + 48, 8), get(end + 40, 8), get(end + 32, 8)};
    return true;
}

/* The directory by the end record in the last bytes, tail[0..n), of the file. */
static bool find_in_tail(directory *d, const unsigned char *tail, size_t n, int fd, uint64_t file_nbytes)
{
    for (size_t i = n - END_NBYTES + 1; i > 0; i--) {
        const unsigned char *const p = tail + i - 1;
        if (memcmp(p, "PK\5\6", 4) != 0 || get(p + 20, 2) != n - (i - 1) - END_NBYTES)
            continue;
        const uint64_t at = file_nbytes - n + (i - 1);
        *d = (directory){get(p + 16, 4), get(p + 12, 4), get(p + 10, 2)};
        if (d->at != UINT32_MAX && d->nbytes != UINT32_MAX && d->count != UINT16_MAX)
            return true;
        return at >= LOCATOR_NBYTES && find_directory64(d, fd, at - LOCATOR_NBYTES, file_nbytes);
    }
    return false;
}

static bool find_directory(directory *d, int fd, uint64_t file_nbytes)
{
    const size_t n = file_nbytes < MAX_COMMENT + END_NBYTES ? (size_t)file_nbytes : MAX_COMMENT + END_NBYTES;
    unsigned char *const tail = n >= END_NBYTES ? tsr_malloc(n) : NULL;
    const bool found =
        tail && tsr_zip_read_at(fd, tail, file_nbytes - n, n) && find_in_tail(d, tail, n, fd, file_nbytes);
    tsr_free(tail);
    return found && d->nbytes <= file_nbytes && d->at <= file_nbytes - d->nbytes &&
           d->nbytes <= MAX_DIRECTORY;
}

/* Replace the numbers that are too large for their fields by those of the extra field of ZIP64. */
static bool take_zip64(tsr_zip_place *p, const unsigned char *extra, size_t n)
{
    uint64_t *const wide[] = {&p->nbytes, &p->stored_nbytes, &p->header};
    bool missing = false;
    for (int k = 0; k < 3; k++)
        missing = missing || *wide[k] == UINT32_MAX;
    while (missing && n >= 4) {
        const size_t nbytes = get(extra + 2, 2);
        if (nbytes > n - 4)
            return false;
        if (get(extra, 2) == 1) {
            size_t at = 4;
            for (int k = 0; k < 3; k++) {
                if (*wide[k] != UINT32_MAX)
                    continue;
                if (at + 8 > nbytes + 4)
                    return false;
                *wide[k] = get(extra + at, 8);
                at += 8;
            }
            return true;
        }
        extra += 4 + nbytes;
        n -= 4 + nbytes;
    }
    return !missing;
}

/* Read entry *at of the directory, and move *at behind it. */
static bool take_entry(tsr_zip_place *out, uint64_t *at, const unsigned char *bytes, uint64_t nbytes)
{
    const unsigned char *const p = bytes + *at;
    if (nbytes - *at < ENTRY_NBYTES || memcmp(p, "PK\1\2", 4) != 0)
        return false;
    const uint64_t name = get(p + 28, 2), extra = get(p + 30, 2), comment = get(p + 32, 2);
    if (nbytes - *at - ENTRY_NBYTES < name + extra + comment)
        return false;
    *out = (tsr_zip_place){.header = get(p + 42, 4),
                           .stored_nbytes = get(p + 20, 4),
                           .nbytes = get(p + 24, 4),
                           .crc = (uint32_t)get(p + 16, 4),
                           .method = (uint16_t)get(p + 10, 2),
                           .flags = (uint16_t)get(p + 8, 2)};
    *at += ENTRY_NBYTES + name + extra + comment;
    return take_zip64(out, p + ENTRY_NBYTES + name, (size_t)extra);
}

bool tsr_zip_find_places(tsr_zip_place *places, uint64_t count, int fd, uint64_t file_nbytes)
{
    directory d;
    uint64_t at = 0;
    if (!find_directory(&d, fd, file_nbytes) || d.count != count)
        return false;
    unsigned char *const bytes = tsr_malloc((size_t)d.nbytes);
    bool ok = bytes && tsr_zip_read_at(fd, bytes, d.at, d.nbytes);
    for (uint64_t i = 0; i < count && ok; i++)
        ok = take_entry(&places[i], &at, bytes, d.nbytes);
    tsr_free(bytes);
    return ok;
}

bool tsr_zip_find_bytes(uint64_t *offset, const tsr_zip_place *place, int fd, uint64_t file_nbytes)
{
    unsigned char p[LOCAL_NBYTES];
    if (file_nbytes < sizeof p || place->header > file_nbytes - sizeof p ||
        !tsr_zip_read_at(fd, p, place->header, sizeof p) || memcmp(p, "PK\3\4", 4) != 0)
        return false;
    const uint64_t head = sizeof p + get(p + 26, 2) + get(p + 28, 2);
    *offset = place->header + head;
    return *offset <= file_nbytes && place->stored_nbytes <= file_nbytes - *offset;
}
