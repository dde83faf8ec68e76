#!/usr/bin/env python3
"""paste.py PAGE TABLE [NAME]: put TABLE, which ./dev results made, between the markers NAME (default: results) of PAGE."""
import sys


def main():
    path, made = sys.argv[1:3]
    name = sys.argv[3] if len(sys.argv) > 3 else "results"
    begin, end = "<!-- %s: made by ./dev results -->\n" % name, "<!-- /%s -->\n" % name
    with open(made, encoding="utf-8") as f:
        table = f.read()
    with open(path, encoding="utf-8") as f:
        text = f.read()
    before, found, rest = text.partition(begin)
    _, closed, behind = rest.partition(end)
    if not found or not closed:
        sys.exit(f"{path} has no markers {begin.strip()} and {end.strip()}")
    with open(path, "w", encoding="utf-8") as f:
        f.write(before + begin + table + end + behind)


main()
