#!/usr/bin/env bash
# replay_found.sh REPLAY ARCHIVE FOLDER: unpack what fuzzing found (found/NAME.tar.gz) into FOLDER, anew, and replay it.
set -euo pipefail
rm -rf "$3" && mkdir -p "$3"
tar -xzf "$2" -C "$3"
"$1" "$3" >"$3.log" 2>&1 || { tail -n 20 "$3.log"; exit 1; }
