"""A backend of PEP 517: builds the library and the package with CMake, and writes both into a
wheel. It needs no other package,
so that `pip install .` works without a network.

TESSERA_BUILD=DIR takes the library of a build that exists, instead of building one in build/wheel.
TESSERA_BUNDLE=1 also copies the
libraries that it needs and that manylinux does not promise (with patchelf), for other Linux
systems: the tag then names the newest
glibc that any of them needs. Without it the wheel is for this system, whose package manager has
these libraries."""
from __future__ import annotations

import base64
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sysconfig
import tarfile
import tempfile
import zipfile
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parent.parent
# What PEP 600 allows a manylinux wheel to expect of the system.
PROMISED = re.compile(
    r"lib(c|m|dl|rt|pthread|util|nsl|resolv|gcc_s|stdc\+\+|atomic|z|expat|X\w*|GL|glib-2\.0|gobject-2\.0|gthread-2\.0|ICE|SM)\.so|"
    r"ld-linux|linux-vdso"
)
NOT_IN_SDIST = ("build/", "results/", ".ci/", ".git")


def run(*command: "str | pathlib.Path") -> str:
    return subprocess.run(
        [str(part) for part in command], check=True, stdout=subprocess.PIPE, text=True
    ).stdout


def field(name: str) -> str:
    """A line of the table project in pyproject.toml: Python before 3.11 has no reader for it."""
    return re.search(r'^%s = "(.*)"$' % name, (ROOT / "pyproject.toml").read_text(), re.M).group(1)


def version() -> str:
    """The version of the public header."""
    text = (ROOT / "include/tessera/tessera.h").read_text()
    return ".".join(
        re.search(r"#define TSR_VERSION_%s (\d+)" % part, text).group(1)
        for part in ("MAJOR", "MINOR", "PATCH")
    )


def metadata() -> str:
    return (
        "Metadata-Version: 2.1\nName: tessera\nVersion: %s\nSummary: %s\nLicense: MIT\nRequires-Python: %s\nRequires-Dist: numpy\n"
        "Description-Content-Type: text/markdown\n\n%s"
        % (
            version(),
            field("description"),
            field("requires-python"),
            (ROOT / "docs/python.md").read_text(),
        )
    )


# ---- the library ----


def build(folder: pathlib.Path) -> None:
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    run(
        "cmake", "-S", ROOT, "-B", folder, *generator, "-DCMAKE_BUILD_TYPE=Release", "-DTSR_TESTS=OFF", "-DTSR_BENCH=OFF", "-DTSR_WITH_MPI=OFF",
        "-DTSR_WITH_PYTHON=ON", "-DBUILD_SHARED_LIBS=OFF",
    )  # fmt: skip
    run(
        "cmake",
        "--build",
        folder,
        "--parallel",
        str(os.cpu_count() or 1),
        "--target",
        "tessera_shared",
        "python_package",
    )


def newest_glibc(files: "list[pathlib.Path]") -> "tuple[int, int]":
    versions = [(2, 17)]
    for file in files:
        versions += [
            (int(a), int(b))
            for a, b in re.findall(r"GLIBC_(\d+)\.(\d+)", run("objdump", "-T", file))
        ]
    return max(versions)


def bundle(library: pathlib.Path, target: pathlib.Path) -> str:
    """Copy the libraries that are loaded with this one, and their licences, to target; returns the
    platform of the tag."""
    found = re.findall(r"(\S+) => (/\S+)", run("ldd", library))
    target.mkdir()
    for name, path in found:
        if PROMISED.match(name):
            continue
        shutil.copy(os.path.realpath(path), target / name)
        run("patchelf", "--set-rpath", "$ORIGIN", target / name)
        for candidate in (os.path.realpath(path), re.sub("^/usr", "", os.path.realpath(path))):
            owner = subprocess.run(
                ["dpkg", "-S", candidate],
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            ).stdout.split(":")[0]
            if owner:
                shutil.copy("/usr/share/doc/%s/copyright" % owner, target / (name + ".copyright"))
                break
        else:
            raise SystemExit(
                "the licence of %s is not known: no Debian package owns %s" % (name, path)
            )
    run("patchelf", "--set-rpath", "$ORIGIN/libs", library)
    return "manylinux_%d_%d_%s" % (
        *newest_glibc(
            [library, *(target / name for name, _ in found if (target / name).exists())]
        ),
        os.uname().machine,
    )


def stage(target: pathlib.Path) -> str:
    """The package with the library in a folder; returns the platform of the tag."""
    given = os.environ.get("TESSERA_BUILD")
    folder = pathlib.Path(given).resolve() if given else ROOT / "build/wheel"
    if not given:
        build(folder)
    shutil.copytree(
        folder / "python/tessera", target, ignore=shutil.ignore_patterns("__pycache__")
    )
    library = target / "libtessera.so.0"
    shutil.copy((folder / "libtessera.so.0").resolve(), library)
    run("strip", "--strip-unneeded", library)
    if os.environ.get("TESSERA_BUNDLE", "0") not in ("", "0"):
        return bundle(library, target / "libs")
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")


# ---- what pip and build call ----


def build_wheel(
    wheel_directory: str, config_settings: Any = None, metadata_directory: Any = None
) -> str:
    with tempfile.TemporaryDirectory() as folder:
        staged = pathlib.Path(folder) / "tessera"
        tag = "py3-none-" + stage(staged)
        name = "tessera-%s-%s.whl" % (version(), tag)
        info = "tessera-%s.dist-info/" % version()
        contents = {
            "tessera/" + str(p.relative_to(staged)): p.read_bytes()
            for p in sorted(staged.rglob("*"))
            if p.is_file()
        }
        contents[info + "METADATA"] = metadata().encode()
        contents[info + "LICENSE"] = (ROOT / "LICENSE").read_bytes()
        contents[info + "WHEEL"] = (
            "Wheel-Version: 1.0\nGenerator: tessera\nRoot-Is-Purelib: false\nTag: %s\n" % tag
        ).encode()
        record = "".join(
            "%s,sha256=%s,%d\n"
            % (
                path,
                base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode(),
                len(data),
            )
            for path, data in contents.items()
        )
        contents[info + "RECORD"] = (record + info + "RECORD,,\n").encode()
        with zipfile.ZipFile(
            os.path.join(wheel_directory, name), "w", zipfile.ZIP_DEFLATED
        ) as wheel:
            for path, data in contents.items():
                entry = zipfile.ZipInfo(path, (2026, 1, 1, 0, 0, 0))
                entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o100644 << 16
                wheel.writestr(entry, data)
    return name


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    base = "tessera-" + version()
    try:
        files = run(
            "git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard"
        ).splitlines()
    except (OSError, subprocess.CalledProcessError):  # of an sdist
        files = [str(p.relative_to(ROOT)) for p in sorted(ROOT.rglob("*")) if p.is_file()]
    with tempfile.TemporaryDirectory() as folder:
        info = pathlib.Path(folder) / "PKG-INFO"
        info.write_text(metadata())
        with tarfile.open(
            os.path.join(sdist_directory, base + ".tar.gz"), "w:gz", format=tarfile.PAX_FORMAT
        ) as archive:
            archive.add(info, base + "/PKG-INFO")
            for file in files:
                if (
                    not file.startswith(NOT_IN_SDIST)
                    and file != "PKG-INFO"
                    and "__pycache__" not in file
                ):
                    archive.add(ROOT / file, base + "/" + file)
    return base + ".tar.gz"
