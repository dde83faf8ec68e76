"""Indexing as NumPy does it, on stored entries."""
from __future__ import annotations

import ctypes
import operator
from typing import Any

import numpy as np

from ._entries import build, keys, plain, unravel, with_values
from ._tensor import Tensor

Array = Any


def _parse(key: Any, shape: "tuple[int, ...]") -> "tuple[list[Any], int]":
    """A slice, an int, an array of ints or None for each step of the result, where the arrays broadcast; and the place of an
    ellipsis for no modes, which parts the arrays around it, else 0."""
    given = list(key) if isinstance(key, tuple) else [key]
    parts: "list[Any]" = []
    for part in given:
        if isinstance(part, Tensor):
            part = part.todense()
        if part is None or part is Ellipsis or isinstance(part, slice):
            parts.append(part)
            continue
        if isinstance(part, (bool, np.bool_)):
            raise IndexError("a single bool is not an index here")
        if hasattr(part, "__index__") and np.ndim(part) == 0:
            parts.append(operator.index(part))
            continue
        array = np.asarray(part)
        if array.size == 0 and not isinstance(part, np.ndarray):
            array = array.astype(np.intp)
        if array.dtype == np.bool_:
            mode = sum(p is not None for p in parts)
            if not any(p is Ellipsis for p in parts) and array.shape != shape[mode : mode + array.ndim]:
                raise IndexError(
                    "boolean index of shape %s did not match the shape %s"
                    % (array.shape, shape[mode : mode + array.ndim])
                )
            parts.extend(array.nonzero())
        elif array.dtype.kind in "iu":
            parts.append(array)
        else:
            raise IndexError(
                "only integers, slices, '...', None and arrays of integers or booleans are indices, not %s"
                % type(part).__name__
            )
    used = sum(p is not None and p is not Ellipsis for p in parts)
    if used > len(shape):
        raise IndexError(
            "too many indices: the tensor has %d modes, but %d were indexed" % (len(shape), used)
        )
    places = [n for n, p in enumerate(parts) if p is Ellipsis]
    if len(places) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    at = places[0] if places else len(parts)
    parts[at : at + len(places)] = [slice(None)] * (len(shape) - used)
    return parts, at if places and used == len(shape) else 0


def _wrapped(index: Array, n: int, mode: int) -> Array:
    low, high = (int(index.min()), int(index.max())) if index.size else (0, -1)
    if low < -n or high >= n:
        raise IndexError(
            "index %d is out of bounds for axis %d with size %d"
            % (low if low < -n else high, mode, n)
        )
    return index.astype(np.int64, copy=False) if low >= 0 else np.where(index < 0, index + n, index).astype(np.int64)


def _at(index: int, n: int, mode: int) -> int:
    if not -n <= index < n:
        raise IndexError("index %d is out of bounds for axis %d with size %d" % (index, mode, n))
    return index + n if index < 0 else index


def get(tensor: Tensor, key: Any) -> Any:
    """tensor[key]: a number, an array of the cells that arrays of indices name one by one, or a
    tensor."""
    if (
        isinstance(key, Tensor)
        and key.dtype == np.bool_
        and key.shape == tensor.shape
        and key.fill_value == 0
        and not key.is_dense
    ):
        crd = key.coords()
        return _at_points(tensor, list(crd[:, np.lexsort(crd[::-1])]))
    if (
        isinstance(key, np.ndarray)
        and key.dtype == np.bool_
        and key.shape == tensor.shape
        and tensor.ndim > 1
    ):
        return _at_points(tensor, list(key.nonzero()))
    parts, parted = _parse(key, tensor.shape)
    if all(isinstance(p, slice) and p == slice(None) for p in parts):
        return tensor
    if tensor.is_dense:
        return tensor.todense()[key if not isinstance(key, Tensor) else key.todense()]
    fast = _rows(tensor, parts)
    if fast is not None:
        return fast
    modes: "list[Any]" = []  # the mode that each part is about
    mode = 0
    for part in parts:
        modes.append(None if part is None else mode)
        mode += part is not None
    crd, values = tensor._entries()
    kept = list(crd)
    for part, m in zip(parts, modes):  # slices and single indices
        if isinstance(part, slice) and m is not None:
            start, stop, step = part.indices(tensor.shape[m])
            n = len(range(start, stop, step))
            if (start, n, step) == (0, tensor.shape[m], 1):
                continue
            place, rest = np.divmod(kept[m] - start, step)
            inside = (rest == 0) & (place >= 0) & (place < n)
            kept = [c[inside] for c in kept]
            kept[m], values = place[inside], values[inside]
    arrays = [(n, _wrapped(np.asarray(p), tensor.shape[m], m), m) for n, (p, m) in enumerate(zip(parts, modes))
              if not (p is None or isinstance(p, slice))]  # fmt: skip
    shape = [1 if p is None else len(range(*p.indices(tensor.shape[m]))) if isinstance(p, slice) else -1
             for p, m in zip(parts, modes)]  # fmt: skip
    out = [None if m is None else kept[m] for m in modes]
    if arrays:
        spread = np.broadcast_shapes(*[a.shape for _, a, _ in arrays])
        index = [np.broadcast_to(a, spread).reshape(-1) for _, a, _ in arrays]
        take, place = _join(
            [kept[m] for _, _, m in arrays], index, [tensor.shape[m] for _, _, m in arrays]
        )
        out = [None if c is None else c[take] for c in out]
        values = values[take]
        numbers = [n for n, a, _ in arrays]
        with_dims = [n for n, a, _ in arrays if not isinstance(parts[n], int)]
        joint = numbers[-1] - numbers[0] + 1 == len(numbers) and not numbers[0] < parted <= numbers[-1]
        at = numbers[0] if joint else 0
        if not with_dims:
            at = numbers[0]
        rest = [n for n in range(len(parts)) if n not in numbers]
        before = [n for n in rest if n < at] if joint or not with_dims else []
        after = [n for n in rest if n not in before]
        new = unravel(place, spread) if spread else []
        crds = [out[n] for n in before] + new + [out[n] for n in after]
        sizes = [shape[n] for n in before] + list(spread) + [shape[n] for n in after]
    else:
        crds, sizes = out, shape
    zero = np.zeros(values.size, np.int64)
    crds = [zero if c is None else c for c in crds]
    if not sizes:
        return values[0] if values.size else tensor.fill_value
    if len(arrays) == len(parts) and arrays and len(sizes) == len(spread) < 2:  # cells one by one
        made = np.full(sizes, tensor.fill_value, tensor.dtype)
        made[tuple(crds)] = values
        return made
    return build(crds, values, sizes, tensor.format, tensor.fill_value)


def _join(crd: "list[Array]", index: "list[Array]", dims: "list[int]") -> "tuple[Array, Array]":
    """For each pair of an entry and a place of `index` with the same coordinates: the numbers of
    both."""
    have, wanted = keys([crd, index], dims)
    order = np.argsort(wanted, kind="stable")
    low: Any = np.searchsorted(wanted[order], have, "left")
    counts = np.searchsorted(wanted[order], have, "right") - low
    take = np.repeat(np.arange(have.size), counts)
    offset = np.arange(take.size) - np.repeat(np.cumsum(counts) - counts, counts)
    return take, order[low[take] + offset]


def _at_points(tensor: Tensor, crd: "list[Array]") -> Array:
    from ._entries import Entries

    return Entries(tensor, tensor.shape).at(crd, tensor.shape)[1]


def _rows(tensor: Tensor, parts: "list[Any]") -> Any:
    """Whole rows of a csr matrix, and whole columns of a csc matrix: the parts of its arrays one
    after the other."""
    if (
        tensor.ndim != 2
        or len(parts) != 2
        or tensor._format not in ("csr", "csc")
        or tensor.fill_value != 0
    ):
        return None
    main, other = parts if tensor._format == "csr" else parts[::-1]
    if main is None or other is None or tensor.is_iso:
        return None
    mode = 0 if tensor._format == "csr" else 1
    if np.ndim(main) == np.ndim(other) == 2 and parts[0].shape[1] == parts[1].shape[0] == 1:  # np.ix_
        lists = [parts[0][:, 0], parts[1][0]]
        lists[1 - mode], other = slice(None), lists[1 - mode]
        return _columns(_rows(tensor, lists), other, mode)
    pos, crd, values = tensor._compressed()
    shape = list(tensor.shape)
    if isinstance(main, int):
        return _row(tensor, main, other, mode)
    if not (isinstance(other, slice) and other == slice(None)):
        if not isinstance(main, slice) or not (isinstance(other, (int, slice)) or np.ndim(other) == 1):
            return None
        whole = [main, slice(None)] if mode == 0 else [slice(None), main]
        return _columns(tensor if main == slice(None) else _rows(tensor, whole), other, mode)
    if isinstance(main, slice):
        start, stop, step = main.indices(shape[mode])
        if step == 1:
            stop = max(start, stop)
            shape[mode] = stop - start
            begin, end = int(pos[start]), int(pos[stop])
            arrays = [pos[start : stop + 1] - pos[start], crd[begin:end], values[begin:end]]
            return _unchecked(tensor._format, shape, arrays)
        main = np.arange(start, stop, step)
    if main.ndim != 1:
        return None
    return _slices(tensor, mode, _wrapped(main, shape[mode], mode))


def _columns(tensor: Tensor, other: Any, mode: int) -> Any:
    """Columns next to each other of a csr matrix, or one of them (rows of a csc matrix). None: another choice."""
    pos, crd, values = tensor._compressed()
    n = tensor.shape[1 - mode]
    if isinstance(other, int):
        kept = np.flatnonzero(crd == _at(other, n, 1 - mode))
        rows: Any = np.searchsorted(pos, kept, "right") - 1
        return _unchecked("cvec", [tensor.shape[mode]], [None, rows.astype(np.int64, copy=False), values[kept]])
    if not isinstance(other, slice):
        return _listed(tensor, _wrapped(other, n, 1 - mode), mode)
    start, stop, step = other.indices(n)
    if step != 1:
        return _listed(tensor, np.arange(start, stop, step), mode)
    inside = (crd >= start) & (crd < stop)
    counts = np.zeros(inside.size + 1, pos.dtype)
    np.cumsum(inside, out=counts[1:])
    shape = list(tensor.shape)
    shape[1 - mode] = max(stop - start, 0)
    place = (crd[inside] - np.int64(start)).astype(crd.dtype)
    return _unchecked(tensor._format, shape, [counts[pos], place, values[inside]])


def _listed(tensor: Tensor, other: Array, mode: int) -> Any:
    """The columns of a csr matrix in this list (rows of a csc matrix). None: one of them stands in it twice."""
    pos, crd, values = tensor._compressed()
    shape = list(tensor.shape)
    places = np.full(shape[1 - mode], -1, np.intp)
    places[other] = np.arange(other.size)
    if other.size > 1 and not (other[1:] > other[:-1]).all():
        if (places >= 0).sum() < other.size:
            return None
        is_sorted = False
    else:
        is_sorted = True
    place = places[crd]
    inside = (place >= 0).nonzero()[0]
    counts = inside.searchsorted(pos)
    place, shape[1 - mode] = place[inside], other.size
    if not is_sorted:
        rows = np.repeat(np.arange(shape[mode]), counts[1:] - counts[:-1])
        order = (rows * other.size + place).argsort(kind="stable")
        place, inside = place[order], inside[order]
    return _unchecked(tensor._format, shape, [counts.astype(pos.dtype), place.astype(crd.dtype), values[inside]])


def _slices(tensor: Tensor, mode: int, index: Array) -> Tensor:
    """The rows of a csr matrix, or columns of a csc matrix, of this list."""
    from . import _lib
    from ._tensor import SHORT_NBYTES, array_struct

    index = np.ascontiguousarray(index)
    made, list_ = _lib.Handle(_lib.C.tensor_free), array_struct(index.view(np.uint64))
    _lib.call_long(
        _lib.C.gather,
        ctypes.byref(made.ptr),
        tensor._ready(),
        mode,
        ctypes.byref(list_),
        keep=(tensor, made, index, list_),
        inline=index.nbytes + tensor.nbytes * index.size // max(tensor.shape[mode], 1) < SHORT_NBYTES,
    )
    return Tensor._of(made)


def _row(tensor: Tensor, main: int, other: Any, mode: int) -> Any:
    """A row of a csr matrix (a column of a csc matrix), or a cell of it."""
    pos, crd, values = tensor._compressed()
    row = _at(main, tensor.shape[mode], mode)
    begin, end = int(pos[row]), int(pos[row + 1])
    if isinstance(other, int):
        column = _at(other, tensor.shape[1 - mode], 1 - mode)
        place = begin + int(np.searchsorted(crd[begin:end], column))
        found = place < end and crd[place] == column
        return values[place] if found else values.dtype.type(0)
    if not (isinstance(other, slice) and other == slice(None)):
        return None
    return _unchecked("cvec", [tensor.shape[1 - mode]], [None, crd[begin:end], values[begin:end]])


def _unchecked(format: str, shape: "list[int]", arrays: "list[Array]") -> Tensor:
    """Parts of arrays of a tensor, which are right by construction."""
    from . import _lib, _types
    from ._tensor import Keep, array_struct, borrow

    none = _lib.STRUCTS["tessera_array"]
    given = [none() if a is None else array_struct(a.view("u%d" % a.itemsize)) for a in arrays[:-1]]
    values = arrays[-1]
    keep = Keep(arrays)
    keep.readonly = not values.flags.writeable
    number = _types.NUMBER[values.dtype]
    return borrow(format, shape, [*given, array_struct(values, number)], number, keep, unchecked=True)


def put(tensor: Tensor, key: Any, value: Any) -> None:
    """tensor[key] = value, where all the cells that are named store entries."""
    if tensor.is_iso or tensor._is_readonly():
        raise ValueError(
            "the values of this tensor cannot be written to: change a copy, such as astype(float) makes"
        )
    if tensor.is_dense:
        tensor.todense()[key] = plain(value)
        return
    numbers = with_values(tensor, np.arange(1, tensor.values.size + 1, dtype=np.int64))
    chosen = get(numbers, key)
    dense = chosen.todense() if isinstance(chosen, Tensor) else np.asarray(chosen)
    given = plain(value)
    given = given.todense() if isinstance(given, Tensor) else given
    if (dense == 0).any():
        raise ValueError(
            "%d of the %d cells store no entry, and a tensor keeps its pattern: make a new one, such as A + from_coords(...) or "
            "A.to_scipy('lil')" % ((dense == 0).sum(), dense.size)
        )
    tensor.values[dense.reshape(-1) - 1] = np.broadcast_to(given, dense.shape).reshape(-1)
