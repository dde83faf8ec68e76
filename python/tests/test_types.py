"""The annotations are consistent, as mypy sees them."""
import pathlib
import subprocess
import sys

import pytest

import tessera


def test_mypy(tmp_path):
    pytest.importorskip("mypy", reason="python3-mypy is not installed")
    package = pathlib.Path(tessera.__file__).parent
    assert (package / "py.typed").exists()
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "--cache-dir", str(tmp_path), "-p", "tessera"],
        cwd=package.parent, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
