#!/usr/bin/env bash
# abi.sh CC HEADER KEPT [update]: the functions and structs of the public header are those that the file KEPT describes. A library with
# these declarations and empty functions is compiled, and abidiff compares its description with KEPT; that the real library shows just
# these functions is tested by `package`. `update` writes KEPT anew. Skipped (77) without abidiff (Debian package abigail-tools).
set -euo pipefail
cc=$1 header=$2 kept=$3
command -v abidw >/dev/null && command -v abidiff >/dev/null || { echo "abi: no abidiff (package abigail-tools)"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cp "$header" tessera.h
"$cc" -E -P tessera.h | perl -0pe 's/(__attribute__\(\(visibility\("default"\)\)\)[^;{]*);/$1 { __builtin_trap(); }/g' >stub.c
[ "$(grep -o __builtin_trap stub.c | wc -l)" -ge 70 ] || { echo "abi: few functions found in $header" >&2; exit 1; }
"$cc" -w -g -O0 -shared -fPIC -Wl,-soname,libtessera.so.0 stub.c -o libtessera.so.0
abidw --no-corpus-path --no-comp-dir-path --no-show-locs --no-elf-needed --no-architecture --type-id-style hash libtessera.so.0 >now.abi
sed -i -E "s/ path='[^']*'//; s/ comp-dir-path='[^']*'//" now.abi
if [ "${4:-}" = update ]; then
    cp now.abi "$kept"
    exit 0
fi
if ! abidiff "$kept" now.abi; then
    echo "abi: programs that were linked with an earlier library may break. If the change is wanted (or functions were only added), run" >&2
    echo "    ninja -C build/dev abi" >&2
    echo "raise the version in tessera.h, and read the difference of ${kept##*/} before you commit it." >&2
    exit 1
fi
