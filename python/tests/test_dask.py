"""Dask: arrays of tensors beside NumPy, conversions by processes that are killed, and the page docs/clusters.md."""
import contextlib
import os
import random
import re
import signal
import threading
from pathlib import Path

import numpy as np
import pytest

dask = pytest.importorskip("dask", reason="the package python3-dask is not installed")

import dask.array as da  # noqa: E402

import tessera as ts  # noqa: E402
import tessera.dask as td  # noqa: E402

ROWS, COLS = 1000, 120
DOCS = Path(os.environ.get("TSR_SOURCE", Path(__file__).resolve().parents[2])) / "docs" / "clusters.md"
Y = np.arange(COLS * 3.0).reshape(COLS, 3)
Z = np.arange(ROWS * 3.0).reshape(ROWS, 3)

# What is done to a dask array, and to the NumPy array of the same cells.
JOBS = {
    "X": lambda X: X,
    "X + X": lambda X: X + X,
    "X * X - X": lambda X: X * X - X,
    "2 * X": lambda X: 2 * X,
    "X.sum": lambda X: X.sum(),
    "rows": lambda X: X.sum(axis=1),
    "columns": lambda X: X.sum(axis=0, keepdims=True),
    "mean": lambda X: X.mean(axis=0),
    "var": lambda X: X.var(axis=0),
    "std": lambda X: X.std(axis=1),
    "max": lambda X: X.max(axis=0),
    "min": lambda X: X.min(),
    "argmax": lambda X: X.argmax(axis=1),
    "any": lambda X: (X > 3).any(axis=0),
    "norms": lambda X: np.sqrt((X**2).sum(axis=1)),
    "X @ y": lambda X: X @ Y[:, 0],
    "X @ Y": lambda X: X @ Y,
    "X.T @ Z": lambda X: X.T @ Z,
    "X.T @ X": lambda X: X.T @ X,
    "tensordot": lambda X: (da if isinstance(X, da.Array) else np).tensordot(X, X, axes=((0,), (0,))),
    "einsum": lambda X: (da if isinstance(X, da.Array) else np).einsum("ij,jk->ik", X, Y),
    "slice": lambda X: X[100:705, ::7],
    "rows by number": lambda X: X[[3, 800, 4]],
    "log1p": lambda X: np.log1p(X),
    "scaled": lambda X: X / (X.sum(axis=1)[:, None] + 1),
    "where": lambda X: (da if isinstance(X, da.Array) else np).where(X > 2, X, 0),
    "stack": lambda X: (da if isinstance(X, da.Array) else np).stack([X, X]),
    "concatenate": lambda X: (da if isinstance(X, da.Array) else np).concatenate([X, X], axis=1),
}


def dense(found):
    return np.asarray(found.todense() if hasattr(found, "todense") else found)


@pytest.fixture(scope="module")
def cells():
    rng = np.random.default_rng(5)
    return np.where(rng.random((ROWS, COLS)) < 0.05, rng.integers(1, 9, (ROWS, COLS)), 0).astype(float)


@pytest.fixture(scope="module")
def path(cells, tmp_path_factory):
    made = str(tmp_path_factory.mktemp("dask") / "cells.h5")
    ts.write(made, ts.asarray(cells), format="csr")
    return made


@pytest.mark.parametrize("job", JOBS)
@pytest.mark.parametrize("chunks", [(300, -1), (250, 50)])
def test_jobs_beside_numpy(path, cells, job, chunks):
    with np.errstate(all="ignore"), dask.config.set(scheduler="sync"):
        made = JOBS[job](td.from_file(path, chunks=chunks))
        want = JOBS[job](cells)
        found = made.compute()
    assert isinstance(made._meta, type(found)) or np.ndim(found) == 0
    assert made.shape == np.shape(want) and made.dtype == found.dtype
    np.testing.assert_allclose(dense(found), want, rtol=1e-12)


def test_blocks(path, cells):
    X = td.from_file(path, chunks=(400, -1), format="csc", dtype="f32")
    assert X.chunks == ((400, 400, 200), (COLS,)) and X.dtype == np.float32
    block = X.blocks[1].compute(scheduler="sync")
    assert isinstance(block, ts.Tensor) and str(block.format) == "csc"
    np.testing.assert_array_equal(block.todense(), cells[400:800])
    made = X.map_blocks(lambda b: b.todense(), meta=np.empty((0, 0), np.float32))
    np.testing.assert_array_equal(made.compute(scheduler="sync"), cells)
    assert isinstance(X.map_blocks(lambda b: b.convert("csr")).compute(scheduler="sync"), ts.Tensor)


def test_names_and_laziness(path, tmp_path):
    X = td.from_file(path)
    assert X.name == td.from_file(path).name != td.from_file(path, chunks=(10, -1)).name
    copy = tmp_path / "copy.h5"
    copy.write_bytes(Path(path).read_bytes())
    later = td.from_file(copy)
    copy.unlink()
    with pytest.raises(OSError):
        (later + 1).compute(scheduler="sync")
    one = ts.asarray(np.eye(3))
    assert dask.base.tokenize(one) == dask.base.tokenize(ts.asarray(np.eye(3))) != dask.base.tokenize(one * 2)
    assert dask.sizeof.sizeof(one) == one.nbytes


def test_objects_of_a_file(tmp_path, cells):
    path = str(tmp_path / "two.h5")
    ts.write(path + ":one", ts.asarray(cells), format="csr")
    X = td.from_file(path + ":one", chunks=(300, -1))
    np.testing.assert_array_equal(X.compute(scheduler="sync").todense(), cells)
    td.convert(path + ":one", tmp_path / "out.h5", format="csc", parts=2)
    np.testing.assert_array_equal(ts.read(tmp_path / "out.h5").todense(), cells)


def test_refusals(tmp_path, path):
    text = tmp_path / "a.mtx"
    ts.write(text, ts.asarray(np.eye(3)))
    with pytest.raises(ValueError, match="cannot be read alone.*tessera.dask.convert"):
        td.from_file(text)
    td.convert(text, tmp_path / "a.h5", parts=1)
    assert td.from_file(tmp_path / "a.h5").shape == (3, 3)
    with pytest.raises(ValueError, match="name one of them|has no tensor"):
        td.from_file(path, "absent")
    with pytest.raises(ValueError, match="0 parts"):
        td.convert(text, tmp_path / "b.h5", parts=0)
    with pytest.raises(OSError):
        td.convert(tmp_path / "absent.tns", tmp_path / "b.h5")
    assert sorted(os.listdir(tmp_path)) == ["a.h5", "a.mtx"]


def test_to_file(path, cells, tmp_path):
    out = tmp_path / "double.h5"
    made = td.to_file(td.from_file(path, chunks=(300, 50)) * 2, out, format="csc", compute=False)
    assert not out.exists()
    assert made.compute(scheduler="sync") == str(out)
    found = ts.read(out)
    assert str(found.format) == "csc"
    np.testing.assert_array_equal(found.todense(), cells * 2)


@pytest.mark.parametrize("chunks", [(300, -1), (250, 50), (-1, 30)])
@pytest.mark.parametrize("name", ["whole.h5", "whole.mtx", "whole.npz"])
def test_to_file_by_blocks(path, cells, tmp_path, chunks, name):
    """The bytes of the whole, of blocks that no task holds together; other files in the folder stay."""
    for k, (job, format) in enumerate(
        [(lambda X: X, "csr"), (lambda X: X * 2.5 - X, "csc"), (lambda X: X * 0, "csr"), (lambda X: X.astype("f4") / 3, "coo"), (lambda X: X.astype("i4"), "csr")]
    ):
        if name.endswith(".npz") and k == 2:
            continue
        out, want = tmp_path / ("%d" % k) / name, tmp_path / ("want%d" % k) / name
        out.parent.mkdir(), want.parent.mkdir()
        ts.write(want, job(ts.read(path)), format=format)
        with dask.config.set(scheduler="threads"):
            assert td.to_file(job(td.from_file(path, chunks=chunks)), out, format=format, memory="64M") == str(out)
        if k == 2:  # zeros that are stored, or not
            assert not ts.read(out).todense().any()
        else:
            assert out.read_bytes() == want.read_bytes(), (name, k)
        assert os.listdir(out.parent) == [name]


def test_to_file_of_blocks_that_fail(path, tmp_path):
    out = tmp_path / "out.h5"
    out.write_bytes(b"old")

    def fails(block, block_info=None):
        if block_info and block_info[0]["chunk-location"] == (2, 0):
            raise RuntimeError("no block")
        return block

    X = td.from_file(path, chunks=(300, -1))
    with pytest.raises(RuntimeError, match="no block"):
        td.to_file(X.map_blocks(fails, dtype=X.dtype, meta=X._meta), out, format="csr")
    with pytest.raises(ts.UnsupportedError, match="as a whole"):
        td.to_file(np.exp(X), out, format="csr")
    assert out.read_bytes() == b"old" and os.listdir(tmp_path) == ["out.h5"]


def test_to_file_whose_tasks_run_again(path, cells, tmp_path):
    out, folder = str(tmp_path / "out.h5"), tmp_path / "out.h5.parts"
    X = ts.read(path)
    ts.write(tmp_path / "want.h5", X, format="csr")
    want = (tmp_path / "want.h5").read_bytes()
    block = lambda k: td._write_block(X[k * 500 : k * 500 + 500], (k * 500, 0), str(folder / ("%d.tns" % k)), out)  # noqa: E731
    how = {"dims": X.shape, "format": "csr"}
    first = [block(0), block(1)]
    for again in ([], [0], [1], [0, 1]):  # the last task is lost after its work: it runs again, after some of the blocks
        blocks = [block(k) if k in again else first[k] for k in (0, 1)]
        assert td._join_blocks(blocks, out, how) == out
        assert Path(out).read_bytes() == want and sorted(os.listdir(tmp_path)) == ["out.h5", "want.h5"]
    os.remove(out)
    with pytest.raises(FileNotFoundError, match="are gone"):
        td._join_blocks([dict(b, before=None) for b in first], out, how)


def test_tasks_that_run_again(tmp_path):
    """The last task may have done its work on a worker that is lost before it says so; some parts run again, and then the last task."""
    write_entries(tmp_path / "in.tns", 3000, 3)
    texts = str(tmp_path / "in.tns"), str(tmp_path / "out.h5")
    ts.convert_file(texts[0], tmp_path / "want.h5", format="csf")
    want, how = (tmp_path / "want.h5").read_bytes(), {"format": "csf", "memory": "64M"}
    for again in ([0, 1, 2], [1], [], [2, 0]):
        files = [texts[0]]
        cut = [td._read_part(files, texts[1], i, 3, how) for i in again]
        assert all(cut)
        assert td._finish(files, texts[1], [True] * 3, how, how) == texts[1]
        assert Path(texts[1]).read_bytes() == want
        assert sorted(os.listdir(tmp_path)) == ["in.tns", "out.h5", "want.h5"]


# ---- processes ----


def write_entries(path, n, seed):
    rng = np.random.default_rng(seed)
    table = np.column_stack([rng.integers(1, (50000, 300, 200), (n, 3)), rng.integers(1, 90, n)])
    np.savetxt(path, table, fmt="%d %d %d %d.5")


@contextlib.contextmanager
def cluster(n=4):
    distributed = pytest.importorskip("distributed", reason="the package python3-distributed is not installed")
    dask.config.set({"distributed.scheduler.allowed-failures": 20})
    with distributed.LocalCluster(
        n_workers=n, threads_per_worker=1, processes=True, dashboard_address=None, memory_limit="600MB"
    ) as made, distributed.Client(made) as client:
        yield client


def kill_workers(pids, rng, done):
    """Kill a worker at random moments until the work is done."""
    killed = 0
    while not done.wait(rng.uniform(0.05, 0.6)):
        with contextlib.suppress(ProcessLookupError, OSError):
            pid = rng.choice(pids())
            if pid:
                os.kill(pid, signal.SIGKILL)
                killed += 1
        done.wait(1.5)
    return killed


def test_convert_by_processes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_entries("in.tns", 200000, 1)
    ts.convert_file("in.tns", "want.h5", format="csf")
    want = Path("want.h5").read_bytes()
    assert td.convert("in.tns", "alone.h5", format="csf") == "alone.h5"
    assert Path("alone.h5").read_bytes() == want
    os.system("gzip -k in.tns")
    Path("bad.tns").write_text("1 2 3 4\n" * 1000 + "x\n" + "1 1 1 1\n" * 1000)
    with cluster() as client:
        td.convert("in.tns", "out.h5", format="csf", memory="100M")  # its client is the one that is there
        assert Path("out.h5").read_bytes() == want
        plan = td.plan("in.tns", "planned.h5", format="csf", memory="100M")
        assert not plan.counted and str(plan).count("\n") == 5 and plan["tasks"] == 4 and plan["memory"] == 100 << 20
        td.convert("in.tns", "planned.h5", format="csf", memory="100M", plan=plan)
        for name in ("moved", "arrays", "written") if plan.counted["read"] else ():  # a system that counts
            journal = 500_000 if name == "arrays" else 0  # written by the last task, whatever the size
            assert abs(plan.counted[name] - plan[name]) < 0.02 * plan[name] + journal, (name, plan)
        assert plan.counted["written"] == os.path.getsize("planned.h5") and "{:,}".format(plan.counted["moved"]) in str(plan)
        lines = Path("in.tns").read_text().splitlines(True)
        for k, cut in enumerate([(0, 50000), (50000, 50001), (50001, 120000), (120000, None)]):
            Path("part%d.tns" % k).write_text("".join(lines[slice(*cut)]))
        os.system("gzip part2.tns")
        files = ["part0.tns", "part1.tns", "part2.tns.gz", "part3.tns"]
        for parts in (None, 2, 9):
            td.convert(files, "many.h5", format="csf", memory="100M", parts=parts)
            assert Path("many.h5").read_bytes() == want
        td.convert(files, "along.h5", format="csf", along=1, parts=5)
        ts.convert_file(files, "alone.h5", format="csf", along=1)
        assert Path("along.h5").read_bytes() == Path("alone.h5").read_bytes()
        plan = td.plan("want.h5", "packed.h5", format="csf:2,0,1", memory="100M")
        td.convert("want.h5", "packed.h5", format="csf:2,0,1", memory="100M", plan=plan)
        for name in ("moved", "arrays", "written") if plan.counted["read"] else ():
            assert abs(plan.counted[name] - plan[name]) < 0.02 * plan[name] + (500_000 if name == "arrays" else 0), (name, plan)
        assert plan["read"] is None and "not known" in str(plan)
        td.convert("in.tns.gz", "zipped.h5", format="csf", client=client, parts=2)
        assert Path("zipped.h5").read_bytes() == want
        with pytest.raises(ts.FormatError, match="expected an index"):
            td.convert("bad.tns", "bad.h5", format="csf")
        assert not os.path.exists("bad.h5")
        X = td.from_file("want.h5", chunks=(10000, -1, -1))
        td.to_file(X, "again.h5", format="csf", memory="100M")
        assert Path("again.h5").read_bytes() == want
        np.testing.assert_allclose(X.sum(axis=(1, 2)).compute(), ts.read("want.h5").sum(axis=(1, 2)))


def test_workers_that_are_killed(tmp_path, monkeypatch):
    """TSR_KILLS conversions, 3 if it is not set, during which workers are killed: the same bytes, or one error and no output, and then the same call
    goes on. A nanny whose worker dies while it starts gives up, so a cluster serves a few conversions."""
    distributed = pytest.importorskip("distributed", reason="the package python3-distributed is not installed")
    monkeypatch.chdir(tmp_path)
    write_entries("in.tns", 200000, 1)
    ts.convert_file("in.tns", "want.h5", format="csf")
    want, counts = Path("want.h5").read_bytes(), []
    rng, turns = random.Random(int(os.environ.get("TSR_SEED", "7"))), int(os.environ.get("TSR_KILLS", "3"))
    for first in range(0, turns, 3):
        with cluster() as client:
            for turn in range(first, min(first + 3, turns)):
                counts.append(convert_under_kills(client, "killed%d.h5" % turn, rng, turn % 3 == 2, distributed.KilledWorker))
                assert Path("killed%d.h5" % turn).read_bytes() == want, counts[-1]
    assert sorted(os.listdir()) == sorted(["in.tns", "want.h5", *("killed%d.h5" % turn for turn in range(turns))])
    print("conversions:", turns, "workers killed:", sum(n for n, _ in counts), "conversions that failed and went on:", sum(f for _, f in counts))


def convert_under_kills(client, out, rng, may_fail, error):
    """(workers that were killed, whether the first call failed)"""
    done, killed, failed = threading.Event(), [], False
    pids = lambda: [w.pid for w in client.cluster.workers.values() if w.pid and w.status.name == "running"] or [0]  # noqa: E731
    thread = threading.Thread(target=lambda: killed.append(kill_workers(pids, rng, done)))
    client.cluster.scheduler.allowed_failures = 0 if may_fail else 20
    thread.start()
    try:
        td.convert("in.tns", out, format="csf", parts=40, client=client)
    except error:
        failed = True
        assert may_fail and not os.path.exists(out)
    finally:
        done.set()
        thread.join()
    if failed:
        client.cluster.scheduler.allowed_failures = 20
        td.convert("in.tns", out, format="csf", parts=40, client=client)
    return killed[0], failed


def test_plan_of_formats(tmp_path, monkeypatch):
    """The entries, and the bytes of the arrays of the file, for several formats; what has no plan."""
    monkeypatch.chdir(tmp_path)
    write_entries("in.tns", 100000, 2)
    for format in ("csf", "coo", "dss:0,1,2", "sss:2,0,1"):
        plan = td.plan("in.tns", "out.h5", format=format)
        ts.convert_file("in.tns", "out.h5", format=format)
        assert abs(plan["entries"] / 100000 - 1) < 0.01
        assert abs(plan["written"] / os.path.getsize("out.h5") - 1) < 0.02, format
    assert td.plan("in.tns", "out.mtx")["written"] is None and "not known" in str(td.plan("in.tns", "out.mtx"))
    assert td.plan("in.tns", "out.h5", format="hash")["arrays"] is None
    ts.write("in.mtx", ts.read("in.tns", transform="reduce=sum:2"))
    assert td.plan("in.mtx", "out.h5", format="csr")["entries"] == ts.read("in.mtx").nnz
    Path("in.csv").write_text("a,b,c\n1,2,3\n")
    with pytest.raises(ValueError, match="texts of coordinates"):
        td.plan("in.csv", "again.h5")


def test_docs(tmp_path, monkeypatch, cells):
    """The programs of the page run as they stand."""
    pytest.importorskip("distributed", reason="the package python3-distributed is not installed")
    monkeypatch.chdir(tmp_path)
    write_entries("in.tns", 5000, 2)
    for month in ("jan", "feb", "mar"):
        write_entries(month + ".tns", 3000, len(month))
    os.system("gzip mar.tns")
    ts.write("big.h5ad", ts.asarray(cells), format="csr")
    section = DOCS.read_text().split("## Dask")[1].split("\n## ")[0]
    program = "\n".join(re.findall(r"(?:^    .*\n|^\n)+", section, re.M))
    lines = [line[4:] for line in program.split("\n")]
    assert sum("tessera.dask" in line for line in lines) >= 1
    exec(compile("\n".join(lines), str(DOCS), "exec"), {"__name__": "page"})
    assert ts.read("year.h5").shape[0] > 2 * ts.read("out.h5").shape[0] > 0 and ts.read("normal.h5").shape == cells.shape
