#!/usr/bin/env python3
"""h5py_write.py FILE.h5 OUT.h5 [RUNS]: h5py writes the datasets of FILE.h5 to OUT.h5, plain, and flushes them to the disk.

Prints the least and the median time in ms, and the same for write(2) of the same bytes, by turns. Beside it,
`tbench write FILE.h5 -o OUT.h5` measures Tessera, which flushes in the same way."""
import os
import statistics
import sys
import time

import h5py
import numpy


def arrays_of(path):
    found = []
    with h5py.File(path) as f:
        f.visititems(lambda name, x: found.append((name, x[()])) if isinstance(x, h5py.Dataset) else None)
    return [(name, x) for name, x in found if isinstance(x, numpy.ndarray)]


def flush(path):
    fd = os.open(path, os.O_RDWR)
    os.fsync(fd)
    os.close(fd)


def write_h5py(path, arrays):
    with h5py.File(path, "w", libver="latest") as f:
        for name, x in arrays:
            f.create_dataset(name, data=x)
    flush(path)


def write_plain(path, arrays):
    with open(path, "wb", buffering=0) as f:
        for _, x in arrays:
            rest = memoryview(x).cast("B")
            while rest:
                rest = rest[f.write(rest[: 8 << 20]):]
        os.fsync(f.fileno())


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    arrays = arrays_of(sys.argv[1])
    times = {write_h5py: [], write_plain: []}
    for _ in range(int(sys.argv[3]) if len(sys.argv) == 4 else 9):
        for write, all_of in times.items():
            if os.path.exists(sys.argv[2]):
                os.remove(sys.argv[2])
            start = time.perf_counter()
            write(sys.argv[2], arrays)
            all_of.append((time.perf_counter() - start) * 1e3)
    nbytes = sum(x.nbytes for _, x in arrays)
    for write, name in ((write_h5py, "h5py"), (write_plain, "write(2)")):
        print(f"{name:9} {nbytes / 1e6:.0f} MB  least {min(times[write]):.1f}  median {statistics.median(times[write]):.1f} ms")


if __name__ == "__main__":
    main()
