"""Methods of tensors that other modules compute: indices, shapes, numbers, what solvers of SciPy and the array API standard ask."""
from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from ._ops import Operators


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

    def reshape(self, *shape: Any) -> Any:
        """The same cells in row-major order in another shape."""
        from ._array import reshape

        return reshape(self, shape[0] if len(shape) == 1 else shape)

    def diagonal(self, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
        """The cells (i, i + offset) of two modes: an array for a matrix, else a tensor with the diagonal as its last mode."""
        from ._array import diagonal

        return diagonal(self, offset, axis1, axis2)

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

    item = _number

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
