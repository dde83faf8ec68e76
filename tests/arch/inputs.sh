#!/usr/bin/env bash
# Each public function that takes memory of its caller is called by tests/door/test_door_inputs.c, where that memory is read-only.
set -euo pipefail
cd "$(dirname "$0")/../.."
# These take a handle, a number or nothing.
without='tessera_(context_[a-z_]+|interrupt|set_kept_memory|version|status_text|tensor_(find|labels|nbytes|share)|format_(kind|nlevels|order)|kernel_(expression|name|nlowered|ntensors|order)|layout_span)'
bad=0
while read -r name; do
    if ! grep -qw "$name" tests/door/test_door_inputs.c tests/door/guarded*.h; then
        echo "inputs: $name is not called by tests/door/test_door_inputs.c with its inputs in read-only pages" >&2
        bad=1
    fi
done < <(sed -nE 's/^(TESSERA_API|TESSERA_CHECKED) .*[ *](tessera_[a-z0-9_]+)\(.*/\2/p' include/tessera/tessera.h | grep -vxE "$without")
exit $bad
