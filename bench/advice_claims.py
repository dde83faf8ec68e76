#!/usr/bin/env python3
"""What the advisor itself takes, and how well it counts: tables in Markdown.

    advice_claims.py FOLDER [--build build/release]

FOLDER is that of bench/advice_measure.py. For some of its tensors: the time of the advice as `tconv --format=auto` prints it, beside that of reading
the file, as HDF5 and as text; the memory that tinfo takes. Then the misses of the sample beside those of an exact simulation, as the test
test_sample prints them. Each time is the least of three."""
import argparse
import json
import os
import re
import resource
import subprocess
import sys

import advice_measure

TENSORS = (("uniform:dims=2000000x2000000,nnz=1500000", "spmv"), ("uniform:dims=2000000x400,nnz=3000000", "spmv"),
           ("power-law:dims=500000x500000,nnz=4000000,skew=0.8", "spmv"), ("stencil:grid=40x40x40,points=7,unknowns=4", "spmv"),
           ("stencil:grid=90x90x90,points=27", "spmv"), ("fb-m@0.01", "mttkrp"), ("nips@0.3", "mttkrp"))
UNITS = {"ns": 1e-6, "us": 1e-3, "ms": 1, "s": 1e3}
RUNS, FIXED_MS, ENTRY_MS, MB = 3, 50, 20e-6, 1e6


def milliseconds(words, what):
    found = re.search(r"%s ([0-9.]+) (ns|us|ms|s)\b" % what, words)
    return float(found[1]) * UNITS[found[2]]


def advise(build, path, kernel, out):
    """Milliseconds of reading and of the advice."""
    best = [1e9, 1e9]
    for _ in range(RUNS):
        done = subprocess.run([build + "/src/tools/tconv", path, "--format=auto", "--for=" + kernel, "--runs=1", "-o", out],
                              check=True, capture_output=True, text=True)
        words = done.stdout + done.stderr
        best = [min(best[0], milliseconds(words, "read")), min(best[1], milliseconds(words, "advice"))]
    return best


def peak_of(command):
    """Bytes that the largest of the commands so far had in memory: call it for small commands first."""
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024


def peak_apart(command):
    """The same for one command: a child measures its own children."""
    code = "import sys; sys.path.insert(0, %r); import advice_claims; print(advice_claims.peak_of(sys.argv[1:]))" % os.path.dirname(os.path.abspath(__file__))
    return int(subprocess.run([sys.executable, "-c", code, *command], check=True, capture_output=True, text=True).stdout)


def print_speed(folder, build):
    print("\nThe time of the advice on %d cores beside that of reading, ms. Wanted for HDF5: at most %d ms and %d ns an entry; for text: a third of reading.\n" % (
        len(os.sched_getaffinity(0)), FIXED_MS, ENTRY_MS * 1e6))
    print("| tensor | kernel | entries | HDF5: reading | advice | wanted | text: reading | advice | advice / reading | memory of tinfo, without the coordinates |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for tensor, kernel in TENSORS:
        path = advice_measure.tensor_file(folder, tensor, build)
        order = 2 if kernel == "spmv" else 3 + (tensor.startswith("nips"))
        text = os.path.join(folder, "tensors", "text" + (".mtx" if order == 2 else ".tns"))
        out = os.path.join(folder, "tensors", "advised.h5")
        subprocess.run([build + "/src/tools/tconv", path, "-o", text, "-q"], check=True)
        told = subprocess.run([build + "/src/tools/tinfo", path, "--brief", "--json"], check=True, capture_output=True, text=True).stdout
        nnz = json.loads(told)["tensors"][0]["stored"]
        read, took = advise(build, path, kernel, out)
        text_read, text_took = advise(build, text, kernel, out)
        peak = peak_apart([build + "/src/tools/tinfo", path, "--advise=" + kernel])
        print("| %s | %s | %.1f M | %.0f | %.0f | %.0f | %.0f | %.0f | %.2f | %.0f MB |" % (
            tensor, kernel, nnz / 1e6, read, took, FIXED_MS + ENTRY_MS * nnz, text_read, text_took, text_took / text_read,
            (peak - 4 * order * nnz) / MB))
        os.remove(text)
        os.remove(out)


def print_misses(build):
    done = subprocess.run([build + "/tests/unit/advise/test_sample"], env=dict(os.environ, SHOW="1"), capture_output=True, text=True)
    lines = (done.stdout + done.stderr).replace("[  MESSAGE ] ", "")
    rows = re.findall(r"^(.*) ([0-9.e+]+), (\d+) bytes stream: ([0-9.]+) exact ([0-9.]+), sequential ([0-9.]+)", lines, re.M)
    if done.returncode != 0 or not rows:
        sys.exit("advice_claims.py: test_sample failed")
    print("\nMisses for each of a million entries, from a sample and from an exact simulation of a cache, alone and with 16 bytes of other data for each entry. "
          "The test fails beyond .03.\n")
    print("| pattern | 512 kB: sample, exact | with a stream | 1 MB: sample, exact | with a stream |\n|---|---|---|---|---|")
    for name in dict.fromkeys(row[0] for row in rows):
        cells = ["%s, %s" % (row[3], row[4]) for row in rows if row[0] == name]
        print("| %s | %s |" % (name, " | ".join(cells)))
    print("\nThe largest difference is %.3f." % max(abs(float(row[3]) - float(row[4])) for row in rows))


def print_keys(cases):
    """The order of bits that the advisor proposes beside the fixed one of alto."""
    print("\nOrders of keys: the one that is predicted to be the best beside the fixed one, how much faster a run is.\n")
    print("| case | order | predicted | measured |\n|---|---|---|---|")
    right = total = 0
    for key, rows in cases.items():
        keys = [fmt for fmt in rows if fmt.startswith("keys(")]
        if key[3] != 1 or "alto" not in rows or not keys:
            continue
        best = min(keys, key=lambda fmt: rows[fmt]["predicted"])
        said, was = (rows["alto"][what] / rows[best][what] for what in ("predicted", "run"))
        total += 1
        right += (said > 1) == (was > 1) or .95 < was < 1.05
        print("| %s of %s | %s | %.2f | %.2f |" % (key[0], key[1], best, said, was))
    print("\nThe better one of the two was named, or they differ by less than 5%%, in %d of %d cases." % (right, total))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder")
    parser.add_argument("--build", default="build/release")
    args = parser.parse_args()
    print_speed(args.folder, args.build)
    print_misses(args.build)


if __name__ == "__main__":
    main()
