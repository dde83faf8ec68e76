/* tar: see tar_reader.h. The archive is a row of headers of 512 bytes, each followed by its file, padded to
 * 512; a header of zeros ends it (POSIX.1-2017, pax, "ustar Interchange Format"). */
#include "tar_reader.h"

#include <inttypes.h>
#include <string.h>

enum { BLOCK = 512, MAX_NAME = 4096 };

typedef struct tar_reader {
    const tar_io *io;
    const char *path;
    uint64_t offset;         /* of the next byte of the archive */
    char name[MAX_NAME + 1]; /* of the next entry, from a long-name entry before it; "" when there was none */
} tar_reader;

static tsr_status corrupt(const tar_reader *t, const char *what, tsr_error *err)
{
    return tsr_fail_at(err, TSR_CORRUPT, t->path, 0, 0, "%s at byte %" PRIu64 " of the tar archive", what,
                       t->offset);
}

/* Exactly n bytes. */
static tsr_status get(tar_reader *t, void *out, size_t n, tsr_error *err)
{
    size_t got;
    TSR_TRY(t->io->read(t->io->ctx, &got, out, n, err));
    t->offset += got;
    return got == n ? TSR_OK : corrupt(t, "unexpected end", err);
}

/* An octal number in a field of n bytes, or a binary one (GNU) where the top bit is set. */
static bool parse_size(uint64_t *out, const unsigned char *p, size_t n)
{
    *out = 0;
    if (p[0] & 0x80) {
        for (size_t i = 0; i < n; i++) {
            if (*out >> 55)
                return false;
            *out = *out << 8 | (i == 0 ? p[i] & 0x7f : p[i]);
        }
        return true;
    }
    size_t i = 0, ndigits = 0;
    for (; i < n && p[i] == ' ';)
        i++;
    for (; i < n && p[i] >= '0' && p[i] <= '7'; i++, ndigits++)
        *out = *out << 3 | (uint64_t)(p[i] - '0'); /* at most 12 digits: 36 bits */
    for (; i < n; i++)
        if (p[i] != ' ' && p[i] != '\0')
            return false;
    return ndigits > 0;
}

static bool sum_is_right(const unsigned char *h)
{
    uint64_t want, sum = 0;
    for (int i = 0; i < BLOCK; i++)
        sum += i >= 148 && i < 156 ? ' ' : h[i];
    return parse_size(&want, h + 148, 8) && want == sum;
}

static bool is_zero(const unsigned char *h)
{
    for (int i = 0; i < BLOCK; i++)
        if (h[i])
            return false;
    return true;
}

/* Read nbytes and their padding; hand them on when `write`. */
static tsr_status pass(tar_reader *t, uint64_t nbytes, bool write, tsr_error *err)
{
    unsigned char bytes[32 * BLOCK];
    while (nbytes > 0) {
        const size_t n = nbytes < sizeof bytes ? (size_t)nbytes : sizeof bytes;
        TSR_TRY(get(t, bytes, (n + BLOCK - 1) / BLOCK * BLOCK, err));
        if (write)
            TSR_TRY(t->io->write(t->io->ctx, bytes, n, err));
        nbytes -= n;
    }
    return TSR_OK;
}

/* A short entry that is information about the next one. */
static tsr_status get_text(tar_reader *t, char text[MAX_NAME + 1], uint64_t nbytes, tsr_error *err)
{
    char bytes[MAX_NAME + BLOCK];
    if (nbytes > MAX_NAME)
        return tsr_fail_at(err, TSR_LIMIT, t->path, 0, 0,
                           "a name of %" PRIu64 " bytes at byte %" PRIu64 " of the tar archive", nbytes,
                           t->offset);
    TSR_TRY(get(t, bytes, ((size_t)nbytes + BLOCK - 1) / BLOCK * BLOCK, err));
    memcpy(text, bytes, (size_t)nbytes);
    text[nbytes] = '\0';
    return TSR_OK;
}

/* pax records are "LENGTH KEY=VALUE\n", LENGTH counting all of it. */
static void take_pax_path(tar_reader *t, char *text)
{
    for (char *p = text; *p;) {
        char *end = strchr(p, '\n');
        char *key = strchr(p, ' ');
        if (!end)
            return;
        *end = '\0';
        if (key && strncmp(key + 1, "path=", 5) == 0)
            memmove(t->name, key + 6, strlen(key + 6) + 1);
        p = end + 1;
    }
}

static void take_header_name(tar_reader *t, const unsigned char *h)
{
    const char *name = (const char *)h, *prefix = (const char *)h + 345;
    const size_t nname = strnlen(name, 100),
                 nprefix = memcmp(h + 257, "ustar", 5) == 0 ? strnlen(prefix, 155) : 0;
    memcpy(t->name, prefix, nprefix);
    t->name[nprefix] = '/';
    memcpy(t->name + nprefix + 1, name, nname);
    t->name[nprefix + 1 + nname] = '\0';
}

static bool ends_in(const char *path, const char *name)
{
    const char *const slash = strrchr(path, '/');
    return strcmp(slash ? slash + 1 : path, name) == 0;
}

tsr_status tar_extract(bool *found, const tar_io *io, const char *name, const char *path, tsr_error *err)
{
    tar_reader t = {.io = io, .path = path};
    unsigned char h[BLOCK];
    char text[MAX_NAME + 1];
    uint64_t nbytes;
    *found = false;
    for (;;) {
        TSR_TRY(get(&t, h, BLOCK, err));
        if (is_zero(h))
            return TSR_OK;
        if (!sum_is_right(h))
            return corrupt(&t, "a header with a bad checksum ends", err);
        if (!parse_size(&nbytes, h + 124, 12))
            return corrupt(&t, "a header with a bad size ends", err);
        const char kind = (char)h[156];
        if (kind == 'L' || kind == 'x') {
            TSR_TRY(get_text(&t, text, nbytes, err));
            if (kind == 'L')
                memcpy(t.name, text, sizeof text);
            else
                take_pax_path(&t, text);
            continue;
        }
        if (!t.name[0])
            take_header_name(&t, h);
        *found = (kind == '0' || kind == '\0' || kind == '7') && ends_in(t.name, name);
        TSR_TRY(pass(&t, nbytes, *found, err));
        if (*found)
            return TSR_OK;
        t.name[0] = '\0';
    }
}
