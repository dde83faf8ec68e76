"""bench/plans.py: a record, and a cell that is behind is measured once more."""
import json
import os
import subprocess
import sys

import pytest

pytest.importorskip("scipy")
PLANS = os.path.join(os.environ["TSR_SOURCE"], "bench", "plans.py")


def plans(*args):
    done = subprocess.run([sys.executable, PLANS, *args], stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


def test_cell_behind_is_measured_again(tmp_path):
    record = str(tmp_path / "plans.json")
    cell = ["sum", "--cells=500x100 0.5%", "--threads=1", "--seconds=0", "--record=" + record]
    assert plans("--prepare", *cell) == ""
    assert "of 1 cells are behind" in plans(*cell)
    with open(record) as f:
        made = json.load(f)
    (row,) = made["cells"]
    assert row["entries"] == 256 and row["turns"] == 24  # small tensors take turns
    times = row["ms"]["1"]
    assert {"automatic", "SciPy", "workspace(dense)"} <= set(times)
    row.pop("again", None)
    times.update({name: 1e-6 for name in times}, automatic=1e9)
    with open(record, "w") as f:
        json.dump(made, f)
    assert "| sum | 500x100 0.5% |" in plans("--table=" + record)
    assert "| sum | 500x100 0.5%² |" in plans(*cell)
    with open(record) as f:
        (again,) = json.load(f)["cells"]
    assert again["again"] and again["ms"]["1"]["SciPy"] == 1e-6  # the least time of both
    assert 1e-6 < again["ms"]["1"]["automatic"] < 1e9
    again_table = plans(*cell)  # a third run measures nothing
    assert again_table == plans("--table=" + record)
