/* Kernels by Eigen: see eigen_kernels.h. No exception leaves this file. */
#include "eigen_kernels.h"

#include <Eigen/Sparse>
#include <exception>
#include <vector>

struct eigen_matrix {
    bool by_columns; /* which of the two is filled */
    Eigen::SparseMatrix<double, Eigen::RowMajor, int32_t> rows;
    Eigen::SparseMatrix<double, Eigen::ColMajor, int32_t> columns;
};

using input = Eigen::Map<const Eigen::VectorXd>;
using output = Eigen::Map<Eigen::VectorXd>;

int eigen_cpu_level(void)
{
#if defined(__AVX512VL__)
    return 4;
#elif defined(__AVX2__)
    return 3;
#else
    return 0;
#endif
}

#define TEXT(x) #x
#define VERSION(a, b, c) TEXT(a) "." TEXT(b) "." TEXT(c)

const char *eigen_version(void)
{
    return VERSION(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION);
}

void eigen_set_threads(int nthreads)
{
    Eigen::setNbThreads(nthreads);
}

/* ---- the matrix ---- */

template <typename Matrix> static void fill(Matrix &to, const eigen_triplets &from)
{
    std::vector<Eigen::Triplet<double, int32_t>> entries;
    entries.reserve(static_cast<size_t>(from.nnz));
    for (int64_t n = 0; n < from.nnz; n++)
        entries.emplace_back(from.rows[n], from.columns[n], from.values[n]);
    to.resize(from.nrows, from.ncolumns);
    to.setFromTriplets(entries.begin(), entries.end());
}

eigen_matrix *eigen_matrix_new(int by_columns, const eigen_triplets *entries)
{
    eigen_matrix *a = nullptr;
    try {
        a = new eigen_matrix;
        a->by_columns = by_columns != 0;
        if (a->by_columns)
            fill(a->columns, *entries);
        else
            fill(a->rows, *entries);
        return a;
    } catch (const std::exception &) {
        delete a;
        return nullptr;
    }
}

void eigen_matrix_free(eigen_matrix *a)
{
    delete a;
}

template <typename Matrix> static uint64_t nbytes(const Matrix &a)
{
    return static_cast<uint64_t>(a.nonZeros()) * 12 + (static_cast<uint64_t>(a.outerSize()) + 1) * 4;
}

uint64_t eigen_matrix_nbytes(const eigen_matrix *a)
{
    return a->by_columns ? nbytes(a->columns) : nbytes(a->rows);
}

/* ---- kernels with sparse results ---- */

using row_matrix = Eigen::SparseMatrix<double, Eigen::RowMajor, int32_t>;

struct eigen_result {
    row_matrix c;
};

/* Rows sorted, as Eigen's product leaves them. */
int eigen_sparse(eigen_result **out, int kernel, const eigen_matrix *a, const eigen_matrix *b,
                 const eigen_matrix *c)
{
    try {
        if (!*out)
            *out = new eigen_result;
        row_matrix &to = (*out)->c;
        if (kernel == EIGEN_MULTIPLY)
            to = a->rows * a->rows;
        else if (kernel == EIGEN_ADD && c)
            to = a->rows + b->rows + c->rows;
        else if (kernel == EIGEN_ADD)
            to = a->rows + b->rows;
        else if (kernel == EIGEN_TURN)
            to = a->rows.transpose();
        else
            to = a->rows.cwiseProduct(b->rows);
        return 1;
    } catch (const std::exception &) {
        return 0;
    }
}

void eigen_result_free(eigen_result *result)
{
    delete result;
}

int64_t eigen_result_view(const eigen_result *result, const int32_t **pos, const int32_t **crd,
                          const double **values)
{
    *pos = result->c.outerIndexPtr();
    *crd = result->c.innerIndexPtr();
    *values = result->c.valuePtr();
    return result->c.nonZeros();
}

/* ---- kernels ---- */

void eigen_spmv(double *y, const eigen_matrix *a, const double *x)
{
    output(y, a->rows.rows()).noalias() = a->rows * input(x, a->rows.cols());
}

void eigen_residual(double *y, const double *b, const eigen_matrix *a, const double *x)
{
    const Eigen::Index n = a->rows.rows();
    output(y, n).noalias() = input(b, n) - a->rows * input(x, a->rows.cols());
}

template <typename Matrix>
static void transposed(double *y, double alpha, const Matrix &a, const double *x, double beta,
                       const double *z)
{
    output to(y, a.cols());
    to = beta * input(z, a.cols());
    to.noalias() += alpha * (a.transpose() * input(x, a.rows()));
}

void eigen_mattransmul(double *y, double alpha, const eigen_matrix *a, const double *x, double beta,
                       const double *z)
{
    if (a->by_columns)
        transposed(y, alpha, a->columns, x, beta, z);
    else
        transposed(y, alpha, a->rows, x, beta, z);
}

template <int Rank> static void multiply(double *y, const eigen_matrix *a, const double *x, int rank)
{
    using dense = Eigen::Matrix<double, Eigen::Dynamic, Rank, Eigen::RowMajor>;
    Eigen::Map<const dense> from(x, a->rows.cols(), rank);
    Eigen::Map<dense>(y, a->rows.rows(), rank).noalias() = a->rows * from;
}

/* The ranks that a user would write down are known to the compiler, as they are in our kernels. */
void eigen_spmm(double *y, const eigen_matrix *a, const double *x, int rank)
{
    if (rank == 8)
        multiply<8>(y, a, x, rank);
    else if (rank == 16)
        multiply<16>(y, a, x, rank);
    else if (rank == 32)
        multiply<32>(y, a, x, rank);
    else
        multiply<Eigen::Dynamic>(y, a, x, rank);
}
