#!/usr/bin/env bash
# dev.sh SCRATCH: which packages ./dev installs, and when it refuses to go on, tested with stand-ins for dpkg-query, id, apt-get
# and cmake. What broke: ./dev build release installed all packages of the checks (0.9 GB), and failed for users without them.
set -euo pipefail
source=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$1" && mkdir -p "$1/tree/cmake" "$1/bin"
cp "$source/dev" "$1/tree/" && cp "$source/cmake/debian-packages.txt" "$1/tree/cmake/"
cd "$1"
bad=0
stand_in() { printf '#!/bin/sh\n%s\n' "$2" >"bin/$1" && chmod +x "bin/$1"; }
stand_in dpkg-query 'for name; do :; done; grep -qx "$name" "$DEV_TEST/absent" || echo "install ok installed"'
stand_in id 'echo "$DEV_TEST_UID"'
stand_in apt-get 'echo "apt-get $*" >>"$DEV_TEST/calls"'
stand_in cmake 'echo "cmake $*" >>"$DEV_TEST/calls"'
export DEV_TEST=$PWD PATH=$PWD/bin:$PATH
# packages STEP...: the names of the packages of these steps.
packages() { awk -v steps=" $* " 'index(steps, " " $1 " ") { print $2 }' tree/cmake/debian-packages.txt; }

# play WHAT UID EXIT PATTERN COMMAND...: run ./dev COMMAND as user UID, with the packages in ./absent missing. It must end with
# EXIT, and PATTERN must occur in its output or in the commands that it ran.
play() {
    local what=$1 pattern=$4 status=0
    export DEV_TEST_UID=$2
    : >calls
    tree/dev "${@:5}" >said 2>&1 || status=$?
    if [ "$status" != "$3" ] || ! grep -q -- "$pattern" said calls; then
        echo "dev: $what: exit $status, wanted $3 and '$pattern':" >&2
        cat said calls >&2
        bad=1
    fi
}

packages package test check >absent
play "a user with the build packages builds" 1000 0 'cmake --build --preset release .*--target installed' build release
play "a user with the build packages builds dev" 1000 0 'cmake --build --preset dev' build
play "root installs nothing for it" 0 0 'cmake --build --preset release' build release
if grep apt-get calls; then echo "dev: build release installs packages of other steps" >&2; bad=1; fi
play "clang needs its packages" 1000 1 'apt-get install .*clang-16' build clang
play "root gets them" 0 0 'apt-get install .*clang-16' build clang
echo libhdf5-dev >absent
play "a missing package is named" 1000 1 'apt-get install libhdf5-dev$' build release
play "root gets it" 0 0 'apt-get install .*libhdf5-dev$' build release
grep -E '^build .*\(optional' tree/cmake/debian-packages.txt | awk '{ print $2 }' >absent
[ -s absent ]
play "without the optional ones" 1000 0 'without the optional packages .*libisal-dev' build release
packages arm64 >absent
play "another platform's packages are not needed" 1000 0 'cmake --build --preset dev' build
play "but for that platform" 1000 1 'apt-get install gcc-aarch64-linux-gnu' platform arm64
TSR_PLATFORM=arm64 play "the variable chooses it" 1000 1 'apt-get install gcc-aarch64-linux-gnu' platform
play "an unknown platform is named" 1000 2 "unknown platform 'vax'" platform vax
: >absent
stand_in cpack 'echo "cpack at ${SOURCE_DATE_EPOCH:-no time}" >>"$DEV_TEST/calls"'
mkdir -p tree/build/package && : >tree/build/package/a.deb
SOURCE_DATE_EPOCH='' play "packages have the time of the sources" 1000 0 '^cpack at [0-9]' package
rm bin/dpkg-query && mkdir none && for tool in bash cat grep id nproc mkdir dirname cmake; do
    ln -s "$(command -v "$tool")" none/
done
PATH=$PWD/none play "a system without dpkg is left to cmake" 1000 0 'cmake --build --preset release' build release
exit $bad
