/* Rows of a matrix into blocks: (i floordiv r : dense, j floordiv c : compressed, i mod r : dense, j mod c : dense) and
 * the same with i and j exchanged. The r rows of a row of blocks are merged: the next block is that of the least
 * coordinate at which one of the rows stands, and each row gives the entries that lie in it. Nothing is sorted.
 * Threads take whole rows of blocks; the first pass counts blocks, the second fills them. */
#include "direct_internal.h"

enum { MAX_ROWS = 64 };

typedef struct blocker {
    pack_job *job;
    direct_matrix from;
    uint64_t height, width; /* of a block */
    uint64_t nblock_rows;
    bool minor_first; /* inside a block, coordinates of the minor mode are the outer level */
    uint64_t *counts; /* per thread: blocks */
} blocker;

/* Behind the last entry of a row. */
#define NO_COLUMN UINT64_MAX

/* A row of blocks on its way: where each row stands, and the coordinate there. */
typedef struct strip {
    const uint32_t *crd;
    uint64_t at[MAX_ROWS], end[MAX_ROWS], column[MAX_ROWS];
    size_t nrows;
} strip;

static void start_strip(strip *s, const blocker *b, uint64_t block_row)
{
    uint64_t pos[MAX_ROWS + 1];
    const uint64_t first = block_row * b->height, left = b->from.nmajor - first;
    s->nrows = (size_t)(left < b->height ? left : b->height);
    s->crd = b->from.crd->data;
    tsr_array_load(pos, b->from.pos, first, s->nrows + 1);
    for (size_t k = 0; k < s->nrows; k++) {
        s->at[k] = pos[k];
        s->end[k] = pos[k + 1];
        s->column[k] = pos[k] < pos[k + 1] ? s->crd[pos[k]] : NO_COLUMN;
    }
}

/* The least coordinate at which a row stands; NO_COLUMN: all rows have ended. */
static uint64_t least(const strip *s)
{
    uint64_t min = NO_COLUMN;
    for (size_t k = 0; k < s->nrows; k++)
        min = s->column[k] < min ? s->column[k] : min;
    return min;
}

/* The coordinate of entry e of row k, which the row now stands at. */
static uint64_t step_to(const strip *s, size_t k, uint64_t e)
{
    return e < s->end[k] ? s->crd[e] : NO_COLUMN;
}

static void count_share(void *arg, int t, int nthreads)
{
    blocker *b = arg;
    strip s;
    uint64_t count = 0;
    const uint64_t first = tsr_cut(b->nblock_rows, t, nthreads),
                   end = tsr_cut(b->nblock_rows, t + 1, nthreads);
    for (uint64_t row = first; row < end; row++) {
        if (row % 1024 == 0 && !pack_step(b->job, t, PACK_COUNT, row - first, end - first))
            return;
        start_strip(&s, b, row);
        for (uint64_t c; (c = least(&s)) != NO_COLUMN; count++) {
            const uint64_t stop = (c / b->width + 1) * b->width;
            for (size_t k = 0; k < s.nrows; k++)
                while (s.column[k] < stop)
                    s.column[k] = step_to(&s, k, ++s.at[k]);
        }
    }
    b->counts[t] = count;
}

#define FILL_BLOCK(ctype)                                                              \
    do {                                                                               \
        ctype *restrict to = (ctype *)values->data + position * b->height * b->width;  \
        const ctype *restrict from = source;                                           \
        for (size_t k = 0; k < s->nrows; k++) {                                        \
            uint64_t e = s->at[k], column = s->column[k];                              \
            while (column < stop) {                                                    \
                to[k * row_step + (column - begin) * column_step] = from[one ? 0 : e]; \
                column = step_to(s, k, ++e);                                           \
            }                                                                          \
            s->at[k] = e;                                                              \
            s->column[k] = column;                                                     \
        }                                                                              \
    } while (0)

/* Store the entries of the block of columns [begin, begin + width) at its position. */
static void fill_block(const blocker *b, strip *s, uint64_t position, uint64_t begin)
{
    const tsr_source *from_source = b->job->source;
    const tsr_array *values = &b->job->tensor->values;
    const bool one = from_source->iso;
    const void *source = one ? (const void *)from_source->value : from_source->values->data;
    const uint64_t stop = begin + b->width;
    const uint64_t row_step = b->minor_first ? 1 : b->width, column_step = b->minor_first ? b->height : 1;
    switch (values->width) {
    case 1:
        FILL_BLOCK(uint8_t);
        break;
    case 2:
        FILL_BLOCK(uint16_t);
        break;
    case 4:
        FILL_BLOCK(uint32_t);
        break;
    default:
        FILL_BLOCK(uint64_t);
    }
}

static void fill_share(void *arg, int t, int nthreads)
{
    blocker *b = arg;
    tsr_level *blocks = &b->job->tensor->levels[1];
    strip s;
    uint64_t position = b->counts[t];
    const uint64_t first = tsr_cut(b->nblock_rows, t, nthreads),
                   end = tsr_cut(b->nblock_rows, t + 1, nthreads);
    for (uint64_t row = first; row < end; row++) {
        if (row % 1024 == 0 && !pack_step(b->job, t, PACK_FILL, row - first, end - first))
            return;
        start_strip(&s, b, row);
        for (uint64_t c; (c = least(&s)) != NO_COLUMN; position++) {
            const uint64_t column = c / b->width;
            tsr_array_set(&blocks->crd, position, column);
            fill_block(b, &s, position, column * b->width);
        }
        tsr_array_set(&blocks->pos, row + 1, position);
    }
}

/* ---- recognition ---- */

/* Whether result r is x floordiv n or x mod n (is_mod), n > 1, of one mode. */
static bool is_digit(int *mode, uint64_t *n, const tsr_map *map, int r, bool is_mod)
{
    tsr_digit digit;
    int64_t constant;
    if (tsr_map_result_digits(&digit, 1, &constant, map, r) != 1 || constant != 0 || digit.k != 1)
        return false;
    *mode = digit.dim;
    *n = (uint64_t)(is_mod ? digit.mod : digit.div);
    return is_mod ? digit.div == 1 && digit.mod > 0 : digit.mod == 0 && digit.div > 0;
}

static bool is_block_format(blocker *b, const pack_job *job)
{
    const tsr_format *format = job->format;
    int mode[4];
    uint64_t n[4];
    if (format->order != 2 || format->nlevels != 4 || tsr_format_has_pitch(format))
        return false;
    for (int l = 0; l < 4; l++)
        if (!is_digit(&mode[l], &n[l], format->map, l, l >= 2))
            return false;
    const tsr_level_type *list = format->levels[1].type;
    const bool lists = tsr_level_is_list(list) && !format->levels[1].nonunique;
    if (!lists || !direct_is_full(&format->levels[0]) || !direct_is_full(&format->levels[2]) ||
        !direct_is_full(&format->levels[3]) || mode[0] == mode[1] || mode[2] == mode[3])
        return false;
    b->minor_first = mode[2] == mode[1];
    b->height = n[0];
    b->width = n[1];
    return mode[0] == b->from.major && n[b->minor_first ? 3 : 2] == n[0] && n[b->minor_first ? 2 : 3] == n[1];
}

static bool is_case(blocker *b, const pack_job *job)
{
    const size_t width = tsr_type_nbytes(job->source->value_type);
    return direct_source(&b->from, job->source) && b->from.top == DIRECT_FULL && is_block_format(b, job) &&
           b->from.crd->width == sizeof(uint32_t) && b->from.n > 0 && b->height <= MAX_ROWS && width <= 8 &&
           b->width <= UINT32_MAX && !job->keep && (job->source->iso || job->source->values);
}

static tsr_status run(blocker *b, tsr_error *err)
{
    pack_job *job = b->job;
    void *out;
    uint64_t total = 0;
    TSR_TRY(tsr_alloc_array(&out, (uint64_t)job->nthreads, sizeof *b->counts, 1, "counting blocks", err));
    b->counts = out;
    b->nblock_rows = job->binding->size[0];
    tsr_parallel(job->nthreads, count_share, b);
    TSR_TRY(pack_end_pass(job, PACK_COUNT, err));
    for (int t = 0; t < job->nthreads; t++) {
        const uint64_t count = b->counts[t];
        b->counts[t] = total;
        total += count;
    }
    memset(job->shares[0].opened, 0, sizeof job->shares[0].opened);
    job->shares[0].opened[1] = total;
    job->copies_values = true;
    TSR_TRY(pack_alloc(job, err));
    tsr_parallel(job->nthreads, fill_share, b);
    return TSR_OK;
}

tsr_status direct_blocks(bool *done, pack_job *job, tsr_error *err)
{
    blocker b = {.job = job};
    if (!is_case(&b, job))
        return TSR_OK;
    const tsr_status status = run(&b, err);
    tsr_free(b.counts);
    *done = status == TSR_OK;
    return status;
}
