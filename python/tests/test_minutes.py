"""What users of SciPy and of the package sparse type in the first minutes: each line runs, and gives NumPy's values on all cells."""
import numpy as np
import pytest

import tessera as ts

sp = pytest.importorskip("scipy.sparse", reason="python3-scipy is not installed")

# One line for a tensor (A, B, M square, T and U of three modes), the same for NumPy's arrays in small letters where that is another line.
LINES = """
A.shape; A.ndim; A.dtype == np.float64; A.size; A.T.shape; A.todense(); (A.nnz, np.count_nonzero(a))
A.convert("csc"); A.convert("coo"); A.copy(); A.astype(np.float32); A.astype("i8"); A.astype(bool)
A + B; A - B; A * B; A @ A.T; A.T @ B; A @ x; x[:4] @ A; 2 * A; A / 2; -A; abs(A); A**2; A + 1; A != 0; A == 0; A > 1
A.sum(); A.sum(axis=0); A.sum(axis=1); A.sum(axis=-1, keepdims=True); A.mean(); A.mean(axis=0); A.max(); A.min(axis=1); A.argmax(axis=1)
A.std(axis=0); A.var(); A.any(axis=1); A.all(); A.prod(axis=0); (A * A).sum(axis=1)
A[0]; A[1, 2]; A[-1]; A[:, 2]; A[1:3]; A[::2, ::-1]; A[[0, 2]]; A[[0, 2], [1, 3]]; A[:, [3, 0]]; A[a.sum(axis=1) > 1]; A[..., 0]; A[None]
A.reshape(5, 4); A.reshape(-1); A.ravel(); A.flatten(); A.diagonal(); A.trace(); A.transpose(); A.swapaxes(0, 1); A.dot(x); A.nonzero()
np.tril(A); np.triu(A, 1); np.vstack([A, B]); np.hstack([A, B]); np.concatenate([A, B], axis=1); np.stack([A, B]); np.kron(A, B)
np.sin(A); np.sqrt(abs(A)); np.exp(A); np.sign(A); np.maximum(A, B); np.minimum(A, 1); np.where(A > 1, A, 0); np.clip(A, -1, 1); np.round(A, 1)
np.dot(A, x); np.outer(x, x[:2]) + 0 * A[:1, :2].sum(); np.tensordot(A, B, ([0], [0])); np.einsum("ij,j->i", A, x); np.isnan(A); np.abs(A)
M.diagonal(1); M @ M @ M; (M + M.T) / 2; M - np.diag(M.diagonal()); np.trace(M); np.roll(M, 1, axis=0); np.flip(M, 0); np.tile(M, 2)
np.repeat(M, 2, axis=0); np.take(M, [0, 1], axis=1); np.squeeze(M[:1]); np.expand_dims(M, 0); M * M[0]; M * M[:, :1]; M + np.ones(5); M[M > 0]
T + U; T * U; T.sum(axis=0); T.sum(axis=(0, 2)); T.max(axis=1); T.mean(axis=(1, 2)); T[0]; T[:, 1, [0, 2]]; T[..., -1]; T.transpose(2, 0, 1)
np.linalg.norm(A); np.linalg.norm(A, axis=1); np.linalg.norm(A, 1); np.allclose(A, A * 1.0); np.array_equal(A, B); np.diag(M); np.split(A, 2); np.cumsum(A, axis=1)
np.average(A, axis=1, weights=x); np.argwhere(A); np.unique(A, return_counts=True); np.pad(A, 1); np.diff(A, axis=0); np.isclose(A, B); np.nansum(A, axis=0); 2.5 in A
np.moveaxis(T, 0, -1); T.reshape(6, 4); T @ x[:4]; T @ np.ones((4, 2)); np.tensordot(T, U, ([0, 2], [0, 2])); T / 2; T - T; T.sum(); T > 1
""".replace("\n", ";").split(";")


def operands():
    rng = np.random.default_rng(5)

    def cells(*shape):
        return np.where(rng.random(shape) < 0.4, rng.integers(-4, 9, shape) / 2, 0)

    dense = {"a": cells(4, 5), "b": cells(4, 5), "m": cells(5, 5), "t": cells(2, 3, 4), "u": cells(2, 3, 4)}
    x = np.arange(1.0, 6)
    ours = {name.upper(): ts.convert(array, "csr" if array.ndim == 2 else "csf") for name, array in dense.items()}
    return {"np": np, "x": x, "a": dense["a"], **ours}, {"np": np, "x": x, "a": dense["a"], **{k.upper(): v for k, v in dense.items()}}


@pytest.mark.parametrize("line", [line.strip() for line in LINES if line.strip()])
def test_line(line):
    ours, numpys = operands()
    with np.errstate(all="ignore"):
        got = eval(line, ours)
        again = line.replace('A.convert("csc")', "A").replace('A.convert("coo")', "A").replace("A.todense()", "A").replace("A.nnz", "np.count_nonzero(A)")
        wanted = eval(again, numpys)
    pairs = zip(got, wanted) if isinstance(got, (tuple, list)) else [(got, wanted)]
    for g, w in pairs:
        g = g.todense() if isinstance(g, ts.Tensor) else g
        assert np.shape(g) == np.shape(w) and np.allclose(g, w, equal_nan=True), (line, g, w)


# The same line for a tensor and for SciPy's csr_array, by SciPy's names.
SCIPYS = """
A.toarray(); A.toarray("F"); A.tocsr(); A.tocsc(); A.tocoo(); A.tocsr(copy=True); A.multiply(B); A.multiply(2); A.multiply(x); A.maximum(B); A.minimum(B)
A.maximum(-1); A.power(2); A.getnnz(); A.getnnz(0); A.getnnz(axis=-1); A.count_nonzero(); A.conj(); A.conjugate(); A.data; A.indices; A.indptr; A.nnz
A.T.indptr; A.tocsc().indices; A.tocoo().row; A.tocoo().col; A.tocoo().data; A.diagonal(); A.trace(); A.dot(x); A.astype("i4"); A.copy(); A.transpose()
abs(A).sqrt(); A.sin(); A.expm1(); A.floor(); A.ceil(); A.rint(); A.sign(); A.trunc(); A.tan(); A.arctan(); A.tanh(); A.deg2rad(); abs(A).log1p()
A.tolil(); A.todok(); A.tobsr((2, 5)); A.asformat("csc"); M.diagonal(k=1); A.has_sorted_indices; A[np.ix_([1, 2], [3, 0])]; A[[[1], [2]], [3, 0]]
(A * (A != 0)).nnz == A.count_nonzero(); M[:, [4, 0, 2]]; A[[3, 1]][:, [4, 0]]; M.T @ M; M.maximum(M.T); (M != M.T).nnz; abs(M - M.T).max()
A.sum(); A.mean(axis=0); A.max(); A.nonzero(); A.reshape((5, 4)); A.dtype; A.shape; A.ndim; A[1, 2]; A[[0, 2]]; A[:, 1:3]; A != B
A + B; A - B; A @ M; A / 2; -A; abs(A); A.T @ B; 2 * A; A > 1; A.tocsr()[1:3].toarray(); A.tocsc()[:, [0, 1]]
""".replace("\n", ";").split(";")


@pytest.mark.parametrize("line", [line.strip() for line in SCIPYS if line.strip()])
def test_line_of_scipy(line):
    ours, _ = operands()
    got = eval(line, ours)
    wanted = eval(line, {name: sp.csr_array(obj.todense()) if isinstance(obj, ts.Tensor) and obj.ndim == 2 else obj for name, obj in ours.items()})
    pairs = zip(got, wanted) if isinstance(got, tuple) and isinstance(wanted, tuple) and isinstance(got[0], np.ndarray) else [(got, wanted)]
    for g, w in pairs:
        if isinstance(w, (int, tuple, np.dtype)):
            assert g == w, line
            continue
        w, g = [obj.toarray() if sp.issparse(obj) else obj for obj in (w, g)]
        g = g.todense() if isinstance(g, ts.Tensor) else g
        assert np.shape(g) == np.shape(w) and np.allclose(g, w), (line, g, w)


# What sparse tensors of Tessera do in another way: the error names the way out.
OTHER_WAYS = [
    ("A[0, 0] = 1", "make a new one"), ("np.asarray(A)", "todense"), ("bool(A)", "any"), ("np.linalg.svd(A)", "todense"), ("A.row", "levels"), ("A.tocoo().indptr", "csr and csc"), ("A.values[0] = 0; A.eliminate_zeros()", r"A \* \(A != 0\)"),
    ("np.add(A, A, out=A)", "assign"), ("T @ T[0]", "is 4 in A but 3 in B"), ("A @ A", "is not"), ("A.todense('X')", "'C' or 'F'"),
    ("A.convert('cssr')", "cssr"), ("A + 'x'", "unsupported|operand"), ("A[7]", "out of bounds"), ("(A + np.inf) @ x", "a finite one"),
    ("A.reshape(3, 3)", "cannot reshape"), ("A.sum(axis=2)", "axis"), ("np.concatenate([A, A[:, :2]])", "must agree"),
]  # fmt: skip


@pytest.mark.parametrize("line, words", OTHER_WAYS)
def test_an_error_names_the_way_out(line, words):
    ours, _ = operands()
    ours["A"] = ours["A"] * 1.0
    with pytest.raises((TypeError, ValueError, IndexError, AttributeError, NotImplementedError), match=words):
        exec(line, ours)


def test_programs_of_scipy_and_sparse():
    """Objects of both packages beside tensors."""
    S = sp.random(6, 6, 0.4, "csr", random_state=1)
    A, a = ts.tensor(S), S.toarray()
    for made, wanted in [
        (A + S, a + a), (S + A, a + a), (A * S, a * a), (A @ S, a @ a), (ts.tensor(S.tocoo()), a), (ts.tensor(S.tolil()), a),
        (A.to_scipy() @ A.to_scipy(), a @ a), (A.to_scipy("coo"), a), (ts.concat([A, ts.tensor(S)]), np.concatenate([a, a])),
    ]:  # fmt: skip
        made = made.todense() if isinstance(made, ts.Tensor) else made.toarray()
        assert np.allclose(made, wanted)
    sparse = pytest.importorskip("sparse", reason="python3-sparse is not installed")
    C = sparse.COO.from_numpy(a)
    for made, wanted in [(ts.tensor(C) + A, a + a), (A * C, a * a), (ts.tensor(C).to_sparse(), a), (ts.tensor(C)[1:3], a[1:3])]:
        assert np.allclose(made.todense(), wanted)


def test_tensors_of_tensors_keep_no_chain():
    """A = A * 0.5 in a loop keeps the memory of the first and of the last tensor, not of all."""
    import gc
    import weakref

    A = ts.random((50, 50), 0.2, seed=1)
    kept = []
    for _ in range(5):
        A = (A * 0.5).T
        kept.append(weakref.ref(A))
    gc.collect()
    assert [r() is None for r in kept] == [True] * 4 + [False]
    depth, keep = 0, A._handle.keep
    while keep is not None and depth < 9:
        keep, depth = next((k.keep for k in ([keep] if hasattr(keep, "keep") else keep) if hasattr(k, "keep")), None), depth + 1
    assert depth < 4
    frozen = np.ones((2, 2))
    frozen.setflags(write=False)
    with pytest.raises(ValueError, match="cannot be written"):
        ts.tensor(frozen).T[0] = 1
