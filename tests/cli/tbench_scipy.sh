# shellcheck shell=bash
# SciPy, and what any baseline that is a program may do. ./fake stands for a python3 that has SciPy: it says it has, speaks the protocol of
# bench/baselines/README.md, and has the result 0, which is right for zero.tns.
export XDG_CACHE_HOME=$PWD/cache TMPDIR=$PWD/tmp
command -v tbench >/dev/null || skip "built without tbench"
mkdir tmp
generate 2 30 12 10 >m.tns
sed -E 's/[^ ]+$/0/' m.tns >zero.tns
cat >fake <<'END'
#!/bin/sh
[ "$1" = -c ] && { echo 9.9; exit; }
echo $$ >child
n=0
echo ready 1000000 2000 9.9
while c=$(dd bs=1 count=1 2>/dev/null) && [ "$c" ]; do
    case $c in
    r) n=$((n + 1))
        [ $n = "$DIES_AT" ] && { echo no more >&2; exit 7; }
        [ $n = "$HANGS_AT" ] && { touch hanging; sleep 60; }
        echo ran 1000000 ;;
    o) echo done ;;
    s) printf '\377\377\377\377\377\377\377\377' ;; # the result is dense
    w) head -c 96 /dev/zero ;;
    esac
done
END
chmod +x fake
quick="--quick --threads=1 --reps=3 --format=csr"
# The first word of rows.
bare() { sed -E '/^(format|csr|scipy) +([0-9]|pack)/s/ .*//; /^~: the fastest run/d; /^>100%/d'; }
t "tbench spmv zero.tns $quick --baseline=scipy=./fake --json=r.json | bare"
t "grep -Eo '\"candidate\":\"scipy\".*\"version\":\"9.9\",\"bytes\":2000,\"pack_ns\":1000000' r.json | sed 's/,.*,\"version/ ... \"version/'"
t "tbench spmv zero.tns --quick --threads=2 --reps=1 --format=csr --baseline=scipy=./fake | bare"
# Its answer is wrong; it dies when it is tried, and in the middle of the rounds; it is not there; it does not take the kernel.
t "tbench spmv m.tns $quick --baseline=scipy=./fake | bare | sed 's/ is 0,.*/ .../'"
t "tbench spmv m.tns $quick --baseline=scipy=./fake >/dev/null"
t "DIES_AT=1 tbench spmv zero.tns $quick --baseline=scipy=./fake | bare"
t "DIES_AT=4 tbench spmv zero.tns $quick --baseline=scipy=./fake | bare"
t "tbench spmv zero.tns $quick --baseline=scipy=/bin/false --json=r.json | bare"
t "tbench report r.json | grep '^| zero.tns | scipy'"
t "tbench spmv zero.tns $quick --baseline=scipy=/nonexistent/python3 | bare"
t "tbench sddmm m.tns $quick --baseline=scipy=./fake | bare"
t "tbench spmv m.tns $quick --type=f32 --baseline=scipy=./fake | bare"
t "tbench spmv m.tns --baseline=eigen=/usr/lib"
t "tbench list | grep -c '^  scipy '"
# Ctrl-C while it runs: what was measured is told; neither the child nor anything of ours is left.
if env --default-signal=INT true 2>/dev/null; then
    HANGS_AT=4 env --default-signal=INT tbench spmv zero.tns $quick --baseline=scipy=./fake --json=i.json >said 2>&1 &
    run=$!
    for _ in $(seq 600); do [ -e hanging ] && break; sleep 0.1; done
    kill -INT $run
    wait $run
    echo "exit $?"
    bare <said
    grep -o '"interrupted": *true' i.json
    kill -0 "$(cat child)" 2>/dev/null && echo "the child lives on"
    t "ls -A tmp"
fi
# SciPy itself, where there is one.
if tbench list | grep -A 1 '^  scipy ' | grep -q found; then
    for kernel in spmv spmm mattransmul residual spadd spadd3 elmul; do
        tbench $kernel m.tns --quick --threads=2 --reps=1 --rank=4 --format=csr --baseline=scipy >said || cat said
        grep -Eq '^scipy +[0-9]' said && grep -q '^scipy: runs on one thread$' said || cat said
    done
    ls -A tmp
fi
