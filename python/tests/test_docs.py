"""The examples of docs/python.md, of the how-tos and of the docstrings print what they say."""
import doctest
import os
import pathlib

import pytest

import tessera

PAGE = pathlib.Path(os.environ.get("TSR_SOURCE", pathlib.Path(__file__).parents[2])) / "docs/python.md"
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def test_page(tmp_path, monkeypatch):
    for module in ("scipy.sparse", "h5py", "sparse", "anndata"):
        pytest.importorskip(module)
    monkeypatch.chdir(tmp_path)
    result = doctest.testfile(str(PAGE), module_relative=False, optionflags=FLAGS)
    assert result.failed == 0 and result.attempted > 20


@pytest.mark.parametrize("page", sorted(p.name for p in PAGE.parent.glob("howto/*.md") if ">>> " in p.read_text()))
def test_howto(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = doctest.testfile(str(PAGE.parent / "howto" / page), module_relative=False, optionflags=FLAGS)
    assert result.failed == 0 and result.attempted > 5


@pytest.mark.parametrize("module", ["__init__", "_kernel"])
def test_docstrings(module, tmp_path, monkeypatch):
    pytest.importorskip("scipy.sparse")
    monkeypatch.chdir(tmp_path)
    target = tessera if module == "__init__" else __import__("tessera." + module, fromlist=["x"])
    assert doctest.testmod(target, optionflags=FLAGS).failed == 0


def test_every_public_name_is_documented():
    text = PAGE.read_text()
    for name in [*tessera.__all__, "lazy", "fuse", "where", "concat"]:
        thing = getattr(tessera, name)
        assert thing.__doc__, name
        assert name in text, "docs/python.md does not name " + name
    for name in dir(tessera.Tensor):
        if not name.startswith("_"):
            assert getattr(tessera.Tensor, name).__doc__, name
