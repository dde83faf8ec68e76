"""Operators, functions of NumPy, reductions, indices and shapes; NumPy on all cells is the
oracle."""
import operator
import warnings

import numpy as np
import pytest

import tessera as ts

scipy_sparse = pytest.importorskip("scipy.sparse", reason="python3-scipy is not installed")

TYPES = ["f8", "f4", "c16", "i8", "i4", "i1", "u1", "u8", "?"]
FORMATS = ["csr", "csc", "coo", "dcsr", "bcsr(2,3)", "ell", "bitmap", "hash"]


def example(seed, shape=(6, 9), dtype="f8", format="csr", density=0.4, zeros=True):
    """A tensor with explicit zeros, and its cells."""
    rng = np.random.default_rng(seed)
    crd = np.nonzero(rng.random(shape) < density)
    values = rng.integers(1, 7, crd[0].size)
    if zeros and dtype != "?":
        values[:2] = 0
    values = values * (1 + 1j) if dtype == "c16" else values
    values = values.astype(dtype)
    if np.dtype(dtype).kind in "fc":
        values = (values / 3).astype(dtype)
    cells = np.zeros(shape, dtype)
    cells[crd] = values
    return ts.from_coords(crd, values, shape, format=format), cells


def cells_of(made):
    return made.todense() if isinstance(made, ts.Tensor) else np.asarray(made)


def same(made, wanted, what=""):
    got = cells_of(made)
    assert got.shape == np.shape(wanted), (what, got.shape, np.shape(wanted))
    assert got.dtype == np.asarray(wanted).dtype, (what, got.dtype, np.asarray(wanted).dtype)
    assert np.allclose(
        got, wanted, rtol=1e-5 if got.dtype.itemsize <= 4 else 1e-12, equal_nan=True
    ), (what, got, wanted)
    if isinstance(made, ts.Tensor):
        made.check()


def quietly(f, *args):
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return f(*args)


@pytest.mark.parametrize("format", ["csr", "csc"])
def test_functions_of_matrices_of_several_blocks(format):
    """More entries than a block of pairs holds, rows that are longer than one, and equal rows."""
    for seed, shape in ((1, (700, 90)), (2, (2, 60000))):
        A, a = example(seed, shape, format=format, density=0.8)
        B, b = example(seed + 10, shape, dtype="i4", format=format, density=0.6)
        for f in (np.maximum, np.hypot, np.not_equal, np.less, np.greater_equal, np.logical_and, np.logical_xor, np.multiply):
            for (X, x), (Y, y) in (((A, a), (B, b)), ((A, a), (A * 2.0, a * 2))):
                same(f(X, Y), f(x, y), (f.__name__, shape))
        assert 0 < (A != B).nnz == (a != b).sum()  # what is False is not stored


BINARY = [
    operator.add, operator.sub, operator.mul, operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne,
    np.maximum, np.minimum, np.hypot, np.logical_or, np.logical_and, np.logical_xor,
]  # fmt: skip


@pytest.mark.parametrize("dtype", TYPES)
def test_two_tensors_of_one_type(dtype):
    A, a = example(1, dtype=dtype)
    B, b = example(2, dtype=dtype, density=0.3)
    for f in BINARY + [operator.and_, operator.or_, operator.xor]:
        try:
            wanted = quietly(f, a, b)
        except TypeError:
            with pytest.raises(TypeError):
                f(A, B)
            continue
        same(quietly(f, A, B), wanted, (f, dtype))
        same(quietly(f, A, A), quietly(f, a, a).astype(wanted.dtype), (f, dtype, "itself"))


@pytest.mark.parametrize("format", FORMATS)
def test_formats(format):
    A, a = example(3, format=format)
    B, b = example(4, format="csr")
    for f in (operator.add, operator.sub, operator.mul, np.maximum, operator.gt):
        same(f(A, B), f(a, b), (f, format))
        same(f(B, A), f(b, a), (f, format))
    same(np.sin(A), np.sin(a))
    same(np.cos(A), np.cos(a))
    same(2 * A, 2 * a)
    same(A > 1, a > 1)
    same(A.sum(axis=0), a.sum(axis=0))
    same(A.max(), a.max())
    same(A[1:4, [0, 3, 3]], a[1:4, [0, 3, 3]])
    assert (2 * A).format == A.format and np.sin(A).nnz == A.nnz


@pytest.mark.parametrize("first", TYPES)
@pytest.mark.parametrize("second", ["f8", "f4", "i8", "i1", "u8"])
def test_types_are_those_of_numpy(first, second):
    A, a = example(5, dtype=first)
    B, b = example(6, dtype=second)
    for f in (operator.add, operator.mul, operator.sub):
        try:
            wanted = f(a, b)
        except TypeError:
            continue
        same(f(A, B), wanted, (f, first, second))
    for number in (2, 2.5, np.float32(2), np.int8(3), True):
        same(A * number, a * number, (first, number))
        same(number * A, number * a, (first, number))


@pytest.mark.parametrize("format", ["csr", "csc", "coo"])
def test_products_of_filled_tensors(format):
    A, a = example(30, (6, 9), format=format)
    B, b = example(31, (9, 4))
    v, w = np.arange(9.0), np.arange(6.0)
    m = A.mean()
    same((A - m) @ v, (a - m) @ v)
    same(w @ (A - m), w @ (a - m))
    same((A - m) @ B, (a - m) @ b)
    same(A @ (B + 2), a @ (b + 2))
    same((A + 1) @ (B + 2), (a + 1) @ (b + 2))
    same((A + 1) @ b, (a + 1) @ b)
    same(a @ (B + 2), a @ (b + 2))
    with pytest.raises(ValueError, match="a finite one"):
        (A + np.inf) @ v


@pytest.mark.parametrize("format", ["csr", "csc"])
def test_columns_next_to_each_other(format):
    A, a = example(32, (7, 11), format=format)
    for key in [np.s_[:, 3], np.s_[:, -1], np.s_[:, 2:5], np.s_[2:5, 3:9], np.s_[1:6:2, 4:], np.s_[:, 5:5], np.s_[4], np.s_[3:, 2], np.s_[::-1, 1:4]]:
        same(A[key], a[key], key)
        same(A[key] * 2, a[key] * 2, key)
    with pytest.raises(IndexError, match="out of bounds"):
        A[:, 11]


def test_types_of_parts_of_expressions():
    a = np.array([[100, 1], [0, 100]], "i1")
    A, f = ts.convert(a, "csr"), np.full((2, 2), 0.5)
    same(((ts.lazy(A) + A) * f).compute(), (a + a) * f)  # int8 wraps around, as eager operators do
    same(((ts.lazy(A) @ A) * f).compute(), (a @ a) * f)
    x, z = example(33), example(34, dtype="c16")
    same((np.cos(ts.lazy(x[0])) * z[0]).compute(), np.cos(x[1]) * z[1])
    e = ts.convert(np.full((3, 3), 0.1), "csr")
    assert np.isfinite((ts.lazy(e) + 1).std().compute())
    assert (ts.lazy(e) / 3).compute().values[0] == 0.1 / 3


def test_functions_of_one_tensor():
    A, a = example(7)
    for f in (np.sin, np.tan, np.sqrt, np.expm1, np.log1p, np.sign, np.floor, np.rint, np.negative, np.abs, np.square, np.isfinite,
              np.cos, np.exp, np.isnan, np.logical_not, np.log, np.reciprocal, np.conjugate, np.positive, np.float_power):  # fmt: skip
        if f is np.float_power:
            same(f(A, 2), f(a, 2))
            continue
        same(quietly(f, A), quietly(f, a), f)
    assert np.sin(A).fill_value == 0 and np.cos(A).fill_value == 1
    assert np.shares_memory(np.sin(A).levels[1].crd, A.levels[1].crd)
    same(-A, -a)
    same(abs(-A), a)
    same(A + 1, a + 1)
    same(1 - A, 1 - a)
    same((A + 1) * (A + 1), (a + 1) * (a + 1))
    same((A + 1) - 1, (a + 1) - 1)
    same(A**2, a**2)
    same(A / 2, a / 2)
    same(A // 0.5, a // 0.5)
    same(A % 0.5, a % 0.5)
    for part, wanted in zip(divmod(A, 0.5), divmod(a, 0.5)):
        same(part, wanted)
    for part, wanted in zip(np.modf(A), np.modf(a)):
        same(part, wanted)
    same(quietly(operator.truediv, A, 0), quietly(operator.truediv, a, 0))
    same(quietly(operator.truediv, 2, A), quietly(operator.truediv, 2, a))
    same(A.round(1), a.round(1))
    same(A.clip(0.5, 1), a.clip(0.5, 1))
    same(np.clip(A, 0, 1), np.clip(a, 0, 1))
    Z, z = example(8, dtype="c16")
    same(Z.real, z.real)
    same(Z.imag, z.imag)
    same(Z.conj(), z.conj())
    same(abs(Z), abs(z))
    U, u = example(8, dtype="?")
    same(~U, ~u)
    same(U & (A > 1), u & (a > 1))
    for bad in (None, "x", {}):
        assert (A == bad) is False and (A != bad) is True
        with pytest.raises(TypeError):
            A + bad
    with pytest.raises(TypeError, match="out="):
        np.add(A, A, out=a)
    with pytest.raises(ValueError, match="truth value"):
        bool(A == A)


def test_broadcasting():
    A, a = example(9)
    row, r = example(10, (1, 9))
    column, c = example(11, (6, 1))
    vector = np.arange(1.0, 10)
    for f in (operator.add, operator.mul, np.maximum, operator.gt):
        for X, x in (
            (row, r),
            (column, c),
            (vector, vector),
            (a, a),
            (vector[:, None][:6], vector[:, None][:6]),
            (ts.tensor(vector), vector),
        ):
            same(f(A, X), f(a, x), f)
            same(f(X, A), f(x, a), f)
    same(row * column, r * c)
    same(row + column, r + c)
    assert (
        isinstance(A * vector, ts.Tensor)
        and isinstance(vector * A, ts.Tensor)
        and isinstance(A + vector, np.ndarray)
    )
    assert np.array_equal(cells_of(A / (1 + a)), a / (1 + a))
    with pytest.raises(ValueError):
        A + example(12, (5, 9))[0]
    T, t = example(13, (3, 4, 5), format="csf")
    same(T + T[0], t + t[0])
    same(T * np.arange(5.0), t * np.arange(5.0))
    same(T * example(14, (4, 1))[0], t * example(14, (4, 1))[1])


def test_other_libraries():
    A, a = example(15)
    S = scipy_sparse.csr_array(a)
    for X in (S, S.tocoo(), S.tocsc(), scipy_sparse.csr_matrix(a)):
        same(A + X, 2 * a)
        same(X + A, 2 * a)
        same(A * X, a * a)
        same(A - X, a - a)
    same(A + a.tolist(), 2 * a)
    same(a + A, 2 * a)
    same(np.multiply(a, A), a * a)


def test_large_operands_run_as_kernels():
    rng = np.random.default_rng(1)
    n, nnz = 2000, 120_000
    for dtype in ("f8", "f4", "i4"):
        A, B = [
            ts.from_coords(
                rng.integers(0, n, (2, nnz)),
                rng.integers(1, 9, nnz).astype(dtype),
                (n, n),
                format="csr",
            )
            for _ in range(2)
        ]
        a, b = A.todense(), B.todense()
        for f in (operator.add, operator.sub, operator.mul):
            made = f(A, B)
            assert (
                made.format == "csr"
                and made.dtype == dtype
                and np.array_equal(made.todense(), f(a, b))
            )
            made = f(A.T, B.T)
            assert made.format == "csc" and np.array_equal(made.todense(), f(a, b).T)
        for axis in (0, 1):
            same(A.sum(axis=axis), a.sum(axis=axis))


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("density", [0, 0.3, 1])
def test_reductions(dtype, density):
    A, a = example(16, (4, 5), dtype, density=density)
    T, t = example(17, (3, 4, 5), dtype, "csf", density=density)
    for name in ("sum", "prod", "min", "max", "mean", "any", "all", "var", "std"):
        for X, x in ((A, a), (T, t), (A.T, a.T)):
            if name in ("var", "std") and X is T or name in ("min", "max") and dtype == "?":
                continue
            for axis in (None, 0, 1, -1, (0, 1)):
                for keepdims in (False, True):
                    wanted = quietly(
                        lambda: getattr(x, name)(axis=axis, keepdims=keepdims)
                    )  # noqa: B023
                    got = quietly(
                        lambda: getattr(X, name)(axis=axis, keepdims=keepdims)
                    )  # noqa: B023
                    if (
                        cells_of(got).dtype == np.float32
                        and np.asarray(wanted).dtype == np.float16
                    ):
                        wanted = wanted.astype(np.float32)
                    same(got, wanted, (name, axis, keepdims))
    assert np.isscalar(A.sum()) or A.sum().ndim == 0
    same(np.sum(A, axis=0), np.sum(a, axis=0))
    same(np.add.reduce(A, axis=1), np.add.reduce(a, axis=1))
    with pytest.raises(np.AxisError):
        A.sum(axis=2)


@pytest.mark.parametrize("format, shape", [("csf", (5, 6, 7)), ("csr", (20, 9)), ("coo", (2, 3, 2, 3, 2, 3))])
def test_reductions_by_kernels(format, shape, monkeypatch):
    from tessera import _sums

    monkeypatch.setattr(_sums, "LARGE_NNZ", 1)
    calls = []
    run = _sums._run
    monkeypatch.setattr(_sums, "_run", lambda *given: calls.append(given) or run(*given))
    for dtype, density in (("f8", 0.3), ("f8", 1)) if format != "csr" else (("i4", 0.9),):
        A, a = example(40, shape, dtype, format, density=density)
        for axis in (-1, (0, a.ndim - 1), 0) if format == "csf" else (0, (1, 2)):
            if np.ndim(axis) == 1 and len(axis) >= a.ndim:
                continue
            for name in ("sum", "prod", "min", "max", "mean", "any", "all"):
                for X, x in ((A, a), (-A, -a)):
                    for keepdims in (False, True):
                        same(getattr(X, name)(axis=axis, keepdims=keepdims), getattr(x, name)(axis=axis, keepdims=keepdims), (name, axis))
    assert len(calls) > 20
    with_nan = A * 1.0
    with_nan.values[3] = np.nan
    ncalls = len(calls)
    for axis in range(a.ndim):
        same(with_nan.max(axis=axis), with_nan.todense().max(axis=axis))
        same(with_nan.min(axis=axis), with_nan.todense().min(axis=axis))
    assert len(calls) > ncalls


def test_places_of_extremes():
    for seed in range(6):
        A, a = example(seed, (4, 5), density=0.2 * seed)
        for X, x in ((A, a), (-A, -a), (A - 1, a - 1)):
            for axis in (None, 0, 1):
                same(X.argmax(axis), x.argmax(axis))
                same(X.argmin(axis=axis, keepdims=True), x.argmin(axis=axis, keepdims=True))


KEYS = [
    0, -1, slice(1, 4), slice(None, None, -2), (2, 3), (slice(None), 2), (slice(None, None, -1), slice(1, 6, 2)), [0, 2, 2], [], -np.arange(3),
    ([0, 1], [2, 3]), ([0, 1], slice(1, 3)), (slice(1, 3), [0, 0, 5]), ([[0], [1]], [[2, 3]]), (..., None), (None, 1), (None, [1, 2], None),
    np.array([True, False, True, True, False, False]), (slice(None), np.arange(9) % 2 == 0), (1, [3, 4]), ([3, 4], 1), (...,), (..., 0),
    np.arange(54).reshape(6, 9) % 4 == 0, (slice(5, 2), 1), ([5, -6], ...), np.array([[0, 1], [2, 3]]), (slice(0, 0),),
]  # fmt: skip


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "dense"])
def test_indices(format):
    A, a = example(18, format=format)
    for key in KEYS:
        same(A[key], a[key], key)
    same(A[A > 1], a[a > 1])
    same(A[a > 1], a[a > 1])
    T, t = example(19, (3, 4, 5), format="csf")
    for key in (1, (1, 2), (1, 2, 3), (slice(None), [0, 2], 1), ([0, 1], slice(None), [2, 3]), (0, slice(None), [2, 3]), (..., [4, 0]),
                ([0, 1], [1, 2]), (None, 0, ..., 3), t > 0.5):  # fmt: skip
        same(T[key], t[key], key)
    for bad in (
        6,
        (0, 9),
        (0, 0, 0),
        [7],
        "x",
        1.5,
        ([0, 1], [0, 1, 2]),
        (..., ...),
        np.array([True] * 5),
    ):
        with pytest.raises((IndexError, ValueError)):
            A[bad]
    assert np.allclose([row.sum() for row in A], a.sum(axis=1))


@pytest.mark.parametrize("format", ["csr", "csc"])
def test_columns_in_any_order(format):
    A, a = example(4, (30, 20), format=format)
    for columns in ([3, 1, 2], [0, 0, 5], [-1, 4], [], range(0, 20, 3), range(19, -1, -1), np.arange(20) % 3 == 1):
        columns = np.asarray(columns, bool if getattr(columns, "dtype", None) == bool else int)
        same(A[:, columns], a[:, columns], columns)
        same(A[2:9, columns], a[2:9, columns], columns)
        same(A[columns], a[columns]) if columns.dtype != bool else None
    same(A[:, ::-2], a[:, ::-2])
    for mesh in (np.ix_([3, 1], [4, 0, 7]), np.ix_([1, 1], [2, 2]), np.ix_([], [1]), ([[1], [2]], [3, 0])):
        mesh = tuple(np.asarray(m, int) for m in mesh)
        assert A[mesh].format == format
        same(A[mesh], a[mesh])
    with pytest.raises(IndexError, match="index 20 is out of bounds"):
        A[:, [1, 20]]


def test_rows_are_views_of_values():
    A, a = example(18)
    for format in ("csr", "csc"):
        X = A.convert(format) * 1.0
        x = X.todense().copy()
        for key in ((0, 1), (-1, 3), (2, slice(None)), (slice(None), 2), (slice(1, 3), slice(None)), (5, 8)):
            same(X[key], x[key], key)
        for bad in ((6, 0), (0, 9), (-7, 0), (6, slice(None))):
            with pytest.raises(IndexError):
                X[bad]
        part = X[1:3] if format == "csr" else X[:, 1:3]
        part.values[:] = -1
        assert (X.values == -1).sum() == part.nnz > 0


def test_a_missing_cell_has_the_fill():
    A, a = example(20)
    B = A + 2
    same(B[[0, 1, 2]], (a + 2)[[0, 1, 2]])
    assert B[tuple(np.argwhere(a == 0)[-1])] == 2
    same(B.sum(axis=0), (a + 2).sum(axis=0))
    same(B.reshape(54), (a + 2).reshape(54))


def test_assignment_keeps_the_pattern():
    A, a = example(21, zeros=False)
    i, j = [int(c[3]) for c in np.nonzero(a)]
    copied = A.astype(float)
    copied[i, j] = 77
    same(A, a)
    A[i, j] = 9
    A[A > 1] = 5
    a[i, j] = 9
    a[a > 1] = 5
    same(A, a)
    with pytest.raises(ValueError, match="store no entry"):
        A[0] = 1
    with pytest.raises(ValueError, match="cannot be written"):
        example(22, dtype="?")[0][:] = 1
    rows = np.array([[1.0, 2], [3, 4]])
    D = ts.convert(rows, "csr")
    D[0] = [7, 8]
    assert D.todense().tolist() == [[7, 8], [3, 4]]


def test_shapes():
    A, a = example(23)
    B, b = example(24, (6, 9), format="csc")
    T, t = example(25, (3, 4, 5), format="csf")
    for got, wanted in [
        (ts.concat([A, B]), np.concatenate([a, b])), (ts.concat([A, B], axis=1), np.concatenate([a, b], axis=1)),
        (np.concatenate([A, B], axis=1), np.concatenate([a, b], axis=1)), (ts.stack([A, B]), np.stack([a, b])),
        (ts.stack([A, b], axis=-1), np.stack([a, b], axis=-1)), (ts.hstack([A, B]), np.hstack([a, b])), (np.vstack([A, B]), np.vstack([a, b])),
        (A.reshape(9, 6), a.reshape(9, 6)), (A.reshape(-1), a.reshape(-1)), (np.reshape(T, (12, 5)), t.reshape(12, 5)),
        (ts.moveaxis(T, 0, 2), np.moveaxis(t, 0, 2)), (np.moveaxis(T, [0, 1], [-1, 0]), np.moveaxis(t, [0, 1], [-1, 0])),
        (np.swapaxes(T, 0, 1), np.swapaxes(t, 0, 1)), (T.mT, np.swapaxes(t, -1, -2)), (np.transpose(T), t.T), (T.transpose(1, 0, 2), t.transpose(1, 0, 2)),
        (ts.squeeze(A[:1]), a[0]), (ts.expand_dims(A, 1), a[:, None]), (ts.flip(A), np.flip(a)), (ts.flip(A, 1), np.flip(a, 1)),
        (ts.roll(A, 2, 1), np.roll(a, 2, 1)), (ts.take(A, [1, 1], 1), np.take(a, [1, 1], 1)), (ts.tril(A), np.tril(a)), (ts.triu(A, 2), np.triu(a, 2)),
        (ts.diagonal(A), np.diagonal(a)), (A.diagonal(-2), a.diagonal(-2)), (ts.trace(A), np.trace(a)), (ts.broadcast_to(A[:1], (4, 9)), np.broadcast_to(a[:1], (4, 9))),
        (ts.block_diag([A, B]), scipy_sparse.block_diag([a, b]).toarray()), (ts.kron(A, B), np.kron(a, b)), (ts.outer(A[0], B[1]), np.outer(a[0], b[1])),
        (ts.tensordot(A, B, axes=([0], [0])), np.tensordot(a, b, axes=([0], [0]))), (ts.tensordot(T, np.ones((5, 2)), 1), np.tensordot(t, np.ones((5, 2)), 1)),
        (ts.where(A > 1, A, 0), np.where(a > 1, a, 0)), (ts.where(A > 1, A, B), np.where(a > 1, a, b)), (ts.where(A > 1, 5.0, 2.0), np.where(a > 1, 5.0, 2.0)),
        (A.dot(B.T), a @ b.T), (np.dot(A, b.T), a @ b.T), (ts.vecdot(A, B), (a * b).sum(-1)), (ts.eye(3, 4, 1), np.eye(3, 4, 1)), (ts.zeros((2, 3)), np.zeros((2, 3))),
        (A.astype("f4"), a.astype("f4")), (ts.asarray(a, format="csc"), a), (ts.count_nonzero(A), np.count_nonzero(a)),
        (np.einsum("ij,kj->ik", A, B), a @ b.T), (A.T @ B, a.T @ b),
    ]:  # fmt: skip
        got, wanted = (
            (np.asarray(got), np.asarray(wanted)) if np.ndim(wanted) == 0 else (got, wanted)
        )
        same(got, wanted)
    assert all(np.array_equal(x, y) for x, y in zip(A.nonzero(), a.nonzero())) and A.size == 54
    R = ts.random((30, 40), 0.1, seed=3)
    assert (
        R.nnz == 120
        and R.shape == (30, 40)
        and R.format == "csr"
        and ts.random((4, 4), 1, seed=1).nnz == 16
    )
    with pytest.raises(ValueError):
        A.reshape(5, 5)
    with pytest.raises(TypeError, match="no version for sparse"):
        np.fft.fft(A)


def test_huge_sizes_stay_sparse():
    n = 1 << 40
    A = ts.from_coords([[5, n - 1], [n - 2, 7]], [1.0, 2.0], (n, n), format="coo")
    B = A + 2 * A
    assert B.nnz == 2 and B.shape == (n, n) and (A * B).values.tolist() == [3.0, 12.0]
    assert A.sum() == 3 and A.max() == 2 and A[5, n - 2] == 1 and A[5, 5] == 0 and (A > 1).nnz == 1
    for dense in (lambda: A == 0, lambda: A <= B):
        with pytest.raises(MemoryError):
            dense()


def test_expressions():
    A, a = example(26, (5, 7))
    B, b = example(27, (7, 6))
    M, m = example(28, (5, 6))
    C, c = example(29, (5, 6))
    L = ts.lazy(A)
    e = ((L @ B) * M + 2 * ts.lazy(C)).sum(axis=1)
    assert (
        str(e) == "R(i) = A(i,k)*B(k,j)*C(i,j) + E*D(i,j)"
        and e.shape == (5,)
        and e.dtype == np.float64
    )
    same(e.compute(), ((a @ b) * m + 2 * c).sum(axis=1))
    assert "for i" in e.plan() and "for (" in e.source()
    with ts.fuse():
        cases = [
            (((A @ B) * M).sum(), ((a @ b) * m).sum()), ((M * C + C).sum(axis=0), (m * c + c).sum(axis=0)), (np.sqrt(M) + C, np.sqrt(m) + c),
            (np.sqrt(abs(A @ B)), np.sqrt(abs(a @ b))), ((M + 1).sum(axis=1), (m + 1).sum(axis=1)), (A * np.arange(7.0), a * np.arange(7.0)),
            (M * C, m * c), (-M / 4, -m / 4), ((M > 0.5) * C, (m > 0.5) * c), ((M - C).T, (m - c).T), ((A @ B @ np.ones(6)), a @ b @ np.ones(6)),
            (np.ones(5) @ A, np.ones(5) @ a), ((M + 2) * (C - 1), (m + 2) * (c - 1)), (np.exp(M) * C, np.exp(m) * c), ((M * 3).max(axis=0), (m * 3).max(axis=0)),
            (M[:1] * C, m[:1] * c), (np.sqrt(A @ B) * M + C, np.sqrt(a @ b) * m + c), ((A.sum(axis=1) + 1) * 2, (a.sum(axis=1) + 1) * 2),
            (M.mean(axis=0), m.mean(axis=0)), (np.maximum(M, C) * 2, np.maximum(m, c) * 2), (M.sum() * C, m.sum() * c),
        ]  # fmt: skip
    for e, wanted in cases:
        assert isinstance(e, ts.Expr) and str(e) and repr(e).startswith("<tessera.Expr")
        same(e.compute(), wanted, str(e))
    assert isinstance(A + A, ts.Tensor)
    assert (
        cases[6][0].compute(format="csc").format == "csc"
        and cases[2][0].compute().format == "csr"
        and cases[5][0].compute().format == "csr"
    )
    with pytest.raises(ValueError, match="truth value"):
        bool(e)
    I, i = example(30, dtype="i4")
    F, f = example(31, dtype="f4")
    same((ts.lazy(I) * 2 + I).compute(), i * 2 + i)
    same((ts.lazy(I) * F).compute(), i * f)
    same((ts.lazy(F) * 2.5).sum(axis=0).compute(), (f * 2.5).sum(axis=0))
    same(ts.lazy(I).sum(axis=0).compute(), i.sum(axis=0))
