"""Each status has its exception, which is also the Python exception that fits."""
import os
import pickle

import numpy as np
import pytest

import tessera as ts


def test_hierarchy():
    for kind, base in [(ts.FormatError, ValueError), (ts.ArgumentError, ValueError), (ts.LimitError, MemoryError),
                       (ts.UnsupportedError, NotImplementedError)]:  # fmt: skip
        assert issubclass(kind, ts.TesseraError) and issubclass(kind, base)


def test_files(tmp_path):
    missing = tmp_path / "missing.mtx"
    with pytest.raises(FileNotFoundError) as error:
        ts.read(missing)
    assert isinstance(error.value, ts.TesseraError) and error.value.filename == str(missing)
    assert error.value.errno == 2 and error.value.status == "IO"
    with pytest.raises(IsADirectoryError):
        ts.read(tmp_path)
    if os.geteuid() != 0:
        locked = tmp_path / "locked.mtx"
        locked.write_text("")
        locked.chmod(0)
        with pytest.raises(PermissionError):
            ts.read(locked)
    with pytest.raises(OSError):
        ts.write(tmp_path / "no" / "folder.mtx", np.eye(2))


def test_place_in_a_file(tmp_path):
    path = tmp_path / "b.mtx"
    path.write_text("%%MatrixMarket matrix coordinate real general\n3 4 2\n1 1 1.5\n3 9 2.5\n")
    with pytest.raises(ts.FormatError) as error:
        ts.read(path)
    assert (error.value.path, error.value.line, error.value.column) == (str(path), 4, 3)
    assert str(error.value).startswith("%s:4:3: " % path) and "9" in str(error.value)


def test_place_in_an_expression():
    with pytest.raises(ts.FormatError) as error:
        ts.kernel("y(i) = A(i,j) ** x(j)")
    assert error.value.column == 16 and error.value.path is None
    assert error.value.__notes__[0].splitlines()[1].index("^") == 4 + 15


def test_errors_reach_other_processes(tmp_path):
    for call in (lambda: ts.read(tmp_path / "missing.mtx"), lambda: ts.kernel("y(i) = A(i,j) ** x(j)"), lambda: ts.Format("csr(1)")):
        with pytest.raises(ts.TesseraError) as error:
            call()
        again = pickle.loads(pickle.dumps(error.value))
        assert type(again) is type(error.value) and str(again) == str(error.value)
        for name in ("status", "path", "line", "column"):
            assert getattr(again, name) == getattr(error.value, name)


def test_wrong_arguments():
    T = ts.convert(np.eye(3), "csr")
    for call in [lambda: ts.convert(T, "nonsense"), lambda: ts.convert(T, "csf(3)"), lambda: ts.convert(T, ""),
                 lambda: ts.convert(T, transform="slice=x"), lambda: ts.convert(T, duplicates="x"),
                 lambda: ts.convert(T, index_width="wide"), lambda: ts.read("x.mtx", index_base=2),
                 lambda: ts.convert(T, "a\0b"), lambda: ts.Format("csr", order=-5, dims=(3, 3, 3)),
                 lambda: ts.kernel("y(i) = A(i,j)*x(j)", engine="steam"), lambda: ts.convert(T, nthreads=-1)]:  # fmt: skip
        with pytest.raises(ValueError):
            call()
    for call in [lambda: ts.convert(T, 5.0, dtype="no type"), lambda: ts.read(5), lambda: ts.read(None),
                 lambda: ts.convert(T, dtype="S3"), lambda: ts.Tensor(), lambda: ts.kernel(5),
                 lambda: ts.kernel("y(i) = A(i,j)*x(j)", B=T)]:  # fmt: skip
        with pytest.raises((TypeError, ValueError)):
            call()


def test_limits():
    with pytest.raises(MemoryError) as error:
        ts.convert(ts.from_coords([[0], [0]], [1.0], (2**40, 2**40)), "dense")
    assert isinstance(error.value, ts.LimitError)


def test_unsupported(tmp_path):
    path = tmp_path / "t.parquet"
    path.write_bytes(b"PAR1" + bytes(100) + b"PAR1")
    with pytest.raises(NotImplementedError, match="Parquet"):
        ts.read(path)


def test_the_next_call_forgets_the_error():
    with pytest.raises(ts.TesseraError):
        ts.Format("nonsense")
    assert ts.Format("csr", order=2).ndim == 2


def test_names_with_strange_characters(tmp_path):
    for name in ["ümläut.mtx", "with space.mtx", "col:on.mtx", "new\nline.mtx", os.fsdecode(b"b\xffd.mtx")]:
        path = tmp_path / name
        ts.write(path, np.eye(2))
        assert np.array_equal(ts.read(path).todense(), np.eye(2)), name
    with pytest.raises(ValueError, match="NUL"):
        ts.read("a\0b")
