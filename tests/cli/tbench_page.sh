# shellcheck shell=bash
# The HTML page of tbench report in a browser: sorting, filters, an empty console.
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || skip "needs chromium"
python3 - <<'END'
import json
rows = []
for i, (name, fmt, ns) in enumerate([("b", "csr", 3e6), ("a", "csr", 1e9), ("a", "coo", 2e3), ("c", "coo", 1e6)]):
    rows.append({"kernel": "spmv", "dataset": {"name": name + "<script>alert(1)</script>", "dims": [9], "nnz": 9}, "threads": 1 + i % 2,
                 "candidate": "tessera", "format": fmt, "samples_ns": [ns] * 3, "checked": True,
                 "pack_ns": None if i == 0 else 10.0 ** i, "flops": 7, "moved_bytes": 9, "bytes": 100 * i or None})
rows.append({"kernel": "spmv", "threads": 1, "candidate": "other", "note": "not installed"})
json.dump({"schema": "tessera-bench", "version": 1, "machine": {}, "rows": rows,
           "roofs": [{"threads": 1, "triad_bytes_s": 1e10, "fma_f64_flop_s": 1e10}]}, open("r.json", "w"))
END
tbench report r.json -o out 2>/dev/null
grep -o 'class="hint">[^,<]*' out/index.html | head -n 1
t tbench report r.json -o "''"
# The checks stand behind the page's own script, and print into the title.
python3 - <<'END'
page = open("out/index.html").read()
checks = """<script>
const said = [];
addEventListener('error', (e) => said.push('error ' + e.message));
const cells = (i) => [...document.querySelectorAll('#rows tbody tr')].filter((r) => !r.hidden).map((r) => r.cells[i].textContent[0] ?? '-').join('');
const click = (i) => document.querySelectorAll('#rows thead th')[i].querySelector('button').click();
const set = (field, value) => { field.value = value; field.dispatchEvent(new Event('input', {bubbles: true})); };
said.push('first ' + cells(1));
click(1); said.push('dataset up ' + cells(1));
click(1); said.push('down ' + cells(1) + ' ' + document.querySelectorAll('[aria-sort]').length);
click(4); said.push('time ' + cells(4));
click(7); said.push('pack ' + cells(1));
const search = document.getElementById('search'), selects = [...document.querySelectorAll('select')];
set(search, 'CSR a'); said.push('search ' + cells(1) + ' ' + document.getElementById('count').textContent);
set(search, ''); set(selects[1], 'coo'); said.push('choice ' + cells(1) + ' of ' + selects.length);
set(selects[1], ''); said.push('all ' + cells(1));
said.push('svg ' + (document.querySelectorAll('figure svg').length > 0), 'ids ' +
  (new Set([...document.querySelectorAll('[id]')].map((e) => e.id)).size === document.querySelectorAll('[id]').length));
said.push('others absent ' + document.querySelectorAll('.others td.flag').length);
// A bar has a colour of the page, and another on dark ground.
said.push('bar ' + getComputedStyle(document.querySelector('figure polygon')).fill, 'dark ' + [...document.styleSheets[0].cssRules].filter((r) =>
  r.media && r.media.mediaText.includes('dark') && r.cssText.includes('--c5')).length);
// The page begins with the verdicts, which have a legend, and a narrow screen shows them as blocks, not as a table.
said.push('begins ' + document.querySelector('h2').textContent, 'legend ' + document.querySelectorAll('.legend > span').length,
  'narrow ' + [...document.styleSheets[0].cssRules].filter((r) =>
  r.media && r.media.mediaText.includes('max-width') && r.cssText.includes('.choices tbody tr')).length);
said.push('alerts ' + document.querySelectorAll('#rows script').length);
const loads = performance.getEntriesByType('resource').length;
said.push('loads ' + loads);
document.title = said.join('|');
</script></body>"""
open("out/checked.html", "w").write(page.replace("</body>", checks))
END
command -v gnuplot >/dev/null || skip "needs gnuplot"
timeout 120 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$PWD/profile" --no-first-run \
    --enable-logging=stderr --dump-dom "file://$PWD/out/checked.html" >dom.html 2>log || skip "the browser does not start here"
grep -o '<title>[^<]*' dom.html | sed 's/<title>//' | tr '|' '\n'
grep -c CONSOLE log
true
