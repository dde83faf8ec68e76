"""Programs of other packages with tensors: scikit-learn, NetworkX, AnnData, Matplotlib, the
protocols of the array API."""
import numpy as np
import pytest

import tessera as ts

scipy_sparse = pytest.importorskip("scipy.sparse", reason="python3-scipy is not installed")


def example(shape=(40, 12), seed=0):
    rng = np.random.default_rng(seed)
    cells = (rng.random(shape) < 0.3) * rng.random(shape)
    return ts.convert(cells, "csr"), cells


def test_scikit_learn():
    """Estimators take the csr array that a tensor lends, whose indices cannot be written to."""
    pytest.importorskip("sklearn", reason="python3-sklearn is not installed")
    from sklearn.cluster import KMeans
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfTransformer
    from sklearn.linear_model import LogisticRegression, Ridge
    from sklearn.neighbors import NearestNeighbors
    from sklearn.preprocessing import MaxAbsScaler, normalize
    from sklearn.svm import LinearSVC
    from sklearn.tree import DecisionTreeClassifier

    T, cells = example()
    X, y = T.to_scipy(matrix=True), (cells[:, 0] > 0).astype(int)
    assert not X.indices.flags.writeable
    before = T.todense().copy()
    for model in (LogisticRegression(), LinearSVC(), DecisionTreeClassifier(random_state=0)):
        assert (model.fit(X, y).predict(X) == model.fit(cells, y).predict(cells)).mean() > 0.9
    assert np.allclose(
        Ridge(solver="lsqr").fit(X, y).predict(X),
        Ridge(solver="lsqr").fit(cells, y).predict(cells),
        atol=1e-2,
    )
    for model in (
        TruncatedSVD(2, random_state=0),
        KMeans(3, n_init=1, random_state=0),
        NearestNeighbors(n_neighbors=2),
        TfidfTransformer(),
        MaxAbsScaler(),
    ):
        model.fit(X)
    assert np.allclose(ts.convert(normalize(X), "csr").todense(), normalize(cells))
    assert np.array_equal(T.todense(), before)
    T.check()


def test_networkx():
    networkx = pytest.importorskip("networkx", reason="python3-networkx is not installed")
    T, cells = example((8, 8), 1)
    G = networkx.from_scipy_sparse_array(T.to_scipy(), create_using=networkx.DiGraph)
    assert G.number_of_edges() == T.nnz
    back = ts.tensor(networkx.to_scipy_sparse_array(G, nodelist=range(8)))
    assert np.allclose(back.todense(), cells)
    ranks = networkx.pagerank(G)
    assert abs(sum(ranks.values()) - 1) < 1e-6


def test_anndata_computes_with_tensors():
    anndata = pytest.importorskip("anndata", reason="python3-anndata is not installed")
    T, cells = example()
    adata = T.to_anndata()
    total = ts.tensor(adata.X).sum(axis=1)
    scaled = ts.tensor(adata.X) / total[:, None] if total.all() else ts.tensor(adata.X) * 1.0
    adata.layers["scaled"] = np.log1p(scaled * 100).to_scipy(matrix=True, copy=True)
    assert adata[:5].layers["scaled"].shape == (5, 12) and isinstance(adata, anndata.AnnData)


def test_scipy_solvers():
    from scipy.sparse.linalg import aslinearoperator, cg, svds

    T, cells = example((30, 30), 2)
    S = T @ T.T + ts.eye(30)
    x, info = cg(aslinearoperator(S), np.ones(30), atol=1e-10)
    assert info == 0 and np.allclose(S @ x, 1, atol=1e-4)
    assert np.allclose(
        svds(aslinearoperator(T), 3, return_singular_vectors=False).max(), np.linalg.norm(cells, 2)
    )


def test_binsparse_of_results():
    T, cells = example()
    assert np.allclose(ts.from_binsparse(2 * T + T).todense(), 3 * cells)


def test_pictures():
    matplotlib = pytest.importorskip("matplotlib", reason="python3-matplotlib is not installed")
    matplotlib.use("Agg")
    T, _ = example()
    ax = T.plot.spy()
    shown = ax.get_images()[0].get_array()
    assert np.array_equal(np.asarray(shown) > 0, T.todense() != 0) and "csr" in ax.get_title()
    big = ts.eye(1_000_000).plot.spy(boxes=50).get_images()[0].get_array()
    assert big.shape == (50, 50) and np.array_equal(np.asarray(big) > 0, np.eye(50) > 0)
    with pytest.raises(ValueError, match="two modes"):
        T[0].plot.spy()
    html = T._repr_html_()
    assert "data:image/png;base64" in html and "levels" in html


# ---- the array API standard: what is offered, against NumPy ----


def test_namespace():
    xp = ts.eye(2).__array_namespace__(api_version="2023.12")
    assert xp is ts and xp.float64 == np.float64 and xp.pi == np.pi and xp.newaxis is None
    T, cells = example((5, 6))
    unary = ("abs ceil floor sign sqrt square sin sinh tan tanh asin asinh atan atanh expm1 log1p negative positive round trunc isfinite "
             "isinf isnan cos cosh exp acos logical_not conj real").split()  # fmt: skip
    numpy_name = {
        "asin": "arcsin",
        "asinh": "arcsinh",
        "atan": "arctan",
        "atanh": "arctanh",
        "acos": "arccos",
    }
    for name in unary:
        made = getattr(xp, name)(T)
        wanted = getattr(np, numpy_name.get(name, name))(cells)
        made = made.todense() if isinstance(made, ts.Tensor) else made
        assert np.allclose(made, wanted) and made.dtype == wanted.dtype, name
    for name in ("add subtract multiply maximum minimum greater less greater_equal less_equal equal not_equal hypot logaddexp atan2 pow "
                 "floor_divide remainder logical_and logical_or logical_xor").split():  # fmt: skip
        wanted_of = getattr(np, {"atan2": "arctan2", "pow": "power"}.get(name, name))
        with np.errstate(all="ignore"):
            made, wanted = getattr(xp, name)(T, 2 * T), wanted_of(cells, 2 * cells)
        made = made.todense() if isinstance(made, ts.Tensor) else made
        assert np.allclose(made, wanted, equal_nan=True) and made.dtype == wanted.dtype, name
    for name in "sum prod min max mean std var any all argmin argmax".split():
        assert np.allclose(getattr(xp, name)(T, axis=0), getattr(np, name)(cells, axis=0)), name
    assert T.device == "cpu" and T.to_device("cpu") is T and T.size == 30
    with pytest.raises(ValueError):
        T.to_device("gpu")
    with pytest.raises(AttributeError):
        xp.no_such_function
    for name in dir(ts):
        assert getattr(ts, name) is not None or name == "newaxis", name


# ---- SciPy's own arrays on threads ----


def random_matrix(seed, n=2000, nnz=60_000, kind="csr_array", dtype="f8"):
    rng = np.random.default_rng(seed)
    coo = scipy_sparse.coo_array(
        (rng.random(nnz).astype(dtype), (rng.integers(0, n, nnz), rng.integers(0, n, nnz))),
        shape=(n, n),
    )
    made = getattr(scipy_sparse, kind)(coo)
    made.sum_duplicates()
    return made


@pytest.mark.parametrize("kind", ["csr_array", "csr_matrix", "csc_array"])
@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_accelerated_scipy(kind, dtype):
    A, B = random_matrix(1, kind=kind, dtype=dtype), random_matrix(2, kind=kind, dtype=dtype)
    x, X = np.ones(2000, dtype), np.ones((2000, 3), dtype)
    jobs = [lambda: A @ x, lambda: A @ X, lambda: A @ B, lambda: A + B, lambda: A - B, lambda: A.multiply(B),
            lambda: A.tocsc(), lambda: A.tocsr(), lambda: A.T @ x, lambda: A.T.tocsr(), lambda: A.sum(axis=0), lambda: 2 * A]  # fmt: skip
    wanted = [job() for job in jobs]
    with ts.accelerate() as used:
        made = [job() for job in jobs]
    report = used.report()
    for name in ("_add_sparse", "_sub_sparse", "multiply"):
        assert report[name]["tessera"] == 1, (name, report)
    assert sum(row["tessera"] for row in report.values()) >= 7, report
    for number, (got, right) in enumerate(zip(made, wanted)):
        assert type(got) is type(right) and got.shape == right.shape and got.dtype == right.dtype
        if scipy_sparse.issparse(got):
            assert got.format == right.format and abs(got - right).max() < 1e-4
            assert (
                got.indices.flags.writeable and got.data.flags.writeable and got.has_sorted_indices
            )
            if 2 <= number < 6:  # others may be A itself
                got.data[:] = 0
                got.eliminate_zeros()
        else:
            assert np.allclose(got, right, rtol=1e-4)
    assert np.array_equal(A.toarray(), random_matrix(1, kind=kind, dtype=dtype).toarray())
    before = used.report()
    A @ x
    assert used.report() == before  # stopped


def test_accelerated_scipy_sees_changes():
    A, x = random_matrix(3), np.ones(2000)
    with ts.accelerate() as used:
        first = A @ x
        A.data *= 2
        assert np.allclose(A @ x, 2 * first)
        A[0, 0] = 5.0
        assert np.allclose(A @ x, A.toarray() @ x)
        A.data[::2] = 0
        A.eliminate_zeros()
        assert np.allclose(A @ x, A.toarray() @ x)
        small, ints, unsorted = (
            random_matrix(4, 50, 100),
            random_matrix(5).astype(int),
            random_matrix(6),
        )
        unsorted.indices[:2] = unsorted.indices[:2][::-1].copy()
        unsorted = scipy_sparse.csr_array(
            (unsorted.data, unsorted.indices, unsorted.indptr), shape=unsorted.shape
        )
        for B in (small, ints, unsorted):
            y = np.ones(B.shape[1])
            assert np.allclose(B @ y, B.toarray() @ y)
        assert (
            used.report()["_mul_vector" if "_mul_vector" in used.report() else "_matmul_vector"][
                "scipy"
            ]
            >= 3
        )


def test_accelerated_programs():
    """Programs of others run without a change, and profit."""
    networkx = pytest.importorskip("networkx", reason="python3-networkx is not installed")
    pytest.importorskip("sklearn", reason="python3-sklearn is not installed")
    from sklearn.decomposition import TruncatedSVD

    S = random_matrix(7, kind="csr_matrix")
    G = networkx.from_scipy_sparse_array(
        random_matrix(8, 1000, 30_000), create_using=networkx.DiGraph
    )
    wanted, ranks = TruncatedSVD(2, random_state=0).fit(S).singular_values_, networkx.pagerank(G)
    with ts.accelerate() as used:
        assert np.allclose(TruncatedSVD(2, random_state=0).fit(S).singular_values_, wanted)
        again = networkx.pagerank(G)
    assert all(abs(ranks[n] - again[n]) < 1e-9 for n in ranks)
    assert sum(row["tessera"] for row in used.report().values()) > 0, used.report()
