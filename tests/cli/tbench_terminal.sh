# shellcheck shell=bash
# terminal.sh for tbench.
ugly_name
printf '%%%%MatrixMarket matrix coordinate real general\n2 3 2\n1 1 1.5\n2 3 2.5\n' >"$ugly.mtx"
plain tbench "$ugly"
plain tbench "--$ugly"
plain tbench spmv "$ugly.none"
plain tbench spmv "$ugly.mtx" --quick --reps=2 --threads=1 --format=csr
plain tbench gen "$ugly" -o x.tns
plain tbench gen uniform "$ugly"
plain tbench compare "$ugly" "$ugly"
plain tbench report "$ugly"
plain tbench fetch "$ugly"
long=$(printf 'A%.0s' {1..40000})
t 'tbench $long'
