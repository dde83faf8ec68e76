"""The jobs of docs/python.md: each program runs, the results agree, and the table counts their lines."""
import json
import os
import pathlib
import timeit

import numpy as np
import pytest
from array_jobs import LINES, table
from jobs import JOBS, TACO, nlines

import tessera as ts

for module in ("scipy.io", "h5py", "anndata"):
    pytest.importorskip(module, reason="python3-scipy, python3-h5py or python3-anndata is not installed")
import anndata  # noqa: E402
import h5py  # noqa: E402
import scipy.io  # noqa: E402
import scipy.sparse  # noqa: E402

PAGE = pathlib.Path(os.environ.get("TSR_SOURCE", pathlib.Path(__file__).parents[2])) / "docs/python.md"
COLUMNS = ["Tessera", "SciPy, NumPy", "h5py"]


def dense(obj):
    if hasattr(obj, "todense"):
        obj = obj.todense()
    return np.asarray(obj.toarray() if scipy.sparse.issparse(obj) else obj)


@pytest.fixture()
def names(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(1)
    matrix = (random.random((6, 8)) < 0.4) * random.integers(1, 9, (6, 8)).astype(float)
    S = scipy.sparse.csr_array(matrix)
    cube = (random.random((3, 4, 5)) < 0.3) * random.random((3, 4, 5))
    ts.write("in.mtx", matrix)
    ts.write("in.tns", ts.convert(cube, "coo"), header="extended")
    ts.write("in.h5", S)
    adata = anndata.AnnData(scipy.sparse.csr_matrix(matrix), dtype="f8")
    adata.layers["counts"] = scipy.sparse.csr_matrix(2 * matrix)
    adata.write_h5ad("in.h5ad")
    T3 = ts.convert(cube, "csf")
    return {
        "np": np, "ts": ts, "scipy": scipy, "h5py": h5py, "json": json, "timeit": timeit, "S": S, "A": ts.tensor(S, copy=True),
        "B": random.random((6, 3)), "C": random.random((3, 8)), "x": random.random(8), "U": random.random((4, 2)),
        "V": random.random((5, 2)), "T3": T3, "coords3": T3.coords(), "values3": T3.values, "dims3": cube.shape,
        "pos": S.indptr, "crd": S.indices, "val": S.data, "dims": S.shape,
    }  # fmt: skip


@pytest.mark.parametrize("job", [job for job, _ in JOBS])
def test_programs_agree(job, names):
    results = {}
    for column, program in dict(JOBS)[job].items():
        place = dict(names)
        exec(program, place)
        results[column] = dense(ts.read("out.h5")) if "out.h5" in program else place["r"]
    first, *others = results.values()
    if "fastest" in job:
        assert all(len(r) == 3 for r in results.values())
    else:
        for other in others:
            assert np.allclose(dense(first), dense(other))
    if "without a copy" in job and "own arrays" in job:
        assert np.shares_memory(first.values, names["val"])


def test_table():
    rows = [[cell.strip() for cell in line.strip("|\n ").split("|")] for line in PAGE.read_text().splitlines() if line.startswith("| ")]
    table = {row[0]: row[1:] for row in rows}
    assert table["job"] == [*COLUMNS, "TACO"]
    assert set(TACO) <= {job for job, _ in JOBS}
    for job, programs in JOBS:
        cells = [str(nlines(programs[c])) if c in programs else "-" for c in COLUMNS]
        cells.append(str(nlines(TACO[job])) if job in TACO else "wrong" if "sampled" in job else "-")
        assert table[job] == cells, job


# ---- the same lines in three packages ----


@pytest.mark.parametrize("row", LINES, ids=[row[0] for row in LINES])
def test_lines_agree(row):
    sparse = pytest.importorskip("sparse", reason="python3-sparse is not installed")
    random = np.random.default_rng(2)
    made = {name: (random.random(shape) < 0.4) * random.integers(1, 9, shape).astype(float)
            for name, shape in {"a": (6, 8), "b": (6, 8), "m": (8, 6), "t": (3, 4, 5), "u": (3, 4, 5)}.items()}  # fmt: skip
    common = {"np": np, "ts": ts, "scipy": scipy, "sparse": sparse, "x": random.random(8), "X": random.random((8, 3)), **made}
    wanted = eval(row[4], dict(common))
    makers = [lambda c: ts.convert(c, "csr" if c.ndim == 2 else "csf"), lambda c: scipy.sparse.csr_array(c) if c.ndim == 2 else None, sparse.COO]
    for maker, line in zip(makers, row[1:4]):
        if line:
            with np.errstate(all="ignore"):
                got = dense(eval(line, {**common, **{name.upper(): maker(c) for name, c in made.items()}}))
            assert np.allclose(got.reshape(np.shape(wanted)), wanted), line


def test_table_of_lines():
    begin, end = "<!-- lines: made by the test python_jobs -->\n", "<!-- /lines -->"
    before, rest = PAGE.read_text().split(begin)
    shown, behind = rest.split(end)
    if os.environ.get("TSR_UPDATE"):
        PAGE.write_text(before + begin + table() + end + behind)
    else:
        assert shown == table(), "TSR_UPDATE=1 writes the table anew"
    assert len(LINES) >= 40
