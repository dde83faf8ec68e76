#!/usr/bin/env python3
"""paste.py PAGE TABLE [NAME]: put TABLE, which ./dev made, between the markers NAME (default: results) of PAGE."""
import re
import sys


def main():
    path, made = sys.argv[1:3]
    name = sys.argv[3] if len(sys.argv) > 3 else "results"
    end = "<!-- /%s -->\n" % name
    with open(made, encoding="utf-8") as f:
        table = f.read()
    with open(path, encoding="utf-8") as f:
        text = f.read()
    begin = re.search(r"<!-- %s: made by ./dev [a-z]+ -->\n" % re.escape(name), text)
    if not begin or end not in text[begin.end() :]:
        sys.exit(f"{path} has no markers of {name} and {end.strip()}")
    behind = text[begin.end() :].partition(end)[2]
    with open(path, "w", encoding="utf-8") as f:
        f.write(text[: begin.end()] + table + end + behind)


main()
