"""Layouts of dense arrays."""
from __future__ import annotations

import ctypes
from typing import Any

from . import _lib
from ._errors import TesseraError, add_caret
from ._lib import C, Handle


class Layout:
    """Where the elements of a dense array are: a layout of XLA, f32[3,5]{1,0:T(2,2)}, of TLA and CuTe, (2,3):(3,1), or an index map,
    (d0, d1) -> (d1, d0). See docs/layouts.md."""

    __slots__ = ("_handle", "_text", "_dims", "_coord", "_offset", "_ref")

    def __init__(self, text: "str | Layout", dims: "Any | None" = None) -> None:
        self._text = str(text)
        self._handle = Handle(C.layout_free)
        given = (ctypes.c_int64 * len(dims))(*dims) if dims is not None else None
        try:
            _lib.call(C.layout_parse, ctypes.byref(self._handle.ptr), _lib.encode(self._text), len(given or ()), given)
        except TesseraError as error:
            raise add_caret(error, self._text) from None
        self._finish()

    def _finish(self) -> None:
        ptr = self._handle.ptr
        rank = C.layout_rank(ptr)
        dims = ctypes.cast(C.layout_dims(ptr), ctypes.POINTER(ctypes.c_int64))
        self._dims = tuple(dims[:rank]) if rank else ()
        self._coord = ctypes.c_int64 * rank

    @property
    def shape(self) -> "tuple[int, ...]":
        """The sizes of the array."""
        return self._dims

    @property
    def span(self) -> int:
        """Offsets are in [0, span), padding included."""
        return C.layout_span(self._handle.ptr)  # type: ignore[no-any-return]

    def index(self, *coords: int) -> int:
        """The offset of an element, in elements."""
        if len(coords) != len(self._dims):
            raise TypeError("%d coordinates for a layout of %d dimensions" % (len(coords), len(self._dims)))
        offset = ctypes.c_int64()
        context = _lib.context().ptr
        if C.layout_offset(ctypes.byref(offset), self._handle.ptr, self._coord(*coords), context):
            error = _lib.error_of(context)
            raise IndexError(str(error)) if getattr(error, "status", "") == "RANGE" else error
        return offset.value

    def coord(self, offset: int) -> "tuple[int, ...] | None":
        """The element at an offset; None where the offset is padding."""
        made, padding = self._coord(), ctypes.c_int()
        _lib.call(C.layout_coord, made, ctypes.byref(padding), self._handle.ptr, offset)
        return None if padding.value else tuple(made)

    def text(self, notation: "str | None" = None) -> str:
        """The layout in a notation: "xla", "tla", "cute", "map", "format"."""
        return _lib.take_text(C.layout_print, self._handle.ptr, _lib.encode(notation))

    def compose(self, inner: "Layout | str") -> "Layout":
        """The layout x -> self(inner(x)), with CuTe's composition."""
        other = inner if isinstance(inner, Layout) else Layout(inner)
        made = object.__new__(Layout)
        made._handle = Handle(C.layout_free)
        _lib.call(C.layout_compose, ctypes.byref(made._handle.ptr), self._handle.ptr, other._handle.ptr)
        made._finish()
        made._text = made.text()
        return made

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Layout):
            return NotImplemented
        same = ctypes.c_int()
        _lib.call(C.layout_equal, ctypes.byref(same), self._handle.ptr, other._handle.ptr)
        return bool(same.value)

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return "tessera.Layout(%r)" % self._text


def layout(text: "str | Layout", dims: Any = None) -> Layout:
    """A layout; see `Layout`."""
    return Layout(text, dims)
