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
# A compiler that once made an object without the kernel: what is in the cache is not used. It was an error for good.
tkern --clear-cache
cat >somecc <<'END'
#!/bin/sh
last= object=
for a; do [ "$last" != -o ] || object=$a; last=$a; done
if [ -e broken ] && [ -n "$object" ]; then exec cc -shared -fPIC other.c -o "$object"; fi
exec cc "$@"
END
chmod +x somecc && echo 'int other;' >other.c && touch broken
t "TSR_CC=./somecc $run"
rm broken
t "TSR_CC=./somecc $run | grep -e ^sum -e ^run"
