# shellcheck shell=bash
# The warning of a busy machine, with waiting that is told to tbench instead of measured; --quick does not warn.
printf '%%%%MatrixMarket matrix coordinate real general\n2 3 2\n1 1 1.5\n2 3 2.5\n' >a.mtx
measure() {
    TSR_BENCH_WAITS=$1 tbench spmv a.mtx --formats=csr --reps=2 --threads=1 "${@:2}" 2>&1 |
        grep warning | sed -E 's/ \(load [0-9.]+ on [0-9]+ processors\)//' # the load is not POSIX's
}
t measure all
t measure none
t measure all --quick
