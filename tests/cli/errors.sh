# shellcheck shell=bash
# Errors in the input or the job: one sentence with the place, the exit code, and an unchanged old output.
generate 1 6 4 5 6 >in.tns
echo old >out.h5
t tconv nothing.tns -o out.h5
t tconv . -o out.h5
t tconv in.tns -o nowhere/out.h5
t tconv in.tns -o in.tns/out.h5
mkdir folder.h5
t tconv in.tns -o folder.h5
t tconv in.tns -o in.tns
ln -s in.tns link.tns
t tconv in.tns -o link.tns
t tconv link.tns -o in.tns
t tconv in.tns -o ./in.tns --to=tns

# Format texts: a caret shows the place.
t "tconv in.tns -o out.h5 --format='(i, j, k) -> (i : dnse, j : compressed, k : compressed)'"
t "tconv in.tns -o out.h5 --format='(i, j, k) -> (i : dense, j : compressed'"
t "tconv in.tns -o out.h5 --format='(i, j, k) -> (i floordiv 0 : dense, j : compressed, k : compressed)'"
t "tconv in.tns -o out.h5 --format='(i, j, k) -> (i : dense, j : compressed)'"
t "tconv in.tns -o out.h5 --format=dsx 2>&1 | sed 's/formats: .*/formats: .../'"
t "tconv in.tns -o out.h5 --format=ds"
t "tconv in.tns -o out.h5 --format=dss:0,1"
t "tconv in.tns -o out.h5 --format=dss:0,1,1"
t "tconv in.tns -o out.h5 --format=csr"
t "tconv in.tns -o out.h5 --format=qss"
t "tconv in.tns -o out.h5 --format='bcsr(2'"
t "tconv in.tns -o out.h5 --format=''"

# Inputs.
printf '1 1 1.5\n2 x 3\n' >bad.tns
t tconv bad.tns -o out.h5
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 4\n' >bad.mtx
t tconv bad.mtx -o out.h5
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 4\n' >few.mtx
t tconv few.mtx -o out.h5
: >empty.tns
t tconv empty.tns -o out.h5
gzip -c in.tns | head -c 40 >cut.tns.gz
t tconv cut.tns.gz -o out.h5
head -c 300 /dev/zero >zero.h5
t tconv zero.h5 -o out.mtx

# Jobs that cannot be done as asked.
echo '4000000000 4000000000 4000000000 1' >huge.tns
t tconv huge.tns --format=ddd -o out.h5 '2>&1 | sed "s/than the .* that/than the ... that/"'
t tconv in.tns --type=i8 -o out.h5
t tconv in.tns --format=csf --index=8 -q -o small.h5
t tconv huge.tns --format=sss --index=16 -o out.h5
t tconv in.tns -o out.mtx
t cat out.h5
t ls
