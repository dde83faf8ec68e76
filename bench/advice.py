#!/usr/bin/env python3
"""Which format? Predictions of the advisor against the times of records.

    advice.py RECORD.json|ERRORS.tsv... [--plot FILE.svg] [--errors FILE.tsv]

For each case (a kernel, a tensor, threads) of the records of tbench, or of the files of errors that `tinfo --advise --measure` appends to,
the measured time of the format with the least predicted time is compared with the time of the best format that was measured, for many runs,
and for 1, 10, 100, 10,000 runs with packing. Beside it: the rules that need no advisor. Prints Markdown. Rows whose samples spread (median more
than 1.25 times the least) are left out, and counted. --plot draws measured over predicted times; --errors writes all rows as such a file."""
import argparse
import json
import math
import sys

RUNS = (1, 10, 100, 10000)
PLAIN = {2: "csr", 3: "csf"}
COLOURS = ("#3465a4", "#cc0000", "#4e9a06", "#f57900", "#75507b", "#8f5902", "#06989a", "#555753")


def plain_name(fmt, order):
    """csf:0,1,2 is csf."""
    natural = ":" + ",".join(map(str, range(order)))
    return fmt[: -len(natural)] if fmt.endswith(natural) else fmt


FIELDS = ("kernel", "tensor", "dims", "nnz", "rank", "threads", "format", "bytes", "pack_ns", "predicted_pack_ns", "run_ns",
          "predicted_run_ns", "date")  # of a file of errors: src/tools/advice_print.h


def rows_of_record(path):
    """The rows of a record of tbench, as those of a file of errors; None: its samples spread."""
    with open(path) as file:
        record = json.load(file)
    for row in record["rows"]:
        if row["candidate"] != "tessera" or not row.get("stats") or not row["samples_ns"]:
            continue
        if row["stats"]["median_ns"] > 1.25 * row["stats"]["min_ns"]:
            yield None
            continue
        data = row["dataset"]
        kernel = row["kernel"] if row["mode"] is None else "%s:%d" % (row["kernel"], row["mode"])
        yield dict(zip(FIELDS, (kernel, data["name"], "x".join(map(str, data["dims"])), data["nnz"], row["rank"] or 0, row["threads"],
                                plain_name(row["format"], len(data["dims"])), row["bytes"], row["pack_ns"] or 0,
                                row.get("predicted_pack_ns") or 0, row["stats"]["min_ns"], row.get("predicted_ns") or 0, "")))


def rows_of_errors(path):
    with open(path) as file:
        head = file.readline().rstrip("\n").split("\t")
        if "predicted_run_ns" not in head:
            sys.exit("advice.py: %s is not a file of errors: its first line has no predicted_run_ns" % path)
        for line in file:
            row = dict(zip(head, line.rstrip("\n").split("\t")))
            row["format"] = plain_name(row["format"], row["dims"].count("x") + 1)
            yield row


def case_of(row):
    return row["kernel"], row["tensor"], int(row["rank"]), int(row["threads"])


def cases_of(paths):
    """The rows of each case with at least two formats that were predicted, by format."""
    cases, unsteady = {}, 0
    for path in paths:
        for row in (rows_of_errors if path.endswith(".tsv") else rows_of_record)(path):
            unsteady += row is None
            if row is None or float(row["predicted_run_ns"]) <= 0:
                continue
            cases.setdefault(case_of(row), {})[row["format"]] = {
                "run": float(row["run_ns"]), "pack": float(row["pack_ns"]), "bytes": float(row["bytes"]), "order": row["dims"].count("x") + 1,
                "predicted": float(row["predicted_run_ns"]), "predicted_pack": float(row["predicted_pack_ns"]), "row": row}
    return {key: rows for key, rows in cases.items() if len(rows) > 1}, unsteady


def best_on_average(cases):
    """For each kernel the format with the least geometric mean of its losses, among those that most cases have."""
    losses, ncases = {}, {}
    for key, rows in cases.items():
        kernel = (family(key[0]), next(iter(rows.values()))["order"])
        best = min(row["run"] for row in rows.values())
        ncases[kernel] = ncases.get(kernel, 0) + 1
        for fmt, row in rows.items():
            losses.setdefault(kernel, {}).setdefault(fmt, []).append(math.log(row["run"] / best))
    usual = {}
    for kernel, formats in losses.items():
        often = {f: v for f, v in formats.items() if len(v) >= 0.7 * ncases[kernel]}
        if often:
            usual[kernel] = min(often, key=lambda f: sum(often[f]) / len(often[f]))
    return usual


def losses_of(rows, usual):
    """For each rule the time of its choice over the best time."""
    best = min(rows, key=lambda f: rows[f]["run"])
    pack = {f: row["pack"] if row["predicted_pack"] else 0 for f, row in rows.items()}  # 0: the file has this format
    chosen = min(rows, key=lambda f: rows[f]["predicted"])
    out = {"advisor": rows[chosen]["run"] / rows[best]["run"], "chosen": chosen, "best": best}
    for n in RUNS:
        choice = min(rows, key=lambda f: rows[f]["predicted_pack"] + n * rows[f]["predicted"])
        out[n] = (pack[choice] + n * rows[choice]["run"]) / min(pack[f] + n * rows[f]["run"] for f in rows)
    for rule, fmt in (("plain", PLAIN[min(rows[best]["order"], 3)]), ("usual", usual)):
        out[rule] = rows[fmt]["run"] / rows[best]["run"] if fmt in rows else None
    out["smallest"] = rows[min(rows, key=lambda f: rows[f]["bytes"])]["run"] / rows[best]["run"]
    return out


def share(values, limit):
    return "%.0f%%" % (100 * sum(v <= limit for v in values) / len(values))


def line(name, values):
    values = [v for v in values if v is not None]
    if not values:
        return None  # there is no such case
    mean = math.exp(sum(map(math.log, values)) / len(values))
    return "| %s | %d | %.3f | %s | %s | %.2f |" % (name, len(values), mean, share(values, 1.0501), share(values, 1.2001), max(values))


def family(name):
    return name.split(":")[0].split("@")[0]


def print_rules(results, names):
    """What is to be won for each kernel: the loss of each rule."""
    print("\nGeometric mean and worst of each rule:\n\n| kernel | cases | %s |\n|---|---%s|" % (" | ".join(names.values()), "|---" * len(names)))
    kernels = {}
    for key, loss in results:
        kernels.setdefault(family(key[0]), []).append(loss)
    for kernel, all_losses in sorted(kernels.items()):
        cells = []
        for rule in names:
            values = [loss[rule] for loss in all_losses if loss[rule] is not None]
            cells.append("%.2f, %.2f" % (math.exp(sum(map(math.log, values)) / len(values)), max(values)) if values else "")
        print("| %s | %d | %s |" % (kernel, len(all_losses), " | ".join(cells)))


def print_tables(results, unseen=()):
    """unseen: generators at which nobody looked while the model was made."""
    head = "| %s | cases | geometric mean | at most 1.05 | at most 1.2 | worst |\n|---|---|---|---|---|---|"
    print("Time of the choice over the time of the best measured format.\n")
    print(head % "rule")
    losses = [loss for _, loss in results]
    names = {"advisor": "the advisor", "plain": "always csr, csf", "smallest": "the fewest bytes",
             "usual": "the best of these records on average, for each kernel"}
    rules = [(names[r], [loss[r] for loss in losses]) for r in names]
    rules[1:1] = [("the advisor, %s run%s with packing from coo" % (format(n, ","), "s" * (n > 1)), [loss[n] for loss in losses]) for n in RUNS]
    rules[1:1] = [("the advisor, generators at which nobody looked", [loss["advisor"] for key, loss in results if family(key[1]) in unseen])]
    for name, values in rules:
        text = line(name, values)
        if text:
            print(text)
    print_rules(results, names)
    print("\n" + head % "the advisor for")
    for what, at in (("kernel", 0), ("tensor", 1), ("threads", 3)):
        groups = {}
        for key, loss in results:
            group = str(key[at]) if at == 3 else family(key[at])
            groups.setdefault("%s %s" % (what, group), []).append(loss["advisor"])
        for group in sorted(groups):
            print(line(group, groups[group]))


def print_errors(cases):
    """How far the predictions are from the times, by the name of the format. Between formats of one case only differences count."""
    ratios = {}
    for rows in cases.values():
        middle = sum(math.log(row["run"] / row["predicted"]) for row in rows.values()) / len(rows)
        for fmt, row in rows.items():
            ratios.setdefault(family(fmt).split("(")[0], []).append((math.log(row["run"] / row["predicted"]), middle))
    print("\n| format | rows | measured / predicted, middle | 80% within | beside the other formats of the case |\n|---|---|---|---|---|")
    for fmt, values in sorted(ratios.items()):
        plain = sorted(v for v, _ in values)
        beside = sorted(abs(v - middle) for v, middle in values)
        at = lambda part: plain[min(len(plain) - 1, int(part * len(plain)))]
        print("| %s | %d | %.2f | %.2f to %.2f | 80%% within a factor of %.2f |" % (
            fmt, len(values), math.exp(at(.5)), math.exp(at(.1)), math.exp(at(.9)), math.exp(beside[int(.8 * (len(beside) - 1))])))


def reason(rows, loss):
    """Which prediction is far off, of the chosen and of the best format, and the two largest terms of that one."""
    fmt = max((loss["chosen"], loss["best"]), key=lambda f: abs(math.log(rows[f]["run"] / rows[f]["predicted"])))
    row = rows[fmt]
    most = "; most of it %s" % row["most"] if row.get("most") else ""
    return "%s takes %.2f times as long as predicted%s" % (fmt, row["run"] / row["predicted"], most)


def print_worst(results, cases):
    print("\nThe worst cases, with measured and predicted ms:\n")
    for key, loss in sorted(results, key=lambda r: -r[1]["advisor"])[:8]:
        if loss["advisor"] <= 1.05:
            break
        chosen, best = (cases[key][loss[which]] for which in ("chosen", "best"))
        print("- %.2f: %s of %s, %d thread%s: %s (%.3g, predicted %.3g), but %s is the best (%.3g, predicted %.3g): %s" % (
            loss["advisor"], key[0], key[1], key[3], "s" * (key[3] > 1),
            loss["chosen"], chosen["run"] / 1e6, chosen["predicted"] / 1e6, loss["best"], best["run"] / 1e6, best["predicted"] / 1e6,
            reason(cases[key], loss)))


def draw(path, cases):
    """Measured over predicted times, both axes logarithmic, a colour for each kernel."""
    size, edge = 520, 60
    rows = [(key[0], row["predicted"], row["run"]) for key, formats in cases.items() for row in formats.values()]
    low = math.floor(min(math.log10(min(p, m)) for _, p, m in rows))
    high = math.ceil(max(math.log10(max(p, m)) for _, p, m in rows))
    at = lambda ns: edge + (math.log10(ns) - low) / (high - low) * (size - 2 * edge)
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">' % (size, size),
           "<title>Measured over predicted time of a run, ms</title>",
           '<rect width="100%" height="100%" fill="white"/>']
    for factor, dash in ((1, ""), (2, ' stroke-dasharray="3 3"'), (.5, ' stroke-dasharray="3 3"')):
        first, last = 10 ** low * max(1, 1 / factor), 10 ** high * min(1, 1 / factor)
        out.append('<path d="M%.1f %.1fL%.1f %.1f" stroke="#888"%s/>' % (at(first), size - at(first * factor), at(last), size - at(last * factor), dash))
    for power in range(low, high + 1):
        x = at(10.0 ** power)
        out.append('<text x="%.1f" y="%d" text-anchor="middle">%g</text><text x="%d" y="%.1f" text-anchor="end">%g</text>' % (
            x, size - edge + 18, 10.0 ** (power - 6), edge - 8, size - x + 4, 10.0 ** (power - 6)))
    out.append('<text x="%d" y="%d" text-anchor="middle">predicted, ms</text>' % (size / 2, size - 12))
    out.append('<text transform="translate(16 %d) rotate(-90)" text-anchor="middle">measured, ms</text>' % (size / 2))
    kernels = sorted({kernel for kernel, _, _ in rows})
    for k, kernel in enumerate(kernels):
        colour = COLOURS[k % len(COLOURS)]
        out.append('<text x="%d" y="%d" fill="%s">%s</text>' % (edge + 8, edge + 14 * k, colour, kernel))
        out += ['<circle cx="%.1f" cy="%.1f" r="2.5" fill="%s" fill-opacity=".6"/>' % (at(p), size - at(m), colour)
                for name, p, m in rows if name == kernel]
    with open(path, "w") as file:
        file.write("\n".join(out) + "\n</svg>\n")


def losses(cases, usual):
    return [(key, losses_of(rows, usual.get((family(key[0]), next(iter(rows.values()))["order"])))) for key, rows in cases.items()]


def write_errors(path, cases):
    with open(path, "w") as file:
        print(*FIELDS, sep="\t", file=file)
        for rows in cases.values():
            for row in rows.values():
                print(*(row["row"][field] for field in FIELDS), sep="\t", file=file)


def print_all(cases, unsteady):
    results = losses(cases, best_on_average(cases))
    print_tables(results)
    print_errors(cases)
    print_worst(results, cases)
    print("\n%d rows were left out, because their samples spread." % unsteady)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("records", nargs="+")
    parser.add_argument("--plot")
    parser.add_argument("--errors")
    args = parser.parse_args()
    cases, unsteady = cases_of(args.records)
    if not cases:
        print("No case of these records has two formats that were measured and predicted.")
        return
    print_all(cases, unsteady)
    if args.plot:
        draw(args.plot, cases)
    if args.errors:
        write_errors(args.errors, cases)


if __name__ == "__main__":
    main()
