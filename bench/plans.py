#!/usr/bin/env python3
"""plans.py [KERNEL...]: the loops that Tessera chooses by itself beside those that a schedule can ask for, and beside SciPy, over a grid of sizes,
densities and shapes. A cell is a kernel on tensors of one size, density and shape, on a number of threads.

For each cell, the least time of each candidate in ms; candidates take turns. `best` is the fastest schedule. Below the table: the cells where the
automatic choice takes more than 1.2 times the best schedule, or more than 1.1 times SciPy, which has one thread. The matrices are made of a
fixed seed, results are new in each run, and indices are not examined again. An answer that differs from the automatic one ends the program.

Needs the Python package of Tessera, NumPy and SciPy: PYTHONPATH=build/release/python TESSERA_LIBRARY=build/release/libtessera.so"""
import argparse
import sys
import time

import numpy as np
import scipy.sparse as sp

import tessera as ts

BEST, SCIPY = 1.2, 1.1
MAX_PRODUCTS = 6e7  # a cell with more multiplications is left out
SIZES = (500, 1000, 2000, 5000, 10000, 20000, 50000)
PARTS = (0.0002, 0.001, 0.005, 0.02, 0.1)


def coordinates(rng, size, n, skew):
    """n numbers below size; skewed: small ones are more frequent."""
    return np.minimum((size * rng.random(n) ** (3 if skew else 1)).astype(np.int64), size - 1)


def matrix(rows, columns, part, skew, seed=1):
    rng = np.random.default_rng(seed)
    n = max(int(rows * columns * part), 1)
    keys = np.unique(coordinates(rng, rows, n, skew) * columns + coordinates(rng, columns, n, skew))
    made = sp.csr_matrix((rng.random(len(keys)) + 0.5, (keys // columns, keys % columns)), (rows, columns))
    made.sort_indices()
    return made


def shapes():
    """(name, rows, inner size, skewed) of square and oblong matrices."""
    for n in SIZES:
        yield "%d" % n, n, n, False
        yield "%d skewed" % n, n, n, True
        yield "%dx%d" % (n, n // 5), n, n // 5, False
        yield "%dx%d" % (n // 5, n), n // 5, n, False


def products(A, B):
    return float(np.dot(np.bincount(A.indices, minlength=A.shape[1]), np.diff(B.indptr)))


def sorted_product(A, B):
    C = A @ B
    C.sort_indices()
    return C


def squared():
    """A*B, with B of the size of A transposed, and A*A^T from the arrays of A."""
    for name, rows, inner, skew in shapes():
        for part in PARTS:
            A, B = matrix(rows, inner, part, skew), matrix(inner, rows, part, skew, 2)
            if A.nnz < 200 or products(A, B) > MAX_PRODUCTS:
                continue
            yield "%s %g%%" % (name, 100 * part), {"A": A, "B": B}, lambda A=A, B=B: sorted_product(A, B)


def by_transposed():
    for name, rows, inner, skew in shapes():
        for part in PARTS:
            A = matrix(rows, inner, part, skew)
            if A.nnz < 200 or products(A, A.T.tocsr()) > MAX_PRODUCTS:
                continue
            yield "%s %g%%" % (name, 100 * part), {"A": A}, lambda A=A: sorted_product(A, A.T.tocsr())


def pairs(compute):
    def cells():
        for name, rows, inner, skew in shapes():
            for part in PARTS:
                A, B = matrix(rows, inner, part, skew), matrix(rows, inner, part, skew, 2)
                if 200 <= A.nnz <= 3e6:
                    B = (A.multiply(A > 1) + B.multiply(B > 1)).tocsr()  # half of A's places, and others
                    B.sort_indices()
                    yield "%s %g%%" % (name, 100 * part), {"A": A, "B": B}, lambda A=A, B=B: compute(A, B)

    return cells


def masked():
    for name, rows, inner, skew in shapes():
        for part in PARTS:
            A, B = matrix(rows, inner, part, skew), matrix(inner, rows, part, skew, 2)
            M = matrix(rows, rows, part, skew, 3)
            if 200 <= A.nnz and products(A, B) <= MAX_PRODUCTS and M.nnz <= 3e6:
                yield "%s %g%%" % (name, 100 * part), {"M": M, "A": A, "B": B}, lambda M=M, A=A, B=B: M.multiply(A @ B)


def sampled():
    for name, rows, inner, skew in shapes():
        for part in PARTS:
            M = matrix(rows, inner, part, skew)
            if 200 <= M.nnz <= 2e6:
                rng = np.random.default_rng(4)
                yield "%s %g%%" % (name, 100 * part), {"M": M, "C": rng.random((rows, 16)), "D": rng.random((inner, 16))}, None


def tensor(n, part, skew, seed=1):
    rng = np.random.default_rng(seed)
    count = max(int(n**3 * part), 200)
    keys = np.unique((coordinates(rng, n, count, skew) * n + coordinates(rng, n, count, skew)) * n + coordinates(rng, n, count, skew))
    crd = [keys // (n * n), keys // n % n, keys % n]
    return ts.from_coords(crd, rng.random(len(keys)) + 0.5, (n, n, n), format="csf")


def cubes(other):
    def cells():
        for n in (50, 200, 1000, 5000):
            for part in (1e-6, 1e-5, 1e-4, 1e-3, 0.01):
                for skew in (False, True):
                    if 200 <= n**3 * part <= 2e6:
                        yield "%d^3 %g%%%s" % (n, 100 * part, " skewed" * skew), {"B": tensor(n, part, skew), **other(n)}, None

    return cells


def sparse_vector(n):
    at = np.arange(0, n, 4)
    return {"c": ts.from_coords([at], np.ones(len(at)), (n,), format="s")}


def sparse_matrix(n):
    return {"C": matrix(n, 16, 0.25, False)}


def dense_matrices(n):
    rng = np.random.default_rng(5)
    return {"C": rng.random((n, 16)), "D": rng.random((n, 16))}


ROWS = ["workspace(dense)", "workspace(bitmap)", "workspace(hash)", "workspace(list)"]
# name: expression, format of the result, cells, schedules
KERNELS = {
    "product": ("R(i,j) = A(i,k)*B(k,j)", "csr", squared, ROWS + ["reorder(i,j,k)"]),
    "transposed": ("R(i,j) = A(i,k)*A(j,k)", "csr", by_transposed, ["reorder(i,k,j)", "reorder(i,j,k)"]),
    "sum": ("R(i,j) = A(i,j)+B(i,j)", "csr", pairs(lambda A, B: A + B), ["assemble(two-pass)", "workspace(dense)"]),
    "elementwise": ("R(i,j) = A(i,j)*B(i,j)", "csr", pairs(lambda A, B: A.multiply(B)),
                    ["merge(j)", "gallop(j)", "locate(j)", "assemble(two-pass)"]),
    "masked": ("R(i,j) = M(i,j)*A(i,k)*B(k,j)", "csr", masked, ["reorder(i,j,k)", "reorder(i,k,j)", "merge(k)", "gallop(k)", "locate(k)"]),
    "sddmm": ("R(i,j) = M(i,j)*C(i,r)*D(j,r)", "csr", sampled, ["prefetch(0)", "prefetch(16)", "scalar"]),
    "ttv": ("R(i,j) = B(i,j,k)*c(k)", "ds", cubes(sparse_vector), ["merge(k)", "gallop(k)", "locate(k)"]),
    "ttm": ("R(i,j,r) = B(i,j,k)*C(k,r)", "dss", cubes(sparse_matrix), ROWS[:3]),
    "mttkrp": ("R(i,r) = B(i,j,k)*C(j,r)*D(k,r)", None, cubes(dense_matrices), ["prefetch(0)", "prefetch(16)", "private(R)", "atomic(R)", "exclusive(R)"]),
}


def as_csr(result):
    return result.to_scipy() if isinstance(result, ts.Tensor) and result.format in ("csr", "ds") else np.asarray(result.to_dense()) if isinstance(result, ts.Tensor) else result


def same(a, b):
    if sp.issparse(a) and sp.issparse(b):
        return abs(a - b).sum() <= 1e-9 * max(abs(a).sum(), 1)
    return a.shape == b.shape and np.allclose(a, b, rtol=1e-9)


def measure(candidates, spend_s):
    """The least time of each candidate, of at least two runs; they take turns."""
    least = dict.fromkeys(candidates, np.inf)
    spent = dict.fromkeys(candidates, 0.0)
    names = list(candidates)
    for turn in range(1000):
        for name in names[turn % len(names):] + names[:turn % len(names)]:  # each follows each other one
            if spent[name] >= (spend_s if turn >= 2 else np.inf):
                continue
            begin = time.perf_counter()
            result = candidates[name]()
            seconds = time.perf_counter() - begin
            del result
            least[name] = min(least[name], seconds)
            spent[name] += seconds
            if turn == 0 and seconds > 20 * min(least.values()):
                spent[name] = np.inf  # far behind: a second run would tell nothing new
        if turn >= 2 and min(spent.values()) >= spend_s:
            break
    return least


def make(kernel, operands, nthreads):
    """Each candidate, ready to run: generated, compiled, and with an answer that was compared."""
    expression, result, _, schedules = KERNELS[kernel]
    given = {name: ts.tensor(value) if sp.issparse(value) else value for name, value in operands.items()}
    candidates, answer = {}, None
    for schedule in [None, *schedules]:
        made = ts.kernel(expression, format=result, schedule=schedule, **given)
        try:
            got = as_csr(made(nthreads=nthreads, **given))
        except (ts.TesseraError, NotImplementedError, ValueError):
            continue  # this schedule does not suit these tensors
        if answer is None:
            answer = got
        elif not same(got, answer):
            sys.exit("%s with %s: another answer than by the automatic choice" % (expression, schedule))
        candidates[schedule or "automatic"] = lambda made=made: made(nthreads=nthreads, **given)
    return candidates, answer


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kernels", nargs="*", default=list(KERNELS), help=", ".join(KERNELS))
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--cells", default="", help="only the cells whose name contains this")
    parser.add_argument("--every", type=int, default=1, help="every n-th cell")
    parser.add_argument("--seconds", type=float, default=0.25, help="for each candidate of a cell; 0: compile and compare answers, to measure later")
    how = parser.parse_args()
    behind, count = [], 0
    print("| kernel | cell | entries | threads | automatic | best schedule | automatic / best | SciPy | automatic / SciPy |\n|%s" % ("---|" * 9))
    for kernel in how.kernels:
        for k, (cell, operands, peer) in enumerate(KERNELS[kernel][2]()):
            if how.cells not in cell or k % how.every:
                continue
            for nthreads in map(int, how.threads.split(",")):
                candidates, answer = make(kernel, operands, nthreads)
                if peer:
                    if not same(answer, peer().tocsr()):
                        sys.exit("%s %s: another answer than SciPy's" % (kernel, cell))
                    candidates["SciPy"] = peer
                times = measure(candidates, how.seconds)
                auto, scipy = times.pop("automatic"), times.pop("SciPy", None)
                best = min(times, key=times.get, default=None)
                ratios = [auto / times[best] if best else 0, auto / scipy if scipy else 0]
                entries = max(getattr(value, "nnz", 0) for value in operands.values())
                text = "| %s | %s | %d | %d | %.3f | %s | %.2f | %s | %s |" % (
                    kernel, cell, entries, nthreads, auto * 1e3, "%.3f %s" % (times[best] * 1e3, best) if best else "", ratios[0],
                    "%.3f" % (scipy * 1e3) if scipy else "", "%.2f" % ratios[1] if scipy else "")
                print(text, flush=True)
                count += 1
                if ratios[0] > BEST or ratios[1] > SCIPY:
                    behind.append(text)
    print("\n%d of %d cells are behind %.1f times the best schedule or %.1f times SciPy:" % (len(behind), count, BEST, SCIPY))
    print("\n".join(behind))


main()
