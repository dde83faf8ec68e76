"""Pictures with Matplotlib, where that is installed."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ._tensor import Tensor


class Plot:
    """The pictures of a tensor: `A.plot.spy()`."""

    __slots__ = ("_tensor",)

    def __init__(self, tensor: "Tensor") -> None:
        self._tensor = tensor

    def spy(
        self,
        ax: Any = None,
        *,
        modes: "tuple[int, int]" = (0, 1),
        boxes: int = 200,
        cmap: str = "Greys",
    ) -> Any:
        """Where entries are: a grid over two modes, the darker a box the more of its cells store
        an entry. Returns the axes.

        Unlike matplotlib's spy it takes the same time and memory for any size."""
        from matplotlib import pyplot
        from matplotlib.ticker import MaxNLocator

        tensor = self._tensor
        if tensor.ndim < 2:
            raise ValueError("a picture needs two modes, the tensor has %d" % tensor.ndim)
        rows, columns = [tensor.shape[m] for m in modes]
        grid = (min(rows, boxes) or 1, min(columns, boxes) or 1)
        counts = tensor.density(modes, grid).astype(float)
        if ax is None:
            ax = pyplot.figure().gca()
        largest = counts.max(initial=0.0)
        shades = np.where(
            counts > 0, 0.25 + 0.75 * np.log1p(counts) / (np.log1p(largest) or 1.0), 0.0
        )
        ax.imshow(
            shades,
            cmap=cmap,
            vmin=0,
            vmax=1,
            interpolation="nearest",
            extent=(-0.5, columns - 0.5, rows - 0.5, -0.5),
        )
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_major_locator(MaxNLocator(5, integer=True))
        ax.set_title("%s, %d stored values" % (tensor.format, tensor.nnz))
        return ax
