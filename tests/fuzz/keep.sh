#!/usr/bin/env bash
# keep.sh BUILD NAME FOLDER...: the fewest inputs of found/NAME.tar.gz and the folders that reach what all of them reach,
# beyond the corpus, become the new found/NAME.tar.gz. Inputs of more than 4 kB are left out, and so is what comes after 300 kB
# (smallest first).
set -euo pipefail
build=$1 name=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/old" "$work/merged" "$work/kept" "$here/found"
[ ! -f "$here/found/$name.tar.gz" ] || tar -xzf "$here/found/$name.tar.gz" -C "$work/old"
"$build/tests/fuzz/fuzz_$name" -merge=1 -max_len=4096 -rss_limit_mb=3000 -malloc_limit_mb=1000000000 -close_fd_mask=3 \
    -artifact_prefix="$work/" "$work/merged" "$work/old" "${@:3}" "$here/corpus/$name" >"$work/log" 2>&1 || { tail -n 5 "$work/log" >&2; exit 1; }
for f in "$here/corpus/$name"/*; do rm -f "$work/merged/$(sha1sum <"$f" | cut -c1-40)"; done
total=0
while read -r size file; do
    total=$((total + size))
    [ $total -le 300000 ] || break
    mv "$file" "$work/kept/"
done < <(find "$work/merged" -type f -printf '%s %p\n' | sort -n)
tar -C "$work/kept" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -cf - . | gzip -9n >"$here/found/$name.tar.gz"
echo "$name: $(ls "$work/kept" | wc -l) inputs, $total bytes"
