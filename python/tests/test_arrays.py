"""NumPy arrays, arrays of levels, coordinates, formats."""
import base64
import copy
import pickle
import re
import zlib

import numpy as np
import pytest

import tessera as ts

DTYPES = ["f8", "f4", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "c8", "c16"]
FORMATS = ["coo", "csr", "csc", "dcsr", "dcsc", "csf", "dense", "dd:1,0", "bcsr(2,3)", "hicoo(4)", "linear",
           "(i, j) -> (j floordiv 2 : compressed, i : compressed, j mod 2 : dense)"]  # fmt: skip


def address(array):
    return array.__array_interface__["data"][0]


def example(dtype="f8", shape=(5, 7)):
    random = np.random.default_rng(3)
    dense = (random.random(shape) < 0.3) * random.integers(1, 100, shape)
    return dense.astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_dense_shares_memory(dtype):
    for order in "CF":
        dense = np.asarray(example(dtype), order=order)
        T = ts.tensor(dense, copy=False)
        assert T.shape == dense.shape and T.dtype == dense.dtype and T.is_dense
        assert address(T.values) == address(dense)
        dense[0, 0] = 55
        assert np.array_equal(np.asarray(T) if order == "C" else T.todense("F"), dense)
        assert address(T.todense(order)) == address(dense)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("format", FORMATS)
def test_formats_and_types(format, dtype):
    dense = example(dtype)
    T = ts.convert(dense, format)
    assert np.array_equal(T.todense(), dense) and T.dtype == dense.dtype
    assert T.nnz == np.count_nonzero(dense)
    T.check()
    crd, back = T.coords(), np.zeros_like(dense)
    assert crd.shape == (2, T.nnz)
    back[tuple(crd)] = ts.convert(T, "coo").values if T.format == "coo" else T._entries()[1]
    assert np.array_equal(back, dense)


def test_cut_and_strided_arrays():
    big = np.arange(60.0).reshape(6, 10)
    for name, cut, shared in [
        ("rows", big[1:4], True),
        ("transposed", big[1:4].T, True),
        ("columns", big[:, 2:7], False),
        ("block", big[1:5, 3:6], False),
        ("every second row", big[::2], False),
        ("every second column", big[:, ::2], False),
        ("reversed", big[::-1], False),
        ("one row", big[2:3, 1:4], True),
        ("broadcast", np.broadcast_to(big[0], (3, 10)), False),
    ]:
        T = ts.tensor(cut)
        assert np.array_equal(T.todense(), cut), name
        assert np.shares_memory(T.values, cut) == shared, name
        if not shared:
            with pytest.raises(ValueError, match="needs? a copy"):
                ts.tensor(cut, copy=False)
        assert not np.shares_memory(ts.tensor(cut, copy=True).values, cut), name


def test_other_types():
    for array, expected in [
        (np.arange(4, dtype=">f8"), "f8"),
        (np.arange(4, dtype=">i4"), "i4"),
        (np.array([True, False, True]), "?"),
    ]:
        T = ts.tensor(array)
        assert T.dtype == np.dtype(expected) and np.array_equal(T.todense(), array)
        if array.dtype != bool:
            with pytest.raises(ValueError, match="copy"):
                ts.tensor(array, copy=False)
    for bad in [np.arange(3).astype("g"), np.array(["a"]), np.array([None]), np.zeros(2, "M8[s]"), np.zeros(2, "i4,i4"),
                np.ma.masked_array([1.0, 2.0], [0, 1]), {"a": 1}, "text", None, object(), [[1], [2, 3]]]:  # fmt: skip
        with pytest.raises((TypeError, ValueError)):
            ts.tensor(bad)


def test_shapes():
    for shape in [(), (0,), (3,), (0, 4), (4, 0), (1, 1), (2, 3, 4), (1,) * 16]:
        dense = np.ones(shape)
        assert np.array_equal(ts.tensor(dense).todense(), dense)
        if shape:
            assert np.array_equal(ts.convert(dense, "coo").todense(), dense)
    with pytest.raises(ValueError, match="16 modes"):
        ts.tensor(np.zeros((1,) * 17))


def test_readonly():
    dense = example()
    dense.flags.writeable = False
    T = ts.tensor(dense)
    assert not T.values.flags.writeable and not T.todense().flags.writeable
    assert ts.tensor(dense, copy=True).values.flags.writeable
    with pytest.raises(ValueError):
        T.values[0] = 1


def test_no_silent_densify():
    T = ts.convert(example(), "csr")
    with pytest.raises(TypeError, match="todense"):
        np.asarray(T)
    assert np.add(T, 1).nnz == T.nnz and np.add(T, 1).fill_value == 1
    with pytest.raises(ValueError, match="ambiguous"):
        bool(T)


def test_levels():
    T = ts.convert(np.array([[0, 1.5, 0], [0, 0, 0], [2, 0, 3]]), "csr")
    rows, columns = T.levels
    assert (rows.kind, rows.size, rows.npos, rows.arrays) == ("dense", 3, 3, {})
    assert (columns.kind, columns.size, columns.npos, columns.unique) == ("compressed", 3, 3, True)
    assert columns.pos.tolist() == [0, 1, 1, 3] and columns.crd.tolist() == [1, 0, 2]
    assert columns.crd.dtype == np.int32 and not columns.crd.flags.writeable
    T.values[0] = 9
    assert T.todense()[0, 1] == 9


def test_from_arrays():
    pos, crd, values = np.array([0, 1, 1, 3]), np.array([1, 0, 2]), np.array([1.5, 2, 3])
    for width in ("i4", "i8", "u4", "u8", "i2", "u1"):
        p, c = pos.astype(width), crd.astype(width)
        T = ts.from_arrays("csr", (3, 3), [p, c, values], copy=False)
        assert T.todense().tolist() == [[0, 1.5, 0], [0, 0, 0], [2, 0, 3]]
        assert address(T.levels[1].crd) == address(c) and address(T.values) == address(values)
    T = ts.from_arrays("csc", (3, 3), [pos, crd, values])
    assert T.todense()[1, 0] == 1.5
    T = ts.from_arrays("coo", (3, 3), [None, [0, 2, 2], [1, 0, 2], values])
    assert T.todense().tolist() == [[0, 1.5, 0], [0, 0, 0], [2, 0, 3]]
    T = ts.from_arrays("csf", (2, 2, 2), [[0, 1], [1], [0, 1], [0], [0, 2], [0, 1], [4.0, 5.0]])
    assert T.todense()[1, 0].tolist() == [4, 5]
    T = ts.from_arrays("csr", (2, 2), [[0, 1, 2], [0, 1], [True, True]])
    assert T.type == "pattern" and T.nnz == 2 and T.values.tolist() == [True, True]
    big_endian = ts.from_arrays("csr", (3, 3), [pos.astype(">i4"), crd, values])
    assert np.array_equal(big_endian.todense(), [[0, 1.5, 0], [0, 0, 0], [2, 0, 3]])
    with pytest.raises(ValueError, match="copy"):
        ts.from_arrays("csr", (3, 3), [pos.astype(">i4"), crd, values], copy=False)


def test_from_coords():
    crd = np.array([[2, 0, 2, 2], [1, 3, 1, 0]])
    T = ts.from_coords(crd, [1.0, 2, 4, 8], (3, 4), format="csr")
    assert T.todense().tolist() == [[0, 0, 0, 2], [0, 0, 0, 0], [8, 5, 0, 0]]
    assert ts.from_coords(crd, [1, 2, 4, 8], duplicates="first").todense()[2, 1] == 1
    assert ts.from_coords(crd, [1, 2, 4, 8], duplicates="last").todense()[2, 1] == 4
    with pytest.raises(ts.FormatError) as error:
        ts.from_coords(crd, [1, 2, 4, 8], duplicates="error")
    assert error.value.status == "DUPLICATE"
    assert ts.from_coords(crd, True, (3, 4)).type == "pattern"
    assert ts.from_coords(crd, 2.5, (3, 4), duplicates="first").values.tolist() == [2.5] * 3
    assert ts.from_coords(np.zeros((2, 0)), [], (3, 4)).nnz == 0
    assert ts.from_coords(crd, [1.0, 2, 4, 8], (2**40, 2**33)).levels[0].crd.dtype == np.int64
    for bad in [dict(coords=[[0, 3]], values=[1.0, 2.0], shape=(3,)), dict(coords=[[-1]], values=[1.0], shape=(3,)),
                dict(coords=[[0], [0, 1]], values=[1.0], shape=(3, 3)), dict(coords=[[0]], values=[1.0, 2.0], shape=(3,)),
                dict(coords=[[0]], values=[1.0], shape=(3, 3)), dict(coords=[[0]], values=[1.0], shape=(-3,)),
                dict(coords=[[0]], values=[1.0], shape=(3,), duplicates="twice"),
                dict(coords=[[0]], values=[1.0], shape=(3,), index_width=7),
                dict(coords=[[]], values=[])]:  # fmt: skip
        with pytest.raises(ValueError):
            ts.from_coords(**bad)
    with pytest.raises(TypeError):
        ts.from_coords([[0.5]], [1.0], (3,))


@pytest.mark.parametrize("width,expected", [("narrow", "u1"), (8, "u1"), (16, "u2"), (32, "i4"), (64, "i8"), ("same", "i4")])
def test_index_width(width, expected):
    T = ts.convert(example(), "csr", index_width=width)
    assert T.levels[1].pos.dtype == T.levels[1].crd.dtype == np.dtype(expected)


def test_transpose_shares_memory():
    dense = example(shape=(4, 6))
    for format in ["csr", "csc", "coo", "dcsr", "dense", "bcsr(2,3)"]:
        T = ts.convert(dense, format)
        assert np.array_equal(T.T.todense(), dense.T), format
        assert address(T.T.values) == address(T.values), format
    assert ts.convert(dense, "csr").T.format == "csc" and ts.convert(dense, "csr").T.T.format == "csr"
    cube = example(shape=(3, 4, 5))
    T = ts.convert(cube, "csf")
    for axes in [(0, 1, 2), (2, 0, 1), (1, 2, 0)]:
        assert np.array_equal(T.transpose(*axes).todense(), cube.transpose(axes))
        assert np.array_equal(T.transpose(axes).todense(), cube.transpose(axes))
    assert np.array_equal(T.T.todense(), cube.T)
    with pytest.raises(ValueError):
        T.transpose(0, 0, 1)


def test_transform_and_types():
    dense = example("i8", (6, 8))
    T = ts.convert(dense, "csr")
    assert np.array_equal(T.transform("slice=1:4,:").todense(), dense[1:4])
    assert np.array_equal(ts.convert(dense, "csc", transform="transpose=1,0").todense(), dense.T)
    assert T.astype("f4").dtype == np.float32 and np.array_equal(T.astype("f4").todense(), dense)
    with pytest.raises(ts.FormatError):
        ts.tensor(np.array([300])).convert(dtype=np.int8)
    assert ts.tensor(np.array([300, -1])).astype("u1").values.tolist() == [44, 255]  # as NumPy casts
    assert T.convert() is T and ts.convert(T, "csr") is T


def test_pickle_and_copy():
    for T in [ts.convert(example("c16"), f) for f in FORMATS] + [ts.from_coords([[1, 2]], True, (4,)), ts.tensor(3.5),
              ts.from_coords([[1]], [2.0], (3,), fill_value=7.0)]:  # fmt: skip
        for again in (pickle.loads(pickle.dumps(T, 5)), copy.deepcopy(T)):
            assert again.format == T.format and again.shape == T.shape and again.dtype == T.dtype
            assert again.fill_value == T.fill_value
            assert np.array_equal(again.todense(), T.todense())
            assert not np.shares_memory(again.values, T.values)
    assert copy.copy(T) is T


def test_nan_payloads_and_zeros_survive():
    bits = np.array([0x7FF8000000000123, 0x8000000000000000, 0, 0x7FF0000000000000], "u8")
    T = ts.from_coords([[0, 3, 5, 6]], bits.view("f8"), (8,))
    assert T.convert("csf").convert("coo").values.view("u8").tolist() == bits.tolist()


def test_repr():
    T = ts.convert(np.eye(3), "csr")
    assert repr(T) == "<tessera.Tensor 3 x 3, 3 stored values, f64, csr>"
    assert repr(ts.tensor(np.ones((2, 3)))) == "<tessera.Tensor 2 x 3, 6 cells, f64, dense>"
    html = T._repr_html_()
    assert "compressed 3" in html and "<script" not in html and len(html) < 2000
    image = base64.b64decode(re.search("base64,([^']*)", html).group(1))
    assert image[:8] == b"\x89PNG\r\n\x1a\n" and image[16:24] == bytes([0, 0, 0, 3] * 2)
    data = image[image.index(b"IDAT") + 4 : image.index(b"IEND") - 8]
    assert zlib.decompress(data) == bytes([0, 0, 255, 255, 0, 255, 0, 255, 0, 255, 255, 0])
    assert "<img" not in ts.tensor(1.0)._repr_html_()
    for T in [ts.tensor(np.ones(5)), ts.convert(np.ones((2, 3, 4)), "csf"), ts.tensor(np.zeros((0, 3)))]:
        assert "<table>" in T._repr_html_()


def test_formats():
    assert {"csr", "coo", "bcsr"} <= {row["name"] for row in ts.formats()}
    assert {"mtx", "tns"} <= {row["name"] for row in ts.codecs()}
    assert {"spmv", "mttkrp"} <= {row["name"] for row in ts.kernels()}
    f = ts.Format("bcsr(2,3)")
    assert f.ndim == 2 and f.kinds == ("dense", "compressed", "dense", "dense")
    assert ts.Format("ds", order=2) == ts.Format("csr") and ts.Format("csr") == "(i, j) -> (i : dense, j : compressed)"
    assert ts.Format("csr") != ts.Format("csc") and ts.Format("csr") != "nonsense"
    assert hash(ts.Format("ds", order=2)) == hash(ts.Format("csr"))
    assert "compressed" in f.text("long") and str(f) == "bcsr(2,3)" and repr(f) == "tessera.Format('bcsr(2,3)')"
    assert ts.convert(np.eye(4), ts.Format("csr")).format == "csr"
    with pytest.raises(ts.TesseraError) as error:
        ts.Format("(i, j) -> (i : dens, j : compressed)")
    assert error.value.column == 16 and "^" in error.value.__notes__[0]


def test_dlpack_and_array():
    dense = np.arange(6.0).reshape(2, 3)
    T = ts.tensor(dense)
    assert np.shares_memory(np.from_dlpack(T), dense)
    assert np.asarray(T, dtype="f4").dtype == np.float32
    with pytest.raises(TypeError):
        np.from_dlpack(ts.convert(dense, "csr"))


# one of each storage format of two modes that has a name, by the library's own list
PICKLED = ["ell", "ellc", "dia", "diac", "sell(2,4)", "jad", "hash", "bitmap", "bitmapc", "bytemap", "bell(2,2)", "bdia(2,2)", "band", "sband", "skyline", "vbl", "srun",
           "csr", "coo", "bcsr(2,2)", "csb(2,2)", "alto", "hicoo(2)", "strips(2)", "dense"]  # fmt: skip


@pytest.mark.parametrize("format", PICKLED)
@pytest.mark.parametrize("width", [None, "narrow", 64])
def test_pickles_of_all_formats(format, width):
    """Pickles of formats that are packed as a whole could not be loaded: the data was lost."""
    n = 300
    dense = np.zeros((n, n))
    for i in range(n):
        dense[i, max(0, i - 1) : i + 2] = i + 1
    T = ts.tensor(np.tril(dense) if format in ("skyline", "sband") else dense).convert("coo")
    try:
        T = T.convert(format, index_width=width)
    except ts.TesseraError as e:
        pytest.skip(str(e))
    for made in (pickle.loads(pickle.dumps(T)), copy.deepcopy(T)):
        assert made.format == T.format and made.shape == T.shape and made.nbytes == T.nbytes
        assert (made.todense() == T.todense()).all()
        made.check()


def test_indices_of_small_types_stay_positive():
    """Coordinates from 128 on were shown as negative ones, and negative ones were taken as large ones."""
    T = ts.from_coords([[0, 299], [3, 200]], [1.0, 2.0], (300, 250), format="dcsr", index_width="narrow")
    for level in T.levels:
        for array in level.arrays.values():
            assert (array >= 0).all()
    for dtype, dim in ((np.int8, 300), (np.int16, 70000), (np.int32, 2**32)):
        with pytest.raises(ts.TesseraError, match="negative"):
            ts.from_arrays("cvec", (dim,), [None, np.array([-1], dtype), np.array([1.0])])


@pytest.mark.parametrize("value,dtype", [(300, "u1"), (1.5, "i4"), (-1, "u8"), (1e300, "f4"), (1j, "f8"), (np.nan, "i4")])
def test_fill_values_are_not_changed(value, dtype):
    with pytest.raises(ValueError, match="not representable"):
        ts.from_coords([[0]], np.array([1], dtype), (3,), fill_value=value)
    assert ts.from_coords([[0]], np.array([1], "f4"), (3,), fill_value=0.1).fill_value == np.float32(0.1)
    assert np.isnan(ts.from_coords([[0]], np.array([1.0]), (3,), fill_value=np.nan).fill_value)


def halves(bits, exponent):
    """The values of 16 bits, by NumPy's float16 or as the upper half of a float32."""
    return bits.view(np.float16).astype("f8") if exponent == 5 else (bits.astype("u4") << 16).view("f4").astype("f8")


@pytest.mark.parametrize("name, exponent", [("f16", 5), ("bf16", 8)])
def test_values_of_16_bits(name, exponent, tmp_path):
    """They are stored, read and written as they are; products read them as float32."""
    rng = np.random.default_rng(4)
    cells = np.where(rng.random((40, 30)) < 0.3, rng.normal(size=(40, 30)), 0)
    A = ts.convert(cells, "csr").convert(dtype=name)
    assert A.values.dtype.itemsize == 2 and name in repr(A)
    kept = halves(A.values.view("u2"), exponent)
    step = 2.0 ** (-11 if exponent == 5 else -8)
    assert np.all(np.abs(kept - cells[cells != 0]) <= step * np.abs(kept))
    rounded = cells.copy()
    rounded[cells != 0] = kept
    assert np.array_equal(A.astype("f4").todense(), rounded.astype("f4"))
    x = rng.random(30).astype("f4")
    y = A @ x
    assert y.dtype == np.float32 and np.allclose(y, rounded @ x, rtol=1e-5, atol=1e-5)
    for ending in (".npz", ".h5", ".zarr") if name == "f16" else (".npz", ".h5"):
        path = str(tmp_path / ("a" + ending))
        ts.write(path, A)
        B = ts.read(path)
        assert repr(B).split(",")[2] == repr(A).split(",")[2] and np.array_equal(B.values.view("u2"), A.values.view("u2"))
    with np.load(str(tmp_path / "a.npz")) as file:
        assert file["data"].dtype == np.dtype("f2" if name == "f16" else "V2")
        assert np.array_equal(file["data"].view("u2"), A.values.view("u2"))
    with pytest.raises(ts.TesseraError, match="does not fit"):
        ts.convert(np.array([[1e300]])).convert(dtype=name)
    y = ts.kernel("y(i) = A(i,j)*x(j)", dtype=name)(A, x)  # rounded once, at the end
    assert y.dtype.itemsize == 2 and np.allclose(halves(y.view("u2"), exponent), rounded @ x, rtol=step, atol=1e-5)


def test_arrays_of_float16_are_taken_as_they_are():
    a = np.array([[0, 1.5], [2.25, 0]], np.float16)
    A = ts.convert(a, "csr")
    assert A.dtype == np.float16 and (A + A).dtype == np.float16 and np.array_equal((A + A).todense(), a + a)
    dense = ts.tensor(a)
    assert np.shares_memory(np.asarray(dense), a) and dense.__dlpack_device__() == (1, 0)
    assert np.array_equal(np.from_dlpack(dense), a)
    ml_dtypes = pytest.importorskip("ml_dtypes", reason="the package ml_dtypes is not installed")
    b = a.astype(ml_dtypes.bfloat16)
    assert np.array_equal(ts.tensor(b).values.view(ml_dtypes.bfloat16), b.ravel())
