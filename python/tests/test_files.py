"""Reading, writing, converting files, facts about them."""
import gzip
import io
import os
import warnings

import numpy as np
import pytest

import tessera as ts

MTX = "%%MatrixMarket matrix coordinate real general\n3 4 3\n1 1 1.5\n3 2 2.5\n1 4 4\n"
DENSE = np.array([[1.5, 0, 0, 4], [0, 0, 0, 0], [0, 2.5, 0, 0]])


@pytest.fixture()
def mtx(tmp_path):
    path = tmp_path / "in.mtx"
    path.write_text(MTX)
    return path


def test_read(mtx):
    for path in (mtx, str(mtx)):
        T = ts.read(path)
        assert T.format == "coo" and T.shape == (3, 4) and np.array_equal(T.todense(), DENSE)
    assert ts.read(mtx, format="csr").format == "csr"
    assert ts.read(mtx, format=ts.Format("csc")).format == "csc"
    assert ts.read(mtx, dtype="f4").dtype == np.float32
    assert ts.read(mtx, format="csr", index_width=64).levels[1].crd.dtype == np.int64
    assert np.array_equal(ts.read(mtx, transform="transpose=1,0").todense(), DENSE.T)
    assert np.array_equal(ts.read(mtx, nthreads=1).todense(), DENSE)


def test_read_gzip_and_file_objects(mtx, tmp_path):
    packed = tmp_path / "in.mtx.gz"
    packed.write_bytes(gzip.compress(MTX.encode()))
    assert np.array_equal(ts.read(packed).todense(), DENSE)
    assert np.array_equal(ts.read(io.BytesIO(MTX.encode())).todense(), DENSE)
    with open(mtx, "rb") as file:
        assert np.array_equal(ts.read(file).todense(), DENSE)
    with gzip.open(packed) as file:
        assert np.array_equal(ts.read(file).todense(), DENSE)
    h5 = tmp_path / "m.h5"
    ts.write(h5, DENSE, format="csr")
    assert np.array_equal(ts.read(io.BytesIO(h5.read_bytes())).todense(), DENSE)


@pytest.mark.parametrize("suffix", [".mtx", ".h5", ".npz", ".npy", ".h5ad", ".csv", ".mtx.gz"])
@pytest.mark.parametrize("format", ["coo", "csr", "dense", "hicoo(2)"])
def test_round_trips(suffix, format, tmp_path):
    T = ts.convert(DENSE, format)
    path = tmp_path / ("out" + suffix)
    T.write(path)
    back = ts.read(path, dims=(3, 4)) if suffix == ".csv" else ts.read(path)
    assert np.array_equal(back.todense(), DENSE)
    if suffix == ".h5":
        assert back.format == T.format


def test_write_options(tmp_path):
    path = tmp_path / "o.tns"
    ts.write(path, DENSE, header="extended", comment="made by a test")
    assert ts.read(path).shape == (3, 4)
    ts.write(path, ts.convert(DENSE, "coo"), index_base=0)
    assert path.read_text().splitlines()[0].split()[:2] == ["0", "0"]
    assert np.array_equal(ts.read(path, index_base=0, dims=(3, 4)).todense(), DENSE)
    file = io.BytesIO()
    ts.write(file, DENSE, codec="mtx")
    assert file.getvalue().startswith(b"%%MatrixMarket")
    with pytest.raises(ValueError, match="codec"):
        ts.write(io.BytesIO(), DENSE)
    with pytest.raises(TypeError):
        ts.write(ts.tensor(DENSE), "out.mtx")
    with pytest.raises(ts.TesseraError):
        ts.write(tmp_path / "out.unknown", DENSE)


def test_read_without_labels(tmp_path):
    path = tmp_path / "names.csv"
    path.write_text("ann;x;1\nbob;y;2\n")
    names = ts.read(path, options={"separator": "semicolon", "relabel": True})
    ts.write(tmp_path / "a.h5ad", names, format="csr")
    assert list(ts.read(tmp_path / "a.h5ad").labels[0]) == ["ann", "bob"]
    bare = ts.read(tmp_path / "a.h5ad", labels=False)
    assert not any(bare.labels) and np.array_equal(bare.todense(), names.todense())


def test_options_of_file_formats(tmp_path):
    path = tmp_path / "names.csv"
    path.write_text("ann;x;1\nbob;y;2\nann;y;3\n")
    a = ts.read(path, options={"separator": "semicolon", "relabel": True})
    assert a.shape == (2, 2) and list(a.labels[1]) == ["x", "y"]
    ts.write(tmp_path / "a.mat", a.convert(dtype="f64"), options={"mat-version": "7.3"})
    assert (tmp_path / "a.mat").read_bytes().startswith(b"MATLAB 7.3")
    ts.convert_file(path, tmp_path / "b.tns", options={"relabel": "joint", "separator": "semicolon"}, to_options={"index_base": 0})
    assert (tmp_path / "b.tns").read_text() == "0 1 1\n2 3 2\n0 3 3\n"
    with pytest.raises(ts.TesseraError, match="separator is for csv files, not for tns"):
        ts.read(tmp_path / "b.tns", options={"separator": "tab"})


def test_failed_write_keeps_the_old_file(tmp_path):
    path = tmp_path / "o.npz"
    path.write_text("old")
    with pytest.raises(ts.TesseraError):
        ts.write(path, ts.convert(np.ones((2, 2)), "coo"), codec="nonsense")
    assert path.read_text() == "old" and os.listdir(tmp_path) == ["o.npz"]


class Slow:
    """A file object that can only be read or written, some bytes at a time; fsspec's and urllib's look like this."""

    def __init__(self, file, name=None, fails=None):
        self.file, self.fails, self.n = file, fails, 0
        if name:
            self.path = name

    def _count(self, n):
        self.n += n
        if self.fails is not None and self.n > self.fails:
            raise ConnectionError("the line is dead")

    def read(self, n):
        data = self.file.read(min(n, 700))
        self._count(len(data))
        return data

    def write(self, data):
        n = self.file.write(data[:700])
        self._count(n)
        return n


def test_streams(tmp_path):
    scipy_sparse = pytest.importorskip("scipy.sparse")
    A = scipy_sparse.random(300, 200, 0.1, format="csr", random_state=3)
    for name in ("a.mtx", "a.mtx.gz", "a.tns", "a.npz", "a.h5", "a.mat"):
        path = tmp_path / name
        ts.write(path, A)
        whole = path.read_bytes()
        out = io.BytesIO()
        ts.write(Slow(out, name), A)
        assert len(out.getvalue()) == len(whole)
        options = {"dims": A.shape} if "tns" in name else {}
        for source in (whole, bytearray(whole), memoryview(whole), io.BytesIO(whole), Slow(io.BytesIO(whole), name), open(path, "rb")):
            B = ts.read(source, **options)
            assert B.shape == A.shape and np.array_equal(B.todense(), A.toarray()), (name, type(source))
            if hasattr(source, "close"):
                assert source.read() == b""
                source.close()
    with gzip.open(tmp_path / "own.gz", "wb") as file:
        ts.write(file, A, codec="mtx")
    with gzip.open(tmp_path / "own.gz", "rb") as file:
        assert np.array_equal(ts.read(file).todense(), A.toarray())
    behind = io.BytesIO(b"junk" + MTX.encode())
    behind.seek(4)
    assert np.array_equal(ts.read(behind).todense(), DENSE)


def test_streams_that_fail():
    scipy_sparse = pytest.importorskip("scipy.sparse")
    A = scipy_sparse.random(3000, 2000, 0.01, format="csr", random_state=3)
    whole = io.BytesIO()
    ts.write(whole, A, codec="mtx")
    for fails in (0, 5000, 100000):
        with pytest.raises(ConnectionError):
            ts.read(Slow(io.BytesIO(whole.getvalue()), fails=fails))
        with pytest.raises(ConnectionError):
            ts.write(Slow(io.BytesIO(), fails=fails), A, codec="mtx")
    with pytest.raises(TypeError, match="binary"):
        ts.read(io.StringIO(MTX))
    with pytest.raises(ts.TesseraError):
        ts.read(b"\x00\x01junk")


def test_convert_file(mtx, tmp_path):
    out = tmp_path / "out.h5"
    ts.convert_file(mtx, out, format="csc", memory="1G")
    assert ts.read(out).format == "csc"
    ts.convert_file(out, tmp_path / "back.txt", to="mtx")
    assert np.array_equal(ts.read(tmp_path / "back.txt").todense(), DENSE)
    with pytest.raises(ts.TesseraError, match="too little"):
        ts.convert_file(mtx, out, format="csc", memory=10)


def test_sizes():
    from tessera._io import nbytes

    assert [nbytes(s) for s in (None, 5, "7", "4G", "1.5M", "2KiB", "3GB")] == [0, 5, 7, 4 << 30, 3 << 19, 2 << 10, 3 << 30]
    for bad in ("", "x", "-1", "0", "4Q", -3):
        with pytest.raises(ValueError):
            nbytes(bad)


def test_info(mtx, tmp_path):
    facts = ts.info(mtx)
    assert isinstance(facts, dict) and "3" in str(facts)
    h5 = tmp_path / "m.h5"
    ts.write(h5, DENSE, format="csr")
    for given in (ts.info(h5), ts.info(h5, brief=True), ts.info(ts.read(h5)), ts.info(DENSE), ts.read(h5).info()):
        assert isinstance(given, dict) and given
        assert len(str(given).splitlines()) >= 4 and repr(given) == str(given)
    assert "csr" in str(ts.info(h5))


def test_warnings(tmp_path):
    path = tmp_path / "size.tns"
    path.write_text("3 4 2\n1 1 5\n3 2 6\n")
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        ts.read(path)
    assert [w.category for w in seen] == [ts.TesseraWarning] and "mtx" in str(seen[0].message)
    assert seen[0].filename == __file__


def test_progress(tmp_path):
    random = np.random.default_rng(1)
    n = 300000
    big = tmp_path / "big.mtx"
    ts.write(big, ts.from_coords(random.integers(0, 5000, (2, n)), random.random(n), (5000, 5000)))
    seen = []
    T = ts.read(big, format="csr", progress=lambda phase, done, total: seen.append((phase, done, total)))
    assert T.nnz > 0 and all(isinstance(p, str) and d >= 0 and t >= 0 for p, d, t in seen)

    class Stop(Exception):
        pass

    def stop(*_):
        raise Stop

    try:  # whether the function is called before the end depends on the machine; what it raises comes through
        ts.read(big, progress=stop)
    except Stop:
        pass
    assert ts.read(big).nnz == T.nnz


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "dense"])
@pytest.mark.parametrize("suffix", [".h5", ".npz", ".h5ad"])
def test_parts_of_files(format, suffix, tmp_path):
    rng = np.random.default_rng(3)
    whole = np.where(rng.random((9, 7)) < 0.4, rng.integers(1, 9, (9, 7)), 0).astype(float)
    path = tmp_path / ("all" + suffix)
    ts.convert(whole, format).write(path)
    file = ts.open(path)
    assert file.shape == (9, 7) and file.ndim == 2 and "9 x 7" in repr(file)
    for key in [np.s_[2:5], np.s_[:, 1], np.s_[-1], np.s_[4, 3], np.s_[::-2, ::3], np.s_[..., -2:], [3, 0, 3], whole[:, 0] > 0]:
        got = file[key]
        assert np.array_equal(got.todense() if isinstance(got, ts.Tensor) else got, whole[key]), key
    assert np.array_equal(file[[8, 1], [6, 0, 0]].todense(), whole[np.ix_([8, 1], [6, 0, 0])])
    assert file[np.zeros(0, int)].shape == (0, 7)
    assert np.array_equal(ts.read(path, select="7,-9; :").todense(), whole[[7, 0]])


def test_the_matrix_of_several(tmp_path):
    path = str(tmp_path / "layers.h5ad")
    for name, n in (("X", 3), ("layers/counts", 3)):
        ts.write(path + ":" + name, ts.convert(np.eye(n) * n, "csr"))
    assert ts.open(path).shape == (3, 3) and ts.open(path, "layers/counts").shape == (3, 3)
    assert np.array_equal(ts.open(path)[1:].todense(), 3 * np.eye(3)[1:])


def test_parts_that_are_refused(tmp_path, mtx):
    file = ts.open(mtx)
    for key in [np.s_[3], np.s_[:, -5], np.s_[[0, 3]], np.s_[None, 1], np.s_[1, 1, 1], np.s_[1.5], np.s_[[[0, 1]]]]:
        with pytest.raises(IndexError):
            file[key]
    for text in ["x", "1:2:0", "0;0;0"]:
        with pytest.raises(ts.TesseraError):
            ts.read(mtx, select=text)
    with pytest.raises(ts.TesseraError):
        ts.open(tmp_path / "missing.h5")
