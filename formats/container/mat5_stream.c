/* The elements of a variable in a .mat file: see mat_internal.h. */
#include "mat_internal.h"

#include <inttypes.h>
#include <string.h>

tsr_status tsr_mat_cut_off(tsr_error *err)
{
    return tsr_fail(err, TSR_CORRUPT, "a variable of the file is truncated, or has wrong lengths");
}

uint32_t tsr_mat_word(const unsigned char *p, bool big)
{
    return big ? (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]
               : (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

/* ---- bytes ---- */

/* Read up to n bytes of the variable as they are stored. */
static tsr_status read_stored(size_t *got, void *ctx, void *out, size_t n, tsr_error *err)
{
    tsr_mat_stream *const s = ctx;
    *got = n < s->stored_left ? n : (size_t)s->stored_left;
    s->stored_left -= *got;
    return tsr_bytes_take(&s->file->bytes, out, *got, err);
}

/* Read n bytes of the variable. */
static tsr_status read_bytes(unsigned char *out, tsr_mat_stream *s, uint64_t n, tsr_error *err)
{
    for (size_t got; n > 0; out += got, n -= got) {
        if (s->inflate)
            TSR_TRY(tsr_inflate_some(&got, s->inflate, out, (size_t)n, err));
        else
            TSR_TRY(read_stored(&got, s, out, (size_t)n, err));
        if (got == 0)
            return tsr_mat_cut_off(err);
        s->at += got;
    }
    return TSR_OK;
}

static tsr_status skip_bytes(tsr_mat_stream *s, uint64_t n, tsr_error *err)
{
    unsigned char none[4096];
    for (; s->inflate && n > 0; n -= n < sizeof none ? n : sizeof none)
        TSR_TRY(read_bytes(none, s, n < sizeof none ? n : sizeof none, err));
    if (n > s->stored_left && !s->inflate)
        return tsr_mat_cut_off(err);
    s->at += n;
    s->stored_left -= n;
    return tsr_file_skip(s->file, n, err);
}

tsr_status tsr_mat_stream_begin(tsr_mat_stream *out, tsr_file *file, bool big, tsr_error *err)
{
    unsigned char tag[8];
    *out = (tsr_mat_stream){.file = file, .big = big};
    TSR_TRY(tsr_bytes_take(&file->bytes, tag, 8, err));
    const uint32_t type = tsr_mat_word(tag, big), n = tsr_mat_word(tag + 4, big);
    if (n > file->bytes.left)
        return tsr_mat_cut_off(err);
    out->stored_left = n;
    out->nbytes = type == TSR_MI_MATRIX ? n : 0;
    if (type != TSR_MI_COMPRESSED)
        return TSR_OK;
    out->inflate = tsr_malloc(sizeof *out->inflate);
    if (!out->inflate)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    out->inflate->ctx = out;
    out->inflate->read = read_stored;
    out->inflate->what = "a compressed variable";
    const tsr_status status = tsr_inflate_begin(out->inflate, true, err);
    if (status != TSR_OK) {
        tsr_free(out->inflate);
        out->inflate = NULL;
        return status;
    }
    TSR_TRY(read_bytes(tag, out, 8, err));
    out->at = 0;
    out->nbytes = tsr_mat_word(tag + 4, big);
    if (tsr_mat_word(tag, big) != TSR_MI_MATRIX)
        return tsr_fail(err, TSR_UNSUPPORTED, "a compressed part of the file is not a variable");
    if (out->nbytes / TSR_INFLATE_MAX_RATIO > n)
        return tsr_fail(err, TSR_CORRUPT,
                        "a compressed variable is damaged: it claims %" PRIu64 " bytes, but its %" PRIu32
                        " stored bytes cannot hold them",
                        out->nbytes, n);
    return TSR_OK;
}

tsr_status tsr_mat_stream_finish(tsr_mat_stream *s, tsr_error *err)
{
    enum { MOST_PADDING = 64 };
    unsigned char more;
    size_t got;
    if (!s->inflate || s->nbytes - s->at > MOST_PADDING)
        return TSR_OK;
    TSR_TRY(skip_bytes(s, s->nbytes - s->at, err));
    return tsr_inflate_some(&got, s->inflate, &more, 1, err);
}

tsr_status tsr_mat_stream_end(tsr_mat_stream *s, tsr_error *err)
{
    if (s->inflate)
        tsr_inflate_end(s->inflate);
    tsr_free(s->inflate);
    s->inflate = NULL;
    const uint64_t left = s->stored_left;
    s->stored_left = 0;
    return tsr_file_skip(s->file, left, err);
}

/* ---- elements ---- */

tsr_status tsr_mat_next(tsr_mat_element *out, tsr_mat_cursor *c, tsr_error *err)
{
    tsr_mat_stream *const s = c->stream;
    unsigned char tag[8];
    if (c->end - c->next < 8 || s->at > c->next)
        return tsr_mat_cut_off(err);
    TSR_TRY(skip_bytes(s, c->next - s->at, err));
    TSR_TRY(read_bytes(tag, s, 8, err));
    const uint32_t first = tsr_mat_word(tag, s->big);
    const bool small = first >> 16 != 0;
    const uint64_t n = small ? first >> 16 : tsr_mat_word(tag + 4, s->big);
    const uint64_t left = c->end - c->next, all = small ? 8 : 8 + (n + 7) / 8 * 8;
    *out =
        (tsr_mat_element){.type = small ? first & 0xffff : first, .nbytes = n, .small = small, .stream = s};
    memcpy(out->data, tag + 4, 4);
    if (small ? n > 4 : n > left - 8)
        return tsr_mat_cut_off(err);
    c->next += all < left ? all : left; /* the last element may lack the padding */
    return TSR_OK;
}

tsr_status tsr_mat_take(void *out, tsr_mat_element *e, uint64_t n, tsr_error *err)
{
    if (n > e->nbytes - e->used)
        return tsr_mat_cut_off(err);
    const uint64_t at = e->used;
    e->used += n;
    if (!e->small)
        return out ? read_bytes(out, e->stream, n, err) : skip_bytes(e->stream, n, err);
    if (out)
        memcpy(out, e->data + at, (size_t)n);
    return TSR_OK;
}

/* ---- numbers ---- */

bool tsr_mat_number_type(tsr_type *type, uint32_t mi)
{
    static const int types[] = {[1] = TSR_I8,  [2] = TSR_U8,  [3] = TSR_I16, [4] = TSR_U16,  [5] = TSR_I32,
                                [6] = TSR_U32, [7] = TSR_F32, [9] = TSR_F64, [12] = TSR_I64, [13] = TSR_U64};
    if (mi == 0 || mi > 13 || mi == 8 || mi == 10 || mi == 11)
        return false;
    *type = (tsr_type)types[mi];
    return true;
}

tsr_status tsr_mat_count(uint64_t *there, tsr_type *type, const tsr_mat_element *e, const char *name,
                         uint64_t n, tsr_error *err)
{
    if (!tsr_mat_number_type(type, e->type))
        return tsr_fail(err, TSR_CORRUPT, "array '%s' has data of type %u, which are not numbers", name,
                        e->type);
    *there = e->nbytes / tsr_type_nbytes(*type);
    if (n > *there)
        return tsr_fail(err, TSR_CORRUPT, "array '%s' has %" PRIu64 " values where %" PRIu64 " are expected",
                        name, *there, n);
    return TSR_OK;
}

tsr_status tsr_mat_numbers(const tsr_mat_target *out, tsr_mat_element *e, uint64_t n, tsr_error *err)
{
    enum { STEP = 1024 };
    uint64_t raw[STEP], block[STEP];
    tsr_type type = TSR_U8;
    const size_t to_width = tsr_type_nbytes(out->type);
    const bool swap = tsr_must_swap(e->stream->big);
    (void)tsr_mat_number_type(&type, e->type);
    const size_t width = tsr_type_nbytes(type);
    if (type == out->type && out->stride == width && !(swap && width > 1))
        return tsr_mat_take(out->to, e, n * width, err);
    unsigned char *to = out->to;
    for (uint64_t first = 0; first < n; first += STEP) {
        const uint64_t some = n - first < STEP ? n - first : STEP;
        tsr_numbers numbers = {.array = {.data = raw, .n = some, .width = width}, .type = type};
        TSR_TRY(tsr_mat_take(raw, e, some * width, err));
        if (swap)
            tsr_numbers_swap(&numbers);
        TSR_TRY(tsr_values_convert(block, out->type, raw, type, some, err));
        for (uint64_t i = 0; i < some; i++, to += out->stride)
            memcpy(to, (const char *)block + i * to_width, to_width);
    }
    return TSR_OK;
}
