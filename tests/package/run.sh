#!/usr/bin/env bash
# run.sh BUILD SCRATCH: install BUILD, move the prefix, and use it from there as others do: the tools start; programs in
# C and in C++ find the library by find_package and by pkg-config, with --static and without.
# Environment: CC, CXX (without it nothing in C++ is tried), TSR_PACKAGE_CFLAGS.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$1 scratch=$2 flags=${TSR_PACKAGE_CFLAGS:-}
prefix=$scratch/moved
fail() { echo "package: $1" >&2; exit 1; }
rm -rf "$scratch" && mkdir -p "$scratch"
cmake --install "$build" --prefix "$scratch/prefix" >"$scratch/install.log"
mv "$scratch/prefix" "$prefix"

# What is there.
for f in bin/tconv bin/tinfo bin/tlayout bin/tkern share/man/man1/{tconv,tinfo,tlayout,tkern}.1 include/tessera/tessera.h \
    share/doc/{libtessera0,libtessera-dev,tessera-tools}/copyright share/doc/libtessera-dev/{CHANGELOG.md,docs/library.md} \
    share/bash-completion/completions/tconv share/fish/vendor_completions.d/tconv.fish share/zsh/site-functions/_tessera; do
    [ -s "$prefix/$f" ] || fail "not installed: $f"
done
# The public headers, and nothing else; a shared library shows what they declare, and nothing else.
headers=$(cd "$prefix/include/tessera" && echo *)
[[ $headers == "tessera.h" || $headers == "tessera.h tessera.hpp" ]] || fail "installed headers: $headers"
shared=$(find "$prefix" -name 'libtessera.so.0')
if [ -n "$shared" ]; then
    nm -D --defined-only "$shared" | awk '$2 != "A" {sub("@.*", "", $3); print $3}' | sort >"$scratch/shown.txt"
    sed -nE 's/^(TESSERA_API|TESSERA_CHECKED) .*[ *](tessera_[a-z0-9_]+)\(.*/\2/p' "$prefix/include/tessera/tessera.h" | sort >"$scratch/declared.txt"
    [ "$(wc -l <"$scratch/declared.txt")" -ge 70 ] || fail "$(wc -l <"$scratch/declared.txt") functions found in tessera.h"
    diff "$scratch/declared.txt" "$scratch/shown.txt" || fail "tessera.h (<) and the symbols of libtessera.so (>) differ"
    soname=$(objdump -p "$shared" | awk '$1 == "SONAME" {print $2}')
    [ "$soname" = libtessera.so.0 ] || fail "soname $soname"
fi
static=$(find "$prefix" -name 'libtessera.a')
core=$(find "$prefix" -name 'libtessera-core.a')
[ -n "$core" ] || fail "not installed: libtessera-core.a"
for library in $static $core; do # a program may have functions of these names
    nm -g --defined-only "$library" | awk 'NF == 3 && $3 !~ /^(tessera_|[.])/ {print $3}' >"$scratch/foreign.txt"
    [ ! -s "$scratch/foreign.txt" ] || fail "names of $library without the prefix tessera_: $(head -n 5 "$scratch/foreign.txt" | paste -sd' ')"
done
# The core touches no file and starts no process: it refers to none of these functions. (fopen reads /proc and /sys.)
readelf -rW "$core" | awk '$1 ~ /^[0-9a-f]+$/ {print $5}' | sort -u >"$scratch/used.txt"
grep -qx malloc "$scratch/used.txt" || fail "the relocations of $core cannot be read"
touching='open(at)?(64)?|creat(64)?|rename(at)?|unlink(at)?|rmdir|mk(dir|stemp|dtemp).*|f?opendir|posix_spawn.*|v?fork|exec.*|system|popen|socket.*|connect'
! grep -xE "$touching" "$scratch/used.txt" || fail "libtessera-core uses these functions"
for file in "$prefix"/bin/* $shared; do
    ! readelf -d "$file" | grep -E 'R(UN)?PATH.*hdf5' || fail "$file looks for libraries in the folder of HDF5"
done
# The links of installed pages lead to installed pages.
(cd "$prefix/share/doc/libtessera-dev" && grep -oE '\]\([^):#]+' ./*.md docs/*.md | sed 's/](//' | while IFS=: read -r page target; do
    [[ $target == http* || -e $(dirname "$page")/$target ]] || fail "$page has a link to $target, which is not installed"
done)
# Nothing that the user's environment says helps the tools to start.
for tool in "$prefix"/bin/*; do
    env -i "$tool" --version >"$scratch/version.txt" || fail "$tool does not start"
    grep -qE '^t[a-z]+ \(Tessera\) [0-9]+\.[0-9]+\.[0-9]+' "$scratch/version.txt" || fail "$tool --version: $(cat "$scratch/version.txt")"
done
printf '%%%%MatrixMarket matrix coordinate real general\n3 4 2\n1 1 1.5\n3 4 2.5\n' >"$scratch/in.mtx"
(cd "$scratch" && env -i PATH=/usr/bin:/bin moved/bin/tconv --quiet in.mtx --format=csr -o in.h5)

# expect NAME LINE COMMAND...: it runs and prints just that.
expect() {
    local name=$1 line=$2 got
    shift 2
    got=$("$@") || fail "$name: exit $?"
    [ "$got" = "$line" ] || fail "$name: '$got' instead of '$line'"
    echo "ok $name: $got"
}
# The Python package finds the library of its prefix.
modules=$prefix/lib/python3/dist-packages
if [ -n "$shared" ] && [ -z "$flags" ] && [ -d "$modules/tessera" ] && /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
    expect "python" "$modules/tessera/__init__.py [1.5, 0.0, 2.5]" env -i HOME="$scratch" PYTHONPATH="$modules" /usr/bin/python3 -B -c \
        'import sys, tessera as ts; print(ts.__file__, (ts.read(sys.argv[1], format="csr") @ ([1.0] * 4)).tolist())' "$scratch/in.mtx"
    expect "python metadata" "$(sed -n 's/^Version: //p' "$(find "$prefix" -name tessera.pc)")" env -i PYTHONPATH="$modules" /usr/bin/python3 -B -c \
        'from importlib.metadata import version; print(version("tessera"))'
fi
# pos 4 x 4, crd 2 x 4, values 2 x 8 bytes
c_says='2 values, 40 bytes'
cxx_says='2 values'

# find_package LANGUAGE SAYS CMAKE-VARIABLE...
by_cmake() {
    local dir=$scratch/cmake-$1
    cmake -G Ninja -S "$here/$1" -B "$dir" -DCMAKE_PREFIX_PATH="$prefix" "${@:3}" >"$dir.configure.log" 2>&1 ||
        { cat "$dir.configure.log"; fail "find_package: $1 does not configure"; }
    cmake --build "$dir" >"$dir.build.log" 2>&1 || { cat "$dir.build.log"; fail "find_package: $1 does not build"; }
    expect "find_package $1" "$2" "$dir/outside" "$scratch/in.mtx" csr
}
by_cmake c "$c_says" ${CC:+-DCMAKE_C_COMPILER="$CC"} -DCMAKE_C_FLAGS="$flags"
if [ -n "${CXX:-}" ]; then by_cmake cxx "$cxx_says" -DCMAKE_CXX_COMPILER="$CXX" -DCMAKE_CXX_FLAGS="$flags"; fi

PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name tessera.pc)")
export PKG_CONFIG_PATH

# A program that embeds the core, where no library but the C compiler's is installed.
cmake -G Ninja -S "$here/core" -B "$scratch/core" -DCMAKE_PREFIX_PATH="$prefix" ${CC:+-DCMAKE_C_COMPILER="$CC"} -DCMAKE_C_FLAGS="$flags" \
    -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON >"$scratch/core.log" 2>&1 && cmake --build "$scratch/core" >>"$scratch/core.log" ||
    { cat "$scratch/core.log"; fail "find_package COMPONENTS core"; }
expect "find_package core" ok "$scratch/core/embedded"
# shellcheck disable=SC2046,SC2086
${CC:-cc} $flags "$here/core/embedded.c" -o "$scratch/embedded" $(PKG_CONFIG_LIBDIR=$PKG_CONFIG_PATH pkg-config --cflags --libs tessera-core)
expect "pkg-config core" ok "$scratch/embedded"
needs=$(readelf -d "$scratch/embedded" | sed -nE 's/.*NEEDED.*\[lib(.*)\.so.*/\1/p' | grep -vxE 'c|m|gomp|omp|pthread|dl' || true)
[ -z "$needs" ] || [ -n "$flags" ] || fail "a program with libtessera-core needs $needs"
libdir=$(pkg-config --variable=libdir tessera)
# A shared library needs no development package of another library.
[ -n "$static" ] || PKG_CONFIG_LIBDIR=$PKG_CONFIG_PATH pkg-config --cflags --libs tessera >"$scratch/flags.txt" || fail "tessera.pc needs other packages"
# by_pkgconfig LANGUAGE SAYS COMPILER SOURCE [OPTION...]: pkg-config's words, as a Makefile would use them.
by_pkgconfig() {
    local out=$scratch/pkg-config-$1 words
    words=$(pkg-config "${@:5}" --cflags --libs tessera)
    # shellcheck disable=SC2086
    $3 $flags "$4" -o "$out" $words || fail "pkg-config ${*:5}: $1 does not link with $words"
    expect "pkg-config ${*:5} $1" "$2" env LD_LIBRARY_PATH="$libdir" "$out" "$scratch/in.mtx" csr
}
for static in "" --static; do
    by_pkgconfig c "$c_says" "${CC:-cc}" "$here/c/outside.c" $static
    if [ -n "${CXX:-}" ]; then by_pkgconfig cxx "$cxx_says" "$CXX -std=c++17" "$here/cxx/outside.cpp" $static; fi
done

# The tests of the public functions, with this library.
for test in tensor file kernel layout context; do
    # shellcheck disable=SC2046,SC2086
    ${CC:-cc} $flags -std=c11 -D_POSIX_C_SOURCE=200809L -pthread "$here/../door/test_door_$test.c" -o "$scratch/test_door_$test" \
        $(pkg-config --cflags --libs tessera) -lcmocka
    mkdir -p "$scratch/door.tmp"
    env LD_LIBRARY_PATH="$libdir" TSR_TMP="$scratch/door.tmp" XDG_CACHE_HOME="$scratch/cache" OMP_WAIT_POLICY=passive \
        "$scratch/test_door_$test" >"$scratch/test_door_$test.log" 2>&1 || { cat "$scratch/test_door_$test.log"; fail "test_door_$test"; }
    echo "ok test_door_$test"
done

# The programs of docs/library.md print what the page says. Each block begins with its file name; a block ```text follows.
page=$scratch/page
mkdir -p "$page"
awk -v dir="$page" '
    /^```(c|cpp)$/ { getline line; name = line; gsub(/[^a-z_.]/, "", name); file = dir "/" name; print line >file; inside = 1; next }
    /^```text$/ { file = dir "/" name ".said"; printf "" >file; inside = 1; next }
    /^```/ { inside = 0; close(file) }
    inside { print >file }' "$here/../../docs/library.md"
printf '%%%%MatrixMarket matrix coordinate real general\n3 4 3\n1 1 1\n1 4 2\n3 2 3\n' >"$page/in.mtx"
nprograms=0
for said in "$page"/*.said; do
    program=$(basename "$said" .said)
    case $program in
    *.cpp) [ -n "${CXX:-}" ] || continue; compiler="$CXX -std=c++17" ;;
    *) compiler="${CC:-cc} -std=c11" ;;
    esac
    # shellcheck disable=SC2046,SC2086
    $compiler $flags -Wall -Wextra -Werror "$page/$program" -o "$page/program" $(pkg-config --cflags --libs tessera)
    (cd "$page" && env LD_LIBRARY_PATH="$libdir" XDG_CACHE_HOME="$scratch/cache" ./program >got) || fail "docs/library.md: $program: exit $?"
    diff "$said" "$page/got" || fail "docs/library.md: $program prints something else (>)"
    nprograms=$((nprograms + 1))
done
[ $nprograms -ge 4 ] || fail "docs/library.md: $nprograms programs found"
echo "ok docs/library.md: $nprograms programs"

# The library's example, on the matrix above (rows add up to 1.5, 0 and 2.5).
# shellcheck disable=SC2046,SC2086
${CC:-cc} $flags -std=c11 -Wall -Wextra -Werror "$here/../../docs/examples/spmv.c" -o "$scratch/spmv" \
    $(pkg-config --cflags --libs tessera)
expect spmv $'x = 1: the sum of A x is 4\nx = 2: the sum of A x is 8' \
    env LD_LIBRARY_PATH="$libdir" XDG_CACHE_HOME="$scratch/cache" "$scratch/spmv" "$scratch/in.mtx"
