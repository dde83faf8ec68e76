/* wasm_run.js MODULE_DIR SITE_DIR < calls: run tools of the module under node. Each line of standard input is
 * {"argv": [...], "files": {"name": "base64"}, "stdin": "text"}; each line of the output is {"code", "out", "err", "files"}. */
"use strict";
delete globalThis.fetch; /* the glue would fetch a path of the file system */
const fs = require("fs"), path = require("path"), readline = require("readline");
const [built, site] = process.argv.slice(2);
const factory = require(path.resolve(built, "tessera.js"));
const { tesseraRun } = require(path.resolve(site, "run.js"));
const compiled = new WebAssembly.Module(fs.readFileSync(path.join(built, "tessera.wasm")));
process.setMaxListeners(0); /* the glue adds some for each instance */

(async () => {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const call = JSON.parse(line), files = {};
    for (const name in call.files || {}) files[name] = Buffer.from(call.files[name], "base64");
    process.stdout.write(JSON.stringify(await tesseraRun(factory, compiled, call.argv, files, call.stdin)) + "\n");
    process.removeAllListeners("uncaughtException");
    process.removeAllListeners("unhandledRejection");
  }
})();
