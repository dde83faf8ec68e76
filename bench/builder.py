#!/usr/bin/env python3
"""builder.py [--entries=20000000] [--rows=1000000] [--runs=3] [--threads=1,2] [--memory=64M]: random entries in chunks of 10,000 become csr: by ts.builder,
by lists of arrays that NumPy joins for SciPy's coo_matrix, and by Eigen's setFromTriplets (where c++ and Eigen are); by turns, least and median in
ms, and the ratio of medians to that of SciPy. What they return is compared. Then one entry at a time, beside SciPy's dok and lil, and the peak of the
resident memory of processes of their own, with a limit and without; --memory= leaves these out."""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import numpy as np
import scipy.sparse as sp

import tessera as ts

parser = argparse.ArgumentParser(usage=__doc__)
parser.add_argument("--entries", type=int, default=20_000_000)
parser.add_argument("--rows", type=int, default=1_000_000)
parser.add_argument("--runs", type=int, default=3)
parser.add_argument("--threads", default="1,2")
parser.add_argument("--memory", default="64M")
parser.add_argument("--single", type=int, default=20_000, help="entries that are added one by one")
parser.add_argument("--child", help="builder or scipy: build once, and print the peak of the resident memory")
args = parser.parse_args()
EACH, n, rows = 10_000, args.entries, args.rows
EIGEN = r"""
#include <Eigen/SparseCore>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>
int main(int, char **argv)
{
    const size_t n = strtoull(argv[2], nullptr, 10), each = 10000;
    const int rows = atoi(argv[3]);
    std::vector<int> r(n), c(n);
    std::vector<double> v(n);
    FILE *f = fopen(argv[1], "rb");
    if (!f || fread(r.data(), 4, n, f) != n || fread(c.data(), 4, n, f) != n || fread(v.data(), 8, n, f) != n)
        return 1;
    const auto start = std::chrono::steady_clock::now();
    std::vector<Eigen::Triplet<double>> t;
    for (size_t k = 0; k < n; k += each)
        for (size_t i = k; i < n && i < k + each; i++)
            t.emplace_back(r[i], c[i], v[i]);
    Eigen::SparseMatrix<double, Eigen::RowMajor> A(rows, rows);
    A.setFromTriplets(t.begin(), t.end());
    const std::chrono::duration<double> s = std::chrono::steady_clock::now() - start;
    printf("%.6f %lld %.17g\n", s.count(), (long long)A.nonZeros(), A.sum());
}
"""


def chunk(k):
    rng = np.random.default_rng(k)
    size = min(EACH, n - k * EACH)
    return rng.integers(0, rows, size, np.int32), rng.integers(0, rows, size, np.int32), rng.random(size)


def nchunks():
    return -(-n // EACH)


def build(chunks, nthreads, memory=None):
    with ts.builder((rows, rows), memory=memory) as b:

        def work(t):
            for k in range(t, nchunks(), nthreads):
                b.add(*(chunks[k] if chunks else chunk(k)), piece=k)

        threads = [threading.Thread(target=work, args=(t,)) for t in range(1, nthreads)]
        for t in threads:
            t.start()
        work(0)
        for t in threads:
            t.join()
        return b.tensor("csr", nthreads=nthreads)


def join(chunks):
    parts = [[], [], []]
    for k in range(nchunks()):
        for part, array in zip(parts, chunks[k] if chunks else chunk(k)):
            part.append(array)
    r, c, v = [np.concatenate(part) for part in parts]
    return sp.coo_matrix((v, (r, c)), shape=(rows, rows)).tocsr()


if args.child:
    made = build(None, 1, args.memory or None) if args.child == "builder" else join(None)
    nbytes = made.nbytes if args.child == "builder" else made.data.nbytes + made.indices.nbytes + made.indptr.nbytes
    with open("/proc/self/status") as f:  # ru_maxrss has that of the parent, too
        peak = next(int(line.split()[1]) for line in f if line.startswith("VmHWM:"))
    print("%d %d" % (peak >> 10, nbytes >> 20))
    sys.exit()


def eigen(folder, chunks):
    """A function that runs the program, or None."""
    source, program, data = [os.path.join(folder, name) for name in ("e.cpp", "e", "data")]
    with open(source, "w") as f:
        f.write(EIGEN)
    command = [os.environ.get("CXX", "c++"), "-O2", "-march=native", "-I/usr/include/eigen3", source, "-o", program]
    if subprocess.run(command, capture_output=True).returncode:
        return None
    with open(data, "wb") as f:
        for m in range(3):
            for part in chunks:
                f.write(part[m].tobytes())

    def run():
        said = subprocess.run([program, data, str(n), str(rows)], capture_output=True, text=True, check=True).stdout.split()
        return float(said[0]), int(said[1])

    return run


def timed(function):
    start = time.perf_counter()
    made = function()
    return time.perf_counter() - start, made


def show(name, times, reference):
    print("%-24s least %8.1f ms, median %8.1f ms, %5.2f times" % (
        name, 1e3 * min(times), 1e3 * statistics.median(times), statistics.median(reference) / statistics.median(times)))


chunks = [chunk(k) for k in range(nchunks())]
cases = {"scipy": lambda: join(chunks)}
cases.update({"builder, %s thread(s)" % t: lambda t=int(t): build(chunks, t) for t in args.threads.split(",")})
times = {name: [] for name in cases}
with tempfile.TemporaryDirectory() as folder:
    by_eigen = eigen(folder, chunks)
    if by_eigen:
        times["eigen"] = []
    for _ in range(args.runs):
        want = None
        for name, case in cases.items():
            took, made = timed(case)
            times[name].append(took)
            S = made if sp.issparse(made) else made.to_scipy()
            if want is None:
                want = S
            assert S.nnz == want.nnz and np.array_equal(S.indptr, want.indptr), name
            assert abs(S.data.sum() - want.data.sum()) < 1e-6 * want.data.sum(), name
            del made, S
        if by_eigen:
            took, nnz = by_eigen()
            times["eigen"].append(took)
            assert nnz == want.nnz
        del want
print("%d entries in chunks of %d into csr of %d x %d:" % (n, EACH, rows, rows))
for name in times:
    show(name, times[name], times["scipy"])

r, c, v = [array[: args.single].tolist() for array in chunk(0)] if args.single <= EACH else [
    np.concatenate([chunk(k)[m] for k in range(-(-args.single // EACH))])[: args.single].tolist() for m in range(3)]


def by_setting(kind):
    S = kind((rows, rows))
    for i, j, x in zip(r, c, v):
        S[i, j] = x
    return S.tocsr()


def by_builder():
    with ts.builder((rows, rows), duplicates="last") as b:
        for i, j, x in zip(r, c, v):
            b[i, j] = x
        return b.tensor("csr").to_scipy()


singles = {"dok": lambda: by_setting(sp.dok_matrix), "lil": lambda: by_setting(sp.lil_matrix), "builder": by_builder}
times = {name: [] for name in singles}
for _ in range(args.runs):
    results = []
    for name, case in singles.items():
        took, made = timed(case)
        times[name].append(took)
        results.append(made)
    assert all((made != results[0]).nnz == 0 for made in results)
print("%d entries, one at a time:" % args.single)
for name in singles:
    show(name, times[name], times["dok"])

if args.memory:
    print("peak of the resident memory:")
    for kind, memory in (("scipy", ""), ("builder", ""), ("builder", args.memory)):
        command = [sys.executable, __file__, "--child=" + kind, "--memory=" + memory, "--entries=%d" % n, "--rows=%d" % rows]
        peak, nbytes = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
        print("%-24s %6s MiB, of which the matrix has %s" % (kind + (", memory=" + memory if memory else ""), peak, nbytes))
