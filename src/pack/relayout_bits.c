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

void relayout_copy_bits(const relayout_job *job, const relayout_box *box, int i, int nparts)
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
