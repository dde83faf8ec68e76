#!/usr/bin/env python3
"""file_product.py [--entries=100000000] [--memory=300M] [--columns=16] [--runs=3] [--threads=2] [--folder=DIR]: a product of a matrix in an HDF5 file
with a dense one, `Y(i,k) = A(i,j)*X(j,k)`, block by block below a limit of memory (with 12 bytes an entry, the file has four times the limit), beside
dd, which reads the file and does nothing else. Cold: the system is asked to drop the file from its cache before each run. By turns; least and median in ms,
dd's least time over the least time, and the peak of the resident memory in MB (Python and the libraries that it loads have some 80 of it).

The last row is SciPy on the whole matrix, which h5py reads."""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

parser = argparse.ArgumentParser(usage=__doc__)
parser.add_argument("--entries", type=int, default=100_000_000)
parser.add_argument("--memory", default="300M")
parser.add_argument("--columns", type=int, default=16)
parser.add_argument("--runs", type=int, default=3)
parser.add_argument("--threads", type=int, default=2)
parser.add_argument("--folder")
parser.add_argument("--child", choices=["tessera", "scipy"])
args = parser.parse_args()
EACH, NCOLS = 200, 100_000
nrows = args.entries // EACH


def make(path):
    import h5py
    import numpy as np

    rng = np.random.default_rng(5)
    step = 20_000  # rows that are made at a time
    with h5py.File(path, "w") as f:
        f.attrs.update({"encoding-type": "anndata", "encoding-version": "0.1.0"})
        x = f.create_group("X")
        x.attrs.update({"encoding-type": "csr_matrix", "encoding-version": "0.1.0", "shape": np.array([nrows, NCOLS])})
        data, indices = x.create_dataset("data", (nrows * EACH,), "f8"), x.create_dataset("indices", (nrows * EACH,), "i4")
        x["indptr"] = np.arange(nrows + 1) * EACH
        for first in range(0, nrows, step):
            n = min(step, nrows - first)
            crd = np.arange(EACH) * (NCOLS // EACH) + rng.integers(0, NCOLS // EACH, (n, EACH))
            indices[first * EACH : (first + n) * EACH] = crd.ravel()
            data[first * EACH : (first + n) * EACH] = rng.random(n * EACH)


def child(path):
    """Compute once; print the time, the peak of the resident memory, and a sum."""
    import numpy as np

    X = np.random.default_rng(7).random((NCOLS, args.columns))
    if args.child == "tessera":
        import tessera as ts

        kernel = ts.kernel("Y(i,k) = A(i,j)*X(j,k)")
        begin = time.perf_counter()
        Y = kernel(path, X, memory=args.memory, nthreads=args.threads)
    else:
        import h5py
        import scipy.sparse as sp

        begin = time.perf_counter()
        with h5py.File(path, "r") as f:
            Y = sp.csr_matrix((f["X/data"][:], f["X/indices"][:], f["X/indptr"][:]), shape=(nrows, NCOLS)) @ X
    took = time.perf_counter() - begin
    with open("/proc/self/status") as f:
        peak = next(int(line.split()[1]) for line in f if line.startswith("VmHWM:"))
    print(took, peak >> 10, Y.sum())


def run(path, cold, name):
    if cold:
        fd = os.open(path, os.O_RDONLY)
        os.fdatasync(fd)
        os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(fd)
    if name == "dd":
        begin = time.perf_counter()
        subprocess.run(["dd", "if=" + path, "of=/dev/null", "bs=4M"], stderr=subprocess.DEVNULL, check=True)
        return time.perf_counter() - begin, 0, None
    command = [sys.executable, __file__, "--child=" + name, "--folder=" + os.path.dirname(path)] + [
        "--%s=%s" % (option, getattr(args, option)) for option in ("entries", "memory", "columns", "threads")]
    took, peak, total = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return float(took), int(peak), float(total)


def main(folder):
    path = os.path.join(folder, "big.h5ad")
    if args.child:
        return child(path)
    if not os.path.exists(path):
        make(path)
    print("%d x %d, %d entries, %d MB; memory=%s, %d columns, %d threads" % (
        nrows, NCOLS, nrows * EACH, os.path.getsize(path) >> 20, args.memory, args.columns, args.threads))
    print("%-6s %-8s %8s %8s %8s %8s" % ("cache", "", "least", "median", "share", "MB"))
    for cold in (True, False):
        got = {name: [] for name in ("dd", "tessera", "scipy")}
        for _ in range(args.runs):
            for name, runs in got.items():
                runs.append(run(path, cold, name))
        assert abs(got["tessera"][0][2] - got["scipy"][0][2]) < 1e-9 * abs(got["scipy"][0][2])
        for name, runs in got.items():
            times = [1e3 * r[0] for r in runs]
            least = 1e3 * min(r[0] for r in got["dd"])
            print("%-6s %-8s %8.0f %8.0f %8.2f %8d" % ("cold" if cold else "warm", name, min(times), statistics.median(times), least / min(times), runs[0][1]))


if args.folder:
    main(args.folder)
else:
    with tempfile.TemporaryDirectory() as folder:
        main(folder)
