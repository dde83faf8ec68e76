"""Reductions of many entries by kernels: `R(i,k) max= A(i,j,k)`, and a sum of ones where the number of entries decides."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _entries, _types
from ._kernel import _cached
from ._tensor import Tensor

LARGE_NNZ = 500_000  # from here on a kernel is worth its compilation
_OPERATORS = {np.add: "=", np.maximum: "max=", np.minimum: "min=", np.multiply: "*="}
_MAX_ORDER = 6


def reduced(function: Any, tensor: Tensor, axes: Sequence[int], wanted: Any) -> Any:
    """The reduction, as `_entries.reduce` gives it without keepdims; None: that one is to compute it. wanted: the type of the result."""
    if not 2 <= tensor.ndim <= _MAX_ORDER or not 0 < len(axes) < tensor.ndim or tensor.nnz < LARGE_NNZ:
        return None
    if tensor.fill_value != 0 or tensor._shape_of_data() != "sparse" or wanted not in _types.NUMBER:
        return None
    values = tensor._stored()
    is_logical = function in (np.logical_or, np.logical_and)
    if is_logical:
        tensor, wanted = _entries.with_values(tensor, (values != 0).astype(np.float64)), np.dtype(np.float64)
    elif function not in _OPERATORS or wanted == np.bool_:
        return None
    elif function in (np.maximum, np.minimum) and values.dtype.kind != "i" and values.dtype.kind != "f":
        return None  # NumPy orders complex numbers
    n = 1
    for m in axes:
        n *= tensor.shape[m]
    made = _run(np.add if is_logical else function, tensor, axes, wanted)
    if is_logical:
        return _truths(function, made, n)
    if function is np.add:
        return made
    counts = _run(np.add, _entries.with_values(tensor, np.ones(values.size)), axes, np.dtype(np.float64))
    if isinstance(made, Tensor):
        full = counts._stored() >= n
        stored = made._stored()
        return _entries.with_values(made, np.where(full, stored, function(stored, wanted.type(0))))
    with np.errstate(all="ignore"):
        made = np.where(counts < n, function(made, wanted.type(0)), made)
    made[counts == 0] = 0
    return made.astype(wanted, copy=False)


def _truths(function: Any, counts: Any, n: int) -> Any:
    least = n if function is np.logical_and else 1
    return counts >= least


def _run(function: Any, tensor: Tensor, axes: Sequence[int], wanted: Any) -> Any:
    letters = "ijklmn"[: tensor.ndim]
    kept = [c for m, c in enumerate(letters) if m not in axes]
    format = None if len(kept) < 2 else _entries.fitting_format(None, len(kept))
    text = "R(%s) %s A(%s)" % (",".join(kept), _OPERATORS[function], ",".join(letters))
    return _cached("kernel_new", text, format or "dense", wanted.str)(tensor)
