"""Files that are read in part: ts.open(path)[rows, cols]."""
from __future__ import annotations

from typing import Any

import numpy as np

from ._errors import UnsupportedError
from ._index import _at, _parse, _wrapped
from ._io import _name, _path, info, is_object, read
from ._tensor import Tensor


def _list(part: Any) -> str:
    """A slice, an int or an array of ints as the library takes a list of coordinates."""
    if isinstance(part, slice):
        bounds = ["" if x is None else "%d" % x for x in (part.start, part.stop)]
        return ":".join(bounds if part.step is None else bounds + ["%d" % part.step])
    if isinstance(part, int):
        return "%d" % part
    if part.ndim != 1:
        raise IndexError("an array of indices of a file has one dimension, not %d" % part.ndim)
    return ",".join(map(str, part.tolist())) if part.size else "0:0"


def described(path: Any, name: "str | None", codec: "str | None" = None) -> "dict[str, Any] | None":
    """What the headers of the file say of the tensor that `read` takes; None: they do not tell which it is."""
    found = info(path, brief=True, codec=codec).get("tensors", [])
    named = [t for t in found if t["group"] == (name or "X")] or ([] if name else found)
    return named[0] if len(named) == 1 else None


class File:
    """A tensor in a file, of which an index reads a part: see `open`."""

    def __init__(self, path: Any, name: "str | None", options: "dict[str, Any]") -> None:
        self._path, self._name, self._options = path, name, options
        found = described(self._begin(), name, options.get("codec"))
        dims = found["dims"] if found and found["dims"] is not None else read(self._begin(), name, **options).shape
        self.shape: "tuple[int, ...]" = tuple(map(int, dims))

    def _begin(self) -> Any:
        """What is read: a path, or an object, which is read from its beginning each time."""
        if hasattr(self._path, "seek"):
            self._path.seek(0)
        return self._path

    def _in_path(self) -> str:
        """The path, and the name of the tensor in the file."""
        if not isinstance(self._path, str):
            raise UnsupportedError("a kernel reads files that have a path, not %s: read the tensor first" % type(self._path).__name__)
        return self._path + (":" + self._name if self._name else "")

    def __repr__(self) -> str:
        shown = self._path if isinstance(self._path, str) else _name(self._path) or type(self._path).__name__
        return "<tessera.File %s%s: %s>" % (shown, ":" + self._name if self._name else "", " x ".join(map(str, self.shape)))

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def __getitem__(self, key: Any) -> Any:
        """The part as a tensor, which is that of read(path)[key]; several arrays select rows and columns, as np.ix_ does."""
        parts, _ = _parse(key, self.shape)
        if any(part is None for part in parts):
            raise IndexError("None does not index a file: add the mode to what was read")
        for mode, p in enumerate(parts):
            if isinstance(p, int):
                _at(p, self.shape[mode], mode)
            elif not isinstance(p, slice):
                _wrapped(p, self.shape[mode], mode)
        part = read(self._begin(), self._name, select="; ".join(map(_list, parts)), **self._options)
        dropped = tuple(0 if isinstance(p, int) else slice(None) for p in parts)
        return part if all(isinstance(p, slice) for p in dropped) else part[dropped]


def open(path: Any, name: "str | None" = None, **options: Any) -> File:
    """A file whose parts are read by indices: ts.open("cells.h5ad")[rows, cols]. It may be an object, as in `read`: a file that can seek, or a
    mapping.

    Of HDF5 and Zarr files, slices of the mode that lies one after the other (rows of csr, columns of csc, slices of csf) are read
    from the chunks that have them; a part of any other file is taken of the whole. The options are those of `read`."""
    return File(path if is_object(path) and not isinstance(path, bytes) else _path(path), name, options)
