/* The strided copy of one box of whole bytes: tiles that are a few cache lines long on both sides go through
 * a buffer in the order of `to`, from where they leave in runs. */
#include "relayout_internal.h"

#include "tsr_tile.h"

enum {
    BLOCK = 1 << 14,  /* bytes that a block should have at least: it pays for its odometer */
    RUN = 128,        /* bytes that a run should have at least on either side */
    LONG_RUN = 1024,  /* and preferably */
    DIRECT = 256,     /* runs of this many bytes are copied without a buffer */
    PIECE = 1 << 15,  /* bytes of a direct copy between looks at the odometer */
    PADDED_RUN = 256, /* runs of the buffer from this many bytes on stand a line apart */
    LINE = 64,
    PIECE_RUNS = 16 /* runs likewise */
};

/* A box in bytes, cut into tiles. Digits are sorted by stride in `to`. */
typedef struct nest {
    int n;
    size_t width; /* bytes of an element */
    uint64_t extent[RELAYOUT_MAX_DIGITS], tile[RELAYOUT_MAX_DIGITS], ntiles[RELAYOUT_MAX_DIGITS];
    ptrdiff_t to[RELAYOUT_MAX_DIGITS], from[RELAYOUT_MAX_DIGITS]; /* bytes */
    int a;       /* the digit of the smallest stride in `from` */
    bool direct; /* runs are the same on both sides, and long */
    uint64_t nblocks;
    bool stream;
    unsigned char *buffer;
} nest;

/* One tile: the addresses of its first element, and its extents, smaller at the edges. */
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

/* Make runs in the side with these strides `want` bytes long, or as long as digits allow: take the digits
 * whose strides follow on each other. */
static void grow_tile(nest *s, const ptrdiff_t *stride, size_t want, uint64_t *nbytes)
{
    uint64_t run = s->width;
    for (bool more = true; more && run < want;) {
        more = false;
        for (int k = 0; k < s->n && !more; k++) {
            if ((uint64_t)stride[k] != run)
                continue;
            const uint64_t others = *nbytes / s->tile[k];
            uint64_t tile = least(s->extent[k], (want + run - 1) / run);
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

static void choose_tiles(nest *s)
{
    for (int k = 0; k < s->n; k++)
        s->tile[k] = 1;
    s->direct = s->n > 0 && s->a == 0 && (size_t)s->to[0] == s->width && (size_t)s->from[0] == s->width &&
                s->extent[0] * s->width >= DIRECT;
    if (s->direct) {
        s->tile[0] = least(s->extent[0], PIECE / s->width);
        if (s->n > 1 && s->tile[0] == s->extent[0])
            s->tile[1] = least(s->extent[1], least(PIECE_RUNS, PIECE / (s->tile[0] * s->width)));
    } else {
        uint64_t nbytes = s->width;
        grow_tile(s, s->to, s->width == 1 ? LONG_RUN / 2 : LONG_RUN, &nbytes);
        grow_tile(s, s->from, s->width == 1 ? RUN / 2 : RUN, &nbytes);
        if (nbytes == s->width && s->n > 0) /* no stride of 1 on either side */
            s->tile[0] = least(s->extent[0], RUN);
    }
    uint64_t nbytes = s->width;
    for (int k = 0; k < s->n; k++)
        nbytes *= s->tile[k];
    for (int k = 0; k < s->n && nbytes < BLOCK && !s->direct; k++) {
        const uint64_t others = nbytes / s->tile[k];
        s->tile[k] = least(s->extent[k], s->tile[k] * (BLOCK / nbytes));
        nbytes = others * s->tile[k];
    }
    s->nblocks = 1;
    for (int k = 0; k < s->n; k++) {
        if (s->tile[k] == 0)
            s->tile[k] = 1;
        s->ntiles[k] = (s->extent[k] - 1) / s->tile[k] + 1;
        s->nblocks *= s->ntiles[k];
    }
}

static void make_nest(nest *s, const relayout_job *job, const relayout_box *box)
{
    s->n = box->n;
    s->width = (size_t)box->nbits / 8;
    s->a = 0;
    s->stream = job->stream;
    for (int k = 0; k < box->n; k++) {
        s->extent[k] = box->extent[k];
        s->to[k] = (ptrdiff_t)(box->to[k] * s->width);
        s->from[k] = (ptrdiff_t)(box->from[k] * s->width);
        if (s->from[k] < s->from[s->a])
            s->a = k;
    }
    choose_tiles(s);
}

/* ---- moving pieces ---- */

static void move_run(bool stream, unsigned char *to, const unsigned char *from, size_t nbytes)
{
    if (stream && nbytes >= RUN / 2)
        tsr_stream_copy(to, from, nbytes);
    else
        memcpy(to, from, nbytes);
}

#define MOVE(nbytes)                   \
    for (uint64_t i = 0; i < n; i++) { \
        memcpy(to, from, nbytes);      \
        to += to_stride;               \
        from += from_stride;           \
    }

/* n pieces of nbytes, strided on both sides. */
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

/* An odometer over the digits of a block but for `skip` (bits): where its next cell is on two sides. */
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

/* A long run, or several. */
static void copy_direct(const nest *s, const block *b)
{
    const uint64_t nrows = s->n > 1 ? b->extent[1] : 1;
    const size_t nbytes = (size_t)b->extent[0] * s->width;
    for (uint64_t r = 0; r < nrows; r++)
        move_run(s->stream, b->to + (ptrdiff_t)r * (s->n > 1 ? s->to[1] : 0),
                 b->from + (ptrdiff_t)r * (s->n > 1 ? s->from[1] : 0), nbytes);
}

/* The block into the buffer, whose strides are `packed`. */
static void gather(const nest *s, const block *b, const ptrdiff_t *packed)
{
    const ptrdiff_t width = (ptrdiff_t)s->width;
    walk w;
    if (s->a != 0 && s->from[s->a] == width) {
        walk_init(&w, s, b, UINT64_C(1) << s->a | 1, packed, s->from);
        do {
            tsr_transpose(s->buffer + w.px, packed[s->a], b->from + w.py, s->from[0], (size_t)b->extent[0],
                          (size_t)b->extent[s->a], s->width);
        } while (walk_on(&w));
        return;
    }
    /* pieces along the first digit, when they are runs, or elements along it */
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

static void copy_block(const nest *s, const block *b)
{
    ptrdiff_t packed[RELAYOUT_MAX_DIGITS];
    ptrdiff_t size = (ptrdiff_t)s->width;
    uint64_t in_run = 0; /* digits, as bits, that runs in `to` are made of */
    size_t run = s->width;
    bool padded = false;
    if (s->direct) {
        copy_direct(s, b);
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
                packed[k] += LINE; /* columns of the buffer shall not share one cache set */
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
    if (run == s->width) { /* no runs: elements along the first digit */
        walk_init(&w, s, b, 1, s->to, packed);
        do {
            move_pieces(b->to + w.px, s->to[0], s->buffer + w.py, packed[0], b->extent[0], s->width);
        } while (walk_on(&w));
        return;
    }
    walk_init(&w, s, b, in_run, s->to, packed);
    do {
        move_run(s->stream, b->to + w.px, s->buffer + w.py, run);
    } while (walk_on(&w));
}

/* ---- all blocks ---- */

static void find_block(block *b, const nest *s, unsigned char *to, const unsigned char *from,
                       const uint64_t *at)
{
    b->to = to;
    b->from = from;
    for (int k = 0; k < s->n; k++) {
        const uint64_t start = at[k] * s->tile[k];
        b->extent[k] = least(s->tile[k], s->extent[k] - start);
        b->to += (ptrdiff_t)start * s->to[k];
        b->from += (ptrdiff_t)start * s->from[k];
    }
}

/* Ask for the lines that the block will be read from, a run after the other. */
static void fetch_block(const nest *s, const block *b)
{
    uint64_t in_run = 0; /* digits, as bits */
    size_t run = s->width;
    for (bool more = true; more;) {
        more = false;
        for (int k = 0; k < s->n && !more; k++)
            if ((size_t)s->from[k] == run && b->extent[k] > 1) {
                in_run |= UINT64_C(1) << k;
                run *= (size_t)b->extent[k];
                more = true;
            }
    }
    walk w;
    walk_init(&w, s, b, in_run, s->from, s->from);
    do {
        tsr_fetch(b->from + w.px, run);
    } while (walk_on(&w));
}

/* Blocks [first, end) of the nest, those along the smallest strides of `to` first. */
static void copy_blocks(const nest *s, unsigned char *to, const unsigned char *from, uint64_t first,
                        uint64_t end)
{
    uint64_t at[RELAYOUT_MAX_DIGITS], rest = first;
    for (int k = 0; k < s->n; k++) {
        at[k] = rest % s->ntiles[k];
        rest /= s->ntiles[k];
    }
    block b, next;
    if (first < end)
        find_block(&next, s, to, from, at);
    for (; first < end; first++) {
        b = next;
        for (int k = 0; k < s->n && ++at[k] == s->ntiles[k]; k++)
            at[k] = 0;
        if (first + 1 < end) {
            find_block(&next, s, to, from, at);
            fetch_block(s, &next);
        }
        copy_block(s, &b);
    }
}

void relayout_copy_box(const relayout_job *job, const relayout_box *box, int i, int nparts,
                       unsigned char *buffer)
{
    nest s;
    make_nest(&s, job, box);
    s.buffer = buffer;
    copy_blocks(&s, job->to + box->to_at * s.width, job->from + box->from_at * s.width,
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
