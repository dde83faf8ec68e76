"""Operators, functions of NumPy and reductions, for tensors and for expressions."""
from __future__ import annotations

import threading
from typing import Any

import numpy as np

_state = threading.local()
_FUNCTIONS: "dict[Any, Any]" = {}  # of NumPy, by __array_function__: filled by _array.py


class fuse:
    """A block in which operators of tensors build one expression: `with ts.fuse(): e = (A @ B) *
    M`, then `e.compute()`."""

    def __enter__(self) -> "fuse":
        _state.depth = getattr(_state, "depth", 0) + 1
        return self

    def __exit__(self, *_: Any) -> None:
        _state.depth -= 1


class eager:
    """The opposite of `fuse`, for what an expression computes."""

    def __enter__(self) -> None:
        self.depth = getattr(_state, "depth", 0)
        _state.depth = 0

    def __exit__(self, *_: Any) -> None:
        _state.depth = self.depth


def is_lazy() -> bool:
    return getattr(_state, "depth", 0) > 0


class _NotOurs(Exception):
    """An operand that is not a tensor in any way: its own method may know."""


def _binary(function: Any) -> "tuple[Any, Any]":
    """The methods for `self OP other` and `other OP self`."""

    def forward(self: Any, other: Any) -> Any:
        try:
            return self._apply(function, (self, other), {})
        except _NotOurs:
            return NotImplemented

    def backward(self: Any, other: Any) -> Any:
        try:
            return self._apply(function, (other, self), {})
        except _NotOurs:
            return NotImplemented

    return forward, backward


def _unary(function: Any) -> Any:
    return lambda self: self._apply(function, (self,), {})


class Operators:
    """What tensors and expressions have in common: they differ in when it is computed."""

    __slots__ = ()

    __add__, __radd__ = _binary(np.add)
    __sub__, __rsub__ = _binary(np.subtract)
    __mul__, __rmul__ = _binary(np.multiply)
    __truediv__, __rtruediv__ = _binary(np.true_divide)
    __floordiv__, __rfloordiv__ = _binary(np.floor_divide)
    __mod__, __rmod__ = _binary(np.remainder)
    __divmod__, __rdivmod__ = _binary(np.divmod)
    _power, __rpow__ = _binary(np.power)
    __and__, __rand__ = _binary(np.bitwise_and)
    __or__, __ror__ = _binary(np.bitwise_or)
    __xor__, __rxor__ = _binary(np.bitwise_xor)
    __lshift__, __rlshift__ = _binary(np.left_shift)
    __rshift__, __rrshift__ = _binary(np.right_shift)
    __lt__, __gt__ = _binary(np.less)[0], _binary(np.greater)[0]
    __le__, __ge__ = _binary(np.less_equal)[0], _binary(np.greater_equal)[0]
    __eq__, __ne__ = _binary(np.equal)[0], _binary(np.not_equal)[0]
    __hash__ = None  # type: ignore[assignment]
    __neg__, __pos__ = _unary(np.negative), _unary(np.positive)
    __abs__, __invert__ = _unary(np.absolute), _unary(np.invert)

    def __pow__(self, other: Any) -> Any:
        return self._apply(np.square, (self,), {}) if type(other) is int and other == 2 else self._power(other)

    def __matmul__(self, other: Any) -> Any:
        return self._product(self, other)

    def __rmatmul__(self, other: Any) -> Any:
        return self._product(other, self)

    def _apply(self, function: Any, operands: "tuple[Any, ...]", options: "dict[str, Any]") -> Any:
        raise NotImplementedError

    def _reduced(self, function: Any, axis: Any, dtype: Any, keepdims: bool) -> Any:
        raise NotImplementedError

    def _product(self, a: Any, b: Any) -> Any:
        raise NotImplementedError

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        given = options.pop("out", None)
        if given is not None:
            raise TypeError(
                "out= is not possible for %s of a tensor: assign the result" % ufunc.__name__
            )
        if options.get("where", True) is not True:
            raise TypeError(
                "where= is not possible for %s of a tensor: use tessera.where" % ufunc.__name__
            )
        options = {k: v for k, v in options.items() if v is not None and k != "where"}
        try:
            if method == "reduce":
                axis = options.pop("axis", 0)
                keepdims = options.pop("keepdims", False)
                return inputs[0]._reduced(ufunc, axis, options.pop("dtype", None), keepdims)
            if method == "outer" and len(inputs) == 2:
                a, b = inputs
                return self._apply(ufunc, (a[(...,) + (None,) * np.ndim(b)], b), options)
            if method == "accumulate" and not options.keys() - {"axis", "dtype"}:
                from ._array import accumulate

                return accumulate(ufunc, inputs[0], **options)
            if method != "__call__":
                return NotImplemented
            if ufunc is np.matmul:
                return self._product(*inputs)
            return self._apply(ufunc, inputs, options)
        except _NotOurs:
            return NotImplemented

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        from . import _array  # noqa: F401: fills the table

        if function not in _FUNCTIONS:
            from . import _numpy  # noqa: F401: fills the rest
        own = _FUNCTIONS.get(function)
        if own is None:
            raise TypeError(
                "%s.%s has no version for sparse tensors: call todense() first, or use a function of tessera"
                % (function.__module__, function.__name__)
            )
        return own(*args, **options)

    # ---- reductions ----

    def sum(
        self, axis: Any = None, dtype: Any = None, out: None = None, keepdims: bool = False
    ) -> Any:
        """The sum over all modes, or those of `axis`. One mode or none is left: an array or a
        number; more: a tensor."""
        return self._reduced(np.add, axis, dtype, keepdims)

    def prod(
        self, axis: Any = None, dtype: Any = None, out: None = None, keepdims: bool = False
    ) -> Any:
        """The product over all modes, or those of `axis`; cells without an entry count."""
        return self._reduced(np.multiply, axis, dtype, keepdims)

    def min(self, axis: Any = None, out: None = None, keepdims: bool = False) -> Any:
        """The least cell; those without an entry count."""
        return self._reduced(np.minimum, axis, None, keepdims)

    def max(self, axis: Any = None, out: None = None, keepdims: bool = False) -> Any:
        """The greatest cell; those without an entry count."""
        return self._reduced(np.maximum, axis, None, keepdims)

    def any(self, axis: Any = None, out: None = None, keepdims: bool = False) -> Any:
        """Whether any cell is not 0."""
        return self._reduced(np.logical_or, axis, bool, keepdims)

    def all(self, axis: Any = None, out: None = None, keepdims: bool = False) -> Any:
        """Whether all cells are not 0."""
        return self._reduced(np.logical_and, axis, bool, keepdims)

    def mean(
        self, axis: Any = None, dtype: Any = None, out: None = None, keepdims: bool = False
    ) -> Any:
        """The mean over all cells, or those along `axis`."""
        count = _count(self, axis)
        wanted = dtype or (np.float64 if self.dtype.kind in "biu" else None)  # type: ignore[attr-defined]
        total = self._reduced(np.add, axis, wanted, keepdims)
        return _divided(total, count)

    def var(
        self,
        axis: Any = None,
        dtype: Any = None,
        out: None = None,
        ddof: int = 0,
        keepdims: bool = False,
    ) -> Any:
        """The variance over all cells, or those along `axis`."""
        apart = self - self.mean(axis, dtype, keepdims=True)
        square = np.real(apart * np.conj(apart)) if apart.dtype.kind == "c" else apart * apart
        return _divided(
            square.sum(axis=axis, keepdims=keepdims), max(_count(self, axis) - ddof, 0)
        )

    def std(
        self,
        axis: Any = None,
        dtype: Any = None,
        out: None = None,
        ddof: int = 0,
        keepdims: bool = False,
    ) -> Any:
        """The standard deviation over all cells, or those along `axis`."""
        return np.sqrt(self.var(axis, dtype, ddof=ddof, keepdims=keepdims))

    def dot(self, other: Any) -> Any:
        """The product with a matrix, a vector or a number, as np.dot."""
        return self * other if np.ndim(other) == 0 else self._product(self, other)

    # ---- functions of elements ----

    def conj(self) -> Any:
        """The conjugates of the values."""
        return np.conjugate(self) if self.dtype.kind == "c" else self  # type: ignore[attr-defined]

    @property
    def T(self) -> Any:
        """The modes reversed; see `transpose`."""
        return self.transpose()  # type: ignore[attr-defined]

    def __round__(self, ndigits: int = 0) -> Any:
        return self.round(ndigits)

    def round(self, decimals: int = 0, out: None = None) -> Any:
        """The values rounded, as np.round."""
        from ._array import round

        return round(self, decimals)

    def clip(self, min: Any = None, max: Any = None, out: None = None) -> Any:
        """The values within [min, max], as np.clip."""
        from ._array import clip

        return clip(self, min, max)


def _divided(total: Any, count: int) -> Any:
    """total / count in the type of total: NumPy computes with a number in float64."""
    made = (
        total / count
        if isinstance(total, Operators) or np.ndim(total)
        else np.true_divide(total, count)
    )
    return (
        made
        if isinstance(total, Operators) or np.ndim(total)
        else np.asarray(made, np.asarray(total).dtype)[()]
    )


def _count(obj: Any, axis: Any) -> int:
    from ._entries import axes_of

    count = 1
    for m in axes_of(axis, obj.ndim):
        count *= obj.shape[m]
    return count
