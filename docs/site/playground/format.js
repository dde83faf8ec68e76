/* Page 1: the level arrays of any format for one small matrix. */
"use strict";
{
  const { $, el, show } = play;
  const EXAMPLES = ["csr", "csc", "coo", "dcsr", "ell", "dia", "bcsr(2,2)", "sell(2,4)", "hicoo", "bitmap", "dense",
                    "(i, j) -> (j : dense, i : compressed)"];
  let lit = [];

  /* ---- the matrix: text "i,j,v;..." in the hidden field, inputs on the page ---- */

  const entries = () => $("cells").value.split(";").filter(Boolean).map((t) => t.split(","));
  const size = (id) => Math.min(12, Math.max(1, parseInt($(id).value, 10) || 1));

  function drawGrid() {
    const m = size("rows"), n = size("cols"), at = new Map(entries().map(([i, j, v]) => [i + "," + j, v]));
    const grid = $("grid");
    grid.style.gridTemplateColumns = "auto repeat(" + n + ", auto)";
    const parts = [el("span")];
    for (let j = 0; j < n; j++) parts.push(el("span", {}, String(j)));
    for (let i = 0; i < m; i++) {
      parts.push(el("span", {}, String(i)));
      for (let j = 0; j < n; j++) {
        const c = el("input", { type: "text", inputmode: "decimal", "aria-label": "row " + i + " column " + j, "data-cell": i + "," + j });
        c.value = at.get(i + "," + j) || "";
        c.classList.toggle("set", c.value !== "");
        parts.push(c);
      }
    }
    grid.replaceChildren(...parts);
  }

  function takeGrid() {
    const all = [];
    for (const c of $("grid").querySelectorAll("input")) {
      const v = c.value.trim();
      c.classList.toggle("set", v !== "");
      if (v !== "" && isFinite(v)) all.push(c.dataset.cell + "," + v);
    }
    $("cells").value = all.join(";");
    $("cells").dispatchEvent(new Event("input", { bubbles: true }));
  }

  function fill(kind) {
    const m = size("rows"), n = size("cols"), all = [];
    let v = 1;
    for (let i = 0; i < m; i++)
      for (let j = 0; j < n; j++)
        if (kind === "band" ? Math.abs(i - j) < 2 : kind === "blocks" ? (i >> 1) % 2 === (j >> 1) % 2
          : kind === "row" ? i === 1 || i === j : kind === "random" && Math.random() < 0.25)
          all.push(i + "," + j + "," + v++);
    $("cells").value = all.join(";");
    drawGrid();
    $("cells").dispatchEvent(new Event("input", { bubbles: true }));
  }

  function matrixText() {
    const m = size("rows"), n = size("cols");
    const inside = entries().filter(([i, j]) => i < m && j < n);
    return "%%MatrixMarket matrix coordinate real general\n" + m + " " + n + " " + inside.length + "\n" +
      inside.map(([i, j, v]) => (+i + 1) + " " + (+j + 1) + " " + v + "\n").join("");
  }

  /* ---- the arrays: each slot knows the entries that use it ---- */

  function slotsOf(level, l, at) {
    /* which elements of an array belong to an entry with the positions `at`: arrays with one element for each parent
     * (and one more: two of them), or one for each position */
    const parent = l > 0 ? at[l - 1] : 0, own = at[l];
    const used = {};
    for (const name in level.arrays) {
      const n = level.arrays[name].length;
      if (name === "pos" && n > parent + 1) used[name] = [parent, parent + 1];
      else if (n > own && /crd|offset|col|key/.test(name)) used[name] = [own];
      else if (/slice_pos|row|perm|len/.test(name) && n > parent) used[name] = [parent];
    }
    return used;
  }

  function draw(arrays) {
    const cells = new Map(), boxes = [];
    const levels = arrays.levels.map((raw) => {
      const level = { words: [], arrays: {} };
      for (const k in raw)
        if (Array.isArray(raw[k])) level.arrays[k] = raw[k];
        else if (k !== "kind") level.words.push(raw[k] === true ? k : k + " " + raw[k]);
      return Object.assign(level, { kind: raw.kind });
    });
    const box = (value) => { const b = el("span", { class: "slot", tabindex: "-1" }, String(value)); boxes.push(b); return b; };
    const parts = levels.map((level, l) => {
      level.boxes = {};
      const rows = Object.entries(level.arrays).map(([name, values]) => {
        level.boxes[name] = values.map(box);
        return el("div", { class: "array" }, el("span", { class: "what" }, name), ...level.boxes[name]);
      });
      return el("div", { class: "level" }, el("strong", {}, "level " + l + ": " + level.kind), el("span", { class: "soft small" }, "  " + level.words.join(", ")), ...rows);
    });
    const values = arrays.values.map(box);
    parts.push(el("div", { class: "level" }, el("strong", {}, "values"), el("div", { class: "array" }, ...values)));
    const link = (b, key) => { if (b) { b.uses = b.uses || new Set(); b.uses.add(key); } };
    for (const { crd, at } of arrays.entries) {
      const key = crd.join(","), uses = [];
      levels.forEach((level, l) => {
        const used = slotsOf(level, l, at);
        for (const name in used) for (const k of used[name]) uses.push(level.boxes[name][k]);
      });
      if (arrays.values.length > 1 || at[at.length - 1] === 0) uses.push(values[at[at.length - 1]]);
      uses.forEach((b) => link(b, key));
      cells.set(key, uses.filter(Boolean));
    }
    for (const b of boxes) {
      if (!b.uses) continue;
      b.tabIndex = 0;
      const on = () => light([...b.uses], b);
      b.addEventListener("mouseenter", on);
      b.addEventListener("focus", on);
      b.addEventListener("click", on);
    }
    light.cells = cells;
    return el("div", {}, ...parts);
  }

  function light(keys, from) {
    light.keys = from ? [] : keys;
    lit.forEach((e) => e.classList.remove("lit"));
    lit = from ? [from] : [];
    for (const key of keys) {
      const c = $("grid").querySelector('[data-cell="' + key + '"]');
      if (c) lit.push(c);
      if (!from) lit.push(...((light.cells && light.cells.get(key)) || []));
    }
    lit.forEach((e) => e.classList.add("lit"));
  }

  /* ---- the answer ---- */

  function drawBytes(sizes, mine) {
    const link = (f) => el("a", { href: "#f=" + encodeURIComponent(f), onclick: (e) => { e.preventDefault(); choose(f); } }, f);
    show("bytes", ...play.sizes(sizes, link, mine));
  }

  function choose(format) {
    $("format").value = format;
    $("format").dispatchEvent(new Event("input", { bubbles: true }));
  }

  const NOTATIONS = [["long", "map and levels"], ["letters", "letters"], ["mlir", "MLIR"], ["ust", "UST (nvmath)"]];

  async function update(current) {
    const files = { "matrix.mtx": matrixText() }, format = $("format").value.trim() || "csr";
    $("command").textContent = play.command(["tinfo", "matrix.mtx", "--as=" + format, "--json", "--arrays"]);
    const calls = [
      { argv: ["tinfo", "matrix.mtx", "--as=" + format, "--json", "--arrays", "--entries"], files },
      { argv: ["tinfo", "matrix.mtx", "--as=" + format, "--json", "--sizes"], files },
      ...NOTATIONS.map(([to]) => ({ argv: ["tlayout", "convert", "--to=" + to, format] })),
    ];
    const [arrays, sizes, ...texts] = await play.run(calls);
    if (!current()) return;
    if (arrays.code) {
      show("levels", play.error(arrays.err));
      light.cells = null;
    } else {
      show("levels", draw(JSON.parse(arrays.out)));
      light(light.keys || []);
    }
    if (!sizes.code) {
      const facts = JSON.parse(sizes.out);
      const list = facts.formats.filter((f) => f.format !== facts.format);
      list.push({ format, bytes: facts.bytes });
      drawBytes(list.filter((f, i) => list.findLastIndex((g) => g.format === f.format) === i), format);
    }
    show("notations", el("div", { class: "scroll" }, el("table", {}, ...texts.map((t, k) =>
      t.code ? "" : el("tr", {}, el("th", { scope: "row" }, NOTATIONS[k][1]), el("td", { class: "mono" }, t.out.trim()))))));
  }

  document.addEventListener("state", drawGrid);
  $("grid").addEventListener("input", (e) => { e.stopPropagation(); takeGrid(); });
  for (const id of ["rows", "cols"]) $(id).addEventListener("input", drawGrid);
  $("sample").addEventListener("change", (e) => { fill(e.target.value); e.target.value = ""; });
  for (const what of ["mouseover", "focusin", "click"])
    $("grid").addEventListener(what, (e) => { if (e.target.dataset.cell) light([e.target.dataset.cell]); });
  $("grid").addEventListener("keydown", (e) => {
    const move = { ArrowUp: [-1, 0], ArrowDown: [1, 0] }[e.key];
    if (!move || !e.target.dataset.cell) return;
    const [i, j] = e.target.dataset.cell.split(",").map(Number);
    const next = $("grid").querySelector('[data-cell="' + (i + move[0]) + "," + j + '"]');
    if (next) { next.focus(); e.preventDefault(); }
  });
  $("save").addEventListener("click", () => play.download("matrix.mtx", matrixText()));
  show("examples", ...EXAMPLES.map((f) => el("button", { type: "button", onclick: () => choose(f) }, f)));
  play.run([{ argv: ["tinfo", "--list-formats"] }]).then(([r]) => {
    show("names", ...r.out.split("\n").map((l) => l.match(/^\s*([a-z][\w(),:]*)\s/)).filter(Boolean).map((m) => el("option", { value: m[1] })));
  });
  play.live(update);
}
