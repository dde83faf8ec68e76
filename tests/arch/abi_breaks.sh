#!/usr/bin/env bash
# abi_breaks.sh CC HEADER KEPT: the test `abi` fails for changes of the public header that break programs. Each line is an edit (sed).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
command -v abidiff >/dev/null || { echo "abi_breaks: no abidiff (package abigail-tools)"; exit 77; }
edited=$(mktemp --suffix=.h) bad=0
trap 'rm -f "$edited"' EXIT
while read -r edit; do
    sed "$edit" "$2" >"$edited"
    cmp -s "$2" "$edited" && { echo "abi_breaks: the edit changes nothing: $edit" >&2; bad=1; }
    if "$here/abi.sh" "$1" "$edited" "$3" >/dev/null 2>&1; then
        echo "abi_breaks: not noticed: $edit" >&2
        bad=1
    fi
done <<'END'
s/^    int norder;/    long norder;/
s/^    int narrays;//
s/\*release_arg;/*release_arg;\n    int later;/
s/tessera_kernel_nlowered/tessera_kernel_nlow/
s/TESSERA_CANCELLED = 10/TESSERA_CANCELLED = 11/
s/int64_t \*offset,/int32_t *offset,/
END
exit $bad
