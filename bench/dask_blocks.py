#!/usr/bin/python3
"""dask_blocks.py [--rows=N] [--each=E] [--processes=P]: column sums, row norms and X.T @ Y of an .h5ad file of N rows x 30,000 columns (E entries a row), by Dask:
blocks of tessera.dask beside blocks of SciPy that h5py reads, and AnnData's backed mode in one process. Least of three runs, by turns."""
import argparse
import os
import sys
import tempfile
import time

import anndata
import dask
import dask.array as da
import h5py
import numpy as np
import scipy.sparse as sp

import tessera as ts
import tessera.dask

COLS, CHUNK = 30000, 10000


def make(path, rows, each):
    rng = np.random.default_rng(1)
    columns = np.sort(rng.integers(0, COLS - each, (rows, each), dtype=np.int32), axis=1) + np.arange(each, dtype=np.int32)
    matrix = sp.csr_matrix((rng.integers(1, 9, rows * each).astype(np.float32), columns.ravel(), np.arange(0, rows * each + 1, each)), (rows, COLS))
    anndata.AnnData(matrix).write_h5ad(path)


def scipy_block(path, first, end):
    with h5py.File(path) as f:
        g = f["X"]
        pos = g["indptr"][first : end + 1]
        part = slice(int(pos[0]), int(pos[-1]))
        return sp.csr_matrix((g["data"][part], g["indices"][part], pos - pos[0]), (end - first, COLS))


def scipy_jobs(path, rows, Y):
    blocks = [dask.delayed(scipy_block)(path, i, min(i + CHUNK, rows)) for i in range(0, rows, CHUNK)]
    sums = [dask.delayed(lambda b: np.asarray(b.sum(axis=0)).ravel())(b) for b in blocks]
    norms = [dask.delayed(lambda b: np.sqrt(np.asarray(b.multiply(b).sum(axis=1)).ravel()))(b) for b in blocks]
    products = [dask.delayed(lambda b, y: b.T @ y)(b, Y[i * CHUNK : (i + 1) * CHUNK]) for i, b in enumerate(blocks)]
    return {
        "column sums": lambda: sum(dask.compute(*sums)),
        "row norms": lambda: np.concatenate(dask.compute(*norms)),
        "X.T @ Y": lambda: sum(dask.compute(*products)),
    }


def tessera_jobs(path, rows, Y):
    X = tessera.dask.from_file(path, chunks=(CHUNK, -1))
    D = da.from_array(Y, chunks=(CHUNK, -1))
    return {
        "column sums": lambda: X.sum(axis=0).compute(),
        "row norms": lambda: np.sqrt((X**2).sum(axis=1)).compute(),
        "X.T @ Y": lambda: (X.T @ D).compute(),
    }


def backed_jobs(path, rows, Y):
    a = anndata.read_h5ad(path, backed="r")
    parts = range(0, rows, CHUNK)
    take = lambda i: a.X[i : min(i + CHUNK, rows)]  # noqa: E731
    return {
        "column sums": lambda: sum(np.asarray(take(i).sum(axis=0)).ravel() for i in parts),
        "row norms": lambda: np.concatenate([np.sqrt(np.asarray(take(i).multiply(take(i)).sum(axis=1)).ravel()) for i in parts]),
        "X.T @ Y": lambda: sum(take(i).T @ Y[i : i + CHUNK] for i in parts),
    }


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rows", type=int, default=100000)
    options.add_argument("--each", type=int, default=100)
    options.add_argument("--processes", type=int, default=2)
    given = options.parse_args()
    import distributed

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "cells.h5ad")
        make(path, given.rows, given.each)
        Y = np.ones((given.rows, 8), np.float32)
        with distributed.LocalCluster(
            n_workers=given.processes, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster, distributed.Client(cluster):
            ways = {"tessera": tessera_jobs, "SciPy's blocks": scipy_jobs, "AnnData, backed": backed_jobs}
            jobs = {name: make_jobs(path, given.rows, Y) for name, make_jobs in ways.items()}
            print("%d rows, %d entries each, %d processes; seconds, least of 3" % (given.rows, given.each, given.processes))
            for job in jobs["tessera"]:
                least = {name: float("inf") for name in ways}
                found = {}
                for _ in range(3):
                    for name in ways:
                        begin = time.perf_counter()
                        found[name] = jobs[name][job]()
                        least[name] = min(least[name], time.perf_counter() - begin)
                for name in ways:
                    if not np.allclose(found[name], found["tessera"], rtol=1e-4):
                        sys.exit("%s: %s has another result" % (job, name))
                ours = least["tessera"]
                print("  %-12s" % job + "".join("  %s %.3f (%.2f)" % (name, t, t / ours) for name, t in least.items()))


if __name__ == "__main__":
    main()
