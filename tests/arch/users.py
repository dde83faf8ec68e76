"""users.py [SOURCE]: every function that a header of src, formats or datasets declares has a caller outside its own file and outside the
tests. A function that only tests call loses its place in the header, or is called where users reach it."""
import collections
import os
import pathlib
import re
import sys

# Functions without a caller, and the reason why they stay.
ALLOWED = {
    "tsr_hdf5_open_image": "a fuzz target opens bytes in memory without a file",
}
os.chdir(sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
folders = ("include", "src", "formats", "bench", "datasets", "tests")
paths = sorted(str(p) for folder in folders for p in pathlib.Path(folder).rglob("*.*") if p.suffix in (".c", ".h", ".def", ".cpp"))
COMMENT = re.compile(r"/\*.*?\*/", re.S)
text = {}
for path in paths:
    with open(path, errors="replace") as f:
        text[path] = COMMENT.sub("", f.read())
words = {path: collections.Counter(re.findall(r"\w+", s)) for path, s in text.items()}
bad = 0
lonely = set()
for header in paths:
    if not header.endswith(".h") or not header.startswith(("src/", "formats/", "datasets/")) or header.startswith("src/rt/"):
        continue
    # a declaration begins a line; what is written after "static" is defined in the header
    for name in re.findall(r"^(?!static|#|typedef)[\w][\w *]*?\b(tsr_\w+)\(", text[header], re.M):
        users = [p for p in paths if words[p][name] and p != header and not p.startswith("tests/")]
        defined = [p for p in users if re.search(r"^[\w][\w *]*\b%s\([^;{}]*\)\s*\{" % name, text[p], re.M)]
        called = [p for p in users if p not in defined or words[p][name] > 1]
        if not called and not any(words[p][name] > 1 for p in [header]):
            lonely.add(name)
            if name not in ALLOWED:
                print("%s: %s has no caller outside the tests" % (header, name))
                bad = 1
for name in sorted(set(ALLOWED) - lonely):
    print("tests/arch/users.py: %s has a caller now: take it off the list" % name)
    bad = 1
sys.exit(bad)
