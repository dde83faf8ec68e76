/* The strided copy of one box of whole bytes. Tiles that are a few cache lines long in both layouts are
 * gathered in a buffer in the order of `to`, and written from there in runs. A run is a range of bytes
 * without a gap. */
#include "relayout_internal.h"

#include "tsr_tile.h"

enum {
    LINE = 64,
    BLOCK = 1 << 14,  /* the fewest bytes of a block: with less, advancing is slow */
    DIRECT = 256,     /* runs of this number of bytes, or more, are copied without a buffer */
    PIECE = 1 << 15,  /* bytes of a block of a direct copy */
    STREAMED = 64,    /* runs of this number of bytes, or more, are written past the caches */
    PADDED_RUN = 256, /* runs of the buffer of this number of bytes, or more, are a line apart */
    PUT = 512         /* bytes to write before the next lines of the next block are fetched */
};

/* The best bytes of the runs of a tile in both layouts, as measured. If both do not fit into
 * RELAYOUT_TILE_NBYTES, `to` has priority. */
typedef struct run_nbytes {
    size_t to, from;
} run_nbytes;
static const run_nbytes turned_runs = {256, 1024};  /* a transpose whose runs begin on lines */
static const run_nbytes bits_runs = {128, 512};     /* a transpose of elements of less than a byte */
static const run_nbytes ragged_runs = {1024, 512};  /* a transpose whose runs write parts of lines */
static const run_nbytes pieces_runs = {4096, 2048}; /* all other copies */
enum { TURNED_ROWS = 64 };                          /* the fewest elements of a run in `to` of a transpose */

/* A box in bytes, cut into tiles. The digits are sorted by the stride in `to`. */
typedef struct nest {
    int n;
    size_t width; /* bytes of an element */
    int nbits;    /* bits of an element; if less than 8, the bytes of `from` along digit `of_byte` make one
                     byte of `to` */
    int of_byte;
    uint64_t extent[RELAYOUT_MAX_DIGITS], tile[RELAYOUT_MAX_DIGITS], ntiles[RELAYOUT_MAX_DIGITS];
    /* The first tile of a digit is shorter by `skew` elements, so that the next tiles begin on lines. A last
     * tile of less than `join` elements is joined to the tile before. */
    uint64_t skew[RELAYOUT_MAX_DIGITS], join[RELAYOUT_MAX_DIGITS];
    ptrdiff_t to[RELAYOUT_MAX_DIGITS], from[RELAYOUT_MAX_DIGITS]; /* bytes */
    int a;       /* the digit of the smallest stride in `from` */
    bool direct; /* the runs are the same in both layouts, and long */
    uint64_t nblocks;
    bool stream;
    unsigned char *buffer;
} nest;

/* One tile: the addresses of the first element, and the extents, which are smaller at the edges. */
typedef struct block {
    unsigned char *to;
    const unsigned char *from;
    uint64_t extent[RELAYOUT_MAX_DIGITS];
} block;

/* ---- choosing tiles ---- */

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Enlarge the tile until the runs in the layout with these strides have `want` bytes, or until no digit
 * continues the run. *nbytes: the bytes of the tile. */
static void grow_tile(nest *s, const ptrdiff_t *stride, size_t want, uint64_t *nbytes)
{
    uint64_t run = s->width;
    for (bool more = true; more && run < want;) {
        more = false;
        for (int k = 0; k < s->n && !more; k++) {
            if ((uint64_t)stride[k] != run || s->extent[k] == 1)
                continue;
            const uint64_t others = *nbytes / s->tile[k];
            uint64_t tile = least(s->extent[k], want / run);
            tile = tile < s->tile[k] ? s->tile[k] : least(tile, RELAYOUT_TILE_NBYTES / others);
            if (tile < s->tile[k])
                tile = s->tile[k];
            s->tile[k] = tile;
            *nbytes = others * tile;
            run *= tile;
            more = tile == s->extent[k];
        }
    }
}

/* Let the tiles along digit k, which has stride 1 in the layout that begins at `address`, begin on lines. */
static void align_tiles(nest *s, int k, const unsigned char *address)
{
    if (s->tile[k] >= s->extent[k] || s->tile[k] * s->width % LINE != 0)
        return;
    s->skew[k] = (uintptr_t)address % LINE / s->width;
    s->join[k] = s->tile[k] / 4;
}

/* Choose tiles that go through the buffer. */
static void choose_runs(nest *s, const unsigned char *to, const unsigned char *from)
{
    const bool turned = s->a != 0 && (size_t)s->from[s->a] == s->width && (size_t)s->to[0] == s->width &&
                        s->extent[0] * s->width >= LINE && s->extent[s->a] * s->width >= LINE;
    bool lines = true;
    for (int k = 1; k < s->n; k++)
        lines = lines && s->to[k] % LINE == 0;
    run_nbytes want = !turned ? pieces_runs : lines ? turned_runs : ragged_runs;
    if (turned && want.to < TURNED_ROWS * s->width)
        want.to = TURNED_ROWS * s->width;
    uint64_t nbytes = s->width;
    if (s->nbits < 8) {
        want = bits_runs;
        s->tile[s->of_byte] = s->extent[s->of_byte];
        nbytes = s->extent[s->of_byte];
    }
    grow_tile(s, s->to, want.to, &nbytes);
    grow_tile(s, s->from, want.from, &nbytes);
    for (int k = 0; k < s->n && nbytes < BLOCK; k++) {
        const uint64_t others = nbytes / s->tile[k];
        s->tile[k] = least(s->extent[k], s->tile[k] * (BLOCK / nbytes));
        nbytes = others * s->tile[k];
    }
    if (turned) {
        align_tiles(s, 0, to);
        align_tiles(s, s->a, from);
    }
}

/* Choose tiles of a direct copy: a long run, or several runs. */
static void choose_pieces(nest *s)
{
    uint64_t nbytes = s->width;
    for (int k = 0; k < s->n && (k == 0 || s->tile[k - 1] == s->extent[k - 1]); k++) {
        s->tile[k] = least(s->extent[k], PIECE / nbytes);
        if (s->tile[k] == 0)
            s->tile[k] = 1;
        nbytes *= s->tile[k];
    }
}

static void choose_tiles(nest *s, const unsigned char *to, const unsigned char *from)
{
    for (int k = 0; k < s->n; k++) {
        s->tile[k] = 1;
        s->skew[k] = s->join[k] = 0;
    }
    s->direct = s->n > 0 && s->a == 0 && (size_t)s->to[0] == s->width && (size_t)s->from[0] == s->width &&
                s->extent[0] * s->width >= DIRECT;
    if (s->direct)
        choose_pieces(s);
    else
        choose_runs(s, to, from);
    s->nblocks = 1;
    for (int k = 0; k < s->n; k++) {
        s->ntiles[k] = (s->extent[k] + s->skew[k] - 1 - s->join[k]) / s->tile[k] + 1;
        s->nblocks *= s->ntiles[k];
    }
}

static void add_digit(nest *s, uint64_t extent, uint64_t to_nbits, uint64_t from_nbits)
{
    s->extent[s->n] = extent;
    s->to[s->n] = (ptrdiff_t)(to_nbits / 8);
    s->from[s->n] = (ptrdiff_t)(from_nbits / 8);
    if (s->from[s->n] < s->from[s->a])
        s->a = s->n;
    s->n++;
}

/* Make the nest of a box. In a transpose of elements of less than a byte, all digits count bytes. The
 * elements of a byte of `from` become a new digit, of_byte. This digit is also the rows of `from` that go
 * into one byte of `to`, as both have 8 / nbits values. */
static void make_nest(nest *s, const relayout_job *job, const relayout_box *box)
{
    const uint64_t nbits = (uint64_t)box->nbits, in_byte = nbits < 8 ? 8 / nbits : 1;
    s->n = s->a = s->of_byte = 0;
    s->width = nbits < 8 ? 1 : (size_t)nbits / 8;
    s->nbits = box->nbits;
    s->stream = job->stream;
    for (int k = 0; k < box->n; k++) {
        const uint64_t extent = box->extent[k], to = box->to[k] * nbits, from = box->from[k] * nbits;
        if (in_byte > 1 && k == 0) {
            add_digit(s, extent / in_byte, 8, from * in_byte);
        } else if (in_byte > 1 && box->from[k] == 1) {
            s->of_byte = s->n;
            add_digit(s, in_byte, to, box->from[0] * nbits);
            s->a = s->n; /* even if the digit before has the same stride */
            add_digit(s, extent / in_byte, to * in_byte, 8);
        } else {
            add_digit(s, extent, to, from);
        }
    }
    choose_tiles(s, job->to + box->to_at * nbits / 8, job->from + box->from_at * nbits / 8);
}

/* ---- moving pieces ---- */

static void move_run(bool stream, unsigned char *to, const unsigned char *from, size_t nbytes)
{
    if (stream && nbytes >= STREAMED)
        tsr_stream_rows(to, 0, from, 0, 1, nbytes);
    else
        memcpy(to, from, nbytes);
}

#define MOVE(nbytes)                   \
    for (uint64_t i = 0; i < n; i++) { \
        memcpy(to, from, nbytes);      \
        to += to_stride;               \
        from += from_stride;           \
    }

/* Copy n pieces of nbytes bytes each, which have a stride in both layouts. */
static void move_pieces(unsigned char *to, ptrdiff_t to_stride, const unsigned char *from,
                        ptrdiff_t from_stride, uint64_t n, size_t nbytes)
{
    switch (nbytes) {
    case 1:
        MOVE(1)
        break;
    case 2:
        MOVE(2)
        break;
    case 4:
        MOVE(4)
        break;
    case 8:
        MOVE(8)
        break;
    case 16:
        MOVE(16)
        break;
    case 32:
        MOVE(32)
        break;
    case 64:
        MOVE(64)
        break;
    default:
        MOVE(nbytes)
    }
}

/* A walk over the values of the digits of a block, except the digits whose bit in `skip` is set. px and py
 * are the offsets of the current values in two arrays with the strides x and y. */
typedef struct walk {
    int n;
    uint64_t at[RELAYOUT_MAX_DIGITS], extent[RELAYOUT_MAX_DIGITS];
    ptrdiff_t x[RELAYOUT_MAX_DIGITS], y[RELAYOUT_MAX_DIGITS], px, py;
} walk;

static void walk_init(walk *w, const nest *s, const block *b, uint64_t skip, const ptrdiff_t *x,
                      const ptrdiff_t *y)
{
    w->n = 0;
    w->px = w->py = 0;
    for (int k = 0; k < s->n; k++) {
        if (skip >> k & 1 || b->extent[k] == 1)
            continue;
        w->at[w->n] = 0;
        w->extent[w->n] = b->extent[k];
        w->x[w->n] = x[k];
        w->y[w->n++] = y[k];
    }
}

static bool walk_on(walk *w)
{
    for (int k = 0; k < w->n; k++) {
        w->px += w->x[k];
        w->py += w->y[k];
        if (++w->at[k] < w->extent[k])
            return true;
        w->px -= w->x[k] * (ptrdiff_t)w->extent[k];
        w->py -= w->y[k] * (ptrdiff_t)w->extent[k];
        w->at[k] = 0;
    }
    return false;
}

/* ---- fetching the next block ---- */

/* The runs of `from` that the next block reads. They are fetched a few lines at a time while this block is
 * written, so the memory reads and writes at the same time. */
typedef struct ahead {
    bool more;
    const unsigned char *from;
    size_t run, done; /* bytes of a run, and bytes of the current run that have been fetched */
    walk w;
} ahead;

static void ahead_init(ahead *a, const nest *s, const block *next)
{
    uint64_t in_run = 0; /* bit k: digit k */
    *a = (ahead){.more = true, .from = next->from, .run = s->width};
    for (bool more = true; more;) {
        more = false;
        for (int k = 0; k < s->n && !more; k++)
            if ((size_t)s->from[k] == a->run && next->extent[k] > 1) {
                in_run |= UINT64_C(1) << k;
                a->run *= (size_t)next->extent[k];
                more = true;
            }
    }
    walk_init(&a->w, s, next, in_run, s->from, s->from);
}

static void ahead_fetch(ahead *a, size_t nbytes)
{
    while (a->more && nbytes > 0) {
        const size_t left = a->run - a->done, n = nbytes < left ? nbytes : left;
        tsr_fetch(a->from + a->w.px + a->done, n);
        nbytes -= n;
        a->done += n;
        if (a->done == a->run) {
            a->done = 0;
            a->more = walk_on(&a->w);
        }
    }
}

/* ---- one block ---- */

static void put_run(const nest *s, unsigned char *to, const unsigned char *from, size_t nbytes, ahead *a)
{
    while (nbytes > 0) {
        const size_t whole = PUT - (uintptr_t)to % LINE, n = nbytes < whole + LINE ? nbytes : whole;
        ahead_fetch(a, n);
        move_run(s->stream, to, from, n);
        to += n;
        from += n;
        nbytes -= n;
    }
}

/* Write rows that are runs of ncols bytes. */
static void put_rows(const nest *s, const tsr_tile *rows, ahead *a)
{
    const size_t nbytes = rows->ncols;
    const uint64_t step = s->stream && nbytes >= STREAMED && nbytes < PUT ? PUT / nbytes : 1;
    unsigned char *to = rows->to;
    const unsigned char *from = rows->from;
    for (uint64_t r = 0, n; r < rows->nrows;
         r += n, to += (ptrdiff_t)n * rows->to_stride, from += (ptrdiff_t)n * rows->from_stride) {
        n = least(step, rows->nrows - r);
        if (step == 1) {
            put_run(s, to, from, nbytes, a);
            continue;
        }
        ahead_fetch(a, (size_t)n * nbytes);
        tsr_stream_rows(to, rows->to_stride, from, rows->from_stride, (size_t)n, nbytes);
    }
}

/* Copy a block without the buffer. */
static void copy_direct(const nest *s, const block *b, ahead *a)
{
    walk w;
    walk_init(&w, s, b, 1, s->to, s->from);
    do {
        put_run(s, b->to + w.px, b->from + w.py, (size_t)b->extent[0] * s->width, a);
    } while (walk_on(&w));
}

/* Copy the block into the buffer, which has the strides `packed`. */
static void gather(const nest *s, const block *b, const ptrdiff_t *packed)
{
    const ptrdiff_t width = (ptrdiff_t)s->width;
    walk w;
    if (s->nbits < 8) {
        walk_init(&w, s, b, UINT64_C(1) << s->a | UINT64_C(1) << s->of_byte | 1, packed, s->from);
        do {
            relayout_turn_bits(&(relayout_turn){.to = s->buffer + w.px,
                                                .to_column = packed[s->of_byte],
                                                .to_byte = packed[s->a],
                                                .from = b->from + w.py,
                                                .from_row = s->from[s->of_byte],
                                                .nrows = (size_t)b->extent[0],
                                                .ncols = (size_t)b->extent[s->a],
                                                .nbits = s->nbits});
        } while (walk_on(&w));
        return;
    }
    if (s->a != 0 && s->from[s->a] == width) {
        walk_init(&w, s, b, UINT64_C(1) << s->a | 1, packed, s->from);
        do {
            tsr_transpose((tsr_tile){.to = s->buffer + w.px,
                                     .from = b->from + w.py,
                                     .to_stride = packed[s->a],
                                     .from_stride = s->from[0],
                                     .nrows = (size_t)b->extent[0],
                                     .ncols = (size_t)b->extent[s->a]},
                          s->width);
        } while (walk_on(&w));
        return;
    }
    /* copy pieces along the first digit if they are runs, else elements */
    const bool runs = s->from[0] == width;
    int rows = 0;
    for (int k = runs; k < s->n; k++)
        if (b->extent[k] > 1 && (rows == 0 || b->extent[rows] == 1 || s->from[k] < s->from[rows]))
            rows = k;
    if (runs && (rows == 0 || s->n == 1)) {
        memcpy(s->buffer, b->from, (size_t)b->extent[0] * s->width);
        return;
    }
    walk_init(&w, s, b, UINT64_C(1) << rows | (uint64_t)runs, packed, s->from);
    do {
        move_pieces(s->buffer + w.px, packed[rows], b->from + w.py, s->from[rows], b->extent[rows],
                    runs ? (size_t)b->extent[0] * s->width : s->width);
    } while (walk_on(&w));
}

static void copy_block(const nest *s, const block *b, ahead *a)
{
    ptrdiff_t packed[RELAYOUT_MAX_DIGITS];
    ptrdiff_t size = (ptrdiff_t)s->width;
    uint64_t in_run = 0; /* bit k: digit k is part of the runs in `to` */
    size_t run = s->width;
    bool padded = false;
    if (s->direct) {
        copy_direct(s, b, a);
        return;
    }
    if (s->n == 0) {
        memcpy(b->to, b->from, s->width);
        return;
    }
    for (int k = 0; k < s->n; k++) {
        packed[k] = size;
        size *= (ptrdiff_t)b->extent[k];
        if (b->extent[k] == 1 || (size_t)s->to[k] != run) {
            if (b->extent[k] > 1 && !padded && packed[k] >= PADDED_RUN) {
                packed[k] += LINE; /* so that the columns of the buffer do not share one cache set */
                size += LINE * (ptrdiff_t)b->extent[k];
                padded = true;
            }
            continue;
        }
        in_run |= UINT64_C(1) << k;
        run *= (size_t)b->extent[k];
    }
    gather(s, b, packed);
    walk w;
    if (run == s->width) { /* there are no runs: write elements along the first digit */
        walk_init(&w, s, b, 1, s->to, packed);
        do {
            move_pieces(b->to + w.px, s->to[0], s->buffer + w.py, packed[0], b->extent[0], s->width);
        } while (walk_on(&w));
        return;
    }
    int rows = 0; /* the first digit that is not part of a run */
    while (rows < s->n - 1 && (in_run >> rows & 1 || b->extent[rows] == 1))
        rows++;
    if (in_run >> rows & 1) {
        put_run(s, b->to, s->buffer, run, a);
        return;
    }
    walk_init(&w, s, b, in_run | UINT64_C(1) << rows, s->to, packed);
    do {
        put_rows(s,
                 &(tsr_tile){.to = b->to + w.px,
                             .from = s->buffer + w.py,
                             .to_stride = s->to[rows],
                             .from_stride = packed[rows],
                             .nrows = (size_t)b->extent[rows],
                             .ncols = run},
                 a);
    } while (walk_on(&w));
}

/* ---- all blocks ---- */

static void find_block(block *b, const nest *s, unsigned char *to, const unsigned char *from,
                       const uint64_t *at)
{
    b->to = to;
    b->from = from;
    for (int k = 0; k < s->n; k++) {
        const uint64_t start = at[k] ? at[k] * s->tile[k] - s->skew[k] : 0;
        b->extent[k] =
            (at[k] + 1 == s->ntiles[k] ? s->extent[k] : (at[k] + 1) * s->tile[k] - s->skew[k]) - start;
        b->to += (ptrdiff_t)start * s->to[k];
        b->from += (ptrdiff_t)start * s->from[k];
    }
}

/* Copy blocks [first, end) of the nest; blocks are numbered along the smallest strides of `to` first. */
static void copy_blocks(const nest *s, unsigned char *to, const unsigned char *from, uint64_t first,
                        uint64_t end)
{
    uint64_t at[RELAYOUT_MAX_DIGITS], rest = first;
    for (int k = 0; k < s->n; k++) {
        at[k] = rest % s->ntiles[k];
        rest /= s->ntiles[k];
    }
    block b, next;
    ahead a = {.more = false};
    if (first < end)
        find_block(&next, s, to, from, at);
    for (; first < end; first++) {
        b = next;
        for (int k = 0; k < s->n && ++at[k] == s->ntiles[k]; k++)
            at[k] = 0;
        a.more = false;
        if (first + 1 < end) {
            find_block(&next, s, to, from, at);
            ahead_init(&a, s, &next);
        }
        copy_block(s, &b, &a);
    }
}

void relayout_copy_box(const relayout_job *job, const relayout_box *box, int i, int nparts,
                       unsigned char *buffer)
{
    nest s;
    make_nest(&s, job, box);
    s.buffer = buffer;
    const uint64_t nbits = (uint64_t)box->nbits;
    copy_blocks(&s, job->to + box->to_at * nbits / 8, job->from + box->from_at * nbits / 8,
                tsr_cut(s.nblocks, i, nparts), tsr_cut(s.nblocks, i + 1, nparts));
}

/* ---- filling ---- */

static void fill_run(const relayout_job *job, unsigned char *to, uint64_t n, size_t width)
{
    if (job->zero_fill)
        memset(to, 0, (size_t)n * width);
    else
        for (uint64_t i = 0; i < n; i++)
            memcpy(to + i * width, job->fill, width);
}

void relayout_fill_box(const relayout_job *job, const relayout_box *box, int i, int nparts)
{
    const size_t width = (size_t)box->nbits / 8;
    uint64_t n = 1, at[RELAYOUT_MAX_DIGITS];
    const bool runs = box->n > 0 && box->to[0] == 1;
    for (int k = runs; k < box->n; k++)
        n *= box->extent[k];
    const uint64_t first = tsr_cut(n, i, nparts), end = tsr_cut(n, i + 1, nparts);
    uint64_t rest = first;
    for (int k = runs; k < box->n; k++) {
        at[k] = rest % box->extent[k];
        rest /= box->extent[k];
    }
    for (uint64_t row = first; row < end; row++) {
        uint64_t place = box->to_at;
        for (int k = runs; k < box->n; k++)
            place += at[k] * box->to[k];
        fill_run(job, job->to + place * width, runs ? box->extent[0] : 1, width);
        for (int k = runs; k < box->n && ++at[k] == box->extent[k]; k++)
            at[k] = 0;
    }
}
