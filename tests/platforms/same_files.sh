#!/usr/bin/env bash
# same_files.sh NATIVE OTHER SCRATCH EMULATOR...: the tools in the folder OTHER, which EMULATOR runs ("" for none), read, convert, pack and
# compute as those of the folder NATIVE do: files byte for byte, texts and results of kernels too.
set -euo pipefail
native=$1 other=$2 scratch=$3
shift 3
files=$(cd "$(dirname "$0")/../files/good" && pwd)
rm -rf "$scratch" && mkdir -p "$scratch"/native "$scratch"/other
export LC_ALL=C OMP_WAIT_POLICY=passive TSR_TUNING=none XDG_CACHE_HOME=$scratch/cache TSR_CC=/none
n=0
# both WHAT TOOL ARGUMENT...: run the tool of both builds, each in its folder; output and exit code must be the same.
both() {
    local what=$1 tool=$2 a=0 b=0
    shift 2
    (cd "$scratch/native" && "$native/$tool" "$@" >said 2>&1) || a=$?
    (cd "$scratch/other" && "${emulator[@]}" "$other/$tool" "$@" >said 2>&1) || b=$?
    if [ $a != $b ] || ! diff -u "$scratch/native/said" "$scratch/other/said"; then
        echo "$what: $tool $*: exit $a here, $b there" >&2
        exit 1
    fi
    if [ $a != 0 ] && [ "$what" != read ]; then
        echo "$what: $tool $*: exit $a: $(cat "$scratch/native/said")" >&2
        exit 1
    fi
    n=$((n + 1))
}
# same FILE: what both wrote.
same() {
    cmp "$scratch/native/$1" "$scratch/other/$1" || { echo "$1 differs" >&2; exit 1; }
}
emulator=("$@")
ints() { # ROWS COLUMNS ENTRIES: a matrix of small integers
    awk -v r="$1" -v c="$2" -v n="$3" 'BEGIN {for (s = 1; k < n; k++) {s = (s * 16807) % 2147483647; i = s % r; s = (s * 16807) % 2147483647
        if (!((i, s % c) in seen)) {seen[i, s % c] = 1; print i + 1, s % c + 1, s % 9 - 4}}}'
}
for side in native other; do
    ints 300 400 2000 >"$scratch/$side/m.tns"
    awk 'BEGIN {for (i = 1; i <= 400; i++) print i, i % 5 - 2}' >"$scratch/$side/x.tns"
    ints 300 400 2000 | awk '{print $1, $2, ($1 * $2) % 7 + 1, $3}' >"$scratch/$side/t.tns"
done
# Every text of the tests is read alike, or refused in the same words.
for file in "$files"/*; do
    [ -f "$file" ] || continue
    both read tconv --quiet "$file" -o read.tns
    [ ! -e "$scratch/native/read.tns" ] || same read.tns
    rm -f "$scratch"/{native,other}/read.tns
done
# Each format is packed, each kind of file written and read back.
for format in coo csr csc dcsr 'bcsr(2,3)' dia 'sell(8)' dd; do
    both pack tconv --quiet m.tns --format="$format" -o packed.h5
    same packed.h5
    both unpack tconv --quiet packed.h5 -o back.tns
    same back.tns
done
for format in csf 'hicoo(128)' 'alto'; do
    both pack tconv --quiet t.tns --format="$format" -o packed.h5
    same packed.h5
done
for name in m.mtx m.mtx.gz m.csv m.npz m.h5ad m.mat m.rds m.zarr.zip m.petsc; do
    both write tconv --quiet m.tns -o "$name"
    [ ! -e "$scratch/native/$name" ] || same "$name"
    both back tconv --quiet "$name" -o "back.tns"
    [ ! -e "$scratch/native/$name" ] || same back.tns
done
# Kernels, built in and interpreted; small integers, so that each order of additions gives the same numbers.
for engine in builtin interpreter; do
    both spmv tkern 'y(i) = A(i,j)*x(j)' --quiet --type=f64 --engine=$engine -i A:m.tns -f A:csr -f x:d -i x:x.tns -o y:y.tns
    same y.tns
done
both spgemm tkern 'C(i,j) = A(i,k)*B(j,k)' --quiet -f A:csr -f B:csr -f C:csr -i A:m.tns -i B:m.tns -o C:C.tns
same C.tns
both ttv tkern 'A(i,j) = B(i,j,k)*x(j)' --quiet -f B:csf -i B:t.tns -f x:d -i x:x.tns -o A:A.tns
same A.tns
# Layouts.
both layout tlayout 'f32[3,5]{1,0:T(2,2)}' 2,3
both layout tlayout convert '((4,2),(4,3)):((4,16),(1,32))' --to=map
both version tkern --list-kernels
echo "$n commands have the same outputs and files"
