"""Kernels, einsum, mttkrp, @, bench; NumPy is the oracle."""
import re
import warnings

import numpy as np
import pytest

import tessera as ts

rng = np.random.default_rng(5)


def sparse(*shape, density=0.4):
    return (rng.random(shape) < density) * rng.integers(1, 9, shape).astype(float)


A, B, C = sparse(5, 7), sparse(7, 4), sparse(5, 7)
T = sparse(4, 5, 6)
x, y5 = rng.random(7), rng.random(5)

EINSUM = [
    ("ij,j->i", (A, x)), ("ij,j", (A, x)), ("ij,i->j", (A, y5)), ("ij->ji", (A,)), ("ij->", (A,)), ("ij->i", (A,)),
    ("ij,jk->ik", (A, B)), ("ij,ij->ij", (A, C)), ("ij,ij->", (A, C)), ("ijk,k->ij", (T, rng.random(6))),
    ("ijk,jr,kr->ir", (T, rng.random((5, 3)), rng.random((6, 3)))), ("i,ij,j->", (y5, A, x)), ("ij,kj->ik", (A, C)),
    ("i,j->ij", (y5, x)),
]  # fmt: skip


@pytest.mark.parametrize("subscripts,operands", EINSUM)
@pytest.mark.parametrize("format", ["csr", "coo"])
def test_einsum(subscripts, operands, format):
    expected = np.einsum(subscripts, *operands)
    name = {"csr": "csf", "coo": "coo"}[format]
    given = [ts.convert(o, "csr" if format == "csr" and o.ndim == 2 else name) if o.ndim > 1 else o for o in operands]
    for again in range(2):
        got = ts.einsum(subscripts, *given)
        got = got.todense() if isinstance(got, ts.Tensor) else got
        assert np.shape(got) == expected.shape and np.allclose(got, expected)


@pytest.mark.parametrize("rows, inner, density", [(40, 30, 0.1), (5300, 200, 1)])  # counted at once, and by blocks of a million entries
def test_patterns_and_their_sizes(rows, inner, density):
    big = [ts.convert(sparse(rows, inner, density=density), "csr"), ts.convert(sparse(inner, 20, density=0.1), "csr"), ts.convert(sparse(rows, 20, density=0.2), "csr")]
    P, Q, R = [t.todense() for t in big]
    want = (P != 0).astype(int) @ (Q != 0) > 0
    for statement, kind in ("C(i,k) = A(i,j)*B(j,k)", "pattern"), ("C(i,k) |= A(i,j)&B(j,k)", None):
        product = ts.kernel(statement, format="csr", dtype=kind)(big[0], big[1])
        assert np.array_equal(product.todense() != 0, want) and "pattern" in repr(product)
    truth = ts.kernel("y(i) |= A(i,j)&x(j)")(big[0], np.arange(inner) > inner - 3)
    assert truth.dtype == bool and np.array_equal(truth, (P[:, -2:] != 0).any(axis=1))
    assert ts.kernel("C(i,k) = A(i,j)*B(j,k)", format="csr").nnz(big[0], big[1]) == want.sum()
    assert ts.kernel("C(i,k) = A(i,j)*B(j,k) + D(i,k)", format="csr").nnz(*big) == (want | (R != 0)).sum()
    assert ts.kernel("C(k,i) = A(i,j)*B(j,k)", format="csr").nnz(big[0], big[1]) == want.sum()
    assert ts.kernel("G(j,l) = A(i,j)*A(i,l)", format="csr").nnz(big[0]) == (((P != 0).T.astype(int) @ (P != 0)) > 0).sum()
    assert ts.kernel("C(i,k) = A(i,j)*B(j,k) where k > i", format="csr").nnz(big[0], big[1]) == np.triu(want, 1).sum()
    with pytest.raises(ts.UnsupportedError, match="lists coordinates"):
        ts.kernel("y(i) = A(i,j)*x(j)", format="dense", dtype="pattern")(big[0], np.ones(inner))
    with pytest.raises(ts.UnsupportedError, match="has no values"):
        ts.kernel("C(i,k) = A(i,j)*B(j,k)", format="csr", dtype="pattern").compute(ts.convert(want * 1.0, "csr"), big[0], big[1])


def test_results_of_16_bits():
    A, B = (ts.convert(sparse(40, 40, density=0.3), "csr") for _ in range(2))
    x = np.arange(40) / 7
    for statement, format in ("y(i) = A(i,j)*x(j)", None), ("C(i,k) = A(i,j)*B(j,k)", "csr"), ("s = A(i,j)*x(j)", None):
        k = ts.kernel(statement, format=format, dtype="float16")
        given = [{"A": A, "B": B, "x": x}[name] for name in k.names]
        wanted = ts.kernel(statement, format=format)(*given)
        for again in range(3):  # a kernel remembers how it computed
            got = k(*given)
            assert got.dtype == np.float16
            assert np.array_equal(as_dense(got), as_dense(wanted).astype(np.float16))
        rough = ts.kernel(statement, format="csr", dtype="bf16")(*given).astype("f4") if format else None
        assert rough is None or np.allclose(as_dense(rough), as_dense(wanted), rtol=2.0**-8)
    with pytest.raises(ts.TesseraError, match="does not fit f16"):
        ts.kernel("s = 1000000*x(i)", dtype="float16")(x)
    with pytest.raises(ts.UnsupportedError, match="rounded once"):
        k = ts.kernel("C(i,k) = A(i,j)*B(j,k)", format="csr", dtype="float16")
        k.compute(k(A, B), A, B)


def as_dense(x):
    return np.asarray(x.todense() if isinstance(x, ts.Tensor) else x)


def test_operands_in_files(tmp_path):
    k = ts.kernel("Y(i,k) = A(i,j)*X(j,k)")
    ts.write(tmp_path / "a.h5", ts.convert(A, "csr"))
    ts.write(tmp_path / "a.mtx", ts.convert(A, "coo"))
    for file in (tmp_path / "a.h5", str(tmp_path / "a.mtx"), ts.open(tmp_path / "a.h5")):
        got = k(file, B, memory="64M", progress=lambda phase, done, total: None)
        assert np.array_equal(got, A @ B)
        assert np.array_equal(k(A=file, X=ts.convert(B, "csr")), A @ B)
    assert ts.kernel("s = A(i,j)")(tmp_path / "a.h5", nthreads=1) == A.sum()
    product = ts.kernel("C(i,k) = A(i,j)*B(j,k)", format="csr")(tmp_path / "a.h5", ts.convert(B, "csr"))
    assert isinstance(product, ts.Tensor) and np.array_equal(product.todense(), A @ B)
    with pytest.raises(ts.UnsupportedError, match="A is read in blocks, but"):
        ts.kernel("y(i) = A(i,j)*x(j) + y0(i)")(tmp_path / "a.h5", x, y5)
    with pytest.raises(TypeError, match="2 operands are paths"):
        k(tmp_path / "a.h5", tmp_path / "a.mtx")
    with pytest.raises(TypeError, match="out does not go"):
        k(tmp_path / "a.h5", B, out=np.zeros((5, 4)))
    with pytest.raises(ValueError, match="too little"):
        k(tmp_path / "a.h5", B, memory="1M")
    with pytest.raises(OSError):
        k(tmp_path / "absent.h5", B)


def test_sparse_operands_give_a_sparse_result():
    """A product of large sparse matrices asked for a dense result of terabytes."""
    n = 1_000_000
    big = ts.from_coords([[0, 5, n - 1], [5, 7, 0]], [1.0, 2.0, 3.0], (n, n), format="csr")
    square = ts.kernel("C(i,j) = A(i,k)*B(k,j)", A=big, B=big)()
    assert square.format == "csr" and square.nnz == 2 and square.shape == (n, n)
    twice = ts.kernel("C(i,j) = A(i,j)+B(i,j)")(big, big)
    assert twice.format == "csr" and twice.values.tolist() == [2, 4, 6]
    assert (big @ big).format == ts.einsum("ij,jk->ik", big, big).format == "csr"
    small = ts.convert(A, "csr")
    dense = ts.kernel("C(i,j) = A(i,j)+B(i,j)", format="dense")(small, small)
    assert isinstance(dense, np.ndarray) and np.array_equal(dense, 2 * A)
    assert isinstance(ts.kernel("C(i,j) = A(i,j)+x(j)")(small, x), np.ndarray)
    assert isinstance(ts.kernel("C(i,j) = A(i,j)*B(i,j)")(small, A), np.ndarray)


def test_several_statements():
    """Results in between are temporaries; large ones are computed over blocks of rows."""
    text = "T(i,k) = A(i,j)*X(j,k); s(i) = T(i,k)*T(i,k); Y(i,k) = T(i,k)/sqrt(s(i))"
    for rows in (5, 4000):
        a, X = sparse(rows, 7) + 1, rng.random((7, 64))
        k = ts.kernel(text)
        assert k.names == ("A", "X")
        expected = a @ X / np.sqrt(((a @ X) ** 2).sum(1, keepdims=True))
        for given in (ts.convert(a, "csr"), a):
            assert np.allclose(k(given, X), expected)
    softmax = ts.kernel("m(i) max= A(i,j); e(i,j) = !!A(i,j)*exp(A(i,j) - m(i)); s(i) = e(i,j); P(i,j) = e(i,j)/s(i)", format="csr")
    a = ts.convert(sparse(3000, 40), "csr")
    p = softmax(a)
    assert p.format == "csr" and p.nnz == a.nnz and np.allclose(p.todense().sum(1), a.todense().any(1))
    with pytest.raises(ts.TesseraError, match="no statement behind this one reads 'T'"):
        ts.kernel("T(i) = A(i,j); y(i) = A(i,j)*x(j)")


def test_functions_of_the_user():
    a = ts.convert(A - 3.0 * (A > 0), "csr")
    k = ts.kernel("B(i,j) = relu(A(i,j))", functions="relu(x) = x > 0 ? x : 0; zero at x=0", format="csr")
    assert np.array_equal(k(a).todense(), np.maximum(a.todense(), 0))
    k = ts.kernel("y(i) = relu(far(A(i,j), x(j)) - 1)", functions=["far(x,y) = fabs(x - y)", "relu(x) = x > 0 ? x : 0"])
    assert np.allclose(k(a, x), np.maximum(abs(a.todense() - x) - 1, 0).sum(axis=1))
    for bad in ("f(x = 1", "f(x) = x +* 1", "f(x) = x + 1; zero at x=0"):
        with pytest.raises(ValueError) as caught:
            ts.kernel("y(i) = f(A(i,j))", functions=bad)
        assert not getattr(caught.value, "__notes__", None)  # the caret would stand below the expression


def test_repeated_calls_notice_what_changed():
    """The second call with the same shapes takes a short way, which must see all that the first one sees."""
    k = ts.kernel("y(i) = s*A(i,j)*x(j)")
    scipy_sparse = pytest.importorskip("scipy.sparse")
    S = scipy_sparse.csr_array(A)
    shared, own = ts.tensor(S), ts.tensor(S, copy=True)
    unaligned = np.frombuffer(b"\0" + x.tobytes(), np.uint8)[1:].view(np.float64)
    readonly = x.copy()
    readonly.flags.writeable = False
    gaps = np.repeat(x, 2)[::2]
    for again in range(3):
        for a in (shared, own, S):
            for vector in (x, readonly, unaligned, gaps, x.tolist()):
                for s in (2.0, np.float64(2), 2, np.array(2.0)):
                    assert np.allclose(k(s, a, vector), 2 * (A @ x))
        assert np.allclose(k(0.5, own, x), 0.5 * (A @ x))
    for wrong in (np.empty(4), np.empty(5, np.float32), [0.0] * 5):
        with pytest.raises((ValueError, TypeError), match="out"):
            k(2.0, own, x, out=wrong)
    S.indices[0] = 99
    for again in range(2):
        with pytest.raises(ts.FormatError):
            k(2.0, shared, x, check=True)


def test_sparse_results():
    a, b = ts.convert(A, "csr"), ts.convert(B, "csr")
    got = ts.einsum("ij,jk->ik", a, b, format="csr")
    assert isinstance(got, ts.Tensor) and got.format == "csr" and np.allclose(got.todense(), A @ B)
    k = ts.kernel("R(i,j) = A(i,j) + B(i,j)", format="csr")
    assert np.allclose(k(a, ts.convert(C, "csr")).todense(), A + C)
    assert np.allclose(ts.einsum("ij->ji", a, format="csr").todense(), A.T)


def test_entries_and_values_by_separate_calls():
    a, b = ts.convert(A, "csr"), ts.convert(B, "csr")
    k = ts.kernel("R(i,j) = A(i,k)*B(k,j)", format="csr")
    r = k.assemble(a, b)
    values = r.values
    assert r.nnz == k(a, b).nnz and not values.any()
    for by in (1.0, 2.0):
        a.values[:] *= by
        assert k.compute(r, a, b) is r and np.array_equal(values, k(a, b).values)
    assert np.allclose(r.todense(), 2 * A @ B)
    with pytest.raises(ts.TesseraError, match="assemble"):
        k.compute(r, a, ts.convert(B[:, ::-1].copy(), "csr"))
    with pytest.raises(TypeError, match="must be a Tensor"):
        k.compute(np.zeros((5, 4)), a, b)


def test_matmul():
    a, b = ts.convert(A, "csr"), ts.convert(B, "csc")
    assert np.allclose(a @ x, A @ x) and np.allclose(y5 @ a, y5 @ A)
    assert np.allclose(a @ B, A @ B) and np.allclose(C.T @ a, C.T @ A)
    assert isinstance(a @ b, ts.Tensor) and np.allclose((a @ b).todense(), A @ B)
    assert np.allclose(ts.convert(x, "coo") @ x, x @ x)
    for bad in (np.ones(3), np.ones((2, 2, 2)), np.ones(())):
        with pytest.raises(ValueError):
            a @ bad
    with pytest.raises(TypeError):
        a @ "text"
    scipy_sparse = pytest.importorskip("scipy.sparse")
    assert np.allclose((a @ scipy_sparse.csr_array(B)).todense(), A @ B)


@pytest.mark.parametrize("format", ["coo", "csf", "csf:2,0,1", "hicoo(2)"])
def test_mttkrp(format):
    t = ts.convert(T, format)
    factors = [rng.random((n, 3)) for n in T.shape]
    for mode, subscripts in enumerate(["ijk,jr,kr->ir", "ijk,ir,kr->jr", "ijk,ir,jr->kr"]):
        others = [f for m, f in enumerate(factors) if m != mode]
        expected = np.einsum(subscripts, T, *others)
        assert np.allclose(ts.mttkrp(t, factors, mode), expected)
        assert np.allclose(ts.mttkrp(t, [None if m == mode else f for m, f in enumerate(factors)], mode - 3), expected)
        out = np.full_like(expected, np.nan)
        assert ts.mttkrp(t, factors, mode, out=out) is out and np.allclose(out, expected)
    for bad in [dict(mode=3), dict(mode=-4), dict(factors=factors[:2])]:
        with pytest.raises(ValueError):
            ts.mttkrp(t, **{"factors": factors, **bad})


def test_built_in_kernels_need_no_compiler(monkeypatch):
    """The usual products are those that are built in, whatever the names of the operands."""
    from tessera import _kernel

    monkeypatch.setenv("TSR_CC", "/bin/false")
    _kernel._cached.cache_clear()
    _kernel._matrix_times_vector.cache_clear()
    a = ts.convert(sparse(300, 300), "csr")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        a @ np.ones(300)
    assert _kernel._matrix_times_vector().engine == "built in"
    for dtype in (np.float64, np.float32):
        b = ts.convert(sparse(300, 300).astype(dtype), "csr")
        c = ts.convert(sparse(300, 300).astype(dtype), "csr")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            made = {"A(i,j)+B(i,j)": b + c, "A(i,j)-B(i,j)": b - c, "A(i,j)*B(i,j)": b * c, "A(i,k)*B(k,j)": b @ c}
        for text, got in made.items():
            kernel = ts.kernel("C(i,j) = " + text, engine="builtin")
            assert got.dtype == dtype and np.array_equal(kernel(b, c).todense(), got.todense()), (text, dtype)


def test_calls():
    a = ts.convert(A, "csr")
    k = ts.kernel("y(i) = A(i,j)*x(j)")
    assert k.names == ("A", "x") and "A(i,j)" in k.expression and "y(i)" in repr(k)
    bound = ts.kernel("y(i) = A(i,j)*x(j)", A=a)
    out = np.full(5, np.nan)
    for again in range(3):
        for got in (k(a, x), k(A=a, x=x), k(a, x=x), k(x=x, A=a), bound(x), bound(x=x), bound(a, x), k(A, x), k(a, x, nthreads=1),
                    k(a, x, check=False), k(a, ts.tensor(x))):  # fmt: skip
            assert isinstance(got, np.ndarray) and np.allclose(got, A @ x)
        assert k(a, x, out=out) is out and np.allclose(out, A @ x)
        out[:] = np.nan
    total = ts.kernel("s = A(i,j)*x(j)")
    assert np.isscalar(total(a, x)) and np.isclose(total(a, x), (A @ x).sum()) and np.isclose(total(a, x), total(a, x))
    scale = ts.kernel("y(i) = a*x(i)")
    assert np.allclose(scale(2.5, x), 2.5 * x) and np.allclose(scale(2.5, x), 2.5 * x)


def test_adding_to_the_result():
    k = ts.kernel("y(i) += A(i,j)*x(j)")
    a, out = ts.convert(A, "csr"), np.ones(5)
    for n in range(1, 4):
        assert k(a, x, out=out) is out and np.allclose(out, 1 + n * (A @ x))
    assert np.allclose(k(a, x), A @ x) and np.allclose(k(a, x), A @ x)
    least = ts.kernel("y(i) min= A(i,j)", semiring=None)
    assert least(a).shape == (5,)


def test_long_rows_are_added_up_in_lanes():
    k = ts.kernel("y(i) = A(i,j)*x(j)")
    for columns, schedule, other in ((200, "lanes(64)", "lanes(0)"), (30, "lanes(0)", "lanes(64)")):
        a, x = ts.convert(rng.random((50, columns)), "csr"), rng.random(columns)
        made = {s: ts.kernel("y(i) = A(i,j)*x(j)", schedule=s)(a, x) for s in (schedule, other)}
        assert np.array_equal(k(a, x), made[schedule]) and np.array_equal(a @ x, made[schedule])
        assert not np.array_equal(*made.values()) and np.allclose(*made.values())
        assert k.engine == "built in"
        assert np.array_equal(a.sum(axis=1), ts.kernel("R(i) = A(i,j)", schedule=schedule)(a))
    assert k.nlowered == 2


def test_endings():
    left, right = sparse(30, 12), sparse(40, 12)
    whole = left @ right.T
    best = ts.kernel("C(i,j) top(3)= A(i,k)*B(j,k)")(ts.convert(left, "csr"), ts.convert(right, "csr"))
    assert best.format == "csr"
    got = best.to_scipy().toarray()
    for i in range(30):
        want = np.flatnonzero(whole[i])
        want = sorted(want, key=lambda j: (-whole[i, j], j))[:3]
        assert np.allclose(got[i, want], whole[i, want]) and np.count_nonzero(got[i]) == np.count_nonzero(whole[i, want])
    drawn = np.random.default_rng(3)
    least, other = np.linspace(0, 20, 30), drawn.random((30, 40)) * (drawn.random((30, 40)) < 0.6)
    M = ts.convert(other, "csr")
    some = ts.kernel("C(i,j) = A(i,k)*B(j,k) where C > T(i) and M(i,j) > .5")(A=ts.convert(left, "csr"), B=ts.convert(right, "csr"), T=least, M=M)
    np.testing.assert_allclose(some.todense(), np.where((whole > least[:, None]) & (other > 0.5), whole, 0))
    with pytest.raises(ts.UnsupportedError, match="the sparse M is compared with more than numbers"):
        ts.kernel("C(i,j) = A(i,k)*B(j,k) where C > M(i,j)")(A=ts.convert(left, "csr"), B=ts.convert(right, "csr"), M=M)
    large = ts.kernel("C(i,j) = A(i,k)*B(j,k) where abs(C) > 0.5 and j > i", format="csc")(ts.convert(left, "csr"), ts.convert(right, "csr"))
    want = np.where((abs(whole) > 0.5) & (np.arange(40) > np.arange(30)[:, None]), whole, 0)
    assert large.format == "csc" and np.allclose(large.to_scipy().toarray(), want)
    nearest = ts.kernel("p(i) argmax(j)= A(i,k)*B(j,k)")(ts.convert(left, "csr"), ts.convert(right, "csr"))
    assert nearest.dtype == np.int64
    assert nearest.tolist() == [max(np.flatnonzero(row), key=lambda j: (row[j], -j), default=-1) for row in whole]
    k = ts.kernel("y(i) bottom(1)= x(i)")
    assert k(ts.convert(np.array([0, 3.0, 2.0, 5.0]), "s")).todense().tolist() == [0, 0, 2, 0]


@pytest.mark.parametrize("engine", ["auto", "interpreter"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int32, np.uint8])
def test_endings_of_long_rows(dtype, engine):
    """Rows that are taken out of the workspace in parts, with equal values, NaN and sums of zero, beside rows that are not."""
    drawn, n = np.random.default_rng(5), 5000
    left = drawn.integers(0, 3, (4, 9)).astype(dtype)
    right = (drawn.integers(0, 4, (9, n)) * (drawn.random((9, n)) < 0.4)).astype(dtype)
    left[1], left[2] = 0, [1, *8 * [0]]
    right[0] *= np.arange(n) < 2100  # the range of row 2
    if np.issubdtype(dtype, np.inexact):
        left[0] -= 1
        left[0, 0], right[0, ::701] = 1, np.nan
    given = {"A": ts.convert(left, "csr"), "B": ts.convert(right, "csr")}
    whole, is_there = left @ right, (left != 0).astype(int) @ (right != 0).astype(int) > 0
    less = np.isnan(whole)

    def compare(statement, rows, **more):
        got = ts.kernel(statement, format="csr", engine=engine)(**given, **more).to_scipy()
        for i, want in enumerate(rows):
            lo, hi = got.indptr[i], got.indptr[i + 1]
            assert got.indices[lo:hi].tolist() == list(want)
            np.testing.assert_array_equal(got.data[lo:hi], whole[i, want] if len(want) else [])

    for count, word, by in (1, "top", ""), (10, "bottom", ""), (10, "top", ", abs"), (3000, "top", ""):
        sign, of = -1.0 if word == "top" else 1.0, abs(whole) if by else whole
        rows = [sorted(np.flatnonzero(is_there[i]), key=lambda j: (less[i, j], 0 if less[i, j] else sign * float(of[i, j]), j)) for i in range(4)]
        compare("C(i,j) %s(%d%s)= A(i,k)*B(k,j)" % (word, count, by), [sorted(row[:count]) for row in rows])
    bound = drawn.integers(0, 9, n)
    kept = is_there & (whole > bound) & (np.arange(n) % 4096 > np.arange(4)[:, None])
    where = "C(i,j) = A(i,k)*B(k,j) where C > T(j) and j - 4096*floor(j/4096) > i"
    compare(where, [np.flatnonzero(row) for row in kept], T=bound.astype(float))
    both = [sorted(sorted(np.flatnonzero(row), key=lambda j: (-float(whole[i, j]), j))[:20]) for i, row in enumerate(kept)]
    compare(where.replace("=", "top(20)=", 1), both, T=bound.astype(float))


@pytest.mark.parametrize("engine", ["auto", "interpreter"])
def test_softmax_in_blocks(engine):
    """Statements whose results have the entries of an operand run over blocks of rows, and borrow coordinates."""
    sp = pytest.importorskip("scipy.sparse")
    drawn, rows = np.random.default_rng(8), 13000
    counts = drawn.integers(0, 9, rows) * (np.arange(rows) % 50 > 0)
    ends = np.concatenate([[0], np.cumsum(counts)])
    S = sp.csr_matrix((drawn.normal(size=ends[-1]), np.concatenate([drawn.choice(400, n, replace=False) for n in counts]), ends), (rows, 400))
    S.sort_indices()
    S.data[::97] = 0
    S.data[5000], S.data[9000] = np.nan, -np.inf
    e = np.empty(ends[-1])
    for i in range(rows):
        x = S.data[ends[i] : ends[i + 1]]
        e[ends[i] : ends[i + 1]] = np.exp(x - x.max()) if len(x) else []
    want = e / np.repeat(np.add.reduceat(np.append(e, 0), ends[:-1]) * (counts > 0), counts)
    text = "m(i) max= A(i,j); e(i,j) = !!A(i,j)*exp(A(i,j) - m(i)); s(i) = e(i,j); P(i,j) = e(i,j)/s(i)"
    kernel, A = ts.kernel(text, format="csr", engine=engine), ts.convert(S, "csr")
    plan = ts.kernel(text, format="csr", engine="interpreter")
    plan(A)
    assert re.search("statements 1 to 4 run together over blocks of [0-9]+ rows of i; m is kept for a block; e is", plan.text("graph"))
    for threads in (1, 2, 3, 7):
        P = kernel(A, nthreads=threads)
        got = P.to_scipy()
        assert np.array_equal(got.indptr, S.indptr) and np.array_equal(got.indices, S.indices)
        np.testing.assert_allclose(got.data, want, rtol=1e-13)
        P._ready(True)
    twice = ts.kernel(text + "; y(i) = P(i,j)*e(i,j)", engine=engine)(A)  # e and P are kept, and read twice
    np.testing.assert_allclose(twice, np.add.reduceat(np.append(want * e, 0), ends[:-1]) * (counts > 0), rtol=1e-12)
    assert kernel(ts.convert(sp.csr_matrix((rows, 400)), "csr")).nnz == 0
    sums = ts.kernel("u(i,j) = A(i,j)*b(i); e(i,j) = 2*u(i,j); g(j) = e(i,j)*b(i)", engine=engine)  # e is read behind the group
    np.testing.assert_allclose(sums(A=A, b=np.full(rows, 0.5)), np.bincount(S.indices, S.data / 2, 400), atol=1e-10)
    assert "statements 1 to 2 run together" in sums.text("graph")
    wide = sp.csr_matrix(S.shape)
    wide.data, wide.indices, wide.indptr = S.data, S.indices.astype(np.int64), S.indptr.astype(np.int64)
    np.testing.assert_allclose(kernel(ts.convert(wide, "csr")).to_scipy().data, want, rtol=1e-13)


def test_loops_go_along_memory():
    """The longer loop is outside, if dense rows are read along it; and each cell is stored once."""
    T = rng.normal(size=(500, 3))
    kernel = ts.kernel("U(i,k) = max(T(i,k), s(i))", engine="compiled")
    assert np.array_equal(kernel(T=T, s=T[:, 1].copy()), np.maximum(T, T[:, 1:2]))
    assert "for i in [0, size of i)\n    for k in [0, 3)" in kernel.text("graph")
    assert "] = max_of(T[i * 3 + k], s_value)" in kernel.c_source
    turned = ts.kernel("U(k,i) = max(T(i,k), 0)", engine="interpreter")(T)
    assert np.array_equal(turned, np.maximum(T.T, 0))


def test_bands():
    for n, m in ((5, 5), (3, 7), (8, 2), (1, 1)):
        matrix, x = sparse(n, m), rng.random(m)
        y = ts.kernel("y(i) = (band(i,j,-1,2) - 3*eye(i,j,1))*x(j)")(x)
        assert np.allclose(y, (np.tri(m, m, 2) - np.tri(m, m, -2) - 3 * np.eye(m, m, 1)) @ x)
        got = ts.kernel("C(i,j) = A(i,j)*triu(i,j) + tril(i,j,-2)", format="csr")(ts.convert(matrix, "csr"))
        assert np.allclose(got.todense(), np.triu(matrix) + np.tri(n, m, -2))


def test_new_sizes_are_not_lowered_again():
    k = ts.kernel("y(i) = A(i,j)*x(j)")
    for n in (3, 4, 50, 100, 7):
        dense = sparse(n, n + 1)
        assert np.allclose(k(ts.convert(dense, "csr"), np.ones(n + 1)), dense.sum(1))
    assert k.nlowered == 1
    k(ts.convert(A, "csc"), x)
    assert k.nlowered == 2


def test_types():
    k = ts.kernel("y(i) = A(i,j)*x(j)")
    for left, right in [("f8", "f4"), ("f4", "f4"), ("i4", "f8"), ("i8", "i8"), ("u1", "c16"), ("c8", "f4"), ("c16", "c16")]:
        got = k(ts.convert(A.astype(left), "csr"), (10 * x).astype(right))
        assert np.allclose(got, A.astype(left) @ (10 * x).astype(right), rtol=1e-4), (left, right)
    assert ts.kernel("y(i) = A(i,j)*x(j)", dtype="f4")(ts.convert(A, "csr"), x).dtype == np.float32


def test_texts():
    k = ts.kernel("y(i) = A(i,j)*x(j)")
    with pytest.raises(ValueError, match="call the kernel first"):
        k.c_source
    a = ts.convert(A, "csr")
    k(a, x)
    assert "for (" in k.c_source and k.schedule and k.engine
    for what in ("c", "c11", "header", "ir", "graph", "schedule", "engine", "c_short", "c11_short", "runtime"):
        assert k.text(what) == k.text(what, a, x) != ""
    assert '#include "tessera_rt.h"' in k.text("c11_short", a, x) and "TESSERA_RT_H" in k.text("runtime", a, x)
    assert "restrict" in k.text("c", A=ts.convert(A, "csc"), x=x)
    with pytest.raises(ValueError, match="unknown text"):
        k.text("poem")


def test_engines_and_semirings():
    a = ts.convert(A, "csr")
    for engine in ("auto", "compiled", "jit", "interpreter"):
        assert np.allclose(ts.kernel("y(i) = A(i,j)*x(j)", engine=engine)(a, x), A @ x), engine
    k = ts.kernel("y(i) = A(i,j)*x(j)", semiring="max-plus")
    expected = np.where(A != 0, A + x, -np.inf).max(1)
    assert np.allclose(k(a, x), expected)


def test_time_and_bench():
    a = ts.convert(A, "csr")
    times = ts.kernel("y(i) = A(i,j)*x(j)").time(a, x, nruns=3)
    assert times["nruns"] == 3 and 0 < times["least_s"] <= times["median_s"] <= times["largest_s"]
    assert times["flops"] == 2 * a.nnz
    rows = ts.bench("spmv", A, formats=["csr", "coo", "csc", "nonsense"], nruns=2, rounds=1)
    assert [r["format"] for r in rows] == ["csr", "coo", "csc", "nonsense"]
    assert all(r["check"] == "equal" and r["median_s"] > 0 and r["nbytes"] > 0 for r in rows[:3])
    assert rows[0]["speedup"] == 1 and "nonsense" in rows[3]["error"]
    rows = ts.bench("mttkrp", T, formats=["coo", "csf"], nruns=1, rounds=1, rank=4)
    assert all(r["check"] == "equal" for r in rows)
    with pytest.raises(ValueError, match="unknown kernel"):
        ts.bench("nonsense", A)
    with pytest.raises(ValueError, match="no operand of 3 modes"):
        ts.bench("spmv", T)


def test_out_apart_from_operands():
    """Only first addresses were compared: a result could overwrite the operand that it was computed of."""
    k = ts.kernel("y(i) = A(i,j)*x(j)", A=sparse(7, 7))
    b = np.arange(8.0)
    with pytest.raises(ValueError, match="share memory"):
        k(x=b[:7], out=b[1:])
    assert (b == np.arange(8.0)).all()


def test_compute_compares_all_entries():
    """The entries of the result were compared with those of the operand at 64 places."""
    sp = pytest.importorskip("scipy.sparse")
    a = sp.csr_matrix((np.ones(4000 * 50), (np.arange(4000 * 50) // 50, np.tile(np.arange(50) * 80, 4000))), (4000, 4000))
    other = a.copy()
    other.indices[100003] += 1
    q = ts.kernel("R(i,j) = 2*A(i,j)", A=a, format="csr")
    r = q.assemble(a)
    q.compute(r, a)
    with pytest.raises(ValueError, match="the same entries"):
        q.compute(r, other)
