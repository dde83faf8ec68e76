#!/usr/bin/env bash
# readme.sh SOURCE SCRATCH: the lines of README.md that install Tessera, as they stand, in a clean clone of SOURCE's last commit: the installation
# alone, then ./dev demo, then the installation again. The tools and the Python package work from the prefix. Skipped (77) outside a repository.
set -euo pipefail
source=$1 scratch=$2
fail() { echo "readme: $1" >&2; exit 1; }
git -C "$source" rev-parse HEAD >/dev/null 2>&1 || { echo "skipped: not a git repository"; exit 77; }
rm -rf "$scratch" && mkdir -p "$scratch/home"
git clone -q "$source" "$scratch/clone"
cd "$scratch/clone"
export HOME=$scratch/home
unset XDG_CACHE_HOME
# the lines of a paragraph: indented by four blanks, after the sentence that begins with $1
lines() { awk -v begin="$1" 'index($0, begin) == 1 { on = 1 } on && /^    / { print substr($0, 5); seen = 1 } on && seen && !/^    / { exit }' README.md; }
lines "To install the tools" >"$scratch/install.sh"
grep -q 'cmake --install' "$scratch/install.sh" || fail "README.md has no line that installs"
lines "On Debian 12" | grep '^\./dev demo' >"$scratch/demo.sh" || fail "README.md has no line ./dev demo"
for script in install demo install; do
    bash -euo pipefail "$scratch/$script.sh" >"$scratch/$script.log" 2>&1 || { tail -n 20 "$scratch/$script.log"; fail "$script: exit $?"; }
done
for tool in tconv tinfo tkern tlayout tbench; do
    "$HOME/tessera/bin/$tool" --version >/dev/null || fail "$tool does not start"
done
modules=$HOME/tessera/lib/python3/dist-packages
[ ! -d "$modules/tessera" ] || PYTHONPATH=$modules /usr/bin/python3 -B -c 'import tessera as ts; assert ts.from_coords([[0], [1]], [2.0], (2, 2)).nnz == 1' ||
    fail "the installed Python package cannot be imported"
echo "ok README.md"
