/* Page 4: a file of the reader, which stays on the reader's machine. */
"use strict";
{
  const { $, el, show } = play;
  const say = (text) => show("said", el("p", {}, text));

  async function textOf(file) {
    if (!file.name.endsWith(".gz")) return new Uint8Array(await file.arrayBuffer());
    const plain = file.stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(plain).arrayBuffer());
  }

  /* The product that advice is for: with a vector, of a tensor with matrices for all modes but the first. */
  function product(order) {
    const modes = [..."ijklmnopqstuvwxy"].slice(0, order), factors = [..."BCDEFGHIJKLNOPQS"];
    if (order <= 2) return ["", "x(i) = A(i) * b(i)", "y(i) = A(i,j) * x(j)"][order];
    return "M(i,r) = A(" + modes + ") * " + modes.slice(1).map((v, k) => factors[k] + "(" + v + ",r)").join(" * ");
  }

  /* Advice: the sentence, then the best formats, the chosen one and the file's own with what costs most. */
  function told(a) {
    const ms = (ns) => +(ns / 1e6).toPrecision(3) + "";
    const rows = a.rows.filter((r, k) => k < 10 || r.source || r.format === a.chosen);
    return [el("p", {}, el("strong", {}, a.sentence)),
      el("div", { class: "scroll", tabindex: "0" }, el("table", { class: "advice" }, play.head("format", "bytes", "pack ms", "run ms", "most of a run"),
        ...rows.map((r) => el("tr", { class: r.format === a.chosen ? "chosen" : "" }, el("th", { scope: "row" }, r.format), el("td", { class: "n" }, play.words(Math.round(r.bytes))),
          el("td", { class: "n" }, r.source ? "-" : ms(r.pack_ns)), el("td", { class: "n" }, ms(r.run_ns)), el("td", { class: "small" }, r.most))))),
      el("p", { class: "soft small" }, "Predicted for " + a.threads + " thread" + (a.threads === 1 ? "" : "s") + ", with the costs of " + a.costs + ": " + a.kernels.join(", "))];
  }

  /* is_last: whether no newer file came in. */
  async function take(name, bytes, is_last) {
    const began = performance.now(), file = name.replace(/\.gz$/, "").replace(/[^\w.-]/g, "_"), files = { [file]: bytes };
    const limit = 1000 * Math.max(1, +$("limit").value || 2);
    if (!is_last()) return;
    say("Reading " + name + ", " + play.words(bytes.length) + "...");
    $("answer").hidden = true;
    const [facts, words, picture] = await play.run([
      { argv: ["tinfo", file, "--json"], files },
      { argv: ["tinfo", file, "--fibers"], files },
      { argv: ["tinfo", file, "--spy=spy.svg"], files },
    ], limit);
    if (!is_last()) return;
    if (facts.code) { show("said", play.error(facts.err)); return; }
    const f = JSON.parse(facts.out);
    say(name + ": surveyed in " + ((performance.now() - began) / 1000).toFixed(2) + " s. The file did not leave this machine.");
    $("answer").hidden = false;
    $("picture").innerHTML = picture.files["spy.svg"] || "";
    if ($("picture").firstElementChild) { $("picture").firstElementChild.setAttribute("role", "img"); $("picture").firstElementChild.setAttribute("aria-label", "where the entries are"); }
    $("facts").textContent = words.out.trim();
    show("bytes", ...play.sizes(f.formats, (name) => name));
    const kernel = product(f.order);
    $("command").textContent = "tinfo " + name + " --advise='" + kernel + "'\ntconv " + name + " --format=auto --for='" + kernel + "'" + " -o " + file.replace(/\.\w+$/, "") + ".h5";
    show("advice", el("p", {}, "Counting what each format would cost..."));
    const [advice] = await play.run([{ argv: ["tinfo", file, "--advise=" + kernel, "--json"], files }], limit);
    if (!is_last()) return;
    show("advice", ...(advice.code ? [play.error(advice.err)] : told(JSON.parse(advice.out))));
  }

  let turn = 0;
  async function accept(file) {
    const mine = ++turn, is_last = () => mine === turn;
    document.documentElement.dataset.busy = "1";
    try {
      if (/\.(h5|h5ad|hdf5|npz|mat|zarr|rds)$/i.test(file.name)) show("said", play.error("This page reads .mtx and .tns. The installed tinfo also reads " + file.name.replace(/^.*\./, ".") + " files:\n  tinfo " + file.name));
      else await take(file.name, await textOf(file), is_last);
    } catch (e) {
      if (is_last()) show("said", play.error("cannot read " + file.name + ": " + e.message));
    }
    if (is_last()) delete document.documentElement.dataset.busy;
  }

  const box = $("drop");
  for (const what of ["dragenter", "dragover"]) box.addEventListener(what, (e) => { e.preventDefault(); box.classList.add("over"); });
  box.addEventListener("dragleave", () => box.classList.remove("over"));
  box.addEventListener("drop", (e) => { e.preventDefault(); box.classList.remove("over"); if (e.dataTransfer.files[0]) accept(e.dataTransfer.files[0]); });
  addEventListener("dragover", (e) => e.preventDefault());
  addEventListener("drop", (e) => e.preventDefault());
  $("file").addEventListener("change", (e) => { if (e.target.files[0]) accept(e.target.files[0]); });
  $("sample").addEventListener("click", () => {
    const n = 40, lines = [];
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) {
        const k = i * n + j + 1;
        lines.push(k + " " + k + " 4");
        for (const [a, b] of [[i - 1, j], [i + 1, j], [i, j - 1], [i, j + 1]]) if (a >= 0 && b >= 0 && a < n && b < n) lines.push(k + " " + (a * n + b + 1) + " -1");
      }
    accept(new File(["%%MatrixMarket matrix coordinate real general\n" + n * n + " " + n * n + " " + lines.length + "\n" + lines.join("\n") + "\n"], "laplacian.mtx"));
  });
  play.readState();
  addEventListener("input", (e) => { if (e.target.dataset.state) play.writeState(); });
  play.run([]);
}
