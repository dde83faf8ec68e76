#!/usr/bin/env python3
"""blocks.py: products of blocked matrices, block by block and over copies, beside SciPy's bsr @ bsr; one thread. With tkern in PATH.

5,000 rows of 8 blocks of 4 x 4 at random places, of which a part of the values is not 0. Least times in ms, as rows of a table."""
import re
import subprocess
import tempfile
import time

import numpy as np
import scipy.sparse as sp

ROWS, PER_ROW, SIDE = 5000, 8, 4


def matrix(rng, filled):
    rows, columns = np.repeat(np.arange(ROWS), PER_ROW), rng.integers(0, ROWS, ROWS * PER_ROW)
    places = sp.csr_matrix((np.ones(len(rows)), (rows, columns)), (ROWS, ROWS))
    places.sum_duplicates()
    values = rng.random((places.nnz, SIDE, SIDE))
    values *= rng.random(values.shape) < filled
    return sp.bsr_matrix((values, places.indices, places.indptr), (SIDE * ROWS, SIDE * ROWS))


def tkern(path, *more):
    name = "bcsr(%d,%d)" % (SIDE, SIDE)
    command = ["tkern", "C(i,j) = A(i,k)*B(k,j)", "-j1", "--time=15"] + list(more)
    for t in "ABC":
        command += ["-f", t + ":" + name] + (["-i", t + ":" + path] if t != "C" else [])
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return float(re.search(r"^time +min ([\d.]+) ms", out, re.M).group(1))


def scipy(A):
    times = []
    for _ in range(15):
        begin = time.perf_counter()
        A @ A
        times.append(time.perf_counter() - begin)
    return 1e3 * min(times)


print("| values that are not 0 | as planned | over copies | SciPy | SciPy / planned |\n|---|---|---|---|---|")
for filled in (1, 0.6, 0.3, 0.2, 0.1):
    A = matrix(np.random.default_rng(3), filled)
    csr = A.tocsr()
    csr.eliminate_zeros()
    with tempfile.NamedTemporaryFile(suffix=".npz") as file:
        sp.save_npz(file.name, csr)
        planned, copies = tkern(file.name), tkern(file.name, "-s", "literal(i)")
    theirs = scipy(A)
    print("| %d%% | %.3g | %.3g | %.3g | %.2f |" % (100 * filled, planned, copies, theirs, theirs / planned), flush=True)
