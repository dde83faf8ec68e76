/* The steps of the converter that tbench measures: one bench_op each, with the same job type. */
#ifndef BENCH_OPS_H
#define BENCH_OPS_H

#include "tsr_codec.h"
#include "tsr_pack.h"

/* The order in which the entries reach the packer. */
typedef enum bench_order { BENCH_ORDER_FILE, BENCH_ORDER_SHUFFLED, BENCH_ORDER_SORTED } bench_order;

/* The work of one candidate: the request, and the state of its op between callbacks. */
typedef struct bench_job {
    const char *path;   /* input file */
    const char *format; /* storage format to pack into; NULL: the natural format */
    const char *out;    /* output file of write and convert; removed at the end */
    int nthreads;
    /* how the input is read, except the number of threads; NULL: the defaults */
    const tsr_read_options *read;
    /* how the output is written, except the number of threads; NULL: the defaults */
    const tsr_write_options *write;
    const tsr_coo
        *source; /* the entries, read once and shared by the candidates; borrowed; NULL for ops that read */

    uint64_t nnz; /* set by the op: entries that one run handles */
    /* set by the op: bytes that one run moves in the file (read, write) or in the arrays (pack) */
    uint64_t nbytes;
    tsr_coo *coo;
    tsr_tensor *tensor;
    tsr_format *parsed;
    void *bytes;   /* write-limit: the bytes of the file */
    tsr_text rows; /* rows: the chosen ones, as tsr_picked has them */
} bench_job;

typedef struct bench_op {
    const char *name;
    const char *summary;
    bool needs_source;                                   /* job->source must be set before setup */
    tsr_status (*setup)(bench_job *job, tsr_error *err); /* called once; may be NULL */
    tsr_status (*prepare)(void *job, tsr_error *err);    /* see bench_candidate */
    tsr_status (*run)(void *job, tsr_error *err);
    tsr_status (*check)(void *job, tsr_error *err);
} bench_op;

extern const bench_op bench_op_read, bench_op_read_limit, bench_op_pack, bench_op_unpack, bench_op_write,
    bench_op_write_limit, bench_op_convert, bench_op_rows, bench_op_build;

/* Whether the path is that of a regular file, without the name of an object: only the bytes of such a file can be fetched as text. */
bool bench_is_plain_file(const char *path);
/* Read the whole file `path` into coordinates (a packed file is unpacked), expanded to a general tensor. */
tsr_status bench_read_source(tsr_coo **out, const char *path, const tsr_read_options *how,
                             tsr_error *err) TSR_NODISCARD;
/* Change the order of the entries of *coo (shuffled: seeded, the same on every machine; sorted: by modes 0,
 * 1, ...). */
tsr_status bench_reorder(tsr_coo **coo, bench_order order, tsr_error *err) TSR_NODISCARD;
/* Set job->parsed: the format of --format, or the one that tconv would choose. */
tsr_status bench_job_format(bench_job *job, const tsr_coo *coo, tsr_error *err) TSR_NODISCARD;
/* See bench_candidate.prepare: free the entries and the tensor of the last run. Returns TSR_OK. */
tsr_status bench_job_drop(void *ctx, tsr_error *err);
/* Free the state of the op and remove job->out. */
void bench_job_clear(bench_job *job);

#endif
