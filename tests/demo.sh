#!/usr/bin/env bash
# demo.sh BUILD: a conversion from end to end: text to HDF5, what is inside, and back, compared; then a kernel on the packed
# tensor, and which format suits it.
set -euo pipefail
build=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

run() {
    echo
    echo "\$ $*"
    command "$@"
}
PATH=$build/src/tools:$build/bench:$PATH
echo "A stand-in for the tensor NELL-2 (noun, verb, noun of web pages), of the same bytes on every machine:"
run tbench gen nell-2@0.01 -o in.tns
run tconv in.tns --format=dsc -o out.h5 --verify
run tinfo out.h5
run tconv out.h5 -o back.tns
run tconv out.h5 --format='hicoo(128)' -o blocks.h5
run tconv blocks.h5 -o blocks.tns
echo
echo '# read back from both formats and compared with the input, entry by entry:'
# Text may spell a value in several ways and give entries in any order, twice too: compare what a fresh conversion says.
tconv --quiet in.tns --format=coo -o a.h5
tconv --quiet a.h5 -o a.tns
cmp <(LC_ALL=C sort a.tns) <(LC_ALL=C sort back.tns)
cmp <(LC_ALL=C sort a.tns) <(LC_ALL=C sort blocks.tns)
echo "identical: $(wc -l <back.tns) entries"

export XDG_CACHE_HOME=$work/cache
run tkern 'A(i,r) = B(i,j,k)*C(j,r)*D(k,r)' -f B:sss -i B:out.h5 --type=f64 -d r:16 --time --check
run tbench mttkrp in.tns --format=coo,csf,hicoo
