#!/usr/bin/env bash
# other_kind.sh SOURCE SCRATCH SHARED: build SOURCE in SCRATCH/build with BUILD_SHARED_LIBS=SHARED, where this build has the other, and
# do all of run.sh with it. The package "hdf5" is a trap here: on Debian it may be HDF5 for MPI, so "hdf5-serial" is asked for.
set -euo pipefail
source=$1 scratch=$2 shared=$3
rm -rf "$scratch" && mkdir -p "$scratch/trap"
if pkg-config --exists hdf5-serial; then
    printf 'Name: hdf5\nDescription: for MPI\nVersion: 1.10.8\nLibs: -lhdf5_of_another_kind\n' >"$scratch/trap/hdf5.pc"
fi
PKG_CONFIG_PATH=$scratch/trap${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH} cmake -G Ninja -S "$source" -B "$scratch/build" \
    ${CC:+-DCMAKE_C_COMPILER="$CC"} -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 -DTSR_TESTS=OFF -DTSR_BENCH=OFF \
    -DTSR_BUILTIN=OFF -DBUILD_SHARED_LIBS="$shared" >"$scratch/configure.log"
cmake --build "$scratch/build" >"$scratch/build.log" || { tail -n 30 "$scratch/build.log"; exit 1; }
exec "$(dirname "$0")/run.sh" "$scratch/build" "$scratch/use"
