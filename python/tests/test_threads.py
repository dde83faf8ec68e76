"""Threads of Python, the GIL, fork."""
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest

import tessera as ts

rng = np.random.default_rng(2)


def large(n=400000, dim=20000):
    return ts.from_coords(rng.integers(0, dim, (2, n)), rng.random(n), (dim, dim), format="csr", duplicates="first")


def test_other_threads_run_meanwhile():
    """The GIL is released: a thread that counts gets on while the library packs."""
    crd, values = rng.integers(0, 100000, (2, 1500000)), rng.random(1500000)
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1
            stop.wait(0.0002)

    inside = []

    def work():
        before = counted[0]
        ts.from_coords(crd, values, (100000, 100000), format="csr", nthreads=1)
        inside.append(counted[0] - before)

    counter, worker = threading.Thread(target=count), threading.Thread(target=work)
    counter.start()
    worker.start()
    worker.join()
    stop.set()
    counter.join()
    assert inside[0] >= 3


def test_many_threads_use_the_same_objects():
    A = large()
    k = ts.kernel("y(i) = A(i,j)*x(j)", A=A)
    xs = [rng.random(A.shape[1]) for _ in range(8)]
    expected = [k(x=x, nthreads=1) for x in xs]
    wrong = []

    def work(i):
        for _ in range(20):
            if not np.allclose(k(x=xs[i], nthreads=1 + i % 2), expected[i]):
                wrong.append(i)
            if A.convert("coo").nnz != A.nnz:
                wrong.append(i)
            try:
                A.convert("nonsense%d" % i)
            except ts.TesseraError as error:  # each thread has its own error
                if "nonsense%d" % i not in str(error):
                    wrong.append(str(error))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert wrong == []


def test_first_calls_at_once():
    """Threads that meet at the first call of a kernel."""
    for _ in range(5):
        k = ts.kernel("y(i) = A(i,j)*x(j)")
        A, x, got, gate = ts.convert(np.eye(50), "csr"), np.arange(50.0), [], threading.Barrier(6)

        def work():
            gate.wait()
            got.append(k(A, x))

        threads = [threading.Thread(target=work) for _ in range(6)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        assert len(got) == 6 and all(np.array_equal(g, x) for g in got)


def _child(queue, A, x):
    y = ts.einsum("ij,j->i", A, x)
    queue.put((A.convert("csc").nnz, y, ts.read(os.environ["TSR_CHILD_FILE"], format="csr").nnz))


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_child_processes(method, tmp_path, monkeypatch):
    """After parallel work in the parent, a forked child works, too: libgomp alone would wait for ever."""
    A, x = large(), np.ones(20000)
    path = tmp_path / "a.mtx"
    A.write(path)
    monkeypatch.setenv("TSR_CHILD_FILE", str(path))
    expected = ts.einsum("ij,j->i", A, x)
    ts.read(path)
    context = multiprocessing.get_context(method)
    queue = context.Queue()
    child = context.Process(target=_child, args=(queue, A, x))
    child.start()
    nnz, y, again = queue.get(timeout=120)
    child.join(60)
    assert child.exitcode == 0 and nnz == again == A.nnz and np.allclose(y, expected)


def test_end_of_the_interpreter():
    """Objects that are alive at the end, also in a thread, do not disturb it."""
    code = """
import threading, numpy as np, tessera as ts
A = ts.convert(np.eye(100), "csr"); v = A.values; k = ts.kernel("y(i) = A(i,j)*x(j)", A=A); y = k(x=np.ones(100))
def forever():
    while True:
        ts.convert(np.eye(50), "coo")
threading.Thread(target=forever, daemon=True).start()
cycle = [A]; cycle.append(cycle)
"""
    for _ in range(3):
        done = subprocess.run([sys.executable, "-X", "dev", "-c", code], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0 and done.stderr == "", done.stderr


def test_contexts_outlive_the_interpreter():
    """A thread inside a call still uses its context when the interpreter ends: only the end of a thread frees it."""
    code = """
import os, threading, tessera._lib as lib
delete = lib._Context.__del__
delete.__defaults__ = (lambda ptr: os.write(1, b"freed "), *delete.__defaults__[1:])
lib.context()
ended = threading.Thread(target=lib.context)
ended.start()
ended.join()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "freed ", "")


def test_end_of_the_interpreter_ends_calls(tmp_path):
    """A daemon thread that is inside a call when the interpreter ends: the call is cancelled and undone. It once went on while the
    process was torn down, and left a part of a file."""
    code = """
import glob, threading, time, numpy as np, tessera as ts
A = ts.from_coords(np.arange(2400000).reshape(2, -1) %% 1000000, np.random.default_rng(1).random(1200000), (1000000, 1000000), format="coo", duplicates="first")
def write():
    while True:
        A.write("a.mtx", %s)
threading.Thread(target=write, daemon=True).start()
while not [name for name in glob.glob(".*") + glob.glob("*") if name != "a.mtx"]:
    time.sleep(0.001)
"""
    for options in ("nthreads=1", "progress=lambda *_: None"):
        done = subprocess.run([sys.executable, "-X", "dev", "-c", code % options], cwd=tmp_path, capture_output=True, text=True, timeout=120)
        assert (done.returncode, done.stderr) == (0, "")
        assert set(os.listdir(tmp_path)) <= {"a.mtx"}


def test_calls_at_the_end_of_the_interpreter():
    """What was registered with atexit before the package was imported may still use it."""
    code = """
import atexit
def last():
    A = ts.convert(np.random.default_rng(1).random((1000, 1000)), "csr")
    print(A.convert("csc").nnz, flush=True)
atexit.register(last)
import numpy as np, tessera as ts
"""
    done = subprocess.run([sys.executable, "-X", "dev", "-c", code], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "1000000\n", "")


def test_wrong_numbers_of_threads():
    A = ts.convert(np.eye(3), "csr")
    for bad in (-1, 1.5, "two"):
        with pytest.raises((ValueError, TypeError)):
            A.convert("coo", nthreads=bad)
    assert A.convert("coo", nthreads=10**6).nnz == 3
    assert pickle.loads(pickle.dumps(A)).nnz == 3
