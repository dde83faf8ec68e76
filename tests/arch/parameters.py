#!/usr/bin/env python3
"""No function takes more than six parameters (the rest of a printf-like list, "...", is not counted).

Looks at every declaration and definition in the C files of the project: a list of parameters follows a name at the
start of a line. Lists that belong together become a struct (see CONTRIBUTING.md)."""
import pathlib
import re
import sys

MOST = 6
root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
root = root if root.is_dir() else root.parents[2]
comment = re.compile(r"/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"", re.S)
function = re.compile(r"^(?!#)[A-Za-z_][\w \t*]*?[ *](\w+)\(((?:[^()]|\([^()]*\))*)\)[^;{}()=]*[;{]", re.M)


def count(parameters):
    depth = n = 0
    for c in parameters:
        depth += (c in "([{") - (c in ")]}")
        n += c == "," and depth == 0
    return n + 1 - parameters.rstrip().endswith("...")


bad = seen = 0
for folder in ("include", "src", "formats", "bench", "datasets", "tests"):
    for path in sorted((root / folder).rglob("*.[ch]")):
        if "golden" in path.parts or "rt" in path.parts:  # rt is the text of generated kernels
            continue
        text = comment.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), path.read_text(encoding="utf-8"))
        for m in function.finditer(text):
            seen += 1
            if count(m.group(2)) > MOST:
                bad += 1
                line = text.count("\n", 0, m.start()) + 1
                print(f"{path.relative_to(root)}:{line}: {m.group(1)} has {count(m.group(2))} parameters")
if seen < 1000:
    print(f"only {seen} functions were found: the pattern does not fit the code any more")
sys.exit(bad > 0 or seen < 1000)
