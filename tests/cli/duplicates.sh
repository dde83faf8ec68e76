# shellcheck shell=bash
# Duplicates: several entries in one cell.
printf '1 1 1\n2 2 10\n1 1 2\n3 1 5\n1 1 4\n2 2 20\n' >in.tns
for rule in sum first last error; do
    t tconv in.tns --format=csr --duplicates=$rule -o out.tns '&& cat out.tns'
done
t tconv in.tns --format=csr --duplicates=keep -o out.tns
t tconv in.tns --format=coodup --duplicates=keep -o out.tns '&& cat out.tns'
t tconv in.tns --format=coodup -o out.tns '&& cat out.tns'
# Text to text copies them, unless a rule is given.
t tconv in.tns -o out.tns '&& cmp in.tns out.tns'
t tconv in.tns --duplicates=sum -o out.tns '&& cat out.tns'
t tconv in.tns --duplicates=keep -o out.tns '&& cmp in.tns out.tns'
# To HDF5 they are summed.
t tconv in.tns -o out.h5
t tconv in.tns --duplicates=error -o out2.h5
t ls
# An integer sum that overflows is refused.
printf '%%%%MatrixMarket matrix coordinate integer general\n1 1 2\n1 1 9223372036854775807\n1 1 1\n' >big.mtx
t tconv big.mtx -o big.h5
t tconv big.mtx --duplicates=last -o big.tns '&& cat big.tns'

# Duplicates of GraphBLAS's bool: one entry in a pattern; with a 0 among the values they are numbers.
for last in 1 0; do
    printf '%%%%MatrixMarket matrix coordinate integer general\n%%%%GraphBLAS type bool\n3 1 4\n1 1 1\n2 1 %s\n3 1 1\n3 1 1\n' $last >bool.mtx
    t tconv bool.mtx -f csr -o bool.h5 -q
    t tconv bool.h5 -o - --to=mtx -q
done
t tconv bool.mtx -f csr -o bool.h5 --duplicates=error
