"""The arrays of packed files against known answers (TSR_SHARED/cases): tinfo --json --arrays of each must be equal to them."""
import csv
import json
import os
import re

from checks import end, expect, own_folder, run, shared

cases = shared("cases")


def arrays(folder, dims, entries, form):
    """Pack entries ((coordinates from 0), value) into `form` through a file; the arrays, or a sentence of complaint."""
    text, packed = os.path.join(folder, "in.tns"), os.path.join(folder, "out.h5")
    with open(text, "w") as f:
        for at, value in entries:
            f.write(" ".join(str(i + 1) for i in at) + " " + str(value) + "\n")
    code, _, said = run("tconv", text, "--dims=" + ",".join(map(str, dims)), "--format=" + form, "-o", packed)
    if code:
        return said
    code, out, said = run("tinfo", packed, "--json", "--arrays")
    return json.loads(out) if code == 0 else said


def layouts(folder):
    with open(os.path.join(cases, "level-layouts.json")) as f:
        rows = json.load(f)
    for row in rows:
        want = {"levels": [], "values": row["values"]}
        modes = [int(m) for m in row["format"].split(":")[1].split(",")]
        for level, mode in zip(row["levels"], modes):
            if level[0] == "d":
                want["levels"].append({"kind": "dense", "size": level[1]})
            else:
                want["levels"].append({"kind": "compressed", "size": row["dims"][mode], "pos": level[1], "crd": level[2]})
        yield row["data"] + " " + row["format"], want, arrays(folder, row["dims"], row["entries"], row["format"])


def numbers(text):
    return [json.loads(part) for part in re.findall(r"\[[^\]]*\]", text)]


def storage(folder):
    with open(os.path.join(cases, "level-storage-cases.tsv"), newline="") as f:
        rows = list(csv.DictReader(f, delimiter="\t"))
    for row in rows:
        if re.search(r"structured|range|squeezed|sliced|banded|hashed|loose|batch", row["map and levels"]):
            continue
        dims = [int(d) for d in row["tensor"].split(":")[0].split("x")]
        entries = [([int(i) for i in at.split(",")], int(value))
                   for at, value in re.findall(r"\(([\d,]+)\)=(-?\d+)", row["tensor"])]
        sizes = [int(s) for s in re.findall(r"\d+", row["lvl sizes"])]
        kinds = re.findall(r":\s*(dense|compressed|singleton)(\(nonunique\))?", row["map and levels"])
        want = {"levels": [], "values": json.loads(row["values"])}
        pos = dict(zip(re.findall(r"pos\[(\d+)\]=", row["pos"] or ""), numbers(re.sub(r"pos\[\d+\]=", "", row["pos"] or ""))))
        crd = dict(zip(re.findall(r"crd\[(\d+)\]=", row["crd"] or ""), numbers(re.sub(r"crd\[\d+\]=", "", row["crd"] or ""))))
        for l, (kind, nonunique) in enumerate(kinds):
            level = {"kind": kind, "size": sizes[l]}
            if nonunique:
                level["nonunique"] = True
            if str(l) in pos:
                level["pos"] = pos[str(l)]
            if str(l) in crd:
                level["crd"] = crd[str(l)]
            want["levels"].append(level)
        yield row["id"] + " " + row["map and levels"], want, arrays(folder, dims, entries, row["map and levels"])


folder = own_folder()
for source in layouts, storage:
    for name, want, got in source(folder):
        expect(name, got == want, "\n  want %s\n  got  %s" % (want, got))
end(least=20)
