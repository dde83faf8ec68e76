"""What a conversion by Dask will read, move and write, before it runs; and beside it what was counted: see tessera.dask.plan."""
from __future__ import annotations

import math
import os
import re
from typing import Any

import numpy as np

from . import _io
from ._errors import TesseraError
from ._file import described
from ._format import Format

_STEP = 1 << 16  # bytes of one sample of a text
_SAMPLES = 64
_SAMPLED = 64 << 18  # what each task that starts at first reads to find cuts: 64 places of 256 kB, at most the whole
_HEAD = 1 << 20  # what each task reads to tell the kind of file
NAMES = ("read", "moved", "arrays", "written")


class Plan(dict):  # type: ignore[type-arg]
    """Bytes by name, which print as a table; `counted` is empty until the conversion has run."""

    counted: "dict[str, int]" = {}

    def __str__(self) -> str:
        lines = ["%-10s%16s%16s" % ("bytes", "planned", "counted" if self.counted else "")]
        for name in NAMES:
            planned, found = self[name], self.counted.get(name)
            shown = "not known" if planned is None else "{:,}".format(planned)
            lines.append(("%-10s%16s%16s" % (name, shown, "" if found is None else "{:,}".format(found))).rstrip())
        memory = "not limited" if self["memory"] is None else "{:,}".format(self["memory"])
        return "\n".join([*lines, "%-10s%16s  for each of %d tasks and the last one" % ("memory", memory, self["tasks"])])

    __repr__ = __str__


def counters() -> "tuple[int, int]":
    """The bytes that this process has read and written so far; (0, 0) where the system does not tell."""
    try:
        with open("/proc/self/io", encoding="ascii") as file:
            found = dict(line.split(": ") for line in file.read().splitlines())
        return int(found["rchar"]), int(found["wchar"])
    except (OSError, KeyError, ValueError):
        return 0, 0


def _sample(path: str, nbytes: int) -> "tuple[bytes, float]":
    """Whole lines from places all over a text; and the number of lines of the text, estimated by these."""
    parts = []
    with open(path, "rb") as file:
        for k in range(_SAMPLES if nbytes > _SAMPLES * _STEP else 1):
            at = (nbytes - _STEP) * k // (_SAMPLES - 1) if nbytes > _SAMPLES * _STEP else 0
            file.seek(at)
            part = file.read(_STEP if nbytes > _SAMPLES * _STEP else nbytes)
            parts.append(part[part.find(b"\n") + 1 if at else 0 : part.rfind(b"\n") + 1])
    text = b"".join(part for part in parts)
    lines = [line for line in text.splitlines(True) if line[:1] not in (b"%", b"#") and line.strip()]
    text = b"".join(lines)
    return text, nbytes * len(lines) / max(1, len(text))


def _entries(path: str, found: "dict[str, Any]", codec: str, tasks: int, first: int, options: "dict[str, Any]") -> "dict[str, Any]":
    """The number of entries, their dims, the bytes that are read, and those of the values in the file and while they move."""
    if found["arrays"]:
        return _packed(path, found, options)
    nbytes = os.path.getsize(path)
    if codec not in ("tns", "mtx"):
        raise ValueError("a plan is made for texts of coordinates, .tns and .mtx, and for files of arrays, not for %s: it is read by one task" % codec)
    text, lines = _sample(path, nbytes)
    if codec == "mtx":  # its lines, but the one of sizes, are those of a .tns
        if found["structure"] != "general":
            raise ValueError("a plan is not made for one triangle of a matrix: how many entries are on its diagonal is not known")
        text, lines = text.split(b"\n", 1)[1], float(found["stored"])
    taken = {k: v for k, v in options.items() if k in ("dtype", "index_base", "no_values")}
    some = _io.read(text, codec="tns", format="coo", duplicates="last", **taken)
    dims = found["dims"] or [int(math.ceil(n * (1 + 1 / max(1, some.nnz)))) for n in some.shape]
    read = nbytes + min(_HEAD, nbytes) * tasks + min(_SAMPLED, nbytes) * first
    return {"n": lines, "dims": [int(d) for d in dims], "read": read, **_values(np.asarray(some.values))}


def _values(some: "np.ndarray[Any, Any]") -> "dict[str, Any]":
    """The bytes of a value, in arrays and while it moves."""
    size = some.dtype.itemsize
    if some.dtype.kind == "f" and size == 8:
        with np.errstate(all="ignore"):
            moved = 4 if np.array_equal(some.astype("f4").astype("f8"), some) else 8
    elif some.dtype.kind in "iu":
        moved = next(w for w in (1, 2, 4, 8) if not some.size or -(1 << (8 * w - 1)) <= int(some.min()) and int(some.max()) < 1 << (8 * w - 1))
    else:
        moved = size
    return {"value": size, "moved_value": min(moved, size)}


def _packed(path: str, found: "dict[str, Any]", options: "dict[str, Any]") -> "dict[str, Any]":
    """The same of a file of arrays, whose headers have the numbers; what tasks read to find and check their parts is not known."""
    if found["structure"] != "general":
        raise ValueError("a plan is not made for one triangle of a matrix: how many entries are on its diagonal is not known")
    rows, n = int(found["dims"][0]), int(found["stored"])
    step = max(1, rows * 4096 // max(1, n))
    taken = {k: v for k, v in options.items() if k in ("dtype", "codec")}
    some = [_io.read(path, select="%d:%d" % (at, at + step), labels=False, **taken).values for at in range(0, max(1, rows), max(step, rows // 16))]
    return {"n": n, "dims": list(map(int, found["dims"])), "read": None, **_values(np.concatenate(some))}


def _width(n: float) -> int:
    return next(w for w in (1, 2, 4, 8) if n <= 1 << (8 * w))


def _array_nbytes(n: float, dims: "list[int]", value: int, format: Any) -> "int | None":
    """The arrays of the format, as HDF5 files have them, where the indices of entries are independent of each other; None: not levels
    that store single entries."""
    form = Format(format, order=len(dims))
    match = re.fullmatch(r"\((.*?)\) -> \((.*)\)", form.text("long"))
    levels = [level.split(" : ") for level in match.group(2).split(", ")] if match else []
    names = match.group(1).split(", ") if match else []
    if not match or any(name not in names for name, _ in levels):
        return None
    total, positions, cells = 0.0, 1.0, 1.0
    for k, (name, kind) in enumerate(levels):
        dim = dims[names.index(name)]
        cells *= dim
        above = positions
        if kind == "dense":
            positions *= dim
            continue
        if not kind.startswith(("compressed", "singleton")):
            return None
        positions = n if "nonunique" in kind else -cells * math.expm1(n * math.log1p(-1 / cells)) if cells > 1 else 1.0
        total += positions * (4 if dim < 1 << 31 else 8)
        if kind.startswith("compressed") and k > 0:
            total += (above + 1) * (4 if positions < 1 << 31 else 8)
    return int(total + positions * value)


def _join_entries(parts: "list[dict[str, Any]]", along: "int | None") -> "dict[str, Any]":
    """What is known of several files together."""
    if any(len(part["dims"]) != len(parts[0]["dims"]) for part in parts):
        raise ValueError("the files have different numbers of modes")
    dims = [max(sizes) for sizes in zip(*(part["dims"] for part in parts))]
    if along is not None:
        dims[along] = sum(part["dims"][along] for part in parts)
    read = None if any(part["read"] is None for part in parts) else sum(part["read"] for part in parts)
    values = {name: max(part[name] for part in parts) for name in ("value", "moved_value")}
    return {"n": sum(part["n"] for part in parts), "dims": dims, "read": read, **values}


def make(sources: "list[str]", target: str, tasks: int, first: int, memory: "int | str | None", options: "dict[str, Any]") -> Plan:
    """first: tasks that start at once."""
    parts = []
    for source in sources:
        found = described(source, None, options.get("codec"))
        if not found:
            raise ValueError("%s has several tensors" % source)
        codec = _io.info(source, brief=True, codec=options.get("codec"))["codec"]
        parts.append(_entries(source, found, codec, tasks, first, options))
    entries = _join_entries(parts, options.get("along"))
    n, dims = entries["n"], entries["dims"]
    record = sum(_width(d) for d in dims) + entries["moved_value"]
    try:
        arrays = _array_nbytes(n, dims, entries["value"], options.get("format") or "coo")
    except TesseraError:
        arrays = None
    hdf5 = target.endswith((".h5", ".hdf5"))
    return Plan(
        tasks=tasks, entries=int(n), read=entries["read"], moved=int(n * record), arrays=arrays,
        written=arrays if hdf5 and not options.get("deflate") else None, memory=_io.nbytes(memory) or None,
    )  # fmt: skip
