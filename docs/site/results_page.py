"""The page of results, from results/rows.csv and the records: sentences to cite, wins and losses, plots with intervals."""
import csv
import html
import json
import math
import os

NAMES = {"spmv": "SpMV", "spmm": "SpMM", "sddmm": "SDDMM", "mttkrp": "MTTKRP", "ttv": "TTV", "ttm": "TTM", "spgemm": "SpGEMM"}
# One colour for each format, everywhere on the page; baselines are grey.
HUES = {"coo": 10, "csr": 215, "csc": 190, "dcsr": 240, "csf": 150, "hicoo": 300, "alto": 45, "bcsr": 260, "sell": 330, "strips": 95,
        "tcsf": 125, "ell": 345, "dia": 60, "bdia": 75, "dense": 25, "csb": 280, "linear": 170}


def colour(candidate, fmt):
    if candidate != "tessera":
        return "#7b8490"
    family = fmt.split("(")[0].split(":")[0]
    return "hsl(%d 65%% 48%%)" % HUES.get(family, sum(map(ord, family)) * 37 % 360)


def number(text):
    return float(text) if text not in ("", None) else None


def case_of(row):
    return (row["kernel"], row["dataset"], row["mode"], row["rank"], row["type"], row["threads"])


def label_of(case):
    kernel, dataset, mode, rank, kind, threads = case
    words = [dataset]
    if mode:
        words.append("mode " + mode)
    if rank:
        words.append("rank " + rank)
    return ", ".join(words)


def ratio_text(x):
    return "%.2f" % x if x < 10 else "%.0f" % x


def compare(rows):
    """{case: (best of Tessera, best baseline or None)}"""
    cases = {}
    for row in rows:
        if number(row["median_ns"]):
            cases.setdefault(case_of(row), []).append(row)
    out = {}
    for case, all_rows in cases.items():
        time = lambda r: number(r["median_ns"])
        ours = [r for r in all_rows if r["candidate"] == "tessera"]
        theirs = [r for r in all_rows if r["candidate"] != "tessera"]
        if ours:
            out[case] = (min(ours, key=time), min(theirs, key=time) if theirs else None, all_rows)
    return out


def ratio(pair):
    return number(pair[1]["median_ns"]) / number(pair[0]["median_ns"])


def sentences(compared, threads):
    """How each kernel's sentence goes on, as items of a list."""
    out = []
    for kernel in dict.fromkeys(c[0] for c in compared):
        pairs = [p for c, p in compared.items() if c[0] == kernel and c[5] == threads and p[1]]
        if not pairs:
            continue
        ratios = sorted(ratio(p) for p in pairs)
        libraries = sorted({r["candidate"] for p in pairs for r in p[2] if r["candidate"] != "tessera"})
        lost = sum(r < 1 for r in ratios)
        span = ratio_text(ratios[0]) + " to " + ratio_text(ratios[-1]) if len(ratios) > 1 else ratio_text(ratios[0])
        out.append("<li><strong>%s %s times</strong> as fast as the best of %s, on %d case%s%s</li>" % (
            html.escape(NAMES.get(kernel, kernel)), span, ", ".join(libraries), len(ratios), "" if len(ratios) == 1 else "s",
            "; slower on %d of them" % lost if lost else ""))
    return out


def cell(pair):
    r = ratio(pair)
    strength = min(1, abs(math.log2(r)) / 2)
    hue, name = (172, "win") if r >= 1 else (28, "loss")
    return '<td class="n %s" style="--s:%.2f;--h:%d" title="%s against %s">%s</td>' % (
        name, strength, hue, html.escape(pair[0]["format"]), html.escape(pair[1]["candidate"]), ratio_text(r))


def wins(compared, threads):
    """A table for each kind of tensor: kernels down, tensors across."""
    cases = {c: p for c, p in compared.items() if c[5] == threads and p[1]}
    kernels = list(dict.fromkeys((c[0], c[2], c[3]) for c in cases))
    groups = {}
    for key in kernels:
        groups.setdefault(tuple(sorted({c[1] for c in cases if (c[0], c[2], c[3]) == key})), []).append(key)
    parts = []
    for datasets, keys in groups.items():
        head = "".join('<th scope="col" class="n">%s</th>' % html.escape(d.replace(":", " ").replace(",", " ")) for d in datasets)
        body = ""
        for key in keys:
            name = NAMES.get(key[0], key[0]) + (", mode " + key[1] if key[1] else "") + (", rank " + key[2] if key[2] else "")
            cells = ""
            for d in datasets:
                found = [p for c, p in cases.items() if (c[0], c[2], c[3]) == key and c[1] == d]
                cells += cell(found[0]) if found else "<td></td>"
            body += '<tr><th scope="row">%s</th>%s</tr>' % (html.escape(name), cells)
        parts.append('<div class="scroll" tabindex="0"><table class="wins"><tr><th scope="col">kernel</th>%s</tr>%s</table></div>' % (head, body))
    return "".join(parts)


def plot(case, rows):
    """One line for each candidate: quartiles as a bar, the median as a dot, milliseconds on a logarithmic axis."""
    rows = sorted(rows, key=lambda r: number(r["median_ns"]))
    low = min(number(r["min_ns"]) for r in rows)
    high = max(number(r["max_ns"]) for r in rows)
    left, width, step = 190, 420, 20
    span = max(math.log(high / low), 0.05)
    x = lambda t: left + width * math.log(t / low) / span
    out = ['<svg viewBox="0 0 %d %d" width="%d" role="img" aria-label="times of %s" font-size="12" fill="currentColor" font-family="sans-serif">'
           % (left + width + 90, step * len(rows) + 8, left + width + 90, html.escape(label_of(case)))]
    for k, r in enumerate(rows):
        y = step * k + 14
        name = r["format"] if r["candidate"] == "tessera" else r["candidate"] + (" " + r["format"] if r["format"] else "")
        name = name if len(name) < 27 else name[:25] + "..."
        c = colour(r["candidate"], r["format"])
        out.append('<text x="%d" y="%d" text-anchor="end">%s</text>' % (left - 8, y + 4, html.escape(name)))
        out.append('<path d="M%.1f %dH%.1f" stroke="%s" stroke-width="6" opacity=".45"/>' % (x(number(r["q1_ns"])), y, max(x(number(r["q3_ns"])), x(number(r["q1_ns"])) + 1), c))
        out.append('<circle cx="%.1f" cy="%d" r="4" fill="%s"/>' % (x(number(r["median_ns"])), y, c))
        out.append('<text x="%d" y="%d">%.3g ms</text>' % (left + width + 12, y + 4, number(r["median_ns"]) / 1e6))
    return "".join(out) + "</svg>"


def load(folder):
    """The rows by cases, the record of SpMV, the largest number of threads."""
    with open(os.path.join(folder, "rows.csv"), newline="") as f:
        compared = compare(csv.DictReader(f))
    with open(os.path.join(folder, "spmv.json")) as f:
        record = json.load(f)
    return compared, record, max({c[5] for c in compared}, key=int)


def by_format(folder, nbest=6, nworst=4):
    """{name of a format: a table of its best and worst cases, as HTML}, and the machine."""
    compared, record, threads = load(folder)
    machine = record["machine"]
    found = {}
    for case, (best, _, rows) in compared.items():
        fastest = {}
        for r in rows if case[5] == threads else []:
            name = r["format"].split("(")[0].split(":")[0]
            if r["candidate"] == "tessera" and ("," not in name):
                if name not in fastest or number(r["median_ns"]) < number(fastest[name]["median_ns"]):
                    fastest[name] = r
        for name, r in fastest.items():
            found.setdefault(name, []).append((number(r["median_ns"]) / number(best["median_ns"]), case, r, best))
    out = {}
    for name, rows in found.items():
        rows.sort(key=lambda r: r[0])
        shown = rows if len(rows) <= nbest + nworst else rows[:nbest] + rows[-nworst:]
        body = "".join('<tr><td>%s</td><td>%s</td><td class="mono">%s</td><td class="n">%.3g ms</td><td class="n">%.2f</td><td class="mono">%s</td></tr>' % (
            html.escape(NAMES.get(case[0], case[0])), html.escape(label_of(case)), html.escape(r["format"]), number(r["median_ns"]) / 1e6, times,
            html.escape(best["format"])) for times, case, r, best in shown)
        out[name] = ('<div class="scroll" tabindex="0"><table><tr><th scope="col">kernel</th><th scope="col">tensor</th><th scope="col">as</th>'
                     '<th scope="col" class="n">time</th><th scope="col" class="n">times the best</th><th scope="col">best</th></tr>%s</table></div>%s' % (
                         body, "<p>Of %d cases the %d best and the %d worst.</p>" % (len(rows), nbest, nworst) if shown is not rows else ""))
    return out, "%s, %s threads, commit %s, %s" % (machine["cpu"], threads, machine["commit"], machine["started"][:10])


def body(folder):
    compared, record, threads = load(folder)
    machine = record["machine"]
    plots = {}
    for case, (_, _, all_rows) in compared.items():
        if case[5] == threads:
            plots.setdefault(case[0], []).append((case, all_rows))
    drawn = "".join("<details><summary><h3>%s</h3></summary>%s</details>" % (
        html.escape(NAMES.get(kernel, kernel)), "".join('<h4>%s</h4><div class="scroll" tabindex="0">%s</div>' % (html.escape(label_of(c)), plot(c, r)) for c, r in cases))
        for kernel, cases in plots.items())
    style = ("<style>.wins{--l:50%}@media(prefers-color-scheme:dark){.wins{--l:28%}}.wins td{background:color-mix(in srgb,hsl(var(--h) 70% var(--l)) calc(var(--s)*55%),var(--page));color:var(--text)}"
             ".wins td.loss{font-weight:700;outline:2px solid hsl(28 80% 45%);outline-offset:-2px}.wins th.n{font-size:.8rem;max-width:7.5rem;overflow-wrap:anywhere}"
             "summary h3{display:inline}summary{cursor:pointer;margin:.5rem 0}</style>")
    return style + ("<h1>Results</h1><p class=\"soft\">%s, %s CPUs; %s, %s; Tessera at commit %s, measured %s by</p><pre tabindex=\"0\">./dev results\n%s</pre>"
            "<h2>To cite</h2><p>On an %s with %s threads the best format of Tessera runs</p><ul>%s</ul>"
            "<h2>Wins and losses</h2><p>How many times as fast as the fastest other library the best format of Tessera runs, %s threads, medians. Teal: faster; "
            "orange with a border: slower. The format is chosen anew for each case; one format for all cases gives less.</p>%s"
            "<h2>All times</h2><p>The bar spans the quartiles, the dot is the median, the axis is logarithmic. A format has the same colour in every plot; other libraries "
            "are grey.</p>%s") % (
        html.escape(machine["cpu"]), machine["cpus"], html.escape(machine["kernel"]), html.escape(machine["compiler"]), machine["commit"], machine["started"][:10],
        html.escape(record["command"]), machine["cpu"], threads, "".join(sentences(compared, threads)), threads, wins(compared, threads), drawn)
