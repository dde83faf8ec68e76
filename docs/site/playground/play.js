/* What the pages of the playground share: the worker that runs the tools, the state in the address, small helpers. */
"use strict";

const play = (() => {
  const LIMIT_MS = 2000;
  let worker, wasm, ready, waiting = new Map(), next = 1;

  const bytesOf = (base64) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const script = (src) => new Promise((done, failed) => {
    const s = document.createElement("script");
    s.src = src;
    s.onload = done;
    s.onerror = () => failed(new Error("cannot load " + src));
    document.head.append(s);
  });

  /* The worker's text: the module's glue, run.js, and a loop over messages. A page that was opened from a plain
   * folder may neither fetch files nor start a worker from one, so both come from tessera.pack.js there. */
  const loop = `
    let compiled;
    onmessage = async ({data}) => {
      if (data.wasm) { compiled = await WebAssembly.compile(data.wasm); postMessage({ready: true}); return; }
      const results = [];
      for (const c of data.calls) results.push(await tesseraRun(tesseraModule, compiled, c.argv, c.files, c.stdin));
      postMessage({id: data.id, results});
    };`;
  let source;

  async function load() {
    const began = performance.now();
    if (location.protocol === "file:") {
      await script("tessera.pack.js");
      wasm = bytesOf(tesseraPack.wasm);
      source = tesseraPack.glue + "\n" + tesseraPack.run + loop;
    } else {
      const [w, glue, run] = await Promise.all(["tessera.wasm", "tessera.js", "run.js"].map((f) => fetch(f)));
      wasm = new Uint8Array(await w.arrayBuffer());
      source = (await glue.text()) + "\n" + (await run.text()) + loop;
    }
    await start();
    document.documentElement.dataset.ready = Math.round(performance.now() - began);
  }

  function start() {
    return new Promise((done) => {
      worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
      worker.onmessage = ({ data }) => {
        if (data.ready) return done();
        const w = waiting.get(data.id);
        waiting.delete(data.id);
        clearTimeout(w.timer);
        document.documentElement.dataset.answer = Math.round(performance.now() - w.began);
        w.done(data.results);
      };
      worker.onerror = (e) => { e.preventDefault(); stopAll("the worker failed: " + e.message); };
      worker.postMessage({ wasm });
    });
  }

  function stopAll(why) {
    worker.terminate();
    const all = [...waiting.values()];
    waiting = new Map();
    ready = start();
    for (const w of all) {
      clearTimeout(w.timer);
      w.done(w.calls.map(() => ({ code: 124, out: "", err: why + "\n", files: {} })));
    }
  }

  /* Run the calls [{argv, files, stdin}] one after the other; the results in order. After `limit` ms the worker is
   * stopped and the results say so. */
  async function run(calls, limit = LIMIT_MS) {
    ready = ready || load();
    await ready;
    return new Promise((done) => {
      const id = next++;
      const timer = setTimeout(() => stopAll("stopped after " + limit / 1000 + " s: try a smaller case"), limit);
      waiting.set(id, { done, timer, calls, began: performance.now() });
      worker.postMessage({ id, calls });
    });
  }

  /* ---- the state of a page: its named fields, in the fragment of the address ---- */

  const fields = () => [...document.querySelectorAll("[data-state]")];
  const valueOf = (f) => (f.type === "checkbox" ? (f.checked ? "1" : "") : f.value);
  const defaults = {};

  function readState() {
    const given = new URLSearchParams(location.hash.slice(1));
    for (const f of fields()) {
      const name = f.dataset.state;
      if (!(name in defaults)) defaults[name] = valueOf(f);
      const v = given.has(name) ? given.get(name) : defaults[name];
      if (f.type === "checkbox") f.checked = v === "1";
      else f.value = v;
    }
  }
  function writeState() {
    const s = new URLSearchParams();
    for (const f of fields()) if (valueOf(f) !== defaults[f.dataset.state]) s.set(f.dataset.state, valueOf(f));
    const text = s.toString();
    history.replaceState(null, "", text ? "#" + text : location.pathname + location.search);
  }

  /* Call update after each change, once the reader pauses; a newer change makes an older answer void. */
  function live(update) {
    let timer, turn = 0;
    const now = async () => {
      const mine = ++turn;
      const page = document.documentElement;
      page.dataset.busy = "1";
      await update(() => mine === turn);
      if (mine === turn) delete page.dataset.busy;
    };
    const soon = () => { clearTimeout(timer); document.documentElement.dataset.busy = "1"; timer = setTimeout(() => { writeState(); now(); }, 120); };
    document.addEventListener("input", (e) => { if (e.target.closest("[data-state]") || e.target.closest("[data-live]")) soon(); });
    addEventListener("hashchange", () => { readState(); document.dispatchEvent(new Event("state")); now(); });
    readState();
    document.dispatchEvent(new Event("state"));
    now();
    return soon;
  }

  /* ---- helpers ---- */

  const el = (tag, props = {}, ...children) => {
    const e = document.createElement(tag);
    for (const k in props) {
      if (k === "class") e.className = props[k];
      else if (k.startsWith("on")) e.addEventListener(k.slice(2), props[k]);
      else e.setAttribute(k, props[k]);
    }
    e.append(...children);
    return e;
  };
  const $ = (id) => document.getElementById(id);
  const show = (id, ...children) => $(id).replaceChildren(...children);
  const words = (n) => n < 1000 ? n + " bytes" : n < 1e6 ? (n / 1e3).toPrecision(3) + " kB" : n < 1e9 ? (n / 1e6).toPrecision(3) + " MB" : (n / 1e9).toPrecision(3) + " GB";
  const quote = (a) => (/^[A-Za-z0-9_.,:=\/+-]+$/.test(a) ? a : "'" + a.replace(/'/g, "'\\''") + "'");
  const command = (argv) => argv.map(quote).join(" ");
  /* The library's own error, with its caret. */
  const error = (text) => el("pre", { class: "error", role: "alert" }, text.trimEnd());
  /* The head of a table whose first and last columns are words, and the others numbers. */
  const head = (...names) => el("tr", {}, ...names.map((n, k) => el("th", { scope: "col", class: k && k < names.length - 1 ? "n" : "" }, n)));
  /* The rows of a table of sizes, {format, bytes, exact}, the smallest first. A bar ends at four times the smallest size, a number
   * does not; NAME makes the cell of a format. */
  function sizes(formats, name, chosen) {
    const rows = formats.filter((s) => s.bytes !== null).sort((a, b) => a.bytes - b.bytes);
    return [head("format", "bytes", "times the smallest"), ...rows.map((r) => {
      const times = rows[0].bytes > 0 ? r.bytes / rows[0].bytes : 1;
      return el("tr", { class: r.format === chosen ? "chosen" : "" }, el("th", { scope: "row" }, name(r.format)),
        el("td", { class: "n" }, (r.exact ? "" : "about ") + words(r.bytes)),
        el("td", {}, el("div", { class: times > 4 ? "bar more" : "bar", style: "width:" + 20 * Math.min(times, 4) + "%" }), times < 10 ? times.toFixed(2) : Math.round(times).toLocaleString("en")));
    })];
  }
  const download = (name, text) => {
    const a = el("a", { href: URL.createObjectURL(new Blob([text], { type: "text/plain" })), download: name });
    document.body.append(a);
    a.click();
    a.remove();
  };

  /* ---- colours of the page ---- */
  document.addEventListener("click", async (e) => {
    const button = e.target.closest("[data-copy]");
    if (!button) return;
    const text = button.dataset.copy === "link" ? location.href : $(button.dataset.copy).textContent;
    let copied = true;
    try { await navigator.clipboard.writeText(text); } catch { copied = false; }
    const before = button.textContent;
    button.textContent = copied ? "copied" : "select the text and copy it";
    setTimeout(() => { button.textContent = before; }, 1200);
  });

  return { run, live, el, $, show, words, head, sizes, command, error, download, readState, writeState };
})();
