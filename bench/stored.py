#!/usr/bin/env python3
"""stored.py [--quick] [--threads=N] [FORMAT...]: statements over two operands in each named storage format, beside the same statements
over copies of the operands in csr, which each run makes, and beside operands that are csr. With tkern in PATH. Least times as rows of a
table; the last line names what is slower than over copies, twice. --quick: small operands, interpreted, to see that all runs.

The operands are lower triangles of 4 x 4 blocks near the diagonal, of whose values 7 of 10 are not 0, so that each format suits them more or
less."""
import os
import random
import re
import subprocess
import sys
import tempfile

STATEMENTS = {"A + B": "C(i,j) = A(i,j) + B(i,j)", "A .* B": "C(i,j) = A(i,j)*B(i,j)", "A*B": "C(i,j) = A(i,k)*B(k,j)"}
PARAMETERS = {"r,c": "4,4", "b": "4", "n,m": "4,4", "c,sigma=1": "8,16"}  # of formats that have no others
VECTORS = ("scalar", "dvec", "cvec", "bvec")
OVER_COPIES = ["-s", "convert(A,csr), convert(B,csr)"]
SLOWER, NOISE_MS = 1.15, 0.03
SIDE, PER_ROW, NEAR = 4, 8, 16
UNITS = {"s": 1e3, "ms": 1, "us": 1e-3, "ns": 1e-6}
quick = "--quick" in sys.argv
threads = next((a[10:] for a in sys.argv[1:] if a.startswith("--threads=")), "1")
wanted = [a for a in sys.argv[1:] if not a.startswith("--")]


def write(path, n):
    rng = random.Random(path[-5:])
    blocks = sorted({(i, i - rng.randrange(NEAR)) for i in range(n // SIDE) for _ in range(PER_ROW)})
    cells = [(SIDE * i + r, SIDE * j + c) for i, j in blocks if j >= 0 for r in range(SIDE) for c in range(SIDE)]
    kept = [(i, j) for i, j in cells if j <= i and rng.random() < 0.7]
    with open(path, "w") as f:
        f.write("%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n" % (n, n, len(kept)))
        f.writelines("%d %d %d\n" % (i + 1, j + 1, rng.randrange(1, 9)) for i, j in kept)


def tkern(folder, statement, operands, result, more=()):
    """The least time in ms; None: there is no such statement, or schedule, of this format."""
    command = ["tkern", statement, "-j" + threads, "--type=f64", "-f", "C:" + result]
    command += ["--time=1", "--engine=interpreter"] if quick else ["--time=9"]
    for t in "AB":
        command += ["-f", t + ":" + operands, "-i", "%s:%s" % (t, os.path.join(folder, t + ".mtx"))]
    done = subprocess.run(command + list(more), capture_output=True, text=True)
    found = re.search(r"^time +min ([\d.e+-]+) (s|ms|us|ns)", done.stdout, re.M)
    return float(found.group(1)) * UNITS[found.group(2)] if found else None


def formats():
    text = subprocess.run(["tkern", "--list-formats"], capture_output=True, text=True, check=True).stdout
    for name, parameters in re.findall(r"^([a-z]+)(?:\(([^)]*)\))?  ", text, re.M):
        if name not in VECTORS:
            yield name + ("(%s)" % PARAMETERS[parameters] if parameters in PARAMETERS else "")


def is_behind(times):
    return times[1] is not None and times[0] > SLOWER * times[1] + NOISE_MS


def measure(folder, statement, name, result):
    """The times as planned and over copies; by turns, and once more where the plan is behind."""
    times = [tkern(folder, statement, name, result), tkern(folder, statement, name, result, OVER_COPIES)]
    if times[0] is not None and is_behind(times):
        times = [min(times[0], tkern(folder, statement, name, result)),
                 min(times[1], tkern(folder, statement, name, result, OVER_COPIES))]
    return times


def text(x):
    return "-" if x is None else "%.3g" % x


def main():
    slower = []
    print("| statement, operands | result | as planned, ms | over copies, ms | copies / planned | all csr, ms |\n" + "|---" * 6 + "|")
    with tempfile.TemporaryDirectory() as folder:
        for t in "AB":
            write(os.path.join(folder, t + ".mtx"), 64 if quick else 1024)
        for title, statement in STATEMENTS.items():
            base = tkern(folder, statement, "csr", "csr")
            for name in wanted or formats():
                for result in dict.fromkeys(["csr", name]):
                    planned, copies = measure(folder, statement, name, result)
                    ratio = copies / planned if planned and copies else None
                    row = (title, name, result, text(planned), text(copies), text(ratio), text(base))
                    print("| %s, %s | %s | %s | %s | %s | %s |" % row, flush=True)
                    if planned and is_behind([planned, copies]):
                        slower.append("%s of %s to %s" % (title, name, result))
    print("\nSlower than over copies: %s." % ("; ".join(slower) or "none"))


main()
