#!/usr/bin/python3
"""dask_convert.py [--entries=N] [--workers=P] [--memory=M] [--tconv=TCONV] [--folder=DIR]: a text of N random entries (33 bytes each) to csf in HDF5, by tconv
--memory=M and by P Dask workers of that memory each, by turns, twice. Processor seconds, the largest memory of a worker, and counted bytes beside planned
ones; the files are compared."""
import argparse
import filecmp
import os
import resource
import subprocess
import tempfile
import time

import numpy as np

import tessera as ts
import tessera.dask

STEP = 1_000_000


def digits(x, n):
    return (x[:, None] // 10 ** np.arange(n - 1, -1, -1) % 10 + ord("0")).astype(np.uint8)


def make(path, n):
    """Lines such as "1234567 7654321 2345678 12345.67" in random sequence."""
    rng = np.random.default_rng(1)
    with open(path, "wb") as out:
        for first in range(0, n, STEP):
            m = min(STEP, n - first)
            mark = lambda c: np.full((m, 1), ord(c), np.uint8)  # noqa: B023, E731
            line = [part for _ in range(3) for part in (digits(rng.integers(1_000_000, 10_000_000, m), 7), mark(" "))]
            line += [digits(rng.integers(10_000, 100_000, m), 5), mark("."), digits(rng.integers(0, 100, m), 2), mark("\n")]
            np.hstack(line).tofile(out)


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def forget_peak():
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")


def peak_nbytes():
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) << 10 for line in file if line.startswith("VmHWM"))


def by_tconv(given, text, out):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([given.tconv, "-q", text, "--format=csf", "-o", out, "--memory=" + given.memory], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def by_dask(given, client, text, out):
    client.run(forget_peak)
    before = sum(client.run(processor_seconds).values())
    holds = max(client.run(peak_nbytes).values())
    how = {"format": "csf", "memory": ts._io.nbytes(given.memory) - holds, "parts": given.parts, "client": client}
    plan = tessera.dask.plan(text, out, **how)
    tessera.dask.convert(text, out, plan=plan, **how)
    return sum(client.run(processor_seconds).values()) - before, max(client.run(peak_nbytes).values()), plan


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--entries", type=int, default=60_000_000)
    options.add_argument("--workers", type=int, default=4)
    options.add_argument("--parts", type=int, default=None)
    options.add_argument("--memory", default="600M")
    options.add_argument("--tconv", default="tconv")
    options.add_argument("--folder")
    options.add_argument("--rounds", type=int, default=2)
    given = options.parse_args()
    import distributed

    with tempfile.TemporaryDirectory(dir=given.folder) as folder, distributed.LocalCluster(
        n_workers=given.workers, threads_per_worker=1, processes=True, dashboard_address=None, memory_limit=0
    ) as cluster, distributed.Client(cluster) as client:
        text, one, other = (os.path.join(folder, name) for name in ("in.tns", "tconv.h5", "dask.h5"))
        make(text, given.entries)
        client.run(lambda: __import__("tessera.dask"))
        print("%d entries, %d bytes; %d workers" % (given.entries, os.path.getsize(text), given.workers))
        for _ in range(given.rounds):
            begin = time.perf_counter()
            alone = by_tconv(given, text, one)
            middle = time.perf_counter()
            shared, peak, plan = by_dask(given, client, text, other)
            end = time.perf_counter()
            same = filecmp.cmp(one, other, shallow=False)
            print("processor seconds: tconv %.1f, Dask %.1f (%.2f); elapsed %.1f, %.1f" % (alone, shared, shared / alone, middle - begin, end - middle))
            print("largest memory of a worker: %d of %d bytes; %s" % (peak, ts._io.nbytes(given.memory), "the same bytes" if same else "OTHER BYTES"))
            print(plan, flush=True)
            os.remove(one), os.remove(other)


if __name__ == "__main__":
    main()
