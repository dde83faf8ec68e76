"""The picture of a tensor in a notebook."""
from __future__ import annotations

import base64
import html
import struct
import zlib
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ._tensor import Tensor

_GRID = 48


def table(tensor: "Tensor") -> str:
    """A table of facts beside a picture of where the entries are."""
    rows: "list[tuple[str, Any]]" = [
        ("shape", " x ".join(map(str, tensor.shape)) or "scalar"),
        ("format", tensor.format),
        ("stored", tensor.nnz),
        ("values", tensor.type),
        ("bytes", _bytes(tensor.nbytes)),
        ("levels", ", ".join("%s %d" % (level.kind, level.size) for level in tensor.levels)),
    ]
    if tensor.structure != "general":
        rows.append(("structure", tensor.structure))
    if tensor.fill_value != 0:
        rows.append(("fill", tensor.fill_value))
    cells = "".join(
        "<tr><th style='text-align:left'>%s</th><td style='text-align:left'>%s</td></tr>" % (name, html.escape(str(value)))
        for name, value in rows
    )
    return "<div style='display:flex;gap:1em;align-items:center'>%s<table>%s</table></div>" % (picture(tensor), cells)


def _bytes(n: int) -> str:
    size = float(n)
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000 or unit == "GB":
            return "%.4g %s" % (size, unit)
        size /= 1000
    return ""


def picture(tensor: "Tensor") -> str:
    """An image of the first two modes: the darker a box, the more of its cells store an entry."""
    if tensor.ndim < 1 or 0 in tensor.shape:
        return ""
    shape = (tensor.shape + (1,))[:2]
    modes = (0, 1) if tensor.ndim > 1 else (0, -1)
    grid = (min(shape[0], _GRID), min(shape[1], _GRID))
    counts = tensor.density(modes, grid).astype(float)
    largest = counts.max(initial=0.0)
    shades = np.log1p(counts) / np.log1p(largest) if largest else counts
    pixels = np.where(counts > 0, 200 - 200 * shades, 255).astype(np.uint8)
    cell = 192 / max(grid)
    return (
        "<img alt='where entries are stored' width='%d' height='%d' style='image-rendering:pixelated;border:1px solid gray' "
        "src='data:image/png;base64,%s'/>"
        % (max(1, round(grid[1] * cell)), max(1, round(grid[0] * cell)), base64.b64encode(png(pixels)).decode("ascii"))
    )


def png(pixels: "np.ndarray[Any, Any]") -> bytes:
    """A PNG file of bytes, 0 is black."""
    height, width = pixels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")
