#!/usr/bin/env python3
"""parts.py [--rows=100000] [--wanted=1000] [--runs=3] [--folder=DIR]: random rows of an .h5ad with 30,000 columns, 3% of them stored, f32
(docs/measurements/files.md).

Tessera by `ts.open(path)[rows]`, anndata by its backed mode, h5py by hand (a slice of each array for each row); what
they return is compared. The file is written as anndata does by default (one piece), and compressed by `--deflate=1 --chunks=rows:N`. Cold: the system is asked to drop the file from its cache before each run. Times are least and median, in ms; all make
a matrix of SciPy in the end."""
import argparse
import os
import statistics
import subprocess
import tempfile
import time
import warnings

import anndata
import h5py
import numpy as np
import scipy.sparse as sp

import tessera as ts

warnings.simplefilter("ignore")
parser = argparse.ArgumentParser(usage=__doc__)
parser.add_argument("--rows", type=int, default=100_000)
parser.add_argument("--wanted", type=int, default=1000)
parser.add_argument("--runs", type=int, default=3)
parser.add_argument("--folder")
args = parser.parse_args()
made_here = None if args.folder else tempfile.TemporaryDirectory()
args.folder = args.folder or made_here.name
NCOLS, EACH = 30_000, 900


def make(path):
    """Rows of 900 entries on average, one in each of that many equal steps of the columns; written in blocks of rows."""
    rng = np.random.default_rng(5)
    counts = rng.integers(EACH - 300, EACH + 301, args.rows)
    ends = np.concatenate([[0], np.cumsum(counts)])
    with h5py.File(path, "w") as f:
        f.attrs.update({"encoding-type": "anndata", "encoding-version": "0.1.0"})
        x = f.create_group("X")
        x.attrs.update({"encoding-type": "csr_matrix", "encoding-version": "0.1.0", "shape": np.array([args.rows, NCOLS])})
        data = x.create_dataset("data", (ends[-1],), "f4")
        indices = x.create_dataset("indices", (ends[-1],), "i4")
        x.create_dataset("indptr", data=ends.astype("i4" if ends[-1] < 2**31 else "i8"))
        for first in range(0, args.rows, 2000):
            last = min(first + 2000, args.rows)
            n = counts[first:last]
            step = NCOLS // n
            at = np.arange(ends[last] - ends[first]) - np.repeat(ends[first:last] - ends[first], n)
            indices[ends[first] : ends[last]] = at * np.repeat(step, n) + rng.integers(0, np.repeat(step, n))
            data[ends[first] : ends[last]] = rng.integers(1, 50, len(at))
        for name, n in ("obs", args.rows), ("var", NCOLS):
            g = f.create_group(name)
            g.attrs.update({"encoding-type": "dataframe", "encoding-version": "0.2.0", "_index": "_index"})
            g.attrs["column-order"] = np.array([], dtype=h5py.string_dtype())
            names = g.create_dataset("_index", data=np.array(["%d" % i for i in range(n)], dtype=object), dtype=h5py.string_dtype())
            names.attrs.update({"encoding-type": "string-array", "encoding-version": "0.2.0"})


def by_h5py(path, rows):
    with h5py.File(path, "r") as f:
        x = f["X"]
        ends = x["indptr"][:]
        data, indices = x["data"], x["indices"]
        parts = [(data[ends[i] : ends[i + 1]], indices[ends[i] : ends[i + 1]]) for i in rows]
        n = np.concatenate([[0], np.cumsum([len(p[0]) for p in parts])])
        return sp.csr_matrix((np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts]), n), shape=(len(rows), NCOLS))


def by_anndata(path, rows):
    backed = anndata.read_h5ad(path, backed="r")
    part = backed.X[rows]
    backed.file.close()
    return part


def by_tessera(path, rows):
    return ts.open(path)[rows].to_scipy()


def timed(run, path, rows, cold):
    times = []
    for _ in range(args.runs):
        if cold:
            fd = os.open(path, os.O_RDONLY)
            os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(fd)
        start = time.perf_counter()
        out = run(path, rows)
        times.append(1e3 * (time.perf_counter() - start))
    return out, min(times), statistics.median(times)


plain = os.path.join(args.folder, "cells.h5ad")
files = [("one piece", plain)]
if not os.path.exists(plain):
    make(plain)
for n in (20, 100):
    path = os.path.join(args.folder, "cells%d.h5ad" % n)
    files.append(("gzip, rows:%d" % n, path))
    if not os.path.exists(path):
        subprocess.run(["tconv", "-q", plain, "--deflate=1", "--chunks=rows:%d" % n, "-o", path], check=True)
rows = np.sort(np.random.default_rng(3).choice(args.rows, args.wanted, replace=False))
print("%-16s %-5s %-8s %8s %8s %10s %6s" % ("file", "cache", "", "least", "median", "rows/s", "ratio"))
for words, path in files:
    for cold in (False, True):
        mine = None
        for name, run in ("Tessera", by_tessera), ("h5py", by_h5py), ("anndata", by_anndata):
            got, least, median = timed(run, path, rows, cold)
            if mine is None:
                mine, want = least, got
            assert got.shape == want.shape and got.nnz == want.nnz and (got != want).nnz == 0
            print("%-16s %-5s %-8s %8.0f %8.0f %10.0f %6.1f" % (words, "cold" if cold else "warm", name, least, median, 1e3 * args.wanted / least, least / mine))
