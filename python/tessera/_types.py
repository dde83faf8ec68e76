"""Value types: the library's, and NumPy's."""
from __future__ import annotations

from typing import Any

import numpy as np

from . import _lib

TYPES = _lib.ENUMS["tessera_type"]
PATTERN = TYPES["PATTERN"]
MADE_AFTER = (PATTERN, TYPES["F16"], TYPES["BF16"])  # of results that are converted when all values are complete
_NAMES = {"F64": "f8", "F32": "f4", "C64": "c8", "C128": "c16", "I8": "i1", "I16": "i2", "I32": "i4", "I64": "i8"}
_NAMES.update({"U8": "u1", "U16": "u2", "U32": "u4", "U64": "u8", "F16": "f2"})
_NAMES["BF16"] = "V2"  # NumPy has no such type: two bytes, as which it saves the bfloat16 of the package ml_dtypes
DTYPE: "dict[int, np.dtype[Any]]" = {TYPES[name]: np.dtype(text) for name, text in _NAMES.items()}
DTYPE[PATTERN] = np.dtype(bool)
NUMBER = {dtype: number for number, dtype in DTYPE.items()}
TEXT = {number: "pattern" if number == PATTERN else name.lower() for name, number in TYPES.items() if name != "ANY_TYPE"}
_BY_TEXT = {text: number for number, text in TEXT.items()}


def as_stored(array: "np.ndarray[Any, Any]") -> "np.ndarray[Any, Any]":
    """The array, or a view where its type has another name here: bfloat16 of the package ml_dtypes."""
    return array.view(DTYPE[TYPES["BF16"]]) if array.dtype.name == "bfloat16" else array


def type_number(dtype: Any) -> int:
    """The number of a type that a user names: a NumPy dtype, or the library's name ("f64", "pattern")."""
    if isinstance(dtype, str) and dtype in _BY_TEXT:
        return _BY_TEXT[dtype]
    known = np.dtype(dtype)
    if known.name == "bfloat16":
        return TYPES["BF16"]
    if known in NUMBER:
        return NUMBER[known]
    raise TypeError("values of type %s are not supported (supported: %s)" % (known, ", ".join(TEXT.values())))


def values_for_library(values: "np.ndarray[Any, Any]", copy: "bool | None") -> "np.ndarray[Any, Any]":
    """The values in a type that the library has, contiguous and in native byte order. bool becomes uint8.
    copy=False: ValueError where that needs a copy."""
    values = as_stored(values)
    dtype = values.dtype
    wanted: "np.dtype[Any]"
    if dtype == np.bool_:
        wanted = np.dtype(np.uint8)
        if values.flags.c_contiguous:
            return values.view(wanted)
    else:
        wanted = dtype.newbyteorder("=")
        if wanted not in NUMBER:
            raise TypeError(
                "values of type %s are not supported: convert them first, to one of %s" % (dtype, ", ".join(TEXT.values()))
            )
    if wanted == dtype and values.flags.c_contiguous and values.flags.aligned:
        return values
    if copy is False:
        raise ValueError(
            "copy=False, but values of type %s, strides %s need a copy" % (dtype.str, values.strides)
        )
    return np.array(values, dtype=wanted, order="C", copy=True)


def indices_for_library(indices: Any, copy: "bool | None") -> "np.ndarray[Any, Any]":
    """Indices as contiguous integers in native byte order."""
    array = np.asarray(indices)
    if array.dtype.kind not in "iu":
        raise TypeError("indices of type %s: they must be integers" % array.dtype)
    if array.ndim != 1:
        raise ValueError("indices have %d dimensions: they must have one" % array.ndim)
    if array.dtype.isnative and array.flags.c_contiguous and array.flags.aligned:
        return array
    if copy is False:
        raise ValueError("copy=False, but indices of type %s, strides %s need a copy" % (array.dtype.str, array.strides))
    return np.array(array, dtype=array.dtype.newbyteorder("="), order="C", copy=True)
