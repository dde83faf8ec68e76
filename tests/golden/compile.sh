#!/usr/bin/env bash
# compile.sh DIR CC...: the golden kernels compile without a warning, with every compiler of the list that exists, for
# processors with and without wide vectors; their headers also as C++.
set -uo pipefail
cd "$1" || exit 1
shift
shopt -s nullglob
strict=(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
bad=0
for cc in "$@"; do
    command -v "$cc" >/dev/null || continue
    more=()
    case $("$cc" --version) in *clang*) more=(-Wno-pass-failed) ;; esac # that a loop was not vectorised is not an error
    for file in *.c */*.c; do
        for flags in "-O2 -fopenmp" "-O0 -march=native -Wno-unknown-pragmas"; do
            # shellcheck disable=SC2086
            "$cc" -std=c11 "${strict[@]}" "${more[@]}" $flags -I"$(dirname "$file")" -c "$file" -o /dev/null ||
                { echo "compile: $cc $flags $file"; bad=1; }
        done
    done
done
for cxx in g++ clang++; do
    command -v "$cxx" >/dev/null || continue
    for file in *.h */*.h; do
        "$cxx" -std=c++17 "${strict[@]}" -fsyntax-only -x c++ - <<<"#include \"$file\"" ||
            { echo "compile: $cxx $file"; bad=1; }
    done
done
exit $bad
