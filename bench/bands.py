#!/usr/bin/env python3
"""bands.py [--n=1000000] [--runs=5]: operands without storage beside SciPy's: a stencil of three diagonals times a vector and times 8
vectors, and a triangle of a sparse matrix times a vector. SciPy's stencil is made before (dia and csr); its triangle is `tril(A) @ x`.
The results are compared; times are least and median, in ms."""
import argparse
import statistics
import time

import numpy as np
import scipy.sparse as sp

import tessera as ts

parser = argparse.ArgumentParser(usage=__doc__)
parser.add_argument("--n", type=int, default=1_000_000)
parser.add_argument("--runs", type=int, default=5)
args = parser.parse_args()
n, rng = args.n, np.random.default_rng(5)
x, X = rng.random(n), rng.random((n, 8))
dia = sp.diags([np.ones(n - 1), np.full(n, -2.0), np.ones(n - 1)], [-1, 0, 1])
csr = dia.tocsr()
A = sp.csr_matrix((rng.random(10 * n), rng.integers(0, n, 10 * n), np.arange(0, 10 * n + 1, 10)), shape=(n, n))
A.sum_duplicates()
a = ts.convert(A, "csr")


def timed(run):
    out, times = run(), []
    for _ in range(args.runs):
        start = time.perf_counter()
        out = run()
        times.append(1e3 * (time.perf_counter() - start))
    return out, min(times), statistics.median(times)


print("%-46s %-12s %8s %8s %8s" % ("statement", "", "least", "median", "ratio"))
for text, operands, theirs in [
    ("y(i) = (band(i,j,-1,1) - 3*eye(i,j))*x(j)", (x,), {"SciPy dia": lambda: dia @ x, "SciPy csr": lambda: csr @ x}),
    ("Y(i,k) = (band(i,j,-1,1) - 3*eye(i,j))*X(j,k)", (X,), {"SciPy dia": lambda: dia @ X, "SciPy csr": lambda: csr @ X}),
    ("y(i) = A(i,j)*tril(i,j,-1)*x(j)", (a, x), {"SciPy": lambda: sp.tril(A, -1, "csr") @ x}),
]:
    kernel, least = ts.kernel(text), np.inf
    for name, run in theirs.items():
        want, best, median = timed(run)
        least = min(least, best)
        print("%-46s %-12s %8.2f %8.2f" % (text, name, best, median))
    for threads in (1, 2):
        got, best, median = timed(lambda: kernel(*operands, nthreads=threads))
        assert np.allclose(got, want)
        print("%-46s %-12s %8.2f %8.2f %8.2f" % ("", "%d thread%s" % (threads, "s" * (threads > 1)), best, median, least / best))
