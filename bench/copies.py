#!/usr/bin/env python3
"""copies.py RECORD: MTTKRP of all modes beside ALTO's own program, which has one copy of the tensor for all modes.

The record is that of tbench mttkrp --baseline=alto=PATH --json=RECORD. Standard output is a table for docs: for each tensor, rank and
number of threads the sum of the medians over all modes by one copy of Tessera (the format, measured in every mode, with the least
sum), and by the best format of each mode, which takes a copy for each; beside both the sum of ALTO, the ratio, and the ratio of the mode
where it is largest."""
import json
import sys


def whole(text, order):
    """The format with the order of its modes: the same text in every mode for the same copy."""
    return text if ":" in text else "%s:%s" % (text, ",".join(map(str, range(order))))


def short(text, order):
    return text.removesuffix(":" + ",".join(map(str, range(order))))


def cases(record):
    """(tensor, rank, threads): the order, and the medians in ms by mode and format, of Tessera and of ALTO."""
    found = {}
    for row in record["rows"]:
        if not row["samples_ns"]:
            continue
        order = len(row["dataset"]["dims"])
        ours, theirs = found.setdefault((row["dataset"]["name"], row["rank"], row["threads"], order), ({}, {}))
        ms = row["stats"]["median_ns"] / 1e6
        if row["candidate"] == "tessera":
            ours.setdefault(whole(row["format"], order), {})[row["mode"]] = ms
        elif row["candidate"] == "ALTO":
            theirs[row["mode"]] = ms
    return found


def cells(ours, theirs):
    """The sum, the ratio of the sums, and the largest ratio of a mode."""
    total = sum(ours[mode] for mode in theirs)
    return "%.3g | %.2f | %.2f" % (total, total / sum(theirs.values()), max(ours[mode] / theirs[mode] for mode in theirs))


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        record = json.load(f)
    found = {key: value for key, value in cases(record).items() if len(value[1]) == key[3]}
    if not found:
        sys.exit("%s has no tensor with all modes by ALTO" % sys.argv[1])
    print("%(cpu)s, %(cpus)d processors, %(compiler)s, %(version)s at %(commit)s: medians in ms, summed over all modes. Below 1 Tessera is "
          "faster.\n" % record["machine"])
    print("| tensor | rank | threads | ALTO, one copy for all modes | Tessera, one copy for all modes | sum | / ALTO | worst mode | "
          "best format of each mode, sum | / ALTO | worst mode |\n|%s" % ("---|" * 11))
    for (name, rank, threads, order), (ours, theirs) in found.items():
        copies = {text: times for text, times in ours.items() if set(times) >= set(theirs)}
        each = {mode: min(times[mode] for times in ours.values() if mode in times) for mode in theirs}
        text = min(copies, key=lambda text: sum(copies[text][mode] for mode in theirs))
        print("| `%s` | %d | %d | %.3g | `%s` | %s | %s |" % (name, rank, threads, sum(theirs.values()), short(text, order),
                                                          cells(copies[text], theirs), cells(each, theirs)))


main()
