#!/usr/bin/env bash
# reference.sh SOURCE BUILD SCRATCH: the man pages of the public functions. No line is lost as a request of roff, and whatis finds each page.
# Skipped (77) without doxygen.
set -euo pipefail
source=$1 build=$2 scratch=$3
if ! command -v doxygen >/dev/null || [ ! -f "$build/Doxyfile" ]; then echo "reference: no doxygen"; exit 77; fi
rm -rf "$scratch" && mkdir -p "$scratch"
{ cat "$build/Doxyfile"; echo "OUTPUT_DIRECTORY = $scratch"; } | doxygen - >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
cd "$scratch/man/man3"
sed -i -f "$source/cmake/reference_man.sed" tessera*.3
! grep -n "^'" tessera*.3 || { echo "reference: lines that roff takes for requests" >&2; exit 1; }
grep -qF '\&'"'mtx'" tessera_write_options.3 || { echo "reference: the field codec has no text" >&2; exit 1; }
for page in tessera*.3; do
    grep -q '^\.so ' "$page" || grep -A1 '^\.SH NAME' "$page" | grep -q '^tessera[._a-z0-9]* \\- .' ||
        { echo "reference: whatis cannot read $page" >&2; exit 1; }
done
echo "ok"
