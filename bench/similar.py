#!/usr/bin/env python3
"""similar.py [--rows=1000] [--runs=3]: the ten most similar rows, `C(i,j) top(10)= A(i,k)*B(k,j)`, the most similar one, `p(i) argmax(j)= ...`,
and large products, `... where C > 1`, beside SciPy's product and a selection in NumPy.

B is the transpose of 200,000 rows of 20 values in 50,000 columns, which have a Zipf distribution; A has the first rows of these. All
of them would take SciPy minutes. Both sides make new results in each run. The results are compared; times are least and median, in ms."""
import argparse
import statistics
import time

import numpy as np
import scipy.sparse as sp

import tessera as ts

parser = argparse.ArgumentParser(usage=__doc__)
parser.add_argument("--rows", type=int, default=1000)
parser.add_argument("--runs", type=int, default=3)
parser.add_argument("--n", type=int, default=200_000)
args = parser.parse_args()


def zipf(nrows, ncols, each):
    rng = np.random.default_rng(7)
    weight = np.cumsum(1 / np.arange(1, ncols + 1))
    cols = rng.permutation(ncols)[np.searchsorted(weight / weight[-1], rng.random(nrows * each)).clip(max=ncols - 1)]
    matrix = sp.csr_matrix((rng.random(nrows * each), (np.repeat(np.arange(nrows), each), cols)), shape=(nrows, ncols))
    matrix.sum_duplicates()
    return matrix


def top(c, n):
    crd, values, ends = [], [], [0]
    for lo, hi in zip(c.indptr, c.indptr[1:]):
        v, j = c.data[lo:hi], c.indices[lo:hi]
        best = np.argpartition(v, len(v) - n)[-n:] if len(v) > n else np.arange(len(v))
        best = best[np.argsort(j[best])]
        crd.append(j[best])
        values.append(v[best])
        ends.append(ends[-1] + len(best))
    return sp.csr_matrix((np.concatenate(values), np.concatenate(crd), ends), shape=c.shape)


def above(c, least):
    c.data[c.data <= least] = 0
    c.eliminate_zeros()
    return c


def timed(run):
    out, times = None, []
    for _ in range(args.runs):
        out = None
        start = time.perf_counter()
        out = run()
        times.append(1e3 * (time.perf_counter() - start))
    return out, min(times), statistics.median(times)


B = zipf(args.n, args.n // 4, 20)
A, B = B[: args.rows], B.T.tocsr()
a, b = ts.convert(A, "csr"), ts.convert(B, "csr")
print("%-36s %-10s %8s %8s %8s" % ("statement", "", "least", "median", "ratio"))
for ending, theirs in [
    ("C(i,j) top(10)= A(i,k)*B(k,j)", lambda: top(A @ B, 10)),
    ("p(i) argmax(j)= A(i,k)*B(k,j)", lambda: np.asarray((A @ B).argmax(axis=1)).ravel()),
    ("C(i,j) = A(i,k)*B(k,j) where C > 1", lambda: above(A @ B, 1)),
]:
    kernel = ts.kernel(ending, format="dense" if "argmax" in ending else "csr")
    kernel(ts.convert(A[:2], "csr"), b, nthreads=1)  # compiled
    want, least, median = timed(theirs)
    print("%-36s %-10s %8.0f %8.0f" % (ending, "SciPy", least, median))
    for n in (1, 2):
        got, mine, middle = timed(lambda: kernel(a, b, nthreads=n))
        if "argmax" in ending:
            assert (got == want).all()
        else:
            got = got.to_scipy()
            assert got.nnz == want.nnz and abs(got - want).max() < 1e-9
        print("%-36s %-10s %8.0f %8.0f %8.1f" % ("", "%d thread%s" % (n, "s" * (n > 1)), mine, middle, least / mine))
