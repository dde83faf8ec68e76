"""Several inputs of one conversion, against dicts of cells: parts of one tensor and tensors joined along a mode, of mixed kinds of files;
in memory, in buckets, by threads, by shards in any sequence, with the same bytes; names of rows; refusals.

    several.py [FIRST LAST]

A round depends on its number alone."""
import gzip
import os
import random
import shutil
import sys

from checks import case_runs, content, end, expect, own_folder, read_tns, run, write_tns

KINDS = {2: ["tns", "plain", "tns.gz", "mtx", "csr.h5", "csc.h5", "coo.h5", "dense.h5", "npz", "ell.h5", "mtx.gz"],
         3: ["tns", "plain", "tns.gz", "csf.h5", "coo.h5", "csf:2,0,1.h5", "dss.h5", "ddd.h5"]}


def make(path, kind, dims, entries):
    """A file of this kind; what its dims are known to be."""
    write_tns("one.tns", dims, entries)
    if kind == "plain":
        with open("one.tns") as f, open(path, "w") as out:
            out.writelines(line for k, line in enumerate(f) if k > 2)
        return [max((cell[m] + 1 for cell in entries), default=0) for m in range(len(dims))]
    name, _, suffix = kind.rpartition(".")
    if kind == "tns":
        shutil.copy("one.tns", path)
    elif kind == "tns.gz":
        with open("one.tns", "rb") as f, gzip.open(path, "wb") as out:
            out.write(f.read())
    else:
        got, _, said = run("tconv", "-q", "one.tns", *(["--format=" + name] if suffix == "h5" else []), "-o", path)
        expect("made " + path, got == 0, said)
    return dims


def round_(number):
    rng = random.Random(number)
    order = rng.choice([2, 2, 3])
    along = rng.choice([None, None] + list(range(order)))
    common = [rng.randint(1, 30) for _ in range(order)]
    paths, cells, whole = [], {}, [0] * order
    for k in range(rng.randint(2, 6)):
        dims = list(common)
        for m in range(order):
            if m == along or (along is None and rng.random() < 0.3):
                dims[m] = rng.randint(1, 30)
        entries = {tuple(rng.randrange(d) for d in dims): rng.randint(1, 9) for _ in range(rng.choice([0, 5, 40, 200]))}
        kind = rng.choice(KINDS[order] if entries else ["tns", "coo.h5"])
        paths.append("%d-in.%s" % (k, "tns" if kind == "plain" else kind.replace(":", "").replace(",", "")))
        dims = make(paths[-1], kind, dims, entries)
        first = [whole[m] if m == along else 0 for m in range(order)]
        for cell, value in entries.items():
            at = tuple(c + f for c, f in zip(cell, first))
            cells[at] = cells.get(at, 0) + value
        whole = [whole[m] + d if m == along else max(whole[m], d) for m, d in enumerate(dims)]
    formats = ["csr", "csc", "coo", "ell"] if order == 2 else ["csf", "coo", "dss:2,0,1"]
    how = ["--format=" + rng.choice(formats), "--type=f64"] + (["--along=%d" % along] if along is not None else [])
    what = "round %d: tconv %s %s" % (number, " ".join(paths), " ".join(how))
    got, _, said = run("tconv", "-q", *paths, *how, "-o", "want.h5")
    expect(what, got == 0, said)
    run("tconv", "-q", "want.h5", "-o", "back.tns", "--header=extended")
    expect(what, read_tns("back.tns") == (whole, cells), "other cells")
    want = content("want.h5")
    nshards = rng.randint(1, 5)
    shards = ["--shard=%d/%d" % (i, nshards) for i in rng.sample(range(nshards), nshards)]
    for bucket, options in (("20", [["-j1"]]), ("50", [["-j3"]]), (rng.choice(["", "70"]), [[s, "-j%d" % rng.choice([1, 3])] for s in shards] + [["--join"]])):
        os.environ["TSR_STREAM_BUCKET"] = bucket
        for more in options:
            got, _, said = run("tconv", "-q", *paths, *how, *more, "-o", "got.h5")
            expect(what + " " + " ".join(more), got == 0, said)
        del os.environ["TSR_STREAM_BUCKET"]
        expect(what + " %s" % options, content("got.h5") == want, "other bytes with buckets of " + bucket)
        os.remove("got.h5")
    for path in paths + ["want.h5"]:
        os.remove(path)


def values():
    """Types of values, triangles, names, the format that stays."""
    def text(path, lines):
        with open(path, "w") as f:
            f.write(lines)
    text("whole.tns", "1 1 2\n2 2 3\n")
    text("real.tns", "1 2 .5\n")
    run("tconv", "-q", "whole.tns", "real.tns", "-o", "both.tns")
    with open("both.tns") as f:
        expect("integers and reals", f.read().split() == "1 1 2.0 2 2 3.0 1 2 0.5".split(), "other values")
    lower = "%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n2 1 4\n3 3 5\n"
    text("lower.mtx", lower)
    text("general.mtx", "%%MatrixMarket matrix coordinate integer general\n3 3 1\n1 3 7\n")
    run("tconv", "-q", "lower.mtx", "general.mtx", "-o", "sum.tns")
    with open("sum.tns") as f:
        expect("a triangle and a general matrix", sorted(f.read().splitlines()) == ["1 2 4", "1 3 7", "2 1 4", "3 3 5"], "other cells")
    run("tconv", "-q", "lower.mtx", "lower.mtx", "--format=coo", "-o", "twice.mtx")
    with open("twice.mtx") as f:
        expect("two triangles", sorted(f.read().splitlines()[-4:]) == ["1 2 8", "2 1 8", "3 3 10", "3 3 3"], "other cells")
    for mode, options in ((0, ["--type=f32"]), (1, [])):
        run("tconv", "-q", "general.mtx", *options, "--format=csr", "-o", "a.h5")
        got, _, said = run("tconv", "a.h5", "a.h5", "--along=%d" % mode, "-o", "b.h5")
        expect("the format stays", "(csr)" in said and got == 0 and ("6 x 3" if mode == 0 else "3 x 6") in said, said)
    text("names.txt", "x\ny\nz\n")
    text("more.txt", "u\nv\nw\n")
    for names, out in (("names", "n.h5ad"), ("more", "m.h5ad")):
        run("tconv", "-q", "general.mtx", "--names=%s.txt:0" % names, "--names=names.txt:1", "-o", out)
    got, _, said = run("tconv", "-q", "n.h5ad", "m.h5ad", "--along=0", "--labels=l", "-o", "nm.h5ad")
    with open("l.0.map") as rows, open("l.1.map") as columns:
        expect("names along a mode", (rows.read(), columns.read()) == ("x\ny\nz\nu\nv\nw\n", "x\ny\nz\n"), said)


def refusals():
    with open("a.tns", "w") as f:
        f.write("1 1 1\n")
    with open("three.tns", "w") as f:
        f.write("1 1 1 1\n")
    with open("bad.tns", "w") as f:
        f.write("1 1 1\n1 x 1\n")
    for words, said in (
            (["a.tns", "three.tns"], "three.tns: the file has 3 modes, and a.tns has 2"),
            (["a.tns", "n.h5ad"], "n.h5ad: the names of mode 0 differ from those of a.tns"),
            (["n.h5ad", "m.h5ad"], "m.h5ad: the names of mode 0 differ"),
            (["lower.mtx", "a.h5", "--type=f64", "--along=2"], "mode 2 does not exist"),
            (["a.tns", "bad.tns"], "bad.tns:2:3: expected an index"),
            (["a.tns", "-"], "- cannot be one of them"),
            (["a.tns", "--along=0"], "name two or more files"),
            (["a.tns", "absent.tns"], "absent.tns: cannot open"),
            (["a.tns", "a.tns", "--rows=0"], "--rows and --cols read a part of one file"),
            (["a.tns", "out.h5"], "out.h5"),
    ):
        got, _, found = run("tconv", *words, "-o", "out.h5")
        expect("tconv " + " ".join(words), got in (1, 2, 3) and said in found and not os.path.exists("out.h5"), found)


first, last = (int(word) for word in sys.argv[1:3]) if len(sys.argv) > 2 else (0, 25)
own_folder()
for k in range(first, last):
    if case_runs(k):
        round_(k)
values()
refusals()
end(least=200)
