"""Storage formats."""
from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

from . import _lib
from ._errors import TesseraError, add_caret
from ._lib import C, Handle


class Format:
    """A storage format: a name ("csr", "bcsr(2,3)"), letters ("dsc:1,0"), or a map with levels
    ("(i, j) -> (i : dense, j : compressed)"), in any notation of docs/formats.md.

    `order`: the number of modes, where the text does not say it; `dims`: the sizes, which few formats need."""

    __slots__ = ("_handle", "_text")

    def __init__(self, text: "str | Format", order: "int | None" = None, dims: "Sequence[int] | None" = None) -> None:
        self._text = str(text)
        self._handle = Handle(C.format_free)
        sizes = _lib.dims_array(dims) if dims is not None else None
        order = -1 if order is None and dims is None else len(dims) if order is None else order  # type: ignore[arg-type]
        try:
            _lib.call(C.format_parse, ctypes.byref(self._handle.ptr), _lib.encode(self._text), order, sizes)
        except TesseraError as error:
            raise add_caret(error, self._text) from None

    @property
    def ndim(self) -> int:
        """The number of modes."""
        return C.format_order(self._handle.ptr)  # type: ignore[no-any-return]

    @property
    def kinds(self) -> "tuple[str, ...]":
        """The kind of each level, outermost first."""
        ptr = self._handle.ptr
        return tuple(_lib.decode(C.format_kind(ptr, number)) for number in range(C.format_nlevels(ptr)))

    def text(self, notation: "str | None" = None, dims: "Sequence[int] | None" = None) -> str:
        """The format in a notation: "name" (the default), "letters", "long", "mlir", "ust", "xla", "tla"."""
        sizes = _lib.dims_array(dims) if dims is not None else None
        return _lib.take_text(C.format_print, self._handle.ptr, _lib.encode(notation), sizes)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return "tessera.Format(%r)" % self._text

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            try:
                other = Format(other, order=self.ndim)
            except TesseraError:
                return False
        if not isinstance(other, Format):
            return NotImplemented
        return bool(C.format_equal(self._handle.ptr, other._handle.ptr))

    def __hash__(self) -> int:
        return hash(self.text("long"))

    def __reduce__(self) -> Any:
        return (Format, (self._text, self.ndim))
