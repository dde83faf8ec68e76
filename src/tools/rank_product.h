/* A product of one sparse tensor with dense operands over the ranks of an MPI run: SpMV, SpMM, MTTKRP and products with a vector
 * in all modes but one. Each rank packs its entries and runs the kernel of one process on them (tsr_spread.h). */
#ifndef TSR_CLI_RANK_PRODUCT_H
#define TSR_CLI_RANK_PRODUCT_H

#include "tsr_kernel.h"
#include "tsr_notation.h"
#include "tsr_pack.h"
#include "tsr_spread.h"

/* What each tensor of the notation is in the product. */
typedef struct tsr_rank_roles {
    int sparse; /* the number of the sparse tensor */
    /* of each other tensor: the mode of the sparse tensor that has its first index */
    int mode[TSR_NOTATION_MAX_TENSORS];
    int column; /* the variable of the second index of the other tensors; -1: they have one index */
} tsr_rank_roles;
/* TSR_UNSUPPORTED with a sentence where the notation is not such a product. has_file[t]: tensor t has a file; the sparse tensor is the
 * first one that fits. */
tsr_status tsr_rank_roles_find(tsr_rank_roles *roles, const tsr_notation *notation, const bool *has_file,
                               tsr_error *err) TSR_NODISCARD;

/* What is computed. A field that is not set is 0 or NULL. */
typedef struct tsr_rank_question {
    const tsr_notation *notation;
    const char *expression;
    tsr_rank_roles roles;
    const char *path[TSR_NOTATION_MAX_TENSORS]; /* NULL: generated from the seed, the name and the place */
    /* of the sparse tensor; NULL: that of a packed file, else csr or csf, the mode of the result first */
    const char *format;
    uint64_t ncolumns; /* 0: as the files say */
    tsr_shape shape;   /* of the sparse tensor; 0 dims: as the file says */
    tsr_grid_kind kind;
    tsr_index_width index_width;
    const char *schedule;
    tsr_kernel_engine engine;
    int nthreads; /* of a rank; 0: the processors of the machine shared out */
    uint64_t seed;
    const tsr_observer *observer;
} tsr_rank_question;

/* The seconds of one product, each of the slowest rank. */
typedef struct tsr_rank_seconds {
    double fetch, compute, add, all;
} tsr_rank_seconds;

typedef struct tsr_rank_product {
    tsr_rank_question question;
    tsr_spread_tensor *spread;
    int nthreads;
    tsr_format *format; /* of the sparse tensor */
    /* of this rank, by the numbers of the notation; NULL on a rank without entries */
    tsr_tensor *tensor[TSR_NOTATION_MAX_TENSORS];
    const tsr_tensor *operands[TSR_NOTATION_MAX_TENSORS];
    tsr_kernel *kernel; /* NULL on a rank without entries */
} tsr_rank_product;

/* Read, distribute, pack, make the kernel. Collective, as the functions below. The question is copied; the objects that
 * it points to are borrowed. */
tsr_status tsr_rank_product_new(tsr_rank_product **out, const tsr_rank_question *question,
                                const tsr_ranks *ranks, tsr_error *err) TSR_NODISCARD;
void tsr_rank_product_free(tsr_rank_product *p);
/* One product; seconds may be NULL. */
tsr_status tsr_rank_product_run(tsr_rank_product *p, tsr_rank_seconds *seconds, tsr_error *err) TSR_NODISCARD;
/* n products, n > 0: the seconds of the fastest one, and of the one in the middle. */
typedef struct tsr_rank_times {
    tsr_rank_seconds least, median;
} tsr_rank_times;
tsr_status tsr_rank_product_time(tsr_rank_times *times, tsr_rank_product *p, int n,
                                 tsr_error *err) TSR_NODISCARD;
/* The result, dense and row-major, on rank 0; NULL elsewhere. */
tsr_status tsr_rank_product_result(tsr_tensor **out, const tsr_rank_product *p, tsr_error *err) TSR_NODISCARD;

/* What the ranks have done: of all of them, on each. */
typedef struct tsr_rank_counts {
    uint64_t nnz, sent_nbytes, setup_nbytes; /* of the ranks together */
    uint64_t max_nnz, max_sent_nbytes;       /* of the rank with the most */
    double model_nbytes;                     /* that one product is expected to send: tsr_volume_model */
} tsr_rank_counts;
tsr_status tsr_rank_product_count(tsr_rank_counts *counts, const tsr_rank_product *p,
                                  tsr_error *err) TSR_NODISCARD;

#endif
