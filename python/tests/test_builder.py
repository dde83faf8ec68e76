"""Builders beside SciPy and NumPy."""
import os
import threading

import numpy as np
import pytest

import tessera as ts

sp = pytest.importorskip("scipy.sparse")
SHAPE = (300, 200)


def entries(n=20000, seed=1):
    rng = np.random.default_rng(seed)
    return rng.integers(0, SHAPE[0], n), rng.integers(0, SHAPE[1], n), rng.random(n)


def by_loop(rows, cols, values, shape=SHAPE):
    """The sums of all cells, one entry after the other."""
    want = np.zeros(shape)
    np.add.at(want, (rows, cols), values)
    return want


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "bcsr(4,4)", "dd", "hash", "dcsr"])
def test_arrays(format):
    rows, cols, values = entries()
    with ts.builder(SHAPE) as b:
        for i in range(0, rows.size, 700):
            part = slice(i, i + 700)
            b.add(rows[part].astype(np.int32), cols[part].astype(np.uint16), values[part])
        A = b.tensor(format)
        assert A.format == {"dd": "dense"}.get(format, format) and b.nentries == rows.size and b.ndim == 2
    assert np.array_equal(A.todense(), by_loop(rows, cols, values))
    with pytest.raises(ValueError, match="closed"):
        b.tensor()


def test_one_by_one_like_dok():
    rows, cols, values = entries(3000)
    dok = sp.dok_matrix(SHAPE)
    with ts.builder(SHAPE, duplicates="last") as b:
        for i, j, v in zip(rows.tolist(), cols.tolist(), values.tolist()):
            b[i, j] = v
            dok[i, j] = v
        assert b.nentries == 3000
        assert np.array_equal(b.tensor("csr").todense(), dok.toarray())
        b[rows[:2], cols[:2]] = 7  # arrays, after numbers
        b[int(rows[0]), int(cols[0])] = 8
        A = b.tensor("csr").todense()
        assert A[rows[0], cols[0]] == 8 and A[rows[1], cols[1]] == 7
    with ts.builder(SHAPE) as b, pytest.raises(TypeError, match="b.add"):
        b[1, 2] = 3.0


def test_numbers_and_arrays_are_in_sequence():
    with ts.builder((4,), duplicates="last") as b:
        b.add(1, 1.0)
        b.add(np.array([1]), np.array([2.0]))
        b.add(1, 3.0)
        b.add(np.int64(1), np.float32(4.0))
        b.add(1, 5.0, piece=1)
        b.add(1, 6.0)  # piece 0 again
        assert b.nentries == 6
        assert b.tensor("cvec").todense().tolist() == [0, 5, 0, 0]


def test_blocks_are_broadcast():
    block = np.arange(12.0).reshape(3, 4)
    with ts.builder((10, 10), memory="64M") as b:
        b.add(np.array([1, 4, 7])[:, None], np.array([0, 2, 4, 9]), block)
        b.add([[1, 2], [3, 3]], 2)  # coordinates of all modes in one array; one value
        A = b.tensor("csr").todense()
    want = np.zeros((10, 10))
    want[np.ix_([1, 4, 7], [0, 2, 4, 9])] += block
    want[[1, 2], [3, 3]] += 2
    assert np.array_equal(A, want)


@pytest.mark.parametrize("dtype", ["f4", "f2", "i1", "i8", "u8", "c8", "c16", "pattern"])
def test_types(dtype):
    rows, cols = np.array([0, 1, 1]), np.array([1, 0, 2])
    with ts.builder((2, 3), dtype if dtype == "pattern" else np.dtype(dtype), duplicates="last") as b:
        if dtype == "pattern":
            b.add(rows, cols)
            b[0, 0] = None
            b.add(0, 0)
            with pytest.raises(TypeError, match="pattern has no values"):
                b.add(rows, cols, [1, 2, 3])
            assert b.tensor("csr").todense().tolist() == [[1, 1, 0], [1, 0, 1]]
            return
        b.add(rows, cols, np.array([1, 2, 3], "i2"))
        b.add(0, 0, 5)
        A = b.tensor("csr")
        assert A.dtype == np.dtype(dtype) and A.todense().tolist() == [[5, 1, 0], [2, 0, 3]]
        if dtype[0] in "iu":
            with pytest.raises(ts.FormatError, match="2.5"):
                b.add(0, 0, 2.5)
            b.add(0, 0, 6.0)
            assert b.tensor("csr").todense()[0, 0] == 6
        if dtype == "i1":
            with pytest.raises(ts.FormatError, match="300"):
                b.add(0, 0, 300)


def test_growing_shape():
    with ts.builder((None, 5, None), np.int32) as b:
        assert b.tensor().shape == (0, 5, 0)
        b.add(3, 4, 1 << 33, 1)
        b.add([0, 7], [0, 0], [1, 2], [5, 6])
        assert b.tensor("csf").shape == (8, 5, (1 << 33) + 1)
        assert "? x 5 x ?" in repr(b) and "3 entries" in repr(b)
        b.clear()
        assert b.nentries == 0 and b.tensor().shape == (0, 5, 0)


WRONG = [
    ((-1, 0, 1.0), "coordinate -1 of mode 0 is negative"),
    ((300, 0, 1.0), "coordinate 300 of mode 0 is beyond its dim 300"),
    (([0, 1], [0, 200], [1.0, 2.0]), "entry 1: coordinate 200 of mode 1 is beyond its dim 200"),
    ((np.array([0, -(1 << 63)]), [0, 0], 1.0), "is negative"),
    ((np.array([1 << 63], "u8"), [0], 1.0), "9223372036854775808"),
]


@pytest.mark.parametrize("given,words", WRONG)
def test_wrong_coordinates_leave_the_builder(given, words):
    with ts.builder(SHAPE) as b:
        b.add(5, 6, 7.0)
        with pytest.raises(ts.FormatError, match=words):
            b.add(*given)
        assert b.nentries == 1 and b.tensor().nnz == 1


def test_wrong_arguments():
    with ts.builder(SHAPE) as b:
        for given, error, words in [
            (([0.5], [1], [1.0]), TypeError, "mode 0 of type float64: they must be integers"),
            (([0, 1], [1, 2, 3], [1.0]), ValueError, "broadcast"),
            (([0, 1],), TypeError, "2 modes"),
            ((1, 2, 3, 4), TypeError, "give 2 arrays of coordinates and one of values"),
            ((1, 2, "x"), TypeError, "not supported"),
            ((1, True, 1.0), TypeError, "must be integers"),
        ]:
            with pytest.raises(error, match=words):
                b.add(*given)
        assert b.nentries == 0
        b.add([], [], [])
        b.add(0, 0, float("nan"))
        assert np.isnan(b.tensor("csr").values).all()
    for shape in [(0, 3), (-1,), (2.5, 3), ()]:
        with pytest.raises((ValueError, ts.ArgumentError)):
            ts.builder(shape)
    with pytest.raises(ts.ArgumentError, match="64 MiB"):
        ts.builder(SHAPE, memory="1M")
    with pytest.raises(ValueError, match="duplicates"):
        ts.builder(SHAPE, duplicates="max")
    with ts.builder(SHAPE, duplicates="error") as b:
        b.add([1, 1], [2, 2], 1.0)
        with pytest.raises(ts.FormatError):
            b.tensor("csr")
        with pytest.raises(ts.ArgumentError, match="nosuch"):
            b.tensor("nosuch", keep=False)
        assert b.nentries == 2  # after a failure the entries are still there
        assert b.tensor("csr", duplicates="sum", keep=False).values.tolist() == [2] and b.nentries == 0


def add_pieces(b, rows, cols, values, nthreads, numbered):
    each, lock, left = 500, threading.Lock(), iter(range(0, rows.size, 500))

    def work():
        while True:
            with lock:
                i = next(left, None)
            if i is None:
                return
            b.add(rows[i : i + each], cols[i : i + each], values[i : i + each], piece=i if numbered else 0)
            b.add(int(rows[i]), int(cols[i]), 1.0, piece=i if numbered else 0)

    threads = [threading.Thread(target=work) for _ in range(nthreads)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert b.nentries == rows.size + rows.size // each


def test_threads_give_the_same_bytes():
    rows, cols, values = entries(200000)
    made = set()
    for nthreads in (1, 2, 7):
        with ts.builder(SHAPE) as b:
            add_pieces(b, rows, cols, values, nthreads, True)
            made.add(b.tensor("csr").values.tobytes())
    assert len(made) == 1
    with ts.builder(SHAPE, np.int64) as b:  # sums of integers do not depend on the sequence
        add_pieces(b, rows, cols, np.arange(rows.size), 7, False)
        A = b.tensor("csr").todense()
    want = by_loop(rows, cols, np.arange(rows.size))
    np.add.at(want, (rows[::500], cols[::500]), 1)
    assert np.array_equal(A, want)


def test_limit_and_files(tmp_path):
    rng = np.random.default_rng(3)
    n, shape = 2_000_000, (5000, 4000)
    rows, cols, values = rng.integers(0, shape[0], n), rng.integers(0, shape[1], n), rng.random(n)
    temp = tmp_path / "temp"
    temp.mkdir()
    want = sp.csr_matrix(ts.from_coords([rows, cols], values, shape, format="csr").to_scipy())
    with ts.builder(shape, memory="64M", temp=temp) as b:
        for i in range(0, n, 10000):
            b.add(rows[i : i + 10000], cols[i : i + 10000], values[i : i + 10000])
        assert b.spilled_nbytes > 0 and b.nbytes < 20 << 20 and os.listdir(temp)
        for name in ("a.mtx", "a.npz", "a.h5", "a.tns"):
            b.to_file(tmp_path / name, "csr")
            A = ts.read(tmp_path / name, format="csr", dims=shape if name == "a.tns" else None).to_scipy()
            assert (A != want).nnz == 0 and A.data.tobytes() == want.data.tobytes(), name
        A = b.tensor("csr").to_scipy()
        assert A.data.tobytes() == want.data.tobytes() and np.array_equal(A.indices, want.indices)
        with pytest.raises(ts.ArgumentError):
            b.to_file(tmp_path / "a.xyz")
        b.to_file(tmp_path / "b.npz", keep=False)
        assert b.nentries == 0 and b.spilled_nbytes == 0
    assert os.listdir(temp) == []
    with ts.builder(shape) as b:
        b.add(1, 2, 3.0)
        b.to_file(tmp_path / "small.tns", header="extended")
        assert (tmp_path / "small.tns").read_text().endswith("2 3 3.0\n")
