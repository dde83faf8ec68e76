#!/usr/bin/env python3
"""plans.py [KERNEL...]: the loops that Tessera chooses by itself beside those that a schedule can ask for, and
beside SciPy, over a grid of sizes, densities and shapes. A cell is a kernel on tensors of one size, density and
shape, on a number of threads; 0: as many as Tessera chooses, where no number is asked for.

For each cell, the least time of each candidate in ms; candidates take turns. `best` is the fastest schedule. Below
the tables: the cells where the automatic choice takes more than 1.2 times the best schedule, or more than 1.1 times
SciPy, which has one thread. Such a cell is measured a second time, five times as long, after all others, and the least
times of both count. Tensors are made of fixed seeds; small ones take turns, so that the processor does not know their
branches from the run before. Results are new in each run, and indices are not examined again. An answer that differs
from the automatic one ends the program.

The grid can be measured in parts: --record=FILE keeps the times of each cell that it measures, and leaves out the cells
that FILE has; --stop=SECONDS begins no cell after that time; --table=FILE prints the tables of such a file.
`./dev results plans` measures all of it.

Needs the Python package of Tessera, NumPy and SciPy:
PYTHONPATH=build/release/python TESSERA_LIBRARY=build/release/libtessera.so"""
import argparse
import json
import os
import platform
import subprocess
import sys
import time

import numpy as np
import scipy
import scipy.sparse as sp

import tessera as ts

BEST, SCIPY = 1.2, 1.1
AGAIN = 5  # times as long for the second measurement of a cell that is behind
TURNS, TOGETHER = 24, 100_000  # tensors of a cell take turns: so many, or until they have so many entries
MAX_PAIRS = 4e6  # an order of loops over all pairs of a row and a column is left out where there are more
TOO_SLOW = 50  # a candidate that takes so many times the automatic choice for its first answer is left out
MAX_PRODUCTS = 3e7  # a cell with more multiplications is left out
LEAST, MOST = 200, 2e6  # entries of a tensor
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


def matrices(most_products, make):
    """The cells of square and oblong matrices: the name, and a function that makes the operands and SciPy's computation."""
    for n in SIZES:
        for name, rows, inner, skew in (("%d", n, n, False), ("%d skewed", n, n, True), ("%dx%d", n, n // 5, False), ("%dx%d", n // 5, n, False)):
            name = name % ((rows, inner) if name.count("%") > 1 else n)
            for part in PARTS:
                entries = rows * inner * part
                products = entries * rows * part * (0.4 * inner ** (1 / 3) if skew else 1)  # with a matrix of the transposed size
                if LEAST <= entries <= MOST and products <= most_products:
                    yield "%s %g%%" % (name, 100 * part), lambda seed=0, a=(rows, inner, part, skew): make(*a, 3 * seed)


def sorted_product(A, B):
    C = A @ B
    C.sort_indices()
    return C


def squared(rows, inner, part, skew, seed):
    A, B = matrix(rows, inner, part, skew, seed + 1), matrix(inner, rows, part, skew, seed + 2)
    return {"A": A, "B": B}, lambda: sorted_product(A, B)


def by_transposed(rows, inner, part, skew, seed):
    A = matrix(rows, inner, part, skew, seed + 1)
    return {"A": A}, lambda: sorted_product(A, A.T.tocsr())


def pair(rows, inner, part, skew, seed):
    A, B = matrix(rows, inner, part, skew, seed + 1), matrix(rows, inner, part, skew, seed + 2)
    B = (A.multiply(A > 1) + B.multiply(B > 1)).tocsr()  # half of A's places, and others
    B.sort_indices()
    return A, B


def added(*shape):
    A, B = pair(*shape)
    return {"A": A, "B": B}, lambda: A + B


def multiplied(*shape):
    A, B = pair(*shape)
    return {"A": A, "B": B}, lambda: A.multiply(B)


def masked(rows, inner, part, skew, seed):
    A, B = matrix(rows, inner, part, skew, seed + 1), matrix(inner, rows, part, skew, seed + 2)
    M = matrix(rows, rows, part, skew, seed + 3)
    return {"M": M, "A": A, "B": B}, lambda: M.multiply(A @ B)


def sampled(rows, inner, part, skew, seed):
    rng = np.random.default_rng(4)
    return {"M": matrix(rows, inner, part, skew, seed + 1), "C": rng.random((rows, 16)), "D": rng.random((inner, 16))}, None


def tensor(n, part, skew, seed=1):
    rng = np.random.default_rng(seed)
    count = max(int(n**3 * part), LEAST)
    keys = np.unique((coordinates(rng, n, count, skew) * n + coordinates(rng, n, count, skew)) * n + coordinates(rng, n, count, skew))
    crd = [keys // (n * n), keys // n % n, keys % n]
    return ts.from_coords(crd, rng.random(len(keys)) + 0.5, (n, n, n), format="csf")


def cubes(other):
    for n in (50, 200, 1000, 5000):
        for part in (1e-6, 1e-5, 1e-4, 1e-3, 0.01):
            for skew in (False, True):
                if LEAST <= n**3 * part <= MOST:
                    yield "%d^3 %g%%%s" % (n, 100 * part, " skewed" * skew), lambda seed=0, a=(n, part, skew): ({"B": tensor(*a, seed + 1), **other(a[0])}, None)


def sparse_vector(n):
    at = np.arange(0, n, 4)
    return {"c": ts.from_coords([at], np.ones(len(at)), (n,), format="s")}


def sparse_matrix(n):
    return {"C": matrix(n, 16, 0.25, False)}


def dense_matrices(n):
    rng = np.random.default_rng(5)
    return {"C": rng.random((n, 16)), "D": rng.random((n, 16))}


ROWS = ["workspace(dense)", "workspace(bitmap)", "workspace(hash)", "workspace(list)"]
MERGES = ["merge(%s)", "gallop(%s)", "locate(%s)"]
# name: expression, format of the result, cells, schedules
KERNELS = {
    "product": ("R(i,j) = A(i,k)*B(k,j)", "csr", matrices(MAX_PRODUCTS, squared), ROWS + ["reorder(i,j,k)"]),
    "transposed": ("R(i,j) = A(i,k)*A(j,k)", "csr", matrices(MAX_PRODUCTS, by_transposed),
                   ["reorder(i,k,j)", "reorder(i,j,k)", "reorder(i,k,j), workspace(dense)"]),
    "sum": ("R(i,j) = A(i,j)+B(i,j)", "csr", matrices(np.inf, added), ["assemble(two-pass)", "workspace(dense)"]),
    "elementwise": ("R(i,j) = A(i,j)*B(i,j)", "csr", matrices(np.inf, multiplied), [way % "j" for way in MERGES] + ["assemble(two-pass)"]),
    "masked": ("R(i,j) = M(i,j)*A(i,k)*B(k,j)", "csr", matrices(MAX_PRODUCTS, masked),
               ["reorder(i,j,k)", "reorder(i,k,j)"] + [way % "k" for way in MERGES]),
    "sddmm": ("R(i,j) = M(i,j)*C(i,r)*D(j,r)", "csr", matrices(np.inf, sampled), ["prefetch(0)", "prefetch(16)", "prefetch(64)", "scalar"]),
    "ttv": ("R(i,j) = B(i,j,k)*c(k)", "ds", cubes(sparse_vector), [way % "k" for way in MERGES]),
    "ttm": ("R(i,j,r) = B(i,j,k)*C(k,r)", "dss", cubes(sparse_matrix), ROWS),
    "mttkrp": ("R(i,r) = B(i,j,k)*C(j,r)*D(k,r)", None, cubes(dense_matrices),
               ["prefetch(0)", "prefetch(16)", "private(R)", "atomic(R)", "exclusive(R)"]),
}


def as_arrays(result):
    """What a result holds: a matrix of SciPy, an array of NumPy, or coordinates and values."""
    if not isinstance(result, ts.Tensor):
        return result
    return result.to_scipy() if result.format in ("csr", "ds") else np.vstack([result.coords(), result.convert("coo").values])


def close(a, b):
    """np.allclose by parts that stay in the cache."""
    step = 1 << 14
    return a.shape == b.shape and all(np.all(abs(a[k:k + step] - b[k:k + step]) <= 1e-9 * abs(b[k:k + step])) for k in range(0, len(a), step))


def same(a, b):
    if sp.issparse(a) and sp.issparse(b):
        if np.array_equal(a.indptr, b.indptr) and np.array_equal(a.indices, b.indices):
            return close(a.data, b.data)
        return abs(a - b).sum() <= 1e-9 * max(abs(a).sum(), 1)
    return a.shape == b.shape and np.allclose(a, b, rtol=1e-9)


def measure(candidates, spend_s):
    """The least time of each candidate in s, of at least two runs; they take turns."""
    least = dict.fromkeys(candidates, np.inf)
    spent = dict.fromkeys(candidates, 0.0)
    names = list(candidates)
    for turn in range(1000):
        for name in names[turn % len(names):] + names[:turn % len(names)]:  # each follows each other one
            if spent[name] >= (spend_s if turn >= 2 else np.inf):
                continue
            seconds = timed(candidates[name])[1]
            least[name] = min(least[name], seconds)
            spent[name] += seconds
            if turn == 0 and seconds > 20 * min(least.values()):
                spent[name] = np.inf  # far behind: a second run would tell nothing new
        if turn >= 2 and min(spent.values()) >= spend_s:
            break
    return least


def timed(run):
    begin = time.perf_counter()
    result = run()
    return result, time.perf_counter() - begin


def run_all(run, given):
    for one in given:
        run(one)


def make(kernel, cells):
    """Each candidate, ready to run with the operands of all cells on a number of threads: generated, compiled, and with an answer
    that was compared."""
    expression, result, _, schedules = KERNELS[kernel]
    all_given = [{name: ts.tensor(value) if sp.issparse(value) else value for name, value in operands.items()} for operands in cells]
    given = all_given[0]
    made = {"automatic": ts.kernel(expression, format=result, **given)}
    answer, limit = timed(lambda: made["automatic"](**given))
    answer = as_arrays(answer)
    for schedule in schedules:
        if schedule == "reorder(i,j,k)" and kernel != "masked" and answer.shape[0] * answer.shape[1] > MAX_PAIRS:
            continue
        candidate = ts.kernel(expression, format=result, schedule=schedule, **given)
        try:
            got, seconds = timed(lambda: candidate(**given))
        except (ts.TesseraError, NotImplementedError, ValueError):
            continue  # this schedule does not suit these tensors
        if not same(as_arrays(got), answer):
            sys.exit("%s with %s: another answer than by the automatic choice" % (expression, schedule))
        if seconds < max(TOO_SLOW * limit, 0.1):
            made[schedule] = candidate
    return {name: lambda n, k=k: run_all(lambda one: k(nthreads=n or None, **one), all_given) for name, k in made.items()}, answer


def operands_of(make_operands):
    """Operands and SciPy's computation, of one shape, for all turns."""
    first = make_operands(0)
    turns = min(max(TOGETHER // entries_of(first[0]), 1), TURNS)
    return [first] + [make_operands(seed) for seed in range(1, turns)]


def entries_of(operands):
    return max(getattr(value, "nnz", 0) for value in operands.values())


def measure_cell(kernel, cell, make_operands, threads, spend_s):
    cells = operands_of(make_operands)
    operands, peer = cells[0]
    made, answer = make(kernel, [one for one, _ in cells])
    if peer and not same(answer, peer().tocsr()):
        sys.exit("%s %s: another answer than SciPy's" % (kernel, cell))
    times = {}
    for n in threads:
        candidates = {name: lambda run=run: run(n) for name, run in made.items()}
        if peer and n == threads[0]:
            candidates["SciPy"] = lambda: run_all(lambda one: one[1](), cells)
        times[str(n)] = {name: 1e3 * seconds / len(cells) for name, seconds in measure(candidates, spend_s).items()}
    return {"kernel": kernel, "cell": cell, "entries": entries_of(operands), "turns": len(cells), "ms": times}


def merged(first, second):
    """A cell that was measured twice: the least times."""
    for threads, times in second["ms"].items():
        for name, ms in times.items():
            first["ms"][threads][name] = min(ms, first["ms"][threads].get(name, ms))
    return {**first, "again": True}


def numbers(values, form="%.3g"):
    return ", ".join(form % value for value in values)


def line(row):
    """The row of a table, and whether the automatic choice is behind. ² marks a cell that was measured twice."""
    scipy = next((times["SciPy"] for times in row["ms"].values() if "SciPy" in times), None)
    auto, best, names = [], [], []
    for times in row["ms"].values():
        schedules = {name: ms for name, ms in times.items() if name not in ("automatic", "SciPy")}
        names.append(min(schedules, key=schedules.get, default=""))
        auto.append(times["automatic"])
        best.append(schedules.get(names[-1], np.nan))
    to_best = [a / b for a, b in zip(auto, best)]
    to_scipy = [a / scipy for a in auto] if scipy else []
    behind = any(ratio > BEST for ratio in to_best) or any(ratio > SCIPY for ratio in to_scipy)
    text = [row["cell"] + "²" * row.get("again", False), str(row["entries"]), numbers(auto), numbers(best), ", ".join(dict.fromkeys(filter(None, names))),
            numbers(to_best, "%.2f"), "%.3g" % scipy if scipy else "", numbers(to_scipy, "%.2f")]
    return "| %s |" % " | ".join(text), behind


def print_tables(rows):
    """The tables of the kernels, and the cells that are behind."""
    behind = []
    for kernel in KERNELS:
        of_kernel = [row for row in rows if row["kernel"] == kernel]
        if of_kernel:
            threads = " and ".join(of_kernel[0]["ms"]).replace("0", "all")
            head = ["cell", "entries", "automatic", "best schedule", "", "automatic / best", "SciPy", "automatic / SciPy"]
            print("%s: `%s`, least times in ms on %s threads\n" % (kernel, KERNELS[kernel][0], threads))
            print("| %s |\n|%s" % (" | ".join(head), "---|" * len(head)))
        for row in of_kernel:
            text, is_behind = line(row)
            print(text)
            behind += ["| %s %s" % (kernel, text)] * is_behind
        print("\n" * bool(of_kernel), end="")
    print("%d of %d cells are behind %.1f times the best schedule or %.1f times SciPy:\n" % (len(behind), len(rows), BEST, SCIPY))
    print("\n".join(behind))


def machine():
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        models = [line.split(":")[1].strip() for line in f if line.startswith("model name")]
    commit = subprocess.run(["git", "-C", os.path.dirname(__file__), "describe", "--always", "--dirty", "--exclude=*"],
                            capture_output=True, text=True, check=False)
    return {"processor": models[0] if models else platform.machine(), "processors": os.cpu_count(), "commit": commit.stdout.strip(),
            "tessera": ts.__version__, "scipy": scipy.__version__, "python": platform.python_version(),
            "started": time.strftime("%Y-%m-%d %H:%M", time.gmtime())}


def head(record):
    at = record["machine"]
    return ("%s UTC, %s, %d processors, SciPy %s, Tessera %s at %s: `plans.py %s`\n"
            % (at["started"], at["processor"], at["processors"], at["scipy"], at["tessera"], at["commit"], " ".join(record["arguments"])))


def cells_of(how):
    for kernel in how.kernels:
        for k, (cell, make_operands) in enumerate(KERNELS[kernel][2]):
            if how.cells in cell and k % how.every == how.first % how.every:
                yield kernel, cell, make_operands


def prepare(how):
    """Compile what the cells need, so that the next call does nothing but measure."""
    for kernel, _, make_operands in cells_of(how):
        expression, result, _, schedules = KERNELS[kernel]
        given = {name: ts.tensor(value) if sp.issparse(value) else value for name, value in make_operands(0)[0].items()}
        for schedule in [None] + schedules:
            ts.kernel(expression, format=result, schedule=schedule, **given)


def measure_grid(how, record):
    begin, threads = time.monotonic(), list(map(int, how.threads.split(",")))
    rows = record["cells"]
    done = {(row["kernel"], row["cell"]) for row in rows}

    def keep(row, at):
        rows[at:at + 1] = [row]
        if how.record:
            with open(how.record + ".new", "w", encoding="utf-8") as f:
                json.dump(record, f)
            os.replace(how.record + ".new", how.record)

    again = {}
    for kernel, cell, make_operands in cells_of(how):
        again[kernel, cell] = make_operands
        if (kernel, cell) not in done and time.monotonic() - begin <= how.stop:
            keep(measure_cell(kernel, cell, make_operands, threads, how.seconds), len(rows))
    for at, row in enumerate(rows):
        make_operands = again.get((row["kernel"], row["cell"]))
        if make_operands and line(row)[1] and not row.get("again") and time.monotonic() - begin <= how.stop:
            keep(merged(row, measure_cell(row["kernel"], row["cell"], make_operands, threads, AGAIN * how.seconds)), at)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kernels", nargs="*", default=list(KERNELS), help=", ".join(KERNELS))
    parser.add_argument("--threads", default="1,0")
    parser.add_argument("--cells", default="", help="only the cells whose name contains this")
    parser.add_argument("--every", type=int, default=1, help="every n-th cell")
    parser.add_argument("--first", type=int, default=0, help="the first of every n-th cell")
    parser.add_argument("--seconds", type=float, default=0.03, help="for each candidate of a cell")
    parser.add_argument("--prepare", action="store_true", help="only compile the kernels")
    parser.add_argument("--record", default="", help="keep the times in this file, and leave out the cells that it has")
    parser.add_argument("--stop", type=float, default=np.inf, help="begin no cell after this time in s")
    parser.add_argument("--table", default="", help="print the tables of this file")
    how = parser.parse_args()
    if how.prepare:
        return prepare(how)
    record, path = {"machine": machine(), "arguments": sys.argv[1:], "cells": []}, how.table or how.record
    if path and os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            record = json.load(f)
    if not how.table:
        measure_grid(how, record)
    print(head(record))
    print_tables(record["cells"])


main()
