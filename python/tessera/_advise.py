"""Which storage format serves which kernel."""

from __future__ import annotations

import ctypes
from typing import Any

from . import _lib
from ._lib import C


class Advice(dict):  # type: ignore[type-arg]
    """The answer of tinfo --advise --json, as a dict that prints as its sentence and its best rows."""

    @property
    def format(self) -> str:
        """The format to choose."""
        return self["chosen"]  # type: ignore[no-any-return]

    def __str__(self) -> str:
        head = "%-24s %12s %10s %10s" % ("format", "bytes", "pack ms", "run ms")
        rows = [
            "%-24s %12.0f %10.3g %10.3g" % (r["format"], r["bytes"], r["pack_ns"] / 1e6, r["run_ns"] / 1e6)
            for r in self["rows"][:12]
        ]
        return "\n".join([head, *rows, self["sentence"]])

    __repr__ = __str__


def advise(
    tensor: Any,
    kernel: str,
    *,
    runs: "float | None" = None,
    budget: "float | None" = None,
    rank: "int | None" = None,
    formats: "str | None" = None,
    nthreads: "int | None" = None,
) -> Advice:
    """Which storage format serves a kernel on this machine, with the reasons; nothing runs.

    kernel: names such as "mttkrp,spmv", "ttv:0" (of mode 0), or an expression "y(i) = A(i,j) * x(j)". runs: how often it runs; unknown,
    the format stays unless packing another one pays within 10 runs. budget: leave out formats with more than so many times the bytes
    of the smallest. rank: the size of variables that the tensor does not have (16). formats: compare these, with blanks between them."""
    import json

    from ._foreign import as_tensor

    subject = as_tensor(tensor)
    options = _lib.struct("advise_options", nruns=float(runs or 0), budget=float(budget or 0), rank=int(rank or 0))
    options.kernels = _lib.encode(kernel)
    options.formats = _lib.encode(formats)
    name, text = ctypes.c_void_p(), ctypes.c_void_p()
    try:
        _lib.call_long(
            C.advise, ctypes.byref(name), ctypes.byref(text), subject._ready(), ctypes.byref(options),
            keep=(subject, options, name, text), nthreads=nthreads,
        )  # fmt: skip
        return Advice(json.loads(ctypes.string_at(text.value or b"{}")))
    finally:
        C.text_free(name)
        C.text_free(text)
