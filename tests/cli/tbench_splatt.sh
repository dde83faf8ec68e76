# shellcheck shell=bash
# tbench --baseline=splatt=PATH with a library of the test's own (splatt/) in the place of SPLATT.
export XDG_CACHE_HOME=$PWD/cache
source=$TSR_SOURCE/tests/cli/splatt
# build FOLDER [FLAG]...: FOLDER/build/lib/libsplatt.so and FOLDER/build/bin/splatt, FOLDER/include/splatt.h
build() {
    mkdir -p "$1/build/lib" "$1/build/bin" "$1/include" && cp "$source/splatt.h" "$1/include" && : >"$1/build/bin/splatt" &&
        "${TSR_C_COMPILER:-cc}" -shared -fPIC -O1 -I"$source" "${@:2}" "$source/splatt.c" -o "$1/build/lib/libsplatt.so" || exit 1
}
build right
build wrong -DWRONG
# The first word of each row, titles, and what is said; not where this is run.
bare() { sed -E '/^(format|[a-z]+(:[0-9,]+)?) +([0-9]|pack)/s/ .*//; /^~: the fastest run/d; /^>100%/d' | sed "s|$PWD/||g"; }
# gaps.tns has slices without entries.
printf '5 9 1 2\n1 2 7 -1.5\n5 2 4 3\n2 9 4 0.25\n' >gaps.tns
generate 1 40 8 9 7 >a.tns
generate 3 25 5 4 6 3 >four.tns
generate 2 30 12 10 >m.tns
# measure TENSOR MODE PATH [OPTION]...
measure() { tbench mttkrp "$1" --modes="$2" --quick --threads=1 --reps=1 --rank=3 --format=coo --baseline=splatt="$3" "${@:4}"; }
t "measure gaps.tns all right/build --threads=2 | bare"
t "measure a.tns 1 right/build/bin/splatt | bare"
t "measure four.tns 2 right/build/lib/libsplatt.so | bare"
t "measure m.tns 0 right/build --json=r.json | bare"
t "grep -o -E '\"(candidate|format|version)\": *\"(splatt|csf per mode|2.0.7[^\"]*)\"' r.json"
# What is found out.
t "measure a.tns 1 wrong/build >said"
t "bare <said"
t "measure a.tns 1 nowhere | bare"
t "measure a.tns 1 right/include | bare"
mkdir -p bare/a/b/c/d && cp right/build/lib/libsplatt.so bare/a/b/c/d
t "measure a.tns 1 bare/a/b/c/d | bare"
sed -i 's/VAL_TYPEWIDTH 64/VAL_TYPEWIDTH 32/' wrong/include/splatt.h
t "measure a.tns 1 wrong/build | bare"
t "tbench mttkrp m.tns --modes=0 --format=coo --quick --threads=1 --reps=1 --baseline=splatt | bare"
