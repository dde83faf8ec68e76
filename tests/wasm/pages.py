"""pages.py SITE: every page of the site has a title, headings in order, labelled fields, texts for pictures, and links that
lead to files of the site; no page names another host to load from."""
import html.parser
import os
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.levels, self.links, self.loads, self.ids, self.fields, self.labels, self.faults = [], [], [], set(), [], set(), []
        self.lang = self.title = False

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        if a.get("id") and a["id"] in self.ids:
            self.faults.append("the id %s stands twice" % a["id"])
        self.ids.add(a.get("id"))
        if tag[0] == "h" and tag[1:].isdigit():
            self.levels.append(int(tag[1:]))
        if tag == "a" and "href" in a:
            self.links.append(a["href"])
        if tag in ("script", "img", "link") and (a.get("src") or a.get("href")):
            self.loads.append(a.get("src") or a.get("href"))
        if tag == "img" and "alt" not in a:
            self.faults.append("a picture without a text: %s" % a.get("src"))
        if tag in ("input", "select", "textarea") and a.get("type") != "hidden":
            self.fields.append((a.get("id"), "aria-label" in a))
        if tag == "label":
            self.labels.add(a.get("for"))
        self.lang = self.lang or (tag == "html" and "lang" in a)
        self.title = self.title or tag == "title"


def faults_of(path, page, site, pages):
    yield from page.faults
    if not page.lang or not page.title:
        yield "no language or no title"
    if page.levels.count(1) != 1 or page.levels[0] != 1:
        yield "headings begin with %s" % page.levels[:3]
    for a, b in zip(page.levels, page.levels[1:]):
        if b > a + 1:
            yield "a heading of level %d follows one of level %d" % (b, a)
    for name, labelled in page.fields:
        if not labelled and name not in page.labels:
            yield "the field %s has no label" % name
    for load in page.loads:
        if ":" in load.split("/")[0] and not load.startswith("data:"):
            yield "loads %s from elsewhere" % load
        elif not load.startswith("data:") and not os.path.exists(os.path.normpath(os.path.join(site, os.path.dirname(path), load))):
            yield "loads %s, which is not there" % load
    for link in page.links:
        file, _, part = urllib.parse.unquote(link).partition("#")
        if ":" in file.split("/")[0]:
            continue
        full = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
        if not os.path.exists(os.path.join(site, full)):
            yield "links to %s, which is not there" % link
        elif part and "=" not in part and full in pages and part not in pages[full].ids:
            yield "links to %s: %s has no such part" % (link, full)


def main():
    site = sys.argv[1]
    pages = {}
    for folder, _, files in os.walk(site):
        for name in files:
            if name.endswith(".html"):
                path = os.path.relpath(os.path.join(folder, name), site)
                pages[path] = Page()
                with open(os.path.join(site, path), encoding="utf-8") as f:
                    pages[path].feed(f.read())
    bad = [(path, fault) for path in sorted(pages) for fault in faults_of(path, pages[path], site, pages)]
    for path, fault in bad[:60]:
        print("%s: %s" % (path, fault))
    print("%d pages, %d faults" % (len(pages), len(bad)))
    sys.exit(bool(bad) or len(pages) < 80)


if __name__ == "__main__":
    main()
