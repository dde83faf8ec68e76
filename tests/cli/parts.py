"""Parts of files by --rows and --cols, against lists of entries: every kind of file, random lists, names of rows, files cut by
--chunks. Parts of which a file stores all in one place are read although the rest of the file is damaged.

    parts.py [FIRST LAST]

A round depends on its number alone."""
import glob
import os
import random
import shutil
import sys

from checks import case_runs, end, expect, own_folder, read_tns, run, write_tns

try:
    import h5py
except ImportError:
    h5py = None # the damage of HDF5 files is left out


def random_list(rng, n):
    """The text of a list of coordinates, and what it means."""
    texts, wanted = [], []
    for _ in range(rng.randint(1, 3)):
        if rng.random() < 0.5 and n > 0:
            i = rng.randrange(-n, n)
            texts.append("%d" % i)
            wanted.append(range(n)[i])
        else:
            bounds = [rng.randint(-n - 2, n + 2) if rng.random() < 0.7 else None for _ in range(2)]
            step = rng.choice([None, None, 1, 2, 3, -1, -2])
            parts = bounds if step is None else bounds + [step]
            texts.append(":".join("" if x is None else "%d" % x for x in parts))
            wanted += range(n)[slice(*bounds, step)]
    return ",".join(texts), wanted


def part_of(entries, mode, wanted):
    return {cell[:mode] + (k,) + cell[mode + 1:]: value for cell, value in entries.items()
            for k, c in enumerate(wanted) if c == cell[mode]}


def make(name, *options):
    got, _, said = run("tconv", "-q", "all.tns", *options, "-o", name)
    expect("made " + name, got == 0, said)
    return name


def round_(number):
    rng = random.Random(number)
    order = rng.choice([2, 2, 3])
    dims = [rng.randint(1, 30) for _ in range(order)]
    entries = {tuple(rng.randrange(d) for d in dims): rng.randint(1, 9) for _ in range(rng.choice([0, 5, 40, 200]))}
    write_tns("all.tns", dims, entries)
    formats = ["csr", "csc", "coo", "dcsr", "dense", "bcsr(2,3)"] if order == 2 else ["csf", "csf:2,0,1", "dss", "dsd:1,0,2"]
    cut = "--chunks=rows:%d" % rng.randint(1, 9)
    files = ["all.tns"]
    for k, form in enumerate(formats):
        files.append(make("%d.h5" % k, "--format=" + form))
        files.append(make("d%d.h5" % k, "--format=" + form, "--deflate=1", cut))
    if order == 2:
        files += [make("x.h5ad"), make("y.h5ad", "--format=csc", "--deflate=2", cut), make("x.mtx"), make("x.npz")]
        files += [make("x.zarr"), make("y.zarr", cut, "--zarr-version=3")]
    for path in files:
        options, want, shape = [], entries, list(dims)
        for mode, name in (0, "rows"), (1, "cols"):
            if rng.random() < 0.7:
                text, wanted = random_list(rng, dims[mode])
                options.append("--%s=%s" % (name, text))
                want = part_of(want, mode, wanted)
                shape[mode] = len(wanted)
        got, _, said = run("tconv", "-q", path, *options, "--header=extended", "--type=i64", "-o", "part.tns")
        what = "round %d: %s %s" % (number, path, " ".join(options))
        expect(what, got == 0, said)
        if got == 0:
            found = read_tns("part.tns")
            expect(what, found == (shape, want), "%s, not %s" % (found, (shape, want)))
    for path in files + ["part.tns"]:
        if os.path.isdir(path):
            shutil.rmtree(path)
        elif os.path.exists(path):
            os.remove(path)


def damaged():
    """Of 4,000 rows with 10 entries each, in chunks of 100 rows, the last ones are damaged: the first ones are read."""
    write_tns("all.tns", [4000, 50], {(i, (7 * i + 5 * k) % 50): (i * k) % 97 + 1 for i in range(4000) for k in range(10)})
    make("m.h5ad", "--deflate=1", "--chunks=rows:100")
    make("m.h5", "--format=csr", "--deflate=1", "--chunks=rows:100")
    make("m.zarr", "--chunks=rows:100")
    make("rows.tns", "--rows=250:252,3,1,250", "--header=extended")
    paths = ["m.zarr"]
    for path, group, arrays in ("m.h5ad", "X", ["data", "indices"]), ("m.h5", "/", ["values", "indices_1"]):
        if h5py is None:
            continue
        paths.append(path)
        with h5py.File(path, "r") as f:
            places = [f[group][a].id.get_chunk_info(k).byte_offset for a in arrays for k in (3, 38)]
        with open(path, "r+b") as f:
            for at in places:
                f.seek(at + 8)
                f.write(b"damaged")
    for name in "data", "indices":
        for chunk in sorted(glob.glob("m.zarr/X/%s/[0-9]*" % name))[-3:]:
            with open(chunk, "wb") as f:
                f.write(b"damaged")
    for path in paths:
        expect(path + " is damaged", run("tconv", "-q", path, "-o", "whole.tns")[0] != 0)
        got, _, said = run("tconv", "-q", path, "--rows=250:252,3,1,250", "--header=extended", "-o", "part.tns")
        expect("rows of " + path, got == 0, said)
        expect("rows of " + path, got == 0 and read_tns("part.tns") == read_tns("rows.tns"))
        got, _, said = run("tconv", "-q", path, "--rows=0,310,950", "-o", "part.tns")
        expect("a damaged row of " + path, got == 1 and "data" in said or "indices" in said or "values" in said, said)


def filters():
    """Rows of arrays in chunks with any filters, of other types and byte orders, behind a user block; rows in several chunks, several
    rows in one, and the last chunk, which is longer than its values."""
    if h5py is None:
        return
    rng = random.Random(4)
    rows = [sorted(rng.sample(range(50), rng.choice([0, 0, 3, 20, 50]))) for _ in range(300)]
    crd = [c for row in rows for c in row]
    ends = [sum(map(len, rows[:i])) for i in range(301)]
    ways = [dict(), dict(compression="gzip"), dict(compression="gzip", shuffle=True), dict(shuffle=True), dict(fletcher32=True),
            dict(compression="gzip", shuffle=True, fletcher32=True), dict(compression="lzf")]
    for number, way in enumerate(ways * 2):
        options = dict(userblock_size=512) if number % 2 else {}
        types = rng.choice(["<i4", "<i8", ">i4"]), rng.choice(["<f8", "<f4", ">f8"])
        with h5py.File("f.h5ad", "w", **options) as f:
            f.attrs.update({"encoding-type": "anndata", "encoding-version": "0.1.0"})
            x = f.create_group("X")
            x.attrs.update({"encoding-type": "csr_matrix", "encoding-version": "0.1.0", "shape": [300, 50]})
            for name, values, stored in ("indices", crd, types[0]), ("data", range(1, len(crd) + 1), types[1]), ("indptr", ends, "<i4"):
                x.create_dataset(name, data=list(values), dtype=stored, chunks=(min(len(values), rng.choice([1, 7, 64, 1000])),), **way)
        wanted = rng.sample(range(300), 40)
        got, _, said = run("tconv", "-q", "f.h5ad", "--rows=" + ",".join(map(str, wanted)), "--threads=%d" % (1 + number % 3), "--type=i64",
                           "--header=extended", "-o", "part.tns")
        what = "rows in chunks: %s %s %s" % (way, options, types)
        want = {(k, c): ends[i] + n + 1 for k, i in enumerate(wanted) for n, c in enumerate(rows[i])}
        expect(what, got == 0, said)
        expect(what, got == 0 and read_tns("part.tns") == ([40, 50], want))


def names():
    """Names go along with their rows and columns."""
    write_tns("all.tns", [4, 3], {(i, j): 1 + i + 4 * j for i in range(4) for j in range(3) if i != j})
    for mode, words in ("0", "a b c d"), ("1", "x y z"):
        with open(mode + ".txt", "w") as f:
            f.write("\n".join(words.split()) + "\n")
    make("n.h5ad", "--names=0.txt:0", "--names=1.txt:1")
    make("n.h5", "--format=csc", "--names=0.txt:0", "--names=1.txt:1")
    for path in "n.h5ad", "n.h5":
        got, _, said = run("tconv", "-q", path, "--rows=3,1,3", "--cols=::-1", "--labels=of", "-o", "part.tns")
        expect("names of " + path, got == 0, said)
        expect("names of " + path, open("of.0.map").read() == "d\nb\nd\n" and open("of.1.map").read() == "z\ny\nx\n")


def refusals():
    write_tns("all.tns", [4, 3], {(1, 1): 1})
    make("m.h5", "--format=csr")
    with open("s.mtx", "w") as f:
        f.write("%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 5\n3 3 1\n")
    for options, words in (["--rows=4"], "index 4 of mode 0 is beyond its size 4"), (["--cols=-4"], "index -4 of mode 1 is beyond its size 3"), \
            (["--rows="], "expected indices and slices"), (["--rows=1:2:0"], "the step of a slice is not 0"), \
            (["--rows=1", "--shard=0/2"], "read a part at once"), (["--chunks=rows:2", "--rows=1"], "add --deflate"):
        got, _, said = run("tconv", "-q", "m.h5", *options, "-o", "part.h5")
        expect("refusal of %s" % options, got != 0 and words in said, said)
    for options, words in (["--keep-symmetry", "--rows=0"], "leave --keep-symmetry out"), (["--chunks=1000"], "write rows:N"):
        got, _, said = run("tconv", "-q", "s.mtx", *options, "--to=h5ad", "-o", "part.h5ad")
        expect("refusal of %s" % options, got != 0 and words in said, said)
    got, _, said = run("tconv", "-q", "s.mtx", "--rows=0", "--header=extended", "-o", "part.tns")
    expect("a row of a symmetric matrix", got == 0 and read_tns("part.tns") == ([1, 3], {(0, 1): 5}), said)
    with open("v.tns", "w") as f:
        f.write("1 5\n3 2\n")
    got, _, said = run("tconv", "-q", "v.tns", "--cols=0", "-o", "part.tns")
    expect("columns of a vector", got != 0 and "the tensor has 1 modes" in said, said)


first, last = (int(sys.argv[1]), int(sys.argv[2])) if len(sys.argv) > 2 else (0, 7)
own_folder()
for k in range(first, last + 1):
    if case_runs(k):
        round_(k)
damaged()
filters()
names()
refusals()
end(least=100)
