"""Tessera: sparse tensors in files, in storage formats, and in kernels.

>>> import tessera as ts
>>> A = ts.read("in.mtx", format="csr")                     # doctest: +SKIP
>>> y = ts.einsum("ij,j->i", A, x)                          # doctest: +SKIP
>>> A.to_scipy()                                            # doctest: +SKIP

`docs/python.md` is the guide; `help(tessera.read)` and the like are the reference."""
from __future__ import annotations

from typing import Any

from ._bench import bench
from ._errors import (
    ArgumentError,
    CancelledError,
    FormatError,
    LimitError,
    TesseraError,
    TesseraWarning,
    UnsupportedError,
)
from ._advise import Advice, advise
from ._builder import Builder, builder
from ._foreign import as_tensor as _as_tensor
from ._foreign import from_arrays, from_binsparse, from_coords
from ._format import Format
from ._file import File, open
from ._io import Info, codecs, convert, convert_file, formats, info, kernels, read, write
from ._grad import grad, value_and_grad
from ._kernel import Kernel, einsum, kernel, mttkrp
from ._layout import Layout, layout
from ._lib import C as _C
from ._lib import decode as _decode
from ._tensor import Level, Tensor

def __getattr__(name: str) -> Any:
    """Functions of arrays, and NumPy's own by the names of the array API standard, which are loaded when they are used."""
    if name == "__array_namespace_info__" or not name.startswith("__"):
        from ._names import find

        globals()[name] = found = find(name)
        return found
    raise AttributeError("module 'tessera' has no attribute %r" % name)


def test() -> None:
    """Check that the installed package works, in some seconds: it prints what it checked, or raises AssertionError."""
    from ._selftest import run

    print("tessera works: " + ", ".join(run()))


def __dir__() -> "list[str]":
    from ._names import names

    return sorted({*globals(), *names()})


__version__: str = _decode(_C.version())
__array_api_version__ = "2023.12"


def tensor(obj: Any, *, copy: "bool | None" = None) -> Tensor:
    """A Tensor of an object of another library, without a copy where the memory layouts agree.

    NumPy arrays; SciPy csr, csc, coo, bsr; COO and GCXS of the package sparse; AnnData (its X); objects with __binsparse__. The
    tensor then uses the memory of the object: values that are changed there are changed here. Unsorted or repeated entries are
    sorted and summed, into memory of the tensor. copy=False: ValueError where a copy is needed; copy=True: always memory of its
    own."""
    return _as_tensor(obj, copy)


__all__ = [
    "Advice", "ArgumentError", "Builder", "CancelledError", "File", "Format", "FormatError", "Info", "Kernel", "Layout", "Level", "LimitError",
    "Tensor", "TesseraError", "TesseraWarning", "UnsupportedError", "advise", "bench", "builder", "codecs", "convert", "convert_file", "einsum",
    "formats", "from_arrays", "from_binsparse", "from_coords", "grad", "info", "kernel", "kernels", "layout", "mttkrp", "open", "read",
    "tensor", "test", "value_and_grad", "write",
]  # fmt: skip
