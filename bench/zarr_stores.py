#!/usr/bin/env python3
"""zarr_stores.py [FOLDER]: the Python package beside anndata and zarr-python, reading and writing a matrix in a Zarr store of
version 2. Both write and read by turns, what was read is compared before the time counts; least times of 7 runs, in ms. FOLDER gets
the stores: it should be in memory, such as /dev/shm, so that no disk is measured."""
import os
import shutil
import sys
import tempfile
import time
import warnings

import anndata
import numpy as np
import scipy.sparse as sp
import zarr

import tessera as ts

warnings.simplefilter("ignore")
RUNS = 7


def matrices():
    rng = np.random.default_rng(1)
    counts = sp.random(200_000, 30_000, 0.0007, "csr", "f4", random_state=rng)
    counts.sort_indices()
    counts.data = (rng.poisson(2, counts.nnz) + 1).astype("f4")
    real = counts.astype("f8")
    real.data = rng.random(real.nnz)
    return {"counts (f32)": counts, "real (f64)": real}


def arrays(m):
    return {"pointers_to_1": m.indptr, "indices_1": m.indices, "values": m.data}


def write_arrays(path, m):
    """What a reader of Binsparse in Python would write."""
    group = zarr.open_group(path, mode="w")
    group.attrs["binsparse"] = {"version": "0.1", "format": "CSR", "shape": list(m.shape)}
    for name, data in arrays(m).items():
        group.create_dataset(name, data=data)


def read_arrays(path):
    group = zarr.open_group(path, mode="r")
    return sp.csr_matrix((group["values"][:], group["indices_1"][:], group["pointers_to_1"][:]), group.attrs["binsparse"]["shape"])


def nbytes(store):
    return sum(os.path.getsize(os.path.join(top, f)) for top, _, files in os.walk(store) for f in files)


def best(*jobs):
    """The least time of each job; the jobs run by turns."""
    least = [float("inf")] * len(jobs)
    for _ in range(RUNS):
        for i, (before, job) in enumerate(jobs):
            before()
            start = time.perf_counter()
            job()
            least[i] = min(least[i], time.perf_counter() - start)
    return least


def remove(path):
    return lambda: shutil.rmtree(path, ignore_errors=True)


def compare(name, m):
    cells = ts.asarray(m)
    software = anndata.AnnData(m, dtype=m.dtype)
    kinds = [
        ("AnnData", "o.zarr", lambda: software.write_zarr("p.zarr"), lambda: anndata.read_zarr("p.zarr").X),
        ("Binsparse", "o.bsp.zarr", lambda: write_arrays("p.zarr", m), lambda: read_arrays("p.zarr")),
    ]
    for kind, own, write, read in kinds:
        times = best((remove(own), lambda: ts.write(own, cells)), (remove("p.zarr"), write))
        sizes = nbytes(own), nbytes("p.zarr")
        print("| %s | %s | write | %.1f | %.1f | %.2f | %.1f / %.1f MB |" % (
            name, kind, *(1e3 * t for t in times), times[1] / times[0], *(n / 1e6 for n in sizes)))
        assert (ts.read(own).to_scipy() != m).nnz == 0 and (read() != m).nnz == 0
        times = best((lambda: None, lambda: ts.read(own)), (lambda: None, read))
        print("| %s | %s | read | %.1f | %.1f | %.2f | |" % (name, kind, *(1e3 * t for t in times), times[1] / times[0]))


os.chdir(tempfile.mkdtemp(dir=sys.argv[1] if len(sys.argv) > 1 else "/dev/shm"))
print("| matrix | kind | | ours, ms | peer, ms | times | sizes |\n|---|---|---|---|---|---|---|")
for title, matrix in matrices().items():
    compare(title, matrix)
shutil.rmtree(os.getcwd())
