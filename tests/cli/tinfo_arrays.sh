# shellcheck shell=bash
# tinfo --json --arrays.
printf '1 1 2 1\n1 1 3 2\n1 4 1 3\n3 2 2 4\n3 2 3 5.5\n3 4 4 6\n' >in.tns
for format in sss dss:1,2,0 ddd suq 'uqq:2,1,0'; do
    t tconv in.tns --format=$format -o x.h5 -q '&& tinfo x.h5 --json --arrays'
done
t tinfo in.tns --json --arrays
# The tensor as another format would hold it, and the places of each entry.
t tinfo in.tns --as=sss --json --arrays --entries
printf '%%%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 1 5\n' >symmetric.mtx
t tinfo symmetric.mtx --as="'bcsr(2,2)'" --json --arrays --entries
t tinfo symmetric.mtx --as=csr --sizes '| head -n 4'
t tinfo symmetric.mtx --as=cssr
t tinfo symmetric.mtx --as=csf
t tinfo symmetric.mtx --as=csr --brief
t tinfo symmetric.mtx --entries --json
printf '%%%%MatrixMarket matrix coordinate complex general\n2 2 2\n1 1 nan -inf\n2 1 1e-7 -0\n' >complex.mtx
t tconv complex.mtx -o x.h5 -q '&& tinfo x.h5 --json --arrays'
printf '%%%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 1 9223372036854775807\n2 1 -9007199254740993\n' >int.mtx
t tconv int.mtx --format=csr -o x.h5 -q '&& tinfo x.h5 --json --arrays'
printf '%%%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 1\n2 1\n' >pattern.mtx
t tconv pattern.mtx --format=csc -o x.h5 -q '&& tinfo x.h5 --json --arrays'
