# shellcheck shell=bash
# What every writer writes, byte for byte: the checksums of files of fixed tensors. A change here changes files of users: say why in
# the commit. Chunks and members that are compressed depend on the version of libdeflate.
generate 7 900 60 50 >m.tns
generate 8 600 20 15 12 >t.tns
awk '{ print $1, $2, NR % 9 - 4 }' m.tns >i.tns
awk '{ print $1, $2 }' m.tns >p.tns
printf '%%%%MatrixMarket matrix coordinate complex general\n4 5 3\n1 2 1.5 -2\n4 4 0 1e-3\n3 5 7 8\n' >c.mtx
printf '%%%%MatrixMarket matrix coordinate real symmetric\n4 4 3\n2 1 1.5\n3 3 -2\n4 2 0.25\n' >s.mtx
seq 1 60 | sed 's/^/row/' >rows
seq 1 50 | sed 's/^/column/' >columns
sum() { # sum OUT ARGUMENT...: convert, and print the checksum of OUT, a file or a folder with the names in it
    local out=$1 file=${1%%:*}
    shift
    tconv "$@" -o "$out" -q 2>&1 | sed 's/^/    /'
    printf '%s  %s  %s\n' "$({ if [ -d "$file" ]; then (cd "$file" && find . -type f | LC_ALL=C sort | xargs sha256sum); else cat "$file"; fi; } |
        sha256sum | cut -c1-16)" "$out" "$*"
}
for format in coo csr csc dcsr dcsc ell 'bcsr(2,5)' 'hicoo(16)' dd ds:1,0 'sell(8)'; do
    sum out.h5 m.tns "--format=$format"
    sum out.h5 m.tns "--format=$format" --deflate=3
done
for format in coo csf csf:2,0,1 dss ddd sds 'alto' 'hicoo(8)'; do
    sum out.h5 t.tns "--format=$format"
done
for in in i.tns p.tns c.mtx s.mtx; do
    for out in out.h5 out.npz out.mat out.mtx out.tns out.csv; do
        options=
        [ $in = p.tns ] && options=--no-values
        sum $out $in $options
    done
done
sum out.h5 s.mtx --keep-symmetry
sum out.h5 m.tns --names=rows:0 --names=columns:1
rm out.h5
sum out.h5:a/b m.tns --format=csc
sum out.h5:c t.tns --format=csf
for format in csr csc coo 'bcsr(2,5)' dd; do
    sum out.npz m.tns "--format=$format"
    sum out.npz m.tns "--format=$format" --deflate=5
done
sum out.npz t.tns
sum out.npy m.tns --format=dd
sum out.npy t.tns --format=ddd:2,1,0
for format in csr csc; do
    sum out.h5ad m.tns "--format=$format"
    sum out.h5ad m.tns "--format=$format" --deflate=4
    sum out.h5ad m.tns "--format=$format" --names=rows:0 --names=columns:1
    sum out.10x.h5 i.tns "--format=$format"
    sum out.10x.h5 i.tns "--format=$format" --names=rows:0 --names=columns:1
done
sum out.h5ad:layers/counts i.tns
for version in 7 7.3; do
    rm -f out.mat
    sum out.mat:Counts m.tns --mat-version=$version
    sum out.mat m.tns --format=dd:1,0 --mat-version=$version
    sum out.mat c.mtx --mat-version=$version
    sum out.mat p.tns --no-values --mat-version=$version
done
for in in m.tns c.mtx; do
    sum out.petsc $in
    sum out.rb $in
done
for out in out.bin out.tns out.csv out.tsv out.tns.gz out.mtx; do
    sum $out t.tns
done
for out in out.svm out.mtx.gz out.tsv out.ttx; do
    sum $out m.tns
done
for zarr in --zarr-version=2 --zarr-version=3 --zarr-shards=2; do
    for out in out.zarr out.zarr.zip out.bsp.zarr out.bsp.zarr.zip; do
        rm -rf $out
        sum $out m.tns --format=csr $zarr
    done
    rm -rf out.zarr out.bsp.zarr
    sum out.zarr m.tns --format=csc $zarr --deflate=4 --names=rows:0 --names=columns:1
    sum out.zarr:layers/counts i.tns $zarr
    sum out.bsp.zarr t.tns --format=csf $zarr
    sum out.bsp.zarr:more/u t.tns $zarr
done
sum out.bsp.npz m.tns --format=csc
sum out.bsp.npz t.tns --format=csf --deflate=3
for in in m.tns i.tns; do
    sum out.rds $in
done
sum out.rds p.tns --no-values
