#!/usr/bin/env bash
# run.sh BUILD SCRATCH: install BUILD, then configure, build and run a program that only knows find_package(tessera);
# then the same program by pkg-config alone.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$1 scratch=$2
rm -rf "$scratch" && mkdir -p "$scratch"
cmake --install "$build" --prefix "$scratch/prefix" >"$scratch/install.log"
for f in bin/tconv bin/tinfo bin/tlayout bin/tkern share/man/man1/tkern.1 share/man/man1/tconv.1 share/man/man1/tinfo.1 share/man/man1/tlayout.1 include/tessera/tessera.h \
    share/bash-completion/completions/tconv; do
    [ -s "$scratch/prefix/$f" ] || { echo "not installed: $f"; exit 1; }
done
printf '%%%%MatrixMarket matrix coordinate real general\n3 4 2\n1 1 1.5\n3 4 2.5\n' >"$scratch/in.mtx"
cmake -G Ninja -S "$here" -B "$scratch/build" -DCMAKE_PREFIX_PATH="$scratch/prefix" \
    ${CC:+-DCMAKE_C_COMPILER="$CC"} -DCMAKE_C_FLAGS="${TSR_PACKAGE_CFLAGS:-}" >"$scratch/configure.log"
cmake --build "$scratch/build" >"$scratch/build.log"
"$scratch/build/outside" "$scratch/in.mtx" csr | tee "$scratch/out.txt"
grep -qx '2 values, 22 bytes' "$scratch/out.txt" # pos 4 x 1, crd 2 x 1, values 2 x 8 bytes
export PKG_CONFIG_PATH=$(dirname "$(find "$scratch/prefix" -name tessera.pc)")
# shellcheck disable=SC2046
${CC:-cc} ${TSR_PACKAGE_CFLAGS:-} "$here/outside.c" -o "$scratch/outside2" $(pkg-config --static --cflags --libs tessera)
"$scratch/outside2" "$scratch/in.mtx" dcsr
# The library's example, on the matrix above (rows add up to 1.5, 0 and 2.5).
# shellcheck disable=SC2046
${CC:-cc} ${TSR_PACKAGE_CFLAGS:-} -std=c11 -Wall -Wextra -Werror "$here/../../docs/examples/spmv.c" -o "$scratch/spmv" \
    $(pkg-config --static --cflags --libs tessera)
XDG_CACHE_HOME="$scratch/cache" "$scratch/spmv" "$scratch/in.mtx" | tee "$scratch/spmv.txt"
printf 'x = 1: the sum of A x is 4\nx = 2: the sum of A x is 8\n' | cmp - "$scratch/spmv.txt"
