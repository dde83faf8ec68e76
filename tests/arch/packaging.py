#!/usr/bin/env python3
"""The recipes of packaging/ name Tessera's version and each library that the build needs, and can be read."""
import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path

root = Path(__file__).resolve().parents[2]
bad = []

# A library by its Debian package, and its name in Spack, conda-forge and Guix. cmocka: tests only, which conda and Guix leave out.
names = {
    "zlib1g-dev": ("zlib-api", "zlib", "zlib"),
    "libdeflate-dev": ("libdeflate", "libdeflate", "libdeflate"),
    "libisal-dev": ("isa-l", "isa-l", "isa-l"),
    "libhdf5-dev": ("hdf5", "hdf5", "hdf5"),
    "libjansson-dev": ("jansson", "jansson", "jansson"),
    "libzip-dev": ("libzip", "libzip", "libzip"),
    "libblosc-dev": ("c-blosc", "blosc", "c-blosc"),
    "libzstd-dev": ("zstd", "zstd", "zstd"),
    "liblz4-dev": ("lz4", "lz4-c", "lz4"),
    "libpng-dev": ("libpng", "libpng", "libpng"),
    "libcurl4-openssl-dev": ("curl", "libcurl", "curl"),
    "libbz2-dev": ("bzip2", "bzip2", "bzip2"),
    "liblzma-dev": ("xz", "xz", "xz"),
    "libcmocka-dev": ("cmocka", None, None),
}


def text(path):
    return (root / path).read_text()


def expect(what, holds):
    if not holds:
        bad.append(what)


def numbers(header):
    return ".".join(re.findall(r"^#define TSR_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", header, re.M))


version = numbers(text("include/tessera/tessera.h"))
spack = text("packaging/spack/packages/tessera/package.py")
conda = text("packaging/conda/meta.yaml")
guix = text("packaging/guix/tessera.scm")
container = text("packaging/container/Containerfile")
expect(f"Spack: version {version}", f'version("{version}")' in spack)
expect(f"conda: version {version}", f'version: "{version}"' in conda)
expect(f"Guix: version {version}", f'(version "{version}")' in guix)

calls = [c for c in ast.walk(ast.parse(spack)) if isinstance(c, ast.Call) and getattr(c.func, "id", "") == "depends_on"]
spack_names = {re.split(r"[@+]", c.args[0].value)[0] for c in calls}
conda_names = set(re.findall(r"^    - ([\w.-]+)", conda, re.M))
guix_names = set(re.findall(r"[\w-]+", guix[guix.index("(inputs"):guix.index("(home-page")]))
libraries = re.findall(r"^build\s+(lib\S+-dev|zlib\S+)\s", text("cmake/debian-packages.txt"), re.M)
for debian in libraries:
    if debian == "libc6-dev":
        continue
    if debian not in names:
        bad.append(f"{debian} is new: name it in tests/arch/packaging.py and in each recipe of packaging")
        continue
    for system, name, known in zip(("Spack", "conda", "Guix"), names[debian], (spack_names, conda_names, guix_names)):
        expect(f"{system}: {name} ({debian})", name is None or name in known)
for system, recipe in ("Spack", spack), ("conda", conda), ("Guix", guix):
    expect(f"{system}: a build without a library must fail (TSR_COMPLETE)", "TSR_COMPLETE" in recipe)
# Options that the recipes set must exist.
options = set(re.findall(r"option\((\w+)", text("CMakeLists.txt"))) | {"TSR_PYTHON", "TSR_PYTHON_DIR"}
for option in re.findall(r"\b(TSR_\w+)", spack + conda + guix):
    expect(f"unknown option {option}", option in options)
expect("the container has ./dev", "./dev build release" in container)

try:
    import yaml
except ImportError:
    print("not read as YAML: PyYAML is missing")
else:
    plain = re.sub(r"\{\{.*?\}\}", "expression", conda)
    recipe = yaml.safe_load(plain)
    expect("conda: sections", set(recipe) == {"package", "source", "build", "requirements", "test", "about"})
    yaml.safe_load(text("packaging/spack/repo.yaml"))
guile = shutil.which("guile")
if guile:
    read = f'(call-with-input-file "{root}/packaging/guix/tessera.scm" (lambda (p) (let loop ((x (read p))) (if (not (eof-object? x)) (loop (read p))))))'
    expect("Guix: Guile reads the recipe", subprocess.run([guile, "-c", read], capture_output=True).returncode == 0)
else:
    print("not read by Guile: guile is missing")
for fault in bad:
    print(f"packaging: {fault}", file=sys.stderr)
sys.exit(bool(bad))
