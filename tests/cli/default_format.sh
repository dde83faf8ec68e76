# shellcheck shell=bash
# Without --format the source and the target determine the storage format.
printf '%%%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n6\n' >dense.mtx
printf '3 1 2.5\n1 2 1.5\n' >in.tns
t tconv dense.mtx -o dense.h5
t tconv dense.h5 -o - --to=mtx
t tconv in.tns -o coo.h5
t tconv in.tns -o out.tns '&& cmp in.tns out.tns'
t tconv in.tns -o csc.h5 --format=csc
t tconv csc.h5 -o same.h5
t tconv csc.h5 -o other.h5 --format=csr
t tconv csc.h5 -o text.mtx
t cat text.mtx
