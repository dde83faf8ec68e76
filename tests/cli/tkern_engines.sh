# shellcheck shell=bash
# How a kernel is run: compiled, from the cache, interpreted.
export XDG_CACHE_HOME=$PWD/cache
generate 8 20 30 20 >m.tns
run="tkern -j 2 'y(i) = 5*A(i,j)*x(j)' -i A:m.tns"
t "$run | grep -e ^sum -e ^run"
t "$run | grep -e ^sum -e ^run"
t "tkern --list-kernels | sed -E -n '/^In the cache/,\$ { s/[0-9.]+ (kB|bytes)/SIZE/; s/^  [0-9a-f]{8} +/  KEY  /; p }'"
t "stat -c %a cache/tessera"
t "tkern --clear-cache && tkern --list-kernels | tail -1"
t "$run --engine=interpreter | grep -e ^sum -e ^run"
t "TSR_CC=no-such-compiler $run 2>&1 | grep -e ^sum -e ^run -e warning"
t "TSR_CC=no-such-compiler $run --quiet"
t "TSR_CC=no-such-compiler $run --engine=compiled"
t "$run --engine=builtin"
printf '#!/bin/sh\necho "kernel.c:1: error: no kernels today" >&2\nexit 1\n' >badcc && chmod +x badcc
t "TSR_CC=./badcc $run"
chmod 777 cache/tessera
t "$run 2>&1 | sed 's:/[^ ]*/cache:CACHE:g'"
chmod 700 cache/tessera
t "$run --time=4 | sed -n '/^time/,\$p' | sed 's/[0-9.e+-]* \(GFLOP\|ms\)/N \1/g; s/[0-9.e+-]* [kMG]*B\b/N B/g; s/[0-9]*%/N%/'"
# An object of another program in the cache: the kernel is compiled as without a cache. It was an error.
tkern --clear-cache
eval "$run" >/dev/null
echo 'int other;' >other.c && cc -shared -fPIC other.c -o other.so
for object in cache/tessera/*.so; do cat other.so >"$object"; done
t "$run | grep -e ^sum -e ^run"
