#!/usr/bin/python3
"""mpi_products.py [--ranks=P] [--rows=N] [--each=K] [--folder=DIR]: products of tensors that P ranks of MPI share, by tessera.mpi beside PETSc, which has the same
memory of the matrix: a banded matrix of N rows with K entries a row within 2,000 columns of the diagonal, the same with columns anywhere, and a tensor of N x N/10 x 100
cells (MTTKRP, 16 columns; PETSc has none). Least of 20, by turns."""
import argparse
import glob
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

import tessera as ts

ROUNDS, COLUMNS = 20, 16


def make(folder, n, each):
    rng = np.random.default_rng(1)
    row = np.repeat(np.arange(n, dtype=np.uint64), each)
    band = np.clip(row.astype(np.int64) + rng.integers(-2000, 2000, row.size), 0, n - 1).astype(np.uint64)
    cells = {
        "band": ([row, band], (n, n)),
        "random": ([row, rng.integers(0, n, row.size).astype(np.uint64)], (n, n)),
        "tensor": ([row, rng.integers(0, n // 10, row.size).astype(np.uint64), rng.integers(0, 100, row.size).astype(np.uint64)], (n, n // 10, 100)),
    }
    for name, (crd, dims) in cells.items():
        ts.write(os.path.join(folder, name + ".h5"), ts.from_coords(crd, rng.random(row.size), dims), format="csf" if len(dims) > 2 else "csr")


def least(comm, jobs):
    """Seconds of each job, the longest of all ranks; the least of the rounds."""
    times = {name: float("inf") for name in jobs}
    for _ in range(ROUNDS):
        for name, job in jobs.items():
            comm.Barrier()
            begin = time.perf_counter()
            job()
            times[name] = min(times[name], comm.allreduce(time.perf_counter() - begin, op=max_of))
    return times


def max_of(a, b):
    return max(a, b)


def job(folder):
    from mpi4py import MPI

    import tessera.mpi

    sys.path += sorted(glob.glob("/usr/lib/petscdir/*/*-real/lib/python3/dist-packages"))[-1:]  # Debian's place
    import petsc4py

    petsc4py.init([])
    from petsc4py import PETSc

    comm = MPI.COMM_WORLD
    for name in ("band", "random"):
        A = ts.read(os.path.join(folder, name + ".h5"), comm=comm)
        M = A.split().to_petsc()
        n, (first, end) = A.shape[1], A.range(1)
        x, X = np.random.default_rng(2).random(end - first), np.random.default_rng(3).random((end - first, COLUMNS))
        vec, y = M.createVecRight(), M.createVecLeft()
        vec.setArray(x)
        dense = PETSc.Mat().createDense(((end - first, n), (COLUMNS, COLUMNS)), comm=comm)
        dense.setUp()
        dense.getDenseArray()[:, :COLUMNS] = X
        dense.assemble()
        product = M.matMult(dense)
        M.mult(vec, y)
        assert np.allclose(A @ x, y.getArray()) and np.allclose(A @ X, product.getDenseArray()[:, :COLUMNS])
        pairs = {"spmv": (lambda: A @ x, lambda: M.mult(vec, y)), "spmm": (lambda: A @ X, lambda: M.matMult(dense, product))}  # noqa: B023
        for kind, jobs in pairs.items():  # each finds in the cache what the other one leaves there
            own, other = least(comm, dict(enumerate(jobs))).values()
            if comm.rank == 0:
                print("%-7s %s  tessera.mpi %.2f ms  PETSc %.2f ms  %.2f times as fast" % (name, kind, 1e3 * own, 1e3 * other, other / own), flush=True)
    T = ts.read(os.path.join(folder, "tensor.h5"), comm=comm)
    factors = [None] + [np.random.default_rng(m).random((T.shape[m], COLUMNS)) for m in (1, 2)]
    times = least(comm, {"mttkrp": lambda: T.mttkrp(factors, 0)})
    if comm.rank == 0:
        print("tensor  mttkrp  tessera.mpi %.2f ms" % (1e3 * times["mttkrp"]))


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--ranks", type=int, default=2)
    options.add_argument("--rows", type=int, default=500_000)
    options.add_argument("--each", type=int, default=20)
    options.add_argument("--folder")
    options.add_argument("--job")
    given = options.parse_args()
    if given.job:
        job(given.job)
        return
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        make(folder, given.rows, given.each)
        print("%d ranks, %d rows, %d entries" % (given.ranks, given.rows, given.rows * given.each), flush=True)
        subprocess.run(
            ["mpirun", "--allow-run-as-root", "--oversubscribe", "--mca", "btl", "self,vader", "-n", str(given.ranks), "-x", "OMP_NUM_THREADS=1",
             sys.executable, __file__, "--job=" + folder], check=True,
        )  # fmt: skip


if __name__ == "__main__":
    main()
