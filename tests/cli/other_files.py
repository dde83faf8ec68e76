"""All files of TSR_SHARED/cases/files (made by other software): each is read with exactly the content of its oracle, or
refused in one sentence where it must be."""
import csv
import json
import os
import struct
import sys

from checks import own_folder, run, shared

cases = shared("cases", "files")

# Kinds that are recognised and refused on purpose, with what the sentence must say.
unread = {"parquet": "Parquet"}
# What a file needs besides its name.
arguments = {"svmlight/zero_based.svm": ["--index-base=0", "--dims=12,20"], "svmlight/comment_qid.svm": ["--dims=12,20"],
             "edges-csv/order3_1based.csv": ["--index-base=1"]}


def number(text, single):
    """A number in the way that this test compares: the bits of a double, rounded to single precision where the file is."""
    v = float(text)
    return struct.unpack("<f", struct.pack("<f", v))[0].hex() if single else v.hex()


def value(text, single):
    """(number) or (real, imaginary) of an oracle's text or of a value in JSON."""
    if isinstance(text, list):
        return tuple(number(part, single) for part in text)
    if isinstance(text, str) and text.startswith("("):
        v = complex(text)
        return (number(v.real, single), number(v.imag, single))
    return (number(text, single),)


def without_zeros(rows):
    return sorted(row for row in rows if any(float.fromhex(part) != 0 for part in row[1]))


def oracle(path, single, drop_zeros):
    with open(path) as f:
        shape = [int(n) for n in f.readline().split()[1:]]
        rows = []
        for line in f:
            tokens = line.split()
            rows.append((tuple(int(n) for n in tokens[:len(shape)]), value(tokens[-1], single)))
    return shape, without_zeros(rows) if drop_zeros else sorted(rows)


def arrays(path, *extra):
    code, out, said = run("tinfo", "--json", "--arrays", path, *extra)
    if code:
        return None, (code, said)
    return json.loads(out), None


def ours(path, extra, folder, single):
    """(shape, entries) as they are read, or the exit code and the sentence."""
    found, refusal = arrays(path, *extra)
    if refusal:
        return None, refusal
    if "levels" in found:  # packed: as coordinates
        listed = os.path.join(folder, "listed.h5")
        code, _, said = run("tconv", "-q", path, *extra, "--format=coo", "-o", listed)
        if code:
            return None, (code, said)
        found, refusal = arrays(listed)
        if refusal:
            return None, refusal
    modes = found["modes"] if "modes" in found else found["levels"]
    values = found["values"]
    n = len(modes[0]["crd"]) if modes else len(values)
    if len(values) == 1 and n != 1:  # one value for all
        values = values * n
    rows = [(tuple(mode["crd"][e] for mode in modes), value(values[e], single)) for e in range(n)]
    return ([mode["size"] for mode in modes], sorted(rows)), None


def is_sentence(path, answer):
    code, said = answer
    return code in (1, 2) and said.count("\n") == 0 and said.startswith(("tconv: ", "tinfo: "))


def check(row, folder):
    """(what happened, remark)"""
    path = os.path.join(cases, row["kind"], row["file"])
    named = path + ":" + row["object"].replace("__", "/") if row["object"] else path
    extra = arguments.get(row["kind"] + "/" + row["file"], [])
    single = row["type"] in ("float32", "float16", "complex64", ">f4")
    got, refusal = ours(named, extra, folder, single)
    optional = row["note"].startswith("optional")
    if row["kind"] in unread:
        if got is None and is_sentence(path, refusal) and unread[row["kind"]] in refusal[1].replace(path, ""):
            return "refused on purpose", ""
        return "BAD", "not refused as %s: %s" % (unread[row["kind"]], refusal)
    if row["oracle"].endswith(".refuse.txt"):
        if got is None and is_sentence(path, refusal):
            return "refused", refusal[1].replace(cases + "/", "")
        return ("ok", "") if optional else ("BAD", "must be refused")
    if got is None:
        if optional and is_sentence(path, refusal):
            return "refused", refusal[1].replace(cases + "/", "")
        return "BAD", str(refusal)
    cells = "dense" in row["note"]  # zeros of dense levels are not entries
    want = oracle(os.path.join(cases, row["kind"], row["oracle"]), single, cells)
    if cells:
        got = got[0], without_zeros(got[1])
    if want[0] != got[0]:
        return "BAD", "shape %s, not %s" % (got[0], want[0])
    if want[1] != got[1]:
        missing = [r for r in want[1] if r not in got[1]][:2]
        more = [r for r in got[1] if r not in want[1]][:2]
        return "BAD", "entries: %d, not %d; missing %s, too many %s" % (len(got[1]), len(want[1]), missing, more)
    return "ok", ""


counts = {}
with open(os.path.join(cases, "MANIFEST.tsv")) as f:
    rows = list(csv.DictReader(f, delimiter="\t"))
folder = own_folder()
for row in rows:
    if not os.path.exists(os.path.join(cases, row["kind"], row["file"])):
        continue
    kind, remark = check(row, folder)
    counts[kind] = counts.get(kind, 0) + 1
    if remark:
        print(kind, row["kind"] + "/" + row["file"], row["object"], remark, sep="\t")
print(counts)
sys.exit(1 if counts.get("BAD") or counts.get("ok", 0) < 10 else 0)
