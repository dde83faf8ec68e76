"""What we write is what the software that it is for reads: SciPy, NumPy, pydata/sparse, anndata, each where it is installed."""
import os
import re
import shutil
import warnings
import zipfile

from checks import end, expect, own_folder, run, skip

try:
    import numpy
    import scipy.io
    import scipy.sparse
except ImportError:
    skip("no scipy")
try:
    import sparse
except ImportError:
    sparse = None
try:
    import h5py
except ImportError:
    h5py = None
try:
    import anndata
except Exception:
    anndata = None
warnings.simplefilter("ignore")


def tconv(*args):
    code, _, said = run("tconv", "-q", *args)
    if code:
        print(" ".join(args), "->", said)
    return code == 0


def tensor_text(path, dims, rows):
    with open(path, "w") as f:
        f.write("%d %d\n%s\n" % (len(dims), len(rows), " ".join(map(str, dims))))
        for at, v in rows:
            f.write(" ".join(str(i + 1) for i in at) + " " + v + "\n")


def same(a, b):
    return a.shape == b.shape and a.dtype == b.dtype and numpy.array_equal(a, b, equal_nan=a.dtype.kind in "fc")


def matrices(folder):
    """Matrices of several types as .mtx and as NumPy arrays."""
    rng = numpy.random.default_rng(7)
    for kind in "float64", "float32", "int64", "int8", "uint16", "complex128", "pattern":
        a = (rng.random((12, 9)) < 0.3) * rng.integers(1, 99, (12, 9))
        a = a.astype("bool" if kind == "pattern" else kind)
        if kind == "complex128":
            a = a * (1 - 0.5j)
        path = os.path.join(folder, kind + ".mtx")
        text = a.astype("float64") if kind == "pattern" else a
        scipy.io.mmwrite(path, scipy.sparse.coo_matrix(text), field=kind if kind == "pattern" else None)
        yield kind, path, a


def check_npz(folder):
    out = os.path.join(folder, "x.npz")
    for kind, path, a in matrices(folder):
        words = {"float32": "f32", "int8": "i8", "uint16": "u16"}
        extra = ["--type=" + words[kind]] if kind in words else []
        for form, type in (("csr", "csr"), ("csc", "csc"), ("coo", "coo"), ("bcsr(3,3)", "bsr"), ("dcsr", "csr"),
                           ("dd", "csr")):
            if type == "bsr" and kind == "pattern":
                continue
            if not tconv(path, *extra, "--format=" + form, "-o", out):
                expect("npz %s %s" % (kind, form), False)
                continue
            m = scipy.sparse.load_npz(out)
            expect("npz %s %s" % (kind, form), m.format == type and same(m.toarray(), a))
            back = os.path.join(folder, "back.h5")
            expect("npz %s %s verified" % (kind, form), tconv(out, "--verify", "-o", back))
    # Deflated on one thread and on several: the same bytes, which SciPy reads.
    n = 400000
    rows = os.path.join(folder, "rows.tsv")
    with open(rows, "w") as f:
        f.write("row\tcol\tvalue\n" + "".join("%d\t%d\t%d.25\n" % (i, 7 * i % 1000, i % 50) for i in range(n)))
    for form in "csr", "coo":
        archives = []
        for threads in "1", "3":
            expect("npz deflated", tconv(rows, "--index-base=0", "--deflate=4", "-j" + threads, "--format=" + form, "-o", out))
            with open(out, "rb") as f:
                archives.append(f.read())
        expect("npz deflated on threads", archives[0] == archives[1] and len(archives[0]) < 6 * n)
        m = scipy.sparse.load_npz(out).tocsr()
        expect("npz deflated", m.nnz == n and m[399999, 7 * 399999 % 1000] == 49.25 and m.shape == (n, 1000))
        with zipfile.ZipFile(out) as z:
            expect("npz deflated", z.testzip() is None and all(i.compress_type == 8 for i in z.infolist()))
        expect("npz deflated back", tconv(out, "--verify", "-o", os.path.join(folder, "back.h5")))
    wide = os.path.join(folder, "wide.tns")
    tensor_text(wide, (1 << 40, 3), [((1 << 39, 2), "2.5")])
    expect("npz of wide dims is written", tconv(wide, "-o", out, "--format=coo"))
    m = scipy.sparse.load_npz(out)
    expect("npz of wide dims", m.shape == (1 << 40, 3) and m.row[0] == 1 << 39 and m.data[0] == 2.5)


def check_npy(folder):
    out = os.path.join(folder, "x.npy")
    for kind, path, a in matrices(folder):
        if not tconv(path, "-o", out):
            expect("npy " + kind, False)
            continue
        b = numpy.load(out)
        expect("npy " + kind, numpy.array_equal(a, b) and b.flags.c_contiguous)
        expect("npy columns " + kind, tconv(path, "--format=dd:1,0", "-o", out))
        b = numpy.load(out)
        expect("npy columns " + kind, numpy.array_equal(a, b) and b.flags.f_contiguous)
    cube = os.path.join(folder, "cube.tns")
    tensor_text(cube, (2, 3, 4), [((0, 1, 2), "1.5"), ((1, 2, 3), "-2")])
    expect("npy of order 3", tconv(cube, "-o", out))
    expect("npy of order 3", numpy.load(out).shape == (2, 3, 4) and numpy.load(out)[0, 1, 2] == 1.5)


def check_pydata(folder):
    out = os.path.join(folder, "t.npz")
    cube = os.path.join(folder, "cube.tns")
    tensor_text(cube, (2, 3, 4), [((1, 2, 3), "-2"), ((0, 1, 2), "1.5"), ((0, 0, 0), "4")])
    for form in "csf", "csf:2,0,1", "coo", "hicoo(2)":
        expect("sparse " + form, tconv(cube, "--format=" + form, "-o", out))
        t = sparse.load_npz(out)
        expect("sparse " + form, t.shape == (2, 3, 4) and t[1, 2, 3] == -2 and t[0, 1, 2] == 1.5 and t.nnz == 3 and
               t.sum() == 3.5)
    filled = os.path.join(folder, "filled.npz")
    sparse.save_npz(filled, sparse.COO([[0, 2], [1, 3]], [5.0, 6.0], shape=(3, 4), fill_value=1.5))
    expect("sparse with a fill value", tconv(filled, "-o", out))
    t = sparse.load_npz(out)
    expect("sparse with a fill value", t.fill_value == 1.5 and t[0, 1] == 5 and t[1, 1] == 1.5)


def check_h5ad(folder):
    out = os.path.join(folder, "x.h5ad")
    words = {"float32": "f32", "int8": "i8", "uint16": "u16"}
    for kind, path, a in matrices(folder):
        if kind == "complex128":
            continue
        for form in "csr", "csc":
            for more in [], ["--deflate=3"]:
                extra = ["--type=" + words[kind]] if kind in words else []
                what = "h5ad %s %s %s" % (kind, form, more)
                if os.path.exists(out):
                    os.remove(out)
                expect(what, tconv(path, *extra, *more, "--format=" + form, "-o", out))
                x = anndata.read_h5ad(out).X
                b = x.toarray()
                expect(what, x.format == form and b.shape == a.shape and numpy.array_equal(b, a))
                expect(what + " verified", tconv(out, "--verify", "-o", os.path.join(folder, "back.h5")))
    b = anndata.read_h5ad(out)
    expect("h5ad names", list(b.obs_names) == [str(i) for i in range(12)] and b.n_vars == 9)
    # A matrix in a file that is there; the rest of the file stays.
    theirs = os.path.join(folder, "theirs.h5ad")
    data = anndata.AnnData(scipy.sparse.random(12, 9, 0.4, "csr", "float32"))
    data.obs_names = ["cell%d" % i for i in range(12)]
    data.write_h5ad(theirs)
    path = os.path.join(folder, "int64.mtx")
    expect("h5ad layer", tconv(path, "-o", theirs + ":layers/counts"))
    b = anndata.read_h5ad(theirs)
    expect("h5ad layer", list(b.obs_names) == list(data.obs_names) and (b.X != data.X).nnz == 0 and
           numpy.array_equal(b.layers["counts"].toarray(), scipy.io.mmread(path).toarray()))
    expect("h5ad replaced", tconv(path, "-o", theirs + ":X"))
    b = anndata.read_h5ad(theirs)
    expect("h5ad replaced", numpy.array_equal(b.X.toarray(), scipy.io.mmread(path).toarray()))
    for compression in None, "gzip", "lzf":
        big = anndata.AnnData(scipy.sparse.random(500, 400, 0.2, "csr", "float32", random_state=3))
        big.write_h5ad(theirs, compression=compression)
        expect("h5ad read %s" % compression, tconv(theirs, "-o", os.path.join(folder, "back.npz")))
        m = scipy.sparse.load_npz(os.path.join(folder, "back.npz"))
        expect("h5ad read %s" % compression, (m != big.X).nnz == 0 and m.dtype == big.X.dtype)


def check_labels(folder):
    """Names of rows and columns go from AnnData to 10x and back, through slices, orders and concatenation."""
    one, two = os.path.join(folder, "names.h5ad"), os.path.join(folder, "out.h5ad")
    tenx = os.path.join(folder, "names.10x.h5")
    a = anndata.AnnData(scipy.sparse.random(300, 50, 0.2, "csr", "float32", random_state=1))
    a.obs_names = ["cell-%d \u00fc" % i for i in range(300)]
    a.var_names = ["G%d" % (i * 7) for i in range(50)]
    a.layers["c"] = a.X * 2
    order = os.path.join(folder, "order.txt")
    rng = numpy.random.default_rng(9)
    permuted = rng.permutation(50)
    with open(order, "w") as f:
        f.write("".join("%d\n" % i for i in permuted))

    def names(path):
        b = anndata.read_h5ad(path)
        return list(b.obs_names), list(b.var_names)

    obs, var = list(a.obs_names), list(a.var_names)
    for compression in None, "gzip", "lzf":
        a.write_h5ad(one, compression=compression)
        for what, args, want in (
                ("as they are", [one], (obs, var)), ("of a layer", [one + ":layers/c"], (obs, var)),
                ("of a slice", [one, "--slice=10:100:3,::-1"], (obs[10:100:3], var[::-1])),
                ("of other modes", [one, "--transpose=1,0"], (var, obs)),
                ("of a permutation", [one, "--permute-by=" + order + ":1"], (obs, [var[i] for i in permuted])),
                ("of a padded matrix", [one, "--pad=1:0,0"], ([""] + obs, var)),
                ("of one row", [one, "--slice=7:8,:"], (obs[7:8], var)),
                ("of one column, other modes", [one, "--slice=:,9:10", "--transpose=1,0"], (var[9:10], obs)),
                ("of two files", [one, "--concat=" + one + ",0"], (obs * 2, var))):
            if os.path.exists(two):
                os.remove(two)
            expect("names " + what, tconv(*args, "-o", two) and names(two) == want)
    none = anndata.AnnData(scipy.sparse.csr_matrix((4, 3), dtype="float32"))
    none.obs_names, none.var_names = list("abcd"), list("xyz")
    none.write_h5ad(own_none := os.path.join(folder, "none.h5ad"))
    os.remove(two)
    expect("names without entries", tconv(own_none, "--slice=1:3,::-1", "-o", two) and names(two) == (["b", "c"], list("zyx")))
    expect("names to 10x", tconv(one, "--transpose=1,0", "-o", tenx))
    with h5py.File(tenx) as f:
        expect("names to 10x", [b.decode() for b in f["matrix/barcodes"][:]] == obs and
               [b.decode() for b in f["matrix/features/id"][:]] == var)
    os.remove(two)
    expect("names from 10x", tconv(tenx, "--transpose=1,0", "-o", two) and names(two) == (obs, var))
    own = os.path.join(folder, "own.h5")
    for form in "csr", "csf:1,0", "bcsr(2,5)", "coo":
        os.remove(two)
        expect("names in " + form, tconv(one, "--format=" + form, "-o", own) and
               tconv(own, "-o", two) and names(two) == (obs, var))
    expect("names of a group", tconv(one, "--slice=:,5", "-o", own + ":v") and tconv(own + ":v", "--labels=" + own, "-o", own + ".tns"))
    with open(own + ".0.map", encoding="utf-8") as f:
        expect("names of a group", f.read().split("\n") == obs + [""])
    code, _, said = run("tconv", one, "-o", os.path.join(folder, "x.mtx"))
    expect("names that are dropped", "mtx files cannot store names of rows and columns, which are dropped: to keep them, use" in said)
    with open(own + ".map", "w") as f:
        f.write("".join("n%d\r\n" % i for i in range(12)))
    path = os.path.join(folder, "int64.mtx")
    os.remove(two)
    expect("names of a list", tconv(path, "--names=" + own + ".map:0", "-o", two) and names(two) == (
        ["n%d" % i for i in range(12)], [str(i) for i in range(9)]))
    shown = run("tinfo", two)[1]
    expect("names that tinfo shows", "mode 0: n0, n1, n2, ... (12)" in shown)
    code, _, said = run("tconv", path, "--names=" + own + ".map:1", "-o", two)
    expect("names that are too many", code == 1 + (code == 2) and "has 12 names" in said)
    os.remove(two)
    expect("names of a reshaped matrix are dropped", tconv(one, "--reshape=50,300", "-o", two))
    expect("names of a reshaped matrix are dropped", names(two)[0][:2] == ["0", "1"])


def check_tenx(folder):
    out = os.path.join(folder, "x.10x.h5")
    path = os.path.join(folder, "int64.mtx")
    expect("10x", tconv(path, "-o", out))
    with h5py.File(out) as f:
        g = f["matrix"]
        m = scipy.sparse.csc_matrix((g["data"][:], g["indices"][:], g["indptr"][:]), shape=tuple(g["shape"][:]))
        expect("10x content", numpy.array_equal(m.toarray(), scipy.io.mmread(path).toarray()))
        expect("10x names", len(g["barcodes"]) == 9 and len(g["features/id"]) == 12 and
               g["features/feature_type"][0] == b"Gene Expression" and f.attrs["filetype"] == "matrix")
    back = os.path.join(folder, "back.h5ad")
    expect("10x to h5ad", tconv(out, "--transpose=1,0", "-o", back))
    with h5py.File(back) as f:
        expect("10x to h5ad", list(f["X"].attrs["shape"]) == [9, 12])


def check_csv(folder):
    """What numpy.loadtxt reads of our CSV, and CSV that we read of theirs."""
    out = os.path.join(folder, "x.csv")
    for kind, path, a in matrices(folder):
        if kind in ("complex128", "pattern"):
            continue
        for out in os.path.join(folder, "x.csv"), os.path.join(folder, "x.tsv"):
            expect("csv " + kind, tconv(path, "-o", out))
            rows = numpy.loadtxt(out, delimiter="," if out.endswith("csv") else "\t", skiprows=1)
            b = numpy.zeros(a.shape)
            b[rows[:, 0].astype(int), rows[:, 1].astype(int)] = rows[:, 2]
            expect("csv " + kind, numpy.allclose(a, b, rtol=1e-6))
            back = os.path.join(folder, "back.npz")
            expect("csv back " + kind, tconv(out, "--shape=12,9", "-o", back))
            expect("csv back " + kind, numpy.array_equal(scipy.sparse.load_npz(back).toarray(), b))
    with open(out, "w") as f:
        f.write("id\tweight\tto\tfrom\n" + "".join("%d\t%d.5\t%d\t%d\n" % (i, i, 2 * i, 3 * i) for i in range(100000)))
    expect("csv columns", tconv(out, "--columns=from,to,weight", "-o", back))
    m = scipy.sparse.load_npz(back)
    m = m.tocsr()
    expect("csv columns", m.shape == (299998, 199999) and m[3 * 99, 2 * 99] == 99.5 and m.nnz == 100000)


def check_binary(folder):
    """PETSc and SPLATT: written, read, the same; and the bytes are where their documents say."""
    for kind, path, a in matrices(folder):
        for out in "x.petsc", "x.bin":
            out = os.path.join(folder, out)
            if out.endswith("bin") and kind == "complex128":
                continue
            expect(out + kind, tconv(path, "-o", out))
            back = os.path.join(folder, "back.npz")
            expect(out + kind, tconv(out, "-o", back))
            expect(out + kind, numpy.array_equal(scipy.sparse.load_npz(back).toarray(), a))
        if kind == "float64":
            raw = numpy.fromfile(os.path.join(folder, "x.petsc"), ">i4")
            m = scipy.sparse.csr_matrix(a)
            expect("petsc bytes", list(raw[:4]) == [1211216, 12, 9, m.nnz] and
                   numpy.array_equal(raw[4:16], numpy.diff(m.indptr)))


    vector, back = os.path.join(folder, "v.npy"), os.path.join(folder, "w.npy")
    for kind, a in (("f8", numpy.array([1.5, 0, -2])), ("c16", numpy.array([1 + 2j, 0, 3])), ("i2", numpy.arange(20000, dtype="i2"))):
        numpy.save(vector, a)
        out = os.path.join(folder, "v.petsc")
        expect("petsc vector " + kind, tconv(vector, "-o", out))
        raw = open(out, "rb").read()
        expect("petsc vector " + kind, numpy.frombuffer(raw[:8], ">i4").tolist() == [1211214, len(a)] and
               numpy.array_equal(numpy.frombuffer(raw[8:], ">c16" if kind == "c16" else ">f8"), a))
        extra = ["--type=c128"] if kind == "c16" else []
        expect("petsc vector back " + kind, tconv(out, *extra, "-o", back) and numpy.array_equal(numpy.load(back), a))
    # A fill value was dropped.
    filled = os.path.join(folder, "filled.npz")
    numpy.savez(filled, data=[1.0, 2.0], coords=[[0, 1], [1, 0]], shape=[2, 2], fill_value=numpy.float64(5))
    for suffix in "petsc", "svm":
        code, _, said = run("tconv", "-q", filled, "-o", os.path.join(folder, "filled." + suffix))
        expect("a fill value in ." + suffix, code == 1 and "without a fill value" in said, said)


def read_svmlight(path, base, shape):
    """The matrix, and the labels."""
    a, labels = numpy.zeros(shape), []
    with open(path) as f:
        for row, line in enumerate(f):
            label, *entries = line.split()
            labels.append(label)
            columns = [int(e.split(":")[0]) - base for e in entries]
            assert all(i < j for i, j in zip(columns, columns[1:]))
            a[row, columns] = [float(e.split(":")[1]) for e in entries]
    return a, labels


def check_svmlight(folder):
    """svmlight: rows with the label 0, counted from 1 or 0, read by a reader of this test and back."""
    out, back = os.path.join(folder, "x.svm"), os.path.join(folder, "back.npz")
    for kind, path, a in matrices(folder):
        if kind == "complex128":
            continue
        for base in 1, 0:
            expect("svmlight " + kind, tconv(path, "--index-base=1,%d" % base, "-o", out))
            got, labels = read_svmlight(out, base, a.shape)
            expect("svmlight " + kind, numpy.array_equal(got, a) and labels == ["0"] * len(a))
            expect("svmlight back " + kind, tconv(out, "--index-base=%d" % base, "--dims=%d,%d" % a.shape, "-o", back) and
                   numpy.array_equal(scipy.sparse.load_npz(back).toarray(), a))
    many = scipy.sparse.random(50000, 300, 0.01, format="csr", random_state=3)
    scipy.sparse.save_npz(back, many)
    expect("svmlight of many rows", tconv(back, "-j2", "-o", out))
    got, _ = read_svmlight(out, 1, many.shape)
    expect("svmlight of many rows", numpy.array_equal(got, many.toarray()))
    for rows in 0, 3:
        scipy.sparse.save_npz(back, scipy.sparse.csr_matrix((rows, 2)))
        expect("svmlight without entries", tconv(back, "-o", out) and open(out).read() == "0\n" * rows)


def check_mat(folder):
    """MATLAB 5 and 7: SciPy's reader, and Octave's where it is installed. Both drop the mark of logical sparse matrices."""
    out = os.path.join(folder, "x.mat")
    words = {"float32": "f32", "int8": "i8", "uint16": "u16"}
    for kind, path, a in matrices(folder):
        extra = ["--type=" + words[kind]] if kind in words else []
        for more in [], ["--deflate=6"]:
            what = "mat %s %s" % (kind, more)
            expect(what, tconv(path, *extra, *more, "-o", out))
            b = scipy.io.loadmat(out)["A"]
            expect(what, scipy.sparse.issparse(b) and numpy.array_equal(b.toarray(), a) and
                   b.dtype == {"pattern": "uint8", "complex128": "complex128"}.get(kind, "float64"))
            back = os.path.join(folder, "back.npz")
            expect(what + " back", tconv(out, "-o", back) and
                   numpy.array_equal(scipy.sparse.load_npz(back).toarray(), a))
        if kind != "pattern":
            os.remove(out)
            expect("dense " + kind, tconv(path, *extra, "--format=dd:1,0", "-o", out + ":my_Array1"))
            expect("dense " + kind, same(scipy.io.loadmat(out)["my_Array1"], a))
            os.remove(out)
        if kind in ("complex128", "pattern", "int64"):
            expect("octave " + kind, tconv(path, "--deflate=1", "-o", out))
            if shutil.which("octave-cli"):
                code = "load('%s'); [i,j,v] = find(A); assert(issparse(A)); printf('%%d ', size(A), i, j); "
                code = code % out + "printf('%.17g ', real(v), imag(v));"
                _, printed, _ = run("octave-cli", "--norc", "--eval", code)
                numbers = [float(w) for w in printed.split()]
                i, j = numpy.nonzero(a.T)
                want = [12, 9] + list(j + 1) + list(i + 1)
                v = a[j, i].astype("complex128")
                expect("octave " + kind, numbers == want + list(v.real) + list(v.imag))
    empty = os.path.join(folder, "empty.mtx")
    scipy.io.mmwrite(empty, scipy.sparse.coo_matrix((5, 4)))
    expect("mat without entries", tconv(empty, "-o", out) and scipy.io.loadmat(out)["A"].shape == (5, 4))
    wide = os.path.join(folder, "big.mtx")
    with open(wide, "w") as f:
        f.write("%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 9007199254740993\n")
    code, _, said = run("tconv", "-q", wide, "-o", out + "2.mat")
    expect("mat of an integer that is not a double", code != 0 and "is not a double" in said)
    code, _, said = run("tconv", "-q", empty, "-o", out + ":B")
    expect("mat into a file", code != 0 and "cannot add a variable" in said)


def read_mat73(path, name):
    """A reader of version 7.3 with h5py, after the documents: dense, or columns of a sparse matrix."""
    with open(path, "rb") as f:
        block = f.read(512)
    assert block.startswith(b"MATLAB 7.3 MAT-file") and block[124:128] == b"\0\2IM"
    with h5py.File(path) as f:
        assert f.userblock_size == 512
        node = f[name]
        kind = node.attrs.get_id("MATLAB_class").get_type()
        assert kind.get_strpad() == h5py.h5t.STR_NULLTERM and kind.get_size() == len(node.attrs["MATLAB_class"])
        word = node.attrs["MATLAB_class"].decode()
        if "MATLAB_sparse" not in node.attrs:
            if "MATLAB_empty" in node.attrs:
                return word, numpy.zeros([int(n) for n in node[:]])
            a = node[:].T
            return word, a["real"] + 1j * a["imag"] if a.dtype.names else a
        assert node.attrs.get_id("MATLAB_sparse").dtype == "uint64" and node["jc"].dtype == "uint64"
        shape = int(node.attrs["MATLAB_sparse"]), len(node["jc"]) - 1
        if "data" not in node:
            return word, numpy.zeros(shape)
        v = node["data"][:]
        v = v["real"] + 1j * v["imag"] if v.dtype.names else v
        assert node["ir"].dtype == "uint64" and (word != "logical" or node.attrs["MATLAB_int_decode"] == 1)
        return word, scipy.sparse.csc_matrix((v, node["ir"][:], node["jc"][:]), shape=shape).toarray()


def check_mat73(folder):
    out = os.path.join(folder, "x73.mat")
    back = os.path.join(folder, "back.npz")
    words = {"float32": "f32", "int8": "i8", "uint16": "u16"}
    v73 = "--mat-version=7.3"
    for kind, path, a in matrices(folder):
        extra = ["--type=" + words[kind]] if kind in words else []
        for more in [], ["--deflate=4"]:
            what = "mat 7.3 %s %s" % (kind, more)
            expect(what, tconv(path, *extra, *more, v73, "-o", out + ":Name"))
            word, b = read_mat73(out, "Name")
            expect(what, numpy.array_equal(a, b) and word == ("logical" if kind == "pattern" else "double"))
            expect(what + " back", tconv(out, "-o", back) and
                   numpy.array_equal(scipy.sparse.load_npz(back).toarray(), a))
            os.remove(out)
            if kind != "pattern":
                expect(what + " dense", tconv(path, *extra, *more, v73, "--format=dd:1,0", "-o", out))
                word, b = read_mat73(out, "A")
                classes = {"float64": "double", "float32": "single", "complex128": "double"}
                expect(what + " dense", same(b, a) and word == classes.get(kind, kind))
                os.remove(out)
    empty = os.path.join(folder, "empty.mtx")
    scipy.io.mmwrite(empty, scipy.sparse.coo_matrix((5, 4)))
    expect("mat 7.3 without entries", tconv(empty, v73, "-o", out) and read_mat73(out, "A")[1].shape == (5, 4))
    os.remove(out)
    empty = os.path.join(folder, "none.npy")
    numpy.save(empty, numpy.zeros((0, 3)))
    expect("mat 7.3 dense without cells", tconv(empty, v73, "--format=dd:1,0", "-o", out) and read_mat73(out, "A")[1].shape == (0, 3))
    expect("mat 7.3 dense without cells", tconv(out, "-o", folder + "/none2.npy") and numpy.load(folder + "/none2.npy").shape == (0, 3))
    os.remove(out)
    wide = os.path.join(folder, "wide.mtx")
    with open(wide, "w") as f:
        f.write("%%MatrixMarket matrix coordinate real general\n5000000000 2 1\n5000000000 2 1.5\n")
    expect("mat that needs version 7.3", tconv(wide, "-o", out))
    with h5py.File(out) as f:
        expect("mat that needs version 7.3", f["A"].attrs["MATLAB_sparse"] == 5000000000)
    code, _, said = run("tconv", "-q", wide, "--mat-version=7", "-o", out + "5.mat")
    expect("mat that version 7 cannot hold", code != 0 and "--mat-version=7.3" in said)


def read_rb(path):
    """A reader of Rutherford-Boeing by columns."""
    with open(path) as f:
        lines = f.read().split("\n")
    cards = [int(n) for n in lines[1].split()]
    kind, (rows, columns, nnz) = lines[2][:3], [int(n) for n in lines[2][14:].split()[:3]]
    at, parts = 4, []
    for k in range(3):
        card = lines[3][16 * k:16 * k + 16 + 4 * (k == 2)].strip()
        per, width = [int(n) for n in re.match(r"\((\d+)[IE](\d+)", card).groups()] if card else (1, 1)
        numbers = []
        for line in lines[at:at + cards[k + 1]]:
            assert len(line) <= max(80, width)
            numbers += [line[i:i + width] for i in range(0, len(line), width)]
            assert len(numbers) % per == 0 or line is lines[at + cards[k + 1] - 1]
        parts.append(numbers)
        at += cards[k + 1]
    assert cards[0] == sum(cards[1:4]) and lines[at:] == [""]
    pointers, indices = numpy.array(parts[0], int) - 1, numpy.array(parts[1], int) - 1
    if kind[0] == "p":
        values = numpy.ones(nnz, bool)
    elif kind[0] == "i":
        values = numpy.array([int(v) for v in parts[2]])
    else:
        assert all("." in v or "n" in v for v in parts[2])
        values = numpy.array([float(v) for v in parts[2]])
        values = values[::2] + 1j * values[1::2] if kind[0] == "c" else values
    return kind, scipy.sparse.csc_matrix((values, indices, pointers), shape=(rows, columns)).toarray()


def check_rb(folder):
    out = os.path.join(folder, "x.rb")
    for kind, path, a in matrices(folder):
        expect("rb " + kind, tconv(path, "-o", out))
        letters, b = read_rb(out)
        expect("rb " + kind, letters == {"float64": "r", "float32": "r", "complex128": "c", "pattern": "p"}.get(kind, "i")
               + "ra" and numpy.array_equal(a, b))
        back = os.path.join(folder, "back.npz")
        expect("rb back " + kind, tconv(out, "-o", back) and
               numpy.array_equal(scipy.sparse.load_npz(back).toarray(), a))
    rng = numpy.random.default_rng(3)
    square = scipy.sparse.random(40, 40, 0.2, "csc", random_state=3, data_rvs=lambda n: rng.standard_normal(n) * 1e30 ** rng.standard_normal(n))
    path = os.path.join(folder, "square.mtx")
    scipy.io.mmwrite(path, square, precision=17)
    expect("rb of reals", tconv(path, "-o", out))
    letters, b = read_rb(out)
    expect("rb of reals", letters == "rua" and numpy.array_equal(b, square.toarray()))
    both = scipy.sparse.coo_matrix(square + square.T)
    scipy.io.mmwrite(path, both, symmetry="symmetric", precision=17)
    expect("rb of a triangle", tconv(path, "--keep-symmetry", "-o", out + ".gz"))
    expect("rb of a triangle", tconv(out + ".gz", "--keep-symmetry", "--to=rb", "-o", out))
    letters, b = read_rb(out)
    expect("rb of a triangle", letters == "rsa" and numpy.array_equal(b, numpy.tril(both.toarray())))


def check_exact(folder):
    """An integer that is not a double, by each codec that writes: the same integer comes back, or the file is refused. PETSc, SPLATT and
    svmlight files had it rounded."""
    source, back = os.path.join(folder, "exact.mtx"), os.path.join(folder, "back.tns")
    lines = run("tconv", "--list-codecs")[1].splitlines()
    writers = [line.split()[0] for line in lines if line[:1] != " " and "write" in line]
    expect("codecs that write", len(writers) >= 13, str(writers))
    for number in "9007199254740993", "-9007199254740993", "9223372036854775807", "9007199254740992":
        with open(source, "w") as f:
            f.write("%%%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 1 %s\n2 2 1\n" % number)
        for name in writers:
            out = os.path.join(folder, "out." + name)
            code, _, said = run("tconv", source, "-q", "--to=" + name, "-o", out)
            if code:
                expect("%s in %s" % (number, name), number != "9007199254740992" and "is not a double" in said, said)
                continue
            code, _, said = run("tconv", out, "-q", "--from=" + name, "--type=i64", "--to=tns", "-o", back)
            with open(back) as f:
                expect("%s in %s" % (number, name), code == 0 and ("1 1 %s\n" % number) in f.read(), said)


folder = own_folder()
check_exact(folder)
check_npz(folder)
check_npy(folder)
check_csv(folder)
check_binary(folder)
check_svmlight(folder)
check_mat(folder)
check_rb(folder)
if sparse:
    check_pydata(folder)
else:
    print("without pydata/sparse")
if h5py:
    check_mat73(folder)
    check_tenx(folder)
else:
    print("without h5py")
if anndata:
    check_h5ad(folder)
    check_labels(folder)
else:
    print("without anndata")
end()
