"""Methods of tensors that other modules compute: indices, shapes, numbers, what solvers of SciPy and the array API standard ask."""
from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from ._ops import Operators


def _of_cells(function: Any) -> Any:
    """A method by the name of a function of NumPy, as SciPy's arrays have them."""

    def method(self: Any) -> Any:
        return function(self)

    method.__name__ = function.__name__
    method.__doc__ = "np.%s of each cell." % function.__name__
    return method


class Methods(Operators):
    """What a Tensor has besides its arrays."""

    __slots__ = ()

    @property
    def shape(self) -> "tuple[int, ...]":
        """The sizes of the modes."""
        raise NotImplementedError

    def todense(self, order: str = "C") -> Any:
        """A NumPy array of all cells."""
        raise NotImplementedError

    def __getitem__(self: Any, key: Any) -> Any:
        """The cells that are named, as NumPy does it: ints, slices, `...`, None, arrays of ints and booleans. A number, an array where
        all modes are named one by one, else a tensor."""
        from ._index import get

        return get(self, key)

    def __setitem__(self: Any, key: Any, value: Any) -> None:
        """Set the values of cells that store entries; ValueError for others."""
        from ._index import put

        put(self, key, value)

    def __iter__(self: Any) -> Any:
        return (self[i] for i in range(len(self)))

    def argmin(self: Any, axis: Any = None, out: None = None, *, keepdims: bool = False) -> Any:
        """The place of the least cell, the first one; without axis in row-major order."""
        from ._entries import arg_reduce

        return arg_reduce(np.argmin, self, axis, keepdims)

    def argmax(self: Any, axis: Any = None, out: None = None, *, keepdims: bool = False) -> Any:
        """The place of the greatest cell, the first one; without axis in row-major order."""
        from ._entries import arg_reduce

        return arg_reduce(np.argmax, self, axis, keepdims)

    def reshape(self, *shape: Any, order: str = "C") -> Any:
        """The same cells in row-major order (order="F": the first index runs fastest) in another shape."""
        from ._array import reshape

        return reshape(self, shape[0] if len(shape) == 1 else shape, order)

    def diagonal(self, offset: int = 0, axis1: int = 0, axis2: int = 1, *, k: int = 0) -> Any:
        """The cells (i, i + offset) of two modes: an array for a matrix, else a tensor with the diagonal as its last mode. k: SciPy's
        name of the offset."""
        from ._array import diagonal

        return diagonal(self, offset or k, axis1, axis2)

    def trace(self, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
        """The sum of a diagonal."""
        from ._array import trace

        return trace(self, offset, axis1, axis2)

    def flatten(self, order: str = "C") -> Any:
        """The cells in row-major order, as a tensor of one mode."""
        from ._array import reshape

        return reshape(self, -1, order)

    ravel = flatten

    def squeeze(self, axis: Any = None) -> Any:
        """The tensor without modes of size 1."""
        from ._array import squeeze

        return squeeze(self, axis)

    def swapaxes(self, axis1: int, axis2: int) -> Any:
        """Two modes exchanged."""
        from ._array import swapaxes

        return swapaxes(self, axis1, axis2)

    def take(self, indices: Any, axis: Any = None) -> Any:
        """The indices of one mode that are given, as np.take."""
        from ._array import take

        return take(self, indices, axis)

    def repeat(self, repeats: Any, axis: Any = None) -> Any:
        """Each index of a mode, or each cell, so often."""
        from ._array import repeat

        return repeat(self, repeats, axis)

    def cumsum(self, axis: Any = None, dtype: Any = None, out: None = None) -> Any:
        """The sums of the cells up to each one, an array of all cells."""
        return np.cumsum(self, axis, dtype)  # type: ignore[call-overload]

    def cumprod(self, axis: Any = None, dtype: Any = None, out: None = None) -> Any:
        """The products of the cells up to each one, an array of all cells."""
        return np.cumprod(self, axis, dtype)  # type: ignore[call-overload]

    def ptp(self, axis: Any = None, out: None = None, keepdims: bool = False) -> Any:
        """The range of the cells: max - min."""
        return self.max(axis, keepdims=keepdims) - self.min(axis, keepdims=keepdims)

    def conjugate(self) -> Any:
        """The conjugates of the values."""
        return self.conj()

    def tolist(self) -> Any:
        """All cells as nested lists."""
        return self.todense().tolist()

    def copy(self: Any) -> Any:
        """The tensor in memory of its own."""
        return self.__deepcopy__({})

    def nonzero(self) -> "tuple[np.ndarray[Any, Any], ...]":
        """The coordinates of the entries that are not 0."""
        from ._array import nonzero

        return nonzero(self)

    @property
    def size(self) -> int:
        """The number of cells."""
        return math.prod(self.shape)

    @property
    def real(self) -> Any:
        """The real parts."""
        from ._array import real

        return real(self)

    @property
    def imag(self) -> Any:
        """The imaginary parts."""
        from ._array import imag

        return imag(self)

    # ---- as an operator of scipy.sparse.linalg ----

    def matvec(self, x: Any) -> Any:
        """self @ x, for x of n elements or of shape (n, 1), as scipy.sparse.linalg.aslinearoperator calls it."""
        x = np.asarray(x)
        y = self @ x.reshape(-1)
        return y.reshape(-1, 1) if x.ndim == 2 else y

    def rmatvec(self, y: Any) -> Any:
        """The conjugate transpose times y, for y of m elements or of shape (m, 1)."""
        y = np.asarray(y)
        x = np.conj(np.conj(y.reshape(-1)) @ self)
        return x.reshape(-1, 1) if y.ndim == 2 else x

    def matmat(self, X: Any) -> Any:
        """self @ X, for a matrix of dense columns."""
        return self @ np.asarray(X)

    def _number(self) -> Any:
        """The value of a tensor with one cell."""
        if self.size != 1:
            raise TypeError("only a tensor with one cell is a number, not one of shape %s" % (self.shape,))
        return self.todense().reshape(-1)[0]

    def item(self, *index: Any) -> Any:
        """A cell as a number of Python: of the only one, of a place in row-major order, or of its coordinates."""
        if not index:
            return self._number().item()
        given = index[0] if len(index) == 1 and isinstance(index[0], tuple) else index
        if len(given) == 1 and len(self.shape) != 1:
            given = np.unravel_index(given[0] + self.size if given[0] < 0 else given[0], self.shape)
        if len(given) != len(self.shape):
            raise ValueError("%d indices for %d modes" % (len(given), len(self.shape)))
        return self[tuple(int(i) for i in given)].item()

    def __contains__(self: Any, value: Any) -> bool:
        """Whether a cell has this value, stored or not."""
        if np.ndim(value) or self._stored().size != self.nnz:
            return bool((self == value).any())
        return bool((self._stored() == value).any() or (self.nnz < self.size and self.fill_value == value))

    def __bool__(self) -> bool:
        if self.size != 1:
            raise ValueError("the truth value of a tensor is ambiguous: use any() or all()")
        return bool(self._number())

    def __int__(self) -> int:
        return int(self._number())

    def __float__(self) -> float:
        return float(self._number())

    def __complex__(self) -> complex:
        return complex(self._number())

    def __index__(self) -> int:
        return operator.index(self._number())

    def __array_namespace__(self, *, api_version: "str | None" = None) -> Any:
        """The module tessera: functions of the array API standard for what a sparse tensor can hold."""
        import tessera

        return tessera

    @property
    def device(self) -> str:
        """Where the memory is: "cpu"."""
        return "cpu"

    def to_device(self, device: str, /, *, stream: None = None) -> Any:
        """The tensor itself: the only device is "cpu"."""
        if device != "cpu":
            raise ValueError("unknown device %r (known: cpu)" % (device,))
        return self

    @property
    def mT(self) -> Any:
        """The last two modes exchanged."""
        from ._array import matrix_transpose

        return matrix_transpose(self)

    # ---- by the names of SciPy's sparse arrays ----

    def toarray(self, order: str = "C") -> Any:
        """All cells, as `todense`."""
        return self.todense(order or "C")

    def tocsr(self: Any, copy: bool = False) -> Any:
        """The tensor in csr."""
        return self._in("csr", copy)

    def tocsc(self: Any, copy: bool = False) -> Any:
        """The tensor in csc."""
        return self._in("csc", copy)

    def tocoo(self: Any, copy: bool = False) -> Any:
        """The tensor in coo."""
        return self._in("coo", copy)

    def asformat(self: Any, format: str, copy: bool = False) -> Any:
        """The tensor in this format."""
        return self._in(format, copy)

    def tobsr(self: Any, blocksize: "tuple[int, int]" = (1, 1), copy: bool = False) -> Any:
        """The tensor in blocks of this shape, bcsr(r,c)."""
        return self._in("bcsr(%d,%d)" % tuple(blocksize), copy)

    def tolil(self: Any, copy: bool = False) -> Any:
        """SciPy's lil_array, whose cells can be set; `tessera.convert` makes a tensor of it again."""
        return self.to_scipy("csr").tolil()

    def todok(self: Any, copy: bool = False) -> Any:
        """SciPy's dok_array, whose cells can be set; `tessera.convert` makes a tensor of it again."""
        return self.to_scipy("csr").todok()

    @property
    def has_sorted_indices(self: Any) -> bool:
        """Whether the entries of each row of a csr matrix (column of a csc matrix) are sorted: those of "csr" and "csc" are."""
        return self.format in ("csr", "csc")

    def sort_indices(self) -> None:
        """Nothing: the entries of a tensor are sorted where its format says so."""

    def sum_duplicates(self) -> None:
        """Nothing: duplicates were added up when the tensor was made."""

    def check_format(self: Any, full_check: bool = True) -> None:
        """Check all arrays, as `check`."""
        self.check()

    def eliminate_zeros(self: Any) -> None:
        """Nothing where all stored values differ from 0; ValueError else, since a tensor keeps its entries."""
        if not self._stored().all():
            raise ValueError("a tensor keeps its entries, and some values are 0: A * (A != 0) has those that are not")

    def _in(self: Any, format: str, copy: bool) -> Any:
        made = self.convert(format)
        return made.copy() if copy and made is self else made

    def multiply(self, other: Any) -> Any:
        """The product cell by cell, as `*`."""
        return self * other

    def maximum(self, other: Any) -> Any:
        """The larger of two cells, as np.maximum."""
        return np.maximum(self, other)  # type: ignore[call-overload]

    def minimum(self, other: Any) -> Any:
        """The smaller of two cells, as np.minimum."""
        return np.minimum(self, other)  # type: ignore[call-overload]

    def power(self, n: Any, dtype: Any = None) -> Any:
        """The cells to the power n, as `**`."""
        return (self if dtype is None else self.astype(dtype)) ** n  # type: ignore[attr-defined]

    sqrt, log1p, expm1, sign = _of_cells(np.sqrt), _of_cells(np.log1p), _of_cells(np.expm1), _of_cells(np.sign)
    sin, tan, sinh, tanh = _of_cells(np.sin), _of_cells(np.tan), _of_cells(np.sinh), _of_cells(np.tanh)
    arcsin, arctan, arcsinh, arctanh = _of_cells(np.arcsin), _of_cells(np.arctan), _of_cells(np.arcsinh), _of_cells(np.arctanh)
    floor, ceil, rint, trunc = _of_cells(np.floor), _of_cells(np.ceil), _of_cells(np.rint), _of_cells(np.trunc)
    deg2rad, rad2deg = _of_cells(np.deg2rad), _of_cells(np.rad2deg)

    def count_nonzero(self, axis: Any = None) -> Any:
        """The number of cells that are not 0."""
        return np.count_nonzero(self, axis)  # type: ignore[call-overload]

    def getnnz(self: Any, axis: Any = None) -> Any:
        """The number of stored entries; with axis, those of each row or column."""
        if axis is None:
            return self.nnz
        from ._entries import axes_of

        (mode,) = axes_of(axis, self.ndim)
        if self.ndim != 2:
            raise ValueError("getnnz counts along the modes of a matrix, not of %d modes" % self.ndim)
        return np.bincount(self.coords()[1 - mode], minlength=self.shape[1 - mode])

    def getrow(self: Any, i: int) -> Any:
        """Row i, a matrix of one row."""
        return self[[i]]

    def getcol(self: Any, j: int) -> Any:
        """Column j, a matrix of one column."""
        return self[:, [j]]

    @property
    def itemsize(self: Any) -> int:
        """The bytes of one value."""
        return int(self.dtype.itemsize)

    @property
    def data(self: Any) -> Any:
        """The stored values, as `values`."""
        return self.values

    def _level_array(self: Any, formats: "tuple[str, ...]", level: int, name: str, asked: str) -> Any:
        if self.format not in formats:
            raise AttributeError("a tensor in %s has no %s (those in %s have): levels holds its arrays" % (self.format, asked, " and ".join(formats)))
        return self.levels[level].arrays[name]

    @property
    def indptr(self) -> Any:
        """Where each row of a csr matrix (column of a csc matrix) begins."""
        return self._level_array(("csr", "csc"), 1, "pos", "indptr")

    @property
    def indices(self) -> Any:
        """The columns of the entries of a csr matrix, the rows of those of a csc matrix."""
        return self._level_array(("csr", "csc"), 1, "crd", "indices")

    @property
    def row(self) -> Any:
        """The rows of the entries of a coo matrix."""
        return self._level_array(("coo",), 0, "crd", "row")

    @property
    def col(self) -> Any:
        """The columns of the entries of a coo matrix."""
        return self._level_array(("coo",), 1, "crd", "col")
