# shellcheck shell=bash
# ./dev results: a part of the suite, what it rewrites, and what an interrupted run leaves. cmake and the release build's
# tbench are stand-ins: the latter measures a small tensor at once; it is interrupted where the file `stop` names the
# kernel.
mkdir -p tree/cmake tree/build/release/bench/micro tree/bench tree/docs/measurements tree/results bin
cp "$TSR_SOURCE/dev" tree/
cp "$TSR_SOURCE/bench/paste.py" "$TSR_SOURCE/bench/products.py" "$TSR_SOURCE/bench/copies.py" tree/bench/
: >tree/cmake/debian-packages.txt
for page in results/README.md:results results/README.md:summary docs/measurements/kernels.md:products docs/measurements/kernels.md:sums docs/measurements/kernels.md:recycle docs/measurements/kernels.md:copies docs/formats.md:conversions docs/advice.md:advice docs/measurements/plans.md:plans docs/measurements/statements.md:statements docs/measurements/blocks.md:stored docs/measurements/files.md:files docs/measurements/conversions.md:pages; do
    printf 'before\n<!-- %s: made by ./dev results -->\nold\n<!-- /%s -->\nbehind\n' "${page#*:}" "${page#*:}" >>"tree/${page%:*}"
done
cat >bin/cmake <<'STUB'
#!/bin/sh
exit 0
STUB
cat >tree/build/release/bench/tbench <<'STUB'
#!/usr/bin/env bash
[ "$1" != report ] || exec tbench "$@"
echo "measure $*" | sed 's|--json=[^ ]*/|--json=|; s/decide=3[56][0-9]*/decide=HOUR/' >>"$top/measured"
if [ "$(cat "$top/stop" 2>/dev/null)" = "$1" ]; then
    kill -INT "$PPID"
    exit 130
fi
for arg; do [[ $arg != --json=* ]] || record=$arg; done
what=--formats=csr
[ "$1" != convert ] || what=--pairs=csr:csc
tbench "$1" --quick --reps=2 --threads=1 $what "$record" "$top/a.mtx" >/dev/null 2>&1
exit 0 # kernels of order 3 refuse the matrix: they leave no record
STUB
printf '#!/bin/sh\necho "| the sums |"\n' >tree/build/release/bench/micro/bench_sums
printf '#!/bin/sh\necho "| recycled, $1 |"\n' >tree/build/release/bench/micro/bench_recycle
echo 'import os, sys; os.makedirs(sys.argv[1]); print(sys.argv[2:])' >tree/bench/advice_measure.py
echo 'import sys; [open(sys.argv[1] + "/advice." + s, "w") for s in ("svg", "tsv")]; print("| the advice |")' >tree/bench/advice_fit.py
echo 'print("| what the advice takes |")' >tree/bench/advice_claims.py
cat >tree/bench/plans.py <<'STUB'
import sys
given = sorted(arg for arg in sys.argv[1:] if not arg.startswith("--first="))
if "--prepare" in given:
    open("../prepared", "a").write("%s\n" % given[1:])
else:
    open("../prepared", "a").write("measure\n")
    print("| the choices of %s |" % given[1])
    open(given[0].partition("=")[2], "x")  # begun anew
STUB
for name in similar statements blocks stored file_product parts builder; do echo "import sys; print('$name', *sys.argv[1:])" >tree/bench/$name.py; done
export TSR_ADVICE_ERRORS=$PWD/none # not what was measured on this machine
chmod +x bin/cmake tree/build/release/bench/tbench tree/build/release/bench/micro/bench_*
printf '%%%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 1.5\n2 3 2.5\n' >a.mtx
# The commit of a record: what ./dev results writes does not make it dirty, but other changes do.
stamp() { cmake -DSOURCE="$PWD/repository" -DOUTPUT="$PWD/commit.h" -P "$TSR_SOURCE/cmake/BenchCommit.cmake" && sed -E 's/[0-9a-f]{12}/COMMIT/' commit.h; }
commit() { git -C repository -c user.name=A -c user.email=a@example.org -c commit.gpgsign=false "$@" >/dev/null; }
if command -v cmake >/dev/null && command -v git >/dev/null; then
    mkdir -p repository/results repository/docs repository/src
    for file in README.md results/spmv.json docs/kernels.md src/a.c; do echo old >repository/$file; done
    commit init -q && commit add . && commit commit -q -m first
    [ "$(stamp)" = '#define BENCH_COMMIT "COMMIT"' ] || echo "a clean tree: $(stamp)"
    for file in README.md results/spmv.json docs/kernels.md results/new.json src/untracked.c; do echo new >repository/$file; done
    [ "$(stamp)" = '#define BENCH_COMMIT "COMMIT"' ] || echo "with results: $(stamp)"
    echo new >repository/src/a.c
    [ "$(stamp)" = '#define BENCH_COMMIT "COMMIT-dirty"' ] || echo "with a changed source: $(stamp)"
    echo old >repository/src/a.c && echo new >repository/b.c && commit add b.c
    [ "$(stamp)" = '#define BENCH_COMMIT "COMMIT-dirty"' ] || echo "with a new source: $(stamp)"
    rm -r repository/.git && export GIT_CEILING_DIRECTORIES=$PWD
    [ "$(stamp)" = '#define BENCH_COMMIT "unknown"' ] || echo "without a repository: $(stamp)"
fi
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
t 'sed -e "/^|/d" -e "/ processors, /d" tree/results/README.md'
t kernels tree/results/README.md
t cat tree/docs/measurements/kernels.md # nothing was measured with several sparse operands
t results advice --seconds=9
t 'cat tree/docs/advice.md; ls tree/results/advice.*'
t results plans ttv
t results plans ttv
t 'cat prepared tree/docs/measurements/plans.md; ls tree/results/plans.*'
t results statements --runs=2
t 'sed "/ processors, /d" tree/docs/measurements/statements.md; ls tree/results/statements.*'
t results files --runs=2
t 'sed "/ processors, /d" tree/docs/measurements/files.md; ls tree/results/files.*'
t results stored --reps=1
t "cut -d'|' -f2-4 tree/docs/measurements/blocks.md | sed '/ processors, /d'; ls tree/results/stored*"
# the program itself, on small operands: what it prints for some formats, without times
t "python3 \"\$TSR_SOURCE/bench/stored.py\" --quick 'bcsr(4,4)' skylinec | sed -E '/^Slower/d; s/ [0-9.]+(e-?[0-9]+)? [|]/ N |/g'"
t results -s spadd elmul
t "grep -e '^before' -e spadd -e elmul -e '^behind' tree/docs/measurements/kernels.md | cut -d'|' -f1-4"
t results -s convert
t "sed '/ processors, /d' tree/docs/formats.md | cut -d'|' -f2-4"
t results -s -o ../part products innerprod
t "cut -d'|' -f2-4 part/products.md | grep a.mtx"

# The table of made-up times: baselines with one thread, a baseline without samples, a row that was not reproduced, no baseline.
python3 - <<'RECORD' >record.json
import json
versions = {"graphblas": "7.4.0", "scipy": "1.10.1", "taco": "0.1+git 2b8ece4c"}
notes = {"scipy": "runs on one thread", "taco": "taco was ended by signal 11"}
def row(kernel, tensor, threads, name, least, median, noisy=False, flops=0, memory=None):
    return {"memory": memory, "kernel": kernel, "expression": "C(i,j) = A(i,j) + B(i,j)", "dataset": {"name": tensor, "nnz": 250000 if tensor < "b" else 7},
            "mode": None, "rank": None, "type": "f64", "threads": threads, "candidate": name, "version": versions.get(name), "noisy": noisy,
            "note": notes.get(name), "samples_ns": [least] * (least > 0), "stats": {"min_ns": least * 1e6, "median_ns": median * 1e6}, "checked": True, "flops": flops}
rows = [row("spadd", "a:n=2", 1, "tessera", 10, 11), row("spadd", "a:n=2", 1, "graphblas", 20, 55, True),
        row("spadd", "a:n=2", 1, "scipy", 12, 16.5), row("spadd", "a:n=2", 1, "taco", 0, 0),
        row("spadd", "a:n=2", 2, "tessera", 5, 5.5), row("spadd", "a:n=2", 2, "graphblas", 1234, 1300),
        row("spadd", "a:n=2", 2, "scipy", 14, 14.3), row("spadd", "b:n=2", 1, "tessera", 0.001, 0.002),
        row("masked", "a:n=2", 1, "graphblas", 3, 3),
        row("spgemm", "a:n=2", 1, "tessera", 8, 9, flops=10), row("spgemm", "a:n=2", 2, "tessera", 4, 9, flops=10), # ten times the operations
        row("spgemm", "a:n=20", 1, "tessera", 80, 81, flops=101), row("spgemm", "a:n=20", 2, "tessera", 42, 42, flops=101),
        row("spgemm", "b:n=20", 1, "tessera", 80, 81, flops=101), row("spgemm", "b:n=20", 2, "tessera", 42, 42, flops=101)]
def record(rows):
    return json.dumps({"machine": {"cpu": "CPU", "cpus": 2, "compiler": "CC", "version": "Tessera 1", "commit": "c0"}, "rows": rows})
print(record(rows))
# Like beside like: a new result beside those of SciPy, the memory of the last result beside GraphBLAS's; a number is a new result.
use = {"new": ("tessera", 8), "reused": ("tessera", 4), "scipy": ("scipy", 16), "graphblas": ("graphblas", 10)}
rows = [row("spadd", "a:n=2", 1, *use["new"], 8, memory="new result"), row("spadd", "a:n=2", 1, *use["scipy"], 16, memory="new result"),
        row("spadd", "a:n=2", 1, *use["reused"], 4, memory="reused result"), row("spadd", "a:n=2", 1, *use["graphblas"], 12, memory="reused result"),
        row("triangles", "a:n=2", 1, "tessera", 5, 5), row("triangles", "a:n=2", 1, "scipy", 15, 15)]
open("uses.json", "w").write(record(rows))
RECORD
t python3 tree/bench/products.py record.json
t python3 tree/bench/products.py uses.json
# MTTKRP: csf of mode 0 is csf:0,1,2; its copy serves two modes, alto all; ALTO did not run in all modes of b.
python3 - <<'RECORD' >modes.json
import json
def row(tensor, mode, name, form, ms):
    return {"dataset": {"name": tensor, "dims": [4, 5]}, "mode": mode, "rank": 16, "threads": 1, "candidate": name, "format": form, "samples_ns": [1], "stats": {"median_ns": ms * 1e6}}
rows = [row("a", 0, "tessera", "csf", 1), row("a", 0, "tessera", "alto", 3), row("a", 0, "tessera", "coo", 9), row("a", 0, "ALTO", "alto", 4),
        row("a", 1, "tessera", "csf:1,0", 2), row("a", 1, "tessera", "csf:0,1", 8), row("a", 1, "tessera", "alto", 5), row("a", 1, "tessera", "coo", 9),
        row("a", 1, "ALTO", "alto", 4), row("b", 0, "tessera", "csf", 1), row("b", 0, "ALTO", "alto", 4), row("b", 1, "tessera", "csf", 1)]
print(json.dumps({"machine": {"cpu": "CPU", "cpus": 2, "compiler": "CC", "version": "Tessera 1", "commit": "c0"}, "rows": rows}))
RECORD
t python3 tree/bench/copies.py modes.json
t results spmx
t results -o
