"""make.py OUT --tools DIR --wasm DIR [--man DIR]: write the site into the folder OUT, as static files.

Pages come from docs/site/pages and docs/*.md (by pandoc), the storage formats (by the tools), the man pages, the
comments of tessera.h, the Python package, results/, and docs/site/playground. CONTRIBUTING.md says how to add one.
"""
import argparse
import ast
import base64
import glob
import html
import json
import os
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
import results_page  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
SAMPLE = [(0, 0, 1), (0, 1, 2), (1, 1, 3), (2, 2, 4), (2, 3, 5), (3, 2, 6), (3, 3, 7), (4, 5, 8), (5, 0, 9)]
SAMPLE_DIMS = (6, 6)


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


class Site:
    def __init__(self, out, tools, man):
        self.out, self.tools, self.man = out, tools, man
        self.template = read(os.path.join(HERE, "template.html"))
        numbers = re.findall(r"#define TSR_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", read(os.path.join(SOURCE, "include/tessera/tessera.h")))
        self.version = ".".join(numbers)
        self.pages = []  # (path, title, text) for the search

    # ---- writing ----

    def write(self, path, text):
        full = os.path.join(self.out, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as f:
            f.write(text)

    def page(self, path, title, body, head="", searched=True):
        root = "../" * path.count("/")
        text = self.template
        for key, value in (("TITLE", html.escape(title)), ("HEAD", head), ("VERSION", self.version), ("BODY", body), ("ROOT", root)):
            text = text.replace("@" + key + "@", value)
        section = "/" + path.split("/")[0] + "/"
        here = 'href="%s"' % (root + path)
        for link in (here, 'href="%sindex.html"' % (root + section[1:])):
            if link in text:
                text = text.replace(link, link + ' aria-current="page"', 1)
                break
        self.write(path, text)
        if searched:
            words = html.unescape(re.sub(r"<[^>]+>", " ", re.sub(r"<(script|style|svg)\b.*?</\1>", " ", body, flags=re.S)))
            self.pages.append((path, title, re.sub(r"\s+", " ", words).strip()))

    def run(self, *argv, **how):
        env = dict(os.environ, TSR_TUNING="none", LC_ALL="C", OMP_NUM_THREADS="1", PATH=self.tools + ":" + os.environ["PATH"])
        return subprocess.run(argv, env=env, capture_output=True, text=True, **how)

    def pandoc(self, text, kind="gfm-tex_math_dollars"):
        return subprocess.run(["pandoc", "--from=" + kind, "--to=html5", "--no-highlight", "--wrap=none"], input=text, capture_output=True,
                              text=True, check=True).stdout

    # ---- markdown pages ----

    def links(self, body, path, where):
        """Links between markdown pages become links between pages; links to sources become plain code."""
        root = "../" * path.count("/")

        def target(m):
            link, words = m.group(1), m.group(2)
            if re.match(r"[a-z]+:|#", link):
                return m.group(0)
            file, _, part = link.partition("#")
            full = os.path.normpath(os.path.join(where, file))
            known = {"README.md": "index.html", "results/report.md": "results.html", "results/README.md": "results.html",
                     "CONTRIBUTING.md": "docs/contributing.html", "CHANGELOG.md": "docs/changelog.html"}
            page = known.get(full)
            if not page and re.match(r"docs/[\w-]+\.md$", full):
                page = full[:-3] + ".html"
            if not page and re.match(r"docs/measurements/[\w-]+\.md$", full):
                page = full[:-3] + ".html"
            if not page and re.match(r"docs/(tutorials|howto)/[\w-]+\.md$", full):
                page = full[len("docs/"):-3] + ".html"
            if not page and os.path.exists(os.path.join(HERE, "pages", file)) and file.endswith(".md"):
                page = file[:-3] + ".html"
            if not page and full.startswith("docs/site/playground/"):
                page = full[len("docs/site/"):]
            if not page and file.endswith(".html"):
                page = file
            if page:
                return '<a href="%s%s%s">%s</a>' % (root, page, "#" + part if part else "", words)
            return "<code>%s</code>" % html.escape(full) if words == full else words
        body = re.sub(r'<a href="([^"]*)"[^>]*>(.*?)</a>', target, body, flags=re.S)

        def picture(m):
            file = os.path.normpath(os.path.join(where, m.group(1)))
            if not os.path.exists(os.path.join(SOURCE, file)):
                return m.group(0)
            name = "pictures/" + os.path.basename(file)
            os.makedirs(os.path.join(self.out, "pictures"), exist_ok=True)
            shutil.copy(os.path.join(SOURCE, file), os.path.join(self.out, name))
            return 'src="%s%s" loading="lazy"' % (root, name)
        body = re.sub(r'src="([^":]*)"', picture, body)
        body = re.sub(r"<img ", '<img style="max-width:100%;background:#fff" ', body)
        body = re.sub(r"<table>", '<div class="scroll" tabindex="0"><table>', body).replace("</table>", "</table></div>")
        return body.replace("<pre>", '<pre tabindex="0">').replace("<pre class=", '<pre tabindex="0" class=')

    def markdown(self, file, path, head=""):
        text = read(file)
        title = re.search(r"^# (.*)", text, re.M)
        title = title.group(1) if title else os.path.basename(path)
        body = self.links(self.pandoc(text), path, os.path.relpath(os.path.dirname(file), SOURCE))
        self.page(path, re.sub(r"`", "", title), self.headings(body), head)
        return title

    @staticmethod
    def headings(body):
        """No level of headings is skipped."""
        last = [0]

        def level(m):
            n = min(int(m.group(1)), last[0] + 1)
            last[0] = n
            return "<h%d%s>%s</h%d>" % (n, m.group(2), m.group(3), n)
        return re.sub(r"<h(\d)([^>]*)>(.*?)</h\1>", level, body, flags=re.S)

    # ---- parts ----

    def own_pages(self):
        for file in sorted(glob.glob(os.path.join(HERE, "pages", "*.md"))):
            self.markdown(file, os.path.basename(file)[:-3] + ".html")

    def landing(self):
        body = read(os.path.join(HERE, "pages", "index.html"))
        picture = self.run("tlayout", "f32[3,5]{1,0:T(2,2)}", "--svg=-").stdout
        picture = picture.replace("<svg ", '<svg role="img" aria-label="a tiled layout, drawn by tlayout" ', 1)
        body = body.replace("@PICTURE@", picture)
        for m in re.findall(r"@RUN (.*)@", body):
            done = self.run("bash", "-c", m)
            body = body.replace("@RUN %s@" % m, html.escape("$ " + m + "\n" + done.stdout.rstrip()))
        self.page("index.html", "Sparse tensors: files, formats, kernels, measurements", body)

    def cards(self, folder):
        """The pages of docs/FOLDER, and a card for each, as HTML."""
        items = []
        for file in sorted(glob.glob(os.path.join(SOURCE, "docs", folder, "*.md"))):
            page = "%s/%s.html" % (folder, os.path.basename(file)[:-3])
            title = self.markdown(file, page)
            first = re.search(r"^# .*\n+([^`#]\S.*)?", read(file)).group(1) or ""
            items.append('<section class="card"><h3><a href="../%s">%s</a></h3><p>%s</p></section>' % (page, title, html.escape(first.replace("`", ""))))
        return '<div class="cards">%s</div>' % "".join(items)

    def tutorials(self):
        self.page("tutorials/index.html", "Tutorials", "<h1>Tutorials and how-tos</h1><p>A test runs the commands, so they print what you see.</p>"
                  "<h2>Tutorials: ten minutes each</h2>%s<h2>How to: one job each</h2>%s" % (self.cards("tutorials"), self.cards("howto")))

    def docs(self):
        rows = []
        for file in sorted(glob.glob(os.path.join(SOURCE, "docs", "*.md"))):
            name = os.path.basename(file)[:-3]
            rows.append(("docs/%s.html" % name, self.markdown(file, "docs/%s.html" % name)))
        for file in sorted(glob.glob(os.path.join(SOURCE, "docs", "measurements", "*.md"))):
            name = "docs/measurements/" + os.path.basename(file)[:-3] + ".html"
            rows.append((name, self.markdown(file, name)))
        for name in ("CONTRIBUTING", "CHANGELOG"):
            rows.append(("docs/%s.html" % name.lower(), self.markdown(os.path.join(SOURCE, name + ".md"), "docs/%s.html" % name.lower())))
        manuals = []
        for file in sorted(glob.glob(os.path.join(self.man, "*.1"))) if self.man else []:
            name = os.path.basename(file)[:-2]
            body = self.links(self.pandoc(read(file), "man"), "docs/x", "docs")
            self.page("docs/%s.1.html" % name, "%s(1)" % name, "<h1>%s(1)</h1>" % name + self.headings("<h1></h1>" + body.replace("<h1", "<h2").replace("</h1>", "</h2>")).replace("<h1></h1>", ""))
            manuals.append(("docs/%s.1.html" % name, name))
        self.c_reference()
        self.python_reference()
        def entries(rows):
            return "<ul>" + "".join('<li><a href="../%s">%s</a></li>' % (p, html.escape(t.replace("`", ""))) for p, t in rows) + "</ul>"
        self.page("docs/index.html", "Documentation", '<h1>Documentation</h1><div class="two"><section><h2>Pages</h2>%s</section><section><h2>Manual pages</h2>%s'
                  '<h2>Reference</h2><ul><li><a href="c.html">C: tessera.h</a></li><li><a href="python-reference.html">Python: the package tessera</a></li></ul></section></div>'
                  % (entries(rows), entries(manuals)))

    def c_reference(self):
        """One entry for each function of tessera.h with the comment before it."""
        text = read(os.path.join(SOURCE, "include/tessera/tessera.h"))
        entries = re.findall(r"((?:/\*(?:(?!\*/).)*\*/\s*)?)(TESSERA_(?:API|CHECKED)\b[^;{]*;)", text, re.S)
        parts = []
        for comment, declaration in entries:
            name = re.search(r"(tessera_\w+)\s*\(", declaration)
            if not name:
                continue
            words = re.sub(r"^\s*\* ?", "", comment.strip().removeprefix("/*").removesuffix("*/"), flags=re.M).strip()
            declaration = re.sub(r"\s+", " ", re.sub(r"TESSERA_(API|CHECKED)\s*", "", declaration))
            parts.append('<section><h2 id="%s">%s</h2><pre tabindex="0">%s</pre><p>%s</p></section>'
                         % (name.group(1), name.group(1), html.escape(declaration), html.escape(words)))
        self.page("docs/c.html", "C reference: tessera.h", "<h1>C reference: tessera.h</h1><p>%d functions. The head of the file says how they fit "
                  "together; <a href=\"library.html\">the library</a> shows programs.</p>%s" % (len(parts), "".join(parts)))

    def python_reference(self):
        """The public functions and classes of the package, with their docstrings."""
        init = ast.parse(read(os.path.join(SOURCE, "python/tessera/__init__.py")))
        public = []
        for node in ast.walk(init):
            if isinstance(node, ast.Assign) and any(getattr(t, "id", "") == "__all__" for t in node.targets):
                public = [e.value for e in node.value.elts if isinstance(e, ast.Constant)] if isinstance(node.value, (ast.List, ast.Tuple)) else []
            if isinstance(node, ast.ImportFrom) and node.level and not public:
                public += [a.asname or a.name for a in node.names]
        parts = []

        def entry(node, name):
            doc = ast.get_docstring(node) or ""
            if isinstance(node, ast.ClassDef):
                inner = [entry(n, name + "." + n.name) for n in node.body
                         if isinstance(n, ast.FunctionDef) and not n.name.startswith("_") and ast.get_docstring(n)]
                return '<section><h2 id="%s">%s</h2><pre tabindex="0">%s</pre></section>%s' % (name, name, html.escape(doc), "".join(inner))
            sign = "%s(%s)" % (name, ", ".join(a.arg for a in node.args.posonlyargs + node.args.args + node.args.kwonlyargs if a.arg != "self"))
            level = 3 if "." in name else 2
            return '<section><h%d id="%s">%s</h%d><pre tabindex="0">%s</pre></section>' % (level, name, html.escape(sign), level, html.escape(doc))
        for file in sorted(glob.glob(os.path.join(SOURCE, "python/tessera/*.py"))):
            stem = os.path.splitext(os.path.basename(file))[0]
            module = "" if stem.startswith("_") else stem + "."  # a module of its own, such as tessera.dask
            for node in ast.parse(read(file)).body:
                shown = isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_") and ast.get_docstring(node)
                if shown and (module or node.name in public or not public):
                    parts.append(entry(node, module + node.name))
        self.page("docs/python-reference.html", "Python reference", "<h1>Python reference: the package tessera</h1>" + "".join(parts))

    # ---- storage formats ----

    def format_example(self, name):
        """A format of order 2 with parameters that suit a small matrix."""
        text = read(os.path.join(SOURCE, "formats/storage", name + ".fmt"))
        params = re.search(r"^params:(.*)", text, re.M)
        if not params:
            return name
        small = {"bdia": "3", "hicoo": "2", "alto": ""}
        values = [p.split("=")[0].strip() for p in params.group(1).split(",")]
        return "%s(%s)" % (name, small.get(name) or ",".join("2" for _ in values))

    def formats(self):
        when = {}
        for line in read(os.path.join(HERE, "when.txt")).splitlines():
            name, use, avoid = re.fullmatch(r"(\w+): use (.*?) \| (.*)", line).groups()
            when[name] = (use, avoid)
        measured, machine = results_page.by_format(os.path.join(SOURCE, "results"))
        matrix = "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n" % (*SAMPLE_DIMS, len(SAMPLE)) + "".join("%d %d %g\n" % (i + 1, j + 1, v) for i, j, v in SAMPLE)
        self.write("formats/sample.mtx", matrix)
        cards = []
        for file in sorted(glob.glob(os.path.join(SOURCE, "formats/storage/*.fmt"))):
            name = os.path.basename(file)[:-4]
            summary = re.search(r"^summary: (.*)", read(file), re.M).group(1)
            self.format_page(name, summary, when.pop(name), measured.get(name, ""), machine)
            cards.append('<tr><th scope="row"><a href="%s.html">%s</a></th><td>%s</td></tr>' % (name, name, html.escape(summary)))
        if when:
            sys.exit("make.py: when.txt names formats that do not exist: %s" % ", ".join(when))
        os.remove(os.path.join(self.out, "formats/sample.mtx"))
        self.page("formats/index.html", "Storage formats", "<h1>Storage formats</h1><p>%d named formats. Each is an index map followed by levels, so any other can be "
                  'written out; <a href="../playground/format.html">type one</a>. <a href="../docs/formats.html">The grammar</a> says more.</p>'
                  '<div class="scroll" tabindex="0"><table>%s</table></div>' % (len(cards), "".join(cards)))

    def format_page(self, name, summary, when, measured, machine):
        folder = os.path.join(self.out, "formats")
        example = self.format_example(name)
        parts = ["<h1>%s</h1><p>%s</p>" % (name, html.escape(summary[0].upper() + summary[1:] + "."))]
        parts.append("<h2>When to use it</h2><p><strong>Use it</strong> %s.</p><p><strong>Not</strong> %s.</p>" % tuple(map(html.escape, when)))
        texts = [(label, self.run("tlayout", "convert", "--to=" + to, example)) for to, label in
                 (("long", "map and levels"), ("letters", "letters"), ("mlir", "MLIR"), ("ust", "UST (nvmath)"))]
        rows = "".join('<tr><th scope="row">%s</th><td class="mono">%s</td></tr>' % (l, html.escape(t.stdout.strip())) for l, t in texts if not t.returncode)
        parts.append('<h2>Map</h2><div class="scroll" tabindex="0"><table><tr><th scope="row">example</th><td class="mono">%s</td></tr>%s</table></div>' % (example, rows))
        done = self.run("tinfo", "sample.mtx", "--as=" + example, "--json", "--arrays", "--entries", cwd=folder)
        if not done.returncode:
            arrays = json.loads(done.stdout)
            parts.append("<h2>Arrays of a small matrix</h2>%s<p class=\"small\">The number of an entry is its place among the values.</p>%s"
                         '<p><a class="button main" href="../playground/format.html#f=%s">Change the matrix or the format</a></p>'
                         % (self.matrix_picture(arrays), self.arrays(arrays), example.replace("(", "%28").replace(")", "%29")))
        else:
            parts.append("<p>%s is for tensors of another order than 2, so no matrix is shown.</p>" % name)
        if measured:
            parts.append('<h2>Measured</h2>%s<p class="small">Medians on %s; "best" is the fastest format of Tessera in the same run. '
                         '<a href="../results.html">All results</a></p>' % (measured, html.escape(machine)))
        also = re.search(r"^also: (.*)", read(os.path.join(SOURCE, "formats/storage", name + ".fmt")), re.M)
        if also:
            parts.append("<h2>Names in other software</h2><p>%s</p>" % html.escape(also.group(1)))
        self.page("formats/%s.html" % name, name, "".join(parts))

    @staticmethod
    def matrix_picture(arrays):
        """The matrix as SVG: each entry with its value and its place among the values."""
        cell, m, n = 46, *SAMPLE_DIMS
        out = ['<svg viewBox="0 0 %d %d" width="%d" role="img" aria-label="the matrix" style="max-width:100%%;font:14px sans-serif">' % (n * cell + 2, m * cell + 2, n * cell + 2)]
        values = {(i, j): v for i, j, v in SAMPLE}
        at = {tuple(e["crd"]): e["at"][-1] if e["at"] else 0 for e in arrays["entries"]}
        for i in range(m):
            for j in range(n):
                full = (i, j) in values
                out.append('<rect x="%d" y="%d" width="%d" height="%d" rx="4" fill="%s" stroke="var(--line)"/>' % (j * cell + 2, i * cell + 2, cell - 3, cell - 3, "var(--c0)" if full else "var(--field)"))
                if full:
                    out.append('<text x="%d" y="%d" text-anchor="middle" fill="currentColor">%g</text>' % (j * cell + cell // 2, i * cell + 22, values[i, j]))
                    out.append('<text x="%d" y="%d" text-anchor="end" font-size="10" fill="currentColor">%d</text>' % (j * cell + cell - 6, i * cell + cell - 7, at.get((i, j), 0)))
        return "".join(out) + "</svg>"

    @staticmethod
    def arrays(arrays):
        def row(name, values):
            shown = values if len(values) <= 60 else values[:60]
            return '<div class="array"><span class="what">%s</span>%s%s</div>' % (name, "".join('<span class="slot">%s</span>' % html.escape(str(v)) for v in shown), "" if shown is values else " ... %d" % len(values))
        out = []
        for l, level in enumerate(arrays["levels"]):
            words = ", ".join(k if v is True else "%s %s" % (k, v) for k, v in level.items() if k != "kind" and not isinstance(v, list))
            out.append('<div class="level"><strong>level %d: %s</strong> <span class="soft small">%s</span>%s</div>'
                       % (l, level["kind"], words, "".join(row(k, v) for k, v in level.items() if isinstance(v, list))))
        out.append('<div class="level"><strong>values</strong>%s</div>' % row("", arrays["values"]))
        return "<div>" + "".join(out) + "</div>"

    # ---- results, playground, search ----

    def results(self):
        self.page("results.html", "Results", results_page.body(os.path.join(SOURCE, "results")))

    def playground(self, wasm):
        folder = os.path.join(HERE, "playground")
        os.makedirs(os.path.join(self.out, "playground"), exist_ok=True)
        for file in sorted(os.listdir(folder)):
            if file.endswith(".html"):
                body = read(os.path.join(folder, file))
                title = re.match(r"<!-- title: (.*?) -->", body).group(1)
                self.page("playground/" + file, title, body)
                text = read(os.path.join(self.out, "playground", file))
                self.write("playground/" + file, re.sub(r'<script src="(\w+\.js)"></script>', r'<script src="play.js"></script>\n<script src="\1"></script>', text))
            else:
                shutil.copy(os.path.join(folder, file), os.path.join(self.out, "playground", file))
        for file in ("tessera.wasm", "tessera.js"):
            shutil.copy(os.path.join(wasm, file), os.path.join(self.out, "playground", file))
        with open(os.path.join(wasm, "tessera.wasm"), "rb") as f:
            pack = {"wasm": base64.b64encode(f.read()).decode(), "glue": read(os.path.join(wasm, "tessera.js")), "run": read(os.path.join(folder, "run.js"))}
        self.write("playground/tessera.pack.js", "const tesseraPack = " + json.dumps(pack) + ";\n")

    def search(self):
        entries = [[p, t, words[:6000]] for p, t, words in self.pages]
        self.write("search-index.js", "const searchIndex = " + json.dumps(entries, ensure_ascii=False) + ";\n")
        shutil.copy(os.path.join(HERE, "search.js"), os.path.join(self.out, "search.js"))
        self.page("search.html", "Search", '<h1>Search</h1><label for="q">Words</label><input id="q" type="text" autocomplete="off"><div id="found" aria-live="polite"></div>'
                  '<script src="search-index.js"></script><script src="search.js"></script>', searched=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out")
    parser.add_argument("--tools", required=True)
    parser.add_argument("--wasm", required=True)
    parser.add_argument("--man", default="")
    args = parser.parse_args()
    shutil.rmtree(args.out, ignore_errors=True)
    os.makedirs(args.out)
    site = Site(args.out, os.path.abspath(args.tools), args.man)
    shutil.copy(os.path.join(HERE, "style.css"), args.out)
    site.landing()
    site.own_pages()
    site.tutorials()
    site.formats()
    site.docs()
    site.results()
    site.playground(args.wasm)
    site.search()
    total = sum(os.path.getsize(os.path.join(d, f)) for d, _, files in os.walk(args.out) for f in files)
    print("%s: %d pages, %.1f MB" % (args.out, len(site.pages), total / 1e6))


if __name__ == "__main__":
    main()
