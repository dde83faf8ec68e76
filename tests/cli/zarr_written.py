"""Zarr stores that we write, AnnData's and Binsparse's, versions 2 and 3, folders and archives: read back by us, whole, in parts and under a
limit of memory, and by zarr-python and anndata where they are installed; objects in stores that exist."""
import filecmp
import json
import os
import shutil
import warnings

from checks import end, expect, own_folder, run, skip

try:
    import numpy
    import scipy.sparse
except ImportError:
    skip("no scipy")
try:
    import numcodecs
    import zarr
except ImportError:
    zarr = None
try:
    import anndata
except Exception:
    anndata = None
warnings.simplefilter("ignore")


def tconv(what, *args, code=0):
    got, _, said = run("tconv", "-q", *args)
    expect(what, got == code, "%s -> %s %s" % (" ".join(args), got, said))
    return said


def write_mtx(path, a):
    a = a.tocoo()
    with open(path, "w") as f:
        f.write("%%MatrixMarket matrix coordinate real general\n%d %d %d\n" % (*a.shape, a.nnz))
        for i, j, v in zip(a.row, a.col, a.data):
            f.write("%d %d %r\n" % (i + 1, j + 1, float(v)))


def same_entries(what, a, b, form="csr"):
    """The two files hold the same entries."""
    for source, out in (a, "a.npz"), (b, "b.npz"):
        if os.path.exists(out):
            os.remove(out)
        tconv(what, source, "-o", out, "-f", form, "--type=f64")
    expect(what, filecmp.cmp("a.npz", "b.npz", shallow=False), "%s and %s differ" % (a, b))


def fresh(path):
    if os.path.isdir(path):
        shutil.rmtree(path)
    elif os.path.exists(path):
        os.remove(path)


WAYS = [[], ["--deflate=6"], ["--zarr-version=3"], ["--zarr-version=3", "--deflate=1"], ["--zarr-shards=3"]]


def check_round(folder):
    os.chdir(folder)
    rng = numpy.random.default_rng(5)
    a = scipy.sparse.random(2000, 500, 0.3, "csr", "float64", random_state=3)  # several chunks
    a.data = rng.integers(1, 1000, a.nnz) / 8
    write_mtx("a.mtx", a)
    empty = scipy.sparse.csr_matrix((5, 4))
    write_mtx("empty.mtx", empty)
    tconv("a", "a.mtx", "-o", "all.h5", "-f", "csr")
    tconv("empty", "empty.mtx", "-o", "empty.h5", "-f", "csr")
    for way in WAYS:
        for out in "o.zarr", "o.zarr.zip", "o.bsp.zarr", "o.bsp.zarr.zip":
            for source in "all.h5", "empty.h5":
                what = "%s %s %s" % (source, out, way)
                fresh(out)
                tconv(what, source, "-o", out, "-f", "csr", *way)
                same_entries(what, source, out)
            fresh("o2" + out[1:])
            tconv(out, "all.h5", "-o", "o2" + out[1:], "-f", "csr", "-j1", *way)
            fresh(out)
            tconv(out, "all.h5", "-o", out, "-f", "csr", "-j3", *way)
            expect("the same bytes by 1 and 3 threads: %s %s" % (out, way), same_trees(out, "o2" + out[1:]))
            tconv(out, out, "-o", "part.h5", "-f", "csc", "--memory=64M")
            same_entries("--memory of %s %s" % (out, way), "all.h5", "part.h5")
    tconv("replaced", "all.h5", "-o", "o.zarr", "-f", "csc")
    expect("the version that all programs read by default", os.path.exists("o.zarr/.zgroup"))
    expect("no litter", not [f for f in os.listdir(".") if f.startswith(".tessera")], str(os.listdir(".")))


def check_streamed(folder):
    """What goes through buckets in files (in builds with faults) is the same as from memory."""
    os.chdir(folder)
    for out, form in ("p.h5ad", "csr"), ("p.10x.h5", "csc"), ("p.zarr", "csr"), ("p.bsp.zarr", "csc"), ("p.bsp.npz", "csr"), ("p.rds", "csc"):
        fresh(out)
        tconv("from memory", "a.mtx", "-o", out, "-f", form)
        fresh("q" + out[1:])
        os.environ["TSR_STREAM_BUCKET"] = "65536"
        tconv("in buckets", "a.mtx", "-o", "q" + out[1:], "-f", form)
        del os.environ["TSR_STREAM_BUCKET"]
        expect("the same from memory and in buckets: " + out, same_trees(out, "q" + out[1:]))


def same_trees(a, b):
    if os.path.isfile(a):
        return filecmp.cmp(a, b, shallow=False)
    for top, _, files in os.walk(a):
        for f in files:
            path = os.path.join(top, f)
            if not filecmp.cmp(path, os.path.join(b, os.path.relpath(path, a)), shallow=False):
                return False
    return sum(len(f) for _, _, f in os.walk(a)) == sum(len(f) for _, _, f in os.walk(b))


def check_binsparse(folder):
    os.chdir(folder)
    with open("t.tns", "w") as f:
        f.write("1 2 3 1.5\n4 1 2 -2\n4 4 4 0.25\n")
    for form in "csf", "coo", "dss", "sds", "hicoo(2)", "ddd":
        for out in "t.bsp.zarr", "t.bsp.zarr.zip", "t.bsp.npz":
            fresh(out)
            tconv("binsparse " + form, "t.tns", "-o", out, "-f", form)
            same_entries("binsparse %s %s" % (form, out), "t.tns", out, "csf")
    fresh("t.zarr")
    tconv("--to=binsparse", "t.tns", "-o", "t.zarr", "--to=binsparse", "-f", "csf")
    attributes = json.load(open("t.zarr/.zattrs"))
    expect("the descriptor is JSON, not a text", attributes["binsparse"]["binsparse"]["version"] == "0.1.0" and
           attributes["binsparse"]["binsparse"]["shape"] == [4, 4, 4], str(attributes))
    tconv("a group", "t.tns", "-o", "t.zarr:more/u", "--to=binsparse", "-f", "csf")
    same_entries("a group", "t.tns", "t.zarr:more/u", "csf")
    said = tconv("order 3 to AnnData", "t.tns", "-o", "u.zarr", code=1)
    expect("order 3 to AnnData", "--unfold" in said, said)
    a = numpy.load("t.bsp.npz")
    expect("an archive of NumPy", json.loads(str(a["binsparse"].item()))["binsparse"]["format"] == "DMAT" or "custom" in str(a["binsparse"]))
    with open("names", "w") as f:
        f.write("a\nb\u00e4\nc\nd\n")
    tconv("names in .npz", "t.tns", "-o", "n.bsp.npz", "--names=names:1", "--deflate=3")
    tconv("names in .npz", "n.bsp.npz", "-o", "n.tns", "--labels=back")
    expect("names in .npz", open("back.1.map").read() == open("names").read())
    said = tconv("a group in .npz", "n.bsp.npz:x", "-o", "n.tns", code=2)
    expect("a group in .npz", "no group 'x'" in said, said)
    numpy.savez("ref.npz", binsparse=json.dumps({"binsparse": {"version": "0.1.0", "format": "CSR", "shape": [2, 3], "number_of_stored_values": 3, "data_types": {
        "pointers_to_1": "int64", "indices_1": "int32", "values": "float32"}}}), pointers_to_1=numpy.array([0, 2, 3]), indices_1=numpy.array([0, 2, 1], ">i4"),
        values=numpy.array([1, 2, 3], "float32"))
    tconv("an archive of the reference", "ref.npz", "-o", "ref.tns")
    expect("an archive of the reference", open("ref.tns").read() == "1 1 1.0\n1 3 2.0\n2 2 3.0\n", open("ref.tns").read())
    # as the reference implementations in Python write it: a plain object, without the outer one
    if zarr:
        g = zarr.open_group("ref.zarr", mode="w")
        g.attrs["binsparse"] = {"version": "0.1", "format": "CSR", "shape": [2, 3], "number_of_stored_values": 3,
                                "data_types": {"pointers_to_1": "int64", "indices_1": "int32", "values": "float32"}}
        g.create_dataset("pointers_to_1", data=numpy.array([0, 2, 3], "int64"))
        g.create_dataset("indices_1", data=numpy.array([0, 2, 1], "int32"))
        g.create_dataset("values", data=numpy.array([1, 2, 3], "float32"))
        tconv("of the reference", "ref.zarr", "-o", "ref.tns")
        expect("of the reference", open("ref.tns").read() == "1 1 1.0\n1 3 2.0\n2 2 3.0\n", open("ref.tns").read())


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def read3(store, path):
    """An array of one dimension of a store of version 3, read after the specification."""
    meta = json.load(open("%s/%s/zarr.json" % (store, path)))
    (n,), (size,) = meta["shape"], meta["chunk_grid"]["configuration"]["chunk_shape"]
    codecs, inner = meta["codecs"], size
    if codecs[0]["name"] == "sharding_indexed":
        how = codecs[0]["configuration"]
        codecs, (inner,) = how["codecs"], how["chunk_shape"]
    decompress = {"gzip": numcodecs.GZip, "blosc": numcodecs.Blosc}[codecs[1]["name"]]().decode
    assert meta["zarr_format"] == 3 and codecs[0] in ({"name": "bytes", "configuration": {"endian": "little"}}, {"name": "bytes"})
    whole = numpy.zeros(-(-n // size) * size, meta["data_type"])
    for c in range(-(-n // size)):
        data = open("%s/%s/c/%d" % (store, path, c), "rb").read()
        parts = [data]
        if inner != size or meta["codecs"][0]["name"] == "sharding_indexed":
            index = data[-(16 * (size // inner) + 4):]
            assert crc32c(index[:-4]) == int.from_bytes(index[-4:], "little")
            pairs = numpy.frombuffer(index[:-4], "<u8").reshape(-1, 2)
            parts = [None if int(at) == 2**64 - 1 else data[int(at):int(at) + int(k)] for at, k in pairs]
        for i, part in enumerate(parts):
            if part is not None:
                at = c * size + i * inner
                whole[at:at + inner] = numpy.frombuffer(decompress(part), meta["data_type"])
    assert not whole[n:].any()
    return whole[:n]


def check_version3(folder):
    os.chdir(folder)
    a = scipy.sparse.random(900, 700, 0.9, "csr", "float64", random_state=6)  # 5 chunks of values
    write_mtx("v.mtx", a)
    for way in ["--zarr-version=3"], ["--zarr-version=3", "--deflate=2"], ["--zarr-shards=2"], ["--zarr-shards=7", "--deflate=1"]:
        fresh("v.zarr")
        tconv("version 3", "v.mtx", "-o", "v.zarr", "-f", "csr", *way)
        root, x = (json.load(open("v.zarr/%szarr.json" % part)) for part in ("", "X/"))
        b = scipy.sparse.csr_matrix(tuple(read3("v.zarr", "X/" + k) for k in ("data", "indices", "indptr")), x["attributes"]["shape"])
        expect("version 3 by the specification %s" % way, (a != b).nnz == 0 and root["node_type"] == "group" and
               root["attributes"]["encoding-type"] == "anndata", str(root))


def check_zarr_python(folder):
    os.chdir(folder)
    a = scipy.sparse.random(300, 700, 0.9, "csr", "float64", random_state=1)
    write_mtx("z.mtx", a)
    for out in "z.zarr", "z.zarr.zip":
        for way in [], ["--deflate=9"]:
            fresh(out)
            tconv("zarr-python", "z.mtx", "-o", out, "-f", "csr", *way)
            g = zarr.open(out, mode="r")
            b = scipy.sparse.csr_matrix((g["X/data"][:], g["X/indices"][:], g["X/indptr"][:]), tuple(g["X"].attrs["shape"]))
            expect("zarr-python reads %s %s" % (out, way), (a != b).nnz == 0 and b.data.dtype == "float64")
    fresh("b.bsp.zarr")
    tconv("zarr-python", "z.mtx", "-o", "b.bsp.zarr", "-f", "csr")
    g = zarr.open("b.bsp.zarr", mode="r")
    b = scipy.sparse.csr_matrix((g["values"][:], g["indices_1"][:], g["pointers_to_1"][:]), a.shape)
    expect("zarr-python reads Binsparse", (a != b).nnz == 0 and g.attrs["binsparse"]["binsparse"]["format"] == "CSR")


def check_anndata(folder):
    os.chdir(folder)
    a = anndata.AnnData(scipy.sparse.random(60, 50, 0.2, "csr", "float32", random_state=2))
    a.obs_names = ["cell %d \u00e4" % i for i in range(60)]
    a.var_names = ["gene %d" % i for i in range(50)]
    a.layers["c"] = a.X.tocsc()
    a.write_zarr("a.zarr")
    tconv("names", "a.zarr", "-o", "b.zarr")
    b = anndata.read_zarr("b.zarr")
    expect("anndata reads AnnData in Zarr", (a.X != b.X).nnz == 0 and b.X.dtype == "float32", str(b))
    expect("names in Zarr", list(a.obs_names) == list(b.obs_names) and list(a.var_names) == list(b.var_names),
           str(b.obs_names[:2]))
    tconv("names to .h5ad and back", "a.zarr:layers/c", "-o", "c.h5ad")
    tconv("names to .h5ad and back", "c.h5ad", "-o", "c.zarr")
    c = anndata.read_zarr("c.zarr")
    expect("names to .h5ad and back", list(c.obs_names) == list(a.obs_names) and scipy.sparse.isspmatrix_csc(c.X) and
           (c.X != a.layers["c"]).nnz == 0)
    # into a store that exists: a new layer, and one that is replaced
    write_mtx("l.mtx", a.X * 2)
    before = open("a.zarr/X/data/0", "rb").read()
    tconv("a new layer", "l.mtx", "-o", "a.zarr:layers/twice", "-f", "csr")
    tconv("a layer that is replaced", "l.mtx", "-o", "a.zarr:layers/c", "-f", "csr")
    d = anndata.read_zarr("a.zarr")
    expect("layers", (d.layers["twice"] != a.X * 2).nnz == 0 and (d.layers["c"] != a.X * 2).nnz == 0)
    expect("the rest stays", (d.X != a.X).nnz == 0 and open("a.zarr/X/data/0", "rb").read() == before)


def check_refused(folder):
    os.chdir(folder)
    write_mtx("r.mtx", scipy.sparse.random(5, 4, 0.5, "csr"))
    os.makedirs("mine.zarr/work")
    said = tconv("a folder of the user", "r.mtx", "-o", "mine.zarr", code=3)
    expect("a folder of the user", "not a Zarr store" in said and os.path.isdir("mine.zarr/work"), said)
    tconv("an archive", "r.mtx", "-o", "r.zarr.zip")
    said = tconv("an object of an archive", "r.mtx", "-o", "r.zarr.zip:layers/x", code=1)
    expect("an object of an archive", "archive is not changed" in said, said)
    tconv("a store", "r.mtx", "-o", "r.zarr")
    said = tconv("another version", "r.mtx", "-o", "r.zarr:layers/x", "--zarr-version=3", code=2)
    expect("another version", "version 2" in said, said)
    said = tconv("leaves the store", "r.mtx", "-o", "r.zarr:../x", code=2)
    expect("leaves the store", "inside the store" in said and not os.path.exists("x"), said)
    said = tconv("shards", "r.mtx", "-o", "s.zarr", "--zarr-shards=0", code=2)
    expect("shards", "1 to 1024" in said, said)
    expect("no litter", not [f for f in os.listdir(".") if f.startswith(".tessera")], str(os.listdir(".")))


def check_damaged(folder):
    """Files of a store that are cut or changed: an error or another matrix, whole and in parts, and never a crash."""
    os.chdir(folder)
    rng = numpy.random.default_rng(11)
    with open("names", "w") as f:
        f.writelines("name %d\n" % i for i in range(40))
    write_mtx("d.mtx", scipy.sparse.random(40, 30, 0.3, "csr", random_state=1))
    for way in WAYS[0], WAYS[1], WAYS[4]:
        fresh("good.zarr")
        tconv("damaged", "d.mtx", "-o", "good.zarr", "-f", "csr", "--names=names:0", *way)
        paths = sorted(os.path.join(top, f) for top, _, files in os.walk("good.zarr") for f in files)
        for path in paths:
            for kind in "cut", "changed", "removed", "empty":
                fresh("bad.zarr")
                shutil.copytree("good.zarr", "bad.zarr")
                bad = path.replace("good", "bad", 1)
                data = bytearray(open(bad, "rb").read())
                if kind == "cut":
                    data = data[:int(rng.integers(len(data)))]
                elif kind == "empty":
                    data = b""
                else:
                    for _ in range(3):
                        data[int(rng.integers(len(data)))] = int(rng.integers(256))
                os.remove(bad)
                if kind != "removed":
                    with open(bad, "wb") as f:
                        f.write(data)
                for more in [], ["--memory=64M"]:
                    code, _, said = run("tconv", "-q", "bad.zarr:X", "-o", "bad.h5", "-j1", *more, timeout=60)
                    expect("damaged %s %s %s" % (path, kind, more), code in (0, 1, 2, 3) and (code == 0 or "tconv: " in said), "%s %s" % (code, said))


folder = own_folder()
check_round(folder)
check_streamed(folder)
check_binsparse(folder)
check_refused(folder)
check_damaged(folder)
if zarr:
    check_zarr_python(folder)
    check_version3(folder)
else:
    print("without zarr-python")
if anndata and zarr:
    check_anndata(folder)
else:
    print("without anndata")
end(least=100)
