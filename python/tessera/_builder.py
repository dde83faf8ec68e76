"""Building a tensor from entries that come a few at a time."""
from __future__ import annotations

import ctypes
import threading
from typing import Any, Sequence

import numpy as np

from . import _lib, _types
from ._io import _path, _write_options, nbytes
from ._lib import C, Handle
from ._tensor import _DUPLICATES, _WIDTHS, SHORT_NBYTES, Tensor, array_struct, choice, format_text

_MOST_PENDING = 4096  # entries that are added one by one, before they go to the library together


class Builder:
    """Entries in any order, from any number of threads, until `tensor` or `to_file` makes a tensor of all of them: see `builder`."""

    def __init__(self, dims: "list[int]", type: int, duplicates: str, options: Any) -> None:
        made = Handle(C.builder_free)
        sizes = _lib.dims_array(dims)
        _lib.call(C.builder_new, ctypes.byref(made.ptr), len(dims), ctypes.addressof(sizes), type, ctypes.byref(options))
        self._made: "Handle | None" = made
        self._dims, self._type, self._duplicates = dims, type, duplicates
        self.dtype = _types.DTYPE[type]
        self.duplicates = duplicates
        self._ndim = len(dims)
        self._bounds = [n or 1 << 62 for n in dims]
        # entries that were added one by one: coordinates one after the other, values, the piece of all of them
        self._lock = threading.Lock()
        self._crd: "list[int]" = []
        self._values: "list[Any]" = []
        self._piece = 0
        whole = {"i": True, "u": True}.get(self.dtype.kind, False) and type != _types.PATTERN
        self._least, self._largest = (np.iinfo(self.dtype).min, np.iinfo(self.dtype).max) if whole else (-(1 << 53), 1 << 53)
        self._one_by_one = whole or self.dtype in (np.float64, np.float32, np.complex64, np.complex128)
        self._reals = self._one_by_one and not whole

    # ---- adding ----

    def add(self, *entries: Any, piece: int = 0) -> None:
        """Add entries: `add(rows, cols, values)`, an array of coordinates for each mode, or `add(coords, values)`.

        Arrays of coordinates and values are broadcast against each other, so that `add(rows[:, None], cols, block)` adds a dense block, and one value
        serves for all. Numbers add one entry. A pattern has no values. Coordinates count from 0; FormatError where one is negative or beyond
        the shape: then no entry of the call was added.

        Threads may add at the same time. Equal entries are added, or chosen, in the sequence of `piece`, within a piece in that of the
        calls: with a number for each piece of work the result has the same bytes for any number of threads."""
        crd, values = self._split(entries)
        if type(values) in (int, float) and self._one_by_one and all(type(c) is int for c in crd):
            if self._add_one(crd, values, piece):
                return
        self._add_arrays(crd, values, piece)

    def __setitem__(self, key: Any, value: Any) -> None:
        """`b[i, j] = value` and `b[rows, cols] = values` add entries, where the last one of a cell counts."""
        if self._duplicates != "last":
            raise TypeError(
                "b[...] = value says that the last value counts, but duplicates=%r: use b.add, or builder(..., duplicates='last')" % self._duplicates
            )
        self.add(*(key if isinstance(key, tuple) else (key,)), *(() if self._type == _types.PATTERN else (value,)))

    def _split(self, entries: "tuple[Any, ...]") -> "tuple[Sequence[Any], Any]":
        nvalues = 0 if self._type == _types.PATTERN else 1
        if len(entries) == self._ndim + nvalues:
            return entries[: self._ndim], entries[self._ndim] if nvalues else None
        if len(entries) == 1 + nvalues and len(entries[0]) == self._ndim:
            return tuple(entries[0]), entries[1] if nvalues else None
        raise TypeError(
            "%d arguments for a builder of %d modes: give %d arrays of coordinates%s"
            % (len(entries), self._ndim, self._ndim, " and one of values" if nvalues else ", since a pattern has no values")
        )

    def _add_one(self, crd: "Sequence[int]", value: Any, piece: int) -> bool:
        """Whether the entry is known to be right: it goes to the library later."""
        for c, bound in zip(crd, self._bounds):
            if not 0 <= c < bound:
                return False
        if type(value) is int:
            if not self._least <= value <= self._largest:
                return False
        elif not self._reals:
            return False
        with self._lock:
            if piece != self._piece or len(self._values) >= _MOST_PENDING:
                self._flush()
                self._piece = piece
            self._crd.extend(crd)
            self._values.append(value)
        return True

    def _flush(self) -> None:
        """Add what was added one by one; the lock is taken."""
        if self._values:
            columns = np.array(self._crd, np.int64).reshape(-1, self._ndim).T.copy()
            with np.errstate(over="ignore"):  # f64 to f32, as the library does
                values = np.array(self._values, self.dtype)
            self._give(columns, values, self._piece)
            self._crd, self._values = [], []

    def _give(self, columns: Any, values: Any, piece: int) -> None:
        given = (_lib.STRUCTS["tessera_array"] * self._ndim)(*[array_struct(c) for c in columns])
        packed = None if values is None else array_struct(values)
        _lib.call(C.builder_add, self._handle().ptr, piece, ctypes.addressof(given), None if packed is None else ctypes.addressof(packed))

    def _add_arrays(self, crd: "Sequence[Any]", values: Any, piece: int) -> None:
        arrays = [np.asarray(c) for c in crd]
        for m, c in enumerate(arrays):
            if c.dtype.kind not in "iu" and c.size:
                raise TypeError("coordinates of mode %d of type %s: they must be integers" % (m, c.dtype))
        packed = None if values is None else np.asarray(values)
        shapes = [a.shape for a in arrays] + ([packed.shape] if packed is not None and packed.ndim else [])
        shape = np.broadcast_shapes(*shapes)
        columns = [_flat(c if c.size else c.astype(np.int64), shape) for c in arrays]
        if packed is not None:
            packed = _types.values_for_library(_flat(packed, shape) if packed.ndim else np.atleast_1d(packed), None)
        with self._lock:
            self._flush()
        self._give(columns, packed, piece)

    # ---- what there is ----

    def _handle(self) -> Handle:
        if self._made is None:
            raise ValueError("the builder is closed")
        return self._made

    @property
    def ndim(self) -> int:
        return self._ndim

    @property
    def nentries(self) -> int:
        """Entries that were added, equal ones counted."""
        return int(C.builder_nentries(self._handle().ptr)) + len(self._values)

    @property
    def nbytes(self) -> int:
        """Bytes of entries in memory."""
        return int(C.builder_nbytes(self._handle().ptr))

    @property
    def spilled_nbytes(self) -> int:
        """Bytes of entries in temporary files."""
        return int(C.builder_spilled_nbytes(self._handle().ptr))

    def __repr__(self) -> str:
        if self._made is None:
            return "<tessera.Builder: closed>"
        shape = " x ".join(str(n) if n else "?" for n in self._dims)
        return "<tessera.Builder: %s, %s, %d entries>" % (shape, _types.TEXT[self._type], self.nentries)

    # ---- the end ----

    def _pack_options(self, format: Any, duplicates: "str | None", index_width: Any) -> Any:
        with self._lock:
            self._flush()
        options = _lib.struct("pack_options", format=format_text(format))
        options.duplicates = choice(_DUPLICATES, duplicates or self._duplicates, "treatment of duplicates")
        options.index_width = choice(_WIDTHS, index_width, "index width")
        return options

    def _is_small(self) -> bool:
        return self.nbytes < SHORT_NBYTES and self.spilled_nbytes == 0

    def tensor(
        self,
        format: Any = "coo",
        *,
        keep: bool = True,
        duplicates: "str | None" = None,
        index_width: Any = None,
        nthreads: "int | None" = None,
        progress: Any = None,
    ) -> Tensor:
        """The tensor of all entries so far, in any storage format.

        keep=True leaves the entries in the builder, to add more; False empties it. duplicates: else that of the builder."""
        options = self._pack_options(format, duplicates, index_width)
        made = Handle(C.tensor_free)
        _lib.call_long(
            C.builder_finish, ctypes.byref(made.ptr), self._handle().ptr, int(keep), ctypes.byref(options),
            keep=(self, made, options), nthreads=nthreads, progress=progress, inline=self._is_small(),
        )  # fmt: skip
        return Tensor._of(made)

    def to_file(
        self,
        path: Any,
        format: Any = None,
        *,
        keep: bool = True,
        duplicates: "str | None" = None,
        index_width: Any = None,
        codec: "str | None" = None,
        deflate: "int | None" = None,
        header: "str | None" = None,
        comment: "str | None" = None,
        options: Any = None,
        nthreads: "int | None" = None,
        progress: Any = None,
    ) -> None:
        """Write the tensor of all entries so far to a file, which need not fit memory: the other options are those of `write`."""
        packing = self._pack_options(format, duplicates, index_width)
        writing = _write_options(codec, deflate, None, header, comment, options)
        _lib.call_long(
            C.builder_finish_file, _lib.encode(_path(path)), self._handle().ptr, int(keep), ctypes.byref(packing), ctypes.byref(writing),
            keep=(self, packing, writing), nthreads=nthreads, progress=progress,
        )  # fmt: skip

    def clear(self) -> None:
        """Forget all entries."""
        with self._lock:
            self._crd, self._values = [], []
            C.builder_clear(self._handle().ptr)

    def close(self) -> None:
        """Free all memory and temporary files; so does the end of `with`."""
        self._crd, self._values, self._made = [], [], None

    def __enter__(self) -> "Builder":
        self._handle()
        return self

    def __exit__(self, *raised: Any) -> None:
        self.close()

    def __reduce__(self) -> Any:
        raise TypeError("a builder is not pickled: pickle the tensor that it makes")


def _flat(array: Any, shape: "tuple[int, ...]") -> Any:
    """The elements of an array that is broadcast to the shape, one after the other, in native byte order."""
    if array.shape != shape:
        array = np.broadcast_to(array, shape)
    array = array.reshape(-1)
    if array.dtype.isnative and array.flags.c_contiguous and array.flags.aligned:
        return array
    return np.array(array, dtype=array.dtype.newbyteorder("="), order="C", copy=True)


def builder(
    shape: "int | Sequence[int | None]",
    dtype: Any = np.float64,
    *,
    duplicates: str = "sum",
    memory: "int | str | None" = None,
    temp: Any = None,
) -> Builder:
    """A builder: entries in any order, a few at a time, from any number of threads, become a tensor in any format, or a file.

    >>> with ts.builder((1000, 1000)) as b:                       # doctest: +SKIP
    ...     b.add(3, 4, 1.5)
    ...     b.add(rows, cols, values)
    ...     A = b.tensor("csr")

    Parameters
    ----------
    shape : int, or sequence of int or None
        The sizes of the modes; None: the largest coordinate + 1.
    dtype : dtype or str
        The type of the values; "pattern" has none.
    duplicates : "sum", "first", "last", "keep" or "error"
        The treatment of entries at the same coordinates.
    memory : int or str
        What entries, and what is done with them, may take, at least 64 MiB ("500M", "4G"); what does not fit goes to temporary files. A tensor
        that `tensor` makes is not counted. None: no limit.
    temp : str or PathLike
        The folder for temporary files; else $TMPDIR, or /tmp."""
    sizes: "list[Any]" = [shape] if isinstance(shape, (int, np.integer)) else list(shape)
    dims = []
    for n in sizes:
        if n is not None and (not isinstance(n, (int, np.integer)) or n < 1):
            raise ValueError("shape %r: a size must be a positive integer, or None for one that grows" % (tuple(sizes),))
        dims.append(int(n or 0))
    choice(_DUPLICATES, duplicates, "treatment of duplicates")
    options = _lib.struct("builder_options", memory_nbytes=nbytes(memory), temp=None if temp is None else _lib.encode(_path(temp)))
    return Builder(dims, _types.type_number(dtype), duplicates, options)
