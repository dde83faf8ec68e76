/* Rows of a matrix into blocks: (i floordiv r : dense, j floordiv c : compressed, i mod r : dense, j mod c : dense) and
 * the same with i and j exchanged. Threads take whole rows of blocks; the first pass counts blocks, the second fills
 * them. The blocks of a row of blocks are found in one of three ways, and nothing is sorted:
 *
 * Where blocks are nearly full, the r rows are merged: the next block is that of the least coordinate at which one of
 * the rows stands, and each row gives the entries that lie in it.
 *
 * Else a processor does not guess which row is next, and with one entry a block a merge takes four times as long as the
 * following. Each entry marks the block that it lies in. The marks are bits, which are read in order, 64 at a time,
 * to number the blocks; then each entry goes to its block by this number.
 *
 * Where most blocks have one entry, and a row of blocks has few entries, these are compared with each other (direct_pairs.c). */
#include "direct_internal.h"

enum { MAX_ROWS = 64 };

/* The marks of a thread. Bits are all 0 between rows of blocks. In the first pass, a note is 1 + the last row of blocks
 * that has the column; in the second pass, the number of its block in the row. */
typedef struct marks {
    uint64_t *bits; /* bit c % 64 of word c / 64: block column c has entries */
    uint64_t *some; /* the same of the words: the word is not 0 */
    uint32_t *note; /* per block column */
} marks;

typedef struct blocker {
    pack_job *job;
    direct_matrix from;
    uint64_t height, width; /* of a block */
    int shift;              /* width = 2^shift; -1: width is not such a number */
    uint64_t nblock_rows, nblock_columns;
    bool minor_first; /* inside a block, coordinates of the minor mode are the outer level */
    bool by_marks,
        by_few; /* rows of blocks with few entries are compared; the others are marked, or merged */
    marks marks[TSR_MAX_THREADS];
    void *memory[TSR_MAX_THREADS]; /* of the marks */
    uint64_t *counts;              /* per thread, and behind the last one: blocks; then those before them */
} blocker;

/* ---- by merging ---- */

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

static uint64_t count_merged(const blocker *b, uint64_t row)
{
    strip s;
    uint64_t count = 0;
    start_strip(&s, b, row);
    for (uint64_t c; (c = least(&s)) != NO_COLUMN; count++) {
        const uint64_t stop = (c / b->width + 1) * b->width;
        for (size_t k = 0; k < s.nrows; k++)
            while (s.column[k] < stop)
                s.column[k] = step_to(&s, k, ++s.at[k]);
    }
    return count;
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

/* Fill the blocks of a row of blocks, from this position on. Returns the position after them. */
static uint64_t fill_merged(const blocker *b, uint64_t row, uint64_t position)
{
    strip s;
    start_strip(&s, b, row);
    for (uint64_t c; (c = least(&s)) != NO_COLUMN; position++) {
        const uint64_t column = c / b->width;
        tsr_array_set(&b->job->tensor->levels[1].crd, position, column);
        fill_block(b, &s, position, column * b->width);
    }
    return position;
}

/* ---- by marks ---- */

static uint64_t nwords(uint64_t nbits)
{
    return (nbits + 63) / 64;
}

static tsr_status alloc_marks(blocker *b, int t, tsr_error *err)
{
    marks *const m = &b->marks[t];
    const uint64_t nbits = nwords(b->nblock_columns), nsome = nwords(nbits);
    TSR_TRY(tsr_alloc_array(&b->memory[t], nbits + nsome + (b->nblock_columns + 1) / 2, sizeof *m->bits, 1,
                            "marks of blocks", err));
    m->bits = b->memory[t];
    m->some = m->bits + nbits;
    m->note = (uint32_t *)(m->some + nsome);
    return TSR_OK;
}

/* The entries of a row of blocks. */
typedef struct span {
    uint64_t first, end; /* entries */
    uint64_t row;        /* the first row */
} span;

static span span_of(const blocker *b, uint64_t block_row)
{
    const uint64_t row = block_row * b->height,
                   next = row + b->height < b->from.nmajor ? row + b->height : b->from.nmajor;
    return (span){tsr_array_get(b->from.pos, row), tsr_array_get(b->from.pos, next), row};
}

static uint32_t block_column(const blocker *b, uint32_t column)
{
    return b->shift >= 0 ? column >> b->shift : column / (uint32_t)b->width;
}

static uint64_t count_marked(const blocker *b, marks *m, uint64_t block_row)
{
    const span s = span_of(b, block_row);
    const uint32_t *restrict crd = b->from.crd->data, mark = (uint32_t)block_row + 1;
    uint32_t *restrict note = m->note;
    uint64_t count = 0;
    for (uint64_t e = s.first; e < s.end; e++) {
        const uint32_t c = block_column(b, crd[e]);
        count += note[c] != mark;
        note[c] = mark;
    }
    return count;
}

static void set_bits(marks *m, uint32_t word, uint64_t bits)
{
    m->bits[word] |= bits;
    m->some[word / 64] |= UINT64_C(1) << word % 64;
}

/* Set the bits of the blocks of some entries, at least one. */
static void mark_blocks(const blocker *b, marks *m, const uint32_t *restrict crd, uint64_t n)
{
    uint32_t word = block_column(b, crd[0]) / 64;
    uint64_t bits = 0;
    for (uint64_t e = 0; e < n; e++) {
        const uint32_t c = block_column(b, crd[e]);
        if (c / 64 != word) {
            set_bits(m, word, bits);
            word = c / 64;
            bits = 0;
        }
        bits |= UINT64_C(1) << c % 64;
    }
    set_bits(m, word, bits);
}

/* Number the blocks whose bits are set from 0 on, store their columns from this position on, and clear the bits. Returns
 * the number of blocks. */
static uint32_t number_blocks(const blocker *b, marks *m, uint64_t position)
{
    uint64_t column[TSR_LEVEL_BLOCK];
    uint32_t count = 0, n = 0;
    tsr_array *crd = &b->job->tensor->levels[1].crd;
    const uint64_t nsome = nwords(nwords(b->nblock_columns));
    for (uint64_t s = 0; s < nsome; s++) {
        for (uint64_t some = m->some[s]; some; some &= some - 1) {
            const uint64_t word = s * 64 + (uint64_t)tsr_lowest_bit(some);
            for (uint64_t bits = m->bits[word]; bits; bits &= bits - 1) {
                const uint64_t c = word * 64 + (uint64_t)tsr_lowest_bit(bits);
                m->note[c] = count++;
                column[n++] = c;
                if (n == TSR_LEVEL_BLOCK) {
                    tsr_array_store(crd, position + count - n, column, n);
                    n = 0;
                }
            }
            m->bits[word] = 0;
        }
        m->some[s] = 0;
    }
    tsr_array_store(crd, position + count - n, column, n);
    return count;
}

#define SCATTER(ctype)                                                                    \
    do {                                                                                  \
        ctype *restrict to = (ctype *)values->data + position * b->height * b->width;     \
        const ctype *restrict from = source;                                              \
        for (uint64_t row = s->row, e = s->first; e < s->end; row++, to += row_step) {    \
            const uint64_t end = tsr_array_get(b->from.pos, row + 1);                     \
            for (; e < end; e++) {                                                        \
                const uint32_t c = block_column(b, crd[e]), j = crd[e] - c * width;       \
                to[note[c] * b->height * b->width + j * column_step] = from[one ? 0 : e]; \
            }                                                                             \
        }                                                                                 \
    } while (0)

/* Store the entries of a row of blocks, which begins at the position. */
static void scatter_entries(const blocker *b, const marks *m, const span *s, uint64_t position)
{
    const tsr_source *from_source = b->job->source;
    const tsr_array *values = &b->job->tensor->values;
    const bool one = from_source->iso;
    const void *source = one ? (const void *)from_source->value : from_source->values->data;
    const uint32_t *restrict crd = b->from.crd->data, *restrict note = m->note, width = (uint32_t)b->width;
    const uint64_t row_step = b->minor_first ? 1 : b->width, column_step = b->minor_first ? b->height : 1;
    switch (values->width) {
    case 1:
        SCATTER(uint8_t);
        break;
    case 2:
        SCATTER(uint16_t);
        break;
    case 4:
        SCATTER(uint32_t);
        break;
    default:
        SCATTER(uint64_t);
    }
}

static uint64_t fill_marked(const blocker *b, marks *m, uint64_t block_row, uint64_t position)
{
    const span s = span_of(b, block_row);
    if (s.first == s.end)
        return position;
    mark_blocks(b, m, (const uint32_t *)b->from.crd->data + s.first, s.end - s.first);
    const uint32_t n = number_blocks(b, m, position);
    scatter_entries(b, m, &s, position);
    return position + n;
}

/* ---- few entries ---- */

/* Whether the row of blocks has few entries, and which. */
static bool load_few(direct_few *f, const blocker *b, const span *s)
{
    *f = (direct_few){.crd = (const uint32_t *)b->from.crd->data + s->first,
                      .n = (uint32_t)(s->end - s->first),
                      .width = (uint32_t)b->width,
                      .shift = b->shift};
    return s->end - s->first <= DIRECT_SHORT;
}

#define SCATTER_FEW(ctype)                                                            \
    do {                                                                              \
        ctype *restrict to = (ctype *)values->data + position * b->height * b->width; \
        const ctype *restrict v = (const ctype *)source + (one ? 0 : first);          \
        for (uint32_t i = 0; i < n; i++)                                              \
            to[place[i]] = v[one ? 0 : i];                                            \
    } while (0)

/* Store entries [first, first + n) at these places after the position. */
static void scatter_few(const blocker *b, const uint32_t *restrict place, uint64_t first, uint32_t n,
                        uint64_t position)
{
    const tsr_source *from_source = b->job->source;
    const tsr_array *values = &b->job->tensor->values;
    const bool one = from_source->iso;
    const void *source = one ? (const void *)from_source->value : from_source->values->data;
    switch (values->width) {
    case 1:
        SCATTER_FEW(uint8_t);
        break;
    case 2:
        SCATTER_FEW(uint16_t);
        break;
    case 4:
        SCATTER_FEW(uint32_t);
        break;
    default:
        SCATTER_FEW(uint64_t);
    }
}

static uint64_t fill_few(const blocker *b, direct_few *f, const span *s, uint64_t position)
{
    uint64_t pos[MAX_ROWS], block[DIRECT_SHORT];
    uint32_t begin[MAX_ROWS], place[DIRECT_SHORT];
    const uint64_t left = b->from.nmajor - s->row;
    f->nrows = (uint32_t)(left < b->height ? left : b->height);
    tsr_array_load(pos, b->from.pos, s->row, f->nrows);
    for (uint32_t k = 0; k < f->nrows; k++)
        begin[k] = (uint32_t)(pos[k] - s->first);
    f->begin = begin;
    f->area = (uint32_t)(b->height * b->width);
    f->row_step = b->minor_first ? 1 : (uint32_t)b->width;
    f->column_step = b->minor_first ? (uint32_t)b->height : 1;
    const uint32_t n = direct_few_place(place, block, f);
    tsr_array_store(&b->job->tensor->levels[1].crd, position, block, n);
    scatter_few(b, place, s->first, f->n, position);
    return position + n;
}

/* ---- all ---- */

static uint64_t count_row(blocker *b, int t, uint64_t row)
{
    const span s = span_of(b, row);
    direct_few f;
    if (b->by_few && load_few(&f, b, &s))
        return f.n > 0 ? direct_few_count(&f) : 0;
    return b->by_marks ? count_marked(b, &b->marks[t], row) : count_merged(b, row);
}

static uint64_t fill_row(blocker *b, int t, uint64_t row, uint64_t position)
{
    const span s = span_of(b, row);
    direct_few f;
    if (b->by_few && load_few(&f, b, &s))
        return f.n > 0 ? fill_few(b, &f, &s, position) : position;
    return b->by_marks ? fill_marked(b, &b->marks[t], row, position) : fill_merged(b, row, position);
}

/* Whether the marks take little memory beside the entries, and reading them little time. */
static bool allows_marks(const blocker *b)
{
    enum { COLUMNS_AN_ENTRY = 2 };
    return b->nblock_rows < UINT32_MAX &&
           b->nblock_columns <= b->from.n * COLUMNS_AN_ENTRY / (uint64_t)b->job->nthreads &&
           b->nblock_columns / 4096 <= b->from.n / b->nblock_rows;
}

/* Whether the numbers of direct_few have 32 bits, and rows of blocks have few entries. */
static bool allows_few(const blocker *b)
{
    return b->nblock_columns < INT32_MAX && b->height * b->width <= UINT32_MAX / DIRECT_SHORT &&
           b->from.n / b->nblock_rows <= DIRECT_SHORT;
}

/* Choose how blocks are found: look at rows of blocks here and there. */
static void choose_way(blocker *b)
{
    enum { NLOOKS = 64 };
    uint64_t nentries = 0, nblocks = 0;
    const bool can_mark = allows_marks(b), can_compare = allows_few(b);
    const int nlooks = b->nblock_rows < NLOOKS ? (int)b->nblock_rows : NLOOKS;
    for (int i = 0; (can_mark || can_compare) && i < nlooks; i++) {
        const uint64_t row = tsr_cut(b->nblock_rows, i, nlooks);
        const span s = span_of(b, row);
        nentries += s.end - s.first;
        nblocks += count_merged(b, row);
    }
    b->by_marks = can_mark && nentries / 3 < nblocks * b->height * b->width / 4;
    b->by_few = can_compare && nentries < 2 * nblocks;
}

static void count_share(void *arg, int t, int nthreads)
{
    blocker *b = arg;
    uint64_t count = 0;
    const uint64_t first = tsr_cut(b->nblock_rows, t, nthreads),
                   end = tsr_cut(b->nblock_rows, t + 1, nthreads);
    for (uint64_t row = first; row < end; row++) {
        if (row % 1024 == 0 && !pack_step(b->job, t, PACK_COUNT, row - first, end - first))
            return;
        count += count_row(b, t, row);
    }
    b->counts[t] = count;
}

/* Write zeros to the blocks [done, end) and some behind them, of those before `last`: shortly before their entries are stored, so that they
 * are still in the cache. Returns the end of the zeros. */
static uint64_t write_zeros(const blocker *b, uint64_t done, uint64_t end, uint64_t last)
{
    enum { AT_ONCE_NBYTES = 1 << 15 };
    const tsr_array *const values = &b->job->tensor->values;
    const uint64_t nbytes = b->height * b->width * values->width;
    if (end <= done)
        return done;
    end += AT_ONCE_NBYTES / nbytes;
    end = end < last ? end : last;
    memset((unsigned char *)values->data + done * nbytes, 0, (end - done) * nbytes);
    return end;
}

static void fill_share(void *arg, int t, int nthreads)
{
    blocker *b = arg;
    uint64_t position = b->counts[t], zeros = pack_fill_is_zero(b->job->tensor) ? position : UINT64_MAX;
    const uint64_t first = tsr_cut(b->nblock_rows, t, nthreads),
                   end = tsr_cut(b->nblock_rows, t + 1, nthreads);
    for (uint64_t row = first; row < end; row++) {
        if (row % 1024 == 0 && !pack_step(b->job, t, PACK_FILL, row - first, end - first))
            return;
        const span s = span_of(b, row);
        zeros = write_zeros(b, zeros, position + (s.end - s.first), b->counts[t + 1]);
        position = fill_row(b, t, row, position);
        tsr_array_set(&b->job->tensor->levels[1].pos, row + 1, position);
    }
}

/* ---- recognition ---- */

/* Whether result r is x floordiv n or x mod n (is_mod) of one mode. x mod 1 is 0: then the mode is -1. */
static bool is_digit(int *mode, uint64_t *n, const tsr_map *map, int r, bool is_mod)
{
    tsr_digit digit;
    int64_t constant;
    const int ndigits = tsr_map_result_digits(&digit, 1, &constant, map, r);
    if (ndigits == 0 && is_mod && constant == 0) {
        *mode = -1;
        *n = 1;
        return true;
    }
    if (ndigits != 1 || constant != 0 || digit.k != 1)
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
    if (mode[2] < 0)
        mode[2] = mode[3] < 0 ? mode[0] : 1 - mode[3];
    if (mode[3] < 0)
        mode[3] = 1 - mode[2];
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
    TSR_TRY(tsr_alloc_array(&out, (uint64_t)job->nthreads + 1, sizeof *b->counts, 1, "counting blocks", err));
    b->counts = out;
    b->nblock_rows = job->binding->size[0];
    b->nblock_columns = job->binding->size[1];
    b->shift = (b->width & (b->width - 1)) == 0 ? tsr_bit_length(b->width) - 1 : -1;
    choose_way(b);
    for (int t = 0; b->by_marks && t < job->nthreads; t++)
        TSR_TRY(alloc_marks(b, t, err));
    tsr_parallel(job->nthreads, count_share, b);
    TSR_TRY(pack_end_pass(job, PACK_COUNT, err));
    for (int t = 0; t < job->nthreads; t++) {
        const uint64_t count = b->counts[t];
        b->counts[t] = total;
        total += count;
    }
    b->counts[job->nthreads] = total;
    memset(job->shares[0].opened, 0, sizeof job->shares[0].opened);
    job->shares[0].opened[1] = total;
    job->copies_values = job->writes_zeros = true;
    TSR_TRY(pack_alloc(job, err));
    tsr_parallel(job->nthreads, fill_share, b);
    return TSR_OK;
}

double direct_blocks_nbytes(const pack_job *job)
{
    blocker b = {0};
    return is_case(&b, job) ? direct_read_nbytes(job, b.from.n) : INFINITY;
}

tsr_status direct_blocks(bool *done, pack_job *job, tsr_error *err)
{
    blocker b = {.job = job};
    if (!is_case(&b, job))
        return TSR_OK;
    const tsr_status status = run(&b, err);
    tsr_free(b.counts);
    for (int t = 0; t < job->nthreads; t++)
        tsr_free(b.memory[t]);
    *done = status == TSR_OK;
    return status;
}
