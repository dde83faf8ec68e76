"""Dialects in containers, as one table: what a container holds is a tree of groups, attributes and arrays, and a dialect says which tree
is a matrix. Each dialect in each container that can hold it gives the same entries, names and types, whole, in parts and under a limit
of memory; trees that lie are refused in each of them, and so are files that are cut. What we write is read back by the same checks.
With the argument `all`, each pair has each type, each lie and each cut; otherwise these go round the pairs."""
import json
import os
import shutil
import sys
import warnings
import zipfile

from checks import case_runs, end, expect, own_folder, run, skip

try:
    import numpy
    import scipy.io
    import scipy.sparse
except ImportError:
    skip("no scipy")
try:
    import h5py
except ImportError:
    h5py = None

ALL = sys.argv[1:] == ["all"]
rng = numpy.random.default_rng(3)
ROWS, COLUMNS = ["row%d" % i for i in range(90)], ["column%d" % i for i in range(40)]
TYPES = "f8", "f4", "i8", "i4", "i2", "i1", "u1", "u2", "u4", "u8"


# ---- containers: write a tree {path: attributes or array}; a group is a dict, an array may have attributes: (array, dict) ----

def parts_of(node):
    return (None, node) if isinstance(node, dict) else node if isinstance(node, tuple) else (node, {})


def put_hdf5(path, tree, **how):
    head = how.pop("head", None)
    with h5py.File(path, "w", **({"userblock_size": 512} if head else {})) as f:
        for name, node in tree.items():
            array, attributes = parts_of(node)
            if array is None:
                at = f.require_group(name or "/")
            elif array.dtype.kind in "SO":
                at = f.create_dataset(name, data=array)
            else:
                at = f.create_dataset(name, data=array, **(how if array.ndim and array.size else {}))
            for key, value in attributes.items():
                at.attrs[key] = value
    if head:
        with open(path, "r+b") as f:
            f.write(head)


def put_hdf5_chunked(path, tree, **how):
    put_hdf5(path, tree, chunks=True, compression="gzip", shuffle=True, **how)


def chunks_of(array, size):
    for first in range(0, len(array), size):
        part = array[first:first + size]
        yield first // size, numpy.concatenate([part, numpy.zeros((size - len(part),) + array.shape[1:], array.dtype)])


def keys_of_zarr(tree, version):
    """(key, bytes) of a store, after the specification. Texts have a fixed length, which only version 2 specifies."""
    folders = {""} | {"/".join(name.split("/")[:n]) for name in tree for n in range(1, name.count("/") + 1)}
    for folder in sorted(folders - set(tree)):
        tree = dict(tree, **{folder: {}})
    for name, node in tree.items():
        array, attributes = parts_of(node)
        at = name + "/" if name else ""
        if array is None and version == 2:
            yield at + ".zgroup", b'{"zarr_format": 2}'
        elif array is None:
            yield at + "zarr.json", json.dumps({"zarr_format": 3, "node_type": "group", "attributes": attributes}).encode()
        elif version == 3 and array.dtype.kind in "SO":
            continue
        else:
            size = 64
            meta = {"zarr_format": 2, "shape": array.shape, "chunks": (size,) + array.shape[1:], "dtype": array.dtype.str, "compressor": None,
                    "fill_value": None if array.dtype.kind == "S" else 0, "filters": None, "order": "C"}
            if version == 3:
                kinds = {"i": "int%d", "u": "uint%d", "f": "float%d"}
                truth = array.dtype.kind == "b"
                meta = {"zarr_format": 3, "node_type": "array", "shape": array.shape, "data_type": "bool" if truth else kinds[array.dtype.kind] % (8 * array.dtype.itemsize),
                        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": meta["chunks"]}},
                        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}}, "fill_value": False if truth else 0,
                        "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}], "attributes": attributes}
            yield at + (".zarray" if version == 2 else "zarr.json"), json.dumps(meta).encode()
            for i, chunk in chunks_of(array, size):
                place = [str(i)] + ["0"] * (array.ndim - 1)
                yield at + (".".join(place) if version == 2 else "/".join(["c"] + place)), chunk.tobytes()
        if attributes and version == 2:
            yield at + ".zattrs", json.dumps(attributes).encode()


def put_zarr(version):
    def put(path, tree):
        for key, data in keys_of_zarr(tree, version):
            file = os.path.join(path, key)
            os.makedirs(os.path.dirname(file), exist_ok=True)
            with open(file, "wb") as f:
                f.write(data)
    return put


def put_zip(version):
    def put(path, tree):
        with zipfile.ZipFile(path, "w") as z:
            for key, data in keys_of_zarr(tree, version):
                z.writestr(key, data)
    return put


def put_npz(write):
    def put(path, tree):
        arrays = {}
        for name, node in tree.items():
            array, attributes = parts_of(node)
            arrays.update(attributes)
            if array is not None:
                arrays[name] = array
        write(path, **arrays)
    return put


CONTAINERS = {  # name: (suffix, writer, holds groups, holds texts)
    "HDF5": (".h5", put_hdf5, True, True),
    "HDF5 in chunks": (".h5", put_hdf5_chunked, True, True),
    "Zarr 2": (".zarr", put_zarr(2), True, True),
    "Zarr 3": (".zarr", put_zarr(3), True, False),
    "Zarr 2 in ZIP": (".zarr.zip", put_zip(2), True, True),
    "Zarr 3 in ZIP": (".zarr.zip", put_zip(3), True, False),
    "NumPy's archive": (".npz", put_npz(numpy.savez), False, False),
    "NumPy's archive, deflated": (".npz", put_npz(numpy.savez_compressed), False, False),
}


# ---- dialects: the tree of a csr or csc matrix ----

def texts(names):
    return numpy.array(names, "S12")


def slices(a, indices="i4", pointers="i8"):
    return a.data, a.indices.astype(indices), a.indptr.astype(pointers)


def anndata(a):
    d, i, p = slices(a)
    return {"": {"encoding-type": "anndata", "encoding-version": "0.1.0"},
            "obs": {"encoding-type": "dataframe", "_index": "_index"}, "obs/_index": texts(ROWS),
            "var": {"encoding-type": "dataframe", "_index": "_index"}, "var/_index": texts(COLUMNS),
            "X": {"encoding-type": a.format + "_matrix", "encoding-version": "0.1.0", "shape": list(a.shape)}, "X/data": d, "X/indices": i, "X/indptr": p}


def old_anndata(a):
    d, i, p = slices(a, "i4", "i4")
    return {"X": {"h5sparse_format": a.format, "h5sparse_shape": list(a.shape)}, "X/data": d, "X/indices": i, "X/indptr": p,
            "obs/index": texts(ROWS), "var/index": texts(COLUMNS)}


def tenx3(a):
    d, i, p = slices(a, "i8", "u8")
    return {"matrix/data": d, "matrix/indices": i, "matrix/indptr": p, "matrix/shape": numpy.array(a.shape, "i4"), "matrix/barcodes": texts(COLUMNS),
            "matrix/features/id": texts(ROWS)}


def tenx2(a):
    d, i, p = slices(a, "u4", "u4")
    return {"mm10/data": d, "mm10/indices": i, "mm10/indptr": p, "mm10/shape": numpy.array(a.shape), "mm10/barcodes": texts(COLUMNS), "mm10/genes": texts(ROWS)}


def h5seurat(a):
    d, i, p = slices(a, "i4", "i4")
    at = "assays/RNA/counts"
    return {"": {"active.assay": "RNA"}, at: {"dims": list(a.shape)}, at + "/data": d, at + "/indices": i, at + "/indptr": p, "cell.names": texts(COLUMNS),
            "assays/RNA/features": texts(ROWS)}


def matlab(a):
    d, i, p = slices(a, "u8", "u8")
    return {"A": {"MATLAB_sparse": a.shape[0], "MATLAB_class": "double"}, "A/ir": i, "A/jc": p, "A/data": d}


def toolbox(a):
    b = a.tocoo()
    return {"X/subs": numpy.array([b.row + 1, b.col + 1], "f8"), "X/vals": b.data, "X/size": numpy.array([a.shape], "f8")}


def octave(a):
    d, i, p = slices(a, "i4", "i4")
    return {"A": {"OCTAVE_NEW_FORMAT": 1}, "A/value/nr": numpy.array([a.shape[0]], "i4"), "A/value/nc": numpy.array([a.shape[1]], "i4"), "A/value/cidx": p,
            "A/value/ridx": i, "A/value/data": d}


def binsparse(a):
    d, i, p = slices(a, "i4", "i4")
    d = {"values": d, "indices_1": i, "pointers_to_1": p}
    word = {"f8": "float64", "f4": "float32"}.get(a.dtype.str[1:], a.dtype.name)
    about = {"binsparse": {"version": "0.1.0", "format": a.format.upper(), "shape": list(a.shape), "number_of_stored_values": a.nnz,
                           "data_types": {"values": word, "indices_1": "int32", "pointers_to_1": "int32"}}}
    return dict({"": {"binsparse": json.dumps(about)}}, **d)


def scipy_(a):
    d, i, p = slices(a, "i4", "i4")
    return {"": {"format": a.format}, "data": d, "indices": i, "indptr": p, "shape": numpy.array(a.shape)}


def scipy_coo(a):
    b = a.tocoo()
    return {"": {"format": "coo"}, "data": b.data, "row": b.row, "col": b.col, "shape": numpy.array(a.shape)}


def scipy_coords(a):
    b = a.tocoo()
    return {"": {"format": "coo"}, "data": b.data, "coords": numpy.array([b.row, b.col]), "shape": numpy.array(a.shape)}


def in_group(dialect):
    """The same tree in a group: the root of HDF5 and Zarr has several."""
    def tree(a):
        return {("m/" + name).rstrip("/"): node for name, node in dialect(a).items()}
    return tree


def pydata(a):
    b = a.tocoo()
    return {"data": b.data, "coords": numpy.array([b.row, b.col]), "shape": numpy.array(a.shape), "fill_value": numpy.zeros((), a.dtype)}


def gcxs(a):
    d, i, p = slices(a)
    return {"data": d, "indices": i, "indptr": p, "compressed_axes": numpy.array([int(a.format == "csc")]), "shape": numpy.array(a.shape)}


MATLAB_HEAD = b"MATLAB 7.3 MAT-file".ljust(124) + b"\0\2IM"
DIALECTS = [  # name, tree, formats, names, in groups, the array of indices (beyond the dim, wrong type), the first bytes of HDF5
    ("AnnData", anndata, ("csr", "csc"), True, True, "X/indices", None),
    ("AnnData before 0.7", old_anndata, ("csr", "csc"), True, True, "X/indices", None),
    ("10x 3", tenx3, ("csc",), True, True, "matrix/indices", None),
    ("10x 2", tenx2, ("csc",), True, True, "mm10/indices", None),
    ("h5Seurat", h5seurat, ("csc",), True, True, "assays/RNA/counts/indices", None),
    ("MATLAB 7.3", matlab, ("csc",), False, True, "A/ir", MATLAB_HEAD),
    ("Tensor Toolbox", toolbox, ("csr",), False, True, "X/subs", MATLAB_HEAD),
    ("Octave", octave, ("csc",), False, True, "A/value/ridx", None),
    ("Binsparse", binsparse, ("csr", "csc"), False, None, "indices_1", None),
    ("SciPy", scipy_, ("csr", "csc"), False, False, "indices", None),
    ("SciPy's coo", scipy_coo, ("csr",), False, False, "col", None),
    ("SciPy's coords", scipy_coords, ("csr",), False, False, "coords", None),
    ("SciPy's, in a group", in_group(scipy_), ("csr", "csc"), False, True, "m/indices", None),
    ("SciPy's coo, in a group", in_group(scipy_coo), ("csr",), False, True, "m/col", None),
    ("pydata/sparse's COO", pydata, ("csr",), False, False, "coords", None),
    ("pydata/sparse's GCXS", gcxs, ("csr", "csc"), False, False, "indices", None),
]
def cells_of_anndata(a):
    return dict({n: x for n, x in anndata(a.tocsr()).items() if not n.startswith("X")}, X=(a.toarray(), {"encoding-type": "array"}))


def cells_of_matlab(a):
    return {"A": (a.toarray().T, {"MATLAB_class": "double"})}


def cells_of_octave(a):
    return {"A": {"OCTAVE_NEW_FORMAT": 1}, "A/type": numpy.array([b"matrix"], "S12"), "A/value": a.toarray().T}


def cells_of_loom(a):
    return {"": {}, "matrix": a.toarray(), "row_attrs/Gene": texts(ROWS), "col_attrs/CellID": texts(COLUMNS)}


def cells(a):
    return {"a": a.toarray()}


def cells_by_columns(a):
    return {"a": numpy.asfortranarray(a.toarray())}


def in_blocks(a):
    b = a.tobsr((5, 4))
    b.sort_indices()
    b.data[1] = 0  # a block without an entry
    return b


def blocks(a):
    d, i, p = slices(in_blocks(a), "i4", "i4")
    return {"": {"format": "bsr"}, "data": d, "indices": i, "indptr": p, "shape": numpy.array(a.shape)}


def diagonals(a):
    with warnings.catch_warnings(): # of many diagonals
        warnings.simplefilter("ignore")
        b = a.todia()
    return {"": {"format": "dia"}, "data": b.data, "offsets": b.offsets, "shape": numpy.array(a.shape)}


CELLS = [  # all cells, or blocks of them: name, tree, in groups, the first bytes of HDF5
    ("AnnData, all cells", cells_of_anndata, True, None),
    ("MATLAB 7.3, all cells", cells_of_matlab, True, MATLAB_HEAD),
    ("Octave, all cells", cells_of_octave, True, None),
    ("loom", cells_of_loom, True, None),
    ("NumPy's array", cells, False, None),
    ("NumPy's array by columns", cells_by_columns, False, None),
    ("SciPy's bsr", blocks, False, None),
    ("SciPy's bsr, in a group", in_group(blocks), True, None),
    ("SciPy's dia", diagonals, False, None),
]
WHOLE = {"Tensor Toolbox", "SciPy's coords"}  # HDF5 and Zarr read a row of an array of two dimensions with the whole only


def fresh(path):
    if os.path.isdir(path):
        shutil.rmtree(path)
    elif os.path.exists(path):
        os.remove(path)


def put(path, container, tree, head=None):
    fresh(path)
    put_it = CONTAINERS[container][1]
    put_it(path, tree, **({"head": head} if head and "HDF5" in container else {}))


def entries(path, *args):
    """(entries, what was said, what --json says); the entries are None after an error."""
    fresh("o.npz")
    code, told, said = run("tconv", "-q", path, "-o", "o.npz", "-f", "coo", "--json", *args, timeout=120)
    expect("exit code of " + path, code in (0, 1, 2) and said.count("\n") == 0, "%s %s" % (code, said))
    if code:
        return None, said, None
    with numpy.load("o.npz") as z:
        return (z["data"].dtype, list(zip(z["row"].tolist(), z["col"].tolist(), z["data"].tolist()))), said, json.loads(told)


def in_parts(path, *args):
    os.environ["TSR_STREAM_BUCKET"] = "60"
    try:
        return entries(path, *args)
    finally:
        del os.environ["TSR_STREAM_BUCKET"]


def wanted(a):
    b = scipy.sparse.csr_matrix(a)
    b.sort_indices()
    b = b.tocoo()
    return a.dtype, list(zip(b.row.tolist(), b.col.tolist(), b.data.tolist()))


def check(what, path, a, streamed):
    whole, said, _ = entries(path)
    expect(what, whole == wanted(a), said + str(whole)[:300])
    parts, said, told = in_parts(path)
    expect(what + ", in parts", parts == whole, said)
    if streamed:
        expect(what + ", is read in parts", told and told["seconds"]["read"] == 0, str(told))
    limited, said, _ = entries(path, "--memory=80M")
    expect(what + ", --memory", limited == whole, said)


def pairs():
    for name, tree, forms, named, groups, indices, head in DIALECTS:
        for container, (suffix, _, has_groups, has_texts) in CONTAINERS.items():
            if (h5py is None and "HDF5" in container) or groups is not None and groups != has_groups:
                continue
            yield name, tree, forms, named and has_texts, indices, head, container, suffix


def some(things, number, most):
    """All of the things, or some of them: others for each number."""
    things = list(things)
    return things if ALL else [t for i, t in enumerate(things) if (i + number) % -(-len(things) // most) == 0]


def read_all_pairs(a):
    for number, (name, tree, forms, named, indices, head, container, suffix) in enumerate(pairs()):
        path = "a" + suffix
        for turn, form in enumerate(forms):
            if not case_runs(number + turn):
                continue
            what = "%s as %s in %s" % (name, form, container)
            m = a.asformat(form)
            put(path, container, tree(m), head)
            check(what, path, m, name not in WHOLE or "NumPy" in container)
            if named:
                code, _, said = run("tconv", "-q", path, "-o", "names.tns", "--labels=names")
                got = [open("names.%d.map" % k).read().split() for k in (0, 1)] if code == 0 else said
                expect(what + ", names", got == [ROWS, COLUMNS], str(got)[:200])
        for kind in some(TYPES, number, 2):
            m = (a * 4).astype(kind).asformat(forms[0])
            put(path, container, tree(m), head)
            whole, said, _ = entries(path)
            expect("%s of %s in %s" % (kind, name, container), whole == wanted(m), said + str(whole)[:200])


def read_truth(a):
    """Truth values: a pattern if all are true, else bytes, whole and in parts."""
    for number, (name, tree, forms, _, _, head, container, suffix) in enumerate(pairs()):
        if name == "Binsparse" or number % 3 and not ALL: # Binsparse has a type of its own
            continue
        what, path = "truth of %s in %s" % (name, container), "a" + suffix
        m = a.astype(bool).asformat(forms[0])
        for kind in some(("true", "mixed"), number, 1):
            m.data[:] = numpy.arange(len(m.data)) % 3 > 0 if kind == "mixed" else True
            put(path, container, tree(m), head)
            whole, said, _ = entries(path)
            parts, more, told = in_parts(path)
            expect("%s (%s)" % (what, kind), whole is not None and [v for _, _, v in whole[1]] == [v for _, _, v in wanted(m)[1]], said)
            expect("%s (%s), in parts" % (what, kind), parts == whole, said + more)
            if name not in WHOLE:
                expect("%s (%s), is read in parts" % (what, kind), told and told["seconds"]["read"] == 0, str(told))


def read_cells(a):
    """Arrays of all cells, blocks and diagonals in each container: they are read in parts where they are not read as a whole. The arrays of the file that
    is written are those of the source, zeros too."""
    for number, (name, tree, groups, head) in enumerate(CELLS):
        holds = [c for c, (_, _, has_groups, has_texts) in CONTAINERS.items()
                 if has_groups == groups and (has_texts or name not in ("AnnData, all cells", "Octave, all cells", "loom"))]
        for container in some([c for c in holds if h5py or "HDF5" not in c], number, 3):
            what, path = name + " in " + container, "c" + CONTAINERS[container][0]
            m = a.astype("f4" if number % 2 else "f8")
            put(path, container, tree(m), head)
            if "bsr" in name:
                m = scipy.sparse.csr_matrix(in_blocks(m).toarray())
            check(what, path, m, True)
            made = []
            for bucket in "", "60":
                fresh("o.h5")
                code, told, said = run("tconv", "-q", path, "-o", "o.h5", "--json", env=dict(os.environ, **({"TSR_STREAM_BUCKET": bucket} if bucket else {})))
                made.append((code, said, open("o.h5", "rb").read() if code == 0 else None))
                facts = json.loads(told) if code == 0 else {}
                expect(what + ", the number of entries", facts.get("nnz") == m.count_nonzero(), told)
            expect(what + ", the same file in parts", made[0] == made[1] and made[0][0] == 0, str(made)[:300])


def read_texts_and_arrays(a):
    """Octave's text, and an array of NumPy in a file of its own."""
    b = scipy.sparse.csc_matrix(a).tocoo()
    head = "# Created by Octave 8.4.0\n# name: A\n# type: %s\n"
    with open("sparse.octave", "w") as f:
        f.write(head % "sparse matrix" + "# nnz: %d\n# rows: %d\n# columns: %d\n" % (b.nnz, *b.shape))
        f.writelines("%d %d %r\n" % (i + 1, j + 1, float(v)) for i, j, v in zip(b.row, b.col, b.data))
    with open("cells.octave", "w") as f:
        f.write(head % "matrix" + "# rows: %d\n# columns: %d\n" % b.shape)
        f.writelines(" " + " ".join("%r" % float(v) for v in row) + "\n" for row in a.toarray())
    with open("planes.octave", "w") as f:
        f.write(head % "matrix" + "# ndims: 2\n %d %d\n" % b.shape)
        f.writelines(" %r\n" % float(v) for v in a.toarray().T.ravel())
    numpy.save("rows.npy", a.toarray().astype(">f4"))
    numpy.save("columns.npy", numpy.asfortranarray(a.toarray()))
    for path in "sparse.octave", "cells.octave", "planes.octave", "rows.npy", "columns.npy":
        check(path, path, a.astype("f4") if path == "rows.npy" else a, True)
    for damage in lambda t: t[:-40], lambda t: t.replace("# rows: 90", "# rows: 9"), lambda t: t.replace(".75", ".x", 1):
        with open("bad.octave", "w") as f:
            f.write(damage(open("sparse.octave").read()))
        expect("a damaged text", entries("bad.octave")[0] is None and in_parts("bad.octave")[0] is None, "")


def lies(tree, indices):
    """(what, tree) for each fault, which stands in one array."""
    def with_array(name, array):
        return dict(tree, **{name: array})

    a = tree[indices]
    values = next(n for n in tree if n.split("/")[-1] in ("data", "vals", "values"))
    pointers = next((n for n in tree if n.split("/")[-1] in ("indptr", "jc", "cidx", "pointers_to_1")), None)
    far = a.copy()
    far.flat[3] = 99 if a.dtype.itemsize > 1 else 120
    yield "an index beyond the dim", with_array(indices, far)
    if a.dtype.kind != "u":
        negative = a.copy()
        negative.flat[3] = -5
        yield "a negative index", with_array(indices, negative)
    yield "too few values", with_array(values, tree[values][:-1])
    half = a.astype("f8")
    half.flat[3] = 0.5
    yield "an index that is not an integer", with_array(indices, half)
    yield "no indices", {n: x for n, x in tree.items() if n != indices}
    if pointers:
        p = tree[pointers]
        falls = p.copy()
        falls[2], falls[3] = p[3] + 1, p[2]
        yield "pointers that fall", with_array(pointers, falls)
        yield "too few pointers", with_array(pointers, p[:-2])
        beyond = p.copy()
        beyond[-1] += 7
        yield "pointers beyond the entries", with_array(pointers, beyond)


def refuse_lies(a):
    """Each fault is refused in one sentence, whole and in parts."""
    for number, (name, tree, forms, _, indices, head, container, suffix) in enumerate(pairs()):
        if not case_runs(number):
            continue
        good, path = tree(a.asformat(forms[0])), "bad" + suffix
        for fault, bad in some(lies(good, indices), number, 2):
            if (name, fault) in (("MATLAB 7.3", "too few pointers"), ("Tensor Toolbox", "no indices")):
                continue  # another matrix
            put(path, container, bad, head)
            for way in entries, in_parts:
                got, said, _ = way(path)
                expect("%s of %s in %s, %s" % (fault, name, container, way.__name__), got is None and path in said, "%s %s" % (said, str(got)[:80]))


def refuse_cuts(a):
    """A file that is cut anywhere, or with a byte changed, gives an error or a matrix: the same, whole and in parts."""
    for name, tree, forms, _, _, head, container, suffix in some(pairs(), 0, 20):
        path = "cut" + suffix
        put(path, container, tree(a.asformat(forms[0])), head)
        if os.path.isdir(path):
            continue  # cli_zarr_written damages each file of a store
        data = open(path, "rb").read()
        for at in rng.integers(0, len(data), 3):
            for kind, bad in ("cut", data[:at]), ("changed", data[:at] + bytes([data[at] ^ 0xff]) + data[at + 1:]):
                with open(path, "wb") as f:
                    f.write(bad)
                whole, parts = entries(path), in_parts(path)
                expect("%s in %s, %s at %d" % (name, container, kind, at), (whole[0] is None) == (parts[0] is None), "%s / %s" % (whole[1], parts[1]))


WRITTEN = [  # what is written by us: a name, the arguments, the formats
    ("AnnData", ".h5ad", [], ("csr", "csc")), ("AnnData", ".zarr", [], ("csr", "csc")), ("AnnData", ".zarr", ["--zarr-version=3"], ("csr", "csc")),
    ("AnnData", ".zarr.zip", [], ("csr",)), ("10x", ".10x.h5", [], ("csc",)), ("Binsparse", ".h5", [], ("csr", "coo", "dcsr")),
    ("Binsparse", ".bsp.zarr", [], ("csr", "coo", "dcsc")), ("Binsparse", ".bsp.zarr", ["--zarr-version=3", "--zarr-shards=2"], ("csr",)),
    ("Binsparse", ".bsp.zarr.zip", [], ("csr",)), ("Binsparse", ".bsp.npz", ["--deflate=3"], ("csr", "coo")), ("SciPy", ".npz", [], ("csr", "csc", "coo")),
    ("SciPy", ".npz", ["--deflate=3"], ("csr", "coo")), ("MATLAB 5", ".mat", ["--mat-version=5"], ("csc",)), ("MATLAB 7", ".mat", ["--mat-version=7"], ("csc",)),
    ("MATLAB 7.3", ".mat", ["--mat-version=7.3"], ("csc",)), ("R", ".rds", [], ("csc",)),
]


def read_what_is_written(a):
    scipy.sparse.save_npz("source.npz", a)
    for name, suffix, options, forms in WRITTEN:
        if h5py is None and suffix in (".h5ad", ".10x.h5", ".h5"):
            continue
        for form in forms:
            path, what = "written" + suffix, "%s, written as %s%s %s" % (name, form, suffix, options)
            fresh(path)
            code, _, said = run("tconv", "-q", "source.npz", "-o", path, "-f", form, *options)
            expect(what, code == 0, said)
            check(what, path, a, streamed=False)


own_folder()
matrix = scipy.sparse.random(90, 40, 0.2, "csr", "f8", random_state=rng)
matrix.data = rng.integers(1, 30, matrix.nnz) / 4
read_all_pairs(matrix)
read_truth(matrix)
read_cells(matrix)
read_texts_and_arrays(matrix)
refuse_lies(matrix)
refuse_cuts(matrix)
read_what_is_written(matrix)
end(least=1000 if not ALL else 5000)
