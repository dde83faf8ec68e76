"""The declarations that ctypes uses are those of the header."""
import ctypes
import os
import pathlib
import re
import subprocess

import pytest

from tessera import _abi, _lib

SOURCE = pathlib.Path(os.environ.get("TSR_SOURCE", pathlib.Path(__file__).parents[2]))
HEADER = SOURCE / "include/tessera/tessera.h"


def test_table_is_current():
    """The table in the package was made of this header."""
    spec = {}
    exec((SOURCE / "python/abi.py").read_text(), spec)
    assert pathlib.Path(_abi.__file__).read_text() == spec["module"](HEADER.read_text())


def test_every_function_is_declared():
    """No declaration of the header was overlooked by the regular expressions, and the library has each of them."""
    names = set(re.findall(r"\btessera_\w+(?=\()", re.sub(r"/\*.*?\*/", "", HEADER.read_text(), flags=re.S)))
    declared = set(re.findall(r"(tessera_\w+)\(", _abi.FUNCTIONS))
    assert names == declared
    for name in declared:
        assert hasattr(_lib._cdll, name), name


def test_every_pointer_is_a_pointer():
    """ctypes cuts the pointers of a function without types to 32 bits."""
    for line in _abi.FUNCTIONS.splitlines():
        name = re.search(r"tessera_(\w+)\(", line).group(1)
        function = getattr(_lib.C, name)
        if "*" in line.split("(")[0]:
            assert function.restype in (ctypes.c_void_p, ctypes.c_char_p), name
        arguments = line[line.index("(") + 1 : line.rindex(")")]
        given = [] if arguments == "void" else arguments.split(",")
        assert len(function.argtypes) == len(given), name
        for text, kind in zip(given, function.argtypes):
            assert (kind in (ctypes.c_void_p, ctypes.c_char_p)) == ("*" in text or "[" in text), (name, text)


def test_compiler_agrees(tmp_path):
    """Sizes, offsets and constants are those of the C compiler, and the prototypes are compatible."""
    lines = ['#include "tessera.h"']
    for name, struct in _lib.STRUCTS.items():
        lines.append('_Static_assert(sizeof(%s) == %d, "%s");' % (name, ctypes.sizeof(struct), name))
        for field, kind in struct._fields_:
            offset = getattr(struct, field).offset
            lines.append('_Static_assert(offsetof(%s, %s) == %d, "%s.%s");' % (name, field, offset, name, field))
            lines.append('_Static_assert(sizeof(((%s *)0)->%s) == %d, "");' % (name, field, ctypes.sizeof(kind)))
    for values in _lib.ENUMS.values():
        lines += ['_Static_assert(TESSERA_%s == %d, "");' % item for item in values.items()]
    lines += _abi.FUNCTIONS.splitlines()
    source = tmp_path / "abi.c"
    source.write_text("\n".join(lines) + "\n")
    compiler = os.environ.get("CC", "cc")
    try:
        done = subprocess.run(
            [compiler, "-std=c11", "-Werror", "-I", str(HEADER.parent), "-c", str(source), "-o", str(tmp_path / "abi.o")],
            capture_output=True, text=True,
        )  # fmt: skip
    except FileNotFoundError:
        pytest.skip("there is no C compiler %s" % compiler)
    assert done.returncode == 0, done.stderr
