# shellcheck shell=bash
# A matrix without entries keeps its size and type in every kind of file, or a warning says what is lost: Rutherford-Boeing lost
# the type, CSV the size without a word. The same for a size that the entries of a CSV do not tell.
printf '%%%%MatrixMarket matrix coordinate real general\n3 4 0\n' >e.mtx
printf '%%%%MatrixMarket matrix coordinate real general\n3 4 1\n2 4 1.5\n' >one.mtx
for to in rb mat petsc npz; do
    t "tconv e.mtx -q -o e.$to && tconv e.$to --to=mtx -q -o -"
done
t "tconv e.mtx -o e.csv 2>&1 | grep warning; tconv e.csv --dims=3,4 --to=mtx -q -o -"
t "tconv one.mtx -o one.tsv 2>&1 | grep warning; tconv one.tsv --dims=3,4 --to=mtx -q -o -"
printf '%%%%MatrixMarket matrix coordinate real general\n2 4 1\n2 4 1.5\n' >told.mtx
t "tconv told.mtx -o told.csv 2>&1 | grep warning"
