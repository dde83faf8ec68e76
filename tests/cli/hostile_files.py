"""Files of other software that lie: each is refused in one sentence that names the fault, at once and in little memory."""
import io
import os
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile
import zlib

try:
    import numpy
except ImportError:
    print("skipped: no numpy")
    sys.exit(77)

with open(shutil.which("tconv"), "rb") as tool:
    sanitized = b"__asan_init" in tool.read()
if not sanitized:  # the sanitizer maps more than any limit
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
bad = 0


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
    ("long.npy", b"\x93NUMPY\2\0\xff\xff\xff\x7f" + b" " * 100, "header of the array has"),
    ("claim.mat", mat(struct.pack("<II", 14, 0xfffffff0)), "a variable of the file"),
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

with tempfile.TemporaryDirectory(dir=os.environ.get("TSR_TMP")) as folder:
    for name, content, words in cases:
        path = os.path.join(folder, name)
        with open(path, "wb") as f:
            f.write(content)
        done = subprocess.run(["tconv", "-q", path, "-o", os.path.join(folder, "x.h5")], capture_output=True, text=True, timeout=60)
        said = done.stderr.strip()
        if done.returncode not in (1, 2) or said.count("\n") or words not in said or not said.startswith("tconv: "):
            bad += 1
            print("BAD", name, done.returncode, said)
print(len(cases), "files,", bad, "bad")
sys.exit(1 if bad else 0)
