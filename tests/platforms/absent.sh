#!/usr/bin/env bash
# absent.sh SCRATCH ARG...: where no library is found, cmake with these arguments names what the build will be without and goes on; with a
# part that was asked for (ON) it stops. Without gzip there are no containers.
set -euo pipefail
source=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$1
shift
rm -rf "$scratch" && mkdir -p "$scratch"
fail() { tail -n 40 "$scratch/log" >&2; echo "absent.sh: $1" >&2; exit 1; }
configure() { # FOLDER ARG...: as on a system without the libraries; the output in one line
    local folder=$1 status=0
    shift
    PKG_CONFIG_LIBDIR=/none PKG_CONFIG_PATH='' cmake -G Ninja -S "$source" -B "$scratch/$folder" \
        -DCMAKE_DISABLE_FIND_PACKAGE_OpenMP=ON "$@" >"$scratch/log" 2>&1 || status=$?
    tr -s ' \n' ' ' <"$scratch/log" >"$scratch/said"
    return $status
}
says() { grep -qF -- "$1" "$scratch/said" || fail "it does not say: $1"; }
configure some "$@" || fail "cmake stops"
says "built without these parts: OPENMP (libgomp or libomp-16-dev), CURL (libcurl4-openssl-dev), PNG (libpng-dev), HDF5 (libhdf5-dev), "
says "Built without OPENMP HDF5 JANSSON ZIP BLOSC ZSTD LZ4 PNG CURL"
says "tbench is not built: this build is without JANSSON"
says "The tests are not built: this build is without JANSSON"
configure none "$@" -DCMAKE_DISABLE_FIND_PACKAGE_ZLIB=ON || fail "cmake stops without zlib"
says "Built without OPENMP GZIP ISAL CONTAINERS PNG CURL"
! configure asked "$@" -DTSR_WITH_HDF5=ON || fail "cmake goes on without HDF5, which was asked for"
says "TSR_WITH_HDF5=ON was not found: install libhdf5-dev, or leave it out with -DTSR_WITH_HDF5=OFF"
! configure complete "$@" -DTSR_COMPLETE=ON || fail "cmake goes on although everything was asked for"
says "TSR_COMPLETE=ON: install"
! configure gzip "$@" -DCMAKE_DISABLE_FIND_PACKAGE_ZLIB=ON -DTSR_WITH_CONTAINERS=ON || fail "cmake makes containers without gzip"
says "TSR_WITH_CONTAINERS needs TSR_WITH_GZIP"
echo "absent: what is not found is left out in words, or refused where it was asked for"
