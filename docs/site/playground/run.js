/* One run of a tool: a new instance of the compiled module, as a process would be. Used by the worker of the
 * pages (play.js) and, under node, by the tests. tesseraModule is the factory in tessera.js. */
"use strict";

/* Run argv[0] = "tkern" | "tlayout" | "tinfo" with the files {name: string | Uint8Array} in its folder.
 * Returns {code, out, err, files}; files holds what the tool wrote, {name: string}. */
async function tesseraRun(factory, module, argv, files, stdin) {
  const out = [], err = [];
  const input = stdin ? Array.from(new TextEncoder().encode(stdin)) : [];
  const m = await factory({
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(module, imports).then((instance) => done(instance));
      return {};
    },
    stdin: () => (input.length ? input.shift() : null),
    stdout: (c) => { if (c !== null) out.push(c & 255); },
    stderr: (c) => { if (c !== null) err.push(c & 255); },
    quit: (status, end) => { throw end; },
  });
  m.ENV.TSR_TUNING = "none"; /* the same texts on every machine */
  m.ENV.LC_ALL = "C";
  m.FS.mkdir("/in");
  m.FS.chdir("/in");
  for (const name in files || {}) m.FS.writeFile("/in/" + name, files[name]);
  let code;
  try {
    code = m.callMain(argv);
  } catch (end) {
    if (end && end.name === "ExitStatus") code = end.status;
    else {
      code = 134;
      err.push(...new TextEncoder().encode("the module failed: " + end + "\n"));
    }
  }
  const text = (bytes) => new TextDecoder().decode(new Uint8Array(bytes));
  const written = {};
  for (const name of m.FS.readdir("/in"))
    if (name[0] !== "." && !(files && name in files)) written[name] = m.FS.readFile("/in/" + name, { encoding: "utf8" });
  return { code, out: text(out), err: text(err), files: written };
}

if (typeof module === "object" && module.exports) module.exports = { tesseraRun };
