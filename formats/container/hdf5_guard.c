/* Checks of object headers in HDF5 files. Before HDF5 decodes an object header, this file checks that the
 * fields of each message fit the length of the message, since HDF5 does not check this: version 1.10 reads
 * and writes past its buffers on attributes, on chunk sizes of 0, and on variable-length strings whose length
 * differs from that of the heap object. Attributes are read here and never by HDF5.
 *
 * Source: HDF5 File Format Specification, version 3.0: IV.A (object headers), IV.A.2 (messages), III.E
 * (global heap). */
#include "hdf5_internal.h"

#include <inttypes.h>
#include <string.h>

#include "tsr_alloc.h"
#include "tsr_checked.h"

enum {
    MESSAGE_SPACE = 0x01,
    MESSAGE_TYPE = 0x03,
    MESSAGE_OLD_FILL = 0x04,
    MESSAGE_FILL = 0x05,
    MESSAGE_EXTERNAL = 0x07,
    MESSAGE_LAYOUT = 0x08,
    MESSAGE_FILTERS = 0x0b,
    MESSAGE_ATTRIBUTE = 0x0c,
    MESSAGE_CONTINUATION = 0x10,
    MESSAGE_SYMBOLS = 0x11,
    MESSAGE_ATTRIBUTE_INFO = 0x15,
    SHARED = 2,      /* flag: the message is stored elsewhere */
    IN_FILE_HEAP = 1 /* elsewhere: in a heap of the whole file, not in another object header */
};

/* ---- a cursor that checks lengths ---- */

typedef struct cursor {
    const unsigned char *p;
    size_t left;
    bool bad; /* more bytes were requested than were left */
} cursor;

/* The next n bytes; the cursor moves past them. */
static cursor cut(cursor *c, uint64_t n)
{
    if (c->bad || n > c->left) {
        c->bad = true;
        return (cursor){.bad = true};
    }
    const cursor piece = {c->p, (size_t)n, false};
    c->p += n;
    c->left -= (size_t)n;
    return piece;
}

/* The next n <= 8 bytes as a little-endian number; 0 where there are fewer bytes. */
static uint64_t take(cursor *c, size_t n)
{
    const cursor piece = cut(c, n);
    uint64_t v = 0;
    for (size_t i = 0; i < piece.left; i++)
        v |= (uint64_t)piece.p[i] << 8 * i;
    return v;
}

static uint64_t pad8(uint64_t n)
{
    return (n + 7) / 8 * 8;
}

/* ---- messages ---- */

typedef struct stored_type {
    unsigned kind;   /* 3: string, 9: variable length */
    uint64_t bits;   /* strings: padding in the low 4; variable length: 1 in the low 4 is a string */
    uint64_t nbytes; /* of one value */
} stored_type;

/* Move past a name, which ends with a byte 0; before version 3 it is padded to a multiple of 8 bytes. */
static void check_type_name(cursor *c, unsigned version)
{
    const unsigned char *const end = c->bad || c->left == 0 ? NULL : memchr(c->p, 0, c->left);
    const uint64_t n = end ? (uint64_t)(end - c->p) + 1 : UINT64_MAX / 2;
    cut(c, version < 3 ? pad8(n) : n);
}

static stored_type check_type(cursor *c, int depth);

/* Check the members of a compound type: names, offsets, types. Version 1 has four dims, too. */
static void check_members(cursor *c, const stored_type *type, unsigned version, int depth)
{
    size_t offset_size = 1;
    while (offset_size < 4 && type->nbytes >> 8 * offset_size)
        offset_size++;
    for (uint64_t i = 0; i < (type->bits & 0xffff) && !c->bad; i++) {
        check_type_name(c, version);
        cut(c, version < 3 ? 4 : offset_size);
        cut(c, version == 1 ? 28 : 0);
        check_type(c, depth + 1);
    }
}

/* Check an enumeration: the type of the values, names, values. */
static void check_enumeration(cursor *c, const stored_type *type, unsigned version, int depth)
{
    const uint64_t n = type->bits & 0xffff;
    const stored_type base = check_type(c, depth + 1);
    for (uint64_t i = 0; i < n && !c->bad; i++)
        check_type_name(c, version);
    cut(c, n * base.nbytes);
}

/* Check the type of an array: its dims, before version 3 with an order of them, and the type of an element. */
static void check_array_type(cursor *c, unsigned version, int depth)
{
    const uint64_t ndims = take(c, 1);
    cut(c, version < 3 ? 3 + 8 * ndims : 4 * ndims);
    check_type(c, depth + 1);
}

/* Check a datatype message. */
static stored_type check_type(cursor *c, int depth)
{
    const unsigned first = (unsigned)take(c, 1), version = first >> 4;
    stored_type type = {.kind = first & 15, .bits = take(c, 3), .nbytes = take(c, 4)};
    c->bad = c->bad || type.nbytes == 0 || depth > 8;
    if (c->bad)
        return type;
    if (type.kind == 0 || type.kind == 4)
        cut(c, 4);
    else if (type.kind == 1)
        cut(c, 12);
    else if (type.kind == 2)
        cut(c, 2);
    else if (type.kind == 5)
        cut(c, type.bits & 0xff);
    else if (type.kind == 6)
        check_members(c, &type, version, depth);
    else if (type.kind == 8)
        check_enumeration(c, &type, version, depth);
    else if (type.kind == 9)
        check_type(c, depth + 1);
    else if (type.kind == 10)
        check_array_type(c, version, depth);
    return type;
}

/* Check a dataspace message; returns the number of values. */
static uint64_t check_space(cursor *c, size_t length_size)
{
    const uint64_t version = take(c, 1), rank = take(c, 1), flags = take(c, 1);
    uint64_t n = 1;
    if (version == 1)
        cut(c, 5);
    else if (take(c, 1) == 2) /* null */
        n = 0;
    c->bad = c->bad || rank > 32 || version == 0 || version > 2;
    for (uint64_t i = 0; i < rank && !c->bad; i++)
        c->bad = !tsr_mul_u64(&n, n, take(c, length_size)) || c->bad;
    if (flags & 1)
        cut(c, rank * length_size);
    return n;
}

static void check_fill(cursor *c, unsigned kind)
{
    if (kind == MESSAGE_OLD_FILL) {
        cut(c, take(c, 4));
        return;
    }
    const uint64_t version = take(c, 1);
    if (version <= 2) {
        take(c, 2);
        const bool defined = take(c, 1) != 0;
        if (version < 2 || defined)
            cut(c, take(c, 4));
    } else if (take(c, 1) & 0x20)
        cut(c, take(c, 4));
}

static void check_layout(cursor *c, size_t offset_size, size_t length_size)
{
    const uint64_t version = take(c, 1);
    uint64_t ndims, kind, width = 4;
    if (version < 3) {
        ndims = take(c, 1);
        kind = take(c, 1);
        cut(c, 5);
        if (kind != 0)
            cut(c, offset_size);
    } else {
        kind = take(c, 1);
        if (kind == 0)
            cut(c, take(c, 2));
        else if (kind == 1)
            cut(c, offset_size + length_size);
        if (kind != 2)
            return;
        if (version > 3)
            take(c, 1);
        ndims = take(c, 1);
        if (version == 3)
            cut(c, offset_size);
        else
            width = take(c, 1);
    }
    c->bad = c->bad || ndims > 33 || width == 0 || width > 8 || (kind == 2 && ndims < 2);
    for (uint64_t i = 0; i < ndims && !c->bad; i++)
        c->bad = (take(c, (size_t)width) == 0 && kind == 2) || c->bad;
}

static void check_filters(cursor *c)
{
    const uint64_t version = take(c, 1), n = take(c, 1);
    if (version == 1)
        cut(c, 6);
    c->bad = c->bad || n > 32;
    for (uint64_t i = 0; i < n && !c->bad; i++) {
        const uint64_t id = take(c, 2), name = version == 1 || id >= 256 ? take(c, 2) : 0;
        take(c, 2);
        const uint64_t nvalues = take(c, 2);
        cut(c, version == 1 ? pad8(name) : name);
        cut(c, 4 * nvalues + (version == 1 && nvalues % 2 ? 4 : 0));
    }
}

/* Whether the list of the free blocks of a heap ends: HDF5 follows it, and allocates, without end. Each block has 16 bytes or more and
 * begins with the offset of the next one; 1 is the end, and HDF5 itself refuses offsets beyond the heap. */
static bool free_list_ends(tsr_hdf5 *h5, uint64_t data, uint64_t size, uint64_t at)
{
    unsigned char next[8];
    if (h5->length_size == 0)
        return true;
    for (uint64_t left = size / (2 * h5->length_size) + 1; left > 0; left--) {
        if (at == 1 || at >= size || size - at < h5->length_size)
            return true;
        if (!tsr_hdf5_device_read(&h5->device, next, data + at, h5->length_size))
            return false;
        cursor c = {next, h5->length_size, false};
        at = take(&c, h5->length_size);
    }
    return false;
}

/* Check the symbol table message of an old group: a tree, and a heap of names, which must be within the file. The last byte of the
 * heap is 0 in every file that HDF5 writes: without it, HDF5 reads beyond the heap where a name does not end. */
static void check_symbols(tsr_hdf5 *h5, cursor *c)
{
    unsigned char head[40];
    tsr_hdf5_device *device = &h5->device;
    const size_t nbytes = 8 + 2 * h5->length_size + h5->offset_size;
    const uint64_t tree = take(c, h5->offset_size);
    uint64_t heap = take(c, h5->offset_size);
    c->bad = c->bad || tree >= device->nbytes || !tsr_add_u64(&heap, heap, h5->base) ||
             heap > device->nbytes || nbytes > device->nbytes - heap ||
             !tsr_hdf5_device_read(device, head, heap, nbytes);
    if (c->bad)
        return;
    cursor names = {head + 8, nbytes - 8, false};
    const uint64_t size = take(&names, h5->length_size), free_at = take(&names, h5->length_size);
    uint64_t data = take(&names, h5->offset_size);
    c->bad = !tsr_add_u64(&data, data, h5->base) || data > device->nbytes || size > device->nbytes - data ||
             (size > 0 && (!tsr_hdf5_device_read(device, head, data + size - 1, 1) || head[0] != 0)) ||
             !free_list_ends(h5, data, size, free_at);
}

/* The parts of an attribute message. */
typedef struct attribute {
    const char *name; /* ends with NUL */
    stored_type type;
    uint64_t n; /* values */
    cursor data;
    bool shared; /* the type or the space is stored elsewhere */
} attribute;

static attribute check_attribute(cursor *c, size_t length_size)
{
    attribute a = {.name = ""};
    const uint64_t version = take(c, 1), flags = take(c, 1);
    uint64_t name = take(c, 2), type = take(c, 2), space = take(c, 2);
    if (version == 3)
        take(c, 1);
    a.shared = version >= 2 && (flags & 3) != 0;
    const cursor name_bytes = cut(c, version == 1 ? pad8(name) : name);
    cursor type_bytes = cut(c, version == 1 ? pad8(type) : type);
    cursor space_bytes = cut(c, version == 1 ? pad8(space) : space);
    c->bad = c->bad || version == 0 || version > 3 || name == 0 || name_bytes.p[name - 1] != '\0';
    if (c->bad)
        return a;
    a.name = (const char *)name_bytes.p;
    if (a.shared)
        return a;
    a.type = check_type(&type_bytes, 0);
    a.n = check_space(&space_bytes, length_size);
    uint64_t nbytes;
    c->bad =
        type_bytes.bad || space_bytes.bad || !tsr_mul_u64(&nbytes, a.n, a.type.nbytes) || nbytes > c->left;
    a.data = *c;
    return a;
}

/* ---- headers ---- */

enum { MAX_BLOCKS = 256, MAX_HEADER_NBYTES = 1 << 24 };

/* A walk through the blocks of one header. */
typedef struct walk {
    tsr_hdf5 *h5;
    int version;
    bool creation_order;                         /* version 2: two more bytes per message */
    bool committed;                              /* the header of a datatype that other headers refer to */
    uint64_t at[MAX_BLOCKS], nbytes[MAX_BLOCKS]; /* nblocks blocks: where they begin, and their lengths */
    int nblocks;
    uint64_t total;     /* the sum of the lengths */
    const char *wanted; /* an attribute to find, or NULL */
    tsr_text *names;    /* receives the names of all attributes, each ended by NUL; or NULL */
    bool found, dense;  /* dense: the attributes are stored in a heap */
    attribute attribute;
    unsigned char *block; /* owned; the block that holds the attribute where it was found */
} walk;

static tsr_status bad_header(const walk *w, const char *what, tsr_error *err)
{
    (void)w;
    return tsr_fail(err, TSR_CORRUPT, "damaged file: %s", what);
}

static tsr_status add_block(walk *w, uint64_t at, uint64_t nbytes, tsr_error *err)
{
    const uint64_t end = w->h5->device.nbytes;
    w->total += nbytes < end ? nbytes : end;
    if (at > end || nbytes > end - at || w->nblocks == MAX_BLOCKS || w->total > MAX_HEADER_NBYTES)
        return bad_header(w, "an object header points past the end of the file", err);
    w->at[w->nblocks] = at;
    w->nbytes[w->nblocks++] = nbytes;
    return TSR_OK;
}

static tsr_status walk_header(walk *w, uint64_t at, tsr_error *err);

/* Check a message that is stored elsewhere, as HDF5 does not: the datatype that was committed to the file and has an object header of
 * its own. HDF5 follows a chain of them without end, so a committed datatype must be in its header. */
static tsr_status check_shared(walk *w, unsigned kind, cursor c, tsr_error *err)
{
    const uint64_t version = take(&c, 1), place = take(&c, 1);
    if (version == 1)
        cut(&c, 6 + w->h5->length_size);
    if (version > 1 && place == IN_FILE_HEAP)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "the file shares messages of object headers in a heap, which is not read: copy the "
                        "objects into a file without shared messages");
    const uint64_t at = take(&c, w->h5->offset_size);
    if (c.bad || version < 1 || version > 3 || kind != MESSAGE_TYPE || w->committed)
        return bad_header(w, "a shared message of an object header does not refer to a datatype", err);
    walk type = {.h5 = w->h5, .committed = true};
    return walk_header(&type, at, err);
}

static tsr_status check_message(walk *w, unsigned kind, unsigned flags, cursor c, tsr_error *err)
{
    const size_t offset_size = w->h5->offset_size, length_size = w->h5->length_size;
    if (kind == MESSAGE_CONTINUATION) {
        const uint64_t at = take(&c, offset_size), nbytes = take(&c, length_size);
        if (c.bad || at > INT64_MAX)
            return bad_header(w, "a message of an object header is too short", err);
        return add_block(w, at + w->h5->base, nbytes, err);
    }
    if (kind == MESSAGE_ATTRIBUTE && (flags & SHARED))
        w->dense = true;
    if (kind == MESSAGE_EXTERNAL) /* HDF5 reads names beyond their heap */
        return tsr_fail(
            err, TSR_UNSUPPORTED,
            "a dataset is stored in other files, which are not read: copy the data into this file");
    if (flags & SHARED)
        return kind == MESSAGE_ATTRIBUTE ? TSR_OK : check_shared(w, kind, c, err);
    if (kind == MESSAGE_SPACE)
        check_space(&c, length_size);
    else if (kind == MESSAGE_TYPE)
        check_type(&c, 0);
    else if (kind == MESSAGE_FILL || kind == MESSAGE_OLD_FILL)
        check_fill(&c, kind);
    else if (kind == MESSAGE_LAYOUT)
        check_layout(&c, offset_size, length_size);
    else if (kind == MESSAGE_FILTERS)
        check_filters(&c);
    else if (kind == MESSAGE_SYMBOLS)
        check_symbols(w->h5, &c);
    else if (kind == MESSAGE_ATTRIBUTE) {
        const attribute a = check_attribute(&c, length_size);
        if (!c.bad && w->wanted && !w->found && strcmp(a.name, w->wanted) == 0) {
            w->found = true;
            w->attribute = a;
        }
        if (!c.bad && w->names)
            tsr_text_add_n(w->names, a.name, strlen(a.name) + 1);
    } else if (kind == MESSAGE_ATTRIBUTE_INFO) {
        take(&c, 1);
        if (take(&c, 1) & 1)
            take(&c, 2);
        const uint64_t heap = take(&c, offset_size);
        w->dense = w->dense || heap != UINT64_MAX >> (64 - 8 * offset_size);
    }
    return c.bad ? bad_header(w, "a message of an object header does not fit its length", err) : TSR_OK;
}

static tsr_status check_block(walk *w, cursor c, tsr_error *err)
{
    const size_t head = w->version == 1 ? 8 : w->creation_order ? 6 : 4;
    while (c.left >= head) { /* version 2 may end with a gap shorter than a message header */
        const unsigned kind = (unsigned)take(&c, w->version == 1 ? 2 : 1);
        const uint64_t nbytes = take(&c, 2);
        const unsigned flags = (unsigned)take(&c, 1);
        cut(&c, head - (w->version == 1 ? 5 : 4));
        const cursor message = cut(&c, nbytes);
        if (c.bad)
            return bad_header(w, "a message of an object header is too long", err);
        TSR_TRY(check_message(w, kind, flags, message, err));
    }
    return TSR_OK;
}

/* Read block b and check its messages. */
static tsr_status walk_block(walk *w, int b, tsr_error *err)
{
    const size_t n = (size_t)w->nbytes[b];
    unsigned char *bytes = tsr_malloc(n);
    if (!bytes)
        return tsr_fail(err, TSR_NOMEM, "out of memory: an object header of %zu bytes", n);
    tsr_status status = TSR_OK;
    cursor c = {bytes, n, false};
    if (!tsr_hdf5_device_read(&w->h5->device, bytes, w->at[b], n))
        status = bad_header(w, "an object header cannot be read", err);
    else if (b > 0 && w->version == 2) { /* a signature comes first and a checksum last */
        const cursor signature = cut(&c, 4);
        if (signature.bad || memcmp(signature.p, "OCHK", 4) != 0 || c.left < 4)
            status = bad_header(w, "a part of an object header is missing", err);
        c.left -= status == TSR_OK ? 4 : 0;
    }
    if (status == TSR_OK)
        status = check_block(w, c, err);
    if (w->found && !w->block)
        w->block = bytes;
    else
        tsr_free(bytes);
    return status;
}

/* Walk the header at `at`, an offset in the file without the user block. */
static tsr_status walk_header(walk *w, uint64_t at, tsr_error *err)
{
    unsigned char head[64] = {0};
    tsr_hdf5_device *device = &w->h5->device;
    if (!tsr_add_u64(&at, at, w->h5->base) || at >= device->nbytes)
        return bad_header(w, "an object header is beyond the end of the file", err);
    const uint64_t left = device->nbytes - at;
    cursor c = {head, left < sizeof head ? (size_t)left : sizeof head, false};
    if (!tsr_hdf5_device_read(device, head, at, c.left))
        return bad_header(w, "an object header cannot be read", err);
    const size_t length = c.left;
    uint64_t nbytes;
    w->version = head[0];
    if (memcmp(head, "OHDR", 4) == 0) {
        w->version = 2;
        cut(&c, 5);
        const uint64_t flags = take(&c, 1);
        w->creation_order = (flags & 4) != 0;
        cut(&c, (flags & 0x20 ? 16 : 0) + (flags & 0x10 ? 4 : 0));
        nbytes = take(&c, (size_t)1 << (flags & 3));
    } else {
        cut(&c, 8);
        nbytes = take(&c, 4);
        cut(&c, 4);
    }
    if (c.bad || w->version < 1 || w->version > 2)
        return bad_header(w, "an object header has an unknown version", err);
    TSR_TRY(add_block(w, at + (length - c.left), nbytes, err));
    for (int b = 0; b < w->nblocks; b++)
        TSR_TRY(walk_block(w, b, err));
    return TSR_OK;
}

tsr_status tsr_hdf5_guard(tsr_hdf5 *h5, uint64_t at, tsr_error *err)
{
    if (h5->mode == TSR_HDF5_CREATE)
        return TSR_OK;
    walk w = {.h5 = h5};
    return walk_header(&w, at, err);
}

/* ---- the root ---- */

tsr_status tsr_hdf5_guard_root(tsr_hdf5 *h5, uint64_t at, tsr_error *err)
{
    unsigned char head[160];
    const uint64_t left = h5->device.nbytes - at;
    cursor c = {head, left < sizeof head ? (size_t)left : sizeof head, false};
    if (!tsr_hdf5_device_read(&h5->device, head, at, c.left) || c.left < 24 || head[8] > 3)
        return TSR_OK; /* HDF5 itself refuses these files */
    const bool old = head[8] < 2;
    h5->offset_size = head[old ? 13 : 9];
    h5->length_size = head[old ? 14 : 10];
    h5->base = at;
    if (h5->offset_size > 8 || h5->length_size > 8)
        return tsr_fail(err, TSR_CORRUPT, "damaged file: addresses have more than 8 bytes");
    cut(&c, old ? (head[8] == 1 ? 28u : 24u) + 5 * h5->offset_size : 12 + 3 * h5->offset_size);
    const uint64_t root = take(&c, h5->offset_size);
    if (c.bad)
        return TSR_OK;
    TSR_TRY(tsr_hdf5_guard(h5, root, err));
    if (!old || take(&c, 4) != 1)
        return TSR_OK;
    cut(&c, 4); /* a copy of the root's symbol table message */
    check_symbols(h5, &c);
    return c.bad ? tsr_fail(err, TSR_CORRUPT,
                            "damaged file: the names of the root group are beyond the end of the file, or do "
                            "not end")
                 : TSR_OK;
}

/* ---- attributes ---- */

/* n bytes at `offset` in the file, NUL-terminated. */
static tsr_status read_bytes(char **out, tsr_hdf5 *h5, uint64_t offset, size_t n, tsr_error *err)
{
    *out = tsr_malloc(n + 1);
    if (!*out)
        return tsr_fail(err, TSR_NOMEM, "out of memory: a text of %zu bytes", n);
    (*out)[n] = '\0';
    if (tsr_hdf5_device_read(&h5->device, *out, offset, n))
        return TSR_OK;
    tsr_free(*out);
    *out = NULL;
    return tsr_fail(err, TSR_CORRUPT, "damaged file: a text is beyond the end of the file");
}

/* The text that a variable-length string refers to: n bytes of object `index` of the global heap at `at`. */
static tsr_status read_heap(char **out, tsr_hdf5 *h5, uint64_t n, uint64_t at, uint64_t index, tsr_error *err)
{
    enum { MAX_OBJECTS = 65536 };
    unsigned char head[16];
    const size_t length_size = h5->length_size, head_nbytes = 8 + length_size;
    uint64_t end = 0;
    if (tsr_add_u64(&at, at, h5->base) && tsr_hdf5_device_read(&h5->device, head, at, head_nbytes) &&
        memcmp(head, "GCOL\1", 5) == 0) {
        cursor c = {head + 8, length_size, false};
        if (!tsr_add_u64(&end, at, take(&c, length_size)))
            end = 0;
    }
    at += head_nbytes;
    for (int i = 0; i < MAX_OBJECTS && end > head_nbytes && at < end - head_nbytes; i++) {
        if (!tsr_hdf5_device_read(&h5->device, head, at, head_nbytes))
            break;
        cursor c = {head, head_nbytes, false};
        const uint64_t found = take(&c, 2);
        take(&c, 6);
        const uint64_t nbytes = take(&c, length_size);
        at += head_nbytes;
        if (found == 0 || nbytes > end - at)
            break;
        if (found == index && n <= nbytes)
            return read_bytes(out, h5, at, (size_t)n, err);
        at += pad8(nbytes);
    }
    return tsr_fail(err, TSR_CORRUPT, "damaged file: the text of an attribute is missing");
}

/* A global heap in memory, and the object in it that was found last. */
typedef struct heap {
    tsr_array bytes;
    uint64_t at; /* the address in the file; UINT64_MAX: none */
    uint64_t index, offset;
} heap;

static tsr_status load_heap(heap *h, tsr_hdf5 *h5, uint64_t at, tsr_error *err)
{
    enum { MOST_NBYTES = 1 << 30 };
    unsigned char head[16];
    uint64_t n = 0, place = 0;
    tsr_array_clear(&h->bytes);
    *h = (heap){.at = at, .offset = 8 + h5->length_size};
    if (tsr_add_u64(&place, at, h5->base) &&
        tsr_hdf5_device_read(&h5->device, head, place, 8 + h5->length_size) &&
        memcmp(head, "GCOL\1", 5) == 0) {
        cursor c = {head + 8, h5->length_size, false};
        n = take(&c, h5->length_size);
    }
    if (n < 8 + h5->length_size || n > MOST_NBYTES || n > h5->device.nbytes)
        return tsr_fail(err, TSR_CORRUPT, "damaged file: a heap of texts is missing");
    TSR_TRY(tsr_array_init(&h->bytes, n, 1, 0, "texts", err));
    return tsr_hdf5_device_read(&h5->device, h->bytes.data, place, n)
               ? TSR_OK
               : tsr_fail(err, TSR_CORRUPT, "damaged file: a heap of texts ends after the file");
}

/* Find object `index` of the heap: the text has at least n bytes. Objects usually follow each other, so the search goes on
 * from the last one, and begins anew once. */
static const char *find_object(heap *h, const tsr_hdf5 *h5, uint64_t index, uint64_t n)
{
    const uint64_t head = 8 + h5->length_size;
    for (int round = 0; round < 2; round++) {
        while (h->offset + head <= h->bytes.n) {
            const unsigned char *const p = (const unsigned char *)h->bytes.data + h->offset;
            cursor c = {p, head, false};
            const uint64_t found = take(&c, 2);
            take(&c, 6);
            const uint64_t nbytes = take(&c, h5->length_size);
            if (found == 0 || nbytes > h->bytes.n - h->offset - head)
                break;
            if (found == index)
                return n <= nbytes ? (const char *)p + head : NULL;
            h->offset += head + pad8(nbytes);
        }
        h->offset = head;
    }
    return NULL;
}

tsr_status tsr_hdf5_take_references(tsr_names *out, tsr_hdf5 *h5, const tsr_array *references, tsr_error *err)
{
    heap h = {.at = UINT64_MAX};
    tsr_status status = TSR_OK;
    for (uint64_t i = 0; i < references->n && status == TSR_OK; i++) {
        cursor c = {(const unsigned char *)references->data + i * references->width, references->width,
                    false};
        const uint64_t n = take(&c, 4), at = take(&c, h5->offset_size), index = take(&c, 4);
        const char *text = n == 0 ? "" : NULL;
        if (n > 0 && at != h.at)
            status = load_heap(&h, h5, at, err);
        if (n > 0 && status == TSR_OK)
            text = find_object(&h, h5, index, n);
        if (status == TSR_OK)
            status = text ? tsr_names_add(out, text, n, err)
                          : tsr_fail(err, TSR_CORRUPT, "damaged file: text %" PRIu64 " is missing", i);
    }
    tsr_array_clear(&h.bytes);
    return status;
}

/* The length of a fixed-length string without padding. padding: 0 ended by NUL, 1 padded by NULs, 2 padded
 * by blanks. */
static size_t unpadded(const char *s, size_t n, uint64_t padding)
{
    if (padding == 0)
        return strnlen(s, n);
    while (n > 0 && s[n - 1] == (padding == 2 ? ' ' : '\0'))
        n--;
    return n;
}

static tsr_status attribute_text(char **out, size_t *nbytes, walk *w, tsr_error *err)
{
    const attribute *a = &w->attribute;
    const bool variable = a->type.kind == 9 && (a->type.bits & 15) == 1;
    cursor data = a->data;
    if (a->shared || a->n != 1 || (a->type.kind != 3 && !variable))
        return tsr_fail(err, TSR_CORRUPT, "attribute '%s' must be a single string", w->wanted);
    const uint64_t n = variable ? take(&data, 4) : a->type.nbytes;
    if (n > TSR_HDF5_MAX_TEXT)
        return tsr_fail(err, TSR_LIMIT, "attribute '%s' has %" PRIu64 " bytes; at most %d are supported",
                        w->wanted, n, TSR_HDF5_MAX_TEXT);
    if (variable) {
        const uint64_t at = take(&data, w->h5->offset_size), index = take(&data, 4);
        if (data.bad)
            return tsr_fail(err, TSR_CORRUPT, "attribute '%s' must be a single string", w->wanted);
        TSR_TRY(read_heap(out, w->h5, n, at, index, err));
        *nbytes = strnlen(*out, (size_t)n);
        return TSR_OK;
    }
    *out = tsr_malloc((size_t)n + 1);
    if (!*out)
        return tsr_fail(err, TSR_NOMEM, "out of memory: a text of %" PRIu64 " bytes", n);
    memcpy(*out, data.p, (size_t)n);
    *nbytes = unpadded(*out, (size_t)n, a->type.bits & 15);
    (*out)[*nbytes] = '\0';
    return TSR_OK;
}

tsr_status tsr_hdf5_find_text(char **out, size_t *nbytes, tsr_hdf5 *h5, uint64_t at, const char *name,
                              tsr_error *err)
{
    walk w = {.h5 = h5, .wanted = name};
    *out = NULL;
    *nbytes = 0;
    tsr_status status = walk_header(&w, at, err);
    if (status == TSR_OK && w.found)
        status = attribute_text(out, nbytes, &w, err);
    else if (status == TSR_OK && w.dense)
        status = tsr_fail(
            err, TSR_UNSUPPORTED,
            "the attributes of this group are in dense storage (more than 8 of them, or shared), which is "
            "not supported");
    tsr_free(w.block);
    return status;
}

/* A little-endian or big-endian integer of at most 8 bytes. */
static int64_t integer_at(cursor *data, const stored_type *type)
{
    const cursor bytes = cut(data, type->nbytes);
    const bool big = type->bits & 1, sign = type->bits & 8;
    uint64_t v = 0;
    for (size_t i = 0; i < bytes.left; i++)
        v = v << 8 | bytes.p[big ? i : bytes.left - 1 - i];
    const unsigned unused = 64 - 8 * (unsigned)bytes.left;
    if (sign && unused > 0 && bytes.left > 0 && (v >> (63 - unused) & 1))
        v |= UINT64_MAX << (64 - unused);
    return v > INT64_MAX && !sign ? INT64_MAX : (int64_t)v;
}

int tsr_hdf5_find_integers(int64_t *out, int most, tsr_hdf5 *h5, uint64_t at, const char *name)
{
    walk w = {.h5 = h5, .wanted = name};
    int n = 0;
    if (walk_header(&w, at, NULL) == TSR_OK && w.found && !w.attribute.shared && w.attribute.type.kind == 0 &&
        w.attribute.type.nbytes <= 8 && w.attribute.n <= INT32_MAX) {
        cursor data = w.attribute.data;
        for (; (uint64_t)n < w.attribute.n && n < most; n++)
            out[n] = integer_at(&data, &w.attribute.type);
        n = data.bad ? 0 : (int)w.attribute.n;
    }
    tsr_free(w.block);
    return n;
}

tsr_status tsr_hdf5_find_names(tsr_text *names, tsr_hdf5 *h5, uint64_t at, tsr_error *err)
{
    walk w = {.h5 = h5, .names = names};
    TSR_TRY(walk_header(&w, at, err));
    return tsr_text_status(names, err);
}
