"""Files of other software that lie: each is refused in one sentence that names the fault, at once and in little memory."""
import io
import json
import os
import resource
import struct
import zipfile
import zlib

from checks import end, expect, is_sanitized, own_folder, run, skip

try:
    import numpy
except ImportError:
    skip("no numpy")
try:
    import h5py
except ImportError:
    h5py = None

if not is_sanitized("tconv"):  # the sanitizer maps more than any limit
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))


def npz(arrays, method=zipfile.ZIP_STORED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as z:
        for name, a in arrays.items():
            member = io.BytesIO()
            numpy.lib.format.write_array(member, numpy.asanyarray(a), allow_pickle=True)
            z.writestr(name + ".npy", member.getvalue())
    return bytearray(out.getvalue())


def csr(**changes):
    arrays = {"indices": numpy.array([1, 0], "i4"), "indptr": numpy.array([0, 1, 2], "i4"), "format": b"csr",
              "shape": numpy.array([2, 2]), "data": numpy.array([1.0, 2.0])}
    arrays.update(changes)
    return arrays


def central(archive, offset, value, member=0):
    """The archive with a number of the member's entry in the central directory replaced."""
    at = -1
    for _ in range(member + 1):
        at = archive.index(b"PK\x01\x02", at + 1)
    archive[at + offset:at + offset + len(value)] = value
    return archive


def mat(element):
    return b"MATLAB 5.0 MAT-file".ljust(124) + b"\x00\x01IM" + element


def number():
    """A variable: the matrix [5]."""
    inner = struct.pack("<6I2i2H4s2Id", 6, 8, 6, 0, 5, 8, 1, 1, 1, 1, b"A", 9, 8, 5)
    return struct.pack("<II", 14, len(inner)) + inner


wrong_sum = zlib.compress(number())[:-1] + b"?"
huge = struct.pack("<I", 0xfffffff0)
packed = zlib.compress(struct.pack("<II", 14, 0x7ffffff0) + b"\0" * 64)
cases = [
    ("size.npz", central(npz(csr()), 24, huge), "cannot hold them"),
    ("bomb.npz", central(npz(csr(), zipfile.ZIP_DEFLATED), 24, huge), "cannot hold them"),
    ("crc.npz", central(npz(csr()), 16, b"\1\2\3\4"), "damaged"),
    ("encrypted.npz", central(npz(csr()), 8, b"\1\0"), "encrypted"),
    ("zstd.npz", central(npz(csr()), 10, b"\x5d\0"), "method 93"),
    ("cut.npz", npz(csr())[:-30], "damaged"),
    ("pickle.npz", npz(csr(data=numpy.array([None, 1], object))), "pickle"),
    ("text.npz", npz(csr(data=numpy.array(["a", "b"]))), "texts"),
    ("negative.npz", npz(csr(indices=numpy.array([-1, 0], "i4"))), "negative"),
    ("beyond.npz", npz(csr(indices=numpy.array([7, 0], "u1"))), "has 7 at 0"),
    ("falls.npz", npz(csr(indptr=numpy.array([0, 2, 1], "i8"))), "falls from 2 to 1"),
    ("short.npz", npz(csr(indptr=numpy.array([0, 2], "i8"))), "where 3 are expected"),
    ("base.npz", npz(csr(indptr=numpy.array([1, 1, 2], "i8"))), "instead of 0"),
    ("shape.npz", npz(csr(shape=numpy.array([1 << 62, 2]))), "expected"),
    ("dims.npz", npz(csr(shape=numpy.array([-1, 2]))), "dimension -1"),
    ("format.npz", npz(csr(format=b"lil")), "'lil'"),
    ("plain.npz", npz({"a": [1], "b": [2]}), "a, b"),
    ("code.npy", b"\x93NUMPY\1\0\x46\0{'descr': __import__('os').system('id'), 'shape': (1,)}".ljust(80) + b"\n",
     "header of the array"),
    ("kind.npy", b"\x93NUMPY\1\0\x3c\0{'descr': '>\0004', 'fortran_order': False, 'shape': (1,)}".ljust(69) + b"\n" + bytes(4),
     "NumPy type"),
    ("long.npy", b"\x93NUMPY\2\0\xff\xff\xff\x7f" + b" " * 100, "header of the array has"),
    ("claim.mat", mat(struct.pack("<II", 14, 0xfffffff0)), "a variable of the file"),
    ("sum.mat", mat(struct.pack("<II", 15, len(wrong_sum)) + wrong_sum), "damaged"),
    ("bomb.mat", mat(struct.pack("<II", 15, len(packed)) + packed), "damaged"),
    ("claim.petsc", struct.pack(">iiii", 1211216, 2, 2, 0x7fffffff), "follow"),
    ("claim.bin", struct.pack("<iQQIIII", 0, 4, 8, 2, 3, 3, 0xfffffff0), "follow"),
    ("claim.rb", b"t\n 1 1 1 1\nrua 2 2 999999999999 0\n(8I3)           (8I3)           (4E12.4)\n", "but the file has"),
    ("claim.smtx", b"2, 2, 999999999999\n0 1 2\n0 1\n", "too short"),
    ("deep.csv", b",".join(b"%d" % i for i in range(300)) + b"\n", "256"),
    ("fields.csv", b"1,2,3\n1,2\n", "fewer fields"),
    ("empty.csv", b"1,2,3\n1,,3\n", "is empty"),
    ("pairs.svm", b"1 2:x\n", "index:value"),
]

folder = own_folder()
for name, content, words in cases:
    path = os.path.join(folder, name)
    with open(path, "wb") as f:
        f.write(content)
    code, _, said = run("tconv", "-q", path, "-o", os.path.join(folder, "x.h5"), timeout=60)
    is_one = said.startswith("tconv: ") and said.count("\n") == 0
    expect(name, code in (1, 2) and is_one and words in said, "%d %s" % (code, said))
# Chunks of HDF5 that do not make the bytes of their values: HDF5 itself reads beyond them.
short = {"no filter": {}, "shuffle": {"shuffle": True}, "gzip": {"compression": "gzip"}, "both": {"shuffle": True, "compression": "gzip"},
         "checksum": {"fletcher32": True, "compression": "gzip"}, "lzf": {"compression": "lzf"}}
for (name, filters), dims, mask in ((f, d, m) for f in short.items() for d in ((40,), (8, 5)) for m in (0, 7) if h5py):
    path = os.path.join(folder, "chunk.mat")
    few = zlib.compress(bytes(56)) if "gzip" in filters.values() and not mask else bytes(56)
    with h5py.File(path, "w", userblock_size=512) as f:
        d = f.create_dataset("A", shape=dims, dtype="f8", chunks=dims, **filters)
        d.id.write_direct_chunk((0,) * len(dims), few, mask)
        d.attrs["MATLAB_class"] = numpy.bytes_("double")
    with open(path, "r+b") as f:
        f.write(b"MATLAB 7.3 MAT-file".ljust(124) + b"\x00\x02IM")
    code, _, said = run("tconv", "-q", path, "-o", os.path.join(folder, "x.npy"), timeout=60)
    expect("chunk with %s of %s, mask %d" % (name, dims, mask), code == 1 and said.count("\n") == 0 and
           ("does not make 320 bytes" in said or "storage cannot hold" in said), "%d %s" % (code, said))
# Faults that can be told exactly: refused with the diagnosis, read with --repair.
n = 70000
want = numpy.zeros((4, n), "f4")
counts = numpy.array([40000, 0, 30000, 1])
indices = numpy.concatenate([numpy.arange(c) for c in counts])
pointers = numpy.concatenate([[0], numpy.cumsum(counts)])
data = numpy.arange(1, len(indices) + 1).astype("f4")
for row in range(4):
    want[row, :counts[row]] = data[pointers[row]:pointers[row + 1]]
little = numpy.array([[0, 0, 3], [4, 5, 0]], "f4")
faults = [
    ("wrapped", csr(data=data, indices=indices.astype("i4"), indptr=(pointers % 65536).astype("u2"),
                    shape=numpy.array([4, n])), "the pointers have wrapped", want),
    ("negative", csr(data=data[:200], indices=numpy.arange(200), indptr=numpy.array([0, 100, 200, 200, 200]).astype("i1"),
                     shape=numpy.array([4, n])), "the pointers have wrapped",
     numpy.vstack([numpy.pad(data[:100], (0, n - 100)), numpy.pad(data[100:200], (100, n - 200)), want[1:2], want[1:2]])),
    ("both", csr(data=numpy.array([3, 4, 5], "f4"), indices=numpy.array([3, 1, 2]), indptr=numpy.array([1, 2, 4]),
                 shape=numpy.array([2, 3])), "pointers and indices count from 1", little),
    ("indices", csr(data=numpy.array([3, 4, 5], "f4"), indices=numpy.array([3, 1, 2]), indptr=numpy.array([0, 1, 3]),
                    shape=numpy.array([2, 3])), "the indices count from 1", little),
    ("unsorted", csr(data=numpy.array([3, 5, 4], "f4"), indices=numpy.array([2, 1, 0]), indptr=numpy.array([0, 1, 3]),
                     shape=numpy.array([2, 3])), None, little)]


def binsparse(path, arrays):
    """The same arrays as a Binsparse file."""
    stored = {"pointers_to_1": arrays["indptr"], "indices_1": arrays["indices"], "values": arrays["data"]}
    with h5py.File(path, "w") as f:
        for name, a in stored.items():
            f[name] = a
        f.attrs["binsparse"] = json.dumps({"binsparse": {
            "version": "0.1", "format": "CSR", "shape": arrays["shape"].tolist(), "number_of_stored_values": len(arrays["data"]),
            "data_types": {name: str(a.dtype) for name, a in stored.items()}}})


def put_npz(path, arrays):
    with open(path, "wb") as f:
        f.write(npz(arrays))


def rises_as_text(what, path):
    """What --repair says is true of texts, too, which are otherwise written in the order of the input: sorted, one entry a cell."""
    out = os.path.join(folder, "mended.tns")
    code, _, said = run("tconv", "-q", path, "--repair", "-o", out, timeout=60)
    cells = [tuple(map(int, line.split()[:-1])) for line in open(out)] if code == 0 else [0, 0]
    expect(what, all(a < b for a, b in zip(cells, cells[1:])), "%s %s" % (said, cells))


for name, arrays, words, dense in faults:
    for write, suffix in [(put_npz, "npz"), (binsparse, "h5")][:2 if h5py else 1]:
        path, out = os.path.join(folder, "fault." + suffix), os.path.join(folder, "mended.npy")
        write(path, arrays)
        hint = words or ("--repair sorts" if suffix == "h5" else None)
        for tool in ["tconv", "-q", path, "-o", out], ["tinfo", "--check", path]:
            code, _, said = run(*tool, timeout=60)
            expect("diagnosis of " + name, not hint or (code != 0 and hint in said and "--repair" in said), "%d %s" % (code, said))
        expect("--check of " + name, "--repair" in said, said)
        code, _, said = run("tconv", path, "--repair", "-o", out, timeout=60)
        expect("repair of " + name, code == 0 and "repaired: " in said and numpy.array_equal(numpy.load(out), dense), "%d %s" % (code, said))
        rises_as_text("repair as text of " + name, path)
# Lists of coordinates: pydata/sparse's, which claim nothing in words, and Binsparse's, which claim to be sorted.
coords = numpy.array([[1, 0, 1, 1], [2, 2, 1, 2]])
values = numpy.array([4, 3, 4, 1], "f4")
put_npz(os.path.join(folder, "list.npz"), {"coords": coords, "data": values, "shape": numpy.array([2, 3]), "fill_value": numpy.float32(0)})
if h5py:
    with h5py.File(os.path.join(folder, "list.h5"), "w") as f:
        f["indices_0"], f["indices_1"], f["values"] = coords[0], coords[1], values
        f.attrs["binsparse"] = json.dumps({"binsparse": {
            "version": "0.1", "format": "COO", "shape": [2, 3], "number_of_stored_values": 4,
            "data_types": {"indices_0": "int64", "indices_1": "int64", "values": "float32"}}})
for suffix in ["npz", "h5"][:2 if h5py else 1]:
    path, out = os.path.join(folder, "list." + suffix), os.path.join(folder, "list.npy")
    code, _, said = run("tinfo", "--check", path)
    expect("--check of a list", "--repair sorts" in said and code == (suffix == "h5"), "%d %s" % (code, said))
    code, _, said = run("tconv", path, "--repair", "-o", out)
    expect("repair of a list", code == 0 and "repaired: " in said and numpy.array_equal(numpy.load(out), [[0, 0, 3], [0, 4, 5]]),
           "%d %s" % (code, said))
    rises_as_text("repair as text of a list", path)
    code, _, said = run("tconv", "-q", path, "--repair", "-o", os.path.join(folder, "mended.h5"))
    expect("repaired list", code == 0 and run("tinfo", "--check", "mended.h5")[1:] == ("mended.h5: ok\n", ""), said)
end()
