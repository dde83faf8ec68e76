# shellcheck shell=bash
# tbench KERNEL: formats side by side on small tensors. Numbers that were measured are left out.
export XDG_CACHE_HOME=$PWD/cache
command -v tbench >/dev/null || skip "built without tbench"
generate 1 40 8 9 7 >a.tns
generate 2 30 12 10 >m.tns
generate 3 25 5 4 6 3 >four.tns
# What the advisor proposes, with costs from a file and one thread, so that all machines propose the same.
printf '%s\n' 'stream-ps: 2000' 'stream-all-ps: 1200' 'entry-ps: 250' 'fiber-ps: 400' 'vector-ps: 100' 'second-ps: 400' 'third-ps: 500' \
    'memory-ps: 1500' 'update-ps: 40' 'chain-ps: 1400' 'copy-ps: 500' 'break-ps: 3000' 'near-ps: 1000' 'product-ps: 8000' 'first-bytes: 32768' 'second-bytes: 1048576' 'third-bytes: 16777216' >machine
export TSR_TUNING=$PWD/machine OMP_NUM_THREADS=1
# The first word of each row, titles, and what is said: one round is too few to choose a format. ~ is explained where a row has it.
bare() { sed -E '/^(format|[a-z]+(\([0-9,]+\))?(:[0-9,]+)?) +([0-9]|pack|- )/s/ .*//; /^~: the fastest run/d; /^>100%/d'; }
quick="--quick --threads=1 --reps=1 --rank=4"
t "tbench spmv m.tns $quick | bare"
t "tbench mttkrp a.tns $quick --format=coo,csf | bare"
t "tbench mttkrp four.tns $quick --modes=1 --format=csf,csf:0,1,2,3,suuu,'hicoo(2)' --type=f32 | bare"
t "tbench ttv a.tns $quick --format=csf,coo | bare"
t "tbench ttm a.tns $quick --format=csf --modes=0 | bare"
for kernel in sddmm residual; do
    t "tbench $kernel m.tns $quick --format=csr,csc | bare"
done
t "tbench innerprod a.tns $quick --format=csf | bare"
t "tbench 'y(i) = A(i,j) * x(j) - 2*b(i)' m.tns $quick --format=coo,csr | bare"
# What is no sum of products is checked against the interpreter: selections, conditions, patterns, masks, functions, bands, several statements.
for statement in 'S(i,j) top(2)= A(i,k)*A(j,k)' 's(i) argmax(j)= A(i,j)' 'C(i,j) = A(i,k)*A(j,k) where abs(C) > .1 and j > i' \
    'C(i,j) |= A(i,k) & A(j,k)' 'y(i) = !A(i,j)*x(j)' 'y(i) = max(A(i,j), 0)*x(j)*tril(i,j)' \
    's(i) = A(i,j)*A(i,j); Y(i,j) = A(i,j)/sqrt(s(i))' 'T(i,k) = A(i,j)*X(j,k); s(i) = T(i,k)*T(i,k); Y(i,k) = T(i,k)/sqrt(s(i))'; do
    t "tbench '$statement' m.tns $quick --format=csr,csc | bare"
done
# The statements with names, on two threads; the values alone, and the number of entries alone.
generate 5 40 9 9 >q.tns
for kernel in top where softmax normalize paths compute count gradient stencil; do
    t "tbench $kernel q.tns $quick --threads=2 --format=csr | bare"
done
t "tbench where a.tns $quick"
t "tbench spmv m.tns --type=bf16 $quick --format=csr | bare"
# The tensor in its file, by blocks: in a text, where packed, where the answer needs more; its type is that of the case.
tconv -q m.tns --format=csr -o m.h5
for row in 'spmv m.tns' 'spmm m.h5' 'mttkrp a.tns --modes=1' 'normalize m.h5' 'spmv m.tns --type=f32'; do
    t "tbench $row $quick --memory=64M --format=coo | bare"
done
t "tbench spmv m.tns $quick --memory=1M"
# Rows of a file, and a builder.
for op in rows build; do
    for file in m.tns m.h5 a.tns; do
        t "tbench $op $file --quick --threads=1,2 --reps=1 --format=coo | awk 'NR == 1 || /^ / { print \$1, \$2 }'"
    done
done
t "tbench rows nothing.tns"
generate 4 5 40 >v.tns
t "tbench 'a = x(i) * y(i)' v.tns $quick --format=all | bare"
# Blocked formats come where the matrix fills their blocks, and coordinates where the result may be dense.
export TSR_DATA=$PWD/data
for matrix in banded:n=3000,width=7 block:n=3000,block=4,per-row=5 uniform:dims=3000x3000,nnz=20000; do
    t "tbench residual $matrix $quick | bare"
done
t "tbench ttm uniform:dims=30x20x50,nnz=2000 $quick | bare"
t "tbench ttm uniform:dims=3000x2000x50,nnz=2000 $quick | bare"
# The record, here with the machine's roof, which a quick run leaves out.
t "tbench spmv m.tns --threads=1 --reps=1 --format=csr --json=r.json >/dev/null && grep -o '\"format\": *\"csr\"' r.json"
t "grep -c '\"triad_bytes_s\": *[0-9].*\"fma_f32_flop_s\": *[0-9]' r.json; grep -o '\"roof_share\": *[0-9]' r.json | cut -d: -f1"
t "tbench spmv m.tns $quick --format=csr --json=q.json | bare; grep '\"roofs\"' q.json; grep -o '\"roof_share\": *null' q.json"
# What cannot hold the tensor is one line, whatever the number of modes and thread counts, and the exit code says it; the
# other tensors are measured.
t "tbench mttkrp a.tns --quick --format=csr --reps=1"
t "tbench mttkrp a.tns --quick --format=csr,nonsense --reps=1 --passes=2"
t "tbench spmv m.tns banded:n=100,width=3 $quick --format='bcsr(30,30)' | bare"
# Another library that is absent is named once.
t "tbench mttkrp a.tns $quick --format=coo,csf --baseline=splatt | bare"
# Three rounds or more: the format to choose, in a sentence that agrees with its row.
cat >choice.py <<'END'
import re, sys
text = sys.stdin.read()
rows = {line.split()[0]: line for line in text.splitlines() if re.match("(coo|csr|csc) +[0-9]", line)}
best = re.search(r"^(?:No format is measurably faster than coo\.|(\w+) runs ([0-9.]+) \(([0-9.]+) to ([0-9.]+)\) times as fast as coo(?:; packing | and packs))", text, re.M)
winners = re.search(r"^Least cost, packing and running, for 1 run: \w+; 10: \w+; 100: \w+; 10,000: (\w+)\.$", text, re.M)
agree = best and (not best[1] or f" {best[2]} ({best[3]}-{best[4]}) " in rows[best[1]] and float(best[3]) >= 1)
print(sorted(rows), "agree" if agree and (winners or not best[1] or "Least cost" not in text) else text)
END
t "tbench spmv uniform:dims=3000x3000,nnz=20000 --quick --threads=1 --reps=9 --format=coo,csr,csc | python3 choice.py"
# What cannot be.
t "tbench spmv a.tns $quick"
t "tbench spmw m.tns"
t "tbench mttkrp a.tns $quick --modes=3"
t "tbench mttkrp a.tns --rank=0"
t "tbench mttkrp v.tns $quick"
t "tbench spmv m.tns --format=, $quick"
t "tbench spmv m.tns --format=nonsense,csr $quick | bare"
t "tbench 'y(i) += A(i,j) * x(j)' m.tns $quick"
t "tbench 'y(i) = A(i,j) * ' m.tns $quick"
t "tbench spmv m.tns --baseline=nobody"
# By a generator's text; baselines that are not there say so.
t "tbench spmv banded:n=100,width=3 $quick --format=csr | bare"
t "tbench sparse-ttm uniform:dims=30x20x10,nnz=300 $quick | bare"
# Each run assembles the result, in levels like the first of the operand; with another schedule the result is dense here.
t "tbench sparse-ttv uniform:dims=30x20x10,nnz=300 $quick --json=v.json | bare; grep -o '\"schedule\":\"[^\"]*\"' v.json"
t "tbench sparse-ttv uniform:dims=30x20x10,nnz=300 $quick --schedule=serial | bare"
t "tbench sparse-mttkrp uniform:dims=30x20x10,nnz=300 $quick | bare"
t "tbench spmv no-such-tensor $quick 2>&1 | sed 's/;.*//'"
t "tbench spmv no/such/file $quick"
t "tbench 'a = x(i)'"
tbench spmv m.tns $quick --format=csr --baselines >said || echo "a baseline failed"
for baseline in graphblas librsb eigen scipy; do
    grep -Eq "^$baseline( +[0-9]|: not measured: (needs |python3 has no scipy|there is no program))" said || echo "$baseline is missing"
done
# SciPy beside blocks and diagonals has blocks and diagonals.
for kernel in spadd spgemm; do
    for format in 'bcsr(4,4)' dia; do
        tbench $kernel banded:n=100,width=3 --quick --threads=1 --reps=3 --format="$format" --baseline=scipy >said 2>&1 || cat said
        grep -Fq "has operands in $format" said || grep -q 'not measured: python3 has no scipy' said || { echo "$kernel $format" && cat said; }
    done
done
# Several passes: the tables come once, with the samples of all.
t "tbench spmv m.tns --quick --threads=1 --reps=3 --passes=2 --format=csr --json=p.json | bare"
t "grep -o '\"pass_samples\":[^ ]*\]' p.json | sed 's/,\"dist.*//'"
t "tbench spmv m.tns --quick --passes=0"
t "tbench spmv m.tns --passes=32 --reps=100"
# Interrupted in a later pass: the tables and the record hold what there is until then.
python3 - <<'END'
import json, os, signal, subprocess, time
run = subprocess.Popen("tbench spmv m.tns --quick --cold --threads=1 --format=coo,csr,csc,dcsr --reps=3 --time-limit=1000000 --passes=32 --json=i.json".split(),
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
def rows():
    return json.load(open("i.json"))["rows"] if os.path.exists("i.json") else []
while run.poll() is None and not any(len(row["pass_samples"]) > 1 for row in rows()):
    time.sleep(0.05)
run.send_signal(signal.SIGINT)
said = run.communicate()[0].decode()
record = json.load(open("i.json"))
row = record["rows"][0]
import re
print("exit", run.returncode, "interrupted", record["interrupted"], "tables", len(re.findall("measurably faster|times as fast as|Too few samples", said)),
      "passes", 1 < len(row["pass_samples"]) < 32, sum(row["pass_samples"]) == len(row["samples_ns"]))
END
