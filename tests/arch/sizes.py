"""What keeps the code readable: no function is longer than 60 lines in src (but src/rt, whose text is what compiled kernels are made
of), formats, bench and the helpers of the tests; and in the compiler's folders no struct has more than 25 members. sizes.py FOLDER: the
root of the tree."""
import pathlib
import re
import sys

FOLDERS = "src", "formats", "bench", "datasets", "tests/support"
OF_STRUCTS = "plan", "lower", "passes", "kernel"
MOST_MEMBERS, MOST_LINES = 25, 60


def without_text(source):
    """The source without comments, with empty strings, and with the same lines."""
    source = re.sub(r"/\*.*?\*/", lambda m: "\n" * m.group().count("\n"), source, flags=re.S)
    source = re.sub(r'"(\\.|[^"\\\n])*"', '""', source)
    return re.sub(r"'(\\.|[^'\\\n])+'", "0", source)


def end_of_block(source, at):
    """The place of the brace that closes the block whose first character is source[at]."""
    depth = 1
    while depth:
        depth += {"{": 1, "}": -1}.get(source[at], 0)
        at += 1
    return at - 1


def members(body):
    """The number of members that a struct with this body declares; an inner struct is one."""
    body = re.sub(r"^#.*$", "", body, flags=re.M)
    while "{" in body:
        at = body.index("{")
        body = body[:at] + body[end_of_block(body, at + 1) + 1:]
    body = re.sub(r"\[[^]]*\]", "", body)
    while re.search(r"\([^()]*\)", body):
        body = re.sub(r"\([^()]*\)", "", body)
    return sum(part.count(",") + 1 for part in body.split(";") if part.strip())


def structs(source):
    for found in re.finditer(r"\bstruct\s+(\w+)\s*\{", source):
        yield found.group(1), members(source[found.end():end_of_block(source, found.end())])


def functions(source):
    """The name of each function, and its lines from the name on."""
    lines, first = source.split("\n"), None
    for number, line in enumerate(lines):
        if line.endswith(";") and first is not None and "{" not in "".join(lines[first:number + 1]):
            first = None  # a declaration
        if re.match(r"[A-Za-z].*\(", line) and not line.endswith(";"):
            first = number
        elif line == "}" and first is not None:
            yield re.search(r"(\w+)\(", lines[first]).group(1), number - first + 1
            first = None


def main(root):
    nstructs = nfunctions = faults = 0
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.[ch]")):
            if path.parent == root / "src" / "rt":
                continue
            source = without_text(path.read_text(encoding="utf-8"))
            for name, count in structs(source) if path.parent.name in OF_STRUCTS else ():
                nstructs += 1
                if count > MOST_MEMBERS:
                    faults += 1
                    print(f"{path.relative_to(root)}: {name} has {count} members, {MOST_MEMBERS} at most: give each part "
                          "that needs some of them a struct of its own")
            for name, count in functions(source):
                nfunctions += 1
                if count > MOST_LINES:
                    faults += 1
                    print(f"{path.relative_to(root)}: {name} has {count} lines, {MOST_LINES} at most")
    if nstructs < 50 or nfunctions < 5000:
        sys.exit(f"only {nstructs} structs and {nfunctions} functions were found: does the test still read the source?")
    sys.exit(1 if faults else 0)


main(pathlib.Path(sys.argv[1]))
