#!/usr/bin/env python3
"""Measures what the advisor is judged by: every format that it thinks worth a run, for the cases of bench/advice.cases.

    advice_measure.py FOLDER [--build build/release] [--prepare] [--seconds N] [--only TEXT] [--reps N]

Each case is one kernel on one generated tensor: tbench measures, in turns, coordinates, csr or csf, and the formats that `tinfo --advise`
predicts to take at most 2.5 times as long as the best, for one thread and for all. FOLDER keeps the records, one a case: a case that has
a record is not measured again, and --seconds stops before a case that would begin later, so a list can be measured in portions.
--prepare measures nothing: it makes the tensors and compiles the kernels, so that the portions measure only.
bench/advice.py reads the records."""
import argparse
import json
import os
import re
import subprocess
import sys
import time

FAR, MOST = 2.5, 12  # formats that are measured: at most this many times the best prediction, and at most this many


def cases(path, only):
    """Kernel ("mttkrp:1" is that of mode 1) and tensor, one case a line."""
    with open(path) as file:
        for line in file:
            words = line.split("#")[0].split()
            if words and (not only or only in " ".join(words)):
                for kernel in words[0].split(","):
                    yield kernel, words[1]


def name_of(kernel, tensor):
    return re.sub(r"[^A-Za-z0-9.-]+", "_", "%s-%s" % (kernel, tensor))


def tensor_file(folder, tensor, build):
    """The entries of the tensor as tbench reads them, in a file that is read fast."""
    path = os.path.join(folder, "tensors", re.sub(r"[^A-Za-z0-9.-]+", "_", tensor) + ".h5")
    if not os.path.exists(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        order = tensor.count("x") and len(re.search(r"(dims|grid)=([0-9x]+)", tensor).group(2).split("x")) if "dims=" in tensor else 2
        text = path + (".mtx" if order == 2 and ":" in tensor else ".tns")
        subprocess.run([build + "/bench/tbench", "gen", tensor, "--seed=1", "-o", text, "-q"], check=True)
        subprocess.run([build + "/src/tools/tconv", text, "--format=coo", "-o", path, "-q"], check=True)
        os.remove(text)
    return path


def advice(path, kernel, threads, build, more=()):
    """The rows of the advice, by format."""
    out = subprocess.run([build + "/src/tools/tinfo", path, "--advise=" + kernel, "--runs=1000000", "--threads=%d" % threads, "--json", *more],
                         check=True, capture_output=True, text=True).stdout
    return {row["format"]: row for row in json.loads(out)["rows"]}


def formats_of(path, kernel, threads, build):
    """The references, and the formats that are worth a measurement for one of these numbers of threads, the best ones first."""
    rank = {}
    for n in threads:
        rows = sorted(advice(path, kernel, n, build).values(), key=lambda row: row["run_ns"])
        for k, row in enumerate(rows):
            if row["run_ns"] <= FAR * rows[0]["run_ns"]:
                rank[row["format"]] = min(k, rank.get(row["format"], k))
    plain = {"csr", "csf:0,1,2", "csf:0,1,2,3", "csf", "alto"} & {row["format"] for row in rows}
    plain |= {next((row["format"] for row in rows if row["format"].startswith("keys(")), "coo")} - {"coo"}
    return ["coo"] + sorted(plain) + [fmt for fmt in sorted(rank, key=rank.get)[:MOST] if fmt != "coo" and fmt not in plain]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder")
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--cases", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "advice.cases"))
    parser.add_argument("--prepare", action="store_true")
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--only")
    parser.add_argument("--reps", type=int, default=5)
    args = parser.parse_args()
    threads = sorted({1, len(os.sched_getaffinity(0))})
    start, longest = time.time(), 0
    os.makedirs(args.folder, exist_ok=True)
    for kernel, tensor in cases(args.cases, args.only):
        record = os.path.join(args.folder, name_of(kernel, tensor) + ".json")
        plan = record + ".formats"
        if os.path.exists(record) or (args.prepare and os.path.exists(plan)):
            continue
        if time.time() - start + longest > args.seconds:
            break
        began = time.time()
        if not os.path.exists(plan):
            path = tensor_file(args.folder, tensor, args.build)
            joins = kernel == "spgemm"
            wanted = ["csr", "csc", "dcsr"] if joins else formats_of(path, kernel, threads, args.build)
        else:
            with open(plan) as file:
                wanted = file.read().split()
        base, _, mode = kernel.partition(":")
        order = [args.build + "/bench/tbench", base, tensor, "--format=" + ",".join(wanted), "-q", "--threads=" + ",".join(map(str, threads))]
        order += ["--modes=" + mode] if mode else []
        if args.prepare:
            subprocess.run(order + ["--quick", "--reps=1"], stdout=subprocess.DEVNULL)
            with open(plan, "w") as file:
                print("\n".join(wanted), file=file)
            continue
        done = subprocess.run(order + ["--quick", "--reps=%d" % args.reps, "--json=" + record + ".part"], stdout=subprocess.DEVNULL)
        if done.returncode == 0:
            os.rename(record + ".part", record)
        longest = max(longest, time.time() - began)
        print("%s: %.1f s" % (os.path.basename(record), time.time() - began), file=sys.stderr)


if __name__ == "__main__":
    main()
