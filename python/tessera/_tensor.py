"""The packed tensor."""
from __future__ import annotations

import ctypes
import itertools
import json
import os
import weakref
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from . import _lib, _types
from ._lib import C, Handle
from ._methods import Methods

Array = "np.ndarray[Any, Any]"

_STRUCTURES = {number: name.lower() for name, number in _lib.ENUMS["tessera_structure"].items()}
_DUPLICATES = {name.lower(): number for name, number in _lib.ENUMS["tessera_duplicates"].items()}
_WIDTHS: "dict[Any, int]" = {
    name.replace("INDEX_", "").lower(): number for name, number in _lib.ENUMS["tessera_index_width"].items()
}
_WIDTHS.update({8: _WIDTHS["8"], 16: _WIDTHS["16"], 32: _WIDTHS["32"], 64: _WIDTHS["64"], None: _WIDTHS["auto"]})
_SIZES = [ctypes.c_uint64 * order for order in range(_lib.ENUMS["limits"]["MAX_ORDER"] + 1)]
_TRANSPOSED = {"csr": "csc", "csc": "csr", "dcsr": "dcsc", "dcsc": "dcsr"}
_keys = itertools.count()
CHECKS = os.environ.get("TESSERA_CHECK", "0") not in ("", "0")  # check tensors of arrays of others before each use
SERIAL_NBYTES = 1 << 17  # a second thread costs more than it saves
SMALL_NBYTES = 1 << 20  # work on less than this is not given to another thread
SHORT_NBYTES = 8 << 20  # nor are conversions of less than this, for which Ctrl-C waits some 50 ms at most


def choice(table: "dict[Any, int]", value: Any, what: str) -> int:
    try:
        return table[value]
    except (KeyError, TypeError):
        known = ", ".join(str(k) for k in table if k is not None)
        raise ValueError("unknown %s %r (known: %s)" % (what, value, known)) from None


def format_text(format: Any) -> "bytes | None":
    """A format as text: a str, or a Format."""
    return _lib.encode(str(format)) if format is not None else None


class _Memory:
    """One array of a tensor, for NumPy; the view that NumPy makes of it keeps the tensor alive."""

    __slots__ = ("__array_interface__", "handle")

    def __init__(self, handle: Handle, address: int, n: int, dtype: "np.dtype[Any]", readonly: bool) -> None:
        self.handle = handle
        self.__array_interface__ = {"version": 3, "shape": (n,), "typestr": dtype.str, "data": (address, readonly)}


class Level(NamedTuple):
    """One level of a tensor: a storage coordinate and its arrays.

    `arrays` maps the name of an array ("pos", "crd"...) to a NumPy view of it, which cannot be written to. `size`: coordinates are
    in [0, size). `npos`: the number of positions."""

    kind: str
    size: int
    npos: int
    unique: bool
    arrays: "dict[str, np.ndarray[Any, Any]]"

    @property
    def pos(self) -> "np.ndarray[Any, Any] | None":
        return self.arrays.get("pos")

    @property
    def crd(self) -> "np.ndarray[Any, Any] | None":
        return self.arrays.get("crd")


class Tensor(Methods):
    """A sparse or dense tensor in a storage format.

    Made by `read`, `tensor`, `convert`, `from_coords`, `from_arrays` and by kernels. A tensor does not change, except that its
    values may be written to through `values` and through objects that share its memory."""

    __slots__ = ("_handle", "_dims", "_name", "_type", "_key", "_arrays", "_index", "_kept_values", "_kept_fill", "_form",
                 "_structs", "_turned", "__weakref__")  # fmt: skip
    __array_priority__ = 20.0

    def __init__(self, *_: Any, **__: Any) -> None:
        raise TypeError("make tensors with tessera.tensor, read, convert, from_coords or from_arrays")

    _handle: Handle
    _dims: "tuple[int, ...]"
    _name: "str | None"  # of the format, once it was asked for
    _type: int
    _arrays: Any  # of _compressed, once they were asked for
    _index: "_Index | None"  # of _over, once it was asked for
    _kept_values: Any  # of _stored, once they were asked for
    _kept_fill: Any  # of fill_value, once it was asked for
    _form: "str | None"  # of _shape_of_data, once it was asked for
    _structs: Any  # of _array_structs, once they were asked for
    _turned: Any  # the transposed matrix, once it was asked for; of that one, a weak reference to this one
    _key: int  # a number that no other tensor has

    @classmethod
    def _of(cls, handle: Handle) -> "Tensor":
        self = object.__new__(cls)
        self._handle = handle
        ptr = handle.ptr
        order = C.tensor_order(ptr)
        self._dims = tuple(_SIZES[order].from_address(C.tensor_dims(ptr))) if order else ()
        self._name = self._arrays = self._index = self._kept_values = self._kept_fill = self._form = self._structs = self._turned = None
        self._type = C.tensor_type(ptr)
        self._key = next(_keys)
        return self

    @property
    def _format(self) -> str:
        if self._name is None:
            self._name = _lib.decode(C.tensor_format(self._handle.ptr))
        return self._name

    # ---- facts ----

    @property
    def shape(self) -> "tuple[int, ...]":
        """The sizes of the modes."""
        return self._dims

    @property
    def ndim(self) -> int:
        """The number of modes."""
        return len(self._dims)

    @property
    def format(self) -> str:
        """The storage format: its name where it has one, else its text."""
        return self._format

    @property
    def type(self) -> str:
        """The value type as Tessera writes it: "f64", "pattern"..."""
        return _types.TEXT[self._type]

    @property
    def dtype(self) -> "np.dtype[Any]":
        """The value type as NumPy writes it; bool for a pattern, which stores no values."""
        return _types.DTYPE[self._type]

    @property
    def nnz(self) -> int:
        """The number of stored entries. A pass over the values where the last level is dense."""
        return C.tensor_nnz(self._handle.ptr)  # type: ignore[no-any-return]

    @property
    def nbytes(self) -> int:
        """The bytes of all arrays."""
        return C.tensor_nbytes(self._handle.ptr)  # type: ignore[no-any-return]

    @property
    def structure(self) -> str:
        """"general", or the triangle of a symmetric matrix that is stored: "symmetric_lower"..."""
        return _STRUCTURES[C.tensor_structure(self._handle.ptr)]

    @property
    def fill_value(self) -> Any:
        """The value of cells that store no entry."""
        if self._kept_fill is None:
            fill = C.tensor_fill(self._handle.ptr)
            dtype = self.dtype
            self._kept_fill = np.frombuffer(ctypes.string_at(fill, dtype.itemsize), dtype)[0] if fill else dtype.type(0)
            if dtype.kind == "V":  # bf16, the upper half of a float32
                self._kept_fill = np.frombuffer(b"\0\0" + self._kept_fill.tobytes(), "<f4")[0] if fill else np.float32(0)
        return self._kept_fill

    @property
    def is_dense(self) -> bool:
        """Whether all levels are dense."""
        return self._shape_of_data() == "dense"

    def _shape_of_data(self) -> str:
        """"dense", "symmetric" where one triangle is stored, "iso" where all entries have one value, else "sparse"."""
        if self._form is None:
            if all(kind == "dense" for kind in self._kinds()):
                self._form = "dense"
            elif C.tensor_structure(self._handle.ptr):
                self._form = "symmetric"
            else:
                self._form = "iso" if self.is_iso else "sparse"
        return self._form

    def _kinds(self) -> "list[str]":
        return [_lib.decode(level.kind) for level in self._level_structs()]

    def _level_structs(self) -> "list[Any]":
        levels = []
        for number in range(C.tensor_nlevels(self._handle.ptr)):
            level = _lib.struct("level")
            _lib.call(C.tensor_level, ctypes.byref(level), self._handle.ptr, number)
            levels.append(level)
        return levels

    def _array_structs(self) -> "Sequence[Any]":
        """The arrays of all levels, then the values; not to be changed."""
        if self._structs is None:
            arrays = []
            for number in range(C.tensor_narrays(self._handle.ptr)):
                array = _lib.STRUCTS["tessera_array"]()
                _lib.call(C.tensor_array, ctypes.byref(array), self._handle.ptr, number)
                arrays.append(array)
            self._structs = tuple(arrays)
        return self._structs  # type: ignore[no-any-return]

    def _is_readonly(self) -> bool:
        """Whether the memory belongs to an array that its owner made read-only."""
        keep = self._handle.keep
        return isinstance(keep, Keep) and keep.readonly

    def _is_large(self) -> bool:
        """Whether indices may be 2^31 or more."""
        if max(self._dims, default=0) <= 2**31 and self.nbytes < 2**33:
            return False
        return any(level.dim > 2**31 or level.npos >= 2**31 for level in self._level_structs())

    def _view(self, array: Any, writable: bool) -> "np.ndarray[Any, Any]":
        """A NumPy view of an array; indices of 4 and 8 bytes are signed, as NumPy and SciPy want them, where all fit."""
        dtype = _types.DTYPE[array.type]
        if array.level >= 0 and dtype.itemsize >= 4 and not (dtype.itemsize == 4 and self._is_large()):
            dtype = np.dtype("i%d" % dtype.itemsize)
        if array.n == 0 or not array.data:
            return np.empty(0, dtype)
        readonly = not writable or self._is_readonly()
        return np.asarray(_Memory(self._handle, array.data, array.n, dtype, readonly))

    @property
    def levels(self) -> "tuple[Level, ...]":
        """The levels with NumPy views of their arrays, outermost first. The views cannot be written to."""
        arrays = self._array_structs()
        return tuple(
            Level(
                _lib.decode(level.kind),
                level.dim,
                level.npos,
                not level.nonunique,
                {_lib.decode(a.name): self._view(a, False) for a in arrays if a.level == number},
            )
            for number, level in enumerate(self._level_structs())
        )

    def _compressed(self) -> "tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]":
        """pos, crd and the values of a csr or csc matrix; pos and crd cannot be written to."""
        if CHECKS:
            self._ready()
        if self._arrays is None:
            pos, crd, values = self._array_structs()
            self._arrays = self._view(pos, False), self._view(crd, False), self._view(values, True)
        if self._handle.shared and self._arrays[0][-1] != self._arrays[1].size:  # entries were dropped in place
            self.check()
        return self._arrays  # type: ignore[no-any-return]

    @property
    def is_iso(self) -> bool:
        """Whether all entries have the same value, which is stored once."""
        return bool(C.tensor_is_iso(self._handle.ptr))

    @property
    def values(self) -> "np.ndarray[Any, Any]":
        """The stored values, one for each position of the last level, as a NumPy view without a copy: what is written to it is in
        the tensor. One value for all entries (a pattern) is repeated by a view that cannot be written to."""
        return self._stored().view()

    def _stored(self) -> "np.ndarray[Any, Any]":
        if self._kept_values is None:
            array = self._array_structs()[-1]
            if self.is_iso:
                levels = self._level_structs()
                n = levels[-1].npos if levels else 1
                self._kept_values = np.broadcast_to(self._view(array, False)[0], (n,))
            else:
                self._kept_values = self._view(array, True)
        return self._kept_values  # type: ignore[no-any-return]

    def coords(self) -> "np.ndarray[Any, Any]":
        """The coordinates of the stored entries, an array of [ndim, nnz], in storage order."""
        return self._entries()[0]

    def _entries(self) -> "tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]":
        """The coordinates and the values of all entries."""
        ptr = self._ready()
        nnz = self.nnz
        crd = np.empty((self.ndim, nnz), np.int64)
        values = np.empty(nnz, self.dtype)
        pointers = (ctypes.c_void_p * max(self.ndim, 1))(*[row.ctypes.data for row in crd])
        _lib.call_long(
            C.tensor_entries, pointers, values.ctypes.data, ptr,
            keep=(self, crd, values, pointers), inline=self.nbytes < SMALL_NBYTES,
            nthreads=1 if self.nbytes < SERIAL_NBYTES else None,
        )  # fmt: skip
        return crd, values

    # ---- names of rows and columns ----

    @property
    def labels(self) -> "tuple[list[str] | None, ...]":
        """The names of the indices of each mode, such as the genes and cells of an .h5ad file; None for a mode without names."""
        return tuple(self._labels(mode) for mode in range(self.ndim))

    def _labels(self, mode: int) -> "list[str] | None":
        nbytes = ctypes.c_uint64()
        text = C.tensor_labels(ctypes.byref(nbytes), self._handle.ptr, mode)
        if not text:
            return None
        return ctypes.string_at(text, nbytes.value).decode("utf-8", "surrogateescape").split("\0")[:-1]

    def with_labels(self, *labels: "Sequence[Any] | None") -> "Tensor":
        """The tensor with these names of indices, one list for each mode (None: no names), over the same memory.

        >>> import tessera as ts
        >>> ts.convert([[1.0, 0], [0, 2]], "csr").with_labels(["a", "b"], None).labels
        (['a', 'b'], None)"""
        if len(labels) != self.ndim:
            raise ValueError("%d lists of labels for %d modes" % (len(labels), self.ndim))
        made = self._same_arrays(self._format, self._dims, [None] * self.ndim)
        for mode, names in enumerate(labels):
            made._set_labels(mode, names)
        return made

    def _set_labels(self, mode: int, names: "Sequence[Any] | None") -> None:
        if names is None:
            return
        if isinstance(names, (str, bytes)):
            raise TypeError("the labels of mode %d are a text: expected a list of texts" % mode)
        encoded = [_lib.encode(str(name)) for name in names]
        array = (ctypes.c_char_p * max(len(encoded), 1))(*encoded)
        _lib.call(C.tensor_set_labels, self._handle.ptr, mode, array, len(encoded))

    def check(self, nthreads: "int | None" = None) -> None:
        """Check all arrays: ranges, order, lengths. FormatError where they contradict the format. This was done when the tensor was
        made: call it after you have written into index arrays that the tensor was made of."""
        _lib.call_long(
            C.tensor_check, self._handle.ptr, keep=self, nthreads=nthreads, inline=self.nbytes < SMALL_NBYTES
        )

    @property
    def shares_memory(self) -> bool:
        """Whether other objects can write into the index arrays: those that the tensor was made of. With TESSERA_CHECK=1 in the
        environment such a tensor is checked before each use."""
        return self._handle.shared

    def _ready(self, check: bool = CHECKS) -> int:
        """The pointer; after a check of the indices that others can write to, if one is wanted."""
        handle = self._handle
        if check and handle.shared:
            self.check()
        return handle.ptr.value  # type: ignore[return-value]

    # ---- other formats, other shapes ----

    def convert(
        self,
        format: Any = None,
        *,
        dtype: Any = None,
        transform: "str | None" = None,
        duplicates: str = "sum",
        index_width: Any = None,
        nthreads: "int | None" = None,
        progress: Any = None,
        kernel: "str | None" = None,
        runs: "float | None" = None,
    ) -> "Tensor":
        """The same entries in another format, of another type, or transformed; see `tessera.convert`. format="auto": the format that
        serves this kernel so many times (`tessera.advise`)."""
        if kernel is not None or format == "auto":
            from ._advise import advise

            if kernel is None or format != "auto":
                raise ValueError('format="auto" and kernel go together: convert("auto", kernel="spmv")')
            format = advise(self, kernel, runs=runs, nthreads=nthreads).format
        options = _lib.struct("convert_options")
        options.format = format_text(format)
        options.transform = _lib.encode(transform)
        options.duplicates = choice(_DUPLICATES, duplicates, "treatment of duplicates")
        options.index_width = choice(_WIDTHS, index_width, "index width")
        if dtype is not None:
            options.has_type, options.type = 1, _types.type_number(dtype)
        ptr = self._ready()
        made = Handle(C.tensor_free)
        _lib.call_long(
            C.convert, ctypes.byref(made.ptr), ptr, ctypes.byref(options),
            keep=(self, made, options), nthreads=nthreads or (1 if self.nbytes < SERIAL_NBYTES and not transform else None),
            progress=progress, inline=self.nbytes < SHORT_NBYTES,
        )  # fmt: skip
        return self if made.ptr.value == ptr else Tensor._of(made)

    def transform(self, steps: str, *, format: Any = None, nthreads: "int | None" = None) -> "Tensor":
        """The tensor after steps such as "slice=:,0:100; transpose=1,0; reduce=sum:0", those of the options of tconv."""
        return self.convert(format, transform=steps, nthreads=nthreads)

    def astype(self, dtype: Any, *, copy: bool = True) -> Any:
        """The values in another type of NumPy ("i8": 8 bytes), cast by NumPy's rules, in memory of their own; `convert(dtype=...)` refuses
        values that do not fit. copy=False: the tensor itself, where it has that type."""
        from ._array import astype

        return astype(self, dtype, copy=copy)

    def transpose(self, *axes: Any) -> "Tensor":
        """The tensor with its modes in another order, without a copy: csr becomes csc of the same arrays."""
        order = len(self._dims)
        if order == 2 and not axes and self._turned is not None:
            kept = self._turned if type(self._turned) is Tensor else self._turned()
            if kept is not None:
                kept._handle.shared = kept._handle.shared or self._handle.shared
                return kept  # type: ignore[no-any-return]
        given = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes
        modes = list(range(order))[::-1] if given is None or len(given) == 0 else [int(a) % order for a in given]
        if sorted(modes) != list(range(order)):
            raise ValueError("axes %r are not the modes 0 to %d in some order" % (tuple(given), order - 1))
        if self.structure != "general":
            return self.transform("transpose=" + ",".join(map(str, modes)))
        format = _TRANSPOSED.get(self._format) if modes == [1, 0] else None
        if format is None:
            names, levels = _long_text(self._format, order, self._dims)
            format = "(%s) -> %s" % (", ".join(names[m] for m in modes), levels)
        made = self._same_arrays(format, [self._dims[m] for m in modes], [self._labels(m) for m in modes])
        if modes == [1, 0]:
            self._turned, made._turned = made, weakref.ref(self)
        return made

    def _owner(self) -> Any:
        """What keeps the arrays alive: what the tensor was made of, or the handle that owns them. So tensors of tensors form no chain."""
        keep = self._handle.keep
        if keep is None or not self._handle.completed:
            return self._handle if keep is None else keep
        made = Keep([self._handle])
        made.readonly = self._is_readonly()
        return made

    def _same_arrays(self, format: str, dims: "Sequence[int]", labels: "Sequence[list[str] | None]") -> "Tensor":
        arrays = self._array_structs()
        fill = C.tensor_fill(self._handle.ptr)
        made = borrow(
            format, dims, arrays, self._type, self._owner(),
            is_iso=self.is_iso, fill=fill, structure=C.tensor_structure(self._handle.ptr), unchecked=True,
            levels=[(level.npos, level.number, level.second_number) for level in self._level_structs()],
        )  # fmt: skip
        made._handle.shared = self._handle.shared
        for mode, names in enumerate(labels):
            made._set_labels(mode, names)
        return made

    def _over(self, values: "np.ndarray[Any, Any]", fill: "np.ndarray[Any, Any] | None") -> "Tensor":
        """The same index arrays with other values, one for each of the stored ones. fill: one element, or None for 0."""
        index = self._index
        if index is None:
            index = self._index = _Index(self)
        number = _types.NUMBER[values.dtype]
        arrays = index.arrays_type.from_buffer_copy(index.arrays)
        arrays[index.narrays - 1] = _lib.STRUCTS["tessera_array"](None, values.ctypes.data, values.size, number, -1)
        parts = type(index.parts).from_buffer_copy(index.parts)
        parts.arrays = ctypes.addressof(arrays)
        parts.fill = None if fill is None else fill.ctypes.data
        handle = Handle(C.tensor_free)
        _lib.call(C.borrow, ctypes.byref(handle.ptr), ctypes.byref(parts))
        keep = handle.keep = Keep((index.owner, values))
        keep.readonly = not values.flags.writeable
        handle.shared = self._handle.shared
        made = object.__new__(Tensor)
        made._handle, made._dims, made._name, made._type, made._key = handle, self._dims, self._format, number, next(_keys)
        made._arrays, made._index, made._kept_values, made._kept_fill, made._form = None, index, None, None, None
        made._structs = made._turned = None
        if index.form == "sparse":
            made._form = "sparse"
        for mode, names in index.labels:
            made._set_labels(mode, names)
        return made

    # ---- operators and indices: what Operators needs ----

    def _apply(self, function: Any, operands: "tuple[Any, ...]", options: "dict[str, Any]") -> Any:
        from ._array import apply

        return apply(function, operands, options)

    def _reduced(self, function: Any, axis: Any, dtype: Any, keepdims: bool) -> Any:
        from ._array import reduced

        return reduced(self, function, axis, dtype, keepdims)

    def _product(self, a: Any, b: Any) -> Any:
        from ._kernel import matmul

        return matmul(a, b)

    # ---- to other libraries ----

    def to_scipy(self, kind: "str | None" = None, *, copy: "bool | None" = None, matrix: bool = False) -> Any:
        """A SciPy sparse array: csr, csc, coo and bcsr(R,C) become csr_array, csc_array, coo_array and bsr_array of the same memory; other
        formats, or another `kind`, are converted. copy=False: ValueError instead of a conversion; copy=True: memory of its own.
        matrix=True: SciPy's older kind (csr_matrix...)."""
        from ._foreign import to_scipy

        return to_scipy(self, kind, copy, matrix)

    def to_anndata(self) -> Any:
        """An AnnData of a matrix: its csr (or csc) arrays without a copy as X, its labels as obs_names and var_names."""
        from ._foreign import to_anndata

        return to_anndata(self)

    def to_sparse(self, kind: str = "coo") -> Any:
        """A tensor of the package sparse: COO, or GCXS (kind="gcxs"), which shares the memory of csr and csc."""
        from ._foreign import to_sparse

        return to_sparse(self, kind)

    def todense(self, order: str = "C") -> "np.ndarray[Any, Any]":
        """A NumPy array of all cells. Without a copy where the tensor is dense in this order."""
        if order not in ("C", "F"):
            raise ValueError("order must be 'C' or 'F', not %r" % (order,))
        n = self.ndim
        if self._format == "csr" and self.nbytes < SERIAL_NBYTES and self._shape_of_data() == "sparse":
            pos, crd, values = self._compressed()
            made = np.full(self._dims, self.fill_value, values.dtype, order=order)  # type: ignore[call-overload]
            made[np.repeat(np.arange(pos.size - 1), pos[1:] - pos[:-1]), crd] = values
            return made  # type: ignore[no-any-return]
        modes = "" if order == "C" or n < 2 else ":" + ",".join(str(m) for m in range(n)[::-1])
        dense = self.convert("d" * n + modes if n else "scalar")
        if dense._type == _types.PATTERN and dense.is_iso:
            return np.full(self._dims, True, order=order)  # type: ignore[call-overload,no-any-return]
        flat = dense.values
        return flat.reshape(self._dims, order=order)  # type: ignore[call-overload,no-any-return]

    def __array__(self, dtype: Any = None, copy: "bool | None" = None) -> "np.ndarray[Any, Any]":
        if not self.is_dense:
            raise TypeError(
                "a tensor in the format %s does not become a NumPy array by itself, since that may need much memory: "
                "call todense() for all cells, or to_scipy() for a sparse array" % self._format
            )
        made = self.todense()
        if dtype is not None and made.dtype != np.dtype(dtype):
            return made.astype(dtype)
        return made.copy() if copy else made

    def __dlpack__(self, *, stream: None = None, max_version: Any = None, dl_device: Any = None, copy: "bool | None" = None) -> Any:
        return self.__array__(copy=copy).__dlpack__(stream=stream)

    def __dlpack_device__(self) -> "tuple[int, int]":
        return (1, 0)

    def __binsparse__(self) -> "tuple[dict[str, Any], list[np.ndarray[Any, Any]]]":
        """Experimental: the descriptor of Binsparse, and the arrays (pointers, indices, values)."""
        from ._foreign import binsparse

        return binsparse(self)

    def write(self, path: Any, **options: Any) -> None:
        """Write the tensor to a file; see `tessera.write`."""
        from ._io import write

        write(path, self, **options)

    def info(self, **options: Any) -> Any:
        """Facts about the tensor; see `tessera.info`."""
        from ._io import info

        return info(self, **options)

    # ---- Python ----

    def __repr__(self) -> str:
        dims = " x ".join(map(str, self._dims)) or "scalar"
        if self.is_dense:
            count = "%d cells" % np.prod(self._dims, dtype=object)
        else:
            count = "%d stored values" % self.nnz
        return "<tessera.Tensor %s, %s, %s, %s>" % (dims, count, self.type, self._format)

    @property
    def plot(self) -> Any:
        """Pictures with Matplotlib: `A.plot.spy()` shows where entries are."""
        from ._plot import Plot

        return Plot(self)

    def _repr_html_(self) -> str:
        from ._html import table

        return table(self)

    def __len__(self) -> int:
        if not self._dims:
            raise TypeError("len() of a tensor without modes")
        return self._dims[0]

    def __reduce__(self) -> Any:
        arrays = [np.array(self._view(a, False)) for a in self._array_structs()]
        fill = C.tensor_fill(self._handle.ptr)
        parts = {
            "format": self._format,
            "dims": self._dims,
            "type": self._type,
            "iso": self.is_iso,
            "structure": C.tensor_structure(self._handle.ptr),
            "fill": ctypes.string_at(fill, self.dtype.itemsize) if fill else None,
            "labels": self.labels,
            "levels": [(level.npos, level.number, level.second_number) for level in self._level_structs()],
        }
        return (_unpickle, (parts, arrays))

    def __copy__(self) -> "Tensor":
        return self

    def __deepcopy__(self, memo: Any) -> "Tensor":
        rebuild, arguments = self.__reduce__()
        return rebuild(*arguments)  # type: ignore[no-any-return]

    def density(self, modes: "tuple[int, int]" = (0, 1), grid: "tuple[int, int]" = (32, 32)) -> "np.ndarray[Any, Any]":
        """The number of entries in each box of a grid over two modes; a mode of -1 has one box."""
        counts = np.zeros(grid, np.uint64)
        _lib.call_long(
            C.tensor_density, counts.ctypes.data, self._ready(), (ctypes.c_int * 2)(*modes), (ctypes.c_uint32 * 2)(*grid),
            keep=(self, counts), inline=self.nbytes < SMALL_NBYTES,
        )  # fmt: skip
        return counts


class _Index:
    """The index arrays of a tensor, ready for tensors with other values."""

    __slots__ = ("owner", "narrays", "arrays_type", "arrays", "parts", "labels", "form", "alive")

    def __init__(self, tensor: Tensor) -> None:
        arrays = tensor._array_structs()
        levels = [
            _lib.struct("level", npos=level.npos, number=level.number, second_number=level.second_number)
            for level in tensor._level_structs()
        ]
        self.owner, self.narrays, self.form = tensor._owner(), len(arrays), tensor._shape_of_data()
        self.arrays_type = _lib.STRUCTS["tessera_array"] * len(arrays)
        self.arrays = self.arrays_type(*arrays)
        described = (_lib.STRUCTS["tessera_level"] * len(levels))(*levels)
        sizes, text = _lib.dims_array(tensor.shape), ctypes.c_char_p(_lib.encode(tensor._format))
        self.parts = parts = _lib.struct("parts", order=tensor.ndim, narrays=len(arrays), unchecked=1)
        parts.format = text
        parts.dims = ctypes.addressof(sizes)
        parts.levels = ctypes.addressof(described) if levels else None
        self.alive = sizes, text, described
        self.labels = [(m, names) for m, names in enumerate(tensor.labels) if names is not None]


class Keep(list):  # type: ignore[type-arg]
    """What a tensor borrows: the objects that own the memory."""

    readonly = False


def _long_text(format: str, order: int, dims: "Sequence[int]") -> "tuple[list[str], str]":
    """The names of the modes, and the levels, of a format in its long form."""
    from ._format import Format

    names, levels = Format(format, order=order, dims=dims).text("long").split(" -> ", 1)
    return [name.strip() for name in names.strip("()").split(",")], levels


def borrow(
    format: str,
    dims: "Sequence[int]",
    arrays: "Sequence[Any]",
    type: int,
    owner: Any,
    *,
    is_iso: bool = False,
    fill: Any = None,
    structure: int = 0,
    unchecked: bool = False,
    levels: "Sequence[tuple[int, int, int]]" = (),
) -> Tensor:
    """A tensor of arrays that `owner` keeps alive. levels: npos and the numbers of each level; () where no level needs them."""
    given = (_lib.STRUCTS["tessera_array"] * len(arrays))(*arrays)
    parts = _lib.struct("parts", order=len(dims), narrays=len(arrays), is_iso=int(is_iso), unchecked=int(unchecked))
    sizes = _lib.dims_array(dims)
    parts.format = _lib.encode(format)
    parts.dims = ctypes.addressof(sizes)
    parts.arrays = ctypes.addressof(given)
    parts.structure = structure
    parts.fill = fill
    described = [_lib.struct("level", npos=npos, number=number, second_number=second) for npos, number, second in levels]
    given_levels = (_lib.STRUCTS["tessera_level"] * len(described))(*described) if described else None
    parts.levels = ctypes.addressof(given_levels) if described else None
    made = Handle(C.tensor_free)
    nbytes = sum(a.n for a in arrays)
    _lib.call_long(
        C.borrow, ctypes.byref(made.ptr), ctypes.byref(parts),
        keep=(made, parts, given, given_levels, sizes, owner), inline=unchecked or nbytes < SMALL_NBYTES,
    )  # fmt: skip
    made.keep, made.completed = owner, any(a.data is None for a in arrays)
    return Tensor._of(made)


def array_struct(array: "np.ndarray[Any, Any]", type: "int | None" = None) -> Any:
    number = _types.NUMBER[array.dtype] if type is None else type
    return _lib.STRUCTS["tessera_array"](None, array.__array_interface__["data"][0], array.size, number, -1)


def _unpickle(parts: "dict[str, Any]", arrays: "list[Any]") -> Tensor:
    # the bytes of the indices, which older versions gave as signed ones
    arrays = [a.view("u%d" % a.dtype.itemsize) for a in arrays[:-1]] + [arrays[-1]]
    given = [array_struct(a) for a in arrays[:-1]] + [array_struct(arrays[-1], parts["type"])]
    fill = ctypes.create_string_buffer(parts["fill"]) if parts["fill"] is not None else None
    made = borrow(
        parts["format"], parts["dims"], given, parts["type"], Keep(arrays),
        is_iso=parts["iso"], fill=ctypes.addressof(fill) if fill else None, structure=parts["structure"],
        levels=parts.get("levels", ()),
    )  # fmt: skip
    for mode, names in enumerate(parts.get("labels", ())):
        made._set_labels(mode, names)
    return made


def facts(text: str) -> Any:
    return json.loads(text)
