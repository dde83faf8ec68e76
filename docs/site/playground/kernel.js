/* Page 2: an expression and formats give a plan, C and values. */
"use strict";
{
  const { $, el, show } = play;
  const EXAMPLES = [
    ["SpMV", "y(i) = A(i,j)*x(j)", "A:csr", "A:bcsr(2,2)"],
    ["SpMM", "C(i,k) = A(i,j)*B(j,k)", "A:csr", "A:csc"],
    ["SDDMM", "S(i,j) = A(i,j)*B(i,k)*C(k,j)", "A:csr S:csr", "A:dcsr S:dcsr"],
    ["MTTKRP", "M(i,r) = T(i,j,k)*C(j,r)*D(k,r)", "T:csf", "T:coo"],
    ["sum", "C(i,j) = A(i,j)+B(i,j)", "A:csr B:csr C:csr", "A:coo B:csr C:csr"],
    ["product of sparse matrices", "C(i,j) = A(i,k)*B(k,j)", "A:csr B:csr C:csr", "A:csr B:csc C:csr"],
    ["masked maximum", "y(i) max= A(i,j)*x(j)", "A:csr", "A:ell"],
  ];
  const NAMES = ["", "dense", "csr", "csc", "coo", "dcsr", "dcsc", "csf", "ell", "dia", "bcsr(2,2)", "sell(2,4)", "hicoo", "bitmap", "alto"];

  /* The tensors of the expression: name to variables. */
  function tensors() {
    const found = new Map();
    for (const [, name, vars] of $("expr").value.matchAll(/([A-Za-z]\w*)\s*\(([^()]*)\)/g))
      if (!found.has(name) && /^[\s\w,]*$/.test(vars)) found.set(name, vars.split(",").map((v) => v.trim()).filter(Boolean));
    return found;
  }
  const size = () => Math.min(64, Math.max(1, parseInt($("dim").value, 10) || 1));
  const formats = (side) => new Map($("f-" + side).value.split(" ").filter(Boolean).map((t) => [t.slice(0, t.indexOf(":")), t.slice(t.indexOf(":") + 1)]));

  function drawFormats(side) {
    const chosen = formats(side);
    const parts = [];
    for (const [name, vars] of tensors()) {
      if (vars.length < 2) continue;
      const id = "f-" + side + "-" + name;
      const input = el("input", { type: "text", id, list: "names", spellcheck: "false", autocomplete: "off", "data-live": "", placeholder: "automatic" });
      input.value = chosen.get(name) || "";
      input.addEventListener("input", () => {
        const now = formats(side), v = input.value.replace(/\s+/g, "");
        if (v) now.set(name, v); else now.delete(name);
        $("f-" + side).value = [...now].map(([n, f]) => n + ":" + f).join(" ");
      });
      parts.push(el("span", {}, el("label", { for: id }, "Format of " + name), input));
    }
    show("formats-" + side, el("div", { class: "row" }, ...parts));
  }

  /* Entries of a small tensor with about a third of the cells, the same each time. */
  function generated(name, order, n) {
    let seed = 7 + [...name].reduce((s, c) => s * 31 + c.charCodeAt(0), 0) % 9973, lines = [], v = 1;
    const next = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
    const walk = (crd) => {
      if (crd.length === order) { if (next() < 0.3) lines.push(crd.join(" ") + " " + v++); return; }
      for (let i = 1; i <= n; i++) walk([...crd, i]);
    };
    if (Math.pow(n, order) <= 4096) walk([]);
    else for (let k = 0; k < 400; k++) lines.push(Array.from({ length: order }, () => 1 + Math.floor(next() * n)).join(" ") + " " + (k + 1));
    return lines.length ? lines.join("\n") + "\n" : Array(order).fill(1).join(" ") + " 1\n";
  }
  const counted = (order, n) => {
    const lines = [];
    let v = 1;
    const walk = (crd) => { if (crd.length === order) lines.push(crd.join(" ") + " " + v++); else for (let i = 1; i <= n; i++) walk([...crd, i]); };
    walk([]);
    return lines.join("\n") + "\n";
  };

  let editedFor = "";
  function inputs() {
    const n = size(), files = {}, args = [], all = [...tensors()], result = all.length ? all[0][0] : "";
    const firstSparse = all.slice(1).find(([name, vars]) => vars.length > 1 && (formats(0).has(name) || formats(1).has(name)));
    const key = $("expr").value + n;
    if (firstSparse && editedFor !== key) {
      $("data").value = generated(firstSparse[0], firstSparse[1].length, n);
      editedFor = key;
    }
    for (const [name, vars] of all.slice(1)) {
      if (vars.length === 0) continue;
      const sparse = formats(0).has(name) || formats(1).has(name);
      files[name + ".tns"] = firstSparse && name === firstSparse[0] ? $("data").value
        : sparse ? generated(name, vars.length, n) : Math.pow(n, vars.length) <= 4096 ? counted(vars.length, n) : generated(name, vars.length, n);
      args.push("-i", name + ":" + name + ".tns");
    }
    const dims = new Set(all.flatMap(([, vars]) => vars));
    const sizes = [...dims].map((v) => ["-d", v + ":" + n]).flat();
    return { files, args, sizes, result };
  }

  const formatArgs = (side) => [...formats(side)].filter(([name]) => tensors().has(name)).flatMap(([n, f]) => ["-f", n + ":" + f]);

  function drawSide(side, plan, text, facts) {
    const parts = [];
    if (plan.code) parts.push(play.error(plan.err));
    else {
      if (facts && !facts.code) {
        const json = JSON.parse(facts.out);
        const total = json.tensors.reduce((s, t) => s + t.bytes, 0);
        parts.push(el("p", { class: "small" }, json.tensors.map((t) => t.name + " " + t.format + ": " + play.words(t.bytes)).join(", ") + "; together " + play.words(total)));
      }
      parts.push(el("h3", {}, "Loops"), el("pre", {}, plan.out.trimEnd()));
      parts.push(el("h3", {}, "C"), text.code ? play.error(text.err) : el("pre", { class: "code", tabindex: "0", "aria-label": "C text" }, text.out));
    }
    show("side-" + side, ...parts);
  }
  async function update(current) {
    for (const side of [0, 1]) if (!$("formats-" + side).contains(document.activeElement)) drawFormats(side);
    const e = $("expr").value, { files, args, sizes, result } = inputs();
    const quiet = ["--engine=interpreter", "-j1", "--progress=never"];
    const calls = [0, 1].flatMap((side) => [
      { argv: ["tkern", e, ...formatArgs(side), ...sizes, "--emit=graph"] },
      { argv: ["tkern", e, ...formatArgs(side), ...sizes, "-o", "kernel.c"] },
      { argv: ["tkern", e, ...formatArgs(side), ...args, ...sizes, ...quiet, "--json"], files },
      { argv: ["tkern", e, ...formatArgs(side), ...args, ...sizes, ...quiet, "-q", "-o", result + ":-"], files },
    ]);
    const command = ["tkern", e, ...formatArgs(0), ...args, "-o", result + ":-"];
    $("command").textContent = play.command(command);
    $("python").textContent = python(e, result);
    const r = await play.run(calls);
    if (!current()) return;
    for (const side of [0, 1]) {
      const [plan, text, facts] = r.slice(side * 4);
      drawSide(side, plan, { code: text.code, err: text.err, out: text.files["kernel.c"] || "" }, facts);
    }
    drawValues(r[3], r[7], result);
  }

  function drawValues(a, b, result) {
    const bad = a.code ? a : b.code ? b : null;
    if (bad) { show("values", play.error(bad.err)); return; }
    const lines = a.out.trim().split("\n");
    const same = a.out === b.out;
    show("values", el("p", {}, "Both sets of formats give ", el("span", { class: same ? "yes" : "no" }, same ? "the same values" : "different texts"), "."),
      el("div", { class: "scroll" }, el("table", {}, el("caption", { class: "soft small" }, result + ": coordinates and value"),
        ...lines.slice(0, 200).map((l) => { const w = l.split(" "); return el("tr", {}, el("td", { class: "n mono" }, w.slice(0, -1).join(", ")), el("td", { class: "n mono" }, w[w.length - 1])); }))),
      lines.length > 200 ? el("p", { class: "soft" }, "... and " + (lines.length - 200) + " more") : "");
  }

  function python(e, result) {
    const names = [...tensors()].map(([n]) => n).filter((n) => n !== result), f = formats(0);
    const sparse = names.filter((n) => f.has(n) && tensors().get(n).length > 1);
    return ["import numpy as np, tessera as ts", "",
      ...names.map((n) => sparse.includes(n) ? n + ' = ts.read("' + n + '.tns")' + '.convert("' + f.get(n) + '")'
        : n + " = np.ones((" + tensors().get(n).map(() => size()).join(", ") + ",))"),
      "k = ts.kernel(" + JSON.stringify(e) + (sparse.length ? ", " + sparse.map((n) => n + "=" + n).join(", ") : "") + ")",
      result + " = k(" + names.map((n) => n + "=" + n).join(", ") + ")", "print(" + result + ")"].join("\n");
  }

  /* ---- the C text to take along ---- */

  /* The parameters of the kernel's function in the C text: [{type, name, pointer}]. */
  function parameters(text) {
    const m = [...text.matchAll(/^int kernel\(([^)]*)\)\s*\{/gm)].pop();
    if (!m) throw new Error("the text has no function kernel");
    return m[1].split(",").map((p) => p.trim().replace(/\s+/g, " ")).map((p) => {
      const [, type, stars, name] = p.match(/^(.*?)\s*((?:\*(?:restrict)? ?)*)(\w+)$/);
      return { type: type.replace(/^const /, ""), stars: (stars.match(/\*/g) || []).length, name };
    });
  }

  const cArray = (type, name, values) =>
    "static " + type + " " + name + "[] = {" + (values.length ? values.map(String).join(", ").replace(/(.{80}[^,]*,) /g, "$1\n    ") : "0") + "};\n";

  /* A main that holds the operands of the page, calls the kernel and prints the result. */
  async function mainText(text, e) {
    const { files, result } = inputs(), all = tensors(), n = size(), chosen = formats(0);
    const asked = [...all].filter(([name, vars]) => name !== result && vars.length);
    const answers = await play.run(asked.map(([name]) => ({ argv: ["tinfo", name + ".tns", "--as=" + (chosen.get(name) || "dense"), "--dims=" + all.get(name).map(() => n).join(","), "--json", "--arrays"], files })));
    const held = new Map();
    answers.forEach((r, k) => { if (r.code) throw new Error(r.err); held.set(asked[k][0], JSON.parse(r.out)); });
    const dims = all.get(result), cells = Math.pow(n, dims ? dims.length : 0);
    let data = "", call = [];
    for (const p of parameters(text)) {
      const level = p.name.match(/^(.*?)(\d+)_(\w+)$/);
      if (p.stars > 1) throw new Error("the result has a sparse format: its arrays grow; download the C function, whose comment says how to call it, or choose a dense result");
      if (p.name === "nthreads") call.push("1");
      else if (/_size$/.test(p.name)) call.push(String(n));
      else if (p.name === result) { data += "static " + p.type + " " + p.name + "[" + cells + "];\n"; call.push(p.name); }
      else if (level && held.has(level[1])) { data += cArray(p.type, p.name, held.get(level[1]).levels[level[2] - 1][level[3]]); call.push(p.name); }
      else if (held.has(p.name)) { data += cArray(p.type, p.name, held.get(p.name).values); call.push(p.name); }
      else throw new Error("this page has no value for the parameter " + p.name);
    }
    const coordinates = (dims || []).map((v, k) => "(int)(p / " + Math.pow(n, dims.length - 1 - k) + " % " + n + ") + 1");
    return "\n#include <stdio.h>\n\n/* The operands of the page; " + e + " */\n" + data + "\nint main(void)\n{\n    if (kernel(" + call.join(", ") + "))\n        return 1;\n" +
      "    for (long p = 0; p < " + cells + "; p++)\n        printf(\"" + (dims || []).map(() => "%d ").join("") + "%.17g\\n\", " + [...coordinates, "(double)" + result + "[p]"].join(", ") + ");\n    return 0;\n}\n";
  }

  async function takeC(asProgram) {
    const e = $("expr").value, { sizes } = inputs();
    const [r] = await play.run([{ argv: ["tkern", e, ...formatArgs(0), ...sizes, "-o", "kernel.c"] }]);
    try {
      if (r.code) throw new Error(r.err);
      const text = r.files["kernel.c"];
      play.download(asProgram ? "program.c" : "kernel.c", asProgram ? text + await mainText(text, e) : text);
      show("taken");
    } catch (fault) {
      show("taken", play.error(fault.message));
    }
  }

  $("expr").addEventListener("input", () => { for (const side of [0, 1]) drawFormats(side); });
  document.addEventListener("state", () => { for (const side of [0, 1]) drawFormats(side); });
  $("program").addEventListener("click", () => takeC(true));
  $("source").addEventListener("click", () => takeC(false));
  show("examples", ...EXAMPLES.map(([name, e, f, g]) => el("button", { type: "button", onclick: () => {
    $("expr").value = e;
    $("f-0").value = f;
    $("f-1").value = g;
    drawFormats(0);
    drawFormats(1);
    $("expr").dispatchEvent(new Event("input", { bubbles: true }));
  } }, name)));
  document.body.append(el("datalist", { id: "names" }, ...NAMES.filter(Boolean).map((n) => el("option", { value: n }))));
  play.live(update);
}
