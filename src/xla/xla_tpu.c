/* Mosaic's tiled layouts: tiles as in XLA, and a stride for each dim, counted in tiles. */
#include "xla_internal.h"

#include <string.h>

#include "tsr_checked.h"
#include "tsr_num.h"

static const char *skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r')
        p++;
    return p;
}

static tsr_status expected(const tsr_cursor *cursor, const char *what, tsr_error *err)
{
    return tsr_fail_expected(err, 0, (uint64_t)(cursor->p - cursor->start) + 1, what, cursor->p, 0);
}

/* Skip blanks and take `token`. */
static tsr_status take(tsr_cursor *cursor, const char *token, const char *what, tsr_error *err)
{
    cursor->p = skip_blanks(cursor->p);
    if (strncmp(cursor->p, token, strlen(token)) != 0)
        return expected(cursor, what, err);
    cursor->p = skip_blanks(cursor->p + strlen(token));
    return TSR_OK;
}

static tsr_status take_stride(int64_t *stride, tsr_cursor *cursor, tsr_error *err)
{
    const char *p = cursor->p = skip_blanks(cursor->p), *end = p;
    if (*p == '?') {
        *stride = TSR_TPU_UNKNOWN;
        cursor->p++;
        return TSR_OK;
    }
    while (*end >= '0' && *end <= '9')
        end++;
    if (end == p)
        return expected(cursor, "a stride or '?'", err);
    if (!tsr_parse_i64(stride, p, end))
        return tsr_fail_at(err, TSR_LIMIT, NULL, 0, (uint64_t)(p - cursor->start) + 1,
                           "a stride does not fit into 64 bits");
    cursor->p = end;
    return TSR_OK;
}

/* *n = the number of elements of the first tile; 1 without tiles. */
static tsr_status tile_elements(int64_t *n, const tsr_tpu_tiled *tiled, tsr_error *err)
{
    *n = 1;
    for (int i = 0; tiled->ntiles > 0 && i < tiled->tiles[0].rank; i++)
        if (!tsr_mul_i64(n, *n, tiled->tiles[0].t[i]))
            return tsr_fail(err, TSR_LIMIT, "a tile has more than 2^63-1 elements");
    return TSR_OK;
}

/* Check the tiles: they have no stars, the first has at most `rank` sizes, and a later tile has no more sizes
 * than the dims that it cuts. */
static tsr_status check(const tsr_tpu_tiled *tiled, tsr_error *err)
{
    for (int k = 0; k < tiled->ntiles; k++) {
        const tsr_xla_tile *tile = &tiled->tiles[k];
        const int most = k == 0 ? tiled->rank : tiled->tiles[0].rank;
        for (int i = 0; i < tile->rank; i++)
            if (tile->t[i] == TSR_XLA_STAR)
                return tsr_fail(err, TSR_SYNTAX, "tile %d has a '*', but dims with strides cannot be folded",
                                k);
        if (tile->rank > most)
            return tsr_fail(err, TSR_SYNTAX, "tile %d has %d sizes, more than the %d dims that it cuts", k,
                            tile->rank, most);
    }
    return TSR_OK;
}

tsr_status tsr_tpu_tiled_parse(tsr_tpu_tiled *out, const char *text, tsr_error *err)
{
    tsr_cursor cursor = {.start = text, .p = text};
    tsr_xla read = {.ntiles = 0};
    memset(out, 0, sizeof *out);
    TSR_TRY(take(&cursor, "#tpu.tiled", "'#tpu.tiled'", err));
    TSR_TRY(take(&cursor, "<", "'<'", err));
    if (*cursor.p == '(')
        TSR_TRY(xla_parse_tiles(&read, &cursor, err));
    out->ntiles = read.ntiles;
    memcpy(out->tiles, read.tiles, sizeof out->tiles);
    TSR_TRY(take(&cursor, ",", "',' and the strides", err));
    TSR_TRY(take(&cursor, "[", "'['", err));
    while (*cursor.p != ']') {
        if (out->rank > 0)
            TSR_TRY(take(&cursor, ",", "',' or ']'", err));
        if (out->rank == TSR_XLA_MAX_RANK)
            return tsr_fail_at(err, TSR_LIMIT, NULL, 0, (uint64_t)(cursor.p - text) + 1,
                               "an array has at most %d dims", TSR_XLA_MAX_RANK);
        TSR_TRY(take_stride(&out->strides[out->rank++], &cursor, err));
        cursor.p = skip_blanks(cursor.p);
    }
    TSR_TRY(take(&cursor, "]", "']'", err));
    TSR_TRY(take(&cursor, ">", "'>'", err));
    if (*cursor.p != '\0')
        return expected(&cursor, "the end", err);
    return check(out, err);
}

void tsr_tpu_tiled_print(tsr_text *text, const tsr_tpu_tiled *tiled)
{
    tsr_text_add(text, "#tpu.tiled<");
    for (int k = 0; k < tiled->ntiles; k++)
        xla_print_tile(text, &tiled->tiles[k]);
    tsr_text_add(text, ",[");
    for (int d = 0; d < tiled->rank; d++) {
        tsr_text_add(text, d > 0 ? "," : "");
        if (tiled->strides[d] == TSR_TPU_UNKNOWN)
            tsr_text_add(text, "?");
        else
            tsr_text_add_i64(text, tiled->strides[d]);
    }
    tsr_text_add(text, "]>");
}

tsr_status tsr_tpu_tiled_expanded_strides(int64_t *strides, int *n, const tsr_tpu_tiled *tiled,
                                          tsr_error *err)
{
    int64_t nelems, inner = 1;
    xla_dims within = {.n = 0};
    *n = 0;
    TSR_TRY(tile_elements(&nelems, tiled, err));
    if (tiled->ntiles > 0) {
        within.n = tiled->tiles[0].rank;
        memcpy(within.size, tiled->tiles[0].t, (size_t)within.n * sizeof within.size[0]);
    }
    for (int k = 1; k < tiled->ntiles; k++)
        TSR_TRY(xla_tile_dims(&within, &tiled->tiles[k], err));
    if (tiled->rank + within.n > TSR_XLA_MAX_EXPANDED)
        return tsr_fail(err, TSR_LIMIT, "the tiles give more than %d dims", TSR_XLA_MAX_EXPANDED);
    for (int i = within.n - 1; i >= 0; i--) {
        strides[tiled->rank + i] = inner;
        if (!tsr_mul_i64(&inner, inner, within.size[i]))
            return tsr_fail(err, TSR_LIMIT, "a tile has more than 2^63-1 elements");
    }
    if (inner > nelems) /* inner tiles that do not divide the tile pad it */
        nelems = inner;
    for (int d = 0; d < tiled->rank; d++) {
        strides[d] = tiled->strides[d];
        if (strides[d] != TSR_TPU_UNKNOWN && !tsr_mul_i64(&strides[d], strides[d], nelems))
            return tsr_fail(err, TSR_LIMIT, "stride %d is more than 2^63-1 elements", d);
    }
    *n = tiled->rank + within.n;
    return TSR_OK;
}

tsr_status tsr_tpu_tiled_contiguous_dims(int *n, const tsr_tpu_tiled *tiled, int rank, const int64_t *dims,
                                         tsr_error *err)
{
    int64_t packed = 1; /* the stride of contiguous tiles; unknown after an unknown size */
    *n = 0;
    if (rank != tiled->rank)
        return tsr_fail(err, TSR_ARGUMENT, "the layout is for %d dims, but the array has %d", tiled->rank,
                        rank);
    if (tiled->ntiles == 0)
        return TSR_OK;
    for (int d = rank - 1; d >= 0; d--) {
        const int i = d - (rank - tiled->tiles[0].rank);
        const int64_t t = i >= 0 ? tiled->tiles[0].t[i] : 1;
        const int64_t ntiles =
            dims[d] == TSR_TPU_UNKNOWN ? TSR_TPU_UNKNOWN : dims[d] / t + (dims[d] % t != 0);
        if (ntiles != 1 && (packed == TSR_TPU_UNKNOWN || tiled->strides[d] != packed))
            return TSR_OK;
        ++*n;
        if (ntiles == TSR_TPU_UNKNOWN || (packed != TSR_TPU_UNKNOWN && !tsr_mul_i64(&packed, packed, ntiles)))
            packed = TSR_TPU_UNKNOWN;
    }
    return TSR_OK;
}
