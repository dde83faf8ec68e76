#!/usr/bin/env bash
# run.sh DIR CC CXX: every header compiles alone, as C11 and as C++17 (where there is a C++ compiler).
set -euo pipefail
include=() bad=0
for d in "$1"/include "$1"/include/tessera "$1"/src/*/; do include+=(-I"$d"); done
for door in "$1"/include/tessera/*.h "$1"/src/*/tsr_*.h; do
    name=$(basename "$door")
    printf "#include \"%s\"\nint unused;\n" "$name" | "$2" -std=c11 -Wall -Wextra -Wpedantic -Wconversion -Werror -fsyntax-only -xc \
        "${include[@]}" - || { echo "not alone as C11: $name"; bad=1; }
    if [ -n "${3:-}" ]; then
        echo "#include \"$name\"" | "$3" -std=c++17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -xc++ \
            "${include[@]}" - || { echo "not alone as C++17: $name"; bad=1; }
    fi
done
for door in "$1"/include/tessera/*.hpp; do
    [ -e "$door" ] && [ -n "${3:-}" ] || continue
    echo "#include <tessera/$(basename "$door")>" | "$3" -std=c++17 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror \
        -fsyntax-only -xc++ -I"$1/include" - || { echo "not alone as C++17: $door"; bad=1; }
done
exit $bad
