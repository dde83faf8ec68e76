#!/usr/bin/env bash
# refused.sh SCRATCH WORDS ARG...: cmake with these arguments refuses to configure Tessera, and says these words.
set -euo pipefail
source=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$1"
if cmake -G Ninja -S "$source" -B "$1" -DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY "${@:3}" >"$1.log" 2>&1; then
    echo "refused.sh: cmake ${*:3} succeeds" >&2
    exit 1
fi
tr -s ' \n' ' ' <"$1.log" | grep -q "$2" || { cat "$1.log" >&2; exit 1; }
echo "refused: $2"
