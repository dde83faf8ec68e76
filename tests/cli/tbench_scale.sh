# shellcheck shell=bash
# tbench scale: counts are exact (the unit test grid compares them with sets made one by one), seconds follow from assumptions.
export TSR_DATA=$PWD/data
generate 3 300 60 30 20 >in.tns
t tbench scale in.tns --ranks=1,4,16,1000 --rank=4
t tbench scale in.tns --ranks=8 --rows --machine=cores=2,network=1G
tconv in.tns --format=csf -o in.h5 -q
t 'tbench scale in.h5 --ranks=16 --json | grep -E "tensor|kernel|dims|nnz|grid|runs|assumed" | sed "s/balance.*rows_bound/.../; s/, .rows_of.*//"'
printf '%%%%MatrixMarket matrix coordinate real symmetric\n9 9 4\n2 1 1.5\n6 1 2\n3 3 0.1\n9 8 4\n' >half.mtx
t 'tbench scale half.mtx --ranks=3,4 | head -4'
t 'tbench scale uniform:dims=300x200x100,nnz=3000 --ranks=16 -q | head -3'
t tbench scale
t tbench scale none.tns
t tbench scale in.tns --ranks=2,1001
t tbench scale in.tns --ranks=0
t tbench scale in.tns --machine=cores
