"""The inputs of every function stay as they are, and results do not change with them. Converting a borrowed SciPy matrix once wrote into its
arrays and freed them, for arrays of 64 kB and more. Here arrays lie in read-only pages in front of a page without access: who writes into
them, frees them, or reads behind their end is ended by the system (the last line before that names the case). Their bytes are compared
after each call, and results are looked at while the pages are taken away."""
import ctypes
import inspect
import mmap
import os
import sys
import zlib

import numpy as np
import pytest

import tessera as ts

sp = pytest.importorskip("scipy.sparse")
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
PROT_NONE, PAGE = 0, mmap.PAGESIZE


class Guards:
    """Copies of arrays in read-only pages between two pages without access."""

    def __init__(self):
        self.maps, self.arrays, self.case = [], [], ""

    def array(self, values, order="C"):
        values = np.asarray(values)
        flat = values.ravel(order=order)
        size = -(-max(flat.nbytes, 1) // PAGE) * PAGE
        start = libc.mmap(None, size + 2 * PAGE, PROT_NONE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)
        assert start not in (None, ctypes.c_void_p(-1).value)
        assert libc.mprotect(start + PAGE, size, mmap.PROT_READ | mmap.PROT_WRITE) == 0
        memory = (ctypes.c_char * flat.nbytes).from_address(start + PAGE + size - flat.nbytes)
        array = np.frombuffer(memory, dtype=flat.dtype)  # NumPy takes it for memory that may be written
        array[:] = flat
        self.maps.append((start + PAGE, size))
        self.protect(mmap.PROT_READ)
        self.arrays.append((array, zlib.crc32(array)))
        return array.reshape(values.shape, order=order)

    def protect(self, access):
        for start, size in self.maps:
            assert libc.mprotect(start, size, access) == 0

    def check(self):
        for i, (array, crc) in enumerate(self.arrays):
            assert zlib.crc32(array) == crc, "input %d changed: %s" % (i, self.case)

    def say(self, case):
        """What comes next: the last of these lines names what failed when the process ends."""
        self.case = case
        os.lseek(NAMED, 0, os.SEEK_SET)
        os.ftruncate(NAMED, 0)
        os.write(NAMED, (case + "\n").encode())

    def away(self, result):
        """The result stays as it is while the inputs are away."""
        self.check()
        parts = arrays_of(result)
        for a in parts:
            start = a.__array_interface__["data"][0]
            assert not a.nbytes or not any(at <= start < at + n for at, n in self.maps), "the result is a view: " + self.case
        before = [zlib.crc32(np.ascontiguousarray(a)) for a in parts]
        self.protect(PROT_NONE)
        after = [zlib.crc32(np.ascontiguousarray(a)) for a in parts]
        self.protect(mmap.PROT_READ)
        assert after == before, "the result changed: " + self.case

    def close(self):
        self.check()
        self.arrays = []
        for start, size in self.maps:
            libc.munmap(start - PAGE, size + 2 * PAGE)
        self.maps = []


NAMED = os.open("last_case.txt", os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o644)


def arrays_of(result):
    """The arrays of a tensor, of a SciPy matrix, or of several of these."""
    if isinstance(result, np.ndarray):
        return [result]
    if isinstance(result, ts.Tensor):
        return [result.values] + [a for level in result.levels for a in level.arrays.values()]
    if isinstance(result, (tuple, list)):
        return [a for part in result for a in arrays_of(part)]
    names = ("data", "indices", "indptr", "row", "col", "offsets")
    return [getattr(result, name) for name in names if isinstance(getattr(result, name, None), np.ndarray)]


@pytest.fixture
def guards():
    made = Guards()
    yield made
    made.close()


def matrices(guards, n=20011, nnz=30000, square=True):
    """SciPy matrices of each kind whose arrays are guarded."""
    rng = np.random.default_rng(1)
    rows, columns = rng.integers(0, n, nnz), rng.integers(0, n, nnz)
    A = sp.coo_array((np.arange(1.0, nnz + 1), (rows, columns)), (n, n)).tocsr()
    A.sum_duplicates()
    for kind in ("csr", "csc", "coo", "bsr"):
        S = A.asformat(kind)
        for name in ("data", "indices", "indptr", "row", "col"):
            if isinstance(getattr(S, name, None), np.ndarray):
                setattr(S, name, guards.array(getattr(S, name)))
        S.has_canonical_format = True
        if hasattr(S, "has_sorted_indices"):
            S.has_sorted_indices = True
        yield kind, S


FORMATS = ["csr", "csc", "coo", "dcsr", "dcsc", "coo:1,0", "ss:1,0", "hicoo(16)", "alto", "sell(8,32)", "csb(16)", "hash", "jad", "linear"]


def test_conversions(guards):
    for kind, S in matrices(guards):
        T = ts.tensor(S)
        for name in FORMATS:
            guards.say("%s to %s" % (kind, name))
            converted = T.convert(name)
            if converted is not T and name.split(":")[0] != kind:
                guards.away(converted)
            back = converted.to_scipy("csr")
            guards.check()
            del converted, back
        del T
        guards.say("convert %s" % kind)
        guards.away(ts.convert(S, "ss:1,0"))
        if kind == "csr":
            guards.say("from_arrays")
            guards.away(ts.from_arrays("csr", S.shape, [S.indptr, S.indices, S.data]).convert("csc"))


def test_to_scipy_and_numpy(guards):
    for kind, S in matrices(guards, n=401, nnz=9000):
        T = ts.tensor(S)
        for wanted in ("csr", "csc", "coo"):
            guards.say("%s, to_scipy(%s)" % (kind, wanted))
            given = T.to_scipy(wanted)
            if wanted != kind:  # of the same kind it is a view, as docs/python.md says
                guards.away(given)
            guards.check()
        guards.say("%s, todense, coords, transposed" % kind)
        guards.away([T.todense(), T.coords()])
        guards.check()
        assert T.T.shape == T.shape and "<" in T._repr_html_()
        guards.check()


def test_products(guards):
    x, X = guards.array(np.arange(20011.0)), guards.array(np.ones((20011, 8)))
    for kind, S in matrices(guards):
        T = ts.tensor(S)
        for what, run in {
            "T @ x": lambda: T @ x,
            "T @ X": lambda: T @ X,
            "x @ T": lambda: T.T @ x,
            "T @ T": lambda: T @ T,
            "einsum": lambda: ts.einsum("ij,ij->ij", T, T),
            "A + A.T": lambda: ts.kernel("C(i,j) = A(i,j)+B(j,i)", A=T, B=T, format="csr")(A=T, B=T),
            "grad": lambda: list(ts.grad("s = square(A(i,j)*x(j))", ["A", "x"])(A=T, x=x)),
            "value_and_grad": lambda: ts.value_and_grad("y(i) = A(i,j)*x(j)", "x")(A=T, x=x, cotangent=x)[0],
            "advise": lambda: ts.advise(T, "spmv") and np.zeros(1),
            "bench": lambda: ts.bench("spmv", T, formats=("coo", "csr"), rounds=1) and np.zeros(1),
        }.items():
            guards.say("%s of %s" % (what, kind))
            guards.away(run())


def test_files(guards, tmp_path):
    for kind, S in matrices(guards, n=401, nnz=9000):
        for T in (ts.tensor(S), ts.tensor(S).convert("sell(8,32)"), ts.tensor(S).convert("csb(16)")):
            for suffix in (".npz", ".mat", ".petsc", ".h5ad", ".rb", ".svm", ".mtx", ".tns", ".h5", ".csv"):
                guards.say("write %s to %s" % (T.format, suffix))
                ts.write(tmp_path / ("a" + suffix), T)
                guards.check()
        guards.say("write %s" % kind)
        ts.write(tmp_path / "a.npz", S)
        guards.check()
        A = ts.read(tmp_path / "a.npz")
        before = [zlib.crc32(a) for a in arrays_of(A)]
        (tmp_path / "a.npz").write_bytes(b"")
        assert [zlib.crc32(a) for a in arrays_of(A)] == before


def test_parts_of_files(guards, tmp_path):
    rng = np.random.default_rng(4)
    S = sp.random(50000, 300, 0.01, "csr", random_state=1)
    ts.write(tmp_path / "a.h5", S)
    rows, columns = guards.array(rng.integers(-50000, 50000, 20000)), guards.array(rng.integers(0, 300, 100))
    guards.say("ts.open[rows, columns]")
    part = ts.open(tmp_path / "a.h5")[rows, columns]
    guards.check()
    assert abs(part.to_scipy() - S[rows][:, columns]).max() == 0


def test_arrays_and_coordinates(guards):
    n = 60000
    rng = np.random.default_rng(2)
    cells = rng.permutation(2000 * 1000)[:n]
    for dtype in (np.int32, np.int64, np.uint64):
        rows, columns = guards.array((cells // 1000).astype(dtype)), guards.array((cells % 1000).astype(dtype))
        values = guards.array(np.arange(n, dtype=np.float64))
        guards.say("builder, %s" % np.dtype(dtype))
        with ts.builder((2000, 1000)) as b:
            b.add(rows, columns, values)
            guards.away([b.tensor("csr")])
        for name in FORMATS:
            guards.say("from_coords, %s, %s" % (np.dtype(dtype), name))
            guards.away(ts.from_coords([rows, columns], values, (2000, 1000), format=name))
    for order in "CF":
        D = guards.array(rng.random((301, 211)), order)
        for name in FORMATS:
            guards.say("a dense array, order %s, to %s" % (order, name))
            guards.away(ts.tensor(D).convert(name))
        guards.say("a dense array in a product")
        guards.away(ts.einsum("ij,j->i", D, np.ones(211)))


def test_every_function_is_here():
    """A new function that takes arrays, tensors or files gets a case above."""
    text = inspect.getsource(sys.modules[__name__])
    # these take names, files or what another function takes
    without_inputs = {"codecs", "formats", "kernels", "info", "layout", "convert_file", "mttkrp", "from_binsparse", "test"}
    for name in ts.__all__:
        if inspect.isfunction(getattr(ts, name)) and name not in without_inputs:
            assert "ts.%s(" % name in text, "ts.%s is not called with guarded inputs" % name
