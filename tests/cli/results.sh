# ./dev results: a part of the suite, what it rewrites, and what an interrupted run leaves. cmake and the release build's
# tbench are stand-ins: the latter measures a small tensor at once; it is interrupted where the file `stop` names the
# kernel.
mkdir -p tree/cmake tree/build/release/bench tree/build/release/src/tools tree/bench tree/docs tree/results bin
cp "$TSR_SOURCE/dev" tree/
cp "$TSR_SOURCE/bench/paste.py" "$TSR_SOURCE/bench/sums.py" tree/bench/
: >tree/cmake/debian-packages.txt
for page in README.md results/README.md docs/kernels.md; do
    printf 'before\n<!-- results: made by ./dev results -->\nold\n<!-- /results -->\nbehind\n' >"tree/$page"
done
cat >bin/cmake <<'STUB'
#!/bin/sh
exit 0
STUB
cat >tree/build/release/bench/tbench <<'STUB'
#!/usr/bin/env bash
[ "$1" != report ] || exec tbench "$@"
echo "measure $*" | sed 's|--json=[^ ]*/|--json=|' >>"$top/measured"
if [ "$(cat "$top/stop" 2>/dev/null)" = "$1" ]; then
    kill -INT "$PPID"
    exit 130
fi
for arg; do [[ $arg != --json=* ]] || record=$arg; done
exec tbench "$1" --quick --reps=2 --threads=1 --formats=csr "$record" "$top/a.mtx" >/dev/null 2>&1
STUB
printf '#!/bin/sh\necho text\n' >tree/build/release/src/tools/tkern # the sums of docs/kernels.md
chmod +x bin/cmake tree/build/release/bench/tbench tree/build/release/src/tools/tkern
printf '%%%%MatrixMarket matrix coordinate real general\n2 3 2\n1 1 1.5\n2 3 2.5\n' >a.mtx
export PATH=$PWD/bin:$PATH top=$PWD
results() {
    rm -f measured
    tree/dev results "$@" 2>&1 | sed -E 's/: line [0-9]+: 2:/:/' | grep -v -e '^wrote' -e '^tbench: wrote'
    local code=${PIPESTATUS[0]}
    cat measured 2>/dev/null
    return "$code"
}
kernels() { grep -o '^| *[a-z]* ' "$1" | sort -u; }

t results -o ../part spmv residual --baseline=taco=none
t 'ls part | grep -v -e gp$ -e svg$ -e png$'
t kernels part/summary.md
echo residual >stop
t results -o ../stopped spmm residual spmv
t 'ls stopped | grep -v -e gp$ -e svg$ -e png$'
t kernels stopped/summary.md
echo spmv >stop
t results -o ../nothing spmv
t ls nothing
rm stop
t results spmv
t 'sed -e "/^|/d" -e "/ processors, /d" tree/README.md'
t kernels tree/README.md
t 'sed "s/, [0-9.]* |/, MS |/g" tree/docs/kernels.md | head -6'
t results spmx
t results -o
