"""Functions of two matrices: over the cells where one of them stores an entry, whose values the library puts side by side, a block at a time."""
from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _lib
from ._tensor import Tensor

_LEAST, _BLOCK = 512, 1 << 15  # pairs of a block: two arrays of doubles that stay in the cache
_STRUCT = _lib.STRUCTS["tessera_pairs"]
_NBYTES = ctypes.sizeof(_STRUCT)
_next: Any = _lib.untyped("pairs_next")
_from_buffer: Any = ctypes.c_char.from_buffer
CELLS = {(): 0, (0,): 2 + 8, (1,): 4 + 8, (0, 1): 8}  # by the operands that must store an entry


def pairs(a: Tensor, b: Tensor, cells: int, apply: Any, is_filter: bool) -> "tuple[Any, Any, Any]":
    """pos and crd of a matrix that has an entry where `a` or `b` has one, and apply(values of a, values of b), or the parts of the tuple that
    it is. Both are csr, or csc. is_filter: where apply gives booleans, only cells that are True stay."""
    n = a._stored().size + b._stored().size
    capacity = min(n // _LEAST * _LEAST + _LEAST, _BLOCK)
    wide = n >= 1 << 31 or max(a._dims) > 1 << 31
    index = np.int64 if wide else np.int32
    rows = a._dims[0 if a._format == "csr" else 1]
    pos, crd = np.empty(rows + 1, index), np.empty(n or 1, index)
    left, right = np.empty(capacity, a.dtype), np.empty(capacity, b.dtype)
    walk = _STRUCT(_NBYTES, capacity, *[ctypes.addressof(_from_buffer(x)) for x in (pos, crd, left, right)], wide, cells)
    a._ready(), b._ready()
    given = ctypes.byref(walk), a._handle.ptr, b._handle.ptr, _lib.context().handle
    values: "list[Any]" = []
    is_made = False
    while True:
        if _next(*given):
            raise _lib.error_of(_lib.context().ptr)
        begin, end = walk.total, walk.total + walk.n
        if is_made and begin == end:
            break
        made = apply(left[: walk.n], right[: walk.n])
        parts = made if isinstance(made, tuple) else (made,)
        if is_filter and made is parts[0] and made.dtype == np.bool_:
            kept = np.ascontiguousarray(made)  # alive until the next call, which drops the others
            walk.kept = kept.ctypes.data
        elif not is_made and walk.row == rows:
            values = [part.copy() if np.may_share_memory(part, left) or np.may_share_memory(part, right) else part for part in parts]
            break
        else:
            values = values or [np.empty(n, part.dtype) for part in parts]
            for array, part in zip(values, parts):
                array[begin:end] = part
        is_made = True
    for array in [crd, *values]:
        array.resize(end, refcheck=False)
    if walk.kept:
        values = [np.broadcast_to(True, (end,))]
    return pos, crd, tuple(values) if isinstance(made, tuple) else values[0]
