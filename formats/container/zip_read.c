/* Reading ZIP archives: see zip_io.h. libzip reads the directory; ISA-L inflates members, or zlib where ISA-L is
 * absent. */
#include "zip_io.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <libdeflate.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

#include "inflate_stream.h"
#include "tsr_parallel.h"

struct tsr_zip {
    zip_t *archive;
    char *path; /* owned */
    uint64_t file_nbytes;
    uint64_t count;
    int fd;
    uint64_t at;            /* where libzip reads */
    zip_error_t read_error; /* of libzip's reads */
    bool learned;
    tsr_zip_place
        *places;  /* owned; count entries, for members that are stored as they are; NULL: not known */
    int nthreads; /* that read such a member */
};

/* ---- the bytes that libzip asks for ---- */

static zip_int64_t give_bytes(tsr_zip *zip, void *out, zip_uint64_t n)
{
    const uint64_t left = zip->file_nbytes - zip->at;
    if (n > left)
        n = left;
    if (!tsr_zip_read_at(zip->fd, out, zip->at, n)) {
        zip_error_set(&zip->read_error, ZIP_ER_READ, errno);
        return -1;
    }
    zip->at += n;
    return (zip_int64_t)n;
}

static zip_int64_t give_sizes(const tsr_zip *zip, zip_stat_t *stat)
{
    zip_stat_init(stat);
    stat->size = stat->comp_size = zip->file_nbytes;
    stat->comp_method = ZIP_CM_STORE;
    stat->encryption_method = ZIP_EM_NONE;
    stat->valid |= ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
    return sizeof *stat;
}

static zip_int64_t answer(void *ctx, void *data, zip_uint64_t n, zip_source_cmd_t command)
{
    tsr_zip *const zip = ctx;
    zip_int64_t at;
    switch (command) {
    case ZIP_SOURCE_SUPPORTS:
        return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE,
                                              ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE,
                                              ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL, ZIP_SOURCE_SUPPORTS, -1);
    case ZIP_SOURCE_OPEN:
        zip->at = 0;
        return 0;
    case ZIP_SOURCE_READ:
        return give_bytes(zip, data, n);
    case ZIP_SOURCE_STAT:
        return give_sizes(zip, data);
    case ZIP_SOURCE_ERROR:
        return zip_error_to_data(&zip->read_error, data, n);
    case ZIP_SOURCE_SEEK:
        at = zip_source_seek_compute_offset(zip->at, zip->file_nbytes, data, n, &zip->read_error);
        zip->at = at < 0 ? zip->at : (uint64_t)at;
        return at < 0 ? -1 : 0;
    case ZIP_SOURCE_TELL:
        return (zip_int64_t)zip->at;
    case ZIP_SOURCE_CLOSE:
    case ZIP_SOURCE_FREE:
        return 0;
    default:
        zip_error_set(&zip->read_error, ZIP_ER_OPNOTSUPP, 0);
        return -1;
    }
}

static tsr_status open_fail(const char *path, zip_error_t *error, tsr_error *err)
{
    const int code = zip_error_code_zip(error), system = zip_error_code_system(error);
    if (code == ZIP_ER_OPEN || code == ZIP_ER_READ || code == ZIP_ER_NOENT)
        return tsr_fail_errno(err, system ? system : EIO, path, "cannot open");
    if (code == ZIP_ER_MEMORY)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    return tsr_fail(err, TSR_CORRUPT, "is a damaged ZIP archive: %s", zip_error_strerror(error));
}

static tsr_status open_source(tsr_zip *zip, tsr_error *err)
{
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t *const source = zip_source_function_create(answer, zip, &error);
    if (source)
        zip->archive = zip_open_from_source(source, ZIP_RDONLY, &error);
    if (source && !zip->archive)
        zip_source_free(source);
    const tsr_status status = zip->archive ? TSR_OK : open_fail(zip->path, &error, err);
    zip_error_fini(&error);
    if (status == TSR_OK)
        zip->count = (uint64_t)zip_get_num_entries(zip->archive, 0);
    return status;
}

static tsr_status open_file(tsr_zip *zip, tsr_error *err)
{
    struct stat st;
    zip->fd = open(zip->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (zip->fd < 0 || fstat(zip->fd, &st) != 0)
        return tsr_fail_errno(err, errno, zip->path, "cannot open");
    if (!S_ISREG(st.st_mode))
        return tsr_fail(err, TSR_IO, "is not a regular file");
    zip->file_nbytes = (uint64_t)st.st_size;
    return TSR_OK;
}

tsr_status tsr_zip_open(tsr_zip **out, const char *path, tsr_error *err)
{
    *out = NULL;
    tsr_zip *const zip = tsr_calloc(1, sizeof *zip);
    if (!zip)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    *zip = (tsr_zip){.fd = -1, .nthreads = 1, .path = tsr_strdup(path)};
    zip_error_init(&zip->read_error);
    tsr_status status = zip->path ? open_file(zip, err) : tsr_fail(err, TSR_NOMEM, "out of memory");
    if (status == TSR_OK)
        status = open_source(zip, err);
    if (status == TSR_OK)
        *out = zip;
    else
        tsr_zip_free(zip);
    return status;
}

tsr_status tsr_zip_open_again(tsr_zip **out, const tsr_zip *zip, tsr_error *err)
{
    return tsr_zip_open(out, zip->path, err);
}

void tsr_zip_free(tsr_zip *zip)
{
    if (!zip)
        return;
    if (zip->archive)
        zip_discard(zip->archive);
    if (zip->fd >= 0)
        (void)close(zip->fd);
    zip_error_fini(&zip->read_error);
    tsr_free(zip->places);
    tsr_free(zip->path);
    tsr_free(zip);
}

const char *tsr_zip_path(const tsr_zip *zip)
{
    return zip->path;
}

uint64_t tsr_zip_count(const tsr_zip *zip)
{
    return zip->count;
}

const char *tsr_zip_name(const tsr_zip *zip, uint64_t i)
{
    const char *const name = zip_get_name(zip->archive, i, ZIP_FL_ENC_RAW);
    return name ? name : "";
}

uint64_t tsr_zip_find(const tsr_zip *zip, const char *name)
{
    for (uint64_t i = zip->count; i > 0; i--)
        if (strcmp(tsr_zip_name(zip, i - 1), name) == 0)
            return i - 1;
    return UINT64_MAX;
}

const char *tsr_zip_method(const tsr_zip *zip, uint64_t i)
{
    zip_stat_t stat;
    if (zip_stat_index(zip->archive, i, 0, &stat) != 0 || !(stat.valid & ZIP_STAT_COMP_METHOD))
        return "?";
    return stat.comp_method == ZIP_CM_STORE     ? "stored"
           : stat.comp_method == ZIP_CM_DEFLATE ? "deflated"
                                                : "?";
}

void tsr_zip_set_threads(tsr_zip *zip, int nthreads)
{
    zip->nthreads = nthreads;
}

/* ---- members that are stored as they are: read from the file, and checked on the way ---- */

/* Learn where the members are, once. Without success, libzip reads them. */
static void learn_places(tsr_zip *zip)
{
    if (zip->learned)
        return;
    zip->learned = true;
    zip->places = zip->count < SIZE_MAX / sizeof *zip->places
                      ? tsr_calloc((size_t)zip->count, sizeof *zip->places)
                      : NULL;
    if (zip->places && tsr_zip_find_places(zip->places, zip->count, zip->fd, zip->file_nbytes))
        return;
    tsr_free(zip->places);
    zip->places = NULL;
}

/* The offset of the bytes of member i, which are stored as they are; false: it is not such a member, or the directory
 * says something else than libzip. */
static bool find_stored(uint64_t *offset, tsr_zip *zip, uint64_t i, const zip_stat_t *stat)
{
    if (stat->comp_method != ZIP_CM_STORE)
        return false;
    learn_places(zip);
    const tsr_zip_place *const place = zip->places ? &zip->places[i] : NULL;
    return place && place->method == 0 && !(place->flags & 1) && place->nbytes == stat->size &&
           place->stored_nbytes == stat->size && place->crc == stat->crc &&
           tsr_zip_find_bytes(offset, place, zip->fd, zip->file_nbytes);
}

enum { STEP_NBYTES = 1 << 18 }; /* so that the bytes are in a cache when the checksum is made */

/* Reading bytes [0, nbytes) at the offset by all threads, and their checksums. */
typedef struct copying {
    int fd;
    uint64_t offset, nbytes;
    unsigned char *out;
    uint32_t crc[TSR_MAX_THREADS];
    int fault[TSR_MAX_THREADS]; /* errno; -1: the file is too short */
} copying;

static void copy_part(void *arg, int t, int nthreads)
{
    copying *const c = arg;
    const uint64_t end = tsr_cut(c->nbytes, t + 1, nthreads);
    uint32_t crc = 0;
    for (uint64_t at = tsr_cut(c->nbytes, t, nthreads); at < end;) {
        const uint64_t n = end - at < STEP_NBYTES ? end - at : STEP_NBYTES;
        if (!tsr_zip_read_at(c->fd, c->out + at, c->offset + at, n)) {
            c->fault[t] = errno ? errno : -1;
            return;
        }
        crc = libdeflate_crc32(crc, c->out + at, (size_t)n);
        at += n;
    }
    c->crc[t] = crc;
}

/* ---- members: libzip finds the stored bytes; they are inflated and checked here, which is faster ---- */

typedef struct member {
    int fd;          /* of a member that is read from the file; -1: from `file` */
    uint64_t offset; /* of the next byte */
    int nthreads;
    zip_file_t *file; /* gives the bytes as they are stored */
    bool deflated;
    bool passed;            /* some bytes, so that the checksum cannot be made */
    uint32_t crc, expected; /* checksums: of the bytes so far, of all bytes in the directory */
    tsr_inflate inflate;
} member;

static tsr_status damaged(const char *how, tsr_error *err)
{
    return tsr_fail(err, TSR_CORRUPT, "a member of the archive is damaged: %s", how);
}

/* Read up to n stored bytes; *got = 0 at the end. */
static tsr_status read_stored(size_t *got, void *ctx, void *out, size_t n, tsr_error *err)
{
    member *const m = ctx;
    const zip_int64_t k = zip_fread(m->file, out, n);
    *got = k < 0 ? 0 : (size_t)k;
    return k < 0 ? damaged(zip_file_strerror(m->file), err) : TSR_OK;
}

/* Read or inflate up to n bytes; *got = 0 at the end of the member. */
static tsr_status read_some(size_t *got, member *m, void *out, size_t n, tsr_error *err)
{
    return m->deflated ? tsr_inflate_some(got, &m->inflate, out, n, err) : read_stored(got, m, out, n, err);
}

static tsr_status copy_member(member *m, void *out, size_t n, tsr_error *err)
{
    enum { LEAST = 1 << 20 };
    copying c = {.fd = m->fd, .offset = m->offset, .nbytes = n, .out = out};
    const int nthreads = n < LEAST ? 1 : m->nthreads;
    tsr_parallel(nthreads, copy_part, &c);
    for (int t = 0; t < nthreads; t++) {
        if (c.fault[t] > 0)
            return tsr_fail_errno(err, c.fault[t], NULL, "cannot be read");
        if (c.fault[t] < 0)
            return tsr_fail(err, TSR_CORRUPT, "has become shorter while it was read: read it again");
        const uint64_t part = tsr_cut(n, t + 1, nthreads) - tsr_cut(n, t, nthreads);
        m->crc = (uint32_t)crc32_combine(m->crc, c.crc[t], (z_off_t)part);
    }
    m->offset += n;
    return TSR_OK;
}

static tsr_status read_member(void *ctx, void *out, size_t n, tsr_error *err)
{
    member *const m = ctx;
    if (m->fd >= 0)
        return copy_member(m, out, n, err);
    unsigned char *to = out;
    while (n > 0) {
        size_t got;
        TSR_TRY(read_some(&got, m, to, n, err));
        if (got == 0)
            return tsr_fail(err, TSR_CORRUPT, "a member of the archive is truncated: %zu bytes are missing",
                            n);
        m->crc = libdeflate_crc32(m->crc, to, got);
        to += got;
        n -= got;
    }
    return TSR_OK;
}

static tsr_status check_member(const zip_stat_t *stat, const tsr_zip *zip, tsr_error *err)
{
    const zip_uint64_t all = ZIP_STAT_CRC | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD;
    if ((stat->valid & all) != all)
        return tsr_fail(err, TSR_CORRUPT, "the archive does not have the size of a member");
    if ((stat->valid & ZIP_STAT_ENCRYPTION_METHOD) && stat->encryption_method != ZIP_EM_NONE)
        return tsr_fail(err, TSR_UNSUPPORTED, "the members of the archive are encrypted");
    if (stat->comp_method != ZIP_CM_STORE && stat->comp_method != ZIP_CM_DEFLATE)
        return tsr_fail(
            err, TSR_UNSUPPORTED,
            "a member of the archive is compressed with method %d%s: only stored and deflated members are "
            "supported",
            stat->comp_method, stat->comp_method == 93 ? " (Zstandard)" : "");
    const uint64_t ratio = stat->comp_method == ZIP_CM_STORE ? 1 : TSR_INFLATE_MAX_RATIO;
    if (stat->comp_size > zip->file_nbytes || stat->size / ratio > stat->comp_size)
        return tsr_fail(err, TSR_CORRUPT,
                        "a member of the archive claims %" PRIu64 " bytes, but its %" PRIu64
                        " stored bytes cannot hold them",
                        stat->size, stat->comp_size);
    return TSR_OK;
}

tsr_status tsr_zip_begin(tsr_bytes *bytes, tsr_zip *zip, uint64_t i, tsr_error *err)
{
    zip_stat_t stat;
    *bytes = (tsr_bytes){.ctx = NULL};
    if (zip_stat_index(zip->archive, i, 0, &stat) != 0)
        return tsr_fail(err, TSR_CORRUPT, "the archive has no readable member %" PRIu64, i);
    TSR_TRY(check_member(&stat, zip, err));
    member *const m = tsr_calloc(1, sizeof *m);
    if (!m)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    m->deflated = stat.comp_method == ZIP_CM_DEFLATE;
    m->expected = stat.crc;
    m->nthreads = zip->nthreads;
    m->fd = find_stored(&m->offset, zip, i, &stat) ? zip->fd : -1;
    if (m->fd >= 0) {
        *bytes = (tsr_bytes){.ctx = m, .read = read_member, .left = stat.size};
        return TSR_OK;
    }
    m->inflate.ctx = m;
    m->inflate.read = read_stored;
    m->inflate.what = "a member of the archive";
    m->file = zip_fopen_index(zip->archive, i, ZIP_FL_COMPRESSED);
    tsr_status status = m->file ? TSR_OK
                                : tsr_fail(err, TSR_CORRUPT, "a member of the archive cannot be opened: %s",
                                           zip_strerror(zip->archive));
    if (status == TSR_OK && m->deflated)
        status = tsr_inflate_begin(&m->inflate, false, err);
    if (status != TSR_OK) {
        if (m->file)
            zip_fclose(m->file);
        tsr_free(m);
        return status;
    }
    *bytes = (tsr_bytes){.ctx = m, .read = read_member, .left = stat.size};
    return TSR_OK;
}

bool tsr_zip_pass(tsr_bytes *bytes, uint64_t n)
{
    member *const m = bytes->ctx;
    if (m->fd < 0 || n > bytes->left)
        return false;
    m->passed = m->passed || n > 0;
    m->offset += n;
    bytes->left -= n;
    return true;
}

void tsr_zip_drop(tsr_bytes *bytes)
{
    member *const m = bytes->ctx;
    if (m && m->file) {
        zip_fclose(m->file);
        if (m->deflated)
            tsr_inflate_end(&m->inflate);
    }
    tsr_free(m);
    *bytes = (tsr_bytes){.ctx = NULL};
}

tsr_status tsr_zip_end(tsr_bytes *bytes, tsr_error *err)
{
    unsigned char none;
    size_t got = 0;
    member *const m = bytes->ctx;
    tsr_status status = TSR_OK;
    if (bytes->left == 0) {
        status = m->fd < 0 ? read_some(&got, m, &none, 1, err) : TSR_OK;
        if (status == TSR_OK && got > 0)
            status = damaged("it has more bytes than the directory says", err);
        else if (status == TSR_OK && !m->passed && m->crc != m->expected)
            status = damaged("the checksum is wrong", err);
    }
    tsr_zip_drop(bytes);
    return status;
}
