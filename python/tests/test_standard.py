"""The array API standard: each function that is offered, against NumPy; the standard's own suite where its folder is given.

-DTSR_ARRAY_API_TESTS=FOLDER, a clone of data-apis/array-api-tests with its submodule, runs that suite (some minutes); array_api_skips.txt
lists the tests that cannot hold, with the reasons."""
import inspect
import os
import subprocess
import sys

import numpy as np
import pytest

import tessera as ts

HERE = os.path.dirname(os.path.abspath(__file__))


def cells(made):
    return made.todense() if isinstance(made, ts.Tensor) else np.asarray(made)


def equal(made, wanted):
    got, wanted = cells(made), np.asarray(wanted)
    assert (got.shape, got.dtype) == (wanted.shape, wanted.dtype) and np.array_equal(got, wanted)


def example(dtype=float):
    a = np.array([[0, 1.5, 0], [2, 0, 0]]).astype(dtype)
    return ts.convert(a, "csr"), a


def test_tensors_of_one_value_store_no_entry():
    for shape in ((2, 3), (4,), (2, 0), (2, 1, 3), 5):
        for dtype in (None, float, "f4", "i8", "u1", "c16", bool):
            for name in ("zeros", "ones", "empty"):
                made = getattr(ts, name)(shape, dtype=dtype)
                equal(made, getattr(np, "zeros" if name == "empty" else name)(shape, dtype=dtype))
                assert not isinstance(made, ts.Tensor) or made.nnz == 0
        equal(ts.full(shape, 7), np.full(shape, 7))
        equal(ts.full(shape, True), np.full(shape, True))
        equal(ts.full(shape, 2.5, dtype="f4"), np.full(shape, 2.5, dtype="f4"))
    A, a = example("f4")
    for name in ("zeros_like", "ones_like"):
        equal(getattr(ts, name)(A), getattr(np, name)(a))
        equal(getattr(ts, name)(A, dtype="i4"), getattr(np, name)(a, dtype="i4"))
    equal(ts.full_like(A, 3), np.full_like(a, 3))
    assert ts.full((10**9, 10**9, 1), 3.0).sum() == 3e18 and float(ts.full((), 3.5)) == 3.5
    equal(ts.ones((2, 3), dtype="f4") * A, a)
    with pytest.raises(ts.LimitError):
        ts.full((10**9, 10**9, 1), True)


def test_numbers():
    one = ts.convert(np.array([[3.0]]), "csr")
    assert (float(one), int(one), complex(one), bool(one), one.item()) == (3.0, 3, 3, True, 3.0)
    assert list(range(10))[ts.tensor(np.array(3))] == 3
    for convert in (float, int, complex):
        with pytest.raises(TypeError):
            convert(ts.eye(2))
    with pytest.raises(TypeError):
        list(range(10))[one]


def test_one_bool_is_an_array():
    for made in (ts.asarray(True), ts.asarray(np.bool_(True)), ts.asarray(1, dtype=bool), ts.full((), True)):
        assert not isinstance(made, ts.Tensor) and made.dtype == np.bool_ and made.shape == () and bool(made)
    assert np.from_dlpack(ts.tensor(np.ones((2, 2)))).sum() == 4 and ts.tensor(np.ones(2)).__dlpack__(stream=None, copy=True)


def test_shapes_and_values():
    A, a = example()
    T = ts.random((2, 3, 4), 0.5, seed=1)
    equal(ts.matrix_transpose(T), np.swapaxes(T.todense(), -1, -2))
    for made, wanted in zip(ts.broadcast_arrays(A, T[:, :1, :3].reshape(2, 1, 3)), np.broadcast_arrays(a, T.todense()[:, :1, :3])):
        equal(made, wanted)
    for axis in (0, 1, -1):
        parts = ts.unstack(T, axis=axis)
        assert len(parts) == T.shape[axis]
        for n, part in enumerate(parts):
            equal(part, np.take(T.todense(), n, axis))
        equal(ts.cumulative_sum(T, axis=axis), np.cumsum(T.todense(), axis))
    assert ts.cumulative_sum(A, axis=1, include_initial=True).tolist() == [[0, 0, 1.5, 1.5], [0, 2, 2, 2]]
    for X in (A, A + 1, A.reshape(-1), ts.eye(2), ts.zeros((2, 2))):
        values, counts = np.unique(cells(X), return_counts=True)
        equal(ts.unique_values(X), values)
        equal(ts.unique_counts(X).counts, counts)
    equal(ts.arange(3), np.arange(3))
    equal(ts.arange(1, 7, 2), np.arange(1, 7, 2))
    equal(ts.linspace(0, 1, 5), np.linspace(0, 1, 5))
    for name in ("ceil", "floor", "trunc"):
        equal(getattr(ts, name)(A), getattr(np, name)(a))
        assert getattr(ts, name)(A.astype("i4")).dtype == np.int32
    for name in ("var", "std"):
        equal(getattr(ts, name)(A, correction=1), getattr(np, name)(a, ddof=1))
    equal(ts.vecdot(A, A), (a * a).sum(-1))
    equal(ts.copysign(A, -1.0), np.copysign(a, -1.0))
    equal(ts.signbit(A), np.signbit(a))
    with pytest.raises(ValueError):
        ts.nonzero(ts.tensor(2.0))


def test_what_the_namespace_is():
    info = ts.__array_namespace_info__()
    assert ts.__array_api_version__ == "2023.12" and info.devices() == ["cpu"] and info.default_device() == "cpu"
    assert info.default_dtypes()["real floating"] == np.float64 and info.capabilities()["boolean indexing"]
    assert list(info.dtypes(kind="real floating")) == ["float32", "float64"] and "bool" in info.dtypes()
    assert ts.isdtype(np.float32, "real floating") and ts.isdtype(np.dtype("u2"), ("bool", "integral"))
    assert not ts.isdtype(np.int8, "unsigned integer") and ts.isdtype(np.int8, np.int8)
    with pytest.raises(ValueError):
        ts.isdtype(np.int8, "numbers")
    for name in dir(ts):
        getattr(ts, name)
    for name in ("sum", "prod", "mean", "max", "min", "any", "all", "std", "var"):
        assert {"axis", "keepdims"} <= set(inspect.signature(getattr(ts, name)).parameters)


def test_the_suite_of_the_standard():
    folder = os.environ.get("TSR_ARRAY_API_TESTS")
    if not folder or not os.path.isdir(folder):
        pytest.skip("array-api-tests is not here: -DTSR_ARRAY_API_TESTS=FOLDER")
    for module in ("hypothesis", "ndindex", "pytest_jsonreport"):
        pytest.importorskip(module, reason="the suite needs the package %s" % module)
    environment = dict(os.environ, ARRAY_API_TESTS_MODULE="tessera", ARRAY_API_TESTS_VERSION=ts.__array_api_version__)
    environment["PYTHONPATH"] = HERE + os.pathsep + environment.get("PYTHONPATH", "")
    command = [
        sys.executable, "-m", "pytest", "-q", "-p", "array_api_arrays", "-p", "no:cacheprovider", "array_api_tests", "--disable-deadline",
        "--max-examples=5", "--derandomize", "--xfails-file", os.path.join(HERE, "array_api_skips.txt"),
    ]  # fmt: skip
    done = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True)
    assert done.returncode == 0, "\n".join(line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR", "E ")))


def test_zeros_without_modes():
    for dtype in (bool, np.int8, float, complex):
        made = ts.zeros((), dtype=dtype)
        assert made.shape == () and made.dtype == dtype and not made
