#!/usr/bin/env python3
"""statements.py [--rows=400000] [--runs=5] [--threads=1]: several statements as one kernel, beside the same statements one by one in Tessera
and in SciPy and NumPy; by turns, least and median in ms. What they return is compared.

normalize: rows of a product with a dense matrix (64 columns), divided by their length. softmax: of the stored entries of each row.
score: a product whose rows are only weighed and summed, so that it is never stored."""
import argparse
import statistics
import time

import numpy as np
import scipy.sparse as sp

import tessera as ts

parser = argparse.ArgumentParser(usage=__doc__)
parser.add_argument("--rows", type=int, default=400_000)
parser.add_argument("--runs", type=int, default=5)
parser.add_argument("--threads", type=int, default=1)
args = parser.parse_args()
ncols, each, width = 20_000, 8, 64
rng = np.random.default_rng(3)
crd = (np.arange(each) * (ncols // each) + rng.integers(0, ncols // each, (args.rows, each))).ravel().astype(np.int32)
S = sp.csr_array((rng.random(len(crd)), crd, np.arange(args.rows + 1, dtype=np.int32) * each), shape=(args.rows, ncols))
A, X, W = ts.convert(S, "csr"), rng.random((ncols, width)), rng.random(width)


def normalized():
    T = S @ X
    return T / np.sqrt((T * T).sum(1, keepdims=True))


def softmax():
    counts = np.diff(S.indptr)
    m = np.maximum.reduceat(S.data, S.indptr[:-1])
    e = np.exp(S.data - np.repeat(m, counts))
    return e / np.repeat(np.add.reduceat(e, S.indptr[:-1]), counts)


def scored():
    return np.maximum(S @ X, 4) @ W


cases = {
    "normalize": (["T(i,k) = A(i,j)*X(j,k)", "s(i) = T(i,k)*T(i,k)", "Y(i,k) = T(i,k)/sqrt(s(i))"], normalized, None),
    "softmax": (["m(i) max= A(i,j)", "e(i,j) = !!A(i,j)*exp(A(i,j) - m(i))", "s(i) = e(i,j)", "P(i,j) = e(i,j)/s(i)"], softmax, "csr"),
    "score": (["T(i,k) = A(i,j)*X(j,k)", "U(i,k) = max(T(i,k), 4)", "y(i) = U(i,k)*W(k)"], scored, None),
}


def one_by_one(kernels, known):
    known = dict(known)
    for name, kernel in kernels:
        known[name] = kernel(*[known[n] for n in kernel.names], nthreads=args.threads)
    return known[name]


def values(x):
    return x.values if isinstance(x, ts.Tensor) else x


print("%-10s %8s %8s   %s" % ("", "least", "median", "ms; %d rows, %d threads" % (args.rows, args.threads)))
for case, (statements, peer, format) in cases.items():
    known = {"A": A, "X": X, "W": W}
    whole = ts.kernel("; ".join(statements), format=format)
    parts = [(s.split("(")[0], ts.kernel(s, format="csr" if format and s[0] in "eP" else None)) for s in statements]
    ways = {
        "together": lambda: whole(*[known[n] for n in whole.names], nthreads=args.threads),
        "one by one": lambda: one_by_one(parts, known),
        "SciPy": peer,
    }
    got = {name: values(way()) for name, way in ways.items()}
    assert all(np.allclose(x, got["SciPy"]) for x in got.values())
    del got
    times = {name: [] for name in ways}
    for _ in range(args.runs):
        for name, way in ways.items():
            begin = time.perf_counter()
            way()
            times[name].append(1e3 * (time.perf_counter() - begin))
    print(case)
    for name, t in times.items():
        print("%-10s %8.1f %8.1f   %.2f" % (name, min(t), statistics.median(t), min(t) / min(times["together"])))
