"""Dask: arrays whose blocks are tensors, and conversions whose parts are tasks. Needs the package dask; workers of other machines need
a folder that all of them see.

>>> import tessera.dask                                                   # doctest: +SKIP
>>> X = tessera.dask.from_file("big.h5ad", chunks=(100_000, -1))          # doctest: +SKIP
>>> X.sum(axis=0).compute()                                               # doctest: +SKIP
>>> tessera.dask.convert("in.tns", "out.h5", format="csf", memory="600M") # doctest: +SKIP

docs/clusters.md is the guide."""
# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

import os
import shutil
import sys
from operator import itemgetter
from typing import Any

import numpy as np
from dask.array.core import Array, normalize_chunks
from dask.array.dispatch import concatenate_lookup, einsum_lookup, tensordot_lookup
from dask.base import normalize_token, tokenize
from dask.delayed import Delayed, delayed
from dask.highlevelgraph import HighLevelGraph
from dask.sizeof import sizeof

from . import _io, _plan
from ._array import concatenate, tensordot
from ._errors import ArgumentError, UnsupportedError
from ._file import described
from ._foreign import as_tensor, from_coords
from ._io import _path
from ._kernel import einsum
from ._tensor import Tensor

__all__ = ["convert", "from_file", "plan", "to_file"]


def _einsum(*operands: Any, **_: Any) -> Any:
    """NumPy's einsum has options that Dask passes with their defaults."""
    return einsum(*operands)


def _token(tensor: Tensor) -> Any:
    _, (parts, arrays) = tensor.__reduce__()
    return "tessera", normalize_token(parts), [normalize_token(a) for a in arrays]


concatenate_lookup.register(Tensor, concatenate)
tensordot_lookup.register(Tensor, tensordot)
einsum_lookup.register(Tensor, _einsum)
sizeof.register(Tensor)(lambda tensor: int(tensor.nbytes))
normalize_token.register(Tensor)(_token)


# ---- arrays ----


def _stamp(path: str) -> Any:
    """What changes when the file of "file" or "file:object" does, so that names are deterministic and no file is read for them."""
    file = path if os.path.exists(path) else path.rpartition(":")[0] or path
    found = os.stat(file)
    inside = sorted(os.stat(e.path).st_mtime_ns for e in os.scandir(file)) if os.path.isdir(file) else None
    return os.path.abspath(path), found.st_size, found.st_mtime_ns, inside


def _read_block(path: str, name: "str | None", bounds: "list[tuple[int, int]]", options: "dict[str, Any]") -> Tensor:
    return _io.read(path, name, select="; ".join("%d:%d" % pair for pair in bounds), labels=False, nthreads=1, **options)


def _shape(path: str, name: "str | None") -> "tuple[int, ...]":
    """The sizes of the modes, from the headers of the file."""
    found = described(path, name)
    if not found:
        raise ValueError("%s has several tensors, or none of that name: name one of them, as tessera.info(path, brief=True) lists them" % path)
    if not found["arrays"]:
        raise ValueError(
            "parts of %s cannot be read alone, so that each block would read all of it: "
            "write a file with tessera.dask.convert(%r, 'NAME.h5'), and open that" % (path, path)
        )
    return tuple(found["dims"])


def from_file(
    path: Any,
    name: "str | None" = None,
    *,
    chunks: Any = (100_000, -1),
    format: Any = None,
    dtype: Any = None,
) -> Array:
    """A dask array over the tensor in a file: each block is a Tensor, which a task reads when it is needed.

    Parameters
    ----------
    path : str or PathLike
        A file of arrays: HDF5, .h5ad, .npz, .mat, Zarr. Others, such as texts, are refused: `convert` makes a file of them.
    name : str, optional
        The tensor in a file of several, as in `read`.
    chunks : as in dask.array.from_array
        The shapes of the blocks; -1 is a whole mode.
    format : str or Format
        The storage format of the blocks; else that of the file.
    dtype : dtype
        The type of the values; else that of the file.
    """
    text = _path(path)
    shape = _shape(text, name)
    options = {"format": format, "dtype": dtype}
    empty = _read_block(text, name, [(0, 0)] * len(shape), options)
    sizes = normalize_chunks(chunks, shape, dtype=empty.dtype)
    label = "tessera-" + tokenize(_stamp(text), name, sizes, str(format), str(dtype))
    ends = [np.cumsum((0, *mode)).tolist() for mode in sizes]
    graph = {
        (label, *at): (_read_block, text, name, [(ends[m][i], ends[m][i + 1]) for m, i in enumerate(at)], options)
        for at in np.ndindex(*map(len, sizes))
    }
    return Array(HighLevelGraph.from_collections(label, graph), label, sizes, meta=empty)


def _whole(tensor: Any, path: str, format: Any, options: "dict[str, Any]") -> str:
    _io.write(path, tensor, format=format, **options)
    return path


def _mark(path: str) -> Any:
    """What differs when another file has the name; None: there is none."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def _write_block(block: Any, at: "tuple[int, ...]", place: str, target: str) -> "dict[str, Any]":
    """A task: the entries of a block, with their coordinates in the whole array, as a text. One that runs again writes the same."""
    tensor = as_tensor(block)
    if tensor.fill_value != 0:
        raise UnsupportedError(
            "cells without an entry are %r: such an array is written as a whole, tessera.write(path, array.compute())" % (tensor.fill_value,)
        )
    crd, values = tensor._entries()
    os.makedirs(os.path.dirname(place), exist_ok=True)
    moved = [mode.astype(np.uint64) + np.uint64(first) for mode, first in zip(crd, at)]
    _io.write(place, from_coords(moved, values, [int(m.max()) + 1 if m.size else 0 for m in moved]), header="none")
    return {"place": place, "before": _mark(target), "nnz": values.size, "format": str(tensor.format), "dtype": tensor.dtype}


def _join_blocks(blocks: "list[dict[str, Any]]", target: str, how: "dict[str, Any]") -> str:
    """The last task: convert the texts of all blocks, within the limit of memory. One that ran before, on a worker that was lost, has
    removed them, and has written the file."""
    folder = os.path.dirname(blocks[0]["place"])
    if not all(os.path.exists(block["place"]) for block in blocks):
        if any(block["before"] != _mark(target) for block in blocks):
            shutil.rmtree(folder, ignore_errors=True)
            return target
        raise FileNotFoundError("%s: the parts of the array are gone" % folder)
    how = {"format": blocks[0]["format"], "dtype": np.result_type(*(block["dtype"] for block in blocks)), **how}
    if sum(block["nnz"] for block in blocks) == 0:
        made = from_coords([np.empty(0, np.uint64) for _ in how["dims"]], np.empty(0, how["dtype"]), how["dims"])
        renamed = {"codec": how.get("to"), "options": how.get("to_options"), **{k: how[k] for k in ("deflate", "header") if k in how}}
        _io.write(target, made, format=how["format"], **renamed)
    else:
        whole = os.path.join(folder, "whole.tns")
        with open(whole, "wb") as out:
            for block in blocks:
                with open(block["place"], "rb") as text:
                    shutil.copyfileobj(text, out, 1 << 20)
        _io.convert_file(whole, target, codec="tns", temp=folder, **how)
    shutil.rmtree(folder, ignore_errors=True)
    return target


def to_file(
    array: Array,
    path: Any,
    *,
    format: Any = None,
    memory: "int | str | None" = None,
    nthreads: "int | None" = None,
    compute: bool = True,
    codec: "str | None" = None,
    options: Any = None,
    **written: Any,
) -> "str | Delayed":
    """Write a dask array to one file, with the bytes of `tessera.write` of the whole. Each block is written by a task that holds this block
    alone, to a temporary folder beside the file; the last task converts them within `memory`. The file appears when it is complete.

    Parameters
    ----------
    array : dask.array.Array
    path : str or PathLike
        On a folder that all workers see.
    format : str or Format
        The storage format; else that of the first block.
    memory : int or str
        What the last task may take beside what its process holds, at least 64 MiB ("600M").
    nthreads : int, optional
        Threads of the last task; else all processors of its machine.
    compute : bool
        False: what is returned does the work when it is computed.
    codec, options, deflate, header
        As for `tessera.write`.
    """
    target = _path(path)
    label = "tessera-write-" + tokenize(array, os.path.abspath(target), str(format), memory, codec, options, written)
    blocks = array.to_delayed()
    if blocks.size == 1:
        how = {"codec": codec, "options": options, **written}
        made = delayed(_whole)(blocks.item(), target, format, how, dask_key_name=label)
        return made.compute() if compute else made  # type: ignore[no-any-return]
    folder = os.path.abspath(target) + ".tessera-" + label[-32:]
    given = {"format": format, "to": codec, "to_options": options, "memory": memory, "nthreads": nthreads, **written}
    how = {"dims": array.shape, **{k: v for k, v in given.items() if v is not None}}
    starts = [np.cumsum((0, *sizes)).tolist() for sizes in array.chunks]
    parts = []
    for at in np.ndindex(*blocks.shape):
        first = tuple(starts[m][i] for m, i in enumerate(at))
        place = os.path.join(folder, ".".join(map(str, at)) + ".tns")
        parts.append(delayed(_write_block)(blocks[at], first, place, target, dask_key_name=(label + "-block", *at)))
    made = delayed(_join_blocks)(parts, target, how, dask_key_name=label)
    if not compute:
        return made  # type: ignore[no-any-return]
    try:
        return made.compute()  # type: ignore[no-any-return]
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


# ---- conversions ----


def _read_part(source: "list[str]", target: str, i: int, parts: int, options: "dict[str, Any]") -> bool:
    """A task: part i of the input. One that runs again continues, or finds its work done. False: the input cannot be cut."""
    try:
        _io.convert_file(source, target, shard=(i, parts), **options)
    except ArgumentError as error:
        if "cannot be cut into shards" in str(error):
            return False
        raise
    return True


def _finish(source: "list[str]", target: str, cut: "list[bool]", read: "dict[str, Any]", options: "dict[str, Any]") -> str:
    """The last task: make the file of the parts. One that ran before, on a worker that was lost, has removed them: they are made again."""
    try:
        _io.convert_file(source, target, join=all(cut), **options)
    except (ArgumentError, FileNotFoundError):
        if not all(cut):
            raise
        for i in range(len(cut)):
            _read_part(source, target, i, len(cut), read)
        _io.convert_file(source, target, join=True, **options)
    return target


def _counted(function: Any, *arguments: Any) -> "tuple[Any, int, int]":
    """A result, and the bytes that the process read and wrote meanwhile: of this task, where the worker does one at a time."""
    before = _plan.counters()
    result = function(*arguments)
    after = _plan.counters()
    return result, after[0] - before[0], after[1] - before[1]


def _join(
    source: "list[str]", target: str, done: "list[tuple[bool, int, int]]", read: "dict[str, Any]", options: "dict[str, Any]"
) -> "tuple[str, dict[str, int]]":
    """The last task, and what all tasks together read, moved and wrote."""
    cut = [part[0] for part in done]
    _, nread, nwritten = _counted(_finish, source, target, cut, read, options)
    written = os.path.getsize(target) if os.path.isfile(target) else 0
    parts = [sum(part[k] for part in done) for k in (1, 2)]
    counts = {"read": parts[0] if all(cut) else nread, "moved": parts[1], "arrays": max(0, nwritten - written), "written": written}
    return target, counts


def _parts_of(client: Any, parts: "int | None") -> int:
    if parts is None:
        parts = max(1, sum(client.nthreads().values())) if client is not None else 4
    if parts < 1:
        raise ValueError("%d parts: there must be one or more" % parts)
    return parts


def plan(
    source: Any,
    target: Any,
    *,
    parts: "int | None" = None,
    client: Any = None,
    memory: "int | str | None" = None,
    **options: Any,
) -> _plan.Plan:
    """What `convert` with these arguments will read, move and write, in bytes, from 64 places of the source, a .tns or .mtx text, or from the
    headers of a file of arrays, and 16 of its slices.

    The plan is a dict that prints as a table. read: of texts, with the places that tasks which start at once look at to find cuts; None for arrays. moved: written to temporary files by the tasks that read, and
    read again by the last one. arrays: of the result, which the last task writes to temporary files and reads again. written: to the
    target, where it is HDF5 without compression. memory: of each task. The sizes hold for entries whose indices are independent of each
    other and not in storage order: others need fewer bytes. `convert(..., plan=plan)` sets its `counted`.

    Parameters
    ----------
    source, target, parts, client, memory, options
        Those of `convert`.
    """
    client = client if client is not None else _current_client()
    tasks = _parts_of(client, parts)
    return _plan.make(_io.paths(source), _path(target), tasks, min(tasks, _parts_of(client, None)), memory, options)


def _current_client() -> Any:
    distributed = sys.modules.get("distributed")
    try:
        return distributed.default_client() if distributed else None
    except ValueError:
        return None


def _result(client: Any, work: Delayed) -> Any:
    """What the client's workers make of it. The scheduler forgets tasks that failed, so that the same call runs them again."""
    future = client.compute(work)
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


def convert(
    source: Any,
    target: Any,
    *,
    parts: "int | None" = None,
    client: Any = None,
    memory: "int | str | None" = None,
    nthreads: int = 1,
    join_nthreads: "int | None" = None,
    compute: bool = True,
    plan: "_plan.Plan | None" = None,
    **options: Any,
) -> "str | Delayed":
    """Convert files as `tessera.convert_file` does, with the same bytes: the reading is shared by tasks, the last task sorts and writes.

    Parameters
    ----------
    source : str, PathLike or list of these
        A file that can be read from any place on: plain text, HDF5, Zarr. One that is compressed, or has to be in memory as a whole, is
        converted by one task. Of a list, a task reads some of the files, or parts of them; a compressed file is read by one task. The
        files of a list are parts of one tensor; with `along=`, they are joined along this mode.
    target : str or PathLike
        All workers see its folder, which also holds the temporary files (or `temp=`). Tasks that are started again, and calls after one
        that failed, continue with these.
    parts : int
        The number of parts; None: that of the threads of the client's workers, or 4 without a client.
    client : distributed.Client
        Its workers do the tasks; None: the scheduler that Dask uses now.
    memory : int or str
        What each task may take beside what its process holds, at least 64 MiB ("600M").
    nthreads, join_nthreads : int
        The threads of a task that reads; and of the last task (None: all processors of its machine).
    compute : bool
        False: what is returned does the work when it is computed.
    plan : of `tessera.dask.plan`
        Its `counted` becomes what the tasks counted: the bytes that each worker's process read and wrote during them (Linux; of
        workers that do one task at a time, and of tasks that were not started again).
    options
        Those of `tessera.convert_file`.
    """
    client = client if client is not None else _current_client()
    parts = _parts_of(client, parts)
    texts = _io.paths(source), _path(target)
    options = {"memory": memory, **options}
    label = "tessera-convert-" + tokenize([_stamp(p) for p in texts[0]], os.path.abspath(texts[1]), parts, options)
    read, last = {"nthreads": nthreads, **options}, {"nthreads": join_nthreads, **options}
    graph: "dict[Any, Any]" = {(label + "-part", i): (_counted, _read_part, *texts, i, parts, read) for i in range(parts)}
    graph[label + "-join"] = (_join, *texts, list(graph), read, last)
    graph[label] = (itemgetter(0), label + "-join")
    made = Delayed(label, HighLevelGraph.from_collections(label, graph))
    if not compute:
        return made
    whole = Delayed(label + "-join", made.dask, layer=label)
    done, counts = whole.compute() if client is None else _result(client, whole)
    if plan is not None:
        plan.counted = counts
    return str(done)
