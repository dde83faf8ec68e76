/* Page 3: layouts of any notation: picture, points, equality, conversions. */
"use strict";
{
  const { $, el, show } = play;
  /* layout, dims, tile */
  const EXAMPLES = [["f32[3,5]{1,0:T(2,2)}"], ["f32[4,8]{1,0:T(2,4)(2,1)}"], ["bf16[16,256]{1,0:T(8,128)(2,1)}"], ["((4,2),(4,3)):((4,16),(1,32))"],
                    ["(4,8):(8,1)"], ["Sw<2,0,3> o 0 o (8,8):(8,1)"], ["(d0, d1) -> (d0 * 5 + d1), domain: d0 in [0, 2], d1 in [0, 4]"],
                    ["affine_map<(d0, d1) -> (d1 * 3 + d0)>", "3,5"], ["[i, j] -> (j: <LevelFormat.DENSE>, i: <LevelFormat.DENSE>)", "3,5"],
                    ["((4,8),(2,2)):((32,1),(16,8))", "", "(16,8)"]];
  const NOTATIONS = [["xla", "XLA"], ["tla", "TLA"], ["cute", "CuTe"], ["map", "index map"], ["format", "storage format"], ["mlir", "MLIR"], ["ust", "UST"]];
  let svg = "";

  const point = (text) => text.split(/[;\s]+/).filter(Boolean);

  async function update(current) {
    const a = $("a").value.trim(), b = $("b").value.trim(), part = $("part").value.trim();
    const points = point($("point").value), offset = $("offset").value.trim();
    const tile = $("tile").value.trim(), given = $("dims").value.trim(), dims = given ? ["--dims=" + given] : [];
    const calls = [
      { argv: ["tlayout", a, "--json", ...dims] },
      { argv: tile ? ["tlayout", "thread_values", a, tile, "--svg=-"] : ["tlayout", a, "--svg=-", ...dims, ...(part ? ["--cells=" + part] : [])] },
      { argv: ["tlayout", a, ...(points.length ? points : ["--size"]), ...dims] },
      { argv: ["tlayout", a, "--inverse=" + (offset || "0"), ...dims] },
      { argv: ["tlayout", "equal", a, b || a, ...dims] },
      ...NOTATIONS.map(([to]) => ({ argv: ["tlayout", "convert", "--to=" + to, a, ...dims] })),
    ];
    $("command").textContent = [calls[2].argv, calls[4].argv, calls[1].argv.map((x) => x.replace("--svg=-", "--svg=layout.svg"))].map(play.command).join("\n");
    const [facts, picture, at, back, equal, ...texts] = await play.run(calls);
    if (!current()) return;
    if (facts.code) {
      for (const id of ["picture", "points", "equal", "notations"]) show(id);
      show("facts", play.error(facts.err));
      return;
    }
    const f = JSON.parse(facts.out);
    show("facts", el("p", {}, el("strong", {}, f.notation), ": " + f.dims.join(" x ") + ", " + f.elements.toLocaleString("en") + " elements in " +
      f.slots.toLocaleString("en") + " slots" + (f.bytes ? ", " + play.words(f.bytes) : "")), el("pre", { class: "wrap" }, f.map));
    svg = picture.code ? "" : picture.out;
    if (picture.code) show("picture", play.error(picture.err));
    else {
      $("picture").innerHTML = svg;
      const drawn = $("picture").querySelector("svg");
      drawn.setAttribute("role", "img");
      drawn.setAttribute("aria-label", tile ? "threads and values of " + a : "offsets of " + a);
    }
    const line = (label, r) => r.code ? play.error(r.err) : el("p", {}, label, el("strong", { class: "mono" }, r.out.trim().replace(/\n/g, "  ")));
    show("points", points.length ? line("at " + points.join(" ") + ": offset ", at) : "", line("at offset " + (offset || "0") + ": ", back));
    show("equal", !b ? "" : equal.code === 0 ? el("p", {}, el("span", { class: "yes" }, "equal"), ": " + (equal.out.trim() || "proved for all coordinates"))
      : equal.code === 1 && equal.out ? el("p", {}, el("span", { class: "no" }, "different"), equal.out.trim().replace(/^differ/, "")) : play.error(equal.err));
    show("notations", el("div", { class: "scroll" }, el("table", {}, ...texts.map((t, k) => el("tr", {}, el("th", { scope: "row" }, NOTATIONS[k][1]),
      el("td", { class: "mono" }, t.code ? el("span", { class: "soft" }, t.err.split("\n")[0].replace(/^tlayout: /, "")) : t.out.trim()))))));
  }

  $("save").addEventListener("click", () => { if (svg) play.download("layout.svg", svg); });
  show("examples", ...EXAMPLES.map(([t, dims, tile]) => el("button", { type: "button", onclick: () => {
    $("a").value = t;
    $("part").value = "";
    $("dims").value = dims || "";
    $("tile").value = tile || "";
    $("a").dispatchEvent(new Event("input", { bubbles: true }));
  } }, t.length > 34 ? t.slice(0, 32) + "..." : t)));
  play.live(update);
}
