#!/usr/bin/env python3
"""paste.py PAGE TABLE: put TABLE, which tbench report made, between the markers of PAGE."""
import sys

BEGIN, END = "<!-- results: made by ./dev results -->\n", "<!-- /results -->\n"


def main():
    path, made = sys.argv[1:]
    with open(made, encoding="utf-8") as f:
        table = f.read()
    with open(path, encoding="utf-8") as f:
        text = f.read()
    if BEGIN not in text or END not in text:
        sys.exit(f"{path} has no markers {BEGIN.strip()} and {END.strip()}")
    before, rest = text.split(BEGIN, 1)
    with open(path, "w", encoding="utf-8") as f:
        f.write(before + BEGIN + table + END + rest.split(END, 1)[1])


main()
