/* Search over the words of all pages, in the page: titles count most. */
"use strict";
{
  const q = document.getElementById("q"), found = document.getElementById("found");
  const score = (entry, words) => words.reduce((s, w) => {
    const title = entry[1].toLowerCase().includes(w), n = entry[2].toLowerCase().split(w).length - 1;
    return s < 0 || !(title || n) ? -1 : s + (title ? 20 : 0) + Math.min(n, 8);
  }, 0);
  const update = () => {
    const words = q.value.toLowerCase().split(/\s+/).filter(Boolean);
    history.replaceState(null, "", words.length ? "#" + encodeURIComponent(q.value) : location.pathname + location.search);
    const hits = !words.length ? [] : searchIndex.map((e) => [score(e, words), e]).filter(([s]) => s > 0).sort((a, b) => b[0] - a[0]).slice(0, 30);
    found.replaceChildren(...(words.length && !hits.length ? [Object.assign(document.createElement("p"), { textContent: "No page has these words." })] : []), ...hits.map(([, [path, title, text]]) => {
      const at = Math.max(0, text.toLowerCase().indexOf(words[0]) - 60), p = document.createElement("p"), a = document.createElement("a");
      a.href = path;
      a.textContent = title;
      p.append(a, document.createElement("br"), text.slice(at, at + 180));
      return p;
    }));
  };
  q.value = decodeURIComponent(location.hash.slice(1));
  q.addEventListener("input", update);
  update();
  q.focus();
}
