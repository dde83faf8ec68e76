#!/usr/bin/env bash
# readme.sh SOURCE SCRATCH: the lines of README.md, as they stand, in a clean clone of SOURCE's last commit. As another user than root (where
# root runs this test): the installation alone, ./dev demo, the installation again. Then as the user of the test: the installation with
# MPI and without, in a build folder that had the other. Each time the tools and the Python package work from the prefix, and
# the quick start runs. Skipped (77) outside a repository.
set -euo pipefail
source=$1 scratch=$2
fail() { echo "readme: $1" >&2; exit 1; }
git -C "$source" rev-parse HEAD >/dev/null 2>&1 || { echo "skipped: not a git repository"; exit 77; }
rm -rf "$scratch" && mkdir -p "$scratch"
git clone -q "$source" "$scratch/clone"
unset XDG_CACHE_HOME CMAKE_C_COMPILER_LAUNCHER CMAKE_CXX_COMPILER_LAUNCHER # of the user of the test
other=()
# CMake and ./dev ask for the user; nobody has no home of its own
if [ "$(id -u)" = 0 ] && setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$scratch/clone/dev"; then
    other=(setpriv --reuid=65534 --regid=65534 --clear-groups)
    chown -R 65534:65534 "$scratch"
fi
# the lines of a paragraph: indented by four blanks, after the sentence that begins with $1
lines() { awk -v begin="$1" 'index($0, begin) == 1 { on = 1 } on && /^    / { print substr($0, 5); seen = 1 } on && seen && !/^    / { exit }' README.md; }
cd "$scratch/clone"
lines "To install the tools" >"$scratch/install.sh"
# bash -e does not end at a command before &&
echo 'test -x ~/tessera/bin/tconv' >>"$scratch/install.sh"
grep -q 'cmake --install' "$scratch/install.sh" || fail "README.md has no line that installs"
lines "On Debian 12" | grep '^\./dev demo' >"$scratch/demo.sh" || fail "README.md has no line ./dev demo"
lines "On Debian 12" | grep -q '^\./dev test' || fail "README.md has no line ./dev test"
# the quick start, without the measurement of half a minute
awk '/^## The main jobs/ { on = 1 } on && /^```$/ && seen { seen = 0 } seen { print } on && /^```sh$/ { seen = 1 } /^## What is promised/ { exit }' README.md |
    grep -v '^tbench mttkrp' >"$scratch/quick.sh"
[ "$(wc -l <"$scratch/quick.sh")" -ge 10 ] || fail "the quick start of README.md was not found"

# run HOME SCRIPT [COMMAND...]: the script in the clone, as COMMAND runs it
run() {
    "${@:3}" env HOME="$scratch/$1" bash -euo pipefail "$scratch/$2.sh" >"$scratch/$1.$2.log" 2>&1 ||
        { tail -n 20 "$scratch/$1.$2.log"; fail "$1, $2 failed"; }
}
# look HOME [COMMAND...]: what HOME/tessera holds works
look() {
    local prefix=$scratch/$1/tessera folder=$scratch/$1/quick
    for tool in tconv tinfo tkern tlayout tbench; do
        "${@:2}" "$prefix/bin/$tool" --version >/dev/null || fail "$1: $tool does not start"
    done
    "${@:2}" mkdir "$folder"
    (cd "$folder" && "${@:2}" env HOME="$scratch/$1" PATH="$prefix/bin:$PATH" bash -euo pipefail "$scratch/quick.sh" >"$scratch/$1.quick.log" 2>&1) ||
        { tail -n 20 "$scratch/$1.quick.log"; fail "$1: the quick start failed"; }
    local modules=$prefix/lib/python3/dist-packages
    [ ! -d "$modules/tessera" ] ||
        "${@:2}" env PYTHONPATH="$modules" /usr/bin/python3 -B -c 'import tessera as ts; assert ts.from_coords([[0], [1]], [2.0], (2, 2)).nnz == 1' ||
        fail "$1: the installed Python package cannot be imported"
}
for home in user with without; do
    mkdir "$scratch/$home"
done
[ ${#other[@]} -eq 0 ] || chown 65534:65534 "$scratch/user"
run user install "${other[@]}"
run user demo "${other[@]}"
run user install "${other[@]}"
look user "${other[@]}"
run with install env
look with env
cmake -DTSR_WITH_MPI=OFF build/release >"$scratch/without.log"
run without install env
look without env
[ -z "$(find "$scratch/without/tessera" -name 'tessera-mpi.so')" ] || fail "a build without MPI installs tessera-mpi.so"
echo "ok README.md"
