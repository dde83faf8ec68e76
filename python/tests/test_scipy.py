"""SciPy, sparse, AnnData, Binsparse: in and out, without copies where the layouts agree."""
import sys

import numpy as np
import pytest

import tessera as ts

scipy_sparse = pytest.importorskip("scipy.sparse", reason="python3-scipy is not installed")


def address(array):
    return array.__array_interface__["data"][0]


def example(dtype="f8", shape=(6, 8), seed=3):
    random = np.random.default_rng(seed)
    return ((random.random(shape) < 0.3) * random.integers(1, 100, shape)).astype(dtype)


def arrays_of(matrix):
    return [matrix.row, matrix.col, matrix.data] if matrix.format == "coo" else [matrix.indptr, matrix.indices, matrix.data]


def level_arrays(T):
    return [level.arrays[name] for level in T.levels for name in ("pos", "crd") if name in level.arrays]


@pytest.mark.parametrize("suffix", ["array", "matrix"])
@pytest.mark.parametrize("index", ["i4", "i8"])
@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "bsr"])
def test_in_and_out_without_copy(kind, index, suffix):
    dense = example()
    matrix = getattr(scipy_sparse, "%s_%s" % (kind, suffix))(dense, **({"blocksize": (2, 4)} if kind == "bsr" else {}))
    for name in ("indptr", "indices", "row", "col"):
        if hasattr(matrix, name):
            setattr(matrix, name, getattr(matrix, name).astype(index))
    T = ts.tensor(matrix, copy=False)
    assert T.format == {"bsr": "bcsr(2,4)"}.get(kind, kind) and np.array_equal(T.todense(), dense)
    given = arrays_of(matrix)
    held = level_arrays(T)[1:] if kind == "coo" else level_arrays(T)
    assert [address(a) for a in held] == [address(a) for a in given[:-1]]
    assert address(T.values) == address(given[-1])
    back = T.to_scipy(copy=False, matrix=suffix == "matrix")
    assert back.format == kind and type(back) is type(matrix)
    assert [address(a) for a in arrays_of(back)] == [address(a) for a in given]
    assert np.array_equal(back.toarray(), dense)
    if kind in ("csr", "csc"):
        assert back.has_canonical_format and back.has_sorted_indices and back.indices.dtype == np.dtype(index)
    assert not np.shares_memory(T.to_scipy(copy=True).data, T.values)


def test_values_are_shared_both_ways():
    matrix = scipy_sparse.csr_array(example())
    T = ts.tensor(matrix)
    matrix.data[0] = 77
    assert T.values[0] == 77
    T.to_scipy().data[1] = 78
    assert matrix.data[1] == 78 and T.shares_memory


def test_lent_indices_cannot_be_written_to():
    T = ts.convert(example(), "csr")
    pytest.importorskip("sparse", reason="python3-sparse is not installed")
    for S in (T.to_scipy(), T.to_scipy(matrix=True), T.T.to_scipy(), T.to_sparse("gcxs")):
        assert address(S.data) == address(T.values) and S.data.flags.writeable and not T.shares_memory
        assert not S.indices.flags.writeable and not S.indptr.flags.writeable
        with pytest.raises(ValueError):
            S.indices[0] = 10**9
    S = T.to_scipy()
    S.data *= 2
    S.sum_duplicates()
    S.sort_indices()
    assert np.array_equal((S @ S.T).toarray(), T.todense() @ T.todense().T)
    assert S.tocsc().sum() == T.values.sum() and np.array_equal(S[:, [1]].toarray(), T.todense()[:, [1]])
    T.check()
    for own in (T.to_scipy(copy=True), T.to_scipy("csc"), T.to_scipy("coo").tocsr()):
        own.data[:] = 0
        own.eliminate_zeros()
        assert own.nnz == 0
    assert T.nnz == np.count_nonzero(example())


@pytest.mark.parametrize("kind", ["dia", "lil", "dok"])
def test_kinds_that_need_a_copy(kind):
    dense = example()
    matrix = scipy_sparse.csr_array(dense).asformat(kind)
    assert np.array_equal(ts.tensor(matrix).todense(), dense)
    with pytest.raises(ValueError, match="copy=False"):
        ts.tensor(matrix, copy=False)
    assert ts.convert(dense, "csr").to_scipy(kind).format == kind


@pytest.mark.parametrize("format", ["csf", "dense", "hicoo(2)", "linear", "dcsr", "csc", "bcsr(2,2)", "bcsr(3,4)"])
@pytest.mark.parametrize("kind", [None, "csr", "csc", "coo", "bsr"])
def test_other_formats_out(format, kind):
    dense = example()
    T = ts.convert(dense, format)
    S = T.to_scipy(kind)
    assert np.array_equal(S.toarray(), dense)
    if kind:
        assert S.format == kind
    if format not in ("csc",) and not format.startswith("bcsr"):
        with pytest.raises(ValueError, match="copy=False"):
            T.to_scipy(kind, copy=False)


def test_rows_in_any_order():
    """csru takes the arrays of a SciPy matrix and gives them back without sorting."""
    A = scipy_sparse.csr_array((np.array([1.0, 2, 3]), np.array([2, 0, 1]), np.array([0, 2, 3])), shape=(2, 3))
    T = ts.from_arrays("csru", A.shape, [A.indptr, A.indices, A.data])
    assert T.format == "csru" and np.shares_memory(T.values, A.data)
    back = T.to_scipy()
    assert back.format == "csr" and not back.has_sorted_indices and back.indices.tolist() == [2, 0, 1]
    assert (back.toarray() == A.toarray()).all()
    assert T.convert("csr").to_scipy().indices.tolist() == [0, 2, 1]
    C = ts.einsum("ij,jk->ik", T, ts.convert(A.T.tocsr(), "csr"), format="csru")
    assert C.format == "csru" and (C.to_scipy().toarray() == (A @ A.T).toarray()).all()
    assert ts.convert(A, "csru:1,0").to_scipy().format == "csc"
    for bad in [2, 2], [0, 3]:  # a column twice, a column that does not exist
        with pytest.raises(ts.FormatError):
            ts.from_arrays("csru", (2, 3), [np.array([0, 2, 2]), np.array(bad), np.array([1.0, 2])])


def test_unsorted_and_repeated_entries():
    for make in ("csr_array", "csc_array"):
        matrix = getattr(scipy_sparse, make)((np.array([1.0, 2, 4]), np.array([2, 0, 2]), np.array([0, 3, 3])), shape=(2, 3)[:: 1 if make == "csr_array" else -1])  # fmt: skip
        before = [a.copy() for a in arrays_of(matrix)]
        T = ts.tensor(matrix)
        assert np.array_equal(T.todense(), matrix.toarray()) and T.nnz == 2 and not T.shares_memory
        assert all(np.array_equal(a, b) for a, b in zip(before, arrays_of(matrix)))
        with pytest.raises(ValueError, match="sorted"):
            ts.tensor(matrix, copy=False)
    coo = scipy_sparse.coo_array((np.array([1.0, 2, 4]), (np.array([1, 0, 1]), np.array([2, 0, 2]))), shape=(2, 3))
    assert np.array_equal(ts.tensor(coo).todense(), coo.toarray())
    bsr = scipy_sparse.bsr_array((np.arange(8.0).reshape(2, 2, 2), np.array([1, 0]), np.array([0, 2])), shape=(2, 4))
    assert np.array_equal(ts.tensor(bsr).todense(), bsr.toarray())


def test_room_at_the_end():
    """SciPy keeps arrays that are longer than the entries."""
    matrix = scipy_sparse.csr_array((np.arange(3.0), np.array([0, 1, 2]), np.array([0, 2, 3])), shape=(2, 3))
    matrix.data, matrix.indices = np.arange(5.0), np.array([0, 1, 2, 0, 0], matrix.indptr.dtype)
    T = ts.tensor(matrix, copy=False)
    assert T.nnz == 3 and np.array_equal(T.todense(), [[0, 1, 0], [0, 0, 2]])


@pytest.mark.parametrize("dtype", ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8", "c8", "c16"])
def test_types(dtype):
    dense = example(dtype)
    matrix = scipy_sparse.csr_array(dense)
    T = ts.tensor(matrix, copy=False)
    back = T.to_scipy()
    assert back.dtype == np.dtype(dtype) and np.array_equal(back.toarray(), dense)


def test_explicit_false_and_long_double():
    matrix = scipy_sparse.csr_array((np.array([True, False]), np.array([0, 1]), np.array([0, 2])), shape=(1, 2))
    T = ts.tensor(matrix)
    assert T.nnz == 2 and T.dtype == np.uint8
    with pytest.raises(TypeError, match="not supported"):
        ts.tensor(scipy_sparse.csr_array(example("g")))


def test_empty_and_huge():
    for shape in [(0, 0), (0, 5), (5, 0), (3, 4)]:
        matrix = scipy_sparse.csr_array(shape)
        T = ts.tensor(matrix)
        assert T.shape == shape and T.nnz == 0 and T.to_scipy().shape == shape
    coo = scipy_sparse.coo_array((np.array([1.5]), (np.array([2**40]), np.array([2**35]))), shape=(2**41, 2**36))
    T = ts.tensor(coo, copy=False)
    assert T.shape == (2**41, 2**36) and address(T.levels[0].crd) == address(coo.row)
    assert T.to_scipy().row.tolist() == [2**40]
    with pytest.raises(MemoryError):
        T.todense()


def test_modes_and_fill():
    with pytest.raises(ValueError, match="2 modes"):
        ts.convert(np.ones((2, 2, 2)), "csf").to_scipy()
    with pytest.raises(ValueError, match="absent cells"):
        ts.from_coords([[0], [0]], [1.0], (2, 2), fill_value=3.0).to_scipy()
    with pytest.raises(ValueError, match="unknown kind"):
        ts.convert(np.ones((2, 2)), "csr").to_scipy("xyz")


def test_symmetric(tmp_path):
    path = tmp_path / "s.mtx"
    for kind, field, entry, sign in [("symmetric", "real", "2 1 5", 1), ("skew-symmetric", "real", "2 1 5", -1),
                                     ("hermitian", "complex", "2 1 5 2", 1)]:  # fmt: skip
        path.write_text("%%%%MatrixMarket matrix coordinate %s %s\n2 2 1\n%s\n" % (field, kind, entry))
        T = ts.read(path, keep_symmetry=True)
        assert T.structure.endswith("lower") and T.nnz == 1
        dense = T.to_scipy().toarray()
        assert np.array_equal(dense, ts.read(path).todense()) and dense[0, 1] == sign * np.conj(dense[1, 0]) != 0
        with pytest.raises(ValueError, match="triangle"):
            T.to_scipy(copy=False)


# ---- sparse ----


def test_pydata():
    sparse = pytest.importorskip("sparse", reason="python3-sparse is not installed")
    for shape in [(6, 8), (3, 4, 5), (7,)]:
        dense = example(shape=shape)
        S = sparse.COO(dense)
        T = ts.tensor(S, copy=False)
        assert T.format in ("coo", "cvec") and np.array_equal(T.todense(), dense)
        assert address(T.values) == address(S.data)
        assert address(level_arrays(T)[1]) == address(S.coords[0])
        back = T.to_sparse()
        assert isinstance(back, sparse.COO) and np.array_equal(back.todense(), dense)
        assert np.array_equal(ts.convert(dense, "csf" if len(shape) > 1 else "dvec").to_sparse().todense(), dense)
    dense = example(shape=(3, 4, 5))
    for axes in [(0,), (1,), (2,), (0, 1), (1, 2), (0, 2)]:
        S = sparse.GCXS(sparse.COO(dense), compressed_axes=axes)
        assert np.array_equal(ts.tensor(S).todense(), dense), axes
    dense = example()
    for axes, format in [((0,), "csr"), ((1,), "csc")]:
        S = sparse.GCXS(sparse.COO(dense), compressed_axes=axes)
        T = ts.tensor(S, copy=False)
        assert T.format == format and address(T.values) == address(S.data) and np.array_equal(T.todense(), dense)
        back = T.to_sparse("gcxs")
        assert address(back.data) == address(T.values) and np.array_equal(back.todense(), dense)
    filled = sparse.COO(np.array([[1, 2]]), np.array([5.0, 6.0]), shape=(4,), fill_value=9.0)
    T = ts.tensor(filled)
    assert T.fill_value == 9 and T.todense().tolist() == [9, 5, 6, 9]
    assert T.to_sparse().fill_value == 9
    assert np.array_equal(ts.tensor(sparse.DOK(dense)).todense(), dense)


# ---- AnnData ----


def test_labels(tmp_path):
    """Names of rows and columns go with their indices: through conversions, files and pickles."""
    import pickle

    dense = np.array([[1.0, 0, 2], [0, 3, 0]])
    rows, columns = ["cell 1", "zweite Zelle \u00e4"], ["g1", "", "g3"]
    T = ts.convert(dense, "csr")
    assert T.labels == (None, None)
    L = T.with_labels(rows, columns)
    assert L.labels == (rows, columns) and T.labels == (None, None) and np.shares_memory(L.values, T.values)
    assert L.T.labels == (columns, rows) and L.convert("coo").labels == (rows, columns)
    assert L.transform("slice=:,::2").labels == (rows, columns[::2])
    assert pickle.loads(pickle.dumps(L)).labels == (rows, columns)
    assert L.with_labels(None, np.array(["a", "b", "c"])).labels == (None, ["a", "b", "c"])
    for name in ("l.h5ad", "l.h5"):
        L.write(tmp_path / name)
        assert ts.read(tmp_path / name, format="csc").labels == (rows, columns)
    with pytest.warns(ts.TesseraWarning, match="which are dropped"):
        L.write(tmp_path / "l.mtx")
    for wrong, error in (((rows,), ValueError), ((rows, rows), ValueError), (("ab", None), TypeError)):
        with pytest.raises(error):
            L.with_labels(*wrong)
    symmetric = ts.convert(ts.from_arrays("csr", (2, 2), [[0, 1, 2], [0, 0], [1.0, 2]], structure="symmetric_lower"), None)
    assert symmetric.with_labels(rows, rows).structure == "symmetric_lower"


def test_anndata_labels(tmp_path):
    anndata = pytest.importorskip("anndata", reason="python3-anndata is not installed")
    adata = anndata.AnnData(scipy_sparse.csr_matrix(np.array([[1.0, 0, 2], [0, 3, 0]])), dtype="f8")
    adata.obs_names, adata.var_names = ["c1", "c2"], ["g1", "g2", "g3"]
    T = ts.tensor(adata)
    assert ts.einsum("ij->i", adata).tolist() == [3, 3]
    assert T.labels == (["c1", "c2"], ["g1", "g2", "g3"]) and np.shares_memory(T.values, adata.X.data)
    ts.write(tmp_path / "a.h5ad", adata)
    again = anndata.read_h5ad(tmp_path / "a.h5ad")
    assert list(again.obs_names) == ["c1", "c2"] and list(again.var_names) == ["g1", "g2", "g3"]
    back = ts.read(tmp_path / "a.h5ad").to_anndata()
    assert list(back.var_names) == ["g1", "g2", "g3"] and (back.X != adata.X).nnz == 0
    back = T.to_anndata()
    assert list(back.obs_names) == ["c1", "c2"] and np.shares_memory(back.X.data, adata.X.data)
    assert list(ts.convert(np.eye(2), "csr").to_anndata().obs_names) == ["0", "1"]


def test_anndata(tmp_path):
    anndata = pytest.importorskip("anndata", reason="python3-anndata is not installed")
    dense = example("f4")
    adata = anndata.AnnData(scipy_sparse.csr_matrix(dense), dtype="f4")
    adata.layers["counts"] = scipy_sparse.csc_matrix(2 * dense)
    T = ts.tensor(adata)
    assert address(T.values) == address(adata.X.data) and np.array_equal(T.todense(), dense)
    assert np.array_equal(ts.tensor(adata[1:4]).todense(), dense[1:4])
    T = ts.tensor(adata.layers["counts"])
    assert T.format == "csc"
    made = anndata.AnnData(ts.convert(dense, "csr").to_scipy(matrix=True), dtype="f4")
    assert np.array_equal(made.X.toarray(), dense)
    path = tmp_path / "a.h5ad"
    adata.write_h5ad(path)
    assert np.array_equal(ts.read(path).todense(), dense)
    assert np.array_equal(ts.read(path, "layers/counts").todense(), 2 * dense)
    backed = anndata.read_h5ad(path, backed="r")
    assert np.array_equal(ts.tensor(backed).todense(), dense)
    with pytest.raises(ValueError, match="in a file"):
        ts.tensor(backed, copy=False)
    backed.file.close()


# ---- Binsparse ----


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "dcsr", "dcsc", "dense", "csf", "hicoo(2)"])
def test_binsparse(format):
    dense = example()
    T = ts.convert(dense, format)
    descriptor, arrays = T.__binsparse__()
    facts = descriptor["binsparse"]
    assert facts["version"] == "0.1" and facts["shape"] == [6, 8] and len(arrays) == len(facts["data_types"])
    assert all(np.from_dlpack(a) is not None for a in arrays)

    class Other:
        def __binsparse__(self):
            return descriptor, arrays

    assert np.array_equal(ts.from_binsparse(T).todense(), dense)
    assert np.array_equal(ts.tensor(Other()).todense(), dense)
    facts["version"] = "2.0"
    with pytest.raises(ValueError, match="0.1"):
        ts.from_binsparse(Other())


def test_importing_tessera_imports_no_scipy():
    import subprocess

    code = "import sys, tessera, numpy; tessera.convert(numpy.eye(3), 'csr'); print([m for m in ('scipy', 'sparse', 'anndata', 'h5py') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"


@pytest.mark.parametrize("format", ["bcsr(10,10)", "csr", "csc", "coo"])
@pytest.mark.parametrize("width", [None, "narrow", 8, 16])
def test_indices_that_scipy_computes_with(format, width):
    """Indices of 8 and 16 bits went to SciPy, which computed wrong places with them."""
    if width == 8:
        crd, shape = [[0, 10, 100], [100, 20, 120]], (127, 127)
    else:
        crd, shape = [[0, 5, 10], [300, 20, 990]], (20, 1000)
    if width == 8 and format.startswith("bcsr"):
        shape = (120, 130)
    T = ts.from_coords(crd, [7.0, 8.0, 9.0], shape, format=format, index_width=width)
    got = T.to_scipy()
    want = np.zeros(shape)
    want[tuple(crd)] = [7, 8, 9]
    for a in ([got.indices, got.indptr] if hasattr(got, "indptr") else [got.row, got.col]):
        assert a.dtype.itemsize in (4, 8)
    for made in (got, got.T.T, got.tocoo(), got.tocsr()):
        assert (made.toarray() == want).all()
    assert (np.asarray(got.sum(axis=0)).ravel() == want.sum(axis=0)).all()


def test_linear_operator():
    """Solvers of SciPy take a tensor as an operator."""
    from scipy.sparse.linalg import aslinearoperator

    rng = np.random.default_rng(1)
    dense = (rng.random((6, 4)) < 0.5) * rng.random((6, 4))
    T = ts.convert(dense, "csr")
    A = aslinearoperator(T)
    x, y, X = rng.random(4), rng.random(6), rng.random((4, 3))
    assert A.shape == (6, 4) and A.dtype == np.float64
    assert np.allclose(A @ x, dense @ x) and np.allclose(A.rmatvec(y), dense.T @ y) and np.allclose(A.matmat(X), dense @ X)
    assert np.allclose(T.matvec(x.reshape(4, 1)), (dense @ x).reshape(6, 1))


@pytest.mark.parametrize("dtype", ["f4", "f8", "c16", "i2"])
def test_rows_of_all_lengths(dtype):
    """A[rows] of many rows: empty ones, short ones and long ones, the last row of the arrays among them."""
    rng = np.random.default_rng(7)
    lengths = rng.choice([0, 0, 1, 5, 8, 9, 40, 700], 3000)
    lengths[-1] = 3
    pos = np.concatenate([[0], np.cumsum(lengths)])
    crd = np.concatenate([np.sort(rng.choice(1000, n, replace=False)) for n in lengths])
    values = rng.integers(1, 100, crd.size).astype(dtype)
    A = scipy_sparse.csr_matrix((values, crd, pos), (lengths.size, 1000))
    T = ts.tensor(A)
    for n in (1, 50, 40_000):
        rows = np.append(rng.integers(0, lengths.size, n - 1), lengths.size - 1)
        got = T[rows].to_scipy()
        want = A[rows]
        assert got.shape == want.shape
        for name in ("indptr", "indices", "data"):
            assert (getattr(got, name) == getattr(want, name)).all(), name


def same_arrays(got, want):
    want.sort_indices()
    return all((getattr(got, name) == getattr(want, name)).all() for name in ("indptr", "indices", "data"))


STENCILS = [(-300, -1, 0, 1, 300), (-5000, -1, 0, 1, 5000), (-20000, -1, 0, 1, 20000), (-700, -699, -2, -1, 0, 1, 2, 699, 700), (0,), (5,)]


@pytest.mark.parametrize("offsets", STENCILS)
def test_products_of_stencils(offsets):
    """Products that meet in few coordinates, near each other and far apart; and rows of one entry."""
    n = 3 * max(map(abs, offsets)) + 1000
    rng = np.random.default_rng(8)
    A = scipy_sparse.csr_matrix(scipy_sparse.diags([rng.integers(1, 9, n).astype(float) for _ in offsets], offsets, (n, n)))
    B = scipy_sparse.csr_matrix(scipy_sparse.diags([rng.integers(1, 9, n).astype(float) for _ in offsets], offsets[::-1], (n, n)))
    assert same_arrays((ts.tensor(A) @ ts.tensor(B)).to_scipy(), A @ B)


@pytest.mark.parametrize("lengths", [[1], [0, 1], [0, 0, 0, 1], [1, 1, 1, 1, 2, 0], [1, 2], [0, 1, 2, 3, 20]])
def test_short_rows(lengths):
    """Sums, products and conversions of matrices whose rows have few entries, also in long runs of equal rows."""
    rng = np.random.default_rng(9)
    made = []
    for runs in (1, 1, 40):
        count = np.repeat(rng.choice(lengths, 3000 // runs), runs)
        crd = np.concatenate([np.sort(rng.choice(40, k, replace=False)) for k in count])
        pos = np.concatenate([[0], np.cumsum(count)])
        made.append(scipy_sparse.csr_matrix((rng.integers(1, 9, crd.size).astype(float), crd, pos), (count.size, 40)))
    n = min(m.shape[0] for m in made)
    A, B, C = [scipy_sparse.csr_matrix(m[:n]) for m in made]
    for left, right in ((A, B), (A, C), (C, A)):
        T, U = ts.tensor(left), ts.tensor(right)
        assert same_arrays((T + U).to_scipy(), left + right)
        assert same_arrays((T * U).to_scipy(), left.multiply(right).tocsr())
        assert same_arrays((T @ U.T).convert("csr").to_scipy(), scipy_sparse.csr_matrix(left @ right.T))
    for m in made:
        got, want = ts.tensor(m).convert("coo").to_scipy(), m.tocoo()
        assert (got.row == want.row).all() and (got.col == want.col).all() and (got.data == want.data).all()
