"""MATLAB's files before version 7.3, of SciPy and by hand: versions 4, 5 and 7, either byte order, sparse, dense, logical and complex variables,
structs, the Tensor Toolbox's sptensor, room for more entries than there are. Read whole and in parts they give the same entries, those
of SciPy; damaged ones give one error."""
import json
import os
import struct
import zlib

from checks import end, expect, own_folder, run, skip

try:
    import numpy
    import scipy.io
    import scipy.sparse
except ImportError:
    skip("no scipy")

own_folder()
rng = numpy.random.default_rng(11)


def read(source, *args):
    """The entries of the tensor, sorted: coordinates from 0 and the value. None: an error."""
    code, _, said = run("tconv", "-q", source, "-o", "o.npz", "-f", "coo", *args)
    expect("exit code of " + source, code in (0, 1, 2), "%s %s" % (code, said))
    if code:
        return None, said
    with numpy.load("o.npz") as z:
        crd = [z["row"], z["col"]] if "row" in z else list(z["coords"])
        return [tuple(e) for e in zip(*(c.tolist() for c in crd), z["data"].tolist())], said


def in_parts(source, *args):
    os.environ["TSR_STREAM_BUCKET"] = "60"
    try:
        return read(source, *args)
    finally:
        del os.environ["TSR_STREAM_BUCKET"]


def is_streamed(source):
    """Whether the file is not read as a whole before the entries go to buckets."""
    os.environ["TSR_STREAM_BUCKET"] = "60"
    _, text, _ = run("tconv", "-q", source, "-o", "o.h5", "--json")
    del os.environ["TSR_STREAM_BUCKET"]
    return json.loads(text)["seconds"]["read"] == 0


def wanted(a):
    a = scipy.sparse.csr_array(a)
    a.sort_indices()
    rows = numpy.repeat(numpy.arange(a.shape[0]), numpy.diff(a.indptr))
    return list(zip(rows.tolist(), a.indices.tolist(), a.data.tolist()))


def check(what, path, a):
    whole, said = read(path)
    expect(what, whole == wanted(a), said + str(whole)[:500])
    parts, said = in_parts(path)
    expect(what + " in parts", parts == whole, said)
    expect(what + " is read in parts", is_streamed(path))
    expect(what + " by --memory", read(path, "--memory=80M")[0] == whole)


sparse = scipy.sparse.random(90, 40, 0.2, "csc", random_state=rng)
sparse.data = rng.integers(1, 99, sparse.nnz) / 4
turned = sparse.astype(complex)
turned.data = turned.data * (1 - 2j)
logical = sparse.astype(bool)
for version, packed in ("4", False), ("5", False), ("5", True):
    name = "v%s%s" % (version, "packed" if packed else "")
    options = {"format": version, "do_compression": packed} if version == "5" else {"format": version}
    for kind, a in ("real", sparse), ("complex", turned), ("empty", scipy.sparse.csc_array((3, 5))):
        path = "%s-%s.mat" % (name, kind)
        scipy.io.savemat(path, {"A": a}, **options)
        if kind == "empty":
            text, said = read(path)
            expect(path, text == [], said)
        else:
            check(path, path, a)
    scipy.io.savemat(name + "-several.mat", {"B": numpy.eye(3), "C": sparse[:5], "D": numpy.arange(6.0).reshape(2, 3) * 1j}, **options)
    check(name + ", the only sparse variable", name + "-several.mat", sparse[:5])
    text, said = read(name + "-several.mat:B")
    expect(name + ", a dense variable", text is not None and [e for e in text if e[2]] == wanted(numpy.eye(3)), said + str(text))
    text, said = read(name + "-several.mat:D")
    expect(name + ", complex and dense", text is not None and text[3] == (1, 1, 4j), said + str(text))
    if version == "5":
        check_dense = numpy.arange(24, dtype="i2").reshape(2, 3, 4)
        scipy.io.savemat(name + "-struct.mat", {"Problem": {"title": "x", "A": sparse, "aux": {"b": check_dense, "l": logical}}, "z": 1}, **options)
        check(name + ", Problem/A", name + "-struct.mat:Problem/A", sparse)
        whole, said = read(name + "-struct.mat")
        expect(name + ", Problem/A is the default", whole == wanted(sparse), said)
        code, text, said = run("tinfo", "--brief", name + "-struct.mat")
        expect(name + ", all variables", code == 0 and all(w in text for w in ("Problem/A", "Problem/aux/b", "90 x 40", "2 x 3 x 4", "i16", "bool")), text + said)
        said = read(name + "-struct.mat:Problem/C")[1]
        expect(name + ", a missing field", "has no object 'Problem/C'; it has: " in said and "Problem/aux/b" in said, said)
        subs = numpy.array([[1, 2, 3], [4, 1, 2], [4, 4, 4]], "f8")
        scipy.io.savemat(name + "-toolbox.mat", {"X": {"subs": subs, "vals": numpy.array([[1.5], [-2], [0.25]]), "size": numpy.array([[4, 4, 4]], "f8")}}, **options)
        for way in read, in_parts, lambda path: read(path, "--memory=80M"):
            text, said = way(name + "-toolbox.mat:X")
            expect(name + ", an sptensor", text == [(0, 1, 2, 1.5), (3, 0, 1, -2), (3, 3, 3, 0.25)], said + str(text))
        expect(name + ", an sptensor is read in parts", is_streamed(name + "-toolbox.mat:X"))


# ---- by hand ----

def element(kind, data, order="<"):
    return struct.pack(order + "II", kind, len(data)) + data + bytes(-len(data) % 8)


def five(rows, columns, ir, jc, pr, order="<", flags=5):
    """A sparse variable, whose arrays may have room for more entries than there are."""
    body = (element(6, struct.pack(order + "II", flags, len(ir)), order) + element(5, struct.pack(order + "ii", rows, columns), order) +
            element(1, b"A", order) + element(5, numpy.array(ir, order + "i4").tobytes(), order) +
            element(5, numpy.array(jc, order + "i4").tobytes(), order) + element(9, numpy.array(pr, order + "f8").tobytes(), order))
    return element(14, body, order)


def head(order="<"):
    return b"MATLAB 5.0 MAT-file".ljust(124) + (b"\0\1IM" if order == "<" else b"\1\0MI")


def pack(variable):
    data = zlib.compress(variable)
    return struct.pack("<II", 15, len(data)) + data


def put(path, data):
    with open(path, "wb") as f:
        f.write(data)


small = numpy.array([[0, 5, 0], [7, 0, 0], [0, 0, 0], [0, 6, 0]], float)
spare = five(4, 3, [1, 0, 3, 9, 9], [0, 1, 3, 3], [7, 5, 6])
put("spare.mat", head() + spare)
check("room for more entries", "spare.mat", small)
put("sparepacked.mat", head() + pack(spare))
check("room for more entries, compressed", "sparepacked.mat", small)
put("both.mat", head() + pack(five(4, 3, [1, 0, 3, 9, 9], [0, 1, 3, 3], [7, 5, 6, 0, 0])))
check("room in all arrays", "both.mat", small)
code, text, said = run("tinfo", "--brief", "spare.mat")
expect("the entries of the pointers", "3 stored values" in text, text + said)
put("big.mat", head(">") + five(4, 3, [1, 0, 3], [0, 1, 3, 3], [7, 5, 6], ">"))
check("big-endian", "big.mat", small)
triplets = numpy.array([[2, 1, 7], [1, 2, 5], [4, 2, 6], [4, 3, 0]], ">f8").T.tobytes()
put("four.mat", struct.pack(">iiiii", 1002, 4, 3, 0, 2) + b"A\0" + triplets)
check("version 4, big-endian", "four.mat", small)
put("zero.mat", struct.pack(">iiiii", 1002, 2, 3, 0, 2) + b"A\0" + numpy.array([[0, 1, 7], [4, 3, 0]], ">f8").T.tobytes())
for way in read, in_parts:
    text, said = way("zero.mat")
    expect("an index 0 of version 4", text is None and "array 'i'" in said, said)
put("half.mat", struct.pack("<iiiii", 2, 2, 3, 0, 2) + b"A\0" + numpy.array([[1.5, 1, 7], [4, 3, 0]], "<f8").T.tobytes())
for way in read, in_parts:
    text, said = way("half.mat")
    expect("an index 1.5 of version 4", text is None and "not integers" in said, said)
put("wide.mat", head() + five(4, (1 << 31) - 1, [1], [0, 1], [7]))
for way in read, in_parts:
    text, said = way("wide.mat")
    expect("columns that are not there", text is None and "more columns than bytes" in said, said)

octave = (element(6, struct.pack("<II", 0x200 | 9, 0)) + element(5, struct.pack("<ii", 3, 2)) + element(1, b"A") + element(5, bytes(8)) +
          element(5, bytes(12)) + element(2, bytes(2)))
put("octave.mat", head() + element(14, octave))
expect("Octave's sparse logical matrix", "save double(x)" in read("octave.mat")[1], read("octave.mat")[1])

# damaged: an error, or the entries (where bytes of a name, or of padding, were changed); the same in parts
for path in "spare.mat", "sparepacked.mat", "four.mat", "v5packed-struct.mat", "v5-struct.mat":
    data = open(path, "rb").read()
    if len(data) > 4000:
        places = sorted(int(p) for p in rng.integers(0, len(data), 10))
    else:
        places = range(0, len(data), 23)
    for at in places:
        for what, bad in ("cut", data[:at]), ("changed", data[:at] + bytes([data[at] ^ 0xff]) + data[at + 1:]):
            put("bad.mat", bad)
            whole, said = read("bad.mat", "--from=mat")
            parts, also = in_parts("bad.mat", "--from=mat")
            expect("%s %s at %d" % (path, what, at), (whole is None) == (parts is None) and (whole is not None or (said and "\n" not in said)),
                   "%s / %s / %s" % (said, also, str(whole)[:80]))
end()
