"""MPI: tensors whose entries are shared by the ranks of a run (mpirun). Needs the package mpi4py; matrices of PETSc need petsc4py.

>>> from mpi4py import MPI                                    # doctest: +SKIP
>>> A = tessera.read("in.mtx", comm=MPI.COMM_WORLD)           # doctest: +SKIP
>>> y = A @ x                                                 # doctest: +SKIP

docs/clusters.md is the guide. All ranks call each function here in the same sequence; an error of one rank is raised by all."""
from __future__ import annotations

import ctypes
import functools
import os
import pickle
import traceback
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from mpi4py import MPI

from . import _io, _lib
from ._errors import UnsupportedError
from ._foreign import from_arrays, from_coords
from ._kernel import _PRODUCTS, _cached, mttkrp
from ._lib import C, Handle
from ._tensor import Tensor

__all__ = ["Distributed", "from_petsc", "read"]

_ROUND_NBYTES = 1 << 30  # of all messages of a rank: MPI counts in int


# ---- messages ----


def together(comm: Any, work: "Callable[[], Any]") -> Any:
    """What work() returns; where it raises on some ranks, the error of the lowest of these on all."""
    made, error = None, None
    try:
        made = work()
    except Exception as raised:
        try:
            error = pickle.loads(pickle.dumps(raised)) and raised
        except Exception:
            error = RuntimeError("%s: %s" % (type(raised).__name__, raised))
    if comm.allreduce(error is not None, op=MPI.LOR):
        raise next(e for e in comm.allgather(error) if e is not None)
    return made


def _memory(address: "int | None", n: int, kind: Any = np.uint8, keep: Any = None) -> Any:
    """The n elements at an address as an array, which may be written to and keeps `keep`."""
    if not n:
        return np.empty(0, kind)
    memory: Any = (ctypes.c_ubyte * (n * np.dtype(kind).itemsize)).from_address(address or 0)
    memory.keep = keep
    return np.frombuffer(memory, kind)


def _exchange(comm: Any, out: "list[Any]", room: "list[Any]") -> None:
    """Send the bytes out[r] to each rank r, and receive those of room[r]."""
    most = min(_ROUND_NBYTES // comm.size, int(os.environ.get("TESSERA_MPI_ROUND") or _ROUND_NBYTES))
    longest = comm.allreduce(max(len(b) for b in out), op=MPI.MAX)
    for first in range(0, longest, most):
        sent = [b[first : first + most] for b in out]
        parts = [b[first : first + most] for b in room]
        got = np.empty(sum(map(len, parts)), np.uint8)
        comm.Alltoallv([np.concatenate(sent), [len(b) for b in sent]], [got, [len(b) for b in parts]])
        at = 0
        for part in parts:
            part[:] = got[at : at + len(part)]
            at += len(part)


def _functions(comm: Any) -> "tuple[Any, ...]":
    """The struct tessera_ranks of the communicator, and what it borrows."""

    def guarded(work: "Callable[..., None]") -> Any:
        def call(_: Any, *arguments: Any) -> int:
            try:
                work(*arguments)
            except BaseException:  # the others are inside a collective call, and would wait for ever
                traceback.print_exc()
                comm.Abort(3)
            return 0

        return call

    def gather(out: int, mine: int, nbytes: int) -> None:
        comm.Allgather(_memory(mine, nbytes), _memory(out, nbytes * comm.size))

    def add(numbers: int, count: int) -> None:
        whole = _memory(numbers, count, np.uint64)
        for first in range(0, count, _ROUND_NBYTES):
            comm.Allreduce(MPI.IN_PLACE, whole[first : first + _ROUND_NBYTES], op=MPI.SUM)

    def exchange(recv: Any, recv_nbytes: Any, send: Any, send_nbytes: Any) -> None:
        ranks = range(comm.size)
        _exchange(comm, [_memory(send[r], send_nbytes[r]) for r in ranks], [_memory(recv[r], recv_nbytes[r]) for r in ranks])

    address, size, words = ctypes.c_void_p, ctypes.c_size_t, ctypes.POINTER(ctypes.c_uint64)
    pointers = ctypes.POINTER(ctypes.c_void_p)
    kept = (
        ctypes.CFUNCTYPE(ctypes.c_int, address, address, address, size)(guarded(gather)),
        ctypes.CFUNCTYPE(ctypes.c_int, address, address, size)(guarded(add)),
        ctypes.CFUNCTYPE(ctypes.c_int, address, pointers, words, pointers, words)(guarded(exchange)),
    )
    ranks = _lib.struct("ranks", rank=comm.rank, n=comm.size)
    ranks.gather, ranks.sum, ranks.exchange = (ctypes.cast(f, ctypes.c_void_p) for f in kept)
    return ranks, kept


class _Rows:
    """The rows of one mode that the entries of this rank use, and the ranks that have them. home: rank r has home[r]... before home[r + 1]."""

    def __init__(self, comm: Any, used: "np.ndarray[Any, Any]", home: "np.ndarray[Any, Any]") -> None:
        self.comm, self.n = comm, int(home[comm.rank + 1] - home[comm.rank])
        self.need = np.diff(np.searchsorted(used, home)).tolist()
        self.give = comm.alltoall(self.need)
        asked = np.empty(sum(self.give), np.int64)
        comm.Alltoallv([np.ascontiguousarray(used, np.int64), self.need], [asked, self.give])
        self.asked = asked - home[comm.rank]

    def _move(self, rows: Any, sent: Any, got: Any) -> "np.ndarray[Any, Any]":
        made = np.empty((sum(got), rows.shape[1]))
        row = MPI.DOUBLE.Create_contiguous(rows.shape[1]).Commit()
        try:
            self.comm.Alltoallv([np.ascontiguousarray(rows), sent, None, row], [made, got, None, row])
        finally:
            row.Free()
        return made

    def fetch(self, share: "np.ndarray[Any, Any]") -> "np.ndarray[Any, Any]":
        """The used rows, of the shares of all ranks."""
        return self._move(share[self.asked], self.give, self.need)

    def add(self, part: "np.ndarray[Any, Any]") -> "np.ndarray[Any, Any]":
        """The rows of this rank's share: the sums of the parts of all ranks, that of rank 0 first."""
        made, at = np.zeros((self.n, part.shape[1])), 0
        got = self._move(part, self.need, self.give)
        for n in self.give:
            made[self.asked[at : at + n]] += got[at : at + n]
            at += n
        return made


# ---- tensors ----


class _Part:
    """Entries of this rank. local: a tensor that counts, in each mode, the share of the rank (used[m] is None) or the indices used[m]."""

    def __init__(self, local: Tensor, used: "list[Any]", keep: Any = None) -> None:
        self.local, self.used, self.keep = local, used, keep
        self.rows: "list[_Rows | None]" = [None] * len(used)


def _equal(dim: int, n: int) -> "np.ndarray[Any, Any]":
    """The cuts of n shares whose sizes differ by at most one, the larger ones first, as those of PETSc."""
    sizes = np.full(n, dim // n, np.int64)
    sizes[: dim % n] += 1
    return np.cumsum([0, *sizes])


def _renumber(crd: Any, dim: int) -> "tuple[Any, Any]":
    """The indices that occur, rising, and the place of each coordinate among them."""
    place = np.zeros(dim, np.int64)
    place[crd] = 1
    used = np.flatnonzero(place)
    place[used] = np.arange(used.size)
    return used, place[crd]


class Distributed:
    """A tensor whose entries are shared by the ranks of a communicator, values as float64: see `read` and `from_petsc`.

    comm, shape, nnz, by_rows. nnz is that of all ranks. Dense operands and results are shared by their first mode: this rank has the
    rows `range(mode)`. Where all ranks give an operand with all rows, they need not be shared before."""

    def __init__(self, comm: Any, ranges: "list[Any]", parts: "list[_Part]", by_rows: bool, nthreads: "int | None" = None) -> None:
        self.comm, self._ranges, self._parts, self.by_rows = comm, ranges, parts, by_rows
        self.shape: "tuple[int, ...]" = tuple(int(cuts[-1]) for cuts in ranges)
        self.nnz: int = comm.allreduce(sum(p.local.nnz for p in parts))
        on_node = comm.Split_type(MPI.COMM_TYPE_SHARED)
        self._nthreads = nthreads or max(1, len(os.sched_getaffinity(0)) // on_node.size)
        on_node.Free()

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def locals(self) -> "tuple[Tensor, ...]":
        """The tensors of this rank's entries: one, or the diagonal and the other block of a matrix of PETSc."""
        return tuple(p.local for p in self._parts)

    def range(self, mode: int = 0) -> "tuple[int, int]":
        """The first row of mode `mode` that this rank has, and the one behind the last."""
        cuts = self._ranges[mode]
        return int(cuts[self.comm.rank]), int(cuts[self.comm.rank + 1])

    def __repr__(self) -> str:
        how = "rows" if self.by_rows else "a grid"
        return "<tessera.mpi.Distributed: %s, nnz=%d, %d ranks by %s>" % (" x ".join(map(str, self.shape)), self.nnz, self.comm.size, how)

    # ---- dense operands ----

    def share(self, whole: Any, mode: int = 0) -> "np.ndarray[Any, Any]":
        """The rows of `whole` that this rank has."""
        first, last = self.range(mode)
        return np.asarray(whole)[first:last]

    def whole(self, share: Any, mode: int = 0) -> "np.ndarray[Any, Any]":
        """All rows, on every rank, of shares."""

        def check() -> "np.ndarray[Any, Any]":
            rows = np.ascontiguousarray(share, np.float64)
            first, last = self.range(mode)
            if rows.ndim not in (1, 2) or rows.shape[0] != last - first:
                raise ValueError("the share of mode %d has %s rows, not %d" % (mode, rows.shape[:1], last - first))
            return rows

        rows = together(self.comm, check)
        made = np.empty((self.shape[mode], *rows.shape[1:]))
        row = MPI.DOUBLE.Create_contiguous(int(np.prod(rows.shape[1:]))).Commit()
        self.comm.Allgatherv([rows, len(rows), row], [made, np.diff(self._ranges[mode]).tolist(), None, row])
        row.Free()
        return made

    def _shares(self, operands: "dict[int, Any]") -> "tuple[dict[int, Any], bool]":
        """The shares of the operands as matrices; whether they are vectors."""

        def check() -> Any:
            given = {m: np.asarray(x, np.float64) for m, x in operands.items()}
            for m, x in given.items():
                if x.ndim not in (1, 2):
                    raise ValueError("the operand of mode %d has %d modes, not 1 or 2" % (m, x.ndim))
            if len({x.shape[1:] for x in given.values()}) > 1:
                raise ValueError("the operands have different numbers of columns: %s" % [x.shape for x in given.values()])
            return given

        given = together(self.comm, check)
        facts = [(m, x.shape, len(x) == self.shape[m], len(x) == np.subtract(*self.range(m)[::-1])) for m, x in given.items()]
        of_ranks = self.comm.allgather(facts)
        for k, (m, x) in enumerate(given.items()):
            if all(of[k][2] for of in of_ranks):
                given[m] = self.share(x, m)
            elif not all(of[k][3] for of in of_ranks):
                bad = min(range(self.comm.size), key=lambda r, k=k: (of_ranks[r][k][3], of_ranks[r][k][2]))  # type: ignore[misc]
                cuts = self._ranges[m]
                raise ValueError(
                    "the operand of mode %d has %d rows on rank %d: it needs the %d rows of this rank's share, or all %d on every rank"
                    % (m, of_ranks[bad][k][1][0], bad, cuts[bad + 1] - cuts[bad], self.shape[m])
                )
            if len({of[k][1][1:] for of in of_ranks}) > 1:
                raise ValueError("the operand of mode %d has different numbers of columns on the ranks" % m)
        flat = any(x.ndim == 1 for x in given.values())
        return {m: x if x.ndim == 2 else x[:, None] for m, x in given.items()}, flat

    # ---- products ----

    def _rows_of(self, part: _Part, m: int) -> _Rows:
        made = part.rows[m]
        if made is None:
            made = part.rows[m] = _Rows(self.comm, part.used[m], self._ranges[m])
        return made

    def _local(self, part: _Part, factors: "list[Any]", mode: int, ncolumns: int) -> "np.ndarray[Any, Any]":
        local = part.local
        if local.nnz == 0 or ncolumns == 0:
            return np.zeros((local.shape[mode], ncolumns))
        if self.ndim > 2:
            return np.asarray(mttkrp(local, factors, mode, nthreads=self._nthreads))
        x = factors[1 - mode]
        if ncolumns == 1:
            x = x[:, 0]
        made = _cached("kernel_new", _PRODUCTS[2, x.ndim], None)(local if mode == 0 else local.T, x, nthreads=self._nthreads)
        return np.asarray(made).reshape(-1, ncolumns)

    def _multiply(self, operands: "dict[int, Any]", mode: int) -> "np.ndarray[Any, Any]":
        shares, flat = self._shares(operands)
        ncolumns = next(iter(shares.values())).shape[1]
        first, last = self.range(mode)
        made = np.zeros((last - first, ncolumns))
        for part in self._parts:
            factors: "list[Any]" = [None] * self.ndim
            for m, x in shares.items():
                factors[m] = x if part.used[m] is None else self._rows_of(part, m).fetch(x)
            rows = together(self.comm, functools.partial(self._local, part, factors, mode, ncolumns))
            rows = rows if part.used[mode] is None else self._rows_of(part, mode).add(rows)
            made = rows if part is self._parts[0] else made + rows
        return made[:, 0] if flat else made

    def _matrix(self) -> None:
        if self.ndim != 2:
            raise ValueError("@ multiplies matrices; this tensor has %d modes: use mttkrp" % self.ndim)

    def __matmul__(self, x: Any) -> "np.ndarray[Any, Any]":
        """A @ x of a matrix: this rank's rows of the result. x: a vector or a matrix, its share or all rows of it."""
        together(self.comm, self._matrix)
        return self._multiply({1: x}, 0)

    def __rmatmul__(self, x: Any) -> "np.ndarray[Any, Any]":
        """x @ A for a vector x (rows of mode 0, its share or all): this rank's elements of the result. For A.T @ X use mttkrp([X, None], 1)."""
        together(self.comm, self._matrix)
        return self._multiply({0: x}, 1)

    __array_priority__ = 1000.0
    __array_ufunc__ = None

    def mttkrp(self, factors: "Sequence[Any]", mode: int = 0) -> "np.ndarray[Any, Any]":
        """The product of tessera.mttkrp: this rank's rows of the result. factors: one matrix for each mode, its share or all rows; that of
        `mode` is not used and may be None. Of a matrix, mttkrp([X, None], 1) is A.T @ X."""

        def check() -> int:
            if self.ndim < 2 or len(factors) != self.ndim or not -self.ndim <= mode < self.ndim:
                raise ValueError("mttkrp of %d modes with %d factors, mode %d: one factor for each of two or more modes" % (self.ndim, len(factors), mode))
            return mode % self.ndim

        out = together(self.comm, check)
        return self._multiply({m: x for m, x in enumerate(factors) if m != out}, out)

    # ---- sums, and the whole ----

    def sum(self) -> float:
        """The sum of all entries, on every rank."""
        return float(self.comm.allreduce(float(sum(p.local.values.sum() for p in self._parts))))

    def norm(self) -> float:
        """The root of the sum of squares of all entries, on every rank."""
        return float(np.sqrt(self.comm.allreduce(float(sum(np.vdot(p.local.values, p.local.values) for p in self._parts)))))

    def _entries(self) -> "tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]":
        """Coordinates in the whole tensor, and values, of the entries of this rank."""
        columns = []
        for part in self._parts:
            crd = part.local.coords().astype(np.uint64)
            for m, used in enumerate(part.used):
                crd[m] = crd[m] + np.uint64(self.range(m)[0]) if used is None else used[crd[m].astype(np.intp)]
            columns.append((crd, part.local._entries()[1]))
        return np.concatenate([c for c, _ in columns], axis=1), np.concatenate([v for _, v in columns])

    def gather(self, root: int = 0, *, format: Any = "coo") -> "Tensor | None":
        """All entries as a tensor on rank `root`; None on the others."""
        crd, values = together(self.comm, self._entries)
        counts = self.comm.allgather(values.size)
        here = self.comm.rank == root
        fields = []
        for field in [*crd, values.astype(np.float64).view(np.uint64)]:
            made = np.empty(sum(counts) if here else 0, np.uint64)
            ends = np.cumsum([0, *counts]) if here else np.zeros(self.comm.size + 1, int)
            none = np.empty(0, np.uint8)
            out = [np.ascontiguousarray(field).view(np.uint8) if r == root else none for r in range(self.comm.size)]
            _exchange(self.comm, out, [made[a:b].view(np.uint8) for a, b in zip(ends, ends[1:])])
            fields.append(made)
        return together(self.comm, lambda: from_coords(fields[:-1], fields[-1].view(np.float64), self.shape, format=format) if here else None)  # type: ignore[no-any-return]

    # ---- PETSc ----

    def split(self) -> "Distributed":
        """The same matrix in two blocks on each rank, as PETSc stores them: the columns of the rank's own range, and the others. The entries
        are copied; one that was split already is returned as it is."""
        return self if len(self._parts) == 2 else _split(self)

    def to_petsc(self) -> Any:
        """A matrix of PETSc (type mpiaij; seqaij where there is one rank) that uses the memory of this one: values that are changed there
        are changed here. What was read is split first, into memory of its own (see `split`) unless there is one rank; the
        column numbers of the block outside the diagonal are always copied, since PETSc renumbers them."""
        return _to_petsc(self)


# ---- reading ----

_DEFAULTS: "dict[str, Any]" = {  # in the sequence that _io._read_options expects
    "codec": None, "dtype": None, "duplicates": "sum", "index_width": None, "memory": None, "transform": None, "keep_symmetry": False,
    "dims": None, "index_base": None, "no_values": False, "columns": None, "select": None, "options": None,
}  # fmt: skip


def _take(comm: Any, whole: Tensor, cuts: Any, format: Any, by_rows: bool) -> "tuple[list[Any], _Part]":
    """The shares of all modes, and the part of the entries of this rank, which `whole` has with their coordinates."""
    shape, first = whole.shape, int(cuts[comm.rank])
    ranges = [_equal(dim, comm.size) for dim in shape]
    if by_rows:
        ranges = [np.asarray(cuts, np.int64) if m == 0 or (len(shape) == 2 and dim == shape[0]) else ranges[m] for m, dim in enumerate(shape)]
    crd: "list[Any]" = []
    used: "list[Any]" = []
    dims: "list[int]" = []
    level: Any
    for m, level in enumerate(whole.levels):
        if m == 0 and by_rows:
            crd.append(level.crd - level.crd.dtype.type(first))
            used.append(None)
            dims.append(int(cuts[comm.rank + 1]) - first)
        else:
            indices, places = _renumber(level.crd, shape[m])
            crd.append(places)
            used.append(indices)
            dims.append(indices.size)
    wanted = format if format is not None else {1: "coo", 2: "csr"}.get(len(shape), "csf")
    return ranges, _Part(from_coords(crd, whole.values, dims, format=wanted), used)


def read(
    path: Any,
    name: "str | None" = None,
    *,
    comm: Any,
    share: str = "rows",
    format: Any = None,
    nthreads: "int | None" = None,
    **options: Any,
) -> Distributed:
    """Read a file by all ranks of a communicator: tessera.read(path, comm=MPI.COMM_WORLD) is this function.

    Parameters
    ----------
    path, name, options : as for tessera.read
        The same on all ranks, and the same file. Those that change what is read (dtype, duplicates, select, transform...) are refused.
    comm : mpi4py.MPI.Comm
    share : "rows" or "grid"
        Successive rows (slices of mode 0), or a block of a grid, with about equal numbers of entries on each rank.
    format : str or Format
        The storage format of a rank's entries; else csr of a matrix, csf of more modes.
    nthreads : int, optional
        Threads of each rank; else the processors of its machine are divided by the ranks there.
    """

    def ask() -> Any:
        if share not in ("rows", "grid"):
            raise ValueError("share=%r: use 'rows' or 'grid'" % (share,))
        text = _io._path(path) + (":" + name if name else "")
        given = {**_DEFAULTS, **options}
        if len(given) > len(_DEFAULTS):
            raise TypeError("unknown option %s" % ", ".join(sorted(set(given) - set(_DEFAULTS))))
        return _lib.encode(text), _io._read_options("coo", *given.values()), (text, share, str(format), given)

    text, how, given = together(comm, ask)
    said = comm.allgather(repr(given))
    if len(set(said)) > 1:
        raise ValueError("rank %d has other arguments than rank 0: give all ranks the same" % next(r for r in range(comm.size) if said[r] != said[0]))
    ranks, kept = _functions(comm)
    ranks.grid = int(share == "grid")
    cuts = np.zeros(comm.size + 1, np.uint64)
    made = Handle(C.tensor_free)
    _lib.call(C.read_ranks, ctypes.byref(made.ptr), cuts.ctypes.data, text, ctypes.byref(how[0]), ctypes.byref(ranks), nthreads=nthreads)
    ranges, part = together(comm, lambda: _take(comm, Tensor._of(made), cuts, format, share == "rows"))
    return Distributed(comm, ranges, [part], share == "rows", nthreads)


# ---- PETSc ----


def _arrays(local: Tensor, integer: Any) -> "list[np.ndarray[Any, Any]]":
    """pos, crd and values of a csr tensor as PETSc takes them, without a copy where the types agree."""
    level: Any = local.levels[1]
    found = (level.pos, integer), (level.crd, integer), (local.values, np.float64)
    return [_memory(a.ctypes.data, a.size, t, local) if a.dtype == t else a.astype(t) for a, t in found]


def _cut(A: Distributed, inside: bool) -> _Part:
    """The entries inside the columns of the rank's own range, or the others."""
    part, (first, last) = A._parts[0], A.range(1)
    local = part.local.convert("csr")
    level: Any = local.levels[1]
    used = part.used[1]
    column = used[level.crd]
    chosen = ((column >= first) & (column < last)) == inside
    pos = np.append(0, np.cumsum(chosen))[level.pos].astype(np.int32 if len(chosen) < 1 << 31 else np.int64)
    indices, crd = (None, column[chosen] - first) if inside else _renumber(level.crd[chosen], used.size)
    ncolumns = last - first if indices is None else indices.size
    made = from_arrays("csr", (local.shape[0], ncolumns), (pos, crd.astype(np.int32 if ncolumns < 1 << 31 else np.int64), local.values[chosen]))
    return _Part(made, [None, None if indices is None else used[indices]])


def _split(A: Distributed) -> Distributed:
    def check() -> "list[_Part]":
        if A.ndim != 2 or not A.by_rows:
            raise UnsupportedError("only a matrix whose ranks have rows is split: read it with share='rows'")
        return [_cut(A, True), _cut(A, False)]

    return Distributed(A.comm, A._ranges, together(A.comm, check), True, A._nthreads)


def _to_petsc(A: Distributed) -> Any:
    from petsc4py import PETSc

    def check() -> None:
        if A.ndim != 2 or not A.by_rows:
            raise UnsupportedError("PETSc has matrices whose ranks have rows: read one with share='rows'")
        if PETSc.ScalarType != np.float64:
            raise UnsupportedError("this PETSc computes with %s, not float64" % PETSc.ScalarType.__name__)
        if max(*A.shape, *(p.local.nnz for p in A._parts)) > np.iinfo(PETSc.IntType).max:
            raise UnsupportedError("this PETSc counts with %s: the matrix is too large" % PETSc.IntType.__name__)

    together(A.comm, check)
    sizes = tuple((b - a, n) for (a, b), n in zip(map(A.range, (0, 1)), A.shape))
    if A.comm.size == 1 and len(A._parts) == 1 and A._parts[0].local.format == "csr":
        part = A._parts[0]
        pos, crd, values = _arrays(part.local, PETSc.IntType)
        used = part.used[1]
        crd = crd if used is None or used.size == A.shape[1] else used[crd].astype(PETSc.IntType)
        made = PETSc.Mat().createAIJWithArrays(sizes, (pos, crd, values), comm=A.comm)
    else:
        blocks = A.split()._parts
        one, other = (_arrays(p.local, PETSc.IntType) for p in blocks)
        other[1] = np.asarray(blocks[1].used[1])[other[1]].astype(PETSc.IntType)
        csr = one if A.comm.size == 1 else (one, other)
        made = PETSc.Mat().createAIJWithArrays(sizes, csr, comm=A.comm)
    made.assemble()
    return made


def _check_petsc(library: Any, code: int) -> None:
    if code:
        raise RuntimeError("PETSc fails with error %d" % code)


def _block(library: Any, handle: int, shape: "tuple[int, int]", keep: Any) -> Tensor:
    """A sequential matrix of PETSc as a csr tensor of the same memory."""
    from petsc4py import PETSc

    n, done = ctypes.c_int64(0), ctypes.c_int(0)
    pos, crd, values = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    matrix = ctypes.c_void_p(handle)
    integer = ctypes.c_int if np.dtype(PETSc.IntType).itemsize == 4 else ctypes.c_int64
    _check_petsc(
        library, library.MatGetRowIJ(matrix, integer(0), 0, 0, ctypes.byref(n), ctypes.byref(pos), ctypes.byref(crd), ctypes.byref(done))
    )
    _check_petsc(library, library.MatSeqAIJGetArray(matrix, ctypes.byref(values)))

    ends = _memory(pos.value, shape[0] + 1, PETSc.IntType, keep) if shape[0] else np.zeros(1, PETSc.IntType)
    nnz = int(ends[-1])
    arrays = ends, _memory(crd.value, nnz, PETSc.IntType, keep), _memory(values.value, nnz, np.float64, keep)
    return from_arrays("csr", shape, arrays, copy=False)


def from_petsc(matrix: Any, *, nthreads: "int | None" = None) -> Distributed:
    """A matrix of PETSc (mpiaij or seqaij) as a distributed tensor of the same memory: values that are changed there are changed here.
    Assemble the matrix before; one of another type goes through matrix.convert("aij"), which copies."""
    from petsc4py import PETSc

    comm = matrix.comm.tompi4py()

    def views() -> "list[_Part]":
        if matrix.type not in ("mpiaij", "seqaij"):
            raise UnsupportedError("a matrix of type %s: matrix.convert('aij') makes a copy that can be taken" % matrix.type)
        if PETSc.ScalarType != np.float64:
            raise UnsupportedError("this PETSc computes with %s, not float64" % PETSc.ScalarType.__name__)
        if not matrix.assembled:
            raise ValueError("the matrix is not assembled: call assemble() first")
        library = ctypes.CDLL(PETSc.__file__)
        rows, ncolumns = matrix.getLocalSize()
        if matrix.type == "seqaij":
            return [_Part(_block(library, matrix.handle, (rows, ncolumns), matrix), [None, None])]
        one, other, columns = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
        _check_petsc(library, library.MatMPIAIJGetSeqAIJ(ctypes.c_void_p(matrix.handle), ctypes.byref(one), ctypes.byref(other), ctypes.byref(columns)))
        n = ctypes.c_int(0) if np.dtype(PETSc.IntType).itemsize == 4 else ctypes.c_int64(0)
        _check_petsc(library, library.MatGetLocalSize(other, None, ctypes.byref(n)))
        used = _memory(columns.value, n.value, PETSc.IntType)
        return [
            _Part(_block(library, one.value or 0, (rows, ncolumns), matrix), [None, None]),
            _Part(_block(library, other.value or 0, (rows, n.value), matrix), [None, used.astype(np.int64)]),
        ]

    parts = together(comm, views)
    ranges = [np.asarray(cuts, np.int64) for cuts in (matrix.getOwnershipRanges(), matrix.getOwnershipRangesColumn())]
    return Distributed(comm, ranges, parts, True, nthreads)
