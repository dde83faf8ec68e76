"""The functions of NumPy and of the array API standard for tensors, eager operators, and what
NumPy calls for them."""
from __future__ import annotations

import builtins
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _entries
from ._entries import build, elementwise, plain, with_values
from ._foreign import as_tensor, from_coords
from ._kernel import _cached, einsum, matmul
from ._ops import _FUNCTIONS, Operators, _NotOurs, is_lazy
from ._tensor import Tensor
from ._types import TEXT

_NO_VALUE: Any = getattr(
    np, "_NoValue"
)  # noqa: B009: what NumPy gives for options that its caller leaves out
_LARGE_NNZ = 100_000  # from here on a kernel is compiled where none is built in
_TEXTS = {
    np.add: "C(%s) = A(%s)+B(%s)",
    np.subtract: "C(%s) = A(%s)-B(%s)",
    np.multiply: "C(%s) = A(%s)*B(%s)",
}

# ---- operators that run at once ----


def apply(function: Any, operands: Sequence[Any], options: "dict[str, Any]") -> Any:
    if is_lazy() or builtins.any(
        isinstance(o, Operators) and not isinstance(o, Tensor) for o in operands
    ):
        from . import _expr

        return _expr.apply(function, operands, options)
    if builtins.any(o is None or isinstance(o, (str, bytes, dict, set)) for o in operands):
        raise _NotOurs
    given = [plain(o) for o in operands]
    made = by_kernel(function, given) if len(given) == 2 and not options else None
    return elementwise(function, given, options) if made is None else made


def by_kernel(function: Any, operands: "list[Any]") -> Any:
    """A sum, difference or product of two tensors by a kernel, which gives the same bits; None:
    the general way."""
    a, b = operands
    if (
        function not in _TEXTS
        or type(a) is not Tensor
        or type(b) is not Tensor
        or a.shape != b.shape
        or a.dtype != b.dtype
    ):
        return None
    if (
        a.dtype.kind not in "fci"
        or a._form == "iso"
        or b._form == "iso"
        or a.fill_value != 0
        or b.fill_value != 0
        or a.ndim < 2
    ):
        return None
    if a._format == b._format == "csc":
        made = by_kernel(function, [a.T, b.T])
        return None if made is None else made.T
    if a._format in ("csr", "csc"):  # others than built-in ones need no kernel: _pairs.py
        is_worth = a._format == b._format and a.dtype in (np.float64, np.float32)
    else:
        is_worth = a.nnz + b.nnz >= _LARGE_NNZ
    if not is_worth or _entries._same_pattern([a, b], a.shape):
        return None
    letters = ",".join("ijklmnopqstuvwxyz"[: a.ndim])
    return _cached("kernel_new", _TEXTS[function] % (letters, letters, letters), None, None)(a, b)


def reduced(tensor: Tensor, function: Any, axis: Any, dtype: Any, keepdims: bool) -> Any:
    """A reduction; most sums of csr and csc matrices of doubles are products with a vector of ones."""
    if is_lazy():
        from . import _expr

        return _expr.lazy(tensor)._reduced(function, axis, dtype, keepdims)
    tensor = plain(tensor)
    if not isinstance(tensor, Tensor):
        return function.reduce(
            tensor,
            axis=axis if axis is None or not isinstance(axis, list) else tuple(axis),
            dtype=dtype,
            keepdims=keepdims,
        )
    axes = _entries.axes_of(axis, tensor.ndim)
    plain_sum = (
        function is np.add
        and not keepdims
        and tensor.fill_value == 0
        and tensor.dtype == np.float64
        and not tensor.is_iso
    )
    if (
        plain_sum
        and dtype in (None, np.float64, float)
        and tensor.ndim == 2
        and tensor._format in ("csr", "csc")
    ):
        if len(axes) == 2:
            return tensor.values.sum()
        if len(axes) == 1:
            if axes[0] == 1 and tensor._format == "csr":
                return _cached("kernel_new", "R(i) = A(i,j)", "dense", "<f8")(tensor)
            ones = np.ones(tensor.shape[axes[0]])
            return matmul(tensor, ones) if axes[0] == 1 else matmul(ones, tensor)
    return _entries.reduce(function, tensor, axes, dtype, keepdims)


# ---- shapes ----


def reshape(a: Any, shape: Any, order: str = "C", *, copy: Any = None) -> Any:
    """The same cells in row-major order in another shape; one size may be -1. order="F": the first index runs fastest."""
    sizes = [int(n) for n in (shape if isinstance(shape, (tuple, list)) else (shape,))]
    given = plain(a)
    if not isinstance(given, Tensor):
        return given.reshape(sizes, order=order)
    if order not in ("C", "F"):
        raise ValueError("order must be 'C' or 'F', not %r" % (order,))
    total = math.prod(given.shape)
    rest = math.prod(n for n in sizes if n != -1)
    if sizes.count(-1) == 1 and rest:
        sizes[sizes.index(-1)] = total // rest
    if math.prod(sizes) != total or builtins.min(sizes, default=0) < 0:
        raise ValueError(
            "cannot reshape a tensor of shape %s into %s" % (given.shape, tuple(sizes))
        )
    if total >= 1 << 63:
        raise ValueError("a tensor of 2^63 cells or more cannot be reshaped")
    if order == "F":
        return permute_dims(reshape(permute_dims(given), sizes[::-1]))
    crd, values = given._entries()
    (key,) = _entries.keys([list(crd)], given.shape)
    return build(_entries.unravel(key, sizes), values, sizes, given.format, given.fill_value)


def permute_dims(a: Any, axes: Any = None) -> Any:
    """The modes in another order."""
    return as_operand(a).transpose(axes) if axes is not None else as_operand(a).transpose()


transpose = permute_dims


def moveaxis(a: Any, source: Any, destination: Any) -> Any:
    """The modes `source` at the places `destination`."""
    n = a.ndim
    sources = [int(s) % n for s in (source if isinstance(source, (tuple, list)) else [source])]
    targets = [
        int(d) % n
        for d in (destination if isinstance(destination, (tuple, list)) else [destination])
    ]
    order = [m for m in range(n) if m not in sources]
    for target, mode in sorted(zip(targets, sources)):
        order.insert(target, mode)
    return permute_dims(a, order)


def swapaxes(a: Any, axis1: int, axis2: int) -> Any:
    """Two modes exchanged."""
    (first,), (second,) = _entries.axes_of(axis1, a.ndim), _entries.axes_of(axis2, a.ndim)
    order = list(range(a.ndim))
    order[first], order[second] = second, first
    return permute_dims(a, order)


def matrix_transpose(a: Any) -> Any:
    """The last two modes exchanged."""
    if a.ndim < 2:
        raise ValueError("two modes are exchanged, and the tensor has %d" % a.ndim)
    return swapaxes(a, -1, -2)


def squeeze(a: Any, axis: Any = None) -> Any:
    """Without modes of size 1."""
    given = as_operand(a)
    axes = (
        [m for m, n in enumerate(given.shape) if n == 1]
        if axis is None
        else list(_entries.axes_of(axis, given.ndim))
    )
    if builtins.any(given.shape[m] != 1 for m in axes):
        raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
    return (
        given[tuple(0 if m in axes else slice(None) for m in range(given.ndim))] if axes else given
    )


def expand_dims(a: Any, axis: Any = 0) -> Any:
    """With one more mode, of size 1, or several."""
    given = as_operand(a)
    places = axis if isinstance(axis, (tuple, list)) else (axis,)
    new = _entries.axes_of(places, given.ndim + len(places))
    return given[tuple(None if m in new else slice(None) for m in range(given.ndim + len(places)))]


def flip(a: Any, axis: Any = None) -> Any:
    """The order of the indices reversed."""
    axes = _entries.axes_of(axis, a.ndim)
    return a[tuple(slice(None, None, -1) if m in axes else slice(None) for m in range(a.ndim))]


def roll(a: Any, shift: Any, axis: Any = None) -> Any:
    """The indices of modes shifted in a circle; without axis, the cells in row-major order."""
    if axis is None:
        return reshape(roll(reshape(a, -1), shift, 0), a.shape)
    for by, mode in np.broadcast(shift, axis):
        n = a.shape[int(mode)]
        a = take(a, (np.arange(n) - int(by)) % n if n else np.arange(0), int(mode))
    return a


def take(a: Any, indices: Any, axis: Any = None) -> Any:
    """The indices of one mode that are given; without axis, cells in row-major order."""
    if axis is None:
        return take(reshape(a, -1), indices, 0)
    (mode,) = _entries.axes_of(axis, a.ndim)
    return a[(slice(None),) * mode + (np.asarray(indices),)]


def repeat(a: Any, repeats: Any, axis: Any = None) -> Any:
    """Each index of a mode, or each cell, so often."""
    given = as_operand(a)
    repeats = repeats.todense() if isinstance(repeats, Tensor) else repeats
    if axis is None:
        given, axis = reshape(given, -1), 0
    return take(given, np.repeat(np.arange(given.shape[axis]), repeats), axis)


def tile(a: Any, reps: Any) -> Any:
    """The tensor repeated so often along each mode."""
    given = as_operand(a)
    counts = list(reps) if isinstance(reps, (tuple, list)) else [reps]
    counts = [1] * (given.ndim - len(counts)) + counts
    given = reshape(given, (1,) * (len(counts) - given.ndim) + tuple(given.shape))
    for mode, count in enumerate(counts):
        if count != 1:
            given = take(given, np.tile(np.arange(given.shape[mode]), count), mode)
    return given


def broadcast_to(a: Any, shape: Sequence[int]) -> Any:
    """The tensor repeated along new modes and modes of size 1."""
    given = as_operand(a)
    if not isinstance(given, Tensor):
        return np.broadcast_to(given, shape)
    if _entries.broadcast([given.shape, shape]) != tuple(shape):
        raise ValueError("cannot broadcast %s to %s" % (given.shape, tuple(shape)))
    entries = _entries.Entries(given, shape)
    crd = entries.spread(shape)
    spread = math.prod(n for m, n in enumerate(shape) if entries.shape[m] != n)
    return build(crd, np.repeat(entries.values, spread), shape, None, given.fill_value)


def concatenate(arrays: Sequence[Any], axis: Any = 0, format: Any = None) -> Any:
    """Tensors one after the other along a mode."""
    given = [plain(a) for a in arrays]
    if axis is None:
        given, axis = [reshape(a, -1) for a in given], 0
    if not builtins.any(isinstance(a, Tensor) for a in given):
        return np.concatenate(given, axis=axis)
    given = [
        a if isinstance(a, Tensor) else as_tensor(a).convert(_entries.fitting_format(None, a.ndim))
        for a in given
    ]
    order = given[0].ndim
    (mode,) = _entries.axes_of(axis, order)
    slabs = _slabs(given, mode, format)
    if slabs is not None:
        return slabs
    shape = list(given[0].shape)
    fill = given[0].fill_value
    dtype = np.result_type(*[a.dtype for a in given])
    crds, values, at = [], [], 0
    for a in given:
        if a.ndim != order or [n for m, n in enumerate(a.shape) if m != mode] != [
            n for m, n in enumerate(shape) if m != mode
        ]:
            raise ValueError(
                "all the shapes except for the axis %d must agree: %s and %s"
                % (mode, tuple(shape), a.shape)
            )
        crd, own = a._entries() if _same_value(a.fill_value, fill) else _all_cells(a)
        crd[mode] += at
        at += a.shape[mode]
        crds.append(crd)
        values.append(own.astype(dtype, copy=False))
    shape[mode] = at
    return build(
        list(np.concatenate(crds, axis=1)),
        np.concatenate(values),
        shape,
        format or given[0].format,
        fill,
    )


concat = concatenate


def _slabs(given: "list[Tensor]", mode: int, format: Any) -> Any:
    """csr matrices one below the other, or csc matrices side by side: their arrays one after the other. None: another way."""
    kind = "csr" if mode == 0 else "csc"
    first = given[0]
    if format not in (None, kind) or builtins.any(
        t._format != kind
        or t.shape[1 - mode] != first.shape[1 - mode]
        or t.structure != "general"
        or not _same_value(t.fill_value, first.fill_value)
        for t in given
    ):
        return None
    parts = [t._compressed() for t in given]
    nnz = builtins.sum(crd.size for _, crd, _ in parts)
    wide = np.int32 if nnz < 1 << 31 else np.int64
    pos, at = [np.zeros(1, wide)], 0
    for own, crd, _ in parts:
        pos.append(own[1:].astype(wide) + wide(at))
        at += crd.size
    shape = [builtins.sum(t.shape[mode] for t in given) if m == mode else n for m, n in enumerate(first.shape)]
    values = np.concatenate([t._stored() for t in given])
    return _entries._of_compressed(kind, tuple(shape), np.concatenate(pos), np.concatenate([p[1] for p in parts]), values, first.fill_value)


def _same_value(a: Any, b: Any) -> bool:
    return bool(a == b or (a != a and b != b))


def _all_cells(tensor: Tensor) -> "tuple[Any, Any]":
    """All cells as entries: beside tensors with another fill value."""
    _entries._dense_shape(tensor.shape)
    return np.indices(tensor.shape).reshape(tensor.ndim, -1), tensor.todense().reshape(-1)


def stack(arrays: Sequence[Any], axis: int = 0, format: Any = None) -> Any:
    """Tensors side by side along a new mode."""
    given = [as_operand(a) for a in arrays]
    if not given:
        raise ValueError("need at least one tensor to stack")
    return concatenate(
        [expand_dims(a, axis if axis >= 0 else axis + given[0].ndim + 1) for a in given],
        axis,
        format,
    )


def hstack(arrays: Sequence[Any], format: Any = None) -> Any:
    """Matrices side by side."""
    given = [as_operand(a) for a in arrays]
    return concatenate(given, 0 if given[0].ndim == 1 else 1, format)


def vstack(arrays: Sequence[Any], format: Any = None) -> Any:
    """Matrices one below the other."""
    return concatenate(
        [expand_dims(a, 0) if a.ndim == 1 else a for a in map(as_operand, arrays)], 0, format
    )


def block_diag(arrays: Sequence[Any], format: Any = "csr") -> Tensor:
    """Matrices along the diagonal."""
    rows = columns = 0
    crds, values = [], []
    for a in map(as_sparse, arrays):
        crd, own = a._entries()
        crds.append(crd + np.array([[rows], [columns]]))
        values.append(own)
        rows, columns = rows + a.shape[0], columns + a.shape[1]
    crd = np.concatenate(crds, axis=1)
    return from_coords(list(crd), np.concatenate(values), (rows, columns), format=format)


def _part(a: Any, triangle: Any, k: int) -> Any:
    given = as_operand(a)
    if given.ndim < 2:
        raise ValueError("a triangle needs two modes")
    if not isinstance(given, Tensor) or given.fill_value != 0:
        return triangle(given.todense() if isinstance(given, Tensor) else given, k)
    crd, values = given._entries()
    apart = crd[-1] - crd[-2]
    kept = np.flatnonzero(apart <= k if triangle is np.tril else apart >= k)
    return build([c[kept] for c in crd], values[kept], given.shape, given.format)


def tril(a: Any, k: int = 0) -> Any:
    """The lower triangle: the columns up to row + k."""
    return _part(a, np.tril, k)


def triu(a: Any, k: int = 0) -> Any:
    """The upper triangle: the columns from row + k on."""
    return _part(a, np.triu, k)


def diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """The cells (i, i + offset) of two modes: an array for a matrix, else a tensor with the diagonal as its last mode."""
    given = as_operand(a)
    if given.ndim < 2:
        raise ValueError("a diagonal needs two modes")
    (first,), (second,) = _entries.axes_of(axis1, given.ndim), _entries.axes_of(axis2, given.ndim)
    if first == second:
        raise ValueError("axis1 and axis2 are the same mode")
    low = builtins.max(0, -offset)
    high = builtins.max(low, builtins.min(given.shape[first], given.shape[second] - offset))
    if isinstance(given, Tensor) and given._format in ("csr", "csc") and given.structure == "general":
        pos, crd, _ = given._compressed()
        i, j = _entries.from_compressed(given._format, given.shape, pos, crd)
        kept = np.flatnonzero((j - i if first == 0 else i - j) == offset)
        made = np.full(high - low, given.fill_value, given.dtype)
        made[(i if first == 0 else j)[kept] - low] = given._stored()[kept]
        return made
    if given.ndim == 2:
        i = np.arange(low, high)
        return given[(i, i + offset) if first == 0 else (i + offset, i)]
    if not isinstance(given, Tensor):
        return given.diagonal(offset, first, second)
    crd, values = given._entries()
    kept = np.flatnonzero(crd[second] - crd[first] == offset)
    rest = [m for m in range(given.ndim) if m not in (first, second)]
    places = [crd[m][kept] for m in rest] + [crd[first][kept] - low]
    shape = [given.shape[m] for m in rest] + [high - low]
    return build(places, values[kept], shape, None, given.fill_value)


def trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """The sum of a diagonal."""
    return diagonal(a, offset, axis1, axis2).sum(axis=-1)


def nonzero(a: Any) -> "tuple[Any, ...]":
    """The coordinates of the cells that are not 0, in row-major order."""
    given = as_operand(a)
    if np.ndim(given) == 0:
        raise ValueError("nonzero of a number: a tensor of one mode or more has coordinates")
    if not isinstance(given, Tensor) or given.fill_value != 0:
        return np.nonzero(given.todense() if isinstance(given, Tensor) else given)
    crd, values = given._entries()
    crd = crd[:, values != 0]
    order = np.lexsort(crd[::-1]) if given.ndim else slice(None)
    return tuple(crd[:, order])


def count_nonzero(a: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    """The number of cells that are not 0."""
    made = (as_operand(a) != 0).sum(axis=axis, keepdims=keepdims)
    return int(made) if np.ndim(made) == 0 else made


# ---- products ----


def tensordot(a: Any, b: Any, axes: Any = 2, *, format: Any = None) -> Any:
    """The sum of products over pairs of modes, as np.tensordot."""
    x, y = as_operand(a), as_operand(b)
    if isinstance(axes, (int, np.integer)):
        first, second = list(range(x.ndim - int(axes), x.ndim)), list(range(int(axes)))
    else:
        first, second = [list(np.atleast_1d(part)) for part in axes]
    first, second = [int(m) % x.ndim for m in first], [int(m) % y.ndim for m in second]
    letters = iter("abcdefghijklmnopqrstuvwxyz")
    left = [next(letters) for _ in range(x.ndim)]
    right = [left[first[second.index(m)]] if m in second else next(letters) for m in range(y.ndim)]
    rest = [c for m, c in enumerate(left) if m not in first] + [
        c for m, c in enumerate(right) if m not in second
    ]
    if x.ndim == y.ndim == 2 and first == [1] and second == [0]:
        return matmul(x, y)
    return einsum(
        "%s,%s->%s" % ("".join(left), "".join(right), "".join(rest)), x, y, format=format
    )


def outer(a: Any, b: Any) -> Any:
    """The products of all pairs of cells of two vectors."""
    x, y = reshape(a, -1), reshape(b, -1)
    return x[:, None] * y[None, :]


def kron(a: Any, b: Any, format: Any = None) -> Any:
    """The Kronecker product."""
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return a * b
    x, y = as_sparse(a), as_sparse(b)
    order = builtins.max(x.ndim, y.ndim)
    x, y = [as_sparse(reshape(t, (1,) * (order - t.ndim) + t.shape)) for t in (x, y)]
    (ca, va), (cb, vb) = x._entries(), y._entries()
    crd = [np.add.outer(ca[m] * y.shape[m], cb[m]).reshape(-1) for m in range(order)]
    shape = [n * k for n, k in zip(x.shape, y.shape)]
    return build(crd, np.multiply.outer(va, vb).reshape(-1), shape, format)


def vecdot(a: Any, b: Any, axis: int = -1) -> Any:
    """The sum of products along a mode."""
    products = (a if a.dtype == np.bool_ else np.conjugate(a)) * b
    return products.sum(axis=axis, dtype=products.dtype)


# ---- functions of elements ----


def where(condition: Any, x: Any = _NO_VALUE, y: Any = _NO_VALUE) -> Any:
    """x where the condition holds, else y; the entries of a sparse condition are visited alone. Without x and y: where it holds, as
    `nonzero`."""
    if x is _NO_VALUE and y is _NO_VALUE:
        return nonzero(condition)
    if x is _NO_VALUE or y is _NO_VALUE:
        raise ValueError("either both or neither of x and y should be given")
    return apply(_where, (condition, x, y), {})


class _Where:
    """np.where as a function of elements."""

    __name__ = "where"
    keeps_fills = True  # the same for all calls with the same operands

    def __call__(self, condition: Any, x: Any, y: Any) -> Any:
        kind = np.result_type(x, y)
        return np.where(np.asarray(condition).astype(bool), x, y).astype(kind, copy=False)


_where = _Where()


def clip(a: Any, min: Any = None, max: Any = None) -> Any:
    """The values within [min, max]; None: no limit."""
    if min is None and max is None:
        return a
    made = a
    if min is not None:
        made = np.maximum(made, min)
    return made if max is None else np.minimum(made, max)


class _Round:
    __name__ = "round"

    def __call__(self, x: Any, decimals: Any) -> Any:
        return np.round(x, int(decimals))


_round = _Round()


def round(a: Any, decimals: int = 0) -> Any:
    """The values rounded to this number of decimals."""
    return apply(_round, (a, int(decimals)), {})


class _Part:
    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __call__(self, x: Any) -> Any:
        return getattr(np, self.__name__)(x).copy()


_real, _imag = _Part("real"), _Part("imag")


def real(a: Any) -> Any:
    """The real parts."""
    return apply(_real, (a,), {}) if a.dtype.kind == "c" else a


def imag(a: Any) -> Any:
    """The imaginary parts."""
    if a.dtype.kind == "c":
        return apply(_imag, (a,), {})
    return zeros(a.shape, a.dtype) if a.ndim else a.dtype.type(0)


# ---- making tensors ----


def as_operand(obj: Any) -> Any:
    return obj if isinstance(obj, (Operators, np.ndarray)) else plain(obj)


def as_sparse(obj: Any) -> Tensor:
    """The object as a tensor whose absent cells are 0."""
    given = obj if isinstance(obj, Tensor) else as_tensor(obj)
    if given.fill_value != 0:
        raise ValueError("the fill value %s is not 0" % given.fill_value)
    return given


def asarray(
    obj: Any,
    *,
    dtype: Any = None,
    copy: "bool | None" = None,
    device: Any = None,
    format: Any = None,
) -> Any:
    """A Tensor of any object, of a type and in a format; of one bool, which no tensor holds, an array."""
    if np.ndim(obj) == 0 and np.result_type(getattr(obj, "dtype", obj) if dtype is None else dtype) == np.bool_:
        return np.array(obj, bool)
    made = as_tensor(obj, copy)
    if format is not None or (dtype is not None and made.dtype != np.dtype(dtype)):
        made = made.convert(format or made.format, dtype=dtype)
    return made


def eye(
    n: int, m: "int | None" = None, /, k: int = 0, *, dtype: Any = float, device: Any = None, format: Any = "csr"
) -> Tensor:
    """Ones on a diagonal."""
    dtype = float if dtype is None else dtype
    columns = n if m is None else m
    i = np.arange(
        builtins.max(0, -k), builtins.max(builtins.max(0, -k), builtins.min(n, columns - k))
    )
    return from_coords([i, i + k], np.ones(i.size, dtype), (n, columns), format=format)


def zeros(shape: Any, dtype: Any = float, *, device: Any = None, format: Any = None) -> Any:
    """A tensor without entries."""
    dtype = float if dtype is None else dtype
    sizes = (shape,) if isinstance(shape, (int, np.integer)) else tuple(shape)
    if not sizes and np.dtype(dtype) == np.bool_:
        return np.False_  # as `full`: a pattern of no modes has one entry
    return from_coords(
        [np.zeros(0, int)] * len(sizes),
        np.zeros(0, dtype),
        sizes,
        format=format or _entries.fitting_format(None, len(sizes)),
    )


def random(
    shape: Any, density: float = 0.01, *, seed: Any = None, dtype: Any = float, format: Any = None
) -> Tensor:
    """Entries at random places, each with a value in [0, 1): density is their share of the
    cells."""
    sizes = [int(shape)] if isinstance(shape, (int, np.integer)) else [int(n) for n in shape]
    total = math.prod(sizes)
    if not 0 <= density <= 1:
        raise ValueError("density is %s: it must be in [0, 1]" % density)
    rng = np.random.default_rng(seed)
    n = int(builtins.round(density * total))
    if n * 3 > total:
        key = rng.permutation(total)[:n]
    else:
        key = np.unique(rng.integers(0, total, n)) if n else np.zeros(0, np.int64)
        while key.size < n:
            key = np.unique(np.concatenate([key, rng.integers(0, total, n - key.size)]))
    values = rng.random(n).astype(dtype)
    return from_coords(
        _entries.unravel(key, sizes),
        values,
        sizes,
        format=format or _entries.fitting_format(None, len(sizes)),
    )


def astype(a: Any, dtype: Any, *, copy: bool = True, device: Any = None) -> Any:
    """The values in another type, by NumPy's rules; "bf16" is none of NumPy's, and values that do not fit are refused."""
    given = as_operand(a)
    if isinstance(given, Tensor) and "bf16" in (dtype, TEXT[given._type]):
        return given.convert(given.format, dtype=dtype)
    wanted = np.dtype(dtype)
    if not isinstance(given, Tensor):
        return np.asarray(given).astype(wanted, copy=copy)
    if wanted == given.dtype and (not copy or wanted == np.bool_):
        return given.copy() if copy else given
    if wanted == np.bool_:
        return given != 0
    if given.is_iso:
        return given.convert(given.format, dtype=wanted)
    with np.errstate(all="ignore"):
        return with_values(given, given.values.astype(wanted), np.asarray(given.fill_value).astype(wanted))


# ---- what NumPy calls ----


def _called(a: Any, name: str, axis: Any, keepdims: Any, **options: Any) -> Any:
    given = {k: v for k, v in options.items() if v is not _NO_VALUE and v is not None}
    return getattr(as_operand(a), name)(axis=axis, keepdims=keepdims is True, **given)


def _reduction(name: str) -> Any:
    def reduce(a: Any, /, axis: Any = None, *, keepdims: Any = False, out: None = None, **more: Any) -> Any:
        return _called(a, name, axis, keepdims, **more)

    return _named(reduce, name)


def _sum_of(name: str) -> Any:
    def reduce(a: Any, /, axis: Any = None, dtype: Any = None, out: None = None, keepdims: Any = False, **more: Any) -> Any:
        return _called(a, name, axis, keepdims, dtype=dtype, **more)

    return _named(reduce, name)


def _spread(name: str) -> Any:
    def reduce(a: Any, /, axis: Any = None, dtype: Any = None, out: None = None, ddof: Any = 0, keepdims: Any = False, *,
               correction: Any = None, **more: Any) -> Any:  # fmt: skip
        return _called(a, name, axis, keepdims, dtype=dtype, ddof=ddof if correction is None else correction, **more)

    return _named(reduce, name)


def _named(function: Any, name: str) -> Any:
    function.__name__ = name
    function.__doc__ = "The method `%s`." % name
    return function


sum, prod, mean = [_sum_of(name) for name in ("sum", "prod", "mean")]
var, std = [_spread(name) for name in ("var", "std")]
min, max, any, all, argmin, argmax = [_reduction(name) for name in ("min", "max", "any", "all", "argmin", "argmax")]

for _f, _own in {
    np.sum: sum, np.prod: prod, np.mean: mean, np.var: var, np.std: std, np.amin: min, np.amax: max, np.min: min, np.max: max,
    np.any: any, np.all: all, np.argmin: argmin, np.argmax: argmax, np.reshape: reshape, np.transpose: permute_dims,
    np.moveaxis: moveaxis, np.swapaxes: swapaxes, np.squeeze: squeeze, np.expand_dims: expand_dims, np.flip: flip, np.roll: roll,
    np.take: take, np.repeat: repeat, np.tile: tile, np.concatenate: concatenate, np.stack: stack, np.hstack: hstack, np.vstack: vstack, np.tril: tril,
    np.triu: triu, np.diagonal: diagonal, np.trace: trace, np.nonzero: nonzero, np.count_nonzero: count_nonzero,
    np.tensordot: tensordot, np.outer: outer, np.kron: kron, np.where: where, np.clip: clip, np.around: round, np.round_: round,
    np.real: real, np.imag: imag, np.broadcast_to: broadcast_to, np.einsum: einsum, np.dot: lambda a, b: as_dot(a, b),
    np.shape: lambda a: a.shape, np.ndim: lambda a: a.ndim, np.size: lambda a, axis=None: math.prod(a.shape[m] for m in _entries.axes_of(axis, a.ndim)), np.ravel: lambda a: reshape(a, -1),
}.items():  # fmt: skip
    _FUNCTIONS[_f] = _own


def accumulate(function: Any, a: Any, axis: int = 0, dtype: Any = None) -> Any:
    """function.accumulate(a): an array of all cells."""
    _entries._dense_shape(a.shape)
    return function.accumulate(a.todense(), axis, dtype)


def as_dot(a: Any, b: Any) -> Any:
    """np.dot."""
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return a * b
    if np.ndim(a) <= 2 and np.ndim(b) <= 2:
        return matmul(a, b)
    return tensordot(a, b, (-1, -2 if np.ndim(b) > 1 else -1))
