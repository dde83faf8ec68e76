#!/usr/bin/env bash
# deb.sh SOURCE SCRATCH BUILD: make the Debian packages, unpack them into an empty root, and use them from there: the tools run, a program in
# C and one in C++ are built with the headers of libtessera-dev and run with the library of libtessera0. BUILD is a folder to build in; what
# other_kind.sh compiled there is linked anew, because a static and a shared library have the same objects. Skipped (77) without dpkg.
set -euo pipefail
source=$1 scratch=$2 build=$3
here=$(cd "$(dirname "$0")" && pwd)
fail() { echo "deb: $1" >&2; exit 1; }
for tool in dpkg-deb dpkg-shlibdeps cpack; do
    command -v $tool >/dev/null || { echo "deb: no $tool (package dpkg-dev)"; exit 77; }
done
rm -rf "$scratch" && mkdir -p "$scratch"
cmake -G Ninja -S "$source" -B "$build" ${CC:+-DCMAKE_C_COMPILER="$CC"} -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 \
    -DTSR_TESTS=OFF -DTSR_BENCH=ON -DTSR_REFERENCE=ON -DTSR_BUILTIN=OFF -DBUILD_SHARED_LIBS=ON -DCMAKE_INSTALL_PREFIX=/usr >"$scratch/configure.log"
cmake --build "$build" >"$scratch/build.log" || { tail -n 30 "$scratch/build.log"; exit 1; }
rm -f "$build"/*.deb
(cd "$build" && cpack -G DEB >"$scratch/cpack.log" 2>&1) || { cat "$scratch/cpack.log"; exit 1; }

# field PACKAGE FIELD: of the control file of the package.
field() { dpkg-deb -f "$build"/"$1"_*.deb "$2"; }
version=$(field libtessera0 Version)
packages=$(cd "$build" && for deb in *.deb; do echo "${deb%%_*}"; done | xargs)
for package in libtessera0 libtessera-dev tessera-tools tessera-bench; do
    [[ " $packages " == *" $package "* ]] || fail "$package was not made: $packages"
done
for package in $packages; do
    [ "$(field $package Version)" = "$version" ] || fail "$package has the version $(field $package Version)"
    dpkg-deb -x "$build"/${package}_*.deb "$scratch/root"
    dpkg-deb -c "$build"/${package}_*.deb | awk '{print $6}' | grep -v '/$' | sort >"$scratch/$package.files"
done
# No package owns a file of another; each has what its name says.
sort "$scratch"/*.files | uniq -d | grep . && fail "files in two packages"
grep -q 'libtessera.so.0$' "$scratch/libtessera0.files" || fail "libtessera0 lacks the library"
for package in $packages; do
    grep -q "doc/$package/copyright$" "$scratch/$package.files" || fail "$package lacks the licence"
    gzip -dc "$scratch/root/usr/share/doc/$package/changelog.gz" | head -n 1 | grep -qF "tessera ($version) " ||
        fail "$package lacks the change log"
done
! grep -h '/man/.*[0-9]$' "$scratch"/*.files || fail "man pages are not compressed"
gzip -dc "$scratch/root/usr/share/man/man1/tconv.1.gz" | grep -q '^\.TH' || fail "the page of tconv is empty"
if command -v lintian >/dev/null; then # its warnings; its hints on style are not asked for
    said=$(lintian --tag-display-limit 0 "$build"/*.deb 2>&1 | grep '^[EW]:') && fail "lintian: $said"
fi
! grep -vE 'libtessera.so.0|/copyright$|/changelog.gz$' "$scratch/libtessera0.files" || fail "libtessera0 has other files"
grep -q 'include/tessera/tessera.h$' "$scratch/libtessera-dev.files" || fail "libtessera-dev lacks the header"
! grep -E '/(bin|man)/' "$scratch/libtessera-dev.files" || fail "libtessera-dev has tools"
grep -q 'bin/tconv$' "$scratch/tessera-tools.files" || fail "tessera-tools lacks tconv"
field libtessera-dev Depends | grep -qF "libtessera0 (= $version)" || fail "libtessera-dev depends on $(field libtessera-dev Depends)"
field libtessera0 Depends | grep -q libhdf5 || fail "libtessera0 depends on $(field libtessera0 Depends)"
field tessera-tools Depends | grep -q libhdf5 || fail "tessera-tools depends on $(field tessera-tools Depends)"
dpkg-deb -I "$build"/libtessera0_*.deb shlibs | grep -q 'libtessera 0 libtessera0' || fail "libtessera0 has no shlibs file"
dpkg-deb -I "$build"/libtessera0_*.deb triggers | grep -q 'activate-noawait ldconfig' || fail "libtessera0 does not run ldconfig"
for package in $packages; do field $package Description | head -n 1; done | sort | uniq -d | grep . && fail "packages with the same synopsis"

root=$scratch/root/usr
for tool in "$root"/bin/*; do
    env -i "$tool" --version >/dev/null || fail "$tool does not start"
done
printf '%%%%MatrixMarket matrix coordinate real general\n3 4 2\n1 1 1.5\n3 4 2.5\n' >"$scratch/in.mtx"
env -i "$root/bin/tconv" --quiet "$scratch/in.mtx" --format=csr -o "$scratch/in.h5"
libdir=$(dirname "$(find "$root" -name libtessera.so.0)")
# build LANGUAGE COMPILER SOURCE SAYS
build() {
    # shellcheck disable=SC2046,SC2086
    $2 "$3" -o "$scratch/outside-$1" $(PKG_CONFIG_PATH=$libdir/pkgconfig pkg-config --cflags --libs tessera)
    got=$(env -i LD_LIBRARY_PATH="$libdir" HOME="$scratch" "$scratch/outside-$1" "$scratch/in.h5")
    [ "$got" = "$4" ] || fail "$1: '$got' instead of '$4'"
}
build c "${CC:-cc}" "$here/c/outside.c" '2 values, 40 bytes'
modules=$root/lib/python3/dist-packages
if [[ $packages == *python3* ]] && /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
    field python3-tessera Depends | grep -q 'libtessera0.*python3-numpy' || fail "python3-tessera depends on $(field python3-tessera Depends)"
    got=$(env -i HOME="$scratch" PYTHONPATH="$modules" /usr/bin/python3 -B -c \
        'import sys, tessera as ts; print(ts.read(sys.argv[1]))' "$scratch/in.h5")
    [ "$got" = '<tessera.Tensor 3 x 4, 2 stored values, f64, csr>' ] || fail "python: $got"
fi
if [ -n "${CXX:-}" ]; then build cxx "$CXX -std=c++17" "$here/cxx/outside.cpp" '2 values'; fi
echo "ok $version: $packages"
