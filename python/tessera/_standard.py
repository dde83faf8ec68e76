"""Functions of the array API standard that NumPy 1 does not have by these names, or has for arrays alone: tensors of one
value, which store no entry; what a namespace says about itself; values that occur."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from . import _entries
from ._array import as_operand, asarray, zeros
from ._tensor import Tensor

meshgrid = np.meshgrid


def from_dlpack(x: Any, /, *, device: Any = None, copy: Any = None) -> Any:
    """The array of an object with __dlpack__, without a copy."""
    made = getattr(np, "from_dlpack")(x)
    return made.copy() if copy else made


def arange(start: Any, /, stop: Any = None, step: Any = 1, *, dtype: Any = None, device: Any = None) -> Any:
    """np.arange: an array."""
    return np.arange(0 if stop is None else start, start if stop is None else stop, step, dtype)


def linspace(start: Any, stop: Any, /, num: int, *, dtype: Any = None, device: Any = None, endpoint: bool = True) -> Any:
    """np.linspace: an array."""
    return np.linspace(start, stop, num, endpoint=endpoint, dtype=dtype)


def _whole(function: Any) -> Any:
    """The function, which leaves integers as they are, in their type."""

    def call(x: Any) -> Any:
        return x if getattr(x, "dtype", np.dtype(float)).kind in "iu" else function(x)

    call.__name__, call.__doc__ = function.__name__, "np.%s; integers stay as they are." % function.__name__
    return call


ceil, floor, trunc = _whole(np.ceil), _whole(np.floor), _whole(np.trunc)

# ---- tensors of one value ----


def full(shape: Any, fill_value: Any, *, dtype: Any = None, device: Any = None, format: Any = None) -> Any:
    """A tensor without entries whose cells all have the value `fill_value`."""
    kind = np.asarray(fill_value).dtype if dtype is None else np.dtype(dtype)
    sizes = (shape,) if isinstance(shape, (int, np.integer)) else tuple(shape)
    filled = np.asarray(fill_value).astype(kind)
    if not sizes:
        return asarray(filled) if kind != np.bool_ else filled[()]
    if kind == np.bool_ and filled:
        return np.full(_entries._dense_shape(sizes), True)
    made = zeros(sizes, kind, format=format)
    return _entries.with_values(made, made.values, filled) if filled != 0 else made


def ones(shape: Any, *, dtype: Any = float, device: Any = None, format: Any = None) -> Any:
    """A tensor without entries whose cells are all 1."""
    return full(shape, 1, dtype=float if dtype is None else dtype, format=format)


def empty(shape: Any, *, dtype: Any = float, device: Any = None, format: Any = None) -> Any:
    """A tensor without entries: its cells are 0."""
    return full(shape, 0, dtype=float if dtype is None else dtype, format=format)


def full_like(a: Any, fill_value: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """A tensor of the same shape and type whose cells all have this value."""
    return full(np.shape(a), fill_value, dtype=a.dtype if dtype is None else dtype)


def zeros_like(a: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """A tensor of the same shape and type without entries."""
    return full_like(a, 0, dtype=dtype)


def ones_like(a: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """A tensor of the same shape and type whose cells are all 1."""
    return full_like(a, 1, dtype=dtype)


empty_like = zeros_like

# ---- shapes ----


def broadcast_arrays(*arrays: Any) -> "list[Any]":
    """The tensors, repeated to one shape."""
    from ._array import broadcast_to

    shape = _entries.broadcast([np.shape(a) for a in arrays])
    return [broadcast_to(a, shape) for a in arrays]


def unstack(a: Any, *, axis: int = 0) -> "tuple[Any, ...]":
    """The parts of a tensor along one mode."""
    (mode,) = _entries.axes_of(axis, a.ndim)
    return tuple(a[(slice(None),) * mode + (n,)] for n in range(a.shape[mode]))


# ---- values ----


class Counts(NamedTuple):
    """The values that occur, and in how many cells."""

    values: Any
    counts: Any


def unique_counts(a: Any) -> Counts:
    """The values that occur, in order, and in how many cells; cells without an entry count."""
    given = as_operand(a)
    if not isinstance(given, Tensor):
        return Counts(*np.unique(given, return_counts=True))
    values, counts = np.unique(given._entries()[1], return_counts=True)
    absent = given.size - int(counts.sum())
    if absent:
        fill = given.fill_value
        place = int(np.searchsorted(values, fill))
        if place < values.size and values[place] == fill:
            counts[place] += absent
        else:
            values, counts = np.insert(values, place, fill), np.insert(counts, place, absent)
    return Counts(values, counts)


def unique_values(a: Any) -> Any:
    """The values that occur, in order."""
    return unique_counts(a).values


def cumulative_sum(a: Any, *, axis: "int | None" = None, dtype: Any = None, include_initial: bool = False) -> Any:
    """The sums of the cells up to each one along a mode, an array of all cells."""
    given = as_operand(a)
    if axis is None and given.ndim != 1:
        raise ValueError("axis is needed for %d modes" % given.ndim)
    (mode,) = _entries.axes_of(0 if axis is None else axis, given.ndim)
    _entries._dense_shape(given.shape)
    made = np.cumsum(given.todense() if isinstance(given, Tensor) else given, axis=mode, dtype=dtype)
    if include_initial:
        first = np.zeros([1 if m == mode else n for m, n in enumerate(made.shape)], made.dtype)
        made = np.concatenate([first, made], axis=mode)
    return made


# ---- types, and what the namespace is ----

_KINDS = {
    "bool": "b", "signed integer": "i", "unsigned integer": "u", "integral": "iu", "real floating": "f",
    "complex floating": "c", "numeric": "iufc",
}  # fmt: skip


def isdtype(dtype: Any, kind: Any) -> bool:
    """Whether a type is one of a kind ("integral", "real floating"...), another type, or in a tuple of these."""
    if isinstance(kind, tuple):
        return any(isdtype(dtype, k) for k in kind)
    if isinstance(kind, str):
        if kind not in _KINDS:
            raise ValueError("unknown kind %r (known: %s)" % (kind, ", ".join(_KINDS)))
        return np.dtype(dtype).kind in _KINDS[kind]
    return bool(np.dtype(dtype) == np.dtype(kind))


class _NamespaceInfo:
    """What the standard asks a namespace about."""

    def capabilities(self) -> "dict[str, Any]":
        """boolean indexing: A[A > 1]; data-dependent shapes: nonzero."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 16}

    def default_device(self) -> str:
        return "cpu"

    def devices(self) -> "list[str]":
        return ["cpu"]

    def default_dtypes(self, *, device: Any = None) -> "dict[str, Any]":
        made = {"real floating": "f8", "complex floating": "c16", "integral": "i8", "indexing": "i8"}
        return {name: np.dtype(text) for name, text in made.items()}

    def dtypes(self, *, device: Any = None, kind: Any = None) -> "dict[str, Any]":
        from ._names import TYPES

        known: "Sequence[str]" = ["bool", *TYPES]
        return {name: np.dtype(name) for name in known if kind is None or isdtype(np.dtype(name), kind)}


def __array_namespace_info__() -> _NamespaceInfo:
    return _NamespaceInfo()
