#!/usr/bin/env python3
"""Fits the classes of loops of the advisor to measured times, and says how good it is for generators that it was not fitted to.

    advice_fit.py FOLDER [--build build/release] [--held-out | --loops | --page]

FOLDER is that of bench/advice_measure.py: records of tbench, and the tensors. `tinfo --advise` of the build counts what each format takes;
the counts do not depend on the constants, so the model is computed here once more (src/advise/model.c) with other constants.
Without options: the tables of bench/advice.py for the predictions of this build. --held-out: each case is predicted with constants
that were fitted to the cases of all other generators. --loops: print costs.def's picoseconds and the rows of loops.def that fit all cases best, and the error
of each class. --page: all of it as a section of docs/advice.md; FOLDER gets advice.svg and advice.tsv. Needs NumPy and SciPy."""
import argparse
import glob
import json
import os
import re
import sys

import numpy as np
from scipy.optimize import least_squares

import advice
import advice_claims
import advice_measure

HERE = os.path.dirname(os.path.abspath(__file__))
COSTS = ("stream", "entries", "fibers", "vectors", "second", "third", "memory", "updates", "chains", "copies", "breaks", "near", "products")
FACTORS = ("entry", "fiber", "vector", "miss", "row_miss", "update", "chain", "break")
NF = len(FACTORS)
ROWS = ("spmm", "sddmm", "mttkrp", "ttm")  # kernels of which each slot adds a row
FACTOR_OF = (None, 0, 1, 2, 3, 3, 3, 5, 6, None, 7, None, None)  # of each cost
WORK = [COSTS.index(c) for c in ("entries", "fibers", "vectors", "updates", "chains")]
REST = [COSTS.index(c) for c in ("second", "third", "memory", "copies", "breaks", "products")]
OVERLAP = 1.5
PRIOR = 0.15  # how firmly constants stay where they are, beside the error of a row


def constants():
    """The costs of the processor that loops.def was fitted on, of a line while all cores stream, and the classes: from the sources."""
    with open(HERE + "/../src/advise/costs.c") as file:
        text = file.read()
    row = re.search(r'family 26",\s*26,\s*\{([0-9,\s]+)\},\s*(\d+)', text)
    with open(HERE + "/../src/advise/loops.def") as file:
        loops = dict((m[1], [float(x) for x in m[2].split(",")]) for m in re.finditer(r"^LOOP\((\w+), (.*)\)", file.read(), re.M))
    return np.array([float(x) for x in row[1].split(",")]), float(row[2]), loops


def predictions(folder, build, kernel, tensor, threads):
    """What tinfo of the build says, kept in the folder until tinfo is newer."""
    tinfo = build + "/src/tools/tinfo"
    path = os.path.join(folder, "predictions", "%s-%d.json" % (advice_measure.name_of(kernel, tensor), threads))
    if not os.path.exists(path) or os.path.getmtime(path) < os.path.getmtime(tinfo):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        rows = advice_measure.advice(advice_measure.tensor_file(folder, tensor, build), kernel, threads, build)
        with open(path, "w") as file:
            json.dump(rows, file)
    with open(path) as file:
        return json.load(file)


def load(folder, build):
    """The measured cases, with what this build predicts."""
    cases, unsteady = {}, 0
    for path in sorted(glob.glob(folder + "/*.json")):
        for row in advice.rows_of_record(path):
            unsteady += row is None
            if row is None:
                continue
            order = row["dims"].count("x") + 1
            kernel = row["kernel"]
            said = predictions(folder, build, kernel, row["tensor"], int(row["threads"]))
            said = {advice.plain_name(fmt, order): r for fmt, r in said.items()}.get(row["format"])
            if said:
                row["predicted_run_ns"], row["predicted_pack_ns"] = said["run_ns"], said["pack_ns"]
                cases.setdefault(advice.case_of(row), {})[row["format"]] = {
                    "run": row["run_ns"], "pack": row["pack_ns"], "bytes": row["bytes"], "order": order, "predicted": said["run_ns"],
                    "predicted_pack": said["pack_ns"], "row": row, "loop": said["loop"], "most": said["most"],
                    "amount": [said["terms"].get(c, {}).get("amount", 0) for c in COSTS]}
    return {key: rows for key, rows in cases.items() if len(rows) > 1}, unsteady


def unseen_families():
    """Generators of the cases to which no cost is fitted."""
    with open(HERE + "/advice.cases") as file:
        return {advice.family(line.split()[1]) for line in file if line.split("#")[0].split()[2:] == ["unseen"]}


class Model:
    def __init__(self, cases):
        self.costs, self.stream_all, self.loops = constants()
        self.names = list(self.loops)
        self.rows = [(key, row) for key, rows in cases.items() for row in rows.values()]
        self.amount = np.array([row["amount"] for _, row in self.rows])
        self.loop = np.array([self.names.index(row["loop"]) for _, row in self.rows])
        self.threads = np.array([key[3] for key, _ in self.rows], float)
        self.log_run = np.log([row["run"] for _, row in self.rows])
        self.adds_rows = np.array([advice.family(key[0]) in ROWS for key, _ in self.rows])
        keys = list(cases)
        self.case = np.array([keys.index(key) for key, _ in self.rows])
        self.family = np.array([advice.family(key[1]) for key, _ in self.rows])
        start = np.concatenate([self.costs[1:], *[self.loops[name][:NF] for name in self.names[1:]]])  # the class of rows is the measure
        self.free = start > 0
        self.start = start

    def run_ns(self, theta):
        values = self.start.copy()
        values[self.free] = np.exp(theta)
        costs = np.concatenate([self.costs[:1], values[:12]])
        factor = np.vstack([self.loops["rows"][:NF], values[12:].reshape(-1, NF)])
        ps = self.amount * costs / self.threads[:, None]
        for c, f in enumerate(FACTOR_OF):
            if f is not None:
                ps[:, c] *= factor[self.loop, np.where(self.adds_rows, 4, f) if f == 3 else f]
        stream = np.where(self.threads > 1, self.amount[:, 0] * np.maximum(self.stream_all, costs[0] / self.threads), ps[:, 0]) + ps[:, COSTS.index("near")]
        return ((stream ** OVERLAP + ps[:, WORK].sum(1) ** OVERLAP) ** (1 / OVERLAP) + ps[:, REST].sum(1)) / 1000

    def fit(self, rows):
        """The constants that fit these rows: mostly beside the other rows of the case."""
        start = np.log(self.start[self.free])
        ncases = self.case.max() + 1
        count = np.maximum(np.bincount(self.case[rows], minlength=ncases), 1)

        def residuals(theta):
            error = np.log(self.run_ns(theta))[rows] - self.log_run[rows]
            middle = np.bincount(self.case[rows], error, ncases) / count
            weight = 1 / np.sqrt(count[self.case[rows]])
            return np.concatenate([(error - middle[self.case[rows]]) * weight * 2, error * weight * .5, (theta - start) * PRIOR])

        return least_squares(residuals, start, loss="soft_l1", f_scale=.2, method="trf", max_nfev=60).x


def held_out(cases):
    """Predict each case with constants that were fitted to the other generators."""
    model = Model(cases)
    unseen = np.isin(model.family, list(unseen_families()))
    for family in sorted(set(model.family)):
        out = model.family == family
        run = model.run_ns(model.fit(~out & ~unseen))
        for i in np.flatnonzero(out):
            model.rows[i][1]["predicted"] = run[i]


def print_loops(cases):
    model = Model(cases)
    theta = model.fit(~np.isin(model.family, list(unseen_families())))
    values = model.start.copy()
    values[model.free] = np.exp(theta)
    error = np.log(model.run_ns(theta)) - model.log_run
    count = np.bincount(model.case)
    beside = np.abs(error - (np.bincount(model.case, error) / count)[model.case])
    print("{%s}" % ", ".join("%.0f" % v for v in [model.costs[0], *values[:12]]))
    for k, name in enumerate(model.names):
        factors = model.loops[name][:NF] if k == 0 else values[12 + NF * (k - 1):12 + NF * k]
        mine = np.sort(beside[model.loop == k])
        spread = np.exp(mine[int(.8 * len(mine))]) - 1 if len(mine) else model.loops[name][NF]
        print("LOOP(%s, %s, %.2f)  %d rows" % (name, ", ".join("%.3g" % f for f in factors), spread, len(mine)))


def print_page(folder, cases, unsteady):
    with open(sorted(glob.glob(folder + "/*.json"))[0]) as file:
        machine = json.load(file)["machine"]
    advice.draw(folder + "/advice.svg", cases)
    advice.write_errors(folder + "/advice.tsv", cases)
    print("Measured on %s by `./dev results advice` on %d cores of an %s: %d cases of [advice.cases](../bench/advice.cases), every format that is predicted\n"
          "to take at most 2.5 times as long as the best, and for tensors an order of keys beside the fixed one. Each case is predicted with constants that were fitted to the cases of all *other* generators;\n"
          "only the table of formats has the constants of loops.def, which are fitted to all cases.\n" % (
              machine["started"][:10], machine["cpus"], machine["cpu"], len(cases)))
    usual = advice.best_on_average(cases)
    said = {id(row): row["predicted"] for rows in cases.values() for row in rows.values()}
    held_out(cases)
    results = advice.losses(cases, usual)
    advice.print_tables(results, unseen_families())
    advice.print_worst(results, cases)
    advice_claims.print_keys(cases)
    for rows in cases.values():
        for row in rows.values():
            row["predicted"] = said[id(row)]
    advice.print_errors(cases)
    print("\n%d rows were left out, because their samples spread." % unsteady)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder")
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--loops", action="store_true")
    parser.add_argument("--page", action="store_true")
    args = parser.parse_args()
    cases, unsteady = load(args.folder, args.build)
    if not cases:
        sys.exit("advice_fit.py: %s has no case with two formats that were measured and predicted" % args.folder)
    if args.loops:
        print_loops(cases)
        return
    if args.page:
        print_page(args.folder, cases, unsteady)
        return
    if args.held_out:
        held_out(cases)
    advice.print_all(cases, unsteady)


if __name__ == "__main__":
    main()
