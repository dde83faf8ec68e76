#!/usr/bin/env bash
# run.sh DIR CC CXX: every header compiles alone, as C11 and as C++17 (where there is a C++ compiler), tessera.hpp as C++20, too.
set -euo pipefail
include=() bad=0
for d in "$1"/include "$1"/include/tessera "$1"/src/*/; do include+=(-I"$d"); done
for door in "$1"/include/tessera/*.h "$1"/src/*/tsr_*.h; do
    name=$(basename "$door")
    case $name in tsr_rt_*) continue ;; esac # pieces of generated code: test_emit_run compiles them
    printf "#include \"%s\"\nint unused;\n" "$name" | "$2" -std=c11 -Wall -Wextra -Wpedantic -Wconversion -Werror -fsyntax-only -xc \
        "${include[@]}" - || { echo "not alone as C11: $name"; bad=1; }
    if [ -n "${3:-}" ]; then
        echo "#include \"$name\"" | "$3" -std=c++17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -xc++ \
            "${include[@]}" - || { echo "not alone as C++17: $name"; bad=1; }
    fi
done
# tessera.hpp, with a program that uses its templates: C++17 and C++20, with the given compiler and with clang where it is.
hpp() {
    "$1" -std="$2" -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wold-style-cast -Werror -fsyntax-only -I"$here/include" \
        "$here/tests/package/cxx/outside.cpp" || { echo "tessera.hpp: not $2 of $1"; bad=1; }
}
here=$1
if [ -n "${3:-}" ]; then
    hpp "$3" c++17
    hpp "$3" c++20
    if command -v clang++-16 >/dev/null; then hpp clang++-16 c++20; fi
fi
exit $bad
