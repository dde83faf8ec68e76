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

  async function take(name, bytes) {
    const began = performance.now(), file = name.replace(/\.gz$/, "").replace(/[^\w.-]/g, "_"), files = { [file]: bytes };
    const limit = 1000 * Math.max(1, +$("limit").value || 2);
    say("Reading " + name + ", " + play.words(bytes.length) + "...");
    $("answer").hidden = true;
    const [facts, words, picture] = await play.run([
      { argv: ["tinfo", file, "--json"], files },
      { argv: ["tinfo", file, "--fibers"], files },
      { argv: ["tinfo", file, "--spy=spy.svg"], files },
    ], limit);
    if (facts.code) { show("said", play.error(facts.err)); return; }
    const f = JSON.parse(facts.out);
    say(name + ": surveyed in " + ((performance.now() - began) / 1000).toFixed(2) + " s. The file did not leave this machine.");
    $("answer").hidden = false;
    $("picture").innerHTML = picture.files["spy.svg"] || "";
    if ($("picture").firstElementChild) { $("picture").firstElementChild.setAttribute("role", "img"); $("picture").firstElementChild.setAttribute("aria-label", "where the entries are"); }
    $("facts").textContent = words.out.trim();
    const rows = f.formats.filter((s) => s.bytes !== null).sort((a, b) => a.bytes - b.bytes), most = Math.max(...rows.map((r) => Math.log(r.bytes + 1)));
    show("bytes", el("tr", {}, el("th", { scope: "col" }, "format"), el("th", { scope: "col", class: "n" }, "size"), el("th", { scope: "col" }, "(logarithmic)")),
      ...rows.map((r) => el("tr", {}, el("th", { scope: "row" }, r.format), el("td", { class: "n" }, (r.exact ? "" : "about ") + play.words(r.bytes)),
        el("td", {}, el("div", { class: "bar", style: "width:" + (100 * Math.log(r.bytes + 1)) / most + "%" })))));
    const kernel = ["x(i) = A(i) * b(i)", "y(i) = A(i,j) * x(j)", "M(i,r) = A(i,j,k) * C(j,r) * D(k,r)", "M(i,r) = A(i,j,k,l) * C(j,r) * D(k,r) * E(l,r)"][f.order - 1] || "";
    $("command").textContent = "tinfo " + name + " --advise='" + kernel + "'\ntconv " + name + " --format=auto --for='" + kernel + "'" + " -o " + file.replace(/\.\w+$/, "") + ".h5";
    if (!kernel) { show("advice", el("p", {}, "This page advises on tensors with up to four modes.")); return; }
    show("advice", el("p", {}, "Counting what each format would cost..."));
    const [advice] = await play.run([{ argv: ["tinfo", file, "--advise=" + kernel], files }], limit);
    show("advice", advice.code ? play.error(advice.err) : el("pre", { class: "wrap", tabindex: "0", "aria-label": "advice" }, advice.out.trim()));
  }

  async function accept(file) {
    document.documentElement.dataset.busy = "1";
    try {
      if (/\.(h5|h5ad|hdf5|npz|mat|zarr|rds)$/i.test(file.name)) show("said", play.error("This page reads .mtx and .tns. The installed tinfo also reads " + file.name.replace(/^.*\./, ".") + " files:\n  tinfo " + file.name));
      else await take(file.name, await textOf(file));
    } catch (e) {
      show("said", play.error("cannot read " + file.name + ": " + e.message));
    }
    delete document.documentElement.dataset.busy;
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
