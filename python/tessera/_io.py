"""Files."""
from __future__ import annotations

import contextlib
import ctypes
import io
import os
import tempfile
import time
from typing import Any, Callable, Mapping, MutableMapping

import numpy as np

from . import _lib, _types
from ._lib import C, Handle
from ._tensor import _DUPLICATES, _WIDTHS, SMALL_NBYTES, Tensor, choice, facts, format_text


def _path(path: Any) -> str:
    if isinstance(path, (bytes, str, os.PathLike)):
        text = os.fsdecode(path)
        _lib.encode(text)  # refuses NUL
        return text
    raise TypeError("expected a path, not %s" % type(path).__name__)


def paths(source: Any) -> "list[str]":
    """One file, or the files of a list."""
    found = [_path(p) for p in source] if isinstance(source, (list, tuple)) else [_path(source)]
    if not found:
        raise ValueError("missing input file: the list is empty")
    return found


def _is_small(path: str) -> bool:
    """Whether reading the file is quick. A pipe is not: it may be silent."""
    try:
        found = os.stat(path)
    except OSError:
        return not os.path.exists(path) and ":" not in path
    import stat

    return stat.S_ISREG(found.st_mode) and found.st_size < SMALL_NBYTES


def nbytes(size: "int | str | None") -> int:
    """A size as the tools take it: a number of bytes, "4G", "500M"."""
    if size is None:
        return 0
    if isinstance(size, int):
        if size <= 0:
            raise ValueError("a memory limit of %d bytes: it must be positive" % size)
        return size
    units = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
    text = size.strip().upper().removesuffix("B").removesuffix("I")
    unit = text[-1:] if text[-1:] in units and text[-1:] else ""
    try:
        made = int(float(text[: len(text) - len(unit)]) * units[unit])
    except ValueError:
        made = 0
    if made <= 0:
        raise ValueError("%r is not a size: write a number of bytes, or 500M, 4G" % (size,))
    return made


def _set_codec_options(to: Any, options: "Mapping[str, Any] | None") -> None:
    """Options of single kinds of files: {"separator": "tab", "relabel": True}."""
    texts = []
    for name, value in (options or {}).items():
        if value is not None and value is not False:
            text = name.replace("_", "-") + ("" if value is True else "=%s" % (value,))
            texts.append(_lib.encode(text))
    if texts:
        to.kept = (ctypes.c_char_p * (len(texts) + 1))(*texts, None)
        to.codec_options = ctypes.addressof(to.kept)


def _read_options(*given: Any) -> "tuple[Any, Any]":
    """The options of `read` from format to options, in that order, as the library takes them; and the array of dims to keep."""
    format, codec, dtype, duplicates, index_width, memory, transform, keep_symmetry, dims, index_base, no_values, columns, select, more = given
    options = _lib.struct("read_options")
    options.format = format_text(format)
    options.codec = _lib.encode(codec)
    options.duplicates = choice(_DUPLICATES, duplicates, "treatment of duplicates")
    options.index_width = choice(_WIDTHS, index_width, "index width")
    options.max_nbytes = nbytes(memory)
    options.transform = _lib.encode(transform)
    if dtype is not None:
        options.has_type, options.type = 1, _types.type_number(dtype)
    options.keep_symmetry = int(keep_symmetry)
    sizes = None
    if dims is not None:
        sizes = _lib.dims_array(dims)
        options.norder, options.dims = len(dims), ctypes.addressof(sizes)
    options.index_base = choice({None: 0, 1: 1, 0: -1}, index_base, "index_base (0 or 1)")
    options.no_values = int(no_values)
    options.columns = _lib.encode(columns)
    options.select = _lib.encode(select)
    _set_codec_options(options, more)
    return options, sizes


def read(
    path: Any,
    name: "str | None" = None,
    *,
    format: Any = None,
    codec: "str | None" = None,
    dtype: Any = None,
    duplicates: str = "sum",
    index_width: Any = None,
    memory: "int | str | None" = None,
    transform: "str | None" = None,
    keep_symmetry: bool = False,
    dims: Any = None,
    index_base: "int | None" = None,
    no_values: bool = False,
    columns: "str | None" = None,
    select: "str | None" = None,
    labels: bool = True,
    options: "Mapping[str, Any] | None" = None,
    retries: int = 0,
    nthreads: "int | None" = None,
    progress: Any = None,
    comm: Any = None,
    share: str = "rows",
) -> Tensor:
    """Read a tensor from a file of any kind that docs/files.md lists; its content determines the kind.

    Parameters
    ----------
    path : str, PathLike, binary file, mapping or bytes
        The file, also gzipped; "file.h5:group" is one tensor of a file. A binary file object, anything with `read`, is read from its
        position on: texts as they come, other kinds of files through a temporary file; of HDF5 and ZIP archives (.npz, .zarr.zip) only what is read where
        the object can seek, as those of fsspec for files of a network. bytes, bytearray and memoryview are the
        contents of a file. A mapping from names to bytes is a Zarr folder, such as that of fsspec.get_mapper(url): only files that are
        read are asked for.
    name : str, optional
        The tensor in a file of several: a group of an HDF5 file, "layers/counts" of an .h5ad file.
    format : str or Format
        The storage format of the result; else that of the file, or coo.
    codec : str
        The kind of file ("mtx"), where the content does not say it.
    dtype : dtype or str
        The value type of the result; FormatError where a value does not fit.
    duplicates : "sum", "first", "last", "keep" or "error"
        The treatment of entries at the same coordinates.
    index_width : "auto", "narrow", "interop", "same", 8, 16, 32, 64
        Bits of the indices; "same" is SciPy's rule.
    memory : int or str
        The largest size of the tensor, in bytes or as "4G"; LimitError where it is larger.
    transform : str
        Steps on the way: "slice=:,0:100; transpose=1,0".
    keep_symmetry : bool
        Keep the stored triangle of a symmetric matrix.
    dims, index_base, no_values, columns
        As the options of tconv.
    select : str
        Only this part: a list of coordinates for each mode, "100:200,5000; :; 3,1". `open` makes it of an index.
    labels : bool
        False: leave out the names of indices, which take time of their own.
    options : dict
        Options of this kind of file, those of `tconv --help`: {"separator": "tab", "relabel": "joint"}; True is an option without
        a value.
    retries : int
        How often, in all, a mapping or a file object that is read from any place is asked again where it raises an error, after
        pauses of 0.1 to 2 seconds.
    nthreads : int, optional
        Threads of this call; None: OMP_NUM_THREADS or, where that is not set, all processors.
    progress : True or callable(phase, done, total)
        True shows a bar.
    comm : mpi4py.MPI.Comm
        The ranks of this communicator share the entries, by rows or by a grid (`share`): the result is a tessera.mpi.Distributed.
    """
    if comm is not None:
        from .mpi import read as read_share

        return read_share(  # type: ignore[return-value]
            path, name, comm=comm, share=share, format=format, nthreads=nthreads, codec=codec, dtype=dtype, duplicates=duplicates,
            index_width=index_width, memory=memory, transform=transform, keep_symmetry=keep_symmetry, dims=dims,
            index_base=index_base, no_values=no_values, columns=columns, select=select, options=options,
        )  # fmt: skip
    how, sizes = _read_options(
        format, codec, dtype, duplicates, index_width, memory, transform, keep_symmetry, dims, index_base, no_values, columns, select, options
    )
    how.no_labels = int(not labels)
    if is_unopened(path):
        with path as file:
            return _read_object(file, path.path, name, retries, how, sizes, nthreads, progress)
    if is_object(path):
        return _read_object(path, _name(path), name, retries, how, sizes, nthreads, progress)
    text = _path(path)
    return _read_path(text + (":" + name if name else ""), how, sizes, nthreads, progress, _is_small(text))


def _read_path(text: str, options: Any, sizes: Any, nthreads: Any, progress: Any, small: bool) -> Tensor:
    made = Handle(C.tensor_free)
    _lib.call_long(
        C.read, ctypes.byref(made.ptr), _lib.encode(text), ctypes.byref(options),
        keep=(made, options, sizes), nthreads=nthreads, progress=progress, inline=small,
    )  # fmt: skip
    return Tensor._of(made)


def is_object(path: Any) -> bool:
    """Whether `read` takes it as bytes, a file object or a store, not as a path."""
    return isinstance(path, (bytes, bytearray, memoryview, Mapping)) or (hasattr(path, "read") and not isinstance(path, os.PathLike))


def is_unopened(path: Any) -> bool:
    """Whether it is what fsspec.open makes: a file that is opened by `with`."""
    return hasattr(path, "fs") and hasattr(path, "__enter__") and not hasattr(path, "read") and not hasattr(path, "write")


class _Retries:
    """Does what may fail, and does it again, with pauses that rise, until it has failed `left` times more."""

    def __init__(self, left: int) -> None:
        self.left, self.pause = left, 0.1

    def __call__(self, act: "Callable[[], Any]") -> Any:
        while True:
            try:
                return act()
            except (KeyError, TypeError, ValueError):
                raise
            except Exception:
                if self.left <= 0:
                    raise
            self.left -= 1
            time.sleep(self.pause)
            self.pause = min(2 * self.pause, 2.0)


_READ = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_size_t)
_GET = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_size_t)
_WRITE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)


def _name(file: Any) -> "str | None":
    """What the object says about its path: its suffix counts."""
    for name in (getattr(file, "name", None), getattr(file, "path", None), getattr(file, "root", None)):
        if isinstance(name, (str, bytes, os.PathLike)) and os.fspath(name):
            return os.fsdecode(name)
    return None


def _memory(address: int, n: int) -> memoryview:
    return memoryview((ctypes.c_char * n).from_address(address)).cast("B")


def _read_into(file: Any, address: int, room: int) -> int:
    """Read at most `room` bytes to the address."""
    if hasattr(file, "readinto"):
        return file.readinto(_memory(address, room)) or 0
    data = file.read(room)
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError("the file object gives %s, not bytes: open it in binary mode" % type(data).__name__)
    if len(data) > room:
        raise ValueError("the file object gives %d bytes where %d were asked for" % (len(data), room))
    ctypes.memmove(address, bytes(data), len(data))
    return len(data)


def _call_stream(function: Any, *arguments: Any, raised: "list[BaseException]", **how: Any) -> None:
    """A long call that calls functions of Python, which put what they raise in `raised`."""
    try:
        _lib.call_long(function, *arguments, **how)
    except Exception:
        if raised:
            raise raised[0]
        raise


def _has_any_place(file: Any) -> int:
    """The size of a file object that reads HDF5, or a ZIP archive, from any place; else 0. What is compressed is slow there."""
    if any(kind.__module__ in ("gzip", "bz2", "lzma", "zipfile") for kind in type(file).__mro__):
        return 0
    try:
        if not file.seekable() or file.tell() != 0:
            return 0
        head = file.read(520)
        if b"\x89HDF\r\n\x1a\n" not in (head[:8], head[512:]) and head[:4] != b"PK\3\4":
            file.seek(0)
            return 0
        size = file.seek(0, io.SEEK_END)
        file.seek(0)
        return int(size)
    except (AttributeError, TypeError, io.UnsupportedOperation):
        return 0


def _get_of(store: "Mapping[Any, Any]", again: _Retries, raised: "list[BaseException]") -> Any:
    """The function by which the library gets the files of a store, one after the other."""
    last: "dict[str, Any]" = {}

    def get(_: Any, member: bytes, offset: int, out: int, room: int) -> int:
        try:
            name = member.decode()
            if offset == 0:
                last.clear()
                try:
                    last[name] = memoryview(again(lambda: store[name])).cast("B")
                except KeyError:
                    return -2
            part = last[name][offset : offset + room]
            ctypes.memmove(out, bytes(part), len(part))
            return len(part)
        except BaseException as error:
            raised.append(error)
            return -1

    return _GET(get)


def _read_of(file: Any, source: Any, again: _Retries, raised: "list[BaseException]") -> Any:
    """The function by which the library reads a file object."""

    def read_there(offset: int, out: int, room: int) -> int:
        file.seek(offset)
        return _read_into(file, out, room)

    def read(_: Any, offset: int, out: int, room: int) -> int:
        try:
            return again(lambda: read_there(offset, out, room)) if source.random else _read_into(file, out, room)  # type: ignore[no-any-return]
        except BaseException as error:
            raised.append(error)
            return -1

    return _READ(read)


def _source(
    file: Any, path: "str | None", name: "str | None", retries: int, raised: "list[BaseException]"
) -> "tuple[Any, Any]":
    """Bytes, a file object or a store as the library takes them; and what to keep meanwhile."""
    source = _lib.struct("source", name=_lib.encode(path), object=_lib.encode(name))
    keep: Any
    if isinstance(file, (bytes, bytearray, memoryview)):
        keep = np.frombuffer(file, np.uint8)
        source.data, source.nbytes = keep.ctypes.data or 1, keep.nbytes
    elif isinstance(file, Mapping):
        keep = _get_of(file, _Retries(retries), raised)
        source.get = ctypes.cast(keep, ctypes.c_void_p)
    else:
        again = _Retries(retries)
        source.nbytes = again(lambda: _has_any_place(file))
        source.random = int(source.nbytes > 0)
        keep = _read_of(file, source, again, raised)
        source.read = ctypes.cast(keep, ctypes.c_void_p)
    return source, keep


def _read_object(
    file: Any,
    path: "str | None",
    name: "str | None",
    retries: int,
    options: Any,
    sizes: Any,
    nthreads: Any,
    progress: Any,
) -> Tensor:
    raised: "list[BaseException]" = []
    end = None
    if isinstance(file, io.BytesIO):
        whole = file.getbuffer()
        file, end, at = whole[file.tell() :], file, len(whole)
    source, keep = _source(file, path, name, retries, raised)
    made = Handle(C.tensor_free)
    _call_stream(
        C.read_source, ctypes.byref(made.ptr), ctypes.byref(source), ctypes.byref(options),
        raised=raised, keep=(made, source, keep, options, sizes), nthreads=nthreads, progress=progress,
        inline=end is not None and source.nbytes < SMALL_NBYTES,
    )  # fmt: skip
    if end is not None:
        end.seek(at)
    return Tensor._of(made)


def _write_options(
    codec: "str | None",
    deflate: "int | None",
    index_base: "int | None",
    header: "str | None",
    comment: "str | None",
    more: "Mapping[str, Any] | None",
) -> Any:
    options = _lib.struct("write_options")
    options.codec = _lib.encode(codec)
    options.deflate = deflate or 0
    options.index_base = choice({None: 0, 1: 1, 0: -1}, index_base, "index_base (0 or 1)")
    options.header = _lib.encode(header)
    options.comment = _lib.encode(comment)
    _set_codec_options(options, more)
    return options


def write(
    path: Any,
    tensor: Any,
    *,
    format: Any = None,
    codec: "str | None" = None,
    deflate: "int | None" = None,
    index_base: "int | None" = None,
    header: "str | None" = None,
    comment: "str | None" = None,
    options: "Mapping[str, Any] | None" = None,
    nthreads: "int | None" = None,
    progress: Any = None,
) -> None:
    """Write a tensor (a Tensor, a SciPy array, a NumPy array...) to a file, whose kind the suffix or `codec` determines.

    The file gets its name when it is complete; after a failure the old file is unchanged. `format` converts before; a kind of
    file that stores other formats gets the tensor converted. `deflate`: 1 to 9. `options` are those of
    this kind of file: {"mat-version": "7.3"}. `path` may be a binary file object, anything with `write`: its name, or `codec`, determines
    the kind; a text goes out as it is written, so that a part of it may have gone when an error is raised. What fsspec.open(url, "wb")
    returns is opened in a transaction of its file system, which discards a file that is not complete. A mapping from names to bytes,
    such as that of fsspec.get_mapper(url), becomes a Zarr folder: it must be empty, and is empty after an error."""
    from ._foreign import as_tensor

    how = _write_options(codec, deflate, index_base, header, comment, options)
    if isinstance(tensor, (str, os.PathLike)) and isinstance(path, Tensor):
        raise TypeError("write(path, tensor): the path comes first")
    given = as_tensor(tensor)
    if format is not None:
        given = given.convert(format, nthreads=nthreads)
    if is_unopened(path):
        with path.fs.transaction, path as file:
            _write_object(file, given, path.path, how, nthreads, progress)
    elif isinstance(path, MutableMapping):
        _write_store(path, given, how, nthreads, progress)
    elif hasattr(path, "write") and not isinstance(path, (str, os.PathLike)):
        if not codec and not _name(path):
            raise ValueError("missing codec: a file object has no suffix")
        _write_object(path, given, _name(path), how, nthreads, progress)
    else:
        _write_path(_path(path), given, how, nthreads, progress)


def _write_store(store: "MutableMapping[str, Any]", tensor: Tensor, options: Any, nthreads: Any, progress: Any) -> None:
    """Put the files of a Zarr folder into the store, those that are outermost at the end: until then the store is not one."""
    if next(iter(store), None) is not None:
        raise ValueError("the store has files: write to an empty one")
    done: "list[str]" = []
    with tempfile.TemporaryDirectory() as folder:
        root = os.path.join(folder, "store.zarr")
        _write_path(root, tensor, options, nthreads, progress)
        if not os.path.isdir(root):
            raise ValueError("a store takes the files of a Zarr folder: leave codec out")
        names = [os.path.relpath(os.path.join(at, name), root).replace(os.sep, "/") for at, _, files in os.walk(root) for name in files]
        try:
            for name in sorted(names, key=lambda name: (-name.count("/"), name)):
                done.append(name)
                with io.open(os.path.join(root, name), "rb") as file:
                    store[name] = file.read()
        except BaseException:
            for name in done:
                with contextlib.suppress(Exception):
                    del store[name]
            raise


def _write_object(file: Any, tensor: Tensor, path: "str | None", options: Any, nthreads: Any, progress: Any) -> None:
    raised: "list[BaseException]" = []

    def write(_: Any, data: int, n: int) -> int:
        try:
            rest = _memory(data, n).toreadonly()
            while rest:
                taken = file.write(bytes(rest))
                if not taken and taken is not None:
                    raise OSError("the file object takes no more bytes")
                rest = rest[len(rest) if taken is None else taken :]
            return 0
        except BaseException as error:
            raised.append(error)
            return -1

    function = _WRITE(write)
    sink = _lib.struct("sink", name=_lib.encode(path))
    sink.write = ctypes.cast(function, ctypes.c_void_p)
    _call_stream(
        C.write_sink, ctypes.byref(sink), tensor._ready(), ctypes.byref(options),
        raised=raised, keep=(sink, function, tensor, options), nthreads=nthreads, progress=progress,
    )  # fmt: skip


def _write_path(path: str, tensor: Tensor, options: Any, nthreads: Any, progress: Any) -> None:
    _lib.call_long(
        C.write, _lib.encode(path), tensor._ready(), ctypes.byref(options),
        keep=(tensor, options), nthreads=nthreads, progress=progress, inline=tensor.nbytes < SMALL_NBYTES,
    )  # fmt: skip


def convert(
    obj: Any,
    format: Any = None,
    *,
    dtype: Any = None,
    transform: "str | None" = None,
    duplicates: str = "sum",
    index_width: Any = None,
    nthreads: "int | None" = None,
    progress: Any = None,
) -> Tensor:
    """Convert a tensor, or an object of another library, to a storage format.

    Parameters
    ----------
    obj : Tensor, NumPy array, SciPy sparse array, tensor of the package sparse, AnnData, object with __binsparse__
    format : str or Format
        "csr", "bcsr(4,4)", "dss:2,0,1", "(i, j) -> (...)": see docs/formats.md. None: the format of obj.
    dtype : dtype or str
        The value type of the result; FormatError where a value does not fit.
    transform : str
        Steps on the way: "slice=:,0:100; transpose=1,0; reduce=sum:0".
    duplicates, index_width, nthreads, progress
        As for `read`.
    """
    from ._foreign import as_tensor

    given = as_tensor(obj, format=format)
    return given.convert(
        format, dtype=dtype, transform=transform, duplicates=duplicates, index_width=index_width, nthreads=nthreads,
        progress=progress,
    )  # fmt: skip


def convert_file(
    source: Any,
    target: Any,
    *,
    format: Any = None,
    codec: "str | None" = None,
    to: "str | None" = None,
    dtype: Any = None,
    duplicates: str = "sum",
    index_width: Any = None,
    memory: "int | str | None" = None,
    transform: "str | None" = None,
    keep_symmetry: bool = False,
    dims: Any = None,
    index_base: "int | None" = None,
    no_values: bool = False,
    columns: "str | None" = None,
    select: "str | None" = None,
    options: "Mapping[str, Any] | None" = None,
    deflate: "int | None" = None,
    header: "str | None" = None,
    to_options: "Mapping[str, Any] | None" = None,
    temp: Any = None,
    resume: bool = False,
    shard: "str | tuple[int, int] | None" = None,
    join: bool = False,
    verify: bool = False,
    along: "int | None" = None,
    nthreads: "int | None" = None,
    progress: Any = None,
) -> None:
    """Read the file `source` and write the file `target`, as the program tconv does. A list of files are the parts of one tensor, whose
    entries come together; with `along`, tensors that are joined along this mode. `memory` ("300M", at least 64 MiB) is what the call
    may take beside what the process holds: what does not fit goes through temporary files, in the folder `temp` or that of `target`. `codec` and `to` name the kinds of the
    files where content and suffix do not, `options` and `to_options` are those of single kinds of files; the other options are those
    of `read` and `write`.

    `resume=True` keeps the temporary files of a call that is interrupted, and continues with those that are there. `shard=(2, 8)` makes
    part 2 of 8 (0 to 7; "auto": the tasks of a job of Slurm) in the folder for temporary files, which all processes share, and
    `join=True` makes `target` of the parts. `verify=True` reads `target` back and compares: FormatError where they differ."""
    how, sizes = _read_options(
        format, codec, dtype, duplicates, index_width, memory, transform, keep_symmetry, dims, index_base, no_values, columns, select, options
    )
    how.max_nbytes, how.memory_nbytes, how.temp = 0, nbytes(memory), None if temp is None else _lib.encode(_path(temp))
    how.resume, how.join, how.verify = int(resume), int(join), int(verify)
    how.shard = _lib.encode(shard if shard is None or isinstance(shard, str) else "%d/%d" % tuple(shard))
    written = _write_options(to, deflate, None, header, None, to_options)
    first, *more = paths(source)
    others = (ctypes.c_char_p * (len(more) + 1))(*map(_lib.encode, more), None)
    how.more, how.along = ctypes.addressof(others) if more else None, 0 if along is None else along + 1
    if along is not None and (along < 0 or not more):
        raise ValueError("along=%d joins several files along a mode, numbered from 0" % along)
    _lib.call_long(
        C.convert_file, _lib.encode(_path(target)), _lib.encode(first), ctypes.byref(how), ctypes.byref(written),
        keep=(how, sizes, written, others), nthreads=nthreads, progress=progress, inline=not more and _is_small(first),
    )  # fmt: skip


def block_options(
    memory: "int | str | None" = None,
    *,
    codec: "str | None" = None,
    dtype: Any = None,
    dims: Any = None,
    index_base: "int | None" = None,
    no_values: bool = False,
    columns: "str | None" = None,
    options: "Mapping[str, Any] | None" = None,
) -> "tuple[Any, Any]":
    """The options of a file that a kernel reads block by block, and what they point to: those of `read` that do not change the tensor."""
    how, sizes = _read_options(
        None, codec, dtype, "sum", None, None, None, False, dims, index_base, no_values, columns, None, options
    )  # fmt: skip
    how.memory_nbytes = nbytes(memory)
    return how, sizes


class Info(dict):  # type: ignore[type-arg]
    """Facts as a dict, which prints as a table."""

    def __str__(self) -> str:
        return "\n".join(_lines(self))

    def __repr__(self) -> str:
        return str(self)


def _lines(info: "dict[str, Any]", indent: str = "") -> "list[str]":
    lines = []
    simple = {k: v for k, v in info.items() if not isinstance(v, (dict, list)) or _is_flat(v)}
    width = max((len(k) for k in simple), default=0)
    for key, value in simple.items():
        if value is not None:
            text = " ".join(map(str, value)) if isinstance(value, list) else str(value)
            lines.append("%s%-*s  %s" % (indent, width, key, text))
    for key, value in info.items():
        if isinstance(value, dict) and value:
            lines += [indent + key, *_lines(value, indent + "  ")]
        elif isinstance(value, list) and not _is_flat(value):
            lines += [indent + key, *_rows(value, indent + "  ")]
    return lines


def _is_flat(value: Any) -> bool:
    return isinstance(value, list) and not any(isinstance(v, (dict, list)) for v in value)


def _rows(rows: "list[Any]", indent: str) -> "list[str]":
    if not all(isinstance(row, dict) for row in rows):
        return [indent + str(row) for row in rows]
    keys = list(dict.fromkeys(key for row in rows for key in row))
    cells = [keys] + [[_cell(row.get(key)) for key in keys] for row in rows]
    widths = [max(len(line[i]) for line in cells) for i in range(len(keys))]
    return [indent + "  ".join("%-*s" % pair for pair in zip(widths, line)).rstrip() for line in cells]


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return "%.6g" % value
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def info(
    obj: Any,
    *,
    brief: bool = False,
    fibers: bool = False,
    sizes: bool = False,
    exact: bool = False,
    codec: "str | None" = None,
    nthreads: "int | None" = None,
) -> Info:
    """Facts about a file (also a file object or a mapping, as in `read`) or a tensor, those of tinfo --json, as a dict that prints as a table.

    brief: the headers of a file only, at once for a file of any size. fibers: entries of slices and fibers. sizes: the memory that
    other formats would take. exact: exact counts, by sorting where needed."""
    options = _lib.struct("info_options", brief=int(brief), fibers=int(fibers), sizes=int(sizes), exact=int(exact))
    options.codec = _lib.encode(codec)
    text = ctypes.c_void_p()
    function: Any
    subject: Any
    keep: Any
    raised: "list[BaseException]" = []
    if isinstance(obj, (str, bytes, os.PathLike)):
        path = _path(obj)
        function, subject, keep, small = C.info, _lib.encode(path), None, brief or _is_small(path)
    elif is_object(obj):
        source, keep = _source(obj, _name(obj), None, 0, raised)
        function, subject, keep, small = C.info_source, ctypes.byref(source), (source, keep), False
    else:
        from ._foreign import as_tensor

        tensor = as_tensor(obj)
        function, subject, keep, small = C.tensor_info, tensor._ready(), tensor, tensor.nbytes < SMALL_NBYTES
    try:
        _call_stream(
            function, ctypes.byref(text), subject, ctypes.byref(options),
            raised=raised, keep=(keep, options, text), nthreads=nthreads, inline=small,
        )  # fmt: skip
        return Info(facts(_lib.decode(ctypes.string_at(text.value or b""))))
    finally:
        C.text_free(text)


def _list(what: str) -> "list[dict[str, Any]]":
    return facts(_lib.take_text(C.list, _lib.encode(what)))  # type: ignore[no-any-return]


def formats() -> "list[dict[str, Any]]":
    """The named storage formats: a list of dicts with name, usage and summary."""
    return _list("formats")


def codecs() -> "list[dict[str, Any]]":
    """The kinds of files: a list of dicts with name, summary, suffixes, reads, writes."""
    return _list("codecs")


def kernels() -> "list[dict[str, Any]]":
    """The kernels that are built in: a list of dicts with name, summary, expression."""
    return _list("kernels")
