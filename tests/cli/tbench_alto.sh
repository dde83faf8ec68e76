# shellcheck shell=bash
# tbench --baseline=alto=PATH with headers of the test's own (alto/) in the place of ALTO.
export XDG_CACHE_HOME=$PWD/cache
mkdir -p right/include wrong && cp "$TSR_SOURCE/tests/cli/alto/alto.hpp" right/include &&
    (echo '#define WRONG' && cat "$TSR_SOURCE/tests/cli/alto/alto.hpp") >wrong/alto.hpp
# The first word of each row, titles, and what is said; not where this is run.
bare() { sed -E '/^(format|[A-Za-z]+(:[0-9,]+)?) +([0-9]|pack)/s/ .*//; /^~: the fastest run/d; /^>100%/d' | sed "s|$PWD/||g"; }
generate 1 40 8 9 7 >a.tns
generate 3 25 5 4 6 3 >four.tns
printf '1 1 1 2\n1 2 1 3\n' >flat.tns
# measure TENSOR MODE PATH [OPTION]...
measure() { tbench mttkrp "$1" --modes="$2" --quick --threads=1 --reps=1 --rank=3 --format=coo --baseline=alto="$3" "${@:4}"; }
t "measure a.tns 1 right --threads=2 | bare"
t "measure four.tns 2 right/include --json=r.json | bare"
t "grep -o -E '\"candidate\": *\"ALTO\"' r.json"
# What is found out.
t "measure a.tns 1 wrong | bare"
t "measure a.tns 1 nowhere | bare"
mkdir empty
t "measure a.tns 1 empty | bare"
t "measure flat.tns 1 right | bare"
t "tbench mttkrp a.tns --modes=0 --format=coo --quick --threads=1 --reps=1 --baseline=alto | bare"
