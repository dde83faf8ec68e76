/* ZIP archives of NumPy arrays (.npz) as containers: see container.h. An archive has one group, the root; an attribute is an array of
 * one text, as Binsparse's reference implementations store their descriptor. */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "container.h"
#include "file_bytes.h"
#include "tsr_parallel.h"
#include "tsr_shown.h"
#include "zip_io.h"

/* An array that is read in parts: a member is a stream, so going back begins it again, except for its last value. */
typedef struct stream {
    char name[TSR_CONTAINER_MAX_NAME + 1]; /* of the array; "": nothing is being read */
    bool open;
    tsr_bytes bytes;
    tsr_npy npy;
    uint64_t next;                            /* the value that the bytes go on with */
    unsigned char last[TSR_MAX_VALUE_NBYTES]; /* value next - 1, if next > 0 */
} stream;

typedef struct npz {
    tsr_container base;
    tsr_zip *zip;           /* owned; NULL: it is written */
    tsr_zip_writer *writer; /* owned; NULL: it is read */
    stream streams[TSR_CONTAINER_STREAMS];
} npz;

static npz *of(tsr_container *c)
{
    return (npz *)c; /* `base` is the first member */
}

static void free_archive(tsr_container *c)
{
    for (int i = 0; i < TSR_CONTAINER_STREAMS; i++)
        tsr_zip_drop(&of(c)->streams[i].bytes);
    tsr_zip_free(of(c)->zip);
    tsr_zip_writer_free(of(c)->writer);
    tsr_free(of(c));
}

static tsr_status new_archive(npz **out, tsr_error *err)
{
    *out = tsr_calloc(1, sizeof **out);
    if (!*out)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    (*out)->base.type = &tsr_container_npz;
    return TSR_OK;
}

static tsr_status open_archive(tsr_container **out, const char *path, tsr_error *err)
{
    npz *z;
    *out = NULL;
    TSR_TRY(new_archive(&z, err));
    const tsr_status status = tsr_zip_open(&z->zip, path, err);
    if (status == TSR_OK)
        *out = &z->base;
    else
        free_archive(&z->base);
    return status;
}

static bool is_npy(const char *name)
{
    const size_t n = strlen(name);
    return n > 4 && strcmp(name + n - 4, ".npy") == 0;
}

/* A ZIP archive of which a member is an array of NumPy. */
static bool claims(const char *path)
{
    tsr_file file;
    tsr_zip *zip = NULL;
    char head[4] = "";
    if (tsr_file_open(&file, path, NULL) != TSR_OK)
        return false;
    const bool archive =
        tsr_file_peek(head, sizeof head, &file, 0) == sizeof head && memcmp(head, "PK\3\4", 4) == 0;
    tsr_file_close(&file);
    bool is = false;
    if (archive && tsr_zip_open(&zip, path, NULL) == TSR_OK)
        for (uint64_t i = 0; !is && i < tsr_zip_count(zip); i++)
            is = is_npy(tsr_zip_name(zip, i));
    tsr_zip_free(zip);
    return is;
}

static bool claims_name(const char *path)
{
    const size_t n = strlen(path);
    return n > 4 && strcmp(path + n - 4, ".npz") == 0;
}

/* ---- reading ---- */

static tsr_status enter(tsr_container *c, const char *group, tsr_error *err)
{
    char shown[TSR_SHOWN_NBYTES];
    (void)c;
    return group[strspn(group, "/")] == '\0'
               ? TSR_OK
               : tsr_fail(err, TSR_ARGUMENT, "there is no group '%s': .npz archives have none",
                          tsr_show(shown, group));
}

static tsr_status leave(tsr_container *c, tsr_error *err)
{
    (void)c;
    (void)err;
    return TSR_OK;
}

/* Put the name of an array before the text of an error. */
static tsr_status name_fault(tsr_status status, const char *name, const tsr_error *why, tsr_error *err)
{
    char shown[TSR_SHOWN_NBYTES];
    return status == TSR_OK ? TSR_OK
                            : tsr_fail(err, status, "array '%s': %s", tsr_show(shown, name), why->message);
}

/* The number of the member that is the array; UINT64_MAX: there is none. */
static uint64_t find(const npz *z, const char *name)
{
    char member[TSR_CONTAINER_MAX_NAME + 8];
    return z->zip && snprintf(member, sizeof member, "%s.npy", name) < (int)sizeof member
               ? tsr_zip_find(z->zip, member)
               : UINT64_MAX;
}

/* Open the array in the archive, to read it: its header is read. */
static tsr_status begin_in(tsr_npy *npy, tsr_bytes *bytes, tsr_zip *zip, uint64_t member, const char *name,
                           tsr_error *err)
{
    tsr_error why = {0};
    char shown[TSR_SHOWN_NBYTES];
    if (member == UINT64_MAX)
        return tsr_fail(err, TSR_CORRUPT, "array '%s' is missing", tsr_show(shown, name));
    tsr_status status = tsr_zip_begin(bytes, zip, member, &why);
    if (status == TSR_OK)
        status = tsr_npy_read_header(npy, bytes, &why);
    if (status != TSR_OK)
        tsr_zip_drop(bytes);
    return name_fault(status, name, &why, err);
}

static tsr_status begin(tsr_npy *npy, tsr_bytes *bytes, const npz *z, const char *name, tsr_error *err)
{
    return begin_in(npy, bytes, z->zip, find(z, name), name, err);
}

static bool is_text(const tsr_npy *npy)
{
    return npy->kind == 'S' || npy->kind == 'U';
}

static tsr_node look_up(tsr_container *c, const char *name)
{
    tsr_npy npy;
    tsr_bytes bytes;
    if (name[strspn(name, "/")] == '\0')
        return TSR_NODE_GROUP;
    if (begin(&npy, &bytes, of(c), name, NULL) != TSR_OK)
        return find(of(c), name) == UINT64_MAX ? TSR_NODE_NONE : TSR_NODE_ARRAY;
    tsr_zip_drop(&bytes);
    return is_text(&npy) && npy.order == 0 ? TSR_NODE_NONE : TSR_NODE_ARRAY; /* a text is an attribute */
}

static tsr_status list(tsr_text *names, tsr_container *c, tsr_error *err)
{
    enum { MOST = 1000 };
    const tsr_zip *const zip = of(c)->zip;
    for (uint64_t i = 0; zip && i < tsr_zip_count(zip) && i < MOST; i++) {
        const char *const name = tsr_zip_name(zip, i);
        if (!is_npy(name) || tsr_zip_find(zip, name) != i) /* a later member overwrites it */
            continue;
        tsr_text_add(names, "d");
        tsr_text_add_n(names, name, strlen(name) - 4);
        tsr_text_add_n(names, "", 1);
    }
    return tsr_text_status(names, err);
}

/* Read an array of one text. */
static tsr_status take_text(tsr_text *out, const tsr_npy *npy, tsr_bytes *bytes, tsr_error *err)
{
    enum { MOST = 64 << 20 };
    tsr_array raw = {0};
    if (npy->item_nbytes > MOST)
        return tsr_fail(err, TSR_LIMIT, "a text has %" PRIu64 " bytes", npy->item_nbytes);
    TSR_TRY(tsr_array_init(&raw, npy->item_nbytes, 1, 0, "a text", err));
    tsr_status status = tsr_bytes_take(bytes, raw.data, npy->item_nbytes, err);
    if (status == TSR_OK)
        tsr_npy_add_text(out, npy, raw.data);
    tsr_array_clear(&raw);
    return status == TSR_OK ? tsr_text_status(out, err) : status;
}

static tsr_status read_text(char **out, size_t *nbytes, tsr_container *c, const char *attribute,
                            tsr_error *err)
{
    tsr_npy npy;
    tsr_bytes bytes;
    tsr_text text = {0};
    *out = NULL;
    *nbytes = 0;
    if (begin(&npy, &bytes, of(c), attribute, NULL) != TSR_OK)
        return TSR_OK;
    tsr_status status = TSR_OK;
    if (is_text(&npy) && npy.n == 1) {
        status = take_text(&text, &npy, &bytes, err);
        if (status == TSR_OK)
            status = tsr_zip_end(&bytes, err);
        if (status == TSR_OK) {
            *out = tsr_strdup(tsr_text_cstr(&text));
            *nbytes = text.nbytes;
            status = *out ? TSR_OK : tsr_fail(err, TSR_NOMEM, "out of memory");
        }
    }
    tsr_zip_drop(&bytes);
    tsr_text_clear(&text);
    return status;
}

static tsr_status text_of(char **out, tsr_container *c, const char *name, const char *attribute,
                          tsr_error *err)
{
    size_t nbytes;
    *out = NULL;
    return name && *name ? TSR_OK : read_text(out, &nbytes, c, attribute, err);
}

static int integers_of(int64_t *out, int most, tsr_container *c, const char *name, const char *attribute)
{
    (void)out;
    (void)most;
    (void)c;
    (void)name;
    (void)attribute;
    return 0;
}

static tsr_status look(tsr_stored *out, char *storage, tsr_container *c, const char *name, bool wide,
                       tsr_error *err)
{
    tsr_npy npy;
    tsr_bytes bytes;
    char shown[TSR_SHOWN_NBYTES];
    const uint64_t member = find(of(c), name);
    *out = (tsr_stored){.n = 0};
    TSR_TRY(begin_in(&npy, &bytes, of(c)->zip, member, name, err));
    tsr_zip_drop(&bytes);
    if (is_text(&npy) && !storage)
        return tsr_fail(err, TSR_UNSUPPORTED, "array '%s' has texts where numbers are expected",
                        tsr_show(shown, name));
    if (!wide && (npy.order != 1 || npy.kind == 'c'))
        return tsr_fail(err, TSR_CORRUPT, "'%s' is not an array of real numbers of one dimension",
                        tsr_show(shown, name));
    const char *const method = tsr_zip_method(of(c)->zip, member);
    *out = (tsr_stored){.type = tsr_npy_type(&npy),
                        .n = npy.n,
                        .wide = wide,
                        .boolean = wide && npy.kind == 'b',
                        .texts = is_text(&npy),
                        .packed = strcmp(method, "stored") != 0,
                        .by_columns = npy.fortran && npy.order > 1,
                        .width = (size_t)npy.item_nbytes,
                        .ndims = npy.order};
    snprintf(out->name, sizeof out->name, "%s", name);
    memcpy(out->dims, npy.shape, sizeof out->dims);
    if (storage)
        snprintf(storage, TSR_STORAGE_NBYTES, "%s", method);
    return TSR_OK;
}

/* Read the next n numbers of an array. */
static tsr_status take(void *out, tsr_bytes *bytes, const tsr_npy *npy, uint64_t n, tsr_error *err)
{
    TSR_TRY(tsr_bytes_take(bytes, out, n * npy->item_nbytes, err));
    tsr_numbers numbers = {.array = {.data = out, .n = n, .width = (size_t)npy->item_nbytes},
                           .type = tsr_npy_type(npy)};
    if (tsr_must_swap(npy->big_endian))
        tsr_numbers_swap(&numbers);
    return TSR_OK;
}

static tsr_status read_from(void *out, tsr_zip *zip, uint64_t member, const tsr_stored *array, tsr_error *err)
{
    tsr_npy npy;
    tsr_bytes bytes;
    tsr_error why = {0};
    TSR_TRY(begin_in(&npy, &bytes, zip, member, array->name, err));
    tsr_status status = npy.n == array->n ? take(out, &bytes, &npy, npy.n, &why)
                                          : tsr_fail(&why, TSR_CORRUPT, "it changed while it was read");
    if (status == TSR_OK)
        status = tsr_zip_end(&bytes, &why);
    tsr_zip_drop(&bytes);
    return name_fault(status, array->name, &why, err);
}

static tsr_status read_array(void *out, tsr_container *c, const tsr_stored *array, tsr_job *job,
                             tsr_error *err)
{
    tsr_zip_set_threads(of(c)->zip, job->nthreads);
    TSR_TRY(read_from(out, of(c)->zip, find(of(c), array->name), array, err));
    return tsr_job_step(job, array->n * array->width, err);
}

/* Compressed arrays that are read side by side: each thread opens the archive itself and reads the next array. */
typedef struct loading_all {
    npz *z;
    const tsr_wanted *arrays;
    int n;
    atomic_int next;
    tsr_error faults[TSR_MAX_WANTED];
} loading_all;

static void load_some(void *arg, int t, int nthreads)
{
    loading_all *const l = arg;
    (void)nthreads;
    tsr_zip *zip = t == 0 ? l->z->zip : NULL;
    for (int i; (i = atomic_fetch_add(&l->next, 1)) < l->n;) {
        const tsr_wanted *const a = &l->arrays[i];
        if (a->array->packed && (zip || tsr_zip_open_again(&zip, l->z->zip, &l->faults[i]) == TSR_OK))
            l->faults[i].status = read_from(a->out, zip, find(l->z, a->array->name), a->array, &l->faults[i]);
    }
    if (t != 0)
        tsr_zip_free(zip);
}

/* All threads read one stored array after the other, and then a compressed array each. */
static tsr_status read_all(tsr_container *c, const tsr_wanted *arrays, int n, tsr_job *job, tsr_error *err)
{
    enum { MOST_THREADS = 4 };
    loading_all l = {.z = of(c), .arrays = arrays, .n = n};
    uint64_t largest = 0, total = 0;
    for (int i = 0; i < n; i++) {
        const uint64_t nbytes = arrays[i].array->n * arrays[i].array->width;
        if (!arrays[i].array->packed)
            TSR_TRY(read_array(arrays[i].out, c, arrays[i].array, job, err));
        total += arrays[i].array->packed ? nbytes : 0;
        largest = nbytes > largest ? nbytes : largest;
    }
    tsr_parallel(largest < 1 << 20              ? 1
                 : job->nthreads < MOST_THREADS ? job->nthreads
                                                : MOST_THREADS,
                 load_some, &l);
    for (int i = 0; i < n; i++)
        TSR_TRY(tsr_fail_as(err, &l.faults[i]));
    return total > 0 ? tsr_job_step(job, total, err) : TSR_OK;
}

/* ---- parts ---- */

/* Read n values from the stream. */
static tsr_status take_next(unsigned char *out, stream *s, uint64_t n, tsr_error *err)
{
    const size_t width = tsr_type_nbytes(tsr_npy_type(&s->npy));
    if (n == 0)
        return TSR_OK;
    TSR_TRY(take(out, &s->bytes, &s->npy, n, err));
    s->next += n;
    memcpy(s->last, out + (n - 1) * width, width);
    if (s->bytes.left > 0)
        return TSR_OK;
    s->open = false; /* the end: the checksum */
    return tsr_zip_end(&s->bytes, err);
}

/* Read on to value `first`. */
static tsr_status skip(stream *s, uint64_t first, tsr_error *err)
{
    enum { STEP_NBYTES = 1 << 16 };
    unsigned char *const buffer = tsr_malloc(STEP_NBYTES);
    const uint64_t most = STEP_NBYTES / sizeof s->last;
    tsr_status status = buffer ? TSR_OK : tsr_fail(err, TSR_NOMEM, "out of memory");
    if (tsr_zip_pass(&s->bytes, (first - s->next - 1) * s->npy.item_nbytes)) /* the value before is read */
        s->next = first - 1;
    while (status == TSR_OK && s->next < first)
        status = take_next(buffer, s, first - s->next < most ? first - s->next : most, err);
    tsr_free(buffer);
    return status;
}

static tsr_status read_values(unsigned char *out, stream *s, npz *z, uint64_t first, uint64_t n,
                              tsr_error *err)
{
    const size_t width = tsr_type_nbytes(tsr_npy_type(&s->npy));
    if (s->next > 0 && first == s->next - 1 && n > 0) { /* the last value again */
        memcpy(out, s->last, width);
        return take_next(out + width, s, n - 1, err);
    }
    if (!s->open || first < s->next) {
        tsr_zip_drop(&s->bytes);
        tsr_zip_set_threads(z->zip, z->base.nthreads > 0 ? z->base.nthreads : 1);
        TSR_TRY(tsr_zip_begin(&s->bytes, z->zip, find(z, s->name), err));
        s->open = true;
        s->next = 0;
        TSR_TRY(tsr_npy_read_header(&s->npy, &s->bytes, err));
    }
    if (first > s->next)
        TSR_TRY(skip(s, first, err));
    return take_next(out, s, n, err);
}

/* Errors name the file, too, since the caller writes another file meanwhile. */
static tsr_status read_part(void *out, tsr_container *c, const tsr_stored *array, uint64_t first, uint64_t n,
                            tsr_error *err)
{
    npz *const z = of(c);
    stream *const s = &z->streams[array->stream];
    tsr_error why = {0};
    if (strcmp(s->name, array->name) != 0) {
        tsr_zip_drop(&s->bytes);
        *s = (stream){.open = false};
        snprintf(s->name, sizeof s->name, "%s", array->name);
    }
    const tsr_status status = read_values(out, s, z, first, n, &why);
    return status == TSR_OK ? TSR_OK
                            : tsr_fail_at(err, status, tsr_zip_path(z->zip), 0, 0, "array '%s': %s",
                                          array->name, why.message);
}

/* A list of texts of equal length, padded with NUL. */
static tsr_status read_names(tsr_names *out, tsr_container *c, const char *name, tsr_error *err)
{
    tsr_npy npy;
    tsr_bytes bytes;
    tsr_text text = {0};
    TSR_TRY(begin(&npy, &bytes, of(c), name, err));
    tsr_status status = is_text(&npy) && npy.order == 1
                            ? TSR_OK
                            : tsr_fail(err, TSR_UNSUPPORTED, "'%s' is not a list of texts", name);
    for (uint64_t i = 0; i < npy.n && status == TSR_OK; i++) {
        tsr_text_clear(&text);
        status = take_text(&text, &npy, &bytes, err);
        if (status == TSR_OK)
            status = tsr_names_add(out, tsr_text_cstr(&text), text.nbytes, err);
    }
    if (status == TSR_OK)
        status = tsr_zip_end(&bytes, err);
    tsr_zip_drop(&bytes);
    tsr_text_clear(&text);
    return status;
}

/* ---- writing ---- */

/* Add the array with this header. */
static tsr_status add(npz *z, const char *name, tsr_text *head, const tsr_zip_piece *data, tsr_error *err)
{
    char member[TSR_CONTAINER_MAX_NAME + 8];
    const tsr_zip_piece pieces[2] = {{.data = head->s, .nbytes = head->nbytes}, *data};
    tsr_status status = tsr_text_status(head, err);
    snprintf(member, sizeof member, "%s.npy", name);
    if (status == TSR_OK)
        status = tsr_zip_writer_add(z->writer, member, pieces, 2, err);
    tsr_text_clear(head);
    return status;
}

/* An array of one text, of 4 bytes a character, as NumPy's str. Texts are ASCII here. */
static tsr_status write_text(tsr_container *c, const char *name, const char *attribute, const char *text,
                             tsr_error *err)
{
    const size_t n = text ? strlen(text) : 0;
    char descr[32];
    tsr_text head = {0};
    unsigned char *wide;
    if (name || !text)
        return TSR_OK; /* arrays have no attributes; a new archive has none to remove */
    if (!(wide = tsr_calloc(n ? n : 1, 4)))
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    for (size_t i = 0; i < n; i++)
        wide[4 * i] = (unsigned char)text[i] < 128 ? (unsigned char)text[i] : '?';
    snprintf(descr, sizeof descr, "<U%zu", n ? n : 1);
    tsr_npy_add_header(&head, descr, false, 0, NULL);
    const tsr_status status =
        add(of(c), attribute, &head, &(tsr_zip_piece){.data = wide, .nbytes = 4 * (n ? n : 1)}, err);
    tsr_free(wide);
    return status;
}

static tsr_status write_integers(tsr_container *c, const char *attribute, const int64_t *values, int n,
                                 tsr_error *err)
{
    const uint64_t shape = n > 0 ? (uint64_t)n : 0;
    tsr_text head = {0};
    tsr_npy_add_header(&head, tsr_npy_descr(TSR_I64), false, n < 0 ? 0 : 1, &shape);
    return add(of(c), attribute, &head, &(tsr_zip_piece){.data = values, .nbytes = 8 * (n < 0 ? 1 : shape)},
               err);
}

/* A supply of values, loaded by bytes. */
typedef struct loading {
    const tsr_supply *supply;
    size_t width;
} loading;

static tsr_status load(void *out, void *ctx, uint64_t first, uint64_t n, tsr_error *err)
{
    const loading *const l = ctx;
    return l->supply->load(out, l->supply->ctx, first / l->width, n / l->width, err);
}

static tsr_status write_array(tsr_container *c, const tsr_stored *array, const tsr_supply *supply,
                              int deflate, tsr_job *job, tsr_error *err)
{
    loading l = {supply, tsr_type_nbytes(array->type)};
    tsr_text head = {0};
    (void)deflate; /* the writer has it */
    tsr_npy_add_header(&head, tsr_npy_descr(array->type), false, 1, &array->n);
    const tsr_zip_piece data = {.data = supply->data,
                                .nbytes = array->n * l.width,
                                .load = supply->data || array->n == 0 ? NULL : load,
                                .ctx = &l,
                                .any_thread = supply->any_thread};
    TSR_TRY(add(of(c), array->name, &head, &data, err));
    return tsr_job_step(job, array->n * l.width, err);
}

static tsr_status write_texts(tsr_container *c, const char *name, const char *texts, size_t width, uint64_t n,
                              tsr_error *err)
{
    char descr[32];
    tsr_text head = {0};
    snprintf(descr, sizeof descr, "|S%zu", width);
    tsr_npy_add_header(&head, descr, false, 1, &n);
    return add(of(c), name, &head, &(tsr_zip_piece){.data = texts, .nbytes = n * width}, err);
}

static tsr_status remove_member(tsr_container *c, const char *name, tsr_error *err)
{
    (void)c;
    (void)name;
    (void)err;
    return TSR_OK; /* an archive is always new */
}

static tsr_status write_archive(const char *path, const tsr_filling *what, const tsr_write_options *options,
                                uint64_t *nbytes, tsr_error *err)
{
    const char *object;
    npz *z = NULL;
    char *const file = tsr_path_split(&object, path);
    tsr_status status = file ? new_archive(&z, err) : tsr_fail(err, TSR_NOMEM, "out of memory");
    if (status == TSR_OK && object)
        status = tsr_fail(err, TSR_UNSUPPORTED, "an .npz archive is not changed: leave ':%s' out", object);
    if (status == TSR_OK)
        status = tsr_zip_writer_new(&z->writer, file, options, err);
    if (status == TSR_OK)
        status = what->write(&z->base, NULL, what->ctx, err);
    if (status == TSR_OK) {
        tsr_zip_writer *const writer = z->writer;
        z->writer = NULL;
        status = tsr_zip_writer_commit(writer, nbytes, err);
    }
    if (z)
        free_archive(&z->base);
    tsr_free(file);
    return status;
}

const tsr_container_type tsr_container_npz = {
    .name = "NumPy's archive",
    .word = "array",
    .claims = claims,
    .claims_name = claims_name,
    .open = open_archive,
    .write = write_archive,
    .free = free_archive,
    .enter = enter,
    .leave = leave,
    .look_up = look_up,
    .list = list,
    .read_text = read_text,
    .text_of = text_of,
    .integers_of = integers_of,
    .look = look,
    .one_group = true,
    .flat_parts = true,
    .read = read_array,
    .read_all = read_all,
    .read_part = read_part,
    .read_names = read_names,
    .write_text = write_text,
    .write_integers = write_integers,
    .write_array = write_array,
    .write_texts = write_texts,
    .remove = remove_member,
};
