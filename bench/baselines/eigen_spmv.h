/* The one C++ file's door: y = A x by Eigen. */
#ifndef EIGEN_SPMV_H
#define EIGEN_SPMV_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct eigen_spmv eigen_spmv;

/* From entries in any order, duplicates added; x has `ncolumns` values. NULL: no memory. */
eigen_spmv *eigen_spmv_new(int64_t nrows, int64_t ncolumns, int64_t nnz, const int32_t *rows,
                           const int32_t *columns, const double *values, const double *x);
void eigen_spmv_free(eigen_spmv *s);
uint64_t eigen_spmv_nbytes(const eigen_spmv *s);
/* On so many threads; the result's cells stay the object's. */
void eigen_spmv_run(eigen_spmv *s, int nthreads);
double *eigen_spmv_result(eigen_spmv *s);
const char *eigen_spmv_version(void); /* "3.4.0" */

#ifdef __cplusplus
}
#endif
#endif
