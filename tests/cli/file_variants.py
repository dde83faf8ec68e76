"""Rarer forms of files of other software, made here by that software or byte by byte after its documents: each is read with
the content that was put in, or refused with the words that say why."""
import os
import struct
import warnings

from checks import content, end, expect, own_folder, run, skip

try:
    import h5py
    import numpy
    import scipy.io
    import scipy.sparse
except ImportError:
    skip("no scipy or h5py")
warnings.simplefilter("ignore")


def put(path, content):
    with open(path, "wb") as f:
        f.write(content if isinstance(content, bytes) else content.encode())


def reads(what, path, want, *options):
    """The file (or file:object) has this content, and tinfo describes it without reading it."""
    out = os.path.join(folder, "out.npy")
    code, _, said = run("tconv", "-q", path, *options, "-o", out)
    expect(what, code == 0 and numpy.array_equal(numpy.load(out), numpy.asarray(want)), said)
    code, _, said = run("tinfo", "--brief", path)
    expect(what + ": --brief", code == 0, said)


def reads_in_parts(what, path):
    """The file is converted without being read as a whole, to the bytes of the conversion in memory."""
    out = [os.path.join(folder, name) for name in ("out.npz", "parts.npz")]
    run("tconv", "-q", path, "-o", out[0])
    code, answer, said = run("env", "TSR_STREAM_BUCKET=60", "tconv", "-q", path, "-o", out[1], "--json")
    same = [content(name) for name in out]
    expect(what, code == 0 and '"read": 0,' in answer and same[0] == same[1], said + answer)


def refuses(what, path, words, *options):
    code, _, said = run("tconv", "-q", path, *options, "-o", os.path.join(folder, "x.h5"))
    expect(what, code in (1, 2) and said.count("\n") == 0 and all(w in said for w in words), said)


def check_npz(path):
    """Arrays that NumPy has saved column-major."""
    blocks = numpy.arange(1.0, 13).reshape(2, 2, 3)
    m = scipy.sparse.bsr_matrix((blocks, [1, 0], [0, 1, 2]), shape=(4, 6))
    numpy.savez(path, data=numpy.asfortranarray(blocks), indices=m.indices, indptr=m.indptr, format=b"bsr", shape=m.shape)
    reads("bsr by columns", path, m.toarray())
    diagonals = numpy.arange(1.0, 11).reshape(5, 2).T
    numpy.savez(path, data=diagonals, offsets=numpy.array([1, -2]), format=b"dia", shape=[4, 5])
    coords = numpy.array([[0, 1, 2, 2], [3, 0, 1, 2], [1, 1, 0, 4]], ">i8", order="F")
    full = numpy.zeros((3, 4, 5))
    full[tuple(coords)] = [1, 2, 3, 4.5]
    numpy.savez(path + "3.npz", data=[1, 2, 3, 4.5], coords=coords, shape=full.shape, fill_value=0.0)
    reads("coordinates by columns", path + "3.npz", full)
    numpy.savez(path + "a.npz", a=numpy.arange(6).reshape(2, 3), words=numpy.array(["x"]), objects=numpy.array([{}]))
    code, listed, said = run("tinfo", "--brief", path + "a.npz")
    expect("arrays: --brief", code == 0 and "npz:a: 2 x 3, 6 cells, i64" in listed and "npz:words: 1, 1 cell, text" in listed
           and "npz:objects: " in listed and "pickle" in listed, said + listed)
    reads("dia by columns", path, scipy.sparse.dia_matrix((diagonals, [1, -2]), shape=(4, 5)).toarray())


def check_filters(path):
    """h5py's filters on arrays of every kind; chunks that are not stored."""
    m = scipy.sparse.random(30, 20, 0.3, "csr", random_state=1)
    kinds = {"<f8": {"compression": "lzf", "shuffle": True}, ">f4": {"compression": "gzip", "shuffle": True, "fletcher32": True},
             "?": {"compression": "lzf"}, "<f2": {"shuffle": True}, ">i2": {"fletcher32": True}, "<i8": {}, "<u4": {"compression": "gzip"}}
    for type, filters in kinds.items():
        m.data = (numpy.arange(m.nnz) % 7).astype(type)
        full = numpy.zeros(m.shape, type)
        full[numpy.repeat(numpy.arange(30), numpy.diff(m.indptr)), m.indices] = m.data
        with h5py.File(path, "w") as f:
            f.attrs["encoding-type"], f.attrs["encoding-version"] = "anndata", "0.1.0"
            g = f.create_group("X")
            g.attrs["encoding-type"], g.attrs["encoding-version"], g.attrs["shape"] = "csr_matrix", "0.1.0", m.shape
            for name in "data", "indices", "indptr":
                g.create_dataset(name, data=getattr(m, name), chunks=(16,), **filters)
            f.create_dataset("layers/d", data=full, chunks=(7, 20 if type == "?" else 6), **filters)
            part = f.create_dataset("layers/part", (30, 20), type, chunks=(8, 8), fillvalue=1, **filters)
            part[8:16, 8:16] = 0
        want = full.astype("f4" if type == "<f2" else full.dtype)
        reads("chunks of %s" % type, path, want)
        if type[1:] in ("f8", "f4", "i2", "u4"):
            reads_in_parts("chunks of %s, in parts" % type, path)
        reads("chunks of %s, two dimensions" % type, path + ":layers/d", want)
        if not filters:
            continue
        want = numpy.ones((30, 20), want.dtype)
        want[8:16, 8:16] = 0
        reads("chunks of %s, chunks that are not stored" % type, path + ":layers/part", want)
    with h5py.File(path, "r+") as f:
        del f["X/indices"]
        f.create_dataset("X/indices", data=m.indices, chunks=(16,), scaleoffset=8)
        f.create_dataset("layers/sum", data=full, chunks=(30, 20), fletcher32=True)
        f["layers/sum"].id.write_direct_chunk((0, 0), bytes(full.nbytes) + b"\1\0\0\0")
        f.create_dataset("layers/offsets", data=full.astype("i4"), chunks=(8, 8), scaleoffset=4)
    refuses("scaleoffset", path, ["(scaleoffset)", "gzip"])
    refuses("scaleoffset of a dense array", path + ":layers/offsets", ["(scaleoffset)", "gzip"])
    refuses("a checksum", path + ":layers/sum", ["does not make"])
    with h5py.File(path, "w") as f:
        g = f.create_group("X")
        g.attrs["encoding-type"], g.attrs["encoding-version"], g.attrs["shape"] = "csr_matrix", "0.1.0", m.shape
        for name in "data", "indices", "indptr":
            g.create_dataset(name, data=getattr(m, name), chunks=(16,), compression="lzf")
        f.create_dataset("layers/d", data=full, chunks=(7, 6), compression="lzf")
        f["X/data"].id.write_direct_chunk((0,), b"\x07abc")
        f["layers/d"].id.write_direct_chunk((0, 0), b"\xff\xff\xff\xff")
    refuses("lzf that is damaged", path, ["does not make"])
    refuses("lzf that is damaged", path + ":layers/d", ["does not make"])


def check_hdf5(path):
    """Octave's dense matrices; tables without matrices."""
    a = numpy.array([[1, 2, 3], [4, 5, 6.5]])
    with h5py.File(path, "w") as f:
        for name, type, value in (("D", b"matrix", a.T), ("P/value/Q/value/E", b"int8 matrix", numpy.array([[1], [2]], "i1")),
                                  ("text", b"string", numpy.array([[65], [66]], "i1"))):
            g = f.create_group(name)
            g.attrs["OCTAVE_NEW_FORMAT"] = 1
            g["type"], g["value"] = numpy.bytes_(type), value
        g = f.create_group("none")
        g.attrs["OCTAVE_NEW_FORMAT"], g.attrs["OCTAVE_EMPTY_MATRIX"] = 1, numpy.int32(1)
        g["type"], g["value"] = numpy.bytes_(b"matrix"), [0, 3]
    for name in "D", "D/value":
        reads("Octave's matrix", path + ":" + name, a)
    reads("a member of Octave's structs", path + ":P/Q/E", [[1, 2]])
    reads("Octave's empty matrix", path + ":none", numpy.zeros((0, 3)))
    refuses("Octave's text", path + ":text", ["not a kind of matrix"])
    with h5py.File(path, "w") as f:
        f.attrs["encoding-type"], f.attrs["encoding-version"] = "anndata", "0.1.0"
        for name in "obs", "var":
            f.create_group(name).attrs["encoding-type"] = "dataframe"
            f[name + "/n"] = numpy.arange(5)
            f[name + "/n"].attrs["encoding-type"] = "array"
    refuses("tables without a matrix", path, ["no matrix", "obs (dataframe), var (dataframe)"])
    with h5py.File(path, "w") as f:
        m = scipy.sparse.csr_matrix(a)
        g = f.create_group("check/point/old")
        g.attrs["h5sparse_format"], g.attrs["h5sparse_shape"] = b"csr", m.shape
        g["data"], g["indices"], g["indptr"] = m.data, m.indices, m.indptr
    reads("a matrix of h5sparse far inside", path, a)


def check_group(path):
    """HDF5 read beyond the names of a group that do not end, and followed free blocks without end."""
    with h5py.File(path, "w") as f:
        f.create_group("X")
    data = bytearray(content(path))
    at = data.index(b"HEAP")
    size, _, names = struct.unpack_from("<3Q", data, at + 8)
    for i in range(names + 8, names + size):
        data[i] = data[i] or ord("x")
    put(path, bytes(data))
    refuses("names without an end", path, ["damaged file"])
    struct.pack_into("<Q", data, at + 16, 16)
    struct.pack_into("<2Q", data, names + 16, 16, 8)
    data[names + size - 1] = 0
    put(path, bytes(data))
    refuses("free blocks in a circle", path, ["damaged file"])


def check_foreign(path):
    """Kinds without a plain magic number."""
    put(path + ".tfrecord", struct.pack("<QI", 20, 0x15293d5e) + bytes(24))
    refuses("TFRecord", path + ".tfrecord", ["TensorFlow", "numpy.savez"])
    os.makedirs(path + ".tdb/__schema")
    refuses("TileDB", path + ".tdb", ["TileDB", "numpy.savez"])
    for suffix, text, words in (
            # three neighbours each were read as the entries of a matrix, weights gave an error in a line
            (".graph", "4 6 0\n2 3 4\n1 3 4\n1 2 4\n1 2 3\n", ["METIS", "--from"]),
            (".graph", "%\n# messy\n  3 3 1\n2 5 3 6\n1 5 3 7\n1 6 2 7\n", ["METIS"]),
            (".graph", "3 3 0 0 0\n1 2\n0 2\n0 1\n", ["METIS"]),
            (".net", '% x\n*Vertices 2\n1 "a"\n2 "b"\n*Arcs\n1 2 1\n', ["Pajek", "networkx.read_pajek"]),
            (".net", "*network a\n*vertices 2\n", ["Pajek"]),
            (".xml", '<?xml version="1.0"?>\n<graphml>\n</graphml>\n', ["GraphML", "networkx.read_graphml"]),
            (".gexf", '<?xml version="1.0"?><gexf></gexf>', ["GEXF"]),
            (".gml", 'Creator "x"\ngraph\n[\n node [ id 1 ]\n]\n', ["GML", "networkx.read_gml"]),
            (".gml", "graph [\n]\n", ["GML"]),
            (".dot", "// x\n\ndigraph G {\n a -> b;\n}\n", ["Graphviz", "read_dot"]),
            (".gv", "graph { a -- b }", ["Graphviz"]),
            (".col", "c x\np edge 3 2\ne 1 2\ne 2 3\n", ["DIMACS", "grep"]),
            (".gr", "p sp 3 2\na 1 2 5\na 2 3 6\n", ["DIMACS"])):
        put(path + suffix, text)
        refuses("a graph in " + suffix, path + suffix, ["not supported"] + words)
    for suffix, text in ((".txt", "graph theory\n1 2\n"), (".xml", "<html>\n</html>\n"), (".col", "p 1 2\n"), (".graph", "a b\n")):
        put(path + suffix, text)
        refuses("not a graph: " + text, path + suffix, ["unknown file format"])
    put(path + ".graph", "1 1 5\n2 2 6\n")
    code, _, said = run("tconv", "-q", path + ".graph", "--from=tns", "-o", path + ".npy")
    expect("entries in a file .graph", code == 0 and numpy.load(path + ".npy").tolist() == [[5, 0], [0, 6]], said)


def check_mat(path):
    """Of several matrices, Problem/A is meant."""
    m = scipy.sparse.csc_matrix(numpy.array([[0, 2.5], [1, 0]]))
    scipy.io.savemat(path, {"Problem": {"Zeros": 2 * m, "A": m, "id": 7}})
    reads("the matrix of the SuiteSparse Collection", path, m.toarray())


def check_text(path):
    put(path + ".csv", "user,item,stars\nann,book,5\n")
    refuses("names", path + ".csv", [":2:1: expected an index", "'ann': use --relabel to number names"])
    for what, text, words in (("a first line with a wrong value", "0,1,2x\n1,2,3\n", [":1:5"]),
                              ("a first line without a value", "0,,2\n1,2,3\n", [":1:3"])):
        put(path + ".csv", text)
        refuses(what, path + ".csv", words)
    rows = "".join("%d,%d,%d.5\n" % (i, 3 * i % 100, i) for i in range(100))
    want = numpy.zeros((100, 100))
    want[range(100), [3 * i % 100 for i in range(100)]] = [i + 0.5 for i in range(100)]
    for what, text in (("plain", rows), ("quoted", rows.replace("42.5", '"42.5"')), ("with blanks", rows.replace(",42.5", ", 42.5 ")),
                       ("with CR LF", rows.replace("\n", "\r\n")), ("without the last line end", rows[:-1]),
                       ("with tabs", rows.replace(",", "\t")), ("with a comment", rows.replace("50,50", "#a,b\n50,50"))):
        put(path + ".csv", text)
        reads("CSV " + what, path + ".csv", want)
    for what, fault in (("empty field", "42,,26,42.5"), ("blank for a comma", "42 26,42.5"), ("first field empty", ",42,26,42.5"),
                        ("last field empty", "42,26,"), ("field more", "42,26,42.5,1"), ("fewer, then more", "42,26\n7,8,9,10"),
                        ("quote", '42,26,42.5"'), ("nothing but commas", ",,")):
        put(path + ".csv", rows.replace("42,26,42.5", fault))
        refuses("CSV with a fault: " + what, path + ".csv", [".csv:4"])
    for word, words in ("ktensor", "ktensor"), ("// a comment\ntensor", "dense tensor of the Tensor Toolbox"):
        put(path + ".txt", word + "\n2\n2 3\n1\n")
        refuses(word, path + ".txt", [words])
    put(path + ".smtx", "2, 3, 2\r\n0 1 2\r\n2 0\r\n")
    reads("SMTX with CR LF", path + ".smtx", [[0, 0, 1], [1, 0, 0]])
    put(path + ".smtx", "2, 3, 2\n0 1 2\n2 0\n1 1\n")
    refuses("SMTX with more lines", path + ".smtx", [".smtx:4"])
    put(path + ".edgelist", "0 1 {}\n1 2 {}\n")
    reads("edges of networkx", path + ".edgelist", [[0, 1, 0], [0, 0, 1], [0, 0, 0]])
    put(path + ".edgelist", "0 1 {'weight': 2}\n")
    refuses("attributes of networkx", path + ".edgelist", ["write_weighted_edgelist"])
    cards = "%-72s%-8s\n%14d%14d%14d%14d\nrua           %14d%14d%14d%14d\n%-16s%-16s\n" % ("none", "k", 1, 1, 0, 0, 2, 3, 0, 0, "(4I8)", "(4I8)")
    put(path + ".rb", cards + "%8d%8d%8d%8d\n" % (1, 1, 1, 1))
    reads("Rutherford-Boeing without entries", path + ".rb", numpy.zeros((2, 3)))
    put(path + ".rb",
        "%-72s%-8s\n%14d%14d%14d%14d\nrua           %14d%14d%14d%14d\n%-16s%-16s%-20s\n  1  2  3\n  1  2\n  1.5\n"
        % ("none", "k", 3, 1, 1, 1, 2, 2, 2, 0, "(26I3)", "(26I3)", "(16E5.1)"))
    refuses("Rutherford-Boeing with a short line", path + ".rb", [":7:", "expected a number, not the end of the line"])
    # Fortran's rules: a number without a point has the decimals of its format, and a scale factor holds where there is no exponent
    for form, text, want in (("(2F10.3)", "     12345", 12.345), ("(2F10.3)", "     1.5", 1.5), ("(2F10.3)", "   12345E1", 123.45),
                             ("(2F10.0)", "     12345", 12345), ("(2E10.2)", "      -250", -2.5), ("(2F10.3)", "   1.5-002", 0.015),
                             ("(1P,2F10.3)", "     12345", 1.2345), ("(1P,2E12.4)", "  1.2500E+01", 12.5), ("(2D10.1)", "   1.0D 00", 1)):
        put(path + ".rb",
            "%-72s%-8s\n%14d%14d%14d%14d\nrua           %14d%14d%14d%14d\n%-16s%-16s%-20s\n  1  2\n  1\n%s\n"
            % ("none", "k", 3, 1, 1, 1, 1, 1, 1, 0, "(26I3)", "(26I3)", form, text))
        reads("Rutherford-Boeing %s '%s'" % (form, text), path + ".rb", [[want]])
    # names of 24 characters and more were cut: the first line counted as a header, or a column was not found
    long_name = "a_name_of_more_than_24_characters"
    put(path + ".csv", "a,b,-1.000000000000000000e+00\nc,d,2\n")
    reads("CSV: the first of the relabelled lines ends with a long number", path + ".csv", [[-1, 0], [0, 2]], "--relabel")
    put(path + ".csv", long_name + ",other,val\n1,0,3.5\n")
    reads("CSV: a long name of a column", path + ".csv", [[0, 3.5]], "--columns=other," + long_name + ",val")
    # a separator between quotes, doubled quotes, and names that begin as comments do
    names = ["Smith, John", "#tag", 'a "q" b', "%p"]
    put(path + ".csv", '# two comments\n% before the first line\n"Smith, John",x,5\n#tag,y,2\n"a ""q"" b",z,3\n%p,"x",4\n')
    reads("CSV: names", path + ".csv", [[5, 0, 0], [0, 2, 0], [0, 0, 3], [4, 0, 0]], "--relabel")
    code, _, said = run("tconv", "-q", path + ".csv", "--relabel", "-o", os.path.join(folder, "out.npy"), "--labels=" + path)
    expect("CSV: names as labels", code == 0 and content(path + ".0.map").decode().splitlines() == names, said)
    put(path + ".csv", '"i","j , k","value"\n"1","0","2.5"\n')
    reads("CSV: a header with a separator between quotes", path + ".csv", [[0], [2.5]])
    put(path + ".svm", "1 1:2 3:4\n-1 2:5\n")
    code, text, said = run("tinfo", "--brief", path + ".svm")
    expect("svmlight described", code == 0 and "2 modes" in text, said + text)


def check_octave_text(path):
    # through a double, these round twice
    numbers = ["1.00000005960464477540", "1.00000017881393432617187499", "0.1"]
    head = "# name: x\n# type: float matrix\n# rows: 1\n# columns: 3\n " + " ".join(numbers) + "\n\n\n"
    put(path + ".octave", head)
    reads("Octave's float matrix", path + ".octave", numpy.array([[float.fromhex("0x1.000002p+0"), float.fromhex("0x1.000002p+0"), numpy.float32(0.1)]], numpy.float32))


def check_binary(path):
    for what, content, words in (
            ("PETSc", struct.pack(">iiii", 1211216, 2, 3, 2) + struct.pack(">iiii", 1, 1, 2, 0) + struct.pack(">dd", 5, 6), "2 x 3, 2 stored values, f64"),
            ("PETSc's vector", struct.pack(">qqfff", 1211214, 3, 1, 2, 3), "f32"),
            ("SPLATT", struct.pack("<iQQIIIIIIf", 0, 4, 4, 2, 2, 3, 1, 1, 2, 5), "2 x 3, 1 stored value, f32")):
        put(path, content)
        code, text, said = run("tinfo", "--brief", path)
        expect(what + " described", code == 0 and words in text, said + text)
    vector = struct.pack(">ii", 1211214, 1)
    for what, values, tail in (("complex", struct.pack(">dddd", 1, 0, 2, 0), bytes(16)), ("single", struct.pack(">ff", 1, 2), bytes(4)),
                               ("double", struct.pack(">dd", 1, 2), bytes(8))):
        put(path, struct.pack(">iiii", 1211216, 1, 3, 2) + struct.pack(">iii", 2, 0, 2) + values + vector + tail)
        reads("PETSc's %s matrix and a vector" % what, path, [[1, 0, 2]])
    put(path, struct.pack(">iiii", 1211216, 2, 3, 1 << 30) + bytes(64))
    code, text, said = run("tinfo", "--brief", path)
    expect("PETSc that claims too much", code == 1 and "bytes follow" in said, said)


def check_h5seurat(path):
    """A file after the specification of SeuratDisk: csc, dense matrices by columns, names of features and cells, in parts."""
    m = scipy.sparse.random(6, 5, 0.4, "csc", random_state=2)
    names = {"features": ["g%d" % i for i in range(6)], "cells": ["c%d" % i for i in range(5)]}
    with h5py.File(path, "w") as f:
        f.attrs.update({"project": "p", "active.assay": "RNA", "version": "4.0"})
        f["cell.names"] = names["cells"]
        assay = f.create_group("assays/RNA")
        assay["features"] = names["features"]
        for name, factor in ("counts", 1), ("data", 2):
            group = assay.create_group(name)
            for key, value in ("data", factor * m.data), ("indices", m.indices), ("indptr", m.indptr):
                group[key] = value
            group.attrs["dims"] = numpy.array(m.shape, "i4")
        assay["scale.data"] = 3 * m.toarray().T
    reads("h5Seurat", path, m.toarray())
    reads("h5Seurat, another matrix", path + ":assays/RNA/data", 2 * m.toarray())
    reads("h5Seurat, dense", path + ":assays/RNA/scale.data", 3 * m.toarray())
    reads_in_parts("h5Seurat in parts", path)
    for matrix in "counts", "scale.data":
        code, _, said = run("tconv", "-q", path + ":assays/RNA/" + matrix, "-o", path + ".npz", "--labels=" + path)
        expect("h5Seurat, names of " + matrix, code == 0 and [content("%s.%d.map" % (path, i)).decode().splitlines() for i in range(2)] ==
               list(names.values()), said)
    with h5py.File(path, "a") as f:
        f["assays/RNA/counts"].attrs["dims"] = numpy.array([4, 5], "i4")
    refuses("h5Seurat, dims that are too small", path, ["indices"])


def check_bench(path):
    """tbench write converts to a format that the file can hold, as tconv does."""
    scipy.sparse.save_npz(path, scipy.sparse.random(40, 30, 0.2, "coo", random_state=1))
    for suffix in ".h5ad", ".mat":
        code, _, said = run("tbench", "write", path, "-o", path + suffix, "-j1", "--quick", "--reps=1", "-q")
        expect("tbench write " + suffix, code == 0, said)


folder = own_folder()
check_bench(os.path.join(folder, "b.npz"))
check_npz(os.path.join(folder, "a.npz"))
check_filters(os.path.join(folder, "a.h5ad"))
check_hdf5(os.path.join(folder, "a.h5"))
check_group(os.path.join(folder, "g.h5ad"))
check_foreign(os.path.join(folder, "f"))
check_mat(os.path.join(folder, "a.mat"))
check_h5seurat(os.path.join(folder, "a.h5seurat"))
check_text(os.path.join(folder, "a"))
check_octave_text(os.path.join(folder, "o"))
check_binary(os.path.join(folder, "a.bin"))
end()
