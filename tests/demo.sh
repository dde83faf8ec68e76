#!/usr/bin/env bash
# demo.sh BUILD: a real conversion from end to end: text to HDF5, what is inside, and back, compared; then a kernel on
# the packed tensor.
set -euo pipefail
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

real=$here/../shared/data/tns/derived/debian-bin-pkg-dir-ext.tns
if [ -r "$real" ]; then
    echo "Debian's packages x directories x file extensions, counted (real data):"
    ln -s "$real" in.tns
else
    echo "a generated tensor of a million entries:"
    awk 'BEGIN { srand(7); for (n = 0; n < 1000000; n++)
        printf "%d %d %d %.4g\n", 1 + 20000 * rand() ^ 2, 1 + 8000 * rand() ^ 3, 1 + 3000 * rand(), 100 * rand() }' >in.tns
fi

run() {
    echo
    echo "\$ $*"
    "$build/src/cli/$1" "${@:2}"
}
run tconv in.tns --format=dsc -o out.h5 --verify
run tinfo out.h5
run tconv out.h5 -o back.tns
run tconv out.h5 --format='hicoo(128)' -o blocks.h5
run tconv blocks.h5 -o blocks.tns
echo
echo '# read back from both formats and compared with the input, entry by entry:'
# Text may spell a value in several ways and give entries in any order, twice too: compare what a fresh conversion says.
"$build/src/cli/tconv" --quiet in.tns --format=coo -o a.h5
"$build/src/cli/tconv" --quiet a.h5 -o a.tns
cmp <(LC_ALL=C sort a.tns) <(LC_ALL=C sort back.tns)
cmp <(LC_ALL=C sort a.tns) <(LC_ALL=C sort blocks.tns)
echo "identical: $(wc -l <back.tns) entries"

export XDG_CACHE_HOME=$work/cache
run tkern 'A(i,r) = B(i,j,k)*C(j,r)*D(k,r)' -f B:sss -i B:out.h5 --type=f64 -d r:16 --time --check
