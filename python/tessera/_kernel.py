"""Kernels: expressions in index notation that run on tensors and arrays."""
from __future__ import annotations

import ctypes
import functools
import itertools
import os
import struct
import weakref
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _lib, _types
from ._errors import TesseraError, UnsupportedError, add_caret
from ._file import File
from ._foreign import as_tensor, from_numpy
from ._io import _path, block_options
from ._lib import C, Handle
from ._ops import is_lazy
from ._tensor import CHECKS, Tensor, choice, format_text

_ENGINES = {name.replace("ENGINE_", "").lower(): n for name, n in _lib.ENUMS["tessera_engine"].items()}
_TEXTS = {name.replace("TEXT_", "").lower(): n for name, n in _lib.ENUMS["tessera_kernel_text"].items()}
_LARGE_NBYTES = 64 << 20  # runs on operands of this size are given to another thread, so that Ctrl-C is seen
_BUILTIN_DTYPES = {id(dtype): dtype for dtype in _types.NUMBER}
_MAX_PLANS = 64

_ndarray = np.ndarray
_empty = np.empty
_addressof = ctypes.addressof
_from_buffer: Any = ctypes.c_char.from_buffer
_double = ctypes.c_double
_float64 = np.float64
_context = _lib.context
_local = _lib.local
_ARGUMENT = _lib.ENUMS["tessera_status"]["ARGUMENT"]


def _address(array: Any) -> int:
    """The address of an array that is read-only or empty. (array.ctypes.data takes three times as long as the buffer of an array.)"""
    if not array.flags.c_contiguous:
        raise ValueError
    return array.ctypes.data  # type: ignore[no-any-return]


_IN_FILE = (str, os.PathLike, File)  # operands that are files


def _file_options(file: Any, memory: "int | str | None") -> "tuple[Any, Any, Any]":
    """The path, the options of reading, and what they point to."""
    path, given = (file._in_path(), file._options) if isinstance(file, File) else (_path(file), {})
    options, kept = block_options(memory, **given)
    return _lib.encode(path), options, kept


class _Plan:
    """What a call with operands of these shapes and types needs: descriptions of the arrays, whose values are given at each
    call."""

    __slots__ = ("shape", "dtype", "tensors", "templates", "inline", "is_sparse")
    shape: "tuple[int, ...]"
    dtype: "np.dtype[Any]"
    tensors: Any  # pointers: to templates, and to the tensors of the call, whose numbers are in the key of the plan
    templates: "list[Tensor]"  # descriptions of arrays
    inline: bool
    is_sparse: bool  # the result is; all operands are tensors, which `tensors` points to


def _described(shape: "tuple[int, ...]", dtype: Any) -> Tensor:
    """A tensor that describes arrays; the values are given at each call."""
    template = from_numpy(_empty(shape, dtype), False)
    template._handle.keep = None
    return template


# The same function without the types of its arguments, whose checks would take a third of a call: kernel, tensors and context are objects
# of ctypes, the values are bytes, which are passed as a pointer to them.
_run_values: Any = _lib.untyped("kernel_run_values")


class Kernel:
    """An expression such as "y(i) = A(i,j)*x(j)" as a function of tensors; made by `kernel`, `einsum`.

    Operands are given by name or in the order of first use: a Tensor, a NumPy array, a number, a SciPy array... Code is generated
    at the first call with new formats or types, not for new sizes. Any number of threads may call a kernel at once."""

    __slots__ = ("_format", "_options", "_handle", "_names", "_nnames", "_bound", "_plans", "_last", "_adds", "_slots", "_pack", "__weakref__")

    def __init__(
        self,
        expression: str,
        *,
        format: Any = None,
        dtype: Any = None,
        schedule: "str | None" = None,
        semiring: "str | None" = None,
        engine: str = "auto",
        functions: "str | Sequence[str]" = (),
        _make: str = "kernel_new",
        **operands: Any,
    ) -> None:
        self._format = format
        self._options: "dict[str, Any]" = {"semiring": semiring, "engine": engine, "functions": functions}
        options = _lib.struct("kernel_options", format=format_text(format))
        if dtype is not None:
            options.has_type, options.type = 1, _types.type_number(dtype)
        options.schedule = _lib.encode(schedule)
        options.semiring = _lib.encode(semiring)
        options.engine = choice(_ENGINES, engine, "engine")
        texts = [_lib.encode(text) for text in ([functions] if isinstance(functions, str) else functions)]
        given = (ctypes.c_char_p * max(len(texts), 1))(*texts)
        if texts:
            options.functions, options.nfunctions = ctypes.addressof(given), len(texts)
        self._handle = Handle(C.kernel_free)
        ptr = self._handle.ptr
        try:
            _lib.call_long(
                getattr(C, _make), ctypes.byref(ptr), _lib.encode(expression), ctypes.byref(options),
                keep=(self._handle, given, options), inline=not texts,
            )  # fmt: skip
        except TesseraError as error:
            raise add_caret(error, expression) from None
        self._names = tuple(_lib.decode(C.kernel_name(ptr, t)) for t in range(1, C.kernel_ntensors(ptr)))
        self._nnames = len(self._names)
        self._adds = not _is_plain(self.expression)
        self._slots = ctypes.c_void_p * (len(self._names) + 1)
        self._pack = struct.Struct("%dP" % (len(self._names) + 1)).pack
        self._plans: "dict[Any, _Plan]" = {}
        self._last: "list[Any] | None" = None
        unknown = [name for name in operands if name not in self._names]
        if unknown:
            raise TypeError("%s is not an operand of %s (operands: %s)" % (unknown[0], expression, ", ".join(self._names)))
        self._bound = {name: obj if isinstance(obj, np.ndarray) else as_tensor(obj) for name, obj in operands.items()}

    @property
    def expression(self) -> str:
        """The expression in canonical form."""
        return _lib.decode(C.kernel_expression(self._handle.ptr))

    @property
    def names(self) -> "tuple[str, ...]":
        """The names of the operands in the order of first use."""
        return self._names

    @property
    def nlowered(self) -> int:
        """How often code was generated, for all operands so far."""
        return C.kernel_nlowered(self._handle.ptr)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return "<tessera.Kernel %s>" % self.expression

    # ---- running ----

    def _operands(self, args: "Sequence[Any]", named: "dict[str, Any]") -> "list[Any]":
        names = self._names
        if args:
            free = [name for name in names if name not in named and name not in self._bound] if len(args) != len(names) else names
            if len(args) > len(free):
                raise TypeError("%d operands for %s, which has %s" % (len(args), self.expression, ", ".join(names)))
            for name, obj in zip(free, args):
                if name in named:
                    raise TypeError("two values for the operand %s" % name)
                named[name] = obj
        for name in named:
            if name not in names:
                raise TypeError("%s is not an operand of %s (operands: %s)" % (name, self.expression, ", ".join(names)))
        missing = [name for name in names if name not in named and name not in self._bound]
        if missing:
            raise TypeError("missing the operand %s of %s" % (missing[0], self.expression))
        return [named[name] if name in named else self._bound[name] for name in names]

    def __call__(
        self,
        *args: Any,
        out: Any = None,
        nthreads: "int | None" = None,
        check: bool = CHECKS,
        progress: Any = None,
        memory: "int | str | None" = None,
        **named: Any,
    ) -> Any:
        """Run the kernel.

        Returns a NumPy array (a scalar where the result has no modes) for a dense result, else a Tensor. out: a C-contiguous array
        for a dense result; an expression with += adds to it. check=True: check tensors whose index arrays other objects
        can write to, which takes about as long as a product with a vector (TESSERA_CHECK=1 in the environment: in all calls). progress: True, or a function of (phase, done, total) that is called
        when the phase changes: "compile", "run".

        One operand may be the path of a file, or a file of `open`, which need not fit memory: it is read block by block ("read" is the
        phase of progress, in bytes), and memory="500M" is the memory that the call may take, its result too."""
        if memory is not None or any(isinstance(obj, _IN_FILE) for obj in (*args, *named.values())):
            return self._run_file(self._operands(args, named), out, nthreads, progress, memory)
        if progress is not None:
            return self._run(self._operands(args, named), out, nthreads, check, progress)
        if len(args) == self._nnames and not named:
            operands: "Sequence[Any]" = args
        elif args:
            operands = self._operands(args, named)
        else:
            given = {**self._bound, **named}
            try:
                operands = [given[name] for name in self._names]
            except KeyError:
                operands = self._operands(args, named)
            if len(given) != self._nnames:
                operands = self._operands(args, named)
        # The same shapes and types as before: a plan. Each line here is a part of what a call costs.
        key: "list[Any]" = []
        values: "list[int]" = [0]
        numbers: Any = None
        try:
            for obj in operands:
                kind = type(obj)
                if kind is _ndarray:
                    key += obj.shape, id(obj.dtype)
                    try:
                        values.append(_addressof(_from_buffer(obj)))
                    except (TypeError, ValueError):
                        values.append(_address(obj))
                elif kind is Tensor:
                    key.append(obj._key)
                    values.append(0)
                    if check:
                        obj._ready(True)
                elif kind is float or kind is _float64:
                    key.append(float)
                    numbers = _double(obj), numbers  # alive until the call has ended
                    values.append(_addressof(numbers[0]))
                else:
                    return self._run(operands, out, nthreads, check, progress)
            plan = self._plans[tuple(key)]
            if plan.is_sparse:
                if out is not None:
                    return self._run(operands, out, nthreads, check, progress)
                return self._call_sparse(plan, operands, nthreads)
            if out is None:
                made = _empty(plan.shape, plan.dtype)
            else:
                self._check_out(out, plan.shape, plan.dtype)
                made = out
            values[0] = _addressof(_from_buffer(made))
        except (KeyError, TypeError, ValueError):  # new shapes, an array with gaps, an empty or wrong result, wrong indices
            return self._run(operands, out, nthreads, check, progress)
        try:
            context = _local.context
        except AttributeError:
            context = _context()
        if nthreads is not None or context.nthreads:
            context.use(nthreads)
        if not plan.inline:
            _lib.call_long(
                C.kernel_run_values, self._handle.ptr, plan.tensors, self._slots(*values),
                keep=(self, operands, numbers, plan, made), nthreads=nthreads,
            )  # fmt: skip
        else:
            status = _run_values(self._handle.ptr, plan.tensors, self._pack(*values), context.handle)
            if status == _ARGUMENT:  # an array that is not aligned
                self._plans.pop(_kinds_of(operands), None)
                return self._run(operands, out, nthreads, check, progress)
            if status:
                raise _lib.error_of(context.ptr)
        return made if plan.shape or out is not None else made[()]

    def _call_sparse(self, plan: _Plan, operands: "Sequence[Any]", nthreads: "int | None") -> Tensor:
        made = Handle(C.tensor_free)
        _lib.call_long(
            C.kernel_call, ctypes.byref(made.ptr), self._handle.ptr, plan.tensors,
            keep=(self, operands, plan, made), nthreads=nthreads, inline=plan.inline,
        )  # fmt: skip
        return Tensor._of(made)

    def _like_before(self, plan: _Plan, kinds: Any, operands: "Sequence[Any]", nthreads: "int | None") -> Any:
        """The result for tensors of the kinds of an earlier call: with its descriptions of arrays."""
        templates = iter(plan.templates)
        pointers = [(obj if type(obj) is Tensor else next(templates))._handle.ptr.value for obj in operands]
        pointers.insert(0, plan.templates[-1]._handle.ptr.value)
        key: "list[Any]" = []
        for obj in operands:
            key += [obj._key] if type(obj) is Tensor else [obj.shape, id(obj.dtype)]
        same = _Plan()
        same.shape, same.dtype, same.templates, same.inline, same.is_sparse = plan.shape, plan.dtype, plan.templates, True, False
        same.tensors = self._slots(*pointers)
        if len(self._plans) >= _MAX_PLANS:
            self._plans.clear()
            self._plans[kinds] = plan
        self._plans[tuple(key)] = same
        return self(*operands, nthreads=nthreads)

    def _check_out(self, out: Any, shape: "tuple[int, ...]", dtype: Any) -> None:
        if not isinstance(out, np.ndarray):
            raise TypeError("out must be a NumPy array, not %s" % type(out).__name__)
        if out.shape != shape or out.dtype != dtype:
            raise ValueError("out is %s of %s, the result is %s of %s" % (out.shape, out.dtype, shape, dtype))
        if not out.flags.carray or not out.dtype.isnative:
            raise ValueError("out must be C-contiguous, writable and of native byte order")

    def _run(self, operands: "Sequence[Any]", out: Any, nthreads: "int | None", check: bool, progress: Any) -> Any:
        if out is None and progress is None and not check:
            kinds = _kinds_of(operands)
            plan = self._plans.get(kinds)
            if plan is not None and sum(t.nbytes for t in operands) < _LARGE_NBYTES:
                self._last = [weakref.ref(t) if type(t) is Tensor else (t.shape, t.dtype) for t in operands]
                again = _Plan()
                again.inline = True
                if plan.is_sparse:
                    again.tensors = self._pointers(operands)
                    return self._call_sparse(again, operands, nthreads)
                return self._like_before(plan, kinds, operands, nthreads)
        tensors = [as_tensor(obj, labels=False) for obj in operands]
        for tensor in tensors:
            tensor._ready(check)
        given = self._pointers(tensors)
        self._last = [weakref.ref(obj) if isinstance(obj, Tensor) else _like(t) for obj, t in zip(operands, tensors)]
        large = sum(t.nbytes for t in tensors) >= _LARGE_NBYTES
        if progress is not None:  # the phase "compile"
            _lib.call_long(
                C.kernel_prepare, self._handle.ptr, given, keep=(self, tensors, given), nthreads=nthreads, progress=progress
            )
        made = Handle(C.tensor_free)
        if out is None:
            # Generating and compiling may take a second and can be cancelled.
            _lib.call_long(
                C.kernel_call, ctypes.byref(made.ptr), self._handle.ptr, given,
                keep=(self, tensors, given, made), nthreads=nthreads, progress=progress,
            )  # fmt: skip
            result = Tensor._of(made)
        else:
            _lib.call(C.kernel_result, ctypes.byref(made.ptr), self._handle.ptr, given, nthreads=nthreads)
            result = Tensor._of(made)
            if not _is_row_major(result):
                raise ValueError("out needs a dense, row-major result; this one is %s" % result.format)
            self._check_out(out, result.shape, result.dtype)
            target = from_numpy(out, False)
            _lib.call_long(
                C.kernel_run, self._handle.ptr, target._handle.ptr, given,
                keep=(self, tensors, given, target), nthreads=nthreads, progress=progress, inline=not large,
            )  # fmt: skip
        if not _is_row_major(result):
            if result.is_dense:
                return result.todense()
            if out is None and all(type(obj) is Tensor for obj in operands):
                self._keep(tuple(t._key for t in tensors), result, given, large)
                self._keep(_kinds_of(operands), result, None, large)
            return result
        self._remember(operands, result, large)
        if out is not None:
            return out
        array = result.values.reshape(result.shape)
        return array if result.shape else array[()]

    def _run_file(self, operands: "Sequence[Any]", out: Any, nthreads: "int | None", progress: Any, memory: "int | str | None") -> Any:
        """Run with one operand in a file, block by block."""
        files = [k for k, obj in enumerate(operands) if isinstance(obj, _IN_FILE)]
        if len(files) != 1:
            raise TypeError("%d operands are paths: one is read in blocks, read the others first" % len(files))
        if out is not None:
            raise TypeError("out does not go with an operand in a file")
        path, options, kept = _file_options(operands[files[0]], memory)
        tensors = [None if k in files else as_tensor(obj, labels=False) for k, obj in enumerate(operands)]
        for tensor in tensors:
            if tensor is not None:
                tensor._ready()
        given = (ctypes.c_void_p * len(tensors))(*[t if t is None else t._handle.ptr.value for t in tensors])
        made = Handle(C.tensor_free)
        _lib.call_long(
            C.kernel_call_file, ctypes.byref(made.ptr), self._handle.ptr, given, path, ctypes.byref(options),
            keep=(self, tensors, given, made, path, options, kept), nthreads=nthreads, progress=progress,
        )  # fmt: skip
        result = Tensor._of(made)
        if not result.is_dense:
            return result
        array = result.values.reshape(result.shape) if _is_row_major(result) else result.todense()
        return array if result.shape else array[()]

    def assemble(self, *args: Any, nthreads: "int | None" = None, progress: Any = None, **named: Any) -> Tensor:
        """A new sparse result with all the entries that a call would give, each with the value 0: compute() sets the values,
        as often as the values of the operands change."""
        made = Handle(C.tensor_free)
        tensors, given = self._prepared(self._operands(args, named), nthreads, progress)
        _lib.call_long(
            C.kernel_assemble, ctypes.byref(made.ptr), self._handle.ptr, given,
            keep=(self, tensors, given, made), nthreads=nthreads, progress=progress,
        )  # fmt: skip
        return Tensor._of(made)

    def nnz(self, *args: Any, nthreads: "int | None" = None, **named: Any) -> int:
        """The number of entries that a sparse result would have. Where the operands that have the first index of the result have it as their
        first mode, blocks of about a million entries are computed one after the other, so that the whole result is never in memory."""
        tensors = [as_tensor(obj, labels=False) for obj in self._operands(args, named)]
        for tensor in tensors:
            tensor._ready()
        given, out = self._pointers(tensors), ctypes.c_uint64()
        _lib.call_long(
            C.kernel_nnz, ctypes.byref(out), self._handle.ptr, given, keep=(self, tensors, given, out), nthreads=nthreads
        )  # fmt: skip
        return int(out.value)

    def compute(
        self, result: Tensor, *args: Any, nthreads: "int | None" = None, progress: Any = None, **named: Any
    ) -> Tensor:
        """Compute the values of the entries that `result` has, which assemble() or a call made, and return it: its arrays stay the
        same, so arrays that were taken from it show the new values. Operands that give other entries are a ValueError,
        and all values are then 0. From the third call for a result on, a product takes about half of the time of a call."""
        if not isinstance(result, Tensor):
            raise TypeError("result must be a Tensor of assemble() or of a call, not %s" % type(result).__name__)
        if result._is_readonly():
            raise ValueError("result is a view of a read-only array: use a Tensor of assemble() or of a call")
        tensors, given = self._prepared(self._operands(args, named), nthreads, progress)
        _lib.call_long(
            C.kernel_compute, self._handle.ptr, result._handle.ptr, given,
            keep=(self, tensors, given, result), nthreads=nthreads, progress=progress,
        )  # fmt: skip
        return result

    def _prepared(self, operands: "Sequence[Any]", nthreads: "int | None", progress: Any) -> "tuple[list[Tensor], Any]":
        """The operands as tensors, checked, and their handles; the code for them is compiled."""
        tensors = [as_tensor(obj, labels=False) for obj in operands]
        for tensor in tensors:
            tensor._ready()
        given = self._pointers(tensors)
        _lib.call_long(
            C.kernel_prepare, self._handle.ptr, given, keep=(self, tensors, given), nthreads=nthreads, progress=progress
        )
        return tensors, given

    def _pointers(self, tensors: "Sequence[Tensor]") -> Any:
        return (ctypes.c_void_p * max(len(tensors), 1))(*[t._handle.ptr.value for t in tensors])

    def _remember(self, operands: "Sequence[Any]", result: Tensor, large: bool) -> None:
        """Make a plan for the next call with the same tensors and arrays of the same shapes and types."""
        if self._adds or result._type in _types.MADE_AFTER or not hasattr(C, "kernel_run_values"):
            return
        key: "list[Any]" = []
        templates: "list[Tensor]" = []
        pointers: "list[Any]" = []
        for obj in operands:
            if type(obj) is Tensor:
                key.append(obj._key)
                pointers.append(obj._handle.ptr.value)
            elif type(obj) is float or type(obj) is np.float64:
                key.append(float)
                templates.append(_described((), np.dtype(np.float64)))
                pointers.append(templates[-1]._handle.ptr.value)
            elif type(obj) is np.ndarray and id(obj.dtype) in _BUILTIN_DTYPES and obj.flags.c_contiguous and obj.dtype != np.bool_:
                key += [obj.shape, id(obj.dtype)]
                templates.append(_described(obj.shape, obj.dtype))
                pointers.append(templates[-1]._handle.ptr.value)
            else:
                return
        templates.append(_described(result.shape, result.dtype))
        pointers.insert(0, templates[-1]._handle.ptr.value)
        self._keep(tuple(key), result, self._slots(*pointers), large, templates)
        kinds = _kinds_of(operands)
        if kinds is not None:
            self._keep(kinds, result, None, large, templates)

    def _keep(self, key: Any, result: Tensor, pointers: Any, large: bool, templates: "list[Tensor] | None" = None) -> None:
        plan = _Plan()
        plan.shape, plan.dtype, plan.inline, plan.is_sparse = result.shape, result.dtype, not large, templates is None
        plan.tensors, plan.templates = pointers, templates or []
        if len(self._plans) >= _MAX_PLANS:
            self._plans.clear()
        self._plans[key] = plan

    # ---- what was generated ----

    def text(self, what: str = "c", *args: Any, **named: Any) -> str:
        """A text of the code for these operands, or those of the last call: "c", "c11" (for any compiler), "header", "ir" (the loop
        program), "graph" (the plan), "schedule", "engine"; "c_short" and "c11_short" include the file tessera_rt.h, which
        is the text "runtime"."""
        number = choice(_TEXTS, what, "text of a kernel")
        if args or named or len(self._bound) == len(self._names):
            operands = self._operands(args, named)
        elif self._last is not None:
            operands = [obj() if isinstance(obj, weakref.ref) else np.empty(*obj) for obj in self._last]
            if any(obj is None for obj in operands):
                raise ValueError("a tensor of the last call does not exist any more: give the operands to text()")
        else:
            raise ValueError("the code depends on the formats of the operands: call the kernel first, or give them to text()")
        tensors = [as_tensor(obj, labels=False) for obj in operands]
        return _lib.take_text(C.kernel_print, self._handle.ptr, number, self._pointers(tensors))

    @property
    def c_source(self) -> str:
        """The C text that was compiled for the operands of the last call."""
        return self.text("c")

    @property
    def schedule(self) -> str:
        """The schedule for the operands of the last call."""
        return self.text("schedule")

    @property
    def engine(self) -> str:
        """How the last call ran: built in, compiled, or interpreted and why."""
        return self.text("engine")

    def time(self, *args: Any, nruns: int = 0, nthreads: "int | None" = None, **named: Any) -> "dict[str, Any]":
        """Run the kernel nruns times (0: about 0.2 s) and return seconds of one run: least_s, median_s, mean_s, largest_s, and the
        flops and bytes of one run."""
        tensors = [as_tensor(obj, labels=False) for obj in self._operands(args, named)]
        for tensor in tensors:
            tensor._ready()
        given = self._pointers(tensors)
        made = Handle(C.tensor_free)
        _lib.call_long(
            C.kernel_result, ctypes.byref(made.ptr), self._handle.ptr, given,
            keep=(self, tensors, given, made), nthreads=nthreads,
        )  # fmt: skip
        times = _lib.struct("times", nruns=nruns)
        _lib.call_long(
            C.kernel_time, ctypes.byref(times), self._handle.ptr, made.ptr, given,
            keep=(self, tensors, given, made, times), nthreads=nthreads,
        )  # fmt: skip
        return {name: getattr(times, name) for name, _ in times._fields_ if name != "size"}


def _kinds_of(operands: "Sequence[Any]") -> Any:
    """What the code for these operands depends on: it exists where the same was asked before. None: not all are tensors, or contiguous arrays."""
    made: "list[Any]" = []
    for obj in operands:
        if type(obj) is Tensor:
            made.append((obj._format, obj._type, obj._dims))
        elif type(obj) is _ndarray and id(obj.dtype) in _BUILTIN_DTYPES and obj.flags.c_contiguous and obj.size and obj.dtype != np.bool_:
            made.append((obj.shape, id(obj.dtype)))
        else:
            return None
    return tuple(made)


def _is_plain(expression: str) -> bool:
    """Whether the result is replaced: "=", not "+=", "min=" or another."""
    left = expression.split("=", 1)[0].rstrip()
    return left.endswith(")") or left.isidentifier()


def _is_row_major(tensor: Tensor) -> bool:
    return tensor.format in ("dense", "scalar", "dvec")


def _like(tensor: Tensor) -> "tuple[tuple[int, ...], Any]":
    return tensor.shape, tensor.dtype


def kernel(
    expression: str,
    *,
    format: Any = None,
    dtype: Any = None,
    schedule: "str | None" = None,
    semiring: "str | None" = None,
    engine: str = "auto",
    functions: "str | Sequence[str]" = (),
    **operands: Any,
) -> Kernel:
    """A kernel: an expression as a function of tensors.

    >>> import numpy as np, scipy.sparse, tessera as ts
    >>> A = ts.convert(np.array([[2.0, 0, 1], [0, 0, 3]]), "csr")
    >>> k = ts.kernel("y(i) = A(i,j)*x(j)", A=A)
    >>> k(x=np.array([1.0, 10, 100]))
    array([102., 300.])

    Parameters
    ----------
    expression : str
        Index notation: docs/notation.md.
    format : str or Format
        The format of the result. Where it is not given, the result is sparse if each term has entries only where sparse operands
        have, and a term has two of them or there are two terms, as in a product or a sum of sparse matrices; else it is
        dense. format="dense" makes it dense.
    dtype : dtype or str
        The value type of the result; else the common type of the operands.
    schedule : str
        "parallel:i,unroll:j:4"...: docs/kernels.md.
    semiring : str
        The meaning of + and *: "min-plus"...
    engine : "auto", "compiled", "jit", "builtin" or "interpreter"
    functions : str or sequence of str
        Functions for the expression, in C: "relu(x) = x > 0 ? x : 0". "; zero at x=0" after it: the value is 0 where x is 0, so that
        cells without an entry are skipped.
    **operands
        Operands that stay the same for all calls.
    """
    return Kernel(
        expression, format=format, dtype=dtype, schedule=schedule, semiring=semiring, engine=engine, functions=functions, **operands
    )


@functools.lru_cache(maxsize=256)
def _cached(make: str, text: str, format: "str | None", dtype: "str | None" = None) -> Kernel:
    return Kernel(text, format=format, dtype=dtype, _make=make)


def einsum(
    subscripts: str, *operands: Any, format: Any = None, out: Any = None, nthreads: "int | None" = None
) -> Any:
    """NumPy's einsum over sparse and dense operands: einsum("ij,j->i", A, x). The result has the format that `kernel` proposes, or `format`."""
    if "." in subscripts:
        subscripts = _without_ellipsis(subscripts, [np.ndim(o) for o in operands])
    text = str(format) if format is not None else None
    kernel = _cached("einsum", subscripts, text, _mixed(operands))
    made = kernel(*operands, out=out, nthreads=nthreads)
    return made if out is not None else _truth(made, operands)


def _without_ellipsis(subscripts: str, orders: "Sequence[int]") -> str:
    """The subscripts with letters for `...`."""
    left, arrow, right = subscripts.replace(" ", "").partition("->")
    parts = left.split(",")
    if len(parts) != len(orders):
        raise ValueError("%d operands for the subscripts %r" % (len(orders), subscripts))
    free = [c for c in "zyxwvutsrqponmlkjihgfedcbaZYXWVUTSRQPONMLKJIHGFEDCBA" if c not in subscripts]
    counts = [order - len(part.replace("...", "")) for part, order in zip(parts, orders)]
    for part, count in zip(parts, counts):
        if "..." in part and not 0 <= count <= len(free):
            raise ValueError("the subscripts %r do not fit an operand with %d modes" % (part, count + len(part) - 3))
    longest = max([count for part, count in zip(parts, counts) if "..." in part], default=0)
    letters = "".join(free[:longest])[::-1]
    if not arrow:
        once = "".join(sorted(c for c in set(left) - set(".,") if left.count(c) == 1))
        right = "..." + once
    done = [part.replace("...", letters[longest - count :] if "..." in part else "") for part, count in zip(parts, counts)]
    return "%s->%s" % (",".join(done), right.replace("...", letters))


def _mixed(operands: "Sequence[Any]") -> "str | None":
    """NumPy's type for operands of different types; None: they have one, or it is the library's to choose."""
    kinds = [getattr(o, "dtype", None) for o in operands]
    if None in kinds or len(set(kinds)) < 2 or _types.DTYPE[_types.TYPES["BF16"]] in kinds:
        return None
    wanted = np.result_type(*kinds)
    return wanted.str if wanted in _types.NUMBER else None


def _truth(made: Any, operands: "Sequence[Any]") -> Any:
    """The result; of operands that are all bool, whether it is not 0."""
    return made != 0 if all(getattr(o, "dtype", None) == np.bool_ for o in operands) else made


def _batches(a: Any, b: Any) -> Any:
    """The product of the last two modes of tensors for each place in the others, which broadcast."""
    if a.ndim == 0 or b.ndim == 0:
        raise ValueError("@ of a scalar: use *")
    letters = _LETTERS[2 : 2 + max(a.ndim, b.ndim)]
    texts, given = [], []
    spread = [max(n, k) for n, k in itertools.zip_longest(a.shape[-3::-1], b.shape[-3::-1], fillvalue=1)]
    for obj, own in ((a, ("i", "a")), (b, ("a", "j"))):
        own_letters = own[-2:] if obj.ndim > 1 else ("a",)
        batch = letters[: max(obj.ndim - 2, 0)][::-1]
        sizes = obj.shape[: max(obj.ndim - 2, 0)]
        single = [n == 1 and spread[len(sizes) - 1 - m] != 1 for m, n in enumerate(sizes)]
        given.append(obj[tuple(0 if one else slice(None) for one in single)] if any(single) else obj)
        texts.append("".join(c for c, one in zip(batch, single) if not one) + "".join(own_letters))
    rest = letters[: len(spread)][::-1] + ("i" if a.ndim > 1 else "") + ("j" if b.ndim > 1 else "")
    return einsum("%s->%s" % (",".join(texts), rest), *given)


_LETTERS = "ijklmnopqstuvwxyz"


def mttkrp(
    tensor: Any, factors: "Sequence[Any]", mode: int = 0, *, out: Any = None, nthreads: "int | None" = None
) -> Any:
    """Matricised tensor times Khatri-Rao product: for mode 0 of three modes A(i,r) = T(i,j,k)*U1(j,r)*U2(k,r).

    factors: one matrix [dim, rank] for each mode; that of `mode` is not used and may be None."""
    given = tensor if isinstance(tensor, Tensor) else as_tensor(tensor)
    order = given.ndim
    if not 2 <= order <= len(_LETTERS) - 1:
        raise ValueError("a tensor of %d modes" % order)
    if not -order <= mode < order:
        raise ValueError("mode %d: the modes are 0 to %d" % (mode, order - 1))
    if len(factors) != order:
        raise ValueError("%d factors for %d modes: one for each mode (that of the mode itself may be None)" % (len(factors), order))
    mode %= order
    others = [m for m in range(order) if m != mode]
    # For mode 0 of three modes this is the text of the built-in kernel, which needs no compiler.
    factor = "".join("*%s(%s,r)" % ("CDEFGHIJKLMNOPQ"[n], _LETTERS[m]) for n, m in enumerate(others))
    text = "A(%s,r) = B(%s)%s" % (_LETTERS[mode], ",".join(_LETTERS[:order]), factor)
    return _cached("kernel_new", text, None)(given, *[factors[m] for m in others], out=out, nthreads=nthreads)


_PRODUCTS = {  # with the names of the built-in kernels, which need no compiler
    (2, 1): "y(i) = A(i,j)*x(j)",
    (1, 2): "y(j) = A(i)*B(i,j)",
    (2, 2): "Y(i,r) = A(i,j)*X(j,r)",
    (1, 1): "c = A(i)*B(i)",
}


@functools.lru_cache(maxsize=1)
def _matrix_times_vector() -> Kernel:
    return Kernel(_PRODUCTS[2, 1])


def matmul(a: Any, b: Any) -> Any:
    """The product of matrices and vectors. Two sparse matrices have a sparse product in csr; otherwise it is dense."""
    if is_lazy() or getattr(type(a), "compute", None) or getattr(type(b), "compute", None):
        from . import _expr

        return _expr.product(a, b)
    if type(a) is Tensor and type(b) is _ndarray and (a._dims[1:], len(a._dims)) == (b.shape, 2) and a.dtype is b.dtype and a._type != _types.PATTERN:
        try:
            return _matrix_times_vector()(a, b)
        except UnsupportedError:
            if a.fill_value == 0:
                raise
    try:
        if not isinstance(a, (Tensor, np.ndarray)):
            a = as_tensor(a)
        if not isinstance(b, (Tensor, np.ndarray)):
            b = as_tensor(b)
    except TypeError:
        return NotImplemented
    for obj in (a, b):
        if isinstance(obj, Tensor) and obj.fill_value != 0:
            return _of_filled(a, b)
    if (a.ndim, b.ndim) not in _PRODUCTS:
        return _batches(a, b)
    if a.shape[-1] != b.shape[0]:
        raise ValueError("@ of shapes %s and %s: %d is not %d" % (a.shape, b.shape, a.shape[-1], b.shape[0]))
    sparse = a.ndim == b.ndim == 2 and not any(isinstance(o, np.ndarray) or o.is_dense for o in (a, b))
    text = "C(i,j) = A(i,k)*B(k,j)" if sparse else _PRODUCTS[a.ndim, b.ndim]
    return _truth(_cached("kernel_new", text, None, _mixed((a, b)))(a, b), (a, b))


def _of_filled(a: Any, b: Any) -> Any:
    """The product where absent cells of a tensor are f: that of what is above f, and f times the sums of the other operand."""
    tensor = a if isinstance(a, Tensor) and a.fill_value != 0 else b
    fill = tensor.fill_value
    if a.ndim > 2 or b.ndim > 2 or not np.isfinite(fill):
        raise ValueError(
            "the fill value of a tensor is %s: @ needs 0, or a finite one in tensors of one or two modes; subtract it first, or multiply "
            "todense()" % fill
        )
    rest, wanted = tensor - fill, np.result_type(a.dtype, b.dtype)
    if tensor is a:
        sums = b.sum(axis=0, dtype=wanted)
        made, more = matmul(rest, b), np.multiply(fill, sums)
        return _cells(made) + (np.broadcast_to(more, made.shape) if a.ndim == 2 else more)
    sums = a.sum(axis=a.ndim - 1, dtype=wanted)
    made, more = matmul(a, rest), np.multiply(fill, sums)
    return _cells(made) + (more[:, None] if a.ndim == b.ndim == 2 else more)


def _cells(made: Any) -> Any:
    return made.todense() if isinstance(made, Tensor) else made


def _right_matmul(b: Any, a: Any) -> Any:
    return matmul(a, b)


Tensor.__matmul__ = matmul  # type: ignore[assignment]
Tensor.__rmatmul__ = _right_matmul  # type: ignore[assignment]
