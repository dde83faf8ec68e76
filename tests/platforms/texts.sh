#!/usr/bin/env bash
# texts.sh TOOLS SCRATCH [PART...]: what a build without the parts (TSR_WITH_PART=OFF) does: it reads and writes plain texts, computes,
# emits C, and names what it lacks.
set -euo pipefail
tools=$1 scratch=$2
shift 2
parts=" $* "
rm -rf "$scratch" && mkdir -p "$scratch" && cd "$scratch"
export PATH=$tools:$PATH LC_ALL=C XDG_CACHE_HOME=$scratch/cache
fail() { echo "texts.sh: without${parts}: $1" >&2; exit 1; }
# refuses WORDS COMMAND...
refuses() {
    local words=$1
    shift
    ! "$@" >said 2>&1 || fail "$* succeeds"
    grep -q -- "$words" said || fail "$*: $(cat said)"
}
lacks() { [[ $parts == *" $1 "* ]]; }
printf '%%%%MatrixMarket matrix coordinate real general\n3 4 4\n1 1 1.5\n1 3 2\n2 2 -4\n3 4 2.5\n' >a.mtx
printf '1 2\n2 3\n3 1\n4 2\n' >x.tns
tconv --quiet a.mtx -o a.tns
tconv --quiet a.tns --dims=3,4 -o b.mtx
tconv --quiet b.mtx -o b.tns
cmp a.tns b.tns || fail "a text does not survive"
tkern 'y(i) = A(i,j)*x(j)' --quiet -f A:csr -i A:a.mtx -i x:x.tns -o y:y.tns 2>said || fail "tkern: $(cat said)"
[ "$(tr '\n' ';' <y.tns)" = "1 5.0;2 -12.0;3 5.0;" ] || fail "y is $(cat y.tns)"
tkern 'y(i) = A(i,j)*x(j)' -f A:csr -o y.c && grep -q 'int y(' y.c || fail "no C is written"
tinfo a.mtx >said || fail "tinfo"
tlayout 'f32[3,5]{1,0:T(2,2)}' 2,3 >said || fail "tlayout"
for part in $parts; do # --version names what is left out
    lacks CONTAINERS && [[ $part =~ ^(HDF5|JANSSON|ZIP|BLOSC|ZSTD|LZ4|BZIP2|LZMA)$ ]] && continue # parts of that part
    [ $part != CURL ] || continue # a part of tbench, which is not there
    tconv --version | grep -qi "without.*$part" || fail "--version does not name $part: $(tconv --version)"
done
if lacks CONTAINERS; then
    printf '\211HDF\r\n\032\n' >a.h5
    refuses "HDF5" tinfo a.h5
    refuses "this build is without.*CONTAINERS" tconv a.mtx -o b.h5
    ! tconv --list-codecs | grep -qE '^ *(npz|h5ad) ' || fail "--list-codecs lists codecs that are left out"
fi
# The kinds of files that need one library, and those beside them that do not.
said="this build of Tessera is without"
needs() { # PART FILE: written and read where the build has the part, else refused
    if lacks "$1"; then
        refuses "$said $1" tconv --quiet a.mtx -o "$2"
    else
        tconv --quiet a.mtx -o "$2" && tconv --quiet "$2" --format=csr -o back.mtx && cmp b.mtx back.mtx || fail "$2 does not survive"
    fi
}
if ! lacks CONTAINERS; then
    if lacks HDF5 || lacks JANSSON; then # Binsparse is HDF5 with JSON
        refuses "$said \(HDF5\|JANSSON\)" tconv --quiet a.mtx -o a.h5
    else
        needs HDF5 a.h5
    fi
    needs HDF5 a.h5ad
    needs JANSSON a.zarr
    printf '\211HDF\r\n\032\n%01000d' 0 >b.h5ad
    ! lacks HDF5 || refuses "$said HDF5" tinfo b.h5ad
    tconv --quiet a.mtx -o a.npz
    if lacks ZIP; then refuses "$said ZIP" tinfo a.npz; else tconv --quiet a.npz -o back.mtx; fi
    for codec in blosc lz4 zstd; do # a store whose chunks are of this codec
        rm -rf z.zarr && mkdir -p z.zarr && printf '{"zarr_format": 2}' >z.zarr/.zgroup
        mkdir z.zarr/a && printf '{"zarr_format": 2, "shape": [2], "chunks": [2], "dtype": "<f8", "compressor": {"id": "%s"}, "fill_value": 0, "order": "C", "filters": null}' \
            "$codec" >z.zarr/a/.zarray
        lacks JANSSON || ! lacks "${codec^^}" || refuses "$said ${codec^^}" tconv --quiet z.zarr:a -o back.mtx
    done
    needs NONE a.mat
    needs NONE a.rds
    ! lacks BZIP2 || { printf 'BZh91AY&SY' >b.rds && refuses "bzip2.*TSR_WITH_BZIP2" tinfo b.rds; }
    ! lacks LZMA || { printf '\375\067zXZ%032d' 0 >b.rds && refuses "xz.*TSR_WITH_LZMA" tinfo b.rds; }
    needs NONE a.petsc
    refused=$(tconv --list-codecs | tail -n 1)
    for part in $parts; do
        [ $part = CURL ] || grep -q "without.*$part" <<<"$refused" || fail "--list-codecs does not name $part: $refused"
    done
fi
if lacks GZIP; then
    printf '\037\213\010\000' >a.tns.gz
    refuses "gzip" tinfo a.tns.gz
fi
! lacks JIT || refuses "compile" tkern 'y(i) = A(i,j)*x(j)' -f A:csr -i A:a.mtx -i x:x.tns --engine=jit -o y:y.tns
! lacks PNG || refuses "PNG\|png" tinfo a.mtx --spy=a.png
! lacks HLO || refuses "HLO\|op" tlayout op a.hlo
echo "without${parts}: texts, kernels and layouts work, and what is missing is named"
