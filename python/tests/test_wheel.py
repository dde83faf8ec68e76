"""The wheel that `pip install .` makes works where nothing else of Tessera is installed."""
import base64
import csv
import hashlib
import os
import pathlib
import subprocess
import sys
import zipfile

import pytest

import tessera

ROOT = pathlib.Path(os.environ.get("TSR_SOURCE", pathlib.Path(__file__).parents[2]))
BUILD = pathlib.Path(tessera.__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    if not (BUILD / "libtessera.so.0").exists():
        pytest.skip("this is not a build folder")
    folder = tmp_path_factory.mktemp("wheel")
    done = subprocess.run(
        [sys.executable, "-c", "import wheel_backend, sys; print(wheel_backend.build_wheel(sys.argv[1]))", str(folder)],
        env={**os.environ, "PYTHONPATH": str(ROOT / "python"), "TESSERA_BUILD": str(BUILD)}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return folder / done.stdout.strip()


def test_record_and_tag(wheel):
    name, version, python, abi, platform = wheel.stem.split("-")
    assert (name, version, python, abi) == (
        "tessera",
        tessera.__version__,
        "py3",
        "none",
    ) and platform.startswith("linux")
    with zipfile.ZipFile(wheel) as archive:
        info = "tessera-%s.dist-info/" % version
        rows = {
            row[0]: row[1:]
            for row in csv.reader(archive.read(info + "RECORD").decode().splitlines())
        }
        assert (
            set(rows) == set(archive.namelist())
            and "tessera/libtessera.so.0" in rows
            and "tessera/py.typed" in rows
        )
        for path, (digest, size) in rows.items():
            if digest:
                data = archive.read(path)
                made = (
                    base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                )
                assert digest == "sha256=" + made and int(size) == len(data), path
        assert "Version: " + version in archive.read(info + "METADATA").decode()


def test_installed_alone(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    env = {k: v for k, v in os.environ.items() if k != "TESSERA_LIBRARY"}
    done = subprocess.run(
        [sys.executable, "-c", "import tessera; tessera.test(); print(tessera.__file__)\nfrom importlib.metadata import version; print(version('tessera'))"],
        env={**env, "PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert (
        lines[0].startswith("tessera works: ")
        and lines[1].startswith(str(tmp_path))
        and lines[2] == tessera.__version__
    )


def test_pip_and_build(tmp_path):
    """What users type, without a network."""
    pytest.importorskip("build", reason="python3-build is not installed")
    if not (BUILD / "libtessera.so.0").exists():
        pytest.skip("this is not a build folder")
    done = subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "-o", str(tmp_path), str(ROOT)],
        env={**os.environ, "TESSERA_BUILD": str(BUILD)}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert (
        len(list(tmp_path.glob("*.whl"))) == 1
        and len(list(tmp_path.glob("tessera-*.tar.gz"))) == 1
    )
