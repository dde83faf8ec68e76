# shellcheck shell=bash
# tinfo --ranks: the rows are counted, or for a pipe expected from the slices; the unit test grid compares both with sets made one by one.
generate 3 300 60 30 20 >in.tns
t tinfo in.tns --ranks=16
t 'tinfo in.tns --ranks=16 --rank=4 --machine=cores=4,network=10G,convert=200 | tail -15'
# The same from a packed file, in a format that is read as a whole, and from a pipe.
tinfo in.tns --ranks=16 | sed -n '3,9p' >want
for format in csf 'hicoo(4)' coo; do
    tconv in.tns --format="$format" -o packed.h5 -q
    t "tinfo packed.h5 --ranks=16 | sed -n '3,9p' | diff want -"
done
t "cat in.tns | tinfo - --ranks=16 | sed -n '3,9p'"
# A symmetric matrix counts as a whole.
printf '%%%%MatrixMarket matrix coordinate real symmetric\n9 9 4\n2 1 1.5\n6 1 2\n3 3 0.1\n9 8 4\n' >half.mtx
tconv half.mtx -o whole.tns -q
t 'tinfo half.mtx --ranks=6 | head -14'
t 'tinfo whole.tns --ranks=6 --dims=9,9 | sed -n "3,13p" >want; tinfo half.mtx --ranks=6 | sed -n "3,13p" | diff want -'
t 'tinfo half.mtx --ranks=4 --rank=3 --json | grep -E "file|nnz\"|kernel|columns|grid|assumed"'
t tinfo half.mtx --ranks=0
t tinfo half.mtx --rank=2
t tinfo half.mtx --machine=cores=2
t tinfo half.mtx --ranks=2 --machine=core=2
t tinfo half.mtx --ranks=2 --machine=network=0
t tinfo half.mtx --ranks=2 --brief
printf '3 1.5\n' >vector.tns
t tinfo vector.tns --ranks=2
printf '9000000000000000000 1 1\n' >long.tns
t "tinfo long.tns --ranks=2 2>&1 | sed 's/more than .*/more than .../'"
