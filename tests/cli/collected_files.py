"""All files of TSR_SHARED/data/other, which were collected: each matrix in them that `tinfo --brief` lists is read with the content that
SciPy, h5py, NumPy or a plain reader of this test finds there; files of kinds that are not read are refused in one sentence."""
import json
import os
import re
import warnings

from checks import content, end, expect, own_folder, run, shared, skip

try:
    import h5py
    import numpy
    import scipy.io
    import scipy.sparse
except ImportError:
    skip("no scipy or h5py")
warnings.simplefilter("ignore")


def coordinates(rows, columns, values, shape):
    return scipy.sparse.coo_matrix((values, (rows, columns)), shape=shape)


def slices(group, by_columns, shape, names=("data", "indices", "indptr")):
    """The matrix of three datasets."""
    kind = scipy.sparse.csc_matrix if by_columns else scipy.sparse.csr_matrix
    return kind(tuple(group[name][:].ravel() for name in names), shape=shape)


def hdf5(path, name):
    """AnnData (of all versions), 10x, h5sparse, MATLAB 7.3."""
    with h5py.File(path) as f:
        g = f[name]
        if isinstance(g, h5py.Dataset):
            return g[()].T if "MATLAB_class" in g.attrs else g[()]
        if "MATLAB_sparse" in g.attrs:
            return slices(g, True, (int(g.attrs["MATLAB_sparse"]), len(g["jc"]) - 1), ("data", "ir", "jc"))
        kind = g.attrs.get("encoding-type", g.attrs.get("h5sparse_format", b"csc"))
        shape = g["shape"][:] if "shape" in g else g.attrs.get("shape", g.attrs.get("h5sparse_shape"))
        return slices(g, "csc" in str(kind), tuple(int(n) for n in shape))


def matlab(path, name):
    found = scipy.io.loadmat(path)
    for part in name.split("/") if name else [next(key for key in found if not key.startswith("__"))]:
        found = found[part] if isinstance(found, dict) else found[part][0, 0]
    return found


def cards(lines, n, form):
    """The next n numbers of a list of cards, n taken by the width of the Fortran format, or between blanks if the card has as many."""
    form = form.upper().replace(" ", "").replace("1P", "")
    count, width = (int(v or 1) for v in re.search(r"(\d*)[IEDFG](\d+)", form).groups())
    found = []
    while len(found) < n:
        line, due = lines.pop(0).rstrip("\n"), min(count, n - len(found))
        tokens = line.split()
        if len(tokens) != due:
            tokens = [line[k * width:(k + 1) * width] for k in range(due)]
        found += [re.sub(r"(\d)([+-]\d+)$", r"\1e\2", token.strip().upper().replace("D", "E").replace("E ", "E")) for token in tokens]
    return found


def boeing(path, _):
    """Harwell-Boeing and Rutherford-Boeing, in which the fourth card has the formats, and a fifth only tells of right-hand sides."""
    lines = content(path).decode("latin-1").splitlines()
    code, numbers = lines[2][:3].lower(), lines[2][3:].split()
    formats = re.findall(r"\([^()]*\)", lines[3])
    right = [int(n) for n in lines[1].split()]
    del lines[:5 if len(right) > 4 and right[4] > 0 else 4]
    nrows, ncolumns, n = (int(v) for v in numbers[:3])
    starts = [int(v) - 1 for v in cards(lines, ncolumns + 1, formats[0])]
    rows = numpy.array([int(v) - 1 for v in cards(lines, n, formats[1])])
    columns = numpy.repeat(numpy.arange(ncolumns), numpy.diff(starts))
    values = numpy.ones(n)
    if code[0] != "p":
        values = numpy.array([float(v) for v in cards(lines, 2 * n if code[0] == "c" else n, formats[2])])
        values = values.view("c16") if code[0] == "c" else values
    if code[1] in "shz":
        off = rows != columns
        other = {"s": values, "h": numpy.conj(values), "z": -values}[code[1]][off]
        rows, columns, values = (numpy.concatenate(pair) for pair in ((rows, columns[off]), (columns, rows[off]), (values, other)))
    return coordinates(rows, columns, values, (nrows, ncolumns))


def petsc(path, _):
    """The name has the type of the values."""
    kind = {"complex": "c", "real": "f", "tiny_system": "f"}[next(k for k in ("complex", "real", "tiny_system") if k in path)]
    width = 4 if "float32" in path else 8
    head = numpy.fromfile(path, ">i4", 4)
    counts = numpy.fromfile(path, ">i4", head[1], offset=16)
    columns = numpy.fromfile(path, ">i4", head[3], offset=16 + 4 * head[1])
    values = numpy.fromfile(path, ">%s%d" % (kind, 2 * width if kind == "c" else width), head[3], offset=16 + 4 * (head[1] + head[3]))
    return coordinates(numpy.repeat(numpy.arange(head[1]), counts), columns, values, (head[1], head[2]))


def sptensor(path, _):
    """Entries of a matrix or a tensor as text, counted from 0: {coordinates: value}."""
    lines = [line.split() for line in content(path).decode().splitlines() if not line.startswith("//")]
    lines = lines[4:] if lines[0][0] == "sptensor" else lines
    return {tuple(int(i) for i in line[:-1]): float(line[-1]) for line in lines if line}


def archive(path, name):
    return numpy.load(path)[name]


def entries(matrix):
    """{coordinates: value} without zeros."""
    if isinstance(matrix, dict):
        return matrix
    if scipy.sparse.issparse(matrix):
        m = matrix.tocoo()
        m.sum_duplicates()
        listed = zip(zip(m.row.tolist(), m.col.tolist()), m.data.tolist())
    else:
        listed = numpy.ndenumerate(matrix)
    return {at: value for at, value in listed if value != 0}


# By folder: the reader, and options.
readers = {"h5": (hdf5, []), "mat": (matlab, []), "hb-rb": (boeing, []), "npz": (archive, []), "petsc-binary": (petsc, []),
           "tensor-toolbox": (sptensor, ["--index-base=0"]), "triplet": (sptensor, ["--index-base=0"]), "metis-graph": (None, [])}
# What is refused in words, with some of them: of kinds that are not read, and a symmetric matrix with entries of both triangles.
refused = {"A_tensor.txt": "Tensor Toolbox", "B_matrix.txt": "Tensor Toolbox", "E_ktensor.txt": "ktensor", "young1c.csa": "both",
           "metis-graph": "is a METIS graph"}
# The values of this one can be doubles, too: nothing in the file tells.
more_options = {"hpd-complex-int32-float32": ["--type=c64"]}


def check(path, kind):
    name = os.path.basename(path)
    reader, options = readers[kind]
    options = options + more_options.get(name, [])
    words = refused.get(name, refused.get(kind))
    out = os.path.join(folder, "out.npz")
    if words is not None:
        code, _, said = run("tconv", "-q", path, "-o", out)
        expect(path, code in (1, 2) and said.count("\n") == 0 and words in said, said)
        return
    groups = [""]
    if kind in ("h5", "mat", "npz"):
        code, listed, said = run("tinfo", "--brief", "--json", path)
        groups = [m["group"] for m in json.loads(listed)["tensors"]] if code == 0 else []
        expect(path + ": tinfo --brief", groups, said)
    for group in groups[:3] + groups[-1:] if len(groups) > 4 else groups:
        want = (hdf5 if kind == "mat" and h5py.is_hdf5(path) else reader)(path, group)
        code, _, said = run("tconv", "-q", path + (":" + group if group else ""), *options, "-o", out)
        if code:
            expect(path + ":" + group, False, said)
            continue
        with numpy.load(out) as ours:
            shape = tuple(ours["shape"])
            got = scipy.sparse.load_npz(out) if "format" in ours else dict(
                zip(map(tuple, ours["coords"].T.tolist()), ours["data"].tolist()))
        expect(path + ":" + group, isinstance(want, dict) or shape == want.shape,
               "shape %s" % (shape,))
        expect(path + ":" + group, entries(got) == entries(want), "other entries")


other, folder = shared("data", "other"), own_folder()
for kind in sorted(os.listdir(other)):
    for place, _, names in sorted(os.walk(os.path.join(other, kind))):
        for name in sorted(names):
            check(os.path.join(place, name), kind)
end(100)
