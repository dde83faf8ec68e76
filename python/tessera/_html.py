"""The picture of a tensor in a notebook."""
from __future__ import annotations

import html
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
    """An SVG of the first two modes: the darker a box, the more of its cells store an entry."""
    if tensor.ndim < 1 or 0 in tensor.shape:
        return ""
    shape = (tensor.shape + (1,))[:2]
    modes = (0, 1) if tensor.ndim > 1 else (0, -1)
    grid = (min(shape[0], _GRID), min(shape[1], _GRID))
    counts = tensor.density(modes, grid).astype(float)
    largest = counts.max(initial=0.0)
    shades = np.log1p(counts) / np.log1p(largest) if largest else counts
    cell = 192 / max(grid)
    width, height = grid[1] * cell, grid[0] * cell
    boxes = "".join(
        "<rect x='%.4g' y='%.4g' width='%.4g' height='%.4g' fill-opacity='%.2g'/>"
        % (j * cell, i * cell, cell, cell, 0.15 + 0.85 * shades[i, j])
        for i, j in zip(*np.nonzero(counts))
    )
    return (
        "<svg width='%.4g' height='%.4g' viewBox='0 0 %.4g %.4g' role='img'><title>where entries are stored</title>"
        "<rect width='%.4g' height='%.4g' fill='white' stroke='gray'/><g fill='#1f4e9c'>%s</g></svg>"
        % (width + 2, height + 2, width, height, width, height, boxes)
    )
