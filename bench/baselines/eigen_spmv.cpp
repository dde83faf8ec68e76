/* y = A x by Eigen, A in compressed rows: see eigen_spmv.h. No exception leaves this file. */
#include "eigen_spmv.h"

#include <Eigen/Sparse>
#include <exception>
#include <vector>

struct eigen_spmv {
    Eigen::SparseMatrix<double, Eigen::RowMajor, int32_t> a;
    Eigen::VectorXd x, y;
};

eigen_spmv *eigen_spmv_new(int64_t nrows, int64_t ncolumns, int64_t nnz, const int32_t *rows,
                           const int32_t *columns, const double *values, const double *x)
{
    eigen_spmv *s = nullptr;
    try {
        std::vector<Eigen::Triplet<double, int32_t>> entries;
        s = new eigen_spmv;
        entries.reserve(static_cast<size_t>(nnz));
        for (int64_t n = 0; n < nnz; n++)
            entries.emplace_back(rows[n], columns[n], values[n]);
        s->a.resize(nrows, ncolumns);
        s->a.setFromTriplets(entries.begin(), entries.end());
        s->x = Eigen::Map<const Eigen::VectorXd>(x, ncolumns);
        s->y.resize(nrows);
        return s;
    } catch (const std::exception &) {
        delete s;
        return nullptr;
    }
}

void eigen_spmv_free(eigen_spmv *s)
{
    delete s;
}

uint64_t eigen_spmv_nbytes(const eigen_spmv *s)
{
    return static_cast<uint64_t>(s->a.nonZeros()) * 12 + (static_cast<uint64_t>(s->a.rows()) + 1) * 4;
}

void eigen_spmv_run(eigen_spmv *s, int nthreads)
{
    Eigen::setNbThreads(nthreads);
    s->y.noalias() = s->a * s->x;
}

#define TEXT_OF(x) #x
#define VERSION_TEXT(world, major, minor) TEXT_OF(world) "." TEXT_OF(major) "." TEXT_OF(minor)

const char *eigen_spmv_version()
{
    return VERSION_TEXT(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION);
}

double *eigen_spmv_result(eigen_spmv *s)
{
    return s->y.data();
}
