#!/usr/bin/env python3
"""readme_table.py README RECORD...: write the table of README between its markers anew, from the records."""
import json
import sys

BEGIN, END = "<!-- results: made by ./dev results -->\n", "<!-- /results -->\n"


def group(records):
    """The rows that ran together: {(kernel, dataset, mode, rank, threads): rows}."""
    groups = {}
    for record in records:
        for row in record["rows"]:
            if row["samples_ns"]:
                key = (row["kernel"], row["dataset"]["name"], row["mode"], row["rank"], row["threads"])
                groups.setdefault(key, []).append(row)
    return groups


def least(row):
    return min(row["samples_ns"])


def milliseconds(row):
    return f"{least(row) / 1e6:.3g}{' ~' if row['noisy'] else ''}"


def pays_after(row, reference):
    """The break-even of harness/bench_pay.h, of least times."""
    saved, more = least(reference) - least(row), (row["pack_ns"] or 0) - (reference["pack_ns"] or 0)
    if row is reference:
        return "-"
    return "0" if more <= 0 else f"{-(-more // saved):.0f}"


def line(key, rows):
    kernel, dataset, mode, _, threads = key
    ours = [r for r in rows if r["candidate"] == "tessera"]
    theirs = [r for r in rows if r["candidate"] != "tessera"]
    if not ours:
        return None
    reference, best = ours[0], min(ours, key=least)
    other = min(theirs, key=least) if theirs else None
    stand_in = ", stand-in" if rows[0]["dataset"]["stand_in"] else ""
    return "| " + " | ".join([
        kernel + (f", mode {mode}" if mode is not None else ""), dataset + stand_in, str(threads),
        f"{reference['format']}, {milliseconds(reference)}", f"{best['format']}, {milliseconds(best)}",
        f"{least(reference) / least(best):.2f}", pays_after(best, reference),
        f"{other['candidate']}, {milliseconds(other)}" if other else ""]) + " |"


def table(records):
    machine = records[0]["machine"]
    text = (f"{machine['cpu']}, {machine['cpus']} processors, {machine['compiler']}, commit {machine['commit']}; least times in ms, "
            "checked, rank 16, f64; ~: the samples lie wide apart.\n\n"
            "| kernel | tensor | threads | reference, ms | best format, ms | speed-up | pays after runs | best other, ms |\n"
            "|---|---|---:|---|---|---:|---:|---|\n")
    groups = group(records)
    most = max(key[4] for key in groups)
    lines = [line(key, rows) for key, rows in groups.items() if key[4] == most]
    return text + "\n".join(filter(None, lines)) + "\n"


def main():
    path = sys.argv[1]
    records = []
    for name in sys.argv[2:]:
        with open(name, encoding="utf-8") as f:
            records.append(json.load(f))
    with open(path, encoding="utf-8") as f:
        text = f.read()
    if BEGIN not in text or END not in text:
        sys.exit(f"{path} has no markers {BEGIN.strip()} and {END.strip()}")
    before, rest = text.split(BEGIN, 1)
    with open(path, "w", encoding="utf-8") as f:
        f.write(before + BEGIN + table(records) + END + rest.split(END, 1)[1])


main()
