/* browser.js SITE [SHOTS]: every page of the playground in headless Chromium, as a reader uses it: type, click, drop a file, read
 * the answer. Also every page of the site: no message on the console, no request outside the folder, no scrolling
 * sideways at 360 pixels, texts with a contrast of 4.5 to 1, light and dark. SHOTS: write screenshots into that folder.
 *
 * It speaks Chromium's DevTools protocol through a pipe: nothing is installed but Chromium and node. */
"use strict";
const { spawn } = require("child_process"), fs = require("fs"), http = require("http"), os = require("os"), path = require("path");
const [site, shots] = process.argv.slice(2).map((p) => path.resolve(p));
const base = fs.mkdtempSync(path.join(os.tmpdir(), "tessera-site-"));
const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
               "--disable-component-update", "--disable-sync", "--remote-debugging-pipe", "--user-data-dir=" + path.join(base, "profile")];
const faults = [];
let where = "";
const fail = (text) => { faults.push(where + ": " + text); console.log("FAIL " + where + ": " + text); };
const check = (ok, text) => { if (!ok) fail(text); };
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/* ---- the browser ---- */

const chromium = spawn("/usr/bin/chromium", FLAGS, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
const calls = new Map();
let id = 0, session, origin = "", buffered = "", requests = 0;
chromium.stdio[4].on("data", (bytes) => {
  const parts = (buffered + bytes).split("\0");
  buffered = parts.pop();
  for (const part of parts) take(JSON.parse(part));
});
function take(m) {
  if (m.id) {
    const c = calls.get(m.id);
    calls.delete(m.id);
    return m.error ? c.failed(new Error(m.error.message)) : c.done(m.result);
  }
  const p = m.params;
  if (m.method === "Runtime.consoleAPICalled" || m.method === "Log.entryAdded" || m.method === "Runtime.exceptionThrown")
    fail("on the console: " + JSON.stringify(p.entry ? p.entry.text + " " + (p.entry.url || "") : p.exceptionDetails || p.args).slice(0, 300));
  if (m.method === "Network.requestWillBeSent" && !/^(data|blob):/.test(p.request.url)) {
    requests++;
    check(p.request.url.startsWith(origin) || p.request.url.startsWith("file://" + site + "/"), "requests " + p.request.url);
  }
}
const send = (method, params = {}) => new Promise((done, failed) => {
  calls.set(++id, { done, failed });
  chromium.stdio[3].write(JSON.stringify({ id, method, params, sessionId: session }) + "\0");
});
async function run(code) {
  const r = await send("Runtime.evaluate", { expression: "(async () => {" + code + "})()", awaitPromise: true, returnByValue: true });
  if (r.exceptionDetails) throw new Error(where + ": " + (r.exceptionDetails.exception || {}).description);
  return r.result.value;
}
async function until(code, text, ms = 10000) {
  for (const end = Date.now() + ms; Date.now() < end; await sleep(25)) if (await run("return !!(" + code + ")")) return true;
  fail("waited in vain: " + text);
  return false;
}
async function open(file, hash = "") {
  where = file;
  await send("Page.navigate", { url: "about:blank" });
  await send("Page.navigate", { url: origin + file + hash });
  await until("document.readyState === 'complete' && location.href !== 'about:blank'", "the page loads");
}
const answered = () => until("!document.documentElement.dataset.busy", "an answer", 15000);
async function type(selector, text) {
  await run("const f = document.querySelector(" + JSON.stringify(selector) + "); f.focus(); f.select();");
  await send("Input.insertText", { text });
  await sleep(10);
  await answered();
}
async function click(selector) {
  const at = await run("const e = document.querySelector(" + JSON.stringify(selector) + "); e.scrollIntoView({block: 'center'}); const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2];");
  for (const kind of ["mouseMoved", "mousePressed", "mouseReleased"])
    await send("Input.dispatchMouseEvent", { type: kind, x: at[0], y: at[1], button: kind === "mouseMoved" ? "none" : "left", clickCount: 1 });
  await sleep(10);
  await answered();
}
async function key(name, text) {
  await send("Input.dispatchKeyEvent", { type: "keyDown", key: name, code: name, text, windowsVirtualKeyCode: name === "Tab" ? 9 : name === "ArrowDown" ? 40 : 13 });
  await send("Input.dispatchKeyEvent", { type: "keyUp", key: name, code: name });
}
const text = (selector) => run("return document.querySelector(" + JSON.stringify(selector) + ").textContent");
const size = (width, height) => send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: width < 600 });
const scheme = (value) => send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value }] });
async function shot(name) {
  if (!shots) return;
  fs.mkdirSync(shots, { recursive: true });
  const full = await run("return [document.documentElement.scrollWidth, Math.min(document.documentElement.scrollHeight, 2600)]");
  const r = await send("Page.captureScreenshot", { format: "png", captureBeyondViewport: true, clip: { x: 0, y: 0, width: full[0], height: full[1], scale: 1 } });
  fs.writeFileSync(path.join(shots, name + ".png"), Buffer.from(r.data, "base64"));
}

/* ---- what holds on every page ---- */

/* The texts whose contrast with what is behind them is below 4.5 (3 for large texts). */
const CONTRAST = `
  const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const rgb = (c, under) => { canvas.fillStyle = under || "#fff"; canvas.fillRect(0, 0, 1, 1); canvas.fillStyle = c; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3); };
  const light = (c) => { const [r, g, b] = c.map((v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const behind = (e) => { const all = []; for (; e; e = e.parentElement) { const b = getComputedStyle(e).backgroundColor; if (b !== "rgba(0, 0, 0, 0)" && b !== "transparent") { all.push(b); if (!/^rgba|\\/ /.test(b)) break; } }
    let under = "rgb(255,255,255)"; for (const b of all.reverse()) under = "rgb(" + rgb(b, under).join(",") + ")"; return under; };
  const bad = [];
  let seen = 0;
  for (const e of document.querySelectorAll("body *")) {
    if (e.closest("svg") || ![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) || !e.getClientRects().length || ++seen > 600) continue;
    const s = getComputedStyle(e), under = behind(e), a = light(rgb(s.color, under)), b = light(rgb(under));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), large = parseFloat(s.fontSize) >= 24 || (parseFloat(s.fontSize) >= 18.6 && +s.fontWeight >= 700);
    if (ratio < (large ? 3 : 4.5)) bad.push(e.tagName + "." + e.className + " " + ratio.toFixed(2) + " " + e.textContent.slice(0, 30));
  }
  return bad;`;

async function looks(name) {
  for (const value of ["light", "dark"]) {
    await scheme(value);
    const bad = await run(CONTRAST);
    check(bad.length === 0, value + ": contrast: " + bad.slice(0, 4).join("; "));
    if (name) await shot(name + "-" + value);
  }
  await scheme("light");
  await size(360, 740);
  await sleep(30);
  const wide = await run("const w = document.documentElement.scrollWidth; return w > 360 ? [w, ...[...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > 361 && !e.closest('.scroll, pre, .picture, .skip')).slice(0, 3).map((e) => e.tagName + '#' + e.id + '.' + e.className)] : null");
  check(!wide, "scrolls sideways at 360 pixels: " + wide);
  if (name) await shot(name + "-phone");
  await size(1280, 900);
}

/* ---- the playground ---- */

async function formatPage() {
  await open("playground/format.html");
  await until("document.querySelector('#levels .slot')", "the arrays");
  await answered();
  check((await text("#levels")).includes("level 1: compressed"), "csr has a compressed level");
  await type("#format", "coo");
  check((await text("#levels")).includes("singleton"), "coo has a singleton level");
  await type("[data-cell='0,0']", "42");
  check((await text("#levels")).includes("42"), "the edited value is among the values");
  check(await run("document.querySelector(\"[data-cell='0,0']\").focus(); return document.querySelectorAll('#levels .lit').length >= 3"), "focus lights the slots of an entry");
  await run("document.querySelector('#levels .level:last-child .slot').click()");
  check(await run("return document.querySelectorAll('#grid .lit').length === 1"), "a click on a value lights its cell");
  await type("#format", "bcsr(2,");
  check(/\^/.test(await text("#levels .error")), "the error has a caret: " + (await text("#levels")));
  await type("#format", "bcsr(2,2)");
  const link = await run("return location.hash");
  await open("playground/format.html", link);
  await until("document.querySelector('#levels .slot')", "the arrays of a link");
  check((await run("return document.querySelector('#format').value")) === "bcsr(2,2)", "a link opens the same state: " + link);
  check((await text("#bytes")).includes("csr"), "bytes beside other formats");
  await run("document.querySelector(\"[data-cell='1,1']\").focus()");
  await key("ArrowDown");
  check((await run("return document.activeElement.dataset.cell")) === "2,1", "the arrow keys move in the matrix");
  await looks("format");
}

async function kernelPage() {
  await open("playground/kernel.html");
  await until("document.querySelector('#side-0 pre')", "the plan");
  await answered();
  check((await text("#side-0")).includes("driver: A(i,j), csr"), "the plan names the driver");
  check((await text("#side-0")).includes("A2_pos"), "the C text has the arrays of A");
  check((await text("#values")).includes("the same values"), "two formats give the same values: " + (await text("#values")).slice(0, 200));
  const before = await text("#values");
  await type("#data", "1 1 100\n");
  check((await text("#values")).includes("100"), "an edited entry changes the values: " + before.slice(0, 80));
  await type("#expr", "y(i) = A(i,j*x(j)");
  check((await text("#side-0")).includes("^"), "the error has a caret");
  await run("[...document.querySelectorAll('#examples button')].find((b) => b.textContent === 'MTTKRP').click()");
  await answered();
  check((await text("#side-0")).includes("csf") && (await text("#values")).includes("the same values"), "MTTKRP: csf and coo agree");
  check((await text("#python")).includes("ts.kernel"), "the Python text");
  await run("[...document.querySelectorAll('#examples button')].find((b) => b.textContent === 'SpMV').click()");
  await answered();
  const program = await run("const made = []; const create = URL.createObjectURL; URL.createObjectURL = (b) => { made.push(b); return create(b); }; document.querySelector('#program').click(); for (let k = 0; k < 100 && !made.length; k++) await new Promise((d) => setTimeout(d, 20)); return made.length ? await made[0].text() : ''");
  check(program.includes("int main"), "the program has a main");
  await compile(program, await text("#values"));
  await looks("kernel");
}

/* The program compiles, and prints the values of the page. */
async function compile(program, shown) {
  const file = path.join(base, "program.c"), exe = path.join(base, "program");
  fs.writeFileSync(file, program);
  const { execFileSync } = require("child_process");
  try {
    execFileSync("cc", ["-O1", "-o", exe, file, "-lm"]);
    const out = execFileSync(exe).toString().trim().split("\n");
    for (const line of out) check(shown.replace(/\s/g, "").includes(line.split(" ").join("").replace(/\s/g, "")), "the program prints what the page shows: " + line + " in " + shown.slice(0, 200));
    check(out.length === 6, "the program prints all values: " + out.length);
  } catch (e) { fail("the program does not compile or run: " + (e.stderr || e)); }
}

async function layoutPage() {
  await open("playground/layout.html");
  await until("document.querySelector('#picture svg')", "the picture");
  await answered();
  check((await text("#points")).includes("17"), "the offset of 2,3");
  check((await text("#equal")).includes("equal"), "the map is proved equal");
  await type("#b", "(3,5):(5,1)");
  check((await text("#equal")).includes("different"), "a counterexample: " + (await text("#equal")));
  await type("#a", "(4,8):(8,1)");
  check((await text("#notations")).includes("(4,8):(8,1)"), "notations");
  await type("#a", "f32[3,5]{1,0:T(2,2}");
  check((await text("#facts .error")).includes("^"), "the error has a caret");
  await type("#a", "bf16[16,256]{1,0:T(8,128)(2,1)}");
  await type("#part", "0:8,0:16");
  check(await run("return !!document.querySelector('#picture svg')"), "a part is drawn");
  await type("#part", "");
  await type("#dims", "3,5");
  await type("#a", "affine_map<(d0, d1) -> (d1 * 3 + d0)>");
  check((await text("#facts")).includes("3 x 5"), "an affine_map with dims: " + (await text("#facts")));
  await type("#a", "[i, j] -> (j: <LevelFormat.DENSE>, i: <LevelFormat.DENSE>)");
  check((await text("#notations")).includes("LevelFormat.DENSE"), "a UST format");
  await type("#dims", "");
  await type("#tile", "(16,8)");
  await type("#a", "((4,8),(2,2)):((32,1),(16,8))");
  check((await text("#picture")).includes("T31"), "threads and values are drawn");
  await looks("layout");
}

async function filePage() {
  await open("playground/file.html");
  await until("document.documentElement.dataset.ready", "the module");
  const put = (name, code) => run(`const t = new DataTransfer(); const text = (() => { ${code} })(); t.items.add(new File([text], ${JSON.stringify(name)}));
    document.querySelector("#drop").dispatchEvent(new DragEvent("drop", {dataTransfer: t, bubbles: true, cancelable: true}));`);
  await put("small.mtx", "return '%%MatrixMarket matrix coordinate real general\\n3 4 3\\n1 1 1\\n2 2 2\\n3 4 3\\n'");
  await until("!document.querySelector('#answer').hidden", "the survey");
  await answered();
  check((await text("#facts")).includes("3 x 4"), "the dims: " + (await text("#facts")).slice(0, 100));
  check(await run("return !!document.querySelector('#picture svg')"), "the picture");
  check((await text("#bytes")).includes("csr"), "sizes in all formats");
  check(/^(Keep|Choose) \w/.test(await text("#advice")), "advice: " + (await text("#advice")).slice(0, 200));
  check((await run("return document.querySelectorAll('#advice tr.chosen').length")) === 1, "the chosen format is marked");
  await put("broken.mtx", "return '%%MatrixMarket matrix coordinate real general\\n3 4 1\\n9 1 1\\n'");
  await until("document.querySelector('#said .error')", "an error");
  check((await text("#said")).includes("broken.mtx:3"), "the error has the line: " + (await text("#said")));
  await put("x.h5", "return 'x'");
  await until("document.querySelector('#said .error') && document.querySelector('#said').textContent.includes('x.h5')", "what to do with .h5");
  const zip = await run(`const bytes = await new Response(new Blob(["1 1 5\\n2 3 7\\n"]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
    const t = new DataTransfer(); t.items.add(new File([bytes], "t.tns.gz")); document.querySelector("#drop").dispatchEvent(new DragEvent("drop", {dataTransfer: t, bubbles: true, cancelable: true})); return bytes.byteLength;`);
  await until("document.querySelector('#said').textContent.includes('t.tns.gz: surveyed')", "a gzip file of " + zip + " bytes");
  await put("five.tns", "return '1 1 1 1 1 5\\n2 3 1 2 2 7\\n'");
  await until("document.querySelector('#said').textContent.includes('five.tns: surveyed')", "a tensor of order 5");
  await answered();
  check((await text("#advice")).includes("M(i,r) = A(i,j,k,l,m) * B(j,r) * C(k,r) * D(l,r) * E(m,r)"), "advice for five modes: " + (await text("#advice")).slice(0, 200));
  await run("document.querySelector('#limit').value = 60");
  await put("million.mtx", "const n = 1000000, lines = []; let s = 1; for (let k = 0; k < n; k++) { s = s * 48271 % 2147483647; lines.push((k % 100000 + 1) + ' ' + (s % 100000 + 1) + ' ' + k % 97); } return '%%MatrixMarket matrix coordinate real general\\n100000 100000 ' + n + '\\n' + lines.join('\\n') + '\\n'");
  await until("document.querySelector('#said').textContent.includes('million.mtx: surveyed')", "a million entries", 90000);
  console.log("one million entries, read and surveyed three times: " + (await text("#said")).match(/[\d.]+ s/)[0]);
  await run("document.querySelector('#sample').click()");
  await until("document.querySelector('#said').textContent.includes('laplacian.mtx: surveyed')", "the sample");
  await looks("file");
}

/* An endless case is stopped after 2 s, and the next one answers. */
async function stopping() {
  await open("playground/kernel.html");
  await until("document.querySelector('#side-0 pre')", "the plan");
  await answered();
  const r = await run(`const t = performance.now(); const [r] = await play.run([{argv: ["tkern", "C(i,j) = A(i,k)*B(k,j)", "-d", "i:3000,j:3000,k:3000", "--engine=interpreter", "-q"]}]); return [r.code, performance.now() - t, r.err]`);
  check(r[0] === 124 && r[2].includes("stopped after 2 s"), "an endless case is stopped: " + r);
  await type("#dim", "5");
  check((await text("#values")).includes("the same values"), "the next case answers");
}

async function times() {
  const ready = [], answers = [];
  for (let k = 0; k < 5; k++) {
    await open("playground/layout.html");
    await until("document.querySelector('#picture svg')", "the picture");
    await answered();
    ready.push(+(await run("return document.documentElement.dataset.ready")));
    for (const f of ["(4,8):(8,1)", "(4,8):(1,4)"]) {
      await type("#a", f);
      answers.push(+(await run("return document.documentElement.dataset.answer")));
    }
  }
  const one = await run("const all = []; for (let k = 0; k < 21; k++) { const t = performance.now(); await play.run([{argv: ['tkern', 'y(i) = A(i,j)*x(j)', '-f', 'A:csr', '-d', 'A:' + (k + 4) + ',6', '--emit=graph']}]); all.push(performance.now() - t); } return all");
  const median = (a) => Math.round(a.sort((x, y) => x - y)[a.length >> 1]);
  console.log(`ready after ${median(ready)} ms, a page of 9 calls answers in ${median(answers)} ms, one call in ${median(one)} ms (medians)`);
}

async function search() {
  await open("search.html");
  await type("#q", "hicoo");
  check((await text("#found")).includes("hicoo"), "search finds hicoo");
}

async function plainFolder() {
  const before = origin;
  origin = "file://" + site + "/";
  await open("playground/format.html");
  await until("document.querySelector('#levels .slot')", "the arrays, from a plain folder");
  await open("index.html");
  origin = before;
}

function serve() {
  const types = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".svg": "image/svg+xml", ".png": "image/png" };
  const server = http.createServer((q, a) => {
    const file = path.join(site, decodeURIComponent(new URL(q.url, "http://x").pathname));
    if (!file.startsWith(site) || !fs.existsSync(file) || fs.statSync(file).isDirectory()) { a.writeHead(404); a.end(); return; }
    a.writeHead(200, { "content-type": types[path.extname(file)] || "application/octet-stream" });
    fs.createReadStream(file).pipe(a);
  });
  return new Promise((done) => server.listen(0, "127.0.0.1", () => { origin = "http://127.0.0.1:" + server.address().port + "/"; done(server); }));
}

async function main() {
  const server = await serve();
  const { targetId } = await send("Target.createTarget", { url: "about:blank" });
  session = (await send("Target.attachToTarget", { targetId, flatten: true })).sessionId;
  for (const domain of ["Page", "Runtime", "Network", "Log"]) await send(domain + ".enable");
  await size(1280, 900);
  for (const part of [formatPage, kernelPage, layoutPage, filePage, stopping, times, search, plainFolder]) {
    try { await part(); } catch (e) { fail(String(e)); }
  }
  const pages = [];
  const walk = (dir) => fs.readdirSync(path.join(site, dir), { withFileTypes: true }).forEach((e) => e.isDirectory() ? walk(path.join(dir, e.name)) : e.name.endsWith(".html") && pages.push(path.join(dir, e.name)));
  walk("");
  for (const p of pages) {
    if (/^playground\/(format|kernel|layout|file)/.test(p)) continue;
    await open(p);
    await looks(/^(index|results|install|formats\/index|formats\/csr|tutorials\/index|docs\/kernels)\.html$/.test(p) || p === "playground/index.html" ? p.replace(/\W/g, "-") : "");
  }
  console.log(`${pages.length} pages, ${requests} requests, all inside the folder; ${faults.length} faults`);
  server.close();
}
main().catch((e) => fail(String(e))).finally(() => {
  chromium.kill();
  setTimeout(() => { fs.rmSync(base, { recursive: true, force: true, maxRetries: 5 }); process.exit(faults.length > 0 ? 1 : 0); }, 300);
});
