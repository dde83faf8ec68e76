# shellcheck shell=bash
# Which format: tinfo --advise and tconv --format=auto, with costs and caches from a file, so that all machines say the same.
cat >machine <<'END'
stream-ps: 2000
stream-all-ps: 1200
entry-ps: 250
fiber-ps: 400
vector-ps: 100
second-ps: 400
third-ps: 500
memory-ps: 1500
update-ps: 40
chain-ps: 1400
copy-ps: 500
break-ps: 3000
near-ps: 1000
product-ps: 8000
first-bytes: 32768
second-bytes: 1048576
third-bytes: 16777216
END
export TSR_TUNING=$PWD/machine
# A band of 5 diagonals, and a tensor.
awk 'BEGIN { n = 4000; print "%%MatrixMarket matrix coordinate real general"; print n, n, 5 * n - 6
    for (i = 1; i <= n; i++) for (j = i - 2; j <= i + 2; j++) if (j > 0 && j <= n) print i, j, 1 }' >band.mtx
generate 3 3000 60 50 40 >t.tns
t tconv band.mtx --format=csr -o band.h5 -q
t tinfo band.h5 --advise=spmv --threads=1 --runs=1000
t tinfo band.h5 --advise=spmv --threads=1
t "tinfo band.h5 --advise='y(j) = A(i,j) * x(i)' --threads=2 --runs=1000 --budget=1.1x | head -5"
t "tinfo t.tns --advise=mttkrp --threads=1 --runs=1000 --rank=32 | head -8"
t "tinfo band.h5 --advise=spmv --threads=1 --runs=1000 --json | sed -n '1,8p'"
# Another cost, another answer: rows cost nothing, and the rest is as before.
t "sed 's/^fiber-ps.*/fiber-ps: 1/' machine >other; TSR_TUNING=\$PWD/other tinfo band.h5 --advise=spmv --threads=1 --runs=1000 | grep '^csr\|^dcsr\|> csr'"
# The conversion follows the advice.
t "tconv band.h5 --format=auto --for=spmv --runs=100000 --threads=1 -o best.h5 && tinfo best.h5 --brief | grep '^format'"
t "tconv band.h5 --format=auto --for=spmv --runs=1 --threads=1 -o same.h5 && tinfo same.h5 --brief | grep '^format'"
# Mistakes.
t tconv band.h5 --format=auto -o out.h5
t tconv band.h5 --format=csr --for=spmv -o out.h5
t tinfo band.h5 --advise=spvm
t tinfo band.h5 --advise=
t tinfo band.h5 --advise=spmv,,
t tinfo band.h5 --advise=ttv:5
t tinfo t.tns --advise=spmv
t tinfo band.h5 --runs=10
t tinfo band.h5 --advise=spmv --runs=0
t tinfo band.h5 --advise=spmv --sizes
t tinfo band.h5 --measure
t tconv band.h5 --format=csr --measure -o out.h5
# Measured: the times differ from run to run, so only their places are shown. Both files of errors say the same.
export TSR_ADVICE_ERRORS=$PWD/errors.tsv
measured() { sed -E 's/^> //; s/^(Keep|Choose) [^:]+: of [3-7] .*/CHOICE of several/'; }
t "tinfo band.h5 --advise=spmv --threads=1 --runs=1000 --measure | measured | grep 'format \|CHOICE'"
t "tconv band.h5 --format=auto --for='y(j) = A(i,j) * x(i)' --runs=100000 --measure --threads=1 -o best.h5 2>&1 | grep -c Measured"
t "tinfo t.tns --advise=mttkrp:1 --threads=2 --runs=1000 --rank=5 --measure --json | grep -o '\"measured_run_ns\"' | wc -l | sed 's/^[2-7]$/some/'"
t "cut -f1-6 errors.tsv | uniq | head -4"
t "awk -F'\t' 'NR > 1 && !(\$8 > 0 && \$9 >= 0 && \$10 >= 0 && \$11 > 0 && \$12 > 0 && \$13 ~ /^20.*Z\$/)' errors.tsv"
t "python3 \$TSR_SOURCE/bench/advice.py errors.tsv --errors=again.tsv | grep -c '^| the advisor | 3 '; sed 's/csf:0,1,2/csf/' errors.tsv | sort >one; sort again.tsv >other; cmp one other"
t "TSR_ADVICE_ERRORS=none tinfo band.h5 --advise=spmv --measure --threads=1 >out; wc -l <errors.tsv >one; wc -l <again.tsv | cmp - one"
t "TSR_ADVICE_ERRORS=no/such tinfo band.h5 --advise=spmv --measure --threads=1"
