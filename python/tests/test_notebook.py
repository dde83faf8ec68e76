"""The notebook of the docs runs from the first cell to the last, and shows pictures of tensors."""
import ast
import json
import os
import pathlib

import pytest

NOTEBOOK = pathlib.Path(os.environ.get("TSR_SOURCE", pathlib.Path(__file__).parents[2])) / "docs/examples/first_steps.ipynb"


def run_cell(source, names):
    """Run a cell; the value of its last line, as a notebook shows it."""
    body = ast.parse(source)
    last = body.body.pop() if isinstance(body.body[-1], ast.Expr) else None
    exec(compile(body, str(NOTEBOOK), "exec"), names)
    return eval(compile(ast.Expression(last.value), str(NOTEBOOK), "eval"), names) if last else None


def test_notebook(tmp_path, monkeypatch, capsys):
    pytest.importorskip("scipy.sparse", reason="python3-scipy is not installed")
    monkeypatch.chdir(tmp_path)
    notebook = json.loads(NOTEBOOK.read_text())
    assert notebook["nbformat"] == 4 and len({cell["id"] for cell in notebook["cells"]}) == len(notebook["cells"])
    names, pictures, values = {}, 0, []
    for cell in notebook["cells"]:
        assert cell["source"] and cell["cell_type"] in ("markdown", "code")
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [] and cell["execution_count"] is None
            values.append(run_cell("".join(cell["source"]), names))
            pictures += "<" in values[-1]._repr_html_() if hasattr(values[-1], "_repr_html_") else 0
    printed = capsys.readouterr().out
    assert pictures >= 4 and values[1] == ((10, 3), (300,), (names["A"] @ names["A"].T).nnz)
    assert "R(i) = A(i,k)*A(j,k)" in printed and "for j in level 2 of A, compressed" in printed
    assert any(value is True for value in values) and names["nearest"].nnz <= 5 * 300
