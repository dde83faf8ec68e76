#!/usr/bin/env python3
"""texts.py: the C text of tkern under the flags that people compile with. MTTKRP of rank 16 of 1 M entries in csf, on one thread: the text for this rank
(-d r:16) and the text for any rank, each with all flags; the least time of 15 runs in ms, which take turns, and how many times that of the named flags it takes.

Needs tkern and cc in PATH, and NumPy: PATH=build/release/src/tools:$PATH python3 bench/texts.py"""
import ctypes
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

EXPRESSION = "A(i,r) = B(i,j,k)*C(j,r)*D(k,r)"
NAMED = "-O3 -march=native -fopenmp"
FLAGS = ["-O3 -march=native -fopenmp", "-O3 -march=native", "-O3", "-O2", "-O3 -fopenmp", "-O2 -fopenmp", "-O3 -march=x86-64-v3", "-O3 -march=x86-64-v3 -fopenmp"]
RANK, ENTRIES = 16, 1000000
TENSORS = {"fibers of 1.2": (20000, 2000, 2000), "fibers of 50": (200, 100, 2000)}  # i, j, k


def csf(shape):
    """The arrays of a random tensor in csf: positions of i, coordinates of i, and so on."""
    rng = np.random.default_rng(1)
    I, J, K = shape
    keys = np.unique(rng.integers(0, I * J * K, ENTRIES))
    fiber, at_fiber = np.unique(keys // K, return_index=True)
    row, at_row = np.unique(fiber // J, return_index=True)
    u32 = lambda x: np.ascontiguousarray(x, np.uint32)
    ends = lambda starts, n: u32(np.append(starts, n))
    return [u32([0, len(row)]), u32(row), ends(at_row, len(fiber)), u32(fiber % J), ends(at_fiber, len(keys)), u32(keys % K)]


def compiled(folder, name, text, flags):
    path = os.path.join(folder, name + ".so")
    subprocess.run(["cc", *flags.split(), "-shared", "-fPIC", "-o", path, text], check=True)
    return getattr(ctypes.CDLL(path), os.path.basename(text)[:-2])


def texts(folder):
    for name, dims in (("rank16", ["-d", "r:16"]), ("any_rank", [])):
        path = os.path.join(folder, name + ".c")
        subprocess.run(["tkern", EXPRESSION, "-f", "B:csf", *dims, "-o", path], check=True)
        yield name, path


def main():
    with tempfile.TemporaryDirectory() as folder:
        made = {(name, flags): compiled(folder, "%s%d" % (name, k), path, flags) for name, path in texts(folder) for k, flags in enumerate(FLAGS)}
    print("| tensor | text | flags | ms | of the named flags |\n|%s" % ("---|" * 5))
    for kind, shape in TENSORS.items():
        rng = np.random.default_rng(2)
        arrays = csf(shape)
        B, C, D = rng.random(len(arrays[5])), rng.random((shape[1], RANK)), rng.random((shape[2], RANK))
        A = np.empty((shape[0], RANK))
        least, answer = dict.fromkeys(made, np.inf), None
        for _ in range(15):
            for (name, flags), run in made.items():
                sizes = [1, shape[0]] + ([RANK] if name == "any_rank" else []) + [len(arrays[3]), len(arrays[5])]
                begin = time.perf_counter()
                run(*map(ctypes.c_int64, sizes), *(ctypes.c_void_p(a.ctypes.data) for a in (A, *arrays, B, C, D)))
                least[name, flags] = min(least[name, flags], time.perf_counter() - begin)
                answer = A.copy() if answer is None else answer
                if not np.allclose(A, answer, rtol=1e-9):
                    sys.exit("%s with %s: another answer" % (name, flags))
        for (name, flags), seconds in least.items():
            print("| %s | %s | %s | %.2f | %.2f |" % (kind, name, flags, seconds * 1e3, seconds / least[name, NAMED]))


main()
