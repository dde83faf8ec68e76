/* size.js MODULE_DIR SITE_DIR: the module and its glue, compressed as servers do (brotli), stay under 450 kB, and the site
 * under 15 MB. */
"use strict";
const fs = require("fs"), path = require("path"), zlib = require("zlib");
const [built, site] = process.argv.slice(2);
const LIMIT = 450e3, SITE_LIMIT = 15e6;
let packed = 0, gzip = 0, total = 0;
for (const name of ["tessera.wasm", "tessera.js"]) {
  const bytes = fs.readFileSync(path.join(built, name));
  packed += zlib.brotliCompressSync(bytes).length;
  gzip += zlib.gzipSync(bytes, { level: 9 }).length;
}
const walk = (dir) => fs.readdirSync(dir, { withFileTypes: true }).forEach((e) => e.isDirectory() ? walk(path.join(dir, e.name)) : (total += fs.statSync(path.join(dir, e.name)).size));
walk(site);
console.log(`module and glue: ${(packed / 1e3).toFixed(0)} kB with brotli, ${(gzip / 1e3).toFixed(0)} kB with gzip; site: ${(total / 1e6).toFixed(1)} MB`);
if (packed > LIMIT || total > SITE_LIMIT) {
  console.log(`too large: the limits are ${LIMIT / 1e3} kB and ${SITE_LIMIT / 1e6} MB`);
  process.exit(1);
}
