"""Objects of other libraries: NumPy, SciPy, sparse, AnnData; without copies where the memory layouts agree.

Nothing is imported here that the caller has not imported."""
from __future__ import annotations

import ctypes
import sys
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _lib, _types
from ._errors import FormatError, UnsupportedError
from ._lib import C, Handle
from ._tensor import _DUPLICATES, _WIDTHS, SERIAL_NBYTES, SHORT_NBYTES, Keep, Tensor, array_struct, borrow, choice, format_text

# ---- what an object is ----


def _module(name: str) -> Any:
    return sys.modules.get(name)


def is_scipy(obj: Any) -> bool:
    module = _module("scipy.sparse")
    return module is not None and module.issparse(obj)


def is_pydata(obj: Any) -> bool:
    module = _module("sparse")
    return module is not None and hasattr(module, "SparseArray") and isinstance(obj, module.SparseArray)


def is_anndata(obj: Any) -> bool:
    module = _module("anndata")
    return module is not None and hasattr(module, "AnnData") and isinstance(obj, module.AnnData)


def as_tensor(obj: Any, copy: "bool | None" = None, format: Any = None, labels: bool = True) -> Tensor:
    """A tensor of any object that Tessera understands. copy=False: ValueError where a copy is needed. format: what a copy should
    be, if one must be made; the result need not have it. labels: take the names of an AnnData, too."""
    if isinstance(obj, Tensor):
        return obj.__deepcopy__({}) if copy else obj
    if is_anndata(obj):
        if obj.X is None:
            raise ValueError("an AnnData without X: give one of its layers")
        made = as_tensor(obj.X, copy, format)
        return made.with_labels(obj.obs_names, obj.var_names) if labels else made
    if hasattr(obj, "to_memory") and not isinstance(obj, np.ndarray):  # a matrix of AnnData that is still in its file
        if copy is False:
            raise ValueError("copy=False, but the matrix is in a file")
        obj = obj.to_memory()
    if is_scipy(obj):
        made = _from_scipy(obj, copy, format)
    elif is_pydata(obj):
        made = _from_pydata(obj, copy, format)
    elif hasattr(obj, "__binsparse__"):
        made = from_binsparse(obj)
    elif isinstance(obj, (np.ndarray, np.generic, bool, int, float, complex)) or hasattr(obj, "__array__"):
        made = from_numpy(obj if isinstance(obj, np.ma.MaskedArray) else np.asarray(obj), copy)
    elif isinstance(obj, (list, tuple)):
        array = np.array(obj)
        if array.dtype.kind not in "biufc":
            raise TypeError("a list that is not an array of numbers")
        made = from_numpy(array, None)
    else:
        raise TypeError(
            "%s.%s is not a tensor: expected a Tensor, a NumPy array, a SciPy sparse array, a tensor of the package sparse, or "
            "an object with __binsparse__" % (type(obj).__module__, type(obj).__qualname__)
        )
    return made.__deepcopy__({}) if copy and made._handle.keep is not None else made


# ---- NumPy ----


def from_numpy(array: "np.ndarray[Any, Any]", copy: "bool | None" = None) -> Tensor:
    """A dense tensor of the array's memory: of one whose elements lie one after the other, with the modes in any order. Other strides (gaps,
    steps, backwards) are copied: between the elements of a tensor lies nothing that belongs to others."""
    if isinstance(array, np.ma.MaskedArray):
        raise TypeError("a masked array: call filled() first")
    if array.ndim > _lib.ENUMS["limits"]["MAX_ORDER"]:
        raise ValueError("an array of %d dimensions: a tensor has at most 16 modes" % array.ndim)
    given = array
    if array.dtype == np.bool_:
        number = _types.PATTERN
    else:
        array = given = _types.as_stored(array)
        wanted = array.dtype.newbyteorder("=")
        if wanted not in _types.NUMBER:
            _types.values_for_library(array, copy)
        number = _types.NUMBER[wanted]
        if wanted != array.dtype or not array.dtype.isnative or not array.flags.aligned:
            if copy is False:
                raise ValueError("copy=False, but values of type %s need a copy" % array.dtype.str)
            array = np.array(array, dtype=wanted, order="C", copy=True)
    if copy and array is given:
        array = array.copy()
    try:
        return _borrow_dense(array, number)
    except UnsupportedError:
        if copy is False:
            raise ValueError("copy=False, but an array of strides %s needs a copy" % (array.strides,)) from None
    return _borrow_dense(np.ascontiguousarray(array).reshape(array.shape), number)


def _borrow_dense(array: "np.ndarray[Any, Any]", number: int) -> Tensor:
    order = array.ndim
    dims = _lib.dims_array(array.shape)
    strides = None
    if not array.flags.c_contiguous and array.size > 1:
        if any(s % array.itemsize for s in array.strides):
            raise UnsupportedError("strides that are not multiples of an element")
        strides = (ctypes.c_int64 * order)(*[s // array.itemsize for s in array.strides])
        for axis, size in enumerate(array.shape):  # the strides of these are free: choose some that fit
            if size == 1:
                strides[axis] = max(
                    [n * strides[a] for a, n in enumerate(array.shape) if n > 1], default=1
                )
    parts = _lib.struct("dense_parts", order=order, type=number, data=array.ctypes.data)
    parts.dims = ctypes.addressof(dims)
    parts.strides = ctypes.addressof(strides) if strides else None
    made = Handle(C.tensor_free)
    _lib.call(C.borrow_dense, ctypes.byref(made.ptr), ctypes.byref(parts))
    keep = made.keep = Keep([array])
    keep.readonly = not array.flags.writeable
    return Tensor._of(made)


# ---- arrays and coordinates ----


def from_arrays(
    format: Any,
    shape: "Sequence[int]",
    arrays: "Sequence[Any]",
    *,
    copy: "bool | None" = None,
    structure: str = "general",
    fill_value: Any = None,
) -> Tensor:
    """A tensor of its arrays, without a copy.

    Parameters
    ----------
    format : str or Format
        The storage format, such as "csr" or "csf".
    shape : sequence of int
        The sizes of the modes.
    arrays : sequence of arrays
        The arrays of the levels, outermost first, then the values: for csr pos, crd, values; for coo of a matrix pos, crd,
        crd, values (pos may be None); for csf pos, crd of each level, values. Index arrays have integers of any width.
    copy : bool, optional
        True: copy all arrays; False: ValueError where an array has to be copied (byte order, strides).
    structure : str
        "symmetric_lower"..., where the arrays store one triangle of a symmetric matrix.
    fill_value : scalar, optional
        The value of cells that store no entry; 0.
    """
    made = _borrow_arrays(str(format), _shape(shape), arrays, copy, structure, fill_value)
    return made.__deepcopy__({}) if copy else made


def _shape(shape: Any) -> "tuple[int, ...]":
    dims = (int(shape),) if isinstance(shape, (int, np.integer)) else tuple(int(n) for n in shape)
    for n in dims:
        if not 0 <= n < 1 << 63:
            raise ValueError("the size %d of a mode is not in [0, 2^63)" % n)
    return dims


def _borrow_arrays(
    format: str, dims: "Sequence[int]", arrays: "Sequence[Any]", copy: "bool | None", structure: str = "general", fill: Any = None
) -> Tensor:
    from ._tensor import _STRUCTURES

    given = list(arrays)
    if not given:
        raise ValueError("missing arrays: the values are the last one")
    indices = [None if a is None else _types.indices_for_library(a, copy) for a in given[:-1]]
    raw = np.asarray(given[-1])
    is_iso = raw.dtype == np.bool_ and bool(raw.all())
    if raw.ndim != 1:
        raise ValueError("the array of values has %d dimensions: it must have one" % raw.ndim)
    values = np.ones(1, np.uint8) if is_iso else _types.values_for_library(raw, copy)
    type = _types.PATTERN if is_iso else _types.NUMBER[values.dtype]
    structs = [_lib.STRUCTS["tessera_array"]() if a is None else array_struct(a) for a in indices]
    structs.append(array_struct(values, type))
    keep = Keep([*indices, values])
    keep.readonly = any(a is not None and not a.flags.writeable for a in keep)
    number = choice({name: n for n, name in _STRUCTURES.items()}, structure, "structure")
    filled = _fill(fill, values.dtype)
    made = borrow(
        format, dims, structs, type, keep,
        is_iso=is_iso, structure=number, fill=filled.ctypes.data if np.any(filled != 0) else None,
    )  # fmt: skip
    made._handle.shared = any(a is not None and np.may_share_memory(a, g) for a, g in zip(indices, given))
    return made


def from_coords(
    coords: "Sequence[Any]",
    values: Any,
    shape: "Sequence[int] | None" = None,
    *,
    format: Any = "coo",
    duplicates: str = "sum",
    index_width: Any = None,
    fill_value: Any = None,
    nthreads: "int | None" = None,
    progress: Any = None,
) -> Tensor:
    """Pack entries that are given by their coordinates, in any order.

    Parameters
    ----------
    coords : array of [ndim, nnz], or a sequence of ndim arrays
        The coordinates, integers from 0 on.
    values : array of nnz values, or one value for all; a bool True makes a pattern.
    shape : sequence of int, optional
        The sizes of the modes; else the largest coordinates + 1.
    format : str or Format
        The storage format of the result.
    duplicates : "sum", "first", "last", "keep" or "error"
        The treatment of entries at the same coordinates.
    index_width : "auto", "narrow", "interop", "same", 8, 16, 32 or 64
        Bits of the indices; "same" is SciPy's rule.
    """
    crd = [_coordinates(c) for c in coords]
    nnz = crd[0].size if crd else np.size(values)
    if any(c.size != nnz for c in crd):
        raise ValueError("arrays of coordinates of different lengths: %s" % ", ".join(str(c.size) for c in crd))
    if shape is None:
        if nnz == 0:
            raise ValueError("missing shape: there are no entries to find it from")
        shape = [int(c.max()) + 1 for c in crd]
    dims = _shape(shape)
    if len(dims) != len(crd):
        raise ValueError("%d arrays of coordinates for a shape of %d modes" % (len(crd), len(dims)))
    packed, type = _entry_values(values, nnz)
    given = (_lib.STRUCTS["tessera_array"] * max(len(crd), 1))(*[array_struct(c) for c in crd])
    sizes = _lib.dims_array(dims)
    fill = _fill(fill_value, _types.DTYPE[type])
    entries = _lib.struct("entries", order=len(dims), nnz=nnz)
    entries.dims = ctypes.addressof(sizes)
    entries.crd = ctypes.addressof(given)
    entries.values = _lib.STRUCTS["tessera_array"](
        None, packed.ctypes.data if packed is not None else None, packed.size if packed is not None else 0, type, -1
    )
    entries.fill = fill.ctypes.data if np.any(fill != 0) else None
    options = _lib.struct("pack_options", format=format_text(format))
    options.duplicates = choice(_DUPLICATES, duplicates, "treatment of duplicates")
    options.index_width = choice(_WIDTHS, index_width, "index width")
    made = Handle(C.tensor_free)
    _lib.call_long(
        C.pack, ctypes.byref(made.ptr), ctypes.byref(entries), ctypes.byref(options),
        keep=(made, crd, packed, given, sizes, fill, entries, options),
        nthreads=nthreads or (1 if nnz * 16 < SERIAL_NBYTES else None), progress=progress, inline=nnz * 16 < SHORT_NBYTES,
    )  # fmt: skip
    return Tensor._of(made)


def _entry_values(values: Any, nnz: int) -> "tuple[Any, int]":
    """An array of nnz values and its type; None for a pattern."""
    raw = np.asarray(values)
    if raw.ndim > 1:
        raise ValueError("the array of values has %d dimensions: it must have one" % raw.ndim)
    if raw.dtype == np.bool_ and raw.all():
        return None, _types.PATTERN
    packed = _types.values_for_library(np.atleast_1d(raw), None)
    if raw.ndim == 0 and nnz != 1:
        packed = np.full(nnz, packed[0])
    elif packed.size != nnz:
        raise ValueError("%d values for %d entries" % (packed.size, nnz))
    return packed, _types.NUMBER[packed.dtype]


def _fill(value: Any, dtype: Any) -> "np.ndarray[Any, Any]":
    """The fill value as an array of one element; one that the type cannot hold is refused, not changed."""
    given = np.asarray(0 if value is None else value)
    if given.ndim:
        raise ValueError("fill_value must be one number, not an array of the shape %s" % (given.shape,))
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fill = given.reshape(1).astype(dtype)
        same = fill[0].item() == given.item() or (fill[0] != fill[0] and given.item() != given.item())
    rounded = np.dtype(dtype).kind in "fc" and given.dtype.kind in "iuf" and bool(np.isfinite(fill[0])) and bool(np.isfinite(given))
    if not same and not rounded and not (np.dtype(dtype).kind == "c" and given.dtype.kind == "c" and np.isfinite(fill[0])):
        raise ValueError("fill_value %r is not representable as %s" % (value, np.dtype(dtype).name))
    return fill


def _coordinates(coordinates: Any) -> "np.ndarray[Any, Any]":
    array = np.asarray(coordinates)
    if array.size == 0 and array.dtype.kind not in "iu":
        array = array.astype(np.int64)
    return _types.indices_for_library(array, None)


# ---- SciPy ----


def _blocks(matrix: Any) -> "tuple[str, list[Any]]":
    rows, columns = matrix.blocksize
    return "bcsr(%d,%d)" % (rows, columns), [matrix.indptr, matrix.indices, matrix.data.reshape(-1)]


def _pos(matrix: Any) -> Any:
    return [matrix.indptr, matrix.indices, matrix.data]


def _from_scipy(matrix: Any, copy: "bool | None", format: Any) -> Tensor:
    kind = matrix.format
    if getattr(matrix, "ndim", 2) != 2 and kind != "coo":
        matrix, kind = matrix.tocoo(), "coo"
    if kind in ("csr", "csc", "bsr"):
        # These may be longer than the entries: SciPy leaves room at the end.
        n = int(matrix.indptr[-1]) if len(matrix.indptr) else 0
        fits = 0 <= n <= min(len(matrix.indices), len(matrix.data))
        if kind == "bsr":
            name, arrays = _blocks(matrix)
        else:
            name, arrays = kind, _pos(matrix)
        if fits and kind != "bsr":
            arrays[1], arrays[2] = arrays[1][:n], arrays[2][:n]
    elif kind == "coo":
        name, arrays = "coo", [None, *_coo_coords(matrix), matrix.data]
    else:
        if copy is False:
            raise ValueError("copy=False, but the SciPy format %s is not a format of Tessera" % kind)
        return _from_scipy(matrix.tocoo(), None, format)
    try:
        return _borrow_arrays(name, matrix.shape, arrays, copy)
    except FormatError as error:
        if copy is False:
            raise ValueError("copy=False, but the entries need to be sorted: %s" % error) from None
        if error.status != "CORRUPT":
            raise
        _check_indices(matrix, error)
    # Unsorted or repeated entries: sort and sum, into memory of the library.
    coo = matrix.tocoo()
    wanted = format or {"csr": "csr", "csc": "csc", "bsr": name}.get(kind, "coo")
    return from_coords(_coo_coords(coo), coo.data, coo.shape, format=wanted, index_width="same" if kind != "bsr" else None)


def _coo_coords(matrix: Any) -> Any:
    return matrix.coords if hasattr(matrix, "coords") else (matrix.row, matrix.col)


def _check_indices(matrix: Any, error: FormatError) -> None:
    """Refuse arrays that SciPy itself could not expand: its compiled code checks nothing."""
    if matrix.format == "coo":
        return
    pos, crd = matrix.indptr, matrix.indices
    rows, columns = matrix.shape[:: -1 if matrix.format == "csc" else 1]
    if matrix.format == "bsr":
        rows, columns = rows // matrix.blocksize[0], columns // matrix.blocksize[1]
    good = len(pos) == rows + 1 and pos[0] == 0 and (np.diff(pos) >= 0).all()
    good = good and pos[-1] == len(crd) == len(matrix.data) if good and pos[-1] == len(crd) else good and pos[-1] <= len(crd)
    if not good or (len(crd) and not (0 <= crd.min() and crd.max() < columns)):
        raise error


WIDE = {number for number, dtype in _types.DTYPE.items() if dtype.itemsize >= 4}  # types that SciPy's indices may have
# Formats whose rows may be in any order.
_ANY_ORDER = {"csru": "csr", "csru:1,0": "csc"}
_SCIPY_KINDS = {"csr": "csr", "csc": "csc", "coo": "coo", **_ANY_ORDER}


def to_scipy(tensor: Tensor, kind: "str | None", copy: "bool | None", matrix: bool) -> Any:
    import scipy.sparse as scipy_sparse

    if tensor.ndim != 2:
        raise ValueError("SciPy's sparse arrays have 2 modes, this tensor has %d: use coords() and values, or to_sparse()" % tensor.ndim)
    fill = tensor.fill_value
    if fill != 0:
        raise ValueError("SciPy's absent cells are 0, this tensor's are %s" % fill)
    given = tensor
    if tensor.structure != "general":
        if copy is False:
            raise ValueError("copy=False, but the tensor stores one triangle of a symmetric matrix")
        tensor = whole(tensor)
    own = "bsr" if tensor.format.startswith("bcsr(") else _SCIPY_KINDS.get(tensor.format)
    wanted = kind or own or "csr"
    if wanted not in ("csr", "csc", "coo", "bsr", "dia", "lil", "dok"):
        raise ValueError("unknown kind of SciPy array %r (known: csr, csc, coo, bsr, dia, lil, dok)" % (wanted,))
    target = {"bsr": tensor.format if own == "bsr" else "csr"}.get(wanted, wanted if wanted in _SCIPY_KINDS else "csr")
    if tensor.format != target and _ANY_ORDER.get(tensor.format) != target:
        if copy is False:
            raise ValueError("copy=False, but the format %s is not %s" % (tensor.format, wanted))
        tensor = tensor.convert(target, index_width="same")
    elif any(a.level >= 0 and _types.DTYPE[a.type].itemsize < 4 for a in tensor._array_structs()):
        if copy is False:
            raise ValueError("copy=False, but the indices have 8 or 16 bits, with which SciPy would compute")
        tensor = tensor.convert(target, index_width="same")
    made = _wrap_scipy(tensor, target, scipy_sparse, "matrix" if matrix else "array", tensor is given)
    if wanted != made.format:
        made = made.asformat(wanted)
    elif copy and tensor is given:
        made = made.copy()
    return made


def to_anndata(tensor: Tensor) -> Any:
    import anndata

    kind = tensor.format if tensor.format in ("csr", "csc") else "csr"
    X = tensor.todense() if tensor.is_dense else to_scipy(tensor, kind, None, True)
    made = anndata.AnnData(X, dtype=X.dtype) if "dtype" in anndata.AnnData.__init__.__code__.co_varnames else anndata.AnnData(X)
    rows, columns = tensor.labels
    if rows is not None:
        made.obs_names = rows
    if columns is not None:
        made.var_names = columns
    return made


def _wrap_scipy(tensor: Tensor, target: str, module: Any, suffix: str, lent: bool) -> Any:
    """SciPy's object over the arrays of the tensor. lent: the tensor stays in use, so that its indices cannot be written to."""
    arrays = tensor._array_structs()
    views = [tensor._view(a, not lent) for a in arrays[:-1]]
    data = _whole_values(tensor)
    kind = "bsr" if target.startswith("bcsr(") else target
    make = getattr(module, kind + "_" + suffix)
    shape = tensor.shape
    options: "dict[str, Any]" = {}
    if kind == "coo":
        made = make((data, tuple(views[1:])), shape=shape, copy=False)
        if hasattr(made, "coords") and not hasattr(type(made), "row"):
            made.coords = tuple(views[1:])
        else:  # the constructor copies int64 to int32 where that holds the values
            made.row, made.col = views[1:]
        made.has_canonical_format = True
        return made
    if kind == "bsr":
        rows, columns = (int(n) for n in target[5:-1].split(","))
        data = data.reshape(-1, rows, columns)
        options["blocksize"] = (rows, columns)
    if views[1].dtype == views[0].dtype == np.int32:
        made = make((data, views[1], views[0]), shape=shape, copy=False, **options)
    else:  # the constructor copies int64 to int32 where that holds the values
        made = make(shape, dtype=data.dtype, **options)
        made.data, made.indices, made.indptr = data, views[1], views[0]
    if tensor.format in _ANY_ORDER:
        return made  # SciPy finds out whether rows are sorted
    if kind != "bsr":
        made.has_canonical_format = True
    made.has_sorted_indices = True
    return made


def _whole_values(tensor: Tensor) -> "np.ndarray[Any, Any]":
    """The values, one for each position, in memory that can be written to where it belongs to the tensor."""
    values = tensor.values
    return values.copy() if tensor.is_iso else values


def whole(tensor: Tensor) -> Tensor:
    """Both triangles of a symmetric matrix that stores one."""
    crd, values = tensor._entries()
    mirrored = crd[0] != crd[1]
    other = values[mirrored]
    if tensor.structure.startswith("hermitian"):
        other = other.conj()
    elif tensor.structure.startswith("skew"):
        other = -other
    rows = np.concatenate([crd[0], crd[1][mirrored]])
    columns = np.concatenate([crd[1], crd[0][mirrored]])
    return from_coords(
        (rows, columns), np.concatenate([values, other]), tensor.shape,
        format=tensor.format, duplicates="error", index_width="same",
    )  # fmt: skip


# ---- sparse (pydata) ----


def _from_pydata(obj: Any, copy: "bool | None", format: Any) -> Tensor:
    fill = obj.fill_value
    if hasattr(obj, "coords"):
        coords = np.asarray(obj.coords)
        arrays: "list[Any]" = [None, *coords, obj.data]
        try:
            if obj.ndim:
                return _borrow_arrays("coo", obj.shape, arrays, copy, fill=fill)
        except FormatError as error:
            if copy is False or error.status != "CORRUPT":
                raise
        return from_coords(list(coords), obj.data, obj.shape, format=format or "coo", fill_value=fill)
    if hasattr(obj, "indptr") and hasattr(obj, "compressed_axes"):
        axes = list(obj.compressed_axes)
        rest = [m for m in range(obj.ndim) if m not in axes]
        text = _gcxs_format(obj.shape, axes, rest)
        try:
            return _borrow_arrays(text, obj.shape, [obj.indptr, obj.indices, obj.data], copy, fill=fill)
        except FormatError as error:
            if copy is False or error.status != "CORRUPT":
                raise
        return _from_pydata(obj.tocoo(), None, format)
    if copy is False:
        raise ValueError("copy=False, but %s is not a format of Tessera" % type(obj).__name__)
    return _from_pydata(obj.asformat("coo"), None, format)


def _gcxs_format(shape: "Sequence[int]", axes: "list[int]", rest: "list[int]") -> str:
    """GCXS: the compressed axes, and the others, are each one number in row-major order."""
    if len(shape) == 2:
        return "csr" if axes == [0] else "csc"

    def linear(modes: "list[int]") -> str:
        terms, factor = [], 1
        for mode in modes[::-1]:
            terms.append("d%d" % mode if factor == 1 else "d%d * %d" % (mode, factor))
            factor *= max(shape[mode], 1)
        return " + ".join(terms[::-1]) or "0"

    names = ", ".join("d%d" % m for m in range(len(shape)))
    return "(%s) -> (%s : dense, %s : compressed)" % (names, linear(axes), linear(rest))


def to_sparse(tensor: Tensor, kind: str) -> Any:
    import sparse

    if tensor.structure != "general":
        tensor = whole(tensor)
    fill = tensor.fill_value
    if kind == "gcxs":
        if tensor.format not in ("csr", "csc"):
            tensor = tensor.convert("csr", index_width="same") if tensor.ndim == 2 else tensor
        if tensor.format in ("csr", "csc"):
            arrays = tensor._array_structs()
            views = [tensor._view(a, False) for a in arrays[:-1]]
            axes = (0,) if tensor.format == "csr" else (1,)
            data = _whole_values(tensor)
            return sparse.GCXS((data, views[1], views[0]), shape=tensor.shape, compressed_axes=axes, fill_value=fill)
        return to_sparse(tensor, "coo").asformat("gcxs")
    if kind != "coo":
        raise ValueError("unknown kind %r of the package sparse (known: coo, gcxs)" % (kind,))
    if tensor.format != "coo" and not tensor.is_dense:
        tensor = tensor.convert("coo", index_width="same")
    crd, values = tensor._entries()
    return sparse.COO(crd, values, shape=tensor.shape, sorted=not tensor.is_dense, has_duplicates=False, fill_value=fill)


# ---- Binsparse ----

_BINSPARSE = {"csr": "CSR", "csc": "CSC", "coo": "COO", "dcsr": "DCSR", "dcsc": "DCSC", "dense": "DMAT"}
_BINSPARSE_TYPES = {"f": "float", "i": "int", "u": "uint", "c": "complex[float", "b": "bint"}


def _binsparse_type(array: "np.ndarray[Any, Any]") -> str:
    dtype = array.dtype
    if dtype.kind == "c":
        return "complex[float%d]" % (dtype.itemsize * 4)
    return "%s%d" % (_BINSPARSE_TYPES[dtype.kind], dtype.itemsize * 8)


def binsparse(tensor: Tensor) -> "tuple[dict[str, Any], list[np.ndarray[Any, Any]]]":
    """The descriptor and the arrays of a matrix."""
    kind = _BINSPARSE.get(tensor.format)
    if kind is None or (tensor.ndim != 2 and kind != "COO"):
        if tensor.ndim != 2:
            tensor, kind = tensor.convert("coo"), "COO"
        else:
            tensor, kind = tensor.convert("csr", index_width="same"), "CSR"
    arrays = tensor._array_structs()
    named: "dict[str, np.ndarray[Any, Any]]" = {}
    for array in arrays[:-1]:
        name = _lib.decode(array.name)
        if kind == "COO" and name == "pos":
            continue
        if kind in ("CSR", "CSC"):
            label = "pointers_to_1" if name == "pos" else "indices_1"
        elif kind == "COO":
            label = "indices_%d" % array.level
        else:
            if name == "pos" and array.level == 0:
                continue
            label = "pointers_to_%d" % array.level if name == "pos" else "indices_%d" % array.level
        named[label] = tensor._view(array, True)  # since NumPy does not export read-only arrays by DLPack
    named["values"] = _whole_values(tensor)
    tensor._handle.shared = True
    rank = {"p": 0, "i": 1, "v": 2}
    labels = sorted(named, key=lambda label: (rank[label[0]], label))
    descriptor: "dict[str, Any]" = {
        "version": "0.1",
        "format": kind,
        "shape": list(tensor.shape),
        "number_of_stored_values": int(named["values"].size),
        "data_types": {label: _binsparse_type(named[label]) for label in labels},
    }
    if tensor.structure != "general":
        descriptor["structure"] = tensor.structure
    return {"binsparse": descriptor}, [named[label] for label in labels]


def from_binsparse(obj: Any) -> Tensor:
    """Experimental: a tensor of an object with __binsparse__, or of a pair (descriptor, arrays). Versions 0.1.x."""
    descriptor, arrays = obj.__binsparse__() if hasattr(obj, "__binsparse__") else obj
    facts = descriptor.get("binsparse", descriptor)
    version = str(facts.get("version", ""))
    if version.split(".")[:2] != ["0", "1"] and version != "(0, 1)":
        raise ValueError("a Binsparse object of version %r: only 0.1.x is supported" % version)
    labels = list(facts["data_types"])
    rank = {"p": 0, "i": 1, "v": 2}
    labels.sort(key=lambda label: (rank.get(label[0], 3), label))
    named = {label: np.asarray(array) for label, array in zip(labels, arrays)}
    kind = facts["format"]
    shape = facts["shape"]
    structure = facts.get("structure", "general")
    if kind in ("CSR", "CSC"):
        order = ["pointers_to_1", "indices_1", "values"]
        return _borrow_arrays(kind.lower(), shape, [named[o] for o in order], None, structure)
    if kind in ("COO", "COOR", "COOC", "CVEC"):
        crd = [named["indices_%d" % m] for m in range(len(shape))]
        return from_coords(crd, named["values"], shape)
    if kind in ("DCSR", "DCSC"):
        given = [None, named["indices_0"], named["pointers_to_1"], named["indices_1"], named["values"]]
        return _borrow_arrays(kind.lower(), shape, given, None, structure)
    if kind in ("DMAT", "DMATR", "DVEC", "DMATC"):
        return from_numpy(named["values"].reshape(shape, order="F" if kind == "DMATC" else "C"))
    raise NotImplementedError("the Binsparse format %r" % (kind,))
