#!/usr/bin/env python3
"""blocks.py [FIRST LETTERS]: operands of one format, merged where they are stored, over copies in sorted levels, and by SciPy where it has the
format; one thread. With tkern in PATH. Least times in ms, as rows of a table.

Blocks: 5,000 rows of 8 blocks of 4 x 4 at random places, of which a part of the values is not 0. Other operands share half of their entries."""
import os
import re
import subprocess
import sys
import tempfile
import time

import numpy as np
import scipy.sparse as sp

ROWS, PER_ROW, SIDE, TIMES = 5000, 8, 4, 11
ADD, MULTIPLY, PRODUCT = "C(i,j) = A(i,j) + B(i,j)", "C(i,j) = A(i,j)*B(i,j)", "C(i,j) = A(i,k)*B(k,j)"


def blocks(rng, filled):
    rows, columns = np.repeat(np.arange(ROWS), PER_ROW), rng.integers(0, ROWS, ROWS * PER_ROW)
    places = sp.csr_matrix((np.ones(len(rows)), (rows, columns)), (ROWS, ROWS))
    places.sum_duplicates()
    values = rng.random((places.nnz, SIDE, SIDE))
    values *= rng.random(values.shape) < filled
    return sp.bsr_matrix((values, places.indices, places.indptr), (SIDE * ROWS, SIDE * ROWS))


def cells(rng, dims, n):
    """Two lists of n coordinates, sorted and each once, which have half of them in common."""
    drawn = [np.unique(rng.integers(0, np.prod(dims, dtype=np.int64), n // 2)) for _ in range(3)]
    return [np.unravel_index(np.union1d(drawn[0], drawn[k]), dims) for k in (1, 2)]


def entries(rng, dims=(200000, 200000), n=2000000):
    return [sp.coo_matrix((rng.random(len(c[0])), c), dims) for c in cells(rng, dims, n)]


def diagonals(rng, n=500000):
    return [sp.dia_matrix((rng.random((9, n)), offsets), (n, n)) for offsets in (range(-4, 5), range(-6, 3))]


def save(path, A):
    if isinstance(A, sp.spmatrix):
        csr = A.tocsr()
        csr.eliminate_zeros()
        sp.save_npz(path + ".npz", csr, compressed=False)
        return path + ".npz"
    np.savetxt(path + ".tns", np.column_stack([c + 1 for c in A] + [np.arange(len(A[0])) % 7 + 1.5]), "%d " * len(A) + "%g")
    return path + ".tns"


def tkern(expression, name, paths, *more):
    command = ["tkern", expression, "-j1", "--time=%d" % TIMES, "--type=f64"] + list(more)
    for t in "ABC":
        command += ["-f", t + ":" + name] + (["-i", t + ":" + paths[t]] if t != "C" else [])
    done = subprocess.run(command, capture_output=True, text=True)
    found = re.search(r"^time +min ([\d.]+) (ms|us)", done.stdout, re.M)
    if not found:
        sys.exit("%s: %s" % (name, done.stderr))
    return float(found.group(1)) * (1 if found.group(2) == "ms" else 1e-3)


def scipy(run):
    times = []
    for _ in range(TIMES):
        begin = time.perf_counter()
        run()
        times.append(time.perf_counter() - begin)
    return 1e3 * min(times)


def row(title, expression, name, operands, theirs):
    if not title.startswith(tuple(sys.argv[1:] or [""])):
        return
    with tempfile.TemporaryDirectory() as folder:
        paths = {t: save(os.path.join(folder, t), A) for t, A in zip("AB", operands)}
        planned, copies = tkern(expression, name, paths), tkern(expression, name, paths, "-s", "literal(i)")
    line = "| %s | %.3g | %.3g | %.2f |" % (title, planned, copies, copies / planned)
    if theirs:
        time_of = scipy(lambda: theirs(*operands))
        line += " %.3g | %.2f |" % (time_of, time_of / planned)
    print(line + " | |" * (not theirs), flush=True)


def add(A, B):
    return A + B


rng = np.random.default_rng(3)
print("| operands | as stored | over copies | copies / stored | SciPy | SciPy / stored |\n|---|---|---|---|---|---|")
row("coo + coo", ADD, "coo", entries(rng), add)
row("coo + coo, 3 modes", ADD.replace("i,j", "i,j,k"), "coo", cells(rng, (2000, 2000, 2000), 1000000), None)
row("hicoo(128) .* hicoo(128)", MULTIPLY, "hicoo(128)", entries(rng), None)
row("dia + dia", ADD, "dia", diagonals(rng), add)
row("bcsr(4,4) + bcsr(4,4)", ADD, "bcsr(4,4)", [blocks(rng, 1), blocks(rng, 1)], add)
for filled in (1, 0.6, 0.3, 0.2, 0.1):
    A = blocks(np.random.default_rng(3), filled)
    row("bcsr(4,4) * bcsr(4,4), %d%% not 0" % (100 * filled), PRODUCT, "bcsr(4,4)", [A, A], lambda A, B: A @ B)
