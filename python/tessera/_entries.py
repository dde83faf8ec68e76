"""Computing on stored entries with NumPy: functions of several operands, reductions, any function
and any type that NumPy has.

This is the general way: what it computes defines what the kernels of _expr.py compute. Absent
cells have the fill value of their
tensor, and a result stores entries where operands do; the fill value of the result is the function
of the fill values."""
from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import _types
from ._errors import LimitError
from ._foreign import as_tensor, from_coords, whole
from ._pairs import CELLS, pairs
from ._tensor import Keep, Tensor, array_struct, borrow

Array = Any  # np.ndarray[Any, Any]
Shape = "tuple[int, ...]"

# Functions that are absent (0) wherever one of these arguments is 0, whatever the others are. A
# quotient counts as absent where its
# dividend is, as in SciPy, although 0/0 is NaN.
_ABSORBS = {np.multiply: (0, 1), np.logical_and: (0, 1), np.bitwise_and: (0, 1)}
_UNIQUE = {"csr", "csc", "dcsr", "dcsc", "csf", "cvec"}  # formats without padding and without duplicates
_DIVISIONS = {np.true_divide, np.floor_divide, np.remainder, np.fmod}
_MAX_DENSE = 1 << 34  # cells of a result that becomes dense without being asked to


def plain(obj: Any) -> Any:
    """An operand: a sparse Tensor, an array, or a number."""
    if isinstance(obj, Tensor):
        form = obj._form or obj._shape_of_data()
        if form == "dense":
            return obj.todense()
        return whole(obj) if form == "symmetric" else obj
    if isinstance(obj, (bool, int, float, complex, np.generic)):
        return obj
    if isinstance(obj, np.ndarray):
        return obj
    if isinstance(obj, (list, tuple)):
        return np.asarray(obj)
    return plain(as_tensor(obj))


def is_sparse(obj: Any) -> bool:
    return isinstance(obj, Tensor)


# ---- tensors of entries ----


def with_values(tensor: Tensor, values: Array, fill: Any = 0) -> Tensor:
    """The entries of the tensor with other values, over the same index arrays."""
    values = _types.values_for_library(values, None)
    if type(fill) is not int:
        fill = np.asarray(fill).astype(values.dtype).reshape(1)
        fill = None if fill[0] == 0 else fill
    elif fill == 0:
        fill = None
    else:
        fill = np.array([fill], values.dtype)
    return tensor._over(values, fill)


def build(
    crd: Sequence[Array], values: Array, shape: Sequence[int], format: Any = None, fill: Any = 0
) -> Any:
    """A tensor of unique entries; of no modes, a number. Booleans store what is True."""
    shape = tuple(int(n) for n in shape)
    if not shape:
        return values.reshape(-1)[0] if values.size else np.asarray(fill).astype(values.dtype)[()]
    if values.dtype == np.bool_:
        kept = np.flatnonzero(values)
        if kept.size < values.size:
            crd, values = [c[kept] for c in crd], values[kept]
    name = fitting_format(format, len(shape))
    return from_coords(
        crd, values, shape, format=name, duplicates="error", fill_value=None if fill == 0 else fill
    )


def fitting_format(format: Any, order: int) -> str:
    """The format where it has that many modes, else one of sorted levels."""
    known = {"csr": 2, "csc": 2, "dcsr": 2, "dcsc": 2, "cvec": 1}
    if (
        format == "coo"
        and order > 1
        or known.get(str(format)) == order
        or (format == "csf" and order > 2)
    ):
        return str(format)
    return {1: "cvec", 2: "csr"}.get(order, "csf")


def keys(crds: "Sequence[Sequence[Array]]", shape: Sequence[int]) -> "list[Array]":
    """A number for each coordinate, the same for the same one, in row-major order; for several
    lists of coordinates."""
    if math.prod(int(n) for n in shape) < 1 << 63:
        strides: Any = (
            np.cumprod([1, *[int(n) for n in shape[:0:-1]]], dtype=np.int64)[::-1] if shape else []
        )
        made = []
        for crd in crds:
            n = crd[0].size if len(crd) else 0
            key = np.zeros(n, np.int64)
            for c, stride in zip(crd, strides):
                key += c * stride if stride != 1 else c
            made.append(key)
        return made
    sizes = [crd[0].size for crd in crds]
    joined = np.zeros(sum(sizes), np.int64)
    for m in range(len(shape)):  # by ranks, since the product of the sizes is too large
        found, rank = np.unique(np.concatenate([crd[m] for crd in crds]), return_inverse=True)
        joined = np.unique(joined * found.size + rank, return_inverse=True)[1]
    return np.split(joined, np.cumsum(sizes)[:-1])


def unravel(key: Array, shape: Sequence[int]) -> "list[Array]":
    return list(np.unravel_index(key, tuple(shape))) if shape else []


class Entries:
    """The entries of an operand, sorted by key; those of modes of size 1 may stand for all
    coordinates of the result."""

    def __init__(self, tensor: Tensor, shape: Sequence[int]) -> None:
        self.fill = tensor.fill_value
        self.crd, self.values = tensor._entries()
        pad = len(shape) - tensor.ndim
        self.shape = (1,) * pad + tensor.shape
        self.modes = [
            m for m in range(len(shape)) if self.shape[m] == shape[m] and m >= pad
        ]  # that are not spread
        self.crd = (
            np.concatenate([np.zeros((pad, self.values.size), np.int64), self.crd])
            if pad
            else self.crd
        )
        self.is_whole = self.shape == tuple(shape)

    def sort(self, key: Array) -> Array:
        if key.size > 1 and (key[1:] < key[:-1]).any():
            order = np.argsort(key, kind="stable")
            self.crd, self.values, key = self.crd[:, order], self.values[order], key[order]
        if key.size > 1 and (key[1:] == key[:-1]).any():  # stored duplicates count once, summed
            first = np.flatnonzero(np.r_[True, key[1:] != key[:-1]])
            self.values = np.add.reduceat(self.values, first)
            self.crd, key = self.crd[:, first], key[first]
        return key

    def at(self, crd: Sequence[Array], shape: Sequence[int]) -> "tuple[Array, Array]":
        """Whether entries are stored at these coordinates, and the values there."""
        sizes = [shape[m] for m in self.modes]
        own, wanted = keys(
            [[self.crd[m] for m in self.modes], [crd[m] for m in self.modes]], sizes
        )
        n = crd[0].size
        own = self.sort(own)
        if not self.modes:
            own, wanted = np.zeros(self.values.size, np.int64), np.zeros(n, np.int64)
        place: Any = np.searchsorted(own, wanted)
        place[place == own.size] = 0
        found = own[place] == wanted if own.size else np.zeros(n, bool)
        values = np.full(n, self.fill, self.values.dtype)
        values[found] = self.values[place[found]]
        return found, values

    def spread(self, shape: Sequence[int]) -> "list[Array]":
        """The coordinates of the entries in the result."""
        crd = list(self.crd)
        for m, n in enumerate(shape):
            if self.shape[m] != n:
                count = crd[0].size
                crd = [np.repeat(c, n) for c in crd]
                crd[m] = np.tile(np.arange(n), count)
        return crd


# ---- functions of elements ----


def broadcast(shapes: "Sequence[Sequence[int]]") -> "tuple[int, ...]":
    """np.broadcast_shapes, for any sizes."""
    order = max((len(shape) for shape in shapes), default=0)
    made = []
    for m in range(order):
        sizes = {
            int(shape[m - order + len(shape)]) for shape in shapes if m - order + len(shape) >= 0
        } - {1}
        if len(sizes) > 1:
            raise ValueError(
                "operands of shapes %s cannot be broadcast together"
                % ", ".join(str(tuple(s)) for s in shapes)
            )
        made.append(sizes.pop() if sizes else 1)
    return tuple(made)


def empty_like(operand: Any) -> Any:
    """What gives the function the type that it has for the operand: NumPy looks at types of
    arrays, and at values of numbers."""
    if is_sparse(operand):
        return np.empty((0,) * max(operand.ndim, 1), operand.dtype)
    return operand if np.ndim(operand) == 0 else np.empty((0,) * operand.ndim, operand.dtype)


def result_types(
    function: Callable[..., Any], operands: Sequence[Any], options: "dict[str, Any]"
) -> "tuple[Any, ...]":
    with np.errstate(all="ignore"):
        made = function(
            *[empty_like(o).reshape(-1) if np.ndim(o) or is_sparse(o) else o for o in operands],
            **options,
        )
    return tuple(np.asarray(part).dtype for part in (made if isinstance(made, tuple) else (made,)))


def quiet(function: Callable[..., Any], *operands: Any, **options: Any) -> Any:
    with np.errstate(all="ignore"):
        return function(*operands, **options)


def elementwise(
    function: Any, operands: Sequence[Any], options: "dict[str, Any] | None" = None
) -> Any:
    """A ufunc of operands of `plain`, with NumPy's broadcasting. The result is an array where no
    operand is sparse, or where the
    function is not constant where the sparse ones are absent."""
    options = options or {}
    sparse = [o for o in operands if is_sparse(o)]
    if not sparse:
        return function(*operands, **options)
    arrays = [o for o in operands if not is_sparse(o) and np.ndim(o) > 0]
    if len(sparse) == 1 and not arrays:
        return _of_values(function, operands, options)
    shape = broadcast([o.shape if is_sparse(o) else np.shape(o) for o in operands])
    if len(sparse) > 1 and not arrays and _same_pattern(sparse, shape):
        return _of_values(function, operands, options)
    absorbing = [
        n
        for n in _absorbing(function, operands)
        if is_sparse(operands[n]) and operands[n].fill_value == 0
    ]
    if arrays and not absorbing:
        return _dense(function, operands, shape, options)
    made = None
    if len(sparse) == 1 and absorbing:
        made = _keep_pattern(function, operands, sparse[0], shape, options)
    elif not arrays:
        made = _aligned(function, operands, shape, absorbing, options)
    return made if made is not None else _merged(function, operands, shape, absorbing, options)


def _absorbing(function: Any, operands: Sequence[Any]) -> Sequence[int]:
    if function in _DIVISIONS and not is_sparse(operands[1]):
        return (0,)
    return _ABSORBS.get(function, ())


def _same_pattern(tensors: "list[Tensor]", shape: Any) -> bool:
    first = tensors[0]
    for other in tensors[1:]:
        if other is first or (other._index is not None and other._index is first._index):
            continue
        if other.shape != shape or other._format != first._format or first.shape != shape:
            return False
        for a, b in zip(first._array_structs()[:-1], other._array_structs()[:-1]):
            if a.n != b.n or (a.data != b.data and a.n > 0):
                return False
    return bool(first.shape == shape)


def _of_values(function: Any, operands: Sequence[Any], options: "dict[str, Any]") -> Any:
    """The operands store the same entries: the function of the values, over the same index
    arrays."""
    first = next(o for o in operands if is_sparse(o))
    values = function(*[o._stored() if is_sparse(o) else o for o in operands], **options)
    fills = _fills(function, operands, options)
    if isinstance(values, tuple):
        return tuple(_put(first, v, f) for v, f in zip(values, fills))
    return _put(first, values, fills)


_known_fills: "dict[Any, Any]" = {}
_ONE = np.ones(1, np.uint8)  # the value of a pattern
_ONE_STRUCT = array_struct(_ONE, _types.PATTERN)
_INDEX = {n: _types.NUMBER[np.dtype("u%d" % n)] for n in (1, 2, 4, 8)}


def _fills(function: Any, operands: Sequence[Any], options: "dict[str, Any]") -> Any:
    """The function of the fill values of the sparse operands and the numbers, with 1 for what an array has; of several results,
    a tuple. Kept for ufuncs: of small tensors it takes longer than the function of the values."""
    key = None
    if not options and (type(function) is np.ufunc or hasattr(function, "keeps_fills")):
        key = (function, *[(o.dtype, repr(o.fill_value)) if is_sparse(o) else (type(o), repr(o)) if np.ndim(o) == 0 else o.dtype
                           for o in operands])  # fmt: skip
        if key in _known_fills:
            return _known_fills[key]
    given = [np.full(1, o.fill_value) if is_sparse(o) else o if np.ndim(o) == 0 else np.ones(1, o.dtype) for o in operands]
    made = quiet(function, *given, **options)
    fills = [0 if part[0] == 0 else part[0] for part in (made if isinstance(made, tuple) else (made,))]
    fills = tuple(fills) if isinstance(made, tuple) else fills[0]
    if key is not None:
        if len(_known_fills) > 1000:
            _known_fills.clear()
        _known_fills[key] = fills
    return fills


def _put(first: Tensor, values: Array, fill: Any) -> Any:
    if values.dtype != np.bool_:
        return with_values(first, values, fill)
    if fill:  # almost everywhere True
        made = np.full(_dense_shape(first.shape), True)
        if values.size != first.nnz:
            return with_values(first, values.view(np.uint8), 1).todense().view(bool)
        made[tuple(first.coords())] = values
        return made
    if values.size != first.nnz:  # padding
        crd, kept = with_values(first, values.view(np.uint8))._entries()
        return build(list(crd), kept.astype(bool), first.shape, first.format)
    if first._format in ("csr", "csc"):
        pos, crd, _ = first._compressed()
        return _of_compressed(first._format, first.shape, pos, crd, values, 0)
    return build(list(first.coords()), values, first.shape, first.format)


def _dense_shape(shape: Any) -> Any:
    if math.prod(shape) > _MAX_DENSE:
        raise LimitError(
            "the result has a value in each of %d cells, since the function is not constant where no entry is stored"
            % math.prod(shape)
        )
    return shape


def _dense(function: Any, operands: Sequence[Any], shape: Any, options: "dict[str, Any]") -> Any:
    _dense_shape(shape)
    return function(*[o.todense() if is_sparse(o) else o for o in operands], **options)


def _merged(
    function: Any,
    operands: Sequence[Any],
    shape: Any,
    absorbing: "list[int]",
    options: "dict[str, Any]",
) -> Any:
    entries = {n: Entries(o, shape) for n, o in enumerate(operands) if is_sparse(o)}
    if absorbing:
        smallest = min(
            absorbing,
            key=lambda n: entries[n].values.size * (1 if entries[n].is_whole else 1 << 40),
        )
        crd = entries[smallest].spread(shape)
    else:
        crds = [e.spread(shape) for e in entries.values()]
        found = np.concatenate(keys(crds, shape))
        found, first = np.unique(found, return_index=True)
        crd = [np.concatenate([c[m] for c in crds])[first] for m in range(len(shape))]
    values: "dict[int, Array]" = {}
    for n in sorted(entries, key=lambda n: n not in absorbing):
        found, values[n] = entries[n].at(crd, shape)
        if n in absorbing and not found.all():
            crd = [c[found] for c in crd]
            values = {k: v[found] for k, v in values.items()}
    given = []
    for n, operand in enumerate(operands):
        if n in entries:
            given.append(values[n])
        else:
            given.append(_at_entries(operand, crd, shape) if np.ndim(operand) else operand)
    made = function(*given, **options)
    fills = 0 if absorbing else _fills(function, operands, options)
    formats = {o.format for o in operands if is_sparse(o) and o.shape == shape}
    format = formats.pop() if len(formats) == 1 else None
    if isinstance(made, tuple):
        return tuple(_result(crd, v, shape, format, f) for v, f in zip(made, fills))
    return _result(crd, made, shape, format, fills)


def _at_entries(array: Array, crd: Any, shape: Any) -> Array:
    """The cells of an array, which broadcasts to the shape, at these coordinates."""
    own = (1,) * (len(shape) - array.ndim) + array.shape
    modes = [m for m, n in enumerate(own) if n == shape[m] != 1]
    return array.reshape([own[m] for m in modes])[tuple([crd[m] for m in modes])] if modes else array.reshape(-1)


def _keep_pattern(function: Any, operands: Sequence[Any], tensor: Tensor, shape: Any, options: "dict[str, Any]") -> Any:
    """The function of one tensor and arrays, which is absent where the tensor is: over the same index arrays. None: another way."""
    if tensor.shape != shape or tensor._format not in _UNIQUE or tensor._stored().size != tensor.nnz:
        return None
    crd = tensor.coords()
    given = [o if is_sparse(o) or np.ndim(o) == 0 else _at_entries(o, crd, shape) for o in operands]
    return _of_values(function, given, options)


def _aligned(function: Any, operands: Sequence[Any], shape: Any, absorbing: Sequence[int], options: "dict[str, Any]") -> Any:
    """A function of two matrices in csr or csc, and numbers, over the places where one of them stores an entry. None: another way."""
    numbers = [n for n, o in enumerate(operands) if is_sparse(o)]
    if len(numbers) != 2 or len(shape) != 2:
        return None
    a, b = tensors = [operands[n] for n in numbers]
    if any(t._format not in ("csr", "csc") or t._dims != shape for t in tensors):
        return None
    if a._format != b._format:
        a, b = [t if t._format == "csr" else t.convert("csr") for t in tensors]
    format = a._format
    fills = 0 if absorbing else _fills(function, operands, options)
    cells = CELLS[tuple(numbers.index(n) for n in absorbing)]
    given = list(operands)

    def apply(left: Array, right: Array) -> Any:
        given[numbers[0]], given[numbers[1]] = left, right
        return function(*given, **options)

    pos, crd, made = pairs(a, b, cells, apply, not isinstance(fills, tuple) and not fills)
    if isinstance(made, tuple):
        return tuple(_of_compressed(format, shape, pos, crd, v, f) for v, f in zip(made, fills))
    return _of_compressed(format, shape, pos, crd, made, fills)


def _positions(pos: Array, kept: Array) -> Array:
    """Where rows begin once only these entries are kept."""
    counts = np.zeros(kept.size + 1, pos.dtype)
    np.cumsum(kept, out=counts[1:])
    return counts[pos]


def _of_compressed(format: str, shape: Any, pos: Array, crd: Array, values: Array, fill: Any) -> Any:
    """A csr or csc matrix of arrays that are right by construction; of booleans what is True."""
    if values.dtype == np.bool_:
        if fill:
            return _result(list(from_compressed(format, shape, pos, crd)), values, shape, format, fill)
        if not values.all():
            pos, crd = _positions(pos, values), crd[values]
        return _pattern(format, shape, pos, crd)
    values = _types.values_for_library(values, None)
    arrays = [pos, crd, values]
    structs = [array_struct(x, _INDEX[x.itemsize]) for x in arrays[:2]] + [array_struct(values)]
    made = borrow(format, shape, structs, _types.NUMBER[values.dtype], Keep(arrays), unchecked=True)
    return with_values(made, values, fill) if fill != 0 else made


def from_compressed(format: str, shape: Any, pos: Array, crd: Array) -> "tuple[Array, Array]":
    """The coordinates of the entries of a csr or csc matrix."""
    rows = np.repeat(np.arange(pos.size - 1), np.diff(pos))
    return (rows, crd) if format == "csr" else (crd, rows)


def _pattern(format: str, shape: Any, pos: Array, crd: Array) -> Tensor:
    arrays = [pos, crd, _ONE]
    structs = [array_struct(x, _INDEX[x.itemsize]) for x in arrays[:2]] + [_ONE_STRUCT]
    return borrow(format, shape, structs, _types.PATTERN, Keep(arrays), is_iso=True, unchecked=True)


def _result(crd: "list[Array]", values: Array, shape: Any, format: Any, fill: Any) -> Any:
    if values.dtype == np.bool_ and fill:
        made = np.full(_dense_shape(shape), True)
        made[tuple(crd)] = values
        return made
    return build(crd, values, shape, format, fill)


# ---- reductions ----


def axes_of(axis: Any, order: int) -> "tuple[int, ...]":
    if axis is None:
        return tuple(range(order))
    if type(axis) is tuple and axis == tuple(range(order)):
        return axis
    given = (axis,) if isinstance(axis, (int, np.integer)) else tuple(axis)
    for a in given:
        if not -order <= a < order:
            raise np.AxisError(int(a), order)
    axes = tuple(sorted(int(a) % order for a in given))
    if len(set(axes)) < len(axes):
        raise ValueError("duplicate value in 'axis'")
    return axes


def reduce(
    function: Any, tensor: Tensor, axis: Any = None, dtype: Any = None, keepdims: bool = False
) -> Any:
    """function.reduce(tensor, axis): over all cells, those without an entry too. One mode or none
    is left: an array or a number;
    more: a tensor."""
    from ._sums import reduced

    axes = axes_of(axis, tensor.ndim)
    kept = [m for m in range(tensor.ndim) if m not in axes]
    shape = [tensor.shape[m] for m in kept]
    count = math.prod(tensor.shape[m] for m in axes)  # cells that become one
    kind = np.empty(0, tensor.dtype)
    wanted = (
        function.reduce(kind, dtype=dtype).dtype
        if function.identity is not None or dtype
        else tensor.dtype
    )
    if count == 0 and function.identity is None:
        raise ValueError(
            "zero-size array to reduction operation %s which has no identity" % function.__name__
        )
    if not kept and tensor._stored().size == tensor.nnz:
        return _reduce_all(function, tensor, wanted, count, keepdims)
    by_kernel = reduced(function, tensor, axes, wanted)
    if by_kernel is not None:
        return by_kernel[tuple(None if m in axes else slice(None) for m in range(tensor.ndim))] if keepdims else by_kernel
    crd, values = tensor._entries()
    values = values.astype(wanted, copy=False) if wanted != np.bool_ else values.astype(bool)
    (key,) = keys([[crd[m] for m in kept]], shape) if kept else [np.zeros(values.size, np.int64)]
    if key.size > 1 and (key[1:] < key[:-1]).any():
        order = np.argsort(key, kind="stable")
        key, values = key[order], values[order]
    first = np.flatnonzero(np.r_[True, key[1:] != key[:-1]]) if key.size else np.zeros(0, np.int64)
    made = function.reduceat(values, first, dtype=wanted) if first.size else values[:0]
    stored = np.diff(np.r_[first, key.size])
    fill = np.asarray(tensor.fill_value).astype(wanted)[()]
    absent = _absent(function, fill, count - stored, wanted)
    with np.errstate(all="ignore"):
        made = np.where(stored < count, function(made, absent), made).astype(wanted, copy=False)
    empty = _absent(function, fill, np.array([count]), wanted)[0]
    if len(kept) <= 1:
        result = np.full(shape[0] if kept else 1, empty, wanted)
        result[key[first] if kept else slice(0, made.size)] = made
        result = result.reshape(shape)
        if keepdims:
            return result.reshape([1 if m in axes else n for m, n in enumerate(tensor.shape)])
        return result if kept else result[()]
    place = unravel(key[first], shape) if math.prod(shape) < 1 << 63 else None
    if place is None:
        raise LimitError("the result of the reduction has 2^63 cells or more")
    if keepdims:
        shape = [1 if m in axes else n for m, n in enumerate(tensor.shape)]
        zero = np.zeros(first.size, np.int64)
        place = [place[kept.index(m)] if m in kept else zero for m in range(tensor.ndim)]
    return _result(place, made, tuple(shape), None, empty)


def _reduce_all(function: Any, tensor: Tensor, wanted: Any, count: int, keepdims: bool) -> Any:
    """The reduction over all cells, of which each stored value is one."""
    values = tensor._stored()
    fill = np.asarray(tensor.fill_value).astype(wanted)[()]
    made = function.reduce(values, dtype=wanted) if values.size else None
    if made is None or (values.size < count and not (function is np.add and fill == 0)):
        if function.identity is None:  # of equal values it is any of them
            absent = fill
        else:
            absent = _absent(function, fill, np.array([count - values.size]), wanted)[0]
        with np.errstate(all="ignore"):
            made = absent if made is None else function(made, absent)
    made = wanted.type(made)
    return np.full((1,) * tensor.ndim, made, wanted) if keepdims else made


def _absent(function: Any, fill: Any, counts: Array, dtype: Any) -> Array:
    """The reduction of `counts` equal values each; of 0 values the identity, else any value, which is not used."""
    with np.errstate(all="ignore"):
        if function is np.add:
            return (counts * fill).astype(dtype) if fill != 0 else np.zeros(counts.shape, dtype)
        if function is np.multiply:
            return np.where(counts > 0, fill**counts, 1).astype(dtype)
        made = np.full(counts.shape, bool(fill) if dtype == np.bool_ else fill, dtype)
        if function.identity is not None:
            made[counts == 0] = function.identity
        return made


def arg_reduce(function: Any, tensor: Tensor, axis: Any = None, keepdims: bool = False) -> Any:
    """np.argmin, np.argmax: the first place of the extreme."""
    if axis is None:
        return _arg_of_all(function, tensor, keepdims)
    (mode,) = axes_of(axis, tensor.ndim)
    n = tensor.shape[mode]
    kept = [m for m in range(tensor.ndim) if m != mode]
    shape = [tensor.shape[m] for m in kept]
    if n == 0:
        raise ValueError("attempt to get %s of an empty sequence" % function.__name__)
    result = np.zeros(_dense_shape(tuple(shape)), np.intp).reshape(-1)
    crd, values = tensor._entries()
    key, place = (
        keys([[crd[m] for m in kept]], shape)[0] if kept else np.zeros(values.size, np.int64),
        crd[mode],
    )
    order = np.lexsort((place, key))
    key, place, values = key[order], place[order], values[order]
    if key.size:
        first = np.flatnonzero(np.r_[True, key[1:] != key[:-1]])
        result[key[first]] = _arg_of_rows(function, first, place, values, n, tensor.fill_value)
    result = result.reshape(shape)
    return np.expand_dims(result, mode) if keepdims else result if shape else result[()]


def _arg_of_rows(function: Any, first: Array, place: Array, values: Array, n: int, fill: Any) -> Array:
    """The place of the extreme of each row: its entries begin at `first`, sorted by `place`; the others of its n cells are `fill`."""
    if values.dtype.kind == "c":
        ends = [*first[1:].tolist(), place.size]
        return np.array([_arg_of_row(function, place[i:j], values[i:j], n, fill) for i, j in zip(first.tolist(), ends)], np.intp)
    counts = np.diff(np.r_[first, place.size])
    row = np.repeat(np.arange(first.size), counts)
    extreme: Any = np.maximum if function is np.argmax else np.minimum
    best = extreme.reduceat(values, first)
    is_best = (values == best[row]) | (values != values)  # NaN is taken for the extreme
    at = np.minimum.reduceat(np.where(is_best, place, n), first)
    rank = np.arange(place.size) - first[row]
    absent = np.minimum.reduceat(np.where(place != rank, rank, counts[row]), first)  # the first cell without an entry, or n
    wins = (fill > best) if function is np.argmax else (fill < best)
    wins = wins | (((fill == best) | (fill != fill) & (best != best)) & (absent < at)) | ((fill != fill) & (best == best))
    return np.where(wins & (absent < n), absent, at)


def _arg_of_row(function: Any, place: Array, values: Array, n: int, fill: Any) -> int:
    best = int(function(values))
    if place.size == n:
        return int(place[best])
    gap = np.flatnonzero(place != np.arange(place.size))
    absent = int(gap[0]) if gap.size else place.size
    if values[best] != values[best]:
        return int(place[best])
    pair = [fill, values[best]] if absent < place[best] else [values[best], fill]
    wins = bool(function(pair) == (0 if absent < place[best] else 1))
    return int(absent if wins else place[best])


def _arg_of_all(function: Any, tensor: Tensor, keepdims: bool) -> Any:
    crd, values = tensor._entries()
    if math.prod(tensor.shape) == 0:
        raise ValueError("attempt to get %s of an empty sequence" % function.__name__)
    (key,) = keys([list(crd)], tensor.shape)
    order = np.argsort(key, kind="stable")
    if not key.size:
        made = 0
    else:
        made = _arg_of_row(
            function, key[order], values[order], math.prod(tensor.shape), tensor.fill_value
        )
    return np.full((1,) * tensor.ndim, made, np.intp) if keepdims else np.intp(made)
