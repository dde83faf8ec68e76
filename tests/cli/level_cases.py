"""The arrays of formats with level types of their own (ell, sell, dia, band, bitmap...) against known answers
(TSR_SHARED/cases/merge): tconv packs each case from the format that it names, tinfo --json --arrays must show exactly the
arrays of the case, and the way back must give the same entries."""
import json
import os

from checks import end, expect, own_folder, run, shared

path = shared("cases", "merge", "level-cases-visible.json")


def format_of(kind, p):
    return {
        "ell": lambda: "ell" if p["order"] == "row" else "ellc",
        "sell": lambda: "sell(%d,%d)" % (p["C"], p["sigma"]),
        "dia": lambda: {"row": "dia", "column": "diac", "packed": "diap"}[p["keyed"]],
        "bitmap": lambda: "bitmapc" if p["compact"] else "bitmap",
        "structured": lambda: "nm(%d,%d)" % (p["N"], p["M"]),
        "runs": lambda: "srun" if p["sparse"] else "runs",
    }.get(kind, lambda: kind)()


def output(*args):
    code, out, said = run(*args)
    if code:
        raise RuntimeError(" ".join(args) + ": " + said)
    return out


def check(case, folder):
    """Sentences about what differs."""
    text, given, packed, back = (os.path.join(folder, name) for name in ("in.tns", "in.h5", "out.h5", "back.tns"))
    with open(text, "w") as f:
        for (i, j), value in case["entries"]:
            f.write("%d %d %g\n" % (i + 1, j + 1, value))
    output("tconv", "-q", text, "--dims=" + ",".join(map(str, case["dims"])), "--format=" + case["from"], "-o", given)
    output("tconv", "-q", given, "--format=" + format_of(case["kind"], case["params"]), "-o", packed)
    shown = json.loads(output("tinfo", packed, "--json", "--arrays"))
    arrays = {"val": shown["values"]}
    for level in shown["levels"]:
        arrays.update(level)
    for name, want in case["arrays"].items():
        if arrays.get(name) != want:
            yield "%s is %s, not %s" % (name, arrays.get(name), want)
    output("tconv", "-q", packed, "-o", back)
    with open(back) as f:
        rows = [line.split() for line in f if not line.startswith("#")]
    got = sorted(((int(i) - 1, int(j) - 1), float(v)) for i, j, v in (row for row in rows if len(row) == 3))
    if got != sorted((tuple(at), float(v)) for at, v in case["entries"]):
        yield "other entries come back: %s" % got


with open(path) as f:
    cases = json.load(f)
folder = own_folder()
for case in cases:
    try:
        differences = list(check(case, folder))
    except RuntimeError as error:
        differences = [str(error)]
    expect(case["id"], not differences, "; ".join(differences))
end()
