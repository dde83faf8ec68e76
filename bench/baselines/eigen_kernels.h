/* The interface of the only C++ file: kernels of Eigen on a sparse matrix of doubles with 32-bit indices. */
#ifndef EIGEN_KERNELS_H
#define EIGEN_KERNELS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct eigen_matrix eigen_matrix;

/* The processor level that the file was compiled for: a level of the psABI, as in tsr_cpu_level. */
int eigen_cpu_level(void);
/* "3.4.0" */
const char *eigen_version(void);
/* The number of threads for the functions below. */
void eigen_set_threads(int nthreads);

typedef struct eigen_triplets {
    int64_t nrows, ncolumns, nnz;
    const int32_t *rows, *columns; /* nnz each */
    const double *values;
} eigen_triplets;
/* Make a matrix from entries in any order; duplicates are added. Compressed by columns or by rows. NULL: out
 * of memory. */
eigen_matrix *eigen_matrix_new(int by_columns, const eigen_triplets *entries);
void eigen_matrix_free(eigen_matrix *a);
uint64_t eigen_matrix_nbytes(const eigen_matrix *a);

/* Dense vectors have as many values as A has rows or columns; X and Y have `rank` columns and are row-major.
 * Only eigen_mattransmul takes a matrix compressed by columns. */
void eigen_spmv(double *y, const eigen_matrix *a, const double *x);                      /* y = A x */
void eigen_residual(double *y, const double *b, const eigen_matrix *a, const double *x); /* y = b - A x */
void eigen_mattransmul(double *y, double alpha, const eigen_matrix *a, const double *x, double beta,
                       const double *z);                                      /* y = alpha A' x + beta z */
void eigen_spmm(double *y, const eigen_matrix *a, const double *x, int rank); /* Y = A X */

/* Sparse results, kept until they are computed again or freed. */
typedef struct eigen_result eigen_result;
enum { EIGEN_MULTIPLY, EIGEN_ADD, EIGEN_TIMES, EIGEN_TURN };
/* a a, a + b (+ c where it is not NULL), a .* b, or a transposed; *out is made when it is NULL. 0: no memory. */
int eigen_sparse(eigen_result **out, int kernel, const eigen_matrix *a, const eigen_matrix *b,
                 const eigen_matrix *c);
void eigen_result_free(eigen_result *result);
/* The compressed rows; how many entries. */
int64_t eigen_result_view(const eigen_result *result, const int32_t **pos, const int32_t **crd,
                          const double **values);

#ifdef __cplusplus
}
#endif
#endif
