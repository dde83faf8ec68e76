#!/usr/bin/env python3
"""products.py [--formats] RECORD...: what was computed beside the baselines, one line for each tensor. --formats: with the formats of operands.

The records are those of tbench KERNEL --json=RECORD and tbench convert --pairs=... --json=RECORD. Standard output is a table for docs:
least times in ms, one for each number of threads, and how many times as long the best baseline takes, by the least times and by the
medians. Rows are compared only with rows of the same field memory: a new result with a new result, a source that is kept with one that
is kept. A baseline that ran on fewer threads counts as well: the best one is the best with at most that many threads. Below the table: how
times grow with ten times the operations."""
import json
import sys

GOAL = 1.3
SHOWS_FORMATS = "--formats" in sys.argv
PAGES = "touching new memory alone: "


def is_tessera(row):
    return row["candidate"] == "tessera"


def number(value, mark=""):
    return "%.3g%s" % (value, mark) if value < 999.5 else "%.0f%s" % (value, mark)


def entries(nnz):
    return "%.1f M" % (nnz / 1e6) if nnz >= 1e5 else str(nnz)


def cases(record):
    """The measured rows by what was computed: a list of rows for each, in the order of the record."""
    found = {}
    for row in record["rows"]:
        key = (row["kernel"], row["dataset"]["name"], row["mode"], row["rank"], row["type"])
        found.setdefault(key, [])
        if row["samples_ns"]:
            found[key].append(row)
    return [rows for rows in found.values() if any(is_tessera(row) for row in rows)]


def best(rows, field):
    return min((row["stats"][field] for row in rows), default=None)


def ratios(rows, threads, field):
    """For each number of threads: the best baseline with at most that many over the best of Tessera; None: no baseline."""
    result = []
    for n in threads:
        ours = best([row for row in rows if is_tessera(row) and row["threads"] == n], field)
        others = best([row for row in rows if not is_tessera(row) and row["threads"] <= n], field)
        result.append(others / ours if ours and others else None)
    return result


def times(rows, threads, bold):
    """The least times of one candidate; a program that runs on one thread has one."""
    cell = []
    for n, strong in zip(threads, bold):
        here = [row for row in rows if row["threads"] == n]
        if not here or (cell and here[0]["note"] == "runs on one thread"):
            continue
        row = min(here, key=lambda row: row["stats"]["min_ns"])
        text = number(row["stats"]["min_ns"] / 1e6, " \\~" if row["noisy"] else "")
        cell.append("**%s**" % text if strong else text)
    return ", ".join(cell)


def memories(found):
    """What the rows do with memory, in the order of the records; [""]: there is one way only."""
    return list(dict.fromkeys(row.get("memory") for rows in found for row in rows if row.get("memory"))) or [""]


def of_memory(rows, memory, first):
    """The rows with this use of memory. Where there is one way only (a result that is a number), they count as the first."""
    return [row for row in rows if (row.get("memory") or first) == memory]


def line(rows, threads, baselines, uses, compared, has_pages, is_first):
    data = rows[0]["dataset"]
    expression = rows[0]["expression"]
    name = "%s: `%s`" % (rows[0]["kernel"], expression) if expression else rows[0]["kernel"]
    if SHOWS_FORMATS:
        name += " in `%s`" % next(row["format"] for row in rows if is_tessera(row))
    cells = [name if is_first else "", "`%s`" % data["name"], entries(data["nnz"])]
    ratio_cells = []
    for use in uses:
        mine = of_memory(rows, use, uses[0])
        least, median = (ratios(mine, threads, field) for field in ("min_ns", "median_ns"))
        cells.append(times([row for row in mine if is_tessera(row)], threads, [ratio and ratio >= GOAL for ratio in least]))
        if use in compared:
            ratio_cells += [", ".join(number(ratio) for ratio in each if ratio) for each in (least, median)]
    cells += [times([row for row in rows if row["candidate"] == name], threads, [False] * len(threads)) for name in baselines]
    if has_pages:
        ratio_cells.append(pages(of_memory(rows, uses[0], uses[0]), threads))
    return "| %s |" % " | ".join(cells + ratio_cells)


def pages(rows, threads):
    """The share of the least time of Tessera that touching new memory alone takes; "": it was not measured."""
    shares = []
    for n in threads:
        for row in rows:
            if is_tessera(row) and row["threads"] == n and (row["note"] or "").startswith(PAGES):
                shares.append(number(100 * float(row["note"][len(PAGES):].split()[0]) * 1e6 / row["stats"]["min_ns"]) + "%")
                break
    return ", ".join(shares)


def operations(rows):
    return next((row["flops"] for row in rows if is_tessera(row) and row["flops"]), 0)


def growth(found, threads):
    """Sentences about tensors of one generator and kernel, of which one takes ten times the operations of the other."""
    for small in found:
        for large in found:
            uses = memories([small, large])
            ours = [[row for row in of_memory(rows, uses[0], uses[0]) if is_tessera(row)] for rows in (small, large)]
            kind = [(rows[0]["kernel"], rows[0]["rank"], rows[0]["dataset"]["name"].split(":")[0]) for rows in (small, large)]
            ratio = operations(large) / operations(small) if operations(small) else 0
            times = [[best([row for row in rows if row["threads"] == n], "min_ns") for rows in ours] for n in threads]
            if kind[0] == kind[1] and 9.5 < ratio < 10.5 and all(all(pair) for pair in times):
                yield ("%s: `%s` takes %s times the operations of `%s`, and %s times as long." %
                       (kind[0][0], large[0]["dataset"]["name"], number(ratio), small[0]["dataset"]["name"],
                        ", ".join(number(pair[1] / pair[0]) for pair in times)))


def main():
    records = []
    for path in [arg for arg in sys.argv[1:] if arg != "--formats"]:
        with open(path, encoding="utf-8") as f:
            records.append(json.load(f))
    found = [rows for record in records for rows in cases(record)]
    if not found:
        sys.exit("no record has a row of Tessera with samples")
    threads = sorted({row["threads"] for rows in found for row in rows})
    versions = {row["candidate"]: row["version"] or "" for rows in found for row in rows if not is_tessera(row)}
    machines = {"%(cpu)s, %(cpus)d processors, %(compiler)s, %(version)s at %(commit)s" % record["machine"] for record in records}
    checked = all(row["checked"] for rows in found for row in rows)
    print("%s: least times in ms on %s thread%s%s. **Bold**: the best baseline takes at least %g times as long. ~: the least time was not "
          "reproduced within a tenth.\n" % ("; ".join(sorted(machines)), " and ".join(map(str, threads)), "s" * (threads != [1]),
                                            ", every answer checked" * checked, GOAL))
    uses = memories(found)
    compared = [use for use in uses if any(not is_tessera(row) for rows in found for row in of_memory(rows, use, uses[0]))]
    their_use = {row["candidate"]: row.get("memory") for rows in found for row in rows if row.get("memory")}
    names = ["%s %s" % (name, version.split("+")[0]) if version else name for name, version in versions.items()]
    names = ["%s (%s)" % (text, their_use[name]) if name in their_use else text for text, name in zip(names, versions)]
    head = ["work", "tensor", "entries"] + ["Tessera" + (", " + use if use else "") for use in uses] + names
    for use in compared or uses:
        head += ["best baseline / Tessera" + (", " + use if use else ""), "by medians"]
    has_pages = any((row["note"] or "").startswith(PAGES) for rows in found for row in rows)
    if has_pages:
        head.append("of which new memory")
    print("| %s |\n|%s" % (" | ".join(head), "---|" * len(head)))
    kernel = None
    for rows in found:
        print(line(rows, threads, versions, uses, compared or uses, has_pages, SHOWS_FORMATS or rows[0]["kernel"] != kernel))
        kernel = rows[0]["kernel"]
    grown = list(growth(found, threads))
    if grown:
        print("\n" + "\n".join(grown))


main()
