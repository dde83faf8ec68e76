"""The arrays of formats with level types of their own (ell, sell, dia, band, bitmap...) against known answers
(TSR_SHARED/cases/merge): tconv packs each case from the format that it names, tinfo --json --arrays must show exactly the
arrays of the case, and the way back must give the same entries."""
import json
import os
import subprocess
import sys
import tempfile

shared = os.environ.get("TSR_SHARED", "")
path = os.path.join(shared, "cases", "merge", "level-cases-visible.json")
if not shared or not os.path.isfile(path):
    print("skipped: no TSR_SHARED/cases")
    sys.exit(77)


def format_of(kind, p):
    return {
        "ell": lambda: "ell" if p["order"] == "row" else "ellc",
        "sell": lambda: "sell(%d,%d)" % (p["C"], p["sigma"]),
        "dia": lambda: {"row": "dia", "column": "diac", "packed": "diap"}[p["keyed"]],
        "bitmap": lambda: "bitmapc" if p["compact"] else "bitmap",
        "structured": lambda: "nm(%d,%d)" % (p["N"], p["M"]),
        "runs": lambda: "srun" if p["sparse"] else "runs",
    }.get(kind, lambda: kind)()


def run(*args):
    done = subprocess.run(list(args), capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(" ".join(args) + ": " + done.stderr.strip())
    return done.stdout


def check(case, folder):
    """Sentences about what differs."""
    text, given, packed, back = (os.path.join(folder, name) for name in ("in.tns", "in.h5", "out.h5", "back.tns"))
    with open(text, "w") as f:
        for (i, j), value in case["entries"]:
            f.write("%d %d %g\n" % (i + 1, j + 1, value))
    run("tconv", "-q", text, "--dims=" + ",".join(map(str, case["dims"])), "--format=" + case["from"], "-o", given)
    run("tconv", "-q", given, "--format=" + format_of(case["kind"], case["params"]), "-o", packed)
    shown = json.loads(run("tinfo", packed, "--json", "--arrays"))
    arrays = {"val": shown["values"]}
    for level in shown["levels"]:
        arrays.update(level)
    for name, want in case["arrays"].items():
        if arrays.get(name) != want:
            yield "%s: %s is %s, not %s" % (case["id"], name, arrays.get(name), want)
    run("tconv", "-q", packed, "-o", back)
    with open(back) as f:
        rows = [line.split() for line in f if not line.startswith("#")]
    got = sorted(((int(i) - 1, int(j) - 1), float(v)) for i, j, v in (row for row in rows if len(row) == 3))
    if got != sorted((tuple(at), float(v)) for at, v in case["entries"]):
        yield "%s: other entries come back: %s" % (case["id"], got)


bad = 0
with open(path) as f:
    cases = json.load(f)
with tempfile.TemporaryDirectory(dir=os.environ.get("TSR_TMP")) as folder:
    for case in cases:
        try:
            for sentence in check(case, folder):
                print(sentence)
                bad += 1
        except RuntimeError as error:
            print(case["id"] + ": " + str(error))
            bad += 1
print("%d cases, %d differences" % (len(cases), bad))
sys.exit(bad > 0)
