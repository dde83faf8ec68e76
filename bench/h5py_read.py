#!/usr/bin/env python3
"""h5py_read.py [--nnz=N] [--runs=N] [--threads=1,2]: reading of a plain HDF5 file beside h5py.

A csr matrix of 500,000 x 500,000 with N entries (4 M: 50 MB in three datasets) is written once. By turns, in one process for each number of
threads: `tessera.read` gives a tensor, whose arrays are checked; h5py gives the same three arrays, which nobody checks; os.preadv fills
new memory of NumPy with as many bytes. The file stays in the page cache. The answers are compared before the times count.
Standard output is a table of least and median times in ms."""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

DATASETS = ("pointers_to_1", "indices_1", "values")


def matrix(nnz):
    import numpy as np
    import scipy.sparse as sp

    rng, n = np.random.default_rng(2), 500_000
    made = sp.csr_array((rng.random(nnz), (rng.integers(0, n, nnz), rng.integers(0, n, nnz))), shape=(n, n))
    made.sum_duplicates()
    return made


def by_h5py(path):
    import h5py

    with h5py.File(path) as file:
        return [file[name][()] for name in DATASETS]


def by_system(path, nbytes):
    import numpy as np

    made = np.empty(nbytes, np.uint8)
    with open(path, "rb", buffering=0) as file:
        for at in range(0, nbytes, 16 << 20):
            os.preadv(file.fileno(), [memoryview(made)[at : at + (16 << 20)]], at)
    return made


def measure(nnz, runs):
    import numpy as np

    import tessera as ts

    A = matrix(nnz)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "plain.h5")
        ts.write(path, ts.tensor(A))
        theirs, ours = by_h5py(path), ts.read(path).to_scipy()
        nbytes = sum(x.nbytes for x in theirs)
        if not all(np.array_equal(x, y) for x, y in zip(theirs, (ours.indptr, ours.indices, ours.data))):
            sys.exit("h5py_read.py: the answers differ")
        del theirs, ours
        ways = {"tessera": lambda: ts.read(path), "h5py": lambda: by_h5py(path), "read(2)": lambda: by_system(path, nbytes)}
        times = {name: [] for name in ways}
        for _ in range(runs):
            for name, way in ways.items():
                begin = time.perf_counter()
                kept = way()
                times[name].append(1e3 * (time.perf_counter() - begin))
                del kept
    return {"nbytes": nbytes, "times": times}


def main():
    options = argparse.ArgumentParser(usage=__doc__.split("\n")[0])
    options.add_argument("--nnz", type=int, default=4_000_000)
    options.add_argument("--runs", type=int, default=41)
    options.add_argument("--threads", default="1,2")
    options.add_argument("--child", action="store_true")
    given = options.parse_args()
    if given.child:
        json.dump(measure(given.nnz, given.runs), sys.stdout)
        return
    print("| plain HDF5, warm | threads | `tessera.read` with checks | h5py | read(2) | Tessera / h5py, least | median |\n" + "|---" * 7 + "|")
    for threads in given.threads.split(","):
        done = subprocess.run([sys.executable, __file__, "--child", "--nnz=%d" % given.nnz, "--runs=%d" % given.runs],
                              env={**os.environ, "OMP_NUM_THREADS": threads}, stdout=subprocess.PIPE, check=True)  # fmt: skip
        made = json.loads(done.stdout)
        pairs = {name: (min(all_of), statistics.median(all_of)) for name, all_of in made["times"].items()}
        cells = ["%.3g / %.3g" % pairs[name] for name in ("tessera", "h5py", "read(2)")]
        ratios = ["%.2f" % (pairs["tessera"][k] / pairs["h5py"][k]) for k in (0, 1)]
        print("| %.0f MB | %s | %s |" % (made["nbytes"] / 1e6, threads, " | ".join(cells + ratios)))


if __name__ == "__main__":
    main()
