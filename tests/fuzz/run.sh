#!/usr/bin/env bash
# run.sh BUILD TARGET|all SECONDS: run the libFuzzer targets of a build with TSR_FUZZ, each for SECONDS, from the
# corpus here. What they find new lies in BUILD/tests/fuzz/NAME.new, what fails in BUILD/tests/fuzz/NAME.failed.
set -euo pipefail
build=$1 target=$2 seconds=$3
here=$(cd "$(dirname "$0")" && pwd)
targets=()
for program in "$build"/tests/fuzz/fuzz_*; do
    [ -f "$program" ] && [ -x "$program" ] || continue
    name=${program##*/fuzz_}
    if [ "$target" = all ] || [ "$target" = "$name" ]; then targets+=("$name"); fi
done
if [ ${#targets[@]} = 0 ]; then
    echo "run.sh: no fuzz target '$target' in $build/tests/fuzz (is it built with TSR_FUZZ?)" >&2
    exit 2
fi
failed=0
for name in "${targets[@]}"; do
    dir=$build/tests/fuzz
    mkdir -p "$dir/$name.new" "$dir/$name.failed"
    echo "== fuzz_$name for $seconds s"
    # HDF5 asks for what a damaged file says, and copes when it does not get it.
    limits=(-rss_limit_mb=2048)
    case $name in binsparse | convert | cli) limits+=(-malloc_limit_mb=1000000000) ;; esac
    if [ -f "$here/$name.dict" ]; then limits+=(-dict="$here/$name.dict"); fi
    if [ "$name" = cli ]; then limits+=(-close_fd_mask=3); fi # what the tools say
    "$dir/fuzz_$name" -max_total_time="$seconds" -timeout=10 "${limits[@]}" -print_final_stats=1 \
        -artifact_prefix="$dir/$name.failed/" "$dir/$name.new" "$here/corpus/$name" 2>&1 |
        tail -n 6 || { failed=1; echo "fuzz_$name: see $dir/$name.failed" >&2; }
done
exit $failed
