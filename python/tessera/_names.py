"""The names of the module that are loaded when they are used: functions of tensors, and those of
NumPy that take tensors."""
from __future__ import annotations

from typing import Any

import numpy as np

OWN = (
    "all any argmax argmin asarray astype block_diag broadcast_to clip concat concatenate count_nonzero diagonal expand_dims eye flip "
    "hstack imag kron matrix_transpose max mean min moveaxis nonzero outer permute_dims prod random real repeat reshape roll round squeeze stack std sum "
    "swapaxes take tensordot tile trace transpose tril triu var vecdot vstack where zeros"
).split()
STANDARD_OWN = (
    "arange broadcast_arrays ceil cumulative_sum empty empty_like floor from_dlpack full full_like isdtype linspace meshgrid "
    "ones ones_like trunc unique_counts unique_values unstack zeros_like"
).split()
MORE = (  # of _numpy.py
    "allclose append argwhere array_equal array_split average block column_stack compress cumprod cumsum delete diag diff dsplit dstack fliplr "
    "flipud hsplit inner isclose isin matrix_power nan_to_num nanmax nanmean nanmin nanprod nansum norm pad ptp rollaxis rot90 select split "
    "unique vdot vsplit"
).split()
LAZY = ("Expr", "lazy")

# Functions of elements: those of NumPy, by NumPy's names and by those of the array API standard.
UFUNCS = (
    "abs absolute add arccos arccosh arcsin arcsinh arctan arctan2 arctanh bitwise_and bitwise_or bitwise_xor cbrt conj copysign cos cosh "
    "divide equal exp expm1 floor_divide fmax fmin greater greater_equal hypot isfinite isinf isnan less less_equal log log10 "
    "log1p log2 logaddexp logical_and logical_not logical_or logical_xor matmul maximum minimum multiply negative not_equal positive "
    "power remainder rint sign signbit sin sinh sqrt square subtract tan tanh"
).split()
STANDARD = {
    "acos": "arccos", "acosh": "arccosh", "asin": "arcsin", "asinh": "arcsinh", "atan": "arctan", "atan2": "arctan2", "atanh": "arctanh",
    "bitwise_invert": "invert", "bitwise_left_shift": "left_shift", "bitwise_right_shift": "right_shift", "pow": "power",
    "bool": "bool_",
}  # fmt: skip
CONSTANTS = "e inf nan newaxis pi can_cast finfo iinfo result_type".split()
TYPES = "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128".split()


def find(name: str) -> Any:
    """What the name means; AttributeError: nothing."""
    if name in OWN:
        from . import _array

        return getattr(_array, name)
    if name in STANDARD_OWN or name == "__array_namespace_info__":
        from . import _standard

        return getattr(_standard, name)
    if name in MORE:
        from . import _numpy

        return getattr(_numpy, name)
    if name in LAZY:
        from . import _expr

        return getattr(_expr, name)
    if name == "fuse":
        from ._ops import fuse

        return fuse
    if name == "accelerate":
        from ._accelerate import accelerate

        return accelerate
    if name in UFUNCS or name in CONSTANTS or name in TYPES:
        return getattr(np, name)
    if name in STANDARD:
        return getattr(np, STANDARD[name])
    raise AttributeError("module 'tessera' has no attribute %r" % name)


def names() -> "list[str]":
    return sorted({*OWN, *STANDARD_OWN, *MORE, *LAZY, "accelerate", "fuse", *UFUNCS, *CONSTANTS, *TYPES, *STANDARD})
