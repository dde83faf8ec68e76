"""Wrong, changed and hostile inputs: an exception, never a crash."""
import os
import subprocess
import sys

import numpy as np
import pytest

import tessera as ts
from tessera._tensor import CHECKS

CSR = ([0, 1, 3], [1, 0, 2], [1.0, 2.0, 3.0])


def test_arrays_that_contradict_the_format():
    """Each of these would make unchecked code read or write beyond an array."""
    for name, shape, arrays in [
        ("pos too short", (2, 3), ([0, 3], CSR[1], CSR[2])),
        ("pos too long", (2, 3), ([0, 1, 2, 3], CSR[1], CSR[2])),
        ("pos empty", (2, 3), ([], CSR[1], CSR[2])),
        ("pos falls", (2, 3), ([0, 3, 2], CSR[1], CSR[2])),
        ("pos begins at 1", (2, 3), ([1, 1, 3], CSR[1], CSR[2])),
        ("pos ends beyond crd", (2, 3), ([0, 1, 9], CSR[1], CSR[2])),
        ("pos negative", (2, 3), ([0, -1, 3], CSR[1], CSR[2])),
        ("pos huge", (2, 3), ([0, 2**62, 3], CSR[1], CSR[2])),
        ("crd negative", (2, 3), (CSR[0], [1, -1, 2], CSR[2])),
        ("crd beyond the dim", (2, 3), (CSR[0], [1, 0, 3], CSR[2])),
        ("crd huge", (2, 3), (CSR[0], [1, 0, 2**62], CSR[2])),
        ("crd repeated", (2, 3), (CSR[0], [1, 2, 2], CSR[2])),
        ("crd unsorted", (2, 3), (CSR[0], [1, 2, 0], CSR[2])),
        ("too few values", (2, 3), (CSR[0], CSR[1], [1.0])),
        ("too few values, empty", (2, 3), (CSR[0], CSR[1], np.zeros(0))),
        ("too many values", (2, 3), (CSR[0], CSR[1], [1.0] * 9)),
        ("dims huge", (2**62, 3), CSR),
        ("dims huge, both", (2**63 - 1, 2**63 - 1), CSR),
        ("dims zero", (0, 0), CSR),
        ("no arrays", (2, 3), ()),
        ("too few arrays", (2, 3), CSR[1:]),
        ("too many arrays", (2, 3), (*CSR, *CSR)),
        ("missing pos", (2, 3), (None, *CSR[1:])),
        ("a mode too many", (2, 3, 4), CSR),
        ("two dimensions", (2, 3), (CSR[0], CSR[1], np.ones((3, 1)))),
    ]:
        given = [np.asarray(a, np.int64) if a is not None and i < len(arrays) - 1 else a for i, a in enumerate(arrays)]
        with pytest.raises((ValueError, TypeError, MemoryError)):
            ts.from_arrays("csr", shape, given)
            pytest.fail(name)


def test_index_types():
    for bad in (np.array([0.0, 1, 3]), np.array([False, True, True]), np.array(["0", "1", "3"]), np.array([0, 1, 3], object),
                np.array([[0, 1, 3]]), np.array([0, 1, 3], "m8[s]"), np.array([0, 1, 3], complex)):  # fmt: skip
        with pytest.raises((TypeError, ValueError)):
            ts.from_arrays("csr", (2, 3), [bad, CSR[1], CSR[2]])
    for bad in (np.array(["a", "b", "c"]), np.array([None] * 3), np.zeros(3, "g"), np.zeros(3, "V8")):
        with pytest.raises((TypeError, ValueError)):
            ts.from_arrays("csr", (2, 3), [CSR[0], CSR[1], bad])


def test_unaligned_memory():
    raw = np.zeros(8 * 4 + 1, np.uint8)
    values = raw[1:25].view("f8")
    values[:] = CSR[2]
    assert not values.flags.aligned
    T = ts.from_arrays("csr", (2, 3), [CSR[0], CSR[1], values])
    assert T.values.tolist() == CSR[2] and not np.shares_memory(T.values, raw)
    assert ts.tensor(values).todense().tolist() == CSR[2]
    k = ts.kernel("y(i) = A(i,j)*x(j)", A=T)
    assert k(x=values).tolist() == [2.0, 11.0] == k(x=values).tolist()


def test_scipy_matrices_that_lie():
    scipy_sparse = pytest.importorskip("scipy.sparse")
    for name, pos, crd in [("pos", [0, 1, 9], CSR[1]), ("crd", CSR[0], [1, 0, 7]), ("negative", CSR[0], [1, 0, -7]),
                           ("falls", [0, 3, 2], CSR[1]), ("begin", [1, 1, 3], CSR[1])]:  # fmt: skip
        matrix = scipy_sparse.csr_array(([1.0, 2, 3], CSR[1], CSR[0]), shape=(2, 3))
        matrix.indptr, matrix.indices = np.array(pos, "i4"), np.array(crd, "i4")
        with pytest.raises(ValueError):
            ts.tensor(matrix)
            pytest.fail(name)


def uses(T, tmp_path):
    """Calls that read the indices of a matrix."""
    k, x = ts.kernel("y(i) = A(i,j)*x(j)"), np.ones(T.shape[1])
    return (
        lambda: k(A=T, x=x), lambda: k(A=T, x=x, out=np.zeros(T.shape[0])), lambda: T.convert("csc"), lambda: T.convert("dense"),
        lambda: T.write(tmp_path / "x.h5"), lambda: T @ x, lambda: np.ones(T.shape[0]) @ T,
        lambda: ts.einsum("ij->ji", T, format="csr"), T.check, T.coords, T.todense, T._repr_html_, T.info,
        lambda: k.time(A=T, x=x, nruns=1), lambda: T.to_sparse() if "sparse" in sys.modules else T.check(),
    )  # fmt: skip


def test_entries_that_scipy_drops_in_place(tmp_path):
    """eliminate_zeros moves the entries within the arrays that a tensor borrows: refused without a check of all of them."""
    scipy_sparse = pytest.importorskip("scipy.sparse")
    matrix = scipy_sparse.csr_array(([1.0, 0, 3], CSR[1], CSR[0]), shape=(2, 3))
    T = ts.tensor(matrix)
    T @ np.ones(3)
    matrix.eliminate_zeros()
    assert matrix.nnz == 2
    for number, call in enumerate(uses(T, tmp_path)):
        with pytest.raises(ts.FormatError):
            call()
            pytest.fail(str(number))
    B = ts.convert(np.ones((2, 3)), "csr")
    for call in (lambda: np.maximum(T, B), lambda: T != B, lambda: np.vstack([T, B]), lambda: T.diagonal(), lambda: T.argmax(axis=1)):
        with pytest.raises(ts.FormatError):
            call()
    assert ts.tensor(matrix).todense().tolist() == [[0, 1, 0], [0, 0, 3]]


def changed_tensors():
    """Tensors whose index arrays were changed after they were checked."""
    pos, crd, values = np.array(CSR[0]), np.array(CSR[1]), np.array(CSR[2])
    T = ts.from_arrays("csr", (2, 3), [pos, crd, values])
    yield "crd", T, crd, 0, 10**9
    yield "pos", T, pos, 1, 10**9
    yield "negative", T, crd, 2, -1
    yield "transposed", T.T, crd, 0, 10**9
    scipy_sparse = pytest.importorskip("scipy.sparse")
    matrix = scipy_sparse.coo_array(np.array([[0, 1.0, 0], [2, 0, 3]]))
    yield "coo", ts.tensor(matrix), matrix.col, 0, 10**6


def test_changed_indices_are_found_where_asked():
    for name, T, array, place, value in changed_tensors():
        k = ts.kernel("y(i) = A(i,j)*x(j)")
        x = np.ones(T.shape[1])
        assert T.shares_memory
        k(A=T, x=x, check=True)
        before = array[place]
        array[place] = value
        for call in (T.check, lambda: k(A=T, x=x, check=True), lambda: k(T, x, check=True)):
            with pytest.raises(ts.FormatError):
                call()
                pytest.fail(name)
        array[place] = before
        T.check()
        k(A=T, x=x, check=True)


def test_changed_indices_are_found_in_each_use(tmp_path):
    """With TESSERA_CHECK=1 in the environment."""
    if not CHECKS:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__, "-k", "in_each_use", "--basetemp", str(tmp_path)],
            env={**os.environ, "TESSERA_CHECK": "1"}, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0 and "1 passed" in done.stdout, done.stdout
        return
    for name, T, array, place, value in changed_tensors():
        calls = uses(T, tmp_path)
        calls[0]()
        before = array[place]
        array[place] = value
        for call in calls:
            with pytest.raises(ts.FormatError):
                call()
                pytest.fail(name)
        array[place] = before
        calls[0]()


def test_nan_infinity_and_integer_edges():
    x = np.array([np.nan, np.inf, -np.inf, -0.0, 5e-324])
    T = ts.convert(np.diag(x), "coo")
    assert T.nnz == 5 and np.array_equal(ts.convert(x, "coo").values, x, equal_nan=True)
    y = T @ np.ones(5)
    assert np.array_equal(y, x, equal_nan=True)
    edges = np.array([np.iinfo("i8").min, np.iinfo("i8").max, 0])
    assert np.array_equal(ts.convert(edges, "coo").todense(), edges)
    with pytest.raises(ts.FormatError):
        ts.tensor(np.array([np.iinfo("u8").max])).convert(dtype=np.int64)


def test_huge_dims():
    T = ts.from_coords([[2**62]], [1.0], (2**63 - 1,))
    assert T.shape == (2**63 - 1,) and T.coords().tolist() == [[2**62]] and "9223372036854775807" in repr(T)
    for shape in [(2**63,), (-1,), (2**64,), (2**100,)]:
        with pytest.raises(ValueError):
            ts.from_coords([[0]], [1.0], shape)
    with pytest.raises(MemoryError):
        T.todense()
    with pytest.raises((MemoryError, ValueError)):
        ts.from_arrays("dense", (2**40, 2**40), [np.zeros(4)])
    assert T._repr_html_()


def test_kernel_operands_that_do_not_fit():
    A = ts.convert(np.ones((2, 3)), "csr")
    k = ts.kernel("y(i) = A(i,j)*x(j)")
    assert k(A, np.ones(3)).tolist() == [3, 3] == k(A, np.ones(3)).tolist()
    for bad in [np.ones(2), np.ones(4), np.ones((3, 1)), np.ones(0), np.ones(()), 1.0, None, [1.0], np.array(["a"] * 3)]:
        with pytest.raises((ValueError, TypeError)):
            k(A, bad)
    with pytest.raises(FileNotFoundError):  # a text is the name of a file
        k("absent.h5", np.ones(3))
    for args, named in [((), {}), ((A,), {}), ((A, np.ones(3), 1), {}), ((A, np.ones(3)), {"x": np.ones(3)}), ((A,), {"z": 1})]:
        with pytest.raises(TypeError):
            k(*args, **named)
    for out in [np.ones(3), np.ones(2, "f4"), np.ones((2, 1)), [0, 0], np.ones(4)[::2], np.ones(2, ">f8")]:
        for again in range(2):
            with pytest.raises((ValueError, TypeError)):
                k(A, np.ones(3), out=out)
    frozen = np.ones(2)
    frozen.flags.writeable = False
    with pytest.raises(ValueError):
        k(A, np.ones(3), out=frozen)


def test_unusual_arrays_give_the_same_answers():
    A = ts.convert(np.arange(6.0).reshape(2, 3), "csr")
    k = ts.kernel("y(i) = A(i,j)*x(j)")
    frozen = np.array([1.0, 2, 3])
    frozen.flags.writeable = False
    for x in [np.array([1.0, 2, 3]), np.array([1.0, 9, 2, 9, 3])[::2], np.array([3.0, 2, 1])[::-1], frozen,
              np.array([1, 2, 3], ">f8"), np.array([1, 2, 3]), np.array([1, 2, 3], "f4"), np.array([1, 2, 3], "f2"),
              np.array([1.0, 2, 3]).view(np.matrix).A1, np.array([1, 2, 3], "u1"), ts.tensor(np.array([1.0, 2, 3]))]:  # fmt: skip
        for again in range(3):
            assert k(A=A, x=x).tolist() == [8, 26]
            assert k(A, x, nthreads=1).tolist() == [8, 26]
    assert k(A=A, x=np.array([1, 2, 3], "c16")).tolist() == [8, 26]
