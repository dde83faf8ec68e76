/* Copies of elements of 1, 2 and 4 bits that cannot be copied as whole bytes. Element k of a byte has the
 * bits from k * nbits on. */
#include "relayout_internal.h"

#include "tsr_clones.h"
#include "tsr_tile.h"

void relayout_move_bits(unsigned char *to, uint64_t to_at, const unsigned char *from, uint64_t from_at,
                        int nbits)
{
    const uint64_t t = to_at * (uint64_t)nbits, f = from_at * (uint64_t)nbits;
    const unsigned mask = (1u << nbits) - 1;
    const unsigned v = from[f / 8] >> f % 8 & mask;
    to[t / 8] = (unsigned char)((to[t / 8] & ~(mask << t % 8)) | v << t % 8);
}

/* Positions along one digit. */
typedef struct line {
    uint64_t at, stride;
} line;

/* Copy n elements along one digit; if the stride of `into` is 1, write whole bytes where possible. */
static void move_row(const relayout_job *job, line into, line out_of, uint64_t n, int nbits)
{
    unsigned char *const to = job->to;
    const unsigned char *const from = job->from;
    const uint64_t to_at = into.at, to_stride = into.stride, from_at = out_of.at, from_stride = out_of.stride;
    const uint64_t in_byte = 8 / (uint64_t)nbits;
    const unsigned mask = (1u << nbits) - 1;
    uint64_t i = 0;
    for (; i < n && (to_stride != 1 || (to_at + i) % in_byte != 0); i++)
        relayout_move_bits(to, to_at + i * to_stride, from, from_at + i * from_stride, nbits);
    for (; i + in_byte <= n; i += in_byte) {
        unsigned byte = 0;
        for (uint64_t k = 0; k < in_byte; k++) {
            const uint64_t f = (from_at + (i + k) * from_stride) * (uint64_t)nbits;
            byte |= (from[f / 8] >> f % 8 & mask) << k * (uint64_t)nbits;
        }
        to[(to_at + i) / in_byte] = (unsigned char)byte;
    }
    for (; i < n; i++)
        relayout_move_bits(to, to_at + i, from, from_at + i * from_stride, nbits);
}

/* The number of last digits (those with the largest strides in `to`) that may be cut between threads: for
 * each value of these digits, the digits below fill bytes that belong to no other value. */
static int cut_digits(const relayout_box *box)
{
    const uint64_t in_byte = 8 / (uint64_t)box->nbits;
    uint64_t span = 1;  /* positions of `to` over which the digits below k reach */
    int first = box->n; /* the lowest digit that may be cut */
    if (box->to_at % in_byte != 0)
        return 0;
    for (int k = 0; k < box->n; k++) {
        if (k > 0 && box->to[k] % in_byte == 0 && box->to[k] >= (span + in_byte - 1) / in_byte * in_byte) {
            first = first < k ? first : k;
        } else {
            first = box->n;
        }
        span += (box->extent[k] - 1) * box->to[k];
    }
    return box->n - first;
}

/* Copy part i of nparts of a box of any strides, row by row. */
static void copy_rows(const relayout_job *job, const relayout_box *box, int i, int nparts)
{
    const int ncut = cut_digits(box);
    uint64_t nouter = 1, ninner = 1, at[RELAYOUT_MAX_DIGITS];
    for (int k = 1; k < box->n; k++)
        *(k < box->n - ncut ? &ninner : &nouter) *= box->extent[k];
    const uint64_t first = tsr_cut(nouter, i, nparts), end = tsr_cut(nouter, i + 1, nparts);
    uint64_t rest = first;
    for (int k = 1; k < box->n; k++) {
        at[k] = k < box->n - ncut ? 0 : rest % box->extent[k];
        rest = k < box->n - ncut ? rest : rest / box->extent[k];
    }
    for (uint64_t row = first * ninner; row < end * ninner; row++) {
        uint64_t to = box->to_at, from = box->from_at;
        for (int k = 1; k < box->n; k++) {
            to += at[k] * box->to[k];
            from += at[k] * box->from[k];
        }
        if (box->n == 0)
            relayout_move_bits(job->to, to, job->from, from, box->nbits);
        else
            move_row(job, (line){to, box->to[0]}, (line){from, box->from[0]}, box->extent[0], box->nbits);
        for (int k = 1; k < box->n && ++at[k] == box->extent[k]; k++)
            at[k] = 0;
    }
}

/* ---- transposes of whole bytes ---- */

enum { TILE = 64 }; /* the most rows, and bytes of a row: a cache line */

/* Swap the bits mask << shift of each word of a with the bits mask of the word of b. */
TSR_CLONES static void swap_elements(uint64_t *restrict a, uint64_t *restrict b, size_t n, int shift,
                                     uint64_t mask)
{
    for (size_t i = 0; i < n; i++) {
        const uint64_t swap = (a[i] >> shift ^ b[i]) & mask;
        a[i] ^= swap << shift;
        b[i] ^= swap;
    }
}

/* relayout_turn_bits for at most TILE rows and TILE columns. Of each group of 8 / nbits rows, row k goes to
 * plane k. So byte c of the planes is a square of 8 / nbits by 8 / nbits elements for each group. Each square
 * is transposed: in all squares of 2, 4, 8 elements the upper right and the lower left quarter are swapped.
 * Then the planes are transposed as whole bytes. */
static void turn_tile(const relayout_turn *t)
{
    const unsigned char *from = t->from;
    const size_t nrows = t->nrows, ncols = t->ncols;
    const int nbits = t->nbits;
    static const uint64_t lower[] = {0, UINT64_C(0x5555555555555555), UINT64_C(0x3333333333333333), 0,
                                     UINT64_C(0x0f0f0f0f0f0f0f0f)};
    const int side = 8 / nbits;
    uint64_t plane[8][TILE][TILE / 8];
    for (size_t r = 0; r < nrows; r++)
        for (int k = 0; k < side; k++, from += t->from_row) {
            if (ncols == TILE) {
                memcpy(plane[k][r], from, TILE);
            } else {
                memset(plane[k][r], 0, TILE);
                memcpy(plane[k][r], from, ncols);
            }
        }
    for (int d = 1; d < side; d *= 2)
        for (int k = 0; k < side; k++)
            if (!(k & d))
                swap_elements(plane[k][0], plane[k + d][0], nrows * (TILE / 8), d * nbits, lower[d * nbits]);
    for (int k = 0; k < side; k++)
        tsr_transpose((tsr_tile){.to = t->to + k * t->to_column,
                                 .from = (const unsigned char *)plane[k],
                                 .to_stride = t->to_byte,
                                 .from_stride = TILE,
                                 .nrows = nrows,
                                 .ncols = ncols},
                      1);
}

void relayout_turn_bits(const relayout_turn *t)
{
    for (size_t r = 0; r < t->nrows; r += TILE)
        for (size_t c = 0; c < t->ncols; c += TILE) {
            relayout_turn tile = *t;
            tile.to += (ptrdiff_t)r + (ptrdiff_t)c * t->to_byte;
            tile.from += (ptrdiff_t)r * (8 / t->nbits) * t->from_row + (ptrdiff_t)c;
            tile.nrows = t->nrows - r < TILE ? t->nrows - r : TILE;
            tile.ncols = t->ncols - c < TILE ? t->ncols - c : TILE;
            turn_tile(&tile);
        }
}

/* Whether the box is a transpose of whole bytes: all strides except that of digit 0 in `to` and that of
 * digit a in `from` are whole bytes. */
static bool has_squares(const relayout_box *box, int a)
{
    const uint64_t in_byte = 8 / (uint64_t)box->nbits;
    if (a <= 0 || box->to[0] != 1 || box->to_at % in_byte || box->from_at % in_byte)
        return false;
    for (int k = 0; k < box->n; k++)
        if ((k != 0 && box->to[k] % in_byte) || (k != a && box->from[k] % in_byte))
            return false;
    return true;
}

/* The part of a box where digit k is in [first, end). */
static relayout_box part_of(const relayout_box *box, int k, uint64_t first, uint64_t end)
{
    relayout_box part = *box;
    part.extent[k] = end - first;
    part.to_at += first * box->to[k];
    part.from_at += first * box->from[k];
    return part;
}

void relayout_copy_bits(const relayout_job *job, const relayout_box *box, int i, int nparts,
                        unsigned char *buffer)
{
    const uint64_t in_byte = 8 / (uint64_t)box->nbits;
    int a = box->n - 1;
    while (a > 0 && box->from[a] != 1)
        a--;
    if (!has_squares(box, a) || box->n == RELAYOUT_MAX_DIGITS) { /* relayout_copy_box needs one digit more */
        copy_rows(job, box, i, nparts);
        return;
    }
    const uint64_t whole_a = box->extent[a] / in_byte * in_byte;
    const uint64_t whole_0 = box->extent[0] / in_byte * in_byte;
    const relayout_box inner = part_of(box, a, 0, whole_a), squares = part_of(&inner, 0, 0, whole_0);
    const relayout_box edge_a = part_of(box, a, whole_a, box->extent[a]);
    const relayout_box edge_0 = part_of(&inner, 0, whole_0, box->extent[0]);
    if (whole_a && whole_0)
        relayout_copy_box(job, &squares, i, nparts, buffer);
    if (edge_a.extent[a])
        copy_rows(job, &edge_a, i, nparts);
    if (edge_0.extent[0] && whole_a)
        copy_rows(job, &edge_0, i, nparts);
}
