"""SciPy's own sparse arrays on all threads: their products, sums and conversions run by Tessera,
where it can."""
from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from . import _foreign
from ._array import apply
from ._errors import TesseraError
from ._kernel import matmul
from ._tensor import Tensor

_LEAST_NNZ = 20_000  # below it SciPy takes less time
_TYPES = (np.dtype("f8"), np.dtype("f4"))


def _borrowed(matrix: Any) -> "Tensor | None":
    """The matrix as a tensor of the same memory, which is kept while its arrays stay; None:
    Tessera would need a copy."""
    if (
        matrix.format not in ("csr", "csc")
        or matrix.nnz < _LEAST_NNZ
        or matrix.dtype not in _TYPES
    ):
        return None
    arrays = (matrix.indptr, matrix.indices, matrix.data)
    if len(arrays[1]) != matrix.nnz or len(arrays[2]) != matrix.nnz:
        return None
    known = matrix.__dict__.get("_tessera")
    if (
        known is not None
        and all(a is b for a, b in zip(known[0], arrays))
        and known[1] is not None
        and known[1].shape == matrix.shape
    ):
        return known[1]  # type: ignore[no-any-return]
    if not matrix.has_canonical_format:
        return None
    try:
        tensor = _foreign.as_tensor(matrix, False)
    except (TypeError, ValueError, TesseraError):
        return None
    matrix.__dict__["_tessera"] = (arrays, tensor)
    return tensor


def _like(matrix: Any, tensor: Any) -> Any:
    """The result as SciPy's object of the kind of `matrix`, which alone has its memory."""
    if not isinstance(tensor, Tensor):
        return None
    import scipy.sparse

    kind = tensor.format if tensor.format in ("csr", "csc", "coo") else "csr"
    if tensor.format != kind or any(
        a.level >= 0 and a.n and a.type not in _foreign.WIDE for a in tensor._array_structs()
    ):
        tensor = tensor.convert(kind, index_width="same")
    suffix = (
        "array"
        if isinstance(
            matrix,
            scipy.sparse._arrays._sparray
            if hasattr(scipy.sparse, "_arrays")
            else scipy.sparse.sparray,
        )
        else "matrix"
    )
    return _foreign._wrap_scipy(tensor, kind, scipy.sparse, suffix, False)


def _vector(matrix: Any, other: Any) -> Any:
    given = _borrowed(matrix)
    if given is None or other.dtype != matrix.dtype or not other.flags.c_contiguous:
        return None
    return matmul(given, other)


def _sparse_product(matrix: Any, other: Any) -> Any:
    a, b = _borrowed(matrix), _borrowed(other)
    if a is None or b is None or a.dtype != b.dtype or a.format != b.format:
        return None
    if a.format == "csc":
        made = matmul(b.T, a.T)
        return _like(matrix, made.T)
    return _like(matrix, matmul(a, b))


def _elementwise(function: Any) -> Callable[..., Any]:
    def run(matrix: Any, other: Any) -> Any:
        if getattr(other, "format", None) != matrix.format or other.shape != matrix.shape:
            return None
        a, b = _borrowed(matrix), _borrowed(other)
        if a is None or b is None or a.dtype != b.dtype:
            return None
        return _like(matrix, apply(function, (a, b), {}))

    return run


def _to(kind: str) -> Callable[..., Any]:
    def run(matrix: Any, copy: bool = False) -> Any:
        given = _borrowed(matrix)
        return None if given is None else _like(matrix, given.convert(kind, index_width="same"))

    return run


# Module and class of SciPy (the first one that exists), its method, what runs instead.
_METHODS: "list[tuple[str, tuple[str, ...], tuple[str, ...], Callable[..., Any]]]" = [
    ("_compressed", ("_cs_matrix",), ("_mul_vector", "_matmul_vector"), _vector),
    ("_compressed", ("_cs_matrix",), ("_mul_multivector", "_matmul_multivector"), _vector),
    ("_compressed", ("_cs_matrix",), ("_mul_sparse_matrix", "_matmul_sparse"), _sparse_product),
    ("_compressed", ("_cs_matrix",), ("_add_sparse",), _elementwise(np.add)),
    ("_compressed", ("_cs_matrix",), ("_sub_sparse",), _elementwise(np.subtract)),
    ("_compressed", ("_cs_matrix",), ("multiply",), _elementwise(np.multiply)),
    ("_csr", ("_csr_base", "csr_matrix"), ("tocsc",), _to("csc")),
    ("_csc", ("_csc_base", "csc_matrix"), ("tocsr",), _to("csr")),
]


class accelerate:
    """Run products, sums and conversions of SciPy's csr and csc arrays with Tessera, on all
    threads.

    `with ts.accelerate():` for a block, `ts.accelerate()` for the rest of the program; `stop()`
    ends it. Programs stay as they are, and
    get SciPy's arrays. What Tessera cannot do, or would be slower with (small, other types,
    repeated or unsorted entries), SciPy does:
    `report()` counts both."""

    def __init__(self) -> None:
        self._counts: "Counter[tuple[str, str]]" = Counter()
        self._before: "list[tuple[Any, str, Any]]" = []
        for module, classes, names, ours in _METHODS:
            place = importlib.import_module("scipy.sparse." + module)
            owner = next((getattr(place, c) for c in classes if hasattr(place, c)), None)
            for name in names:
                if owner is not None and name in vars(owner):
                    self._before.append((owner, name, vars(owner)[name]))
                    setattr(owner, name, self._wrapped(name, ours, vars(owner)[name]))

    def _wrapped(
        self, name: str, ours: Callable[..., Any], theirs: Callable[..., Any]
    ) -> Callable[..., Any]:
        counts = self._counts

        def method(matrix: Any, *args: Any, **options: Any) -> Any:
            made = None if options and set(options) != {"copy"} else ours(matrix, *args, **options)
            counts[name, "scipy" if made is None else "tessera"] += 1
            return theirs(matrix, *args, **options) if made is None else made

        method.__name__, method.__doc__ = name, theirs.__doc__
        return method

    def report(self) -> "dict[str, dict[str, int]]":
        """How often each method ran in Tessera, and in SciPy."""
        made: "dict[str, dict[str, int]]" = {}
        for (name, who), n in self._counts.items():
            made.setdefault(name, {"tessera": 0, "scipy": 0})[who] = n
        return made

    def stop(self) -> None:
        """Give SciPy its methods back."""
        for owner, name, theirs in self._before[::-1]:
            setattr(owner, name, theirs)
        self._before = []

    def __enter__(self) -> "accelerate":
        return self

    def __exit__(self, *_: Any) -> None:
        self.stop()
