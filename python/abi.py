#!/usr/bin/python3
"""Writes tessera/_abi.py from the public header: python3 python/abi.py include/tessera/tessera.h python/tessera/_abi.py

The test abi compares the file with what this program prints, and compiles a C program that compares sizes and offsets."""
import re
import sys


def plain(header: str) -> str:
    """The header without comments, preprocessor lines and line breaks in declarations."""
    text = re.sub(r"/\*.*?\*/", " ", header, flags=re.S)
    text = re.sub(r"^[ \t]*#(?:.*\\\n)*.*$", "", text, flags=re.M)
    return re.sub(r"\s+", " ", text)


def squeeze(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def functions(text: str) -> "list[str]":
    found = re.findall(r"TESSERA_(?:API|CHECKED) ([^;{}]*\));", text)
    return [squeeze(f) + ";" for f in found]


def structs(text: str) -> "list[str]":
    found = re.findall(r"typedef struct (tessera_\w+) \{([^{}]*)\} \w+;", text)
    return [name + " { " + squeeze(body) + " }" for name, body in found]


def enums(text: str) -> "list[str]":
    lines = []
    for name, body in re.findall(r"(?:typedef )?enum ?(tessera_\w+)? \{([^{}]*)\}", text):
        lines.append((name or "limits") + " { " + squeeze(body) + " }")
    return lines


def module(header: str) -> str:
    text = plain(header)
    parts = ['"""What the public header of libtessera declares. Written by python/abi.py: do not edit."""\n']
    for name, lines in (("FUNCTIONS", functions(text)), ("STRUCTS", structs(text)), ("ENUMS", enums(text))):
        parts.append(name + ' = """\\\n' + "\n".join(lines) + '\n"""\n')
    return "\n".join(parts)


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as f:
        written = module(f.read())
    with open(sys.argv[2], "w", encoding="utf-8") as f:
        f.write(written)
