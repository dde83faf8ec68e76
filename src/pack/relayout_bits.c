/* Elements of 1, 2 and 4 bits, where they cannot be moved as whole bytes. Element k of a byte stands at its
 * bits k * nbits and up. */
#include "relayout_internal.h"

void relayout_move_bits(unsigned char *to, uint64_t to_at, const unsigned char *from, uint64_t from_at,
                        int nbits)
{
    const uint64_t t = to_at * (uint64_t)nbits, f = from_at * (uint64_t)nbits;
    const unsigned mask = (1u << nbits) - 1;
    const unsigned v = from[f / 8] >> f % 8 & mask;
    to[t / 8] = (unsigned char)((to[t / 8] & ~(mask << t % 8)) | v << t % 8);
}

/* n elements along one digit; where `to` runs on, byte by byte. */
static void move_row(unsigned char *to, uint64_t to_at, uint64_t to_stride, const unsigned char *from,
                     uint64_t from_at, uint64_t from_stride, uint64_t n, int nbits)
{
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

/* How many of the last digits (of the largest strides in `to`) may be cut between threads: the digits below
 * stay inside whole bytes of their own. */
static int cut_digits(const relayout_box *box)
{
    const uint64_t in_byte = 8 / (uint64_t)box->nbits;
    uint64_t span = 1;  /* cells of `to` that the digits below k reach over */
    int first = box->n; /* the lowest that may be cut */
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

/* Row by row. */
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
            move_row(job->to, to, box->to[0], job->from, from, box->from[0], box->extent[0], box->nbits);
        for (int k = 1; k < box->n && ++at[k] == box->extent[k]; k++)
            at[k] = 0;
    }
}

/* ---- tiles of whole bytes on both sides ---- */

enum { TILE_NBYTES = 64 }; /* of a row, on both sides: a cache line */

/* A square of 8 / nbits rows, of a byte each, transposed; row r stands at bits 8 * r and up. Each step swaps
 * the upper right with the lower left quarters of squares, from the smallest on. */
static uint64_t turn(uint64_t x, int nbits)
{
    uint64_t t;
    switch (nbits) {
    case 1:
        t = (x ^ x >> 7) & UINT64_C(0x00aa00aa00aa00aa);
        x ^= t ^ t << 7;
        t = (x ^ x >> 14) & UINT64_C(0x0000cccc0000cccc);
        x ^= t ^ t << 14;
        t = (x ^ x >> 28) & UINT64_C(0x00000000f0f0f0f0);
        return x ^ t ^ t << 28;
    case 2:
        t = (x ^ x >> 6) & UINT64_C(0x00cc00cc);
        x ^= t ^ t << 6;
        t = (x ^ x >> 12) & UINT64_C(0x0000f0f0);
        return x ^ t ^ t << 12;
    default:
        t = (x ^ x >> 4) & UINT64_C(0x00f0);
        return x ^ t ^ t << 4;
    }
}

/* nrows x ncols squares: `from` has rows of ncols bytes, `to` of nrows bytes, the strides are in bytes. */
static void turn_squares(unsigned char *to, uint64_t to_stride, const unsigned char *from,
                         uint64_t from_stride, uint64_t nrows, uint64_t ncols, int nbits)
{
    const uint64_t side = 8 / (uint64_t)nbits;
    for (uint64_t c = 0; c < ncols; c++)
        for (uint64_t r = 0; r < nrows; r++) {
            uint64_t x = 0;
            for (uint64_t k = 0; k < side; k++)
                x |= (uint64_t)from[(r * side + k) * from_stride + c] << 8 * k;
            x = turn(x, nbits);
            for (uint64_t k = 0; k < side; k++)
                to[(c * side + k) * to_stride + r] = (unsigned char)(x >> 8 * k);
        }
}

/* Whether everything but digits 0 and a is in whole bytes. */
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

/* A box with such squares whose digits 0 and a have whole bytes of elements. */
static void copy_squares(const relayout_job *job, const relayout_box *box, int a, int i, int nparts)
{
    const uint64_t in_byte = 8 / (uint64_t)box->nbits;
    uint64_t count[RELAYOUT_MAX_DIGITS], nblocks = 1;
    for (int k = 0; k < box->n; k++) {
        const uint64_t nbytes = box->extent[k] / in_byte;
        count[k] = k == 0 || k == a ? (nbytes + TILE_NBYTES - 1) / TILE_NBYTES : box->extent[k];
        nblocks *= count[k];
    }
    const uint64_t end = tsr_cut(nblocks, i + 1, nparts);
    for (uint64_t block = tsr_cut(nblocks, i, nparts); block < end; block++) {
        uint64_t rest = block, to = box->to_at, from = box->from_at, size[2] = {0};
        for (int k = 0; k < box->n; k++) {
            uint64_t at = rest % count[k];
            rest /= count[k];
            if (k == 0 || k == a) {
                const uint64_t left = box->extent[k] / in_byte - at * TILE_NBYTES;
                size[k == a] = left < TILE_NBYTES ? left : TILE_NBYTES;
                at *= TILE_NBYTES * in_byte;
            }
            to += at * box->to[k];
            from += at * box->from[k];
        }
        turn_squares(job->to + to / in_byte, box->to[a] / in_byte, job->from + from / in_byte,
                     box->from[0] / in_byte, size[0], size[1], box->nbits);
    }
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

void relayout_copy_bits(const relayout_job *job, const relayout_box *box, int i, int nparts)
{
    const uint64_t in_byte = 8 / (uint64_t)box->nbits;
    int a = box->n - 1;
    while (a > 0 && box->from[a] != 1)
        a--;
    if (!has_squares(box, a)) {
        copy_rows(job, box, i, nparts);
        return;
    }
    const uint64_t whole_a = box->extent[a] / in_byte * in_byte;
    const uint64_t whole_0 = box->extent[0] / in_byte * in_byte;
    const relayout_box inner = part_of(box, a, 0, whole_a), squares = part_of(&inner, 0, 0, whole_0);
    const relayout_box edge_a = part_of(box, a, whole_a, box->extent[a]);
    const relayout_box edge_0 = part_of(&inner, 0, whole_0, box->extent[0]);
    if (whole_a && whole_0)
        copy_squares(job, &squares, a, i, nparts);
    if (edge_a.extent[a])
        copy_rows(job, &edge_a, i, nparts);
    if (edge_0.extent[0] && whole_a)
        copy_rows(job, &edge_0, i, nparts);
}
