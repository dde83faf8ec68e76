#!/usr/bin/env python3
"""statements.py [--rows=400000] [--runs=5] [--threads=1] [CASE...]: what one statement, or several as one kernel, save; beside the same in other ways
in Tessera and in SciPy and NumPy; by turns, least and median in ms, and the least over that of the first way. What they return is compared.

normalize: rows of a product with a dense matrix (64 columns), divided by their length. softmax: of the stored entries of each row, 8
of them; attention: of rows of 64, an eighth as many. score: a product whose rows are only weighed and summed, so that it is never
stored. entries: a function of each stored entry. pattern: entries and values of a square apart (`compute`: new values at entries that
are known), their number alone. gradient: of the squares of a residual, with respect to a sparse matrix and a vector. stencil: a
residual with a tridiagonal matrix that is not stored. half, halves: products of stored f32, f16 and bf16 with a vector and with 16 columns."""
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
parser.add_argument("cases", nargs="*")
args = parser.parse_args()
ncols, each, width, how = 20_000, 8, 64, {"nthreads": args.threads}
rng = np.random.default_rng(3)
crd = (np.arange(each) * (ncols // each) + rng.integers(0, ncols // each, (args.rows, each))).ravel().astype(np.int32)
S = sp.csr_array((rng.random(len(crd)), crd, np.arange(args.rows + 1, dtype=np.int32) * each), shape=(args.rows, ncols))
A, X, W, x = ts.convert(S, "csr"), rng.random((ncols, width)), rng.random(width), rng.random(ncols)


def values(x):
    return x.values if isinstance(x, ts.Tensor) else x.data if sp.issparse(x) else x


def together(statements, peer, format=None, A=A):
    """The statements as one kernel, one by one, and in SciPy."""
    given = {"A": A, "X": X, "W": W}
    whole = ts.kernel("; ".join(statements), format=format)
    parts = [(s.split("(")[0], ts.kernel(s, format="csr" if format and s[0] in "eP" else None)) for s in statements]

    def one_by_one():
        known = dict(given)
        for name, kernel in parts:
            known[name] = kernel(*[known[n] for n in kernel.names], **how)
        return known[name]

    return {"together": lambda: whole(*[given[n] for n in whole.names], **how), "one by one": one_by_one, "SciPy": peer}


def normalize():
    def peer():
        T = S @ X
        return T / np.sqrt((T * T).sum(1, keepdims=True))

    return together(["T(i,k) = A(i,j)*X(j,k)", "s(i) = T(i,k)*T(i,k)", "Y(i,k) = T(i,k)/sqrt(s(i))"], peer)


def softmax(S=S, A=A):
    def peer():
        counts = np.diff(S.indptr)
        m = np.maximum.reduceat(S.data, S.indptr[:-1])
        e = np.exp(S.data - np.repeat(m, counts))
        return e / np.repeat(np.add.reduceat(e, S.indptr[:-1]), counts)

    return together(["m(i) max= A(i,j)", "e(i,j) = !!A(i,j)*exp(A(i,j) - m(i))", "s(i) = e(i,j)", "P(i,j) = e(i,j)/s(i)"], peer, "csr", A)


def attention():
    n, longer = args.rows // 8, 64
    at = (np.arange(longer) * (ncols // longer) + rng.integers(0, ncols // longer, (n, longer))).ravel().astype(np.int32)
    L = sp.csr_array((rng.random(len(at)), at, np.arange(n + 1, dtype=np.int32) * longer), shape=(n, ncols))
    return softmax(L, ts.convert(L, "csr"))


def score():
    return together(["T(i,k) = A(i,j)*X(j,k)", "U(i,k) = max(T(i,k), 4)", "y(i) = U(i,k)*W(k)"], lambda: np.maximum(S @ X, 4) @ W)


def entries():
    kernel, v = ts.kernel("B(i,j) = sqrt(A(i,j))*x(j)", format="csr"), x

    def peer():
        B = S.sqrt()
        B.data *= v[B.indices]
        return B

    return {"Tessera": lambda: kernel(A, v, **how), "SciPy": peer}


def pattern():
    n = args.rows // 4
    at = (np.arange(each) * (n // each) + rng.integers(0, n // each, (n, each))).ravel().astype(np.int32)
    G = sp.csr_array((rng.random(len(at)), at, np.arange(n + 1, dtype=np.int32) * each), shape=(n, n))
    g = ts.convert(G, "csr")
    kernel = ts.kernel("C(i,j) = A(i,k)*A(k,j)", format="csr")
    only = ts.kernel("C(i,j) |= A(i,k)&A(k,j)", format="csr")
    made = kernel.assemble(g)

    def sorted_product():
        C = G @ G
        C.sort_indices()
        return C

    def count(n):
        assert n == made.nnz
        return None

    def compute():
        kernel.compute(made, g, **how)
        return made

    return {"product": lambda: kernel(g, **how), "compute": compute, "pattern": lambda: count(only(g, **how).nnz),
            "nnz": lambda: count(kernel.nnz(g, **how)), "SciPy": sorted_product}  # fmt: skip


def gradient():
    b = rng.random(args.rows)
    statements = "r(i) = A(i,j)*x(j) - b(i); l = r(i)*r(i)"
    grad = ts.grad(statements, "A")

    def peer():
        r = S @ x - b
        return 2 * np.repeat(r, np.diff(S.indptr)) * x[S.indices]

    order = [{"A": A, "x": x, "b": b}[n] for n in ts.kernel(statements).names]
    return {"Tessera": lambda: grad(*order, **how), "SciPy": peer}


def stencil():
    n = 10 * args.rows
    v, b = rng.random(n), rng.random(n)
    T = sp.diags([-1.0, 4.0, -1.0], [-1, 0, 1], (n, n))
    residual = "r(i) = b(i) - A(i,j)*x(j)"
    formula, stored = ts.kernel("A(i,j) : i == j ? 4 : abs(i - j) == 1 ? -1 : 0; " + residual), ts.kernel(residual)
    C, D = T.tocsr(), T.todia()
    t = ts.convert(C, "csr")
    return {"formula": lambda: formula(b=b, x=v, **how), "stored": lambda: stored(A=t, b=b, x=v, **how),
            "SciPy, dia": lambda: b - D @ v, "SciPy, csr": lambda: b - C @ v}  # fmt: skip


def halves(columns=(16,)):
    repeat = 5
    small = np.floor(S.data * 16).astype(np.float32)
    arrays = np.tile(small, repeat), np.tile(S.indices, repeat), np.arange(repeat * args.rows + 1, dtype=np.int32) * each
    H = sp.csr_array(arrays, shape=(repeat * args.rows, ncols))
    v = rng.random((ncols, *columns), dtype=np.float32)
    kernel = ts.kernel("Y(i,r) = A(i,j)*X(j,r)" if columns else "y(i) = A(i,j)*x(j)")
    ways = {"SciPy, f32": lambda: H @ v}
    for type, dtype in ("f32", np.float32), ("f16", np.float16), ("bf16", "bf16"):
        stored = ts.convert(H, "csr").astype(dtype)
        ways[type] = lambda stored=stored: kernel(stored, v, **how)
    return {name: ways[name] for name in ("f32", "f16", "bf16", "SciPy, f32")}


def half():
    return halves(())


cases = [normalize, softmax, attention, score, entries, pattern, gradient, stencil, half, halves]
unknown = set(args.cases) - {case.__name__ for case in cases}
if unknown:
    parser.error("unknown case: %s" % ", ".join(sorted(unknown)))
print("%-12s %8s %8s   %s" % ("", "least", "median", "ms; %d rows, %d thread%s" % (args.rows, args.threads, "s" * (args.threads > 1))))
for case in cases:
    if args.cases and case.__name__ not in args.cases:
        continue
    ways = case()
    want, *others = [made for made in ({name: values(way()) for name, way in ways.items()}).values() if made is not None]
    assert all(np.allclose(made, want, rtol=1e-4) for made in others)
    del want, others
    times = {name: [] for name in ways}
    for _ in range(args.runs):
        for name, way in ways.items():
            begin = time.perf_counter()
            way()
            times[name].append(1e3 * (time.perf_counter() - begin))
    print(case.__name__)
    for name, t in times.items():
        print("%-12s %8.1f %8.1f   %.2f" % (name, min(t), statistics.median(t), min(t) / min(next(iter(times.values())))))
