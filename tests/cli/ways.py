"""Each option of tconv in each way of working: with little memory, in shards, over ranks. The output has the bytes of a single process in
memory, or the option is refused in words (exit code 2). An option of `tconv --help` that has no row here fails the test."""
import os
import re
import shutil
import subprocess

from checks import case_runs, complain, content, end, own_folder

own_folder()
alone = {k: v for k, v in os.environ.items() if not k.startswith(("OMPI_", "PMI"))}
files = {
    # without a newline at the end: shards and ranks lost all entries of such a file if it was shorter than 16 kB
    "t.tns": "1 1 2 1.5\n2 2 2 5\n3 1 4 2\n2 2 2 0.25\n4 3 1 7",
    "zero.tns": "0 0 1 1\n1 1 1 5\n2 0 3 2\n",
    "none.tns": "1 1 2\n2 2 2\n3 1 4\n",
    "m.mtx": "%%MatrixMarket matrix coordinate real general\n4 5 6\n1 1 1.5\n2 5 2\n4 1 3\n3 3 4\n1 4 5\n4 5 6\n",
    # sums of a row differ in their last bits with the order of the additions
    "sym.mtx": "%%MatrixMarket matrix coordinate real symmetric\n40 40 120\n" + "".join(
        "%d %d %.17g\n" % (i, j, 1 / (3 * i + 7 * j)) for i in range(1, 41) for j in range(max(1, i - 3), i + 1))[:-1] + "\n",
    "her.mtx": "%%MatrixMarket matrix coordinate complex hermitian\n3 3 4\n1 1 1 0\n2 1 0.1 0.2\n3 1 0.3 0.7\n3 2 1e9 0.1\n",
    "c.csv": "row,col,val\n0,1,1.5\n2,0,2.5\n1,1,3.5\n",
    "semi.csv": "a;x;1\nb;y;2\na;y;4\n",
    "names.0": "r0\nr1\nr2\nr3\n",
    "order": "2\n0\n3\n1\n",
    "p.tns": "1 1 1 1\n1 2 2 2\n",
}
nsym = sum(1 for i in range(1, 41) for j in range(max(1, i - 3), i + 1))
files["sym.mtx"] = files["sym.mtx"].replace("40 40 120", "40 40 %d" % nsym)
for name, text in files.items():
    with open(name, "w") as f:
        f.write(text)
subprocess.run(["tconv", "m.mtx", "-q", "--format=csr", "--index=64", "-o", "wide.h5"], check=True, env=alone)
subprocess.run(["tconv", "m.mtx", "-q", "--format=csc", "-o", "m.mat"], check=True, env=alone)
subprocess.run(["tconv", "semi.csv", "-q", "--relabel", "--separator=semicolon", "-o", "named.h5"], check=True, env=alone)

# option: its cases, each an input, options, and the name of the output
table = {
    "output": [("t.tns", ["--format=csf"], "o.h5"), ("t.tns", ["--format=csf"], "o.tns"), ("m.mtx", [], "o.npz"), ("m.mtx", [], "o.mat"),
               ("wide.h5", [], "o.h5"), ("wide.h5", [], "o.mat"), ("wide.h5", [], "o.npz"), ("m.mat", [], "o.h5"), ("c.csv", [], "o.mtx")],
    "no-clobber": [("t.tns", ["--no-clobber", "--format=csf"], "o.h5")],
    "from": [("t.tns", ["--from=tns", "--format=csf"], "o.h5")],
    "to": [("t.tns", ["--to=binsparse", "--format=csf"], "o.bin")],
    "format": [("t.tns", ["--format=" + f], "o.h5") for f in ("csf", "coo", "dss:2,0,1", "hicoo(2)", "alto", "dense")]
              + [("m.mtx", ["--format=" + f], "o.h5") for f in ("csc", "bcsr(2,2)", "dia", "ell", "dcsr")],
    "index": [("t.tns", ["--index=" + i, "--format=csf"], "o.h5") for i in ("8", "16", "32", "64", "narrow", "auto")],
    "deflate": [("t.tns", ["--deflate=3", "--format=csf"], "o.h5")],
    "labels": [("m.mtx", ["--labels=L"], "o.h5"), ("named.h5", ["--labels=L"], "o.h5"), ("semi.csv", ["--relabel", "--labels=L"], "o.h5")],
    "keep-symmetry": [("sym.mtx", ["--keep-symmetry", "--format=csr"], "o.h5"), ("her.mtx", ["--keep-symmetry"], "o.mtx")],
    "type": [("t.tns", ["--type=f32", "--format=csf"], "o.h5"), ("m.mtx", ["--type=i8"], "o.mtx")],
    "dims": [("t.tns", ["--dims=5,6,7", "--format=csf"], "o.h5"), ("t.tns", ["--dims=5,2,7", "--format=csf"], "o.h5")],
    "names": [("m.mtx", ["--names=names.0:0"], "o.h5"), ("m.mtx", ["--names=names.0:0", "--labels=L", "--format=csr"], "o.h5")],
    "rows": [("wide.h5", ["--rows=2,0:2"], "o.h5"), ("t.tns", ["--rows=-1,0", "--format=csf"], "o.h5")],
    "cols": [("m.mtx", ["--cols=::-1", "--format=csr"], "o.h5")],
    "chunks": [("m.mtx", ["--format=csr", "--chunks=rows:2"], "o.zarr.zip"), ("t.tns", ["--format=csf", "--deflate=1", "--chunks=rows:1"], "o.h5")],
    "repair": [("m.mat", ["--repair", "--format=csr"], "o.h5")],
    "duplicates": [("t.tns", ["--duplicates=" + d, "--format=" + f], "o.h5") for d in ("sum", "first", "last", "keep", "error")
                   for f in ("csf", "coo") if d != "keep" or f == "coo"],
    "index-base": [("zero.tns", ["--index-base=0", "--format=csf"], "o.h5"), ("zero.tns", ["--index-base=0,0", "--format=csf"], "o.tns")],
    "mat-version": [("m.mtx", ["--mat-version=" + v], "o.mat") for v in ("5", "7", "7.3", "auto")],
    "zarr-version": [("m.mtx", ["--zarr-version=" + v, "--format=csr"], "o.zarr.zip") for v in "23"],
    "zarr-shards": [("m.mtx", ["--zarr-shards=2", "--format=csc"], "o.zarr.zip"), ("t.tns", ["--zarr-shards=1", "--format=csf"], "o.bsp.zarr.zip")],
    "columns": [("c.csv", ["--columns=col,row,val", "--format=csr"], "o.h5")],
    "separator": [("semi.csv", ["--separator=semicolon", "--relabel", "--format=csr"], "o.h5")],
    "relabel": [("semi.csv", ["--relabel", "--format=csr"], "o.h5"), ("semi.csv", ["--relabel=joint", "--format=csr"], "o.h5")],
    "no-values": [("none.tns", ["--no-values", "--format=csf"], "o.h5")],
    "header": [("t.tns", ["--header=" + h, "--format=csf"], "o.tns") for h in ("none", "extended", "parti", "auto")],
    "transpose": [("t.tns", ["--transpose=2,0,1", "--format=csf"], "o.h5"), ("wide.h5", ["--transpose=1,0"], "o.h5")],
    "slice": [("t.tns", ["--slice=1:,:,2:4", "--format=csf"], "o.h5")],
    "reverse": [("t.tns", ["--reverse=1", "--format=csf"], "o.h5")],
    "pad": [("t.tns", ["--pad=1:2", "--format=csf"], "o.h5")],
    "reshape": [("t.tns", ["--reshape=12,-1", "--format=csr"], "o.h5")],
    "unfold": [("t.tns", ["--unfold=1", "--format=csr"], "o.h5"), ("t.tns", ["--unfold=1", "--format=ell:1,0"], "o.h5")],
    "reduce": [("t.tns", ["--reduce=sum:0", "--format=csr"], "o.h5"), ("t.tns", ["--reduce=max:1", "--format=csr"], "o.h5"),
               ("sym.mtx", ["--reduce=sum:0"], "o.h5"), ("sym.mtx", ["--reduce=sum:1"], "o.tns"), ("sym.mtx", ["--reduce=sum"], "o.tns"),
               ("her.mtx", ["--reduce=sum:0"], "o.h5")],
    "permute-by": [("m.mtx", ["--permute-by=order:0", "--format=csr"], "o.h5")],
    "concat": [("t.tns", ["--dims=4,3,4", "--concat=t.tns,0", "--format=csf"], "o.h5"), ("p.tns", ["--concat=p.tns,1", "--format=csf"], "o.h5")],
    "map": [("t.tns", ["--map=(d0, d1, d2) -> (d2, d0), domain: d0 in [0, 3], d1 in [0, 2], d2 in [0, 3]", "--format=csr"], "o.h5")],
    "for": [("m.mtx", ["--format=auto", "--for=spmv"], "o.h5")],
    "runs": [("m.mtx", ["--format=auto", "--for=spmv", "--runs=10"], "o.h5")],
    "budget": [("m.mtx", ["--format=auto", "--for=spmv", "--budget=4"], "o.h5")],
    "rank": [("m.mtx", ["--format=auto", "--for=spmm", "--rank=8"], "o.h5")],
    "verbose": [("t.tns", ["--verbose", "--format=csf"], "o.h5")],
    "along": [("t.tns", ["t.tns", "--along=0", "--format=csf"], "o.h5"), ("p.tns", ["p.tns", "p.tns", "--along=1", "--format=csf"], "o.h5")],
    "verify": [("t.tns", ["--verify", "--format=csf"], "o.h5")],
    "temp": [("t.tns", ["--temp=.", "--format=csf"], "o.h5")],
    "threads": [("t.tns", ["--threads=3", "--format=csf"], "o.h5")],
    "progress": [("t.tns", ["--progress=never", "--format=csf"], "o.h5")],
    "measure": [], # chooses by measured times, which differ from run to run
    "quiet": [], # in every case
}
# options that are a way themselves, that stop at once, or that say how the report looks
others = set("dry-run list-codecs list-formats memory resume shard join json help version".split())


def run(args, **env):
    p = subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(alone, **env), timeout=120)
    return p.returncode, p.stderr


def in_memory(source, args, out):
    return run(["tconv", source, "-q", "-o", out] + args)


def with_little_memory(source, args, out):
    # TSR_STREAM_BUCKET: small buckets through temporary files, as without memory
    return run(["tconv", source, "-q", "-o", out, "--memory=64M"] + args, TSR_STREAM_BUCKET="2")


def in_shards(source, args, out):
    for i in range(2):
        code, said = run(["tconv", source, "-q", "-o", out, "--shard=%d/2" % i] + args)
        if code:
            return code, said
    return run(["tconv", source, "-q", "-o", out, "--join"] + args)


ways = {"--memory": with_little_memory, "--shard": in_shards}
if shutil.which("mpirun"):
    try:
        import under_mpi

        def over_ranks(source, args, out):
            code, _, said = under_mpi.run(2, ["tconv", source, "-q", "-o", out] + args)
            return code, said

        ways["mpirun"] = over_ranks
    except SystemExit:
        pass


def made(folder):
    """What a run left: names and bytes."""
    return {name: content(name) for name in sorted(os.listdir(".")) if name not in before}


def clean():
    for name in set(os.listdir(".")) - before:
        shutil.rmtree(name) if os.path.isdir(name) else os.unlink(name)


def check(option, source, args, out):
    code, said = in_memory(source, args, out)
    want = made(".")
    clean()
    for way, go in ways.items():
        got, words = go(source, args, out)
        left = made(".") if not [n for n in os.listdir(".") if os.path.isdir(n)] else None
        clean()
        case = "%s %s -o %s, %s" % (source, " ".join(args), out, way)
        if got == 2 and code == 0:
            if not words.startswith("tconv: ") or left:
                complain("%s: refused without words, or with files left: %s" % (case, words))
        elif (got == 0) != (code == 0):
            complain("%s: exit %d, %s; in memory: exit %d, %s" % (case, got, words, code, said))
        elif code == 0 and left != want:
            complain("%s: other bytes than in memory (%s; in memory %s)" % (case, sorted(left or ["a folder"]), sorted(want)))


before = set(os.listdir("."))
inputs = {name: content(name) for name in before}
known = set(re.findall(r"^ +(?:-\w, )?--([a-z-]+)", subprocess.run(["tconv", "--help"], stdout=subprocess.PIPE, text=True, check=True).stdout, re.M))
for option in sorted(known - set(table) - others):
    complain("--%s has no row in this test" % option)
for option in sorted((set(table) | others) - known):
    complain("--%s: tconv does not have this option" % option)
every_case = [(option, *case) for option, cases in table.items() for case in cases]
for number, (option, source, args, out) in enumerate(every_case):
    if case_runs(number):
        check(option, source, args, out)
        for name in before:  # no way of working writes to an input
            if content(name) != inputs[name]:
                complain("%s: %s %s changed the input %s" % (option, source, " ".join(args), name))
end()
