"""ts.convert_file writes the bytes that tconv writes, for every kind of file, in memory and through temporary files."""
import os
import subprocess
import sys

import numpy as np
import pytest

import tessera as ts

TCONV = os.environ.get("TSR_TCONV")
pytestmark = pytest.mark.skipif(not TCONV, reason="TSR_TCONV does not name the tool")
OUTPUTS = ("out.mtx", "out.tns.gz", "out.csv", "out.h5", "out.npz", "out.mat", "out.rds", "out.bin")


def entries(n, dims, seed=1):
    rng = np.random.default_rng(seed)
    return ts.from_coords(np.array([rng.integers(0, d, n) for d in dims]), rng.random(n), dims, format="csr" if len(dims) == 2 else "csf")


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("in")
    for dims, names in (((300, 200), ("m.mtx", "m.mtx.gz", "m.csv", "m.npz", "m.h5", "m.mat")), ((60, 50, 40), ("t.tns", "t.h5"))):
        A = entries(4000, dims)
        for name in names:
            ts.write(folder / name, A)
    (folder / "s.mtx").write_text("%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 2\n2 1 3\n3 2 4\n")
    return folder


def both(source, folder, out, options, arguments, bucket):
    """The two files, or the two refusals."""
    os.makedirs(folder / "own", exist_ok=True)
    os.makedirs(folder / "tool", exist_ok=True)
    mine, other = folder / "own" / out, folder / "tool" / out
    os.environ.pop("TSR_STREAM_BUCKET", None)
    if bucket:
        os.environ["TSR_STREAM_BUCKET"] = bucket  # builds for tests read it: entries of a bucket
    try:
        ts.convert_file(source, mine, **options)
        refusal = ""
    except ts.TesseraError as error:
        refusal = str(error)
    os.environ.pop("TSR_STREAM_BUCKET", None)  # the tool works in memory
    tool = subprocess.run([TCONV, str(source), "-q", "-o", str(other), *arguments], capture_output=True, text=True)
    assert (refusal == "") == (tool.returncode == 0), (source.name, out, options, refusal, tool.stderr)
    assert sorted(os.listdir(folder / "own")) == sorted(os.listdir(folder / "tool"))
    if not refusal:
        assert mine.read_bytes() == other.read_bytes(), (source.name, out, options)
        mine.unlink()
        other.unlink()
    return not refusal


def test_same_bytes(inputs, tmp_path):
    done = 0
    for k, name in enumerate(sorted(os.listdir(inputs))):
        for i, out in enumerate(OUTPUTS):
            bucket = (None, "700")[(k + i) % 2]
            done += both(inputs / name, tmp_path, out, {}, [], bucket)
    assert done > 40


@pytest.mark.parametrize("bucket", (None, "700"))
def test_same_options(inputs, tmp_path, bucket):
    for source, out, options, arguments in (
        ("m.mtx", "o.h5", {"format": "csc"}, ["--format=csc"]),
        ("m.csv", "o.h5", {"format": "coo", "index_width": 64}, ["--format=coo", "--index=64"]),
        ("t.tns", "o.h5", {"format": "csf:2,0,1", "dtype": "f4"}, ["--format=csf:2,0,1", "--type=f32"]),
        ("t.tns", "o.tns", {"transform": "slice=0:20,:,:; transpose=2,1,0"}, ["--slice=0:20,:,:", "--transpose=2,1,0"]),
        ("t.h5", "o.tns", {"duplicates": "first", "format": "coo"}, ["--duplicates=first", "--format=coo"]),
        ("s.mtx", "o.mtx", {"keep_symmetry": True}, ["--keep-symmetry"]),
        ("s.mtx", "o.h5", {"format": "csr"}, ["--format=csr"]),
        ("m.npz", "o.h5", {"transform": "transpose=1,0"}, ["--transpose=1,0"]),
        ("m.mtx", "o.npz", {"deflate": 6}, ["--deflate=6"]),
    ):
        assert both(inputs / source, tmp_path, out, options, arguments, bucket), (source, options)


MEASURE = """
import os, resource, sys, threading, time, tessera as ts
def held():
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGESIZE")
most, go = 0, True
def look():
    global most
    while go:
        most = max(most, held())
        time.sleep(0.002)
before = held()
watcher = threading.Thread(target=look)
watcher.start()
ts.convert_file("in.tns", "part.h5", format="csf", memory="%dM", nthreads=2)
go = False
watcher.join()
print((most - before) >> 20)
"""


def test_memory_is_kept(tmp_path):
    """The tensor takes several times the limit in memory."""
    rng = np.random.default_rng(5)
    n = 1500000
    crd = rng.integers(1, 2000000, (n, 3))
    with open(tmp_path / "in.tns", "w") as file:
        np.savetxt(file, np.column_stack([crd, np.arange(n)]), fmt="%d")
    limit = 80
    made = subprocess.run([sys.executable, "-c", MEASURE % limit], cwd=tmp_path, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    assert int(made.stdout) <= limit, made.stdout
    ts.convert_file(tmp_path / "in.tns", tmp_path / "whole.h5", format="csf")
    assert (tmp_path / "part.h5").read_bytes() == (tmp_path / "whole.h5").read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["in.tns", "part.h5", "whole.h5"]


def test_shards(tmp_path):
    """Parts, in any order and by two ways of naming them, make the file that one call makes."""
    ts.write(tmp_path / "in.tns", entries(3000, (60, 50, 40)))
    ts.convert_file(tmp_path / "in.tns", tmp_path / "whole.h5", format="csf", verify=True)
    for shard in ((2, 3), "0/3", (1, 3)):
        ts.convert_file(tmp_path / "in.tns", tmp_path / "out.h5", format="csf", shard=shard)
        assert not (tmp_path / "out.h5").exists()
    with pytest.raises(ValueError, match="compares in memory"):
        ts.convert_file(tmp_path / "in.tns", tmp_path / "out.h5", format="csf", shard=(0, 3), verify=True)
    ts.convert_file(tmp_path / "in.tns", tmp_path / "out.h5", format="csf", join=True)
    assert (tmp_path / "out.h5").read_bytes() == (tmp_path / "whole.h5").read_bytes()
    with pytest.raises(ValueError, match="write I/N"):
        ts.convert_file(tmp_path / "in.tns", tmp_path / "out.h5", shard=(3, 3))


def test_resume(tmp_path):
    """Where nothing was left, all of the input is converted, with a warning."""
    ts.write(tmp_path / "in.tns", entries(3000, (60, 50, 40)))
    ts.convert_file(tmp_path / "in.tns", tmp_path / "whole.h5", format="csf")
    with pytest.warns(ts.TesseraWarning, match="nothing to resume"):
        ts.convert_file(tmp_path / "in.tns", tmp_path / "out.h5", format="csf", resume=True)
    assert (tmp_path / "out.h5").read_bytes() == (tmp_path / "whole.h5").read_bytes()
