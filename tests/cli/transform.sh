# shellcheck shell=bash
# Transformations: their output, their order, and every error.
printf '1 1 1 1\n1 2 3 2\n2 3 4 3\n2 1 2 0\n' >in.tns
show() { t tconv in.tns -o - --to=tns --dims=2,3,4 "$@"; }
show --transpose=2,0,1
show --transpose=-1,0,1
show --slice=:,1:,::-1
show --slice=-1
show "--slice=...,0:4:2"
show --reverse=1,2
show --pad=1:0,0,0:1
show --pad=0:0:1
show --reshape=4,-1
show --unfold=1
show --reduce=sum:2
show --reduce=sum:0,-1
show "--map='(d0, d1, d2) -> (d1 + d2, d0)'"
show "--map='(i, j, k) -> (i, k), domain: i in [0, 0], j - k in [0, 5]'"

# In the order given.
show --slice=0 --transpose=1,0
show --transpose=2,1,0 --slice=0

# Tables: line i is the index that moves to place i. All modes of a square matrix alike.
printf '2\n0\n1\n' >p3
show --permute-by=p3:1
printf '1 1 5\n1 2 6\n3 3 7\n' >square.tns
t tconv square.tns -o - --to=tns --permute-by=p3
t "tconv square.tns -o - --to=tns --permute-by=- -q <p3"
printf '# comment\n2\n\n0\n1\n' | gzip >p3.gz
t tconv square.tns -o - --to=tns --permute-by=p3.gz:-1 -q

# Another file, symmetric or packed too; several.
t tconv square.tns -o - --to=tns --concat=square.tns,0 -q
printf '%%%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n1 1 1\n3 2 4\n' >sym.mtx
t tconv square.tns -o - --to=tns --concat=sym.mtx,1 -q
t tconv sym.mtx -o sym.h5 --format=csr -q
t tconv square.tns -o - --to=tns --concat=sym.h5,1 --concat=square.tns,-1 -q

# Entries that meet.
printf '1 1 2\n1 1 3\n1 2 4\n' >twice.tns
t tconv twice.tns -o - --to=tns --reduce=sum:1 -q
for rule in first last error keep; do
    t tconv twice.tns -o - --to=tns --reduce=sum:1 --duplicates=$rule -q
done
t tconv twice.tns -o - --to=tns "--map='(i, j) -> (i)'" --duplicates=last -q
t tconv twice.tns -o - --to=tns --transpose=1,0 -q
t tconv twice.tns -o scalar.h5 --reduce=sum
t tconv twice.tns -o - --to=tns --reduce=max:1 -q
t tconv twice.tns -o - --to=tns --reduce=max:1 --duplicates=last -q
t tconv twice.tns -o - --to=tns --reduce=min:1 --duplicates=keep --dims=1,3 -q
printf '1 1 nan\n1 2 -1\n2 1 0.5\n2 2 0.25\n3 1 -7\n' >reals.tns
t tconv reals.tns -o - --to=tns --reduce=min:1 -q
t tconv reals.tns -o - --to=tns --reduce=max:-1 -q
t "tconv reals.tns -o min.h5 --type=f32 --slice=1: --reduce=min -q; tinfo min.h5 --json --arrays | grep values"
t tconv reals.tns -o - --to=tns --type=c128 --reduce=max:1
t tconv in.tns -o - --to=tns --slice=:,0:0 --reduce=max:1
t tinfo scalar.h5 --json --arrays "| grep values"
printf '1 1\n1 2\n' >pattern.tns
t tconv pattern.tns --no-values -o - --to=tns --reduce=sum:1
t tconv pattern.tns --no-values --type=i64 -o - --to=tns --reduce=sum:1 -q

# The format of a packed file, when it suits.
t tconv in.tns --dims=2,3,4 -o in.h5 --format=dss:1,0,2 -q
t tconv in.h5 -o out.h5 --transpose=2,1,0
t tconv in.h5 -o out.h5 --slice=0
t tconv in.h5 -o out.h5 --slice=0 --format=csr --verify

# Symmetric matrices.
t tconv sym.mtx -o - --to=tns --transpose=1,0 -q
t tconv sym.mtx -o - --to=tns --keep-symmetry --slice=0:2
t tconv square.tns -o - --to=tns --keep-symmetry --slice=0:2 -q

# Dims.
t tconv in.tns -o - --to=tns --dims=4294967296,4294967296,4 --unfold=0 -q
t tconv in.tns -o - --to=tns --dims=4294967296,4294967296,4 --unfold=0,1
t tconv in.tns -o - --to=tns --slice=5: -q
t tconv in.tns -o - --to=tns --pad=9223372036854775807

# Mistakes.
show --transpose=0,1
show --transpose=0,1,1
show --transpose=0,1,3
show --transpose=0,x,1
show --transpose=
show --reverse=0:1
show --slice=0:1:0
show --slice=0,5
show --slice=0,0,0,0
show --slice=...,0,...
show --slice=0::2:3
show --slice=99999999999999999999
show --pad=1,2
show --pad=-3,0,0
show --pad=0:0:-1
show --reshape=5,5
show --reshape=-1,-1
show --reshape=5,-1
show --reshape=2,-3
show --reduce=mean:1
show --reduce=sum:7
show --permute-by=p3:0
show --permute-by=p3:2
show --permute-by=p3
show --permute-by=nothing:1
printf '0\n0\n2\n' >bad; show --permute-by=bad:1
printf '0\n1\n3\n' >bad; show --permute-by=bad:1
printf '0\n1 2\n2\n' >bad; show --permute-by=bad:1
show --concat=in.tns
show --concat=nothing.tns,0
show --concat=square.tns,0
show --concat=in.tns,3
printf '2 3 4 0.5\n' >half.tns; show --concat=half.tns,0
printf '2 3 5 1\n' >long.tns; show --concat=long.tns,0
t tconv in.tns -o - --to=tns --dims=9223372036854775807,3,4 --concat=in.tns,0
show --concat=in.tns,0
show --concat=in.tns,0 --type=f64
show "--map='(d0, d1) -> (d0)'"
show "--map='(d0, d1, d2) -> (d0'"
show "--map='(d0, d1, d2)[s0] -> (d0)'"
show "--map='(d0, d1, d2) -> (d0 - d2)'"
show "--map='(d0, d1, d2) -> (d0 - d2), domain: d0 - d2 in [0, 9]'" -q
t "cat in.tns | tconv - -o - --to=tns --concat=-,0"
# The modes of a packed file are permuted without coordinates; the file is the same as from a text, byte for byte.
generate 2 60 9 14 >packed.tns
for stored in csr coo 'bcsr(2,3)' dense 'hicoo(4)'; do
    tconv -q packed.tns -f "$stored" -o packed.h5
    for wanted in "$stored" csr csc coo:1,0; do
        tconv -q packed.h5 --transpose=1,0 -f "$wanted" -o direct.h5
        tconv -q packed.tns --transpose=1,0 -f "$wanted" -o coordinates.h5
        cmp direct.h5 coordinates.h5 && echo "$stored transposed to $wanted: the same"
    done
done
