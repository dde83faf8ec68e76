#!/usr/bin/env python3
"""Which format? Predictions of the advisor against the times of records.

    advice.py RECORD.json... [--tools DIR] [--errors FILE]

For each case of the records of tbench (a kernel, a tensor, threads) the tensor is generated again, `tinfo --advise` predicts each format that was
measured, and the time of the format that the advisor would choose for many runs, and for 1, 10, 100, 10,000 runs with packing, is compared with the time of the best
one. Beside it: the rules that need no advisor. Prints Markdown. Rows whose samples spread (median more than 1.25 times the least) are left out, and counted.
--errors appends a line for each row: kernel, tensor, mode, threads, format, predicted ns, measured ns."""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile

RUNS = (1, 10, 100, 10000)
PLAIN = {2: "csr", 3: "csf"}


def plain_name(fmt, order):
    """csf:0,1,2 is csf."""
    natural = ":" + ",".join(map(str, range(order)))
    return fmt[: -len(natural)] if fmt.endswith(natural) else fmt


def cases_of(paths):
    cases, unsteady = {}, 0
    for path in paths:
        with open(path) as file:
            record = json.load(file)
        for row in record["rows"]:
            if row["candidate"] != "tessera" or not row.get("stats") or not row["samples_ns"]:
                continue
            if row["stats"]["median_ns"] > 1.25 * row["stats"]["min_ns"]:
                unsteady += 1
                continue
            data = row["dataset"]
            key = (row["kernel"], row["expression"], data["name"], row["mode"], row["rank"], row["threads"])
            rows = cases.setdefault(key, {})
            rows[plain_name(row["format"], len(data["dims"]))] = {
                "run": row["stats"]["min_ns"], "pack": row["pack_ns"] or 0, "bytes": row["bytes"], "order": len(data["dims"])}
    return {key: rows for key, rows in cases.items() if len(rows) > 1}, unsteady


class Tools:
    def __init__(self, folder, scratch):
        self.folder, self.scratch, self.files, self.missing = folder, scratch, {}, set()

    def run(self, tool, *args):
        path = os.path.join(self.folder, "bench" if tool == "tbench" else "src/tools", tool)
        return subprocess.run([path, *args], capture_output=True, text=True)

    def tensor(self, name):
        if name not in self.files:
            out = os.path.join(self.scratch, "%d.h5" % len(self.files))
            self.files[name] = None
            for suffix in (".mtx", ".tns"):
                text = out + suffix
                if self.run("tbench", "gen", name, "-o", text, "-q").returncode == 0:
                    if self.run("tconv", text, "--format=coo", "-o", out, "-q").returncode == 0:
                        self.files[name] = out
                    os.remove(text)
                    break
        return self.files[name]

    def predict(self, key):
        _, expression, name, _, rank, threads = key
        path = self.tensor(name)
        if not path:
            self.missing.add(name)
            return {}
        args = [path, "--advise=" + expression, "--json", "--runs=10000", "--threads=%d" % threads]
        if rank:
            args.append("--rank=%d" % rank)
        done = self.run("tinfo", *args)
        if done.returncode:
            self.missing.add(name + ": " + done.stderr.strip())
            return {}
        return {row["format"]: row for row in json.loads(done.stdout)["rows"]}


def losses_of(rows, predicted):
    """For each rule the time of its choice over the best time."""
    both = [f for f in rows if f in predicted]
    if len(both) < 2:
        return None
    best = min(rows, key=lambda f: rows[f]["run"])
    pack = {f: 0 if f in predicted and predicted[f]["pack_ns"] == 0 else rows[f]["pack"] for f in rows}  # the file has this format
    cost = lambda f, n: pack[f] + n * rows[f]["run"]
    chosen = min(both, key=lambda f: predicted[f]["run_ns"])
    out = {"advisor": rows[chosen]["run"] / rows[best]["run"], "chosen": chosen, "best": best}
    for n in RUNS:
        choice = min(both, key=lambda f: predicted[f]["pack_ns"] + n * predicted[f]["run_ns"])
        out[n] = cost(choice, n) / min(cost(f, n) for f in rows)
    plain = PLAIN[min(rows[best]["order"], 3)]
    out["plain"] = rows[plain]["run"] / rows[best]["run"] if plain in rows else None
    out["smallest"] = rows[min(rows, key=lambda f: rows[f]["bytes"])]["run"] / rows[best]["run"]
    return out


def share(values, limit):
    return "%.0f%%" % (100 * sum(v <= limit for v in values) / len(values))


def line(name, values):
    values = [v for v in values if v is not None]
    if not values:
        return None
    mean = math.exp(sum(map(math.log, values)) / len(values))
    return "| %s | %d | %.3f | %s | %s | %.2f |" % (name, len(values), mean, share(values, 1.0501), share(values, 1.2001), max(values))


def print_tables(results, unsteady, missing):
    head = "| %s | cases | geometric mean | at most 1.05 | at most 1.2 | worst |\n|---|---|---|---|---|---|"
    print("Time of the choice over the time of the best measured format.\n")
    print(head % "rule")
    losses = [loss for _, loss in results]
    names = {"advisor": "the advisor", "plain": "always csr, csf", "smallest": "the fewest bytes"}
    rules = [(names[r], [loss[r] for loss in losses]) for r in names]
    rules[1:1] = [("the advisor, %s run%s with packing from coo" % (format(n, ","), "s" * (n > 1)), [loss[n] for loss in losses]) for n in RUNS]
    for name, values in rules:
        print(line(name, values) or "")
    print("\n" + head % "the advisor for")
    for what, at in (("kernel", 0), ("tensor", 2), ("threads", 5)):
        groups = {}
        for key, loss in results:
            group = str(key[at]).split(":")[0] if at == 2 else str(key[at])
            groups.setdefault("%s %s" % (what, group), []).append(loss["advisor"])
        for group in sorted(groups):
            print(line(group, groups[group]))
    print("\nThe worst cases:\n")
    for key, loss in sorted(results, key=lambda r: -r[1]["advisor"])[:8]:
        if loss["advisor"] > 1.05:
            print("- %.2f: %s of %s%s, %d thread%s: %s, but %s is the best" % (
                loss["advisor"], key[0], key[2], "" if key[3] is None else ", mode %d" % key[3], key[5], "s" * (key[5] > 1),
                loss["chosen"], loss["best"]))
    print("\n%d rows were left out, because their samples spread.%s" % (unsteady, "".join(" Not predicted: %s." % m for m in sorted(missing))))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("records", nargs="+")
    parser.add_argument("--tools", default="build/release")
    parser.add_argument("--errors")
    args = parser.parse_args()
    cases, unsteady = cases_of(args.records)
    results = []
    with tempfile.TemporaryDirectory() as scratch:
        tools = Tools(args.tools, scratch)
        for key, rows in cases.items():
            order = next(iter(rows.values()))["order"]
            predicted = {plain_name(f, order): row for f, row in tools.predict(key).items()}
            loss = losses_of(rows, predicted)
            if loss:
                results.append((key, loss))
            if args.errors:
                with open(args.errors, "a") as file:
                    for f in rows:
                        if f in predicted:
                            print(key[0], key[2], key[3], key[5], f, round(predicted[f]["run_ns"]), rows[f]["run"], sep="\t", file=file)
    if not results:
        sys.exit("advice.py: no case of these records has two formats that were measured and predicted")
    print_tables(results, unsteady, tools.missing)


if __name__ == "__main__":
    main()
