#!/usr/bin/env python3
"""larger.py [STEP...]: how fast tensors larger than memory are converted, beside the disk and beside other programs.

Steps (default: all that this machine has the programs for):
    memory  --small entries, with the limit and without: the ratio of the times, and whether the files are equal
    peers   the same input by `sort -S LIMIT` and by DuckDB with this limit, each followed by tconv in memory on what they sorted
    large   10 times the limit as coordinates (or --large entries), with the limit: the share of the time that the disk needs for the bytes that were read and written, whose
            speed dd measures with O_DIRECT before and after
Inputs are made once, in --folder, by tbench gen: sorted by the first mode, and converted to csf:2,1,0, so that they must be sorted. The
resident size is sampled every 10 ms, of all processes of a command."""
import argparse
import filecmp
import os
import re
import shutil
import subprocess
import sys
import time

FORMAT = "csf:2,1,0"
ENTRY_NBYTES = 3 * 4 + 8  # as coordinates: indices of 4 bytes, a value of 8
DUCKDB = """import { DuckDBInstance } from '@duckdb/node-api';
const [input, output, limit, threads] = process.argv.slice(2);
const i = await DuckDBInstance.create(':memory:', {memory_limit: limit, threads, temp_directory: output + '.tmp', preserve_insertion_order: 'false'});
const c = await i.connect();
await c.run(`COPY (SELECT * FROM read_csv('${input}', delim=' ', header=false, columns={'a':'UINTEGER','b':'UINTEGER','c':'UINTEGER','v':'INTEGER'})
  ORDER BY c, b, a) TO '${output}' (DELIMITER ' ', HEADER false)`);
"""


def sample(pid):
    """Resident bytes, bytes read and written so far."""
    try:
        with open("/proc/%d/statm" % pid) as f:
            resident = int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        with open("/proc/%d/io" % pid) as f:
            io = dict(line.split(": ") for line in f)
        return resident, int(io["rchar"]), int(io["wchar"])
    except (OSError, IndexError, ValueError):
        return None  # it has ended


def run(command, **how):
    """Seconds, largest resident bytes, bytes read and written of a command, which must succeed."""
    begin = time.monotonic()
    process = subprocess.Popen(command, **how)
    top = (0, 0, 0)
    while process.poll() is None:
        now = sample(process.pid)
        if now:
            top = tuple(map(max, top, now))
        time.sleep(0.01)
    seconds = time.monotonic() - begin
    if process.returncode:
        sys.exit("%s: exit %d" % (" ".join(command), process.returncode))
    return seconds, *top


def say(what, seconds, resident=None, more=""):
    print("%-44s %7.2f s%s%s" % (what, seconds, "" if resident is None else ", resident %d MB" % (resident / 1e6), more), flush=True)


def bytes_of(text):
    number, unit = re.fullmatch(r"(\d+)([KMGT]?)", text).groups()
    return int(number) << {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}[unit]


def disk():
    """Bytes per second that the disk writes and reads, or None where it has no O_DIRECT."""
    rates = []
    for command in (["if=/dev/zero", "of=dd.tmp", "oflag=direct", "count=250"], ["if=dd.tmp", "of=/dev/null", "iflag=direct"]):
        begin = time.monotonic()
        if subprocess.run(["dd", "bs=4M"] + command, stderr=subprocess.DEVNULL).returncode:
            return None
        rates.append(250 * (4 << 20) / (time.monotonic() - begin))
    os.remove("dd.tmp")
    print("disk: %.2f GB/s written, %.2f GB/s read (dd, O_DIRECT)" % (rates[0] / 1e9, rates[1] / 1e9), flush=True)
    return rates


class Bench:
    def __init__(self, options):
        self.o = options
        self.limit = ["--memory=" + options.memory]

    def make(self, nnz):
        name = "larger-%d.tns" % nnz
        if not os.path.exists(name):
            print("%s is made" % name, flush=True)
            dims = "uniform:dims=500000x300000x20000,nnz=%d,values=count" % nnz
            subprocess.run([self.o.tbench, "gen", dims, "-q", "-o", "new-" + name], check=True)
            os.rename("new-" + name, name)
            os.sync()
        return name

    def pack(self, source, out, *more):
        return run([self.o.tconv, source, "-f", FORMAT, "-q", "-o", out, *more])

    def check_limit(self, resident):
        limit = bytes_of(self.o.memory)
        return ", limit %d MB%s" % (limit / 1e6, "" if resident <= limit else ": NOT KEPT")

    def memory(self):
        source = self.make(self.o.small)
        best = {}
        for _ in range(self.o.runs):
            for name, more in (("in memory", []), ("with the limit", self.limit)):
                seconds, resident, _, _ = self.pack(source, "limit.h5" if more else "whole.h5", *more)
                best[name] = min(best.get(name, (seconds, resident)), (seconds, resident))
        for name, (seconds, resident) in best.items():
            say("tconv " + name, seconds, resident, self.check_limit(resident) if name != "in memory" else "")
        same = filecmp.cmp("whole.h5", "limit.h5", shallow=False)
        print("ratio %.2f (bar: 2.2), %s" % (best["with the limit"][0] / best["in memory"][0], "same bytes" if same else "OTHER BYTES"))
        os.remove("whole.h5")
        os.remove("limit.h5")
        return same

    def then_pack(self, name, seconds, resident, ours):
        packing, _, _, _ = self.pack("sorted.tns", "peer.h5")
        say("%s, tconv in memory" % name, seconds + packing, resident, ": %.1f times the time of tconv (bar: 4)" % ((seconds + packing) / ours))
        os.remove("sorted.tns")
        os.remove("peer.h5")

    def peers(self):
        source = self.make(self.o.small)
        ours, resident, _, _ = min(self.pack(source, "limit.h5", *self.limit) for _ in range(self.o.runs))
        say("tconv with the limit", ours, resident)
        os.remove("limit.h5")
        threads = str(len(os.sched_getaffinity(0)))
        keys = ["-k3,3n", "-k2,2n", "-k1,1n"]
        command = ["sort", "-S", self.o.memory, "--parallel=" + threads, "-T", ".", "-o", "sorted.tns", *keys, source]
        self.then_pack("sort", *run(command, env=dict(os.environ, LC_ALL="C"))[:2], ours)
        modules = os.path.join(self.o.duckdb or "", "node_modules")
        if not self.o.duckdb or not os.path.isdir(modules) or not shutil.which("node"):
            print("DuckDB: not measured (npm install @duckdb/node-api in a folder, --duckdb=FOLDER)")
            return True
        script = os.path.join(self.o.duckdb, "larger.mjs")
        with open(script, "w", encoding="ascii") as f:
            f.write(DUCKDB)
        here = os.getcwd()
        command = ["node", script, here + "/" + source, here + "/sorted.tns", self.o.memory + "B", threads]
        self.then_pack("DuckDB", *run(command)[:2], ours)
        return True

    def large(self):
        source = self.make(self.o.large)
        before = disk()
        seconds, resident, read, written = self.pack(source, "large.h5", *self.limit)
        os.remove("large.h5")
        after = disk() if before else None
        more = ", read %.2f GB, written %.2f GB" % (read / 1e9, written / 1e9)
        say("tconv, %d M entries" % (self.o.large // 1000000), seconds, resident, self.check_limit(resident) + more)
        if before and after:
            write, fetch = ((a + b) / 2 for a, b in zip(before, after))
            needs = read / fetch + written / write
            print("the disk needs %.2f s for these bytes: %.0f%% of the time (bar: 60%%)" % (needs, 100 * needs / seconds))
        else:
            print("the speed of the disk was not measured: no O_DIRECT in this folder")
        return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", nargs="*", help="memory, peers, large")
    parser.add_argument("--tconv", default="tconv")
    parser.add_argument("--tbench", default="tbench")
    parser.add_argument("--folder", default=".")
    parser.add_argument("--memory", default="200M")
    parser.add_argument("--small", type=int, default=20000000)
    parser.add_argument("--large", type=int)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--duckdb")
    options = parser.parse_args()
    options.large = options.large or 10 * bytes_of(options.memory) // ENTRY_NBYTES
    options.duckdb = options.duckdb and os.path.abspath(options.duckdb)
    for name in ("tconv", "tbench"):
        setattr(options, name, shutil.which(getattr(options, name)) or sys.exit("%s is not there: use --%s=PATH" % (name, name)))
        setattr(options, name, os.path.abspath(getattr(options, name)))
    os.makedirs(options.folder, exist_ok=True)
    os.chdir(options.folder)
    bench = Bench(options)
    steps = {"memory": bench.memory, "peers": bench.peers, "large": bench.large}
    if not set(options.step) <= set(steps):
        sys.exit("the steps are memory, peers and large")
    sys.exit(0 if all([steps[name]() for name in options.step or steps]) else 1)


main()
