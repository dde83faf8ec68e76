"""Ctrl-C ends long calls, and the library works afterwards."""
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import tessera as ts

# The child says "ready" when the call is about to begin; the signal comes 0.3 s later.
WAITS_FOR_INPUT = """
import os, sys, tessera as ts
os.mkfifo("silent.mtx")
writer = os.open("silent.mtx", os.O_RDWR)
os.write(writer, b"%%MatrixMarket matrix coordinate real general\\n")
print("ready", flush=True)
try:
    ts.read("silent.mtx", codec="mtx")
except KeyboardInterrupt:
    print("interrupted", flush=True)
import numpy as np
print(ts.convert(np.eye(3), "csr").nnz)
"""
PACKS = """
import numpy as np, tessera as ts
crd = np.random.default_rng(1).integers(0, 2**40, (3, 1000000)); values = np.ones(1000000)
print("ready", flush=True)
try:
    while True:
        ts.from_coords(crd, values, (2**40,) * 3, format="csf", nthreads=1)
except KeyboardInterrupt:
    print("interrupted", flush=True)
print(ts.convert(np.eye(3), "csr").nnz)
"""
# A call that cannot be cancelled, as the run of a kernel: Python goes on, and what the call uses stays alive until it ends.
GOES_ON = """
import ctypes, gc, time, weakref, numpy as np, tessera as ts
from tessera import _lib
class Kept: pass
kept, sleep = Kept(), ctypes.CDLL(None).sleep
reference = weakref.ref(kept)
print("ready", flush=True)
begin = time.monotonic()
try:
    _lib.call_long(sleep, 6, keep=kept)
except KeyboardInterrupt:
    print("interrupted", flush=True)
took = time.monotonic() - begin
del kept
gc.collect()
assert took < 5.5 and reference() is not None and len(_lib._busy) == 1
assert ts.convert(np.eye(3), "csr").nnz == 3
while not _lib._busy[0][0].finished:
    time.sleep(0.05)
_lib._idle_workers.append(_lib._idle_worker())
gc.collect()
assert reference() is None and _lib._busy == []
print(ts.from_coords(np.zeros((1, 200000), int), np.ones(200000), (3,)).shape[0])
"""
# An interrupt at each single step of the call: once, one inside threading.Event left its lock taken, and Python hung.
AT_EACH_STEP = """
import ctypes, faulthandler, sys, threading, time, numpy as np, tessera as ts
from tessera import _lib
faulthandler.dump_traceback_later(60, exit=True)
usleep = ctypes.CDLL(None).usleep
def interrupted_at(step):
    def trace(frame, event, argument):
        nonlocal step
        frame.f_trace_opcodes = True
        if event == "opcode":
            step -= 1
            if step < 0:
                sys.settrace(None)
                raise KeyboardInterrupt
        return trace
    try:
        sys.settrace(trace)
        _lib.call_long(usleep, 8000)
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(None)
    return False
_lib._END_S = 0.1
print("ready", flush=True)
step = 0
while interrupted_at(step):
    assert all(_lib.context() is not entry[2] for entry in _lib._busy if not entry[0].finished), step
    _lib.call_long(usleep, 10)
    step += 1
print("interrupted" if step > 100 else step, flush=True)
time.sleep(0.1)
_lib._idle_workers.append(_lib._idle_worker())
assert _lib._busy == [] and threading.active_count() == 2, (_lib._busy, threading.enumerate())
print(ts.convert(np.eye(3), "csr").nnz, flush=True)
"""
HANDLER_THAT_RETURNS = """
import os, signal, threading, tessera as ts
os.mkfifo("slow.mtx")
seen = []
signal.signal(signal.SIGINT, lambda *_: seen.append(1))
def feed():
    with open("slow.mtx", "wb") as f:
        f.write(b"%%MatrixMarket matrix coordinate real general\\n3 3 3\\n"); f.flush()
        while not seen:
            ready.wait(0.05)
        f.write(b"1 1 1\\n2 2 1\\n3 3 1\\n")
ready = threading.Event()
threading.Thread(target=feed).start()
print("ready", flush=True)
T = ts.read("slow.mtx", codec="mtx")
print("interrupted" if seen else "not seen", flush=True)
print(T.nnz)
"""


@pytest.mark.parametrize("program", [WAITS_FOR_INPUT, PACKS, GOES_ON, HANDLER_THAT_RETURNS], ids=["waiting", "packing", "stubborn", "handler"])
def test_interrupt(program, tmp_path):
    child = subprocess.Popen(
        [sys.executable, "-X", "dev", "-c", program], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
    # Python drops an interrupt that arrives while it frees an object, and says so: a user presses Ctrl-C again.
    may_be_dropped, presses = program is PACKS, 0
    try:
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.3)
        while True:
            os.kill(child.pid, signal.SIGINT)
            presses += 1
            try:
                out, err = child.communicate(timeout=10 if may_be_dropped and presses < 5 else 60)
                break
            except subprocess.TimeoutExpired:
                if not may_be_dropped or presses == 5:
                    raise
    finally:
        child.kill()
    assert (out, child.returncode) == ("interrupted\n3\n", 0)
    assert err == "" or presses > 1 and err.count("KeyboardInterrupt") == presses - 1


def test_interrupts_at_each_step():
    child = subprocess.run([sys.executable, "-c", AT_EACH_STEP], capture_output=True, text=True)
    assert (child.stdout, child.returncode) == ("ready\ninterrupted\n3\n", 0), child.stderr


def test_the_compiler_is_ended(tmp_path, monkeypatch):
    """What a progress function raises ends the compiler of a kernel. It once ran on, and its thread with it."""
    from tessera import _lib

    compiler, started = tmp_path / "cc", []
    compiler.write_text('#!/bin/sh\n[ "$1" = --version ] && exit\nexec sleep 20\n')
    compiler.chmod(0o700)
    monkeypatch.setenv("TSR_CC", str(compiler))
    k = ts.kernel("y(i) = 5*A(i,j)*x(j)", engine="jit", A=ts.convert(np.eye(3), "csr"))

    def stop(phase, done, total):
        started.append(phase)
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        k(x=np.ones(3), progress=stop)
    assert started == ["compile"] and _lib._busy == []
