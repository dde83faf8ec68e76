"""The C library: finding it, its functions with their types, contexts, and long calls that Ctrl-C ends."""
from __future__ import annotations

import _thread
import atexit
import ctypes
import glob
import os
import re
import sys
import threading
import time
import warnings
from collections.abc import Callable
from typing import Any

from . import _abi
from ._errors import TesseraWarning, make_error

Progress = Callable[[str, int, int], Any]

# ---- the library ----


def _candidates() -> "list[str]":
    """Where the library may be: TESSERA_LIBRARY; the prefix in which this package is installed; where the system looks."""
    given = os.environ.get("TESSERA_LIBRARY")
    if given:
        return [given]
    name = "libtessera.so.0"
    here = os.path.dirname(os.path.abspath(__file__))
    found = [os.path.join(here, name)]
    parts = here.split(os.sep)
    if "lib" in parts:  # PREFIX/lib/python3/dist-packages/tessera
        lib = os.sep.join(parts[: len(parts) - parts[::-1].index("lib")])
        found.append(os.path.join(lib, name))
        found += sorted(glob.glob(os.path.join(glob.escape(lib), "*-*", name)))
        found.append(os.path.join(lib + "64", name))
    return [path for path in found if os.path.exists(path)] + [name]


def _load() -> ctypes.CDLL:
    tried = _candidates()
    reason: "OSError | None" = None
    for path in tried:
        try:
            return ctypes.CDLL(path)
        except OSError as error:
            reason = reason or error
    raise ImportError(
        "libtessera.so.0 cannot be loaded (%s): install it, or set TESSERA_LIBRARY to its path" % reason
    ) from reason


_cdll = _load()

# ---- types, structs, constants, functions ----

_SCALARS: "dict[str, Any]" = {
    "int": ctypes.c_int,
    "size_t": ctypes.c_size_t,
    "uint64_t": ctypes.c_uint64,
    "int64_t": ctypes.c_int64,
    "uint32_t": ctypes.c_uint32,
    "double": ctypes.c_double,
}


def _constants() -> "dict[str, dict[str, int]]":
    enums = {}
    for line in _abi.ENUMS.splitlines():
        name, body = line.split(" { ")
        values = re.findall(r"(\w+) = (-?\d+)", body)
        enums[name] = {key.replace("TESSERA_", "", 1): int(value) for key, value in values}
        _SCALARS[name] = ctypes.c_int
    return enums


ENUMS = _constants()
STATUS = {number: name for name, number in ENUMS["tessera_status"].items()}
STRUCTS: "dict[str, Any]" = {}


def _field_type(text: str) -> Any:
    text = text.replace("const ", "").strip()
    if "*" in text:
        return ctypes.c_char_p if text.replace(" ", "") == "char*" else ctypes.c_void_p
    return _SCALARS.get(text) or STRUCTS[text]


def _make_structs() -> None:
    for line in _abi.STRUCTS.splitlines():
        name, body = line.split(" { ", 1)
        fields = []
        for part in body.rstrip(" }").rstrip(";").split(";"):
            callback = re.match(r"\s*\w+ \*?\(\*(\w+)\)", part)
            if callback:
                fields.append((callback.group(1), ctypes.c_void_p))
                continue
            first, *rest = part.split(",")
            head, first_name = re.match(r"\s*(.*?)(\w+)\s*$", first).groups()  # type: ignore[union-attr]
            fields += [(n.strip(), _field_type(head)) for n in [first_name, *rest]]
        STRUCTS[name] = type(name, (ctypes.Structure,), {"_fields_": fields})


def _argument_type(text: str) -> Any:
    is_text = re.match(r"\s*const char \*\w+$", text)
    text = text.replace("const ", "").strip()
    if "[" in text:
        return ctypes.c_void_p
    kind = re.sub(r"\w+$", "", text).strip() or text
    if "*" in text:
        return ctypes.c_char_p if is_text else ctypes.c_void_p
    return _SCALARS[kind]


class _Functions:
    """The functions of the library, without the prefix tessera_."""

    def __init__(self) -> None:
        for line in _abi.FUNCTIONS.splitlines():
            match = re.match(r"(.*?)tessera_(\w+)\((.*)\);", line)
            if not match:
                continue
            result, name, arguments = match.groups()
            try:
                function = getattr(_cdll, "tessera_" + name)
            except AttributeError:
                continue  # an older library: AttributeError where the function is used
            result = result.replace("const ", "").strip()
            if result == "void":
                function.restype = None
            elif "*" in result:
                function.restype = ctypes.c_char_p if result == "char *" else ctypes.c_void_p
            else:
                function.restype = _SCALARS[result]
            function.argtypes = [] if arguments == "void" else [_argument_type(a) for a in arguments.split(",")]
            setattr(self, name, function)
        if hasattr(self, "tensor_labels"):
            self.tensor_labels.restype = ctypes.c_void_p  # several texts, each ended by NUL

    def __getattr__(self, name: str) -> Any:
        raise AttributeError("this libtessera has no function tessera_%s: it is older than the Python package" % name)


_make_structs()
C: Any = _Functions()


def untyped(name: str) -> Any:
    """The function, which returns a status, without types of arguments: for objects of ctypes and bytes alone."""
    try:
        return _cdll["tessera_" + name]
    except AttributeError:
        return None  # an older library


def struct(name: str, /, **fields: Any) -> Any:
    """An instance of a struct of the library, which knows its size."""
    made: ctypes.Structure = STRUCTS["tessera_" + name](**fields)
    if hasattr(made, "size"):
        made.size = ctypes.sizeof(made)
    return made


def encode(text: "str | None") -> "bytes | None":
    """Text for the library: UTF-8, without NUL."""
    if text is None:
        return None
    if not isinstance(text, str):
        raise TypeError("expected a str, not %s" % type(text).__name__)
    if "\0" in text:
        raise ValueError("text with the character NUL")
    return text.encode("utf-8", "surrogateescape")


def decode(text: "bytes | None") -> str:
    return (text or b"").decode("utf-8", "replace")


# ---- contexts: one for each thread ----


class _Context:
    __slots__ = ("ptr", "handle", "nthreads", "__weakref__")

    def __init__(self) -> None:
        self.ptr = C.context_new()
        if not self.ptr:
            raise MemoryError("out of memory: a context of libtessera")
        self.handle = ctypes.c_void_p(self.ptr)  # for functions without types of arguments
        self.nthreads = 0

    def __del__(self, free: Any = C.context_free, ending: Any = sys.is_finalizing) -> None:
        # At the end of the interpreter the thread of this context may still be inside a call: the process frees it.
        if getattr(self, "ptr", None) and not ending():
            free(self.ptr)

    def use(self, nthreads: "int | None") -> int:
        """The context for a call on nthreads threads; None: the default."""
        wanted = nthreads or 0
        if wanted != self.nthreads:
            if not isinstance(wanted, int) or wanted < 0:
                raise ValueError("nthreads must be None or a positive number, not %r" % (nthreads,))
            C.context_set_threads(self.ptr, min(wanted, 256))
            self.nthreads = wanted
        return self.ptr  # type: ignore[no-any-return]


local = threading.local()


def context() -> _Context:
    """The context of this thread."""
    try:
        return local.context  # type: ignore[no-any-return]
    except AttributeError:
        local.context = made = _Context()
        return made


def error_of(ptr: int) -> Exception:
    status = STATUS.get(C.context_status(ptr), "ARGUMENT")
    return make_error(
        status,
        decode(C.context_message(ptr)),
        decode(C.context_path(ptr)),
        C.context_line(ptr),
        C.context_column(ptr),
        decode(C.context_text(ptr)),
    )


def _warn(ptr: int) -> None:
    """Hand on the warnings of the last call, as of the line that called the package."""
    folder = os.path.dirname(__file__)
    level, frame = 1, sys._getframe(0)
    while frame.f_back is not None and os.path.dirname(frame.f_code.co_filename) == folder:
        level, frame = level + 1, frame.f_back
    for i in range(C.context_nwarnings(ptr)):
        warnings.warn(decode(C.context_warning(ptr, i)), TesseraWarning, stacklevel=level)


def call(function: Any, *arguments: Any, nthreads: "int | None" = None) -> None:
    """Call a function of the library in this thread; the context is its last argument. Raises what the library says."""
    ptr = context().use(nthreads)
    if function(*arguments, ptr):
        raise error_of(ptr)


# ---- long calls ----


# A KeyboardInterrupt may arrive between any two steps of the main thread, also inside `threading`, and leave a lock taken that
# the worker then waits for. So the two threads share flags and plain locks that only one side takes: the worker its `wake`, the
# waiting thread `gate`, with a timeout. The other side releases them, which never waits.


def _shut() -> Any:
    """A lock that is taken; release() lets one acquire() through."""
    lock = _thread.allocate_lock()
    lock.acquire()
    return lock


class _Job:
    __slots__ = ("function", "arguments", "context", "keep", "status", "finished", "gate")

    def __init__(self, function: Any, arguments: "tuple[Any, ...]", used: _Context, keep: Any) -> None:
        self.function = function
        self.arguments = arguments
        self.context = used
        self.keep = keep
        self.status = 0
        self.finished = False  # set once, by the worker
        self.gate = _shut()  # released after that


class _Slot:
    """Where a worker's thread finds its next job."""

    __slots__ = ("wake", "job", "ended")

    def __init__(self) -> None:
        self.wake = _shut()
        self.job: "_Job | None" = None
        self.ended = False


_REST_S = 0.02  # after which a worker ends its OpenMP threads: two sets of them would all sleep between calls


def _serve(slot: _Slot) -> None:
    while True:
        if not slot.wake.acquire(timeout=_REST_S):
            C.threads_release()
            slot.wake.acquire()
        job = slot.job
        if slot.ended:
            return
        if job is None:
            continue
        slot.job = None
        job.status = job.function(*job.arguments)
        _running.discard(job.context)
        job.finished = True
        job.gate.release()
        del job


class _Worker:
    """A thread that makes long calls, so that Python's main thread sees signals. Its OpenMP threads serve all calls. The thread ends
    when nothing refers to the worker, as after an interrupt before a call has it."""

    def __init__(self) -> None:
        self.slot = _Slot()
        threading.Thread(target=_serve, args=(self.slot,), name="tessera", daemon=True).start()

    def start(self) -> None:
        """Let the thread take slot.job, unless it has done so."""
        if self.slot.job is not None and self.slot.wake.locked():  # only this side releases it
            self.slot.wake.release()

    def __del__(self, ending: Any = sys.is_finalizing) -> None:
        slot = getattr(self, "slot", None)
        if slot is not None and not ending():
            slot.ended = True
            if slot.wake.locked():
                slot.wake.release()


_idle_workers: "list[_Worker]" = []
_busy: "list[tuple[_Job, _Worker, _Context]]" = []  # calls that run, also those whose waiting was interrupted, with their context


def _forget_workers() -> None:
    """After fork: the threads of the parent do not exist here."""
    _idle_workers.clear()
    _running.clear()


# ---- the end of the interpreter ----

_running: "set[_Context]" = set()  # of the long calls that are in the library now
_ending = False
_END_S = 1.0  # calls that do not end when they are asked to (the run of a kernel) are left behind after this time


def _rest() -> None:
    """Before and after the long calls of a thread, when the interpreter ends: a daemon thread waits for the end of the process, which
    is near. The main thread goes on: it runs what else was registered with atexit."""
    while _ending and threading.current_thread() is not threading.main_thread():
        time.sleep(60)


def _end_calls() -> None:
    """Cancel the calls of daemon threads, and wait until they have undone their work: otherwise the process would end, and other
    libraries would tear down what a call still uses, in the middle of a file."""
    global _ending
    _ending = True
    deadline = time.monotonic() + _END_S
    while _running and time.monotonic() < deadline:
        for used in list(_running):
            C.context_cancel(used.ptr)
        time.sleep(0.002)


atexit.register(_end_calls)


def _take_back(entry: "tuple[_Job, _Worker, _Context]") -> None:
    """The worker of a finished job is idle again."""
    try:
        _busy.remove(entry)
    except ValueError:
        return  # another thread did it
    _idle_workers.append(entry[1])


def _idle_worker() -> _Worker:
    for entry in list(_busy):
        if entry[0].finished:
            _take_back(entry)
    try:
        return _idle_workers.pop()
    except IndexError:
        return _Worker()


os.register_at_fork(after_in_child=_forget_workers)


def _progress_bar() -> "tuple[Progress, Callable[[], None]]":
    """A bar of tqdm where that is installed, else lines on the error output."""
    try:
        from tqdm.auto import tqdm
    except ImportError:

        def show(phase: str, done: int, total: int) -> None:
            sys.stderr.write("\r%s %s   " % (phase, "%d%%" % (100 * done // total) if total else done))
            sys.stderr.flush()

        return show, lambda: print(file=sys.stderr)
    bars: "dict[str, Any]" = {}

    def update(phase: str, done: int, total: int) -> None:
        bar = bars.get(phase)
        if bar is None:
            bar = bars[phase] = tqdm(total=total or None, desc=phase, unit_scale=True)
        bar.update(done - bar.n)

    def close() -> None:
        for bar in bars.values():
            bar.close()

    return update, close


def _watch(job: _Job, ptr: int, progress: "Progress | None") -> None:
    """Wait for the job. Python sees signals meanwhile; what a handler or the progress function raises cancels the job."""
    state = struct("progress")
    last = None
    pause = 0.005
    while not job.finished:
        if job.gate.acquire(timeout=pause):
            continue
        pause = min(2 * pause, 0.1)
        if progress is not None:
            C.context_progress(ctypes.byref(state), ptr)
            now = (decode(state.phase), state.done, state.total)
            if now[0] and now != last:
                progress(*now)
                last = now


def _end(job: _Job, ptr: int) -> bool:
    """Cancel the job. False: it goes on by itself (the run of a kernel)."""
    C.context_cancel(ptr)
    deadline = time.monotonic() + 3.0
    while not job.finished and time.monotonic() < deadline:
        try:
            job.gate.acquire(timeout=0.1)
        except KeyboardInterrupt:
            deadline = min(deadline, time.monotonic() + 1.0)
    return job.finished


def call_long(
    function: Any,
    *arguments: Any,
    keep: Any = None,
    nthreads: "int | None" = None,
    progress: "Progress | bool | None" = None,
    inline: bool = False,
) -> None:
    """Call a function that may take long. In the main thread, or with a progress function, a worker makes the call, while this
    thread serves signals and reports progress. inline: the work is known to be short. keep: what the arguments point to; it
    lives until the call has ended, also where an interrupt has ended the waiting."""
    close: "Callable[[], None]" = lambda: None
    if progress is True:
        progress, close = _progress_bar()
    elif progress is False:
        progress = None
    used = context()
    ptr = used.use(nthreads)
    if progress is None and (inline or threading.current_thread() is not threading.main_thread()):
        if _ending:
            _rest()
        _running.add(used)
        try:
            status = function(*arguments, ptr)
        finally:
            _running.discard(used)
    else:
        job = _Job(function, (*arguments, ptr), used, keep)
        worker = _idle_worker()
        entry = (job, worker, used)
        worker.slot.job = job
        local.__dict__.pop("context", None)  # until the job has finished: an interrupt at any step leaves it to the job
        try:
            _busy.append(entry)
            _running.add(used)
            worker.start()
            _watch(job, ptr, progress)
        except BaseException:
            worker.start()  # where the interrupt came before
            if _end(job, ptr):
                C.context_reset(ptr)
                _take_back(entry)
                local.context = used
            raise
        finally:
            close()
        _take_back(entry)
        local.context = used
        status = job.status
    if _ending:
        _rest()
    if status:
        raise error_of(ptr)
    if C.context_nwarnings(ptr):
        _warn(ptr)


# ---- objects that the library owns ----


class Handle:
    """A pointer to an object of the library, which is freed with the last Python object that uses it."""

    __slots__ = ("ptr", "free", "keep", "shared", "completed", "__weakref__")

    def __init__(self, free: Any) -> None:
        self.ptr = ctypes.c_void_p()  # an output of the library
        self.free = free
        self.keep: Any = None  # what the object borrows
        self.shared = False  # other Python objects can change the indices
        self.completed = False  # the library made arrays that were left out, and frees them with the object

    def __del__(self) -> None:
        if self.ptr:
            self.free(self.ptr)


def take_text(function: Any, *arguments: Any, nthreads: "int | None" = None) -> str:
    """The text that a function makes."""
    made = ctypes.c_void_p()
    call(function, ctypes.byref(made), *arguments, nthreads=nthreads)
    try:
        return decode(ctypes.string_at(made.value)) if made.value else ""
    finally:
        C.text_free(made)


def dims_array(dims: Any) -> Any:
    return (ctypes.c_uint64 * len(dims))(*dims)
