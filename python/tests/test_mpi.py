"""Tensors over the ranks of mpirun, beside one process; matrices of PETSc; and the commands of docs/clusters.md."""
import glob
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("mpi4py", reason="the package python3-mpi4py is not installed")
if not shutil.which("mpirun"):
    pytest.skip("mpirun is not installed", allow_module_level=True)

import tessera as ts  # noqa: E402

HERE = Path(__file__).resolve().parent
DOCS = Path(os.environ.get("TSR_SOURCE", HERE.parents[1])) / "docs" / "clusters.md"
# Debian keeps petsc4py beside the PETSc that it was built for, where Python does not look.
PETSC = sorted(glob.glob("/usr/lib/petscdir/*/*-real/lib/python3/dist-packages"))[-1:]
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--mca", "btl", "self,vader"]


def run(n, *command, cwd, **env):
    path = os.pathsep.join([os.environ.get("PYTHONPATH", ""), *PETSC]).strip(os.pathsep)
    of_ranks = {k: v for k, v in os.environ.items() if not k.startswith(("OMPI_", "PMI"))}
    of_ranks.update(PYTHONPATH=path, OMP_NUM_THREADS="1", **env)
    return subprocess.run([*MPIRUN, "-n", str(n), *command], cwd=cwd, env=of_ranks, timeout=120, text=True, capture_output=True, check=False)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mpi")
    rng = np.random.default_rng(9)

    def matrix(name, rows, columns, n):
        cells = rng.choice(rows * columns, n, replace=False)
        ts.write(folder / name, ts.from_coords(np.unravel_index(cells, (rows, columns)), rng.random(n), (rows, columns)))

    matrix("a.mtx", 400, 300, 4000)
    matrix("square.mtx", 150, 150, 900)
    matrix("tall.mtx", 3, 50, 20)  # fewer rows than ranks
    matrix("one.mtx", 5, 4, 1)
    matrix("none.mtx", 5, 4, 0)
    matrix("big.mtx.gz", 60, 500, 3000)
    with open(folder / "half.mtx", "w") as f:
        f.write("%%MatrixMarket matrix coordinate integer symmetric\n200 200 600\n")
        for cell in rng.choice(200 * 199 // 2, 600, replace=False):
            i = int((1 + (1 + 8 * int(cell)) ** 0.5) / 2)
            f.write("%d %d %d\n" % (i + 1, int(cell) - i * (i - 1) // 2 + 1, rng.integers(1, 99)))
    (folder / "complex.mtx").write_text("%%MatrixMarket matrix coordinate complex general\n2 2 1\n1 1 1 1\n")
    (folder / "broken.tns").write_text("1 1 1 1\n1 2 x 3\n")
    ts.write(folder / "a.h5", ts.read(folder / "a.mtx", format="csc"))
    for order in (1, 3, 4, 16):
        shape = tuple(int(d) for d in rng.integers(2, 9, order))
        ts.write(folder / ("order%d.tns" % order), ts.from_coords([rng.integers(0, d, 40) for d in shape], rng.random(40), shape), header="extended")
    ts.write(folder / "t.tns", ts.from_coords([rng.integers(0, d, 3000) for d in (80, 60, 300)], rng.random(3000), (80, 60, 300)))
    ts.write(folder / "t.h5", ts.read(folder / "t.tns", format="csf"))
    return folder


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_ranks_beside_one_process(files, n):
    # rounds of 1000 bytes for three ranks: messages longer than MPI counts
    done = run(n, sys.executable, str(HERE / "mpi_job.py"), str(files), *["petsc"] * len(PETSC), cwd=files, **({"TESSERA_MPI_ROUND": "1000"} if n == 3 else {}))
    assert done.returncode == 0 and done.stdout.count("done") == n, done.stderr[-4000:] + done.stdout[-1000:]


def test_a_rank_that_dies_ends_the_run(files):
    program = (
        "import os, sys, tessera as ts; from mpi4py import MPI; import numpy as np; c = MPI.COMM_WORLD\n"
        "A = ts.read('a.mtx', comm=c)\n"
        "for i in range(10**9):\n    A @ np.ones(300)\n    i == 5 and c.rank == 1 and os.kill(os.getpid(), 9)\n"
    )
    assert run(2, sys.executable, "-c", program, cwd=files).returncode != 0


def test_commands_of_the_page(files):
    text = DOCS.read_text()
    section = text[text.index("\n## MPI from Python") : text.index("\n## ", text.index("\n## MPI from Python") + 4)]
    scripts = re.findall(r"(?m)^    # (\w+\.py): .*\n(?:    .*\n|\n)+", section)
    assert scripts == ["power.py", "petsc.py"]
    commands = re.findall(r"(?m)^    mpirun -n (\d) (?:/usr/bin/)?python3 (\w+\.py)$", section)
    assert [name for _, name in commands] == scripts
    for match in re.finditer(r"(?m)^    # (\w+\.py): .*\n(?:    .*\n|\n)+", section):
        lines = [line[4:] for line in match.group(0).split("\n")]
        (files / match.group(1)).write_text("\n".join(line for line in lines if not line.startswith("mpirun")))
    said = {}
    for n, name in commands:
        if name == "petsc.py" and not PETSC:
            continue
        done = run(int(n), sys.executable, name, cwd=files)
        assert done.returncode == 0, done.stderr[-3000:]
        said[name] = done.stdout
    W = ts.read(files / "square.mtx", format="csr")
    assert re.search(r"largest eigenvalue ([\d.]+)", said["power.py"]), said
    want = max(abs(np.linalg.eigvals(W.todense())))
    assert abs(float(said["power.py"].split()[-1]) - want) < 1e-3 * want
    if PETSC:
        assert "residual" in said["petsc.py"]
