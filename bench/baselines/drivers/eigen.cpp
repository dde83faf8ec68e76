/* Eigen: products and sums of compressed rows with 32-bit indices; of compressed columns, the transposed product
 * of several threads. BENCH_KERNEL is the kernel, a function below. */
#include "bench_driver.h"

#if __has_include(<eigen3/Eigen/Sparse>)
#include <eigen3/Eigen/Sparse>
#else
#include <Eigen/Sparse>
#endif
#include <exception>
#include <vector>

#define TEXT(x) #x
#define VERSION(a, b, c) TEXT(a) "." TEXT(b) "." TEXT(c)

using by_rows = Eigen::SparseMatrix<double, Eigen::RowMajor, int32_t>;
using by_columns = Eigen::SparseMatrix<double, Eigen::ColMajor, int32_t>;
using input = Eigen::Map<const Eigen::VectorXd>;
using output = Eigen::Map<Eigen::VectorXd>;

static bench_driver_case *c;
static by_rows a, others[2];
static by_columns columns; /* the same matrix as a, if it is used by columns */
static bool uses_columns, is_sparse; /* is_sparse: the result is */
static std::vector<double> cells; /* a dense result */
static by_rows *made;             /* a sparse result */

/* The dense operand d of the expression, as a vector. */
static input dense(int d)
{
    return input(c->dense[d].values, c->dense[d].order > 0 ? static_cast<Eigen::Index>(c->dense[d].dims[0]) : 1);
}

static output to_cells()
{
    return output(cells.data(), static_cast<Eigen::Index>(cells.size()));
}

/* ---- kernels ---- */

static void spmv()
{
    to_cells().noalias() = a * dense(0);
}

static void residual()
{
    to_cells().noalias() = dense(0) - a * dense(1);
}

template <int Rank> static void multiply()
{
    using dense_rows = Eigen::Matrix<double, Eigen::Dynamic, Rank, Eigen::RowMajor>;
    const Eigen::Index rank = static_cast<Eigen::Index>(c->rank);
    Eigen::Map<dense_rows>(cells.data(), a.rows(), rank).noalias() =
        a * Eigen::Map<const dense_rows>(c->dense[0].values, a.cols(), rank);
}

/* The ranks that a user would write down are known to the compiler, as they are in Tessera's kernels. */
static void spmm()
{
    if (c->rank == 8)
        multiply<8>();
    else if (c->rank == 16)
        multiply<16>();
    else if (c->rank == 32)
        multiply<32>();
    else
        multiply<Eigen::Dynamic>();
}

template <typename Matrix> static void transposed(const Matrix &m) /* alpha, x, beta, z */
{
    output to = to_cells();
    to = *c->dense[2].values * dense(3);
    to.noalias() += *c->dense[0].values * (m.transpose() * dense(1));
}

static void mattransmul()
{
    if (uses_columns)
        transposed(columns);
    else
        transposed(a);
}

/* Rows sorted, as Eigen's product leaves them. */
static void spgemm()
{
    *made = a * a;
}

static void spadd()
{
    *made = a + others[0];
}

static void spadd3()
{
    *made = a + others[0] + others[1];
}

static void elmul()
{
    *made = a.cwiseProduct(others[0]);
}

static void turn()
{
    *made = a.transpose();
}

static constexpr void (*kernel)() = BENCH_KERNEL;

/* ---- the matrix ---- */

template <typename Matrix>
static void fill(Matrix &to, const uint64_t *dims, int64_t **crd, const double *values, uint64_t n)
{
    std::vector<Eigen::Triplet<double, int32_t>> entries;
    entries.reserve(n);
    for (uint64_t e = 0; e < n; e++)
        entries.emplace_back(static_cast<int32_t>(crd[0][e]), static_cast<int32_t>(crd[1][e]), values[e]);
    to.resize(static_cast<Eigen::Index>(dims[0]), static_cast<Eigen::Index>(dims[1]));
    to.setFromTriplets(entries.begin(), entries.end());
}

static void pack()
{
    if (uses_columns)
        fill(columns, c->dims, c->crd, c->values, c->nnz);
    else
        fill(a, c->dims, c->crd, c->values, c->nnz);
}

static uint64_t count_nbytes()
{
    const Eigen::Index n = uses_columns ? columns.nonZeros() : a.nonZeros(),
                       outer = uses_columns ? columns.outerSize() : a.outerSize();
    return static_cast<uint64_t>(n) * 12 + (static_cast<uint64_t>(outer) + 1) * 4;
}

static void *open_case(bench_driver_ready *ready, bench_driver_case *given, int nthreads)
{
    c = given;
    if (c->nnz > INT32_MAX || c->dims[0] > INT32_MAX || c->dims[1] > INT32_MAX)
        bench_driver_fail("Eigen is measured with 32-bit indices, which are too small for this matrix");
    uses_columns = kernel == mattransmul && nthreads > 1;
    is_sparse = c->ndense == 0; /* of these kernels */
    Eigen::setNbThreads(nthreads);
    try {
        if (!is_sparse)
            cells.resize(c->ncells);
        for (uint64_t k = 0; k < c->nothers && k < 2; k++)
            fill(others[k], c->others[k].dims, c->others[k].crd, c->others[k].values, c->others[k].nnz);
        const uint64_t start = bench_driver_now();
        pack();
        ready->pack_ns = static_cast<double>(bench_driver_now() - start);
    } catch (const std::exception &error) {
        bench_driver_fail("Eigen: %s", error.what());
    }
    ready->nbytes = count_nbytes();
    ready->version = VERSION(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION);
    return c;
}

/* ---- runs and results ---- */

/* A run makes a new result. */
static void prepare(void *)
{
    delete made;
    made = nullptr;
}

static void run(void *)
{
    try {
        if (is_sparse && !made)
            made = new by_rows;
        kernel();
    } catch (const std::exception &error) {
        bench_driver_fail("Eigen: %s", error.what());
    }
}

static void overwrite(void *state)
{
    prepare(state);
    for (double &cell : cells)
        cell = 0.0 / 0.0;
}

static const double *result(void *)
{
    return cells.data();
}

static void entries(bench_driver_entries *out, void *)
{
    static std::vector<int64_t> major, minor;
    static int64_t *crd[2];
    if (!is_sparse || !made)
        return;
    const bool is_turned = kernel == turn; /* its rows are columns */
    major.clear();
    for (Eigen::Index i = 0; i < made->outerSize(); i++)
        major.resize(static_cast<size_t>(made->outerIndexPtr()[i + 1]), i);
    minor.assign(made->innerIndexPtr(), made->innerIndexPtr() + made->nonZeros());
    crd[is_turned] = major.data();
    crd[!is_turned] = minor.data();
    out->n = static_cast<uint64_t>(made->nonZeros());
    out->crd = crd;
    out->values = made->valuePtr();
}

int main(int argc, char **argv)
{
    static const bench_driver driver = {open_case, prepare, run, overwrite, result, entries};
    return bench_driver_main(argc, argv, &driver);
}
