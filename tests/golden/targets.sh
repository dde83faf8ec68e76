#!/usr/bin/env bash
# targets.sh TKERN TMP: what `tkern --target=PROCESSOR` writes for the statements below has instructions of that processor alone, and
# compiles for it without a warning. A processor whose compiler is missing is named and not compiled for.
set -uo pipefail
export TSR_TUNING=none LC_ALL=C
tkern=$1 tmp=$2
rm -rf "$tmp" && mkdir -p "$tmp" && cd "$tmp" || exit 1
bad=0
fail() { echo "targets: $1"; bad=1; }
machine=$(uname -m)

# compiler ARCH: sets `cc` to the compiler for the processor, or to nothing
compiler() {
    cc=$1-linux-gnu-gcc
    [ "$1" != "$machine" ] || cc=cc
    echo '#include <stdlib.h>' >try.c
    "$cc" -c try.c -o try.o 2>/dev/null || cc=
}
# write NAME EXPRESSION ARGUMENT...: the text for the target
write() {
    local name=$1
    shift
    "$tkern" "$@" --threads=2 --quiet --target="$target" -o "$name.c" || { fail "$target: $name is not written"; return; }
    grep -q "^ \* Compile with: cc -O3 $flag " "$name.c" || fail "$target: $name.c does not name $flag"
    ! grep -E '^#if.*(__AVX|__BMI|__x86_64__)|#ifdef __AVX' "$name.c" || fail "$target: $name.c asks for the processor"
    case $target in
    x86-64-v4) ! grep -q 'builtin_ia32_pext' "$name.c" || uses="$uses pext" ;;
    x86-64-v3) ! grep -q 'builtin_ia32_pext' "$name.c" || uses="$uses pext"
        ! grep -E 'wide_|immintrin' "$name.c" || fail "$target: $name.c uses AVX-512" ;;
    *) ! grep -E 'wide_|immintrin|builtin_ia32' "$name.c" || fail "$target: $name.c uses instructions of another processor" ;;
    esac
    ! grep -q 'wide16' "$name.c" || uses="$uses AVX-512"
    [ -z "$cc" ] || "$cc" -std=c11 -Wall -Wextra -Wno-psabi -Werror -O1 "$flag" -fopenmp -c "$name.c" -o "$name.o" || fail "$target: $name.c does not compile"
}
while read -r target arch flag needs; do
    uses=
    compiler "$arch"
    [ -n "$cc" ] || echo "not compiled for $target: there is no $arch-linux-gnu-gcc with the headers of its C library"
    csr=(-f A:csr -f B:csr -f C:csr -d A:1000003,500009)
    write spmv 'y(i) = A(i,j)*x(j)' -f A:csr -d A:1000003,500009 --vectors
    write mttkrp 'A(i,r) = B(i,j,k)*C(j,r)*D(k,r)' -f B:csf -d B:100003,60013,2003 -d r:16 --vectors
    write alto 'A(i,r) = B(i,j,k)*C(j,r)*D(k,r)' -f B:alto -d B:1003,613,203 -d r:16 --vectors
    write sum 'C(i,j) = A(i,j) + B(i,j)' "${csr[@]}" -d B:1000003,500009
    write product 'C(i,j) = A(i,k)*B(k,j)' "${csr[@]}" -d B:500009,700001
    for use in $needs; do
        [[ " $uses " == *" $use "* ]] || fail "$target: no text uses $use"
    done
done <<'END'
x86-64-v2 x86_64 -march=x86-64-v2
x86-64-v3 x86_64 -march=x86-64-v3 pext
x86-64-v4 x86_64 -march=x86-64-v4 pext AVX-512
armv8-a aarch64 -march=armv8-a
neoverse-v1 aarch64 -mcpu=neoverse-v1
END
# A library, and what --check says of it.
target=neoverse-v1
compiler aarch64
if [ -n "$cc" ]; then
    "$tkern" --emit=library -o fast.c -e 'spmv: y(i) = A(i,j)*x(j); A:csr' -e 'sum: C(i,j) = A(i,j)+B(i,j); A:csr; B:csr; C:csr' \
        --target=$target --check || fail "--check of a library for $target"
    ! grep -qE 'wide_|__AVX' fast.c || fail "a library for $target uses AVX"
fi
# What such a text computes, where the processor can be emulated: y = A x and the MTTKRP of one entry.
command -v qemu-aarch64-static >/dev/null || echo "not run for $target: there is no qemu-aarch64-static"
if [ -n "$cc" ] && command -v qemu-aarch64-static >/dev/null; then
    cat >run.c <<'END'
#include <stdio.h>
#include "arm.h"
int main(void)
{
    const uint32_t pos[] = {0, 2, 2, 5}, crd[] = {0, 2, 1, 2, 3};
    const double A[] = {1, 2, 3, 4, 5}, x[] = {1, 2, 3, 4};
    double y[3];
    if (spmv(2, 3, y, pos, crd, A, x))
        return 1;
    printf("%g %g %g\n", y[0], y[1], y[2]);
    return 0;
}
END
    "$tkern" --emit=library -o arm.c -e 'spmv: y(i) = A(i,j)*x(j); A:csr' --target=$target &&
        "$cc" -O3 -mcpu=neoverse-v1 -static -DTESSERA_ALONE arm.c run.c -o run || fail "no program for $target"
    said=$(qemu-aarch64-static -cpu max ./run) || fail "the program for $target fails"
    [ "$said" = "7 0 38" ] || fail "the program for $target says $said"
fi
if [ "$machine" = x86_64 ]; then # a compiler that refuses is an error of the input
    printf '#!/bin/sh\nprintf "kernel.c:1:1: error: no\\n" >&2\nexit 1\n' >refuses && chmod +x refuses
    code=0
    TSR_CC=$PWD/refuses "$tkern" 'y(i) = A(i,j)*x(j)' -f A:csr --target=x86-64-v2 --check -o y.c 2>said || code=$?
    [ $code = 1 ] && grep -q 'rejects the text: no' said || fail "a compiler that refuses: exit $code: $(cat said)"
fi
! "$tkern" 'y(i) = A(i,j)*x(j)' -f A:csr --target=x86-64-v2 --time 2>said || fail "--target with --time runs"
grep -q 'may not run' said || fail "--target with --time: $(cat said)"
exit $bad
